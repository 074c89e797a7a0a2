//! Deletions of single objects: preconditions, dry runs, finalizers, answers.

use anyhow::Result;
use http::Method;
use serde_json::{Value, json};

use super::place::{Place, claim, config_map, job, pod, pod_on_node};
use super::{Scenario, scenarios};

const OTHER: &str = "11111111-1111-1111-1111-111111111111";

pub(super) fn scenarios() -> Vec<Scenario> {
    scenarios![
        another_uid_is_a_conflict,
        an_older_version_is_a_conflict,
        the_right_preconditions_delete,
        a_dry_run_checks_and_changes_nothing,
        a_finalizer_holds_an_object_until_it_is_taken_off,
        pods_and_claims_come_back_and_the_others_are_a_status,
        metadata_alone_answers_a_deletion,
    ]
}

async fn another_uid_is_a_conflict(place: &Place<'_>) -> Result<()> {
    for (kind, qualified, manifest) in [("Pod", "Pod", pod()), ("Job", "Job.batch", job())] {
        let object = place.create(manifest, "a", &[]).await?;
        let uid = object["metadata"]["uid"].as_str().unwrap_or_default();
        let refused = place
            .delete(kind, "a", json!({"preconditions": {"uid": OTHER}}))
            .await?;
        let message = format!(
            "Operation cannot be fulfilled on {qualified} \"a\": the UID in the precondition ({OTHER}) does not match \
             the UID in record ({uid}). The object might have been deleted and then recreated"
        );
        assert_eq!(refused.refusal(), (409, "Conflict", &*message));
        assert_eq!(
            (
                &refused.body["details"]["kind"],
                &refused.body["details"]["name"]
            ),
            (&json!(kind), &json!("a"))
        );
    }
    Ok(())
}

async fn an_older_version_is_a_conflict(place: &Place<'_>) -> Result<()> {
    let before = place.create(config_map(), "a", &[]).await?;
    let change = json!({"metadata": {"annotations": {"expires": "later"}}});
    let after = place.patch("ConfigMap", "/a", change).await?;
    let [before, after] =
        [&before, &after.body].map(|object| object["metadata"]["resourceVersion"].as_str());
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    let refused = place
        .delete(
            "ConfigMap",
            "a",
            json!({"preconditions": {"resourceVersion": before}}),
        )
        .await?;
    let message = format!(
        "Operation cannot be fulfilled on ConfigMap \"a\": the ResourceVersion in the precondition ({before}) does not \
         match the ResourceVersion in record ({after}). The object might have been modified"
    );
    assert_eq!(refused.refusal(), (409, "Conflict", &*message));
    assert_eq!(place.get("ConfigMap", "/a").await?.code, 200);
    Ok(())
}

async fn the_right_preconditions_delete(place: &Place<'_>) -> Result<()> {
    for (kind, manifest) in [("Pod", pod()), ("ConfigMap", config_map())] {
        let object = place.create(manifest, "a", &[]).await?;
        let [uid, version] = ["uid", "resourceVersion"].map(|field| &object["metadata"][field]);
        let options = json!({"preconditions": {"uid": uid, "resourceVersion": version}});
        assert_eq!(place.delete(kind, "a", options.clone()).await?.code, 200);
        let again = place.delete(kind, "a", options).await?;
        let plural = format!("{}s", kind.to_lowercase());
        assert_eq!(
            again.refusal(),
            (404, "NotFound", &*format!("{plural} \"a\" not found"))
        );
        assert_eq!(again.body["details"], json!({"name": "a", "kind": plural}));
    }
    Ok(())
}

async fn a_dry_run_checks_and_changes_nothing(place: &Place<'_>) -> Result<()> {
    for (kind, manifest) in [
        ("Pod", pod_on_node()),
        ("Job", job()),
        ("ConfigMap", config_map()),
        ("PersistentVolumeClaim", claim()),
    ] {
        let before = place.create(manifest, "a", &[]).await?;
        let wrong = json!({"dryRun": ["All"], "preconditions": {"uid": OTHER}});
        assert_eq!(
            place.delete(kind, "a", wrong).await?.refusal().1,
            "Conflict"
        );
        let uid = &before["metadata"]["uid"];
        let right = json!({"dryRun": ["All"], "preconditions": {"uid": uid}, "propagationPolicy": "Background"});
        assert_eq!(place.delete(kind, "a", right).await?.code, 200);
        assert_eq!(
            place.delete(kind, "a?dryRun=All", Value::Null).await?.code,
            200
        );
        let after = place.get(kind, "/a").await?;
        assert_eq!(
            after.metadata("resourceVersion"),
            &before["metadata"]["resourceVersion"],
            "{kind}"
        );
        assert_eq!(after.metadata("deletionTimestamp"), &Value::Null);
    }
    Ok(())
}

async fn a_finalizer_holds_an_object_until_it_is_taken_off(place: &Place<'_>) -> Result<()> {
    for (kind, manifest) in [("Pod", pod()), ("ConfigMap", config_map())] {
        place
            .create(
                manifest,
                "a",
                &[("finalizers", json!(["example.com/hold"]))],
            )
            .await?;
        let held = place.delete(kind, "a", json!({})).await?;
        assert_eq!((held.code, &held.body["kind"]), (200, &json!(kind)));
        assert_eq!(held.metadata("deletionGracePeriodSeconds"), &json!(0));
        let again = place
            .delete(kind, "a", json!({"gracePeriodSeconds": 0}))
            .await?;
        assert_eq!(
            again.metadata("deletionTimestamp"),
            held.metadata("deletionTimestamp")
        );
        let free = place
            .patch(kind, "/a", json!({"metadata": {"finalizers": null}}))
            .await?;
        assert_eq!(
            (free.code, free.metadata("finalizers")),
            (200, &Value::Null)
        );
        assert_eq!(place.get(kind, "/a").await?.code, 404);
    }
    Ok(())
}

async fn pods_and_claims_come_back_and_the_others_are_a_status(place: &Place<'_>) -> Result<()> {
    for (kind, manifest, answer) in [
        ("Pod", pod(), "Pod"),
        ("PersistentVolumeClaim", claim(), "PersistentVolumeClaim"),
        ("Job", job(), "Status"),
        ("ConfigMap", config_map(), "Status"),
    ] {
        let object = place.create(manifest, "a", &[]).await?;
        let deleted = place
            .delete(kind, "a", json!({"propagationPolicy": "Background"}))
            .await?;
        assert_eq!((deleted.code, &deleted.body["kind"]), (200, &json!(answer)));
        let named = if answer == "Status" {
            &deleted.body["details"]
        } else {
            &deleted.body["metadata"]
        };
        assert_eq!(
            (&named["name"], &named["uid"]),
            (&json!("a"), &object["metadata"]["uid"])
        );
    }
    Ok(())
}

async fn metadata_alone_answers_a_deletion(place: &Place<'_>) -> Result<()> {
    let accept = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
    for (kind, manifest, answer) in [
        ("Pod", pod(), "PartialObjectMetadata"),
        ("ConfigMap", config_map(), "Status"),
    ] {
        place.create(manifest, "a", &[]).await?;
        let deleted = place
            .ask_for(accept, Method::DELETE, kind, "/a", json!({}))
            .await?;
        assert_eq!((deleted.code, &deleted.body["kind"]), (200, &json!(answer)));
        assert_eq!(deleted.body["spec"], Value::Null);
    }
    Ok(())
}
