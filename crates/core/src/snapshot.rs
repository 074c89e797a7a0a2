//! What was read of a cluster, reduced while it comes in to what can still matter.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};

use crate::expiry::Expiry;
use crate::filter::Filter;
use crate::judge::{Circumstances, Kept, Mounts, Reason, STUCK_AFTER, Verdict, judge};
use crate::object::{Kind, Object, ObjectRef};
use crate::oddity::{Oddity, oddity};
use crate::time::UnixSeconds;

const EXAMPLES: usize = 5;

/// A kind that could not be read, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Unread {
    pub kind: Kind,
    pub error: String,
}

/// How many objects have an odd expiry of one sort, and the first five of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Odd {
    pub count: usize,
    pub examples: Vec<(ObjectRef, Expiry)>,
}

/// Namespace, kind, name: the order in which objects are shown.
pub(crate) type Key = (String, Kind, String);

/// A kept object of which nothing but this is held: its verdict at the end follows from the time alone.
#[derive(Clone, Copy)]
enum Counted {
    Always(Kept),
    /// `NotSelected` once the moment is over.
    Until {
        moment: UnixSeconds,
        before: Kept,
    },
}

impl Counted {
    fn kept(self, now: UnixSeconds) -> Kept {
        match self {
            Self::Always(kept) => kept,
            Self::Until { moment, before } if now <= moment => before,
            Self::Until { .. } => Kept::NotSelected,
        }
    }
}

/// Takes objects as they are read, page by page; its memory grows with what may go, not with what is kept.
pub struct SnapshotBuilder {
    filter: Filter,
    keep_everything: bool,
    held: BTreeMap<Key, Object>,
    counted: HashMap<u64, (Counted, Option<Oddity>)>,
    mounts: Mounts,
    oddities: BTreeMap<Oddity, Odd>,
    unread: Vec<Unread>,
}

impl SnapshotBuilder {
    /// Begins with nothing; `keep_everything` holds the kept objects too, to be shown.
    #[must_use]
    pub fn new(filter: Filter, keep_everything: bool) -> Self {
        Self {
            filter,
            keep_everything,
            held: BTreeMap::new(),
            counted: HashMap::new(),
            mounts: Mounts::default(),
            oddities: BTreeMap::new(),
            unread: Vec::new(),
        }
    }

    /// Takes one object; of the same object taken twice the later one counts.
    ///
    /// `horizon` is never earlier than the time that `finish` gets, so what is kept at the horizon is kept at the end.
    pub fn take(&mut self, object: Object, horizon: UnixSeconds) {
        self.mounts.insert(&object);
        let ObjectRef {
            kind,
            namespace,
            name,
            ..
        } = &object.reference;
        if !self.filter.includes(*kind, name) {
            return;
        }
        let key = (namespace.clone(), *kind, name.clone());
        self.forget(&key);
        if !object.is_managed() {
            return;
        }
        let oddity = oddity(&object);
        if let Some(oddity) = oddity {
            let odd = self.oddities.entry(oddity).or_default();
            odd.count += 1;
            if odd.examples.len() < EXAMPLES {
                odd.examples
                    .push((object.reference.clone(), object.expiry.clone()));
            }
        }
        match self.foregone(&object, horizon) {
            Some(counted) => {
                self.counted.insert(hash(&key), (counted, oddity));
            }
            None => {
                self.held.insert(key, object);
            }
        }
    }

    /// Notes what a pod mounts, without showing the pod: for claims when pods were not asked for.
    pub fn observe(&mut self, pod: &Object) {
        self.mounts.insert(pod);
    }

    /// Notes that a kind could not be read.
    pub fn unread(&mut self, unread: Unread) {
        self.unread.push(unread);
    }

    /// Ends the reading at the time by which everything is judged.
    #[must_use]
    pub fn finish(self, taken_at: UnixSeconds) -> Snapshot {
        let mut counts = BTreeMap::new();
        for (counted, _) in self.counted.into_values() {
            *counts.entry(counted.kept(taken_at)).or_default() += 1;
        }
        Snapshot {
            taken_at,
            filter: self.filter,
            keep_everything: self.keep_everything,
            held: self.held,
            counts,
            mounts: self.mounts,
            oddities: self.oddities,
            unread: self.unread,
        }
    }

    /// How the object counts, if it is kept whatever the later clock says and need not be shown.
    fn foregone(&self, object: &Object, horizon: UnixSeconds) -> Option<Counted> {
        // Whether a claim is mounted is known only when all pods are read.
        if self.keep_everything
            || !self.filter.names.is_empty()
            || object.reference.kind == Kind::PersistentVolumeClaim
        {
            return None;
        }
        let circumstances = Circumstances {
            now: horizon,
            stuck: self.filter.stuck,
            mounts: &self.mounts,
        };
        let verdict = judge(object, &circumstances);
        match (verdict, self.filter.narrow(object, verdict, horizon)) {
            (_, Verdict::Reap(_)) => None,
            (Verdict::Keep(kept), Verdict::Keep(_)) => Some(Counted::Always(kept)),
            (Verdict::Reap(reason), Verdict::Keep(_)) => Some(match (reason, &object.expiry) {
                (Reason::Expired, Expiry::At(at)) => Counted::Until {
                    moment: *at,
                    before: Kept::NotExpired,
                },
                (Reason::StuckTerminating, _) => Counted::Until {
                    moment: UnixSeconds(object.deleted_at?.0.saturating_add(STUCK_AFTER)),
                    before: Kept::Terminating,
                },
                _ => Counted::Always(Kept::NotSelected),
            }),
        }
    }

    fn forget(&mut self, key: &Key) {
        let counted = self
            .counted
            .remove(&hash(key))
            .and_then(|(_, oddity)| oddity);
        let held = self.held.remove(key).and_then(|object| oddity(&object));
        if let Some(oddity) = counted.or(held)
            && let Some(odd) = self.oddities.get_mut(&oddity)
        {
            odd.count -= 1;
            odd.examples.retain(|(reference, _)| {
                (&reference.namespace, reference.kind, &reference.name) != (&key.0, key.1, &key.2)
            });
            if odd.count == 0 {
                self.oddities.remove(&oddity);
            }
        }
    }
}

fn hash(key: &Key) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

/// What was read, at one time: everything that may go, and how many are kept.
#[derive(Debug)]
pub struct Snapshot {
    pub(crate) taken_at: UnixSeconds,
    pub(crate) filter: Filter,
    pub(crate) keep_everything: bool,
    pub(crate) held: BTreeMap<Key, Object>,
    pub(crate) counts: BTreeMap<Kept, usize>,
    pub(crate) mounts: Mounts,
    pub(crate) oddities: BTreeMap<Oddity, Odd>,
    pub(crate) unread: Vec<Unread>,
}

#[cfg(test)]
mod tests;
