//! One object at rest: as text, because lists are copied from it far more often than it changes.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::resource::Resource;

/// Makes an object heavy when it is read, so that thousands of heavy ones fit into memory.
pub type Padding = Arc<dyn Fn(&mut Value) + Send + Sync>;

#[derive(Clone)]
pub(super) struct Object {
    metadata: Box<str>,
    rest: Box<str>,
    pub(super) name: Box<str>,
    pub(super) namespace: Box<str>,
    pub(super) phase: Box<str>,
    pub(super) labels: Box<[(Box<str>, Box<str>)]>,
    /// The uids of its owners.
    pub(super) owners: Box<[Box<str>]>,
    pub(super) padding: Option<Padding>,
}

impl Object {
    /// Reads `namespace`, `name`, labels and owners from the metadata; what is absent there is empty.
    pub(super) fn new(value: Value, padding: Option<Padding>) -> Self {
        let labels = value["metadata"]["labels"].as_object();
        let owners = value["metadata"]["ownerReferences"].as_array();
        Self {
            name: text(&value, "/metadata/name").into(),
            namespace: text(&value, "/metadata/namespace").into(),
            phase: text(&value, "/status/phase").into(),
            labels: (labels.into_iter().flatten())
                .filter_map(|(key, label)| Some((key.as_str().into(), label.as_str()?.into())))
                .collect(),
            owners: (owners.into_iter().flatten())
                .map(|owner| text(owner, "/uid").into())
                .collect(),
            metadata: value["metadata"].to_string().into(),
            rest: fragment(value),
            padding,
        }
    }

    /// The object without its padding.
    pub(super) fn value(&self, resource: Resource) -> Value {
        parse(&self.whole(resource))
    }

    /// Writes it as an item of a list: without kind and version, as a typed list has it.
    pub(super) fn write_item(&self, resource: Resource, metadata_only: bool, into: &mut String) {
        let item = match &self.padding {
            Some(padding) => {
                let mut value = self.value(resource);
                padding(&mut value);
                &Self::new(value, None)
            }
            None => self,
        };
        if metadata_only {
            into.push_str(
                r#"{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":"#,
            );
            into.push_str(&item.metadata);
        } else {
            into.push_str(r#"{"metadata":"#);
            into.push_str(&item.metadata);
            into.push_str(&item.rest);
        }
        into.push('}');
    }

    /// The object as a client reads it alone, padding and all.
    pub(super) fn padded(&self, resource: Resource) -> Value {
        let mut value = self.value(resource);
        if let Some(padding) = &self.padding {
            padding(&mut value);
        }
        value
    }

    fn whole(&self, resource: Resource) -> String {
        format!(
            r#"{{"kind":"{}","apiVersion":"{}","metadata":{}{}}}"#,
            resource.kind(),
            resource.api_version(),
            self.metadata,
            self.rest
        )
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.namespace, self.name)
    }
}

/// Everything but kind, version and metadata: `,"spec":{…},"status":{…}`.
fn fragment(value: Value) -> Box<str> {
    let Value::Object(mut fields) = value else {
        return "".into();
    };
    for field in ["kind", "apiVersion", "metadata"] {
        fields.remove(field);
    }
    if fields.is_empty() {
        return "".into();
    }
    let inside = Value::Object(fields).to_string();
    format!(",{}", &inside[1..inside.len() - 1]).into()
}

fn parse(object: &str) -> Value {
    serde_json::from_str(object).expect("what was written from JSON is JSON")
}

/// The string at a JSON pointer, empty where there is none.
pub(super) fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value
        .pointer(pointer)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// The strings of the array at a JSON pointer.
pub(super) fn texts<'a>(value: &'a Value, pointer: &str) -> Vec<&'a str> {
    let items = value.pointer(pointer).and_then(Value::as_array);
    items
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// An object's metadata, made where it is missing.
///
/// # Panics
///
/// If the object, or its metadata, is no JSON object.
pub(super) fn metadata(value: &mut Value) -> &mut Map<String, Value> {
    let fields = value.as_object_mut().expect("an object is a JSON object");
    let metadata = fields
        .entry("metadata")
        .or_insert_with(|| Map::new().into());
    metadata.as_object_mut().expect("metadata is a JSON object")
}

/// An object's metadata as a client asks for it with `as=PartialObjectMetadata`.
pub(super) fn partial(mut value: Value) -> Value {
    serde_json::json!({
        "kind": "PartialObjectMetadata",
        "apiVersion": "meta.k8s.io/v1",
        "metadata": value["metadata"].take(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_object_comes_back_as_it_went_in() {
        let pod = json!({"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "a"}, "spec": {"x": [1]}, "status": {}});
        assert_eq!(Object::new(pod.clone(), None).value(Resource::Pods), pod);
        let bare = json!({"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "a"}});
        assert_eq!(
            Object::new(bare.clone(), None).value(Resource::ConfigMaps),
            bare
        );
    }

    #[test]
    fn padding_is_seen_by_readers_alone() {
        let padding: Padding = Arc::new(|pod| pod["spec"]["command"] = "x".repeat(9).into());
        let object = Object::new(
            json!({"metadata": {"name": "a"}, "spec": {}}),
            Some(padding),
        );
        let mut item = String::new();
        object.write_item(Resource::Pods, false, &mut item);
        assert_eq!(
            item,
            r#"{"metadata":{"name":"a"},"spec":{"command":"xxxxxxxxx"}}"#
        );
        assert_eq!(object.value(Resource::Pods)["spec"], json!({}));
    }
}
