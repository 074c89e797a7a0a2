//! The flags: their names, help and values, and no behaviour.

mod connection;
mod habits;

use std::time::Duration;

use clap::{Parser, ValueEnum};

use crate::duration::parse_age;
pub(crate) use connection::{ConnectionArguments, ForeignArguments};
pub(crate) use habits::{command, flag_of_next, format_in, parse};

const AFTER_HELP: &str = "\
Exit codes:
  0    done, nothing to do, a dry run, or declined
  1    something failed, was not attempted, or the run stopped
  2    wrong usage, or nobody to ask
  130  ended by Ctrl-C
  143  ended by SIGTERM";

/// Reap the pods, Jobs and ConfigMaps that dead ironflow workers left in a cluster
///
/// Lists what may go with the reason and the age, asks once, and deletes exactly what it showed. Claims hold data: they go only when named (`pvc`).
#[derive(Debug, Parser)]
#[command(
    name = "kubectl ironflow reap",
    bin_name = "kubectl ironflow reap",
    version,
    after_help = AFTER_HELP,
    args_override_self = true
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Arguments {
    /// Reap only these types: pods, jobs, configmaps, pvc, all; comma-separated, or with names: TYPE NAME…, TYPE/NAME…
    #[arg(value_name = "TYPE")]
    pub(crate) words: Vec<String>,

    /// Reap in this namespace instead of the context's
    #[arg(short, long)]
    pub(crate) namespace: Option<String>,

    /// Reap in all namespaces
    #[arg(short = 'A', long)]
    pub(crate) all_namespaces: bool,

    /// Reap only objects with these labels, besides ironflow's own
    #[arg(short = 'l', long, value_name = "LABELS")]
    pub(crate) selector: Option<String>,

    /// Reap only objects of this run: its run id or root run id
    #[arg(long, value_name = "ID")]
    pub(crate) run: Option<String>,

    /// Reap only objects that may go for this reason; repeatable
    #[arg(long, value_enum, value_name = "REASON")]
    pub(crate) reason: Vec<ReasonArgument>,

    /// Reap expired objects only when their expiry passed at least this long ago, such as 90s, 1h30m or 7d
    #[arg(long, value_name = "DURATION", value_parser = parse_age)]
    pub(crate) expired_for: Option<Duration>,

    /// Delete nothing when there are more candidates than this
    #[arg(long, value_name = "N")]
    pub(crate) max: Option<usize>,

    /// Delete without asking
    #[arg(short, long)]
    pub(crate) yes: bool,

    /// Choose from the list what to delete, before the question
    #[arg(long)]
    pub(crate) pick: bool,

    /// Change nothing: client shows what would be deleted, server also asks the server for each
    #[arg(long, value_name = "none|client|server", num_args = 0..=1, require_equals = true, default_missing_value = "client",
          default_value = "none", hide_default_value = true, value_parser = parse_dry_run)]
    pub(crate) dry_run: DryRun,

    /// Give pods this many seconds to end, instead of their own; 0 only with --force
    #[arg(long, value_name = "SECONDS", default_value_t = -1, hide_default_value = true)]
    pub(crate) grace_period: i64,

    /// Delete pods at once, without waiting for their nodes
    #[arg(long)]
    pub(crate) force: bool,

    /// Delete pods too that are terminating for more than a minute past their time, at once
    #[arg(long)]
    pub(crate) stuck: bool,

    /// Wait until what was deleted is gone, the pods of Jobs included
    #[arg(long)]
    pub(crate) wait: bool,

    /// Wait at most this long; needs --wait [default: 5m]
    #[arg(long, value_name = "DURATION", value_parser = parse_age)]
    pub(crate) timeout: Option<Duration>,

    /// Stop when any kind cannot be read, Jobs included
    #[arg(long)]
    pub(crate) strict: bool,

    /// Keep at most this many deletions in flight
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) concurrency: u16,

    /// Read at most this many objects a page
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) chunk_size: u32,

    /// Print in this format
    #[arg(short, long, value_enum, value_name = "FORMAT")]
    pub(crate) output: Option<OutputArgument>,

    /// Print tables without their header
    #[arg(long)]
    pub(crate) no_headers: bool,

    /// Show what is kept too, and why
    #[arg(long)]
    pub(crate) show_kept: bool,

    /// Use colour
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorArgument,

    /// Log each request on stderr from 6 on, as kubectl does; bodies and credentials never
    #[arg(
        short,
        long = "v",
        value_name = "LEVEL",
        default_value_t = 0,
        hide_default_value = true
    )]
    pub(crate) verbosity: i32,

    #[command(flatten)]
    pub(crate) connection: ConnectionArguments,

    #[command(flatten)]
    pub(crate) foreign: ForeignArguments,
}

impl Arguments {
    /// Those of a command line that cannot be read but for its format.
    pub(crate) fn with_format(output: Option<OutputArgument>) -> Self {
        Self {
            output,
            ..Self::parse_from([""])
        }
    }
}

/// Values of `--dry-run`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum DryRun {
    /// Delete.
    #[default]
    None,
    /// Show what would be deleted.
    Client,
    /// Ask the server what it would do.
    Server,
}

fn parse_dry_run(value: &str) -> Result<DryRun, String> {
    match value {
        "none" => Ok(DryRun::None),
        "client" => Ok(DryRun::Client),
        "server" => Ok(DryRun::Server),
        other => Err(format!(
            r#"Invalid dry-run value ({other}). Must be "none", "server", or "client"."#
        )),
    }
}

/// Values of `--reason`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "PascalCase")]
pub(crate) enum ReasonArgument {
    /// The expiry passed.
    Expired,
    /// Kubernetes ended it for its deadline.
    DeadlineExceeded,
    /// It is terminating for more than a minute past its time; needs `--stuck`.
    StuckTerminating,
}

/// Values of `--output`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputArgument {
    /// The table with more columns.
    Wide,
    /// One `kind/name` a line.
    Name,
    /// One JSON document at the end.
    Json,
    /// The same document as YAML.
    Yaml,
}

/// Values of `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorArgument {
    /// On terminals that want it.
    Auto,
    /// Also in pipes and files.
    Always,
    /// Nowhere.
    Never,
}
