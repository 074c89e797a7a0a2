//! What of ironflow's objects may go, and why.
