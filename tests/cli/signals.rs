//! Promise 12: after Ctrl-C or SIGTERM no new deletion starts, and what happened so far is reported.

use std::process::{Child, Command};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use http::Method;
use insta::assert_snapshot;
use testbed::memory::{Fault, On, Resource, on};
use testbed::objects::hours;

use crate::case::Case;
use crate::document::valid;
use crate::objects::pod;

fn many_pods() -> Case {
    Case::new((0..30).map(|at| pod(&format!("p{at:02}")).expired(hours(1))))
}

fn send(signal: &str, child: &Child) {
    let status = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(status.expect("a shell's kill").success());
}

/// A request that is to come in.
struct Arrival(Receiver<()>);

impl Arrival {
    #[track_caller]
    fn wait(&self, what: &str) {
        self.0.recv_timeout(Duration::from_secs(60)).expect(what);
    }
}

fn arrival(case: &Case, request: On) -> Arrival {
    let (sender, receiver) = channel();
    let sender = Mutex::new(sender);
    case.before(request, move |_| {
        // Nobody listens any more once the test has seen the first.
        let _ = sender.lock().map(|sender| sender.send(()));
    });
    Arrival(receiver)
}

#[test]
fn a_signal_while_the_list_is_awaited_ends_the_run_at_once() {
    for (signal, code, name) in [("-INT", 130, "Ctrl-C"), ("-TERM", 143, "SIGTERM")] {
        let case = many_pods();
        case.fault(on(Method::GET, "/pods?"), Fault::never());
        let listed = arrival(&case, on(Method::GET, "/pods?"));
        let child = case.start(&["--yes", "pods"]);
        listed.wait("a request");
        send(signal, &child);
        let run = case.finish(child);
        assert_eq!((run.code, run.stdout.as_str()), (Some(code), ""), "{run}");
        assert_eq!(
            run.stderr,
            format!("error: interrupted by {name}: nothing deleted\n")
        );
    }
}

#[test]
fn a_signal_while_a_list_is_tried_again_ends_the_run_at_once() {
    let case = many_pods();
    case.fault(
        on(Method::GET, "/pods?"),
        Fault::status(503).header("retry-after", "20"),
    );
    let listed = arrival(&case, on(Method::GET, "/pods?"));
    let child = case.start(&["--yes", "pods"]);
    listed.wait("a request");
    let before = Instant::now();
    send("-INT", &child);
    assert_eq!(case.finish(child).code, Some(130));
    assert!(before.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_signal_while_rights_are_asked_for_deletes_nothing() {
    let case = many_pods();
    case.fault(on(Method::POST, ""), Fault::never());
    let asked = arrival(&case, on(Method::POST, ""));
    let child = case.start(&["--yes", "pods"]);
    asked.wait("a request");
    send("-TERM", &child);
    let run = case.finish(child);
    assert_eq!((run.code, run.deletions().len()), (Some(143), 0), "{run}");
}

#[test]
fn deletions_in_flight_end_and_no_new_one_begins() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let case = many_pods();
        case.fault(
            on(Method::DELETE, "/pods/"),
            Fault::delay(Duration::from_secs(1)),
        );
        let deleting = arrival(&case, on(Method::DELETE, "/pods/").after(3));
        let child = case.start(&["--yes", "pods", "--concurrency=4"]);
        deleting.wait("a fourth deletion");
        send(signal, &child);
        let run = case.finish(child);
        assert_eq!((run.code, run.deletions().len()), (Some(code), 4), "{run}");
        assert_eq!(case.names(Resource::Pods).len(), 26);
        assert_eq!(run.stdout.matches(" deleted from ").count(), 4, "{run}");
        let last = run.messages();
        assert!(last.contains("4 deleted, 26 not attempted"), "{run}");
    }
}

#[test]
fn what_is_not_answered_within_five_seconds_is_reported_as_failed() {
    let case = many_pods();
    case.fault(on(Method::DELETE, "/pods/"), Fault::never());
    let deleting = arrival(&case, on(Method::DELETE, "/pods/").after(1));
    let child = case.start(&["--yes", "pods", "--concurrency=2"]);
    deleting.wait("a second deletion");
    let before = Instant::now();
    send("-INT", &child);
    let run = case.finish(child);
    assert!(
        (4..15).contains(&before.elapsed().as_secs()),
        "{:?}",
        before.elapsed()
    );
    assert_eq!(run.code, Some(130), "{run}");
    assert_snapshot!(run.messages(), @"
    stopping: up to 5s for 2 deletions in flight; a second Ctrl-C ends at once
    error: interrupted before the server answered; it may be deleted all the same [pod/p00 in ironflow-agents namespace]
    error: interrupted before the server answered; it may be deleted all the same [pod/p01 in ironflow-agents namespace]
    2 failed, 28 not attempted in 5.0s; stopped by Ctrl-C
    ");
}

#[test]
fn the_document_of_an_interrupted_run_says_what_became_of_each() {
    let case = many_pods();
    case.fault(
        on(Method::DELETE, "/pods/"),
        Fault::delay(Duration::from_millis(500)),
    );
    let deleting = arrival(&case, on(Method::DELETE, "/pods/").after(1));
    let child = case.start(&["--yes", "pods", "--concurrency=2", "-o", "json"]);
    deleting.wait("a second deletion");
    send("-INT", &child);
    let run = case.finish(child);
    let document = valid(&run);
    assert_eq!(
        (run.code, &document["error"]),
        (Some(130), &"stopped by Ctrl-C".into()),
        "{run}"
    );
    assert_eq!(
        (
            &document["summary"]["deleted"],
            &document["summary"]["notAttempted"]
        ),
        (&2.into(), &28.into()),
        "{run}"
    );
}

#[test]
fn a_second_signal_ends_at_once() {
    let case = many_pods();
    case.fault(on(Method::DELETE, "/pods/"), Fault::never());
    let deleting = arrival(&case, on(Method::DELETE, "/pods/"));
    let child = case.start(&["--yes", "pods"]);
    deleting.wait("a deletion");
    let before = Instant::now();
    // Two of the same kind could arrive as one.
    send("-INT", &child);
    send("-TERM", &child);
    let run = case.finish(child);
    assert!(
        before.elapsed() < Duration::from_secs(4),
        "{:?}",
        before.elapsed()
    );
    assert!(matches!(run.code, Some(130 | 143)), "{run}");
}

#[test]
fn a_signal_while_waiting_ends_the_run_and_the_deletions_are_reported() {
    let case = Case::new([pod("held")
        .expired(hours(1))
        .finalizer("example.com/backup")]);
    let waiting = arrival(&case, on(Method::GET, "/pods?").after(1));
    let child = case.start(&["--yes", "pods", "--wait", "-o", "json"]);
    waiting.wait("a look at what is left");
    send("-INT", &child);
    let run = case.finish(child);
    let document = valid(&run);
    assert_eq!(
        (run.code, &document["summary"]["deleted"]),
        (Some(130), &1.into()),
        "{run}"
    );
    assert_snapshot!(run.messages(), @"
    Warning: pod/held stays until its finalizer `example.com/backup` is removed
    1 deleted
    error: interrupted by Ctrl-C while waiting for what was deleted
    ");
}
