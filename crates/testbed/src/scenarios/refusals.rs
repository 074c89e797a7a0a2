//! Requests that are refused, and the words for it.

use anyhow::Result;
use http::Method;
use serde_json::{Value, json};

use super::place::{Place, pod};
use super::{Scenario, scenarios};

pub(super) fn scenarios() -> Vec<Scenario> {
    scenarios![
        what_is_not_there_is_not_found,
        nonsense_is_no_label_selector,
        nonsense_is_no_field_selector,
        nonsense_is_no_continue_token,
        unknown_options_of_a_deletion_are_invalid,
        objects_cannot_be_posted_to_an_object,
    ]
}

async fn what_is_not_there_is_not_found(place: &Place<'_>) -> Result<()> {
    for (kind, resource, details) in [
        ("Pod", "pods", json!({"name": "x", "kind": "pods"})),
        (
            "Job",
            "jobs.batch",
            json!({"name": "x", "kind": "jobs", "group": "batch"}),
        ),
    ] {
        let message = format!("{resource} \"x\" not found");
        for method in [Method::GET, Method::DELETE, Method::PATCH] {
            let missing = place.ask(method, kind, "/x", json!({})).await?;
            assert_eq!(missing.refusal(), (404, "NotFound", &*message));
            assert_eq!(missing.body["details"], details);
        }
    }
    Ok(())
}

async fn nonsense_is_no_label_selector(place: &Place<'_>) -> Result<()> {
    for (selector, message) in [
        (
            "a===b",
            "unable to parse requirement: found '=', expected: identifier",
        ),
        (
            "=b",
            "found '=', expected: !, identifier, or 'end of string'",
        ),
        ("a,", "found '', expected: identifier after ','"),
        ("a=b=c", "found '=', expected: ',' or 'end of string'"),
        (
            "a%20in%20b",
            "unable to parse requirement: found 'b' expected: '('",
        ),
        (
            "a%20in%20(x",
            "unable to parse requirement: found '', expected: ',' or ')'",
        ),
        (
            "a%20b",
            "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
        ),
    ] {
        let refused = place
            .get("Pod", &format!("?labelSelector={selector}"))
            .await?;
        assert_eq!(
            refused.refusal(),
            (400, "BadRequest", message),
            "{selector}"
        );
    }
    for selector in ["a=%40", "a/b/c=d"] {
        let refused = place
            .get("Pod", &format!("?labelSelector={selector}"))
            .await?;
        assert_eq!(
            (refused.code, refused.refusal().1),
            (400, "BadRequest"),
            "{selector}"
        );
    }
    Ok(())
}

async fn nonsense_is_no_field_selector(place: &Place<'_>) -> Result<()> {
    let unknown = "\"status.phase\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"";
    for (kind, selector, message) in [
        ("Pod", "foo=bar", "field label not supported: foo"),
        (
            "Pod",
            "foo",
            "invalid selector: 'foo'; can't understand 'foo'",
        ),
        (
            "Job",
            "status.phase=x",
            "field label \"status.phase\" not supported for Job",
        ),
        ("ConfigMap", "status.phase=x", unknown),
        ("PersistentVolumeClaim", "status.phase=x", unknown),
    ] {
        let refused = place
            .get(kind, &format!("?fieldSelector={selector}"))
            .await?;
        assert_eq!(refused.refusal(), (400, "BadRequest", message));
    }
    Ok(())
}

async fn nonsense_is_no_continue_token(place: &Place<'_>) -> Result<()> {
    let refused = place.get("Pod", "?limit=1&continue=nonsense").await?;
    let (code, reason, message) = refused.refusal();
    assert_eq!((code, reason), (400, "BadRequest"));
    assert!(
        message.starts_with("invalid continue token: continue key is not valid: "),
        "{message}"
    );
    let message = "strconv.ParseInt: parsing \"many\": invalid syntax";
    assert_eq!(
        place.get("Pod", "?limit=many").await?.refusal(),
        (400, "BadRequest", message)
    );
    Ok(())
}

async fn unknown_options_of_a_deletion_are_invalid(place: &Place<'_>) -> Result<()> {
    place.create(pod(), "a", &[]).await?;
    for (options, field, wrong) in [
        (
            json!({"dryRun": ["Some"]}),
            "dryRun",
            r#"Unsupported value: ["Some"]: supported values: "All""#,
        ),
        (
            json!({"propagationPolicy": "Sideways"}),
            "propagationPolicy",
            r#"Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil""#,
        ),
        (
            json!({"propagationPolicy": "Orphan", "orphanDependents": true}),
            "propagationPolicy",
            r#"Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set"#,
        ),
    ] {
        let refused = place.delete("Pod", "a", options).await?;
        let message = format!("DeleteOptions.meta.k8s.io \"\" is invalid: {field}: {wrong}");
        assert_eq!(refused.refusal(), (422, "Invalid", &*message));
        assert_eq!(refused.body["details"]["causes"][0]["field"], field);
    }
    assert_eq!(
        place.get("Pod", "/a").await?.metadata("deletionTimestamp"),
        &Value::Null
    );
    Ok(())
}

async fn objects_cannot_be_posted_to_an_object(place: &Place<'_>) -> Result<()> {
    let refused = place.ask(Method::POST, "Pod", "/a", json!({})).await?;
    let message = "the server does not allow this method on the requested resource";
    assert_eq!(refused.refusal(), (405, "MethodNotAllowed", message));
    Ok(())
}
