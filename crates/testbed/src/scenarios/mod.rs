//! What every cluster has to do alike, written once and run against each kind of cluster.

mod cascades;
mod deletions;
mod grace;
mod lists;
mod place;
mod refusals;
mod writes;

use anyhow::Result;
use futures::future::BoxFuture;

use crate::cluster::Cluster;
use place::Place;

/// Scenarios that are named after their functions, `async fn(&Place<'_>) -> Result<()>`.
macro_rules! scenarios {
    ($($scenario:ident),* $(,)?) => {
        vec![$($crate::scenarios::Scenario {
            name: stringify!($scenario),
            act: |place| Box::pin($scenario(place)),
        }),*]
    };
}
use scenarios;

/// One scenario; it panics where the cluster does something else.
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    /// A sentence that says what it shows.
    pub name: &'static str,
    act: for<'a> fn(&'a Place<'a>) -> BoxFuture<'a, Result<()>>,
}

impl Scenario {
    /// Runs it in a namespace of its own.
    ///
    /// # Errors
    ///
    /// If a request is not answered, or something that was waited for does not happen.
    ///
    /// # Panics
    ///
    /// If an answer is not the one that the real API server gives.
    pub async fn run(&self, cluster: &dyn Cluster) -> Result<()> {
        (self.act)(&Place::new(cluster).await?).await
    }
}

/// All of them.
#[must_use]
pub fn all() -> Vec<Scenario> {
    [
        lists::scenarios(),
        deletions::scenarios(),
        grace::scenarios(),
        cascades::scenarios(),
        refusals::scenarios(),
        writes::scenarios(),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Server;

    #[tokio::test]
    async fn the_server_in_memory_passes_every_scenario() {
        let server = Server::new().serve().unwrap();
        for scenario in all() {
            let run = scenario.run(&server).await;
            run.unwrap_or_else(|error| panic!("{}: {error:#}", scenario.name));
        }
    }
}
