//! What `:monotone` says of operators, as claims: checked by our evaluator on
//! values, and as scripts that a solver has to refute.
//!
//! A sign says that the result moves with an argument, all others left alone:
//! for every lower ≤ upper, f(…, lower, …) ≤ f(…, upper, …), or ≥ for `-`. That
//! is what parity (definition 6.3.2 of the thesis) needs, and all it needs.

use std::fmt::Write;

use lydite_core::{Choices, Obligation, Reject};

use super::obligation::{sample_value, value_of};
use super::rules::Rules;
use crate::eval::Completion;
use crate::operators::{Bound, Number, Operator, Operators, Order, Pattern, Signs};
use crate::sort::{Sorts, Values};
use crate::strategy::to_refute;

/// A claim is checked on so many values.
const SAMPLES: u64 = 300;

/// So many of them have to be decided for the claim to count as checked.
const DECIDED: u64 = 20;

/// Rows are checked for so many arguments, where they take more than they have
/// sorts: a further one repeats what the last did.
const MOST_CHECKED: usize = 4;

/// The same for solvers.
const MOST_PROVED: usize = 3;

/// What a letter stands for, where it is what moves.
const ORDERED: [&str; 5] = ["Bool", "Int", "Real", "RegLan", "(Set Int)"];

/// That one argument of one operator has its sign, for one choice of sorts.
pub(super) struct Monotony<'a> {
    operator: &'a Operator,
    count: usize,
    at: usize,
    sign: i8,
    /// What each letter for a sort stands for.
    letters: Vec<&'static str>,
}

/// All that the signs of an operator say, for up to `most` arguments.
pub(super) fn monotonies(operator: &Operator, most: usize) -> Vec<Monotony<'_>> {
    let mut all = Vec::new();
    for count in operator.counts(most) {
        for at in 0..count {
            let sign = operator.monotone.of(at, count);
            if sign == 0 {
                continue;
            }
            let argument = operator.parameter(at, count).expect("it takes as many");
            let moving: Vec<u8> = [argument, &operator.result]
                .into_iter()
                .filter_map(|pattern| match pattern {
                    Pattern::Any(letter) => Some(*letter),
                    _ => None,
                })
                .collect();
            let choices = if moving.is_empty() { 1 } else { ORDERED.len() };
            for sort in &ORDERED[..choices] {
                let mut letters = vec!["Int"; crate::operators::MAX_LETTERS];
                for &letter in &moving {
                    letters[usize::from(letter)] = sort;
                }
                all.push(Monotony {
                    operator,
                    count,
                    at,
                    sign,
                    letters,
                });
            }
        }
    }
    all
}

/// What a solver has to refute of the signs of some operators. Those about
/// regular expressions have none: no solver has variables of that sort.
pub(super) fn obligations<'a>(
    operators: impl Iterator<Item = &'a Operator> + 'a,
) -> impl Iterator<Item = Obligation> + 'a {
    operators.flat_map(|operator| {
        let claims = monotonies(operator, MOST_PROVED).into_iter();
        claims.filter_map(|claim| {
            Some(Obligation {
                about: claim.about(),
                case: to_refute(format!("(set-logic ALL)\n{}", claim.script()?)),
            })
        })
    })
}

/// Takes the signs of a user's operators away that could not be checked. An
/// error says which operator is at fault, and why its signs are wrong.
pub(super) fn keep_proved(
    rules: &mut Rules,
    operators: &Operators,
) -> Result<(), (String, String)> {
    let built_in = Operators::built_in().iter().count();
    for (id, operator) in operators.iter().skip(built_in) {
        for claim in monotonies(operator, MOST_CHECKED) {
            match claim.check(SAMPLES) {
                Ok(decided) if decided >= DECIDED => {}
                Ok(_) => rules.signs[id.index()] = Signs::default(),
                Err(false_claim) => {
                    let problem = format!("{}: {false_claim} is false", claim.about());
                    return Err((operator.name.clone(), problem));
                }
            }
        }
    }
    Ok(())
}

impl Monotony<'_> {
    /// The operator, the argument and its sign, for people.
    pub(super) fn about(&self) -> String {
        let sign = if self.sign > 0 { '+' } else { '-' };
        format!(
            "`{}` monotone ({sign}) in argument {} of {}",
            self.operator.name,
            self.at + 1,
            self.count
        )
    }

    /// Checks it on sampled values: the number of those that could be decided,
    /// or one that refutes it.
    pub(super) fn check(&self, samples: u64) -> Result<u64, String> {
        let mut decided = 0;
        for sample in 0..samples {
            let mut choices = Choices::seeded(11, sample);
            let Ok(Some(claim)) = self.sampled(&mut choices) else {
                continue;
            };
            let mut all = true;
            // What the standard leaves open may be anything: two of the things.
            for completion in [Completion::Zero, Completion::Ones] {
                match value_of(&claim, completion) {
                    Some(true) => {}
                    Some(false) => return Err(claim),
                    None => all = false,
                }
            }
            decided += u64::from(all);
        }
        Ok(decided)
    }

    /// The claim about sampled values; none if the numbers drawn for the
    /// signature are none that it allows.
    fn sampled(&self, choices: &mut Choices) -> Result<Option<String>, Reject> {
        let mut numbers = Bound::default();
        for number in &mut numbers.numbers {
            *number = Some(choices.between(0, 4)?);
        }
        let Some(sorts) = self.sorts(&numbers) else {
            return Ok(None);
        };
        let mut lower = Vec::new();
        for sort in &sorts[..self.count] {
            lower.push(sample_value(choices, sort)?);
        }
        let sort = &sorts[self.at];
        let more = match sort.as_str() {
            "Int" => choices.below(6)?.to_string(),
            "Real" => format!("(/ {}.0 2.0)", choices.below(6)?),
            _ => sample_value(choices, sort)?,
        };
        let joined = match order_of(sort) {
            Order::Implication => "or",
            Order::Numbers => "+",
            Order::Languages => "re.union",
            Order::Sets => "set.union",
            Order::Equality => return Ok(None),
        };
        let mut upper = lower.clone();
        upper[self.at] = format!("({joined} {} {more})", lower[self.at]);
        let word = sample_value(choices, "String")?;
        let [lower, upper] = [lower, upper].map(|arguments| self.apply(&arguments, &numbers));
        Ok(Some(self.claim(&lower, &upper, &sorts[self.count], &word)))
    }

    /// A script that is unsatisfiable if and only if the claim holds.
    fn script(&self) -> Option<String> {
        let numbers = (1..=4).find_map(|value| {
            let numbers = Bound {
                numbers: [Some(value); crate::operators::MAX_LETTERS],
                ..Bound::default()
            };
            self.sorts(&numbers).map(|_| numbers)
        })?;
        let sorts = self.sorts(&numbers)?;
        if sorts.iter().any(|sort| sort == "RegLan") {
            return None;
        }
        let mut text = String::new();
        let mut names: Vec<String> = Vec::new();
        for (at, sort) in sorts[..self.count].iter().enumerate() {
            names.push(format!("a{at}"));
            let _ = writeln!(text, "(declare-const a{at} {sort})");
        }
        let sort = &sorts[self.at];
        let _ = writeln!(text, "(declare-const upper {sort})");
        let lower = self.apply(&names, &numbers);
        let below = below(order_of(sort), &names[self.at], "upper", "");
        names[self.at] = "upper".to_string();
        let upper = self.apply(&names, &numbers);
        let claim = self.claim(&lower, &upper, &sorts[self.count], "");
        let _ = write!(
            text,
            "(assert {below})\n(assert (not {claim}))\n(check-sat)\n"
        );
        Some(text)
    }

    /// The sorts of the arguments and of the result; none if the numbers are
    /// none that the signature allows.
    fn sorts(&self, numbers: &Bound) -> Option<Vec<String>> {
        let conditions = &self.operator.conditions;
        if !conditions.iter().all(|condition| condition.holds(numbers)) {
            return None;
        }
        let arguments = (0..self.count).map(|at| self.operator.parameter(at, self.count));
        arguments
            .chain([Some(&self.operator.result)])
            .map(|pattern| self.sort(pattern?, numbers))
            .collect()
    }

    /// Recursion is over the text of one line.
    fn sort(&self, pattern: &Pattern, numbers: &Bound) -> Option<String> {
        let number = |number: &Number| number.value(numbers).filter(|&value| value > 0);
        let part = |pattern: &Pattern| self.sort(pattern, numbers);
        Some(match pattern {
            Pattern::Any(letter) => self.letters[usize::from(*letter)].to_string(),
            Pattern::Simple(sort) => Sorts::default().show(*sort, &|_| String::new()),
            Pattern::Made(Values::Function | Values::Opaque(_) | Values::Field, ..) => return None,
            Pattern::Made(values, own, parts) => {
                let least = if *values == Values::Float { 2 } else { 1 };
                let mut text = values.name().to_string();
                for one in own {
                    let _ = write!(text, " {}", number(one).filter(|&n| n >= least)?);
                }
                if !own.is_empty() {
                    text = format!("_ {text}");
                }
                for one in parts {
                    let _ = write!(text, " {}", part(one)?);
                }
                format!("({text})")
            }
        })
    }

    fn apply(&self, arguments: &[String], numbers: &Bound) -> String {
        let name = &self.operator.name;
        let mut head = name.clone();
        if !self.operator.indices.is_empty() {
            head = format!("(_ {name}");
            for &index in &self.operator.indices {
                let number = numbers.numbers[usize::from(index)].unwrap_or(0);
                let _ = write!(head, " {number}");
            }
            head.push(')');
        }
        format!("({head} {})", arguments.join(" "))
    }

    /// That the results are ordered as the sign says.
    fn claim(&self, lower: &str, upper: &str, sort: &str, word: &str) -> String {
        match self.sign > 0 {
            true => below(order_of(sort), lower, upper, word),
            false => below(order_of(sort), upper, lower, word),
        }
    }
}

/// That `lower` is below `upper` or the same; of languages, for one word.
fn below(order: Order, lower: &str, upper: &str, word: &str) -> String {
    match order {
        Order::Implication => format!("(=> {lower} {upper})"),
        Order::Numbers => format!("(<= {lower} {upper})"),
        Order::Languages => format!("(=> (str.in_re {word} {lower}) (str.in_re {word} {upper}))"),
        Order::Sets => format!("(set.subset {lower} {upper})"),
        Order::Equality => format!("(= {lower} {upper})"),
    }
}

fn order_of(sort: &str) -> Order {
    match sort {
        "Bool" => Order::Implication,
        "Int" | "Real" => Order::Numbers,
        "RegLan" => Order::Languages,
        _ if sort.starts_with("(Set ") => Order::Sets,
        _ => Order::Equality,
    }
}
