//! The archives: what is in them decides every byte of them.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

/// The time of every file, 1980-01-01: the earliest that a zip can hold.
pub const EPOCH: u64 = 315_532_800;

/// Permissions of whatever is run.
pub const EXECUTABLE: u32 = 0o755;
/// Permissions of whatever is read.
pub const READABLE: u32 = 0o644;

/// A file to be packed, or one that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Path inside the archive.
    pub path: String,
    /// Permissions.
    pub mode: u32,
    /// Whether it is a regular file: no link, no folder, no device.
    pub is_file: bool,
    /// What is in it; of a link nothing or its target.
    pub content: Vec<u8>,
}

/// Writes the files to a new archive, a zip or a compressed tar as the name of `archive` says.
///
/// # Errors
///
/// Where it cannot be written.
pub fn write(archive: &Path, entries: &[Entry]) -> Result<()> {
    let bytes = if is_zip(archive) {
        zip(entries)
    } else {
        tar_gz(entries)
    };
    fs::write(archive, bytes?).with_context(|| archive.display().to_string())
}

fn tar_gz(entries: &[Entry]) -> Result<Vec<u8>> {
    // Without a name and a time in its header.
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::best()));
    for entry in entries {
        let mut header = tar::Header::new_ustar();
        header.set_size(entry.content.len() as u64);
        header.set_mode(entry.mode);
        header.set_mtime(EPOCH);
        tar.append_data(&mut header, &entry.path, entry.content.as_slice())?;
    }
    Ok(tar.into_inner()?.finish()?)
}

fn zip(entries: &[Entry]) -> Result<Vec<u8>> {
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for entry in entries {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(9))
            .last_modified_time(DateTime::default())
            .unix_permissions(entry.mode);
        zip.start_file(&entry.path, options)?;
        zip.write_all(&entry.content)?;
    }
    Ok(zip.finish()?.into_inner())
}

/// Reads whatever is in an archive.
///
/// # Errors
///
/// Where it is no archive.
pub fn read(archive: &Path) -> Result<Vec<Entry>> {
    let file = File::open(archive).with_context(|| archive.display().to_string())?;
    let entries = if is_zip(archive) {
        unzip(file)
    } else {
        untar(file)
    };
    entries.with_context(|| archive.display().to_string())
}

fn untar(file: File) -> Result<Vec<Entry>> {
    let mut tar = tar::Archive::new(GzDecoder::new(file));
    let mut entries = Vec::new();
    for entry in tar.entries()? {
        let mut entry = entry?;
        let mut content = Vec::new();
        entry.read_to_end(&mut content)?;
        entries.push(Entry {
            path: entry.path()?.to_string_lossy().into_owned(),
            mode: entry.header().mode()?,
            is_file: entry.header().entry_type().is_file(),
            content,
        });
    }
    Ok(entries)
}

fn unzip(file: File) -> Result<Vec<Entry>> {
    let mut zip = ZipArchive::new(file)?;
    let mut entries = Vec::new();
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index)?;
        let Some(mode) = entry.unix_mode() else {
            bail!("{} has no permissions", entry.name());
        };
        let mut content = Vec::new();
        entry.read_to_end(&mut content)?;
        entries.push(Entry {
            path: entry.name().to_owned(),
            mode: mode & 0o7777,
            is_file: entry.is_file() && !entry.is_symlink(),
            content,
        });
    }
    Ok(entries)
}

fn is_zip(archive: &Path) -> bool {
    archive
        .extension()
        .is_some_and(|extension| extension == "zip")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries() -> Vec<Entry> {
        [
            ("program", EXECUTABLE, "code"),
            ("LICENSE", READABLE, "text"),
        ]
        .map(|(path, mode, content)| Entry {
            path: path.to_owned(),
            mode,
            is_file: true,
            content: content.into(),
        })
        .to_vec()
    }

    #[test]
    fn what_is_packed_is_found_again() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a.tar.gz", "a.zip"] {
            let path = folder.path().join(name);
            write(&path, &entries()).expect(name);
            assert_eq!(read(&path).expect(name), entries(), "{name}");
        }
    }

    #[test]
    fn the_same_files_make_the_same_bytes_at_any_time() {
        let time = |bytes: &[u8]| u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
        assert_eq!(
            time(&tar_gz(&entries()).expect("a tar")),
            0,
            "gzip holds a time"
        );
        assert_eq!(
            tar_gz(&entries()).expect("a tar"),
            tar_gz(&entries()).expect("a tar")
        );
        assert_eq!(
            zip(&entries()).expect("a zip"),
            zip(&entries()).expect("a zip")
        );
    }
}
