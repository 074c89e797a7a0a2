//! Deletions of pods that take their time.

use anyhow::Result;
use serde_json::json;

use super::place::{Place, pod_on_node};
use super::{Scenario, scenarios};

pub(super) fn scenarios() -> Vec<Scenario> {
    scenarios![
        a_pod_on_a_node_stays_for_its_grace_period,
        a_grace_period_can_only_be_shortened,
        a_pod_that_has_ended_goes_at_once,
    ]
}

async fn a_pod_on_a_node_stays_for_its_grace_period(place: &Place<'_>) -> Result<()> {
    let before = place.create(pod_on_node(), "a", &[]).await?;
    let deleted = place.delete("Pod", "a", json!({})).await?;
    assert_eq!(
        (deleted.code, deleted.metadata("deletionGracePeriodSeconds")),
        (200, &json!(30))
    );
    assert_ne!(
        deleted.metadata("resourceVersion"),
        &before["metadata"]["resourceVersion"]
    );
    let again = place.delete("Pod", "a", json!({})).await?;
    assert_eq!(
        (again.code, &again.body),
        (200, &deleted.body),
        "deleted already"
    );
    assert_eq!(place.get("Pod", "/a").await?, deleted);
    let stale =
        json!({"preconditions": {"resourceVersion": before["metadata"]["resourceVersion"]}});
    assert_eq!(
        place.delete("Pod", "a", stale).await?.code,
        409,
        "what a try after a lost answer gets"
    );
    Ok(())
}

async fn a_grace_period_can_only_be_shortened(place: &Place<'_>) -> Result<()> {
    place.create(pod_on_node(), "a", &[]).await?;
    for (asked, kept) in [(20, 20), (40, 20), (10, 10), (-1, 1)] {
        let deleted = place
            .delete("Pod", "a", json!({"gracePeriodSeconds": asked}))
            .await?;
        assert_eq!(
            (deleted.code, deleted.metadata("deletionGracePeriodSeconds")),
            (200, &json!(kept)),
            "{asked}"
        );
    }
    place.create(pod_on_node(), "b", &[]).await?;
    assert_eq!(
        place
            .delete("Pod", "b", json!({"gracePeriodSeconds": 0}))
            .await?
            .code,
        200
    );
    assert_eq!(place.get("Pod", "/b").await?.code, 404);
    Ok(())
}

async fn a_pod_that_has_ended_goes_at_once(place: &Place<'_>) -> Result<()> {
    place.create(pod_on_node(), "a", &[]).await?;
    let failed = json!({"status": {"phase": "Failed", "reason": "DeadlineExceeded"}});
    assert_eq!(place.patch("Pod", "/a/status", failed).await?.code, 200);
    let deleted = place.delete("Pod", "a", json!({})).await?;
    assert_eq!(deleted.metadata("deletionGracePeriodSeconds"), &json!(0));
    assert_eq!(place.get("Pod", "/a").await?.code, 404);
    Ok(())
}
