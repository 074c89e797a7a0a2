//! What we ought to decide: upstream's decision, changed by the rows of the table of differences and by nothing else.

use reap_core::object::Kind;
use serde_json::Value;

use crate::case::text;

/// Whether ironflow's selector finds the object, which decides whether upstream gets to see it.
#[must_use]
pub fn is_listed(kind: Kind, object: &Value) -> bool {
    let component = match kind {
        Kind::Job | Kind::Pod => None,
        Kind::ConfigMap => Some("prompt-data"),
        Kind::PersistentVolumeClaim => Some("environment"),
    };
    let label = |key| {
        text(
            object,
            &format!("/metadata/labels/app.kubernetes.io~1{key}"),
        )
    };
    label("managed-by") == Some("ironflow")
        && component.is_none_or(|component| label("component") == Some(component))
}

/// Whether a DELETE can name this object in this version: the row «what is deleted».
#[must_use]
pub fn is_addressable(object: &Value) -> bool {
    let metadata = |key| text(object, &format!("/metadata/{key}")).unwrap_or_default();
    !metadata("uid").is_empty()
        && !metadata("resourceVersion").is_empty()
        && metadata("namespace").len() <= 63
        && is_label(metadata("namespace"))
        && metadata("name").len() <= 253
        && metadata("name").split('.').all(is_label)
}

/// `[a-z0-9]([-a-z0-9]*[a-z0-9])?`
fn is_label(text: &str) -> bool {
    let inner = |character| matches!(character, 'a'..='z' | '0'..='9' | '-');
    !text.is_empty() && text.chars().all(inner) && !text.starts_with('-') && !text.ends_with('-')
}

/// Whether the object is being deleted already: the row «Jobs and ConfigMaps being deleted already».
#[must_use]
pub fn is_terminating(object: &Value) -> bool {
    !object["metadata"]["deletionTimestamp"].is_null()
}

/// Whether a live pod of ironflow in the same namespace mounts the claim: the row «claims».
#[must_use]
pub fn is_mounted(claim: &Value, pod: &Value) -> bool {
    let mounts = |volume: &Value| {
        let name = volume.pointer("/persistentVolumeClaim/claimName");
        name.is_some_and(|name| *name == claim["metadata"]["name"])
    };
    is_listed(Kind::Pod, pod)
        && pod["metadata"]["namespace"] == claim["metadata"]["namespace"]
        && matches!(
            pod.pointer("/status/phase").and_then(Value::as_str),
            None | Some("Pending" | "Running")
        )
        && pod["spec"]["volumes"]
            .as_array()
            .is_some_and(|volumes| volumes.iter().any(mounts))
}

/// Whether a Job controls the pod: it goes with its Job, stuck or not.
#[must_use]
pub fn is_controlled_by_job(pod: &Value) -> bool {
    pod["metadata"]["ownerReferences"]
        .as_array()
        .is_some_and(|owners| {
            owners
                .iter()
                .any(|owner| owner["kind"] == "Job" && owner["controller"] == true)
        })
}

/// Whether the object belongs to the run, which upstream cannot be asked for.
#[must_use]
pub fn is_of_run(object: &Value, run: &str) -> bool {
    ["run-id", "root-run-id"]
        .iter()
        .any(|key| text(object, &format!("/metadata/labels/ironflow.io~1{key}")) == Some(run))
}
