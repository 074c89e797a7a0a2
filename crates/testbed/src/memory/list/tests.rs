//! Lists: pages, moments, selectors, metadata, and the rules that a test may break.

use http::Request;
use http_body_util::Full;
use serde_json::Value;

use super::*;
use crate::memory::asking::{add_pod, ask_with, get, names};
use crate::memory::{Fault, Server, on};

const PODS: &str = "/api/v1/namespaces/n/pods";

fn three_pods() -> Server {
    let server = Server::new();
    for (name, app) in [("a", "x"), ("b", "y"), ("c", "x")] {
        add_pod(
            &server,
            name,
            &json!({"metadata": {"labels": {"app": app}}}),
        );
    }
    server.add(json!({"kind": "Pod", "metadata": {"name": "d", "namespace": "n-2"}}));
    server
}

fn token(list: &Value) -> &str {
    list["metadata"]["continue"].as_str().unwrap()
}

#[tokio::test]
async fn pages_show_everything_once_from_one_moment() {
    let server = three_pods();
    let (_, first) = get(&server, "/api/v1/pods?limit=2").await;
    assert_eq!(names(&first), ["d", "a"], "etcd sorts n-2/d before n/a");
    assert_eq!(first["metadata"]["remainingItemCount"], 2);
    server.remove(Resource::Pods, "n", "c");
    let next = format!("/api/v1/pods?limit=1&continue={}", token(&first));
    let (_, second) = get(&server, &next).await;
    assert_eq!(
        (names(&second), &second["metadata"]["remainingItemCount"]),
        (vec!["b"], &json!(1))
    );
    let next = format!("/api/v1/pods?limit=1&continue={}", token(&second));
    let (_, third) = get(&server, &next).await;
    assert_eq!(names(&third), ["c"]);
    assert_eq!(
        third["metadata"],
        json!({"resourceVersion": first["metadata"]["resourceVersion"]})
    );
}

#[tokio::test]
async fn an_expired_token_is_answered_with_one_that_goes_on() {
    let server = three_pods();
    let (_, first) = get(&server, &format!("{PODS}?limit=1")).await;
    server.expire_continue_tokens();
    server.remove(Resource::Pods, "n", "b");
    let (code, gone) = get(
        &server,
        &format!("{PODS}?limit=1&continue={}", token(&first)),
    )
    .await;
    assert_eq!((code, &gone["reason"]), (410, &json!("Expired")));
    let (_, rest) = get(&server, &format!("{PODS}?continue={}", token(&gone))).await;
    assert_eq!(names(&rest), ["c"]);
    assert_eq!(
        get(&server, &format!("{PODS}?continue=nonsense")).await.0,
        400
    );
}

#[tokio::test]
async fn selectors_choose_and_hide_the_remaining_count() {
    let server = three_pods();
    let (_, list) = get(&server, &format!("{PODS}?labelSelector=app%3Dx&limit=1")).await;
    assert_eq!(names(&list), ["a"]);
    assert_eq!(list["metadata"]["remainingItemCount"], Value::Null);
    let next = format!(
        "{PODS}?labelSelector=app%3Dx&limit=1&continue={}",
        token(&list)
    );
    assert_eq!(names(&get(&server, &next).await.1), ["c"]);
    let (_, list) = get(
        &server,
        "/api/v1/pods?fieldSelector=metadata.name%3Db,status.phase!%3DFailed",
    )
    .await;
    assert_eq!(names(&list), ["b"]);
    let (code, refusal) = get(&server, "/api/v1/pods?labelSelector=a%3D%3D%3D").await;
    assert_eq!((code, &refusal["reason"]), (400, &json!("BadRequest")));
}

#[tokio::test]
async fn metadata_alone_is_null_where_there_is_nothing() {
    let server = three_pods();
    let list = async |path: &str| {
        let accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
        let request = Request::get(path)
            .header("accept", accept)
            .body(Full::default());
        ask_with(&server, request.unwrap()).await.1
    };
    let (_, typed) = get(&server, "/api/v1/configmaps").await;
    assert_eq!(
        (&typed["kind"], &typed["items"]),
        (&json!("ConfigMapList"), &json!([]))
    );
    let empty = list("/api/v1/configmaps").await;
    assert_eq!(
        (&empty["kind"], &empty["items"]),
        (&json!("PartialObjectMetadataList"), &Value::Null)
    );
    let pods = list("/api/v1/namespaces/n-2/pods").await;
    assert_eq!(names(&pods), ["d"]);
    assert_eq!(pods["items"][0]["spec"], Value::Null);
}

#[tokio::test]
async fn quirks_break_one_rule_each() {
    let broken = async |quirk, query: &str| {
        let server = three_pods();
        server.fault(on(http::Method::GET, "/pods?"), Fault::quirk(quirk));
        get(&server, &format!("{PODS}?{query}")).await.1
    };
    let list = broken(Quirk::IgnoresLabelSelector, "labelSelector=app%3Dy").await;
    assert_eq!(names(&list).len(), 3);
    let list = broken(
        Quirk::IgnoresFieldSelector,
        "fieldSelector=metadata.name%3Da",
    )
    .await;
    assert_eq!(names(&list).len(), 3);
    let list = broken(Quirk::IgnoresLimit, "limit=1").await;
    assert_eq!(names(&list).len(), 3);
}

#[tokio::test]
async fn a_repeated_token_shows_the_same_page_again() {
    let server = three_pods();
    let first_page = format!("{PODS}?limit=1");
    server.fault(
        on(http::Method::GET, "continue="),
        Fault::quirk(Quirk::RepeatsContinue),
    );
    let (_, first) = get(&server, &first_page).await;
    let (_, second) = get(&server, &format!("{first_page}&continue={}", token(&first))).await;
    assert_eq!((names(&second), token(&second)), (vec!["b"], token(&first)));
}

#[tokio::test]
async fn a_list_that_never_ends_never_repeats_a_token() {
    let server = three_pods();
    server.fault(
        on(http::Method::GET, "/pods?"),
        Fault::quirk(Quirk::NeverEnds),
    );
    let mut tokens = std::collections::BTreeSet::new();
    let mut target = format!("{PODS}?limit=2");
    for _ in 0..9 {
        let (_, list) = get(&server, &target).await;
        assert!(!names(&list).is_empty());
        assert!(tokens.insert(token(&list).to_owned()));
        target = format!("{PODS}?limit=2&continue={}", token(&list));
    }
}
