//! `lydite evm`: runs compiled contracts and prints what they do.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{BufReader, ErrorKind};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result};
use lydite_evm::{
    Compiled, Derivation, Limits, Outside, Script, derive_transactions, run as run_script, run_on,
};
use lydite_lab::named_file::read_file;

use crate::args::EvmArgs;
use crate::console::print;
use crate::exit_code::ExitCode;

pub(crate) fn run(args: &EvmArgs) -> Result<ExitCode> {
    let named = || args.compiled.display().to_string();
    let text = read_file(&args.compiled).with_context(named)?;
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
    let seen = match args.node.split_first() {
        None => run_script(&compiled, &script, &limits)?,
        Some((program, arguments)) => {
            let mut node = Started::new(program, arguments)?;
            let node = Outside::new(&mut node.answers, &mut node.questions, &limits);
            let node = node.with_own_block(args.own_block);
            run_on(node, &compiled, &script, &limits)?
        }
    };
    print(seen.trim_end());
    Ok(ExitCode::Clean)
}

/// The process of a node, which ends with us.
struct Started {
    child: Child,
    answers: BufReader<ChildStdout>,
    questions: ChildStdin,
}

impl Started {
    fn new(program: &OsStr, arguments: &[OsString]) -> Result<Started> {
        let child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut child = child.with_context(|| format!("node {}", program.display()))?;
        let answers = child.stdout.take().context("a node without output")?;
        let questions = child.stdin.take().context("a node without input")?;
        Ok(Started {
            child,
            answers: BufReader::new(answers),
            questions,
        })
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
