//! What transactions are sent to.

use std::collections::BTreeMap;

use revm::primitives::{Address, Bytes, Log, U256};
use serde::Serialize;

/// A balance, and the slots of storage that are not zero.
pub type Holding = (U256, BTreeMap<U256, U256>);

/// What all contracts hold, by address.
pub type State = BTreeMap<Address, Holding>;

/// How a transaction ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Receipt {
    /// It went through.
    Done {
        /// What it returned.
        output: Bytes,
        /// What it deployed.
        address: Option<Address>,
        /// What it told.
        logs: Vec<Log>,
        /// What it cost.
        gas: u64,
    },
    /// It took everything back and gave a reason.
    Reverted {
        /// The reason.
        output: Bytes,
        /// What it cost.
        gas: u64,
    },
    /// It did what no contract may do, or never comes to an end.
    Halted(&'static str),
    /// What it did depends on how much gas there is.
    Limited(&'static str),
    /// The chain does not take such a transaction.
    Refused(String),
    /// The node itself failed.
    Broken(String),
}

/// A transaction as a node gets it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sent {
    /// The account that sends it.
    pub from: Address,
    /// The contract that is called; nothing if code is deployed.
    pub to: Option<Address>,
    /// Call data, or creation code with arguments.
    pub data: Bytes,
    /// Wei that go with it.
    pub value: U256,
    /// The most gas that it may use.
    pub gas: u64,
}

/// Something that executes transactions, one after the other.
pub trait Node {
    /// Executes one.
    fn transact(&mut self, sent: &Sent) -> Receipt;

    /// What there is after the last; or how the node failed.
    fn state(&mut self) -> Result<State, String>;

    /// All contracts with how many others each has created so far, one more to
    /// begin with.
    fn contracts(&self) -> BTreeMap<Address, u64>;
}
