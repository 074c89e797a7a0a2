//! The programs that judge packaging: krew, its manifest checker, and the linter of workflows.

use std::path::PathBuf;

use crate::go::Module;
pub use crate::go::Unavailable;

const KREW: Module = Module {
    folder: "krew",
    go_mod: include_str!("../krew/go.mod"),
    go_sum: include_str!("../krew/go.sum"),
    main: "sigs.k8s.io/krew",
    linker_flags: |_| "-s -w".to_owned(),
};

const ACTIONLINT: Module = Module {
    folder: "actionlint",
    go_mod: include_str!("../actionlint/go.mod"),
    go_sum: include_str!("../actionlint/go.sum"),
    main: "github.com/rhysd/actionlint",
    linker_flags: |_| "-s -w".to_owned(),
};

/// Builds krew, or takes the one that is there.
///
/// # Errors
///
/// Where Go is missing, or fails to build.
pub fn krew() -> Result<PathBuf, Unavailable> {
    KREW.program("krew", "sigs.k8s.io/krew/cmd/krew")
}

/// Builds the checker that krew's index runs over manifests, or takes the one that is there.
///
/// # Errors
///
/// Where Go is missing, or fails to build.
pub fn validate_krew_manifest() -> Result<PathBuf, Unavailable> {
    KREW.program(
        "validate-krew-manifest",
        "sigs.k8s.io/krew/cmd/validate-krew-manifest",
    )
}

/// Builds the linter of GitHub's workflows, or takes the one that is there.
///
/// # Errors
///
/// Where Go is missing, or fails to build.
pub fn actionlint() -> Result<PathBuf, Unavailable> {
    ACTIONLINT.program("actionlint", "github.com/rhysd/actionlint/cmd/actionlint")
}
