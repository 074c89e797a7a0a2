//! SHA-256 of files, as krew and `sha256sum` write it.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

/// Name of the file that lists the checksums of a release.
pub const FILE: &str = "checksums.txt";

/// The checksum of a file, 64 lower-case hexadecimal digits.
///
/// # Errors
///
/// Where the file cannot be read.
pub fn sha256(path: &Path) -> Result<String> {
    let content = fs::read(path).with_context(|| path.display().to_string())?;
    Ok(Sha256::digest(content)
        .iter()
        .fold(String::new(), |mut digits, byte| {
            // Writing to a string cannot fail.
            let _ = write!(digits, "{byte:02x}");
            digits
        }))
}
