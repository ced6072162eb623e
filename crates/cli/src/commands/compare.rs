//! `lydite hunt --baseline A --candidate B`: a hunt that fails only on what is
//! new, for continuous integration.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use lydite_core::quantity::Span;
use lydite_core::{Role, TargetName};
use lydite_lab::compare::{ComparedFinding, Comparison};
use lydite_lab::plan::Plan;
use lydite_lab::work::{Workplace, compare};
use lydite_target::{AnswerCache, Target};
use serde_json::{Value, json};

use super::toolbox::Toolbox;
use crate::args::HuntArgs;
use crate::console::{Console, print};
use crate::table::print_table;

/// The share of the budget that goes into hunting; the rest is for setting
/// what was found against the baseline, and for the reports.
const HUNTING: f64 = 0.85;

/// The two targets that are compared.
pub(super) struct Pair<'a> {
    pub(super) baseline: &'a TargetName,
    pub(super) candidate: &'a TargetName,
}

/// The comparison that is asked for, if one is.
pub(super) fn asked(args: &HuntArgs) -> Option<Pair<'_>> {
    let (baseline, candidate) = args.baseline.as_ref().zip(args.candidate.as_ref())?;
    Some(Pair {
        baseline,
        candidate,
    })
}

impl Pair<'_> {
    /// The plan with the candidate as the one under test. Targets of other
    /// families stay as references, beside the baseline.
    pub(super) fn plan(&self, mut plan: Plan, budget: Option<Span>) -> Plan {
        let others = plan.targets.drain(..).chain(plan.references.drain(..));
        let foreign = |name: &TargetName| {
            name.family != self.candidate.family && name.family != self.baseline.family
        };
        plan.references = std::iter::once(self.baseline.clone())
            .chain(others.filter(foreign))
            .collect();
        plan.targets = vec![self.candidate.clone()];
        let hunting = |budget: Span| {
            Span(Duration::from_millis(
                (budget.0.as_millis() as f64 * HUNTING) as u64,
            ))
        };
        plan.duration = budget.map(hunting).or(plan.duration);
        plan
    }
}

/// Candidate, baseline and other references, ready to run: the candidate is
/// the first, the baseline the second.
pub(super) struct Contest {
    targets: Vec<(Target, Role)>,
    answers: Option<Arc<AnswerCache>>,
}

impl Contest {
    /// Prepares the targets of a hunt, if a comparison is asked for: the
    /// references keep their answers from run to run.
    pub(super) fn prepare(
        args: &HuntArgs,
        targets: &mut [(Target, Role)],
        toolbox: &Toolbox,
        console: &Console,
    ) -> Result<Option<Contest>> {
        if asked(args).is_none() {
            return Ok(None);
        }
        let mut answers = None;
        if !args.fresh {
            match keep_answers(targets, toolbox) {
                Ok(kept) => answers = Some(kept),
                // It only saves time.
                Err(error) => console.warn(&format!("no kept answers: {error:#}")),
            }
        }
        Ok(Some(Contest {
            targets: targets.to_vec(),
            answers,
        }))
    }

    /// Sets what was found against the baseline, and writes the reports.
    pub(super) fn judge(&self, workplace: &Workplace<'_>) -> Result<Comparison> {
        let (candidate, _) = self.targets.first().context("no candidate")?;
        let (baseline, _) = self.targets.get(1).context("no baseline")?;
        let reused = self.answers.as_ref().map_or(0, |answers| answers.reused());
        compare(workplace, candidate, baseline, reused)
    }
}

/// Lets the references keep their answers from run to run.
fn keep_answers(targets: &mut [(Target, Role)], toolbox: &Toolbox) -> Result<Arc<AnswerCache>> {
    let path = toolbox.cache.root().join("answers.sqlite");
    let answers = Arc::new(AnswerCache::open(&path)?);
    for (target, role) in targets {
        if *role == Role::Reference {
            *target = target.clone().keeping(&answers)?;
        }
    }
    Ok(answers)
}

/// Prints what each finding is beside the baseline.
pub(super) fn show(comparison: &Comparison, folder: &Path) {
    let rows: Vec<Vec<String>> = comparison
        .entries
        .iter()
        .map(|entry| {
            vec![
                entry.finding.id.clone(),
                entry.standing.name().to_string(),
                entry.standing.reason(comparison),
            ]
        })
        .collect();
    if !rows.is_empty() {
        print("");
        print_table(&["finding", "standing", "why it does not fail"], &rows);
    }
    print(&format!(
        "{} new against {}; {} answers were kept from earlier",
        comparison.new_entries().count(),
        comparison.baseline,
        comparison.reused
    ));
    print(&format!("summary: {}", folder.join("summary.md").display()));
}

/// The object that `--json` adds.
pub(super) fn to_json(comparison: &Comparison) -> Value {
    let entry = |entry: &ComparedFinding| json!({ "id": entry.finding.id, "standing": entry.standing.name() });
    json!({
        "baseline": comparison.baseline,
        "candidate": comparison.candidate,
        "new": comparison.new_entries().count(),
        "reused": comparison.reused,
        "findings": comparison.entries.iter().map(entry).collect::<Vec<_>>(),
    })
}
