use super::*;

fn through(environment: &Environment, server: &str) -> Option<String> {
    let proxy = choose(None, &server.parse().unwrap(), environment).unwrap();
    proxy.map(|uri| uri.to_string())
}

fn environment(no_proxy: &str) -> Environment {
    Environment {
        http_proxy: Some("plain:3128".to_owned()),
        https_proxy: Some("http://secure:3128".to_owned()),
        no_proxy: Some(no_proxy.to_owned()),
        ..Environment::default()
    }
}

#[test]
fn the_servers_scheme_chooses_the_variable() {
    let environment = environment("");
    assert_eq!(
        through(&environment, "https://a").unwrap(),
        "http://secure:3128/"
    );
    assert_eq!(
        through(&environment, "http://a").unwrap(),
        "http://plain:3128/"
    );
    assert_eq!(through(&Environment::default(), "https://a"), None);
}

#[test]
fn the_clusters_own_proxy_goes_before_the_environment_and_knows_no_exceptions() {
    let server = Uri::from_static("https://localhost:6443");
    let proxy = choose(Some("http://user:pw@own"), &server, &environment("*")).unwrap();
    assert_eq!(proxy.unwrap().to_string(), "http://user:pw@own/");
}

#[test]
fn this_machine_is_never_reached_through_the_environments_proxy() {
    for server in [
        "https://localhost:6443",
        "https://127.8.0.1",
        "https://[::1]:6443",
    ] {
        assert_eq!(through(&environment(""), server), None, "{server}");
    }
}

#[test]
fn no_proxy_is_read_as_go_reads_it() {
    // Entry, server, whether it is reached directly.
    let cases = [
        ("*", "https://a.b", true),
        ("b.com", "https://b.com", true),
        ("b.com", "https://a.b.com", true),
        ("b.com", "https://ab.com", false),
        (".b.com", "https://a.b.com", true),
        (".b.com", "https://b.com", false),
        ("*.b.com", "https://a.b.com", true),
        ("*.b.com", "https://b.com", false),
        ("B.COM", "https://b.com", true),
        (" a.com , b.com,", "https://b.com", true),
        (",", "https://b.com", false),
        ("b.com:6443", "https://b.com:6443", true),
        ("b.com:6443", "https://b.com", false),
        ("b.com:443", "https://b.com", true),
        ("10.0.0.1", "https://10.0.0.1:6443", true),
        ("10.0.0.1:443", "https://10.0.0.1:6443", false),
        ("10.0.0.1", "https://10.0.0.11", false),
        ("0.0.1", "https://10.0.0.1", false),
        ("10.0.0.0/8", "https://10.9.9.9", true),
        ("10.0.0.0/8", "https://11.0.0.1", false),
        ("0.0.0.0/0", "https://11.0.0.1", true),
        ("10.0.0.1/32", "https://10.0.0.1", true),
        ("10.0.0.0/33", "https://10.0.0.0", false),
        ("10.0.0.0/8", "https://b.com", false),
        ("fd00::/8", "https://[fd00::1]:6443", true),
        ("[fd00::1]:6443", "https://[fd00::1]:6443", true),
        ("fd00::1", "https://[fd00::1]", true),
        ("fd00::2", "https://[fd00::1]", false),
        (":443", "https://b.com", false),
    ];
    for (entry, server, direct) in cases {
        let proxy = through(&environment(entry), server);
        assert_eq!(proxy.is_none(), direct, "{entry} {server}");
    }
}

#[test]
fn socks_proxies_get_their_scheme_and_port() {
    let server = Uri::from_static("https://a");
    for (given, used) in [
        ("socks5://s", "socks5://s:1080/"),
        ("socks5h://s:99", "socks5://s:99/"),
    ] {
        let proxy = choose(Some(given), &server, &Environment::default()).unwrap();
        assert_eq!(proxy.unwrap().to_string(), used);
    }
}

#[test]
fn an_unusable_proxy_is_refused_without_showing_its_password() {
    let server = Uri::from_static("https://a");
    for proxy in [
        "ftp://u:s3cret@p",
        "p:3128",
        "http://",
        "socks5://u:s3cret@p",
        "http://s3cret^",
    ] {
        let error = choose(Some(proxy), &server, &Environment::default()).unwrap_err();
        assert!(
            error.to_string().starts_with("invalid proxy-url: "),
            "{error}"
        );
        assert!(!format!("{error} {error:?}").contains("s3cret"));
    }
}
