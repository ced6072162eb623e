//! Getters of public state variables.

use lydite_core::Reject;

use super::context::ANYWHERE;
use super::options::Part;
use super::types::Wanted;
use super::{Generator, Intent};
use crate::ast::{ContractKind, Expression, ExpressionId, Role, Type, TypeId, VariableId, Via};
use crate::types::{Domain, Elementary, Location, Visibility};
use crate::version::Feature;

impl Generator<'_> {
    /// `this.v(…)` of a state variable that can be public.
    pub(super) fn getter(
        &mut self,
        wanted: Wanted,
        within: Domain,
        depth: u32,
    ) -> Result<Option<ExpressionId>, Reject> {
        let Some(contract) = self.frame.contract else {
            return Ok(None);
        };
        let usable = self.allows(Part::External) && self.frame.intent >= Intent::View;
        if !usable || self.ast[contract].kind == ContractKind::Library {
            return Ok(None);
        }
        let mut found: Vec<VariableId> = Vec::new();
        for (number, variable) in self.ast.variables.iter().enumerate() {
            let Role::State(owner) = variable.role else {
                continue;
            };
            // What is inherited has a getter too, but might be private.
            let near = owner == contract || !self.lineage(contract).contains(&owner);
            if near
                && variable.visibility.is_some()
                && let Some(kind) = self.got(variable.kind)
                && self.fits(kind, wanted)
                && (!self.is_reference(kind)
                    || within & Location::Memory.bit() != 0 && self.has(Feature::ReturnedData))
                && self.can_be_public(variable.kind)
            {
                found.push(VariableId(number as u32));
            }
        }
        if found.is_empty() {
            return Ok(None);
        }
        let variable = *self.choices.pick(&found)?;
        self.make_public(variable);
        let via = match self.ast[variable].contract() {
            Some(owner) if owner != contract => {
                let kind = self.ast.add_type(Type::Contract(owner));
                Via::On(self.identifier(Wanted::Type(kind), ANYWHERE, depth - 1)?)
            }
            _ => Via::This,
        };
        let mut kind = self.ast[variable].kind;
        let mut arguments = Vec::new();
        loop {
            let (wanted, next) = match self.ast[kind] {
                Type::Array { element, .. } => (Wanted::Elementary(Elementary::UINT256), element),
                Type::Mapping { key, value } => (self.wanted(key), value),
                _ => break,
            };
            arguments.push(self.value(wanted, ANYWHERE, depth.saturating_sub(1), true)?);
            kind = next;
        }
        Ok(Some(self.expression(Expression::Getter {
            variable,
            via,
            arguments,
        })))
    }

    /// What a getter returns, if that is one value of a plain type.
    fn got(&self, mut kind: TypeId) -> Option<TypeId> {
        loop {
            match self.ast[kind] {
                Type::Array { element, .. } => kind = element,
                Type::Mapping { value, .. } => kind = value,
                Type::Struct(_) | Type::Function(_) => return None,
                _ => return Some(kind),
            }
        }
    }

    /// True if the getter can take all keys on the way.
    fn can_be_public(&self, mut kind: TypeId) -> bool {
        loop {
            match self.ast[kind] {
                Type::Array { element, .. } => kind = element,
                Type::Mapping { key, .. }
                    if self.is_reference(key) && !self.has(Feature::SequenceKeyGetters) =>
                {
                    return false;
                }
                Type::Mapping { value, .. } => kind = value,
                _ => return true,
            }
        }
    }

    /// A state variable that was not restricted yet becomes public in the
    /// witness.
    fn make_public(&mut self, variable: VariableId) {
        if let Some(visibility) = self.ast[variable].visibility {
            self.witness[visibility.0 as usize] = Visibility::Public.number();
        }
    }
}
