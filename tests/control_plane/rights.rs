//! What a user who may not do everything gets to see, and what goes all the same.

use anyhow::Result;
use libtest_mimic::Trial;
use serde_json::{Value, json};
use testbed::cluster::Objects;

use crate::case::Case;
use crate::harness::trials;
use crate::leftovers::leave;

pub(crate) fn trials() -> Vec<Trial> {
    trials![
        without_jobs_the_rest_goes_with_a_warning,
        without_jobs_a_strict_run_is_an_error,
        without_jobs_naming_them_is_an_error,
        without_pods_nothing_goes,
        without_configmaps_nothing_goes,
        without_delete_the_first_refusal_of_a_kind_is_enough,
        rights_in_one_namespace_are_enough_for_it,
        rights_in_one_namespace_do_not_reach_all,
    ]
}

/// A rule of a Role.
pub(crate) fn rule(group: &str, resources: &[&str], verbs: &[&str]) -> Value {
    json!({ "apiGroups": [group], "resources": resources, "verbs": verbs })
}

/// Becomes a user who may do this much in the case's namespace.
pub(crate) async fn become_user(case: &Case, rules: &[Value]) -> Result<()> {
    let kubeconfig = case.cluster.user(&case.namespace, json!(rules)).await?;
    case.become_user(&kubeconfig)
}

/// What the plugin does with a kind.
pub(crate) const BOTH: [&str; 2] = ["list", "delete"];

async fn without_jobs_the_rest_goes_with_a_warning(case: &Case) -> Result<()> {
    leave(case).await?;
    become_user(case, &[rule("", &["pods", "configmaps"], &BOTH)]).await?;
    insta::assert_snapshot!(case.reap(&["--yes", "--concurrency=1"])?, @r#"
    exit code: 0
    ----- stdout -----
    NAME                     STATUS    REASON             OVERDUE   AGE
    pod/agent                Pending   Expired            ~         ~
    pod/builder              Running   Expired            ~         ~
    pod/late                 Failed    DeadlineExceeded   -         ~
    configmap/agent-prompt   -         Expired            ~         ~
    pod "agent" deleted from NAMESPACE namespace
    pod "builder" deleted from NAMESPACE namespace
    pod "late" deleted from NAMESPACE namespace
    configmap "agent-prompt" deleted from NAMESPACE namespace
    ----- stderr -----
    Warning: pod/broken in NAMESPACE namespace: its expiry "soon" is not a number of seconds: kept
    Warning: jobs not read: Error from server (Forbidden): jobs.batch is forbidden: User "system:serviceaccount:NAMESPACE:user-N" cannot list resource "jobs" in API group "batch" in the namespace "NAMESPACE"
    apiVersion: rbac.authorization.k8s.io/v1
    kind: Role
    metadata:
      name: ironflow-reap-jobs
      namespace: NAMESPACE
    rules:
    - apiGroups: ["batch"]
      resources: [jobs]
      verbs: [list, delete]
    4 deleted, jobs not read
    "#);
    case.cluster.get("Job", &case.namespace, "migrate").await?;
    case.cluster
        .await_gone("Pod", &case.namespace, "agent")
        .await
}

async fn without_jobs_a_strict_run_is_an_error(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    become_user(case, &[rule("", &["pods", "configmaps"], &BOTH)]).await?;
    insta::assert_snapshot!(case.reap(&["--yes", "--strict"])?, @r#"
    exit code: 1
    ----- stdout -----
    ----- stderr -----
    Error from server (Forbidden): jobs.batch is forbidden: User "system:serviceaccount:NAMESPACE:user-N" cannot list resource "jobs" in API group "batch" in the namespace "NAMESPACE"
    apiVersion: rbac.authorization.k8s.io/v1
    kind: Role
    metadata:
      name: ironflow-reap-jobs-pods-configmaps
      namespace: NAMESPACE
    rules:
    - apiGroups: [""]
      resources: [pods, configmaps]
      verbs: [list, delete]
    - apiGroups: ["batch"]
      resources: [jobs]
      verbs: [list, delete]
    "#);
    assert_eq!(case.objects().await?, before);
    Ok(())
}

async fn without_jobs_naming_them_is_an_error(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    become_user(case, &[rule("", &["pods", "configmaps"], &BOTH)]).await?;
    insta::assert_snapshot!(case.reap(&["jobs,pods", "--yes"])?, @r#"
    exit code: 1
    ----- stdout -----
    ----- stderr -----
    Error from server (Forbidden): jobs.batch is forbidden: User "system:serviceaccount:NAMESPACE:user-N" cannot list resource "jobs" in API group "batch" in the namespace "NAMESPACE"
    apiVersion: rbac.authorization.k8s.io/v1
    kind: Role
    metadata:
      name: ironflow-reap-jobs-pods
      namespace: NAMESPACE
    rules:
    - apiGroups: [""]
      resources: [pods]
      verbs: [list, delete]
    - apiGroups: ["batch"]
      resources: [jobs]
      verbs: [list, delete]
    "#);
    assert_eq!(case.objects().await?, before);
    Ok(())
}

async fn without_pods_nothing_goes(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    become_user(
        case,
        &[
            rule("", &["configmaps"], &BOTH),
            rule("batch", &["jobs"], &BOTH),
        ],
    )
    .await?;
    insta::assert_snapshot!(case.reap(&["--yes"])?, @r#"
    exit code: 1
    ----- stdout -----
    ----- stderr -----
    Error from server (Forbidden): pods is forbidden: User "system:serviceaccount:NAMESPACE:user-N" cannot list resource "pods" in API group "" in the namespace "NAMESPACE"
    apiVersion: rbac.authorization.k8s.io/v1
    kind: Role
    metadata:
      name: ironflow-reap-jobs-pods-configmaps
      namespace: NAMESPACE
    rules:
    - apiGroups: [""]
      resources: [pods, configmaps]
      verbs: [list, delete]
    - apiGroups: ["batch"]
      resources: [jobs]
      verbs: [list, delete]
    "#);
    assert_eq!(case.objects().await?, before);
    Ok(())
}

async fn without_configmaps_nothing_goes(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    become_user(
        case,
        &[rule("", &["pods"], &BOTH), rule("batch", &["jobs"], &BOTH)],
    )
    .await?;
    let refused = case.reap(&["--yes"])?;
    assert_eq!(refused.code, Some(1), "{refused}");
    assert!(
        refused
            .stderr
            .starts_with("Error from server (Forbidden): configmaps is forbidden"),
        "{refused}"
    );
    assert_eq!(case.objects().await?, before);
    Ok(())
}

async fn without_delete_the_first_refusal_of_a_kind_is_enough(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    become_user(
        case,
        &[
            rule("", &["pods", "configmaps"], &["list"]),
            rule("batch", &["jobs"], &["list"]),
            rule("", &["configmaps"], &["delete"]),
        ],
    )
    .await?;
    insta::assert_snapshot!(case.reap(&["--yes", "--concurrency=1"])?, @r#"
    exit code: 1
    ----- stdout -----
    NAME                     STATUS      REASON             OVERDUE   AGE
    job.batch/migrate        Suspended   Expired            ~         ~
    pod/agent                Pending     Expired            ~         ~
    pod/builder              Running     Expired            ~         ~
    pod/late                 Failed      DeadlineExceeded   -         ~
    configmap/agent-prompt   -           Expired            ~         ~
    configmap "agent-prompt" deleted from NAMESPACE namespace
    ----- stderr -----
    Warning: pod/broken in NAMESPACE namespace: its expiry "soon" is not a number of seconds: kept
    Warning: you may not delete jobs in namespace NAMESPACE
    Warning: you may not delete pods in namespace NAMESPACE
    apiVersion: rbac.authorization.k8s.io/v1
    kind: Role
    metadata:
      name: ironflow-reap-jobs-pods
      namespace: NAMESPACE
    rules:
    - apiGroups: [""]
      resources: [pods]
      verbs: [list, delete]
    - apiGroups: ["batch"]
      resources: [jobs]
      verbs: [list, delete]
    Error from server (Forbidden): jobs.batch "migrate" is forbidden: User "system:serviceaccount:NAMESPACE:user-N" cannot delete resource "jobs" in API group "batch" in the namespace "NAMESPACE" [job.batch/migrate in NAMESPACE namespace]
    Error from server (Forbidden): pods "agent" is forbidden: User "system:serviceaccount:NAMESPACE:user-N" cannot delete resource "pods" in API group "" in the namespace "NAMESPACE" [pod/agent in NAMESPACE namespace]
    2 more pods in NAMESPACE namespace not attempted
    1 deleted, 2 failed, 2 not attempted
    "#);
    let mut left = before;
    left.remove("ConfigMap/agent-prompt");
    assert_eq!(case.objects().await?, left);
    Ok(())
}

async fn rights_in_one_namespace_are_enough_for_it(case: &Case) -> Result<()> {
    leave(case).await?;
    become_user(
        case,
        &[
            rule("", &["pods", "configmaps"], &BOTH),
            rule("batch", &["jobs"], &BOTH),
        ],
    )
    .await?;
    let finished = case.reap(&["--yes"])?;
    assert_eq!(finished.code, Some(0), "{finished}");
    assert!(finished.stderr.ends_with("\n5 deleted\n"), "{finished}");
    Ok(())
}

async fn rights_in_one_namespace_do_not_reach_all(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    become_user(
        case,
        &[
            rule("", &["pods", "configmaps"], &BOTH),
            rule("batch", &["jobs"], &BOTH),
        ],
    )
    .await?;
    let refused = case.reap(&["--all-namespaces", "--yes"])?;
    assert_eq!(refused.code, Some(1), "{refused}");
    // Which of the kinds is refused first is up to the server.
    for part in [
        "Error from server (Forbidden): ",
        " at the cluster scope\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\n",
    ] {
        assert!(refused.stderr.contains(part), "{refused}");
    }
    let elsewhere = case.reap(&["--namespace=default", "--yes"])?;
    assert_eq!(elsewhere.code, Some(1), "{elsewhere}");
    assert!(
        elsewhere.stderr.contains("in the namespace \"default\""),
        "{elsewhere}"
    );
    assert_eq!(case.objects().await?, before);
    Ok(())
}
