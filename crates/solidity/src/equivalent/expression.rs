//! Expressions over variables whose values are known, and their values.
//!
//! Operands have effects (`++`, `--`), so an expression is evaluated once it
//! is whole: whether an operand of `&&`, `||` or `?:` is evaluated at all
//! depends on the others. What has no value under some environment is not
//! thrown away but repaired: its operand is corrected by a further operator.

use std::fmt::Write;

use dashu_int::IBig;

use crate::ast::{BinaryOp, UnaryOp};
use crate::interpret::{Arithmetic, Fault, bits, converted};
use crate::types::{Elementary, Family};

/// How often an expression is repaired: each operator at most twice.
const REPAIRS: usize = 64;

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expression {
    /// A variable, by its number.
    Variable(usize),
    /// A value.
    Literal(Elementary, IBig),
    /// `-`, `~` or `!`.
    Unary(UnaryOp, Elementary, Box<Expression>),
    /// `++` or `--` of a variable.
    Step(UnaryOp, usize),
    /// An operator with operands of that type; of a shift, the left one.
    Binary(BinaryOp, Elementary, Box<Expression>, Box<Expression>),
    /// A conversion that the language has.
    Convert(Elementary, Elementary, Box<Expression>),
    /// `?:`
    Choose(Box<Expression>, Box<Expression>, Box<Expression>),
}

/// A variable of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) name: String,
    pub(super) kind: Elementary,
}

/// The operand at fault, by the way to it, and what is wrong.
struct Broken {
    way: Vec<usize>,
    fault: Fault,
}

impl Expression {
    pub(super) fn zero(kind: Elementary) -> Expression {
        Expression::Literal(kind, IBig::ZERO)
    }

    pub(super) fn binary(
        op: BinaryOp,
        kind: Elementary,
        left: Expression,
        right: Expression,
    ) -> Expression {
        Expression::Binary(op, kind, Box::new(left), Box::new(right))
    }

    pub(super) fn not(self) -> Expression {
        Expression::Unary(UnaryOp::Not, Elementary::BOOL, Box::new(self))
    }

    fn part(&mut self, number: usize) -> Option<&mut Expression> {
        match (self, number) {
            (Expression::Unary(_, _, one) | Expression::Convert(_, _, one), _) => Some(one),
            (Expression::Binary(_, _, left, _), 0) => Some(left),
            (Expression::Binary(_, _, _, right), _) => Some(right),
            (Expression::Choose(if_, _, _), 0) => Some(if_),
            (Expression::Choose(_, then, _), 1) => Some(then),
            (Expression::Choose(_, _, other), _) => Some(other),
            _ => None,
        }
    }

    /// The value in an environment, which effects change. The depth is that
    /// of the expression, which is ours.
    fn value(
        &self,
        names: &[Name],
        values: &mut [IBig],
        arithmetic: Arithmetic,
    ) -> Result<IBig, Broken> {
        let at = |number: usize| {
            move |mut broken: Broken| {
                broken.way.push(number);
                broken
            }
        };
        let here = |fault: Fault| Broken {
            way: Vec::new(),
            fault,
        };
        let is_true = |value: &IBig| *value != IBig::ZERO;
        match self {
            Expression::Variable(number) => Ok(values[*number].clone()),
            Expression::Literal(_, value) => Ok(value.clone()),
            Expression::Unary(op, kind, one) => {
                let value = one.value(names, values, arithmetic).map_err(at(0))?;
                arithmetic.unary(*op, *kind, &value).map_err(here)
            }
            Expression::Step(op, number) => {
                let old = values[*number].clone();
                let new = arithmetic
                    .unary(*op, names[*number].kind, &old)
                    .map_err(here)?;
                values[*number] = new.clone();
                let before = matches!(op, UnaryOp::Increment | UnaryOp::Decrement);
                Ok(if before { new } else { old })
            }
            Expression::Binary(op, kind, left, right) => {
                let left = left.value(names, values, arithmetic).map_err(at(0))?;
                match op {
                    BinaryOp::And if !is_true(&left) => return Ok(IBig::ZERO),
                    BinaryOp::Or if is_true(&left) => return Ok(IBig::ONE),
                    _ => {}
                }
                let right = right.value(names, values, arithmetic).map_err(at(1))?;
                arithmetic.binary(*op, *kind, &left, &right).map_err(here)
            }
            Expression::Convert(from, to, one) => {
                let value = one.value(names, values, arithmetic).map_err(at(0))?;
                Ok(converted(*from, *to, &value))
            }
            Expression::Choose(if_, then, other) => {
                let (number, chosen) =
                    match is_true(&if_.value(names, values, arithmetic).map_err(at(0))?) {
                        true => (1, then),
                        false => (2, other),
                    };
                chosen.value(names, values, arithmetic).map_err(at(number))
            }
        }
    }

    /// The values in all environments, each changed by the effects; the
    /// expression is repaired until there is one in each. Nothing if that
    /// cannot be done.
    pub(super) fn settle(
        &mut self,
        names: &[Name],
        environments: &mut Vec<Vec<IBig>>,
        arithmetic: Arithmetic,
    ) -> Option<Vec<IBig>> {
        'repair: for _ in 0..REPAIRS {
            let mut after = environments.clone();
            let mut results = Vec::with_capacity(after.len());
            for values in &mut after {
                match self.value(names, values, arithmetic) {
                    Ok(value) => results.push(value),
                    Err(mut broken) => {
                        broken.way.reverse();
                        self.repair(&broken);
                        continue 'repair;
                    }
                }
            }
            *environments = after;
            return Some(results);
        }
        None
    }

    fn repair(&mut self, broken: &Broken) {
        let mut node = self;
        for number in &broken.way {
            match node.part(*number) {
                Some(part) => node = part,
                None => return,
            }
        }
        match node {
            Expression::Step(_, number) => *node = Expression::Variable(*number),
            Expression::Unary(op, _, _) => *op = UnaryOp::BitNot,
            Expression::Binary(op, kind, _, right) => {
                let of = match op {
                    BinaryOp::ShiftLeft | BinaryOp::ShiftRight => return,
                    _ => *kind,
                };
                let divides = matches!(op, BinaryOp::Div | BinaryOp::Mod);
                let one = Expression::Literal(of, IBig::ONE);
                let (correction, last) = match divides {
                    true => (BinaryOp::BitOr, one.clone()),
                    false => (BinaryOp::BitAnd, Expression::zero(of)),
                };
                let corrected =
                    matches!(&**right, Expression::Binary(done, ..) if *done == correction);
                let operand = std::mem::replace(&mut **right, last.clone());
                **right = match corrected || broken.fault == Fault::Overflow && divides {
                    true => last,
                    false => Expression::binary(correction, of, operand, one),
                };
            }
            _ => {}
        }
    }

    /// Its text, with every parenthesis.
    pub(super) fn print(&self, names: &[Name], text: &mut String) {
        match self {
            Expression::Variable(number) => text.push_str(&names[*number].name),
            Expression::Literal(kind, value) => print_literal(*kind, value, text),
            Expression::Unary(op, _, one) => {
                let sign = match op {
                    UnaryOp::Not => "!",
                    UnaryOp::Negate => "-",
                    _ => "~",
                };
                let _ = write!(text, "({sign}");
                one.print(names, text);
                text.push(')');
            }
            Expression::Step(op, number) => {
                let name = &names[*number].name;
                let _ = match op {
                    UnaryOp::Increment => write!(text, "(++{name})"),
                    UnaryOp::Decrement => write!(text, "(--{name})"),
                    UnaryOp::PostIncrement => write!(text, "({name}++)"),
                    _ => write!(text, "({name}--)"),
                };
            }
            Expression::Binary(op, _, left, right) => {
                text.push('(');
                left.print(names, text);
                let _ = write!(text, " {} ", op.sign());
                right.print(names, text);
                text.push(')');
            }
            Expression::Convert(_, to, one) => {
                let _ = write!(text, "{}(", to.name());
                one.print(names, text);
                text.push(')');
            }
            Expression::Choose(if_, then, other) => {
                text.push('(');
                if_.print(names, text);
                text.push_str(" ? ");
                then.print(names, text);
                text.push_str(" : ");
                other.print(names, text);
                text.push(')');
            }
        }
    }
}

/// A literal with its type, so that no compiler computes with it exactly. That
/// of bytes and addresses goes by way of a number: 40 digits would have to be
/// an address with its checksum.
fn print_literal(kind: Elementary, value: &IBig, text: &mut String) {
    let _ = match kind.family() {
        Family::Bool => write!(text, "{}", *value != IBig::ZERO),
        Family::FixedBytes | Family::Address => {
            let name = match kind.family() {
                Family::Address => Elementary::ADDRESS.name(),
                _ => kind.name(),
            };
            write!(text, "{name}(uint{}({value}))", bits(kind))
        }
        _ => write!(text, "{}({value})", kind.name()),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHECKED: Arithmetic = Arithmetic {
        checked: true,
        shift_rounds_down: true,
    };

    fn names() -> Vec<Name> {
        let name = |name: &str, kind| Name {
            name: name.to_string(),
            kind,
        };
        vec![
            name("x", Elementary::uint(8)),
            name("y", Elementary::uint(8)),
        ]
    }

    /// An operator between `x` and `y`, the values of both, the text after
    /// repair and its values.
    #[test]
    fn operands_without_a_result_are_corrected() {
        for (op, environments, text, expected) in [
            (BinaryOp::Add, [(1, 2), (3, 4)], "(x + y)", [3, 7]),
            (
                BinaryOp::Div,
                [(8, 2), (8, 0)],
                "(x / (y | uint8(1)))",
                [2, 8],
            ),
            (
                BinaryOp::Add,
                [(254, 2), (1, 1)],
                "(x + (y & uint8(1)))",
                [254, 2],
            ),
            (BinaryOp::Sub, [(0, 1), (9, 3)], "(x - uint8(0))", [0, 9]),
            (
                BinaryOp::Power,
                [(16, 2), (3, 5)],
                "(x ** (y & uint8(1)))",
                [1, 3],
            ),
        ] {
            let variable = |number| Expression::Variable(number);
            let kind = Elementary::uint(8);
            let mut expression = Expression::binary(op, kind, variable(0), variable(1));
            let mut environments: Vec<Vec<IBig>> = environments
                .iter()
                .map(|(x, y)| vec![IBig::from(*x), IBig::from(*y)])
                .collect();
            let values = expression
                .settle(&names(), &mut environments, CHECKED)
                .unwrap();
            let mut printed = String::new();
            expression.print(&names(), &mut printed);
            assert_eq!(
                (printed.as_str(), values),
                (text, expected.map(IBig::from).to_vec())
            );
        }
    }

    #[test]
    fn effects_happen_only_where_an_operand_is_evaluated() {
        let bool_of = |number| {
            let zero = Expression::zero(Elementary::uint(8));
            Expression::binary(BinaryOp::Unequal, Elementary::uint(8), number, zero)
        };
        let mut both = Expression::binary(
            BinaryOp::And,
            Elementary::BOOL,
            bool_of(Expression::Variable(0)),
            bool_of(Expression::Step(UnaryOp::PostIncrement, 1)),
        );
        let mut environments = vec![vec![IBig::ZERO, IBig::ZERO], vec![IBig::ONE, IBig::ZERO]];
        let values = both.settle(&names(), &mut environments, CHECKED).unwrap();
        assert_eq!(values, [IBig::ZERO, IBig::ZERO]);
        assert_eq!(environments[0][1], IBig::ZERO);
        assert_eq!(environments[1][1], IBig::ONE);
        let mut text = String::new();
        both.print(&names(), &mut text);
        assert_eq!(text, "((x != uint8(0)) && ((y++) != uint8(0)))");
    }
}
