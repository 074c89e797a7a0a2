//! Which of the objects that may go were asked for.

use std::collections::{BTreeMap, BTreeSet};

use crate::expiry::Expiry;
use crate::judge::{Kept, Reason, Verdict};
use crate::object::{Kind, Object};
use crate::time::UnixSeconds;

/// What the flags ask for; the default narrows nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The run, by run-id or root-run-id.
    pub run: Option<String>,
    /// The reasons; empty means all of them.
    pub reasons: BTreeSet<Reason>,
    /// How many seconds ago an expiry passed at least; other reasons are not affected.
    pub expired_for: Option<u64>,
    /// The names; empty means everything.
    pub names: BTreeMap<Kind, BTreeSet<String>>,
    /// Whether stuck pods may go.
    pub stuck: bool,
}

impl Filter {
    /// Whether the object is among the names, where there are any.
    pub(crate) fn includes(&self, kind: Kind, name: &str) -> bool {
        self.names.is_empty()
            || self
                .names
                .get(&kind)
                .is_some_and(|names| names.contains(name))
    }

    /// Turns what may go, but was not asked for, into `NotSelected`.
    ///
    /// As with `judge`, what may go at one time may go at any later time.
    pub(crate) fn narrow(&self, object: &Object, verdict: Verdict, now: UnixSeconds) -> Verdict {
        match verdict {
            Verdict::Reap(reason) if !self.selects(object, reason, now) => {
                Verdict::Keep(Kept::NotSelected)
            }
            Verdict::Reap(_) | Verdict::Keep(_) => verdict,
        }
    }

    fn selects(&self, object: &Object, reason: Reason, now: UnixSeconds) -> bool {
        let of_run = self
            .run
            .as_deref()
            .is_none_or(|run| [object.run_id(), object.root_run_id()].contains(&Some(run)));
        let long_enough = match (self.expired_for, reason, &object.expiry) {
            (Some(seconds), Reason::Expired, Expiry::At(at)) => {
                now.0.saturating_sub(at.0) >= seconds
            }
            _ => true,
        };
        of_run
            && long_enough
            && (self.reasons.is_empty() || self.reasons.contains(&reason))
            && self.includes(object.reference.kind, &object.reference.name)
    }
}
