//! The context: files, contracts and their members, then the bodies of
//! functions.
//!
//! Things are made in an order in which each needs only what was made before
//! it, so that the earlier ones can stand in a file of their own that imports
//! nothing.

use lydite_core::Reject;

use super::options::Part;
use super::types::Place;
use super::{Frame, Generator, Intent};
use crate::ast::{
    Contract, ContractId, ContractKind, Enum, EnumId, Function, FunctionId, FunctionName,
    Invocation, Item, Member, Modifier, ModifierId, Owner, Role, Signal, SignalId, Statement,
    Struct, StructId, TypeId, ValueType, ValueTypeId, Variable,
};
use crate::qualify::Kind;
use crate::types::{
    BOOLS, Domain, Elementary, FIXED, Location, Mutability, NUMBERS, SEQUENCES, Visibility,
};
use crate::version::Feature;

const MUTABILITIES: Domain = Mutability::Pure.bit()
    | Mutability::View.bit()
    | Mutability::Payable.bit()
    | Mutability::NonPayable.bit();
const UNPAID: Domain = MUTABILITIES & !Mutability::Payable.bit();
const MAKING: Domain = Mutability::Payable.bit() | Mutability::NonPayable.bit();
const VISIBILITIES: Domain = Visibility::Public.bit()
    | Visibility::Private.bit()
    | Visibility::Internal.bit()
    | Visibility::External.bit();

/// Types whose literals are of the type that they are assigned to.
const LITERAL: Domain = BOOLS | NUMBERS;
/// Value types that have literals in every version.
const SIMPLE: Domain = LITERAL | FIXED | Elementary::ADDRESS.bit();

impl Generator<'_> {
    /// Everything.
    pub(super) fn program(&mut self) -> Result<(), Reject> {
        let mut items = Vec::new();
        self.file_types(&mut items)?;
        if self.allows(Part::FileFunctions)
            && self.has(Feature::FileFunctions)
            && self.percent(25)?
        {
            let function = self.signature(None)?;
            items.push(Item::Function(function));
            self.body(function)?;
        }
        if self.allows(Part::Libraries) && self.percent(30)? {
            items.push(Item::Contract(self.library()?));
        }
        if self.allows(Part::Inheritance) && self.percent(30)? {
            items.push(Item::Contract(self.interface()?));
        }
        for _ in 0..self.options.contracts {
            items.push(Item::Contract(self.contract()?));
        }
        self.ast.smt_checker = self.allows(Part::Smt);
        self.divide(items)
    }

    /// Puts the items into files, the earliest into the last one.
    fn divide(&mut self, items: Vec<Item>) -> Result<(), Reject> {
        let several = self.allows(Part::Files) && items.len() > 1 && self.options.files > 1;
        if !several || !self.percent(15)? {
            self.ast.files = vec![items];
            return Ok(());
        }
        let many = self.choices.between(2, u64::from(self.options.files))? as usize;
        let each = items.len().div_ceil(many);
        let mut files: Vec<Vec<Item>> = items.chunks(each).map(<[Item]>::to_vec).collect();
        files.reverse();
        self.ast.files = files;
        Ok(())
    }

    fn file_types(&mut self, items: &mut Vec<Item>) -> Result<(), Reject> {
        let inside = self.has(Feature::FileStructs);
        if inside && self.allows(Part::Enums) && self.percent(25)? {
            items.push(Item::Enum(self.enumeration(None)?));
        }
        if self.allows(Part::ValueTypes) && self.has(Feature::ValueTypes) && self.percent(25)? {
            let kind = self.pick_elementary(self.values_only() & !Elementary::PAYABLE.bit())?;
            let domain = self.values_only() & !Elementary::PAYABLE.bit();
            let underlying = self.declare(Kind::Type, domain, kind.number());
            self.ast.value_types.push(ValueType { underlying });
            let id = ValueTypeId(self.ast.value_types.len() as u32 - 1);
            items.push(Item::ValueType(id));
        }
        if inside && self.allows(Part::Structs) && self.percent(40)? {
            items.push(Item::Struct(self.structure(None)?));
        }
        Ok(())
    }

    fn enumeration(&mut self, contract: Option<ContractId>) -> Result<EnumId, Reject> {
        let members = self.choices.between(1, 4)? as u8;
        self.ast.enums.push(Enum { contract, members });
        Ok(EnumId(self.ast.enums.len() as u32 - 1))
    }

    fn structure(&mut self, contract: Option<ContractId>) -> Result<StructId, Reject> {
        let mut kinds = Vec::new();
        for _ in 0..self.choices.between(1, 3)? {
            kinds.push(self.new_type(Place::Inner, 1)?);
        }
        let id = StructId(self.ast.structs.len() as u32);
        let fields = kinds
            .into_iter()
            .map(|kind| self.field(Role::Field(id), kind))
            .collect();
        self.ast.structs.push(Struct { contract, fields });
        Ok(id)
    }

    /// A variable without qualifiers besides its type.
    fn field(&mut self, role: Role, kind: TypeId) -> crate::ast::VariableId {
        self.ast.add_variable(Variable {
            role,
            kind,
            location: None,
            visibility: None,
            value: None,
        })
    }

    fn signal(&mut self, contract: Option<ContractId>, is_error: bool) -> Result<SignalId, Reject> {
        let mut parameters = Vec::new();
        for _ in 0..self.choices.between(0, 3)? {
            let kind = self.new_type(Place::Inner, 1)?;
            // What is indexed by its hash came with the locations.
            let plain = self.has(Feature::Locations) || !self.is_reference(kind);
            let indexed = !is_error && plain && self.percent(30)?;
            parameters.push(self.field(Role::Signal { indexed }, kind));
        }
        self.ast.signals.push(Signal {
            is_error,
            contract,
            parameters,
        });
        Ok(SignalId(self.ast.signals.len() as u32 - 1))
    }

    fn new_contract(&mut self, kind: ContractKind) -> ContractId {
        self.ast.contracts.push(Contract {
            kind,
            bases: Vec::new(),
            using: Vec::new(),
            members: Vec::new(),
        });
        ContractId(self.ast.contracts.len() as u32 - 1)
    }

    fn library(&mut self) -> Result<ContractId, Reject> {
        let id = self.new_contract(ContractKind::Library);
        self.frame.contract = Some(id);
        for _ in 0..self.choices.between(1, 2)? {
            let function = self.signature(Some(id))?;
            self.ast[id].members.push(Member::Function(function));
            self.body(function)?;
        }
        self.frame.contract = None;
        Ok(id)
    }

    fn interface(&mut self) -> Result<ContractId, Reject> {
        let id = self.new_contract(ContractKind::Interface);
        self.frame.contract = Some(id);
        for _ in 0..self.choices.between(1, 2)? {
            let function = self.signature(Some(id))?;
            self.ast[function].is_virtual = false;
            self.ast[id].members.push(Member::Function(function));
        }
        self.frame.contract = None;
        Ok(id)
    }

    fn contract(&mut self) -> Result<ContractId, Reject> {
        let inherits = self.allows(Part::Inheritance) && self.has(Feature::Virtual);
        let kind = match inherits && self.percent(15)? {
            true => ContractKind::Abstract,
            false => ContractKind::Contract,
        };
        let id = self.new_contract(kind);
        self.frame = Frame::initializer();
        self.frame.contract = Some(id);
        if inherits && self.percent(45)? {
            self.inherit(id)?;
        }
        for number in 0..self.ast.contracts.len() as u32 {
            let library = ContractId(number);
            if self.ast[library].kind == ContractKind::Library && self.percent(60)? {
                self.ast[id].using.push(library);
            }
        }
        self.members(id)?;
        let functions = self.functions(id)?;
        for function in functions {
            self.body(function)?;
        }
        self.frame = Frame::initializer();
        Ok(id)
    }

    fn inherit(&mut self, id: ContractId) -> Result<(), Reject> {
        let known: Vec<ContractId> = self.known_contracts();
        if !known.is_empty() {
            let base = *self.choices.pick(&known)?;
            self.ast[id].bases.push(base);
        }
        Ok(())
    }

    /// Everything but functions.
    fn members(&mut self, id: ContractId) -> Result<(), Reject> {
        if self.allows(Part::Enums) && self.percent(20)? {
            let member = Member::Enum(self.enumeration(Some(id))?);
            self.ast[id].members.push(member);
        }
        if self.allows(Part::Structs) && self.percent(60)? {
            let member = Member::Struct(self.structure(Some(id))?);
            self.ast[id].members.push(member);
        }
        if self.allows(Part::Events) && self.percent(60)? {
            let member = Member::Signal(self.signal(Some(id), false)?);
            self.ast[id].members.push(member);
        }
        if self.allows(Part::Errors) && self.has(Feature::Errors) && self.percent(50)? {
            let member = Member::Signal(self.signal(Some(id), true)?);
            self.ast[id].members.push(member);
        }
        for _ in 0..self.options.variables {
            self.member_variable(id)?;
        }
        if self.allows(Part::Modifiers) && self.percent(50)? {
            let member = Member::Modifier(self.modifier(id)?);
            self.ast[id].members.push(member);
        }
        Ok(())
    }

    fn member_variable(&mut self, contract: ContractId) -> Result<(), Reject> {
        let special = self.allows(Part::Constants) && self.percent(20)?;
        if special {
            let roles = [
                (Role::Constant(contract), true),
                (Role::Immutable(contract), self.has(Feature::Immutable)),
                (Role::Transient(contract), self.has(Feature::Transient)),
            ];
            let roles: Vec<Role> = roles
                .iter()
                .filter(|(_, has)| *has)
                .map(|(r, _)| *r)
                .collect();
            let role = *self.choices.pick(&roles)?;
            let kind = self.pick_elementary(LITERAL)?;
            let open = self.leaf(kind);
            let variable = self.add_state_variable(contract, open);
            self.ast[variable].role = role;
            if !matches!(role, Role::Transient(_)) {
                self.first_value(variable, kind)?;
            }
            return Ok(());
        }
        let kind = self.new_type(Place::State, 2)?;
        let variable = self.add_state_variable(contract, kind);
        if let Some(own) = self.elementary_of(kind)
            && self.percent(30)?
        {
            let kind = self.witness_type(own);
            self.first_value(variable, kind)?;
        }
        Ok(())
    }

    fn first_value(
        &mut self,
        variable: crate::ast::VariableId,
        kind: Elementary,
    ) -> Result<(), Reject> {
        let owner = std::mem::replace(&mut self.frame.owner, Owner::Initializer);
        let value = self.literal(kind, Location::Memory.bit(), true);
        self.frame.owner = owner;
        self.ast[variable].value = value?;
        Ok(())
    }

    fn intent(&mut self) -> Result<Intent, Reject> {
        let intents = [Intent::Write, Intent::View, Intent::Pure];
        Ok(intents[self.choices.weighted(&[5, 3, 2])?])
    }

    fn modifier(&mut self, contract: ContractId) -> Result<ModifierId, Reject> {
        let id = ModifierId(self.ast.modifiers.len() as u32);
        let mut parameters = Vec::new();
        for _ in 0..self.choices.between(0, 2)? {
            let kind = self.pick_elementary(SIMPLE)?;
            let kind = self.leaf(kind);
            parameters.push(self.frame_variable(Role::Parameter, kind, Location::Memory));
        }
        let intent = self.intent()?;
        self.ast.modifiers.push(Modifier {
            contract,
            parameters: parameters.clone(),
            body: Vec::new(),
        });
        self.modifier_intents.push(intent);
        self.frame = Frame {
            owner: Owner::Modifier(id),
            contract: Some(contract),
            intent,
            slots: parameters.len() as u32 + self.options.slots.saturating_sub(4),
            scope: parameters,
            statements: self.options.statements / 2,
            ..Frame::initializer()
        };
        let mut body = self.block(1)?;
        let underscore = self.statement(Statement::Underscore);
        let at = self.choices.index(body.len() + 1)?;
        body.insert(body.len() - at, underscore);
        self.ast[id].body = body;
        self.frame = Frame::initializer();
        self.frame.contract = Some(contract);
        Ok(id)
    }

    /// The heads of all functions of a contract: they can call each other.
    fn functions(&mut self, id: ContractId) -> Result<Vec<FunctionId>, Reject> {
        let mut functions = self.overriding(id)?;
        let bases = self.ast[id].bases.clone();
        let asked = bases.iter().any(|&base| {
            let constructor = self.constructor(base);
            constructor.is_some_and(|id| !self.ast[id].parameters.is_empty())
        });
        if asked || self.percent(40)? {
            functions.push(self.constructor_head(id)?);
        }
        for _ in 0..self.options.functions {
            let function = self.signature(Some(id))?;
            functions.push(function);
        }
        let fresh = bases.is_empty();
        if fresh && self.allows(Part::Receive) && self.percent(12)? {
            functions.push(self.fallback(id)?);
        }
        for &function in &functions {
            self.ast[id].members.push(Member::Function(function));
        }
        Ok(functions)
    }

    fn add_function(&mut self, function: Function, intent: Intent) -> FunctionId {
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
        let receive = self.has(Feature::Receive) && self.percent(50)?;
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
    fn signature(&mut self, contract: Option<ContractId>) -> Result<FunctionId, Reject> {
        let kind = contract.map(|contract| self.ast[contract].kind);
        let intent = self.intent()?;
        let (visibility, domain) = match kind {
            Some(ContractKind::Interface) => (Visibility::External, Visibility::External.bit()),
            Some(ContractKind::Library) => (Visibility::Internal, Visibility::Internal.bit()),
            None => (Visibility::Internal, 0),
            _ => {
                let visibilities = [
                    Visibility::Public,
                    Visibility::Internal,
                    Visibility::External,
                ];
                let visibility = visibilities[self.choices.weighted(&[5, 3, 2])?];
                (visibility, VISIBILITIES)
            }
        };
        let is_virtual = self.has(Feature::Virtual)
            && self.allows(Part::Inheritance)
            && matches!(kind, Some(ContractKind::Contract | ContractKind::Abstract))
            && self.percent(30)?;
        let domain = match is_virtual {
            true => domain & !Visibility::Private.bit(),
            false => domain,
        };
        let parameters = self.frame_variables(visibility, intent)?;
        let results = self.results(visibility, intent, &parameters)?;
        let visibility =
            (domain != 0).then(|| self.declare(Kind::Visibility, domain, visibility.number()));
        let mutabilities = match contract {
            None => UNPAID,
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
        Ok(self.add_function(function, intent))
    }

    /// A location that a parameter may have.
    fn parameter_location(
        &mut self,
        visibility: Visibility,
        intent: Intent,
    ) -> Result<Location, Reject> {
        let exported = matches!(visibility, Visibility::Public | Visibility::External);
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
    ) -> Result<Vec<crate::ast::VariableId>, Reject> {
        let mut variables = Vec::new();
        for _ in 0..self
            .choices
            .between(0, u64::from(self.options.parameters))?
        {
            let kind = self.new_type(Place::Frame, 2)?;
            let location = self.parameter_location(visibility, intent)?;
            variables.push(self.frame_variable(Role::Parameter, kind, location));
        }
        Ok(variables)
    }

    /// Results; one in calldata returns something like a parameter there.
    fn results(
        &mut self,
        visibility: Visibility,
        intent: Intent,
        parameters: &[crate::ast::VariableId],
    ) -> Result<Vec<crate::ast::VariableId>, Reject> {
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
            let kind = self.new_type(Place::Frame, 1)?;
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

    /// Functions that override those of a base: all that have no body, if
    /// this contract has to be complete, and some others.
    fn overriding(&mut self, id: ContractId) -> Result<Vec<FunctionId>, Reject> {
        let mut functions = Vec::new();
        let complete = self.ast[id].kind == ContractKind::Contract;
        for base in self.ast[id].bases.clone() {
            for function in self.overridable(base) {
                let missing = self.ast[function].body.is_none();
                if missing && complete || self.percent(50)? {
                    functions.push(self.override_of(id, function));
                }
            }
        }
        Ok(functions)
    }

    /// The newest version of every function that a contract inherits or has
    /// and that can be overridden.
    fn overridable(&self, base: ContractId) -> Vec<FunctionId> {
        let mut names = Vec::new();
        let mut found = Vec::new();
        for contract in self.lineage(base) {
            let open = self.ast[contract].kind == ContractKind::Interface;
            for member in &self.ast[contract].members {
                let Member::Function(id) = *member else {
                    continue;
                };
                let function = &self.ast[id];
                if !matches!(function.name, FunctionName::Named(_))
                    || names.contains(&function.name)
                {
                    continue;
                }
                names.push(function.name);
                // Overriding what a base of the base has would have to name it.
                let near = contract == base;
                let missing = function.body.is_none();
                if (near || missing) && (open || function.is_virtual) {
                    found.push(id);
                }
            }
        }
        found
    }

    fn override_of(&mut self, contract: ContractId, base: FunctionId) -> FunctionId {
        let overridden = self.ast[base].clone();
        let copy = |generator: &mut Self, variables: &[crate::ast::VariableId]| {
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
            body: Some(Vec::new()),
        };
        self.add_function(function, intent)
    }

    /// The body of a function, and what stands before it.
    fn body(&mut self, id: FunctionId) -> Result<(), Reject> {
        let function = &self.ast[id];
        if function.body.is_none() {
            return Ok(());
        }
        let (contract, parameters) = (function.contract, function.parameters.clone());
        let own = function.parameters.iter().chain(&function.results);
        let slots = own
            .map(|&variable| self.slots_of(self.ast[variable].kind))
            .sum();
        let in_scope = |variable: &crate::ast::VariableId| {
            let location = self.ast[*variable].location;
            location.is_none()
        };
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
    fn fixed_arguments(
        &mut self,
        parameters: &[crate::ast::VariableId],
    ) -> Result<Vec<crate::ast::ExpressionId>, Reject> {
        let mut arguments = Vec::new();
        for &parameter in parameters {
            let wanted = self.wanted(self.ast[parameter].kind);
            arguments.push(self.constant_value(wanted)?);
        }
        Ok(arguments)
    }
}
