//! Who may ask, and what goes with every answer.
//!
//! A page elsewhere can make the browser ask us. It cannot read the answer,
//! unless it has its own name lead here (so only names that are known are
//! answered), and it cannot change anything, since what changes something has
//! to come from our own pages.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Form, Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, LOCATION, ORIGIN,
    REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use serde::Deserialize;

use crate::App;

/// Whom requests may come from.
pub(crate) struct Guard {
    /// What stands for the token in a cookie, and for comparing.
    token: Option<blake3::Hash>,
    hosts: Vec<String>,
}

/// What goes with every answer.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; \
         frame-ancestors 'none'",
    ),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "same-origin"),
    (CACHE_CONTROL, "no-store"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

const COOKIE_NAME: &str = "lydite";

impl Guard {
    pub(crate) fn new(token: Option<&str>, hosts: &[String]) -> Guard {
        Guard {
            token: token.map(disguise),
            hosts: hosts.iter().map(|host| host.to_lowercase()).collect(),
        }
    }

    /// True for an address, for this machine, and for names that were given.
    fn knows_host(&self, headers: &HeaderMap) -> bool {
        let Some(host) = text(headers, &HOST) else {
            return false;
        };
        let name = match host.strip_prefix('[') {
            Some(rest) => rest.split(']').next().unwrap_or_default(),
            None => host.split(':').next().unwrap_or_default(),
        };
        let name = name.to_lowercase();
        name == "localhost" || name.parse::<IpAddr>().is_ok() || self.hosts.contains(&name)
    }

    fn knows_token(&self, headers: &HeaderMap) -> bool {
        let Some(token) = self.token else {
            return true;
        };
        self.has_bearer(headers) || {
            let cookies = headers.get_all(COOKIE).iter();
            let cookies = cookies.filter_map(|value| value.to_str().ok());
            let mut pairs = cookies.flat_map(|line| line.split(';'));
            let ours = |pair: &str| {
                let value = pair.trim().strip_prefix(COOKIE_NAME)?.strip_prefix('=')?;
                blake3::Hash::from_hex(value).ok()
            };
            // Comparing hashes takes the same time wherever they differ.
            pairs.any(|pair| ours(pair) == Some(token))
        }
    }

    fn has_bearer(&self, headers: &HeaderMap) -> bool {
        let given = text(headers, &AUTHORIZATION).and_then(|line| line.strip_prefix("Bearer "));
        given.is_some() && given.map(disguise) == self.token
    }

    /// True if one of our own pages asks, or a program that knows the token:
    /// no page elsewhere can send that header.
    fn is_own(&self, headers: &HeaderMap) -> bool {
        let origin = text(headers, &ORIGIN).and_then(|origin| origin.split_once("://"));
        match origin {
            Some((_, authority)) => text(headers, &HOST) == Some(authority),
            None => self.has_bearer(headers),
        }
    }
}

/// What is compared, and what a cookie holds, in place of the token itself.
fn disguise(token: &str) -> blake3::Hash {
    blake3::Hash::from_bytes(blake3::derive_key("lydite serve token", token.as_bytes()))
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// Lets through what may pass.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let guard = &app.guard;
    let headers = request.headers();
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let open = matches!(request.uri().path(), "/login" | "/style.css");
    let mut response = if !guard.knows_host(headers) {
        let text = "this name is not known here (lydite serve --host NAME)\n";
        (StatusCode::MISDIRECTED_REQUEST, text).into_response()
    } else if !reads && !guard.is_own(headers) {
        let text = "only the pages of this server may change something\n";
        (StatusCode::FORBIDDEN, text).into_response()
    } else if !open && !guard.knows_token(headers) {
        (StatusCode::UNAUTHORIZED, Html(LOGIN)).into_response()
    } else {
        next.run(request).await
    };
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

const LOGIN: &str = include_str!("templates/login.html");

#[derive(Deserialize)]
pub(crate) struct Login {
    token: String,
}

/// Takes the token and leaves a cookie.
pub(crate) async fn login(State(app): State<Arc<App>>, Form(form): Form<Login>) -> Response {
    let given = disguise(form.token.trim());
    if app.guard.token != Some(given) {
        return (StatusCode::UNAUTHORIZED, Html(LOGIN)).into_response();
    }
    let cookie = format!(
        "{COOKIE_NAME}={}; HttpOnly; SameSite=Strict; Path=/",
        given.to_hex()
    );
    (
        StatusCode::SEE_OTHER,
        [(SET_COOKIE, cookie.as_str()), (LOCATION, "/")],
    )
        .into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, value.parse().unwrap());
        }
        headers
    }

    #[test]
    fn only_addresses_and_known_names_are_answered() {
        let guard = Guard::new(None, &["Lab.example".to_string()]);
        for (host, known) in [
            ("127.0.0.1:8089", true),
            ("localhost:8089", true),
            ("[::1]:8089", true),
            ("192.0.2.7", true),
            ("lab.EXAMPLE:1", true),
            ("evil.example:8089", false),
            ("localhost.evil.example", false),
            ("127.0.0.1.evil.example", false),
            ("", false),
        ] {
            assert_eq!(
                guard.knows_host(&headers(&[("host", host)])),
                known,
                "{host}"
            );
        }
        assert!(!guard.knows_host(&HeaderMap::new()));
    }

    #[test]
    fn what_changes_something_comes_from_our_own_pages() {
        let guard = Guard::new(Some("a token of some length"), &[]);
        let host = ("host", "127.0.0.1:8089");
        for (more, own) in [
            (vec![("origin", "http://127.0.0.1:8089")], true),
            (vec![("origin", "http://127.0.0.1:9000")], false),
            (vec![("origin", "http://evil.example")], false),
            (vec![("origin", "null")], false),
            (vec![], false),
            (
                vec![("authorization", "Bearer a token of some length")],
                true,
            ),
            (vec![("authorization", "Bearer another")], false),
            (
                vec![
                    ("authorization", "Bearer a token of some length"),
                    ("origin", "http://evil.example"),
                ],
                false,
            ),
        ] {
            let headers = headers(&[vec![host], more.clone()].concat());
            assert_eq!(guard.is_own(&headers), own, "{more:?}");
        }
        assert!(!Guard::new(None, &[]).is_own(&headers(&[host, ("authorization", "Bearer ")])));
    }

    #[test]
    fn a_token_is_known_by_header_or_cookie() {
        let guard = Guard::new(Some("a token of some length"), &[]);
        let cookie = format!(
            "a=b; lydite={}",
            disguise("a token of some length").to_hex()
        );
        assert!(guard.knows_token(&headers(&[("cookie", &cookie)])));
        for wrong in [
            "lydite=",
            "lydite=a token of some length",
            "lydite",
            "x=1; lydite=00",
        ] {
            assert!(
                !guard.knows_token(&headers(&[("cookie", wrong)])),
                "{wrong}"
            );
        }
        assert!(!guard.knows_token(&HeaderMap::new()));
        assert!(Guard::new(None, &[]).knows_token(&HeaderMap::new()));
    }
}
