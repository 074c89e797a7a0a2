//! What follows a deletion: pods of a Job, and claims.

use serde_json::json;

use super::*;
use crate::memory::Server;
use crate::memory::asking::{add_pod, delete};

const JOB: &str = "/apis/batch/v1/namespaces/n/jobs/j";

fn job_with_pods(server: &Server) {
    let job = server.add(json!({"kind": "Job", "metadata": {"name": "j", "namespace": "n"}}));
    let owner = json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "name": "j",
        "uid": job["metadata"]["uid"],
        "controller": true,
    });
    let metadata = json!({"ownerReferences": [owner], "finalizers": [JOB_TRACKING]});
    add_pod(server, "pending", &json!({"metadata": metadata}));
    add_pod(
        server,
        "running",
        &json!({"metadata": metadata, "spec": {"nodeName": "node"}}),
    );
}

async fn propagate(policy: Option<&str>) -> Server {
    let server = Server::new();
    job_with_pods(&server);
    assert_eq!(
        delete(&server, JOB, json!({"propagationPolicy": policy}))
            .await
            .0,
        200
    );
    server
}

#[tokio::test]
async fn in_the_background_the_job_goes_at_once_and_its_pods_follow() {
    let server = propagate(Some("Background")).await;
    assert!(server.names(Resource::Jobs).is_empty());
    assert_eq!(server.names(Resource::Pods), ["n/running"]);
    let pod = server.object(Resource::Pods, "n", "running").unwrap();
    assert_eq!(pod["metadata"]["deletionGracePeriodSeconds"], 30);
}

#[tokio::test]
async fn pods_are_left_behind_when_nothing_else_is_asked_for() {
    for policy in [None, Some("Orphan")] {
        let server = propagate(policy).await;
        assert!(server.names(Resource::Jobs).is_empty());
        assert_eq!(server.names(Resource::Pods), ["n/pending", "n/running"]);
        let pod = server.object(Resource::Pods, "n", "pending").unwrap();
        assert_eq!(pod["metadata"]["ownerReferences"], Value::Null);
    }
}

#[tokio::test]
async fn in_the_foreground_the_job_waits_for_its_pods() {
    let server = propagate(Some("Foreground")).await;
    let job = server.object(Resource::Jobs, "n", "j").unwrap();
    assert_eq!(job["metadata"]["finalizers"], json!([FOREGROUND]));
    assert_eq!(server.names(Resource::Pods), ["n/running"]);
    server.remove(Resource::Pods, "n", "running");
    assert!(server.names(Resource::Jobs).is_empty());
}

#[tokio::test]
async fn a_claim_waits_for_the_pod_that_mounts_it() {
    let server = Server::new();
    let metadata = json!({"name": "c", "namespace": "n", "finalizers": [CLAIM_PROTECTION]});
    server.add(json!({"kind": "PersistentVolumeClaim", "metadata": metadata}));
    let volumes = json!([{"persistentVolumeClaim": {"claimName": "c"}}]);
    add_pod(
        &server,
        "a",
        &json!({"spec": {"nodeName": "node", "volumes": volumes}}),
    );
    delete(
        &server,
        "/api/v1/namespaces/n/persistentvolumeclaims/c",
        json!({}),
    )
    .await;
    assert_eq!(server.names(Resource::Claims), ["n/c"]);
    server.remove(Resource::Pods, "n", "a");
    assert!(server.names(Resource::Claims).is_empty());
}
