//! What follows from an answer to one deletion: an outcome, another try, or a second look. Effect-free.

use std::time::Duration;

use reap_core::judge::{Kept, Mounts};
use reap_core::object::{Object, ObjectRef};
use reap_core::plan::{Again, Candidate, Plan};
use reap_core::time::UnixSeconds;

use crate::api::{Answer, Deletion, Failure, ServerError, Tries, Unanswered, deletion};

use super::outcome::{Failed, Outcome};

/// How often an object that changes again and again is judged again.
const MOST_CONFLICTS: u32 = 5;

/// What to do next about one candidate.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Nothing more.
    Done(Outcome),
    /// Send the DELETE again after this time; `brake` holds everybody back that long.
    Retry { wait: Duration, brake: bool },
    /// Read the object again and judge it.
    Reread,
}

/// What has happened so far to one candidate.
pub(super) struct Attempt<'a> {
    plan: &'a Plan,
    candidate: &'a Candidate,
    target: ObjectRef,
    tries: Tries,
    conflicts: u32,
    /// A try before may have deleted the object although no answer said so.
    fate_unknown: bool,
    /// The last answer cannot be an API server's.
    unclear: Option<ServerError>,
    /// How the last try failed that was worth another.
    last: Option<Failed>,
    /// Nothing is judged again: every answer is shown as it came.
    dry_run: bool,
}

impl<'a> Attempt<'a> {
    pub(super) fn new(plan: &'a Plan, candidate: &'a Candidate, dry_run: bool) -> Self {
        Self {
            plan,
            candidate,
            target: candidate.object().reference.clone(),
            tries: Tries::begin(),
            conflicts: 0,
            fate_unknown: false,
            unclear: None,
            last: None,
            dry_run,
        }
    }

    /// Returns the object as it was judged last.
    pub(super) fn target(&self) -> &ObjectRef {
        &self.target
    }

    /// Decides what follows from the answer to a DELETE, or from its absence.
    pub(super) fn after_delete(&mut self, answer: &Result<Answer, Unanswered>) -> Next {
        let answer = match answer {
            Ok(answer) => answer,
            Err(why) => {
                self.fate_unknown |= !self.dry_run && *why != Unanswered::Refused;
                let failed = Failed::unanswered(why, self.fate_unknown);
                return self.retry(None, false, failed);
            }
        };
        match deletion(answer, &self.target) {
            Deletion::Deleted { .. } if self.dry_run => Next::Done(Outcome::WouldDelete),
            Deletion::Deleted { finalizers } => Next::Done(Outcome::Deleted { finalizers }),
            Deletion::Gone(error) | Deletion::Conflict(error) | Deletion::Unclear(error)
                if self.dry_run =>
            {
                Next::Done(Outcome::Failed(Failed::server(error, false)))
            }
            Deletion::Gone(_) => Next::Done(self.gone()),
            Deletion::Conflict(error) => {
                self.conflicts += 1;
                if self.conflicts > MOST_CONFLICTS {
                    Next::Done(Outcome::Failed(Failed::server(error, false)))
                } else {
                    Next::Reread
                }
            }
            Deletion::Unclear(error) => {
                self.unclear = Some(error);
                Next::Reread
            }
            Deletion::Passing {
                error,
                retry_after,
                fate_unknown,
            } => {
                self.fate_unknown |= !self.dry_run && fate_unknown;
                let brake = !fate_unknown;
                let failed = Failed::server(error, self.fate_unknown);
                self.retry(retry_after, brake, failed)
            }
            Deletion::Refused(error) => {
                Next::Done(Outcome::Failed(Failed::server(error, self.fate_unknown)))
            }
        }
    }

    /// Decides what follows from a second look at the object; `is_selected` tells whether the user's selector still
    /// finds it.
    pub(super) fn after_reread(
        &mut self,
        current: Option<&Object>,
        is_selected: bool,
        now: UnixSeconds,
        mounts: &Mounts,
    ) -> Next {
        let unclear = self.unclear.take();
        if unclear.is_some() || self.fate_unknown {
            match current {
                None => return Next::Done(Outcome::Deleted { finalizers: vec![] }),
                Some(current) if self.began_to_terminate(current) => {
                    return Next::Done(Outcome::Deleted {
                        finalizers: current.finalizers.clone(),
                    });
                }
                Some(_) => {}
            }
        }
        if let Some(error) = unclear {
            return Next::Done(Outcome::Failed(Failed::server(error, false)));
        }
        match self.plan.judge_again(self.candidate, current, now, mounts) {
            Again::Gone => Next::Done(self.gone()),
            Again::Keep(kept) => Next::Done(Outcome::Kept {
                kept,
                expiry: expiry(kept, current),
            }),
            Again::Reap(_) if !is_selected => Next::Done(Outcome::Kept {
                kept: Kept::NotSelected,
                expiry: None,
            }),
            Again::Reap(_) => {
                if let Some(current) = current {
                    self.target = current.reference.clone();
                }
                Next::Retry {
                    wait: Duration::ZERO,
                    brake: false,
                }
            }
        }
    }

    /// Decides what becomes of an object that could not be read again.
    pub(super) fn after_failed_reread(&self, failure: &Failure) -> Next {
        let fate_unknown = self.fate_unknown || self.unclear.is_some();
        Next::Done(Outcome::Failed(Failed::reread(failure, fate_unknown)))
    }

    /// Returns what became of the object when there is to be no other try. A conflict changed nothing.
    pub(super) fn given_up(self) -> Outcome {
        self.last.map_or(Outcome::NotAttempted, Outcome::Failed)
    }

    fn retry(&mut self, asked: Option<Duration>, brake: bool, failed: Failed) -> Next {
        match self.tries.again(asked) {
            Some(wait) => {
                self.last = Some(failed);
                Next::Retry { wait, brake }
            }
            None => Next::Done(Outcome::Failed(failed)),
        }
    }

    fn gone(&self) -> Outcome {
        if self.fate_unknown {
            Outcome::Deleted { finalizers: vec![] }
        } else {
            Outcome::AlreadyGone
        }
    }

    /// Returns whether the object began to be deleted after it was judged.
    fn began_to_terminate(&self, current: &Object) -> bool {
        let judged = self.candidate.object();
        current.reference.uid == judged.reference.uid
            && current.deleted_at.is_some()
            && judged.deleted_at.is_none()
    }
}

fn expiry(kept: Kept, current: Option<&Object>) -> Option<reap_core::expiry::Expiry> {
    (kept == Kept::Renewed).then(|| current.map(|current| current.expiry.clone()))?
}
