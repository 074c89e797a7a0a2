//! Answers for the kubeconfig: which files it consists of, and how they become one, by client-go's rules.

use std::io::ErrorKind;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use kube::config::{AuthInfo, Cluster, Kubeconfig, KubeconfigError};
use secrecy::{ExposeSecret, SecretString};

use super::{Environment, Error};

/// Reads `--kubeconfig` alone, else the files of `KUBECONFIG`, else `~/.kube/config`, and merges them: the first file
/// wins per entry. Empty when there is no file.
///
/// # Errors
///
/// A file that is named by the flag and missing, or any that cannot be read or understood
/// (client-go `ClientConfigLoadingRules.Load`).
pub(super) fn load(
    explicit: Option<&Path>,
    environment: &Environment,
) -> Result<Kubeconfig, Error> {
    if let Some(path) = explicit {
        return read(path)?.ok_or_else(|| Error::NoSuchKubeconfig(path.to_owned()));
    }
    let mut merged = Kubeconfig::default();
    for path in default_paths(environment) {
        if let Some(next) = read(&path)? {
            merged = merged
                .merge(next)
                .map_err(|error| unreadable(&path, &error))?;
        }
    }
    Ok(merged)
}

fn default_paths(environment: &Environment) -> Vec<PathBuf> {
    match (&environment.kubeconfig, &environment.home) {
        (Some(list), _) => std::env::split_paths(list)
            .filter(|path| !path.as_os_str().is_empty())
            .collect(),
        (None, Some(home)) => vec![home.join(".kube").join("config")],
        (None, None) => Vec::new(),
    }
}

fn read(path: &Path) -> Result<Option<Kubeconfig>, Error> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(source) => {
            return Err(Error::ReadKubeconfig {
                path: path.to_owned(),
                source,
            });
        }
    };
    let mut kubeconfig = Kubeconfig::from_yaml(&text).map_err(|error| unreadable(path, &error))?;
    // Files of other kinds would not merge; client-go looks at neither.
    kubeconfig.kind = None;
    kubeconfig.api_version = None;
    let directory = path.parent().unwrap_or(Path::new(""));
    unset_empty([&mut kubeconfig.current_context]);
    for named in &mut kubeconfig.contexts {
        if let Some(context) = &mut named.context {
            unset_empty([&mut context.user, &mut context.namespace]);
        }
    }
    for named in &mut kubeconfig.clusters {
        if let Some(cluster) = &mut named.cluster {
            normalize_cluster(cluster, directory);
        }
    }
    for named in &mut kubeconfig.auth_infos {
        if let Some(user) = &mut named.auth_info {
            normalize_user(user, directory);
        }
    }
    Ok(Some(kubeconfig))
}

fn normalize_cluster(cluster: &mut Cluster, directory: &Path) {
    unset_empty([
        &mut cluster.server,
        &mut cluster.certificate_authority,
        &mut cluster.certificate_authority_data,
        &mut cluster.proxy_url,
        &mut cluster.tls_server_name,
    ]);
    resolve([&mut cluster.certificate_authority], directory);
}

fn normalize_user(user: &mut AuthInfo, directory: &Path) {
    unset_empty([
        &mut user.username,
        &mut user.token_file,
        &mut user.client_certificate,
        &mut user.client_certificate_data,
        &mut user.client_key,
        &mut user.impersonate,
        &mut user.impersonate_uid,
    ]);
    for secret in [
        &mut user.password,
        &mut user.token,
        &mut user.client_key_data,
    ] {
        secret.take_if(|secret: &mut SecretString| secret.expose_secret().is_empty());
    }
    resolve(
        [
            &mut user.token_file,
            &mut user.client_certificate,
            &mut user.client_key,
        ],
        directory,
    );
    // A command without a separator is looked up in PATH.
    if let Some(exec) = &mut user.exec
        && exec
            .command
            .as_ref()
            .is_some_and(|command| command.contains(MAIN_SEPARATOR))
    {
        resolve([&mut exec.command], directory);
    }
}

/// What is empty is set to kube and not set to client-go.
fn unset_empty<const N: usize>(fields: [&mut Option<String>; N]) {
    for field in fields {
        field.take_if(|text| text.is_empty());
    }
}

fn resolve<const N: usize>(fields: [&mut Option<String>; N], directory: &Path) {
    for path in fields.into_iter().flatten() {
        *path = directory.join(&*path).to_string_lossy().into_owned();
    }
}

/// The parser's own message quotes lines of the file, tokens included.
fn unreadable(path: &Path, error: &KubeconfigError) -> Error {
    let position = if let KubeconfigError::Parse(error) = error
        && let Some(location) = error.location()
    {
        format!(" (line {}, column {})", location.line(), location.column())
    } else {
        String::new()
    };
    Error::ParseKubeconfig {
        path: path.to_owned(),
        position,
    }
}

#[cfg(test)]
mod tests;
