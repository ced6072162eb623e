//! Objects of which C does not say whether they are the same, or still there.

use std::collections::BTreeMap;

use super::is_inside;
use crate::{NodeId, SyntaxTree};

/// A program with more literals is said to have shared ones.
const MAX_LITERALS: usize = 2_000;

/// A string literal whose text another one ends with, both where their
/// addresses may be compared. Those that are handed to functions are mostly
/// formats.
pub(super) fn find_shared_literals(tree: &SyntaxTree, text: &[u8]) -> Option<NodeId> {
    let is_kept = |&id: &NodeId| {
        tree.kind(id) == "string_literal"
            && is_inside(tree, id, "function_definition")
            && !is_argument(tree, id)
            && !fills_array(tree, id)
    };
    let literals: Vec<NodeId> = (0..tree.nodes().len()).filter(is_kept).collect();
    if literals.len() > MAX_LITERALS {
        return literals.first().copied();
    }
    let content = |id: NodeId| {
        let text = &text[tree.node(id).range.clone()];
        text.strip_prefix(b"\"").unwrap_or(text)
    };
    let ends_with_other = |(number, id): (usize, &NodeId)| {
        let other = |(other, text): (usize, &NodeId)| {
            other != number && content(*id).ends_with(content(*text))
        };
        literals.iter().enumerate().any(other)
    };
    let found = literals
        .iter()
        .enumerate()
        .find(|(number, id)| ends_with_other((*number, id)));
    found.map(|(_, id)| *id)
}

fn is_argument(tree: &SyntaxTree, id: NodeId) -> bool {
    let parent = tree.node(id).parent;
    parent.is_some_and(|parent| tree.kind(parent) == "argument_list")
}

/// `char a[] = "text"` is a copy.
fn fills_array(tree: &SyntaxTree, id: NodeId) -> bool {
    let Some(parent) = tree.node(id).parent else {
        return false;
    };
    let mut children = tree.children(parent);
    tree.kind(parent) == "init_declarator"
        && children.any(|child| tree.kind(child) == "array_declarator")
}

/// A promise of a function of the program that two pointers do not meet: no
/// sanitizer sees it broken.
pub(super) fn find_restrict(tree: &SyntaxTree, text: &[u8]) -> Option<NodeId> {
    (0..tree.nodes().len()).find(|&id| {
        let word = || &text[tree.node(id).range.clone()];
        tree.kind(id) == "type_qualifier"
            && [&b"restrict"[..], b"__restrict", b"__restrict__"].contains(&word())
            && is_inside(tree, id, "function_definition")
    })
}

/// The address of a variable that lives for one round of a loop, where it is
/// kept: the next round has a variable of the same name in the same place, so
/// that nobody sees it used too late.
pub(super) fn find_outliving(tree: &SyntaxTree, text: &[u8]) -> Option<NodeId> {
    let mut declared: BTreeMap<&[u8], Vec<(NodeId, NodeId)>> = BTreeMap::new();
    let rounds = goto_rounds(tree, text);
    for id in 0..tree.nodes().len() {
        if tree.kind(id) == "identifier"
            && tree.field(id) == Some("declarator")
            && let Some(body) = loop_body(tree, id).or_else(|| goto_body(tree, id, &rounds))
        {
            let name = &text[tree.node(id).range.clone()];
            declared
                .entry(name)
                .or_default()
                .push((body, tree.node(body).end));
        }
    }
    (0..tree.nodes().len()).find(|&id| {
        let name = || &text[tree.node(id).range.clone()];
        tree.kind(id) == "identifier"
            && is_kept_address(tree, id)
            && declared
                .get(name())
                .is_some_and(|bodies| bodies.iter().any(|(from, to)| (*from..*to).contains(&id)))
    })
}

/// The body of the innermost loop around a declaration of that body.
fn loop_body(tree: &SyntaxTree, id: NodeId) -> Option<NodeId> {
    let mut inner = id;
    for up in tree.ancestors(id) {
        match tree.kind(up) {
            "for_statement" | "while_statement" | "do_statement" => {
                return (tree.field(inner) == Some("body")).then_some(inner);
            }
            "parameter_list" | "function_definition" => return None,
            _ => inner = up,
        }
    }
    None
}

/// From a label to a `goto` behind it that leads back there.
fn goto_rounds(tree: &SyntaxTree, text: &[u8]) -> Vec<(NodeId, NodeId)> {
    let mut labels: BTreeMap<&[u8], Vec<NodeId>> = BTreeMap::new();
    let mut rounds = Vec::new();
    for id in 0..tree.nodes().len() {
        let name = || &text[tree.node(id).range.clone()];
        match tree.kind(id) {
            // A label means something in its function alone.
            "function_definition" => labels.clear(),
            "statement_identifier" => {
                let parent = tree.node(id).parent;
                let known = labels.entry(name()).or_default();
                match parent.map(|parent| tree.kind(parent)) {
                    Some("labeled_statement") => known.push(id),
                    _ => rounds.extend(known.first().map(|&label| (label, id))),
                }
            }
            _ => {}
        }
    }
    rounds
}

/// The block around a declaration, if a `goto` leads to before it.
fn goto_body(tree: &SyntaxTree, id: NodeId, rounds: &[(NodeId, NodeId)]) -> Option<NodeId> {
    let mut around = tree.ancestors(id);
    let block = around.find(|&up| tree.kind(up) == "compound_statement")?;
    let is_round = |(label, back): &(NodeId, NodeId)| *label < block && block < *back;
    rounds.iter().any(is_round).then_some(block)
}

/// True for `&x`, `&x.member`, `&x[i]` that is assigned to something.
fn is_kept_address(tree: &SyntaxTree, id: NodeId) -> bool {
    let kind_of = |id: &NodeId| tree.kind(*id);
    let is_part = |id: &NodeId| {
        let parts = [
            "field_expression", "subscript_expression", "parenthesized_expression",
        ];
        parts.contains(&kind_of(id))
    };
    let mut around = tree.ancestors(id).skip_while(is_part);
    let address = around.next().filter(|up| {
        let mut tokens = tree.children(*up);
        kind_of(up) == "pointer_expression" && tokens.any(|token| tree.kind(token) == "&")
    });
    let Some(mut inner) = address else {
        return false;
    };
    for up in around {
        match tree.kind(up) {
            "parenthesized_expression"
            | "cast_expression"
            | "binary_expression"
            | "conditional_expression"
            | "initializer_list" => inner = up,
            "assignment_expression" => return tree.field(inner) == Some("right"),
            "init_declarator" => return tree.field(inner) == Some("value"),
            _ => return false,
        }
    }
    false
}
