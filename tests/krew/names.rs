//! The plugin under each name by which kubectl finds it, by real links and the real kubectl.

use std::path::Path;

use anyhow::Result;
use libtest_mimic::Trial;
use testbed::cluster::Cluster;
use testbed::control_plane::Binaries;
use testbed::memory::{Served, Server};
use testbed::objects::{NAMESPACE, pod};

use crate::harness::trials;
use crate::shell::Shell;

/// The program under test.
const PLUGIN: &str = env!("CARGO_BIN_EXE_kubectl-ironflow-reap");

pub(crate) fn trials() -> Vec<Trial> {
    trials![quick:
        kubectl_ironflow_reap_lists_under_each_name,
        both_names_may_be_installed_at_once,
        flags_may_stand_before_the_sub_command,
        kubectl_ironflow_alone_prints_help,
        another_sub_command_is_refused,
        the_name_of_the_link_counts_and_not_that_of_the_file,
    ]
}

/// A cluster with one orphan, and a shell in which the plugin has these names.
fn shell(names: &[&str]) -> Result<(Served, Shell)> {
    let cluster = Server::new();
    cluster.add(pod("orphan").failed("DeadlineExceeded").build());
    let served = cluster.serve()?;
    let shell = Shell::new(&Binaries::find()?.kubectl, &served.kubeconfig(NAMESPACE))?;
    for name in names {
        shell.link(name, Path::new(PLUGIN))?;
    }
    Ok((served, shell))
}

fn lists_the_orphan(names: &[&str], arguments: &str) -> Result<()> {
    let (_served, shell) = shell(names)?;
    let listed = shell.expect(arguments)?;
    assert_eq!(listed, "pod/orphan\n", "{names:?}");
    Ok(())
}

fn kubectl_ironflow_reap_lists_under_each_name() -> Result<()> {
    lists_the_orphan(
        &["kubectl-ironflow"],
        "ironflow reap pods --dry-run -o name",
    )?;
    lists_the_orphan(
        &["kubectl-ironflow-reap"],
        "ironflow reap pods --dry-run -o name",
    )?;
    // kubectl writes the dash of a single word as an underscore.
    lists_the_orphan(
        &["kubectl-ironflow_reap"],
        "ironflow-reap pods --dry-run -o name",
    )
}

fn both_names_may_be_installed_at_once() -> Result<()> {
    let names = [
        "kubectl-ironflow",
        "kubectl-ironflow-reap",
        "kubectl-ironflow_reap",
    ];
    for typed in ["ironflow reap", "ironflow-reap"] {
        lists_the_orphan(&names, &format!("{typed} pods --dry-run -o name"))?;
    }
    Ok(())
}

fn flags_may_stand_before_the_sub_command() -> Result<()> {
    let elsewhere = format!("ironflow -o name --dry-run -n {NAMESPACE} reap pods");
    lists_the_orphan(&["kubectl-ironflow"], &elsewhere)
}

fn kubectl_ironflow_alone_prints_help() -> Result<()> {
    let (served, shell) = shell(&["kubectl-ironflow"])?;
    for arguments in [
        "ironflow",
        "ironflow help",
        "ironflow --help",
        "ironflow --yes",
        "ironflow reap --help",
    ] {
        let help = shell.expect(arguments)?;
        assert!(
            help.contains("Usage: kubectl ironflow reap"),
            "{arguments}: {help}"
        );
    }
    assert!(served.log().0.is_empty(), "help needs no cluster");
    Ok(())
}

fn another_sub_command_is_refused() -> Result<()> {
    let (served, shell) = shell(&["kubectl-ironflow"])?;
    let refused = shell.kubectl("ironflow pods --yes")?;
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused.stderr.contains("kubectl ironflow reap"),
        "{refused:?}"
    );
    assert!(served.log().0.is_empty(), "nothing is read");
    Ok(())
}

fn the_name_of_the_link_counts_and_not_that_of_the_file() -> Result<()> {
    let (_served, shell) = shell(&["kubectl_complete-ironflow"])?;
    shell.link(
        "kubectl-ironflow",
        &shell.home().join("bin/kubectl_complete-ironflow"),
    )?;
    assert_eq!(
        shell.expect("ironflow reap pods --dry-run -o name")?,
        "pod/orphan\n"
    );
    Ok(())
}
