//! The flags that narrow what may go.

use insta::assert_snapshot;
use testbed::memory::Resource;
use testbed::objects::{hours, seconds};

use crate::case::{Case, Run};
use crate::leftovers::leftovers;
use crate::objects::{config_map, pod};

fn names(run: &Run) -> Vec<&str> {
    run.stdout.lines().collect()
}

fn dry_run(arguments: &[&str]) -> Run {
    Case::new(leftovers()).reap(&[&["--dry-run", "-o", "name"], arguments].concat())
}

#[test]
fn the_users_selector_is_joined_to_ironflows() {
    let run = dry_run(&["pods", "-l", "ironflow.io/step in (review,build)"]);
    assert_snapshot!(run, @"
    exit code: 0
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow,ironflow.io/step in (review,build)&limit=50
    ----- stdout -----
    pod/claude-code-1a2b-3c4d
    ----- stderr -----
    1 would be deleted (dry run)
    ");
}

#[test]
fn a_run_is_found_by_its_id_and_by_its_root() {
    let case = Case::new([
        pod("own").run("r1").expired(hours(1)),
        pod("child").run("r2").root_run("r1").expired(hours(1)),
        config_map("other").run("r3").expired(hours(1)),
    ]);
    let run = case.reap(&["--dry-run", "-o", "name", "--run=r1"]);
    assert_eq!(names(&run), ["pod/child", "pod/own"], "{run}");
}

#[test]
fn a_reason_narrows_to_what_goes_for_it() {
    let late = dry_run(&["--reason=DeadlineExceeded"]);
    assert_eq!(names(&late), ["job.batch/migrate", "pod/late"], "{late}");
    let both = dry_run(&["--reason=DeadlineExceeded", "--reason=Expired"]);
    assert_eq!(names(&both), names(&dry_run(&[])), "{both}");
}

#[test]
fn expired_for_needs_the_expiry_to_have_passed_that_long_ago() {
    let case = Case::new([
        pod("fresh").expired(seconds(3599)),
        pod("ripe").expired(seconds(3600)),
        pod("late").failed("DeadlineExceeded").expires_in(hours(1)),
    ]);
    let run = case.reap(&["--dry-run", "-o", "name", "--expired-for=1h"]);
    assert_eq!(names(&run), ["pod/late", "pod/ripe"], "{run}");
}

#[test]
fn more_candidates_than_allowed_are_shown_and_nothing_is_deleted() {
    let case = Case::new(leftovers());
    let refused = case.reap(&["--yes", "--max=4"]);
    assert_snapshot!(refused, @"
    exit code: 1
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/configmaps?labelSelector=app.kubernetes.io/managed-by=ironflow,app.kubernetes.io/component=prompt-data&limit=50 (metadata only)
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    GET /apis/batch/v1/namespaces/ironflow-agents/jobs?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    ----- stdout -----
    NAME                                     STATUS    REASON             OVERDUE   AGE
    job.batch/migrate                        Failed    DeadlineExceeded   -         3h
    job.batch/nightly                        Running   Expired            90s       24h
    pod/claude-code-1a2b-3c4d                Running   Expired            5h        24h
    pod/late                                 Failed    DeadlineExceeded   -         24h
    configmap/claude-code-1a2b-3c4d-prompt   -         Expired            5h        24h
    ----- stderr -----
    error: 5 candidates, --max is 4: nothing deleted
    hint: narrow the selection, or raise --max
    ");
    assert_eq!(case.reap(&["--dry-run", "--max=4"]).code, Some(1));
    assert_eq!(case.reap(&["--yes", "--max=5"]).code, Some(0));
}

#[test]
fn what_the_filters_leave_out_survives() {
    let case = Case::new(leftovers());
    let run = case.reap(&["--yes", "--run=run-7", "pods"]);
    assert_eq!(run.deletions(), ["claude-code-1a2b-3c4d"], "{run}");
    let left = case.names(Resource::Pods);
    assert!(
        left.contains(&"ironflow-agents/late".to_owned()),
        "{left:?}"
    );
}

#[test]
fn contradictions_are_refused_before_anything_is_asked() {
    for arguments in [
        &["pod/x", "-A"][..],
        &["pod/x", "-l", "a=b"],
        &["pod/x", "--run=r"],
        &["--reason=StuckTerminating"],
        &["--timeout=5s"],
        &["--wait", "--dry-run"],
        &["--pick", "--dry-run"],
        &["--pick", "--yes"],
        &["--force", "--grace-period=3"],
        &["--chunk-size=0"],
        &["--concurrency=0"],
        &["--max=-1"],
        &["--expired-for=soon"],
        &["--reason=Whim"],
        &["--dry-run=maybe"],
        &["-n", "../secrets"],
        &["-n", "No"],
        &["--no-such-flag"],
    ] {
        let run = Case::new(leftovers()).reap(arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}: {run}");
        assert!(
            run.requests.is_empty() && run.stdout.is_empty(),
            "{arguments:?}: {run}"
        );
        assert!(run.stderr.starts_with("error: "), "{arguments:?}: {run}");
    }
}
