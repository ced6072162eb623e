//! Smaller programs: pieces of the syntax taken out, replaced by what is in
//! them, or by the simplest thing there is ([`pieces`]); names inlined,
//! shortened, or taken out with all that uses them ([`by_name`]); comments,
//! white space and directives ([`layout`]).
//!
//! Every edit is smaller than the program, has no more syntax errors, and in C
//! leaves no name without its declaration that had one.

mod by_name;

mod layout;
mod names;
mod pieces;

use std::collections::BTreeSet;
use std::ops::Range;

use lydite_core::{Edit, Program, SourceFile};

use crate::change::Change;
use crate::language::SyntaxLanguage;
use crate::{NodeId, Surface, SyntaxTree};
use names::Names;

/// A program as its edits see it.
pub(crate) struct Source<'a> {
    language: SyntaxLanguage,
    tree: &'a SyntaxTree,
    surface: &'a Surface,
    text: &'a [u8],
}

impl<'a> Source<'a> {
    /// Where a node is in the program's text.
    fn range(&self, node: NodeId) -> Range<usize> {
        self.surface.origin_range(&self.tree.node(node).range)
    }

    fn text_of(&self, node: NodeId) -> &'a [u8] {
        &self.text[self.range(node)]
    }

    fn kind(&self, node: NodeId) -> &str {
        self.tree.kind(node)
    }

    fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.tree.node(node).parent
    }

    fn is_leaf(&self, node: NodeId) -> bool {
        self.tree.node(node).end == node + 1
    }

    fn named_children(&self, node: NodeId) -> Vec<NodeId> {
        let children = self.tree.children(node);
        children
            .filter(|&child| self.tree.node(child).named)
            .collect()
    }

    fn child(&self, node: NodeId, field: &str) -> Option<NodeId> {
        let mut children = self.tree.children(node);
        children.find(|&child| self.tree.field(child) == Some(field))
    }
}

/// What must not get worse.
struct Flaws {
    /// Syntax errors, statements outside functions, and labels and jumps
    /// outside of what they belong to.
    errors: usize,
    /// Names without a declaration.
    loose: BTreeSet<Vec<u8>>,
}

impl Flaws {
    fn of(source: &Source<'_>) -> Flaws {
        let tree = source.tree;
        let wrong = tree
            .nodes()
            .iter()
            .filter(|node| node.is_error || node.is_missing);
        let outside = |node: &NodeId| source.kind(*node).ends_with("_statement");
        let (outside, loose) = match source.language.scoped {
            true => (
                tree.children(0).filter(outside).count() + strays(source),
                Names::of(source).loose(source),
            ),
            false => (0, BTreeSet::new()),
        };
        Flaws {
            errors: wrong.count() + outside,
            loose,
        }
    }

    fn are_no_more_than(&self, other: &Flaws) -> bool {
        self.errors <= other.errors && self.loose.is_subset(&other.loose)
    }
}

const LOOPS: [&str; 3] = ["for_statement", "while_statement", "do_statement"];

/// How many labels and jumps are not inside of what they belong to.
fn strays(source: &Source<'_>) -> usize {
    let is_stray = |node: NodeId| {
        let (by_loop, by_switch) = match source.kind(node) {
            "case_statement" => (false, true),
            "break_statement" => (true, true),
            "continue_statement" => (true, false),
            _ => return false,
        };
        let belongs = |around: NodeId| {
            let kind = source.kind(around);
            by_loop && LOOPS.contains(&kind) || by_switch && kind == "switch_statement"
        };
        !source.tree.ancestors(node).any(belongs)
    };
    let nodes = 0..source.tree.nodes().len();
    nodes.filter(|&node| is_stray(node)).count()
}

/// An edit of a text, and what it did to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// The edit, with the program after it.
    pub edit: Edit,
    /// The ranges of the text that were replaced, in order, and what each became.
    pub replaced: Vec<(Range<usize>, Vec<u8>)>,
}

/// Changes that leave no more flaws than there were, largest cut first. Each
/// is tried when it is asked for.
pub(crate) struct Edits {
    language: SyntaxLanguage,
    program: Program,
    changes: std::vec::IntoIter<Change>,
    flaws: Flaws,
}

impl Edits {
    pub(crate) fn of(language: SyntaxLanguage, program: &Program) -> Edits {
        let text = &program.source().text;
        let (mut changes, flaws) = match language.read(text) {
            Ok((tree, surface)) => {
                let (tree, surface) = (&tree, &surface);
                let source = Source {
                    language,
                    tree,
                    surface,
                    text,
                };
                (changes(&source), Flaws::of(&source))
            }
            Err(_) => (
                Vec::new(),
                Flaws {
                    errors: 0,
                    loose: BTreeSet::new(),
                },
            ),
        };
        changes.retain(|change| change.saved() > 0);
        // A stable sort: of equal cuts the outer one comes first.
        changes.sort_by_key(|change| std::cmp::Reverse(change.saved()));
        Edits {
            language,
            program: program.clone(),
            changes: changes.into_iter(),
            flaws,
        }
    }

    fn apply(&self, change: &Change) -> Option<Program> {
        let file = self.program.source();
        let made = change.apply(&file.text);
        let (tree, surface) = self.language.read(&made).ok()?;
        let source = Source {
            language: self.language,
            tree: &tree,
            surface: &surface,
            text: &made,
        };
        Flaws::of(&source).are_no_more_than(&self.flaws).then(|| {
            let mut program = self.program.clone();
            program.files[0] = SourceFile {
                name: file.name.clone(),
                text: made.into(),
            };
            program
        })
    }
}

impl Iterator for Edits {
    type Item = Rewrite;

    fn next(&mut self) -> Option<Rewrite> {
        loop {
            let change = self.changes.next()?;
            if let Some(program) = self.apply(&change) {
                return Some(Rewrite {
                    replaced: change.replacements(&self.program.source().text),
                    edit: Edit {
                        what: change.what,
                        program,
                        keeps_meaning: change.keeps_meaning,
                    },
                });
            }
        }
    }
}

fn changes(source: &Source<'_>) -> Vec<Change> {
    let mut changes = layout::changes(source);
    changes.extend(by_name::changes(source));
    changes.extend(pieces::changes(source));
    changes
}

#[cfg(test)]
mod tests;
