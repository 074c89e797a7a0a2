//! Objects of every sort that an API server accepts, by chance and by a seed.

use std::time::Duration;

use fastrand::Rng;
use serde_json::{Value, json};
use testbed::objects::{ObjectBuilder, claim, config_map, hours, job, pod, seconds};

/// What holds an object that was deleted.
pub(crate) const HOLDER: &str = "example.com/holder";
/// The Job that controls some of the pods; it is not ironflow's.
pub(crate) const OWNER: &str = "owner";

/// Texts that are no number of seconds, or only nearly.
const ODD_EXPIRIES: [&str; 12] = [
    "",
    " 1",
    "1 ",
    "-1",
    "+",
    "1_000",
    "1.5",
    "1e9",
    "0x10",
    "2023-11-14T22:13:20Z",
    "18446744073709551616",
    "１",
];
/// Readable, past or far ahead.
const EDGES: [&str; 6] = [
    "0",
    "+7",
    "007",
    "99999999999",
    "1700000000000",
    "18446744073709551615",
];

/// One object that is to be created, and whether it is deleted right after.
pub(crate) struct Member {
    pub(crate) object: ObjectBuilder,
    pub(crate) terminating: bool,
}

/// The Job that [`OWNER`] names.
pub(crate) fn owner(namespace: &str, now: u64) -> Value {
    let owner = job(OWNER).at(now).failed("BackoffLimitExceeded");
    let foreign = owner.label("app.kubernetes.io/managed-by", "somebody");
    foreign.namespace(namespace).build()
}

/// As many objects as asked for: the same ones for the same seed, but for the namespace and the owner's uid.
pub(crate) fn population(seed: u64, count: usize, now: u64, owner_uid: &str) -> Vec<Member> {
    let mut random = Rng::with_seed(seed);
    (0..count)
        .map(|number| member(&mut random, number, count, now, owner_uid))
        .collect()
}

fn member(random: &mut Rng, number: usize, count: usize, now: u64, owner_uid: &str) -> Member {
    let name = format!("object-{number}");
    let object = match random.u8(0..10) {
        0..=4 => a_pod(random, pod(&name).at(now), count, owner_uid),
        5 | 6 => a_job(random, job(&name).at(now)),
        7 => config_map(&name).at(now),
        _ => claim(&name).at(now),
    };
    let object = expiry(random, object);
    let object = match random.u8(0..20) {
        0 => object.label("app.kubernetes.io/managed-by", "somebody"),
        1 => object.component("something"),
        _ => object,
    };
    let terminating = random.u8(0..12) == 0;
    Member {
        object: if terminating {
            object.finalizer(HOLDER)
        } else {
            object
        },
        terminating,
    }
}

fn a_pod(random: &mut Rng, pod: ObjectBuilder, count: usize, owner_uid: &str) -> ObjectBuilder {
    let pod = match random.u8(0..7) {
        0 | 1 => pod.running(),
        2 => pod.phase("Unknown"),
        3 => pod.phase("Succeeded"),
        4 => pod.failed("DeadlineExceeded"),
        5 => pod.failed("Evicted"),
        _ => pod,
    };
    let pod = match random.u8(0..3) {
        0 => pod.on_node("gone"),
        _ => pod,
    };
    let uncontrolling = json!({
        "apiVersion": "batch/v1", "kind": "Job", "name": OWNER, "uid": owner_uid, "controller": false,
    });
    let pod = match random.u8(0..4) {
        0 => pod.owned_by_job(OWNER, owner_uid),
        1 => pod.set("/metadata/ownerReferences", json!([uncontrolling])),
        _ => pod,
    };
    match random.u8(0..2) {
        0 => pod.mounts(&format!("object-{}", random.usize(0..count))),
        _ => pod,
    }
}

fn a_job(random: &mut Rng, job: ObjectBuilder) -> ObjectBuilder {
    let job = job.set("/spec/managedBy", "example.com/nobody");
    match random.u8(0..5) {
        0 => job.failed("DeadlineExceeded"),
        1 => job.failed("BackoffLimitExceeded"),
        2 => job.condition("Failed", "False", "DeadlineExceeded"),
        3 => job.condition("FailureTarget", "True", "DeadlineExceeded"),
        _ => job,
    }
}

/// None lies so close to now that it is over for one reaper and not for the other.
fn expiry(random: &mut Rng, object: ObjectBuilder) -> ObjectBuilder {
    let long: Duration = hours(random.u64(1..1000));
    match random.u8(0..10) {
        0 => object,
        1 => object.expires_at(random.choice(ODD_EXPIRIES).unwrap_or_default()),
        2 => object.expires_at(random.choice(EDGES).unwrap_or_default()),
        3 | 4 => object.expires_in(long),
        5 => object.expired(seconds(random.u64(60..3600))),
        _ => object.expired(long),
    }
}
