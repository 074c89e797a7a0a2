mod again;

use testbed::objects::{ObjectBuilder, claim, config_map, hours, job, pod, seconds};

use super::*;
use crate::fixtures::{AT_NOW, mounts, read};
use crate::snapshot::SnapshotBuilder;

fn plan(filter: Filter, objects: impl IntoIterator<Item = ObjectBuilder>) -> Plan {
    let mut builder = SnapshotBuilder::new(filter, false);
    for object in objects {
        builder.take(read(object), AT_NOW);
    }
    Plan::new(builder.finish(AT_NOW))
}

fn names(plan: &Plan) -> Vec<&str> {
    plan.candidates()
        .iter()
        .map(|candidate| candidate.object().reference.name.as_str())
        .collect()
}

fn naming(kind: Kind, names: &[&str]) -> Filter {
    let names = names.iter().map(|&name| name.to_owned()).collect();
    Filter {
        names: BTreeMap::from([(kind, names)]),
        ..Filter::default()
    }
}

fn not_selected(plan: &Plan) -> usize {
    plan.counts().get(&Kept::NotSelected).copied().unwrap_or(0)
}

fn expired() -> ObjectBuilder {
    pod("a").expired(hours(5))
}

#[test]
fn candidates_stand_by_namespace_kind_and_name() {
    let objects = [
        claim("a"),
        config_map("a"),
        pod("z"),
        pod("b"),
        job("y"),
        claim("last").namespace("a"),
    ];
    let plan = plan(
        Filter::default(),
        objects.map(|object| object.expired(hours(5))),
    );
    assert_eq!(names(&plan), ["last", "y", "b", "z", "a", "a"]);
    assert_eq!(
        plan.candidates()[4].object().reference.kind,
        Kind::ConfigMap
    );
    assert_eq!(plan.taken_at(), AT_NOW);
}

#[test]
fn candidates_say_why_and_everything_looked_at_is_counted() {
    let objects = [
        pod("a").failed("DeadlineExceeded"),
        expired(),
        pod("b"),
        pod("c"),
    ];
    let objects = objects
        .into_iter()
        .enumerate()
        .map(|(position, object)| object.set("/metadata/name", format!("pod-{position}")));
    let plan = plan(Filter::default(), objects);
    let reasons: Vec<_> = plan.candidates().iter().map(Candidate::reason).collect();
    assert_eq!(reasons, [Reason::DeadlineExceeded, Reason::Expired]);
    assert_eq!(
        (plan.checked(), plan.counts()),
        (4, &BTreeMap::from([(Kept::NoExpiry, 2)]))
    );
}

#[test]
fn kept_objects_are_shown_on_request_in_the_same_order() {
    let mut builder = SnapshotBuilder::new(Filter::default(), true);
    for object in [
        pod("b"),
        job("z"),
        pod("a").terminating(0),
        expired().namespace("x"),
    ] {
        builder.take(read(object), AT_NOW);
    }
    let plan = Plan::new(builder.finish(AT_NOW));
    let kept: Vec<_> = plan
        .kept()
        .iter()
        .map(|(object, kept)| (object.reference.name.as_str(), *kept))
        .collect();
    assert_eq!(
        kept,
        [
            ("z", Kept::NoExpiry),
            ("a", Kept::Terminating),
            ("b", Kept::NoExpiry)
        ]
    );
    assert_eq!(plan.checked(), 4);
}

#[test]
fn a_run_is_found_by_its_own_or_its_root_id() {
    let filter = Filter {
        run: Some("r".to_owned()),
        ..Filter::default()
    };
    let objects = [
        pod("a").run("r"),
        pod("b").root_run("r").run("s"),
        pod("c").run("s"),
        pod("d"),
        pod("e").step("r"),
    ];
    let plan = plan(filter, objects.map(|object| object.expired(hours(5))));
    assert_eq!((names(&plan), not_selected(&plan)), (vec!["a", "b"], 3));
}

#[test]
fn only_what_might_go_is_not_selected() {
    let filter = Filter {
        run: Some("r".to_owned()),
        ..Filter::default()
    };
    let plan = plan(filter, [pod("a").expires_in(hours(1))]);
    assert_eq!(plan.counts(), &BTreeMap::from([(Kept::NotExpired, 1)]));
}

#[test]
fn reasons_narrow_to_those_that_were_asked_for() {
    let reasons = BTreeSet::from([Reason::DeadlineExceeded, Reason::StuckTerminating]);
    let filter = Filter {
        reasons,
        stuck: true,
        ..Filter::default()
    };
    let objects = [
        expired(),
        pod("b").failed("DeadlineExceeded").expired(hours(5)),
        pod("c").terminating(61),
    ];
    let plan = plan(filter, objects);
    assert_eq!((names(&plan), not_selected(&plan)), (vec!["b", "c"], 1));
}

#[test]
fn an_expiry_must_have_passed_long_enough_ago_and_no_other_reason_is_asked() {
    let filter = Filter {
        expired_for: Some(60),
        stuck: true,
        ..Filter::default()
    };
    let objects = [
        pod("a").expired(seconds(60)),
        pod("b").expired(seconds(59)),
        pod("c").expired(seconds(1)).failed("DeadlineExceeded"),
        pod("d").expired(seconds(1)).terminating(61),
    ];
    let plan = plan(filter, objects);
    assert_eq!(
        (names(&plan), not_selected(&plan)),
        (vec!["a", "c", "d"], 1)
    );
}

#[test]
fn when_names_are_given_nothing_else_is_counted_and_kept_ones_are_shown() {
    let filter = naming(Kind::Pod, &["a", "live", "gone"]);
    let objects = [
        expired(),
        pod("live"),
        pod("other").expired(hours(5)),
        job("a").expired(hours(5)),
    ];
    let plan = plan(filter, objects);
    assert_eq!((names(&plan), plan.checked()), (vec!["a"], 2));
    assert_eq!(plan.kept()[0].0.reference.name, "live");
    assert_eq!(plan.missing(), [(Kind::Pod, "gone".to_owned())]);
}

#[test]
fn a_named_object_that_is_not_ironflow_s_is_missing() {
    let plan = plan(
        naming(Kind::Pod, &["a"]),
        [expired().without("/metadata/labels")],
    );
    assert_eq!(plan.missing(), [(Kind::Pod, "a".to_owned())]);
    assert_eq!(plan.checked(), 0);
}

#[test]
fn a_pod_that_is_not_named_still_protects_its_claim() {
    let objects = [claim("c").expired(hours(5)), pod("a").running().mounts("c")];
    let plan = plan(naming(Kind::PersistentVolumeClaim, &["c"]), objects);
    assert_eq!(plan.kept()[0].1, Kept::InUse);
}

#[test]
fn what_is_not_picked_counts_as_not_selected() {
    let objects = ["a", "b", "c"].map(|name| pod(name).expired(hours(5)));
    let mut plan = plan(Filter::default(), objects);
    plan.pick(&BTreeSet::from([1]));
    assert_eq!(
        (names(&plan), not_selected(&plan), plan.checked()),
        (vec!["b"], 2, 3)
    );
}
