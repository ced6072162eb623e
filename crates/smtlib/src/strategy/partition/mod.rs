//! Strategy `partition`: a script, and the same with cases told apart (after Canary,
//! SAS 2025).
//!
//! The cases of one row of `covers.txt` leave nothing out, whatever the terms are
//! that stand for x and y. So every model of the script is a model of the script with
//! one of the cases asserted as well, and the other way round: the script is
//! satisfiable if and only if one of its parts is ([`Claim::Partition`]). That needs no
//! second solver, and holds in every theory.
//!
//! The terms are some that the script has itself, without variables, so that they mean
//! the same in an assertion of their own. Two rows may be combined: then each case of
//! one goes with each of the other.

mod covers;

use std::sync::Arc;

use lydite_core::{
    Case, Choices, Claim, Language, Obligation, OpenError, Program, Reject, Seed, SeedNeed,
    Setting, Settings, Space, Strategy,
};

use super::mutants::{DEFAULT_ROUNDS, Mutants};
use super::witness::Subject;
use crate::edits::Edits;
use crate::mutate::closed::closed_terms;
use crate::mutate::originals::{MAX_SEED_SETTING, OPERATORS_SETTING, operators_of};
use crate::mutate::repertoire::SPEAKERS;
use crate::operators::Operators;
use crate::print;
use crate::scan::{self, wider};
use crate::sort::{Sort, SortKind};
use crate::syntax::{self, CommandKind, Script};
use crate::typing::{self, Typed};
use covers::{Cover, covers};

/// See the module's documentation.
pub struct PartitionStrategy;

/// The most parts of a case.
const MOST_PARTS: usize = 6;

/// Larger terms are not told apart, and no more than so many of one script.
const MAX_TERM: usize = 400;
const MOST_TERMS: usize = 200;

/// What the steps of a case begin with; the restriction follows.
const RESTRICT: &str = "restrict to ";

impl Strategy for PartitionStrategy {
    fn name(&self) -> &'static str {
        "partition"
    }

    fn about(&self) -> &'static str {
        "a script, and its parts, which cover all values: the script is sat if and only if a part is"
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
                    "covers",
                    "2",
                    "how many rows of covers.txt are combined at most: 1 or 2",
                ),
                SPEAKERS,
                OPERATORS_SETTING,
                MAX_SEED_SETTING,
            ]
        }
    }

    fn obligations(&self, _settings: &Settings) -> Result<Vec<Obligation>, OpenError> {
        Ok(covers().iter().map(Cover::obligation).collect())
    }

    fn open(
        &self,
        language: Arc<dyn Language>,
        seeds: Arc<[Seed]>,
        settings: &Settings,
    ) -> Result<Box<dyn Space>, OpenError> {
        Ok(Box::new(PartitionSpace {
            mutants: Mutants::open(&language, &seeds, settings)?,
            operators: operators_of(settings)?,
            covers: covers(),
            combined: settings.read("covers", "1 or 2", 2u64)?.clamp(1, 2),
        }))
    }
}

struct PartitionSpace {
    mutants: Mutants,
    operators: Operators,
    covers: Vec<Cover>,
    combined: u64,
}

impl Space for PartitionSpace {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let mutant = self.mutants.sample(choices)?;
        let mut subject = Subject::read(&mutant.programs[0].source().text, &self.operators)?;
        subject.flatten(choices)?;
        let (mut cases, mut wide) = self.drawn(&subject, choices)?;
        if self.combined > 1 && cases.len() <= MOST_PARTS / 2 && choices.chance(1, 3)? {
            let (others, other_wide) = self.drawn(&subject, choices)?;
            if cases.len() * others.len() <= MOST_PARTS {
                let both = |one: &String| {
                    let with = |other: &String| format!("(and {one} {other})");
                    others.iter().map(with).collect::<Vec<String>>()
                };
                cases = cases.iter().flat_map(both).collect();
                wide |= other_wide;
            }
        }
        let whole = whole(subject.script, wide);
        let Some(programs) = parts(&whole, &cases, &self.operators) else {
            return Err(Reject::NotApplicable("a case that the script cannot take"));
        };
        Ok(Case {
            programs,
            claim: Claim::Partition,
            steps: cases
                .iter()
                .map(|case| format!("{RESTRICT}{case}"))
                .collect(),
            seeds: mutant.seeds,
        })
    }
}

impl PartitionSpace {
    /// The cases of a row that fits the terms of the script, and whether they
    /// need more than its logic.
    fn drawn(
        &self,
        subject: &Subject,
        choices: &mut Choices,
    ) -> Result<(Vec<String>, bool), Reject> {
        let Subject { script, typed } = subject;
        let mut terms: Vec<(Sort, String)> = Vec::new();
        for (_, root) in subject.asserts() {
            for term in closed_terms(script, typed, root) {
                let Some(sort) = typed.sort(term) else {
                    continue;
                };
                let text = print::term(script, term);
                if text.len() <= MAX_TERM && terms.len() < MOST_TERMS {
                    let new = (sort, text);
                    if !terms.contains(&new) {
                        terms.push(new);
                    }
                }
            }
        }
        let fits = |cover: &Cover, sort: Sort| cover.takes(kind_name(typed, sort));
        let usable = |(sort, _): &&(Sort, String)| {
            is_plain(typed, *sort) && self.covers.iter().any(|cover| fits(cover, *sort))
        };
        let usable: Vec<&(Sort, String)> = terms.iter().filter(usable).collect();
        if usable.is_empty() {
            return Err(Reject::NotApplicable(
                "the script has no term to tell apart",
            ));
        }
        let (sort, x) = *choices.pick(&usable)?;
        let same = |(other, text): &&(Sort, String)| other == sort && text != x;
        let others: Vec<&(Sort, String)> = terms.iter().filter(same).collect();
        let covers: Vec<&Cover> = self
            .covers
            .iter()
            .filter(|cover| fits(cover, *sort) && (!cover.has_second || !others.is_empty()))
            .collect();
        if covers.is_empty() {
            return Err(Reject::NotApplicable(
                "the script has no term to tell apart",
            ));
        }
        let cover = *choices.pick(&covers)?;
        let y = match cover.has_second {
            true => choices.pick(&others)?.1.as_str(),
            false => "",
        };
        let written = typed.sorts.written(*sort, &|id| {
            print::quoted(script.name(typed.declaration(id).symbol))
        });
        let written = written.ok_or(Reject::NotApplicable("a sort that cannot be written"))?;
        Ok((cover.cases(x, y, &written), cover.wide))
    }
}

/// Sorts whose values can be compared.
fn is_plain(typed: &Typed, sort: Sort) -> bool {
    let function = matches!(
        typed.sorts.kind(sort),
        SortKind::Function(_) | SortKind::RegLan | SortKind::WideArray(_)
    );
    !typed.sorts.is_open(sort) && !function
}

/// The sort as the rows call it.
fn kind_name(typed: &Typed, sort: Sort) -> &'static str {
    match typed.sorts.kind(sort) {
        SortKind::Bool => "Bool",
        SortKind::Int => "Int",
        SortKind::Real => "Real",
        SortKind::BitVec(_) => "BV",
        SortKind::Float(_) => "FP",
        SortKind::RoundingMode => "RM",
        SortKind::String => "String",
        SortKind::Seq(_) => "Seq",
        SortKind::Set(_) => "Set",
        _ => "",
    }
}

/// The script in a logic that has comparisons, or all there is.
fn whole(mut script: Script, wide: bool) -> String {
    for at in 0..script.commands.len() {
        if let CommandKind::SetLogic(name) = script.commands[at].kind {
            let wider = match wide {
                true => "ALL".to_string(),
                false => wider(script.name(name)),
            };
            let name = script.intern(&wider);
            script.commands[at].kind = CommandKind::SetLogic(name);
        }
    }
    print::script(&script)
}

/// The whole and its parts; none if one of them is not well-formed.
fn parts(whole: &str, cases: &[String], operators: &Operators) -> Option<Vec<Program>> {
    let mut programs = vec![Program::single("case.smt2", whole.as_bytes())];
    for case in cases {
        let text = restricted(whole, case)?;
        let script = syntax::parse_str(&text).ok()?;
        let options = typing::Options {
            strict: false,
            operators,
        };
        typing::check(&script, &options).ok()?;
        programs.push(Program::single("case.smt2", text.into_bytes()));
    }
    Some(programs)
}

/// The script with one more assertion before its question.
fn restricted(whole: &str, case: &str) -> Option<String> {
    let at = scan::first_question(whole.as_bytes())?;
    let (before, after) = whole.split_at(at);
    Some(format!("{before}(assert {case})\n{after}"))
}

/// What a step of this strategy makes of a script; none if it is not one.
pub(crate) fn successor(program: &Program, step: &str, operators: &Operators) -> Option<Program> {
    let case = step.strip_prefix(RESTRICT)?;
    let text = std::str::from_utf8(&program.source().text).ok()?;
    let all = parts(text, &[case.to_string()], operators)?;
    all.into_iter().nth(1)
}

/// Smaller forms of a script and its parts: the script is edited, the cases stay as
/// they are. They are told apart by what the parts assert beyond the whole.
pub(crate) fn edits<'a>(
    programs: &'a [Program],
    operators: &'a Operators,
) -> Box<dyn Iterator<Item = (String, Vec<Program>)> + 'a> {
    let Some((whole, cases)) = cases_of(programs) else {
        return Box::new(std::iter::empty());
    };
    Box::new(Edits::new(whole, operators).filter_map(move |edit| {
        let text = std::str::from_utf8(&edit.program.source().text).ok()?;
        let programs = parts(text, &cases, operators)?;
        Some((edit.what, programs))
    }))
}

/// The whole, and what each part asserts behind all that the whole does.
fn cases_of(programs: &[Program]) -> Option<(&Program, Vec<String>)> {
    let asserted = |program: &Program| {
        let script = syntax::parse(&program.source().text).ok()?;
        let mut texts = Vec::new();
        for command in &script.commands {
            match command.kind {
                CommandKind::Assert(term) => texts.push(print::term(&script, term)),
                CommandKind::CheckSat(_) => break,
                _ => {}
            }
        }
        Some(texts)
    };
    let (whole, parts) = programs.split_first()?;
    let common = asserted(whole)?;
    let case = |part: &Program| {
        let mut texts = asserted(part)?;
        let last = texts.pop()?;
        (texts == common).then_some(last)
    };
    let cases: Option<Vec<String>> = parts.iter().map(case).collect();
    Some((whole, cases?))
}

#[cfg(test)]
mod tests;
