//! What is asked for, and what is shown of it.

use insta::assert_snapshot;
use testbed::objects::hours;

use crate::case::Case;
use crate::leftovers::leftovers;
use crate::objects::{job, pod};

fn dry_run(arguments: &[&str]) -> crate::case::Run {
    Case::new(leftovers()).reap(&[&["--dry-run"], arguments].concat())
}

#[test]
fn what_may_go_in_the_contexts_namespace_is_listed_by_default() {
    assert_snapshot!(dry_run(&[]), @"
    exit code: 0
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/configmaps?labelSelector=app.kubernetes.io/managed-by=ironflow,app.kubernetes.io/component=prompt-data&limit=50 (metadata only)
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    GET /apis/batch/v1/namespaces/ironflow-agents/jobs?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    ----- stdout -----
    NAME                                     STATUS    REASON             OVERDUE   AGE
    job.batch/migrate                        Failed    DeadlineExceeded   -         3h
    job.batch/nightly                        Running   Expired            90s       24h
    pod/claude-code-1a2b-3c4d                Running   Expired            5h        24h
    pod/late                                 Failed    DeadlineExceeded   -         24h
    configmap/claude-code-1a2b-3c4d-prompt   -         Expired            5h        24h
    ----- stderr -----
    5 would be deleted (dry run)
    ");
}

#[test]
fn a_named_namespace_is_listed_instead() {
    assert_snapshot!(dry_run(&["-n", "team-b"]), @"
    exit code: 0
    ----- requests -----
    GET /api/v1/namespaces/team-b/configmaps?labelSelector=app.kubernetes.io/managed-by=ironflow,app.kubernetes.io/component=prompt-data&limit=50 (metadata only)
    GET /api/v1/namespaces/team-b/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    GET /apis/batch/v1/namespaces/team-b/jobs?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    ----- stdout -----
    NAME            STATUS    REASON    OVERDUE   AGE
    pod/elsewhere   Pending   Expired   8d        24h
    ----- stderr -----
    Warning: pod/elsewhere in team-b namespace: its expiry 1699280000 lies before its creation
    1 would be deleted (dry run)
    ");
}

#[test]
fn all_namespaces_are_listed_by_one_request_a_kind() {
    assert_snapshot!(dry_run(&["-A", "-n", "ignored"]), @"
    exit code: 0
    ----- requests -----
    GET /api/v1/configmaps?labelSelector=app.kubernetes.io/managed-by=ironflow,app.kubernetes.io/component=prompt-data&limit=50 (metadata only)
    GET /api/v1/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    GET /apis/batch/v1/jobs?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    ----- stdout -----
    NAMESPACE         NAME                                     STATUS    REASON             OVERDUE   AGE
    ironflow-agents   job.batch/migrate                        Failed    DeadlineExceeded   -         3h
    ironflow-agents   job.batch/nightly                        Running   Expired            90s       24h
    ironflow-agents   pod/claude-code-1a2b-3c4d                Running   Expired            5h        24h
    ironflow-agents   pod/late                                 Failed    DeadlineExceeded   -         24h
    ironflow-agents   configmap/claude-code-1a2b-3c4d-prompt   -         Expired            5h        24h
    team-b            pod/elsewhere                            Pending   Expired            8d        24h
    ----- stderr -----
    Warning: pod/elsewhere in team-b namespace: its expiry 1699280000 lies before its creation
    6 would be deleted (dry run)
    ");
}

#[test]
fn claims_are_listed_when_they_are_named_and_pods_are_read_for_what_they_mount() {
    assert_snapshot!(dry_run(&["pvc"]), @"
    exit code: 0
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/persistentvolumeclaims?labelSelector=app.kubernetes.io/managed-by=ironflow,app.kubernetes.io/component=environment&limit=50 (metadata only)
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    ----- stdout -----
    NAME                                      STATUS   REASON    OVERDUE   AGE
    persistentvolumeclaim/ironflow-env-1a2b   -        Expired   30h       24h
    ----- stderr -----
    Warning: persistentvolumeclaim/ironflow-env-1a2b in ironflow-agents namespace: its expiry 1699892000 lies before its creation
    1 would be deleted (dry run)
    ");
}

#[test]
fn each_name_of_a_type_lists_that_type_alone() {
    for (names, list) in [
        (
            &["pods", "pod", "po"][..],
            "/api/v1/namespaces/ironflow-agents/pods?",
        ),
        (
            &["jobs", "job", "jobs.batch", "job.batch"],
            "/apis/batch/v1/namespaces/ironflow-agents/jobs?",
        ),
        (
            &["configmaps", "configmap", "cm"],
            "/api/v1/namespaces/ironflow-agents/configmaps?",
        ),
    ] {
        for name in names {
            let run = dry_run(&[name]);
            assert!(
                run.requests.len() == 1 && run.requests[0].contains(list),
                "{name}: {run}"
            );
        }
    }
    for name in ["persistentvolumeclaims", "persistentvolumeclaim", "pvc"] {
        let run = dry_run(&[name]);
        let claims = "/api/v1/namespaces/ironflow-agents/persistentvolumeclaims?";
        assert!(
            run.requests.len() == 2 && run.to_string().contains(claims),
            "{name}: {run}"
        );
    }
}

#[test]
fn an_unknown_type_is_refused_before_anything_is_asked() {
    assert_snapshot!(dry_run(&["secrets"]), @"
    exit code: 2
    ----- requests -----
    ----- stdout -----
    ----- stderr -----
    error: unknown type `secrets`; the types are pods, jobs, configmaps, persistentvolumeclaims (pvc) and all
    hint: see `kubectl ironflow reap --help`
    ");
}

#[test]
fn one_named_object_is_looked_up_among_ironflows() {
    assert_snapshot!(dry_run(&["pod/claude-code-1a2b-3c4d"]), @"
    exit code: 0
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    ----- stdout -----
    NAME                        STATUS    REASON    OVERDUE   AGE
    pod/claude-code-1a2b-3c4d   Running   Expired   5h        24h
    ----- stderr -----
    1 would be deleted (dry run)
    ");
}

#[test]
fn a_named_object_that_may_not_go_is_shown_with_the_reason() {
    assert_snapshot!(dry_run(&["pod", "alive", "nightly-x7k2p"]), @"
    exit code: 0
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    ----- stdout -----
    NAME                STATUS    REASON                                          OVERDUE   AGE
    pod/alive           Running   NotExpired                                      -         24h
    pod/nightly-x7k2p   Pending   ControlledByJob (goes with job.batch/nightly)   -         24h
    ----- stderr -----
    No orphans found in ironflow-agents namespace.
    2 objects checked: 1 not expired, 1 controlled by a Job
    ");
}

#[test]
fn one_missing_name_among_several_stops_everything() {
    let case = Case::new(leftovers());
    assert_snapshot!(case.reap(&["--yes", "pod", "late", "of-somebody-else"]), @r#"
    exit code: 1
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    ----- stdout -----
    ----- stderr -----
    Error from server (NotFound): pods "of-somebody-else" not found among ironflow's objects in namespace ironflow-agents
    "#);
}

#[test]
fn nothing_to_do_says_what_was_looked_at() {
    let case = Case::new([
        pod("alive").expires_in(hours(1)),
        pod("worker").running(),
        job("ending")
            .expired(hours(1))
            .terminating(30)
            .finalizer("example.com/held"),
    ]);
    assert_snapshot!(case.reap(&["--yes"]), @"
    exit code: 0
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/configmaps?labelSelector=app.kubernetes.io/managed-by=ironflow,app.kubernetes.io/component=prompt-data&limit=50 (metadata only)
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    GET /apis/batch/v1/namespaces/ironflow-agents/jobs?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    ----- stdout -----
    ----- stderr -----
    No orphans found in ironflow-agents namespace.
    3 objects checked: 1 not expired, 1 without an expiry, 1 terminating
    ");
}

#[test]
fn an_empty_namespace_and_an_empty_cluster_say_so() {
    let case = Case::new([]);
    assert_snapshot!(case.reap(&["--yes", "pods"]), @"
    exit code: 0
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    ----- stdout -----
    ----- stderr -----
    No orphans found in ironflow-agents namespace.
    ");
    case.clear_log();
    assert_snapshot!(case.reap(&["--yes", "pods", "-A"]), @"
    exit code: 0
    ----- requests -----
    GET /api/v1/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    ----- stdout -----
    ----- stderr -----
    No orphans found.
    ");
}
