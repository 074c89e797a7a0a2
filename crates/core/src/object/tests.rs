use testbed::objects::{ObjectBuilder, claim, config_map, hours, job, pod};

use super::*;
use crate::fixtures::{read, verdict};
use crate::judge::{Kept, Reason, Verdict};

const UNIDENTIFIABLE: Verdict = Verdict::Keep(Kept::Unidentifiable);

fn named(name: &str) -> Verdict {
    verdict(pod("a").set("/metadata/name", name).expired(hours(5)))
}

fn status(builder: ObjectBuilder) -> String {
    read(builder).status().to_owned()
}

#[test]
fn kinds_stand_in_the_order_of_deletion() {
    let order = ["Job", "Pod", "ConfigMap", "PersistentVolumeClaim"];
    assert_eq!(Kind::ALL.map(Kind::as_str), order);
    assert!(Kind::ALL.is_sorted());
}

#[test]
fn kinds_are_named_in_kubectl_s_words() {
    let resources = ["job.batch", "pod", "configmap", "persistentvolumeclaim"];
    assert_eq!(Kind::ALL.map(Kind::resource), resources);
    assert_eq!(Kind::Job.singular(), "job");
    let plurals = ["jobs", "pods", "configmaps", "persistentvolumeclaims"];
    assert_eq!(Kind::ALL.map(Kind::plural), plurals);
    assert_eq!(
        Kind::ALL.map(Kind::api_version),
        ["batch/v1", "v1", "v1", "v1"]
    );
    assert_eq!(Kind::ALL.map(Kind::api_group), ["batch", "", "", ""]);
}

#[test]
fn the_selectors_ask_for_what_counts_as_ironflow_s() {
    for object in [job("a"), pod("a"), config_map("a"), claim("a")].map(read) {
        for term in object.reference.kind.selector().split(',') {
            let (label, value) = term.split_once('=').unwrap();
            let mut without = object.clone();
            assert_eq!(without.labels.remove(label).as_deref(), Some(value));
            assert!(object.is_managed() && !without.is_managed(), "{term}");
        }
    }
}

#[test]
fn an_object_without_uid_or_resource_version_is_unidentifiable() {
    for pointer in [
        "/metadata/uid",
        "/metadata/resourceVersion",
        "/metadata/name",
    ] {
        let expired = pod("a").expired(hours(5));
        assert_eq!(
            verdict(expired.clone().without(pointer)),
            UNIDENTIFIABLE,
            "{pointer}"
        );
        assert_eq!(
            verdict(expired.set(pointer, "")),
            UNIDENTIFIABLE,
            "{pointer}"
        );
    }
}

#[test]
fn a_name_that_is_none_is_unidentifiable() {
    for name in [
        "", ".", "..", "a..b", ".a", "a.", "-a", "a-", "a.-b", "a/b", "../a", "a?b", "a%2fb",
        "a b", "A", "ä", "a_b", "a\n",
    ] {
        assert_eq!(named(name), UNIDENTIFIABLE, "{name:?}");
    }
}

#[test]
fn a_name_that_kubernetes_allows_is_identifiable() {
    for name in ["a", "0", "claude-code-1a2345-30e2275d", "a.b-c.d", "a--b"] {
        assert_eq!(named(name), Verdict::Reap(Reason::Expired), "{name}");
    }
}

#[test]
fn a_name_may_have_253_characters_and_a_namespace_63() {
    let in_namespace = |namespace: &str| verdict(pod("a").namespace(namespace).expired(hours(5)));
    assert_eq!(named(&"a".repeat(253)), Verdict::Reap(Reason::Expired));
    assert_eq!(named(&"a".repeat(254)), UNIDENTIFIABLE);
    assert_eq!(
        in_namespace(&"a".repeat(63)),
        Verdict::Reap(Reason::Expired)
    );
    for namespace in ["a".repeat(64).as_str(), "", "a.b", "a/b", "-a"] {
        assert_eq!(in_namespace(namespace), UNIDENTIFIABLE, "{namespace}");
    }
}

#[test]
fn the_status_of_a_pod_is_its_phase_until_it_terminates() {
    assert_eq!(status(pod("a").running()), "Running");
    assert_eq!(status(pod("a").without("/status")), "Pending");
    assert_eq!(status(pod("a").failed("").terminating(0)), "Terminating");
}

#[test]
fn the_status_of_a_job_is_kubectl_s() {
    let with = |conditions: &[&str]| {
        conditions.iter().fold(job("a"), |job, condition| {
            job.condition(condition, "True", "")
        })
    };
    assert_eq!(status(with(&[])), "Running");
    assert_eq!(status(with(&["SuccessCriteriaMet"])), "SuccessCriteriaMet");
    assert_eq!(
        status(with(&["SuccessCriteriaMet", "FailureTarget"])),
        "FailureTarget"
    );
    assert_eq!(status(with(&["FailureTarget", "Suspended"])), "Suspended");
    assert_eq!(status(with(&["Suspended"]).terminating(0)), "Terminating");
    assert_eq!(status(with(&[]).terminating(0)), "Terminating");
    assert_eq!(
        status(with(&["Suspended", "Failed"]).terminating(0)),
        "Failed"
    );
    assert_eq!(
        status(with(&["Failed", "Complete"]).terminating(0)),
        "Complete"
    );
    assert_eq!(status(job("a").condition("Failed", "False", "")), "Running");
}

#[test]
fn metadata_alone_has_no_status() {
    assert_eq!(status(config_map("a").terminating(0)), "-");
    assert_eq!(status(claim("a")), "-");
}

#[test]
fn labels_tell_run_and_step_and_an_empty_one_is_none() {
    let pod = read(pod("a").run("r").root_run("root").step("s"));
    assert_eq!(
        (pod.run_id(), pod.root_run_id(), pod.step()),
        (Some("r"), Some("root"), Some("s"))
    );
    assert_eq!(pod.component(), Some("claude-runner"));
    assert_eq!(read(config_map("a").run("")).run_id(), None);
    assert_eq!(read(config_map("a")).step(), None);
}
