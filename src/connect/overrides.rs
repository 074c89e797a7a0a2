//! Answers for how flags override what the kubeconfig says, and for what may not stand together.

use kube::config::{AuthInfo, Cluster};
use secrecy::{ExposeSecret, SecretString};

use super::{Error, Options, target::Target, target::given};

/// Puts the flags into the target (client-go `DirectClientConfig.getCluster` and `getAuthInfo`).
///
/// # Errors
///
/// What contradicts itself, wherever its parts came from (client-go `validateAuthInfo`).
pub(super) fn apply(options: &Options, target: &mut Target) -> Result<(), Error> {
    if let Some(namespace) = given(options.namespace.as_deref()) {
        namespace.clone_into(&mut target.namespace);
    }
    apply_to_cluster(options, &mut target.cluster)?;
    apply_to_user(options, &mut target.user)
}

fn apply_to_cluster(options: &Options, cluster: &mut Cluster) -> Result<(), Error> {
    let server = given(options.server.as_deref()).map(ToOwned::to_owned);
    let server_name = given(options.tls_server_name.as_deref()).map(ToOwned::to_owned);
    if server.is_some() || server_name.is_some() {
        cluster.tls_server_name = server_name;
    }
    cluster.server = server.or(cluster.server.take());
    let authority = given(options.certificate_authority.as_deref()).map(ToOwned::to_owned);
    if options.insecure_skip_tls_verify || authority.is_some() {
        cluster.insecure_skip_tls_verify = Some(options.insecure_skip_tls_verify);
        cluster.certificate_authority = authority;
        cluster.certificate_authority_data = None;
    }
    if let Some(proxy) = given(options.proxy_url.as_deref()) {
        cluster.proxy_url = Some(proxy.to_owned());
    }
    if options.disable_compression {
        cluster.disable_compression = Some(true);
    }
    let has_authority =
        cluster.certificate_authority.is_some() || cluster.certificate_authority_data.is_some();
    if cluster.insecure_skip_tls_verify == Some(true) && has_authority {
        return Err(Error::AuthorityAndInsecure);
    }
    Ok(())
}

fn apply_to_user(options: &Options, user: &mut AuthInfo) -> Result<(), Error> {
    let token = given_secret(options.token.as_ref());
    let username = given(options.username.as_deref()).map(ToOwned::to_owned);
    let password = given_secret(options.password.as_ref());
    if token.is_some() || username.is_some() || password.is_some() {
        // A credential of the command line is the one to use, whatever else the user has.
        user.token = None;
        user.token_file = None;
        user.exec = None;
        user.auth_provider = None;
    }
    if token.is_some() {
        user.username = None;
        user.password = None;
    }
    user.token = token.or(user.token.take());
    user.username = username.or(user.username.take());
    user.password = password.or(user.password.take());
    let has_token = user.token.is_some() || user.token_file.is_some();
    if has_token && (user.username.is_some() || user.password.is_some()) {
        return Err(Error::SeveralMethods);
    }
    if let Some(certificate) = given(options.client_certificate.as_deref()) {
        user.client_certificate = Some(certificate.to_owned());
        user.client_certificate_data = None;
    }
    if let Some(key) = given(options.client_key.as_deref()) {
        user.client_key = Some(key.to_owned());
        user.client_key_data = None;
    }
    impersonate(options, user)
}

fn impersonate(options: &Options, user: &mut AuthInfo) -> Result<(), Error> {
    let flags = &options.impersonate;
    if let Some(name) = given(flags.user.as_deref()) {
        user.impersonate = Some(name.to_owned());
    }
    if let Some(uid) = given(flags.uid.as_deref()) {
        user.impersonate_uid = Some(uid.to_owned());
    }
    if !flags.groups.is_empty() {
        user.impersonate_groups = Some(flags.groups.clone());
    }
    if !flags.extra.is_empty() {
        user.impersonate_user_extra
            .get_or_insert_default()
            .extend(flags.extra.clone());
    }
    let has_more = user.impersonate_uid.is_some()
        || user
            .impersonate_groups
            .as_ref()
            .is_some_and(|groups| !groups.is_empty())
        || user
            .impersonate_user_extra
            .as_ref()
            .is_some_and(|extra| !extra.is_empty());
    if has_more && user.impersonate.is_none() {
        return Err(Error::ImpersonationWithoutUser);
    }
    Ok(())
}

fn given_secret(flag: Option<&SecretString>) -> Option<SecretString> {
    flag.filter(|secret| !secret.expose_secret().is_empty())
        .cloned()
}

#[cfg(test)]
mod tests;
