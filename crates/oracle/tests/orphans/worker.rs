//! A process of the real engine, in the middle of a step.

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

use anyhow::{Context, Result, ensure};

const SIGKILL: i32 = 9;

/// A running worker; dropping it kills it.
pub(crate) struct Worker {
    process: Child,
}

impl Worker {
    /// Starts one with the arguments of `engine`.
    pub(crate) fn start(kubeconfig: &Path, arguments: &[&str]) -> Result<Self> {
        let process = Command::new(env!("CARGO_BIN_EXE_engine"))
            .args(arguments)
            .env("KUBECONFIG", kubeconfig)
            .stderr(Stdio::piped())
            .spawn()?;
        Ok(Self { process })
    }

    /// Kills the worker, which must still be at its step, and which cannot clean up.
    pub(crate) fn kill(&mut self) -> Result<()> {
        let ended = self.process.try_wait()?;
        ensure!(ended.is_none(), "the step ended too early: {ended:?}");
        self.process.kill()?;
        let status = self.process.wait()?;
        ensure!(status.signal() == Some(SIGKILL), "{status}");
        Ok(())
    }

    /// Waits for the end of the step; returns how it ended and what it said.
    pub(crate) fn finish(&mut self) -> Result<(ExitStatus, String)> {
        let mut said = String::new();
        let stderr = self.process.stderr.as_mut().context("stderr is piped")?;
        stderr.read_to_string(&mut said)?;
        Ok((self.process.wait()?, said))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}
