//! One question to both reapers: an object, and everything that an answer may depend on.

use reap_core::object::Kind;
use serde_json::Value;

/// An object, when it is judged and what else there is.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Which list the object is on.
    pub kind: Kind,
    /// The object as the API server answers it.
    pub object: Value,
    /// The time by which we judge, in unix seconds.
    pub now: u64,
    /// The time by which upstream judges, in unix seconds: its caller's clock.
    pub caller_now: u64,
    /// A pod of the same cluster, which may mount the object.
    pub pod: Option<Value>,
    /// What bears the object's name by the time of the deletion; `None` is nothing.
    pub later: Option<Value>,
    /// `--stuck`
    pub stuck: bool,
    /// `--run`
    pub run: Option<String>,
}

/// The text at a JSON pointer, unless it is absent or empty.
#[must_use]
pub fn text<'a>(object: &'a Value, pointer: &str) -> Option<&'a str> {
    object
        .pointer(pointer)
        .and_then(Value::as_str)
        .filter(|text| !text.is_empty())
}
