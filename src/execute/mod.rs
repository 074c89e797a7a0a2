//! Deletes what was approved, kind after kind, many at a time; and tells what became of each.

mod crew;
mod outcome;
mod step;
#[cfg(test)]
mod tests;

use std::cell::{Cell, RefCell};
use std::time::Duration;

use futures::StreamExt;
use futures::stream;
use reap_core::object::Kind;
use reap_core::plan::Candidate;
use tokio::time::Instant;

use crate::api::Api;
use crate::confirm::{Action, Approved};
use crate::interrupt::{Interrupt, Signal};

use crew::Crew;
pub(crate) use outcome::{Failed, Outcome};

/// So many deletions in a row that failed because the server cannot work stop the run.
const MOST_OUTAGES: u32 = 20;
/// How long deletions in flight are waited for after a signal.
pub(crate) const FAREWELL: Duration = Duration::from_secs(5);
/// What ends within this time after a signal needs no word.
const MOMENT: Duration = Duration::from_millis(200);

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

/// What is to be told while deletions go on.
pub(crate) enum News<'a> {
    /// What became of one candidate.
    Outcome(&'a Candidate, &'a Outcome),
    /// After a signal so many deletions are still waited for.
    Waiting(Signal, usize),
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

/// Deletes the candidates of an approved plan. `tell` gets the news as they come.
pub(crate) async fn execute(
    approved: &Approved<'_>,
    api: &Api,
    orders: Orders<'_>,
    interrupt: &Interrupt,
    tell: impl Fn(News<'_>),
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
            let signal = crew.interrupt.wait().await;
            tokio::time::sleep(MOMENT).await;
            tell(News::Waiting(signal, crew.in_flight.borrow().len()));
            tokio::time::sleep(FAREWELL.saturating_sub(MOMENT)).await;
        };
        tokio::pin!(farewell);
        loop {
            let result = tokio::select! {
                biased;
                result = results.next() => result,
                () = &mut farewell => None,
            };
            let Some((at, outcome)) = result else { break };
            tell(News::Outcome(&plan.candidates()[at], &outcome));
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
            outcomes[at] = Outcome::Failed(Failed::interrupted(!crew.is_dry_run));
            tell(News::Outcome(&plan.candidates()[at], &outcomes[at]));
        }
    }
    let stop = crew.interrupt.came().map(Stop::Signal).or(crew.stop.get());
    Execution {
        outcomes,
        stop,
        elapsed: begin.elapsed(),
    }
}
