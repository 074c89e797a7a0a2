//! Measures the plugin against kubectl and a raw client on the real control plane: 1,000 objects, of which 900 may go.
//! kubectl is told their names, since no selector of its own finds them.
//!
//! Arguments are handed to the plugin, `--concurrency=32` for example.

mod field;

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use testbed::cluster::Cluster;
use testbed::control_plane::{Binaries, ControlPlane, Options};
use testbed::plugin;

use field::Field;

/// How many requests of the raw client are in flight, and which of them the plugin is compared with.
const IN_FLIGHT: [usize; 5] = [1, 8, 16, 32, 64];
const COMPARED: usize = 32;

#[expect(
    clippy::disallowed_methods,
    reason = "a program of its own, which prints"
)]
fn main() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    runtime.block_on(bench(&arguments, &mut std::io::stdout()))
}

async fn bench(arguments: &[String], output: &mut impl Write) -> Result<()> {
    let plugin = plugin::build(true)?;
    let cluster = ControlPlane::start(&Binaries::find()?, &Options::default())?;
    writeln!(output, "900 deletions out of 1,000 objects, on loopback")?;
    let mut limit = Duration::MAX;
    for in_flight in IN_FLIGHT {
        let field = Field::fill(&cluster).await?;
        let time = field.delete_raw(in_flight).await?;
        field.check().await?;
        row(output, &format!("raw client, {in_flight} in flight"), time)?;
        if in_flight == COMPARED {
            limit = time;
        }
    }
    let field = Field::fill(&cluster).await?;
    let mut kubectl = Command::new(cluster.kubectl());
    kubectl.args(["delete", "--wait=false"]).args(field.names());
    let peer = run(&mut kubectl, &field)?;
    field.check().await?;
    row(output, "kubectl delete, by 900 names", peer.time)?;
    writeln!(output, "  {:.1} MiB of memory at its peak", peer.peak_mib)?;
    let field = Field::fill(&cluster).await?;
    let run = run(Command::new(&plugin).arg("--yes").args(arguments), &field)?;
    field.check().await?;
    row(output, "the plugin, from start to end", run.time)?;
    writeln!(output, "  {}", run.last_line)?;
    let ratio = run.time.as_secs_f64() / limit.as_secs_f64();
    writeln!(
        output,
        "  {ratio:.2} times the raw client with {COMPARED} in flight"
    )?;
    writeln!(output, "  {:.1} MiB of memory at its peak", run.peak_mib)?;
    writeln!(output, "  all 900 are gone, the other 100 are as they were")?;
    Ok(())
}

fn row(output: &mut impl Write, what: &str, time: Duration) -> Result<()> {
    let seconds = time.as_secs_f64();
    let rate = 900.0 / seconds;
    Ok(writeln!(output, "{what:<30} {seconds:6.2} s {rate:6.0}/s")?)
}

/// What a program took.
struct Run {
    time: Duration,
    peak_mib: f64,
    /// Its own account.
    last_line: String,
}

/// Lets a program do its whole work.
fn run(program: &mut Command, field: &Field<'_>) -> Result<Run> {
    let folder = tempfile::tempdir()?;
    let kubeconfig = folder.path().join("kubeconfig");
    fs::write(&kubeconfig, field.cluster.kubeconfig(&field.namespace))?;
    let report = folder.path().join("report");
    let begin = Instant::now();
    let mut child = program
        .env_clear()
        .env("HOME", folder.path())
        .env("KUBECONFIG", kubeconfig)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(fs::File::create(&report)?)
        .spawn()?;
    let mut peak_mib = 0.0;
    let status = loop {
        peak_mib = peak(child.id()).unwrap_or(peak_mib);
        if let Some(status) = child.try_wait()? {
            break status;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let time = begin.elapsed();
    let report = fs::read_to_string(report)?;
    ensure!(
        status.success(),
        "the program ended with {status}: {report}"
    );
    Ok(Run {
        time,
        peak_mib,
        last_line: report.lines().next_back().unwrap_or_default().to_owned(),
    })
}

/// The most memory that a process has held so far, in MiB; `None` when it has ended.
fn peak(process_id: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{process_id}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib / 1024.0)
}
