//! The question: how many of what would go, from where.

use std::collections::BTreeMap;

use reap_core::judge::Reason;
use reap_core::object::{Details, Kind};
use reap_core::plan::{Candidate, Plan};

use crate::grammar::{count, list};

/// Where the objects are, as far as the user knows it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place<'a> {
    /// A context of the kubeconfig.
    Context { name: &'a str, server: &'a str },
    /// A server that was named by a flag.
    Server(&'a str),
    /// The cluster that this pod runs in.
    InCluster,
}

/// Words the question, without its `[y/N]`. Counts per namespace stand above it where there are several namespaces, or
/// more rows than the terminal is high: then the table cannot be seen whole.
pub(crate) fn question(plan: &Plan, place: Place<'_>, terminal_height: Option<usize>) -> String {
    let mut by_namespace: BTreeMap<&str, Vec<&Candidate>> = BTreeMap::new();
    for candidate in plan.candidates() {
        by_namespace
            .entry(&candidate.object().reference.namespace)
            .or_default()
            .push(candidate);
    }
    let namespaces = by_namespace.len();
    let is_long = terminal_height.is_some_and(|height| plan.candidates().len() >= height);
    let mut lines = vec![];
    if namespaces > 1 || is_long {
        lines.extend(
            by_namespace
                .iter()
                .map(|(namespace, candidates)| format!("{namespace}: {}", counts(candidates))),
        );
    }
    let from = match by_namespace.keys().next() {
        Some(namespace) if namespaces == 1 => format!("namespace {namespace}"),
        Some(_) | None => count(namespaces, "namespace"),
    };
    let place = match place {
        Place::Context { name, server } => format!("in context {name} ({server})"),
        Place::Server(server) => format!("on server {server}"),
        Place::InCluster => "in this cluster".to_owned(),
    };
    let all: Vec<&Candidate> = plan.candidates().iter().collect();
    lines.push(format!("Delete {} from {from} {place}?", counts(&all)));
    lines.join("\n")
}

fn counts(candidates: &[&Candidate]) -> String {
    list(Kind::ALL.into_iter().filter_map(|kind| {
        let of_kind: Vec<&&Candidate> = candidates
            .iter()
            .filter(|candidate| candidate.object().reference.kind == kind)
            .collect();
        (!of_kind.is_empty()).then(|| count(of_kind.len(), kind.singular()) + &remark(&of_kind))
    }))
}

/// What makes a second look worth while: pods that go with their Jobs, pods that run, pods that are stuck.
fn remark(candidates: &[&&Candidate]) -> String {
    let active: u32 = candidates
        .iter()
        .map(|candidate| match candidate.object().details {
            Details::Job { active_pods, .. } => active_pods,
            Details::Pod { .. } | Details::Metadata | Details::Unreadable => 0,
        })
        .sum();
    let running = candidates
        .iter()
        .filter(|candidate| candidate.object().status() == "Running")
        .filter(|candidate| matches!(candidate.object().details, Details::Pod { .. }));
    let stuck = candidates
        .iter()
        .filter(|candidate| candidate.reason() == Reason::StuckTerminating);
    let remarks: Vec<String> = [(running.count(), "running"), (stuck.count(), "stuck")]
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, what)| format!("{number} {what}"))
        .collect();
    let active = usize::try_from(active).unwrap_or(usize::MAX);
    match (active, remarks.is_empty()) {
        (0, true) => String::new(),
        (0, false) => format!(" ({})", remarks.join(", ")),
        (active, _) => format!(" with {}", count(active, "active pod")),
    }
}

#[cfg(test)]
mod tests {
    use reap_core::filter::Filter;
    use reap_core::object::Object;
    use reap_core::snapshot::SnapshotBuilder;
    use reap_core::time::UnixSeconds;
    use testbed::objects::{NOW, ObjectBuilder, hours, job, pod};

    use super::*;

    const HERE: Place<'_> = Place::InCluster;

    fn plan(objects: impl IntoIterator<Item = ObjectBuilder>) -> Plan {
        let filter = Filter {
            stuck: true,
            ..Filter::default()
        };
        let mut builder = SnapshotBuilder::new(filter, false);
        for object in objects {
            let object = object.build();
            let kind = if object["kind"] == "Job" {
                Kind::Job
            } else {
                Kind::Pod
            };
            builder.take(
                Object::from_json(kind, &object.to_string()),
                UnixSeconds(NOW),
            );
        }
        Plan::new(builder.finish(UnixSeconds(NOW)))
    }

    fn expired(name: &str) -> ObjectBuilder {
        pod(name).expired(hours(1))
    }

    #[test]
    fn the_place_is_named_as_the_user_knows_it() {
        let plan = plan([expired("a")]);
        let context = Place::Context {
            name: "prod-eu",
            server: "https://host:6443",
        };
        for (place, words) in [
            (context, "in context prod-eu (https://host:6443)?"),
            (Place::Server("https://other"), "on server https://other?"),
            (Place::InCluster, "in this cluster?"),
        ] {
            let expected = format!("Delete 1 pod from namespace ironflow-agents {words}");
            assert_eq!(question(&plan, place, None), expected);
        }
    }

    #[test]
    fn what_makes_a_second_look_worth_while_stands_beside_the_counts() {
        let plan = plan([
            job("a").expired(hours(1)),
            expired("b").running(),
            expired("c"),
            pod("d").on_node("lost").terminating(61),
        ]);
        assert_eq!(
            question(&plan, HERE, None),
            "Delete 1 job with 1 active pod and 3 pods (1 running, 1 stuck) from namespace ironflow-agents \
             in this cluster?"
        );
    }

    #[test]
    fn several_namespaces_are_counted_one_by_one_above_the_question() {
        let plan = plan([
            expired("a"),
            expired("b").namespace("other"),
            expired("c").namespace("other"),
        ]);
        assert_eq!(
            question(&plan, HERE, None),
            "ironflow-agents: 1 pod\nother: 2 pods\nDelete 3 pods from 2 namespaces in this cluster?"
        );
    }

    #[test]
    fn a_list_longer_than_the_terminal_is_counted_above_the_question() {
        let plan = plan([expired("a"), expired("b")]);
        let short = "Delete 2 pods from namespace ironflow-agents in this cluster?";
        assert_eq!(question(&plan, HERE, Some(3)), short);
        assert_eq!(
            question(&plan, HERE, Some(2)),
            format!("ironflow-agents: 2 pods\n{short}")
        );
    }
}
