//! A namespace after a worker's death: what may go, and what lives on beside it.

use anyhow::Result;
use serde_json::json;
use testbed::cluster::Objects;
use testbed::objects::{ObjectBuilder, config_map, hours, job, pod, seconds};

use crate::case::Case;

/// What may go: one object of each kind, and a pod past its deadline.
pub(crate) const ORPHANS: [&str; 5] = [
    "ConfigMap/agent-prompt",
    "Job/migrate",
    "Pod/agent",
    "Pod/builder",
    "Pod/late",
];

/// Lets an object be an orphan since a moment that lies shortly before its creation.
pub(crate) fn orphan(case: &Case, object: ObjectBuilder) -> ObjectBuilder {
    object.at(case.now).expired(seconds(20))
}

/// Creates [`ORPHANS`] and six objects that may not go.
pub(crate) async fn leave(case: &Case) -> Result<()> {
    case.create(orphan(case, suspended("migrate"))).await?;
    let is_suspended =
        |job: &serde_json::Value| job["status"]["conditions"][0]["type"] == "Suspended";
    case.cluster
        .await_object("Job", &case.namespace, "migrate", is_suspended)
        .await?;
    for object in [
        orphan(case, pod("agent")),
        orphan(case, pod("builder").component("pod-run").running()),
        pod("late").failed("DeadlineExceeded"),
        orphan(case, config_map("agent-prompt")),
        pod("alive").at(case.now).expires_in(hours(1)).running(),
        config_map("alive-prompt").at(case.now).expires_in(hours(1)),
        pod("worker").running(),
        pod("broken").expires_at("soon"),
        orphan(case, config_map("settings").component("settings")),
        orphan(
            case,
            pod("somebody-elses").label("app.kubernetes.io/managed-by", "helm"),
        ),
    ] {
        case.create(object).await?;
    }
    Ok(())
}

/// A Job that the controller leaves alone.
pub(crate) fn suspended(name: &str) -> ObjectBuilder {
    job(name)
        .set("/spec/suspend", json!(true))
        .without("/status")
}
