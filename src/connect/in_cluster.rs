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

#[cfg(test)]
mod tests {
    use super::super::fixture::Home;
    use super::*;

    #[test]
    fn a_pod_finds_server_authority_token_and_namespace() {
        let home = Home::new();
        let target = target(&home.pod()).unwrap();
        assert_eq!(
            target.cluster.server.as_deref(),
            Some("https://10.0.0.1:443")
        );
        let file = |name: &str| Some(home.path("account").join(name).display().to_string());
        assert_eq!(target.cluster.certificate_authority, file("ca.crt"));
        assert_eq!(target.user.token_file, file("token"));
        assert_eq!(target.namespace, "agents");
    }

    #[test]
    fn an_address_of_version_six_stands_in_brackets() {
        let home = Home::new();
        let pod = Environment {
            service_host: Some("fd00::1".to_owned()),
            ..home.pod()
        };
        let target = target(&pod).unwrap();
        assert_eq!(
            target.cluster.server.as_deref(),
            Some("https://[fd00::1]:443")
        );
    }

    #[test]
    fn without_a_token_it_is_no_pod() {
        let home = Home::new();
        let pod = home.pod();
        std::fs::remove_file(home.path("account/token")).unwrap();
        assert!(target(&pod).is_none());
    }

    #[test]
    fn a_namespace_that_nobody_names_is_the_default() {
        let home = Home::new();
        let pod = home.pod();
        home.file("account/namespace", "\n");
        assert_eq!(namespace(&pod), "default");
    }
}
