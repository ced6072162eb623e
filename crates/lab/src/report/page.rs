//! The page: a template that escapes everything, with its style and its one
//! drawing inside.

use anyhow::{Context, Result};
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, context};

use super::Report;

/// Renders `report` as HTML.
pub(super) fn render(report: &Report) -> Result<String> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment
        .add_template("page", include_str!("page.html"))
        .context("page")?;
    let template = environment.get_template("page").context("page")?;
    template
        .render(context! { report => Serde(report), curve => curve(report) })
        .context("page")
}

/// Width and height of the drawing.
const SIZE: (f64, f64) = (640.0, 160.0);

/// The discovery curve as the points of an SVG polyline: a staircase over
/// cases. Empty without findings.
fn curve(report: &Report) -> String {
    let Some((_, most)) = report.discovery.last() else {
        return String::new();
    };
    let cases = report.totals.cases.max(1) as f64;
    let x = |case: u64| (case as f64 / cases).min(1.0) * SIZE.0;
    let y = |found: u64| SIZE.1 - found as f64 / *most as f64 * (SIZE.1 - 8.0);
    let mut points = vec![format!("0,{}", SIZE.1)];
    let mut before = 0;
    for (case, found) in &report.discovery {
        points.push(format!("{:.1},{:.1}", x(*case), y(before)));
        points.push(format!("{:.1},{:.1}", x(*case), y(*found)));
        before = *found;
    }
    points.push(format!("{},{:.1}", SIZE.0, y(before)));
    points.join(" ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use lydite_core::Kind;

    use super::super::{Excerpt, FindingEntry, Report, TargetLine, visible};
    use super::*;
    use crate::finding::Finding;
    use crate::store::Totals;

    fn hostile_report() -> Report {
        let hostile = visible("</pre><script>alert(1)</script>\u{1b}[2J\u{202e}&\"'");
        let excerpt = || Excerpt {
            path: "case.smt2".into(),
            text: hostile.clone(),
            cut: true,
        };
        Report {
            name: hostile.clone(),
            id: "0".repeat(64),
            tool: "0".into(),
            strategies: vec!["files".into()],
            oracles: vec!["crash".into()],
            limits: String::new(),
            targets: vec![TargetLine {
                name: "z3".into(),
                outcomes: BTreeMap::from([("crashed", 1)]),
                judged: String::new(),
            }],
            totals: Totals {
                cases: 10,
                ..Totals::default()
            },
            kinds: BTreeMap::new(),
            findings: vec![FindingEntry {
                finding: Finding {
                    id: "z3-crash-0".into(),
                    kind: Kind::Crash,
                    target: "z3".into(),
                    against: vec![],
                    signature: hostile.clone(),
                    count: 1,
                    bytes: 1,
                    reduced_bytes: None,
                    since: None,
                    fixed_in: None,
                    strategy: "files".into(),
                    case_index: 0,
                    known_issue: None,
                    options: vec![hostile.clone()],
                    reproduce: String::new(),
                    evidence: hostile.clone(),
                },
                claim: hostile.clone(),
                steps: vec![hostile.clone()],
                programs: vec![excerpt()],
                runs: vec![],
            }],
            discovery: vec![(3, 1), (7, 2)],
        }
    }

    #[test]
    fn hostile_text_shows_as_text() {
        let html = render(&hostile_report()).unwrap();
        assert!(!html.contains("<script>alert"));
        assert!(!html.contains("</pre><script"));
        assert!(html.contains("&lt;script&gt;alert(1)&lt;"));
        assert!(!html.contains('\u{1b}') && !html.contains('\u{202e}'));
    }

    #[test]
    fn the_page_needs_nothing_from_elsewhere() {
        let html = render(&hostile_report()).unwrap();
        for outside in ["http://", "https://", "src=", "@import", "url("] {
            assert!(!html.contains(outside), "{outside}");
        }
    }

    #[test]
    fn the_discovery_curve_is_a_staircase() {
        assert_eq!(
            curve(&hostile_report()),
            "0,160 192.0,160.0 192.0,84.0 448.0,84.0 448.0,8.0 640,8.0"
        );
    }
}
