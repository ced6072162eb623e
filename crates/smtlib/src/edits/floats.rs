//! Smaller formats of floats.

use super::apply::Undo;
use super::widths::low_bits;
use crate::sort::SortKind;
use crate::syntax::{Index, Literal, Script, Term, TermId};
use crate::typing::Typed;

/// The formats that have names.
const NAMED: [(&str, (u32, u32)); 4] = [
    ("Float16", (5, 11)),
    ("Float32", (8, 24)),
    ("Float64", (11, 53)),
    ("Float128", (15, 113)),
];

/// Formats to try instead of a larger one; some solvers have only the named.
pub(super) const SMALLER: [(u32, u32); 4] = [(2, 3), (3, 5), (5, 11), (8, 24)];

/// Sorts, indices and the parts of `(fp …)` get another format; where the
/// rest of the script does not fit any more, typing says so.
pub(super) fn change(
    script: &mut Script,
    typed: &Typed,
    from: (u32, u32),
    to: (u32, u32),
    undo: &mut Undo,
) -> Option<String> {
    let mut indices = |(eb, sb): (u32, u32)| {
        [eb, sb].map(|number| Index::Numeral(script.intern(&number.to_string())))
    };
    let (old, new) = (indices(from), indices(to));
    let named = |format| NAMED.iter().find(|(_, other)| *other == format);
    let mut identifiers = script.identifiers.clone();
    for identifier in &mut identifiers {
        if *identifier.indices == old {
            identifier.indices = Box::new(new);
        } else if identifier.indices.is_empty()
            && named(from).is_some_and(|(name, _)| script.name(identifier.symbol) == *name)
        {
            match named(to) {
                Some((name, _)) => identifier.symbol = script.intern(name),
                None => {
                    identifier.symbol = script.intern("FloatingPoint");
                    identifier.indices = Box::new(new);
                }
            }
        }
    }
    undo.identifiers(script, identifiers);
    let widths = [1, to.0 as usize, to.1 as usize - 1];
    let all: Vec<TermId> = script.terms().collect();
    for term in all {
        let format = typed.sort(term).map(|sort| typed.sorts.kind(sort));
        if format != Some(&SortKind::Float([from.0, from.1])) {
            continue;
        }
        let Term::Application {
            head,
            arguments: &[sign, exponent, mantissa],
        } = script.term(term)
        else {
            continue;
        };
        if script.name(script.identifier(head).symbol) != "fp" {
            continue;
        }
        for (part, width) in [sign, exponent, mantissa].into_iter().zip(widths) {
            if let Term::Literal(literal, text) = script.term(part) {
                let text = low_bits(literal, text, width);
                let made = script.make_literal(Literal::Binary, &text);
                undo.replace(script, part, made);
            }
        }
    }
    Some(format!("floats of {} and {} bits", to.0, to.1))
}
