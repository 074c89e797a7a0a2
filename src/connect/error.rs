//! Answers for what can be wrong with a connection before anything is sent, in kubectl's words.
//!
//! No message holds a file's contents, a token or the environment.

use std::io;
use std::path::PathBuf;

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("stat {}: no such file or directory", .0.display())]
    NoSuchKubeconfig(PathBuf),
    #[error("error loading config file \"{}\": {}", path.display(), words(source))]
    ReadKubeconfig { path: PathBuf, source: io::Error },
    /// The position is empty where the parser knows none.
    #[error("error loading config file \"{}\": it is no kubeconfig{position}", path.display())]
    ParseKubeconfig { path: PathBuf, position: String },
    #[error("{what} \"{name}\" does not exist")]
    Unknown {
        what: &'static str,
        name: String,
        known: Vec<String>,
    },
    #[error("current-context is not set")]
    NoContext { known: Vec<String> },
    #[error("no server found for cluster \"{0}\"")]
    NoServer(String),
    #[error("cluster was not specified for context \"{0}\"")]
    NoCluster(String),
    #[error("no configuration has been provided")]
    NothingConfigured,
    #[error("namespace \"{0}\" does not conform to the kubernetes DNS_LABEL rules")]
    InvalidNamespace(String),
    #[error("host must be a URL or a host:port pair")]
    InvalidServer,
    #[error("invalid {origin}: {reason}")]
    InvalidProxy {
        origin: &'static str,
        reason: &'static str,
    },
    #[error("unable to read {what} {path} due to {}", words(source))]
    ReadFile {
        what: &'static str,
        path: String,
        source: io::Error,
    },
    #[error("unable to use {what}: {reason}")]
    InvalidCredential {
        what: &'static str,
        reason: &'static str,
    },
    #[error("specifying a root certificates file with the insecure flag is not allowed")]
    AuthorityAndInsecure,
    #[error(
        "more than one authentication method found; found token and basicAuth, only one is allowed"
    )]
    SeveralMethods,
    #[error("requesting uid, groups or user-extra without impersonating a user")]
    ImpersonationWithoutUser,
    #[error("no Auth Provider found for name \"{0}\"")]
    AuthProvider(String),
    #[error("getting credentials: {message}")]
    Exec {
        message: String,
        install_hint: Option<String>,
    },
    #[error("unable to set up TLS")]
    Tls,
}

impl Error {
    /// What to do next, where there is something to say.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::Unknown { what, known, .. } => Some(if known.is_empty() {
                format!("the kubeconfig has no {what}")
            } else {
                format!("the kubeconfig has {}", known.join(", "))
            }),
            Self::NoContext { known } if known.is_empty() => {
                Some("the kubeconfig has no context; name a server with --server".to_owned())
            }
            Self::NoContext { known } => {
                Some(format!("choose one with --context: {}", known.join(", ")))
            }
            Self::NothingConfigured => Some(
                "there is no kubeconfig and this is no pod; set KUBECONFIG or pass --kubeconfig"
                    .to_owned(),
            ),
            Self::NoSuchKubeconfig(_)
            | Self::ReadKubeconfig { .. }
            | Self::ParseKubeconfig { .. } => {
                Some("repair the file, or name another one with --kubeconfig or KUBECONFIG".to_owned())
            }
            Self::ImpersonationWithoutUser => Some("name the user with --as".to_owned()),
            Self::AuthProvider(_) => Some("use an exec credential plugin instead".to_owned()),
            Self::Exec { install_hint, .. } => install_hint.clone(),
            Self::Tls => Some(
                "check the client certificate and key, tls-server-name and the system's certificate authorities"
                    .to_owned(),
            ),
            Self::NoServer(_)
            | Self::NoCluster(_)
            | Self::InvalidNamespace(_)
            | Self::InvalidServer
            | Self::InvalidProxy { .. }
            | Self::ReadFile { .. }
            | Self::InvalidCredential { .. }
            | Self::AuthorityAndInsecure
            | Self::SeveralMethods => None,
        }
    }
}

/// The system's words for an error as Go prints them: lower case and without the number.
pub(super) fn words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error")
        .next()
        .unwrap_or_default()
        .to_lowercase()
}
