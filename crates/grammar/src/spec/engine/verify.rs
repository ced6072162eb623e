//! A second look at a finished tree: all attributes are computed anew, and all
//! guards looked at again. What was kept while the tree changed plays no part.

use super::attributes::{Demand, demand, resolve};
use super::tree::{LITERAL, NONE, NodeId};
use super::{Engine, Stop};
use crate::spec::run::Value;

const BROKEN: Stop = Stop::Limit("a guard does not hold in the finished program: a bug of lydite");

impl Engine<'_> {
    /// An error if something does not hold.
    pub(super) fn verify(&mut self) -> Result<(), Stop> {
        let all = 0..self.tree.nodes.len() as u32;
        let live: Vec<NodeId> = all.filter(|&node| self.tree.node(node).live).collect();
        for &node in &live {
            self.forget_computed(node);
        }
        for &node in &live {
            for slot in self.tree.class(node).guards.clone() {
                if *self.fresh((node, slot))? != Value::Bool(true) {
                    return Err(BROKEN);
                }
            }
            self.verify_chosen(node)?;
        }
        Ok(())
    }

    /// Literal texts and chosen values come with the node; the rest is
    /// computed.
    fn forget_computed(&mut self, node: NodeId) {
        let number = self.tree.node(node).production;
        if number == LITERAL {
            return;
        }
        let generator = &self.tree.compiled.productions[number as usize].generator;
        let chosen = generator.as_ref().map(|generator| generator.slot);
        for slot in 0..self.tree.class(node).slots {
            if Some(slot) != chosen {
                self.tree.set(node, slot, Value::Absent);
            }
        }
    }

    fn fresh(&mut self, goal: (NodeId, u32)) -> Result<&Value, Stop> {
        let (tree, evaluator) = (&mut self.tree, &mut self.evaluator);
        match demand(tree, evaluator, &mut self.goals, NONE, goal)? {
            Demand::Ready => Ok(self.tree.value(goal.0, goal.1)),
            Demand::Blocked(_) => Err(BROKEN),
        }
    }

    /// A generator would still offer what was chosen.
    fn verify_chosen(&mut self, node: NodeId) -> Result<(), Stop> {
        let (number, index) = {
            let found = self.tree.node(node);
            (found.production, found.value as usize)
        };
        if number == LITERAL {
            return Ok(());
        }
        let Some(generator) = &self.tree.compiled.productions[number as usize].generator else {
            return Ok(());
        };
        for &source in &generator.sources {
            self.fresh(resolve(&self.tree, node, source))?;
        }
        let (entry, sources) = (generator.entry, &generator.sources);
        let list = self.evaluator.compute(&self.tree, node, entry, sources)?;
        let offered = match &list {
            Value::List(list) => list.items.get(index),
            _ => None,
        };
        match offered == Some(self.tree.value(node, generator.slot)) {
            true => Ok(()),
            false => Err(BROKEN),
        }
    }
}
