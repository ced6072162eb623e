//! Strategy `weaken`: chains of scripts, each implied by the one before it
//! (or, for unsatisfiable seeds, implying it). Chapter 6 of the thesis.
//!
//! A rule of `rules.txt` changes one term; where the term stands (its
//! `parity`) tells which direction of the rule leaves a satisfiable script
//! satisfiable, or an unsatisfiable one unsatisfiable (theorem 6.3.1).
//! Equivalences go anywhere. What a chain claims therefore needs no solver.

mod chain;
mod make;
mod matching;
mod monotone;
mod obligation;
mod parity;
mod pattern;
mod rules;
mod successors;
mod tactics;
mod terms;

#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use lydite_core::strategy::known_of;
use lydite_core::{
    Answer, Case, Choices, Claim, Language, Obligation, OpenError, Program, Reject, Seed, SeedNeed,
    Setting, Settings, Space, Strategy, Verdict,
};

use crate::logic;
use crate::mutate::mutant::Mutant;
use crate::mutate::originals::{Originals, operators_of};
use crate::mutate::view::View;
use crate::operators::{Operators, TableError};
use chain::{Chain, Direction};
use rules::Rules;
pub use successors::successors;
use terms::Supply;

/// See the module's documentation.
pub struct Weaken;

/// The longest chain, unless a setting says so.
const ROUNDS: u64 = 25;

/// A chain ends before a script of more terms than this.
const MAX_TERMS: usize = 40_000;

impl Strategy for Weaken {
    fn name(&self) -> &'static str {
        "weaken"
    }

    fn about(&self) -> &'static str {
        "chains of ever weaker (or, for unsat seeds, stronger) scripts whose answer stays the same"
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
                Setting::value("rounds", "25", "how many steps a chain has at most"),
                Setting::value("every", "1", "test only every n-th script of a chain"),
                Setting::value(
                    "only",
                    "all",
                    "which rules are used: all, equivalences, implications, or sections of the rules, separated by commas",
                ),
                Setting::file(
                    "rules",
                    "",
                    "a file with more rules; each is checked before it is used",
                ),
                Setting::file(
                    "operators",
                    "",
                    "a file with more operators, in the format of operators.txt",
                ),
                Setting::value("max-seed", "65536", "seeds of more bytes are left out"),
            ]
        }
    }

    fn obligations(&self, settings: &Settings) -> Result<Vec<Obligation>, OpenError> {
        let operators = operators_of(settings)?;
        let rules = read_rules(settings, &operators)?;
        let own = Operators::built_in().iter().count();
        let (shown, skipped) = match settings.has_files() {
            false => (&rules.rules[..], 0),
            true => (rules.of_user(), own),
        };
        let rows = operators.iter().skip(skipped).map(|(_, row)| row);
        let mut all = obligation::obligations(shown, &operators);
        all.extend(monotone::obligations(rows));
        Ok(all)
    }

    fn open(
        &self,
        language: Arc<dyn Language>,
        seeds: Arc<[Seed]>,
        settings: &Settings,
    ) -> Result<Box<dyn Space>, OpenError> {
        let originals = Originals::open(seeds, settings, View::ANSWERS)?;
        let mut rules = read_rules(settings, originals.operators())?;
        keep_only(&mut rules, settings)?;
        let number = |key, default| settings.read(key, "a number from 1 on", default);
        Ok(Box::new(WeakenSpace {
            supplies: (0..originals.len()).map(|_| OnceLock::new()).collect(),
            language,
            originals,
            rules,
            rounds: number("rounds", ROUNDS)?.max(1),
            every: number("every", 1)?.max(1),
        }))
    }
}

/// True if the rule of that name is an equivalence.
pub(super) fn is_equivalence(name: &str) -> bool {
    let mut rules = Rules::built_in().rules.iter();
    rules.any(|rule| rule.name == name && rule.equivalence)
}

/// The built-in rules and those of the user's file, over operators of which
/// some may be the user's: both are checked.
fn read_rules(settings: &Settings, operators: &Operators) -> Result<Rules, OpenError> {
    let mut rules = match settings.file("rules") {
        None => Rules::read(operators, "").expect("no rules, no error"),
        Some(file) => {
            let bad = |error: TableError| file.flaw("rules", Some(error.line), error.problem);
            let rules = Rules::read(operators, &file.text).map_err(bad)?;
            obligation::check_user_rules(&rules, operators, &file.text).map_err(bad)?;
            rules
        }
    };
    if let Some(file) = settings.file("operators") {
        monotone::keep_proved(&mut rules, operators).map_err(|(name, problem)| {
            let at_fault = |line: &str| line.contains(&name) && line.contains(":monotone");
            let line = file.text.lines().position(at_fault).map(|at| at + 1);
            file.flaw("operators", line, problem)
        })?;
    }
    Ok(rules)
}

/// Keeps the rules that the setting `only` names.
fn keep_only(rules: &mut Rules, settings: &Settings) -> Result<(), OpenError> {
    let Some(wanted) = settings.get("only").filter(|wanted| *wanted != "all") else {
        return Ok(());
    };
    let words: Vec<&str> = wanted.split(',').map(str::trim).collect();
    let mut sections: Vec<String> = rules
        .rules
        .iter()
        .map(|rule| rule.section.clone())
        .collect();
    sections.dedup();
    for word in &words {
        let kind = matches!(*word, "equivalences" | "implications");
        if !kind && !sections.iter().any(|section| section == word) {
            return Err(OpenError::BadSetting {
                key: "only".to_string(),
                value: word.to_string(),
                expected: format!(
                    "all, equivalences, implications or a section ({})",
                    sections.join(", ")
                ),
            });
        }
    }
    rules.retain(|rule| {
        let kind = match rule.equivalence {
            true => "equivalences",
            false => "implications",
        };
        words.contains(&kind) || words.contains(&rule.section.as_str())
    });
    Ok(())
}

struct WeakenSpace {
    language: Arc<dyn Language>,
    originals: Originals,
    /// For each original what rules use of it, and what is known of its answer.
    supplies: Vec<OnceLock<(Supply, Option<Vec<Verdict>>)>>,
    rules: Rules,
    rounds: u64,
    every: u64,
}

impl Space for WeakenSpace {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let at = self.originals.draw(choices)?;
        let original = self.originals.lone_original(at)?;
        let (supply, known) = self.supplies[at].get_or_init(|| {
            let known = match known_of(self.language.as_ref(), self.originals.seed(at)) {
                Claim::Answers(Answer::Verdicts(verdicts)) => Some(verdicts),
                _ => None,
            };
            (Supply::of(&original), known)
        });
        let (direction, answer) = direction(known.as_deref(), choices)?;
        let length = choices.between(1, self.rounds)?;
        let operators = self.originals.operators();
        let mutant = Mutant::new(&original);
        let mut chain = Chain::new(mutant, &self.rules, operators, supply, direction);
        let mut programs = vec![program(original.text.as_bytes())];
        let mut steps = Vec::new();
        let mut since = Vec::new();
        for round in 1..=length {
            let step = chain.step(choices)?;
            let last = round == length || step.is_none() || chain.places.total() > MAX_TERMS;
            since.extend(step);
            if !since.is_empty() && (round % self.every == 0 || last) {
                logic::fit(&mut chain.mutant, operators);
                let mut text = Vec::new();
                chain.mutant.write(&mut text);
                programs.push(program(&text));
                steps.push(since.join(", "));
                since.clear();
            }
            if last {
                break;
            }
        }
        if programs.len() == 1 {
            return Err(Reject::NotApplicable("no rule applies to the seed"));
        }
        let claim = match direction {
            Direction::Weaker => Claim::Weakens(answer),
            Direction::Stronger => Claim::Strengthens(answer),
        };
        Ok(Case {
            programs,
            claim,
            steps,
            seeds: vec![self.originals.seed(at).clone()],
        })
    }
}

fn program(text: &[u8]) -> Program {
    Program::single("case.smt2", text)
}

/// Where to go from what is known: what is satisfiable is weakened, what is
/// not is strengthened. Where both are known of different questions, or
/// nothing, that is a choice; of the answers those are left that stay.
fn direction(
    known: Option<&[Verdict]>,
    choices: &mut Choices,
) -> Result<(Direction, Option<Answer>), Reject> {
    let has = |verdict| known.is_some_and(|known| known.contains(&verdict));
    let weaker = match (has(Verdict::Sat), has(Verdict::Unsat)) {
        (true, false) => true,
        (false, true) => false,
        _ => !choices.chance(1, 2)?,
    };
    let (direction, stays) = match weaker {
        true => (Direction::Weaker, Verdict::Sat),
        false => (Direction::Stronger, Verdict::Unsat),
    };
    let answer = known.filter(|known| known.contains(&stays)).map(|known| {
        let kept = |&verdict: &Verdict| match verdict == stays {
            true => stays,
            false => Verdict::Unknown,
        };
        Answer::Verdicts(known.iter().map(kept).collect())
    });
    Ok((direction, answer))
}
