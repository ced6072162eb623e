//! Transactions that somebody else names, played on a program by the interpreter.

use dashu_int::IBig;

use super::rehearsal::{Call, Called, Rehearsal, constructor_parameters, is_open};
use crate::ast::{ContractId, FunctionId, VariableId};
use crate::interpret::{Machine, Order, Stop, Value, converted};
use crate::read::{Reading, read};
use crate::types::Family;
use crate::typing::Types;
use crate::version::{Dialect, NEWEST};

/// A call of the constructor, which has no name, or of a function, with numbers and truth values
/// as its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Transaction {
    pub(crate) contract: String,
    pub(crate) function: Option<String>,
    pub(crate) arguments: Vec<IBig>,
}

/// True if all transactions go through, whatever the order of evaluation; an error says why
/// that is not known.
pub(crate) fn goes_through(text: &str, transactions: &[Transaction]) -> Result<bool, &'static str> {
    let reading = read(text).map_err(|unread| unread.0)?;
    let dialect: Dialect = NEWEST.parse().map_err(|_| "a version that is not known")?;
    let [contract] = reading.contracts.keys().copied().collect::<Vec<_>>()[..] else {
        return Err("several contracts");
    };
    let types = Types {
        ast: &reading.ast,
        values: &reading.values,
    };
    let rehearsal = Rehearsal {
        types,
        dialect: &dialect,
        contract,
    };
    let calls: Result<Vec<Call>, &'static str> = transactions
        .iter()
        .map(|transaction| call(&reading, types, contract, transaction))
        .collect();
    let calls = calls?;
    let mut machines = [Order::RightFirst, Order::LeftFirst].map(|order| rehearsal.machine(order));
    let ends = machines
        .each_mut()
        .map(|machine| play(&rehearsal, machine, &calls));
    match ends {
        [Ok(one), Ok(other)] if one == other && machines[0].has_state_of(&machines[1]) => Ok(one),
        [Ok(_), Ok(_)] => Err("the order of evaluation matters"),
        [Err(why), _] | [_, Err(why)] => Err(why),
    }
}

fn play(
    rehearsal: &Rehearsal<'_>,
    machine: &mut Machine<'_>,
    calls: &[Call],
) -> Result<bool, &'static str> {
    for call in calls {
        match rehearsal.run(machine, call) {
            Ok(()) => {}
            Err(Stop::Fault(_) | Stop::Revert(_)) => return Ok(false),
            Err(Stop::Unknown(why)) => return Err(why),
            Err(Stop::TooLong) => return Err("it takes too long"),
        }
    }
    Ok(true)
}

fn call(
    reading: &Reading,
    types: Types<'_>,
    contract: ContractId,
    transaction: &Transaction,
) -> Result<Call, &'static str> {
    if reading.contracts[&contract] != transaction.contract {
        return Err("a contract that is not there");
    }
    let (what, parameters): (Called, &[VariableId]) = match &transaction.function {
        None => (
            Called::Constructor,
            constructor_parameters(types.ast, contract),
        ),
        Some(name) => {
            let function = public(reading, types, name)?;
            (Called::Function(function), &types.ast[function].parameters)
        }
    };
    if parameters.len() != transaction.arguments.len() {
        return Err("a call with other arguments");
    }
    let mut arguments = Vec::new();
    for (parameter, value) in parameters.iter().zip(&transaction.arguments) {
        let kind = types.word(types.ast[*parameter].kind);
        let simple = [Family::Uint, Family::Int, Family::Bool];
        let fits = kind.is_some_and(|kind| {
            simple.contains(&kind.family()) && converted(kind, kind, value) == *value
        });
        if !fits {
            return Err("an argument of another type");
        }
        arguments.push(Value::Word(value.clone()));
    }
    Ok(Call {
        what,
        arguments,
        wei: 0,
    })
}

/// The one function of that name that transactions can call.
fn public(reading: &Reading, types: Types<'_>, name: &str) -> Result<FunctionId, &'static str> {
    let mut named = reading.functions.iter().filter(|(_, own)| *own == name);
    match (named.next(), named.next()) {
        (Some((id, _)), None) if is_open(types, types.ast[*id].visibility) => Ok(*id),
        _ => Err("a function that is not there, or not alone"),
    }
}
