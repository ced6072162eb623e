//! What compiled contracts do: an EVM inside the process.
//!
//! [`Compiled`] is what a compiler made (code and ABI of contracts),
//! [`Script`] a list of transactions in a text of one line each, read from a
//! file or derived from the ABI ([`derive_transactions`]). [`run()`] deploys,
//! calls, and writes down in canonical text what can be seen from outside:
//! status, return data, events, reasons of reverts, and at the end a digest of
//! storage and balances. [`run_on`] does so on a node outside ([`Outside`]), for
//! those who want to test that. Gas is left out, and so is code, since a compiler is
//! free in both: equal texts mean equal behaviour.
//!
//! Invariant: block, accounts and addresses are fixed, so the text depends on
//! code and transactions alone. Whatever a contract does is bounded
//! ([`Limits`]); that a limit was reached is never behaviour ([`Stopped`]).

mod abi;
mod abi_type;
mod chain;
mod compiled;
mod derive;
mod encode;
mod interface;
mod mark;
mod node;
mod outside;
mod run;
mod script;

pub use chain::{ACCOUNTS, Chain, Limits, account};
pub use compiled::{Compiled, CompiledError, Contract};
pub use derive::{Derivation, derive_transactions};
pub use mark::Mark;
pub use node::{Holding, Node, Receipt, Sent, State};
pub use outside::Outside;
pub use run::{Step, Stopped, Trace, run, run_on, trace};
pub use script::{Action, Script, ScriptError, Transaction};
