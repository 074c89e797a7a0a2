//! Flags, environment and terminal become one `Settings`; contradictions are refused here.

mod connection;

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::time::Duration;

use reap_core::filter::Filter;
use reap_core::judge::Reason;
use reap_core::object::Kind;

use crate::cli::{Arguments, DryRun, OutputArgument, ReasonArgument};
use crate::connect;
use crate::error::Error;
use crate::selection::Selection;

/// How long `--wait` waits.
const DEFAULT_WAIT: Duration = Duration::from_secs(5 * 60);

/// Everything a run is told, resolved once.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) connection: connect::Options,
    pub(crate) reading: Reading,
    pub(crate) filter: Filter,
    /// More candidates than this stop the run.
    pub(crate) max: Option<usize>,
    pub(crate) approval: Approval,
    pub(crate) dry_run: DryRun,
    /// How many seconds pods have to end; `None` leaves it to the pod.
    pub(crate) grace_period_seconds: Option<i64>,
    /// How long to wait until what was deleted is gone; `None` does not wait.
    pub(crate) wait: Option<Duration>,
    /// How many deletions are in flight at most.
    pub(crate) concurrency: usize,
    pub(crate) format: Format,
    /// A warning of the server stops the run, or makes it fail in the end.
    pub(crate) warnings_as_errors: bool,
    pub(crate) terminals: Terminals,
}

/// What is read.
#[derive(Debug)]
pub(crate) struct Reading {
    /// All namespaces instead of one.
    pub(crate) all_namespaces: bool,
    pub(crate) kinds: BTreeSet<Kind>,
    /// The kinds that the user named; a kind of the default set is not.
    pub(crate) named: BTreeSet<Kind>,
    /// Labels that the user asks for besides ironflow's own.
    pub(crate) selector: Option<String>,
    /// Any kind that cannot be read stops the run.
    pub(crate) strict: bool,
    /// How many objects a page holds at most.
    pub(crate) chunk_size: u32,
    /// What is kept is held too, to be shown.
    pub(crate) hold_kept: bool,
}

impl Reading {
    /// Returns the namespace to read, which is the connection's; `None` reads all of them.
    pub(crate) fn scope<'a>(&self, namespace: &'a str) -> Option<&'a str> {
        (!self.all_namespaces).then_some(namespace)
    }
}

/// Who says yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Approval {
    /// A person at the terminal.
    Ask,
    /// The same, who chooses from the list first.
    PickAndAsk,
    /// `--yes`.
    Given,
}

impl Approval {
    fn of(yes: bool, pick: bool) -> Self {
        match (yes, pick) {
            (true, _) => Self::Given,
            (false, true) => Self::PickAndAsk,
            (false, false) => Self::Ask,
        }
    }
}

/// What stdout carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// kubectl's table.
    Table,
    /// The table with more columns.
    Wide,
    /// One `kind/name` a line.
    Name,
    /// One JSON document.
    Json,
    /// One YAML document.
    Yaml,
}

/// Which of the three standard streams are terminals, and how high.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terminals {
    pub(crate) stdin: bool,
    pub(crate) stdout: bool,
    pub(crate) stderr: bool,
    /// How many lines the terminal on stderr shows; `None` where it is none.
    pub(crate) height: Option<usize>,
}

impl Terminals {
    /// Nobody looks, and nobody answers.
    pub(crate) fn none() -> Self {
        Self {
            stdin: false,
            stdout: false,
            stderr: false,
            height: None,
        }
    }

    /// Asks the system.
    #[expect(
        clippy::disallowed_methods,
        reason = "the streams are only asked what they are"
    )]
    pub(crate) fn detect() -> Self {
        Self {
            stdin: std::io::stdin().is_terminal(),
            stdout: std::io::stdout().is_terminal(),
            stderr: std::io::stderr().is_terminal(),
            height: terminal_size::terminal_size_of(std::io::stderr())
                .map(|(_, height)| usize::from(height.0)),
        }
    }
}

impl Settings {
    /// Resolves the flags. The arguments are taken apart whole, so that a flag which nobody handles does not compile.
    ///
    /// # Errors
    /// Unknown types, and flags that contradict each other.
    pub(crate) fn resolve(arguments: Arguments, terminals: Terminals) -> Result<Self, Error> {
        let Arguments {
            words,
            namespace,
            all_namespaces,
            selector,
            run,
            reason,
            expired_for,
            max,
            yes,
            pick,
            dry_run,
            grace_period,
            force,
            stuck,
            wait,
            timeout,
            strict,
            concurrency,
            chunk_size,
            output,
            no_headers: _,
            show_kept,
            color: _,
            verbosity: _,
            connection,
            foreign,
        } = arguments;
        connection::refuse_foreign(foreign)?;
        let Selection {
            kinds,
            named,
            names,
        } = Selection::parse(&words)?;
        let selector = selector.filter(|selector| !selector.trim().is_empty());
        let reasons: BTreeSet<Reason> = reason.into_iter().map(Into::into).collect();
        let is_dry_run = dry_run != DryRun::None;
        let named_objects = !names.is_empty();
        refuse_if(&[
            (
                named_objects && all_namespaces,
                "a resource cannot be retrieved by name across all namespaces",
            ),
            (
                named_objects && selector.is_some(),
                "name cannot be provided when a selector is specified",
            ),
            (
                named_objects && run.is_some(),
                "name cannot be provided when --run is specified",
            ),
            (
                reasons.contains(&Reason::StuckTerminating) && !stuck,
                "--reason StuckTerminating needs --stuck",
            ),
            (timeout.is_some() && !wait, "--timeout needs --wait"),
            (wait && is_dry_run, "--wait makes no sense in a dry run"),
            (pick && is_dry_run, "--pick makes no sense in a dry run"),
            (
                pick && yes,
                "--pick asks, and --yes does not: pass one of them",
            ),
            (
                force && grace_period > 0,
                "--force and --grace-period greater than 0 cannot be specified together",
            ),
        ])?;
        let filter = Filter {
            run,
            reasons,
            expired_for: expired_for.map(|age| age.as_secs() + u64::from(age.subsec_nanos() > 0)),
            names,
            stuck,
        };
        Ok(Self {
            reading: Reading {
                all_namespaces,
                kinds,
                named,
                selector,
                strict,
                chunk_size,
                hold_kept: show_kept,
            },
            filter,
            max,
            approval: Approval::of(yes, pick),
            dry_run,
            grace_period_seconds: grace_period_seconds(grace_period, force),
            wait: wait.then(|| timeout.unwrap_or(DEFAULT_WAIT)),
            concurrency: usize::from(concurrency),
            format: output.into(),
            warnings_as_errors: connection.warnings_as_errors,
            terminals,
            connection: connection::resolve(connection, namespace, terminals)?,
        })
    }
}

/// Refuses the first contradiction that holds.
fn refuse_if(contradictions: &[(bool, &str)]) -> Result<(), Error> {
    match contradictions.iter().find(|(holds, _)| *holds) {
        Some((_, why)) => Err(Error::Usage((*why).to_owned())),
        None => Ok(()),
    }
}

/// kubectl's rules: 0 without `--force` means 1, `--force` means 0, a negative number leaves it to the pod.
fn grace_period_seconds(grace_period: i64, force: bool) -> Option<i64> {
    match (grace_period, force) {
        (_, true) => Some(0),
        (0, false) => Some(1),
        (..0, false) => None,
        (1.., false) => Some(grace_period),
    }
}

impl From<ReasonArgument> for Reason {
    fn from(argument: ReasonArgument) -> Self {
        match argument {
            ReasonArgument::Expired => Self::Expired,
            ReasonArgument::DeadlineExceeded => Self::DeadlineExceeded,
            ReasonArgument::StuckTerminating => Self::StuckTerminating,
        }
    }
}

impl From<Option<OutputArgument>> for Format {
    fn from(argument: Option<OutputArgument>) -> Self {
        match argument {
            None => Self::Table,
            Some(OutputArgument::Wide) => Self::Wide,
            Some(OutputArgument::Name) => Self::Name,
            Some(OutputArgument::Json) => Self::Json,
            Some(OutputArgument::Yaml) => Self::Yaml,
        }
    }
}
