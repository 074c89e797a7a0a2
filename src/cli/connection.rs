//! The flags that say which cluster and who asks: kubectl's, by name, short form and meaning.

use std::path::PathBuf;

use clap::Args;

use crate::duration::{Timeout, parse_timeout};

/// kubectl's flags that mean nothing in a plugin: refused by name, so that nobody waits for their effect.
#[derive(Debug, Args)]
pub(crate) struct ForeignArguments {
    #[arg(long, hide = true)]
    pub(crate) kuberc: Option<String>,

    #[arg(long, hide = true)]
    pub(crate) log_flush_frequency: Option<String>,

    #[arg(long, hide = true, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) match_server_version: Option<String>,

    #[arg(long, hide = true)]
    pub(crate) profile: Option<String>,

    #[arg(long, hide = true)]
    pub(crate) profile_output: Option<String>,

    #[arg(long, hide = true)]
    pub(crate) vmodule: Option<String>,
}

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

    /// Act with this extra attribute of the user; repeatable
    #[arg(long = "as-user-extra", value_name = "KEY=VALUE", value_parser = parse_extra)]
    pub(crate) impersonate_extras: Vec<(String, String)>,

    /// Reach the API server through this proxy
    #[arg(long, value_name = "URL")]
    pub(crate) proxy_url: Option<String>,

    /// Ask for answers without compression
    #[arg(long)]
    pub(crate) disable_compression: bool,

    /// Wait this long for each answer of the server, such as 5s or 1m; 0 waits without limit
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = parse_timeout)]
    pub(crate) request_timeout: Timeout,

    /// Take a warning that the server sends for an error
    #[arg(long)]
    pub(crate) warnings_as_errors: bool,

    /// Has no effect, since nothing is cached; accepted for scripts that pass it
    #[arg(long, value_name = "FOLDER")]
    pub(crate) cache_dir: Option<PathBuf>,
}

fn parse_extra(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        Some(_) | None => Err("must be KEY=VALUE".to_owned()),
    }
}
