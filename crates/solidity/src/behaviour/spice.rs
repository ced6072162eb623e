//! Effects where the order of evaluation could be seen: in the arguments of
//! events, errors, calls and encodings, on variables that other arguments read.
//!
//! The interpreter claims nothing where the order matters; this is to hold it
//! to that.

use std::collections::BTreeSet;

use lydite_core::{Choices, Reject};

use crate::ast::{
    Ast, Expression, ExpressionId, FunctionId, Literal, Owner, Role, Statement, Type, TypeId,
    UnaryOp, VariableId,
};
use crate::types::{Family, Location, Mutability, Visibility};
use crate::typing::Types;
use crate::version::{Dialect, Feature};

/// A list of arguments, and what it is a part of.
struct List {
    at: Place,
    owner: Owner,
    arguments: Vec<ExpressionId>,
}

enum Place {
    Statement(usize),
    Expression(usize),
}

/// Gives so many per cent of the lists with several members an effect; events
/// get more indexed arguments.
pub(super) fn spice(
    ast: &mut Ast,
    values: &[u8],
    dialect: &Dialect,
    percent: u64,
    choices: &mut Choices,
) -> Result<(), Reject> {
    if percent == 0 {
        return Ok(());
    }
    let fixed = match dialect.has(Feature::ExternalAssignable) {
        true => BTreeSet::new(),
        false => given_from_outside(ast, values),
    };
    for mut list in lists(ast) {
        if choices.chance(percent, 100)? && change(ast, values, &fixed, &mut list, choices)? {
            put(ast, list);
        }
    }
    index(ast, values, percent, choices)
}

/// What external functions are given.
fn given_from_outside(ast: &Ast, values: &[u8]) -> BTreeSet<VariableId> {
    let external = Some(Visibility::External.number());
    let functions = ast.functions.iter().filter(|function| {
        let visibility = function.visibility.map(|at| values[at.0 as usize]);
        visibility == external
    });
    functions
        .flat_map(|function| function.parameters.iter().copied())
        .collect()
}

fn lists(ast: &Ast) -> Vec<List> {
    let mut lists = Vec::new();
    for (at, statement) in ast.statements.iter().enumerate() {
        if let Statement::Emit(_, arguments) | Statement::Revert(_, arguments) = statement {
            lists.push(List {
                at: Place::Statement(at),
                owner: ast.statement_owners[at],
                arguments: arguments.clone(),
            });
        }
    }
    for (at, expression) in ast.expressions.iter().enumerate() {
        if let Expression::Call { arguments, .. }
        | Expression::Encode(_, arguments)
        | Expression::Struct { arguments, .. } = expression
        {
            lists.push(List {
                at: Place::Expression(at),
                owner: ast.owners[at],
                arguments: arguments.clone(),
            });
        }
    }
    lists.retain(|list| list.arguments.len() > 1);
    lists
}

fn put(ast: &mut Ast, list: List) {
    match list.at {
        Place::Statement(at) => {
            if let Statement::Emit(_, arguments) | Statement::Revert(_, arguments) =
                &mut ast.statements[at]
            {
                *arguments = list.arguments;
            }
        }
        Place::Expression(at) => {
            if let Expression::Call { arguments, .. }
            | Expression::Encode(_, arguments)
            | Expression::Struct { arguments, .. } = &mut ast.expressions[at]
            {
                *arguments = list.arguments;
            }
        }
    }
}

/// Makes an increment of one of the members, and lets another read the same.
fn change(
    ast: &mut Ast,
    values: &[u8],
    fixed: &BTreeSet<VariableId>,
    list: &mut List,
    choices: &mut Choices,
) -> Result<bool, Reject> {
    let numbers: Vec<(usize, VariableId)> = list
        .arguments
        .iter()
        .enumerate()
        .filter_map(|(at, id)| match ast[*id] {
            Expression::Variable(variable)
                if !fixed.contains(&variable) && can_count(ast, values, list.owner, variable) =>
            {
                Some((at, variable))
            }
            _ => None,
        })
        .collect();
    if numbers.is_empty() {
        return Ok(false);
    }
    let (at, variable) = *choices.pick(&numbers)?;
    let ops = [
        UnaryOp::PostIncrement,
        UnaryOp::Increment,
        UnaryOp::PostDecrement,
        UnaryOp::Decrement,
    ];
    let op = *choices.pick(&ops)?;
    let operand = match element_of(ast, values, list, ast[variable].kind) {
        Some(array) if choices.chance(1, 2)? => first_of(ast, list.owner, array),
        _ => ast.add_expression(list.owner, Expression::Variable(variable)),
    };
    let changed = Expression::Unary { op, operand };
    list.arguments[at] = ast.add_expression(list.owner, changed);
    let alike = |other: &&(usize, VariableId)| {
        other.0 != at && same(ast, values, ast[other.1].kind, ast[variable].kind)
    };
    let others: Vec<usize> = numbers.iter().filter(alike).map(|(at, _)| *at).collect();
    if !others.is_empty() {
        let other = *choices.pick(&others)?;
        list.arguments[other] = ast.add_expression(list.owner, Expression::Variable(variable));
    }
    Ok(true)
}

/// An array among the members whose elements are of this type.
fn element_of(ast: &Ast, values: &[u8], list: &List, kind: TypeId) -> Option<VariableId> {
    let mut members = list.arguments.iter();
    members.find_map(|id| match ast[*id] {
        Expression::Variable(array) => match ast[ast[array].kind] {
            Type::Array { element, .. } if same(ast, values, element, kind) => {
                can_write(ast, values, list.owner, array).then_some(array)
            }
            _ => None,
        },
        _ => None,
    })
}

fn first_of(ast: &mut Ast, owner: Owner, array: VariableId) -> ExpressionId {
    let base = ast.add_expression(owner, Expression::Variable(array));
    let zero = Literal::Number {
        value: 0,
        negative: false,
    };
    let index = ast.add_expression(owner, Expression::Literal(zero));
    ast.add_expression(owner, Expression::Index { base, index })
}

/// True if both are the same integer type.
fn same(ast: &Ast, values: &[u8], one: TypeId, other: TypeId) -> bool {
    let types = Types { ast, values };
    let is_number = |kind: TypeId| {
        let is_elementary = matches!(ast[kind], Type::Elementary(_));
        types
            .word(kind)
            .filter(|kind| is_elementary && matches!(kind.family(), Family::Uint | Family::Int))
    };
    is_number(one).is_some() && is_number(one) == is_number(other)
}

fn can_count(ast: &Ast, values: &[u8], owner: Owner, variable: VariableId) -> bool {
    let kind = ast[variable].kind;
    same(ast, values, kind, kind) && can_write(ast, values, owner, variable)
}

/// True if the code of the owner may change the variable.
fn can_write(ast: &Ast, values: &[u8], owner: Owner, variable: VariableId) -> bool {
    let Owner::Function(function) = owner else {
        return false;
    };
    let location = Types { ast, values }.location(variable);
    match ast[variable].role {
        Role::Local | Role::Parameter | Role::Result => match location {
            None | Some(Location::Memory) => true,
            Some(Location::Storage) => may_write(ast, values, function),
            Some(Location::Calldata) => false,
        },
        Role::State(_) => may_write(ast, values, function),
        _ => false,
    }
}

fn may_write(ast: &Ast, values: &[u8], function: FunctionId) -> bool {
    let mutability = ast[function].mutability.map(|at| values[at.0 as usize]);
    let writing = [Mutability::NonPayable, Mutability::Payable];
    writing.iter().any(|own| Some(own.number()) == mutability)
}

/// The most indexed parameters of an event that has a name.
const INDEXED: usize = 3;

fn index(ast: &mut Ast, values: &[u8], percent: u64, choices: &mut Choices) -> Result<(), Reject> {
    for number in 0..ast.signals.len() {
        if ast.signals[number].is_error {
            continue;
        }
        let parameters = ast.signals[number].parameters.clone();
        let is_indexed = Role::Signal { indexed: true };
        let mut indexed = parameters
            .iter()
            .filter(|id| ast[**id].role == is_indexed)
            .count();
        for id in parameters {
            let is_word = Types { ast, values }.word(ast[id].kind).is_some();
            if indexed < INDEXED
                && is_word
                && ast[id].role != is_indexed
                && choices.chance(percent, 100)?
            {
                ast[id].role = is_indexed;
                indexed += 1;
            }
        }
    }
    Ok(())
}
