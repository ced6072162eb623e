//! `lydite evm`: runs compiled contracts and prints what they do.

use std::fs;
use std::io::ErrorKind;

use anyhow::{Context, Result};
use lydite_evm::{Compiled, Derivation, Limits, Script, derive_transactions, run as run_script};

use crate::args::EvmArgs;
use crate::console::print;
use crate::exit_code::ExitCode;

pub(crate) fn run(args: &EvmArgs) -> Result<ExitCode> {
    let named = || args.compiled.display().to_string();
    let text = fs::read(&args.compiled).with_context(named)?;
    let compiled = Compiled::parse(&text).with_context(named)?;
    let derivation = Derivation {
        seed: args.seed,
        count: args.count,
        ..Derivation::default()
    };
    let derived = || derive_transactions(&compiled, &derivation);
    if args.derive {
        print(derived().trim_end());
        return Ok(ExitCode::Clean);
    }
    let (text, from) = match &args.transactions {
        None => (derived().into_bytes(), "derived transactions".to_string()),
        Some(path) => {
            let from = path.display().to_string();
            match fs::read(path) {
                Err(error) if error.kind() == ErrorKind::NotFound => (derived().into_bytes(), from),
                read => (read.with_context(|| from.clone())?, from),
            }
        }
    };
    let script = Script::parse(&text).with_context(|| from.clone())?;
    let mut limits = Limits::default();
    limits.call_gas = args.gas.unwrap_or(limits.call_gas);
    print(run_script(&compiled, &script, &limits)?.trim_end());
    Ok(ExitCode::Clean)
}
