//! Counting and joining words, in one place.

/// Words a count of things: `0 pods`, `1 pod`, `2 pods`.
pub(crate) fn count(number: usize, singular: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {singular}{ending}")
}

/// Joins parts as a sentence does: `a`, `a and b`, `a, b and c`.
pub(crate) fn list(parts: impl IntoIterator<Item = String>) -> String {
    let mut parts: Vec<String> = parts.into_iter().collect();
    let last = parts.pop().unwrap_or_default();
    if parts.is_empty() {
        last
    } else {
        format!("{} and {last}", parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_singular_and_none_is_plural() {
        assert_eq!(count(0, "pod"), "0 pods");
        assert_eq!(count(1, "pod"), "1 pod");
        assert_eq!(count(2, "pod"), "2 pods");
    }

    #[test]
    fn parts_are_joined_as_a_sentence() {
        let joined = |parts: &[&str]| list(parts.iter().map(ToString::to_string));
        assert_eq!(joined(&[]), "");
        assert_eq!(joined(&["a"]), "a");
        assert_eq!(joined(&["a", "b"]), "a and b");
        assert_eq!(joined(&["a", "b", "c"]), "a, b and c");
    }
}
