//! Deletions against the in-memory server, with a clock that stands still until somebody waits.

#![expect(
    clippy::disallowed_types,
    reason = "the client leads to the in-memory server"
)]

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use clap::Parser;
use http::Method;
use reap_core::filter::Filter;
use reap_core::judge::Kept;
use serde_json::json;
use testbed::memory::{Fault, Resource, Server, on};
use testbed::objects::{NAMESPACE, pod};

use super::*;
use crate::cli::Arguments;
use crate::confirm::confirm;
use crate::output::Console;
use crate::settings::{Approval, Reading, Terminals};

const PODS: &str = "/pods/";
const LONG_AGO: u64 = 1_600_000_000;

/// A cluster with expired pods, and what happens when all of them are to go.
struct Rig {
    server: Server,
    action: Action,
    concurrency: usize,
    selector: Option<&'static str>,
    interrupt: Interrupt,
}

impl Rig {
    fn new(pods: usize) -> Self {
        let server = Server::new();
        for number in 0..pods {
            server.add(
                pod(&format!("p{number:02}"))
                    .expires_at_seconds(LONG_AGO)
                    .build(),
            );
        }
        Self {
            server,
            action: Action::Delete,
            concurrency: 1,
            selector: None,
            interrupt: Interrupt::by_hand().1,
        }
    }

    async fn run(&self) -> Execution {
        self.run_and_tell(|_| {}).await
    }

    async fn run_and_tell(&self, tell: impl Fn(&Outcome)) -> Execution {
        let client = kube::Client::new(self.server.clone(), NAMESPACE);
        let api = Api::new(client, Some(Duration::from_secs(10)));
        let reading = Reading {
            all_namespaces: false,
            kinds: BTreeSet::from([Kind::Job, Kind::Pod]),
            named: BTreeSet::new(),
            selector: self.selector.map(ToOwned::to_owned),
            strict: false,
            chunk_size: 500,
            hold_kept: false,
        };
        let fetched = fetch::fetch(&api, &reading, &Filter::default(), Some(NAMESPACE)).await;
        let plan = Plan::new(fetched.ok().expect("the cluster can be read").snapshot);
        let mut console = Console::new(&Arguments::parse_from(["reap"]));
        let terminals = Terminals {
            stdin: false,
            stdout: false,
            stderr: false,
            height: None,
        };
        let approved = confirm(
            &plan,
            self.action,
            Approval::Given,
            "",
            terminals,
            &mut console,
            &self.interrupt,
        )
        .await
        .expect("nobody is asked")
        .expect("approval is given");
        let orders = Orders {
            grace_period_seconds: None,
            concurrency: self.concurrency,
            selector: self.selector,
            chunk_size: 500,
        };
        execute(&approved, &api, orders, &self.interrupt, |_, outcome| {
            tell(outcome);
        })
        .await
    }

    fn left(&self) -> usize {
        self.server.names(Resource::Pods).len()
    }

    fn deletions(&self) -> usize {
        self.server.log().count(&Method::DELETE)
    }

    /// Changes something about the first pod right before the next DELETE.
    fn change_before_delete(&self, times: usize, change: serde_json::Value) {
        self.server
            .before(on(Method::DELETE, PODS).times(times), move |server| {
                server.patch(Resource::Pods, NAMESPACE, "p00", &change);
            });
    }
}

fn failed(outcome: &Outcome) -> &Failed {
    let Outcome::Failed(failed) = outcome else {
        panic!("{outcome:?} is no failure");
    };
    failed
}

const DELETED: Outcome = Outcome::Deleted { finalizers: vec![] };

fn kept(kept: Kept) -> Outcome {
    Outcome::Kept { kept, expiry: None }
}

#[tokio::test(start_paused = true)]
async fn what_was_touched_without_meaning_still_goes() {
    let rig = Rig::new(1);
    rig.change_before_delete(1, json!({"metadata": {"annotations": {"touched": "yes"}}}));
    assert_eq!(rig.run().await.outcomes, [DELETED]);
    assert_eq!((rig.left(), rig.deletions()), (0, 2));
}

#[tokio::test(start_paused = true)]
async fn what_never_holds_still_fails_after_five_second_looks() {
    let rig = Rig::new(1);
    let touched = Mutex::new(0);
    rig.server.before(on(Method::DELETE, PODS), move |server| {
        let mut times = touched.lock().expect("one thread");
        *times += 1;
        let change = json!({"metadata": {"annotations": {"touched": times.to_string()}}});
        server.patch(Resource::Pods, NAMESPACE, "p00", &change);
    });
    let execution = rig.run().await;
    assert_eq!(failed(&execution.outcomes[0]).reason, "Conflict");
    assert_eq!((rig.left(), rig.deletions()), (1, 6));
}

#[tokio::test(start_paused = true)]
async fn a_renewed_pod_is_kept_with_its_new_expiry() {
    let rig = Rig::new(1);
    let later = 4_000_000_000;
    let renewed =
        json!({"metadata": {"annotations": {"ironflow.io/expires-at": later.to_string()}}});
    rig.change_before_delete(1, renewed);
    let expiry = Some(reap_core::expiry::Expiry::At(reap_core::time::UnixSeconds(
        later,
    )));
    let kept = Outcome::Kept {
        kept: Kept::Renewed,
        expiry,
    };
    assert_eq!(rig.run().await.outcomes, [kept]);
    assert_eq!((rig.left(), rig.deletions()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_pod_that_lost_its_labels_is_kept() {
    let rig = Rig::new(1);
    rig.change_before_delete(1, json!({"metadata": {"labels": null}}));
    assert_eq!(rig.run().await.outcomes, [kept(Kept::NotManaged)]);
}

#[tokio::test(start_paused = true)]
async fn another_object_of_the_same_name_is_kept() {
    let rig = Rig::new(1);
    rig.server
        .before(on(Method::DELETE, PODS).times(1), |server| {
            server.remove(Resource::Pods, NAMESPACE, "p00");
            server.add(
                pod("p00")
                    .expires_at_seconds(LONG_AGO)
                    .set("/metadata/uid", "another")
                    .build(),
            );
        });
    assert_eq!(rig.run().await.outcomes, [kept(Kept::Replaced)]);
    assert_eq!(rig.left(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_pod_that_somebody_else_is_deleting_is_kept() {
    let rig = Rig::new(1);
    rig.change_before_delete(
        1,
        json!({"metadata": {"deletionTimestamp": "2100-01-01T00:00:00Z", "finalizers": ["a/b"]}}),
    );
    assert_eq!(rig.run().await.outcomes, [kept(Kept::Terminating)]);
}

#[tokio::test(start_paused = true)]
async fn what_somebody_else_deleted_is_already_gone() {
    let rig = Rig::new(1);
    rig.server
        .before(on(Method::DELETE, PODS).times(1), |server| {
            server.remove(Resource::Pods, NAMESPACE, "p00");
        });
    assert_eq!(rig.run().await.outcomes, [Outcome::AlreadyGone]);
}

#[tokio::test(start_paused = true)]
async fn a_lost_answer_and_then_not_found_is_deleted() {
    for fault in [Fault::cut_after(), Fault::cut_within(10)] {
        let rig = Rig::new(1);
        rig.server.fault(on(Method::DELETE, PODS).times(1), fault);
        assert_eq!(rig.run().await.outcomes, [DELETED]);
        assert_eq!(rig.deletions(), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn a_lost_answer_and_then_terminating_is_deleted() {
    let rig = Rig::new(0);
    rig.server.add(
        pod("p00")
            .expires_at_seconds(LONG_AGO)
            .finalizer("a/b")
            .build(),
    );
    rig.server
        .fault(on(Method::DELETE, PODS).times(1), Fault::cut_after());
    let outcome = Outcome::Deleted {
        finalizers: vec!["a/b".to_owned()],
    };
    assert_eq!(rig.run().await.outcomes, [outcome]);
}

#[tokio::test(start_paused = true)]
async fn a_try_that_never_arrived_is_tried_again() {
    for fault in [
        Fault::cut_before(),
        Fault::never(),
        Fault::status(502),
        Fault::status(504),
    ] {
        let rig = Rig::new(1);
        rig.server.fault(on(Method::DELETE, PODS).times(1), fault);
        assert_eq!(rig.run().await.outcomes, [DELETED]);
        assert_eq!((rig.left(), rig.deletions()), (0, 2));
    }
}

#[tokio::test(start_paused = true)]
async fn five_tries_are_all_and_the_doubt_is_told() {
    let rig = Rig::new(1);
    rig.server
        .fault(on(Method::DELETE, PODS), Fault::status(503));
    let execution = rig.run().await;
    let failed = failed(&execution.outcomes[0]);
    assert!(
        failed.message.ends_with("; it may be deleted all the same"),
        "{}",
        failed.message
    );
    assert_eq!(rig.deletions(), 5);
}

#[tokio::test(start_paused = true)]
async fn an_error_500_is_tried_again_only_where_the_server_asks_for_it() {
    let rig = Rig::new(1);
    rig.server
        .fault(on(Method::DELETE, PODS).times(1), Fault::status(500));
    failed(&rig.run().await.outcomes[0]);
    assert_eq!((rig.left(), rig.deletions()), (1, 1));
    let asked = Fault::status(500).header("retry-after", "1");
    rig.server.fault(on(Method::DELETE, PODS).times(1), asked);
    assert_eq!(rig.run().await.outcomes, [DELETED]);
}

#[tokio::test(start_paused = true)]
async fn a_wait_of_more_than_thirty_seconds_fails_at_once_and_is_quoted() {
    let rig = Rig::new(1);
    let busy = Fault::status(429).header("retry-after", "3600");
    rig.server.fault(on(Method::DELETE, PODS), busy);
    let execution = rig.run().await;
    let failed = failed(&execution.outcomes[0]);
    assert!(failed.message.contains("3600s"), "{}", failed.message);
    assert!(
        !failed.message.contains("may be deleted"),
        "{}",
        failed.message
    );
    assert_eq!((rig.deletions(), execution.elapsed), (1, Duration::ZERO));
}

#[tokio::test(start_paused = true)]
async fn one_429_slows_all_workers() {
    let rig = Rig {
        concurrency: 4,
        ..Rig::new(12)
    };
    let busy = Fault::status(429).header("retry-after", "20");
    rig.server.fault(on(Method::DELETE, PODS).times(1), busy);
    let begin = Instant::now();
    let late = Arc::new(Mutex::new(0));
    let counter = Arc::clone(&late);
    rig.server
        .before(on(Method::DELETE, PODS).after(4), move |_| {
            assert!(
                begin.elapsed() >= Duration::from_secs(20),
                "sent after {:?}",
                begin.elapsed()
            );
            *counter.lock().expect("one thread") += 1;
        });
    assert_eq!(rig.run().await.outcomes, vec![DELETED; 12]);
    assert_eq!(*late.lock().expect("one thread"), 9);
}

#[tokio::test(start_paused = true)]
async fn twenty_outages_in_a_row_stop_the_run() {
    let rig = Rig::new(30);
    rig.server
        .fault(on(Method::DELETE, PODS), Fault::status(503));
    let execution = rig.run().await;
    assert_eq!(execution.stop, Some(Stop::Outage));
    let failures = execution
        .outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Outcome::Failed(_)));
    assert_eq!(failures.count(), 20);
    assert_eq!(execution.outcomes[20..], vec![Outcome::NotAttempted; 10]);
}

#[tokio::test(start_paused = true)]
async fn any_other_outcome_begins_the_count_of_outages_anew() {
    let rig = Rig::new(30);
    let fails = |received: &testbed::memory::Received| !received.target().contains("p19");
    rig.server
        .fault(on(Method::DELETE, PODS).when(fails), Fault::status(503));
    let execution = rig.run().await;
    assert_eq!(execution.stop, None);
    assert_eq!(execution.outcomes[19], DELETED);
    assert!(matches!(execution.outcomes[29], Outcome::Failed(_)));
}

#[tokio::test(start_paused = true)]
async fn the_first_forbidden_deletion_of_a_kind_in_a_namespace_is_the_last() {
    let rig = Rig::new(5);
    rig.server
        .fault(on(Method::DELETE, PODS), Fault::status(403));
    let execution = rig.run().await;
    assert_eq!(
        failed(&execution.outcomes[0]).code,
        Some(StatusCode::FORBIDDEN)
    );
    assert_eq!(execution.outcomes[1..], vec![Outcome::NotAttempted; 4]);
    assert_eq!((rig.deletions(), execution.stop), (1, None));
}

#[tokio::test(start_paused = true)]
async fn a_page_of_a_proxy_is_believed_only_after_a_second_look() {
    for code in [200, 404] {
        let page = Fault::answer(code, "text/html", "<html>Sign in</html>");
        let rig = Rig::new(1);
        rig.server
            .fault(on(Method::DELETE, PODS).times(1), page.clone());
        failed(&rig.run().await.outcomes[0]);
        assert_eq!(rig.left(), 1);

        let rig = Rig::new(1);
        rig.server.fault(on(Method::DELETE, PODS).times(1), page);
        rig.server
            .before(on(Method::DELETE, PODS).times(1), |server| {
                server.remove(Resource::Pods, NAMESPACE, "p00");
            });
        assert_eq!(rig.run().await.outcomes, [DELETED]);
        assert_eq!(rig.deletions(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_second_look_that_fails_leaves_the_object_alone() {
    let rig = Rig::new(1);
    rig.change_before_delete(1, json!({"metadata": {"annotations": {"touched": "yes"}}}));
    rig.server
        .fault(on(Method::GET, "fieldSelector"), Fault::status(403));
    let execution = rig.run().await;
    let message = &failed(&execution.outcomes[0]).message;
    assert!(message.ends_with("(when it was read again)"), "{message}");
    assert_eq!((rig.left(), rig.deletions()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_server_dry_run_shows_every_answer_as_it_came() {
    let rig = Rig {
        action: Action::ServerDryRun,
        ..Rig::new(3)
    };
    rig.change_before_delete(1, json!({"metadata": {"annotations": {"touched": "yes"}}}));
    rig.server.before(on(Method::DELETE, "p01"), |server| {
        server.remove(Resource::Pods, NAMESPACE, "p01");
    });
    let execution = rig.run().await;
    assert_eq!(failed(&execution.outcomes[0]).reason, "Conflict");
    assert_eq!(failed(&execution.outcomes[1]).reason, "NotFound");
    assert_eq!(execution.outcomes[2], Outcome::WouldDelete);
    assert_eq!((rig.left(), rig.deletions()), (2, 3));
}

#[tokio::test(start_paused = true)]
async fn as_many_deletions_are_in_flight_as_allowed_and_never_more() {
    let rig = Rig {
        concurrency: 7,
        ..Rig::new(40)
    };
    rig.server.fault(
        on(Method::DELETE, PODS),
        Fault::delay(Duration::from_millis(50)),
    );
    rig.run().await;
    assert_eq!(rig.server.most_in_flight(), 7);
}

#[tokio::test(start_paused = true)]
async fn after_a_signal_no_deletion_starts_and_those_in_flight_end() {
    let (send, interrupt) = Interrupt::by_hand();
    let rig = Rig {
        concurrency: 2,
        interrupt,
        ..Rig::new(10)
    };
    rig.server.fault(
        on(Method::DELETE, PODS),
        Fault::delay(Duration::from_secs(1)),
    );
    let seen = RefCell::new(0);
    let execution = rig
        .run_and_tell(|_| {
            *seen.borrow_mut() += 1;
            if *seen.borrow() == 3 {
                send.send_replace(Some(Signal::Interrupt));
            }
        })
        .await;
    assert_eq!(execution.stop, Some(Stop::Signal(Signal::Interrupt)));
    assert_eq!(execution.outcomes[..4], vec![DELETED; 4]);
    assert_eq!(execution.outcomes[4..], vec![Outcome::NotAttempted; 6]);
    assert_eq!(rig.deletions(), 4);
}

#[tokio::test(start_paused = true)]
async fn what_does_not_end_within_five_seconds_of_a_signal_is_told_to_be_in_doubt() {
    let (send, interrupt) = Interrupt::by_hand();
    let rig = Rig {
        concurrency: 2,
        interrupt,
        ..Rig::new(4)
    };
    rig.server.fault(on(Method::DELETE, "p01"), Fault::never());
    let execution = rig
        .run_and_tell(|_| {
            send.send_replace(Some(Signal::Terminate));
        })
        .await;
    let doubtful = failed(&execution.outcomes[1]);
    assert_eq!(
        doubtful.message,
        "error: interrupted before the server answered; it may be deleted all the same"
    );
    assert_eq!(execution.outcomes[2..], vec![Outcome::NotAttempted; 2]);
    assert_eq!(execution.elapsed.as_secs(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_signal_ends_the_wait_for_another_try() {
    let (send, interrupt) = Interrupt::by_hand();
    let rig = Rig {
        concurrency: 2,
        interrupt,
        ..Rig::new(2)
    };
    let busy = Fault::status(503).header("retry-after", "30");
    rig.server.fault(on(Method::DELETE, "p00"), busy);
    let execution = rig
        .run_and_tell(|_| {
            send.send_replace(Some(Signal::Interrupt));
        })
        .await;
    failed(&execution.outcomes[0]);
    assert_eq!((rig.deletions(), execution.elapsed), (2, Duration::ZERO));
}

#[tokio::test(start_paused = true)]
async fn what_the_users_selector_no_longer_finds_is_kept() {
    let selected = || Rig {
        selector: Some("team=a"),
        ..Rig::new(0)
    };
    let team = |team| pod("p00").expires_at_seconds(LONG_AGO).label("team", team);
    let rig = selected();
    rig.server.add(team("a").build());
    rig.change_before_delete(1, json!({"metadata": {"labels": {"team": "b"}}}));
    assert_eq!(rig.run().await.outcomes, [kept(Kept::NotSelected)]);

    let rig = selected();
    rig.server.add(team("a").build());
    rig.change_before_delete(1, json!({"metadata": {"annotations": {"touched": "yes"}}}));
    assert_eq!(rig.run().await.outcomes, [DELETED]);
}
