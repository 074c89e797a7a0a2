//! The server behind a port, and behind kube's client.

use std::io::{Read, Write};
use std::net::TcpStream;

use http::{Method, Request};
use kube::config::{KubeConfigOptions, Kubeconfig};
use serde_json::{Value, json};

use crate::cluster::Objects;
use crate::memory::asking::add_pod;
use crate::memory::{Fault, Served, Server, on};

/// What comes over the wire until the server closes it.
fn raw(served: &Served, path: &str) -> String {
    let mut stream = TcpStream::connect(served.address()).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = Vec::new();
    // A connection that is cut may end with an error as well as with nothing.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8(answer).unwrap()
}

#[test]
fn answers_come_over_a_port_until_the_server_is_dropped() {
    let served = Server::new().serve().unwrap();
    let answer = raw(&served, "/readyz");
    assert!(
        answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("\r\n\r\nok"),
        "{answer}"
    );
    assert!(answer.contains("\r\ndate: "), "{answer}");
    let address = served.address();
    drop(served);
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn a_connection_is_cut_where_the_fault_says() {
    let served = Server::new().serve().unwrap();
    served.fault(on(Method::GET, "/version").times(1), Fault::cut_after());
    served.fault(on(Method::GET, "/version").after(1), Fault::cut_within(5));
    assert_eq!(raw(&served, "/version"), "");
    let cut = raw(&served, "/version");
    assert_eq!(cut.split("\r\n\r\n").nth(1).map(str::len), Some(5), "{cut}");
    assert!(
        cut.contains("content-length: ") && !cut.contains("content-length: 5\r\n"),
        "{cut}"
    );
    served.fault(on(Method::GET, "/readyz"), Fault::none().without("date"));
    assert!(!raw(&served, "/readyz").contains("date: "));
}

#[expect(
    clippy::disallowed_types,
    reason = "the client of the ecosystem checks the server"
)]
async fn list_pods(client: kube::Client) -> kube::Result<Value> {
    let request = Request::get("/api/v1/namespaces/n/pods")
        .body(Vec::new())
        .unwrap();
    client.request(request).await
}

#[tokio::test(start_paused = true)]
#[expect(
    clippy::disallowed_types,
    reason = "the client of the ecosystem checks the server"
)]
async fn the_server_is_a_service_for_kubes_client() {
    let server = Server::new();
    add_pod(&server, "a", &json!({}));
    let list = list_pods(kube::Client::new(server, "n")).await.unwrap();
    assert_eq!(list["items"][0]["metadata"]["name"], "a");
}

#[tokio::test]
#[expect(
    clippy::disallowed_types,
    reason = "the client of the ecosystem checks the server"
)]
async fn a_certificate_says_who_asks() {
    let served = Server::new().serve_tls().unwrap();
    served.refuse_anonymous();
    served.authorize(|attributes| attributes.user == "alice");
    let identity = served.issue("alice").unwrap();
    let data = |pem: &str| {
        Value::from(base64::Engine::encode(
            &base64::engine::general_purpose::STANDARD,
            pem,
        ))
    };
    let alice = json!({
        "client-certificate-data": data(&identity.certificate),
        "client-key-data": data(&identity.key),
    });
    for (user, allowed) in [(alice, true), (json!({}), false)] {
        let kubeconfig = Kubeconfig::from_yaml(&served.kubeconfig_of("n", &user)).unwrap();
        let options = KubeConfigOptions::default();
        let config = kube::Config::from_custom_kubeconfig(kubeconfig, &options);
        let client = kube::Client::try_from(config.await.unwrap()).unwrap();
        assert_eq!(list_pods(client).await.is_ok(), allowed);
    }
}

#[tokio::test]
async fn the_administrator_passes_faults_permissions_and_the_log_by() {
    let served = Server::new().serve().unwrap();
    served.refuse_anonymous();
    served.fault(on(Method::POST, ""), Fault::status(500));
    let namespace = served.create_namespace("n").await.unwrap();
    assert!(namespace.starts_with("n-"));
    assert!(served.log().lines().is_empty());
}
