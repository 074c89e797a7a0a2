//! A worker that calls the real engine for one step and waits for its end, or to be killed.
//!
//! The cluster is that of `$KUBECONFIG`. `SECONDS` is how long what the step creates may live.

use std::env;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ironflow_core::provider::{
    AgentConfig, AgentProvider, EnvironmentVolume, LABEL_ROOT_RUN_ID, LABEL_RUN_ID, LABEL_STEP,
};
use ironflow_core::providers::claude::{K8sEphemeralProvider, K8sPersistentProvider};
use ironflow_ops_k8s::kube::Config;
use ironflow_ops_k8s::{JobRun, KubeClient, PodRun};

const USAGE: &str = "engine agent NAMESPACE SECONDS [ENVIRONMENT]
engine pod-run NAMESPACE SECONDS NAME
engine job-run NAMESPACE SECONDS NAME [DEADLINE_SECONDS]
engine persistent NAMESPACE NAME";

/// There is no kubelet that would pull it.
const IMAGE: &str = "registry.example/runner:1";
const COMMAND: &str = "make";
/// What the workflow engine stamps on every step.
const LABELS: [(&str, &str); 3] = [
    (LABEL_RUN_ID, "run-7"),
    (LABEL_ROOT_RUN_ID, "root-1"),
    (LABEL_STEP, "build"),
];

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match *words {
        ["agent", namespace, lifetime] => agent(namespace, seconds(lifetime)?, None).await,
        ["agent", namespace, lifetime, environment] => {
            agent(namespace, seconds(lifetime)?, Some(environment)).await
        }
        ["pod-run", namespace, lifetime, name] => {
            pod_run(namespace, seconds(lifetime)?, name).await
        }
        ["job-run", namespace, lifetime, name] => {
            job_run(namespace, seconds(lifetime)?, name, None).await
        }
        ["job-run", namespace, lifetime, name, deadline] => {
            job_run(
                namespace,
                seconds(lifetime)?,
                name,
                Some(seconds(deadline)?),
            )
            .await
        }
        ["persistent", namespace, name] => persistent(namespace, name).await,
        _ => bail!(USAGE),
    }
}

/// An agent pod, the ConfigMap of a prompt too long for a command line, and the claim of its environment.
async fn agent(namespace: &str, lifetime: Duration, environment: Option<&str>) -> Result<()> {
    // Whatever the step's own lifetime, a claim lives no shorter.
    let volume = EnvironmentVolume::new("/workspace").ttl(Duration::from_millis(1));
    let mut provider = K8sEphemeralProvider::sandboxed(IMAGE)
        .namespace(namespace)
        .timeout(lifetime)
        .deadline_margin(Duration::ZERO)
        .environment_volume(volume)
        .working_dir("/workspace");
    for (key, value) in LABELS {
        provider = provider.pod_label(key, value);
    }
    let mut step = AgentConfig::new(&"x".repeat(100_001));
    if let Some(environment) = environment {
        step = step.resume_environment(environment);
    }
    provider.invoke(&step).await?;
    Ok(())
}

async fn pod_run(namespace: &str, lifetime: Duration, name: &str) -> Result<()> {
    let mut run = PodRun::new(&client().await?, name, IMAGE, COMMAND)
        .namespace(namespace)
        .timeout(lifetime)
        .expiry_margin(Duration::ZERO)
        .poll_interval(Duration::from_millis(100));
    for (key, value) in LABELS {
        run = run.label(key, value);
    }
    run.run().await?;
    Ok(())
}

async fn job_run(
    namespace: &str,
    lifetime: Duration,
    name: &str,
    deadline: Option<Duration>,
) -> Result<()> {
    let mut run = JobRun::new(&client().await?, name, IMAGE, COMMAND)
        .namespace(namespace)
        .backoff_limit(2)
        .timeout(lifetime)
        .expiry_margin(Duration::ZERO);
    for (key, value) in LABELS {
        run = run.label(key, value);
    }
    if let Some(deadline) = deadline {
        run = run.active_deadline_seconds(deadline);
    }
    run.run().await?;
    Ok(())
}

/// The pod of the worker that stays.
async fn persistent(namespace: &str, name: &str) -> Result<()> {
    let provider = K8sPersistentProvider::new(IMAGE)
        .pod_name(name)
        .namespace(namespace);
    provider.invoke(&AgentConfig::new("build it")).await?;
    Ok(())
}

async fn client() -> Result<KubeClient> {
    Ok(KubeClient::from_config(Config::infer().await?).await?)
}

fn seconds(text: &str) -> Result<Duration> {
    let seconds = text.parse().with_context(|| format!("seconds: {text}"))?;
    Ok(Duration::from_secs(seconds))
}
