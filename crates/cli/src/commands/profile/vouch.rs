//! Whether a contract and its variants, edited alike, are variants still: a new
//! profile has to show nothing that the first one does not.

use std::sync::{Mutex, PoisonError};

use lydite_core::Case;
use lydite_evm::Script;
use lydite_lab::reduce::Vouch;
use lydite_solidity::equivalent::{Ground, Grown, Outline, Profile};
use lydite_target::Maker;

use super::compiler::{Compiler, trace_calls};

/// Vouches for what is made of `case` by edits; `None` if its programs are not
/// a contract and variants of it, or cannot be profiled.
pub(crate) fn vouch(maker: Maker, case: &Case) -> Option<Vouch> {
    let mut compiler = Compiler(maker);
    let start = compiler.ground(case)?;
    let compiler = Mutex::new(compiler);
    Some(Box::new(move |case| {
        let mut compiler = compiler.lock().unwrap_or_else(PoisonError::into_inner);
        compiler
            .ground(case)
            .is_some_and(|ground| start.bears(&ground))
    }))
}

impl Compiler {
    /// The environments in which new code stands when the transactions of the
    /// case are run.
    fn ground(&mut self, case: &Case) -> Option<Ground> {
        let program = case.programs.first()?;
        let grown = Grown::read(std::str::from_utf8(&program.source().text).ok()?)?;
        let script = program.files.get(1)?;
        let transactions = Script::parse(&script.text).ok()?.transactions;
        let outline = Outline::of(grown.base.as_bytes()).ok()?;
        let plain = self.compile(&grown.base).ok()?.ok()?;
        let (probes, probed) = self.probe(&grown.base, &outline).ok()?;
        let plain = trace_calls(&plain, &transactions);
        let seen = trace_calls(&probed, &transactions);
        let mut steps = plain.steps.iter().zip(&seen.steps);
        let alike = plain.state == seen.state
            && steps.all(|(one, other)| {
                one.void.is_none() && other.void.is_none() && one.text == other.text
            });
        if !alike {
            return None;
        }
        let steps = seen.steps.iter();
        let marks = steps.map(|step| step.marks.iter().map(|mark| (mark.id, mark.word)));
        let version = self.target().version.to_string();
        let script = String::from_utf8_lossy(&script.text);
        let profile = Profile::of(&version, &script, &probes, marks);
        Ground::of(&case.programs, &profile)
    }
}
