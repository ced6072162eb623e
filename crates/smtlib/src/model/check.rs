//! Whether a printed model satisfies the assertions of a question.

use std::borrow::Cow;

use lydite_core::TargetName;

use super::ask::asked_values;
use super::left_out::learn_constants;
use super::universes::universes;
use super::values::{learn_values, values_of};
use crate::eval::roots::rewrite_algebraic;
use crate::eval::{
    Budget, CannotSay, Completion, Context, Question, evaluate, evaluate_all, question,
};
use crate::syntax::{CommandKind, Literal, Script, Term, TermId, parse_commands, parse_term};
use crate::value::Value;
use crate::value::text::Escapes;

/// The verdict on a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// Every assertion is true, under the model as printed or completed in
    /// one way where it is silent.
    Valid,
    /// The model leaves constants or functions out: with some values for them
    /// every assertion is true, with others one is false. A witness all the
    /// same, but not what z3 means, which leaves out what any value does for.
    Partial,
    /// This assertion is false, whatever the silent parts are.
    Invalid(TermId),
    /// Neither could be shown.
    CannotSay(CannotSay),
}

/// The most steps for a script of no size, and how many more each term of a
/// script is worth.
const SMALL_STEPS: u64 = 4_000_000;
const STEPS_PER_TERM: u64 = 64;

/// How the author of the model reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Its escapes in strings.
    pub escapes: Escapes,
    /// It prints irrational numbers as decimals of six digits, so that such a
    /// decimal may not be what it means.
    pub rounds: bool,
    /// What may be spent.
    pub budget: Budget,
}

impl Reading {
    /// How a target reads: solvers from before the standard theory of
    /// strings have other escapes.
    pub fn of(target: &TargetName) -> Reading {
        let version = target.version.as_deref().unwrap_or("");
        let old = match target.family.as_str() {
            "cvc4" => true,
            // 4.8.10 still takes "\x00" for one character, 4.8.11 for four.
            "z3" => older_than(version, &[4, 8, 11]),
            _ => false,
        };
        Reading {
            escapes: if old { Escapes::Old } else { Escapes::Standard },
            rounds: target.family == "yices",
            budget: Budget::default(),
        }
    }
}

/// Compares dotted numbers; a version without numbers is the newest.
fn older_than(version: &str, bound: &[u32]) -> bool {
    let numbers = version.split('.').map_while(|part| part.parse().ok());
    let numbers: Vec<u32> = numbers.collect();
    !numbers.is_empty() && numbers[..] < *bound
}

/// What a solver printed behind a `sat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Printed<'a> {
    /// The text between the parentheses of a model.
    pub model: &'a str,
    /// The values of the terms that were asked for directly behind it.
    pub values: Option<&'a str>,
}

impl<'a> From<&'a str> for Printed<'a> {
    /// A model alone.
    fn from(model: &'a str) -> Printed<'a> {
        Printed {
            model,
            values: None,
        }
    }
}

/// Checks a model against question `index` of a script.
pub fn check<'a>(
    script: &Script,
    index: usize,
    printed: impl Into<Printed<'a>>,
    reading: Reading,
) -> Check {
    let printed = printed.into();
    let read = match Read::new(script, index, printed, reading) {
        Ok(read) => read,
        Err(why) => return Check::CannotSay(why),
    };
    let Read {
        mut script,
        mut context,
        asked,
        budget,
    } = read;
    let terms = asked_values(&script, asked.command).to_vec();
    let said = values_of(&terms, printed.values.unwrap_or_default());
    learn_constants(&mut script, &mut context, &said);
    let checked = judge(&script, &context, &asked, budget);
    let Check::CannotSay(CannotSay::Underspecified(_)) = &checked else {
        return checked;
    };
    // What the author says of open terms is a part of its model, but no ground
    // for an accusation: that a value is not what it computed with is possible.
    learn_values(&mut script, &mut context, &said, budget);
    match judge(&script, &context, &asked, budget) {
        other @ (Check::Valid | Check::Partial | Check::CannotSay(_)) => other,
        Check::Invalid(_) => Check::CannotSay(CannotSay::Unsupported(
            "values of open terms under which an assertion is false".to_string(),
        )),
    }
}

/// What terms are worth under a model, if it says so. The terms are read at question
/// `index` of the script.
pub(crate) fn values_under<'a>(
    script: &Script,
    index: usize,
    printed: impl Into<Printed<'a>>,
    reading: Reading,
    terms: &[&str],
) -> Option<Vec<Value>> {
    let mut read = Read::new(script, index, printed.into(), reading).ok()?;
    let mut values = Vec::with_capacity(terms.len());
    for text in terms {
        let term = parse_term(&mut read.script, text).ok()?;
        let value = evaluate(
            &read.script,
            &read.context,
            term,
            Completion::None,
            read.budget,
        );
        values.push(value.ok()?);
    }
    Some(values)
}

/// A question and a model of it, read.
struct Read {
    script: Script,
    context: Context,
    asked: Question,
    budget: Budget,
}

impl Read {
    fn new(
        script: &Script,
        index: usize,
        printed: Printed<'_>,
        reading: Reading,
    ) -> Result<Read, CannotSay> {
        let unsupported = |why: &str| CannotSay::Unsupported(why.to_string());
        let asked = question(script, index).ok_or_else(|| unsupported("no such question"))?;
        if reading.escapes == Escapes::Old && has_escapes(script) {
            // The solver read other strings than we do.
            return Err(unsupported("escapes of another dialect"));
        }
        let given = script.term_count();
        let mut script = script.clone();
        let commands = parse_commands(&mut script, &readable(printed.model));
        let commands = commands.map_err(|error| unsupported(&format!("model: {error}")))?;
        if reading.rounds && has_rounded(&script, given) {
            return Err(unsupported("a rounded number"));
        }
        let mut context = Context::new(&script, &asked);
        if !context.is_clear(&script) {
            return Err(unsupported("a name that means two functions at once"));
        }
        context.escapes = reading.escapes;
        context.interpret(&script, &commands);
        for (sort, elements) in universes(printed.model) {
            context.set_universe(&sort, &elements);
        }
        // A small script that takes long takes for ever: it lists large domains.
        let enough = SMALL_STEPS + STEPS_PER_TERM * given as u64;
        let budget = Budget {
            steps: reading.budget.steps.min(enough),
        };
        Ok(Read {
            script,
            context,
            asked,
            budget,
        })
    }
}

/// A model as we can read it: where z3's newer core has no value it writes `#unspecified`,
/// which becomes a name without a meaning, so that what depends on it is unknown.
fn readable(model: &str) -> Cow<'_, str> {
    const NO_VALUE: &str = "#unspecified";
    let model = rewrite_algebraic(model);
    // What stands in a string stays.
    match model.contains(NO_VALUE) && !model.contains('"') {
        true => Cow::Owned(model.replace(NO_VALUE, "|#unspecified|")),
        false => model,
    }
}

/// A model is good if some completion makes all true; it is bad if without
/// any completion one assertion is false.
fn judge(script: &Script, context: &Context, asked: &Question, budget: Budget) -> Check {
    let strict = evaluate_all(script, context, &asked.assertions, Completion::None, budget);
    let is_false = |outcome: &&Result<Value, CannotSay>| **outcome == Ok(Value::Bool(false));
    if let Some(at) = strict.iter().position(|outcome| is_false(&outcome)) {
        return Check::Invalid(asked.assertions[at]);
    }
    let unknown = strict.iter().find_map(|outcome| match outcome {
        Ok(Value::Bool(true)) => None,
        Ok(_) => Some(CannotSay::IllTyped("an assertion".to_string())),
        Err(why) => Some(why.clone()),
    });
    let unknown = unknown.or_else(|| is_schematic(script, asked).then(schematic));
    let Some(why) = unknown else {
        return Check::Valid;
    };
    // Where the steps ran out, they would again.
    if why == CannotSay::OutOfSteps || is_schematic(script, asked) {
        return Check::CannotSay(why);
    }
    let left_out = matches!(why, CannotSay::NoInterpretation(_));
    let completed = [Completion::Zero, Completion::Ones].map(|completion| {
        let outcomes = evaluate_all(script, context, &asked.assertions, completion, budget);
        let all = |value| {
            let is = |outcome: &Result<Value, CannotSay>| *outcome == Ok(Value::Bool(value));
            outcomes.iter().filter(|outcome| is(outcome)).count()
        };
        (all(true) == outcomes.len(), all(false) > 0)
    });
    match completed {
        [(true, _), (_, true)] | [(_, true), (true, _)] if left_out => Check::Partial,
        [(true, _), _] | [_, (true, _)] => Check::Valid,
        _ => Check::CannotSay(why),
    }
}

/// True if something is asserted for every sort: that is not evaluated.
fn is_schematic(script: &Script, asked: &Question) -> bool {
    let of = |at: &usize| match &script.commands[*at].kind {
        CommandKind::Parametric(_, inner) => matches!(**inner, CommandKind::Assert(_)),
        _ => false,
    };
    asked.declarations.iter().any(of)
}

fn schematic() -> CannotSay {
    CannotSay::Unsupported("an assertion for every sort".to_string())
}

pub(super) fn has_escapes(script: &Script) -> bool {
    let escaped = |term: TermId| match script.term(term) {
        Term::Literal(Literal::String, text) => text.contains('\\'),
        _ => false,
    };
    script.terms().any(escaped)
}

/// True if a term of the model, which follow those that were given, is a
/// decimal of six digits behind the point.
fn has_rounded(script: &Script, given: usize) -> bool {
    let rounded = |term: TermId| match script.term(term) {
        Term::Literal(Literal::Decimal, text) => text
            .split_once('.')
            .is_some_and(|(_, digits)| digits.len() >= 6),
        _ => false,
    };
    script.terms().skip(given).any(rounded)
}
