mod release;

use std::fs;

use self::release::{Release, dynamic_program};
use super::*;
use crate::archive::{EXECUTABLE, READABLE};
use crate::manifest::{NO_HASH, bot_template};

#[test]
fn what_is_in_order_passes() {
    let release = Release::new();
    release
        .check(&release.manifest())
        .expect("nothing to refuse");
}

#[test]
fn an_unknown_key_is_refused() {
    let release = Release::new();
    let manifest = release
        .manifest()
        .replace("    bin:", "    binary: x\n    bin:");
    release.assert_refused(&manifest, "unknown field `binary`");
}

#[test]
fn a_wrong_hash_is_refused() {
    let release = Release::new();
    let hash = sha256(&release.archive()).expect("a hash");
    release.assert_refused(
        &release.manifest().replace(&hash, NO_HASH),
        "the manifest says 0000",
    );
    release.assert_refused(
        &release.manifest().replace(&hash, &hash[1..]),
        "is no SHA-256",
    );
    release.assert_refused(
        &release.manifest().replace(
            &hash,
            &hash.replace(|digit: char| digit.is_ascii_digit(), "A"),
        ),
        "is no SHA-256",
    );
}

#[test]
fn an_archive_that_changed_after_it_was_described_is_refused() {
    let release = Release::new();
    let manifest = release.manifest();
    let mut entries = release.entries();
    entries[1].content.push(b'!');
    release.pack(&entries);
    release.assert_refused(&manifest, "the manifest says");
}

#[test]
fn a_version_other_than_cargos_is_refused() {
    let release = Release::new();
    let tag = release.product.tag();
    let manifest = release.manifest();
    release.assert_refused(
        &manifest.replace(&format!("version: {tag}"), "version: v9.9.9"),
        "the version is v9.9.9",
    );
    release.assert_refused(
        &manifest.replace(&format!("/{tag}/"), "/v9.9.9/"),
        "does not say what Cargo.toml says",
    );
}

#[test]
fn another_name_homepage_or_platform_is_refused() {
    let release = Release::new();
    for (said, other) in [
        ("name: ironflow\n", "name: reap\n"),
        ("homepage: https", "homepage: http"),
        ("arch: amd64", "arch: riscv64"),
    ] {
        let manifest = release.manifest().replace(said, other);
        release.assert_refused(&manifest, "does not say what Cargo.toml says");
    }
}

#[test]
fn a_missing_license_is_refused() {
    Release::new().assert_entries_refused(|entries| drop(entries.remove(1)), "LICENSE is missing");
    Release::new().assert_entries_refused(
        |entries| entries[1].path = "LICENSE-MIT".to_owned(),
        "LICENSE-MIT has no business there",
    );
    Release::new().assert_entries_refused(|entries| entries[1].content.clear(), "LICENSE is empty");
}

#[test]
fn a_binary_without_its_run_bit_is_refused() {
    Release::new().assert_entries_refused(
        |entries| entries[0].mode = READABLE,
        "has the permissions 644, not 755",
    );
}

#[test]
fn a_binary_that_is_linked_dynamically_or_too_big_is_refused() {
    Release::new().assert_entries_refused(
        |entries| entries[0].content = dynamic_program(),
        "is not static",
    );
    Release::new().assert_entries_refused(
        |entries| entries[0].content.resize(MOST_BYTES + 1, 0),
        "at most",
    );
    Release::new().assert_entries_refused(
        |entries| entries[0].content = b"#!/bin/sh".to_vec(),
        "is no program of Linux",
    );
}

#[test]
fn a_file_too_many_is_refused() {
    Release::new().assert_entries_refused(
        |entries| entries.push(entries[1].clone()),
        "LICENSE has no business there",
    );
}

#[test]
fn a_symbolic_link_in_the_archive_is_refused() {
    let release = Release::new();
    let file = fs::File::create(release.archive()).expect("a file");
    let mut tar = tar::Builder::new(flate2::write::GzEncoder::new(
        file,
        flate2::Compression::fast(),
    ));
    let mut header = tar::Header::new_ustar();
    header.set_entry_type(tar::EntryType::Symlink);
    header.set_mode(EXECUTABLE);
    header.set_size(0);
    let binary = release.product.executable(&release.platform);
    tar.append_link(&mut header, &binary, "/bin/true")
        .expect("an entry");
    tar.into_inner()
        .and_then(flate2::write::GzEncoder::finish)
        .expect("an archive");
    release.assert_refused(&release.manifest(), "is not a regular file");
}

#[test]
fn a_symbolic_link_in_a_zip_is_refused() {
    let mut release = Release::new();
    let windows = release
        .product
        .platforms
        .iter()
        .find(|platform| platform.os == "windows");
    release.platform = windows.expect("a zip").clone();
    let file = fs::File::create(release.archive()).expect("a file");
    let mut zip = zip::ZipWriter::new(file);
    zip.add_symlink(
        "LICENSE",
        "/etc/passwd",
        zip::write::SimpleFileOptions::default(),
    )
    .expect("an entry");
    zip.finish().expect("an archive");
    fs::remove_file(
        release
            .dist
            .path()
            .join(release.product.archive(&release.product.platforms[0])),
    )
    .expect("the other archive");
    release.assert_refused(&release.manifest(), "is not a regular file");
}

#[test]
fn the_bots_template_becomes_the_manifest_of_the_release() {
    let release = Release::new();
    let hash = "ab".repeat(32);
    let manifest = Manifest::new(&release.product, |_| Ok(Some(hash.clone()))).expect("a manifest");
    let tag = release.product.tag();
    let template = bot_template(&release.product).expect("a template");
    let filled = template
        .replace("{{addURIAndSha \"", "uri: ")
        .replace("\" .TagName }}", &format!("\n    sha256: {hash}"))
        .replace("{{ .TagName }}", &tag);
    assert_eq!(
        Manifest::parse(&filled).expect("a manifest"),
        manifest,
        "{template}"
    );
}

#[test]
fn the_manifest_at_the_top_says_what_cargo_toml_says() {
    let product = Release::new().product;
    let text = fs::read_to_string(product.root.join("plugin.yaml")).expect("plugin.yaml");
    let manifest = facts(&product, &text).expect("the facts of Cargo.toml");
    assert_eq!(
        manifest.spec.platforms.len(),
        product.platforms.len(),
        "all platforms"
    );
}
