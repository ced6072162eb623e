//! Changes that follow a name through the program: it goes with all that uses
//! it, its value stands in its place, a parameter goes with its arguments, an
//! array becomes one of its elements, or it gets a shorter name.

use std::ops::Range;

use super::Source;
use super::names::{Names, Place};
use super::pieces::with_comma;
use crate::NodeId;
use crate::change::{By, Change, Cut};

/// Kinds of nodes whose children are elements of a list.
const LISTS: [&str; 22] = [
    "translation_unit", "compound_statement", "parameter_list", "argument_list",
    "initializer_list", "field_declaration_list", "enumerator_list", "declaration_list",
    "case_statement", "source_file", "block", "chunk", "program", "statement_block", "arguments",
    "parameters", "formal_parameters", "contract_body", "function_body", "call_argument",
    "variable_list", "expression_list",
];

/// Kinds of nodes that are nothing without what they apply to.
const APPLIED: [&str; 6] = [
    "subscript_expression", "field_expression", "pointer_expression", "update_expression",
    "call_expression", "parenthesized_expression",
];

const PARAMETERS: [&str; 3] = ["parameter_list", "parameters", "formal_parameters"];
const ARGUMENTS: [&str; 2] = ["argument_list", "arguments"];

/// A program with more names, or with names in more places, is first cut in
/// other ways.
const MOST_NAMES: usize = 400;
const MOST_PLACES: usize = 20_000;

pub(super) fn changes(source: &Source<'_>) -> Vec<Change> {
    let names = Names::of(source);
    let mut changes = renamed(source, &names);
    let places: usize = names.0.values().map(Vec::len).sum();
    if names.0.len() > MOST_NAMES || places > MOST_PLACES {
        return changes;
    }
    for (name, places) in &names.0 {
        let shown = String::from_utf8_lossy(name);
        changes.push(Change::of(
            places.iter().map(|place| out(source, place.node)).collect(),
            format!("remove all that uses {shown}"),
        ));
        changes.extend(inlined(source, &shown, places));
        changes.extend(without_parameters(source, &names, &shown, places));
        changes.extend(moved_definition(source, &shown, places));
        changes.extend(without_level(source, &shown, places));
    }
    changes
}

/// The element of a list that a node is in, as a cut.
fn out(source: &Source<'_>, node: NodeId) -> Cut {
    Cut::out(with_comma(source.text, source.range(element(source, node))))
}

/// The nearest element of a list that a node is in. One of several
/// declarators is one.
fn element(source: &Source<'_>, node: NodeId) -> NodeId {
    let mut child = node;
    while let Some(parent) = source.parent(child) {
        let declarator = |&other: &NodeId| source.tree.field(other) == Some("declarator");
        let several = || {
            source
                .tree
                .children(parent)
                .filter(declarator)
                .nth(1)
                .is_some()
        };
        let kind = source.kind(parent);
        if LISTS.contains(&kind) || kind.ends_with("declaration") && declarator(&child) && several()
        {
            break;
        }
        child = parent;
    }
    child
}

/// The name's declaration gone, and what it was first set to, or else the
/// simplest value, in its place.
fn inlined(source: &Source<'_>, name: &str, places: &[Place]) -> Vec<Change> {
    let Some(declared) = places.iter().find(|place| place.declares) else {
        return Vec::new();
    };
    let initial = source
        .parent(declared.node)
        .filter(|&parent| source.kind(parent) == "init_declarator")
        .and_then(|parent| source.child(parent, "value"))
        .map(|value| By::Part(source.range(value)));
    let aliased = source
        .tree
        .ancestors(declared.node)
        .find(|&node| source.kind(node) == "type_definition")
        .and_then(|definition| source.child(definition, "type"))
        .map(|aliased| By::Part(source.range(aliased)));
    let simplest = By::text(match (&aliased, source.language.plain_type) {
        (Some(_), Some(plain)) => plain,
        _ => source.language.simplest,
    });
    let change = |by: &By| {
        let cut = |place: &Place| match place.declares {
            true => out(source, place.node),
            false => replaced(source, place.node, by),
        };
        Change::of(
            places.iter().map(cut).collect(),
            format!("put a value in place of {name}"),
        )
    };
    let by = [initial, aliased, Some(simplest)];
    by.iter().flatten().map(change).collect()
}

/// The use of a name, with what is nothing without it, becomes `by`; an
/// assignment to it what is assigned.
fn replaced(source: &Source<'_>, node: NodeId, by: &By) -> Cut {
    let mut whole = node;
    while let Some(parent) = source.parent(whole) {
        let field = source.tree.field(whole);
        if field == Some("left") && source.kind(parent) == "assignment_expression" {
            let right = source.child(parent, "right").unwrap_or(parent);
            return Cut {
                range: source.range(parent),
                by: By::Part(source.range(right)),
            };
        }
        let applied = APPLIED.contains(&source.kind(parent))
            && field.is_none_or(|field| field != "index" && field != "arguments");
        if !applied {
            break;
        }
        whole = parent;
    }
    Cut {
        range: source.range(whole),
        by: by.clone(),
    }
}

/// A type that is defined on its own, defined where it is used first:
/// `struct s {…}; struct s v;` is `struct s {…} v;`.
fn moved_definition(source: &Source<'_>, name: &str, places: &[Place]) -> Option<Change> {
    let around = |place: &Place| source.parent(place.node);
    let body = |specifier: NodeId| source.child(specifier, "body");
    let mut specifiers = places.iter().filter_map(around);
    let definition = specifiers.next().filter(|&first| body(first).is_some())?;
    let used = specifiers.next()?;
    let kinds = source.kind(definition) == source.kind(used);
    if !kinds || body(used).is_some() || element(source, definition) != definition {
        return None;
    }
    let mut range = source.range(definition);
    let rest = &source.text[range.end..];
    let end = rest
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    if rest.get(end) == Some(&b';') {
        range.end += end + 1;
    }
    let here = Cut {
        range: source.range(used),
        by: By::Part(source.range(definition)),
    };
    let what = format!("move the definition of {name}");
    Some(Change::of(vec![Cut::out(range), here], what))
}

/// An array or pointer as what is in it: `int a[2]; a[1] = 0;` is `int a; a = 0;`.
fn without_level(source: &Source<'_>, name: &str, places: &[Place]) -> Option<Change> {
    let around = |place: &Place, kinds: [&str; 2]| {
        let parent = source.parent(place.node)?;
        let is_of = kinds.contains(&source.kind(parent));
        let is_address = source.text_of(parent).starts_with(b"&");
        let is_index = source.tree.field(place.node) == Some("index");
        let range = source.range(parent);
        // `int*p` is not to become `intp`.
        let glued = source.text[..range.start].last();
        let glued = glued.is_some_and(u8::is_ascii_alphanumeric);
        let space = if glued { " " } else { "" };
        let by = By::text(&format!("{space}{name}"));
        (is_of && !is_address && !is_index).then_some(Cut { range, by })
    };
    let (declared, used): (Vec<&Place>, Vec<&Place>) =
        places.iter().partition(|place| place.declares);
    let declarators = ["array_declarator", "pointer_declarator"];
    let applied = ["subscript_expression", "pointer_expression"];
    let mut cuts: Vec<Cut> = declared
        .into_iter()
        .filter_map(|place| around(place, declarators))
        .collect();
    let uses: Vec<Cut> = used
        .into_iter()
        .filter_map(|place| around(place, applied))
        .collect();
    if cuts.is_empty() || uses.is_empty() {
        return None;
    }
    cuts.extend(uses);
    Some(Change::of(
        cuts,
        format!("put {name} in place of what is in it"),
    ))
}

/// For every parameter of a function, in all its declarations and calls: the
/// function without it.
fn without_parameters(
    source: &Source<'_>,
    names: &Names<'_>,
    name: &str,
    places: &[Place],
) -> Vec<Change> {
    let list_after = |node: NodeId, kinds: &[&str]| -> Option<Vec<NodeId>> {
        let parent = source.parent(node)?;
        let mut children = source.tree.children(parent);
        let list = children.find(|&child| kinds.contains(&source.kind(child)))?;
        Some(source.named_children(list))
    };
    let declared = places.iter().filter(|place| place.declares);
    let parameters: Vec<Vec<NodeId>> = declared
        .filter_map(|place| list_after(place.node, &PARAMETERS))
        .collect();
    let used = places.iter().filter(|place| !place.declares);
    let arguments: Vec<Vec<NodeId>> = used
        .filter_map(|place| list_after(place.node, &ARGUMENTS))
        .collect();
    let count = parameters.iter().map(Vec::len).max().unwrap_or(0);
    let change = |number: usize| {
        let lists = parameters.iter().chain(&arguments);
        let nodes: Vec<NodeId> = lists.filter_map(|list| list.get(number).copied()).collect();
        let mut cuts: Vec<Cut> = nodes
            .iter()
            .map(|&node| Cut::out(with_comma(source.text, source.range(node))))
            .collect();
        cuts.extend(
            nodes
                .iter()
                .flat_map(|&node| uses_inside(source, names, node)),
        );
        Change::of(cuts, format!("remove parameter {number} of {name}"))
    };
    (0..count).map(change).collect()
}

/// The uses of a parameter in its function, replaced by the simplest value.
fn uses_inside(source: &Source<'_>, names: &Names<'_>, parameter: NodeId) -> Vec<Cut> {
    let mut around = source.tree.ancestors(parameter);
    let Some(function) = around.find(|&node| source.kind(node).contains("function_definition"))
    else {
        return Vec::new();
    };
    let span: Range<NodeId> = function..source.tree.node(function).end;
    let inside: Range<NodeId> = parameter..source.tree.node(parameter).end;
    let own = |places: &&Vec<Place>| {
        let mut places = places.iter();
        places.any(|place| place.declares && inside.contains(&place.node))
    };
    let simplest = By::text(source.language.simplest);
    let Some(places) = names.0.values().find(own) else {
        return Vec::new();
    };
    let uses = places.iter();
    let uses = uses.filter(|place| !place.declares && span.contains(&place.node));
    uses.map(|place| replaced(source, place.node, &simplest))
        .collect()
}

/// Shorter names: all at once, and one by one.
fn renamed(source: &Source<'_>, names: &Names<'_>) -> Vec<Change> {
    let letters = (b'a'..=b'z').chain(b'A'..=b'Z');
    let mut free = letters.filter(|letter| !names.0.contains_key([*letter].as_slice()));
    let mut all = Vec::new();
    let mut changes = Vec::new();
    for (name, places) in &names.0 {
        if name.len() < 2 || *name == b"main" || !is_own(source, places) {
            continue;
        }
        let Some(letter) = free.next() else {
            break;
        };
        let cuts = || {
            places.iter().map(|place| Cut {
                range: source.range(place.node),
                by: By::Text(vec![letter]),
            })
        };
        all.extend(cuts());
        let what = format!("call {} {}", String::from_utf8_lossy(name), letter as char);
        changes.push(Change::of(cuts().collect(), what).keeping_meaning());
    }
    if changes.len() > 1 {
        let all = Change::of(all, "shorten names".to_string());
        changes.push(all.keeping_meaning());
    }
    changes
}

/// True if the program declares the name, and not only as a function that is
/// somewhere else.
fn is_own(source: &Source<'_>, places: &[Place]) -> bool {
    let own = |place: &Place| {
        let parent = source.parent(place.node);
        let declarator = parent.filter(|&parent| source.kind(parent) == "function_declarator");
        let Some(declarator) = declarator else {
            return true;
        };
        let mut around = source.tree.ancestors(declarator);
        around.any(|node| source.kind(node) == "function_definition")
    };
    places.iter().any(|place| place.declares && own(place))
}
