//! The program against the server in memory: exit code, requests, stdout and stderr of whole runs.

#![cfg(unix)]

mod answers;
mod approval;
mod broken;
mod case;
mod claims;
mod clock;
mod completion;
mod deletion;
mod document;
mod endings;
mod filters;
mod formats;
mod heap;
mod kubectl_flags;
mod leftovers;
mod listing;
mod meanwhile;
mod objects;
mod paging;
mod plumbing;
mod retries;
mod rights;
mod secrets;
mod signals;
mod spoilt;
mod stable;
mod terminal_safety;
mod wait;
