//! The server's clock: real, skewed, stepped or standing still.

use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use k8s_openapi::jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

/// The clock of one server, which its `Date` headers and the timestamps in its objects follow.
///
/// It advances with tokio's clock, so that it stands still where a test has paused that one.
#[derive(Debug)]
pub struct Clock {
    origin: Timestamp,
    started: Instant,
    setting: Mutex<Setting>,
}

#[derive(Clone, Copy, Debug)]
enum Setting {
    Skewed(SignedDuration),
    Fixed(Timestamp),
}

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "a server has a clock of its own")]
    pub(super) fn start() -> Self {
        Self {
            origin: Timestamp::now(),
            started: Instant::now(),
            setting: Mutex::new(Setting::Skewed(SignedDuration::ZERO)),
        }
    }

    /// Sets the clock ahead of this machine's by some seconds, or behind it.
    pub fn skew(&self, seconds: i64) {
        self.set(Setting::Skewed(SignedDuration::from_secs(seconds)));
    }

    /// Stops the clock at a moment.
    pub fn fix(&self, moment: Timestamp) {
        self.set(Setting::Fixed(moment));
    }

    fn set(&self, setting: Setting) {
        *self.setting.lock().unwrap_or_else(PoisonError::into_inner) = setting;
    }

    /// The server's now.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let elapsed = SignedDuration::try_from(self.started.elapsed()).unwrap_or_default();
        match *self.setting.lock().unwrap_or_else(PoisonError::into_inner) {
            Setting::Skewed(skew) => self.origin + elapsed + skew,
            Setting::Fixed(moment) => moment,
        }
    }

    /// The server's now as a `Date` header says it.
    pub(super) fn date(&self) -> String {
        httpdate::fmt_http_date(SystemTime::from(self.now()))
    }
}

/// A moment as Kubernetes writes it, in whole seconds.
pub(super) fn written(moment: Timestamp) -> String {
    moment.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_clock_says_its_date() {
        let clock = Clock::start();
        clock.fix(Timestamp::UNIX_EPOCH);
        assert_eq!(clock.date(), "Thu, 01 Jan 1970 00:00:00 GMT");
        assert_eq!(written(clock.now()), "1970-01-01T00:00:00Z");
    }

    #[test]
    fn a_skewed_clock_goes_on() {
        let clock = Clock::start();
        let before = clock.now();
        clock.skew(3600);
        assert!(clock.now().duration_since(before) >= SignedDuration::from_secs(3600));
    }
}
