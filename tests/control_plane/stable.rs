//! Text in which what differs from run to run reads the same.

/// Replaces each of the `texts`, durations (`~`, as wide as they were), and the numbers of users.
pub(crate) fn stable(text: &str, texts: &[(&str, &str)]) -> String {
    let mut text = text.to_owned();
    for (from, to) in texts {
        text = text.replace(from, to);
    }
    let lines = text.split_inclusive('\n').map(|line| {
        let (line, end) = line
            .strip_suffix('\n')
            .map_or((line, ""), |line| (line, "\n"));
        let words: Vec<String> = line.split(' ').map(word).collect();
        // A duration at the end of a line may be wider in another run.
        let line = words.join(" ");
        let line = if line.contains('~') {
            line.trim_end()
        } else {
            &line
        };
        format!("{line}{end}")
    });
    lines.collect()
}

fn word(word: &str) -> String {
    if is_duration(word) {
        return format!("{:<width$}", "~", width = word.len());
    }
    let Some((before, after)) = word.split_once(":user-") else {
        return word.to_owned();
    };
    format!(
        "{before}:user-N{}",
        after.trim_start_matches(|character: char| character.is_ascii_digit())
    )
}

/// Whether it is an age as kubectl writes it: `5s`, `3m20s`, `4h`.
fn is_duration(word: &str) -> bool {
    let units = word.trim_end_matches(|character: char| "smhd".contains(character));
    units.len() + 1 == word.len()
        && units.starts_with(|character: char| character.is_ascii_digit())
        && units
            .chars()
            .all(|character| "0123456789mhd".contains(character))
}
