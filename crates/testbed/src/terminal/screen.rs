//! What a program has written to its terminal so far.

use std::io::Read;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a text or the end of the program is waited for.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// Output that grows while others wait for something in it.
#[derive(Default)]
pub(super) struct Screen {
    output: Mutex<Output>,
    changed: Condvar,
}

/// All bytes so far.
#[derive(Default)]
pub(super) struct Output {
    pub(super) bytes: Vec<u8>,
    /// No more can come.
    pub(super) ended: bool,
}

impl Screen {
    /// Reads until the terminal's other side is closed, which Linux reports as an error.
    pub(super) fn fill(&self, mut reader: Box<dyn Read + Send>) {
        let mut buffer = [0; 4096];
        while let Ok(length @ 1..) = reader.read(&mut buffer) {
            self.lock().bytes.extend_from_slice(&buffer[..length]);
            self.changed.notify_all();
        }
        self.lock().ended = true;
        self.changed.notify_all();
    }

    /// Returns the output once `condition` holds for it, or when [`PATIENCE`] ends.
    pub(super) fn wait_until(&self, condition: impl Fn(&Output) -> bool) -> MutexGuard<'_, Output> {
        let deadline = Instant::now() + PATIENCE;
        let mut output = self.lock();
        while !condition(&output) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            output = self
                .changed
                .wait_timeout(output, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        output
    }

    fn lock(&self) -> MutexGuard<'_, Output> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
