//! What can be typed about findings and their reports.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::TargetFileArgs;

#[derive(Debug, Args)]
#[command(
    subcommand_negates_reqs = true,
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  lydite findings lydite-out/smt-old
  lydite findings mark z3-crash-1f0c9a2b reported --upstream https://…/issues/12
  lydite findings mark z3-crash-1f0c9a2b --undo
  lydite findings merge z3-crash-1f0c9a2b z3-crash-77aa01bc"
)]
pub(crate) struct FindingsArgs {
    #[command(subcommand)]
    pub command: Option<FindingsCommand>,
    /// The campaign's folder.
    #[arg(required = true)]
    pub folder: Option<PathBuf>,
    /// Only findings of this kind.
    #[arg(long)]
    pub kind: Option<String>,
    /// Only findings of this family.
    #[arg(long)]
    pub family: Option<String>,
    /// Also list findings that were merged into others.
    #[arg(long)]
    pub all: bool,
    /// One JSON object per finding.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum FindingsCommand {
    /// Say how a finding stands: reported, known, a duplicate, fixed.
    Mark {
        /// The finding's folder, or its id.
        finding: PathBuf,
        /// reported, duplicate-of=ID, known=UPSTREAM, wontfix or fixed-in=VERSION.
        #[arg(required_unless_present = "undo", conflicts_with = "undo")]
        status: Option<String>,
        /// Where upstream discusses it.
        #[arg(long, value_name = "URL")]
        upstream: Option<String>,
        /// A note for people, shown with the finding.
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
        #[command(flatten)]
        undo: UndoArgs,
    },
    /// Say that findings are one bug; the first stands for all.
    Merge {
        /// Folders or ids of findings of one campaign.
        #[arg(required = true)]
        findings: Vec<PathBuf>,
        #[command(flatten)]
        undo: UndoArgs,
    },
    /// Say that a finding is a bug of its own after all.
    Split {
        /// The finding's folder, or its id.
        finding: PathBuf,
        #[command(flatten)]
        undo: UndoArgs,
    },
}

#[derive(Debug, Args)]
pub(crate) struct UndoArgs {
    /// Take back the last decision of this sort about the finding.
    #[arg(long)]
    pub undo: bool,
    /// The campaign's folder, if the finding is named by its id.
    #[arg(long = "in", value_name = "DIR")]
    pub campaign: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct QueueArgs {
    /// The campaign's folder.
    pub folder: PathBuf,
    #[command(flatten)]
    pub target_files: TargetFileArgs,
    /// One JSON object per finding.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BugArgs {
    /// The finding's folder, or its id.
    pub finding: PathBuf,
    /// The campaign's folder, if the finding is named by its id.
    #[arg(long = "in", value_name = "DIR")]
    pub campaign: Option<PathBuf>,
    /// The file to write [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub target_files: TargetFileArgs,
}
