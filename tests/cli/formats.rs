//! The formats of what is shown.

use insta::assert_snapshot;
use testbed::objects::{hours, seconds};

use crate::case::{Case, Run};
use crate::leftovers::leftovers;
use crate::objects::{config_map, job, pod};

fn dry_run(arguments: &[&str]) -> Run {
    Case::new(leftovers()).reap(&[&["--dry-run"], arguments].concat())
}

#[test]
fn the_wide_table_has_more_columns() {
    assert_snapshot!(dry_run(&["-o", "wide"]).stdout, @"
    NAME                                     STATUS    REASON             OVERDUE   AGE   COMPONENT       RUN     STEP     NODE     PODS   EXPIRES
    job.batch/migrate                        Failed    DeadlineExceeded   -         3h    job-run         -       -        -        0      -
    job.batch/nightly                        Running   Expired            90s       24h   job-run         -       -        -        1      2023-11-14T22:11:50Z
    pod/claude-code-1a2b-3c4d                Running   Expired            5h        24h   claude-runner   run-7   review   node-1   -      2023-11-14T17:13:20Z
    pod/late                                 Failed    DeadlineExceeded   -         24h   claude-runner   -       -        -        -      2023-11-14T23:13:20Z
    configmap/claude-code-1a2b-3c4d-prompt   -         Expired            5h        24h   prompt-data     run-7   -        -        -      2023-11-14T17:13:20Z
    ");
}

#[test]
fn names_stand_one_a_line() {
    assert_snapshot!(dry_run(&["-o", "name"]), @"
    exit code: 0
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/configmaps?labelSelector=app.kubernetes.io/managed-by=ironflow,app.kubernetes.io/component=prompt-data&limit=50 (metadata only)
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    GET /apis/batch/v1/namespaces/ironflow-agents/jobs?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    ----- stdout -----
    job.batch/migrate
    job.batch/nightly
    pod/claude-code-1a2b-3c4d
    pod/late
    configmap/claude-code-1a2b-3c4d-prompt
    ----- stderr -----
    5 would be deleted (dry run)
    ");
}

#[test]
fn the_names_of_a_run_are_those_of_what_was_deleted() {
    assert_snapshot!(Case::new(leftovers()).reap(&["--yes", "-o", "name", "pods", "--concurrency=1"]), @r#"
    exit code: 0
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews {"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","metadata":{},"spec":{"resourceAttributes":{"group":"","namespace":"ironflow-agents","resource":"pods","verb":"delete"}}}
    DELETE /api/v1/namespaces/ironflow-agents/pods/claude-code-1a2b-3c4d (metadata only) {"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"resourceVersion":"4","uid":"uid-of-claude-code-1a2b-3c4d"},"propagationPolicy":"Background"}
    DELETE /api/v1/namespaces/ironflow-agents/pods/late (metadata only) {"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"resourceVersion":"5","uid":"uid-of-late"},"propagationPolicy":"Background"}
    ----- stdout -----
    pod/claude-code-1a2b-3c4d
    pod/late
    ----- stderr -----
    2 deleted
    "#);
}

#[test]
fn a_document_says_everything() {
    assert_snapshot!(dry_run(&["-o", "json", "pods", "--run=run-7"]), @r#"
    exit code: 0
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    ----- stdout -----
    {
        "apiVersion": "reap.ironflow.io/v1",
        "kind": "ReapReport",
        "context": "memory",
        "server": "SERVER",
        "namespace": "ironflow-agents",
        "takenAt": "2023-11-14T22:13:20Z",
        "clock": {
            "source": "server",
            "skewSeconds": …
        },
        "dryRun": "client",
        "error": null,
        "items": [
            {
                "apiVersion": "v1",
                "kind": "Pod",
                "namespace": "ironflow-agents",
                "name": "claude-code-1a2b-3c4d",
                "uid": "uid-of-claude-code-1a2b-3c4d",
                "resourceVersion": "4",
                "component": "claude-runner",
                "runId": "run-7",
                "rootRunId": null,
                "step": "review",
                "node": "node-1",
                "status": "Running",
                "verdict": "Reap",
                "reason": "Expired",
                "expiresAt": "2023-11-14T17:13:20Z",
                "expiresAtSeconds": "1699982000",
                "overdueSeconds": 18000,
                "createdAt": "2023-11-13T22:13:20Z",
                "ageSeconds": 86400,
                "warnings": [],
                "outcome": "WouldDelete",
                "error": null
            }
        ],
        "unread": [],
        "summary": {
            "candidates": 1,
            "deleted": 0,
            "alreadyGone": 0,
            "kept": 0,
            "failed": 0,
            "notAttempted": 0
        }
    }
    ----- stderr -----
    1 would be deleted (dry run)
    "#);
}

#[test]
fn yaml_has_the_shape_of_json() {
    assert_snapshot!(dry_run(&["-o", "yaml", "pods", "--run=run-7"]), @"
    exit code: 0
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    ----- stdout -----
    apiVersion: reap.ironflow.io/v1
    kind: ReapReport
    context: memory
    server: SERVER
    namespace: ironflow-agents
    takenAt: '2023-11-14T22:13:20Z'
    clock:
      source: server
      skewSeconds: …
    dryRun: client
    error: null
    items:
    - apiVersion: v1
      kind: Pod
      namespace: ironflow-agents
      name: claude-code-1a2b-3c4d
      uid: uid-of-claude-code-1a2b-3c4d
      resourceVersion: '4'
      component: claude-runner
      runId: run-7
      rootRunId: null
      step: review
      node: node-1
      status: Running
      verdict: Reap
      reason: Expired
      expiresAt: '2023-11-14T17:13:20Z'
      expiresAtSeconds: '1699982000'
      overdueSeconds: 18000
      createdAt: '2023-11-13T22:13:20Z'
      ageSeconds: 86400
      warnings: []
      outcome: WouldDelete
      error: null
    unread: []
    summary:
      candidates: 1
      deleted: 0
      alreadyGone: 0
      kept: 0
      failed: 0
      notAttempted: 0
    ----- stderr -----
    1 would be deleted (dry run)
    ");
}

#[test]
fn the_header_can_be_left_out() {
    assert_snapshot!(dry_run(&["--no-headers"]).stdout, @"
    job.batch/migrate                        Failed    DeadlineExceeded   -     3h
    job.batch/nightly                        Running   Expired            90s   24h
    pod/claude-code-1a2b-3c4d                Running   Expired            5h    24h
    pod/late                                 Failed    DeadlineExceeded   -     24h
    configmap/claude-code-1a2b-3c4d-prompt   -         Expired            5h    24h
    ");
}

#[test]
fn what_is_kept_can_be_shown_with_the_reason() {
    let mut objects = leftovers();
    objects.extend([
        pod("unreadable").expires_at("soon"),
        pod("milliseconds").expires_at("1700000000000"),
        pod("never").expires_at("18446744073709551615"),
        pod("gone-node")
            .expired(hours(2))
            .terminating(3600)
            .on_node("lost")
            .finalizer("example.com/held"),
        config_map("nameless")
            .without("/metadata/uid")
            .set("/metadata/uid", ""),
    ]);
    assert_snapshot!(Case::new(objects).reap(&["--dry-run", "--show-kept"]), @r#"
    exit code: 0
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/configmaps?labelSelector=app.kubernetes.io/managed-by=ironflow,app.kubernetes.io/component=prompt-data&limit=50 (metadata only)
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    GET /apis/batch/v1/namespaces/ironflow-agents/jobs?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    ----- stdout -----
    NAME                                     STATUS        REASON                                          OVERDUE   AGE
    job.batch/migrate                        Failed        DeadlineExceeded                                -         3h
    job.batch/nightly                        Running       Expired                                         90s       24h
    pod/claude-code-1a2b-3c4d                Running       Expired                                         5h        24h
    pod/late                                 Failed        DeadlineExceeded                                -         24h
    configmap/claude-code-1a2b-3c4d-prompt   -             Expired                                         5h        24h
    pod/alive                                Running       NotExpired                                      -         24h
    pod/claude-code-worker                   Running       NoExpiry                                        -         24h
    pod/gone-node                            Terminating   Terminating (stuck for 60m: see --stuck)        120m      24h
    pod/milliseconds                         Pending       NotExpired                                      -         24h
    pod/never                                Pending       NotExpired                                      -         24h
    pod/nightly-x7k2p                        Pending       ControlledByJob (goes with job.batch/nightly)   -         24h
    pod/unreadable                           Pending       UnreadableExpiry                                -         24h
    configmap/nameless                       -             Unidentifiable                                  -         24h
    ----- stderr -----
    Warning: configmap/nameless in ironflow-agents namespace: it cannot be read, or has no valid name, uid or resource version: kept
    Warning: pod/unreadable in ironflow-agents namespace: its expiry "soon" is not a number of seconds: kept
    Warning: pod/milliseconds in ironflow-agents namespace: its expiry 1700000000000 looks like milliseconds: kept
    5 would be deleted (dry run)
    "#);
}

#[test]
fn rows_are_sorted_by_namespace_and_kind_and_name() {
    let case = Case::new([
        pod("b").expired(hours(1)),
        config_map("a").expired(hours(1)),
        job("z").expired(hours(1)),
        pod("a").expired(hours(1)),
        pod("a").namespace("a-team").expired(hours(1)),
    ]);
    assert_snapshot!(case.reap(&["--dry-run", "-A"]).stdout, @"
    NAMESPACE         NAME          STATUS    REASON    OVERDUE   AGE
    a-team            pod/a         Pending   Expired   60m       24h
    ironflow-agents   job.batch/z   Running   Expired   60m       24h
    ironflow-agents   pod/a         Pending   Expired   60m       24h
    ironflow-agents   pod/b         Pending   Expired   60m       24h
    ironflow-agents   configmap/a   -         Expired   60m       24h
    ");
}

#[test]
fn ages_are_kubectls() {
    let ages = [
        1, 119, 120, 605, 10_799, 30_000, 172_799, 172_800, 800_000, 70_000_000,
    ]
    .map(seconds);
    let case = Case::new(ages.map(|age| {
        pod(&format!("p{}", age.as_secs()))
            .created(age + hours(1))
            .expired(age)
    }));
    assert_snapshot!(case.reap(&["--dry-run", "pods"]).stdout, @"
    NAME            STATUS    REASON    OVERDUE   AGE
    pod/p1          Pending   Expired   1s        60m
    pod/p10799      Pending   Expired   179m      3h59m
    pod/p119        Pending   Expired   119s      61m
    pod/p120        Pending   Expired   2m        62m
    pod/p172799     Pending   Expired   47h       2d
    pod/p172800     Pending   Expired   2d        2d1h
    pod/p30000      Pending   Expired   8h        9h
    pod/p605        Pending   Expired   10m       70m
    pod/p70000000   Pending   Expired   2y80d     2y80d
    pod/p800000     Pending   Expired   9d        9d
    ");
}
