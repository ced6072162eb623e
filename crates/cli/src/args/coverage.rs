//! The arguments of `coverage`.

use std::path::PathBuf;

use clap::Args;
use lydite_core::TargetName;
use lydite_core::quantity::Span;

use super::{LimitArgs, TargetFileArgs, key_value};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lydite coverage -t lua:coverage --strategy spec --set spec=lua --strategy skeleton --seeds lua/
  lydite coverage plan.toml -t lua:coverage --cpu 60s
  lydite coverage --preset lua-spec -t lua:coverage -n 500 --install

The target is a build with --coverage (docs/coverage.md). The seeds and each strategy run on
their own. The table says how many lines, functions and branches of the target's source each has
reached, and how many lines nobody else has. The page is coverage.html in the folder, the data
beside it.")]
pub(crate) struct CoverageArgs {
    /// A plan; its strategies are measured.
    #[arg(value_name = "PLAN.toml", conflicts_with_all = ["preset", "strategies", "seeds"])]
    pub plan: Option<PathBuf>,
    /// A plan that comes with lydite (lydite list presets).
    #[arg(long, conflicts_with = "strategies")]
    pub preset: Option<String>,
    /// The coverage build; else the one target of the plan.
    #[arg(short, long, value_name = "TARGET")]
    pub target: Option<TargetName>,
    /// A strategy, without a plan; may be repeated.
    #[arg(long = "strategy", value_name = "NAME")]
    pub strategies: Vec<String>,
    /// A file or folder of seeds, for strategies that take them; may be repeated.
    #[arg(long, value_name = "PATH")]
    pub seeds: Vec<PathBuf>,
    /// A setting, for every strategy that has it; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    pub settings: Vec<(String, String)>,
    /// How many cases the seeds and each strategy run.
    #[arg(short = 'n', long, default_value = "1000", conflicts_with = "cpu")]
    pub cases: u64,
    /// How much CPU time of the target each has, instead of a number of cases.
    #[arg(long, value_name = "TIME")]
    pub cpu: Option<Span>,
    /// Look at the counts at the end alone: of a large processor that takes longer than the runs.
    #[arg(long)]
    pub only_end: bool,
    /// The seed of all random streams.
    #[arg(long)]
    pub seed: Option<u64>,
    /// The folder [default: lydite-out/coverage-FAMILY].
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Runs at a time [default: the number of cores].
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Build the target if it is missing.
    #[arg(long)]
    pub install: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub target_files: TargetFileArgs,
    /// End with one JSON object.
    #[arg(long)]
    pub json: bool,
}
