//! The cluster becomes a snapshot, with the clock it was taken by: all kinds side by side, each to its end.

mod pages;

use std::cell::RefCell;
use std::future::Future;
use std::time::Duration;

use futures::stream::FuturesUnordered;
use futures::{StreamExt, TryStreamExt};
use reap_core::filter::Filter;
use reap_core::judge::Mounts;
use reap_core::object::{Kind, Object};
use reap_core::snapshot::{Snapshot, SnapshotBuilder, Unread};

use crate::api::{Api, Clock, Failure, Now};
use crate::settings::Reading;
use pages::{List, pages};

/// What fails within this time of the first failure fails with it.
const MOMENT: Duration = Duration::from_secs(1);

/// What was read, and when.
pub(crate) struct Fetched {
    pub(crate) snapshot: Snapshot,
    pub(crate) now: Now,
}

/// A kind that could not be read, so that nothing may be deleted.
pub(crate) struct Unreadable {
    pub(crate) kind: Kind,
    pub(crate) failure: Failure,
}

/// Reads all kinds completely; `None` reads all namespaces.
///
/// # Errors
/// Any kind that cannot be read to its end, except Jobs that nobody named and that may not be listed: these are noted
/// in the snapshot.
pub(crate) async fn fetch(
    api: &Api,
    reading: &Reading,
    filter: &Filter,
    namespace: Option<&str>,
) -> Result<Fetched, Unreadable> {
    let intake = Intake {
        builder: RefCell::new(SnapshotBuilder::new(filter.clone(), reading.hold_kept)),
        clock: RefCell::default(),
    };
    let lists = reading.kinds.iter().map(|kind| {
        let list = List {
            kind: *kind,
            namespace,
            selector: reading.selector.as_deref(),
            chunk_size: reading.chunk_size,
        };
        (list, Role::Shown)
    });
    let mounts = needs_mounts(reading).then(|| {
        let list = List {
            kind: Kind::Pod,
            namespace,
            selector: None,
            chunk_size: reading.chunk_size,
        };
        (list, Role::MountsOnly)
    });
    let readings = lists.chain(mounts).map(async |(list, role)| {
        let kind = list.kind;
        match intake.read(api, list, role).await {
            Err(failure) if is_tolerable(kind, &failure, reading) => {
                let error = failure.to_string();
                intake.builder.borrow_mut().unread(Unread { kind, error });
                Ok(())
            }
            Err(failure) => Err(Unreadable { kind, failure }),
            Ok(()) => Ok(()),
        }
    });
    all(readings).await?;
    let now = intake.clock.borrow().now();
    Ok(Fetched {
        snapshot: intake.builder.into_inner().finish(now.at),
        now,
    })
}

/// Reads side by side. Of what fails in the same moment the first kind is told, in every run.
async fn all(
    readings: impl Iterator<Item = impl Future<Output = Result<(), Unreadable>>>,
) -> Result<(), Unreadable> {
    let mut readings: FuturesUnordered<_> = readings.collect();
    let Err(mut first) = readings.by_ref().try_collect::<()>().await else {
        return Ok(());
    };
    let others = async {
        while let Some(reading) = readings.next().await {
            if let Err(failure) = reading
                && failure.kind < first.kind
            {
                first = failure;
            }
        }
    };
    // The rest would not be shown: it need not be read to its end.
    let _ = tokio::time::timeout(MOMENT, others).await;
    Err(first)
}

/// Reads which claims ironflow's pods of a namespace mount now.
///
/// # Errors
/// As for a page.
pub(crate) async fn mounts(api: &Api, namespace: &str, chunk_size: u32) -> Result<Mounts, Failure> {
    let mut mounts = Mounts::default();
    each(api, Kind::Pod, Some(namespace), chunk_size, |pod| {
        mounts.insert(&pod);
    })
    .await?;
    Ok(mounts)
}

/// Reads each of ironflow's objects of a kind; `None` reads all namespaces.
///
/// # Errors
/// As for a page.
pub(crate) async fn each(
    api: &Api,
    kind: Kind,
    namespace: Option<&str>,
    chunk_size: u32,
    mut take: impl FnMut(Object),
) -> Result<(), Failure> {
    let list = List {
        kind,
        namespace,
        selector: None,
        chunk_size,
    };
    pages(api, list, |page| {
        page.objects.into_iter().for_each(&mut take);
    })
    .await
}

/// Where the pages of all kinds come together.
struct Intake {
    builder: RefCell<SnapshotBuilder>,
    clock: RefCell<Clock>,
}

impl Intake {
    async fn read(&self, api: &Api, list: List<'_>, role: Role) -> Result<(), Failure> {
        pages(api, list, |page| {
            self.clock.borrow_mut().observe(page.reading);
            let horizon = self.clock.borrow().horizon();
            let mut builder = self.builder.borrow_mut();
            for object in page.objects {
                match role {
                    Role::Shown => builder.take(object, horizon),
                    Role::MountsOnly => builder.observe(&object),
                }
            }
        })
        .await
    }
}

/// What a kind is read for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Shown,
    /// Pods that nobody asked for, read for the claims they mount.
    MountsOnly,
}

fn is_tolerable(kind: Kind, failure: &Failure, reading: &Reading) -> bool {
    kind == Kind::Job && failure.is_forbidden() && !reading.named.contains(&kind) && !reading.strict
}

/// Returns whether pods have to be read for the claims they mount, because the pods that are shown are not all or none.
fn needs_mounts(reading: &Reading) -> bool {
    let shows_all_pods = reading.kinds.contains(&Kind::Pod) && reading.selector.is_none();
    reading.kinds.contains(&Kind::PersistentVolumeClaim) && !shows_all_pods
}

/// Joins ironflow's own selector with the user's: an object has to fulfil both.
pub(crate) fn joined_selector(kind: Kind, selector: Option<&str>) -> String {
    let own = kind.selector().to_owned();
    match selector {
        Some(selector) => format!("{own},{selector}"),
        None => own,
    }
}
