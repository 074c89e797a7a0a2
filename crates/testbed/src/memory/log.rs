//! What was asked of the server, in order, as tests read it.

use std::fmt;
use std::io;

use bytes::Bytes;
use http::{HeaderMap, Method, Request, header};
use http_body_util::BodyExt;
use serde_json::Value;

/// One request as it came in.
#[derive(Clone, Debug)]
pub struct Received {
    /// Its method.
    pub method: Method,
    /// The path, not decoded.
    pub path: String,
    /// The query, decoded and sorted.
    pub query: Vec<(String, String)>,
    /// All its headers.
    pub headers: HeaderMap,
    /// The body, empty where there was none.
    pub body: Bytes,
}

impl Received {
    pub(super) async fn read<B>(request: Request<B>) -> io::Result<Self>
    where
        B: http_body::Body<Data: Send, Error: Into<Box<dyn std::error::Error + Send + Sync>>>,
    {
        let (parts, body) = request.into_parts();
        let body = body.collect().await.map_err(io::Error::other)?.to_bytes();
        let query = parts.uri.query().unwrap_or_default().as_bytes();
        let mut query: Vec<_> = form_urlencoded::parse(query).into_owned().collect();
        query.sort();
        Ok(Self {
            method: parts.method,
            path: parts.uri.path().to_owned(),
            query,
            headers: parts.headers,
            body,
        })
    }

    /// The first value of a query parameter; an empty one counts as absent.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&str> {
        let mut named = self.query.iter().filter(|(key, _)| key == name);
        named
            .next()
            .map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty())
    }

    /// A header, empty where it is absent or no text.
    #[must_use]
    pub fn header(&self, name: impl header::AsHeaderName) -> &str {
        self.headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    /// The body, null where it is empty or no JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// `path?key=value&…`, decoded; what faults are matched against.
    #[must_use]
    pub fn target(&self) -> String {
        let query: Vec<_> = (self.query.iter())
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{}{mark}{}", self.path, query.join("&"))
    }

    /// The headers that say who asks and for what shape, without any credential.
    #[must_use]
    pub fn identity(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for name in ["accept", "user-agent"] {
            if self.headers.contains_key(name) {
                lines.push(format!("{name}: {}", self.header(name)));
            }
        }
        if self.headers.contains_key(header::AUTHORIZATION) {
            lines.push("authorization: present".to_owned());
        }
        let mut impersonation: Vec<_> = (self.headers.iter())
            .filter(|(name, _)| name.as_str().starts_with("impersonate-"))
            .map(|(name, value)| format!("{name}: {}", String::from_utf8_lossy(value.as_bytes())))
            .collect();
        impersonation.sort();
        lines.extend(impersonation);
        lines
    }
}

/// `DELETE /api/v1/namespaces/n/pods/a?x=y {"body":…}`
impl fmt::Display for Received {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.method, self.target())?;
        if self
            .header(header::ACCEPT)
            .contains("as=PartialObjectMetadata")
        {
            write!(formatter, " (metadata only)")?;
        }
        if self.body.is_empty() {
            return Ok(());
        }
        write!(formatter, " {}", String::from_utf8_lossy(&self.body))
    }
}

/// The requests of a server so far.
#[derive(Clone, Debug, Default)]
pub struct Log(pub Vec<Received>);

impl Log {
    /// One line for each request: method, decoded path and query, body.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.0.iter().map(Received::to_string).collect()
    }

    /// How many requests had this method.
    #[must_use]
    pub fn count(&self, method: &Method) -> usize {
        self.0
            .iter()
            .filter(|received| received.method == *method)
            .count()
    }
}
