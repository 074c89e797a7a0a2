//! Spans of time as people type them, and as kubectl prints them.

use std::time::Duration;

use k8s_openapi::jiff::{Span, SpanRelativeTo};

/// A limit in time; `None` is no limit. A type of its own, so that clap does not take it for an optional flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Timeout(pub(crate) Option<Duration>);

/// Reads a span such as `90s`, `1h30m` or `7d`; a day has 24 hours.
///
/// # Errors
/// What is none, or is negative.
pub(crate) fn parse_age(text: &str) -> Result<Duration, String> {
    let span: Span = text.parse().map_err(|_| expected(text))?;
    let duration = span
        .to_duration(SpanRelativeTo::days_are_24_hours())
        .map_err(|_| expected(text))?;
    duration
        .try_into()
        .map_err(|_| format!("`{text}` is negative"))
}

/// Reads `--request-timeout` as kubectl does: a bare number counts seconds, and 0 is no limit.
///
/// # Errors
/// What is neither a number nor a duration.
pub(crate) fn parse_timeout(text: &str) -> Result<Timeout, String> {
    let duration = match text.parse() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => parse_age(text)?,
    };
    Ok(Timeout((!duration.is_zero()).then_some(duration)))
}

fn expected(text: &str) -> String {
    format!("`{text}` is no duration such as 90s, 1h30m or 7d")
}

/// Words an age in whole seconds as kubectl's tables do (`k8s.io/apimachinery/pkg/util/duration.HumanDuration`).
pub(crate) fn human(seconds: i64) -> String {
    const MINUTE: i64 = 60;
    const HOUR: i64 = 60 * MINUTE;
    const DAY: i64 = 24 * HOUR;
    const YEAR: i64 = 365 * DAY;
    let two = |large: i64, large_name: &str, small: i64, small_name: &str| {
        let rest = seconds % large / small;
        let whole = seconds / large;
        if rest == 0 {
            format!("{whole}{large_name}")
        } else {
            format!("{whole}{large_name}{rest}{small_name}")
        }
    };
    match seconds {
        ..=-2 => "<invalid>".to_owned(),
        -1 => "0s".to_owned(),
        0..120 => format!("{seconds}s"),
        120..600 => two(MINUTE, "m", 1, "s"),
        600..10_800 => format!("{}m", seconds / MINUTE),
        10_800..28_800 => two(HOUR, "h", MINUTE, "m"),
        28_800..172_800 => format!("{}h", seconds / HOUR),
        172_800..691_200 => two(DAY, "d", HOUR, "h"),
        691_200..63_072_000 => format!("{}d", seconds / DAY),
        63_072_000..252_288_000 => two(YEAR, "y", DAY, "d"),
        252_288_000.. => format!("{}y", seconds / YEAR),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_durations_and_days_are_read() {
        for (text, seconds) in [
            ("90s", 90),
            ("1h30m", 5400),
            ("7d", 604_800),
            ("0s", 0),
            ("1m", 60),
        ] {
            assert_eq!(parse_age(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        assert_eq!(parse_age("1500ms"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_age("1.5h"), Ok(Duration::from_secs(5400)));
        for text in ["", "7", "yesterday", "1y2", "d", "-1h"] {
            assert!(parse_age(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_bare_request_timeout_counts_seconds_and_zero_is_no_limit() {
        assert_eq!(
            parse_timeout("5"),
            Ok(Timeout(Some(Duration::from_secs(5))))
        );
        assert_eq!(
            parse_timeout("1m"),
            Ok(Timeout(Some(Duration::from_secs(60))))
        );
        assert_eq!(parse_timeout("0"), Ok(Timeout(None)));
        assert_eq!(parse_timeout("0s"), Ok(Timeout(None)));
        assert!(parse_timeout("soon").is_err());
    }

    #[test]
    fn ages_read_as_kubectl_prints_them() {
        let cases = [
            (-2, "<invalid>"),
            (-1, "0s"),
            (0, "0s"),
            (119, "119s"),
            (120, "2m"),
            (121, "2m1s"),
            (599, "9m59s"),
            (600, "10m"),
            (10_799, "179m"),
            (10_800, "3h"),
            (10_860, "3h1m"),
            (28_799, "7h59m"),
            (28_800, "8h"),
            (172_799, "47h"),
            (172_800, "2d"),
            (176_400, "2d1h"),
            (691_199, "7d23h"),
            (691_200, "8d"),
            (63_071_999, "729d"),
            (63_072_000, "2y"),
            (63_158_400, "2y1d"),
            (252_287_999, "7y364d"),
            (252_288_000, "8y"),
            (300_000_000, "9y"),
        ];
        for (seconds, expected) in cases {
            assert_eq!(human(seconds), expected, "{seconds}");
        }
    }
}
