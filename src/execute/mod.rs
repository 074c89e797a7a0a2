//! Deletes what was approved, kind after kind, many at a time; and tells what became of each.

mod outcome;
mod step;
#[cfg(test)]
mod tests;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::time::Duration;

use futures::StreamExt;
use futures::stream;
use http::StatusCode;
use reap_core::judge::{Mounts, Reason};
use reap_core::object::{Kind, ObjectRef};
use reap_core::plan::{Candidate, Plan};
use tokio::time::Instant;

use crate::api::{Api, DeleteOptions, Failure, Reread};
use crate::confirm::{Action, Approved};
use crate::fetch;
use crate::interrupt::{Interrupt, Signal};

pub(crate) use outcome::{Failed, Outcome};
use step::{Attempt, Next};

/// So many deletions in a row that failed because the server cannot work stop the run.
const MOST_OUTAGES: u32 = 20;
/// How long deletions in flight are waited for after a signal.
const FAREWELL: Duration = Duration::from_secs(5);

/// What became of a plan.
pub(crate) struct Execution {
    /// One outcome for each candidate of the plan, in its order.
    pub(crate) outcomes: Vec<Outcome>,
    /// What ended the run before its end.
    pub(crate) stop: Option<Stop>,
    /// How long it took.
    pub(crate) elapsed: Duration,
}

/// What ends an execution early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The server cannot work at the moment.
    Outage,
    /// Somebody wants it to end.
    Signal(Signal),
}

/// How to go about it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Orders<'a> {
    /// How many seconds pods have to end; `None` leaves it to the pod.
    pub(crate) grace_period_seconds: Option<i64>,
    /// How many deletions are in flight at most.
    pub(crate) concurrency: usize,
    /// The labels that the user asked for.
    pub(crate) selector: Option<&'a str>,
    /// How many objects a page holds at most.
    pub(crate) chunk_size: u32,
}

/// Deletes the candidates of an approved plan. `tell` is called with each outcome as it comes.
pub(crate) async fn execute(
    approved: &Approved<'_>,
    api: &Api,
    orders: Orders<'_>,
    interrupt: &Interrupt,
    mut tell: impl FnMut(&Candidate, &Outcome),
) -> Execution {
    let plan = approved.plan();
    let crew = Crew {
        api,
        plan,
        orders,
        is_dry_run: approved.action() == Action::ServerDryRun,
        interrupt,
        stop: Cell::new(None),
        forbidden: RefCell::default(),
        in_flight: RefCell::default(),
    };
    let mut outcomes = vec![Outcome::NotAttempted; plan.candidates().len()];
    let mut outages = 0;
    let begin = Instant::now();
    for kind in Kind::ALL {
        let of_kind =
            (0..outcomes.len()).filter(|&at| plan.candidates()[at].object().reference.kind == kind);
        let mut results = stream::iter(of_kind)
            .map(|at| crew.reap(at))
            .buffer_unordered(orders.concurrency);
        let farewell = async {
            crew.interrupt.wait().await;
            tokio::time::sleep(FAREWELL).await;
        };
        tokio::pin!(farewell);
        loop {
            let result = tokio::select! {
                biased;
                result = results.next() => result,
                () = &mut farewell => None,
            };
            let Some((at, outcome)) = result else { break };
            tell(&plan.candidates()[at], &outcome);
            match &outcome {
                Outcome::Failed(failed) if failed.is_outage => outages += 1,
                Outcome::NotAttempted => {}
                Outcome::Deleted { .. }
                | Outcome::AlreadyGone
                | Outcome::Kept { .. }
                | Outcome::Failed(_)
                | Outcome::WouldDelete => outages = 0,
            }
            if outages == MOST_OUTAGES {
                crew.stop.set(Some(Stop::Outage));
            }
            outcomes[at] = outcome;
        }
        drop(results);
        for at in crew.in_flight.take() {
            outcomes[at] = Outcome::Failed(Failed::interrupted());
            tell(&plan.candidates()[at], &outcomes[at]);
        }
    }
    let stop = crew.interrupt.came().map(Stop::Signal).or(crew.stop.get());
    Execution {
        outcomes,
        stop,
        elapsed: begin.elapsed(),
    }
}

/// One object, read again.
struct SecondLook {
    reread: Reread,
    is_selected: bool,
    mounts: Mounts,
}

/// What the workers share.
struct Crew<'a> {
    api: &'a Api,
    plan: &'a Plan,
    orders: Orders<'a>,
    is_dry_run: bool,
    interrupt: &'a Interrupt,
    stop: Cell<Option<Stop>>,
    /// Kinds and namespaces in which a deletion was refused for want of a right.
    forbidden: RefCell<BTreeSet<(Kind, &'a str)>>,
    in_flight: RefCell<BTreeSet<usize>>,
}

impl<'a> Crew<'a> {
    async fn reap(&self, at: usize) -> (usize, Outcome) {
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
