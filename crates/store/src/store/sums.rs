//! Sums over all cases, kept up as they come: a report of ten million cases
//! looks at none of them.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use lydite_core::Outcome;
use rusqlite::{Connection, Row, Transaction, params};
use serde::Serialize;

use super::Store;
use crate::record::{CaseRecord, Failure};
use lydite_core::fault::Blame;

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

/// Totals over the campaign.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Totals {
    /// The number of finished cases, those without a run included.
    pub cases: u64,
    /// The number of cases that were abandoned while they were made.
    pub rejects: u64,
    /// The reasons for that, and how often each was given.
    pub reject_reasons: BTreeMap<String, u64>,
    /// Cases that our own check refused, that made us panic, or whose claim a
    /// checked witness refuted or all targets contradict: our bugs, or a seed's
    /// wrong label.
    pub own_failures: BTreeMap<String, u64>,
    /// Bytes of all programs made.
    pub bytes: u64,
    /// The number of runs of targets.
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
    pub fn contested(&self) -> Option<(u64, String)> {
        let mut cases = 0;
        let mut first = None;
        for (failure, count) in &self.own_failures {
            if let Ok(Failure::ClaimContested(why)) = failure.parse() {
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
    /// Wall time, in seconds.
    pub wall_s: f64,
    /// CPU time of making cases, in seconds.
    pub make_s: f64,
    /// CPU time of judging, in seconds.
    pub judge_s: f64,
    /// CPU time of targets, in seconds.
    pub targets_s: f64,
    /// CPU time of our own process, in seconds.
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

/// What is summed up: the name of the sum, a target's number, a text.
type SumKey = (&'static str, i64, String);

/// Changes of sums on their way into a store.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sums(BTreeMap<SumKey, i64>);

impl Sums {
    /// Counts a case, so many times.
    pub(super) fn add(&mut self, record: &CaseRecord, times: i64) {
        let mut add = |what, target: i64, text: &str, count: u64| {
            let key = (what, target, text.to_string());
            *self.0.entry(key).or_default() += times * count as i64;
        };
        add("cases", 0, "", 1);
        add("bytes", 0, "", record.bytes);
        add("unconfirmed", 0, "", record.unconfirmed);
        if let Some(failure) = &record.failure {
            add("failure", 0, &failure.to_string(), 1);
        }
        for run in record.runs.iter() {
            let name = Outcome::NAMES.get(usize::from(run.outcome));
            add("outcome", i64::from(run.target), name.unwrap_or(&"?"), 1);
        }
        for remark in &record.remarks {
            let what = match remark.decided {
                true => "decided",
                false => "undecided",
            };
            add(what, remark.target as i64, &remark.what, 1);
        }
    }

    /// Adds the changes to those that are stored.
    pub(super) fn write(&self, db: &Transaction<'_>) -> Result<()> {
        let sql = "INSERT INTO sums VALUES (?1, ?2, ?3, ?4)
                   ON CONFLICT (what, target, name) DO UPDATE SET count = count + excluded.count";
        let mut insert = db.prepare_cached(sql)?;
        for ((what, target, name), count) in &self.0 {
            if *count != 0 {
                insert.execute(params![what, target, name, count])?;
            }
        }
        Ok(())
    }
}

fn totals_of(rows: impl Iterator<Item = (String, i64, String, i64)>) -> Result<Totals> {
    let mut totals = Totals::default();
    for (what, target, name, count) in rows {
        let (target, count) = (target as usize, count.max(0) as u64);
        if count == 0 {
            continue;
        }
        match what.as_str() {
            "cases" => totals.cases = count,
            "bytes" => totals.bytes = count,
            "unconfirmed" => totals.unconfirmed = count,
            "failure" => match name.parse::<Failure>().context("store").or_usage()? {
                Failure::Reject(reason) => {
                    totals.rejects += count;
                    *totals.reject_reasons.entry(reason).or_default() += count;
                }
                own => *totals.own_failures.entry(own.to_string()).or_default() += count,
            },
            "outcome" => {
                totals.runs += count;
                let known = Outcome::NAMES.iter().position(|known| *known == name);
                totals.outcomes.extend(known.map(|number| OutcomeCount {
                    target,
                    outcome: Outcome::NAMES[number],
                    runs: count,
                }));
            }
            decided => totals.remarks.push(RemarkCount {
                target,
                what: name,
                decided: decided == "decided",
                count,
            }),
        }
    }
    let number = |name: &str| Outcome::NAMES.iter().position(|known| *known == name);
    totals
        .outcomes
        .sort_by_key(|count| (count.target, number(count.outcome)));
    let order = |remark: &RemarkCount| {
        let last = (std::cmp::Reverse(remark.count), remark.what.clone());
        (remark.target, !remark.decided, last)
    };
    totals.remarks.sort_by_key(order);
    Ok(totals)
}

impl Store {
    /// Totals over everything that is stored.
    pub fn totals(&self) -> Result<Totals> {
        let mut query = self
            .db
            .prepare("SELECT what, target, name, count, whole FROM intact_sums")?;
        let rows = query.query_map([], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })?;
        let rows: Vec<(String, i64, String, i64)> = rows.collect::<Result<_, _>>()?;
        Ok(Totals {
            times: times(&self.db)?,
            ..totals_of(rows.into_iter())?
        })
    }
}

fn times(db: &Connection) -> Result<Times> {
    let sql = "SELECT TOTAL(wall), TOTAL(make_cpu), TOTAL(judge_cpu), TOTAL(targets_cpu),
               TOTAL(own_cpu), MIN(whole) FROM intact_sessions";
    let seconds = |row: &Row<'_>, i: usize| Ok::<f64, rusqlite::Error>(row.get::<_, f64>(i)? / 1e6);
    Ok(db.query_row(sql, [], |row| {
        Ok(Times {
            wall_s: seconds(row, 0)?,
            make_s: seconds(row, 1)?,
            judge_s: seconds(row, 2)?,
            targets_s: seconds(row, 3)?,
            own_s: seconds(row, 4)?,
        })
    })?)
}

/// The sums by a look at every case.
#[cfg(test)]
pub(super) fn recount(store: &Store) -> Result<Totals> {
    let mut sums = Sums::default();
    store.each_case(u64::MAX, &mut |case| {
        sums.add(case, 1);
        Ok(())
    })?;
    let rows = sums.0.into_iter();
    let rows = rows.map(|((what, target, name), count)| (what.to_string(), target, name, count));
    Ok(Totals {
        times: times(&store.db)?,
        ..totals_of(rows)?
    })
}
