//! The annotation `ironflow.io/expires-at`, and what is odd about it.

use crate::object::Object;
use crate::time::UnixSeconds;

/// When an object may go, as its annotation says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// There is no annotation.
    Missing,
    /// The annotation is no number, kept as it stands.
    Unreadable(String),
    /// The annotation is a number, as Rust parses a `u64`.
    At(UnixSeconds),
}

impl Expiry {
    pub(crate) fn from_annotation(value: Option<String>) -> Self {
        match value {
            None => Self::Missing,
            Some(text) => text.parse().map_or_else(
                |_| Self::Unreadable(text),
                |seconds| Self::At(UnixSeconds(seconds)),
            ),
        }
    }
}

/// What makes an expiry worth a warning; none of it changes the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Oddity {
    /// It is no number.
    Unreadable,
    /// It looks like milliseconds: as seconds it would lie between the years 5138 and 3,170,843.
    Milliseconds,
    /// It lies more than a minute before the object was created; less is how long creating it may take.
    BeforeCreation,
}

/// What is odd about the expiry of an object, if anything.
#[must_use]
pub fn oddity(object: &Object) -> Option<Oddity> {
    match &object.expiry {
        Expiry::Missing => None,
        Expiry::Unreadable(_) => Some(Oddity::Unreadable),
        Expiry::At(UnixSeconds(100_000_000_000..=99_999_999_999_999)) => Some(Oddity::Milliseconds),
        Expiry::At(expiry) => object
            .created_at
            .is_some_and(|created_at| created_at.since(*expiry) > 60)
            .then_some(Oddity::BeforeCreation),
    }
}

#[cfg(test)]
mod tests {
    use testbed::objects::{NOW, ObjectBuilder, pod, seconds};

    use super::*;
    use crate::fixtures::read;

    fn expiry(text: &str) -> Expiry {
        read(pod("a").expires_at(text)).expiry
    }

    fn odd(builder: ObjectBuilder) -> Option<Oddity> {
        oddity(&read(builder))
    }

    #[test]
    fn a_number_is_read_as_rust_reads_it() {
        for (text, seconds) in [
            ("1699999999", 1_699_999_999),
            ("+7", 7),
            ("007", 7),
            ("0", 0),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(expiry(text), Expiry::At(UnixSeconds(seconds)), "{text}");
        }
    }

    #[test]
    fn anything_else_is_unreadable_and_stands_as_it_is() {
        for text in [
            "",
            " 7",
            "7 ",
            "7\n",
            "-1",
            "+",
            "1_0",
            "7.0",
            "1e9",
            "0x10",
            "７",
            "٧",
            "2023-11-14T22:13:20Z",
            "18446744073709551616",
        ] {
            assert_eq!(expiry(text), Expiry::Unreadable(text.to_owned()), "{text}");
        }
    }

    #[test]
    fn no_annotation_and_null_are_missing() {
        assert_eq!(read(pod("a")).expiry, Expiry::Missing);
        let null = pod("a").set(
            "/metadata/annotations/ironflow.io~1expires-at",
            None::<String>,
        );
        assert_eq!(read(null).expiry, Expiry::Missing);
    }

    #[test]
    fn an_unreadable_expiry_is_odd_and_a_missing_one_is_not() {
        assert_eq!(odd(pod("a").expires_at("soon")), Some(Oddity::Unreadable));
        assert_eq!(odd(pod("a")), None);
    }

    #[test]
    fn what_looks_like_milliseconds_is_odd_and_what_means_never_is_not() {
        for (seconds, expected) in [
            (99_999_999_999, None),
            (100_000_000_000, Some(Oddity::Milliseconds)),
            (99_999_999_999_999, Some(Oddity::Milliseconds)),
            (100_000_000_000_000, None),
            (u64::MAX, None),
        ] {
            assert_eq!(
                odd(pod("a").expires_at_seconds(seconds)),
                expected,
                "{seconds}"
            );
        }
    }

    #[test]
    fn an_expiry_more_than_a_minute_before_creation_is_odd() {
        let created_now = |expiry| odd(pod("a").created(seconds(0)).expires_at_seconds(expiry));
        assert_eq!(created_now(NOW - 60), None);
        assert_eq!(created_now(NOW - 61), Some(Oddity::BeforeCreation));
        let timeless = pod("a")
            .expires_at_seconds(0)
            .without("/metadata/creationTimestamp");
        assert_eq!(odd(timeless), None);
    }
}
