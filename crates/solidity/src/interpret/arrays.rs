//! Arrays and bytes that are new, and parts of those that are there.

use super::data::{ObjectId, Value};
use super::effects::After;
use super::expressions::{UNTYPED, word};
use super::keccak::big_endian;
use super::machine::{Machine, Reason, Stop};
use crate::ast::{ExpressionId, Type, TypeId};
use crate::typing::Form;

/// The longest array that is made: the memory of a larger one costs much gas.
const NEW_ELEMENTS: usize = 1_000;

impl Machine<'_> {
    /// `base[from:to]`: what is beyond the end is refused.
    pub(super) fn slice(
        &mut self,
        base: ExpressionId,
        from: Option<ExpressionId>,
        to: Option<ExpressionId>,
    ) -> Result<Value, Stop> {
        let members: Vec<ExpressionId> = [Some(base), from, to].into_iter().flatten().collect();
        let values = self.list(&members, After::Passed)?;
        let mut values = values.into_iter();
        let Some(Value::Calldata(whole)) = values.next() else {
            return Err(UNTYPED);
        };
        let length = self.length(&whole)?;
        let mut end = |given: Option<ExpressionId>, otherwise: usize| match given {
            Some(_) => Ok(usize::try_from(&word(values.next().ok_or(UNTYPED)?)?).ok()),
            None => Ok(Some(otherwise)),
        };
        let (from, to) = (end(from, 0)?, end(to, length)?);
        let refused = Stop::Revert(Reason::Silent);
        let (Some(from), Some(to)) = (from, to) else {
            return Err(refused);
        };
        if from > to || to > length {
            return Err(refused);
        }
        let part = match *whole {
            Value::Bytes(bytes) => Value::Bytes(bytes[from..to].to_vec()),
            Value::Parts(parts) => Value::Parts(parts[from..to].to_vec()),
            _ => return Err(UNTYPED),
        };
        Ok(part.in_calldata())
    }

    /// `[a, b]`: in memory, and each element has its type.
    pub(super) fn inline(
        &mut self,
        kind: TypeId,
        elements: &[ExpressionId],
    ) -> Result<Value, Stop> {
        let Type::Array { element, .. } = self.types.ast[kind] else {
            return Err(UNTYPED);
        };
        let to = Form::of(self.types, element);
        let values = self.list(elements, After::Passed)?;
        let mut parts = Vec::with_capacity(values.len());
        for (element, value) in elements.iter().zip(values) {
            let from = self.form(*element).clone();
            let value = self.converted(value, &from, &to)?;
            parts.push(self.memory_part(value)?);
        }
        self.run.heap.push(Value::Parts(parts));
        Ok(Value::Memory(ObjectId(self.run.heap.len() - 1)))
    }

    pub(super) fn new_array(&mut self, kind: TypeId, length: ExpressionId) -> Result<Value, Stop> {
        let length = word(self.evaluate(length)?)?;
        let length = usize::try_from(&length)
            .ok()
            .filter(|length| *length <= NEW_ELEMENTS);
        let length = length.ok_or(Stop::TooLong)?;
        let whole = match self.types.ast[kind] {
            Type::Array { element, .. } => Value::Parts(vec![self.types.zero(element); length]),
            Type::Elementary(_) => Value::Bytes(vec![0; length]),
            Type::Mapping { .. }
            | Type::Struct(_)
            | Type::Contract(_)
            | Type::Enum(_)
            | Type::Value(_)
            | Type::Function(_) => return Err(UNTYPED),
        };
        Ok(self.in_memory(whole))
    }

    /// Bytes or a text, wherever it is.
    pub(super) fn bytes(&mut self, id: ExpressionId) -> Result<Vec<u8>, Stop> {
        let data = self.evaluate(id)?;
        match self.whole(&data)? {
            Value::Bytes(bytes) => Ok(bytes),
            _ => Err(UNTYPED),
        }
    }

    /// `bytes.concat(…)`, `string.concat(…)`
    pub(super) fn concat(&mut self, parts: &[ExpressionId]) -> Result<Value, Stop> {
        let mut joined = Vec::new();
        let values = self.list(parts, After::Copied)?;
        for (part, value) in parts.iter().zip(values) {
            let form = self.form(*part).clone();
            match (self.whole(&value)?, form.word(self.types)) {
                (Value::Bytes(bytes), _) => joined.extend(bytes),
                (Value::Word(word), Some(kind)) => {
                    joined.extend(big_endian(&word, usize::from(kind.size())))
                }
                _ => return Err(UNTYPED),
            }
        }
        Ok(self.in_memory(Value::Bytes(joined)))
    }
}
