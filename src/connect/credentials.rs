//! Answers for the user's credentials: everything that is read from a file or a plugin is read here, once.

use kube::config::{AuthInfo, Cluster};
use secrecy::ExposeSecret;

use super::bearer::{Bearer, Source, Token};
use super::{Error, exec, pem};

/// Turns what the user's entry refers to into data, by client-go's order: a token or a name and password, else a
/// certificate, else what the credential plugin gives. A token that can be had anew is returned beside the entry.
///
/// # Errors
///
/// A file that cannot be read, a certificate without a key, and a plugin that gives nothing.
pub(super) async fn complete(
    mut user: AuthInfo,
    cluster: &Cluster,
    terminal: bool,
) -> Result<(AuthInfo, Option<Bearer>), Error> {
    if let Some(provider) = &user.auth_provider
        && provider.name != "oidc"
    {
        return Err(Error::AuthProvider(provider.name.clone()));
    }
    if user.username.is_some() || user.password.is_some() {
        user.username.get_or_insert_default();
        user.password.get_or_insert_default();
    }
    load_certificate(&mut user)?;
    // Left in the entry, it would be run by kube.
    let plugin = user.exec.take();
    if let Some(path) = user.token_file.take() {
        // The entry's own token only serves where the file cannot be read.
        match (read_token(&path), &user.token) {
            (Ok(token), _) => {
                user.token = None;
                let token = Token::new(&token, None)?;
                return Ok((user, Some(Bearer::new(Source::File(path), token))));
            }
            (Err(_), Some(_)) => {}
            (Err(error), None) => return Err(error),
        }
    }
    if let Some(token) = &user.token {
        // kube would panic over what it cannot send.
        Token::new(token.expose_secret(), None)?;
    }
    let identified = user.token.is_some()
        || user.username.is_some()
        || user.client_certificate_data.is_some()
        || user.auth_provider.is_some();
    let Some(plugin) = plugin.filter(|_| !identified) else {
        return Ok((user, None));
    };
    let credential = exec::run(&plugin, cluster, terminal).await?;
    if let Some((certificate, key)) = credential.certificate {
        set_certificate(
            &mut user,
            certificate.as_bytes(),
            key.expose_secret().as_bytes(),
        );
    }
    let source = Source::Plugin {
        exec: Box::new(plugin),
        cluster: Box::new(cluster.clone()),
        terminal,
    };
    let bearer = credential.token.map(|token| Bearer::new(source, token));
    Ok((user, bearer))
}

/// What may be said over a connection that anyone can listen to: whom to act as, but no credential.
pub(super) fn without(user: AuthInfo) -> AuthInfo {
    AuthInfo {
        impersonate: user.impersonate,
        impersonate_uid: user.impersonate_uid,
        impersonate_groups: user.impersonate_groups,
        impersonate_user_extra: user.impersonate_user_extra,
        ..AuthInfo::default()
    }
}

/// # Errors
///
/// A file that cannot be read or is empty.
pub(super) fn read_token(path: &str) -> Result<String, Error> {
    let text = std::fs::read_to_string(path).map_err(|source| Error::ReadFile {
        what: "tokenFile",
        path: path.to_owned(),
        source,
    })?;
    if text.trim().is_empty() {
        return Err(Error::InvalidCredential {
            what: "tokenFile",
            reason: "it is empty",
        });
    }
    Ok(text.trim().to_owned())
}

fn load_certificate(user: &mut AuthInfo) -> Result<(), Error> {
    let certificate = pem::load(
        "client-cert",
        user.client_certificate_data.as_deref(),
        user.client_certificate.as_deref(),
    )?;
    let key = pem::load(
        "client-key",
        user.client_key_data
            .as_ref()
            .map(ExposeSecret::expose_secret),
        user.client_key.as_deref(),
    )?;
    user.client_certificate_data = None;
    user.client_certificate = None;
    user.client_key_data = None;
    user.client_key = None;
    match (certificate, key) {
        (Some(certificate), Some(key)) => set_certificate(user, &certificate, &key),
        (Some(_), None) => {
            return Err(Error::InvalidCredential {
                what: "client-cert",
                reason: "client-key-data or client-key must be specified too",
            });
        }
        // client-go looks at the key only where there is a certificate.
        (None, _) => {}
    }
    Ok(())
}

fn set_certificate(user: &mut AuthInfo, certificate: &[u8], key: &[u8]) {
    user.client_certificate_data = Some(pem::encode(certificate));
    user.client_key_data = Some(pem::encode(key).into());
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
