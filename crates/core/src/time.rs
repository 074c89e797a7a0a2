//! Points in time as ironflow and the rules count them: whole seconds, unsigned.

use k8s_openapi::jiff::Timestamp;

/// Whole seconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixSeconds(pub u64);

impl UnixSeconds {
    /// Seconds from `earlier` to `self`: negative when `earlier` lies ahead, and at the ends of `i64` it stops there.
    #[must_use]
    pub fn since(self, earlier: Self) -> i64 {
        // One of the two differences is 0.
        0_i64
            .saturating_add_unsigned(self.0.saturating_sub(earlier.0))
            .saturating_sub_unsigned(earlier.0.saturating_sub(self.0))
    }

    /// The date in UTC (`2026-12-02T10:00:00Z`), or `None` where no calendar has it.
    #[must_use]
    pub fn rfc3339(self) -> Option<String> {
        let seconds = i64::try_from(self.0).ok()?;
        Some(Timestamp::from_second(seconds).ok()?.to_string())
    }
}

impl From<Timestamp> for UnixSeconds {
    /// Fractions are cut off; what lies before 1970 becomes 1970.
    fn from(timestamp: Timestamp) -> Self {
        Self(u64::try_from(timestamp.as_second()).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_stops_at_the_ends_of_its_type() {
        let (first, last) = (UnixSeconds(0), UnixSeconds(u64::MAX));
        assert_eq!(UnixSeconds(7).since(UnixSeconds(9)), -2);
        assert_eq!(last.since(first), i64::MAX);
        assert_eq!(first.since(last), i64::MIN);
        assert_eq!(last.since(UnixSeconds(u64::MAX - 1)), 1);
    }

    #[test]
    fn a_date_is_written_in_utc() {
        assert_eq!(
            UnixSeconds(1_700_000_000).rfc3339().as_deref(),
            Some("2023-11-14T22:13:20Z")
        );
        assert_eq!(
            UnixSeconds(0).rfc3339().as_deref(),
            Some("1970-01-01T00:00:00Z")
        );
    }

    #[test]
    fn a_date_that_no_calendar_has_is_none() {
        assert_eq!(UnixSeconds(1_000_000_000_000).rfc3339(), None);
        assert_eq!(UnixSeconds(u64::MAX).rfc3339(), None);
    }

    #[test]
    fn what_lies_before_1970_becomes_1970() {
        assert_eq!(UnixSeconds::from(Timestamp::MIN), UnixSeconds(0));
    }
}
