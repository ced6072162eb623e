//! Strategies that make SMT-LIB.

pub mod equals;
pub mod fusion;
pub mod ground;
pub mod history;
pub mod incremental;
mod mutants;
pub mod objectives;
pub mod operators;
pub mod partition;
pub mod typed;
pub mod weaken;
pub mod witness;

use lydite_core::{Answer, Case, Claim, Program, Verdict};

/// The case of an obligation: a script that has no solution.
fn to_refute(script: String) -> Case {
    Case::single(
        Program::single("obligation.smt2", script.into_bytes()),
        Claim::Answers(Answer::Verdicts(vec![Verdict::Unsat])),
    )
}
