//! Ctrl-C and SIGTERM reach the plugin through kubectl, and so do its exit codes.

use std::process::Command;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;

use crate::case::Case;
use crate::harness::trials;
use crate::leftovers::leave;

pub(crate) fn trials() -> Vec<Trial> {
    trials![
        ctrl_c_at_the_question_deletes_nothing,
        sigterm_at_the_question_deletes_nothing,
    ]
}

async fn ctrl_c_at_the_question_deletes_nothing(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    let terminal = case.reap_until_question(&[])?;
    let ended = case.answer(terminal, "\x03")?;
    assert_eq!(ended.code, Some(130), "{ended}");
    let last = "error: interrupted by Ctrl-C: nothing deleted\n";
    assert!(ended.stdout.ends_with(last), "{ended}");
    assert_eq!(case.objects().await?, before);
    Ok(())
}

async fn sigterm_at_the_question_deletes_nothing(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    let terminal = case.reap_until_question(&[])?;
    let process_id = terminal.process_id().context("a running program")?;
    let mut shell = Command::new("/bin/sh");
    let sent = shell.args(["-c", &format!("kill -TERM {process_id}")]);
    ensure!(sent.status()?.success());
    let ended = case.finish(terminal)?;
    assert_eq!(ended.code, Some(143), "{ended}");
    assert_eq!(case.objects().await?, before);
    Ok(())
}
