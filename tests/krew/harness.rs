//! Turns test functions into trials, and builds the archives that they share.

use std::fmt::Display;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, ensure};
use libtest_mimic::{Completion, Failed, Trial};
use packaging::product::Product;
use testbed::krew::Unavailable;

/// Trials that are named after their functions.
macro_rules! trials {
    ($trial:ident: $($test:ident),* $(,)?) => {
        vec![$($crate::harness::$trial(concat!(module_path!(), "::", stringify!($test)), $test)),*]
    };
}
pub(crate) use trials;

/// A test that runs wherever the programs are to be had that it needs.
pub(crate) fn quick(name: &str, test: fn() -> Result<()>) -> Trial {
    Trial::ignorable_test(name, move || match test() {
        Err(error) if error.is::<Unavailable>() && !required() => {
            Ok(Completion::ignored_with(error))
        }
        ended => completed(ended),
    })
}

/// A test of the archives of a release.
pub(crate) fn released(name: &str, test: fn(&Product) -> Result<()>) -> Trial {
    Trial::ignorable_test(name, move || {
        if required() {
            completed(release().and_then(test))
        } else {
            Ok(Completion::ignored_with(
                "builds the archives of a release; REAP_REQUIRE_KREW=1 runs it",
            ))
        }
    })
}

fn completed(ended: Result<()>) -> Result<Completion, Failed> {
    ended.map_err(|error| format!("{error:#}"))?;
    Ok(Completion::Completed)
}

/// Builds the archives once, by the command that DEVELOPMENT.md names.
fn release() -> Result<&'static Product> {
    static RELEASE: OnceLock<Result<Product>> = OnceLock::new();
    let build = || {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        step("archives of a release", || {
            run(&mut cargo(root, &["package-krew"]))
        })?;
        Product::read(root)
    };
    RELEASE
        .get_or_init(build)
        .as_ref()
        .map_err(|error| anyhow!("{error:#}"))
}

/// cargo, in a source tree.
pub(crate) fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.args(arguments).current_dir(root);
    cargo
}

/// Runs a command, whose output is told only if it fails; returns what it wrote to stdout.
pub(crate) fn run(command: &mut Command) -> Result<String> {
    let program = command.get_program().to_owned();
    let output = command
        .output()
        .with_context(|| format!("{} does not start", program.display()))?;
    let [stdout, stderr] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    ensure!(
        output.status.success(),
        "{command:?} ended with {}\n{stdout}{stderr}",
        output.status
    );
    Ok(stdout.into_owned())
}

/// Does something that takes long, and says so.
#[expect(
    clippy::print_stderr,
    reason = "minutes of work must not look like a test that hangs"
)]
pub(crate) fn step<T>(name: impl Display, work: impl FnOnce() -> Result<T>) -> Result<T> {
    eprintln!("{name} …");
    let started = Instant::now();
    let done = work().with_context(|| name.to_string())?;
    eprintln!("{name} took {:.0} s", started.elapsed().as_secs_f64());
    Ok(done)
}

/// Installs a package of Debian where its program is missing.
pub(crate) fn require_program(program: &str, package: &str) -> Result<()> {
    if !Path::new(program).is_file() {
        let install = "apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends \"$1\"";
        step(format!("installing {package}"), || {
            run(Command::new("sh").args(["-c", install, "sh", package]))
        })?;
    }
    Ok(())
}

#[expect(
    clippy::disallowed_methods,
    reason = "whoever runs the tests decides what they run"
)]
fn required() -> bool {
    std::env::var_os("REAP_REQUIRE_KREW").is_some_and(|value| value == "1")
}
