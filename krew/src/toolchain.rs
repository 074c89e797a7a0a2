//! What compiles for other platforms than this machine's: zig as the linker, and rustc's standard libraries.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::product::{Platform, Product};

/// Python packages. An archive's bytes depend on their versions.
const PACKAGES: [&str; 2] = ["ziglang==0.17.1", "cargo-zigbuild==0.24.1"];

/// An installed toolchain.
#[derive(Debug)]
pub struct Toolchain {
    programs: PathBuf,
}

impl Toolchain {
    /// Installs under the target folder what is not there yet.
    ///
    /// # Errors
    ///
    /// Where rustup or Python is missing, or they cannot download.
    pub fn install(product: &Product, platforms: &[&Platform]) -> Result<Self> {
        let targets = platforms.iter().map(|platform| platform.target.as_str());
        let mut rustup = Command::new("rustup");
        run(rustup
            .args(["--quiet", "target", "add"])
            .args(targets)
            .current_dir(&product.root))?;
        let folder = product.target.join("packaging").join(PACKAGES.join("+"));
        let programs = folder.join("bin");
        let done = folder.join("installed");
        if !done.is_file() {
            run(Command::new("python3")
                .args(["-m", "venv", "--clear"])
                .arg(&folder))
            .context("Python 3 with its module venv has to be there")?;
            let mut pip = Command::new(programs.join("pip"));
            run(pip
                .args(["install", "--quiet", "--disable-pip-version-check"])
                .args(PACKAGES))?;
            fs::write(done, "")?;
        }
        Ok(Self { programs })
    }

    /// zig, which compiles C too.
    #[must_use]
    pub fn zig(&self) -> Command {
        let mut python = Command::new(self.programs.join("python"));
        python.args(["-m", "ziglang"]);
        python
    }

    /// A cargo that links with zig.
    ///
    /// # Errors
    ///
    /// Where no search path can hold the toolchain's folder.
    #[expect(
        clippy::disallowed_methods,
        reason = "the search path is handed on, and not looked at"
    )]
    pub fn cargo_zigbuild(&self) -> Result<Command> {
        let mut cargo = Command::new(self.programs.join("cargo-zigbuild"));
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(self.programs.clone()).chain(std::env::split_paths(&inherited));
        cargo.env("PATH", std::env::join_paths(path)?);
        Ok(cargo)
    }
}

/// Runs a command whose output goes where ours goes.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_owned();
    let status = command
        .status()
        .with_context(|| format!("{} does not start", program.display()))?;
    ensure!(
        status.success(),
        "{} ended with {status}",
        program.display()
    );
    Ok(())
}
