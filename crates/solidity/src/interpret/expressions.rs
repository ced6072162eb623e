//! What expressions are worth, and what they do on the way.

use dashu_int::IBig;

use super::data::{ObjectId, Value};
use super::effects::After;
use super::encode::WORD;
use super::keccak::{big_endian, keccak256, number_of};
use super::machine::{Failed, Machine, Stop};
use super::number::{Fault, converted, wrapped};
use crate::ast::{
    Expression, ExpressionId, Literal, StructId, Type, VariableId, address, letters,
    number_of_digits,
};
use crate::types::Location;
use crate::typing::Form;

pub(super) const UNTYPED: Stop = Stop::Unknown("an expression without a type");

impl Machine<'_> {
    pub(super) fn form(&self, id: ExpressionId) -> &Form {
        &self.run.typed[id.0 as usize].form
    }

    /// The value of an expression that has one; nothing is an empty tuple.
    pub(super) fn evaluate(&mut self, id: ExpressionId) -> Result<Value, Stop> {
        self.descend()?;
        let value = self.evaluated(id);
        let value = value.and_then(|value| self.in_its_place(id, value));
        self.nesting -= 1;
        if let Err(Stop::Fault(fault)) = value
            && self.failed.is_none()
        {
            let operands = self.operands.take();
            self.failed = Some(Failed {
                at: id,
                fault,
                operands,
            });
        }
        value
    }

    fn evaluated(&mut self, id: ExpressionId) -> Result<Value, Stop> {
        match &self.types.ast[id] {
            Expression::Literal(literal) => Ok(literal_value(*literal)),
            Expression::Text(notation, length) => Ok(Value::Bytes(notation.bytes(*length))),
            Expression::Quoted(bytes) => Ok(Value::Bytes(bytes.clone())),
            Expression::EnumMember(_, number) => Ok(Value::Word(IBig::from(*number))),
            Expression::Erc7201(length) => Ok(Value::Word(erc7201(*length))),
            Expression::Variable(_) | Expression::Member { .. } | Expression::Grow(_) => {
                self.read_place(id)
            }
            Expression::Index { base, index } => match self.form(*base).word(self.types) {
                Some(kind) => self.byte_of(*base, *index, kind),
                None => self.read_place(id),
            },
            Expression::Assign { op, target, value } => self.assign(*op, *target, *value),
            Expression::Binary { op, left, right } => self.binary(*op, *left, *right),
            Expression::Unary { op, operand } => self.unary(*op, *operand),
            Expression::Conditional { condition, yes, no } => {
                let chosen = if self.truth(*condition)? { yes } else { no };
                self.evaluate_like(*chosen, id)
            }
            Expression::Cast { operand, .. } => self.evaluate_cast(*operand, id),
            Expression::Wrap(_, operand) | Expression::Unwrap(_, operand) => {
                self.evaluate_like(*operand, id)
            }
            Expression::Limit { kind, largest } => self.limit(*kind, *largest),
            Expression::Call { .. }
            | Expression::CallValue { .. }
            | Expression::Getter { .. }
            | Expression::New { .. }
            | Expression::With { .. }
            | Expression::Operator { .. }
            | Expression::UnaryOperator { .. }
            | Expression::Message { .. }
            | Expression::RequireError { .. } => self.evaluate_call(id),
            Expression::Reference(function) => Ok(self.reference(*function)),
            Expression::ReferenceOutside(function) => self.reference_outside(*function),
            Expression::Selector(function) => self.selector(*function).map(digest),
            Expression::Encode(encoding, arguments) => self.encoded(*encoding, arguments),
            Expression::EncodeCall {
                function,
                arguments,
            } => self.encoded_call(*function, arguments),
            Expression::Decode { data, kinds } => self.decoded(*data, kinds),
            Expression::Keccak(data) => Ok(digest(keccak256(&self.bytes(*data)?))),
            Expression::Concat { parts, .. } => self.concat(parts),
            Expression::Struct { id, arguments } => self.structure(*id, arguments),
            Expression::Inline { kind, elements } => self.inline(*kind, elements),
            Expression::NewArray { kind, length } => self.new_array(*kind, *length),
            Expression::Slice { base, from, to } => self.slice(*base, *from, *to),
            Expression::Length(base) => self.evaluate_length(*base),
            Expression::Push { array, value } => self.push(*array, *value),
            Expression::Pop(array) => self.pop(*array),
            Expression::Tuple(parts) => self.evaluate_tuple(parts),
            Expression::Environment(what) => self.environment(*what),
            Expression::Intrinsic(intrinsic, of) => self.intrinsic(intrinsic.row().meaning, of),
            Expression::Fact(fact, contract) => self.fact(*fact, *contract),
        }
    }

    /// What a call gives: of a function here, an operator or another contract.
    fn evaluate_call(&mut self, id: ExpressionId) -> Result<Value, Stop> {
        let ast = self.types.ast;
        match &ast[id] {
            Expression::Call {
                function,
                via,
                arguments,
            } if !via.is_external() => self.call(*function, *via, arguments),
            Expression::CallValue {
                callee,
                function,
                arguments,
            } if !ast.is_external_type(*function) => self.call_value(*callee, *function, arguments),
            Expression::With { call, .. } if !self.leaves(*call) => self.evaluate(*call),
            Expression::Operator {
                function,
                left,
                right,
                ..
            } => self.invoked(*function, &[*left, *right]),
            Expression::UnaryOperator {
                function, operand, ..
            } => self.invoked(*function, &[*operand]),
            Expression::Message {
                kind,
                to,
                wei,
                data,
            } => self.message(*kind, *to, *wei, *data),
            Expression::RequireError {
                condition,
                signal,
                arguments,
                ..
            } => self.require_error(*condition, *signal, arguments),
            _ => {
                let call = self.outgoing(id)?;
                let values = self.send(call)?;
                Ok(one_or_parts(values))
            }
        }
    }

    fn read_place(&mut self, id: ExpressionId) -> Result<Value, Stop> {
        let place = self.place(id)?;
        self.read(&place, id)
    }

    fn evaluate_cast(&mut self, operand: ExpressionId, id: ExpressionId) -> Result<Value, Stop> {
        let value = self.evaluate(operand)?;
        let (from, to) = (self.form(operand).clone(), self.form(id).clone());
        self.cast(value, &from, &to)
    }

    /// A new struct in memory.
    fn structure(&mut self, id: StructId, arguments: &[ExpressionId]) -> Result<Value, Stop> {
        let ast = self.types.ast;
        let parts = self.list_for(&ast[id].fields, arguments)?;
        self.run.heap.push(Value::Parts(parts));
        Ok(Value::Memory(ObjectId(self.run.heap.len() - 1)))
    }

    fn evaluate_length(&mut self, base: ExpressionId) -> Result<Value, Stop> {
        let value = self.evaluate(base)?;
        let length = self.length(&value)?;
        Ok(Value::Word(IBig::from(length)))
    }

    fn evaluate_tuple(&mut self, parts: &[Option<ExpressionId>]) -> Result<Value, Stop> {
        let parts: Option<Vec<ExpressionId>> = parts.iter().copied().collect();
        let parts = parts.ok_or(Stop::Unknown("a tuple with a gap"))?;
        Ok(one_or_parts(self.list(&parts, After::Copied)?))
    }

    /// A value where the type of its expression has it: what two arms of a
    /// conditional have in common is in memory, wherever the chosen one is.
    fn in_its_place(&mut self, id: ExpressionId, value: Value) -> Result<Value, Stop> {
        let typed = &self.run.typed[id.0 as usize];
        match (typed.location, &value) {
            (None, _)
            | (Some(Location::Storage), Value::Storage(_))
            | (Some(Location::Memory), Value::Memory(_))
            | (Some(Location::Calldata), Value::Calldata(_)) => Ok(value),
            (Some(Location::Memory), Value::Bytes(_)) if typed.form == Form::Text => Ok(value),
            (Some(Location::Memory), _) => self.memory_part(value),
            _ => Err(Stop::Unknown("data in another location than its type says")),
        }
    }

    /// The value of one expression in the type of another.
    fn evaluate_like(&mut self, id: ExpressionId, like: ExpressionId) -> Result<Value, Stop> {
        let value = self.evaluate(id)?;
        let (from, to) = (self.form(id).clone(), self.form(like).clone());
        self.converted(value, &from, &to)
    }

    /// The value of a condition.
    pub(super) fn truth(&mut self, id: ExpressionId) -> Result<bool, Stop> {
        Ok(word(self.evaluate(id)?)? != IBig::ZERO)
    }

    /// The value as a variable takes it.
    pub(super) fn evaluate_for(
        &mut self,
        id: ExpressionId,
        variable: VariableId,
    ) -> Result<Value, Stop> {
        let value = self.evaluate(id)?;
        let form = self.form(id).clone();
        self.fitted(value, &form, variable)
    }

    /// The members of a list as variables take them: all are evaluated, then
    /// all are converted.
    pub(super) fn list_for(
        &mut self,
        variables: &[VariableId],
        members: &[ExpressionId],
    ) -> Result<Vec<Value>, Stop> {
        let values = self.list(members, After::Passed)?;
        let mut fitted = Vec::with_capacity(values.len());
        for ((variable, member), value) in variables.iter().zip(members).zip(values) {
            let form = self.form(*member).clone();
            fitted.push(self.fitted(value, &form, *variable)?);
        }
        Ok(fitted)
    }

    /// The value as a type takes it.
    pub(super) fn evaluate_as(&mut self, id: ExpressionId, to: &Form) -> Result<Value, Stop> {
        let value = self.evaluate(id)?;
        let form = self.form(id).clone();
        self.converted(value, &form, to)
    }

    /// Several values with their types: of a call or a tuple.
    pub(super) fn several(&mut self, id: ExpressionId) -> Result<Vec<(Form, Value)>, Stop> {
        let Form::Several(forms) = self.form(id).clone() else {
            return Err(UNTYPED);
        };
        match self.evaluate(id)? {
            Value::Parts(values) => Ok(forms.into_iter().zip(values).collect()),
            _ => Err(UNTYPED),
        }
    }

    /// A value converted to the type of a variable, and where it wants it.
    pub(super) fn fitted(
        &mut self,
        value: Value,
        form: &Form,
        variable: VariableId,
    ) -> Result<Value, Stop> {
        let declared = &self.types.ast[variable];
        let value = self.converted(value, form, &Form::of(self.types, declared.kind))?;
        self.held(variable, value)
    }

    /// A value as memory holds it.
    pub(super) fn memory_part(&mut self, value: Value) -> Result<Value, Stop> {
        match value {
            Value::Storage(path) => {
                let whole = self.load(&path)?;
                Ok(self.in_memory(whole))
            }
            value => Ok(self.in_memory(value)),
        }
    }

    /// An implicit conversion.
    pub(super) fn converted(&self, value: Value, from: &Form, to: &Form) -> Result<Value, Stop> {
        let Some(kind) = to.word(self.types) else {
            return Ok(value);
        };
        Ok(match (value, from.word(self.types)) {
            (Value::Word(word), Some(from)) => Value::Word(converted(from, kind, &word)),
            (Value::Bytes(mut bytes), None) if *from == Form::Text => {
                bytes.resize(usize::from(kind.size()), 0);
                Value::Word(number_of(&bytes))
            }
            (value, _) => value,
        })
    }

    pub(super) fn cast(&mut self, value: Value, from: &Form, to: &Form) -> Result<Value, Stop> {
        if let Form::Composite(Type::Enum(id)) = to {
            let word = word(value)?;
            return match word < IBig::from(self.types.ast[*id].members) && word >= IBig::ZERO {
                true => Ok(Value::Word(word)),
                false => Err(Stop::Fault(Fault::Enum)),
            };
        }
        match (&value, from, to.word(self.types)) {
            (Value::Word(word), Form::Number, Some(kind)) => Ok(Value::Word(wrapped(kind, word))),
            _ => self.converted(value, from, to),
        }
    }
}

pub(super) fn one_or_parts(mut values: Vec<Value>) -> Value {
    match values.len() {
        1 => values.remove(0),
        _ => Value::Parts(values),
    }
}

pub(super) fn known(address: &Option<IBig>) -> Result<Value, Stop> {
    let address = address
        .clone()
        .ok_or(Stop::Unknown("the address of a contract"))?;
    Ok(Value::Word(address))
}

pub(super) fn word(value: Value) -> Result<IBig, Stop> {
    match value {
        Value::Word(word) => Ok(word),
        _ => Err(UNTYPED),
    }
}

/// The bytes of a hash as a number.
fn digest<const N: usize>(bytes: [u8; N]) -> Value {
    Value::Word(number_of(&bytes))
}

fn literal_value(literal: Literal) -> Value {
    match literal {
        Literal::Bool(truth) => Value::Word(IBig::from(u8::from(truth))),
        Literal::Number { value, negative } => {
            let value = IBig::from(value);
            Value::Word(if negative { -value } else { value })
        }
        Literal::Hex { value, .. } => Value::Word(IBig::from(value)),
        Literal::Text(length) => Value::Bytes(letters(length).into()),
        Literal::Address(number) => {
            let digits = address(number).trim_start_matches("0x");
            let number = IBig::from_str_radix(digits, 16);
            Value::Word(number.expect("an address is hexadecimal"))
        }
        Literal::Word {
            digits, negative, ..
        } => {
            let value = IBig::from(number_of_digits(digits));
            Value::Word(if negative { -value } else { value })
        }
    }
}

/// Where the standard ERC-7201 has data of a name begin.
fn erc7201(length: u8) -> IBig {
    let name = number_of(&keccak256(letters(length).as_bytes()));
    let place = keccak256(&big_endian(&(name - 1), WORD));
    let place = number_of(&place);
    let low = &place - ((&place >> 8) << 8);
    place - low
}
