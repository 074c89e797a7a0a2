//! `kubectl ironflow reap`: lists what dead ironflow workers left in a cluster and deletes it on approval.

mod api;
mod cli;
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

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

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
    let invocation = Invocation::read(std::env::args_os(), &Arguments::command());
    let arguments = match invocation.unwrap_or_else(|error| error.exit()) {
        Invocation::Reap(words) => Arguments::parse_from(words),
        Invocation::Help => Arguments::parse_from(["", "--help"]),
        Invocation::Complete(_) => {
            #[expect(
                clippy::print_stdout,
                reason = "the protocol's last line is all there is"
            )]
            {
                println!(":4");
            }
            return ExitCode::SUCCESS;
        }
    };
    let mut console = Console::new(&arguments);
    let exit_code = run(arguments, &mut console).unwrap_or_else(|error| {
        console.error(&error);
        console.document(&Ending {
            error: Some(error.to_string()),
            ..Ending::default()
        });
        error.exit_code()
    });
    ExitCode::from(exit_code)
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
