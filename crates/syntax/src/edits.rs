//! Smaller programs: pieces of the syntax taken out, replaced by what is in
//! them, or by the simplest thing there is.

use std::ops::Range;

use lydite_core::{Edit, Program, SourceFile};

use crate::language::SyntaxLanguage;
use crate::{NodeId, Surface, SyntaxTree};

/// Nodes of more children than this are also cut by halves and quarters.
const CUT_CHILDREN: usize = 4;

/// A change to the source: a range of it becomes something else.
struct Change {
    range: Range<usize>,
    by: By,
    what: String,
}

/// What a range becomes.
enum By {
    /// Another part of the source; nothing if that is empty.
    Part(Range<usize>),
    Text(Vec<u8>),
}

impl By {
    const NOTHING: By = By::Part(0..0);

    fn text<'a>(&'a self, source: &'a [u8]) -> &'a [u8] {
        match self {
            By::Part(range) => &source[range.clone()],
            By::Text(text) => text,
        }
    }

    fn len(&self) -> usize {
        match self {
            By::Part(range) => range.len(),
            By::Text(text) => text.len(),
        }
    }
}

/// Changes that leave no more errors than there were, largest cut first.
/// Each is tried when it is asked for.
pub(crate) struct Edits<'a> {
    language: SyntaxLanguage,
    program: &'a Program,
    changes: std::vec::IntoIter<Change>,
    errors: usize,
}

impl<'a> Edits<'a> {
    pub(crate) fn of(language: SyntaxLanguage, program: &'a Program) -> Edits<'a> {
        let text = &program.source().text;
        let (mut changes, errors) = match language.read(text) {
            Ok((tree, surface)) => (
                changes(&language, &tree, &surface, text),
                error_count(&tree),
            ),
            Err(_) => (Vec::new(), 0),
        };
        // A stable sort: of equal cuts the outer one comes first.
        changes.sort_by_key(|change| std::cmp::Reverse(change.range.len() - change.by.len()));
        Edits {
            language,
            program,
            changes: changes.into_iter(),
            errors,
        }
    }

    fn apply(&self, change: &Change) -> Option<Program> {
        let source = self.program.source();
        let text = &source.text;
        let parts = [
            &text[..change.range.start],
            change.by.text(text),
            &text[change.range.end..],
        ];
        let made = parts.concat();
        let (tree, _) = self.language.read(&made).ok()?;
        (error_count(&tree) <= self.errors).then(|| {
            let mut program = self.program.clone();
            program.files[0] = SourceFile {
                name: source.name.clone(),
                text: made.into(),
            };
            program
        })
    }
}

impl Iterator for Edits<'_> {
    type Item = Edit;

    fn next(&mut self) -> Option<Edit> {
        loop {
            let change = self.changes.next()?;
            if let Some(program) = self.apply(&change) {
                return Some(Edit {
                    what: change.what,
                    program,
                });
            }
        }
    }
}

fn error_count(tree: &SyntaxTree) -> usize {
    let wrong = tree
        .nodes()
        .iter()
        .filter(|node| node.is_error || node.is_missing);
    wrong.count()
}

fn changes(
    language: &SyntaxLanguage,
    tree: &SyntaxTree,
    surface: &Surface,
    text: &[u8],
) -> Vec<Change> {
    let mut changes = Vec::new();
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    let full: Vec<&[u8]> = lines.filter(|line| !line.trim_ascii().is_empty()).collect();
    let full = full.concat();
    if full.len() < text.len() {
        changes.push(Change {
            range: 0..text.len(),
            by: By::Text(full),
            what: "remove empty lines".to_string(),
        });
    }
    for (number, node) in tree.nodes().iter().enumerate().skip(1) {
        let range = surface.origin_range(&node.range);
        if !node.named || range.is_empty() {
            continue;
        }
        let kind = tree.kind(number);
        changes.push(Change {
            range: with_comma(text, range.clone()),
            by: By::NOTHING,
            what: format!("remove {kind}"),
        });
        for inside in descendants(tree, number) {
            let inner = surface.origin_range(&tree.node(inside).range);
            if inner.len() < range.len() {
                changes.push(Change {
                    range: range.clone(),
                    by: By::Part(inner),
                    what: format!("put {} in place of {kind}", tree.kind(inside)),
                });
            }
        }
        if kind.contains("expression") && range.len() > language.simplest.len() {
            changes.push(Change {
                range,
                by: By::Text(language.simplest.into()),
                what: format!("put {} in place of {kind}", language.simplest),
            });
        }
        changes.extend(runs(tree, surface, number));
    }
    changes
}

/// What may stand in a node's place: what is in it, two levels down.
fn descendants(tree: &SyntaxTree, node: NodeId) -> Vec<NodeId> {
    let named = |node: &NodeId| tree.node(*node).named;
    let children: Vec<NodeId> = tree.children(node).filter(named).collect();
    let deeper = children
        .iter()
        .flat_map(|&child| tree.children(child).filter(named));
    let deeper: Vec<NodeId> = deeper.collect();
    [children, deeper].concat()
}

/// Halves and quarters of a long list of children.
fn runs(tree: &SyntaxTree, surface: &Surface, node: NodeId) -> Vec<Change> {
    let children: Vec<NodeId> = tree
        .children(node)
        .filter(|&child| tree.node(child).named)
        .collect();
    let mut changes = Vec::new();
    if children.len() < CUT_CHILDREN {
        return changes;
    }
    for parts in [2, 4] {
        for run in children.chunks(children.len().div_ceil(parts)) {
            let (first, last) = (run[0], run[run.len() - 1]);
            let range = tree.node(first).range.start..tree.node(last).range.end;
            changes.push(Change {
                range: surface.origin_range(&range),
                by: By::NOTHING,
                what: format!("remove {} of {}", run.len(), tree.kind(node)),
            });
        }
    }
    changes
}

/// The range with the comma after it, or else the one before it.
fn with_comma(text: &[u8], range: Range<usize>) -> Range<usize> {
    let space = |byte: &&u8| byte.is_ascii_whitespace();
    let after = range.end + text[range.end..].iter().take_while(space).count();
    if text.get(after) == Some(&b',') {
        return range.start..after + 1;
    }
    let before = range.start - text[..range.start].iter().rev().take_while(space).count();
    match before.checked_sub(1).map(|comma| (comma, text[comma])) {
        Some((comma, b',')) => comma..range.end,
        _ => range,
    }
}
