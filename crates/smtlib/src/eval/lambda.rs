//! Functions as arrays: chains of `ite` read as tables.

use crate::syntax::{Script, Symbol, Term, TermId};

/// The parts of a table: index and value terms, the first that fits counts,
/// and the default.
pub(super) struct Table {
    pub(super) entries: Vec<(TermId, TermId)>,
    pub(super) default: TermId,
}

/// Reads `(ite (= x c) v (ite …))` as a table, if that is all there is.
pub(super) fn table(script: &Script, parameter: Symbol, body: TermId) -> Option<Table> {
    let mut entries = Vec::new();
    let mut rest = body;
    loop {
        match script.term(rest) {
            Term::Annotated { term, .. } => rest = term,
            Term::Application {
                head,
                arguments: [condition, value, other],
            } if script.name(script.identifier(head).symbol) == "ite" => {
                if mentions(script, *value, parameter) {
                    return None;
                }
                for index in indices(script, parameter, *condition)? {
                    entries.push((index, *value));
                }
                rest = *other;
            }
            _ => break,
        }
    }
    (!mentions(script, rest, parameter)).then_some(Table {
        entries,
        default: rest,
    })
}

/// The indices of a condition `(= x c)`, `(= c x)` or an `or` of those.
fn indices(script: &Script, parameter: Symbol, condition: TermId) -> Option<Vec<TermId>> {
    let mut found = Vec::new();
    let mut stack = vec![condition];
    while let Some(condition) = stack.pop() {
        let Term::Application { head, arguments } = script.term(condition) else {
            return None;
        };
        let is_parameter = |term: TermId| {
            matches!(script.term(term), Term::Application { head, arguments: [] }
                if script.identifier(head).symbol == parameter)
        };
        match (script.name(script.identifier(head).symbol), arguments) {
            ("=", [x, c]) if is_parameter(*x) && !mentions(script, *c, parameter) => found.push(*c),
            ("=", [c, x]) if is_parameter(*x) && !mentions(script, *c, parameter) => found.push(*c),
            ("or", conditions) => stack.extend(conditions.iter().rev()),
            _ => return None,
        }
    }
    Some(found)
}

/// True if the name occurs in the term, bound or not.
fn mentions(script: &Script, term: TermId, name: Symbol) -> bool {
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if let Term::Application { head, .. } = script.term(term)
            && script.identifier(head).symbol == name
        {
            return true;
        }
        script.push_subterms(term, &mut stack);
    }
    false
}
