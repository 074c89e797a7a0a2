//! `--pick`: what was not chosen stays.

use crate::case::Case;

#[test]
fn only_what_was_chosen_is_asked_about_and_deleted() {
    let case = Case::new(&["one", "three", "two"]);
    let mut terminal = case.shell("exec \"$REAP\" --color=never --pick");
    // The rows are aligned, as in the table above them.
    terminal
        .wait_for("[ ] pod/two     Pending   Expired   5h")
        .expect("a list");
    terminal.type_text(" \x1b[B\x1b[B \r").expect("a keyboard");
    terminal
        .wait_for("Delete 2 pods from namespace ironflow-agents")
        .expect("a question");
    terminal.wait_for("[y/N] ").expect("a question");
    terminal.type_text("y\r").expect("a keyboard");
    assert_eq!(terminal.finish().expect("an end").code, 0);
    assert_eq!(case.pods(), ["ironflow-agents/three"]);
}

#[test]
fn an_empty_choice_deletes_nothing() {
    for keys in ["\r", "\x1b", "  \r"] {
        let case = Case::new(&["one"]);
        let mut terminal = case.shell("exec \"$REAP\" --color=never --pick");
        terminal.wait_for("pod/one").expect("a list");
        terminal.type_text(keys).expect("a keyboard");
        let finished = terminal.finish().expect("an end");
        let screen = case.screen(&finished);
        assert!(
            screen.ends_with("nothing deleted\n"),
            "{keys:?}: {screen:?}"
        );
        assert_eq!((finished.code, case.deletions()), (0, 0), "{keys:?}");
    }
}

#[test]
fn a_narrow_terminal_cuts_the_rows() {
    let case = Case::new(&["a-pod-with-quite-a-long-name", "another"]);
    let mut terminal = case.shell("echo ready; read _; exec \"$REAP\" --color=never --pick");
    terminal.wait_for("ready").expect("a start");
    terminal.resize(20, 40).expect("another size");
    terminal.type_text("\r").expect("a keyboard");
    terminal
        .wait_for("[ ] pod/a-pod-with-quite-a-long-name…")
        .expect("a row of 39 columns");
    terminal.type_text(" \r").expect("a keyboard");
    terminal.wait_for("[y/N] ").expect("a question");
    terminal.type_text("y\r").expect("a keyboard");
    assert_eq!(terminal.finish().expect("an end").code, 0);
    assert_eq!(case.pods(), ["ironflow-agents/another"]);
}
