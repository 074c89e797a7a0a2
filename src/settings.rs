//! Flags, environment and terminal become one `Settings`; contradictions are refused here.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::time::Duration;

use reap_core::filter::Filter;
use reap_core::judge::Reason;
use reap_core::object::Kind;

use crate::api::DeleteOptions;
use crate::cli::{Arguments, DryRun, OutputArgument, ReasonArgument};
use crate::connect;
use crate::error::Error;

/// Everything a run is told, resolved once.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) connection: connect::Options,
    /// How long one answer is waited for; `None` waits without limit.
    pub(crate) request_timeout: Option<Duration>,
    pub(crate) reading: Reading,
    pub(crate) filter: Filter,
    /// More candidates than this stop the run.
    pub(crate) max: Option<usize>,
    pub(crate) approval: Approval,
    pub(crate) dry_run: DryRun,
    pub(crate) deletion: DeleteOptions,
    /// How many deletions are in flight at most.
    pub(crate) concurrency: usize,
    pub(crate) format: Format,
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
    /// Any kind that cannot be read stops the run.
    pub(crate) strict: bool,
    /// How many objects a page holds at most.
    pub(crate) chunk_size: u32,
    /// What is kept is held too, to be shown.
    pub(crate) hold_kept: bool,
}

/// Who says yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Approval {
    /// A person at the terminal.
    Ask,
    /// `--yes`.
    Given,
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
            types,
            namespace,
            all_namespaces,
            run,
            reason,
            expired_for,
            max,
            yes,
            dry_run,
            strict,
            concurrency,
            chunk_size,
            output,
            no_headers: _,
            show_kept,
            color: _,
            kubeconfig,
            context,
            request_timeout,
        } = arguments;
        let Types { kinds, named } = parse_types(&types)?;
        if let Some(namespace) = namespace
            .as_deref()
            .filter(|namespace| !namespace.is_empty())
        {
            check_namespace(namespace)?;
        }
        let filter = Filter {
            run,
            reasons: reason.into_iter().map(Into::into).collect(),
            expired_for: expired_for.map(|age| age.as_secs() + u64::from(age.subsec_nanos() > 0)),
            ..Filter::default()
        };
        Ok(Self {
            connection: connect::Options {
                kubeconfig,
                context,
                namespace,
                request_timeout: request_timeout.0,
                interactive: terminals.stdin,
                ..connect::Options::default()
            },
            request_timeout: request_timeout.0,
            reading: Reading {
                all_namespaces,
                kinds,
                named,
                strict,
                chunk_size,
                hold_kept: show_kept,
            },
            filter,
            max,
            approval: if yes { Approval::Given } else { Approval::Ask },
            dry_run,
            deletion: DeleteOptions {
                dry_run: dry_run == DryRun::Server,
                grace_period_seconds: None,
            },
            concurrency: usize::from(concurrency),
            format: output.into(),
            terminals,
        })
    }
}

impl From<ReasonArgument> for Reason {
    fn from(argument: ReasonArgument) -> Self {
        match argument {
            ReasonArgument::Expired => Self::Expired,
            ReasonArgument::DeadlineExceeded => Self::DeadlineExceeded,
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

/// The types a user asked for.
struct Types {
    kinds: BTreeSet<Kind>,
    named: BTreeSet<Kind>,
}

fn parse_types(arguments: &[String]) -> Result<Types, Error> {
    const ALL: [Kind; 3] = [Kind::Job, Kind::Pod, Kind::ConfigMap];
    let mut named = BTreeSet::new();
    let mut kinds = BTreeSet::new();
    for word in arguments.iter().flat_map(|argument| argument.split(',')) {
        if word == "all" {
            kinds.extend(ALL);
        } else {
            let kind = parse_kind(word)?;
            named.insert(kind);
            kinds.insert(kind);
        }
    }
    if arguments.is_empty() {
        kinds.extend(ALL);
    }
    Ok(Types { kinds, named })
}

fn parse_kind(word: &str) -> Result<Kind, Error> {
    match word {
        "pods" | "pod" | "po" => Ok(Kind::Pod),
        "jobs" | "job" | "jobs.batch" | "job.batch" => Ok(Kind::Job),
        "configmaps" | "configmap" | "cm" => Ok(Kind::ConfigMap),
        "persistentvolumeclaims" | "persistentvolumeclaim" | "pvc" => {
            Ok(Kind::PersistentVolumeClaim)
        }
        _ => Err(Error::Usage(format!(
            "unknown type `{word}`; the types are pods, jobs, configmaps, persistentvolumeclaims (pvc) and all"
        ))),
    }
}

/// A namespace goes into URLs: what is no RFC 1123 label is refused.
fn check_namespace(namespace: &str) -> Result<(), Error> {
    let is_inner = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-';
    let bytes = namespace.as_bytes();
    let is_label = bytes.len() <= 63
        && bytes.iter().all(is_inner)
        && bytes.first() != Some(&b'-')
        && bytes.last() != Some(&b'-');
    if is_label {
        Ok(())
    } else {
        Err(Error::Usage(format!(
            "`{namespace}` is no name of a namespace"
        )))
    }
}
