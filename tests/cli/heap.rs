//! A hundred thousand pods: the right hundred go, and memory does not grow with the others.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use http::Method;
use testbed::memory::{Resource, on};
use testbed::objects::hours;

use crate::case::Case;
use crate::objects::pod;

const PODS: usize = 100_000;
/// Every so many pods there is one that may go.
const STEP: usize = 1000;
/// In hours: beyond this machine's clock too, by which the program sees what it can forget.
const CENTURY: u64 = 100 * 365 * 24;

#[test]
fn of_a_hundred_thousand_pods_the_right_hundred_go() {
    let case = Case::new((0..PODS).map(|at| {
        let pod = pod(&format!("p{at:05}")).running();
        if at % STEP == 0 {
            pod.expired(hours(1))
        } else {
            pod.expires_in(hours(CENTURY))
        }
    }));
    let (process, peak) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU64::new(0)));
    let (of, into) = (Arc::clone(&process), Arc::clone(&peak));
    case.before(on(Method::DELETE, "/pods/"), move |_| {
        into.store(peak_kibibytes(of.load(Ordering::SeqCst)), Ordering::SeqCst);
    });
    let child = case.start(&["--yes", "pods"]);
    process.store(child.id(), Ordering::SeqCst);
    let run = case.finish(child);
    let mut deleted = run.deletions();
    deleted.sort_unstable();
    let expected: Vec<String> = (0..PODS)
        .step_by(STEP)
        .map(|at| format!("p{at:05}"))
        .collect();
    assert_eq!(
        (run.code, deleted),
        (Some(0), expected.iter().map(String::as_str).collect())
    );
    assert_eq!(case.names(Resource::Pods).len(), PODS - expected.len());
    let peak = peak.load(Ordering::SeqCst);
    println!("{PODS} pods: the program's memory was {peak} KiB at most");
    assert!(peak < 40 * 1024, "{peak} KiB");
}

/// The most memory that a process ever held; 0 where no such thing can be read.
fn peak_kibibytes(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}
