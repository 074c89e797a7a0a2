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
use reap_core::judge::Mounts;
use reap_core::object::Kind;
use reap_core::plan::{Candidate, Plan};
use tokio::time::Instant;

use crate::api::{Api, DeleteOptions};
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

/// Deletes the candidates of an approved plan. `tell` is called with each outcome as it comes.
pub(crate) async fn execute(
    approved: &Approved<'_>,
    api: &Api,
    options: DeleteOptions,
    concurrency: usize,
    chunk_size: u32,
    interrupt: &Interrupt,
    mut tell: impl FnMut(&Candidate, &Outcome),
) -> Execution {
    let plan = approved.plan();
    let crew = Crew {
        api,
        plan,
        options,
        chunk_size,
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
            .buffer_unordered(concurrency);
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

/// What the workers share.
struct Crew<'a> {
    api: &'a Api,
    plan: &'a Plan,
    options: DeleteOptions,
    chunk_size: u32,
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
        let mut wait = Duration::ZERO;
        loop {
            self.pause(wait).await;
            if self.must_end() {
                return attempt.given_up();
            }
            let answer = self.api.delete(attempt.target(), self.options).await;
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
            tokio::time::sleep(wait).await;
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
        let mounts = if target.kind == Kind::PersistentVolumeClaim {
            fetch::mounts(self.api, &target.namespace, self.chunk_size).await
        } else {
            Ok(Mounts::default())
        };
        let reread = match mounts {
            Ok(mounts) => self
                .api
                .reread(&target)
                .await
                .map(|reread| (reread, mounts)),
            Err(failure) => Err(failure),
        };
        match reread {
            Ok((reread, mounts)) => {
                attempt.after_reread(reread.object.as_ref(), reread.reading.now().at, &mounts)
            }
            Err(failure) => attempt.after_failed_reread(&failure),
        }
    }

    fn must_end(&self) -> bool {
        self.stop.get().is_some() || self.interrupt.came().is_some()
    }
}
