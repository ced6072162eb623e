//! The rules of expressions beyond the paper's figure 4.

use super::expressions::{OUTSIDE, address, composite};
use super::{Form, NOTHING, READING, Rules, Typed, WRITING};
use crate::ast::{
    Encoding, Environment, Expression, ExpressionId, FunctionId, Intrinsic, Needs, Owner, Type,
    TypeId,
};
use crate::qualify::Relation;
use crate::types::{Elementary, FIXED, Location, Mutability, NUMBERS};
use crate::version::Feature;

impl Rules<'_> {
    /// Expressions beyond figure 4.
    pub(super) fn further(&mut self, expression: &Expression, owner: Owner) -> Typed {
        match expression {
            Expression::Cast { kind, operand } => self.cast(*kind, *operand),
            Expression::Length(base) => {
                let typed = self.of(*base);
                self.restrict(*base, Elementary::BYTES.bit());
                self.through(owner, typed.location, Relation::Reads);
                self.elementary(Elementary::UINT256.bit())
            }
            Expression::Push { array, value } => {
                self.stored(*array, owner);
                if let Form::Composite(Type::Array { element, .. }) = self.of(*array).form {
                    self.converts(*value, element);
                    self.copied(self.of(*value));
                } else {
                    self.restrict(*array, Elementary::BYTES.bit());
                    self.restrict(*value, Elementary::fixed_bytes(1).bit());
                }
                NOTHING
            }
            Expression::Pop(array) => {
                self.stored(*array, owner);
                self.restrict(*array, Elementary::BYTES.bit());
                NOTHING
            }
            Expression::Grow(array) => {
                self.stored(*array, owner);
                self.restrict(*array, Elementary::BYTES.bit());
                NOTHING
            }
            Expression::EnumMember(id, _) => composite(Type::Enum(*id)),
            Expression::Wrap(id, operand) => {
                if let Form::Elementary(own) = self.of(*operand).form {
                    let underlying = self.ast[*id].underlying;
                    self.set.relate(Relation::Converts, own, underlying);
                }
                composite(Type::Value(*id))
            }
            Expression::Unwrap(id, _) => {
                let underlying = self.ast[*id].underlying;
                let used = self.fresh(self.set.domain(underlying));
                self.set.equate(underlying, used);
                Typed {
                    form: Form::Elementary(used),
                    ..NOTHING
                }
            }
            Expression::Environment(value) => self.environment(*value, owner),
            Expression::Intrinsic(intrinsic, operands) => {
                self.intrinsic(*intrinsic, operands, owner)
            }
            Expression::Limit { kind, .. } => {
                let used = self.use_of(*kind, None);
                if let Form::Elementary(own) = used.form {
                    self.set.restrict(own, NUMBERS);
                }
                used
            }
            Expression::Encode(encoding, arguments) => {
                let first = match encoding {
                    Encoding::Plain | Encoding::Packed => None,
                    Encoding::WithSelector => Some(Elementary::fixed_bytes(4)),
                    Encoding::WithSignature => Some(Elementary::STRING),
                };
                if let (Some(kind), Some(argument)) = (first, arguments.first()) {
                    self.converts_to(*argument, kind);
                }
                self.bytes_in_memory()
            }
            Expression::EncodeCall {
                function,
                arguments,
            } => {
                self.exposed(*function);
                let parameters = &self.ast[*function].parameters;
                for (&argument, &parameter) in arguments.iter().zip(parameters) {
                    self.converts(argument, self.ast[parameter].kind);
                }
                self.bytes_in_memory()
            }
            Expression::Selector(function) => {
                self.exposed(*function);
                self.elementary(Elementary::fixed_bytes(4).bit())
            }
            Expression::Keccak(data) => {
                self.restrict(*data, Elementary::BYTES.bit());
                self.elementary(Elementary::fixed_bytes(32).bit())
            }
            Expression::Concat { strings, parts } => self.concat(*strings, parts),
            Expression::Decode { data, kinds } => match kinds[..] {
                [kind] => {
                    self.restrict(*data, Elementary::BYTES.bit());
                    let location = self.located(Location::Memory);
                    self.use_of(kind, location)
                }
                _ => {
                    self.restrict(*data, Elementary::BYTES.bit());
                    NOTHING
                }
            },
            other => self.later(other, owner),
        }
    }

    /// The value converts to a type that is given.
    pub(super) fn converts_to(&mut self, value: ExpressionId, kind: Elementary) {
        if let Form::Elementary(from) = self.of(value).form {
            let to = self.fresh(kind.bit());
            self.set.relate(Relation::Converts, from, to);
        }
    }

    fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        operands: &[ExpressionId],
        owner: Owner,
    ) -> Typed {
        let row = intrinsic.row();
        for (&operand, &kind) in operands.iter().zip(row.operands) {
            self.converts_to(operand, kind);
        }
        match row.needs {
            Needs::Nothing => {}
            Needs::Reading => self.needs(owner, READING),
            Needs::Writing => self.needs(owner, WRITING),
            Needs::Payment => self.paid(owner),
        }
        match row.result.is_reference() {
            true => Typed {
                location: self.located(Location::Memory),
                ..self.elementary(row.result.bit())
            },
            false => self.elementary(row.result.bit()),
        }
    }

    /// The code of `owner` looks at what was paid. A constructor has no
    /// visibility, and neither has a function outside of contracts.
    fn paid(&mut self, owner: Owner) {
        self.needs(owner, READING);
        if !self.dialect.has(Feature::StrictMutability) {
            return;
        }
        for function in self.functions(owner) {
            let function = &self.ast[function];
            match (function.mutability, function.visibility) {
                (Some(mutability), Some(visibility)) => {
                    self.set.relate(Relation::Paid, mutability, visibility);
                }
                (Some(mutability), None) if function.contract.is_some() => {
                    self.set.restrict(mutability, Mutability::Payable.bit());
                }
                _ => {}
            }
        }
    }

    /// A function is named from outside of its contract.
    pub(super) fn exposed(&mut self, function: FunctionId) {
        if let Some(visibility) = self.ast[function].visibility {
            self.set.restrict(visibility, OUTSIDE);
        }
    }

    fn concat(&mut self, strings: bool, parts: &[ExpressionId]) -> Typed {
        let kind = match strings {
            true => Elementary::STRING,
            false => Elementary::BYTES,
        };
        let taken = match strings {
            true => kind.bit(),
            false => kind.bit() | FIXED,
        };
        for &part in parts {
            self.restrict(part, taken);
        }
        Typed {
            location: self.located(Location::Memory),
            ..self.elementary(kind.bit())
        }
    }

    pub(super) fn bytes_in_memory(&mut self) -> Typed {
        Typed {
            location: self.located(Location::Memory),
            ..self.elementary(Elementary::BYTES.bit())
        }
    }

    fn cast(&mut self, kind: TypeId, operand: ExpressionId) -> Typed {
        let typed = self.of(operand);
        if let (Form::Elementary(from), Type::Elementary(to)) = (typed.form, self.ast[kind]) {
            self.set.relate(Relation::Casts, from, to);
        }
        self.use_of(kind, typed.location)
    }

    /// Only what is in storage grows and shrinks.
    fn stored(&mut self, array: ExpressionId, owner: Owner) {
        if let Some(location) = self.of(array).location {
            self.set.restrict(location, Location::Storage.bit());
        }
        self.needs(owner, WRITING);
    }

    fn environment(&mut self, value: Environment, owner: Owner) -> Typed {
        if value == Environment::Data {
            return Typed {
                location: self.located(Location::Calldata),
                ..self.elementary(Elementary::BYTES.bit())
            };
        }
        self.needs(owner, READING);
        match value {
            Environment::Sender => {
                let payable = self.dialect.has(Feature::PayableSender);
                self.elementary(address(payable))
            }
            Environment::This => self.elementary(address(false)),
            _ => self.elementary(Elementary::UINT256.bit()),
        }
    }
}
