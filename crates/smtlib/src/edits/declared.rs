//! Edits of what a script declares, with everything that speaks of it.

use std::collections::BTreeSet;

use super::apply::{MAX_COPIES, Undo, constant, drop_commands, occurrences, uses};
use crate::syntax::{
    self, Command, CommandKind, Datatype, Script, Symbol, Term, TermId, declared_symbols,
};
use crate::typing::Typed;

/// A term becomes a new constant of its sort.
pub(super) fn fresh(
    script: &mut Script,
    typed: &Typed,
    term: TermId,
    undo: &mut Undo,
) -> Option<String> {
    let sort = typed.show(script, typed.sort(term)?);
    // A sort that is shown shortened does not read back.
    if sort.contains('…') {
        return None;
    }
    let declared: BTreeSet<&str> = script
        .commands
        .iter()
        .flat_map(|command| declared_symbols(command).unwrap_or_default())
        .map(|symbol| script.name(symbol))
        .collect();
    let names = (0..).map(|number| format!("v{number}"));
    let name = names
        .take(declared.len() + 1)
        .find(|name| !declared.contains(name.as_str()))?;
    let declaration = format!("(declare-const {name} {sort})");
    let declaration = syntax::parse_commands(script, &declaration).ok()?;
    let value = syntax::parse_term(script, &name).ok()?;
    // Before the first term, so after the sorts that it may need.
    let has_terms = |command: &Command| !command.kind.terms().is_empty();
    let at = script.commands.iter().position(has_terms)?;
    let mut commands = script.commands.clone();
    commands.splice(at..at, declaration);
    undo.commands(script, commands);
    undo.replace(script, term, value);
    Some("replace a term by a new constant".to_string())
}

/// The constant of one declaration becomes that of another.
pub(super) fn unify(
    script: &mut Script,
    one: usize,
    other: usize,
    undo: &mut Undo,
) -> Option<String> {
    let (gone, _) = constant(&script.commands[one].kind)?;
    let (kept, _) = constant(&script.commands[other].kind)?;
    let name = crate::print::symbol(script, kept);
    let value = syntax::parse_term(script, &name).ok()?;
    for place in uses(script, gone) {
        undo.replace(script, place, value);
    }
    drop_commands(script, &[one as u32], undo);
    Some("one constant instead of two".to_string())
}

/// `(assert (= x t))` goes, with the constant x: t takes its place.
pub(super) fn substitute(script: &mut Script, at: usize, undo: &mut Undo) -> Option<String> {
    let CommandKind::Assert(term) = script.commands[at].kind else {
        return None;
    };
    let (symbol, value) = equation(script, term)?;
    let declares = |command: &Command| constant(&command.kind).is_some_and(|(s, _)| s == symbol);
    let declaration = script.commands.iter().position(declares)?;
    let mut places = uses(script, symbol);
    // One of them is the constant's side of the equation, which goes.
    places.retain(|place| !is_below(script, *place, term));
    if places.len() > MAX_COPIES {
        return None;
    }
    for place in places {
        undo.replace(script, place, value);
    }
    let mut gone = [at as u32, declaration as u32];
    gone.sort_unstable();
    drop_commands(script, &gone, undo);
    Some("substitute a constant".to_string())
}

/// The constant and the other side of an equation, if that does not speak of
/// the constant.
pub(super) fn equation(script: &Script, term: TermId) -> Option<(Symbol, TermId)> {
    let Term::Application {
        head,
        arguments: &[left, right],
    } = script.term(term)
    else {
        return None;
    };
    if script.name(script.identifier(head).symbol) != "=" {
        return None;
    }
    [(left, right), (right, left)]
        .into_iter()
        .find_map(|(side, value)| {
            let Term::Application {
                head,
                arguments: [],
            } = script.term(side)
            else {
                return None;
            };
            let symbol = script.identifier(head).symbol;
            let apart = occurrences(script, symbol, value).is_empty();
            apart.then_some((symbol, value))
        })
}

/// The parts of a conjunction.
pub(super) fn conjuncts(script: &Script, term: TermId) -> Option<Vec<TermId>> {
    let Term::Application { head, arguments } = script.term(term) else {
        return None;
    };
    let is_and = script.name(script.identifier(head).symbol) == "and";
    (is_and && arguments.len() > 1).then(|| arguments.to_vec())
}

/// One assertion for each part of a conjunction.
pub(super) fn split(script: &mut Script, at: usize, undo: &mut Undo) -> Option<String> {
    let CommandKind::Assert(term) = script.commands[at].kind else {
        return None;
    };
    let parts = conjuncts(script, term)?.into_iter();
    let mut commands = script.commands.clone();
    commands.splice(at..=at, parts.map(|part| CommandKind::Assert(part).into()));
    undo.commands(script, commands);
    Some("split a conjunction".to_string())
}

fn is_below(script: &Script, term: TermId, root: TermId) -> bool {
    let mut work = vec![root];
    while let Some(next) = work.pop() {
        if next == term {
            return true;
        }
        script.push_subterms(next, &mut work);
    }
    false
}

/// Applications of a symbol of the script, in all commands.
fn applications(script: &Script, symbol: Symbol) -> Vec<TermId> {
    let mut found = Vec::new();
    for command in &script.commands {
        let mut work = command.kind.terms();
        while let Some(term) = work.pop() {
            script.push_subterms(term, &mut work);
            if let Term::Application { head, .. } = script.term(term)
                && script.identifier(head).symbol == symbol
            {
                found.push(term);
            }
        }
    }
    found
}

/// Every application of `symbol` loses argument `at`.
fn drop_argument(script: &mut Script, symbol: Symbol, at: usize, undo: &mut Undo) {
    for term in applications(script, symbol) {
        let Term::Application { head, arguments } = script.term(term) else {
            continue;
        };
        if at < arguments.len() {
            let mut kept = arguments.to_vec();
            kept.remove(at);
            let made = script.make_application(head, &kept);
            undo.replace(script, term, made);
        }
    }
}

/// A declared function loses a parameter.
pub(super) fn drop_parameter(
    script: &mut Script,
    at: usize,
    parameter: usize,
    undo: &mut Undo,
) -> Option<String> {
    let mut commands = script.commands.clone();
    let CommandKind::DeclareFun(symbol, parameters, _) = &mut commands[at].kind else {
        return None;
    };
    let symbol = *symbol;
    parameters.remove(parameter);
    undo.commands(script, commands);
    drop_argument(script, symbol, parameter, undo);
    Some("drop a parameter".to_string())
}

/// A declaration of several datatypes loses one.
pub(super) fn drop_datatype(
    script: &mut Script,
    at: usize,
    datatype: usize,
    undo: &mut Undo,
) -> Option<String> {
    let mut commands = script.commands.clone();
    let CommandKind::DeclareDatatypes(_, _, datatypes) = &mut commands[at].kind else {
        return None;
    };
    datatypes.remove(datatype);
    undo.commands(script, commands);
    Some("drop a datatype".to_string())
}

/// Changes one datatype of a declaration.
fn change_datatype(
    script: &mut Script,
    at: u32,
    datatype: u32,
    undo: &mut Undo,
    change: impl FnOnce(&mut Datatype) -> Option<String>,
) -> Option<String> {
    let mut commands = script.commands.clone();
    let CommandKind::DeclareDatatypes(_, _, datatypes) = &mut commands[at as usize].kind else {
        return None;
    };
    let what = change(datatypes.get_mut(datatype as usize)?)?;
    undo.commands(script, commands);
    Some(what)
}

pub(super) fn drop_constructor(
    script: &mut Script,
    [at, datatype, constructor]: [u32; 3],
    undo: &mut Undo,
) -> Option<String> {
    change_datatype(script, at, datatype, undo, |datatype| {
        datatype.constructors.remove(constructor as usize);
        Some("drop a constructor".to_string())
    })
}

/// A constructor loses a selector, and its applications an argument.
pub(super) fn drop_selector(
    script: &mut Script,
    [at, datatype, constructor, selector]: [u32; 4],
    undo: &mut Undo,
) -> Option<String> {
    let mut symbol = None;
    let what = change_datatype(script, at, datatype, undo, |datatype| {
        let constructor = datatype.constructors.get_mut(constructor as usize)?;
        constructor.selectors.remove(selector as usize);
        symbol = Some(constructor.symbol);
        Some("drop a selector".to_string())
    })?;
    drop_argument(script, symbol?, selector as usize, undo);
    Some(what)
}

/// `(declare-fun x () S)` becomes `(declare-const x S)`, everywhere.
pub(super) fn as_constants(script: &mut Script, undo: &mut Undo) -> Option<String> {
    let mut commands = script.commands.clone();
    for command in &mut commands {
        if let Some((symbol, sort)) = constant(&command.kind) {
            command.kind = CommandKind::DeclareConst(symbol, sort);
        }
    }
    undo.commands(script, commands);
    Some("declare constants as such".to_string())
}
