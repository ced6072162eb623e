//! A program with a probe before every statement.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::dead_code::DeadCode;
use super::probing::{MARK, Probing};
use super::statements::{CannotDelete, Statement, statements};
use crate::extract::Dialect;

/// A program with a probe before every statement: each tells once that it was
/// reached, on standard error. Lines stay where they are.
pub struct Probed {
    /// The program that is to be run.
    pub text: Vec<u8>,
    statements: Vec<Statement>,
    source: Vec<u8>,
    comment: &'static str,
}

impl Probed {
    /// Fails if there are no probes of a language, and says why.
    pub fn check(dialect: &Dialect) -> Result<(), CannotDelete> {
        match Probing::of(dialect) {
            Some(_) => Ok(()),
            None => Err(Probing::refusal(dialect)),
        }
    }

    /// Puts the probes into a text. A profile that it has is left out.
    pub fn read(dialect: &Dialect, text: &[u8]) -> Result<Probed, CannotDelete> {
        let probing = Probing::of(dialect).ok_or_else(|| Probing::refusal(dialect))?;
        let source = match DeadCode::detach(probing.comment, text) {
            Ok((source, _)) => source,
            Err(_) => text,
        };
        let shared: Arc<[u8]> = Arc::from(source);
        let statements = statements(dialect, probing, &shared)?;
        Ok(Probed {
            text: put_in(probing, source, &statements),
            statements,
            source: source.to_vec(),
            comment: probing.comment,
        })
    }

    /// The program without probes.
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// How many probes there are.
    pub fn probes(&self) -> usize {
        self.statements.len()
    }

    /// The numbers of the probes that a run has reached, by what it wrote to
    /// standard error.
    pub fn reached(&self, stderr: &[u8]) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let mut rest = stderr;
        while let Some(at) = rest
            .windows(MARK.len())
            .position(|part| part == MARK.as_bytes())
        {
            rest = &rest[at + MARK.len()..];
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let number = std::str::from_utf8(&rest[..digits]).unwrap_or("");
            if let Ok(number) = number.parse::<usize>()
                && number < self.statements.len()
            {
                reached.insert(number);
            }
        }
        reached
    }

    /// The statements that can be taken out, if `reached` is all that was
    /// reached: neither they nor anything in them.
    pub fn dead_code(&self, by: Vec<String>, reached: &BTreeSet<usize>) -> DeadCode {
        let lives = |range: &Range<usize>| {
            let inside = |&number: &usize| {
                let other = &self.statements[number].range;
                range.start <= other.start && other.end <= range.end
            };
            reached.iter().any(inside)
        };
        let dead = self
            .statements
            .iter()
            .filter(|statement| statement.removable && !lives(&statement.range));
        DeadCode {
            by,
            unreached: dead.map(|statement| statement.range.clone()).collect(),
        }
    }

    /// The program with its profile behind it, in comments.
    pub fn profiled(&self, dead_code: &DeadCode) -> Vec<u8> {
        dead_code.attach(self.comment, &self.source)
    }
}

fn put_in(probing: &Probing, source: &[u8], statements: &[Statement]) -> Vec<u8> {
    let count = statements.len().max(1).to_string();
    // At one place, blocks are closed before anything begins, inner ones
    // first; what begins there, begins from the outside in.
    let mut pieces: Vec<((usize, u8, usize), String)> = Vec::new();
    for (number, one) in statements.iter().enumerate() {
        let probe = probing.probe.replace("NUMBER", &number.to_string());
        let [open, close] = match one.alone {
            true => probing.block,
            false => ["", ""],
        };
        let begin = (one.range.start, 1, source.len() - one.range.len());
        pieces.push((begin, format!("{open}{probe}")));
        if one.alone {
            let end = (one.range.end, 0, source.len() - one.range.start);
            pieces.push((end, close.to_string()));
        }
    }
    pieces.sort_by_key(|(place, _)| *place);
    // A line for the shell stays the first.
    let mut done = match source.starts_with(b"#!/") || source.starts_with(b"#! ") {
        true => {
            let line = source.iter().position(|&byte| byte == b'\n');
            line.map_or(source.len(), |line| line + 1)
        }
        false => 0,
    };
    let mut text = source[..done].to_vec();
    text.extend_from_slice(probing.before.replace("COUNT", &count).as_bytes());
    for ((at, ..), piece) in &pieces {
        text.extend_from_slice(&source[done..*at]);
        text.extend_from_slice(piece.as_bytes());
        done = *at;
    }
    text.extend_from_slice(&source[done..]);
    text.extend_from_slice(probing.after.replace("COUNT", &count).as_bytes());
    text
}
