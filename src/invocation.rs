//! What the program is asked to do, as its file name and the words after it say.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::Command;
use clap::error::ErrorKind;

use crate::cli::flag_of_next;

/// What the program is asked to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Invocation {
    /// To reap, with these words: the program's name first and no sub-command.
    Reap(Vec<OsString>),
    /// To print its help.
    Help,
    /// To complete the last of these words, the program's name and the sub-command left out; none, where there is
    /// nothing to complete.
    Complete(Vec<OsString>),
    /// To complete the sub-command, of which this is the beginning.
    CompleteSubCommand(OsString),
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
        if let Some(name) = name.strip_prefix("kubectl_complete") {
            return Ok(Self::complete(words, name == "-ironflow", reap));
        }
        let is_asked = words.get(1).is_some_and(|word| word == "__complete");
        if is_asked {
            words.remove(1);
            return Ok(Self::complete(words, name == "kubectl-ironflow", reap));
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

    /// Where a sub-command is taken, it goes before the words that are completed here.
    fn complete(mut words: Vec<OsString>, takes_sub_command: bool, reap: &Command) -> Self {
        let last = words.len().saturating_sub(1);
        match sub_command(&words, reap).filter(|_| takes_sub_command) {
            Some(index) if index == last => Self::CompleteSubCommand(words.swap_remove(last)),
            Some(index) if words[index] != "reap" => Self::Complete(vec![]),
            sub_command => {
                let words = words.into_iter().enumerate().skip(1);
                let others = words.filter(|(index, _)| Some(*index) != sub_command);
                Self::Complete(others.map(|(_, word)| word).collect())
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
            Some(flag) => index += 1 + usize::from(flag_of_next(flag, reap).is_some()),
        }
    }
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

    fn complete(line: &str) -> Invocation {
        Invocation::Complete(line.split(' ').map(OsString::from).collect())
    }

    #[test]
    fn a_completing_name_only_ever_completes() {
        for name in [
            "/bin/kubectl_complete-ironflow-reap",
            "kubectl_complete-ironflow_reap",
            "kubectl_complete.exe",
            "kubectl-ironflow-reap __complete",
            "kubectl-ironflow __complete reap",
            "kubectl_complete-ironflow reap",
        ] {
            assert_reads(&format!("{name} po --yes"), &complete("po --yes"));
            assert_reads(&format!("{name} -n "), &complete("-n "));
        }
    }

    #[test]
    fn flags_may_stand_before_the_sub_command_when_words_are_completed() {
        assert_reads(
            "kubectl_complete-ironflow -n reap reap po",
            &complete("-n reap po"),
        );
        assert_reads("kubectl_complete-ironflow -n re", &complete("-n re"));
        assert_reads("kubectl_complete-ironflow --na", &complete("--na"));
    }

    #[test]
    fn the_sub_command_is_completed_where_one_is_taken() {
        let begun = |word: &str| Invocation::CompleteSubCommand(word.into());
        assert_reads("kubectl_complete-ironflow ", &begun(""));
        assert_reads("kubectl_complete-ironflow -A re", &begun("re"));
        assert_reads("kubectl-ironflow __complete re", &begun("re"));
        assert_reads("kubectl_complete-ironflow-reap re", &complete("re"));
        let nothing = Invocation::Complete(vec![]);
        assert_reads("kubectl_complete-ironflow pods x", &nothing);
        assert_reads("kubectl_complete-ironflow", &nothing);
    }
}
