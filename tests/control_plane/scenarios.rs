//! What the server in memory does is what the real one does.

use libtest_mimic::Trial;
use testbed::scenarios::all;

use crate::case::Case;
use crate::harness::trial;

pub(crate) fn trials() -> Vec<Trial> {
    let trials = all().into_iter().map(|scenario| {
        let name = format!("control_plane::scenarios::{}", scenario.name);
        trial(&name, async move |case: &Case| {
            scenario.run(&*case.cluster).await
        })
    });
    trials.collect()
}
