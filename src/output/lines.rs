//! The sentences about objects and about the whole run, in kubectl's words.

use std::collections::BTreeMap;
use std::fmt::Write;

use reap_core::expiry::Expiry;
use reap_core::judge::{Kept, Reason};
use reap_core::object::{Kind, ObjectRef};
use reap_core::oddity::Oddity;
use reap_core::plan::{Candidate, Plan};

use crate::execute::{Execution, Outcome, Stop};
use crate::grammar::{count, list};

/// So many failures of a sort are told one by one.
const TOLD: usize = 5;
/// Who holds these sees to them: they are no reason to worry.
const EXPECTED_FINALIZERS: [&str; 3] = [
    "kubernetes.io/pvc-protection",
    "batch.kubernetes.io/job-tracking",
    "foregroundDeletion",
];
/// From this time on the last line says how long it took.
const WORTH_TELLING: std::time::Duration = std::time::Duration::from_secs(1);

/// Names an object as kubectl's tables and `-o name` do: `pod/x`, `job.batch/x`.
pub(super) fn name(reference: &ObjectRef) -> String {
    format!("{}/{}", reference.kind.resource(), reference.name)
}

/// Says what became of one candidate; `None` for failures, which belong on stderr, and for what was not attempted.
pub(super) fn result(candidate: &Candidate, outcome: &Outcome, forced: bool) -> Option<String> {
    let ObjectRef {
        kind,
        namespace,
        name,
        ..
    } = &candidate.object().reference;
    let object = format!("{} \"{name}\"", kind.resource());
    let line = match outcome {
        Outcome::Deleted { .. } if forced || candidate.reason() == Reason::StuckTerminating => {
            format!("{object} force deleted from {namespace} namespace")
        }
        Outcome::Deleted { .. } => format!("{object} deleted from {namespace} namespace"),
        Outcome::WouldDelete => {
            format!("{object} deleted from {namespace} namespace (server dry run)")
        }
        Outcome::AlreadyGone => format!("{object} already gone from {namespace} namespace"),
        Outcome::Kept { kept, expiry } => {
            format!(
                "{object} kept in {namespace} namespace: {}",
                why_kept(*kept, expiry.as_ref())
            )
        }
        Outcome::Failed(_) | Outcome::NotAttempted => return None,
    };
    Some(line)
}

fn why_kept(kept: Kept, expiry: Option<&Expiry>) -> String {
    let why = match kept {
        Kept::Renewed => match expiry {
            Some(Expiry::At(at)) => {
                return format!(
                    "expiry moved to {}",
                    at.rfc3339().unwrap_or_else(|| at.0.to_string())
                );
            }
            Some(Expiry::Missing | Expiry::Unreadable(_)) | None => "its expiry moved",
        },
        Kept::Replaced => "another object has its name now",
        Kept::NotManaged => "it no longer bears ironflow's labels",
        Kept::Unidentifiable => "it cannot be identified any more",
        Kept::Terminating => "somebody else is deleting it",
        Kept::ControlledByJob => "a Job controls it now",
        Kept::InUse => "a pod mounts it now",
        Kept::NotExpired => "it is not expired",
        Kept::NoExpiry => "it has no expiry any more",
        Kept::UnreadableExpiry => "its expiry cannot be read any more",
        Kept::NotSelected => "the flags no longer select it",
    };
    why.to_owned()
}

/// What failures were told already, by their sort.
#[derive(Default)]
pub(super) struct Failures(BTreeMap<String, usize>);

impl Failures {
    /// Returns what to say on stderr about one outcome: a failure, unless there were enough of its sort, or a finalizer
    /// that holds what was deleted.
    pub(super) fn tell(&mut self, candidate: &Candidate, outcome: &Outcome) -> Vec<String> {
        let reference = &candidate.object().reference;
        match outcome {
            Outcome::Failed(failed) => {
                let told = self.0.entry(failed.sort()).or_default();
                *told += 1;
                let object = format!("{} in {} namespace", name(reference), reference.namespace);
                if *told > TOLD {
                    vec![]
                } else {
                    vec![format!("{} [{object}]", failed.message)]
                }
            }
            Outcome::Deleted { finalizers } => held(reference, finalizers).into_iter().collect(),
            Outcome::AlreadyGone
            | Outcome::Kept { .. }
            | Outcome::NotAttempted
            | Outcome::WouldDelete => vec![],
        }
    }

    /// Counts the failures that were not told one by one.
    pub(super) fn left_untold(&self) -> Vec<String> {
        let untold = self.0.iter().filter(|(_, told)| **told > TOLD);
        untold
            .map(|(sort, told)| format!("and {} more: {sort}", told - TOLD))
            .collect()
    }
}

fn held(reference: &ObjectRef, finalizers: &[String]) -> Option<String> {
    let object = name(reference);
    let others: Vec<String> = finalizers
        .iter()
        .filter(|finalizer| !EXPECTED_FINALIZERS.contains(&finalizer.as_str()))
        .map(|finalizer| format!("`{finalizer}`"))
        .collect();
    if !others.is_empty() {
        Some(format!(
            "Warning: {object} stays until its finalizer {} is removed",
            list(others)
        ))
    } else if reference.kind == Kind::PersistentVolumeClaim {
        Some(format!(
            "Warning: {object} goes when no pod mounts it any more"
        ))
    } else {
        None
    }
}

/// Says what was odd about what was read: some of each sort, and how many more.
pub(super) fn oddities(plan: &Plan) -> Vec<String> {
    let mut lines = vec![];
    for (oddity, odd) in plan.oddities() {
        let mut examples: Vec<_> = odd.examples.iter().collect();
        examples
            .sort_by_key(|(reference, _)| (&reference.namespace, reference.kind, &reference.name));
        for (reference, expiry) in examples {
            lines.push(format!(
                "{}: {}",
                place(reference),
                describe(*oddity, expiry)
            ));
        }
        if odd.count > odd.examples.len() {
            lines.push(format!("and {} more", odd.count - odd.examples.len()));
        }
    }
    if plan.unclear_claims() > 0 {
        lines.push(format!(
            "{} in namespaces with a pod that cannot be read, which may mount any claim there: kept",
            count(plan.unclear_claims(), Kind::PersistentVolumeClaim.singular())
        ));
    }
    lines
}

/// Names an object that may lack a name or a namespace.
fn place(reference: &ObjectRef) -> String {
    let object = match reference.name.as_str() {
        "" => format!("{} without a name", reference.kind.resource()),
        _ => name(reference),
    };
    match reference.namespace.as_str() {
        "" => format!("{object} in no namespace"),
        namespace => format!("{object} in {namespace} namespace"),
    }
}

/// Says what is odd about an expiry, and what follows.
pub(super) fn describe(oddity: Oddity, expiry: &Expiry) -> String {
    let value = match expiry {
        Expiry::Missing => String::new(),
        Expiry::Unreadable(text) => format!("{:?}", text.chars().take(100).collect::<String>()),
        Expiry::At(at) => at.0.to_string(),
    };
    match oddity {
        Oddity::Unidentifiable => {
            "it cannot be read, or has no valid name, uid or resource version: kept".to_owned()
        }
        Oddity::Unreadable => format!("its expiry {value} is not a number of seconds: kept"),
        Oddity::Milliseconds => format!("its expiry {value} looks like milliseconds: kept"),
        Oddity::BeforeCreation => format!("its expiry {value} lies before its creation"),
    }
}

/// Says that there is nothing to do, and what was looked at.
pub(super) fn nothing_found(plan: &Plan, namespace: Option<&str>) -> Vec<String> {
    let place = namespace
        .map(|namespace| format!(" in {namespace} namespace"))
        .unwrap_or_default();
    let mut lines = vec![format!("No orphans found{place}.")];
    if plan.checked() > 0 {
        let counts = plan
            .counts()
            .iter()
            .map(|(kept, number)| format!("{number} {}", adjective(*kept)));
        let counts: Vec<String> = counts.collect();
        lines.push(format!(
            "{} checked: {}",
            count(plan.checked(), "object"),
            counts.join(", ")
        ));
    }
    lines
}

fn adjective(kept: Kept) -> &'static str {
    match kept {
        Kept::NotExpired => "not expired",
        Kept::NoExpiry => "without an expiry",
        Kept::UnreadableExpiry => "with an unreadable expiry",
        Kept::Terminating => "terminating",
        Kept::ControlledByJob => "controlled by a Job",
        Kept::InUse => "in use",
        Kept::Unidentifiable => "unidentifiable",
        Kept::NotSelected => "not selected",
        Kept::Renewed => "renewed",
        Kept::Replaced => "replaced",
        Kept::NotManaged => "not managed",
    }
}

/// Counts, per kind and namespace, what was left out because the first of them was forbidden.
pub(super) fn not_attempted(plan: &Plan, execution: &Execution) -> Vec<String> {
    if execution.stop.is_some() {
        return vec![];
    }
    let mut left: BTreeMap<(Kind, &str), usize> = BTreeMap::new();
    for (candidate, outcome) in plan.candidates().iter().zip(&execution.outcomes) {
        if *outcome == Outcome::NotAttempted {
            let reference = &candidate.object().reference;
            *left
                .entry((reference.kind, &reference.namespace))
                .or_default() += 1;
        }
    }
    left.into_iter()
        .map(|((kind, namespace), number)| {
            format!(
                "{} in {namespace} namespace not attempted",
                count(number, &format!("more {}", kind.singular()))
            )
        })
        .collect()
}

/// Sums up a run: `9 deleted, 1 kept in 3.2s`.
pub(super) fn summary(plan: &Plan, execution: &Execution) -> String {
    let number = |is: fn(&Outcome) -> bool| {
        execution
            .outcomes
            .iter()
            .filter(|outcome| is(outcome))
            .count()
    };
    let would_delete = number(|outcome| matches!(outcome, Outcome::WouldDelete));
    let counts = [
        (
            number(|outcome| matches!(outcome, Outcome::Deleted { .. })),
            "deleted",
        ),
        (would_delete, "would be deleted (server dry run)"),
        (
            number(|outcome| matches!(outcome, Outcome::AlreadyGone)),
            "already gone",
        ),
        (
            number(|outcome| matches!(outcome, Outcome::Kept { .. })),
            "kept",
        ),
        (
            number(|outcome| matches!(outcome, Outcome::Failed(_))),
            "failed",
        ),
        (
            number(|outcome| matches!(outcome, Outcome::NotAttempted)),
            "not attempted",
        ),
    ];
    let mut parts: Vec<String> = counts
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, what)| format!("{number} {what}"))
        .collect();
    parts.extend(unread(plan));
    let mut line = parts.join(", ");
    if execution.elapsed >= WORTH_TELLING {
        let _ = write!(line, " in {:.1}s", execution.elapsed.as_secs_f64());
    }
    match execution.stop {
        Some(Stop::Outage) => format!("{line}; stopped, because the server fails again and again"),
        Some(Stop::Signal(signal)) => format!("{line}; stopped by {signal}"),
        None => line,
    }
}

/// Names the kinds that could not be read.
pub(super) fn unread(plan: &Plan) -> impl Iterator<Item = String> {
    plan.unread()
        .iter()
        .map(|unread| format!("{} not read", unread.kind.plural()))
}
