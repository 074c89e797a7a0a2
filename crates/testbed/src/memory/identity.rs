//! Certificates: the server's own, and those that users identify themselves with.

use std::sync::Arc;

use anyhow::Result;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair,
};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

/// A certificate with its key, both as PEM.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The certificate.
    pub certificate: String,
    /// Its private key.
    pub key: String,
}

/// A certificate authority of one server.
pub(super) struct CertificateAuthority(CertifiedIssuer<'static, KeyPair>);

impl CertificateAuthority {
    pub(super) fn new() -> Result<Self> {
        let mut params = named("testbed");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Ok(Self(CertifiedIssuer::self_signed(
            params,
            KeyPair::generate()?,
        )?))
    }

    pub(super) fn pem(&self) -> String {
        self.0.pem()
    }

    /// A user's certificate: as DER, by which the server knows it again, and as the user keeps it.
    pub(super) fn issue(&self, user: &str) -> Result<(Vec<u8>, Identity)> {
        let key = KeyPair::generate()?;
        let mut params = named(user);
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        let certificate = params.signed_by(&key, &self.0)?;
        let identity = Identity {
            certificate: certificate.pem(),
            key: key.serialize_pem(),
        };
        Ok((certificate.der().to_vec(), identity))
    }

    /// Speaks TLS for `127.0.0.1`, `localhost` and `kubernetes`; clients may show a certificate.
    pub(super) fn acceptor(&self) -> Result<TlsAcceptor> {
        let key = KeyPair::generate()?;
        let names = ["127.0.0.1", "localhost", "kubernetes"].map(str::to_owned);
        let certificate = CertificateParams::new(names)?.signed_by(&key, &self.0)?;
        let provider = Arc::new(default_provider());
        let mut roots = RootCertStore::empty();
        roots.add(self.0.der().clone())?;
        let clients =
            WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider))
                .allow_unauthenticated()
                .build()?;
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_client_cert_verifier(clients)
            .with_single_cert(vec![certificate.der().clone()], key.into())?;
        Ok(TlsAcceptor::from(Arc::new(config)))
    }
}

fn named(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}
