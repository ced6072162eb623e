//! Attributes are computed on demand and kept; what can no longer be computed
//! is deleted along the same dependencies (sections IV-A3 and IV-B2).
//!
//! An attribute of a guarded node that is not done yet blocks whatever needs
//! it; the engine builds that node first. Strong non-cyclicity makes sure that
//! this ends.

use super::tree::{LITERAL, NONE, NodeId, Tree};
use crate::spec::check::emit::Place;
use crate::spec::compiled::{BAD_WEIGHT, Rule, RuleKind, Weight};
use crate::spec::run::{Fault, FaultKind, Machine, Sources, Value};

/// What a demand for an attribute comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Demand {
    Ready,
    /// This guarded node has to be done first.
    Blocked(NodeId),
}

struct NodeSources<'t, 'a> {
    tree: &'t Tree<'a>,
    node: NodeId,
}

impl Sources for NodeSources<'_, '_> {
    fn own(&self, slot: u32) -> Value {
        self.tree.value(self.node, slot).clone()
    }

    fn child(&self, child: u16, slot: u32) -> Value {
        let child = self.tree.child(self.node, child);
        self.tree.value(child, slot).clone()
    }

    fn height(&self) -> i64 {
        i64::from(self.tree.node(self.node).height)
    }
}

/// The node and slot of a place as seen from `node`.
pub(super) fn resolve(tree: &Tree, node: NodeId, place: Place) -> (NodeId, u32) {
    match place {
        Place::Own(slot) => (node, slot),
        Place::Child(child, slot) => (tree.child(node, child), slot),
    }
}

/// The rule that sets an attribute and the node that it belongs to; `None` for
/// values that come with the node.
pub(super) fn rule_of<'a>(tree: &Tree<'a>, node: NodeId, slot: u32) -> Option<(&'a Rule, NodeId)> {
    let compiled = tree.compiled;
    let here = tree.node(node);
    if slot < tree.class(node).inherited {
        let above = tree.node(here.parent);
        let production = &compiled.productions[above.production as usize];
        let rule = production.passed[usize::from(here.index)][slot as usize];
        return Some((&compiled.rules[rule as usize], here.parent));
    }
    if here.production == LITERAL {
        return None;
    }
    let production = &compiled.productions[here.production as usize];
    let rule = production.own[slot as usize]?;
    Some((&compiled.rules[rule as usize], node))
}

/// The machine, and what it computed lately: functions are pure, so the same
/// code on the same values gives the same again.
pub(super) struct Evaluator<'a> {
    pub machine: Machine<'a>,
    pub steps_by_class: Vec<u64>,
    recent: Vec<Recent>,
}

#[derive(Clone)]
struct Recent {
    entry: u32,
    sources: Vec<Value>,
    value: Value,
}

/// How many results are kept; a power of two.
const RECENT: usize = 256;
/// Code that reads more is computed anew.
const MAX_SOURCES: usize = 4;

impl<'a> Evaluator<'a> {
    pub(super) fn new(machine: Machine<'a>, classes: usize) -> Evaluator<'a> {
        // Filled when the first code runs: small programs may need none.
        let recent = Vec::new();
        let steps_by_class = vec![0; classes];
        Evaluator {
            machine,
            steps_by_class,
            recent,
        }
    }

    /// Computes code that belongs to `node`; its sources are there.
    pub(super) fn compute(
        &mut self,
        tree: &Tree,
        node: NodeId,
        entry: u32,
        sources: &[Place],
    ) -> Result<Value, Fault> {
        let before = self.machine.steps;
        let value = self.compute_or_recall(tree, node, entry, sources);
        let class = tree.node(node).class as usize;
        self.steps_by_class[class] += self.machine.steps - before;
        value
    }

    /// The weight of a production for `node`, whose inherited attributes are
    /// there if it reads them.
    pub(super) fn weigh(
        &mut self,
        tree: &Tree,
        node: NodeId,
        weight: &Weight,
    ) -> Result<u64, Fault> {
        let value = match weight.by_height {
            // What was computed lately may have been of another height.
            true => self
                .machine
                .run(weight.entry, &NodeSources { tree, node })?,
            false => self.compute(tree, node, weight.entry, &weight.sources)?,
        };
        weight.read(&value).ok_or_else(|| Fault {
            span: weight.span,
            kind: FaultKind::Error(BAD_WEIGHT.to_string()),
        })
    }

    fn compute_or_recall(
        &mut self,
        tree: &Tree,
        node: NodeId,
        entry: u32,
        sources: &[Place],
    ) -> Result<Value, Fault> {
        if sources.len() > MAX_SOURCES {
            return self.machine.run(entry, &NodeSources { tree, node });
        }
        if self.recent.is_empty() {
            let none = Recent {
                entry: u32::MAX,
                sources: Vec::new(),
                value: Value::Absent,
            };
            self.recent.resize(RECENT, none);
        }
        let value = |place: &Place| {
            let (node, slot) = resolve(tree, node, *place);
            tree.value(node, slot)
        };
        let mut hash = entry.wrapping_mul(0x9e37_79b9);
        for source in sources {
            hash = (hash.rotate_left(5) ^ value(source).digest()).wrapping_mul(0x9e37_79b9);
        }
        let recent = &mut self.recent[(hash >> 16) as usize % RECENT];
        let known = recent.entry == entry
            && recent.sources.len() == sources.len()
            && recent
                .sources
                .iter()
                .zip(sources)
                .all(|(a, b)| a.is_same(value(b)));
        if !known {
            recent.entry = u32::MAX;
            recent.sources.clear();
            recent
                .sources
                .extend(sources.iter().map(|s| value(s).clone()));
            recent.value = self.machine.run(entry, &NodeSources { tree, node })?;
            recent.entry = entry;
        }
        Ok(recent.value.clone())
    }
}

/// Computes an attribute and whatever it needs. `root` is the guarded node
/// that is being built: its own attributes do not wait for it.
pub(super) fn demand(
    tree: &mut Tree,
    evaluator: &mut Evaluator,
    goals: &mut Vec<(NodeId, u32)>,
    root: NodeId,
    wanted: (NodeId, u32),
) -> Result<Demand, Fault> {
    goals.clear();
    goals.push(wanted);
    while let Some(&(node, slot)) = goals.last() {
        if !tree.value(node, slot).is_absent() {
            goals.pop();
            continue;
        }
        let class = tree.class(node);
        if slot >= class.inherited {
            let waits = class.guarded && node != root && !tree.node(node).done;
            if waits || !tree.is_expanded(node) {
                return Ok(Demand::Blocked(node));
            }
        }
        let Some((rule, owner)) = rule_of(tree, node, slot) else {
            return Ok(Demand::Blocked(node));
        };
        let before = goals.len();
        for &source in &rule.sources {
            let (node, slot) = resolve(tree, owner, source);
            if tree.value(node, slot).is_absent() {
                goals.push((node, slot));
            }
        }
        if goals.len() > before {
            continue;
        }
        let value = match rule.kind {
            RuleKind::Copy(source) => {
                let (from, from_slot) = resolve(tree, owner, source);
                tree.value(from, from_slot).clone()
            }
            RuleKind::Const(constant) => evaluator.machine.constant(constant),
            RuleKind::Code(entry) => evaluator.compute(tree, owner, entry, &rule.sources)?,
        };
        tree.set(node, slot, value);
        goals.pop();
    }
    Ok(Demand::Ready)
}

/// Takes down what is below `node`, deletes what depended on it, and takes
/// down guarded nodes that did, too: they are added to `reopened`.
pub(super) fn deconstruct(tree: &mut Tree, node: NodeId, root: NodeId, reopened: &mut Vec<NodeId>) {
    let mut lost = Vec::new();
    take_down(tree, node, &mut lost);
    spread(tree, lost, root, reopened);
}

/// Deletes one attribute and everything that depends on it.
pub(super) fn lose(
    tree: &mut Tree,
    node: NodeId,
    slot: u32,
    root: NodeId,
    reopened: &mut Vec<NodeId>,
) {
    if tree.value(node, slot).is_absent() {
        return;
    }
    tree.set(node, slot, Value::Absent);
    let mut lost = vec![Lost {
        node,
        slot,
        production: tree.node(node).production,
    }];
    if slot < tree.class(node).inherited {
        guard_lost(tree, node, &mut lost, reopened);
    }
    spread(tree, lost, root, reopened);
}

/// A value that is gone. The production is the one that it was seen in: the
/// node may have none any more.
struct Lost {
    node: NodeId,
    slot: u32,
    production: u32,
}

/// Makes a node unexpanded; its own values but the inherited ones are lost.
fn take_down(tree: &mut Tree, node: NodeId, lost: &mut Vec<Lost>) {
    tree.free_children(node);
    let class = tree.class(node);
    for slot in class.inherited..class.slots {
        if !tree.value(node, slot).is_absent() {
            tree.set(node, slot, Value::Absent);
            let production = NONE;
            lost.push(Lost {
                node,
                slot,
                production,
            });
        }
    }
}

/// A guarded node without one of its inherited attributes is no longer known
/// to be valid. Section IV-B2 waits until a guard's value is gone; guards depend
/// on all that is inherited (III-B), so that is the same.
fn guard_lost(tree: &mut Tree, node: NodeId, lost: &mut Vec<Lost>, reopened: &mut Vec<NodeId>) {
    if tree.class(node).guarded && tree.is_expanded(node) {
        take_down(tree, node, lost);
        reopened.push(node);
    }
}

fn spread(tree: &mut Tree, mut lost: Vec<Lost>, root: NodeId, reopened: &mut Vec<NodeId>) {
    let compiled = tree.compiled;
    while let Some(Lost {
        node,
        slot,
        production,
    }) = lost.pop()
    {
        let here = *tree.node(node);
        if !here.live {
            continue;
        }
        let class = tree.class(node);
        let mut targets: Vec<(NodeId, u32)> = Vec::new();
        let is_attribute = (slot as usize) < class.guards.end as usize;
        if slot >= class.inherited && is_attribute && node != root && here.parent != NONE {
            let above = tree.node(here.parent).production;
            if above != NONE {
                let readers = &compiled.productions[above as usize].child_readers;
                for &place in &readers[usize::from(here.index)][slot as usize] {
                    targets.push(resolve(tree, here.parent, place));
                }
            }
        }
        // Readers inside the node are gone with it, if it was taken down.
        if production != NONE && production != LITERAL && here.production == production {
            let readers = &compiled.productions[production as usize].own_readers;
            if let Some(places) = readers.get(slot as usize) {
                for &place in places {
                    targets.push(resolve(tree, node, place));
                }
            }
        }
        for (node, slot) in targets {
            if tree.value(node, slot).is_absent() {
                continue;
            }
            tree.set(node, slot, Value::Absent);
            let production = tree.node(node).production;
            lost.push(Lost {
                node,
                slot,
                production,
            });
            if slot < tree.class(node).inherited {
                guard_lost(tree, node, &mut lost, reopened);
            }
        }
    }
}
