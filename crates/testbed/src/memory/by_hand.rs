//! What a test does to the cluster by itself: no request, no permission, no trace in the log.

use serde_json::Value;

use super::Server;
use super::object::{Padding, text};
use super::resource::Resource;
use super::store::key;
use super::write::{complete, merge, update};

impl Server {
    /// Puts an object in as it is, status and deletion included, replaces one of the same name, and answers it with
    /// what only a server can give: a resource version, and a uid and a moment of creation if it has none.
    ///
    /// # Panics
    ///
    /// If its kind is none that the server keeps.
    #[expect(
        clippy::must_use_candidate,
        reason = "most tests know what they put in"
    )]
    pub fn add(&self, mut object: Value) -> Value {
        let resource = resource(&object);
        let now = self.clock().now();
        self.store(|store| {
            complete(store, resource, &mut object, now);
            store.put(resource, object)
        })
    }

    /// Puts an object in that `padding` makes heavy each time somebody reads it.
    ///
    /// # Panics
    ///
    /// If its kind is none that the server keeps.
    pub fn add_padded(&self, object: Value, padding: &Padding) {
        let resource = resource(&object);
        let object = self.add(object);
        let key = key(
            text(&object, "/metadata/namespace"),
            text(&object, "/metadata/name"),
        );
        self.store(|store| store.pad(resource, &key, padding.clone()));
    }

    /// Merges a change into an object, whatever it touches.
    ///
    /// # Panics
    ///
    /// If there is no such object.
    pub fn patch(&self, resource: Resource, namespace: &str, name: &str, change: &Value) {
        self.store(|store| {
            let before = store.value(resource, &key(namespace, name));
            let before = before.expect("the object to patch exists");
            let mut after = before.clone();
            merge(&mut after, change);
            update(store, resource, &before, after)
        });
    }

    /// Takes an object out at once, finalizers or not; its dependents follow.
    pub fn remove(&self, resource: Resource, namespace: &str, name: &str) {
        self.store(|store| store.remove(resource, &key(namespace, name)));
    }

    /// An object as it is now.
    #[must_use]
    pub fn object(&self, resource: Resource, namespace: &str, name: &str) -> Option<Value> {
        self.store(|store| store.value(resource, &key(namespace, name)))
    }

    /// The objects of a kind as `namespace/name`, sorted.
    #[must_use]
    pub fn names(&self, resource: Resource) -> Vec<String> {
        let table = self.store(|store| store.table(resource));
        table.keys().map(ToString::to_string).collect()
    }

    /// Forgets the past, so that lists that are under way get 410 on their next page.
    pub fn expire_continue_tokens(&self) {
        self.store(super::store::Store::compact);
    }
}

fn resource(object: &Value) -> Resource {
    Resource::of_kind(text(object, "/kind")).expect("an object of a kind that the server keeps")
}
