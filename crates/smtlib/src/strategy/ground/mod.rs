//! Strategy `ground`: random closed terms with the values that our evaluator
//! gives them.
//!
//! A case denies that the terms have these values; it is unsat if and only if
//! the evaluator is right. So a hunt with this strategy tests solvers and
//! evaluator against each other, and every disagreement is a bug of one of
//! them (or a term that the standard leaves open, which the evaluator must
//! refuse).

mod literal;

use std::collections::BTreeMap;
use std::sync::Arc;

use lydite_core::nearest::nearest;
use lydite_core::{
    Answer, Case, Choices, Claim, Language, OpenError, Program, Reject, Seed, SeedNeed, Setting,
    Settings, Space, Strategy, Verdict,
};

use crate::eval::{Budget, Completion, Context, evaluate, question};
use crate::syntax::{parse, parse_term};
use literal::{leaf, written};

/// See the module's documentation.
pub struct Ground;

impl Strategy for Ground {
    fn name(&self) -> &'static str {
        "ground"
    }

    fn about(&self) -> &'static str {
        "random closed terms with the values that lydite's evaluator computes for them"
    }

    fn language(&self) -> Option<&'static str> {
        Some("smtlib")
    }

    fn seeds(&self) -> SeedNeed {
        SeedNeed::None
    }

    fn settings(&self) -> &'static [Setting] {
        const {
            &[
                Setting::value(
                    "theory",
                    "all",
                    "of which theory terms are: core, ints, reals, bitvectors, floats, strings, arrays, sequences, datatypes, sets or all",
                ),
                Setting::value("terms", "50", "how many terms a case has"),
                Setting::value("depth", "4", "how deep terms are nested at most"),
            ]
        }
    }

    fn open(
        &self,
        _language: Arc<dyn Language>,
        _seeds: Arc<[Seed]>,
        settings: &Settings,
    ) -> Result<Box<dyn Space>, OpenError> {
        let all = theories();
        let wanted = settings.get("theory").unwrap_or("all");
        let theories: Vec<Theory> = match wanted {
            "all" => all.into_values().collect(),
            name => vec![all.get(name).cloned().ok_or_else(|| {
                let near = nearest(name, all.keys().copied());
                let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                let names: Vec<&str> = all.keys().copied().collect();
                OpenError::BadSetting {
                    key: "theory".to_string(),
                    value: name.to_string(),
                    expected: format!("all or one of {}{near}", names.join(", ")),
                }
            })?],
        };
        Ok(Box::new(GroundSpace {
            theories,
            terms: settings.read("terms", "a number", 50)?,
            depth: settings.read("depth", "a number", 4u32)?.clamp(1, 32),
        }))
    }
}

struct GroundSpace {
    theories: Vec<Theory>,
    terms: usize,
    depth: u32,
}

/// Sorts of closed terms, and (result sort, term with sorts as holes).
#[derive(Clone, Debug, Default)]
struct Theory {
    prelude: String,
    sorts: Vec<&'static str>,
    productions: Vec<(&'static str, &'static str)>,
}

/// Reads the table that is built in.
fn theories() -> BTreeMap<&'static str, Theory> {
    let mut theories: BTreeMap<&'static str, Theory> = BTreeMap::new();
    let mut name = "";
    for line in include_str!("productions.txt").lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(head) = line.strip_prefix("theory ") {
            let (new, sorts) = head.split_once(": ").expect("a theory has sorts");
            name = new;
            theories.entry(name).or_default().sorts = sorts.split(' ').collect();
        } else if let Some(command) = line.strip_prefix("prelude ") {
            theories.entry(name).or_default().prelude += &format!("{command}\n");
        } else if let Some(other) = line.strip_prefix("use ") {
            let taken = theories[other].productions.clone();
            theories.entry(name).or_default().productions.extend(taken);
        } else {
            let production = line
                .split_once(' ')
                .expect("a production has a result sort");
            theories
                .entry(name)
                .or_default()
                .productions
                .push(production);
        }
    }
    theories
}

impl Space for GroundSpace {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let theory = choices.pick(&self.theories)?;
        let mut equations = Vec::new();
        // Terms that the standard leaves open are passed over; where nearly
        // all are, the case is given up.
        for _ in 0..4 * self.terms {
            if equations.len() == self.terms {
                break;
            }
            let sort = *choices.pick(&theory.sorts)?;
            let depth = choices.between(1, u64::from(self.depth))? as u32;
            let text = theory.term(choices, sort, depth)?;
            if let Some(value) = value_of(&theory.prelude, &text, sort) {
                equations.push(format!("(= {text} {value})"));
            }
        }
        if equations.is_empty() {
            return Err(Reject::NotApplicable("every term was left open"));
        }
        let text = format!(
            "(set-logic ALL)\n{}(assert (not (and true\n{}\n)))\n(check-sat)\n",
            theory.prelude,
            equations.join("\n")
        );
        let claim = Claim::Answers(Answer::Verdicts(vec![Verdict::Unsat]));
        Ok(Case::single(
            Program::single("case.smt2", text.into_bytes()),
            claim,
        ))
    }
}

/// The value of a closed term, written as a term of its sort; none if the
/// standard leaves it open or it is too large to compute.
fn value_of(prelude: &str, text: &str, sort: &str) -> Option<String> {
    let mut script = parse(format!("{prelude}(check-sat)").as_bytes()).ok()?;
    let asked = question(&script, 0)?;
    let term = parse_term(&mut script, text).ok()?;
    let context = Context::new(&script, &asked);
    let value = evaluate(&script, &context, term, Completion::None, Budget::default()).ok()?;
    Some(written(&value, sort))
}

/// The names that stand for sorts in productions.
const SORTS: &[&str] = &[
    "Bool", "Int", "Real", "B1", "B4", "B7", "B8", "B70", "F", "G", "H", "RM", "String", "RegLan",
    "A", "P", "Q", "S", "L", "T",
];

impl Theory {
    /// A random term of a sort. Its depth is bounded by the setting's bound.
    fn term(&self, choices: &mut Choices, sort: &str, depth: u32) -> Result<String, Reject> {
        let fits =
            |(result, template): &(&str, &'static str)| (*result == sort).then_some(*template);
        let mine: Vec<&str> = self.productions.iter().filter_map(fits).collect();
        if depth == 0 || mine.is_empty() || choices.chance(1, 6)? {
            return leaf(choices, sort);
        }
        let template = *choices.pick(&mine)?;
        let mut text = String::new();
        for (i, word) in template.split(' ').enumerate() {
            let bare = word.trim_matches(['(', ')']);
            if i > 0 {
                text.push(' ');
            }
            if i > 0 && SORTS.contains(&bare) {
                let argument = self.term(choices, bare, depth - 1)?;
                text.push_str(&word.replace(bare, &argument));
            } else {
                text.push_str(word);
            }
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SmtLib;

    fn open(theory: &str) -> Result<Box<dyn Space>, OpenError> {
        let given = [("theory", theory), ("terms", "20")];
        let given = given.map(|(key, value)| (key.to_string(), value.to_string()));
        let settings = Settings::checked(&Ground, given.into_iter().collect())?;
        Ground.open(Arc::new(SmtLib), Arc::new([]), &settings)
    }

    #[test]
    fn every_theory_makes_well_sorted_scripts() {
        for name in theories().into_keys() {
            let space = open(name).unwrap();
            for index in 0..20 {
                let case = space.sample(&mut Choices::seeded(1, index)).unwrap();
                let check = SmtLib.check(&case.programs[0]);
                let text = String::from_utf8_lossy(&case.programs[0].source().text).into_owned();
                assert_eq!(check, Ok(()), "{name}: {text}");
                assert_eq!(text.matches("\n(= ").count(), 20, "{name}: {text}");
            }
        }
    }

    #[test]
    fn a_tape_remakes_the_case() {
        let space = open("all").unwrap();
        let mut choices = Choices::seeded(5, 5);
        let case = space.sample(&mut choices).unwrap();
        let again = space
            .sample(&mut Choices::replay(choices.into_tape()))
            .unwrap();
        assert_eq!(case, again);
    }

    #[test]
    fn an_unknown_theory_is_refused_with_the_nearest() {
        let error = open("bitvector").err().unwrap().to_string();
        assert!(error.contains("did you mean `bitvectors`?"), "{error}");
    }
}
