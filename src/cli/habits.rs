//! How words are read: as Go's pflag reads them for kubectl, where clap has other habits.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, Command, CommandFactory, FromArgMatches, Parser, ValueEnum};

use super::{Arguments, OutputArgument};

/// Returns the command as it reads words: a switch takes `=true` and `=false`, and a number may be negative. A value that
/// begins with a dash has to stand behind `=`, unlike pflag's: a forgotten value must not swallow a `--dry-run`.
pub(crate) fn command() -> Command {
    Arguments::command().mut_args(|argument| {
        if matches!(argument.get_action(), ArgAction::SetTrue) {
            switch(argument)
        } else if argument.is_positional() {
            argument
        } else {
            argument.allow_negative_numbers(true)
        }
    })
}

fn switch(argument: Arg) -> Arg {
    argument
        .action(ArgAction::Set)
        .num_args(0..=1)
        .require_equals(true)
        .value_name("true|false")
        .value_parser(parse_bool)
        .default_missing_value("true")
        .default_value("false")
}

/// Reads a truth value as Go does (`strconv.ParseBool`).
fn parse_bool(text: &str) -> Result<bool, String> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(false),
        _ => Err("must be true or false".to_owned()),
    }
}

/// Reads the words, the program's name first.
///
/// # Errors
/// Words that are none of the flags and types, and requests for help and the version, with their text.
pub(crate) fn parse(words: &[OsString]) -> Result<Arguments, clap::Error> {
    let asks_for_all = words.iter().any(|word| word == "--help");
    match command().try_get_matches_from(words) {
        Ok(mut matches) => Arguments::from_arg_matches_mut(&mut matches),
        // Its page shows switches as switches.
        Err(error) if error.kind() == ErrorKind::DisplayHelp => {
            Arguments::try_parse_from(["", if asks_for_all { "--help" } else { "-h" }])
        }
        Err(error) => Err(error),
    }
}

/// Returns the flag whose value the next word is; `flag` is a word without its first dash.
pub(crate) fn flag_of_next<'a>(flag: &str, command: &'a Command) -> Option<&'a Arg> {
    let mut valued = command.get_arguments().filter(|argument| {
        let optional = argument
            .get_num_args()
            .is_some_and(|number| number.min_values() == 0);
        argument.get_action().takes_values() && !argument.is_positional() && !optional
    });
    if let Some(long) = flag.strip_prefix('-') {
        return valued.find(|argument| argument.get_long() == Some(long));
    }
    // Letters may share a dash: the first that takes a value takes what follows it.
    let valued: Vec<&Arg> = valued.collect();
    let flag_of = |letter| valued.iter().find(|flag| flag.get_short() == Some(letter));
    let mut letters = flag.chars();
    let first = letters.find_map(flag_of)?;
    letters.next().is_none().then_some(first)
}

/// Returns the format that words ask for which as a whole cannot be read; `None` where they name none.
pub(crate) fn format_in(words: &[OsString]) -> Option<OutputArgument> {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let mut formats = words.iter().enumerate().filter_map(|(at, word)| {
        let value = word
            .strip_prefix("--output")
            .or_else(|| word.strip_prefix("-o"))?;
        match value.strip_prefix('=').unwrap_or(value) {
            "" => words.get(at + 1).map(AsRef::as_ref),
            value => Some(value),
        }
    });
    OutputArgument::from_str(formats.next_back()?, false).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::DryRun;

    fn words(line: &str) -> Vec<OsString> {
        let words = line.split_whitespace().map(OsString::from);
        [OsString::from("reap")].into_iter().chain(words).collect()
    }

    #[track_caller]
    fn read(line: &str) -> Arguments {
        parse(&words(line)).expect(line)
    }

    fn refusal(line: &str) -> ErrorKind {
        parse(&words(line)).expect_err(line).kind()
    }

    #[test]
    fn a_switch_takes_a_truth_value_and_the_last_one_wins() {
        for (line, expected) in [
            ("", (false, false)),
            ("-A -y", (true, true)),
            ("-Ay", (true, true)),
            ("-A=true --yes=true", (true, true)),
            ("--all-namespaces=1 --yes=T", (true, true)),
            ("-A=false --yes=false", (false, false)),
            ("-Ay=false", (true, false)),
            ("-A -A=false --yes=0 --yes", (false, true)),
        ] {
            let arguments = read(line);
            assert_eq!(
                (arguments.all_namespaces, arguments.yes),
                expected,
                "{line}"
            );
        }
        for line in ["--yes=maybe", "--yes=", "-A=yes"] {
            assert_eq!(refusal(line), ErrorKind::ValueValidation, "{line}");
        }
    }

    #[test]
    fn a_switch_leaves_the_next_word_alone() {
        let arguments = read("--yes true");
        assert!(arguments.yes);
        assert_eq!(arguments.words, ["true"]);
        let arguments = read("-An agents pods");
        assert!(arguments.all_namespaces);
        assert_eq!(arguments.namespace.as_deref(), Some("agents"));
        assert_eq!(arguments.words, ["pods"]);
    }

    #[test]
    fn of_a_value_given_twice_the_last_wins() {
        let arguments = read("-n a --namespace=b --max 1 --max=2 --dry-run=server --dry-run");
        assert_eq!(arguments.namespace.as_deref(), Some("b"));
        assert_eq!(
            (arguments.max, arguments.dry_run),
            (Some(2), DryRun::Client)
        );
    }

    #[test]
    fn a_number_may_be_negative() {
        assert_eq!(read("--grace-period -1").grace_period, -1);
        assert_eq!(read("-v -1").verbosity, -1);
        assert_eq!(refusal("--max -1"), ErrorKind::ValueValidation);
    }

    #[test]
    fn a_forgotten_value_swallows_no_flag() {
        for line in ["--cache-dir --dry-run --yes", "--run -A", "-l --yes"] {
            assert_eq!(refusal(line), ErrorKind::InvalidValue, "{line}");
        }
        assert_eq!(read("--run=--yes").run.as_deref(), Some("--yes"));
    }

    #[test]
    fn after_two_dashes_there_are_no_flags() {
        let arguments = read("-- --yes");
        assert!(!arguments.yes);
        assert_eq!(arguments.words, ["--yes"]);
    }

    #[test]
    fn help_shows_switches_as_switches() {
        for line in ["-h", "--help", "--yes -h"] {
            let error = parse(&words(line)).expect_err(line);
            assert_eq!(error.kind(), ErrorKind::DisplayHelp);
            assert!(!error.to_string().contains("true|false"), "{line}: {error}");
        }
        let long = parse(&words("--help")).expect_err("help").to_string();
        let short = parse(&words("-h")).expect_err("help").to_string();
        assert!(long.len() > short.len());
    }

    #[test]
    fn the_format_is_found_in_words_that_cannot_be_read() {
        for line in [
            "-o json --nonsense",
            "--nonsense -ojson",
            "--nonsense --output json",
            "--output=yaml --nonsense -o=json",
        ] {
            assert_eq!(
                format_in(&words(line)),
                Some(OutputArgument::Json),
                "{line}"
            );
        }
        for line in ["--nonsense", "-o xml", "--nonsense -o"] {
            assert_eq!(format_in(&words(line)), None, "{line}");
        }
    }
}
