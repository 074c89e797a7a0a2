//! What is packaged: the facts of the workspace's `Cargo.toml`, and what follows from them.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

/// The package whose binary is packaged.
const PACKAGE: &str = "kubectl-ironflow-reap";

/// The plugin as `Cargo.toml` describes it.
#[derive(Debug, Clone)]
pub struct Product {
    /// Name under which krew knows the plugin.
    pub plugin: String,
    /// Name of the binary, without `.exe`.
    pub binary: String,
    /// Version without `v`.
    pub version: String,
    /// Address of the repository.
    pub repository: String,
    /// One line that krew's lists have room for.
    pub short_description: String,
    /// What `kubectl krew info` prints.
    pub description: String,
    /// Where krew can install it.
    pub platforms: Vec<Platform>,
    /// Top of the source tree.
    pub root: PathBuf,
    /// Cargo's target folder.
    pub target: PathBuf,
}

#[derive(Deserialize)]
struct Workspace {
    packages: Vec<Package>,
    #[serde(rename = "workspace_root")]
    root: PathBuf,
    target_directory: PathBuf,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    description: Option<String>,
    repository: Option<String>,
    metadata: Option<Metadata>,
}

#[derive(Deserialize)]
struct Metadata {
    krew: Krew,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Krew {
    name: String,
    short_description: String,
    details: String,
    targets: Vec<String>,
}

impl Product {
    /// Asks cargo about the source tree at `root`.
    ///
    /// # Errors
    ///
    /// Where cargo fails, or a fact is missing.
    pub fn read(root: &Path) -> Result<Self> {
        let cargo = Command::new("cargo")
            .args(["metadata", "--no-deps", "--format-version=1"])
            .current_dir(root)
            .output()
            .context("cargo does not start")?;
        ensure!(
            cargo.status.success(),
            "cargo metadata: {}",
            String::from_utf8_lossy(&cargo.stderr)
        );
        // Other packages may have metadata of another shape.
        let mut workspace: serde_json::Value = serde_json::from_slice(&cargo.stdout)?;
        if let Some(packages) = workspace["packages"].as_array_mut() {
            packages.retain(|package| package["name"] == PACKAGE);
        }
        let workspace: Workspace = serde_json::from_value(workspace)?;
        let package = workspace.packages.into_iter().next();
        let package = package.with_context(|| format!("no package {PACKAGE}"))?;
        let krew = package.metadata.context("no package.metadata.krew")?.krew;
        let description = package.description.context("no description")?;
        Ok(Self {
            plugin: krew.name,
            binary: package.name,
            version: package.version,
            repository: package.repository.context("no repository")?,
            short_description: krew.short_description,
            description: format!("{description}.\n\n{}\n", krew.details.trim()),
            platforms: krew
                .targets
                .into_iter()
                .map(Platform::new)
                .collect::<Result<_>>()?,
            root: workspace.root,
            target: workspace.target_directory,
        })
    }

    /// Name of the release's tag.
    #[must_use]
    pub fn tag(&self) -> String {
        format!("v{}", self.version)
    }

    /// Folder for what is released.
    #[must_use]
    pub fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }

    /// Name of the binary on a platform.
    #[must_use]
    pub fn executable(&self, platform: &Platform) -> String {
        let extension = if platform.os == "windows" { ".exe" } else { "" };
        format!("{}{extension}", self.binary)
    }

    /// Name of a platform's archive.
    #[must_use]
    pub fn archive(&self, platform: &Platform) -> String {
        let extension = if platform.os == "windows" {
            "zip"
        } else {
            "tar.gz"
        };
        let Platform { os, arch, .. } = platform;
        format!("{}_{os}_{arch}.{extension}", self.binary)
    }
}

/// Where the plugin runs, in krew's words and in rustc's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Platform {
    /// `linux`, `darwin` or `windows`.
    pub os: &'static str,
    /// `amd64` or `arm64`.
    pub arch: &'static str,
    /// rustc's target.
    pub target: String,
}

impl Platform {
    fn new(target: String) -> Result<Self> {
        let known = |names: &[(&str, &'static str)]| {
            let mut words = target.split('-');
            words.find_map(|word| {
                names
                    .iter()
                    .find(|(name, _)| *name == word)
                    .map(|(_, krews)| *krews)
            })
        };
        let os = known(&[
            ("linux", "linux"),
            ("darwin", "darwin"),
            ("windows", "windows"),
        ]);
        let arch = known(&[("x86_64", "amd64"), ("aarch64", "arm64")]);
        let (Some(os), Some(arch)) = (os, arch) else {
            anyhow::bail!("krew's name for the target {target} is not known");
        };
        Ok(Self { os, arch, target })
    }

    /// Whether it is one of Apple's.
    #[must_use]
    pub fn is_apple(&self) -> bool {
        self.os == "darwin"
    }

    /// Whether this machine can link for it: zig has everything but Apple's frameworks.
    #[must_use]
    pub fn is_buildable(&self) -> bool {
        !self.is_apple() || cfg!(target_os = "macos")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn this() -> Product {
        Product::read(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("facts")
    }

    #[test]
    fn the_platforms_are_those_of_the_targets() {
        let product = this();
        let archives: Vec<String> = product
            .platforms
            .iter()
            .map(|platform| product.archive(platform))
            .collect();
        let expected = [
            "linux_amd64.tar.gz",
            "linux_arm64.tar.gz",
            "darwin_amd64.tar.gz",
            "darwin_arm64.tar.gz",
            "windows_amd64.zip",
        ];
        assert_eq!(
            archives,
            expected.map(|end| format!("kubectl-ironflow-reap_{end}"))
        );
    }

    #[test]
    fn krew_finds_the_plugin_by_the_sub_command_that_users_type() {
        assert_eq!(this().plugin, "ironflow");
    }

    #[test]
    fn the_short_description_is_one_short_line() {
        let line = this().short_description;
        assert!(
            line.len() <= 50 && !line.contains('\n') && !line.ends_with('.'),
            "{line}"
        );
    }

    #[test]
    fn an_unknown_target_is_refused() {
        let error =
            Platform::new("riscv64gc-unknown-linux-gnu".to_owned()).expect_err("no such name");
        assert!(error.to_string().contains("riscv64gc"), "{error}");
    }
}
