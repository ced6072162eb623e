//! Storage and memory: what is at a place, and what is whole.

use dashu_int::IBig;

use super::data::{ObjectId, Path, Step, Value};
use super::effects::Touched;
use super::machine::{Machine, Stop};
use crate::ast::{Role, Type, TypeId, VariableId};

impl Machine<'_> {
    /// The value at a place in storage.
    pub(super) fn load(&self, path: &Path) -> Result<Value, Stop> {
        self.note_read(|| self.touched_state(path.variable));
        let mut value = self.run.storage.get(&path.variable).ok_or(UNKNOWN_PLACE)?;
        let mut kind = self.types.ast[path.variable].kind;
        for (number, step) in path.steps.iter().enumerate() {
            let part = self.types.part(kind, step);
            value = match (value, step) {
                (Value::Parts(parts), Step::Part(at)) => parts.get(*at).ok_or(GONE)?,
                (Value::Map(map), Step::Key(key)) => match map.get(key) {
                    Some(value) => value,
                    None => {
                        let part = part.ok_or(UNKNOWN_PLACE)?;
                        return self.within_zero(part, &path.steps[number + 1..]);
                    }
                },
                (Value::Bytes(bytes), Step::Part(at)) => {
                    let byte = bytes.get(*at).ok_or(GONE)?;
                    return Ok(Value::Word(IBig::from(*byte)));
                }
                _ => return Err(GONE),
            };
            kind = part.ok_or(UNKNOWN_PLACE)?;
        }
        Ok(value.clone())
    }

    /// A part of something that is zero all over.
    fn within_zero(&self, mut kind: TypeId, steps: &[Step]) -> Result<Value, Stop> {
        for step in steps {
            let is_there = match (self.types.ast[kind], step) {
                (Type::Array { length, .. }, Step::Part(at)) => {
                    length.is_some_and(|length| *at < length as usize)
                }
                (Type::Struct(_) | Type::Mapping { .. }, _) => true,
                (
                    Type::Array { .. }
                    | Type::Elementary(_)
                    | Type::Contract(_)
                    | Type::Enum(_)
                    | Type::Value(_)
                    | Type::Function(_),
                    _,
                ) => false,
            };
            let part = self.types.part(kind, step);
            kind = part.filter(|_| is_there).ok_or(GONE)?;
        }
        Ok(self.types.zero(kind))
    }

    /// Changes the value at a place in storage.
    pub(super) fn store(
        &mut self,
        path: &Path,
        change: impl FnOnce(&mut Value) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        self.note_write(|| self.touched_state(path.variable));
        let types = self.types;
        let mut kind = types.ast[path.variable].kind;
        let mut value = self
            .run
            .storage
            .get_mut(&path.variable)
            .ok_or(UNKNOWN_PLACE)?;
        for step in &path.steps {
            let part = types.part(kind, step);
            value = match (value, step) {
                (Value::Parts(parts), Step::Part(at)) => parts.get_mut(*at).ok_or(GONE)?,
                (Value::Map(map), Step::Key(key)) => {
                    let zero = types.zero(part.ok_or(UNKNOWN_PLACE)?);
                    map.entry(key.clone()).or_insert(zero)
                }
                (Value::Bytes(bytes), Step::Part(at)) => {
                    let byte = bytes.get_mut(*at).ok_or(GONE)?;
                    return change_byte(byte, change);
                }
                _ => return Err(UNKNOWN_PLACE),
            };
            kind = part.ok_or(UNKNOWN_PLACE)?;
        }
        change(value)
    }

    /// True if the variable is in storage.
    pub(super) fn is_state(&self, id: VariableId) -> bool {
        matches!(
            self.types.ast[id].role,
            Role::State(_) | Role::Constant(_) | Role::Immutable(_) | Role::Transient(_)
        )
    }

    /// Puts a whole value into memory: a reference to it.
    pub(super) fn in_memory(&mut self, value: Value) -> Value {
        let object = match value {
            Value::Parts(parts) => {
                let parts = parts.into_iter().map(|part| match part {
                    Value::Word(_) => part,
                    larger => self.in_memory(larger),
                });
                Value::Parts(parts.collect())
            }
            Value::Memory(_) | Value::Word(_) => return value,
            Value::Calldata(whole) => return self.in_memory(*whole),
            other => other,
        };
        self.run.heap.push(object);
        Value::Memory(ObjectId(self.run.heap.len() - 1))
    }

    /// A value without references.
    pub(super) fn whole(&self, value: &Value) -> Result<Value, Stop> {
        Ok(match value {
            Value::Memory(id) => {
                self.note_read(|| Touched::Object(*id));
                self.whole(&self.run.heap[id.0])?
            }
            Value::Calldata(whole) => (**whole).clone(),
            Value::Storage(path) => self.load(path)?,
            Value::Parts(parts) => {
                let parts: Result<Vec<Value>, Stop> =
                    parts.iter().map(|part| self.whole(part)).collect();
                Value::Parts(parts?)
            }
            other => other.clone(),
        })
    }
}

/// Indices are checked where they are evaluated: whoever holds on to an element
/// that is gone since then reads and writes storage that nobody owns.
const GONE: Stop = Stop::Unknown("an element that is gone");

const UNKNOWN_PLACE: Stop = Stop::Unknown("a place that is none");

fn change_byte(
    byte: &mut u8,
    change: impl FnOnce(&mut Value) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let mut value = Value::Word(IBig::from(*byte));
    change(&mut value)?;
    if let Value::Word(word) = value {
        *byte = u8::try_from(&word).map_err(|_| UNKNOWN_PLACE)?;
    }
    Ok(())
}
