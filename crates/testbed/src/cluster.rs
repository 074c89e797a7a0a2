//! What a test may ask of a cluster, whichever kind of cluster it is.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use bytes::Bytes;
use futures::future::BoxFuture;
use http::{Method, Request, Response, StatusCode, header};
use serde_json::{Value, json};

/// How long [`Objects::await_object`] and [`Objects::await_gone`] wait.
const PATIENCE: Duration = Duration::from_secs(60);

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
pub trait Objects: Cluster {
    /// Creates the object, then gives it the status it came with, which a creation ignores.
    ///
    /// What only a server can assign (`uid`, `resourceVersion`, timestamps) is left out.
    fn create(&self, object: Value) -> impl Future<Output = Result<Value>> + Send {
        async move {
            let kind = text(&object, "/kind")?;
            let collection = collection(
                kind,
                object["metadata"]["namespace"].as_str().unwrap_or_default(),
            );
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
            let created = call(self, Method::POST, &collection, Some(manifest)).await?;
            let status = &object["status"];
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
    }

    /// Creates a namespace whose name begins with `prefix` and is used by nobody else.
    fn create_namespace(&self, prefix: &str) -> impl Future<Output = Result<String>> + Send {
        let namespace = json!({
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": { "generateName": format!("{prefix}-") },
        });
        async move {
            let created = self.create(namespace).await?;
            Ok(text(&created, "/metadata/name")?.to_owned())
        }
    }

    /// Reads one object.
    fn get(
        &self,
        kind: &str,
        namespace: &str,
        name: &str,
    ) -> impl Future<Output = Result<Value>> + Send {
        let path = object(kind, namespace, name);
        async move { call(self, Method::GET, &path, None).await }
    }

    /// Reads the objects of a kind in one namespace, or in all where `namespace` is empty.
    fn list(&self, kind: &str, namespace: &str) -> impl Future<Output = Result<Vec<Value>>> + Send {
        let path = collection(kind, namespace);
        async move {
            let mut list = call(self, Method::GET, &path, None).await?;
            match list["items"].take() {
                Value::Array(items) => Ok(items),
                Value::Null => Ok(Vec::new()),
                other @ (Value::Bool(_)
                | Value::Number(_)
                | Value::String(_)
                | Value::Object(_)) => {
                    bail!("{path} lists {other}")
                }
            }
        }
    }

    /// Merges `patch` into the object.
    fn patch(
        &self,
        kind: &str,
        namespace: &str,
        name: &str,
        patch: Value,
    ) -> impl Future<Output = Result<Value>> + Send {
        let path = object(kind, namespace, name);
        async move { call(self, Method::PATCH, &path, Some(patch)).await }
    }

    /// Merges `status` into the object's status.
    fn patch_status(
        &self,
        kind: &str,
        namespace: &str,
        name: &str,
        status: Value,
    ) -> impl Future<Output = Result<Value>> + Send {
        let path = format!("{}/status", object(kind, namespace, name));
        async move {
            call(
                self,
                Method::PATCH,
                &path,
                Some(json!({ "status": status })),
            )
            .await
        }
    }

    /// Asks for the deletion of the object, with the kind's own grace period and propagation.
    fn delete(
        &self,
        kind: &str,
        namespace: &str,
        name: &str,
    ) -> impl Future<Output = Result<()>> + Send {
        let path = object(kind, namespace, name);
        async move { call(self, Method::DELETE, &path, None).await.map(drop) }
    }

    /// Reads the object again and again until `condition` holds; the error shows how it was last seen.
    fn await_object(
        &self,
        kind: &str,
        namespace: &str,
        name: &str,
        condition: impl Fn(&Value) -> bool + Send,
    ) -> impl Future<Output = Result<Value>> + Send {
        let path = object(kind, namespace, name);
        async move {
            let deadline = Instant::now() + PATIENCE;
            loop {
                let seen = call(self, Method::GET, &path, None).await?;
                if condition(&seen) {
                    return Ok(seen);
                }
                ensure!(
                    Instant::now() < deadline,
                    "waited {PATIENCE:?} for {path}, which still is {seen:#}"
                );
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }

    /// Waits until no object of that name is left.
    fn await_gone(
        &self,
        kind: &str,
        namespace: &str,
        name: &str,
    ) -> impl Future<Output = Result<()>> + Send {
        let path = object(kind, namespace, name);
        async move {
            let deadline = Instant::now() + PATIENCE;
            loop {
                let answer = ask(self, Method::GET, &path, None).await?;
                if answer.status() == StatusCode::NOT_FOUND {
                    return Ok(());
                }
                ensure!(
                    Instant::now() < deadline,
                    "waited {PATIENCE:?} for {path} to go: {:?}",
                    answer.body()
                );
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
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
