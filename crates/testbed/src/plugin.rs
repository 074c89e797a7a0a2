//! The program under test, built by the cargo that runs us.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// Builds the plugin, `release` as it is released, and returns its path.
///
/// # Errors
///
/// If it does not build; cargo's own words are on stderr then.
#[expect(
    clippy::disallowed_methods,
    reason = "cargo says which cargo builds, and more"
)]
pub fn build(release: bool) -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    // What the cargo that runs us tells about our package would make build scripts run anew.
    for (key, _) in std::env::vars_os() {
        let of_package = ["CARGO_PKG_", "CARGO_MANIFEST_"];
        if of_package
            .iter()
            .any(|prefix| key.to_string_lossy().starts_with(prefix))
        {
            command.env_remove(key);
        }
    }
    let built = command
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .args(["build", "--bin", "kubectl-ironflow-reap"])
        .args(release.then_some("--release"))
        .args(["--message-format", "json-render-diagnostics"])
        .stderr(Stdio::inherit())
        .output()?;
    ensure!(built.status.success(), "the plugin does not build");
    let messages = String::from_utf8(built.stdout)?;
    let executable = messages.lines().find_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        Some(PathBuf::from(message["executable"].as_str()?))
    });
    executable.context("cargo names no executable")
}
