//! What of ironflow's objects may go, and why.
//!
//! Nothing here reads a clock, a file or the network: objects and the time are data.

mod decode;
pub mod expiry;
pub mod filter;
#[cfg(test)]
mod fixtures;
pub mod judge;
pub mod object;
pub mod oddity;
pub mod plan;
#[cfg(test)]
mod properties;
pub mod snapshot;
pub mod time;
