//! Builders for ironflow's objects as JSON: `pod("a").expired(hours(5)).running()`.
//!
//! They are what an API server would answer; one creates them when what only it may set is left out.

mod builder;

use std::time::Duration;

use serde_json::{Value, json};

pub use builder::ObjectBuilder;

/// The time the builders begin with, in unix seconds: 2027-01-15T08:00:00Z.
pub const NOW: u64 = 1_800_000_000;

/// The namespace the builders begin with.
pub const NAMESPACE: &str = "ironflow-agents";

/// What the pods carry of prompts and tokens: nobody may ever see it.
pub const SECRET: &str = "hunter2-prompt-and-token";

/// So many hours.
#[must_use]
pub fn hours(hours: u64) -> Duration {
    Duration::from_secs(hours * 3600)
}

/// So many seconds.
#[must_use]
pub fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// A Pending agent pod without an expiry.
#[must_use]
pub fn pod(name: &str) -> ObjectBuilder {
    ObjectBuilder::new("v1", "Pod", name)
        .component("claude-runner")
        .annotation("ironflow.io/stdin", SECRET)
        .set("/spec", pod_spec())
        .pending()
}

/// A running Job with one active pod and without an expiry.
#[must_use]
pub fn job(name: &str) -> ObjectBuilder {
    ObjectBuilder::new("batch/v1", "Job", name)
        .component("job-run")
        .set(
            "/spec",
            json!({ "backoffLimit": 2, "template": { "spec": pod_spec() } }),
        )
        .set("/status", json!({ "active": 1 }))
}

/// The ConfigMap of a prompt, without an expiry.
#[must_use]
pub fn config_map(name: &str) -> ObjectBuilder {
    ObjectBuilder::new("v1", "ConfigMap", name)
        .component("prompt-data")
        .set("/data", json!({ "prompt": SECRET }))
}

/// An environment claim without an expiry.
#[must_use]
pub fn claim(name: &str) -> ObjectBuilder {
    let spec = json!({
        "accessModes": ["ReadWriteOnce"],
        "resources": { "requests": { "storage": "1Gi" } },
    });
    ObjectBuilder::new("v1", "PersistentVolumeClaim", name)
        .component("environment")
        .finalizer("kubernetes.io/pvc-protection")
        .set("/spec", spec)
        .phase("Bound")
}

fn pod_spec() -> Value {
    json!({
        "restartPolicy": "Never",
        "containers": [{
            "name": "agent",
            "image": "registry.example.com/agent:1",
            "command": ["agent", "--prompt", SECRET],
            "env": [{ "name": "TOKEN", "value": SECRET }],
        }],
    })
}
