//! What upstream decides about one object: its own decoding, its own rules, in two releases.

use ironflow_core::providers::claude::k8s as six;
use ironflow_core_4::providers::claude::k8s as four;
use reap_core::judge::Reason;
use reap_core::object::Kind;
use serde_json::{Result, from_str};

/// Why `ironflow-core` 6.0.1 would delete the object at each of the times; `None` is never.
///
/// # Errors
///
/// If it cannot read the object: then it cannot read any list that the object is on.
pub fn release_6(kind: Kind, json: &str, times: [u64; 2]) -> Result<[Option<Reason>; 2]> {
    let expired = |is_expired: bool| is_expired.then_some(Reason::Expired);
    let reason = |reason| match reason {
        six::ReapReason::DeadlineExceeded => Reason::DeadlineExceeded,
        six::ReapReason::Expired => Reason::Expired,
    };
    Ok(match kind {
        Kind::Job => {
            let job = from_str(json)?;
            times.map(|now| six::job_reap_reason(&job, now).map(reason))
        }
        Kind::Pod => {
            let pod = from_str(json)?;
            times.map(|now| six::reap_reason(&pod, now).map(reason))
        }
        Kind::ConfigMap => {
            let config_map = from_str(json)?;
            times.map(|now| expired(six::configmap_expired(&config_map, now)))
        }
        Kind::PersistentVolumeClaim => {
            let claim = from_str(json)?;
            times.map(|now| expired(six::pvc_expired(&claim, now)))
        }
    })
}

/// Why `ironflow-core` 4.3.0 would delete the object at each of the times; `None` is never, and of claims it knows
/// nothing.
///
/// # Errors
///
/// If it cannot read the object.
pub fn release_4(kind: Kind, json: &str, times: [u64; 2]) -> Result<[Option<Reason>; 2]> {
    let reason = |reason| match reason {
        four::ReapReason::DeadlineExceeded => Reason::DeadlineExceeded,
        four::ReapReason::Expired => Reason::Expired,
    };
    Ok(match kind {
        Kind::Job => {
            let job = from_str(json)?;
            times.map(|now| four::job_reap_reason(&job, now).map(reason))
        }
        Kind::Pod => {
            let pod = from_str(json)?;
            times.map(|now| four::reap_reason(&pod, now).map(reason))
        }
        Kind::ConfigMap => {
            let config_map = from_str(json)?;
            times.map(|now| four::configmap_expired(&config_map, now).then_some(Reason::Expired))
        }
        Kind::PersistentVolumeClaim => [None; 2],
    })
}
