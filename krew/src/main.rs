//! `cargo package-krew`: the archives of a release, their checksums and their manifests.

use std::path::Path;
use std::{fs, io};

use anyhow::{Context, Result, bail, ensure};
use clap::{Parser, Subcommand};
use packaging::checksum::{self, sha256};
use packaging::manifest::{Manifest, bot_template};
use packaging::product::{Platform, Product};
use packaging::{check, compile};
use serde_json::json;

/// The first lines of `plugin.yaml`.
const HEADER: &str = "\
# Written by `cargo package-krew manifest` from Cargo.toml and from the archives in dist/.
# A hash is that of the archive built last, zeros where none was. The manifest of a release is among its files.
";

/// Package the plugin for krew
#[derive(Debug, Parser)]
#[command(name = "cargo package-krew", bin_name = "cargo package-krew")]
struct Arguments {
    #[command(subcommand)]
    step: Option<Step>,
}

#[derive(Debug, Subcommand)]
enum Step {
    /// Build archives into `dist/`, describe them and check them (the default)
    Build {
        /// Build for this target of rustc, instead of all that this machine can link for; repeatable
        #[arg(long = "target")]
        targets: Vec<String>,
    },
    /// Describe the archives that are in `dist/`: checksums, manifest, the release bot's template
    Describe {
        /// Fail where the archive of any platform is missing
        #[arg(long)]
        complete: bool,
    },
    /// Write the hashes of the archives that are in `dist/` into `plugin.yaml`
    Manifest,
    /// Compile for what this machine cannot link for, without linking
    TypeCheck,
    /// Print rustc's targets as JSON
    Targets {
        /// Fail where this is not the tag of the version
        #[arg(long)]
        tag: Option<String>,
    },
}

fn main() -> Result<()> {
    let product = Product::read(Path::new(env!("CARGO_MANIFEST_DIR")))?;
    let dist = product.dist();
    let build = Step::Build {
        targets: Vec::new(),
    };
    match Arguments::parse().step.unwrap_or(build) {
        Step::Build { targets } => {
            let wanted = chosen(&product, &targets)?;
            compile::archives(&product, &wanted, &dist)?;
            describe(&product)
        }
        Step::Describe { complete } => {
            for platform in product.platforms.iter().filter(|_| complete) {
                let archive = dist.join(product.archive(platform));
                ensure!(archive.is_file(), "{} is missing", archive.display());
            }
            describe(&product)
        }
        Step::Manifest => {
            let path = product.root.join("plugin.yaml");
            let before = read_if_there(&path)?
                .map(|text| Manifest::parse(&text))
                .transpose()?;
            let manifest = Manifest::of_source(&product, &dist, before.as_ref())?;
            write(&path, &format!("{HEADER}{}", manifest.render()?))
        }
        Step::TypeCheck => {
            let others: Vec<&Platform> = product
                .platforms
                .iter()
                .filter(|platform| platform.is_apple())
                .collect();
            compile::type_check(&product, &others)
        }
        Step::Targets { tag } => {
            let expected = product.tag();
            let tag = tag.unwrap_or_else(|| expected.clone());
            ensure!(
                tag == expected,
                "the tag is {tag}, Cargo.toml says {expected}"
            );
            let targets: Vec<&str> = product
                .platforms
                .iter()
                .map(|platform| platform.target.as_str())
                .collect();
            print(&json!(targets).to_string());
            Ok(())
        }
    }
}

fn chosen<'a>(product: &'a Product, targets: &[String]) -> Result<Vec<&'a Platform>> {
    if targets.is_empty() {
        return Ok(product
            .platforms
            .iter()
            .filter(|platform| platform.is_buildable())
            .collect());
    }
    let find = |target: &String| {
        let mut platforms = product.platforms.iter();
        platforms
            .find(|platform| platform.target == *target)
            .with_context(|| format!("{target} is not one of Cargo.toml's targets"))
    };
    targets.iter().map(find).collect()
}

/// Writes what is known of the archives that `dist` holds, and checks them.
fn describe(product: &Product) -> Result<()> {
    let dist = product.dist();
    let mut lines = Vec::new();
    for platform in &product.platforms {
        let name = product.archive(platform);
        if dist.join(&name).is_file() {
            lines.push(format!("{}  {name}\n", sha256(&dist.join(&name))?));
        }
    }
    let checksums = lines.concat();
    let manifest = Manifest::of_archives(product, &dist)?.render()?;
    // The folders of a custom index: its `plugins` is what krew reads.
    fs::create_dir_all(dist.join("plugins"))?;
    write(&dist.join(checksum::FILE), &checksums)?;
    write(
        &dist.join(format!("plugins/{}.yaml", product.plugin)),
        &manifest,
    )?;
    write(&dist.join("krew-release-bot.yaml"), &bot_template(product)?)?;
    check::release(product, &manifest, &dist)?;
    print(checksums.trim_end());
    Ok(())
}

fn read_if_there(path: &Path) -> Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => bail!("{}: {error}", path.display()),
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| path.display().to_string())
}

#[expect(clippy::print_stdout, reason = "a program of its own, which prints")]
fn print(text: &str) {
    println!("{text}");
}
