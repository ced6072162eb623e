//! From a number to a case: what makes job *i* depend on nothing but the
//! plan and *i*.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, anyhow, bail};
use lydite_core::{
    BigUint, Case, CaseTree, Choices, LANGUAGE_FILE, Language, Lots, Reject, Role, Seed, SeedNeed,
    Space, Strategy, Tape,
};

use super::options::OptionChoice;
use super::steer::{STRATEGY_ARM, Schedule, Terms};
use crate::parallel::{Stop, run_all};
use crate::plan::{Mode, Plan, StrategyPlan};
use crate::registry::Registry;
use crate::resolved::{Spaces, learns};
use crate::seeds::{LeftOut, SeedSet};
use lydite_store::record::Arms;
use lydite_target::Target;

/// The numbered cases of a plan.
pub struct Source {
    strategies: Vec<OpenedStrategy>,
    seed: u64,
    mode: Mode,
    from: BigUint,
    most_options: u32,
    /// Whether schedules say where the time goes.
    learns: bool,
    /// How likely strategies are by the plan.
    weights: Arc<Lots>,
}

/// A case as it was drawn.
pub(super) struct Drawn {
    /// The strategy's number in the plan.
    pub(super) strategy: usize,
    pub(super) case: Result<Case, Reject>,
    pub(super) arms: Arms,
}

struct OpenedStrategy {
    strategy: Arc<dyn Strategy>,
    space: Box<dyn Space>,
    weight: u64,
    seeds: Arc<[Seed]>,
    digest: String,
    definition: Option<String>,
}

impl Source {
    /// Reads the seeds and opens the spaces of `plan`, whose files are read
    /// ([`Plan::read_files`]).
    pub fn open(
        plan: &Plan,
        language: &Arc<dyn Language>,
        registry: &Registry,
    ) -> Result<(Source, Vec<LeftOut>)> {
        Source::open_over(
            plan,
            read_seeds(plan, language.as_ref())?,
            language,
            registry,
        )
    }

    /// Opens the spaces of `plan` over seeds that are read already, those of
    /// each strategy in turn.
    pub fn open_over(
        plan: &Plan,
        seeds: Vec<SeedSet>,
        language: &Arc<dyn Language>,
        registry: &Registry,
    ) -> Result<(Source, Vec<LeftOut>)> {
        let (strategies, left_out) = open_all(plan, seeds, language, registry)?;
        if strategies.len() < plan.strategies.len() {
            bail!("plan: a strategy without its seeds");
        }
        let countable = strategies.len() == 1 && strategies[0].space.len().is_some();
        let default = if countable {
            Mode::Enumerate
        } else {
            Mode::Sample
        };
        let mode = plan.mode.unwrap_or(default);
        if mode == Mode::Enumerate && !countable {
            bail!(
                "mode = \"enumerate\": the space of {} cannot be counted",
                plan.strategies[0].name
            );
        }
        let from = match &plan.from {
            None => BigUint::ZERO,
            Some(text) => index_from_text(text)?,
        };
        if from != BigUint::ZERO && mode == Mode::Sample {
            bail!("from: only a campaign with mode = \"enumerate\" starts at an index");
        }
        let seed = plan.seed;
        let each = plan.strategies.iter().enumerate();
        let each = each.map(|(number, strategy)| (number as u64, strategy.weight));
        let mut weights = Lots::default();
        weights.set(STRATEGY_ARM, &each.collect(), 0);
        Ok((
            Source {
                strategies,
                seed,
                mode,
                from,
                most_options: plan.options,
                learns: learns(plan, mode),
                weights: Arc::new(weights),
            },
            left_out,
        ))
    }

    /// The number of cases there are, if they are counted through.
    pub fn len(&self) -> Option<BigUint> {
        match self.mode {
            Mode::Sample => None,
            Mode::Enumerate => {
                let len = self.strategies[0].space.len()?;
                Some(if len > self.from {
                    len - &self.from
                } else {
                    BigUint::ZERO
                })
            }
        }
    }

    /// True if the cases are counted through and go on for ever.
    pub fn is_infinite(&self) -> bool {
        self.mode == Mode::Enumerate && self.strategies[0].space.is_infinite()
    }

    /// The index in the space that case number 0 has.
    pub fn from(&self) -> &BigUint {
        &self.from
    }

    /// Whether cases are drawn or counted through.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// What its spaces add to the identity of a campaign.
    pub fn spaces(&self) -> Spaces {
        let hashes = |opened: &OpenedStrategy| (opened.digest.clone(), opened.definition.clone());
        Spaces {
            mode: self.mode,
            strategies: self.strategies.iter().map(hashes).collect(),
        }
    }

    /// The strategy (its number in the plan) and the case number `index`, as the
    /// plan alone draws it.
    pub fn case(&self, index: u64) -> (usize, Result<Case, Reject>) {
        let drawn = self.draw_case(index, None);
        (drawn.strategy, drawn.case)
    }

    /// The case number `index`, drawn by a schedule.
    pub fn case_by(&self, index: u64, schedule: Option<&Schedule>) -> Result<Case, Reject> {
        self.draw_case(index, schedule).case
    }

    /// The same, with the strategy and the arms that were taken.
    pub(super) fn draw_case(&self, index: u64, schedule: Option<&Schedule>) -> Drawn {
        if self.mode == Mode::Enumerate {
            let index = &self.from + BigUint::from(index);
            return Drawn {
                strategy: 0,
                case: self.strategies[0].space.nth(&index),
                arms: Arms::default(),
            };
        }
        let mut choices = Choices::seeded(self.seed, index);
        let (strategy, case) = self.draw(&mut choices, schedule);
        let mut arms = Arms::noted(choices.arms());
        arms.0.retain(|(of, _)| of != STRATEGY_ARM);
        Drawn {
            strategy,
            case,
            arms,
        }
    }

    /// The choices that case `index` was drawn with, the one among strategies
    /// first; none if cases are counted, or this one was given up.
    pub fn tape(&self, index: u64, schedule: Option<&Schedule>) -> Option<Tape> {
        if self.mode == Mode::Enumerate {
            return None;
        }
        let mut choices = Choices::seeded(self.seed, index);
        self.draw(&mut choices, schedule).1.ok()?;
        Some(choices.into_tape())
    }

    /// The tree that case `index` was written from, if its strategy makes trees.
    pub fn tree(&self, index: u64, schedule: Option<&Schedule>) -> Option<Arc<dyn CaseTree>> {
        if self.mode == Mode::Enumerate {
            return None;
        }
        let mut choices = Choices::seeded(self.seed, index);
        let number = self.draw_strategy(&mut choices, schedule).ok()?;
        self.strategies[number].space.tree(&mut choices)
    }

    /// The case that a tape leads to, as far as it fits, and the choices that
    /// were really made.
    pub fn replay(&self, tape: Tape) -> Result<(Case, Tape), Reject> {
        let mut choices = Choices::guided(tape);
        let case = self.draw(&mut choices, None).1?;
        Ok((case, choices.into_tape()))
    }

    fn draw(
        &self,
        choices: &mut Choices,
        schedule: Option<&Schedule>,
    ) -> (usize, Result<Case, Reject>) {
        match self.draw_strategy(choices, schedule) {
            Ok(number) => (number, self.strategies[number].space.sample(choices)),
            Err(reject) => (0, Err(reject)),
        }
    }

    fn draw_strategy(
        &self,
        choices: &mut Choices,
        schedule: Option<&Schedule>,
    ) -> Result<usize, Reject> {
        choices.steer(match schedule {
            Some(schedule) => schedule.strategies(),
            None => self.weights.clone(),
        });
        let number = choices.arm(STRATEGY_ARM, self.strategies.len())?;
        choices.steer(schedule.map_or_else(Arc::default, |by| by.decisions(number)));
        Ok(number)
    }

    /// The options that case number `index` of a strategy runs with, and the
    /// arms that they are.
    pub(super) fn options(
        &self,
        index: u64,
        strategy: usize,
        schedule: Option<&Schedule>,
        targets: &[(Target, Role)],
    ) -> (OptionChoice, Arms) {
        let lots = schedule.map_or_else(Arc::default, |by| by.decisions(strategy));
        OptionChoice::draw((self.seed, index), self.most_options, targets, &lots)
    }

    /// The terms on which case number `index` runs, which are noted among its
    /// arms.
    pub(super) fn terms(
        &self,
        index: u64,
        strategy: usize,
        schedule: Option<&Schedule>,
        arms: &mut Arms,
        targets: &[(Target, Role)],
    ) -> Terms {
        match schedule {
            Some(schedule) => schedule.terms((self.seed, index), strategy, arms, targets),
            None if self.learns => Terms::sparing(),
            None => Terms::default(),
        }
    }

    /// For each strategy its weight in the plan and how many seeds it has.
    pub(super) fn arms(&self) -> Vec<(u64, u64)> {
        let strategies = self.strategies.iter();
        strategies
            .map(|opened| (opened.weight, opened.seeds.len() as u64))
            .collect()
    }

    /// The seeds of each strategy.
    pub(super) fn seeds(&self) -> Vec<Arc<[Seed]>> {
        let strategies = self.strategies.iter();
        strategies.map(|opened| opened.seeds.clone()).collect()
    }

    /// True if strategy number `strategy` makes its programs itself.
    pub fn makes_programs(&self, strategy: usize) -> bool {
        self.strategies[strategy].strategy.makes_programs()
    }
}

/// The seeds of each strategy of a plan; strategies with the same ones share
/// their texts.
pub fn read_seeds(plan: &Plan, language: &dyn Language) -> Result<Vec<SeedSet>> {
    let limits = plan.limits.of_seeds(plan.seed);
    let mut sets: Vec<SeedSet> = Vec::new();
    for strategy in &plan.strategies {
        let earlier = plan.strategies.iter().zip(&sets);
        let mut same = earlier.filter(|(other, _)| other.seeds == strategy.seeds);
        let set = match same.next() {
            Some((_, set)) => set.clone(),
            None => SeedSet::read(&strategy.seeds, language, limits)
                .with_context(|| format!("strategy {}", strategy.name))?,
        };
        sets.push(set);
    }
    Ok(sets)
}

/// The language with what the files of the strategies add to it.
pub(super) fn extended_language(
    plan: &Plan,
    mut language: Arc<dyn Language>,
    registry: &Registry,
) -> Result<Arc<dyn Language>> {
    for one in &plan.strategies {
        let strategy = registry.strategy(&one.name)?;
        let settings = one.files.settings(strategy.as_ref(), &one.settings)?;
        if let Some(file) = settings.file(LANGUAGE_FILE) {
            let more = language.extended(&file.text);
            let more = more.map_err(|why| anyhow!("{}: {why}", file.name))?;
            language = more.unwrap_or(language);
        }
    }
    Ok(language)
}

/// Opens the strategies of a plan, several at a time: to read thousands of programs takes
/// seconds. Of several errors, that of the first in the plan is given.
fn open_all(
    plan: &Plan,
    seeds: Vec<SeedSet>,
    language: &Arc<dyn Language>,
    registry: &Registry,
) -> Result<(Vec<OpenedStrategy>, Vec<LeftOut>)> {
    let each = plan.strategies.iter().zip(seeds);
    let mut left_out = Vec::new();
    let sets: Vec<(&StrategyPlan, SeedSet)> = each
        .map(|(strategy_plan, mut set)| {
            left_out.append(&mut set.left_out);
            (strategy_plan, set)
        })
        .collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.min(sets.len());
    let stop = Stop {
        asked: &AtomicBool::new(false),
        deadline: None,
    };
    let open = |(number, (strategy_plan, set)): (usize, (&StrategyPlan, SeedSet))| {
        let opened = open_strategy(strategy_plan, set, language, registry)
            .with_context(|| format!("strategy {}", strategy_plan.name));
        Ok((number, opened))
    };
    let mut opened = BTreeMap::new();
    run_all(
        sets.into_iter().enumerate(),
        &open,
        threads,
        &stop,
        &mut |batch| {
            opened.extend(batch);
            Ok(())
        },
    )?;
    let strategies = opened.into_values().collect::<Result<_>>()?;
    Ok((strategies, left_out))
}

fn open_strategy(
    strategy_plan: &StrategyPlan,
    set: SeedSet,
    language: &Arc<dyn Language>,
    registry: &Registry,
) -> Result<OpenedStrategy> {
    let strategy = registry.strategy(&strategy_plan.name)?;
    if let Some(wanted) = strategy.language()
        && wanted != language.name()
    {
        bail!(
            "it makes {wanted}, but the targets read {}",
            language.name()
        );
    }
    let files = &strategy_plan.files;
    let settings = files.settings(strategy.as_ref(), &strategy_plan.settings)?;
    if let SeedNeed::AtLeast(needed) = strategy.seeds()
        && set.seeds.len() < needed
    {
        bail!(
            "it needs at least {needed} seed{}, and there {} (seeds = [\"folder\"] in a plan, --seeds folder)",
            if needed == 1 { "" } else { "s" },
            match set.seeds.len() {
                0 => "are none".to_string(),
                1 => "is 1".to_string(),
                n => format!("are {n}"),
            }
        );
    }
    let digest = set.digest();
    let seeds: Arc<[Seed]> = set.seeds.into();
    let definition = strategy
        .definition(&settings)
        .map(|text| blake3::hash(text.as_bytes()).to_hex().to_string());
    let space = strategy.open(language.clone(), seeds.clone(), &settings)?;
    Ok(OpenedStrategy {
        strategy,
        space,
        weight: strategy_plan.weight,
        seeds,
        digest,
        definition,
    })
}

/// A natural number, also as a power of ten: `12`, `10^275`.
pub fn index_from_text(text: &str) -> Result<BigUint> {
    let number = |text: &str| -> Option<BigUint> {
        let short = text.len() <= 100_000 && text.bytes().all(|b| b.is_ascii_digit());
        short.then(|| text.parse().ok()).flatten()
    };
    let value = match text.split_once('^') {
        None => number(text),
        Some((base, exponent)) => match (number(base), exponent.parse::<usize>()) {
            (Some(base), Ok(exponent)) if exponent <= 100_000 && base <= BigUint::from(1000u16) => {
                Some(base.pow(exponent))
            }
            _ => None,
        },
    };
    value.with_context(|| format!("index `{text}`: expected a number such as 12 or 10^275"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_numbers_and_powers() {
        assert_eq!(index_from_text("12").unwrap(), BigUint::from(12u8));
        assert_eq!(index_from_text("10^3").unwrap(), BigUint::from(1000u16));
        assert_eq!(index_from_text("10^1700").unwrap().to_string().len(), 1701);
        for bad in ["", "-1", "1.5", "10^", "10^9999999999", "x", "9999^5"] {
            assert!(index_from_text(bad).is_err(), "{bad}");
        }
    }
}
