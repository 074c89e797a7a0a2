//! What is wrong with a manifest and its archives, before krew's users find out.

use std::path::Path;

use anyhow::{Result, bail, ensure};

use crate::archive::{self, Entry};
use crate::checksum::{self, sha256};
use crate::manifest::{Download, Manifest};
use crate::product::Product;

/// What else an archive holds, and nothing more: krew's index wants the license in it.
pub const DOCUMENTS: [&str; 2] = ["LICENSE", "README.md"];

/// How big a binary may be.
pub const MOST_BYTES: usize = 12 * 1024 * 1024;

/// Checks a manifest, and those archives of it that must be in `dist`: all of them.
///
/// # Errors
///
/// Says what is wrong first.
pub fn release(product: &Product, manifest: &str, dist: &Path) -> Result<()> {
    let manifest = facts(product, manifest)?;
    for download in &manifest.spec.platforms {
        let name = download.uri.rsplit('/').next().unwrap_or_default();
        let archive = dist.join(name);
        let hash = sha256(&archive)?;
        ensure!(
            hash == download.sha256,
            "{name}: the manifest says {}, it is {hash}",
            download.sha256
        );
        let line = format!("{hash}  {name}");
        let listed = std::fs::read_to_string(dist.join(checksum::FILE))?;
        ensure!(
            listed.lines().any(|other| other == line),
            "{}: no line `{line}`",
            checksum::FILE
        );
        content(download, &archive::read(&archive)?)
            .map_err(|error| error.context(name.to_owned()))?;
    }
    Ok(())
}

/// Checks whether a manifest says what `Cargo.toml` says, whatever its hashes.
///
/// # Errors
///
/// Says what is wrong first.
pub fn facts(product: &Product, manifest: &str) -> Result<Manifest> {
    let manifest = Manifest::parse(manifest)?;
    let version = &manifest.spec.version;
    ensure!(
        *version == product.tag(),
        "the version is {version}, Cargo.toml says {}",
        product.tag()
    );
    let mut expected = Manifest::new(product, |_| Ok(Some(String::new())))?;
    let said = &manifest.spec.platforms;
    expected
        .spec
        .platforms
        .retain(|platform| said.iter().any(|other| other.selector == platform.selector));
    for (platform, said) in expected.spec.platforms.iter_mut().zip(said) {
        platform.sha256.clone_from(&said.sha256);
    }
    ensure!(
        manifest == expected,
        "the manifest does not say what Cargo.toml says:\n{}instead of\n{}",
        manifest.render()?,
        expected.render()?
    );
    for download in said {
        let digits = &download.sha256;
        let is_hash = digits.len() == 64
            && digits
                .bytes()
                .all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
        ensure!(is_hash, "{}: {digits:?} is no SHA-256", download.uri);
    }
    Ok(manifest)
}

fn content(download: &Download, entries: &[Entry]) -> Result<()> {
    for entry in entries {
        ensure!(entry.is_file, "{} is not a regular file", entry.path);
        ensure!(!entry.content.is_empty(), "{} is empty", entry.path);
        let executable = entry.path == download.bin;
        let mode = if executable {
            archive::EXECUTABLE
        } else {
            archive::READABLE
        };
        ensure!(
            entry.mode == mode,
            "{} has the permissions {:o}, not {mode:o}",
            entry.path,
            entry.mode
        );
    }
    let mut missing: Vec<&str> = vec![&download.bin];
    missing.extend(DOCUMENTS);
    for Entry { path, .. } in entries {
        let Some(index) = missing.iter().position(|name| name == path) else {
            bail!("{path} has no business there");
        };
        missing.remove(index);
    }
    ensure!(missing.is_empty(), "{} is missing", missing.join(", "));
    let mut binaries = entries.iter().filter(|entry| entry.path == download.bin);
    binaries.try_for_each(|entry| binary(download, &entry.content))
}

fn binary(download: &Download, program: &[u8]) -> Result<()> {
    let size = program.len();
    ensure!(
        size <= MOST_BYTES,
        "{} has {size} bytes, at most {MOST_BYTES} are allowed",
        download.bin
    );
    if download
        .selector
        .match_labels
        .get("os")
        .is_some_and(|os| os == "linux")
    {
        let dynamic = is_dynamic(program);
        ensure!(dynamic.is_some(), "{} is no program of Linux", download.bin);
        ensure!(dynamic == Some(false), "{} is not static", download.bin);
    }
    Ok(())
}

/// Whether a program asks for an interpreter, by its ELF header; `None` where it has none for 64 bits.
fn is_dynamic(program: &[u8]) -> Option<bool> {
    const INTERPRETER: u32 = 3;
    let number = |offset: usize| {
        Some(usize::from(u16::from_le_bytes(
            *program.get(offset..)?.first_chunk()?,
        )))
    };
    program.strip_prefix(b"\x7fELF\x02\x01")?;
    let table = usize::try_from(u64::from_le_bytes(*program.get(0x20..)?.first_chunk()?)).ok()?;
    let (size, count) = (number(0x36)?, number(0x38)?);
    let mut is_dynamic = false;
    for index in 0..count {
        let kind = u32::from_le_bytes(*program.get(table + index * size..)?.first_chunk()?);
        is_dynamic |= kind == INTERPRETER;
    }
    Some(is_dynamic)
}

#[cfg(test)]
mod tests;
