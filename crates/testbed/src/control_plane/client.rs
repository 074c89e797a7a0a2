//! Requests to the API server from any thread and any runtime.

use std::sync::mpsc;
use std::thread;

use anyhow::{Context, Result};
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::BodyExt;
use kube::config::{Config, KubeConfigOptions, Kubeconfig};
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A client whose connections live on a thread of its own, so that they outlive the runtime of a single test.
pub(super) struct Client {
    #[expect(
        clippy::disallowed_types,
        reason = "the testbed is a client of the cluster in its own right"
    )]
    kube: kube::Client,
    runtime: Handle,
    /// Ends the thread when it is dropped.
    _thread: oneshot::Sender<()>,
}

impl Client {
    /// A client with the server and the credentials of a kubeconfig.
    pub(super) fn new(kubeconfig: &str) -> Result<Self> {
        let kubeconfig = Kubeconfig::from_yaml(kubeconfig)?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (alive, ended) = oneshot::channel();
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            runtime.block_on(async {
                // Whoever asked for the client is gone where this fails, and the next line ends the thread.
                drop(sender.send(connect(kubeconfig).await));
                drop(ended.await);
            });
        });
        let kube = receiver.recv().context("the client's thread ended")??;
        Ok(Self {
            kube,
            runtime: handle,
            _thread: alive,
        })
    }

    /// Sends one request; the answer can be awaited anywhere.
    pub(super) fn send(&self, request: Request<Vec<u8>>) -> JoinHandle<Result<Response<Bytes>>> {
        let kube = self.kube.clone();
        self.runtime.spawn(async move {
            let answer = kube.send(request.map(Into::into)).await?;
            let (parts, body) = answer.into_parts();
            Ok(Response::from_parts(
                parts,
                body.collect().await?.to_bytes(),
            ))
        })
    }

    /// Sends one request and blocks until it is answered.
    pub(super) fn ask(&self, request: Request<Vec<u8>>) -> Result<Response<Bytes>> {
        let answer = self.send(request);
        let (sender, receiver) = mpsc::channel();
        self.runtime
            .spawn(async move { drop(sender.send(answer.await)) });
        receiver.recv().context("the client's thread ended")??
    }
}

#[expect(
    clippy::disallowed_types,
    reason = "the testbed is a client of the cluster in its own right"
)]
async fn connect(kubeconfig: Kubeconfig) -> Result<kube::Client> {
    let mut config =
        Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?;
    config.default_retry = false;
    config.proxy_url = None;
    Ok(kube::Client::try_from(config)?)
}
