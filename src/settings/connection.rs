//! The connection flags.

use std::collections::BTreeMap;

use reap_core::object::is_namespace;

use super::Terminals;
use crate::cli::{ConnectionArguments, ForeignArguments};
use crate::connect;
use crate::error::Error;

/// Resolves them.
///
/// # Errors
/// A namespace that is no name, and flags that contradict each other.
pub(super) fn resolve(
    arguments: ConnectionArguments,
    namespace: Option<String>,
    terminals: Terminals,
) -> Result<connect::Options, Error> {
    let ConnectionArguments {
        kubeconfig,
        context,
        cluster,
        user,
        server,
        tls_server_name,
        certificate_authority,
        insecure_skip_tls_verify,
        client_certificate,
        client_key,
        token,
        username,
        password,
        impersonate,
        impersonate_groups,
        impersonate_uid,
        impersonate_extras,
        proxy_url,
        disable_compression,
        request_timeout,
        warnings_as_errors: _,
        cache_dir: _,
    } = arguments;
    if let Some(namespace) = namespace.as_deref().filter(|name| !name.is_empty()) {
        check_namespace(namespace)?;
    }
    let names_authority = certificate_authority.iter().any(|file| !file.is_empty());
    if insecure_skip_tls_verify && names_authority {
        let why = "--insecure-skip-tls-verify and --certificate-authority contradict each other";
        return Err(Error::Usage(why.to_owned()));
    }
    let mut extra = BTreeMap::<_, Vec<_>>::new();
    for (key, value) in impersonate_extras {
        extra.entry(key).or_default().push(value);
    }
    Ok(connect::Options {
        kubeconfig,
        context,
        cluster,
        user,
        server,
        namespace,
        token: token.map(Into::into),
        username,
        password: password.map(Into::into),
        client_certificate,
        client_key,
        certificate_authority,
        tls_server_name,
        insecure_skip_tls_verify,
        proxy_url,
        disable_compression,
        impersonate: connect::Impersonate {
            user: impersonate,
            uid: impersonate_uid,
            groups: impersonate_groups,
            extra,
        },
        request_timeout: request_timeout.0,
        interactive: terminals.stdin,
    })
}

/// A namespace goes into URLs: what is no RFC 1123 label is refused.
fn check_namespace(namespace: &str) -> Result<(), Error> {
    if is_namespace(namespace) {
        Ok(())
    } else {
        Err(Error::Usage(format!(
            "`{namespace}` is no name of a namespace"
        )))
    }
}

/// Refuses the flags of kubectl that mean nothing in a plugin.
///
/// # Errors
/// The first of them that was given.
pub(super) fn refuse_foreign(arguments: ForeignArguments) -> Result<(), Error> {
    let ForeignArguments {
        kuberc,
        log_flush_frequency,
        match_server_version,
        profile,
        profile_output,
        vmodule,
    } = arguments;
    let flags = [
        ("--kuberc", kuberc),
        ("--log-flush-frequency", log_flush_frequency),
        ("--match-server-version", match_server_version),
        ("--profile", profile),
        ("--profile-output", profile_output),
        ("--vmodule", vmodule),
    ];
    match flags.iter().find(|(_, value)| value.is_some()) {
        Some((flag, _)) => Err(Error::Usage(format!(
            "{flag} is for kubectl's own commands and means nothing here"
        ))),
        None => Ok(()),
    }
}
