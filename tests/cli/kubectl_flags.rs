//! kubectl's own flags: each has its effect, or is refused by name.

use http::Method;
use insta::assert_snapshot;
use serde_json::json;
use testbed::memory::{Fault, on};

use crate::case::{Case, Run};
use crate::leftovers::{ORPHANS, leftovers};

const TOKEN: &str = "s3cret-t0ken";

#[test]
fn whoever_is_impersonated_is_named_in_all_headers() {
    let case = Case::over_tls(leftovers(), &json!({"token": TOKEN}));
    case.add_user("root", TOKEN);
    let run = case.reap(&[
        "--dry-run",
        "--as=jane",
        "--as-group=devs",
        "--as-group=ops",
        "--as-uid=u1",
        "--as-user-extra=scopes=view",
        "--as-user-extra=scopes=a=b",
        "--as-user-extra=example.com/team=x",
    ]);
    assert_eq!(run.code, Some(0), "{run}");
    for received in &case.log().0 {
        let all = |name: &str| -> Vec<_> { received.headers.get_all(name).iter().collect() };
        assert_eq!(all("impersonate-user"), ["jane"]);
        assert_eq!(all("impersonate-group"), ["devs", "ops"]);
        assert_eq!(all("impersonate-uid"), ["u1"]);
        assert_eq!(all("impersonate-extra-scopes"), ["view", "a=b"]);
        assert_eq!(all("impersonate-extra-example.com%2fteam"), ["x"]);
    }
}

#[test]
fn impersonation_that_makes_no_sense_is_refused() {
    for (flag, error) in [
        (
            "--as-user-extra=scopes",
            "error: invalid value 'scopes' for '--as-user-extra <KEY=VALUE>': must be KEY=VALUE\n",
        ),
        (
            "--as-user-extra=scopes=view",
            "error: requesting uid, groups or user-extra without impersonating a user\n",
        ),
    ] {
        let run = Case::new([]).reap(&["--dry-run", flag]);
        assert!(run.stderr.starts_with(error), "{run}");
        assert_eq!((run.code, run.requests.len()), (Some(2), 0), "{run}");
    }
}

#[test]
fn an_authority_that_is_not_to_be_checked_is_refused() {
    let run = Case::new([]).reap(&[
        "--dry-run",
        "--insecure-skip-tls-verify",
        "--certificate-authority=ca.crt",
    ]);
    assert_eq!((run.code, run.requests.len()), (Some(2), 0), "{run}");
    assert_snapshot!(run.messages(), @"
    error: --insecure-skip-tls-verify and --certificate-authority contradict each other
    hint: see `kubectl ironflow reap --help`
    ");
}

#[test]
fn a_proxy_that_cannot_be_used_is_refused_without_its_password() {
    let run = Case::new([]).reap(&["--dry-run", "--proxy-url=ftp://jane:s3cret@proxy"]);
    assert_eq!((run.code, run.requests.len()), (Some(1), 0), "{run}");
    assert_snapshot!(run.messages(), @"error: invalid proxy-url: unsupported scheme, must be http, https, or socks5");
}

#[test]
fn the_proxy_that_a_flag_names_is_asked_for_the_server() {
    let case = Case::new([]);
    let proxy = format!("--proxy-url={}", case.url());
    let run = case.reap(&[
        "--dry-run",
        &proxy,
        "--server=http://cluster.invalid",
        "pods",
    ]);
    assert_eq!(run.code, Some(1), "{run}");
    // The server in memory is no proxy: that it was asked for a tunnel is what can be seen.
    assert_eq!(run.requests, ["CONNECT "], "{run}");
}

#[test]
fn flags_for_kubectls_own_commands_are_refused_by_name() {
    for (flag, name) in [
        ("--kuberc=x", "--kuberc"),
        ("--log-flush-frequency=5s", "--log-flush-frequency"),
        ("--match-server-version", "--match-server-version"),
        ("--match-server-version=true", "--match-server-version"),
        ("--profile=cpu", "--profile"),
        ("--profile-output=x", "--profile-output"),
        ("--vmodule=a=1", "--vmodule"),
    ] {
        let run = Case::new(leftovers()).reap(&["--yes", flag]);
        assert_eq!((run.code, run.requests.len()), (Some(2), 0), "{run}");
        assert_eq!(
            run.stderr,
            format!(
                "error: {name} is for kubectl's own commands and means nothing here\n\
                 hint: see `kubectl ironflow reap --help`\n"
            )
        );
    }
}

#[test]
fn a_cache_folder_is_accepted_and_not_made() {
    let case = Case::new(leftovers());
    let run = case.reap(&["--dry-run", "--cache-dir=cache"]);
    assert_eq!(run.code, Some(0), "{run}");
    assert!(!case.home().join("cache").exists());
}

/// Runs against a server that warns of each request of this sort.
fn warned(method: Method, arguments: &[&str]) -> Run {
    let case = Case::new(leftovers());
    case.fault(
        on(method, ""),
        Fault::none().header("warning", "299 - \"going away\""),
    );
    case.reap(arguments)
}

#[test]
fn warnings_as_errors_stop_the_run_before_anything_is_deleted() {
    let run = warned(Method::GET, &["--yes", "--warnings-as-errors"]);
    assert_eq!((run.code, run.deletions().len()), (Some(1), 0), "{run}");
    assert_snapshot!(run.messages(), @"
    Warning: going away
    error: 1 warning received: nothing deleted
    ");
    let run = warned(Method::GET, &["--yes"]);
    assert_eq!(run.code, Some(0), "{run}");
}

#[test]
fn warnings_of_the_deletions_fail_the_run_in_the_end() {
    let run = warned(Method::DELETE, &["--yes", "--warnings-as-errors"]);
    assert_eq!(run.code, Some(1), "{run}");
    assert_eq!(run.deletions().len(), ORPHANS.len(), "{run}");
    assert_snapshot!(run.messages(), @"
    Warning: going away
    5 deleted
    error: 1 warning received
    ");
}

#[test]
fn requests_are_logged_from_six_on_without_bodies_and_credentials() {
    let case = Case::over_tls(leftovers(), &json!({"token": TOKEN}));
    case.add_user("jane", TOKEN);
    let run = case.reap(&["--dry-run=server", "-v=5", "pods"]);
    assert!(!run.stderr.contains("GET "), "{run}");
    for level in ["-v6", "--v=9", "-v 99"] {
        case.clear_log();
        let arguments = level.split(' ').chain(["--dry-run=server", "pods"]);
        let run = case.reap(&arguments.collect::<Vec<_>>());
        assert_eq!(run.code, Some(0), "{run}");
        let logged = run
            .stderr
            .lines()
            .filter(|line| line.ends_with(" milliseconds"));
        assert_eq!(logged.count(), run.requests.len(), "{run}");
        let listed = format!(
            "GET {}/api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io%2Fmanaged-by%3Dironflow\
             &limit=50 200 OK in ",
            case.url()
        );
        assert!(run.stderr.contains(&listed), "{run}");
        for secret in [TOKEN, "preconditions", "resourceVersion"] {
            assert!(!run.stderr.contains(secret), "{run}");
        }
    }
}
