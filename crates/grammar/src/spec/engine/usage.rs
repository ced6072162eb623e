//! What a finished program consists of, for those who write specs.

use super::Engine;
use super::tree::{LITERAL, NodeId};
use crate::spec::run::Value;
use crate::spec::usage::Usage;

impl Engine<'_> {
    /// Adds the productions of the tree, if it is finished, and those that were
    /// chosen on the way.
    pub(super) fn count_usage(&self, root: NodeId, finished: bool, usage: &mut Usage) {
        let chosen = &self.tree.chosen;
        for (usage, chosen) in usage.productions.iter_mut().zip(chosen) {
            usage.chosen += chosen;
        }
        if !finished {
            return;
        }
        usage.programs += 1;
        let program = usage.programs;
        let mut todo: Vec<(NodeId, u64)> = vec![(root, 0)];
        while let Some((node, depth)) = todo.pop() {
            let found = self.tree.node(node);
            if found.production == LITERAL {
                if let Value::Text(text) = self.tree.value(node, 0) {
                    let text = self.evaluator.machine.texts.get(*text);
                    usage.note_text(self.tree.compiled, found.class, text);
                }
                continue;
            }
            usage.note(found.production, depth, program);
            let children = self.tree.children(node).iter();
            // The cells of a list are siblings.
            let tail = self.tree.compiled.productions[found.production as usize].tail;
            todo.extend(children.enumerate().map(|(index, &child)| {
                let is_tail = tail == Some(index as u16);
                (child, depth + u64::from(!is_tail))
            }));
        }
    }
}
