//! What of ironflow's objects may go, and why.
//!
//! Nothing here reads a clock, a file or the network: objects and the time are data.

mod decode;
mod expiry;
mod filter;
mod judge;
mod object;
mod plan;
mod snapshot;
mod time;

pub use expiry::{Expiry, Oddity, oddity};
pub use filter::Filter;
pub use judge::{Circumstances, Kept, Mounts, Reason, Verdict, judge};
pub use object::{Details, JobStatus, Kind, Object, ObjectRef};
pub use plan::{Again, Candidate, Plan};
pub use snapshot::{Odd, Snapshot, SnapshotBuilder, Unread};
pub use time::UnixSeconds;
