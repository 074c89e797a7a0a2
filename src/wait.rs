//! `--wait`: until what was deleted is gone, and the pods of deleted Jobs with it.

use std::collections::BTreeSet;
use std::time::Duration;

use reap_core::object::{Details, Kind, Object};
use reap_core::plan::Plan;
use tokio::time::Instant;

use crate::api::{Api, Failure};
use crate::execute::{Execution, Outcome};
use crate::fetch;

/// How long to wait before the second look; each further wait is twice as long, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Waits, and returns what is still there when `limit` is over; nothing where all is gone.
///
/// # Errors
/// A kind that can no longer be read.
pub(crate) async fn until_gone(
    api: &Api,
    plan: &Plan,
    execution: &Execution,
    namespace: Option<&str>,
    chunk_size: u32,
    limit: Duration,
) -> Result<Vec<Object>, Failure> {
    let deleted = Deleted::new(plan, execution);
    let begin = Instant::now();
    let mut pause = FIRST_PAUSE;
    loop {
        let mut left = vec![];
        for kind in &deleted.kinds {
            fetch::each(api, *kind, namespace, chunk_size, |object| {
                if deleted.includes(&object) {
                    left.push(object);
                }
            })
            .await?;
        }
        let rest = limit.saturating_sub(begin.elapsed());
        if left.is_empty() || rest.is_zero() {
            return Ok(left);
        }
        tokio::time::sleep(pause.min(rest)).await;
        pause = LONGEST_PAUSE.min(pause * 2);
    }
}

/// What is to be gone.
struct Deleted {
    /// The kinds to look at; pods too where a Job was deleted.
    kinds: BTreeSet<Kind>,
    uids: BTreeSet<String>,
}

impl Deleted {
    fn new(plan: &Plan, execution: &Execution) -> Self {
        let mut deleted = Self {
            kinds: BTreeSet::new(),
            uids: BTreeSet::new(),
        };
        for (candidate, outcome) in plan.candidates().iter().zip(&execution.outcomes) {
            if matches!(outcome, Outcome::Deleted { .. }) {
                let reference = &candidate.object().reference;
                deleted.kinds.insert(reference.kind);
                deleted.uids.insert(reference.uid.clone());
            }
        }
        if deleted.kinds.contains(&Kind::Job) {
            deleted.kinds.insert(Kind::Pod);
        }
        deleted
    }

    fn includes(&self, object: &Object) -> bool {
        let controller = match &object.details {
            Details::Pod {
                controller_job: Some(job),
                ..
            } => Some(&job.uid),
            Details::Pod { .. } | Details::Job { .. } | Details::Metadata | Details::Unreadable => {
                None
            }
        };
        [Some(&object.reference.uid), controller]
            .into_iter()
            .flatten()
            .any(|uid| self.uids.contains(uid))
    }
}
