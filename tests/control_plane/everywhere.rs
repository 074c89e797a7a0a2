//! All namespaces at once, on control planes of their own.

use anyhow::Result;
use libtest_mimic::Trial;
use serde_json::json;
use testbed::cluster::Objects;
use testbed::control_plane::Options;
use testbed::objects::{ObjectBuilder, config_map, hours, pod};

use crate::case::Case;
use crate::harness::trial_alone;
use crate::leftovers::{orphan, suspended};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial_alone(
            "control_plane::everywhere::orphans_of_all_namespaces_go",
            Options::default(),
            orphans_of_all_namespaces_go,
        ),
        trial_alone(
            "control_plane::everywhere::a_namespace_without_the_right_does_not_hold_up_the_others",
            Options::default(),
            a_namespace_without_the_right_does_not_hold_up_the_others,
        ),
    ]
}

/// Creates orphans of the same names in two namespaces of fixed names, and something alive in a third.
async fn leave(case: &Case) -> Result<()> {
    for namespace in ["team-a", "team-b", "team-c"] {
        let object =
            json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": namespace } });
        case.cluster.create(object).await?;
    }
    let place = |object: ObjectBuilder, namespace: &str| {
        case.cluster.create(object.namespace(namespace).build())
    };
    for object in [
        suspended("migrate"),
        pod("agent"),
        config_map("agent-prompt"),
    ] {
        place(orphan(case, object), "team-a").await?;
    }
    place(orphan(case, pod("agent").running()), "team-b").await?;
    place(orphan(case, pod("other").running()), "team-b").await?;
    place(pod("alive").at(case.now).expires_in(hours(1)), "team-c").await?;
    let is_suspended =
        |job: &serde_json::Value| job["status"]["conditions"][0]["type"] == "Suspended";
    case.cluster
        .await_object("Job", "team-a", "migrate", is_suspended)
        .await?;
    Ok(())
}

async fn pods(case: &Case) -> Result<Vec<String>> {
    let pods = case.cluster.list("Pod", "").await?;
    let name = |pod: &serde_json::Value| {
        let metadata = &pod["metadata"];
        format!(
            "{}/{}",
            metadata["namespace"].as_str().unwrap_or_default(),
            metadata["name"].as_str().unwrap_or_default()
        )
    };
    Ok(pods.iter().map(name).collect())
}

async fn orphans_of_all_namespaces_go(case: &Case) -> Result<()> {
    leave(case).await?;
    let nothing = case.reap(&["--yes"])?;
    assert_eq!(
        nothing.stderr, "No orphans found in NAMESPACE namespace.\n",
        "{nothing}"
    );
    insta::assert_snapshot!(case.reap(&["--all-namespaces", "--dry-run=client"])?, @"
    exit code: 0
    ----- stdout -----
    NAMESPACE   NAME                     STATUS      REASON    OVERDUE   AGE
    team-a      job.batch/migrate        Suspended   Expired   ~         ~
    team-a      pod/agent                Pending     Expired   ~         ~
    team-a      configmap/agent-prompt   -           Expired   ~         ~
    team-b      pod/agent                Running     Expired   ~         ~
    team-b      pod/other                Running     Expired   ~         ~
    ----- stderr -----
    5 would be deleted (dry run)
    ");
    assert_eq!(pods(case).await?.len(), 4);
    let terminal = case.reap_until_question(&["-A", "--concurrency=1"])?;
    insta::assert_snapshot!(case.answer(terminal, "y\r")?, @r#"
    exit code: 0
    ----- stdout -----
    NAMESPACE   NAME                     STATUS      REASON    OVERDUE   AGE
    team-a      job.batch/migrate        Suspended   Expired   ~         ~
    team-a      pod/agent                Pending     Expired   ~         ~
    team-a      configmap/agent-prompt   -           Expired   ~         ~
    team-b      pod/agent                Running     Expired   ~         ~
    team-b      pod/other                Running     Expired   ~         ~
    team-a: 1 job, 1 pod and 1 configmap
    team-b: 2 pods (2 running)
    Delete 1 job, 3 pods (2 running) and 1 configmap from 2 namespaces in context control-plane (SERVER)? [y/N] y
    job.batch "migrate" deleted from team-a namespace
    pod "agent" deleted from team-a namespace
    pod "agent" deleted from team-b namespace
    pod "other" deleted from team-b namespace
    configmap "agent-prompt" deleted from team-a namespace
    5 deleted
    ----- stderr -----
    "#);
    assert_eq!(pods(case).await?, ["team-c/alive"]);
    let nothing = case.reap(&["-A", "--yes"])?;
    insta::assert_snapshot!(nothing, @"
    exit code: 0
    ----- stdout -----
    ----- stderr -----
    No orphans found.
    1 object checked: 1 not expired
    ");
    Ok(())
}

async fn a_namespace_without_the_right_does_not_hold_up_the_others(case: &Case) -> Result<()> {
    leave(case).await?;
    let rules = json!([
        { "apiGroups": [""], "resources": ["pods", "configmaps"], "verbs": ["list"] },
        { "apiGroups": ["batch"], "resources": ["jobs"], "verbs": ["list"] },
    ]);
    case.become_user(&case.cluster.cluster_user(&case.namespace, rules).await?)?;
    let group = format!("--group=system:serviceaccounts:{}", case.namespace);
    for arguments in [
        &[
            "create",
            "role",
            "reap",
            "--namespace=team-a",
            "--verb=delete",
            "--resource=pods,configmaps,jobs.batch",
        ][..],
        &[
            "create",
            "rolebinding",
            "reap",
            "--namespace=team-a",
            "--role=reap",
            &group,
        ],
    ] {
        let finished = case.kubectl_as_administrator(arguments)?;
        assert_eq!(finished.code, Some(0), "{finished}");
    }
    insta::assert_snapshot!(case.reap(&["-A", "--yes", "--concurrency=1"])?, @r#"
    exit code: 1
    ----- stdout -----
    NAMESPACE   NAME                     STATUS      REASON    OVERDUE   AGE
    team-a      job.batch/migrate        Suspended   Expired   ~         ~
    team-a      pod/agent                Pending     Expired   ~         ~
    team-a      configmap/agent-prompt   -           Expired   ~         ~
    team-b      pod/agent                Running     Expired   ~         ~
    team-b      pod/other                Running     Expired   ~         ~
    job.batch "migrate" deleted from team-a namespace
    pod "agent" deleted from team-a namespace
    configmap "agent-prompt" deleted from team-a namespace
    ----- stderr -----
    Warning: you may not delete pods in namespace team-b
    apiVersion: rbac.authorization.k8s.io/v1
    kind: Role
    metadata:
      name: ironflow-reap-pods
      namespace: team-b
    rules:
    - apiGroups: [""]
      resources: [pods]
      verbs: [list, delete]
    Error from server (Forbidden): pods "agent" is forbidden: User "system:serviceaccount:NAMESPACE:user-N" cannot delete resource "pods" in API group "" in the namespace "team-b" [pod/agent in team-b namespace]
    1 more pod in team-b namespace not attempted
    3 deleted, 1 failed, 1 not attempted
    "#);
    assert_eq!(
        pods(case).await?,
        ["team-b/agent", "team-b/other", "team-c/alive"]
    );
    Ok(())
}
