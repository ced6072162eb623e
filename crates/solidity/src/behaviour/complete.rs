//! Contracts with nested control structures, random transactions, and what
//! the interpreter makes of them (SOLTIX's complete contracts, with a
//! reference that SOLTIX does not have for them).

use std::collections::BTreeSet;

use lydite_core::{Case, Choices, Reject};

use super::mend::Mender;
use super::rehearsal::{Call, Called, Rehearsal, constructor_parameters, is_open};
use super::spice::spice;
use super::tell::tell_all;
use super::text::case;
use crate::ast::GetterKey;
use crate::ast::{
    Ast, ContractId, ContractKind, Function, FunctionId, FunctionName, Member, StatementId, Type,
    TypeId, VariableId, Words, lay_out,
};
use crate::generate::{Draft, Options, draft};
use crate::interpret::{Order, Stop, Stopped};
use crate::qualify::{Placeholder, Theory};
use crate::read::Reading;
use crate::types::{Location, Visibility};
use crate::typing::Types;
use crate::version::Dialect;

/// How often a program is mended, at most.
const MENDED: usize = 100;

/// How many failures are left as they are, at most, for each tenth that is to stay.
const KEPT: usize = 2;

/// Lengths of arrays in arguments.
const LENGTHS: &[u64] = &[0, 1, 2, 3];

/// The wei of a transaction, at most.
const WEI: u64 = 1_000;

/// Makes cases of complete contracts.
#[derive(Clone, Debug)]
pub struct Complete {
    dialect: Dialect,
    theory: Theory,
    words: Words,
    options: Options,
    transactions: u64,
    /// Lists of arguments with effects, in per cent.
    effects: u64,
    /// Failures that stay, in tenths.
    failures: u64,
}

impl Complete {
    /// For a dialect; `transactions` of a case, and `effects` in so many per
    /// cent of the lists of arguments.
    pub fn new(dialect: Dialect, options: Options, transactions: u64, effects: u64) -> Complete {
        let (theory, words) = (Theory::new(&dialect), Words::new(&dialect));
        Complete {
            dialect,
            theory,
            words,
            options,
            transactions,
            effects,
            failures: 1,
        }
    }

    /// Of ten failures so many stay.
    pub fn failing(self, failures: u64) -> Complete {
        Complete { failures, ..self }
    }

    /// Draws a case.
    pub fn case(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let mut draft = draft(choices, &self.dialect, &self.theory, &self.options)?;
        tell_all(&mut draft.ast, &draft.witness);
        spice(
            &mut draft.ast, &draft.witness, &self.dialect, self.effects, choices,
        )?;
        // The last contracts stand on all others.
        let mut last = Reject::NotApplicable("no contract");
        let contracts = (0..draft.ast.contracts.len() as u32).rev().map(ContractId);
        for contract in contracts {
            if !is_deployable(types(&draft), contract) {
                continue;
            }
            if callable(types(&draft), contract).is_empty() {
                open_up(&mut draft, contract);
            }
            match self.examined(&mut draft, contract, choices) {
                Err(reject @ Reject::NotApplicable(_)) => last = reject,
                Err(reject) => return Err(reject),
                Ok((script, said)) => return Ok(self.made(types(&draft), script, said)),
            }
        }
        Err(last)
    }

    /// Runs the transactions and mends what ends one of them before its time,
    /// but for a few.
    fn mend(
        &self,
        draft: &mut Draft,
        contract: ContractId,
        calls: &[Call],
        choices: &mut Choices,
    ) -> Result<(), Reject> {
        let mut mender = Mender::new(&mut draft.ast, &mut draft.witness);
        let mut kept: BTreeSet<Option<StatementId>> = BTreeSet::new();
        for _ in 0..MENDED {
            let Some((stop, stopped)) = self.ended(&mender, contract, calls, &kept) else {
                return Ok(());
            };
            let most = KEPT * self.failures as usize;
            let stays = kept.len() < most && choices.chance(self.failures, 10)?;
            if stays || !mender.mend(&stop, &stopped) {
                kept.insert(stopped.statement);
            }
        }
        Ok(())
    }

    /// The first transaction that ends too early at a place which is not kept.
    fn ended(
        &self,
        mender: &Mender<'_>,
        contract: ContractId,
        calls: &[Call],
        kept: &BTreeSet<Option<StatementId>>,
    ) -> Option<(Stop, Stopped)> {
        let rehearsal = Rehearsal {
            types: Types {
                ast: mender.ast,
                values: mender.values,
            },
            dialect: &self.dialect,
            contract,
        };
        let mut machine = rehearsal.machine(Order::LeftFirst);
        for call in calls {
            let Err(stop) = rehearsal.run(&mut machine, call) else {
                continue;
            };
            let stopped = machine.stopped();
            let is_new = !kept.contains(&stopped.statement);
            if is_new && !matches!(call.what, Called::Getter(_)) {
                return Some((stop, stopped));
            }
            // Nothing can be done with what is not deployed.
            if matches!(call.what, Called::Constructor) {
                return None;
            }
        }
        None
    }

    /// The case of a program that was read; nothing in it is mended.
    pub fn case_of(&self, reading: &Reading, choices: &mut Choices) -> Result<Case, Reject> {
        let types = Types {
            ast: &reading.ast,
            values: &reading.values,
        };
        let mut last = Reject::NotApplicable("no contract");
        let contracts = (0..types.ast.contracts.len() as u32).rev().map(ContractId);
        for contract in contracts.filter(|id| is_deployable(types, *id)) {
            let rehearsal = Rehearsal {
                types,
                dialect: &self.dialect,
                contract,
            };
            let calls = self.calls(types, contract, choices);
            match calls.and_then(|calls| rehearsal.behaviour(&calls)) {
                Err(reject @ Reject::NotApplicable(_)) => last = reject,
                Err(reject) => return Err(reject),
                Ok((script, said)) => return Ok(self.made(types, script, said)),
            }
        }
        Err(last)
    }

    fn made(&self, types: Types<'_>, script: String, said: String) -> Case {
        let value = |placeholder: Placeholder| types.values[placeholder.0 as usize];
        let program = lay_out(types.ast, &self.dialect).program(&self.words, value);
        case(program, script, said)
    }

    /// Transactions for a contract and what they show.
    fn examined(
        &self,
        draft: &mut Draft,
        contract: ContractId,
        choices: &mut Choices,
    ) -> Result<(String, String), Reject> {
        let calls = self.calls(types(draft), contract, choices)?;
        self.mend(draft, contract, &calls, choices)?;
        let rehearsal = Rehearsal {
            types: types(draft),
            dialect: &self.dialect,
            contract,
        };
        rehearsal.behaviour(&calls)
    }

    fn calls(
        &self,
        types: Types<'_>,
        contract: ContractId,
        choices: &mut Choices,
    ) -> Result<Vec<Call>, Reject> {
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
        let mut calls = vec![self.drawn(&rehearsal, Called::Constructor, choices)?];
        let takes_data = members(types.ast, contract).any(|member| match *member {
            Member::Function(id) => matches!(
                types.ast[id].name,
                FunctionName::Receive | FunctionName::Fallback
            ),
            _ => false,
        });
        for _ in 0..self.transactions {
            if takes_data && choices.chance(1, 3)? {
                calls.push(raw(choices)?);
            }
            if functions.is_empty() {
                continue;
            }
            let function = *choices.pick(&functions)?;
            calls.push(self.drawn(&rehearsal, Called::Function(function), choices)?);
        }
        for variable in getters {
            calls.push(rehearsal.drawn(Called::Getter(variable), LENGTHS, choices)?);
        }
        let called = functions.iter().map(|id| Called::Function(*id));
        let refusing: Vec<Called> = std::iter::once(Called::Constructor)
            .chain(called)
            .filter(|what| rehearsal.refuses_wei(*what))
            .collect();
        if !refusing.is_empty() && choices.chance(1, 4)? {
            let what = *choices.pick(&refusing)?;
            calls.push(rehearsal.drawn(what, LENGTHS, choices)?.paid(1));
        }
        Ok(calls)
    }

    /// A call that is drawn, with wei where those are taken.
    fn drawn(
        &self,
        rehearsal: &Rehearsal<'_>,
        what: Called,
        choices: &mut Choices,
    ) -> Result<Call, Reject> {
        let call = rehearsal.drawn(what, LENGTHS, choices)?;
        match !rehearsal.refuses_wei(what) && choices.chance(2, 3)? {
            true => Ok(call.paid(choices.below(WEI)? as u32)),
            false => Ok(call),
        }
    }
}

/// Data that no function asks for: none, or a few bytes.
fn raw(choices: &mut Choices) -> Result<Call, Reject> {
    let mut data = Vec::new();
    if choices.chance(1, 2)? {
        for _ in 0..choices.between(1, 8)? {
            data.push(choices.below(256)? as u8);
        }
    }
    Ok(Call::raw(data, choices.below(3)? as u32))
}

fn types(draft: &Draft) -> Types<'_> {
    Types {
        ast: &draft.ast,
        values: &draft.witness,
    }
}

/// Makes functions public that nobody could call otherwise.
fn open_up(draft: &mut Draft, contract: ContractId) {
    let hidden = hidden(types(draft), contract);
    for visibility in hidden {
        draft.witness[visibility.0 as usize] = Visibility::Public.number();
    }
}

/// The visibilities of its own functions that could as well be public.
fn hidden(types: Types<'_>, contract: ContractId) -> Vec<Placeholder> {
    let ast = types.ast;
    let functions = ast[contract].members.iter();
    let functions = functions.filter_map(|member| match *member {
        Member::Function(id) => Some(&ast[id]),
        _ => None,
    });
    let is_free = |function: &&Function| {
        let mut variables = function.parameters.iter().chain(&function.results);
        let is_plain = |id: &VariableId| {
            is_plain(types, ast[*id].kind) && types.location(*id) != Some(Location::Storage)
        };
        matches!(function.name, FunctionName::Named(_))
            && !function.is_virtual
            && !function.is_override
            && variables.all(is_plain)
    };
    let functions = functions.filter(is_free);
    functions
        .filter_map(|function| function.visibility)
        .collect()
}

/// True if its constructor takes literals.
fn is_deployable(types: Types<'_>, contract: ContractId) -> bool {
    let mut parameters = constructor_parameters(types.ast, contract).iter();
    types.ast[contract].kind == ContractKind::Contract
        && parameters.all(|id| is_plain(types, types.ast[*id].kind))
}

/// Public state variables, inherited ones too, whose getters take and return
/// plain values.
fn getters(types: Types<'_>, contract: ContractId) -> Vec<VariableId> {
    let ast = types.ast;
    let variables = members(ast, contract).filter_map(|member| match *member {
        Member::Variable(id) => Some(id),
        _ => None,
    });
    variables
        .filter(|id| is_open(types, ast[*id].visibility))
        .filter(|id| {
            let mut keys = types.ast.getter_keys(*id).into_iter();
            let results = types.ast.getter_results(*id).kinds();
            let mut plain = results.iter();
            keys.all(|key| match key {
                GetterKey::Index => true,
                GetterKey::Key(kind) => is_plain(types, kind),
            }) && plain.all(|kind| is_plain(types, *kind))
        })
        .collect()
}

/// What stands in a contract and in all that it inherits from, nearest first.
fn members(ast: &Ast, contract: ContractId) -> impl Iterator<Item = &Member> {
    let line = ast.lineage(contract).into_iter();
    line.flat_map(|contract| &ast[contract].members)
}

/// Functions, inherited ones too, that can be called from outside with
/// literals.
fn callable(types: Types<'_>, contract: ContractId) -> Vec<FunctionId> {
    let ast = types.ast;
    let mut names = BTreeSet::new();
    let functions = members(ast, contract).filter_map(|member| match *member {
        Member::Function(id) => match ast[id].name {
            // The nearest hides those that it overrides.
            FunctionName::Named(name) => names.insert(name).then_some(id),
            _ => None,
        },
        _ => None,
    });
    let visible = |id: &FunctionId| is_open(types, ast[*id].visibility);
    functions
        .filter(visible)
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
