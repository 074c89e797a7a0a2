//! What stops a run: what failed, what to do next, and the exit code.

use std::io;

use http::StatusCode;
use reap_core::object::{Kind, Object};
use thiserror::Error;

use crate::api::{Failure, Unanswered};
use crate::connect;
use crate::grammar::{count, list};
use crate::interrupt::Signal;

/// What to do where something else than an API server seems to answer.
const NO_API_SERVER: &str =
    "check that the address is an API server's, not that of a proxy or a login page";

/// What stops a run. A single deletion that fails is an outcome, not an error.
#[derive(Debug, Error)]
pub(crate) enum Error {
    /// The flags contradict each other or make no sense.
    #[error("error: {0}")]
    Usage(String),
    /// There is no client to be had.
    #[error("error: {0}")]
    Connect(#[from] connect::Error),
    /// A kind could not be read whole.
    #[error("{}", unreadable(*kind, failure, server))]
    Unreadable {
        /// The kind that was read.
        kind: Kind,
        /// The namespace that was read; `None` is all of them.
        namespace: Option<String>,
        /// What came instead.
        failure: Failure,
        /// The API server's address.
        server: String,
    },
    /// Objects that were named are not there.
    #[error("{}", not_found(missing, namespace))]
    NotFound {
        /// The names.
        missing: Vec<(Kind, String)>,
        /// Where they were looked for.
        namespace: String,
    },
    /// There are more candidates than `--max` allows.
    #[error("error: {candidates} candidates, --max is {max}: nothing deleted")]
    TooMany {
        /// How many there are.
        candidates: usize,
        /// How many there may be.
        max: usize,
    },
    /// The server warned of something, and `--warnings-as-errors` was given.
    #[error("error: {} received{}", count(*warnings, "warning"), if *may_have_deleted { "" } else { ": nothing deleted" })]
    Warnings {
        /// How many warnings came.
        warnings: usize,
        /// They are told at the end, and not before the question.
        may_have_deleted: bool,
    },
    /// A question would have to be asked, and nobody can answer it.
    #[error("error: nobody can be asked, because {0} is not a terminal: nothing deleted")]
    NobodyToAsk(&'static str),
    /// What was to be shown could not be written.
    #[error("error: cannot write to {stream}: {cause}")]
    Output {
        /// `stdout` or `stderr`.
        stream: &'static str,
        /// What the system said.
        cause: io::Error,
    },
    /// The system does not give what every run needs.
    #[error("error: cannot start: {0}")]
    System(#[from] io::Error),
    /// What was deleted is still there when `--timeout` is over.
    #[error("error: timed out waiting for {}", still_there(.0))]
    StillThere(Vec<Object>),
    /// What was deleted cannot be looked at any more.
    #[error("error: cannot wait for what was deleted: {0}")]
    CannotWait(Failure),
    /// A signal ended the wait for what was deleted.
    #[error("error: interrupted by {0} while waiting for what was deleted")]
    StoppedWaiting(Signal),
    /// The user or the system ended the run.
    #[error("error: interrupted by {0}: nothing deleted")]
    Interrupted(Signal),
}

impl Error {
    /// Says what to do next; `None` where the message says it all.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::Connect(error) => error.hint(),
            Self::Unreadable {
                failure: Failure::Unanswered(Unanswered::TimedOut(_)),
                ..
            } => Some("--request-timeout sets how long each answer is waited for".to_owned()),
            Self::Unreadable {
                failure: Failure::Unanswered(Unanswered::Refused | Unanswered::Broken(_)),
                ..
            } => Some(
                "check the cluster's address and authority in the kubeconfig: `kubectl config view --minify`"
                    .to_owned(),
            ),
            Self::Unreadable {
                failure: Failure::Server(error),
                ..
            } if error.code == StatusCode::UNAUTHORIZED => {
                Some("check the credentials of this context: `kubectl auth whoami`".to_owned())
            }
            Self::Unreadable {
                failure: Failure::Unexpected(_),
                ..
            } => Some(NO_API_SERVER.to_owned()),
            Self::Unreadable {
                failure: Failure::Server(error),
                ..
            } if error.reason.is_empty() => Some(NO_API_SERVER.to_owned()),
            Self::TooMany { .. } => Some("narrow the selection, or raise --max".to_owned()),
            Self::NobodyToAsk(_) => Some("pass --yes to delete without being asked".to_owned()),
            Self::Usage(_) => Some("see `kubectl ironflow reap --help`".to_owned()),
            Self::Unreadable { .. }
            | Self::NotFound { .. }
            | Self::Warnings { .. }
            | Self::Output { .. }
            | Self::System(_)
            | Self::StillThere(_)
            | Self::CannotWait(_)
            | Self::StoppedWaiting(_)
            | Self::Interrupted(_) => None,
        }
    }

    /// Returns whether a signal ended the run.
    pub(crate) fn is_interruption(&self) -> bool {
        matches!(self, Self::Interrupted(_) | Self::StoppedWaiting(_))
    }

    /// Returns the exit code of a run that ends so.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_)
            | Self::NobodyToAsk(_)
            | Self::Connect(connect::Error::ImpersonationWithoutUser) => 2,
            Self::Interrupted(signal) | Self::StoppedWaiting(signal) => signal.exit_code(),
            Self::Connect(_)
            | Self::Unreadable { .. }
            | Self::NotFound { .. }
            | Self::TooMany { .. }
            | Self::Warnings { .. }
            | Self::Output { .. }
            | Self::StillThere(_)
            | Self::CannotWait(_)
            | Self::System(_) => 1,
        }
    }
}

fn unreadable(kind: Kind, failure: &Failure, server: &str) -> String {
    match failure {
        Failure::Unanswered(Unanswered::Refused) => format!(
            "The connection to the server {server} was refused - did you specify the right host or port?"
        ),
        Failure::Unanswered(why) => format!("Unable to connect to the server {server}: {why}"),
        Failure::Server(error) if error.code == StatusCode::UNAUTHORIZED => {
            let why = if error.reason.is_empty() {
                "Unauthorized"
            } else {
                &error.reason
            };
            format!("error: You must be logged in to the server ({why})")
        }
        Failure::Server(error) => error.to_string(),
        Failure::Unexpected(what) => format!("error: cannot read {}: {what}", kind.plural()),
    }
}

fn not_found(missing: &[(Kind, String)], namespace: &str) -> String {
    let names = missing
        .iter()
        .map(|(kind, name)| format!("{} \"{name}\"", kind.plural()));
    format!(
        "Error from server (NotFound): {} not found among ironflow's objects in namespace {namespace}",
        list(names)
    )
}

fn still_there(left: &[Object]) -> String {
    list(left.iter().map(|object| {
        let reference = &object.reference;
        let name = format!("{}/{}", reference.kind.resource(), reference.name);
        match object.finalizers.as_slice() {
            [] => name,
            finalizers => format!("{name} (held by {})", finalizers.join(", ")),
        }
    }))
}
