//! Ctrl-C and SIGTERM: nothing begins after them, and the terminal is as it was.

use std::fs;
use std::process::Command;

use http::Method;
use testbed::memory::{Fault, on};
use testbed::terminal::Terminal;

use crate::case::Case;

fn three_orphans() -> Case {
    Case::new(&["one", "three", "two"])
}

/// Sends SIGTERM to the program, which a terminal was started with.
fn terminate(terminal: &Terminal) {
    let process_id = terminal.process_id().expect("a running program");
    let mut shell = Command::new("/bin/sh");
    let sent = shell
        .args(["-c", &format!("kill -TERM {process_id}")])
        .status();
    assert!(sent.expect("a shell").success());
}

#[test]
fn ctrl_c_at_the_question_deletes_nothing() {
    let case = three_orphans();
    let mut terminal = case.asked("");
    terminal.type_text("\x03").expect("a keyboard");
    let finished = terminal.finish().expect("an end");
    insta::assert_snapshot!(case.screen(&finished), @"
    NAME        STATUS    REASON    OVERDUE   AGE
    pod/one     Pending   Expired   5h        24h
    pod/three   Pending   Expired   5h        24h
    pod/two     Pending   Expired   5h        24h
    Delete 3 pods from namespace ironflow-agents in context memory (SERVER)? [y/N] ^C
    error: interrupted by Ctrl-C: nothing deleted
    ");
    assert_eq!(
        (finished.code, finished.signal, case.deletions()),
        (130, None, 0)
    );
}

#[test]
fn sigterm_at_the_question_deletes_nothing() {
    let case = three_orphans();
    let terminal = case.asked("");
    terminate(&terminal);
    let finished = terminal.finish().expect("an end");
    insta::assert_snapshot!(case.screen(&finished), @"
    NAME        STATUS    REASON    OVERDUE   AGE
    pod/one     Pending   Expired   5h        24h
    pod/three   Pending   Expired   5h        24h
    pod/two     Pending   Expired   5h        24h
    Delete 3 pods from namespace ironflow-agents in context memory (SERVER)? [y/N] 
    error: interrupted by SIGTERM: nothing deleted
    ");
    assert_eq!(
        (finished.code, finished.signal, case.deletions()),
        (143, None, 0)
    );
}

#[test]
fn a_half_typed_yes_is_none() {
    let case = three_orphans();
    let mut terminal = case.asked("");
    terminal.type_text("y").expect("a keyboard");
    terminal.wait_for("y").expect("an echo");
    terminate(&terminal);
    let finished = terminal.finish().expect("an end");
    assert_eq!((finished.code, case.deletions()), (143, 0));
}

#[test]
fn ctrl_c_ends_a_reading_that_hangs() {
    let case = three_orphans();
    case.server
        .fault(on(Method::GET, "/configmaps?"), Fault::never());
    let held = case.hold(on(Method::GET, "/configmaps?"));
    let mut terminal = case.shell("exec \"$REAP\" --color=never");
    held.wait();
    held.release();
    terminal.type_text("\x03").expect("a keyboard");
    let finished = terminal.finish().expect("an end");
    insta::assert_snapshot!(case.screen(&finished), @r"
    ^C
    error: interrupted by Ctrl-C: nothing deleted
    ");
    assert_eq!((finished.code, case.deletions()), (130, 0));
}

/// Deletes one pod, and waits in vain for the answer to the deletion of the second.
fn a_deletion_hangs(case: &Case) -> Terminal {
    case.server
        .fault(on(Method::DELETE, "/pods/three"), Fault::never());
    let mut terminal = case.asked("--concurrency=1");
    let held = case.hold(on(Method::DELETE, "/pods/three"));
    terminal.type_text("y\r").expect("a keyboard");
    held.wait();
    held.release();
    terminal
}

#[test]
fn ctrl_c_while_a_deletion_hangs_begins_no_other_and_reports() {
    let case = three_orphans();
    let mut terminal = a_deletion_hangs(&case);
    terminal.type_text("\x03").expect("a keyboard");
    let finished = terminal.finish().expect("an end");
    let screen = case.screen(&finished);
    assert!(
        screen.contains(
            "interrupted before the server answered; it may be deleted all the same [pod/three"
        ),
        "{screen}"
    );
    assert!(
        screen.contains("1 deleted, 1 failed, 1 not attempted in 5."),
        "{screen}"
    );
    assert!(screen.ends_with("; stopped by Ctrl-C\n"), "{screen}");
    assert_eq!((finished.code, case.deletions()), (130, 2));
    assert_eq!(
        case.pods(),
        ["ironflow-agents/three", "ironflow-agents/two"]
    );
}

#[test]
fn a_second_ctrl_c_waits_for_nothing() {
    let case = three_orphans();
    let mut terminal = a_deletion_hangs(&case);
    terminal.type_text("\x03").expect("a keyboard");
    terminal
        .wait_for("stopping: up to 5s for 1 deletion in flight; a second Ctrl-C ends at once")
        .expect("an answer");
    terminal.type_text("\x03").expect("a keyboard");
    let finished = terminal.finish().expect("an end");
    let screen = case.screen(&finished);
    assert!(!screen.contains("stopped by Ctrl-C"), "{screen}");
    assert_eq!((finished.code, finished.signal), (130, None), "{screen}");
}

/// Runs the program between two looks at the terminal's modes, and lets `act` answer it.
fn assert_modes_stay(
    case: &Case,
    arguments: &str,
    wait_for: &str,
    act: impl FnOnce(&mut Terminal),
) {
    let script = format!(
        "trap : INT; stty -a >before; \"$REAP\" --color=never {arguments}; echo \"exit code $?\"; stty -a >after"
    );
    let mut terminal = case.shell(&script);
    terminal.wait_for(wait_for).expect("a question");
    act(&mut terminal);
    let screen = terminal.finish().expect("an end").output;
    let modes = |name: &str| fs::read_to_string(case.home().join(name)).expect("a file");
    assert_eq!(modes("before"), modes("after"), "{screen}");
    let hidden = screen.rfind("\x1b[?25l");
    let shown = screen.rfind("\x1b[?25h");
    assert!(hidden <= shown, "the cursor is hidden: {screen:?}");
}

/// Types and waits for the exit code.
fn types(keys: &'static str, code: u8) -> impl FnOnce(&mut Terminal) {
    move |terminal| {
        terminal.type_text(keys).expect("a keyboard");
        terminal
            .wait_for(&format!("exit code {code}\r\n"))
            .expect("an exit code");
    }
}

/// Sends SIGTERM to the program, the only child of the shell.
fn terminates(terminal: &mut Terminal) {
    let shell = terminal.process_id().expect("a shell");
    let children = format!("/proc/{shell}/task/{shell}/children");
    let children = fs::read_to_string(children).expect("a list of children");
    let mut kill = Command::new("/bin/sh");
    let sent = kill
        .args(["-c", &format!("kill -TERM {children}")])
        .status();
    assert!(sent.expect("a shell").success());
    terminal
        .wait_for("exit code 143\r\n")
        .expect("an exit code");
}

#[test]
fn the_terminal_is_as_before_after_every_end_of_a_question() {
    for (keys, code) in [("n\r", 0), ("\x04", 0), ("y\r", 0), ("\x03", 130)] {
        assert_modes_stay(&three_orphans(), "", "[y/N] ", types(keys, code));
    }
    assert_modes_stay(&three_orphans(), "", "[y/N] ", terminates);
}

#[test]
fn the_terminal_is_as_before_after_every_end_of_a_choice() {
    const PROMPT: &str = "] pod/two";
    for (keys, code) in [("\x1b", 0), ("\r", 0), ("\x03", 130)] {
        assert_modes_stay(&three_orphans(), "--pick", PROMPT, types(keys, code));
    }
    assert_modes_stay(&three_orphans(), "--pick", PROMPT, terminates);
}
