//! Transactions on a contract, and what the interpreter says that they show.

use std::fmt::Write;

use dashu_int::IBig;
use lydite_core::{Choices, Reject};

use super::text::{
    contract_name, events, failure, hexadecimal, literal, literal_word, returned_data, tuple,
};
use crate::ast::GetterKey;
use crate::ast::{
    Ast, ContractId, ContractKind, FunctionId, FunctionName, Member, Type, TypeId, VariableId,
};
use crate::generate::any_word;
use crate::interpret::{Block, Machine, Order, Stop, Value, World, created_address};
use crate::qualify::Placeholder;
use crate::types::{Mutability, Visibility};
use crate::typing::Types;
use crate::version::{Dialect, Feature};

/// Steps of the interpreter in one transaction: far below the gas of a
/// transaction, so that running out of it is nobody's behaviour.
const FUEL: u64 = 20_000;

/// Indices that getters of arrays are asked for.
const INDICES: u64 = 4;

/// The most bytes of a text in an argument.
const BYTES: u64 = 40;

/// A call with its arguments.
pub(super) struct Call {
    pub what: Called,
    /// Of bare data: that data.
    pub arguments: Vec<Value>,
    /// The wei that come with it.
    pub wei: u32,
}

impl Call {
    /// The same with wei.
    pub(super) fn paid(self, wei: u32) -> Call {
        Call { wei, ..self }
    }

    /// Data for a contract, whatever it is.
    pub(super) fn raw(data: Vec<u8>, wei: u32) -> Call {
        Call {
            what: Called::Data,
            arguments: vec![Value::Bytes(data)],
            wei,
        }
    }

    /// The data of a call of bare data.
    fn data(&self) -> Vec<u8> {
        match &self.arguments[..] {
            [Value::Bytes(data)] => data.clone(),
            _ => Vec::new(),
        }
    }
}

/// What a transaction reaches.
#[derive(Clone, Copy)]
pub(super) enum Called {
    Constructor,
    Function(FunctionId),
    /// The getter of a state variable.
    Getter(VariableId),
    /// Whatever takes the data.
    Data,
}

/// A contract that is going to be tried out.
pub(super) struct Rehearsal<'a> {
    pub types: Types<'a>,
    pub dialect: &'a Dialect,
    pub contract: ContractId,
}

impl Rehearsal<'_> {
    /// The script of the transactions of which it is known what they show and
    /// what they leave behind, whatever the order of evaluation, and what they
    /// show. Others are left out.
    pub(super) fn behaviour(&self, calls: &[Call]) -> Result<(String, String), Reject> {
        let orders = [Order::RightFirst, Order::LeftFirst];
        let mut machines = orders.map(|order| self.machine(order));
        let (mut script, mut text) = (String::new(), String::new());
        let mut number = 1;
        for call in calls {
            let written = self.written(call);
            let written = written.ok_or(Reject::NotApplicable("not known how it shows"))?;
            let before = machines.each_ref().map(Machine::snapshot);
            let [right, left] = machines.each_mut().map(|machine| self.shown(machine, call));
            let is_one_state = machines[0].has_state_of(&machines[1]);
            match right {
                Ok(said) if Ok(&said) == left.as_ref() && is_one_state => {
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

    /// The contract before anything is done with it.
    pub(super) fn machine(&self, order: Order) -> Machine<'_> {
        let (types, world) = (self.types, world(self.types));
        let (ast, values) = (types.ast, types.values);
        Machine::new(ast, values, self.dialect, self.contract, order, world, FUEL)
    }

    /// Does a transaction, whatever it shows.
    pub(super) fn run(&self, machine: &mut Machine<'_>, call: &Call) -> Result<(), Stop> {
        machine.fuel(FUEL);
        let arguments = call.arguments.clone();
        let wei = IBig::from(call.wei);
        match call.what {
            _ if self.is_refused(call) => Ok(()),
            Called::Constructor => machine.construct(arguments, &wei).map(drop),
            Called::Function(function) => machine.transact(function, arguments, &wei).map(drop),
            Called::Getter(variable) => machine.ask(variable, arguments).map(drop),
            Called::Data => machine.transact_raw(call.data(), &wei).map(drop),
        }
    }

    /// What a transaction shows, with its events on further lines; or why that
    /// is not known.
    fn shown(&self, machine: &mut Machine<'_>, call: &Call) -> Result<String, &'static str> {
        if self.is_refused(call) {
            return Ok("reverted".to_string());
        }
        machine.fuel(FUEL);
        let wei = IBig::from(call.wei);
        let types = self.types;
        let unknown = "not known how it shows";
        let arguments = call.arguments.clone();
        let done = match call.what {
            Called::Constructor => {
                let told = machine.construct(arguments, &wei);
                let told = told.map_err(|stop| why(&stop))?;
                Ok(("deployed".to_string(), told))
            }
            Called::Getter(variable) => {
                let kinds = types.ast.getter_results(variable).kinds();
                match machine.ask(variable, arguments) {
                    Ok(values) => {
                        let value = tuple(types, kinds.into_iter(), &values).ok_or(unknown)?;
                        Ok((format!("returned {value}"), Vec::new()))
                    }
                    Err(stop) => Err(stop),
                }
            }
            Called::Function(function) => match machine.transact(function, arguments, &wei) {
                Ok((values, told)) if values.is_empty() => Ok(("done".to_string(), told)),
                Ok((values, told)) => {
                    let results = types.ast[function].results.iter();
                    let kinds = results.map(|id| types.ast[*id].kind);
                    let values = tuple(types, kinds, &values).ok_or(unknown)?;
                    Ok((format!("returned {values}"), told))
                }
                Err(stop) => Err(stop),
            },
            Called::Data => match machine.transact_raw(call.data(), &wei) {
                Ok((data, told)) => Ok((returned_data(&data).ok_or(unknown)?, told)),
                Err(stop) => Err(stop),
            },
        };
        match done {
            Ok((said, told)) => {
                let name = contract_name(types.ast, self.contract);
                let told = events(types, &told, machine.this(), &name).ok_or(unknown)?;
                Ok(format!("{said}\n{told}"))
            }
            Err(stop) => {
                let panics = self.dialect.has(Feature::Unchecked);
                failure(types, &stop, panics).ok_or(why(&stop))
            }
        }
    }

    /// A transaction as it is written.
    fn written(&self, call: &Call) -> Option<String> {
        let ast = self.types.ast;
        let name = contract_name(ast, self.contract);
        let head = match call.what {
            Called::Constructor => format!("new {name}"),
            Called::Getter(variable) => {
                let keys = self.types.ast.getter_keys(variable);
                let keys = keys
                    .iter()
                    .zip(&call.arguments)
                    .map(|(key, value)| match key {
                        GetterKey::Index => literal_word(value),
                        GetterKey::Key(kind) => literal(self.types, *kind, value),
                    });
                let keys = keys.collect::<Option<Vec<String>>>()?.join(", ");
                return Some(format!("{name}.v{}({keys})", variable.0));
            }
            Called::Function(function) => {
                let FunctionName::Named(number) = ast[function].name else {
                    return None;
                };
                let shown = ast.shown_name(number);
                format!("{name}.f{shown}{}", self.told_apart(function)?)
            }
            Called::Data => {
                let data = hexadecimal(&call.data());
                return Some(format!("raw {name} 0x{data}{}", paid(call.wei)));
            }
        };
        let kinds = self.parameters(call.what).iter().map(|id| ast[*id].kind);
        let arguments = tuple(self.types, kinds, &call.arguments)?;
        Some(format!("{head}{arguments}{}", paid(call.wei)))
    }

    /// The types of a function's parameters, where several have its name.
    fn told_apart(&self, function: FunctionId) -> Option<String> {
        let ast = self.types.ast;
        let FunctionName::Named(number) = ast[function].name else {
            return None;
        };
        let mut shared = ast.overloads.iter();
        if !shared.any(|(own, shown)| *own == number || *shown == number) {
            return Some(String::new());
        }
        let parameters = ast[function].parameters.iter();
        let names = parameters.map(|id| self.types.abi_name(ast[*id].kind));
        let names = names.collect::<Option<Vec<String>>>()?;
        Some(format!("[{}]", names.join(",")))
    }

    fn parameters(&self, what: Called) -> &[VariableId] {
        let ast = self.types.ast;
        match what {
            Called::Constructor => constructor_parameters(ast, self.contract),
            Called::Function(function) => &ast[function].parameters,
            Called::Getter(_) | Called::Data => &[],
        }
    }

    /// True if it comes with wei that nobody takes: nothing that the contract
    /// has changes, but a contract that is created next has another address.
    fn is_refused(&self, call: &Call) -> bool {
        call.wei > 0 && self.refuses_wei(call.what)
    }

    /// True if a transaction that sends wei there is refused.
    pub(super) fn refuses_wei(&self, what: Called) -> bool {
        let function = match what {
            Called::Constructor => match constructor(self.types.ast, self.contract) {
                Some(constructor) => constructor,
                None => return true,
            },
            Called::Function(function) => function,
            Called::Getter(_) => return true,
            // The contract sees to it.
            Called::Data => return false,
        };
        let payable = Mutability::Payable.number();
        let mutability = self.types.ast[function].mutability;
        mutability.is_none_or(|at| self.types.values[at.0 as usize] != payable)
    }

    /// A call with arguments that are drawn; arrays get one of the `lengths`,
    /// those with arrays in them one of the first half.
    pub(super) fn drawn(
        &self,
        what: Called,
        lengths: &[u64],
        choices: &mut Choices,
    ) -> Result<Call, Reject> {
        let ast = self.types.ast;
        let mut arguments = Vec::new();
        for parameter in self.parameters(what) {
            arguments.push(argument(
                self.types, ast[*parameter].kind, lengths, choices,
            )?);
        }
        if let Called::Getter(variable) = what {
            for key in self.types.ast.getter_keys(variable) {
                arguments.push(match key {
                    GetterKey::Index => Value::Word(IBig::from(choices.below(INDICES)?)),
                    GetterKey::Key(kind) => argument(self.types, kind, lengths, choices)?,
                });
            }
        }
        Ok(Call {
            what,
            arguments,
            wei: 0,
        })
    }
}

/// The account that sends transactions.
const SENDER: u32 = 0xacc0_0000;

/// How many accounts there are, from that one on.
const ACCOUNTS: u32 = 4;

/// What each of them has.
const WEALTH: u128 = 1 << 120;

/// What `lydite evm` surrounds a contract with: its first account and its one
/// block. The contract is the first thing that the account creates, unless
/// libraries have to be there before it.
fn world(types: Types<'_>) -> World {
    let sender = IBig::from(SENDER);
    let this = (!has_linked_library(types)).then(|| created_address(&sender, 0));
    let accounts = (0..ACCOUNTS).map(|number| IBig::from(SENDER + number));
    World {
        origin: Some(sender.clone()),
        sender: Some(sender),
        this,
        timestamp: IBig::from(1_700_000_000),
        number: IBig::from(20_000_000),
        balances: accounts.map(|account| (account, WEALTH.into())).collect(),
        block: Some(Block {
            coinbase: repeated(0xbe, 20),
            randomness: repeated(0x5a, 32),
            gas_limit: IBig::from(u64::MAX),
            chain: IBig::from(1),
            base_fee: IBig::ZERO,
            gas_price: IBig::ZERO,
        }),
        has_own_names: true,
        ..World::default()
    }
}

/// A number whose bytes are all the same.
fn repeated(byte: u8, count: usize) -> IBig {
    (0..count).fold(IBig::ZERO, |number, _| (number << 8) + IBig::from(byte))
}

fn paid(wei: u32) -> String {
    match wei {
        0 => String::new(),
        wei => format!(" value {wei}"),
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

fn constructor(ast: &Ast, contract: ContractId) -> Option<FunctionId> {
    let mut members = ast[contract].members.iter();
    members.find_map(|member| match *member {
        Member::Function(id) if ast[id].name == FunctionName::Constructor => Some(id),
        _ => None,
    })
}

pub(super) fn constructor_parameters(ast: &Ast, contract: ContractId) -> &[VariableId] {
    let constructor = constructor(ast, contract);
    constructor.map_or(&[], |id| &ast[id].parameters)
}

/// True if what has the visibility can be called from outside.
pub(super) fn is_open(types: Types<'_>, visibility: Option<Placeholder>) -> bool {
    let open = [Visibility::Public.number(), Visibility::External.number()];
    visibility.is_some_and(|at| open.contains(&types.values[at.0 as usize]))
}

fn short(lengths: &[u64]) -> &[u64] {
    &lengths[..lengths.len().div_ceil(2)]
}

/// Draws a value of a plain type.
fn argument(
    types: Types<'_>,
    kind: TypeId,
    lengths: &[u64],
    choices: &mut Choices,
) -> Result<Value, Reject> {
    let ast = types.ast;
    Ok(match ast[kind] {
        Type::Array { element, length } => {
            let count = match length {
                Some(length) => u64::from(length),
                None if types.is_reference(element) => *choices.pick(short(lengths))?,
                None => *choices.pick(lengths)?,
            };
            let lengths = short(lengths);
            let mut parts = Vec::new();
            for _ in 0..count {
                parts.push(argument(types, element, lengths, choices)?);
            }
            Value::Parts(parts)
        }
        Type::Struct(id) => {
            let mut parts = Vec::new();
            for field in &ast[id].fields {
                let kind = ast[*field].kind;
                parts.push(argument(types, kind, short(lengths), choices)?);
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
