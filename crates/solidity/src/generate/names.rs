//! Names that several things share: overloads, and variables that hide others.

use std::collections::BTreeSet;

use lydite_core::Reject;

use super::Generator;
use super::options::Part;
use super::weights::Draw;
use crate::ast::{
    ContractId, ContractKind, Expression, FunctionId, FunctionName, Member, Owner, Statement,
    VariableId,
};
use crate::version::Feature;

impl Generator<'_> {
    /// Gives functions of one contract the same name, which have different
    /// numbers of parameters and are called by name alone.
    pub(super) fn overload(&mut self) -> Result<(), Reject> {
        if !self.allows(Part::Overloads) {
            return Ok(());
        }
        let named = self.named_otherwise();
        for number in 0..self.ast.contracts.len() as u32 {
            let contract = ContractId(number);
            let kind = self.ast[contract].kind;
            if !matches!(kind, ContractKind::Contract | ContractKind::Abstract)
                || !self.often(Draw::Overloads)?
            {
                continue;
            }
            let members = self.ast[contract].members.iter();
            let own = members.filter_map(|member| match *member {
                Member::Function(id) if self.can_share(id) && !named.contains(&id) => Some(id),
                _ => None,
            });
            let own: Vec<FunctionId> = own.collect();
            if let [first, second, ..] = own[..]
                && let (FunctionName::Named(first_name), FunctionName::Named(second_name)) =
                    (self.ast[first].name, self.ast[second].name)
                && self.ast[first].parameters.len() != self.ast[second].parameters.len()
            {
                self.ast.overloads.insert(second_name, first_name);
            }
        }
        Ok(())
    }

    fn can_share(&self, id: FunctionId) -> bool {
        let function = &self.ast[id];
        matches!(function.name, FunctionName::Named(_))
            && !function.is_virtual
            && !function.is_override
    }

    /// Functions that are more than called: their names alone have to do.
    fn named_otherwise(&self) -> BTreeSet<FunctionId> {
        let expressions = self.ast.expressions.iter();
        let named = expressions.filter_map(|expression| match expression {
            Expression::Reference(id)
            | Expression::ReferenceOutside(id)
            | Expression::Selector(id)
            | Expression::EncodeCall { function: id, .. } => Some(*id),
            // `f.value(…)` does not see the arguments, and old versions not their names.
            Expression::With {
                call,
                options,
                named,
            } if !options.is_empty() && !self.has(Feature::CallOptions)
                || *named && !self.has(Feature::NamedOverloads) =>
            {
                match &self.ast[*call] {
                    Expression::Call { function, .. } => Some(*function),
                    _ => None,
                }
            }
            _ => None,
        });
        named.chain(self.referenced.iter().copied()).collect()
    }

    /// Gives variables of functions the names of state variables that the
    /// function does not use.
    pub(super) fn shadow(&mut self) -> Result<(), Reject> {
        if !self.allows(Part::Shadowing) {
            return Ok(());
        }
        for number in 0..self.ast.functions.len() as u32 {
            let id = FunctionId(number);
            let Some(contract) = self.ast[id].contract else {
                continue;
            };
            if self.ast[id].body.is_none() || !self.often(Draw::Shadows)? {
                continue;
            }
            let own = self.variables_of(id);
            let used = self.used_by(id);
            let lineage = self.lineage(contract);
            let members = lineage.iter().flat_map(|base| &self.ast[*base].members);
            let hidden = members.filter_map(|member| match *member {
                Member::Variable(id) if !used.contains(&id) => Some(id),
                _ => None,
            });
            let hidden: Vec<VariableId> = hidden.collect();
            if own.is_empty() || hidden.is_empty() {
                continue;
            }
            let own = *self.choices.pick(&own)?;
            let hidden = *self.choices.pick(&hidden)?;
            self.ast.shadows.insert(own, hidden);
        }
        Ok(())
    }

    /// Parameters, results and local variables; none where assembly names
    /// some.
    fn variables_of(&self, id: FunctionId) -> Vec<VariableId> {
        let function = &self.ast[id];
        let mut own = function.parameters.clone();
        own.extend(&function.results);
        let owners = self.ast.statement_owners.iter();
        for (statement, owner) in self.ast.statements.iter().zip(owners) {
            if *owner != Owner::Function(id) {
                continue;
            }
            match statement {
                Statement::Declare { variables, .. } => own.extend(variables.iter().flatten()),
                Statement::Assembly(_) => return Vec::new(),
                _ => {}
            }
        }
        own
    }

    fn used_by(&self, id: FunctionId) -> BTreeSet<VariableId> {
        let owners = self.ast.owners.iter();
        let own = self.ast.expressions.iter().zip(owners);
        let own = own.filter(|(_, owner)| **owner == Owner::Function(id));
        let used = own.filter_map(|(expression, _)| match expression {
            Expression::Variable(id) => Some(*id),
            _ => None,
        });
        used.collect()
    }
}
