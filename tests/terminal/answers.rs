//! Only an answer to the question is one.

use std::fs;

use http::Method;
use testbed::memory::on;

use crate::case::Case;

fn two_orphans() -> Case {
    Case::new(&["one", "two"])
}

#[test]
fn what_was_typed_before_the_question_is_no_answer() {
    let case = two_orphans();
    let held = case.hold(on(Method::GET, "/pods?"));
    let mut terminal = case.shell("exec \"$REAP\" --color=never");
    held.wait();
    terminal.type_text("y\r").expect("a keyboard");
    // The echo tells that the terminal has taken it in.
    terminal.wait_for("y\r\n").expect("an echo");
    held.release();
    terminal.wait_for("[y/N] ").expect("a question");
    terminal.type_text("n\r").expect("a keyboard");
    let finished = terminal.finish().expect("an end");
    insta::assert_snapshot!(case.screen(&finished), @"
    y
    NAME      STATUS    REASON    OVERDUE   AGE
    pod/one   Pending   Expired   5h        24h
    pod/two   Pending   Expired   5h        24h
    Delete 2 pods from namespace ironflow-agents in context memory (SERVER)? [y/N] n
    nothing deleted
    ");
    assert_eq!((finished.code, case.deletions()), (0, 0));
}

#[test]
fn only_yes_deletes() {
    for keys in ["\r", "n\r", "NO\r", "\x04", "y\x04\x04"] {
        let case = two_orphans();
        let mut terminal = case.asked("");
        terminal.type_text(keys).expect("a keyboard");
        let finished = terminal.finish().expect("an end");
        let screen = case.screen(&finished);
        assert!(
            screen.ends_with("\nnothing deleted\n"),
            "{keys:?}: {screen}"
        );
        assert_eq!((finished.code, case.deletions()), (0, 0), "{keys:?}");
    }
    for keys in ["y\r", "Y\r", "yes\r", " Yes \r"] {
        let case = two_orphans();
        let mut terminal = case.asked("");
        terminal.type_text(keys).expect("a keyboard");
        let finished = terminal.finish().expect("an end");
        assert_eq!((finished.code, case.deletions()), (0, 2), "{keys:?}");
        assert_eq!(case.pods(), Vec::<String>::new(), "{keys:?}");
    }
}

#[test]
fn anything_else_is_asked_again() {
    let case = two_orphans();
    let mut terminal = case.asked("");
    for keys in ["maybe\r", "nay\r", "yy\r", "yes please\r", "\x1b[A\r"] {
        terminal.type_text(keys).expect("a keyboard");
        terminal.wait_for("Please answer y or n.").expect("a hint");
        terminal.wait_for("[y/N] ").expect("a question");
    }
    assert_eq!(case.deletions(), 0);
    terminal.type_text("y\r").expect("a keyboard");
    assert_eq!(terminal.finish().expect("an end").code, 0);
    assert_eq!(case.deletions(), 2);
}

#[test]
fn the_table_is_seen_before_the_question_wherever_stdout_goes() {
    let case = two_orphans();
    let mut terminal = case.shell("exec \"$REAP\" --color=never >file");
    terminal.wait_for("[y/N] ").expect("a question");
    terminal.type_text("n\r").expect("a keyboard");
    let screen = case.screen(&terminal.finish().expect("an end"));
    let file = fs::read_to_string(case.home().join("file")).expect("a file");
    insta::assert_snapshot!(file, @"
    NAME      STATUS    REASON    OVERDUE   AGE
    pod/one   Pending   Expired   5h        24h
    pod/two   Pending   Expired   5h        24h
    ");
    assert!(screen.starts_with(&file), "{screen}");
}

#[test]
fn where_the_table_is_longer_than_the_terminal_the_question_comes_with_counts() {
    let case = two_orphans();
    for (rows, is_long) in [(3, false), (2, true)] {
        let mut terminal = case.shell_of(rows, "exec \"$REAP\" --color=never");
        terminal.wait_for("[y/N] ").expect("a question");
        terminal.type_text("n\r").expect("a keyboard");
        let screen = case.screen(&terminal.finish().expect("an end"));
        assert_eq!(
            screen.contains("\nironflow-agents: 2 pods\n"),
            is_long,
            "{screen}"
        );
    }
}
