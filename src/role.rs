//! The Role that grants what the plugin needs, to paste where a right is missing.

use reap_core::object::Kind;

/// Returns the lines of a Role, or of a `ClusterRole` where there is no one namespace, that lets its bearer list and
/// delete these kinds.
pub(crate) fn manifest(
    kinds: impl IntoIterator<Item = Kind>,
    namespace: Option<&str>,
) -> Vec<String> {
    let kinds: Vec<Kind> = kinds.into_iter().collect();
    let mut lines = vec!["apiVersion: rbac.authorization.k8s.io/v1".to_owned()];
    match namespace {
        Some(namespace) => lines.extend([
            "kind: Role".to_owned(),
            "metadata:".to_owned(),
            "  name: ironflow-reap".to_owned(),
            format!("  namespace: {namespace}"),
        ]),
        None => lines
            .extend(["kind: ClusterRole", "metadata:", "  name: ironflow-reap"].map(str::to_owned)),
    }
    lines.push("rules:".to_owned());
    for group in ["", "batch"] {
        let resources: Vec<&str> = kinds
            .iter()
            .filter(|kind| api_group(**kind) == group)
            .map(|kind| kind.plural())
            .collect();
        if !resources.is_empty() {
            lines.push(format!(r#"- apiGroups: ["{group}"]"#));
            lines.push(format!("  resources: [{}]", resources.join(", ")));
            lines.push("  verbs: [list, delete]".to_owned());
        }
    }
    lines
}

fn api_group(kind: Kind) -> &'static str {
    kind.api_version()
        .split_once('/')
        .map_or("", |(group, _)| group)
}
