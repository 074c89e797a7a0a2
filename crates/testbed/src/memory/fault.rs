//! What goes wrong on demand, and for which requests.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderName, HeaderValue, StatusCode};

use super::Server;
use super::log::Received;
use super::on::On;
use super::status::Failure;

/// A rule that a list breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quirk {
    /// Answers as if no label selector had been sent.
    IgnoresLabelSelector,
    /// Answers as if no field selector had been sent.
    IgnoresFieldSelector,
    /// Answers everything at once.
    IgnoresLimit,
    /// Answers the continue token that it was sent.
    RepeatsContinue,
    /// Begins anew after the last page, with continue tokens that never repeat.
    NeverEnds,
}

/// How an answer reaches the client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Delivery {
    #[default]
    Whole,
    Never,
    CutBefore,
    CutWithin(usize),
    CutAfter,
    Truncated(usize),
    Trickled,
}

/// What goes wrong with a request; several that match one request add up.
#[derive(Clone, Debug, Default)]
pub struct Fault {
    pub(super) delay: Duration,
    pub(super) instead: Option<(StatusCode, String, Bytes)>,
    pub(super) headers: Vec<(HeaderName, Option<HeaderValue>)>,
    pub(super) delivery: Delivery,
    pub(super) quirks: Vec<Quirk>,
}

impl Fault {
    /// Nothing yet; `header` and `without` add to it.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Answers a `Status` with this code and has no effect.
    ///
    /// # Panics
    ///
    /// If the code is not one of HTTP's.
    #[must_use]
    pub fn status(code: u16) -> Self {
        let code = StatusCode::from_u16(code).expect("a status code");
        let status = Failure::of_code(code).to_json().to_string();
        Self::answer(code.as_u16(), "application/json", status)
    }

    /// Answers something else, a proxy's page for example, and has no effect.
    ///
    /// # Panics
    ///
    /// If the code is not one of HTTP's.
    #[must_use]
    pub fn answer(code: u16, content_type: &str, body: impl Into<Bytes>) -> Self {
        let code = StatusCode::from_u16(code).expect("a status code");
        Self {
            instead: Some((code, content_type.to_owned(), body.into())),
            ..Self::none()
        }
    }

    /// Does and answers as usual, but late.
    #[must_use]
    pub fn delay(delay: Duration) -> Self {
        Self {
            delay,
            ..Self::none()
        }
    }

    /// Has no effect and never answers.
    #[must_use]
    pub fn never() -> Self {
        Self::delivered(Delivery::Never)
    }

    /// Has no effect; the connection is cut without an answer.
    #[must_use]
    pub fn cut_before() -> Self {
        Self::delivered(Delivery::CutBefore)
    }

    /// Has its effect; the connection is cut after so many bytes of the answer's body.
    #[must_use]
    pub fn cut_within(bytes: usize) -> Self {
        Self::delivered(Delivery::CutWithin(bytes))
    }

    /// Has its effect; the connection is cut without an answer.
    #[must_use]
    pub fn cut_after() -> Self {
        Self::delivered(Delivery::CutAfter)
    }

    /// Has its effect; the answer ends in good order after so many bytes.
    #[must_use]
    pub fn truncated(bytes: usize) -> Self {
        Self::delivered(Delivery::Truncated(bytes))
    }

    /// Has its effect; the answer comes at one byte a second.
    #[must_use]
    pub fn trickled() -> Self {
        Self::delivered(Delivery::Trickled)
    }

    /// A list that breaks a rule.
    #[must_use]
    pub fn quirk(quirk: Quirk) -> Self {
        Self {
            quirks: vec![quirk],
            ..Self::none()
        }
    }

    fn delivered(delivery: Delivery) -> Self {
        Self {
            delivery,
            ..Self::none()
        }
    }

    /// Sets a header of the answer, `Date` included.
    ///
    /// # Panics
    ///
    /// If it is no header.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        let value = HeaderValue::from_str(value).expect("the value of a header");
        self.headers
            .push((HeaderName::from_static(name), Some(value)));
        self
    }

    /// Takes a header from the answer, `Date` included.
    #[must_use]
    pub fn without(mut self, name: &'static str) -> Self {
        self.headers.push((HeaderName::from_static(name), None));
        self
    }

    fn and(mut self, other: Self) -> Self {
        self.headers.extend(other.headers);
        self.quirks.extend(other.quirks);
        Self {
            delay: self.delay + other.delay,
            instead: self.instead.or(other.instead),
            delivery: if self.delivery == Delivery::Whole {
                other.delivery
            } else {
                self.delivery
            },
            ..self
        }
    }
}

pub(super) type Hook = Arc<dyn Fn(&Server) + Send + Sync>;

/// The faults and hooks of a server, in the order in which they were asked for.
#[derive(Default)]
pub(super) struct Faults {
    faults: Vec<(On, Fault)>,
    hooks: Vec<(On, Hook)>,
}

impl Faults {
    pub(super) fn fault(&mut self, on: On, fault: Fault) {
        self.faults.push((on, fault));
    }

    pub(super) fn hook(&mut self, on: On, hook: Hook) {
        self.hooks.push((on, hook));
    }

    pub(super) fn due(&mut self, received: &Received) -> (Fault, Vec<Hook>) {
        let faults = self
            .faults
            .iter_mut()
            .filter_map(|(on, fault)| on.is_due(received).then(|| fault.clone()));
        let hooks = self
            .hooks
            .iter_mut()
            .filter_map(|(on, hook)| on.is_due(received).then(|| Arc::clone(hook)));
        (faults.fold(Fault::none(), Fault::and), hooks.collect())
    }
}

impl fmt::Debug for Faults {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} faults, {} hooks",
            self.faults.len(),
            self.hooks.len()
        )
    }
}
