//! The tree under construction: nodes, the links to their children, and the
//! values of their attributes, each in one array. What is taken down is used
//! again.

use crate::spec::compiled::{Class, Compiled};
use crate::spec::run::Value;

/// A node's number.
pub(super) type NodeId = u32;

/// No node, or no production yet.
pub(super) const NONE: u32 = u32::MAX;
/// The production of all literal nodes: their value tells them apart.
pub(super) const LITERAL: u32 = u32::MAX - 1;

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub class: u32,
    /// [`NONE`] while it is not expanded.
    pub production: u32,
    pub parent: NodeId,
    /// The first of its links.
    pub kids: u32,
    /// The first of its values.
    pub slots: u32,
    /// How high its subtree may be.
    pub height: u32,
    /// Which value of a generator or literal class.
    pub value: u32,
    /// How many cells of its list come before it.
    pub cell: u32,
    /// The last time it was marked.
    pub mark: u32,
    /// What it should become, or [`NONE`].
    pub wish: u32,
    /// Its number among its siblings.
    pub index: u16,
    /// A guarded node that holds all it has to.
    pub done: bool,
    /// False once it is taken down.
    pub live: bool,
}

pub(super) struct Tree<'a> {
    pub compiled: &'a Compiled,
    pub nodes: Vec<Node>,
    pub links: Vec<NodeId>,
    pub values: Vec<Value>,
    /// Nodes to use again, by class: they keep their values' place.
    spare: Vec<Vec<NodeId>>,
    /// Links to use again, by how many.
    spare_links: Vec<Vec<u32>>,
    pub live: u64,
    /// Guarded nodes that are done.
    pub done: u64,
    /// All nodes ever made.
    pub made: u64,
    pub made_by_class: Vec<u64>,
    /// How often each production was chosen.
    pub chosen: Vec<u64>,
    scratch: Vec<NodeId>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(compiled: &'a Compiled) -> Tree<'a> {
        let children = compiled.productions.iter().map(|p| p.children.len());
        Tree {
            compiled,
            nodes: Vec::new(),
            links: Vec::new(),
            values: Vec::new(),
            spare: vec![Vec::new(); compiled.classes.len()],
            spare_links: vec![Vec::new(); children.max().unwrap_or(0) + 1],
            live: 0,
            done: 0,
            made: 0,
            made_by_class: vec![0; compiled.classes.len()],
            chosen: vec![0; compiled.productions.len()],
            scratch: Vec::new(),
        }
    }

    pub(super) fn class(&self, node: NodeId) -> &'a Class {
        &self.compiled.classes[self.nodes[node as usize].class as usize]
    }

    pub(super) fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node as usize]
    }

    pub(super) fn node_mut(&mut self, node: NodeId) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    pub(super) fn children(&self, node: NodeId) -> &[NodeId] {
        let node = &self.nodes[node as usize];
        let count = match node.production {
            NONE | LITERAL => 0,
            production => self.compiled.productions[production as usize]
                .children
                .len(),
        };
        &self.links[node.kids as usize..node.kids as usize + count]
    }

    pub(super) fn child(&self, node: NodeId, index: u16) -> NodeId {
        self.links[self.nodes[node as usize].kids as usize + usize::from(index)]
    }

    pub(super) fn is_expanded(&self, node: NodeId) -> bool {
        self.nodes[node as usize].production != NONE
    }

    pub(super) fn value(&self, node: NodeId, slot: u32) -> &Value {
        &self.values[(self.nodes[node as usize].slots + slot) as usize]
    }

    pub(super) fn set(&mut self, node: NodeId, slot: u32, value: Value) {
        let at = self.nodes[node as usize].slots + slot;
        self.values[at as usize] = value;
    }

    pub(super) fn new_node(&mut self, class: u32, parent: NodeId, index: u16) -> NodeId {
        self.live += 1;
        self.made += 1;
        self.made_by_class[class as usize] += 1;
        let fresh = Node {
            class,
            production: NONE,
            parent,
            kids: 0,
            slots: 0,
            height: 0,
            value: 0,
            cell: 0,
            mark: 0,
            wish: NONE,
            index,
            done: false,
            live: true,
        };
        if let Some(spare) = self.spare[class as usize].pop() {
            let slots = self.nodes[spare as usize].slots;
            self.nodes[spare as usize] = Node { slots, ..fresh };
            return spare;
        }
        let slots = self.values.len() as u32;
        let count = self.compiled.classes[class as usize].slots as usize;
        self.values.resize(self.values.len() + count, Value::Absent);
        self.nodes.push(Node { slots, ..fresh });
        self.nodes.len() as u32 - 1
    }

    /// Room for the links of a production's children.
    pub(super) fn new_links(&mut self, count: usize) -> u32 {
        if count == 0 {
            return 0;
        }
        self.spare_links[count].pop().unwrap_or_else(|| {
            let first = self.links.len() as u32;
            self.links.resize(self.links.len() + count, NONE);
            first
        })
    }

    /// Gives the links of a node back; its children are taken care of.
    pub(super) fn free_links(&mut self, node: NodeId) {
        let count = self.children(node).len();
        if count > 0 {
            self.spare_links[count].push(self.nodes[node as usize].kids);
        }
    }

    /// Notes that a guarded node holds all it has to.
    pub(super) fn finish(&mut self, node: NodeId) {
        self.node_mut(node).done = true;
        self.done += 1;
    }

    /// Takes down everything below `node`, which is not expanded any more. Its
    /// own values stay.
    pub(super) fn free_children(&mut self, node: NodeId) {
        let mut todo = std::mem::take(&mut self.scratch);
        todo.clear();
        todo.extend_from_slice(self.children(node));
        self.free_links(node);
        let top = self.node_mut(node);
        top.production = NONE;
        let was_done = std::mem::take(&mut top.done);
        self.done -= u64::from(was_done);
        while let Some(next) = todo.pop() {
            self.free_one(next, &mut todo);
        }
        self.scratch = todo;
    }

    /// Takes down `node` and everything below it.
    pub(super) fn free_subtree(&mut self, node: NodeId) {
        self.free_children(node);
        self.free_one(node, &mut Vec::new());
    }

    fn free_one(&mut self, node: NodeId, todo: &mut Vec<NodeId>) {
        todo.extend_from_slice(self.children(node));
        self.free_links(node);
        let slots = self.class(node).slots;
        let gone = self.node_mut(node);
        gone.production = NONE;
        gone.live = false;
        let was_done = std::mem::take(&mut gone.done);
        let (class, first) = (gone.class, gone.slots);
        self.done -= u64::from(was_done);
        for value in &mut self.values[first as usize..(first + slots) as usize] {
            *value = Value::Absent;
        }
        self.spare[class as usize].push(node);
        self.live -= 1;
    }
}
