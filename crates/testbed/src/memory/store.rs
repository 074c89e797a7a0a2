//! The objects, their versions, and what lists remember of earlier moments.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::ops::Bound;
use std::sync::Arc;

use serde_json::Value;
use tokio::time::Instant;

use super::object::{Object, metadata, text};
use super::resource::Resource;

/// `namespace/name`, or the name alone: what etcd sorts by.
pub(super) type Key = Arc<str>;
pub(super) type Table = BTreeMap<Key, Arc<Object>>;

/// How many moments lists can be continued from.
const REMEMBERED: usize = 16;

#[derive(Debug, Default)]
pub(super) struct Store {
    version: u64,
    named: u64,
    tables: BTreeMap<Resource, Arc<Table>>,
    moments: VecDeque<(u64, Resource, Arc<Table>)>,
    dependents: HashMap<Box<str>, BTreeSet<(Resource, Key)>>,
    /// What controllers have not looked at yet.
    pub(super) disturbed: VecDeque<Disturbance>,
    /// Pods whose kubelet stops them at a moment, with their uids.
    pub(super) stopping: BTreeSet<(Instant, Key, String)>,
}

/// What a controller would hear about.
#[derive(Debug)]
pub(super) enum Disturbance {
    Created(Resource, Key),
    Changed(Resource, Key),
    Removed(Resource, Value),
}

pub(super) fn key(namespace: &str, name: &str) -> Key {
    if namespace.is_empty() {
        name.into()
    } else {
        format!("{namespace}/{name}").into()
    }
}

/// The objects from a key on whose keys begin with `prefix`.
pub(super) fn range<'a>(
    table: &'a Table,
    start: Bound<&str>,
    prefix: &str,
) -> impl Iterator<Item = (&'a Key, &'a Arc<Object>)> {
    let range = table.range::<str, _>((start, Bound::Unbounded));
    range.take_while(move |(key, _)| key.starts_with(prefix))
}

impl Store {
    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// A number that no name or uid of this store was made from yet.
    pub(super) fn next_number(&mut self) -> u64 {
        self.named += 1;
        self.named
    }

    pub(super) fn table(&self, resource: Resource) -> Arc<Table> {
        self.tables.get(&resource).cloned().unwrap_or_default()
    }

    pub(super) fn object(&self, resource: Resource, key: &str) -> Option<&Arc<Object>> {
        self.tables.get(&resource)?.get(key)
    }

    pub(super) fn value(&self, resource: Resource, key: &str) -> Option<Value> {
        Some(self.object(resource, key)?.value(resource))
    }

    /// Writes an object, gives it the next version and answers it as it is now.
    pub(super) fn put(&mut self, resource: Resource, mut value: Value) -> Value {
        self.version += 1;
        metadata(&mut value).insert(
            "resourceVersion".to_owned(),
            self.version.to_string().into(),
        );
        for list in ["finalizers", "ownerReferences"] {
            if value["metadata"][list] == Value::Array(Vec::new()) {
                metadata(&mut value).remove(list);
            }
        }
        let key = key(
            text(&value, "/metadata/namespace"),
            text(&value, "/metadata/name"),
        );
        let earlier = self.forget(resource, &key);
        let object = Object::new(
            value.clone(),
            earlier.and_then(|object| object.padding.clone()),
        );
        for owner in &object.owners {
            let dependents = self.dependents.entry(owner.clone()).or_default();
            dependents.insert((resource, Arc::clone(&key)));
        }
        self.table_mut(resource)
            .insert(Arc::clone(&key), Arc::new(object));
        self.disturbed
            .push_back(Disturbance::Changed(resource, key));
        value
    }

    /// Takes an object out and answers it with the version of its removal, as etcd does.
    pub(super) fn remove(&mut self, resource: Resource, key: &str) -> Option<Value> {
        let mut value = self.forget(resource, key)?.value(resource);
        self.version += 1;
        metadata(&mut value).insert(
            "resourceVersion".to_owned(),
            self.version.to_string().into(),
        );
        self.disturbed
            .push_back(Disturbance::Removed(resource, value.clone()));
        Some(value)
    }

    /// Replaces what makes an object heavy.
    pub(super) fn pad(&mut self, resource: Resource, key: &str, padding: super::object::Padding) {
        if let Some(object) = self.table_mut(resource).get_mut(key) {
            Arc::make_mut(object).padding = Some(padding);
        }
    }

    fn forget(&mut self, resource: Resource, key: &str) -> Option<Arc<Object>> {
        let (key, object) = self.table_mut(resource).remove_entry(key)?;
        for owner in &object.owners {
            if let Some(dependents) = self.dependents.get_mut(owner) {
                dependents.remove(&(resource, Arc::clone(&key)));
                if dependents.is_empty() {
                    self.dependents.remove(owner);
                }
            }
        }
        Some(object)
    }

    fn table_mut(&mut self, resource: Resource) -> &mut Table {
        Arc::make_mut(self.tables.entry(resource).or_default())
    }

    /// The objects that name this uid among their owners.
    pub(super) fn dependents(&self, owner: &str) -> Vec<(Resource, Key)> {
        let dependents = self.dependents.get(owner);
        dependents.into_iter().flatten().cloned().collect()
    }

    /// Keeps the present for the later pages of a list.
    pub(super) fn remember(&mut self, resource: Resource) {
        let table = self.table(resource);
        if self.moment(resource, self.version).is_none() {
            self.moments.truncate(REMEMBERED - 1);
            self.moments.push_front((self.version, resource, table));
        }
    }

    /// The objects as they were at a version, if that is remembered.
    pub(super) fn moment(&self, resource: Resource, version: u64) -> Option<Arc<Table>> {
        let mut moments = self.moments.iter();
        let found = moments.find(|moment| moment.0 == version && moment.1 == resource)?;
        Some(Arc::clone(&found.2))
    }

    /// Forgets every earlier moment, as etcd does when it is compacted.
    pub(super) fn compact(&mut self) {
        self.moments.clear();
    }
}
