use reap_core::object::Kind;
use reap_core::time::UnixSeconds;
use serde_json::{Value, json};

use super::*;
use crate::api::Reading;

fn answer(code: u16, body: impl Into<bytes::Bytes>) -> Answer {
    Answer {
        status: StatusCode::from_u16(code).expect("a status"),
        reading: Reading {
            server: None,
            local: UnixSeconds(0),
        },
        retry_after: None,
        body: body.into(),
    }
}

fn answer_json(code: u16, body: &Value) -> Answer {
    answer(code, body.to_string())
}

fn meaning(answer: &Answer) -> Deletion {
    let target = ObjectRef {
        kind: Kind::Pod,
        namespace: "n".to_owned(),
        name: "a".to_owned(),
        uid: "u".to_owned(),
        resource_version: "1".to_owned(),
    };
    deletion(answer, &target)
}

/// One word for what an answer means.
fn word(answer: &Answer) -> &'static str {
    match meaning(answer) {
        Deletion::Deleted { .. } => "deleted",
        Deletion::Gone(_) => "gone",
        Deletion::Conflict(_) => "conflict",
        Deletion::Unclear(_) => "unclear",
        Deletion::Passing { .. } => "passing",
        Deletion::Refused(_) => "refused",
    }
}

fn deleted_with(finalizers: &[&str]) -> Deletion {
    Deletion::Deleted {
        finalizers: finalizers.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn a_success_with_the_object_is_a_deletion() {
    let pod = |finalizers: &Value| {
        answer_json(
            200,
            &json!({
                "kind": "Pod",
                "metadata": {"name": "a", "uid": "u", "finalizers": finalizers},
                "status": {"phase": "Running"},
            }),
        )
    };
    assert_eq!(meaning(&pod(&json!(["f"]))), deleted_with(&["f"]));
    assert_eq!(meaning(&pod(&Value::Null)), deleted_with(&[]));
    let accepted = Answer {
        status: StatusCode::ACCEPTED,
        ..pod(&Value::Null)
    };
    assert_eq!(meaning(&accepted), deleted_with(&[]));
}

#[test]
fn a_success_with_a_status_is_a_deletion_unless_it_speaks_of_another_object() {
    let status = |status: &str, details: Value| {
        let body = json!({"kind": "Status", "status": status, "details": details});
        word(&answer_json(200, &body))
    };
    assert_eq!(
        status("Success", json!({"name": "a", "uid": "u"})),
        "deleted"
    );
    assert_eq!(status("Success", json!({"name": "a"})), "deleted");
    assert_eq!(status("Success", Value::Null), "deleted");
    assert_eq!(
        status("Success", json!({"name": "a", "uid": "v"})),
        "unclear"
    );
    assert_eq!(
        status("Failure", json!({"name": "a", "uid": "u"})),
        "unclear"
    );
}

#[test]
fn a_success_with_anything_else_is_unclear() {
    for body in [
        json!({"kind": "Pod", "metadata": {"name": "b", "uid": "u"}}),
        json!({"kind": "Pod", "metadata": {"name": "a", "uid": "v"}}),
        json!({"kind": "Pod", "metadata": {"name": "a"}}),
        json!({"kind": "Pod", "metadata": {"uid": "u"}}),
        json!({"kind": "Pod"}),
        json!({"metadata": {"name": "a", "uid": "u"}}),
        json!("Status"),
    ] {
        assert_eq!(word(&answer_json(200, &body)), "unclear", "{body}");
    }
    assert_eq!(word(&answer(200, "<html>Sign in</html>")), "unclear");
    assert_eq!(word(&answer(204, "")), "unclear");
}

#[test]
fn only_a_not_found_that_names_the_object_means_that_it_is_gone() {
    let not_found = |kind: &str, reason: &str, details: Value| {
        let body = json!({"kind": kind, "reason": reason, "message": "m", "details": details});
        word(&answer_json(404, &body))
    };
    let named = || json!({"name": "a", "kind": "pods"});
    assert_eq!(not_found("Status", "NotFound", named()), "gone");
    assert_eq!(
        not_found("Status", "NotFound", json!({"name": "b"})),
        "unclear"
    );
    assert_eq!(not_found("Status", "NotFound", Value::Null), "unclear");
    assert_eq!(not_found("Status", "Gone", named()), "unclear");
    assert_eq!(not_found("Page", "NotFound", named()), "unclear");
    assert_eq!(word(&answer(404, "<html>not found</html>")), "unclear");
}

#[test]
fn a_conflict_is_one_whoever_words_it() {
    assert_eq!(word(&answer(409, "busy")), "conflict");
}

#[test]
fn what_may_pass_is_told_from_what_stays() {
    let plain = |code| word(&answer(code, ""));
    for code in [429, 502, 503, 504] {
        assert_eq!(plain(code), "passing", "{code}");
    }
    for code in [302, 400, 401, 403, 422, 500, 501] {
        assert_eq!(plain(code), "refused", "{code}");
    }
    let asked = Answer {
        retry_after: Some(Duration::from_secs(1)),
        ..answer(500, "")
    };
    assert_eq!(word(&asked), "passing");
}

#[test]
fn only_a_server_that_took_nothing_on_leaves_no_doubt() {
    let passing = |code| {
        let answer = Answer {
            retry_after: Some(Duration::from_secs(7)),
            ..answer(code, "")
        };
        let Deletion::Passing {
            retry_after,
            fate_unknown,
            ..
        } = meaning(&answer)
        else {
            panic!("{code} may pass")
        };
        (retry_after, fate_unknown)
    };
    let seven = Some(Duration::from_secs(7));
    assert_eq!(passing(429), (seven, false));
    for code in [500, 502, 503, 504] {
        assert_eq!(passing(code), (seven, true), "{code}");
    }
}

#[test]
fn a_no_is_told_in_the_servers_words() {
    let told = |answer: &Answer| server_error(answer).to_string();
    let status = |kind: &str, reason: Value, message: Value| {
        told(&answer_json(
            403,
            &json!({"kind": kind, "reason": reason, "message": message}),
        ))
    };
    assert_eq!(
        status("Status", json!("Forbidden"), json!("not you")),
        "Error from server (Forbidden): not you"
    );
    assert_eq!(
        status("Status", Value::Null, json!("not you")),
        "Error from server: not you"
    );
    let strange = "Error from server: the server answered 403 Forbidden, but not as a Kubernetes API server does";
    assert_eq!(status("Status", json!("Forbidden"), Value::Null), strange);
    assert_eq!(
        status("Page", json!("Forbidden"), json!("not you")),
        strange
    );
    assert_eq!(told(&answer(403, "<html>")), strange);
}

#[test]
fn a_wait_that_is_too_long_is_quoted() {
    let told = |seconds| {
        let answer = Answer {
            retry_after: Some(Duration::from_secs(seconds)),
            ..answer_json(
                429,
                &json!({"kind": "Status", "reason": "TooManyRequests", "message": "slow down"}),
            )
        };
        server_error(&answer).message
    };
    assert_eq!(told(30), "slow down");
    assert_eq!(told(31), "slow down (it asks to be tried again in 31s)");
    let page = Answer {
        retry_after: Some(Duration::from_secs(3600)),
        ..answer(503, "")
    };
    assert!(
        server_error(&page)
            .message
            .ends_with("(it asks to be tried again in 3600s)")
    );
}
