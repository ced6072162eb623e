//! Questions that findings and reports ask of the store.

use std::collections::BTreeMap;

use anyhow::Result;
use lydite_core::{Kind, Outcome};
use rusqlite::{Row, params, params_from_iter};
use serde::{Deserialize, Serialize};

use crate::bisect::VersionRun;
use crate::campaign::{CONTESTED, Replays, options_of};
use crate::triage::{Mark, Standing};

use super::{Store, TriggerRecord, Wanted, decode_runs, kind_of, signatures};

/// One symptom as stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymptomRow {
    /// Its signature, as text.
    pub signature: String,
    /// Its kind.
    pub kind: Kind,
    /// The target accused.
    pub target: String,
    /// Those it is compared with, separated by spaces.
    pub against: String,
    /// The program's number.
    pub program: u64,
    /// In words.
    pub evidence: String,
    /// The size of the case.
    pub bytes: u64,
    /// The upstream issue that it is known as.
    pub known: Option<String>,
    /// How many replays showed it.
    pub replays: Replays,
}

/// All symptoms of one signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingRow {
    /// The symptom of the smallest case.
    pub symptom: SymptomRow,
    /// The index of that case.
    pub index: u64,
    /// The strategy's number in the plan.
    pub strategy: u64,
    /// The lowest index that shows it.
    pub first_index: u64,
    /// How many cases show it.
    pub count: u64,
    /// In how many of them some replay did not.
    pub flaky: u64,
    /// The size of its reduced case, if that is smaller still or needs fewer
    /// options.
    pub reduced_bytes: Option<u64>,
    /// The signature that this reduced case shows.
    pub shown: Option<String>,
    /// True if it was reduced, be it in vain.
    pub reduced: bool,
    /// What other versions show of it.
    pub versions: Vec<VersionRun>,
    /// How it stands.
    pub mark: Option<Mark>,
    /// The signature of the finding that stands for this one.
    pub lead: Option<String>,
    /// What tells that it is the same.
    pub why: Option<String>,
    /// The signatures of those that this one stands for; `count` has their
    /// cases too.
    pub members: Vec<String>,
}

/// How often a target's runs ended in one way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OutcomeCount {
    /// The target's number in the plan.
    pub target: usize,
    /// The outcome's name.
    pub outcome: &'static str,
    /// How many runs.
    pub runs: u64,
}

/// How often an oracle remarked the same on a target's answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RemarkCount {
    /// The target's number in the plan.
    pub target: usize,
    /// What was remarked.
    pub what: String,
    /// True if the oracle could tell right from wrong.
    pub decided: bool,
    /// How many answers.
    pub count: u64,
}

/// Sums over the campaign.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Totals {
    /// Finished cases, those without a run included.
    pub cases: u64,
    /// Cases abandoned while they were made.
    pub rejects: u64,
    /// Why, and how often.
    pub reject_reasons: BTreeMap<String, u64>,
    /// Cases that our own check refused, that made us panic, or whose claim a
    /// checked witness refuted: our bugs, or a seed's wrong label.
    pub own_failures: BTreeMap<String, u64>,
    /// Bytes of all programs made.
    pub bytes: u64,
    /// Runs of targets.
    pub runs: u64,
    /// Symptoms that some replay did not show.
    pub unconfirmed: u64,
    /// Runs by target and outcome.
    pub outcomes: Vec<OutcomeCount>,
    /// How far answers could be judged, by target and remark.
    pub remarks: Vec<RemarkCount>,
    /// Times over all processes.
    pub times: Times,
}

impl Totals {
    /// How many cases have a claim that everybody contradicts, and who does in
    /// one of them.
    pub fn contested(&self) -> Option<(u64, &str)> {
        let mut cases = 0;
        let mut first = None;
        for (failure, count) in &self.own_failures {
            if let Some(why) = failure.strip_prefix(CONTESTED) {
                cases += count;
                first = first.or(Some(why));
            }
        }
        Some((cases, first?))
    }
}

/// Times over all processes that worked on the campaign, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Times {
    /// Wall time.
    pub wall_s: f64,
    /// CPU time of making cases.
    pub make_s: f64,
    /// CPU time of judging.
    pub judge_s: f64,
    /// CPU time of targets.
    pub targets_s: f64,
    /// CPU time of our own process.
    pub own_s: f64,
}

impl Totals {
    /// How far the answers of a target could be judged, in words; empty if no
    /// oracle remarked on them.
    pub fn judged(&self, target: usize) -> String {
        let remarks: Vec<&RemarkCount> = self
            .remarks
            .iter()
            .filter(|remark| remark.target == target)
            .collect();
        if remarks.is_empty() {
            return String::new();
        }
        let all: u64 = remarks.iter().map(|remark| remark.count).sum();
        let decided = remarks.iter().filter(|remark| remark.decided);
        let decided: u64 = decided.map(|remark| remark.count).sum();
        let words: Vec<String> = remarks
            .iter()
            .map(|remark| format!("{} {}", remark.count, remark.what))
            .collect();
        let percent = 100.0 * decided as f64 / all as f64;
        format!("{decided} of {all} ({percent:.1} %): {}", words.join(", "))
    }
}

impl Store {
    /// Every signature with its smallest case; gravest kinds first, then by
    /// signature.
    pub fn findings(&self) -> Result<Vec<FindingRow>> {
        let standing = self.standing()?;
        self.rows_of(&self.all_signatures()?, &standing)
    }

    /// How many findings are wanted, and the page of them that is.
    pub fn some_findings(
        &self,
        wanted: &Wanted,
        standing: &Standing,
    ) -> Result<(u64, Vec<FindingRow>)> {
        let (total, signatures) = self.some_signatures(wanted, standing)?;
        Ok((total, self.rows_of(&signatures, standing)?))
    }

    fn rows_of(&self, signatures: &[String], standing: &Standing) -> Result<Vec<FindingRow>> {
        let rows = signatures.iter();
        rows.filter_map(|signature| self.finding_as(signature, standing).transpose())
            .collect()
    }

    /// One signature with its smallest case.
    pub fn finding(&self, signature: &str) -> Result<Option<FindingRow>> {
        self.finding_as(signature, &self.standing()?)
    }

    fn finding_as(&self, signature: &str, standing: &Standing) -> Result<Option<FindingRow>> {
        let Some(counted) = signatures::counted(&self.db, signature)? else {
            return Ok(None);
        };
        let index = counted.smallest.index;
        let members = standing.members(signature);
        let (count, first, flaky) = match members.is_empty() {
            true => (counted.cases, counted.first_index, counted.flaky),
            false => self.cases_of(signature, &members)?,
        };
        let (symptom, strategy) = self
            .db
            .prepare_cached(
                "SELECT s.signature, s.kind, s.target, s.against, s.program, s.evidence, s.bytes,
                 s.known, s.shown, s.replays, c.strategy FROM symptoms s JOIN cases c ON c.idx = s.idx
                 WHERE s.idx = ?1 AND s.signature = ?2 ORDER BY s.seq LIMIT 1",
            )?
            .query_row(params![index as i64, signature], |row| {
                Ok((symptom_row(row), row.get::<_, i64>(10)?))
            })?;
        let symptom = symptom?;
        let reduction = self.reduced_form(signature)?;
        let reduction = reduction.filter(|(bytes, _)| *bytes <= symptom.bytes);
        let reduced = reduction.is_some();
        let options = options_of(&symptom.signature).len();
        let smaller = reduction
            .filter(|(bytes, shown)| *bytes < symptom.bytes || options_of(shown).len() < options);
        Ok(Some(FindingRow {
            reduced_bytes: smaller.as_ref().map(|(bytes, _)| *bytes),
            shown: smaller.map(|(_, shown)| shown),
            reduced,
            versions: self.versions(signature)?,
            mark: standing.mark(signature).cloned(),
            lead: standing.lead(signature).map(str::to_string),
            why: standing.why(signature).map(str::to_string),
            members,
            symptom,
            index,
            strategy: strategy as u64,
            first_index: first,
            count,
            flaky,
        }))
    }

    /// The cases of a signature, smallest first, with their sizes.
    pub fn cases_with(&self, signature: &str, most: usize) -> Result<Vec<u64>> {
        let sql = "SELECT DISTINCT idx, bytes FROM symptoms WHERE signature = ?1
                   ORDER BY bytes, idx LIMIT ?2";
        let mut query = self.db.prepare_cached(sql)?;
        let rows = query.query_map(params![signature, most as i64], |row| row.get::<_, i64>(0))?;
        rows.map(|index| Ok(index? as u64)).collect()
    }

    /// Files these cases of one signature under another. `trigger` is the
    /// smallest of them, whole.
    pub fn refile(
        &mut self,
        from: &str,
        to: &str,
        cases: &[u64],
        trigger: Option<(u64, &TriggerRecord)>,
    ) -> Result<()> {
        let transaction = self.db.transaction()?;
        for case in cases {
            transaction.execute(
                "UPDATE symptoms SET signature = ?2 WHERE signature = ?1 AND idx = ?3",
                params![from, to, *case as i64],
            )?;
        }
        if let Some((index, record)) = trigger {
            super::trigger::insert(&transaction, index, record)?;
        }
        signatures::fill(&transaction, Some(&[from, to]))?;
        transaction.commit()?;
        Ok(())
    }

    /// How many cases show one of these signatures, the first that does, and
    /// in how many of them it comes and goes.
    fn cases_of(&self, signature: &str, members: &[String]) -> Result<(u64, u64, u64)> {
        let signatures: Vec<&str> = members.iter().map(String::as_str).collect();
        let signatures = [&[signature], signatures.as_slice()].concat();
        let marks = vec!["?"; signatures.len()].join(", ");
        let sql = format!(
            "SELECT COUNT(DISTINCT idx), MIN(idx),
             COUNT(DISTINCT CASE WHEN shown < replays THEN idx END)
             FROM symptoms WHERE signature IN ({marks})"
        );
        let mut query = self.db.prepare_cached(&sql)?;
        let counted = query.query_row(params_from_iter(signatures), |row| {
            let number = |column| Ok::<u64, rusqlite::Error>(row.get::<_, i64>(column)? as u64);
            Ok((number(0)?, number(1)?, number(2)?))
        })?;
        Ok(counted)
    }

    /// Indices of finished cases as sorted, disjoint ranges [start, end).
    pub fn finished(&self) -> Result<Vec<(u64, u64)>> {
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        let mut query = self.db.prepare("SELECT idx FROM cases ORDER BY idx")?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let index = row.get::<_, i64>(0)? as u64;
            match ranges.last_mut() {
                Some((_, end)) if *end == index => *end += 1,
                _ => ranges.push((index, index + 1)),
            }
        }
        Ok(ranges)
    }

    /// Numbers of cases whose failure begins with `prefix`, and the failures:
    /// the first so many.
    pub fn failures_that_begin(&self, prefix: &str, most: usize) -> Result<Vec<(u64, String)>> {
        let mut query = self.db.prepare(
            "SELECT idx, failure FROM cases WHERE substr(failure, 1, ?1) = ?2 ORDER BY idx LIMIT ?3",
        )?;
        let length = prefix.chars().count() as i64;
        let rows = query.query_map((length, prefix, most as i64), |row| {
            Ok((row.get::<_, i64>(0)? as u64, row.get(1)?))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Sums over everything that is stored.
    pub fn totals(&self) -> Result<Totals> {
        let mut totals = Totals::default();
        let mut counts: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        let mut query = self
            .db
            .prepare("SELECT bytes, failure, unconfirmed, runs FROM cases")?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            totals.cases += 1;
            totals.bytes += row.get::<_, i64>(0)? as u64;
            totals.unconfirmed += row.get::<_, i64>(2)? as u64;
            if let Some(failure) = row.get::<_, Option<String>>(1)? {
                match failure.strip_prefix("reject: ") {
                    Some(reason) => {
                        totals.rejects += 1;
                        *totals.reject_reasons.entry(reason.to_string()).or_default() += 1;
                    }
                    None => *totals.own_failures.entry(failure).or_default() += 1,
                }
            }
            for (target, outcome, _) in decode_runs(row.get_ref(3)?.as_blob()?) {
                totals.runs += 1;
                *counts.entry((target, outcome)).or_default() += 1;
            }
        }
        totals.outcomes = counts
            .into_iter()
            .filter_map(|((target, outcome), runs)| {
                let outcome = *Outcome::NAMES.get(outcome)?;
                Some(OutcomeCount {
                    target,
                    outcome,
                    runs,
                })
            })
            .collect();
        totals.remarks = self.remarks()?;
        totals.times = self.times()?;
        Ok(totals)
    }

    fn remarks(&self) -> Result<Vec<RemarkCount>> {
        let sql = "SELECT target, what, decided, SUM(count) FROM remarks
                   GROUP BY target, what ORDER BY target, decided DESC, SUM(count) DESC, what";
        let mut query = self.db.prepare(sql)?;
        let rows = query.query_map([], |row| {
            Ok(RemarkCount {
                target: row.get::<_, i64>(0)? as usize,
                what: row.get(1)?,
                decided: row.get(2)?,
                count: row.get::<_, i64>(3)? as u64,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn times(&self) -> Result<Times> {
        let sql = "SELECT TOTAL(wall), TOTAL(make_cpu), TOTAL(judge_cpu), TOTAL(targets_cpu),
                   TOTAL(own_cpu) FROM sessions";
        let seconds =
            |row: &Row<'_>, i: usize| Ok::<f64, rusqlite::Error>(row.get::<_, f64>(i)? / 1e6);
        Ok(self.db.query_row(sql, [], |row| {
            Ok(Times {
                wall_s: seconds(row, 0)?,
                make_s: seconds(row, 1)?,
                judge_s: seconds(row, 2)?,
                targets_s: seconds(row, 3)?,
                own_s: seconds(row, 4)?,
            })
        })?)
    }

    /// How many distinct signatures were first seen at or before each case
    /// that brought a new one: (index, number so far).
    pub fn discovery_curve(&self) -> Result<Vec<(u64, u64)>> {
        let sql = "SELECT MIN(idx) AS first FROM symptoms GROUP BY signature ORDER BY first";
        let mut query = self.db.prepare(sql)?;
        let firsts = query.query_map([], |row| row.get::<_, i64>(0))?;
        let mut curve = Vec::new();
        for (i, first) in firsts.enumerate() {
            curve.push((first? as u64, i as u64 + 1));
        }
        Ok(curve)
    }
}

/// A symptom from a row whose first ten columns are its own.
pub(super) fn symptom_row(row: &Row<'_>) -> Result<SymptomRow> {
    Ok(SymptomRow {
        signature: row.get(0)?,
        kind: kind_of(&row.get::<_, String>(1)?)?,
        target: row.get(2)?,
        against: row.get(3)?,
        program: row.get::<_, i64>(4)? as u64,
        evidence: row.get(5)?,
        bytes: row.get::<_, i64>(6)? as u64,
        known: row.get(7)?,
        replays: Replays {
            shown: row.get(8)?,
            of: row.get(9)?,
        },
    })
}
