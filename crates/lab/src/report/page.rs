//! The page: a template that escapes everything, with its style and its one
//! drawing inside.

use anyhow::{Context, Result};
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Value, context, escape_formatter};

use super::highlight::highlight;
use super::{Report, SHOWN_FINDINGS, SHOWN_ROWS, chart};
use lydite_core::visible::visible;

/// The style of every page.
pub const STYLE: &str = include_str!("style.css");

/// Templates that several pages have in common: `finding.html` (of `f`),
/// `charts.html` (of `charts`), `targets.html` (of `targets`). Everything is
/// escaped.
pub fn templates() -> Result<Environment<'static>> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    // Whatever a template shows is made visible, then escaped.
    environment.set_formatter(|out, state, value| match value.as_str() {
        Some(text) if !value.is_safe() => escape_formatter(out, state, &Value::from(visible(text))),
        _ => escape_formatter(out, state, value),
    });
    environment.add_filter("program", |text: &str, language: &str| {
        // Every character of it is escaped there.
        Value::from_safe_string(highlight(text, language))
    });
    for (name, text) in [
        ("finding.html", include_str!("finding.html")),
        ("charts.html", include_str!("charts.html")),
        ("targets.html", include_str!("targets.html")),
    ] {
        environment.add_template(name, text).context(name)?;
    }
    Ok(environment)
}

/// Renders `report` as HTML.
pub(super) fn render(report: &Report) -> Result<String> {
    let mut environment = templates()?;
    environment
        .add_template("page", include_str!("page.html"))
        .context("page")?;
    let template = environment.get_template("page").context("page")?;
    let charts = chart::charts(&report.pace, &report.discovery, report.totals.cases);
    let charts = Serde(&charts);
    let targets = Serde(&report.targets);
    let style = Value::from_safe_string(STYLE.to_string());
    template
        .render(context! {
            report => Serde(report), charts, targets, style,
            shown => SHOWN_FINDINGS, rows => SHOWN_ROWS
        })
        .context("page")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use lydite_core::{Kind, Signature};

    use super::super::{Excerpt, FindingEntry, Report, RunEntry, TargetLine};
    use super::*;
    use crate::bisect::{Seen, VersionRun};
    use crate::campaign::Replays;
    use crate::diff::diff;
    use crate::finding::Finding;
    use crate::triage::{Mark, Status};
    use lydite_store::{PaceSpan, SessionPace, Totals};
    use lydite_target::Version;

    const HOSTILE: &str = "</pre><script>alert(1)</script>\u{1b}[2J\u{202e}&\"'";

    fn hostile_entry(language: &str) -> FindingEntry {
        let hostile = visible(HOSTILE);
        let excerpt = || Excerpt {
            path: hostile.clone(),
            text: hostile.clone(),
            cut: true,
        };
        FindingEntry {
            finding: Finding {
                signature: Signature {
                    family: hostile.clone(),
                    facts: vec![(hostile.clone(), hostile.clone())],
                    .."v1 crash z3".parse().unwrap()
                },
                strategy: hostile.clone(),
                known_issue: Some(hostile.clone()),
                options: vec![hostile.clone()],
                reproduce: hostile.clone(),
                evidence: hostile.clone(),
                replays: Replays { shown: 1, of: 3 },
                mark: Some(Mark {
                    status: Status::Known(hostile.clone()),
                    upstream: Some(hostile.clone()),
                    note: Some(hostile.clone()),
                    at_ms: 0,
                }),
                merged: vec![hostile.clone()],
                ..Finding::sample("z3-crash-0", "z3", Kind::Crash)
            },
            standing: hostile.clone(),
            language: language.into(),
            claim: hostile.clone(),
            steps: vec![hostile.clone()],
            programs: vec![excerpt(), excerpt()],
            diffs: vec![diff(hostile.clone(), &hostile, "other")],
            runs: vec![RunEntry {
                target: hostile.clone(),
                options: vec![hostile.clone()],
                program: 0,
                outcome: hostile.clone(),
                said: hostile.clone(),
                stdout: excerpt(),
                stderr: excerpt(),
            }],
            versions: vec![VersionRun {
                version: Version::new(hostile.clone()),
                seen: Seen::Bad,
                said: hostile.clone(),
            }],
            commands: vec![hostile.clone()],
            left_out: 3,
        }
    }

    fn hostile_report() -> Report {
        let hostile = visible(HOSTILE);
        let count = || BTreeMap::from([(hostile.clone(), 1)]);
        let span = |second, cases| PaceSpan {
            second,
            seconds: 1,
            cases,
            runs: cases,
        };
        Report {
            rounds: Vec::new(),
            name: hostile.clone(),
            id: "0".repeat(64),
            tool: "0".into(),
            when: hostile.clone(),
            strategies: vec![hostile.clone(), hostile.clone()],
            oracles: vec![hostile.clone()],
            limits: hostile.clone(),
            targets: vec![TargetLine {
                name: hostile.clone(),
                source: hostile.clone(),
                hash: hostile.clone(),
                commands: vec![hostile.clone()],
                outcomes: BTreeMap::from([("crashed", 1)]),
                judged: hostile.clone(),
            }],
            totals: Totals {
                cases: 10,
                reject_reasons: BTreeMap::from([(hostile.clone(), 1)]),
                own_failures: BTreeMap::from([(hostile.clone(), 1)]),
                ..Totals::default()
            },
            kinds: count(),
            by_target: count(),
            by_strategy: count(),
            count: 6,
            findings: ["smtlib", "c", "lua", "sql", "solidity", "plain"]
                .map(hostile_entry)
                .into(),
            discovery: vec![(3, 1), (7, 2)],
            pace: vec![SessionPace {
                started_ms: 0,
                wall_s: 10.0,
                spans: vec![span(0, 6), span(3, 4)],
            }],
        }
    }

    #[test]
    fn hostile_text_shows_as_text_wherever_it_stands() {
        let html = render(&hostile_report()).unwrap();
        assert!(!html.contains("<script"));
        assert!(!html.contains('\u{1b}') && !html.contains('\u{202e}'));
        assert!(html.contains("&lt;script&gt;alert(1)&lt;"));
        // Nothing closes or opens an element but the template and the marks
        // of the highlighting.
        for (opening, closing) in [("<pre", "</pre>"), ("<span", "</span>"), ("<td", "</td>")] {
            let opened = html.matches(opening).count();
            assert_eq!(opened, html.matches(closing).count(), "{opening}");
        }
    }

    #[test]
    fn the_page_needs_nothing_from_elsewhere_and_no_script() {
        let html = render(&hostile_report()).unwrap();
        for outside in [
            "http://", "https://", "src=", "@import", "url(", "<script", "onclick",
        ] {
            assert!(!html.contains(outside), "{outside}");
        }
        assert!(html.contains("default-src 'none'"));
    }

    #[test]
    fn thousands_of_findings_make_a_page_of_bounded_size() {
        let mut report = hostile_report();
        let rows = |count| (0..count).map(|_| hostile_entry("c")).collect();
        report.findings = rows(SHOWN_FINDINGS);
        report.count = SHOWN_FINDINGS as u64;
        let hundred = render(&report).unwrap().len();
        report.findings = rows(SHOWN_ROWS);
        report.count = 2 * SHOWN_ROWS as u64;
        let many = render(&report).unwrap();
        assert!(many.contains("The first 100 follow"));
        assert!(many.contains("and 1000 more"));
        assert_eq!(many.matches("<article").count(), SHOWN_FINDINGS);
        assert!(many.len() < 3 * hundred, "{} {hundred}", many.len());
    }

    #[test]
    fn the_discovery_curve_is_a_staircase() {
        let report = hostile_report();
        let chart = chart::discovery(&report.discovery, report.totals.cases).unwrap();
        assert_eq!(
            chart.lines,
            ["0,160 192.0,160.0 192.0,84.0 448.0,84.0 448.0,8.0 640,8.0"]
        );
        assert_eq!(
            (chart.right.as_str(), chart.top.as_str()),
            ("10 cases", "2 findings")
        );
    }
}
