//! What a deletion comes to where controllers and finalizers have their say.

use anyhow::{Context, Result};
use libtest_mimic::Trial;
use serde_json::{Value, json};
use testbed::cluster::Objects;
use testbed::objects::{ObjectBuilder, claim, config_map, job, pod};

use crate::case::Case;
use crate::harness::trials;
use crate::leftovers::orphan;

pub(crate) fn trials() -> Vec<Trial> {
    trials![
        a_job_past_its_deadline_goes,
        an_expired_job_goes_with_its_pods,
        a_pod_that_is_stuck_terminating_is_left_alone,
        a_pod_on_a_lost_node_counts_as_deleted_once,
        a_finalizer_that_holds_what_was_deleted_is_named,
        claims_go_only_when_they_are_named,
        a_mounted_claim_stays_and_an_unmounted_one_goes,
        a_claim_that_was_mounted_after_the_question_survives,
    ]
}

/// Gives the pods of a Job ironflow's label, as the engine does.
fn with_labelled_pods(job: ObjectBuilder) -> ObjectBuilder {
    job.without("/status").set(
        "/spec/template/metadata/labels",
        json!({ "app.kubernetes.io/managed-by": "ironflow", "app.kubernetes.io/component": "job-run" }),
    )
}

/// Returns the name of the one pod in the namespace.
async fn only_pod(case: &Case) -> Result<String> {
    let pods = case.cluster.list("Pod", &case.namespace).await?;
    assert_eq!(pods.len(), 1, "{pods:#?}");
    Ok(pods[0]["metadata"]["name"]
        .as_str()
        .context("a name")?
        .to_owned())
}

async fn a_job_past_its_deadline_goes(case: &Case) -> Result<()> {
    let late = with_labelled_pods(job("migrate")).set("/spec/activeDeadlineSeconds", json!(1));
    case.create(late).await?;
    let failed = |job: &Value| {
        let mut conditions = job["status"]["conditions"].as_array().into_iter().flatten();
        conditions.any(|condition| condition["type"] == "Failed" && condition["status"] == "True")
    };
    case.cluster
        .await_object("Job", &case.namespace, "migrate", failed)
        .await?;
    insta::assert_snapshot!(case.reap(&["--yes"])?, @r#"
    exit code: 0
    ----- stdout -----
    NAME                STATUS   REASON             OVERDUE   AGE
    job.batch/migrate   Failed   DeadlineExceeded   -         ~
    job.batch "migrate" deleted from NAMESPACE namespace
    ----- stderr -----
    1 deleted
    "#);
    case.cluster
        .await_gone("Job", &case.namespace, "migrate")
        .await?;
    assert_eq!(
        case.cluster.list("Pod", &case.namespace).await?,
        Vec::<Value>::new()
    );
    Ok(())
}

async fn an_expired_job_goes_with_its_pods(case: &Case) -> Result<()> {
    case.create(orphan(case, with_labelled_pods(job("migrate"))))
        .await?;
    let active = |job: &Value| job["status"]["active"] == 1 && job["status"]["ready"] == 0;
    case.cluster
        .await_object("Job", &case.namespace, "migrate", active)
        .await?;
    let pod = only_pod(case).await?;
    let terminal = case.reap_until_question(&[])?;
    insta::assert_snapshot!(case.answer(terminal, "y\r")?, @r#"
    exit code: 0
    ----- stdout -----
    NAME                STATUS    REASON    OVERDUE   AGE
    job.batch/migrate   Running   Expired   ~         ~
    Delete 1 job with 1 active pod from namespace NAMESPACE in context control-plane (SERVER)? [y/N] y
    job.batch "migrate" deleted from NAMESPACE namespace
    1 deleted
    ----- stderr -----
    "#);
    case.cluster
        .await_gone("Job", &case.namespace, "migrate")
        .await?;
    case.cluster.await_gone("Pod", &case.namespace, &pod).await
}

async fn a_pod_that_is_stuck_terminating_is_left_alone(case: &Case) -> Result<()> {
    case.create(orphan(case, pod("agent").on_node("lost").running()))
        .await?;
    case.cluster.delete("Pod", &case.namespace, "agent").await?;
    let before = case.objects().await?;
    insta::assert_snapshot!(case.reap(&["--yes", "--show-kept"])?, @"
    exit code: 0
    ----- stdout -----
    NAME        STATUS        REASON        OVERDUE   AGE
    pod/agent   Terminating   Terminating   ~         ~
    ----- stderr -----
    No orphans found in NAMESPACE namespace.
    1 object checked: 1 terminating
    ");
    assert_eq!(case.objects().await?, before);
    Ok(())
}

async fn a_pod_on_a_lost_node_counts_as_deleted_once(case: &Case) -> Result<()> {
    case.create(orphan(case, pod("agent").on_node("lost").running()))
        .await?;
    insta::assert_snapshot!(case.reap(&["--yes"])?, @r#"
    exit code: 0
    ----- stdout -----
    NAME        STATUS    REASON    OVERDUE   AGE
    pod/agent   Running   Expired   ~         ~
    pod "agent" deleted from NAMESPACE namespace
    ----- stderr -----
    1 deleted
    "#);
    let terminating = case.cluster.get("Pod", &case.namespace, "agent").await?;
    assert!(
        terminating["metadata"]["deletionTimestamp"].is_string(),
        "{terminating:#}"
    );
    insta::assert_snapshot!(case.reap(&["--yes"])?, @"
    exit code: 0
    ----- stdout -----
    ----- stderr -----
    No orphans found in NAMESPACE namespace.
    1 object checked: 1 terminating
    ");
    Ok(())
}

async fn a_finalizer_that_holds_what_was_deleted_is_named(case: &Case) -> Result<()> {
    case.create(orphan(
        case,
        config_map("prompt").finalizer("example.com/audit"),
    ))
    .await?;
    case.create(orphan(case, pod("agent").finalizer("example.com/audit")))
        .await?;
    insta::assert_snapshot!(case.reap(&["--yes"])?, @r#"
    exit code: 0
    ----- stdout -----
    NAME               STATUS    REASON    OVERDUE   AGE
    pod/agent          Pending   Expired   ~         ~
    configmap/prompt   -         Expired   ~         ~
    pod "agent" deleted from NAMESPACE namespace
    configmap "prompt" deleted from NAMESPACE namespace
    ----- stderr -----
    Warning: pod/agent stays until its finalizer `example.com/audit` is removed
    Warning: configmap/prompt stays until its finalizer `example.com/audit` is removed
    2 deleted
    "#);
    let held = case.cluster.get("Pod", &case.namespace, "agent").await?;
    assert_eq!(held["metadata"]["finalizers"], json!(["example.com/audit"]));
    Ok(())
}

async fn claims_go_only_when_they_are_named(case: &Case) -> Result<()> {
    case.create(orphan(case, claim("workspace"))).await?;
    for arguments in [&["--yes"][..], &["all", "--yes"]] {
        let finished = case.reap(arguments)?;
        assert_eq!(
            finished.stderr, "No orphans found in NAMESPACE namespace.\n",
            "{finished}"
        );
    }
    insta::assert_snapshot!(case.reap(&["pvc", "--yes"])?, @r#"
    exit code: 0
    ----- stdout -----
    NAME                              STATUS   REASON    OVERDUE   AGE
    persistentvolumeclaim/workspace   -        Expired   ~         ~
    persistentvolumeclaim "workspace" deleted from NAMESPACE namespace
    ----- stderr -----
    Warning: persistentvolumeclaim/workspace goes when no pod mounts it any more
    1 deleted
    "#);
    case.cluster
        .await_gone("PersistentVolumeClaim", &case.namespace, "workspace")
        .await
}

async fn a_mounted_claim_stays_and_an_unmounted_one_goes(case: &Case) -> Result<()> {
    case.create(orphan(case, claim("mounted"))).await?;
    case.create(orphan(case, claim("free"))).await?;
    // That it is an orphan itself makes no difference.
    case.create(orphan(case, pod("agent").mounts("mounted")))
        .await?;
    insta::assert_snapshot!(case.reap(&["pvc", "--yes", "--show-kept"])?, @r#"
    exit code: 0
    ----- stdout -----
    NAME                            STATUS   REASON    OVERDUE   AGE
    persistentvolumeclaim/free      -        Expired   ~         ~
    persistentvolumeclaim/mounted   -        InUse     ~         ~
    persistentvolumeclaim "free" deleted from NAMESPACE namespace
    ----- stderr -----
    Warning: persistentvolumeclaim/free goes when no pod mounts it any more
    1 deleted
    "#);
    case.cluster
        .await_gone("PersistentVolumeClaim", &case.namespace, "free")
        .await?;
    let mounted = case
        .cluster
        .get("PersistentVolumeClaim", &case.namespace, "mounted")
        .await?;
    assert_eq!(mounted["metadata"]["deletionTimestamp"], Value::Null);
    case.cluster.get("Pod", &case.namespace, "agent").await?;
    Ok(())
}

async fn a_claim_that_was_mounted_after_the_question_survives(case: &Case) -> Result<()> {
    case.create(orphan(case, claim("workspace"))).await?;
    let terminal = case.reap_until_question(&["pvc"])?;
    case.create(pod("agent").mounts("workspace")).await?;
    // Being mounted changes nothing about a claim until somebody writes to it, as a controller does that binds it.
    let touched =
        json!({ "metadata": { "annotations": { "volume.kubernetes.io/selected-node": "a" } } });
    case.cluster
        .patch(
            "PersistentVolumeClaim",
            &case.namespace,
            "workspace",
            touched,
        )
        .await?;
    let finished = case.answer(terminal, "y\r")?;
    assert!(
        finished
            .stdout
            .contains("\"workspace\" kept in NAMESPACE namespace: a pod mounts it now\n"),
        "{finished}"
    );
    let claim = case
        .cluster
        .get("PersistentVolumeClaim", &case.namespace, "workspace")
        .await?;
    assert_eq!(claim["metadata"]["deletionTimestamp"], Value::Null);
    Ok(())
}
