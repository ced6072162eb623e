//! Pieces of the syntax: taken out, or replaced by what is in them or by the
//! simplest thing of their kind.

use std::ops::Range;

use super::Source;
use crate::NodeId;
use crate::change::{By, Change, Cut};

/// The fewest children that are also cut by halves, quarters and so on.
const CUT_CHILDREN: usize = 4;

/// A node with more children is a list, which no child of it can stand for.
const MOST_INSIDE: usize = 6;

/// Pieces below this share of a text are not tried: of a large program the
/// large pieces go first, and there would be too many.
const SMALLEST_SHARE: usize = 10_000;

/// Kinds of nodes that say a type.
const TYPES: [&str; 6] = [
    "primitive_type", "sized_type_specifier", "type_identifier", "struct_specifier",
    "union_specifier", "enum_specifier",
];

pub(super) fn changes(source: &Source<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    for (number, node) in source.tree.nodes().iter().enumerate().skip(1) {
        let range = source.range(number);
        let small = range.len() * SMALLEST_SHARE < source.text.len();
        if !node.named || range.is_empty() || small {
            continue;
        }
        let kind = source.kind(number);
        changes.push(Change::one(
            with_comma(source.text, range.clone()),
            By::NOTHING,
            format!("remove {kind}"),
        ));
        changes.extend(hoisted(source, number));
        changes.extend(simpler(source, number));
        changes.extend(runs(source, number));
        changes.extend(joined(source, number));
        changes.extend(formatted(source, number));
    }
    changes
}

/// What is in a node in its place: nodes two levels down, and what stands
/// between the braces of a block.
fn hoisted(source: &Source<'_>, node: NodeId) -> Vec<Change> {
    let few = |node: NodeId| {
        let children = source.named_children(node);
        let few = children.len() <= MOST_INSIDE;
        if few { children } else { Vec::new() }
    };
    let children = few(node);
    let deeper = children.iter().flat_map(|&child| few(child));
    let inside: Vec<NodeId> = deeper.chain(children.iter().copied()).collect();
    let (range, kind) = (source.range(node), source.kind(node));
    let change = |(inner, what): (Range<usize>, &str)| {
        let what = format!("put {what} in place of {kind}");
        Change::one(range.clone(), By::Part(inner), what)
    };
    let bare = |node: NodeId| {
        let inner = between_braces(source.text, source.range(node))?;
        Some((inner, source.kind(node)))
    };
    let whole = inside
        .iter()
        .map(|&node| (source.range(node), source.kind(node)));
    let blocks = std::iter::once(node).chain(inside.iter().copied());
    whole.chain(blocks.filter_map(bare)).map(change).collect()
}

fn between_braces(text: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    let is_block = text[range.clone()].starts_with(b"{") && text[..range.end].ends_with(b"}");
    (is_block && range.len() > 2).then(|| range.start + 1..range.end - 1)
}

/// The simplest things of the node's kind.
fn simpler(source: &Source<'_>, node: NodeId) -> Vec<Change> {
    let (range, kind) = (source.range(node), source.kind(node));
    let text = source.text_of(node);
    let simplest = source.language.simplest;
    let mut by: Vec<Vec<u8>> = Vec::new();
    if kind.contains("expression") {
        by.push(simplest.into());
    } else if text.starts_with(b"{") {
        by.push(b"{}".to_vec());
    } else if source.is_leaf(node) && text[0].is_ascii_digit() {
        by.extend([
            b"0".to_vec(),
            b"1".to_vec(),
            text[..text.len() / 2].to_vec(),
        ]);
    } else if kind.contains("string") && text.starts_with(b"\"") {
        by.push(b"\"\"".to_vec());
    } else if let Some(plain) = source.language.plain_type
        && TYPES.contains(&kind)
        && text != plain.as_bytes()
    {
        by.push(plain.into());
    }
    by.retain(|by| by != text && !by.is_empty());
    let change = |by: Vec<u8>| {
        let what = format!("put {} in place of {kind}", String::from_utf8_lossy(&by));
        Change::one(range.clone(), By::Text(by), what)
    };
    by.into_iter().map(change).collect()
}

/// Halves, quarters and so on of a list of children.
fn runs(source: &Source<'_>, node: NodeId) -> Vec<Change> {
    let children = source.named_children(node);
    let mut changes = Vec::new();
    if children.len() < CUT_CHILDREN {
        return changes;
    }
    let mut length = children.len().div_ceil(2);
    while length > 1 {
        for run in children.chunks(length).filter(|run| run.len() > 1) {
            let (first, last) = (run[0], run[run.len() - 1]);
            let range = source.range(first).start..source.range(last).end;
            changes.push(Change::one(
                with_comma(source.text, range),
                By::NOTHING,
                format!("remove {} of {}", run.len(), source.kind(node)),
            ));
        }
        length = length.div_ceil(2);
    }
    changes
}

/// Two declarations of the same type as one: `int a; int b;` is `int a,b;`.
fn joined(source: &Source<'_>, node: NodeId) -> Option<Change> {
    let type_of = |node: NodeId| -> Option<&[u8]> {
        let declarator = source.child(node, "declarator")?;
        let start = source.range(node).start;
        Some(source.text[start..source.range(declarator).start].trim_ascii())
    };
    let next = source.tree.node(node).end;
    let follows = source.kind(node) == "declaration"
        && next < source.tree.nodes().len()
        && source.kind(next) == "declaration"
        && source.parent(next) == source.parent(node);
    if !follows || type_of(node)? != type_of(next)? {
        return None;
    }
    let end = source.range(node).end.checked_sub(1)?;
    let declarator = source.child(next, "declarator")?;
    let range = end..source.range(declarator).start;
    Some(Change::one(
        range,
        By::text(","),
        "join declarations".to_string(),
    ))
}

/// A list of arguments without one of those that its format prints:
/// `"%d %s", a, b` is `"%s", b`.
fn formatted(source: &Source<'_>, node: NodeId) -> Vec<Change> {
    if !source.kind(node).starts_with("argument") {
        return Vec::new();
    }
    let arguments = source.named_children(node);
    let is_format = |&node: &NodeId| {
        source.kind(node).contains("string") && source.text_of(node).contains(&b'%')
    };
    let Some(place) = arguments.iter().position(is_format) else {
        return Vec::new();
    };
    let format = source.range(arguments[place]);
    let marks = (format.start..format.end).filter(|&at| source.text[at] == b'%');
    let marks: Vec<usize> = marks.collect();
    let change = |(number, &start): (usize, &usize)| {
        let end = marks.get(number + 1).copied().unwrap_or(format.end - 1);
        let argument = source.range(*arguments.get(place + 1 + number)?);
        let cuts = vec![
            Cut::out(start..end),
            Cut::out(with_comma(source.text, argument)),
        ];
        Some(Change::of(cuts, format!("print without argument {number}")))
    };
    marks.iter().enumerate().filter_map(change).collect()
}

/// The range with the comma after it, or else the one before it.
pub(super) fn with_comma(text: &[u8], range: Range<usize>) -> Range<usize> {
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
