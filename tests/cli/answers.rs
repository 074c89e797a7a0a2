//! What each answer to a deletion means, and the lack of one.

use std::time::Duration;

use http::Method;
use insta::assert_snapshot;
use serde_json::json;
use testbed::memory::{Fault, Resource, on};
use testbed::objects::{NAMESPACE, hours};

use crate::case::Case;
use crate::objects::pod;

fn one_pod() -> Case {
    Case::new([pod("a").expired(hours(1))])
}

#[test]
fn an_object_that_is_gone_already_is_no_failure() {
    let case = one_pod();
    case.before(on(Method::DELETE, "/pods/a").times(1), |server| {
        server.remove(Resource::Pods, NAMESPACE, "a");
    });
    let run = case.reap(&["--yes", "pods"]);
    assert_eq!(run.code, Some(0));
    assert_snapshot!(run.said(), @r#"
    pod "a" already gone from ironflow-agents namespace
    1 already gone
    "#);
}

#[test]
fn an_answer_that_no_api_server_gives_is_checked_by_reading_again() {
    for fault in [
        Fault::answer(404, "text/html", "<html>not found</html>"),
        Fault::answer(404, "application/json", r#"{"error":"not found"}"#),
        Fault::answer(
            404,
            "application/json",
            r#"{"kind":"Status","status":"Failure","reason":"NotFound","message":"the server could not find the requested resource","code":404}"#,
        ),
        Fault::answer(200, "text/html", "<html>Sign in</html>"),
        Fault::answer(
            200,
            "application/json",
            r#"{"kind":"Pod","metadata":{"name":"other","uid":"other"}}"#,
        ),
        Fault::answer(
            200,
            "application/json",
            r#"{"kind":"Status","status":"Failure"}"#,
        ),
        Fault::answer(204, "application/json", ""),
    ] {
        // Nothing was deleted.
        let case = one_pod();
        case.fault(on(Method::DELETE, "/pods/a"), fault.clone());
        let run = case.reap(&["--yes", "pods"]);
        assert_eq!(
            (run.code, run.deletions().len()),
            (Some(1), 1),
            "{fault:?}: {run}"
        );
        assert!(
            run.requests
                .last()
                .is_some_and(|last| last.contains("fieldSelector=metadata.name=a")),
            "{run}"
        );
        assert!(run.stderr.ends_with("1 failed\n"), "{run}");
        // Somebody deleted it behind the proxy.
        let case = one_pod();
        case.before(on(Method::DELETE, "/pods/a"), |server| {
            server.remove(Resource::Pods, NAMESPACE, "a");
        });
        case.fault(on(Method::DELETE, "/pods/a"), fault.clone());
        let run = case.reap(&["--yes", "pods"]);
        assert_eq!(run.code, Some(0), "{fault:?}: {run}");
        assert!(
            run.stdout
                .ends_with("pod \"a\" deleted from ironflow-agents namespace\n"),
            "{fault:?}: {run}"
        );
    }
}

#[test]
fn a_proxys_page_is_not_taken_for_a_no_of_the_server() {
    let case = one_pod();
    case.fault(
        on(Method::DELETE, "/pods/a"),
        Fault::answer(404, "text/html", "<html>not found</html>"),
    );
    let run = case.reap(&["--yes", "pods"]);
    assert_snapshot!(run.said(), @"
    Error from server: the server answered 404 Not Found, but not as a Kubernetes API server does [pod/a in ironflow-agents namespace]
    1 failed
    ");
}

#[test]
fn a_deletion_whose_answer_was_lost_counts_when_the_object_is_gone() {
    for fault in [Fault::cut_after(), Fault::cut_within(20)] {
        let case = one_pod();
        case.fault(on(Method::DELETE, "/pods/a").times(1), fault);
        let run = case.reap(&["--yes", "pods"]);
        assert_eq!((run.code, run.deletions().len()), (Some(0), 2), "{run}");
        assert!(
            run.stdout
                .ends_with("pod \"a\" deleted from ironflow-agents namespace\n"),
            "{run}"
        );
    }
}

#[test]
fn a_deletion_whose_answer_was_lost_counts_when_the_object_is_terminating() {
    let case = Case::new([pod("a")
        .expired(hours(1))
        .on_node("node-1")
        .finalizer("example.com/held")]);
    case.fault(on(Method::DELETE, "/pods/a").times(1), Fault::cut_after());
    let run = case.reap(&["--yes", "pods"]);
    assert_eq!(run.code, Some(0), "{run}");
    assert_snapshot!(run.said(), @r#"
    pod "a" deleted from ironflow-agents namespace
    Warning: pod/a stays until its finalizer `example.com/held` is removed
    1 deleted
    "#);
}

#[test]
fn a_deletion_that_is_not_answered_in_time_is_looked_after() {
    let case = one_pod();
    case.fault(
        on(Method::DELETE, "/pods/a").times(1),
        Fault::delay(Duration::from_secs(2)),
    );
    let run = case.reap(&["--yes", "pods", "--request-timeout=1s"]);
    assert_eq!(run.code, Some(0), "{run}");
    assert!(run.stdout.contains("pod \"a\" deleted from"), "{run}");
}

#[test]
fn failures_are_told_five_times_and_then_counted() {
    let case = Case::new((0..8).map(|at| pod(&format!("p{at}")).expired(hours(1))));
    case.fault(on(Method::DELETE, "/pods/"), Fault::status(422));
    let run = case.reap(&["--yes", "pods", "--concurrency=1"]);
    assert_eq!(run.code, Some(1));
    assert_snapshot!(run.said(), @"
    Error from server (Unknown): the server responded with an unexpected status [pod/p0 in ironflow-agents namespace]
    Error from server (Unknown): the server responded with an unexpected status [pod/p1 in ironflow-agents namespace]
    Error from server (Unknown): the server responded with an unexpected status [pod/p2 in ironflow-agents namespace]
    Error from server (Unknown): the server responded with an unexpected status [pod/p3 in ironflow-agents namespace]
    Error from server (Unknown): the server responded with an unexpected status [pod/p4 in ironflow-agents namespace]
    and 3 more: Unknown
    8 failed
    ");
}

#[test]
fn a_server_dry_run_shows_what_the_server_would_refuse() {
    let case = Case::new([
        pod("a").expired(hours(1)),
        pod("b").expired(hours(1)),
        pod("c").expired(hours(1)),
    ]);
    case.before(on(Method::DELETE, "/pods/a"), |server| {
        server.patch(
            Resource::Pods,
            NAMESPACE,
            "a",
            &json!({"metadata": {"labels": {"touched": "yes"}}}),
        );
    });
    case.before(on(Method::DELETE, "/pods/b"), |server| {
        server.remove(Resource::Pods, NAMESPACE, "b");
    });
    let run = case.reap(&["--dry-run=server", "pods", "--concurrency=1"]);
    assert_eq!((run.code, run.requests.len()), (Some(1), 4), "{run}");
    assert_snapshot!(run.said(), @r#"
    pod "c" deleted from ironflow-agents namespace (server dry run)
    Error from server (Conflict): Operation cannot be fulfilled on Pod "a": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (4). The object might have been modified [pod/a in ironflow-agents namespace]
    Error from server (NotFound): pods "b" not found [pod/b in ironflow-agents namespace]
    1 would be deleted (server dry run), 2 failed
    "#);
}
