//! The rules of calls: of functions, values of functions, getters, new
//! contracts, and messages without types.

use super::{READING, Rules, WRITING};
use crate::ast::{
    CallOption, ContractId, Expression, ExpressionId, FunctionId, FunctionName, Member,
    MessageKind, Owner, Type, VariableId, Via,
};
use crate::qualify::{Placeholder, Relation};
use crate::types::{
    ADDRESSES, COMPOSITE_REFERENCES, Domain, ELEMENTARY, Elementary, Location, Mutability, OUTSIDE,
    UINTS, Visibility,
};
use crate::typing::delegates;
use crate::version::Feature;

const INSIDE: Domain =
    Visibility::Public.bit() | Visibility::Private.bit() | Visibility::Internal.bit();
pub(super) const INHERITED: Domain = Visibility::Public.bit() | Visibility::Internal.bit();

impl Rules<'_> {
    /// T-Apply, S-Apply and V-Apply.
    pub(super) fn call(
        &mut self,
        function: FunctionId,
        via: Via,
        arguments: &[ExpressionId],
        owner: Owner,
    ) {
        let callee = &self.ast[function];
        // What a library brings to a type may be hidden by members of its own.
        if via == Via::Attached
            && let Some(&receiver) = arguments.first()
        {
            self.restrict(receiver, ELEMENTARY);
        }
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
    }

    /// True if it is in storage, whatever the qualifiers.
    fn is_stored(&self, location: Option<Placeholder>) -> bool {
        location.is_some_and(|location| self.set.domain(location) == Location::Storage.bit())
    }

    /// True if the call borrows the code of a library. Whether what it is
    /// given stays in storage is part of the template then.
    fn delegates(&self, function: FunctionId, via: Via) -> bool {
        delegates(
            self.ast,
            &|own, domain| self.within(own, domain),
            function,
            via,
        )
    }

    pub(super) fn contract_of(&self, owner: Owner) -> Option<ContractId> {
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
            Via::Library | Via::Attached if self.delegates(function, via) => OUTSIDE,
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
            Via::Name | Via::On(_) | Via::Super | Via::Library | Via::Attached => Relation::Calls,
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

    pub(super) fn getter(&mut self, id: VariableId, arguments: &[ExpressionId], owner: Owner) {
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
                // Getters of these take no arguments.
                Type::Elementary(_)
                | Type::Struct(_)
                | Type::Contract(_)
                | Type::Enum(_)
                | Type::Value(_)
                | Type::Function(_) => {}
            }
        }
        // Of an array it takes an index more, and of a struct it returns the fields.
        if let Type::Elementary(own) = self.ast[kind] {
            self.set.restrict(own, !COMPOSITE_REFERENCES);
        }
    }

    /// A function as a value.
    pub(super) fn reference(&mut self, function: FunctionId, owner: Owner) {
        self.visible(function, Via::Name, owner);
        // The type of an internal function is never payable.
        if let Some(mutability) = self.ast[function].mutability {
            self.set.restrict(mutability, !Mutability::Payable.bit());
        }
    }

    /// A call that is written with more words.
    pub(super) fn options(
        &mut self,
        call: ExpressionId,
        options: &[(CallOption, ExpressionId)],
        owner: Owner,
    ) {
        for &(option, value) in options {
            self.option(call, option, value);
        }
        if !options.is_empty() && !self.dialect.has(Feature::PureOptions) {
            self.needs(owner, WRITING);
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

    pub(super) fn message(
        &mut self,
        kind: MessageKind,
        [to, data]: [ExpressionId; 2],
        wei: Option<ExpressionId>,
        owner: Owner,
    ) {
        self.restrict(to, ADDRESSES);
        self.restrict(data, Elementary::BYTES.bit());
        if let Some(wei) = wei {
            self.converts_to(wei, Elementary::UINT256);
        }
        match kind {
            MessageKind::Call | MessageKind::Delegate => self.needs(owner, WRITING),
            MessageKind::Static => self.needs(owner, READING),
        }
    }

    /// A function is named from outside of its contract.
    pub(super) fn exposed(&mut self, function: FunctionId) {
        if let Some(visibility) = self.ast[function].visibility {
            self.set.restrict(visibility, OUTSIDE);
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
}
