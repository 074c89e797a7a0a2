//! Answers for the names that a kubeconfig holds.

use super::{Environment, Options, kubeconfig};

/// The names in a kubeconfig.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    pub(crate) contexts: Vec<String>,
    pub(crate) clusters: Vec<String>,
    pub(crate) users: Vec<String>,
}

/// Reads them from the files that the flags or the environment name; none where a file cannot be read.
pub(crate) fn names(options: &Options) -> Names {
    let environment = Environment::of_process();
    let loaded = kubeconfig::load(options.kubeconfig_path(), &environment);
    let Ok(kubeconfig) = loaded else {
        return Names::default();
    };
    let contexts = kubeconfig.contexts.into_iter();
    let clusters = kubeconfig.clusters.into_iter();
    let users = kubeconfig.auth_infos.into_iter();
    Names {
        contexts: contexts.map(|entry| entry.name).collect(),
        clusters: clusters.map(|entry| entry.name).collect(),
        users: users.map(|entry| entry.name).collect(),
    }
}
