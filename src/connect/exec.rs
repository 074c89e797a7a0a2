//! Answers for credential plugins: one run, and what it says (client-go `plugin/pkg/client/auth/exec`).

use std::io::ErrorKind;
use std::process::Stdio;

use k8s_openapi::jiff::Timestamp;
use kube::config::{Cluster, ExecAuthCluster, ExecConfig, ExecInteractiveMode};
use secrecy::SecretString;
use serde::Deserialize;
use tokio::process::Command;

use super::Error;
use super::bearer::Token;
use super::error::words;

const V1: &str = "client.authentication.k8s.io/v1";
const V1BETA1: &str = "client.authentication.k8s.io/v1beta1";

/// What a plugin gave: a token, or a certificate and its key, or both.
pub(super) struct Credential {
    pub(super) token: Option<Token>,
    /// PEM, the certificate first.
    pub(super) certificate: Option<(String, SecretString)>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    #[serde(default)]
    api_version: String,
    #[serde(default)]
    kind: String,
    status: Option<Status>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    token: Option<String>,
    client_certificate_data: Option<String>,
    client_key_data: Option<String>,
    expiration_timestamp: Option<Timestamp>,
}

/// Runs the plugin, however long its login takes. It gets the terminal as stdin only where it may ask, and an empty
/// stdin otherwise; its stderr is ours.
///
/// # Errors
///
/// A plugin that may not or cannot run, fails, or answers with anything but a credential.
pub(super) async fn run(
    exec: &ExecConfig,
    cluster: &Cluster,
    terminal: bool,
) -> Result<Credential, Error> {
    let Some(version @ (V1 | V1BETA1)) = exec.api_version.as_deref() else {
        return Err(failure("exec plugin: invalid apiVersion"));
    };
    let interactive = is_interactive(exec, version, terminal)?;
    let name = exec.command.as_deref().unwrap_or_default();
    if name.is_empty() {
        return Err(failure("exec plugin: command must be specified"));
    }
    let mut command = Command::new(name);
    command
        .args(exec.args.iter().flatten())
        .envs(
            exec.env
                .iter()
                .flatten()
                .filter_map(|entry| Some((entry.get("name")?, entry.get("value")?))),
        )
        .env(
            "KUBERNETES_EXEC_INFO",
            question(exec, version, cluster, interactive)?,
        )
        .stdin(if interactive {
            Stdio::inherit()
        } else {
            Stdio::null()
        })
        .stderr(Stdio::inherit())
        .kill_on_drop(true);
    let output = command.output().await.map_err(|error| Error::Exec {
        install_hint: (error.kind() == ErrorKind::NotFound)
            .then(|| exec.install_hint.clone())
            .flatten(),
        message: if error.kind() == ErrorKind::NotFound {
            format!("exec: executable {name} not found")
        } else {
            format!("exec: executable {name} failed to start: {}", words(&error))
        },
    })?;
    if !output.status.success() {
        let outcome = match output.status.code() {
            Some(code) => format!("exit code {code}"),
            None => "a signal".to_owned(),
        };
        return Err(failure(&format!(
            "exec: executable {name} failed with {outcome}"
        )));
    }
    read_answer(&output.stdout, version)
}

fn is_interactive(exec: &ExecConfig, version: &str, terminal: bool) -> Result<bool, Error> {
    match (&exec.interactive_mode, version) {
        (Some(ExecInteractiveMode::Never), _) => Ok(false),
        (Some(ExecInteractiveMode::IfAvailable), _) | (None, V1BETA1) => Ok(terminal),
        (Some(ExecInteractiveMode::Always), _) if terminal => Ok(true),
        (Some(ExecInteractiveMode::Always), _) => Err(failure(
            "exec plugin cannot support interactive mode: standard input is not a terminal",
        )),
        (None, _) => Err(failure("exec plugin: interactiveMode must be specified")),
    }
}

fn question(
    exec: &ExecConfig,
    version: &str,
    cluster: &Cluster,
    interactive: bool,
) -> Result<String, Error> {
    let mut spec = serde_json::json!({ "interactive": interactive });
    if exec.provide_cluster_info {
        let unusable = "exec plugin: the cluster's information cannot be passed on";
        let cluster = ExecAuthCluster::try_from(cluster).map_err(|_| failure(unusable))?;
        spec["cluster"] = serde_json::to_value(cluster).map_err(|_| failure(unusable))?;
    }
    let question = serde_json::json!({
        "apiVersion": version,
        "kind": "ExecCredential",
        "spec": spec,
    });
    Ok(question.to_string())
}

fn read_answer(stdout: &[u8], version: &str) -> Result<Credential, Error> {
    // client-go reads YAML too; the parsers' own messages may quote what they read.
    let answer: Answer = serde_json::from_slice(stdout)
        .or_else(|_| serde_yaml_ng::from_slice(stdout))
        .map_err(|_| failure("decoding stdout: it is no ExecCredential"))?;
    if answer.kind != "ExecCredential" || answer.api_version != version {
        return Err(failure(&format!(
            "exec plugin is configured to use API version {version}, plugin returned another one"
        )));
    }
    let status = answer
        .status
        .ok_or_else(|| failure("exec plugin didn't return a status field"))?;
    let given = |field: Option<String>| field.filter(|text| !text.is_empty());
    let token = given(status.token)
        .map(|token| Token::new(&token, status.expiration_timestamp))
        .transpose()?;
    let certificate = match (
        given(status.client_certificate_data),
        given(status.client_key_data),
    ) {
        (Some(certificate), Some(key)) => Some((certificate, key.into())),
        (None, None) if token.is_some() => None,
        (None, None) => {
            return Err(failure(
                "exec plugin didn't return a token or cert/key pair",
            ));
        }
        (Some(_), None) | (None, Some(_)) => {
            return Err(failure(
                "exec plugin returned only certificate or key, not both",
            ));
        }
    };
    Ok(Credential { token, certificate })
}

pub(super) fn failure(message: &str) -> Error {
    Error::Exec {
        message: message.to_owned(),
        install_hint: None,
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
