//! SHRINKLIST: a list whose next element cannot be built ends before it.

use super::attributes::lose;
use super::patterns::{STAR, Trimmed, path};
use super::tree::{NONE, NodeId};
use super::{Engine, Stop};
use crate::spec::check::emit::Place;
use crate::spec::compiled::{Production, RuleKind};

impl Engine<'_> {
    /// If `top` begins a list and a later element of it failed: ends the list
    /// before that element, unless a fail pattern prohibits it.
    pub(super) fn shrink(&mut self, top: NodeId, patterns: &[Trimmed]) -> Result<bool, Stop> {
        let Some(cell) = self.failed_cell(top) else {
            return Ok(false);
        };
        let last = self.tree.node(cell).parent;
        let mut here: Vec<Trimmed> = patterns.to_vec();
        for step in path(&self.tree, top, last) {
            let parent = self.tree.node(step).parent;
            let index = self.tree.node(step).index;
            here = self.patterns.trim(&self.tree, parent, &here, index);
            if here.iter().any(|trimmed| trimmed.rest == STAR) {
                return Ok(false);
            }
        }
        let index = self.tree.node(cell).index;
        let below = self.patterns.trim(&self.tree, last, &here, index);
        Ok(self.end_at(cell, &below) || self.end_after(last, cell, &here))
    }

    /// The cell whose element failed, if it is not the first one of the list
    /// that begins at `top`.
    fn failed_cell(&mut self, top: NodeId) -> Option<NodeId> {
        let (root, failed) = (self.frame().root, self.frame().failed);
        let class = self.tree.class(top);
        if !class.is_list || failed == NONE || failed == top {
            return None;
        }
        let is_tail = |node: NodeId| {
            let found = self.tree.node(node);
            let above = found.parent;
            if above == NONE || self.tree.node(above).class != found.class {
                return false;
            }
            let number = self.tree.node(above).production as usize;
            self.tree.compiled.productions[number].tail == Some(found.index)
        };
        if top != root && is_tail(top) {
            return None;
        }
        let mut cell = None;
        let mut at = failed;
        while at != top {
            let above = self.tree.node(at).parent;
            if at == root || above == NONE {
                return None;
            }
            if self.tree.node(above).class == self.tree.node(top).class && !is_tail(at) {
                cell = Some(above);
            }
            at = above;
        }
        cell.filter(|&cell| cell != top && is_tail(cell))
    }

    /// The cell becomes an empty one.
    fn end_at(&mut self, cell: NodeId, patterns: &[Trimmed]) -> bool {
        if patterns.iter().any(|trimmed| trimmed.rest == STAR) {
            return false;
        }
        let compiled = self.tree.compiled;
        let empty = self.tree.class(cell).productions.clone().find(|&number| {
            let production = &compiled.productions[number];
            let plain = production.children.is_empty()
                && production.generator.is_none()
                && production.varying().is_none();
            let excluded = patterns
                .iter()
                .any(|t| self.patterns.excludes(t.rest) == Some((number as u32, 0)));
            plain && self.tuning.weight[number] > 0 && !excluded
        });
        let Some(empty) = empty else {
            return false;
        };
        self.deconstruct(cell);
        self.turn_into(cell, super::grow::Pick::Plain(empty as u32));
        true
    }

    /// The cell before it becomes one that does not go on.
    fn end_after(&mut self, last: NodeId, cell: NodeId, patterns: &[Trimmed]) -> bool {
        let compiled = self.tree.compiled;
        let before = self.tree.node(last).production;
        let longer = &compiled.productions[before as usize];
        let Some(tail) = longer.tail.filter(|_| longer.generator.is_none()) else {
            return false;
        };
        let elements: Vec<u32> = without(&longer.children, tail);
        let height = self.tree.node(last).height;
        let shorter = self.tree.class(last).productions.clone().find(|&number| {
            let production = &compiled.productions[number];
            production.generator.is_none()
                && production.varying().is_none()
                && production.tail.is_none()
                && production.children == elements
                && self.tuning.weight[number] > 0
                && self.tuning.least[number] <= height
        });
        let Some(shorter) = shorter else {
            return false;
        };
        let kept: Vec<NodeId> = without(self.tree.children(last), tail);
        let prohibited = patterns.iter().any(|trimmed| {
            let patterns = &mut self.patterns;
            patterns.matches_kept(&self.tree, trimmed.rest, shorter as u32, &kept)
        });
        if prohibited {
            return false;
        }
        self.change_cell(last, cell, shorter as u32, &kept);
        true
    }

    fn change_cell(&mut self, last: NodeId, cell: NodeId, shorter: u32, kept: &[NodeId]) {
        let compiled = self.tree.compiled;
        let root = self.frame().root;
        let before = self.tree.node(last).production;
        let (old, new) = (
            &compiled.productions[before as usize],
            &compiled.productions[shorter as usize],
        );
        let mut reopened = std::mem::take(&mut self.reopened);
        for (index, &child) in kept.iter().enumerate() {
            let old_index = self.tree.node(child).index;
            for slot in 0..self.tree.class(child).inherited {
                if !self.same_rule(old, old_index, new, index as u16, slot) {
                    lose(&mut self.tree, child, slot, root, &mut reopened);
                }
            }
        }
        let class = self.tree.class(last);
        for slot in class.inherited..class.slots {
            lose(&mut self.tree, last, slot, root, &mut reopened);
        }
        self.tree.free_subtree(cell);
        self.tree.free_links(last);
        let kids = self.tree.new_links(kept.len());
        for (index, &child) in kept.iter().enumerate() {
            self.tree.links[kids as usize + index] = child;
            self.tree.node_mut(child).index = index as u16;
        }
        self.tree.chosen[shorter as usize] += 1;
        let last = self.tree.node_mut(last);
        last.production = shorter;
        last.value = 0;
        last.kids = kids;
        self.reopen(reopened);
    }

    /// True if two productions surely pass the same value down.
    fn same_rule(
        &self,
        old: &Production,
        old_index: u16,
        new: &Production,
        index: u16,
        slot: u32,
    ) -> bool {
        let rules = &self.tree.compiled.rules;
        let kind = |production: &Production, index: u16| {
            let rule = production.passed[usize::from(index)][slot as usize];
            rules[rule as usize].kind
        };
        let inherited = self.tree.compiled.classes[old.class as usize].inherited;
        match (kind(old, old_index), kind(new, index)) {
            (RuleKind::Const(a), RuleKind::Const(b)) => a == b,
            (RuleKind::Copy(a), RuleKind::Copy(b)) => {
                a == b && matches!(a, Place::Own(slot) if slot < inherited)
            }
            _ => false,
        }
    }
}

fn without(all: &[u32], index: u16) -> Vec<u32> {
    let kept = all.iter().enumerate();
    let kept = kept.filter(|(at, _)| *at != usize::from(index));
    kept.map(|(_, item)| *item).collect()
}
