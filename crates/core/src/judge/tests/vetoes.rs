use super::*;

fn claim_mounted_by(pod: ObjectBuilder) -> Verdict {
    judge_with(&mounts([pod.mounts("c")]), claim("c").expired(hours(5)))
}

fn judge_with(mounts: &Mounts, object: ObjectBuilder) -> Verdict {
    let circumstances = Circumstances {
        now: AT_NOW,
        stuck: false,
        mounts,
    };
    judge(&read(object), &circumstances)
}

#[test]
fn what_ironflow_did_not_make_is_not_managed() {
    for object in every_kind().map(|object| object.expired(hours(5))) {
        for foreign in [
            object.clone().label("app.kubernetes.io/managed-by", "Helm"),
            object
                .clone()
                .without("/metadata/labels/app.kubernetes.io~1managed-by"),
            object.clone().set("/metadata/labels", None::<String>),
            object.clone().without("/metadata/labels"),
        ] {
            assert_eq!(verdict(foreign), keep(Kept::NotManaged));
        }
    }
}

#[test]
fn config_maps_and_claims_need_their_component_and_pods_and_jobs_none() {
    let other = |object: ObjectBuilder| verdict(object.expired(hours(5)).component("other"));
    assert_eq!(other(config_map("a")), keep(Kept::NotManaged));
    assert_eq!(
        other(config_map("a").component("environment")),
        keep(Kept::NotManaged)
    );
    assert_eq!(other(claim("a")), keep(Kept::NotManaged));
    assert_eq!(other(pod("a")), EXPIRED);
    assert_eq!(other(job("a")), EXPIRED);
    let bare = config_map("a").without("/metadata/labels/app.kubernetes.io~1component");
    assert_eq!(verdict(bare.expired(hours(5))), keep(Kept::NotManaged));
}

#[test]
fn what_is_being_deleted_is_kept() {
    for object in every_kind() {
        let terminating = object.terminating(0).expired(hours(5));
        assert_eq!(verdict(terminating), keep(Kept::Terminating));
    }
}

#[test]
fn a_pod_of_a_job_goes_with_its_job_whatever_the_api_group() {
    for group in ["batch/v1", "batch.volcano.sh/v1alpha1", ""] {
        let owned = pod("a").expired(hours(5)).owner("Job", group, Some(true));
        assert_eq!(verdict(owned), keep(Kept::ControlledByJob), "{group}");
    }
    let exceeded = pod("a").failed("DeadlineExceeded").owned_by_job("j", "u");
    assert_eq!(verdict(exceeded), keep(Kept::ControlledByJob));
}

#[test]
fn any_other_owner_protects_nothing() {
    let owned = |kind, group, controller| {
        verdict(pod("a").expired(hours(5)).owner(kind, group, controller))
    };
    assert_eq!(owned("Job", "batch/v1", Some(false)), EXPIRED);
    assert_eq!(owned("Job", "batch/v1", None), EXPIRED);
    assert_eq!(owned("Pod", "v1", Some(false)), EXPIRED);
    assert_eq!(owned("ReplicaSet", "apps/v1", Some(true)), EXPIRED);
    assert_eq!(owned("CronJob", "batch/v1", Some(true)), EXPIRED);
}

#[test]
fn a_job_among_other_owners_is_found() {
    let owned = pod("a")
        .expired(hours(5))
        .owner("Pod", "v1", Some(false))
        .owned_by_job("j", "u");
    assert_eq!(verdict(owned), keep(Kept::ControlledByJob));
}

#[test]
fn only_pods_go_with_a_job() {
    for object in [job("a"), config_map("a"), claim("a")] {
        assert_eq!(
            verdict(object.expired(hours(5)).owned_by_job("j", "u")),
            EXPIRED
        );
    }
}

#[test]
fn a_claim_is_in_use_while_a_pending_or_running_pod_mounts_it() {
    assert_eq!(claim_mounted_by(pod("a").pending()), keep(Kept::InUse));
    assert_eq!(claim_mounted_by(pod("a").running()), keep(Kept::InUse));
    assert_eq!(
        claim_mounted_by(pod("a").without("/status")),
        keep(Kept::InUse)
    );
    assert_eq!(
        claim_mounted_by(pod("a").running().expired(hours(5))),
        keep(Kept::InUse)
    );
    assert_eq!(
        claim_mounted_by(pod("a").running().terminating(99)),
        keep(Kept::InUse)
    );
}

#[test]
fn a_claim_is_free_of_finished_lost_and_foreign_pods() {
    for phase in ["Failed", "Succeeded", "Unknown"] {
        assert_eq!(claim_mounted_by(pod("a").phase(phase)), EXPIRED, "{phase}");
    }
    let foreign = pod("a")
        .running()
        .label("app.kubernetes.io/managed-by", "Helm");
    assert_eq!(claim_mounted_by(foreign), EXPIRED);
    assert_eq!(
        claim_mounted_by(pod("a").running().namespace("elsewhere")),
        EXPIRED
    );
}

#[test]
fn a_pod_that_cannot_be_read_may_mount_any_claim_of_its_namespace() {
    let spoilt = || pod("a").set("/status", "a string");
    assert_eq!(claim_mounted_by(spoilt()), keep(Kept::InUse));
    let no_labels = spoilt().set("/metadata/labels", "none");
    assert_eq!(claim_mounted_by(no_labels), keep(Kept::InUse));
    let foreign = spoilt().label("app.kubernetes.io/managed-by", "Helm");
    assert_eq!(claim_mounted_by(foreign), EXPIRED);
    assert_eq!(claim_mounted_by(spoilt().namespace("elsewhere")), EXPIRED);
    let mounts = mounts([spoilt()]);
    assert!(mounts.is_unclear(NAMESPACE) && !mounts.is_unclear("elsewhere"));
}

#[test]
fn a_pod_without_a_namespace_may_mount_any_claim() {
    let homeless = || pod("a").running().without("/metadata/namespace");
    let judged = |pod| judge_with(&mounts([pod]), claim("d").expired(hours(5)));
    assert_eq!(judged(homeless().mounts("c")), keep(Kept::InUse));
    assert_eq!(
        judged(homeless().set("/status", "a string")),
        keep(Kept::InUse)
    );
    assert_eq!(judged(homeless()), EXPIRED);
}

#[test]
fn a_mount_protects_nothing_but_the_claim_of_that_name() {
    let mounts = mounts([pod("a").running().mounts("c").mounts("d")]);
    assert!(mounts.contains(NAMESPACE, "c") && mounts.contains(NAMESPACE, "d"));
    assert!(!mounts.contains(NAMESPACE, "e"));
    assert_eq!(
        judge_with(&mounts, config_map("c").expired(hours(5))),
        EXPIRED
    );
}

#[test]
fn a_pod_is_stuck_more_than_a_minute_past_its_deletion() {
    assert_eq!(
        verdict_with_stuck(pod("a").terminating(60)),
        keep(Kept::Terminating)
    );
    assert_eq!(verdict_with_stuck(pod("a").terminating(61)), STUCK);
    assert_eq!(verdict(pod("a").terminating(61)), keep(Kept::Terminating));
}

#[test]
fn a_deletion_that_lies_ahead_is_not_stuck() {
    let ahead = pod("a").at(NOW + 3600).terminating(0);
    assert_eq!(verdict_with_stuck(ahead), keep(Kept::Terminating));
}

#[test]
fn a_stuck_pod_may_go_whatever_its_expiry() {
    assert_eq!(
        verdict_with_stuck(pod("a").terminating(99).expires_in(hours(5))),
        STUCK
    );
    assert_eq!(
        verdict_with_stuck(pod("a").terminating(99).failed("DeadlineExceeded")),
        STUCK
    );
}

#[test]
fn a_job_and_its_pod_are_never_stuck() {
    for object in [
        job("a"),
        config_map("a"),
        claim("a"),
        pod("a").owned_by_job("j", "u"),
    ] {
        assert_eq!(
            verdict_with_stuck(object.terminating(99)),
            keep(Kept::Terminating)
        );
    }
}

#[test]
fn each_veto_comes_before_the_next() {
    type Change = fn(ObjectBuilder) -> ObjectBuilder;
    let vetoes: [(Kept, Change); 4] = [
        (Kept::NotManaged, |pod| pod.without("/metadata/labels")),
        (Kept::Unidentifiable, |pod| pod.without("/metadata/uid")),
        (Kept::Terminating, |pod| pod.terminating(99)),
        (Kept::ControlledByJob, |pod| pod.owned_by_job("j", "u")),
    ];
    for (position, (first, veto)) in vetoes.iter().enumerate() {
        for (_, later) in &vetoes[position..] {
            let pod = later(veto(pod("a").failed("DeadlineExceeded")));
            assert_eq!(verdict(pod), keep(*first));
        }
    }
}

#[test]
fn a_mounted_claim_is_terminating_before_it_is_in_use_and_in_use_before_it_is_unexpired() {
    let mounts = mounts([pod("a").running().mounts("c")]);
    let judged = |claim| judge_with(&mounts, claim);
    assert_eq!(judged(claim("c").terminating(0)), keep(Kept::Terminating));
    assert_eq!(
        judged(claim("c").without("/metadata/uid")),
        keep(Kept::Unidentifiable)
    );
    assert_eq!(judged(claim("c").expires_in(hours(5))), keep(Kept::InUse));
}
