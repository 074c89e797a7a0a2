use secrecy::ExposeSecret;

use super::super::fixture::{CERTIFICATE, Home};
use super::*;

fn cluster(server: &str) -> Cluster {
    Cluster {
        server: Some(server.to_owned()),
        certificate_authority_data: Some(pem::encode(CERTIFICATE.as_bytes())),
        ..Cluster::default()
    }
}

fn alice() -> AuthInfo {
    AuthInfo {
        token: Some("s3cret".into()),
        impersonate: Some("jane".to_owned()),
        ..AuthInfo::default()
    }
}

async fn configured(cluster: Cluster) -> Result<Config, Error> {
    let environment = Home::new().environment();
    let (config, _) = configure(cluster, alice(), &Options::default(), &environment).await?;
    Ok(config)
}

#[test]
fn a_server_gets_a_scheme_and_loses_its_credentials() {
    for (given, used) in [
        ("https://host:6443", "https://host:6443/"),
        ("HTTPS://host", "https://host/"),
        (
            "https://host/k8s/clusters/c-1?a=b",
            "https://host/k8s/clusters/c-1",
        ),
        ("https://user:s3cret@host", "https://host/"),
        ("https://[fd00::1]:6443", "https://[fd00::1]:6443/"),
        ("10.0.0.1:6443", "http://10.0.0.1:6443/"),
        ("localhost", "http://localhost/"),
        ("localhost:8080/", "http://localhost:8080/"),
    ] {
        assert_eq!(server_url(given).unwrap().to_string(), used);
    }
}

#[test]
fn a_server_that_is_no_address_is_refused() {
    for server in [
        "",
        "host/path",
        "ftp://host",
        "https://",
        "https://a b",
        "/path",
    ] {
        assert!(
            matches!(server_url(server), Err(Error::InvalidServer)),
            "{server}"
        );
    }
}

#[tokio::test]
async fn credentials_travel_over_https_alone() {
    let secure = configured(cluster("https://127.0.0.1")).await.unwrap();
    assert_eq!(secure.auth_info.token.unwrap().expose_secret(), "s3cret");
    let plain = configured(cluster("http://127.0.0.1")).await.unwrap();
    assert!(plain.auth_info.token.is_none());
    assert_eq!(plain.auth_info.impersonate.as_deref(), Some("jane"));
}

#[tokio::test]
async fn the_systems_authorities_are_loaded_only_where_they_are_needed() {
    let without_authority = |server: &str, insecure| Cluster {
        certificate_authority_data: None,
        insecure_skip_tls_verify: Some(insecure),
        ..cluster(server)
    };
    let plain = configured(without_authority("http://host", false))
        .await
        .unwrap();
    assert_eq!(plain.root_cert, Some(Vec::new()));
    let insecure = configured(without_authority("https://host", true))
        .await
        .unwrap();
    assert_eq!(insecure.root_cert, Some(Vec::new()));
    assert!(insecure.accept_invalid_certs);
    let system = configured(without_authority("https://host", false))
        .await
        .unwrap();
    assert_eq!(system.root_cert, None);
}

#[tokio::test]
async fn one_bad_certificate_does_not_spoil_the_bundle() {
    let bundle = |text: String| Cluster {
        certificate_authority_data: Some(pem::encode(text.as_bytes())),
        ..cluster("https://host")
    };
    let bad = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    let config = configured(bundle(format!("# ours\n{bad}{CERTIFICATE}")))
        .await
        .unwrap();
    assert_eq!(config.root_cert.unwrap().len(), 1);
    let error = configured(bundle(bad.to_owned())).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "unable to use certificate-authority: it holds no certificate"
    );
}

#[tokio::test]
async fn nothing_of_kubes_own_retries_or_ends_a_request() {
    let options = Options {
        request_timeout: Some(std::time::Duration::from_secs(600)),
        ..Options::default()
    };
    let environment = Home::new().environment();
    let (config, _) = configure(cluster("https://host"), alice(), &options, &environment)
        .await
        .unwrap();
    assert!(!config.default_retry);
    assert_eq!(config.connect_timeout, options.request_timeout);
    assert_eq!((config.read_timeout, config.write_timeout), (None, None));
}

#[tokio::test]
async fn the_user_agent_names_the_plugin_and_its_version() {
    let config = configured(cluster("https://host")).await.unwrap();
    let (name, value) = &config.headers[0];
    assert_eq!(name, USER_AGENT);
    let expected = concat!("kubectl-ironflow-reap/", env!("CARGO_PKG_VERSION"), " (");
    assert!(value.to_str().unwrap().starts_with(expected), "{value:?}");
}

#[tokio::test]
async fn what_cannot_be_sent_or_used_is_refused_and_never_quoted() {
    let config = configured(cluster("https://host")).await.unwrap();
    let with = |change: fn(&mut AuthInfo)| {
        let mut config = config.clone();
        change(&mut config.auth_info);
        build(config, None).err().unwrap().to_string()
    };
    let messages = [
        with(|user| user.impersonate = Some("s3cret\n".to_owned())),
        with(|user| {
            user.client_certificate_data = Some(pem::encode(b"s3cret"));
            user.client_key_data = Some(pem::encode(b"s3cret").into());
        }),
    ];
    assert!(messages[0].contains("the name to impersonate"));
    assert_eq!(messages[1], "unable to set up TLS");
    assert!(!messages.concat().contains("s3cret"));
}
