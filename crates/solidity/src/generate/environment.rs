//! Values that no declaration gives: the environment, what the language
//! offers, limits and facts of types.

use lydite_core::Reject;

use super::options::Part;
use super::types::Wanted;
use super::{Generator, Intent};
use crate::ast::{
    ContractId, ContractKind, Environment, Expression, ExpressionId, FunctionName, Intrinsic,
    Needs, Owner, Role, TypeFact,
};
use crate::qualify::Relation;
use crate::types::{Domain, Elementary, Family, Location, Mutability, NUMBERS, Visibility};
use crate::version::Feature;

impl Generator<'_> {
    /// `msg.sender` and the like.
    pub(super) fn environment(
        &mut self,
        wanted: Wanted,
        within: Domain,
    ) -> Result<Option<ExpressionId>, Reject> {
        let Wanted::Elementary(kind) = wanted else {
            return Ok(None);
        };
        let reads = self.frame.intent >= Intent::View;
        let payable = kind == Elementary::PAYABLE && self.has(Feature::PayableSender);
        let address = kind == Elementary::ADDRESS;
        let word = kind == Elementary::UINT256;
        let more = self.allows(Part::Intrinsics);
        let calldata = kind == Elementary::BYTES && within & Location::Calldata.bit() != 0;
        let rows = [
            (Environment::Sender, reads && (address || payable)),
            (Environment::This, reads && address && !self.is_in_library()),
            (Environment::Timestamp, reads && word),
            (Environment::Number, reads && word),
            (
                Environment::Gas,
                reads && word && more && !self.options.is_known && self.has(Feature::GasLeft),
            ),
            // It is empty there, and solc refuses to read it.
            (Environment::Data, calldata && more && !self.is_in_receive()),
        ];
        let usable = rows.iter().filter(|(_, usable)| *usable);
        let usable: Vec<Environment> = usable.map(|(value, _)| *value).collect();
        if usable.is_empty() {
            return Ok(None);
        }
        let value = *self.choices.pick(&usable)?;
        Ok(Some(self.expression(Expression::Environment(value))))
    }

    /// A row of the table of intrinsics whose result fits.
    pub(super) fn intrinsic(
        &mut self,
        wanted: Wanted,
        within: Domain,
        depth: u32,
    ) -> Result<Option<ExpressionId>, Reject> {
        let Wanted::Elementary(kind) = wanted else {
            return Ok(None);
        };
        if !self.allows(Part::Intrinsics) {
            return Ok(None);
        }
        let fitting = Intrinsic::all().filter(|&intrinsic| {
            let row = intrinsic.row();
            let (from, to) = (row.result.number(), kind.number());
            self.dialect.offers(intrinsic)
                && (intrinsic.is_known() || !self.options.is_known)
                && row.result.family() == kind.family()
                && self.theory.holds(Relation::Converts, from, to)
                && (!kind.is_reference() || within & Location::Memory.bit() != 0)
                && self.can_need(row.needs)
        });
        let fitting: Vec<Intrinsic> = fitting.collect();
        if fitting.is_empty() {
            return Ok(None);
        }
        let intrinsic = *self.choices.pick(&fitting)?;
        let mut operands = Vec::new();
        for &operand in intrinsic.row().operands {
            let wanted = Wanted::Elementary(operand);
            operands.push(self.variable_value(wanted, depth - 1)?);
        }
        Ok(Some(
            self.expression(Expression::Intrinsic(intrinsic, operands)),
        ))
    }

    fn can_need(&self, needs: Needs) -> bool {
        match needs {
            Needs::Nothing => true,
            Needs::Reading => self.frame.intent >= Intent::View,
            Needs::Writing => self.frame.intent >= Intent::Write,
            Needs::Payment => self.frame.intent >= Intent::View && self.is_paid(),
        }
    }

    /// True if the function may look at what was paid, under the witness.
    fn is_paid(&self) -> bool {
        let Owner::Function(function) = self.frame.owner else {
            return false;
        };
        let function = &self.ast[function];
        let value = |placeholder| self.witness(placeholder);
        match function.visibility.map(value) {
            None => function.name != FunctionName::Constructor,
            Some(visibility) => {
                visibility == Visibility::Internal.number()
                    || visibility == Visibility::Private.number()
                    || function.mutability.map(value) == Some(Mutability::Payable.number())
            }
        }
    }

    /// `type(T).max` or `type(T).min`, or where data of a name begins.
    pub(super) fn limit(&mut self, wanted: Wanted) -> Result<Option<ExpressionId>, Reject> {
        let Wanted::Elementary(kind) = wanted else {
            return Ok(None);
        };
        if self.percent(30)?
            && let Some(place) = self.place_of_name(kind)?
        {
            return Ok(Some(place));
        }
        let number = matches!(kind.family(), Family::Uint | Family::Int);
        let usable = self.allows(Part::Intrinsics) && self.has(Feature::TypeLimits);
        if !number || !usable || self.frame.no_constants {
            return Ok(None);
        }
        let largest = self.percent(60)?;
        let kind = self.leaf_within(kind, NUMBERS);
        Ok(Some(self.expression(Expression::Limit { kind, largest })))
    }

    /// `type(C).name` and the like.
    pub(super) fn fact(
        &mut self,
        wanted: Wanted,
        within: Domain,
    ) -> Result<Option<ExpressionId>, Reject> {
        let Wanted::Elementary(kind) = wanted else {
            return Ok(None);
        };
        if !self.allows(Part::TypeFacts)
            || kind.is_reference() && within & Location::Memory.bit() == 0
        {
            return Ok(None);
        }
        let facts: &[(TypeFact, Feature)] = match kind.family() {
            Family::String => &[(TypeFact::Name, Feature::TypeName)],
            Family::Bytes => &[
                (TypeFact::CreationCode, Feature::TypeCode),
                (TypeFact::RuntimeCode, Feature::TypeCode),
            ],
            Family::FixedBytes if kind.size() >= 4 => {
                &[(TypeFact::InterfaceId, Feature::InterfaceId)]
            }
            _ => &[],
        };
        let mut known = Vec::new();
        for &(fact, feature) in facts {
            for contract in self.known_contracts() {
                let is_code = matches!(fact, TypeFact::CreationCode | TypeFact::RuntimeCode);
                let is_known = !is_code || !self.options.is_known;
                if self.has(feature) && is_known && self.is_fact_of(fact, contract) {
                    known.push((fact, contract));
                }
            }
        }
        if known.is_empty() {
            return Ok(None);
        }
        let (fact, contract) = *self.choices.pick(&known)?;
        Ok(Some(self.expression(Expression::Fact(fact, contract))))
    }

    fn is_fact_of(&self, fact: TypeFact, contract: ContractId) -> bool {
        let kind = self.ast[contract].kind;
        match fact {
            TypeFact::InterfaceId => kind == ContractKind::Interface,
            TypeFact::Name | TypeFact::CreationCode => kind == ContractKind::Contract,
            // What is immutable is known only when the contract is made.
            TypeFact::RuntimeCode => {
                let lineage = self.lineage(contract);
                let mut variables = self.ast.variables.iter();
                let immutable = variables.any(|variable| match variable.role {
                    Role::Immutable(contract) => lineage.contains(&contract),
                    _ => false,
                });
                kind == ContractKind::Contract && !immutable
            }
        }
    }
}
