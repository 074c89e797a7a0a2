//! What the builders describe can stand on a real server as it is described.

use anyhow::Result;
use libtest_mimic::Trial;
use testbed::cluster::Objects;
use testbed::objects::{ObjectBuilder, claim, config_map, hours, job, pod};

use crate::case::Case;
use crate::harness::trials;

pub(crate) fn trials() -> Vec<Trial> {
    trials![
        an_expired_running_pod_keeps_its_marks_and_its_phase,
        a_pod_past_its_deadline_keeps_the_reason,
        a_failed_job_keeps_the_reason,
        a_config_map_and_a_claim_keep_their_expiry,
    ]
}

async fn an_expired_running_pod_keeps_its_marks_and_its_phase(case: &Case) -> Result<()> {
    let described = pod("runs").expired(hours(5)).run("1a23").on_node("gone");
    assert_stands(
        case,
        described.running(),
        &["/status/phase", "/spec/nodeName"],
    )
    .await
}

async fn a_pod_past_its_deadline_keeps_the_reason(case: &Case) -> Result<()> {
    let described = pod("late").failed("DeadlineExceeded");
    assert_stands(case, described, &["/status/phase", "/status/reason"]).await
}

async fn a_failed_job_keeps_the_reason(case: &Case) -> Result<()> {
    let failed = "/status/conditions/1";
    let fields = [
        format!("{failed}/type"),
        format!("{failed}/status"),
        format!("{failed}/reason"),
    ];
    let described = job("late").expired(hours(1)).failed("DeadlineExceeded");
    assert_stands(case, described, &fields.each_ref().map(String::as_str)).await
}

async fn a_config_map_and_a_claim_keep_their_expiry(case: &Case) -> Result<()> {
    assert_stands(case, config_map("prompt").expired(hours(1)), &["/data"]).await?;
    let finalizers = "/metadata/finalizers";
    assert_stands(
        case,
        claim("workspace").expired(hours(1)),
        &["/status/phase", finalizers],
    )
    .await
}

/// Creates the object and compares its marks and `fields` with what the server shows then.
async fn assert_stands(case: &Case, described: ObjectBuilder, fields: &[&str]) -> Result<()> {
    let described = described.namespace(&case.namespace).build();
    case.cluster.create(described.clone()).await?;
    let [kind, name] = ["/kind", "/metadata/name"].map(|field| described.pointer(field));
    let [kind, name] =
        [kind, name].map(|text| text.and_then(|text| text.as_str()).unwrap_or_default());
    let seen = case.cluster.get(kind, &case.namespace, name).await?;
    for field in ["/metadata/labels", "/metadata/annotations"]
        .iter()
        .chain(fields)
    {
        let expected = described.pointer(field);
        assert!(
            expected.is_some(),
            "{field} is not described: {described:#}"
        );
        assert_eq!(seen.pointer(field), expected, "{field} of {seen:#}");
    }
    Ok(())
}
