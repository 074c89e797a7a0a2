//! `spec`, `status` and `data`: what of a deadline, and what neither reaper may stumble over.

use fastrand::Rng;
use reap_core::object::Kind;
use serde_json::{Map, Value, json};

use super::{one_in, pick};

pub(super) fn fill(random: &mut Rng, kind: Kind, object: &mut Value) {
    match kind {
        Kind::Job => {
            set(object, "spec", part(random, job_spec));
            set(object, "status", part(random, job_status));
        }
        Kind::Pod => {
            set(object, "spec", part(random, pod_spec));
            set(object, "status", part(random, pod_status));
        }
        Kind::ConfigMap => set(
            object,
            "data",
            part(random, |_| json!({ "prompt": "Überprüfe «alles» 🦀" })),
        ),
        Kind::PersistentVolumeClaim => {
            let spec = |_: &mut Rng| json!({ "accessModes": ["ReadWriteOnce"], "resources": { "requests": { "storage": "1Gi" } } });
            set(object, "spec", part(random, spec));
            set(
                object,
                "status",
                part(random, |_| json!({ "phase": "Bound" })),
            );
        }
    }
}

fn set(object: &mut Value, key: &str, value: Option<Value>) {
    if let Some(value) = value {
        object[key] = value;
    }
}

/// Sometimes absent, null or empty.
fn part(random: &mut Rng, make: impl FnOnce(&mut Rng) -> Value) -> Option<Value> {
    match random.u8(0..20) {
        0 => None,
        1 => Some(Value::Null),
        2 => Some(json!({})),
        _ => Some(make(random)),
    }
}

fn pod_spec(random: &mut Rng) -> Value {
    let container = json!({
        "name": "agent",
        "image": "registry.example.com/agent:1",
        "command": ["agent", "--prompt", "schöne Grüße"],
        "env": [{ "name": "TOKEN", "value": "hunter2" }],
        "resources": { "limits": { "memory": "1Gi" } },
    });
    let mut spec = json!({ "containers": [container], "restartPolicy": "Never" });
    if random.bool() {
        spec["nodeName"] = pick(random, &["node-1", ""]).into();
    }
    if one_in(random, 4) {
        let claim = json!({ "name": "workspace", "persistentVolumeClaim": { "claimName": "ironflow-env-1" } });
        spec["volumes"] = json!([{ "name": "token", "emptyDir": {} }, claim]);
    }
    spec
}

fn pod_status(random: &mut Rng) -> Value {
    let mut status = Map::new();
    let phase = pick(
        random,
        &[
            "Failed",
            "Failed",
            "Failed",
            "Failed",
            "Running",
            "Pending",
            "Succeeded",
            "Unknown",
            "failed",
            "",
        ],
    );
    let reason = pick(
        random,
        &[
            "DeadlineExceeded",
            "DeadlineExceeded",
            "DeadlineExceeded",
            "Evicted",
            "deadlineExceeded",
            "",
        ],
    );
    for (key, value) in [("phase", phase), ("reason", reason)] {
        match random.u8(0..10) {
            0 => None,
            1 => status.insert(key.to_owned(), Value::Null),
            _ => status.insert(key.to_owned(), value.into()),
        };
    }
    if one_in(random, 4) {
        status.insert(
            "conditions".to_owned(),
            json!([{ "type": "Ready", "status": "False" }]),
        );
    }
    status.into()
}

fn job_spec(_: &mut Rng) -> Value {
    let container = json!({ "name": "step", "image": "registry.example.com/step:1" });
    json!({
        "backoffLimit": 2,
        "activeDeadlineSeconds": 600,
        "template": { "spec": { "containers": [container], "restartPolicy": "Never" } },
    })
}

fn job_status(random: &mut Rng) -> Value {
    let mut status = json!({ "active": random.u8(0..3) });
    match random.u8(0..6) {
        0 => {}
        1 => status["conditions"] = Value::Null,
        2 => status["conditions"] = json!([]),
        _ => {
            let count = random.usize(1..4);
            status["conditions"] = (0..count).map(|_| condition(random)).collect();
        }
    }
    status
}

fn condition(random: &mut Rng) -> Value {
    let mut condition = json!({
        "type": pick(random, &["Failed", "Failed", "FailureTarget", "Complete", "Suspended", "failed"]),
        "status": pick(random, &["True", "True", "True", "False", "Unknown", "true"]),
        "lastTransitionTime": "2026-12-02T10:00:00Z",
    });
    match random.u8(0..8) {
        0 => {}
        1 => condition["reason"] = Value::Null,
        2 => condition["reason"] = json!("BackoffLimitExceeded"),
        3 => condition["reason"] = json!("deadlineExceeded"),
        _ => condition["reason"] = json!("DeadlineExceeded"),
    }
    condition
}
