//! Answers for the choice: one cluster, one user and one namespace out of the kubeconfig, the flags and the pod.

use kube::config::{AuthInfo, Cluster, Context, Kubeconfig};

use super::{Environment, Error, Options, in_cluster, kubeconfig, overrides};

/// What was chosen, with the flags put in; the files that it names are not read yet.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) context: Option<String>,
    pub(super) namespace: String,
    pub(super) in_cluster: bool,
    pub(super) cluster: Cluster,
    pub(super) user: AuthInfo,
}

/// Chooses by the flags, else by the current context; the pod's own cluster only if nothing at all is configured.
///
/// # Errors
///
/// A context, cluster or user that does not exist, no server, an invalid namespace, and what
/// [`overrides::apply`] refuses.
pub(super) fn choose(options: &Options, environment: &Environment) -> Result<Target, Error> {
    let path = options.kubeconfig_path();
    let kubeconfig = kubeconfig::load(path, environment)?;
    let named = [
        &options.context,
        &options.cluster,
        &options.user,
        &options.server,
    ]
    .into_iter()
    .any(|flag| given(flag.as_deref()).is_some());
    let mut target = if named || path.is_some() || !is_empty(&kubeconfig) {
        pick(&kubeconfig, options, environment)?
    } else {
        in_cluster::target(environment).ok_or(Error::NothingConfigured)?
    };
    overrides::apply(options, &mut target)?;
    if reap_core::object::is_namespace(&target.namespace) {
        Ok(target)
    } else {
        Err(Error::InvalidNamespace(target.namespace))
    }
}

/// A flag's value, or `None` if it is not given or empty.
pub(super) fn given(flag: Option<&str>) -> Option<&str> {
    flag.filter(|value| !value.is_empty())
}

fn is_empty(kubeconfig: &Kubeconfig) -> bool {
    kubeconfig.clusters.is_empty()
        && kubeconfig.auth_infos.is_empty()
        && kubeconfig.contexts.is_empty()
        && kubeconfig.current_context.is_none()
}

fn pick(
    kubeconfig: &Kubeconfig,
    options: &Options,
    environment: &Environment,
) -> Result<Target, Error> {
    let context_name = given(options.context.as_deref()).or(kubeconfig.current_context.as_deref());
    let contexts = kubeconfig.contexts.iter().map(|x| (&x.name, &x.context));
    let context: Context = find("context", context_name, contexts.clone())?;

    let cluster_name = given(options.cluster.as_deref())
        .or(Some(context.cluster.as_str()).filter(|name| !name.is_empty()));
    let clusters = kubeconfig.clusters.iter().map(|x| (&x.name, &x.cluster));
    let cluster: Cluster = find("cluster", cluster_name, clusters)?;

    let user_name = given(options.user.as_deref()).or(context.user.as_deref());
    let users = kubeconfig
        .auth_infos
        .iter()
        .map(|x| (&x.name, &x.auth_info));
    let user = find("user", user_name, users)?;

    if cluster.server.is_none() && given(options.server.as_deref()).is_none() {
        return Err(match (cluster_name, context_name) {
            (Some(cluster), _) => Error::NoServer(cluster.to_owned()),
            (None, Some(context)) => Error::NoCluster(context.to_owned()),
            (None, None) => Error::NoContext {
                known: contexts.map(|(name, _)| name.clone()).collect(),
            },
        });
    }
    Ok(Target {
        context: context_name.map(ToOwned::to_owned),
        // Next to a kubeconfig without a namespace, client-go takes the pod's.
        namespace: context
            .namespace
            .or_else(|| {
                in_cluster::is_possible(environment).then(|| in_cluster::namespace(environment))
            })
            .unwrap_or_else(|| "default".to_owned()),
        in_cluster: false,
        cluster,
        user,
    })
}

fn find<'a, T: Clone + Default + 'a>(
    what: &'static str,
    name: Option<&str>,
    entries: impl Iterator<Item = (&'a String, &'a Option<T>)> + Clone,
) -> Result<T, Error> {
    let Some(name) = name else {
        return Ok(T::default());
    };
    match entries.clone().find(|(known, _)| *known == name) {
        Some((_, entry)) => Ok(entry.clone().unwrap_or_default()),
        None => Err(Error::Unknown {
            what,
            name: name.to_owned(),
            known: entries.map(|(known, _)| known.clone()).collect(),
        }),
    }
}

#[cfg(test)]
mod tests;
