//! A user's shell: a home folder, a kubeconfig, and a folder of programs.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

/// A shell that inherits nothing of the tests' own environment.
pub(crate) struct Shell {
    home: TempDir,
}

/// What a program left behind.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Shell {
    /// A shell that finds kubectl, and a cluster by a kubeconfig.
    pub(crate) fn new(kubectl: &Path, kubeconfig: &str) -> Result<Self> {
        let shell = Self {
            home: tempfile::tempdir()?,
        };
        fs::create_dir(shell.home().join("bin"))?;
        fs::write(shell.home().join("kubeconfig"), kubeconfig)?;
        shell.link("kubectl", kubectl)?;
        Ok(shell)
    }

    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// Folder that belongs to krew.
    pub(crate) fn krew_root(&self) -> PathBuf {
        self.home().join("krew")
    }

    /// Lets the shell find a program under a name.
    pub(crate) fn link(&self, name: &str, program: &Path) -> Result<()> {
        Ok(symlink(program, self.home().join("bin").join(name))?)
    }

    /// Runs kubectl to its end, with nothing on stdin.
    pub(crate) fn kubectl(&self, arguments: &str) -> Result<Finished> {
        let path = [
            self.home().join("bin"),
            self.krew_root().join("bin"),
            "/usr/bin".into(),
            "/bin".into(),
        ];
        let output = Command::new(self.home().join("bin/kubectl"))
            .args(arguments.split(' '))
            .current_dir(self.home())
            .env_clear()
            .env("PATH", std::env::join_paths(path)?)
            .env("HOME", self.home())
            .env("KUBECONFIG", self.home().join("kubeconfig"))
            .env("KREW_ROOT", self.krew_root())
            .env("KREW_NO_UPGRADE_CHECK", "1")
            // The index that krew would fetch from the net.
            .env("KREW_DEFAULT_INDEX_URI", self.home().join("index"))
            .output()
            .context("kubectl does not start")?;
        Ok(Finished {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout)?,
            stderr: String::from_utf8(output.stderr)?,
        })
    }

    /// Runs kubectl, which must not fail; returns what it wrote to stdout.
    pub(crate) fn expect(&self, arguments: &str) -> Result<String> {
        let finished = self.kubectl(arguments)?;
        ensure!(
            finished.code == Some(0),
            "kubectl {arguments}: {finished:#?}"
        );
        Ok(finished.stdout)
    }
}
