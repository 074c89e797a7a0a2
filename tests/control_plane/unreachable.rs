//! A cluster that cannot be reached or does not know the user: one clear error, and nothing deleted.

use std::net::{Ipv4Addr, TcpListener};

use anyhow::Result;
use libtest_mimic::Trial;
use testbed::cluster::Cluster;

use crate::case::Case;
use crate::harness::trials;
use crate::leftovers::leave;

pub(crate) fn trials() -> Vec<Trial> {
    trials![
        a_missing_kubeconfig_is_named,
        without_any_kubeconfig_nothing_is_configured,
        a_broken_kubeconfig_is_named_and_not_quoted,
        an_empty_kubeconfig_configures_nothing,
        an_unknown_context_is_named_with_the_known_ones,
        a_refused_connection_names_the_server,
        an_unknown_token_is_not_logged_in,
        a_server_that_never_answers_is_given_up,
        an_authority_that_is_not_the_servers_is_refused,
    ]
}

/// The user's kubeconfig with another server.
fn kubeconfig_of(case: &Case, server: &str) -> String {
    case.cluster
        .kubeconfig(&case.namespace)
        .replace(case.cluster.server(), server)
}

async fn a_missing_kubeconfig_is_named(case: &Case) -> Result<()> {
    insta::assert_snapshot!(case.reap(&["--yes", "--kubeconfig=nowhere"])?, @"
    exit code: 1
    ----- stdout -----
    ----- stderr -----
    error: stat nowhere: no such file or directory
    hint: repair the file, or name another one with --kubeconfig or KUBECONFIG
    ");
    Ok(())
}

async fn without_any_kubeconfig_nothing_is_configured(case: &Case) -> Result<()> {
    insta::assert_snapshot!(case.shell("KUBECONFIG=nowhere kubectl ironflow reap --yes")?, @"
    exit code: 1
    ----- stdout -----
    ----- stderr -----
    error: no configuration has been provided
    hint: there is no kubeconfig and this is no pod; set KUBECONFIG or pass --kubeconfig
    ");
    let home_only = case.shell("unset KUBECONFIG; kubectl ironflow reap --yes")?;
    assert_eq!(home_only.code, Some(1), "{home_only}");
    Ok(())
}

async fn a_broken_kubeconfig_is_named_and_not_quoted(case: &Case) -> Result<()> {
    case.become_user("users:\n- name: user\n  user: {token: secret\n")?;
    insta::assert_snapshot!(case.reap(&["--yes"])?, @r#"
    exit code: 1
    ----- stdout -----
    ----- stderr -----
    error: error loading config file "HOME/kubeconfig": it is no kubeconfig (line 3, column 9)
    hint: repair the file, or name another one with --kubeconfig or KUBECONFIG
    "#);
    Ok(())
}

async fn an_empty_kubeconfig_configures_nothing(case: &Case) -> Result<()> {
    case.become_user("")?;
    insta::assert_snapshot!(case.reap(&["--yes"])?, @"
    exit code: 1
    ----- stdout -----
    ----- stderr -----
    error: no configuration has been provided
    hint: there is no kubeconfig and this is no pod; set KUBECONFIG or pass --kubeconfig
    ");
    Ok(())
}

async fn an_unknown_context_is_named_with_the_known_ones(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    insta::assert_snapshot!(case.reap(&["--yes", "--context=production"])?, @r#"
    exit code: 1
    ----- stdout -----
    ----- stderr -----
    error: context "production" does not exist
    hint: the kubeconfig has control-plane
    "#);
    assert_eq!(case.objects().await?, before);
    Ok(())
}

async fn a_refused_connection_names_the_server(case: &Case) -> Result<()> {
    let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
    case.become_user(&kubeconfig_of(case, &format!("https://{address}")))?;
    let mut refused = case.reap(&["--yes"])?;
    refused.stderr = refused.stderr.replace(&address.to_string(), "ADDRESS");
    insta::assert_snapshot!(refused, @"
    exit code: 1
    ----- stdout -----
    ----- stderr -----
    The connection to the server https://ADDRESS was refused - did you specify the right host or port?
    hint: check the cluster's address and authority in the kubeconfig: `kubectl config view --minify`
    ");
    Ok(())
}

async fn an_unknown_token_is_not_logged_in(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    let kubeconfig = case.cluster.kubeconfig(&case.namespace);
    let lines = kubeconfig
        .lines()
        .map(|line| match line.split_once("token: ") {
            Some((indent, _)) => format!("{indent}token: made-up\n"),
            None => format!("{line}\n"),
        });
    case.become_user(&lines.collect::<String>())?;
    insta::assert_snapshot!(case.reap(&["--yes"])?, @"
    exit code: 1
    ----- stdout -----
    ----- stderr -----
    error: You must be logged in to the server (Unauthorized)
    hint: check the credentials of this context: `kubectl auth whoami`
    ");
    assert_eq!(case.objects().await?, before);
    Ok(())
}

async fn a_server_that_never_answers_is_given_up(case: &Case) -> Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?.to_string();
    for scheme in ["https", "http"] {
        case.become_user(&kubeconfig_of(case, &format!("{scheme}://{address}")))?;
        let mut given_up = case.reap(&["--yes", "--request-timeout=1s"])?;
        given_up.stderr = given_up
            .stderr
            .replace(&format!("{scheme}://{address}"), "SERVER");
        insta::allow_duplicates! {
            insta::assert_snapshot!(given_up, @"
            exit code: 1
            ----- stdout -----
            ----- stderr -----
            Unable to connect to the server SERVER: no answer within ~
            hint: --request-timeout sets how long each answer is waited for
            ");
        }
    }
    Ok(())
}

async fn an_authority_that_is_not_the_servers_is_refused(case: &Case) -> Result<()> {
    leave(case).await?;
    let before = case.objects().await?;
    let kubeconfig = case.cluster.kubeconfig(&case.namespace);
    let lines = kubeconfig
        .split_inclusive('\n')
        .filter(|line| !line.contains("certificate-authority-data"));
    case.become_user(&lines.collect::<String>())?;
    insta::assert_snapshot!(case.reap(&["--yes"])?, @"
    exit code: 1
    ----- stdout -----
    ----- stderr -----
    Unable to connect to the server SERVER: invalid peer certificate: UnknownIssuer
    hint: check the cluster's address and authority in the kubeconfig: `kubectl config view --minify`
    ");
    assert_eq!(case.objects().await?, before);
    Ok(())
}
