//! Answers for the connection of a pod to its own cluster, with its service account.

use kube::config::{AuthInfo, Cluster};

use super::{Environment, target::Target};

/// Whether this is a pod with a service account (client-go `inClusterClientConfig.Possible`).
pub(super) fn is_possible(environment: &Environment) -> bool {
    environment.service_host.is_some()
        && environment.service_port.is_some()
        && environment.service_account.join("token").is_file()
}

/// The pod's own cluster, or `None` outside of a pod.
pub(super) fn target(environment: &Environment) -> Option<Target> {
    if !is_possible(environment) {
        return None;
    }
    let host = environment.service_host.as_deref()?;
    let port = environment.service_port.as_deref()?;
    let host = if host.contains(':') {
        format!("[{host}]")
    } else {
        host.to_owned()
    };
    let file = |name: &str| {
        let path = environment.service_account.join(name);
        Some(path.to_string_lossy().into_owned())
    };
    Some(Target {
        context: None,
        namespace: namespace(environment),
        in_cluster: true,
        cluster: Cluster {
            server: Some(format!("https://{host}:{port}")),
            certificate_authority: file("ca.crt"),
            ..Cluster::default()
        },
        user: AuthInfo {
            token_file: file("token"),
            ..AuthInfo::default()
        },
    })
}

/// `POD_NAMESPACE`, else the service account's file, else `default`.
pub(super) fn namespace(environment: &Environment) -> String {
    let of_account = || {
        let text = std::fs::read_to_string(environment.service_account.join("namespace")).ok()?;
        Some(text.trim().to_owned()).filter(|name| !name.is_empty())
    };
    environment
        .pod_namespace
        .clone()
        .or_else(of_account)
        .unwrap_or_else(|| "default".to_owned())
}
