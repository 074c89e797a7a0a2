//! The workers: each takes one candidate through its tries.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::time::Duration;

use http::StatusCode;
use reap_core::judge::{Mounts, Reason};
use reap_core::object::{Kind, ObjectRef};
use reap_core::plan::{Candidate, Plan};

use super::step::{Attempt, Next};
use super::{Failed, Orders, Outcome, Stop};
use crate::api::{Api, DeleteOptions, Failure, Reread};
use crate::fetch;
use crate::interrupt::Interrupt;

/// One object, read again.
struct SecondLook {
    reread: Reread,
    is_selected: bool,
    mounts: Mounts,
}

/// What the workers share.
pub(super) struct Crew<'a> {
    pub(super) api: &'a Api,
    pub(super) plan: &'a Plan,
    pub(super) orders: Orders<'a>,
    pub(super) is_dry_run: bool,
    pub(super) interrupt: &'a Interrupt,
    pub(super) stop: Cell<Option<Stop>>,
    /// Kinds and namespaces in which a deletion was refused for want of a right.
    pub(super) forbidden: RefCell<BTreeSet<(Kind, &'a str)>>,
    pub(super) in_flight: RefCell<BTreeSet<usize>>,
}

impl<'a> Crew<'a> {
    pub(super) async fn reap(&self, at: usize) -> (usize, Outcome) {
        let candidate = &self.plan.candidates()[at];
        let reference = &candidate.object().reference;
        let place = (reference.kind, reference.namespace.as_str());
        if self.must_end() || self.forbidden.borrow().contains(&place) {
            return (at, Outcome::NotAttempted);
        }
        self.in_flight.borrow_mut().insert(at);
        let outcome = self.attempt(candidate).await;
        self.in_flight.borrow_mut().remove(&at);
        if let Outcome::Failed(Failed {
            code: Some(StatusCode::FORBIDDEN),
            ..
        }) = &outcome
        {
            self.forbidden.borrow_mut().insert(place);
        }
        (at, outcome)
    }

    async fn attempt(&self, candidate: &'a Candidate) -> Outcome {
        let mut attempt = Attempt::new(self.plan, candidate, self.is_dry_run);
        let is_stuck = candidate.reason() == Reason::StuckTerminating;
        let options = DeleteOptions {
            dry_run: self.is_dry_run,
            grace_period_seconds: if is_stuck {
                Some(0)
            } else {
                self.orders.grace_period_seconds
            },
        };
        let mut wait = Duration::ZERO;
        loop {
            self.pause(wait).await;
            if self.must_end() {
                return attempt.given_up();
            }
            let answer = self.api.delete(attempt.target(), options).await;
            let mut next = attempt.after_delete(&answer);
            if next == Next::Reread {
                next = self.look_again(&mut attempt).await;
            }
            match next {
                Next::Done(outcome) => return outcome,
                Next::Retry { wait: asked, brake } => {
                    wait = asked;
                    if brake {
                        self.api.slow_down(asked);
                    }
                }
                Next::Reread => {}
            }
        }
    }

    /// Waits before a try, for everybody's brake too; not at all once the run is to end.
    async fn pause(&self, wait: Duration) {
        let pause = async {
            // Even the shortest sleep would take a millisecond.
            if !wait.is_zero() {
                tokio::time::sleep(wait).await;
            }
            self.api.brake().await;
        };
        tokio::select! {
            biased;
            _ = self.interrupt.wait() => {}
            () = pause => {}
        }
    }

    async fn look_again(&self, attempt: &mut Attempt<'_>) -> Next {
        let target = attempt.target().clone();
        match self.second_look(&target).await {
            Ok(look) => attempt.after_reread(
                look.reread.object.as_ref(),
                look.is_selected,
                look.reread.reading.now().at,
                &look.mounts,
            ),
            Err(failure) => attempt.after_failed_reread(&failure),
        }
    }

    /// Reads an object again, and what its verdict depends on. With the user's selector first: what that does not find
    /// is either gone or no longer selected.
    async fn second_look(&self, target: &ObjectRef) -> Result<SecondLook, Failure> {
        let mounts = if target.kind == Kind::PersistentVolumeClaim {
            fetch::mounts(self.api, &target.namespace, self.orders.chunk_size).await?
        } else {
            Mounts::default()
        };
        if let Some(selector) = self.orders.selector {
            let selector = fetch::joined_selector(target.kind, Some(selector));
            let reread = self.api.reread(target, Some(&selector)).await?;
            if reread.object.is_some() {
                return Ok(SecondLook {
                    reread,
                    is_selected: true,
                    mounts,
                });
            }
        }
        let reread = self.api.reread(target, None).await?;
        let is_selected = self.orders.selector.is_none();
        Ok(SecondLook {
            reread,
            is_selected,
            mounts,
        })
    }

    fn must_end(&self) -> bool {
        self.stop.get().is_some() || self.interrupt.came().is_some()
    }
}
