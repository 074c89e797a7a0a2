//! Answers for what the process's environment says about the connection, as data.

use std::ffi::OsString;
use std::path::PathBuf;

/// The variables and places that client-go looks at; an empty variable counts as not set.
#[derive(Debug, Clone, Default)]
pub(super) struct Environment {
    pub(super) kubeconfig: Option<OsString>,
    pub(super) home: Option<PathBuf>,
    pub(super) service_host: Option<String>,
    pub(super) service_port: Option<String>,
    /// Where a pod finds its token, its certificate authority and its namespace.
    pub(super) service_account: PathBuf,
    pub(super) pod_namespace: Option<String>,
    pub(super) http_proxy: Option<String>,
    pub(super) https_proxy: Option<String>,
    pub(super) no_proxy: Option<String>,
}

impl Environment {
    pub(super) fn of_process() -> Self {
        Self {
            kubeconfig: variable("KUBECONFIG"),
            home: std::env::home_dir(),
            service_host: text("KUBERNETES_SERVICE_HOST"),
            service_port: text("KUBERNETES_SERVICE_PORT"),
            service_account: "/var/run/secrets/kubernetes.io/serviceaccount".into(),
            pod_namespace: text("POD_NAMESPACE"),
            http_proxy: text("HTTP_PROXY").or_else(|| text("http_proxy")),
            https_proxy: text("HTTPS_PROXY").or_else(|| text("https_proxy")),
            no_proxy: text("NO_PROXY").or_else(|| text("no_proxy")),
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place where the connection reads the environment"
)]
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

fn text(name: &str) -> Option<String> {
    variable(name)?.into_string().ok()
}
