//! Names, marks, times and owners, with what may be missing, null or odd about each.

use fastrand::Rng;
use reap_core::object::Kind;
use reap_core::time::UnixSeconds;
use serde_json::{Map, Value, json};

use super::expiry::expiry;
use super::{one_in, pick};

const ODD_NAMES: [&str; 11] = [
    "",
    "A",
    "-a",
    "a-",
    "a..b",
    ".a",
    "a_b",
    "a/../../secrets",
    "a b",
    "größe",
    "a\u{1b}[2J",
];

pub(super) fn metadata(random: &mut Rng, kind: Kind, now: u64) -> Value {
    let mut metadata = Map::new();
    let mut set = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            metadata.insert(key.to_owned(), value);
        }
    };
    set("name", name(random));
    set("namespace", namespace(random));
    set(
        "uid",
        identity(random, "0fd8d3b4-6c3c-4d07-9c0d-6b3c2f6a1e57"),
    );
    set("resourceVersion", identity(random, "4711"));
    set("labels", labels(random, kind));
    set("annotations", annotations(random, now));
    set("creationTimestamp", Some(time(random, now)));
    set("deletionTimestamp", deletion(random, now));
    set("ownerReferences", owners(random));
    set("finalizers", finalizers(random));
    if one_in(random, 4) {
        let fields = json!({ "f:metadata": { "f:labels": { ".": {} } } });
        let entry = json!({ "manager": "ironflow", "operation": "Update", "fieldsType": "FieldsV1", "fieldsV1": fields });
        set("managedFields", Some(json!([entry])));
    }
    metadata.into()
}

fn name(random: &mut Rng) -> Option<Value> {
    match random.u8(0..250) {
        0 => None,
        1 => Some(Value::Null),
        2 => Some("a".repeat(pick(random, &[253, 254])).into()),
        3 => Some(pick(random, &ODD_NAMES).into()),
        4 => Some("a.b-c.9".into()),
        _ => Some(format!("claude-code-{:x}", random.u32(..)).into()),
    }
}

fn namespace(random: &mut Rng) -> Option<Value> {
    match random.u8(0..250) {
        0 => None,
        1 => Some("a".repeat(pick(random, &[63, 64])).into()),
        2 => Some(pick(random, &ODD_NAMES).into()),
        _ => Some("ironflow-agents".into()),
    }
}

fn identity(random: &mut Rng, usual: &str) -> Option<Value> {
    match random.u8(0..250) {
        0 => None,
        1 => Some(Value::Null),
        2 => Some("".into()),
        _ => Some(usual.into()),
    }
}

fn labels(random: &mut Rng, kind: Kind) -> Option<Value> {
    match random.u8(0..100) {
        0 => return None,
        1 => return Some(Value::Null),
        2 => return Some(json!({})),
        _ => {}
    }
    let component = match kind {
        Kind::Job => "job-run",
        Kind::Pod => "claude-runner",
        Kind::ConfigMap => "prompt-data",
        Kind::PersistentVolumeClaim => "environment",
    };
    let mut labels = Map::new();
    let mut set = |key: &str, value: &str| labels.insert(key.to_owned(), value.into());
    match random.u8(0..80) {
        0 => None,
        1 => set(
            "app.kubernetes.io/managed-by",
            pick(random, &["", "Ironflow", "ironflow ", "Helm", "ïronflow"]),
        ),
        _ => set("app.kubernetes.io/managed-by", "ironflow"),
    };
    match random.u8(0..80) {
        0 => None,
        1 => set(
            "app.kubernetes.io/component",
            pick(random, &["", "Environment", "prompt", "worker"]),
        ),
        2 => set(
            "app.kubernetes.io/component",
            pick(random, &["environment", "prompt-data", "pod-run"]),
        ),
        _ => set("app.kubernetes.io/component", component),
    };
    if random.bool() {
        set("ironflow.io/run-id", &format!("run-{}", random.u8(..)));
        set(
            "ironflow.io/step",
            pick(random, &["build", "prüfen", "", "\u{202e}txt"]),
        );
    }
    Some(labels.into())
}

fn annotations(random: &mut Rng, now: u64) -> Option<Value> {
    match random.u8(0..40) {
        0 => return None,
        1 => return Some(Value::Null),
        _ => {}
    }
    let mut annotations = Map::new();
    match random.u8(0..30) {
        0 => {}
        1 => drop(annotations.insert("ironflow.io/expires-at".to_owned(), Value::Null)),
        2 => drop(annotations.insert("ironflow.io/expires_at".to_owned(), "0".into())),
        _ => drop(annotations.insert(
            "ironflow.io/expires-at".to_owned(),
            expiry(random, now).into(),
        )),
    }
    if one_in(random, 5) {
        annotations.insert("ironflow.io/stdin".to_owned(), "eingabe «ß» 🦀 \"\\".into());
    }
    Some(annotations.into())
}

/// Near to now, or some of the ways in which RFC 3339 may be written.
fn time(random: &mut Rng, now: u64) -> Value {
    if one_in(random, 20) {
        return pick(
            random,
            &[
                "1969-12-31T23:59:59Z",
                "2026-12-02T10:00:00.123456789Z",
                "2026-12-02T10:00:00+05:30",
                "9999-12-31T23:59:59Z",
                "2026-12-02t10:00:00z",
            ],
        )
        .into();
    }
    let time = UnixSeconds(now.saturating_sub(random.u64(0..200)));
    time.rfc3339().map_or(Value::Null, Into::into)
}

fn deletion(random: &mut Rng, now: u64) -> Option<Value> {
    match random.u8(0..12) {
        0 | 1 => Some(time(random, now)),
        2 => Some(Value::Null),
        _ => None,
    }
}

fn owners(random: &mut Rng) -> Option<Value> {
    match random.u8(0..10) {
        0 => Some(Value::Null),
        1 => Some(json!([])),
        2..=4 => {
            let count = random.usize(1..3);
            Some((0..count).map(|_| owner(random)).collect())
        }
        _ => None,
    }
}

fn owner(random: &mut Rng) -> Value {
    let mut owner = json!({
        "apiVersion": pick(random, &["batch/v1", "v1", "example.com/v1", ""]),
        "kind": pick(random, &["Job", "Job", "Job", "job", "Pod", "CronJob", ""]),
        "name": "owner",
        "uid": "9d1f0c52-0d7a-4f0e-8a52-1d6a5b0a7c11",
    });
    match random.u8(0..6) {
        0 => {}
        1 => owner["controller"] = Value::Null,
        2 => owner["controller"] = json!(false),
        _ => owner["controller"] = json!(true),
    }
    owner
}

fn finalizers(random: &mut Rng) -> Option<Value> {
    match random.u8(0..8) {
        0 => Some(Value::Null),
        1 => Some(json!([])),
        2 => Some(json!([
            "kubernetes.io/pvc-protection",
            "example.com/ünïcode"
        ])),
        _ => None,
    }
}
