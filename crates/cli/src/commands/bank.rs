//! `lydite bank`: the terms of many seeds, for strategy `typed`.

use anyhow::{Context, Result};
use lydite_core::fault::Fault;
use lydite_lab::plan::PlanLimits;
use lydite_lab::seeds::SeedSet;

use crate::args::BankArgs;
use crate::console::Console;
use crate::exit_code::ExitCode;
use crate::registry::{bank_of, registry};

pub(crate) fn run(args: &BankArgs, console: &Console) -> Result<ExitCode> {
    let language = registry().language("smtlib")?;
    let limits = PlanLimits::default().of_seeds(0);
    let seeds = super::seeds::locate(&args.seeds)?;
    let set = SeedSet::read(&seeds, language.as_ref(), limits)?;
    if let Some(text) = set.sampling() {
        console.say(&text);
    }
    let bank = bank_of(&set.seeds);
    std::fs::write(&args.output, &bank)
        .with_context(|| args.output.display().to_string())
        .context(Fault::CannotWrite)?;
    console.detail(&format!(
        "{} terms of {} seeds in {}",
        bank.lines().count().saturating_sub(1),
        set.seeds.len(),
        args.output.display()
    ));
    Ok(ExitCode::Clean)
}
