//! What is shown, and that a dry run changes nothing.

use anyhow::Result;
use libtest_mimic::Trial;
use serde_json::{Value, json};
use testbed::cluster::Objects;

use crate::case::Case;
use crate::harness::trials;
use crate::leftovers::{ORPHANS, leave};

pub(crate) fn trials() -> Vec<Trial> {
    trials![
        a_dry_run_shows_what_would_go_and_changes_nothing,
        a_server_dry_run_asks_the_server_and_changes_nothing,
        a_dry_run_lists_names_for_other_programs,
        a_document_has_every_object_with_its_verdict,
        json_and_yaml_are_the_same_document,
        what_is_kept_is_shown_on_demand_with_the_reason,
        nothing_to_do_says_what_was_looked_at,
        an_empty_namespace_has_no_orphans,
    ]
}

async fn a_dry_run_shows_what_would_go_and_changes_nothing(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    insta::assert_snapshot!(case.reap(&["--dry-run"])?, @r#"
    exit code: 0
    ----- stdout -----
    NAME                     STATUS      REASON             OVERDUE   AGE
    job.batch/migrate        Suspended   Expired            ~         ~
    pod/agent                Pending     Expired            ~         ~
    pod/builder              Running     Expired            ~         ~
    pod/late                 Failed      DeadlineExceeded   -         ~
    configmap/agent-prompt   -           Expired            ~         ~
    ----- stderr -----
    Warning: pod/broken in NAMESPACE namespace: its expiry "soon" is not a number of seconds: kept
    5 would be deleted (dry run)
    "#);
    assert_eq!(case.objects().await?, before);
    Ok(())
}

async fn a_server_dry_run_asks_the_server_and_changes_nothing(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    insta::assert_snapshot!(case.reap(&["--dry-run=server", "--concurrency=1"])?, @r#"
    exit code: 0
    ----- stdout -----
    NAME                     STATUS      REASON             OVERDUE   AGE
    job.batch/migrate        Suspended   Expired            ~         ~
    pod/agent                Pending     Expired            ~         ~
    pod/builder              Running     Expired            ~         ~
    pod/late                 Failed      DeadlineExceeded   -         ~
    configmap/agent-prompt   -           Expired            ~         ~
    job.batch "migrate" deleted from NAMESPACE namespace (server dry run)
    pod "agent" deleted from NAMESPACE namespace (server dry run)
    pod "builder" deleted from NAMESPACE namespace (server dry run)
    pod "late" deleted from NAMESPACE namespace (server dry run)
    configmap "agent-prompt" deleted from NAMESPACE namespace (server dry run)
    ----- stderr -----
    Warning: pod/broken in NAMESPACE namespace: its expiry "soon" is not a number of seconds: kept
    5 would be deleted (server dry run)
    "#);
    assert_eq!(case.objects().await?, before);
    Ok(())
}

async fn a_dry_run_lists_names_for_other_programs(case: &Case) -> Result<()> {
    leave(case).await?;
    insta::assert_snapshot!(case.reap(&["--dry-run", "--output=name"])?, @r#"
    exit code: 0
    ----- stdout -----
    job.batch/migrate
    pod/agent
    pod/builder
    pod/late
    configmap/agent-prompt
    ----- stderr -----
    Warning: pod/broken in NAMESPACE namespace: its expiry "soon" is not a number of seconds: kept
    5 would be deleted (dry run)
    "#);
    Ok(())
}

async fn a_document_has_every_object_with_its_verdict(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    let finished = case.reap(&["--dry-run=client", "--output=json", "--show-kept"])?;
    let document: Value = serde_json::from_str(&finished.stdout)?;
    let judged: Vec<String> = document["items"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|item| {
            let key = format!(
                "{}/{}",
                item["kind"].as_str().unwrap_or_default(),
                item["name"].as_str().unwrap_or_default()
            );
            assert_eq!(
                before.get(&key),
                Some(&format!("{} {}", item["uid"], item["resourceVersion"])),
                "{item:#}"
            );
            format!(
                "{key} {} {} {}",
                item["verdict"], item["reason"], item["outcome"]
            )
        })
        .collect();
    insta::assert_snapshot!(judged.join("\n"), @r#"
    Job/migrate "Reap" "Expired" "WouldDelete"
    Pod/agent "Reap" "Expired" "WouldDelete"
    Pod/builder "Reap" "Expired" "WouldDelete"
    Pod/late "Reap" "DeadlineExceeded" "WouldDelete"
    ConfigMap/agent-prompt "Reap" "Expired" "WouldDelete"
    Pod/alive "Keep" "NotExpired" null
    Pod/broken "Keep" "UnreadableExpiry" null
    Pod/worker "Keep" "NoExpiry" null
    ConfigMap/alive-prompt "Keep" "NotExpired" null
    "#);
    assert_eq!(document["clock"]["source"], "server");
    assert_eq!(document["context"], "control-plane");
    assert_eq!(document["namespace"], "NAMESPACE");
    assert_eq!(document["error"], Value::Null);
    assert_eq!(document["summary"]["candidates"], json!(ORPHANS.len()));
    Ok(())
}

async fn json_and_yaml_are_the_same_document(case: &Case) -> Result<()> {
    leave(case).await?;
    let read = |format: &str| -> Result<Value> {
        let finished = case.reap(&["--dry-run", format])?;
        let mut document: Value = serde_yaml_ng::from_str(&finished.stdout)?;
        let moment = document["takenAt"].take();
        assert!(moment.is_string(), "{document:#}");
        for item in document["items"].as_array_mut().into_iter().flatten() {
            item["overdueSeconds"].take();
            item["ageSeconds"].take();
        }
        document["clock"]["skewSeconds"].take();
        Ok(document)
    };
    assert_eq!(read("--output=json")?, read("--output=yaml")?);
    Ok(())
}

async fn what_is_kept_is_shown_on_demand_with_the_reason(case: &Case) -> Result<()> {
    leave(case).await?;
    insta::assert_snapshot!(case.reap(&["pods", "--dry-run", "--show-kept"])?, @r#"
    exit code: 0
    ----- stdout -----
    NAME          STATUS    REASON             OVERDUE   AGE
    pod/agent     Pending   Expired            ~         ~
    pod/builder   Running   Expired            ~         ~
    pod/late      Failed    DeadlineExceeded   -         ~
    pod/alive     Running   NotExpired         -         ~
    pod/broken    Pending   UnreadableExpiry   -         ~
    pod/worker    Running   NoExpiry           -         ~
    ----- stderr -----
    Warning: pod/broken in NAMESPACE namespace: its expiry "soon" is not a number of seconds: kept
    3 would be deleted (dry run)
    "#);
    Ok(())
}

async fn nothing_to_do_says_what_was_looked_at(case: &Case) -> Result<()> {
    leave(case).await?;
    for orphan in ORPHANS {
        let (kind, name) = orphan.split_once('/').unwrap_or_default();
        case.cluster.delete(kind, &case.namespace, name).await?;
        case.cluster.await_gone(kind, &case.namespace, name).await?;
    }
    insta::assert_snapshot!(case.reap(&["--yes"])?, @r#"
    exit code: 0
    ----- stdout -----
    ----- stderr -----
    Warning: pod/broken in NAMESPACE namespace: its expiry "soon" is not a number of seconds: kept
    No orphans found in NAMESPACE namespace.
    4 objects checked: 2 not expired, 1 without an expiry, 1 with an unreadable expiry
    "#);
    Ok(())
}

async fn an_empty_namespace_has_no_orphans(case: &Case) -> Result<()> {
    insta::assert_snapshot!(case.reap(&[])?, @"
    exit code: 0
    ----- stdout -----
    ----- stderr -----
    No orphans found in NAMESPACE namespace.
    ");
    Ok(())
}
