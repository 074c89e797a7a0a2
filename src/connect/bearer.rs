//! Answers for a token that can be had anew: it goes with each request, and is renewed once it expired or was refused.

use std::sync::Arc;

use http::header::{AUTHORIZATION, HeaderValue};
use http::{Request, Response, StatusCode};
use http_body_util::BodyExt;
use k8s_openapi::jiff::Timestamp;
use kube::client::Body;
use kube::config::{Cluster, ExecConfig};
use tokio::sync::Mutex;

use super::{Error, credentials, exec};

/// Where a token comes from.
pub(super) enum Source {
    File(String),
    Plugin {
        exec: Box<ExecConfig>,
        cluster: Box<Cluster>,
        terminal: bool,
    },
}

/// A token as it is sent.
pub(super) struct Token {
    pub(super) header: HeaderValue,
    pub(super) expires: Option<Timestamp>,
}

/// The token that is in use, and where the next one comes from.
#[derive(Clone)]
pub(super) struct Bearer {
    source: Arc<Source>,
    token: Arc<Mutex<Token>>,
}

impl Token {
    /// # Errors
    ///
    /// A token with characters that no header may hold.
    pub(super) fn new(token: &str, expires: Option<Timestamp>) -> Result<Self, Error> {
        let mut header = HeaderValue::try_from(format!("Bearer {token}")).map_err(|_| {
            Error::InvalidCredential {
                what: "the token",
                reason: "it holds characters that cannot be sent",
            }
        })?;
        header.set_sensitive(true);
        Ok(Self { header, expires })
    }
}

impl Source {
    async fn renew(&self) -> Result<Token, Error> {
        match self {
            Self::File(path) => Token::new(&credentials::read_token(path)?, None),
            Self::Plugin {
                exec,
                cluster,
                terminal,
            } => exec::run(exec, cluster, *terminal)
                .await?
                .token
                .ok_or_else(|| exec::failure("exec plugin didn't return a token")),
        }
    }
}

#[expect(
    clippy::disallowed_types,
    reason = "this module wraps the client that `api` uses"
)]
impl Bearer {
    pub(super) fn new(source: Source, token: Token) -> Self {
        Self {
            source: Arc::new(source),
            token: Arc::new(Mutex::new(token)),
        }
    }

    /// The client, with the token on each of its requests.
    pub(super) fn wrap(self, client: kube::Client) -> kube::Client {
        let service = tower::service_fn(move |request| {
            let (bearer, client) = (self.clone(), client.clone());
            async move { bearer.send(&client, request).await }
        });
        kube::Client::new(service, "default")
    }

    async fn send(
        &self,
        client: &kube::Client,
        request: Request<Body>,
    ) -> Result<Response<Body>, tower::BoxError> {
        let (mut parts, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let token = self.header(None).await?;
        parts.headers.insert(AUTHORIZATION, token.clone());
        let repeat = Request::from_parts(parts.clone(), Body::from(body.clone()));
        let response = client.send(repeat).await?;
        if response.status() != StatusCode::UNAUTHORIZED {
            return Ok(response);
        }
        match self.header(Some(&token)).await {
            Ok(renewed) if renewed != token => {
                parts.headers.insert(AUTHORIZATION, renewed);
                let request = Request::from_parts(parts, Body::from(body));
                Ok(client.send(request).await?)
            }
            // The server's refusal says more than why there is no other token.
            Ok(_) | Err(_) => Ok(response),
        }
    }

    /// Renews at most once for all requests that the same token was refused to.
    #[expect(
        clippy::disallowed_methods,
        reason = "a plugin names the end of its token by this machine's clock"
    )]
    pub(super) async fn header(&self, refused: Option<&HeaderValue>) -> Result<HeaderValue, Error> {
        let mut token = self.token.lock().await;
        let expired = token.expires.is_some_and(|end| end <= Timestamp::now());
        if expired || refused == Some(&token.header) {
            *token = self.source.renew().await?;
        }
        Ok(token.header.clone())
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
