//! The run from top to bottom.

use std::collections::BTreeSet;
use std::future::Future;

use reap_core::object::Kind;
use reap_core::plan::Plan;

use crate::api::{Api, Now};
use crate::cli::DryRun;
use crate::confirm::{Action, confirm};
use crate::connect::{Connection, connect};
use crate::error::Error;
use crate::execute::{Execution, Outcome, Stop, execute};
use crate::fetch::fetch;
use crate::interrupt::Interrupt;
use crate::output::{Console, Ending, Place, question};
use crate::rights;
use crate::settings::{Approval, Format, Settings};

/// Runs to the end, says what happened, and returns the exit code.
pub(crate) async fn run(settings: &Settings, console: &mut Console, interrupt: &Interrupt) -> u8 {
    let mut known = Known::default();
    let error = steps(settings, console, interrupt, &mut known).await.err();
    if let Some(error) = &error {
        console.error(error);
        if let Some(lines) = role_to_paste(error, settings) {
            console.block(&lines);
        }
    }
    console.document(&Ending {
        connection: known.connection.as_ref(),
        all_namespaces: settings.reading.all_namespaces,
        dry_run: settings.dry_run,
        now: known.now,
        plan: known.plan.as_ref(),
        execution: known.execution.as_ref(),
        error: error
            .as_ref()
            .map(ToString::to_string)
            .or_else(|| known.execution.as_ref().and_then(stopped)),
    });
    let exit_code = error.as_ref().map_or_else(
        || known.execution.as_ref().map_or(0, exit_code),
        Error::exit_code,
    );
    match console.close() {
        Some(unwritten) if exit_code == 0 => {
            console.error(&unwritten);
            unwritten.exit_code()
        }
        Some(_) | None => exit_code,
    }
}

/// What is known so far: it is reported however the run ends.
#[derive(Default)]
struct Known {
    connection: Option<Connection>,
    now: Option<Now>,
    plan: Option<Plan>,
    execution: Option<Execution>,
}

async fn steps(
    settings: &Settings,
    console: &mut Console,
    interrupt: &Interrupt,
    known: &mut Known,
) -> Result<(), Error> {
    let connection = until(interrupt, connect(&settings.connection)).await??;
    let connection = known.connection.insert(connection);
    let api = Api::new(connection.client.clone(), settings.request_timeout);
    let namespace = (!settings.reading.all_namespaces).then_some(connection.namespace.as_str());

    let fetched = until(
        interrupt,
        fetch(&api, &settings.reading, &settings.filter, namespace),
    )
    .await?;
    let fetched = fetched.map_err(|unreadable| Error::Unreadable {
        kind: unreadable.kind,
        namespace: namespace.map(ToOwned::to_owned),
        failure: unreadable.failure,
        server: connection.server.clone(),
    })?;
    known.now = Some(fetched.now);
    let plan: &Plan = known.plan.insert(Plan::new(fetched.snapshot));

    warn(console, &api, fetched.now, plan, namespace);
    if !plan.missing().is_empty() {
        let missing = plan.missing().to_vec();
        return Err(Error::NotFound {
            missing,
            namespace: connection.namespace.clone(),
        });
    }
    if let Some(max) = settings.max.filter(|max| plan.candidates().len() > *max) {
        console.show(plan, false)?;
        return Err(Error::TooMany {
            candidates: plan.candidates().len(),
            max,
        });
    }
    if plan.candidates().is_empty() {
        console.show(plan, false)?;
        console.nothing_found(plan, namespace);
        return Ok(());
    }
    let terminals = settings.terminals;
    let asks = settings.dry_run == DryRun::None && settings.approval == Approval::Ask;
    let is_seen_on_stdout =
        terminals.stdout && matches!(settings.format, Format::Table | Format::Wide);
    console.show(plan, asks && !is_seen_on_stdout)?;
    let action = match settings.dry_run {
        DryRun::Client => {
            console.would_delete(plan);
            return Ok(());
        }
        DryRun::Server => Action::ServerDryRun,
        DryRun::None => Action::Delete,
    };
    if action == Action::Delete {
        let missing = until(interrupt, rights::missing(&api, plan)).await?;
        warn_of_missing_rights(console, &missing);
    }
    let question = question(plan, place(connection), terminals.height);
    let Some(approved) = confirm(
        plan,
        action,
        settings.approval,
        &question,
        terminals,
        console,
        interrupt,
    )
    .await?
    else {
        console.note("nothing deleted");
        return Ok(());
    };
    let execution = execute(
        &approved,
        &api,
        settings.deletion,
        settings.concurrency,
        settings.reading.chunk_size,
        interrupt,
        |candidate, outcome| console.outcome(candidate, outcome),
    )
    .await;
    for warning in api.take_warnings() {
        console.warn(&warning);
    }
    console.executed(plan, &execution);
    known.execution = Some(execution);
    Ok(())
}

/// Does the work, unless a signal comes first.
async fn until<T>(interrupt: &Interrupt, work: impl Future<Output = T>) -> Result<T, Error> {
    tokio::select! {
        biased;
        signal = interrupt.wait() => Err(Error::Interrupted(signal)),
        done = work => Ok(done),
    }
}

fn warn(console: &mut Console, api: &Api, now: Now, plan: &Plan, namespace: Option<&str>) {
    for warning in api.take_warnings().into_iter().chain(now.doubt()) {
        console.warn(&warning);
    }
    console.oddities(plan);
    for unread in plan.unread() {
        console.warn(&format!(
            "{} not read: {}",
            unread.kind.plural(),
            unread.error
        ));
        console.block(&rights::manifest([unread.kind], namespace));
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

fn place(connection: &Connection) -> Place<'_> {
    match &connection.context {
        Some(name) => Place::Context {
            name,
            server: &connection.server,
        },
        None if connection.in_cluster => Place::InCluster,
        None => Place::Server(&connection.server),
    }
}

fn role_to_paste(error: &Error, settings: &Settings) -> Option<Vec<String>> {
    let Error::Unreadable {
        failure, namespace, ..
    } = error
    else {
        return None;
    };
    failure
        .is_forbidden()
        .then(|| rights::manifest(settings.reading.kinds.iter().copied(), namespace.as_deref()))
}

fn stopped(execution: &Execution) -> Option<String> {
    match execution.stop? {
        Stop::Outage => Some("stopped, because the server fails again and again".to_owned()),
        Stop::Signal(signal) => Some(format!("stopped by {signal}")),
    }
}

fn exit_code(execution: &Execution) -> u8 {
    match execution.stop {
        Some(Stop::Signal(signal)) => signal.exit_code(),
        Some(Stop::Outage) => 1,
        None => {
            let is_failure =
                |outcome: &Outcome| matches!(outcome, Outcome::Failed(_) | Outcome::NotAttempted);
            u8::from(execution.outcomes.iter().any(is_failure))
        }
    }
}
