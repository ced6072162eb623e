//! Making one change in the arena, and taking it back.

use std::collections::BTreeSet;
use std::ops::Range;

use super::simplest::simplest;
use super::{Change, declared, floats, widths};
use crate::operators::Operators;
use crate::syntax::{
    self, Binding, Command, CommandKind, Identifier, Literal, Node, Script, SortId, Symbol,
    Symbols, Term, TermId,
};
use crate::typing::Typed;

/// What was changed, to be put back. Appended nodes stay: nothing reaches them.
#[derive(Default)]
pub(super) struct Undo {
    nodes: Vec<(TermId, Node)>,
    commands: Option<Vec<Command>>,
    identifiers: Option<Vec<Identifier>>,
    symbols: Option<Symbols>,
}

impl Undo {
    pub(super) fn take_back(self, script: &mut Script) {
        for (term, node) in self.nodes.into_iter().rev() {
            script.nodes[term.index()] = node;
        }
        if let Some(commands) = self.commands {
            script.commands = commands;
        }
        if let Some(identifiers) = self.identifiers {
            script.identifiers = identifiers;
        }
        if let Some(symbols) = self.symbols {
            script.symbols = symbols;
        }
    }

    pub(super) fn commands(&mut self, script: &mut Script, commands: Vec<Command>) {
        let old = std::mem::replace(&mut script.commands, commands);
        self.commands.get_or_insert(old);
    }

    pub(super) fn identifiers(&mut self, script: &mut Script, identifiers: Vec<Identifier>) {
        let old = std::mem::replace(&mut script.identifiers, identifiers);
        self.identifiers.get_or_insert(old);
    }

    /// The term becomes what `replacement` is. A term has one parent, so this
    /// changes nothing else.
    pub(super) fn replace(&mut self, script: &mut Script, term: TermId, replacement: TermId) {
        let node = script.nodes[replacement.index()];
        let old = std::mem::replace(&mut script.nodes[term.index()], node);
        self.nodes.push((term, old));
    }
}

/// Makes the change and says in words what it is; none if it cannot be made.
pub(super) fn apply(
    script: &mut Script,
    typed: &Typed,
    change: &Change,
    undo: &mut Undo,
) -> Option<String> {
    match change {
        Change::Drop(commands, range, what) => {
            let chosen = &commands[range.start as usize..range.end as usize];
            drop_commands(script, chosen, undo);
            Some(format!("drop {} {what}", chosen.len()))
        }
        Change::Hoist(term, child) => {
            undo.replace(script, *term, *child);
            Some("replace a term by its subterm".to_string())
        }
        Change::Simplest(term, rank) => {
            let text = simplest(script, typed, typed.sort(*term)?, *rank)?;
            rewrite(script, *term, &text, &text, undo)
        }
        Change::DropArguments(term, range) => drop_arguments(script, *term, range, undo),
        Change::DropBinding(term, at) => drop_binding(script, *term, *at as usize, undo),
        Change::Inline(term, at) => inline(script, *term, *at as usize, undo),
        Change::InlineDefinition(at) => inline_definition(script, *at as usize, undo),
        Change::FixConstant(at, rank) => fix_constant(script, typed, *at as usize, *rank, undo),
        Change::Instantiate(term) => instantiate(script, typed, *term, undo),
        Change::DropVariable(term, at) => drop_variable(script, typed, *term, *at as usize, undo),
        Change::Shrink(term, rank) => shrink(script, *term, *rank, undo),
        Change::Width(from, to) => widths::change_one(script, typed, *from, *to, undo),
        Change::Widths(parts) => widths::divide(script, typed, *parts, undo),
        Change::Plain(at) => plain(script, *at as usize, undo),
        Change::Rename => rename(script, undo),
        Change::Constant(term, text) => rewrite(script, *term, text, "a constant", undo),
        Change::Fresh(term) => declared::fresh(script, typed, *term, undo),
        Change::Unify(one, other) => declared::unify(script, *one as usize, *other as usize, undo),
        Change::Substitute(at) => declared::substitute(script, *at as usize, undo),
        Change::Merge(at, part, leaf) => merge(script, *at, *part, *leaf, undo),
        Change::SplitConjunction(at) => declared::split(script, *at as usize, undo),
        Change::DropParameter(at, parameter) => {
            declared::drop_parameter(script, *at as usize, *parameter as usize, undo)
        }
        Change::DropDatatype(at, datatype) => {
            declared::drop_datatype(script, *at as usize, *datatype as usize, undo)
        }
        Change::DropConstructor(at, datatype, constructor) => {
            declared::drop_constructor(script, [*at, *datatype, *constructor], undo)
        }
        Change::DropSelector(at, datatype, constructor, selector) => {
            declared::drop_selector(script, [*at, *datatype, *constructor, *selector], undo)
        }
        Change::Float(from, to) => floats::change(script, typed, *from, *to, undo),
        Change::FloatBits(from, to) => {
            widths::change_one(script, typed, from.0 + from.1, to.0 + to.1, undo);
            floats::change(script, typed, *from, *to, undo)
        }
        Change::Constants => declared::as_constants(script, undo),
    }
}

pub(super) fn drop_commands(script: &mut Script, chosen: &[u32], undo: &mut Undo) {
    let kept = (0u32..)
        .zip(&script.commands)
        .filter(|(at, _)| chosen.binary_search(at).is_err())
        .map(|(_, command)| command.clone())
        .collect();
    undo.commands(script, kept);
}

/// The assertion number `at` goes; `part` of it stands at `leaf` of another one.
fn merge(
    script: &mut Script,
    at: u32,
    part: TermId,
    leaf: TermId,
    undo: &mut Undo,
) -> Option<String> {
    undo.replace(script, leaf, part);
    drop_commands(script, &[at], undo);
    Some("merge two assertions".to_string())
}

fn rename(script: &mut Script, undo: &mut Undo) -> Option<String> {
    let texts = short_names(script);
    undo.symbols = Some(script.replace_symbols(&texts));
    Some("short names".to_string())
}

/// The term becomes what the text says, which is called `what`.
fn rewrite(
    script: &mut Script,
    term: TermId,
    text: &str,
    what: &str,
    undo: &mut Undo,
) -> Option<String> {
    let made = syntax::parse_term(script, text).ok()?;
    undo.replace(script, term, made);
    Some(format!("replace a term by {what}"))
}

/// At least two arguments stay.
fn drop_arguments(
    script: &mut Script,
    term: TermId,
    range: &Range<u32>,
    undo: &mut Undo,
) -> Option<String> {
    let Term::Application { head, arguments } = script.term(term) else {
        return None;
    };
    let mut kept = arguments[..range.start as usize].to_vec();
    kept.extend_from_slice(&arguments[range.end as usize..]);
    if kept.len() < 2 {
        return None;
    }
    let made = script.make_application(head, &kept);
    undo.replace(script, term, made);
    Some(format!("drop {} arguments", range.len()))
}

fn drop_binding(script: &mut Script, term: TermId, at: usize, undo: &mut Undo) -> Option<String> {
    let Term::Let { bindings, body } = script.term(term) else {
        return None;
    };
    let mut kept = bindings.to_vec();
    kept.remove(at);
    let made = match kept.is_empty() {
        true => body,
        false => script.make_let(&kept, body),
    };
    undo.replace(script, term, made);
    Some("drop a binding".to_string())
}

/// Occurrences of a variable below `root` that no inner binder hides.
pub(super) fn occurrences(script: &Script, symbol: Symbol, root: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut work = vec![root];
    while let Some(term) = work.pop() {
        match script.term(term) {
            Term::Application {
                head,
                arguments: [],
            } => {
                let identifier = script.identifier(head);
                if identifier.symbol == symbol && identifier.indices.is_empty() {
                    found.push(term);
                }
            }
            Term::Let { bindings, .. } if bindings.iter().any(|b| b.symbol == symbol) => {
                work.extend(bindings.iter().map(|binding| binding.term));
            }
            Term::Bind { variables, .. } if variables.iter().any(|v| v.symbol == symbol) => {}
            _ => script.push_subterms(term, &mut work),
        }
    }
    found
}

/// More copies of a term than this are not made.
pub(super) const MAX_COPIES: usize = 4;

fn inline(script: &mut Script, term: TermId, at: usize, undo: &mut Undo) -> Option<String> {
    let Term::Let { bindings, body } = script.term(term) else {
        return None;
    };
    let binding = bindings[at];
    let places = occurrences(script, binding.symbol, body);
    if places.is_empty() || places.len() > MAX_COPIES {
        return None;
    }
    // First the occurrences: the body itself may be one.
    for place in places {
        undo.replace(script, place, binding.term);
    }
    drop_binding(script, term, at, undo)?;
    Some("inline a binding".to_string())
}

fn inline_definition(script: &mut Script, at: usize, undo: &mut Undo) -> Option<String> {
    let definition = match &script.commands[at].kind {
        CommandKind::DefineFun(definition) | CommandKind::DefineConst(definition) => {
            definition.clone()
        }
        _ => return None,
    };
    let mut calls = Vec::new();
    for command in &script.commands[at + 1..] {
        let mut work = command.kind.terms();
        while let Some(term) = work.pop() {
            script.push_subterms(term, &mut work);
            if let Term::Application { head, .. } = script.term(term)
                && script.identifier(head).symbol == definition.symbol
            {
                calls.push(term);
            }
        }
        if calls.len() > MAX_COPIES {
            return None;
        }
    }
    for call in calls {
        let Term::Application { arguments, .. } = script.term(call) else {
            continue;
        };
        if arguments.len() != definition.parameters.len() {
            return None;
        }
        let bindings: Vec<Binding> = definition
            .parameters
            .iter()
            .zip(arguments)
            .map(|(parameter, &term)| Binding {
                symbol: parameter.symbol,
                term,
            })
            .collect();
        let made = match bindings.is_empty() {
            true => definition.body,
            false => script.make_let(&bindings, definition.body),
        };
        undo.replace(script, call, made);
    }
    drop_commands(script, &[at as u32], undo);
    Some("inline a definition".to_string())
}

fn fix_constant(
    script: &mut Script,
    typed: &Typed,
    at: usize,
    rank: u8,
    undo: &mut Undo,
) -> Option<String> {
    let (symbol, sort) = constant(&script.commands[at].kind)?;
    let text = simplest(script, typed, typed.sort_of_id(sort)?, rank)?;
    let value = syntax::parse_term(script, &text).ok()?;
    for place in uses(script, symbol) {
        undo.replace(script, place, value);
    }
    drop_commands(script, &[at as u32], undo);
    Some(format!("replace a constant by {text}"))
}

/// The constant that a command declares, and its sort.
pub(super) fn constant(kind: &CommandKind) -> Option<(Symbol, SortId)> {
    match kind {
        CommandKind::DeclareConst(symbol, sort) => Some((*symbol, *sort)),
        CommandKind::DeclareFun(symbol, parameters, sort) if parameters.is_empty() => {
            Some((*symbol, *sort))
        }
        _ => None,
    }
}

/// Occurrences of a constant in all commands.
pub(super) fn uses(script: &Script, symbol: Symbol) -> Vec<TermId> {
    let commands = script.commands.iter();
    let roots = commands.flat_map(|command| command.kind.terms());
    roots
        .flat_map(|root| occurrences(script, symbol, root))
        .collect()
}

fn instantiate(
    script: &mut Script,
    typed: &Typed,
    term: TermId,
    undo: &mut Undo,
) -> Option<String> {
    let sorts = typed.bound_sorts(script, term)?;
    let Term::Bind {
        variables, body, ..
    } = script.term(term)
    else {
        return None;
    };
    let variables = variables.to_vec();
    let mut bindings = Vec::new();
    for (variable, sort) in variables.iter().zip(sorts) {
        if occurrences(script, variable.symbol, body).is_empty() {
            continue;
        }
        let text = simplest(script, typed, sort, 0)?;
        bindings.push(Binding {
            symbol: variable.symbol,
            term: syntax::parse_term(script, &text).ok()?,
        });
    }
    let made = match bindings.is_empty() {
        true => body,
        false => script.make_let(&bindings, body),
    };
    undo.replace(script, term, made);
    Some("instantiate a quantifier".to_string())
}

fn drop_variable(
    script: &mut Script,
    typed: &Typed,
    term: TermId,
    at: usize,
    undo: &mut Undo,
) -> Option<String> {
    let sort = *typed.bound_sorts(script, term)?.get(at)?;
    let Term::Bind {
        binder,
        variables,
        body,
    } = script.term(term)
    else {
        return None;
    };
    let mut kept = variables.to_vec();
    let dropped = kept.remove(at);
    let places = occurrences(script, dropped.symbol, body);
    if !places.is_empty() {
        let text = simplest(script, typed, sort, 0)?;
        let value = syntax::parse_term(script, &text).ok()?;
        for place in places {
            undo.replace(script, place, value);
        }
    }
    let made = script.make_bind(binder, &kept, body);
    undo.replace(script, term, made);
    Some("drop a bound variable".to_string())
}

fn shrink(script: &mut Script, term: TermId, rank: u8, undo: &mut Undo) -> Option<String> {
    let Term::Literal(literal, text) = script.term(term) else {
        return None;
    };
    let smaller = match (literal, rank) {
        (Literal::Numeral, 0) => "0".to_string(),
        (Literal::Numeral, 1) => "1".to_string(),
        (Literal::Decimal, 0) => "0.0".to_string(),
        (Literal::Decimal, 1) => "1.0".to_string(),
        (Literal::Numeral | Literal::Decimal, _) => match text.parse::<u64>() {
            Ok(number) if number > 3 => (number / 2).to_string(),
            Ok(_) => return None,
            // Half of the digits is a smaller number too.
            Err(_) => text.split('.').next()?.get(..text.len() / 2)?.to_string(),
        },
        (Literal::String, 0) => String::new(),
        (Literal::String, 1 | 2) => string_half(text, rank == 1)?,
        (Literal::String, _) => without_letter(text, usize::from(rank) - 3)?,
        (Literal::Binary, 0) => format!("#b{}", "0".repeat(text.len() - 2)),
        (Literal::Hexadecimal, 0) => format!("#x{}", "0".repeat(text.len() - 2)),
        _ => return None,
    };
    let smaller = match literal {
        Literal::Decimal if !smaller.contains('.') => format!("{smaller}.0"),
        _ => smaller,
    };
    if smaller == text || smaller.is_empty() && literal != Literal::String {
        return None;
    }
    let made = script.make_literal(literal, &smaller);
    undo.replace(script, term, made);
    Some("shrink a literal".to_string())
}

/// One half of a string literal; an escape or doubled quote is not cut.
fn string_half(text: &str, front: bool) -> Option<String> {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() < 2 || text.contains(['\\', '"']) {
        return None;
    }
    let (first, last) = chars.split_at(chars.len() / 2);
    Some((if front { first } else { last }).iter().collect())
}

/// A string literal without one letter.
fn without_letter(text: &str, at: usize) -> Option<String> {
    if text.contains(['\\', '"']) {
        return None;
    }
    let (at, letter) = text.char_indices().nth(at)?;
    Some([&text[..at], &text[at + letter.len_utf8()..]].concat())
}

fn plain(script: &mut Script, at: usize, undo: &mut Undo) -> Option<String> {
    let kind = match &script.commands[at].kind {
        CommandKind::AssertSoft(term, _) => CommandKind::Assert(*term),
        CommandKind::CheckSatAssuming(_) => CommandKind::CheckSat(Vec::new()),
        _ => return None,
    };
    let mut commands = script.commands.clone();
    commands[at].kind = kind;
    undo.commands(script, commands);
    Some("plain command".to_string())
}

/// `a`, `b`, … for the script's own symbols, other texts as they are.
fn short_names(script: &Script) -> Vec<String> {
    let own = script.own_symbols();
    let taken: BTreeSet<&str> = script
        .symbols()
        .iter()
        .filter(|(symbol, _)| !own[symbol.index()])
        .map(|(_, text)| text)
        .collect();
    let operators = Operators::built_in();
    let mut next = 0usize;
    let mut fresh = || {
        loop {
            let letter = char::from(b'a' + (next % 26) as u8);
            let round = next / 26;
            let name = match round {
                0 => letter.to_string(),
                _ => format!("{letter}{round}"),
            };
            next += 1;
            if !taken.contains(name.as_str()) && operators.named(&name).is_empty() && name != "as" {
                return name;
            }
        }
    };
    script
        .symbols()
        .iter()
        .map(|(symbol, text)| match own[symbol.index()] {
            true => fresh(),
            false => text.to_string(),
        })
        .collect()
}
