//! Creating and patching.

use anyhow::Result;
use http::Method;
use serde_json::{Value, json};

use super::place::{Place, config_map, pod};
use super::{Scenario, scenarios};

pub(super) fn scenarios() -> Vec<Scenario> {
    scenarios![
        the_server_sets_what_is_its_own,
        a_name_can_be_used_once,
        a_status_and_the_rest_are_patched_apart,
        a_patch_of_an_older_version_is_a_conflict,
        a_patch_that_changes_nothing_makes_no_version,
        an_access_review_says_what_the_administrator_may,
    ]
}

async fn the_server_sets_what_is_its_own(place: &Place<'_>) -> Result<()> {
    let mut manifest = pod();
    manifest["metadata"] = json!({"generateName": "made-up-", "uid": "mine"});
    manifest["status"] = json!({"phase": "Running"});
    let created = place.ask(Method::POST, "Pod", "", manifest).await?;
    let name = created.metadata("name").as_str().unwrap_or_default();
    assert!(name.starts_with("made-up-") && name.len() == 13, "{name}");
    assert_eq!(
        (created.code, &created.body["status"]["phase"]),
        (201, &json!("Pending"))
    );
    assert_eq!(created.body["spec"]["terminationGracePeriodSeconds"], 30);
    assert_ne!(created.metadata("uid"), "mine");
    assert!(created.metadata("creationTimestamp").is_string());
    assert_eq!(
        place.get("Pod", &format!("/{name}")).await?.body,
        created.body
    );
    Ok(())
}

async fn a_name_can_be_used_once(place: &Place<'_>) -> Result<()> {
    place.create(config_map(), "a", &[]).await?;
    let mut again = config_map();
    again["metadata"] = json!({"name": "a"});
    let refused = place.ask(Method::POST, "ConfigMap", "", again).await?;
    assert_eq!(
        refused.refusal(),
        (409, "AlreadyExists", "configmaps \"a\" already exists")
    );
    Ok(())
}

async fn a_status_and_the_rest_are_patched_apart(place: &Place<'_>) -> Result<()> {
    place.create(pod(), "a", &[]).await?;
    let change = json!({"metadata": {"labels": {"x": "y"}}, "status": {"phase": "Running"}});
    let patched = place.patch("Pod", "/a", change).await?;
    assert_eq!(
        (patched.metadata("labels"), &patched.body["status"]["phase"]),
        (&json!({"x": "y"}), &json!("Pending"))
    );
    let patched = place
        .patch("Pod", "/a/status", json!({"status": {"phase": "Running"}}))
        .await?;
    assert_eq!(
        (patched.code, &patched.body["status"]["phase"]),
        (200, &json!("Running"))
    );
    Ok(())
}

async fn a_patch_of_an_older_version_is_a_conflict(place: &Place<'_>) -> Result<()> {
    place.create(config_map(), "a", &[]).await?;
    let stale = json!({"metadata": {"resourceVersion": "1", "labels": {"x": "y"}}});
    let refused = place.patch("ConfigMap", "/a", stale).await?;
    let message = "Operation cannot be fulfilled on configmaps \"a\": the object has been modified; please apply your \
                   changes to the latest version and try again";
    assert_eq!(refused.refusal(), (409, "Conflict", message));
    Ok(())
}

async fn a_patch_that_changes_nothing_makes_no_version(place: &Place<'_>) -> Result<()> {
    place.create(config_map(), "a", &[]).await?;
    let change = json!({"metadata": {"annotations": {"expires": "later"}}});
    let once = place.patch("ConfigMap", "/a", change.clone()).await?;
    let twice = place.patch("ConfigMap", "/a", change).await?;
    assert_eq!(
        twice.metadata("resourceVersion"),
        once.metadata("resourceVersion")
    );
    let undone = place
        .patch(
            "ConfigMap",
            "/a",
            json!({"metadata": {"annotations": {"expires": null}}}),
        )
        .await?;
    assert_eq!(undone.metadata("annotations").get("expires"), None);
    assert_ne!(
        undone.metadata("resourceVersion"),
        once.metadata("resourceVersion")
    );
    Ok(())
}

async fn an_access_review_says_what_the_administrator_may(place: &Place<'_>) -> Result<()> {
    let attributes = json!({"verb": "delete", "resource": "pods", "namespace": place.namespace});
    let review = json!({
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SelfSubjectAccessReview",
        "spec": {"resourceAttributes": attributes},
    });
    let request = http::Request::post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews")
        .header("content-type", "application/json")
        .body(serde_json::to_vec(&review)?)?;
    let answer = place.cluster.send(request).await?;
    let review: Value = serde_json::from_slice(answer.body())?;
    assert_eq!(
        (answer.status().as_u16(), &review["status"]["allowed"]),
        (201, &json!(true))
    );
    Ok(())
}
