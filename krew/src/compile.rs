//! The binaries of a release: the same bytes from the same sources, wherever they lie.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::archive::{self, EPOCH, EXECUTABLE, Entry, READABLE};
use crate::check::DOCUMENTS;
use crate::product::{Platform, Product};
use crate::toolchain::{Toolchain, run};

/// Compiles for the platforms and packs an archive for each into `dist`.
///
/// # Errors
///
/// Where this machine cannot build for one of them.
pub fn archives(product: &Product, platforms: &[&Platform], dist: &Path) -> Result<()> {
    for platform in platforms {
        ensure!(
            platform.is_buildable(),
            "{} can be built on a Mac only",
            platform.target
        );
    }
    let toolchain = Toolchain::install(product, platforms)?;
    fs::create_dir_all(dist)?;
    for platform in platforms {
        let (mut cargo, step) = if platform.is_apple() {
            (Command::new("cargo"), "build")
        } else {
            (toolchain.cargo_zigbuild()?, "zigbuild")
        };
        // One target at a time: cargo gives each crate the features that any of the targets asks for.
        run(configure(
            cargo.args([step, "--release"]),
            product,
            &[platform],
        )?)?;
        let binary = product.executable(platform);
        let built = target(product)
            .join(&platform.target)
            .join("release")
            .join(&binary);
        let mut entries = vec![entry(&binary, &built, EXECUTABLE)?];
        for document in DOCUMENTS {
            entries.push(entry(document, &product.root.join(document), READABLE)?);
        }
        archive::write(&dist.join(product.archive(platform)), &entries)?;
    }
    Ok(())
}

/// Checks whether the plugin compiles for the platforms, and links nothing.
///
/// # Errors
///
/// Where it does not.
pub fn type_check(product: &Product, platforms: &[&Platform]) -> Result<()> {
    let toolchain = Toolchain::install(product, platforms)?;
    let mut cargo = toolchain.cargo_zigbuild()?;
    run(configure(cargo.arg("check"), product, platforms)?)
}

fn configure<'a>(
    cargo: &'a mut Command,
    product: &Product,
    platforms: &[&Platform],
) -> Result<&'a mut Command> {
    for platform in platforms {
        cargo.args(["--target", &platform.target]);
    }
    Ok(cargo
        .args([
            "--locked",
            "--package",
            &product.binary,
            "--bin",
            &product.binary,
        ])
        .current_dir(&product.root)
        .env("CARGO_TARGET_DIR", target(product))
        .env("CARGO_ENCODED_RUSTFLAGS", remappings(product)?)
        .env("SOURCE_DATE_EPOCH", EPOCH.to_string()))
}

/// A target folder of its own: what others compile meanwhile neither waits nor is thrown away.
fn target(product: &Product) -> PathBuf {
    product.target.join("packaging").join("target")
}

/// Flags by which no path of this machine gets into a binary. The last one that fits a path counts.
fn remappings(product: &Product) -> Result<OsString> {
    let mut flags = OsString::new();
    for (path, name) in [
        (product.root.clone(), "/source"),
        (target(product), "/target"),
        (cargo_home()?, "/cargo"),
        (sysroot()?, "/rust"),
    ] {
        if !flags.is_empty() {
            flags.push("\u{1f}");
        }
        flags.push("--remap-path-prefix=");
        flags.push(path);
        flags.push(format!("={name}"));
    }
    Ok(flags)
}

#[expect(
    clippy::disallowed_methods,
    reason = "cargo's own rule for where it keeps sources"
)]
fn cargo_home() -> Result<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    home.or_else(|| Some(std::env::home_dir()?.join(".cargo")))
        .context("no home folder")
}

fn sysroot() -> Result<PathBuf> {
    let rustc = Command::new("rustc")
        .args(["--print", "sysroot"])
        .output()
        .context("rustc does not start")?;
    Ok(String::from_utf8(rustc.stdout)?.trim().into())
}

fn entry(path: &str, file: &Path, mode: u32) -> Result<Entry> {
    Ok(Entry {
        path: path.to_owned(),
        mode,
        is_file: true,
        content: fs::read(file).with_context(|| file.display().to_string())?,
    })
}
