//! What can be typed of `lydite meaning`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
Exit status 10 and a line if compilers may differ by right on the program: the order of evaluation matters, equal
string literals may be one object or two, and what else docs/targets.md names; or if that cannot be told.
Target c-meaning:check asks this after gcc -E.")]
pub(crate) struct MeaningArgs {
    /// A C program, preprocessed: macros hide what is evaluated.
    #[arg(value_name = "FILE")]
    pub program: PathBuf,
    /// The same before it was preprocessed: pragmas, and conditions about who
    /// compiles, are looked for in it.
    #[arg(long, value_name = "FILE")]
    pub source: Option<PathBuf>,
}
