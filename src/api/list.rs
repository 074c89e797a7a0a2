//! Reading: pages of a kind, and one object again.

use http::{Request, StatusCode, header::ACCEPT};
use reap_core::object::{Kind, Object, ObjectRef};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::path::{collection, encode};
use super::status::{is_passing, server_error};
use super::{Answer, Api, Failure, Reading, Tries};

pub(super) const METADATA_LIST: &str =
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/// Which objects one page is asked for.
#[derive(Debug, Clone)]
pub(crate) struct PageRequest<'a> {
    /// The kind to list.
    pub(crate) kind: Kind,
    /// The namespace to list; `None` lists all of them.
    pub(crate) namespace: Option<&'a str>,
    /// The label selector.
    pub(crate) selector: &'a str,
    /// How many objects the page holds at most.
    pub(crate) limit: u32,
    /// Where the page before ended; `None` asks for the first.
    pub(crate) token: Option<&'a str>,
}

/// One page of a list.
#[derive(Debug)]
pub(crate) struct Page {
    /// The objects, in the server's order.
    pub(crate) objects: Vec<Object>,
    /// Where the next page begins; `None` where this is the last.
    pub(crate) next: Option<String>,
    /// How many bytes the page weighs.
    pub(crate) bytes: usize,
    /// The clocks when it came.
    pub(crate) reading: Reading,
}

/// One object, read again.
#[derive(Debug)]
pub(crate) struct Reread {
    /// The object; `None` where it is gone.
    pub(crate) object: Option<Object>,
    /// The clocks when it came.
    pub(crate) reading: Reading,
}

#[derive(Deserialize)]
struct List<'a> {
    kind: Option<String>,
    metadata: Option<ListMetadata>,
    #[serde(borrow)]
    items: Option<Vec<&'a RawValue>>,
}

#[derive(Deserialize)]
struct ListMetadata {
    #[serde(rename = "continue")]
    token: Option<String>,
}

impl Api {
    /// Reads one page. It is tried again while the failure may pass by itself.
    ///
    /// # Errors
    /// The server's no, no answer, or an answer that is no list of that kind.
    pub(crate) async fn page(&self, page: &PageRequest<'_>) -> Result<Page, Failure> {
        let mut query = vec![
            ("labelSelector", page.selector.to_owned()),
            ("limit", page.limit.to_string()),
        ];
        if let Some(token) = page.token {
            query.push(("continue", token.to_owned()));
        }
        let answer = self.read(page.kind, page.namespace, &query).await?;
        let page = decode(page.kind, page.namespace, &answer)?;
        Ok(page)
    }

    /// Reads one object again, with the right to list alone. Without a label selector an object is seen even when its
    /// labels were taken off.
    ///
    /// # Errors
    /// As for a page.
    pub(crate) async fn reread(
        &self,
        target: &ObjectRef,
        selector: Option<&str>,
    ) -> Result<Reread, Failure> {
        let mut query = vec![("fieldSelector", format!("metadata.name={}", target.name))];
        query.extend(selector.map(|selector| ("labelSelector", selector.to_owned())));
        let answer = self
            .read(target.kind, Some(&target.namespace), &query)
            .await?;
        let page = decode(target.kind, Some(&target.namespace), &answer)?;
        let object = page
            .objects
            .into_iter()
            .find(|object| object.reference.name == target.name);
        Ok(Reread {
            object,
            reading: page.reading,
        })
    }

    /// Reads a collection, trying again what fails in passing.
    async fn read(
        &self,
        kind: Kind,
        namespace: Option<&str>,
        query: &[(&str, String)],
    ) -> Result<Answer, Failure> {
        let mut tries = Tries::begin();
        loop {
            self.brake().await;
            let answered_before = self.answered.get();
            let answer = self.exchange(list_request(kind, namespace, query)).await;
            let (failure, wait) = match answer {
                Ok(answer) if answer.status == StatusCode::OK => return Ok(answer),
                Ok(answer) => {
                    let wait = is_passing(&answer)
                        .then(|| tries.again(answer.retry_after))
                        .flatten();
                    if let Some(wait) =
                        wait.filter(|_| answer.status == StatusCode::TOO_MANY_REQUESTS)
                    {
                        self.slow_down(wait);
                    }
                    (Failure::Server(server_error(&answer)), wait)
                }
                Err(why) => {
                    let wait = answered_before.then(|| tries.again(None)).flatten();
                    (Failure::Unanswered(why), wait)
                }
            };
            match wait {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return Err(failure),
            }
        }
    }
}

fn list_request(kind: Kind, namespace: Option<&str>, query: &[(&str, String)]) -> Request<Vec<u8>> {
    let accept = match kind {
        Kind::Job | Kind::Pod => "application/json",
        Kind::ConfigMap | Kind::PersistentVolumeClaim => METADATA_LIST,
    };
    let path = collection(kind, namespace);
    Request::get(format!("{path}?{}", encode(query)))
        .header(ACCEPT, accept)
        .body(vec![])
        .expect("paths and queries are built from checked and encoded parts")
}

fn decode(kind: Kind, namespace: Option<&str>, answer: &Answer) -> Result<Page, Failure> {
    let list: List<'_> =
        serde_json::from_slice(&answer.body).map_err(|_| unexpected(kind, "no Kubernetes list"))?;
    let expected = match kind {
        Kind::Job | Kind::Pod => format!("{}List", kind.as_str()),
        Kind::ConfigMap | Kind::PersistentVolumeClaim => "PartialObjectMetadataList".to_owned(),
    };
    match list.kind {
        Some(found) if found == expected => {}
        Some(found) => return Err(unexpected(kind, &format!("a {found}"))),
        None => return Err(unexpected(kind, "no Kubernetes list")),
    }
    let objects: Vec<Object> = list
        .items
        .unwrap_or_default()
        .into_iter()
        .map(|item| Object::from_json(kind, item.get()))
        .collect();
    if let Some(namespace) = namespace
        && let Some(stray) = objects
            .iter()
            .find(|object| object.reference.namespace != namespace)
        && !stray.reference.namespace.is_empty()
    {
        let what = format!("an object of namespace `{}`", stray.reference.namespace);
        return Err(unexpected(kind, &what));
    }
    Ok(Page {
        objects,
        next: list
            .metadata
            .and_then(|metadata| metadata.token)
            .filter(|token| !token.is_empty()),
        bytes: answer.body.len(),
        reading: answer.reading,
    })
}

fn unexpected(kind: Kind, what: &str) -> Failure {
    Failure::Unexpected(format!(
        "the server sent {what} when it was asked for {}",
        kind.plural()
    ))
}

#[cfg(test)]
mod tests;
