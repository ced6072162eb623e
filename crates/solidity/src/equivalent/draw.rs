//! Random expressions and predicates over live variables.

use std::collections::BTreeSet;
use std::fmt::Write;

use dashu_int::IBig;
use lydite_core::{Choices, Reject};

use crate::ast::{
    BinaryOp, Expression, ExpressionId, Function, FunctionId, Role, Statement, UnaryOp, VariableId,
};
use crate::generate::{LIVE, Stage, Terms, Vocabulary};
use crate::interpret::Arithmetic;
use crate::types::{Elementary, Family, VALUES};
use crate::typing::TypedForm;
use crate::version::{Dialect, NEWEST, UnknownVersion};

/// How often a predicate is drawn before one is made up.
const TRIES: usize = 4;

/// Widths of types: all.
const WIDTHS: u8 = 32;

/// A live variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) name: String,
    pub(super) kind: Elementary,
}

/// What expressions for a version of the language are made of.
pub(super) fn vocabulary(solc: &str) -> Result<Vocabulary, UnknownVersion> {
    // What is drawn is in every version.
    let dialect: Dialect = match solc.parse() {
        Ok(dialect) => dialect,
        Err(UnknownVersion) => NEWEST.parse()?,
    };
    Ok(Vocabulary::new(&LIVE, dialect, WIDTHS, VALUES, 0))
}

/// Variables, every environment that they were seen in, and the expressions
/// that were drawn of them.
pub(super) struct Live<'a> {
    pub(super) names: Vec<Name>,
    pub(super) environments: Vec<Vec<IBig>>,
    pub(super) arithmetic: Arithmetic,
    /// Variables that expressions may change: each once in an expression, so
    /// that the order of evaluation, which is nobody's promise, does not matter.
    pub(super) changeable: BTreeSet<usize>,
    /// The variables have the numbers of their names.
    pub(super) stage: Stage,
    /// By expression.
    pub(super) typed: Vec<TypedForm>,
    vocabulary: &'a Vocabulary,
    /// New functions may be called.
    pub(super) calls: bool,
    /// What new names begin with.
    prefix: &'a str,
}

impl<'a> Live<'a> {
    pub(super) fn new(
        names: Vec<Name>,
        environments: Vec<Vec<IBig>>,
        arithmetic: Arithmetic,
        vocabulary: &'a Vocabulary,
        prefix: &'a str,
    ) -> Live<'a> {
        let mut live = Live {
            names: Vec::new(),
            environments,
            arithmetic,
            changeable: BTreeSet::new(),
            stage: Stage::new(),
            typed: Vec::new(),
            vocabulary,
            calls: false,
            prefix,
        };
        for name in names {
            live.declare(name);
        }
        live
    }

    /// One more variable, and its number; environments get its values from
    /// elsewhere.
    pub(super) fn declare(&mut self, name: Name) -> usize {
        self.stage.variable(Role::Local, plain(name.kind));
        self.names.push(name);
        self.names.len() - 1
    }

    /// A predicate that is `truth` in every environment.
    pub(super) fn predicate(
        &mut self,
        truth: bool,
        depth: u64,
        choices: &mut Choices,
    ) -> Result<ExpressionId, Reject> {
        let changeable = std::mem::take(&mut self.changeable);
        let predicate = self.still_predicate(truth, depth, choices);
        self.changeable = changeable;
        predicate
    }

    /// The same where nothing can be changed.
    fn still_predicate(
        &mut self,
        truth: bool,
        depth: u64,
        choices: &mut Choices,
    ) -> Result<ExpressionId, Reject> {
        let wanted = IBig::from(u8::from(truth));
        let mut mixed = None;
        for _ in 0..TRIES {
            let drawn = self.expression(Elementary::BOOL, depth, choices)?;
            let Some((drawn, values)) = self.settle(drawn) else {
                continue;
            };
            if values.iter().all(|value| *value == wanted) {
                return Ok(drawn);
            }
            if values.iter().all(|value| *value != wanted) {
                let (op, operand) = (UnaryOp::Not, drawn);
                return Ok(self.stage.add(Expression::Unary { op, operand }));
            }
            mixed = Some(drawn);
        }
        let certain = self.bound(truth, choices)?;
        let op = if truth { BinaryOp::Or } else { BinaryOp::And };
        let Some(mixed) = mixed else {
            return Ok(certain);
        };
        let (left, right) = match choices.chance(1, 2)? {
            true => (mixed, certain),
            false => (certain, mixed),
        };
        Ok(self.stage.add(Expression::Binary { op, left, right }))
    }

    /// What holds (or not) because of the least and the greatest value of a
    /// variable.
    fn bound(&mut self, truth: bool, choices: &mut Choices) -> Result<ExpressionId, Reject> {
        let ordered = |number: &usize| {
            let is_parameter = self.is_parameter(*number);
            let family = self.names[*number].kind.family();
            !is_parameter
                && matches!(family, Family::Uint | Family::Int)
                && !self.environments.is_empty()
        };
        let numbers: Vec<usize> = (0..self.names.len()).filter(ordered).collect();
        if numbers.is_empty() {
            let value = IBig::from(u8::from(truth));
            return Ok(self.stage.word(Elementary::BOOL, &value));
        }
        let number = *choices.pick(&numbers)?;
        let kind = self.names[number].kind;
        let values = || self.environments.iter().map(|values| &values[number]);
        let least = values().min().cloned().unwrap_or(IBig::ZERO);
        let greatest = values().max().cloned().unwrap_or(IBig::ZERO);
        let (op, value) = match (truth, choices.chance(1, 2)?) {
            (true, true) => (BinaryOp::AtLeast, least),
            (true, false) => (BinaryOp::AtMost, greatest),
            (false, true) => (BinaryOp::Less, least),
            (false, false) => (BinaryOp::Greater, greatest),
        };
        let variable = Expression::Variable(VariableId(number as u32));
        let left = self.stage.add(variable);
        let right = self.stage.word(kind, &value);
        Ok(self.stage.add(Expression::Binary { op, left, right }))
    }

    fn is_parameter(&self, number: usize) -> bool {
        is_parameter(&self.stage.ast.variables[number].role)
    }

    /// An expression of a type. The effects in it are each on a variable of
    /// its own.
    pub(super) fn expression(
        &mut self,
        kind: Elementary,
        depth: u64,
        choices: &mut Choices,
    ) -> Result<ExpressionId, Reject> {
        let mut terms = Terms::new(&mut self.stage, choices, self.vocabulary);
        // Parameters of new functions are nobody else's.
        let is_live = |number: &usize| !is_parameter(&terms.stage.ast.variables[*number].role);
        let live: Vec<usize> = (0..self.names.len()).filter(is_live).collect();
        for number in &live {
            let kind = plain(self.names[*number].kind);
            terms.sees(kind, VariableId(*number as u32), None);
        }
        let row = |values: &Vec<IBig>| live.iter().map(|at| values[*at].clone()).collect();
        let seen: Vec<Vec<IBig>> = self.environments.iter().map(row).collect();
        terms.seen = &seen;
        let changeable = self.changeable.iter();
        terms.changeable = changeable
            .map(|number| VariableId(*number as u32))
            .collect();
        terms.calls = self.calls;
        terms.begin();
        let drawn = terms.term(plain(kind), depth as u32);
        self.name_parameters();
        drawn
    }

    /// Names for the parameters of new functions, which have no values yet.
    fn name_parameters(&mut self) {
        for number in self.names.len()..self.stage.ast.variables.len() {
            let kind = self
                .stage
                .types()
                .word(self.stage.ast.variables[number].kind);
            self.names.push(Name {
                name: format!("{}a{number}", self.prefix),
                kind: kind.unwrap_or(Elementary::UINT256),
            });
            for values in &mut self.environments {
                values.push(IBig::ZERO);
            }
        }
    }

    /// The name of a new function.
    pub(super) fn function_name(&self, id: FunctionId) -> String {
        format!("{}f{}", self.prefix, id.0)
    }

    /// The new functions that a text calls, for a place behind a function; a function in
    /// no contract has no visibility.
    pub(super) fn functions(&self, calling: &str, is_free: bool) -> String {
        let visibility = if is_free { "" } else { " internal" };
        let mut text = String::new();
        for (number, function) in self.stage.ast.functions.iter().enumerate() {
            let name = self.function_name(FunctionId(number as u32));
            if !calling.contains(&format!("{name}(")) {
                continue;
            }
            let parameters: Vec<String> = function
                .parameters
                .iter()
                .map(|id| {
                    let Name { name, kind } = &self.names[id.0 as usize];
                    format!("{} {name}", kind.name())
                })
                .collect();
            let result = function
                .results
                .first()
                .map(|id| &self.names[id.0 as usize]);
            let (Some(result), Some(value)) = (result, self.returned(function)) else {
                continue;
            };
            let _ = write!(
                text,
                " function {name}({}){visibility} pure returns ({}) {{ return {}; }}",
                parameters.join(", "),
                result.kind.name(),
                self.text(value)
            );
        }
        text
    }

    /// What a new function returns.
    pub(super) fn returned(&self, function: &Function) -> Option<ExpressionId> {
        let [statement] = function.body.as_deref()? else {
            return None;
        };
        match &self.stage.ast[*statement] {
            Statement::Return(values) => values.first().copied(),
            _ => None,
        }
    }
}

fn is_parameter(role: &Role) -> bool {
    matches!(role, Role::Parameter | Role::Result)
}

/// Both types of addresses are one here.
fn plain(kind: Elementary) -> Elementary {
    match kind.family() {
        Family::Address => Elementary::ADDRESS,
        _ => kind,
    }
}
