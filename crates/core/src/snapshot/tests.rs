use testbed::objects::{ObjectBuilder, claim, hours, pod, seconds};

use super::*;
use crate::fixtures::{AT_NOW, read};
use crate::plan::Plan;

fn builder(objects: impl IntoIterator<Item = ObjectBuilder>) -> SnapshotBuilder {
    let mut builder = SnapshotBuilder::new(Filter::default(), false);
    for object in objects {
        builder.take(read(object), AT_NOW);
    }
    builder
}

fn plan(objects: impl IntoIterator<Item = ObjectBuilder>) -> Plan {
    Plan::new(builder(objects).finish(AT_NOW))
}

#[test]
fn what_is_kept_whatever_the_later_clock_says_is_only_counted() {
    let builder = builder([
        pod("a").expires_in(hours(1)),
        pod("b"),
        pod("c").expired(hours(1)),
    ]);
    assert_eq!((builder.held.len(), builder.counted.len()), (1, 2));
}

#[test]
fn what_may_go_only_at_the_horizon_is_judged_by_the_time_of_the_reading() {
    let mut builder = SnapshotBuilder::new(Filter::default(), false);
    builder.take(
        read(pod("a").expired(seconds(0))),
        UnixSeconds(AT_NOW.0 + 1),
    );
    assert_eq!(builder.held.len(), 1);
    let plan = Plan::new(builder.finish(AT_NOW));
    assert!(plan.candidates().is_empty() && plan.kept().is_empty());
    assert_eq!(plan.counts(), &BTreeMap::from([(Kept::NotExpired, 1)]));
}

#[test]
fn a_claim_is_held_until_all_mounts_are_known() {
    let later = plan([claim("c").expired(hours(5)), pod("a").running().mounts("c")]);
    assert_eq!(later.counts().get(&Kept::InUse), Some(&1));
    assert!(later.candidates().is_empty() && later.kept().is_empty());
}

#[test]
fn an_observed_pod_protects_its_claim_and_is_not_counted() {
    let mut builder = builder([claim("c").expired(hours(5))]);
    builder.observe(&read(pod("a").running().mounts("c")));
    let plan = Plan::new(builder.finish(AT_NOW));
    assert_eq!(plan.counts(), &BTreeMap::from([(Kept::InUse, 1)]));
}

#[test]
fn claims_that_only_a_pod_which_cannot_be_read_may_mount_are_counted() {
    let objects = [
        claim("c").expired(hours(5)),
        claim("live").expires_in(hours(5)),
        claim("e").namespace("elsewhere").expired(hours(5)),
        pod("a").set("/status", "a string"),
    ];
    let plan = plan(objects);
    assert_eq!((plan.unclear_claims(), plan.candidates().len()), (2, 1));
}

#[test]
fn the_later_of_the_same_object_counts() {
    let (live, dead) = (pod("a").expires_in(hours(1)), pod("a").expired(hours(1)));
    let plan_of = |objects| {
        let plan = plan(objects);
        (
            plan.candidates().len(),
            plan.counts().get(&Kept::NotExpired).copied(),
            plan.checked(),
        )
    };
    assert_eq!(plan_of([live.clone(), dead.clone()]), (1, None, 1));
    assert_eq!(plan_of([dead.clone(), live.clone()]), (0, Some(1), 1));
    assert_eq!(plan_of([live.clone(), live]), (0, Some(1), 1));
    assert_eq!(plan_of([dead.clone(), dead.clone()]), (1, None, 1));
    let foreign = dead.clone().without("/metadata/labels");
    assert_eq!(plan_of([dead, foreign]), (0, None, 0));
}

#[test]
fn the_same_name_of_another_kind_or_namespace_is_another_object() {
    let expired = pod("a").expired(hours(1));
    let objects = [
        expired.clone(),
        expired.clone().namespace("b"),
        claim("a").expired(hours(1)),
    ];
    assert_eq!(plan(objects).candidates().len(), 3);
}

#[test]
fn objects_of_others_are_neither_counted_nor_shown() {
    let foreign = pod("a")
        .expired(hours(5))
        .expires_at("odd")
        .without("/metadata/labels");
    let mut builder = SnapshotBuilder::new(Filter::default(), true);
    builder.take(read(foreign), AT_NOW);
    let plan = Plan::new(builder.finish(AT_NOW));
    assert_eq!(
        (plan.checked(), plan.kept().len(), plan.oddities().len()),
        (0, 0, 0)
    );
}

#[test]
fn of_odd_expiries_the_first_five_stand_with_their_value() {
    let pods =
        (0..7).map(|number| pod(&format!("pod-{number}")).expires_at(&format!("odd-{number}")));
    let plan = plan(pods);
    let odd = &plan.oddities()[&Oddity::Unreadable];
    assert_eq!(odd.count, 7);
    let first = (0..5).map(|number| Expiry::Unreadable(format!("odd-{number}")));
    assert!(
        odd.examples
            .iter()
            .map(|(_, expiry)| expiry.clone())
            .eq(first)
    );
}

#[test]
fn odd_expiries_of_candidates_count_too() {
    let odd = plan([
        pod("a").expires_at_seconds(7),
        pod("b").expires_at("1000000000000"),
    ]);
    assert_eq!(
        odd.oddities()[&Oddity::BeforeCreation].examples[0].1,
        Expiry::At(UnixSeconds(7))
    );
    assert_eq!(odd.oddities()[&Oddity::Milliseconds].count, 1);
    assert_eq!(odd.candidates().len(), 1);
}

#[test]
fn an_odd_expiry_that_is_read_again_counts_once_or_not_at_all() {
    let odd = pod("a").expires_at("odd");
    let twice = plan([odd.clone(), pod("b").expires_at("odd"), odd.clone()]);
    let unreadable = &twice.oddities()[&Oddity::Unreadable];
    let names: Vec<_> = unreadable
        .examples
        .iter()
        .map(|(reference, _)| reference.name.as_str())
        .collect();
    assert_eq!((unreadable.count, names), (2, vec!["b", "a"]));
    assert!(plan([odd, pod("a")]).oddities().is_empty());
    assert!(
        plan([pod("a").expires_at_seconds(7), pod("a")])
            .oddities()
            .is_empty()
    );
}

#[test]
fn a_kind_that_could_not_be_read_stays_known() {
    let mut builder = builder([]);
    let unread = Unread {
        kind: Kind::Job,
        error: "jobs is forbidden".to_owned(),
    };
    builder.unread(unread.clone());
    assert_eq!(Plan::new(builder.finish(AT_NOW)).unread(), [unread]);
}
