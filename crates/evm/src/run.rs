//! A script on a chain, and the text of what can be seen of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use revm::primitives::{Address, Bytes, Log, U256, hex, keccak256};

use crate::abi::{bytes_text, event_text, tuple_text};
use crate::abi_type::{AbiType, type_names};
use crate::chain::{ACCOUNTS, Chain, Limits, OUT_OF_GAS, account};
use crate::compiled::{Compiled, Contract};
use crate::encode::encode_arguments;
use crate::interface::Declaration;
use crate::mark::Mark;
use crate::node::{Node, Receipt, Sent};
use crate::script::{Action, Script, Transaction};

/// Why there is no text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// What a transaction does depends on limits of ours.
    #[error("limit: transaction {number}, `{text}`: {limit}")]
    Limit {
        /// Its number, from one.
        number: usize,
        /// As written.
        text: String,
        /// Which limit.
        limit: String,
    },
    /// A transaction makes no sense for these contracts.
    #[error("transaction {number}, `{text}`: {what}")]
    Nonsense {
        /// Its number, from one.
        number: usize,
        /// As written.
        text: String,
        /// Why.
        what: String,
    },
    /// The node that executes transactions failed.
    #[error("node: transaction {number}, `{text}`: {what}")]
    Broken {
        /// The number of the last transaction, from one.
        number: usize,
        /// As written.
        text: String,
        /// How.
        what: String,
    },
}

/// How many times the gas a call gets that has run out of it. Compilers are
/// free in how much they use; only if that is not enough either, running out
/// is what the call does.
const PATIENCE: u64 = 16;

/// The world of a run.
struct World<'a, N> {
    compiled: &'a Compiled,
    limits: &'a Limits,
    node: N,
    /// Where the last contract of a name is; libraries too.
    addresses: BTreeMap<String, Address>,
    /// What was deployed, also in vain.
    tried: BTreeSet<String>,
    text: String,
}

/// Runs the script on the chain inside; gives the text of what was seen.
pub fn run(compiled: &Compiled, script: &Script, limits: &Limits) -> Result<String, Stopped> {
    run_on(Chain::new(limits), compiled, script, limits)
}

/// Runs the script on a node; gives the text of what was seen.
pub fn run_on(
    node: impl Node,
    compiled: &Compiled,
    script: &Script,
    limits: &Limits,
) -> Result<String, Stopped> {
    let mut world = World::new(node, compiled, limits);
    for (at, transaction) in script.transactions.iter().enumerate() {
        let number = at + 1;
        let text = transaction.text.clone();
        let receipt = match world.execute(transaction) {
            Ok(receipt) => receipt,
            Err(what) => return Err(Stopped::Nonsense { number, text, what }),
        };
        let limit = match &receipt {
            Some((Receipt::Broken(what), _)) => {
                let what = what.clone();
                return Err(Stopped::Broken { number, text, what });
            }
            Some((Receipt::Limited(limit), _)) => Some(*limit),
            _ => (world.text.len() > limits.text_bytes).then_some("more text than is kept"),
        };
        if let Some(limit) = limit.map(str::to_string) {
            return Err(Stopped::Limit {
                number,
                text,
                limit,
            });
        }
        world.tell(number, transaction, receipt.as_ref());
    }
    if !script.hides_state {
        world.tell_state().map_err(|what| Stopped::Broken {
            number: script.transactions.len(),
            text: "the state at the end".to_string(),
            what,
        })?;
    }
    Ok(world.text)
}

/// What one transaction did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What was seen of it, as [`run`] writes it down.
    pub text: String,
    /// The marks that it left.
    pub marks: Vec<Mark>,
    /// Why it says nothing of the contract: it depends on a limit of ours, or
    /// it makes no sense.
    pub void: Option<String>,
}

/// What all transactions of a script did, one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// One for each transaction.
    pub steps: Vec<Step>,
    /// What is said of the state at the end.
    pub state: String,
}

/// Runs the script to its end, whatever single transactions do, and sees marks
/// that begin with `prefix`. A transaction that runs out of gas is void here:
/// how far it gets depends on the code, and so do its marks.
pub fn trace(compiled: &Compiled, script: &Script, limits: &Limits, prefix: u128) -> Trace {
    let chain = Chain::new(limits).seeing_marks(prefix);
    let mut world = World::new(chain, compiled, limits);
    let mut steps = Vec::new();
    let mut left = limits.text_bytes;
    for (at, transaction) in script.transactions.iter().enumerate() {
        let outcome = world.execute(transaction);
        let marks = world.node.take_marks();
        let mut void = match &outcome {
            Err(what) => Some(what.clone()),
            Ok(Some((Receipt::Limited(why) | Receipt::Halted(why @ OUT_OF_GAS), _))) => {
                Some(why.to_string())
            }
            Ok(_) if marks.is_none() => Some("too many marks".to_string()),
            Ok(_) => None,
        };
        world.text.clear();
        world.tell(
            at + 1,
            transaction,
            outcome.as_ref().ok().and_then(Option::as_ref),
        );
        let text = std::mem::take(&mut world.text);
        if text.len() > left {
            void = Some("more text than is kept".to_string());
        }
        left = left.saturating_sub(text.len());
        steps.push(Step {
            text: if void.is_none() { text } else { String::new() },
            marks: marks.unwrap_or_default(),
            void,
        });
    }
    let told = if script.hides_state {
        Ok(())
    } else {
        world.tell_state()
    };
    told.expect("the chain inside always knows its state");
    Trace {
        steps,
        state: world.text,
    }
}

/// What came of a transaction, and the types of what it returns.
type Outcome = Option<(Receipt, Vec<AbiType>)>;

impl<'a, N: Node> World<'a, N> {
    fn new(node: N, compiled: &'a Compiled, limits: &'a Limits) -> World<'a, N> {
        World {
            compiled,
            limits,
            node,
            addresses: BTreeMap::new(),
            tried: BTreeSet::new(),
            text: String::new(),
        }
    }

    /// Nothing if there is no contract to call.
    fn execute(&mut self, transaction: &Transaction) -> Result<Outcome, String> {
        let (value, sender) = (transaction.value, transaction.sender);
        let contract = self.compiled.contract(&transaction.contract);
        let contract = contract.ok_or_else(|| format!("no contract `{}`", transaction.contract))?;
        if let Action::Deploy { arguments } = &transaction.action {
            let receipt = self.deploy(contract, Some(arguments), value, sender)?;
            return Ok(Some((receipt, Vec::new())));
        }
        if !self.tried.contains(&contract.name) {
            self.deploy(contract, None, U256::ZERO, 0)?;
        }
        let (data, outputs) = match &transaction.action {
            Action::Raw(data) => (data.clone(), Vec::new()),
            Action::Call {
                function,
                types: wanted,
                arguments,
            } => {
                let overloads = contract.interface.functions.get(function);
                let overloads = overloads
                    .ok_or_else(|| format!("no function `{function}` with types of the ABI"))?;
                let arguments = self.with_addresses(arguments)?;
                encoded(overloads, wanted.as_deref(), &arguments)?
            }
            Action::Deploy { .. } => (Vec::new(), Vec::new()),
        };
        let Some(address) = self.addresses.get(&contract.name) else {
            return Ok(None);
        };
        let receipt = self.call(*address, data.into(), value, sender);
        Ok(Some((receipt, outputs)))
    }

    fn call(&mut self, to: Address, data: Bytes, value: U256, sender: usize) -> Receipt {
        let mut sent = Sent {
            from: account(sender % ACCOUNTS),
            to: Some(to),
            data,
            value,
            gas: self.limits.call_gas,
        };
        match self.node.transact(&sent) {
            Receipt::Limited(OUT_OF_GAS) => {
                sent.gas = sent.gas.saturating_mul(PATIENCE);
                match self.node.transact(&sent) {
                    Receipt::Limited(OUT_OF_GAS) => Receipt::Halted(OUT_OF_GAS),
                    Receipt::Broken(what) => Receipt::Broken(what),
                    _ => Receipt::Limited(OUT_OF_GAS),
                }
            }
            receipt => receipt,
        }
    }

    fn create(&mut self, code: Vec<u8>, value: U256, sender: usize) -> Receipt {
        self.node.transact(&Sent {
            from: account(sender % ACCOUNTS),
            to: None,
            data: code.into(),
            value,
            gas: self.limits.deploy_gas,
        })
    }

    /// Deploys a contract and the libraries that it needs. Without arguments
    /// every one of them is zero.
    fn deploy(
        &mut self,
        contract: &Contract,
        arguments: Option<&str>,
        value: U256,
        sender: usize,
    ) -> Result<Receipt, String> {
        if !contract.is_deployable() {
            return Err(format!("`{}` has no code to deploy", contract.name));
        }
        self.tried.insert(contract.name.clone());
        self.deploy_libraries(contract);
        let code = contract.linked(&self.addresses);
        let mut code = code.ok_or_else(|| format!("`{}` cannot be linked", contract.name))?;
        let constructor = contract.interface.constructor.as_ref();
        let inputs: &[AbiType] = constructor.map_or(&[], |constructor| &constructor.inputs);
        match arguments {
            Some(arguments) => {
                let arguments = self.with_addresses(arguments)?;
                code.extend(encode_arguments(inputs, &arguments)?);
            }
            // Zeros are an encoding of every type: a place that is zero holds a length of zero.
            None => code.extend(vec![0; 32 * 64]),
        }
        let receipt = self.create(code, value, sender);
        if let Receipt::Done {
            address: Some(address),
            ..
        } = &receipt
        {
            self.addresses.insert(contract.name.clone(), *address);
        }
        Ok(receipt)
    }

    /// Libraries may need libraries; a circle of them cannot be deployed.
    fn deploy_libraries(&mut self, contract: &Contract) {
        let mut wanted: Vec<String> = contract.libraries().map(str::to_string).collect();
        let mut tries = self.compiled.contracts.len() * 2;
        while let Some(name) = wanted.last().cloned()
            && tries > 0
        {
            tries -= 1;
            let library = self.compiled.contract(&name);
            let Some(library) = library.filter(|_| !self.addresses.contains_key(&name)) else {
                wanted.pop();
                continue;
            };
            match library.linked(&self.addresses) {
                Some(code) => {
                    wanted.pop();
                    let receipt = self.create(code, U256::ZERO, 0);
                    if let Receipt::Done {
                        address: Some(address),
                        ..
                    } = receipt
                    {
                        self.addresses.insert(name, address);
                    }
                }
                None => wanted.extend(library.libraries().map(str::to_string)),
            }
        }
    }

    /// Puts addresses in the place of `@0` and `@Name`, outside of quotes.
    fn with_addresses(&self, arguments: &str) -> Result<String, String> {
        let mut text = String::with_capacity(arguments.len());
        for (number, part) in arguments.split('"').enumerate() {
            if number > 0 {
                text.push('"');
            }
            if number % 2 == 1 {
                text.push_str(part);
                continue;
            }
            let mut pieces = part.split('@');
            text.push_str(pieces.next().unwrap_or_default());
            for piece in pieces {
                let plain = |c: char| c.is_ascii_alphanumeric() || "_$.:".contains(c);
                let end = piece.find(|c| !plain(c)).unwrap_or(piece.len());
                let (name, rest) = piece.split_at(end);
                let numbered = name.parse().ok().filter(|number| *number < ACCOUNTS);
                let address = numbered
                    .map(account)
                    .or_else(|| self.addresses.get(name).copied())
                    .ok_or_else(|| format!("no account or contract `@{name}`"))?;
                text += &format!("0x{}{rest}", hex::encode(address));
            }
        }
        Ok(text)
    }

    fn tell(
        &mut self,
        number: usize,
        transaction: &Transaction,
        outcome: Option<&(Receipt, Vec<AbiType>)>,
    ) {
        let said = match outcome {
            None => "not deployed".to_string(),
            Some((Receipt::Done { output, .. }, outputs)) => match &transaction.action {
                Action::Deploy { .. } => "deployed".to_string(),
                _ => self.returned(output, outputs),
            },
            Some((Receipt::Reverted { output, .. }, _)) => self.reverted(output),
            Some((Receipt::Halted(why), _)) => format!("halted, {why}"),
            Some((Receipt::Refused(why), _)) => format!("refused, {why}"),
            Some((Receipt::Limited(why), _)) => format!("limited, {why}"),
            Some((Receipt::Broken(what), _)) => format!("the node {what}"),
        };
        let _ = writeln!(self.text, "{number} {}: {said}", transaction.text);
        if let Some((Receipt::Done { logs, .. }, _)) = outcome {
            self.tell_events(logs);
        }
    }

    fn returned(&self, output: &Bytes, outputs: &[AbiType]) -> String {
        if output.is_empty() && outputs.is_empty() {
            return "done".to_string();
        }
        let small = output.len() <= self.limits.data_bytes;
        let value = small.then(|| tuple_text(outputs, output)).flatten();
        let value = value.filter(|_| !outputs.is_empty());
        format!(
            "returned {}",
            value.unwrap_or_else(|| bytes_text(output, self.limits.data_bytes))
        )
    }

    /// The reason by the errors that some contract declares; a contract may
    /// pass on that of another.
    fn reverted(&self, output: &Bytes) -> String {
        if output.is_empty() {
            return "reverted".to_string();
        }
        let raw = || format!("reverted {}", bytes_text(output, self.limits.data_bytes));
        let Some((selector, data)) = output.split_first_chunk::<4>() else {
            return raw();
        };
        let built_in = BUILT_IN_ERRORS.iter().filter_map(|(signature, name, of)| {
            let own = keccak256(signature.as_bytes())[..4] == *selector;
            own.then(|| Some((name.to_string(), vec![AbiType::parse(of, &[])?])))?
        });
        let contracts = self.compiled.contracts.iter();
        let declared = contracts.flat_map(|contract| contract.interface.errors.values().flatten());
        let declared = declared
            .filter(|error| error.selector() == *selector)
            .map(|error| (error.name.clone(), error.inputs.clone()));
        let small = output.len() <= self.limits.data_bytes;
        let mut named = built_in.chain(declared).filter(|_| small);
        named
            .find_map(|(name, types)| Some(format!("reverted {name}{}", tuple_text(&types, data)?)))
            .unwrap_or_else(raw)
    }

    fn tell_events(&mut self, logs: &[Log]) {
        for log in logs.iter().take(self.limits.events) {
            let line = self.event(log);
            let _ = writeln!(self.text, "  event {line}");
        }
        if logs.len() > self.limits.events {
            let mut hasher = blake3::Hasher::new();
            for log in logs {
                hasher.update(log.address.as_slice());
                log.topics().iter().for_each(|topic| {
                    hasher.update(topic.as_slice());
                });
                hasher.update(&log.data.data);
            }
            let digest = hasher.finalize().to_hex();
            let _ = writeln!(self.text, "  {} events {}", logs.len(), &digest[..16]);
        }
    }

    fn event(&self, log: &Log) -> String {
        let named = self
            .addresses
            .iter()
            .find(|(_, address)| **address == log.address);
        let from = match named {
            Some((name, _)) => name.clone(),
            None => format!("0x{}", hex::encode(log.address)),
        };
        let data = &log.data.data;
        let contracts = self.compiled.contracts.iter();
        let mut events =
            contracts.flat_map(|contract| contract.interface.events.values().flatten());
        let small = data.len() <= self.limits.data_bytes;
        let told = events.find_map(|event| {
            let own = !event.anonymous && log.topics().first() == Some(&event.hash());
            (own && small).then(|| event_text(event, log.topics(), data))?
        });
        let told = told.unwrap_or_else(|| {
            let topics: Vec<String> = log.topics().iter().map(ToString::to_string).collect();
            format!(
                "[{}] {}",
                topics.join(" "),
                bytes_text(data, self.limits.data_bytes)
            )
        });
        format!("{told} of {from}")
    }

    /// How many contracts were created by others, and a digest of who created
    /// how many; nothing if none was.
    fn tell_contracts(&mut self) {
        let contracts = self.node.contracts();
        if contracts.values().all(|created| *created <= 1) {
            return;
        }
        let mut hasher = blake3::Hasher::new();
        for (address, created) in &contracts {
            hasher.update(address.as_slice());
            hasher.update(&created.to_be_bytes());
        }
        let digest = hasher.finalize().to_hex();
        let _ = writeln!(
            self.text,
            "state of {} contracts: {}",
            contracts.len(),
            &digest[..16]
        );
    }

    /// A digest for each contract that has a name, and one for all others.
    fn tell_state(&mut self) -> Result<(), String> {
        let mut state = self.node.state()?;
        for (name, address) in &self.addresses {
            let (balance, slots) = state.remove(address).unwrap_or_default();
            let mut hasher = blake3::Hasher::new();
            hash_slots(&slots, &mut hasher);
            let digest = hasher.finalize().to_hex();
            let slots = slots.len();
            let _ = writeln!(
                self.text,
                "state {name}: {slots} slots {}, {balance} wei",
                &digest[..16]
            );
        }
        if !state.is_empty() {
            let mut hasher = blake3::Hasher::new();
            for (address, (balance, slots)) in &state {
                hasher.update(address.as_slice());
                hasher.update(&balance.to_be_bytes::<32>());
                hash_slots(slots, &mut hasher);
            }
            let digest = hasher.finalize().to_hex();
            let _ = writeln!(
                self.text,
                "state of {} others: {}",
                state.len(),
                &digest[..16]
            );
        }
        self.tell_contracts();
        Ok(())
    }
}

/// What the language itself reverts with: signature, name and type.
const BUILT_IN_ERRORS: [(&str, &str, &str); 2] = [
    ("Error(string)", "Error", "string"),
    ("Panic(uint256)", "Panic", "uint256"),
];

fn hash_slots(slots: &BTreeMap<U256, U256>, hasher: &mut blake3::Hasher) {
    for (slot, value) in slots {
        hasher.update(&slot.to_be_bytes::<32>());
        hasher.update(&value.to_be_bytes::<32>());
    }
}

/// Call data of the function that is meant, and the types of its outputs.
fn encoded(
    overloads: &[Declaration],
    wanted: Option<&str>,
    arguments: &str,
) -> Result<(Vec<u8>, Vec<AbiType>), String> {
    let mut why = "no function of these types".to_string();
    for function in overloads {
        let names = type_names(&function.inputs);
        if wanted.is_some_and(|wanted| wanted.replace(' ', "") != names) {
            continue;
        }
        match encode_arguments(&function.inputs, arguments) {
            Err(error) => why = error,
            Ok(encoded) => {
                let mut data = function.selector().to_vec();
                data.extend(encoded);
                return Ok((data, function.outputs.clone()));
            }
        }
    }
    Err(why)
}
