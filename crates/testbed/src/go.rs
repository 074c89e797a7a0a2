//! Programs built with Go, once for as long as what goes into them stays the same.

use std::collections::hash_map::DefaultHasher;
use std::fmt;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const PACKAGE: &str = env!("CARGO_MANIFEST_DIR");

/// Why a program is not to be had on this machine.
#[derive(Debug, Clone)]
pub struct Unavailable(String);

impl fmt::Display for Unavailable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Unavailable {}

/// A Go module of this package, whose `go.mod` names the sources of programs.
#[derive(Debug)]
pub(crate) struct Module {
    /// The module's folder, and the name of the folder that its programs go to.
    pub(crate) folder: &'static str,
    pub(crate) go_mod: &'static str,
    pub(crate) go_sum: &'static str,
    /// The path of the module that `version` asks for.
    pub(crate) main: &'static str,
    /// The linker flags for a version.
    pub(crate) linker_flags: fn(&str) -> String,
}

impl Module {
    /// Builds a program from its Go package, or takes the one that is there.
    ///
    /// The first build takes minutes; it says so on stderr. Processes that ask at the same time build once.
    ///
    /// # Errors
    ///
    /// Where Go is missing, or fails to build.
    pub(crate) fn program(&self, name: &str, package: &str) -> Result<PathBuf, Unavailable> {
        let folder = self.target();
        let built = folder.join(name);
        if built.is_file() {
            return Ok(built);
        }
        let failed = |error: std::io::Error| Unavailable(format!("{}: {error}", folder.display()));
        fs::create_dir_all(&folder).map_err(failed)?;
        let lock = File::create(folder.join("lock")).map_err(failed)?;
        lock.lock().map_err(failed)?;
        if !built.is_file() {
            let unfinished = folder.join(format!("{name}.unfinished"));
            self.build(name, package, &unfinished)?;
            fs::rename(&unfinished, &built).map_err(failed)?;
        }
        Ok(built)
    }

    #[expect(
        clippy::print_stderr,
        reason = "a build of minutes must not look like a test that hangs"
    )]
    fn build(&self, name: &str, package: &str, output: &Path) -> Result<(), Unavailable> {
        let version = self.version();
        eprintln!(
            "building {name} of {} {version} with Go, minutes where nothing is cached yet",
            self.main
        );
        let started = Instant::now();
        let go = Command::new("go")
            .current_dir(Path::new(PACKAGE).join(self.folder))
            .args(["build", "-ldflags", &(self.linker_flags)(version), "-o"])
            .args([output.as_os_str(), package.as_ref()])
            .output()
            .map_err(|error| {
                Unavailable(format!("Go does not start, which builds {name}: {error}"))
            })?;
        if !go.status.success() {
            let reason = String::from_utf8_lossy(&go.stderr);
            return Err(Unavailable(format!(
                "Go could not build {name}: {}",
                reason.trim()
            )));
        }
        eprintln!("built {name} in {:.1} s", started.elapsed().as_secs_f64());
        Ok(())
    }

    /// The version of the main module that `go.mod` requires, as `v1.2.3`.
    fn version(&self) -> &'static str {
        let mut lines = self.go_mod.lines().map(str::trim);
        lines
            .find_map(|line| line.strip_prefix(self.main)?.strip_prefix(' '))
            .and_then(|rest| rest.split(' ').next())
            .unwrap_or("of an unknown version")
    }

    /// The folder's name changes with what goes into a build, so what is in it is never out of date.
    fn target(&self) -> PathBuf {
        let target = environment("CARGO_TARGET_DIR").unwrap_or_else(|| PathBuf::from("target"));
        let version = self.version();
        let mut hasher = DefaultHasher::new();
        (self.go_mod, self.go_sum, (self.linker_flags)(version)).hash(&mut hasher);
        let workspace = Path::new(PACKAGE)
            .ancestors()
            .nth(2)
            .unwrap_or(Path::new("."));
        let name = format!("{version}-{:016x}", hasher.finish());
        workspace.join(target).join(self.folder).join(name)
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "conventions of the ecosystem that tests follow"
)]
pub(crate) fn environment(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from)
}
