//! How the unit tests of this folder ask the server.

use bytes::Bytes;
use http::{Method, Request};
use http_body_util::{BodyExt, Full};
use serde_json::{Value, json};

use super::Server;

/// One request and its answer: the status code and the body, null where that is no JSON.
pub(super) async fn ask(
    server: &Server,
    method: Method,
    target: &str,
    body: Value,
) -> (u16, Value) {
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let request = Request::builder()
        .method(method)
        .uri(target)
        .header("accept", "application/json");
    ask_with(server, request.body(Full::from(body)).unwrap()).await
}

pub(super) async fn ask_with(server: &Server, request: Request<Full<Bytes>>) -> (u16, Value) {
    let answer = server.handle(request).await.unwrap();
    let status = answer.status().as_u16();
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    (status, serde_json::from_slice(&body).unwrap_or_default())
}

pub(super) async fn get(server: &Server, target: &str) -> (u16, Value) {
    ask(server, Method::GET, target, Value::Null).await
}

pub(super) async fn delete(server: &Server, target: &str, options: Value) -> (u16, Value) {
    ask(server, Method::DELETE, target, options).await
}

/// Puts in a pod of namespace `n`, with what `more` adds to it.
pub(super) fn add_pod(server: &Server, name: &str, more: &Value) -> Value {
    let mut pod = json!({
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "n"},
        "spec": {"terminationGracePeriodSeconds": 30},
        "status": {"phase": "Running"},
    });
    super::write::merge(&mut pod, more);
    server.add(pod)
}

/// The names of the items of a list.
pub(super) fn names(list: &Value) -> Vec<&str> {
    let items = list["items"].as_array().into_iter().flatten();
    items
        .map(|item| item["metadata"]["name"].as_str().unwrap())
        .collect()
}
