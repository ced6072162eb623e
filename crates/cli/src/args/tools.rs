//! Commands that show and set up what lydite works with.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use lydite_core::TargetName;

use super::TargetFileArgs;

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
        #[command(flatten)]
        target_files: TargetFileArgs,
        /// Print one JSON object per family.
        #[arg(long)]
        json: bool,
    },
    /// Install versions into the cache: z3, z3@4.8.7, 'z3@>=4.13', 'cvc5@*', z3@latest.
    Install {
        /// What to install.
        #[arg(required = true)]
        targets: Vec<TargetName>,
        #[command(flatten)]
        target_files: TargetFileArgs,
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
        #[command(flatten)]
        target_files: TargetFileArgs,
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
