//! Lists: selected, in pages, from one moment.

use std::ops::Bound;
use std::sync::Arc;

use serde_json::json;

use super::fault::Quirk;
use super::fields::FieldSelector;
use super::log::Received;
use super::object::Object;
use super::resource::Resource;
use super::selector::LabelSelector;
use super::status::Failure;
use super::store::{Key, Store, Table, range};
use super::token::Token;

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
        let limit: i64 = limit.parse().map_err(|_| {
            Failure::bad_request(format!(
                "strconv.ParseInt: parsing \"{limit}\": invalid syntax"
            ))
        })?;
        let mut query = Self {
            resource,
            prefix: namespace
                .map(|namespace| format!("{namespace}/"))
                .unwrap_or_default(),
            labels: labels.map_err(Failure::bad_request)?,
            fields: FieldSelector::parse(resource, fields).map_err(Failure::bad_request)?,
            // A negative limit is none.
            limit: usize::try_from(limit).unwrap_or(0),
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
mod tests;
