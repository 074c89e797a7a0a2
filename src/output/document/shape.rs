//! The shape of the document: the names and types of its values.

use serde::Serialize;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document<'a> {
    pub(super) api_version: &'static str,
    pub(super) kind: &'static str,
    pub(super) context: Option<&'a str>,
    pub(super) server: Option<&'a str>,
    pub(super) namespace: Option<&'a str>,
    pub(super) taken_at: Option<String>,
    pub(super) clock: Option<Clock>,
    pub(super) dry_run: &'static str,
    pub(super) error: Option<&'a str>,
    pub(super) items: Vec<Item<'a>>,
    pub(super) unread: Vec<Unread<'a>>,
    pub(super) summary: Summary,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Clock {
    pub(super) source: &'static str,
    pub(super) skew_seconds: Option<i64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Item<'a> {
    pub(super) api_version: &'static str,
    pub(super) kind: &'static str,
    pub(super) namespace: &'a str,
    pub(super) name: &'a str,
    pub(super) uid: Option<&'a str>,
    pub(super) resource_version: Option<&'a str>,
    pub(super) component: Option<&'a str>,
    pub(super) run_id: Option<&'a str>,
    pub(super) root_run_id: Option<&'a str>,
    pub(super) step: Option<&'a str>,
    pub(super) node: Option<&'a str>,
    pub(super) status: &'a str,
    pub(super) verdict: &'static str,
    pub(super) reason: &'static str,
    pub(super) expires_at: Option<String>,
    pub(super) expires_at_seconds: Option<String>,
    pub(super) overdue_seconds: Option<i64>,
    pub(super) created_at: Option<String>,
    pub(super) age_seconds: Option<i64>,
    pub(super) warnings: Vec<String>,
    pub(super) outcome: Option<&'static str>,
    pub(super) error: Option<ItemError<'a>>,
}

#[derive(Serialize)]
pub(super) struct ItemError<'a> {
    pub(super) code: Option<u16>,
    pub(super) reason: Option<&'a str>,
    pub(super) message: &'a str,
}

#[derive(Serialize)]
pub(super) struct Unread<'a> {
    pub(super) kind: &'static str,
    pub(super) error: &'a str,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Summary {
    pub(super) candidates: usize,
    pub(super) deleted: usize,
    pub(super) already_gone: usize,
    pub(super) kept: usize,
    pub(super) failed: usize,
    pub(super) not_attempted: usize,
}
