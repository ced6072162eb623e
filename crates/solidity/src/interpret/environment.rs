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
use crate::ast::{ChainFact, ContractId, Environment, ExpressionId, Meaning, Member, TypeFact};

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
        meaning: Meaning,
        operands: &[ExpressionId],
    ) -> Result<Value, Stop> {
        match meaning {
            Meaning::Timestamp => Ok(Value::Word(self.run.world.timestamp.clone())),
            Meaning::Chain(fact) => self.chain_fact(fact),
            Meaning::Origin => known(&self.run.world.origin),
            Meaning::Value => Ok(Value::Word(self.run.world.value.clone())),
            Meaning::Selector => {
                let data = self.run.world.data.as_ref();
                let data = data.ok_or(Stop::Unknown("the data of a call"))?;
                let mut selector: Vec<u8> = data.iter().copied().take(SELECTOR).collect();
                selector.resize(SELECTOR, 0);
                Ok(Value::Word(number_of(&selector)))
            }
            Meaning::AddMod => self.modulo(operands, |left, right| left + right),
            Meaning::MulMod => self.modulo(operands, |left, right| left * right),
            Meaning::Sha256 => {
                let [bytes] = only(operands)?;
                Ok(Value::Word(number_of(&sha256(&self.bytes(bytes)?))))
            }
            Meaning::Ripemd160 => {
                let [bytes] = only(operands)?;
                Ok(Value::Word(number_of(&ripemd160(&self.bytes(bytes)?))))
            }
            Meaning::Balance => {
                let [of] = only(operands)?;
                let of = word(self.evaluate(of)?)?;
                match self.run.world.this {
                    Some(_) => Ok(Value::Word(self.balance(&of))),
                    None => Err(Stop::Unknown("what an account has")),
                }
            }
            Meaning::Send => {
                let [to, wei] = words(self.list(operands, After::Copied)?)?;
                let went = self.handed_over(to, wei)?;
                Ok(Value::Word(IBig::from(u8::from(went))))
            }
            Meaning::Unknown => Err(OF_CHAIN),
        }
    }

    /// `addmod`, `mulmod`
    fn modulo(
        &mut self,
        operands: &[ExpressionId],
        operation: impl Fn(IBig, IBig) -> IBig,
    ) -> Result<Value, Stop> {
        let values = match self.run.order {
            Order::LeftFirst => self.list(operands, After::Copied)?,
            Order::RightFirst => self.list_in(operands, &[2, 1, 0], After::Copied)?,
        };
        let [left, right, modulus] = words(values)?;
        if modulus == IBig::ZERO {
            return Err(match self.run.arithmetic.checked {
                true => Stop::Fault(Fault::Division),
                false => Stop::Unknown("a modulus of zero"),
            });
        }
        Ok(Value::Word(operation(left, right) % modulus))
    }

    fn chain_fact(&self, fact: ChainFact) -> Result<Value, Stop> {
        let block = self.run.world.block.as_ref().ok_or(OF_CHAIN)?;
        let fact = match fact {
            ChainFact::Coinbase => &block.coinbase,
            ChainFact::Randomness => &block.randomness,
            ChainFact::GasLimit => &block.gas_limit,
            ChainFact::Id => &block.chain,
            ChainFact::BaseFee => &block.base_fee,
            ChainFact::GasPrice => &block.gas_price,
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

const OF_CHAIN: Stop = Stop::Unknown("what depends on the chain");

/// All operands, which are as many as the table says.
fn only<const N: usize>(operands: &[ExpressionId]) -> Result<[ExpressionId; N], Stop> {
    operands.try_into().map_err(|_| UNTYPED)
}

fn words<const N: usize>(values: Vec<Value>) -> Result<[IBig; N], Stop> {
    let words: Result<Vec<IBig>, Stop> = values.into_iter().map(word).collect();
    words?.try_into().map_err(|_| UNTYPED)
}
