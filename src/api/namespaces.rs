//! The names of namespaces, for completion.

use http::Request;
use http::header::ACCEPT;
use serde::Deserialize;

use super::Api;
use super::list::METADATA_LIST;

#[derive(Deserialize)]
struct List {
    items: Option<Vec<Item>>,
}

#[derive(Deserialize)]
struct Item {
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Metadata {
    name: String,
}

impl Api {
    /// Returns the names of the first 500 namespaces; `None` where they cannot be read.
    pub(crate) async fn namespaces(&self) -> Option<Vec<String>> {
        let request = Request::get("/api/v1/namespaces?limit=500")
            .header(ACCEPT, METADATA_LIST)
            .body(vec![])
            .ok()?;
        let answer = self.exchange(request).await.ok()?;
        let list: List = serde_json::from_slice(&answer.body).ok()?;
        let items = list.items.unwrap_or_default().into_iter();
        Some(items.map(|item| item.metadata.name).collect())
    }
}
