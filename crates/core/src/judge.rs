//! Whether one object may go: a pure function of the object, the time and the mounts.

use std::collections::{BTreeMap, BTreeSet};

use crate::expiry::Expiry;
use crate::object::{Details, Kind, Object, is_namespace};
use crate::time::UnixSeconds;

/// Seconds past its deletionTimestamp after which a pod counts as stuck.
pub(crate) const STUCK_AFTER: u64 = 60;

/// Why an object may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The pod or the Job failed for its deadline, whatever its expiry.
    DeadlineExceeded,
    /// Its expiry is over.
    Expired,
    /// Somebody deleted the pod, and more than a minute past its deletionTimestamp it is still there.
    StuckTerminating,
}

impl Reason {
    /// The word in the table, in the documents and of `--reason`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::DeadlineExceeded => "DeadlineExceeded",
            Self::Expired => "Expired",
            Self::StuckTerminating => "StuckTerminating",
        }
    }
}

/// Why an object stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kept {
    /// Its expiry is now or ahead.
    NotExpired,
    /// It has none.
    NoExpiry,
    /// Its expiry is no number.
    UnreadableExpiry,
    /// It is being deleted already.
    Terminating,
    /// It is a pod that goes with its Job.
    ControlledByJob,
    /// It cannot be told from others: no uid, no resource version or no valid name.
    Unidentifiable,
    /// A Pending or Running pod of ironflow mounts this claim, or one that cannot be read may mount it.
    InUse,
    /// Its expiry moved after it was shown.
    Renewed,
    /// Another object bears its name by now.
    Replaced,
    /// It does not bear ironflow's marks.
    NotManaged,
    /// It might go, but nobody asked for it.
    NotSelected,
}

impl Kept {
    /// The word in the table and in the documents.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotExpired => "NotExpired",
            Self::NoExpiry => "NoExpiry",
            Self::UnreadableExpiry => "UnreadableExpiry",
            Self::Terminating => "Terminating",
            Self::ControlledByJob => "ControlledByJob",
            Self::Unidentifiable => "Unidentifiable",
            Self::InUse => "InUse",
            Self::Renewed => "Renewed",
            Self::Replaced => "Replaced",
            Self::NotManaged => "NotManaged",
            Self::NotSelected => "NotSelected",
        }
    }
}

/// Whether an object may go, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It may go.
    Reap(Reason),
    /// It stays.
    Keep(Kept),
}

/// Which claims Pending or Running pods of ironflow mount.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mounts {
    claims_by_namespace: BTreeMap<String, BTreeSet<String>>,
    /// Namespaces with a pod that cannot be read: it may mount any of their claims.
    unclear: BTreeSet<String>,
    /// There is such a pod of which not even the namespace can be read.
    all_unclear: bool,
}

impl Mounts {
    /// Adds what the pod mounts; other objects, finished pods and pods that are not ironflow's add nothing.
    pub fn insert(&mut self, pod: &Object) {
        if pod.reference.kind != Kind::Pod || !pod.is_managed() {
            return;
        }
        let claims = match &pod.details {
            Details::Pod { phase, .. } if !matches!(phase.as_str(), "Pending" | "Running") => {
                return;
            }
            Details::Pod { claims, .. } => Some(claims),
            Details::Job { .. } | Details::Metadata | Details::Unreadable => None,
        };
        let namespace = &pod.reference.namespace;
        match claims {
            Some(claims) if claims.is_empty() => {}
            Some(claims) if is_namespace(namespace) => {
                let mounted = self.claims_by_namespace.entry(namespace.clone());
                mounted.or_default().extend(claims.iter().cloned());
            }
            None if is_namespace(namespace) => {
                self.unclear.insert(namespace.clone());
            }
            Some(_) | None => self.all_unclear = true,
        }
    }

    /// Whether one of the pods mounts the claim, or may.
    #[must_use]
    pub fn contains(&self, namespace: &str, claim: &str) -> bool {
        let mounted = self.claims_by_namespace.get(namespace);
        mounted.is_some_and(|claims| claims.contains(claim)) || self.is_unclear(namespace)
    }

    /// Whether a pod of the namespace cannot be read, so that each of its claims counts as mounted.
    #[must_use]
    pub fn is_unclear(&self, namespace: &str) -> bool {
        self.all_unclear || self.unclear.contains(namespace)
    }
}

/// What a verdict depends on besides the object itself.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances<'a> {
    /// The time to judge at.
    pub now: UnixSeconds,
    /// Whether stuck pods may go.
    pub stuck: bool,
    /// What is mounted, completely: a claim that is missing here is free to go.
    pub mounts: &'a Mounts,
}

/// Judges one object by upstream's rules (`reap_reason`, `job_reap_reason`, `configmap_expired`, `pvc_expired`) and
/// this project's vetoes.
///
/// With everything else alike, what may go at one time may go at any later time.
#[must_use]
pub fn judge(object: &Object, circumstances: &Circumstances<'_>) -> Verdict {
    let now = circumstances.now;
    if !object.is_managed() {
        Verdict::Keep(Kept::NotManaged)
    } else if !object.reference.is_identifiable() {
        Verdict::Keep(Kept::Unidentifiable)
    } else if object.deleted_at.is_some() {
        if circumstances.stuck && is_stuck(object, now) {
            Verdict::Reap(Reason::StuckTerminating)
        } else {
            Verdict::Keep(Kept::Terminating)
        }
    } else if is_controlled_by_job(object) {
        Verdict::Keep(Kept::ControlledByJob)
    } else if is_in_use(object, circumstances.mounts) {
        Verdict::Keep(Kept::InUse)
    } else if exceeded_deadline(object) {
        Verdict::Reap(Reason::DeadlineExceeded)
    } else {
        judge_expiry(&object.expiry, now)
    }
}

/// A pod of a Job is none: the Job's controller sees to it.
fn is_stuck(object: &Object, now: UnixSeconds) -> bool {
    object.reference.kind == Kind::Pod
        && !is_controlled_by_job(object)
        && object
            .deleted_at
            .is_some_and(|deleted_at| now.0.saturating_sub(deleted_at.0) > STUCK_AFTER)
}

fn is_controlled_by_job(object: &Object) -> bool {
    matches!(
        &object.details,
        Details::Pod {
            controller_job: Some(_),
            ..
        }
    )
}

fn is_in_use(object: &Object, mounts: &Mounts) -> bool {
    let reference = &object.reference;
    reference.kind == Kind::PersistentVolumeClaim
        && mounts.contains(&reference.namespace, &reference.name)
}

fn exceeded_deadline(object: &Object) -> bool {
    match &object.details {
        Details::Job {
            deadline_exceeded, ..
        }
        | Details::Pod {
            deadline_exceeded, ..
        } => *deadline_exceeded,
        Details::Metadata | Details::Unreadable => false,
    }
}

fn judge_expiry(expiry: &Expiry, now: UnixSeconds) -> Verdict {
    match expiry {
        Expiry::Missing => Verdict::Keep(Kept::NoExpiry),
        Expiry::Unreadable(_) => Verdict::Keep(Kept::UnreadableExpiry),
        Expiry::At(at) if *at < now => Verdict::Reap(Reason::Expired),
        Expiry::At(_) => Verdict::Keep(Kept::NotExpired),
    }
}

#[cfg(test)]
mod tests;
