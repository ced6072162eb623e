//! The page: what was done, a table, plots with a sentence each, and what got
//! worse. Everything is inside it and escaped.

use std::path::PathBuf;

use anyhow::{Context, Result};
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Value, context};
use serde::Serialize;

use super::{Clock, Regression, Study, TheoryStudy, VersionStudy};
use crate::plot::{Plot, Scale, Series};
use lydite_core::visible::visible;
use lydite_store::folder::{LockedFolder, NewFile, RelativePath};

/// The file's name in the folder.
pub const PAGE_NAME: &str = "evolution.html";

/// How much of a program or a sentence is shown.
const SHOWN_CHARS: usize = 2000;

/// Writes the page; returns its path.
pub(super) fn write(study: &Study, folder: &LockedFolder) -> Result<PathBuf> {
    folder.write(&RelativePath::new(PAGE_NAME)?, render(study)?.as_bytes())
}

/// Writes the smallest trigger of each regression as a file of its own, in
/// place of those of an earlier time.
pub(super) fn write_triggers(study: &Study, extension: &str, folder: &LockedFolder) -> Result<()> {
    let place = RelativePath::new("triggers")?;
    let regressions = study.theories.iter().flat_map(|theory| &theory.regressions);
    let named: Result<Vec<(RelativePath, &Regression)>> = regressions
        .map(|found| Ok((RelativePath::new(trigger_name(found, extension))?, found)))
        .collect();
    let named = named?;
    if named.is_empty() {
        return folder.remove(&place);
    }
    let files: Vec<NewFile<'_>> = named
        .iter()
        .map(|(path, regression)| NewFile {
            path,
            content: regression.program.as_bytes(),
            runs: false,
        })
        .collect();
    folder.write_folder(&place, &files)
}

fn trigger_name(regression: &Regression, extension: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let theory: String = regression.theory.chars().map(plain).collect();
    format!(
        "{theory}-{}-{}.{extension}",
        regression.kind, regression.index
    )
}

fn render(study: &Study) -> Result<String> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment
        .add_template("page", include_str!("page.html"))
        .context("page")?;
    let template = environment.get_template("page").context("page")?;
    let theories: Vec<Value> = study
        .theories
        .iter()
        .map(|theory| theory_value(study, theory))
        .collect();
    let regressions: Vec<Value> = study
        .theories
        .iter()
        .flat_map(|theory| &theory.regressions)
        .map(|regression| Value::from(Serde(&shown(regression))))
        .collect();
    let totals = totals(study);
    let page = template.render(context! {
        study => Serde(study),
        dissent => totals.iter().any(|total| total.sum.dissent > 0),
        totals => totals.into_iter().map(|row| Value::from(Serde(row))).collect::<Vec<_>>(),
        theories,
        regressions,
        seconds => study.timeouts.iter().map(|timeout| seconds(*timeout)).collect::<Vec<_>>(),
        clock => match study.clock { Clock::Wall => "wall", Clock::Cpu => "CPU" },
    });
    page.context("page")
}

/// A row of the table of triggers: all theories together.
#[derive(Clone, Debug, Default, Serialize)]
struct Total {
    version: String,
    clean: bool,
    sum: VersionStudy,
    /// Theories with triggers.
    where_: String,
}

/// Newest first, as in the thesis.
fn totals(study: &Study) -> Vec<Total> {
    let mut totals: Vec<Total> = Vec::new();
    for version in study.versions.iter().rev() {
        let mut total = Total {
            version: version.clone(),
            ..Total::default()
        };
        let mut wrong = Vec::new();
        for theory in &study.theories {
            let own = theory.versions.iter().filter(|v| v.version == *version);
            for own in own {
                let sum = &mut total.sum;
                sum.unsound += own.unsound;
                sum.invalid_model += own.invalid_model;
                sum.crash += own.crash;
                sum.dissent += own.dissent;
                sum.flaky += own.flaky;
                sum.solved += own.solved;
                sum.undecided += own.undecided;
                sum.timed_out += own.timed_out;
                sum.not_taken += own.not_taken;
                if own.has_triggers() {
                    wrong.push(visible(&theory.name));
                }
            }
        }
        total.clean = !total.sum.has_triggers();
        total.where_ = wrong.join(", ");
        totals.push(total);
    }
    totals
}

/// A regression with its texts made harmless and short.
fn shown(regression: &Regression) -> Regression {
    let short = |text: &str| {
        let text = visible(text);
        let mut shown: String = text.chars().take(SHOWN_CHARS).collect();
        if shown.len() < text.len() {
            shown.push('…');
        }
        shown
    };
    Regression {
        program: short(&regression.program),
        evidence: short(&regression.evidence),
        site: short(&regression.site),
        theory: visible(&regression.theory),
        ..regression.clone()
    }
}

fn theory_value(study: &Study, theory: &TheoryStudy) -> Value {
    let svg = |text: String| Value::from_safe_string(text);
    context! {
        theory => Serde(TheoryStudy {
            name: visible(&theory.name),
            not_compared: theory.not_compared.iter().map(|v| visible(v)).collect(),
            regressions: Vec::new(),
            ..theory.clone()
        }),
        flawless => !theory.versions.iter().any(|v| v.has_triggers() || v.dissent > 0),
        triggers => svg(triggers(theory)),
        lowest => svg(solved(study, theory, 0)),
        outcomes => svg(outcomes(theory)),
        within => svg(within(study, theory)),
        common => svg(common(theory)),
        throughput => svg(throughput(theory)),
    }
}

fn labels(theory: &TheoryStudy) -> Vec<String> {
    let versions = theory.versions.iter();
    versions.map(|version| version.version.clone()).collect()
}

fn series(
    theory: &TheoryStudy,
    name: &str,
    class: &'static str,
    value: impl Fn(&VersionStudy) -> Option<f64>,
) -> Series {
    Series {
        name: name.to_string(),
        class,
        values: theory.versions.iter().map(value).collect(),
    }
}

/// Figure 7.9.
fn triggers(theory: &TheoryStudy) -> String {
    let count = |value: fn(&VersionStudy) -> u64| move |v: &VersionStudy| Some(value(v) as f64);
    let mut all = vec![
        series(theory, "unsound", "unsound", count(|v| v.unsound)),
        series(theory, "invalid model", "model", count(|v| v.invalid_model)),
        series(theory, "crash", "crash", count(|v| v.crash)),
    ];
    if theory.versions.iter().any(|version| version.dissent > 0) {
        let dissent = count(|v| v.dissent);
        all.push(series(theory, "against the majority", "dissent", dissent));
    }
    Plot {
        about: format!("bug triggers in {}", theory.name),
        labels: &labels(theory),
        series: all,
        scale: Scale::Log,
        unit: "cases",
    }
    .lines()
}

/// Figures 7.11 and 7.13: solved within one of the timeouts.
fn solved(study: &Study, theory: &TheoryStudy, timeout: usize) -> String {
    let within = |v: &VersionStudy| v.solved_within.get(timeout).map(|n| *n as f64);
    let limit = study.timeouts.get(timeout).copied().unwrap_or_default();
    let name = format!("solved within {}", seconds(limit));
    Plot {
        about: format!("{name} in {}", theory.name),
        labels: &labels(theory),
        series: vec![series(theory, &name, "solved", within)],
        scale: Scale::Linear,
        unit: "cases",
    }
    .bars()
}

/// How all cases ended at the limit.
fn outcomes(theory: &TheoryStudy) -> String {
    let count = |value: fn(&VersionStudy) -> u64| move |v: &VersionStudy| Some(value(v) as f64);
    let cases = theory.cases;
    let rest = move |v: &VersionStudy| {
        let known = v.solved + v.undecided + v.timed_out + v.not_taken;
        Some(cases.saturating_sub(known) as f64)
    };
    Plot {
        about: format!("how the cases of {} ended", theory.name),
        labels: &labels(theory),
        series: vec![
            series(theory, "solved", "solved", count(|v| v.solved)),
            series(theory, "unknown", "unknown", count(|v| v.undecided)),
            series(theory, "out of time", "timeout", count(|v| v.timed_out)),
            series(theory, "not taken", "rejected", count(|v| v.not_taken)),
            series(theory, "died", "crash", rest),
        ],
        scale: Scale::Linear,
        unit: "cases",
    }
    .bars()
}

/// Solved over timeouts, one line per version of note: the oldest, the newest
/// and the quickest and slowest at the lowest timeout.
fn within(study: &Study, theory: &TheoryStudy) -> String {
    let labels: Vec<String> = study.timeouts.iter().map(|t| seconds(*t)).collect();
    let mut chosen: Vec<&VersionStudy> = Vec::new();
    let least = |v: &&VersionStudy| v.solved_within.first().copied().unwrap_or(0);
    let versions = theory.versions.iter();
    for version in [
        versions.clone().next(),
        versions.clone().max_by_key(least),
        versions.clone().min_by_key(least),
        versions.clone().last(),
    ]
    .into_iter()
    .flatten()
    {
        if !chosen.iter().any(|other| other.version == version.version) {
            chosen.push(version);
        }
    }
    let classes = ["solved", "crash", "unsound", "model"];
    let series = chosen.iter().zip(classes).map(|(version, class)| Series {
        name: version.version.clone(),
        class,
        values: version
            .solved_within
            .iter()
            .map(|n| Some(*n as f64))
            .collect(),
    });
    Plot {
        about: format!("solved over timeouts in {}", theory.name),
        labels: &labels,
        series: series.collect(),
        scale: Scale::Linear,
        unit: "cases",
    }
    .lines()
}

/// Figure 7.14, top.
fn common(theory: &TheoryStudy) -> String {
    Plot {
        about: format!("time for what all versions solve in {}", theory.name),
        labels: &labels(theory),
        series: vec![series(theory, "all together", "solved", |v| {
            v.common_seconds
        })],
        scale: Scale::Linear,
        unit: "seconds",
    }
    .lines()
}

/// Figure 7.14, bottom.
fn throughput(theory: &TheoryStudy) -> String {
    Plot {
        about: format!("throughput in {}", theory.name),
        labels: &labels(theory),
        series: vec![series(theory, "throughput", "solved", |v| {
            Some(v.throughput)
        })],
        scale: Scale::Linear,
        unit: "per second",
    }
    .lines()
}

/// A timeout in words: `16 ms`, `2 s`.
fn seconds(timeout: f64) -> String {
    match timeout < 1.0 {
        true => format!("{:.0} ms", timeout * 1000.0),
        false => format!("{timeout} s"),
    }
}

#[cfg(test)]
mod tests {
    use lydite_core::Kind;

    use super::*;
    use crate::evolve::References;

    fn hostile() -> Study {
        let text = "</pre><script>alert(1)</script>\u{1b}[2J\u{202e}&\"'";
        let version = |version: &str, crash: u64| VersionStudy {
            target: format!("z3@{version}"),
            version: version.to_string(),
            crash,
            solved: 3,
            solved_within: vec![1, 3],
            throughput: 2.5,
            common_seconds: (crash == 0).then_some(0.5),
            ..VersionStudy::default()
        };
        Study {
            family: "z3".into(),
            versions: vec!["4.8".into(), "4.9".into()],
            references: vec!["cvc5@1.0".into()],
            timeouts: vec![0.5, 8.0],
            clock: Clock::Wall,
            oracles: vec!["crash".into()],
            theories: vec![TheoryStudy {
                name: text.into(),
                cases: 4,
                missing: 1,
                skipped: 0,
                truth: References::default(),
                common: 3,
                not_compared: vec![text.into()],
                versions: vec![version("4.8", 1), version("4.9", 0)],
                references: vec![version("1.0", 0)],
                regressions: vec![Regression {
                    theory: text.into(),
                    kind: Kind::Crash,
                    site: text.into(),
                    since: "4.8".into(),
                    last_good: None,
                    fixed_in: Some("4.9".into()),
                    cases: 1,
                    index: 2,
                    bytes: 9,
                    program: text.repeat(200),
                    evidence: text.into(),
                }],
            }],
            tool: "0".into(),
        }
    }

    #[test]
    fn hostile_text_shows_as_text_and_nothing_comes_from_elsewhere() {
        let page = render(&hostile()).unwrap();
        for bad in [
            "<script", "</pre><", "\u{1b}", "http://", "https://", "src=", "url(",
        ] {
            assert!(!page.contains(bad), "{bad}");
        }
        assert!(page.contains("&lt;script&gt;alert(1)&lt;"));
        assert!(page.contains("since 4.8, fixed in 4.9"));
        assert!(page.contains("1 are still to be run"));
    }

    #[test]
    fn the_table_has_the_newest_version_first_and_marks_the_clean() {
        let totals = totals(&hostile());
        let rows: Vec<(&str, bool)> = totals
            .iter()
            .map(|total| (total.version.as_str(), total.clean))
            .collect();
        assert_eq!(rows, [("4.9", true), ("4.8", false)]);
    }

    #[test]
    fn a_trigger_has_a_plain_file_name() {
        let study = hostile();
        let name = trigger_name(&study.theories[0].regressions[0], "smt2");
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let stem = name.strip_suffix("-crash-2.smt2").expect("kind and index");
        assert!(stem.chars().all(plain), "{name}");
    }
}
