//! Failures as the API server words them: `Status` objects.

use http::StatusCode;
use serde_json::{Value, json};

use super::resource::{Resource, qualify};

/// A refusal, on its way to becoming an answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Failure {
    pub(super) code: StatusCode,
    reason: &'static str,
    message: String,
    details: Option<Value>,
    restart: Option<String>,
}

impl Failure {
    fn new(code: StatusCode, reason: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            reason,
            message: message.into(),
            details: None,
            restart: None,
        }
    }

    fn about(mut self, group: &str, kind: &str, name: &str) -> Self {
        let mut details = json!({});
        for (field, value) in [("name", name), ("group", group), ("kind", kind)] {
            if !value.is_empty() {
                details[field] = value.into();
            }
        }
        self.details = Some(details);
        self
    }

    fn about_resource(self, resource: Resource, name: &str) -> Self {
        self.about(resource.group(), resource.plural(), name)
    }

    pub(super) fn not_found(resource: Resource, name: &str) -> Self {
        let message = format!("{} \"{name}\" not found", resource.qualified());
        Self::new(StatusCode::NOT_FOUND, "NotFound", message).about_resource(resource, name)
    }

    pub(super) fn already_exists(resource: Resource, name: &str) -> Self {
        let message = format!("{} \"{name}\" already exists", resource.qualified());
        Self::new(StatusCode::CONFLICT, "AlreadyExists", message).about_resource(resource, name)
    }

    pub(super) fn modified(resource: Resource, name: &str) -> Self {
        let message = format!(
            "Operation cannot be fulfilled on {} \"{name}\": the object has been modified; \
             please apply your changes to the latest version and try again",
            resource.qualified()
        );
        Self::new(StatusCode::CONFLICT, "Conflict", message).about_resource(resource, name)
    }

    /// A precondition of a deletion, worded in `apiserver/pkg/registry/rest/delete.go`.
    pub(super) fn precondition(resource: Resource, name: &str, unmet: &str) -> Self {
        let message = format!(
            "Operation cannot be fulfilled on {} \"{name}\": {unmet}",
            resource.qualified_kind()
        );
        Self::new(StatusCode::CONFLICT, "Conflict", message).about(
            resource.group(),
            resource.kind(),
            name,
        )
    }

    pub(super) fn forbidden(group: &str, resource: &str, name: &str, why: &str) -> Self {
        let qualified = qualify(resource, group);
        let named = if name.is_empty() {
            String::new()
        } else {
            format!(" \"{name}\"")
        };
        let message = format!("{qualified}{named} is forbidden: {why}");
        Self::new(StatusCode::FORBIDDEN, "Forbidden", message).about(group, resource, name)
    }

    pub(super) fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "Unauthorized", "Unauthorized")
    }

    pub(super) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "BadRequest", message)
    }

    /// One field that makes an object invalid: the reason of its cause, its path, and what is wrong with it.
    pub(super) fn invalid(
        group: &str,
        kind: &str,
        (reason, field, wrong): (&str, &str, &str),
    ) -> Self {
        let message = format!("{} \"\" is invalid: {field}: {wrong}", qualify(kind, group));
        let mut failure =
            Self::new(StatusCode::UNPROCESSABLE_ENTITY, "Invalid", message).about(group, kind, "");
        if let Some(details) = &mut failure.details {
            details["causes"] = json!([{"reason": reason, "message": wrong, "field": field}]);
        }
        failure
    }

    pub(super) fn method_not_allowed() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "MethodNotAllowed",
            "the server does not allow this method on the requested resource",
        )
        .about("", "", "")
    }

    /// A continue token that is too old, with the one to go on with (`apiserver/pkg/storage/etcd3/errors.go`).
    pub(super) fn expired(restart: String) -> Self {
        let message = "The provided continue parameter is too old to display a consistent list result. \
                       You can start a new list without the continue parameter, or use the continue token \
                       in this response to retrieve the remainder of the results. Continuing with the \
                       provided token results in an inconsistent list - objects that were created, \
                       modified, or deleted between the time the first chunk was returned and now may \
                       show up in the list.";
        Self {
            restart: Some(restart),
            ..Self::new(StatusCode::GONE, "Expired", message)
        }
    }

    /// The answer that a server gives with a status code when a test asks for no other.
    pub(super) fn of_code(code: StatusCode) -> Self {
        let (reason, message) = match code.as_u16() {
            401 => return Self::unauthorized(),
            403 => ("Forbidden", "forbidden"),
            404 => (
                "NotFound",
                "the server could not find the requested resource",
            ),
            409 => ("Conflict", "the server reported a conflict"),
            410 => (
                "Expired",
                "The resourceVersion for the provided list is too old.",
            ),
            429 => (
                "TooManyRequests",
                "Too many requests, please try again later.",
            ),
            500 => (
                "InternalError",
                "Internal error occurred: etcdserver: request timed out",
            ),
            503 => (
                "ServiceUnavailable",
                "the server is currently unable to handle the request",
            ),
            504 => (
                "Timeout",
                "Timeout: request did not complete within requested timeout",
            ),
            _ => ("Unknown", "the server responded with an unexpected status"),
        };
        Self::new(code, reason, message)
    }

    pub(super) fn to_json(&self) -> Value {
        let mut status = json!({
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": self.message,
            "reason": self.reason,
            "code": self.code.as_u16(),
        });
        if let Some(details) = &self.details {
            status["details"] = details.clone();
        }
        if let Some(restart) = &self.restart {
            status["metadata"]["continue"] = restart.as_str().into();
        }
        status
    }
}
