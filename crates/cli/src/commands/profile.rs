//! `lydite profile`: runs programs and writes down what was seen: of contracts
//! the values that their variables take, of other programs the statements that
//! were not reached ([`statements`]).
//!
//! A contract is compiled twice, as it stands and with probes, and both are
//! run. Transactions that tell nothing (they run out of gas), or that behave
//! otherwise with probes (they depend on the code itself: its hash, its size,
//! the gas that is left), are left out until all that remain agree.

mod compiler;
mod imports;
mod statements;
mod vouch;

pub(super) use vouch::vouch;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use lydite_core::fault::Fault;
use lydite_core::{Choices, Seed, Settings, Strategy};
use lydite_evm::{Action, Compiled, Derivation, Script, Trace, Transaction, derive_transactions};
use lydite_lab::campaign::run_limits;
use lydite_lab::named_file::read_file;
use lydite_lab::plan::PlanLimits;
use lydite_solidity::equivalent::{Equivalent, Outline, Profile, limit_loops};
use lydite_target::{Maker, Target};
use serde_json::{Value, json};

use compiler::{Compiler, first_line, trace_calls};

use super::toolbox::{Toolbox, scratch};
use crate::args::ProfileArgs;
use crate::console::{Console, print_json};
use crate::exit_code::ExitCode;
use crate::registry::registry;
use crate::table::print_table;

/// How often transactions are left out before a contract is given up.
const ROUNDS: usize = 12;

/// What the compiler says of a contract that is not for this version.
const OTHER_VERSION: &str = "requires different compiler version";

pub(crate) fn run(args: &ProfileArgs, console: &Console) -> Result<ExitCode> {
    let is_contract = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "sol");
    match args.files.iter().filter(|path| is_contract(path)).count() {
        0 => statements::run(args, console),
        count if count == args.files.len() => profile_contracts(args, console),
        _ => bail!("contracts and other programs are profiled one kind at a time"),
    }
}

fn profile_contracts(args: &ProfileArgs, console: &Console) -> Result<ExitCode> {
    let toolbox = Toolbox::open(&args.target_files.paths)?;
    let mut limits = PlanLimits::default();
    limits.timeout = args.limits.timeout.unwrap_or("120s".parse()?);
    limits.memory = args.limits.memory.unwrap_or(limits.memory);
    let name = match args.targets.as_slice() {
        [] => "solc@*".parse()?,
        [name] => name.clone(),
        _ => bail!("a contract is compiled by one target (-t once)"),
    };
    let targets = toolbox.installed(&[name], &[], console)?;
    let mut targets: Vec<Target> = targets.into_iter().map(|(target, _)| target).collect();
    targets.sort_by(|one, other| other.version.cmp(&one.version));
    let scratch = scratch()?;
    let compiler = |target| {
        let maker = Maker::new(target, run_limits(&limits), Arc::clone(&scratch));
        Compiler(maker)
    };
    let mut profiler = Profiler {
        args,
        compilers: targets.into_iter().map(compiler).collect(),
        stems: stems(&args.files),
    };
    let mut rows = Vec::new();
    let mut failed = None;
    for path in &args.files {
        let done = profiler
            .profile(path)
            .with_context(|| path.display().to_string());
        let row = match done {
            Ok(profiled) => profiled,
            Err(error) if error.downcast_ref::<Fault>().is_some() => return Err(error),
            Err(error) => {
                console.warn(&format!("{error:#}"));
                let row = json!({"file": path, "error": format!("{:#}", error.root_cause())});
                failed.get_or_insert(error);
                row
            }
        };
        if args.json {
            print_json(&row.to_string());
        }
        rows.push(row);
    }
    if !args.json {
        show(&rows);
    }
    match failed {
        Some(error) if rows.iter().all(|row| row.get("error").is_some()) => Err(error),
        _ => Ok(ExitCode::found(rows.iter().any(differs))),
    }
}

fn differs(row: &Value) -> bool {
    row["different"]
        .as_u64()
        .is_some_and(|different| different > 0)
}

fn show(rows: &[Value]) {
    let heads = [
        "file", "written", "solc", "transactions", "points", "reached",
    ];
    let word = |value: &Value| value.as_str().map_or(value.to_string(), str::to_string);
    let rows = rows.iter().filter(|row| row.get("error").is_none());
    let rows = rows.map(|row| heads.map(|head| word(&row[head])).to_vec());
    print_table(&heads, &rows.collect::<Vec<_>>());
}

struct Profiler<'a> {
    args: &'a ProfileArgs,
    /// The newest first.
    compilers: Vec<Compiler>,
    /// What the files of the output are called, by input.
    stems: BTreeMap<PathBuf, String>,
}

/// A contract with the transactions that are run.
struct Subject {
    /// The number of the compiler that takes it.
    compiler: usize,
    source: String,
    outline: Outline,
    compiled: Compiled,
    transactions: Vec<Transaction>,
    /// The contracts that were deployed by name.
    contracts: Vec<String>,
    /// How many transactions were left out.
    left_out: usize,
}

/// What came of variants.
#[derive(Default)]
struct VariantTally {
    equal: u64,
    /// Stack, gas and the like: limits that tell nothing.
    unsupported: u64,
    refused: u64,
    different: u64,
    /// Why one was refused, or how one differs.
    said: Option<String>,
}

impl Profiler<'_> {
    fn profile(&mut self, path: &Path) -> Result<Value> {
        let (source, own) = imports::joined(path, &self.args.roots)?;
        let mut subject = self.subject(source, &own)?;
        if self.args.loops > 0 && !subject.outline.loops.is_empty() && starves(&subject) {
            let limited = limit_loops(&subject.source, &subject.outline, self.args.loops);
            subject = self.subject(limited, &own)?;
        }
        let compiler = &mut self.compilers[subject.compiler];
        let (probes, compiled) = compiler.probe(&subject.source, &subject.outline)?;
        let seen = settle(&mut subject, &compiled)?;
        let transactions: String = subject
            .transactions
            .iter()
            .map(|transaction| format!("{}\n", transaction.text))
            .collect();
        let marks = seen
            .steps
            .iter()
            .map(|step| step.marks.iter().map(|mark| (mark.id, mark.word)));
        let version = self.compilers[subject.compiler]
            .target()
            .version
            .to_string();
        let profile = Profile::of(&version, &transactions, &probes, marks);
        let text = profile.attach(&subject.source);
        let written = self.write(path, "", &text)?;
        let variants = self.variants(path, &subject, &text)?;
        Ok(json!({
            "file": path,
            "written": written,
            "solc": version,
            "contracts": subject.contracts,
            "transactions": subject.transactions.len(),
            "left_out": subject.left_out,
            "points": subject.outline.points.len(),
            "reached": profile.points.values().filter(|seen| seen.environments.is_some()).count(),
            "unknown": profile.points.values().filter(|seen| seen.environments.is_none()).count(),
            "equal": variants.equal,
            "unsupported": variants.unsupported,
            "refused": variants.refused,
            "different": variants.different,
            "said": variants.said,
        }))
    }

    /// Compiles the text with the first version that takes it, and finds
    /// transactions.
    fn subject(&mut self, source: String, own: &[String]) -> Result<Subject> {
        let mut last = None;
        for compiler in 0..self.compilers.len() {
            let compiled = match self.compilers[compiler].compile(&source)? {
                Ok(compiled) => compiled,
                // Older versions may stumble before they look at the version.
                Err(said) if said.contains(OTHER_VERSION) || last.is_some() => {
                    last.get_or_insert(said);
                    continue;
                }
                Err(said) => {
                    let name = &self.compilers[compiler].target().name;
                    bail!("does not compile with {name}: {}", first_line(&said))
                }
            };
            let outline = Outline::of(source.as_bytes())?;
            let transactions = self.transactions(&compiled, own)?;
            let deployed = transactions
                .iter()
                .filter(|one| matches!(one.action, Action::Deploy { .. }));
            let contracts = deployed.map(|one| one.contract.clone()).collect();
            return Ok(Subject {
                compiler,
                source,
                outline,
                compiled,
                transactions,
                contracts,
                left_out: 0,
            });
        }
        let said = last.unwrap_or_default();
        bail!(
            "no installed version of solc takes it: {}",
            first_line(&said)
        )
    }

    fn transactions(&self, compiled: &Compiled, own: &[String]) -> Result<Vec<Transaction>> {
        let text = match &self.args.transactions {
            Some(path) => read_file(path).with_context(|| path.display().to_string())?,
            None => {
                let wanted = match self.args.contracts.as_slice() {
                    [] => own,
                    named => named,
                };
                let deployable = |name: &&String| {
                    let contract = compiled.contract(name);
                    contract.is_some_and(lydite_evm::Contract::is_deployable)
                };
                let only: Vec<String> = wanted.iter().filter(deployable).cloned().collect();
                if only.is_empty() {
                    bail!(
                        "no contract that could be deployed (of {})",
                        wanted.join(", ")
                    );
                }
                let derivation = Derivation {
                    seed: self.args.seed,
                    count: self.args.count,
                    only,
                    thorough: true,
                };
                derive_transactions(compiled, &derivation).into_bytes()
            }
        };
        Ok(Script::parse(&text)?.transactions)
    }

    /// Makes variants, compiles them as the contract was, and compares what
    /// they do.
    fn variants(&mut self, path: &Path, subject: &Subject, text: &str) -> Result<VariantTally> {
        let mut tally = VariantTally::default();
        if self.args.variants == 0 {
            return Ok(tally);
        }
        let seed = Seed {
            name: "case.sol".to_string(),
            text: text.as_bytes().into(),
            claim: None,
        };
        let language = registry().language("solidity")?;
        let one = BTreeMap::from([("variants".to_string(), "1".to_string())]);
        let settings = Settings::checked(&Equivalent, one)?;
        let space = Equivalent.open(language, [seed].into(), &settings)?;
        let expected = trace_calls(&subject.compiled, &subject.transactions);
        for number in 0..self.args.variants {
            let case = space.sample(&mut Choices::seeded(self.args.seed, number))?;
            let program = case.programs.last().context("a case without programs")?;
            let variant = String::from_utf8_lossy(&program.source().text).into_owned();
            match self.compilers[subject.compiler].compile(&variant)? {
                Err(said) if said.contains("too deep") => tally.unsupported += 1,
                Err(said) => {
                    tally.refused += 1;
                    tally.said.get_or_insert(first_line(&said));
                }
                Ok(compiled) => {
                    let seen = trace_calls(&compiled, &subject.transactions);
                    let void = seen.steps.iter().any(|step| step.void.is_some());
                    match (void, seen == expected) {
                        (true, _) => tally.unsupported += 1,
                        (false, true) => tally.equal += 1,
                        (false, false) => {
                            tally.different += 1;
                            let ending = format!("-variant{number}");
                            let written = self.write(path, &ending, &variant)?;
                            tally.said = Some(format!("see {}", written.display()));
                        }
                    }
                }
            }
        }
        Ok(tally)
    }

    fn write(&self, path: &Path, ending: &str, text: &str) -> Result<PathBuf> {
        let written = match &self.args.output {
            None => path.with_file_name(format!("{}{ending}.profile.sol", stem(path))),
            Some(folder) => {
                fs::create_dir_all(folder)
                    .with_context(|| folder.display().to_string())
                    .context(Fault::CannotWrite)?;
                folder.join(format!("{}{ending}.sol", self.stems[path]))
            }
        };
        fs::write(&written, text)
            .with_context(|| written.display().to_string())
            .context(Fault::CannotWrite)?;
        Ok(written)
    }
}

/// A name of its own for each file: those of equal names in several folders
/// are numbered.
fn stems(files: &[PathBuf]) -> BTreeMap<PathBuf, String> {
    let mut taken: BTreeSet<String> = files.iter().map(|path| stem(path)).collect();
    let mut seen = BTreeSet::new();
    let mut stems = BTreeMap::new();
    for path in files {
        let plain = stem(path);
        let mut name = plain.clone();
        if stems.contains_key(path) {
            continue;
        }
        if !seen.insert(plain.clone()) {
            let mut numbered = (2..).map(|number| format!("{plain}-{number}"));
            let free = numbered.find(|name| !taken.contains(name));
            name = free.expect("there is always a further number");
            taken.insert(name.clone());
        }
        stems.insert(path.clone(), name);
    }
    stems
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// True if some transaction runs out of gas.
fn starves(subject: &Subject) -> bool {
    let seen = trace_calls(&subject.compiled, &subject.transactions);
    let mut void = seen.steps.iter().filter_map(|step| step.void.as_deref());
    void.any(|why| why.contains("gas"))
}

/// Leaves out transactions until all do the same with and without probes;
/// gives what was seen with them.
fn settle(subject: &mut Subject, probed: &Compiled) -> Result<Trace> {
    for _ in 0..ROUNDS {
        let plain = trace_calls(&subject.compiled, &subject.transactions);
        let seen = trace_calls(probed, &subject.transactions);
        let pairs = plain.steps.iter().zip(&seen.steps);
        let agree: Vec<bool> = pairs
            .map(|(one, other)| {
                one.void.is_none() && other.void.is_none() && one.text == other.text
            })
            .collect();
        if agree.iter().all(|agree| *agree) && plain.state == seen.state {
            return Ok(seen);
        }
        let before = subject.transactions.len();
        if agree.iter().all(|agree| *agree) {
            // Only the state at the end tells, and not since when.
            subject.transactions.truncate(before * 3 / 4);
        } else {
            let mut agree = agree.into_iter();
            subject
                .transactions
                .retain(|_| agree.next().unwrap_or(false));
        }
        subject.left_out += before - subject.transactions.len();
        if subject.transactions.is_empty() {
            break;
        }
    }
    bail!("what it does depends on its code or on gas")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_one_name_in_several_folders_are_numbered() {
        let files = ["a/T.sol", "b/T.sol", "T-2.sol", "a/T.sol", "U.sol"].map(PathBuf::from);
        let stems = stems(&files);
        let names: Vec<&str> = files.iter().map(|path| stems[path].as_str()).collect();
        assert_eq!(names, ["T", "T-3", "T-2", "T", "U"]);
    }
}
