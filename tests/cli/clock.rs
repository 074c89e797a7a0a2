//! Which of the two clocks is «now», when listing and when judging again.

use http::Method;
use testbed::memory::{Fault, Resource, on};
use testbed::objects::{ObjectBuilder, hours, seconds};

use crate::case::{Case, NOW, Run};
use crate::objects::{config_map, job, pod};

/// A server that is so many seconds ahead of this machine, with a pod that expires so many seconds from now.
fn skewed(skew: i64, expires_in: i64) -> Case {
    let case = Case::new([]);
    case.clock().skew(0);
    let now = case.clock().now().as_second();
    let expiry = (now + expires_in).to_string();
    case.add(pod("a").expires_at(&expiry).build());
    case.clock().skew(skew);
    case
}

fn dry_run(case: &Case) -> Run {
    case.reap(&["--dry-run", "-o", "name", "pods"])
}

#[test]
fn within_half_a_minute_the_servers_clock_is_used_without_a_word() {
    for (skew, expires_in, names) in [
        (27, 10, "pod/a\n"),
        (-27, -10, ""),
        (0, -10, "pod/a\n"),
        (0, 10, ""),
    ] {
        let run = dry_run(&skewed(skew, expires_in));
        assert_eq!(run.stdout, names, "{skew}: {run}");
        assert!(!run.stderr.contains("clock"), "{skew}: {run}");
    }
}

#[test]
fn beyond_that_nothing_goes_that_either_clock_calls_live() {
    for (skew, expires_in, used) in [
        (33, 10, "this machine's"),
        (3600, 10, "this machine's"),
        (-33, -10, "the server's"),
        (-3600, -10, "the server's"),
    ] {
        let run = dry_run(&skewed(skew, expires_in));
        assert_eq!(run.stdout, "", "{skew}: {run}");
        let warning = run.stderr.lines().next().unwrap_or_default();
        assert!(
            warning.starts_with("Warning: the server's clock (20"),
            "{run}"
        );
        assert!(
            warning.ends_with(&format!("differ: the earlier one, {used}, is used")),
            "{run}"
        );
    }
}

#[test]
fn what_both_clocks_call_expired_goes() {
    for skew in [3600, -3600] {
        assert_eq!(dry_run(&skewed(skew, -4000)).stdout, "pod/a\n", "{skew}");
    }
}

#[test]
fn without_a_readable_date_this_machines_clock_is_used_with_a_warning() {
    for fault in [
        Fault::none().without("date"),
        Fault::none().header("date", "yesterday"),
    ] {
        for (expires_in, names) in [(-10, "pod/a\n"), (10, "")] {
            let case = skewed(0, expires_in);
            case.fault(on(Method::GET, "/pods?"), fault.clone());
            let run = dry_run(&case);
            assert_eq!(run.stdout, names, "{run}");
            assert!(
                run.stderr.starts_with(
                    "Warning: the server sends no readable Date: this machine's clock (20"
                ),
                "{run}"
            );
        }
    }
}

#[test]
fn the_document_says_which_clock_was_used() {
    let case = skewed(-3600, -10);
    let clock = case.reap(&["--dry-run", "-o", "json"]).document()["clock"].take();
    assert_eq!(clock["source"], "server");
    assert!(
        (-3602..=-3598).contains(&clock["skewSeconds"].as_i64().unwrap()),
        "{clock}"
    );
    case.fault(on(Method::GET, ""), Fault::none().without("date"));
    let clock = case.reap(&["--dry-run", "-o", "json"]).document()["clock"].take();
    assert_eq!(
        clock,
        serde_json::json!({"source": "local", "skewSeconds": null})
    );
}

#[test]
fn of_several_dates_the_earliest_counts() {
    let expired = |object: ObjectBuilder| object.expired(seconds(60));
    let case = Case::new([
        expired(pod("a")),
        expired(job("b")),
        expired(config_map("c")),
    ]);
    assert_eq!(
        case.reap(&["--dry-run", "-o", "name"])
            .stdout
            .lines()
            .count(),
        3
    );
    // 61 seconds before the others.
    case.fault(
        on(Method::GET, "/jobs?"),
        Fault::none().header("date", "Tue, 14 Nov 2023 22:12:19 GMT"),
    );
    let run = case.reap(&["--yes"]);
    assert_eq!((run.code, run.deletions().len()), (Some(0), 0), "{run}");
}

#[test]
fn a_changed_object_is_judged_by_the_clock_of_that_moment() {
    let case = Case::new([pod("a").expired(hours(1))]);
    case.before(on(Method::DELETE, "/pods/a").times(1), |server| {
        server.patch(
            Resource::Pods,
            testbed::objects::NAMESPACE,
            "a",
            &serde_json::json!({"metadata": {"labels": {"touched": "yes"}}}),
        );
        let earlier = i64::try_from(NOW).unwrap() - 7200;
        server
            .clock()
            .fix(k8s_openapi::jiff::Timestamp::from_second(earlier).unwrap());
    });
    let run = case.reap(&["--yes", "pods"]);
    assert!(
        run.stdout
            .ends_with("pod \"a\" kept in ironflow-agents namespace: it is not expired\n"),
        "{run}"
    );
    assert_eq!(case.names(Resource::Pods), ["ironflow-agents/a"]);
}
