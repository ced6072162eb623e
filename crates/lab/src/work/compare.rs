//! Setting what a campaign found against a baseline.

use anyhow::{Context, Result};

use super::{Home, Workplace};
use crate::compare::{ComparedFinding, Comparison};
use lydite_core::fault::Blame;
use lydite_target::Target;

/// Sets every finding of a campaign against the baseline, and writes what
/// continuous integration reads. `reused` runs were saved by kept answers.
pub fn compare(
    workplace: &Workplace<'_>,
    candidate: &Target,
    baseline: &Target,
    reused: u64,
) -> Result<Comparison> {
    let store = workplace.store().context("no campaign").or_usage()?;
    let examiner = |file: &_| workplace.examiner(file);
    let mut entries = Vec::new();
    for id in workplace.ids()? {
        let full = workplace.finding(&id)?;
        if full.file.finding.merged_into.is_none() {
            entries.push(ComparedFinding::of(
                &full, &candidate.name, baseline, &examiner,
            )?);
        }
    }
    let totals = store.totals()?;
    let comparison = Comparison {
        baseline: baseline.name.to_string(),
        candidate: candidate.name.to_string(),
        cases: totals.cases,
        runs: totals.runs,
        reused,
        entries,
    };
    if let Home::Held(held) = &workplace.home {
        comparison.write(&held.folder)?;
    }
    Ok(comparison)
}
