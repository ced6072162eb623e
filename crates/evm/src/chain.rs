//! The chain that contracts live on: revm with fixed block and accounts.
//!
//! Gas is the bound on everything, and compilers are free in how much they
//! use. A call within the transaction that runs out of the gas that it was
//! given makes what follows depend on gas: such a transaction tells nothing.

use std::collections::BTreeMap;

use revm::bytecode::opcode;
use revm::context::result::{ExecutionResult, HaltReason, Output};
use revm::context::{BlockEnv, CfgEnv, Context, ContextTr, TxEnv};
use revm::database::{CacheDB, EmptyDB};
use revm::handler::MainnetContext;
use revm::interpreter::interpreter_types::Jumps;
use revm::interpreter::{
    CallInputs, CallOutcome, CreateInputs, CreateOutcome, InstructionResult, Interpreter,
};
use revm::primitives::hardfork::SpecId;
use revm::primitives::{Address, B256, TxKind, U256};
use revm::state::AccountInfo;
use revm::{InspectCommitEvm, Inspector, MainBuilder, MainnetEvm};

use crate::mark::{Mark, Marks};
use crate::node::{Holding, Node, Receipt, Sent, State};

/// How many accounts send transactions.
pub const ACCOUNTS: usize = 4;

/// What each of them has: enough for any value that a script sends.
const WEALTH: u128 = 1 << 120;

/// Code may be as large as it likes: that an optimizer makes it smaller must
/// not matter.
const CODE_BYTES: usize = 16 << 20;

/// What a run may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Gas of a call: bounds its steps, its memory and its events.
    pub call_gas: u64,
    /// Gas of a deployment.
    pub deploy_gas: u64,
    /// Memory of all frames of a transaction together, in bytes.
    pub memory_bytes: u64,
    /// How many events of a transaction are written down one by one.
    pub events: usize,
    /// How many bytes of data are written down one by one.
    pub data_bytes: usize,
    /// How many bytes of text a run may make.
    pub text_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            call_gas: 4_000_000,
            deploy_gas: 200_000_000,
            memory_bytes: 256 << 20,
            events: 1000,
            data_bytes: 16 << 10,
            text_bytes: 8 << 20,
        }
    }
}

/// The chain inside the process, with its accounts.
pub struct Chain {
    evm: MainnetEvm<MainnetContext<CacheDB<EmptyDB>>, Watch>,
}

/// Sees calls within a transaction that run out of gas, what it asks about its block, and
/// marks.
#[derive(Clone, Debug, Default)]
struct Watch {
    depth: u32,
    starved: bool,
    reads_block: bool,
    marks: Option<Marks>,
}

/// True if the opcode tells something of the block or of the price of gas.
const fn is_of_block(opcode: u8) -> bool {
    matches!(
        opcode,
        opcode::BLOCKHASH
            | opcode::COINBASE
            | opcode::TIMESTAMP
            | opcode::NUMBER
            | opcode::DIFFICULTY
            | opcode::GASLIMIT
            | opcode::GASPRICE
            | opcode::BASEFEE
            | opcode::BLOBHASH
            | opcode::BLOBBASEFEE
    )
}

impl Watch {
    fn leave(&mut self, result: InstructionResult) {
        self.depth = self.depth.saturating_sub(1);
        self.starved |= self.depth > 0
            && matches!(
                result,
                InstructionResult::OutOfGas
                    | InstructionResult::MemoryOOG
                    | InstructionResult::MemoryLimitOOG
                    | InstructionResult::PrecompileOOG
                    | InstructionResult::InvalidOperandOOG
                    | InstructionResult::ReentrancySentryOOG
                    | InstructionResult::CallTooDeep
                    | InstructionResult::StackOverflow
            );
    }
}

impl<CTX> Inspector<CTX> for Watch {
    fn step(&mut self, interpreter: &mut Interpreter, _: &mut CTX) {
        self.reads_block |= is_of_block(interpreter.bytecode.opcode());
        if let Some(marks) = &mut self.marks
            && interpreter.bytecode.opcode() == opcode::MSTORE
            && let (Ok(place), Ok(word)) = (interpreter.stack.peek(0), interpreter.stack.peek(1))
        {
            marks.see(place, word);
        }
    }

    fn call(&mut self, _: &mut CTX, _: &mut CallInputs) -> Option<CallOutcome> {
        self.depth += 1;
        None
    }

    fn call_end(&mut self, _: &mut CTX, _: &CallInputs, outcome: &mut CallOutcome) {
        self.leave(outcome.result.result);
    }

    fn create(&mut self, _: &mut CTX, _: &mut CreateInputs) -> Option<CreateOutcome> {
        self.depth += 1;
        None
    }

    fn create_end(&mut self, _: &mut CTX, _: &CreateInputs, outcome: &mut CreateOutcome) {
        self.leave(outcome.result.result);
    }
}

/// The address of an account.
pub fn account(number: usize) -> Address {
    Address::left_padding_from(&(0xacc0_0000_u64 + number as u64).to_be_bytes())
}

impl Chain {
    /// A fresh chain.
    pub fn new(limits: &Limits) -> Chain {
        let mut db = CacheDB::new(EmptyDB::default());
        for number in 0..ACCOUNTS {
            let info = AccountInfo::from_balance(U256::from(WEALTH));
            db.insert_account_info(account(number), info);
        }
        let mut cfg = CfgEnv::new_with_spec(SpecId::OSAKA);
        cfg.chain_id = 1;
        cfg.tx_chain_id_check = false;
        cfg.disable_nonce_check = true;
        cfg.limit_contract_code_size = Some(CODE_BYTES);
        cfg.limit_contract_initcode_size = Some(CODE_BYTES);
        cfg.tx_gas_limit_cap = Some(u64::MAX);
        cfg.memory_limit = limits.memory_bytes;
        let block = BlockEnv {
            number: U256::from(20_000_000),
            timestamp: U256::from(1_700_000_000),
            gas_limit: u64::MAX,
            basefee: 0,
            beneficiary: Address::repeat_byte(0xbe),
            prevrandao: Some(B256::repeat_byte(0x5a)),
            ..BlockEnv::default()
        };
        let context: MainnetContext<CacheDB<EmptyDB>> = Context::new(db, SpecId::OSAKA);
        Chain {
            evm: context
                .with_cfg(cfg)
                .with_block(block)
                .build_mainnet_with_inspector(Watch::default()),
        }
    }

    /// The same chain, which also sees marks that begin with `prefix`.
    pub fn seeing_marks(mut self, prefix: u128) -> Chain {
        self.evm.inspector.marks = Some(Marks::new(prefix));
        self
    }

    /// True if the last transaction asked about its block or the price of gas.
    pub(crate) fn read_block(&self) -> bool {
        self.evm.inspector.reads_block
    }

    /// The marks of the last transaction; nothing if there were too many.
    pub fn take_marks(&mut self) -> Option<Vec<Mark>> {
        self.evm.inspector.marks.as_mut().and_then(Marks::take)
    }
}

impl Node for Chain {
    fn transact(&mut self, sent: &Sent) -> Receipt {
        let transaction = TxEnv {
            caller: sent.from,
            gas_limit: sent.gas,
            gas_price: 0,
            kind: sent.to.map_or(TxKind::Create, TxKind::Call),
            value: sent.value,
            data: sent.data.clone(),
            ..TxEnv::default()
        };
        self.evm.inspector = Watch {
            marks: self.evm.inspector.marks.take(),
            ..Watch::default()
        };
        match self.evm.inspect_tx_commit(transaction) {
            Ok(_) if self.evm.inspector.starved => {
                Receipt::Limited("a call within it ran out of gas or stack")
            }
            Ok(result) => receipt(result),
            Err(error) => Receipt::Refused(error.to_string()),
        }
    }

    fn state(&mut self) -> Result<State, String> {
        let accounts = &self.evm.ctx.db().cache.accounts;
        let strangers = accounts
            .iter()
            .filter(|(address, _)| (0..ACCOUNTS).all(|number| account(number) != **address));
        let state = strangers.map(|(address, found)| {
            let slots = found.storage.iter().filter(|(_, value)| !value.is_zero());
            let slots = slots.map(|(slot, value)| (*slot, *value)).collect();
            (*address, (found.info.balance, slots))
        });
        let is_something =
            |(_, (balance, slots)): &(Address, Holding)| !balance.is_zero() || !slots.is_empty();
        Ok(state.filter(is_something).collect())
    }

    fn contracts(&self) -> BTreeMap<Address, u64> {
        let accounts = self.evm.ctx.db_ref().cache.accounts.iter();
        let contracts = accounts.filter(|(_, found)| !found.info.is_empty_code_hash());
        contracts
            .map(|(address, found)| (*address, found.info.nonce))
            .collect()
    }
}

pub(crate) const OUT_OF_GAS: &str = "out of gas";

fn receipt(result: ExecutionResult) -> Receipt {
    let gas = result.tx_gas_used();
    match result {
        ExecutionResult::Success { logs, output, .. } => {
            let (output, address) = match output {
                Output::Call(output) => (output, None),
                Output::Create(output, address) => (output, address),
            };
            Receipt::Done {
                output,
                address,
                logs,
                gas,
            }
        }
        ExecutionResult::Revert { output, .. } => Receipt::Reverted { output, gas },
        ExecutionResult::Halt { reason, .. } => halted(&reason),
    }
}

fn halted(reason: &HaltReason) -> Receipt {
    match reason {
        HaltReason::OutOfGas(_) => Receipt::Limited(OUT_OF_GAS),
        HaltReason::CallTooDeep => Receipt::Limited("calls too deep"),
        HaltReason::CreateContractSizeLimit | HaltReason::CreateInitCodeSizeLimit => {
            Receipt::Limited("code too large")
        }
        HaltReason::InvalidFEOpcode => Receipt::Halted("invalid"),
        HaltReason::OpcodeNotFound | HaltReason::NotActivated => Receipt::Halted("no such opcode"),
        HaltReason::InvalidJump => Receipt::Halted("invalid jump"),
        HaltReason::StackUnderflow => Receipt::Halted("stack"),
        // How much of it a call takes is the compiler's business.
        HaltReason::StackOverflow => Receipt::Limited("the stack is full"),
        HaltReason::OutOfOffset => Receipt::Halted("out of offset"),
        HaltReason::StateChangeDuringStaticCall | HaltReason::CallNotAllowedInsideStatic => {
            Receipt::Halted("static")
        }
        HaltReason::OutOfFunds => Receipt::Halted("out of funds"),
        HaltReason::CreateCollision => Receipt::Halted("collision"),
        _ => Receipt::Halted("other"),
    }
}
