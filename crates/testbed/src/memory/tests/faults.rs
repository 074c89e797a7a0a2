//! Faults, hooks, the clock and the log.

use std::time::Duration;

use http::{Method, Request};
use http_body_util::{BodyExt, Full};
use serde_json::{Value, json};

use crate::memory::asking::{add_pod, ask, delete, get};
use crate::memory::{Fault, Resource, Server, on};

const POD: &str = "/api/v1/namespaces/n/pods/a";

#[tokio::test]
async fn a_fault_waits_for_its_turn_and_ends() {
    let server = Server::new();
    add_pod(&server, "a", &json!({}));
    let unavailable = Fault::status(503).header("retry-after", "2");
    server.fault(on(Method::GET, "/pods/").after(1).times(2), unavailable);
    let mut codes = Vec::new();
    for _ in 0..4 {
        codes.push(get(&server, POD).await.0);
    }
    assert_eq!(codes, [200, 503, 503, 200]);
    assert_eq!(
        ask(&server, Method::DELETE, POD, Value::Null).await.0,
        200,
        "another method"
    );
}

#[tokio::test]
async fn a_condition_sees_the_request() {
    let server = Server::new();
    add_pod(&server, "a", &json!({}));
    let dry =
        on(Method::DELETE, "/pods/").when(|received| received.json()["dryRun"] == json!(["All"]));
    server.fault(dry, Fault::answer(502, "text/html", "<html>"));
    assert_eq!(
        delete(&server, POD, json!({"dryRun": ["All"]})).await,
        (502, Value::Null)
    );
    assert_eq!(delete(&server, POD, json!({})).await.0, 200);
}

#[tokio::test]
async fn a_cut_before_has_no_effect_and_a_cut_after_has_one() {
    let server = Server::new();
    add_pod(&server, "a", &json!({}));
    server.fault(on(Method::DELETE, "/a").times(1), Fault::cut_before());
    server.fault(on(Method::DELETE, "/a").after(1), Fault::cut_after());
    for left in [vec!["n/a".to_owned()], vec![]] {
        let request = Request::delete(POD)
            .body(Full::<bytes::Bytes>::default())
            .unwrap();
        assert!(server.handle(request).await.is_err());
        assert_eq!(server.names(Resource::Pods), left);
    }
}

#[tokio::test(start_paused = true)]
async fn late_and_slow_answers_follow_the_clock() {
    let server = Server::new();
    server.fault(
        on(Method::GET, "/readyz").times(1),
        Fault::delay(Duration::from_secs(60)),
    );
    server.fault(on(Method::GET, "/readyz").after(1), Fault::trickled());
    for seconds in [60, 2] {
        let before = tokio::time::Instant::now();
        get(&server, "/readyz").await;
        assert_eq!(before.elapsed().as_secs(), seconds);
    }
    server.fault(on(Method::GET, "/version"), Fault::never());
    let version = tokio::time::timeout(Duration::from_secs(3600), get(&server, "/version"));
    assert!(version.await.is_err());
}

#[tokio::test]
async fn an_answer_may_end_too_early() {
    let server = Server::new();
    server.fault(on(Method::GET, "/version").times(1), Fault::truncated(5));
    server.fault(on(Method::GET, "/version").after(1), Fault::cut_within(5));
    let request = || {
        Request::get("/version")
            .body(Full::<bytes::Bytes>::default())
            .unwrap()
    };
    let truncated = server
        .handle(request())
        .await
        .unwrap()
        .into_body()
        .collect()
        .await;
    assert_eq!(truncated.unwrap().to_bytes().len(), 5);
    let cut = server
        .handle(request())
        .await
        .unwrap()
        .into_body()
        .collect()
        .await;
    assert!(cut.is_err());
}

#[tokio::test]
async fn the_date_is_the_clocks_unless_a_fault_says_otherwise() {
    let server = Server::new();
    server.clock().fix("2026-12-02T10:00:00Z".parse().unwrap());
    server.fault(
        on(Method::GET, "/version").after(1).times(1),
        Fault::none().without("date"),
    );
    server.fault(
        on(Method::GET, "/version").after(2),
        Fault::none().header("date", "yesterday"),
    );
    let mut dates = Vec::new();
    for _ in 0..3 {
        let request = Request::get("/version").body(Full::<bytes::Bytes>::default());
        let answer = server.handle(request.unwrap()).await.unwrap();
        dates.push(
            answer
                .headers()
                .get("date")
                .map(|date| date.to_str().unwrap().to_owned()),
        );
    }
    let expected = [
        Some("Wed, 02 Dec 2026 10:00:00 GMT"),
        None,
        Some("yesterday"),
    ];
    assert_eq!(dates, expected.map(|date| date.map(str::to_owned)));
}

#[tokio::test]
async fn a_hook_changes_an_object_under_the_hands_of_the_client() {
    let server = Server::new();
    let pod = add_pod(&server, "a", &json!({}));
    server.before(on(Method::DELETE, "/pods/a").times(1), |server| {
        server.patch(
            Resource::Pods,
            "n",
            "a",
            &json!({"metadata": {"labels": {"x": "y"}}}),
        );
    });
    let version = &pod["metadata"]["resourceVersion"];
    let options = json!({"preconditions": {"resourceVersion": version}});
    assert_eq!(delete(&server, POD, options).await.0, 409);
}

#[tokio::test]
async fn the_log_tells_what_was_asked() {
    let server = Server::new();
    get(&server, "/api/v1/pods?limit=5&labelSelector=a%3Db%2Cc").await;
    let request = Request::delete("/api/v1/namespaces/n/pods/a")
        .header("authorization", "Bearer secret")
        .header("user-agent", "reap")
        .body(Full::<bytes::Bytes>::from(r#"{"dryRun":["All"]}"#));
    server.handle(request.unwrap()).await.unwrap();
    let log = server.log();
    assert_eq!(
        log.lines(),
        [
            "GET /api/v1/pods?labelSelector=a=b,c&limit=5",
            r#"DELETE /api/v1/namespaces/n/pods/a {"dryRun":["All"]}"#,
        ]
    );
    assert_eq!(
        log.0[1].identity(),
        ["user-agent: reap", "authorization: present"]
    );
}

#[tokio::test(start_paused = true)]
async fn the_server_knows_how_many_requests_were_in_flight() {
    let server = Server::new();
    server.fault(
        on(Method::GET, "/readyz"),
        Fault::delay(Duration::from_secs(1)),
    );
    let five = (0..5).map(|_| get(&server, "/readyz"));
    futures::future::join_all(five).await;
    get(&server, "/readyz").await;
    assert_eq!(server.most_in_flight(), 5);
}
