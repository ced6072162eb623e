//! The pages.

use std::sync::Arc;

use anyhow::Context;
use axum::extract::{Form, Path, Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse, Redirect, Response};
use lydite_core::Kind;
use lydite_lab::finding;
use lydite_lab::report::{self, STYLE};
use lydite_store::GroupBy;
use minijinja::value::Serde;
use minijinja::{Environment, Value, context};

use crate::App;
use crate::answer::{Problem, blocking};
use crate::api::set_aside;
use crate::campaigns::DecisionForm;
use crate::jobs::WorkForm;
use crate::query::{Filter, encode};

type Page = Result<Html<String>, Problem>;

/// The templates of all pages.
pub(crate) fn templates() -> anyhow::Result<Environment<'static>> {
    let mut environment = report::templates()?;
    for (name, text) in [
        ("head.html", include_str!("templates/head.html")),
        ("campaigns.html", include_str!("templates/campaigns.html")),
        ("campaign.html", include_str!("templates/campaign.html")),
        ("findings.html", include_str!("templates/findings.html")),
        ("one.html", include_str!("templates/one.html")),
    ] {
        environment.add_template(name, text).context(name)?;
    }
    Ok(environment)
}

fn render(app: &App, name: &str, values: Value) -> Page {
    let rendered = app
        .templates
        .get_template(name)
        .and_then(|t| t.render(values));
    Ok(Html(rendered.context("page")?))
}

/// What is asked for and is not there.
pub(crate) async fn nothing() -> Problem {
    Problem::not_found("this page")
}

/// The style of all pages.
pub(crate) async fn style() -> Response {
    const OWN: &str = include_str!("templates/style.css");
    let text = [STYLE, OWN].concat();
    ([(CONTENT_TYPE, "text/css; charset=utf-8")], text).into_response()
}

/// All campaigns.
pub(crate) async fn campaigns(State(app): State<Arc<App>>) -> Page {
    blocking(move || {
        let lines = app.campaigns.lines();
        let running = lines.iter().any(|line| line.running);
        render(
            &app,
            "campaigns.html",
            context! { lines => Serde(&lines), running, title => "campaigns" },
        )
    })
    .await
}

/// One campaign: how it goes, what its targets do, what it found.
pub(crate) async fn campaign(State(app): State<Arc<App>>, Path(name): Path<String>) -> Page {
    blocking(move || {
        let open = app.campaigns.get(&name)?;
        let line = open.line(&name)?;
        let totals = open.store.totals()?;
        let (pace, curve) = (open.store.pace()?, open.store.discovery_curve()?);
        let charts = report::charts(&pace, &curve, line.cases);
        let targets = report::target_lines(&open.resolved, &totals);
        let standing = open.store.standing()?;
        let groups = [
            ("kind", open.store.signatures_by(GroupBy::Kind, &standing)?),
            ("family", open.store.signatures_by(GroupBy::Family, &standing)?),
        ];
        let plan = &open.resolved.plan;
        render(
            &app,
            "campaign.html",
            context! {
                title => &line.title, running => line.running, line => Serde(&line),
                charts => Serde(&charts), targets => Serde(&targets), groups => Serde(&groups),
                totals => Serde(&totals), oracles => &plan.oracles, folder => open.folder.path().display().to_string(),
                aside => Serde(&set_aside(&open)?), sessions => pace.len()
            },
        )
    })
    .await
}

/// The findings of a campaign, page by page.
pub(crate) async fn findings(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(filter): Query<Filter>,
) -> Page {
    blocking(move || {
        let open = app.campaigns.get(&name)?;
        let standing = open.store.standing()?;
        let (wanted, page) = (filter.wanted()?, filter.page_number()?);
        let (total, findings) = finding::page(&open.store, &open.resolved, &wanted, &standing)?;
        let pages = total.div_ceil(wanted.most).max(1);
        let other = |there: bool, page: u64| there.then(|| filter.address(page));
        let families = open.store.signatures_by(GroupBy::Family, &standing)?;
        let families: Vec<&String> = families.iter().map(|(family, _)| family).collect();
        let findings: Vec<_> = findings.iter().map(as_shown).collect();
        render(
            &app,
            "findings.html",
            context! {
                title => &open.resolved.plan.name, address => encode(&name), name,
                findings => Serde(&findings), total, page, pages, filter => Serde(&filter),
                kinds => Kind::ALL.map(Kind::name), families => Serde(&families),
                before => other(page > 1, page.saturating_sub(1)),
                after => other(page < pages, page.saturating_add(1))
            },
        )
    })
    .await
}

/// A finding whose words are visible and short.
fn as_shown(finding: &finding::Finding) -> finding::Finding {
    let words =
        |text: &str| lydite_core::visible::visible(&text.chars().take(300).collect::<String>());
    finding::Finding {
        evidence: words(&finding.evidence),
        signature: report::shown(&finding.signature),
        known_issue: finding.known_issue.as_deref().map(words),
        ..finding.clone()
    }
}

/// One finding with everything that is known of it.
pub(crate) async fn finding(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, String)>,
) -> Page {
    blocking(move || {
        let open = app.campaigns.get(&name)?;
        let full = open.full(&id)?;
        let merged_into = full.file.finding.merged_into.clone();
        let marked = full.file.finding.mark.is_some();
        let entry = report::entry(&open.resolved, &full);
        let job = app.jobs.of(open.folder.path(), &id);
        let running = job.as_ref().is_some_and(|job| job.state == "running");
        let said = job
            .as_ref()
            .map(|job| lydite_core::visible::visible(&job.said));
        render(
            &app,
            "one.html",
            context! {
                title => id, address => encode(&name), name, f => Serde(&entry), marked,
                merged_into, folder => open.folder.path().display().to_string(),
                works => app.jobs.are_offered(), job => Serde(&job), said, running
            },
        )
    })
    .await
}

/// Begins to reduce or to bisect a finding, and shows it.
pub(crate) async fn work(
    State(app): State<Arc<App>>,
    Path((name, id, what)): Path<(String, String, String)>,
    Form(form): Form<WorkForm>,
) -> Result<Redirect, Problem> {
    blocking(move || {
        let task = app.campaigns.get(&name)?.task(&id, form.what(&what)?)?;
        app.jobs.begin(task)?;
        let address = format!("/c/{}/findings/{}", encode(&name), encode(&id));
        Ok(Redirect::to(&address))
    })
    .await
}

/// Keeps what somebody decided, and shows the finding again.
pub(crate) async fn mark(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, String)>,
    Form(decision): Form<DecisionForm>,
) -> Result<Redirect, Problem> {
    blocking(move || {
        let finding = app.campaigns.get(&name)?.mark(&id, &decision)?;
        let address = format!("/c/{}/findings/{}", encode(&name), encode(&finding.id));
        Ok(Redirect::to(&address))
    })
    .await
}
