//! The archives of each platform, tried as far as this machine can.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use libtest_mimic::Trial;
use packaging::checksum::sha256;
use packaging::product::{Platform, Product};
use packaging::toolchain::Toolchain;
use packaging::{archive, compile};
use testbed::cluster::Cluster;
use testbed::memory::Server;
use testbed::objects::{NAMESPACE, pod};

use crate::harness::{cargo, require_program, run, step, trials};

const QEMU: &str = "/usr/bin/qemu-aarch64-static";
const WINE: &str = "/usr/lib/wine/wine64";

/// Without this library no Rust program starts in Debian's wine.
const BCRYPT_PRIMITIVES: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/krew/bcryptprimitives.c");

pub(crate) fn trials() -> Vec<Trial> {
    trials![released:
        the_linux_binary_for_arm64_starts,
        the_windows_binary_lists,
        the_plugin_compiles_for_apple,
        another_clone_makes_the_same_archive,
    ]
}

fn the_linux_binary_for_arm64_starts(product: &Product) -> Result<()> {
    require_program(QEMU, "qemu-user-static")?;
    let folder = tempfile::tempdir()?;
    let binary = unpack(product, "aarch64-unknown-linux-musl", folder.path())?;
    let version = run(Command::new(QEMU).arg(binary).arg("--version"))?;
    assert!(version.trim_end().ends_with(&product.version), "{version}");
    Ok(())
}

fn the_windows_binary_lists(product: &Product) -> Result<()> {
    require_program(WINE, "wine64")?;
    let cluster = Server::new();
    cluster.add(pod("orphan").failed("DeadlineExceeded").build());
    let served = cluster.serve()?;
    let folder = tempfile::tempdir()?;
    let kubeconfig = folder.path().join("kubeconfig");
    fs::write(&kubeconfig, served.kubeconfig(NAMESPACE))?;

    let platform = platform(product, "x86_64-pc-windows-gnu")?;
    let binary = unpack(product, &platform.target, folder.path())?;
    let mut zig = Toolchain::install(product, &[platform])?.zig();
    run(zig
        .args([
            "cc",
            "-target",
            "x86_64-windows-gnu",
            "-shared",
            BCRYPT_PRIMITIVES,
            "-ladvapi32",
            "-o",
        ])
        .arg(folder.path().join("bcryptprimitives.dll"))
        .current_dir(folder.path()))?;
    let listed = run(Command::new(WINE)
        .arg(binary)
        .args(["pods", "--dry-run", "--output", "name"])
        .env("WINEPREFIX", folder.path().join("wine"))
        .env("WINEDEBUG", "-all")
        .env("KUBECONFIG", format!("Z:{}", kubeconfig.display())))?;
    assert_eq!(listed, "pod/orphan\n");
    Ok(())
}

fn the_plugin_compiles_for_apple(product: &Product) -> Result<()> {
    let apple = platform(product, "aarch64-apple-darwin")?;
    step("type check for Apple", || {
        compile::type_check(product, &[apple])
    })
}

fn another_clone_makes_the_same_archive(product: &Product) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let clone = folder.path().join("a clone");
    run(Command::new("git")
        .args(["clone", "--quiet"])
        .args([&product.root, &clone]))?;
    // Together with what is not committed yet.
    let copy = "git ls-files -z --cached --others --exclude-standard |
        tar --create --null --files-from=- --ignore-failed-read --file=- | tar --extract --file=- --directory=\"$1\"";
    run(Command::new("sh")
        .current_dir(&product.root)
        .args(["-c", copy, "sh"])
        .arg(&clone))?;

    let platform = platform(product, "x86_64-unknown-linux-musl")?;
    let mut build = cargo(
        &clone,
        &["package-krew", "build", "--target", &platform.target],
    );
    build.env("CARGO_TARGET_DIR", clone.join("target"));
    step("the same archive from another clone", || run(&mut build))?;
    let archive = Path::new("dist").join(product.archive(platform));
    assert_eq!(
        sha256(&clone.join(&archive))?,
        sha256(&product.root.join(&archive))?
    );
    Ok(())
}

fn platform<'a>(product: &'a Product, target: &str) -> Result<&'a Platform> {
    let mut platforms = product.platforms.iter();
    platforms
        .find(|platform| platform.target == target)
        .with_context(|| target.to_owned())
}

/// Takes the binary out of an archive.
fn unpack(product: &Product, target: &str, folder: &Path) -> Result<PathBuf> {
    let platform = platform(product, target)?;
    let entries = archive::read(&product.dist().join(product.archive(platform)))?;
    let name = product.executable(platform);
    let entry = entries.into_iter().find(|entry| entry.path == name);
    let entry = entry.context("a binary in the archive")?;
    let path = folder.join(&name);
    fs::write(&path, entry.content)?;
    fs::set_permissions(&path, fs::Permissions::from_mode(entry.mode))?;
    Ok(path)
}
