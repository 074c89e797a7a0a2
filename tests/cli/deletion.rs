//! Promises 2 and 13: what is deleted, in which order and how; finalizers stay.

use std::time::Duration;

use http::Method;
use insta::assert_snapshot;
use serde_json::json;
use testbed::memory::{Fault, Resource, on};
use testbed::objects::{NAMESPACE, hours};

use crate::case::Case;
use crate::objects::{claim, config_map, job, pod};

fn one_pod() -> Case {
    Case::new([pod("a").expired(hours(1))])
}

#[test]
fn kinds_go_one_after_another() {
    let case = Case::new([
        claim("d").expired(hours(1)),
        config_map("c").expired(hours(1)),
        pod("b").expired(hours(1)),
        job("a").expired(hours(1)),
    ]);
    case.fault(
        on(Method::DELETE, "/jobs/"),
        Fault::delay(Duration::from_millis(100)),
    );
    case.fault(
        on(Method::DELETE, "/pods/"),
        Fault::delay(Duration::from_millis(100)),
    );
    let run = case.reap(&["--yes", "all,pvc"]);
    assert_eq!(run.deletions(), ["a", "b", "c", "d"], "{run}");
}

#[test]
fn as_many_deletions_are_in_flight_as_allowed() {
    for (flag, allowed) in [
        ("--concurrency=1", 1),
        ("--concurrency=7", 7),
        ("--yes", 16),
    ] {
        let case = Case::new((0..40).map(|at| pod(&format!("p{at:02}")).expired(hours(1))));
        case.fault(
            on(Method::DELETE, "/pods/"),
            Fault::delay(Duration::from_millis(50)),
        );
        let run = case.reap(&["--yes", flag, "pods"]);
        assert_eq!((run.code, run.deletions().len()), (Some(0), 40), "{run}");
        assert_eq!(case.most_in_flight(), allowed);
    }
}

#[test]
fn the_grace_period_goes_with_each_deletion() {
    for (flags, sent) in [
        (&[][..], json!(null)),
        (&["--grace-period=-1"], json!(null)),
        (&["--grace-period=0"], json!(1)),
        (&["--grace-period=30"], json!(30)),
        (&["--force"], json!(0)),
        (&["--force", "--grace-period=0"], json!(0)),
    ] {
        let case = one_pod();
        let run = case.reap(&[&["--yes", "pods"], flags].concat());
        assert_eq!(run.code, Some(0), "{run}");
        let log = case.log();
        let body = log.0.last().expect("a deletion").json();
        assert_eq!(body["gracePeriodSeconds"], sent, "{flags:?}: {run}");
    }
}

#[test]
fn force_is_warned_of_and_said() {
    let case = one_pod();
    let run = case.reap(&["--yes", "pods", "--force"]);
    assert_snapshot!(run.said(), @r#"
    pod "a" force deleted from ironflow-agents namespace
    Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.
    1 deleted
    "#);
}

#[test]
fn only_pods_that_are_stuck_are_forced_by_stuck() {
    let case = Case::new([
        pod("stuck")
            .terminating(61)
            .on_node("lost")
            .finalizer("example.com/held"),
        pod("ending")
            .terminating(60)
            .on_node("node")
            .finalizer("example.com/held"),
        pod("expired").expired(hours(1)),
    ]);
    let run = case.reap(&["--yes", "pods", "--stuck", "--concurrency=1"]);
    let bodies: Vec<_> = case
        .log()
        .0
        .iter()
        .filter(|received| received.method == Method::DELETE)
        .map(|received| {
            (
                received.path.clone(),
                received.json()["gracePeriodSeconds"].clone(),
            )
        })
        .collect();
    assert_eq!(
        bodies,
        [
            (
                "/api/v1/namespaces/ironflow-agents/pods/expired".to_owned(),
                json!(null)
            ),
            (
                "/api/v1/namespaces/ironflow-agents/pods/stuck".to_owned(),
                json!(0)
            ),
        ]
    );
    assert_snapshot!(run.said(), @r#"
    pod "expired" deleted from ironflow-agents namespace
    pod "stuck" force deleted from ironflow-agents namespace
    Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.
    Warning: pod/stuck stays until its finalizer `example.com/held` is removed
    2 deleted
    "#);
    assert!(
        case.object(Resource::Pods, NAMESPACE, "stuck").is_some(),
        "finalizers are never removed"
    );
}

#[test]
fn a_finalizer_that_holds_what_was_deleted_is_named() {
    let case = Case::new([
        pod("held")
            .expired(hours(1))
            .finalizer("example.com/backup"),
        pod("expected")
            .expired(hours(1))
            .finalizer("batch.kubernetes.io/job-tracking"),
    ]);
    let run = case.reap(&["--yes", "pods", "--concurrency=1"]);
    assert_snapshot!(run.said(), @r#"
    pod "expected" deleted from ironflow-agents namespace
    pod "held" deleted from ironflow-agents namespace
    Warning: pod/held stays until its finalizer `example.com/backup` is removed
    2 deleted
    "#);
    let left = case
        .object(Resource::Pods, NAMESPACE, "held")
        .expect("it stays until its finalizer is removed");
    assert_eq!(
        left["metadata"]["finalizers"],
        json!(["example.com/backup"])
    );
}
