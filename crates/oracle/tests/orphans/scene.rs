//! A namespace on a real control plane, the engine's workers in it, and the plugin.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tempfile::TempDir;
use testbed::cluster::{Cluster, Objects};
use testbed::control_plane::{Binaries, ControlPlane, Options};
use testbed::terminal::Terminal;
use tokio::time::sleep;

use crate::worker::Worker;

/// How long an object may take to appear.
const PATIENCE: Duration = Duration::from_mins(1);

/// A namespace of its own.
pub(crate) struct Scene {
    pub(crate) cluster: &'static ControlPlane,
    pub(crate) namespace: String,
    plugin: PathBuf,
    home: TempDir,
}

impl Scene {
    /// Starts the control plane, which all scenes share, builds the plugin, and makes the namespace.
    pub(crate) async fn new() -> Result<Self> {
        let cluster = control_plane()?;
        let plugin = testbed::plugin::build(false)?;
        let namespace = cluster.create_namespace("orphans").await?;
        let home = tempfile::tempdir()?;
        fs::write(
            home.path().join("kubeconfig"),
            cluster.kubeconfig(&namespace),
        )?;
        Ok(Self {
            cluster,
            namespace,
            plugin,
            home,
        })
    }

    /// Starts a worker at a step in the namespace.
    pub(crate) fn work(&self, step: &str, arguments: &[&str]) -> Result<Worker> {
        let arguments = [&[step, &self.namespace], arguments].concat();
        Worker::start(&self.home.path().join("kubeconfig"), &arguments)
    }

    /// Runs the plugin, which must succeed, and returns its document.
    pub(crate) fn reap(&self, arguments: &[&str]) -> Result<Value> {
        let output = self
            .plugin(&[arguments, &["-o", "json"]].concat())
            .output()?;
        ensure!(output.status.success(), "{output:?}");
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    /// Runs the plugin in a terminal until it asks.
    pub(crate) fn reap_until_question(&self, arguments: &[&str]) -> Result<Terminal> {
        let mut terminal = Terminal::start(&self.plugin(arguments), 40, 200)?;
        terminal.wait_for("[y/N] ")?;
        Ok(terminal)
    }

    fn plugin(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.plugin);
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.home.path())
            .env("KUBECONFIG", self.home.path().join("kubeconfig"))
            .env("TERM", "xterm");
        command
    }

    /// Waits until there is such an object, and returns it.
    pub(crate) async fn await_found(
        &self,
        kind: &str,
        is_it: impl Fn(&Value) -> bool,
    ) -> Result<Value> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let objects = self.cluster.list(kind, &self.namespace).await?;
            if let Some(found) = objects.iter().find(|object| is_it(object)) {
                return Ok(found.clone());
            }
            ensure!(
                Instant::now() < deadline,
                "no such {kind} among {objects:#?}"
            );
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// `Kind/name` of everything that the plugin could touch.
    pub(crate) async fn objects(&self) -> Result<Vec<String>> {
        let mut objects = Vec::new();
        for kind in ["Job", "Pod", "ConfigMap", "PersistentVolumeClaim"] {
            let listed = self.cluster.list(kind, &self.namespace).await?;
            objects.extend(
                listed
                    .iter()
                    .map(|object| format!("{kind}/{}", name(object))),
            );
        }
        Ok(objects)
    }
}

/// Never dropped: the control plane ends when the test process does.
fn control_plane() -> Result<&'static ControlPlane> {
    static SHARED: OnceLock<Result<ControlPlane, String>> = OnceLock::new();
    let start = || ControlPlane::start(&Binaries::find()?, &Options::default());
    SHARED
        .get_or_init(|| start().map_err(|error| format!("{error:#}")))
        .as_ref()
        .map_err(|error| anyhow::anyhow!("{error}"))
}

pub(crate) fn name(object: &Value) -> &str {
    object["metadata"]["name"].as_str().unwrap_or_default()
}

/// Whether the object has the name.
pub(crate) fn named(wanted: &str) -> impl Fn(&Value) -> bool {
    move |object| name(object) == wanted
}

/// When the object expires, in unix seconds.
pub(crate) fn expires_at(object: &Value) -> Result<u64> {
    let annotation = &object["metadata"]["annotations"]["ironflow.io/expires-at"];
    let text = annotation.as_str().context("the engine writes an expiry")?;
    Ok(text.parse()?)
}

/// Time until that moment, which the API server shares with us; none if it is over.
pub(crate) fn until(unix_seconds: u64) -> Duration {
    let moment = UNIX_EPOCH + Duration::from_secs(unix_seconds);
    moment.duration_since(SystemTime::now()).unwrap_or_default()
}

/// Waits until what expires then has expired.
pub(crate) async fn await_expiry(unix_seconds: u64) {
    sleep(until(unix_seconds + 1)).await;
}
