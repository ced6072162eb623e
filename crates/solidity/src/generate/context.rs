//! What an expression can refer to: querying, checking and updating the
//! context (algorithm 1), with the witness as the check.

use lydite_core::Reject;

use super::types::{Place, Wanted};
use super::{Generator, Intent};
use crate::ast::{
    Ast, ContractId, ContractKind, Expression, ExpressionId, FunctionName, Member, Owner, Role,
    Statement, StructId, Type, TypeId, VariableId,
};
use crate::types::{Domain, Elementary, Location, Visibility};
use crate::version::Feature;

/// A way from a variable to something in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    variable: VariableId,
    steps: [Option<Step>; 2],
    /// The type that it leads to.
    pub(super) kind: TypeId,
    /// Where the data is, for reference types.
    pub(super) location: Location,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Index,
    Field(VariableId),
}

impl Access {
    /// True if it is a variable itself.
    pub(super) fn is_variable(&self) -> bool {
        self.steps[0].is_none()
    }

    /// True if it starts at a state variable.
    pub(super) fn is_state(&self, ast: &Ast) -> bool {
        ast[self.variable].contract().is_some()
    }
}

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
    pub(super) fn usable_structs(&self, place: Place) -> Vec<StructId> {
        let all = (0..self.ast.structs.len() as u32).map(StructId);
        // Functions do not go to other contracts.
        let usable = all.filter(|&id| {
            let mut fields = self.ast[id].fields.iter();
            let stays = place == Place::State || !self.ast.is_recursive(id);
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

    /// All ways to something that `accept`s, at most two steps long.
    pub(super) fn accesses(
        &self,
        writing: bool,
        accept: impl Fn(TypeId, Location, bool) -> bool,
    ) -> Vec<Access> {
        let mut found = Vec::new();
        let state = self.visible_state();
        for &variable in self.frame.scope.iter().chain(&state) {
            if !self.can_start(variable, writing) {
                continue;
            }
            let first = Access {
                variable,
                steps: [None, None],
                kind: self.ast[variable].kind,
                location: self.location_of(variable),
            };
            if accept(first.kind, first.location, true) {
                found.push(first);
            }
            if self.can_step(first.location, writing) {
                self.steps(first, 0, &mut found, &accept);
            }
        }
        found
    }

    fn steps(
        &self,
        from: Access,
        depth: usize,
        found: &mut Vec<Access>,
        accept: &impl Fn(TypeId, Location, bool) -> bool,
    ) {
        let mut next = |step: Step, kind: TypeId| {
            let mut access = Access { kind, ..from };
            access.steps[depth] = Some(step);
            if accept(kind, access.location, false) {
                found.push(access);
            }
            if depth == 0 {
                self.steps(access, 1, found, accept);
            }
        };
        match self.ast[from.kind] {
            Type::Array { element, .. } => next(Step::Index, element),
            Type::Mapping { value, .. } => next(Step::Index, value),
            Type::Struct(id) => {
                for &field in &self.ast[id].fields {
                    next(Step::Field(field), self.ast[field].kind);
                }
            }
            _ => {}
        }
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

    /// The expression of a way.
    pub(super) fn follow(&mut self, access: Access, depth: u32) -> Result<ExpressionId, Reject> {
        let mut at = self.expression(Expression::Variable(access.variable));
        let mut kind = self.ast[access.variable].kind;
        for step in access.steps.into_iter().flatten() {
            at = match step {
                Step::Field(field) => {
                    kind = self.ast[field].kind;
                    self.expression(Expression::Member { base: at, field })
                }
                Step::Index => {
                    let (index, element) = self.index_of(kind, depth)?;
                    kind = element;
                    self.expression(Expression::Index { base: at, index })
                }
            };
        }
        Ok(at)
    }

    /// An index into an array or a key of a mapping, and what is there.
    fn index_of(&mut self, kind: TypeId, depth: u32) -> Result<(ExpressionId, TypeId), Reject> {
        match self.ast[kind] {
            Type::Mapping { key, value } => {
                let wanted = self.wanted(key);
                let key = self.value(wanted, ANYWHERE, depth.saturating_sub(1), true)?;
                Ok((key, value))
            }
            Type::Array { element, length } => {
                let computed = depth > 0 && self.percent(50)?;
                let index = match computed {
                    true => {
                        let wanted = Wanted::Elementary(Elementary::UINT256);
                        self.variable_value(wanted, depth - 1)?
                    }
                    false => {
                        let below = length.unwrap_or(4);
                        let value = self.choices.below(u64::from(below))?;
                        self.number(value)
                    }
                };
                Ok((index, element))
            }
            _ => Err(Reject::NotApplicable("an index into something else")),
        }
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
        let prefers_state = !local || full || self.percent(30)?;
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

/// Any location will do.
pub(super) const ANYWHERE: Domain =
    Location::Memory.bit() | Location::Storage.bit() | Location::Calldata.bit();
