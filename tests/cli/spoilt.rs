//! Promise 5: on doubt about an object it is kept, and named.

use http::Method;
use insta::assert_snapshot;
use serde_json::{Value, json};
use testbed::memory::{Fault, Resource, on};
use testbed::objects::{NAMESPACE, hours};

use crate::case::Case;
use crate::objects::{claim, pod};

/// Answers a list of pods that holds these items as they are.
pub(crate) fn pod_list(items: &Value) -> Fault {
    Fault::answer(
        200,
        "application/json",
        json!({"kind": "PodList", "items": items}).to_string(),
    )
}

#[test]
fn a_broken_object_is_named_and_kept_and_the_others_go() {
    let whole = |name: &str| {
        pod(name)
            .expired(hours(1))
            .set("/metadata/resourceVersion", "1")
            .build()
    };
    let without = |name: &str, field: &str| {
        let object = pod(name)
            .expired(hours(1))
            .set("/metadata/resourceVersion", "1");
        object.without(&format!("/metadata/{field}")).build()
    };
    let case = Case::new([pod("whole").expired(hours(1))]);
    let mut spoilt = whole("spoilt");
    spoilt["status"] = json!("a string");
    case.fault(
        on(Method::GET, "/pods?"),
        pod_list(&json!([
            whole("whole"),
            without("no-uid", "uid"),
            without("no-version", "resourceVersion"),
            without("no-name", "name"),
            without("no-namespace", "namespace"),
            spoilt,
            {"metadata": {"name": "only-a-name", "labels": "none"}},
            "a string",
            null,
            7,
            [],
        ])),
    );
    assert_snapshot!(case.reap(&["--yes"]), @r#"
    exit code: 0
    ----- requests -----
    GET /api/v1/namespaces/ironflow-agents/configmaps?labelSelector=app.kubernetes.io/managed-by=ironflow,app.kubernetes.io/component=prompt-data&limit=50 (metadata only)
    GET /api/v1/namespaces/ironflow-agents/pods?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    GET /apis/batch/v1/namespaces/ironflow-agents/jobs?labelSelector=app.kubernetes.io/managed-by=ironflow&limit=50
    POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews {"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","metadata":{},"spec":{"resourceAttributes":{"group":"","namespace":"ironflow-agents","resource":"pods","verb":"delete"}}}
    DELETE /api/v1/namespaces/ironflow-agents/pods/whole (metadata only) {"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"resourceVersion":"1","uid":"uid-of-whole"},"propagationPolicy":"Background"}
    ----- stdout -----
    NAME        STATUS    REASON    OVERDUE   AGE
    pod/whole   Pending   Expired   60m       24h
    pod "whole" deleted from ironflow-agents namespace
    ----- stderr -----
    Warning: pod/no-namespace in no namespace: it cannot be read, or has no valid name, uid or resource version: kept
    Warning: pod without a name in ironflow-agents namespace: it cannot be read, or has no valid name, uid or resource version: kept
    Warning: pod/no-uid in ironflow-agents namespace: it cannot be read, or has no valid name, uid or resource version: kept
    Warning: pod/no-version in ironflow-agents namespace: it cannot be read, or has no valid name, uid or resource version: kept
    Warning: pod/spoilt in ironflow-agents namespace: it cannot be read, or has no valid name, uid or resource version: kept
    Warning: and 2 more
    1 deleted
    "#);
}

#[test]
fn a_pod_that_cannot_be_read_may_mount_any_claim() {
    for kinds in ["pvc", "pods,pvc"] {
        let case = Case::new([
            claim("data").expired(hours(9)),
            pod("spoilt").set("/status", "a string"),
        ]);
        let run = case.reap(&["--yes", kinds]);
        assert_eq!((run.code, run.deletions().len()), (Some(0), 0), "{run}");
        let warning = "Warning: 1 persistentvolumeclaim in namespaces with a pod that cannot be read, \
                       which may mount any claim there: kept\n";
        assert!(run.stderr.contains(warning), "{run}");
    }
}

#[test]
fn a_pod_that_cannot_be_read_when_a_claim_is_judged_again_may_mount_it() {
    let case = Case::new([claim("data").expired(hours(9))]);
    case.before(on(Method::DELETE, "/data").times(1), |server| {
        server.add(pod("spoilt").set("/status", "a string").build());
        let touched = json!({"metadata": {"labels": {"touched": "yes"}}});
        server.patch(Resource::Claims, NAMESPACE, "data", &touched);
    });
    let run = case.reap(&["--yes", "pvc"]);
    assert_eq!(case.names(Resource::Claims), ["ironflow-agents/data"]);
    assert!(run.stderr.contains("1 kept"), "{run}");
}

#[test]
fn names_that_are_none_are_never_sent() {
    let bad = [
        "../../secrets/x",
        "a/b",
        "a?b",
        "A",
        "a b",
        "..",
        "-a",
        "a%2fb",
        "ä",
    ];
    let items: Vec<Value> = bad
        .iter()
        .map(|name| pod(name).expired(hours(1)).build())
        .collect();
    let case = Case::new([]);
    case.fault(on(Method::GET, "/pods?"), pod_list(&items.into()));
    let run = case.reap(&["--yes", "pods"]);
    assert_eq!((run.code, run.requests.len()), (Some(0), 1), "{run}");
}

#[test]
fn null_stands_for_nothing_everywhere() {
    let case = Case::new([]);
    let empty = json!({"kind": "PodList", "metadata": null, "items": null});
    case.fault(
        on(Method::GET, "/pods?").times(1),
        Fault::answer(200, "application/json", empty.to_string()),
    );
    assert_eq!(case.reap(&["--yes", "pods"]).code, Some(0));
    let emptied = |pointer| pod("a").expired(hours(1)).set(pointer, Value::Null).build();
    let pointers = [
        "/metadata/finalizers",
        "/metadata/ownerReferences",
        "/metadata/creationTimestamp",
        "/metadata/deletionTimestamp",
        "/spec",
        "/spec/volumes",
        "/spec/nodeName",
        "/status",
        "/status/phase",
        "/status/reason",
    ];
    for pointer in pointers {
        case.fault(
            on(Method::GET, "/pods?").times(1),
            pod_list(&json!([emptied(pointer)])),
        );
        let run = case.reap(&["--dry-run", "-o", "name", "pods"]);
        assert_eq!(run.stdout, "pod/a\n", "{pointer}: {run}");
    }
    for pointer in [
        "/metadata/labels",
        "/metadata/annotations",
        "/metadata/uid",
        "/metadata/name",
    ] {
        case.fault(
            on(Method::GET, "/pods?").times(1),
            pod_list(&json!([emptied(pointer)])),
        );
        let run = case.reap(&["--yes", "pods"]);
        assert_eq!(
            (run.code, run.deletions().len()),
            (Some(0), 0),
            "{pointer}: {run}"
        );
    }
}

#[test]
fn fields_that_nobody_knows_change_nothing() {
    let mut object = pod("a").expired(hours(1)).build();
    object["metadata"]["novelty"] = json!({"deep": [1, {"deeper": null}]});
    object["spec"]["novelty"] = json!([[]]);
    object["novelty"] = json!(1e300);
    let case = Case::new([]);
    case.add(object);
    let run = case.reap(&["--yes", "pods"]);
    assert_eq!((run.code, run.deletions()), (Some(0), vec!["a"]), "{run}");
    assert!(case.names(Resource::Pods).is_empty());
}
