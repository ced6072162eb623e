//! What runs: targets, within limits, in a scratch folder. Each program goes to
//! a target in the dialect that the target wants.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use lydite_core::fault::Fault;
use lydite_core::{Case, Language, Observation, Outcome, Program, Role, Table, TargetName};

use super::job::Further;
use super::options::OptionChoice;
use super::sites::is_teller;
use super::steer::Terms;
use super::warm::SeenWarm;
use lydite_process::Scratch;
use lydite_target::{RunLimits, Target};

/// Runs cases on targets.
#[derive(Clone)]
pub struct Runner {
    /// The language, which puts programs into the dialects of targets.
    pub language: Arc<dyn Language>,
    /// The targets that run, each with its role.
    pub targets: Vec<(Target, Role)>,
    /// What one run may use.
    pub limits: RunLimits,
    /// Where runs take place.
    pub scratch: Arc<Scratch>,
}

impl Runner {
    /// The target of that name.
    pub(super) fn target(&self, name: &TargetName) -> Option<&(Target, Role)> {
        self.targets.iter().find(|(target, _)| target.name == *name)
    }

    /// Runs one target on one program, in the dialect that the target wants.
    pub fn observe(
        &self,
        case: &Case,
        program: usize,
        (target, role): &(Target, Role),
        limits: &RunLimits,
        options: &OptionChoice,
    ) -> Observation {
        if let Some(feature) = self.outside(&case.programs[program], target) {
            return target.left_out(program, *role, &feature);
        }
        let text = self.in_dialect(&case.programs[program], target);
        let args = options.args(target);
        if args.is_empty() {
            return target.observe(&text, program, *role, limits, &self.scratch);
        }
        let promises = options.promises(target);
        let target = target.with_options(args);
        let mut observation = target.observe(&text, program, *role, limits, &self.scratch);
        observation.promises.extend(promises);
        observation
    }

    /// The first feature that the program needs and the target's file does not name among those
    /// that it knows: nobody starts a process to be told so.
    pub(super) fn outside(&self, program: &Program, target: &Target) -> Option<String> {
        let knows = target.family().knows.as_ref()?;
        let mut needs = self.language.needs(program).into_iter();
        needs.find(|feature| !knows.contains(feature))
    }

    /// A program as a target is given it.
    pub(super) fn in_dialect<'a>(&self, program: &'a Program, target: &Target) -> Cow<'a, Program> {
        match target.family().dialect(&target.version) {
            Some(dialect) => Cow::Owned(self.language.in_dialect(program, dialect)),
            None => Cow::Borrowed(program),
        }
    }

    /// Every target on every program from number `first` on, unless it was
    /// seen already. A program that a gate gives no answer for is run by
    /// nobody after it.
    pub(super) fn observe_all(
        &self,
        case: &Case,
        first: usize,
        options: &OptionChoice,
        terms: &Terms,
        mut seen: SeenWarm,
    ) -> Vec<Observation> {
        let is_gate = |number: &usize| {
            let (target, role) = &self.targets[*number];
            *role == Role::Reference && target.is_gate()
        };
        let (gates, others): (Vec<usize>, Vec<usize>) = (0..self.targets.len()).partition(is_gate);
        let mut observations = Vec::new();
        let mut cuts = vec![0; self.targets.len()];
        for program in first..case.programs.len() {
            for &number in gates.iter().chain(&others) {
                let target = &self.targets[number];
                if is_teller(target) {
                    continue;
                }
                let seen = seen.remove(&(target.0.name.clone(), program));
                let limits = self.limits_on(terms, &target.0.name, cuts[number]);
                let observed = seen.unwrap_or_else(|| {
                    self.observe_on(case, program, target, options, (terms, &limits))
                });
                cuts[number] += u32::from(observed.outcome == Outcome::TimedOut);
                let closed = is_gate(&number) && observed.outcome.answer().is_none();
                observations.push((number, observed));
                if closed {
                    break;
                }
            }
        }
        observations.sort_by_key(|(number, observed)| (*number, observed.program));
        let mut observations = observations
            .into_iter()
            .map(|(_, observed)| observed)
            .collect();
        self.ask_sites(case, options, &mut observations);
        observations
    }

    /// A first run on these terms: perhaps in a process that stays, whose answers are
    /// suspicions only.
    fn observe_on(
        &self,
        case: &Case,
        program: usize,
        target: &(Target, Role),
        options: &OptionChoice,
        (terms, limits): (&Terms, &RunLimits),
    ) -> Observation {
        let mut in_vain = Duration::ZERO;
        let stays = terms.keeps(&target.0.name) && options.args(&target.0).is_empty();
        if stays && self.outside(&case.programs[program], &target.0).is_none() {
            let text = self.in_dialect(&case.programs[program], &target.0);
            let kept = target
                .0
                .observe_kept(&text, program, target.1, limits, &self.scratch);
            match kept {
                Ok(observation) => return observation,
                Err(cpu) => in_vain = cpu,
            }
        }
        let mut observation = self.observe(case, program, target, limits, options);
        observation.cpu += in_vain;
        observation
    }

    /// What a first run of a target may use, after so many of this case that were cut off.
    fn limits_on(&self, terms: &Terms, target: &TargetName, cuts: u32) -> Cow<'_, RunLimits> {
        match terms.limit(target, cuts, self.limits.wall) {
            None => Cow::Borrowed(&self.limits),
            Some(busy) => Cow::Owned(RunLimits {
                busy: Some(busy),
                ..self.limits.clone()
            }),
        }
    }

    /// Runs the targets that are `wanted` again, with so many times the
    /// limits. Returns what these runs took.
    pub(super) fn observe_if(
        &self,
        case: &Case,
        table: &mut Table,
        wanted: &dyn Fn(&Target) -> bool,
        options: &OptionChoice,
        patience: u32,
    ) -> Further {
        let mut runs = Further::default();
        let limits = RunLimits {
            wall: self.limits.wall * patience,
            cpu: self.limits.cpu * patience,
            ..self.limits.clone()
        };
        for observation in &mut table.observations {
            let target = self.target(&observation.target);
            if let Some((target, role)) = target.filter(|(target, _)| wanted(target)) {
                let cold = (target.cold(), *role);
                *observation = self.observe(case, observation.program, &cold, &limits, options);
                runs.add(observation);
            }
        }
        self.fill_sites_again(&mut table.observations);
        runs
    }

    /// Why a run did not start, as far as that can be told.
    pub fn not_started(&self, observation: &Observation) -> anyhow::Error {
        let error = anyhow!("target {}: {}", observation.target, observation.outcome);
        let folder = self.scratch.folder();
        let written =
            folder.and_then(|folder| std::fs::write(folder.path().join("full"), [0; 4096]));
        error.context(match written {
            Err(_) => Fault::CannotWrite,
            Ok(()) => Fault::TargetUnusable,
        })
    }
}
