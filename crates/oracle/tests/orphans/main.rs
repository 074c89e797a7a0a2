//! The plugin against what the real engine leaves on a real control plane when its workers are killed.

mod scene;
mod worker;

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use testbed::cluster::Objects;

use crate::scene::{Scene, await_expiry, expires_at, name, named, until};

/// Long enough for all workers of a test to start and die before anything expires.
const SHORT: &str = "20";
const LONG: &str = "3600";

/// `Kind/name component run root step reason`, `names` replaced, of the items that go, or of those that stay.
fn items(document: &Value, verdict: &str, names: &[(&str, &str)]) -> Vec<String> {
    let items = document["items"].as_array().into_iter().flatten();
    let chosen = items.filter(|item| item["verdict"] == verdict);
    chosen
        .map(|item| {
            let text = |key: &str| item[key].as_str().unwrap_or("-").to_owned();
            let mut name = text("name");
            for (from, to) in names {
                name = name.replace(from, to);
            }
            let marks = ["component", "runId", "rootRunId", "step", "reason"].map(text);
            format!("{}/{name} {}", text("kind"), marks.join(" "))
        })
        .collect()
}

fn is_agent(pod: &Value) -> bool {
    name(pod).starts_with("claude-code-")
        && !pod["metadata"]["annotations"]["ironflow.io/expires-at"].is_null()
}

fn is_environment(claim: &Value) -> bool {
    name(claim).starts_with("ironflow-env-")
}

#[tokio::test]
async fn the_dead_workers_orphans_go_when_they_expire_and_the_living_stay() -> Result<()> {
    let scene = Scene::new().await?;
    let mut dying = [
        scene.work("agent", &[SHORT])?,
        scene.work("pod-run", &[SHORT, "tests"])?,
        scene.work("job-run", &[SHORT, "migrate"])?,
        scene.work("persistent", &["claude-code-worker"])?,
    ];
    let _living = scene.work("pod-run", &[LONG, "alive"])?;
    let agent = scene.await_found("Pod", is_agent).await?;
    let claim = scene
        .await_found("PersistentVolumeClaim", is_environment)
        .await?;
    let prompt = format!("{}-prompt", name(&agent));
    let orphans = [
        agent.clone(),
        claim.clone(),
        scene.await_found("ConfigMap", named(&prompt)).await?,
        scene.await_found("Pod", named("tests")).await?,
        scene.await_found("Job", named("migrate")).await?,
    ];
    let of_job = |pod: &Value| name(pod).starts_with("migrate-");
    let job_pod = scene.await_found("Pod", of_job).await?;
    scene
        .await_found("Pod", named("claude-code-worker"))
        .await?;
    scene.await_found("Pod", named("alive")).await?;
    dying.iter_mut().try_for_each(worker::Worker::kill)?;
    let expiries: Vec<u64> = orphans.iter().map(expires_at).collect::<Result<_>>()?;

    let early = scene.reap(&["all,pvc", "--dry-run"])?;
    ensure!(
        expiries.iter().all(|expiry| !until(*expiry).is_zero()),
        "too slow: something expired before it was looked for"
    );
    assert_eq!(items(&early, "Reap", &[]), [""; 0]);
    let (again, said) = scene.work("pod-run", &[SHORT, "tests"])?.finish()?;
    assert!(!again.success() && said.contains("AlreadyExists"), "{said}");

    await_expiry(expiries.into_iter().max().unwrap_or_default()).await;
    let names = [
        (name(&agent), "AGENT"),
        (name(&claim), "CLAIM"),
        (name(&job_pod), "migrate-POD"),
    ];
    let listed = scene.reap(&["all,pvc", "--dry-run", "--show-kept"])?;
    assert_eq!(
        items(&listed, "Reap", &names),
        [
            "Job/migrate job-run run-7 root-1 build Expired",
            "Pod/AGENT claude-runner run-7 root-1 build Expired",
            "Pod/tests pod-run run-7 root-1 build Expired",
            "ConfigMap/AGENT-prompt prompt-data run-7 root-1 build Expired",
        ]
    );
    assert_eq!(
        items(&listed, "Keep", &names),
        [
            "Pod/alive pod-run run-7 root-1 build NotExpired",
            "Pod/claude-code-worker claude-runner - - - NoExpiry",
            "Pod/migrate-POD job-run run-7 root-1 build ControlledByJob",
            "PersistentVolumeClaim/CLAIM environment run-7 root-1 build InUse",
        ]
    );

    let reaped = scene.reap(&["--yes", "--wait"])?;
    assert_eq!(reaped["summary"]["deleted"], 4, "{reaped:#}");
    let environment = format!("PersistentVolumeClaim/{}", name(&claim));
    let living = ["Pod/alive", "Pod/claude-code-worker"];
    assert_eq!(
        scene.objects().await?,
        [&living[..], &[&environment]].concat()
    );

    let named_one = scene.reap(&["pvc", "--yes", "--wait"])?;
    assert_eq!(
        items(&named_one, "Reap", &names),
        ["PersistentVolumeClaim/CLAIM environment run-7 root-1 build Expired"]
    );
    assert_eq!(scene.objects().await?, living);

    let mut next = scene.work("pod-run", &[LONG, "tests"])?;
    scene.await_found("Pod", named("tests")).await?;
    let status = json!({ "phase": "Succeeded" });
    scene
        .cluster
        .patch_status("Pod", &scene.namespace, "tests", status)
        .await?;
    let (ended, said) = next.finish()?;
    assert!(ended.success(), "{said}");
    Ok(())
}

#[tokio::test]
async fn a_job_past_its_deadline_is_an_orphan_long_before_its_expiry() -> Result<()> {
    let scene = Scene::new().await?;
    let mut worker = scene.work("job-run", &[LONG, "late", "1"])?;
    // The worker would clean up as soon as it sees the Job fail.
    scene.await_found("Job", named("late")).await?;
    worker.kill()?;
    let failed = |job: &Value| {
        let conditions = job["status"]["conditions"].as_array();
        conditions.is_some_and(|all| all.iter().any(|condition| condition["type"] == "Failed"))
    };
    let cluster = scene.cluster;
    cluster
        .await_object("Job", &scene.namespace, "late", failed)
        .await?;
    let reaped = scene.reap(&["--yes", "--wait"])?;
    assert_eq!(
        items(&reaped, "Reap", &[]),
        ["Job/late job-run run-7 root-1 build DeadlineExceeded"]
    );
    assert_eq!(reaped["summary"]["deleted"], 1, "{reaped:#}");
    cluster.await_gone("Job", &scene.namespace, "late").await
}

#[tokio::test]
async fn a_worker_that_resumes_its_environment_while_the_question_waits_keeps_it() -> Result<()> {
    let scene = Scene::new().await?;
    let mut dead = scene.work("agent", &[SHORT])?;
    scene.await_found("Pod", is_agent).await?;
    dead.kill()?;
    let claim = scene
        .await_found("PersistentVolumeClaim", is_environment)
        .await?;
    await_expiry(expires_at(&claim)?).await;
    scene.reap(&["--yes", "--wait"])?;

    let mut terminal = scene.reap_until_question(&["pvc"])?;
    let _living = scene.work("agent", &[LONG, name(&claim)])?;
    scene.await_found("Pod", is_agent).await?;
    terminal.type_text("y\r")?;
    let finished = terminal.finish()?;

    assert_eq!(finished.code, 0, "{}", finished.output);
    let kept = format!(
        "\"{}\" kept in {} namespace: a pod mounts it now",
        name(&claim),
        scene.namespace
    );
    assert!(finished.output.contains(&kept), "{}", finished.output);
    let now = scene
        .cluster
        .get("PersistentVolumeClaim", &scene.namespace, name(&claim))
        .await?;
    assert_eq!(now["metadata"]["uid"], claim["metadata"]["uid"]);
    assert!(now["metadata"]["deletionTimestamp"].is_null(), "{now:#}");
    assert!(expires_at(&now)? > expires_at(&claim)?);
    Ok(())
}
