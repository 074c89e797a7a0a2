//! Lists: selected, in pages, from one moment.

use std::ops::Bound;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::fault::Quirk;
use super::fields::FieldSelector;
use super::log::Received;
use super::object::Object;
use super::resource::Resource;
use super::selector::LabelSelector;
use super::status::Failure;
use super::store::{Key, Store, Table, range};

/// Where a list goes on, in the form of the real server's tokens.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Token {
    #[serde(rename = "v")]
    version: String,
    /// The moment that the list shows; -1 stands for the latest.
    #[serde(rename = "rv")]
    moment: i64,
    /// The last key that was looked at, with a zero byte after it, relative to what is listed.
    start: String,
    /// How many objects are left, so that nobody has to count them again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left: Option<usize>,
    /// How often a list that never ends has begun anew.
    #[serde(default, skip_serializing_if = "is_zero")]
    lap: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Token {
    fn parse(token: &str) -> Result<Self, Failure> {
        let bytes = URL_SAFE_NO_PAD
            .decode(token)
            .map_err(|error| error.to_string());
        let parsed = bytes.and_then(|bytes| {
            serde_json::from_slice::<Self>(&bytes).map_err(|error| error.to_string())
        });
        parsed.map_err(|error| {
            Failure::bad_request(format!(
                "invalid continue token: continue key is not valid: {error}"
            ))
        })
    }

    fn encode(&self) -> String {
        URL_SAFE_NO_PAD.encode(json!(self).to_string())
    }
}

/// What a client wants to see of a kind.
pub(super) struct Query<'a> {
    resource: Resource,
    /// What the keys of the namespace begin with; empty for all of them.
    prefix: String,
    labels: LabelSelector,
    fields: FieldSelector,
    limit: usize,
    token: Option<Token>,
    sent: Option<&'a str>,
    quirks: &'a [Quirk],
    metadata_only: bool,
}

impl<'a> Query<'a> {
    pub(super) fn new(
        resource: Resource,
        namespace: Option<&str>,
        received: &'a Received,
        quirks: &'a [Quirk],
        metadata_only: bool,
    ) -> Result<Self, Failure> {
        let labels = LabelSelector::parse(received.parameter("labelSelector").unwrap_or_default());
        let fields = received.parameter("fieldSelector").unwrap_or_default();
        let limit = received.parameter("limit").unwrap_or("0");
        let mut query = Self {
            resource,
            prefix: namespace
                .map(|namespace| format!("{namespace}/"))
                .unwrap_or_default(),
            labels: labels.map_err(Failure::bad_request)?,
            fields: FieldSelector::parse(resource, fields).map_err(Failure::bad_request)?,
            limit: limit.parse().map_err(|_| {
                Failure::bad_request(format!(
                    "strconv.ParseInt: parsing \"{limit}\": invalid syntax"
                ))
            })?,
            sent: received.parameter("continue"),
            token: received
                .parameter("continue")
                .map(Token::parse)
                .transpose()?,
            quirks,
            metadata_only,
        };
        if query.has(Quirk::IgnoresLabelSelector) {
            query.labels = LabelSelector::default();
        }
        if query.has(Quirk::IgnoresFieldSelector) {
            query.fields = FieldSelector::default();
        }
        if query.has(Quirk::IgnoresLimit) {
            query.limit = 0;
        }
        Ok(query)
    }

    fn has(&self, quirk: Quirk) -> bool {
        self.quirks.contains(&quirk)
    }

    /// The moment that the list shows; a token whose moment is forgotten gets one that goes on with the present.
    pub(super) fn moment(&self, store: &mut Store) -> Result<Moment, Failure> {
        let present = Moment {
            version: store.version(),
            table: store.table(self.resource),
        };
        let moment = match &self.token {
            None => present,
            Some(token) if token.moment == -1 => present,
            Some(token) => {
                let version = u64::try_from(token.moment).unwrap_or_default();
                let expired = || {
                    let restart = Token {
                        moment: -1,
                        left: None,
                        ..token.clone()
                    };
                    Failure::expired(restart.encode())
                };
                let table = store.moment(self.resource, version).ok_or_else(expired)?;
                return Ok(Moment { version, table });
            }
        };
        if self.limit > 0 {
            store.remember(self.resource);
        }
        Ok(moment)
    }

    /// The list as JSON text.
    pub(super) fn answer(&self, moment: &Moment) -> String {
        let start = self.token.as_ref().map_or_else(
            || Bound::Included(self.prefix.clone()),
            |token| {
                Bound::Excluded(format!(
                    "{}{}",
                    self.prefix,
                    token.start.trim_end_matches('\0')
                ))
            },
        );
        let start = start.as_ref().map(String::as_str);
        let mut rest = range(&moment.table, start, &self.prefix).peekable();
        let (mut items, mut seen, mut chosen) = (String::new(), 0, 0);
        let mut last: Option<&Key> = None;
        while rest.peek().is_some() && (self.limit == 0 || chosen < self.limit) {
            let Some((key, object)) = rest.next() else {
                break;
            };
            seen += 1;
            last = Some(key);
            if self.selects(object) {
                if chosen > 0 {
                    items.push(',');
                }
                object.write_item(self.resource, self.metadata_only, &mut items);
                chosen += 1;
            }
        }
        let more = rest.peek().is_some();
        let left = more.then(|| {
            let known = self.token.as_ref().and_then(|token| token.left);
            known.map_or_else(|| rest.count(), |known| known.saturating_sub(seen))
        });
        self.frame(moment, last.filter(|_| more), left, &items)
    }

    fn selects(&self, object: &Object) -> bool {
        self.labels.matches(&object.labels) && self.fields.matches(object)
    }

    fn frame(
        &self,
        moment: &Moment,
        last: Option<&Key>,
        left: Option<usize>,
        items: &str,
    ) -> String {
        let mut metadata = json!({"resourceVersion": moment.version.to_string()});
        if let Some(token) = self.next(moment, last, left) {
            metadata["continue"] = token.into();
            if let Some(left) = left.filter(|_| self.labels.is_empty() && self.fields.is_empty()) {
                metadata["remainingItemCount"] = left.into();
            }
        }
        let (kind, version) = if self.metadata_only {
            ("PartialObjectMetadata", "meta.k8s.io/v1")
        } else {
            (self.resource.kind(), self.resource.api_version())
        };
        let items = if items.is_empty() && self.metadata_only {
            "null".to_owned()
        } else {
            format!("[{items}]")
        };
        format!(
            r#"{{"kind":"{kind}List","apiVersion":"{version}","metadata":{metadata},"items":{items}}}"#
        )
    }

    /// The token of the next page, if there is one.
    fn next(&self, moment: &Moment, last: Option<&Key>, left: Option<usize>) -> Option<String> {
        if let Some(sent) = self.sent.filter(|_| self.has(Quirk::RepeatsContinue)) {
            return Some(sent.to_owned());
        }
        let lap = self.token.as_ref().map_or(0, |token| token.lap);
        let (start, lap) = match last {
            Some(key) => (&key[self.prefix.len()..], lap),
            None if self.has(Quirk::NeverEnds) => ("", lap + 1),
            None => return None,
        };
        let token = Token {
            version: "meta.k8s.io/v1".to_owned(),
            moment: i64::try_from(moment.version).unwrap_or(-1),
            start: format!("{start}\0"),
            left,
            lap,
        };
        Some(token.encode())
    }
}

/// The objects of a kind as they were at a version.
pub(super) struct Moment {
    version: u64,
    table: Arc<Table>,
}

#[cfg(test)]
mod tests {
    use http::Request;
    use http_body_util::Full;
    use serde_json::Value;

    use super::super::asking::{add_pod, ask_with, get, names};
    use super::super::{Fault, Server, on};
    use super::*;

    const PODS: &str = "/api/v1/namespaces/n/pods";

    fn three_pods() -> Server {
        let server = Server::new();
        for (name, app) in [("a", "x"), ("b", "y"), ("c", "x")] {
            add_pod(
                &server,
                name,
                &json!({"metadata": {"labels": {"app": app}}}),
            );
        }
        server.add(json!({"kind": "Pod", "metadata": {"name": "d", "namespace": "n-2"}}));
        server
    }

    fn token(list: &Value) -> &str {
        list["metadata"]["continue"].as_str().unwrap()
    }

    #[tokio::test]
    async fn pages_show_everything_once_from_one_moment() {
        let server = three_pods();
        let (_, first) = get(&server, "/api/v1/pods?limit=2").await;
        assert_eq!(names(&first), ["d", "a"], "etcd sorts n-2/d before n/a");
        assert_eq!(first["metadata"]["remainingItemCount"], 2);
        server.remove(Resource::Pods, "n", "c");
        let next = format!("/api/v1/pods?limit=1&continue={}", token(&first));
        let (_, second) = get(&server, &next).await;
        assert_eq!(
            (names(&second), &second["metadata"]["remainingItemCount"]),
            (vec!["b"], &json!(1))
        );
        let next = format!("/api/v1/pods?limit=1&continue={}", token(&second));
        let (_, third) = get(&server, &next).await;
        assert_eq!(names(&third), ["c"]);
        assert_eq!(
            third["metadata"],
            json!({"resourceVersion": first["metadata"]["resourceVersion"]})
        );
    }

    #[tokio::test]
    async fn an_expired_token_is_answered_with_one_that_goes_on() {
        let server = three_pods();
        let (_, first) = get(&server, &format!("{PODS}?limit=1")).await;
        server.expire_continue_tokens();
        server.remove(Resource::Pods, "n", "b");
        let (code, gone) = get(
            &server,
            &format!("{PODS}?limit=1&continue={}", token(&first)),
        )
        .await;
        assert_eq!((code, &gone["reason"]), (410, &json!("Expired")));
        let (_, rest) = get(&server, &format!("{PODS}?continue={}", token(&gone))).await;
        assert_eq!(names(&rest), ["c"]);
        assert_eq!(
            get(&server, &format!("{PODS}?continue=nonsense")).await.0,
            400
        );
    }

    #[tokio::test]
    async fn selectors_choose_and_hide_the_remaining_count() {
        let server = three_pods();
        let (_, list) = get(&server, &format!("{PODS}?labelSelector=app%3Dx&limit=1")).await;
        assert_eq!(names(&list), ["a"]);
        assert_eq!(list["metadata"]["remainingItemCount"], Value::Null);
        let next = format!(
            "{PODS}?labelSelector=app%3Dx&limit=1&continue={}",
            token(&list)
        );
        assert_eq!(names(&get(&server, &next).await.1), ["c"]);
        let (_, list) = get(
            &server,
            "/api/v1/pods?fieldSelector=metadata.name%3Db,status.phase!%3DFailed",
        )
        .await;
        assert_eq!(names(&list), ["b"]);
        let (code, refusal) = get(&server, "/api/v1/pods?labelSelector=a%3D%3D%3D").await;
        assert_eq!((code, &refusal["reason"]), (400, &json!("BadRequest")));
    }

    #[tokio::test]
    async fn metadata_alone_is_null_where_there_is_nothing() {
        let server = three_pods();
        let list = async |path: &str| {
            let accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
            let request = Request::get(path)
                .header("accept", accept)
                .body(Full::default());
            ask_with(&server, request.unwrap()).await.1
        };
        let (_, typed) = get(&server, "/api/v1/configmaps").await;
        assert_eq!(
            (&typed["kind"], &typed["items"]),
            (&json!("ConfigMapList"), &json!([]))
        );
        let empty = list("/api/v1/configmaps").await;
        assert_eq!(
            (&empty["kind"], &empty["items"]),
            (&json!("PartialObjectMetadataList"), &Value::Null)
        );
        let pods = list("/api/v1/namespaces/n-2/pods").await;
        assert_eq!(names(&pods), ["d"]);
        assert_eq!(pods["items"][0]["spec"], Value::Null);
    }

    #[tokio::test]
    async fn quirks_break_one_rule_each() {
        let broken = async |quirk, query: &str| {
            let server = three_pods();
            server.fault(on(http::Method::GET, "/pods?"), Fault::quirk(quirk));
            get(&server, &format!("{PODS}?{query}")).await.1
        };
        let list = broken(Quirk::IgnoresLabelSelector, "labelSelector=app%3Dy").await;
        assert_eq!(names(&list).len(), 3);
        let list = broken(
            Quirk::IgnoresFieldSelector,
            "fieldSelector=metadata.name%3Da",
        )
        .await;
        assert_eq!(names(&list).len(), 3);
        let list = broken(Quirk::IgnoresLimit, "limit=1").await;
        assert_eq!(names(&list).len(), 3);
    }

    #[tokio::test]
    async fn a_repeated_token_shows_the_same_page_again() {
        let server = three_pods();
        let first_page = format!("{PODS}?limit=1");
        server.fault(
            on(http::Method::GET, "continue="),
            Fault::quirk(Quirk::RepeatsContinue),
        );
        let (_, first) = get(&server, &first_page).await;
        let (_, second) = get(&server, &format!("{first_page}&continue={}", token(&first))).await;
        assert_eq!((names(&second), token(&second)), (vec!["b"], token(&first)));
    }

    #[tokio::test]
    async fn a_list_that_never_ends_never_repeats_a_token() {
        let server = three_pods();
        server.fault(
            on(http::Method::GET, "/pods?"),
            Fault::quirk(Quirk::NeverEnds),
        );
        let mut tokens = std::collections::BTreeSet::new();
        let mut target = format!("{PODS}?limit=2");
        for _ in 0..9 {
            let (_, list) = get(&server, &target).await;
            assert!(!names(&list).is_empty());
            assert!(tokens.insert(token(&list).to_owned()));
            target = format!("{PODS}?limit=2&continue={}", token(&list));
        }
    }
}
