//! Expressions beyond the paper's figure 4.

use lydite_core::Reject;

use super::context::ANYWHERE;
use super::options::Part;
use super::types::Wanted;
use super::{Generator, Intent};
use crate::ast::{
    Encoding, Expression, ExpressionId, Role, Type, TypeId, ValueTypeId, VariableId, Via,
};
use crate::types::{ADDRESSES, Domain, Elementary, FIXED, Family, Location};
use crate::version::Feature;

impl Generator<'_> {
    /// One of the many ways that some types have, if there is one here.
    pub(super) fn further_operation(
        &mut self,
        wanted: Wanted,
        within: Domain,
        depth: u32,
    ) -> Result<Option<ExpressionId>, Reject> {
        if matches!(wanted, Wanted::Type(_)) {
            return match self.choices.below(5)? {
                0 => self.getter(wanted, within, depth),
                1 => self.fresh_array(wanted, within, depth),
                2 => self.inline_array(wanted, within, depth),
                3 => self.slice(wanted, within),
                _ => self.operator_for(wanted, depth),
            };
        }
        match self.choices.weighted(&[2, 2, 1, 2, 3, 4, 1, 4, 1, 1])? {
            0 => self.environment(wanted, within),
            1 => self.getter(wanted, within, depth),
            2 => self.unwrap_for(wanted, depth),
            3 => self.part_of_bytes(wanted, depth),
            4 => self.encoded(wanted, within, depth),
            5 => self.intrinsic(wanted, within, depth),
            6 => self.limit(wanted),
            7 => self.fact(wanted, within),
            8 => self.slice(wanted, within),
            _ => self.operator_for(wanted, depth),
        }
    }

    /// `this.v(…)` of a state variable that can be public.
    fn getter(
        &mut self,
        wanted: Wanted,
        within: Domain,
        depth: u32,
    ) -> Result<Option<ExpressionId>, Reject> {
        let Some(contract) = self.frame.contract else {
            return Ok(None);
        };
        let usable = self.allows(Part::External) && self.frame.intent >= Intent::View;
        if !usable || self.ast[contract].kind == crate::ast::ContractKind::Library {
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
            self.witness[visibility.0 as usize] = crate::types::Visibility::Public.number();
        }
    }

    fn unwrap_for(&mut self, wanted: Wanted, depth: u32) -> Result<Option<ExpressionId>, Reject> {
        let Wanted::Elementary(to) = wanted else {
            return Ok(None);
        };
        let fitting = (0..self.ast.value_types.len() as u32)
            .map(ValueTypeId)
            .filter(|&id| {
                let own = self.witness(self.ast[id].underlying);
                self.theory
                    .holds(crate::qualify::Relation::Converts, own, to.number())
            });
        let fitting: Vec<ValueTypeId> = fitting.collect();
        if fitting.is_empty() {
            return Ok(None);
        }
        let id = *self.choices.pick(&fitting)?;
        let kind = self.ast.add_type(Type::Value(id));
        let operand = self.identifier(Wanted::Type(kind), ANYWHERE, depth - 1)?;
        Ok(Some(self.expression(Expression::Unwrap(id, operand))))
    }

    /// A length, or a byte of something.
    fn part_of_bytes(
        &mut self,
        wanted: Wanted,
        depth: u32,
    ) -> Result<Option<ExpressionId>, Reject> {
        let readable =
            |location: Location| location != Location::Storage || self.frame.intent >= Intent::View;
        let Wanted::Elementary(kind) = wanted else {
            return Ok(None);
        };
        if kind == Elementary::UINT256 {
            let accesses = self.accesses(false, |kind, location, _| {
                let dynamic = match self.ast[kind] {
                    Type::Array { length, .. } => length.is_none(),
                    Type::Elementary(own) => self.witness_type(own) == Elementary::BYTES,
                    _ => false,
                };
                dynamic && readable(location)
            });
            if accesses.is_empty() {
                return Ok(None);
            }
            let access = *self.choices.pick(&accesses)?;
            let base = self.follow(access, depth - 1)?;
            return Ok(Some(self.expression(Expression::Length(base))));
        }
        if kind.family() != Family::FixedBytes || !self.allows(Part::Bytes) {
            return Ok(None);
        }
        let accesses = self.accesses(false, |kind, location, _| {
            self.is_within(kind, FIXED)
                || self.is_within(kind, Elementary::BYTES.bit()) && readable(location)
        });
        if accesses.is_empty() {
            return Ok(None);
        }
        let access = *self.choices.pick(&accesses)?;
        let base = self.follow(access, depth - 1)?;
        let index = self.number(0);
        Ok(Some(self.expression(Expression::Index { base, index })))
    }

    /// Bytes that are made of other values.
    fn encoded(
        &mut self,
        wanted: Wanted,
        within: Domain,
        depth: u32,
    ) -> Result<Option<ExpressionId>, Reject> {
        if !self.allows(Part::Encoding) || !self.has(Feature::AbiEncode) {
            return Ok(None);
        }
        match wanted {
            Wanted::Elementary(kind)
                if kind.family() == Family::FixedBytes
                    && kind.size() >= 4
                    && self.percent(35)? =>
            {
                self.selector()
            }
            Wanted::Elementary(kind) if kind == Elementary::fixed_bytes(32) => {
                let wanted = Wanted::Elementary(Elementary::BYTES);
                let data = self.typed_value(wanted, ANYWHERE, depth - 1)?;
                Ok(Some(self.expression(Expression::Keccak(data))))
            }
            Wanted::Elementary(Elementary::BYTES) if within & Location::Memory.bit() != 0 => {
                self.encoded_bytes(depth)
            }
            Wanted::Elementary(Elementary::STRING)
                if within & Location::Memory.bit() != 0 && self.has(Feature::StringConcat) =>
            {
                let part = self.typed_value(wanted, ANYWHERE, depth - 1)?;
                let parts = vec![part];
                let strings = true;
                Ok(Some(self.expression(Expression::Concat { strings, parts })))
            }
            Wanted::Elementary(kind)
                if !kind.is_reference()
                    && self.has(Feature::AbiDecode)
                    && kind.family() != Family::Address =>
            {
                let wanted = Wanted::Elementary(Elementary::BYTES);
                let data = self.typed_value(wanted, ANYWHERE, depth - 1)?;
                if matches!(self.ast[data], Expression::Literal(_)) {
                    return Ok(None);
                }
                // An address that is decoded is payable, whatever is written.
                let domain = self.values_only() & !ADDRESSES;
                let kinds = vec![self.leaf_within(kind, domain)];
                Ok(Some(self.expression(Expression::Decode { data, kinds })))
            }
            _ => Ok(None),
        }
    }

    /// `abi.encode` and its kin, or `bytes.concat`.
    fn encoded_bytes(&mut self, depth: u32) -> Result<Option<ExpressionId>, Reject> {
        if self.has(Feature::BytesConcat) && self.percent(20)? {
            let mut parts = Vec::new();
            for _ in 0..self.choices.between(1, 2)? {
                let kind = match self.percent(70)? {
                    true => Elementary::BYTES,
                    false => self.pick_elementary(FIXED)?,
                };
                parts.push(self.typed_value(Wanted::Elementary(kind), ANYWHERE, depth - 1)?);
            }
            let strings = false;
            return Ok(Some(self.expression(Expression::Concat { strings, parts })));
        }
        if self.percent(40)?
            && let Some(call) = self.encoded_call(depth)?
        {
            return Ok(Some(call));
        }
        let (encoding, first) = *self.choices.pick(&[
            (Encoding::Plain, None),
            (Encoding::Packed, None),
            (Encoding::WithSelector, Some(Elementary::fixed_bytes(4))),
            (Encoding::WithSignature, Some(Elementary::STRING)),
        ])?;
        let mut arguments = Vec::new();
        if let Some(kind) = first {
            let known = match encoding {
                Encoding::WithSelector => self.selector()?,
                _ => None,
            };
            arguments.push(match known {
                Some(selector) => selector,
                None => self.value(Wanted::Elementary(kind), ANYWHERE, depth - 1, true)?,
            });
        }
        for _ in 0..self.choices.between(1, 2)? {
            let kind = self.pick_elementary(self.types)?;
            let wanted = Wanted::Elementary(kind);
            arguments.push(self.typed_value(wanted, ANYWHERE, depth - 1)?);
        }
        Ok(Some(
            self.expression(Expression::Encode(encoding, arguments)),
        ))
    }

    /// `new T[](n)`
    fn fresh_array(
        &mut self,
        wanted: Wanted,
        within: Domain,
        depth: u32,
    ) -> Result<Option<ExpressionId>, Reject> {
        let Wanted::Type(kind) = wanted else {
            return Ok(None);
        };
        let dynamic = matches!(self.ast[kind], Type::Array { length: None, .. });
        if !dynamic || within & Location::Memory.bit() == 0 || self.has_mapping(kind) {
            return Ok(None);
        }
        let wanted = Wanted::Elementary(Elementary::UINT256);
        let length = self.value(wanted, ANYWHERE, depth - 1, true)?;
        let kind = self.like(kind);
        Ok(Some(self.expression(Expression::NewArray { kind, length })))
    }

    /// A value without a new variable, for arguments that stand before a
    /// body.
    pub(super) fn constant_value(&mut self, wanted: Wanted) -> Result<ExpressionId, Reject> {
        let own = self.accesses(false, |kind, _, is_variable| {
            is_variable && self.fits(kind, wanted) && !self.is_reference(kind)
        });
        if !own.is_empty() && self.percent(50)? {
            let access = *self.choices.pick(&own)?;
            return self.follow(access, 0);
        }
        let literal = match wanted {
            Wanted::Elementary(kind) => self.literal(kind, ANYWHERE, true)?,
            Wanted::Type(_) => None,
        };
        literal.ok_or(Reject::NotApplicable("a type without literals"))
    }
}
