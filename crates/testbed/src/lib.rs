//! Clusters to test and to play against.
