//! z3's `(root-obj polynomial index)`: a root of a polynomial in one variable
//! that is bound nowhere.

use crate::syntax::{Literal, Script, Term, TermId};
use crate::value::algebraic::{Algebraic, Root};
use crate::value::{CannotSay, Int, Value, number};

use super::operators::arith::number_of;

/// How deep the printed polynomial may be nested, and its largest degree.
const MAX_DEPTH: u32 = 8;
const MAX_DEGREE: usize = 64;

/// The number that `root-obj` with these arguments stands for.
pub(super) fn root(script: &Script, arguments: &[TermId]) -> Result<Value, CannotSay> {
    let unreadable = || CannotSay::Unsupported("root-obj".to_string());
    let [polynomial, index] = arguments else {
        return Err(unreadable());
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
