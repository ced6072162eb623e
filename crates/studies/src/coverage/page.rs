//! What was measured, as files: a page, tables, and all of it as JSON.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use lydite_store::folder::{LOCK, Layout, LockedFolder, RelativePath};
use minijinja::{AutoEscape, Environment, Value, context};

use super::{CoverageArm, CoverageStudy, Portion, Portions};
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

/// How many folders of the source have a plot of their own.
const MOST_FOLDERS: usize = 12;

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

/// One line per arm, point and folder of the source.
fn folder_lines(study: &CoverageStudy) -> Vec<Vec<String>> {
    let mut lines = vec![heads(&["arm", "cases", "cpu_seconds", "folder"])];
    for arm in &study.arms {
        for (point, folders) in arm.points.iter().zip(&arm.folders) {
            for (folder, shares) in folders {
                let mut line = vec![
                    arm.name.clone(),
                    point.cases.to_string(),
                    format!("{:.3}", point.cpu),
                    folder.clone(),
                ];
                line.extend(figures(shares));
                lines.push(line);
            }
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
        plot(study, "lines", &|arm, at| Some(arm.points[at].shares.lines)),
        plot(study, "functions", &|arm, at| {
            Some(arm.points[at].shares.functions)
        }),
        plot(study, "branches", &|arm, at| {
            Some(arm.points[at].shares.branches)
        }),
    ];
    let plots: Vec<Value> = plots.into_iter().map(Value::from_safe_string).collect();
    let folders = study.largest_folders(MOST_FOLDERS);
    let folders = folders.iter().map(|folder| {
        let pick = |arm: &CoverageArm, at: usize| Some(arm.folders[at].get(folder)?.lines);
        let plot = plot(study, &format!("lines in {folder}"), &pick);
        context! { folder, plot => Value::from_safe_string(plot) }
    });
    let folders: Vec<Value> = folders.collect();
    template
        .render(context! {
            target => study.target.as_str(),
            seed => study.seed,
            tool => study.tool.as_str(),
            together => share(&study.together.lines),
            over => study.over,
            arms,
            plots,
            folders,
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

/// Portions over how far arms were when they were looked at; `pick` is asked for an arm and the
/// number of its point.
fn plot(
    study: &CoverageStudy,
    what: &str,
    pick: &dyn Fn(&CoverageArm, usize) -> Option<Portion>,
) -> String {
    let points = |arm: &CoverageArm| arm.points.iter().map(|point| point.at).collect::<Vec<_>>();
    let mut stops: Vec<f64> = study.arms.iter().flat_map(points).collect();
    stops.sort_by(f64::total_cmp);
    stops.dedup();
    let labels: Vec<String> = stops.iter().map(|stop| stop.to_string()).collect();
    let value = |arm: &CoverageArm, stop: f64| {
        let at = arm.points.iter().position(|point| point.at == stop)?;
        Some(pick(arm, at)?.percent())
    };
    let series = study.arms.iter().enumerate().map(|(number, arm)| Series {
        name: arm.name.clone(),
        class: CLASSES[number % CLASSES.len()],
        values: stops.iter().map(|stop| value(arm, *stop)).collect(),
    });
    Plot {
        about: format!("{what} reached over {}", study.over),
        labels: &labels,
        series: series.collect(),
        scale: Scale::Linear,
        unit: "%",
    }
    .lines()
}
