//! The same cluster twice: upstream reaps the one, the plugin the other, and what is left is compared.

mod place;
mod population;
mod rows;

use std::collections::BTreeSet;
use std::env;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use ironflow_core::providers::claude::K8sClusterConfig;
use ironflow_core::providers::claude::k8s::{
    ReapReport, configmap_expired, job_reap_reason, reap_orphans,
};
use serde_json::Value;
use testbed::cluster::Cluster;
use testbed::control_plane::{Binaries, ControlPlane, Options};
use testbed::memory::Server;

use crate::place::Place;

/// Objects in each of the two.
const OBJECTS: usize = 3000;

#[tokio::test]
async fn both_leave_the_same_on_the_server_in_memory() -> Result<()> {
    compare(&Server::new().serve()?, "in memory").await
}

#[tokio::test]
async fn both_leave_the_same_on_the_real_api_server() -> Result<()> {
    let cluster = ControlPlane::start(&Binaries::find()?, &Options::default())?;
    compare(&cluster, "real").await
}

async fn compare(cluster: &dyn Cluster, title: &str) -> Result<()> {
    let seed = seed()?;
    println!("{title}: REAP_ORACLE_SEED={seed}");
    let plugin = testbed::plugin::build(false)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let theirs = Place::new(cluster, seed, OBJECTS, now).await?;
    let ours = Place::new(cluster, seed, OBJECTS, now).await?;
    let before = theirs.standing().await?;
    assert_eq!(before, ours.standing().await?);
    let mounted = theirs.mounted_claims().await?;
    let reaped_twice = reaped_twice(&theirs, now).await?;

    let config = K8sClusterConfig::KubeconfigInline(cluster.kubeconfig(&theirs.namespace));
    let report: ReapReport = reap_orphans(&config, &theirs.namespace).await?;
    let document = ours.reap(&plugin)?;

    let left_by_them = theirs.standing().await?;
    let left_by_us = ours.standing().await?;
    let spared: BTreeSet<_> = left_by_us.difference(&left_by_them).cloned().collect();
    let gone = |object: &&String| !left_by_them.contains(*object);
    let expected: BTreeSet<_> = mounted
        .intersection(&before)
        .filter(gone)
        .cloned()
        .collect();
    println!(
        "{title}: {} objects, {} of them not being deleted; upstream left {}, the plugin {}: {} mounted claims more; \
         upstream deleted {} Jobs and {} ConfigMaps once more that were being deleted",
        OBJECTS,
        before.len(),
        left_by_them.len(),
        left_by_us.len(),
        spared.len(),
        reaped_twice.0,
        reaped_twice.1,
    );
    assert_eq!(left_by_them.difference(&left_by_us).next(), None);
    assert_eq!(spared, expected);
    assert!(!spared.is_empty() && reaped_twice.0 > 0 && reaped_twice.1 > 0);

    let deleted = |kind: &str| {
        let items = document["items"].as_array().into_iter().flatten();
        let deleted = items.filter(|item| item["kind"] == kind && item["outcome"] == "Deleted");
        deleted.count()
    };
    assert_eq!(report.pods_deleted, deleted("Pod"));
    assert_eq!(report.jobs_deleted, deleted("Job") + reaped_twice.0);
    assert_eq!(
        report.configmaps_deleted,
        deleted("ConfigMap") + reaped_twice.1
    );
    assert_eq!(
        report.pvcs_deleted,
        deleted("PersistentVolumeClaim") + spared.len()
    );
    Ok(())
}

/// The same one for all tests of a run.
fn seed() -> Result<u64> {
    static RANDOM: OnceLock<u64> = OnceLock::new();
    match env::var("REAP_ORACLE_SEED") {
        Ok(seed) => seed.parse().context("REAP_ORACLE_SEED"),
        Err(_) => Ok(*RANDOM.get_or_init(|| fastrand::u64(..))),
    }
}

/// How many Jobs and ConfigMaps are being deleted that upstream deletes all the same.
async fn reaped_twice(place: &Place<'_>, now: u64) -> Result<(usize, usize)> {
    let count = async |kind: &str, reaps: fn(Value, u64) -> Result<bool>| -> Result<usize> {
        let mut count = 0;
        for object in place.listed(kind).await? {
            let terminating = !object["metadata"]["deletionTimestamp"].is_null();
            count += usize::from(terminating && reaps(object, now)?);
        }
        Ok(count)
    };
    let jobs = count("Job", |job, now| {
        Ok(job_reap_reason(&serde_json::from_value(job)?, now).is_some())
    });
    let config_maps = count("ConfigMap", |config_map, now| {
        Ok(configmap_expired(&serde_json::from_value(config_map)?, now))
    });
    Ok((jobs.await?, config_maps.await?))
}
