//! The layout for people: terms that do not fit on a line are broken.

use std::fmt::Write;

use super::dialect::Dialect;
use super::writer::Writer;
use crate::syntax::{Script, Term, TermId};

/// Where lines end if they can.
const COLUMNS: u32 = 88;
/// Deeper terms are not indented further: the text stays linear in the script.
const MAX_INDENT: u32 = 40;
const SPACES: &str = "                                        ";

/// How wide every term of a script is on one line.
pub(super) struct Layout {
    widths: Vec<u32>,
}

/// The whole script, indented.
pub fn pretty(script: &Script) -> String {
    let layout = Layout::new(script);
    let mut text = String::new();
    let mut writer = Writer::new(script, Dialect::AsWritten, &mut text);
    writer.layout = Some(&layout);
    for command in &script.commands {
        writer
            .command(command)
            .and_then(|()| writer.out.write_char('\n'))
            .expect("writing to a string cannot fail");
    }
    text
}

/// One term, indented.
pub fn pretty_term(script: &Script, term: TermId) -> String {
    let layout = Layout::new(script);
    let mut text = String::new();
    let mut writer = Writer::new(script, Dialect::AsWritten, &mut text);
    writer.layout = Some(&layout);
    writer.term(term).expect("writing to a string cannot fail");
    text
}

impl Layout {
    fn new(script: &Script) -> Layout {
        let mut widths: Vec<u32> = Vec::with_capacity(script.term_count());
        let mut subterms = Vec::new();
        for term in script.terms() {
            subterms.clear();
            script.push_subterms(term, &mut subterms);
            // Children come before their parents in the arena.
            let inner = subterms.iter().fold(0u32, |sum, term| {
                sum.saturating_add(widths[term.index()] + 1)
            });
            widths.push(inner.saturating_add(own_width(script, term)).min(1 << 20));
        }
        Layout { widths }
    }

    pub(super) fn breaks(&self, term: TermId, indent: u32) -> bool {
        self.widths[term.index()].saturating_add(indent.min(MAX_INDENT)) > COLUMNS
    }

    pub(super) fn spaces(&self, indent: u32) -> &'static str {
        &SPACES[..indent.min(MAX_INDENT) as usize]
    }
}

/// About what a term takes besides its subterms.
fn own_width(script: &Script, term: TermId) -> u32 {
    let named = |len: usize| u32::try_from(len).unwrap_or(u32::MAX).min(1 << 20);
    match script.term(term) {
        Term::Literal(_, text) => named(text.len()),
        Term::Application { head, .. } => {
            let identifier = script.identifier(head);
            let indices = 5 * identifier.indices.len();
            named(script.name(identifier.symbol).len() + indices + 2)
        }
        Term::Apply { .. } => 2,
        Term::Let { bindings, .. } => named(8 + 10 * bindings.len()),
        Term::Bind { variables, .. } => named(12 + 12 * variables.len()),
        Term::Match { cases, .. } => named(10 + 12 * cases.len()),
        Term::Annotated { attributes, .. } => named(4 + 14 * attributes.len()),
    }
}
