//! The release's workflow: sound, and built on actions that nobody can exchange.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};
use libtest_mimic::Trial;

use crate::harness::{run, trials};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/.github/workflows");

pub(crate) fn trials() -> Vec<Trial> {
    trials![quick:
        the_linter_finds_nothing_in_the_workflows,
        the_linter_finds_what_is_wrong,
        every_action_is_pinned_by_its_commit,
    ]
}

fn workflows() -> Result<Vec<String>> {
    let files = fs::read_dir(FOLDER)?;
    let paths: Vec<String> = files
        .map(|file| Ok(file?.path().display().to_string()))
        .collect::<Result<_>>()?;
    ensure!(!paths.is_empty(), "no workflow in {FOLDER}");
    Ok(paths)
}

fn the_linter_finds_nothing_in_the_workflows() -> Result<()> {
    run(Command::new(testbed::krew::actionlint()?).args(workflows()?)).map(drop)
}

fn the_linter_finds_what_is_wrong() -> Result<()> {
    let wrong = tempfile::NamedTempFile::new()?;
    fs::write(
        wrong.path(),
        "on: push\njobs: { a: { runs-on: ubuntu-latest, steps: [{ uses: x }] } }\n",
    )?;
    let output = Command::new(testbed::krew::actionlint()?)
        .arg(wrong.path())
        .output()?;
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    Ok(())
}

fn every_action_is_pinned_by_its_commit() -> Result<()> {
    for path in workflows()? {
        let text = fs::read_to_string(Path::new(&path))?;
        let mut actions = text.lines().filter_map(|line| line.split_once("uses: "));
        let is_commit = |version: &str| {
            version.len() == 40 && version.bytes().all(|digit| digit.is_ascii_hexdigit())
        };
        let pinned = |action: &str| {
            let (reference, comment) = action.split_once(" # ")?;
            let (_, version) = reference.split_once('@')?;
            (is_commit(version) && comment.starts_with('v')).then_some(())
        };
        let loose = actions.find(|(_, action)| pinned(action).is_none());
        ensure!(
            loose.is_none(),
            "{path}: {loose:?} is not pinned by commit and version"
        );
    }
    Ok(())
}
