//! Completion, asked for by the real kubectl as a shell asks it.

use std::os::unix::fs::symlink;

use anyhow::Result;
use libtest_mimic::Trial;

use crate::case::{Case, PLUGIN};
use crate::harness::trials;
use crate::leftovers::leave;

pub(crate) fn trials() -> Vec<Trial> {
    trials![
        kubectl_completes_by_the_plugin_under_the_name_that_krew_gives_it,
        kubectl_completes_by_the_plugin_under_its_own_name,
    ]
}

async fn kubectl_completes_by_the_plugin_under_the_name_that_krew_gives_it(
    case: &Case,
) -> Result<()> {
    let programs = case.programs();
    std::fs::remove_file(programs.join("kubectl-ironflow-reap"))?;
    symlink(PLUGIN, programs.join("kubectl-ironflow"))?;
    symlink(PLUGIN, programs.join("kubectl_complete-ironflow"))?;
    insta::assert_snapshot!(case.kubectl(&["__complete", "ironflow", "re"])?.stdout, @"
    reap	Reap the pods, Jobs and ConfigMaps that dead ironflow workers left in a cluster
    :4
    ");
    completes(case).await
}

async fn kubectl_completes_by_the_plugin_under_its_own_name(case: &Case) -> Result<()> {
    symlink(
        PLUGIN,
        case.programs().join("kubectl_complete-ironflow-reap"),
    )?;
    completes(case).await
}

/// What a user gets who types `kubectl ironflow reap …` and Tab.
async fn completes(case: &Case) -> Result<()> {
    leave(case).await?;
    let mut seen = String::new();
    for words in [
        &["po"][..],
        &["pods", ""],
        &["job/"],
        &["-n", "kube-n"],
        &["--show"],
        &["--output=j"],
    ] {
        let finished = case.kubectl(&[&["__complete", "ironflow", "reap"], words].concat())?;
        let answer = case.stable(&finished).stdout;
        seen += &["> ", &words.join(" "), "\n", &answer].concat();
    }
    insta::allow_duplicates! {
        insta::assert_snapshot!(seen, @"
        > po
        pods
        :4
        > pods 
        agent	Expired
        alive	NotExpired
        broken	UnreadableExpiry
        builder	Expired
        late	DeadlineExceeded
        worker	NoExpiry
        :4
        > job/
        job/migrate	Expired
        :4
        > -n kube-n
        kube-node-lease
        :4
        > --show
        --show-kept	Show what is kept too, and why
        :4
        > --output=j
        json	One JSON document at the end
        :4
        ");
    }
    Ok(())
}
