//! Strategy `equals`: a script, and the same said otherwise.
//!
//! The second program has the same answers, so one solver that answers them differently
//! contradicts itself; and where it knows one answer, it should know the other
//! (oracle `incomplete-implication` counts where it does not).
//!
//! Terms are rewritten by the equivalences of strategy `weaken` (`rules.txt`: commutative
//! arguments and 200 more, each proved), whole scripts by the table `REWRITES`, each
//! with its argument beside it.

mod rewrites;

use std::sync::Arc;

use lydite_core::strategy::known_of;
use lydite_core::{
    Answer, Case, Choices, Claim, Language, Obligation, Odometer, OpenError, Program, Reject, Seed,
    SeedNeed, Setting, Settings, Space, Strategy, Verdict,
};

use super::mutants::{DEFAULT_ROUNDS, Mutants, forwarded};
use super::weaken::{self, Weaken};
use crate::mutate::originals::{MAX_SEED_SETTING, OPERATORS_SETTING, operators_of};
use crate::mutate::repertoire::SPEAKERS;
use crate::operators::Operators;
use rewrites::REWRITES;

/// See the module's documentation.
pub struct EqualsStrategy;

/// The decision what is rewritten: terms of a seed, or a mutant.
const SOURCE_ARM: &str = "source";

/// The decision which rewrite is made.
const REWRITE_ARM: &str = "rewrite";

/// How many scripts are made of one by a list of steps, when a case is reduced.
const MOST_SUCCESSORS: usize = 16;

impl Strategy for EqualsStrategy {
    fn name(&self) -> &'static str {
        "equals"
    }

    fn about(&self) -> &'static str {
        "a script and the same script written differently (names, order, let, scopes, equivalent terms): both have the same answers"
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
                    DEFAULT_ROUNDS,
                    "how many steps of typed and operators make a mutant: a number or a range",
                ),
                Setting::value(
                    "rewrites",
                    "3",
                    "how many rewrites of whole scripts are made at most, and of terms at most four times as many",
                ),
                Setting::value(
                    "only",
                    "all",
                    "which rewrites of whole scripts are made: all, or their names (docs/strategies/equals.md), separated by commas",
                ),
                SPEAKERS,
                OPERATORS_SETTING,
                MAX_SEED_SETTING,
            ]
        }
    }

    /// The equivalences that terms are rewritten by.
    fn obligations(&self, settings: &Settings) -> Result<Vec<Obligation>, OpenError> {
        let all = Weaken.obligations(&forwarded(&Weaken, settings, &[("rounds", "1")])?)?;
        let equal = |obligation: &Obligation| weaken::is_equivalence(&obligation.about);
        Ok(all.into_iter().filter(equal).collect())
    }

    fn open(
        &self,
        language: Arc<dyn Language>,
        seeds: Arc<[Seed]>,
        settings: &Settings,
    ) -> Result<Box<dyn Space>, OpenError> {
        let most = settings
            .read("rewrites", "a number from 1 to 20", 3u64)?
            .clamp(1, 20);
        let rounds = (4 * most).to_string();
        let chains = [
            ("rounds", rounds.as_str()),
            ("every", "100000"),
            ("only", "equivalences"),
        ];
        let chains = forwarded(&Weaken, settings, &chains)?;
        Ok(Box::new(EqualsSpace {
            chains: Weaken.open(language.clone(), seeds.clone(), &chains)?,
            mutants: Mutants::open(&language, &seeds, settings)?,
            operators: operators_of(settings)?,
            rewrites: chosen(settings)?,
            language,
            most,
        }))
    }
}

/// The numbers of the rewrites that the setting `only` names.
fn chosen(settings: &Settings) -> Result<Vec<usize>, OpenError> {
    let Some(wanted) = settings.get("only").filter(|wanted| *wanted != "all") else {
        return Ok((0..REWRITES.len()).collect());
    };
    let number = |word: &str| {
        let found = REWRITES.iter().position(|rewrite| rewrite.name == word);
        found.ok_or_else(|| {
            let names: Vec<&str> = REWRITES.iter().map(|rewrite| rewrite.name).collect();
            OpenError::BadSetting {
                key: "only".to_string(),
                value: word.to_string(),
                expected: format!("all or one of {}", names.join(", ")),
            }
        })
    };
    wanted.split(',').map(|word| number(word.trim())).collect()
}

struct EqualsSpace {
    language: Arc<dyn Language>,
    /// Seeds with terms rewritten by equivalences.
    chains: Box<dyn Space>,
    mutants: Mutants,
    operators: Operators,
    rewrites: Vec<usize>,
    most: u64,
}

impl Space for EqualsSpace {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let by_terms = choices.arm(SOURCE_ARM, 2)? == 0;
        let made = match by_terms {
            true => self.chains.sample(choices)?,
            false => self.mutants.sample(choices)?,
        };
        let (first, last) = (&made.programs[0], &made.programs[made.programs.len() - 1]);
        let mut text = text_of(last)?;
        let mut steps: Vec<String> = match by_terms {
            true => made.steps.clone(),
            false => Vec::new(),
        };
        let count = choices.between(u64::from(!by_terms), self.most)?;
        for _ in 0..count {
            let at = self.rewrites[choices.arm(REWRITE_ARM, self.rewrites.len())?];
            if let Some(new) = REWRITES[at].apply(&text, &self.operators, choices)? {
                text = new;
                steps.push(REWRITES[at].name.to_string());
            }
        }
        if steps.is_empty() {
            return Err(Reject::NotApplicable("no rewrite applies to the script"));
        }
        // What is known of a seed is known of it said otherwise.
        let known = match (&made.seeds[..], by_terms) {
            ([seed], true) => known_of(self.language.as_ref(), seed),
            _ => Claim::Silent,
        };
        let claim = match known {
            Claim::Answers(Answer::Verdicts(verdicts)) if !verdicts.contains(&Verdict::Unknown) => {
                Claim::Answers(Answer::Verdicts(verdicts))
            }
            _ => Claim::Equivalent,
        };
        Ok(Case {
            programs: vec![
                first.clone(),
                Program::single("case.smt2", text.into_bytes()),
            ],
            claim,
            steps: vec![steps.join(", ")],
            seeds: made.seeds,
        })
    }
}

fn text_of(program: &Program) -> Result<String, Reject> {
    String::from_utf8(program.source().text.to_vec())
        .map_err(|_| Reject::NotApplicable("the script is not text"))
}

/// True if a step is a list of rewrites, at least one of them of this strategy.
pub(crate) fn is_step(step: &str) -> bool {
    let own = |word: &str| REWRITES.iter().any(|rewrite| rewrite.name == word);
    let mut words = step.split(", ").peekable();
    let several = step.contains(", ");
    words.any(own) || several && step.split(", ").all(|word| word.starts_with("rewrite by "))
}

/// What a list of rewrites makes of a script, in a few ways.
pub(crate) fn successors<'a>(
    program: &'a Program,
    step: &str,
    operators: &Operators,
) -> Box<dyn Iterator<Item = Program> + 'a> {
    let mut found = vec![program.clone()];
    for word in step.split(", ") {
        let rewrite = REWRITES.iter().find(|rewrite| rewrite.name == word);
        let mut next: Vec<Program> = Vec::new();
        for before in &found {
            let room = MOST_SUCCESSORS.div_ceil(found.len());
            match rewrite {
                Some(rewrite) => next.extend(all_ways(rewrite, before, room, operators)),
                None => next.extend(weaken::successors(before, word, operators).take(room)),
            }
        }
        found = next;
    }
    found.truncate(MOST_SUCCESSORS);
    Box::new(found.into_iter())
}

fn all_ways(
    rewrite: &rewrites::Rewrite,
    program: &Program,
    room: usize,
    operators: &Operators,
) -> Vec<Program> {
    let Ok(text) = text_of(program) else {
        return Vec::new();
    };
    let (mut odometer, mut made) = (Odometer::new(64), Vec::new());
    for _ in 0..4 * room {
        let run = |choices: &mut Choices| rewrite.apply(&text, operators, choices);
        match odometer.run(run) {
            Some(Ok(Some(text))) => {
                let new = Program::single(program.source().name.clone(), text.into_bytes());
                if !made.contains(&new) {
                    made.push(new);
                }
            }
            Some(_) => {}
            None => break,
        }
        if made.len() >= room {
            break;
        }
    }
    made
}

#[cfg(test)]
mod tests;
