//! Ctrl-C and SIGTERM: the first one ends the run in good order, the second one at once.

use std::fmt;

use tokio::sync::watch;

/// What asked the run to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// SIGTERM.
    Terminate,
}

impl Signal {
    /// Returns the exit code of a run that was ended so: 128 and the signal's number.
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Self::Interrupt => 130,
            Self::Terminate => 143,
        }
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Interrupt => "Ctrl-C",
            Self::Terminate => "SIGTERM",
        })
    }
}

/// Tells whoever asks whether the run should end.
#[derive(Debug, Clone)]
pub(crate) struct Interrupt(watch::Receiver<Option<Signal>>);

impl Interrupt {
    /// Begins to listen. `on_second` is called when a second signal comes.
    ///
    /// # Errors
    /// Where the system does not let signals be caught.
    pub(crate) fn listen(on_second: impl Fn(Signal) + Send + 'static) -> std::io::Result<Self> {
        let (sender, receiver) = watch::channel(None);
        let mut signals = Signals::catch()?;
        tokio::spawn(async move {
            loop {
                let signal = signals.next().await;
                if sender.send_replace(Some(signal)).is_some() {
                    on_second(signal);
                }
            }
        });
        Ok(Self(receiver))
    }

    /// An interrupt that comes when the sender says so.
    #[cfg(test)]
    pub(crate) fn by_hand() -> (watch::Sender<Option<Signal>>, Self) {
        let (sender, receiver) = watch::channel(None);
        (sender, Self(receiver))
    }

    /// Returns the signal that came, if one did.
    pub(crate) fn came(&self) -> Option<Signal> {
        *self.0.borrow()
    }

    /// Waits for a signal; for ever, if none comes.
    pub(crate) async fn wait(&self) -> Signal {
        match self
            .0
            .clone()
            .wait_for(Option::is_some)
            .await
            .map(|signal| *signal)
        {
            Ok(Some(signal)) => signal,
            Ok(None) | Err(_) => std::future::pending().await,
        }
    }
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn catch() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.interrupt.recv() => Signal::Interrupt,
            _ = self.terminate.recv() => Signal::Terminate,
        }
    }
}

#[cfg(windows)]
struct Signals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Signals {
    fn catch() -> std::io::Result<Self> {
        Ok(Self(tokio::signal::windows::ctrl_c()?))
    }

    async fn next(&mut self) -> Signal {
        self.0.recv().await;
        Signal::Interrupt
    }
}
