//! Contracts with nested control structures, random transactions, and what
//! the interpreter makes of them (SOLTIX's complete contracts, with a
//! reference that SOLTIX does not have for them).

use lydite_core::{Case, Choices, Reject};

use super::rehearsal::{Called, Rehearsal, constructor_parameters, is_open};
use super::text::case;
use crate::ast::{
    ContractId, ContractKind, FunctionId, FunctionName, Member, Type, TypeId, VariableId, Words,
    lay_out,
};
use crate::generate::{Draft, Options, draft};
use crate::interpret::Types;
use crate::qualify::{Placeholder, Theory};
use crate::version::Dialect;

/// Lengths of arrays in arguments.
const LENGTHS: &[u64] = &[0, 1, 2, 3];

/// Makes cases of complete contracts.
#[derive(Clone, Debug)]
pub struct Complete {
    dialect: Dialect,
    theory: Theory,
    words: Words,
    options: Options,
    transactions: u64,
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
        let rehearsal = Rehearsal {
            types,
            dialect: &self.dialect,
            contract,
        };
        let mut calls = vec![rehearsal.drawn(Called::Constructor, LENGTHS, choices)?];
        for _ in 0..self.transactions {
            if functions.is_empty() {
                break;
            }
            let function = *choices.pick(&functions)?;
            calls.push(rehearsal.drawn(Called::Function(function), LENGTHS, choices)?);
        }
        for variable in getters {
            calls.push(rehearsal.drawn(Called::Getter(variable), LENGTHS, choices)?);
        }
        let called = functions.iter().map(|id| Called::Function(*id));
        let refusing: Vec<Called> = std::iter::once(Called::Constructor)
            .chain(called)
            .filter(|what| rehearsal.refuses_wei(*what))
            .collect();
        if !refusing.is_empty() && choices.chance(1, 2)? {
            let what = *choices.pick(&refusing)?;
            calls.push(rehearsal.drawn(what, LENGTHS, choices)?.paid());
        }
        rehearsal.behaviour(&calls)
    }
}

/// True if its constructor takes literals.
fn is_deployable(types: Types<'_>, contract: ContractId) -> bool {
    let mut parameters = constructor_parameters(types.ast, contract).iter();
    types.ast[contract].kind == ContractKind::Contract
        && parameters.all(|id| is_plain(types, types.ast[*id].kind))
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
