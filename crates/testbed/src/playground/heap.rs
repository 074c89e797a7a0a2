//! The objects of the playground.

use serde_json::{Value, json};

use crate::objects::{NAMESPACE, ObjectBuilder, claim, config_map, hours, job, pod, seconds};

/// The second namespace.
pub const BATCH: &str = "ironflow-batch";

/// The objects, as they are at `now`, in unix seconds.
#[must_use]
pub fn heap(now: u64) -> Vec<Value> {
    let builders = orphans(now)
        .into_iter()
        .chain(kept(now))
        .chain(of_batch(now));
    builders
        .map(ObjectBuilder::build)
        .chain([foreign()])
        .collect()
}

/// What dead workers left in the first namespace.
fn orphans(now: u64) -> Vec<ObjectBuilder> {
    let agent = "claude-code-1a2345-30e2275d";
    vec![
        job("migrate")
            .at(now)
            .created(minutes(182))
            .failed("DeadlineExceeded")
            .expires_in(hours(2)),
        job("nightly-import")
            .at(now)
            .created(hours(5))
            .run("0198c2")
            .step("import")
            .expired(minutes(47)),
        job_pod("nightly-import", "nightly-import-x7k2p", now)
            .created(hours(5))
            .running(),
        pod(agent)
            .at(now)
            .created(hours(7))
            .run("0198a7")
            .step("refactor")
            .expired(minutes(312))
            .running()
            .on_node("node-2"),
        config_map(&format!("{agent}-prompt"))
            .at(now)
            .created(hours(7))
            .run("0198a7")
            .step("refactor")
            .expired(minutes(312)),
        pod("claude-code-7f0c11-b81d9e02")
            .at(now)
            .created(hours(31))
            .run("0197f3")
            .step("review")
            .expired(hours(26))
            .pending(),
        pod("fetch-sources")
            .at(now)
            .component("pod-run")
            .created(minutes(95))
            .expires_in(minutes(25))
            .failed("DeadlineExceeded"),
        claim("ironflow-env-5be1-77c0")
            .at(now)
            .created(hours(72))
            .expired(hours(24)),
    ]
}

/// What must stay in the first namespace, for every sort of reason.
fn kept(now: u64) -> Vec<ObjectBuilder> {
    let agent = "claude-code-c4e19a-5d20f3b7";
    vec![
        pod(agent)
            .at(now)
            .created(minutes(20))
            .run("0198d4")
            .step("implement")
            .expires_in(hours(2))
            .running()
            .on_node("node-1")
            .mounts("ironflow-env-9a3f-04d2"),
        config_map(&format!("{agent}-prompt"))
            .at(now)
            .created(minutes(20))
            .run("0198d4")
            .step("implement")
            .expires_in(hours(2)),
        claim("ironflow-env-9a3f-04d2")
            .at(now)
            .created(hours(30))
            .expired(hours(1)),
        pod("claude-code-worker")
            .at(now)
            .created(hours(400))
            .running()
            .on_node("node-1"),
        pod("lint-docs")
            .at(now)
            .component("pod-run")
            .created(hours(3))
            .expires_at("2026-12-01T10:00:00Z")
            .running(),
        pod("load-fixtures")
            .at(now)
            .component("pod-run")
            .created(hours(4))
            .expires_at_seconds(1_796_000_000_000)
            .running(),
        pod("build-image")
            .at(now)
            .component("pod-run")
            .created(hours(9))
            .expired(hours(8))
            .running()
            .on_node("node-3")
            .terminating(540),
    ]
}

/// What is in the second namespace.
fn of_batch(now: u64) -> Vec<ObjectBuilder> {
    let batch = vec![
        pod("score-candidates")
            .at(now)
            .component("pod-run")
            .created(hours(50))
            .expired(hours(49))
            .phase("Unknown")
            .on_node("node-3"),
        config_map("claude-code-88ab-prompt")
            .at(now)
            .created(hours(100))
            .expired(hours(96)),
        job("weekly-report")
            .at(now)
            .created(minutes(5))
            .expires_in(hours(6)),
        job_pod("weekly-report", "weekly-report-q9m4z", now)
            .created(minutes(5))
            .running(),
    ];
    batch
        .into_iter()
        .map(|object| object.namespace(BATCH))
        .collect()
}

fn job_pod(job: &str, name: &str, now: u64) -> ObjectBuilder {
    pod(name)
        .at(now)
        .component("job-run")
        .owned_by_job(job, &format!("uid-of-{job}"))
        .finalizer("batch.kubernetes.io/job-tracking")
        .on_node("node-2")
}

/// A ConfigMap that a workflow applied: it bears no label of ironflow's, and is nobody's business here.
fn foreign() -> Value {
    json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": { "name": "feature-flags", "namespace": NAMESPACE },
        "data": { "beta": "true" },
    })
}

fn minutes(minutes: u64) -> std::time::Duration {
    seconds(minutes * 60)
}
