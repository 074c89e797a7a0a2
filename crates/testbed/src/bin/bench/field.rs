//! A namespace with 1,000 objects of which 900 may go, and the raw client that deletes them.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use futures::{StreamExt, TryStreamExt, stream};
use http::Request;
use k8s_openapi::jiff::Timestamp;
use serde_json::{Value, json};
use testbed::cluster::{Cluster, Objects, collection};
use testbed::control_plane::ControlPlane;
use testbed::objects::{ObjectBuilder, config_map, hours, job, pod, seconds};

/// How many of each kind there are; of ten, nine may go.
const MIX: [(&str, usize); 3] = [("Job", 100), ("Pod", 500), ("ConfigMap", 400)];
/// Creations in flight.
const CREATING: usize = 32;

/// A namespace with 1,000 objects.
pub(crate) struct Field<'a> {
    pub(crate) cluster: &'a ControlPlane,
    pub(crate) namespace: String,
    /// What may go and what stays: the path of each object, with its uid and its resource version.
    orphans: BTreeMap<String, (String, String)>,
    others: BTreeMap<String, (String, String)>,
}

impl<'a> Field<'a> {
    /// Makes the namespace, and waits until no controller has anything left to do in it.
    pub(crate) async fn fill(cluster: &'a ControlPlane) -> Result<Self> {
        let namespace = cluster.create_namespace("bench").await?;
        let created = cluster.get("Namespace", "", &namespace).await?;
        let created = created["metadata"]["creationTimestamp"].as_str();
        let now: Timestamp = created.unwrap_or_default().parse()?;
        let now = now.as_second().try_into()?;
        let objects = MIX
            .into_iter()
            .flat_map(|(kind, number)| (0..number).map(move |index| object(kind, index, now)));
        let create = |object: ObjectBuilder| {
            let object = object.namespace(&namespace).build();
            cluster.create(object)
        };
        stream::iter(objects)
            .map(create)
            .buffer_unordered(CREATING)
            .try_collect::<Vec<_>>()
            .await?;
        let is_suspended = |job: &Value| job["status"]["conditions"][0]["type"] == "Suspended";
        for index in 0..MIX[0].1 {
            let name = format!("object-{index}");
            cluster
                .await_object("Job", &namespace, &name, is_suspended)
                .await?;
        }
        let mut field = Self {
            cluster,
            namespace,
            orphans: BTreeMap::new(),
            others: BTreeMap::new(),
        };
        (field.orphans, field.others) = field
            .objects()
            .await?
            .into_iter()
            .partition(|(path, _)| !path.ends_with('9'));
        ensure!((field.orphans.len(), field.others.len()) == (900, 100));
        Ok(field)
    }

    async fn objects(&self) -> Result<BTreeMap<String, (String, String)>> {
        let mut objects = BTreeMap::new();
        for (kind, _) in MIX {
            for object in self.cluster.list(kind, &self.namespace).await? {
                let text = |key: &str| {
                    object["metadata"][key]
                        .as_str()
                        .unwrap_or_default()
                        .to_owned()
                };
                let path = format!("{}/{}", collection(kind, &self.namespace), text("name"));
                objects.insert(path, (text("uid"), text("resourceVersion")));
            }
        }
        Ok(objects)
    }

    /// Deletes what may go with nothing but the requests that it takes.
    pub(crate) async fn delete_raw(&self, in_flight: usize) -> Result<Duration> {
        let begin = Instant::now();
        let delete = |(path, (uid, version)): (&String, &(String, String))| {
            let options = json!({
                "propagationPolicy": "Background",
                "preconditions": { "uid": uid, "resourceVersion": version },
            });
            let request = Request::delete(path)
                .header("content-type", "application/json")
                .body(options.to_string().into_bytes());
            async {
                let answer = self.cluster.send(request?).await?;
                ensure!(answer.status().is_success(), "{answer:?}");
                Ok(())
            }
        };
        stream::iter(&self.orphans)
            .map(delete)
            .buffer_unordered(in_flight)
            .try_collect::<Vec<()>>()
            .await?;
        Ok(begin.elapsed())
    }

    /// What may go, as kubectl names it.
    pub(crate) fn names(&self) -> Vec<String> {
        let paths = self.orphans.keys();
        paths
            .filter_map(|path| {
                let (path, name) = path.rsplit_once('/')?;
                let (_, plural) = path.rsplit_once('/')?;
                Some(format!("{plural}/{name}"))
            })
            .collect()
    }

    /// Makes sure that what may go is gone, and the rest as it was.
    pub(crate) async fn check(&self) -> Result<()> {
        let left = self.objects().await?;
        ensure!(left == self.others, "{} objects are left", left.len());
        Ok(())
    }
}

fn object(kind: &str, index: usize, now: u64) -> ObjectBuilder {
    let name = format!("object-{index}");
    let object = match kind {
        // The controller leaves suspended Jobs alone, so that their resource versions stay.
        "Job" => job(&name).set("/spec/suspend", true).without("/status"),
        "Pod" => pod(&name),
        _ => config_map(&name),
    };
    let object = object.at(now);
    if index % 10 == 9 {
        object.expires_in(hours(24))
    } else {
        object.expired(seconds(20))
    }
}
