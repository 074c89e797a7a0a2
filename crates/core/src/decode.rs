//! How an object is read from JSON: into small structs, so that whatever is not named here is skipped.

use std::collections::BTreeMap;

use k8s_openapi::api::batch::v1::JobCondition;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{OwnerReference, Time};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::value::RawValue;

use crate::expiry::Expiry;
use crate::object::{Details, JobStatus, Kind, Object, ObjectRef};

#[derive(Deserialize)]
struct Envelope<Spec, Status> {
    metadata: Metadata,
    spec: Option<Spec>,
    status: Option<Status>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    namespace: Option<String>,
    name: Option<String>,
    uid: Option<String>,
    resource_version: Option<String>,
    labels: Option<BTreeMap<String, String>>,
    annotations: Option<Annotations>,
    creation_timestamp: Option<Time>,
    deletion_timestamp: Option<Time>,
    finalizers: Option<Vec<String>>,
    owner_references: Option<Vec<OwnerReference>>,
}

#[derive(Deserialize)]
struct Annotations {
    #[serde(rename = "ironflow.io/expires-at")]
    expires_at: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PodSpec {
    node_name: Option<String>,
    volumes: Option<Vec<Volume>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Volume {
    persistent_volume_claim: Option<ClaimSource>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClaimSource {
    claim_name: Option<String>,
}

#[derive(Deserialize)]
struct PodStatus {
    phase: Option<String>,
    reason: Option<String>,
}

#[derive(Deserialize)]
struct JobState {
    conditions: Option<Vec<JobCondition>>,
    active: Option<i32>,
}

pub(crate) fn object(kind: Kind, json: &str) -> serde_json::Result<Object> {
    Ok(match kind {
        Kind::Job => {
            let job: Envelope<IgnoredAny, JobState> = serde_json::from_str(json)?;
            assemble(kind, job.metadata, |_| job_details(job.status))
        }
        Kind::Pod => {
            let pod: Envelope<PodSpec, PodStatus> = serde_json::from_str(json)?;
            assemble(kind, pod.metadata, |owners| {
                pod_details(owners, pod.spec, pod.status)
            })
        }
        Kind::ConfigMap | Kind::PersistentVolumeClaim => {
            let other: Envelope<IgnoredAny, IgnoredAny> = serde_json::from_str(json)?;
            assemble(kind, other.metadata, |_| Details::Metadata)
        }
    })
}

fn assemble(
    kind: Kind,
    metadata: Metadata,
    details: impl FnOnce(Vec<OwnerReference>) -> Details,
) -> Object {
    let expires_at = metadata
        .annotations
        .and_then(|annotations| annotations.expires_at);
    Object {
        reference: ObjectRef {
            kind,
            namespace: metadata.namespace.unwrap_or_default(),
            name: metadata.name.unwrap_or_default(),
            uid: metadata.uid.unwrap_or_default(),
            resource_version: metadata.resource_version.unwrap_or_default(),
        },
        labels: metadata.labels.unwrap_or_default(),
        expiry: Expiry::from_annotation(expires_at),
        created_at: metadata.creation_timestamp.map(|time| time.0.into()),
        deleted_at: metadata.deletion_timestamp.map(|time| time.0.into()),
        finalizers: metadata.finalizers.unwrap_or_default(),
        details: details(metadata.owner_references.unwrap_or_default()),
    }
}

fn pod_details(
    owners: Vec<OwnerReference>,
    spec: Option<PodSpec>,
    status: Option<PodStatus>,
) -> Details {
    let (node, volumes) = spec.map_or((None, None), |spec| (spec.node_name, spec.volumes));
    let (phase, reason) = status.map_or((None, None), |status| (status.phase, status.reason));
    Details::Pod {
        deadline_exceeded: phase.as_deref() == Some("Failed")
            && reason.as_deref() == Some("DeadlineExceeded"),
        phase: phase.unwrap_or_else(|| "Pending".to_owned()),
        node: node.filter(|name| !name.is_empty()),
        controller_job: owners
            .into_iter()
            .find(|owner| owner.kind == "Job" && owner.controller == Some(true)),
        claims: volumes
            .into_iter()
            .flatten()
            .filter_map(|volume| volume.persistent_volume_claim?.claim_name)
            .collect(),
    }
}

fn job_details(state: Option<JobState>) -> Details {
    let (conditions, active) = state.map_or((None, None), |state| (state.conditions, state.active));
    let conditions: Vec<_> = conditions
        .into_iter()
        .flatten()
        .filter(|condition| condition.status == "True")
        .collect();
    let has = |wanted: &str| conditions.iter().any(|condition| condition.type_ == wanted);
    // The order is that of `printJob` in kubectl's printers.
    let status = [
        ("Complete", JobStatus::Complete),
        ("Failed", JobStatus::Failed),
        ("Suspended", JobStatus::Suspended),
        ("FailureTarget", JobStatus::FailureTarget),
        ("SuccessCriteriaMet", JobStatus::SuccessCriteriaMet),
    ]
    .into_iter()
    .find_map(|(condition, status)| has(condition).then_some(status))
    .unwrap_or(JobStatus::Running);
    Details::Job {
        status,
        deadline_exceeded: conditions.iter().any(|condition| {
            condition.type_ == "Failed" && condition.reason.as_deref() == Some("DeadlineExceeded")
        }),
        active_pods: active.map_or(0, |pods| u32::try_from(pods).unwrap_or(0)),
    }
}

#[derive(Default, Deserialize)]
struct Fragments<'a> {
    #[serde(borrow)]
    metadata: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
struct MetadataFragments<'a> {
    #[serde(borrow)]
    namespace: Option<&'a RawValue>,
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow)]
    labels: Option<&'a RawValue>,
}

/// What can still be read of an object that is not whole.
pub(crate) fn broken_object(kind: Kind, json: &str) -> Object {
    let fragments: Fragments<'_> = serde_json::from_str(json).unwrap_or_default();
    let metadata: Option<MetadataFragments<'_>> = fragments
        .metadata
        .and_then(|raw| serde_json::from_str(raw.get()).ok());
    let labels = metadata
        .as_ref()
        .and_then(|metadata| match metadata.labels {
            Some(raw) => serde_json::from_str(raw.get()).ok(),
            None => Some(BTreeMap::new()),
        });
    let metadata = metadata.unwrap_or_default();
    Object {
        reference: ObjectRef {
            kind,
            namespace: fragment(metadata.namespace),
            name: fragment(metadata.name),
            uid: String::new(),
            resource_version: String::new(),
        },
        details: if labels.is_some() {
            Details::Metadata
        } else {
            Details::Unreadable
        },
        labels: labels.unwrap_or_default(),
        expiry: Expiry::Missing,
        created_at: None,
        deleted_at: None,
        finalizers: Vec::new(),
    }
}

fn fragment<T: DeserializeOwned + Default>(raw: Option<&RawValue>) -> T {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests;
