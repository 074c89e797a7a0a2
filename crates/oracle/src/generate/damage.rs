//! Puts something where it does not belong.

use fastrand::Rng;
use serde_json::{Value, json};

/// Replaces or removes one part of the object, at any depth.
pub(super) fn damage(random: &mut Rng, part: &mut Value) {
    let deeper = random.u8(0..4) > 0;
    match part {
        Value::Object(fields) if deeper && !fields.is_empty() => {
            let at = random.usize(0..fields.len());
            let key = fields.keys().nth(at).cloned().unwrap_or_default();
            if random.u8(0..8) == 0 {
                fields.remove(&key);
            } else {
                damage(random, &mut fields[&key]);
            }
        }
        Value::Array(elements) if deeper && !elements.is_empty() => {
            let at = random.usize(0..elements.len());
            damage(random, &mut elements[at]);
        }
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => {
            let replacements = [
                Value::Null,
                json!(true),
                json!(-1),
                json!(1.5),
                json!(u64::MAX),
                json!(""),
                json!("text"),
                json!([]),
                json!([null]),
                json!({}),
            ];
            *part = replacements[random.usize(0..replacements.len())].clone();
        }
    }
}
