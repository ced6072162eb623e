//! Templates: the one that declares the children, and further ones, in which
//! the same tree is written another time.

use super::annotations;
use super::classes::Grammar;
use super::definitions::hint;
use super::emit::{self, Site};
use super::productions::Context;
use super::types::Problems;
use crate::spec::compiled::Segment;
use crate::spec::run::{Code, Op};
use crate::spec::syntax::{Piece, ProductionItem};

/// Each text is a program of its own.
const MAX_TEXTS: usize = 16;

impl Context<'_> {
    /// The production's further templates, by the number of their text.
    pub(super) fn texts(
        &self,
        item: &ProductionItem,
        site: &Site,
        grammar: &mut Grammar,
        code: &mut Code,
        problems: &mut Problems,
    ) -> Vec<(u32, Vec<Segment>)> {
        let mut texts: Vec<(u32, Vec<Segment>)> = Vec::new();
        for (name, pieces) in &item.texts {
            let known = grammar.texts.iter().position(|known| *known == name.text);
            let number = known.unwrap_or_else(|| {
                grammar.texts.push(name.text.clone());
                grammar.texts.len() - 1
            });
            if number >= MAX_TEXTS {
                let problem = format!("more than {MAX_TEXTS} further texts");
                problems.error(name.span, problem);
                break;
            }
            if texts.iter().any(|(known, _)| *known == number as u32) {
                let problem = format!("text `{}` is set twice", name.text);
                problems.error(name.span, problem);
            }
            let segments = self.segments(item, pieces, site, code, problems);
            texts.push((number as u32, segments));
        }
        texts
    }

    /// A template's parts.
    pub(super) fn segments(
        &self,
        item: &ProductionItem,
        pieces: &[Piece],
        site: &Site,
        code: &mut Code,
        problems: &mut Problems,
    ) -> Vec<Segment> {
        let mut segments = Vec::new();
        for (at, piece) in pieces.iter().enumerate() {
            segments.push(match piece {
                Piece::Text(text) => Segment::Text(text.clone()),
                Piece::Indent => Segment::Indent,
                Piece::Unindent => Segment::Unindent,
                Piece::Child { hidden: true, .. } => continue,
                Piece::Child { .. } => match child(piece, site) {
                    Some(child) => Segment::Child(child),
                    // Too many, or not declared: an error already.
                    None => continue,
                },
                Piece::Again(name) => match child(piece, site) {
                    Some(child) => Segment::Child(child),
                    None => {
                        let names = site.children.iter().map(|(name, _)| name.as_str());
                        let hint = hint(&name.text, names);
                        let problem = format!("there is no child `{}`{hint}", name.text);
                        problems.error(name.span, problem);
                        continue;
                    }
                },
                Piece::Print(expr) => {
                    let made = emit::expression(self.defs, Some(site), expr, None, code, problems);
                    let (entry, sources) = (made.entry, made.sources);
                    // The text is printed, whatever the value's type.
                    code.ops.pop();
                    code.ops.extend([Op::Print, Op::Return]);
                    code.spans.push(expr.span);
                    Segment::Print { entry, sources }
                }
                Piece::Open | Piece::Close => parenthesis(item, pieces, at, site, problems),
            });
        }
        segments
    }
}

/// Which child a piece is.
fn child(piece: &Piece, site: &Site) -> Option<u16> {
    let (Piece::Child { name, .. } | Piece::Again(name)) = piece else {
        return None;
    };
    let mut children = site.children.iter();
    let at = children.position(|(known, _)| *known == name.text)?;
    u16::try_from(at).ok()
}

/// `\(` stands right before a child and `\)` right after it.
fn parenthesis(
    item: &ProductionItem,
    pieces: &[Piece],
    at: usize,
    site: &Site,
    problems: &mut Problems,
) -> Segment {
    let piece = |at: Option<usize>| at.and_then(|at| pieces.get(at));
    let open = matches!(pieces[at], Piece::Open);
    let (inner, outer) = match open {
        true => (piece(Some(at + 1)), piece(Some(at + 2))),
        false => (piece(at.checked_sub(1)), piece(at.checked_sub(2))),
    };
    let pair = match open {
        true => matches!(outer, Some(Piece::Close)),
        false => matches!(outer, Some(Piece::Open)),
    };
    let inner = inner.filter(|_| pair).and_then(|inner| child(inner, site));
    if inner.is_none() {
        let problem = "`\\(` and `\\)` stand right around a child: `\\(${e : Expr}\\)`";
        problems.error(item.name.span, problem);
    }
    if annotations::find(&item.annotations, "precedence").is_none() {
        let problem = format!(
            "production `{}` has `\\(` but no @precedence",
            item.name.text
        );
        problems.error(item.name.span, problem);
    }
    let child = inner.unwrap_or_default();
    match open {
        true => Segment::Open(child),
        false => Segment::Close(child),
    }
}
