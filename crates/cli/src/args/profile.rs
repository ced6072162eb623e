//! What can be typed of `lydite profile`.

use std::path::PathBuf;

use clap::Args;
use lydite_core::TargetName;

use super::{LimitArgs, TargetFileArgs};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lydite profile token.sol                     writes token.profile.sol beside it
  lydite profile Token.sol --root node_modules --contract Token -o seeds
  lydite hunt --strategy equivalent --seeds seeds -t solc:evm -t solc:evm-ir-optimize
  lydite profile tests/*.c -o seeds            statements that no run reaches, for strategy delete
What is imported becomes a part of a contract; the profile stands in comments at the end of the text
(docs/strategies/equivalent.md, docs/strategies/delete.md).")]
pub(crate) struct ProfileArgs {
    /// Contracts, or programs of another language.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The compiler of contracts; else the newest solc that is installed and
    /// that the contract accepts. Whoever runs other programs; may be repeated
    /// for them (default for C: gcc:O0 and clang:O2).
    #[arg(short, long = "target", value_name = "TARGET")]
    pub targets: Vec<TargetName>,
    /// Where imports without a dot are looked for; may be repeated. A folder
    /// node_modules above a file is one too.
    #[arg(long = "root", value_name = "DIR")]
    pub roots: Vec<PathBuf>,
    /// A contract that is deployed and called; may be repeated. Else all of
    /// the file itself.
    #[arg(long = "contract", value_name = "NAME")]
    pub contracts: Vec<String>,
    /// Transactions; else they are derived from the ABI.
    #[arg(long, value_name = "FILE.tx")]
    pub transactions: Option<PathBuf>,
    /// The seed of derived transactions.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// How many calls are derived.
    #[arg(long, default_value_t = 40, value_name = "N")]
    pub count: usize,
    /// How often a loop may run, in contracts of which a transaction would run
    /// out of gas otherwise; 0 leaves loops as they are.
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub loops: u32,
    /// Also make N variants (strategy equivalent, or delete) and check that
    /// they compile and behave as the program does.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub variants: u64,
    /// The folder that profiled programs are written to.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub target_files: TargetFileArgs,
    /// Print one JSON object per file.
    #[arg(long)]
    pub json: bool,
}
