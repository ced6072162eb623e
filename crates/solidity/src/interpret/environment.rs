//! What the language offers without a declaration: the message, the block,
//! facts of types, precompiled functions.

use dashu_int::IBig;

use super::data::Value;
use super::digests::{ripemd160, sha256};
use super::effects::After;
use super::encode::SELECTOR;
use super::expressions::{UNTYPED, known, word};
use super::keccak::number_of;
use super::machine::{Machine, Order, Stop};
use super::number::Fault;
use crate::ast::{ContractId, Environment, ExpressionId, Member, TypeFact};

impl Machine<'_> {
    pub(super) fn environment(&self, what: Environment) -> Result<Value, Stop> {
        match what {
            Environment::Sender => known(&self.run.world.sender),
            Environment::This => known(&self.run.world.this),
            Environment::Timestamp => Ok(Value::Word(self.run.world.timestamp.clone())),
            Environment::Number => Ok(Value::Word(self.run.world.number.clone())),
            Environment::Data => match &self.run.world.data {
                Some(data) => Ok(Value::Bytes(data.clone()).in_calldata()),
                None => Err(Stop::Unknown("the data of a call")),
            },
            Environment::Gas => Err(Stop::Unknown("how much gas is left")),
        }
    }

    /// What the language offers, as far as it does not depend on the chain.
    pub(super) fn intrinsic(
        &mut self,
        text: &str,
        operands: &[ExpressionId],
    ) -> Result<Value, Stop> {
        match (text, operands) {
            ("now", _) => Ok(Value::Word(self.run.world.timestamp.clone())),
            ("tx.origin", _) => known(&self.run.world.origin),
            ("msg.value", _) => Ok(Value::Word(self.run.world.value.clone())),
            ("msg.sig", _) => {
                let data = self.run.world.data.as_ref();
                let data = data.ok_or(Stop::Unknown("the data of a call"))?;
                let mut selector: Vec<u8> = data.iter().copied().take(SELECTOR).collect();
                selector.resize(SELECTOR, 0);
                Ok(Value::Word(number_of(&selector)))
            }
            ("$.balance", [of]) => {
                let of = word(self.evaluate(*of)?)?;
                match self.run.world.this {
                    Some(_) => Ok(Value::Word(self.balance(&of))),
                    None => Err(Stop::Unknown("what an account has")),
                }
            }
            ("$.send($)", [_, _]) => {
                let values = self.list(operands, After::Copied)?;
                let mut words = values.into_iter().map(word);
                let mut next = || words.next().unwrap_or(Err(UNTYPED));
                let (to, wei) = (next()?, next()?);
                let went = self.handed_over(to, wei)?;
                Ok(Value::Word(IBig::from(u8::from(went))))
            }
            ("addmod($, $, $)" | "mulmod($, $, $)", [_, _, _]) => {
                let values = match self.run.order {
                    Order::LeftFirst => self.list(operands, After::Copied)?,
                    Order::RightFirst => self.list_in(operands, &[2, 1, 0], After::Copied)?,
                };
                let mut words = values.into_iter().map(word);
                let mut next = || words.next().unwrap_or(Err(UNTYPED));
                let (left, right, modulus) = (next()?, next()?, next()?);
                if modulus == IBig::ZERO {
                    return Err(match self.run.arithmetic.checked {
                        true => Stop::Fault(Fault::Division),
                        false => Stop::Unknown("a modulus of zero"),
                    });
                }
                let result = match text.starts_with('a') {
                    true => left + right,
                    false => left * right,
                };
                Ok(Value::Word(result % modulus))
            }
            ("sha256($)", [bytes]) => Ok(Value::Word(number_of(&sha256(&self.bytes(*bytes)?)))),
            ("ripemd160($)", [bytes]) => {
                Ok(Value::Word(number_of(&ripemd160(&self.bytes(*bytes)?))))
            }
            (of_chain, []) => self.chain_fact(of_chain),
            _ => Err(Stop::Unknown("what depends on the chain")),
        }
    }

    pub(super) fn chain_fact(&self, text: &str) -> Result<Value, Stop> {
        let unknown = Stop::Unknown("what depends on the chain");
        let block = self.run.world.block.as_ref().ok_or(unknown.clone())?;
        let fact = match text {
            "block.coinbase" => &block.coinbase,
            "block.difficulty" | "block.prevrandao" => &block.randomness,
            "block.gaslimit" => &block.gas_limit,
            "block.chainid" => &block.chain,
            "block.basefee" => &block.base_fee,
            "tx.gasprice" => &block.gas_price,
            _ => return Err(unknown),
        };
        Ok(Value::Word(fact.clone()))
    }

    pub(super) fn fact(&mut self, fact: TypeFact, contract: ContractId) -> Result<Value, Stop> {
        let ast = self.types.ast;
        match fact {
            TypeFact::Name => {
                let name = ast.contract_name(contract).into_bytes();
                Ok(self.in_memory(Value::Bytes(name)))
            }
            TypeFact::InterfaceId => {
                let mut together = [0; SELECTOR];
                for member in &ast[contract].members {
                    if let Member::Function(function) = *member {
                        let selector = self.selector(function)?;
                        for (byte, own) in together.iter_mut().zip(selector) {
                            *byte ^= own;
                        }
                    }
                }
                Ok(Value::Word(number_of(&together)))
            }
            TypeFact::CreationCode | TypeFact::RuntimeCode => {
                Err(Stop::Unknown("the code of a contract"))
            }
        }
    }
}
