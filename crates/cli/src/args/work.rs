//! Commands that work on findings and campaigns.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lydite_core::TargetName;
use lydite_core::quantity::Span;

use super::{LimitArgs, TargetFileArgs};

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
    #[command(flatten)]
    pub target_files: TargetFileArgs,
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
    #[command(flatten)]
    pub target_files: TargetFileArgs,
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
    #[command(flatten)]
    pub target_files: TargetFileArgs,
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
    #[command(flatten)]
    pub target_files: TargetFileArgs,
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
