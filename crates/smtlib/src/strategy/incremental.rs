//! Strategy `incremental`: several seeds in one script, twice. In the first
//! program each has a fresh start (`(reset)`), in the second each has a scope
//! of its own (`(push 1)`, `(pop 1)`). Their answers must be the same: what a
//! solver keeps from one scope to the next must not change what it says.
//!
//! In chapter 7 of the thesis incremental scripts are a way to extend the
//! grammars; here any seeds will do, and what they say alone is the yardstick.

use std::sync::Arc;

use lydite_core::strategy::known_of;
use lydite_core::{
    Answer, Case, Choices, Claim, Language, OpenError, Program, Reject, Seed, SeedNeed, Setting,
    Settings, Space, Strategy, Verdict,
};

use crate::logic::Logic;
use crate::mutate::mutant::Original;
use crate::mutate::originals::{MAX_SEED_SETTING, OPERATORS_SETTING, Originals};
use crate::mutate::steps::Steps;
use crate::mutate::view::View;
use crate::syntax::{CommandKind, Symbol};

/// See the module's documentation.
pub struct Incremental;

const DEFAULT_SCRIPTS: Steps = Steps::new(2, 8);

impl Strategy for Incremental {
    fn name(&self) -> &'static str {
        "incremental"
    }

    fn about(&self) -> &'static str {
        "several seeds in one script, each in a scope of its own; the answers must be those after a reset"
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
                    "scripts",
                    "2-8",
                    "how many seeds a case is made of: a number or a range",
                ),
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
        Ok(Box::new(IncrementalSpace {
            language,
            originals: Originals::open(seeds, settings, View::ANSWERS)?,
            scripts: settings.read("scripts", "a number or a range like 2-8", DEFAULT_SCRIPTS)?,
        }))
    }
}

struct IncrementalSpace {
    language: Arc<dyn Language>,
    originals: Originals,
    scripts: Steps,
}

impl Space for IncrementalSpace {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let mut apart = String::new();
        let mut together = String::new();
        let mut logic = Logic::NOTHING;
        let mut known: Option<Vec<Verdict>> = Some(Vec::new());
        let mut seeds = Vec::new();
        for number in 0..self.scripts.draw(choices)? {
            let seed = self.originals.draw(choices)?;
            seeds.push(self.originals.seed(seed).clone());
            let original = self.originals.lone_original(seed)?;
            let part = Part::of(&original)?;
            if number > 0 {
                apart.push_str("(reset)\n");
            }
            apart.push_str(&part.alone);
            together.push_str(&part.scoped);
            logic = logic.join(part.logic);
            let verdicts = self.known(seed, part.questions);
            known = known
                .zip(verdicts)
                .map(|(known, more)| [known, more].concat());
        }
        let together = format!("(set-logic {})\n{together}", logic.name());
        let program = |text: String| Program::single("case.smt2", text.into_bytes());
        Ok(Case {
            programs: vec![program(apart), program(together)],
            claim: match known {
                Some(verdicts) => Claim::Answers(Answer::Verdicts(verdicts)),
                None => Claim::Equivalent,
            },
            steps: vec!["push and pop instead of reset".to_string()],
            seeds,
        })
    }
}

impl IncrementalSpace {
    /// What is known of a seed, if that is all of its answers.
    fn known(&self, seed: usize, questions: usize) -> Option<Vec<Verdict>> {
        match known_of(self.language.as_ref(), self.originals.seed(seed)) {
            Claim::Answers(Answer::Verdicts(verdicts)) => {
                let open = verdicts.contains(&Verdict::Unknown);
                (verdicts.len() == questions && !open).then_some(verdicts)
            }
            _ => None,
        }
    }
}

/// A seed as a part of a script.
struct Part {
    /// As it stands.
    alone: String,
    /// In a scope of its own, without its logic.
    scoped: String,
    logic: Logic,
    questions: usize,
}

impl Part {
    fn of(original: &Original) -> Result<Part, Reject> {
        let script = &original.script;
        let levels = |number: Option<Symbol>| match number {
            None => Some(1),
            Some(number) => script.name(number).parse::<u64>().ok(),
        };
        let (mut scoped, mut open, mut questions) = ("(push 1)\n".to_string(), 1u64, 0);
        // Without a declared logic a solver takes everything.
        let mut logic = Logic::ALL;
        for (at, command) in script.commands.iter().enumerate() {
            match &command.kind {
                CommandKind::SetLogic(name) => {
                    logic = Logic::parse(script.name(*name)).unwrap_or(Logic::ALL);
                    continue;
                }
                CommandKind::SetOption(_) => {
                    return Err(Reject::NotApplicable("the seed sets an option of its own"));
                }
                CommandKind::Word(_) => {
                    return Err(Reject::NotApplicable("the seed starts anew by itself"));
                }
                CommandKind::Push(number) => open += levels(*number).unwrap_or(u64::MAX / 2),
                CommandKind::Pop(number) => {
                    let closed = levels(*number).filter(|closed| *closed < open);
                    let Some(closed) = closed else {
                        return Err(Reject::NotApplicable("the seed closes more than it opens"));
                    };
                    open -= closed;
                }
                CommandKind::CheckSat(_) | CommandKind::CheckSatAssuming(_) => questions += 1,
                _ => {}
            }
            scoped.push_str(original.command_text(at));
            scoped.push('\n');
        }
        if open > MOST_OPEN {
            return Err(Reject::NotApplicable("the seed opens too many scopes"));
        }
        scoped.push_str(&format!("(pop {open})\n"));
        let mut alone = original.text.clone();
        if !alone.ends_with('\n') {
            alone.push('\n');
        }
        Ok(Part {
            alone,
            scoped,
            logic,
            questions,
        })
    }
}

/// Scopes that a seed may leave open.
const MOST_OPEN: u64 = 1000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SmtLib;

    fn open(seeds: &[&str], scripts: &str) -> Box<dyn Space> {
        let given = [("scripts".to_string(), scripts.to_string())];
        let settings = Settings::checked(&Incremental, given.into()).unwrap();
        let seed = |text: &&str| Seed {
            name: "seed.smt2".to_string(),
            text: text.as_bytes().into(),
            claim: None,
        };
        let seeds: Vec<Seed> = seeds.iter().map(seed).collect();
        Incremental
            .open(Arc::new(SmtLib), seeds.into(), &settings)
            .unwrap()
    }

    fn texts(case: &Case) -> Vec<String> {
        let text = |program: &Program| String::from_utf8(program.source().text.to_vec()).unwrap();
        case.programs.iter().map(text).collect()
    }

    #[test]
    fn seeds_stand_apart_in_one_program_and_in_scopes_in_the_other() {
        let seeds =
            ["(set-logic QF_LIA)(declare-const x Int)(push)(assert (> x 1))(check-sat)(exit)"];
        let case = open(&seeds, "2")
            .sample(&mut Choices::seeded(1, 0))
            .unwrap();
        assert_eq!(case.claim, Claim::Equivalent);
        let [apart, together] = texts(&case).try_into().unwrap();
        let one = "(declare-const x Int)\n(push)\n(assert (> x 1))\n(check-sat)\n";
        assert_eq!(
            apart,
            format!("(set-logic QF_LIA)\n{one}(reset)\n(set-logic QF_LIA)\n{one}")
        );
        assert_eq!(
            together,
            format!("(set-logic QF_LIA)\n(push 1)\n{one}(pop 2)\n(push 1)\n{one}(pop 2)\n")
        );
    }

    #[test]
    fn logics_are_joined_and_answers_put_together() {
        let seeds = [
            "(set-logic QF_LIA)(set-info :status sat)(declare-const x Int)(assert (> x 1))(check-sat)",
            "(set-logic QF_BV)(set-info :status unsat)(declare-const x (_ BitVec 4))(assert (bvult x #x0))(check-sat)",
        ];
        let space = open(&seeds, "2-8");
        let mut seen = Vec::new();
        for index in 0..200 {
            let case = space.sample(&mut Choices::seeded(7, index)).unwrap();
            for program in &case.programs {
                assert_eq!(SmtLib.check(program), Ok(()), "{:?}", texts(&case));
            }
            let [apart, together] = texts(&case).try_into().unwrap();
            let expected: Vec<&str> = apart
                .split("(reset)")
                .map(|part| {
                    if part.contains("bvult") {
                        "unsat"
                    } else {
                        "sat"
                    }
                })
                .collect();
            assert_eq!(case.claim.to_string(), expected.join(" "));
            assert_eq!(together.matches("(push 1)").count(), expected.len());
            seen.push(together.lines().next().unwrap().to_string());
        }
        seen.sort();
        seen.dedup();
        assert_eq!(
            seen,
            [
                "(set-logic QF_BV)", "(set-logic QF_BVLIA)", "(set-logic QF_LIA)"
            ]
        );
    }

    #[test]
    fn seeds_that_cannot_be_scoped_are_left_alone() {
        for seed in [
            "(declare-const x Int)(check-sat)(reset)(check-sat)",
            "(set-option :global-declarations true)(declare-const x Int)(check-sat)",
            "(check-sat)(reset-assertions)(check-sat)",
        ] {
            let sampled = open(&[seed], "2").sample(&mut Choices::seeded(1, 0));
            assert!(matches!(sampled, Err(Reject::NotApplicable(_))), "{seed}");
        }
    }
}
