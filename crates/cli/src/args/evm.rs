//! What can be typed of `lydite evm`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
Each transaction is a line (docs/evm.md):
  new Token(1000, @0) value 5
  Token.transfer(@1, 12) from 0
  raw Token 0xdeadbeef
What is printed is the same for every compiler that keeps to the language: gas and code are left out.
Behind -- a command can stand that starts a node, which then executes the transactions.")]
pub(crate) struct EvmArgs {
    /// What a compiler made of a program: contracts with code and ABI.
    #[arg(value_name = "FILE")]
    pub compiled: PathBuf,
    /// Transactions; if there is no such file, they are derived from the ABI.
    #[arg(long, value_name = "FILE")]
    pub transactions: Option<PathBuf>,
    /// The seed of derived transactions.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// How many calls are derived.
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub count: usize,
    /// The gas of a call.
    #[arg(long, value_name = "N")]
    pub gas: Option<u64>,
    /// Print the derived transactions instead of running them.
    #[arg(long)]
    pub derive: bool,
    /// The node has a block of its own: transactions that ask about it are not compared.
    #[arg(long, requires = "node")]
    pub own_block: bool,
    /// A node to test: a program that answers lines of JSON (docs/evm.md).
    #[arg(last = true, value_name = "NODE")]
    pub node: Vec<OsString>,
}
