//! Promise 4: an answer that is no list of what was asked for stops the run.

use std::fmt::Write;

use http::Method;
use insta::assert_snapshot;
use serde_json::json;
use testbed::memory::{Fault, on};
use testbed::objects::hours;

use crate::case::Case;
use crate::objects::{config_map, pod};
use crate::spoilt::pod_list;

/// What a server, or something in front of it, may answer instead of a list of pods.
fn answers() -> Vec<(&'static str, Fault)> {
    let good =
        json!({"kind": "PodList", "items": [pod("a").expired(hours(1)).build()]}).to_string();
    vec![
        ("text", Fault::answer(200, "text/plain", "ok")),
        ("nothing", Fault::answer(200, "application/json", "")),
        (
            "a login page",
            Fault::answer(200, "text/html", "<html><title>Sign in</title></html>"),
        ),
        (
            "half a list",
            Fault::answer(200, "application/json", good[..good.len() / 2].to_owned()),
        ),
        (
            "a list and more",
            Fault::answer(200, "application/json", good.clone() + "{}"),
        ),
        ("null", Fault::answer(200, "application/json", "null")),
        ("an array", Fault::answer(200, "application/json", "[]")),
        (
            "no kind",
            Fault::answer(200, "application/json", r#"{"items":[]}"#),
        ),
        (
            "another kind",
            Fault::answer(
                200,
                "application/json",
                r#"{"kind":"SecretList","items":[]}"#,
            ),
        ),
        (
            "a status",
            Fault::answer(
                200,
                "application/json",
                r#"{"kind":"Status","status":"Success"}"#,
            ),
        ),
        (
            "items that are no array",
            Fault::answer(200, "application/json", r#"{"kind":"PodList","items":{}}"#),
        ),
        (
            "another namespace",
            pod_list(&json!([pod("a")
                .namespace("team-b")
                .expired(hours(1))
                .build()])),
        ),
        ("no content", Fault::answer(204, "application/json", "")),
        (
            "a redirection",
            Fault::answer(302, "text/html", "moved").header("location", "http://127.0.0.1:1/login"),
        ),
        (
            "not found by a proxy",
            Fault::answer(404, "text/html", "<html>404</html>"),
        ),
        ("not acceptable", Fault::status(406)),
    ]
}

#[test]
fn an_answer_that_is_no_list_of_that_kind_stops_the_run() {
    let mut messages = String::new();
    for (what, fault) in answers() {
        let case = Case::new([
            pod("a").expired(hours(1)),
            config_map("b").expired(hours(1)),
        ]);
        case.fault(on(Method::GET, "/pods?"), fault);
        let run = case.reap(&["--yes"]);
        assert_eq!(
            (run.code, run.deletions().len(), run.stdout.as_str()),
            (Some(1), 0, ""),
            "{what}: {run}"
        );
        let _ = writeln!(messages, "{what}:\n{}", run.messages());
    }
    assert_snapshot!(messages, @"
    text:
    error: cannot read pods: the server sent no Kubernetes list when it was asked for pods
    hint: check that the address is an API server's, not that of a proxy or a login page

    nothing:
    error: cannot read pods: the server sent no Kubernetes list when it was asked for pods
    hint: check that the address is an API server's, not that of a proxy or a login page

    a login page:
    error: cannot read pods: the server sent no Kubernetes list when it was asked for pods
    hint: check that the address is an API server's, not that of a proxy or a login page

    half a list:
    error: cannot read pods: the server sent no Kubernetes list when it was asked for pods
    hint: check that the address is an API server's, not that of a proxy or a login page

    a list and more:
    error: cannot read pods: the server sent no Kubernetes list when it was asked for pods
    hint: check that the address is an API server's, not that of a proxy or a login page

    null:
    error: cannot read pods: the server sent no Kubernetes list when it was asked for pods
    hint: check that the address is an API server's, not that of a proxy or a login page

    an array:
    error: cannot read pods: the server sent no Kubernetes list when it was asked for pods
    hint: check that the address is an API server's, not that of a proxy or a login page

    no kind:
    error: cannot read pods: the server sent no Kubernetes list when it was asked for pods
    hint: check that the address is an API server's, not that of a proxy or a login page

    another kind:
    error: cannot read pods: the server sent a SecretList when it was asked for pods
    hint: check that the address is an API server's, not that of a proxy or a login page

    a status:
    error: cannot read pods: the server sent a Status when it was asked for pods
    hint: check that the address is an API server's, not that of a proxy or a login page

    items that are no array:
    error: cannot read pods: the server sent no Kubernetes list when it was asked for pods
    hint: check that the address is an API server's, not that of a proxy or a login page

    another namespace:
    error: cannot read pods: the server sent an object of namespace `team-b` when it was asked for pods
    hint: check that the address is an API server's, not that of a proxy or a login page

    no content:
    Error from server: the server answered 204 No Content, but not as a Kubernetes API server does
    hint: check that the address is an API server's, not that of a proxy or a login page

    a redirection:
    Error from server: the server answered 302 Found, but not as a Kubernetes API server does
    hint: check that the address is an API server's, not that of a proxy or a login page

    not found by a proxy:
    Error from server: the server answered 404 Not Found, but not as a Kubernetes API server does
    hint: check that the address is an API server's, not that of a proxy or a login page

    not acceptable:
    Error from server (Unknown): the server responded with an unexpected status
    ");
}
