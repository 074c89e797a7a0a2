use super::*;

#[expect(clippy::unnecessary_wraps, reason = "a flag may be missing")]
fn flag(value: &str) -> Option<String> {
    Some(value.to_owned())
}

fn applied(options: &Options, cluster: Cluster, user: AuthInfo) -> Result<Target, Error> {
    let mut target = Target {
        context: None,
        namespace: "default".to_owned(),
        in_cluster: false,
        cluster,
        user,
    };
    apply(options, &mut target).map(|()| target)
}

fn of_user(options: &Options, user: AuthInfo) -> Result<AuthInfo, Error> {
    applied(options, Cluster::default(), user).map(|target| target.user)
}

fn with_everything() -> Cluster {
    Cluster {
        server: flag("https://file"),
        tls_server_name: flag("file"),
        certificate_authority: flag("file.crt"),
        certificate_authority_data: flag("ZmlsZQ=="),
        ..Cluster::default()
    }
}

#[test]
fn an_authority_or_the_insecure_flag_replaces_all_three() {
    let secure = Options {
        certificate_authority: flag("flag.crt"),
        ..Options::default()
    };
    let mut insecure_file = with_everything();
    insecure_file.insecure_skip_tls_verify = Some(true);
    let cluster = applied(&secure, insecure_file, AuthInfo::default())
        .unwrap()
        .cluster;
    assert_eq!(cluster.certificate_authority.as_deref(), Some("flag.crt"));
    assert_eq!(cluster.certificate_authority_data, None);
    assert_eq!(cluster.insecure_skip_tls_verify, Some(false));

    let insecure = Options {
        insecure_skip_tls_verify: true,
        ..Options::default()
    };
    let cluster = applied(&insecure, with_everything(), AuthInfo::default())
        .unwrap()
        .cluster;
    assert_eq!(cluster.certificate_authority, None);
    assert_eq!(cluster.certificate_authority_data, None);
    assert_eq!(cluster.insecure_skip_tls_verify, Some(true));

    let both = Options {
        certificate_authority: flag("flag.crt"),
        ..insecure
    };
    let result = applied(&both, Cluster::default(), AuthInfo::default());
    assert!(matches!(result, Err(Error::AuthorityAndInsecure)));
}

#[test]
fn a_server_flag_clears_the_server_name_of_the_file() {
    let server = Options {
        server: flag("https://flag"),
        ..Options::default()
    };
    let cluster = applied(&server, with_everything(), AuthInfo::default())
        .unwrap()
        .cluster;
    assert_eq!(cluster.server.as_deref(), Some("https://flag"));
    assert_eq!(cluster.tls_server_name, None);
    assert_eq!(cluster.certificate_authority.as_deref(), Some("file.crt"));

    let name = Options {
        tls_server_name: flag("flag"),
        ..server
    };
    let cluster = applied(&name, with_everything(), AuthInfo::default())
        .unwrap()
        .cluster;
    assert_eq!(cluster.tls_server_name.as_deref(), Some("flag"));
}

#[test]
fn certificate_flags_clear_the_data_of_the_file() {
    let options = Options {
        client_certificate: flag("flag.crt"),
        client_key: flag("flag.key"),
        ..Options::default()
    };
    let user = of_user(
        &options,
        AuthInfo {
            client_certificate_data: flag("ZmlsZQ=="),
            client_key_data: Some("ZmlsZQ==".into()),
            ..AuthInfo::default()
        },
    )
    .unwrap();
    assert_eq!(user.client_certificate.as_deref(), Some("flag.crt"));
    assert_eq!(user.client_key.as_deref(), Some("flag.key"));
    assert!(user.client_certificate_data.is_none() && user.client_key_data.is_none());
}

#[test]
fn a_token_flag_replaces_every_other_way_to_log_in() {
    let options = Options {
        token: Some("flag".into()),
        ..Options::default()
    };
    let user = of_user(
        &options,
        AuthInfo {
            token_file: flag("file"),
            username: flag("bob"),
            password: Some("secret".into()),
            exec: Some(kube::config::ExecConfig::default()),
            ..AuthInfo::default()
        },
    )
    .unwrap();
    assert_eq!(user.token.unwrap().expose_secret(), "flag");
    assert!(user.token_file.is_none() && user.username.is_none() && user.password.is_none());
    assert!(user.exec.is_none());
}

#[test]
fn a_token_and_a_name_from_the_same_place_are_refused() {
    let flags = Options {
        token: Some("flag".into()),
        username: flag("bob"),
        ..Options::default()
    };
    assert!(matches!(
        of_user(&flags, AuthInfo::default()),
        Err(Error::SeveralMethods)
    ));
    for file in [
        AuthInfo {
            token: Some("file".into()),
            ..AuthInfo::default()
        },
        AuthInfo {
            token_file: flag("file"),
            ..AuthInfo::default()
        },
    ] {
        let user = AuthInfo {
            username: flag("bob"),
            ..file
        };
        let result = of_user(&Options::default(), user);
        assert!(matches!(result, Err(Error::SeveralMethods)));
    }
}

#[test]
fn groups_uid_and_extra_need_a_user_to_impersonate() {
    let mut flags = crate::connect::Impersonate {
        uid: flag("1"),
        groups: vec!["devs".to_owned()],
        extra: [("scopes".to_owned(), vec!["view".to_owned()])].into(),
        ..crate::connect::Impersonate::default()
    };
    let options = |impersonate| Options {
        impersonate,
        ..Options::default()
    };
    let without = of_user(&options(flags.clone()), AuthInfo::default());
    assert!(matches!(without, Err(Error::ImpersonationWithoutUser)));
    let in_file = AuthInfo {
        impersonate_groups: Some(flags.groups.clone()),
        ..AuthInfo::default()
    };
    let without = of_user(&Options::default(), in_file);
    assert!(matches!(without, Err(Error::ImpersonationWithoutUser)));

    flags.user = flag("jane");
    let user = of_user(&options(flags.clone()), AuthInfo::default()).unwrap();
    assert_eq!(user.impersonate, flags.user);
    assert_eq!(user.impersonate_uid, flags.uid);
    assert_eq!(user.impersonate_groups, Some(flags.groups));
    assert_eq!(user.impersonate_user_extra.unwrap()["scopes"], ["view"]);
}
