//! What can be typed. What it means is decided in the subcommands.

mod coverage;
mod evm;
mod help;
mod hunt;
mod meaning;
mod network;
mod profile;
mod programs;
mod seeds;
mod tools;
mod triage;
mod versions;
mod work;

pub(crate) use coverage::CoverageArgs;
pub(crate) use evm::EvmArgs;
pub(crate) use help::{command, parse};
pub(crate) use hunt::HuntArgs;
pub(crate) use meaning::MeaningArgs;
pub(crate) use network::{ServeArgs, WorkerArgs};
pub(crate) use profile::ProfileArgs;
pub(crate) use programs::{
    BankArgs, CheckArgs, CountArgs, GenerateArgs, LabelArgs, ProveArgs, SpaceArgs,
};
pub(crate) use seeds::{SeedsArgs, SeedsCommand};
pub(crate) use tools::{
    CompletionsArgs, ListArgs, Listed, ManArgs, SpecArgs, SpecCommand, TargetsArgs, TargetsCommand,
};
pub(crate) use triage::{BugArgs, FindingsArgs, FindingsCommand, QueueArgs, UndoArgs};
pub(crate) use versions::{CertifyArgs, EvolveArgs, TimeKind};
pub(crate) use work::{
    BisectArgs, DedupArgs, MergeArgs, ReduceArgs, ReplayArgs, ReportArgs, ReportForm,
};

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use lydite_core::quantity::{Size, Span};

const EXIT_CODES: &str = "\
Exit codes: 0 nothing found, 10 findings (that are not known upstream),
2 usage, 3 internal error, 4 target unusable, 5 cannot write, 130 interrupted.

A target is family[@version][:variant]: z3, z3@4.8.7, z3@>=4.13 or gcc:O3.";

/// The options of all commands stand behind those of a command itself.
const LAST: usize = 900;

/// Puts language processors to the test.
///
/// Lydite makes test programs, runs real processors on them, judges the
/// answers, and keeps what it finds deduplicated and replayable.
#[derive(Debug, Parser)]
#[command(name = "lydite", version, after_help = EXIT_CODES, max_term_width = 100)]
pub(crate) struct Cli {
    /// Say nothing but results and errors.
    #[arg(short, long, global = true, display_order = LAST)]
    pub quiet: bool,
    /// Say more; twice for everything.
    #[arg(short, long, global = true, action = clap::ArgAction::Count, display_order = LAST)]
    pub verbose: u8,
    /// Do not wrap tables to the width of the terminal.
    #[arg(long, global = true, display_order = LAST)]
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
    /// List corpora of regression tests, and bring them into the cache.
    Seeds(SeedsArgs),
    /// Find out the answers of seeds with several solvers.
    Label(LabelArgs),
    /// Run a finding again.
    Replay(ReplayArgs),
    /// Find the first and the last version with the bug of a finding.
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
    /// Compare all releases of a family: correctness and speed.
    Evolve(EvolveArgs),
    /// Measure what strategies reach of a processor's source.
    Coverage(CoverageArgs),
    /// Write or check the certificate of a campaign over a counted space.
    Certify(CertifyArgs),
    /// List, install and examine targets.
    Targets(TargetsArgs),
    /// Check, lay out and document specs (docs/spec/).
    Spec(SpecArgs),
    /// List strategies, oracles, languages or presets, or show one.
    List(ListArgs),
    /// Print what a shell needs to complete commands and options.
    Completions(CompletionsArgs),
    /// Write a manual page for each command.
    Man(ManArgs),
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

/// Families beside those that are built in.
#[derive(Clone, Debug, Args)]
pub(crate) struct TargetFileArgs {
    /// A target file or a folder of them; may be repeated.
    #[arg(id = "target_files", long = "target-files", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
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
