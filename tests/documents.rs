//! README, CHANGELOG and the program agree.
//!
//! Each `console` block of README is run in a terminal, on the playground's objects with a clock that stands still, and
//! compared byte by byte. `REAP_BLESS=1 cargo test --test documents` writes what the program prints into README.

#![expect(
    clippy::unwrap_used,
    reason = "a document that cannot be read fails the test"
)]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use http::Method;
use k8s_openapi::jiff::Timestamp;
use testbed::cluster::Cluster;
use testbed::memory::{Fault, Served, Server, on};
use testbed::objects::NAMESPACE;
use testbed::playground::heap;
use testbed::terminal::Terminal;

const PLUGIN: &str = env!("CARGO_BIN_EXE_kubectl-ironflow-reap");
/// How README writes the port, which differs from run to run.
const PORT: &str = "6443";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// The playground's objects, as they are now and stay.
fn playground() -> Served {
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs();
    let server = Server::new();
    server
        .clock()
        .fix(Timestamp::from_second(now.try_into().unwrap()).unwrap());
    for (position, object) in heap(now).into_iter().enumerate() {
        // Deletions are told as they end: here one after another, as they are listed.
        let name = object["metadata"]["name"].as_str().unwrap();
        let delay = Duration::from_millis(40) * position.try_into().unwrap();
        server.fault(on(Method::DELETE, format!("/{name}")), Fault::delay(delay));
        server.add(object);
    }
    server.serve().unwrap()
}

/// Runs the plugin in a terminal, answers as the block does, and returns what was on the screen.
fn screen(served: &Served, command: &str, answers: &[&str]) -> String {
    let home = tempfile::tempdir().unwrap();
    let kubeconfig = home.path().join("kubeconfig");
    fs::write(&kubeconfig, served.kubeconfig(NAMESPACE)).unwrap();
    let arguments = command
        .strip_prefix("kubectl ironflow reap")
        .expect("a block runs the plugin");
    let mut plugin = Command::new(PLUGIN);
    plugin
        .args(arguments.split_whitespace())
        .env_clear()
        .env("HOME", home.path())
        .env("KUBECONFIG", kubeconfig)
        .env("TERM", "dumb");
    let mut terminal = Terminal::start(&plugin, 60, 100).unwrap();
    for answer in answers {
        terminal.wait_for("[y/N] ").unwrap();
        terminal.type_text(&format!("{answer}\n")).unwrap();
    }
    let output = terminal.finish().unwrap().output;
    let port = served.address().port().to_string();
    output.replace("\r\n", "\n").replace(&port, PORT)
}

/// Returns a block as it has to be: the same commands, with what they print.
fn played(block: &str) -> String {
    let served = playground();
    let mut played = String::new();
    for run in block.split("$ ").skip(1) {
        let (command, expected) = run.split_once('\n').unwrap_or((run, ""));
        let answers: Vec<&str> = expected
            .lines()
            .filter_map(|line| Some(line.rsplit_once("[y/N] ")?.1))
            .collect();
        let screen = screen(&served, command, &answers);
        played.extend(["$ ", command, "\n", &screen]);
    }
    played
}

/// Splits a document into what stands outside and inside of its fenced blocks: text, language, block, text, ….
fn fences(text: &str) -> Vec<&str> {
    text.split("```").collect()
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "whoever changes the program blesses README"
)]
fn readme_shows_what_the_program_prints() {
    let readme = read("README.md");
    let mut expected = Vec::new();
    let mut runs = 0;
    for (position, part) in fences(&readme).into_iter().enumerate() {
        let is_fenced = position % 2 == 1;
        expected.push(match part.split_once('\n') {
            Some(("console", block)) if is_fenced => {
                runs += 1;
                format!("console\n{}", played(block))
            }
            Some(("yaml", _)) if is_fenced => format!("yaml\n{}", role()),
            Some(_) | None => part.to_owned(),
        });
    }
    let expected = expected.join("```");
    assert!(runs > 5, "README shows {runs} runs");
    if std::env::var_os("REAP_BLESS").is_some() {
        fs::write(root().join("README.md"), &expected).unwrap();
    }
    assert!(
        read("README.md") == expected,
        "README shows something else than the program prints; `REAP_BLESS=1 cargo test --test documents` mends it:\n{expected}"
    );
}

#[test]
fn every_block_of_readme_is_of_a_sort_that_is_checked() {
    let readme = read("README.md");
    for fence in fences(&readme).iter().skip(1).step_by(2) {
        let language = fence.lines().next().unwrap();
        assert!(
            ["console", "sh", "yaml"].contains(&language),
            "nobody checks a block of `{language}`"
        );
        let shows_output = language == "sh" && fence.contains("$ ");
        assert!(
            !shows_output,
            "output belongs into a console block: {fence}"
        );
    }
}

/// The Role that the program prints where every right is missing.
fn role() -> String {
    let served = playground();
    served.authorize(|_| false);
    let screen = screen(&served, "kubectl ironflow reap", &[]);
    screen[screen.find("apiVersion: rbac").expect("a Role to paste")..].to_owned()
}

#[test]
fn the_changelog_describes_this_version() {
    let heading = format!("\n## [{}] - ", env!("CARGO_PKG_VERSION"));
    assert!(read("CHANGELOG.md").contains(&heading), "no {heading}");
}

#[test]
fn each_test_that_a_promise_names_exists() {
    let development = read("DEVELOPMENT.md");
    let words = development.split('`').skip(1).step_by(2);
    let mut named = 0;
    for (file, test) in words.filter_map(|word| word.split_once("::")) {
        let path = root().join(format!("tests/cli/{file}.rs"));
        let Ok(source) = fs::read_to_string(&path) else {
            continue;
        };
        named += 1;
        assert!(
            source.contains(&format!("fn {test}()")),
            "there is no {file}::{test}"
        );
    }
    assert!(named > 40, "the promises name {named} tests");
}
