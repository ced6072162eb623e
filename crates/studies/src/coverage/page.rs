//! What was measured, as files: a page, tables, and all of it as JSON.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use lydite_store::folder::{LOCK, Layout, LockedFolder, RelativePath};
use minijinja::{AutoEscape, Environment, Value, context};

use super::{CoverageArm, CoveragePoint, CoverageStudy, Portion, Portions};
use crate::csv::write_lines;
use crate::plot::{Plot, Scale, Series};

/// The folder of a measurement.
const COVERAGE: Layout = Layout {
    what: "made by lydite coverage",
    store: "coverage.json",
    names: &[
        LOCK, "coverage.html", "coverage.csv", "folders.csv", "alone.csv",
    ],
    folders: &[],
};

/// The colours of arms, in turn.
const CLASSES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// Writes the page, the tables and the JSON; returns the path of the page.
pub fn write(study: &CoverageStudy, folder: &Path) -> Result<PathBuf> {
    let folder = LockedFolder::make(folder, &COVERAGE)?;
    write_lines(&folder, "coverage.csv", point_lines(study).into_iter())?;
    write_lines(&folder, "folders.csv", folder_lines(study).into_iter())?;
    write_lines(&folder, "alone.csv", alone_lines(study).into_iter())?;
    let page = folder.write(
        &RelativePath::new("coverage.html")?,
        render(study)?.as_bytes(),
    )?;
    let json = serde_json::to_vec_pretty(study).context("a study as JSON")?;
    folder.write(&RelativePath::new(COVERAGE.store)?, &json)?;
    Ok(page)
}

fn heads(words: &[&str]) -> Vec<String> {
    let figures = [
        "lines", "all_lines", "functions", "all_functions", "branches", "all_branches",
    ];
    let all = words.iter().chain(&figures);
    all.map(|word| word.to_string()).collect()
}

fn figures(shares: &Portions) -> impl Iterator<Item = String> + use<> {
    let all = [shares.lines, shares.functions, shares.branches];
    all.into_iter()
        .flat_map(|share| [share.reached.to_string(), share.all.to_string()])
}

/// One line per arm and point.
fn point_lines(study: &CoverageStudy) -> Vec<Vec<String>> {
    let mut lines = vec![heads(&["arm", "cases", "runs", "killed", "cpu_seconds"])];
    for arm in &study.arms {
        for point in &arm.points {
            let mut line = vec![
                arm.name.clone(),
                point.cases.to_string(),
                point.runs.to_string(),
                point.killed.to_string(),
                format!("{:.3}", point.cpu),
            ];
            line.extend(figures(&point.shares));
            lines.push(line);
        }
    }
    lines
}

/// One line per arm and folder of the source.
fn folder_lines(study: &CoverageStudy) -> Vec<Vec<String>> {
    let mut lines = vec![heads(&["arm", "folder"])];
    for arm in &study.arms {
        for (folder, shares) in &arm.folders {
            let mut line = vec![arm.name.clone(), folder.clone()];
            line.extend(figures(shares));
            lines.push(line);
        }
    }
    lines
}

/// One line per arm and file with lines that no other arm has reached.
fn alone_lines(study: &CoverageStudy) -> Vec<Vec<String>> {
    let heads = ["arm", "file", "lines_alone", "line_numbers"];
    let mut lines = vec![heads.map(str::to_string).to_vec()];
    for arm in &study.arms {
        for (file, alone) in &arm.alone {
            let numbers: Vec<String> = alone.iter().map(u32::to_string).collect();
            lines.push(vec![
                arm.name.clone(),
                file.clone(),
                alone.len().to_string(),
                numbers.join(" "),
            ]);
        }
    }
    lines
}

fn render(study: &CoverageStudy) -> Result<String> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment
        .add_template("page", include_str!("page.html"))
        .context("page")?;
    let template = environment.get_template("page").context("page")?;
    let arms: Vec<Value> = study.arms.iter().map(arm_values).collect();
    let plots = [
        plot(study, "lines", |shares| shares.lines),
        plot(study, "functions", |shares| shares.functions),
        plot(study, "branches", |shares| shares.branches),
    ];
    let plots: Vec<Value> = plots.into_iter().map(Value::from_safe_string).collect();
    template
        .render(context! {
            target => study.target.as_str(),
            seed => study.seed,
            tool => study.tool.as_str(),
            together => share(&study.together.lines),
            arms,
            plots,
        })
        .context("page")
}

/// What the page says of an arm.
fn arm_values(arm: &CoverageArm) -> Value {
    let last = arm.points.last().copied().unwrap_or_default();
    let alone: usize = arm.alone.values().map(Vec::len).sum();
    let mut files: Vec<(&String, usize)> = arm
        .alone
        .iter()
        .map(|(file, lines)| (file, lines.len()))
        .collect();
    files.sort_by_key(|(file, lines)| (std::cmp::Reverse(*lines), *file));
    files.truncate(10);
    let files: Vec<Value> = files
        .into_iter()
        .map(|(file, lines)| context! { file, lines })
        .collect();
    context! {
        name => arm.name.as_str(),
        cases => last.cases,
        runs => last.runs,
        killed => last.killed,
        cpu => format!("{:.1}", last.cpu),
        lines => share(&last.shares.lines),
        functions => share(&last.shares.functions),
        branches => share(&last.shares.branches),
        alone,
        files,
    }
}

fn share(portion: &Portion) -> String {
    format!(
        "{} of {} ({:.1} %)",
        portion.reached,
        portion.all,
        portion.percent()
    )
}

/// Portions over the numbers of cases at which arms were looked at.
fn plot(study: &CoverageStudy, what: &'static str, pick: fn(&Portions) -> Portion) -> String {
    let mut stops: Vec<u64> = study
        .arms
        .iter()
        .flat_map(|arm| arm.points.iter().map(|point| point.cases))
        .collect();
    stops.sort_unstable();
    stops.dedup();
    let labels: Vec<String> = stops.iter().map(u64::to_string).collect();
    let at = |points: &[CoveragePoint], cases: u64| {
        let point = points.iter().find(|point| point.cases == cases)?;
        Some(pick(&point.shares).percent())
    };
    let series = study.arms.iter().enumerate().map(|(number, arm)| Series {
        name: arm.name.clone(),
        class: CLASSES[number % CLASSES.len()],
        values: stops.iter().map(|cases| at(&arm.points, *cases)).collect(),
    });
    Plot {
        about: format!("{what} reached over the number of cases"),
        labels: &labels,
        series: series.collect(),
        scale: Scale::Linear,
        unit: "%",
    }
    .lines()
}
