//! The cluster becomes a snapshot, with the clock it was taken by: all kinds side by side, each to its end.

use std::cell::RefCell;
use std::collections::HashSet;

use futures::future::try_join_all;
use http::StatusCode;
use reap_core::filter::Filter;
use reap_core::judge::Mounts;
use reap_core::object::{Kind, Object};
use reap_core::snapshot::{Snapshot, SnapshotBuilder, Unread};

use crate::api::{Api, Clock, Failure, Now, Page, PageRequest};
use crate::settings::Reading;

/// The first page, before anything is known of what objects weigh.
const FIRST_PAGE: u32 = 50;
/// What a page weighs at most, in bytes, as far as the pages before tell.
const PAGE_BYTES: usize = 8 << 20;
/// No page is made smaller than this.
const SMALLEST_PAGE: u32 = 10;
/// A list that goes on for longer has no end.
const MOST_OBJECTS: usize = 2_000_000;
/// How often a list whose place was lost is begun anew.
const MOST_RESTARTS: u32 = 2;

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
    try_join_all(lists.chain(mounts).map(async |(list, role)| {
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
    }))
    .await?;
    let now = intake.clock.borrow().now();
    Ok(Fetched {
        snapshot: intake.builder.into_inner().finish(now.at),
        now,
    })
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

/// Which objects of a kind to read.
#[derive(Clone, Copy)]
struct List<'a> {
    kind: Kind,
    /// `None` reads all namespaces.
    namespace: Option<&'a str>,
    /// Labels that the user asks for.
    selector: Option<&'a str>,
    chunk_size: u32,
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

/// Reads a kind page by page to its end. A list whose place was lost begins anew: whoever takes the pages in must count
/// an object that comes twice once.
async fn pages(api: &Api, list: List<'_>, mut take: impl FnMut(Page)) -> Result<(), Failure> {
    let selector = joined_selector(list.kind, list.selector);
    let mut size = PageSize::new(list.chunk_size);
    let mut restarts = 0;
    let mut token: Option<String> = None;
    let mut tokens = HashSet::new();
    let mut objects = 0;
    loop {
        let request = PageRequest {
            kind: list.kind,
            namespace: list.namespace,
            selector: &selector,
            limit: size.next(),
            token: token.as_deref(),
        };
        let page = match api.page(&request).await {
            Err(Failure::Server(error))
                if error.code == StatusCode::GONE
                    && token.is_some()
                    && restarts < MOST_RESTARTS =>
            {
                restarts += 1;
                token = None;
                tokens.clear();
                objects = 0;
                continue;
            }
            page => page?,
        };
        objects += page.objects.len();
        size.learn(page.bytes, page.objects.len());
        token.clone_from(&page.next);
        take(page);
        match &token {
            None => return Ok(()),
            Some(next) if !tokens.insert(next.clone()) => {
                return Err(Failure::Unexpected(
                    "the server sends the same page again and again".to_owned(),
                ));
            }
            Some(_) if objects > MOST_OBJECTS => {
                return Err(Failure::Unexpected(format!(
                    "the server's list does not end after {MOST_OBJECTS} objects"
                )));
            }
            Some(_) => {}
        }
    }
}

/// Joins ironflow's own selector with the user's: an object has to fulfil both.
pub(crate) fn joined_selector(kind: Kind, selector: Option<&str>) -> String {
    let own = kind.selector().to_owned();
    match selector {
        Some(selector) => format!("{own},{selector}"),
        None => own,
    }
}

/// How many objects to ask for, so that pages weigh about the same whatever an object weighs.
struct PageSize {
    most: u32,
    bytes: usize,
    objects: usize,
}

impl PageSize {
    fn new(most: u32) -> Self {
        Self {
            most,
            bytes: 0,
            objects: 0,
        }
    }

    fn learn(&mut self, bytes: usize, objects: usize) {
        self.bytes += bytes;
        self.objects += objects;
    }

    fn next(&self) -> u32 {
        let wanted = match self.bytes.checked_div(self.objects) {
            None => FIRST_PAGE,
            Some(average) => u32::try_from(PAGE_BYTES / average.max(1))
                .unwrap_or(u32::MAX)
                .max(SMALLEST_PAGE),
        };
        wanted.min(self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_page_is_small_and_the_next_ones_weigh_eight_mebibytes() {
        let mut size = PageSize::new(500);
        assert_eq!(size.next(), 50);
        size.learn(50 * 40_000, 50);
        assert_eq!(size.next(), 209);
    }

    #[test]
    fn a_page_has_ten_objects_at_least_and_the_chunk_size_at_most() {
        let mut heavy = PageSize::new(500);
        heavy.learn(50 << 20, 50);
        assert_eq!(heavy.next(), 10);
        let mut light = PageSize::new(500);
        light.learn(1000, 50);
        assert_eq!(light.next(), 500);
        assert_eq!(PageSize::new(7).next(), 7);
    }

    #[test]
    fn an_empty_page_teaches_nothing() {
        let mut size = PageSize::new(500);
        size.learn(100, 0);
        assert_eq!(size.next(), 50);
    }
}
