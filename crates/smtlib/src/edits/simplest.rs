//! The simplest values of a sort.

use crate::print;
use crate::sort::{Sort, SortKind};
use crate::syntax::Script;
use crate::typing::Typed;

/// 0 or 1 in so many bits, as short as can be.
fn bits(width: u32, value: u8) -> String {
    let padded = |prefix: &str, digits: u32| {
        let digits = digits as usize;
        format!("{prefix}{value:0>digits$}")
    };
    match width {
        4..=32 if width.is_multiple_of(4) => padded("#x", width / 4),
        1..8 => padded("#b", width),
        _ => format!("(_ bv{value} {width})"),
    }
}

/// Arrays of arrays of … have values as deep as themselves.
const MAX_DEPTH: usize = 4;

/// How many simplest values some sort has.
pub(super) const MOST_SIMPLE: u8 = 3;

/// The simplest value of a sort as text, or the next simplest one for
/// `rank` 1 and so on; none where there is no more.
pub(crate) fn simplest(script: &Script, typed: &Typed, sort: Sort, rank: u8) -> Option<String> {
    value(script, typed, sort, rank, 0)
}

fn value(script: &Script, typed: &Typed, sort: Sort, rank: u8, depth: usize) -> Option<String> {
    if depth > MAX_DEPTH || typed.sorts.is_unknown(sort) {
        return None;
    }
    let first = rank == 0;
    let shown = || typed.show(script, sort);
    let named = |values: &[&str]| values.get(usize::from(rank)).map(ToString::to_string);
    let text = match typed.sorts.kind(sort) {
        SortKind::Bool => named(&["true", "false"])?,
        SortKind::Int => named(&["0", "1"])?,
        SortKind::Real => named(&["0.0", "1.0"])?,
        SortKind::String => named(&["\"\"", "\"a\""])?,
        SortKind::RegLan => named(&["re.none", "re.all"])?,
        SortKind::RoundingMode => named(&["RNE", "RTZ"])?,
        SortKind::BitVec(width) if rank < 2 => bits(*width, rank),
        SortKind::Float([eb, sb]) => {
            let name = named(&["+zero", "NaN", "-zero"])?;
            format!("(_ {name} {eb} {sb})")
        }
        SortKind::Array([_, element]) => {
            let element = value(script, typed, *element, rank, depth + 1)?;
            format!("((as const {}) {element})", shown())
        }
        SortKind::Seq(_) if first => format!("(as seq.empty {})", shown()),
        SortKind::Set(_) if first => format!("(as set.empty {})", shown()),
        SortKind::Bag(_) if first => format!("(as bag.empty {})", shown()),
        SortKind::Named(id, arguments) => {
            let constructors = typed.declaration(*id).constructors.as_ref()?;
            let mut plain = constructors
                .iter()
                .filter(|constructor| constructor.selectors.is_empty());
            let constructor = plain.nth(usize::from(rank))?;
            let symbol = typed.function(constructor.function).symbol;
            let name = print::symbol(script, symbol);
            match arguments.is_empty() {
                true => name,
                false => format!("(as {name} {})", shown()),
            }
        }
        _ => return None,
    };
    // A sort that is shown shortened does not read back.
    (!text.contains('…')).then_some(text)
}
