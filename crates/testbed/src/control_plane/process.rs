//! A program that ends when this process does, however this process ends.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

/// Runs the program `$2…`, kills it when stdin closes, and then throws the folder `$1` away.
///
/// The kernel closes our end of the pipe whatever ends us. A program that ends by itself leaves its folder.
const GUARD: &str = r#"
folder=$1; shift; exec 3<&0
"$@" 3<&- & program=$!
{ cat <&3 >/dev/null; : >"$folder/closed"; kill -9 $program; } & watch=$!
wait $program; code=$?
if [ -e "$folder/closed" ]; then rm -rf "$folder"; rmdir "${folder%/*}"; else kill $watch; fi
exit $code
"#;

/// How long a program may take to listen, on a machine that compiles at the same time.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running program with a folder of its own; dropping it ends the program and removes the folder.
#[derive(Debug)]
pub(super) struct Process {
    guard: Child,
    alive: Option<ChildStdin>,
    folder: PathBuf,
}

impl Process {
    /// Starts `program` with its output going to a log in `folder`.
    pub(super) fn start(program: &Path, folder: &Path, arguments: &[String]) -> Result<Self> {
        let log = File::create(log(folder))?;
        let mut guard = Command::new("sh")
            .args(["-c", GUARD, "sh"])
            .arg(folder)
            .arg(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(log.try_clone()?)
            .stderr(log)
            // Ctrl-C at the terminal must not end the guard before the program.
            .process_group(0)
            .spawn()
            .context("sh does not start")?;
        let alive = guard.stdin.take();
        Ok(Self {
            guard,
            alive,
            folder: folder.to_owned(),
        })
    }

    /// Waits until the program listens on `port` of loopback.
    ///
    /// The error quotes the end of the program's log.
    pub(super) fn await_port(&mut self, port: u16) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        while let Err(error) = TcpStream::connect((Ipv4Addr::LOCALHOST, port)) {
            ensure!(error.kind() == ErrorKind::ConnectionRefused, error);
            ensure!(
                Instant::now() < deadline,
                "no answer after {PATIENCE:?}: {}",
                self.last_words()
            );
            self.check()?;
            std::thread::sleep(Duration::from_millis(20));
        }
        self.check()
    }

    /// Fails with the end of the program's log where the program has ended.
    pub(super) fn check(&mut self) -> Result<()> {
        if let Some(status) = self.guard.try_wait()? {
            bail!("ended with {status}: {}", self.last_words());
        }
        Ok(())
    }

    fn last_words(&self) -> String {
        let log = fs::read(log(&self.folder)).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let lines: Vec<&str> = log.lines().collect();
        format!(
            "{}:\n{}",
            self.folder.display(),
            lines[lines.len().saturating_sub(20)..].join("\n")
        )
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.alive.take());
        // Nothing can be done about a guard that cannot be waited for.
        drop(self.guard.wait());
    }
}

fn log(folder: &Path) -> PathBuf {
    folder.join("log")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(folder: &Path, script: &str) -> Process {
        fs::create_dir(folder).expect("a new folder");
        Process::start(
            Path::new("/bin/sh"),
            folder,
            &["-c".to_owned(), script.to_owned()],
        )
        .expect("a shell")
    }

    #[test]
    fn a_program_that_ends_is_reported_with_its_last_words() {
        let root = tempfile::tempdir().expect("a folder");
        let mut process = start(&root.path().join("program"), "echo no such flag; exit 3");
        let port = 1;
        let error = process
            .await_port(port)
            .expect_err("nothing listens")
            .to_string();
        assert!(
            error.contains("exit status: 3") && error.contains("no such flag"),
            "{error}"
        );
    }

    #[test]
    fn a_dropped_program_is_gone_with_its_folder() {
        let root = tempfile::tempdir().expect("a folder");
        let pipe = root.path().join("pipe");
        Command::new("mkfifo").arg(&pipe).status().expect("a pipe");
        let script = format!("echo ready >'{0}'; exec sleep 1000 >'{0}'", pipe.display());
        let folder = root.path().join("program");
        let process = start(&folder, &script);
        let mut reader = File::open(&pipe).expect("a program that writes");
        drop(process);
        let mut output = String::new();
        std::io::Read::read_to_string(&mut reader, &mut output)
            .expect("an end, when nobody writes any more");
        assert_eq!((output.as_str(), folder.exists()), ("ready\n", false));
    }
}
