//! kubectl's completion protocol: the words so far in, candidates for the last one out.

mod cluster;
mod wanted;

use std::ffi::{OsStr, OsString};

use clap::{Arg, Command};

use crate::cli::command;
use cluster::Known;
use wanted::{Wanted, Word, wanted};

/// One word that may stand in the place of the last.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Candidate {
    pub(crate) text: String,
    /// What it means in a few words; may be empty.
    pub(crate) description: String,
}

impl Candidate {
    pub(crate) fn new(text: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            description: description.into(),
        }
    }
}

/// Returns what the last of the words may become, in order; nothing where there is none, and where the cluster that it depends on cannot be asked.
pub(crate) fn complete(words: &[OsString]) -> Vec<Candidate> {
    let command = command();
    let words: Vec<String> = words
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let Some((begun, before)) = words.split_last() else {
        return vec![];
    };
    let wanted = wanted(begun, before, &command);
    let mut candidates = match &wanted {
        Wanted::Flag => flags(&command),
        Wanted::Value { flag, .. } => values(flag, before),
        Wanted::Word(word) => self::words(word, before),
    };
    let begun = wanted.begun(begun);
    candidates.retain(|candidate| candidate.text.starts_with(begun));
    candidates.sort();
    candidates.dedup();
    candidates
}

/// Returns the sub-command that `begun` may become.
pub(crate) fn complete_sub_command(begun: &OsStr) -> Vec<Candidate> {
    let about = command().get_about().map(ToString::to_string);
    let reap = Candidate::new("reap", about.unwrap_or_default());
    let begun = begun.to_string_lossy();
    [reap]
        .into_iter()
        .filter(|reap| reap.text.starts_with(&*begun))
        .collect()
}

fn flags(command: &Command) -> Vec<Candidate> {
    let shown = command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set());
    shown
        .flat_map(|argument| {
            let help = argument.get_help().map(ToString::to_string);
            let long = argument.get_long().map(|long| format!("--{long}"));
            let short = argument.get_short().map(|short| format!("-{short}"));
            let texts = long.into_iter().chain(short);
            texts.map(move |text| Candidate::new(text, help.clone().unwrap_or_default()))
        })
        .collect()
}

fn values(flag: &Arg, before: &[String]) -> Vec<Candidate> {
    let known = || Known::of(before);
    match flag.get_id().as_str() {
        "namespace" => known().namespaces(),
        "run" => known().runs(),
        "context" => known().contexts(),
        "cluster" => known().clusters(),
        "user" => known().users(),
        "dry_run" => ["none", "client", "server"]
            .map(|value| Candidate::new(value, ""))
            .into(),
        _ => {
            let values = flag.get_possible_values();
            values
                .iter()
                .map(|value| {
                    let help = value.get_help().map(ToString::to_string);
                    Candidate::new(value.get_name(), help.unwrap_or_default())
                })
                .collect()
        }
    }
}

fn words(word: &Word<'_>, before: &[String]) -> Vec<Candidate> {
    match word {
        Word::Type { earlier } => [
            "all",
            "configmaps",
            "jobs",
            "persistentvolumeclaims",
            "pods",
        ]
        .map(|kind| Candidate::new(format!("{earlier}{kind}"), ""))
        .into(),
        Word::Name {
            types,
            prefix,
            given,
        } => {
            let names = Known::of(before).objects(types);
            names
                .into_iter()
                .filter(|name| !given.contains(&name.text.as_str()))
                .map(|name| Candidate::new(format!("{prefix}{}", name.text), name.description))
                .collect()
        }
    }
}
