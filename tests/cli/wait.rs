//! `--wait`: until what was deleted is gone, and no longer than allowed.

use http::Method;
use insta::assert_snapshot;
use testbed::memory::{Fault, Resource, on};
use testbed::objects::{ObjectBuilder, hours};

use crate::case::Case;
use crate::document::valid;
use crate::objects::{job, pod};

/// A pod whose node takes as long as the grace period to end it.
fn on_a_node(name: &str) -> ObjectBuilder {
    pod(name).running().on_node("node-1")
}

#[test]
fn without_wait_a_pod_may_still_be_ending() {
    let case = Case::new([on_a_node("a").expired(hours(1))]);
    let run = case.reap(&["--yes", "pods", "--grace-period=60"]);
    assert_eq!(
        (run.code, case.names(Resource::Pods).len()),
        (Some(0), 1),
        "{run}"
    );
}

#[test]
fn wait_ends_when_the_pods_are_gone() {
    let case = Case::new([
        on_a_node("a").expired(hours(1)),
        on_a_node("b").expires_in(hours(1)),
    ]);
    let run = case.reap(&["--yes", "pods", "--grace-period=1", "--wait"]);
    assert_eq!(
        (run.code, case.names(Resource::Pods)),
        (Some(0), vec!["ironflow-agents/b".to_owned()]),
        "{run}"
    );
}

#[test]
fn the_pods_of_a_deleted_job_are_waited_for_too() {
    let worker = on_a_node("j-x").owned_by_job("j", "uid-of-j");
    let case = Case::new([
        job("j").expired(hours(1)),
        worker.set("/spec/terminationGracePeriodSeconds", 1),
    ]);
    let run = case.reap(&["--yes", "jobs", "--wait"]);
    assert_eq!(
        (run.code, case.names(Resource::Pods).len()),
        (Some(0), 0),
        "{run}"
    );
}

#[test]
fn lists_are_polled_and_not_objects() {
    let case = Case::new((0..5).map(|at| on_a_node(&format!("p{at}")).expired(hours(1))));
    let run = case.reap(&["--yes", "pods", "--grace-period=1", "--wait"]);
    assert_eq!(run.code, Some(0), "{run}");
    let reads = run
        .requests
        .iter()
        .filter(|request| request.starts_with("GET "));
    for request in reads {
        assert!(
            request.starts_with("GET /api/v1/namespaces/ironflow-agents/pods?labelSelector="),
            "{request}"
        );
    }
}

#[test]
fn what_is_left_when_the_time_is_over_is_named_with_its_finalizers() {
    let case = Case::new([
        pod("held")
            .expired(hours(1))
            .finalizer("example.com/backup"),
        on_a_node("slow").expired(hours(1)),
    ]);
    let run = case.reap(&[
        "--yes",
        "pods",
        "--grace-period=60",
        "--wait",
        "--timeout=300ms",
        "--concurrency=1",
    ]);
    assert_eq!(run.code, Some(1));
    assert_snapshot!(run.said(), @r#"
    pod "held" deleted from ironflow-agents namespace
    pod "slow" deleted from ironflow-agents namespace
    Warning: pod/held stays until its finalizer `example.com/backup` is removed
    2 deleted
    error: timed out waiting for pod/held (held by example.com/backup) and pod/slow
    "#);
    let case = Case::new([pod("held")
        .expired(hours(1))
        .finalizer("example.com/backup")]);
    let run = case.reap(&["--yes", "pods", "--wait", "--timeout=300ms", "-o", "json"]);
    assert_eq!(
        (run.code, &valid(&run)["summary"]["deleted"]),
        (Some(1), &1.into()),
        "{run}"
    );
}

#[test]
fn a_list_that_fails_while_waiting_is_an_error_and_the_deletions_stand() {
    let case = Case::new([pod("held")
        .expired(hours(1))
        .finalizer("example.com/backup")]);
    case.fault(on(Method::GET, "/pods?").after(1), Fault::status(403));
    let run = case.reap(&["--yes", "pods", "--wait"]);
    assert_eq!(run.code, Some(1));
    assert_snapshot!(run.said(), @r#"
    pod "held" deleted from ironflow-agents namespace
    Warning: pod/held stays until its finalizer `example.com/backup` is removed
    1 deleted
    error: cannot wait for what was deleted: Error from server (Forbidden): forbidden
    "#);
}
