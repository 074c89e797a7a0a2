//! What the last word on a command line is to be: a flag, the value of one, a type or a name.

use clap::{Arg, Command};

use crate::cli::flag_of_next;

/// What the last word is to be.
#[derive(Debug)]
pub(super) enum Wanted<'a> {
    Flag,
    /// The value of a flag, of which so much is there.
    Value {
        flag: &'a Arg,
        begun: &'a str,
    },
    Word(Word<'a>),
}

/// A word that belongs to no flag.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Word<'a> {
    /// A type, behind the earlier ones of a list: `pods,jobs,`.
    Type { earlier: &'a str },
    /// A name, behind `pod/` where types and names stand together.
    Name {
        types: &'a str,
        prefix: &'a str,
        /// The names that are there already.
        given: Vec<&'a str>,
    },
}

impl<'a> Wanted<'a> {
    /// Returns the beginning that candidates must have; `word` is the last word.
    pub(super) fn begun(&self, word: &'a str) -> &'a str {
        match self {
            Self::Value { begun, .. } => begun,
            Self::Flag | Self::Word(_) => word,
        }
    }
}

/// Finds out what `begun` is to be behind the words before it.
pub(super) fn wanted<'a>(begun: &'a str, before: &'a [String], command: &'a Command) -> Wanted<'a> {
    let mut words = vec![];
    let mut rest = before.iter();
    let mut takes_flags = true;
    while let Some(word) = rest.next() {
        match word.strip_prefix('-') {
            Some("-") if takes_flags => takes_flags = false,
            Some(flag) if takes_flags && !flag.is_empty() => {
                if let Some(flag) = flag_of_next(flag, command)
                    && rest.next().is_none()
                {
                    return Wanted::Value { flag, begun };
                }
            }
            Some(_) | None => words.push(word.as_str()),
        }
    }
    if takes_flags && begun.starts_with('-') {
        return flag_with_value(begun, command).unwrap_or(Wanted::Flag);
    }
    Wanted::Word(word_behind(&words, begun))
}

/// `--flag=va`
fn flag_with_value<'a>(begun: &'a str, command: &'a Command) -> Option<Wanted<'a>> {
    let (name, begun) = begun.strip_prefix("--")?.split_once('=')?;
    let mut flags = command.get_arguments();
    let flag = flags.find(|argument| argument.get_long() == Some(name))?;
    Some(Wanted::Value { flag, begun })
}

fn word_behind<'a>(words: &[&'a str], begun: &'a str) -> Word<'a> {
    if let Some((kind, _)) = begun.split_once('/') {
        let prefix = &begun[..=kind.len()];
        return Word::Name {
            types: kind,
            prefix,
            given: words
                .iter()
                .filter_map(|word| word.strip_prefix(prefix))
                .collect(),
        };
    }
    match words {
        [types, given @ ..] if !types.contains('/') => Word::Name {
            types,
            prefix: "",
            given: given.to_vec(),
        },
        _ => Word::Type {
            earlier: begun.rfind(',').map_or("", |comma| &begun[..=comma]),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command;

    /// What is wanted behind these words, as text.
    fn after(line: &str) -> String {
        let command = command();
        let words: Vec<String> = line.split(' ').map(ToOwned::to_owned).collect();
        let (begun, before) = words.split_last().expect("a last word");
        match wanted(begun, before, &command) {
            Wanted::Flag => "a flag".to_owned(),
            Wanted::Value { flag, begun } => format!("{} {begun}", flag.get_id()),
            Wanted::Word(Word::Type { earlier }) => format!("a type behind `{earlier}`"),
            Wanted::Word(Word::Name {
                types,
                prefix,
                given,
            }) => format!("a name of {types} behind `{prefix}`, not {given:?}"),
        }
    }

    #[test]
    fn what_begins_with_a_dash_is_a_flag() {
        for line in ["-", "--", "--na", "pods --na", "-A --na"] {
            assert_eq!(after(line), "a flag", "{line}");
        }
        assert_eq!(after("-- --na"), "a type behind ``");
    }

    #[test]
    fn a_flag_that_takes_a_value_wants_one() {
        assert_eq!(after("--namespace ag"), "namespace ag");
        assert_eq!(after("-n ag"), "namespace ag");
        assert_eq!(after("-An ag"), "namespace ag");
        assert_eq!(after("--namespace=ag"), "namespace ag");
        assert_eq!(after("pods --context "), "context ");
        assert_eq!(after("--dry-run=se"), "dry_run se");
    }

    #[test]
    fn behind_a_flag_that_is_complete_comes_a_type() {
        for line in [
            "-n ag ",
            "--namespace=ag ",
            "-nag ",
            "-A ",
            "--dry-run ",
            "",
        ] {
            assert_eq!(after(line), "a type behind ``", "{line}");
        }
        assert_eq!(after("--nonsense "), "a type behind ``");
    }

    #[test]
    fn types_may_be_a_list() {
        assert_eq!(after("pods,jo"), "a type behind `pods,`");
        assert_eq!(after("pods,jobs,"), "a type behind `pods,jobs,`");
    }

    #[test]
    fn behind_a_type_come_names_that_are_not_there_yet() {
        assert_eq!(after("pods "), "a name of pods behind ``, not []");
        assert_eq!(
            after("-n x pods a -A b"),
            r#"a name of pods behind ``, not ["a"]"#
        );
        assert_eq!(after("pod/"), "a name of pod behind `pod/`, not []");
        assert_eq!(
            after("pod/a job/b pod/c"),
            r#"a name of pod behind `pod/`, not ["a"]"#
        );
        assert_eq!(after("pod/a "), "a type behind ``");
    }
}
