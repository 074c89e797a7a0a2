//! What the other tests rely on: the server is the release that it should be, and behaves like a cluster.

use anyhow::{Result, ensure};
use http::{Request, StatusCode};
use libtest_mimic::Trial;
use serde_json::{Value, json};
use testbed::cluster::{Cluster, Objects};
use testbed::control_plane::Options;

use crate::case::Case;
use crate::harness::{emulated_version, ready_made, trial_alone, trials};

pub(crate) fn trials() -> Vec<Trial> {
    let older = Options {
        apiserver_arguments: vec!["--emulated-version=kube=1.34".to_owned()],
    };
    let mut trials = trials![
        a_job_past_its_deadline_fails_for_that_reason,
        a_deleted_pod_on_a_lost_node_stays_terminating,
        a_job_deleted_in_the_background_takes_its_pods_with_it,
        an_unmounted_claim_goes_once_deleted,
        a_user_with_a_narrow_role_is_refused_elsewhere,
        kubectl_reads_the_namespace_of_the_test,
        kubectl_finds_the_plugin,
        each_flag_that_kubectl_options_lists_is_known,
        kubectl_in_a_terminal_writes_to_the_screen,
    ];
    if !ready_made() {
        trials.extend(trials![
            the_server_and_kubectl_are_1_37_2,
            the_server_behaves_as_the_release_that_was_asked_for,
        ]);
    }
    trials.push(trial_alone(
        "control_plane::server::the_server_can_behave_as_an_older_one",
        older,
        the_server_can_behave_as_1_34,
    ));
    trials
}

async fn version(case: &Case) -> Result<Value> {
    let answer = case
        .cluster
        .send(Request::get("/version").body(Vec::new())?)
        .await?;
    ensure!(answer.status() == StatusCode::OK, "{answer:?}");
    Ok(serde_json::from_slice(answer.body())?)
}

async fn the_server_and_kubectl_are_1_37_2(case: &Case) -> Result<()> {
    let version = version(case).await?;
    assert_eq!(version["gitVersion"], "v1.37.2", "{version:#}");
    assert_eq!(
        (&version["major"], &version["minor"]),
        (&json!("1"), &json!("37")),
        "{version:#}"
    );
    let seen = case.kubectl(&["version"])?;
    assert!(
        seen.stdout.contains("Client Version: v1.37.2\n"),
        "{seen:?}"
    );
    assert!(
        seen.stdout.contains("Server Version: v1.37.2\n"),
        "{seen:?}"
    );
    Ok(())
}

async fn the_server_behaves_as_the_release_that_was_asked_for(case: &Case) -> Result<()> {
    let version = version(case).await?;
    let number = |major: &str, minor: &str| {
        [major, minor]
            .map(|key| version[key].as_str().unwrap_or_default())
            .join(".")
    };
    let asked = emulated_version().unwrap_or_else(|| number("major", "minor"));
    assert_eq!(number("emulationMajor", "emulationMinor"), asked);
    Ok(())
}

async fn the_server_can_behave_as_1_34(case: &Case) -> Result<()> {
    let version = version(case).await?;
    assert_eq!(version["emulationMinor"], "34", "{version:#}");
    Ok(())
}

async fn a_job_past_its_deadline_fails_for_that_reason(case: &Case) -> Result<()> {
    case.cluster.create(job(case, "late", &json!(1))).await?;
    let failed = |job: &Value| condition(job, "Failed") == Some("DeadlineExceeded");
    case.cluster
        .await_object("Job", &case.namespace, "late", failed)
        .await?;
    Ok(())
}

async fn a_deleted_pod_on_a_lost_node_stays_terminating(case: &Case) -> Result<()> {
    let mut pod = pod(case, "lost");
    pod["spec"]["nodeName"] = json!("gone");
    pod["status"] = json!({ "phase": "Running" });
    case.cluster.create(pod).await?;
    case.cluster.delete("Pod", &case.namespace, "lost").await?;
    let lost = case.cluster.get("Pod", &case.namespace, "lost").await?;
    assert!(
        lost["metadata"]["deletionTimestamp"].is_string(),
        "{lost:#}"
    );
    assert_eq!(lost["status"]["phase"], "Running", "{lost:#}");
    Ok(())
}

async fn a_job_deleted_in_the_background_takes_its_pods_with_it(case: &Case) -> Result<()> {
    case.cluster
        .create(job(case, "parent", &Value::Null))
        .await?;
    let active = |job: &Value| job["status"]["active"] == 1;
    case.cluster
        .await_object("Job", &case.namespace, "parent", active)
        .await?;
    let pods = case.cluster.list("Pod", &case.namespace).await?;
    let [pod] = pods.as_slice() else {
        panic!("one pod of the Job, not {pods:#?}")
    };
    let deleted = case.kubectl(&["delete", "job", "parent", "--cascade=background"])?;
    assert_eq!(deleted.code, Some(0), "{deleted:?}");
    let name = pod["metadata"]["name"].as_str().unwrap_or_default();
    case.cluster.await_gone("Pod", &case.namespace, name).await
}

async fn an_unmounted_claim_goes_once_deleted(case: &Case) -> Result<()> {
    let claim = json!({
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": { "name": "workspace", "namespace": case.namespace },
        "spec": { "accessModes": ["ReadWriteOnce"], "resources": { "requests": { "storage": "1Gi" } } },
    });
    let created = case.cluster.create(claim).await?;
    assert_eq!(
        created["metadata"]["finalizers"],
        json!(["kubernetes.io/pvc-protection"])
    );
    case.cluster
        .delete("PersistentVolumeClaim", &case.namespace, "workspace")
        .await?;
    case.cluster
        .await_gone("PersistentVolumeClaim", &case.namespace, "workspace")
        .await
}

async fn a_user_with_a_narrow_role_is_refused_elsewhere(case: &Case) -> Result<()> {
    let rules = json!([{ "apiGroups": [""], "resources": ["pods"], "verbs": ["list"] }]);
    case.become_user(&case.cluster.user(&case.namespace, rules).await?)?;
    let allowed = case.kubectl(&["get", "pods"])?;
    assert_eq!(allowed.code, Some(0), "{allowed:?}");
    for refused in [
        ["get", "configmaps", "--namespace", &case.namespace],
        ["get", "pods", "--namespace", "default"],
    ] {
        let refused = case.kubectl(&refused)?;
        assert_eq!(refused.code, Some(1), "{refused:?}");
        assert!(
            refused.stderr.starts_with("Error from server (Forbidden)"),
            "{refused:?}"
        );
    }
    Ok(())
}

async fn kubectl_reads_the_namespace_of_the_test(case: &Case) -> Result<()> {
    case.cluster.create(pod(case, "alone")).await?;
    let listed = case.kubectl(&["get", "pods", "--output", "name"])?;
    assert_eq!(
        (listed.code, listed.stdout.as_str()),
        (Some(0), "pod/alone\n"),
        "{listed:?}"
    );
    Ok(())
}

async fn kubectl_finds_the_plugin(case: &Case) -> Result<()> {
    let plugins = case.kubectl(&["plugin", "list", "--name-only"])?;
    assert!(
        plugins
            .stdout
            .lines()
            .any(|line| line == "kubectl-ironflow-reap"),
        "{plugins:?}"
    );
    Ok(())
}

async fn each_flag_that_kubectl_options_lists_is_known(case: &Case) -> Result<()> {
    let options = case.kubectl(&["options"])?.stdout;
    // `    -s, --server='':`
    let flags = options.lines().filter_map(|line| {
        let (_, flag) = line.strip_suffix(':')?.split_once("--")?;
        flag.split_once('=')
    });
    let mut known = 0;
    for (name, default) in flags {
        let value = match default.trim_matches(['\'', '[', ']']) {
            "" => "a=b",
            value => value,
        };
        let flag = format!("--{name}={value}");
        // By itself: kubectl acts on some of them before it starts a plugin.
        let help = case.shell(&format!("kubectl-ironflow-reap '{flag}' --help"))?;
        assert_eq!(help.code, Some(0), "{flag}: {help}");
        known += 1;
    }
    assert!(known > 25, "{options}");
    Ok(())
}

async fn kubectl_in_a_terminal_writes_to_the_screen(case: &Case) -> Result<()> {
    case.cluster.create(pod(case, "seen")).await?;
    let mut terminal = case.kubectl_in_terminal(&["delete", "pod", "seen", "--interactive"])?;
    terminal.wait_for("Do you want to continue? (y/N): ")?;
    terminal.type_text("n\r")?;
    let finished = terminal.finish()?;
    assert_eq!(
        (finished.code, finished.signal.as_deref()),
        (0, None),
        "{finished:?}"
    );
    case.cluster.get("Pod", &case.namespace, "seen").await?;
    Ok(())
}

fn pod(case: &Case, name: &str) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": { "name": name, "namespace": case.namespace },
        "spec": spec(),
    })
}

fn job(case: &Case, name: &str, deadline: &Value) -> Value {
    json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": { "name": name, "namespace": case.namespace },
        "spec": { "activeDeadlineSeconds": deadline, "template": { "spec": spec() } },
    })
}

fn spec() -> Value {
    json!({ "restartPolicy": "Never", "containers": [{ "name": "agent", "image": "agent" }] })
}

/// The reason of a condition that holds.
fn condition<'a>(job: &'a Value, kind: &str) -> Option<&'a str> {
    let conditions = job["status"]["conditions"].as_array()?;
    let holds = conditions
        .iter()
        .find(|condition| condition["type"] == kind && condition["status"] == "True");
    holds?["reason"].as_str()
}
