//! The rules of expressions that are neither in the paper's figure 4 nor in
//! its list of what is missing: values of functions, calls with more words,
//! notations, slices, operators of user-defined types.

use super::expressions::{OUTSIDE, composite};
use super::{NOTHING, READING, Rules, Typed, WRITING};
use crate::ast::{
    CallOption, Expression, ExpressionId, FunctionId, FunctionName, Member, MessageKind, Notation,
    Owner, Shape, Type, TypeFact, Via,
};
use crate::qualify::Relation;
use crate::types::{
    ADDRESSES, BOOLS, Elementary, Location, Mutability, SEQUENCES, UINTS, holding_text,
};
use crate::version::Feature;

/// A letter that is no ASCII takes so many bytes.
const UNICODE_BYTES: usize = 2;

impl Rules<'_> {
    pub(super) fn later(&mut self, expression: &Expression, owner: Owner) -> Typed {
        match expression {
            Expression::CallValue {
                callee: _,
                function,
                arguments,
            } => self.call(*function, Via::Name, arguments, owner),
            Expression::Reference(function) => {
                self.visible(*function, Via::Name, owner);
                // The type of an internal function is never payable.
                if let Some(mutability) = self.ast[*function].mutability {
                    self.set.restrict(mutability, !Mutability::Payable.bit());
                }
                composite(Type::Function(*function))
            }
            Expression::ReferenceOutside(function) => {
                self.exposed(*function);
                self.needs(owner, READING);
                composite(Type::Function(*function))
            }
            Expression::With { call, options, .. } => {
                for &(option, value) in options {
                    self.option(*call, option, value);
                }
                if !options.is_empty() && !self.dialect.has(Feature::PureOptions) {
                    self.needs(owner, WRITING);
                }
                self.of(*call)
            }
            Expression::Text(notation, length) => {
                let further = match notation {
                    Notation::Hex => 0,
                    Notation::Unicode => UNICODE_BYTES,
                };
                let length = usize::from(*length) + further;
                Typed {
                    location: self.located(Location::Memory),
                    is_literal: true,
                    ..self.elementary(SEQUENCES | holding_text(length))
                }
            }
            Expression::Fact(fact, _) => self.fact(*fact),
            Expression::Slice { base, from, to } => self.slice(*base, [*from, *to]),
            Expression::Inline { kind, .. } => {
                let location = self.located(Location::Memory);
                self.use_of(*kind, location)
            }
            Expression::RequireError {
                condition,
                signal,
                arguments,
            } => {
                self.restrict(*condition, BOOLS);
                self.signal(*signal, arguments);
                NOTHING
            }
            Expression::Operator {
                op, function, left, ..
            } => {
                self.calls(*function, Via::Name, owner);
                match op.shape() {
                    Shape::Comparison => self.elementary(BOOLS),
                    _ => self.of(*left),
                }
            }
            Expression::UnaryOperator {
                function, operand, ..
            } => {
                self.calls(*function, Via::Name, owner);
                self.of(*operand)
            }
            Expression::Message {
                kind,
                to,
                wei,
                data,
            } => {
                self.restrict(*to, ADDRESSES);
                self.restrict(*data, Elementary::BYTES.bit());
                if let Some(wei) = wei {
                    self.converts_to(*wei, Elementary::UINT256);
                }
                match kind {
                    MessageKind::Call | MessageKind::Delegate => self.needs(owner, WRITING),
                    MessageKind::Static => self.needs(owner, READING),
                }
                NOTHING
            }
            Expression::Erc7201(_) => self.elementary(Elementary::UINT256.bit()),
            _ => NOTHING,
        }
    }

    /// Ether goes only to what takes it.
    fn option(&mut self, call: ExpressionId, option: CallOption, value: ExpressionId) {
        let kind = match option {
            CallOption::Value | CallOption::Gas => Elementary::UINT256,
            CallOption::Salt => Elementary::fixed_bytes(32),
        };
        self.converts_to(value, kind);
        if option != CallOption::Value {
            return;
        }
        let function = match &self.ast[call] {
            Expression::Call { function, .. } => Some(*function),
            Expression::New { contract, .. } => {
                let members = self.ast[*contract].members.iter();
                let mut constructors = members.filter_map(|member| match *member {
                    Member::Function(id) => Some(id),
                    _ => None,
                });
                constructors.find(|&id| self.ast[id].name == FunctionName::Constructor)
            }
            _ => None,
        };
        if let Some(mutability) = function.and_then(|id| self.ast[id].mutability) {
            self.set.restrict(mutability, Mutability::Payable.bit());
        }
    }

    fn fact(&mut self, fact: TypeFact) -> Typed {
        let kind = match fact {
            TypeFact::InterfaceId => return self.elementary(Elementary::fixed_bytes(4).bit()),
            TypeFact::Name => Elementary::STRING,
            TypeFact::CreationCode | TypeFact::RuntimeCode => Elementary::BYTES,
        };
        Typed {
            location: self.located(Location::Memory),
            ..self.elementary(kind.bit())
        }
    }

    /// A part of what is in calldata is a pointer into the same.
    fn slice(&mut self, base: ExpressionId, ends: [Option<ExpressionId>; 2]) -> Typed {
        for end in ends.into_iter().flatten() {
            self.restrict(end, UINTS);
        }
        let typed = self.of(base);
        if let Some(location) = typed.location {
            self.set.restrict(location, Location::Calldata.bit());
        }
        Typed {
            is_place: false,
            ..typed
        }
    }

    /// A function becomes a value of a type of functions: the same types, and
    /// no promise that it does not keep.
    pub(super) fn becomes(&mut self, function: FunctionId, kind: FunctionId) -> Vec<(Type, Type)> {
        let (from, to) = (&self.ast[function], &self.ast[kind]);
        let own = from.parameters.iter().chain(&from.results);
        let others = to.parameters.iter().chain(&to.results);
        let kinds = own.zip(others).map(|(&own, &other)| {
            let (own, other) = (&self.ast[own], &self.ast[other]);
            (self.ast[own.kind], self.ast[other.kind])
        });
        let kinds: Vec<(Type, Type)> = kinds.collect();
        if let (Some(from), Some(to)) = (from.mutability, to.mutability) {
            self.set.relate(Relation::Promises, from, to);
        }
        kinds
    }

    /// True if a function of a library is called like one of another
    /// contract, whatever its qualifiers.
    pub(super) fn is_open(&self, function: FunctionId) -> bool {
        let function = &self.ast[function];
        let library = function
            .contract
            .is_some_and(|contract| self.is_library(contract));
        let visibility = function.visibility;
        library && visibility.is_some_and(|own| self.set.domain(own) & !OUTSIDE == 0)
    }
}
