//! Answers for the client: the cluster's and the user's entries turned into kube's configuration, and that into a client.

use http::header::{HeaderValue, USER_AGENT};
use http::uri::Uri;
use kube::Config;
use kube::client::ConfigExt;
use kube::config::{AuthInfo, Cluster};

use super::bearer::Bearer;
use super::{Environment, Error, Options, credentials, pem, proxy};

/// kube's configuration without anything of kube's own that would retry, time out or fall back.
///
/// # Errors
///
/// An address that is none, an unusable proxy or authority, and credentials that cannot be had.
pub(super) async fn configure(
    mut cluster: Cluster,
    user: AuthInfo,
    options: &Options,
    environment: &Environment,
) -> Result<(Config, Option<Bearer>), Error> {
    let mut config = Config::new(server_url(cluster.server.as_deref().unwrap_or_default())?);
    let secure = config.cluster_url.scheme_str() == Some("https");
    let insecure = cluster.insecure_skip_tls_verify == Some(true);
    config.proxy_url = proxy::choose(
        cluster.proxy_url.as_deref(),
        &config.cluster_url,
        environment,
    )?;
    let mut bearer = None;
    // Without a list of its own, kube loads the system's authorities, which may be missing and are not needed here.
    config.root_cert = Some(Vec::new());
    if secure {
        config.tls_server_name = cluster.tls_server_name.clone();
        if !insecure {
            config.root_cert = authorities(&mut cluster)?;
        }
        (config.auth_info, bearer) =
            credentials::complete(user, &cluster, options.interactive).await?;
    } else {
        config.auth_info = credentials::without(user);
    }
    config.accept_invalid_certs = insecure;
    config.disable_compression = cluster.disable_compression == Some(true);
    config.default_retry = false;
    config.connect_timeout = options.request_timeout;
    config.write_timeout = None;
    config.headers.push((USER_AGENT, user_agent()));
    Ok((config, bearer))
}

/// Makes the client.
///
/// # Errors
///
/// What rustls or kube cannot use; their own messages may quote it and are dropped.
#[expect(
    clippy::disallowed_types,
    reason = "this module makes the client that `api` uses"
)]
pub(super) fn build(config: Config, bearer: Option<Bearer>) -> Result<kube::Client, Error> {
    let client = kube::Client::try_from(config).map_err(|error| {
        if let kube::Error::Auth(_) = error {
            Error::InvalidCredential {
                what: "the user's credentials",
                reason: "the auth provider's settings are incomplete",
            }
        } else if let kube::Error::HttpError(_) = error {
            Error::InvalidCredential {
                what: "the name to impersonate",
                reason: "it cannot be sent",
            }
        } else {
            Error::Tls
        }
    })?;
    Ok(match bearer {
        Some(bearer) => bearer.wrap(client),
        None => client,
    })
}

/// The address with a scheme, and without the credentials and the query that it may hold (client-go `DefaultServerURL`).
fn server_url(server: &str) -> Result<Uri, Error> {
    let has_scheme = server.contains("://");
    let url = if has_scheme {
        server.to_owned()
    } else {
        format!("http://{server}")
    };
    let invalid = |_| Error::InvalidServer;
    let uri: Uri = url.parse().map_err(invalid)?;
    let (Some(scheme @ ("http" | "https")), Some(authority)) = (uri.scheme_str(), uri.authority())
    else {
        return Err(Error::InvalidServer);
    };
    if !has_scheme && uri.path() != "/" {
        return Err(Error::InvalidServer);
    }
    let host = authority.as_str().rsplit('@').next().unwrap_or_default();
    Uri::builder()
        .scheme(scheme)
        .authority(host)
        .path_and_query(uri.path())
        .build()
        .map_err(|_| Error::InvalidServer)
}

/// The cluster's authorities, `None` if it names none and the system's are meant. The entry holds them as data afterwards.
fn authorities(cluster: &mut Cluster) -> Result<Option<Vec<Vec<u8>>>, Error> {
    let what = "certificate-authority";
    let Some(bundle) = pem::load(
        what,
        cluster.certificate_authority_data.as_deref(),
        cluster.certificate_authority.as_deref(),
    )?
    else {
        return Ok(None);
    };
    let mut certificates = pem::certificates(&bundle);
    certificates.retain(is_usable);
    if certificates.is_empty() {
        return Err(Error::InvalidCredential {
            what,
            reason: "it holds no certificate",
        });
    }
    cluster.certificate_authority_data = Some(pem::encode(&bundle));
    Ok(Some(certificates))
}

/// Whether rustls takes it; one that it does not take would spoil the whole bundle.
#[expect(clippy::ptr_arg, reason = "the signature that `Vec::retain` asks for")]
fn is_usable(certificate: &Vec<u8>) -> bool {
    let mut probe = Config::new(Uri::from_static("https://localhost"));
    probe.root_cert = Some(vec![certificate.clone()]);
    probe.rustls_client_config().is_ok()
}

fn user_agent() -> HeaderValue {
    let text = format!(
        "{}/{} ({}/{})",
        env!("CARGO_PKG_NAME"),
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
    );
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static(env!("CARGO_PKG_NAME")))
}

#[cfg(test)]
mod tests;
