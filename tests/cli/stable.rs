//! Text in which what differs from run to run reads the same.

use std::fmt::Write;

/// Replaces the server's address and the time that a run took.
///
/// The warning about the two clocks is left out: it stands in each run, because the server's stands still (`clock.rs`
/// tests it).
pub(crate) fn stable_text(text: &str, server: &str) -> String {
    let text = text.replace(server, "SERVER");
    let lines = text
        .split_inclusive('\n')
        .filter(|line| !is_clock_warning(line));
    lines.map(stable_line).collect()
}

fn is_clock_warning(line: &str) -> bool {
    line.starts_with("Warning: the server's clock (2023-11-14T22:13:20Z) and this machine's (")
        && line.ends_with(") differ: the earlier one, the server's, is used\n")
}

fn stable_line(line: &str) -> String {
    for (before, after) in [
        (" in ", "s\n"),
        ("skewSeconds\": ", "\n"),
        ("skewSeconds: ", "\n"),
    ] {
        if let Some((start, end)) = line.rsplit_once(before)
            && end
                .strip_suffix(after)
                .is_some_and(|number| number.parse::<f64>().is_ok())
        {
            return format!("{start}{before}…{after}");
        }
    }
    line.to_owned()
}

/// One request a line. Those that the program sends side by side come in any order: they are sorted by path, the pages of
/// one list stay as they came.
pub(crate) fn stable_requests(requests: &[String]) -> String {
    let is_deletion = |request: &String| request.starts_with("DELETE ");
    let mut requests = requests.to_vec();
    for chunk in requests.chunk_by_mut(|one, next| is_deletion(one) == is_deletion(next)) {
        if !is_deletion(&chunk[0]) {
            // A review of rights says in its body what it asks for.
            chunk.sort_by_key(|request| request.split('?').next().map(str::to_owned));
        }
    }
    requests.iter().fold(String::new(), |mut text, request| {
        let _ = writeln!(text, "{request}");
        text
    })
}
