//! The program and kubectl against a real control plane.
//!
//! Where there can be none, every test is reported as ignored, with the reason; with `REAP_REQUIRE_CONTROL_PLANE=1` it fails.

mod case;
mod harness;
mod server;

fn main() -> std::process::ExitCode {
    let arguments = libtest_mimic::Arguments::from_args();
    libtest_mimic::run(&arguments, server::trials()).exit_code()
}
