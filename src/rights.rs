//! The rights that a run needs: which are missing, and the Role that grants them.

use std::collections::BTreeSet;

use futures::future::join_all;
use reap_core::object::Kind;
use reap_core::plan::Plan;

use crate::api::Api;

/// In more namespaces than these nobody is asked about rights.
const MOST_NAMESPACES: usize = 20;

/// Asks the server in which namespaces of a plan the user may not delete which kinds. It only informs: what the server
/// does not tell is left out, and so is everything where there are too many namespaces.
pub(crate) async fn missing<'a>(api: &Api, plan: &'a Plan) -> Vec<(Kind, &'a str)> {
    let references = plan
        .candidates()
        .iter()
        .map(|candidate| &candidate.object().reference);
    let places: BTreeSet<(Kind, &str)> = references
        .map(|reference| (reference.kind, reference.namespace.as_str()))
        .collect();
    let namespaces: BTreeSet<&str> = places.iter().map(|(_, namespace)| *namespace).collect();
    if namespaces.len() > MOST_NAMESPACES {
        return vec![];
    }
    let answers = join_all(
        places
            .iter()
            .map(|(kind, namespace)| api.may_delete(*kind, namespace)),
    )
    .await;
    places
        .into_iter()
        .zip(answers)
        .filter(|(_, answer)| *answer == Some(false))
        .map(|(place, _)| place)
        .collect()
}

/// Returns the lines of a Role, or of a `ClusterRole` where there is no one namespace, that lets its bearer list and
/// delete these kinds.
///
/// Its name tells the kinds, so that applying one such Role never takes a right away that another one gave.
pub(crate) fn manifest(
    kinds: impl IntoIterator<Item = Kind>,
    namespace: Option<&str>,
) -> Vec<String> {
    let kinds: Vec<Kind> = kinds.into_iter().collect();
    let scope = namespace.map_or("ClusterRole", |_| "Role");
    let names: Vec<&str> = kinds.iter().map(|kind| kind.plural()).collect();
    let mut lines = vec![
        "apiVersion: rbac.authorization.k8s.io/v1".to_owned(),
        format!("kind: {scope}"),
        "metadata:".to_owned(),
        format!("  name: ironflow-reap-{}", names.join("-")),
    ];
    lines.extend(namespace.map(|namespace| format!("  namespace: {namespace}")));
    lines.push("rules:".to_owned());
    for group in ["", "batch"] {
        let resources: Vec<&str> = kinds
            .iter()
            .filter(|kind| kind.api_group() == group)
            .map(|kind| kind.plural())
            .collect();
        if !resources.is_empty() {
            lines.push(format!(r#"- apiGroups: ["{group}"]"#));
            lines.push(format!("  resources: [{}]", resources.join(", ")));
            lines.push("  verbs: [list, delete]".to_owned());
        }
    }
    if kinds.contains(&Kind::PersistentVolumeClaim) && !kinds.contains(&Kind::Pod) {
        // Which claims are in use is read from the pods that mount them.
        let rule = [
            r#"- apiGroups: [""]"#,
            "  resources: [pods]",
            "  verbs: [list]",
        ];
        lines.extend(rule.map(str::to_owned));
    }
    lines
}
