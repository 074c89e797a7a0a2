//! A cluster as it looks after a bad week: what dead workers left, and what must stay.

mod heap;
mod plant;

pub use heap::{BATCH, heap};
pub use plant::plant;
