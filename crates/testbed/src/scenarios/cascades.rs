//! What goes with an object: the pods of a Job, by each kind of propagation, and what claims wait for.

use anyhow::Result;
use serde_json::{Value, json};

use super::place::{Place, claim, config_map, job, pod, pod_on_node};
use super::{Scenario, scenarios};
use crate::cluster::Objects;

pub(super) fn scenarios() -> Vec<Scenario> {
    scenarios![
        in_the_background_the_job_goes_at_once_and_its_pods_follow,
        orphans_lose_their_owner,
        the_default_of_a_job_leaves_its_pods,
        in_the_foreground_the_job_waits_for_its_pods,
        an_unmounted_claim_goes,
        a_mounted_claim_waits_for_its_pod,
        an_object_goes_whose_owner_was_gone_before,
    ]
}

fn owner(uid: &Value) -> Value {
    json!([{
        "apiVersion": "batch/v1",
        "kind": "Job",
        "name": "j",
        "uid": uid,
        "controller": true,
        "blockOwnerDeletion": true,
    }])
}

/// A Job with a pod without a node and one on a node, which the garbage collector knows of.
async fn job_with_pods(place: &Place<'_>) -> Result<()> {
    let job = place.create(job(), "j", &[]).await?;
    let owners = owner(&job["metadata"]["uid"]);
    place
        .create(pod(), "pending", &[("ownerReferences", owners.clone())])
        .await?;
    place
        .create(pod_on_node(), "running", &[("ownerReferences", owners)])
        .await?;
    // The collector hears of pods in order, so that it knows those above when it takes this one.
    let nobody = owner(&json!("11111111-1111-1111-1111-111111111111"));
    place
        .create(pod(), "last", &[("ownerReferences", nobody)])
        .await?;
    place
        .cluster
        .await_gone("Pod", &place.namespace, "last")
        .await
}

async fn in_the_background_the_job_goes_at_once_and_its_pods_follow(
    place: &Place<'_>,
) -> Result<()> {
    job_with_pods(place).await?;
    assert_eq!(
        place
            .delete("Job", "j", json!({"propagationPolicy": "Background"}))
            .await?
            .code,
        200
    );
    assert_eq!(place.get("Job", "/j").await?.code, 404);
    place
        .cluster
        .await_gone("Pod", &place.namespace, "pending")
        .await?;
    let going = |pod: &Value| pod["metadata"]["deletionGracePeriodSeconds"] == 30;
    place
        .cluster
        .await_object("Pod", &place.namespace, "running", going)
        .await?;
    Ok(())
}

async fn orphans_lose_their_owner(place: &Place<'_>) -> Result<()> {
    leaves_its_pods(place, json!({"propagationPolicy": "Orphan"})).await
}

async fn the_default_of_a_job_leaves_its_pods(place: &Place<'_>) -> Result<()> {
    leaves_its_pods(place, json!({})).await
}

async fn leaves_its_pods(place: &Place<'_>, options: Value) -> Result<()> {
    job_with_pods(place).await?;
    let deleted = place.delete("Job", "j", options).await?;
    assert_eq!(
        (deleted.code, deleted.metadata("finalizers")),
        (200, &json!(["orphan"]))
    );
    place
        .cluster
        .await_gone("Job", &place.namespace, "j")
        .await?;
    for name in ["pending", "running"] {
        let pod = place.get("Pod", &format!("/{name}")).await?;
        assert_eq!(
            (pod.code, pod.metadata("ownerReferences")),
            (200, &Value::Null),
            "{name}"
        );
        assert_eq!(pod.metadata("deletionTimestamp"), &Value::Null);
    }
    Ok(())
}

async fn in_the_foreground_the_job_waits_for_its_pods(place: &Place<'_>) -> Result<()> {
    job_with_pods(place).await?;
    let deleted = place
        .delete("Job", "j", json!({"propagationPolicy": "Foreground"}))
        .await?;
    assert_eq!(
        (deleted.code, deleted.metadata("finalizers")),
        (200, &json!(["foregroundDeletion"]))
    );
    place
        .cluster
        .await_gone("Pod", &place.namespace, "pending")
        .await?;
    let waiting = place.get("Job", "/j").await?;
    assert_eq!(
        (waiting.code, waiting.metadata("deletionGracePeriodSeconds")),
        (200, &json!(0))
    );
    place
        .delete("Pod", "running", json!({"gracePeriodSeconds": 0}))
        .await?;
    place.cluster.await_gone("Job", &place.namespace, "j").await
}

async fn an_unmounted_claim_goes(place: &Place<'_>) -> Result<()> {
    place.create(claim(), "c", &[]).await?;
    let deleted = place
        .delete("PersistentVolumeClaim", "c", json!({}))
        .await?;
    let protection = json!(["kubernetes.io/pvc-protection"]);
    assert_eq!(
        (deleted.code, deleted.metadata("finalizers")),
        (200, &protection)
    );
    assert!(deleted.metadata("deletionTimestamp").is_string());
    place
        .cluster
        .await_gone("PersistentVolumeClaim", &place.namespace, "c")
        .await
}

async fn a_mounted_claim_waits_for_its_pod(place: &Place<'_>) -> Result<()> {
    place.create(claim(), "c", &[]).await?;
    let mut mounting = pod_on_node();
    mounting["spec"]["volumes"] =
        json!([{"name": "data", "persistentVolumeClaim": {"claimName": "c"}}]);
    place.create(mounting, "a", &[]).await?;
    place
        .delete("PersistentVolumeClaim", "c", json!({}))
        .await?;
    // Another claim that goes shows that the controller has had its turn.
    place.create(claim(), "d", &[]).await?;
    place
        .delete("PersistentVolumeClaim", "d", json!({}))
        .await?;
    place
        .cluster
        .await_gone("PersistentVolumeClaim", &place.namespace, "d")
        .await?;
    assert_eq!(place.get("PersistentVolumeClaim", "/c").await?.code, 200);
    place
        .delete("Pod", "a", json!({"gracePeriodSeconds": 0}))
        .await?;
    place
        .cluster
        .await_gone("PersistentVolumeClaim", &place.namespace, "c")
        .await
}

async fn an_object_goes_whose_owner_was_gone_before(place: &Place<'_>) -> Result<()> {
    let job = place.create(job(), "j", &[]).await?;
    place
        .delete("Job", "j", json!({"propagationPolicy": "Background"}))
        .await?;
    let owners = owner(&job["metadata"]["uid"]);
    place
        .create(config_map(), "late", &[("ownerReferences", owners)])
        .await?;
    place
        .cluster
        .await_gone("ConfigMap", &place.namespace, "late")
        .await
}
