//! A sign of life on stderr for what takes longer than a moment; only on a terminal.

use std::future::Future;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

/// What is done within this time needs no sign of life.
const MOMENT: Duration = Duration::from_millis(500);
const TICK: Duration = Duration::from_millis(100);

/// Handles to the same bar are clones of each other.
#[derive(Clone)]
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Shows itself at all: not between the lines of a log.
    shows: bool,
}

impl Progress {
    /// Of something whose end is not known.
    pub(super) fn of_reading(shows: bool) -> Self {
        Self::new(None, "{spinner} reading the cluster ({elapsed})", shows)
    }

    /// Of so many deletions.
    pub(super) fn of_deletions(total: usize, shows: bool) -> Self {
        Self::new(
            Some(total as u64),
            "{bar:30} {pos}/{len} ({elapsed})",
            shows,
        )
    }

    fn new(length: Option<u64>, template: &str, shows: bool) -> Self {
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::hidden())
            .with_style(style(template))
            .with_finish(ProgressFinish::AndClear);
        Self { bar, shows }
    }

    /// Shows itself while some work lasts, once that takes longer than a moment.
    pub(crate) async fn during<T>(self, work: impl Future<Output = T>) -> T {
        tokio::pin!(work);
        if let Ok(done) = tokio::time::timeout(MOMENT, &mut work).await {
            return done;
        }
        if self.shows {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(TICK);
        }
        let done = work.await;
        self.bar.finish_and_clear();
        done
    }

    /// Returns whether there was time to show it.
    pub(super) fn was_shown(&self) -> bool {
        !self.bar.is_hidden()
    }

    /// Counts one deletion.
    pub(super) fn count(&self) {
        self.bar.inc(1);
    }

    /// Makes room for a line of output.
    pub(super) fn aside(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}
