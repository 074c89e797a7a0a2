mod vetoes;

use testbed::objects::{
    NAMESPACE, NOW, ObjectBuilder, claim, config_map, hours, job, pod, seconds,
};

use super::*;
use crate::fixtures::{AT_NOW, mounts, read, verdict, verdict_with_stuck};

const EXPIRED: Verdict = Verdict::Reap(Reason::Expired);
const DEADLINE_EXCEEDED: Verdict = Verdict::Reap(Reason::DeadlineExceeded);
const STUCK: Verdict = Verdict::Reap(Reason::StuckTerminating);

fn keep(kept: Kept) -> Verdict {
    Verdict::Keep(kept)
}

fn every_kind() -> [ObjectBuilder; 4] {
    [job("a"), pod("a"), config_map("a"), claim("a")]
}

#[test]
fn every_kind_may_go_once_its_expiry_is_over() {
    for object in every_kind() {
        assert_eq!(verdict(object.clone().expired(seconds(1))), EXPIRED);
        assert_eq!(
            verdict(object.clone().expired(seconds(0))),
            keep(Kept::NotExpired)
        );
        assert_eq!(
            verdict(object.expires_in(seconds(1))),
            keep(Kept::NotExpired)
        );
    }
}

#[test]
fn the_ends_of_the_number_range_are_judged_like_any_other() {
    assert_eq!(verdict(pod("a").expires_at("0")), EXPIRED);
    assert_eq!(
        verdict(pod("a").expires_at_seconds(u64::MAX)),
        keep(Kept::NotExpired)
    );
}

#[test]
fn no_kind_goes_without_a_readable_expiry() {
    for object in every_kind() {
        assert_eq!(verdict(object.clone()), keep(Kept::NoExpiry));
        assert_eq!(
            verdict(object.expires_at("1_0")),
            keep(Kept::UnreadableExpiry)
        );
    }
}

#[test]
fn an_expired_pod_may_go_in_any_phase() {
    for phase in ["Pending", "Running", "Succeeded", "Failed", "Unknown"] {
        assert_eq!(
            verdict(pod("a").phase(phase).expired(hours(5))),
            EXPIRED,
            "{phase}"
        );
    }
}

#[test]
fn a_pod_that_exceeded_its_deadline_may_go_whatever_its_expiry() {
    let failed = pod("a").failed("DeadlineExceeded");
    assert_eq!(verdict(failed.clone()), DEADLINE_EXCEEDED);
    assert_eq!(
        verdict(failed.clone().expires_at("soon")),
        DEADLINE_EXCEEDED
    );
    assert_eq!(
        verdict(failed.clone().expires_in(hours(5))),
        DEADLINE_EXCEEDED
    );
    assert_eq!(verdict(failed.expired(hours(5))), DEADLINE_EXCEEDED);
}

#[test]
fn a_pod_needs_both_the_phase_and_the_reason() {
    assert_eq!(verdict(pod("a").failed("")), keep(Kept::NoExpiry));
    assert_eq!(verdict(pod("a").failed("Evicted")), keep(Kept::NoExpiry));
    let running = pod("a").running().set("/status/reason", "DeadlineExceeded");
    assert_eq!(verdict(running), keep(Kept::NoExpiry));
}

#[test]
fn a_job_that_exceeded_its_deadline_may_go_whatever_its_expiry() {
    let failed = job("a").failed("DeadlineExceeded");
    assert_eq!(verdict(failed.clone()), DEADLINE_EXCEEDED);
    assert_eq!(
        verdict(failed.clone().expires_in(hours(5))),
        DEADLINE_EXCEEDED
    );
    assert_eq!(verdict(failed.expired(hours(5))), DEADLINE_EXCEEDED);
}

#[test]
fn a_job_needs_the_condition_failed_its_status_and_its_reason_in_one() {
    for conditions in [
        vec![("FailureTarget", "True", "DeadlineExceeded")],
        vec![("Failed", "False", "DeadlineExceeded")],
        vec![("Failed", "Unknown", "DeadlineExceeded")],
        vec![("Failed", "True", "BackoffLimitExceeded")],
        vec![("Failed", "True", "")],
        vec![
            ("Failed", "True", ""),
            ("FailureTarget", "True", "DeadlineExceeded"),
        ],
        vec![
            ("Failed", "True", ""),
            ("Failed", "False", "DeadlineExceeded"),
        ],
    ] {
        let job = conditions
            .iter()
            .fold(job("a"), |job, (condition, status, reason)| {
                job.condition(condition, status, reason)
            });
        assert_eq!(verdict(job), keep(Kept::NoExpiry), "{conditions:?}");
    }
}

#[test]
fn reasons_and_verdicts_are_written_as_they_are_named() {
    let reasons = [
        Reason::DeadlineExceeded,
        Reason::Expired,
        Reason::StuckTerminating,
    ];
    assert_eq!(
        reasons.map(Reason::as_str),
        ["DeadlineExceeded", "Expired", "StuckTerminating"]
    );
    for kept in [
        Kept::NotExpired,
        Kept::NoExpiry,
        Kept::UnreadableExpiry,
        Kept::Terminating,
        Kept::ControlledByJob,
        Kept::Unidentifiable,
        Kept::InUse,
        Kept::Renewed,
        Kept::Replaced,
        Kept::NotManaged,
        Kept::NotSelected,
    ] {
        assert_eq!(kept.as_str(), format!("{kept:?}"));
    }
}
