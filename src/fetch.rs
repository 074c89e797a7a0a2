//! The cluster becomes a snapshot, with the clock it was taken by: all kinds side by side, each to its end.

use std::cell::RefCell;
use std::collections::HashSet;

use futures::future::try_join_all;
use http::StatusCode;
use reap_core::filter::Filter;
use reap_core::judge::Mounts;
use reap_core::object::Kind;
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
    let mut kinds = reading.kinds.clone();
    let mounts_only = kinds.contains(&Kind::PersistentVolumeClaim) && kinds.insert(Kind::Pod);
    try_join_all(kinds.into_iter().map(|kind| {
        let role = if kind == Kind::Pod && mounts_only {
            Role::MountsOnly
        } else {
            Role::Shown
        };
        let intake = &intake;
        async move {
            match read_kind(api, intake, kind, role, namespace, reading.chunk_size).await {
                Err(failure) if is_tolerable(kind, &failure, reading) => {
                    intake.builder.borrow_mut().unread(Unread {
                        kind,
                        error: failure.to_string(),
                    });
                    Ok(())
                }
                Err(failure) => Err(Unreadable { kind, failure }),
                Ok(()) => Ok(()),
            }
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
    pages(api, Kind::Pod, Some(namespace), chunk_size, |page| {
        page.objects.iter().for_each(|pod| mounts.insert(pod));
    })
    .await?;
    Ok(mounts)
}

/// Where the pages of all kinds come together.
struct Intake {
    builder: RefCell<SnapshotBuilder>,
    clock: RefCell<Clock>,
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

async fn read_kind(
    api: &Api,
    intake: &Intake,
    kind: Kind,
    role: Role,
    namespace: Option<&str>,
    chunk_size: u32,
) -> Result<(), Failure> {
    pages(api, kind, namespace, chunk_size, |page| {
        intake.clock.borrow_mut().observe(page.reading);
        let horizon = intake.clock.borrow().horizon();
        let mut builder = intake.builder.borrow_mut();
        for object in page.objects {
            match role {
                Role::Shown => builder.take(object, horizon),
                Role::MountsOnly => builder.observe(&object),
            }
        }
    })
    .await
}

/// Reads a kind page by page to its end. A list whose place was lost begins anew: whoever takes the pages in must count
/// an object that comes twice once.
async fn pages(
    api: &Api,
    kind: Kind,
    namespace: Option<&str>,
    chunk_size: u32,
    mut take: impl FnMut(Page),
) -> Result<(), Failure> {
    let mut size = PageSize::new(chunk_size);
    let mut restarts = 0;
    let mut token: Option<String> = None;
    let mut tokens = HashSet::new();
    let mut objects = 0;
    loop {
        let request = PageRequest {
            kind,
            namespace,
            selector: kind.selector(),
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
