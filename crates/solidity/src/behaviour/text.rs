//! Values and what came of transactions, in the words of `lydite evm`.

use dashu_int::IBig;
use lydite_core::{Answer, Case, Claim, Program, SourceFile};

use crate::ast::{Ast, ContractId, Role, SignalId, Type, TypeId};
use crate::interpret::{Event, Fault, Reason, Stop, Value, bits, keccak256};
use crate::types::{Elementary, Family};
use crate::typing::Types;

/// The case of a program with its transactions, and what they show.
pub(super) fn case(mut program: Program, script: String, shown: String) -> Case {
    program.files.push(SourceFile {
        name: "case.tx".to_string(),
        text: script.into_bytes().into(),
    });
    let claim = Claim::Answers(Answer::Output {
        status: 0,
        text: shown.into_bytes().into(),
    });
    Case::single(program, claim)
}

/// A value as a literal of the ABI.
pub(super) fn literal(types: Types<'_>, kind: TypeId, value: &Value) -> Option<String> {
    match (types.ast[kind], value) {
        (Type::Array { element, .. }, Value::Parts(parts)) => {
            let parts = parts.iter().map(|part| literal(types, element, part));
            Some(format!("[{}]", joined(parts)?))
        }
        (Type::Struct(id), Value::Parts(parts)) => {
            let fields = types.ast[id].fields.iter().zip(parts);
            let fields = fields.map(|(field, part)| literal(types, types.ast[*field].kind, part));
            Some(format!("({})", joined(fields)?))
        }
        (Type::Elementary(_), Value::Bytes(bytes)) => match std::str::from_utf8(bytes) {
            Ok(text) if types.is_string(kind) => Some(format!("{text:?}")),
            _ => Some(format!("0x{}", hexadecimal(bytes))),
        },
        (_, Value::Word(word)) => Some(word_text(types.word(kind)?, word)),
        _ => None,
    }
}

/// A number as an index is written.
pub(super) fn literal_word(value: &Value) -> Option<String> {
    match value {
        Value::Word(word) => Some(word.to_string()),
        _ => None,
    }
}

pub(super) fn word_text(kind: Elementary, word: &IBig) -> String {
    match kind.family() {
        Family::Bool => (*word != IBig::ZERO).to_string(),
        Family::FixedBytes | Family::Address => {
            let digits = word.in_radix(16).to_string();
            let width = bits(kind) / 4;
            format!("0x{digits:0>width$}")
        }
        _ => word.to_string(),
    }
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn joined(parts: impl Iterator<Item = Option<String>>) -> Option<String> {
    Some(parts.collect::<Option<Vec<String>>>()?.join(", "))
}

/// Bytes of results and events that `lydite evm` tells in full.
const TOLD: usize = 16 * 1024;

/// True if the values are told in full, however they are encoded.
fn is_told(values: &[Value]) -> bool {
    let words: usize = values.iter().map(words).sum();
    32 * words <= TOLD
}

/// The words of an encoding, at most.
fn words(value: &Value) -> usize {
    match value {
        Value::Bytes(bytes) => 2 + bytes.len().div_ceil(32),
        Value::Parts(parts) => 2 + parts.iter().map(words).sum::<usize>(),
        _ => 1,
    }
}

/// `(1, true)`, if that is not too much to be told.
pub(super) fn tuple(
    types: Types<'_>,
    kinds: impl Iterator<Item = TypeId>,
    values: &[Value],
) -> Option<String> {
    if !is_told(values) {
        return None;
    }
    let parts = kinds
        .zip(values)
        .map(|(kind, value)| literal(types, kind, value));
    Some(format!("({})", joined(parts)?))
}

/// What a transaction of bare data shows that went through; nothing if that is
/// too much to be told.
pub(super) fn returned_data(data: &[u8]) -> Option<String> {
    match data.len() {
        0 => Some("done".to_string()),
        1..=TOLD => Some(format!("returned 0x{}", hexadecimal(data))),
        _ => None,
    }
}

/// An error with its arguments.
fn signal(types: Types<'_>, id: SignalId, values: &[Value]) -> Option<String> {
    let parameters = types.ast[id].parameters.iter();
    let values = tuple(types, parameters.map(|id| types.ast[*id].kind), values)?;
    Some(format!("R{}{values}", id.0))
}

/// The lines of events; `this` is the address of the contract `name`.
pub(super) fn events(
    types: Types<'_>,
    events: &[Event],
    this: Option<&IBig>,
    name: &str,
) -> Option<String> {
    let lines = events.iter().map(|event| {
        let told = told(types, event)?;
        let from = match &event.from {
            Some(from) if Some(from) != this => word_text(Elementary::ADDRESS, from),
            _ => name.to_string(),
        };
        Some(format!("  event {told} of {from}\n"))
    });
    lines.collect()
}

/// An event with its arguments; of what is indexed and larger than a word
/// only a hash is told.
fn told(types: Types<'_>, event: &Event) -> Option<String> {
    if !is_told(&event.values) {
        return None;
    }
    let parameters = types.ast[event.signal].parameters.iter();
    let parts = parameters.zip(&event.values).map(|(id, value)| {
        let variable = &types.ast[*id];
        let is_indexed = variable.role == Role::Signal { indexed: true };
        match (is_indexed && types.is_reference(variable.kind), value) {
            (false, value) => literal(types, variable.kind, value),
            (true, Value::Bytes(bytes)) => {
                Some(format!("hash 0x{}", hexadecimal(&keccak256(bytes))))
            }
            (true, _) => None,
        }
    });
    Some(format!("E{}({})", event.signal.0, joined(parts)?))
}

/// What a transaction that failed shows; nothing if that is not known.
pub(super) fn failure(types: Types<'_>, stop: &Stop, panics: bool) -> Option<String> {
    match stop {
        Stop::Fault(fault) if panics => Some(format!("reverted Panic({})", fault.code())),
        // Without `Panic`, popping an empty array and the like differ by version.
        Stop::Fault(Fault::Pop | Fault::Function) => None,
        Stop::Fault(_) => Some("halted, invalid".to_string()),
        Stop::Revert(Reason::Silent) => Some("reverted".to_string()),
        Stop::Revert(Reason::Text(text)) => Some(format!("reverted Error({text:?})")),
        Stop::Revert(Reason::Signal(id, values)) => {
            Some(format!("reverted {}", signal(types, *id, values)?))
        }
        Stop::Unknown(_) | Stop::TooLong => None,
    }
}

/// The name of a contract in the program.
pub(super) fn contract_name(ast: &Ast, id: ContractId) -> String {
    ast.contract_name(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_to_be_told_in_full_is_not_claimed() {
        let texts = |count: usize| Value::Parts(vec![Value::Bytes(Vec::new()); count]);
        for (value, is_small) in [
            (texts(200), true),
            (texts(300), false),
            (Value::Bytes(vec![0; 16_000]), true),
            (Value::Bytes(vec![0; 17_000]), false),
        ] {
            assert_eq!(is_told(&[value]), is_small);
        }
    }
}
