//! Clusters to test and to play against.

pub mod cluster;
pub mod control_plane;
mod go;
pub mod krew;
pub mod memory;
pub mod objects;
pub mod playground;
pub mod plugin;
pub mod scenarios;
pub mod terminal;
