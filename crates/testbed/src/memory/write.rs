//! Creating and patching objects.

use k8s_openapi::jiff::Timestamp;
use serde_json::{Value, json};

use super::clock::written;
use super::object::{metadata, text, texts};
use super::resource::Resource;
use super::status::Failure;
use super::store::{Disturbance, Store, key};

/// Creates what a client sends: the server sets what is the server's to set.
pub(super) fn create(
    store: &mut Store,
    resource: Resource,
    namespace: &str,
    mut object: Value,
    dry_run: bool,
    now: Timestamp,
) -> Result<Value, Failure> {
    if !object.is_object() || text(&object, "/kind") != resource.kind() {
        return Err(Failure::bad_request(format!(
            "no kind \"{}\" is registered for this path",
            text(&object, "/kind")
        )));
    }
    for field in [
        "uid",
        "creationTimestamp",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
    ] {
        metadata(&mut object).remove(field);
    }
    if resource != Resource::Namespaces {
        metadata(&mut object).insert("namespace".to_owned(), namespace.into());
    }
    match resource {
        Resource::Pods => {
            object["status"] = json!({"phase": "Pending"});
            object["metadata"]["generation"] = 1.into();
            set_default(&mut object["spec"], "terminationGracePeriodSeconds", 30);
        }
        Resource::Jobs => {
            object["status"] = json!({});
            object["metadata"]["generation"] = 1.into();
        }
        Resource::Claims => {
            object["status"] = json!({"phase": "Pending"});
            let mut finalizers = texts(&object, "/metadata/finalizers");
            finalizers.push("kubernetes.io/pvc-protection");
            object["metadata"]["finalizers"] = json!(finalizers);
        }
        Resource::Namespaces => {
            object["status"] = json!({"phase": "Active"});
        }
        Resource::ConfigMaps => {}
    }
    complete(store, resource, &mut object, now);
    let name = text(&object, "/metadata/name");
    if name.is_empty() {
        let wrong = "Required value: name or generateName is required";
        let cause = ("FieldValueRequired", "metadata.name", wrong);
        return Err(Failure::invalid(resource.group(), resource.kind(), cause));
    }
    let key = key(text(&object, "/metadata/namespace"), name);
    if store.object(resource, &key).is_some() {
        return Err(Failure::already_exists(resource, name));
    }
    if dry_run {
        return Ok(object);
    }
    store
        .disturbed
        .push_back(Disturbance::Created(resource, key));
    Ok(store.put(resource, object))
}

fn set_default(fields: &mut Value, field: &str, default: i64) {
    if fields[field].is_null() {
        fields[field] = default.into();
    }
}

/// Sets what every object has and this one lacks: a name if one may be made up, a uid, the moment of its creation.
pub(super) fn complete(store: &mut Store, resource: Resource, object: &mut Value, now: Timestamp) {
    object["kind"] = resource.kind().into();
    object["apiVersion"] = resource.api_version().into();
    let number = store.next_number();
    let metadata = metadata(object);
    let generated = metadata
        .get("generateName")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if !metadata.contains_key("name") && !generated.is_empty() {
        metadata.insert(
            "name".to_owned(),
            format!("{generated}{}", suffix(number)).into(),
        );
    }
    if !metadata.contains_key("uid") {
        metadata.insert(
            "uid".to_owned(),
            format!("00000000-0000-4000-8000-{number:012}").into(),
        );
    }
    if !metadata.contains_key("creationTimestamp") {
        metadata.insert("creationTimestamp".to_owned(), written(now).into());
    }
}

/// Five letters of Kubernetes' own alphabet for made-up names.
fn suffix(mut number: u64) -> String {
    const LETTERS: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";
    let mut suffix = String::new();
    for _ in 0..5 {
        let letter = LETTERS[usize::try_from(number % 27).unwrap_or_default()];
        suffix.insert(0, char::from(letter));
        number /= 27;
    }
    suffix
}

/// Applies a merge patch of a client: to the status alone, or to everything but the status.
pub(super) fn patch(
    store: &mut Store,
    resource: Resource,
    (namespace, name): (&str, &str),
    status: bool,
    patch: &Value,
    dry_run: bool,
) -> Result<Value, Failure> {
    let missing = || Failure::not_found(resource, name);
    let object = store
        .value(resource, &key(namespace, name))
        .ok_or_else(missing)?;
    let version = text(patch, "/metadata/resourceVersion");
    if !version.is_empty() && version != text(&object, "/metadata/resourceVersion") {
        return Err(Failure::modified(resource, name));
    }
    let mut merged = object.clone();
    if status {
        merge(&mut merged["status"], &patch["status"]);
    } else {
        merge(&mut merged, patch);
        if let Some(status) = object.get("status") {
            merged["status"] = status.clone();
        }
    }
    for field in [
        "name",
        "namespace",
        "uid",
        "resourceVersion",
        "creationTimestamp",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
    ] {
        match object["metadata"].get(field) {
            Some(value) => merged["metadata"][field] = value.clone(),
            None => drop(metadata(&mut merged).remove(field)),
        }
    }
    Ok(if dry_run {
        merged
    } else {
        update(store, resource, &object, merged)
    })
}

/// Writes a changed object, or takes it out if it was only held by the finalizers that it no longer has
/// (`ShouldDeleteDuringUpdate`). No change makes no new version.
pub(super) fn update(store: &mut Store, resource: Resource, before: &Value, after: Value) -> Value {
    let going = !text(before, "/metadata/deletionTimestamp").is_empty()
        && before["metadata"]["deletionGracePeriodSeconds"]
            .as_i64()
            .unwrap_or(0)
            == 0;
    if going && texts(&after, "/metadata/finalizers").is_empty() {
        let key = key(
            text(before, "/metadata/namespace"),
            text(before, "/metadata/name"),
        );
        store.put(resource, after.clone());
        store.remove(resource, &key);
        after
    } else if *before == after {
        after
    } else {
        store.put(resource, after)
    }
}

/// A JSON merge patch (RFC 7396).
pub(super) fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(changes) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = json!({});
    }
    for (field, change) in changes {
        if change.is_null() {
            if let Some(fields) = target.as_object_mut() {
                fields.remove(field);
            }
        } else {
            merge(&mut target[field], change);
        }
    }
}
