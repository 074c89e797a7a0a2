//! Who says yes: nothing goes without it, and what was shown goes with it.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::Stdio;

use anyhow::{Context, Result};
use libtest_mimic::Trial;

use crate::case::Case;
use crate::harness::trials;
use crate::leftovers::{ORPHANS, leave};

pub(crate) fn trials() -> Vec<Trial> {
    trials![
        a_no_deletes_nothing,
        what_is_neither_yes_nor_no_is_asked_again,
        a_yes_deletes_exactly_what_was_shown,
        the_flag_deletes_exactly_what_may_go,
        the_whole_word_in_any_case_is_a_yes_too,
        without_a_terminal_nothing_is_deleted,
        a_pipe_that_stays_open_is_not_read,
        a_question_that_nobody_sees_is_not_asked,
    ]
}

/// Checks that [`ORPHANS`] are gone and everything else is as it was.
async fn assert_only_orphans_are_gone(
    case: &Case,
    before: &BTreeMap<String, String>,
) -> Result<()> {
    let mut left = before.clone();
    left.retain(|object, _| !ORPHANS.contains(&object.as_str()));
    assert_eq!(before.len() - left.len(), ORPHANS.len(), "{before:#?}");
    assert_eq!(case.objects().await?, left);
    Ok(())
}

async fn a_no_deletes_nothing(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    for keys in ["n\r", "no\r", "\r", "\x04"] {
        let terminal = case.reap_until_question(&[])?;
        let declined = case.answer(terminal, keys)?;
        assert_eq!(declined.code, Some(0), "{keys:?}: {declined}");
        assert!(
            declined.stdout.ends_with("\nnothing deleted\n"),
            "{keys:?}: {declined}"
        );
        assert_eq!(case.objects().await?, before, "{keys:?}");
    }
    Ok(())
}

async fn what_is_neither_yes_nor_no_is_asked_again(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    let mut terminal = case.reap_until_question(&[])?;
    for keys in ["maybe\r", "nay\r", "yy\r"] {
        terminal.type_text(keys)?;
        terminal.wait_for("[y/N] ")?;
    }
    insta::assert_snapshot!(case.answer(terminal, "n\r")?, @r#"
    exit code: 0
    ----- stdout -----
    Warning: pod/broken in NAMESPACE namespace: its expiry "soon" is not a number of seconds: kept
    NAME                     STATUS      REASON             OVERDUE   AGE
    job.batch/migrate        Suspended   Expired            ~         ~
    pod/agent                Pending     Expired            ~         ~
    pod/builder              Running     Expired            ~         ~
    pod/late                 Failed      DeadlineExceeded   -         ~
    configmap/agent-prompt   -           Expired            ~         ~
    Delete 1 job, 3 pods (1 running) and 1 configmap from namespace NAMESPACE in context control-plane (SERVER)? [y/N] maybe
    Please answer y or n.
    Delete 1 job, 3 pods (1 running) and 1 configmap from namespace NAMESPACE in context control-plane (SERVER)? [y/N] nay
    Please answer y or n.
    Delete 1 job, 3 pods (1 running) and 1 configmap from namespace NAMESPACE in context control-plane (SERVER)? [y/N] yy
    Please answer y or n.
    Delete 1 job, 3 pods (1 running) and 1 configmap from namespace NAMESPACE in context control-plane (SERVER)? [y/N] n
    nothing deleted
    ----- stderr -----
    "#);
    assert_eq!(case.objects().await?, before);
    Ok(())
}

async fn a_yes_deletes_exactly_what_was_shown(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    let terminal = case.reap_until_question(&["--concurrency=1"])?;
    insta::assert_snapshot!(case.answer(terminal, "y\r")?, @r#"
    exit code: 0
    ----- stdout -----
    Warning: pod/broken in NAMESPACE namespace: its expiry "soon" is not a number of seconds: kept
    NAME                     STATUS      REASON             OVERDUE   AGE
    job.batch/migrate        Suspended   Expired            ~         ~
    pod/agent                Pending     Expired            ~         ~
    pod/builder              Running     Expired            ~         ~
    pod/late                 Failed      DeadlineExceeded   -         ~
    configmap/agent-prompt   -           Expired            ~         ~
    Delete 1 job, 3 pods (1 running) and 1 configmap from namespace NAMESPACE in context control-plane (SERVER)? [y/N] y
    job.batch "migrate" deleted from NAMESPACE namespace
    pod "agent" deleted from NAMESPACE namespace
    pod "builder" deleted from NAMESPACE namespace
    pod "late" deleted from NAMESPACE namespace
    configmap "agent-prompt" deleted from NAMESPACE namespace
    5 deleted
    ----- stderr -----
    "#);
    assert_only_orphans_are_gone(case, &before).await
}

async fn the_whole_word_in_any_case_is_a_yes_too(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    let terminal = case.reap_until_question(&[])?;
    assert_eq!(case.answer(terminal, "YES\r")?.code, Some(0));
    assert_only_orphans_are_gone(case, &before).await
}

async fn the_flag_deletes_exactly_what_may_go(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    insta::assert_snapshot!(case.reap(&["--yes", "--concurrency=1"])?, @r#"
    exit code: 0
    ----- stdout -----
    NAME                     STATUS      REASON             OVERDUE   AGE
    job.batch/migrate        Suspended   Expired            ~         ~
    pod/agent                Pending     Expired            ~         ~
    pod/builder              Running     Expired            ~         ~
    pod/late                 Failed      DeadlineExceeded   -         ~
    configmap/agent-prompt   -           Expired            ~         ~
    job.batch "migrate" deleted from NAMESPACE namespace
    pod "agent" deleted from NAMESPACE namespace
    pod "builder" deleted from NAMESPACE namespace
    pod "late" deleted from NAMESPACE namespace
    configmap "agent-prompt" deleted from NAMESPACE namespace
    ----- stderr -----
    Warning: pod/broken in NAMESPACE namespace: its expiry "soon" is not a number of seconds: kept
    5 deleted
    "#);
    assert_only_orphans_are_gone(case, &before).await
}

async fn without_a_terminal_nothing_is_deleted(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    let closed = case.shell("kubectl ironflow reap <&-")?;
    insta::assert_snapshot!(closed, @r#"
    exit code: 2
    ----- stdout -----
    NAME                     STATUS      REASON             OVERDUE   AGE
    job.batch/migrate        Suspended   Expired            ~         ~
    pod/agent                Pending     Expired            ~         ~
    pod/builder              Running     Expired            ~         ~
    pod/late                 Failed      DeadlineExceeded   -         ~
    configmap/agent-prompt   -           Expired            ~         ~
    ----- stderr -----
    Warning: pod/broken in NAMESPACE namespace: its expiry "soon" is not a number of seconds: kept
    error: nobody can be asked, because stdin is not a terminal: nothing deleted
    hint: pass --yes to delete without being asked
    "#);
    for script in [
        "kubectl ironflow reap </dev/null",
        "echo y | kubectl ironflow reap",
        "yes | kubectl ironflow reap",
        "yes | kubectl ironflow reap jobs,pods,configmaps",
    ] {
        assert_eq!(
            case.shell(script)?.to_string(),
            closed.to_string(),
            "{script}"
        );
    }
    let documents = case.shell("yes | kubectl ironflow reap --output=json")?;
    assert_eq!(documents.code, Some(2), "{documents}");
    let document: serde_json::Value = serde_json::from_str(&documents.stdout)?;
    assert_eq!(
        document["summary"]["notAttempted"],
        ORPHANS.len(),
        "{document:#}"
    );
    assert_eq!(case.objects().await?, before);
    Ok(())
}

async fn a_pipe_that_stays_open_is_not_read(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    let mut command = case.command(&["ironflow", "reap"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut answer = child.stdin.take().context("a pipe")?;
    answer.write_all(b"y\n")?;
    let output = child.wait_with_output()?;
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    drop(answer);
    assert_eq!(case.objects().await?, before);
    Ok(())
}

async fn a_question_that_nobody_sees_is_not_asked(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    let terminal = case.shell_in_terminal(
        "kubectl ironflow reap --color=never 2>errors; echo \"exit code $?\"; cat errors",
    )?;
    insta::assert_snapshot!(case.finish(terminal)?, @r#"
    exit code: 0
    ----- stdout -----
    NAME                     STATUS      REASON             OVERDUE   AGE
    job.batch/migrate        Suspended   Expired            ~         ~
    pod/agent                Pending     Expired            ~         ~
    pod/builder              Running     Expired            ~         ~
    pod/late                 Failed      DeadlineExceeded   -         ~
    configmap/agent-prompt   -           Expired            ~         ~
    exit code 2
    Warning: pod/broken in NAMESPACE namespace: its expiry "soon" is not a number of seconds: kept
    error: nobody can be asked, because stderr is not a terminal: nothing deleted
    hint: pass --yes to delete without being asked
    ----- stderr -----
    "#);
    assert_eq!(case.objects().await?, before);
    Ok(())
}
