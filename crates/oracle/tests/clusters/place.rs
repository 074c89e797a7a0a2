//! A namespace full of generated objects.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Result, ensure};
use futures::{StreamExt, TryStreamExt, stream};
use serde_json::Value;
use testbed::cluster::{Cluster, Objects};

use crate::population::{OWNER, owner, population};

/// Requests in flight while objects are created.
const IN_FLIGHT: usize = 32;

/// A namespace of its own.
pub(crate) struct Place<'a> {
    cluster: &'a dyn Cluster,
    pub(crate) namespace: String,
}

impl<'a> Place<'a> {
    /// Makes the namespace and what is in it.
    pub(crate) async fn new(
        cluster: &'a dyn Cluster,
        seed: u64,
        count: usize,
        now: u64,
    ) -> Result<Self> {
        let namespace = cluster.create_namespace("oracle").await?;
        let owner = cluster.create(owner(&namespace, now)).await?;
        let uid = owner["metadata"]["uid"].as_str().unwrap_or_default();
        let members = population(seed, count, now, uid);
        stream::iter(members)
            .map(|member| {
                let object = member.object.namespace(&namespace).build();
                async move {
                    let created = cluster.create(object).await?;
                    if member.terminating {
                        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                        let [kind, namespace, name] = [
                            &created["kind"],
                            &created["metadata"]["namespace"],
                            &created["metadata"]["name"],
                        ]
                        .map(text);
                        cluster.delete(&kind, &namespace, &name).await?;
                    }
                    anyhow::Ok(())
                }
            })
            .buffer_unordered(IN_FLIGHT)
            .try_collect::<Vec<_>>()
            .await?;
        Ok(Self { cluster, namespace })
    }

    /// `Kind/name` of everything that nobody has deleted.
    pub(crate) async fn standing(&self) -> Result<BTreeSet<String>> {
        let mut standing = BTreeSet::new();
        for kind in ["Job", "Pod", "ConfigMap", "PersistentVolumeClaim"] {
            for object in self.cluster.list(kind, &self.namespace).await? {
                let metadata = &object["metadata"];
                if metadata["deletionTimestamp"].is_null() {
                    let name = metadata["name"].as_str().unwrap_or_default();
                    standing.insert(format!("{kind}/{name}"));
                }
            }
        }
        ensure!(
            standing.remove(&format!("Job/{OWNER}")),
            "the owner is gone"
        );
        Ok(standing)
    }

    /// `Kind/name` of every claim that a Pending or Running pod of ironflow mounts.
    pub(crate) async fn mounted_claims(&self) -> Result<BTreeSet<String>> {
        let mut mounted = BTreeSet::new();
        for pod in self.listed("Pod").await? {
            let phase = pod["status"]["phase"].as_str().unwrap_or_default();
            let volumes = pod["spec"]["volumes"].as_array().into_iter().flatten();
            if ["Pending", "Running"].contains(&phase) {
                let names = volumes.filter_map(|volume| {
                    volume.pointer("/persistentVolumeClaim/claimName")?.as_str()
                });
                mounted.extend(names.map(|name| format!("PersistentVolumeClaim/{name}")));
            }
        }
        Ok(mounted)
    }

    /// The objects of a kind that upstream's selector finds.
    pub(crate) async fn listed(&self, kind: &str) -> Result<Vec<Value>> {
        let mut objects = self.cluster.list(kind, &self.namespace).await?;
        objects.retain(|object| {
            let label =
                |key: &str| &object["metadata"]["labels"][format!("app.kubernetes.io/{key}")];
            let component = match kind {
                "ConfigMap" => Some("prompt-data"),
                "PersistentVolumeClaim" => Some("environment"),
                _ => None,
            };
            label("managed-by") == "ironflow"
                && component.is_none_or(|component| label("component") == component)
        });
        Ok(objects)
    }

    /// Runs the plugin on everything, claims included, and returns its document.
    pub(crate) fn reap(&self, plugin: &Path) -> Result<Value> {
        let kubeconfig = self.cluster.kubeconfig(&self.namespace);
        let output = reap(plugin, &kubeconfig, &["all,pvc", "--yes", "--output=json"])?;
        ensure!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(serde_json::from_slice(&output.stdout)?)
    }
}

/// Runs the plugin with a kubeconfig and with nothing else of our environment.
pub(crate) fn reap(plugin: &Path, kubeconfig: &str, arguments: &[&str]) -> Result<Output> {
    let home = tempfile::tempdir()?;
    let path = home.path().join("kubeconfig");
    fs::write(&path, kubeconfig)?;
    let mut command = Command::new(plugin);
    command.args(arguments).env_clear().env("HOME", home.path());
    Ok(command.env("KUBECONFIG", path).output()?)
}
