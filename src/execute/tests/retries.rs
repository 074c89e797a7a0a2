//! What fails in passing is tried again, and what a lost answer left behind is found out.

use super::*;

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
async fn a_dry_run_leaves_no_doubt_about_what_it_changed() {
    for fault in [Fault::cut_before(), Fault::never(), Fault::status(503)] {
        let rig = Rig {
            action: Action::ServerDryRun,
            ..Rig::new(1)
        };
        rig.server.fault(on(Method::DELETE, PODS), fault);
        let execution = rig.run().await;
        let message = &failed(&execution.outcomes[0]).message;
        assert!(!message.contains("may be deleted"), "{message}");
    }
}
