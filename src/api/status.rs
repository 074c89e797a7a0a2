//! What an answer means: decided here, and only here.

use std::fmt;
use std::time::Duration;

use http::StatusCode;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Status;
use reap_core::object::ObjectRef;
use serde::Deserialize;

use super::Answer;

/// A server's no, as kubectl words it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServerError {
    /// The HTTP status.
    pub(crate) code: StatusCode,
    /// The reason of the `Status`; empty where the answer is none.
    pub(crate) reason: String,
    /// The message of the `Status`, or what can be said without one.
    pub(crate) message: String,
}

impl fmt::Display for ServerError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.reason.is_empty() {
            write!(formatter, "Error from server: {}", self.message)
        } else {
            write!(
                formatter,
                "Error from server ({}): {}",
                self.reason, self.message
            )
        }
    }
}

/// What the answer to a DELETE means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Deletion {
    /// The object is deleted, or on its way; `finalizers` hold it until their owners are done.
    Deleted {
        /// The finalizers that the answer lists; empty where the answer is a `Status`.
        finalizers: Vec<String>,
    },
    /// There was no such object.
    Gone(ServerError),
    /// The object is not the one that was judged.
    Conflict(ServerError),
    /// Something answered that may not be the API server: only a second look can tell.
    Unclear(ServerError),
    /// A no that may pass.
    Passing {
        /// What the server said.
        error: ServerError,
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
        /// Whether the deletion may have happened all the same.
        fate_unknown: bool,
    },
    /// A no that stays.
    Refused(ServerError),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Deleted {
    kind: String,
    metadata: Option<DeletedMetadata>,
    status: Option<serde_json::Value>,
    details: Option<DeletedDetails>,
}

#[derive(Deserialize)]
struct DeletedMetadata {
    name: Option<String>,
    uid: Option<String>,
    finalizers: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct DeletedDetails {
    uid: Option<String>,
}

/// Decides what the answer to the DELETE of `target` means.
pub(crate) fn deletion(answer: &Answer, target: &ObjectRef) -> Deletion {
    match answer.status {
        status if status.is_success() => deleted(answer, target),
        StatusCode::NOT_FOUND => match parse_status(answer) {
            Some(status) if says_not_found(&status, target) => Deletion::Gone(server_error(answer)),
            _ => Deletion::Unclear(server_error(answer)),
        },
        StatusCode::CONFLICT => Deletion::Conflict(server_error(answer)),
        _ if is_passing(answer) => Deletion::Passing {
            error: server_error(answer),
            retry_after: answer.retry_after,
            fate_unknown: answer.status != StatusCode::TOO_MANY_REQUESTS,
        },
        _ => Deletion::Refused(server_error(answer)),
    }
}

fn deleted(answer: &Answer, target: &ObjectRef) -> Deletion {
    let Ok(body) = serde_json::from_slice::<Deleted>(&answer.body) else {
        return Deletion::Unclear(server_error(answer));
    };
    if body.kind == "Status" {
        let is_success = body.status.is_some_and(|status| status == "Success");
        let is_other = body
            .details
            .and_then(|details| details.uid)
            .is_some_and(|uid| uid != target.uid);
        return if is_success && !is_other {
            Deletion::Deleted { finalizers: vec![] }
        } else {
            Deletion::Unclear(server_error(answer))
        };
    }
    match body.metadata {
        Some(metadata)
            if metadata.name.as_ref() == Some(&target.name)
                && metadata.uid.as_ref() == Some(&target.uid) =>
        {
            Deletion::Deleted {
                finalizers: metadata.finalizers.unwrap_or_default(),
            }
        }
        _ => Deletion::Unclear(server_error(answer)),
    }
}

fn says_not_found(status: &Status, target: &ObjectRef) -> bool {
    let name = status
        .details
        .as_ref()
        .and_then(|details| details.name.as_ref());
    status.reason.as_deref() == Some("NotFound") && name == Some(&target.name)
}

/// Returns whether a no may pass by itself.
pub(crate) fn is_passing(answer: &Answer) -> bool {
    match answer.status {
        StatusCode::TOO_MANY_REQUESTS
        | StatusCode::BAD_GATEWAY
        | StatusCode::SERVICE_UNAVAILABLE
        | StatusCode::GATEWAY_TIMEOUT => true,
        StatusCode::INTERNAL_SERVER_ERROR => answer.retry_after.is_some(),
        _ => false,
    }
}

/// Reads a no in the server's own words, or says what came instead.
pub(crate) fn server_error(answer: &Answer) -> ServerError {
    let code = answer.status;
    let waits = answer
        .retry_after
        .filter(|wait| *wait > super::LONGEST_WAIT)
        .map(|wait| format!(" (it asks to be tried again in {}s)", wait.as_secs()))
        .unwrap_or_default();
    match parse_status(answer) {
        Some(Status {
            reason,
            message: Some(message),
            ..
        }) => ServerError {
            code,
            reason: reason.unwrap_or_default(),
            message: message + &waits,
        },
        Some(_) | None => ServerError {
            code,
            reason: String::new(),
            message: format!(
                "the server answered {code}, but not as a Kubernetes API server does{waits}"
            ),
        },
    }
}

fn parse_status(answer: &Answer) -> Option<Status> {
    #[derive(Deserialize)]
    struct Envelope {
        kind: String,
    }
    let envelope: Envelope = serde_json::from_slice(&answer.body).ok()?;
    (envelope.kind == "Status").then(|| serde_json::from_slice(&answer.body).ok())?
}

#[cfg(test)]
mod tests;
