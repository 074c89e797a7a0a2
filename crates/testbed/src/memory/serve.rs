//! The server on a port of loopback, with a thread of its own.

use std::net::{Ipv4Addr, SocketAddr};
use std::ops::Deref;
use std::thread::{self, JoinHandle};

use anyhow::{Context as _, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use futures::FutureExt;
use futures::future::BoxFuture;
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio_rustls::TlsAcceptor;

use super::authorize::{Authority, Certificate};
use super::identity::{CertificateAuthority, Identity};
use super::log::Received;
use super::{Server, answer, lock};
use crate::cluster::Cluster;

/// A server that listens until this is dropped; then connections to it are refused.
pub struct Served {
    server: Server,
    address: SocketAddr,
    url: String,
    certificates: Option<CertificateAuthority>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Listens for plain HTTP.
    ///
    /// # Errors
    ///
    /// If no port or no thread is to be had.
    pub fn serve(&self) -> Result<Served> {
        self.listen(None)
    }

    /// Listens for HTTPS, with a certificate authority of its own.
    ///
    /// # Errors
    ///
    /// If no port or no thread is to be had.
    pub fn serve_tls(&self) -> Result<Served> {
        self.listen(Some(CertificateAuthority::new()?))
    }

    fn listen(&self, certificates: Option<CertificateAuthority>) -> Result<Served> {
        let acceptor = certificates
            .as_ref()
            .map(CertificateAuthority::acceptor)
            .transpose()?;
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let (stop, stopped) = oneshot::channel();
        let server = self.clone();
        let thread = thread::Builder::new()
            .name("memory-server".to_owned())
            .spawn(move || {
                runtime.block_on(async move {
                    if let Ok(listener) = TcpListener::from_std(listener) {
                        tokio::select! {
                            () = accept(server, listener, acceptor) => {}
                            _ = stopped => {}
                        }
                    }
                });
            })?;
        let scheme = if certificates.is_some() {
            "https"
        } else {
            "http"
        };
        Ok(Served {
            server: self.clone(),
            address,
            url: format!("{scheme}://{address}"),
            certificates,
            stop: Some(stop),
            thread: Some(thread),
        })
    }
}

async fn accept(server: Server, listener: TcpListener, acceptor: Option<TlsAcceptor>) {
    while let Ok((stream, _)) = listener.accept().await {
        let (server, acceptor) = (server.clone(), acceptor.clone());
        tokio::spawn(async move {
            match acceptor {
                None => answer_all(server, stream, None).await,
                Some(acceptor) => answer_all_encrypted(server, stream, acceptor).await,
            }
        });
    }
}

async fn answer_all_encrypted(server: Server, stream: TcpStream, acceptor: TlsAcceptor) {
    // A client that breaks off, or does not trust us, is its own business.
    let Ok(stream) = acceptor.accept(stream).await else {
        return;
    };
    let shown = stream
        .get_ref()
        .1
        .peer_certificates()
        .and_then(|chain| chain.first());
    let certificate = shown.map(|shown| Certificate(shown.to_vec()));
    answer_all(server, stream, certificate).await;
}

async fn answer_all(
    server: Server,
    stream: impl AsyncRead + AsyncWrite + Unpin,
    certificate: Option<Certificate>,
) {
    let service = service_fn(move |mut request: Request<Incoming>| {
        if let Some(certificate) = certificate.clone() {
            request.extensions_mut().insert(certificate);
        }
        let server = server.clone();
        async move { server.handle(request).await }
    });
    // The date is the server's own, or missing on purpose; a cut connection is an error on purpose.
    let _ = http1::Builder::new()
        .auto_date_header(false)
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

impl Served {
    /// The port that it listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The certificate authority as PEM, if this is HTTPS.
    #[must_use]
    pub fn certificate_authority(&self) -> Option<String> {
        self.certificates.as_ref().map(CertificateAuthority::pem)
    }

    /// Makes a certificate that the server takes for the user's.
    ///
    /// # Errors
    ///
    /// If this is plain HTTP.
    pub fn issue(&self, user: &str) -> Result<Identity> {
        let certificates = self
            .certificates
            .as_ref()
            .context("users have certificates with TLS only")?;
        let (certificate, identity) = certificates.issue(user)?;
        let mut authority = lock(&self.server.shared.authority);
        authority.certificates.insert(certificate, user.to_owned());
        Ok(identity)
    }

    /// A kubeconfig with this `user` stanza, `{"token": "…"}` for example.
    #[must_use]
    pub fn kubeconfig_of(&self, namespace: &str, user: &Value) -> String {
        let mut cluster = json!({"server": self.url});
        if let Some(certificates) = &self.certificates {
            cluster["certificate-authority-data"] = STANDARD.encode(certificates.pem()).into();
        }
        let kubeconfig = json!({
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "memory",
            "clusters": [{"name": "memory", "cluster": cluster}],
            "users": [{"name": "user", "user": user}],
            "contexts": [{
                "name": "memory",
                "context": {"cluster": "memory", "user": "user", "namespace": namespace},
            }],
        });
        format!("{kubeconfig:#}\n")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has told so itself.
            let _ = thread.join();
        }
    }
}

impl Deref for Served {
    type Target = Server;

    fn deref(&self) -> &Server {
        &self.server
    }
}

impl Cluster for Served {
    fn server(&self) -> &str {
        &self.url
    }

    fn kubeconfig(&self, namespace: &str) -> String {
        self.kubeconfig_of(namespace, &json!({}))
    }

    /// Past the port, the permissions, the faults and the log, which belong to who is tested.
    fn send(&self, request: Request<Vec<u8>>) -> BoxFuture<'_, Result<Response<Bytes>>> {
        async move {
            let request = request.map(|body| Full::new(Bytes::from(body)));
            let received = Received::read(request).await?;
            Ok(answer::answer(
                &self.server,
                &Authority::default(),
                &received,
                None,
                &[],
            ))
        }
        .boxed()
    }
}
