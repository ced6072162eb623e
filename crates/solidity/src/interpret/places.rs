//! Where values are put: local variables, storage, and parts of objects in
//! memory; what assignments, `delete`, `push` and `pop` do to them.

use dashu_int::IBig;

use super::data::{Key, ObjectId, Path, Step, Value};
use super::effects::Touched;
use super::expressions::{UNTYPED, word};
use super::machine::{Machine, Order, Stop};
use super::number::{Fault, wrapped};
use crate::ast::{BinaryOp, Expression, ExpressionId, Type, VariableId};
use crate::types::{Elementary, Location};
use crate::typing::Form;

/// Where a value can be put.
#[derive(Clone, Debug)]
pub(super) enum Place {
    Local(VariableId),
    Storage(Path),
    /// A part of an object in memory.
    Object(ObjectId, usize),
    /// Something in calldata, which nobody changes.
    Fixed(Value),
}

impl Machine<'_> {
    pub(super) fn assign(
        &mut self,
        op: Option<BinaryOp>,
        target: ExpressionId,
        value: ExpressionId,
    ) -> Result<Value, Stop> {
        if let Expression::Tuple(targets) = &self.types.ast[target] {
            return self.assign_several(targets, value);
        }
        let (to, from) = (self.form(target).clone(), self.form(value).clone());
        let value = self.evaluate(value)?;
        let place = self.before(&value, |machine| machine.place(target))?;
        let value = match op {
            None => {
                let value = self.converted(value, &from, &to)?;
                match place {
                    Place::Storage(_) => self.stored(value, &from, &to)?,
                    _ => value,
                }
            }
            Some(op) => {
                let old = self.read(&place, target)?;
                let result = self.operation(op, (old, &to), (value, &from))?;
                let kind = to.word(self.types).ok_or(UNTYPED)?;
                Value::Word(wrapped(kind, &result))
            }
        };
        self.write(&place, value.clone())?;
        match value {
            Value::Word(_) => Ok(value),
            _ => self.read(&place, target),
        }
    }

    /// An array as storage of another element type or length takes it.
    fn stored(&self, value: Value, from: &Form, to: &Form) -> Result<Value, Stop> {
        let (
            Form::Composite(Type::Array { element, .. }),
            Form::Composite(Type::Array {
                element: other,
                length,
            }),
        ) = (from, to)
        else {
            return Ok(value);
        };
        if from == to {
            return Ok(value);
        }
        let Value::Parts(parts) = self.whole(&value)? else {
            return Err(UNTYPED);
        };
        let (from, to) = (Form::of(self.types, *element), Form::of(self.types, *other));
        let mut stored = Vec::with_capacity(parts.len());
        for part in parts {
            let part = self.converted(part, &from, &to)?;
            stored.push(self.stored(part, &from, &to)?);
        }
        if let Some(length) = length {
            stored.resize(*length as usize, self.types.zero(*other));
        }
        Ok(Value::Parts(stored))
    }

    /// `(a, , b) = …`: all values, then all places, then the assignments, of
    /// which the language leaves the order open.
    fn assign_several(
        &mut self,
        targets: &[Option<ExpressionId>],
        value: ExpressionId,
    ) -> Result<Value, Stop> {
        let values = self.several(value)?;
        let mut assigned = Vec::with_capacity(values.len());
        for (target, (from, value)) in targets.iter().zip(values) {
            if let Some(target) = target {
                let to = self.form(*target).clone();
                let value = self.converted(value, &from, &to)?;
                let place = self.before(&value, |machine| machine.place(*target))?;
                let value = match place {
                    Place::Storage(_) => self.stored(value, &from, &to)?,
                    _ => self.settled(&place, value)?,
                };
                assigned.push((place, value));
            }
        }
        if self.run.order == Order::RightFirst {
            assigned.reverse();
        }
        for (place, value) in assigned {
            self.write(&place, value)?;
        }
        Ok(Value::Parts(Vec::new()))
    }

    pub(super) fn delete(&mut self, operand: ExpressionId) -> Result<Value, Stop> {
        let form = self.form(operand).clone();
        let place = self.place(operand)?;
        let zero = match form {
            Form::Elementary(kind) if kind.is_reference() => Value::Bytes(Vec::new()),
            Form::Composite(kind) => self.types.zero_of(kind),
            _ => Value::Word(IBig::ZERO),
        };
        match place {
            // What mappings hold stays.
            Place::Storage(path) => self.store(&path, |old| cleared(old, zero))?,
            place => self.write(&place, zero)?,
        }
        Ok(Value::Parts(Vec::new()))
    }

    pub(super) fn place(&mut self, id: ExpressionId) -> Result<Place, Stop> {
        let ast = self.types.ast;
        match &ast[id] {
            Expression::Variable(id) if self.is_state(*id) => Ok(Place::Storage(Path::to(*id))),
            Expression::Variable(id) => Ok(Place::Local(*id)),
            Expression::Member { base, field } => {
                let Form::Composite(Type::Struct(id)) = *self.form(*base) else {
                    return Err(UNTYPED);
                };
                let mut fields = ast[id].fields.iter();
                let at = fields.position(|own| own == field).ok_or(UNTYPED)?;
                part_of(self.evaluate(*base)?, at)
            }
            Expression::Index { base, index } => self.element(*base, *index),
            Expression::Grow(array) => self.grow(*array),
            _ => Err(Stop::Unknown("an assignment to something else")),
        }
    }

    fn element(&mut self, base: ExpressionId, index: ExpressionId) -> Result<Place, Stop> {
        let form = self.form(base).clone();
        let container = self.evaluate(base)?;
        let at = self.evaluate(index)?;
        self.element_of(container, form, at, index)
    }

    /// The element of a container that is evaluated.
    fn element_of(
        &mut self,
        container: Value,
        form: Form,
        at: Value,
        index: ExpressionId,
    ) -> Result<Place, Stop> {
        if let Form::Composite(Type::Mapping { key, .. }) = form {
            let Value::Storage(path) = container else {
                return Err(UNTYPED);
            };
            let from = self.form(index).clone();
            let at = self.converted(at, &from, &Form::of(self.types, key))?;
            let key = match self.whole(&at)? {
                Value::Word(word) => Key::Word(word),
                Value::Bytes(bytes) => Key::Bytes(bytes),
                _ => return Err(UNTYPED),
            };
            return Ok(Place::Storage(path.then(Step::Key(key))));
        }
        let length = self.length(&container)?;
        let at = usize::try_from(&word(at)?).ok().filter(|at| *at < length);
        part_of(container, at.ok_or(Stop::Fault(Fault::Index))?)
    }

    pub(super) fn length(&self, container: &Value) -> Result<usize, Stop> {
        match self.contents(container)? {
            Value::Parts(parts) => Ok(parts.len()),
            Value::Bytes(bytes) => Ok(bytes.len()),
            _ => Err(UNTYPED),
        }
    }

    fn contents(&self, container: &Value) -> Result<Value, Stop> {
        match container {
            Value::Storage(path) => self.load(path),
            Value::Memory(object) => {
                self.note_read(|| Touched::Object(*object));
                Ok(self.run.heap[object.0].clone())
            }
            Value::Calldata(whole) => Ok((**whole).clone()),
            other => Ok(other.clone()),
        }
    }

    pub(super) fn read(&self, place: &Place, id: ExpressionId) -> Result<Value, Stop> {
        match place {
            Place::Local(variable) => {
                self.note_read(|| Touched::Local(self.run.frames.len(), *variable));
                let frame = self.run.frames.last().ok_or(UNTYPED)?;
                frame.locals.get(variable).cloned().ok_or(UNTYPED)
            }
            Place::Storage(path) => match self.form(id).is_word(self.types) {
                true => self.load(path),
                false => Ok(Value::Storage(path.clone())),
            },
            Place::Object(object, at) => {
                self.note_read(|| Touched::Object(*object));
                match &self.run.heap[object.0] {
                    Value::Parts(parts) => parts.get(*at).cloned().ok_or(UNTYPED),
                    Value::Bytes(bytes) => Ok(Value::Word(IBig::from(bytes[*at]))),
                    _ => Err(UNTYPED),
                }
            }
            Place::Fixed(value) => Ok(value.clone()),
        }
    }

    /// A value as a local variable or a part of an object takes it.
    fn settled(&mut self, place: &Place, value: Value) -> Result<Value, Stop> {
        match place {
            Place::Local(variable) => self.held(*variable, value),
            _ => self.memory_part(value),
        }
    }

    /// A value as a variable of a function holds it: where it has its data.
    pub(super) fn held(&mut self, variable: VariableId, value: Value) -> Result<Value, Stop> {
        match (self.types.location(variable), value) {
            (None, value)
            | (Some(Location::Storage), value @ Value::Storage(_))
            | (Some(Location::Calldata), value @ Value::Calldata(_)) => Ok(value),
            (Some(Location::Memory), value) => self.memory_part(value),
            _ => Err(Stop::Unknown("a reference to another location")),
        }
    }

    pub(super) fn write(&mut self, place: &Place, value: Value) -> Result<(), Stop> {
        match place {
            Place::Local(variable) => {
                let value = self.held(*variable, value)?;
                self.note_write(|| Touched::Local(self.run.frames.len(), *variable));
                self.frame().locals.insert(*variable, value);
                Ok(())
            }
            Place::Storage(path) => {
                let whole = self.whole(&value)?;
                self.store(path, |old| {
                    *old = whole;
                    Ok(())
                })
            }
            Place::Fixed(_) => Err(Stop::Unknown("an assignment to calldata")),
            Place::Object(object, at) => {
                let value = self.memory_part(value)?;
                self.note_write(|| Touched::Object(*object));
                match (&mut self.run.heap[object.0], value) {
                    (Value::Parts(parts), value) => parts[*at] = value,
                    (Value::Bytes(bytes), Value::Word(word)) => {
                        bytes[*at] = u8::try_from(&word).map_err(|_| UNTYPED)?;
                    }
                    _ => return Err(UNTYPED),
                }
                Ok(())
            }
        }
    }

    pub(super) fn push(&mut self, array: ExpressionId, value: ExpressionId) -> Result<Value, Stop> {
        let from = self.form(value).clone();
        let to = match self.form(array).clone() {
            Form::Composite(Type::Array { element, .. }) => Form::of(self.types, element),
            _ => Form::Elementary(Elementary::fixed_bytes(1)),
        };
        let Value::Storage(path) = self.evaluate(array)? else {
            return Err(UNTYPED);
        };
        let (value, effects) = self.observed(|machine| machine.evaluate(value))?;
        // The length is read before or after.
        if effects.writes(&self.touched_state(path.variable)) {
            return Err(Stop::Unknown("a push within a push"));
        }
        let value = self.converted(value, &from, &to)?;
        let value = self.stored(value, &from, &to)?;
        let whole = self.whole(&value)?;
        self.append(&path, whole)
    }

    /// `push()`: what is there then is zero, whatever was there before.
    fn grow(&mut self, array: ExpressionId) -> Result<Place, Stop> {
        let zero = match self.form(array).clone() {
            Form::Composite(Type::Array { element, .. }) => self.types.zero(element),
            _ => Value::Word(IBig::ZERO),
        };
        if has_mapping(&zero) {
            return Err(Stop::Unknown("a mapping in an element that is gone"));
        }
        let Value::Storage(path) = self.evaluate(array)? else {
            return Err(UNTYPED);
        };
        let length = self.length(&Value::Storage(path.clone()))?;
        self.append(&path, zero)?;
        Ok(Place::Storage(path.then(Step::Part(length))))
    }

    fn append(&mut self, path: &Path, whole: Value) -> Result<Value, Stop> {
        self.store(path, |array| match (array, whole) {
            (Value::Parts(parts), whole) => {
                parts.push(whole);
                Ok(())
            }
            (Value::Bytes(bytes), Value::Word(word)) => {
                bytes.push(u8::try_from(&word).map_err(|_| UNTYPED)?);
                Ok(())
            }
            _ => Err(UNTYPED),
        })?;
        Ok(Value::Parts(Vec::new()))
    }

    pub(super) fn pop(&mut self, array: ExpressionId) -> Result<Value, Stop> {
        let Value::Storage(path) = self.evaluate(array)? else {
            return Err(UNTYPED);
        };
        self.store(&path, |array| {
            let there = match array {
                Value::Parts(parts) => parts.pop().is_some(),
                Value::Bytes(bytes) => bytes.pop().is_some(),
                _ => return Err(UNTYPED),
            };
            match there {
                true => Ok(()),
                false => Err(Stop::Fault(Fault::Pop)),
            }
        })?;
        Ok(Value::Parts(Vec::new()))
    }
}

/// The place of a part of something larger.
fn part_of(container: Value, at: usize) -> Result<Place, Stop> {
    match container {
        Value::Storage(path) => Ok(Place::Storage(path.then(Step::Part(at)))),
        Value::Memory(object) => Ok(Place::Object(object, at)),
        Value::Calldata(whole) => match *whole {
            Value::Parts(mut parts) if at < parts.len() => {
                Ok(Place::Fixed(parts.swap_remove(at).in_calldata()))
            }
            Value::Bytes(bytes) if at < bytes.len() => {
                Ok(Place::Fixed(Value::Word(IBig::from(bytes[at]))))
            }
            _ => Err(UNTYPED),
        },
        _ => Err(UNTYPED),
    }
}

/// Puts zeros in the place of everything but mappings.
fn cleared(old: &mut Value, zero: Value) -> Result<(), Stop> {
    match (old, zero) {
        (Value::Map(_), _) => Ok(()),
        (Value::Parts(old), Value::Parts(zeros)) if old.len() == zeros.len() => {
            let mut pairs = old.iter_mut().zip(zeros);
            pairs.try_for_each(|(old, zero)| cleared(old, zero))
        }
        // Mappings in elements that are gone come back with them.
        (Value::Parts(old), _) if old.iter().any(has_mapping) => {
            Err(Stop::Unknown("a mapping in an element that is gone"))
        }
        (old, zero) => {
            *old = zero;
            Ok(())
        }
    }
}

fn has_mapping(value: &Value) -> bool {
    match value {
        Value::Map(_) => true,
        Value::Parts(parts) => parts.iter().any(has_mapping),
        _ => false,
    }
}
