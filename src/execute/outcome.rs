//! What became of one candidate.

use http::StatusCode;
use reap_core::expiry::Expiry;
use reap_core::judge::Kept;

use crate::api::{Failure, ServerError, Unanswered};

/// What became of one candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is deleted, or on its way.
    Deleted {
        /// What holds it until its owners are done; empty where nothing does or the server did not say.
        finalizers: Vec<String>,
    },
    /// Somebody else was faster.
    AlreadyGone,
    /// Judged again, it may stay.
    Kept {
        /// Why.
        kept: Kept,
        /// The new expiry of what was renewed.
        expiry: Option<Expiry>,
    },
    /// It could not be deleted.
    Failed(Failed),
    /// Nothing was sent for it.
    NotAttempted,
    /// The server would delete it.
    WouldDelete,
}

/// Why a deletion failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failed {
    /// What the server said; without a code where it said nothing.
    pub(crate) code: Option<StatusCode>,
    /// The reason of the server's `Status`, or a word of ours where there is none.
    pub(crate) reason: String,
    /// The whole sentence for people.
    pub(crate) message: String,
    /// The server cannot work at the moment: enough of these in a row stop the run.
    pub(crate) is_outage: bool,
}

const FATE_UNKNOWN: &str = "; it may be deleted all the same";

impl Failed {
    /// The server said no; `fate_unknown` where a try before may have deleted the object.
    pub(crate) fn server(error: ServerError, fate_unknown: bool) -> Self {
        let message = doubt(error.to_string(), fate_unknown);
        let is_outage = error.code.is_server_error() || error.code == StatusCode::TOO_MANY_REQUESTS;
        Self {
            code: Some(error.code),
            reason: error.reason,
            message,
            is_outage,
        }
    }

    /// The server did not answer.
    pub(crate) fn unanswered(why: &Unanswered, fate_unknown: bool) -> Self {
        let reason = match why {
            Unanswered::TimedOut(_) => "Timeout",
            Unanswered::Refused | Unanswered::Broken(_) => "ConnectionError",
        };
        Self {
            code: None,
            reason: reason.to_owned(),
            message: doubt(
                format!("Unable to connect to the server: {why}"),
                fate_unknown,
            ),
            is_outage: true,
        }
    }

    /// The object could not be read again.
    pub(crate) fn reread(failure: &Failure, fate_unknown: bool) -> Self {
        let failed = match failure {
            Failure::Server(error) => Self::server(error.clone(), fate_unknown),
            Failure::Unanswered(why) => Self::unanswered(why, fate_unknown),
            Failure::Unexpected(what) => Self {
                code: None,
                reason: "Unexpected".to_owned(),
                message: doubt(format!("error: {what}"), fate_unknown),
                is_outage: false,
            },
        };
        Self {
            message: format!("{} (when it was read again)", failed.message),
            ..failed
        }
    }

    /// The run was interrupted while the answer was awaited; `fate_unknown` where that may have deleted the object.
    pub(crate) fn interrupted(fate_unknown: bool) -> Self {
        Self {
            code: None,
            reason: "Interrupted".to_owned(),
            message: doubt(
                "error: interrupted before the server answered".to_owned(),
                fate_unknown,
            ),
            is_outage: false,
        }
    }

    /// Names the sort of failure: the reason, or the HTTP status where there is none.
    pub(crate) fn sort(&self) -> String {
        match self.code {
            Some(code) if self.reason.is_empty() => code.to_string(),
            Some(_) | None => self.reason.clone(),
        }
    }
}

fn doubt(message: String, fate_unknown: bool) -> String {
    if fate_unknown {
        message + FATE_UNKNOWN
    } else {
        message
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(code: u16, reason: &str) -> Failed {
        let error = ServerError {
            code: StatusCode::from_u16(code).expect("a status"),
            reason: reason.to_owned(),
            message: String::new(),
        };
        Failed::server(error, false)
    }

    #[test]
    fn failures_are_sorted_by_their_reason_or_else_by_their_status() {
        assert_eq!(server(403, "Forbidden").sort(), "Forbidden");
        assert_eq!(server(502, "").sort(), "502 Bad Gateway");
        assert_eq!(Failed::interrupted(false).sort(), "Interrupted");
        assert_eq!(
            Failed::unanswered(&Unanswered::Refused, false).sort(),
            "ConnectionError"
        );
    }

    #[test]
    fn only_a_server_that_cannot_work_is_an_outage() {
        for code in [429, 500, 503] {
            assert!(server(code, "").is_outage, "{code}");
        }
        for code in [400, 403, 404, 409, 422] {
            assert!(!server(code, "").is_outage, "{code}");
        }
    }
}
