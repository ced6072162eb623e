//! One question of a seed as a script of its own: no levels, no assumptions,
//! no named terms; and, for the second of two seeds, no name that another
//! seed may have.

use std::collections::BTreeSet;

use crate::eval::question;
use crate::mutate::mutant::Unusable;
use crate::print;
use crate::syntax::{
    self, Attribute, AttributeValue, CommandKind, Kind, Lexer, Node, Range, Script, Symbol, TermId,
};

/// Texts of more bytes than this are not made: terms that are named once and
/// assumed often can grow.
const MAX_TEXT: usize = 1 << 20;

/// The text of question number `asked` of a seed. With a suffix, every name
/// that the seed introduces ends with it.
pub(super) fn flatten(text: &[u8], asked: usize, suffix: Option<&str>) -> Result<String, Unusable> {
    let mut script = syntax::parse(text).map_err(|_| "the seed cannot be read")?;
    keep_question(&mut script, asked)?;
    drop_names(&mut script)?;
    let text = print::script(&script);
    if text.len() > MAX_TEXT {
        return Err("the seed's assumptions are too large when written out");
    }
    Ok(match suffix {
        Some(suffix) => renamed(&script, &text, suffix),
        None => text,
    })
}

/// Keeps the declarations and assertions in force at a question; assumptions
/// become assertions.
fn keep_question(script: &mut Script, asked: usize) -> Result<(), Unusable> {
    let question = question(script, asked).ok_or("the seed asks no such question")?;
    let mut assertions: BTreeSet<TermId> = question.assertions.iter().copied().collect();
    let declarations: BTreeSet<usize> = question.declarations.iter().copied().collect();
    let mut kept = Vec::new();
    for (at, command) in std::mem::take(&mut script.commands).into_iter().enumerate() {
        match &command.kind {
            CommandKind::Assert(term) if assertions.remove(term) => kept.push(command),
            CommandKind::SetOption(_) => {}
            _ if declarations.contains(&at) => kept.push(command),
            _ => {}
        }
    }
    // What is left was assumed.
    kept.extend(
        assertions
            .into_iter()
            .map(|term| CommandKind::Assert(term).into()),
    );
    kept.push(CommandKind::CheckSat(Vec::new()).into());
    script.commands = kept;
    Ok(())
}

/// Takes the names off terms. A name that is asserted stands for its term.
fn drop_names(script: &mut Script) -> Result<(), Unusable> {
    let mut named: Vec<(Symbol, TermId)> = Vec::new();
    for term in script.terms() {
        let Node::Annotated(inner, range) = script.nodes[term.index()] else {
            continue;
        };
        let attributes = script.attributes[range.indices()].to_vec();
        let is_name = |a: &&Attribute| matches!(a.value, AttributeValue::Name(_));
        let others: Vec<Attribute> = attributes.iter().filter(|a| !is_name(a)).copied().collect();
        for attribute in attributes.iter().filter(is_name) {
            if let AttributeValue::Name(symbol) = attribute.value {
                named.push((symbol, inner));
            }
        }
        if others.len() == attributes.len() {
            continue;
        }
        script.nodes[term.index()] = match others.is_empty() {
            true => script.nodes[inner.index()],
            false => {
                let range = Range::next(script.attributes.len(), others.len());
                script.attributes.extend(others);
                Node::Annotated(inner, range)
            }
        };
    }
    if named.is_empty() {
        return Ok(());
    }
    let name_of = |script: &Script, term: TermId| match script.nodes[term.index()] {
        Node::Application(head, range) if range.indices().is_empty() => {
            let symbol = script.identifier(head).symbol;
            let found = named.iter().find(|(name, _)| *name == symbol);
            found.map(|(_, inner)| *inner)
        }
        _ => None,
    };
    for command in &script.commands {
        if let CommandKind::Assert(term) = command.kind
            && let Some(inner) = name_of(script, term)
        {
            script.nodes[term.index()] = script.nodes[inner.index()];
        }
    }
    let mut work: Vec<TermId> = Vec::new();
    work.extend(
        script
            .commands
            .iter()
            .flat_map(|command| command.kind.terms()),
    );
    while let Some(term) = work.pop() {
        if name_of(script, term).is_some() {
            return Err("the seed uses the name of a term inside another");
        }
        script.push_subterms(term, &mut work);
    }
    Ok(())
}

/// The text with `suffix` behind every name that the script introduces. Words
/// are changed, not symbols: a literal may have the text of a name.
fn renamed(script: &Script, text: &str, suffix: &str) -> String {
    let introduced = script.introduced_symbols();
    let own: BTreeSet<&str> = script
        .symbols()
        .iter()
        .filter(|(symbol, _)| introduced[symbol.index()])
        .map(|(_, name)| name)
        .collect();
    // z3's testers `is-C` are made of a constructor's name.
    let is_own = |name: &str| {
        own.contains(name)
            || name
                .strip_prefix("is-")
                .is_some_and(|name| own.contains(name))
    };
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    let mut copied = 0;
    let mut lexer = Lexer::new(text);
    while let Ok(token) = lexer.next() {
        match token.kind {
            Kind::End => break,
            Kind::Symbol | Kind::Quoted if is_own(lexer.text(token)) => {
                out.push_str(&text[copied..token.offset as usize]);
                out.push_str(&print::quoted(&format!("{}{suffix}", lexer.text(token))));
                copied = lexer.position;
            }
            _ => {}
        }
    }
    out.push_str(&text[copied..]);
    out
}
