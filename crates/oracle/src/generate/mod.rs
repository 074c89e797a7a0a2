//! Cases by the million, the same for the same seed; edges are frequent.

mod body;
mod damage;
mod expiry;
mod metadata;

use fastrand::Rng;
use reap_core::object::Kind;
use serde_json::{Value, json};

use crate::case::{Case, text};

/// The case with this number.
#[must_use]
pub fn case(seed: u64, number: u64) -> Case {
    let mut random = Rng::with_seed(seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    let random = &mut random;
    let kind = pick(random, &Kind::ALL);
    let now = if one_in(random, 20) {
        pick(random, &[0, 1, 61, u64::MAX, i64::MAX.unsigned_abs()])
    } else {
        random.u64(1_700_000_000..1_900_000_000)
    };
    let mut object = object(random, kind, now);
    let pod = (kind == Kind::PersistentVolumeClaim && random.bool())
        .then(|| mounting_pod(random, &object));
    if one_in(random, 30) {
        damage::damage(random, &mut object);
    }
    let run = text(&object, "/metadata/labels/ironflow.io~1run-id");
    let run = run.filter(|_| one_in(random, 2)).map(str::to_owned);
    Case {
        kind,
        now,
        caller_now: caller_now(random, now),
        pod,
        later: later(random, &object, now),
        stuck: !one_in(random, 3),
        run,
        object,
    }
}

fn object(random: &mut Rng, kind: Kind, now: u64) -> Value {
    let mut object = json!({ "metadata": metadata::metadata(random, kind, now) });
    // On a list, objects come without these two.
    if one_in(random, 2) {
        object["apiVersion"] = json!(kind.api_version());
        object["kind"] = json!(kind.as_str());
    }
    body::fill(random, kind, &mut object);
    object
}

fn caller_now(random: &mut Rng, now: u64) -> u64 {
    let skew = pick(random, &[0, 0, 0, 0, 0, 0, 1, 31, 3600]);
    if random.bool() {
        now.saturating_add(skew)
    } else {
        now.saturating_sub(skew)
    }
}

/// Mostly one that mounts the claim and is alive.
fn mounting_pod(random: &mut Rng, claim: &Value) -> Value {
    let name = if one_in(random, 8) {
        json!("another")
    } else {
        claim["metadata"]["name"].clone()
    };
    let namespace = if one_in(random, 8) {
        json!("another")
    } else {
        claim["metadata"]["namespace"].clone()
    };
    let managed_by = if one_in(random, 8) {
        "helm"
    } else {
        "ironflow"
    };
    let phase = pick(
        random,
        &[
            "Running",
            "Running",
            "Pending",
            "Failed",
            "Succeeded",
            "Unknown",
        ],
    );
    let status = if one_in(random, 8) {
        json!({})
    } else {
        json!({ "phase": phase })
    };
    let source = json!({ "claimName": if name.is_string() { name } else { json!("another") } });
    json!({
        "metadata": {
            "name": "agent",
            "namespace": namespace,
            "labels": { "app.kubernetes.io/managed-by": managed_by },
        },
        "spec": { "volumes": [
            { "name": "token", "emptyDir": {} },
            { "name": "workspace", "persistentVolumeClaim": source },
        ] },
        "status": status,
    })
}

/// What bears the name when it is deleted: mostly the same object.
fn later(random: &mut Rng, object: &Value, now: u64) -> Option<Value> {
    let mut later = object.clone();
    let Some(metadata) = later.get_mut("metadata").and_then(Value::as_object_mut) else {
        return Some(later);
    };
    let text = |text: &str| Value::from(text);
    match random.u8(0..14) {
        0 => return None,
        1 => {
            metadata.insert(
                "uid".to_owned(),
                text("11111111-2222-3333-4444-555555555555"),
            );
        }
        2 | 3 => {
            let expiry = now.saturating_add(random.u64(0..7200)).to_string();
            metadata.insert(
                "annotations".to_owned(),
                json!({ "ironflow.io/expires-at": expiry }),
            );
        }
        4 => {
            metadata.remove("labels");
        }
        5..=9 => {
            if let Some(labels) = metadata.get_mut("labels").and_then(Value::as_object_mut) {
                labels.insert("ironflow.io/run-id".to_owned(), text("another-run"));
            }
        }
        10 => {
            metadata.insert("deletionTimestamp".to_owned(), text("2026-12-02T10:00:00Z"));
        }
        _ => {}
    }
    Some(later)
}

fn one_in(random: &mut Rng, count: u32) -> bool {
    random.u32(0..count) == 0
}

fn pick<T: Copy>(random: &mut Rng, choices: &[T]) -> T {
    choices[random.usize(0..choices.len())]
}
