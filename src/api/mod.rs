//! The requests that the plugin sends: each one with a limit in time, each answer whole or not at all.
//!
//! Kept apart from kube's typed `Api`, which loses the status of odd errors, drops headers, and takes a 2xx with an
//! unexpected body for a failure although the deletion happened.

mod clock;
mod delete;
mod list;
mod namespaces;
mod path;
mod retry;
mod review;
mod status;

use std::cell::{Cell, RefCell};
use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::time::Duration;

use http::header::{DATE, RETRY_AFTER, WARNING};
use http::{HeaderMap, Method, Request, StatusCode, Uri};
use http_body_util::{BodyExt, Limited};
use kube::client::Body;
use tokio::time::Instant;

pub(crate) use clock::{Clock, ClockSource, Now, Reading};
pub(crate) use delete::DeleteOptions;
pub(crate) use list::{Page, PageRequest, Reread};
pub(crate) use retry::{LONGEST_WAIT, Tries};
pub(crate) use status::{Deletion, ServerError, deletion};

/// The largest answer that is read, in bytes: a page of the largest pods stays well below it.
const LARGEST_ANSWER: usize = 256 << 20;

/// One API server, and what has to be known across requests.
#[expect(
    clippy::disallowed_types,
    reason = "this is the layer that sends requests"
)]
pub(crate) struct Api {
    client: kube::Client,
    timeout: Option<Duration>,
    answered: Cell<bool>,
    slowed_until: Cell<Option<Instant>>,
    warnings: RefCell<Vec<String>>,
    /// How many of the warnings were taken.
    told: Cell<usize>,
    log: Option<Log>,
}

/// Is told of each request when it ended: the method, the path with the query, and what came of it; nothing of the bodies.
pub(crate) type Log = Box<dyn Fn(&Method, &Uri, &str)>;

/// One complete answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) reading: Reading,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) body: bytes::Bytes,
}

/// Why no complete answer came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unanswered {
    /// Nobody listens at the address.
    Refused,
    /// The limit of `--request-timeout` passed.
    TimedOut(Duration),
    /// Anything else on the way: a name that does not resolve, a certificate, a cut connection.
    Broken(String),
}

impl fmt::Display for Unanswered {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused => write!(formatter, "connection refused"),
            Self::TimedOut(limit) => write!(formatter, "no answer within {}s", limit.as_secs_f64()),
            Self::Broken(why) => formatter.write_str(why),
        }
    }
}

/// Why a reading could not be completed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The server said no.
    Server(ServerError),
    /// The server did not answer.
    Unanswered(Unanswered),
    /// The answer is not what was asked for.
    Unexpected(String),
}

impl Failure {
    /// Returns whether the server refused the request for want of a right.
    pub(crate) fn is_forbidden(&self) -> bool {
        matches!(self, Self::Server(error) if error.code == StatusCode::FORBIDDEN)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Server(error) => error.fmt(formatter),
            Self::Unanswered(why) => why.fmt(formatter),
            Self::Unexpected(what) => formatter.write_str(what),
        }
    }
}

impl Api {
    /// Wraps a client; `timeout` limits each request, `None` sets no limit.
    #[expect(
        clippy::disallowed_types,
        reason = "this is the layer that sends requests"
    )]
    pub(crate) fn new(client: kube::Client, timeout: Option<Duration>) -> Self {
        Self {
            client,
            timeout,
            answered: Cell::new(false),
            slowed_until: Cell::new(None),
            warnings: RefCell::default(),
            told: Cell::new(0),
            log: None,
        }
    }

    /// Sets where requests are logged; `None` logs none.
    pub(crate) fn with_log(self, log: Option<Log>) -> Self {
        Self { log, ..self }
    }

    /// Returns how many different texts of `Warning` headers came.
    pub(crate) fn warnings(&self) -> usize {
        self.warnings.borrow().len()
    }

    /// Returns the texts of `Warning` headers that are new since the last call; each text comes once.
    pub(crate) fn new_warnings(&self) -> Vec<String> {
        let warnings = self.warnings.borrow();
        warnings[self.told.replace(warnings.len())..].to_vec()
    }

    /// Holds back every request that is not yet sent for `wait`.
    pub(crate) fn slow_down(&self, wait: Duration) {
        let until = Instant::now() + wait;
        self.slowed_until
            .set(self.slowed_until.get().max(Some(until)));
    }

    /// Waits until requests are no longer held back.
    pub(crate) async fn brake(&self) {
        while let Some(until) = self
            .slowed_until
            .get()
            .filter(|until| *until > Instant::now())
        {
            tokio::time::sleep_until(until).await;
        }
    }

    /// Sends one request and reads its answer to the end.
    async fn exchange(&self, request: Request<Vec<u8>>) -> Result<Answer, Unanswered> {
        let Some(log) = &self.log else {
            return self.send(request).await;
        };
        let begin = Instant::now();
        let (method, path) = (request.method().clone(), request.uri().clone());
        let answer = self.send(request).await;
        let came = match &answer {
            Ok(answer) => answer.status.to_string(),
            Err(why) => format!("failed: {why}"),
        };
        let milliseconds = begin.elapsed().as_millis();
        log(
            &method,
            &path,
            &format!("{came} in {milliseconds} milliseconds"),
        );
        answer
    }

    async fn send(&self, request: Request<Vec<u8>>) -> Result<Answer, Unanswered> {
        let exchange = async {
            let response = self
                .client
                .send(request.map(Body::from))
                .await
                .map_err(|error| unanswered(&error, self.timeout))?;
            let (head, body) = response.into_parts();
            let reading = Reading::of(head.headers.get(DATE));
            let body = Limited::new(body, LARGEST_ANSWER)
                .collect()
                .await
                .map_err(|error| unanswered(&*error, self.timeout))?;
            self.note_warnings(&head.headers);
            Ok(Answer {
                status: head.status,
                reading,
                retry_after: retry_after(&head.headers),
                body: body.to_bytes(),
            })
        };
        let answer = match self.timeout {
            Some(limit) => tokio::time::timeout(limit, exchange)
                .await
                .unwrap_or(Err(Unanswered::TimedOut(limit))),
            None => exchange.await,
        }?;
        self.answered.set(true);
        Ok(answer)
    }

    fn note_warnings(&self, headers: &HeaderMap) {
        for value in headers.get_all(WARNING) {
            let text = String::from_utf8_lossy(value.as_bytes());
            // `299 - "text"`: code, agent, quoted text.
            let text = text
                .splitn(3, ' ')
                .nth(2)
                .unwrap_or(&text)
                .trim_matches('"')
                .to_owned();
            let mut warnings = self.warnings.borrow_mut();
            if !warnings.contains(&text) {
                warnings.push(text);
            }
        }
    }
}

fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers
        .get(RETRY_AFTER)?
        .to_str()
        .ok()?
        .trim()
        .parse()
        .ok()?;
    Some(Duration::from_secs(seconds))
}

/// Reads why no answer came from the chain of causes; the outer layers only say «client error».
fn unanswered(error: &(dyn StdError + 'static), limit: Option<Duration>) -> Unanswered {
    let mut innermost = error;
    let mut cause = Some(error);
    while let Some(current) = cause {
        if let Some(io) = current.downcast_ref::<io::Error>() {
            if io.kind() == io::ErrorKind::ConnectionRefused {
                return Unanswered::Refused;
            }
            // Not the system's own: the client limits the time to connect too, and may notice first.
            if let Some(limit) = limit
                && io.kind() == io::ErrorKind::TimedOut
                && io.raw_os_error().is_none()
            {
                return Unanswered::TimedOut(limit);
            }
        }
        innermost = current;
        cause = current.source();
    }
    Unanswered::Broken(innermost.to_string())
}
