//! Calls with more words: options in braces, and arguments by name.

use lydite_core::Reject;

use super::context::ANYWHERE;
use super::options::Part;
use super::types::Wanted;
use super::weights::Draw;
use super::{Generator, Intent};
use crate::ast::{CallOption, ContractId, ContractKind, Expression, ExpressionId, FunctionId, Via};
use crate::types::{Elementary, Mutability};
use crate::version::Feature;

/// Wei that a contract may have.
const FEW: u64 = 4;

impl Generator<'_> {
    /// A call or a new contract as it is, or with more words.
    pub(super) fn with_options(&mut self, call: ExpressionId) -> Result<ExpressionId, Reject> {
        if !self.allows(Part::CallOptions) || !self.often(Draw::CallOptions)? {
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
        let named = many == self.ast[function].parameters.len()
            && many > 0
            && self.often(Draw::NamedArguments)?;
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
        if self.can_be_paid(function) && self.often(Draw::CallWei)? {
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
}
