//! kubectl's completion protocol: candidates on stdout, one a line, then the directive not to complete file names.

use std::time::{Duration, Instant};

use http::Method;
use insta::assert_snapshot;
use testbed::memory::{Fault, on};
use testbed::objects::hours;

use crate::case::{Case, Run};
use crate::objects::{claim, job, pod};

fn cluster() -> Case {
    Case::new([
        pod("late").expired(hours(1)).run("r1"),
        pod("live").expires_in(hours(1)).run("r2"),
        job("late-job").expired(hours(1)).run("r1").root_run("r0"),
        claim("data").expired(hours(1)),
    ])
}

/// What stands on stdout when kubectl asks for what the last of the words may become.
#[track_caller]
fn completed(case: &Case, words: &str) -> String {
    let run = asked(case, words);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run}");
    run.stdout
}

fn asked(case: &Case, words: &str) -> Run {
    case.shell(&format!(
        "ln -sf $REAP kubectl_complete-ironflow && ./kubectl_complete-ironflow {words}"
    ))
}

#[test]
fn the_sub_command_and_the_types_are_candidates() {
    let case = cluster();
    assert_snapshot!(completed(&case, "''"), @"
    reap	Reap the pods, Jobs and ConfigMaps that dead ironflow workers left in a cluster
    :4
    ");
    assert_snapshot!(completed(&case, "reap ''"), @"
    all
    configmaps
    jobs
    persistentvolumeclaims
    pods
    :4
    ");
    assert_snapshot!(completed(&case, "reap pods,jo"), @"
    pods,jobs
    :4
    ");
    assert_snapshot!(completed(&case, "other ''"), @":4");
    assert!(
        case.log().lines().is_empty(),
        "none of this needs a cluster"
    );
}

#[test]
fn flags_are_candidates_with_their_help() {
    let case = cluster();
    assert_snapshot!(completed(&case, "reap --st"), @"
    --strict	Stop when any kind cannot be read, Jobs included
    --stuck	Delete pods too that are terminating for more than a minute past their time, at once
    :4
    ");
    let all = completed(&case, "reap -");
    assert!(
        all.contains("-n\tReap in this namespace instead of the context's\n"),
        "{all}"
    );
    assert!(!all.contains("kuberc"), "{all}");
}

#[test]
fn values_of_flags_are_candidates() {
    let case = cluster();
    assert_snapshot!(completed(&case, "reap -o ''"), @"
    json	One JSON document at the end
    name	One `kind/name` a line
    wide	The table with more columns
    yaml	The same document as YAML
    :4
    ");
    assert_snapshot!(completed(&case, "reap --reason=D"), @"
    DeadlineExceeded	Kubernetes ended it for its deadline
    :4
    ");
    assert_snapshot!(completed(&case, "reap --dry-run="), @"
    client
    none
    server
    :4
    ");
    assert_snapshot!(completed(&case, "reap --context ''"), @"
    memory
    :4
    ");
    assert_snapshot!(completed(&case, "reap --run ''"), @"
    r0	1 object
    r1	2 objects
    r2	1 object
    :4
    ");
}

#[test]
fn namespaces_are_candidates() {
    let case = cluster();
    let list = r#"{"items": [{"metadata": {"name": "team-a"}}, {"metadata": {"name": "team-b"}}, {"metadata": {"name": "other"}}]}"#;
    case.fault(
        on(Method::GET, "/api/v1/namespaces?"),
        Fault::answer(200, "application/json", list),
    );
    assert_eq!(completed(&case, "reap -n te"), "team-a\nteam-b\n:4\n");
}

#[test]
fn names_are_candidates_with_what_would_become_of_them() {
    let case = cluster();
    assert_snapshot!(completed(&case, "reap pods ''"), @"
    late	Expired
    live	NotExpired
    :4
    ");
    assert_snapshot!(completed(&case, "reap pods,jobs late"), @"
    late	Expired
    late-job	Expired
    :4
    ");
    assert_snapshot!(completed(&case, "reap pods late ''"), @"
    live	NotExpired
    :4
    ");
    assert_snapshot!(completed(&case, "reap po/l"), @"
    po/late	Expired
    po/live	NotExpired
    :4
    ");
    assert_snapshot!(completed(&case, "reap pvc ''"), @"
    data	Expired
    :4
    ");
    assert_snapshot!(completed(&case, "reap -n elsewhere pods ''"), @":4");
    assert_snapshot!(completed(&case, "reap secrets ''"), @":4");
}

#[test]
fn the_other_names_of_the_program_complete_too() {
    let case = cluster();
    for command in [
        "ln -s $REAP kubectl_complete-ironflow-reap && ./kubectl_complete-ironflow-reap",
        "$REAP __complete",
        "ln -s $REAP kubectl-ironflow && ./kubectl-ironflow __complete reap",
    ] {
        let run = case.shell(&format!("{command} --show"));
        assert_eq!(
            run.stdout, "--show-kept\tShow what is kept too, and why\n:4\n",
            "{command}: {run}"
        );
    }
}

#[test]
fn a_completion_deletes_nothing_whatever_the_words() {
    let case = cluster();
    let run = asked(&case, "reap --yes pods ''");
    assert_eq!(run.code, Some(0), "{run}");
    assert!(run.deletions().is_empty(), "{run}");
}

#[test]
fn a_cluster_that_cannot_be_asked_leaves_no_candidates_and_says_nothing() {
    let case = cluster();
    for words in [
        "reap --kubeconfig=missing pods ''",
        "reap --context=missing pods ''",
        "reap --server=http://127.0.0.1:1 pods ''",
        "reap --max=x pods ''",
        "reap -n A pods ''",
    ] {
        assert_eq!(completed(&case, words), ":4\n", "{words}");
    }
    case.fault(on(Method::GET, ""), Fault::status(403));
    assert_eq!(completed(&case, "reap pods ''"), ":4\n");
    assert_eq!(completed(&case, "reap -n ''"), ":4\n");
}

#[test]
fn nobody_waits_long_for_candidates() {
    let case = cluster();
    case.fault(on(Method::GET, ""), Fault::never());
    let begin = Instant::now();
    assert_eq!(completed(&case, "reap pods ''"), ":4\n");
    assert!(begin.elapsed() < Duration::from_secs(30));
}

#[test]
fn names_that_would_drive_a_terminal_are_no_candidates() {
    let case = cluster();
    let kubeconfig = "contexts: [{name: good, context: {cluster: c}}, {name: \"b\\e[31mad\", context: {cluster: c}}, {name: \"two\\nlines\", context: {cluster: c}}]";
    case.write_kubeconfig(kubeconfig);
    assert_eq!(completed(&case, "reap --context ''"), "good\n:4\n");
}
