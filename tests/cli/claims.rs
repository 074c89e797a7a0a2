//! Claims hold data: they go only when named, and never while a pod mounts them.

use http::Method;
use insta::assert_snapshot;
use testbed::memory::{Resource, on};
use testbed::objects::hours;

use crate::case::Case;
use crate::objects::{claim, pod};

#[test]
fn claims_stay_unless_they_are_named() {
    let case = Case::new([claim("data").expired(hours(9))]);
    for arguments in [&["--yes"][..], &["--yes", "all"], &["--yes", "-A"]] {
        let run = case.reap(arguments);
        assert!(
            !run.requests
                .iter()
                .any(|request| request.contains("persistentvolumeclaims")),
            "{run}"
        );
    }
    assert_eq!(case.names(Resource::Claims), ["ironflow-agents/data"]);
}

#[test]
fn a_claim_that_a_pending_or_running_pod_mounts_is_in_use() {
    for (phase, kept) in [
        ("Pending", true),
        ("Running", true),
        ("Failed", false),
        ("Succeeded", false),
        ("Unknown", false),
    ] {
        let case = Case::new([
            claim("data").expired(hours(9)),
            pod("user").phase(phase).mounts("data"),
        ]);
        let run = case.reap(&["--yes", "pvc", "--show-kept"]);
        assert_eq!(run.stdout.contains("InUse"), kept, "{phase}: {run}");
        assert_eq!(run.deletions().is_empty(), kept, "{phase}: {run}");
    }
}

#[test]
fn an_orphan_that_mounts_it_protects_a_claim_too() {
    let case = Case::new([
        claim("data").expired(hours(9)),
        pod("orphan").expired(hours(9)).running().mounts("data"),
    ]);
    let run = case.reap(&["--yes", "pods,pvc", "--concurrency=1"]);
    assert_eq!(run.deletions(), ["orphan"], "{run}");
}

#[test]
fn neither_selectors_nor_filters_hide_a_pod_that_mounts_a_claim() {
    for flag in ["-lironflow.io/step=build", "--run=r1", "--reason=Expired"] {
        let mut data = claim("data").expired(hours(9)).run("r1").step("build");
        let case = Case::new([data.clone(), pod("user").running().mounts("data")]);
        assert!(
            case.reap(&["--yes", "pods,pvc", flag])
                .deletions()
                .is_empty(),
            "{flag}"
        );
        data = data.namespace("team-b");
        case.add(data.build());
        let run = case.reap(&["--yes", "pvc", "-A", flag]);
        assert_eq!(
            run.deletions(),
            ["data"],
            "only the one of the other namespace: {run}"
        );
    }
}

#[test]
fn a_claim_that_a_pod_mounts_after_the_table_survives() {
    let case = Case::new([claim("data").expired(hours(9))]);
    case.before(on(Method::DELETE, "/data").times(1), |server| {
        server.add(pod("resumed").running().mounts("data").build());
        let touched = serde_json::json!({"metadata": {"labels": {"touched": "yes"}}});
        server.patch(
            Resource::Claims,
            testbed::objects::NAMESPACE,
            "data",
            &touched,
        );
    });
    assert_snapshot!(case.reap(&["--yes", "pvc"]), @r#"
    exit code: 0
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/persistentvolumeclaims?labelSelector=app.kubernetes.io/managed-by=ironflow,app.kubernetes.io/component=environment&limit=50 (metadata only)
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews {"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","metadata":{},"spec":{"resourceAttributes":{"group":"","namespace":"ironflow-agents","resource":"persistentvolumeclaims","verb":"delete"}}}
    DELETE /api/v1/namespaces/ironflow-agents/persistentvolumeclaims/data (metadata only) {"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"resourceVersion":"1","uid":"uid-of-data"},"propagationPolicy":"Background"}
    GET /api/v1/namespaces/ironflow-agents/persistentvolumeclaims?fieldSelector=metadata.name=data (metadata only)
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    ----- stdout -----
    NAME                         STATUS   REASON    OVERDUE   AGE
    persistentvolumeclaim/data   -        Expired   9h        24h
    persistentvolumeclaim "data" kept in ironflow-agents namespace: a pod mounts it now
    ----- stderr -----
    1 kept
    "#);
    assert!(
        case.object(Resource::Claims, testbed::objects::NAMESPACE, "data")
            .is_some()
    );
}

#[test]
fn a_deleted_claim_is_said_to_go_when_no_pod_mounts_it() {
    let case = Case::new([
        claim("data").expired(hours(9)),
        claim("held")
            .expired(hours(9))
            .finalizer("example.com/snapshot"),
    ]);
    let run = case.reap(&["--yes", "pvc", "--concurrency=1"]);
    assert_snapshot!(run.messages(), @"
    Warning: persistentvolumeclaim/data goes when no pod mounts it any more
    Warning: persistentvolumeclaim/held stays until its finalizer `example.com/snapshot` is removed
    2 deleted
    ");
}
