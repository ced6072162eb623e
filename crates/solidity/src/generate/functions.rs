//! Functions: their heads first, so that they can call each other, then their
//! bodies.

use lydite_core::Reject;

use super::declarations::SIMPLE;
use super::options::Part;
use super::types::Standing;
use super::weights::Draw;
use super::{Frame, Generator, Intent};
use crate::ast::{
    ContractId, ContractKind, ExpressionId, Function, FunctionId, FunctionName, Invocation, Member,
    ModifierId, Owner, Role, TypeId, VariableId,
};
use crate::qualify::{Kind, Relation};
use crate::types::{Domain, Location, Mutability, SEQUENCES, Visibility};
use crate::version::Feature;

pub(super) const MUTABILITIES: Domain = Mutability::Pure.bit()
    | Mutability::View.bit()
    | Mutability::Payable.bit()
    | Mutability::NonPayable.bit();
pub(super) const UNPAID: Domain = MUTABILITIES & !Mutability::Payable.bit();
const MAKING: Domain = Mutability::Payable.bit() | Mutability::NonPayable.bit();
const OPEN: Domain = Visibility::Public.bit() | Visibility::External.bit();
const VISIBILITIES: Domain = Visibility::Public.bit()
    | Visibility::Private.bit()
    | Visibility::Internal.bit()
    | Visibility::External.bit();

impl Generator<'_> {
    /// The heads of all functions of a contract: they can call each other.
    pub(super) fn functions(&mut self, id: ContractId) -> Result<Vec<FunctionId>, Reject> {
        let mut functions = self.overriding(id)?;
        let bases = self.ast[id].bases.clone();
        let asked = bases.iter().any(|&base| {
            let constructor = self.constructor(base);
            constructor.is_some_and(|id| !self.ast[id].parameters.is_empty())
        });
        if asked || self.often(Draw::Constructors)? {
            functions.push(self.constructor_head(id)?);
        }
        for _ in 0..self.options.functions {
            let function = self.signature(Some(id))?;
            functions.push(function);
        }
        let twin = self.recursion(id, &functions)?;
        functions.extend(twin);
        self.pointers(id, &functions)?;
        let fresh = bases.is_empty();
        if fresh && self.allows(Part::Receive) && self.often(Draw::Fallbacks)? {
            functions.push(self.fallback(id)?);
        }
        for &function in &functions {
            self.ast[id].members.push(Member::Function(function));
        }
        Ok(functions)
    }

    pub(super) fn add_function(&mut self, function: Function, intent: Intent) -> FunctionId {
        self.ast.functions.push(function);
        self.intents.push(intent);
        FunctionId(self.ast.functions.len() as u32 - 1)
    }

    fn constructor_head(&mut self, contract: ContractId) -> Result<FunctionId, Reject> {
        let mut parameters = Vec::new();
        for _ in 0..self.choices.between(0, 2)? {
            let kind = self.pick_elementary(SIMPLE | SEQUENCES)?;
            let kind = self.leaf(kind);
            parameters.push(self.frame_variable(Role::Parameter, kind, Location::Memory));
        }
        let mutability = self.declare(Kind::Mutability, MAKING, Mutability::NonPayable.number());
        let function = Function {
            name: FunctionName::Constructor,
            contract: Some(contract),
            parameters,
            results: Vec::new(),
            visibility: None,
            mutability: Some(mutability),
            modifiers: Vec::new(),
            is_virtual: false,
            is_override: false,
            body: Some(Vec::new()),
        };
        Ok(self.add_function(function, Intent::Write))
    }

    fn fallback(&mut self, contract: ContractId) -> Result<FunctionId, Reject> {
        let receive = self.has(Feature::Receive) && self.often(Draw::Receives)?;
        let (name, domain) = match receive {
            true => (FunctionName::Receive, Mutability::Payable.bit()),
            false => (FunctionName::Fallback, MAKING),
        };
        let external = Visibility::External;
        let visibility = self.declare(Kind::Visibility, external.bit(), external.number());
        let mutability = self.declare(Kind::Mutability, domain, Mutability::Payable.number());
        let function = Function {
            name,
            contract: Some(contract),
            parameters: Vec::new(),
            results: Vec::new(),
            visibility: Some(visibility),
            mutability: Some(mutability),
            modifiers: Vec::new(),
            is_virtual: false,
            is_override: false,
            body: Some(Vec::new()),
        };
        Ok(self.add_function(function, Intent::Write))
    }

    /// The head of a new function.
    pub(super) fn signature(&mut self, contract: Option<ContractId>) -> Result<FunctionId, Reject> {
        let kind = contract.map(|contract| self.ast[contract].kind);
        let intent = self.intent()?;
        let (visibility, domain) = match kind {
            Some(ContractKind::Interface) => (Visibility::External, Visibility::External.bit()),
            Some(ContractKind::Library) => self.library_visibility()?,
            None => (Visibility::Internal, 0),
            _ => (self.any_visibility()?, VISIBILITIES),
        };
        let is_virtual = self.inherits()
            && matches!(kind, Some(ContractKind::Contract | ContractKind::Abstract))
            && self.often(Draw::Virtuals)?;
        let domain = match is_virtual {
            true => domain & !Visibility::Private.bit(),
            false => domain,
        };
        let parameters = self.frame_variables(visibility, intent)?;
        let results = self.results(visibility, intent, &parameters)?;
        if kind == Some(ContractKind::Library) && domain & OPEN != 0 {
            self.settle_storage(parameters.iter().chain(&results));
        }
        let visibility =
            (domain != 0).then(|| self.declare(Kind::Visibility, domain, visibility.number()));
        let mutabilities = match kind {
            None | Some(ContractKind::Library) => UNPAID,
            Some(_) => MUTABILITIES,
        };
        let value = Mutability::NonPayable.number();
        let mutability = self.declare(Kind::Mutability, mutabilities, value);
        let bodiless = kind == Some(ContractKind::Interface)
            || kind == Some(ContractKind::Abstract) && is_virtual && self.percent(40)?;
        let name = FunctionName::Named(self.ast.functions.len() as u32);
        let function = Function {
            name,
            contract,
            parameters,
            results,
            visibility,
            mutability: Some(mutability),
            modifiers: Vec::new(),
            is_virtual,
            is_override: false,
            body: (!bodiless).then(Vec::new),
        };
        let id = self.add_function(function, intent);
        self.document(id)?;
        Ok(id)
    }

    fn any_visibility(&mut self) -> Result<Visibility, Reject> {
        let rows = [
            (
                Visibility::Public,
                self.weight(Draw::PublicFunctions).max(1),
            ),
            (Visibility::Internal, self.weight(Draw::InternalFunctions)),
            (Visibility::External, self.weight(Draw::ExternalFunctions)),
        ];
        let weights = rows.map(|(_, weight)| weight);
        Ok(rows[self.choices.weighted(&weights)?].0)
    }

    /// The visibility of a library's function, and those it may have: within
    /// the code that uses it, or called like one of another contract.
    fn library_visibility(&mut self) -> Result<(Visibility, Domain), Reject> {
        if !self.allows(Part::OpenLibraries) || !self.percent(40)? {
            return Ok((Visibility::Internal, Visibility::Internal.bit()));
        }
        if !self.has(Feature::LibraryPaths) {
            return Ok((Visibility::Public, Visibility::Public.bit()));
        }
        let open = [Visibility::Public, Visibility::External];
        let visibility = open[self.choices.weighted(&[3, 2])?];
        Ok((visibility, OPEN))
    }

    /// What a library is given in storage stays there, all else is copied:
    /// which of the two is part of the template.
    fn settle_storage<'a>(&mut self, variables: impl Iterator<Item = &'a VariableId>) {
        for &id in variables {
            if let Some(location) = self.ast[id].location {
                let storage = Location::Storage.bit();
                let domain = match self.location_of(id) {
                    Location::Storage => storage,
                    Location::Memory | Location::Calldata => !storage,
                };
                self.declared.restrict(location, domain);
            }
        }
    }

    /// A location that a parameter may have.
    fn parameter_location(
        &mut self,
        visibility: Visibility,
        intent: Intent,
    ) -> Result<Location, Reject> {
        let exported = matches!(visibility, Visibility::Public | Visibility::External);
        // A library looks into the storage of its caller.
        let library = self.frame.contract.is_some() && self.is_in_library();
        if library && exported && intent >= Intent::View && self.percent(25)? {
            return Ok(Location::Storage);
        }
        if !self.has_calldata() {
            return Ok(match visibility {
                Visibility::External => Location::Calldata,
                Visibility::Public => Location::Memory,
                _ if intent >= Intent::View && self.percent(40)? => Location::Storage,
                _ => Location::Memory,
            });
        }
        let weights = [5, if exported { 0 } else { 3 }, 3];
        Ok(Location::ALL[self.choices.weighted(&weights)?])
    }

    fn frame_variables(
        &mut self,
        visibility: Visibility,
        intent: Intent,
    ) -> Result<Vec<VariableId>, Reject> {
        let mut variables = Vec::new();
        for _ in 0..self
            .choices
            .between(0, u64::from(self.options.parameters))?
        {
            let familiar = self.familiar(visibility);
            if !familiar.is_empty() && self.percent(25)? {
                let other = *self.choices.pick(&familiar)?;
                let location = self.location_of(other);
                let kind = self.like(self.ast[other].kind);
                variables.push(self.frame_variable(Role::Parameter, kind, location));
                continue;
            }
            let kind = self.new_type(Standing::Frame, 2)?;
            let location = self.parameter_location(visibility, intent)?;
            variables.push(self.frame_variable(Role::Parameter, kind, location));
        }
        Ok(variables)
    }

    /// Parameters of libraries and of functions outside of contracts whose
    /// like a function of this visibility could have: what it is given can
    /// then be handed on.
    fn familiar(&self, visibility: Visibility) -> Vec<VariableId> {
        let functions = self.ast.functions.iter().filter(|function| {
            let kind = function.contract.map(|contract| self.ast[contract].kind);
            matches!(function.name, FunctionName::Named(_))
                && matches!(kind, None | Some(ContractKind::Library))
        });
        let parameters = functions.flat_map(|function| function.parameters.iter().copied());
        let usable = parameters.filter(|&id| {
            let (location, visibility) = (self.location_of(id).number(), visibility.number());
            let fits = self.theory.holds(Relation::Parameter, location, visibility);
            self.ast[id].location.is_some() && fits
        });
        usable.collect()
    }

    /// Results; one in calldata returns something like a parameter there.
    fn results(
        &mut self,
        visibility: Visibility,
        intent: Intent,
        parameters: &[VariableId],
    ) -> Result<Vec<VariableId>, Reject> {
        let mut results = Vec::new();
        let exported = matches!(visibility, Visibility::Public | Visibility::External);
        let in_contract = !self.is_in_library();
        for _ in 0..self.choices.below(3)? {
            let handed: Vec<TypeId> = parameters
                .iter()
                .filter(|&&id| {
                    self.ast[id].location.is_some()
                        && self.location_of(id) == Location::Calldata
                        && self.has_calldata()
                })
                .map(|&id| self.ast[id].kind)
                .collect();
            if !handed.is_empty() && self.percent(50)? {
                let kind = *self.choices.pick(&handed)?;
                let kind = self.like(kind);
                results.push(self.frame_variable(Role::Result, kind, Location::Calldata));
                continue;
            }
            let kind = self.new_type(Standing::Frame, 1)?;
            let stored = !exported
                && intent >= Intent::View
                && in_contract
                && self.is_reference(kind)
                && self.percent(40)?;
            let location = if stored {
                Location::Storage
            } else {
                Location::Memory
            };
            results.push(self.frame_variable(Role::Result, kind, location));
        }
        Ok(results)
    }

    pub(super) fn override_of(
        &mut self,
        contract: ContractId,
        base: FunctionId,
        has_body: bool,
    ) -> FunctionId {
        let overridden = self.ast[base].clone();
        let copy = |generator: &mut Self, variables: &[VariableId]| {
            let mut copies = Vec::new();
            for &id in variables {
                let kind = generator.like(generator.ast[id].kind);
                let role = generator.ast[id].role;
                let location = generator.location_of(id);
                copies.push(generator.frame_variable(role, kind, location));
            }
            copies
        };
        let parameters = copy(self, &overridden.parameters);
        let results = copy(self, &overridden.results);
        let visibility = overridden.visibility.map(|visibility| {
            let value = self.witness(visibility);
            let domain = VISIBILITIES & !Visibility::Private.bit();
            self.declare(Kind::Visibility, domain, value)
        });
        let value = Mutability::NonPayable.number();
        let mutability = self.declare(Kind::Mutability, MUTABILITIES, value);
        let intent = self.intents[base.0 as usize];
        let function = Function {
            name: overridden.name,
            contract: Some(contract),
            parameters,
            results,
            visibility,
            mutability: Some(mutability),
            modifiers: Vec::new(),
            is_virtual: true,
            is_override: true,
            body: has_body.then(Vec::new),
        };
        self.add_function(function, intent)
    }

    /// The body of a function, and what stands before it.
    pub(super) fn body(&mut self, id: FunctionId) -> Result<(), Reject> {
        let function = &self.ast[id];
        if function.body.is_none() {
            return Ok(());
        }
        let (contract, parameters) = (function.contract, function.parameters.clone());
        let own = function.parameters.iter().chain(&function.results);
        let slots = own
            .map(|&variable| self.slots_of(self.ast[variable].kind))
            .sum();
        let in_scope = |variable: &VariableId| {
            let location = self.ast[*variable].location;
            location.is_none()
        };
        let parameters: Vec<VariableId> = parameters
            .into_iter()
            .filter(|own| !self.is_counter(*own))
            .collect();
        let mut scope = parameters.clone();
        scope.extend(function.results.iter().copied().filter(in_scope));
        self.frame = Frame {
            owner: Owner::Function(id),
            contract,
            intent: self.intents[id.0 as usize],
            slots,
            scope: parameters,
            statements: self.options.statements,
            ..Frame::initializer()
        };
        self.invocations(id)?;
        self.frame.scope = scope;
        let mut body = self.block(2)?;
        if let Some(round) = self.next_round(id) {
            let at = self.choices.index(body.len() + 1)?;
            body.insert(at, round);
        }
        if !self.ast[id].results.is_empty() {
            let last = self.return_statement()?;
            body.append(&mut self.frame.pending);
            body.push(last);
        }
        self.ast[id].body = Some(body);
        Ok(())
    }

    /// Modifiers, and the arguments of base constructors.
    fn invocations(&mut self, id: FunctionId) -> Result<(), Reject> {
        let Some(contract) = self.ast[id].contract else {
            return Ok(());
        };
        let mut invoked = Vec::new();
        let is_constructor = self.ast[id].name == FunctionName::Constructor;
        if is_constructor {
            for base in self.ast[contract].bases.clone() {
                let parameters = match self.constructor(base) {
                    Some(constructor) => self.ast[constructor].parameters.clone(),
                    None => continue,
                };
                if !parameters.is_empty() {
                    let arguments = self.fixed_arguments(&parameters)?;
                    invoked.push((Invocation::Base(base), arguments));
                }
            }
        } else if matches!(self.ast[id].name, FunctionName::Named(_)) {
            for number in 0..self.ast.modifiers.len() as u32 {
                let modifier = ModifierId(number);
                let fits = self.ast[modifier].contract == contract
                    && self.modifier_intents[number as usize] <= self.frame.intent;
                if fits && self.percent(50)? {
                    let parameters = self.ast[modifier].parameters.clone();
                    let arguments = self.fixed_arguments(&parameters)?;
                    invoked.push((Invocation::Modifier(modifier), arguments));
                }
            }
        }
        self.ast[id].modifiers = invoked;
        Ok(())
    }

    /// Arguments that need no new variable.
    fn fixed_arguments(&mut self, parameters: &[VariableId]) -> Result<Vec<ExpressionId>, Reject> {
        let mut arguments = Vec::new();
        for &parameter in parameters {
            let wanted = self.wanted(self.ast[parameter].kind);
            arguments.push(self.constant_value(wanted)?);
        }
        Ok(arguments)
    }

    /// A comment for the documentation of a function.
    pub(super) fn document(&mut self, id: FunctionId) -> Result<(), Reject> {
        let named = matches!(self.ast[id].name, FunctionName::Named(_));
        if named && self.allows(Part::Notations) && self.percent(10)? {
            self.ast.documented.push(id);
        }
        Ok(())
    }
}
