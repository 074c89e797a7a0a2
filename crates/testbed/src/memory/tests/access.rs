//! Users and what they may do, and what clients write.

use http::{Method, Request};
use http_body_util::Full;
use serde_json::{Value, json};

use crate::memory::asking::{add_pod, ask, ask_with, get};
use crate::memory::{Resource, Server};

const PODS: &str = "/api/v1/namespaces/n/pods";

async fn as_user(server: &Server, headers: &[(&str, &str)], target: &str) -> (u16, Value) {
    let request = headers
        .iter()
        .fold(Request::get(target), |request, (name, value)| {
            request.header(*name, *value)
        });
    ask_with(server, request.body(Full::default()).unwrap()).await
}

#[tokio::test]
async fn a_user_may_do_what_the_rule_allows() {
    let server = Server::new();
    server.add_user("alice", "token");
    server.authorize(|attributes| attributes.user == "alice" && attributes.namespace == "n");
    let alice = [("authorization", "Bearer token")];
    assert_eq!(as_user(&server, &alice, PODS).await.0, 200);
    let (code, refusal) = as_user(&server, &alice, "/apis/batch/v1/jobs").await;
    let words = "jobs.batch is forbidden: User \"alice\" cannot list resource \"jobs\" in API group \"batch\" \
                 at the cluster scope";
    assert_eq!((code, &refusal["message"]), (403, &json!(words)));
    assert_eq!(
        refusal["details"],
        json!({"group": "batch", "kind": "jobs"})
    );
    let (code, refusal) = get(&server, &format!("{PODS}/a")).await;
    let words = "pods \"a\" is forbidden: User \"system:anonymous\" cannot get resource \"pods\" in API group \"\" \
                 in the namespace \"n\"";
    assert_eq!((code, &refusal["message"]), (403, &json!(words)));
}

#[tokio::test]
async fn an_unknown_token_is_nobodys() {
    let server = Server::new();
    server.add_user("alice", "token");
    assert_eq!(
        as_user(&server, &[("authorization", "Bearer other")], PODS)
            .await
            .0,
        401
    );
    server.revoke("token");
    assert_eq!(
        as_user(&server, &[("authorization", "Bearer token")], PODS)
            .await
            .0,
        401
    );
    assert_eq!(get(&server, PODS).await.0, 200);
    server.refuse_anonymous();
    let (code, refusal) = get(&server, PODS).await;
    assert_eq!((code, &refusal["message"]), (401, &json!("Unauthorized")));
}

#[tokio::test]
async fn an_access_review_asks_the_same_rule() {
    let server = Server::new();
    server.authorize(|attributes| attributes.user == "bob" && attributes.verb == "delete");
    let review = async |verb: &str| {
        let attributes = json!({"verb": verb, "resource": "pods", "namespace": "n"});
        let request = Request::post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews")
            .header("impersonate-user", "bob")
            .body(Full::from(
                json!({"spec": {"resourceAttributes": attributes}}).to_string(),
            ));
        let (code, review) = ask_with(&server, request.unwrap()).await;
        (code, review["status"]["allowed"].as_bool())
    };
    assert_eq!(review("delete").await, (201, Some(true)));
    assert_eq!(review("list").await, (201, Some(false)));
}

#[tokio::test]
async fn what_is_created_gets_what_the_server_sets() {
    let server = Server::new();
    let manifest = json!({"kind": "Pod", "metadata": {"generateName": "a-", "uid": "mine"}, "status": {"phase": "Running"}});
    let (code, pod) = ask(&server, Method::POST, PODS, manifest).await;
    assert_eq!((code, &pod["status"]["phase"]), (201, &json!("Pending")));
    let name = pod["metadata"]["name"].as_str().unwrap();
    assert!(name.starts_with("a-") && name.len() == 7, "{name}");
    assert!(pod["metadata"]["uid"] != "mine" && pod["metadata"]["creationTimestamp"].is_string());
    let (code, refusal) = ask(
        &server,
        Method::POST,
        PODS,
        json!({"kind": "Pod", "metadata": {"name": name}}),
    )
    .await;
    assert_eq!((code, &refusal["reason"]), (409, &json!("AlreadyExists")));
    assert_eq!(
        ask(
            &server,
            Method::POST,
            PODS,
            json!({"kind": "Job", "metadata": {"name": "b"}})
        )
        .await
        .0,
        400
    );
}

#[tokio::test]
async fn a_patch_of_the_status_leaves_the_rest_alone() {
    let server = Server::new();
    let before = add_pod(&server, "a", &json!({}));
    let change = json!({"metadata": {"labels": {"x": "y"}}, "status": {"phase": "Failed"}});
    let (_, status) = ask(
        &server,
        Method::PATCH,
        &format!("{PODS}/a/status"),
        change.clone(),
    )
    .await;
    assert_eq!(
        (&status["status"]["phase"], &status["metadata"]["labels"]),
        (&json!("Failed"), &Value::Null)
    );
    assert_ne!(
        status["metadata"]["resourceVersion"],
        before["metadata"]["resourceVersion"]
    );
    server.patch(
        Resource::Pods,
        "n",
        "a",
        &json!({"status": {"phase": "Running"}}),
    );
    let (_, rest) = ask(&server, Method::PATCH, &format!("{PODS}/a"), change.clone()).await;
    assert_eq!(
        (&rest["status"]["phase"], &rest["metadata"]["labels"]["x"]),
        (&json!("Running"), &json!("y"))
    );
    let (_, same) = ask(&server, Method::PATCH, &format!("{PODS}/a"), change).await;
    assert_eq!(
        same["metadata"]["resourceVersion"], rest["metadata"]["resourceVersion"],
        "no change, no version"
    );
    let stale = json!({"metadata": {"resourceVersion": "1"}});
    assert_eq!(
        ask(&server, Method::PATCH, &format!("{PODS}/a"), stale)
            .await
            .0,
        409
    );
}

#[tokio::test]
async fn unknown_paths_and_methods_are_refused() {
    let server = Server::new();
    assert_eq!(get(&server, "/nowhere").await, (404, Value::Null));
    let (code, refusal) = get(&server, "/api/v1/secrets").await;
    assert_eq!((code, &refusal["kind"]), (404, &json!("Status")));
    let (code, refusal) = ask(&server, Method::DELETE, PODS, Value::Null).await;
    assert_eq!(
        (code, &refusal["reason"]),
        (405, &json!("MethodNotAllowed"))
    );
    assert_eq!(get(&server, "/version").await.1["minor"], "37");
}
