//! One document on stdout however a run ends: refused, stopped, failing, or with nothing to do.

use http::Method;
use serde_json::{Value, json};
use testbed::memory::{Fault, on};
use testbed::objects::hours;

use crate::case::{Case, Run};
use crate::document::{outcomes, valid};
use crate::leftovers::leftovers;
use crate::objects::pod;

/// Runs into an ending that a fault brings about.
fn with(fault: impl Fn(&Case), arguments: &[&str]) -> (Value, Run) {
    let case = Case::new(leftovers());
    fault(&case);
    let run = case.reap(&[&["-o", "json"], arguments].concat());
    (valid(&run), run)
}

#[test]
fn nothing_to_do_is_a_document() {
    let (document, run) = with(|_| {}, &["--yes", "-n", "empty"]);
    assert_eq!(
        (run.code, &document["items"], &document["namespace"]),
        (Some(0), &json!([]), &"empty".into()),
        "{run}"
    );
}

#[test]
fn a_run_that_needs_a_yes_is_a_document_of_what_was_not_attempted() {
    let (document, run) = with(|_| {}, &[]);
    assert_eq!(
        (run.code, outcomes(&document)),
        (Some(2), vec!["NotAttempted"; 5]),
        "{run}"
    );
    assert_eq!(document["summary"]["notAttempted"], 5);
    assert_eq!(
        document["error"],
        "error: nobody can be asked, because stdin is not a terminal: nothing deleted"
    );
}

#[test]
fn words_that_are_no_command_line_are_a_document() {
    for (arguments, error) in [
        (
            &["--nonsense"][..],
            "error: unexpected argument '--nonsense' found",
        ),
        (
            &["--yes=perhaps"],
            "error: invalid value 'perhaps' for '--yes[=<true|false>]': must be true or false",
        ),
        (
            &["secrets", "--dry-run"],
            "error: unknown type `secrets`; the types are pods, jobs, configmaps, persistentvolumeclaims (pvc) and all",
        ),
    ] {
        let (document, run) = with(|_| {}, arguments);
        assert_eq!(
            (run.code, &document["error"], run.requests.len()),
            (Some(2), &error.into(), 0),
            "{run}"
        );
        assert!(run.stderr.starts_with(error), "{run}");
    }
}

#[test]
fn a_run_that_is_stopped_before_the_deletion_is_a_document() {
    for (arguments, error) in [
        (
            &["--yes", "--max=2"][..],
            "error: 5 candidates, --max is 2: nothing deleted",
        ),
        (
            &["--dry-run", "--max=2"],
            "error: 5 candidates, --max is 2: nothing deleted",
        ),
    ] {
        let (document, run) = with(|_| {}, arguments);
        assert_eq!(
            (run.code, &document["error"]),
            (Some(1), &error.into()),
            "{run}"
        );
        assert_eq!(outcomes(&document), ["NotAttempted"; 5], "{run}");
    }
    let (document, run) = with(|_| {}, &["--yes", "pod/late", "pod/missing"]);
    assert_eq!(
        (run.code, outcomes(&document)),
        (Some(1), vec!["NotAttempted"]),
        "{run}"
    );
    assert!(
        document["error"]
            .as_str()
            .is_some_and(|error| error.contains("pods \"missing\" not found")),
        "{run}"
    );
}

#[test]
fn a_run_that_could_not_read_is_a_document_without_items() {
    for (error, fault) in [
        (
            "error: cannot read pods",
            Fault::answer(200, "text/html", "<html>"),
        ),
        ("Error from server (InternalError)", Fault::status(500)),
        ("Error from server (Forbidden)", Fault::status(403)),
        ("error: You must be logged in", Fault::status(401)),
    ] {
        let (document, run) = with(
            |case| case.fault(on(Method::GET, "/pods?"), fault.clone()),
            &["--yes"],
        );
        assert_eq!(
            (run.code, &document["items"], &document["takenAt"]),
            (Some(1), &json!([]), &Value::Null),
            "{run}"
        );
        assert!(
            document["error"]
                .as_str()
                .is_some_and(|text| text.starts_with(error)),
            "{run}"
        );
        assert!(
            document["server"]
                .as_str()
                .is_some_and(|server| server.starts_with("http://127.0.0.1:")),
            "{run}"
        );
    }
}

#[test]
fn a_run_without_a_connection_is_a_document_without_a_server() {
    for (arguments, code) in [
        (&["--context=none"][..], 1),
        (&["secrets"], 2),
        (&["--timeout=1s"], 2),
        (&["-n", "NO"], 2),
    ] {
        let (document, run) = with(|_| {}, arguments);
        assert_eq!(
            (run.code, &document["server"]),
            (Some(code), &Value::Null),
            "{run}"
        );
        assert!(
            document["error"]
                .as_str()
                .is_some_and(|text| text.starts_with("error: ")),
            "{run}"
        );
    }
    let (document, run) = with(|_| {}, &["--server=http://127.0.0.1:1", "--yes"]);
    assert_eq!(
        (run.code, &document["server"], &document["context"]),
        (Some(1), &"http://127.0.0.1:1".into(), &"memory".into()),
        "{run}"
    );
}

#[test]
fn failed_deletions_carry_their_errors() {
    let (document, run) = with(
        |case| case.fault(on(Method::DELETE, "/pods/late"), Fault::status(422)),
        &["--yes"],
    );
    assert_eq!(run.code, Some(1));
    let failed = document["items"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|item| item["outcome"] == "Failed");
    let error = &failed.expect("a failed deletion")["error"];
    assert_eq!(
        (&error["code"], error["message"].is_string()),
        (&422.into(), true),
        "{run}"
    );
    assert_eq!(
        (
            &document["summary"]["failed"],
            &document["summary"]["deleted"]
        ),
        (&1.into(), &4.into())
    );
    let (document, _) = with(
        |case| case.fault(on(Method::DELETE, "/pods/late"), Fault::never()),
        &["--yes", "--request-timeout=100ms"],
    );
    assert_eq!(document["summary"]["failed"], 1);
}

#[test]
fn a_run_that_outages_stopped_says_so() {
    let case = Case::new((0..25).map(|at| pod(&format!("p{at}")).expired(hours(1))));
    case.fault(
        on(Method::DELETE, "/pods/"),
        Fault::status(503).header("retry-after", "3600"),
    );
    let document = valid(&case.reap(&["--yes", "-o", "json", "--concurrency=1"]));
    assert_eq!(
        (
            &document["summary"]["failed"],
            &document["summary"]["notAttempted"]
        ),
        (&20.into(), &5.into())
    );
    assert!(
        document["error"]
            .as_str()
            .is_some_and(|error| error.contains("stopped")),
        "{document:#}"
    );
}
