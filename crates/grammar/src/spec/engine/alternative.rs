//! ALTERNATIVE (figure 6): the smallest change to the region that no fail
//! pattern prohibits.

use lydite_core::Choices;

use super::patterns::{STAR, Trimmed};
use super::tree::NodeId;
use super::{Engine, Stop};

/// A node on the way down, and which of its children comes next.
struct Visit {
    node: NodeId,
    patterns: Vec<Trimmed>,
    next: usize,
}

impl Engine<'_> {
    /// Changes something in the topmost frame's region; false if there is
    /// nothing left to change. What it leaves open is to be expanded.
    pub(super) fn change(&mut self, choices: &mut Choices) -> Result<bool, Stop> {
        let root = self.frame().root;
        let all = self.frame().patterns.iter();
        let patterns: Vec<Trimmed> = all.map(|&p| Trimmed { whole: p, rest: p }).collect();
        if patterns.iter().any(|trimmed| trimmed.rest == STAR) {
            self.frame().height_only = false;
            return Ok(false);
        }
        if !self.tree.is_expanded(root) {
            return self.replace(root, patterns, choices);
        }
        let mut visits = vec![Visit {
            node: root,
            patterns,
            next: 0,
        }];
        while let Some(visit) = visits.last_mut() {
            let node = visit.node;
            if visit.next == 0 && self.shrink(node, &visit.patterns)? {
                return Ok(true);
            }
            let order = match self.tree.node(node).production {
                super::tree::LITERAL | super::tree::NONE => &[][..],
                number => &self.tree.compiled.productions[number as usize].order,
            };
            if let Some(&index) = order.get(visit.next) {
                visit.next += 1;
                let child = self.tree.child(node, index);
                let patterns = self.patterns.trim(&self.tree, node, &visit.patterns, index);
                // Without patterns nothing is wrong with the child (figure 6 would
                // take it down all the same, for nothing); with a wildcard nothing
                // can be right: line 2 of the figure, one call earlier.
                let hopeless = patterns.is_empty() || patterns.iter().any(|t| t.rest == STAR);
                if hopeless {
                    continue;
                }
                if self.tree.class(child).guarded {
                    self.deconstruct(child);
                    self.frame().pending.push(child);
                    return Ok(true);
                }
                if self.tree.is_expanded(child) {
                    let next = 0;
                    visits.push(Visit {
                        node: child,
                        patterns,
                        next,
                    });
                }
                continue;
            }
            let patterns = std::mem::take(&mut visit.patterns);
            visits.pop();
            if self.replace(node, patterns, choices)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// DECONSTRUCTANDREPLACE: another subtree for `node`, if a production is
    /// left.
    fn replace(
        &mut self,
        node: NodeId,
        patterns: Vec<Trimmed>,
        choices: &mut Choices,
    ) -> Result<bool, Stop> {
        let pick = match self.pick(node, &patterns, choices)? {
            Ok(pick) => pick,
            Err(nothing) => {
                if node == self.frame().root {
                    self.frame().height_only &= nothing.height_only;
                }
                return Ok(false);
            }
        };
        if self.tree.is_expanded(node) {
            self.deconstruct(node);
        }
        self.turn_into(node, pick);
        // What it cannot expand stays open; the caller comes back to it.
        self.grow(node, patterns, choices)?;
        Ok(true)
    }
}
