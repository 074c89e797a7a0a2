//! Lists: pages, selectors, and metadata alone.

use anyhow::Result;
use http::Method;
use serde_json::{Value, json};

use super::place::{Place, pod};
use super::{Scenario, scenarios};

pub(super) const METADATA_ALONE: &str =
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

pub(super) fn scenarios() -> Vec<Scenario> {
    scenarios![
        pages_show_every_object_once,
        a_list_shows_the_moment_of_its_first_page,
        label_selectors_choose,
        field_selectors_choose,
        metadata_alone_is_null_where_there_is_nothing,
        metadata_alone_has_nothing_but_metadata,
    ]
}

async fn three_pods(place: &Place<'_>) -> Result<()> {
    for (name, app) in [("a", "x"), ("b", "y"), ("c", "x")] {
        place
            .create(pod(), name, &[("labels", json!({"app": app}))])
            .await?;
    }
    Ok(())
}

async fn pages_show_every_object_once(place: &Place<'_>) -> Result<()> {
    three_pods(place).await?;
    let mut continued = String::new();
    for (name, left) in [("a", json!(2)), ("b", json!(1)), ("c", Value::Null)] {
        let page = place.get("Pod", &format!("?limit=1{continued}")).await?;
        assert_eq!(
            (page.names(), page.metadata("remainingItemCount")),
            (vec![name], &left)
        );
        let token = page.metadata("continue").as_str();
        assert_eq!(token.is_some(), !left.is_null());
        continued = format!("&continue={}", token.unwrap_or_default());
    }
    let whole = place.get("Pod", "?limit=3").await?;
    assert_eq!(
        (whole.names(), whole.metadata("continue")),
        (vec!["a", "b", "c"], &Value::Null)
    );
    Ok(())
}

async fn a_list_shows_the_moment_of_its_first_page(place: &Place<'_>) -> Result<()> {
    three_pods(place).await?;
    let first = place.get("Pod", "?limit=1").await?;
    place.delete("Pod", "b", json!({})).await?;
    place.create(pod(), "d", &[]).await?;
    let token = first.metadata("continue").as_str().unwrap_or_default();
    let rest = place.get("Pod", &format!("?continue={token}")).await?;
    assert_eq!(rest.names(), ["b", "c"]);
    assert_eq!(
        rest.metadata("resourceVersion"),
        first.metadata("resourceVersion")
    );
    Ok(())
}

async fn label_selectors_choose(place: &Place<'_>) -> Result<()> {
    three_pods(place).await?;
    place.create(pod(), "d", &[]).await?;
    for (selector, names) in [
        ("app=x", vec!["a", "c"]),
        ("app==y", vec!["b"]),
        ("app!=x", vec!["b", "d"]),
        ("app%20in%20(x,%20y)", vec!["a", "b", "c"]),
        ("app%20notin%20(x)", vec!["b", "d"]),
        ("app", vec!["a", "b", "c"]),
        ("!app", vec!["d"]),
        ("app=", vec![]),
        ("app,app!=x", vec!["b"]),
    ] {
        let list = place
            .get("Pod", &format!("?labelSelector={selector}"))
            .await?;
        assert_eq!((list.code, list.names()), (200, names), "{selector}");
    }
    let page = place.get("Pod", "?labelSelector=app=x&limit=1").await?;
    assert_eq!(
        (page.names(), page.metadata("remainingItemCount")),
        (vec!["a"], &Value::Null)
    );
    Ok(())
}

async fn field_selectors_choose(place: &Place<'_>) -> Result<()> {
    three_pods(place).await?;
    place
        .patch("Pod", "/b/status", json!({"status": {"phase": "Failed"}}))
        .await?;
    for (selector, names) in [
        ("metadata.name=b", vec!["b"]),
        ("metadata.name!=b", vec!["a", "c"]),
        ("metadata.namespace=elsewhere", vec![]),
        ("status.phase=Failed", vec!["b"]),
        ("status.phase!=Failed,metadata.name==c", vec!["c"]),
    ] {
        let list = place
            .get("Pod", &format!("?fieldSelector={selector}"))
            .await?;
        assert_eq!((list.code, list.names()), (200, names), "{selector}");
    }
    Ok(())
}

async fn metadata_alone_is_null_where_there_is_nothing(place: &Place<'_>) -> Result<()> {
    for kind in ["Pod", "Job", "ConfigMap", "PersistentVolumeClaim"] {
        // A real cluster puts a ConfigMap of its own into each namespace, and takes its time.
        let typed = place.get(kind, "?labelSelector=app").await?;
        assert_eq!(
            (&typed.body["kind"], &typed.body["items"]),
            (&json!(format!("{kind}List")), &json!([]))
        );
        let partial = place.ask_for(
            METADATA_ALONE,
            Method::GET,
            kind,
            "?labelSelector=app",
            Value::Null,
        );
        let partial = partial.await?.body;
        let expected = (
            &json!("PartialObjectMetadataList"),
            &json!("meta.k8s.io/v1"),
            &Value::Null,
        );
        assert_eq!(
            (&partial["kind"], &partial["apiVersion"], &partial["items"]),
            expected
        );
    }
    Ok(())
}

async fn metadata_alone_has_nothing_but_metadata(place: &Place<'_>) -> Result<()> {
    place
        .create(pod(), "a", &[("annotations", json!({"note": "kept"}))])
        .await?;
    let list = place
        .ask_for(METADATA_ALONE, Method::GET, "Pod", "", Value::Null)
        .await?;
    let item = &list.body["items"][0];
    assert_eq!(
        (&item["kind"], &item["apiVersion"]),
        (&json!("PartialObjectMetadata"), &json!("meta.k8s.io/v1"))
    );
    assert_eq!(
        (&item["spec"], &item["status"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(item["metadata"]["annotations"]["note"], "kept");
    let whole = place.get("Pod", "").await?.body;
    assert_eq!(
        (
            &whole["items"][0]["kind"],
            &whole["items"][0]["status"]["phase"]
        ),
        (&Value::Null, &json!("Pending"))
    );
    Ok(())
}
