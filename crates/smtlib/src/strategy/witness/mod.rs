//! Strategy `witness`: mutants with a model that we made up (the idea of STORM,
//! Mansur et al. 2020, made exact).
//!
//! A seed is changed freely, by steps of `typed` and `operators`; then values are
//! drawn for everything that it declares, every assertion is evaluated under them,
//! and what is not true is turned until it is. The script is then satisfiable:
//! the values are the proof, and go along with it (`(set-info :witness …)`).
//! No solver is asked, and one is enough to be convicted.
//!
//! For `unsat` the values are made the only ones: constants are pinned
//! (`(= x 5)`), functions defined, and one assertion is made false. Constants of
//! few values may stay free: each of their assignments is tried, and those that
//! are not refuted are blocked, all or all but one.
//!
//! The argument for every claim is in `confirm`, which looks at the finished text
//! and at nothing else; it is also what keeps claims true while a case is
//! reduced. What does not pass it is not a case.

mod confirm;
mod draw;
mod finite;
mod repair;
mod script;

use std::sync::Arc;

use lydite_core::{
    Answer, Case, Choices, Claim, Language, OpenError, Program, Reject, Seed, SeedNeed, Setting,
    Settings, Space, Strategy, Verdict,
};

use crate::mutate::originals::{MAX_SEED_SETTING, OPERATORS_SETTING, operators_of};
use crate::mutate::repertoire::SPEAKERS;
use crate::operators::Operators;
use crate::strategy::mutants::Mutants;
pub(crate) use confirm::upholds;
use script::Answered;
pub(super) use script::Subject;

/// See the module's documentation.
pub struct WitnessStrategy;

/// The decision what a case is to show.
const AIM_ARM: &str = "aim";

impl Strategy for WitnessStrategy {
    fn name(&self) -> &'static str {
        "witness"
    }

    fn about(&self) -> &'static str {
        "mutants whose answer lydite knows: sat by a model that it drew, or unsat by construction; one solver is enough"
    }

    fn language(&self) -> Option<&'static str> {
        Some("smtlib")
    }

    fn seeds(&self) -> SeedNeed {
        SeedNeed::AtLeast(1)
    }

    fn settings(&self) -> &'static [Setting] {
        const {
            &[
                Setting::value(
                    "rounds",
                    "1-16",
                    "how many steps of typed and operators change a seed: a number or a range",
                ),
                Setting::value(
                    "only",
                    "all",
                    "which answers cases have: sat, unsat, or all",
                ),
                Setting::value(
                    "models",
                    "4",
                    "how many models are drawn for a mutant; the one that needs the fewest changes is taken",
                ),
                Setting::value(
                    "literals",
                    "true",
                    "whether new terms may have literals that the seed does not have",
                ),
                Setting::value(
                    "fresh",
                    "true",
                    "whether new terms may have constants that the seed does not have",
                ),
                Setting::file(
                    "bank",
                    "",
                    "a file with more terms to use (made by lydite bank)",
                ),
                SPEAKERS,
                OPERATORS_SETTING,
                MAX_SEED_SETTING,
            ]
        }
    }

    fn open(
        &self,
        language: Arc<dyn Language>,
        seeds: Arc<[Seed]>,
        settings: &Settings,
    ) -> Result<Box<dyn Space>, OpenError> {
        let aims = match settings.get("only").unwrap_or("all") {
            "all" => vec![Aim::Sat, Aim::Sat, Aim::Unsat, Aim::Finite],
            "sat" => vec![Aim::Sat],
            "unsat" => vec![Aim::Unsat, Aim::Finite],
            other => {
                return Err(OpenError::BadSetting {
                    key: "only".to_string(),
                    value: other.to_string(),
                    expected: "sat, unsat or all".to_string(),
                });
            }
        };
        let only_unsat = settings.get("only") == Some("unsat");
        Ok(Box::new(WitnessSpace {
            mutants: Mutants::open(&language, &seeds, settings)?,
            operators: operators_of(settings)?,
            models: settings
                .read("models", "a number from 1 to 64", 4u64)?
                .clamp(1, 64),
            aims,
            only_unsat,
        }))
    }
}

/// What a case is to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aim {
    /// All questions of the script are `sat`.
    Sat,
    /// One question, whose only candidate for a model is none.
    Unsat,
    /// One question over constants of few values.
    Finite,
}

struct WitnessSpace {
    mutants: Mutants,
    operators: Operators,
    models: u64,
    aims: Vec<Aim>,
    only_unsat: bool,
}

impl Space for WitnessSpace {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let mutant = self.mutants.sample(choices)?;
        let aim = self.aims[choices.arm(AIM_ARM, self.aims.len())?];
        let text = &mutant.programs[0].source().text;
        let mut subject = Subject::read(text, &self.operators)?;
        let Answered {
            text,
            verdicts,
            how,
        } = match aim {
            Aim::Sat => subject.satisfied(choices, self.models)?,
            Aim::Unsat => subject.refuted(choices)?,
            Aim::Finite => match subject.exhausted(choices, self.only_unsat) {
                // Without constants of few values the others can be pinned still.
                Err(Reject::NotApplicable(_)) => {
                    Subject::read(text, &self.operators)?.refuted(choices)?
                }
                answered => answered?,
            },
        };
        let finished = crate::syntax::parse_str(&text)
            .map_err(|_| Reject::NotApplicable("a script that cannot be printed"))?;
        if !confirm::confirms(&finished, &verdicts, &self.operators) {
            return Err(Reject::NotApplicable(
                "the answer could not be seen from the script",
            ));
        }
        let mut steps = mutant.steps;
        steps.push(how.to_string());
        Ok(Case {
            steps,
            seeds: mutant.seeds,
            ..Case::single(
                Program::single("case.smt2", text.into_bytes()),
                Claim::Answers(Answer::Verdicts(verdicts)),
            )
        })
    }
}

/// As many times the same answer.
fn all(verdict: Verdict, count: usize) -> Vec<Verdict> {
    vec![verdict; count]
}

#[cfg(test)]
mod tests;
