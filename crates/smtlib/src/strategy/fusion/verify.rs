//! Blocks are verified before they are used: by our evaluator on many values,
//! and as proof obligations that a solver can discharge.

use lydite_core::{Choices, Obligation};

use super::instance::{Filling, Template};
use super::letters::{Letters, letters_of};
use super::table::{self, Block, Name, VARIABLES};
use super::values::value;
use crate::eval::{Budget, Completion, Context, evaluate, question};
use crate::operators::{Operators, TableError};
use crate::strategy::to_refute;
use crate::syntax::{self, Script, TermId, parse_commands, parse_term};
use crate::typing;
use crate::value::{CannotSay, Value};

/// The random stream of values that blocks are tried on.
const STREAM: u64 = 0x6675_7369_6f6e;
/// How many values each instance of a block is tried on.
const TRIALS: u64 = 150;
/// Sorts that stand for any sort, and numbers for any number.
const SORTS: [&str; 4] = ["Int", "Bool", "(_ BitVec 3)", "String"];
const NUMBERS: [&[u64]; 6] = [&[8, 5], &[1, 2], &[2, 3], &[3, 4], &[5, 11], &[64, 13]];

/// Declares the sorts that are letters.
pub(super) fn declarations(block: &Block) -> String {
    let (sorts, _) = letters_of(block);
    let declare = |sort: &String| format!("(declare-sort {sort} 0)\n");
    sorts.iter().map(declare).collect()
}

/// A block with sorts and numbers for its letters, to be tried on values.
pub(super) struct Trial<'a> {
    block: &'a Block,
    script: Script,
    context: Context,
    /// x and y with what is to recover them.
    recovered: Vec<(usize, TermId)>,
    conditions: Vec<TermId>,
    z: TermId,
}

impl<'a> Trial<'a> {
    /// `Err` says why the block is not well-sorted.
    pub(super) fn new(block: &'a Block, operators: &Operators) -> Result<Trial<'a>, String> {
        let mut text = declarations(block);
        let declare = |name: &str, sort: &str| format!("(declare-fun {name} () {sort})\n");
        let define =
            |name: &str, sort: &str, t: &str| format!("(define-fun {name} () {sort} {t})\n");
        for (variable, sort) in VARIABLES.iter().zip(&block.sorts).take(2) {
            text += &declare(variable, sort);
        }
        for name in block.fresh.iter().chain(&block.constants) {
            text += &match &name.value {
                None => declare(&name.name, &name.sort),
                Some(term) => define(&name.name, &name.sort, term),
            };
        }
        text += &define("z", &block.sorts[2], &block.fusion);
        let asserted = |term: &str| format!("(assert {term})\n");
        for (variable, inversion) in VARIABLES.iter().zip(&block.inversions) {
            if let Some(inversion) = inversion {
                text += &asserted(&format!("(= {variable} {inversion})"));
            }
        }
        let conditions = block.conditions.iter().chain(&block.constant_conditions);
        text.extend(conditions.map(|condition| asserted(condition)));
        text += "(check-sat)\n";
        let mut script = syntax::parse_str(&text).map_err(|error| error.problem.to_string())?;
        let options = typing::Options {
            strict: false,
            operators,
        };
        if let Err(errors) = typing::check(&script, &options) {
            let first = errors.first().map(|error| error.problem.to_string());
            return Err(first.unwrap_or_default());
        }
        let asked = question(&script, 0).ok_or("the block asks nothing")?;
        let context = Context::new(&script, &asked);
        let mut term =
            |text: &str| parse_term(&mut script, text).map_err(|error| error.problem.to_string());
        let mut recovered = Vec::new();
        for (at, inversion) in block.inversions.iter().enumerate() {
            if let Some(inversion) = inversion {
                recovered.push((at, term(inversion)?));
            }
        }
        Ok(Trial {
            block,
            recovered,
            conditions: block
                .conditions
                .iter()
                .map(|condition| term(condition))
                .collect::<Result<_, _>>()?,
            z: term("z")?,
            script,
            context,
        })
    }

    /// Tries the block on values; `Err` is a counterexample in words.
    pub(super) fn run(&mut self, trials: u64, pool: &[Vec<String>]) -> Result<(), String> {
        for trial in 0..trials {
            let mut choices = Choices::seeded(STREAM, trial);
            let names = VARIABLES.iter().zip(&self.block.sorts).take(2);
            let names = names.map(|(name, sort)| (*name, sort.as_str()));
            let fresh = self.block.fresh.iter();
            let fresh = fresh.map(|name| (name.name.as_str(), name.sort.as_str()));
            let mut given: Vec<(&str, &str, String)> = Vec::new();
            for (name, sort) in names.chain(fresh) {
                match value(sort, &mut choices) {
                    Ok(Some(value)) => given.push((name, sort, value)),
                    // A sort whose values cannot be written.
                    _ => return Ok(()),
                }
            }
            if !pool.is_empty() {
                let chosen = &pool[trial as usize % pool.len()];
                for (name, value) in self.block.constants.iter().zip(chosen) {
                    if name.value.is_none() {
                        given.push((&name.name, &name.sort, value.clone()));
                    }
                }
            }
            self.one(&given)?;
        }
        Ok(())
    }

    fn one(&mut self, given: &[(&str, &str, String)]) -> Result<(), String> {
        let context = interpreted(&mut self.script, &self.context, given)?;
        let holds =
            |&term: &TermId| evaluated(&self.script, &context, term) == Ok(Value::Bool(true));
        if !self.conditions.iter().all(holds) {
            return Ok(());
        }
        let mut with: Vec<String> = given
            .iter()
            .map(|(name, _, value)| format!("{name} = {value}"))
            .collect();
        let z = match evaluated(&self.script, &context, self.z) {
            Ok(z) => z,
            Err(CannotSay::TooLarge(_) | CannotSay::OutOfSteps) => return Ok(()),
            Err(why) => return Err(format!("with {}, z cannot be said: {why}", with.join(", "))),
        };
        with.push(format!("z = {z}"));
        for &(variable, inversion) in &self.recovered {
            let expected = &given[variable].2;
            let expected = parse_term(&mut self.script, expected).map_err(|e| e.to_string())?;
            let evaluate = |term| evaluated(&self.script, &context, term);
            let says = match (evaluate(expected), evaluate(inversion)) {
                (Ok(expected), Ok(value)) if value == expected => continue,
                (_, Err(CannotSay::TooLarge(_) | CannotSay::OutOfSteps)) => continue,
                (_, Ok(value)) => format!("gives {value}"),
                (_, Err(why)) => format!("cannot be said: {why}"),
            };
            return Err(format!(
                "with {}, the inversion of {} {says}",
                with.join(", "),
                VARIABLES[variable],
            ));
        }
        Ok(())
    }
}

fn evaluated(script: &Script, context: &Context, term: TermId) -> Result<Value, CannotSay> {
    evaluate(script, context, term, Completion::None, Budget::default())
}

/// The context with values for declared names.
fn interpreted(
    script: &mut Script,
    context: &Context,
    given: &[(&str, &str, String)],
) -> Result<Context, String> {
    let text: String = given
        .iter()
        .map(|(name, sort, value)| format!("(define-fun {name} () {sort} {value})\n"))
        .collect();
    let commands = parse_commands(script, &text).map_err(|error| error.to_string())?;
    let mut context = context.clone();
    context.interpret(script, &commands);
    Ok(context)
}

/// Choices of constants that meet the block's conditions, with what is
/// computed from them, the shortest first. One empty choice if there are none.
pub(super) fn constants(block: &Block, tries: u64) -> Vec<Vec<String>> {
    if block.constants.is_empty() {
        return vec![Vec::new()];
    }
    let mut pool: Vec<Vec<String>> = (0..tries)
        .filter_map(|attempt| one_choice(block, attempt))
        .collect();
    let length = |choice: &Vec<String>| choice.iter().map(String::len).sum::<usize>();
    pool.sort_by(|a, b| length(a).cmp(&length(b)).then_with(|| a.cmp(b)));
    pool.dedup();
    pool
}

fn one_choice(block: &Block, attempt: u64) -> Option<Vec<String>> {
    let mut choices = Choices::seeded(STREAM + 1, attempt);
    let mut text = String::new();
    let mut given = Vec::new();
    for name in &block.constants {
        text += &match &name.value {
            Some(term) => format!("(define-fun {} () {} {term})\n", name.name, name.sort),
            None => {
                let value = value(&name.sort, &mut choices).ok()??;
                given.push((name.name.as_str(), name.sort.as_str(), value));
                format!("(declare-fun {} () {})\n", name.name, name.sort)
            }
        };
    }
    let mut script = syntax::parse_str(&(text + "(check-sat)")).ok()?;
    let asked = question(&script, 0)?;
    let context = Context::new(&script, &asked);
    let context = interpreted(&mut script, &context, &given).ok()?;
    for condition in &block.constant_conditions {
        let condition = parse_term(&mut script, condition).ok()?;
        let holds = evaluated(&script, &context, condition).ok()?;
        if holds != Value::Bool(true) {
            return None;
        }
    }
    let mut given = given.into_iter();
    let mut chosen = |name: &Name| match &name.value {
        None => given.next().map(|(_, _, value)| value),
        Some(_) => {
            let term = parse_term(&mut script, &name.name).ok()?;
            let value = evaluated(&script, &context, term).ok()?;
            Some(match (&value, name.sort.as_str()) {
                (Value::Int(_), "Real") => format!("(to_real {value})"),
                _ => value.to_string(),
            })
        }
    };
    block.constants.iter().map(&mut chosen).collect()
}

/// The block for a few sorts and numbers.
fn instances(block: &Block) -> Vec<Block> {
    let (sorts, numbers) = letters_of(block);
    let rounds = match (sorts.is_empty(), numbers.is_empty()) {
        (true, true) => 1,
        (false, true) => SORTS.len(),
        _ => NUMBERS.len(),
    };
    let of = |round: usize| {
        let sort = |(at, letter): (usize, &String)| {
            let sort = SORTS[(round + at) % SORTS.len()];
            (letter.clone(), sort.to_string())
        };
        let number = |(at, letter): (usize, &String)| {
            let numbers = NUMBERS[round % NUMBERS.len()];
            (letter.clone(), numbers[at % numbers.len()])
        };
        Letters {
            sorts: sorts.iter().enumerate().map(sort).collect(),
            numbers: numbers.iter().enumerate().map(number).collect(),
        }
        .block(block)
    };
    (0..rounds).map(of).collect()
}

/// Verifies a block; `Err` says what is wrong, with a counterexample.
pub(super) fn verify(block: &Block, operators: &Operators) -> Result<(), TableError> {
    let flaw = |problem: String| table::flaw(block.line, problem);
    let mut ill_sorted = None;
    let mut tried = 0;
    for instance in instances(block) {
        let mut trial = match Trial::new(&instance, operators) {
            Ok(trial) => trial,
            Err(why) => {
                ill_sorted = Some(why);
                continue;
            }
        };
        let pool = constants(&instance, TRIALS / 3);
        if pool.is_empty() {
            let what = "no constants were found that meet the conditions on them";
            return Err(flaw(what.to_string()));
        }
        tried += 1;
        trial.run(TRIALS, &pool).map_err(flaw)?;
    }
    match (tried, ill_sorted) {
        (0, why) => Err(flaw(format!(
            "the block is not well-sorted: {}",
            why.unwrap_or_default()
        ))),
        _ => Ok(()),
    }
}

/// What a solver has to refute of one block: scripts that are unsat if and
/// only if the inversions recover x and y, each for one choice of sorts,
/// numbers and constants.
pub(super) fn obligations(block: &Block, operators: &Operators) -> Vec<Obligation> {
    let mut made = Vec::new();
    for instance in instances(block) {
        if Trial::new(&instance, operators).is_err() {
            continue;
        }
        let pool = constants(&instance, 8);
        // A short and a long choice.
        let chosen = [pool.first(), pool.last().filter(|_| pool.len() > 1)];
        made.extend(chosen.into_iter().flatten().map(|constants| Obligation {
            about: format!(
                "line {}: {} {} {} {}",
                block.line,
                instance.sorts[0],
                instance.sorts[1],
                instance.sorts[2],
                instance.fusion
            ),
            case: to_refute(obligation(&instance, constants)),
        }));
    }
    made
}

fn obligation(block: &Block, constants: &[String]) -> String {
    let fresh: Vec<String> = block.fresh.iter().map(|name| name.name.clone()).collect();
    let filled = |text: &str| {
        let filling = Filling {
            variables: VARIABLES,
            constants,
            fresh: &fresh,
        };
        let mut out = String::new();
        Template::new(block, text).write(filling, &mut out);
        out
    };
    let mut text = String::from("(set-logic ALL)\n");
    for (variable, sort) in VARIABLES.iter().zip(&block.sorts).take(2) {
        text += &format!("(declare-const {variable} {sort})\n");
    }
    for name in &block.fresh {
        text += &format!("(declare-const {} {})\n", name.name, name.sort);
    }
    text += &format!(
        "(define-fun z () {} {})\n",
        block.sorts[2],
        filled(&block.fusion)
    );
    for condition in &block.conditions {
        text += &format!("(assert {})\n", filled(condition));
    }
    let equations: Vec<String> = VARIABLES
        .iter()
        .zip(&block.inversions)
        .filter_map(|(variable, term)| Some(format!("(= {variable} {})", filled(term.as_ref()?))))
        .collect();
    text += &format!("(assert (not (and true {})))\n", equations.join(" "));
    text + "(check-sat)\n"
}
