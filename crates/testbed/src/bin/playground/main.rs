//! The main job in this terminal, on a cluster that comes and goes with it.
//!
//! What follows `--` goes to the plugin, and the plugin's exit code is handed on.

mod options;

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus};
use std::time::SystemTime;

use anyhow::{Context, Result};
use testbed::cluster::Cluster;
use testbed::control_plane::{Binaries, ControlPlane};
use testbed::memory::Server;
use testbed::objects::NAMESPACE;
use testbed::playground::{BATCH, heap, plant};
use testbed::plugin;
use tokio::signal::unix::{SignalKind, signal};

use options::{Backend, Options};

#[expect(
    clippy::disallowed_methods,
    reason = "a program of its own, which reads its arguments and prints"
)]
fn main() -> Result<ExitCode> {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(usage) => {
            writeln!(std::io::stderr(), "{usage}")?;
            return Ok(ExitCode::from(2));
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(play(&options))
}

async fn play(options: &Options) -> Result<ExitCode> {
    let plugin = plugin::build(false)?;
    let home = tempfile::tempdir()?;
    let programs = home.path().join("bin");
    fs::create_dir(&programs)?;
    symlink(plugin, programs.join("kubectl-ironflow-reap"))?;
    // Kept to the end: the cluster ends when it is dropped.
    let cluster: Box<dyn Cluster> = match options.backend {
        Backend::Memory => {
            let server = Server::new();
            for object in heap(now()?) {
                server.add(object);
            }
            Box::new(server.serve()?)
        }
        Backend::ControlPlane => {
            let cluster = ControlPlane::start(
                &Binaries::find()?,
                &testbed::control_plane::Options::default(),
            )?;
            let now = now()?;
            plant(&cluster, &[NAMESPACE, BATCH], heap(now), now).await?;
            symlink(cluster.kubectl(), programs.join("kubectl"))?;
            Box::new(cluster)
        }
    };
    let file = home.path().join("kubeconfig");
    fs::write(&file, cluster.kubeconfig(NAMESPACE))?;
    let status = run(options, &programs, &file).await?;
    drop(cluster);
    Ok(exit_code(status))
}

/// Unix seconds. The objects are only as fresh as it is, and a real cluster may take minutes to build.
fn now() -> Result<u64> {
    Ok(SystemTime::UNIX_EPOCH.elapsed()?.as_secs())
}

/// Runs the plugin, or the shell, on this terminal. What ends that ends with it: here the signals are only not to be
/// deadly, so that nothing is left behind.
#[expect(
    clippy::disallowed_methods,
    reason = "a program of its own, which prints and hands its environment on"
)]
async fn run(options: &Options, programs: &Path, kubeconfig: &Path) -> Result<ExitStatus> {
    let _signals = (
        signal(SignalKind::interrupt())?,
        signal(SignalKind::hangup())?,
    );
    let mut command = if options.shell {
        let shell = std::env::var_os("SHELL").unwrap_or_else(|| "sh".into());
        writeln!(
            std::io::stderr(),
            "a cluster {} is up, and goes when this shell ends: {}",
            options.backend.place(),
            options.backend.hint()
        )?;
        Command::new(shell)
    } else {
        writeln!(
            std::io::stderr(),
            "on a cluster {} (`{}` stays there):",
            options.backend.place(),
            options.backend.shell()
        )?;
        let mut plugin = Command::new(programs.join("kubectl-ironflow-reap"));
        plugin.args(&options.plugin_arguments);
        plugin
    };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = [programs.to_owned()]
        .into_iter()
        .chain(std::env::split_paths(&path));
    command
        .env("PATH", std::env::join_paths(path)?)
        .env("KUBECONFIG", kubeconfig);
    let mut child = tokio::process::Command::from(command)
        .spawn()
        .context("the program does not start")?;
    Ok(child.wait().await?)
}

/// What a shell would say: the exit code, or 128 and the signal.
fn exit_code(status: ExitStatus) -> ExitCode {
    use std::os::unix::process::ExitStatusExt;
    let code = status
        .code()
        .or_else(|| status.signal().map(|signal| 128 + signal));
    ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}
