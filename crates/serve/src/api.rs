//! The same as the pages for programs: the JSON of the command line
//! (docs/serve.md).

use std::sync::Arc;

use axum::extract::{Form, Path, Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use lydite_lab::finding;
use lydite_lab::report::{self, Report};
use serde::Serialize;
use serde_json::{Value, json};

use crate::App;
use crate::answer::{Problem, blocking};
use crate::campaigns::DecisionForm;
use crate::jobs::WorkForm;
use crate::query::Filter;

type Reply = Result<Response, Problem>;

/// One object per campaign.
pub(crate) async fn campaigns(State(app): State<Arc<App>>) -> Reply {
    blocking(move || lines(&app.campaigns.lines())).await
}

/// How a campaign stands, as `lydite hunt --json` ends.
pub(crate) async fn campaign(State(app): State<Arc<App>>, Path(name): Path<String>) -> Reply {
    blocking(move || {
        let open = app.campaigns.get(&name)?;
        let totals = open.store.totals()?;
        let line = open.line(&name)?;
        let mut object = report::summary(&totals, &open.targets(), line.findings);
        object["campaign"] = json!(open.folder.path());
        object["rate"] = json!(line.rate);
        object["running"] = json!(line.running);
        object["discovery"] = json!(open.store.discovery_curve()?);
        object["set_aside"] = set_aside(&open)?;
        Ok(one(&object)?)
    })
    .await
}

/// Cases that no worker could finish.
pub(crate) fn set_aside(open: &crate::campaigns::OpenCampaign) -> Result<Value, Problem> {
    let noted = open.store.meta("set-aside")?;
    Ok(noted.map_or(json!([]), |text| {
        serde_json::from_str(&text).unwrap_or(json!([]))
    }))
}

/// The whole report, as `lydite report DIR --json`.
pub(crate) async fn report(State(app): State<Arc<App>>, Path(name): Path<String>) -> Reply {
    blocking(move || {
        let open = app.campaigns.get(&name)?;
        Ok(one(&Report::of(&open.store, &open.resolved)?)?)
    })
    .await
}

/// One object per finding, as `lydite findings DIR --json`.
pub(crate) async fn findings(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(filter): Query<Filter>,
) -> Reply {
    blocking(move || {
        let open = app.campaigns.get(&name)?;
        let standing = open.store.standing()?;
        let wanted = filter.wanted()?;
        let (total, findings) = finding::page(&open.store, &open.resolved, &wanted, &standing)?;
        let mut response = lines(&findings)?;
        let total = total.to_string().parse().expect("digits are a header");
        response.headers_mut().insert("x-total-count", total);
        Ok(response)
    })
    .await
}

/// One finding with what is shown of it, as in `report.json`.
pub(crate) async fn finding(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, String)>,
) -> Reply {
    blocking(move || {
        let open = app.campaigns.get(&name)?;
        Ok(one(&report::entry(&open.resolved, &open.full(&id)?))?)
    })
    .await
}

/// Marks a finding; answers with it as it stands then.
pub(crate) async fn mark(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, String)>,
    Form(decision): Form<DecisionForm>,
) -> Reply {
    blocking(move || Ok(one(&app.campaigns.get(&name)?.mark(&id, &decision)?)?)).await
}

/// Begins to reduce or to bisect a finding; answers how that stands.
pub(crate) async fn work(
    State(app): State<Arc<App>>,
    Path((name, id, what)): Path<(String, String, String)>,
    Form(form): Form<WorkForm>,
) -> Reply {
    blocking(move || {
        let task = app.campaigns.get(&name)?.task(&id, form.what(&what)?)?;
        Ok(one(&app.jobs.begin(task)?)?)
    })
    .await
}

/// How that stands.
pub(crate) async fn work_of(
    State(app): State<Arc<App>>,
    Path((name, id)): Path<(String, String)>,
) -> Reply {
    blocking(move || {
        let open = app.campaigns.get(&name)?;
        let job = app.jobs.of(open.folder.path(), &id);
        let job = job.ok_or_else(|| Problem::not_found("work on this finding"))?;
        Ok(one(&job)?)
    })
    .await
}

fn one(object: &impl Serialize) -> anyhow::Result<Response> {
    let text = serde_json::to_string(object)? + "\n";
    Ok(([(CONTENT_TYPE, "application/json")], text).into_response())
}

fn lines<T: Serialize>(objects: &[T]) -> Reply {
    let mut text = String::new();
    for object in objects {
        text += &serde_json::to_string(object).map_err(anyhow::Error::from)?;
        text.push('\n');
    }
    Ok(([(CONTENT_TYPE, "application/x-ndjson")], text).into_response())
}
