//! Where a scenario takes place: a namespace, the requests in it, and the objects it begins with.

use anyhow::Result;
use http::{Method, Request, header};
use serde_json::{Value, json};

use crate::cluster::{Cluster, Objects, collection};

/// A namespace of its own.
pub(super) struct Place<'a> {
    pub(super) cluster: &'a dyn Cluster,
    pub(super) namespace: String,
}

/// An answer as a scenario looks at it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Seen {
    pub(super) code: u16,
    pub(super) body: Value,
}

impl Seen {
    /// Status code, reason and message: what a refusal is.
    pub(super) fn refusal(&self) -> (u16, &str, &str) {
        let text = |field: &str| self.body[field].as_str().unwrap_or_default();
        (self.code, text("reason"), text("message"))
    }

    /// The names of the items of a list.
    pub(super) fn names(&self) -> Vec<&str> {
        let items = self.body["items"].as_array().into_iter().flatten();
        items
            .filter_map(|item| item["metadata"]["name"].as_str())
            .collect()
    }

    pub(super) fn metadata(&self, field: &str) -> &Value {
        &self.body["metadata"][field]
    }
}

impl<'a> Place<'a> {
    pub(super) async fn new(cluster: &'a dyn Cluster) -> Result<Self> {
        let namespace = cluster.create_namespace("scenario").await?;
        Ok(Self { cluster, namespace })
    }

    /// One request; `rest` follows the path of the kind's objects in the namespace.
    pub(super) async fn ask(
        &self,
        method: Method,
        kind: &str,
        rest: &str,
        body: Value,
    ) -> Result<Seen> {
        self.ask_for("application/json", method, kind, rest, body)
            .await
    }

    /// One request for an answer of a certain shape.
    pub(super) async fn ask_for(
        &self,
        accept: &str,
        method: Method,
        kind: &str,
        rest: &str,
        body: Value,
    ) -> Result<Seen> {
        let content = if method == Method::PATCH {
            "application/merge-patch+json"
        } else {
            "application/json"
        };
        let body = if body.is_null() {
            Vec::new()
        } else {
            serde_json::to_vec(&body)?
        };
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{rest}", collection(kind, &self.namespace)))
            .header(header::ACCEPT, accept)
            .header(header::CONTENT_TYPE, content)
            .body(body)?;
        let answer = self.cluster.send(request).await?;
        Ok(Seen {
            code: answer.status().as_u16(),
            body: serde_json::from_slice(answer.body()).unwrap_or_default(),
        })
    }

    pub(super) async fn get(&self, kind: &str, rest: &str) -> Result<Seen> {
        self.ask(Method::GET, kind, rest, Value::Null).await
    }

    pub(super) async fn delete(&self, kind: &str, name: &str, options: Value) -> Result<Seen> {
        self.ask(Method::DELETE, kind, &format!("/{name}"), options)
            .await
    }

    pub(super) async fn patch(&self, kind: &str, rest: &str, change: Value) -> Result<Seen> {
        self.ask(Method::PATCH, kind, rest, change).await
    }

    /// Creates an object: one of the manifests below, with what `more` adds to its metadata.
    pub(super) async fn create(
        &self,
        mut manifest: Value,
        name: &str,
        more: &[(&str, Value)],
    ) -> Result<Value> {
        manifest["metadata"] = json!({"name": name, "namespace": self.namespace});
        for (field, value) in more {
            manifest["metadata"][field] = value.clone();
        }
        self.cluster.create(manifest).await
    }
}

/// A pod that no node was found for.
pub(super) fn pod() -> Value {
    json!({"apiVersion": "v1", "kind": "Pod", "spec": pod_spec()})
}

/// A pod on a node.
pub(super) fn pod_on_node() -> Value {
    let mut pod = pod();
    pod["spec"]["nodeName"] = "node".into();
    pod
}

/// A Job that no controller makes pods for.
pub(super) fn job() -> Value {
    let spec = json!({"managedBy": "example.com/nobody", "template": {"spec": pod_spec()}});
    json!({"apiVersion": "batch/v1", "kind": "Job", "spec": spec})
}

pub(super) fn config_map() -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "data": {"key": "value"}})
}

pub(super) fn claim() -> Value {
    let resources = json!({"requests": {"storage": "1Gi"}});
    let spec = json!({"accessModes": ["ReadWriteOnce"], "resources": resources});
    json!({"apiVersion": "v1", "kind": "PersistentVolumeClaim", "spec": spec})
}

fn pod_spec() -> Value {
    json!({"restartPolicy": "Never", "containers": [{"name": "agent", "image": "agent"}]})
}
