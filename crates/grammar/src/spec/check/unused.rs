//! What is surely not meant: types that no value has, functions that nobody
//! calls.

use std::collections::BTreeSet;

use super::definitions::{DefKind, Definitions};
use super::types::{Problems, TUPLE, Type};
use crate::spec::syntax::File;

/// Says which types have no finite value: each of their values would have another
/// one inside.
pub(super) fn check_types(files: &[&File], defs: &Definitions, problems: &mut Problems) {
    let mut has_value: Vec<bool> = defs.types.iter().map(|def| is_plain(&def.kind)).collect();
    loop {
        let mut changed = false;
        for (id, def) in defs.types.iter().enumerate() {
            if has_value[id] {
                continue;
            }
            let found = match &def.kind {
                DefKind::Variant(variants) => variants
                    .iter()
                    .any(|(_, fields)| fields.iter().all(|of| ends(of, &has_value))),
                DefKind::Record(fields) => fields.iter().all(|(_, of)| ends(of, &has_value)),
                _ => true,
            };
            has_value[id] |= found;
            changed |= found;
        }
        if !changed {
            break;
        }
    }
    let items = files.iter().flat_map(|file| &file.types);
    for (item, has_value) in items.zip(&has_value) {
        if !has_value {
            let name = &item.name.text;
            let problem = format!(
                "type `{name}` has no value: each would have another `{name}` inside, without end"
            );
            problems.error(item.name.span, problem);
        }
    }
}

fn is_plain(kind: &DefKind) -> bool {
    matches!(kind, DefKind::BuiltIn | DefKind::Alias(_) | DefKind::Below)
}

/// True if the type has a value, as far as is known. Built-in types do, whatever
/// their arguments: lists may be empty. Parameters stand for types that do.
fn ends(of: &Type, has_value: &[bool]) -> bool {
    match of {
        Type::Named(TUPLE, parts) => parts.iter().all(|part| ends(part, has_value)),
        Type::Named(id, _) => has_value[*id as usize],
        _ => true,
    }
}

/// Warns of the user's functions that nothing but functions of that kind calls. `calls` says
/// which functions each one calls, `called` which are called by rules.
pub(super) fn check_functions(
    files: &[&File],
    calls: &[Vec<u32>],
    called: &BTreeSet<u32>,
    problems: &mut Problems,
) {
    let mut used = vec![false; calls.len()];
    let mut todo: Vec<u32> = called.iter().copied().collect();
    while let Some(function) = todo.pop() {
        if !std::mem::replace(&mut used[function as usize], true) {
            todo.extend(&calls[function as usize]);
        }
    }
    let items = files.iter().flat_map(|file| &file.functions);
    for (item, used) in items.zip(used) {
        // Libraries, and what a spec extends, have more than one needs.
        if !used && item.name.span.file == 0 {
            let problem = format!("function `{}` is never called", item.name.text);
            problems.warning(item.name.span, problem);
        }
    }
}
