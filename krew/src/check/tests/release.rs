use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use tempfile::TempDir;

use crate::archive::{self, EXECUTABLE, Entry, READABLE};
use crate::check::release;
use crate::checksum::{self, sha256};
use crate::manifest::Manifest;
use crate::product::{Platform, Product};

/// A release with one archive, in which a test may change whatever it likes.
pub(super) struct Release {
    pub(super) product: Product,
    pub(super) platform: Platform,
    pub(super) dist: TempDir,
}

impl Release {
    pub(super) fn new() -> Self {
        let product = Product::read(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("facts");
        let platform = product.platforms[0].clone();
        let release = Self {
            platform,
            product,
            dist: tempfile::tempdir().expect("a folder"),
        };
        release.pack(&release.entries());
        release
    }

    pub(super) fn entries(&self) -> Vec<Entry> {
        let binary = self.product.executable(&self.platform);
        let entry = |path: &str, mode| Entry {
            path: path.to_owned(),
            mode,
            is_file: true,
            content: static_program(),
        };
        vec![
            entry(&binary, EXECUTABLE),
            entry("LICENSE", READABLE),
            entry("README.md", READABLE),
        ]
    }

    pub(super) fn archive(&self) -> PathBuf {
        self.dist.path().join(self.product.archive(&self.platform))
    }

    pub(super) fn pack(&self, entries: &[Entry]) {
        archive::write(&self.archive(), entries).expect("an archive");
    }

    pub(super) fn manifest(&self) -> String {
        let manifest = Manifest::of_archives(&self.product, self.dist.path()).expect("an archive");
        manifest.render().expect("YAML")
    }

    /// Checks a manifest together with checksums that are right.
    pub(super) fn check(&self, manifest: &str) -> Result<()> {
        let hash = sha256(&self.archive())?;
        let line = format!("{hash}  {}\n", self.product.archive(&self.platform));
        fs::write(self.dist.path().join(checksum::FILE), line)?;
        release(&self.product, manifest, self.dist.path())
    }

    #[track_caller]
    pub(super) fn assert_refused(&self, manifest: &str, why: &str) {
        let error = self.check(manifest).expect_err(why);
        assert!(format!("{error:#}").contains(why), "{error:#}");
    }

    /// Packs other entries, and sees them refused although every hash is right.
    #[track_caller]
    pub(super) fn assert_entries_refused(&self, change: impl FnOnce(&mut Vec<Entry>), why: &str) {
        let mut entries = self.entries();
        change(&mut entries);
        self.pack(&entries);
        self.assert_refused(&self.manifest(), why);
    }
}

/// The head of a program for 64 bits with no segment at all.
pub(super) fn static_program() -> Vec<u8> {
    let mut head = b"\x7fELF\x02\x01\x01".to_vec();
    head.resize(64, 0);
    head
}

/// The same with a segment that names an interpreter, as every program has that is linked dynamically.
pub(super) fn dynamic_program() -> Vec<u8> {
    let mut program = static_program();
    program[0x20] = 64;
    program[0x36] = 56;
    program[0x38] = 1;
    program.push(3);
    program.resize(64 + 56, 0);
    program
}
