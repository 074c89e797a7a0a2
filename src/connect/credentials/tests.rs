use kube::config::{AuthProviderConfig, ExecConfig, ExecInteractiveMode};

use super::super::fixture::Home;
use super::*;

async fn completed(user: AuthInfo) -> Result<AuthInfo, Error> {
    let (user, _) = complete(user, &Cluster::default(), false).await?;
    Ok(user)
}

#[expect(clippy::unnecessary_wraps, reason = "a field of a user may be missing")]
fn some(value: &str) -> Option<String> {
    Some(value.to_owned())
}

/// The header that goes with requests, of a token that can be had anew.
async fn header(user: AuthInfo) -> Option<String> {
    let (_, bearer) = complete(user, &Cluster::default(), false).await.unwrap();
    let header = bearer?.header(None).await.unwrap();
    Some(header.to_str().unwrap().to_owned())
}

/// A user whose plugin notes each of its runs in a file.
fn with_plugin(home: &Home, status: &str) -> AuthInfo {
    let script = format!(
        r#"echo run >>'{}'; echo '{{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{status}}}'"#,
        home.path("runs").display(),
    );
    AuthInfo {
        exec: Some(ExecConfig {
            api_version: some("client.authentication.k8s.io/v1"),
            command: some("sh"),
            args: Some(vec!["-c".to_owned(), script]),
            interactive_mode: Some(ExecInteractiveMode::Never),
            ..ExecConfig::default()
        }),
        ..AuthInfo::default()
    }
}

fn runs(home: &Home) -> usize {
    std::fs::read_to_string(home.path("runs")).map_or(0, |text| text.lines().count())
}

#[tokio::test]
async fn a_plugin_runs_once_and_its_token_is_used() {
    let home = Home::new();
    let user = with_plugin(&home, r#"{"token":"fresh"}"#);
    assert_eq!(header(user).await.as_deref(), Some("Bearer fresh"));
    assert_eq!(runs(&home), 1);
}

#[tokio::test]
async fn a_plugins_certificate_becomes_data() {
    let home = Home::new();
    let status = r#"{"clientCertificateData":"crt","clientKeyData":"key"}"#;
    let user = completed(with_plugin(&home, status)).await.unwrap();
    assert!(user.exec.is_none());
    assert_eq!(user.client_certificate_data, Some(pem::encode(b"crt")));
    let key = user.client_key_data.unwrap();
    assert_eq!(key.expose_secret(), pem::encode(b"key"));
}

#[tokio::test]
async fn a_plugin_does_not_run_for_whoever_is_identified_already() {
    let home = Home::new();
    let plugin = || with_plugin(&home, r#"{"token":"fresh"}"#);
    for user in [
        AuthInfo {
            token: Some("given".into()),
            ..plugin()
        },
        AuthInfo {
            token_file: Some(home.file("token", "t").display().to_string()),
            ..plugin()
        },
        AuthInfo {
            username: some("bob"),
            ..plugin()
        },
        AuthInfo {
            client_certificate_data: Some(pem::encode(b"crt")),
            client_key_data: Some(pem::encode(b"key").into()),
            ..plugin()
        },
    ] {
        assert!(completed(user).await.unwrap().exec.is_none());
    }
    assert_eq!(runs(&home), 0);
}

#[tokio::test]
async fn a_token_file_is_trimmed_and_goes_before_the_token() {
    let home = Home::new();
    let user = |path: &str| AuthInfo {
        token: Some("entry".into()),
        token_file: Some(home.path(path).display().to_string()),
        ..AuthInfo::default()
    };
    home.file("token", " file\n");
    assert_eq!(header(user("token")).await.as_deref(), Some("Bearer file"));
    assert!(completed(user("token")).await.unwrap().token.is_none());
    let fallback = completed(user("missing")).await.unwrap();
    assert_eq!(fallback.token.unwrap().expose_secret(), "entry");
}

#[tokio::test]
async fn a_token_file_that_gives_none_is_named() {
    let home = Home::new();
    let user = |path: &std::path::Path| AuthInfo {
        token_file: Some(path.display().to_string()),
        ..AuthInfo::default()
    };
    let missing = home.path("missing");
    assert_eq!(
        completed(user(&missing)).await.unwrap_err().to_string(),
        format!(
            "unable to read tokenFile {} due to no such file or directory",
            missing.display()
        ),
    );
    let empty = completed(user(&home.file("empty", "\n")))
        .await
        .unwrap_err();
    assert_eq!(empty.to_string(), "unable to use tokenFile: it is empty");
}

#[tokio::test]
async fn a_token_that_no_header_may_hold_is_refused_and_never_quoted() {
    let user = AuthInfo {
        token: Some("s3cret\n".into()),
        ..AuthInfo::default()
    };
    let error = completed(user).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "unable to use the token: it holds characters that cannot be sent"
    );
}

#[tokio::test]
async fn a_certificate_needs_its_key_and_a_key_alone_is_ignored() {
    let certificate = AuthInfo {
        client_certificate_data: Some(pem::encode(b"crt")),
        ..AuthInfo::default()
    };
    let error = completed(certificate).await.unwrap_err();
    assert!(error.to_string().contains("client-key"), "{error}");
    let key = AuthInfo {
        client_key_data: Some(pem::encode(b"key").into()),
        ..AuthInfo::default()
    };
    assert!(completed(key).await.unwrap().client_key_data.is_none());
}

#[tokio::test]
async fn base64_may_be_broken_into_lines_but_must_be_base64() {
    let user = |certificate: &str| AuthInfo {
        client_certificate_data: some(certificate),
        client_key_data: Some("a2V5".into()),
        ..AuthInfo::default()
    };
    let broken = completed(user("Y3\nJ0\n")).await.unwrap();
    assert_eq!(broken.client_certificate_data, Some(pem::encode(b"crt")));
    let error = completed(user("s3cret!")).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "unable to use client-cert: its data is no base64"
    );
}

#[tokio::test]
async fn a_name_without_a_password_is_sent_with_an_empty_one() {
    let user = AuthInfo {
        username: some("bob"),
        ..AuthInfo::default()
    };
    assert_eq!(
        completed(user)
            .await
            .unwrap()
            .password
            .unwrap()
            .expose_secret(),
        ""
    );
}

#[tokio::test]
async fn an_auth_provider_that_client_go_dropped_is_refused() {
    let provided = |name: &str| AuthInfo {
        auth_provider: Some(AuthProviderConfig {
            name: name.to_owned(),
            ..AuthProviderConfig::default()
        }),
        ..AuthInfo::default()
    };
    assert!(matches!(
        completed(provided("gcp")).await,
        Err(Error::AuthProvider(_))
    ));
    assert!(completed(provided("oidc")).await.is_ok());
}
