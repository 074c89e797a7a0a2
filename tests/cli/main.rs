//! The program against the server in memory: exit code, requests, stdout and stderr of whole runs.

#![cfg(unix)]

mod approval;
mod broken;
mod case;
mod clock;
mod filters;
mod formats;
mod leftovers;
mod listing;
mod objects;
mod paging;
mod retries;
mod stable;
