use std::sync::Mutex as Record;

use kube::config::ExecInteractiveMode;

use super::super::fixture::Home;
use super::*;

/// A plugin whose n-th run gives the token `n`, as this expression over `$n` has it.
fn plugin(home: &Home, token: &str) -> Source {
    let script = format!(
        r#"cd '{}'; echo run >>runs; n=$(wc -l <runs); n=$((n)); printf '{{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{{"token":"%s"}}}}' "{token}""#,
        home.path("").display(),
    );
    Source::Plugin {
        exec: Box::new(ExecConfig {
            api_version: Some("client.authentication.k8s.io/v1".to_owned()),
            command: Some("sh".to_owned()),
            args: Some(vec!["-c".to_owned(), script]),
            interactive_mode: Some(ExecInteractiveMode::Never),
            ..ExecConfig::default()
        }),
        cluster: Box::default(),
        terminal: false,
    }
}

fn runs(home: &Home) -> usize {
    std::fs::read_to_string(home.path("runs")).map_or(0, |text| text.lines().count())
}

/// What a server saw: each request's token and body.
type Seen = Arc<Record<Vec<(String, String)>>>;

/// A server that knows one token only.
#[expect(clippy::disallowed_types, reason = "what is tested wraps a client")]
fn server(known: &'static str, seen: &Seen) -> kube::Client {
    let seen = seen.clone();
    let service = tower::service_fn(move |request: Request<Body>| {
        let seen = seen.clone();
        async move {
            let (parts, body) = request.into_parts();
            let token = parts.headers[AUTHORIZATION].to_str()?.to_owned();
            let body = String::from_utf8(body.collect().await?.to_bytes().to_vec())?;
            let status = if token == format!("Bearer {known}") {
                200
            } else {
                401
            };
            seen.lock().unwrap().push((token, body));
            let response = Response::builder().status(status).body(Body::empty())?;
            Ok::<_, tower::BoxError>(response)
        }
    });
    kube::Client::new(service, "default")
}

async fn status(bearer: &Bearer, known: &'static str, seen: &Seen) -> u16 {
    let client = bearer.clone().wrap(server(known, seen));
    let request = Request::delete("/x")
        .body(Body::from(b"body".to_vec()))
        .unwrap();
    client.send(request).await.unwrap().status().as_u16()
}

fn sent(seen: &Seen) -> Vec<String> {
    seen.lock()
        .unwrap()
        .iter()
        .map(|(token, _)| token.clone())
        .collect()
}

#[tokio::test]
async fn a_refused_token_is_renewed_and_the_same_request_sent_again() {
    let home = Home::new();
    let seen = Seen::default();
    let bearer = Bearer::new(plugin(&home, "fresh"), Token::new("old", None).unwrap());
    assert_eq!(status(&bearer, "fresh", &seen).await, 200);
    assert_eq!(status(&bearer, "fresh", &seen).await, 200);
    assert_eq!(sent(&seen), ["Bearer old", "Bearer fresh", "Bearer fresh"]);
    assert!(seen.lock().unwrap().iter().all(|(_, body)| body == "body"));
    assert_eq!(runs(&home), 1);
}

#[tokio::test]
async fn an_expired_token_is_renewed_before_it_is_sent() {
    let home = Home::new();
    let seen = Seen::default();
    let old = Token::new("old", Some(Timestamp::UNIX_EPOCH)).unwrap();
    let bearer = Bearer::new(plugin(&home, "fresh"), old);
    assert_eq!(status(&bearer, "fresh", &seen).await, 200);
    assert_eq!(sent(&seen), ["Bearer fresh"]);
}

#[tokio::test]
async fn a_token_that_lasts_is_not_renewed() {
    let home = Home::new();
    let seen = Seen::default();
    let token = Token::new("good", Some(Timestamp::MAX)).unwrap();
    let bearer = Bearer::new(plugin(&home, "fresh"), token);
    assert_eq!(status(&bearer, "good", &seen).await, 200);
    assert_eq!(runs(&home), 0);
}

#[tokio::test]
async fn a_second_refusal_is_the_answer() {
    let home = Home::new();
    let seen = Seen::default();
    let bearer = Bearer::new(plugin(&home, "fresh$n"), Token::new("old", None).unwrap());
    assert_eq!(status(&bearer, "other", &seen).await, 401);
    assert_eq!(sent(&seen), ["Bearer old", "Bearer fresh1"]);

    let same = Bearer::new(plugin(&home, "old"), Token::new("old", None).unwrap());
    assert_eq!(status(&same, "other", &seen).await, 401);
    assert_eq!(sent(&seen).len(), 3);
}

#[tokio::test]
async fn requests_that_are_refused_together_renew_the_token_once() {
    let home = Home::new();
    let seen = Seen::default();
    let bearer = Bearer::new(plugin(&home, "fresh$n"), Token::new("old", None).unwrap());
    let all = (0..8).map(|_| status(&bearer, "fresh1", &seen));
    assert_eq!(futures::future::join_all(all).await, [200; 8]);
    assert_eq!(runs(&home), 1);
}

#[tokio::test]
async fn a_refused_token_of_a_file_is_read_again() {
    let home = Home::new();
    let seen = Seen::default();
    let path = home.file("token", "rotated\n").display().to_string();
    let bearer = Bearer::new(Source::File(path.clone()), Token::new("old", None).unwrap());
    assert_eq!(status(&bearer, "rotated", &seen).await, 200);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(status(&bearer, "other", &seen).await, 401);
}
