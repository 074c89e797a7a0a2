//! The annotation `ironflow.io/expires-at`.

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

#[cfg(test)]
mod tests {
    use testbed::objects::pod;

    use super::*;
    use crate::fixtures::read;

    fn expiry(text: &str) -> Expiry {
        read(pod("a").expires_at(text)).expiry
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
}
