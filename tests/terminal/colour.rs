//! Colour is for terminals that want it, and says nothing that words do not.

use crate::case::Case;

fn shown(case: &Case, script: &str) -> String {
    case.screen(&case.shell(script).finish().expect("an end"))
}

#[test]
fn a_terminal_has_colours_unless_somebody_says_otherwise() {
    let case = Case::new(&["agent"]);
    let plain = shown(&case, "\"$REAP\" --dry-run --color=never");
    insta::assert_snapshot!(plain, @"
    NAME        STATUS    REASON    OVERDUE   AGE
    pod/agent   Pending   Expired   5h        24h
    1 would be deleted (dry run)
    ");
    let coloured = shown(&case, "\"$REAP\" --dry-run");
    assert_ne!(coloured, plain);
    let mut words = coloured.clone();
    while let Some(begin) = words.find("\x1b[") {
        let end = words[begin..].find('m').expect("the end of a colour") + begin;
        words.replace_range(begin..=end, "");
    }
    assert_eq!(words, plain, "{coloured:?}");
    for script in [
        "NO_COLOR=1 \"$REAP\" --dry-run",
        "TERM=dumb \"$REAP\" --dry-run",
    ] {
        assert_eq!(shown(&case, script), plain, "{script}");
    }
    for script in [
        "NO_COLOR=1 \"$REAP\" --dry-run --color=always",
        "\"$REAP\" --dry-run --color=always 2>&1 | cat",
    ] {
        assert_eq!(shown(&case, script), coloured, "{script}");
    }
    assert_eq!(shown(&case, "\"$REAP\" --dry-run 2>&1 | cat"), plain);
}
