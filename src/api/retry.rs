//! Whether a request that failed in passing is tried again, and when.

use std::time::Duration;

use tokio::time::Instant;

/// How often one request is sent at most.
const MOST_TRIES: u32 = 5;
/// How long one request is tried again, all its waits together.
const PATIENCE: Duration = Duration::from_secs(60);
/// The longest `Retry-After` that is waited for.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(30);
const FIRST_WAIT: Duration = Duration::from_millis(200);

/// The tries of one request.
#[derive(Debug, Clone)]
pub(crate) struct Tries {
    made: u32,
    since: Instant,
}

impl Tries {
    /// Begins to count with the first try.
    pub(crate) fn begin() -> Self {
        Self {
            made: 1,
            since: Instant::now(),
        }
    }

    /// Counts a try that failed in passing and returns how long to wait for the next one; `None` where it was the last.
    /// `asked` is the server's `Retry-After`.
    pub(crate) fn again(&mut self, asked: Option<Duration>) -> Option<Duration> {
        let wait = asked.unwrap_or(FIRST_WAIT * 2_u32.pow(self.made - 1));
        if self.made == MOST_TRIES || wait > LONGEST_WAIT || self.since.elapsed() + wait > PATIENCE
        {
            return None;
        }
        self.made += 1;
        Some(wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn waits_double_and_end_with_the_fifth_try() {
        let mut tries = Tries::begin();
        let waits: Vec<_> = std::iter::from_fn(|| tries.again(None))
            .map(|wait| wait.as_millis())
            .take(10)
            .collect();
        assert_eq!(waits, [200, 400, 800, 1600]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_servers_wait_is_honoured_up_to_thirty_seconds() {
        assert_eq!(Tries::begin().again(Some(LONGEST_WAIT)), Some(LONGEST_WAIT));
        assert_eq!(
            Tries::begin().again(Some(LONGEST_WAIT + Duration::from_secs(1))),
            None
        );
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_tried_for_longer_than_a_minute() {
        let mut tries = Tries::begin();
        for _ in 0..2 {
            let wait = tries.again(Some(LONGEST_WAIT)).expect("within the minute");
            tokio::time::advance(wait).await;
        }
        assert_eq!(tries.again(Some(Duration::from_secs(1))), None);
    }
}
