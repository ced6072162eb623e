//! Narrower bit-vectors.

use super::apply::Undo;
use crate::sort::SortKind;
use crate::syntax::{Identifier, Index, Literal, Script, Term, TermId};
use crate::typing::Typed;

/// Bit-vectors of one width get another.
pub(super) fn change_one(
    script: &mut Script,
    typed: &Typed,
    from: u32,
    to: u32,
    undo: &mut Undo,
) -> Option<String> {
    let narrower = |width: u32| if width == from { to } else { width };
    change(script, typed, &narrower, undo);
    Some(format!("bit-vectors of width {to} instead of {from}"))
}

/// All bit-vectors get a part of their width.
pub(super) fn divide(
    script: &mut Script,
    typed: &Typed,
    parts: u32,
    undo: &mut Undo,
) -> Option<String> {
    change(script, typed, &|width| (width / parts).max(1), undo);
    Some("narrower bit-vectors".to_string())
}

/// Sorts, indices and literals get the widths that `narrower` gives; where the
/// rest of the script does not fit any more, typing says so.
fn change(script: &mut Script, typed: &Typed, narrower: &dyn Fn(u32) -> u32, undo: &mut Undo) {
    let mut identifiers = script.identifiers.clone();
    for identifier in &mut identifiers {
        narrow(script, identifier, narrower);
    }
    undo.identifiers(script, identifiers);
    let all: Vec<TermId> = script.terms().collect();
    for term in all {
        let Some(SortKind::BitVec(width)) = typed.sort(term).map(|sort| typed.sorts.kind(sort))
        else {
            continue;
        };
        let to = narrower(*width);
        let Term::Literal(literal, text) = script.term(term) else {
            continue;
        };
        if to != *width {
            let text = low_bits(literal, text, to as usize);
            let made = script.make_literal(Literal::Binary, &text);
            undo.replace(script, term, made);
        }
    }
}

/// `(_ BitVec 32)`, `(_ bv7 32)`, and what names bits of a bit-vector.
fn narrow(script: &mut Script, identifier: &mut Identifier, narrower: &dyn Fn(u32) -> u32) {
    let number = |index: &Index| match index {
        Index::Numeral(symbol) => script.name(*symbol).parse::<u32>().ok(),
        _ => None,
    };
    let indices: Option<Vec<u32>> = identifier.indices.iter().map(number).collect();
    let name = script.name(identifier.symbol).to_string();
    let digits = name.strip_prefix("bv").unwrap_or_default();
    let is_value = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let narrowed = match (name.as_str(), indices.as_deref()) {
        ("BitVec", Some(&[width])) => vec![narrower(width)],
        (_, Some(&[width])) if is_value => {
            let to = narrower(width);
            let value = digits.parse::<u128>().unwrap_or(1);
            let value = match to {
                ..128 => value % (1 << to),
                _ => value,
            };
            identifier.symbol = script.intern(&format!("bv{value}"));
            vec![to]
        }
        // Of `extract` the number of bits is a width too, of the others the
        // number of those added.
        ("extract", Some(&[high, low])) if low <= high => {
            let first = if low == 0 { 0 } else { narrower(low) };
            let bits = narrower((high - low).saturating_add(1));
            vec![first.saturating_add(bits - 1), first]
        }
        ("zero_extend" | "sign_extend", Some(&[more])) if more > 0 => vec![narrower(more)],
        _ => return,
    };
    let narrowed = narrowed.iter().map(|index| {
        let digits = index.to_string();
        Index::Numeral(script.intern(&digits))
    });
    identifier.indices = narrowed.collect();
}

pub(super) fn low_bits(literal: Literal, text: &str, width: usize) -> String {
    let digits = text.get(2..).unwrap_or_default();
    let bits: String = match literal {
        Literal::Hexadecimal => digits
            .chars()
            .map(|digit| format!("{:04b}", digit.to_digit(16).unwrap_or(0)))
            .collect(),
        _ => digits.to_string(),
    };
    format!("#b{}", &bits[bits.len() - width.min(bits.len())..])
}
