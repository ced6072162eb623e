//! Finished cases one by one, in the order of their indices.

use anyhow::Result;

use super::query::symptom_row;
use super::{RUN_BYTES, Store, SymptomRow};

/// One finished case, without its times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseRow {
    /// Its number.
    pub index: u64,
    /// The strategy's number in the plan.
    pub strategy: u64,
    /// The size of its programs.
    pub bytes: u64,
    /// Why nothing was run, or what was wrong with the case itself.
    pub failure: Option<String>,
    /// Symptoms that a second run did not show.
    pub unconfirmed: u64,
    /// Every run: program, target and outcome by their numbers.
    pub runs: Vec<(u16, u16, u8)>,
    /// What was found.
    pub symptoms: Vec<SymptomRow>,
}

impl Store {
    /// Hands over the cases below `end`, lowest index first.
    pub fn each_case(&self, end: u64, visit: &mut dyn FnMut(&CaseRow) -> Result<()>) -> Result<()> {
        let mut cases = self.db.prepare(
            "SELECT idx, strategy, bytes, failure, unconfirmed, runs FROM cases
             WHERE idx < ?1 ORDER BY idx",
        )?;
        let mut symptoms = self.db.prepare(
            "SELECT signature, kind, target, against, program, evidence, bytes, known, shown, replays
             FROM symptoms WHERE idx = ?1 ORDER BY seq",
        )?;
        let end = i64::try_from(end).unwrap_or(i64::MAX);
        let mut rows = cases.query([end])?;
        while let Some(row) = rows.next()? {
            let index: i64 = row.get(0)?;
            let mut found = symptoms.query([index])?;
            let mut case = CaseRow {
                index: index as u64,
                strategy: row.get::<_, i64>(1)? as u64,
                bytes: row.get::<_, i64>(2)? as u64,
                failure: row.get(3)?,
                unconfirmed: row.get::<_, i64>(4)? as u64,
                runs: runs(row.get_ref(5)?.as_blob()?),
                symptoms: Vec::new(),
            };
            while let Some(row) = found.next()? {
                case.symptoms.push(symptom_row(row)?);
            }
            visit(&case)?;
        }
        Ok(())
    }
}

fn runs(bytes: &[u8]) -> Vec<(u16, u16, u8)> {
    let run = |run: &[u8]| {
        let program = u16::from_le_bytes([run[0], run[1]]);
        let target = u16::from_le_bytes([run[2], run[3]]);
        (program, target, run[4])
    };
    bytes.chunks_exact(RUN_BYTES).map(run).collect()
}
