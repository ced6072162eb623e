//! What can be typed. What it means is decided in the subcommands.

mod evm;
mod meaning;
mod network;
mod profile;
mod triage;

pub(crate) use evm::EvmArgs;
pub(crate) use meaning::MeaningArgs;
pub(crate) use network::{NatsArgs, ServeArgs, ShardArg, WorkerArgs};
pub(crate) use profile::ProfileArgs;
pub(crate) use triage::{BugArgs, FindingsArgs, FindingsCommand, QueueArgs, UndoArgs};
mod versions;

mod help;

pub(crate) use help::{command, parse};
pub(crate) use versions::{CertifyArgs, EvolveArgs, TimeKind};

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use lydite_core::TargetName;
use lydite_core::quantity::{Size, Span};
use lydite_lab::plan::Spending;

const EXIT_CODES: &str = "\
Exit codes: 0 nothing found, 10 findings (that are not known upstream), 2 usage, 3 internal error,
4 target unusable, 5 cannot write, 130 interrupted.

A target is family[@version][:variant], such as z3, z3@4.8.7, z3@>=4.13 or gcc:O3.";

/// Puts language processors to the test.
///
/// Lydite makes test programs, runs real processors on them, judges the
/// answers, and keeps what it finds deduplicated and replayable.
#[derive(Debug, Parser)]
#[command(name = "lydite", version, after_help = EXIT_CODES, max_term_width = 100)]
pub(crate) struct Cli {
    /// Say nothing but results and errors.
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Say more; twice for everything.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Do not wrap tables to the width of the terminal.
    #[arg(long, global = true)]
    pub wide: bool,
    #[command(subcommand)]
    pub command: CommandArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CommandArgs {
    /// Start a campaign, or go on with one.
    Hunt(Box<HuntArgs>),
    /// Make programs without running anything.
    Generate(GenerateArgs),
    /// Print the exact size of a countable space.
    Count(CountArgs),
    /// Collect the terms of SMT-LIB seeds in a file, for strategy typed.
    Bank(BankArgs),
    /// Have solvers prove the tables that a strategy works with.
    Prove(ProveArgs),
    /// Run targets on one case and judge it with all oracles.
    Check(CheckArgs),
    /// Run compiled contracts and print what they do.
    Evm(EvmArgs),
    /// Say whether a C program depends on what the standard leaves open.
    Meaning(MeaningArgs),
    /// Run contracts and write down the values that their variables take.
    Profile(ProfileArgs),
    /// Decide with several solvers what the answers of seeds are, and write them down.
    Label(LabelArgs),
    /// Run a finding again.
    Replay(ReplayArgs),
    /// Find the first and the last version that have the bug of a finding.
    Bisect(BisectArgs),
    /// Make the case of a finding, or a file, smaller.
    Reduce(ReduceArgs),
    /// Tell which findings are one bug, and which are several.
    Dedup(DedupArgs),
    /// List what a campaign has found; mark, merge and split findings.
    Findings(FindingsArgs),
    /// Show what to report upstream next, and why.
    Queue(QueueArgs),
    /// Write the bug report of a finding in its tracker's form.
    Bug(BugArgs),
    /// Write a campaign's report.
    Report(ReportArgs),
    /// Join the folders of shards.
    Merge(MergeArgs),
    /// Run cases of campaigns that were started with --cluster.
    Worker(WorkerArgs),
    /// Show campaigns in a browser, also while they run.
    Serve(ServeArgs),
    /// Compare the versions of a family: correctness and speed, release by release.
    Evolve(EvolveArgs),
    /// Write or check the certificate of a campaign over a counted space.
    Certify(CertifyArgs),
    /// List, install and examine targets.
    Targets(TargetsArgs),
    /// Check, lay out and document specs (docs/spec/).
    Spec(SpecArgs),
    /// List strategies, oracles, languages or presets, or show one in full.
    List(ListArgs),
    /// Print what a shell needs to complete commands and options.
    Completions(CompletionsArgs),
    /// Write a manual page for each command.
    Man(ManArgs),
}

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
    /// A plan that comes with lydite (lydite list presets).
    #[arg(long, conflicts_with = "targets")]
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
    /// A file or folder of seeds; may be repeated.
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
    /// Who says where the time goes: `learn`, what was measured, or `fixed`, the
    /// plan alone (docs/plans.md).
    #[arg(long, value_name = "WHO", value_parser = spending)]
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
    /// A target file or a folder of them; may be repeated.
    #[arg(long, value_name = "PATH")]
    pub target_files: Vec<PathBuf>,
    /// End with one JSON object.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub nats: NatsArgs,
}

/// Limits of one run of one target.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct LimitArgs {
    /// Wall time of one run, such as 8s or 500ms.
    #[arg(long, value_name = "TIME")]
    pub timeout: Option<Span>,
    /// Memory of one run, such as 2GiB.
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Size>,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct SpaceArgs {
    /// The strategy (lydite list strategies).
    pub strategy: String,
    /// A file or folder of seeds; may be repeated.
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
    /// A target file or a folder of them; may be repeated.
    #[arg(long, value_name = "PATH")]
    pub target_files: Vec<PathBuf>,
    /// Print one JSON object per obligation.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The programs of the case.
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
    /// A target file or a folder of them; may be repeated.
    #[arg(long, value_name = "PATH")]
    pub target_files: Vec<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
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
    /// A target file or a folder of them; may be repeated.
    #[arg(long, value_name = "PATH")]
    pub target_files: Vec<PathBuf>,
    /// Print one JSON object per seed.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// The finding's folder, or its id.
    pub finding: PathBuf,
    /// The campaign's folder, if the finding is named by its id.
    #[arg(long = "in", value_name = "DIR")]
    pub campaign: Option<PathBuf>,
    /// How many times to run it.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub times: u32,
    /// A target file or a folder of them; may be repeated.
    #[arg(long, value_name = "PATH")]
    pub target_files: Vec<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lydite reduce lydite-out/smt-old                     every finding of a campaign
  lydite reduce z3-crash-1f0c9a2b                      one finding, by its id
  lydite reduce a.smt2 -t z3@4.8.5                     a file, while the same is wrong with it
  lydite reduce a.smt2 -t z3 --interesting 'ASSERTION' a file, while the output matches
  lydite reduce a.smt2 -- ./test.sh @@                 a file, while a command ends with 0

What is reduced is told by its name: a finding's folder or id, a campaign's
folder, or (with targets or a command) a file.")]
pub(crate) struct ReduceArgs {
    /// Findings, campaigns, or one file.
    #[arg(required = true, value_name = "FINDING|DIR|FILE")]
    pub what: Vec<PathBuf>,
    /// The campaign's folder, if a finding is named by its id.
    #[arg(long = "in", value_name = "DIR")]
    pub campaign: Option<PathBuf>,
    /// A target, for a file; may be repeated.
    #[arg(short, long = "target", value_name = "TARGET")]
    pub targets: Vec<TargetName>,
    /// A target to compare with, for a file; may be repeated.
    #[arg(long = "reference", value_name = "TARGET")]
    pub references: Vec<TargetName>,
    /// What is known of the file: sat, unsat, accepted, …
    #[arg(long)]
    pub claim: Option<String>,
    /// Oracles, separated by commas [default: all].
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    pub oracles: Vec<String>,
    /// A file that lies beside it when it is run (one that ends in .tx has the
    /// transactions of contracts); may be repeated. Those that get smaller are
    /// written beside the result.
    #[arg(long = "with", value_name = "FILE")]
    pub beside: Vec<PathBuf>,
    /// Keep a smaller file if the output of every target matches, instead of
    /// asking oracles.
    #[arg(long, value_name = "REGEX", conflicts_with = "command")]
    pub interesting: Option<String>,
    /// Where the reduced file goes [default: NAME.reduced.EXT beside it].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How many candidates are tested at a time [default: the number of cores].
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// How long to reduce each finding, such as 90s or 10m [default: until
    /// nothing gets smaller].
    #[arg(long = "for", value_name = "TIME")]
    pub duration: Option<Span>,
    /// How many candidates to test for each finding at most; with -j 1 that gives
    /// the same result on every machine.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub tests: Option<u64>,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// A target file or a folder of them; may be repeated.
    #[arg(long, value_name = "PATH")]
    pub target_files: Vec<PathBuf>,
    /// Print one JSON object per finding.
    #[arg(long)]
    pub json: bool,
    /// A command that ends with 0 if a smaller file is good; @@ is the file.
    #[arg(last = true, value_name = "COMMAND", conflicts_with = "targets")]
    pub command: Vec<OsString>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lydite bisect z3-crash-1f0c9a2b                 all versions that are installed
  lydite bisect lydite-out/smt-old                every finding of a campaign
  lydite bisect ID --install --versions '>=4.8'   by halves over what is offered

What was seen is kept in the campaign, and shown with the finding and in its
report; another run adds the versions that are new.")]
pub(crate) struct BisectArgs {
    /// Findings (a folder or an id), or campaigns.
    #[arg(required = true, value_name = "FINDING|DIR")]
    pub what: Vec<PathBuf>,
    /// The campaign's folder, if a finding is named by its id.
    #[arg(long = "in", value_name = "DIR")]
    pub campaign: Option<PathBuf>,
    /// Only these versions, such as '>=4.8,<4.13'.
    #[arg(long, default_value = "*", value_name = "SET")]
    pub versions: String,
    /// Search by halves among the versions that the registries offer, and
    /// install those that are needed.
    #[arg(long)]
    pub install: bool,
    /// A target file or a folder of them; may be repeated.
    #[arg(long, value_name = "PATH")]
    pub target_files: Vec<PathBuf>,
    /// Print one JSON object per finding.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Reduces every finding and looks at it in all installed versions, as far as that was not done. Then
findings that are one bug are merged (the same reduced case; the same constructs in the same
versions), and a finding whose cases are several bugs is divided. `lydite findings split` takes a
merge back.")]
pub(crate) struct DedupArgs {
    /// The campaign's folder.
    pub folder: PathBuf,
    /// Only these versions, such as '>=4.8,<4.13'.
    #[arg(long, default_value = "*", value_name = "SET")]
    pub versions: String,
    /// How long the reduction of one finding may take.
    #[arg(long = "for", default_value = "60s", value_name = "TIME")]
    pub duration: Span,
    /// How many candidates are tested at a time [default: the number of cores].
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// A target file or a folder of them; may be repeated.
    #[arg(long, value_name = "PATH")]
    pub target_files: Vec<PathBuf>,
    /// Print one JSON object per bug.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The campaign's folder.
    pub folder: PathBuf,
    /// Print the report in this form instead of writing all of them.
    #[arg(long, value_enum)]
    pub print: Option<ReportForm>,
    /// The same as --print json.
    #[arg(long, conflicts_with = "print")]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportForm {
    Markdown,
    Json,
    Html,
}

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// Folders of shards of one campaign.
    #[arg(required = true, value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    /// The folder of the whole; may exist already.
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct TargetsArgs {
    /// What to do [default: list].
    #[command(subcommand)]
    pub command: Option<TargetsCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TargetsCommand {
    /// List families with installed and available versions.
    List {
        /// Only these families.
        families: Vec<TargetName>,
        /// Ask the registries which versions there are.
        #[arg(long)]
        available: bool,
        /// Ask the registries again, even if their answer of today is kept.
        #[arg(long)]
        refresh: bool,
        /// A target file or a folder of them; may be repeated.
        #[arg(long, value_name = "PATH")]
        target_files: Vec<PathBuf>,
        /// Print one JSON object per family.
        #[arg(long)]
        json: bool,
    },
    /// Install versions into the cache: z3, z3@4.8.7, 'z3@>=4.13', 'cvc5@*', z3@latest.
    Install {
        /// What to install.
        #[arg(required = true)]
        targets: Vec<TargetName>,
        /// A target file or a folder of them; may be repeated.
        #[arg(long, value_name = "PATH")]
        target_files: Vec<PathBuf>,
        /// Print one JSON object per target.
        #[arg(long)]
        json: bool,
    },
    /// Run every installed target on a small program and check its files.
    Doctor {
        /// Only these targets [default: all installed].
        targets: Vec<TargetName>,
        /// Also run the program with each option that a campaign may vary.
        #[arg(long)]
        options: bool,
        /// A target file or a folder of them; may be repeated.
        #[arg(long, value_name = "PATH")]
        target_files: Vec<PathBuf>,
        /// Print one JSON object per target.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct SpecArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: SpecCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SpecCommand {
    /// Say what is wrong with specs, make programs of them, and say what they cost.
    Check {
        /// Files, or names of specs that come with lydite.
        #[arg(required = true, value_name = "SPEC")]
        specs: Vec<String>,
        /// How many programs to make.
        #[arg(short = 'n', long, default_value_t = 20)]
        programs: u64,
        /// How deep recursive productions may nest [default: the spec's own].
        #[arg(long)]
        height: Option<u32>,
        /// The spec's own numbers and switches, such as loops=false,statements=20.
        #[arg(long, default_value = "")]
        knobs: String,
        /// Say how often each production and each alternative is used, how deep, how
        /// often it is taken back, and what never came.
        #[arg(long)]
        stats: bool,
        /// Print one JSON object per spec.
        #[arg(long)]
        json: bool,
    },
    /// Lay out files: indentation and spaces, not line breaks.
    Fmt {
        /// The files.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Change nothing; end with 2 if a file is not laid out.
        #[arg(long)]
        check: bool,
    },
    /// Print what a spec offers, as Markdown.
    Doc {
        /// A file, or the name of a spec that comes with lydite.
        #[arg(value_name = "SPEC")]
        spec: String,
    },
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lydite list strategies               one line each
  lydite list strategies fusion        one in full, with its settings
  lydite list presets smt-old          the plan itself")]
pub(crate) struct ListArgs {
    /// What to list.
    #[arg(value_enum)]
    pub what: Listed,
    /// Show this one in full.
    pub name: Option<String>,
    /// Print one JSON object per line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Listed {
    Strategies,
    Oracles,
    Languages,
    Presets,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lydite completions bash > ~/.local/share/bash-completion/completions/lydite
  lydite completions zsh > ~/.zfunc/_lydite
  lydite completions fish > ~/.config/fish/completions/lydite.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The folder for the pages, made if it is not there.
    pub folder: PathBuf,
}

fn spending(text: &str) -> Result<Spending, String> {
    Spending::from_name(text).ok_or_else(|| "expected learn or fixed".to_string())
}

fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_string(), value.to_string())),
        _ => Err("expected KEY=VALUE".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
