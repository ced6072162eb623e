//! Values that no declaration gives: the environment, what the language
//! offers, limits of types, selectors.

use lydite_core::Reject;

use super::options::Part;
use super::types::Wanted;
use super::{Generator, Intent};
use crate::ast::{Environment, Expression, ExpressionId, FunctionName, Intrinsic, Needs, Owner};
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

    /// `C.f.selector` of another contract's function.
    pub(super) fn selector(&mut self) -> Result<Option<ExpressionId>, Reject> {
        if !self.has(Feature::FunctionMembers) {
            return Ok(None);
        }
        let mut callees = self.callees();
        callees.retain(|callee| callee.is_other());
        if callees.is_empty() {
            return Ok(None);
        }
        let function = self.choices.pick(&callees)?.function;
        Ok(Some(self.expression(Expression::Selector(function))))
    }

    /// `abi.encodeCall` of another contract's function.
    pub(super) fn encoded_call(&mut self, depth: u32) -> Result<Option<ExpressionId>, Reject> {
        if !self.has(Feature::EncodeCall) {
            return Ok(None);
        }
        let mut callees = self.callees();
        callees.retain(|callee| callee.is_other());
        if callees.is_empty() {
            return Ok(None);
        }
        let function = self.choices.pick(&callees)?.function;
        let arguments = self.arguments(function, true, depth - 1)?;
        Ok(Some(self.expression(Expression::EncodeCall {
            function,
            arguments,
        })))
    }
}
