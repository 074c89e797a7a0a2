//! What one test works with: a namespace, and a user's shell in which kubectl finds the plugin.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context, Result};
use tempfile::TempDir;
use testbed::cluster::{Cluster, Objects};
use testbed::control_plane::ControlPlane;
use testbed::terminal::Terminal;

/// The program under test.
const PLUGIN: &str = env!("CARGO_BIN_EXE_kubectl-ironflow-reap");

/// A namespace of its own on a control plane, and a home folder with a kubeconfig.
pub(crate) struct Case {
    pub(crate) cluster: Arc<ControlPlane>,
    pub(crate) namespace: String,
    home: TempDir,
}

/// What a program left behind.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Case {
    /// Makes the namespace, and lets the administrator use it.
    pub(crate) async fn new(cluster: Arc<ControlPlane>) -> Result<Self> {
        let namespace = cluster.create_namespace("reap").await?;
        let case = Self {
            cluster,
            namespace,
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
        let output = self
            .command(arguments)
            .output()
            .context("kubectl does not start")?;
        Ok(Finished {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout)?,
            stderr: String::from_utf8(output.stderr)?,
        })
    }

    /// Starts kubectl in a terminal of 40 rows and 200 columns.
    pub(crate) fn kubectl_in_terminal(&self, arguments: &[&str]) -> Result<Terminal> {
        Terminal::start(&self.command(arguments), 40, 200)
    }

    /// A kubectl that inherits nothing of the tests' own environment.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.programs().join("kubectl"));
        command.args(arguments).current_dir(self.home()).env_clear();
        command.env(
            "PATH",
            format!("{}:/usr/bin:/bin", self.programs().display()),
        );
        command
            .env("HOME", self.home())
            .env("KUBECONFIG", self.kubeconfig())
            .env("TERM", "xterm");
        command
    }
}
