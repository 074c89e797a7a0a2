//! What is read again is judged again.

use super::*;

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
    assert!(!message.contains("may be deleted"), "{message}");
    assert_eq!((rig.left(), rig.deletions()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_second_look_that_fails_after_a_try_of_unknown_fate_leaves_a_doubt() {
    let page = Fault::answer(200, "text/html", "<html>");
    for fates in [vec![page], vec![Fault::cut_before(), Fault::status(409)]] {
        let rig = Rig::new(1);
        for (at, fate) in fates.into_iter().enumerate() {
            rig.server
                .fault(on(Method::DELETE, PODS).after(at).times(1), fate);
        }
        rig.server
            .fault(on(Method::GET, "fieldSelector"), Fault::status(403));
        let execution = rig.run().await;
        let message = &failed(&execution.outcomes[0]).message;
        assert!(
            message.ends_with("; it may be deleted all the same (when it was read again)"),
            "{message}"
        );
    }
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
