//! What happens without a right or without a valid login, and who is asked for it beforehand.

use std::time::Duration;

use http::Method;
use insta::assert_snapshot;
use testbed::memory::{Attributes, Fault, Resource, on};
use testbed::objects::hours;

use crate::case::Case;
use crate::leftovers::leftovers;
use crate::objects::{config_map, job, pod};

fn cannot(
    verb: &'static str,
    resource: &'static str,
) -> impl Fn(&Attributes) -> bool + Send + Sync {
    move |asked| asked.verb != verb || asked.resource != resource
}

#[test]
fn jobs_that_nobody_named_and_may_not_be_listed_are_left_out_with_a_warning() {
    let case = Case::new(leftovers());
    case.authorize(cannot("list", "jobs"));
    let run = case.reap(&["--yes", "--concurrency=1"]);
    assert_eq!((run.code, run.deletions().len()), (Some(0), 3), "{run}");
    assert_snapshot!(run.messages(), @r#"
    Warning: jobs not read: Error from server (Forbidden): jobs.batch is forbidden: User "system:anonymous" cannot list resource "jobs" in API group "batch" in the namespace "ironflow-agents"
    apiVersion: rbac.authorization.k8s.io/v1
    kind: Role
    metadata:
      name: ironflow-reap-jobs
      namespace: ironflow-agents
    rules:
    - apiGroups: ["batch"]
      resources: [jobs]
      verbs: [list, delete]
    3 deleted, jobs not read
    "#);
}

#[test]
fn jobs_that_may_not_be_listed_are_told_in_a_dry_run_and_in_the_document_too() {
    let case = Case::new(leftovers());
    case.authorize(cannot("list", "jobs"));
    assert!(
        case.reap(&["--dry-run"])
            .stderr
            .ends_with("3 would be deleted (dry run), jobs not read\n")
    );
    let document = case.reap(&["--dry-run", "-o", "json"]).document();
    assert_eq!(document["unread"][0]["kind"], "Job", "{document:#}");
}

#[test]
fn any_other_kind_that_may_not_be_listed_stops_the_run() {
    for (resource, arguments) in [
        ("pods", &["--yes"][..]),
        ("configmaps", &["--yes"]),
        ("jobs", &["--yes", "jobs"]),
        ("jobs", &["--yes", "--strict"]),
        ("persistentvolumeclaims", &["--yes", "pvc"]),
        ("pods", &["--yes", "pvc"]),
    ] {
        let case = Case::new(leftovers());
        case.authorize(cannot("list", resource));
        let run = case.reap(arguments);
        assert_eq!(
            (run.code, run.deletions().len(), run.stdout.as_str()),
            (Some(1), 0, ""),
            "{arguments:?}: {run}"
        );
        assert!(
            run.stderr.contains("Error from server (Forbidden): "),
            "{run}"
        );
        assert!(run.stderr.contains("\nkind: Role\n"), "{run}");
    }
}

#[test]
fn of_several_kinds_that_may_not_be_listed_the_first_is_told_in_every_run() {
    let case = Case::new(leftovers());
    case.authorize(|attributes| attributes.verb != "list");
    case.fault(
        on(Method::GET, "/pods?"),
        Fault::delay(Duration::from_millis(50)),
    );
    let run = case.reap(&["--yes"]);
    assert!(
        run.stderr
            .starts_with("Error from server (Forbidden): pods is forbidden: "),
        "{run}"
    );
}

#[test]
fn the_role_to_paste_grants_all_that_the_run_needs() {
    let case = Case::new(leftovers());
    case.authorize(cannot("list", "pods"));
    assert_snapshot!(case.reap(&["--yes"]).stderr, @r#"
    Error from server (Forbidden): pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" in the namespace "ironflow-agents"
    apiVersion: rbac.authorization.k8s.io/v1
    kind: Role
    metadata:
      name: ironflow-reap-jobs-pods-configmaps
      namespace: ironflow-agents
    rules:
    - apiGroups: [""]
      resources: [pods, configmaps]
      verbs: [list, delete]
    - apiGroups: ["batch"]
      resources: [jobs]
      verbs: [list, delete]
    "#);
    assert_snapshot!(case.reap(&["--yes", "-A"]).stderr, @r#"
    Error from server (Forbidden): pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" at the cluster scope
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata:
      name: ironflow-reap-jobs-pods-configmaps
    rules:
    - apiGroups: [""]
      resources: [pods, configmaps]
      verbs: [list, delete]
    - apiGroups: ["batch"]
      resources: [jobs]
      verbs: [list, delete]
    "#);
}

#[test]
fn a_login_that_the_server_does_not_know_stops_the_run() {
    let case = Case::new(leftovers());
    case.refuse_anonymous();
    assert_snapshot!(case.reap(&["--yes", "pods"]), @"
    exit code: 1
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    ----- stdout -----
    ----- stderr -----
    error: You must be logged in to the server (Unauthorized)
    hint: check the credentials of this context: `kubectl auth whoami`
    ");
}

#[test]
fn missing_rights_are_told_before_anything_is_deleted() {
    let case = Case::new([
        pod("a").expired(hours(1)),
        config_map("b").expired(hours(1)),
    ]);
    case.authorize(cannot("delete", "configmaps"));
    assert_snapshot!(case.reap(&["--yes"]), @r#"
    exit code: 1
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/configmaps?labelSelector=app.kubernetes.io/managed-by=ironflow,app.kubernetes.io/component=prompt-data&limit=50 (metadata only)
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    GET /apis/batch/v1/namespaces/ironflow-agents/jobs?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews {"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","metadata":{},"spec":{"resourceAttributes":{"group":"","namespace":"ironflow-agents","resource":"configmaps","verb":"delete"}}}
    POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews {"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","metadata":{},"spec":{"resourceAttributes":{"group":"","namespace":"ironflow-agents","resource":"pods","verb":"delete"}}}
    DELETE /api/v1/namespaces/ironflow-agents/pods/a (metadata only) {"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"resourceVersion":"1","uid":"uid-of-a"},"propagationPolicy":"Background"}
    DELETE /api/v1/namespaces/ironflow-agents/configmaps/b (metadata only) {"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"resourceVersion":"2","uid":"uid-of-b"},"propagationPolicy":"Background"}
    ----- stdout -----
    NAME          STATUS    REASON    OVERDUE   AGE
    pod/a         Pending   Expired   60m       24h
    configmap/b   -         Expired   60m       24h
    pod "a" deleted from ironflow-agents namespace
    ----- stderr -----
    Warning: you may not delete configmaps in namespace ironflow-agents
    apiVersion: rbac.authorization.k8s.io/v1
    kind: Role
    metadata:
      name: ironflow-reap-configmaps
      namespace: ironflow-agents
    rules:
    - apiGroups: [""]
      resources: [configmaps]
      verbs: [list, delete]
    Error from server (Forbidden): configmaps "b" is forbidden: User "system:anonymous" cannot delete resource "configmaps" in API group "" in the namespace "ironflow-agents" [configmap/b in ironflow-agents namespace]
    1 deleted, 1 failed
    "#);
}

#[test]
fn the_first_refusal_of_a_kind_in_a_namespace_leaves_out_the_rest_there() {
    let team =
        |object: testbed::objects::ObjectBuilder| object.namespace("team-b").expired(hours(1));
    let mut objects: Vec<_> = (0..10)
        .map(|at| pod(&format!("p{at}")).expired(hours(1)))
        .collect();
    objects.extend([
        team(pod("theirs")),
        config_map("b").expired(hours(1)),
        job("c").expired(hours(1)),
    ]);
    let case = Case::new(objects);
    case.authorize(|asked| {
        asked.verb != "delete" || asked.resource != "pods" || asked.namespace == "team-b"
    });
    let run = case.reap(&["--yes", "-A", "--concurrency=1"]);
    assert_eq!(run.deletions(), ["c", "p0", "theirs", "b"], "{run}");
    assert_eq!(run.code, Some(1));
    assert_snapshot!(run.messages(), @r#"
    Warning: you may not delete pods in namespace ironflow-agents
    apiVersion: rbac.authorization.k8s.io/v1
    kind: Role
    metadata:
      name: ironflow-reap-pods
      namespace: ironflow-agents
    rules:
    - apiGroups: [""]
      resources: [pods]
      verbs: [list, delete]
    Error from server (Forbidden): pods "p0" is forbidden: User "system:anonymous" cannot delete resource "pods" in API group "" in the namespace "ironflow-agents" [pod/p0 in ironflow-agents namespace]
    9 more pods in ironflow-agents namespace not attempted
    3 deleted, 1 failed, 9 not attempted
    "#);
}

#[test]
fn a_review_that_fails_is_passed_over() {
    for fault in [
        Fault::status(403),
        Fault::status(500),
        Fault::answer(200, "text/html", "<html>"),
        Fault::cut_before(),
    ] {
        let case = Case::new([pod("a").expired(hours(1))]);
        case.fault(on(Method::POST, "/selfsubjectaccessreviews"), fault.clone());
        let run = case.reap(&["--yes", "pods"]);
        assert_eq!(
            (run.code, run.deletions().len()),
            (Some(0), 1),
            "{fault:?}: {run}"
        );
        assert_eq!(run.stderr.lines().last(), Some("1 deleted"), "{run}");
    }
}

#[test]
fn nobody_is_asked_about_rights_in_more_than_twenty_namespaces() {
    for (namespaces, reviews) in [(20, 20), (21, 0)] {
        let case = Case::new(
            (0..namespaces).map(|at| pod("a").namespace(&format!("n{at}")).expired(hours(1))),
        );
        let run = case.reap(&["--yes", "-A", "pods"]);
        let asked = run
            .requests
            .iter()
            .filter(|request| request.starts_with("POST "));
        assert_eq!(asked.count(), reviews, "{run}");
    }
}

#[test]
fn an_own_namespace_is_enough_and_never_is_more_asked_for() {
    let case = Case::new(leftovers());
    case.authorize(|asked| !asked.namespace.is_empty() && asked.verb != "get");
    let run = case.reap(&["--yes"]);
    assert_eq!(run.code, Some(0), "{run}");
    let of_namespace = |request: &String| {
        request.contains("/namespaces/ironflow-agents/") || request.starts_with("POST ")
    };
    assert!(run.requests.iter().all(of_namespace), "{run}");
    assert!(case.object(Resource::Pods, "team-b", "elsewhere").is_some());
}
