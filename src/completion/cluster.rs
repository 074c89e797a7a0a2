//! What is known of the cluster that the words before mean; nothing where it does not answer at once.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::Duration;

use reap_core::object::Object;
use reap_core::plan::Plan;

use super::Candidate;
use crate::api::Api;
use crate::cli::{Arguments, parse};
use crate::connect::{Connection, connect, kubeconfig_names};
use crate::fetch::fetch;
use crate::grammar::count;
use crate::selection::Selection;
use crate::settings::{Settings, Terminals};

/// Nobody waits longer for candidates.
const PATIENCE: Duration = Duration::from_secs(2);

/// The cluster, by the flags before; `None` where they cannot be read.
pub(super) struct Known(Option<Settings>);

impl Known {
    pub(super) fn of(before: &[String]) -> Self {
        Self(settings(before))
    }

    /// The names of all namespaces.
    pub(super) fn namespaces(self) -> Vec<Candidate> {
        let names = self.ask(async |_, api, _| api.namespaces().await);
        plain(names.unwrap_or_default())
    }

    /// The ids of runs that left objects, with how many.
    pub(super) fn runs(self) -> Vec<Candidate> {
        let mut numbers = BTreeMap::<String, usize>::new();
        for (object, _) in self.all_objects() {
            let (run, root) = (object.run_id(), object.root_run_id());
            for id in run
                .into_iter()
                .chain(root.filter(|root| Some(*root) != run))
            {
                *numbers.entry(id.to_owned()).or_default() += 1;
            }
        }
        let runs = numbers.into_iter();
        runs.map(|(id, number)| Candidate::new(id, count(number, "object")))
            .collect()
    }

    /// The names of ironflow's objects of these types, with what would become of them.
    pub(super) fn objects(mut self, types: &str) -> Vec<Candidate> {
        let Ok(Selection { kinds, .. }) = Selection::parse(&[types.to_owned()]) else {
            return vec![];
        };
        if let Some(settings) = &mut self.0 {
            settings.reading.kinds = kinds;
        }
        let objects = self.all_objects().into_iter();
        objects
            .map(|(object, verdict)| Candidate::new(object.reference.name, verdict))
            .collect()
    }

    pub(super) fn contexts(self) -> Vec<Candidate> {
        plain(self.kubeconfig().contexts)
    }

    pub(super) fn clusters(self) -> Vec<Candidate> {
        plain(self.kubeconfig().clusters)
    }

    pub(super) fn users(self) -> Vec<Candidate> {
        plain(self.kubeconfig().users)
    }

    fn kubeconfig(self) -> kubeconfig_names::Names {
        let settings = self.0.map(|settings| settings.connection);
        settings
            .as_ref()
            .map(kubeconfig_names::names)
            .unwrap_or_default()
    }

    /// Each object with its verdict.
    fn all_objects(self) -> Vec<(Object, &'static str)> {
        let plan = self.ask(async |settings, api, connection| {
            let namespace = settings.reading.scope(&connection.namespace);
            let fetched = fetch(api, &settings.reading, &settings.filter, namespace);
            Some(Plan::new(fetched.await.ok()?.snapshot))
        });
        let Some(plan) = plan else { return vec![] };
        let candidates = plan.candidates().iter();
        let candidates = candidates.map(|x| (x.object().clone(), x.reason().as_str()));
        let kept = plan.kept().iter();
        let kept = kept.map(|(object, kept)| (object.clone(), kept.as_str()));
        candidates.chain(kept).collect()
    }

    fn ask<T>(
        self,
        question: impl AsyncFnOnce(&Settings, &Api, &Connection) -> Option<T>,
    ) -> Option<T> {
        let settings = self.0?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .ok()?;
        let answer = async {
            let connection = connect(&settings.connection).await.ok()?;
            let api = Api::new(connection.client.clone(), Some(PATIENCE));
            question(&settings, &api, &connection).await
        };
        let answer =
            runtime.block_on(async { tokio::time::timeout(PATIENCE, answer).await.ok().flatten() });
        // A thread may still look a name up.
        runtime.shutdown_background();
        answer
    }
}

/// Reads the flags; a flag whose value is being completed is left out.
fn settings(before: &[String]) -> Option<Settings> {
    let read = |words: &[String]| {
        let words = words.iter().map(OsString::from);
        let words: Vec<_> = [OsString::new()].into_iter().chain(words).collect();
        parse(&words).ok()
    };
    let without_last = || read(before.split_last()?.1);
    let arguments = read(before).or_else(without_last);
    let Arguments {
        connection,
        namespace,
        all_namespaces,
        selector,
        ..
    } = arguments?;
    let arguments = Arguments {
        connection,
        namespace,
        all_namespaces,
        selector,
        show_kept: true,
        ..Arguments::with_format(None)
    };
    Settings::resolve(arguments, Terminals::none()).ok()
}

fn plain(names: Vec<String>) -> Vec<Candidate> {
    let names = names.into_iter();
    names.map(|name| Candidate::new(name, "")).collect()
}
