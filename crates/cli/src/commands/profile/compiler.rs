//! A compiler that is asked about texts, and what they do with and without
//! probes.

use std::collections::BTreeMap;

use anyhow::{Result, anyhow, bail};
use lydite_core::fault::Fault;
use lydite_core::{Outcome, Program};
use lydite_evm::{Compiled, Limits, Script, Trace, Transaction, trace};
use lydite_solidity::equivalent::{Outline, PREFIX, Probes, instrument};
use lydite_target::{Maker, Target};

/// How many variables a probe shows in a function where the compiler could not
/// reach all of them; then fewer; then there is no probe.
const FEWER: [Option<usize>; 4] = [Some(6), Some(3), Some(0), None];

/// How often probes are taken out before a contract is given up.
const TRIES: usize = 24;

/// See the module's documentation.
pub(super) struct Compiler(pub(super) Maker);

impl Compiler {
    pub(super) fn target(&self) -> &Target {
        &self.0.target
    }

    /// What the compiler makes of a text, or what it says against it.
    pub(super) fn compile(&mut self, source: &str) -> Result<Result<Compiled, String>> {
        let program = Program::single("case.sol", source.as_bytes().to_vec());
        let (seen, made) = self.0.make(&program);
        match (made, &seen.outcome) {
            (Some(made), _) => Ok(Ok(Compiled::parse(&made)?)),
            (None, Outcome::Unusable(why)) => {
                let error = anyhow!("target {}: {why}", seen.target);
                Err(error.context(Fault::TargetUnusable))
            }
            (None, outcome) => {
                let said = String::from_utf8_lossy(&seen.stderr.head).into_owned();
                Ok(Err(if said.trim().is_empty() {
                    outcome.to_string()
                } else {
                    said
                }))
            }
        }
    }

    /// The text with as many probes as the compiler takes.
    pub(super) fn probe(&mut self, source: &str, outline: &Outline) -> Result<(Probes, Compiled)> {
        let mut most = BTreeMap::new();
        let mut said = String::new();
        for _ in 0..TRIES {
            let probes = instrument(source, outline, &most);
            match self.compile(&probes.text)? {
                Ok(compiled) => return Ok((probes, compiled)),
                Err(error) => said = error,
            }
            let place = place_of(&said).map(|place| probes.origin(place));
            let functions = outline.points.iter().filter(|point| {
                place.is_none_or(|at| (point.function..point.function_end).contains(&at))
            });
            let functions: Vec<usize> = functions.map(|point| point.function).collect();
            if functions.is_empty() {
                break;
            }
            let before = most.clone();
            for function in functions {
                let tried = before
                    .get(&function)
                    .map(|one| FEWER.iter().position(|f| f == one));
                let next = tried
                    .flatten()
                    .map_or(0, |at| (at + 1).min(FEWER.len() - 1));
                most.insert(function, FEWER[next]);
            }
        }
        bail!("cannot be probed: {}", first_line(&said))
    }
}

/// What a contract does under these transactions.
pub(super) fn trace_calls(compiled: &Compiled, transactions: &[Transaction]) -> Trace {
    let script = Script {
        transactions: transactions.to_vec(),
        hides_state: false,
    };
    trace(compiled, &script, &Limits::default(), PREFIX)
}

/// The place that the first message names.
fn place_of(said: &str) -> Option<usize> {
    let (_, rest) = said.split_once("at case.sol ")?;
    rest.split_whitespace().next()?.parse().ok()
}

/// What is said first, cut short.
pub(super) fn first_line(said: &str) -> String {
    let line = said.lines().find(|line| !line.trim().is_empty());
    line.unwrap_or("nothing was said")
        .chars()
        .take(200)
        .collect()
}
