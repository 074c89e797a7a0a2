//! The manifest by which krew installs the plugin.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::checksum::sha256;
use crate::product::{Platform, Product};

/// The hash of an archive that nobody built yet: krew refuses whatever it downloads for it.
pub const NO_HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The version in the template of the release bot, which fills it in.
const BOT_TAG: &str = "{{ .TagName }}";

/// Every key that krew knows and that is of use here; krew ignores what it does not know, so here that is an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Manifest {
    /// Version of the format.
    pub api_version: String,
    /// `Plugin`.
    pub kind: String,
    /// What it is called.
    pub metadata: Metadata,
    /// Everything else.
    pub spec: Spec,
}

/// What the plugin is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metadata {
    /// krew's link is `kubectl-` and this name.
    pub name: String,
}

/// What is installed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Spec {
    /// Version with `v`.
    pub version: String,
    /// Address for people.
    pub homepage: String,
    /// One short line.
    pub short_description: String,
    /// What `kubectl krew info` prints.
    pub description: String,
    /// One archive each.
    pub platforms: Vec<Download>,
}

/// The archive of a platform.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Download {
    /// The platform.
    pub selector: Selector,
    /// Address of the archive.
    pub uri: String,
    /// Checksum of the archive.
    pub sha256: String,
    /// The binary inside of it.
    pub bin: String,
}

/// Which machines an archive is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Selector {
    /// `os` and `arch`.
    pub match_labels: BTreeMap<String, String>,
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    ///
    /// On an unknown key, or a missing one.
    pub fn parse(text: &str) -> Result<Self> {
        serde_yaml_ng::from_str(text).context("not a manifest")
    }

    /// Writes a manifest as YAML.
    ///
    /// # Errors
    ///
    /// Never, as things are.
    pub fn render(&self) -> Result<String> {
        Ok(serde_yaml_ng::to_string(self)?)
    }

    /// The manifest of the current version; `hash` gives the checksum of a platform's archive, or leaves the platform out.
    ///
    /// # Errors
    ///
    /// Where `hash` fails.
    pub fn new(
        product: &Product,
        hash: impl Fn(&Platform) -> Result<Option<String>>,
    ) -> Result<Self> {
        let mut platforms = Vec::new();
        for platform in &product.platforms {
            if let Some(sha256) = hash(platform)? {
                platforms.push(download(product, platform, sha256));
            }
        }
        Ok(Self {
            api_version: "krew.googlecontainertools.github.com/v1alpha2".to_owned(),
            kind: "Plugin".to_owned(),
            metadata: Metadata {
                name: product.plugin.clone(),
            },
            spec: Spec {
                version: product.tag(),
                homepage: product.repository.clone(),
                short_description: product.short_description.clone(),
                description: product.description.clone(),
                platforms,
            },
        })
    }

    /// The manifest of the archives that `dist` holds.
    ///
    /// # Errors
    ///
    /// Where there is none of them, or one cannot be read.
    pub fn of_archives(product: &Product, dist: &Path) -> Result<Self> {
        let manifest = Self::new(product, |platform| built_hash(product, platform, dist))?;
        ensure!(
            !manifest.spec.platforms.is_empty(),
            "no archive in {}",
            dist.display()
        );
        Ok(manifest)
    }

    /// The manifest of all platforms: hashes of what `dist` holds, or else those that `before` says.
    ///
    /// # Errors
    ///
    /// Where an archive cannot be read.
    pub fn of_source(product: &Product, dist: &Path, before: Option<&Self>) -> Result<Self> {
        let known = |uri: &str| {
            let mut downloads = before?.spec.platforms.iter();
            downloads
                .find(|download| download.uri == uri)
                .map(|download| download.sha256.clone())
        };
        Self::new(product, |platform| {
            let built = built_hash(product, platform, dist)?;
            Ok(built
                .or_else(|| known(&uri(product, platform, &product.tag())))
                .or(Some(NO_HASH.to_owned())))
        })
    }
}

/// The template from which the release bot makes the manifest of a release: addresses, but no version and no hashes.
///
/// # Errors
///
/// Never, as things are.
pub fn bot_template(product: &Product) -> Result<String> {
    let mut manifest = Manifest::new(product, |_| Ok(Some(NO_HASH.to_owned())))?;
    BOT_TAG.clone_into(&mut manifest.spec.version);
    let mut template = manifest.render()?;
    for platform in &product.platforms {
        let lines = format!(
            "uri: {}\n    sha256: '{NO_HASH}'\n",
            uri(product, platform, &product.tag())
        );
        let call = format!(
            "{{{{addURIAndSha \"{}\" .TagName }}}}\n",
            uri(product, platform, BOT_TAG)
        );
        ensure!(
            template.contains(&lines),
            "the manifest's form has changed: no {lines}"
        );
        template = template.replace(&lines, &call);
    }
    Ok(template)
}

fn download(product: &Product, platform: &Platform, sha256: String) -> Download {
    let labels = [("os", platform.os), ("arch", platform.arch)];
    Download {
        selector: Selector {
            match_labels: labels
                .map(|(key, value)| (key.to_owned(), value.to_owned()))
                .into(),
        },
        uri: uri(product, platform, &product.tag()),
        sha256,
        bin: product.executable(platform),
    }
}

fn built_hash(product: &Product, platform: &Platform, dist: &Path) -> Result<Option<String>> {
    let archive = dist.join(product.archive(platform));
    archive.is_file().then(|| sha256(&archive)).transpose()
}

fn uri(product: &Product, platform: &Platform, tag: &str) -> String {
    format!(
        "{}/releases/download/{tag}/{}",
        product.repository,
        product.archive(platform)
    )
}
