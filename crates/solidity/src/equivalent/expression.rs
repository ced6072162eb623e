//! Expressions over variables whose values are known, and their values.
//!
//! Operands have effects (`++`, `--`), so an expression is evaluated once it
//! is whole: whether an operand of `&&`, `||` or `?:` is evaluated at all
//! depends on the others. What has no value under some environment is not
//! thrown away but repaired: its operand is corrected by a further operator.

use std::fmt::Write;

use dashu_int::IBig;

use super::draw::Live;
use crate::ast::{BinaryOp, Expression, ExpressionId, FunctionId, Statement, UnaryOp};
use crate::interpret::{Fault, bits, converted};
use crate::types::{Elementary, Family};
use crate::typing::extend_forms;

/// How often an expression is repaired: each operator at most twice.
const REPAIRS: usize = 64;

/// The expression at fault, and what is wrong.
struct Broken {
    at: ExpressionId,
    fault: Fault,
    /// The function that it is in, if it is in a new one.
    within: Option<FunctionId>,
}

impl Live<'_> {
    /// The type of an expression; all that is drawn is of elementary types.
    fn kind(&self, id: ExpressionId) -> Elementary {
        let word = self.typed[id.0 as usize].form.word(self.stage.types());
        word.unwrap_or(Elementary::UINT256)
    }

    /// The value in an environment, which effects change. The depth is that
    /// of the expression, which is ours.
    fn value(&self, id: ExpressionId, values: &mut [IBig]) -> Result<IBig, Broken> {
        let here = |fault: Fault| Broken {
            at: id,
            fault,
            within: None,
        };
        let is_true = |value: &IBig| *value != IBig::ZERO;
        Ok(match &self.stage.ast[id] {
            Expression::Variable(variable) => values[variable.0 as usize].clone(),
            Expression::Literal(literal) => match literal.as_word() {
                Some((_, value)) => value,
                None => IBig::ZERO,
            },
            Expression::Unary { op, operand } => {
                let old = self.value(*operand, values)?;
                let kind = self.kind(*operand);
                let new = self.arithmetic.unary(*op, kind, &old).map_err(here)?;
                match self.stage.ast[*operand] {
                    Expression::Variable(variable) if op.assigns() => {
                        values[variable.0 as usize] = new.clone();
                    }
                    _ => {}
                }
                match op {
                    UnaryOp::PostIncrement | UnaryOp::PostDecrement => old,
                    _ => new,
                }
            }
            Expression::Binary { op, left, right } => {
                let kind = self.kind(*left);
                let left = self.value(*left, values)?;
                match op {
                    BinaryOp::And if !is_true(&left) => return Ok(IBig::ZERO),
                    BinaryOp::Or if is_true(&left) => return Ok(IBig::ONE),
                    _ => {}
                }
                let right = self.value(*right, values)?;
                let result = self.arithmetic.binary(*op, kind, &left, &right);
                result.map_err(here)?
            }
            Expression::Cast { operand, .. } => {
                let value = self.value(*operand, values)?;
                converted(self.kind(*operand), self.kind(id), &value)
            }
            Expression::Conditional { condition, yes, no } => {
                let chosen = match is_true(&self.value(*condition, values)?) {
                    true => yes,
                    false => no,
                };
                self.value(*chosen, values)?
            }
            Expression::Call {
                function,
                arguments,
                ..
            } => self.called(*function, arguments, values)?,
            // Nothing else is drawn.
            _ => IBig::ZERO,
        })
    }

    /// What a new function returns: it has effects on its parameters alone.
    fn called(
        &self,
        id: FunctionId,
        arguments: &[ExpressionId],
        values: &mut [IBig],
    ) -> Result<IBig, Broken> {
        let function = &self.stage.ast[id];
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let number = parameter.0 as usize;
            let value = self.value(*argument, values)?;
            values[number] = converted(self.kind(*argument), self.names[number].kind, &value);
        }
        let (Some(body), Some(result)) = (self.returned(function), function.results.first()) else {
            return Ok(IBig::ZERO);
        };
        let value = self.value(body, values).map_err(|broken| Broken {
            within: Some(id),
            ..broken
        })?;
        let kind = self.names[result.0 as usize].kind;
        Ok(converted(self.kind(body), kind, &value))
    }

    /// The expression, repaired until it has a value in each environment, and
    /// these values; its effects are those of the environments from now on.
    /// Nothing if that cannot be done.
    pub(super) fn settle(&mut self, mut root: ExpressionId) -> Option<(ExpressionId, Vec<IBig>)> {
        'repair: for _ in 0..REPAIRS {
            extend_forms(self.stage.types(), &mut self.typed);
            let mut after = self.environments.clone();
            let mut results = Vec::with_capacity(after.len());
            for values in &mut after {
                match self.value(root, values) {
                    Ok(value) => results.push(value),
                    Err(broken) => {
                        let repaired = self.repair(&broken)?;
                        match broken.within {
                            None => root = self.stage.renewed(root, broken.at, repaired),
                            Some(function) => self.renew_body(function, broken.at, repaired)?,
                        }
                        continue 'repair;
                    }
                }
            }
            self.environments = after;
            return Some((root, results));
        }
        None
    }

    /// Corrects what a new function returns.
    fn renew_body(
        &mut self,
        function: FunctionId,
        old: ExpressionId,
        new: ExpressionId,
    ) -> Option<()> {
        let body = self.returned(&self.stage.ast[function])?;
        let renewed = self.stage.renewed(body, old, new);
        let statement = *self.stage.ast[function].body.as_ref()?.first()?;
        self.stage.ast[statement] = Statement::Return(vec![renewed]);
        Some(())
    }

    /// What stands where something is broken.
    fn repair(&mut self, broken: &Broken) -> Option<ExpressionId> {
        let repaired = match self.stage.ast[broken.at] {
            Expression::Unary { op, operand } if op.assigns() => return Some(operand),
            Expression::Unary { operand, .. } => Expression::Unary {
                op: UnaryOp::BitNot,
                operand,
            },
            Expression::Binary { op, left, right } => Expression::Binary {
                op,
                left,
                right: self.correct(op, left, right, broken.fault)?,
            },
            _ => return None,
        };
        Some(self.stage.add(repaired))
    }

    /// A right operand that is closer to one under which there is a value.
    fn correct(
        &mut self,
        op: BinaryOp,
        left: ExpressionId,
        right: ExpressionId,
        fault: Fault,
    ) -> Option<ExpressionId> {
        if matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) {
            return None;
        }
        let kind = self.kind(left);
        let divides = matches!(op, BinaryOp::Div | BinaryOp::Mod);
        let (correction, last) = match divides {
            true => (BinaryOp::BitOr, IBig::ONE),
            false => (BinaryOp::BitAnd, IBig::ZERO),
        };
        let corrected = matches!(
            self.stage.ast[right],
            Expression::Binary { op, .. } if op == correction
        );
        if corrected || fault == Fault::Overflow && divides {
            return Some(self.stage.word(kind, &last));
        }
        let one = self.stage.word(kind, &IBig::ONE);
        Some(self.stage.add(Expression::Binary {
            op: correction,
            left: right,
            right: one,
        }))
    }

    /// The text of an expression, with every parenthesis.
    pub(super) fn text(&self, id: ExpressionId) -> String {
        let mut text = String::new();
        self.print(id, &mut text);
        text
    }

    fn print(&self, id: ExpressionId, text: &mut String) {
        match &self.stage.ast[id] {
            Expression::Variable(variable) => {
                text.push_str(&self.names[variable.0 as usize].name);
            }
            Expression::Literal(literal) => {
                if let Some((kind, value)) = literal.as_word() {
                    print_literal(kind, &value, text);
                }
            }
            Expression::Unary { op, operand } => {
                let (before, behind) = op.sign();
                let _ = write!(text, "({before}");
                self.print(*operand, text);
                let _ = write!(text, "{behind})");
            }
            Expression::Binary { op, left, right } => {
                text.push('(');
                self.print(*left, text);
                let _ = write!(text, " {} ", op.sign());
                self.print(*right, text);
                text.push(')');
            }
            Expression::Cast { kind, operand } => {
                if let Some(kind) = self.stage.types().word(*kind) {
                    text.push_str(&kind.name());
                }
                text.push('(');
                self.print(*operand, text);
                text.push(')');
            }
            Expression::Conditional { condition, yes, no } => {
                text.push('(');
                self.print(*condition, text);
                text.push_str(" ? ");
                self.print(*yes, text);
                text.push_str(" : ");
                self.print(*no, text);
                text.push(')');
            }
            Expression::Call {
                function,
                arguments,
                ..
            } => {
                text.push_str(&self.function_name(*function));
                text.push('(');
                for (at, argument) in arguments.iter().enumerate() {
                    text.push_str(if at > 0 { ", " } else { "" });
                    self.print(*argument, text);
                }
                text.push(')');
            }
            // Nothing else is drawn.
            _ => {}
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
    use crate::ast::VariableId;
    use crate::equivalent::draw::{Name, vocabulary};
    use crate::interpret::Arithmetic;

    const CHECKED: Arithmetic = Arithmetic {
        checked: true,
        shift_rounds_down: true,
    };

    const BYTE: Elementary = Elementary::uint(8);

    /// With variables `x` and `y` that were seen with these values.
    fn check(seen: [(u8, u8); 2], test: impl FnOnce(&mut Live<'_>)) {
        let name = |name: &str| Name {
            name: name.to_string(),
            kind: BYTE,
        };
        let environments = seen.map(|(x, y)| vec![IBig::from(x), IBig::from(y)]);
        let vocabulary = vocabulary("0.8.20").unwrap();
        let names = vec![name("x"), name("y")];
        test(&mut Live::new(
            names,
            environments.to_vec(),
            CHECKED,
            &vocabulary,
            "z_0",
        ));
    }

    fn variable(live: &mut Live<'_>, number: u32) -> ExpressionId {
        live.stage.add(Expression::Variable(VariableId(number)))
    }

    /// An operator between `x` and `y`, the values of both, the text after
    /// repair and its values.
    #[test]
    fn operands_without_a_result_are_corrected() {
        for (op, seen, text, expected) in [
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
            check(seen, |live| {
                let (left, right) = (variable(live, 0), variable(live, 1));
                let root = live.stage.add(Expression::Binary { op, left, right });
                let (root, values) = live.settle(root).unwrap();
                let values_expected = expected.map(IBig::from).to_vec();
                assert_eq!((live.text(root).as_str(), values), (text, values_expected));
            });
        }
    }

    #[test]
    fn effects_happen_only_where_an_operand_is_evaluated() {
        check([(0, 0), (1, 0)], |live| {
            let unequal = |live: &mut Live<'_>, left: ExpressionId| {
                let right = live.stage.word(BYTE, &IBig::ZERO);
                let op = BinaryOp::Unequal;
                live.stage.add(Expression::Binary { op, left, right })
            };
            let left = variable(live, 0);
            let left = unequal(live, left);
            let (op, operand) = (UnaryOp::PostIncrement, variable(live, 1));
            let right = live.stage.add(Expression::Unary { op, operand });
            let right = unequal(live, right);
            let op = BinaryOp::And;
            let both = live.stage.add(Expression::Binary { op, left, right });
            let (both, values) = live.settle(both).unwrap();
            assert_eq!(values, [IBig::ZERO, IBig::ZERO]);
            assert_eq!(live.environments[0][1], IBig::ZERO);
            assert_eq!(live.environments[1][1], IBig::ONE);
            assert_eq!(live.text(both), "((x != uint8(0)) && ((y++) != uint8(0)))");
        });
    }
}
