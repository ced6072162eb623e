//! Contracts with nested control structures, random transactions, and what
//! the interpreter makes of them (SOLTIX's complete contracts, with a
//! reference that SOLTIX does not have for them).

use std::fmt::Write;

use dashu_int::IBig;
use lydite_core::{Case, Choices, Reject};

use super::text::{case, contract_name, events, failure, tuple};
use super::values::any_word;
use crate::ast::{
    Ast, ContractId, ContractKind, FunctionId, FunctionName, Member, Type, TypeId, VariableId,
    Words, lay_out,
};
use crate::generate::{Draft, Options, draft};
use crate::interpret::{Machine, Order, Stop, Types, Value, World, created_address};
use crate::qualify::{Placeholder, Theory};
use crate::types::Visibility;
use crate::version::{Dialect, Feature};

/// Steps of the interpreter in one transaction: far below the gas of a
/// transaction, so that running out of it is nobody's behaviour.
const FUEL: u64 = 20_000;

/// The most elements of an array and bytes of a text in an argument.
const ELEMENTS: u64 = 3;
const BYTES: u64 = 40;

/// Makes cases of complete contracts.
#[derive(Clone, Debug)]
pub struct Complete {
    dialect: Dialect,
    theory: Theory,
    words: Words,
    options: Options,
    transactions: u64,
}

/// A call with its arguments.
struct Call {
    what: Called,
    arguments: Vec<Value>,
}

#[derive(Clone, Copy)]
enum Called {
    Constructor,
    Function(FunctionId),
    /// The getter of a state variable of a plain type.
    Getter(VariableId),
}

impl Complete {
    /// For a dialect; `transactions` of a case.
    pub fn new(dialect: Dialect, options: Options, transactions: u64) -> Complete {
        let (theory, words) = (Theory::new(&dialect), Words::new(&dialect));
        Complete {
            dialect,
            theory,
            words,
            options,
            transactions,
        }
    }

    /// Draws a case.
    pub fn case(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let draft = draft(choices, &self.dialect, &self.theory, &self.options)?;
        let types = Types {
            ast: &draft.ast,
            values: &draft.witness,
        };
        // The last contracts stand on all others.
        let mut last = Reject::NotApplicable("no contract");
        let contracts = (0..draft.ast.contracts.len() as u32).rev().map(ContractId);
        for contract in contracts.filter(|id| is_deployable(types, *id)) {
            match self.examined(types, contract, choices) {
                Err(reject @ Reject::NotApplicable(_)) => last = reject,
                Err(reject) => return Err(reject),
                Ok((script, said)) => return Ok(self.made(&draft, script, said)),
            }
        }
        Err(last)
    }

    fn made(&self, draft: &Draft, script: String, said: String) -> Case {
        let value = |placeholder: Placeholder| draft.witness[placeholder.0 as usize];
        let program = lay_out(&draft.ast, &self.dialect).program(&self.words, value);
        case(program, script, said)
    }

    /// Transactions for a contract and what they show.
    fn examined(
        &self,
        types: Types<'_>,
        contract: ContractId,
        choices: &mut Choices,
    ) -> Result<(String, String), Reject> {
        let functions = callable(types, contract);
        let getters = getters(types, contract);
        if functions.is_empty() && getters.is_empty() {
            return Err(Reject::NotApplicable("no function to call"));
        }
        let parameters = constructor_parameters(types.ast, contract);
        let mut calls = vec![drawn_call(types, Called::Constructor, parameters, choices)?];
        for _ in 0..self.transactions {
            if functions.is_empty() {
                break;
            }
            let function = *choices.pick(&functions)?;
            let (what, parameters) = (
                Called::Function(function),
                &types.ast[function].parameters[..],
            );
            calls.push(drawn_call(types, what, parameters, choices)?);
        }
        calls.extend(getters.into_iter().map(|variable| Call {
            what: Called::Getter(variable),
            arguments: Vec::new(),
        }));
        self.behaviour(types, contract, &calls)
    }

    /// The transactions of which it is known what they show, whatever the
    /// order of evaluation, and what that is. Others are left out.
    fn behaviour(
        &self,
        types: Types<'_>,
        contract: ContractId,
        calls: &[Call],
    ) -> Result<(String, String), Reject> {
        let world = world(types);
        let mut machines = [Order::RightFirst, Order::LeftFirst].map(|order| {
            let (dialect, world) = (&self.dialect, world.clone());
            Machine::new(
                types.ast, types.values, dialect, contract, order, world, FUEL,
            )
        });
        let (mut script, mut text) = ("hide state\n".to_string(), String::new());
        let mut number = 1;
        for call in calls {
            let written = written(types, contract, call)
                .ok_or(Reject::NotApplicable("not known how it shows"))?;
            let before = machines.each_ref().map(Machine::snapshot);
            let [right, left] = machines
                .each_mut()
                .map(|machine| self.shown(types, machine, contract, call));
            match right {
                Ok(said) if Ok(&said) == left.as_ref() => {
                    let (line, events) = said.split_once('\n').unwrap_or((&said, ""));
                    let _ = writeln!(text, "{number} {written}: {line}");
                    text += events;
                    let _ = writeln!(script, "{written}");
                    number += 1;
                }
                said if matches!(call.what, Called::Constructor) => {
                    let why = said.err().unwrap_or("the order of evaluation matters");
                    return Err(Reject::NotApplicable(why));
                }
                _ => {
                    for (machine, before) in machines.iter_mut().zip(before) {
                        machine.take_back(before);
                    }
                }
            }
        }
        match number {
            0..=2 => Err(Reject::NotApplicable(
                "of no call it is known what it shows",
            )),
            _ => Ok((script, text)),
        }
    }

    /// What a transaction shows, with its events on further lines; or why that
    /// is not known.
    fn shown(
        &self,
        types: Types<'_>,
        machine: &mut Machine<'_>,
        contract: ContractId,
        call: &Call,
    ) -> Result<String, &'static str> {
        machine.fuel(FUEL);
        let unknown = "not known how it shows";
        let arguments = call.arguments.clone();
        let done = match call.what {
            Called::Constructor => {
                let told = machine.construct(arguments).map_err(|stop| why(&stop))?;
                Ok(("deployed".to_string(), told))
            }
            Called::Getter(variable) => {
                let kinds = std::iter::once(types.ast[variable].kind);
                let values = [machine.state(variable).clone()];
                let value = tuple(types, kinds, &values).ok_or(unknown)?;
                Ok((format!("returned {value}"), Vec::new()))
            }
            Called::Function(function) => match machine.transact(function, arguments) {
                Ok((values, told)) if values.is_empty() => Ok(("done".to_string(), told)),
                Ok((values, told)) => {
                    let results = types.ast[function].results.iter();
                    let kinds = results.map(|id| types.ast[*id].kind);
                    let values = tuple(types, kinds, &values).ok_or(unknown)?;
                    Ok((format!("returned {values}"), told))
                }
                Err(stop) => Err(stop),
            },
        };
        match done {
            Ok((said, told)) => {
                let name = contract_name(types.ast, contract);
                let told = events(types, &told, machine.this(), &name).ok_or(unknown)?;
                Ok(format!("{said}\n{told}"))
            }
            Err(stop) => {
                let panics = self.dialect.has(Feature::Unchecked);
                failure(types, &stop, panics).ok_or(why(&stop))
            }
        }
    }
}

/// The account that sends transactions.
const SENDER: u32 = 0xacc0_0000;

/// What `lydite evm` surrounds a contract with: its first account and its one
/// block. The contract is the first thing that the account creates, unless
/// libraries have to be there before it.
fn world(types: Types<'_>) -> World {
    let sender = IBig::from(SENDER);
    let this = (!has_linked_library(types)).then(|| created_address(&sender, 0));
    World {
        sender: Some(sender),
        this,
        timestamp: IBig::from(1_700_000_000),
        number: IBig::from(20_000_000),
    }
}

/// True if a library has a function that is called from outside of it.
fn has_linked_library(types: Types<'_>) -> bool {
    let mut functions = types.ast.functions.iter();
    functions.any(|function| {
        let of = function.contract.map(|contract| types.ast[contract].kind);
        of == Some(ContractKind::Library) && is_open(types, function.visibility)
    })
}

/// Why a program is not used.
fn why(stop: &Stop) -> &'static str {
    match stop {
        Stop::Unknown(what) => what,
        Stop::TooLong => "too long",
        Stop::Fault(_) | Stop::Revert(_) => "cannot be deployed",
    }
}

/// True if its constructor takes literals.
fn is_deployable(types: Types<'_>, contract: ContractId) -> bool {
    let mut parameters = constructor_parameters(types.ast, contract).iter();
    types.ast[contract].kind == ContractKind::Contract
        && parameters.all(|id| is_plain(types, types.ast[*id].kind))
}

fn constructor_parameters(ast: &Ast, contract: ContractId) -> &[VariableId] {
    let mut members = ast[contract].members.iter();
    let parameters = members.find_map(|member| match *member {
        Member::Function(id) if ast[id].name == FunctionName::Constructor => {
            Some(&ast[id].parameters[..])
        }
        _ => None,
    });
    parameters.unwrap_or_default()
}

fn is_open(types: Types<'_>, visibility: Option<Placeholder>) -> bool {
    let open = [Visibility::Public.number(), Visibility::External.number()];
    visibility.is_some_and(|at| open.contains(&types.values[at.0 as usize]))
}

/// Its own public state variables of words, bytes or text.
fn getters(types: Types<'_>, contract: ContractId) -> Vec<VariableId> {
    let ast = types.ast;
    let members = ast[contract].members.iter();
    let variables = members.filter_map(|member| match *member {
        Member::Variable(id) => Some(id),
        _ => None,
    });
    variables
        .filter(|id| is_open(types, ast[*id].visibility))
        .filter(|id| {
            let kind = ast[ast[*id].kind];
            matches!(kind, Type::Elementary(_) | Type::Enum(_) | Type::Value(_))
        })
        .collect()
}

fn drawn_call(
    types: Types<'_>,
    what: Called,
    parameters: &[VariableId],
    choices: &mut Choices,
) -> Result<Call, Reject> {
    let mut arguments = Vec::new();
    for parameter in parameters {
        arguments.push(argument(types, types.ast[*parameter].kind, choices)?);
    }
    Ok(Call { what, arguments })
}

/// Its own functions that can be called from outside with literals.
fn callable(types: Types<'_>, contract: ContractId) -> Vec<FunctionId> {
    let ast = types.ast;
    let functions = ast[contract]
        .members
        .iter()
        .filter_map(|member| match *member {
            Member::Function(id) => Some(id),
            _ => None,
        });
    let visible = |id: &FunctionId| is_open(types, ast[*id].visibility);
    functions
        .filter(|id| matches!(ast[*id].name, FunctionName::Named(_)) && visible(id))
        .filter(|id| {
            let variables = ast[*id].parameters.iter().chain(&ast[*id].results);
            variables.clone().all(|id| is_plain(types, ast[*id].kind))
        })
        .collect()
}

/// True if values of the type are literals of the ABI.
fn is_plain(types: Types<'_>, kind: TypeId) -> bool {
    match types.ast[kind] {
        Type::Elementary(_) | Type::Enum(_) | Type::Value(_) => true,
        Type::Array { element, .. } => is_plain(types, element),
        Type::Struct(id) => {
            let fields = types.ast[id].fields.iter();
            fields
                .clone()
                .all(|field| is_plain(types, types.ast[*field].kind))
        }
        Type::Mapping { .. } | Type::Contract(_) | Type::Function(_) => false,
    }
}

/// Draws a value of a plain type.
fn argument(types: Types<'_>, kind: TypeId, choices: &mut Choices) -> Result<Value, Reject> {
    let ast = types.ast;
    Ok(match ast[kind] {
        Type::Array { element, length } => {
            let count = match length {
                Some(length) => u64::from(length),
                None => choices.below(ELEMENTS + 1)?,
            };
            let mut parts = Vec::new();
            for _ in 0..count {
                parts.push(argument(types, element, choices)?);
            }
            Value::Parts(parts)
        }
        Type::Struct(id) => {
            let mut parts = Vec::new();
            for field in &ast[id].fields {
                parts.push(argument(types, ast[*field].kind, choices)?);
            }
            Value::Parts(parts)
        }
        Type::Enum(id) => {
            let members = u64::from(ast[id].members);
            Value::Word(IBig::from(choices.below(members)?))
        }
        _ => match types.word(kind) {
            Some(kind) => Value::Word(any_word(kind, choices)?),
            None => {
                let count = choices.below(BYTES)?;
                let mut bytes = Vec::new();
                for _ in 0..count {
                    bytes.push(b'a' + choices.below(26)? as u8);
                }
                Value::Bytes(bytes)
            }
        },
    })
}

/// A transaction as it is written.
fn written(types: Types<'_>, contract: ContractId, call: &Call) -> Option<String> {
    let ast = types.ast;
    let name = contract_name(ast, contract);
    let (head, parameters) = match call.what {
        Called::Constructor => {
            let parameters = constructor_parameters(ast, contract);
            (format!("new {name}"), parameters)
        }
        Called::Getter(variable) => (format!("{name}.v{}", variable.0), &[][..]),
        Called::Function(function) => {
            let FunctionName::Named(number) = ast[function].name else {
                return None;
            };
            (format!("{name}.f{number}"), &ast[function].parameters[..])
        }
    };
    let kinds = parameters.iter().map(|id| ast[*id].kind);
    Some(format!("{head}{}", tuple(types, kinds, &call.arguments)?))
}
