use super::super::fixture::{Home, KUBECONFIG};
use super::*;

fn names(kubeconfig: &Kubeconfig) -> Vec<&str> {
    kubeconfig
        .clusters
        .iter()
        .map(|x| x.name.as_str())
        .collect()
}

fn one_cluster(name: &str, server: &str) -> String {
    format!("clusters:\n- {{name: {name}, cluster: {{server: '{server}'}}}}\n")
}

#[test]
fn the_flag_alone_counts_where_it_is_given() {
    let home = Home::new();
    let flag = home.file("flag", &one_cluster("flag", "https://flag"));
    home.file("listed", &one_cluster("listed", "https://listed"));
    home.file(".kube/config", &one_cluster("default", "https://default"));
    let listed = home.environment_with(&["listed"]);
    assert_eq!(names(&load(Some(&flag), &listed).unwrap()), ["flag"]);
    assert_eq!(names(&load(None, &listed).unwrap()), ["listed"]);
    assert_eq!(
        names(&load(None, &home.environment()).unwrap()),
        ["default"]
    );
}

#[test]
fn a_missing_file_is_an_error_only_where_the_flag_names_it() {
    let home = Home::new();
    home.file("second", KUBECONFIG);
    let listed = load(None, &home.environment_with(&["missing", "second"])).unwrap();
    assert_eq!(names(&listed), ["dev", "prod"]);
    let missing = home.path("missing");
    assert_eq!(
        load(Some(&missing), &home.environment())
            .unwrap_err()
            .to_string(),
        format!("stat {}: no such file or directory", missing.display()),
    );
}

#[test]
fn the_first_file_wins_per_entry_and_the_first_current_context_that_is_not_empty() {
    let home = Home::new();
    home.file(
        "first",
        &format!(
            "apiVersion: v1\ncurrent-context: ''\n{}",
            one_cluster("dev", "https://first")
        ),
    );
    home.file("second", &format!("apiVersion: v2\n{KUBECONFIG}"));
    let merged = load(None, &home.environment_with(&["first", "second"])).unwrap();
    assert_eq!(names(&merged), ["dev", "prod"]);
    let cluster = merged.clusters[0].cluster.as_ref().unwrap();
    assert_eq!(cluster.server.as_deref(), Some("https://first"));
    assert_eq!(cluster.tls_server_name, None);
    assert_eq!(merged.current_context.as_deref(), Some("dev"));
}

#[test]
fn an_empty_file_is_an_empty_kubeconfig() {
    let home = Home::new();
    for text in ["", "\n", "# nothing\n", "---\n", "{}", "clusters: null\n"] {
        home.file("empty", text);
        let kubeconfig = load(None, &home.environment_with(&["empty"]))
            .unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert!(kubeconfig.clusters.is_empty());
    }
}

#[test]
fn a_broken_file_is_named_with_the_position_and_never_quoted() {
    let home = Home::new();
    for text in [
        "users:\n- name: a\n  user: {token: s3cret\n",
        "users:\n- name: a\n  user: {token: [s3cret]}\n",
        "users: s3cret\n",
        "s3cret",
    ] {
        let path = home.file("broken", text);
        let error = load(Some(&path), &home.environment()).unwrap_err();
        let message = error.to_string();
        assert!(
            message.starts_with(&format!(
                "error loading config file \"{}\": it is no kubeconfig (line ",
                path.display()
            )),
            "{message}"
        );
        assert!(
            !format!("{error:?} {message}").contains("s3cret"),
            "{error:?}"
        );
    }
}

#[test]
fn a_folder_is_no_kubeconfig() {
    let home = Home::new();
    let folder = home.path("");
    assert_eq!(
        load(Some(&folder), &home.environment())
            .unwrap_err()
            .to_string(),
        format!(
            "error loading config file \"{}\": is a directory",
            folder.display()
        ),
    );
}

#[test]
fn relative_paths_are_relative_to_their_file_and_empty_ones_are_not_set() {
    let home = Home::new();
    home.file(
        "nested/config",
        "
clusters:
- {name: a, cluster: {certificate-authority: ca.crt}}
- {name: b, cluster: {certificate-authority: '', tls-server-name: '', certificate-authority-data: ''}}
users:
- {name: a, user: {client-certificate: me.crt, client-key: /abs/me.key, tokenFile: token}}
- {name: b, user: {client-certificate: '', token: '', username: '', tokenFile: '', as: ''}}
- {name: c, user: {exec: {command: ./plugin}}}
- {name: d, user: {exec: {command: plugin}}}
",
    );
    let kubeconfig = load(None, &home.environment_with(&["nested/config"])).unwrap();
    let nested = |name: &str| Some(home.path("nested").join(name).display().to_string());
    let cluster = |index: usize| kubeconfig.clusters[index].cluster.as_ref().unwrap();
    let user = |index: usize| kubeconfig.auth_infos[index].auth_info.as_ref().unwrap();
    assert_eq!(cluster(0).certificate_authority, nested("ca.crt"));
    assert_eq!(cluster(1).certificate_authority, None);
    assert_eq!(cluster(1).certificate_authority_data, None);
    assert_eq!(cluster(1).tls_server_name, None);
    assert_eq!(user(0).client_certificate, nested("me.crt"));
    assert_eq!(user(0).client_key.as_deref(), Some("/abs/me.key"));
    assert_eq!(user(0).token_file, nested("token"));
    assert_eq!(user(1).client_certificate, None);
    assert!(user(1).token.is_none() && user(1).token_file.is_none());
    assert_eq!((&user(1).username, &user(1).impersonate), (&None, &None));
    let command = |index| user(index).exec.as_ref().unwrap().command.clone();
    assert_eq!(command(2), nested("./plugin"));
    assert_eq!(command(3).as_deref(), Some("plugin"));
}
