//! Turns a commit into the archives and the manifest that krew installs.

pub mod archive;
pub mod check;
pub mod checksum;
pub mod compile;
pub mod manifest;
pub mod product;
pub mod toolchain;
