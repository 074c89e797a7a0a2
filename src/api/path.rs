//! The addresses of collections and their queries.

use reap_core::object::Kind;

/// Returns the path of a kind's collection; `None` is that of all namespaces.
pub(super) fn collection(kind: Kind, namespace: Option<&str>) -> String {
    let version = kind.api_version();
    let root = if version.contains('/') { "apis" } else { "api" };
    let plural = kind.plural();
    match namespace {
        Some(namespace) => format!("/{root}/{version}/namespaces/{namespace}/{plural}"),
        None => format!("/{root}/{version}/{plural}"),
    }
}

/// Encodes a query.
pub(super) fn encode(query: &[(&str, String)]) -> String {
    form_urlencoded::Serializer::new(String::new())
        .extend_pairs(query)
        .finish()
}
