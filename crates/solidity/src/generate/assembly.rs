//! Inline assembly on local variables of value types.

use lydite_core::Reject;

use super::Generator;
use crate::ast::{Statement, StatementId, VariableId, Yul, YulCall, YulOperand};
use crate::types::Family;
use crate::version::Feature;

/// Opcodes of two operands that touch nothing.
const OPCODES: [&str; 17] = [
    "add", "sub", "mul", "div", "sdiv", "mod", "smod", "and", "or", "xor", "lt", "gt", "slt", "eq",
    "byte", "signextend", "exp",
];

impl Generator<'_> {
    /// A block that computes with some variables and changes one, or memory.
    pub(super) fn assembly(&mut self) -> Result<Option<StatementId>, Reject> {
        let scope = self.frame.scope.iter().copied();
        let numbers: Vec<VariableId> = scope.filter(|&id| self.elementary_value(id)).collect();
        if numbers.is_empty() || !self.has(Feature::Assembly) {
            return self.assignment_statement();
        }
        let mut lines = Vec::new();
        if self.has(Feature::MemorySafe) && self.percent(30)? {
            lines.push(Yul::MemorySafe);
        }
        let further = self.has(Feature::YulIf);
        let function = further && self.percent(25)?;
        if function {
            let opcode = *self.choices.pick(&OPCODES)?;
            lines.push(Yul::Function(0, opcode, self.choices.below(300)?));
        }
        let many = self.choices.between(1, 3)? as u32;
        for number in 0..many {
            let call = self.yul_operation(&numbers, number)?;
            lines.push(match function && self.percent(50)? {
                true => Yul::LetOwn(number, 0, call),
                false => Yul::Let(number, call),
            });
        }
        let last = |name| YulCall {
            name,
            operands: vec![YulOperand::Local(many - 1)],
        };
        let assign = Yul::Assign(*self.choices.pick(&numbers)?, last("not"));
        let store = Yul::Store(last("not"));
        lines.push(match self.choices.below(if further { 6 } else { 2 })? {
            0 => assign,
            1 => store,
            2 | 3 => Yul::If(last("iszero"), Box::new(assign)),
            4 => Yul::For(many, self.choices.below(9)?, Box::new(assign)),
            _ => Yul::Switch(last("iszero"), Box::new(assign), Box::new(store)),
        });
        Ok(Some(self.statement(Statement::Assembly(lines))))
    }

    /// An opcode on a variable and what was computed before.
    fn yul_operation(&mut self, numbers: &[VariableId], at: u32) -> Result<YulCall, Reject> {
        let first = YulOperand::Variable(*self.choices.pick(numbers)?);
        let second = match at {
            0 => YulOperand::Number(self.choices.below(300)?),
            _ => YulOperand::Local(at - 1),
        };
        let name = *self.choices.pick(&OPCODES)?;
        Ok(YulCall {
            name,
            operands: vec![first, second],
        })
    }

    fn elementary_value(&self, id: VariableId) -> bool {
        let own = self.elementary_of(self.ast[id].kind);
        own.is_some_and(|own| matches!(self.witness_type(own).family(), Family::Uint | Family::Int))
    }
}
