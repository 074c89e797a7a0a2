//! The run from top to bottom.

mod ending;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::future::Future;
use std::io::ErrorKind;

use reap_core::object::Kind;
use reap_core::plan::Plan;

use crate::api::{Api, Now};
use crate::cli::DryRun;
use crate::confirm::{Action, Approved, confirm, somebody_can_answer};
use crate::connect::{Connection, connect};
use crate::error::Error;
use crate::execute::{Execution, News, Orders, Stop, execute};
use crate::fetch::{Fetched, fetch};
use crate::interrupt::{Interrupt, Signal};
use crate::output::{Console, Place, question};
use crate::pick::pick;
use crate::rights;
use crate::settings::{Approval, Format, Settings};
use crate::wait::until_gone;
use ending::{end, settle};

/// Runs to the end, says what happened, and returns the exit code.
pub(crate) async fn run(settings: &Settings, console: &mut Console, interrupt: &Interrupt) -> u8 {
    let mut known = Known::default();
    let mut run = Run {
        settings,
        console,
        interrupt,
    };
    let error = run.steps(&mut known).await.err();
    end(settings, run.console, &known, error.as_ref()).await
}

/// What is known so far: it is reported however the run ends.
#[derive(Default)]
struct Known {
    connection: Option<Connection>,
    now: Option<Now>,
    plan: Option<Plan>,
    execution: Option<Execution>,
}

/// What every step needs.
struct Run<'a> {
    settings: &'a Settings,
    console: &'a mut Console,
    interrupt: &'a Interrupt,
}

impl Run<'_> {
    async fn steps(&mut self, known: &mut Known) -> Result<(), Error> {
        let settings = self.settings;
        let connection = self.until(connect(&settings.connection)).await??;
        let connection = known.connection.insert(connection);
        let api = Api::new(
            connection.client.clone(),
            settings.connection.request_timeout,
        )
        .with_log(self.console.request_log(&connection.server));
        let namespace = settings.reading.scope(&connection.namespace);

        let fetched = self.read(&api, connection, namespace).await?;
        known.now = Some(fetched.now);
        let plan = known.plan.insert(Plan::new(fetched.snapshot));
        self.warn(&api, fetched.now, plan, namespace);
        self.refuse_warnings(&api, false)?;
        self.refuse(plan, connection)?;
        self.show(plan)?;
        if plan.candidates().is_empty() {
            self.console.nothing_found(plan, namespace);
            return Ok(());
        }
        let action = match settings.dry_run {
            DryRun::Client => {
                self.console.would_delete(plan);
                return Ok(());
            }
            DryRun::Server => Action::ServerDryRun,
            DryRun::None => Action::Delete,
        };
        self.pick(plan).await?;
        let Some(approved) = self.approve(&api, plan, action, connection).await? else {
            self.console.note("nothing deleted");
            return Ok(());
        };
        let execution = known.execution.insert(self.execute(&api, &approved).await);
        self.wait(&api, plan, execution, namespace).await?;
        match execution.stop {
            Some(_) => Ok(()),
            None => self.refuse_warnings(&api, true),
        }
    }

    /// Does some work, unless a signal comes first.
    async fn until<T>(&self, work: impl Future<Output = T>) -> Result<T, Error> {
        tokio::select! {
            biased;
            signal = self.interrupt.wait() => Err(Error::Interrupted(signal)),
            done = work => Ok(done),
        }
    }

    async fn read(
        &mut self,
        api: &Api,
        connection: &Connection,
        namespace: Option<&str>,
    ) -> Result<Fetched, Error> {
        let Settings {
            reading, filter, ..
        } = self.settings;
        let progress = self.console.begin_reading();
        let fetched = progress
            .during(self.until(fetch(api, reading, filter, namespace)))
            .await?;
        fetched.map_err(|unreadable| Error::Unreadable {
            kind: unreadable.kind,
            namespace: namespace.map(ToOwned::to_owned),
            failure: unreadable.failure,
            server: connection.server.clone(),
        })
    }

    /// Says what is odd about what was read.
    fn warn(&mut self, api: &Api, now: Now, plan: &Plan, namespace: Option<&str>) {
        for warning in api.new_warnings().into_iter().chain(now.doubt()) {
            self.console.warn(&warning);
        }
        self.console.oddities(plan);
        for unread in plan.unread() {
            let kind = unread.kind.plural();
            self.console
                .warn(&format!("{kind} not read: {}", unread.error));
            self.console
                .block(&rights::manifest([unread.kind], namespace));
        }
    }

    /// Refuses what the server warned of, where that was asked for.
    fn refuse_warnings(&self, api: &Api, may_have_deleted: bool) -> Result<(), Error> {
        match api.warnings() {
            warnings @ 1.. if self.settings.warnings_as_errors => Err(Error::Warnings {
                warnings,
                may_have_deleted,
            }),
            _ => Ok(()),
        }
    }

    /// Refuses plans that are not what the user can have meant.
    fn refuse(&mut self, plan: &Plan, connection: &Connection) -> Result<(), Error> {
        if !plan.missing().is_empty() {
            let missing = plan.missing().to_vec();
            let namespace = connection.namespace.clone();
            return Err(Error::NotFound { missing, namespace });
        }
        let candidates = plan.candidates().len();
        match self.settings.max {
            Some(max) if candidates > max => {
                self.console.show(plan, false)?;
                Err(Error::TooMany { candidates, max })
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Shows the plan: to the one who will be asked, wherever stdout leads; and where nobody can be asked, once.
    fn show(&mut self, plan: &Plan) -> Result<(), Error> {
        let terminals = self.settings.terminals;
        let asks = self.deletes(plan) && self.settings.approval != Approval::Given;
        let is_on_stdout = matches!(self.settings.format, Format::Table | Format::Wide);
        let answerable = somebody_can_answer(terminals);
        let is_seen = is_on_stdout && (terminals.stdout || answerable.is_err());
        match self.console.show(plan, asks && !is_seen) {
            // Whoever had enough of a list that nothing follows from did not fail.
            Err(Error::Output { cause, .. })
                if cause.kind() == ErrorKind::BrokenPipe && !self.deletes(plan) => {}
            shown => shown?,
        }
        if asks { answerable } else { Ok(()) }
    }

    /// Returns whether deletions may follow.
    fn deletes(&self, plan: &Plan) -> bool {
        self.settings.dry_run == DryRun::None && !plan.candidates().is_empty()
    }

    /// Lets the user take off the plan what is to stay, where that was asked for.
    async fn pick(&mut self, plan: &mut Plan) -> Result<(), Error> {
        if self.settings.approval == Approval::PickAndAsk {
            let chosen = pick(&self.console.labels(plan), self.interrupt).await?;
            plan.pick(&chosen);
        }
        Ok(())
    }

    async fn approve<'plan>(
        &mut self,
        api: &Api,
        plan: &'plan Plan,
        action: Action,
        connection: &Connection,
    ) -> Result<Option<Approved<'plan>>, Error> {
        if plan.candidates().is_empty() {
            return Ok(None);
        }
        let Settings {
            terminals,
            approval,
            ..
        } = *self.settings;
        if action == Action::Delete {
            self.console.force(plan);
            let missing = self.until(rights::missing(api, plan)).await?;
            warn_of_missing_rights(self.console, &missing);
        }
        let place = place(connection, self.settings.connection.server.as_deref());
        let question = question(plan, place, terminals.height);
        confirm(
            plan,
            action,
            approval,
            &question,
            terminals,
            self.console,
            self.interrupt,
        )
        .await
    }

    async fn execute(&mut self, api: &Api, approved: &Approved<'_>) -> Execution {
        let settings = self.settings;
        let orders = Orders {
            grace_period_seconds: settings.grace_period_seconds,
            concurrency: settings.concurrency,
            selector: settings.reading.selector.as_deref(),
            chunk_size: settings.reading.chunk_size,
        };
        let progress = self.console.begin_deleting(approved.plan());
        let console = RefCell::new(&mut *self.console);
        let tell = |news: News<'_>| match news {
            News::Outcome(candidate, outcome) => console.borrow_mut().outcome(candidate, outcome),
            News::Waiting(signal, deletions) => {
                let mut console = console.borrow_mut();
                if signal == Signal::Interrupt && settings.terminals.stderr {
                    console.leave_line();
                }
                console.waiting(signal, deletions);
            }
        };
        let execution = execute(approved, api, orders, self.interrupt, tell);
        let execution = progress.during(execution).await;
        if execution.stop == Some(Stop::Signal(Signal::Interrupt)) {
            settle(settings, self.console).await;
        }
        for warning in api.new_warnings() {
            self.console.warn(&warning);
        }
        self.console.executed(approved.plan(), &execution);
        execution
    }

    /// Waits until what was deleted is gone, where that was asked for.
    async fn wait(
        &self,
        api: &Api,
        plan: &Plan,
        execution: &Execution,
        namespace: Option<&str>,
    ) -> Result<(), Error> {
        let Some(limit) = self.settings.wait.filter(|_| execution.stop.is_none()) else {
            return Ok(());
        };
        let chunk_size = self.settings.reading.chunk_size;
        let left = tokio::select! {
            biased;
            signal = self.interrupt.wait() => return Err(Error::StoppedWaiting(signal)),
            left = until_gone(api, plan, execution, namespace, chunk_size, limit) => left,
        };
        match left {
            Ok(left) if left.is_empty() => Ok(()),
            Ok(left) => Err(Error::StillThere(left)),
            Err(failure) => Err(Error::CannotWait(failure)),
        }
    }
}

fn warn_of_missing_rights(console: &mut Console, missing: &[(Kind, &str)]) {
    let Some((_, first)) = missing.first() else {
        return;
    };
    for (kind, namespace) in missing {
        console.warn(&format!(
            "you may not delete {} in namespace {namespace}",
            kind.plural()
        ));
    }
    let kinds: BTreeSet<Kind> = missing.iter().map(|(kind, _)| *kind).collect();
    let is_one_namespace = missing.iter().all(|(_, namespace)| namespace == first);
    console.block(&rights::manifest(kinds, is_one_namespace.then_some(*first)));
}

/// Says where the objects are. A server that a flag names is not the context's.
fn place<'a>(connection: &'a Connection, named_server: Option<&str>) -> Place<'a> {
    let server = &connection.server;
    match &connection.context {
        _ if named_server.is_some_and(|server| !server.is_empty()) => Place::Server(server),
        Some(name) => Place::Context { name, server },
        None if connection.in_cluster => Place::InCluster,
        None => Place::Server(server),
    }
}
