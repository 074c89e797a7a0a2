//! How many requests are being answered at once.

use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Debug, Default)]
pub(super) struct Flights {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Flights {
    /// Counts a request until what comes back is dropped.
    pub(super) fn begin(&self) -> Flight<'_> {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        Flight(self)
    }

    pub(super) fn most(&self) -> usize {
        self.most.load(Ordering::SeqCst)
    }
}

/// A request that is being answered.
pub(super) struct Flight<'a>(&'a Flights);

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        self.0.now.fetch_sub(1, Ordering::SeqCst);
    }
}
