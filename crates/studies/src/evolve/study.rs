//! The table summed up: for each theory and version how many bug triggers,
//! how many solved within which time, how fast.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use lydite_core::{Outcome, Role};
use serde::Serialize;

use super::judge::{Flaw, Judged, JudgedCell, Truth};
use super::regress::{Regression, Regressions};
use super::{Column, Evolution, csv, page};

/// Which time is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// What a user waits.
    Wall,
    /// User and system time: steadier on a busy machine.
    Cpu,
}

impl Clock {
    pub(super) fn of(self, cell: &JudgedCell) -> Duration {
        match self {
            Clock::Wall => cell.observation.wall,
            Clock::Cpu => cell.observation.cpu,
        }
    }
}

/// Everything that the page shows.
#[derive(Debug, Serialize)]
pub struct Study {
    /// The family under test.
    pub family: String,
    /// Its versions, oldest first.
    pub versions: Vec<String>,
    /// The targets whose answers count as true.
    pub references: Vec<String>,
    /// The timeouts in seconds, of which the last is the limit of a run.
    pub timeouts: Vec<f64>,
    /// Which time was compared.
    pub clock: Clock,
    /// The oracles that judged.
    pub oracles: Vec<String>,
    /// One per grammar or folder.
    pub theories: Vec<TheoryStudy>,
    /// The version of lydite.
    pub tool: String,
}

/// One theory with its figures.
#[derive(Clone, Debug, Serialize)]
pub struct TheoryStudy {
    /// Its name.
    pub name: String,
    /// The number of cases that every version has run.
    pub cases: u64,
    /// The number of cases that are asked for and not there yet.
    pub missing: u64,
    /// The number of cases that no version has run.
    pub skipped: u64,
    /// Where the true answers come from, in numbers of cases.
    pub truth: References,
    /// The number of cases that all `compared` versions solve.
    pub common: u64,
    /// Versions that solve too little to be compared by time.
    pub not_compared: Vec<String>,
    /// The versions, oldest first.
    pub versions: Vec<VersionStudy>,
    /// The references, likewise.
    pub references: Vec<VersionStudy>,
    /// What got worse, and what was wrong from the beginning.
    pub regressions: Vec<Regression>,
}

/// Where the true answers come from, in numbers of cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct References {
    /// The number of cases whose answer the references gave.
    pub references: u64,
    /// The number of cases whose answer the seeds state.
    pub stated: u64,
    /// The number of cases whose answer is not known.
    pub nobody: u64,
    /// The number of cases in which a reference contradicts another, or was refuted.
    pub reference_wrong: u64,
}

/// The figures of one version on one theory.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct VersionStudy {
    /// The target.
    pub target: String,
    /// Its version.
    pub version: String,
    /// The number of cases that it answered wrongly.
    pub unsound: u64,
    /// The number of cases with a wrong model.
    pub invalid_model: u64,
    /// The number of cases on which it crashed.
    pub crash: u64,
    /// The number of cases of unknown answer in which it differs from the majority.
    pub dissent: u64,
    /// The number of cases in which it was wrong once, and not a second time.
    pub flaky: u64,
    /// The number of cases that it answered, rightly or not.
    pub solved: u64,
    /// The number of cases for which it says that it does not know.
    pub undecided: u64,
    /// The number of cases on which it ran out of time or memory.
    pub timed_out: u64,
    /// The number of cases that it rejected, did not support or did not understand.
    pub not_taken: u64,
    /// The number of cases that it solved within each of [`Study::timeouts`].
    pub solved_within: Vec<u64>,
    /// The time that all cases took, in seconds.
    pub seconds: f64,
    /// The time that the cases took which all compared versions solve, in seconds.
    pub common_seconds: Option<f64>,
    /// Cases per second.
    pub throughput: f64,
}

impl VersionStudy {
    /// True if it answered wrongly, gave a wrong model or crashed in some case.
    pub fn has_triggers(&self) -> bool {
        self.unsound + self.invalid_model + self.crash > 0
    }

    fn add(&mut self, cell: &JudgedCell, timeouts: &[f64], clock: Clock) {
        let seconds = clock.of(cell).as_secs_f64();
        self.seconds += seconds;
        match &cell.observation.outcome {
            _ if cell.solved() => {
                self.solved += 1;
                for (within, timeout) in self.solved_within.iter_mut().zip(timeouts) {
                    *within += u64::from(seconds <= *timeout);
                }
            }
            Outcome::Answered(_) | Outcome::Undecided => self.undecided += 1,
            Outcome::TimedOut | Outcome::OutOfMemory => self.timed_out += 1,
            Outcome::Crashed(_) | Outcome::SelfRefuted(_) => {}
            Outcome::Rejected(_)
            | Outcome::Unsupported(_)
            | Outcome::Unusable(_)
            | Outcome::NoAnswer(_) => self.not_taken += 1,
        }
        if cell.symptom.is_some() && cell.flaw().is_none() {
            self.flaky += 1;
        }
        match cell.flaw().and_then(|symptom| Flaw::of(symptom.kind)) {
            Some(Flaw::Unsound) => self.unsound += 1,
            Some(Flaw::InvalidModel) => self.invalid_model += 1,
            Some(Flaw::Crash) => self.crash += 1,
            Some(Flaw::Dissent) => self.dissent += 1,
            None => {}
        }
    }
}

/// Powers of two of a second from 2^-6 to the limit, which is the last.
pub fn timeouts(limit: Duration) -> Vec<f64> {
    let limit = limit.as_secs_f64();
    let mut timeouts: Vec<f64> = (-6..=3)
        .map(|exponent| 2f64.powi(exponent))
        .filter(|timeout| *timeout < limit)
        .collect();
    timeouts.push(limit);
    timeouts
}

impl Evolution {
    /// Judges the table, sums it up, and writes the page, the data files and
    /// the smallest triggers into the folder. Returns the path of the page.
    pub fn study(&self, clock: Clock, threads: usize) -> Result<(Study, PathBuf)> {
        let mut lines = csv::CellLines::create(&self.folder)?;
        let study = self.sum_up(clock, threads, &mut lines)?;
        lines.end()?;
        csv::write_versions(&study, &self.folder)?;
        csv::write_regressions(&study, &self.folder)?;
        page::write_triggers(&study, self.extension(), &self.folder)?;
        let page = page::write(&study, &self.folder)?;
        Ok((study, page))
    }

    fn sum_up(&self, clock: Clock, threads: usize, lines: &mut csv::CellLines) -> Result<Study> {
        let columns = self.cells.columns()?;
        let named = |role: Role| -> Vec<String> {
            let own = columns.iter().filter(|column| column.role == role);
            own.map(|column| column.name.to_string()).collect()
        };
        let timeouts = timeouts(self.conditions.timeout.0);
        let mut sums: Vec<Sum> = self
            .theories
            .iter()
            .map(|_| Sum::new(&timeouts, clock))
            .collect();
        self.each_judged(threads, &mut |number, columns, judged| {
            sums[number].add(columns, judged);
            lines.add(&self.theories[number].name, judged)
        })?;
        let theories = self.theories.iter().zip(sums).enumerate();
        let theories = theories.map(|(number, (theory, sum))| {
            let program = |index| {
                let case = self.program(number, index)?;
                let text = &case.programs.first()?.source().text;
                Some(String::from_utf8_lossy(text).into_owned())
            };
            sum.end(&theory.name, theory.cases, &program)
        });
        let tested = columns.iter().filter(|column| column.role == Role::Tested);
        let family = tested.clone().next().map(|column| {
            let name = &column.name;
            let variant = name.variant.as_ref();
            let variant = variant.map_or(String::new(), |variant| format!(":{variant}"));
            format!("{}{variant}", name.family)
        });
        Ok(Study {
            family: family.unwrap_or_default(),
            versions: tested
                .map(|column| column.name.version.clone().unwrap_or_default())
                .collect(),
            references: named(Role::Reference),
            timeouts: timeouts.clone(),
            clock,
            oracles: self.conditions.oracles.clone(),
            theories: theories.collect(),
            tool: env!("CARGO_PKG_VERSION").to_string(),
        })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn extension(&self) -> &'static str {
        self.language.extensions().first().copied().unwrap_or("txt")
    }
}

/// A version whose share of the best one's solved cases is below this is not
/// compared by time: hardly anything would be left that all solve.
const COMPARED_FROM: f64 = 0.5;

/// A time that says: not solved.
const UNSOLVED: u32 = u32::MAX;

/// A study of one theory in the making.
struct Sum {
    timeouts: Vec<f64>,
    clock: Clock,
    cases: u64,
    skipped: u64,
    truth: References,
    columns: Vec<Column>,
    studies: Vec<VersionStudy>,
    /// Microseconds per case and column, row by row.
    times: Vec<u32>,
    regressions: Regressions,
}

impl Sum {
    fn new(timeouts: &[f64], clock: Clock) -> Sum {
        Sum {
            timeouts: timeouts.to_vec(),
            clock,
            cases: 0,
            skipped: 0,
            truth: References::default(),
            columns: Vec::new(),
            studies: Vec::new(),
            times: Vec::new(),
            regressions: Regressions::default(),
        }
    }

    fn add(&mut self, columns: &[Column], judged: &Judged) {
        if self.columns.is_empty() {
            self.columns = columns.to_vec();
            self.studies = columns
                .iter()
                .map(|column| VersionStudy {
                    target: column.name.to_string(),
                    version: column.name.version.clone().unwrap_or_default(),
                    solved_within: vec![0; self.timeouts.len()],
                    ..VersionStudy::default()
                })
                .collect();
        }
        if judged.failure.is_some() {
            self.skipped += 1;
            return;
        }
        self.cases += 1;
        *match judged.truth {
            Truth::Reference => &mut self.truth.references,
            Truth::Stated => &mut self.truth.stated,
            Truth::Nobody => &mut self.truth.nobody,
            Truth::ReferenceWrong => &mut self.truth.reference_wrong,
        } += 1;
        let mut ordered = Vec::new();
        for (number, column) in self.columns.iter().enumerate() {
            let Some(cell) = judged.cells.iter().find(|c| c.target == column.id) else {
                continue;
            };
            self.studies[number].add(cell, &self.timeouts, self.clock);
            let time = self.clock.of(cell).as_micros();
            self.times.push(match cell.solved() {
                true => u32::try_from(time).unwrap_or(UNSOLVED - 1),
                false => UNSOLVED,
            });
            if column.role == Role::Tested {
                ordered.push(cell);
            }
        }
        self.regressions.add(judged, &ordered, self.clock);
    }

    fn end(
        mut self,
        name: &str,
        asked: u64,
        program: &dyn Fn(u64) -> Option<String>,
    ) -> TheoryStudy {
        let tested: Vec<usize> = (0..self.columns.len())
            .filter(|number| self.columns[*number].role == Role::Tested)
            .collect();
        let best = tested.iter().map(|n| self.studies[*n].solved).max();
        let least = COMPARED_FROM * best.unwrap_or(0) as f64;
        let (compared, left): (Vec<usize>, Vec<usize>) = tested
            .iter()
            .partition(|number| self.studies[**number].solved as f64 >= least.max(1.0));
        let width = self.columns.len().max(1);
        let mut common = 0;
        let mut sums = vec![0u64; width];
        for row in self.times.chunks_exact(width) {
            if compared.iter().all(|number| row[*number] != UNSOLVED) {
                common += 1;
                for number in &compared {
                    sums[*number] += u64::from(row[*number]);
                }
            }
        }
        for number in &compared {
            self.studies[*number].common_seconds = Some(sums[*number] as f64 / 1e6);
        }
        for study in &mut self.studies {
            study.throughput = self.cases as f64 / study.seconds.max(1e-9);
        }
        let versions: Vec<String> = tested
            .iter()
            .map(|number| self.studies[*number].version.clone())
            .collect();
        let not_compared = left
            .iter()
            .map(|number| self.studies[*number].version.clone());
        let of_role = |role: Role| -> Vec<VersionStudy> {
            let both = self.studies.iter().zip(&self.columns);
            let own = both.filter(|(_, column)| column.role == role);
            own.map(|(study, _)| study.clone()).collect()
        };
        TheoryStudy {
            name: name.to_string(),
            cases: self.cases,
            missing: asked.saturating_sub(self.cases + self.skipped),
            skipped: self.skipped,
            truth: self.truth,
            common,
            not_compared: not_compared.collect(),
            versions: of_role(Role::Tested),
            references: of_role(Role::Reference),
            regressions: self.regressions.end(name, &versions, program),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_are_powers_of_two_up_to_the_limit() {
        let of = |seconds| timeouts(Duration::from_secs_f64(seconds));
        assert_eq!(of(8.0).len(), 10);
        assert_eq!((of(8.0)[0], of(8.0)[9]), (0.015625, 8.0));
        assert_eq!(of(0.1), [0.015625, 0.03125, 0.0625, 0.1]);
        assert_eq!(of(60.0).last(), Some(&60.0));
    }
}
