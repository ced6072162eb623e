//! What an expression can refer to: querying, checking and updating the
//! context (algorithm 1), with the witness as the check.

use lydite_core::Reject;

use super::places::{NamePlaces, Place, Step};
use super::policy::OPEN_REACH;
use super::types::{Standing, Wanted};
use super::weights::Draw;
use super::{Generator, Intent};
use crate::ast::{
    Ast, ContractId, ContractKind, Expression, ExpressionId, FunctionName, Member, Owner, Role,
    Statement, StructId, Type, TypeId, VariableId,
};
use crate::types::{Domain, Elementary, Location, Visibility};
use crate::version::Feature;

impl Generator<'_> {
    /// The contract and everything it inherits from, itself first.
    pub(super) fn lineage(&self, contract: ContractId) -> Vec<ContractId> {
        self.ast.lineage(contract)
    }

    /// Contracts that values may have the type of: those made before.
    pub(super) fn known_contracts(&self) -> Vec<ContractId> {
        let own = self.frame.contract.map_or(u32::MAX, |contract| contract.0);
        let known = (0..self.ast.contracts.len() as u32).filter(|&id| {
            let kind = self.ast[ContractId(id)].kind;
            id < own && kind != ContractKind::Library
        });
        known.map(ContractId).collect()
    }

    /// Structs that can be named here, and stand there.
    pub(super) fn usable_structs(&self, place: Standing) -> Vec<StructId> {
        let all = (0..self.ast.structs.len() as u32).map(StructId);
        // Functions do not go to other contracts.
        let usable = all.filter(|&id| {
            let mut fields = self.ast[id].fields.iter();
            let stays = place == Standing::State || !self.ast.is_recursive(id);
            stays
                && !fields.any(|&field| matches!(self.ast[self.ast[field].kind], Type::Function(_)))
        });
        usable.collect()
    }

    /// The state variables that can be used here.
    fn visible_state(&self) -> Vec<VariableId> {
        let Some(contract) = self.frame.contract else {
            return Vec::new();
        };
        let mut variables = Vec::new();
        for contract in self.lineage(contract) {
            for member in &self.ast[contract].members {
                if let Member::Variable(variable) = *member {
                    variables.push(variable);
                }
            }
        }
        variables
    }

    /// All places that are accepted by their type, their location, and whether
    /// they are variables themselves.
    pub(super) fn accesses(
        &self,
        writing: bool,
        accept: impl Fn(TypeId, Location, bool) -> bool,
    ) -> Vec<Place> {
        let mut found = Vec::new();
        let mut take = |place: Place| {
            if accept(place.kind, place.location, place.is_variable()) {
                found.push(place);
            }
        };
        let state = self.visible_state();
        for &variable in self.frame.scope.iter().chain(&state) {
            if !self.can_start(variable, writing) {
                continue;
            }
            let kind = self.ast[variable].kind;
            let whole = Place::of(variable, kind, self.location_of(variable));
            take(whole);
            if self.can_step(whole.location, writing) {
                whole.walk_parts(self.under_witness(), OPEN_REACH, &mut take);
            }
        }
        found
    }

    fn can_start(&self, id: VariableId, writing: bool) -> bool {
        let variable = &self.ast[id];
        // A variable for one function only is called where it is declared.
        if let Type::Function(function) = self.ast[variable.kind]
            && self.ast[function].name != FunctionName::Signature
        {
            return false;
        }
        if variable.contract().is_none() {
            let given = variable.role == Role::Parameter && self.is_external();
            let read_only = variable.location.is_some()
                && (given || self.location_of(id) == Location::Calldata)
                && !self.has(Feature::CalldataAssignable);
            let fixed = given && !self.has(Feature::ExternalAssignable);
            return !(writing && (read_only || fixed));
        }
        match variable.role {
            Role::Constant(_) => !writing && !self.frame.no_constants,
            // An immutable one is not read while it is made.
            Role::Immutable(_) => {
                let modifier = matches!(self.frame.owner, Owner::Modifier(_));
                let made = !modifier && !self.is_making();
                !writing && made && self.frame.intent >= Intent::View
            }
            _ if writing => self.frame.intent >= Intent::Write,
            _ => self.frame.intent >= Intent::View,
        }
    }

    /// True in a function that is external under the witness.
    fn is_external(&self) -> bool {
        let Owner::Function(function) = self.frame.owner else {
            return false;
        };
        let visibility = self.ast[function].visibility;
        visibility.is_some_and(|own| self.witness(own) == Visibility::External.number())
    }

    /// True if what lives in `location` can be read, or written, in part.
    fn can_step(&self, location: Location, writing: bool) -> bool {
        match location {
            Location::Memory => true,
            Location::Storage if writing => self.frame.intent >= Intent::Write,
            Location::Storage => self.frame.intent >= Intent::View,
            Location::Calldata => !writing,
        }
    }

    /// The expression that names a place.
    pub(super) fn follow(&mut self, place: Place, depth: u32) -> Result<ExpressionId, Reject> {
        self.name(place, depth)
    }

    /// True if a new variable of that type would have a place.
    pub(super) fn has_place(&self, wanted: Wanted, within: Domain) -> bool {
        let (local, stored) = self.places_for(wanted, within);
        local || stored && self.can_have_state()
    }

    /// Whether something of that type could be a local variable, and a state
    /// variable.
    fn places_for(&self, wanted: Wanted, within: Domain) -> (bool, bool) {
        let (reference, mapping) = match wanted {
            Wanted::Elementary(kind) => (kind.is_reference(), false),
            Wanted::Type(kind) => (self.is_reference(kind), self.has_mapping(kind)),
        };
        let in_memory = !reference || within & Location::Memory.bit() != 0;
        let local = in_memory && !mapping && self.frame.owner != Owner::Initializer;
        let stored = !reference || within & Location::Storage.bit() != 0;
        (local, stored)
    }

    /// A new variable of that type (`context_update`): a local one before the
    /// present statement, or a state variable.
    pub(super) fn update_context(
        &mut self,
        wanted: Wanted,
        within: Domain,
    ) -> Result<ExpressionId, Reject> {
        let kind = match wanted {
            Wanted::Elementary(kind) => self.leaf(kind),
            Wanted::Type(kind) => self.like(kind),
        };
        let full = self.frame.slots + self.slots_of(kind) > self.options.slots;
        let (local, stored) = self.places_for(wanted, within);
        let prefers_state = !local || full || self.often(Draw::NewStateVariables)?;
        if stored
            && prefers_state
            && let Some(variable) = self.state_variable(kind)
        {
            return Ok(self.expression(Expression::Variable(variable)));
        }
        if !local {
            return Err(Reject::NotApplicable("no place for a new variable"));
        }
        let variable = self.frame_variable(Role::Local, kind, Location::Memory);
        self.frame.slots += self.slots_of(kind);
        let declaration = self.statement(Statement::Declare {
            variables: vec![Some(variable)],
            value: None,
        });
        self.frame.pending.push(declaration);
        self.frame.scope.push(variable);
        Ok(self.expression(Expression::Variable(variable)))
    }
}

impl NamePlaces for Generator<'_> {
    fn ast(&self) -> &Ast {
        &self.ast
    }

    fn add(&mut self, expression: Expression) -> ExpressionId {
        self.expression(expression)
    }

    fn index(&mut self, of: TypeId, _: Step, depth: u32) -> Result<ExpressionId, Reject> {
        match self.ast[of] {
            Type::Mapping { key, .. } => {
                let wanted = self.wanted(key);
                self.value(wanted, ANYWHERE, depth.saturating_sub(1), true)
            }
            Type::Array { length, .. } => {
                let computed = depth > 0 && self.percent(50)?;
                match computed {
                    true => {
                        let wanted = Wanted::Elementary(Elementary::UINT256);
                        self.variable_value(wanted, depth - 1)
                    }
                    false => {
                        let below = length.unwrap_or(4);
                        let value = self.choices.below(u64::from(below))?;
                        Ok(self.number(value))
                    }
                }
            }
            Type::Elementary(_)
            | Type::Struct(_)
            | Type::Contract(_)
            | Type::Enum(_)
            | Type::Value(_)
            | Type::Function(_) => Err(Reject::NotApplicable("an index into something else")),
        }
    }
}

/// Any location will do.
pub(super) const ANYWHERE: Domain =
    Location::Memory.bit() | Location::Storage.bit() | Location::Calldata.bit();
