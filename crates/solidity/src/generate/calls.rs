//! Calls: of functions in sight, through `this`, and of other contracts.

use lydite_core::Reject;

use super::context::ANYWHERE;
use super::options::Part;
use super::types::Wanted;
use super::{Generator, Intent};
use crate::ast::{
    ContractId, ContractKind, Expression, ExpressionId, FunctionId, FunctionName, Literal, Member,
    Owner, Role, Type, TypeId, VariableId, Via,
};
use crate::types::{Domain, Location, Mutability, Visibility};
use crate::version::Feature;

/// A function and a way to reach it; the contract of another's is found when
/// the call is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Callee {
    pub(super) function: FunctionId,
    reach: Reach,
}

impl Callee {
    /// True if the call leaves the contract.
    pub(super) fn is_external(&self) -> bool {
        matches!(self.reach, Reach::This | Reach::Other(_))
    }

    /// True if it is a function of another contract.
    pub(super) fn is_other(&self) -> bool {
        matches!(self.reach, Reach::Other(_))
    }

    /// The contract whose function it is, if that is another.
    pub(super) fn other(&self) -> Option<ContractId> {
        match self.reach {
            Reach::Other(contract) => Some(contract),
            Reach::Name | Reach::Super | Reach::This | Reach::Library => None,
        }
    }

    /// True if it is a function of this contract, called from outside.
    pub(super) fn is_own_outside(&self) -> bool {
        self.reach == Reach::This
    }

    /// True if it is called by its name alone.
    pub(super) fn is_named(&self) -> bool {
        self.reach == Reach::Name
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    Name,
    Super,
    This,
    Other(ContractId),
    Library,
}

impl Generator<'_> {
    /// Everything that can be called here.
    pub(super) fn callees(&self) -> Vec<Callee> {
        let mut callees = Vec::new();
        if self.frame.owner == Owner::Initializer {
            return callees;
        }
        let own = self.frame.contract.map(|contract| self.lineage(contract));
        let own = own.unwrap_or_default();
        for number in 0..self.intents.len() as u32 {
            let id = FunctionId(number);
            let function = &self.ast[id];
            if !matches!(function.name, FunctionName::Named(_)) {
                continue;
            }
            let reaches = match function.contract {
                None => vec![Reach::Name],
                Some(contract) if own.contains(&contract) => {
                    let mut reaches = Vec::new();
                    if self.is_nearest(id, &own) {
                        reaches.extend([Reach::Name, Reach::This]);
                    }
                    if self.is_above(id, &own) {
                        reaches.push(Reach::Super);
                    }
                    reaches
                }
                Some(contract) => match self.ast[contract].kind {
                    ContractKind::Library => vec![Reach::Library],
                    _ => vec![Reach::Other(contract)],
                },
            };
            for reach in reaches {
                let callee = Callee {
                    function: id,
                    reach,
                };
                if self.can_call(callee) {
                    callees.push(callee);
                }
            }
        }
        callees
    }

    /// True if `super.f` finds this function from the first of a lineage: the nearest that has a
    /// body. Where none has, the nearest, if programs may be wrong in this.
    fn is_above(&self, id: FunctionId, lineage: &[ContractId]) -> bool {
        let name = self.ast[id].name;
        let above = &lineage[1..];
        let mut own = above
            .iter()
            .filter_map(|&base| self.ast.own_function(base, name));
        match own.find(|&other| self.ast[other].body.is_some()) {
            Some(other) => other == id,
            None => self.options.has_empty_calls && self.nearest(id, above) == Some(id),
        }
    }

    /// True if `f` and `this.f` find this function from the first of a
    /// lineage. Modifiers are drawn before the functions of their contract,
    /// which may override it.
    fn is_nearest(&self, id: FunctionId, lineage: &[ContractId]) -> bool {
        let function = &self.ast[id];
        let kind = function.contract.map(|contract| self.ast[contract].kind);
        let open = function.is_virtual || kind == Some(ContractKind::Interface);
        let early = matches!(self.frame.owner, Owner::Modifier(_)) && open;
        !early && self.nearest(id, lineage) == Some(id)
    }

    /// The first function of the same name.
    fn nearest(&self, id: FunctionId, lineage: &[ContractId]) -> Option<FunctionId> {
        let name = self.ast[id].name;
        let mut members = lineage.iter().flat_map(|&base| &self.ast[base].members);
        members.find_map(|member| match *member {
            Member::Function(other) if self.ast[other].name == name => Some(other),
            _ => None,
        })
    }

    fn can_call(&self, callee: Callee) -> bool {
        let function = &self.ast[callee.function];
        let intent = self.intents[callee.function.0 as usize];
        let visibility = function
            .visibility
            .map(|visibility| Visibility::ALL[usize::from(self.witness(visibility))]);
        if callee.is_external() {
            let library = self
                .frame
                .contract
                .is_none_or(|own| self.ast[own].kind == ContractKind::Library);
            let hidden = !matches!(visibility, Some(Visibility::Public | Visibility::External));
            if !self.allows(Part::External) || library || hidden {
                return false;
            }
            return self.frame.intent >= intent.max(Intent::View);
        }
        // What a constructor calls must not read an immutable variable, and
        // neither must what overrides it.
        let making = callee.reach != Reach::Library && self.is_making();
        if making && (function.is_virtual || self.has_immutables()) {
            return false;
        }
        let bodiless = function.body.is_none() && callee.reach == Reach::Name;
        let open = callee.reach == Reach::Library && self.is_open(callee.function);
        let hidden = visibility == Some(Visibility::External) && !open;
        if hidden || self.frame.intent < intent || bodiless && self.is_declared_only(callee) {
            return false;
        }
        let in_calldata = |&parameter: &VariableId| {
            open && self.ast[parameter].location.is_some()
                && self.location_of(parameter) == Location::Calldata
        };
        let mut parameters = function.parameters.iter();
        parameters.all(|parameter| in_calldata(parameter) || self.obtainable(*parameter))
    }

    /// True if a function of a library is called like one of another
    /// contract.
    pub(super) fn is_open(&self, id: FunctionId) -> bool {
        let function = &self.ast[id];
        let kind = function.contract.map(|contract| self.ast[contract].kind);
        let visibility = function.visibility.map(|own| self.witness(own));
        let internal = visibility == Some(Visibility::Internal.number());
        kind == Some(ContractKind::Library) && !internal
    }

    /// True if its name alone can be put into a variable.
    pub(super) fn is_value(&self, id: FunctionId) -> bool {
        let found = !self.ast[id].is_override || self.has(Feature::OverrideValues);
        found && !self.is_payable(id)
    }

    /// True if the witness has it take ether.
    pub(super) fn is_payable(&self, id: FunctionId) -> bool {
        let mutability = self.ast[id].mutability;
        mutability.is_some_and(|own| self.witness(own) == Mutability::Payable.number())
    }

    /// Where the result of a call is.
    pub(super) fn found_in(&self, callee: &Callee, result: VariableId) -> Location {
        let declared = self.location_of(result);
        let open = callee.reach == Reach::Library && self.is_open(callee.function);
        match callee.is_external() || open && declared == Location::Calldata {
            true => Location::Memory,
            false => declared,
        }
    }

    /// True in a constructor.
    pub(super) fn is_making(&self) -> bool {
        match self.frame.owner {
            Owner::Function(own) => self.ast[own].name == FunctionName::Constructor,
            Owner::Modifier(_) | Owner::Initializer => false,
        }
    }

    /// True if something called by a constructor could read an immutable
    /// variable, which the compiler refuses.
    fn has_immutables(&self) -> bool {
        let own = self.frame.contract.map(|contract| self.lineage(contract));
        own.unwrap_or_default().into_iter().any(|contract| {
            let mut variables = self.ast.variables.iter();
            variables.any(|variable| variable.role == Role::Immutable(contract))
        })
    }

    /// A function of an interface is not called by its name.
    fn is_declared_only(&self, callee: Callee) -> bool {
        let contract = self.ast[callee.function].contract;
        contract.is_some_and(|contract| self.ast[contract].kind == ContractKind::Interface)
    }

    /// True if a value for the parameter can be found in any case.
    fn obtainable(&self, parameter: VariableId) -> bool {
        let variable = &self.ast[parameter];
        if variable.location.is_none() {
            return true;
        }
        match self.location_of(parameter) {
            Location::Memory => true,
            Location::Storage => self.frame.intent >= Intent::View && self.is_stateful(),
            Location::Calldata => {
                let wanted = self.wanted(variable.kind);
                let found = self.accesses(false, |kind, location, _| {
                    self.fits(kind, wanted) && location == Location::Calldata
                });
                !found.is_empty()
            }
        }
    }

    /// True in code that can have state variables.
    fn is_stateful(&self) -> bool {
        let own = self.frame.contract.map(|contract| self.ast[contract].kind);
        matches!(own, Some(ContractKind::Contract | ContractKind::Abstract))
    }

    /// A call whose one result is what is wanted.
    pub(super) fn call_for(
        &mut self,
        wanted: Wanted,
        within: Domain,
        depth: u32,
    ) -> Result<Option<ExpressionId>, Reject> {
        let mut callees = self.callees();
        callees.retain(|callee| match self.ast[callee.function].results[..] {
            [result] => {
                let kind = self.ast[result].kind;
                let location = self.found_in(callee, result);
                self.fits(kind, wanted)
                    && (!self.is_reference(kind) || within & location.bit() != 0)
                    && self.can_return(callee, kind)
            }
            _ => false,
        });
        if callees.is_empty() {
            return Ok(None);
        }
        let callee = *self.choices.pick(&callees)?;
        Ok(Some(self.call(callee, depth)?))
    }

    /// Old compilers take only what has a known size from another contract.
    pub(super) fn can_return(&self, callee: &Callee, kind: TypeId) -> bool {
        let open = callee.reach == Reach::Library && self.is_open(callee.function);
        let near = !callee.is_external() && !open;
        near || self.has(Feature::ReturnedData) || !self.is_reference(kind)
    }

    pub(super) fn call(&mut self, callee: Callee, depth: u32) -> Result<ExpressionId, Reject> {
        let depth = depth.saturating_sub(1);
        let via = match callee.reach {
            Reach::Name => Via::Name,
            Reach::Super => Via::Super,
            Reach::This => Via::This,
            Reach::Other(contract) => {
                let kind = self.ast.add_type(Type::Contract(contract));
                Via::On(self.identifier(Wanted::Type(kind), ANYWHERE, depth)?)
            }
            Reach::Library => Via::Library,
        };
        let open = via == Via::Library && self.is_open(callee.function);
        let arguments = match open {
            true => self.delegated_arguments(callee.function, depth)?,
            false => self.arguments(callee.function, via.is_external(), depth)?,
        };
        let attached = via == Via::Library
            && self.can_attach(callee.function, &arguments)
            && self.percent(50)?;
        let via = if attached { Via::Attached } else { via };
        let call = self.expression(Expression::Call {
            function: callee.function,
            via,
            arguments,
        });
        self.with_options(call)
    }

    /// Values for the parameters of a library's function that is called like
    /// one of another contract: only storage stays where it is.
    fn delegated_arguments(
        &mut self,
        function: FunctionId,
        depth: u32,
    ) -> Result<Vec<ExpressionId>, Reject> {
        let mut arguments = Vec::new();
        for parameter in self.ast[function].parameters.clone() {
            let located = self.ast[parameter].location.is_some();
            let within = match located && self.location_of(parameter) == Location::Storage {
                true => Location::Storage.bit(),
                false => ANYWHERE,
            };
            let wanted = self.wanted(self.ast[parameter].kind);
            arguments.push(self.value(wanted, within, depth, true)?);
        }
        Ok(arguments)
    }

    /// Values for the parameters of a function.
    pub(super) fn arguments(
        &mut self,
        function: FunctionId,
        external: bool,
        depth: u32,
    ) -> Result<Vec<ExpressionId>, Reject> {
        let mut arguments = Vec::new();
        for parameter in self.ast[function].parameters.clone() {
            if self.is_counter(parameter) {
                arguments.push(self.first_count()?);
                continue;
            }
            let within = match external {
                true => ANYWHERE,
                false => self.sources_of(parameter),
            };
            let wanted = self.wanted(self.ast[parameter].kind);
            arguments.push(self.value(wanted, within, depth, true)?);
        }
        Ok(arguments)
    }

    /// A library that is used for all types takes its first argument before
    /// the dot, if that has exactly the type of the parameter.
    fn can_attach(&self, function: FunctionId, arguments: &[ExpressionId]) -> bool {
        let (Some(own), Some(library)) = (self.frame.contract, self.ast[function].contract) else {
            return false;
        };
        let used = self.ast[own].using.contains(&library);
        let plain = arguments
            .first()
            .is_some_and(|&first| matches!(self.ast[first], Expression::Variable(_)));
        let first = self.ast[function].parameters.first();
        let pointer = first.is_some_and(|&first| self.ast[first].location.is_some());
        used && plain && !(pointer && self.is_open(function))
    }

    /// The locations that flow to a variable.
    pub(super) fn sources_of(&self, variable: VariableId) -> Domain {
        match self.ast[variable].location {
            None => ANYWHERE,
            Some(_) => match self.location_of(variable) {
                Location::Memory => ANYWHERE,
                other => other.bit(),
            },
        }
    }

    /// A value of a contract type: a new contract, or one at an address.
    pub(super) fn contract_value(
        &mut self,
        contract: ContractId,
        kind: TypeId,
        depth: u32,
    ) -> Result<Option<ExpressionId>, Reject> {
        if depth > 0 && self.can_create(contract) && self.percent(50)? {
            return Ok(Some(self.creation(contract, depth)?));
        }
        if self.takes_ether(contract) {
            return Ok(None);
        }
        let address = Literal::Address(self.choices.below(4)? as u8);
        let operand = self.expression(Expression::Literal(address));
        let kind = self.like(kind);
        Ok(Some(self.expression(Expression::Cast { kind, operand })))
    }

    /// True if `new` makes one of them here.
    pub(super) fn can_create(&self, contract: ContractId) -> bool {
        self.ast[contract].kind == ContractKind::Contract
            && self.frame.intent >= Intent::Write
            && self.is_stateful()
    }

    /// `new C(…)`
    pub(super) fn creation(
        &mut self,
        contract: ContractId,
        depth: u32,
    ) -> Result<ExpressionId, Reject> {
        let constructor = self.constructor(contract);
        let parameters = constructor.map_or_else(Vec::new, |id| self.ast[id].parameters.clone());
        let mut arguments = Vec::new();
        for parameter in parameters {
            let wanted = self.wanted(self.ast[parameter].kind);
            arguments.push(self.value(wanted, ANYWHERE, depth.saturating_sub(1), true)?);
        }
        let creation = self.expression(Expression::New {
            contract,
            arguments,
        });
        self.with_options(creation)
    }

    pub(super) fn constructor(&self, contract: ContractId) -> Option<FunctionId> {
        self.ast[contract]
            .members
            .iter()
            .find_map(|member| match member {
                Member::Function(id) if self.ast[*id].name == FunctionName::Constructor => {
                    Some(*id)
                }
                _ => None,
            })
    }

    /// Only payable addresses convert to a contract that takes ether.
    pub(super) fn takes_ether(&self, contract: ContractId) -> bool {
        self.lineage(contract).into_iter().any(|contract| {
            self.ast[contract]
                .members
                .iter()
                .any(|member| match member {
                    Member::Function(id) => matches!(
                        self.ast[*id].name,
                        FunctionName::Receive | FunctionName::Fallback
                    ),
                    _ => false,
                })
        })
    }
}
