//! Promise 4: a list is read to its end, page by page, or it counts as not read.

use std::sync::Arc;

use http::Method;
use insta::assert_snapshot;
use serde_json::{Value, json};
use testbed::memory::{Fault, Padding, Quirk, Resource, on};
use testbed::objects::{NAMESPACE, ObjectBuilder, hours};

use crate::case::{Case, Run};
use crate::leftovers::foreign;
use crate::objects::{config_map, job, pod};

fn pods(count: usize) -> impl Iterator<Item = ObjectBuilder> {
    (0..count).map(|at| pod(&format!("p{at:04}")).expired(hours(1)))
}

/// The `limit` of each request.
fn limits(run: &Run) -> Vec<&str> {
    let requests = run
        .requests
        .iter()
        .filter_map(|request| request.split("limit=").nth(1));
    requests
        .filter_map(|rest| rest.split([' ', '&']).next())
        .collect()
}

#[track_caller]
fn assert_refused(run: &Run, message: &str) {
    assert_eq!(
        (run.code, run.deletions().len(), run.stdout.as_str()),
        (Some(1), 0, ""),
        "{run}"
    );
    assert!(run.stderr.contains(message), "{run}");
}

#[test]
fn the_first_page_is_small_and_the_next_ones_follow_the_chunk_size() {
    let run = Case::new(pods(1100)).reap(&["--dry-run", "-o", "name", "pods"]);
    assert_eq!(limits(&run), ["50", "500", "500", "500"], "{run}");
    assert_eq!(run.stdout.lines().count(), 1100);
    let run = Case::new(pods(30)).reap(&["--dry-run", "-o", "name", "pods", "--chunk-size=12"]);
    assert_eq!(limits(&run), ["12", "12", "12"], "{run}");
    assert_eq!(run.stdout.lines().count(), 30);
}

#[test]
fn pages_of_heavy_pods_are_smaller() {
    let case = Case::new([]);
    let heavy: Padding = Arc::new(|pod: &mut Value| {
        pod["spec"]["containers"][0]["command"] = "x".repeat(350_000).into();
    });
    for pod in pods(100) {
        case.add_padded(pod.build(), &heavy);
    }
    let run = case.reap(&["--dry-run", "-o", "name", "pods"]);
    assert_eq!(limits(&run), ["50", "23", "23", "23"], "{run}");
    assert_eq!(run.stdout.lines().count(), 100);
}

#[test]
fn every_page_carries_the_selector() {
    let run = Case::new(pods(60)).reap(&["--dry-run", "-o", "name", "pods", "-l", "a!=b"]);
    assert_eq!(run.requests.len(), 2);
    for request in &run.requests {
        assert!(
            request.contains("labelSelector=app.kubernetes.io/managed-by=ironflow,a!=b"),
            "{run}"
        );
    }
}

#[test]
fn a_list_whose_place_was_lost_begins_anew_twice_and_no_more() {
    for (losses, code) in [(1, 0), (2, 0), (3, 1)] {
        let case = Case::new(pods(60));
        case.before(on(Method::GET, "continue=").times(losses), |server| {
            server.add(job("something-changes").build());
            server.expire_continue_tokens();
        });
        let run = case.reap(&["--dry-run", "-o", "name", "pods", "--chunk-size=40"]);
        assert_eq!(run.code, Some(code), "{losses}: {run}");
        assert_eq!(
            run.stdout.lines().count(),
            if code == 0 { 60 } else { 0 },
            "{losses}"
        );
        assert_eq!(
            run.requests.len(),
            2 * (losses + 1).min(3),
            "{losses}: {run}"
        );
    }
}

#[test]
fn a_list_that_loses_its_place_for_ever_says_so() {
    let case = Case::new(pods(60));
    case.before(on(Method::GET, "continue="), |server| {
        server.add(job("something-changes").build());
        server.expire_continue_tokens();
    });
    assert_snapshot!(case.reap(&["--yes", "pods", "--chunk-size=40"]).stderr, @"Error from server (Expired): The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.");
}

#[test]
fn the_same_token_twice_is_an_error() {
    let case = Case::new(pods(60));
    case.fault(
        on(Method::GET, "/pods?"),
        Fault::quirk(Quirk::RepeatsContinue),
    );
    assert_refused(
        &case.reap(&["--yes", "pods"]),
        "error: cannot read pods: the server sends the same page again and again",
    );
}

#[test]
fn a_list_without_end_is_an_error() {
    let case = Case::new([]);
    let items = vec![r#"{"metadata":{}}"#; 200_000].join(",");
    for page in 0..12 {
        let list = format!(
            r#"{{"kind":"PodList","metadata":{{"continue":"page-{page}"}},"items":[{items}]}}"#
        );
        case.fault(
            on(Method::GET, "/pods?").after(page).times(1),
            Fault::answer(200, "application/json", list),
        );
    }
    assert_refused(
        &case.reap(&["--yes", "pods"]),
        "the server's list does not end after 2000000 objects",
    );
}

#[test]
fn an_object_that_comes_twice_counts_once_as_it_came_last() {
    let renewed = [pod("a").expires_in(hours(1)), pod("b").expired(hours(1))];
    let pages = [
        (
            json!("more"),
            [pod("a").expired(hours(1)), pod("b").expired(hours(1))],
        ),
        (json!(""), renewed),
    ];
    let case = Case::new([pod("a").expired(hours(1)), pod("b").expired(hours(1))]);
    for (at, (token, objects)) in pages.into_iter().enumerate() {
        let items: Vec<Value> = objects.into_iter().map(ObjectBuilder::build).collect();
        let list =
            json!({"kind": "PodList", "metadata": {"continue": token}, "items": items}).to_string();
        case.fault(
            on(Method::GET, "/pods?").after(at).times(1),
            Fault::answer(200, "application/json", list),
        );
    }
    assert_eq!(
        case.reap(&["--dry-run", "-o", "name", "pods"]).stdout,
        "pod/b\n"
    );
}

#[test]
fn a_server_that_ignores_the_limit_is_read_all_the_same() {
    let case = Case::new(pods(600));
    case.fault(on(Method::GET, "/pods?"), Fault::quirk(Quirk::IgnoresLimit));
    let run = case.reap(&["--dry-run", "-o", "name", "pods"]);
    assert_eq!((run.requests.len(), run.stdout.lines().count()), (1, 600));
}

#[test]
fn a_server_that_ignores_selectors_gets_nobody_elses_objects_deleted() {
    let case = Case::new([
        pod("a").expired(hours(1)),
        foreign(pod("theirs")),
        foreign(job("theirs")),
        config_map("settings").component("other").expired(hours(1)),
    ]);
    case.fault(
        on(Method::GET, ""),
        Fault::quirk(Quirk::IgnoresLabelSelector),
    );
    case.fault(
        on(Method::GET, ""),
        Fault::quirk(Quirk::IgnoresFieldSelector),
    );
    // Judging again reads by the field selector alone.
    case.before(on(Method::DELETE, "/pods/a").times(1), |server| {
        server.patch(
            Resource::Pods,
            NAMESPACE,
            "a",
            &json!({"metadata": {"labels": {"touched": "yes"}}}),
        );
    });
    let run = case.reap(&["--yes", "--show-kept"]);
    assert_eq!(
        (run.code, run.deletions()),
        (Some(0), vec!["a", "a"]),
        "{run}"
    );
    assert!(
        !run.stdout.contains("theirs") && !run.stdout.contains("settings"),
        "{run}"
    );
    assert_eq!(case.names(Resource::Pods), ["ironflow-agents/theirs"]);
}

#[test]
fn a_page_that_fails_leaves_nothing_half_shown() {
    let case = Case::new(pods(60));
    case.fault(on(Method::GET, "continue="), Fault::status(500));
    let run = case.reap(&["--yes"]);
    assert_refused(&run, "Error from server (InternalError)");
}
