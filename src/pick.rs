//! `--pick`: the user takes off the plan what is not to be deleted.

use std::collections::BTreeSet;
use std::io;

use dialoguer::MultiSelect;
use dialoguer::console::Term;

use crate::error::Error;
use crate::interrupt::Interrupt;

/// Lets the user choose among labelled rows, and returns the positions of the chosen ones; none where the user left.
///
/// # Errors
/// A signal, or a terminal that cannot be used.
pub(crate) async fn pick(
    labels: Vec<String>,
    interrupt: &Interrupt,
) -> Result<BTreeSet<usize>, Error> {
    let modes = Modes::now();
    let choice = tokio::task::spawn_blocking(move || {
        MultiSelect::new()
            .with_prompt("Choose with the space bar what to delete, end with Enter")
            .items(&labels)
            .report(false)
            .interact_on_opt(&Term::stderr())
    });
    let chosen = tokio::select! {
        biased;
        signal = interrupt.wait() => Err(Error::Interrupted(signal)),
        chosen = choice => match chosen {
            Ok(Ok(chosen)) => Ok(chosen.unwrap_or_default().into_iter().collect()),
            Ok(Err(dialoguer::Error::IO(cause))) if cause.kind() == io::ErrorKind::Interrupted => {
                // The terminal library raises the signal itself, and it may not have been seen yet.
                Err(Error::Interrupted(interrupt.wait().await))
            }
            Ok(Err(dialoguer::Error::IO(cause))) => Err(Error::Output { stream: "stderr", cause }),
            Err(cause) => Err(Error::System(io::Error::other(cause))),
        },
    };
    // The list hides the cursor and reads keys one by one, and does not undo that when it is interrupted.
    let _ = Term::stderr().show_cursor();
    modes.restore();
    chosen
}

/// The modes of the terminal on stdin.
#[cfg(unix)]
struct Modes(Option<rustix::termios::Termios>);

#[cfg(unix)]
impl Modes {
    fn now() -> Self {
        Self(rustix::termios::tcgetattr(rustix::stdio::stdin()).ok())
    }

    fn restore(self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        if let Some(modes) = self.0 {
            // A terminal that is gone needs no modes.
            let _ = tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, &modes);
        }
    }
}

#[cfg(not(unix))]
struct Modes;

#[cfg(not(unix))]
impl Modes {
    fn now() -> Self {
        Self
    }

    fn restore(self) {}
}
