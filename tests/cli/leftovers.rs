//! What ironflow's dead workers left in two namespaces, and what is alive there.

use testbed::objects::{ObjectBuilder, hours, seconds};

use crate::objects::{claim, config_map, job, pod};

/// The names of the objects of the first namespace that may go, claims apart.
pub(crate) const ORPHANS: [&str; 5] = [
    "migrate",
    "nightly",
    "claude-code-1a2b-3c4d",
    "late",
    "claude-code-1a2b-3c4d-prompt",
];

/// One of each sort that may go and of most that are kept; a second namespace, and what is not ironflow's.
pub(crate) fn leftovers() -> Vec<ObjectBuilder> {
    let agent = pod("claude-code-1a2b-3c4d").expired(hours(5)).running();
    let worker = pod("nightly-x7k2p").owned_by_job("nightly", "uid-of-nightly");
    vec![
        job("migrate").created(hours(3)).failed("DeadlineExceeded"),
        job("nightly").expired(seconds(90)),
        worker.component("job-run"),
        agent.on_node("node-1").run("run-7").step("review"),
        pod("late").failed("DeadlineExceeded").expires_in(hours(1)),
        pod("claude-code-worker").running(),
        pod("alive").expires_in(hours(1)).running(),
        config_map("claude-code-1a2b-3c4d-prompt")
            .expired(hours(5))
            .run("run-7"),
        claim("ironflow-env-1a2b").expired(hours(30)),
        pod("elsewhere").namespace("team-b").expired(hours(200)),
        foreign(pod("of-somebody-else")),
    ]
}

/// An expired object that bears none of ironflow's marks.
pub(crate) fn foreign(object: ObjectBuilder) -> ObjectBuilder {
    object
        .label("app.kubernetes.io/managed-by", "helm")
        .expired(hours(5))
}
