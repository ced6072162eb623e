//! Questions that findings and reports ask of the store.

use anyhow::Result;
use lydite_core::Signature;
use rusqlite::{params, params_from_iter};

use super::case::{SYMPTOM, symptom_record};
use super::{Store, Wanted, commit, signature, signatures};
use crate::record::{
    Failure, Mark, ScheduleId, Standing, SymptomRecord, TriggerRecord, VersionRun, options_of,
};

/// All symptoms of one signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingRow {
    /// The symptom of the smallest case.
    pub symptom: SymptomRecord,
    /// The index of that case.
    pub index: u64,
    /// The strategy's number in the plan.
    pub strategy: u64,
    /// The schedule that drew it.
    pub schedule: ScheduleId,
    /// The lowest index that shows it.
    pub first_index: u64,
    /// How many cases show it.
    pub count: u64,
    /// In how many of these cases some replay did not show it.
    pub flaky: u64,
    /// The size of its reduced case in bytes, if that is smaller still or needs
    /// fewer options.
    pub reduced_bytes: Option<u64>,
    /// The signature that this reduced case shows.
    pub shown: Option<Signature>,
    /// True if a reduction was tried to its end, with or without success.
    pub reduced: bool,
    /// What other versions show of it.
    pub versions: Vec<VersionRun>,
    /// How it stands.
    pub mark: Option<Mark>,
    /// The signature of the finding that stands for this one.
    pub lead: Option<Signature>,
    /// Why it is taken for the same bug.
    pub why: Option<String>,
    /// The signatures of those that this one stands for; `count` has their
    /// cases too.
    pub members: Vec<Signature>,
}

impl Store {
    /// The first `most` cases whose claim everybody contradicts: the number of each, and who
    /// contradicts it.
    pub fn contested(&self, most: usize) -> Result<Vec<(u64, Failure)>> {
        if self.totals()?.contested().is_none() {
            // Nobody has to look through all cases.
            return Ok(Vec::new());
        }
        let mut query = self.db.prepare(
            "SELECT idx, failure, whole FROM intact_cases WHERE failure GLOB 'claim contested: *' ORDER BY idx LIMIT ?1",
        )?;
        let rows = query.query_map([most as i64], |row| {
            Ok((row.get::<_, i64>(0)? as u64, row.get::<_, String>(1)?))
        })?;
        let parsed = rows.map(|row| {
            let (index, failure) = row?;
            Ok((index, failure.parse()?))
        });
        parsed.collect()
    }

    /// Every signature with its smallest case; gravest kinds first, then by
    /// signature.
    pub fn findings(&self) -> Result<Vec<FindingRow>> {
        let mut rows = Vec::new();
        self.each_finding(&mut |row| {
            rows.push(row);
            Ok(())
        })?;
        Ok(rows)
    }

    /// Hands over the findings one by one, in the same order as [`Store::findings`].
    pub fn each_finding(&self, visit: &mut dyn FnMut(FindingRow) -> Result<()>) -> Result<()> {
        // Nobody changes anything between the list and what it lists.
        let _together = self.at_one_moment()?;
        let standing = self.standing()?;
        for text in self.all_signatures()? {
            visit(self.listed(&text, &standing)?)?;
        }
        Ok(())
    }

    /// One page of the findings that are wanted, and how many are wanted in all.
    pub fn some_findings(
        &self,
        wanted: &Wanted,
        standing: &Standing,
    ) -> Result<(u64, Vec<FindingRow>)> {
        let _together = self.at_one_moment()?;
        let (total, texts) = self.some_signatures(wanted, standing)?;
        let rows = texts.iter().map(|text| self.listed(text, standing));
        Ok((total, rows.collect::<Result<_>>()?))
    }

    /// A finding that was read off a list.
    fn listed(&self, text: &str, standing: &Standing) -> Result<FindingRow> {
        let row = self.finding_as(text, standing)?;
        // The list is an index; a damaged one names what is not there.
        Ok(row.ok_or(rusqlite::Error::QueryReturnedNoRows)?)
    }

    /// One signature with its smallest case.
    pub fn finding(&self, signature: &Signature) -> Result<Option<FindingRow>> {
        self.finding_as(&signature.to_string(), &self.standing()?)
    }

    fn finding_as(&self, text: &str, standing: &Standing) -> Result<Option<FindingRow>> {
        let Some(counted) = signatures::counted(&self.db, text)? else {
            return Ok(None);
        };
        let index = counted.smallest.index;
        let members = standing.members(text);
        let (count, first, flaky) = match members.is_empty() {
            true => (counted.cases, counted.first_index, counted.flaky),
            false => self.cases_of(text, &members)?,
        };
        let sql = format!(
            "SELECT {SYMPTOM}, c.strategy, c.schedule, s.whole, c.whole FROM intact_symptoms s JOIN intact_cases c ON c.idx = s.idx
             WHERE s.idx = ?1 AND s.signature = ?2 ORDER BY s.seq LIMIT 1"
        );
        let mut query = self.db.prepare_cached(&sql)?;
        let (symptom, strategy, schedule) =
            query.query_row(params![index as i64, text], |row| {
                let numbers = (row.get::<_, i64>(9)?, row.get::<_, i64>(10)?);
                Ok((symptom_record(row), numbers.0, numbers.1))
            })?;
        let symptom = symptom?;
        let reduction = self.reduced_form(text)?;
        let reduction = reduction.filter(|(bytes, _)| *bytes <= symptom.bytes);
        let reduced = reduction.is_some();
        let options = options_of(&symptom.signature).len();
        let smaller = reduction
            .filter(|(bytes, shown)| *bytes < symptom.bytes || options_of(shown).len() < options);
        let members = members.iter().map(|member| signature(member));
        Ok(Some(FindingRow {
            reduced_bytes: smaller.as_ref().map(|(bytes, _)| *bytes),
            shown: smaller.map(|(_, shown)| shown),
            reduced,
            versions: self.versions(&symptom.signature)?,
            mark: standing.mark(text).cloned(),
            lead: standing.lead(text).map(signature).transpose()?,
            why: standing.why(text).map(str::to_string),
            members: members.collect::<Result<_>>()?,
            symptom,
            index,
            strategy: strategy as u64,
            schedule: ScheduleId(schedule as u64),
            first_index: first,
            count,
            flaky,
        }))
    }

    /// The numbers of the cases of a signature, smallest first.
    pub fn cases_with(&self, signature: &Signature, most: usize) -> Result<Vec<u64>> {
        let sql = "SELECT DISTINCT idx, bytes, whole FROM intact_symptoms WHERE signature = ?1
                   ORDER BY bytes, idx LIMIT ?2";
        let mut query = self.db.prepare_cached(sql)?;
        let values = params![signature.to_string(), most as i64];
        let rows = query.query_map(values, |row| row.get::<_, i64>(0))?;
        rows.map(|index| Ok(index? as u64)).collect()
    }

    /// Files these cases of one signature under another. `trigger` is that of the smallest of them.
    pub fn refile(
        &mut self,
        from: &Signature,
        to: &Signature,
        cases: &[u64],
        (index, record): (u64, &TriggerRecord),
    ) -> Result<()> {
        let (from, to) = (from.to_string(), to.to_string());
        self.writing(&mut |db| {
            let transaction = db.unchecked_transaction()?;
            for case in cases {
                transaction.execute(
                    "UPDATE symptoms SET signature = ?2 WHERE signature = ?1 AND idx = ?3",
                    params![from, to, *case as i64],
                )?;
            }
            signatures::fill(&transaction, Some(&[&from, &to]))?;
            super::trigger::insert(&transaction, index, record)?;
            commit(transaction)
        })
    }

    /// How many cases show one of these signatures, the first that does, and
    /// in how many of them it comes and goes.
    fn cases_of(&self, text: &str, members: &[String]) -> Result<(u64, u64, u64)> {
        let texts: Vec<&str> = members.iter().map(String::as_str).collect();
        let texts = [&[text], texts.as_slice()].concat();
        let marks = vec!["?"; texts.len()].join(", ");
        let sql = format!(
            "SELECT COUNT(DISTINCT idx), MIN(idx),
             COUNT(DISTINCT CASE WHEN shown < replays THEN idx END), MIN(whole)
             FROM intact_symptoms WHERE signature IN ({marks})"
        );
        let mut query = self.db.prepare_cached(&sql)?;
        let counted = query.query_row(params_from_iter(texts), |row| {
            let number = |column| Ok::<u64, rusqlite::Error>(row.get::<_, i64>(column)? as u64);
            Ok((number(0)?, number(1)?, number(2)?))
        })?;
        Ok(counted)
    }

    /// How many distinct signatures were first seen at or before each case
    /// that brought a new one: (index, number so far). At most a thousand
    /// points; where there are more, every so many of them.
    pub fn discovery_curve(&self) -> Result<Vec<(u64, u64)>> {
        let every = (self.signatures()? as u64).div_ceil(MOST_POINTS).max(1);
        let mut query = self
            .db
            .prepare("SELECT first_idx, whole FROM intact_signatures ORDER BY first_idx")?;
        let mut firsts = query.query([])?;
        let mut curve = Vec::new();
        let mut number = 0;
        let mut last = None;
        while let Some(row) = firsts.next()? {
            number += 1;
            let point = (row.get::<_, i64>(0)? as u64, number);
            last = Some(point);
            if number % every == 0 || number == 1 {
                curve.push(point);
            }
        }
        if curve.last() != last.as_ref() {
            curve.extend(last);
        }
        Ok(curve)
    }
}

/// Of the discovery curve.
const MOST_POINTS: u64 = 1000;
