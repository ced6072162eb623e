//! Strategy `objectives`: scripts with something to make small or large (`minimize`,
//! `maximize`, soft assertions), for z3 and whoever else optimizes.
//!
//! A seed or mutant gets objectives that are made of its own terms, most of them with
//! bounds, so that there is an optimum to be missed. Objectives leave the answers to the
//! script as they are, so nothing is claimed here; what solvers say of the optimum is
//! judged by the oracle `objective`. Solvers that know no objectives get the script
//! without them (see [`crate::print::Dialect`]), and answer what follows from it.
//!
//! Only what z3 promises is asked for: no quantifiers, and of terms that are not linear
//! polynomials alone, which it promises from 5.3.0 on.

use std::sync::Arc;

use lydite_core::{
    Case, Choices, Claim, Language, OpenError, Program, Reject, Seed, SeedNeed, Setting, Settings,
    Space, Strategy,
};

use super::mutants::{DEFAULT_ROUNDS, Mutants};
use super::witness::Subject;
use crate::model::objectives::Optimization;
use crate::mutate::closed::closed_terms;
use crate::mutate::originals::{MAX_SEED_SETTING, OPERATORS_SETTING, operators_of};
use crate::mutate::repertoire::SPEAKERS;
use crate::operators::Operators;
use crate::print;
use crate::scan::wider;
use crate::sort::SortKind;
use crate::syntax::{self, CommandKind};

/// See the module's documentation.
pub struct ObjectivesStrategy;

/// The decision how several objectives go together.
const PRIORITY_ARM: &str = "priority";

/// Larger terms are not made small or large, and no more than so many are looked at.
const MAX_TERM: usize = 200;
const MOST_TERMS: usize = 100;

/// The most soft assertions of a group, and the most points of a front.
const MOST_SOFT: u64 = 5;
const MOST_POINTS: u64 = 5;

/// So many mutants are tried for one case.
const ATTEMPTS: u32 = 4;

impl Strategy for ObjectivesStrategy {
    fn name(&self) -> &'static str {
        "objectives"
    }

    fn about(&self) -> &'static str {
        "seeds and mutants with objectives and soft assertions: optima that oracle objective judges"
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
                    "how many steps of typed and operators change a seed, in two cases of three: a number or a range",
                ),
                Setting::value(
                    "objectives",
                    "3",
                    "how many objectives a script gets at most",
                ),
                Setting::value(
                    "only",
                    "all",
                    "how several objectives go together: lex, box, pareto, or all of these",
                ),
                Setting::value(
                    "bounds",
                    "true",
                    "whether most terms that are made small or large are bounded",
                ),
                Setting::value(
                    "nonlinear",
                    "true",
                    "whether terms may be products of terms, and seeds may have such products",
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
        let priorities = match settings.get("only").unwrap_or("all") {
            "all" => vec!["lex", "lex", "box", "pareto"],
            "lex" => vec!["lex"],
            "box" => vec!["box"],
            "pareto" => vec!["pareto"],
            other => {
                return Err(OpenError::BadSetting {
                    key: "only".to_string(),
                    value: other.to_string(),
                    expected: "lex, box, pareto or all".to_string(),
                });
            }
        };
        Ok(Box::new(ObjectivesSpace {
            mutants: Mutants::open(&language, &seeds, settings)?,
            operators: operators_of(settings)?,
            most: settings
                .read("objectives", "a number from 1 to 6", 3u64)?
                .clamp(1, 6),
            bounds: settings.read("bounds", "true or false", true)?,
            nonlinear: settings.read("nonlinear", "true or false", true)?,
            priorities,
        }))
    }
}

struct ObjectivesSpace {
    mutants: Mutants,
    operators: Operators,
    most: u64,
    bounds: bool,
    nonlinear: bool,
    priorities: Vec<&'static str>,
}

impl Space for ObjectivesSpace {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let mut last = Reject::NotApplicable("no term to make small or large");
        for _ in 0..ATTEMPTS {
            match self.attempt(choices) {
                Err(Reject::NotApplicable(why)) => last = Reject::NotApplicable(why),
                made => return made,
            }
        }
        Err(last)
    }
}

impl ObjectivesSpace {
    fn attempt(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let mutant = self.mutants.sample(choices)?;
        let mut subject = Subject::read(&mutant.programs[0].source().text, &self.operators)?;
        subject.flatten(choices)?;
        let terms = Terms::of(&subject);
        let priority = self.priorities[choices.arm(PRIORITY_ARM, self.priorities.len())?];
        let fewest = match priority {
            "lex" => 1,
            _ => self.most.min(2),
        };
        let mut drawn = Drawn::default();
        for group in 0..choices.between(fewest, self.most)? {
            drawn.objective(&terms, self, group, choices)?;
        }
        let questions = match priority {
            "pareto" => choices.between(1, MOST_POINTS)?,
            _ => 1,
        };
        let text = finished(&subject, priority, &drawn, questions);
        self.check(&text)?;
        let mut steps = mutant.steps;
        steps.push(format!(
            "{priority}: {}",
            drawn.commands.trim().replace('\n', " ")
        ));
        Ok(Case {
            steps,
            seeds: mutant.seeds,
            ..Case::single(
                Program::single("case.smt2", text.into_bytes()),
                Claim::Silent,
            )
        })
    }

    /// What is not well-sorted, or not promised by z3, is no case.
    fn check(&self, text: &str) -> Result<(), Reject> {
        let no = Reject::NotApplicable;
        let script = syntax::parse_str(text).map_err(|_| no("an objective that cannot be read"))?;
        let optimization = Optimization::of(&script, 0, &self.operators).map_err(no)?;
        match optimization.is_linear || self.nonlinear {
            true => Ok(()),
            false => Err(no("not linear")),
        }
    }
}

/// The script with its objectives.
fn finished(subject: &Subject, priority: &str, drawn: &Drawn, questions: u64) -> String {
    let mut text = match priority {
        "lex" => String::new(),
        other => format!("(set-option :opt.priority {other})\n"),
    };
    let script = &subject.script;
    for command in &script.commands {
        match &command.kind {
            CommandKind::CheckSat(_) => {}
            CommandKind::SetLogic(name) => {
                text.push_str(&format!("(set-logic {})\n", wider(script.name(*name))));
            }
            _ => {
                text.push_str(&print::command(script, command));
                text.push('\n');
            }
        }
    }
    text.push_str(&drawn.bounds);
    text.push_str(&drawn.commands);
    for _ in 0..questions {
        text.push_str("(check-sat)\n(get-objectives)\n");
    }
    text
}

/// The terms that objectives are made of, as texts.
#[derive(Default)]
struct Terms {
    ints: Vec<String>,
    reals: Vec<String>,
    bits: Vec<String>,
    truths: Vec<String>,
}

impl Terms {
    fn of(subject: &Subject) -> Terms {
        let Subject { script, typed } = subject;
        let mut terms = Terms::default();
        for (_, root) in subject.asserts() {
            for term in closed_terms(script, typed, root) {
                let Some(sort) = typed.sort(term) else {
                    continue;
                };
                let list = match typed.sorts.kind(sort) {
                    SortKind::Int => &mut terms.ints,
                    SortKind::Real => &mut terms.reals,
                    SortKind::BitVec(_) => &mut terms.bits,
                    SortKind::Bool => &mut terms.truths,
                    _ => continue,
                };
                let text = print::term(script, term);
                let is_value = text.starts_with(|c: char| c.is_ascii_digit() || c == '#')
                    || matches!(text.as_str(), "true" | "false");
                let fits = !is_value && text.len() <= MAX_TERM && list.len() < MOST_TERMS;
                if fits && !list.contains(&text) {
                    list.push(text);
                }
            }
        }
        terms
    }
}

/// Objectives, and the bounds of their terms.
#[derive(Default)]
struct Drawn {
    bounds: String,
    commands: String,
}

impl Drawn {
    fn objective(
        &mut self,
        terms: &Terms,
        space: &ObjectivesSpace,
        group: u64,
        choices: &mut Choices,
    ) -> Result<(), Reject> {
        let bounds = space.bounds;
        let lists = [&terms.ints, &terms.reals, &terms.bits];
        let usable: Vec<usize> = (0..lists.len())
            .filter(|&at| !lists[at].is_empty())
            .collect();
        let soft = !terms.truths.is_empty() && (usable.is_empty() || choices.chance(1, 3)?);
        if soft {
            return self.soft(&terms.truths, group, choices);
        }
        if usable.is_empty() {
            return Err(Reject::NotApplicable("no term to make small or large"));
        }
        let which = *choices.pick(&usable)?;
        let list = lists[which];
        let mut term = choices.pick(list)?.clone();
        let point = if which == 1 { ".0" } else { "" };
        if which < 2 && bounds && choices.chance(3, 4)? {
            self.bound(&term, point, choices)?;
        }
        if which < 2 && choices.chance(1, 3)? {
            let other = choices.pick(list)?.clone();
            let [one, two] = [choices.between(1, 4)?, choices.between(1, 4)?];
            if bounds && other != term && choices.chance(3, 4)? {
                self.bound(&other, point, choices)?;
            }
            let sign = choices.pick(&["+", "-"])?;
            term = format!("({sign} (* {one}{point} {term}) (* {two}{point} {other}))");
        }
        if which < 2 && space.nonlinear && choices.chance(1, 3)? {
            term = self.product(&term, which == 1, terms, bounds, choices)?;
        }
        if !terms.truths.is_empty() && choices.chance(1, 8)? {
            let condition = choices.pick(&terms.truths)?;
            term = format!("(ite {condition} {term} {})", choices.pick(list)?);
        }
        let command = choices.pick(&["minimize", "maximize"])?;
        self.commands.push_str(&format!("({command} {term})\n"));
        Ok(())
    }

    /// The term times one or two others, which may be integers among reals.
    fn product(
        &mut self,
        term: &str,
        is_real: bool,
        terms: &Terms,
        bounds: bool,
        choices: &mut Choices,
    ) -> Result<String, Reject> {
        let mut factors = term.to_string();
        for _ in 0..choices.between(1, 2)? {
            let mixes = is_real && !terms.ints.is_empty() && choices.chance(1, 3)?;
            let (list, point) = match is_real && !mixes {
                true => (&terms.reals, ".0"),
                false => (&terms.ints, ""),
            };
            let other = choices.pick(list)?.clone();
            if bounds && other != term && choices.chance(3, 4)? {
                self.bound(&other, point, choices)?;
            }
            factors = match mixes {
                true => format!("{factors} (to_real {other})"),
                false => format!("{factors} {other}"),
            };
        }
        Ok(format!("(* {factors})"))
    }

    /// The term is not beyond some numbers, which may be left out.
    fn bound(&mut self, term: &str, point: &str, choices: &mut Choices) -> Result<(), Reject> {
        let far = *choices.pick(&[1u64, 3, 7, 20, 100])?;
        let operators = match choices.chance(1, 4)? {
            true => ["<", ">"],
            false => ["<=", ">="],
        };
        let sides = [format!("{far}{point}"), format!("(- {far}{point})")];
        for (operator, side) in operators.iter().zip(sides) {
            if choices.chance(7, 8)? {
                self.bounds
                    .push_str(&format!("(assert ({operator} {term} {side}))\n"));
            }
        }
        Ok(())
    }

    /// Some soft assertions of one group.
    fn soft(&mut self, truths: &[String], group: u64, choices: &mut Choices) -> Result<(), Reject> {
        let named = choices.chance(1, 2)?;
        for _ in 0..choices.between(1, MOST_SOFT)? {
            let term = choices.pick(truths)?;
            let term = match choices.chance(1, 2)? {
                true => format!("(not {term})"),
                false => term.clone(),
            };
            let weight =
                choices.pick(&["", " :weight 2", " :weight 3", " :weight 5", " :weight 0.5"])?;
            let id = match named {
                true => format!(" :id g{group}"),
                false => String::new(),
            };
            self.commands
                .push_str(&format!("(assert-soft {term}{weight}{id})\n"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use lydite_core::SettingFile;

    use super::*;
    use crate::SmtLib;

    const SEEDS: [&str; 3] = [
        "(set-logic QF_IDL)(declare-const x Int)(declare-const y Int)(declare-const p Bool)\
         (assert (or p (> (- x y) 3)))(assert (=> p (< x 7)))(check-sat)",
        "(set-logic QF_BV)(declare-const a (_ BitVec 4))(declare-const b (_ BitVec 4))\
         (assert (bvult a (bvadd a b)))(check-sat)",
        "(set-logic QF_LRA)(declare-const u Real)(declare-const v Real)\
         (assert (< (+ u v) 2.5))(assert (or (= u 0.0) (> v u)))(check-sat)",
    ];

    fn open(only: &str) -> Result<Box<dyn Space>, OpenError> {
        let given = [("only".to_string(), only.to_string())];
        let settings = Settings::checked(&ObjectivesStrategy, given.into()).unwrap();
        let seed = |text: &str| Seed {
            name: "seed.smt2".to_string(),
            text: text.as_bytes().into(),
            claim: None,
        };
        let seeds: Vec<Seed> = SEEDS.into_iter().map(seed).collect();
        ObjectivesStrategy.open(Arc::new(SmtLib), seeds.into(), &settings)
    }

    #[test]
    fn every_case_has_objectives_that_can_be_judged_and_solvers_without_them_get_none() {
        let space = open("all").unwrap();
        let (mut made, mut soft, mut fronts, mut products) = (0, 0, 0, 0);
        for index in 0..150 {
            let mut choices = Choices::seeded(2, index);
            let Ok(case) = space.sample(&mut choices) else {
                continue;
            };
            made += 1;
            let text = String::from_utf8(case.programs[0].source().text.to_vec()).unwrap();
            assert_eq!(SmtLib.check(&case.programs[0]), Ok(()), "{text}");
            let script = syntax::parse_str(&text).unwrap();
            assert!(
                Optimization::of(&script, 0, Operators::built_in()).is_ok(),
                "{text}"
            );
            let judged = Optimization::of(&script, 0, Operators::built_in());
            products += u32::from(judged.is_ok_and(|judged| !judged.is_linear));
            soft += u32::from(text.contains("assert-soft"));
            fronts += u32::from(text.contains("pareto"));
            let plain = SmtLib.in_dialect(&case.programs[0], "standard");
            let plain = String::from_utf8(plain.source().text.to_vec()).unwrap();
            for word in ["minimize", "maximize", "soft", "objectives", "opt."] {
                assert!(!plain.contains(word), "{plain}");
            }
            assert_eq!(plain.matches("(check-sat)").count(), 1, "{plain}");
            let again = space.sample(&mut Choices::replay(choices.into_tape()));
            assert_eq!(again, Ok(case));
        }
        assert!(
            made > 100 && soft > 20 && fronts > 10 && products > 15,
            "{made} {soft} {fronts} {products}"
        );
    }

    #[test]
    fn a_theory_of_a_file_has_objectives_too() {
        let file = SettingFile {
            name: "colours.txt".to_string(),
            text: "theory colours\nsort (Shade A)\ndark : (Shade A) -> Bool\n".into(),
        };
        let settings = Settings::checked(&ObjectivesStrategy, BTreeMap::new()).expect("defaults");
        let settings = settings.with_files(BTreeMap::from([("operators".to_string(), file)]));
        let seed = Seed {
            name: "seed.smt2".to_string(),
            text: b"(declare-const a (Shade Int))(declare-const n Int)\
                (assert (dark a))(assert (< n 3))(check-sat)"[..]
                .into(),
            claim: None,
        };
        let space = ObjectivesStrategy.open(Arc::new(SmtLib), [seed].into(), &settings);
        let space = space.expect("it opens");
        let made = (0..20).filter(|at| space.sample(&mut Choices::seeded(1, *at)).is_ok());
        assert!(made.count() > 10);
    }

    #[test]
    fn one_way_to_combine_objectives_can_be_asked_for() {
        let space = open("box").unwrap();
        let case = (0..9).find_map(|at| space.sample(&mut Choices::seeded(1, at)).ok());
        let text = case.unwrap().programs[0].source().text.to_vec();
        assert!(
            String::from_utf8(text)
                .unwrap()
                .contains("(set-option :opt.priority box)")
        );
        assert!(
            open("best")
                .err()
                .unwrap()
                .to_string()
                .contains("lex, box, pareto")
        );
    }
}
