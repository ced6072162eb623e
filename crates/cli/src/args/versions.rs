//! The arguments of `evolve` and `certify`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lydite_core::TargetName;

use super::{LimitArgs, TargetFileArgs, key_value};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lydite evolve --targets 'z3@>=4.5' --against cvc5 --grammar strings --grammar fp -n 2000
  lydite evolve --targets 'z3@4.5..4.13' --against cvc5 --seeds regressions/ --install
  lydite evolve -o lydite-out/evolve-z3         go on, or draw the page again

The page is evolution.html in the folder, the data beside it. What was measured is kept: another run
with one more version, grammar or case runs only what is new. Exit code 10 if the newest version
goes wrong somewhere.")]
pub(crate) struct EvolveArgs {
    /// The versions to compare: z3@*, 'z3@>=4.5', z3@4.5..4.13.
    #[arg(long, value_name = "SET", value_parser = version_set)]
    pub targets: Option<TargetName>,
    /// A target whose answers are the reference; may be repeated.
    #[arg(long, value_name = "TARGET")]
    pub against: Vec<TargetName>,
    /// A grammar by name, or its file (docs/enumerate.md); may be repeated.
    #[arg(long = "grammar", value_name = "NAME|FILE", value_delimiter = ',')]
    pub grammars: Vec<String>,
    /// A file or folder of programs; may be repeated.
    #[arg(long, value_name = "PATH")]
    pub seeds: Vec<PathBuf>,
    /// A setting of the grammars, such as variables=5; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    pub settings: Vec<(String, String)>,
    /// How many programs of each grammar or seed folder [default: 1000].
    #[arg(short = 'n', long)]
    pub cases: Option<u64>,
    /// The index to start at, such as 12 or 10^275.
    #[arg(long, value_name = "INDEX")]
    pub from: Option<String>,
    /// The folder [default: lydite-out/evolve-FAMILY].
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Runs at a time [default: the number of cores]; 1 for the steadiest times.
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Which time is compared; cpu is steadier on a busy machine.
    #[arg(long, value_enum, default_value = "wall")]
    pub clock: TimeKind,
    /// Oracles, separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    pub oracles: Vec<String>,
    /// Install versions that are missing.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TimeKind {
    Wall,
    Cpu,
}

#[derive(Debug, Args)]
#[command(after_help = "\
A certificate says which programs were run on which targets, and how that ended; docs/enumerate.md.
In its campaign's folder it is checked against plan, grammar and store, by itself against its hash.")]
pub(crate) struct CertifyArgs {
    /// The campaign's folder; with --verify also a certificate.
    #[arg(value_name = "DIR|FILE")]
    pub path: PathBuf,
    /// Check the certificate instead of writing it.
    #[arg(long)]
    pub verify: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// The name of a target whose version is a set.
fn version_set(text: &str) -> Result<TargetName, String> {
    let name: TargetName = text.parse().map_err(|error| format!("{error}"))?;
    match name.version {
        Some(_) => Ok(name),
        None => Err(format!("which versions? {text}@* for all, '{text}@>=1.2'")),
    }
}
