//! The plugin as krew installs it, and under each name that it may have.
//!
//! With `REAP_REQUIRE_KREW=1` the archives of a release are built and tried, and nothing is skipped. Without it, what needs
//! them is reported as ignored, as is what cannot run on this machine.

mod archives;
mod harness;
mod lifecycle;
mod names;
mod shell;
mod web;
mod workflows;

fn main() -> std::process::ExitCode {
    let arguments = libtest_mimic::Arguments::from_args();
    let mut trials = names::trials();
    trials.extend(workflows::trials());
    trials.extend(lifecycle::trials());
    trials.extend(archives::trials());
    libtest_mimic::run(&arguments, trials).exit_code()
}
