//! What would be deleted, in order, and what is kept.

use std::collections::{BTreeMap, BTreeSet};

use crate::filter::Filter;
use crate::judge::{Circumstances, Kept, Mounts, Reason, Verdict, judge};
use crate::object::{Kind, Object};
use crate::oddity::Oddity;
use crate::snapshot::{Odd, Snapshot, Unread};
use crate::time::UnixSeconds;

/// An object that may go and was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    object: Object,
    reason: Reason,
}

impl Candidate {
    /// The object as it was judged.
    #[must_use]
    pub fn object(&self) -> &Object {
        &self.object
    }

    /// Why it may go.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }
}

/// What judging a candidate again came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// There is no such object any more.
    Gone,
    /// It stays now.
    Keep(Kept),
    /// It may still go.
    Reap(Reason),
}

/// What would be deleted: shown, confirmed and executed as this one value.
#[derive(Debug)]
pub struct Plan {
    taken_at: UnixSeconds,
    filter: Filter,
    candidates: Vec<Candidate>,
    kept: Vec<(Object, Kept)>,
    counts: BTreeMap<Kept, usize>,
    missing: Vec<(Kind, String)>,
    oddities: BTreeMap<Oddity, Odd>,
    unclear_claims: usize,
    unread: Vec<Unread>,
}

impl Plan {
    /// Judges what was read, by the time at which it was read.
    #[must_use]
    pub fn new(snapshot: Snapshot) -> Self {
        let Snapshot {
            taken_at,
            filter,
            mut counts,
            ..
        } = snapshot;
        let show_kept = snapshot.keep_everything || !filter.names.is_empty();
        let circumstances = Circumstances {
            now: taken_at,
            stuck: filter.stuck,
            mounts: &snapshot.mounts,
        };
        let mut candidates = Vec::new();
        let mut kept = Vec::new();
        let mut unclear_claims = 0;
        let mut found = BTreeSet::new();
        for ((_, kind, name), object) in snapshot.held {
            match filter.narrow(&object, judge(&object, &circumstances), taken_at) {
                Verdict::Reap(reason) => candidates.push(Candidate { object, reason }),
                Verdict::Keep(why) => {
                    *counts.entry(why).or_default() += 1;
                    let is_unclear = || snapshot.mounts.is_unclear(&object.reference.namespace);
                    unclear_claims += usize::from(why == Kept::InUse && is_unclear());
                    if show_kept {
                        kept.push((object, why));
                    }
                }
            }
            found.insert((kind, name));
        }
        let named = filter
            .names
            .iter()
            .flat_map(|(kind, names)| names.iter().map(|name| (*kind, name.clone())));
        let missing = named.filter(|name| !found.contains(name)).collect();
        Self {
            taken_at,
            candidates,
            kept,
            counts,
            missing,
            oddities: snapshot.oddities,
            unclear_claims,
            unread: snapshot.unread,
            filter,
        }
    }

    /// What would be deleted, by namespace, kind and name.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// The kept objects that are to be shown, in the same order: all of them where everything was to be kept, else
    /// those that were named.
    #[must_use]
    pub fn kept(&self) -> &[(Object, Kept)] {
        &self.kept
    }

    /// How many objects of ironflow are kept, shown or not.
    #[must_use]
    pub fn counts(&self) -> &BTreeMap<Kept, usize> {
        &self.counts
    }

    /// How many objects of ironflow were looked at, candidates included.
    #[must_use]
    pub fn checked(&self) -> usize {
        self.candidates.len() + self.counts.values().sum::<usize>()
    }

    /// The names that were asked for and are not among ironflow's objects.
    #[must_use]
    pub fn missing(&self) -> &[(Kind, String)] {
        &self.missing
    }

    /// The time by which everything was judged.
    #[must_use]
    pub fn taken_at(&self) -> UnixSeconds {
        self.taken_at
    }

    /// The kinds that could not be read.
    #[must_use]
    pub fn unread(&self) -> &[Unread] {
        &self.unread
    }

    /// The expiries that deserve a warning, of candidates and kept objects alike.
    #[must_use]
    pub fn oddities(&self) -> &BTreeMap<Oddity, Odd> {
        &self.oddities
    }

    /// How many claims are kept as `InUse` in namespaces with a pod that cannot be read.
    #[must_use]
    pub fn unclear_claims(&self) -> usize {
        self.unclear_claims
    }

    /// Leaves only the candidates at these positions; the others count as `NotSelected`.
    pub fn pick(&mut self, positions: &BTreeSet<usize>) {
        let all = self.candidates.len();
        let mut position = 0..;
        self.candidates
            .retain(|_| position.next().is_some_and(|at| positions.contains(&at)));
        *self.counts.entry(Kept::NotSelected).or_default() += all - self.candidates.len();
    }

    /// Judges a candidate again by what its name stands for now, `None` being nothing.
    ///
    /// The answer can only take something off the plan: a pod that began to terminate after it was shown is kept, with
    /// `stuck` too.
    #[must_use]
    pub fn judge_again(
        &self,
        candidate: &Candidate,
        current: Option<&Object>,
        now: UnixSeconds,
        mounts: &Mounts,
    ) -> Again {
        let Some(current) = current else {
            return Again::Gone;
        };
        let uid = &current.reference.uid;
        if !uid.is_empty() && *uid != candidate.object.reference.uid {
            return Again::Keep(Kept::Replaced);
        }
        let stuck = candidate.reason == Reason::StuckTerminating;
        let verdict = judge(current, &Circumstances { now, stuck, mounts });
        match self.filter.narrow(current, verdict, now) {
            Verdict::Reap(reason) => Again::Reap(reason),
            Verdict::Keep(Kept::NotExpired) if current.expiry != candidate.object.expiry => {
                Again::Keep(Kept::Renewed)
            }
            Verdict::Keep(kept) => Again::Keep(kept),
        }
    }
}

#[cfg(test)]
mod tests;
