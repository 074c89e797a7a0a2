//! What the program is asked to do, as its file name and the words after it say.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::error::ErrorKind;
use clap::{ArgAction, Command};

/// What the program is asked to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Invocation {
    /// To reap, with these words: the program's name first and no sub-command.
    Reap(Vec<OsString>),
    /// To print its help.
    Help,
    /// To complete the last of these words.
    Complete(Vec<OsString>),
}

impl Invocation {
    /// Reads the command line, the file name first. `reap` knows which flags take a value.
    ///
    /// kubectl finds the plugin under each of its names, and replaces dashes within a word by underscores: only
    /// `kubectl-ironflow` is given the word `reap`.
    ///
    /// # Errors
    /// If `kubectl-ironflow` is given another sub-command.
    pub(crate) fn read(
        arguments: impl IntoIterator<Item = OsString>,
        reap: &Command,
    ) -> Result<Self, clap::Error> {
        let mut words: Vec<OsString> = arguments.into_iter().collect();
        let name = words.first().map(|path| name(path)).unwrap_or_default();
        if name.starts_with("kubectl_complete") {
            return Ok(Self::Complete(words.split_off(1)));
        }
        if name != "kubectl-ironflow" {
            return Ok(Self::Reap(words));
        }
        match sub_command(&words, reap) {
            Some(index) if words[index] == "reap" => {
                words.remove(index);
                Ok(Self::Reap(words))
            }
            Some(index) if words[index] == "help" => Ok(Self::Help),
            Some(index) => Err(clap::Error::raw(
                ErrorKind::InvalidSubcommand,
                format!(
                    "unknown command `{}` for \"kubectl ironflow\"; use `kubectl ironflow reap`\n",
                    words[index].display()
                ),
            )),
            None => {
                // Wrong flags are told, and --version is answered.
                reap.clone().try_get_matches_from(words)?;
                Ok(Self::Help)
            }
        }
    }
}

/// The file name without folders and `.exe`; a link is not followed, because krew's link is what names the plugin.
fn name(path: &OsStr) -> String {
    let name = Path::new(path).file_name().unwrap_or_default();
    let name = name.to_string_lossy();
    match name.rsplit_once('.') {
        Some((stem, extension)) if extension.eq_ignore_ascii_case("exe") => stem.to_owned(),
        _ => name.into_owned(),
    }
}

/// The place of the first word that is neither the program, nor a flag, nor a flag's value.
fn sub_command(words: &[OsString], reap: &Command) -> Option<usize> {
    let mut index = 1;
    loop {
        let word = words.get(index)?.to_string_lossy();
        match word.strip_prefix('-') {
            None | Some("") => return Some(index),
            Some("-") => return None,
            Some(flag) => index += 1 + usize::from(takes_next(flag, reap)),
        }
    }
}

/// Whether a flag, without its first dash, takes the next word for its value.
fn takes_next(flag: &str, reap: &Command) -> bool {
    if let Some(long) = flag.strip_prefix('-') {
        return takes_value(reap, |argument| argument.get_long() == Some(long));
    }
    let valued =
        |letter: &char| takes_value(reap, |argument| argument.get_short() == Some(*letter));
    flag.chars().position(|letter| valued(&letter)) == Some(flag.chars().count() - 1)
}

fn takes_value(reap: &Command, is_meant: impl Fn(&clap::Arg) -> bool) -> bool {
    let mut arguments = reap.get_arguments();
    arguments
        .find(|argument| is_meant(argument))
        .is_some_and(|argument| {
            let optional = argument
                .get_num_args()
                .is_some_and(|range| range.min_values() == 0);
            matches!(argument.get_action(), ArgAction::Set | ArgAction::Append) && !optional
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command;

    fn read(line: &str) -> Result<Invocation, clap::Error> {
        let words = line.split(' ').map(OsString::from);
        Invocation::read(words, &command())
    }

    fn reap(line: &str) -> Invocation {
        Invocation::Reap(line.split(' ').map(OsString::from).collect())
    }

    #[track_caller]
    fn assert_reads(line: &str, expected: &Invocation) {
        assert_eq!(read(line).expect(line), *expected, "{line}");
    }

    #[test]
    fn kubectl_ironflow_drops_the_sub_command() {
        assert_reads(
            "kubectl-ironflow reap pods -n a",
            &reap("kubectl-ironflow pods -n a"),
        );
        assert_reads(
            "/krew/bin/kubectl-ironflow reap",
            &reap("/krew/bin/kubectl-ironflow"),
        );
        assert_reads("kubectl-ironflow.exe reap", &reap("kubectl-ironflow.exe"));
        assert_reads("kubectl-ironflow.EXE reap", &reap("kubectl-ironflow.EXE"));
        assert_reads("kubectl-ironflow reap reap", &reap("kubectl-ironflow reap"));
    }

    #[test]
    fn flags_may_stand_before_the_sub_command() {
        for flags in [
            "-A",
            "-n reap",
            "-nreap",
            "-An reap",
            "--namespace reap",
            "--namespace=a",
            "--dry-run",
            "-y",
        ] {
            assert_reads(
                &format!("kubectl-ironflow {flags} reap pods"),
                &reap(&format!("kubectl-ironflow {flags} pods")),
            );
        }
    }

    #[test]
    fn kubectl_ironflow_prints_help_without_the_sub_command() {
        for line in [
            "kubectl-ironflow",
            "kubectl-ironflow help",
            "kubectl-ironflow help reap",
            "kubectl-ironflow --yes",
            "kubectl-ironflow -n reap",
        ] {
            assert_reads(line, &Invocation::Help);
        }
    }

    #[test]
    fn kubectl_ironflow_refuses_another_sub_command_and_wrong_flags() {
        for (line, kind) in [
            ("kubectl-ironflow pods --yes", ErrorKind::InvalidSubcommand),
            ("kubectl-ironflow rea", ErrorKind::InvalidSubcommand),
            ("kubectl-ironflow - reap", ErrorKind::InvalidSubcommand),
            ("kubectl-ironflow --nonsense", ErrorKind::UnknownArgument),
            ("kubectl-ironflow --version", ErrorKind::DisplayVersion),
        ] {
            assert_eq!(read(line).expect_err(line).kind(), kind, "{line}");
        }
        assert_reads("kubectl-ironflow -- reap", &Invocation::Help);
    }

    #[test]
    fn any_other_name_takes_no_sub_command() {
        for name in [
            "kubectl-ironflow-reap",
            "kubectl-ironflow_reap",
            "reaper",
            "kubectl-ironflow.txt",
        ] {
            let line = format!("{name} reap");
            assert_reads(&line, &reap(&line));
        }
        assert_eq!(
            Invocation::read([], &command()).expect("no words at all"),
            Invocation::Reap(Vec::new())
        );
    }

    #[test]
    fn a_completing_name_only_ever_completes() {
        for name in [
            "kubectl_complete-ironflow",
            "/bin/kubectl_complete-ironflow-reap",
            "kubectl_complete.exe",
        ] {
            let words = ["reap", "--yes"].map(OsString::from).to_vec();
            assert_reads(&format!("{name} reap --yes"), &Invocation::Complete(words));
        }
    }
}
