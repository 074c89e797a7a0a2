//! An API server in memory, which goes wrong on demand and remembers what it was asked.
//!
//! One function answers all requests. It is served over TCP, with or without TLS, by [`Server::serve`], and is a
//! [`tower::Service`] for tests whose clock is paused.

mod answer;
#[cfg(test)]
mod asking;
mod authorize;
mod by_hand;
mod clock;
mod controllers;
mod delete;
mod deliver;
mod fault;
mod fields;
mod flight;
mod identity;
mod list;
mod log;
mod object;
mod on;
mod resource;
mod route;
mod selector;
mod serve;
mod status;
mod store;
#[cfg(test)]
mod tests;
mod token;
mod write;

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use futures::future::BoxFuture;
use http::{HeaderValue, Request, Response, header};

pub use authorize::Attributes;
pub use clock::Clock;
pub use deliver::AnswerBody;
pub use fault::{Fault, Quirk};
pub use identity::Identity;
pub use log::{Log, Received};
pub use object::Padding;
pub use on::{On, on};
pub use resource::Resource;
pub use serve::Served;

use authorize::{Authority, Certificate};
use fault::{Delivery, Faults};
use flight::Flights;
use store::Store;

/// An API server; clones are handles to the same one.
#[derive(Clone, Debug)]
pub struct Server {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    store: Mutex<Store>,
    clock: Clock,
    authority: Mutex<Authority>,
    faults: Mutex<Faults>,
    log: Mutex<Log>,
    flights: Flights,
}

impl Default for Server {
    fn default() -> Self {
        Self::new()
    }
}

impl Server {
    /// An empty cluster where everybody may do everything and nothing goes wrong.
    #[must_use]
    pub fn new() -> Self {
        let shared = Shared {
            store: Mutex::default(),
            clock: Clock::start(),
            authority: Mutex::default(),
            faults: Mutex::default(),
            log: Mutex::default(),
            flights: Flights::default(),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// The clock that the `Date` headers and the objects' timestamps follow.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.shared.clock
    }

    /// Lets something go wrong with some requests.
    pub fn fault(&self, on: On, fault: Fault) {
        lock(&self.shared.faults).fault(on, fault);
    }

    /// Does something right before some requests are answered.
    pub fn before(&self, on: On, hook: impl Fn(&Self) + Send + Sync + 'static) {
        lock(&self.shared.faults).hook(on, Arc::new(hook));
    }

    /// The requests so far.
    #[must_use]
    pub fn log(&self) -> Log {
        lock(&self.shared.log).clone()
    }

    /// Begins the log anew.
    pub fn clear_log(&self) {
        lock(&self.shared.log).0.clear();
    }

    /// The greatest number of requests that were being answered at one moment.
    #[must_use]
    pub fn most_in_flight(&self) -> usize {
        self.shared.flights.most()
    }

    /// Knows a user by a bearer token.
    pub fn add_user(&self, user: &str, token: &str) {
        lock(&self.shared.authority)
            .tokens
            .insert(token.to_owned(), user.to_owned());
    }

    /// No longer knows a token.
    pub fn revoke(&self, token: &str) {
        lock(&self.shared.authority).tokens.remove(token);
    }

    /// Answers 401 to whoever shows nothing.
    pub fn refuse_anonymous(&self) {
        lock(&self.shared.authority).admits_anonymous = false;
    }

    /// Allows what `rule` allows, and nothing else; access reviews ask it too.
    pub fn authorize(&self, rule: impl Fn(&Attributes) -> bool + Send + Sync + 'static) {
        lock(&self.shared.authority).rule = Arc::new(rule);
    }

    /// Works on the objects, after controllers and kubelets had their turn and before they have it again.
    fn store<T>(&self, work: impl FnOnce(&mut Store) -> T) -> T {
        let mut store = lock(&self.shared.store);
        controllers::settle(&mut store, self.clock().now());
        let done = work(&mut store);
        controllers::settle(&mut store, self.clock().now());
        done
    }

    /// Answers one request.
    ///
    /// # Errors
    ///
    /// If its body cannot be read, or if a fault cuts the connection before the answer.
    pub async fn handle<B>(&self, request: Request<B>) -> io::Result<Response<AnswerBody>>
    where
        B: http_body::Body<Data: Send, Error: Into<Box<dyn std::error::Error + Send + Sync>>>,
    {
        let _flight = self.shared.flights.begin();
        let certificate = request.extensions().get::<Certificate>().cloned();
        let received = Received::read(request).await?;
        let (fault, hooks) = lock(&self.shared.faults).due(&received);
        lock(&self.shared.log).0.push(received.clone());
        for hook in hooks {
            hook(self);
        }
        // Even the shortest sleep would take a millisecond.
        if !fault.delay.is_zero() {
            tokio::time::sleep(fault.delay).await;
        }
        match fault.delivery {
            Delivery::Never => return futures::future::pending().await,
            Delivery::CutBefore => return Err(deliver::cut()),
            Delivery::Whole
            | Delivery::CutWithin(_)
            | Delivery::CutAfter
            | Delivery::Truncated(_)
            | Delivery::Trickled => {}
        }
        let mut answer = if let Some((status, content_type, body)) = fault.instead {
            answer::response(status, &content_type, body)
        } else {
            let authority = lock(&self.shared.authority).clone();
            answer::answer(
                self,
                &authority,
                &received,
                certificate.as_ref(),
                &fault.quirks,
            )
        };
        let headers = answer.headers_mut();
        if let Ok(date) = HeaderValue::from_str(&self.clock().date()) {
            headers.insert(header::DATE, date);
        }
        for (name, value) in fault.headers {
            match value {
                Some(value) => headers.insert(name, value),
                None => headers.remove(name),
            };
        }
        deliver::deliver(answer, fault.delivery)
    }
}

impl<B> tower::Service<Request<B>> for Server
where
    B: http_body::Body<Data: Send, Error: Into<Box<dyn std::error::Error + Send + Sync>>>,
    B: Send + 'static,
{
    type Response = Response<AnswerBody>;
    type Error = io::Error;
    type Future = BoxFuture<'static, io::Result<Self::Response>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let server = self.clone();
        Box::pin(async move { server.handle(request).await })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
