//! A real control plane: etcd, kube-apiserver and kube-controller-manager, on loopback and without nodes.
//!
//! It starts in seconds, and is gone with its data when it is dropped or when the process ends.

mod access;
mod binaries;
mod client;
mod components;
mod process;

use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use bytes::Bytes;
use futures::FutureExt;
use futures::future::BoxFuture;
use http::{Request, Response};
use tempfile::TempDir;

pub use binaries::Binaries;
use client::Client;
use components::Credentials;
use process::Process;

use crate::cluster::Cluster;
pub use crate::go::Unavailable;

/// How often a start is tried whose ports somebody else took meanwhile.
const TRIES: usize = 5;
/// How long the API server may take from listening to being ready.
const PATIENCE: Duration = Duration::from_secs(120);

/// What can be asked for at the start.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Further arguments of the API server, as `--emulated-version=kube=1.34`.
    pub apiserver_arguments: Vec<String>,
}

/// A running control plane.
pub struct ControlPlane {
    binaries: Binaries,
    server: String,
    authority: Vec<u8>,
    token: String,
    client: Client,
    // Dropped in this order: who needs the next one ends first.
    _controller_manager: Process,
    _apiserver: Process,
    _etcd: Process,
    _folder: TempDir,
}

impl ControlPlane {
    /// Starts a control plane on free ports, and blocks until it is ready and has its `default` namespace.
    ///
    /// # Errors
    ///
    /// Quotes the end of the log of the program that did not start.
    pub fn start(binaries: &Binaries, options: &Options) -> Result<Self> {
        let mut started = Self::start_once(binaries, options);
        for _ in 1..TRIES {
            let Err(error) = &started else { break };
            if !format!("{error:#}").contains("address already in use") {
                break;
            }
            started = Self::start_once(binaries, options);
        }
        started
    }

    fn start_once(binaries: &Binaries, options: &Options) -> Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix("control-plane-")
            .tempdir()?;
        let subfolder = |name: &str| {
            let path = folder.path().join(name);
            fs::create_dir(&path).map(|()| path)
        };
        let [etcd_port, port, controller_port] = free_ports()?;
        let mut etcd = components::etcd(&binaries.etcd, &subfolder("etcd")?, etcd_port)?;

        let token = secret();
        let apiserver_folder = subfolder("kube-apiserver")?;
        let mut apiserver = components::apiserver(
            &binaries.kube_apiserver,
            &apiserver_folder,
            port,
            etcd_port,
            &Credentials::write(&apiserver_folder, &token)?,
            &options.apiserver_arguments,
        )?;
        let server = format!("https://127.0.0.1:{port}");
        let authority = fs::read(apiserver_folder.join("apiserver.crt"))?;
        let kubeconfig = access::kubeconfig(&server, &authority, &token, "default");
        let client = Client::new(&kubeconfig)?;
        await_ok(&client, &mut apiserver, "/readyz")?;

        let mut controller_manager = components::controller_manager(
            &binaries.kube_controller_manager,
            &subfolder("kube-controller-manager")?,
            controller_port,
            &kubeconfig,
        )?;
        await_ok(&client, &mut apiserver, "/api/v1/namespaces/default")?;
        // A port may have been somebody else's who answered in place of the program.
        for process in [&mut etcd, &mut apiserver, &mut controller_manager] {
            process.check()?;
        }

        Ok(Self {
            binaries: binaries.clone(),
            server,
            authority,
            token,
            client,
            _controller_manager: controller_manager,
            _apiserver: apiserver,
            _etcd: etcd,
            _folder: folder,
        })
    }

    /// The kubectl of the same release.
    #[must_use]
    pub fn kubectl(&self) -> &Path {
        &self.binaries.kubectl
    }
}

impl Cluster for ControlPlane {
    fn server(&self) -> &str {
        &self.server
    }

    fn kubeconfig(&self, namespace: &str) -> String {
        access::kubeconfig(&self.server, &self.authority, &self.token, namespace)
    }

    fn send(&self, request: Request<Vec<u8>>) -> BoxFuture<'_, Result<Response<Bytes>>> {
        let answer = self.client.send(request);
        async move { answer.await? }.boxed()
    }
}

fn await_ok(client: &Client, apiserver: &mut Process, path: &str) -> Result<()> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        apiserver.check()?;
        let answer = client.ask(Request::get(path).body(Vec::new())?);
        if answer
            .as_ref()
            .is_ok_and(|answer| answer.status().is_success())
        {
            return Ok(());
        }
        ensure!(
            Instant::now() < deadline,
            "{path} still answers {answer:?} after {PATIENCE:?}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Ports that nobody used a moment ago, each another one.
fn free_ports<const N: usize>() -> Result<[u16; N]> {
    let mut listeners = Vec::new();
    let mut ports = [0; N];
    for port in &mut ports {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        *port = listener.local_addr()?.port();
        listeners.push(listener);
    }
    Ok(ports)
}

/// The administrator's token: others on this machine can reach the server too.
fn secret() -> String {
    let random = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", random(), random())
}
