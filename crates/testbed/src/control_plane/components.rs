//! How each program of the control plane is started.

use std::fmt::Display;
use std::fs;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::process::Process;

/// The controllers that something in a reaped namespace depends on.
const CONTROLLERS: [&str; 4] = [
    "garbage-collector-controller",
    "job-controller",
    "namespace-controller",
    "persistentvolumeclaim-protection-controller",
];

/// Starts etcd and waits until it serves clients on `port`.
pub(super) fn etcd(program: &Path, folder: &Path, port: u16) -> Result<Process> {
    let address = store(port);
    let arguments = [
        flag("data-dir", folder.join("data").display()),
        flag("listen-client-urls", &address),
        flag("advertise-client-urls", &address),
        flag("listen-peer-urls", "http://127.0.0.1:0"),
        flag("unsafe-no-fsync", true),
        flag("log-level", "error"),
    ];
    start(program, folder, &arguments, port)
}

/// The API server's key pair and users, all in the API server's folder.
pub(super) struct Credentials {
    /// Signs the tokens of service accounts.
    signing_key: PathBuf,
    verifying_key: PathBuf,
    tokens: PathBuf,
}

impl Credentials {
    /// Writes a new key pair and `token` as the administrator's.
    pub(super) fn write(folder: &Path, token: &str) -> Result<Self> {
        let keys = rcgen::KeyPair::generate()?;
        let write = |name: &str, content: String| {
            let path = folder.join(name);
            fs::write(&path, content).map(|()| path)
        };
        Ok(Self {
            signing_key: write("accounts.key", keys.serialize_pem())?,
            verifying_key: write("accounts.pub", keys.public_key_pem())?,
            tokens: write(
                "tokens.csv",
                format!("{token},administrator,1,system:masters\n"),
            )?,
        })
    }
}

/// Starts the API server and waits until it listens on `port`; it is not ready then.
///
/// Its certificate authority is `apiserver.crt` in `folder`.
pub(super) fn apiserver(
    program: &Path,
    folder: &Path,
    port: u16,
    etcd_port: u16,
    credentials: &Credentials,
    further: &[String],
) -> Result<Process> {
    let mut arguments = vec![
        flag("etcd-servers", store(etcd_port)),
        flag("cert-dir", folder.display()),
        flag("bind-address", Ipv4Addr::LOCALHOST),
        flag("advertise-address", Ipv4Addr::LOCALHOST),
        // Any other reconciler refuses a loopback address.
        flag("endpoint-reconciler-type", "none"),
        flag("secure-port", port),
        flag("service-cluster-ip-range", "10.0.0.0/24"),
        flag("service-account-issuer", "https://127.0.0.1"),
        flag(
            "service-account-key-file",
            credentials.verifying_key.display(),
        ),
        flag(
            "service-account-signing-key-file",
            credentials.signing_key.display(),
        ),
        flag("token-auth-file", credentials.tokens.display()),
        flag("authorization-mode", "RBAC"),
        // No controller makes the accounts without which it would refuse every pod.
        flag("disable-admission-plugins", "ServiceAccount"),
        flag("allow-privileged", true),
    ];
    arguments.extend_from_slice(further);
    start(program, folder, &arguments, port)
}

/// Starts the controllers with an administrator's kubeconfig and waits until they serve on `port`.
pub(super) fn controller_manager(
    program: &Path,
    folder: &Path,
    port: u16,
    kubeconfig: &str,
) -> Result<Process> {
    let path = folder.join("kubeconfig");
    fs::write(&path, kubeconfig)?;
    let arguments = [
        flag("kubeconfig", path.display()),
        flag("cert-dir", folder.display()),
        flag("leader-elect", false),
        flag("bind-address", Ipv4Addr::LOCALHOST),
        flag("secure-port", port),
        flag("controllers", CONTROLLERS.join(",")),
    ];
    start(program, folder, &arguments, port)
}

fn start(program: &Path, folder: &Path, arguments: &[String], port: u16) -> Result<Process> {
    let mut process = Process::start(program, folder, arguments)?;
    let listening = process.await_port(port);
    listening.with_context(|| program.display().to_string())?;
    Ok(process)
}

fn store(port: u16) -> String {
    format!("http://127.0.0.1:{port}")
}

fn flag(name: &str, value: impl Display) -> String {
    format!("--{name}={value}")
}
