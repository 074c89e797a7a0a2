//! What one test works with: a namespace, and a user's shell in which kubectl finds the plugin.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use anyhow::{Context, Result};
use k8s_openapi::jiff::Timestamp;
use serde_json::Value;
use tempfile::TempDir;
use testbed::cluster::{Cluster, Objects};
use testbed::control_plane::ControlPlane;
use testbed::objects::ObjectBuilder;
use testbed::terminal::Terminal;

use crate::stable::stable;

/// The program under test.
pub(crate) const PLUGIN: &str = env!("CARGO_BIN_EXE_kubectl-ironflow-reap");

/// A namespace of its own on a control plane, and a home folder with a kubeconfig.
pub(crate) struct Case {
    pub(crate) cluster: Arc<ControlPlane>,
    pub(crate) namespace: String,
    /// When the namespace was made, by the server's clock, in unix seconds.
    pub(crate) now: u64,
    home: TempDir,
}

/// What a program left behind.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl fmt::Display for Finished {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.code.map_or("none".to_owned(), |code| code.to_string());
        write!(
            formatter,
            "exit code: {code}\n----- stdout -----\n{}----- stderr -----\n{}",
            self.stdout, self.stderr
        )
    }
}

impl Case {
    /// Makes the namespace, and lets the administrator use it.
    pub(crate) async fn new(cluster: Arc<ControlPlane>) -> Result<Self> {
        let namespace = cluster.create_namespace("reap").await?;
        let created = cluster.get("Namespace", "", &namespace).await?;
        let created = created["metadata"]["creationTimestamp"].as_str();
        let created: Timestamp = created.unwrap_or_default().parse()?;
        let case = Self {
            cluster,
            namespace,
            now: created.as_second().try_into()?,
            home: tempfile::tempdir()?,
        };
        fs::create_dir(case.programs())?;
        symlink(PLUGIN, case.programs().join("kubectl-ironflow-reap"))?;
        symlink(case.cluster.kubectl(), case.programs().join("kubectl"))?;
        case.become_user(&case.cluster.kubeconfig(&case.namespace))?;
        Ok(case)
    }

    /// Runs what follows with another kubeconfig.
    pub(crate) fn become_user(&self, kubeconfig: &str) -> Result<()> {
        Ok(fs::write(self.kubeconfig(), kubeconfig)?)
    }

    /// Folder of kubectl and the plugin, first on PATH; further names may be linked into it.
    pub(crate) fn programs(&self) -> PathBuf {
        self.home().join("bin")
    }

    pub(crate) fn kubeconfig(&self) -> PathBuf {
        self.home().join("kubeconfig")
    }

    /// Home folder, where programs start.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// Runs kubectl to its end, without a terminal and with nothing on stdin.
    pub(crate) fn kubectl(&self, arguments: &[&str]) -> Result<Finished> {
        let output = self.command(arguments).output();
        finished(output.context("kubectl does not start")?)
    }

    /// Runs a script in which kubectl is found, to its end; nothing is on its stdin.
    pub(crate) fn shell(&self, script: &str) -> Result<Finished> {
        let output = self.shell_command(script).output()?;
        Ok(self.stable(&finished(output)?))
    }

    /// Runs a script in which kubectl is found in a terminal of 40 rows and 200 columns.
    pub(crate) fn shell_in_terminal(&self, script: &str) -> Result<Terminal> {
        Terminal::start(&self.shell_command(script), 40, 200)
    }

    fn shell_command(&self, script: &str) -> Command {
        let mut command = self.environment("/bin/sh");
        command.args(["-c", script]);
        command
    }

    /// Runs kubectl as the administrator, whoever the user is now.
    pub(crate) fn kubectl_as_administrator(&self, arguments: &[&str]) -> Result<Finished> {
        let kubeconfig = self.home().join("administrator");
        fs::write(&kubeconfig, self.cluster.kubeconfig(&self.namespace))?;
        let output = self
            .command(arguments)
            .env("KUBECONFIG", kubeconfig)
            .output()?;
        finished(output)
    }

    /// Runs the plugin by kubectl, and makes what differs from run to run the same.
    pub(crate) fn reap(&self, arguments: &[&str]) -> Result<Finished> {
        let finished = self.kubectl(&[&["ironflow", "reap"], arguments].concat())?;
        Ok(self.stable(&finished))
    }

    /// Starts the plugin by kubectl in a terminal, and waits until it asks.
    pub(crate) fn reap_until_question(&self, arguments: &[&str]) -> Result<Terminal> {
        let command = ["ironflow", "reap", "--color=never"];
        let mut terminal = self.kubectl_in_terminal(&[&command, arguments].concat())?;
        terminal.wait_for("[y/N] ")?;
        Ok(terminal)
    }

    /// Types an answer and waits for the end.
    pub(crate) fn answer(&self, mut terminal: Terminal, keys: &str) -> Result<Finished> {
        terminal.type_text(keys)?;
        self.finish(terminal)
    }

    /// Waits for the end; everything that the terminal shows stands under stdout.
    pub(crate) fn finish(&self, terminal: Terminal) -> Result<Finished> {
        let finished = terminal.finish()?;
        Ok(self.stable(&Finished {
            code: finished.code.try_into().ok(),
            stdout: finished.output.replace("\r\n", "\n"),
            stderr: String::new(),
        }))
    }

    /// Makes what differs from run to run the same.
    pub(crate) fn stable(&self, finished: &Finished) -> Finished {
        let texts = [
            (self.cluster.server(), "SERVER"),
            (&*self.home().to_string_lossy(), "HOME"),
            (&self.namespace, "NAMESPACE"),
        ];
        Finished {
            code: finished.code,
            stdout: stable(&finished.stdout, &texts),
            stderr: stable(&finished.stderr, &texts),
        }
    }

    /// Creates an object in the case's namespace, counted from its `now`.
    pub(crate) async fn create(&self, object: ObjectBuilder) -> Result<Value> {
        let object = object.namespace(&self.namespace).build();
        self.cluster.create(object).await
    }

    /// Every object in the namespace that the plugin could touch: `Kind/name`, with uid and resource version.
    pub(crate) async fn objects(&self) -> Result<BTreeMap<String, String>> {
        let mut objects = BTreeMap::new();
        for kind in ["Job", "Pod", "ConfigMap", "PersistentVolumeClaim"] {
            for object in self.cluster.list(kind, &self.namespace).await? {
                let metadata = &object["metadata"];
                objects.insert(
                    format!("{kind}/{}", metadata["name"].as_str().unwrap_or_default()),
                    format!("{} {}", metadata["uid"], metadata["resourceVersion"]),
                );
            }
        }
        Ok(objects)
    }

    /// Starts kubectl in a terminal of 40 rows and 200 columns.
    pub(crate) fn kubectl_in_terminal(&self, arguments: &[&str]) -> Result<Terminal> {
        Terminal::start(&self.command(arguments), 40, 200)
    }

    /// A kubectl that inherits nothing of the tests' own environment.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.environment(self.programs().join("kubectl"));
        command.args(arguments);
        command
    }

    fn environment(&self, program: impl AsRef<OsStr>) -> Command {
        let path = format!("{}:/usr/bin:/bin", self.programs().display());
        let mut command = Command::new(program);
        command
            .current_dir(self.home())
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.home())
            .env("KUBECONFIG", self.kubeconfig())
            .env("TERM", "xterm");
        command
    }
}

fn finished(output: Output) -> Result<Finished> {
    Ok(Finished {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout)?,
        stderr: String::from_utf8(output.stderr)?,
    })
}
