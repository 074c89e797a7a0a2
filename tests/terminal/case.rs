//! What one test works with: a server in memory, and a terminal to start the program in.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use http::Method;
use tempfile::TempDir;
use testbed::cluster::Cluster;
use testbed::memory::{On, Resource, Served, Server};
use testbed::objects::{NAMESPACE, hours, pod};
use testbed::terminal::{Finished, Terminal};

/// Rows of the terminal; no table of the tests is as long.
const ROWS: u16 = 40;

/// A server with orphans, and a user's home folder.
pub(crate) struct Case {
    pub(crate) server: Served,
    home: TempDir,
}

impl Case {
    /// Serves pods of these names, expired five hours ago.
    pub(crate) fn new(pods: &[&str]) -> Self {
        let server = Server::new();
        let now = server.clock().now().as_second();
        let now = now.try_into().expect("a moment after 1970");
        for name in pods {
            server.add(pod(name).at(now).expired(hours(5)).build());
        }
        let server = server.serve().expect("a port");
        let home = tempfile::tempdir().expect("a folder");
        let kubeconfig = server.kubeconfig(NAMESPACE);
        fs::write(home.path().join("config"), kubeconfig).expect("a writable folder");
        Self { server, home }
    }

    /// Home folder, where programs start.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// Runs a script in a terminal; `$REAP` is the program.
    pub(crate) fn shell(&self, script: &str) -> Terminal {
        self.shell_of(ROWS, script)
    }

    /// Runs a script in a terminal of so many rows.
    pub(crate) fn shell_of(&self, rows: u16, script: &str) -> Terminal {
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", script])
            .current_dir(self.home())
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", self.home())
            .env("KUBECONFIG", self.home().join("config"))
            .env("TERM", "xterm")
            .env("REAP", env!("CARGO_BIN_EXE_kubectl-ironflow-reap"));
        Terminal::start(&command, rows, 200).expect("a terminal")
    }

    /// Starts the program in a terminal and waits until it asks; no shell stands between.
    pub(crate) fn asked(&self, arguments: &str) -> Terminal {
        let mut terminal = self.shell(&format!("exec \"$REAP\" --color=never {arguments}"));
        terminal.wait_for("[y/N] ").expect("a question");
        terminal
    }

    /// The names of the pods that are left.
    pub(crate) fn pods(&self) -> Vec<String> {
        self.server.names(Resource::Pods)
    }

    /// How many deletions were asked for.
    pub(crate) fn deletions(&self) -> usize {
        let log = self.server.log();
        log.0
            .iter()
            .filter(|received| received.method == Method::DELETE)
            .count()
    }

    /// Everything on a terminal whose program has ended; the server's address reads the same in every run.
    pub(crate) fn screen(&self, finished: &Finished) -> String {
        let output = finished.output.replace("\r\n", "\n");
        output.replace(self.server.server(), "SERVER")
    }

    /// Holds the first of some requests back until it is let go.
    pub(crate) fn hold(&self, on: On) -> Held {
        let (came, arrived) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let released = Mutex::new(released);
        self.server.before(on.times(1), move |_| {
            // A test that has failed meanwhile waits for nothing.
            let _ = came.send(());
            let _ = released.lock().map(|released| released.recv());
        });
        Held { arrived, release }
    }
}

/// A request that waits for its answer.
pub(crate) struct Held {
    arrived: mpsc::Receiver<()>,
    release: mpsc::Sender<()>,
}

impl Held {
    /// Waits until the request is there.
    pub(crate) fn wait(&self) {
        self.arrived
            .recv_timeout(Duration::from_secs(60))
            .expect("the request comes in");
    }

    /// Lets it be answered.
    pub(crate) fn release(self) {
        self.release.send(()).expect("a server that runs");
    }
}
