//! Which requests a fault or a hook is meant for.

use std::sync::Arc;

use http::Method;

use super::log::Received;

/// Which requests: by method and by a part of `path?query`, the query decoded and sorted.
#[derive(Clone)]
pub struct On {
    method: Method,
    part: String,
    after: usize,
    times: usize,
    condition: Option<Condition>,
}

type Condition = Arc<dyn Fn(&Received) -> bool + Send + Sync>;

/// Requests with this method whose path and query contain `part`: `on(Method::GET, "/pods?")` are lists of pods.
pub fn on(method: Method, part: impl Into<String>) -> On {
    On {
        method,
        part: part.into(),
        after: 0,
        times: usize::MAX,
        condition: None,
    }
}

impl On {
    /// Lets the first `count` of them pass.
    #[must_use]
    pub fn after(self, count: usize) -> Self {
        Self {
            after: count,
            ..self
        }
    }

    /// Stops after `count` of them.
    #[must_use]
    pub fn times(self, count: usize) -> Self {
        Self {
            times: count,
            ..self
        }
    }

    /// Only those that fulfil a condition too.
    #[must_use]
    pub fn when(self, condition: impl Fn(&Received) -> bool + Send + Sync + 'static) -> Self {
        Self {
            condition: Some(Arc::new(condition)),
            ..self
        }
    }

    /// Whether it is this one's turn; counts.
    pub(super) fn is_due(&mut self, received: &Received) -> bool {
        let matches = self.method == received.method
            && received.target().contains(&self.part)
            && self
                .condition
                .as_ref()
                .is_none_or(|condition| condition(received));
        if !matches || self.times == 0 {
            return false;
        }
        if self.after > 0 {
            self.after -= 1;
            return false;
        }
        self.times -= 1;
        true
    }
}
