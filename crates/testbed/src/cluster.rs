//! What a test may ask of a cluster, whichever kind of cluster it is.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use futures::future::BoxFuture;
use http::{Method, Request, Response, StatusCode, header};
use serde_json::{Value, json};

/// How long [`Objects::await_object`] and [`Objects::await_gone`] wait.
const PATIENCE: Duration = Duration::from_secs(60);
/// Time between two looks at an object that is waited for.
const PAUSE: Duration = Duration::from_millis(50);

/// An API server with an administrator.
pub trait Cluster: Send + Sync {
    /// The API server's address, `https://127.0.0.1:6443`.
    fn server(&self) -> &str;

    /// A kubeconfig of the administrator, its namespace set, as YAML text.
    fn kubeconfig(&self, namespace: &str) -> String;

    /// Sends one request as the administrator and returns the complete answer, whatever its status.
    ///
    /// The URI is the path with its query. An error means that no answer came.
    fn send(&self, request: Request<Vec<u8>>) -> BoxFuture<'_, Result<Response<Bytes>>>;
}

/// What a test does with single objects; a kind is written as in a manifest, `Pod`.
///
/// Any answer but 2xx is an error that quotes the server's message.
#[expect(
    async_fn_in_trait,
    reason = "tests await them on the thread that calls them"
)]
pub trait Objects: Cluster {
    /// Creates the object, then gives it the status it came with, which a creation ignores.
    ///
    /// What only a server can assign (`uid`, `resourceVersion`, timestamps) is left out. A Job with conditions is
    /// taken from the Job controller.
    async fn create(&self, object: Value) -> Result<Value> {
        let namespace = object["metadata"]["namespace"].as_str().unwrap_or_default();
        let collection = collection(text(&object, "/kind")?, namespace);
        let mut manifest = object.clone();
        if let Some(metadata) = manifest["metadata"].as_object_mut() {
            for assigned in [
                "uid",
                "resourceVersion",
                "creationTimestamp",
                "deletionTimestamp",
            ] {
                metadata.remove(assigned);
            }
        }
        let status = &object["status"];
        if status["conditions"].is_array() && object["kind"] == "Job" {
            // The Job controller would start it in between, and a started Job refuses the status.
            manifest["spec"]["managedBy"] = json!("testbed.example/nobody");
        }
        let created = call(self, Method::POST, &collection, Some(manifest)).await?;
        if status.as_object().is_none_or(serde_json::Map::is_empty) {
            return Ok(created);
        }
        let path = format!("{collection}/{}/status", text(&created, "/metadata/name")?);
        call(
            self,
            Method::PATCH,
            &path,
            Some(json!({ "status": status })),
        )
        .await
    }

    /// Creates a namespace whose name begins with `prefix` and is used by nobody else.
    async fn create_namespace(&self, prefix: &str) -> Result<String> {
        let metadata = json!({ "generateName": format!("{prefix}-") });
        let namespace = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": metadata });
        Ok(text(&self.create(namespace).await?, "/metadata/name")?.to_owned())
    }

    /// Reads one object.
    async fn get(&self, kind: &str, namespace: &str, name: &str) -> Result<Value> {
        call(self, Method::GET, &object(kind, namespace, name), None).await
    }

    /// Reads the objects of a kind in one namespace, or in all where `namespace` is empty.
    async fn list(&self, kind: &str, namespace: &str) -> Result<Vec<Value>> {
        let mut list = call(self, Method::GET, &collection(kind, namespace), None).await?;
        let items: Option<Vec<Value>> = serde_json::from_value(list["items"].take())?;
        Ok(items.unwrap_or_default())
    }

    /// Merges `patch` into the object.
    async fn patch(&self, kind: &str, namespace: &str, name: &str, patch: Value) -> Result<Value> {
        call(
            self,
            Method::PATCH,
            &object(kind, namespace, name),
            Some(patch),
        )
        .await
    }

    /// Merges `status` into the object's status.
    async fn patch_status(
        &self,
        kind: &str,
        namespace: &str,
        name: &str,
        status: Value,
    ) -> Result<Value> {
        let path = format!("{}/status", object(kind, namespace, name));
        call(
            self,
            Method::PATCH,
            &path,
            Some(json!({ "status": status })),
        )
        .await
    }

    /// Asks for the deletion of the object, with the kind's own grace period and propagation.
    async fn delete(&self, kind: &str, namespace: &str, name: &str) -> Result<()> {
        call(self, Method::DELETE, &object(kind, namespace, name), None)
            .await
            .map(drop)
    }

    /// Reads the object again and again until `condition` holds; the error shows how it was last seen.
    async fn await_object(
        &self,
        kind: &str,
        namespace: &str,
        name: &str,
        condition: impl Fn(&Value) -> bool,
    ) -> Result<Value> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let seen = self.get(kind, namespace, name).await?;
            if condition(&seen) {
                return Ok(seen);
            }
            ensure!(
                Instant::now() < deadline,
                "after {PATIENCE:?} {kind} {name} still is {seen:#}"
            );
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Waits until no object of that name is left.
    async fn await_gone(&self, kind: &str, namespace: &str, name: &str) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        let path = object(kind, namespace, name);
        while ask(self, Method::GET, &path, None).await?.status() != StatusCode::NOT_FOUND {
            ensure!(
                Instant::now() < deadline,
                "after {PATIENCE:?} {kind} {name} is still there"
            );
            tokio::time::sleep(PAUSE).await;
        }
        Ok(())
    }
}

impl<C: Cluster + ?Sized> Objects for C {}

/// Path of a kind's objects in one namespace; `namespace` is empty for all of them and for kinds outside of namespaces.
#[must_use]
pub fn collection(kind: &str, namespace: &str) -> String {
    let prefix = match kind {
        "Job" => "/apis/batch/v1",
        "Role" | "RoleBinding" | "ClusterRole" | "ClusterRoleBinding" => {
            "/apis/rbac.authorization.k8s.io/v1"
        }
        _ => "/api/v1",
    };
    let resource = format!("{}s", kind.to_lowercase());
    if namespace.is_empty() {
        format!("{prefix}/{resource}")
    } else {
        format!("{prefix}/namespaces/{namespace}/{resource}")
    }
}

fn object(kind: &str, namespace: &str, name: &str) -> String {
    format!("{}/{name}", collection(kind, namespace))
}

fn text<'a>(object: &'a Value, pointer: &str) -> Result<&'a str> {
    let found = object.pointer(pointer).and_then(Value::as_str);
    found.with_context(|| format!("no {pointer} in {object}"))
}

async fn call<C: Cluster + ?Sized>(
    cluster: &C,
    method: Method,
    path: &str,
    body: Option<Value>,
) -> Result<Value> {
    let answer = ask(cluster, method.clone(), path, body).await?;
    let value: Value = serde_json::from_slice(answer.body()).unwrap_or_default();
    let status = answer.status();
    ensure!(
        status.is_success(),
        "{method} {path}: {status}: {}",
        value["message"]
    );
    Ok(value)
}

async fn ask<C: Cluster + ?Sized>(
    cluster: &C,
    method: Method,
    path: &str,
    body: Option<Value>,
) -> Result<Response<Bytes>> {
    let content = if method == Method::PATCH {
        "application/merge-patch+json"
    } else {
        "application/json"
    };
    let body = body
        .map(|value| value.to_string().into_bytes())
        .unwrap_or_default();
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::CONTENT_TYPE, content)
        .body(body)?;
    cluster.send(request).await
}
