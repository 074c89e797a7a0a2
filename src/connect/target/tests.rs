use secrecy::ExposeSecret;

use super::super::fixture::{Home, KUBECONFIG};
use super::*;

fn chosen(options: &Options) -> Result<Target, Error> {
    let home = Home::new();
    home.file("config", KUBECONFIG);
    choose(options, &home.environment_with(&["config"]))
}

#[expect(clippy::unnecessary_wraps, reason = "a flag may be missing")]
fn flag(value: &str) -> Option<String> {
    Some(value.to_owned())
}

#[test]
fn the_current_context_is_chosen_where_no_flag_says_otherwise() {
    for options in [
        Options::default(),
        Options {
            context: flag(""),
            cluster: flag(""),
            user: flag(""),
            server: flag(""),
            namespace: flag(""),
            ..Options::default()
        },
    ] {
        let target = chosen(&options).unwrap();
        assert_eq!(target.context.as_deref(), Some("dev"));
        assert_eq!(target.namespace, "agents");
        assert_eq!(target.cluster.server.as_deref(), Some("https://dev:6443"));
        assert_eq!(target.user.token.unwrap().expose_secret(), "alice-token");
        assert!(!target.in_cluster);
    }
}

#[test]
fn flags_choose_context_cluster_user_and_namespace() {
    let target = chosen(&Options {
        context: flag("prod"),
        ..Options::default()
    })
    .unwrap();
    assert_eq!(target.context.as_deref(), Some("prod"));
    assert_eq!(target.namespace, "default");
    let target = chosen(&Options {
        cluster: flag("prod"),
        user: flag("bob"),
        namespace: flag("other"),
        ..Options::default()
    })
    .unwrap();
    assert_eq!(target.cluster.server.as_deref(), Some("https://prod:6443"));
    assert_eq!(target.user.username.as_deref(), Some("bob"));
    assert_eq!(target.namespace, "other");
}

#[test]
fn what_does_not_exist_is_named_with_what_there_is() {
    let cases = [
        (
            Options {
                context: flag("x"),
                ..Options::default()
            },
            "context \"x\" does not exist",
            "the kubeconfig has dev, prod",
        ),
        (
            Options {
                cluster: flag("x"),
                ..Options::default()
            },
            "cluster \"x\" does not exist",
            "the kubeconfig has dev, prod",
        ),
        (
            Options {
                user: flag("x"),
                ..Options::default()
            },
            "user \"x\" does not exist",
            "the kubeconfig has alice, bob",
        ),
    ];
    for (options, message, hint) in cases {
        let error = chosen(&options).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(error.hint().as_deref(), Some(hint));
    }
}

#[test]
fn a_context_that_names_an_unknown_user_is_not_anonymous() {
    let home = Home::new();
    home.file(
        "config",
        &KUBECONFIG.replace("user: alice,", "user: mallory,"),
    );
    let error = choose(&Options::default(), &home.environment_with(&["config"])).unwrap_err();
    assert_eq!(error.to_string(), "user \"mallory\" does not exist");
}

#[test]
fn without_a_current_context_a_cluster_or_a_server_is_enough() {
    let home = Home::new();
    home.file("config", &KUBECONFIG.replace("current-context: dev", ""));
    let environment = home.environment_with(&["config"]);
    let error = choose(&Options::default(), &environment).unwrap_err();
    assert_eq!(error.to_string(), "current-context is not set");
    assert_eq!(
        error.hint().as_deref(),
        Some("choose one with --context: dev, prod")
    );
    for options in [
        Options {
            cluster: flag("prod"),
            ..Options::default()
        },
        Options {
            server: flag("https://prod:6443"),
            ..Options::default()
        },
    ] {
        let target = choose(&options, &environment).unwrap();
        assert_eq!(target.context, None);
        assert_eq!(target.cluster.server.as_deref(), Some("https://prod:6443"));
    }
}

#[test]
fn an_incomplete_entry_is_named() {
    let home = Home::new();
    home.file(
        "config",
        "clusters: [{name: bare, cluster: {}}]\ncontexts:\n- {name: a, context: {cluster: bare}}\n- {name: b, context: {cluster: ''}}\n",
    );
    let message = |context: &str| {
        let options = Options {
            context: flag(context),
            ..Options::default()
        };
        choose(&options, &home.environment_with(&["config"]))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(message("a"), "no server found for cluster \"bare\"");
    assert_eq!(message("b"), "cluster was not specified for context \"b\"");
}

#[test]
fn a_pod_reaches_its_own_cluster_only_if_nothing_at_all_is_configured() {
    let home = Home::new();
    let pod = home.pod();
    assert!(choose(&Options::default(), &pod).unwrap().in_cluster);
    let token = Options {
        token: Some("mine".into()),
        ..Options::default()
    };
    let target = choose(&token, &pod).unwrap();
    assert!(target.in_cluster && target.user.token_file.is_none());

    let server = Options {
        server: flag("https://other"),
        ..Options::default()
    };
    let target = choose(&server, &pod).unwrap();
    assert!(!target.in_cluster && target.user.token_file.is_none());

    for broken in ["contexts: [", "current-context: gone\n", KUBECONFIG] {
        home.file(".kube/config", broken);
        let result = choose(&Options::default(), &pod);
        assert!(result.is_err() || !result.unwrap().in_cluster, "{broken}");
    }
    let empty = Options {
        kubeconfig: Some(home.file("empty", "")),
        ..Options::default()
    };
    assert!(matches!(choose(&empty, &pod), Err(Error::NoContext { .. })));
}

#[test]
fn nothing_configured_outside_of_a_pod_says_what_to_set() {
    let error = choose(&Options::default(), &Home::new().environment()).unwrap_err();
    assert_eq!(error.to_string(), "no configuration has been provided");
    assert!(error.hint().unwrap().contains("--kubeconfig"));
}

#[test]
fn next_to_a_kubeconfig_without_a_namespace_the_pods_is_taken() {
    let home = Home::new();
    let mut pod = home.pod();
    home.file(
        ".kube/config",
        &KUBECONFIG.replace("current-context: dev", "current-context: prod"),
    );
    assert_eq!(
        choose(&Options::default(), &pod).unwrap().namespace,
        "agents"
    );
    pod.pod_namespace = flag("variable");
    assert_eq!(
        choose(&Options::default(), &pod).unwrap().namespace,
        "variable"
    );
}

#[test]
fn a_namespace_that_is_no_label_is_refused_wherever_it_comes_from() {
    let long = "a".repeat(64);
    for name in ["a/../b", "A", "-a", "a-", "a.b", "ä", &long] {
        let options = Options {
            namespace: flag(name),
            ..Options::default()
        };
        assert!(
            matches!(chosen(&options), Err(Error::InvalidNamespace(_))),
            "{name}"
        );
        let home = Home::new();
        home.file(
            "config",
            &KUBECONFIG.replace("namespace: agents", &format!("namespace: '{name}'")),
        );
        let result = choose(&Options::default(), &home.environment_with(&["config"]));
        assert!(matches!(result, Err(Error::InvalidNamespace(_))), "{name}");
    }
    let options = Options {
        namespace: flag(&long[1..]),
        ..Options::default()
    };
    assert!(chosen(&options).is_ok());
}
