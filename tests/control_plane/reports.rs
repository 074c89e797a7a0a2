//! What other programs read of a run that deletes, or that stops before it does.

use anyhow::Result;
use libtest_mimic::Trial;
use serde_json::{Value, json};
use testbed::objects::pod;

use crate::case::{Case, Finished};
use crate::harness::trials;
use crate::leftovers::{ORPHANS, leave, orphan};

pub(crate) fn trials() -> Vec<Trial> {
    trials![
        the_names_of_what_was_deleted_are_all_that_stdout_has,
        a_document_tells_what_became_of_each,
        more_candidates_than_allowed_are_an_error,
        what_a_server_dry_run_would_be_refused_is_shown,
        a_document_ends_a_run_that_was_refused,
    ]
}

/// The outcome of each object in a document, sorted.
fn outcomes(finished: &Finished) -> Result<Vec<String>> {
    let document: Value = serde_json::from_str(&finished.stdout)?;
    let items = document["items"].as_array().into_iter().flatten();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut outcomes: Vec<String> = items
        .map(|item| {
            format!(
                "{}/{} {}",
                text(&item["kind"]),
                text(&item["name"]),
                text(&item["outcome"])
            )
        })
        .collect();
    outcomes.sort();
    Ok(outcomes)
}

async fn the_names_of_what_was_deleted_are_all_that_stdout_has(case: &Case) -> Result<()> {
    leave(case).await?;
    insta::assert_snapshot!(case.reap(&["--yes", "--output=name", "--concurrency=1"])?, @r#"
    exit code: 0
    ----- stdout -----
    job.batch/migrate
    pod/agent
    pod/builder
    pod/late
    configmap/agent-prompt
    ----- stderr -----
    Warning: pod/broken in NAMESPACE namespace: its expiry "soon" is not a number of seconds: kept
    5 deleted
    "#);
    Ok(())
}

async fn a_document_tells_what_became_of_each(case: &Case) -> Result<()> {
    leave(case).await?;
    case.create(orphan(case, pod("bound").on_node("lost")))
        .await?;
    let finished = case.reap(&["--yes", "--output=json"])?;
    assert_eq!(finished.code, Some(0), "{finished}");
    let mut deleted: Vec<String> = ORPHANS
        .into_iter()
        .chain(["Pod/bound"])
        .map(|orphan| format!("{orphan} Deleted"))
        .collect();
    deleted.sort();
    assert_eq!(outcomes(&finished)?, deleted);
    Ok(())
}

async fn more_candidates_than_allowed_are_an_error(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    insta::assert_snapshot!(case.reap(&["--yes", "--max=4"])?, @r#"
    exit code: 1
    ----- stdout -----
    NAME                     STATUS      REASON             OVERDUE   AGE
    job.batch/migrate        Suspended   Expired            ~         ~
    pod/agent                Pending     Expired            ~         ~
    pod/builder              Running     Expired            ~         ~
    pod/late                 Failed      DeadlineExceeded   -         ~
    configmap/agent-prompt   -           Expired            ~         ~
    ----- stderr -----
    Warning: pod/broken in NAMESPACE namespace: its expiry "soon" is not a number of seconds: kept
    error: 5 candidates, --max is 4: nothing deleted
    hint: narrow the selection, or raise --max
    "#);
    assert_eq!(case.objects().await?, before);
    assert_eq!(case.reap(&["--yes", "--max=5"])?.code, Some(0));
    Ok(())
}

async fn what_a_server_dry_run_would_be_refused_is_shown(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    let rules = json!([
        { "apiGroups": [""], "resources": ["pods", "configmaps"], "verbs": ["list"] },
        { "apiGroups": ["batch"], "resources": ["jobs"], "verbs": ["list", "delete"] },
    ]);
    case.become_user(&case.cluster.user(&case.namespace, rules).await?)?;
    insta::assert_snapshot!(case.reap(&["--dry-run=server", "--concurrency=1"])?, @r#"
    exit code: 1
    ----- stdout -----
    NAME                     STATUS      REASON             OVERDUE   AGE
    job.batch/migrate        Suspended   Expired            ~         ~
    pod/agent                Pending     Expired            ~         ~
    pod/builder              Running     Expired            ~         ~
    pod/late                 Failed      DeadlineExceeded   -         ~
    configmap/agent-prompt   -           Expired            ~         ~
    job.batch "migrate" deleted from NAMESPACE namespace (server dry run)
    ----- stderr -----
    Warning: pod/broken in NAMESPACE namespace: its expiry "soon" is not a number of seconds: kept
    Error from server (Forbidden): pods "agent" is forbidden: User "system:serviceaccount:NAMESPACE:user-N" cannot delete resource "pods" in API group "" in the namespace "NAMESPACE" [pod/agent in NAMESPACE namespace]
    Error from server (Forbidden): configmaps "agent-prompt" is forbidden: User "system:serviceaccount:NAMESPACE:user-N" cannot delete resource "configmaps" in API group "" in the namespace "NAMESPACE" [configmap/agent-prompt in NAMESPACE namespace]
    2 more pods in NAMESPACE namespace not attempted
    1 would be deleted (server dry run), 2 failed, 2 not attempted
    "#);
    assert_eq!(case.objects().await?, before);
    Ok(())
}

async fn a_document_ends_a_run_that_was_refused(case: &Case) -> Result<()> {
    leave(case).await?;
    case.become_user(&case.cluster.user(&case.namespace, json!([])).await?)?;
    let refused = case.reap(&["pods", "--yes", "--output=json"])?;
    assert_eq!(refused.code, Some(1), "{refused}");
    let document: Value = serde_json::from_str(&refused.stdout)?;
    let error = document["error"].as_str().unwrap_or_default();
    assert!(
        error.starts_with("Error from server (Forbidden): pods is forbidden"),
        "{refused}"
    );
    assert_eq!(document["items"], json!([]), "{refused}");
    Ok(())
}
