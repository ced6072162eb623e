//! The rules of what the language offers without a declaration.

use super::{READING, Rules, WRITING};
use crate::ast::{Environment, ExpressionId, Intrinsic, Needs, Owner};
use crate::qualify::Relation;
use crate::types::Mutability;
use crate::version::Feature;

impl Rules<'_> {
    pub(super) fn environment(&mut self, value: Environment, owner: Owner) {
        match value {
            Environment::Data => {}
            Environment::Sender
            | Environment::This
            | Environment::Timestamp
            | Environment::Number
            | Environment::Gas => self.needs(owner, READING),
        }
    }

    pub(super) fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        operands: &[ExpressionId],
        owner: Owner,
    ) {
        let row = intrinsic.row();
        for (&operand, &kind) in operands.iter().zip(row.operands) {
            self.converts_to(operand, kind);
        }
        match row.needs {
            Needs::Nothing => {}
            Needs::Reading => self.needs(owner, READING),
            Needs::Writing => self.needs(owner, WRITING),
            Needs::Payment => self.paid(owner),
        }
    }

    /// The code of `owner` looks at what was paid. A constructor has no
    /// visibility, and neither has a function outside of contracts.
    fn paid(&mut self, owner: Owner) {
        self.needs(owner, READING);
        if !self.dialect.has(Feature::StrictMutability) {
            return;
        }
        for function in self.functions(owner) {
            let function = &self.ast[function];
            match (function.mutability, function.visibility) {
                (Some(mutability), Some(visibility)) => {
                    self.set.relate(Relation::Paid, mutability, visibility);
                }
                (Some(mutability), None) if function.contract.is_some() => {
                    self.set.restrict(mutability, Mutability::Payable.bit());
                }
                _ => {}
            }
        }
    }
}
