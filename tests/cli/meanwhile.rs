//! Promise 3: what was renewed, replaced or picked up by somebody else after it was read survives.

use http::Method;
use insta::assert_snapshot;
use serde_json::{Value, json};
use testbed::memory::{Resource, Server, on};
use testbed::objects::{NAMESPACE, ObjectBuilder, hours};

use crate::case::{Case, NOW, Run};
use crate::objects::{claim, config_map, job, pod};

/// Changes the pod `a` right before the first deletion arrives.
fn with_change(
    objects: impl IntoIterator<Item = ObjectBuilder>,
    change: impl Fn(&Server) + Send + Sync + 'static,
) -> Case {
    let case = Case::new(objects);
    case.before(on(Method::DELETE, "/a").times(1), change);
    case
}

fn patch(change: Value) -> impl Fn(&Server) {
    move |server| server.patch(Resource::Pods, NAMESPACE, "a", &change)
}

fn expired_pod() -> [ObjectBuilder; 1] {
    [pod("a").expired(hours(1)).run("r1")]
}

#[track_caller]
fn assert_kept(case: &Case, run: &Run, why: &str) {
    assert_eq!((run.code, run.deletions().len()), (Some(0), 1), "{run}");
    assert!(
        run.stdout.ends_with(&format!(
            "pod \"a\" kept in ironflow-agents namespace: {why}\n"
        )),
        "{run}"
    );
    assert!(run.stderr.ends_with("1 kept\n"), "{run}");
    assert_eq!(case.names(Resource::Pods), ["ironflow-agents/a"]);
}

#[test]
fn a_renewed_pod_survives() {
    let renewed = (NOW + 3600).to_string();
    let change = patch(json!({"metadata": {"annotations": {"ironflow.io/expires-at": renewed}}}));
    let case = with_change(expired_pod(), change);
    assert_snapshot!(case.reap(&["--yes", "pods"]), @r#"
    exit code: 0
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews {"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","metadata":{},"spec":{"resourceAttributes":{"group":"","namespace":"ironflow-agents","resource":"pods","verb":"delete"}}}
    DELETE /api/v1/namespaces/ironflow-agents/pods/a (metadata only) {"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"resourceVersion":"1","uid":"uid-of-a"},"propagationPolicy":"Background"}
    GET /api/v1/namespaces/ironflow-agents/pods?fieldSelector=metadata.name=a
    ----- stdout -----
    NAME    STATUS    REASON    OVERDUE   AGE
    pod/a   Pending   Expired   60m       24h
    pod "a" kept in ironflow-agents namespace: expiry moved to 2023-11-14T23:13:20Z
    ----- stderr -----
    1 kept
    "#);
    assert_eq!(case.names(Resource::Pods), ["ironflow-agents/a"]);
}

#[test]
fn a_pod_whose_expiry_was_taken_off_or_spoilt_survives() {
    for (expiry, why) in [
        (json!(null), "it has no expiry any more"),
        (json!("never"), "its expiry cannot be read any more"),
    ] {
        let case = with_change(
            expired_pod(),
            patch(json!({"metadata": {"annotations": {"ironflow.io/expires-at": expiry}}})),
        );
        assert_kept(&case, &case.reap(&["--yes", "pods"]), why);
    }
}

#[test]
fn a_replaced_pod_survives() {
    let case = with_change(expired_pod(), |server| {
        server.remove(Resource::Pods, NAMESPACE, "a");
        server.add(
            pod("a")
                .expired(hours(1))
                .set("/metadata/uid", "another")
                .build(),
        );
    });
    assert_kept(
        &case,
        &case.reap(&["--yes", "pods"]),
        "another object has its name now",
    );
}

#[test]
fn a_pod_without_ironflows_label_survives() {
    let case = with_change(
        expired_pod(),
        patch(json!({"metadata": {"labels": {"app.kubernetes.io/managed-by": null}}})),
    );
    assert_kept(
        &case,
        &case.reap(&["--yes", "pods"]),
        "it no longer bears ironflow's labels",
    );
}

#[test]
fn a_pod_that_a_job_picked_up_survives() {
    let owner = json!([{"apiVersion": "batch/v1", "kind": "Job", "name": "j", "uid": "u", "controller": true}]);
    let case = with_change(
        expired_pod(),
        patch(json!({"metadata": {"ownerReferences": owner}})),
    );
    assert_kept(
        &case,
        &case.reap(&["--yes", "pods"]),
        "a Job controls it now",
    );
}

#[test]
fn a_pod_that_somebody_else_deletes_is_left_to_them() {
    let case = with_change(
        [pod("a").expired(hours(1)).finalizer("example.com/held")],
        patch(json!({"metadata": {"deletionTimestamp": "2023-11-14T22:13:20Z"}})),
    );
    assert_kept(
        &case,
        &case.reap(&["--yes", "pods"]),
        "somebody else is deleting it",
    );
}

#[test]
fn a_pod_that_the_flags_no_longer_select_survives() {
    for (flag, change) in [
        (
            "--run=r1",
            json!({"metadata": {"labels": {"ironflow.io/run-id": "r2"}}}),
        ),
        (
            "--selector=ironflow.io/run-id=r1",
            json!({"metadata": {"labels": {"ironflow.io/run-id": "r2"}}}),
        ),
        (
            "--expired-for=30m",
            json!({"metadata": {"annotations": {"ironflow.io/expires-at": (NOW - 60).to_string()}}}),
        ),
        (
            "--reason=Expired",
            json!({"status": {"phase": "Failed", "reason": "DeadlineExceeded"}}),
        ),
    ] {
        let case = with_change(expired_pod(), patch(change));
        assert_kept(
            &case,
            &case.reap(&["--yes", "pods", flag]),
            "the flags no longer select it",
        );
    }
}

#[test]
fn other_kinds_that_changed_survive_too() {
    let renewal =
        json!({"metadata": {"annotations": {"ironflow.io/expires-at": (NOW + 3600).to_string()}}});
    let kinds = [
        (job("a"), Resource::Jobs, "jobs"),
        (config_map("a"), Resource::ConfigMaps, "configmaps"),
        (claim("a"), Resource::Claims, "pvc"),
    ];
    for (object, resource, named) in kinds {
        let renewal = renewal.clone();
        let case = with_change([object.expired(hours(1))], move |server| {
            server.patch(resource, NAMESPACE, "a", &renewal);
        });
        let run = case.reap(&["--yes", named]);
        assert!(
            run.stdout.contains(
                "kept in ironflow-agents namespace: expiry moved to 2023-11-14T23:13:20Z\n"
            ),
            "{run}"
        );
        assert_eq!(case.names(resource), ["ironflow-agents/a"], "{named}");
    }
}

#[test]
fn a_pod_that_changed_and_may_still_go_is_deleted_as_it_is_now() {
    let case = with_change(
        expired_pod(),
        patch(json!({"metadata": {"labels": {"touched": "yes"}}})),
    );
    assert_snapshot!(case.reap(&["--yes", "pods"]), @r#"
    exit code: 0
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews {"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","metadata":{},"spec":{"resourceAttributes":{"group":"","namespace":"ironflow-agents","resource":"pods","verb":"delete"}}}
    DELETE /api/v1/namespaces/ironflow-agents/pods/a (metadata only) {"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"resourceVersion":"1","uid":"uid-of-a"},"propagationPolicy":"Background"}
    GET /api/v1/namespaces/ironflow-agents/pods?fieldSelector=metadata.name=a
    DELETE /api/v1/namespaces/ironflow-agents/pods/a (metadata only) {"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"resourceVersion":"2","uid":"uid-of-a"},"propagationPolicy":"Background"}
    ----- stdout -----
    NAME    STATUS    REASON    OVERDUE   AGE
    pod/a   Pending   Expired   60m       24h
    pod "a" deleted from ironflow-agents namespace
    ----- stderr -----
    1 deleted
    "#);
    assert!(case.names(Resource::Pods).is_empty());
}

#[test]
fn a_pod_that_changes_again_and_again_is_given_up_after_five_looks() {
    let case = Case::new(expired_pod());
    let count = std::sync::atomic::AtomicU64::new(0);
    case.before(on(Method::DELETE, "/pods/a"), move |server| {
        let change = count
            .fetch_add(1, std::sync::atomic::Ordering::SeqCst)
            .to_string();
        server.patch(
            Resource::Pods,
            NAMESPACE,
            "a",
            &json!({"metadata": {"labels": {"touched": change}}}),
        );
    });
    let run = case.reap(&["--yes", "pods"]);
    assert_eq!((run.code, run.deletions().len()), (Some(1), 6), "{run}");
    assert!(
        run.stderr.contains("Error from server (Conflict): "),
        "{run}"
    );
    assert_eq!(case.names(Resource::Pods), ["ironflow-agents/a"]);
}

#[test]
fn what_is_new_since_the_table_is_not_deleted() {
    let case = with_change(expired_pod(), |server| {
        server.add(pod("b").expired(hours(1)).build());
    });
    let run = case.reap(&["--yes", "pods"]);
    assert_eq!(run.deletions(), ["a"], "{run}");
    assert_eq!(case.names(Resource::Pods), ["ironflow-agents/b"]);
}

#[test]
fn every_deletion_carries_uid_and_version_of_what_was_listed() {
    let case = Case::new(crate::leftovers::leftovers());
    let run = case.reap(&["--yes", "-A", "all,pvc"]);
    assert_eq!(run.code, Some(0), "{run}");
    for received in case
        .log()
        .0
        .iter()
        .filter(|received| received.method == Method::DELETE)
    {
        let preconditions = &received.json()["preconditions"];
        let name = received.path.rsplit('/').next().unwrap_or_default();
        assert_eq!(preconditions["uid"], format!("uid-of-{name}"));
        assert!(
            preconditions["resourceVersion"]
                .as_str()
                .is_some_and(|version| !version.is_empty()),
            "{received}"
        );
        assert_eq!(received.json()["propagationPolicy"], "Background");
    }
}
