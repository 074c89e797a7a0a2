//! A list page by page to its end, with pages that weigh about the same whatever an object weighs.

use std::collections::HashSet;

use http::StatusCode;
use reap_core::object::Kind;

use crate::api::{Api, Failure, Page, PageRequest};

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

/// Which objects of a kind to read.
#[derive(Clone, Copy)]
pub(super) struct List<'a> {
    pub(super) kind: Kind,
    /// `None` reads all namespaces.
    pub(super) namespace: Option<&'a str>,
    /// Labels that the user asks for.
    pub(super) selector: Option<&'a str>,
    pub(super) chunk_size: u32,
}

/// Reads a kind page by page to its end. A list whose place was lost begins anew: whoever takes the pages in must count
/// an object that comes twice once.
pub(super) async fn pages(
    api: &Api,
    list: List<'_>,
    mut take: impl FnMut(Page),
) -> Result<(), Failure> {
    let selector = super::joined_selector(list.kind, list.selector);
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
