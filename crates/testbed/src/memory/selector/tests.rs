//! Label selectors: what they choose, and what is no selector.

use super::*;

fn selects(selector: &str) -> bool {
    let labels = [
        ("app".into(), "ironflow".into()),
        ("empty".into(), "".into()),
    ];
    LabelSelector::parse(selector).unwrap().matches(&labels)
}

#[test]
fn every_form_of_a_requirement_selects() {
    for selector in [
        "",
        "app=ironflow",
        "app==ironflow",
        "app!=x",
        "none!=x",
        "app in (x, ironflow)",
        "app notin (x)",
        "none notin (x)",
        "app",
        "!none",
        "empty=",
        "empty in ()",
        " app = ironflow , !none ",
    ] {
        assert!(selects(selector), "{selector}");
    }
}

#[test]
fn every_form_of_a_requirement_rejects() {
    for selector in [
        "app=x",
        "none=ironflow",
        "app!=ironflow",
        "app in (x)",
        "none in (x)",
        "app notin (ironflow)",
        "none",
        "!app",
        "app=",
        "app,none",
    ] {
        assert!(!selects(selector), "{selector}");
    }
}

#[test]
fn nonsense_is_refused_in_the_words_of_the_server() {
    let refused = |selector| LabelSelector::parse(selector).unwrap_err();
    assert_eq!(
        refused("a=b=c"),
        "found '=', expected: ',' or 'end of string'"
    );
    assert_eq!(
        refused("=b"),
        "found '=', expected: !, identifier, or 'end of string'"
    );
    assert_eq!(refused("a,"), "found '', expected: identifier after ','");
    assert_eq!(
        refused("a in b"),
        "unable to parse requirement: found 'b' expected: '('"
    );
    assert_eq!(
        refused("a b"),
        "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"
    );
    for selector in ["a=@", "a/b/c=d", "a in (x, -y)", "-a", "/a"] {
        assert!(refused(selector).contains("Invalid value"), "{selector}");
    }
}
