//! Where a program's names stand, and which of them are declared there.

use std::collections::{BTreeMap, BTreeSet};

use super::Source;
use crate::NodeId;

/// A place where a name stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) node: NodeId,
    /// It is declared here.
    pub(super) declares: bool,
}

/// All names of a program and their places, in the order of the text.
pub(super) struct Names<'a>(pub(super) BTreeMap<&'a [u8], Vec<Place>>);

impl<'a> Names<'a> {
    pub(super) fn of(source: &Source<'a>) -> Names<'a> {
        let mut names: BTreeMap<&[u8], Vec<Place>> = BTreeMap::new();
        for node in 0..source.tree.nodes().len() {
            if !source.is_leaf(node) || !source.kind(node).ends_with("identifier") {
                continue;
            }
            let text = source.text_of(node);
            if !text.is_empty() {
                names.entry(text).or_default().push(Place {
                    node,
                    declares: declares(source, node),
                });
            }
        }
        Names(names)
    }

    /// Names that are used and declared nowhere. C declares a function by
    /// calling it, and a structure by naming it.
    pub(super) fn loose(&self, source: &Source<'_>) -> BTreeSet<Vec<u8>> {
        let called = |place: &Place| source.tree.field(place.node) == Some("function");
        let open = |places: &[Place]| {
            !places.iter().any(|place| place.declares) && !places.iter().all(called)
        };
        let mut loose = BTreeSet::new();
        for (name, places) in &self.0 {
            if open(places) {
                loose.insert(name.to_vec());
            }
        }
        loose
    }
}

/// True if the name is declared where it stands: declarators around it lead
/// to a declaration.
fn declares(source: &Source<'_>, node: NodeId) -> bool {
    let mut child = node;
    while let Some(parent) = source.parent(child) {
        let kind = source.kind(parent);
        let field = source.tree.field(child);
        if field == Some("name") {
            return true;
        }
        if !kind.ends_with("declarator") {
            let declared = matches!(field, Some("declarator" | "label" | "pattern"));
            return declared || kind == "parameter_list" && child == node;
        }
        // A declarator in parentheses or with attributes has no field.
        let inner = field == Some("declarator") || field.is_none() && kind != "init_declarator";
        if !inner {
            return false;
        }
        child = parent;
    }
    false
}
