//! Promise 8: what pods and ConfigMaps carry of prompts and tokens is never seen, nor is any credential.

use http::Method;
use serde_json::json;
use testbed::memory::{Fault, Resource, on};
use testbed::objects::{NAMESPACE, SECRET, hours};

use crate::case::{Case, Run};
use crate::leftovers::leftovers;
use crate::objects::{claim, config_map};

const TOKEN: &str = "s3cret-bearer-token";

#[track_caller]
fn assert_silent(run: &Run, secret: &str) {
    for text in [&run.stdout, &run.stderr, &run.requests.join("\n")] {
        assert!(!text.contains(secret), "{run}");
    }
}

#[test]
fn prompts_input_and_tokens_of_objects_are_never_printed_nor_sent() {
    for arguments in [
        &["--dry-run", "-A", "all,pvc", "--show-kept"][..],
        &["--dry-run", "-o", "wide", "--show-kept"],
        &["--dry-run", "-o", "json", "--show-kept", "-A"],
        &["--dry-run", "-o", "yaml", "--show-kept", "-A"],
        &["--dry-run=server"],
        &["--yes", "all,pvc"],
    ] {
        assert_silent(&Case::new(leftovers()).reap(arguments), SECRET);
    }
}

#[test]
fn an_answer_that_is_cut_short_is_not_quoted() {
    for bytes in [200, 700, 1500] {
        let case = Case::new(leftovers());
        case.fault(on(Method::GET, "/pods?"), Fault::truncated(bytes));
        let run = case.reap(&["--yes"]);
        assert_eq!(run.code, Some(1), "{run}");
        assert_silent(&run, SECRET);
    }
}

#[test]
fn config_maps_and_claims_are_only_ever_asked_for_as_metadata() {
    let case = Case::new([
        config_map("a").expired(hours(1)),
        claim("b").expired(hours(1)),
    ]);
    for (resource, name) in [(Resource::ConfigMaps, "a"), (Resource::Claims, "b")] {
        case.before(
            on(Method::DELETE, format!("/{name}")).times(1),
            move |server| {
                server.patch(
                    resource,
                    NAMESPACE,
                    name,
                    &json!({"metadata": {"labels": {"touched": "yes"}}}),
                );
            },
        );
    }
    let run = case.reap(&["--yes", "cm,pvc"]);
    assert_eq!((run.code, run.deletions().len()), (Some(0), 4), "{run}");
    let about_data = run
        .requests
        .iter()
        .filter(|request| !request.contains("/pods") && !request.starts_with("POST "));
    for request in about_data {
        assert!(request.contains(" (metadata only)"), "{request}");
    }
}

#[test]
fn a_token_is_sent_over_tls_and_never_printed() {
    let case = Case::over_tls(leftovers(), &json!({"token": TOKEN}));
    case.refuse_anonymous();
    case.add_user("jane", TOKEN);
    let run = case.reap(&["--yes", "-o", "json"]);
    assert_eq!(run.code, Some(0), "{run}");
    assert!(
        case.log()
            .0
            .iter()
            .all(|received| received.header("authorization") == format!("Bearer {TOKEN}"))
    );
    assert_silent(&run, TOKEN);
    case.revoke(TOKEN);
    for run in [
        case.reap(&["--yes"]),
        case.reap(&["--yes", "--token", "an0ther-token"]),
    ] {
        assert_eq!(run.code, Some(1), "{run}");
        assert!(
            run.stderr
                .contains("error: You must be logged in to the server"),
            "{run}"
        );
        assert_silent(&run, TOKEN);
        assert_silent(&run, "an0ther-token");
    }
}

#[test]
fn credentials_never_travel_over_plain_http() {
    let case = Case::new(leftovers());
    case.write_kubeconfig(&case.kubeconfig_of(&json!({"token": TOKEN})));
    for arguments in [
        &["--dry-run"][..],
        &["--dry-run", "--token", TOKEN],
        &["--dry-run", "--username=a", "--password=b"],
    ] {
        let run = case.reap(arguments);
        assert_eq!(run.code, Some(0), "{run}");
        assert!(
            case.log()
                .0
                .iter()
                .all(|received| received.header("authorization").is_empty())
        );
        assert_silent(&run, TOKEN);
    }
}

#[test]
fn a_kubeconfig_that_cannot_be_read_is_not_quoted() {
    let case = Case::new([]);
    for kubeconfig in [
        format!("users: [{{user: {{token: {TOKEN}}}"),
        format!("token: {TOKEN}\n\t: :"),
        TOKEN.to_owned(),
    ] {
        case.write_kubeconfig(&kubeconfig);
        let run = case.reap(&["--yes"]);
        assert_eq!(run.code, Some(1), "{run}");
        assert_silent(&run, TOKEN);
    }
}

#[test]
fn each_request_says_who_asks() {
    let case = Case::new(leftovers());
    case.reap(&["--yes"]);
    for received in case.log().0 {
        assert!(
            received
                .header("user-agent")
                .starts_with("kubectl-ironflow-reap/"),
            "{received}"
        );
    }
}
