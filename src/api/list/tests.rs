#![expect(
    clippy::disallowed_types,
    reason = "the client leads to the in-memory server"
)]

use std::time::Duration;

use http::Method;
use testbed::memory::{Fault, Server, on};
use testbed::objects::NAMESPACE;
use tokio::time::Instant;

use super::*;

/// How long a list of Jobs takes that begins a second after a list of pods was answered with `code`.
async fn delay_after(code: u16) -> Duration {
    let server = Server::new();
    let busy = Fault::status(code).header("retry-after", "10");
    server.fault(on(Method::GET, "/pods?").times(1), busy);
    let api = Api::new(kube::Client::new(server, NAMESPACE), None);
    let list = |kind| PageRequest {
        kind,
        namespace: Some(NAMESPACE),
        selector: "a=b",
        limit: 1,
        token: None,
    };
    let (pods, jobs) = (list(Kind::Pod), list(Kind::Job));
    let later = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let begin = Instant::now();
        api.page(&jobs).await.map(|_| begin.elapsed())
    };
    let (first, second) = tokio::join!(api.page(&pods), later);
    first.expect("the second try is answered");
    second.expect("nothing is wrong with it")
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_asked_too_much_is_spared_by_all_lists() {
    assert_eq!(delay_after(429).await.as_secs(), 9);
}

#[tokio::test(start_paused = true)]
async fn a_list_that_fails_in_passing_holds_up_no_other() {
    assert_eq!(delay_after(503).await.as_secs(), 0);
}
