//! How fast a campaign went: what each process did in each span of its time.
//!
//! Spans are a second at first and grow with the age of the process, so a
//! campaign of a year has some thousand of them.

use std::time::Duration;

use anyhow::Result;
use rusqlite::{Connection, Transaction, params};
use serde::Serialize;

use super::Store;

/// What one process did over time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SessionPace {
    /// When it began, in milliseconds of Unix time.
    pub started_ms: i64,
    /// How long it worked, in seconds.
    pub wall_s: f64,
    /// The spans of its time, in order; those without cases are left out.
    pub spans: Vec<PaceSpan>,
}

/// What was done in one span of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PaceSpan {
    /// When it begins, in seconds since the process began.
    pub second: u64,
    /// How long it is, in seconds.
    pub seconds: u64,
    /// The number of finished cases.
    pub cases: u64,
    /// The number of runs of targets.
    pub runs: u64,
}

/// Spans double when there are this many of one length.
const SPANS: u64 = 64;

/// The length of the span that holds `second`.
fn span_seconds(second: u64) -> u64 {
    1 << (second / SPANS).max(1).ilog2()
}

pub(super) fn add(
    db: &Transaction<'_>,
    session: &str,
    elapsed: Duration,
    cases: u64,
    runs: u64,
) -> Result<()> {
    if cases == 0 {
        return Ok(());
    }
    let second = elapsed.as_secs();
    let start = second - second % span_seconds(second);
    db.prepare_cached(
        "INSERT INTO pace VALUES (?1, ?2, ?3, ?4) ON CONFLICT (session, second)
         DO UPDATE SET cases = cases + excluded.cases, runs = runs + excluded.runs",
    )?
    .execute(params![session, start as i64, cases as i64, runs as i64])?;
    Ok(())
}

/// Takes the spans of another store; of two copies the larger is the later.
pub(super) fn merge(into: &Transaction<'_>, from: &Connection) -> Result<()> {
    let mut query = from.prepare("SELECT session, second, cases, runs, whole FROM intact_pace")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        into.prepare_cached(
            "INSERT INTO pace VALUES (?1, ?2, ?3, ?4) ON CONFLICT (session, second)
             DO UPDATE SET cases = MAX(cases, excluded.cases), runs = MAX(runs, excluded.runs)",
        )?
        .execute(params![
            row.get::<_, String>(0)?,
            row.get::<_, i64>(1)?,
            row.get::<_, i64>(2)?,
            row.get::<_, i64>(3)?
        ])?;
    }
    Ok(())
}

impl SessionPace {
    /// How many cases it finished in the `seconds` before `now_ms`.
    pub fn recent_cases(&self, now_ms: i64, seconds: f64) -> f64 {
        let now = (now_ms - self.started_ms) as f64 / 1000.0;
        let since = now - seconds;
        // A span that is not over ends with what the process last wrote.
        let shared = |span: &PaceSpan| {
            let (from, to) = (span.second as f64, (span.second + span.seconds) as f64);
            let to = to.min(self.wall_s.max(from + 0.001));
            (to.min(now) - from.max(since)).max(0.0) / (to - from) * span.cases as f64
        };
        self.spans.iter().rev().map(shared).sum()
    }
}

impl Store {
    /// The number of cases and of runs so far, from sums that are kept.
    pub fn so_far(&self) -> Result<(u64, u64)> {
        let sql = "SELECT TOTAL(cases), TOTAL(runs), MIN(whole) FROM intact_pace";
        Ok(self.db.query_row(sql, [], |row| {
            Ok((row.get::<_, f64>(0)? as u64, row.get::<_, f64>(1)? as u64))
        })?)
    }

    /// What every process did over time, in the order in which they began.
    pub fn pace(&self) -> Result<Vec<SessionPace>> {
        let mut sessions = self.db.prepare(
            "SELECT id, started_ms, wall, whole FROM intact_sessions ORDER BY started_ms, id",
        )?;
        let mut spans = self.db.prepare(
            "SELECT second, cases, runs, whole FROM intact_pace WHERE session = ?1 ORDER BY second",
        )?;
        let mut rows = sessions.query([])?;
        let mut paces = Vec::new();
        while let Some(row) = rows.next()? {
            let id: String = row.get(0)?;
            let span = |row: &rusqlite::Row<'_>| {
                let second = row.get::<_, i64>(0)? as u64;
                Ok(PaceSpan {
                    second,
                    seconds: span_seconds(second),
                    cases: row.get::<_, i64>(1)? as u64,
                    runs: row.get::<_, i64>(2)? as u64,
                })
            };
            paces.push(SessionPace {
                started_ms: row.get(1)?,
                wall_s: row.get::<_, i64>(2)? as f64 / 1e6,
                spans: spans.query_map([id], span)?.collect::<Result<_, _>>()?,
            });
        }
        Ok(paces)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_looks_back_over_whole_and_parted_spans() {
        let span = |second, seconds, cases| PaceSpan {
            second,
            seconds,
            cases,
            runs: 0,
        };
        let session = SessionPace {
            started_ms: 1000,
            wall_s: 12.5,
            spans: vec![
                span(0, 1, 100),
                span(10, 1, 20),
                span(11, 1, 10),
                span(12, 1, 4),
            ],
        };
        assert_eq!(session.recent_cases(13_500, 1.0), 9.0);
        assert_eq!(session.recent_cases(13_500, 2.5), 34.0);
        assert_eq!(session.recent_cases(13_500, 100.0), 134.0);
        assert_eq!(session.recent_cases(60_000, 10.0), 0.0);
    }

    #[test]
    fn spans_grow_and_cover_every_second_once() {
        let mut second = 0;
        let mut spans = 0;
        // A year.
        while second < 366 * 86_400 {
            let length = span_seconds(second);
            assert_eq!(second % length, 0, "a span begins at {second}");
            assert_eq!(span_seconds(second + length - 1), length, "{second}");
            second += length;
            spans += 1;
        }
        assert!(spans < 1500, "{spans} spans");
        assert_eq!([0, 63, 127, 128, 256].map(span_seconds), [1, 1, 1, 2, 4]);
    }
}
