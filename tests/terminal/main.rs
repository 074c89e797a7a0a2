//! The program in a pseudo-terminal against the server in memory, as a person at the keyboard sees it.

#![cfg(unix)]

mod answers;
mod case;
mod colour;
mod picker;
mod signals;
