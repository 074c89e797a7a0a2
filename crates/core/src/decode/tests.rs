use testbed::objects::{NAMESPACE, NOW, SECRET, claim, config_map, hours, job, pod};

use super::*;
use crate::fixtures::{read, verdict};
use crate::judge::{Circumstances, Kept, Mounts, Reason, Verdict, judge};
use crate::time::UnixSeconds;

const UNIDENTIFIABLE: Verdict = Verdict::Keep(Kept::Unidentifiable);

fn judge_text(json: &str) -> Verdict {
    let circumstances = Circumstances {
        now: UnixSeconds(NOW),
        stuck: true,
        mounts: &Mounts::default(),
    };
    judge(&Object::from_json(Kind::Pod, json), &circumstances)
}

#[test]
fn a_pod_is_read_whole() {
    let pod = read(
        pod("a")
            .running()
            .on_node("n")
            .owned_by_job("j", "u")
            .mounts("c")
            .finalizer("f"),
    );
    assert_eq!(pod.reference.namespace, NAMESPACE);
    assert_eq!(
        (
            pod.reference.uid.as_str(),
            pod.reference.resource_version.as_str()
        ),
        ("uid-of-a", "1000")
    );
    assert_eq!(pod.created_at, Some(UnixSeconds(NOW - 86_400)));
    assert_eq!(pod.finalizers, ["f"]);
    let job = OwnerReference {
        api_version: "batch/v1".to_owned(),
        kind: "Job".to_owned(),
        name: "j".to_owned(),
        uid: "u".to_owned(),
        controller: Some(true),
        block_owner_deletion: None,
    };
    let details = Details::Pod {
        phase: "Running".to_owned(),
        deadline_exceeded: false,
        node: Some("n".to_owned()),
        controller_job: Some(job),
        claims: vec!["c".to_owned()],
    };
    assert_eq!(pod.details, details);
}

#[test]
fn the_active_pods_of_a_job_are_read() {
    let active = |job| match read(job).details {
        Details::Job { active_pods, .. } => Some(active_pods),
        Details::Pod { .. } | Details::Metadata | Details::Unreadable => None,
    };
    assert_eq!(active(job("a").set("/status/active", 4)), Some(4));
    assert_eq!(active(job("a").without("/status")), Some(0));
}

#[test]
fn prompts_input_and_tokens_are_not_kept() {
    for builder in [pod("a"), config_map("a")] {
        assert!(builder.clone().build().to_string().contains(SECRET));
        assert!(!format!("{:?}", read(builder)).contains(SECRET));
    }
}

#[test]
fn null_and_absent_lists_and_maps_are_empty() {
    for pointer in [
        "/metadata/annotations",
        "/metadata/ownerReferences",
        "/metadata/finalizers",
        "/metadata/creationTimestamp",
        "/metadata/deletionTimestamp",
        "/spec",
        "/spec/volumes",
        "/spec/nodeName",
        "/status",
        "/status/phase",
        "/status/reason",
    ] {
        assert_eq!(
            verdict(pod("a").set(pointer, None::<String>)),
            Verdict::Keep(Kept::NoExpiry),
            "{pointer}"
        );
        assert_eq!(
            verdict(pod("a").without(pointer)),
            Verdict::Keep(Kept::NoExpiry),
            "{pointer}"
        );
    }
    let conditions = job("a").set("/status/conditions", None::<String>);
    assert_eq!(verdict(conditions), Verdict::Keep(Kept::NoExpiry));
}

#[test]
fn unknown_fields_are_skipped() {
    let odd = pod("a")
        .expired(hours(5))
        .set("/status/new", "x")
        .set("/metadata/managedFields", 7);
    assert_eq!(verdict(odd), Verdict::Reap(Reason::Expired));
}

#[test]
fn what_is_not_whole_is_unidentifiable_and_keeps_its_name() {
    for pointer in [
        "/spec",
        "/spec/volumes",
        "/status",
        "/metadata/labels",
        "/metadata/annotations",
        "/metadata/finalizers",
        "/metadata/ownerReferences",
        "/metadata/deletionTimestamp",
        "/metadata/creationTimestamp",
    ] {
        let broken = pod("a").expired(hours(5)).set(pointer, "broken");
        assert_eq!(verdict(broken.clone()), UNIDENTIFIABLE, "{pointer}");
        let reference = read(broken).reference;
        assert_eq!(
            (reference.namespace.as_str(), reference.name.as_str()),
            (NAMESPACE, "a")
        );
    }
}

#[test]
fn a_name_that_is_no_text_leaves_the_rest_readable() {
    let broken = read(claim("a").expired(hours(5)).set("/metadata/name", 7));
    assert_eq!(
        (
            broken.reference.name.as_str(),
            broken.reference.namespace.as_str()
        ),
        ("", NAMESPACE)
    );
}

#[test]
fn a_broken_object_of_somebody_else_is_not_managed() {
    let foreign = pod("a")
        .set("/spec", "broken")
        .label("app.kubernetes.io/managed-by", "Helm");
    assert_eq!(verdict(foreign.clone()), Verdict::Keep(Kept::NotManaged));
    assert_eq!(
        verdict(foreign.without("/metadata/labels")),
        Verdict::Keep(Kept::NotManaged)
    );
}

#[test]
fn what_is_no_object_at_all_is_unidentifiable() {
    for json in [
        "",
        "null",
        "7",
        "[]",
        "{}",
        "{",
        r#"{"metadata":null}"#,
        r#"{"metadata":[]}"#,
    ] {
        assert_eq!(judge_text(json), UNIDENTIFIABLE, "{json}");
    }
}

#[test]
fn a_field_that_stands_twice_is_unidentifiable() {
    let twice = pod("a").expired(hours(5)).build().to_string();
    let twice = twice.replace(r#""uid":"#, r#""uid":"other","uid":"#);
    assert_eq!(judge_text(&twice), UNIDENTIFIABLE);
}

#[test]
fn what_no_server_writes_but_upstream_reads_is_read() {
    let less_than_none = job("a").expired(hours(5)).set("/status/active", -1);
    assert_eq!(verdict(less_than_none), Verdict::Reap(Reason::Expired));
    let volume = serde_json::json!([{ "persistentVolumeClaim": {} }]);
    let of_no_claim = pod("a").expired(hours(5)).set("/spec/volumes", volume);
    assert_eq!(verdict(of_no_claim), Verdict::Reap(Reason::Expired));
}
