//! Random expressions and predicates over live variables.

use std::collections::BTreeSet;

use dashu_int::IBig;
use lydite_core::{Choices, Reject};

use super::expression::{Expression, Name};
use crate::ast::{BinaryOp, UnaryOp};
use crate::interpret::{Arithmetic, holds, range};
use crate::types::{Elementary, Family};

/// How often a predicate is drawn before one is made up.
const TRIES: usize = 4;

/// Variables, and every environment that they were seen in.
#[derive(Clone, Debug)]
pub(super) struct Live {
    pub(super) names: Vec<Name>,
    pub(super) environments: Vec<Vec<IBig>>,
    pub(super) arithmetic: Arithmetic,
    /// Variables that expressions may change: each once in an expression, so
    /// that the order of evaluation, which is nobody's promise, does not matter.
    pub(super) changeable: BTreeSet<usize>,
}

impl Live {
    /// The values that an expression has in all environments; its effects are
    /// those of the environments from now on.
    pub(super) fn settle(&mut self, expression: &mut Expression) -> Option<Vec<IBig>> {
        expression.settle(&self.names, &mut self.environments, self.arithmetic)
    }

    pub(super) fn text(&self, expression: &Expression) -> String {
        let mut text = String::new();
        expression.print(&self.names, &mut text);
        text
    }

    /// A predicate that is `truth` in every environment.
    pub(super) fn predicate(
        &self,
        truth: bool,
        depth: u64,
        choices: &mut Choices,
    ) -> Result<Expression, Reject> {
        let wanted = IBig::from(u8::from(truth));
        let mut still = self.clone();
        still.changeable.clear();
        let mut mixed = None;
        for _ in 0..TRIES {
            let mut drawn = still.expression(Elementary::BOOL, depth, choices)?;
            let Some(values) = still.settle(&mut drawn) else {
                continue;
            };
            if values.iter().all(|value| *value == wanted) {
                return Ok(drawn);
            }
            if values.iter().all(|value| *value != wanted) {
                return Ok(drawn.not());
            }
            mixed = Some(drawn);
        }
        let certain = self.bound(truth, choices)?;
        let op = if truth { BinaryOp::Or } else { BinaryOp::And };
        Ok(match mixed {
            None => certain,
            Some(mixed) => match choices.chance(1, 2)? {
                true => Expression::binary(op, Elementary::BOOL, mixed, certain),
                false => Expression::binary(op, Elementary::BOOL, certain, mixed),
            },
        })
    }

    /// What holds (or not) because of the least and the greatest value of a
    /// variable.
    fn bound(&self, truth: bool, choices: &mut Choices) -> Result<Expression, Reject> {
        let ordered = |number: &usize| {
            let family = self.names[*number].kind.family();
            matches!(family, Family::Uint | Family::Int) && !self.environments.is_empty()
        };
        let numbers: Vec<usize> = (0..self.names.len()).filter(ordered).collect();
        if numbers.is_empty() {
            return Ok(Expression::Literal(
                Elementary::BOOL,
                IBig::from(u8::from(truth)),
            ));
        }
        let number = *choices.pick(&numbers)?;
        let kind = self.names[number].kind;
        let values = || self.environments.iter().map(|values| &values[number]);
        let least = values().min().cloned().unwrap_or(IBig::ZERO);
        let greatest = values().max().cloned().unwrap_or(IBig::ZERO);
        let (op, value) = match (truth, choices.chance(1, 2)?) {
            (true, true) => (BinaryOp::AtLeast, least),
            (true, false) => (BinaryOp::AtMost, greatest),
            (false, true) => (BinaryOp::Less, least),
            (false, false) => (BinaryOp::Greater, greatest),
        };
        let variable = Expression::Variable(number);
        Ok(Expression::binary(
            op,
            kind,
            variable,
            Expression::Literal(kind, value),
        ))
    }

    /// An expression of a type. The effects in it are each on a variable of
    /// its own.
    pub(super) fn expression(
        &self,
        kind: Elementary,
        depth: u64,
        choices: &mut Choices,
    ) -> Result<Expression, Reject> {
        let mut changed = self.changeable.clone();
        self.draw(plain(kind), depth, &mut changed, choices)
    }

    fn draw(
        &self,
        kind: Elementary,
        depth: u64,
        free: &mut BTreeSet<usize>,
        choices: &mut Choices,
    ) -> Result<Expression, Reject> {
        if depth == 0 || choices.chance(1, 6)? {
            return self.leaf(kind, free, choices);
        }
        let mut sub =
            |kind: Elementary, choices: &mut Choices| self.draw(kind, depth - 1, free, choices);
        if choices.chance(1, 8)? {
            let if_ = sub(Elementary::BOOL, choices)?;
            let (then, other) = (sub(kind, choices)?, sub(kind, choices)?);
            return Ok(Expression::Choose(
                Box::new(if_),
                Box::new(then),
                Box::new(other),
            ));
        }
        match kind.family() {
            Family::Bool => match choices.below(6)? {
                0 => Ok(sub(kind, choices)?.not()),
                1 => {
                    let op = *choices.pick(&[BinaryOp::And, BinaryOp::Or])?;
                    Ok(Expression::binary(
                        op,
                        kind,
                        sub(kind, choices)?,
                        sub(kind, choices)?,
                    ))
                }
                _ => {
                    let of = self.some_kind(choices)?;
                    let ops: &[BinaryOp] = match of.family() {
                        Family::Bool => &COMPARISONS[..2],
                        _ => &COMPARISONS,
                    };
                    let op = *choices.pick(ops)?;
                    Ok(Expression::binary(
                        op,
                        of,
                        sub(of, choices)?,
                        sub(of, choices)?,
                    ))
                }
            },
            Family::Uint | Family::Int => match choices.below(12)? {
                0 => Ok(Expression::Unary(
                    UnaryOp::BitNot,
                    kind,
                    Box::new(sub(kind, choices)?),
                )),
                1 if kind.family() == Family::Int => Ok(Expression::Unary(
                    UnaryOp::Negate,
                    kind,
                    Box::new(sub(kind, choices)?),
                )),
                2 if kind.family() == Family::Uint => {
                    let op = *choices.pick(&[BinaryOp::ShiftLeft, BinaryOp::ShiftRight])?;
                    let by = sub(Elementary::uint(8), choices)?;
                    Ok(Expression::binary(op, kind, sub(kind, choices)?, by))
                }
                3 if kind.family() == Family::Uint => {
                    let (base, exponent) = (sub(kind, choices)?, sub(kind, choices)?);
                    Ok(Expression::binary(BinaryOp::Power, kind, base, exponent))
                }
                4 | 5 => self.convert(kind, depth, free, choices),
                _ => {
                    let op = *choices.pick(&ARITHMETIC)?;
                    Ok(Expression::binary(
                        op,
                        kind,
                        sub(kind, choices)?,
                        sub(kind, choices)?,
                    ))
                }
            },
            Family::FixedBytes => match choices.below(4)? {
                0 => Ok(Expression::Unary(
                    UnaryOp::BitNot,
                    kind,
                    Box::new(sub(kind, choices)?),
                )),
                1 => self.convert(kind, depth, free, choices),
                _ => {
                    let op = *choices.pick(&ARITHMETIC[..3])?;
                    Ok(Expression::binary(
                        op,
                        kind,
                        sub(kind, choices)?,
                        sub(kind, choices)?,
                    ))
                }
            },
            _ => self.convert(kind, depth, free, choices),
        }
    }

    /// An expression of another type, converted: between types without a
    /// direct conversion step by step, and by way of `?:` where `bool` is one
    /// of them.
    fn convert(
        &self,
        kind: Elementary,
        depth: u64,
        free: &mut BTreeSet<usize>,
        choices: &mut Choices,
    ) -> Result<Expression, Reject> {
        let from = self.some_kind(choices)?;
        let inner = self.draw(from, depth - 1, free, choices)?;
        if from == Elementary::BOOL && kind != from {
            let (then, other) = (self.literal(kind, choices)?, self.literal(kind, choices)?);
            return Ok(Expression::Choose(
                Box::new(inner),
                Box::new(then),
                Box::new(other),
            ));
        }
        let mut converted = inner;
        let mut last = from;
        for step in pathway(from, kind) {
            converted = Expression::Convert(last, step, Box::new(converted));
            last = step;
        }
        Ok(converted)
    }

    fn leaf(
        &self,
        kind: Elementary,
        free: &mut BTreeSet<usize>,
        choices: &mut Choices,
    ) -> Result<Expression, Reject> {
        let own = |number: &usize| plain(self.names[*number].kind) == kind;
        let numbers: Vec<usize> = (0..self.names.len()).filter(own).collect();
        if numbers.is_empty() || choices.chance(1, 4)? {
            return self.literal(kind, choices);
        }
        let number = *choices.pick(&numbers)?;
        let steps = matches!(kind.family(), Family::Uint | Family::Int);
        if self.changeable.contains(&number) {
            // Changed or read, but not twice.
            return Ok(match free.remove(&number) {
                true if steps && choices.chance(1, 2)? => {
                    Expression::Step(*choices.pick(&STEPS)?, number)
                }
                true => Expression::Variable(number),
                false => self.literal(kind, choices)?,
            });
        }
        Ok(Expression::Variable(number))
    }

    /// A type of some variable, or another one.
    fn some_kind(&self, choices: &mut Choices) -> Result<Elementary, Reject> {
        match self.names.is_empty() || choices.chance(1, 6)? {
            true => Ok(*choices.pick(&[
                Elementary::uint(8),
                Elementary::int(16),
                Elementary::UINT256,
                Elementary::fixed_bytes(4),
                Elementary::BOOL,
                Elementary::int(256),
            ])?),
            false => Ok(plain(choices.pick(&self.names)?.kind)),
        }
    }

    /// A value at the edges of the type, a small one, or one beside what some
    /// variable was seen with.
    fn literal(&self, kind: Elementary, choices: &mut Choices) -> Result<Expression, Reject> {
        let (least, greatest) = range(kind);
        let own = |number: &usize| plain(self.names[*number].kind) == kind;
        let numbers: Vec<usize> = (0..self.names.len()).filter(own).collect();
        let value = match choices.below(6)? {
            0 => least,
            1 => greatest,
            2 | 3 if !numbers.is_empty() && !self.environments.is_empty() => {
                let values = choices.pick(&self.environments)?;
                let near = IBig::from(choices.below(3)?) - IBig::ONE;
                &values[*choices.pick(&numbers)?] + near
            }
            _ => IBig::from(choices.below(9)?),
        };
        let value = if holds(kind, &value) {
            value
        } else {
            IBig::ZERO
        };
        Ok(Expression::Literal(kind, value))
    }
}

/// Both types of addresses are one here.
fn plain(kind: Elementary) -> Elementary {
    match kind.family() {
        Family::Address => Elementary::ADDRESS,
        _ => kind,
    }
}

/// The types on the way from one type to another, each converted directly to
/// the next by every version of the language.
fn pathway(from: Elementary, to: Elementary) -> Vec<Elementary> {
    let number = |kind: Elementary| match kind.family() {
        Family::Address => Elementary::uint(160),
        Family::FixedBytes | Family::Int => Elementary::uint(u16::from(kind.size()) * 8),
        _ => kind,
    };
    if from.family() == to.family() {
        return if from == to { Vec::new() } else { vec![to] };
    }
    let mut way = vec![number(from), number(to), to];
    way.dedup();
    if way.first() == Some(&from) {
        way.remove(0);
    }
    way
}

const COMPARISONS: [BinaryOp; 6] = [
    BinaryOp::Equal,
    BinaryOp::Unequal,
    BinaryOp::Less,
    BinaryOp::Greater,
    BinaryOp::AtMost,
    BinaryOp::AtLeast,
];

const ARITHMETIC: [BinaryOp; 8] = [
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Mod,
];

const STEPS: [UnaryOp; 4] = [
    UnaryOp::Increment,
    UnaryOp::Decrement,
    UnaryOp::PostIncrement,
    UnaryOp::PostDecrement,
];
