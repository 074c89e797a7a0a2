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
