//! kubectl's table: upper-case headers, three blanks between columns, no borders.

use anstream::adapter::strip_str;
use comfy_table::presets::NOTHING;
use comfy_table::{ContentArrangement, Table};
use owo_colors::{OwoColorize, Style};
use reap_core::expiry::Expiry;
use reap_core::judge::{Circumstances, Kept, Mounts, Reason, Verdict, judge};
use reap_core::object::{Details, Object};
use reap_core::plan::Plan;
use reap_core::time::UnixSeconds;

use super::lines::name;
use super::text::safe;
use crate::duration::human;

/// Which columns and rows there are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub(super) wide: bool,
    pub(super) headers: bool,
    pub(super) namespaces: bool,
}

const ABSENT: &str = "-";

/// Renders the candidates, and behind them what is kept; nothing at all where there are no rows.
pub(super) fn render(plan: &Plan, layout: Layout) -> String {
    let now = plan.taken_at();
    let kept = plan.kept().iter().map(|(object, kept)| {
        row(
            object,
            &kept_reason(object, *kept, now),
            Style::new().dimmed(),
            now,
            layout,
        )
    });
    let rows: Vec<_> = candidates(plan, layout).chain(kept).collect();
    if rows.is_empty() {
        return String::new();
    }
    align(rows, layout.headers.then(|| headers(layout))) + "\n"
}

/// Renders the candidates alone, a narrow row each, to choose from.
pub(super) fn labels(plan: &Plan, layout: Layout) -> Vec<String> {
    let layout = Layout {
        wide: false,
        ..layout
    };
    let rows = align(candidates(plan, layout).collect(), None);
    rows.lines().map(|row| strip_str(row).to_string()).collect()
}

fn candidates(plan: &Plan, layout: Layout) -> impl Iterator<Item = Vec<String>> {
    plan.candidates().iter().map(move |candidate| {
        let reason = candidate.reason();
        let color = match reason {
            Reason::DeadlineExceeded | Reason::StuckTerminating => Style::new().red(),
            Reason::Expired => Style::new().yellow(),
        };
        let now = plan.taken_at();
        row(candidate.object(), reason.as_str(), color, now, layout)
    })
}

/// Lays out rows in columns as kubectl does.
fn align(rows: Vec<Vec<String>>, headers: Option<Vec<&str>>) -> String {
    let mut table = Table::new();
    table
        .load_style(NOTHING)
        .force_no_tty()
        .set_content_arrangement(ContentArrangement::Disabled);
    if let Some(headers) = headers {
        table.set_header(headers);
    }
    table.add_rows(rows);
    for column in table.column_iter_mut() {
        column.set_padding((0, 3));
    }
    table.trim_fmt()
}

fn headers(layout: Layout) -> Vec<&'static str> {
    let namespace = layout.namespaces.then_some("NAMESPACE");
    let wide = ["COMPONENT", "RUN", "STEP", "NODE", "PODS", "EXPIRES"]
        .into_iter()
        .filter(|_| layout.wide);
    namespace
        .into_iter()
        .chain(["NAME", "STATUS", "REASON", "OVERDUE", "AGE"])
        .chain(wide)
        .collect()
}

fn row(
    object: &Object,
    reason: &str,
    color: Style,
    now: UnixSeconds,
    layout: Layout,
) -> Vec<String> {
    let reference = &object.reference;
    let mut cells = vec![];
    if layout.namespaces {
        cells.push(safe(&reference.namespace));
    }
    cells.extend([
        safe(&name(reference)),
        safe(object.status()),
        safe(reason).style(color).to_string(),
        overdue(object, now).map_or(ABSENT.to_owned(), human),
        object
            .created_at
            .map_or("<unknown>".to_owned(), |created| human(now.since(created))),
    ]);
    if layout.wide {
        let (node, pods) = match &object.details {
            Details::Pod { node, .. } => (node.as_deref(), None),
            Details::Job { active_pods, .. } => (None, Some(active_pods.to_string())),
            Details::Metadata | Details::Unreadable => (None, None),
        };
        let text = |value: Option<&str>| safe(value.unwrap_or(ABSENT));
        cells.extend([
            text(object.component()),
            text(object.run_id()),
            text(object.step()),
            text(node),
            text(pods.as_deref()),
            expires(object),
        ]);
    }
    cells
}

/// Returns how many seconds ago the expiry passed; `None` where it did not.
pub(super) fn overdue(object: &Object, now: UnixSeconds) -> Option<i64> {
    match object.expiry {
        Expiry::At(at) if at < now => Some(now.since(at)),
        Expiry::At(_) | Expiry::Missing | Expiry::Unreadable(_) => None,
    }
}

fn expires(object: &Object) -> String {
    match &object.expiry {
        Expiry::Missing => ABSENT.to_owned(),
        Expiry::Unreadable(text) => safe(text),
        Expiry::At(at) => at.rfc3339().unwrap_or_else(|| at.0.to_string()),
    }
}

fn kept_reason(object: &Object, kept: Kept, now: UnixSeconds) -> String {
    let verdict = kept.as_str();
    match (kept, &object.details) {
        (
            Kept::ControlledByJob,
            Details::Pod {
                controller_job: Some(job),
                ..
            },
        ) => {
            format!("{verdict} (goes with job.batch/{})", job.name)
        }
        (Kept::Terminating, Details::Pod { .. }) if is_stuck(object, now) => {
            let since = object.deleted_at.map_or(0, |deleted| now.since(deleted));
            format!("{verdict} (stuck for {}: see --stuck)", human(since))
        }
        _ => verdict.to_owned(),
    }
}

/// Returns whether `--stuck` would make a candidate of it.
fn is_stuck(object: &Object, now: UnixSeconds) -> bool {
    let circumstances = Circumstances {
        now,
        stuck: true,
        mounts: &Mounts::default(),
    };
    judge(object, &circumstances) == Verdict::Reap(Reason::StuckTerminating)
}
