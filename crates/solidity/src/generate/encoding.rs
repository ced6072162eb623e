//! Bytes that are made of other values: encodings, selectors, hashes.

use lydite_core::Reject;

use super::Generator;
use super::context::ANYWHERE;
use super::options::Part;
use super::types::Wanted;
use crate::ast::{Encoding, Expression, ExpressionId};
use crate::types::{ADDRESSES, Domain, Elementary, FIXED, Family, Location};
use crate::version::Feature;

impl Generator<'_> {
    /// Bytes that are made of other values.
    pub(super) fn encoded(
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

    /// `C.f.selector` of another contract's function.
    fn selector(&mut self) -> Result<Option<ExpressionId>, Reject> {
        if !self.has(Feature::FunctionMembers) {
            return Ok(None);
        }
        let mut callees = self.callees();
        callees.retain(|callee| callee.is_other());
        if callees.is_empty() {
            return Ok(None);
        }
        let function = self.choices.pick(&callees)?.function;
        Ok(Some(self.expression(Expression::Selector(function))))
    }

    /// `abi.encodeCall` of another contract's function.
    fn encoded_call(&mut self, depth: u32) -> Result<Option<ExpressionId>, Reject> {
        if !self.has(Feature::EncodeCall) {
            return Ok(None);
        }
        let mut callees = self.callees();
        callees.retain(|callee| callee.is_other());
        if callees.is_empty() {
            return Ok(None);
        }
        let function = self.choices.pick(&callees)?.function;
        let arguments = self.arguments(function, true, depth - 1)?;
        Ok(Some(self.expression(Expression::EncodeCall {
            function,
            arguments,
        })))
    }
}
