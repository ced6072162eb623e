//! Algebraic numbers as solvers print them: z3's `(root-obj polynomial
//! index)`, and cvc5's `(_ real_algebraic_number <polynomial, (low, high)>)`,
//! which no reader of SMT-LIB can read and which is therefore rewritten to
//! `(root-obj polynomial low high)` first. The variable is bound nowhere.

use std::borrow::Cow;

use crate::syntax::{Literal, Script, Term, TermId};
use crate::value::algebraic::{Algebraic, Root};
use crate::value::{CannotSay, Int, Rational, Value, number};

use super::operators::arith::number_of;

/// How deep the printed polynomial may be nested, and its largest degree.
const MAX_DEPTH: u32 = 8;
const MAX_DEGREE: usize = 64;

/// The number that `root-obj` with these arguments stands for.
pub(super) fn root(script: &Script, arguments: &[TermId]) -> Result<Value, CannotSay> {
    let unreadable = || CannotSay::Unsupported("root-obj".to_string());
    let (polynomial, index) = match arguments {
        [polynomial, index] => (polynomial, index),
        [polynomial, low, high] => {
            let coefficients = polynomial_of(script, *polynomial, 0).ok_or_else(unreadable)?;
            let end = |term: &TermId| fraction_of(script, *term).ok_or_else(unreadable);
            let root = Root::between(&coefficients, end(low)?, end(high)?)?;
            return Ok(number_of(Algebraic::root(root)));
        }
        _ => return Err(unreadable()),
    };
    let coefficients = polynomial_of(script, *polynomial, 0).ok_or_else(unreadable)?;
    let index = match script.term(*index) {
        Term::Literal(Literal::Numeral, digits) => digits.parse().map_err(|_| unreadable())?,
        _ => return Err(unreadable()),
    };
    Ok(number_of(Algebraic::root(Root::new(&coefficients, index)?)))
}

/// The coefficients of a printed polynomial, the constant first.
fn polynomial_of(script: &Script, term: TermId, depth: u32) -> Option<Vec<Int>> {
    if depth > MAX_DEPTH {
        return None;
    }
    let (head, arguments) = match script.term(term) {
        Term::Literal(Literal::Numeral, digits) => {
            return Some(vec![Int::from(number::parse_numeral(digits).ok()?)]);
        }
        Term::Application { head, arguments } => (head, arguments),
        _ => return None,
    };
    let name = script.name(script.identifier(head).symbol);
    if arguments.is_empty() {
        return Some(vec![Int::ZERO, Int::ONE]);
    }
    let parts: Option<Vec<Vec<Int>>> = arguments
        .iter()
        .map(|&argument| polynomial_of(script, argument, depth + 1))
        .collect();
    let parts = parts?;
    match (name, &parts[..]) {
        ("+", parts) => parts.iter().cloned().reduce(|a, b| add(&a, &b)),
        ("-", [part]) => Some(part.iter().map(|c| -c).collect()),
        ("*", parts) => parts
            .iter()
            .cloned()
            .map(Some)
            .reduce(|a, b| mul(&a?, &b?))?,
        ("^", [base, power]) => {
            let [power] = &power[..] else { return None };
            let power = usize::try_from(power)
                .ok()
                .filter(|power| *power <= MAX_DEGREE)?;
            (0..power).try_fold(vec![Int::ONE], |product, _| mul(&product, base))
        }
        _ => None,
    }
}

/// `n`, `(- n)` or `(/ n d)`.
fn fraction_of(script: &Script, term: TermId) -> Option<Rational> {
    let constant = |term: TermId| match &polynomial_of(script, term, 0)?[..] {
        [constant] => Some(constant.clone()),
        _ => None,
    };
    match script.term(term) {
        Term::Application {
            head,
            arguments: [n, d],
        } if script.name(script.identifier(head).symbol) == "/" => {
            let (n, d) = (constant(*n)?, constant(*d)?);
            (!d.is_zero()).then(|| Rational::from_parts_signed(n, d))
        }
        _ => constant(term).map(Rational::from),
    }
}

/// Rewrites cvc5's algebraic numbers so that they can be read; anything that
/// does not look like one stays as it is.
pub(crate) fn rewrite_algebraic(model: &str) -> Cow<'_, str> {
    const OPEN: &str = "(_ real_algebraic_number <";
    if !model.contains(OPEN) {
        return Cow::Borrowed(model);
    }
    let mut rewritten = String::with_capacity(model.len());
    let mut rest = model;
    while let Some((before, after)) = rest.split_once(OPEN) {
        rewritten.push_str(before);
        rest = after;
        let number = after.split_once(">)");
        match number.and_then(|(number, _)| rewrite_one(number)) {
            Some(text) => {
                rewritten.push_str(&text);
                rest = number.map_or("", |(_, after)| after);
            }
            None => rewritten.push_str(OPEN),
        }
    }
    rewritten.push_str(rest);
    Cow::Owned(rewritten)
}

/// `1*x^2 + (-2), (5/4, 3/2)`
fn rewrite_one(number: &str) -> Option<String> {
    let (polynomial, interval) = number.rsplit_once(", (")?;
    let (low, high) = interval.strip_suffix(')')?.split_once(", ")?;
    let mut sum = String::from("(+ 0");
    for term in polynomial.split(" + ") {
        // A negative one is in parentheses.
        let term = term
            .strip_prefix('(')
            .map_or(term, |term| term.trim_end_matches(')'));
        let (coefficient, power) = match term.split_once("*x") {
            Some((coefficient, "")) => (coefficient, "1"),
            Some((coefficient, power)) => (coefficient, power.strip_prefix('^')?),
            None => (term, "0"),
        };
        let plain = power.bytes().all(|b| b.is_ascii_digit());
        plain.then_some(())?;
        sum.push_str(&format!(
            " (* {} (^ x {power}))",
            rewrite_integer(coefficient)?
        ));
    }
    let fraction = |text: &str| {
        let (n, d) = text.split_once('/').unwrap_or((text, "1"));
        Some(format!(
            "(/ {} {})",
            rewrite_integer(n)?,
            rewrite_integer(d)?
        ))
    };
    Some(format!(
        "(root-obj {sum}) {} {})",
        fraction(low)?,
        fraction(high)?
    ))
}

/// `5`, `-5` and `(-5)` as terms.
fn rewrite_integer(text: &str) -> Option<String> {
    let text = text.trim_start_matches('(').trim_end_matches(')');
    let (digits, negative) = match text.strip_prefix('-') {
        Some(digits) => (digits, true),
        None => (text, false),
    };
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| {
        if negative {
            format!("(- {digits})")
        } else {
            digits.to_string()
        }
    })
}

fn add(a: &[Int], b: &[Int]) -> Vec<Int> {
    let zero = Int::ZERO;
    let at = |p: &[Int], n: usize| p.get(n).unwrap_or(&zero).clone();
    (0..a.len().max(b.len()))
        .map(|n| at(a, n) + at(b, n))
        .collect()
}

fn mul(a: &[Int], b: &[Int]) -> Option<Vec<Int>> {
    let degree = (a.len() + b.len()).checked_sub(2)?;
    let mut product = vec![Int::ZERO; degree + 1];
    for (i, c) in a.iter().enumerate() {
        for (j, d) in b.iter().enumerate() {
            product[i + j] += number::mul(c, d).ok()?;
        }
    }
    (degree <= MAX_DEGREE).then_some(product)
}
