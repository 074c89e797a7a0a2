//! Promise 9: stdout carries data only; and what happens when a stream is closed, full or a pipe.

use std::io::pipe;
use std::process::Stdio;

use insta::assert_snapshot;
use testbed::memory::Resource;

use crate::case::{Case, Run};
use crate::leftovers::{ORPHANS, leftovers};
use crate::stable::stable_text;

/// Runs the program with a stdout that nobody reads any more.
fn reap_into_closed_pipe(case: &Case, arguments: &[&str]) -> Run {
    let (reader, writer) = pipe().expect("a pipe");
    drop(reader);
    let mut command = case.command(arguments);
    command.stdout(writer).stderr(Stdio::piped());
    case.finish(command.spawn().expect("the program starts"))
}

#[test]
fn a_table_that_cannot_be_written_stops_the_run_before_anything_is_deleted() {
    let case = Case::new(leftovers());
    let full = case.shell("$REAP --yes >/dev/full");
    assert_eq!((full.code, full.deletions().len()), (Some(1), 0), "{full}");
    assert_snapshot!(full.messages(), @"error: cannot write to stdout: No space left on device (os error 28)");
    let closed = reap_into_closed_pipe(&case, &["--yes"]);
    assert_eq!(
        (closed.code, closed.deletions().len()),
        (Some(1), 0),
        "{closed}"
    );
    assert_snapshot!(closed.messages(), @"error: cannot write to stdout: Broken pipe (os error 32)");
}

#[test]
fn a_full_disk_is_an_error_of_a_dry_run_too_and_a_closed_pipe_is_none() {
    let case = Case::new(leftovers());
    assert_eq!(case.shell("$REAP --dry-run >/dev/full").code, Some(1));
    assert_eq!(
        case.shell("$REAP --dry-run -o json >/dev/full").code,
        Some(1)
    );
    assert_eq!(
        case.shell("$REAP --dry-run -o name >/dev/full").code,
        Some(1)
    );
    for arguments in [
        &["--dry-run"][..],
        &["--dry-run", "-o", "json"],
        &["--dry-run", "-o", "name"],
    ] {
        let run = reap_into_closed_pipe(&case, arguments);
        assert_eq!(run.code, Some(0), "{arguments:?}: {run}");
    }
}

#[test]
fn a_reader_that_had_enough_does_not_stop_an_approved_deletion() {
    let case = Case::new(leftovers());
    let run = case.shell("{ $REAP --yes; echo \"exit code $?\" >&2; } | head -1");
    assert_eq!(run.deletions().len(), ORPHANS.len(), "{run}");
    assert_eq!(
        run.stdout,
        "NAME                                     STATUS    REASON             OVERDUE   AGE\n"
    );
    assert!(run.stderr.ends_with("5 deleted\nexit code 0\n"), "{run}");
}

#[test]
fn results_that_cannot_be_written_are_an_error_in_the_end() {
    for format in ["json", "yaml", "name"] {
        let case = Case::new(leftovers());
        let run = case.shell(&format!("$REAP --yes -o {format} >/dev/full"));
        assert_eq!(
            (run.code, run.deletions().len()),
            (Some(1), ORPHANS.len()),
            "{run}"
        );
        assert!(
            run.stderr
                .contains("error: cannot write to stdout: No space left on device"),
            "{run}"
        );
        let closed = Case::new(leftovers());
        let run = reap_into_closed_pipe(&closed, &["--yes", "-o", format]);
        assert_eq!(
            (run.code, run.deletions().len()),
            (Some(0), ORPHANS.len()),
            "{run}"
        );
    }
}

#[test]
fn nobody_has_to_read_stderr() {
    for script in [
        "$REAP --yes 2>/dev/null",
        "$REAP --yes 2>/dev/full",
        "$REAP --yes 2>&-",
    ] {
        let case = Case::new(leftovers());
        let run = case.shell(script);
        assert_eq!(
            (run.code, run.deletions().len()),
            (Some(0), ORPHANS.len()),
            "{script}: {run}"
        );
    }
}

#[test]
fn a_closed_stdout_is_nowhere_to_write_to() {
    let case = Case::new(leftovers());
    let run = case.shell("$REAP --dry-run >&-");
    assert_eq!(run.code, Some(0), "{run}");
}

#[test]
fn both_streams_make_one_readable_text_in_a_pipe() {
    let case = Case::new(leftovers());
    let run = case.shell("$REAP --yes --concurrency=1 pods 2>&1 | cat");
    assert_snapshot!(stable_text(&run.stdout, case.url()), @r#"
    NAME                        STATUS    REASON             OVERDUE   AGE
    pod/claude-code-1a2b-3c4d   Running   Expired            5h        24h
    pod/late                    Failed    DeadlineExceeded   -         24h
    pod "claude-code-1a2b-3c4d" deleted from ironflow-agents namespace
    pod "late" deleted from ironflow-agents namespace
    2 deleted
    "#);
}

#[test]
fn nothing_on_stdin_is_a_no() {
    let case = Case::new(leftovers());
    let run = case.shell("$REAP </dev/null");
    assert_eq!((run.code, run.deletions().len()), (Some(2), 0), "{run}");
    assert_eq!(case.shell("$REAP --yes </dev/null").code, Some(0));
    assert_eq!(case.names(Resource::Jobs).len(), 0);
}

#[test]
fn only_data_is_on_stdout() {
    let case = Case::new(leftovers());
    for arguments in [
        &["secrets"][..],
        &["--no-such-flag"],
        &["--server=http://127.0.0.1:1"],
        &["-n", "empty"],
        &["--context=none"],
    ] {
        assert_eq!(case.reap(arguments).stdout, "", "{arguments:?}");
    }
    let names = case.reap(&["--yes", "-o", "name"]);
    assert!(
        names
            .stdout
            .lines()
            .all(|line| line.split('/').count() == 2),
        "{names}"
    );
}

#[test]
fn there_is_no_colour_in_a_pipe_unless_it_is_asked_for() {
    let case = Case::new(leftovers());
    assert!(!case.reap(&["--dry-run"]).stdout.contains('\u{1b}'));
    assert!(
        !case
            .reap(&["--dry-run", "--color=never"])
            .stdout
            .contains('\u{1b}')
    );
    let colored = case.reap(&["--dry-run", "--color=always"]).stdout;
    assert!(colored.contains("\u{1b}[33mExpired"), "{colored:?}");
}
