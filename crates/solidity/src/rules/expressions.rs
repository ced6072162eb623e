//! The rules of expressions: what each kind asks of its operands and of the
//! code it stands in, and which placeholders its type has.

use super::{Form, NOTHING, READING, Rules, Typed, WRITING};
use crate::ast::{Expression, ExpressionId, Owner, Type, Via};
use crate::qualify::Placeholder;
use crate::types::{BOOLS, Elementary, UINTS};
use crate::typing::{DataOf, KindOf, Typing, typing};
use crate::version::Feature;

impl Rules<'_> {
    pub(super) fn expression(&mut self, id: ExpressionId) -> Typed {
        self.check(id);
        let typing = self.typing(id);
        self.open(&typing)
    }

    /// What an expression asks for; its type is not among it.
    fn check(&mut self, id: ExpressionId) {
        let owner = self.ast.owners[id.0 as usize];
        match &self.ast[id] {
            Expression::Literal(_)
            | Expression::Text(..)
            | Expression::Quoted(_)
            | Expression::EnumMember(..)
            | Expression::Unwrap(..)
            | Expression::Fact(..)
            | Expression::Erc7201(_)
            | Expression::Inline { .. }
            | Expression::Tuple(_) => {}
            Expression::Variable(variable) => self.variable(*variable, owner),
            Expression::Assign { op, target, value } => self.assign(*op, *target, *value, owner),
            Expression::Binary { op, left, right } => self.binary(*op, *left, *right),
            Expression::Unary { op, operand } => self.unary(*op, *operand, owner),
            Expression::Conditional { condition, .. } => self.restrict(*condition, BOOLS),
            Expression::Call { .. }
            | Expression::CallValue { .. }
            | Expression::Operator { .. }
            | Expression::UnaryOperator { .. }
            | Expression::Getter { .. }
            | Expression::With { .. }
            | Expression::Message { .. }
            | Expression::New { .. }
            | Expression::RequireError { .. } => self.check_call(id, owner),
            Expression::Reference(function) => self.reference(*function, owner),
            Expression::ReferenceOutside(function) => {
                self.exposed(*function);
                self.needs(owner, READING);
            }
            Expression::NewArray { length, .. } => self.restrict(*length, UINTS),
            Expression::Struct { id, arguments } => self.fields(*id, arguments),
            Expression::Index { base, index } => self.index(*base, *index, owner),
            Expression::Member { base, .. } => self.looks_into(*base, owner),
            Expression::Length(base) => self.length(*base, owner),
            Expression::Push { array, value } => self.push(*array, *value, owner),
            Expression::Pop(array) | Expression::Grow(array) => self.resize(*array, owner),
            Expression::Slice { base, from, to } => self.slice(*base, [*from, *to]),
            Expression::Cast { kind, operand } => self.cast(*kind, *operand),
            Expression::Wrap(id, operand) => self.wrap(*id, *operand),
            Expression::Limit { kind, .. } => self.limit(*kind),
            Expression::Environment(value) => self.environment(*value, owner),
            Expression::Intrinsic(intrinsic, operands) => {
                self.intrinsic(*intrinsic, operands, owner)
            }
            Expression::Encode(encoding, arguments) => self.encode(*encoding, arguments),
            Expression::EncodeCall {
                function,
                arguments,
            } => self.encode_call(*function, arguments),
            Expression::Selector(function) => self.exposed(*function),
            Expression::Decode { data, .. } | Expression::Keccak(data) => {
                self.restrict(*data, Elementary::BYTES.bit())
            }
            Expression::Concat { strings, parts } => self.concat(*strings, parts),
        }
    }

    /// What a call of any kind asks for.
    fn check_call(&mut self, id: ExpressionId, owner: Owner) {
        match &self.ast[id] {
            Expression::Call {
                function,
                via,
                arguments,
            } => self.call(*function, *via, arguments, owner),
            Expression::CallValue {
                function,
                arguments,
                ..
            } => self.call(*function, Via::Name, arguments, owner),
            Expression::Operator { function, .. } | Expression::UnaryOperator { function, .. } => {
                self.calls(*function, Via::Name, owner)
            }
            Expression::Getter {
                variable,
                arguments,
                ..
            } => self.getter(*variable, arguments, owner),
            Expression::With { call, options, .. } => self.options(*call, options, owner),
            Expression::Message {
                kind,
                to,
                wei,
                data,
            } => self.message(*kind, [*to, *data], *wei, owner),
            Expression::New {
                contract,
                arguments,
            } => {
                self.constructor_arguments(*contract, arguments);
                self.needs(owner, WRITING);
            }
            Expression::RequireError {
                condition,
                signal,
                arguments,
                ..
            } => {
                self.restrict(*condition, BOOLS);
                self.signal(*signal, arguments);
            }
            _ => {}
        }
    }

    /// The typing of an expression, as far as the gaps leave it no choice.
    pub(super) fn typing(&self, id: ExpressionId) -> Typing {
        typing(self.ast, &|own, domain| self.within(own, domain), id)
    }

    /// A typing with placeholders for all that is open in it.
    pub(super) fn open(&mut self, typing: &Typing) -> Typed {
        let typed = match &typing.kind {
            KindOf::Declared(kind) => {
                let location = self.data(typing.data);
                self.use_of(*kind, location)
            }
            KindOf::Elementary(kind) => Typed {
                location: self.data(typing.data),
                ..self.elementary(kind.bit())
            },
            KindOf::Composite(kind) => Typed {
                location: self.data(typing.data),
                form: Form::Composite(*kind),
                ..NOTHING
            },
            KindOf::Address => match self.dialect.has(Feature::PayableSender) {
                true => self.elementary(Elementary::PAYABLE.bit()),
                false => self.elementary(Elementary::ADDRESS.bit()),
            },
            KindOf::Number(domain) | KindOf::Text(domain) => Typed {
                location: self.data(typing.data),
                is_literal: true,
                ..self.elementary(*domain)
            },
            KindOf::Underlying(id) => {
                let underlying = self.ast[*id].underlying;
                let used = self.fresh(self.set.domain(underlying));
                self.set.equate(underlying, used);
                Typed {
                    form: Form::Elementary(used),
                    ..NOTHING
                }
            }
            KindOf::Same(id) => self.of(*id),
            KindOf::Common(one, other) => self.join(*one, *other),
            KindOf::Element(base) => match self.of(*base).form {
                Form::Composite(Type::Array { element, .. })
                | Form::Composite(Type::Mapping { value: element, .. }) => {
                    let location = self.data(typing.data);
                    self.use_of(element, location)
                }
                _ => self.elementary(Elementary::fixed_bytes(1).bit()),
            },
            KindOf::Several(_) => NOTHING,
        };
        Typed {
            is_place: typing.is_place,
            ..typed
        }
    }

    /// Where the data of an expression is.
    fn data(&mut self, data: DataOf) -> Option<Placeholder> {
        match data {
            DataOf::Nowhere => None,
            DataOf::At(location) => self.located(location),
            DataOf::Variable(id) => self.ast[id].location,
            DataOf::Same(id) => self.of(id).location,
            // What is common is made where types are joined.
            DataOf::Common(..) => None,
        }
    }
}
