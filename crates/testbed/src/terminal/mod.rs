//! A program in a pseudo-terminal, as a person at the keyboard sees it.

mod screen;

use std::io::Write;
use std::process::Command;
use std::sync::Arc;
use std::thread;

use anyhow::{Context, Result, ensure};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use screen::{PATIENCE, Screen};

/// A running program whose stdin, stdout and stderr are one terminal; dropping it kills the program.
pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keyboard: Box<dyn Write + Send>,
    screen: Arc<Screen>,
    /// Bytes of the output that [`Terminal::wait_for`] has passed.
    passed: usize,
}

/// What is left of a program that has ended.
#[derive(Debug)]
pub struct Finished {
    /// Exit code.
    pub code: u32,
    /// Name of the signal that ended it, where one did.
    pub signal: Option<String>,
    /// Everything that appeared on the terminal, what was typed and control sequences included; lines end with `\r\n`.
    pub output: String,
}

impl Terminal {
    /// Starts the command in a new terminal of `rows` and `columns`.
    ///
    /// Program, arguments, folder and variables are taken from the command; it inherits no variables. To send one of the
    /// streams elsewhere, run it by `sh -c '"$@" >file' sh …`.
    ///
    /// # Errors
    ///
    /// Where there are no terminals to be had, or no such program.
    pub fn start(command: &Command, rows: u16, columns: u16) -> Result<Self> {
        let size = PtySize {
            rows,
            cols: columns,
            ..PtySize::default()
        };
        let pair = native_pty_system().openpty(size)?;
        let mut builder = CommandBuilder::new(command.get_program());
        builder.args(command.get_args());
        builder.env_clear();
        for (name, value) in command.get_envs() {
            if let Some(value) = value {
                builder.env(name, value);
            }
        }
        if let Some(folder) = command.get_current_dir() {
            builder.cwd(folder);
        }
        let child = pair.slave.spawn_command(builder)?;
        // The output ends when nobody holds the other side any more.
        drop(pair.slave);
        let screen = Arc::new(Screen::default());
        let reader = pair.master.try_clone_reader()?;
        let keyboard = pair.master.take_writer()?;
        let filled = Arc::clone(&screen);
        thread::spawn(move || filled.fill(reader));
        Ok(Self {
            child,
            master: pair.master,
            keyboard,
            screen,
            passed: 0,
        })
    }

    /// Types `text`; Enter is `\r`, Ctrl-C `\x03`, Ctrl-D `\x04`.
    ///
    /// # Errors
    ///
    /// Where the program has ended.
    pub fn type_text(&mut self, text: &str) -> Result<()> {
        self.keyboard.write_all(text.as_bytes())?;
        self.keyboard
            .flush()
            .with_context(|| format!("typing {text:?}"))
    }

    /// Waits until `text` appears after what was waited for before.
    ///
    /// # Errors
    ///
    /// Shows the output where it ends, or a minute passes, without the text.
    pub fn wait_for(&mut self, text: &str) -> Result<()> {
        let begin = self.passed;
        let find = |bytes: &[u8]| {
            let mut windows = bytes[begin..].windows(text.len());
            windows.position(|window| window == text.as_bytes())
        };
        let output = self
            .screen
            .wait_until(|output| output.ended || find(&output.bytes).is_some());
        let found = find(&output.bytes);
        let shown = String::from_utf8_lossy(&output.bytes);
        self.passed +=
            found.with_context(|| format!("no {text:?} on the terminal: {shown}"))? + text.len();
        Ok(())
    }

    /// Changes the size of the terminal.
    ///
    /// # Errors
    ///
    /// Where the terminal is gone.
    pub fn resize(&self, rows: u16, columns: u16) -> Result<()> {
        self.master.resize(PtySize {
            rows,
            cols: columns,
            ..PtySize::default()
        })
    }

    /// Process id of the program, to send it signals.
    #[must_use]
    pub fn process_id(&self) -> Option<u32> {
        self.child.process_id()
    }

    /// Waits until the program ends.
    ///
    /// # Errors
    ///
    /// Shows the output where it has not ended after a minute.
    pub fn finish(mut self) -> Result<Finished> {
        let output = self.screen.wait_until(|output| output.ended);
        let shown = String::from_utf8_lossy(&output.bytes).into_owned();
        ensure!(output.ended, "still running after {PATIENCE:?}: {shown}");
        drop(output);
        let status = self.child.wait()?;
        let signal = status.signal().map(str::to_owned);
        Ok(Finished {
            code: status.exit_code(),
            signal,
            output: shown,
        })
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A program that was waited for may have left its process id to another one.
        if let Ok(None) = self.child.try_wait() {
            drop(self.child.kill());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Terminal {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]).env("PATH", "/usr/bin:/bin");
        Terminal::start(&command, 30, 90).expect("a terminal")
    }

    #[test]
    fn what_is_typed_reaches_the_program_as_lines() {
        let mut terminal = shell(r#"printf 'name? '; read name; echo "hello $name"; exit 7"#);
        terminal.wait_for("name? ").expect("the question");
        terminal.type_text("you\r").expect("a keyboard");
        let finished = terminal.finish().expect("an end");
        assert_eq!(finished.output, "name? you\r\nhello you\r\n");
        assert_eq!((finished.code, finished.signal), (7, None));
    }

    #[test]
    fn the_same_text_is_waited_for_once_more_each_time() {
        let mut terminal = shell("echo again; read line; echo again");
        terminal.wait_for("again").expect("the first");
        terminal.type_text("\r").expect("a keyboard");
        terminal.wait_for("again").expect("the second");
        let error = terminal.wait_for("again").expect_err("no third");
        assert!(
            error
                .to_string()
                .starts_with("no \"again\" on the terminal"),
            "{error}"
        );
    }

    #[test]
    fn ctrl_c_ends_a_program_by_a_signal() {
        let mut terminal = shell("echo ready; exec sleep 1000");
        terminal.wait_for("ready").expect("a start");
        terminal.type_text("\x03").expect("a keyboard");
        assert_eq!(
            terminal.finish().expect("an end").signal.as_deref(),
            Some("Interrupt")
        );
    }

    #[test]
    fn a_terminal_has_the_size_it_was_given() {
        assert_eq!(
            shell("stty size").finish().expect("an end").output,
            "30 90\r\n"
        );
    }
}
