//! Turns test functions into trials, and starts the control plane that they share.

use std::ffi::OsString;
use std::sync::{Arc, OnceLock};

use anyhow::{Context, Result, anyhow};
use libtest_mimic::{Completion, Failed, Trial};
use testbed::control_plane::{Binaries, ControlPlane, Options, Unavailable};

use crate::case::Case;

/// Trials that are named after their functions, `async fn(&Case) -> anyhow::Result<()>`.
macro_rules! trials {
    ($($test:ident),* $(,)?) => {
        vec![$($crate::harness::trial(concat!(module_path!(), "::", stringify!($test)), $test)),*]
    };
}
pub(crate) use trials;

/// A test with a namespace of its own on the control plane that all tests share.
pub(crate) fn trial<T>(name: &str, test: T) -> Trial
where
    T: AsyncFnOnce(&Case) -> Result<()> + Send + 'static,
{
    Trial::ignorable_test(name, || run(shared, test))
}

/// A test with a control plane of its own, for what concerns all namespaces or needs another server.
pub(crate) fn trial_alone<T>(name: &str, options: Options, test: T) -> Trial
where
    T: AsyncFnOnce(&Case) -> Result<()> + Send + 'static,
{
    let options = emulating(options);
    let start = move |binaries: &Binaries| ControlPlane::start(binaries, &options).map(Arc::new);
    Trial::ignorable_test(name, || run(start, test))
}

fn run<S, T>(start: S, test: T) -> Result<Completion, Failed>
where
    S: FnOnce(&Binaries) -> Result<Arc<ControlPlane>>,
    T: AsyncFnOnce(&Case) -> Result<()>,
{
    let binaries = match binaries() {
        Ok(binaries) => binaries,
        Err(reason) if required() => return Err(reason.into()),
        Err(reason) => return Ok(Completion::ignored_with(reason)),
    };
    let run = || -> Result<()> {
        let cluster = start(binaries).context("the control plane does not start")?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async { test(&Case::new(cluster).await?).await })
    };
    run().map_err(|error| format!("{error:#}"))?;
    Ok(Completion::Completed)
}

fn binaries() -> Result<&'static Binaries, &'static Unavailable> {
    static BINARIES: OnceLock<Result<Binaries, Unavailable>> = OnceLock::new();
    BINARIES.get_or_init(Binaries::find).as_ref()
}

/// Never dropped: the control plane ends when the test process does.
fn shared(binaries: &Binaries) -> Result<Arc<ControlPlane>> {
    static SHARED: OnceLock<Result<Arc<ControlPlane>>> = OnceLock::new();
    let options = emulating(Options::default());
    let start = || ControlPlane::start(binaries, &options).map(Arc::new);
    SHARED
        .get_or_init(start)
        .as_ref()
        .map(Arc::clone)
        .map_err(|error| anyhow!("{error:#}"))
}

/// With `REAP_EMULATED_VERSION=1.35` the API server behaves as that release, unless a test chooses another one.
fn emulating(mut options: Options) -> Options {
    let chosen = !options.apiserver_arguments.is_empty();
    if let Some(version) = emulated_version().filter(|_| !chosen) {
        options
            .apiserver_arguments
            .push(format!("--emulated-version=kube={version}"));
    }
    options
}

/// The release that the API server is asked to behave as.
pub(crate) fn emulated_version() -> Option<String> {
    environment("REAP_EMULATED_VERSION").map(|version| version.to_string_lossy().into_owned())
}

fn required() -> bool {
    environment("REAP_REQUIRE_CONTROL_PLANE").is_some_and(|value| value == "1")
}

/// Whether programs of some other release may be in use.
pub(crate) fn ready_made() -> bool {
    environment("KUBEBUILDER_ASSETS").is_some()
}

#[expect(
    clippy::disallowed_methods,
    reason = "whoever runs the tests decides what they run against"
)]
fn environment(variable: &str) -> Option<OsString> {
    std::env::var_os(variable)
}
