//! Candidates for a shell to choose from, by kubectl's protocol.

use std::io::{self, Write};

use super::text::{drives_a_terminal, safe};
use crate::completion::Candidate;

/// Prints candidates for a shell, and that file names are none (cobra's directive 4). What would drive a terminal is left
/// out.
#[expect(
    clippy::disallowed_methods,
    reason = "this is the one place that prints"
)]
pub(crate) fn print_candidates(candidates: &[Candidate]) {
    let mut text = String::new();
    for Candidate {
        text: word,
        description,
    } in candidates
    {
        if word.chars().any(drives_a_terminal) {
            continue;
        }
        text += word;
        if !description.is_empty() {
            text += "\t";
            text += &safe(description);
        }
        text += "\n";
    }
    // A shell that went away needs no candidates.
    let _ = io::stdout().write_all((text + ":4\n").as_bytes());
}
