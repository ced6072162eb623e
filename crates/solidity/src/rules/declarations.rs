//! The rules of declarations: what the scope of a placeholder leaves it.

use super::{Rules, WRITABLE};
use crate::ast::{
    ContractId, ExpressionId, FunctionId, FunctionName, Invocation, Member, Owner, Role, Type,
    TypeId, VariableId,
};
use crate::qualify::Relation;
use crate::types::{Location, MAPPINGS, OUTSIDE, REFERENCES, Visibility};
use crate::version::Feature;

impl Rules<'_> {
    pub(super) fn declarations(&mut self) {
        for function in &self.ast.functions {
            let Some(visibility) = function.visibility else {
                continue;
            };
            if let Some(mutability) = function.mutability {
                self.set.relate(Relation::Payable, mutability, visibility);
            }
            let own = function.parameters.iter().chain(&function.results);
            if own
                .into_iter()
                .any(|&variable| self.is_inner_function(self.ast[variable].kind))
            {
                self.set.restrict(visibility, !OUTSIDE);
            }
            let library = function.contract.is_some_and(|own| self.is_library(own));
            let (parameter, result) = match library {
                true => (Relation::LibraryParameter, Relation::LibraryResult),
                false => (Relation::Parameter, Relation::Result),
            };
            for (variables, relation) in [
                (&function.parameters, parameter),
                (&function.results, result),
            ] {
                for &variable in variables {
                    if let Some(location) = self.ast[variable].location {
                        self.set.relate(relation, location, visibility);
                    }
                }
            }
        }
        self.constructors();
        self.held();
        self.locals();
        self.getters();
        self.overrides();
    }

    /// What a constructor is given is in memory.
    fn constructors(&mut self) {
        for function in &self.ast.functions {
            if function.name != FunctionName::Constructor {
                continue;
            }
            for &parameter in &function.parameters {
                if let Some(location) = self.ast[parameter].location {
                    self.set.restrict(location, Location::Memory.bit());
                }
            }
        }
    }

    /// What lives in storage alone has its location there.
    fn held(&mut self) {
        for variable in &self.ast.variables {
            if let (Type::Elementary(own), Some(location)) =
                (self.ast[variable.kind], variable.location)
                && self.set.domain(own) & MAPPINGS != 0
            {
                self.set.relate(Relation::Held, own, location);
            }
        }
    }

    /// Old compilers have calldata for parameters alone.
    fn locals(&mut self) {
        if self.dialect.has(Feature::CalldataAnywhere) {
            return;
        }
        for variable in &self.ast.variables {
            if let (Role::Local, Some(location)) = (variable.role, variable.location) {
                self.set.restrict(location, WRITABLE);
            }
        }
    }

    /// A public state variable has a getter, which has to return something.
    fn getters(&mut self) {
        for variable in &self.ast.variables {
            if let Some(visibility) = variable.visibility
                && !self.has_getter(variable.kind)
            {
                self.set.restrict(visibility, !Visibility::Public.bit());
            }
        }
    }

    fn is_reference_type(&self, kind: TypeId) -> bool {
        let reference = |own| self.set.domain(own) & !REFERENCES == 0;
        self.ast.is_reference(kind, reference)
    }

    fn has_getter(&self, mut kind: TypeId) -> bool {
        loop {
            match self.ast[kind] {
                Type::Array { element, .. } => kind = element,
                Type::Mapping { key, .. }
                    if self.is_reference_type(key)
                        && !self.dialect.has(Feature::SequenceKeyGetters) =>
                {
                    return false;
                }
                Type::Mapping { value, .. } => kind = value,
                Type::Struct(id) => {
                    let omitted = |field: &VariableId| {
                        let kind = self.ast[self.ast[*field].kind];
                        matches!(kind, Type::Array { .. } | Type::Mapping { .. })
                    };
                    let inner = |field: &VariableId| self.is_inner_function(self.ast[*field].kind);
                    let fields = &self.ast[id].fields;
                    return !fields.iter().all(omitted)
                        && !fields.iter().any(inner)
                        && !self.ast.is_recursive(id);
                }
                Type::Function(id) => return self.ast.is_external_type(id),
                Type::Elementary(_) | Type::Contract(_) | Type::Enum(_) | Type::Value(_) => {
                    return true;
                }
            }
        }
    }

    /// True for the type of internal functions, which leave no contract.
    fn is_inner_function(&self, kind: TypeId) -> bool {
        matches!(self.ast[kind], Type::Function(id) if !self.ast.is_external_type(id))
    }

    /// A function and the one that it overrides: the same types and places,
    /// and no broken promise.
    fn overrides(&mut self) {
        for function in &self.ast.functions {
            let Some(base) = function.contract.filter(|_| function.is_override) else {
                continue;
            };
            for overridden in self.overridden(base, function.name) {
                let base = &self.ast[overridden];
                let own = function.parameters.iter().chain(&function.results);
                let others = base.parameters.iter().chain(&base.results);
                for (&own, &other) in own.zip(others) {
                    let (own, other) = (&self.ast[own], &self.ast[other]);
                    self.same(self.ast[own.kind], self.ast[other.kind], false);
                    if let (Some(own), Some(other)) = (own.location, other.location) {
                        self.set.equate(own, other);
                    }
                }
                if let (Some(own), Some(other)) = (function.visibility, base.visibility) {
                    self.set.relate(Relation::OverridesVisibility, own, other);
                }
                if let (Some(own), Some(other)) = (function.mutability, base.mutability) {
                    self.set.relate(Relation::OverridesMutability, own, other);
                }
            }
        }
    }

    /// The functions of that name that a contract inherits.
    fn overridden(&self, contract: ContractId, name: FunctionName) -> Vec<FunctionId> {
        let mut found = Vec::new();
        let mut bases = self.ast[contract].bases.clone();
        while let Some(base) = bases.pop() {
            bases.extend(&self.ast[base].bases);
            for member in &self.ast[base].members {
                if let Member::Function(function) = *member
                    && self.ast[function].name == name
                {
                    found.push(function);
                }
            }
        }
        found
    }

    /// Arguments of modifiers, of base constructors, and first values.
    pub(super) fn invocations(&mut self) {
        for function in &self.ast.functions {
            for (invocation, arguments) in &function.modifiers {
                match *invocation {
                    Invocation::Modifier(modifier) => {
                        let parameters = &self.ast[modifier].parameters;
                        for (&argument, &parameter) in arguments.iter().zip(parameters) {
                            let parameter = &self.ast[parameter];
                            self.converts(argument, parameter.kind);
                            self.flows(argument, parameter.location);
                        }
                    }
                    Invocation::Base(base) => self.constructor_arguments(base, arguments),
                }
            }
        }
        for variable in &self.ast.variables {
            if let Some(value) = variable.value {
                self.converts(value, variable.kind);
                // A mapping is not copied.
                if let Type::Elementary(own) = self.ast[variable.kind] {
                    self.set.restrict(own, !MAPPINGS);
                }
            }
        }
    }

    /// A constructor copies what it is given to memory.
    pub(super) fn constructor_arguments(&mut self, id: ContractId, arguments: &[ExpressionId]) {
        let constructor = self.ast[id].members.iter().find_map(|member| match member {
            Member::Function(function) if self.ast[*function].name == FunctionName::Constructor => {
                Some(&self.ast[*function])
            }
            _ => None,
        });
        let Some(constructor) = constructor else {
            return;
        };
        for (&argument, &parameter) in arguments.iter().zip(&constructor.parameters) {
            self.converts(argument, self.ast[parameter].kind);
        }
    }

    /// True for variables that stand in a function's frame.
    pub(super) fn is_local(&self, id: VariableId) -> bool {
        self.ast[id].role == Role::Local
    }

    /// The results of the function that an owner is.
    pub(super) fn results(&self, owner: Owner) -> &[VariableId] {
        match owner {
            Owner::Function(function) => &self.ast[function].results,
            Owner::Modifier(_) | Owner::Initializer => &[],
        }
    }
}
