//! What holds of any objects, at any time.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use testbed::objects::{NOW, ObjectBuilder, claim, config_map, job, pod};

use crate::filter::Filter;
use crate::fixtures::read;
use crate::judge::{Circumstances, Mounts, Reason, Verdict, judge};
use crate::object::Object;
use crate::plan::Plan;
use crate::snapshot::SnapshotBuilder;
use crate::time::UnixSeconds;

/// Few names, and times close together, so that objects meet.
fn any_object() -> impl Strategy<Value = Object> {
    let make: fn(usize, &str) -> ObjectBuilder =
        |kind, name| [job, pod, config_map, claim][kind](name);
    let change = prop_oneof![
        3 => any_time().prop_map(|expiry| Change::Expiry(expiry.0.to_string())),
        1 => Just(Change::Expiry("soon".to_owned())),
        1 => Just(Change::Failed),
        1 => (0..130_u64).prop_map(Change::Terminating),
        1 => Just(Change::Owned),
        1 => Just(Change::Running),
        1 => Just(Change::Foreign),
        1 => Just(Change::Nameless),
        1 => Just(Change::Run),
    ];
    (0..4_usize, "[a-d]", prop::collection::vec(change, 0..4)).prop_map(
        move |(kind, name, changes)| {
            let object = make(kind, &name);
            let object = if kind == 1 {
                object.mounts("a")
            } else {
                object
            };
            read(
                changes
                    .into_iter()
                    .fold(object, |object, change| change.apply(object)),
            )
        },
    )
}

#[derive(Clone, Debug)]
enum Change {
    Expiry(String),
    Failed,
    Terminating(u64),
    Owned,
    Running,
    Foreign,
    Nameless,
    Run,
}

impl Change {
    fn apply(self, object: ObjectBuilder) -> ObjectBuilder {
        match self {
            Self::Expiry(text) => object.expires_at(&text),
            Self::Failed => object.failed("DeadlineExceeded"),
            Self::Terminating(seconds_ago) => object.terminating(seconds_ago),
            Self::Owned => object.owned_by_job("j", "u"),
            Self::Running => object.running(),
            Self::Foreign => object.without("/metadata/labels"),
            Self::Nameless => object.without("/metadata/uid"),
            Self::Run => object.run("r"),
        }
    }
}

fn any_time() -> impl Strategy<Value = UnixSeconds> {
    prop_oneof![
        (NOW - 70..NOW + 70).prop_map(UnixSeconds),
        any::<u64>().prop_map(UnixSeconds),
    ]
}

fn any_filter() -> impl Strategy<Value = Filter> {
    let reasons = [
        Reason::DeadlineExceeded,
        Reason::Expired,
        Reason::StuckTerminating,
    ];
    (
        prop::option::of(Just("r".to_owned())),
        prop::sample::subsequence(reasons.to_vec(), 0..=3),
        prop::option::of(0..100_u64),
        any::<bool>(),
    )
        .prop_map(|(run, reasons, expired_for, stuck)| Filter {
            run,
            reasons: reasons.into_iter().collect::<BTreeSet<_>>(),
            expired_for,
            stuck,
            ..Filter::default()
        })
}

fn plan(
    filter: &Filter,
    keep_everything: bool,
    objects: &[Object],
    horizon: UnixSeconds,
    taken_at: UnixSeconds,
) -> Plan {
    let mut builder = SnapshotBuilder::new(filter.clone(), keep_everything);
    for object in objects {
        builder.take(object.clone(), horizon);
    }
    Plan::new(builder.finish(taken_at))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(7),
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_may_go_at_one_time_may_go_at_any_later_time(
        object in any_object(), filter in any_filter(), one in any_time(), other in any_time(),
    ) {
        let reaped_at = |now| {
            let circumstances = Circumstances { now, stuck: filter.stuck, mounts: &Mounts::default() };
            matches!(filter.narrow(&object, judge(&object, &circumstances), now), Verdict::Reap(_))
        };
        prop_assert!(!reaped_at(one.min(other)) || reaped_at(one.max(other)));
    }

    #[test]
    fn dropping_what_is_kept_changes_neither_the_candidates_nor_the_counts(
        objects in prop::collection::vec(any_object(), 0..12), filter in any_filter(),
        one in any_time(), other in any_time(),
    ) {
        let (taken_at, horizon) = (one.min(other), one.max(other));
        let dropping = plan(&filter, false, &objects, horizon, taken_at);
        let holding = plan(&filter, true, &objects, taken_at, taken_at);
        prop_assert_eq!(dropping.candidates(), holding.candidates());
        prop_assert_eq!(dropping.counts(), holding.counts());
        prop_assert_eq!(dropping.oddities(), holding.oddities());
        prop_assert_eq!(holding.kept().len(), holding.checked() - holding.candidates().len());
        prop_assert!(dropping.kept().is_empty());
    }
}
