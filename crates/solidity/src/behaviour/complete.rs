//! Contracts with nested control structures, random transactions, and what
//! the interpreter makes of them (SOLTIX's complete contracts, with a
//! reference that SOLTIX does not have for them).

use std::fmt::Write;

use dashu_int::IBig;
use lydite_core::{Answer, Case, Choices, Claim, Program, Reject, SourceFile};

use super::text::{contract_name, events, failure, tuple};
use super::values::any_word;
use crate::ast::{
    Ast, ContractId, ContractKind, FunctionId, FunctionName, Invocation, Member, Type, TypeId,
    Words, lay_out,
};
use crate::generate::{Draft, Options, draft};
use crate::interpret::{Machine, Order, Stop, Types, Value, World};
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
    function: FunctionId,
    arguments: Vec<Value>,
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
        let contract = deployable(&draft.ast).ok_or(Reject::NotApplicable("no contract"))?;
        let functions = callable(types, contract);
        if functions.is_empty() {
            return Err(Reject::NotApplicable("no function to call"));
        }
        let mut calls = Vec::new();
        for _ in 0..self.transactions {
            let function = *choices.pick(&functions)?;
            let mut arguments = Vec::new();
            for parameter in &draft.ast[function].parameters {
                arguments.push(argument(types, draft.ast[*parameter].kind, choices)?);
            }
            calls.push(Call {
                function,
                arguments,
            });
        }
        let said = self.behaviour(&draft, contract, &calls, Order::RightFirst)?;
        if said != self.behaviour(&draft, contract, &calls, Order::LeftFirst)? {
            return Err(Reject::NotApplicable("the order of evaluation matters"));
        }
        let mut program = self.program(&draft);
        let script = script(types, contract, &calls);
        program.files.push(SourceFile {
            name: "case.tx".to_string(),
            text: script
                .ok_or(Reject::NotApplicable("no literal"))?
                .into_bytes()
                .into(),
        });
        let claim = Claim::Answers(Answer::Output {
            status: 0,
            text: said.into_bytes().into(),
        });
        Ok(Case::single(program, claim))
    }

    fn program(&self, draft: &Draft) -> Program {
        let value = |placeholder: Placeholder| draft.witness[placeholder.0 as usize];
        lay_out(&draft.ast, &self.dialect).program(&self.words, value)
    }

    /// What the contract shows of the transactions.
    fn behaviour(
        &self,
        draft: &Draft,
        contract: ContractId,
        calls: &[Call],
        order: Order,
    ) -> Result<String, Reject> {
        let types = Types {
            ast: &draft.ast,
            values: &draft.witness,
        };
        let panics = self.dialect.has(Feature::Unchecked);
        let name = contract_name(&draft.ast, contract);
        let mut machine = Machine::new(
            &draft.ast,
            &draft.witness,
            &self.dialect,
            contract,
            order,
            world(),
            FUEL,
        );
        let mut text = String::new();
        let unknown = Reject::NotApplicable("not known how it shows");
        match machine.construct() {
            Ok(told) => {
                let _ = writeln!(text, "1 new {name}(): deployed");
                text += &events(types, &told, &name).ok_or(unknown)?;
            }
            Err(stop) => return Err(rejected(&stop)),
        }
        for (at, call) in calls.iter().enumerate() {
            machine.fuel(FUEL);
            let called = called(types, contract, call).ok_or(unknown)?;
            let done = machine.transact(call.function, call.arguments.clone());
            let (said, told) = match done {
                Ok((values, told)) if values.is_empty() => ("done".to_string(), told),
                Ok((values, told)) => {
                    let results = draft.ast[call.function].results.iter();
                    let kinds = results.map(|id| draft.ast[*id].kind);
                    let values = tuple(types, kinds, &values).ok_or(unknown)?;
                    (format!("returned {values}"), told)
                }
                Err(stop) => match failure(types, &stop, panics) {
                    Some(said) => (said, Vec::new()),
                    None => return Err(rejected(&stop)),
                },
            };
            let _ = writeln!(text, "{} {called}: {said}", at + 2);
            text += &events(types, &told, &name).ok_or(unknown)?;
        }
        Ok(text)
    }
}

/// What `lydite evm` surrounds a contract with: its first account and its one
/// block. Addresses of contracts are hashes, which nothing here computes.
fn world() -> World {
    World {
        sender: Some(IBig::from(0xacc0_0000_u32)),
        this: None,
        timestamp: IBig::from(1_700_000_000),
        number: IBig::from(20_000_000),
    }
}

/// Why a program is not used.
fn rejected(stop: &Stop) -> Reject {
    Reject::NotApplicable(match stop {
        Stop::Unknown(what) => what,
        Stop::TooLong => "too long",
        Stop::Fault(_) | Stop::Revert(_) => "cannot be deployed",
    })
}

/// The last contract whose constructors take nothing.
fn deployable(ast: &Ast) -> Option<ContractId> {
    let mut contracts = (0..ast.contracts.len() as u32).rev().map(ContractId);
    contracts.find(|id| {
        let contract = &ast[*id];
        let plain = contract.members.iter().all(|member| match *member {
            Member::Function(id) if ast[id].name == FunctionName::Constructor => {
                let bases = ast[id].modifiers.iter();
                let passes = bases
                    .clone()
                    .any(|(by, _)| matches!(by, Invocation::Base(_)));
                ast[id].parameters.is_empty() && !passes
            }
            _ => true,
        });
        contract.kind == ContractKind::Contract && plain
    })
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
    let visible = |id: &FunctionId| {
        let visibility = ast[*id].visibility.map(|at| types.values[at.0 as usize]);
        let open = [Visibility::Public.number(), Visibility::External.number()];
        visibility.is_some_and(|own| open.contains(&own))
    };
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

fn called(types: Types<'_>, contract: ContractId, call: &Call) -> Option<String> {
    let FunctionName::Named(number) = types.ast[call.function].name else {
        return None;
    };
    let parameters = types.ast[call.function].parameters.iter();
    let kinds = parameters.map(|id| types.ast[*id].kind);
    let arguments = tuple(types, kinds, &call.arguments)?;
    let name = contract_name(types.ast, contract);
    Some(format!("{name}.f{number}{arguments}"))
}

/// The transactions, one per line.
fn script(types: Types<'_>, contract: ContractId, calls: &[Call]) -> Option<String> {
    let mut script = format!("hide state\nnew {}()\n", contract_name(types.ast, contract));
    for call in calls {
        script += &called(types, contract, call)?;
        script.push('\n');
    }
    Some(script)
}
