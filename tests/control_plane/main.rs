//! The program and kubectl against a real control plane.
//!
//! Where there can be none, every test is reported as ignored, with the reason; with `REAP_REQUIRE_CONTROL_PLANE=1` it fails.

mod approval;
mod case;
mod completion;
mod deletion;
mod everywhere;
mod harness;
mod leftovers;
mod listing;
mod meanwhile;
mod objects;
mod reports;
mod rights;
mod role;
mod scenarios;
mod server;
mod signals;
mod stable;
mod unreachable;

fn main() -> std::process::ExitCode {
    let arguments = libtest_mimic::Arguments::from_args();
    let trials = [
        server::trials(),
        scenarios::trials(),
        objects::trials(),
        listing::trials(),
        approval::trials(),
        meanwhile::trials(),
        deletion::trials(),
        rights::trials(),
        role::trials(),
        everywhere::trials(),
        unreachable::trials(),
        reports::trials(),
        signals::trials(),
        completion::trials(),
    ]
    .into_iter()
    .flatten()
    .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}
