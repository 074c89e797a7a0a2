use std::collections::HashMap;

use secrecy::ExposeSecret;

use super::super::fixture::Home;
use super::*;

/// A plugin that is this shell script.
fn plugin(script: &str) -> ExecConfig {
    ExecConfig {
        api_version: Some(V1.to_owned()),
        command: Some("sh".to_owned()),
        args: Some(vec!["-c".to_owned(), script.to_owned()]),
        interactive_mode: Some(ExecInteractiveMode::Never),
        ..ExecConfig::default()
    }
}

fn answer(version: &str, status: &str) -> String {
    format!(r#"echo '{{"apiVersion":"{version}","kind":"ExecCredential","status":{status}}}'"#)
}

async fn message(exec: &ExecConfig) -> String {
    let error = run(exec, &Cluster::default(), false).await.err().unwrap();
    error.to_string()
}

#[tokio::test]
async fn a_plugin_gives_a_token_by_either_version() {
    for version in [V1, V1BETA1] {
        let exec = ExecConfig {
            api_version: Some(version.to_owned()),
            ..plugin(&answer(version, r#"{"token":"t0ken"}"#))
        };
        let credential = run(&exec, &Cluster::default(), false).await.unwrap();
        assert_eq!(credential.token.unwrap().header, "Bearer t0ken");
        assert!(credential.certificate.is_none());
    }
}

#[tokio::test]
async fn an_answer_may_be_yaml() {
    let exec = plugin(&format!(
        "printf 'apiVersion: {V1}\\nkind: ExecCredential\\nstatus:\\n  token: t0ken\\n'"
    ));
    let credential = run(&exec, &Cluster::default(), false).await.unwrap();
    assert_eq!(credential.token.unwrap().header, "Bearer t0ken");
}

#[tokio::test]
async fn a_plugin_gives_a_certificate_with_its_key() {
    let status = r#"{"clientCertificateData":"crt","clientKeyData":"key"}"#;
    let exec = plugin(&answer(V1, status));
    let credential = run(&exec, &Cluster::default(), false).await.unwrap();
    let (certificate, key) = credential.certificate.unwrap();
    assert_eq!((certificate.as_str(), key.expose_secret()), ("crt", "key"));
}

#[tokio::test]
async fn a_plugin_is_told_its_version_its_cluster_and_whether_it_may_ask() {
    let home = Home::new();
    let seen = home.path("seen");
    let exec = ExecConfig {
        provide_cluster_info: true,
        env: Some(vec![HashMap::from([
            ("name".to_owned(), "SEEN".to_owned()),
            ("value".to_owned(), seen.display().to_string()),
        ])]),
        interactive_mode: Some(ExecInteractiveMode::IfAvailable),
        ..plugin(&format!(
            "printf %s \"$KUBERNETES_EXEC_INFO\" >\"$SEEN\"; {}",
            answer(V1, r#"{"token":"t"}"#)
        ))
    };
    let cluster = Cluster {
        server: Some("https://host:6443".to_owned()),
        certificate_authority_data: Some("Y2E=".to_owned()),
        ..Cluster::default()
    };
    for terminal in [true, false] {
        run(&exec, &cluster, terminal).await.unwrap();
        let seen: serde_json::Value =
            serde_json::from_slice(&std::fs::read(&seen).unwrap()).unwrap();
        assert_eq!(seen["apiVersion"], V1);
        assert_eq!(seen["kind"], "ExecCredential");
        assert_eq!(seen["spec"]["interactive"], terminal);
        assert_eq!(seen["spec"]["cluster"]["server"], "https://host:6443");
        // Another newline may end the text that the plugin gets.
        let authority = seen["spec"]["cluster"]["certificate-authority-data"].as_str();
        assert!(authority.unwrap().starts_with("Y2"));
    }
}

#[tokio::test]
async fn a_plugin_that_may_not_ask_finds_its_stdin_empty() {
    let script = format!(
        "if read -r line; then exit 3; fi; {}",
        answer(V1, r#"{"token":"t"}"#)
    );
    for mode in [ExecInteractiveMode::Never, ExecInteractiveMode::IfAvailable] {
        let exec = ExecConfig {
            interactive_mode: Some(mode),
            ..plugin(&script)
        };
        run(&exec, &Cluster::default(), false).await.unwrap();
    }
}

#[tokio::test]
async fn a_plugin_that_must_ask_is_refused_without_a_terminal() {
    let exec = ExecConfig {
        interactive_mode: Some(ExecInteractiveMode::Always),
        ..plugin("exit 3")
    };
    assert_eq!(
        message(&exec).await,
        "getting credentials: exec plugin cannot support interactive mode: standard input is not a terminal"
    );
}

#[tokio::test]
async fn a_failing_plugin_is_named_without_its_arguments_environment_and_output() {
    let exec = ExecConfig {
        env: Some(vec![HashMap::from([
            ("name".to_owned(), "PASSWORD".to_owned()),
            ("value".to_owned(), "s3cret".to_owned()),
        ])]),
        ..plugin("echo $PASSWORD; exit 7")
    };
    let error = run(&exec, &Cluster::default(), false).await.err().unwrap();
    assert_eq!(
        error.to_string(),
        "getting credentials: exec: executable sh failed with exit code 7"
    );
    assert!(!format!("{error:?}").contains("s3cret"));
    assert_eq!(
        message(&plugin("kill -9 $$")).await,
        "getting credentials: exec: executable sh failed with a signal"
    );
}

#[tokio::test]
async fn a_missing_plugin_shows_its_install_hint() {
    let exec = ExecConfig {
        command: Some("/no/such/plugin".to_owned()),
        install_hint: Some("brew install it".to_owned()),
        ..plugin("")
    };
    let error = run(&exec, &Cluster::default(), false).await.err().unwrap();
    assert_eq!(
        error.to_string(),
        "getting credentials: exec: executable /no/such/plugin not found"
    );
    assert_eq!(error.hint().as_deref(), Some("brew install it"));
}

#[tokio::test]
async fn an_answer_that_is_no_credential_is_refused_and_never_quoted() {
    let cases = [
        ("echo s3cret".to_owned(), "it is no ExecCredential"),
        (
            answer(V1BETA1, r#"{"token":"s3cret"}"#),
            "returned another one",
        ),
        (answer(V1, "null"), "didn't return a status field"),
        (
            answer(V1, r#"{"token":""}"#),
            "didn't return a token or cert/key pair",
        ),
        (
            answer(V1, r#"{"token":"s3cret","clientKeyData":"s3cret"}"#),
            "not both",
        ),
    ];
    for (script, reason) in cases {
        let error = run(&plugin(&script), &Cluster::default(), false)
            .await
            .err()
            .unwrap();
        assert!(error.to_string().ends_with(reason), "{error}");
        assert!(!format!("{error} {error:?}").contains("s3cret"));
    }
}

#[tokio::test]
async fn an_incomplete_entry_is_refused_before_anything_runs() {
    let v1 = plugin("exit 3");
    let cases = [
        (
            ExecConfig {
                api_version: None,
                ..v1.clone()
            },
            "invalid apiVersion",
        ),
        (
            ExecConfig {
                command: None,
                ..v1.clone()
            },
            "command must be specified",
        ),
        (
            ExecConfig {
                interactive_mode: None,
                ..v1
            },
            "interactiveMode must be specified",
        ),
    ];
    for (exec, reason) in cases {
        assert_eq!(
            message(&exec).await,
            format!("getting credentials: exec plugin: {reason}")
        );
    }
}
