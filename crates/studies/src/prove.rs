//! Obligations of a strategy's tables, put to targets.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use lydite_core::{Claim, Obligation, Outcome, TargetName};

use lydite_lab::campaign::{Examined, Examiner, panic_text};
use lydite_lab::parallel::in_parallel;

/// What became of one obligation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// These targets confirm it.
    Proved(Vec<TargetName>),
    /// Nobody decides it; what each said.
    Open(String),
    /// There is a counterexample that an oracle has checked, or one that
    /// nobody contradicts.
    Refuted {
        /// Which target says so, and how it is known.
        why: String,
        /// The output with the counterexample.
        counterexample: String,
    },
    /// We could not judge it.
    Failed(String),
}

impl Proof {
    /// A short stable name, for counts and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Proof::Proved(_) => "proved",
            Proof::Open(_) => "open",
            Proof::Refuted { .. } => "refuted",
            Proof::Failed(_) => "failed",
        }
    }

    /// The reason, in words.
    pub fn why(&self) -> String {
        match self {
            Proof::Proved(targets) => {
                let names: Vec<String> = targets.iter().map(TargetName::to_string).collect();
                names.join(", ")
            }
            Proof::Open(why) | Proof::Failed(why) => why.clone(),
            Proof::Refuted { why, .. } => why.clone(),
        }
    }
}

/// Puts each obligation to the targets of `examiner`, whose oracles should know
/// how to check a witness, and gives what became of it to `take`.
pub fn prove_all(
    examiner: &Examiner,
    obligations: &[Obligation],
    threads: usize,
    stop: &AtomicBool,
    take: &mut dyn FnMut(usize, Proof) -> Result<()>,
) -> Result<()> {
    let work = |number: usize| prove(examiner, &obligations[number]);
    in_parallel(obligations.len(), threads, stop, &work, take)
}

fn prove(examiner: &Examiner, obligation: &Obligation) -> Result<Proof> {
    let examined = catch_unwind(AssertUnwindSafe(|| {
        examiner.examine(&examiner.judge.prepare(obligation.case.clone()))
    }));
    match examined {
        Ok(examined) => {
            examiner.check_started(&examined)?;
            Ok(judge(&obligation.case.claim, &examined))
        }
        Err(panic) => Ok(Proof::Failed(format!("panic: {}", panic_text(panic)))),
    }
}

fn judge(claim: &Claim, examined: &Examined) -> Proof {
    let Claim::Answers(claimed) = claim else {
        return Proof::Failed(format!("an obligation claims an answer, not {claim}"));
    };
    let observations = &examined.table.observations;
    let says = |wanted: bool| {
        observations.iter().filter(move |o| match &o.outcome {
            Outcome::Answered(answer) if wanted => answer == claimed,
            Outcome::Answered(answer) => answer.contradicts(claimed),
            _ => false,
        })
    };
    let proved: Vec<TargetName> = says(true).map(|o| o.target.clone()).collect();
    let against = says(false).next();
    let counterexample = || {
        let stdout = against.map(|o| String::from_utf8_lossy(&o.stdout.head).into_owned());
        stdout.unwrap_or_default()
    };
    match (&examined.claim_refuted, against) {
        (Some(why), _) => Proof::Refuted {
            why: why.clone(),
            counterexample: counterexample(),
        },
        // One of the two is wrong about a script whose counterexample nobody
        // could check; the table is not to blame for that.
        (None, _) if !proved.is_empty() => Proof::Proved(proved),
        (None, Some(observation)) => Proof::Refuted {
            why: format!(
                "{} says that there is a counterexample, which could not be checked",
                observation.target
            ),
            counterexample: counterexample(),
        },
        (None, None) => {
            let said = observations.iter().map(|o| {
                let outcome: String = o.outcome.to_string().chars().take(60).collect();
                format!("{}: {outcome}", o.target)
            });
            Proof::Open(said.collect::<Vec<_>>().join("; "))
        }
    }
}
