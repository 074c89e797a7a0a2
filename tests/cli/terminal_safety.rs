//! Promise 11: text from the cluster cannot drive the terminal.

use http::Method;
use serde_json::json;
use testbed::memory::{Fault, on};
use testbed::objects::{ObjectBuilder, hours};

use crate::case::{Case, Run};
use crate::objects::{config_map, job, pod};

/// Clears the screen, colours, sets a title, turns the direction of text, hides, begins lines anew.
const EVIL: &str =
    "\u{1b}[2J\u{9b}31m\u{1b}]0;title\u{7}\u{202e}\u{2066}\u{200b}\u{feff}\u{2028}\r\n\tend";

fn drives_a_terminal(character: char) -> bool {
    let is_formatting = matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    (character.is_control() && character != '\n') || is_formatting
}

#[track_caller]
fn assert_safe(run: &Run) {
    for text in [&run.stdout, &run.stderr] {
        assert!(!text.contains(drives_a_terminal), "{text:?}");
        let begins_a_line = |line: &str| line.starts_with("end") || line.starts_with("\tend");
        assert!(!text.lines().any(begins_a_line), "{text:?}");
    }
}

/// Objects with evil text wherever there is text.
fn evil_objects() -> Vec<ObjectBuilder> {
    vec![
        pod("a")
            .expired(hours(1))
            .run(EVIL)
            .root_run(EVIL)
            .step(EVIL)
            .component(EVIL)
            .on_node(EVIL)
            .phase(EVIL),
        pod("b").expires_at(EVIL),
        pod(EVIL).expired(hours(1)),
        pod("c").namespace(EVIL).expired(hours(1)),
        pod("e").owned_by_job(EVIL, "uid"),
        pod("f").expired(hours(1)).finalizer(EVIL),
        pod("g")
            .expired(hours(1))
            .set("/metadata/uid", EVIL)
            .set("/metadata/resourceVersion", EVIL),
        job("h")
            .condition("Failed", "True", EVIL)
            .condition(EVIL, "True", EVIL)
            .expired(hours(1)),
        config_map("i").expired(hours(1)).run(EVIL),
    ]
}

#[test]
fn objects_cannot_drive_it_in_any_format() {
    let case = Case::new(evil_objects());
    for format in [
        &[][..],
        &["-o", "wide"],
        &["-o", "name"],
        &["-o", "json"],
        &["-o", "yaml"],
        &["--color=never"],
    ] {
        for mode in ["--dry-run", "--dry-run=server"] {
            let run = case.reap(&[&[mode, "--show-kept", "-A"], format].concat());
            assert!(matches!(run.code, Some(0 | 1)), "{run}");
            assert_safe(&run);
        }
    }
    assert_safe(&case.reap(&["--yes", "-A"]));
}

#[test]
fn what_json_escapes_means_the_same() {
    let case = Case::new([pod("a").expired(hours(1)).run(EVIL)]);
    let document = case.reap(&["--dry-run", "-o", "json"]).document();
    assert_eq!(document["items"][0]["runId"], EVIL);
}

#[test]
fn a_servers_message_cannot_drive_it() {
    let status = |code: u16, reason: &str| {
        let status = json!({"kind": "Status", "status": "Failure", "reason": reason, "message": EVIL, "code": code});
        Fault::answer(code, "application/json", status.to_string())
    };
    for (request, fault) in [
        (on(Method::GET, "/pods?"), status(403, EVIL)),
        (on(Method::GET, "/pods?"), status(401, EVIL)),
        (on(Method::GET, "/jobs?"), status(403, "Forbidden")),
        (
            on(Method::GET, "/pods?"),
            Fault::answer(
                200,
                "application/json",
                json!({"kind": EVIL, "items": []}).to_string(),
            ),
        ),
        (on(Method::DELETE, "/pods/a"), status(422, EVIL)),
        (on(Method::DELETE, "/pods/a"), status(403, "Forbidden")),
    ] {
        for format in ["--output=wide", "--output=json", "--output=yaml"] {
            let case = Case::new([pod("a").expired(hours(1))]);
            case.fault(request.clone(), fault.clone());
            assert_safe(&case.reap(&["--yes", format]));
        }
    }
}

#[test]
fn names_of_the_kubeconfig_cannot_drive_it() {
    let case = Case::new([pod("a").expired(hours(1))]);
    let kubeconfig = case.kubeconfig_of(&json!({}));
    let mut kubeconfig: serde_json::Value = serde_json::from_str(&kubeconfig).expect("JSON");
    kubeconfig["contexts"][0]["name"] = EVIL.into();
    kubeconfig["current-context"] = EVIL.into();
    case.write_kubeconfig(&kubeconfig.to_string());
    for arguments in [
        &["--yes"][..],
        &["--dry-run", "-o", "json"],
        &["--dry-run", "-o", "yaml"],
        &["--context=none"],
        &["--cluster=none"],
        &["--user=none"],
    ] {
        assert_safe(&case.reap(arguments));
    }
    case.write_kubeconfig(&case.kubeconfig_of(&json!({})));
    for flag in [
        "--context",
        "--cluster",
        "--user",
        "--namespace",
        "--server",
        "--tls-server-name",
        "--run",
        "-l",
        "--kubeconfig",
    ] {
        assert_safe(&case.reap(&[flag, EVIL]));
    }
    assert_safe(&case.reap(&[EVIL]));
    assert_safe(&case.reap(&["pod", EVIL]));
}

#[test]
fn a_servers_warning_is_shown_once_and_cannot_drive_it() {
    let case = Case::new([pod("a").expired(hours(1)), pod("b").expired(hours(1))]);
    case.fault(
        on(Method::GET, ""),
        Fault::none().header("warning", "299 - \"batch/v1 Job is old\""),
    );
    case.fault(
        on(Method::DELETE, ""),
        Fault::none().header("warning", "299 - \"pods are protected\""),
    );
    let run = case.reap(&["--yes"]);
    assert_eq!(
        run.stderr.matches("Warning: batch/v1 Job is old\n").count(),
        1,
        "{run}"
    );
    assert_eq!(
        run.stderr.matches("Warning: pods are protected\n").count(),
        1,
        "{run}"
    );
}

#[test]
fn very_long_text_is_cut_in_tables_and_messages() {
    let long = "x".repeat(100_000);
    let case = Case::new([
        pod("a").expired(hours(1)).run(&long).step(&long),
        pod("b").expires_at(&long),
        pod("c").expired(hours(1)),
    ]);
    let message =
        json!({"kind": "Status", "status": "Failure", "reason": "Invalid", "message": long})
            .to_string();
    case.fault(
        on(Method::DELETE, "/pods/c"),
        Fault::answer(422, "application/json", message),
    );
    let run = case.reap(&["--yes", "-o", "wide", "--show-kept"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stdout
            .lines()
            .chain(run.stderr.lines())
            .all(|line| line.len() < 12_000)
    );
}
