use super::*;

/// Plans one object and judges it again as `current`, with the clock of the plan and nothing mounted.
fn again(filter: Filter, planned: ObjectBuilder, current: Option<ObjectBuilder>) -> Again {
    let plan = plan(filter, [planned]);
    let current = current.map(read);
    plan.judge_again(
        &plan.candidates()[0],
        current.as_ref(),
        AT_NOW,
        &Mounts::default(),
    )
}

#[test]
fn an_unchanged_candidate_may_go() {
    assert_eq!(
        again(Filter::default(), expired(), Some(expired())),
        Again::Reap(Reason::Expired)
    );
    let failed = expired().failed("DeadlineExceeded");
    let reason = Reason::DeadlineExceeded;
    assert_eq!(
        again(Filter::default(), expired(), Some(failed)),
        Again::Reap(reason)
    );
}

#[test]
fn nothing_is_gone_and_another_uid_is_replaced() {
    assert_eq!(again(Filter::default(), expired(), None), Again::Gone);
    let other = expired().set("/metadata/uid", "other");
    assert_eq!(
        again(Filter::default(), expired(), Some(other.clone())),
        Again::Keep(Kept::Replaced)
    );
    let foreign = other.without("/metadata/labels");
    assert_eq!(
        again(Filter::default(), expired(), Some(foreign)),
        Again::Keep(Kept::Replaced)
    );
}

#[test]
fn a_moved_expiry_is_renewed() {
    let renewed = pod("a").expires_in(seconds(0));
    assert_eq!(
        again(Filter::default(), expired(), Some(renewed)),
        Again::Keep(Kept::Renewed)
    );
    let moved_within_the_past = pod("a").expired(seconds(1));
    let answer = again(Filter::default(), expired(), Some(moved_within_the_past));
    assert_eq!(answer, Again::Reap(Reason::Expired));
}

#[test]
fn by_an_earlier_clock_the_expiry_has_not_moved() {
    let plan = plan(Filter::default(), [pod("a").expired(seconds(1))]);
    let candidate = &plan.candidates()[0];
    let earlier = UnixSeconds(AT_NOW.0 - 1);
    let answer = plan.judge_again(
        candidate,
        Some(candidate.object()),
        earlier,
        &Mounts::default(),
    );
    assert_eq!(answer, Again::Keep(Kept::NotExpired));
}

#[test]
fn any_other_veto_stands_as_it_is() {
    for (current, kept) in [
        (expired().without("/metadata/labels"), Kept::NotManaged),
        (expired().set("/spec", "broken"), Kept::Unidentifiable),
        (expired().terminating(0), Kept::Terminating),
        (expired().owned_by_job("j", "u"), Kept::ControlledByJob),
        (pod("a"), Kept::NoExpiry),
        (pod("a").expires_at("soon"), Kept::UnreadableExpiry),
    ] {
        assert_eq!(
            again(Filter::default(), expired(), Some(current)),
            Again::Keep(kept)
        );
    }
}

#[test]
fn a_claim_that_is_mounted_by_now_is_in_use() {
    let plan = plan(Filter::default(), [claim("c").expired(hours(5))]);
    let candidate = &plan.candidates()[0];
    let mounts = mounts([pod("a").mounts("c")]);
    let answer = plan.judge_again(candidate, Some(candidate.object()), AT_NOW, &mounts);
    assert_eq!(answer, Again::Keep(Kept::InUse));
}

#[test]
fn the_flags_that_chose_it_still_hold() {
    let of_run = Filter {
        run: Some("r".to_owned()),
        ..Filter::default()
    };
    let other_run = expired().run("s");
    assert_eq!(
        again(of_run, expired().run("r"), Some(other_run)),
        Again::Keep(Kept::NotSelected)
    );
    let long_ago = Filter {
        expired_for: Some(3600),
        ..Filter::default()
    };
    let recently = pod("a").expired(seconds(3599));
    assert_eq!(
        again(long_ago, expired(), Some(recently)),
        Again::Keep(Kept::NotSelected)
    );
}

#[test]
fn only_a_pod_that_was_shown_as_stuck_goes_as_a_stuck_one() {
    let stuck = || Filter {
        stuck: true,
        ..Filter::default()
    };
    let terminating = expired().terminating(99);
    let shown = again(stuck(), terminating.clone(), Some(terminating.clone()));
    assert_eq!(shown, Again::Reap(Reason::StuckTerminating));
    let not_shown = again(stuck(), expired(), Some(terminating));
    assert_eq!(not_shown, Again::Keep(Kept::Terminating));
}
