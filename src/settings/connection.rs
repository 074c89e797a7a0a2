//! The connection flags.

use reap_core::object::is_namespace;

use super::Terminals;
use crate::cli::ConnectionArguments;
use crate::connect;
use crate::error::Error;

/// Resolves them.
///
/// # Errors
/// A namespace that is no name.
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
        disable_compression,
        request_timeout,
    } = arguments;
    if let Some(namespace) = namespace.as_deref().filter(|name| !name.is_empty()) {
        check_namespace(namespace)?;
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
        disable_compression,
        impersonate: connect::Impersonate {
            user: impersonate,
            uid: impersonate_uid,
            groups: impersonate_groups,
            ..connect::Impersonate::default()
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
