//! Answers for the proxy between us and the server, by Go's rules (`golang.org/x/net/http/httpproxy`).

use std::net::IpAddr;

use http::Uri;

use super::{Environment, Error};

/// The cluster's `proxy-url`, else the environment's proxy for the server's scheme, unless `NO_PROXY` names the server.
///
/// # Errors
///
/// A proxy that is no URL or not of a kind that we speak to.
pub(super) fn choose(
    proxy_url: Option<&str>,
    server: &Uri,
    environment: &Environment,
) -> Result<Option<Uri>, Error> {
    if let Some(url) = proxy_url {
        return parse("proxy-url", url).map(Some);
    }
    let (origin, proxy) = if server.scheme_str() == Some("https") {
        ("HTTPS_PROXY", &environment.https_proxy)
    } else {
        ("HTTP_PROXY", &environment.http_proxy)
    };
    match proxy {
        Some(proxy) if !is_excluded(server, environment.no_proxy.as_deref().unwrap_or("")) => {
            if proxy.contains("://") {
                parse(origin, proxy).map(Some)
            } else {
                parse(origin, &format!("http://{proxy}")).map(Some)
            }
        }
        Some(_) | None => Ok(None),
    }
}

fn parse(origin: &'static str, proxy: &str) -> Result<Uri, Error> {
    // The URL itself may hold a password and stays out of the message.
    let invalid = |reason| Error::InvalidProxy { origin, reason };
    let uri: Uri = proxy.parse().map_err(|_| invalid("it is no URL"))?;
    let authority = uri.authority().ok_or_else(|| invalid("it is no URL"))?;
    let (scheme, authority) = match uri.scheme_str() {
        Some(scheme @ ("http" | "https")) => (scheme, authority.to_string()),
        Some("socks5" | "socks5h") if authority.as_str().contains('@') => {
            return Err(invalid("credentials for a socks5 proxy are not supported"));
        }
        // Names are left for the proxy to look up with either, as in Go.
        Some("socks5" | "socks5h") => (
            "socks5",
            format!("{}:{}", authority.host(), uri.port_u16().unwrap_or(1080)),
        ),
        Some(_) | None => {
            return Err(invalid(
                "unsupported scheme, must be http, https, or socks5",
            ));
        }
    };
    Uri::builder()
        .scheme(scheme)
        .authority(authority)
        .path_and_query("/")
        .build()
        .map_err(|_| invalid("it is no URL"))
}

fn is_excluded(server: &Uri, no_proxy: &str) -> bool {
    let host = server.host().unwrap_or_default().to_lowercase();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let default_port = if server.scheme_str() == Some("https") {
        443
    } else {
        80
    };
    let port = server.port_u16().unwrap_or(default_port).to_string();
    let address = address(host);
    host == "localhost"
        || address.is_some_and(|address| address.is_loopback())
        || no_proxy
            .split(',')
            .any(|entry| matches(&entry.trim().to_lowercase(), host, &port, address))
}

fn matches(entry: &str, host: &str, port: &str, address: Option<IpAddr>) -> bool {
    if entry == "*" {
        return true;
    }
    if let Some((network, bits)) = entry.split_once('/') {
        return match (self::address(network), bits.parse(), address) {
            (Some(network), Ok(bits), Some(address)) => contains(network, bits, address),
            _ => false,
        };
    }
    let (name, wanted_port) = match entry.rsplit_once(':') {
        Some((name, port)) if name.starts_with('[') && name.ends_with(']') => {
            (&name[1..name.len() - 1], port)
        }
        Some((name, port)) if !name.contains(':') => (name, port),
        Some(_) | None => (entry, ""),
    };
    if name.is_empty() || !(wanted_port.is_empty() || wanted_port == port) {
        return false;
    }
    if let Some(excluded) = self::address(name) {
        return address == Some(excluded);
    }
    let name = name
        .strip_prefix('*')
        .filter(|rest| rest.starts_with('.'))
        .unwrap_or(name);
    let is_below = |domain| {
        host.strip_suffix(domain)
            .is_some_and(|rest: &str| rest.ends_with('.'))
    };
    address.is_none()
        && match name.strip_prefix('.') {
            Some(domain) => is_below(domain),
            None => host == name || is_below(name),
        }
}

fn address(text: &str) -> Option<IpAddr> {
    text.parse()
        .ok()
        .map(|address: IpAddr| address.to_canonical())
}

fn contains(network: IpAddr, bits: u32, address: IpAddr) -> bool {
    match (network, address) {
        (IpAddr::V4(network), IpAddr::V4(address)) => {
            32_u32.checked_sub(bits).is_some_and(|host_bits| {
                (u32::from(network) ^ u32::from(address))
                    .checked_shr(host_bits)
                    .unwrap_or(0)
                    == 0
            })
        }
        (IpAddr::V6(network), IpAddr::V6(address)) => {
            128_u32.checked_sub(bits).is_some_and(|host_bits| {
                (u128::from(network) ^ u128::from(address))
                    .checked_shr(host_bits)
                    .unwrap_or(0)
                    == 0
            })
        }
        (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
    }
}

#[cfg(test)]
mod tests;
