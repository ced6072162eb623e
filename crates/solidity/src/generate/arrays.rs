//! Arrays and bytes: new ones, and parts of those that are there.

use lydite_core::Reject;

use super::context::ANYWHERE;
use super::options::Part;
use super::types::Wanted;
use super::{Generator, Intent};
use crate::ast::{Expression, ExpressionId, Type};
use crate::types::{Domain, Elementary, FIXED, Family, Location};
use crate::version::Feature;

impl Generator<'_> {
    /// A length, or a byte of something.
    pub(super) fn part_of_bytes(
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

    /// `new T[](n)`
    pub(super) fn fresh_array(
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

    /// `[a, a]`, of exactly the wanted type.
    pub(super) fn inline_array(
        &mut self,
        wanted: Wanted,
        within: Domain,
        depth: u32,
    ) -> Result<Option<ExpressionId>, Reject> {
        let Wanted::Type(kind) = wanted else {
            return Ok(None);
        };
        let Type::Array {
            element,
            length: Some(length),
        } = self.ast[kind]
        else {
            return Ok(None);
        };
        if !self.allows(Part::Slices)
            || within & Location::Memory.bit() == 0
            || self.is_reference(element)
            || self.elementary_of(element).is_none()
        {
            return Ok(None);
        }
        let accesses = self.accesses(false, |kind, _, _| self.same_type(kind, element));
        if accesses.is_empty() {
            return Ok(None);
        }
        let access = *self.choices.pick(&accesses)?;
        let mut elements = Vec::new();
        for _ in 0..length {
            elements.push(self.follow(access, depth.saturating_sub(1).min(1))?);
        }
        let kind = self.ast.add_type(Type::Array {
            element: access.kind,
            length: Some(length),
        });
        Ok(Some(self.expression(Expression::Inline { kind, elements })))
    }

    /// `x[a:b]` of something in calldata.
    pub(super) fn slice(
        &mut self,
        wanted: Wanted,
        within: Domain,
    ) -> Result<Option<ExpressionId>, Reject> {
        let calldata = Location::Calldata;
        let usable = self.allows(Part::Slices) && self.has(Feature::Slices);
        if !usable || within & calldata.bit() == 0 {
            return Ok(None);
        }
        let accesses = self.accesses(false, |kind, location, is_variable| {
            let plain = match self.ast[kind] {
                Type::Array {
                    element,
                    length: None,
                } => !self.is_reference(element),
                Type::Elementary(_) => true,
                _ => false,
            };
            plain && is_variable && location == calldata && self.fits(kind, wanted)
        });
        let accesses: Vec<_> = accesses
            .into_iter()
            .filter(|access| self.is_reference(access.kind))
            .collect();
        if accesses.is_empty() {
            return Ok(None);
        }
        let access = *self.choices.pick(&accesses)?;
        let base = self.follow(access, 0)?;
        let mut ends = [None, None];
        for (end, value) in ends.iter_mut().zip([1, 3]) {
            if self.percent(60)? {
                *end = Some(self.number(value));
            }
        }
        let [from, to] = ends;
        Ok(Some(self.expression(Expression::Slice { base, from, to })))
    }
}
