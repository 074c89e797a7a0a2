//! All that people and programs get to read: data on stdout, the rest on stderr.

mod candidates;
mod document;
mod lines;
mod progress;
mod question;
mod table;
mod text;

use std::io::{self, Write};

use anstream::adapter::strip_str;
use anstream::stream::{AsLockedWrite, RawStream};
use anstream::{AutoStream, ColorChoice};
use reap_core::judge::Reason;
use reap_core::plan::{Candidate, Plan};

use crate::api::Log;
use crate::cli::{Arguments, ColorArgument};
use crate::error::Error;
use crate::execute::{Execution, FAREWELL, Outcome};
use crate::grammar::count;
use crate::interrupt::Signal;
use crate::settings::Format;

pub(crate) use candidates::print_candidates;
pub(crate) use document::Ending;
use lines::Failures;
use progress::Progress;
pub(crate) use question::{Place, question};
use text::safe;

/// From this `--v` on requests are logged, as kubectl does.
const LOGS_REQUESTS: i32 = 6;

/// The two streams, and what was already said on them.
pub(crate) struct Console {
    stdout: AutoStream<io::Stdout>,
    stderr: AutoStream<io::Stderr>,
    format: Format,
    layout: table::Layout,
    /// Pods get no time to end.
    forced: bool,
    /// The first failure to write results: it does not stop an approved deletion, and is reported at the end.
    broken: Option<io::Error>,
    failures: Failures,
    /// The sign of life of what goes on.
    progress: Option<Progress>,
    logs_requests: bool,
    /// The line on which a signal met the cursor is left.
    left_line: bool,
}

impl Console {
    /// Opens both streams. What only matters here is taken from the flags as it is, so that even a refusal of the flags
    /// is printed in their colour.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that prints"
    )]
    pub(crate) fn new(arguments: &Arguments) -> Self {
        let choice = match arguments.color {
            ColorArgument::Auto => ColorChoice::Auto,
            ColorArgument::Always => ColorChoice::Always,
            ColorArgument::Never => ColorChoice::Never,
        };
        let format = arguments.output.into();
        Self {
            stdout: AutoStream::new(io::stdout(), choice),
            stderr: AutoStream::new(io::stderr(), choice),
            format,
            layout: table::Layout {
                wide: format == Format::Wide,
                headers: !arguments.no_headers,
                namespaces: arguments.all_namespaces,
            },
            forced: arguments.force,
            broken: None,
            failures: Failures::default(),
            progress: None,
            logs_requests: arguments.verbosity >= LOGS_REQUESTS,
            left_line: false,
        }
    }

    /// Returns where requests to this server are logged as they end, where that was asked for.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that prints"
    )]
    pub(crate) fn request_log(&self, server: &str) -> Option<Log> {
        let server = server.to_owned();
        self.logs_requests.then(|| -> Log {
            Box::new(move |method, path, came| {
                let line = format!("{method} {server}{path} {came}");
                let _ = writeln!(io::stderr(), "{}", safe(&line));
            })
        })
    }

    /// Says something on a line of its own on stderr. Whoever closed it does not want to know.
    pub(crate) fn note(&mut self, line: &str) {
        let stderr = &mut self.stderr;
        aside(self.progress.as_ref(), || {
            let _ = writeln!(stderr, "{}", safe(line));
        });
    }

    /// Warns as kubectl does.
    pub(crate) fn warn(&mut self, line: &str) {
        self.note(&format!("Warning: {line}"));
    }

    /// Says what stopped the run, and what to do next.
    pub(crate) fn error(&mut self, error: &Error) {
        self.note(&error.to_string());
        if let Some(hint) = error.hint() {
            self.note(&format!("hint: {hint}"));
        }
    }

    /// Prints lines of our own making, such as a manifest to paste.
    pub(crate) fn block(&mut self, lines: &[String]) {
        for line in lines {
            self.note(line);
        }
    }

    /// Says what was odd about what was read.
    pub(crate) fn oddities(&mut self, plan: &Plan) {
        for line in lines::oddities(plan) {
            self.warn(&line);
        }
    }

    /// Warns as kubectl does that pods get no time to end, where that is so.
    pub(crate) fn force(&mut self, plan: &Plan) {
        let is_stuck = |candidate: &Candidate| candidate.reason() == Reason::StuckTerminating;
        if self.forced || plan.candidates().iter().any(is_stuck) {
            self.warn(
                "Immediate deletion does not wait for confirmation that the running resource has been terminated. \
                 The resource may continue to run on the cluster indefinitely.",
            );
        }
    }

    /// Says that there is nothing to do, and what was looked at.
    pub(crate) fn nothing_found(&mut self, plan: &Plan, namespace: Option<&str>) {
        for line in lines::nothing_found(plan, namespace) {
            self.note(&line);
        }
    }

    /// Shows the plan. Before a question it has to reach somebody's eyes: `eyes_on_stderr` shows it there too.
    ///
    /// # Errors
    /// A stream that cannot be written, so that nothing may be deleted.
    pub(crate) fn show(&mut self, plan: &Plan, eyes_on_stderr: bool) -> Result<(), Error> {
        self.progress = None;
        let table = table::render(plan, self.layout);
        if matches!(self.format, Format::Table | Format::Wide) {
            write_all(&mut self.stdout, &table).map_err(cannot_write("stdout"))?;
        }
        if eyes_on_stderr {
            write_all(&mut self.stderr, &table).map_err(cannot_write("stderr"))?;
        }
        Ok(())
    }

    /// Shows each candidate in a line, to choose from.
    pub(crate) fn labels(&self, plan: &Plan) -> Vec<String> {
        table::labels(plan, self.layout)
    }

    /// Puts the question, and leaves the cursor behind it.
    ///
    /// # Errors
    /// A closed stderr: whoever cannot see the question cannot answer it.
    pub(crate) fn ask(&mut self, question: &str) -> Result<(), Error> {
        let mut lines: Vec<String> = question.lines().map(safe).collect();
        let last = lines.pop().unwrap_or_default();
        let text: String = lines
            .into_iter()
            .map(|line| line + "\n")
            .chain([last + " [y/N] "])
            .collect();
        write_all(&mut self.stderr, &text).map_err(cannot_write("stderr"))
    }

    /// Ends a line that the user left open.
    pub(crate) fn end_line(&mut self) {
        let _ = writeln!(self.stderr);
    }

    /// Leaves the line on which a signal met the cursor: once, and not where a bar stood and is taken away.
    pub(crate) fn leave_line(&mut self) {
        let has_bar = self.progress.as_ref().is_some_and(Progress::was_shown);
        if !has_bar && !self.left_line {
            self.end_line();
        }
        self.left_line = true;
    }

    /// Says what is still waited for after a signal.
    pub(crate) fn waiting(&mut self, signal: Signal, deletions: usize) {
        self.note(&format!(
            "stopping: up to {}s for {} in flight; a second {signal} ends at once",
            FAREWELL.as_secs(),
            count(deletions, "deletion"),
        ));
    }

    /// Begins to show that the cluster is read.
    pub(crate) fn begin_reading(&mut self) -> Progress {
        let progress = Progress::of_reading(!self.logs_requests);
        self.progress.insert(progress).clone()
    }

    /// Begins to show how far the deletions are.
    pub(crate) fn begin_deleting(&mut self, plan: &Plan) -> Progress {
        let progress = Progress::of_deletions(plan.candidates().len(), !self.logs_requests);
        self.progress.insert(progress).clone()
    }

    /// Tells what became of one candidate.
    pub(crate) fn outcome(&mut self, candidate: &Candidate, outcome: &Outcome) {
        if let Some(progress) = &self.progress {
            progress.count();
        }
        let reference = &candidate.object().reference;
        match self.format {
            Format::Table | Format::Wide => {
                if let Some(line) = lines::result(candidate, outcome, self.forced) {
                    self.result(&line);
                }
            }
            Format::Name => {
                if matches!(outcome, Outcome::Deleted { .. } | Outcome::WouldDelete) {
                    self.result(&lines::name(reference));
                }
            }
            Format::Json | Format::Yaml => {}
        }
        for line in self.failures.tell(candidate, outcome) {
            self.note(&line);
        }
    }

    /// Says what a client dry run comes to; with `-o name` the names are its result.
    pub(crate) fn would_delete(&mut self, plan: &Plan) {
        if self.format == Format::Name {
            for candidate in plan.candidates() {
                self.result(&lines::name(&candidate.object().reference));
            }
        }
        let parts = [format!(
            "{} would be deleted (dry run)",
            plan.candidates().len()
        )];
        let parts: Vec<String> = parts.into_iter().chain(lines::unread(plan)).collect();
        self.note(&parts.join(", "));
    }

    fn result(&mut self, line: &str) {
        if self.broken.is_none() {
            let Self { stdout, broken, .. } = self;
            aside(self.progress.as_ref(), || {
                *broken = writeln!(stdout, "{}", safe(line)).err();
            });
        }
    }

    /// Says what became of all.
    pub(crate) fn executed(&mut self, plan: &Plan, execution: &Execution) {
        self.progress = None;
        for line in self.failures.left_untold() {
            self.note(&line);
        }
        for line in lines::not_attempted(plan, execution) {
            self.note(&line);
        }
        self.note(&lines::summary(plan, execution));
    }

    /// Prints the one document, where that is the format.
    pub(crate) fn document(&mut self, ending: &Ending<'_>) {
        let text = match self.format {
            Format::Json => document::json(ending),
            Format::Yaml => document::yaml(ending),
            Format::Table | Format::Wide | Format::Name => return,
        };
        if let Err(cause) = write_all(&mut self.stdout, &text) {
            self.broken = Some(cause);
        }
    }

    /// Flushes stdout and returns what kept results from being written: not a closed pipe, whose reader had enough.
    pub(crate) fn close(&mut self) -> Option<Error> {
        let flushed = self.stdout.flush();
        let cause = self.broken.take().or(flushed.err())?;
        (cause.kind() != io::ErrorKind::BrokenPipe).then_some(Error::Output {
            stream: "stdout",
            cause,
        })
    }
}

/// Prints beside the sign of life, where there is one.
fn aside(progress: Option<&Progress>, print: impl FnOnce()) {
    match progress {
        Some(progress) => progress.aside(print),
        None => print(),
    }
}

fn cannot_write(stream: &'static str) -> impl FnOnce(io::Error) -> Error {
    move |cause| Error::Output { stream, cause }
}

/// Writes all in one piece, so that a reader who closes a pipe after the first line still got a whole table.
fn write_all<S: RawStream + AsLockedWrite>(
    stream: &mut AutoStream<S>,
    text: &str,
) -> io::Result<()> {
    if stream.current_choice() == ColorChoice::Never {
        // The stream itself would write what stands between two escapes piece by piece.
        stream.write_all(strip_str(text).to_string().as_bytes())?;
    } else {
        stream.write_all(text.as_bytes())?;
    }
    stream.flush()
}
