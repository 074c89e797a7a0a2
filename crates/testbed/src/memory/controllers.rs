//! What the cluster's controllers and kubelets do after a change: collect garbage, let claims go, stop pods.

use std::ops::Bound;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{DeleteOptions, Preconditions};
use k8s_openapi::jiff::Timestamp;
use serde_json::Value;
use tokio::time::Instant;

use super::delete::{FOREGROUND, ORPHAN, delete};
use super::object::{text, texts};
use super::resource::Resource;
use super::store::{Disturbance, Key, Store, key, range};
use super::write::update;

const CLAIM_PROTECTION: &str = "kubernetes.io/pvc-protection";
const JOB_TRACKING: &str = "batch.kubernetes.io/job-tracking";

/// Ends the pods whose grace period is over, and follows up on every change until nothing is left to do.
pub(super) fn settle(store: &mut Store, now: Timestamp) {
    while let Some(stopped) = store
        .stopping
        .first()
        .filter(|stopped| stopped.0 <= Instant::now())
    {
        let stopped = stopped.clone();
        store.stopping.remove(&stopped);
        let (_, key, uid) = stopped;
        delete_dependent(store, Resource::Pods, &key, &uid, Some(0), now);
    }
    while let Some(disturbance) = store.disturbed.pop_front() {
        match disturbance {
            Disturbance::Created(resource, key) => created(store, resource, &key, now),
            Disturbance::Changed(resource, key) => changed(store, resource, &key, now),
            Disturbance::Removed(resource, object) => removed(store, resource, &object, now),
        }
    }
}

/// An object whose owners were gone before it came goes too.
fn created(store: &mut Store, resource: Resource, key: &Key, now: Timestamp) {
    let object = store.value(resource, key).unwrap_or_default();
    if owners(&object).next().is_some() && !has_other_owner(store, &object, "") {
        let uid = text(&object, "/metadata/uid");
        delete_dependent(store, resource, key, uid, None, now);
    }
}

fn changed(store: &mut Store, resource: Resource, key: &Key, now: Timestamp) {
    let Some(object) = store.value(resource, key) else {
        return;
    };
    if text(&object, "/metadata/deletionTimestamp").is_empty() {
        return;
    }
    let uid = text(&object, "/metadata/uid");
    for finalizer in texts(&object, "/metadata/finalizers") {
        let done = match finalizer {
            ORPHAN => {
                for (dependent, key) in store.dependents(uid) {
                    disown(store, dependent, &key, uid);
                }
                true
            }
            FOREGROUND => {
                let dependents = store.dependents(uid);
                for (dependent, key) in &dependents {
                    let value = store.value(*dependent, key).unwrap_or_default();
                    if text(&value, "/metadata/deletionTimestamp").is_empty() {
                        let uid = text(&value, "/metadata/uid");
                        delete_dependent(store, *dependent, key, uid, None, now);
                    }
                }
                store.dependents(uid).is_empty()
            }
            CLAIM_PROTECTION => resource == Resource::Claims && !is_mounted(store, &object),
            JOB_TRACKING => resource == Resource::Pods,
            _ => false,
        };
        if done {
            release(store, resource, key, finalizer);
            return;
        }
    }
}

fn removed(store: &mut Store, resource: Resource, object: &Value, now: Timestamp) {
    let uid = text(object, "/metadata/uid");
    for (dependent, key) in store.dependents(uid) {
        let value = store.value(dependent, &key).unwrap_or_default();
        if has_other_owner(store, &value, uid) {
            disown(store, dependent, &key, uid);
        } else {
            let uid = text(&value, "/metadata/uid");
            delete_dependent(store, dependent, &key, uid, None, now);
        }
    }
    let namespace = text(object, "/metadata/namespace");
    for owner in owners(object) {
        if let Some(resource) = Resource::of_kind(text(owner, "/kind")) {
            let key = key(namespace, text(owner, "/name"));
            store
                .disturbed
                .push_back(Disturbance::Changed(resource, key));
        }
    }
    if resource == Resource::Pods {
        for claim in mounts(object) {
            let key = key(namespace, claim);
            store
                .disturbed
                .push_back(Disturbance::Changed(Resource::Claims, key));
        }
    }
}

fn delete_dependent(
    store: &mut Store,
    resource: Resource,
    key: &str,
    uid: &str,
    grace_period_seconds: Option<i64>,
    now: Timestamp,
) {
    let options = DeleteOptions {
        grace_period_seconds,
        preconditions: Some(Preconditions {
            uid: Some(uid.to_owned()),
            resource_version: None,
        }),
        propagation_policy: Some("Background".to_owned()),
        ..DeleteOptions::default()
    };
    let place = key.split_once('/').unwrap_or(("", key));
    // Somebody else may have been quicker, as with a real controller.
    let _ = delete(store, resource, place, &options, now);
}

/// Takes one owner out of the references of an object.
fn disown(store: &mut Store, resource: Resource, key: &str, owner: &str) {
    let Some(object) = store.value(resource, key) else {
        return;
    };
    let mut orphan = object.clone();
    if let Some(references) = orphan["metadata"]["ownerReferences"].as_array_mut() {
        references.retain(|reference| text(reference, "/uid") != owner);
    }
    update(store, resource, &object, orphan);
}

fn release(store: &mut Store, resource: Resource, key: &str, finalizer: &str) {
    let Some(object) = store.value(resource, key) else {
        return;
    };
    let mut free = object.clone();
    if let Some(finalizers) = free["metadata"]["finalizers"].as_array_mut() {
        finalizers.retain(|present| present != finalizer);
    }
    update(store, resource, &object, free);
}

fn owners(object: &Value) -> impl Iterator<Item = &Value> {
    object["metadata"]["ownerReferences"]
        .as_array()
        .into_iter()
        .flatten()
}

/// Owners of kinds that the server does not keep count as being there.
fn has_other_owner(store: &Store, object: &Value, gone: &str) -> bool {
    let namespace = text(object, "/metadata/namespace");
    owners(object).any(|owner| {
        let uid = text(owner, "/uid");
        let exists = Resource::of_kind(text(owner, "/kind")).is_none_or(|resource| {
            let found = store.value(resource, &key(namespace, text(owner, "/name")));
            found.is_some_and(|found| text(&found, "/metadata/uid") == uid)
        });
        uid != gone && exists
    })
}

fn mounts(pod: &Value) -> impl Iterator<Item = &str> {
    let volumes = pod["spec"]["volumes"].as_array().into_iter().flatten();
    volumes.map(|volume| text(volume, "/persistentVolumeClaim/claimName"))
}

/// `podUsesPVCForDeletion`: only pods that have a node count.
fn is_mounted(store: &Store, claim: &Value) -> bool {
    let (namespace, name) = (
        text(claim, "/metadata/namespace"),
        text(claim, "/metadata/name"),
    );
    let prefix = format!("{namespace}/");
    let pods = store.table(Resource::Pods);
    let mut pods = range(&pods, Bound::Included(&prefix), &prefix);
    pods.any(|(_, pod)| {
        let pod = pod.value(Resource::Pods);
        !text(&pod, "/spec/nodeName").is_empty() && mounts(&pod).any(|mounted| mounted == name)
    })
}

#[cfg(test)]
mod tests;
