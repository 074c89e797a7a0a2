//! What others do to an orphan while the question waits decides whether it still goes.

use anyhow::Result;
use libtest_mimic::Trial;
use serde_json::{Value, json};
use testbed::cluster::Objects;
use testbed::objects::{config_map, pod};

use crate::case::{Case, Finished};
use crate::harness::trials;
use crate::leftovers::{orphan, suspended};

pub(crate) fn trials() -> Vec<Trial> {
    trials![
        a_renewed_pod_survives,
        a_renewed_job_and_a_renewed_configmap_survive,
        a_pod_recreated_under_the_same_name_survives,
        a_pod_that_was_touched_without_meaning_goes,
        a_pod_that_began_to_run_goes,
        a_pod_that_somebody_else_deleted_is_already_gone,
        a_pod_that_somebody_else_is_deleting_is_left_to_them,
        a_pod_that_lost_its_label_survives,
        a_pod_that_lost_its_expiry_survives,
        a_pod_that_a_job_took_over_survives,
        a_pod_that_went_to_another_run_survives,
        an_orphan_that_appears_after_the_question_is_left_alone,
    ]
}

const IN_2100: &str = "4102444800";

/// Says yes to the deletion of the orphaned pod `agent` after it was changed, and returns what the question was followed by.
async fn after_question(
    case: &Case,
    arguments: &[&str],
    change: impl AsyncFnOnce() -> Result<()>,
) -> Result<Finished> {
    let terminal = case.reap_until_question(arguments)?;
    change().await?;
    let mut finished = case.answer(terminal, "y\r")?;
    let end = finished.stdout.find("[y/N] ").unwrap_or_default();
    finished.stdout.drain(..end);
    Ok(finished)
}

/// Merges a change into the pod.
async fn patch_pod(case: &Case, change: Value) -> Result<()> {
    patch(case, "Pod", "agent", change).await
}

async fn patch(case: &Case, kind: &str, name: &str, patch: Value) -> Result<()> {
    case.cluster
        .patch(kind, &case.namespace, name, patch)
        .await
        .map(drop)
}

fn annotation(key: &str, value: impl Into<Value>) -> Value {
    json!({ "metadata": { "annotations": { key: value.into() } } })
}

fn label(key: &str, value: impl Into<Value>) -> Value {
    json!({ "metadata": { "labels": { key: value.into() } } })
}

/// Whether the object of that name still is the one that was created as `created`.
async fn assert_survived(case: &Case, created: &Value) -> Result<()> {
    let name = created["metadata"]["name"].as_str().unwrap_or_default();
    let kind = created["kind"].as_str().unwrap_or_default();
    let now = case.cluster.get(kind, &case.namespace, name).await?;
    assert_eq!(now["metadata"]["uid"], created["metadata"]["uid"]);
    assert_eq!(
        now["metadata"]["deletionTimestamp"],
        created["metadata"]["deletionTimestamp"]
    );
    Ok(())
}

async fn a_renewed_pod_survives(case: &Case) -> Result<()> {
    let created = case.create(orphan(case, pod("agent"))).await?;
    let finished = after_question(case, &[], async || {
        patch_pod(case, annotation("ironflow.io/expires-at", IN_2100)).await
    });
    insta::assert_snapshot!(finished.await?, @r#"
    exit code: 0
    ----- stdout -----
    [y/N] y
    pod "agent" kept in NAMESPACE namespace: expiry moved to 2100-01-01T00:00:00Z
    1 kept
    ----- stderr -----
    "#);
    assert_survived(case, &created).await
}

async fn a_renewed_job_and_a_renewed_configmap_survive(case: &Case) -> Result<()> {
    let job = case.create(orphan(case, suspended("migrate"))).await?;
    let config_map = case.create(orphan(case, config_map("prompt"))).await?;
    let finished = after_question(case, &["--concurrency=1"], async || {
        let renewal = annotation("ironflow.io/expires-at", IN_2100);
        patch(case, "Job", "migrate", renewal.clone()).await?;
        patch(case, "ConfigMap", "prompt", renewal).await
    });
    insta::assert_snapshot!(finished.await?, @r#"
    exit code: 0
    ----- stdout -----
    [y/N] y
    job.batch "migrate" kept in NAMESPACE namespace: expiry moved to 2100-01-01T00:00:00Z
    configmap "prompt" kept in NAMESPACE namespace: expiry moved to 2100-01-01T00:00:00Z
    2 kept
    ----- stderr -----
    "#);
    assert_survived(case, &job).await?;
    assert_survived(case, &config_map).await
}

async fn a_pod_recreated_under_the_same_name_survives(case: &Case) -> Result<()> {
    case.create(orphan(case, pod("agent"))).await?;
    let mut second = Value::Null;
    let finished = after_question(case, &[], async || {
        case.cluster.delete("Pod", &case.namespace, "agent").await?;
        case.cluster
            .await_gone("Pod", &case.namespace, "agent")
            .await?;
        second = case.create(orphan(case, pod("agent"))).await?;
        Ok(())
    });
    insta::assert_snapshot!(finished.await?, @r#"
    exit code: 0
    ----- stdout -----
    [y/N] y
    pod "agent" kept in NAMESPACE namespace: another object has its name now
    1 kept
    ----- stderr -----
    "#);
    assert_survived(case, &second).await
}

async fn a_pod_that_was_touched_without_meaning_goes(case: &Case) -> Result<()> {
    case.create(orphan(case, pod("agent"))).await?;
    let finished = after_question(case, &[], async || {
        patch_pod(case, label("seen-by", "somebody")).await?;
        patch_pod(case, annotation("seen-at", "noon")).await
    });
    insta::assert_snapshot!(finished.await?, @r#"
    exit code: 0
    ----- stdout -----
    [y/N] y
    pod "agent" deleted from NAMESPACE namespace
    1 deleted
    ----- stderr -----
    "#);
    case.cluster
        .await_gone("Pod", &case.namespace, "agent")
        .await
}

async fn a_pod_that_began_to_run_goes(case: &Case) -> Result<()> {
    case.create(orphan(case, pod("agent"))).await?;
    let finished = after_question(case, &[], async || {
        let running = json!({ "phase": "Running" });
        let patched = case
            .cluster
            .patch_status("Pod", &case.namespace, "agent", running);
        patched.await.map(drop)
    });
    insta::assert_snapshot!(finished.await?, @r#"
    exit code: 0
    ----- stdout -----
    [y/N] y
    pod "agent" deleted from NAMESPACE namespace
    1 deleted
    ----- stderr -----
    "#);
    case.cluster
        .await_gone("Pod", &case.namespace, "agent")
        .await
}

async fn a_pod_that_somebody_else_deleted_is_already_gone(case: &Case) -> Result<()> {
    case.create(orphan(case, pod("agent"))).await?;
    let finished = after_question(case, &[], async || {
        case.cluster.delete("Pod", &case.namespace, "agent").await?;
        case.cluster
            .await_gone("Pod", &case.namespace, "agent")
            .await
    });
    insta::assert_snapshot!(finished.await?, @r#"
    exit code: 0
    ----- stdout -----
    [y/N] y
    pod "agent" already gone from NAMESPACE namespace
    1 already gone
    ----- stderr -----
    "#);
    Ok(())
}

async fn a_pod_that_somebody_else_is_deleting_is_left_to_them(case: &Case) -> Result<()> {
    case.create(orphan(case, pod("agent").on_node("lost")))
        .await?;
    let mut terminating = Value::Null;
    let finished = after_question(case, &[], async || {
        case.cluster.delete("Pod", &case.namespace, "agent").await?;
        terminating = case.cluster.get("Pod", &case.namespace, "agent").await?;
        Ok(())
    });
    insta::assert_snapshot!(finished.await?, @r#"
    exit code: 0
    ----- stdout -----
    [y/N] y
    pod "agent" kept in NAMESPACE namespace: somebody else is deleting it
    1 kept
    ----- stderr -----
    "#);
    assert!(
        terminating["metadata"]["deletionTimestamp"].is_string(),
        "{terminating:#}"
    );
    assert_survived(case, &terminating).await
}

async fn a_pod_that_lost_its_label_survives(case: &Case) -> Result<()> {
    let created = case.create(orphan(case, pod("agent"))).await?;
    let finished = after_question(case, &[], async || {
        patch_pod(case, label("app.kubernetes.io/managed-by", Value::Null)).await
    });
    insta::assert_snapshot!(finished.await?, @r#"
    exit code: 0
    ----- stdout -----
    [y/N] y
    pod "agent" kept in NAMESPACE namespace: it no longer bears ironflow's labels
    1 kept
    ----- stderr -----
    "#);
    assert_survived(case, &created).await
}

async fn a_pod_that_lost_its_expiry_survives(case: &Case) -> Result<()> {
    let created = case.create(orphan(case, pod("agent"))).await?;
    let finished = after_question(case, &[], async || {
        patch_pod(case, annotation("ironflow.io/expires-at", Value::Null)).await
    });
    insta::assert_snapshot!(finished.await?, @r#"
    exit code: 0
    ----- stdout -----
    [y/N] y
    pod "agent" kept in NAMESPACE namespace: it has no expiry any more
    1 kept
    ----- stderr -----
    "#);
    assert_survived(case, &created).await
}

async fn a_pod_that_a_job_took_over_survives(case: &Case) -> Result<()> {
    let job = suspended("owner").label("app.kubernetes.io/managed-by", "helm");
    let job = case.create(job).await?;
    let created = case.create(orphan(case, pod("agent"))).await?;
    let finished = after_question(case, &[], async || {
        let controller = json!({
            "apiVersion": "batch/v1", "kind": "Job", "name": "owner", "uid": job["metadata"]["uid"], "controller": true,
        });
        let taken_over = json!({ "metadata": { "ownerReferences": [controller] } });
        patch_pod(case, taken_over).await
    });
    insta::assert_snapshot!(finished.await?, @r#"
    exit code: 0
    ----- stdout -----
    [y/N] y
    pod "agent" kept in NAMESPACE namespace: a Job controls it now
    1 kept
    ----- stderr -----
    "#);
    assert_survived(case, &created).await
}

async fn a_pod_that_went_to_another_run_survives(case: &Case) -> Result<()> {
    let created = case.create(orphan(case, pod("agent").run("one"))).await?;
    let finished = after_question(case, &["--run=one"], async || {
        patch_pod(case, label("ironflow.io/run-id", "two")).await
    });
    insta::assert_snapshot!(finished.await?, @r#"
    exit code: 0
    ----- stdout -----
    [y/N] y
    pod "agent" kept in NAMESPACE namespace: the flags no longer select it
    1 kept
    ----- stderr -----
    "#);
    assert_survived(case, &created).await
}

async fn an_orphan_that_appears_after_the_question_is_left_alone(case: &Case) -> Result<()> {
    case.create(orphan(case, pod("agent"))).await?;
    let mut second = Value::Null;
    let finished = after_question(case, &[], async || {
        second = case.create(orphan(case, pod("second"))).await?;
        Ok(())
    });
    insta::assert_snapshot!(finished.await?, @r#"
    exit code: 0
    ----- stdout -----
    [y/N] y
    pod "agent" deleted from NAMESPACE namespace
    1 deleted
    ----- stderr -----
    "#);
    assert_survived(case, &second).await
}
