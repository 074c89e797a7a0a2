//! The one document of `-o json` and `-o yaml`.

mod shape;

use k8s_openapi::jiff::Timestamp;
use reap_core::expiry::Expiry;
use reap_core::judge::{Kept, Reason};
use reap_core::object::{Details, Object};
use reap_core::oddity::oddity;
use reap_core::plan::Plan;
use serde::Serialize;

use shape::{Clock, Document, Item, ItemError, Summary, Unread};

use super::lines::describe;
use super::table::overdue;
use super::text::drives_a_terminal;
use crate::api::{ClockSource, Now};
use crate::cli::DryRun;
use crate::connect::Connection;
use crate::execute::{Execution, Outcome};

/// All that is known when a run ends, however it ends.
#[derive(Default)]
pub(crate) struct Ending<'a> {
    pub(crate) connection: Option<&'a Connection>,
    pub(crate) all_namespaces: bool,
    pub(crate) dry_run: DryRun,
    pub(crate) now: Option<Now>,
    pub(crate) plan: Option<&'a Plan>,
    pub(crate) execution: Option<&'a Execution>,
    pub(crate) error: Option<String>,
}

/// Writes JSON with four blanks of indent. What would drive a terminal is written as an escape, which means the same.
pub(super) fn json(ending: &Ending<'_>) -> String {
    let mut bytes = vec![];
    let formatter = serde_json::ser::PrettyFormatter::with_indent(b"    ");
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
    document(ending)
        .serialize(&mut serializer)
        .expect("a document of strings and numbers serializes");
    let text = String::from_utf8(bytes).expect("JSON is UTF-8");
    let escape = |character: char| {
        let mut units = [0; 2];
        let units = character.encode_utf16(&mut units);
        let escapes: Vec<String> = units.iter().map(|unit| format!("\\u{unit:04x}")).collect();
        escapes.concat()
    };
    replace_driving(&text, escape) + "\n"
}

/// Writes the same as YAML. Its writer escapes controls; other characters that would drive a terminal are named, since
/// not every YAML string can hold an escape.
pub(super) fn yaml(ending: &Ending<'_>) -> String {
    let text = serde_yaml_ng::to_string(&document(ending))
        .expect("a document of strings and numbers serializes");
    let text = replace_driving(&text, |character| {
        format!("<U+{:04X}>", u32::from(character))
    });
    text.split_inclusive('\n').map(quote_moment).collect()
}

/// Quotes the value of a line that is a moment, as kubectl does: a reader of YAML 1.1 would not take it for a string.
fn quote_moment(line: &str) -> String {
    match line.split_once("At: ") {
        Some((key, moment)) if moment.trim_end().parse::<Timestamp>().is_ok() => {
            format!("{key}At: '{}'\n", moment.trim_end())
        }
        Some(_) | None => line.to_owned(),
    }
}

/// Replaces, outside of line ends, what would drive a terminal.
fn replace_driving(text: &str, replacement: impl Fn(char) -> String) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        if character != '\n' && drives_a_terminal(character) {
            safe += &replacement(character);
        } else {
            safe.push(character);
        }
    }
    safe
}

fn document<'a>(ending: &'a Ending<'a>) -> Document<'a> {
    let items = ending
        .plan
        .map(|plan| items(plan, ending))
        .unwrap_or_default();
    let connection = ending.connection;
    Document {
        api_version: "reap.ironflow.io/v1",
        kind: "ReapReport",
        context: connection.and_then(|connection| connection.context.as_deref()),
        server: connection.map(|connection| connection.server.as_str()),
        namespace: connection
            .filter(|_| !ending.all_namespaces)
            .map(|connection| connection.namespace.as_str()),
        taken_at: ending.now.and_then(|now| now.at.rfc3339()),
        clock: ending.now.map(|now| Clock {
            source: match now.source {
                ClockSource::Server => "server",
                ClockSource::Local => "local",
            },
            skew_seconds: now.reading.skew(),
        }),
        dry_run: match ending.dry_run {
            DryRun::None => "none",
            DryRun::Client => "client",
            DryRun::Server => "server",
        },
        error: ending.error.as_deref(),
        unread: ending.plan.map(unread).unwrap_or_default(),
        summary: summary(ending),
        items,
    }
}

fn unread(plan: &Plan) -> Vec<Unread<'_>> {
    plan.unread()
        .iter()
        .map(|unread| Unread {
            kind: unread.kind.as_str(),
            error: &unread.error,
        })
        .collect()
}

fn items<'a>(plan: &'a Plan, ending: &'a Ending<'a>) -> Vec<Item<'a>> {
    let outcome = |at: usize| match (ending.execution, ending.dry_run) {
        (Some(execution), _) => &execution.outcomes[at],
        (None, DryRun::Client) if ending.error.is_none() => &Outcome::WouldDelete,
        (None, _) => &Outcome::NotAttempted,
    };
    let candidates = plan.candidates().iter().enumerate().map(|(at, candidate)| {
        let outcome = outcome(at);
        let verdict = match outcome {
            Outcome::Kept { kept, .. } => Judged::Kept(*kept),
            Outcome::Deleted { .. }
            | Outcome::AlreadyGone
            | Outcome::Failed(_)
            | Outcome::NotAttempted
            | Outcome::WouldDelete => Judged::Reap(candidate.reason()),
        };
        item(candidate.object(), verdict, Some(outcome), plan)
    });
    let kept = plan.kept().iter();
    candidates
        .chain(kept.map(|(object, kept)| item(object, Judged::Kept(*kept), None, plan)))
        .collect()
}

#[derive(Clone, Copy)]
enum Judged {
    Reap(Reason),
    Kept(Kept),
}

fn item<'a>(
    object: &'a Object,
    judged: Judged,
    outcome: Option<&'a Outcome>,
    plan: &Plan,
) -> Item<'a> {
    let now = plan.taken_at();
    let present = |text: &'a str| (!text.is_empty()).then_some(text);
    let reference = &object.reference;
    let expiry = match object.expiry {
        Expiry::At(at) => Some(at),
        Expiry::Missing | Expiry::Unreadable(_) => None,
    };
    let (verdict, reason) = match judged {
        Judged::Reap(reason) => ("Reap", reason.as_str()),
        Judged::Kept(kept) => ("Keep", kept.as_str()),
    };
    Item {
        api_version: reference.kind.api_version(),
        kind: reference.kind.as_str(),
        namespace: &reference.namespace,
        name: &reference.name,
        uid: present(&reference.uid),
        resource_version: present(&reference.resource_version),
        component: object.component(),
        run_id: object.run_id(),
        root_run_id: object.root_run_id(),
        step: object.step(),
        node: match &object.details {
            Details::Pod { node, .. } => node.as_deref(),
            Details::Job { .. } | Details::Metadata | Details::Unreadable => None,
        },
        status: object.status(),
        verdict,
        reason,
        expires_at: expiry.and_then(reap_core::time::UnixSeconds::rfc3339),
        expires_at_seconds: expiry.map(|at| at.0.to_string()),
        overdue_seconds: overdue(object, now),
        created_at: object
            .created_at
            .and_then(reap_core::time::UnixSeconds::rfc3339),
        age_seconds: object.created_at.map(|created| now.since(created)),
        warnings: oddity(object)
            .map(|oddity| describe(oddity, &object.expiry))
            .into_iter()
            .collect(),
        outcome: outcome.map(outcome_name),
        error: outcome.and_then(error),
    }
}

fn outcome_name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Deleted { .. } => "Deleted",
        Outcome::AlreadyGone => "AlreadyGone",
        Outcome::Kept { .. } => "Kept",
        Outcome::Failed(_) => "Failed",
        Outcome::NotAttempted => "NotAttempted",
        Outcome::WouldDelete => "WouldDelete",
    }
}

fn error(outcome: &Outcome) -> Option<ItemError<'_>> {
    match outcome {
        Outcome::Failed(failed) => Some(ItemError {
            code: failed.code.map(|code| code.as_u16()),
            reason: (!failed.reason.is_empty()).then_some(&failed.reason),
            message: &failed.message,
        }),
        Outcome::Deleted { .. }
        | Outcome::AlreadyGone
        | Outcome::Kept { .. }
        | Outcome::NotAttempted
        | Outcome::WouldDelete => None,
    }
}

fn summary(ending: &Ending<'_>) -> Summary {
    let candidates = ending.plan.map_or(0, |plan| plan.candidates().len());
    let mut summary = Summary {
        candidates,
        ..Summary::default()
    };
    let Some(execution) = ending.execution else {
        summary.not_attempted = if ending.dry_run == DryRun::Client && ending.error.is_none() {
            0
        } else {
            candidates
        };
        return summary;
    };
    for outcome in &execution.outcomes {
        match outcome {
            Outcome::Deleted { .. } => summary.deleted += 1,
            Outcome::AlreadyGone => summary.already_gone += 1,
            Outcome::Kept { .. } => summary.kept += 1,
            Outcome::Failed(_) => summary.failed += 1,
            Outcome::NotAttempted => summary.not_attempted += 1,
            Outcome::WouldDelete => {}
        }
    }
    summary
}
