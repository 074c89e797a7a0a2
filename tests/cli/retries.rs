//! Promise 10: what fails in passing is tried again, and nothing is tried or waited for without end.

use std::time::{Duration, Instant};

use http::Method;
use insta::assert_snapshot;
use testbed::memory::{Fault, Resource, on};
use testbed::objects::hours;

use crate::case::{Case, Run};
use crate::objects::pod;

/// One pod that may go, and something that goes wrong with the first `times` lists.
fn faulty(times: usize, fault: Fault) -> Case {
    let case = Case::new([pod("a").expired(hours(1))]);
    case.fault(on(Method::GET, "/pods?").times(times), fault);
    case
}

fn dry_run(case: &Case) -> Run {
    case.reap(&["--dry-run", "-o", "name", "pods"])
}

#[test]
fn a_list_that_fails_in_passing_is_read_again() {
    for (times, fault) in [
        (2, Fault::status(429)),
        (1, Fault::status(429).header("retry-after", "1")),
        (1, Fault::status(500).header("retry-after", "0")),
        (2, Fault::status(502)),
        (2, Fault::answer(503, "text/html", "<html>busy</html>")),
        (2, Fault::status(504)),
    ] {
        let run = dry_run(&faulty(times, fault.clone()));
        assert_eq!(
            (run.stdout.as_str(), run.requests.len()),
            ("pod/a\n", times + 1),
            "{fault:?}: {run}"
        );
    }
}

#[test]
fn a_list_that_fails_for_good_is_not() {
    for fault in [
        Fault::status(500),
        Fault::status(400),
        Fault::status(404),
        Fault::status(409),
        Fault::status(503).header("retry-after", "31"),
        Fault::status(500).header("retry-after", "tomorrow"),
    ] {
        let run = dry_run(&faulty(9, fault.clone()));
        assert_eq!(
            (run.code, run.requests.len(), run.stdout.as_str()),
            (Some(1), 1, ""),
            "{fault:?}: {run}"
        );
    }
}

#[test]
fn five_tries_are_all() {
    let run = faulty(9, Fault::status(503)).reap(&["--yes", "pods"]);
    assert_snapshot!(run, @"
    exit code: 1
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    ----- stdout -----
    ----- stderr -----
    Error from server (ServiceUnavailable): the server is currently unable to handle the request
    ");
}

#[test]
fn a_server_that_asks_for_an_hour_is_quoted_and_not_waited_for() {
    let run = faulty(9, Fault::status(429).header("retry-after", "3600")).reap(&["--yes", "pods"]);
    assert_snapshot!(run, @"
    exit code: 1
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    ----- stdout -----
    ----- stderr -----
    Error from server (TooManyRequests): Too many requests, please try again later. (it asks to be tried again in 3600s)
    ");
}

#[test]
fn a_connection_that_is_cut_after_the_first_answer_is_made_again() {
    for fault in [
        Fault::cut_before(),
        Fault::cut_within(40),
        Fault::cut_after(),
    ] {
        let case = Case::new((0..60).map(|at| pod(&format!("p{at:02}")).expired(hours(1))));
        case.fault(on(Method::GET, "continue=").times(2), fault.clone());
        let run = dry_run(&case);
        assert_eq!(
            (run.stdout.lines().count(), run.requests.len()),
            (60, 4),
            "{fault:?}: {run}"
        );
    }
}

#[test]
fn a_server_that_cannot_be_reached_at_all_is_told_at_once() {
    let mut messages = vec![];
    for (times, fault) in [
        (9, Fault::cut_before()),
        (9, Fault::cut_within(40)),
        (9, Fault::cut_after()),
    ] {
        let case = faulty(times, fault);
        let run = case.reap(&["--yes", "pods"]);
        assert_eq!((run.code, run.requests.len()), (Some(1), 1), "{run}");
        messages.push(run.messages());
    }
    let refused = Case::new([]).reap(&["--yes", "pods", "--server=http://127.0.0.1:1"]);
    messages.push(refused.stderr);
    assert_snapshot!(messages.concat(), @"
    Unable to connect to the server SERVER: connection closed before message completed
    hint: check the cluster's address and authority in the kubeconfig: `kubectl config view --minify`
    Unable to connect to the server SERVER: end of file before message length reached
    hint: check the cluster's address and authority in the kubeconfig: `kubectl config view --minify`
    Unable to connect to the server SERVER: connection closed before message completed
    hint: check the cluster's address and authority in the kubeconfig: `kubectl config view --minify`
    The connection to the server http://127.0.0.1:1 was refused - did you specify the right host or port?
    hint: check the cluster's address and authority in the kubeconfig: `kubectl config view --minify`
    ");
}

#[test]
fn a_server_that_never_answers_is_given_up_after_the_limit() {
    for fault in [Fault::never(), Fault::trickled()] {
        let case = faulty(9, fault);
        let before = Instant::now();
        let run = case.reap(&["--yes", "pods", "--request-timeout=300ms"]);
        assert!(before.elapsed() < Duration::from_secs(30), "{run}");
        assert_snapshot!("unanswered", run);
    }
}

#[test]
fn a_deletion_that_fails_in_passing_is_sent_again() {
    for (times, fault) in [
        (2, Fault::status(429)),
        (1, Fault::status(503).header("retry-after", "1")),
        (1, Fault::status(500).header("retry-after", "0")),
        (2, Fault::cut_before()),
    ] {
        let case = Case::new([pod("a").expired(hours(1))]);
        case.fault(on(Method::DELETE, "/pods/a").times(times), fault.clone());
        let run = case.reap(&["--yes", "pods"]);
        assert_eq!(
            (run.code, run.deletions().len()),
            (Some(0), times + 1),
            "{fault:?}: {run}"
        );
        assert!(
            run.stdout
                .ends_with("pod \"a\" deleted from ironflow-agents namespace\n"),
            "{run}"
        );
        assert!(case.names(Resource::Pods).is_empty());
    }
}

#[test]
fn a_deletion_that_never_succeeds_fails_after_five_tries() {
    let case = Case::new([pod("a").expired(hours(1))]);
    case.fault(on(Method::DELETE, "/pods/a"), Fault::status(503));
    let run = case.reap(&["--yes", "pods"]);
    assert_eq!(run.deletions().len(), 5);
    assert_snapshot!(run.messages(), @"
    Error from server (ServiceUnavailable): the server is currently unable to handle the request; it may be deleted all the same [pod/a in ironflow-agents namespace]
    1 failed in …s
    ");
}

#[test]
fn a_brake_holds_back_everybody() {
    let case = Case::new((0..8).map(|at| pod(&format!("p{at}")).expired(hours(1))));
    case.fault(
        on(Method::DELETE, "/pods/p0").times(1),
        Fault::status(429).header("retry-after", "2"),
    );
    let before = Instant::now();
    let run = case.reap(&["--yes", "pods", "--concurrency=1"]);
    assert_eq!((run.code, run.deletions().len()), (Some(0), 9), "{run}");
    assert!(before.elapsed() >= Duration::from_secs(2), "{run}");
}

#[test]
fn twenty_outages_in_a_row_stop_the_run() {
    let case = Case::new((0..30).map(|at| pod(&format!("p{at:02}")).expired(hours(1))));
    case.fault(
        on(Method::DELETE, "/pods/"),
        Fault::status(503).header("retry-after", "3600"),
    );
    let run = case.reap(&["--yes", "pods", "--concurrency=1"]);
    assert_eq!((run.code, run.deletions().len()), (Some(1), 20), "{run}");
    assert_snapshot!(run.messages(), @"
    Error from server (ServiceUnavailable): the server is currently unable to handle the request (it asks to be tried again in 3600s); it may be deleted all the same [pod/p00 in ironflow-agents namespace]
    Error from server (ServiceUnavailable): the server is currently unable to handle the request (it asks to be tried again in 3600s); it may be deleted all the same [pod/p01 in ironflow-agents namespace]
    Error from server (ServiceUnavailable): the server is currently unable to handle the request (it asks to be tried again in 3600s); it may be deleted all the same [pod/p02 in ironflow-agents namespace]
    Error from server (ServiceUnavailable): the server is currently unable to handle the request (it asks to be tried again in 3600s); it may be deleted all the same [pod/p03 in ironflow-agents namespace]
    Error from server (ServiceUnavailable): the server is currently unable to handle the request (it asks to be tried again in 3600s); it may be deleted all the same [pod/p04 in ironflow-agents namespace]
    and 15 more: ServiceUnavailable
    20 failed, 10 not attempted; stopped, because the server fails again and again
    ");
}

#[test]
fn an_outage_that_ends_begins_the_count_anew() {
    let case = Case::new((0..45).map(|at| pod(&format!("p{at:02}")).expired(hours(1))));
    let outage = Fault::status(503).header("retry-after", "3600");
    case.fault(on(Method::DELETE, "/pods/").times(19), outage.clone());
    case.fault(on(Method::DELETE, "/pods/").after(20).times(19), outage);
    let run = case.reap(&["--yes", "pods", "--concurrency=1"]);
    assert_eq!((run.code, run.deletions().len()), (Some(1), 45), "{run}");
    assert!(run.stderr.contains("7 deleted, 38 failed"), "{run}");
}
