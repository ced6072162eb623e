//! Functions that tell what became of their variables: an event at the end of
//! each, so that a wrong value does not go unseen.

use crate::ast::{
    Ast, Expression, FunctionId, FunctionName, Member, Owner, Role, Signal, SignalId, Statement,
    StatementId, Type, TypeId, Variable, VariableId,
};
use crate::types::{Location, Mutability};
use crate::typing::Types;

/// The most variables that one event tells: arguments take room on the stack.
const TOLD: usize = 4;

/// Adds an event to the end of each function that may tell one.
pub(super) fn tell_all(ast: &mut Ast, values: &[u8]) {
    for number in 0..ast.functions.len() as u32 {
        let function = FunctionId(number);
        if is_telling(ast, values, function) {
            tell(ast, values, function);
        }
    }
}

/// True if the function has code and may write.
fn is_telling(ast: &Ast, values: &[u8], id: FunctionId) -> bool {
    let function = &ast[id];
    let mutability = function.mutability.map(|at| values[at.0 as usize]);
    let may_write = [Mutability::NonPayable, Mutability::Payable];
    let may_write = may_write.iter().any(|own| Some(own.number()) == mutability);
    function.contract.is_some()
        && function.body.is_some()
        && may_write
        && matches!(function.name, FunctionName::Named(_))
}

fn tell(ast: &mut Ast, values: &[u8], function: FunctionId) {
    let (Some(body), Some(contract)) = (ast[function].body.clone(), ast[function].contract) else {
        return;
    };
    let mut told: Vec<VariableId> = declared(ast, &body);
    let types = Types { ast, values };
    // A result that points somewhere may not do so yet.
    let results = ast[function].results.iter();
    let is_pointer = |id: &&VariableId| {
        let location = types.location(**id);
        matches!(location, Some(Location::Storage | Location::Calldata))
    };
    told.extend(results.filter(|id| !is_pointer(id)));
    told.extend(&ast[function].parameters);
    told.retain(|id| {
        is_told(types, ast[*id].kind) && types.location(*id) != Some(Location::Storage)
    });
    told.truncate(TOLD);
    if told.is_empty() {
        return;
    }
    let parameters = told.iter().map(|id| Variable {
        role: Role::Signal { indexed: false },
        kind: ast[*id].kind,
        location: None,
        visibility: None,
        value: None,
    });
    let parameters: Vec<Variable> = parameters.collect();
    let parameters = parameters
        .into_iter()
        .map(|it| ast.add_variable(it))
        .collect();
    let signal = SignalId(ast.signals.len() as u32);
    ast.signals.push(Signal {
        is_error: false,
        contract: Some(contract),
        parameters,
    });
    ast[contract].members.push(Member::Signal(signal));
    let owner = Owner::Function(function);
    let arguments = told
        .iter()
        .map(|id| ast.add_expression(owner, Expression::Variable(*id)));
    let arguments = arguments.collect();
    let event = ast.add_statement(owner, Statement::Emit(signal, arguments));
    let mut body = body;
    let ends = body
        .last()
        .is_some_and(|last| matches!(ast[*last], Statement::Return(_)));
    body.insert(body.len() - usize::from(ends), event);
    ast[function].body = Some(body);
}

/// Local variables that are in scope at the end of a body.
fn declared(ast: &Ast, body: &[StatementId]) -> Vec<VariableId> {
    let mut declared = Vec::new();
    for statement in body {
        match &ast[*statement] {
            Statement::Declare { variables, .. } => declared.extend(variables.iter().flatten()),
            // Nothing is told behind what ends the function.
            Statement::Return(_) | Statement::Revert(..) => break,
            _ => {}
        }
    }
    declared
}

/// True for types whose values an event can tell in every version.
fn is_told(types: Types<'_>, kind: TypeId) -> bool {
    match types.ast[kind] {
        Type::Elementary(_) | Type::Enum(_) | Type::Value(_) => true,
        Type::Array { element, .. } => types.word(element).is_some(),
        Type::Struct(_) | Type::Mapping { .. } | Type::Contract(_) | Type::Function(_) => false,
    }
}
