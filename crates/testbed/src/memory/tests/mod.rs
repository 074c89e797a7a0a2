//! The server as a whole: what goes wrong, who may do what, how it is reached.

mod access;
mod faults;
mod network;
