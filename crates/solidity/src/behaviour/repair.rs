//! Operations that have no value, corrected (SOLTIX, "Semantically-equivalent
//! transformation"): the operand that is at fault gets a further operator, and
//! everything above it is written anew.

use dashu_int::IBig;
use dashu_int::ops::Abs;

use crate::ast::{
    BinaryOp, Expression, ExpressionId, FunctionId, Literal, Statement, Type, UnaryOp,
};
use crate::generate::Stage;
use crate::interpret::{Failed, Fault, Paused, holds, range};
use crate::types::{Elementary, Family};
use crate::typing::Form;

/// Corrects what failed in a term, or in one of the `functions` that were added
/// with it; `machine` has seen them all. The new term, or nothing if nothing
/// can be done.
pub(super) fn repaired(
    stage: &mut Stage,
    machine: &Paused,
    failed: &Failed,
    root: ExpressionId,
    functions: &[FunctionId],
) -> Option<ExpressionId> {
    let corrected = corrected(stage, machine, failed)?;
    for function in functions {
        let body = stage.ast[*function].body.clone().unwrap_or_default();
        for statement in body {
            if let Statement::Return(mut values) = stage.ast[statement].clone() {
                for value in &mut values {
                    *value = stage.renewed(*value, failed.at, corrected);
                }
                stage.ast[statement] = Statement::Return(values);
            }
        }
    }
    Some(stage.renewed(root, failed.at, corrected))
}

/// The expression that failed, with an operand that it has a value for.
fn corrected(stage: &mut Stage, machine: &Paused, failed: &Failed) -> Option<ExpressionId> {
    let owner = stage.ast.owners[failed.at.0 as usize];
    let outer = std::mem::replace(&mut stage.owner, owner);
    let new = match stage.ast[failed.at].clone() {
        Expression::Binary { op, left, right } => {
            let right = operand(stage, machine, op, right, failed)?;
            Expression::Binary { op, left, right }
        }
        Expression::Assign {
            op: Some(op),
            target,
            value,
        } => {
            let value = operand(stage, machine, op, value, failed)?;
            let op = Some(op);
            Expression::Assign { op, target, value }
        }
        Expression::Unary { op, operand } => match op {
            UnaryOp::Negate => {
                let kind = word_kind(stage, machine, operand)?;
                let operand = with(stage, BinaryOp::BitOr, operand, kind, &IBig::ONE);
                Expression::Unary { op, operand }
            }
            UnaryOp::Increment => unary(UnaryOp::Decrement, operand),
            UnaryOp::Decrement => unary(UnaryOp::Increment, operand),
            UnaryOp::PostIncrement => unary(UnaryOp::PostDecrement, operand),
            UnaryOp::PostDecrement => unary(UnaryOp::PostIncrement, operand),
            _ => return None,
        },
        Expression::Index { base, index } => {
            let length = length(machine, base)?;
            let kind = word_kind(stage, machine, index)?;
            let index = with(stage, BinaryOp::Mod, index, kind, &IBig::from(length));
            Expression::Index { base, index }
        }
        _ => return None,
    };
    let new = stage.add(new);
    stage.owner = outer;
    Some(new)
}

fn unary(op: UnaryOp, operand: ExpressionId) -> Expression {
    Expression::Unary { op, operand }
}

/// `operand op number`
fn with(
    stage: &mut Stage,
    op: BinaryOp,
    left: ExpressionId,
    kind: Elementary,
    number: &IBig,
) -> ExpressionId {
    let right = stage.word(kind, number);
    stage.add(Expression::Binary { op, left, right })
}

/// A right operand under which the operation has a value.
fn operand(
    stage: &mut Stage,
    machine: &Paused,
    op: BinaryOp,
    right: ExpressionId,
    failed: &Failed,
) -> Option<ExpressionId> {
    let (kind, left, value) = failed.operands.as_ref()?;
    let own = word_kind(stage, machine, right);
    match (failed.fault, op) {
        (Fault::Division, _) => Some(with(stage, BinaryOp::BitOr, right, own?, &IBig::ONE)),
        // The least number divided by -1.
        (Fault::Overflow, BinaryOp::Div) => {
            Some(with(stage, BinaryOp::BitAnd, right, own?, &IBig::from(7)))
        }
        (Fault::Overflow, _) => {
            let limit = limit(op, *kind, left, value)?;
            let modulus = limit + IBig::ONE;
            let Some(own) = own else {
                // A literal without a type.
                let rest = u64::try_from(&(value % modulus)).ok()?;
                let literal = Literal::Number {
                    value: rest,
                    negative: false,
                };
                return Some(stage.add(Expression::Literal(literal)));
            };
            let (_, greatest) = range(own);
            let modulus = modulus.min(greatest);
            Some(with(stage, BinaryOp::Mod, right, own, &modulus))
        }
        _ => None,
    }
}

/// How far from zero the right operand may be, on its side of it.
fn limit(op: BinaryOp, kind: Elementary, left: &IBig, right: &IBig) -> Option<IBig> {
    let (least, greatest) = range(kind);
    let is_below = *right < IBig::ZERO;
    Some(match op {
        BinaryOp::Add if is_below => left - least,
        BinaryOp::Add => greatest - left,
        BinaryOp::Sub if is_below => greatest - left,
        BinaryOp::Sub => left - least,
        BinaryOp::Mul => match *left == IBig::ZERO {
            true => return None,
            false => greatest / left.abs(),
        },
        BinaryOp::Power => {
            let mut exponent = IBig::ZERO;
            let mut power = left.clone();
            while holds(kind, &power) && exponent < IBig::from(256) {
                power *= left;
                exponent += IBig::ONE;
            }
            exponent
        }
        _ => return None,
    })
}

/// The type of a term; nothing of a literal without one.
fn word_kind(stage: &Stage, machine: &Paused, id: ExpressionId) -> Option<Elementary> {
    machine.form(id).word(stage.types())
}

/// How many elements a place has.
fn length(machine: &Paused, base: ExpressionId) -> Option<u32> {
    match machine.form(base) {
        Form::Composite(Type::Array { length, .. }) => *length,
        Form::Elementary(kind) if kind.family() == Family::FixedBytes => {
            Some(u32::from(kind.size()))
        }
        _ => None,
    }
}
