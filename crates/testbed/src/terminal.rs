//! A program in a pseudo-terminal, as a person at the keyboard sees it.

use std::io::{Read, Write};
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long a text or the end of the program is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running program whose stdin, stdout and stderr are one terminal; dropping it kills the program.
pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keyboard: Box<dyn Write + Send>,
    screen: Arc<Screen>,
    /// Bytes of the output that [`Terminal::wait_for`] has passed.
    passed: usize,
}

#[derive(Default)]
struct Screen {
    output: Mutex<Output>,
    changed: Condvar,
}

#[derive(Default)]
struct Output {
    bytes: Vec<u8>,
    ended: bool,
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

    /// Process id of the program, to send it signals; none once it has ended.
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
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Screen {
    /// Reads until the terminal's other side is closed, which Linux reports as an error.
    fn fill(&self, mut reader: Box<dyn Read + Send>) {
        let mut buffer = [0; 4096];
        while let Ok(length @ 1..) = reader.read(&mut buffer) {
            self.lock().bytes.extend_from_slice(&buffer[..length]);
            self.changed.notify_all();
        }
        self.lock().ended = true;
        self.changed.notify_all();
    }

    /// Returns the output once `condition` holds for it, or when [`PATIENCE`] ends.
    fn wait_until(&self, condition: impl Fn(&Output) -> bool) -> MutexGuard<'_, Output> {
        let deadline = Instant::now() + PATIENCE;
        let mut output = self.lock();
        while !condition(&output) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            output = self
                .changed
                .wait_timeout(output, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        output
    }

    fn lock(&self) -> MutexGuard<'_, Output> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
