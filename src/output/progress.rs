//! A sign of life on stderr for what takes longer than a moment; only on a terminal.

use std::future::Future;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

/// What is done within this time needs no sign of life.
const MOMENT: Duration = Duration::from_millis(500);
const TICK: Duration = Duration::from_millis(100);

/// Handles to the same bar are clones of each other.
#[derive(Clone)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Of something whose end is not known.
    pub(super) fn of_reading() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        Self(
            bar.with_style(style("{spinner} reading the cluster ({elapsed})"))
                .with_finish(ProgressFinish::AndClear),
        )
    }

    /// Of so many deletions.
    pub(super) fn of_deletions(total: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::hidden());
        Self(
            bar.with_style(style("{bar:30} {pos}/{len} ({elapsed})"))
                .with_finish(ProgressFinish::AndClear),
        )
    }

    /// Shows itself while some work lasts, once that takes longer than a moment.
    pub(crate) async fn during<T>(self, work: impl Future<Output = T>) -> T {
        tokio::pin!(work);
        if let Ok(done) = tokio::time::timeout(MOMENT, &mut work).await {
            return done;
        }
        self.0.set_draw_target(ProgressDrawTarget::stderr());
        self.0.enable_steady_tick(TICK);
        let done = work.await;
        self.0.finish_and_clear();
        done
    }

    /// Counts one deletion.
    pub(super) fn count(&self) {
        self.0.inc(1);
    }

    /// Makes room for a line of output.
    pub(super) fn aside(&self, print: impl FnOnce()) {
        self.0.suspend(print);
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}
