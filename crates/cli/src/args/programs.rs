//! Commands that make programs or look at single ones.

use std::path::PathBuf;

use clap::Args;
use lydite_core::TargetName;

use super::{LimitArgs, TargetFileArgs, key_value};

#[derive(Clone, Debug, Args)]
pub(crate) struct SpaceArgs {
    /// The strategy (lydite list strategies).
    pub strategy: String,
    /// A file or folder of seeds, or corpus:NAME (lydite seeds list); may be repeated.
    #[arg(long, value_name = "PATH")]
    pub seeds: Vec<PathBuf>,
    /// A setting of the strategy; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    pub settings: Vec<(String, String)>,
    /// The sizes of the programs: 7, ..7, 5.. or 5..7; the same as --set size=…
    #[arg(long, value_name = "SIZES")]
    pub size: Option<String>,
    /// The language, if neither strategy nor seeds tell.
    #[arg(long)]
    pub language: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lydite generate enumerate --set grammar=ints -n 5 -o -               the smallest five
  lydite generate enumerate --set grammar=strings --from 10^275 -o -   far out
  lydite generate enumerate --set grammar=fp --size 12 --sample -o out drawn from one size
  lydite generate files --seeds dir --enumerate -o out                 every seed")]
pub(crate) struct GenerateArgs {
    #[command(flatten)]
    pub space: SpaceArgs,
    /// How many cases to make.
    #[arg(short = 'n', long, default_value_t = 10)]
    pub cases: u64,
    /// The index to start at, such as 12 or 10^275.
    #[arg(long, default_value = "0", value_name = "INDEX")]
    pub from: String,
    /// Count through the space instead of drawing from it; what the strategy
    /// enumerate does anyway.
    #[arg(long)]
    pub enumerate: bool,
    /// Draw from the space instead of counting through it.
    #[arg(long, conflicts_with = "enumerate")]
    pub sample: bool,
    /// The seed of all random streams.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// A folder for one file per program, or - for standard output.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Also write claims.jsonl into the folder: what is claimed of each case,
    /// such as its whole output.
    #[arg(long, requires = "output")]
    pub claims: bool,
    /// Check every program as a hunt does, and count those that are not
    /// well-formed; each of them is a bug of lydite.
    #[arg(long)]
    pub check: bool,
    /// End with one JSON object: how many cases were made, bytes, time.
    #[arg(long)]
    pub stats: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lydite count enumerate --set grammar=ints --size ..9
  lydite count skeleton tests/                    holes, scopes and variants of each file")]
pub(crate) struct CountArgs {
    #[command(flatten)]
    pub space: SpaceArgs,
    /// Files or folders of seeds, as with --seeds.
    #[arg(value_name = "SEEDS")]
    pub paths: Vec<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lydite bank regressions/ -o bank.txt
  lydite hunt -t z3 -t cvc5 --strategy typed --seeds dir --set bank=bank.txt")]
pub(crate) struct BankArgs {
    /// Files or folders of seeds.
    #[arg(required = true, value_name = "SEEDS")]
    pub seeds: Vec<PathBuf>,
    /// The file to write.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lydite prove fusion                           the built-in fusion functions
  lydite prove fusion --set functions=mine.txt  your own, as a hunt does before it uses them
  lydite prove weaken --set rules=mine.txt -t z3 -t cvc5@1.2.0")]
pub(crate) struct ProveArgs {
    /// The strategy (lydite list strategies).
    pub strategy: String,
    /// A setting of the strategy; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    pub settings: Vec<(String, String)>,
    /// A target; may be repeated [default: the newest installed of each family
    /// that can check models].
    #[arg(short, long = "target", value_name = "TARGET")]
    pub targets: Vec<TargetName>,
    /// Worker threads [default: the number of cores].
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub target_files: TargetFileArgs,
    /// Print one JSON object per obligation.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The programs of the case; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// A file that lies beside each program when it is run (what it imports; one
    /// that ends in .tx has the transactions of contracts); may be repeated.
    #[arg(long = "with", value_name = "FILE")]
    pub beside: Vec<PathBuf>,
    /// A target; may be repeated.
    #[arg(short, long = "target", required = true, value_name = "TARGET")]
    pub targets: Vec<TargetName>,
    /// A target to compare with; may be repeated.
    #[arg(long = "reference", value_name = "TARGET")]
    pub references: Vec<TargetName>,
    /// What is known of the answer: sat, unsat, "sat unsat", accepted, rejected, silent, …
    /// [default: what the file says of itself].
    #[arg(long)]
    pub claim: Option<String>,
    /// Oracles, separated by commas [default: all].
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    pub oracles: Vec<String>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub target_files: TargetFileArgs,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Debug, Args)]
#[command(after_help = "\
A seed is labelled if targets of at least two families give the same answer, no target contradicts
it, and a model of what is satisfiable was evaluated. The labels stand in lydite-labels.jsonl beside
the seeds, where hunt, generate and count find them. Run again to go on.")]
pub(crate) struct LabelArgs {
    /// The folder of seeds.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// A target; targets of at least two families are needed.
    #[arg(short, long = "target", required = true, value_name = "TARGET")]
    pub targets: Vec<TargetName>,
    /// Put copies of the labelled seeds, and the labels, there; the folder of
    /// the seeds is left as it is.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// State the answer in the copies, as (set-info :status ...).
    #[arg(long)]
    pub write: bool,
    /// Label sat also where no model can be checked.
    #[arg(long)]
    pub trust: bool,
    /// Worker threads [default: the number of cores].
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Install targets that are missing.
    #[arg(long)]
    pub install: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub target_files: TargetFileArgs,
    /// Print one JSON object per seed.
    #[arg(long)]
    pub json: bool,
}
