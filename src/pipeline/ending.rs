//! How a run ends: what is said last, and the exit code.

use std::time::Duration;

use super::Known;
use crate::error::Error;
use crate::execute::{Execution, Outcome, Stop};
use crate::output::{Console, Ending};
use crate::rights;
use crate::settings::Settings;

/// A terminal sends the signal of a Ctrl-C before it discards the output that waits: what is written at once may be lost.
const TERMINAL_SETTLES: Duration = Duration::from_millis(20);

/// Says what stopped the run, if anything did, and prints the document. Returns the exit code.
pub(super) async fn end(
    settings: &Settings,
    console: &mut Console,
    known: &Known,
    error: Option<&Error>,
) -> u8 {
    if let Some(error) = error {
        if error.is_interruption() {
            settle(settings, console).await;
        }
        console.error(error);
        if let Some(lines) = role_to_paste(error, settings) {
            console.block(&lines);
        }
    }
    console.document(&Ending {
        connection: known.connection.as_ref(),
        all_namespaces: settings.reading.all_namespaces,
        dry_run: settings.dry_run,
        now: known.now,
        plan: known.plan.as_ref(),
        execution: known.execution.as_ref(),
        error: error
            .map(ToString::to_string)
            .or_else(|| known.execution.as_ref().and_then(stopped)),
    });
    let exit_code = error.map_or_else(
        || known.execution.as_ref().map_or(0, exit_code),
        Error::exit_code,
    );
    let Some(unwritten) = console.close() else {
        return exit_code;
    };
    console.error(&unwritten);
    if exit_code == 0 {
        unwritten.exit_code()
    } else {
        exit_code
    }
}

/// After a signal, makes a terminal ready for what is said last.
pub(super) async fn settle(settings: &Settings, console: &mut Console) {
    if settings.terminals.stderr {
        tokio::time::sleep(TERMINAL_SETTLES).await;
        // The cursor stands behind a question or a `^C`.
        console.leave_line();
    }
}

fn role_to_paste(error: &Error, settings: &Settings) -> Option<Vec<String>> {
    let Error::Unreadable {
        failure, namespace, ..
    } = error
    else {
        return None;
    };
    failure
        .is_forbidden()
        .then(|| rights::manifest(settings.reading.kinds.iter().copied(), namespace.as_deref()))
}

fn stopped(execution: &Execution) -> Option<String> {
    match execution.stop? {
        Stop::Outage => Some("stopped, because the server fails again and again".to_owned()),
        Stop::Signal(signal) => Some(format!("stopped by {signal}")),
    }
}

fn exit_code(execution: &Execution) -> u8 {
    match execution.stop {
        Some(Stop::Signal(signal)) => signal.exit_code(),
        Some(Stop::Outage) => 1,
        None => {
            let is_failure =
                |outcome: &Outcome| matches!(outcome, Outcome::Failed(_) | Outcome::NotAttempted);
            u8::from(execution.outcomes.iter().any(is_failure))
        }
    }
}
