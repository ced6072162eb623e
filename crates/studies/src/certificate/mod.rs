//! The certificate of a campaign that counts through its cases (thesis
//! chapter 7): which programs, on which targets, judged how, with what result.
//!
//! A certificate is a function of plan and store that knows neither time nor
//! place, so a campaign that was interrupted, resumed, sharded or merged has
//! the same one, byte for byte. That each index was done exactly once is seen
//! in the store, where row number *k* must have index *k*. The hash at its end
//! shows a change of the certificate, the hash over all results a change of
//! the store.

mod tally;
mod verify;

pub use tally::Counts;
pub use verify::{Verified, verify};

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use lydite_core::{BigUint, Language};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use lydite_core::fault::{Blame, usage};
use lydite_lab::campaign::{Source, refuse_other_sessions};
use lydite_lab::plan::{Mode, StrategyPlan};
use lydite_lab::registry::Registry;
use lydite_lab::resolved::{Resolved, TargetRecord};
use lydite_store::Store;
use lydite_store::folder::{LockedFolder, ReadFolder, RelativePath};
use tally::RowTally;

/// The file's name in a campaign's folder.
pub const FILE_NAME: &str = "certificate.json";

/// The number of this format.
const FORMAT: u32 = 1;

/// What is certified, and the hash over it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// What is certified.
    pub statement: Statement,
    /// The hash over the statement.
    pub hash: String,
}

/// What is certified.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// The number of the format.
    pub format: u32,
    /// The whole statement in one sentence.
    pub says: String,
    /// The version of lydite.
    pub tool: String,
    /// The campaign's id: the hash of `identity`.
    pub campaign: String,
    /// What decides the results: strategy, settings, hash of the grammar
    /// (`definition`) and of the seeds, oracles, limits.
    pub identity: Value,
    /// The range of cases that is certified.
    pub range: Range,
    /// The targets that ran.
    pub targets: Vec<CertifiedTarget>,
    /// The cases by how they ended; each is counted once.
    pub counts: Counts,
    /// The number of runs by target and outcome.
    pub outcomes: BTreeMap<String, BTreeMap<String, u64>>,
    /// The number of cases by signature.
    pub findings: BTreeMap<String, u64>,
    /// The hash over the results of all cases, in the order of their indices.
    pub results: String,
}

/// A range of indices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// The first index, in decimal.
    pub first: String,
    /// The last index, in decimal.
    pub last: String,
    /// How many cases the range has; each was done exactly once.
    pub cases: u64,
    /// True if the space has no other cases.
    pub whole_space: bool,
}

/// One target, without paths of a machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertifiedTarget {
    /// Family, version and variant.
    pub name: String,
    /// True if it was there to be compared with.
    pub reference: bool,
    /// Where it came from.
    pub source: String,
    /// The hash of its binary.
    pub blake3: String,
    /// The command lines, programs by their file names.
    pub argv: Vec<Vec<String>>,
}

/// Everything in a campaign's folder that a certificate is made of.
struct Evidence {
    resolved: Resolved,
    source: Source,
    store: Store,
}

impl Certificate {
    /// The certificate of the campaign in `folder`. An error says what is
    /// missing.
    pub fn make(
        folder: &ReadFolder,
        language: &Arc<dyn Language>,
        registry: &Registry,
    ) -> Result<Certificate> {
        let evidence = Evidence::read(folder, language, registry)?;
        let cases = evidence.cases()?;
        evidence.certificate(cases)
    }

    /// Writes it into the campaign's folder.
    pub fn write(&self, folder: &LockedFolder) -> Result<PathBuf> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        folder.write(&RelativePath::new(FILE_NAME)?, text.as_bytes())
    }

    fn new(statement: Statement) -> Result<Certificate> {
        Ok(Certificate {
            hash: hash_of(&statement)?,
            statement,
        })
    }
}

fn hash_of(statement: &Statement) -> Result<String> {
    let text = serde_json::to_string(statement)?;
    Ok(blake3::hash(text.as_bytes()).to_hex().to_string())
}

impl Evidence {
    fn read(
        folder: &ReadFolder,
        language: &Arc<dyn Language>,
        registry: &Registry,
    ) -> Result<Evidence> {
        let resolved = Resolved::read(folder)?;
        if resolved.mode != Mode::Enumerate {
            return Err(usage(format!(
                "{}: its cases are drawn; only a campaign that counts through its cases \
                 (mode = \"enumerate\") has a certificate",
                folder.path().display()
            )));
        }
        let (source, _) = Source::open(&resolved.plan, language, registry).or_usage()?;
        let context = || folder.path().display().to_string();
        let checked = resolved.check(&source.spaces()).with_context(context);
        checked.or_usage()?;
        let store = Store::open_checked(folder)?;
        if store.campaign()? != resolved.id {
            return Err(usage(format!(
                "{}: plan and store are of two campaigns",
                folder.path().display()
            )));
        }
        refuse_other_sessions(&store, &resolved.provenance(), folder)?;
        Ok(Evidence {
            resolved,
            source,
            store,
        })
    }

    /// How many cases were asked for.
    fn cases(&self) -> Result<u64> {
        let asked = self.resolved.plan.cases.unwrap_or(u64::MAX);
        let all = self.source.len().context("the space cannot be counted")?;
        let all = u64::try_from(all).unwrap_or(u64::MAX);
        Ok(asked.min(all))
    }

    /// The certificate of the first `cases` cases.
    fn certificate(&self, cases: u64) -> Result<Certificate> {
        if let Some((count, first)) = self.store.missing(cases)? {
            return Err(usage(format!(
                "{count} of {cases} cases are not done (the first is number {first}): \
                 go on with lydite hunt -o DIR, or merge the other shards"
            )));
        }
        if cases == 0 {
            return Err(usage("no case: there is nothing to certify"));
        }
        let resolved = &self.resolved;
        let tally = RowTally::of(&self.store, cases, resolved.targets.len())?;
        let range = self.range(cases);
        let names: Vec<String> = resolved
            .targets
            .iter()
            .map(|target| target.name.to_string())
            .collect();
        let strategy = resolved.plan.strategies.first().context("no strategy")?;
        Certificate::new(Statement {
            format: FORMAT,
            says: sentence(strategy, &range, &names, &tally.counts),
            tool: resolved.tool.clone(),
            campaign: resolved.id.clone(),
            identity: resolved.identity.clone(),
            range,
            targets: resolved.targets.iter().map(certified).collect(),
            counts: tally.counts,
            outcomes: names.into_iter().zip(tally.outcomes).collect(),
            findings: tally.findings,
            results: tally.results,
        })
    }

    fn range(&self, cases: u64) -> Range {
        let first = self.source.from();
        let last = first + BigUint::from(cases) - BigUint::ONE;
        let whole = !self.source.is_infinite()
            && *first == BigUint::ZERO
            && self.source.len() == Some(BigUint::from(cases));
        Range {
            first: first.to_string(),
            last: last.to_string(),
            cases,
            whole_space: whole,
        }
    }
}

fn sentence(strategy: &StrategyPlan, range: &Range, targets: &[String], counts: &Counts) -> String {
    // Without folders: the same file may lie elsewhere.
    let base = |value: &str| value.rsplit('/').next().unwrap_or_default().to_string();
    let settings = strategy.settings.iter();
    let settings: Vec<String> = settings
        .map(|(key, value)| format!("{key}={}", base(value)))
        .collect();
    let strategy = match settings.is_empty() {
        true => strategy.name.clone(),
        false => format!("{} ({})", strategy.name, settings.join(", ")),
    };
    let whole = match range.whole_space {
        true => ", which are all there are",
        false => "",
    };
    format!(
        "Each of the {} cases of strategy {strategy} from index {} to {}{whole} was done exactly \
         once on {}: all targets answered and no oracle objected in {}, {} were undecided, \
         {} ran out of time or memory, {} have findings.",
        range.cases,
        range.first,
        range.last,
        targets.join(", "),
        counts.agreed,
        counts.undecided,
        counts.timed_out,
        counts.with_findings,
    )
}

fn certified(target: &TargetRecord) -> CertifiedTarget {
    let description = &target.description;
    let word = |word: &String| match word.starts_with('/') {
        true => word.rsplit('/').next().unwrap_or_default().to_string(),
        false => word.clone(),
    };
    let line = |line: &Vec<String>| line.iter().map(word).collect();
    CertifiedTarget {
        name: target.name.to_string(),
        reference: target.reference,
        source: description.source.clone(),
        blake3: description.blake3.clone(),
        argv: description.argv.iter().map(line).collect(),
    }
}
