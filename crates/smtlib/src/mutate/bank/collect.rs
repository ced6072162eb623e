//! Building a bank from seeds.

use std::collections::BTreeSet;

use lydite_core::Seed;

use super::{HEADER, adopt};
use crate::mutate::mutant::Original;
use crate::mutate::view::View;
use crate::operators::Operators;
use crate::sort::{Sort, Sorts};
use crate::syntax::{Literal, Term, TermId};
use crate::typing::Resolved;

/// Terms of more nodes than this, holes not counted, are left out.
const MAX_NODES: usize = 24;
/// Terms of fewer say nothing that the operator table does not.
const MIN_NODES: usize = 2;
/// Terms with more holes are left out.
const MAX_HOLES: usize = 8;

/// The bank of all seeds that can be read, as text.
pub fn collect(seeds: &[Seed]) -> String {
    let operators = Operators::built_in();
    let mut lines: BTreeSet<(String, usize, String)> = BTreeSet::new();
    for seed in seeds {
        let Ok(original) = Original::read(&seed.text, operators, View::ANSWERS) else {
            continue;
        };
        let mut scratch = Sorts::default();
        for term in original.script.terms() {
            if original.operator(term).is_none() {
                continue;
            }
            let mut shape = Shape {
                original: &original,
                operators,
                scratch: &mut scratch,
                holes: Vec::new(),
                nodes: 0,
                text: String::new(),
            };
            if let Some(sort) = shape.sort_text(original.sort(term))
                && shape.write(term).is_some()
                && shape.nodes >= MIN_NODES
            {
                let (holes, text) = (shape.hole_text(), shape.text);
                lines.insert((sort.clone(), text.len(), format!("{holes} {sort} {text}")));
            }
        }
    }
    let mut bank = format!("{HEADER}\n");
    for (_, _, line) in lines {
        bank.push_str(&line);
        bank.push('\n');
    }
    bank
}

/// A term in the making.
struct Shape<'a> {
    original: &'a Original,
    operators: &'a Operators,
    scratch: &'a mut Sorts,
    /// The text and sort of what each hole stands for.
    holes: Vec<(&'a str, String)>,
    nodes: usize,
    text: String,
}

impl<'a> Shape<'a> {
    /// The sort as text if it is built in.
    fn sort_text(&mut self, sort: Sort) -> Option<String> {
        let own = adopt(self.scratch, &self.original.typed.sorts, sort)?;
        self.scratch.written(own, &|_| String::new())
    }

    /// Writes a term; none if it is too large or not over built-in sorts.
    /// Recursion is bounded by [`MAX_NODES`].
    fn write(&mut self, term: TermId) -> Option<()> {
        let original = self.original;
        let sort = self.sort_text(original.sort(term))?;
        let operator = match (original.script.term(term), original.typed.resolved(term)) {
            (Term::Literal(..), _) | (_, Resolved::Literal) => None,
            (Term::Application { .. }, Resolved::Operator(id)) => Some(id),
            _ => return self.hole(term, sort),
        };
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return None;
        }
        let Term::Application { head, arguments } = original.script.term(term) else {
            self.text.push_str(original.term_text(term));
            if let Term::Literal(Literal::Numeral, _) = original.script.term(term)
                && original.sort(term) == Sort::REAL
            {
                self.text.push_str(".0");
            }
            return Some(());
        };
        let identifier = original.script.identifier(head);
        let plain = identifier.indices.is_empty() && identifier.sort.is_none();
        let head = match operator {
            Some(id) if plain => &self.operators.get(id).name,
            _ => &original.text[original.head_span(term)],
        };
        if arguments.is_empty() {
            self.text.push_str(head);
            return Some(());
        }
        self.text.push('(');
        self.text.push_str(head);
        for &argument in arguments {
            self.text.push(' ');
            self.write(argument)?;
        }
        self.text.push(')');
        Some(())
    }

    fn hole(&mut self, term: TermId, sort: String) -> Option<()> {
        let text = self.original.term_text(term);
        let known = self.holes.iter().position(|(other, _)| *other == text);
        let at = known.unwrap_or_else(|| {
            self.holes.push((text, sort));
            self.holes.len() - 1
        });
        self.text.push_str(&format!("?{at}"));
        (at < MAX_HOLES).then_some(())
    }

    fn hole_text(&self) -> String {
        let holes = self.holes.iter().enumerate();
        let holes: Vec<String> = holes
            .map(|(at, (_, sort))| format!("(?{at} {sort})"))
            .collect();
        format!("({})", holes.join(" "))
    }
}
