//! How many run at once, and what ends them all.

use super::*;

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
async fn refusals_are_no_outages_and_begin_the_count_anew_too() {
    let rig = Rig::new(30);
    rig.server
        .fault(on(Method::DELETE, PODS), Fault::status(422));
    let execution = rig.run().await;
    assert_eq!((rig.deletions(), execution.stop), (30, None));
    let rig = Rig::new(30);
    let is_refused = |received: &testbed::memory::Received| received.target().contains("p19");
    rig.server.fault(
        on(Method::DELETE, PODS).when(is_refused),
        Fault::status(422),
    );
    rig.server
        .fault(on(Method::DELETE, PODS), Fault::status(503));
    let execution = rig.run().await;
    assert_eq!(execution.stop, None);
    assert_ne!(execution.outcomes[29], Outcome::NotAttempted);
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
    let (execution, waited) = rig
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
    assert_eq!((rig.deletions(), waited), (4, None));
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
    let (execution, waited) = rig
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
    assert_eq!((execution.elapsed.as_secs(), waited), (5, Some(1)));
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
    let (execution, waited) = rig
        .run_and_tell(|_| {
            send.send_replace(Some(Signal::Interrupt));
        })
        .await;
    failed(&execution.outcomes[0]);
    assert_eq!((rig.deletions(), execution.elapsed), (2, Duration::ZERO));
    assert_eq!(waited, None);
}
