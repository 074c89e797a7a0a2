//! Text from the cluster, made safe for a terminal.

/// Longer text than any valid name or sensible message is cut, in characters.
const LONGEST: usize = 2000;

/// Makes a line safe: control and formatting characters appear as `\u{1b}`, and what is longer than any sensible line
/// is cut with `…`.
pub(super) fn safe(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for (position, character) in text.chars().enumerate() {
        if position == LONGEST {
            safe.push('…');
            break;
        }
        match character {
            '\n' => safe.push_str("\\n"),
            '\t' => safe.push_str("\\t"),
            '\r' => safe.push_str("\\r"),
            _ if drives_a_terminal(character) => safe.extend(character.escape_unicode()),
            _ => safe.push(character),
        }
    }
    safe
}

/// Returns whether a character is not shown but acted upon: controls (escape sequences begin with one), the marks that
/// turn the direction of text, the invisible ones, and the line separators.
pub(super) fn drives_a_terminal(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_stays_as_it_is() {
        assert_eq!(safe("pod/größe — 寿司"), "pod/größe — 寿司");
    }

    #[test]
    fn what_would_drive_a_terminal_is_shown_instead() {
        assert_eq!(
            safe("\u{1b}[31mred\u{1b}]0;title\u{7}"),
            r"\u{1b}[31mred\u{1b}]0;title\u{7}"
        );
        assert_eq!(safe("a\nb\rc\td"), r"a\nb\rc\td");
        assert_eq!(safe("\u{9b}31m\u{7f}"), r"\u{9b}31m\u{7f}");
        assert_eq!(
            safe("abc\u{202e}cba\u{2066}\u{200b}\u{2028}"),
            r"abc\u{202e}cba\u{2066}\u{200b}\u{2028}"
        );
    }

    #[test]
    fn what_is_longer_than_any_sensible_line_is_cut() {
        assert_eq!(safe(&"x".repeat(LONGEST)).len(), LONGEST);
        assert_eq!(safe(&"x".repeat(LONGEST + 1)), "x".repeat(LONGEST) + "…");
    }
}
