//! One object in the making, changed call by call.

use std::time::Duration;

use k8s_openapi::jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::{NAMESPACE, NOW, hours};

/// One object in the making.
#[derive(Clone, Debug)]
pub struct ObjectBuilder {
    now: u64,
    value: Value,
}

impl ObjectBuilder {
    pub(super) fn new(api_version: &str, kind: &str, name: &str) -> Self {
        let value = json!({
            "apiVersion": api_version,
            "kind": kind,
            "metadata": {
                "name": name,
                "namespace": NAMESPACE,
                "uid": format!("uid-of-{name}"),
                "resourceVersion": "1000",
            },
        });
        Self { now: NOW, value }
            .at(NOW)
            .label("app.kubernetes.io/managed-by", "ironflow")
    }

    /// Counts from another time than `NOW`, in unix seconds; stands before what counts.
    #[must_use]
    pub fn at(mut self, now: u64) -> Self {
        self.now = now;
        self.created(hours(24))
    }

    /// Sets when it was created; a day ago without it.
    #[must_use]
    pub fn created(self, ago: Duration) -> Self {
        let created_at = timestamp(self.now.saturating_sub(ago.as_secs()));
        self.set("/metadata/creationTimestamp", created_at)
    }

    /// Moves it to a namespace.
    #[must_use]
    pub fn namespace(self, namespace: &str) -> Self {
        self.set("/metadata/namespace", namespace)
    }

    /// Adds or replaces a label.
    #[must_use]
    pub fn label(mut self, key: &str, value: &str) -> Self {
        self.value["metadata"]["labels"][key] = value.into();
        self
    }

    /// Adds or replaces an annotation.
    #[must_use]
    pub fn annotation(mut self, key: &str, value: &str) -> Self {
        self.value["metadata"]["annotations"][key] = value.into();
        self
    }

    /// Replaces the component.
    #[must_use]
    pub fn component(self, component: &str) -> Self {
        self.label("app.kubernetes.io/component", component)
    }

    /// Gives it a run.
    #[must_use]
    pub fn run(self, id: &str) -> Self {
        self.label("ironflow.io/run-id", id)
    }

    /// Gives it a root run.
    #[must_use]
    pub fn root_run(self, id: &str) -> Self {
        self.label("ironflow.io/root-run-id", id)
    }

    /// Gives it a step.
    #[must_use]
    pub fn step(self, step: &str) -> Self {
        self.label("ironflow.io/step", step)
    }

    /// Writes the expiry as it stands.
    #[must_use]
    pub fn expires_at(self, text: &str) -> Self {
        self.annotation("ironflow.io/expires-at", text)
    }

    /// Sets the expiry in unix seconds.
    #[must_use]
    pub fn expires_at_seconds(self, seconds: u64) -> Self {
        self.expires_at(&seconds.to_string())
    }

    /// Lets it expire so long ago.
    #[must_use]
    pub fn expired(self, ago: Duration) -> Self {
        let expiry = self.now.saturating_sub(ago.as_secs());
        self.expires_at_seconds(expiry)
    }

    /// Lets it expire so far ahead.
    #[must_use]
    pub fn expires_in(self, ahead: Duration) -> Self {
        let expiry = self.now + ahead.as_secs();
        self.expires_at_seconds(expiry)
    }

    /// Sets the phase of a pod or a claim.
    #[must_use]
    pub fn phase(self, phase: &str) -> Self {
        self.set("/status/phase", phase)
    }

    /// Lets a pod run.
    #[must_use]
    pub fn running(self) -> Self {
        self.phase("Running")
    }

    /// Lets a pod wait for a node.
    #[must_use]
    pub fn pending(self) -> Self {
        self.phase("Pending")
    }

    /// Lets a pod or a Job fail, for a reason as Kubernetes writes it; `""` is none.
    #[must_use]
    pub fn failed(self, reason: &str) -> Self {
        if self.value["kind"] == "Job" {
            // The API server takes `Failed` only together with the other two.
            let started_at = timestamp(self.now.saturating_sub(3600));
            let job = self
                .set("/status/startTime", started_at)
                .condition("FailureTarget", "True", reason)
                .condition("Failed", "True", reason);
            return job.without("/status/active");
        }
        let pod = self.phase("Failed");
        if reason.is_empty() {
            pod
        } else {
            pod.set("/status/reason", reason)
        }
    }

    /// Adds a condition to a Job.
    #[must_use]
    pub fn condition(self, condition: &str, status: &str, reason: &str) -> Self {
        self.push(
            "/status/conditions",
            json!({ "type": condition, "status": status, "reason": reason }),
        )
    }

    /// Binds a pod to a node.
    #[must_use]
    pub fn on_node(self, node: &str) -> Self {
        self.set("/spec/nodeName", node)
    }

    /// Lets a Job control it, as it controls its pods.
    #[must_use]
    pub fn owned_by_job(self, name: &str, uid: &str) -> Self {
        let owner = json!({
            "apiVersion": "batch/v1", "kind": "Job", "name": name, "uid": uid, "controller": true,
        });
        self.push("/metadata/ownerReferences", owner)
    }

    /// Adds an owner of any kind.
    #[must_use]
    pub fn owner(self, kind: &str, api_version: &str, controller: Option<bool>) -> Self {
        let mut owner = json!({ "apiVersion": api_version, "kind": kind, "name": "owner", "uid": "uid-of-owner" });
        if let Some(controller) = controller {
            owner["controller"] = controller.into();
        }
        self.push("/metadata/ownerReferences", owner)
    }

    /// Sets the deletionTimestamp, so many seconds ago.
    #[must_use]
    pub fn terminating(self, seconds_ago: u64) -> Self {
        let deleted_at = timestamp(self.now.saturating_sub(seconds_ago));
        self.set("/metadata/deletionTimestamp", deleted_at)
    }

    /// Adds a finalizer.
    #[must_use]
    pub fn finalizer(self, finalizer: &str) -> Self {
        self.push("/metadata/finalizers", finalizer.into())
    }

    /// Lets a pod mount a claim.
    #[must_use]
    pub fn mounts(self, claim: &str) -> Self {
        let volume =
            json!({ "name": "workspace", "persistentVolumeClaim": { "claimName": claim } });
        self.push("/spec/volumes", volume)
    }

    /// Sets what a JSON pointer of object keys points to, and creates the way to it.
    #[must_use]
    pub fn set(mut self, pointer: &str, value: impl Into<Value>) -> Self {
        *self.entry(pointer) = value.into();
        self
    }

    /// Removes what a JSON pointer points to, if it is there.
    #[must_use]
    pub fn without(mut self, pointer: &str) -> Self {
        if let Some((parent, key)) = pointer.rsplit_once('/')
            && let Some(parent) = self
                .value
                .pointer_mut(parent)
                .and_then(Value::as_object_mut)
        {
            parent.remove(&unescape(key));
        }
        self
    }

    /// The object as JSON.
    #[must_use]
    pub fn build(self) -> Value {
        self.value
    }

    fn push(mut self, pointer: &str, element: Value) -> Self {
        let list = self.entry(pointer);
        let mut elements = list.as_array().cloned().unwrap_or_default();
        elements.push(element);
        *list = elements.into();
        self
    }

    fn entry(&mut self, pointer: &str) -> &mut Value {
        pointer
            .split('/')
            .skip(1)
            .fold(&mut self.value, |parent, key| {
                if !parent.is_object() {
                    *parent = Map::new().into();
                }
                &mut parent[unescape(key)]
            })
    }
}

fn unescape(key: &str) -> String {
    key.replace("~1", "/").replace("~0", "~")
}

fn timestamp(seconds: u64) -> String {
    let timestamp = i64::try_from(seconds)
        .ok()
        .and_then(|seconds| Timestamp::from_second(seconds).ok());
    timestamp
        .expect("the time lies within the calendar")
        .to_string()
}
