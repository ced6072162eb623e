//! What `lydite seeds` takes.

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lydite seeds list                             what there is, and what is here
  lydite seeds get gcc-torture bitwuzla         into the cache
  lydite seeds get solidity --dry-run           what it would cost
  lydite hunt -t z3 -t cvc5 --strategy typed --seeds corpus:bitwuzla

A corpus is a file of a few lines (docs/seeds.md); put your own into ./lydite-corpora/ or
~/.config/lydite/corpora/.")]
pub(crate) struct SeedsArgs {
    /// What to do [default: list].
    #[command(subcommand)]
    pub command: Option<SeedsCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SeedsCommand {
    /// List the corpora that are known, and which are installed.
    List {
        /// Show these in full.
        #[arg(value_name = "NAME")]
        names: Vec<String>,
        /// Print one JSON object per corpus.
        #[arg(long)]
        json: bool,
    },
    /// Bring corpora into the cache.
    Get {
        /// Which ones.
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
        /// Say which version it would be and how large the download is; get nothing.
        #[arg(long)]
        dry_run: bool,
        /// Ask the registries again, even if their answer of today is kept.
        #[arg(long)]
        refresh: bool,
        /// Print one JSON object per corpus.
        #[arg(long)]
        json: bool,
    },
}
