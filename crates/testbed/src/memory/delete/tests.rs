//! Deletions: preconditions, dry runs, grace, finalizers, and what they answer.

use std::time::Duration;

use super::*;
use crate::memory::Server;
use crate::memory::asking::{add_pod, delete, get};

const POD: &str = "/api/v1/namespaces/n/pods/a";

fn on_node() -> Value {
    json!({"spec": {"nodeName": "node"}})
}

#[tokio::test]
async fn both_preconditions_have_to_hold() {
    let server = Server::new();
    let pod = add_pod(&server, "a", &json!({}));
    let (uid, version) = (&pod["metadata"]["uid"], &pod["metadata"]["resourceVersion"]);
    let (code, refusal) = delete(&server, POD, json!({"preconditions": {"uid": "other"}})).await;
    assert_eq!((code, &refusal["reason"]), (409, &json!("Conflict")));
    let message = refusal["message"].as_str().unwrap();
    assert!(
        message.contains("other") && message.contains(uid.as_str().unwrap()),
        "{message}"
    );
    let stale = json!({"preconditions": {"uid": uid, "resourceVersion": "0"}});
    assert_eq!(delete(&server, POD, stale).await.0, 409);
    let right = json!({"preconditions": {"uid": uid, "resourceVersion": version}});
    let (code, gone) = delete(&server, POD, right.clone()).await;
    assert_eq!((code, &gone["metadata"]["uid"]), (200, uid));
    let (code, missing) = delete(&server, POD, right).await;
    assert_eq!(
        (code, &missing["message"]),
        (404, &json!("pods \"a\" not found"))
    );
    assert_eq!(missing["details"], json!({"name": "a", "kind": "pods"}));
}

#[tokio::test]
async fn a_dry_run_checks_and_changes_nothing() {
    let server = Server::new();
    let before = add_pod(&server, "a", &on_node());
    let options = json!({"dryRun": ["All"], "preconditions": {"uid": "other"}});
    assert_eq!(delete(&server, POD, options).await.0, 409);
    assert_eq!(
        delete(&server, POD, json!({"dryRun": ["All"]})).await.0,
        200
    );
    assert_eq!(
        delete(&server, &format!("{POD}?dryRun=All"), Value::Null)
            .await
            .0,
        200
    );
    assert_eq!(get(&server, POD).await.1, before);
    assert_eq!(
        delete(&server, POD, json!({"dryRun": ["Some"]})).await.0,
        422
    );
}

#[tokio::test(start_paused = true)]
async fn a_pod_with_a_node_goes_after_its_grace_period() {
    let server = Server::new();
    server.clock().fix("2026-12-02T10:00:00Z".parse().unwrap());
    add_pod(&server, "a", &on_node());
    let (_, pod) = delete(&server, POD, Value::Null).await;
    assert_eq!(pod["metadata"]["deletionTimestamp"], "2026-12-02T10:00:30Z");
    assert_eq!(pod["metadata"]["deletionGracePeriodSeconds"], 30);
    tokio::time::advance(Duration::from_secs(29)).await;
    assert_eq!(get(&server, POD).await.0, 200);
    tokio::time::advance(Duration::from_secs(1)).await;
    assert_eq!(get(&server, POD).await.0, 404);
}

#[tokio::test(start_paused = true)]
async fn a_grace_period_can_only_be_shortened() {
    let server = Server::new();
    server.clock().fix("2026-12-02T10:00:00Z".parse().unwrap());
    add_pod(&server, "a", &on_node());
    delete(&server, POD, json!({"gracePeriodSeconds": 10})).await;
    let (code, pod) = delete(&server, POD, json!({"gracePeriodSeconds": 60})).await;
    assert_eq!(
        (code, &pod["metadata"]["deletionGracePeriodSeconds"]),
        (200, &json!(10))
    );
    let (_, pod) = delete(&server, POD, json!({"gracePeriodSeconds": 5})).await;
    assert_eq!(pod["metadata"]["deletionTimestamp"], "2026-12-02T10:00:05Z");
    delete(&server, POD, json!({"gracePeriodSeconds": 0})).await;
    assert_eq!(get(&server, POD).await.0, 404);
}

#[tokio::test]
async fn a_pod_that_runs_nowhere_goes_at_once() {
    let server = Server::new();
    for more in [
        json!({}),
        json!({"spec": {"nodeName": "node"}, "status": {"phase": "Failed"}}),
    ] {
        add_pod(&server, "a", &more);
        assert_eq!(delete(&server, POD, Value::Null).await.0, 200);
        assert_eq!(get(&server, POD).await.0, 404);
    }
}

#[tokio::test]
async fn a_finalizer_holds_an_object_until_it_is_taken_off() {
    let server = Server::new();
    let map = "/api/v1/namespaces/n/configmaps/a";
    let held = json!({"name": "a", "namespace": "n", "finalizers": ["example.com/hold"]});
    server.add(json!({"kind": "ConfigMap", "metadata": held}));
    let (code, object) = delete(&server, map, Value::Null).await;
    assert_eq!((code, &object["kind"]), (200, &json!("ConfigMap")));
    assert_eq!(object["metadata"]["deletionGracePeriodSeconds"], 0);
    let (_, again) = delete(&server, map, Value::Null).await;
    assert_eq!(
        again["metadata"]["deletionTimestamp"],
        object["metadata"]["deletionTimestamp"]
    );
    server.patch(
        Resource::ConfigMaps,
        "n",
        "a",
        &json!({"metadata": {"finalizers": null}}),
    );
    assert_eq!(get(&server, map).await.0, 404);
}

#[tokio::test]
async fn kinds_answer_with_the_object_or_with_a_status() {
    let server = Server::new();
    let mut kinds = Vec::new();
    for (kind, path) in [
        ("Pod", "/api/v1/namespaces/n/pods/a"),
        ("Job", "/apis/batch/v1/namespaces/n/jobs/a"),
        ("ConfigMap", "/api/v1/namespaces/n/configmaps/a"),
        (
            "PersistentVolumeClaim",
            "/api/v1/namespaces/n/persistentvolumeclaims/a",
        ),
    ] {
        server.add(json!({"kind": kind, "metadata": {"name": "a", "namespace": "n"}}));
        let (_, answer) = delete(&server, path, json!({"propagationPolicy": "Background"})).await;
        kinds.push(answer["kind"].as_str().unwrap().to_owned());
    }
    assert_eq!(kinds, ["Pod", "Status", "Status", "PersistentVolumeClaim"]);
}
