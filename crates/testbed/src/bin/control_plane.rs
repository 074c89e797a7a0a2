//! Builds the programs of the real control plane and prints where they are.

use std::io::Write;

use testbed::control_plane::Binaries;

#[expect(
    clippy::disallowed_methods,
    reason = "a program of its own, which prints"
)]
fn main() -> anyhow::Result<()> {
    let binaries = Binaries::find()?;
    let mut stdout = std::io::stdout().lock();
    for path in [
        binaries.etcd,
        binaries.kube_apiserver,
        binaries.kube_controller_manager,
        binaries.kubectl,
    ] {
        writeln!(stdout, "{}", path.display())?;
    }
    Ok(())
}
