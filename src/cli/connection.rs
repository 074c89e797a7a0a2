//! The flags that say which cluster and who asks: kubectl's, by name, short form and meaning.

use std::path::PathBuf;

use clap::Args;

use crate::duration::{Timeout, parse_timeout};

/// kubectl's connection flags.
#[derive(Debug, Args)]
#[command(next_help_heading = "Connection")]
pub(crate) struct ConnectionArguments {
    /// Use this kubeconfig file
    #[arg(long, value_name = "FILE")]
    pub(crate) kubeconfig: Option<PathBuf>,

    /// Use this context of the kubeconfig
    #[arg(long, value_name = "NAME")]
    pub(crate) context: Option<String>,

    /// Use this cluster of the kubeconfig
    #[arg(long, value_name = "NAME")]
    pub(crate) cluster: Option<String>,

    /// Use this user of the kubeconfig
    #[arg(long, value_name = "NAME")]
    pub(crate) user: Option<String>,

    /// Use the API server at this address
    #[arg(short, long, value_name = "URL")]
    pub(crate) server: Option<String>,

    /// Expect this name in the server's certificate
    #[arg(long, value_name = "NAME")]
    pub(crate) tls_server_name: Option<String>,

    /// Trust the certificate authorities of this file
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate_authority: Option<String>,

    /// Trust any certificate of the server
    #[arg(long)]
    pub(crate) insecure_skip_tls_verify: bool,

    /// Show this certificate to the server
    #[arg(long, value_name = "FILE")]
    pub(crate) client_certificate: Option<String>,

    /// Use the key of this file for the client certificate
    #[arg(long, value_name = "FILE")]
    pub(crate) client_key: Option<String>,

    /// Show this bearer token to the server
    #[arg(long)]
    pub(crate) token: Option<String>,

    /// Use this name for basic authentication
    #[arg(long, value_name = "NAME")]
    pub(crate) username: Option<String>,

    /// Use this password for basic authentication
    #[arg(long)]
    pub(crate) password: Option<String>,

    /// Act as this user
    #[arg(long = "as", value_name = "USER")]
    pub(crate) impersonate: Option<String>,

    /// Act as a member of this group; repeatable
    #[arg(long = "as-group", value_name = "GROUP")]
    pub(crate) impersonate_groups: Vec<String>,

    /// Act as the user with this uid
    #[arg(long = "as-uid", value_name = "UID")]
    pub(crate) impersonate_uid: Option<String>,

    /// Ask for answers without compression
    #[arg(long)]
    pub(crate) disable_compression: bool,

    /// Wait this long for each answer of the server, such as 5s or 1m; 0 waits without limit
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = parse_timeout)]
    pub(crate) request_timeout: Timeout,
}
