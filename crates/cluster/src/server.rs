//! The NATS server: where it is, how we prove who we are, and how long we
//! bear with it.

use std::future::Future;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use async_nats::ConnectOptions;
use async_nats::jetstream::{self, context::ContextBuilder};

/// Where the server is and what it wants to see. All of it is NATS's own.
#[derive(Clone, Debug, Default)]
pub struct Server {
    /// `nats://host:4222`, `tls://…`; several are separated by commas.
    pub url: String,
    /// A credentials file (JWT and nkey seed).
    pub credentials: Option<PathBuf>,
    /// A user name.
    pub user: Option<String>,
    /// The user's password.
    pub password: Option<String>,
    /// A token, in place of user and password.
    pub token: Option<String>,
    /// Certificates to trust beside those of the system.
    pub authority: Option<PathBuf>,
    /// Our own certificate.
    pub certificate: Option<PathBuf>,
    /// Its key.
    pub key: Option<PathBuf>,
}

/// How long the first connection and the set-up may take: what does not work
/// by then is a mistake in the settings, not a server that is coming back.
const FIRST_PATIENCE: Duration = Duration::from_secs(20);

/// The step of [`lydite_process::failpoint`] before something changes on the server.
pub(crate) const MESSAGE: &str = "message";

/// The first and the longest pause between two tries.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(2));

impl Server {
    /// Connects. Later, lost connections are made again without an end.
    pub async fn connect(&self, name: &str) -> Result<jetstream::Context> {
        let options = self.options(name).await?;
        let addresses: Vec<async_nats::ServerAddr> = self
            .url
            .split(',')
            .map(|url| {
                let parsed = url.trim().parse();
                parsed.with_context(|| format!("`{url}`: not the address of a NATS server"))
            })
            .collect::<Result<_>>()?;
        let began = Instant::now();
        loop {
            match options.clone().connect(addresses.clone()).await {
                Ok(client) => {
                    let context = ContextBuilder::new().timeout(Duration::from_secs(5));
                    return Ok(context.ack_timeout(Duration::from_secs(5)).build(client));
                }
                Err(error) if began.elapsed() > FIRST_PATIENCE || is_final(&error) => {
                    // Its text has that of its source in it.
                    return Err(anyhow!("{error}").context(self.shown()));
                }
                Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
            }
        }
    }

    async fn options(&self, name: &str) -> Result<ConnectOptions> {
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(Duration::from_secs(5))
            .max_reconnects(None)
            .reconnect_delay_callback(|tries| {
                PAUSES.0.saturating_mul(tries.min(40) as u32).min(PAUSES.1)
            });
        if let Some(path) = &self.credentials {
            options = options
                .credentials_file(path)
                .await
                .with_context(|| format!("credentials {}", path.display()))?;
        }
        match (&self.user, &self.password) {
            (Some(user), password) => {
                let password = password.clone().unwrap_or_default();
                options = options.user_and_password(user.clone(), password);
            }
            (None, Some(_)) => bail!("a password for NATS, but no user"),
            (None, None) => {}
        }
        if let Some(token) = &self.token {
            options = options.token(token.clone());
        }
        if let Some(path) = &self.authority {
            options = options.add_root_certificates(path.clone());
        }
        match (&self.certificate, &self.key) {
            (Some(certificate), Some(key)) => {
                options = options.add_client_certificate(certificate.clone(), key.clone());
            }
            (None, None) => {}
            _ => bail!("a certificate for NATS needs its key, and a key its certificate"),
        }
        Ok(options)
    }

    /// The address without what is secret in it.
    pub fn shown(&self) -> String {
        let hidden = |url: &str| match (url.split_once("://"), url.rsplit_once('@')) {
            (Some((scheme, _)), Some((_, host))) => format!("{scheme}://…@{host}"),
            _ => url.to_string(),
        };
        let urls: Vec<String> = self.url.split(',').map(hidden).collect();
        urls.join(",")
    }
}

/// True if another try would end the same way.
fn is_final(error: &async_nats::ConnectError) -> bool {
    use async_nats::ConnectErrorKind::*;
    matches!(
        error.kind(),
        ServerParse | Authentication | AuthorizationViolation | Tls
    )
}

/// Asks again until there is an answer or everything is to stop. A server
/// that was killed comes back, and its streams with it.
pub(crate) async fn persist<T, E, F>(
    what: &str,
    stop: &AtomicBool,
    mut attempt: impl FnMut() -> F,
) -> Result<T>
where
    F: Future<Output = Result<T, E>>,
    E: std::fmt::Display,
{
    let mut pause = PAUSES.0;
    loop {
        match attempt().await {
            Ok(done) => return Ok(done),
            Err(error) if stop.load(Ordering::Relaxed) => bail!("{what}: {error}"),
            Err(_) => tokio::time::sleep(pause).await,
        }
        pause = (pause * 2).min(PAUSES.1);
    }
}

/// The same for what has to work at the beginning.
pub(crate) async fn at_first<T, E, F>(what: &str, mut attempt: impl FnMut() -> F) -> Result<T>
where
    F: Future<Output = Result<T, E>>,
    E: std::fmt::Display,
{
    let began = Instant::now();
    loop {
        match attempt().await {
            Ok(done) => return Ok(done),
            Err(error) if began.elapsed() > FIRST_PATIENCE => bail!("{what}: {error}"),
            Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_of_an_address_has_no_password() {
        let shown = |url: &str| {
            let url = url.to_string();
            Server {
                url,
                ..Server::default()
            }
            .shown()
        };
        assert_eq!(shown("nats://127.0.0.1:4222"), "nats://127.0.0.1:4222");
        assert_eq!(
            shown("tls://me:se@cret@h:1,nats://b"),
            "tls://…@h:1,nats://b"
        );
    }
}
