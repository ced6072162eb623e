//! The pieces of a seed: nodes of its tree that may go elsewhere.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use lydite_syntax::{NodeId, Surface, SyntaxTree};

use crate::extract::{Dialect, Outline, Refusal, Use, parse};

/// Longer pieces make programs that nobody wants to read.
const MAX_PIECE: usize = 4_000;

/// The most pieces that one seed gives; of more, every so many-th.
const MAX_PIECES: usize = 20_000;

/// A node that may be replaced, or replace another.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub range: Range<usize>,
    /// What it is: the number of its kind.
    pub kind: u32,
    /// What it is to the node around it: the number of that kind and field.
    pub position: u32,
}

/// A seed and its pieces, in the order of the text.
pub(super) struct Source {
    pub outline: Outline,
    pub pieces: Vec<Piece>,
}

/// Numbers for the kinds and positions that were met, in that order.
#[derive(Default)]
pub(super) struct Numbers {
    numbers: BTreeMap<String, u32>,
}

impl Numbers {
    fn of(&mut self, name: String) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(name).or_insert(next)
    }
}

impl Source {
    pub(super) fn read(
        dialect: &Dialect,
        text: &Arc<[u8]>,
        numbers: &mut Numbers,
    ) -> Result<Source, Refusal> {
        let (surface, tree) = parse(dialect, text)?;
        let outline = Outline::of(dialect, text, &surface, &tree)?;
        let mut pieces: Vec<Piece> = (1..tree.nodes().len())
            .filter_map(|node| piece(text, &surface, &tree, node, numbers))
            .collect();
        if pieces.len() > MAX_PIECES {
            let step = pieces.len().div_ceil(MAX_PIECES);
            pieces = pieces.into_iter().step_by(step).collect();
        }
        Ok(Source { outline, pieces })
    }

    /// The uses of variables in a piece that are declared outside of it.
    pub(super) fn free_uses(&self, range: &Range<usize>) -> impl Iterator<Item = &Use> {
        let uses = &self.outline.uses;
        let first = uses.partition_point(|place| place.range.start < range.start);
        let inside = uses[first..]
            .iter()
            .take_while(|place| place.range.end <= range.end);
        inside.filter(|place| {
            let declared = self.outline.variables[place.variable].from;
            !(range.start < declared && declared <= range.end)
        })
    }

    /// The variables that can be seen at the beginning of a piece.
    pub(super) fn visible(&self, at: usize) -> Vec<usize> {
        let scopes = &self.outline.scopes;
        let scope = scopes.iter().rposition(|scope| scope.range.contains(&at));
        let place = Use {
            range: at..at,
            variable: 0,
            scope: scope.unwrap_or(0),
            function: 0,
            exact: false,
        };
        (0..self.outline.variables.len())
            .filter(|&variable| self.outline.sees(&place, variable))
            .collect()
    }
}

fn piece(
    text: &[u8],
    surface: &Surface,
    tree: &SyntaxTree,
    number: NodeId,
    numbers: &mut Numbers,
) -> Option<Piece> {
    let node = tree.node(number);
    let parent = node.parent?;
    let is_sound = |node: NodeId| !tree.node(node).is_error && !tree.node(node).is_missing;
    let kind = tree.kind(number);
    if !node.named || !is_sound(number) || !is_sound(parent) || kind.contains("comment") {
        return None;
    }
    let range = surface.origin_range(&node.range);
    if range.is_empty() || range.len() > MAX_PIECE {
        return None;
    }
    // What the grammar did not read as it stands is not what it seems.
    if text[range.clone()] != surface.text[node.range.clone()] {
        return None;
    }
    let position = format!(
        "{}.{}",
        tree.kind(parent),
        tree.field(number).unwrap_or_default()
    );
    Some(Piece {
        range,
        kind: numbers.of(kind.to_string()),
        position: numbers.of(position),
    })
}
