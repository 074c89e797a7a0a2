//! The Role that is printed where a right is missing, pasted as it stands, is what was missing.

use std::fs;

use anyhow::{Context, Result};
use libtest_mimic::Trial;
use testbed::cluster::Objects;
use testbed::objects::{claim, config_map, pod};

use crate::case::Case;
use crate::harness::trials;
use crate::leftovers::{leave, orphan, suspended};
use crate::rights::{BOTH, become_user, rule};

pub(crate) fn trials() -> Vec<Trial> {
    trials![
        the_role_of_an_error_is_enough,
        the_role_of_a_warning_is_enough,
        the_role_of_a_refused_deletion_is_enough,
        the_role_for_claims_is_enough,
        one_role_takes_nothing_from_another,
    ]
}

/// Applies the manifest in what the plugin said, as the administrator, and binds it to the namespace's users.
fn paste_role(case: &Case, said: &str) -> Result<()> {
    let begin = said.find("apiVersion:").context("a manifest")?;
    let is_manifest = |line: &&str| {
        let begins = [" ", "- ", "apiVersion: ", "kind: ", "metadata:", "rules:"];
        begins.iter().any(|begin| line.starts_with(begin))
    };
    let manifest: Vec<&str> = said[begin..].lines().take_while(is_manifest).collect();
    let manifest = manifest.join("\n").replace("NAMESPACE", &case.namespace);
    let path = case.home().join("role.yaml");
    fs::write(&path, &manifest)?;
    let path = path.to_string_lossy();
    let name = manifest
        .lines()
        .find_map(|line| line.strip_prefix("  name: "))
        .context("a name")?;
    let role = format!("--role={name}");
    let group = format!("--group=system:serviceaccounts:{}", case.namespace);
    for arguments in [
        &["apply", "--filename", &path][..],
        &["create", "rolebinding", name, &role, &group],
    ] {
        let finished = case.kubectl_as_administrator(arguments)?;
        assert_eq!(finished.code, Some(0), "{manifest}\n{finished}");
    }
    Ok(())
}

async fn the_role_of_an_error_is_enough(case: &Case) -> Result<()> {
    leave(case).await?;
    become_user(case, &[]).await?;
    let refused = case.reap(&["--yes"])?;
    assert_eq!(refused.code, Some(1), "{refused}");
    paste_role(case, &refused.stderr)?;
    let finished = case.reap(&["--yes"])?;
    assert_eq!(finished.code, Some(0), "{finished}");
    assert!(finished.stderr.ends_with("\n5 deleted\n"), "{finished}");
    Ok(())
}

async fn the_role_of_a_warning_is_enough(case: &Case) -> Result<()> {
    case.create(orphan(case, suspended("migrate"))).await?;
    become_user(case, &[rule("", &["pods", "configmaps"], &BOTH)]).await?;
    let refused = case.reap(&["--yes"])?;
    assert_eq!(refused.code, Some(0), "{refused}");
    paste_role(case, &refused.stderr)?;
    let finished = case.reap(&["--yes"])?;
    assert_eq!(
        (finished.code, &*finished.stderr),
        (Some(0), "1 deleted\n"),
        "{finished}"
    );
    Ok(())
}

async fn the_role_of_a_refused_deletion_is_enough(case: &Case) -> Result<()> {
    case.create(orphan(case, pod("agent"))).await?;
    case.create(orphan(case, config_map("prompt"))).await?;
    let lists = [
        rule("", &["pods", "configmaps"], &["list"]),
        rule("batch", &["jobs"], &["list"]),
    ];
    become_user(case, &lists).await?;
    let refused = case.reap(&["--yes"])?;
    assert_eq!(refused.code, Some(1), "{refused}");
    paste_role(case, &refused.stderr)?;
    let finished = case.reap(&["--yes"])?;
    assert_eq!(
        (finished.code, &*finished.stderr),
        (Some(0), "2 deleted\n"),
        "{finished}"
    );
    Ok(())
}

async fn the_role_for_claims_is_enough(case: &Case) -> Result<()> {
    case.create(orphan(case, claim("workspace"))).await?;
    become_user(case, &[]).await?;
    let refused = case.reap(&["pvc", "--yes"])?;
    assert_eq!(refused.code, Some(1), "{refused}");
    paste_role(case, &refused.stderr)?;
    let finished = case.reap(&["pvc", "--yes"])?;
    assert_eq!(finished.code, Some(0), "{finished}");
    case.cluster
        .await_gone("PersistentVolumeClaim", &case.namespace, "workspace")
        .await
}

async fn one_role_takes_nothing_from_another(case: &Case) -> Result<()> {
    case.create(orphan(case, pod("agent"))).await?;
    case.create(orphan(case, config_map("prompt"))).await?;
    become_user(case, &[]).await?;
    for kind in ["pods", "configmaps"] {
        paste_role(case, &case.reap(&[kind, "--yes"])?.stderr)?;
    }
    let finished = case.reap(&["pods,configmaps", "--yes"])?;
    assert_eq!(
        (finished.code, &*finished.stderr),
        (Some(0), "2 deleted\n"),
        "{finished}"
    );
    Ok(())
}
