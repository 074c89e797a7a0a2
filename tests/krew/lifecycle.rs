//! From the archive to the user and away again, by the real krew.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use libtest_mimic::Trial;
use packaging::manifest::Manifest;
use packaging::product::Product;
use testbed::cluster::{Cluster, Objects};
use testbed::control_plane::{Binaries, ControlPlane, Options};
use testbed::objects::pod;

use crate::harness::{run, trials};
use crate::shell::Shell;
use crate::web;

pub(crate) fn trials() -> Vec<Trial> {
    trials![released:
        krews_index_accepts_the_manifest,
        an_archive_that_krew_installed_lists_a_real_cluster,
        an_index_serves_installation_upgrade_and_removal,
    ]
}

fn krews_index_accepts_the_manifest(product: &Product) -> Result<()> {
    let mut checker = Command::new(testbed::krew::validate_krew_manifest()?);
    run(checker
        .arg("-manifest")
        .arg(manifest(product))
        .arg("-skip-install"))
    .map(drop)
}

fn an_archive_that_krew_installed_lists_a_real_cluster(product: &Product) -> Result<()> {
    let binaries = Binaries::find()?;
    let cluster = ControlPlane::start(&binaries, &Options::default())?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let namespace = runtime.block_on(leave_an_orphan(&cluster))?;
    let shell = shell(&binaries, &cluster.kubeconfig(&namespace))?;

    let platform = &product.platforms[0];
    let archive = product.dist().join(product.archive(platform));
    shell.expect(&format!(
        "krew install --manifest={} --archive={}",
        manifest(product),
        archive.display()
    ))?;

    let link = fs::read_link(shell.krew_root().join("bin/kubectl-ironflow"))?;
    assert!(
        link.ends_with(&product.binary),
        "krew links {}",
        link.display()
    );
    let listed = shell.expect("ironflow reap --dry-run")?;
    let row: Vec<&str> = listed
        .lines()
        .last()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    assert_eq!(
        row[..3],
        ["pod/orphan", "Failed", "DeadlineExceeded"],
        "{listed}"
    );
    Ok(())
}

fn an_index_serves_installation_upgrade_and_removal(product: &Product) -> Result<()> {
    let shell = shell(&Binaries::find()?, "")?;
    let index = Index::new(shell.home().join("index"), product)?;
    index.publish(&product.tag())?;
    shell.expect(&format!("krew index add ours {}", index.folder.display()))?;
    shell.expect("krew install ours/ironflow")?;
    assert_eq!(installed(&shell)?, product.tag());
    let version = shell.expect("ironflow reap --version")?;
    assert!(version.trim_end().ends_with(&product.version), "{version}");

    index.publish("v1000.0.0")?;
    shell.expect("krew update")?;
    shell.expect("krew upgrade ironflow")?;
    assert_eq!(installed(&shell)?, "v1000.0.0");
    shell.expect("ironflow reap --version")?;

    shell.expect("krew uninstall ironflow")?;
    let gone = shell.kubectl("ironflow reap --version")?;
    assert_eq!(gone.code, Some(1), "{gone:?}");
    assert!(
        gone.stderr.contains("unknown command \"ironflow\""),
        "{gone:?}"
    );
    Ok(())
}

fn manifest(product: &Product) -> String {
    let path = product
        .dist()
        .join(format!("plugins/{}.yaml", product.plugin));
    path.display().to_string()
}

fn shell(binaries: &Binaries, kubeconfig: &str) -> Result<Shell> {
    let shell = Shell::new(&binaries.kubectl, kubeconfig)?;
    shell.link("kubectl-krew", &testbed::krew::krew()?)?;
    Ok(shell)
}

async fn leave_an_orphan(cluster: &ControlPlane) -> Result<String> {
    let namespace = cluster.create_namespace("krew").await?;
    let orphan = pod("orphan")
        .namespace(&namespace)
        .failed("DeadlineExceeded");
    cluster.create(orphan.build()).await?;
    Ok(namespace)
}

/// The version that krew's receipt names.
fn installed(shell: &Shell) -> Result<String> {
    let receipt = fs::read_to_string(shell.krew_root().join("receipts/ironflow.yaml"))?;
    let version = receipt
        .lines()
        .find_map(|line| line.trim().strip_prefix("version: "));
    Ok(version.context(receipt.clone())?.to_owned())
}

/// A git repository that krew takes for an index, whose archives lie on loopback.
struct Index {
    folder: PathBuf,
    manifest: Manifest,
}

impl Index {
    fn new(folder: PathBuf, product: &Product) -> Result<Self> {
        let text = fs::read_to_string(manifest(product))?;
        let mut manifest = Manifest::parse(&text)?;
        let address = web::serve(&product.dist())?;
        for download in &mut manifest.spec.platforms {
            let (_, name) = download.uri.rsplit_once('/').context("an address")?;
            download.uri = format!("{address}/{name}");
        }
        fs::create_dir_all(folder.join("plugins"))?;
        run(Command::new("git").args(["init", "--quiet"]).arg(&folder))?;
        Ok(Self { folder, manifest })
    }

    /// Commits the manifest with a version.
    fn publish(&self, version: &str) -> Result<()> {
        let mut manifest = self.manifest.clone();
        version.clone_into(&mut manifest.spec.version);
        fs::write(
            self.folder.join("plugins/ironflow.yaml"),
            manifest.render()?,
        )?;
        for arguments in [
            ["add", "--all"].as_slice(),
            &["commit", "--quiet", "--message", version],
        ] {
            let author = [
                "-c",
                "user.name=index",
                "-c",
                "user.email=index@example.com",
            ];
            run(Command::new("git")
                .current_dir(&self.folder)
                .args(author)
                .args(arguments))?;
        }
        Ok(())
    }
}
