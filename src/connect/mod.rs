//! Answers for the connection: which cluster and user are meant, by client-go's rules, and the client that reaches them.

mod bearer;
mod client;
mod credentials;
mod environment;
mod error;
mod exec;
#[cfg(test)]
mod fixture;
mod in_cluster;
mod kubeconfig;
pub(crate) mod kubeconfig_names;
mod overrides;
mod pem;
mod proxy;
mod target;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use secrecy::SecretString;

use environment::Environment;
pub(crate) use error::Error;
use target::Target;

/// What the flags say about the connection; an empty string means that the flag was not given.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    pub(crate) kubeconfig: Option<PathBuf>,
    pub(crate) context: Option<String>,
    pub(crate) cluster: Option<String>,
    pub(crate) user: Option<String>,
    pub(crate) server: Option<String>,
    pub(crate) namespace: Option<String>,
    pub(crate) token: Option<SecretString>,
    pub(crate) username: Option<String>,
    pub(crate) password: Option<SecretString>,
    pub(crate) client_certificate: Option<String>,
    pub(crate) client_key: Option<String>,
    pub(crate) certificate_authority: Option<String>,
    pub(crate) tls_server_name: Option<String>,
    pub(crate) insecure_skip_tls_verify: bool,
    pub(crate) proxy_url: Option<String>,
    pub(crate) disable_compression: bool,
    pub(crate) impersonate: Impersonate,
    /// How long establishing a connection may take; `None` means no limit.
    pub(crate) request_timeout: Option<Duration>,
    /// Whether stdin is a terminal, so that a credential plugin may ask for a login.
    pub(crate) interactive: bool,
}

impl Options {
    fn kubeconfig_path(&self) -> Option<&Path> {
        let path = self.kubeconfig.as_deref();
        path.filter(|path| !path.as_os_str().is_empty())
    }
}

/// Whom to act as.
#[derive(Debug, Clone, Default)]
pub(crate) struct Impersonate {
    pub(crate) user: Option<String>,
    pub(crate) uid: Option<String>,
    pub(crate) groups: Vec<String>,
    pub(crate) extra: BTreeMap<String, Vec<String>>,
}

/// A client, and what to tell the user about where it leads.
#[expect(
    clippy::disallowed_types,
    reason = "this module makes the client that `api` uses"
)]
pub(crate) struct Connection {
    pub(crate) client: kube::Client,
    /// The server's address without credentials and without a trailing slash.
    pub(crate) server: String,
    /// `None` in a pod, and where no context was chosen because flags name the server or cluster.
    pub(crate) context: Option<String>,
    /// A valid name: of the flag, the context or the pod, else `default`.
    pub(crate) namespace: String,
    pub(crate) in_cluster: bool,
}

/// Finds out what the flags, the kubeconfig and the pod say, and makes the client; nothing is sent yet.
///
/// # Errors
///
/// Whatever client-go would refuse to work with, and a credential plugin that fails.
pub(crate) async fn connect(options: &Options) -> Result<Connection, Error> {
    connect_from(options, &Environment::of_process()).await
}

async fn connect_from(options: &Options, environment: &Environment) -> Result<Connection, Error> {
    let Target {
        context,
        namespace,
        in_cluster,
        cluster,
        user,
    } = target::choose(options, environment)?;
    let (config, bearer) = client::configure(cluster, user, options, environment).await?;
    Ok(Connection {
        server: config
            .cluster_url
            .to_string()
            .trim_end_matches('/')
            .to_owned(),
        client: client::build(config, bearer)?,
        context,
        namespace,
        in_cluster,
    })
}

#[cfg(test)]
mod tests {
    use super::fixture::{CERTIFICATE, Home, KUBECONFIG};
    use super::*;

    #[tokio::test]
    async fn a_connection_says_where_it_leads() {
        let home = Home::new();
        home.file("config", KUBECONFIG);
        let options = Options {
            insecure_skip_tls_verify: true,
            ..Options::default()
        };
        let environment = home.environment_with(&["config"]);
        let connection = connect_from(&options, &environment).await.unwrap();
        assert_eq!(connection.server, "https://dev:6443");
        assert_eq!(connection.context.as_deref(), Some("dev"));
        assert_eq!(connection.namespace, "agents");
        assert!(!connection.in_cluster);
    }

    #[tokio::test]
    async fn a_pod_needs_nothing_but_its_service_account() {
        let home = Home::new();
        let pod = home.pod();
        home.file("account/ca.crt", CERTIFICATE);
        let connection = connect_from(&Options::default(), &pod).await.unwrap();
        assert_eq!(connection.server, "https://10.0.0.1:443");
        assert_eq!(connection.context, None);
        assert_eq!(connection.namespace, "agents");
        assert!(connection.in_cluster);
    }
}
