//! Campaigns as pages: what they do, what they found, and what people decide
//! about it. Server-rendered; no script runs in the browser.
//!
//! Everything that is shown may be hostile: templates escape all of it, and
//! the policy that goes with every page allows neither script nor anything
//! from elsewhere. Every request is guarded (`guard`): by the name it asks
//! for, by a token if there is one, and what changes something by its origin.

mod answer;
mod api;
mod campaigns;
mod guard;
mod jobs;
mod pages;
mod query;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use minijinja::Environment;
use tokio::net::TcpListener;

pub use jobs::{Task, What, Work};

use campaigns::Campaigns;
use guard::Guard;
use jobs::Jobs;

/// What is served, where, and to whom.
#[derive(Clone)]
pub struct ServeSettings {
    /// A campaign's folder, or a folder of campaigns.
    pub folder: PathBuf,
    /// Where to listen.
    pub listen: SocketAddr,
    /// The secret that every request has to show.
    pub token: Option<String>,
    /// Names under which this machine may be asked, beside its addresses.
    pub hosts: Vec<String>,
    /// What reduces and bisects findings; without it neither is offered.
    pub work: Option<Arc<dyn Work>>,
}

/// What every request is answered from.
struct App {
    campaigns: Campaigns,
    templates: Environment<'static>,
    guard: Guard,
    jobs: Jobs,
}

/// A form has a few words.
const MOST_BODY: usize = 64 << 10;

/// A token that can be guessed is none.
const SHORTEST_TOKEN: usize = 16;

/// Serves until `stop` is set. `started` is told the address.
pub fn serve(
    settings: ServeSettings,
    stop: Arc<AtomicBool>,
    started: &dyn Fn(SocketAddr),
) -> Result<()> {
    if settings.token.is_none() && !settings.listen.ip().is_loopback() {
        bail!(
            "{}: whoever reaches this address could read and mark findings; set LYDITE_TOKEN",
            settings.listen
        );
    }
    if settings
        .token
        .as_ref()
        .is_some_and(|token| token.len() < SHORTEST_TOKEN)
    {
        bail!("token: at least {SHORTEST_TOKEN} characters are needed");
    }
    let app = Arc::new(App {
        campaigns: Campaigns::open(&settings.folder)?,
        templates: pages::templates()?,
        guard: Guard::new(settings.token.as_deref(), &settings.hosts),
        jobs: Jobs::new(settings.work, stop.clone()),
    });
    let jobs = app.clone();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(settings.listen)
            .await
            .with_context(|| format!("{}: cannot listen there", settings.listen))?;
        started(listener.local_addr()?);
        let stopped = async move {
            while !stop.load(Ordering::Relaxed) {
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        };
        axum::serve(listener, router(app))
            .with_graceful_shutdown(stopped)
            .await?;
        Ok(())
    });
    jobs.jobs.end();
    served
}

fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/", get(pages::campaigns))
        .route("/style.css", get(pages::style))
        .route("/login", post(guard::login))
        .route("/c/{name}", get(pages::campaign))
        .route("/c/{name}/findings", get(pages::findings))
        .route("/c/{name}/findings/{id}", get(pages::finding))
        .route("/c/{name}/findings/{id}/mark", post(pages::mark))
        .route("/c/{name}/findings/{id}/work/{what}", post(pages::work))
        .route("/api/campaigns", get(api::campaigns))
        .route("/api/campaigns/{name}", get(api::campaign))
        .route("/api/campaigns/{name}/report", get(api::report))
        .route("/api/campaigns/{name}/findings", get(api::findings))
        .route("/api/campaigns/{name}/findings/{id}", get(api::finding))
        .route("/api/campaigns/{name}/findings/{id}/mark", post(api::mark))
        .route(
            "/api/campaigns/{name}/findings/{id}/work",
            get(api::work_of),
        )
        .route(
            "/api/campaigns/{name}/findings/{id}/work/{what}",
            post(api::work),
        )
        .fallback(pages::nothing)
        .layer(DefaultBodyLimit::max(MOST_BODY))
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .with_state(app)
}
