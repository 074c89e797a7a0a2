//! What a DELETE does to one object, step by step as `apiserver/pkg/registry/generic/registry/store.go` does it.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::DeleteOptions;
use k8s_openapi::jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;

use super::clock::written;
use super::object::{metadata, text, texts};
use super::resource::Resource;
use super::status::Failure;
use super::store::{Store, key};

pub(super) const ORPHAN: &str = "orphan";
pub(super) const FOREGROUND: &str = "foregroundDeletion";

/// Whether and when an object goes, finalizers apart.
enum Grace {
    /// It goes already, and nothing about that changes.
    Pending,
    /// Its kind knows no grace, or its time is over.
    None,
    Seconds(i64),
}

/// Deletes an object as asked and answers what the client reads: the object, or a `Status` for kinds that hide it.
pub(super) fn delete(
    store: &mut Store,
    resource: Resource,
    (namespace, name): (&str, &str),
    options: &DeleteOptions,
    now: Timestamp,
) -> Result<Value, Failure> {
    let key = key(namespace, name);
    let missing = || Failure::not_found(resource, name);
    let mut object = store.value(resource, &key).ok_or_else(missing)?;
    check_preconditions(resource, name, &object, options)?;
    let dry_run = options
        .dry_run
        .as_ref()
        .is_some_and(|stages| !stages.is_empty());
    let grace = grace(resource, &mut object, options.grace_period_seconds, now);
    let seconds = match grace {
        Grace::Pending => return Ok(answer(resource, object)),
        Grace::None => None,
        Grace::Seconds(seconds) => Some(seconds),
    };
    let finalizers = finalizers(resource, &object, options);
    let held = !finalizers.is_empty();
    if held {
        metadata(&mut object).insert("finalizers".to_owned(), finalizers.into());
    } else {
        metadata(&mut object).remove("finalizers");
    }
    if held && seconds.is_none() {
        mark_as_deleting(&mut object, now);
    }
    if !dry_run && (held || seconds.is_some()) {
        object = store.put(resource, object);
    }
    let waits = seconds.filter(|seconds| *seconds > 0);
    if let Some(seconds) = waits.filter(|_| !dry_run) {
        let stopped = Instant::now() + Duration::from_secs(seconds.unsigned_abs());
        let uid = text(&object, "/metadata/uid").to_owned();
        store.stopping.insert((stopped, key.clone(), uid));
    }
    if held || waits.is_some() {
        return Ok(object);
    }
    if !dry_run {
        object = store.remove(resource, &key).ok_or_else(missing)?;
    }
    Ok(answer(resource, object))
}

fn check_preconditions(
    resource: Resource,
    name: &str,
    object: &Value,
    options: &DeleteOptions,
) -> Result<(), Failure> {
    let Some(preconditions) = &options.preconditions else {
        return Ok(());
    };
    let uid = text(object, "/metadata/uid");
    if let Some(wanted) = preconditions.uid.as_deref().filter(|wanted| *wanted != uid) {
        let unmet = format!(
            "the UID in the precondition ({wanted}) does not match the UID in record ({uid}). \
             The object might have been deleted and then recreated"
        );
        return Err(Failure::precondition(resource, name, &unmet));
    }
    let version = text(object, "/metadata/resourceVersion");
    let wanted = preconditions.resource_version.as_deref();
    if let Some(wanted) = wanted.filter(|wanted| *wanted != version) {
        let unmet = format!(
            "the ResourceVersion in the precondition ({wanted}) does not match the ResourceVersion in record \
             ({version}). The object might have been modified"
        );
        return Err(Failure::precondition(resource, name, &unmet));
    }
    Ok(())
}

/// `rest.BeforeDelete` with `podStrategy.CheckGracefulDelete`: only pods know grace.
fn grace(resource: Resource, object: &mut Value, asked: Option<i64>, now: Timestamp) -> Grace {
    if resource != Resource::Pods {
        return Grace::None;
    }
    let asked = asked.map(|seconds| if seconds < 0 { 1 } else { seconds });
    let current = object["metadata"]["deletionGracePeriodSeconds"].as_i64();
    if let Ok(deleted) = text(object, "/metadata/deletionTimestamp").parse::<Timestamp>() {
        return match (current, asked) {
            (None | Some(0), _) => Grace::None,
            (Some(current), Some(asked)) if asked < current => {
                let moved = deleted + SignedDuration::from_secs(asked - current);
                let seconds = if moved < now { asked.min(1) } else { asked };
                terminate(object, moved.max(now), seconds);
                Grace::Seconds(seconds)
            }
            (Some(_), _) => Grace::Pending,
        };
    }
    let ended = matches!(text(object, "/status/phase"), "Failed" | "Succeeded");
    let seconds = if ended || text(object, "/spec/nodeName").is_empty() {
        0
    } else {
        let own = object["spec"]["terminationGracePeriodSeconds"].as_i64();
        asked.or(own).unwrap_or(0).max(0)
    };
    terminate(object, now + SignedDuration::from_secs(seconds), seconds);
    count_generation(object);
    Grace::Seconds(seconds)
}

fn mark_as_deleting(object: &mut Value, now: Timestamp) {
    let earlier = text(object, "/metadata/deletionTimestamp").parse::<Timestamp>();
    if earlier.is_err() {
        count_generation(object);
    }
    terminate(object, earlier.map_or(now, |earlier| earlier.min(now)), 0);
}

fn terminate(object: &mut Value, moment: Timestamp, seconds: i64) {
    let metadata = metadata(object);
    metadata.insert("deletionTimestamp".to_owned(), written(moment).into());
    metadata.insert("deletionGracePeriodSeconds".to_owned(), seconds.into());
}

fn count_generation(object: &mut Value) {
    if let Some(generation) = object["metadata"]["generation"].as_i64() {
        object["metadata"]["generation"] = (generation + 1).into();
    }
}

/// `deletionFinalizersForGarbageCollection`: the propagation asked for, else the finalizer there is, else the kind's own.
fn finalizers(resource: Resource, object: &Value, options: &DeleteOptions) -> Vec<String> {
    let present = texts(object, "/metadata/finalizers");
    let propagation = match (
        options.orphan_dependents,
        options.propagation_policy.as_deref(),
    ) {
        (Some(true), _) | (None, Some("Orphan")) => Some(ORPHAN),
        (None, Some("Foreground")) => Some(FOREGROUND),
        (Some(false), _) | (None, Some(_)) => None,
        (None, None) if present.contains(&ORPHAN) => Some(ORPHAN),
        (None, None) if present.contains(&FOREGROUND) => Some(FOREGROUND),
        // The default of batch/v1 leaves the pods (`jobStrategy.DefaultGarbageCollectionPolicy`).
        (None, None) => Some(ORPHAN).filter(|_| resource == Resource::Jobs),
    };
    let others = present
        .into_iter()
        .filter(|finalizer| ![ORPHAN, FOREGROUND].contains(finalizer));
    others.chain(propagation).map(str::to_owned).collect()
}

/// `Store.finalizeDelete`: pods, claims and namespaces come back, the other kinds as a `Status`.
fn answer(resource: Resource, object: Value) -> Value {
    if !matches!(resource, Resource::Jobs | Resource::ConfigMaps) {
        return object;
    }
    let mut details = json!({
        "name": object["metadata"]["name"],
        "kind": resource.plural(),
        "uid": object["metadata"]["uid"],
    });
    if !resource.group().is_empty() {
        details["group"] = resource.group().into();
    }
    json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details})
}

#[cfg(test)]
mod tests;
