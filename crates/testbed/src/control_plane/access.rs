//! Who may do what: kubeconfigs, and users with narrow rights.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::Request;
use serde_json::{Value, json};

use super::ControlPlane;
use crate::cluster::{Cluster, Objects, collection};

impl ControlPlane {
    /// Makes a user who may do what `rules` (of a Role) allow in `namespace`, and nothing elsewhere.
    ///
    /// Returns the user's kubeconfig, its namespace set.
    ///
    /// # Errors
    ///
    /// Where the API server refuses a part of it.
    pub async fn user(&self, namespace: &str, rules: Value) -> Result<String> {
        self.user_with("Role", json!(namespace), namespace, rules)
            .await
    }

    /// Makes a user who may do what `rules` (of a `ClusterRole`) allow in every namespace.
    ///
    /// Returns the user's kubeconfig, with `namespace` set.
    ///
    /// # Errors
    ///
    /// Where the API server refuses a part of it.
    pub async fn cluster_user(&self, namespace: &str, rules: Value) -> Result<String> {
        self.user_with("ClusterRole", Value::Null, namespace, rules)
            .await
    }

    async fn user_with(
        &self,
        role: &str,
        scope: Value,
        namespace: &str,
        rules: Value,
    ) -> Result<String> {
        static COUNT: AtomicU64 = AtomicU64::new(1);
        let name = format!("user-{}", COUNT.fetch_add(1, Ordering::Relaxed));
        let rbac = "rbac.authorization.k8s.io";
        let version = format!("{rbac}/v1");
        let metadata = json!({ "name": name, "namespace": scope });
        let account = json!({ "kind": "ServiceAccount", "name": name, "namespace": namespace });
        let mut objects = [
            json!({ "kind": "ServiceAccount", "metadata": { "name": name, "namespace": namespace } }),
            json!({ "kind": role, "metadata": metadata, "rules": rules }),
            json!({
                "kind": format!("{role}Binding"),
                "metadata": metadata,
                "roleRef": { "apiGroup": rbac, "kind": role, "name": name },
                "subjects": [account],
            }),
        ];
        for (object, version) in objects.iter_mut().zip(["v1", &version, &version]) {
            object["apiVersion"] = json!(version);
            self.create(object.take()).await?;
        }
        let token = self.token(namespace, &name).await?;
        Ok(kubeconfig(
            self.server(),
            &self.authority,
            &token,
            namespace,
        ))
    }

    async fn token(&self, namespace: &str, account: &str) -> Result<String> {
        let body =
            json!({ "apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {} });
        let path = format!(
            "{}/{account}/token",
            collection("ServiceAccount", namespace)
        );
        let request = Request::post(path).header("content-type", "application/json");
        let answer = self
            .send(request.body(body.to_string().into_bytes())?)
            .await?;
        ensure!(
            answer.status().is_success(),
            "no token for {account}: {:?}",
            answer.body()
        );
        let answer: Value = serde_json::from_slice(answer.body())?;
        Ok(answer["status"]["token"]
            .as_str()
            .context("a token")?
            .to_owned())
    }
}

/// A kubeconfig of one user; `authority` is the server's certificate authority as PEM.
pub(super) fn kubeconfig(server: &str, authority: &[u8], token: &str, namespace: &str) -> String {
    let authority = STANDARD.encode(authority);
    format!(
        "apiVersion: v1
kind: Config
clusters:
- name: control-plane
  cluster:
    server: {server}
    certificate-authority-data: {authority}
users:
- name: user
  user:
    token: {token}
contexts:
- name: control-plane
  context:
    cluster: control-plane
    user: user
    namespace: {namespace}
current-context: control-plane
"
    )
}
