//! The document of a run, in the shape that `schema/reap-report.v1.schema.json` describes.

use std::sync::LazyLock;

use http::Method;
use jsonschema::Validator;
use serde_json::{Value, json};
use testbed::memory::{Resource, on};
use testbed::objects::{NAMESPACE, hours};

use crate::case::{Case, Run};
use crate::leftovers::leftovers;
use crate::objects::{claim, config_map, pod};

static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    let schema = include_str!("../../schema/reap-report.v1.schema.json");
    let schema: Value = serde_json::from_str(schema).expect("a schema in JSON");
    jsonschema::meta::validate(&schema).expect("a schema by the rules of its draft");
    jsonschema::draft202012::new(&schema).expect("a schema")
});

/// The document of a run, which the schema describes.
#[track_caller]
pub(crate) fn valid(run: &Run) -> Value {
    let document = run.document();
    let errors: Vec<String> = SCHEMA
        .iter_errors(&document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}\n{run}");
    document
}

fn reap(arguments: &[&str]) -> (Value, Run) {
    let run = Case::new(leftovers()).reap(&[&["-o", "json"], arguments].concat());
    (valid(&run), run)
}

/// The outcomes of the items, `-` for none.
pub(crate) fn outcomes(document: &Value) -> Vec<&str> {
    let items = document["items"].as_array().into_iter().flatten();
    items
        .map(|item| item["outcome"].as_str().unwrap_or("-"))
        .collect()
}

#[test]
fn a_whole_run_is_a_document() {
    let (document, run) = reap(&["--yes"]);
    assert_eq!(
        (run.code, outcomes(&document)),
        (Some(0), vec!["Deleted"; 5]),
        "{run}"
    );
    assert_eq!(
        document["summary"],
        json!({"candidates": 5, "deleted": 5, "alreadyGone": 0, "kept": 0, "failed": 0, "notAttempted": 0})
    );
    assert_eq!(document["error"], Value::Null);
}

#[test]
fn dry_runs_are_documents() {
    for (flag, dry_run) in [("--dry-run", "client"), ("--dry-run=server", "server")] {
        let (document, run) = reap(&[flag, "-A"]);
        assert_eq!(
            (run.code, outcomes(&document)),
            (Some(0), vec!["WouldDelete"; 6]),
            "{run}"
        );
        assert_eq!(
            (&document["dryRun"], &document["namespace"]),
            (&dry_run.into(), &Value::Null)
        );
    }
}

#[test]
fn what_was_judged_again_is_kept_in_the_document() {
    let case = Case::new([pod("a").expired(hours(1)), pod("b").expired(hours(1))]);
    case.before(on(Method::DELETE, "/pods/"), |server| {
        server.remove(Resource::Pods, NAMESPACE, "b");
        server.patch(
            Resource::Pods,
            NAMESPACE,
            "a",
            &json!({"metadata": {"annotations": {"ironflow.io/expires-at": "1700003600"}}}),
        );
    });
    let document = valid(&case.reap(&["--yes", "-o", "json", "--concurrency=1"]));
    assert_eq!(outcomes(&document), ["Kept", "AlreadyGone"]);
    assert_eq!(
        (
            &document["items"][0]["verdict"],
            &document["items"][0]["reason"]
        ),
        (&"Keep".into(), &"Renewed".into())
    );
    assert_eq!(
        (
            &document["summary"]["kept"],
            &document["summary"]["alreadyGone"]
        ),
        (&1.into(), &1.into())
    );
}

#[test]
fn kept_objects_of_every_sort_fit_the_schema() {
    let mut objects = leftovers();
    objects.extend([
        pod("never").expires_at("18446744073709551615"),
        pod("milliseconds").expires_at("1700000000000"),
        pod("unreadable").expires_at("soon"),
        pod("timeless")
            .without("/metadata/creationTimestamp")
            .expired(hours(1)),
        pod("stuck").terminating(3600).finalizer("example.com/held"),
        config_map("anonymous").set("/metadata/uid", ""),
        claim("used").expired(hours(1)),
        pod("user").running().mounts("used"),
    ]);
    let run = Case::new(objects).reap(&["--dry-run", "--show-kept", "-o", "json", "all,pvc", "-A"]);
    let document = valid(&run);
    let item = |name: &str| {
        document["items"]
            .as_array()
            .into_iter()
            .flatten()
            .find(|item| item["name"] == name)
            .expect(name)
    };
    assert_eq!(
        (
            &item("never")["expiresAt"],
            &item("never")["expiresAtSeconds"]
        ),
        (&Value::Null, &"18446744073709551615".into())
    );
    assert_eq!(
        (
            &item("unreadable")["expiresAt"],
            &item("unreadable")["expiresAtSeconds"]
        ),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(
        item("milliseconds")["warnings"].as_array().map(Vec::len),
        Some(1)
    );
    assert_eq!(
        (&item("used")["reason"], &item("used")["outcome"]),
        (&"InUse".into(), &Value::Null)
    );
    assert_eq!(document["summary"]["kept"], 0);
}

#[test]
fn yaml_is_the_same_document() {
    let case = Case::new(leftovers());
    let mut json = case
        .reap(&["--dry-run", "--show-kept", "-o", "json", "-A"])
        .document();
    let yaml = case
        .reap(&["--dry-run", "--show-kept", "-o", "yaml", "-A"])
        .stdout;
    let mut yaml: Value = serde_yaml_ng::from_str(&yaml).expect("YAML");
    // Between the runs a second may pass.
    json["clock"]["skewSeconds"].take();
    yaml["clock"]["skewSeconds"].take();
    assert_eq!(json, yaml);
}
