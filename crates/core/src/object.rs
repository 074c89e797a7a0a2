//! ironflow's objects, reduced to what the rules and the display need.

mod kind;

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
pub use kind::Kind;

use crate::decode;
use crate::expiry::Expiry;
use crate::time::UnixSeconds;

const MANAGED_BY: &str = "app.kubernetes.io/managed-by";
const COMPONENT: &str = "app.kubernetes.io/component";
const RUN_ID: &str = "ironflow.io/run-id";
const ROOT_RUN_ID: &str = "ironflow.io/root-run-id";
const STEP: &str = "ironflow.io/step";

/// Names one object in one version; an empty string is an absent value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "they are the fields of Kubernetes' metadata")]
pub struct ObjectRef {
    pub kind: Kind,
    pub namespace: String,
    pub name: String,
    pub uid: String,
    pub resource_version: String,
}

impl ObjectRef {
    /// Whether a DELETE can address this object in this version, and no other: uid and resource version are known,
    /// and the names are valid, so that they are safe in a URL path.
    #[must_use]
    pub fn is_identifiable(&self) -> bool {
        !self.uid.is_empty()
            && !self.resource_version.is_empty()
            && is_namespace(&self.namespace)
            && self.name.split('.').all(is_label)
            && self.name.len() <= 253
    }
}

/// Whether this may be a namespace's name and stand in a URL path (RFC 1123 label).
#[must_use]
pub fn is_namespace(text: &str) -> bool {
    is_label(text) && text.len() <= 63
}

/// RFC 1123 label, its length apart.
fn is_label(text: &str) -> bool {
    let is_alphanumeric = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = text.as_bytes();
    bytes.first().is_some_and(is_alphanumeric)
        && bytes.last().is_some_and(is_alphanumeric)
        && bytes
            .iter()
            .all(|byte| is_alphanumeric(byte) || *byte == b'-')
}

/// What the rules and the display need of one object; prompts, input and tokens are never among it.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// Which object, in which version.
    pub reference: ObjectRef,
    /// All labels; absent and null are empty.
    pub labels: BTreeMap<String, String>,
    /// The annotation `ironflow.io/expires-at`.
    pub expiry: Expiry,
    /// `metadata.creationTimestamp`
    pub created_at: Option<UnixSeconds>,
    /// `metadata.deletionTimestamp`: when the object was to be gone at the latest, its grace period included.
    pub deleted_at: Option<UnixSeconds>,
    /// `metadata.finalizers`; absent and null are empty.
    pub finalizers: Vec<String>,
    /// What only objects of this kind have.
    pub details: Details,
}

/// What only objects of one kind have.
#[derive(Clone, Debug, PartialEq)]
pub enum Details {
    /// Of a Job.
    Job {
        /// Its state but for `Terminating`, which `Object::status` adds.
        status: JobStatus,
        /// It failed for its `activeDeadlineSeconds`.
        deadline_exceeded: bool,
        /// `status.active`
        active_pods: u32,
    },
    /// Of a pod.
    Pod {
        /// `status.phase`; absent is `Pending`, as the API server sets it.
        phase: String,
        /// It failed for its `activeDeadlineSeconds`.
        deadline_exceeded: bool,
        /// `spec.nodeName`
        node: Option<String>,
        /// The Job that controls it.
        controller_job: Option<OwnerReference>,
        /// Names of the claims it mounts.
        claims: Vec<String>,
    },
    /// Of a ConfigMap or a claim: nothing else is read.
    Metadata,
    /// Not even the labels could be read.
    Unreadable,
}

/// The states of a Job, decided as `kubectl get jobs` decides them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are kubectl's words")]
pub enum JobStatus {
    Running,
    Complete,
    Failed,
    Suspended,
    FailureTarget,
    SuccessCriteriaMet,
}

impl Object {
    /// Reads one object; prompts, input and tokens are skipped.
    ///
    /// What is broken becomes an object without uid, which `judge` keeps, with namespace, name and labels where they
    /// can be read.
    #[must_use]
    pub fn from_json(kind: Kind, json: &str) -> Self {
        decode::object(kind, json).unwrap_or_else(|_| decode::broken_object(kind, json))
    }

    /// kubectl's STATUS: the phase of a pod, the state of a Job, `Terminating`, or `-`.
    #[must_use]
    pub fn status(&self) -> &str {
        let terminating = self.deleted_at.is_some();
        match &self.details {
            Details::Job {
                status: JobStatus::Complete,
                ..
            } => "Complete",
            Details::Job {
                status: JobStatus::Failed,
                ..
            } => "Failed",
            Details::Job { .. } | Details::Pod { .. } if terminating => "Terminating",
            Details::Job {
                status: JobStatus::Suspended,
                ..
            } => "Suspended",
            Details::Job {
                status: JobStatus::FailureTarget,
                ..
            } => "FailureTarget",
            Details::Job {
                status: JobStatus::SuccessCriteriaMet,
                ..
            } => "SuccessCriteriaMet",
            Details::Job {
                status: JobStatus::Running,
                ..
            } => "Running",
            Details::Pod { phase, .. } => phase,
            Details::Metadata | Details::Unreadable => "-",
        }
    }

    /// Whether the object bears ironflow's marks, checked here because a server may ignore the selector.
    ///
    /// One whose labels cannot be read counts as ironflow's: it is kept, and that is said.
    #[must_use]
    pub fn is_managed(&self) -> bool {
        let required_component = match self.reference.kind {
            Kind::Job | Kind::Pod => None,
            Kind::ConfigMap => Some("prompt-data"),
            Kind::PersistentVolumeClaim => Some("environment"),
        };
        self.details == Details::Unreadable
            || self.label(MANAGED_BY) == Some("ironflow")
                && (required_component.is_none() || self.component() == required_component)
    }

    /// The run that made the object, where the engine stamped it.
    #[must_use]
    pub fn run_id(&self) -> Option<&str> {
        self.label(RUN_ID)
    }

    /// The run that began it all, where the engine stamped it.
    #[must_use]
    pub fn root_run_id(&self) -> Option<&str> {
        self.label(ROOT_RUN_ID)
    }

    /// The step that made the object, where the engine stamped it.
    #[must_use]
    pub fn step(&self) -> Option<&str> {
        self.label(STEP)
    }

    /// The part that the object plays (`claude-runner`).
    #[must_use]
    pub fn component(&self) -> Option<&str> {
        self.label(COMPONENT)
    }

    fn label(&self, key: &str) -> Option<&str> {
        self.labels
            .get(key)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }
}

#[cfg(test)]
mod tests;
