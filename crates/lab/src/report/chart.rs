//! The drawings of the page, as points of SVG polylines.

use serde::Serialize;

use lydite_store::SessionPace;

/// Width and height of a drawing.
const SIZE: (f64, f64) = (640.0, 160.0);

/// How many processes are drawn; the longest come first.
const SESSIONS: usize = 12;

/// A chart of one or more lines.
#[derive(Debug, Serialize)]
pub struct Chart {
    /// What it shows.
    pub title: &'static str,
    /// The points of each line.
    pub lines: Vec<String>,
    /// The label of the right end of the horizontal axis.
    pub right: String,
    /// The label of the top of the vertical axis.
    pub top: String,
}

/// The charts of a campaign.
pub fn charts(pace: &[SessionPace], discovery: &[(u64, u64)], cases: u64) -> Vec<Chart> {
    let drawn = [self::pace(pace), self::discovery(discovery, cases)];
    drawn.into_iter().flatten().collect()
}

/// How many steps the discovery curve has at the most.
const STAIRS: usize = 2000;

/// The discovery curve: a staircase over cases. `None` without findings.
pub(super) fn discovery(curve: &[(u64, u64)], all_cases: u64) -> Option<Chart> {
    let (last, most) = curve.last()?;
    let cases = all_cases.max(last + 1) as f64;
    let x = |case: u64| (case as f64 / cases).min(1.0) * SIZE.0;
    let y = |found: u64| height(found as f64 / *most as f64);
    let mut points = vec![format!("0,{}", SIZE.1)];
    let mut before = 0;
    // Of a hundred thousand steps nobody sees each.
    let every = curve.len().div_ceil(STAIRS).max(1);
    let stairs = curve.iter().rev().step_by(every).rev();
    for (case, found) in stairs {
        points.push(format!("{:.1},{:.1}", x(*case), y(before)));
        points.push(format!("{:.1},{:.1}", x(*case), y(*found)));
        before = *found;
    }
    points.push(format!("{},{:.1}", SIZE.0, y(before)));
    Some(Chart {
        title: "Distinct findings over cases",
        lines: vec![points.join(" ")],
        right: format!("{all_cases} cases"),
        top: format!("{most} findings"),
    })
}

/// Cases per second, one line per process. `None` if none worked for long
/// enough to have a rate.
fn pace(pace: &[SessionPace]) -> Option<Chart> {
    let mut sessions: Vec<&SessionPace> = pace.iter().collect();
    sessions.sort_by(|a, b| b.wall_s.total_cmp(&a.wall_s));
    sessions.truncate(SESSIONS);
    let longest = sessions.first()?.wall_s;
    if longest < 2.0 {
        return None;
    }
    let steps: Vec<Vec<RateStep>> = sessions.iter().map(|session| steps(session)).collect();
    let rates = steps.iter().flatten().map(|step| step.rate);
    let most = rates.max_by(f64::total_cmp).filter(|most| *most > 0.0)?;
    let x = |second: f64| (second / longest).min(1.0) * SIZE.0;
    let line = |steps: &Vec<RateStep>| {
        let points = steps.iter().flat_map(|step| {
            let y = height(step.rate / most);
            [step.from, step.to].map(|second| format!("{:.1},{y:.1}", x(second)))
        });
        points.collect::<Vec<_>>().join(" ")
    };
    Some(Chart {
        title: "Cases per second over the time of each process",
        lines: steps.iter().map(line).collect(),
        right: format!("{longest:.0} s"),
        top: format!("{most:.1} cases per second"),
    })
}

/// A time with a constant rate.
#[derive(Clone, Copy, Debug, PartialEq)]
struct RateStep {
    from: f64,
    to: f64,
    rate: f64,
}

/// How many steps a line has at the most.
const STEPS: f64 = 80.0;

/// The rate over a process's time in equal steps of whole seconds; time
/// without a finished case has rate 0.
fn steps(session: &SessionPace) -> Vec<RateStep> {
    let last = session.spans.last().map_or(0.0, |span| span.second as f64);
    let end = session.wall_s.max(1.0).max(last + 0.001);
    let width = (end / STEPS).ceil();
    // What is left over belongs to the last step: a short one has no rate.
    let count = ((end / width) as usize).max(1);
    let step_ends = |number: usize| {
        let begin = number as f64 * width;
        match number + 1 == count {
            true => (begin, end),
            false => (begin, begin + width),
        }
    };
    let mut cases = vec![0.0; count];
    for span in &session.spans {
        // A span may reach over several steps, or share one with others.
        let (from, to) = (span.second as f64, (span.second + span.seconds) as f64);
        let to = to.min(end);
        for (number, cell) in cases.iter_mut().enumerate() {
            let (begin, finish) = step_ends(number);
            let shared = (to.min(finish) - from.max(begin)).max(0.0);
            *cell += span.cases as f64 * shared / (to - from);
        }
    }
    let step = |(number, cases): (usize, f64)| {
        let (from, to) = step_ends(number);
        RateStep {
            from,
            to,
            rate: cases / (to - from).max(1e-3),
        }
    };
    cases.into_iter().enumerate().map(step).collect()
}

/// A part of the whole, from the bottom.
fn height(part: f64) -> f64 {
    SIZE.1 - part * (SIZE.1 - 8.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lydite_store::PaceSpan;

    fn span(second: u64, seconds: u64, cases: u64) -> PaceSpan {
        PaceSpan {
            second,
            seconds,
            cases,
            runs: 0,
        }
    }

    #[test]
    fn a_rate_is_cases_by_time_and_no_case_is_lost() {
        let session = SessionPace {
            started_ms: 0,
            wall_s: 300.5,
            spans: vec![
                span(0, 1, 8),
                span(1, 1, 4),
                span(128, 2, 40),
                span(296, 4, 8),
            ],
        };
        let steps = steps(&session);
        assert_eq!(steps.len(), 75);
        let total: f64 = steps
            .iter()
            .map(|step| step.rate * (step.to - step.from))
            .sum();
        assert!((total - 60.0).abs() < 1e-6, "{total}");
        assert_eq!(steps[0].rate, 3.0);
        assert_eq!(steps[32].rate, 10.0);
        assert_eq!(steps[40].rate, 0.0);
    }
}
