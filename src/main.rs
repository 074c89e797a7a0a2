//! `kubectl ironflow reap`: lists what dead ironflow workers left in a cluster and deletes it on approval.

mod api;
mod cli;
mod completion;
mod confirm;
mod connect;
mod duration;
mod error;
mod execute;
mod fetch;
mod grammar;
mod interrupt;
mod invocation;
mod output;
mod pick;
mod pipeline;
mod rights;
mod selection;
mod settings;
mod wait;

use std::ffi::OsString;
use std::process::ExitCode;

use crate::cli::Arguments;
use crate::error::Error;
use crate::interrupt::{Interrupt, Signal};
use crate::invocation::Invocation;
use crate::output::{Console, Ending};
use crate::settings::{Settings, Terminals};

fn main() -> ExitCode {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that takes the command line"
    )]
    let words: Vec<_> = std::env::args_os().collect();
    let exit_code = match Invocation::read(words.clone(), &cli::command()) {
        Ok(Invocation::Reap(words)) => start(&words),
        Ok(Invocation::Help) => start(&["", "--help"].map(Into::into)),
        Ok(Invocation::Complete(words)) => {
            output::print_candidates(&completion::complete(&words));
            0
        }
        Ok(Invocation::CompleteSubCommand(begun)) => {
            output::print_candidates(&completion::complete_sub_command(&begun));
            0
        }
        Err(error) => refuse(&error, &words),
    };
    ExitCode::from(exit_code)
}

fn start(words: &[OsString]) -> u8 {
    match cli::parse(words) {
        Ok(arguments) => reap(arguments),
        Err(error) => refuse(&error, words),
    }
}

/// Answers a request for help, and refuses what is no command line; in a document too, where one was asked for.
fn refuse(error: &clap::Error, words: &[OsString]) -> u8 {
    // Whoever closed the stream does not want to know.
    let _ = error.print();
    if error.use_stderr() {
        let message = error.to_string();
        let message = message.lines().next().unwrap_or_default();
        let mut console = Console::new(&Arguments::with_format(cli::format_in(words)));
        console.document(&Ending {
            error: Some(message.to_owned()),
            ..Ending::default()
        });
    }
    u8::try_from(error.exit_code()).unwrap_or(1)
}

fn reap(arguments: Arguments) -> u8 {
    let mut console = Console::new(&arguments);
    let dry_run = arguments.dry_run;
    run(arguments, &mut console).unwrap_or_else(|error| {
        console.error(&error);
        console.document(&Ending {
            dry_run,
            error: Some(error.to_string()),
            ..Ending::default()
        });
        error.exit_code()
    })
}

fn run(arguments: Arguments, console: &mut Console) -> Result<u8, Error> {
    let settings = Settings::resolve(arguments, Terminals::detect())?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let exit_code = runtime.block_on(async {
        let interrupt = Interrupt::listen(end_at_once)?;
        Ok(pipeline::run(&settings, console, &interrupt).await)
    });
    // A thread may still wait for an answer that nobody needs any more.
    runtime.shutdown_background();
    exit_code
}

fn end_at_once(signal: Signal) {
    #[expect(
        clippy::exit,
        clippy::disallowed_methods,
        reason = "a second signal does not wait for anything"
    )]
    std::process::exit(i32::from(signal.exit_code()));
}
