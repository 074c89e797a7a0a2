//! What «now» is: the API server's clock, or the local one where it is the more careful choice.

use http::HeaderValue;
use reap_core::time::UnixSeconds;

/// How far the two clocks may be apart, in seconds, before the earlier one is used.
const TOLERATED_SKEW: i64 = 30;

/// The two clocks at the moment of one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reading {
    /// The answer's `Date`; `None` where it has none or one that is no date.
    pub(crate) server: Option<UnixSeconds>,
    /// This machine's clock.
    pub(crate) local: UnixSeconds,
}

/// Which clock was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClockSource {
    /// The `Date` of the API server's answers.
    Server,
    /// The clock of this machine.
    Local,
}

/// The moment that expiries are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Now {
    /// The moment itself.
    pub(crate) at: UnixSeconds,
    /// The clock it was read from.
    pub(crate) source: ClockSource,
    /// The readings it was chosen from.
    pub(crate) reading: Reading,
}

impl Reading {
    /// Reads both clocks for an answer with this `Date` header.
    pub(crate) fn of(date: Option<&HeaderValue>) -> Self {
        let server = date
            .and_then(|value| value.to_str().ok())
            .and_then(|text| httpdate::parse_http_date(text).ok())
            .and_then(unix_seconds);
        #[expect(
            clippy::disallowed_methods,
            reason = "this is where the local clock is read"
        )]
        let local = unix_seconds(std::time::SystemTime::now()).unwrap_or(UnixSeconds(0));
        Self { server, local }
    }

    /// Returns how many seconds the server's clock is ahead of the local one.
    pub(crate) fn skew(&self) -> Option<i64> {
        self.server.map(|server| server.since(self.local))
    }

    /// Chooses the clock: the server's, or the earlier one where they are further apart than tolerated.
    pub(crate) fn now(self) -> Now {
        let (at, source) = match self.server {
            Some(server) if server.since(self.local) <= TOLERATED_SKEW => {
                (server, ClockSource::Server)
            }
            Some(_) | None => (self.local, ClockSource::Local),
        };
        Now {
            at,
            source,
            reading: self,
        }
    }

    fn is_skewed(&self) -> bool {
        self.skew().is_some_and(|skew| skew.abs() > TOLERATED_SKEW)
    }
}

impl Now {
    /// Says in one sentence why the server's clock was not simply believed; `None` where it was.
    pub(crate) fn doubt(&self) -> Option<String> {
        let local = display(self.reading.local);
        let Some(server) = self.reading.server else {
            return Some(format!(
                "the server sends no readable Date: this machine's clock ({local}) is used"
            ));
        };
        let used = match self.source {
            ClockSource::Server => "the server's",
            ClockSource::Local => "this machine's",
        };
        self.reading.is_skewed().then(|| {
            let server = display(server);
            format!("the server's clock ({server}) and this machine's ({local}) differ: the earlier one, {used}, is used")
        })
    }
}

/// Gathers the clocks of all answers to one reading of the cluster.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    first: Option<Reading>,
    earliest: Option<Reading>,
    undated: bool,
}

impl Clock {
    /// Takes in the clocks of one more answer.
    pub(crate) fn observe(&mut self, reading: Reading) {
        self.first.get_or_insert(reading);
        self.undated |= reading.server.is_none();
        let is_earlier = self
            .earliest
            .is_none_or(|earliest| reading.server < earliest.server);
        if reading.server.is_some() && is_earlier {
            self.earliest = Some(reading);
        }
    }

    /// Returns a moment that `now` never lies after, whatever answers are still to come: the later clock of the first
    /// answer. What is not expired then is not expired at the end either.
    pub(crate) fn horizon(&self) -> UnixSeconds {
        self.first.map_or(UnixSeconds(0), |first| {
            first
                .server
                .map_or(first.local, |server| server.max(first.local))
        })
    }

    /// Chooses «now» from all answers so far. An answer without a date counts as no more than the local clock.
    pub(crate) fn now(&self) -> Now {
        let undated = Reading {
            server: None,
            local: UnixSeconds(0),
        };
        let first = self.first.unwrap_or(undated);
        let dated = self.earliest.map(Reading::now);
        let local = Reading {
            server: None,
            local: first.local,
        }
        .now();
        match dated {
            Some(dated) if !self.undated || dated.at <= local.at => dated,
            Some(_) | None => local,
        }
    }
}

fn unix_seconds(time: std::time::SystemTime) -> Option<UnixSeconds> {
    time.duration_since(std::time::UNIX_EPOCH)
        .ok()
        .map(|since| UnixSeconds(since.as_secs()))
}

fn display(moment: UnixSeconds) -> String {
    moment.rfc3339().unwrap_or_else(|| moment.0.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(server: impl Into<Option<u64>>, local: u64) -> Reading {
        Reading {
            server: server.into().map(UnixSeconds),
            local: UnixSeconds(local),
        }
    }

    fn chosen(reading: Reading) -> (u64, ClockSource) {
        let now = reading.now();
        (now.at.0, now.source)
    }

    #[test]
    fn the_servers_clock_is_now_within_thirty_seconds_either_way() {
        assert_eq!(chosen(reading(1030, 1000)), (1030, ClockSource::Server));
        assert_eq!(chosen(reading(970, 1000)), (970, ClockSource::Server));
        assert_eq!(reading(1030, 1000).now().doubt(), None);
        assert_eq!(reading(970, 1000).now().doubt(), None);
    }

    #[test]
    fn beyond_thirty_seconds_the_earlier_clock_is_now_and_both_are_named() {
        assert_eq!(chosen(reading(1031, 1000)), (1000, ClockSource::Local));
        assert_eq!(chosen(reading(969, 1000)), (969, ClockSource::Server));
        let doubt = reading(969, 1000).now().doubt().expect("a warning");
        assert_eq!(
            doubt,
            "the server's clock (1970-01-01T00:16:09Z) and this machine's (1970-01-01T00:16:40Z) differ: \
             the earlier one, the server's, is used"
        );
    }

    #[test]
    fn without_a_date_the_local_clock_is_now_with_a_warning() {
        assert_eq!(chosen(reading(None, 1000)), (1000, ClockSource::Local));
        assert!(reading(None, 1000).now().doubt().is_some());
        assert_eq!(
            Reading::of(Some(&HeaderValue::from_static("yesterday"))).server,
            None
        );
    }

    #[test]
    fn of_several_answers_the_earliest_date_counts() {
        let mut clock = Clock::default();
        for server in [1010, 990, 1020] {
            clock.observe(reading(server, 1000));
        }
        assert_eq!(clock.now().at, UnixSeconds(990));
    }

    fn chosen_from_all<const N: usize>(readings: [Reading; N]) -> (u64, ClockSource) {
        let mut clock = Clock::default();
        for reading in readings {
            clock.observe(reading);
        }
        (clock.now().at.0, clock.now().source)
    }

    #[test]
    fn where_all_answers_have_a_date_the_servers_clock_may_be_ahead() {
        assert_eq!(
            chosen_from_all([reading(1010, 1000), reading(1012, 1001)]),
            (1010, ClockSource::Server)
        );
    }

    #[test]
    fn of_equal_dates_the_first_counts() {
        assert_eq!(
            chosen_from_all([reading(1040, 1000), reading(1040, 1020)]),
            (1000, ClockSource::Local)
        );
    }

    #[test]
    fn an_answer_without_a_date_brings_the_local_clock_in() {
        assert_eq!(
            chosen_from_all([reading(1010, 1000), reading(None, 1001)]),
            (1000, ClockSource::Local)
        );
        assert_eq!(
            chosen_from_all([reading(1000, 1000), reading(None, 1001)]),
            (1000, ClockSource::Server)
        );
        assert_eq!(
            chosen_from_all([reading(990, 1000), reading(None, 1001)]),
            (990, ClockSource::Server)
        );
    }

    #[test]
    fn now_never_lies_after_the_horizon() {
        for first in [None, Some(900), Some(1000), Some(1029), Some(1100)] {
            for later in [
                None,
                Some(900),
                Some(1005),
                Some(1025),
                Some(1031),
                Some(2000),
            ] {
                let mut clock = Clock::default();
                clock.observe(reading(first, 1000));
                let horizon = clock.horizon();
                clock.observe(reading(later, 1010));
                assert!(
                    clock.now().at <= horizon,
                    "{first:?} {later:?}: {:?} > {horizon:?}",
                    clock.now()
                );
            }
        }
    }
}
