//! Promise 1 and 7: nothing is deleted without a yes, and a dry run changes nothing.

use std::process::Stdio;

use insta::assert_snapshot;
use testbed::memory::Resource;

use crate::case::{Case, Run};
use crate::leftovers::{ORPHANS, leftovers};

const RESOURCES: [Resource; 4] = [
    Resource::Jobs,
    Resource::Pods,
    Resource::ConfigMaps,
    Resource::Claims,
];

fn everything(case: &Case) -> Vec<String> {
    RESOURCES
        .into_iter()
        .flat_map(|resource| case.names(resource))
        .collect()
}

#[track_caller]
fn assert_untouched(case: &Case, run: &Run, before: &[String]) {
    assert!(run.deletions().is_empty(), "{run}");
    assert_eq!(everything(case), before, "{run}");
}

#[test]
fn yes_deletes_what_may_go_and_nothing_else() {
    let case = Case::new(leftovers());
    let mut left = everything(&case);
    left.retain(|name| {
        !ORPHANS
            .iter()
            .any(|orphan| name == &format!("ironflow-agents/{orphan}"))
    });
    assert_snapshot!(case.reap(&["--yes", "--concurrency=1"]), @r#"
    exit code: 0
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/configmaps?labelSelector=app.kubernetes.io/managed-by=ironflow,app.kubernetes.io/component=prompt-data&limit=50 (metadata only)
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    GET /apis/batch/v1/namespaces/ironflow-agents/jobs?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews {"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","metadata":{},"spec":{"resourceAttributes":{"group":"","namespace":"ironflow-agents","resource":"configmaps","verb":"delete"}}}
    POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews {"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","metadata":{},"spec":{"resourceAttributes":{"group":"","namespace":"ironflow-agents","resource":"pods","verb":"delete"}}}
    POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews {"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","metadata":{},"spec":{"resourceAttributes":{"group":"batch","namespace":"ironflow-agents","resource":"jobs","verb":"delete"}}}
    DELETE /apis/batch/v1/namespaces/ironflow-agents/jobs/migrate (metadata only) {"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"resourceVersion":"1","uid":"uid-of-migrate"},"propagationPolicy":"Background"}
    DELETE /apis/batch/v1/namespaces/ironflow-agents/jobs/nightly (metadata only) {"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"resourceVersion":"2","uid":"uid-of-nightly"},"propagationPolicy":"Background"}
    DELETE /api/v1/namespaces/ironflow-agents/pods/claude-code-1a2b-3c4d (metadata only) {"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"resourceVersion":"4","uid":"uid-of-claude-code-1a2b-3c4d"},"propagationPolicy":"Background"}
    DELETE /api/v1/namespaces/ironflow-agents/pods/late (metadata only) {"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"resourceVersion":"5","uid":"uid-of-late"},"propagationPolicy":"Background"}
    DELETE /api/v1/namespaces/ironflow-agents/configmaps/claude-code-1a2b-3c4d-prompt (metadata only) {"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"resourceVersion":"8","uid":"uid-of-claude-code-1a2b-3c4d-prompt"},"propagationPolicy":"Background"}
    ----- stdout -----
    NAME                                     STATUS    REASON             OVERDUE   AGE
    job.batch/migrate                        Failed    DeadlineExceeded   -         3h
    job.batch/nightly                        Running   Expired            90s       24h
    pod/claude-code-1a2b-3c4d                Running   Expired            5h        24h
    pod/late                                 Failed    DeadlineExceeded   -         24h
    configmap/claude-code-1a2b-3c4d-prompt   -         Expired            5h        24h
    job.batch "migrate" deleted from ironflow-agents namespace
    job.batch "nightly" deleted from ironflow-agents namespace
    pod "claude-code-1a2b-3c4d" deleted from ironflow-agents namespace
    pod "late" deleted from ironflow-agents namespace
    configmap "claude-code-1a2b-3c4d-prompt" deleted from ironflow-agents namespace
    ----- stderr -----
    5 deleted
    "#);
    // The Job's pod goes with the Job.
    left.retain(|name| name != "ironflow-agents/nightly-x7k2p");
    assert_eq!(everything(&case), left);
}

#[test]
fn without_a_terminal_the_table_is_shown_and_nothing_is_deleted() {
    let case = Case::new(leftovers());
    let before = everything(&case);
    let run = case.reap(&["pods"]);
    assert_snapshot!(run, @"
    exit code: 2
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    ----- stdout -----
    NAME                        STATUS    REASON             OVERDUE   AGE
    pod/claude-code-1a2b-3c4d   Running   Expired            5h        24h
    pod/late                    Failed    DeadlineExceeded   -         24h
    ----- stderr -----
    error: nobody can be asked, because stdin is not a terminal: nothing deleted
    hint: pass --yes to delete without being asked
    ");
    assert_untouched(&case, &run, &before);
}

#[test]
fn an_answer_that_no_terminal_gave_is_not_taken() {
    let case = Case::new(leftovers());
    let before = everything(&case);
    for script in [
        "echo y | $REAP",
        "yes | $REAP",
        "$REAP <&-",
        "$REAP 2>/dev/null",
        "yes | $REAP -o json",
        "yes | $REAP -o name",
    ] {
        let run = case.shell(script);
        assert_eq!(run.code, Some(2), "{script}: {run}");
        assert_untouched(&case, &run, &before);
    }
}

#[test]
fn a_pipe_that_stays_open_is_not_waited_for() {
    let case = Case::new(leftovers());
    let mut command = case.command(&[]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The pipe stays open until the program has ended.
    let pipe = child.stdin.take();
    assert_eq!(child.wait().unwrap().code(), Some(2));
    drop(pipe);
}

#[test]
fn yes_leaves_stdin_unread() {
    let case = Case::new(leftovers());
    let run = case.shell("printf 'first\\nsecond\\n' | { $REAP --yes >/dev/null 2>&1; cat; }");
    assert_eq!(run.stdout, "first\nsecond\n");
    assert_eq!(run.deletions().len(), ORPHANS.len());
    let mut child = case
        .command(&["--yes"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The pipe stays open until the program has ended.
    let pipe = child.stdin.take();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    drop(pipe);
}

#[test]
fn a_client_dry_run_only_reads() {
    let case = Case::new(leftovers());
    let before = everything(&case);
    for flag in ["--dry-run", "--dry-run=client"] {
        let run = case.reap(&[flag, "--yes"]);
        assert_eq!(run.code, Some(0), "{run}");
        assert!(
            run.requests
                .iter()
                .all(|request| request.starts_with("GET ")),
            "{run}"
        );
        assert_untouched(&case, &run, &before);
    }
}

#[test]
fn a_server_dry_run_asks_for_each_and_changes_nothing() {
    let case = Case::new(leftovers());
    let before = everything(&case);
    assert_snapshot!(case.reap(&["--dry-run=server", "--concurrency=1", "pods"]), @r#"
    exit code: 0
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    DELETE /api/v1/namespaces/ironflow-agents/pods/claude-code-1a2b-3c4d (metadata only) {"apiVersion":"v1","dryRun":["All"],"kind":"DeleteOptions","preconditions":{"resourceVersion":"4","uid":"uid-of-claude-code-1a2b-3c4d"},"propagationPolicy":"Background"}
    DELETE /api/v1/namespaces/ironflow-agents/pods/late (metadata only) {"apiVersion":"v1","dryRun":["All"],"kind":"DeleteOptions","preconditions":{"resourceVersion":"5","uid":"uid-of-late"},"propagationPolicy":"Background"}
    ----- stdout -----
    NAME                        STATUS    REASON             OVERDUE   AGE
    pod/claude-code-1a2b-3c4d   Running   Expired            5h        24h
    pod/late                    Failed    DeadlineExceeded   -         24h
    pod "claude-code-1a2b-3c4d" deleted from ironflow-agents namespace (server dry run)
    pod "late" deleted from ironflow-agents namespace (server dry run)
    ----- stderr -----
    2 would be deleted (server dry run)
    "#);
    assert_eq!(everything(&case), before);
}

#[test]
fn a_dry_run_of_none_is_no_dry_run() {
    let case = Case::new(leftovers());
    assert_eq!(case.reap(&["--dry-run=none"]).code, Some(2));
    assert_eq!(
        case.reap(&["--dry-run=none", "--yes"]).deletions().len(),
        ORPHANS.len()
    );
}
