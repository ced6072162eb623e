//! Changes that change nothing: the three mutations of live code, and two more.
//!
//! - a *false block* is never entered, so it may do anything;
//! - a *true guard* stands around a statement that was there;
//! - a *true block* is entered, changes variables, and restores them;
//! - an *identity* stands around a variable that is read ([`super::identity`]);
//! - a *deletion* takes a statement away that was never reached, or puts another one in
//!   its place.
//!
//! New variables are local: the layout of storage stays what it was. New functions are
//! internal, and stand behind the function that calls them.

use std::collections::BTreeSet;
use std::fmt::Write;

use dashu_int::IBig;
use lydite_core::{Choices, Reject};

use super::draw::{Live, Name};
use super::identity;
use super::outline::Variable;
use crate::ast::{Expression, ExpressionId, VariableId};
use crate::generate::any_word;
use crate::types::{Elementary, Family};

/// With more variables than this in scope, new ones would soon be out of
/// reach of the machine's stack.
const ROOM: usize = 7;

/// A mutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mutation {
    /// A block that is never entered.
    FalseBlock,
    /// A condition that always holds, around a statement.
    TrueGuard,
    /// A block that leaves everything as it was.
    TrueBlock,
    /// An expression around a variable that is worth what the variable is.
    Identity,
    /// A statement less that was never reached.
    Deletion,
}

impl Mutation {
    pub(super) const ALL: [Mutation; 5] = [
        Mutation::FalseBlock,
        Mutation::TrueGuard,
        Mutation::TrueBlock,
        Mutation::Identity,
        Mutation::Deletion,
    ];

    /// Its name in the steps of a case.
    pub(super) fn name(self) -> &'static str {
        match self {
            Mutation::FalseBlock => "false block",
            Mutation::TrueGuard => "true guard",
            Mutation::TrueBlock => "true block",
            Mutation::Identity => "identity",
            Mutation::Deletion => "deletion",
        }
    }
}

/// New text before and behind a piece of the contract.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Snippet {
    pub(super) before: String,
    pub(super) behind: String,
    /// Functions that the new text calls, for a place behind the function.
    pub(super) functions: String,
    /// What was there goes.
    pub(super) cuts: bool,
}

/// Where code goes.
pub(super) struct Site<'a> {
    /// What is live there, in the order of `live`'s names.
    pub(super) variables: &'a [Variable],
    pub(super) live: Live<'a>,
    /// All variables of the place, known or not.
    pub(super) crowd: usize,
    /// What new names begin with.
    pub(super) prefix: &'a str,
    pub(super) depth: u64,
    /// The place is in no contract.
    pub(super) is_free: bool,
}

impl Site<'_> {
    /// Draws code for a mutation of a statement.
    pub(super) fn snippet(
        mut self,
        mutation: Mutation,
        choices: &mut Choices,
    ) -> Result<Snippet, Reject> {
        let (before, behind) = self.around(mutation, choices)?;
        Ok(Snippet {
            functions: self.live.functions(&before, self.is_free),
            before,
            behind: behind.to_string(),
            cuts: mutation == Mutation::Deletion,
        })
    }

    /// What stands before a statement, and behind it.
    fn around(
        &mut self,
        mutation: Mutation,
        choices: &mut Choices,
    ) -> Result<(String, &'static str), Reject> {
        Ok(match mutation {
            Mutation::FalseBlock => {
                let condition = self.condition(false, choices)?;
                let body = self.anything(self.depth, choices)?;
                (format!("if ({condition}) {{ {body}}} "), "")
            }
            Mutation::TrueGuard if choices.chance(1, 3)? => {
                let condition = self.condition(false, choices)?;
                let body = self.anything(self.depth, choices)?;
                (format!("if ({condition}) {{ {body}}} else {{ "), " }")
            }
            Mutation::TrueGuard => (format!("if ({}) {{ ", self.condition(true, choices)?), " }"),
            Mutation::TrueBlock => {
                let condition = self.condition(true, choices)?;
                let body = self.restored(choices)?;
                match choices.chance(1, 4)? {
                    true => (format!("{{ {body}}} "), ""),
                    false => (format!("if ({condition}) {{ {body}}} "), ""),
                }
            }
            Mutation::Deletion => match choices.chance(1, 2)? {
                true => (String::new(), ""),
                false => (format!("{{ {}}} ", self.anything(self.depth, choices)?), ""),
            },
            Mutation::Identity => (String::new(), ""),
        })
    }

    /// Draws an expression around a variable that is read.
    pub(super) fn identity(
        mut self,
        variable: usize,
        choices: &mut Choices,
    ) -> Result<Snippet, Reject> {
        let kind = self.variables[variable].kind;
        let of_variable = |number: usize| Expression::Variable(VariableId(number as u32));
        let others = 0..self.variables.len();
        let others = others.filter(|at| *at != variable && self.variables[*at].kind == kind);
        let others: Vec<usize> = others.collect();
        let x = self.live.stage.add(of_variable(variable));
        let v = match others.is_empty() || choices.chance(1, 4)? {
            true => {
                let value = any_word(kind, choices)?;
                self.live.stage.word(kind, &value)
            }
            false => {
                let number = *choices.pick(&others)?;
                self.live.stage.add(of_variable(number))
            }
        };
        let drawn = identity::draw(&mut self.live, kind, x, v, choices)?;
        Ok(self.split(variable, drawn))
    }

    /// What stands before the first use of a variable in an expression, and behind it.
    fn split(&mut self, variable: usize, drawn: ExpressionId) -> Snippet {
        const HERE: &str = "\u{1}";
        let here = HERE.to_string();
        let name = std::mem::replace(&mut self.live.names[variable].name, here);
        // In a pair of its own, so that before and behind are seen to belong together.
        let text = format!("({})", self.live.text(drawn));
        let (before, behind) = text.split_once(HERE).unwrap_or((&text, ""));
        Snippet {
            before: before.to_string(),
            behind: behind.replace(HERE, &name),
            ..Snippet::default()
        }
    }

    fn condition(&mut self, truth: bool, choices: &mut Choices) -> Result<String, Reject> {
        let predicate = self.live.predicate(truth, self.depth, choices)?;
        Ok(self.live.text(predicate))
    }

    fn writable(&self) -> Vec<usize> {
        let writable = |number: &usize| self.variables[*number].writable;
        (0..self.variables.len()).filter(writable).collect()
    }

    /// The text of an expression.
    fn drawn(
        &mut self,
        kind: Elementary,
        depth: u64,
        choices: &mut Choices,
    ) -> Result<String, Reject> {
        let drawn = self.live.expression(kind, depth, choices)?;
        Ok(self.live.text(drawn))
    }

    /// Statements that are never executed.
    fn anything(&mut self, depth: u64, choices: &mut Choices) -> Result<String, Reject> {
        let writable = self.writable();
        let mut text = String::new();
        for _ in 0..choices.between(1, 3)? {
            match choices.below(6)? {
                0 => text.push_str("revert(); "),
                1 => text.push_str("assert(false); "),
                2 if depth > 0 => {
                    let condition = self.drawn(Elementary::BOOL, depth, choices)?;
                    let body = self.anything(depth - 1, choices)?;
                    let word = if choices.chance(1, 2)? { "while" } else { "if" };
                    let _ = write!(text, "{word} ({condition}) {{ {body}}} ");
                }
                _ if writable.is_empty() => {
                    let condition = self.drawn(Elementary::BOOL, depth, choices)?;
                    let _ = write!(text, "require({condition}); ");
                }
                _ => {
                    let variable = &self.variables[*choices.pick(&writable)?];
                    let value = self.drawn(variable.kind, depth, choices)?;
                    let _ = write!(text, "{} = {value}; ", variable.name);
                }
            }
        }
        Ok(text)
    }

    /// Statements that change variables, then put back what they held.
    fn restored(&mut self, choices: &mut Choices) -> Result<String, Reject> {
        let mut text = String::new();
        let room = ROOM.saturating_sub(self.crowd);
        if room == 0 {
            let predicate = self.condition(true, choices)?;
            return Ok(format!("require({predicate}); "));
        }
        let mut kept: Vec<(usize, String)> = Vec::new();
        let mut writable = self.writable();
        for _ in 0..choices.below(3)?.min(room as u64) {
            if writable.is_empty() {
                break;
            }
            let number = writable.remove(choices.index(writable.len())?);
            let variable = &self.variables[number];
            let name = format!("{}k{}", self.prefix, kept.len());
            let _ = write!(
                text,
                "{} {name} = {}; ",
                variable.kind.name(),
                variable.name
            );
            kept.push((number, name));
        }
        let fresh = self.fresh(room - kept.len().min(room), &mut text, choices)?;
        let targets: Vec<usize> = kept
            .iter()
            .map(|(number, _)| *number)
            .chain(fresh)
            .collect();
        if !targets.is_empty() {
            for _ in 0..choices.between(1, 3)? {
                let target = *choices.pick(&targets)?;
                self.assign(target, &mut text, choices)?;
            }
        }
        for (number, name) in kept {
            let _ = write!(text, "{} = {name}; ", self.variables[number].name);
        }
        Ok(text)
    }

    /// New local variables with values; they may be changed.
    fn fresh(
        &mut self,
        room: usize,
        text: &mut String,
        choices: &mut Choices,
    ) -> Result<BTreeSet<usize>, Reject> {
        let mut fresh = BTreeSet::new();
        for at in 0..choices.below(3)?.min(room as u64) {
            let kind = match self.variables.is_empty() || choices.chance(1, 3)? {
                true => *choices.pick(&[
                    Elementary::uint(8),
                    Elementary::int(64),
                    Elementary::UINT256,
                ])?,
                false => choices.pick(self.variables)?.kind,
            };
            if kind.family() == Family::Address {
                continue;
            }
            let value = self.live.expression(kind, self.depth, choices)?;
            let Some((value, values)) = self.live.settle(value) else {
                continue;
            };
            let name = format!("{}t{at}", self.prefix);
            let _ = write!(text, "{} {name} = {}; ", kind.name(), self.live.text(value));
            let number = self.live.declare(Name { name, kind });
            for (environment, value) in self.live.environments.iter_mut().zip(values) {
                environment.push(value);
            }
            self.live.changeable.insert(number);
            fresh.insert(number);
        }
        Ok(fresh)
    }

    fn assign(
        &mut self,
        target: usize,
        text: &mut String,
        choices: &mut Choices,
    ) -> Result<(), Reject> {
        let kind = self.live.names[target].kind;
        // What is assigned to is not changed on the way.
        let changeable = self.live.changeable.remove(&target);
        let drawn = self.live.expression(kind, self.depth, choices)?;
        if changeable {
            self.live.changeable.insert(target);
        }
        let Some((value, values)) = self.live.settle(drawn) else {
            return Ok(());
        };
        let name = &self.live.names[target].name;
        let _ = write!(text, "{name} = {}; ", self.live.text(value));
        for (environment, value) in self.live.environments.iter_mut().zip(values) {
            environment[target] = value;
        }
        Ok(())
    }
}

/// The values of some variables in each environment.
pub(super) fn project(environments: &BTreeSet<Vec<IBig>>, columns: &[usize]) -> Vec<Vec<IBig>> {
    let rows = environments.iter().map(|values| {
        let row = columns.iter().map(|column| values[*column].clone());
        row.collect::<Vec<IBig>>()
    });
    rows.collect::<BTreeSet<Vec<IBig>>>().into_iter().collect()
}
