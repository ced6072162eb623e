//! The rules of expressions.

use super::{Form, NOTHING, READING, Rules, Typed, WRITABLE, WRITING};
use crate::ast::{
    BinaryOp, ContractId, Expression, ExpressionId, FunctionId, FunctionName, Literal, Owner,
    Shape, Type, UnaryOp, VariableId, Via,
};
use crate::qualify::{Kind, Level, Placeholder, Relation};
use crate::types::{
    BOOLS, Elementary, FIXED, Location, NUMBERS, SEQUENCES, UINTS, VALUES, Visibility, holding,
    holding_text,
};
use crate::version::Feature;

const INSIDE: u128 =
    Visibility::Public.bit() | Visibility::Private.bit() | Visibility::Internal.bit();
const INHERITED: u128 = Visibility::Public.bit() | Visibility::Internal.bit();
pub(super) const OUTSIDE: u128 = Visibility::Public.bit() | Visibility::External.bit();

impl Rules<'_> {
    pub(super) fn expression(&mut self, id: ExpressionId) -> Typed {
        let owner = self.ast.owners[id.0 as usize];
        match &self.ast[id] {
            Expression::Literal(literal) => self.literal(*literal),
            Expression::Variable(variable) => self.variable(*variable, owner),
            Expression::Assign { op, target, value } => self.assign(*op, *target, *value, owner),
            Expression::Binary { op, left, right } => self.binary(*op, *left, *right),
            Expression::Unary { op, operand } => self.unary(*op, *operand, owner),
            Expression::Conditional { condition, yes, no } => {
                self.restrict(*condition, BOOLS);
                self.join(*yes, *no)
            }
            Expression::Call {
                function,
                via,
                arguments,
            } => self.call(*function, *via, arguments, owner),
            Expression::Getter {
                variable,
                arguments,
                ..
            } => self.getter(*variable, arguments, owner),
            Expression::New {
                contract,
                arguments,
            } => {
                self.constructor_arguments(*contract, arguments);
                self.needs(owner, WRITING);
                composite(Type::Contract(*contract))
            }
            Expression::NewArray { kind, length } => {
                self.restrict(*length, UINTS);
                let location = self.located(Location::Memory);
                self.use_of(*kind, location)
            }
            Expression::Struct { id, arguments } => {
                let fields = &self.ast[*id].fields;
                for (&argument, &field) in arguments.iter().zip(fields) {
                    self.converts(argument, self.ast[field].kind);
                    self.copied(self.of(argument));
                }
                Typed {
                    location: self.located(Location::Memory),
                    ..composite(Type::Struct(*id))
                }
            }
            Expression::Index { base, index } => self.index(*base, *index, owner),
            Expression::Member { base, field } => {
                let base = self.of(*base);
                self.through(owner, base.location, Relation::Reads);
                let used = self.use_of(self.ast[*field].kind, base.location);
                place(used)
            }
            other => self.further(other, owner),
        }
    }

    /// T-Lit: a literal may be of any type that holds it.
    fn literal(&mut self, literal: Literal) -> Typed {
        match literal {
            Literal::Bool(_) => self.elementary(BOOLS),
            Literal::Number { value, negative } => Typed {
                is_literal: true,
                ..self.elementary(holding(value, negative))
            },
            Literal::Hex { value, digits } => {
                let bytes = match digits % 2 {
                    0 if digits > 0 => Elementary::fixed_bytes(digits / 2).bit(),
                    _ => 0,
                };
                Typed {
                    is_literal: true,
                    ..self.elementary(holding(value, false) | bytes)
                }
            }
            Literal::Text(length) => Typed {
                location: self.located(Location::Memory),
                is_literal: true,
                ..self.elementary(SEQUENCES | holding_text(usize::from(length)))
            },
            Literal::Word { kind, .. } => self.elementary(kind.bit()),
            Literal::Address(_) => {
                let payable = self.dialect.has(Feature::PayableSender);
                self.elementary(address(payable))
            }
        }
    }

    fn variable(&mut self, id: VariableId, owner: Owner) -> Typed {
        let variable = &self.ast[id];
        let Some(_) = variable.contract() else {
            return self.use_of(variable.kind, variable.location);
        };
        if !matches!(variable.role, crate::ast::Role::Constant(_)) {
            self.needs(owner, READING);
        }
        if let Some(visibility) = variable.visibility
            && self
                .contract_of(owner)
                .is_some_and(|own| Some(own) != variable.contract())
        {
            self.set.restrict(visibility, INHERITED);
        }
        let location = self.located(Location::Storage);
        let used = self.use_of(variable.kind, location);
        place(used)
    }

    /// T-Assign and S-Assign.
    fn assign(
        &mut self,
        op: Option<BinaryOp>,
        target: ExpressionId,
        value: ExpressionId,
        owner: Owner,
    ) -> Typed {
        self.write(target, owner);
        if let (Expression::Tuple(targets), None) = (&self.ast[target], op) {
            self.assign_parts(targets, value);
            return NOTHING;
        }
        let (to, from) = (self.of(target), self.of(value));
        match op {
            Some(op) if op.shape() == Shape::Shift => {
                self.restrict(target, op.operands());
                self.restrict(value, self.shift_amounts());
            }
            Some(op) => {
                self.restrict(target, op.operands());
                self.put(from, to);
            }
            None => {
                self.put(from, to);
                match to.is_place {
                    true => self.copied(from),
                    false => self.flows(value, to.location),
                }
            }
        }
        Typed {
            is_literal: false,
            ..to
        }
    }

    /// Several places take what a tuple, a call or a decoding gives; a place
    /// may be several again.
    fn assign_parts(&mut self, targets: &[Option<ExpressionId>], value: ExpressionId) {
        let mut open = vec![(targets, value)];
        while let Some((targets, value)) = open.pop() {
            for (at, target) in targets.iter().enumerate() {
                let Some(target) = *target else { continue };
                match (&self.ast[target], &self.ast[value]) {
                    (Expression::Tuple(inner), Expression::Tuple(values)) => {
                        open.extend(values[at].map(|value| (&inner[..], value)));
                    }
                    _ => {
                        if let Some(from) = self.part(value, at) {
                            self.put(from, self.of(target));
                        }
                    }
                }
            }
        }
    }

    /// One of the values that an expression gives.
    pub(super) fn part(&mut self, value: ExpressionId, at: usize) -> Option<Typed> {
        match &self.ast[self.ast.call_of(value)] {
            Expression::Tuple(parts) => parts.get(at).copied().flatten().map(|part| self.of(part)),
            Expression::Call { function, via, .. } => {
                let result = *self.ast[*function].results.get(at)?;
                Some(self.result(*function, result, *via))
            }
            Expression::Decode { kinds, .. } => {
                let kind = *kinds.get(at)?;
                let location = self.located(Location::Memory);
                Some(self.use_of(kind, location))
            }
            // Whether it went well, and the data that came back.
            Expression::Message { .. } if at == 0 => Some(self.elementary(BOOLS)),
            Expression::Message { .. } => Some(Typed {
                location: self.located(Location::Memory),
                ..self.elementary(Elementary::BYTES.bit())
            }),
            _ => None,
        }
    }

    fn put(&mut self, from: Typed, to: Typed) {
        match (from.form, to.form) {
            (Form::Elementary(from), Form::Elementary(to)) => {
                self.set.relate(Relation::Converts, from, to);
            }
            (Form::Composite(one), Form::Composite(other)) => {
                let stored = to
                    .location
                    .is_some_and(|location| self.set.domain(location) == Location::Storage.bit());
                self.same(one, other, stored && to.is_place);
            }
            _ => {}
        }
    }

    /// The places that an expression stands for are changed.
    fn write(&mut self, target: ExpressionId, owner: Owner) {
        let mut open = vec![target];
        while let Some(target) = open.pop() {
            match &self.ast[target] {
                Expression::Tuple(parts) => open.extend(parts.iter().flatten()),
                _ => self.write_one(target, owner),
            }
        }
    }

    fn write_one(&mut self, target: ExpressionId, owner: Owner) {
        match &self.ast[target] {
            Expression::Variable(id) => {
                let variable = &self.ast[*id];
                if variable.contract().is_some() {
                    self.needs(owner, WRITING);
                } else if let Some(location) = variable.location
                    && !self.dialect.has(Feature::CalldataAssignable)
                {
                    self.set.restrict(location, WRITABLE);
                    self.keep_from_outside(*id, owner);
                } else if !self.dialect.has(Feature::ExternalAssignable) {
                    self.keep_from_outside(*id, owner);
                }
            }
            Expression::Index { base, .. } | Expression::Member { base, .. } => {
                let location = self.of(*base).location;
                if let Some(location) = location {
                    self.set.restrict(location, WRITABLE);
                }
                self.through(owner, location, Relation::Writes);
            }
            _ => {}
        }
    }

    /// What an external function is given is read-only in old compilers,
    /// wherever it is.
    fn keep_from_outside(&mut self, variable: VariableId, owner: Owner) {
        if let Owner::Function(function) = owner
            && let Some(visibility) = self.ast[function].visibility
            && self.ast[function].parameters.contains(&variable)
        {
            self.set.restrict(visibility, !Visibility::External.bit());
        }
    }

    fn shift_amounts(&self) -> u128 {
        match self.dialect.has(Feature::SignedShift) {
            true => NUMBERS,
            false => UINTS,
        }
    }

    /// T-Bop.
    fn binary(&mut self, op: BinaryOp, left: ExpressionId, right: ExpressionId) -> Typed {
        self.restrict(left, op.operands());
        match op.shape() {
            Shape::Arithmetic => {
                self.restrict(right, op.operands());
                self.join(left, right)
            }
            Shape::Shift => {
                if op == BinaryOp::Power && !self.dialect.has(Feature::SignedExponentBase) {
                    self.restrict(left, UINTS);
                }
                let amounts = match op {
                    BinaryOp::Power => UINTS,
                    _ => self.shift_amounts(),
                };
                self.restrict(right, amounts);
                self.of(left)
            }
            Shape::Comparison => {
                self.restrict(right, op.operands());
                let both_literals = self.of(left).is_literal && self.of(right).is_literal;
                if !both_literals {
                    self.join(left, right);
                }
                self.elementary(BOOLS)
            }
            Shape::Logic => {
                self.restrict(right, BOOLS);
                self.elementary(BOOLS)
            }
        }
    }

    /// The common type of two operands, and their common location. It is
    /// always one of the two.
    fn join(&mut self, one: ExpressionId, other: ExpressionId) -> Typed {
        let (one, other) = (self.of(one), self.of(other));
        let form = match (one.form, other.form) {
            (Form::Elementary(a), Form::Elementary(b)) => {
                // A literal takes the type of what stands beside it.
                match (one.is_literal, other.is_literal) {
                    (true, false) => self.set.relate(Relation::Converts, a, b),
                    (false, true) => self.set.relate(Relation::Converts, b, a),
                    _ => self.set.relate(Relation::Common, a, b),
                }
                let domain = VALUES | SEQUENCES;
                match (one.is_literal, other.is_literal) {
                    (true, false) => Form::Elementary(b),
                    (false, true) => Form::Elementary(a),
                    _ => {
                        let joined = self.fresh(domain);
                        self.set.relate(Relation::Converts, a, joined);
                        self.set.relate(Relation::Converts, b, joined);
                        // It is one of the two, and not what both widen to.
                        if self.dialect.has(Feature::SignWidening) {
                            self.set.relate(Relation::Common, a, joined);
                            self.set.relate(Relation::Common, b, joined);
                        }
                        Form::Elementary(joined)
                    }
                }
            }
            (Form::Composite(a), Form::Composite(b)) => {
                self.same(a, b, false);
                Form::Composite(a)
            }
            _ => Form::Nothing,
        };
        let location = match (one.location, other.location) {
            (Some(a), Some(b)) => {
                let domain = self.set.domain(a) | self.set.domain(b) | Location::Memory.bit();
                let joined = self.set.add(Kind::Location, Level::Expression, domain);
                let (joins, flows) = match self.stays_in_calldata(form) {
                    true => (Relation::JoinsUncopied, Relation::FlowsUncopied),
                    false => (Relation::Joins, Relation::Flows),
                };
                self.set.relate(joins, a, b);
                self.set.relate(flows, a, joined);
                self.set.relate(flows, b, joined);
                Some(joined)
            }
            _ => None,
        };
        Typed {
            form,
            location,
            ..NOTHING
        }
    }

    /// T-Uop.
    fn unary(&mut self, op: UnaryOp, operand: ExpressionId, owner: Owner) -> Typed {
        let typed = self.of(operand);
        self.restrict(operand, op.operands(self.dialect));
        if op.assigns() {
            self.write(operand, owner);
        }
        if op == UnaryOp::Delete {
            // A pointer cannot be deleted, and what is read-only neither.
            if let Some(location) = typed.location.filter(|_| !typed.is_place) {
                self.set.restrict(location, Location::Memory.bit());
            }
            return NOTHING;
        }
        Typed {
            is_place: false,
            ..typed
        }
    }

    /// T-Apply, S-Apply and V-Apply.
    pub(super) fn call(
        &mut self,
        function: FunctionId,
        via: Via,
        arguments: &[ExpressionId],
        owner: Owner,
    ) -> Typed {
        let callee = &self.ast[function];
        for (&argument, &parameter) in arguments.iter().zip(&callee.parameters) {
            let parameter = &self.ast[parameter];
            self.converts(argument, parameter.kind);
            let copied = via.is_external()
                || self.delegates(function, via) && !self.is_stored(parameter.location);
            if !copied {
                self.flows(argument, parameter.location);
            }
        }
        self.visible(function, via, owner);
        self.calls(function, via, owner);
        match callee.results[..] {
            [result] => self.result(function, result, via),
            _ => NOTHING,
        }
    }

    /// True if it is in storage, whatever the qualifiers.
    fn is_stored(&self, location: Option<Placeholder>) -> bool {
        location.is_some_and(|location| self.set.domain(location) == Location::Storage.bit())
    }

    /// True if the call borrows the code of a library. Whether what it is
    /// given stays in storage is part of the template then.
    fn delegates(&self, function: FunctionId, via: Via) -> bool {
        matches!(via, Via::Library | Via::Attached) && self.is_open(function)
    }

    pub(super) fn result(&mut self, function: FunctionId, result: VariableId, via: Via) -> Typed {
        let variable = &self.ast[result];
        let copied = via.is_external()
            || self.delegates(function, via) && !self.is_stored(variable.location);
        let location = match copied {
            true => self.located(Location::Memory),
            false => variable.location,
        };
        self.use_of(variable.kind, location)
    }

    fn contract_of(&self, owner: Owner) -> Option<ContractId> {
        match owner {
            Owner::Function(function) => self.ast[function].contract,
            Owner::Modifier(modifier) => Some(self.ast[modifier].contract),
            Owner::Initializer => None,
        }
    }

    pub(super) fn visible(&mut self, function: FunctionId, via: Via, owner: Owner) {
        let callee = &self.ast[function];
        let Some(visibility) = callee.visibility else {
            return;
        };
        if callee.name == FunctionName::Signature {
            return;
        }
        let own = self.contract_of(owner);
        let allowed = match via {
            Via::This | Via::On(_) => OUTSIDE,
            Via::Name if own == callee.contract => INSIDE,
            Via::Library | Via::Attached if self.is_open(function) => OUTSIDE,
            Via::Library | Via::Attached => INHERITED,
            Via::Name | Via::Super => INHERITED,
        };
        self.set.restrict(visibility, allowed);
    }

    pub(super) fn calls(&mut self, function: FunctionId, via: Via, owner: Owner) {
        let Some(called) = self.ast[function].mutability else {
            return;
        };
        // Another contract may be known without a look at the state.
        let relation = match via {
            Via::This => Relation::CallsExternally,
            _ => Relation::Calls,
        };
        for own in self.mutabilities(owner) {
            // A function that calls itself is as it is; only `this` is state.
            if own != called {
                self.set.relate(relation, called, own);
            } else if via == Via::This {
                self.set.restrict(own, READING);
            }
        }
    }

    fn getter(&mut self, id: VariableId, arguments: &[ExpressionId], owner: Owner) -> Typed {
        let variable = &self.ast[id];
        if let Some(visibility) = variable.visibility {
            self.set.restrict(visibility, Visibility::Public.bit());
        }
        self.needs(owner, READING);
        let mut kind = variable.kind;
        for &argument in arguments {
            match self.ast[kind] {
                Type::Array { element, .. } => {
                    self.restrict(argument, UINTS);
                    kind = element;
                }
                Type::Mapping { key, value } => {
                    self.converts(argument, key);
                    kind = value;
                }
                _ => {}
            }
        }
        let location = self.located(Location::Memory);
        self.use_of(kind, location)
    }

    /// T-Ind.
    fn index(&mut self, base: ExpressionId, index: ExpressionId, owner: Owner) -> Typed {
        let typed = self.of(base);
        self.through(owner, typed.location, Relation::Reads);
        match typed.form {
            Form::Composite(Type::Array { element, .. }) => {
                self.restrict(index, UINTS);
                let used = self.use_of(element, typed.location);
                place(used)
            }
            Form::Composite(Type::Mapping { key, value }) => {
                self.converts(index, key);
                let used = self.use_of(value, typed.location);
                place(used)
            }
            _ => {
                self.restrict(index, UINTS);
                self.restrict(base, FIXED | Elementary::BYTES.bit());
                let used = self.elementary(Elementary::fixed_bytes(1).bit());
                place(used)
            }
        }
    }
}

pub(super) fn address(payable: bool) -> u128 {
    match payable {
        true => Elementary::PAYABLE.bit(),
        false => Elementary::ADDRESS.bit(),
    }
}

pub(super) fn composite(kind: Type) -> Typed {
    Typed {
        form: Form::Composite(kind),
        ..NOTHING
    }
}

fn place(typed: Typed) -> Typed {
    Typed {
        is_place: true,
        ..typed
    }
}
