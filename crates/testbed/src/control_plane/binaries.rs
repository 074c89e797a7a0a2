//! Where the control plane's programs are: ready-made ones, or built with Go from the sources that `go.mod` names.

use std::path::PathBuf;

use crate::go::{Module, Unavailable, environment};

const KUBERNETES: Module = Module {
    folder: "control-plane",
    go_mod: include_str!("../../control-plane/go.mod"),
    go_sum: include_str!("../../control-plane/go.sum"),
    main: "k8s.io/kubernetes",
    linker_flags,
};

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
    match ready_made.filter(|path| path.is_file()) {
        Some(ready_made) => Ok(ready_made),
        None => KUBERNETES.program(name, package),
    }
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
