//! Calls with more words: options in braces, and arguments by name; and texts
//! in other notations.

use lydite_core::Reject;

use super::context::ANYWHERE;
use super::options::Part;
use super::types::Wanted;
use super::{Generator, Intent};
use crate::ast::{
    CallOption, ContractId, ContractKind, Expression, ExpressionId, FunctionId, FunctionName,
    Notation, Role, Type, TypeFact, Via,
};
use crate::types::{Domain, Elementary, Family, Location, Mutability};
use crate::version::Feature;

/// The longest text that a literal has.
const LONGEST: u8 = 32;

/// Wei that a contract may have.
const FEW: u64 = 4;

/// How many bytes a Unicode text has beyond its letters.
const UNICODE_BYTES: u8 = 2;

impl Generator<'_> {
    /// A call or a new contract as it is, or with more words.
    pub(super) fn elaborated(&mut self, call: ExpressionId) -> Result<ExpressionId, Reject> {
        if !self.allows(Part::CallOptions) || !self.percent(25)? {
            return Ok(call);
        }
        let (function, options, many) = match &self.ast[call] {
            Expression::Call {
                function,
                via,
                arguments,
            } => {
                let (function, via, many) = (*function, *via, arguments.len());
                let nameable = via != Via::Attached;
                let free = self.has(Feature::PureOptions) || self.frame.intent >= Intent::Write;
                let options = match via.is_external() && free {
                    true => self.call_options(function)?,
                    false => Vec::new(),
                };
                (function, options, if nameable { many } else { 0 })
            }
            Expression::New {
                contract,
                arguments,
            } => {
                let (contract, many) = (*contract, arguments.len());
                let options = self.creation_options(contract)?;
                match self.constructor(contract) {
                    Some(constructor) => (constructor, options, many),
                    None if options.is_empty() => return Ok(call),
                    None => {
                        let named = false;
                        return Ok(self.expression(Expression::With {
                            call,
                            options,
                            named,
                        }));
                    }
                }
            }
            _ => return Ok(call),
        };
        let named = many == self.ast[function].parameters.len() && many > 0 && self.percent(50)?;
        if options.is_empty() && !named {
            return Ok(call);
        }
        Ok(self.expression(Expression::With {
            call,
            options,
            named,
        }))
    }

    fn call_options(
        &mut self,
        function: FunctionId,
    ) -> Result<Vec<(CallOption, ExpressionId)>, Reject> {
        let mut options = Vec::new();
        if self.can_be_paid(function) && self.percent(60)? {
            self.make_payable(function);
            options.push((CallOption::Value, self.amount()?));
        }
        if !self.options.is_known && self.percent(50)? {
            options.push((CallOption::Gas, self.amount()?));
        }
        Ok(options)
    }

    fn creation_options(
        &mut self,
        contract: ContractId,
    ) -> Result<Vec<(CallOption, ExpressionId)>, Reject> {
        let mut options = Vec::new();
        if !self.has(Feature::CallOptions) {
            return Ok(options);
        }
        if let Some(constructor) = self.constructor(contract)
            && self.percent(50)?
        {
            self.make_payable(constructor);
            options.push((CallOption::Value, self.amount()?));
        }
        if self.has(Feature::Salt) && !self.options.is_known && self.percent(50)? {
            let kind = Elementary::fixed_bytes(32);
            let salt = self.value(Wanted::Elementary(kind), ANYWHERE, 0, true)?;
            options.push((CallOption::Salt, salt));
        }
        Ok(options)
    }

    /// Contracts have few wei.
    fn amount(&mut self) -> Result<ExpressionId, Reject> {
        if self.options.is_known && self.percent(80)? {
            let wei = self.choices.below(FEW)?;
            return Ok(self.number(wei));
        }
        self.value(Wanted::Elementary(Elementary::UINT256), ANYWHERE, 0, true)
    }

    /// True if nothing that was drawn keeps the function from taking ether.
    fn can_be_paid(&self, id: FunctionId) -> bool {
        let function = &self.ast[id];
        let kind = function.contract.map(|contract| self.ast[contract].kind);
        self.frame.intent >= Intent::Write
            && self.intents[id.0 as usize] >= Intent::Write
            && kind != Some(ContractKind::Interface)
            && !function.is_virtual
            && !function.is_override
            && !self.referenced.contains(&id)
    }

    fn make_payable(&mut self, id: FunctionId) {
        if let Some(mutability) = self.ast[id].mutability {
            self.witness[mutability.0 as usize] = Mutability::Payable.number();
        }
    }

    /// A text in another notation, for what takes `longest` bytes at most.
    pub(super) fn notated(&mut self, longest: u8) -> Result<Option<ExpressionId>, Reject> {
        if !self.allows(Part::Notations) || !self.percent(12)? {
            return Ok(None);
        }
        let unicode = self.has(Feature::UnicodeText) && longest > UNICODE_BYTES;
        let notation = match unicode && self.percent(50)? {
            true => Notation::Unicode,
            false => Notation::Hex,
        };
        let most = match notation {
            Notation::Hex => longest,
            Notation::Unicode => longest - UNICODE_BYTES,
        };
        let length = self.choices.between(1, u64::from(most.min(LONGEST)))? as u8;
        Ok(Some(self.expression(Expression::Text(notation, length))))
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

    /// `[a, a]`, of exactly the wanted type.
    pub(super) fn inline_array(
        &mut self,
        wanted: Wanted,
        within: Domain,
        depth: u32,
    ) -> Result<Option<ExpressionId>, Reject> {
        let Wanted::Type(kind) = wanted else {
            return Ok(None);
        };
        let Type::Array {
            element,
            length: Some(length),
        } = self.ast[kind]
        else {
            return Ok(None);
        };
        if !self.allows(Part::Slices)
            || within & Location::Memory.bit() == 0
            || self.is_reference(element)
            || self.elementary_of(element).is_none()
        {
            return Ok(None);
        }
        let accesses = self.accesses(false, |kind, _, _| self.same_type(kind, element));
        if accesses.is_empty() {
            return Ok(None);
        }
        let access = *self.choices.pick(&accesses)?;
        let mut elements = Vec::new();
        for _ in 0..length {
            elements.push(self.follow(access, depth.saturating_sub(1).min(1))?);
        }
        let kind = self.ast.add_type(Type::Array {
            element: access.kind,
            length: Some(length),
        });
        Ok(Some(self.expression(Expression::Inline { kind, elements })))
    }

    /// `x[a:b]` of something in calldata.
    pub(super) fn slice(
        &mut self,
        wanted: Wanted,
        within: Domain,
    ) -> Result<Option<ExpressionId>, Reject> {
        let calldata = Location::Calldata;
        let usable = self.allows(Part::Slices) && self.has(Feature::Slices);
        if !usable || within & calldata.bit() == 0 {
            return Ok(None);
        }
        let accesses = self.accesses(false, |kind, location, is_variable| {
            let plain = match self.ast[kind] {
                Type::Array {
                    element,
                    length: None,
                } => !self.is_reference(element),
                Type::Elementary(_) => true,
                _ => false,
            };
            plain && is_variable && location == calldata && self.fits(kind, wanted)
        });
        let accesses: Vec<_> = accesses
            .into_iter()
            .filter(|access| self.is_reference(access.kind))
            .collect();
        if accesses.is_empty() {
            return Ok(None);
        }
        let access = *self.choices.pick(&accesses)?;
        let base = self.follow(access, 0)?;
        let mut ends = [None, None];
        for (end, value) in ends.iter_mut().zip([1, 3]) {
            if self.percent(60)? {
                *end = Some(self.number(value));
            }
        }
        let [from, to] = ends;
        Ok(Some(self.expression(Expression::Slice { base, from, to })))
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
