//! What `lydite hunt` takes.

use std::path::PathBuf;

use clap::Args;
use lydite_core::TargetName;
use lydite_core::quantity::Span;
use lydite_lab::plan::Spending;

use super::network::{self, NatsArgs, ShardArg};
use super::{LimitArgs, TargetFileArgs, key_value};

#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  lydite hunt                                   the default preset, a minute
  lydite hunt plan.toml -o out -j 8             a plan (docs/plans.md)
  lydite hunt -t z3@4.8.7 -t cvc5 --seeds dir   every file of a folder
  lydite hunt plan.toml --reduce 1m             and make what it finds small
  lydite hunt -o out                            go on with the campaign in out
  lydite hunt plan.toml --cluster nats://127.0.0.1:4222   on many machines (lydite worker)
  lydite hunt --baseline z3@4.13.0 --candidate z3@4.13.4 --budget 10m   only what is new fails")]
pub(crate) struct HuntArgs {
    /// The plan of the campaign.
    #[arg(value_name = "PLAN.toml", conflicts_with_all = ["preset", "targets", "seeds"])]
    pub plan: Option<PathBuf>,
    /// A plan that comes with lydite (lydite list presets); with -t, for those
    /// targets instead of its own (its references stay, without --reference).
    #[arg(long)]
    pub preset: Option<String>,
    /// A target; may be repeated.
    #[arg(short, long = "target", value_name = "TARGET")]
    pub targets: Vec<TargetName>,
    /// A target to compare with; may be repeated.
    #[arg(long = "reference", value_name = "TARGET")]
    pub references: Vec<TargetName>,
    /// The target that --candidate is compared with (docs/ci.md): a bug that
    /// both have does not fail.
    #[arg(
        long,
        value_name = "TARGET",
        requires = "candidate",
        conflicts_with = "targets"
    )]
    pub baseline: Option<TargetName>,
    /// The target that is tested instead of the plan's: a bug that only it has
    /// fails (exit code 10).
    #[arg(
        long,
        value_name = "TARGET",
        requires = "baseline",
        conflicts_with = "targets"
    )]
    pub candidate: Option<TargetName>,
    /// How long the whole command may take, with --candidate.
    #[arg(
        long,
        value_name = "TIME",
        requires = "candidate",
        conflicts_with = "duration"
    )]
    pub budget: Option<Span>,
    /// Run the references again instead of using the answers kept from earlier
    /// hunts.
    #[arg(long, requires = "candidate")]
    pub fresh: bool,
    /// The strategy, for a hunt without a plan.
    #[arg(long, default_value = "files", value_name = "NAME")]
    pub strategy: String,
    /// A file or folder of seeds, or corpus:NAME (lydite seeds list); may be repeated.
    #[arg(long, value_name = "PATH")]
    pub seeds: Vec<PathBuf>,
    /// A setting of the strategy; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    pub settings: Vec<(String, String)>,
    /// The oracles that judge, separated by commas (lydite list oracles).
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    pub oracles: Vec<String>,
    /// Vary the options of targets: up to N at once, of those that the target
    /// file allows.
    #[arg(long, value_name = "N")]
    pub options: Option<u32>,
    /// Run a case that shows something N more times, in fresh processes.
    #[arg(long, value_name = "N")]
    pub confirm: Option<u32>,
    /// At the end, make the case of each finding smaller for at most this long.
    #[arg(long, value_name = "TIME")]
    pub reduce: Option<Span>,
    /// Run up to N cases in one process, where a target can do that; what looks
    /// wrong is run again in a fresh process.
    #[arg(long, value_name = "N")]
    pub warm: Option<u32>,
    /// How cases are drawn: with `learn` the time goes where it brought most in
    /// earlier rounds, with `fixed` as the plan says (docs/plans.md).
    #[arg(long, value_name = "HOW", value_parser = spending)]
    pub schedule: Option<Spending>,
    /// The campaign's folder [default: lydite-out/NAME].
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Worker threads [default: the number of cores].
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Stop after this many cases.
    #[arg(long)]
    pub cases: Option<u64>,
    /// Stop after this time, such as 90s, 10m or 8h.
    #[arg(long = "for", value_name = "TIME")]
    pub duration: Option<Span>,
    /// The seed of all random streams.
    #[arg(long)]
    pub seed: Option<u64>,
    /// Do part I of K (I from 1), or with `auto` the part that Slurm's or
    /// Kubernetes' variables name; join the folders with lydite merge.
    #[arg(long, value_name = "I/K", value_parser = network::shard)]
    pub shard: Option<ShardArg>,
    /// Let workers run the cases (docs/cluster.md): the address of their NATS
    /// server.
    #[arg(long, value_name = "URL", conflicts_with_all = ["shard", "candidate"])]
    pub cluster: Option<String>,
    /// How long a worker may be silent before its shard goes to others.
    #[arg(long, default_value = "30s", value_name = "TIME", requires = "cluster")]
    pub lease: Span,
    /// Install targets that are missing; a name without a version then means
    /// the newest that is offered, not the newest that is installed.
    #[arg(long)]
    pub install: bool,
    /// Show which targets the names mean and whether they are installed; run
    /// and install nothing.
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub target_files: TargetFileArgs,
    /// End with one JSON object.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub nats: NatsArgs,
}

fn spending(text: &str) -> Result<Spending, String> {
    Spending::from_name(text).ok_or_else(|| "expected learn or fixed".to_string())
}
