//! Answers for what the connection's tests start from: a folder of files and an environment that points at them.

use std::path::PathBuf;

use tempfile::TempDir;

use super::Environment;

/// A home folder that goes when the test ends.
pub(super) struct Home(TempDir);

impl Home {
    pub(super) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, with the folders above it.
    pub(super) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// No variable set, and `~` is this folder.
    pub(super) fn environment(&self) -> Environment {
        Environment {
            home: Some(self.0.path().to_owned()),
            service_account: self.path("account"),
            ..Environment::default()
        }
    }

    /// `KUBECONFIG` lists these files of the folder.
    pub(super) fn environment_with(&self, kubeconfigs: &[&str]) -> Environment {
        let paths = kubeconfigs.iter().map(|name| self.path(name));
        Environment {
            kubeconfig: Some(std::env::join_paths(paths).unwrap()),
            ..self.environment()
        }
    }

    /// The environment of a pod with a service account.
    pub(super) fn pod(&self) -> Environment {
        self.file("account/token", "account-token\n");
        self.file("account/namespace", "agents\n");
        Environment {
            service_host: Some("10.0.0.1".to_owned()),
            service_port: Some("443".to_owned()),
            ..self.environment()
        }
    }
}

/// Two contexts, `dev` being the current one.
pub(super) const KUBECONFIG: &str = "
clusters:
- {name: dev, cluster: {server: 'https://dev:6443', tls-server-name: dev.internal}}
- {name: prod, cluster: {server: 'https://prod:6443'}}
users:
- {name: alice, user: {token: alice-token}}
- {name: bob, user: {username: bob, password: secret}}
contexts:
- {name: dev, context: {cluster: dev, user: alice, namespace: agents}}
- {name: prod, context: {cluster: prod, user: bob}}
current-context: dev
";

/// Made for these tests alone and used nowhere.
pub(super) const CERTIFICATE: &str = "-----BEGIN CERTIFICATE-----
MIIBdjCCARugAwIBAgIUGN4XvE+cRVAtxH4EfnM4QNDhGYAwCgYIKoZIzj0EAwIw
DzENMAsGA1UEAwwEdGVzdDAgFw0yNjEyMDIwNDI3NDRaGA8yMTI2MTEwODA0Mjc0
NFowDzENMAsGA1UEAwwEdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABDiT
Qp/JzL8Ngsova73V7nkKsTGz1U8lw43AYwQpYuCxLT8UFHeW2Ma7wFWtz4gxRMv/
Rp9B27kW/tPiFDjstK+jUzBRMB0GA1UdDgQWBBRlv038emw6w5cAqGQP2qdtEJzR
RDAfBgNVHSMEGDAWgBRlv038emw6w5cAqGQP2qdtEJzRRDAPBgNVHRMBAf8EBTAD
AQH/MAoGCCqGSM49BAMCA0kAMEYCIQDBcShXfSou3Xtuo/ubxXxELprUOn6a0fI2
vhPKuZqGbAIhAJpkf4P+heV3+BNGbY+EBvLGeStMcphCqgSuXAP3c3DM
-----END CERTIFICATE-----
";
