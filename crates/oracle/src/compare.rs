//! Both reapers' answers to one case, and what explains where they differ.

use reap_core::filter::Filter;
use reap_core::judge::{Kept, Mounts, Reason, Verdict};
use reap_core::object::{Kind, Object};
use reap_core::plan::{Again, Plan};
use reap_core::snapshot::SnapshotBuilder;
use reap_core::time::UnixSeconds;
use serde_json::Value;

use crate::case::{Case, text};
use crate::model;
use crate::tally::{Difference, Finding};
use crate::upstream::{release_4, release_6};

/// Asks both, twice: when the object is listed, and, if it may go, when it is deleted.
///
/// # Errors
///
/// Says what was expected where the table of differences does not explain what was answered.
pub fn compare(case: &Case) -> Result<Finding, String> {
    let json = case.object.to_string();
    let (plan, mounts) = plan(case, &json);
    let verdict = verdict(&plan);
    let six = release_6(case.kind, &json, [case.caller_now, case.now]).ok();
    let four = release_4(case.kind, &json, [case.caller_now, case.now]).ok();
    let mut finding = Finding::new(verdict);
    if case.kind != Kind::PersistentVolumeClaim {
        match (six, four) {
            (Some(six), Some(four)) if six != four => {
                return Err(format!("release 6 says {six:?}, release 4 says {four:?}"));
            }
            (six, four) => finding.read_by_one_release = six.is_some() != four.is_some(),
        }
    }
    let Some([at_caller, at_now]) = six else {
        finding.refused = true;
        return Ok(finding);
    };
    finding.difference = first_look(case, verdict, at_caller, at_now)?;
    if let Some(candidate) = plan.candidates().first() {
        let later = case.later.as_ref().map(ToString::to_string);
        let current = later
            .as_ref()
            .map(|json| Object::from_json(case.kind, json));
        let now = UnixSeconds(case.now);
        let again = plan.judge_again(candidate, current.as_ref(), now, &mounts);
        second_look(case, candidate.reason(), again)?;
        finding.again = Some(again);
    }
    Ok(finding)
}

fn plan(case: &Case, json: &str) -> (Plan, Mounts) {
    let filter = Filter {
        run: case.run.clone(),
        stuck: case.stuck,
        ..Filter::default()
    };
    let mut snapshot = SnapshotBuilder::new(filter, false);
    let mut mounts = Mounts::default();
    if let Some(pod) = &case.pod {
        let pod = Object::from_json(Kind::Pod, &pod.to_string());
        snapshot.observe(&pod);
        mounts.insert(&pod);
    }
    let now = UnixSeconds(case.now);
    snapshot.take(Object::from_json(case.kind, json), now);
    (Plan::new(snapshot.finish(now)), mounts)
}

/// What does not bear ironflow's marks is on no plan at all.
fn verdict(plan: &Plan) -> Verdict {
    let reaped = plan.candidates().first();
    let kept = || plan.counts().keys().next().copied();
    reaped.map_or_else(
        || Verdict::Keep(kept().unwrap_or(Kept::NotManaged)),
        |candidate| Verdict::Reap(candidate.reason()),
    )
}

fn first_look(
    case: &Case,
    verdict: Verdict,
    at_caller: Option<Reason>,
    at_now: Option<Reason>,
) -> Result<Option<Difference>, String> {
    check(case, &case.object, case.stuck, at_now, verdict)?;
    let upstream = at_caller.filter(|_| model::is_listed(case.kind, &case.object));
    let ours = match verdict {
        Verdict::Reap(reason) => Some(reason),
        Verdict::Keep(_) => None,
    };
    if ours == upstream {
        return Ok(None);
    }
    Ok(Some(match verdict {
        Verdict::Keep(Kept::Unidentifiable) => Difference::Shown,
        Verdict::Keep(Kept::Terminating) => Difference::Terminating,
        Verdict::Keep(Kept::InUse) => Difference::Claims,
        Verdict::Keep(Kept::NotSelected) | Verdict::Reap(Reason::StuckTerminating) => {
            Difference::Flags
        }
        _ if at_caller != at_now => Difference::Clock,
        Verdict::Reap(_) | Verdict::Keep(_) => {
            return Err(format!("upstream says {upstream:?}, we say {verdict:?}"));
        }
    }))
}

/// Upstream deletes whatever bears the name; we look again at what differs from what was shown.
fn second_look(case: &Case, shown: Reason, again: Again) -> Result<(), String> {
    let fails = |expected: &str| Err(format!("{expected} at the second look, not {again:?}"));
    let Some(later) = &case.later else {
        return (again == Again::Gone)
            .then_some(())
            .map_or_else(|| fails("Gone"), Ok);
    };
    let uid = text(later, "/metadata/uid");
    if uid.is_some() && uid != text(&case.object, "/metadata/uid") {
        let replaced = again == Again::Keep(Kept::Replaced);
        return replaced.then_some(()).map_or_else(|| fails("Replaced"), Ok);
    }
    let Ok([at_now, _]) = release_6(case.kind, &later.to_string(), [case.now; 2]) else {
        return Ok(());
    };
    let verdict = match again {
        Again::Gone => return fails("not Gone"),
        Again::Keep(Kept::Renewed) if expiry(later) != expiry(&case.object) => {
            Verdict::Keep(Kept::NotExpired)
        }
        Again::Keep(kept) => Verdict::Keep(kept),
        Again::Reap(reason) => Verdict::Reap(reason),
    };
    let stuck = shown == Reason::StuckTerminating;
    check(case, later, stuck, at_now, verdict).map_err(|error| format!("second look: {error}"))
}

fn expiry(object: &Value) -> Option<&str> {
    text(object, "/metadata/annotations/ironflow.io~1expires-at")
}

/// Holds a verdict against upstream's at the same time and the table of differences.
fn check(
    case: &Case,
    object: &Value,
    stuck: bool,
    upstream: Option<Reason>,
    verdict: Verdict,
) -> Result<(), String> {
    let kind = case.kind;
    let is_mounted = |pod| model::is_mounted(object, pod);
    let expected = if object["metadata"].is_null() {
        // Whose it is cannot be read: kept, and said so.
        Verdict::Keep(Kept::Unidentifiable)
    } else if !model::is_listed(kind, object) {
        Verdict::Keep(Kept::NotManaged)
    } else if !model::is_addressable(object) {
        Verdict::Keep(Kept::Unidentifiable)
    } else if model::is_terminating(object) {
        let may_be_stuck = stuck && kind == Kind::Pod && !model::is_controlled_by_job(object);
        match verdict {
            Verdict::Reap(Reason::StuckTerminating) if may_be_stuck => verdict,
            Verdict::Keep(Kept::NotSelected) if may_be_stuck && !is_selected(case, object) => {
                verdict
            }
            Verdict::Reap(_) | Verdict::Keep(_) => Verdict::Keep(Kept::Terminating),
        }
    } else if kind == Kind::Pod && model::is_controlled_by_job(object) {
        Verdict::Keep(Kept::ControlledByJob)
    } else if kind == Kind::PersistentVolumeClaim && case.pod.as_ref().is_some_and(is_mounted) {
        Verdict::Keep(Kept::InUse)
    } else if upstream.is_some() && !is_selected(case, object) {
        Verdict::Keep(Kept::NotSelected)
    } else if let Some(reason) = upstream {
        Verdict::Reap(reason)
    } else {
        match expiry(object).map(str::parse::<u64>) {
            Some(Ok(_)) => Verdict::Keep(Kept::NotExpired),
            None if object["metadata"]["annotations"]["ironflow.io/expires-at"].is_null() => {
                Verdict::Keep(Kept::NoExpiry)
            }
            Some(Err(_)) | None => Verdict::Keep(Kept::UnreadableExpiry),
        }
    };
    if verdict == expected {
        Ok(())
    } else {
        Err(format!(
            "{expected:?} follows from upstream's {upstream:?}, not {verdict:?}"
        ))
    }
}

fn is_selected(case: &Case, object: &Value) -> bool {
    let run = case.run.as_ref();
    run.is_none_or(|run| model::is_of_run(object, run))
}
