//! Accepts requests only from the server's own pages, under its own host names.
//!
//! Another site's page must not start engines here: its requests carry its own `Origin`. With DNS
//! rebinding, a foreign name resolves to this machine and becomes the `Host`; so only IP addresses,
//! `localhost` and the names given on the command line are accepted.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Middleware that rejects foreign hosts and origins and adds security headers to all responses.
pub async fn check(State(names): State<Arc<[String]>>, request: Request, next: Next) -> Response {
    let mut response = match rejection(request.headers(), &names) {
        None => next.run(request).await,
        Some(reason) => (StatusCode::FORBIDDEN, reason).into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

const HEADERS: [(HeaderName, &str); 4] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
         font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-cache"),
];

/// Why a request with these headers is rejected, if it is.
fn rejection(headers: &HeaderMap, names: &[String]) -> Option<&'static str> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let Some(host) = text(header::HOST).filter(|host| is_own(host, names)) else {
        return Some("Unknown host name: add it with --host\n");
    };
    let is_foreign = match headers.get(header::ORIGIN).map(HeaderValue::to_str) {
        None => false,
        // A proxy may offer HTTPS.
        Some(Ok(origin)) => {
            ["http://", "https://"].iter().all(|scheme| origin.strip_prefix(scheme) != Some(host))
        }
        Some(Err(_)) => true,
    };
    is_foreign.then_some("Cross-origin request refused\n")
}

/// Whether there is an `Origin`, which every browser sends with a WebSocket request.
pub fn has_origin(headers: &HeaderMap) -> bool {
    headers.contains_key(header::ORIGIN)
}

fn is_own(host: &str, names: &[String]) -> bool {
    if let Some(rest) = host.strip_prefix('[') {
        return rest
            .split_once(']')
            .is_some_and(|(address, port)| address.parse::<Ipv6Addr>().is_ok() && is_port(port));
    }
    let (name, port) = host.find(':').map_or((host, ""), |at| host.split_at(at));
    let is_known = name.parse::<Ipv4Addr>().is_ok()
        || name.eq_ignore_ascii_case("localhost")
        || names.iter().any(|known| name.eq_ignore_ascii_case(known));
    is_known && is_port(port)
}

/// Whether the text is empty, or a colon and a port.
fn is_port(text: &str) -> bool {
    text.is_empty() || text.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_accepted(host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        rejection(&headers, &["board.local".to_owned()]).is_none()
    }

    #[test]
    fn own_hosts_are_accepted() {
        for host in ["localhost", "127.0.0.1:8427", "[::1]:80", "LocalHost:1", "board.local:8"] {
            assert!(is_accepted(host, None), "{host}");
            for scheme in ["http", "https"] {
                assert!(is_accepted(host, Some(&format!("{scheme}://{host}"))), "{host}");
            }
        }
    }

    #[test]
    fn foreign_hosts_are_rejected() {
        for host in [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "127.0.0.1:80:80",
            "[::1",
            "[::1]x",
            "[evil]:1",
            "localhost:x",
            "a@localhost",
            "",
        ] {
            assert!(!is_accepted(host, None), "{host}");
        }
        assert!(rejection(&HeaderMap::new(), &[]).is_some());
    }

    #[test]
    fn foreign_origins_are_rejected() {
        for origin in [
            "http://evil.example",
            "http://localhost:81",
            "https://localhost:81",
            "ftp://localhost:80",
            "http://localhost:80.evil.example",
            "null",
            "",
        ] {
            assert!(!is_accepted("localhost:80", Some(origin)), "{origin}");
        }
    }
}
