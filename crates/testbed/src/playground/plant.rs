//! The playground's objects on a real cluster, as far as its controllers let them be.

use anyhow::Result;
use serde_json::{Value, json};

use crate::cluster::{Cluster, Objects};

/// Creates the objects and the namespaces they are in.
///
/// A pod that its Job's controller makes itself is left to it, a Job that failed for its deadline gets one of a second,
/// and what is terminating is deleted. Everything is as old as it is.
///
/// # Errors
///
/// If the cluster refuses an object.
pub async fn plant<C: Cluster>(
    cluster: &C,
    namespaces: &[&str],
    objects: Vec<Value>,
    now: u64,
) -> Result<()> {
    for name in namespaces {
        let metadata = json!({ "name": name });
        let namespace = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": metadata });
        cluster.create(namespace).await?;
    }
    let mut failing = Vec::new();
    for mut object in objects {
        if object["metadata"]["ownerReferences"].is_array() {
            continue;
        }
        let metadata = object["metadata"].clone();
        let [kind, namespace, name] = [&object["kind"], &metadata["namespace"], &metadata["name"]]
            .map(|text| text.as_str().unwrap_or_default().to_owned());
        let is_past_deadline = kind == "Job" && object["status"]["conditions"].is_array();
        if kind == "Job" {
            object["status"] = Value::Null;
        }
        if is_past_deadline {
            object["spec"]["activeDeadlineSeconds"] = 1.into();
        }
        if let Some(expiry) = object.pointer_mut("/metadata/annotations/ironflow.io~1expires-at")
            && let Some(Ok(seconds)) = expiry.as_str().map(str::parse::<u64>)
        {
            *expiry = seconds.max(now - 1).to_string().into();
        }
        cluster.create(object).await?;
        if is_past_deadline {
            failing.push((namespace.clone(), name.clone()));
        }
        if metadata["deletionTimestamp"].is_string() {
            cluster.delete(&kind, &namespace, &name).await?;
        }
    }
    for (namespace, name) in failing {
        cluster
            .await_object("Job", &namespace, &name, is_failed)
            .await?;
    }
    Ok(())
}

fn is_failed(job: &Value) -> bool {
    let conditions = job["status"]["conditions"].as_array();
    conditions
        .into_iter()
        .flatten()
        .any(|condition| condition["type"] == "Failed" && condition["status"] == "True")
}
