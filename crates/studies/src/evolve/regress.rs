//! What got worse: the first bad version of each flaw, and its smallest
//! trigger. Cases that go wrong in the same way between the same versions are
//! one entry.

use std::collections::BTreeMap;

use lydite_core::{Kind, Outcome};
use serde::Serialize;

use super::judge::{Judged, JudgedCell};
use super::study::Clock;
use lydite_lab::bisect::Seen;

/// Cases that go wrong in the same way between the same versions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Regression {
    /// The theory.
    pub theory: String,
    /// What is wrong.
    pub kind: Kind,
    /// The place in the target, if it names one.
    pub site: String,
    /// The first version that shows it.
    pub since: String,
    /// The last good version before that; none if it was there from the first
    /// version that was looked at.
    pub last_good: Option<String>,
    /// The first good version after that.
    pub fixed_in: Option<String>,
    /// The number of cases that show it.
    pub cases: u64,
    /// The index of the smallest of them.
    pub index: u64,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its text.
    pub program: String,
    /// What was seen, in words.
    pub evidence: String,
}

/// By how much a version has to be slower, and how slow, to be listed: once
/// measured, less is noise.
const SLOWER: f64 = 10.0;
const SLOW_SECONDS: f64 = 1.0;

/// Kind, site, first bad version, last good before it, first good after it.
type RegressionKey = (Kind, String, usize, Option<usize>, Option<usize>);

/// Regressions in the making.
#[derive(Debug, Default)]
pub(super) struct Regressions {
    entries: BTreeMap<RegressionKey, RegressionEntry>,
}

#[derive(Debug)]
struct RegressionEntry {
    cases: u64,
    /// Bytes and index.
    smallest: (u64, u64),
    evidence: String,
}

impl Regressions {
    /// Adds a case: its cells, oldest version first.
    pub(super) fn add(&mut self, judged: &Judged, cells: &[&JudgedCell], clock: Clock) {
        let mut kinds: Vec<(Kind, String)> = cells
            .iter()
            .filter_map(|cell| cell.flaw())
            .map(|symptom| (symptom.kind, symptom.site.clone()))
            .collect();
        kinds.sort();
        kinds.dedup();
        for (kind, site) in kinds {
            let seen: Vec<Seen> = cells
                .iter()
                .map(|cell| match cell.flaw() {
                    Some(flaw) if flaw.kind == kind && flaw.site == site => Seen::Bad,
                    None if cell.solved() => Seen::Good,
                    _ => Seen::Unclear,
                })
                .collect();
            for life in lives(&seen) {
                let evidence = cells[life.since].flaw().map(|flaw| flaw.evidence.clone());
                self.note(kind, &site, life, judged, evidence.unwrap_or_default());
            }
        }
        self.add_incomplete(judged, cells);
        self.add_slow(judged, cells, clock);
    }

    /// Solved before, and no longer.
    fn add_incomplete(&mut self, judged: &Judged, cells: &[&JudgedCell]) {
        let given_up = |cell: &JudgedCell| {
            matches!(
                cell.observation.outcome,
                Outcome::Undecided | Outcome::TimedOut | Outcome::OutOfMemory
            )
        };
        let seen: Vec<Seen> = cells
            .iter()
            .map(|cell| match cell.solved() {
                true if cell.flaw().is_none() => Seen::Good,
                false if given_up(cell) => Seen::Bad,
                _ => Seen::Unclear,
            })
            .collect();
        for life in lives(&seen) {
            if let Some(before) = life.before {
                let said = |number: usize| cells[number].observation.outcome.to_string();
                let evidence = format!("{} before, then {}", said(before), said(life.since));
                let (kind, site) = (Kind::IncompleteRegression, String::new());
                self.note(kind, &site, life, judged, evidence);
            }
        }
    }

    /// Solved before in a fraction of the time.
    fn add_slow(&mut self, judged: &Judged, cells: &[&JudgedCell], clock: Clock) {
        let seconds = |cell: &JudgedCell| clock.of(cell).as_secs_f64();
        let solved = cells.iter().filter(|cell| cell.solved());
        let mut times: Vec<f64> = solved.map(|cell| seconds(cell)).collect();
        times.sort_by(f64::total_cmp);
        let Some(fastest) = times.first() else {
            return;
        };
        let limit = (SLOWER * fastest).max(SLOW_SECONDS);
        let seen: Vec<Seen> = cells
            .iter()
            .map(|cell| match cell.solved() {
                false => Seen::Unclear,
                true if seconds(cell) >= limit => Seen::Bad,
                true => Seen::Good,
            })
            .collect();
        for life in lives(&seen) {
            if let Some(before) = life.before {
                let evidence = format!(
                    "{:.2} s before, then {:.2} s",
                    seconds(cells[before]),
                    seconds(cells[life.since])
                );
                let (kind, site) = (Kind::SlowRegression, String::new());
                self.note(kind, &site, life, judged, evidence);
            }
        }
    }

    fn note(
        &mut self,
        kind: Kind,
        site: &str,
        life: VersionStretch,
        judged: &Judged,
        evidence: String,
    ) {
        let key = (kind, site.to_string(), life.since, life.before, life.fixed);
        let size = (judged.bytes, judged.index);
        let entry = self.entries.entry(key).or_insert_with(|| RegressionEntry {
            cases: 0,
            smallest: (u64::MAX, u64::MAX),
            evidence: String::new(),
        });
        entry.cases += 1;
        if size < entry.smallest {
            entry.smallest = size;
            entry.evidence = evidence;
        }
    }

    /// All of them: gravest kinds first, then the most recent.
    pub(super) fn end(
        self,
        theory: &str,
        versions: &[String],
        program: &dyn Fn(u64) -> Option<String>,
    ) -> Vec<Regression> {
        let mut entries: Vec<(RegressionKey, RegressionEntry)> = self.entries.into_iter().collect();
        entries.sort_by(|(a, _), (b, _)| {
            let key = |key: &RegressionKey| (key.0, std::cmp::Reverse(key.2), key.1.clone());
            key(a).cmp(&key(b))
        });
        let name = |number: usize| versions.get(number).cloned().unwrap_or_default();
        let entry =
            |((kind, site, since, before, fixed), entry): (RegressionKey, RegressionEntry)| {
                Regression {
                    theory: theory.to_string(),
                    kind,
                    site,
                    since: name(since),
                    last_good: before.map(name),
                    fixed_in: fixed.map(name),
                    cases: entry.cases,
                    index: entry.smallest.1,
                    bytes: entry.smallest.0,
                    program: program(entry.smallest.1).unwrap_or_default(),
                    evidence: entry.evidence,
                }
            };
        entries.into_iter().map(entry).collect()
    }
}

/// A stretch of versions that show something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct VersionStretch {
    since: usize,
    before: Option<usize>,
    fixed: Option<usize>,
}

/// The stretches of bad versions; what is unclear neither begins nor ends one.
fn lives(seen: &[Seen]) -> Vec<VersionStretch> {
    let mut lives: Vec<VersionStretch> = Vec::new();
    let mut good = None;
    let mut open = false;
    for (number, seen) in seen.iter().enumerate() {
        match seen {
            Seen::Bad if !open => {
                lives.push(VersionStretch {
                    since: number,
                    before: good,
                    fixed: None,
                });
                open = true;
            }
            Seen::Good => {
                if let Some(life) = lives.last_mut().filter(|_| open) {
                    life.fixed = Some(number);
                }
                open = false;
                good = Some(number);
            }
            Seen::Bad | Seen::Unclear => {}
        }
    }
    lives
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_begins_with_a_bad_version_and_ends_with_a_good_one() {
        for (letters, expected) in [
            ("GGBBG", "2 1 4"),
            ("BB", "0 - -"),
            ("BGUBUBUG", "0 - 1; 3 1 7"),
            ("UUBU", "2 - -"),
            ("GGG", ""),
            ("", ""),
        ] {
            let seen: Vec<Seen> = letters
                .chars()
                .map(|letter| match letter {
                    'B' => Seen::Bad,
                    'G' => Seen::Good,
                    _ => Seen::Unclear,
                })
                .collect();
            let shown = |number: Option<usize>| number.map_or("-".to_string(), |n| n.to_string());
            let found: Vec<String> = lives(&seen)
                .iter()
                .map(|l| format!("{} {} {}", l.since, shown(l.before), shown(l.fixed)))
                .collect();
            assert_eq!(found.join("; "), expected, "{letters}");
        }
    }
}
