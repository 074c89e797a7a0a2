//! Deletions against the in-memory server, with a clock that stands still until somebody waits.

#![expect(
    clippy::disallowed_types,
    reason = "the client leads to the in-memory server"
)]

mod endings;
mod retries;
mod second_look;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use clap::Parser;
use http::{Method, StatusCode};
use reap_core::filter::Filter;
use reap_core::judge::Kept;
use reap_core::plan::Plan;
use serde_json::json;
use testbed::memory::{Fault, Resource, Server, on};
use testbed::objects::{NAMESPACE, pod};

use super::*;
use crate::cli::Arguments;
use crate::confirm::confirm;
use crate::fetch;
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
        self.run_and_tell(|_| {}).await.0
    }

    /// Tells each outcome, and returns for how many deletions the end was said to wait, too.
    async fn run_and_tell(&self, tell: impl Fn(&Outcome)) -> (Execution, Option<usize>) {
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
        let terminals = Terminals::none();
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
        let waited = Cell::new(None);
        let execution = execute(
            &approved,
            &api,
            orders,
            &self.interrupt,
            |news| match news {
                News::Outcome(_, outcome) => tell(outcome),
                News::Waiting(_, deletions) => waited.set(Some(deletions)),
            },
        );
        (execution.await, waited.get())
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
