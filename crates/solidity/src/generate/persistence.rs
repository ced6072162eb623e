//! Whether state variables are constant, immutable or transient: open wherever
//! all code allows more than one of these.
//!
//! What reading and changing asks of a function follows from the finished
//! program ([`crate::rules`]). Here is what the compiler asks besides: constants
//! do not stand where it computes with them, and in versions before 0.8.21
//! immutable variables are not read while their contract is made.

use super::Generator;
use super::options::Part;
use crate::ast::{ContractId, Expression, FunctionName, Owner, Role, TypeFact, VariableId};
use crate::qualify::Kind;
use crate::types::{Domain, Persistence, VALUES};
use crate::version::Feature;

/// What a variable without a first value may be.
pub(super) const CHANGING: Domain = Persistence::Stored.bit() | Persistence::Transient.bit();

/// What a variable with one may be.
pub(super) const GIVEN: Domain =
    Persistence::Stored.bit() | Persistence::Constant.bit() | Persistence::Immutable.bit();

impl Generator<'_> {
    /// The persistence of a state variable becomes open: one of `among`, as far
    /// as the version has it. Under the witness it is `own`.
    pub(super) fn open_persistence(
        &mut self,
        variable: VariableId,
        own: Persistence,
        among: Domain,
    ) {
        let mut domain = among | own.bit();
        for (persistence, feature) in [
            (Persistence::Immutable, Feature::Immutable),
            (Persistence::Transient, Feature::Transient),
        ] {
            if !self.has(feature) {
                domain &= !persistence.bit();
            }
        }
        let is_value = self
            .elementary_of(self.ast[variable].kind)
            .is_some_and(|own| self.declared.domain(own) & !VALUES == 0);
        if !is_value || !self.allows(Part::Constants) {
            return;
        }
        if let Some(&known) = self.ast.persistences.get(&variable) {
            self.declared.set_domain(known, domain);
            self.witness[known.0 as usize] = own.number();
            return;
        }
        let persistence = self.declare(Kind::Persistence, domain, own.number());
        self.ast.persistences.insert(variable, persistence);
    }

    /// A variable is named where the compiler computes with constants.
    pub(super) fn note_use(&mut self, expression: &Expression) {
        if let Expression::Variable(variable) = expression
            && self.frame.no_constants
        {
            self.leave_out(*variable, Persistence::Constant);
        }
    }

    /// A variable may be anything but this, unless it is so under the witness:
    /// then the generator saw to it that it can be.
    fn leave_out(&mut self, variable: VariableId, persistence: Persistence) {
        if let Some(&own) = self.ast.persistences.get(&variable)
            && self.witness(own) != persistence.number()
        {
            self.declared.restrict(own, !persistence.bit());
        }
    }

    /// Leaves out what the finished program does not go with.
    pub(super) fn settle_persistences(&mut self) {
        for number in 0..self.ast.expressions.len() {
            if let Expression::Fact(TypeFact::RuntimeCode, contract) = self.ast.expressions[number]
            {
                // What is immutable is known only when the contract is made.
                for variable in self.variables_in(&self.lineage(contract)) {
                    self.leave_out(variable, Persistence::Immutable);
                }
            }
        }
        if !self.has(Feature::FreeImmutables) {
            self.keep_immutables_from_makers();
        }
    }

    /// Nothing that runs while a contract is made reads what is immutable.
    fn keep_immutables_from_makers(&mut self) {
        for number in 0..self.ast.expressions.len() {
            let Some(contract) = self.maker(self.ast.owners[number]) else {
                continue;
            };
            match self.ast.expressions[number] {
                Expression::Variable(variable) => {
                    self.leave_out(variable, Persistence::Immutable);
                }
                Expression::Call { .. }
                | Expression::CallValue { .. }
                | Expression::Reference(_)
                | Expression::Operator { .. }
                | Expression::UnaryOperator { .. } => {
                    let all = (0..self.ast.contracts.len() as u32).map(ContractId);
                    let related = all.filter(|&other| {
                        self.lineage(other).contains(&contract)
                            || self.lineage(contract).contains(&other)
                    });
                    let related: Vec<ContractId> = related.collect();
                    for variable in self.variables_in(&related) {
                        self.leave_out(variable, Persistence::Immutable);
                    }
                }
                _ => {}
            }
        }
    }

    /// The contract that is made while this code runs; modifiers may stand at
    /// constructors.
    fn maker(&self, owner: Owner) -> Option<ContractId> {
        match owner {
            Owner::Function(id) if self.ast[id].name == FunctionName::Constructor => {
                self.ast[id].contract
            }
            Owner::Modifier(id) => Some(self.ast[id].contract),
            Owner::Function(_) | Owner::Initializer => None,
        }
    }

    fn variables_in(&self, contracts: &[ContractId]) -> Vec<VariableId> {
        let variables = self.ast.variables.iter().enumerate();
        let own = variables.filter(|(_, variable)| match variable.role {
            Role::State(contract)
            | Role::Constant(contract)
            | Role::Immutable(contract)
            | Role::Transient(contract) => contracts.contains(&contract),
            _ => false,
        });
        own.map(|(number, _)| VariableId(number as u32)).collect()
    }
}
