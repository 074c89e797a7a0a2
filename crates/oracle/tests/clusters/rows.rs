//! The rows of the table of differences that only a whole cluster shows, one by one.

use std::process::Output;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;
use http::Method;
use ironflow_core::providers::claude::K8sClusterConfig;
use ironflow_core::providers::claude::k8s::reap_orphans;
use serde_json::json;
use testbed::cluster::Cluster;
use testbed::memory::{Fault, Resource, Served, Server, on};
use testbed::objects::{NAMESPACE, ObjectBuilder, claim, hours, job, pod};

use crate::place::reap;

/// What each of the two leaves of the same cluster.
struct Left {
    by_upstream: Vec<String>,
    by_plugin: Vec<String>,
    plugin: Output,
}

/// Prepares two servers alike, and lets each reaper have one.
async fn reap_both(prepare: impl Fn(&Server, u64), arguments: &[&str]) -> Result<Left> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let [theirs, ours] = [Server::new().serve()?, Server::new().serve()?];
    prepare(&theirs, now);
    prepare(&ours, now);
    let config = K8sClusterConfig::KubeconfigInline(theirs.kubeconfig(NAMESPACE));
    // Where a list fails, what matters is what it has deleted by then.
    drop(reap_orphans(&config, NAMESPACE).await);
    let plugin = testbed::plugin::build(false)?;
    let plugin = reap(&plugin, &ours.kubeconfig(NAMESPACE), arguments)?;
    Ok(Left {
        by_upstream: left(&theirs),
        by_plugin: left(&ours),
        plugin,
    })
}

fn left(server: &Served) -> Vec<String> {
    [Resource::Jobs, Resource::Pods, Resource::Claims]
        .into_iter()
        .flat_map(|resource| server.names(resource))
        .collect()
}

fn expired(make: fn(&str) -> ObjectBuilder, name: &str, now: u64) -> ObjectBuilder {
    make(name).at(now).expired(hours(1))
}

#[tokio::test]
async fn a_list_that_fails_leaves_half_the_work_done_by_upstream_and_none_here() -> Result<()> {
    let prepare = |server: &Server, now| {
        server.add(expired(job, "job", now).build());
        server.add(expired(pod, "pod", now).build());
        server.fault(on(Method::GET, "/pods?"), Fault::status(403));
    };
    let left = reap_both(prepare, &["--yes"]).await?;
    assert_eq!(left.by_upstream, ["ironflow-agents/pod"]);
    assert_eq!(
        left.by_plugin,
        ["ironflow-agents/job", "ironflow-agents/pod"]
    );
    assert_eq!(left.plugin.status.code(), Some(1));
    Ok(())
}

#[tokio::test]
async fn a_callers_clock_that_is_ahead_deletes_live_work_by_upstream_alone() -> Result<()> {
    let prepare = |server: &Server, now| {
        server.clock().skew(-2 * 3600);
        server.add(expired(pod, "pod", now).build());
    };
    let left = reap_both(prepare, &["--yes"]).await?;
    assert_eq!(left.by_upstream, [""; 0]);
    assert_eq!(left.by_plugin, ["ironflow-agents/pod"]);
    Ok(())
}

#[tokio::test]
async fn what_is_renewed_right_before_its_deletion_survives_here_alone() -> Result<()> {
    let prepare = |server: &Server, now: u64| {
        server.add(expired(pod, "pod", now).build());
        let expiry = (now + 3600).to_string();
        let renewal =
            json!({ "metadata": { "annotations": { "ironflow.io/expires-at": expiry } } });
        server.before(on(Method::DELETE, "/pods/pod").times(1), move |server| {
            server.patch(Resource::Pods, NAMESPACE, "pod", &renewal);
        });
    };
    let left = reap_both(prepare, &["--yes"]).await?;
    assert_eq!(left.by_upstream, [""; 0]);
    assert_eq!(left.by_plugin, ["ironflow-agents/pod"]);
    assert_eq!(left.plugin.status.code(), Some(0));
    Ok(())
}

#[tokio::test]
async fn upstream_reaps_one_namespace_and_the_plugin_all_where_that_is_asked_for() -> Result<()> {
    let prepare = |server: &Server, now| {
        server.add(expired(pod, "pod", now).build());
        server.add(expired(pod, "pod", now).namespace("elsewhere").build());
    };
    let left = reap_both(prepare, &["--yes", "--all-namespaces"]).await?;
    assert_eq!(left.by_upstream, ["elsewhere/pod"]);
    assert_eq!(left.by_plugin, [""; 0]);
    Ok(())
}

#[tokio::test]
async fn claims_go_by_upstream_and_stay_here_unless_they_are_named() -> Result<()> {
    let prepare = |server: &Server, now| {
        server.add(expired(claim, "claim", now).build());
    };
    let left = reap_both(prepare, &["all", "--yes"]).await?;
    assert_eq!(left.by_upstream, [""; 0]);
    assert_eq!(left.by_plugin, ["ironflow-agents/claim"]);
    let left = reap_both(prepare, &["pvc", "--yes"]).await?;
    assert_eq!(left.by_plugin, [""; 0]);
    Ok(())
}
