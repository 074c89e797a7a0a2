//! `kubectl ironflow reap`: lists what dead ironflow workers left in a cluster and deletes it on approval.
mod connect;

fn main() {}
