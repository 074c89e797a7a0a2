//! Answers for the user's credentials: everything that is read from a file or a plugin is read here, once.

use kube::config::{AuthInfo, Cluster};
use secrecy::{ExposeSecret, SecretString};

use super::{Error, exec, pem};

/// Turns what the user's entry refers to into data, by client-go's order: a token or a name and password, else a
/// certificate, else what the credential plugin gives.
///
/// # Errors
///
/// A file that cannot be read, a certificate without a key, and a plugin that gives nothing.
pub(super) async fn complete(
    mut user: AuthInfo,
    cluster: &Cluster,
    terminal: bool,
) -> Result<AuthInfo, Error> {
    if let Some(provider) = &user.auth_provider
        && provider.name != "oidc"
    {
        return Err(Error::AuthProvider(provider.name.clone()));
    }
    if let Some(path) = user.token_file.take() {
        user.token = read_token(path, user.token)?;
    }
    if user.username.is_some() || user.password.is_some() {
        user.username.get_or_insert_default();
        user.password.get_or_insert_default();
    }
    load_certificate(&mut user)?;
    let identified = user.token.is_some()
        || user.username.is_some()
        || user.client_certificate_data.is_some()
        || user.auth_provider.is_some();
    if let Some(plugin) = user.exec.take()
        && !identified
    {
        let credential = exec::run(&plugin, cluster, terminal).await?;
        user.token = credential.token;
        if let Some((certificate, key)) = credential.certificate {
            set_certificate(
                &mut user,
                certificate.as_bytes(),
                key.expose_secret().as_bytes(),
            );
        }
    }
    Ok(user)
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

/// The file's token goes before the entry's, which only serves where the file cannot be read.
fn read_token(path: String, entry: Option<SecretString>) -> Result<Option<SecretString>, Error> {
    match std::fs::read_to_string(&path) {
        Ok(text) if text.trim().is_empty() && entry.is_none() => Err(Error::InvalidCredential {
            what: "tokenFile",
            reason: "it is empty",
        }),
        Ok(text) if !text.trim().is_empty() => Ok(Some(text.trim().into())),
        Ok(_) => Ok(entry),
        Err(_) if entry.is_some() => Ok(entry),
        Err(source) => Err(Error::ReadFile {
            what: "tokenFile",
            path,
            source,
        }),
    }
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
