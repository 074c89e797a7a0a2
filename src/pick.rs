//! `--pick`: the user takes off the plan what is not to be deleted.

use std::collections::BTreeSet;
use std::io;
use std::time::Duration;

use dialoguer::MultiSelect;
use dialoguer::console::{Term, truncate_str};
use tokio::time::sleep;

use crate::error::Error;
use crate::interrupt::Interrupt;

/// How long the list is waited for after a signal.
const PATIENCE: Duration = Duration::from_secs(1);

/// `> [x] ` before each row, and a column for the cursor.
const MARGIN: usize = 7;

/// Lets the user choose among labelled rows, and returns the positions of the chosen ones; none where the user left.
///
/// # Errors
/// A signal, or a terminal that cannot be used.
pub(crate) async fn pick(
    labels: &[String],
    interrupt: &Interrupt,
) -> Result<BTreeSet<usize>, Error> {
    // A row that the terminal would fold would not be cleared whole; all of it stands in the table above.
    let columns = usize::from(Term::stderr().size().1).saturating_sub(MARGIN);
    let labels: Vec<_> = labels
        .iter()
        .map(|label| truncate_str(label, columns, "…").into_owned())
        .collect();
    let modes = Modes::now();
    let mut choice = tokio::task::spawn_blocking(move || {
        MultiSelect::new()
            .with_prompt("Choose with the space bar what to delete, end with Enter")
            .items(&labels)
            .report(false)
            .interact_on_opt(&Term::stderr())
    });
    let chosen = tokio::select! {
        biased;
        signal = interrupt.wait() => {
            // What the list sets to read a key must not come after what is restored below.
            tokio::select! {
                _ = &mut choice => {}
                () = Modes::to_read_keys() => {}
                () = sleep(PATIENCE) => {}
            }
            Err(Error::Interrupted(signal))
        }
        chosen = &mut choice => match chosen {
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

    /// Waits until keys are read one by one.
    async fn to_read_keys() {
        use rustix::termios::{LocalModes, tcgetattr};
        const MOMENT: Duration = Duration::from_millis(2);
        let reads_lines = || {
            tcgetattr(rustix::stdio::stdin())
                .is_ok_and(|modes| modes.local_modes.contains(LocalModes::ICANON))
        };
        while reads_lines() {
            sleep(MOMENT).await;
        }
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

    async fn to_read_keys() {}

    fn restore(self) {}
}
