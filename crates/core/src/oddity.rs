//! What about an object is worth a warning.

use crate::expiry::Expiry;
use crate::object::Object;
use crate::time::UnixSeconds;

/// What about an object is worth a warning; none of it changes the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Oddity {
    /// No DELETE can address it alone: see `ObjectRef::is_identifiable`.
    Unidentifiable,
    /// Its expiry is no number.
    Unreadable,
    /// Its expiry looks like milliseconds: as seconds it would lie between the years 5138 and 3,170,843.
    Milliseconds,
    /// Its expiry lies more than a minute before it was created; less is how long creating it may take.
    BeforeCreation,
}

/// What is odd about an object, if anything: the first that holds.
#[must_use]
pub fn oddity(object: &Object) -> Option<Oddity> {
    if !object.reference.is_identifiable() {
        return Some(Oddity::Unidentifiable);
    }
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

    fn odd(builder: ObjectBuilder) -> Option<Oddity> {
        oddity(&read(builder))
    }

    #[test]
    fn an_object_that_cannot_be_addressed_is_odd_whatever_its_expiry() {
        for pointer in [
            "/metadata/uid",
            "/metadata/resourceVersion",
            "/metadata/name",
        ] {
            let broken = pod("a").expires_at("soon").without(pointer);
            assert_eq!(odd(broken), Some(Oddity::Unidentifiable), "{pointer}");
        }
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
