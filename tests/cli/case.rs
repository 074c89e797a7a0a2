//! What one test works with: a server in memory whose clock stands still, and a home folder with a kubeconfig for it.

use std::fmt;
use std::fs;
use std::ops::Deref;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use k8s_openapi::jiff::Timestamp;
use serde_json::{Value, json};
use tempfile::TempDir;
use testbed::cluster::Cluster;
use testbed::memory::{Served, Server};
use testbed::objects::{NAMESPACE, ObjectBuilder};

use crate::stable::{stable_requests, stable_text};

/// The program under test.
pub(crate) const PLUGIN: &str = env!("CARGO_BIN_EXE_kubectl-ironflow-reap");

/// The moment at which the server's clock stands: 2023-11-14T22:13:20Z.
///
/// It is long ago, so that of the two clocks the server's is the earlier one, and so the one that the program uses.
pub(crate) const NOW: u64 = 1_700_000_000;

/// A server and a user's home folder.
pub(crate) struct Case {
    served: Served,
    home: TempDir,
}

/// What a run of the program left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) requests: Vec<String>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    server: String,
}

impl Case {
    /// Serves these objects to everybody.
    pub(crate) fn new(objects: impl IntoIterator<Item = ObjectBuilder>) -> Self {
        let served = serve(objects).serve().expect("a port");
        Self::of(served, &json!({}))
    }

    /// Serves these objects over TLS, and gives the kubeconfig this `user` stanza.
    pub(crate) fn over_tls(objects: impl IntoIterator<Item = ObjectBuilder>, user: &Value) -> Self {
        let served = serve(objects).serve_tls().expect("a port");
        Self::of(served, user)
    }

    fn of(served: Served, user: &Value) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let case = Self { served, home };
        case.write_kubeconfig(&case.kubeconfig_of(user));
        case
    }

    /// A kubeconfig with this `user` stanza.
    pub(crate) fn kubeconfig_of(&self, user: &Value) -> String {
        self.served.kubeconfig_of(NAMESPACE, user)
    }

    pub(crate) fn write_kubeconfig(&self, kubeconfig: &str) {
        fs::write(self.home().join("config"), kubeconfig).expect("a writable folder");
    }

    /// Home folder, where programs start.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// The address that the kubeconfig names.
    pub(crate) fn url(&self) -> &str {
        self.served.server()
    }

    /// Runs the program to its end, without a terminal and with nothing on stdin.
    pub(crate) fn reap(&self, arguments: &[&str]) -> Run {
        self.finished(
            &self
                .command(arguments)
                .output()
                .expect("the program starts"),
        )
    }

    /// Runs a script in which `$REAP` is the program.
    pub(crate) fn shell(&self, script: &str) -> Run {
        let mut shell = self.environment("/bin/sh");
        shell.args(["-c", script]);
        self.finished(&shell.output().expect("a shell"))
    }

    /// Starts the program, to be ended by a signal.
    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        let mut command = self.command(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    }

    /// What became of a program that was started, once it has ended.
    pub(crate) fn finish(&self, child: Child) -> Run {
        self.finished(&child.wait_with_output().expect("a program that ends"))
    }

    /// The program with these arguments.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.environment(PLUGIN);
        command.args(arguments);
        command
    }

    /// A program that inherits nothing of the tests' own environment.
    fn environment(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.home())
            .env_clear()
            .env("HOME", self.home())
            .env("KUBECONFIG", self.home().join("config"))
            .env("PATH", "/usr/bin:/bin")
            .env("REAP", PLUGIN)
            .stdin(Stdio::null());
        command
    }

    fn finished(&self, output: &Output) -> Run {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Run {
            code: output.status.code(),
            requests: self.log().lines(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
            server: self.url().to_owned(),
        }
    }
}

/// A server whose clock stands still, with these objects.
fn serve(objects: impl IntoIterator<Item = ObjectBuilder>) -> Server {
    let server = Server::new();
    let now = i64::try_from(NOW).expect("a moment of this century");
    let now = Timestamp::from_second(now).expect("a moment of this century");
    server.clock().fix(now);
    for object in objects {
        server.add(object.build());
    }
    server
}

impl Run {
    /// The document on stdout.
    #[track_caller]
    pub(crate) fn document(&self) -> Value {
        let document = serde_json::from_str(&self.stdout);
        document.unwrap_or_else(|error| panic!("no single JSON document ({error}):\n{self}"))
    }

    /// What stands on stderr, as a snapshot shows it.
    pub(crate) fn messages(&self) -> String {
        stable_text(&self.stderr, &self.server)
    }

    /// What was said below the table: the results, then what stands on stderr.
    pub(crate) fn said(&self) -> String {
        let lines = self.stdout.split_inclusive('\n');
        let results: String = lines.filter(|line| line.contains('"')).collect();
        results + &self.messages()
    }

    /// The deletions that were sent, in order: the last part of the path of each.
    pub(crate) fn deletions(&self) -> Vec<&str> {
        let paths = self
            .requests
            .iter()
            .filter_map(|line| line.strip_prefix("DELETE "));
        paths
            .filter_map(|line| line.split(' ').next()?.rsplit('/').next())
            .collect()
    }
}

/// The snapshot of a run: what differs from run to run reads the same.
impl fmt::Display for Run {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.code.map_or("none".to_owned(), |code| code.to_string());
        write!(
            formatter,
            "exit code: {code}\n----- requests -----\n{}----- stdout -----\n{}----- stderr -----\n{}",
            stable_requests(&self.requests),
            stable_text(&self.stdout, &self.server),
            self.messages(),
        )
    }
}

impl Deref for Case {
    type Target = Server;

    fn deref(&self) -> &Server {
        &self.served
    }
}
