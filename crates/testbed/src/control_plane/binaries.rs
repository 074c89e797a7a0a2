//! Where the control plane's programs are: ready-made ones, or built with Go from the sources that `go.mod` names.

use std::collections::hash_map::DefaultHasher;
use std::fmt;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const PACKAGE: &str = env!("CARGO_MANIFEST_DIR");
const GO_MOD: &str = include_str!("../../control-plane/go.mod");
const GO_SUM: &str = include_str!("../../control-plane/go.sum");

/// Why there can be no control plane on this machine.
#[derive(Debug, Clone)]
pub struct Unavailable(String);

impl fmt::Display for Unavailable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Unavailable {}

/// The programs of a control plane, each a path to an executable.
#[derive(Debug, Clone)]
pub struct Binaries {
    /// The store behind the API server.
    pub etcd: PathBuf,
    /// The API server.
    pub kube_apiserver: PathBuf,
    /// What runs the Job, namespace and garbage collector controllers.
    pub kube_controller_manager: PathBuf,
    /// The command line that finds plugins.
    pub kubectl: PathBuf,
}

impl Binaries {
    /// Takes what the folder `$KUBEBUILDER_ASSETS` holds and builds the rest, once for as long as `go.mod` and `go.sum`
    /// stay what they are.
    ///
    /// The first build takes minutes; it says so on stderr. Processes that ask at the same time build once.
    ///
    /// # Errors
    ///
    /// Where Go is missing, or fails to build.
    pub fn find() -> Result<Self, Unavailable> {
        Ok(Self {
            etcd: find("etcd", "go.etcd.io/etcd/server/v3")?,
            kube_apiserver: find("kube-apiserver", "k8s.io/kubernetes/cmd/kube-apiserver")?,
            kube_controller_manager: find(
                "kube-controller-manager",
                "k8s.io/kubernetes/cmd/kube-controller-manager",
            )?,
            kubectl: find("kubectl", "k8s.io/kubernetes/cmd/kubectl")?,
        })
    }
}

fn find(name: &str, package: &str) -> Result<PathBuf, Unavailable> {
    let ready_made = environment("KUBEBUILDER_ASSETS").map(|assets| assets.join(name));
    if let Some(ready_made) = ready_made.filter(|path| path.is_file()) {
        return Ok(ready_made);
    }
    let folder = folder();
    let built = folder.join(name);
    if built.is_file() {
        return Ok(built);
    }
    let failed = |error: std::io::Error| Unavailable(format!("{}: {error}", folder.display()));
    fs::create_dir_all(&folder).map_err(failed)?;
    let lock = File::create(folder.join("lock")).map_err(failed)?;
    lock.lock().map_err(failed)?;
    if !built.is_file() {
        let unfinished = folder.join(format!("{name}.{}", std::process::id()));
        build(name, package, &unfinished)?;
        fs::rename(&unfinished, &built).map_err(failed)?;
    }
    Ok(built)
}

#[expect(
    clippy::print_stderr,
    reason = "a build of minutes must not look like a test that hangs"
)]
fn build(name: &str, package: &str, output: &Path) -> Result<(), Unavailable> {
    let version = kubernetes_version();
    eprintln!(
        "building {name} for Kubernetes {version} with Go, minutes where nothing is cached yet"
    );
    let started = Instant::now();
    let go = Command::new("go")
        .current_dir(Path::new(PACKAGE).join("control-plane"))
        .args(["build", "-ldflags", &linker_flags(version), "-o"])
        .args([output.as_os_str(), package.as_ref()])
        .output()
        .map_err(|error| Unavailable(format!("Go does not start, which builds {name}: {error}")))?;
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

/// Without them the server calls itself `v0.0.0-master+$Format:%H$`.
fn linker_flags(version: &str) -> String {
    let mut numbers = version.trim_start_matches('v').split('.');
    let (major, minor) = (
        numbers.next().unwrap_or_default(),
        numbers.next().unwrap_or_default(),
    );
    let variable = "-X k8s.io/component-base/version";
    format!(
        "-s -w {variable}.gitVersion={version} {variable}.gitMajor={major} {variable}.gitMinor={minor}"
    )
}

/// The version that `go.mod` requires, as `v1.2.3`.
fn kubernetes_version() -> &'static str {
    let mut words = GO_MOD
        .lines()
        .map(str::trim)
        .filter_map(|line| line.strip_prefix("k8s.io/kubernetes "));
    words
        .next()
        .and_then(|rest| rest.split(' ').next())
        .unwrap_or("of an unknown version")
}

/// The folder's name changes with what goes into a build, so what is in it is never out of date.
fn folder() -> PathBuf {
    let target = environment("CARGO_TARGET_DIR").unwrap_or_else(|| PathBuf::from("target"));
    let version = kubernetes_version();
    let mut hasher = DefaultHasher::new();
    (GO_MOD, GO_SUM, linker_flags(version)).hash(&mut hasher);
    let workspace = Path::new(PACKAGE)
        .ancestors()
        .nth(2)
        .unwrap_or(Path::new("."));
    let name = format!("{version}-{:016x}", hasher.finish());
    workspace.join(target).join("control-plane").join(name)
}

#[expect(
    clippy::disallowed_methods,
    reason = "both variables are conventions of the ecosystem that tests follow"
)]
fn environment(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from)
}
