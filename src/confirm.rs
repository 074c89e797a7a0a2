//! The gate between a plan and its deletion: only what comes out of here can be executed.

use std::io;

use reap_core::plan::Plan;

use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::output::Console;
use crate::settings::{Approval, Terminals};

/// What may be done to the candidates of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// Delete them.
    Delete,
    /// Ask the server whether it would delete them.
    ServerDryRun,
}

/// A plan that somebody said yes to.
pub(crate) struct Approved<'a> {
    plan: &'a Plan,
    action: Action,
}

impl<'a> Approved<'a> {
    /// Returns the plan that was shown.
    pub(crate) fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// Returns what was approved.
    pub(crate) fn action(&self) -> Action {
        self.action
    }
}

/// Makes sure that there is somebody who can see a question and answer it.
///
/// # Errors
/// stdin or stderr is not a terminal.
pub(crate) fn somebody_can_answer(terminals: Terminals) -> Result<(), Error> {
    match terminals {
        Terminals { stdin: false, .. } => Err(Error::NobodyToAsk("stdin")),
        Terminals { stderr: false, .. } => Err(Error::NobodyToAsk("stderr")),
        Terminals { .. } => Ok(()),
    }
}

/// Asks for a yes to what was shown, unless `--yes` gave it or nothing would be changed. `None` is a no.
///
/// # Errors
/// Nobody can be asked, the question cannot be written, or a signal comes instead of an answer.
pub(crate) async fn confirm<'a>(
    plan: &'a Plan,
    action: Action,
    approval: Approval,
    question: &str,
    terminals: Terminals,
    console: &mut Console,
    interrupt: &Interrupt,
) -> Result<Option<Approved<'a>>, Error> {
    let is_approved = match (action, approval) {
        (Action::ServerDryRun, _) | (Action::Delete, Approval::Given) => true,
        (Action::Delete, Approval::Ask | Approval::PickAndAsk) => loop {
            somebody_can_answer(terminals)?;
            discard_typed_keys();
            console.ask(question)?;
            let line = tokio::select! {
                biased;
                signal = interrupt.wait() => return Err(Error::Interrupted(signal)),
                line = read_line() => line,
            };
            match parse(line.as_deref().unwrap_or_default()) {
                Answer::Yes => break true,
                Answer::No => break false,
                Answer::Closed => {
                    console.end_line();
                    break false;
                }
                Answer::Unclear => console.note("Please answer y or n."),
            }
        },
    };
    Ok(is_approved.then_some(Approved { plan, action }))
}

#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    /// Ctrl-D, or a line that was never finished.
    Closed,
    Unclear,
}

/// Reads an answer: a whole line, and nothing but the word counts.
fn parse(line: &str) -> Answer {
    let Some(line) = line.strip_suffix('\n') else {
        return Answer::Closed;
    };
    match line.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" => Answer::Yes,
        "" | "n" | "no" => Answer::No,
        _ => Answer::Unclear,
    }
}

/// Reads one line in a thread of its own, which the end of the process does not wait for.
async fn read_line() -> io::Result<String> {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is where the answer is read"
    )]
    let read = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        io::stdin().read_line(&mut line).map(|_| line)
    });
    read.await.map_err(io::Error::other)?
}

/// Throws away what was typed before the question could be read.
#[cfg(unix)]
fn discard_typed_keys() {
    // A terminal that cannot be flushed can still be asked.
    let _ = rustix::termios::tcflush(
        rustix::stdio::stdin(),
        rustix::termios::QueueSelector::IFlush,
    );
}

#[cfg(not(unix))]
fn discard_typed_keys() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_terminal_at_both_ends_can_answer() {
        let terminals = |stdin, stderr| Terminals {
            stdin,
            stdout: false,
            stderr,
            height: None,
        };
        let missing = |stdin, stderr| match somebody_can_answer(terminals(stdin, stderr)) {
            Ok(()) => "nothing",
            Err(Error::NobodyToAsk(what)) => what,
            Err(_) => "something else",
        };
        assert_eq!(missing(true, true), "nothing");
        assert_eq!(missing(false, true), "stdin");
        assert_eq!(missing(true, false), "stderr");
    }

    #[test]
    fn only_the_whole_word_is_a_yes() {
        for line in ["y\n", "Y\n", "yes\n", "YES\n", " yes \n", "y\r\n"] {
            assert_eq!(parse(line), Answer::Yes, "{line:?}");
        }
        for line in [
            "maybe\n",
            "nay\n",
            "yy\n",
            "yes please\n",
            "ja\n",
            "1\n",
            "y y\n",
            "ｙ\n",
        ] {
            assert_eq!(parse(line), Answer::Unclear, "{line:?}");
        }
    }

    #[test]
    fn enter_and_the_words_for_it_are_a_no() {
        for line in ["\n", "n\n", "N\n", "no\n", "No\n", " \n"] {
            assert_eq!(parse(line), Answer::No, "{line:?}");
        }
    }

    #[test]
    fn a_line_that_was_not_finished_is_no_answer() {
        for line in ["", "y", "yes"] {
            assert_eq!(parse(line), Answer::Closed, "{line:?}");
        }
    }
}
