//! Scripts that are being changed.
//!
//! An [`Original`] is a seed that was read, typed and laid out once. A [`Mutant`]
//! is a copy of its terms in which some are replaced; what is left alone is
//! printed by copying its text, so that making a mutant costs little more
//! than writing it down.
//!
//! Invariants: a node belongs to one place only (a term that is wanted twice
//! is copied), and if a node is changed, so are all nodes around it.

mod locals;
mod original;

pub(crate) use super::view::Unusable;
pub(crate) use locals::NONE;
pub(crate) use original::Original;

use std::ops::Range;

use crate::operators::OperatorId;
use crate::sort::Sort;
use crate::syntax::{Term, TermId, index};

/// A term of a mutant. Those of the original have the number of their term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NodeId(u32);

impl NodeId {
    /// Its number.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<TermId> for NodeId {
    /// The node that begins as this term of the original.
    fn from(term: TermId) -> NodeId {
        NodeId(term.0)
    }
}

/// A term that a command holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Root {
    /// The command's index.
    pub(crate) command: usize,
    /// The term.
    pub(crate) node: NodeId,
}

/// Where a node stands, so that another can be put there.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slot {
    /// The term of a command, by the index of the root.
    Root(usize),
    /// A child of a node.
    Child(NodeId, usize),
}

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    first: u32,
    count: u32,
    /// The term of the original whose text it has, or [`NONE`] if it was made.
    origin: u32,
    /// Its operator as text if that is not the original's, or [`NONE`].
    head: u32,
    sort: Sort,
    /// A scope whose variables are all visible here.
    scope: u32,
    operator: Option<OperatorId>,
    changed: bool,
    /// True if its subterms are those of the original, however they changed.
    quoted: bool,
}

impl Node {
    fn children(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// The scope of a node at which nothing is known about what is visible.
pub(crate) const NOWHERE: u32 = u32::MAX - 1;

/// A script in the making.
#[derive(Clone)]
pub(crate) struct Mutant<'a> {
    original: &'a Original,
    nodes: Vec<Node>,
    children: Vec<NodeId>,
    roots: Vec<Root>,
    /// The texts of made heads, one after another, and where each ends.
    heads: String,
    head_ends: Vec<u32>,
    /// What is written before or instead of a command, in their order.
    insertions: Vec<Insertion>,
    /// Nodes that were made, given another operator, or another child.
    touched: Vec<NodeId>,
}

#[derive(Clone, Debug)]
struct Insertion {
    command: usize,
    text: String,
    replaces: bool,
}

impl<'a> Mutant<'a> {
    /// A mutant that is still the original.
    pub(crate) fn new(original: &'a Original) -> Mutant<'a> {
        Mutant {
            original,
            nodes: original.nodes.clone(),
            children: original.children.clone(),
            roots: original.roots.clone(),
            heads: String::new(),
            head_ends: Vec::new(),
            insertions: Vec::new(),
            touched: Vec::new(),
        }
    }

    /// What it began as.
    pub(crate) fn original(&self) -> &'a Original {
        self.original
    }

    /// What commands hold, in the order of the text.
    pub(crate) fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// How many nodes there are, in use or not.
    pub(crate) fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The direct subterms, in the order of the text.
    pub(crate) fn children(&self, node: NodeId) -> &[NodeId] {
        &self.children[self.nodes[node.index()].children()]
    }

    /// The term around it; none for what a command holds, or what has no
    /// place yet.
    pub(crate) fn parent(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.nodes[node.index()].parent;
        (parent != NONE).then_some(NodeId(parent))
    }

    /// The sort.
    pub(crate) fn sort(&self, node: NodeId) -> Sort {
        self.nodes[node.index()].sort
    }

    /// The operator, where it is one of the table's.
    pub(crate) fn operator(&self, node: NodeId) -> Option<OperatorId> {
        self.nodes[node.index()].operator
    }

    /// A scope whose variables are all visible at the node; [`NONE`] outside
    /// of all scopes, [`NOWHERE`] if that is not known.
    pub(crate) fn scope(&self, node: NodeId) -> u32 {
        self.nodes[node.index()].scope
    }

    /// The term of the original that it is or was copied from, its operator and
    /// subterms perhaps changed; none if it was made.
    pub(crate) fn origin(&self, node: NodeId) -> Option<TermId> {
        let origin = self.nodes[node.index()].origin;
        (origin != NONE).then_some(TermId(origin))
    }

    /// The term of the original, seen, if it has that form still; none if it
    /// was made.
    pub(crate) fn term(&self, node: NodeId) -> Option<Term<'a>> {
        Some(self.original.script.term(self.origin(node)?))
    }

    /// The operator, keyword or leaf as text.
    pub(crate) fn head(&self, node: NodeId) -> &str {
        let at = self.nodes[node.index()];
        match at.head {
            NONE => &self.original.text[self.original.head_span(TermId(at.origin))],
            head => self.head_text(head),
        }
    }

    fn head_text(&self, head: u32) -> &str {
        let start = match head {
            0 => 0,
            _ => self.head_ends[head as usize - 1] as usize,
        };
        &self.heads[start..self.head_ends[head as usize] as usize]
    }

    fn new_head(&mut self, text: &str) -> u32 {
        self.heads.push_str(text);
        self.head_ends.push(index(self.heads.len()));
        index(self.head_ends.len() - 1)
    }

    /// Where a node stands; none if it has no place.
    pub(crate) fn slot(&self, node: NodeId) -> Option<Slot> {
        match self.parent(node) {
            Some(parent) => {
                let at = self.children(parent).iter().position(|&c| c == node)?;
                Some(Slot::Child(parent, at))
            }
            None => {
                let at = self.roots.iter().position(|root| root.node == node)?;
                Some(Slot::Root(at))
            }
        }
    }

    /// The node at a slot.
    pub(crate) fn at(&self, slot: Slot) -> NodeId {
        match slot {
            Slot::Root(at) => self.roots[at].node,
            Slot::Child(parent, at) => self.children(parent)[at],
        }
    }

    /// The command that holds a node.
    pub(crate) fn command(&self, node: NodeId) -> Option<usize> {
        let mut at = node;
        while let Some(parent) = self.parent(at) {
            at = parent;
        }
        let root = self.roots.iter().find(|root| root.node == at)?;
        Some(root.command)
    }

    /// Puts a node without a place (made, copied, or moved into one that was
    /// made) where `slot` is. What stood there has no place after that,
    /// unless it was moved before.
    pub(crate) fn put(&mut self, slot: Slot, node: NodeId) {
        let old = self.at(slot);
        if let Slot::Child(parent, _) = slot
            && self.nodes[old.index()].parent == parent.0
        {
            self.nodes[old.index()].parent = NONE;
        }
        match slot {
            Slot::Root(at) => {
                self.roots[at].node = node;
                self.nodes[node.index()].parent = NONE;
            }
            Slot::Child(parent, at) => {
                let first = self.nodes[parent.index()].first as usize;
                self.children[first + at] = node;
                self.nodes[node.index()].parent = parent.0;
                self.touch(parent);
            }
        }
    }

    /// The nodes that were made, given another operator, or another child:
    /// in the order in which that happened, some more than once, some by now
    /// without a place.
    pub(crate) fn touched(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.touched.iter().copied()
    }

    /// Marks a node and those around it as changed.
    fn touch(&mut self, node: NodeId) {
        self.touched.push(node);
        let mut at = node.0;
        while at != NONE && !self.nodes[at as usize].changed {
            self.nodes[at as usize].changed = true;
            at = self.nodes[at as usize].parent;
        }
    }

    /// A new node without a place: `head` alone, or `(head child …)`. The
    /// children must have no place, or lose it by this.
    pub(crate) fn make(
        &mut self,
        head: &str,
        operator: Option<OperatorId>,
        sort: Sort,
        scope: u32,
        children: &[NodeId],
    ) -> NodeId {
        let head = self.new_head(head);
        let node = NodeId(index(self.nodes.len()));
        let first = index(self.children.len());
        self.children.extend_from_slice(children);
        for child in children {
            self.nodes[child.index()].parent = node.0;
        }
        self.nodes.push(Node {
            parent: NONE,
            first,
            count: index(children.len()),
            origin: NONE,
            head,
            sort,
            scope,
            operator,
            changed: true,
            quoted: false,
        });
        self.touched.push(node);
        node
    }

    /// Gives a node another operator, which must take the same arguments.
    pub(crate) fn set_head(&mut self, node: NodeId, head: &str, operator: Option<OperatorId>) {
        let head = self.new_head(head);
        let at = &mut self.nodes[node.index()];
        at.head = head;
        at.operator = operator;
        self.touch(node);
    }

    /// A copy of a node without a place, to be put where `scope` is visible.
    pub(crate) fn copy(&mut self, node: NodeId, scope: u32) -> NodeId {
        let outer = self.nodes[node.index()].scope;
        // Inside the copied term's own scopes, the scopes around it are those
        // of the original: these are visible only if its place is inside them.
        let inner_scopes_hold =
            scope != NOWHERE && outer != NOWHERE && self.original.locals.visible(outer, scope);
        let root = index(self.nodes.len());
        self.nodes.push(Node {
            parent: NONE,
            ..self.nodes[node.index()]
        });
        // Children are copied when their parent's turn comes: `at` runs over
        // the copies as they are appended.
        let mut at = root as usize;
        while at < self.nodes.len() {
            let original = self.nodes[at];
            let kept = original.scope;
            self.nodes[at].scope = match kept {
                _ if kept == outer => scope,
                _ if inner_scopes_hold => kept,
                _ => NOWHERE,
            };
            // What is around a quoted term may be below it by now.
            if original.quoted {
                at += 1;
                continue;
            }
            let first = index(self.children.len());
            for child in original.children() {
                let child = self.children[child];
                self.children.push(NodeId(index(self.nodes.len())));
                self.nodes.push(Node {
                    parent: index(at),
                    ..self.nodes[child.index()]
                });
            }
            self.nodes[at].first = first;
            at += 1;
        }
        NodeId(root)
    }

    /// A copy of a term as it is in the original, whatever became of it here,
    /// to be put where `scope` is visible.
    pub(crate) fn copy_original(&mut self, term: TermId, scope: u32) -> NodeId {
        let original = self.original;
        let outer = original.nodes[term.index()].scope;
        let inner_scopes_hold = scope != NOWHERE && original.locals.visible(outer, scope);
        let root = index(self.nodes.len());
        self.nodes.push(Node {
            parent: NONE,
            ..original.nodes[term.index()]
        });
        let mut at = root as usize;
        while at < self.nodes.len() {
            let copied = self.nodes[at];
            self.nodes[at].scope = match copied.scope {
                kept if kept == outer => scope,
                kept if inner_scopes_hold => kept,
                _ => NOWHERE,
            };
            self.nodes[at].first = index(self.children.len());
            for &child in &original.children[copied.children()] {
                self.children.push(NodeId(index(self.nodes.len())));
                self.nodes.push(Node {
                    parent: index(at),
                    ..original.nodes[child.index()]
                });
            }
            at += 1;
        }
        NodeId(root)
    }

    /// Says that what was in `scope` below `root` is outside of it now: only
    /// what is visible in `outside` is known to be visible there.
    pub(crate) fn leave_scope(&mut self, root: NodeId, scope: u32, outside: u32) {
        let mut work = vec![root];
        while let Some(node) = work.pop() {
            work.extend_from_slice(&self.children[self.nodes[node.index()].children()]);
            let own = self.nodes[node.index()].scope;
            if own == scope {
                self.nodes[node.index()].scope = outside;
            } else if own != NONE && own != NOWHERE && self.original.locals.visible(scope, own) {
                self.nodes[node.index()].scope = NOWHERE;
            }
        }
    }

    /// True if it is a term of the original in which nothing was changed.
    pub(crate) fn is_unchanged(&self, node: NodeId) -> bool {
        !self.nodes[node.index()].changed
    }

    /// A copy of a term as the original has it, without a place, to be put where
    /// `scope` is visible. It costs nothing to make, but its subterms are
    /// those of the original: they can be looked at, not changed.
    pub(crate) fn quote(&mut self, term: TermId, scope: u32) -> NodeId {
        let original = self.original.nodes[term.index()];
        let first = index(self.children.len());
        let subterms = &self.original.children[original.children()];
        self.children.extend_from_slice(subterms);
        let node = NodeId(index(self.nodes.len()));
        self.nodes.push(Node {
            parent: NONE,
            first,
            scope,
            quoted: true,
            ..original
        });
        node
    }

    /// Writes `text` before command `command` when the mutant is printed.
    pub(crate) fn insert_before(&mut self, command: usize, text: String) {
        self.insert(command, text, false);
    }

    /// Writes `text` before command `command` and all that is inserted there.
    pub(crate) fn declare_before(&mut self, command: usize, text: String) {
        let at = self
            .insertions
            .partition_point(|other| other.command < command);
        let insertion = Insertion {
            command,
            text,
            replaces: false,
        };
        self.insertions.insert(at, insertion);
    }

    /// Writes `text` instead of command `command`, which holds no term. What
    /// was said last counts.
    pub(crate) fn replace_command(&mut self, command: usize, text: String) {
        let same = |other: &Insertion| other.command == command && other.replaces;
        self.insertions.retain(|other| !same(other));
        self.insert(command, text, true);
    }

    fn insert(&mut self, command: usize, text: String, replaces: bool) {
        let before = |other: &Insertion| (other.command, other.replaces) <= (command, replaces);
        let at = self.insertions.partition_point(before);
        let insertion = Insertion {
            command,
            text,
            replaces,
        };
        self.insertions.insert(at, insertion);
    }

    /// Writes the whole script.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let text = self.original.text.as_bytes();
        out.reserve(text.len() + self.heads.len());
        let mut copied = 0;
        let mut insertions = self.insertions.iter().peekable();
        for (original, root) in self.original.roots.iter().zip(&self.roots) {
            while let Some(insertion) = insertions.next_if(|other| other.command <= root.command) {
                copied = self.write_insertion(insertion, copied, out);
            }
            let changed = original.node != root.node || self.nodes[root.node.index()].changed;
            if changed {
                let span = self.original.span(TermId(original.node.0));
                out.extend_from_slice(&text[copied..span.start]);
                self.write_node(root.node, out);
                copied = span.end;
            }
        }
        for insertion in insertions {
            copied = self.write_insertion(insertion, copied, out);
        }
        out.extend_from_slice(&text[copied..]);
    }

    /// Writes the text from `copied` up to an insertion, and that; returns
    /// where to go on.
    fn write_insertion(&self, insertion: &Insertion, copied: usize, out: &mut Vec<u8>) -> usize {
        let span = &self.original.commands[insertion.command];
        out.extend_from_slice(&self.original.text.as_bytes()[copied..span.start]);
        out.extend_from_slice(insertion.text.as_bytes());
        match insertion.replaces {
            true => span.end,
            false => span.start,
        }
    }

    /// Writes one term.
    pub(crate) fn write_node(&self, node: NodeId, out: &mut Vec<u8>) {
        let text = self.original.text.as_bytes();
        let mut stack: Vec<(NodeId, u32)> = vec![(node, 0)];
        while let Some(top) = stack.last_mut() {
            let (node, next) = (top.0, top.1);
            top.1 += 1;
            let at = &self.nodes[node.index()];
            let child = (next < at.count).then(|| self.children[(at.first + next) as usize]);
            if at.origin == NONE {
                let opening = next == 0 && at.count > 0;
                if opening {
                    out.push(b'(');
                }
                if next == 0 {
                    out.extend_from_slice(self.head_text(at.head).as_bytes());
                }
                match child {
                    Some(_) => out.push(b' '),
                    None if at.count > 0 => out.push(b')'),
                    None => {}
                }
            } else if at.changed {
                self.write_gap(at, next, out);
            } else {
                out.extend_from_slice(&text[self.original.span(TermId(at.origin))]);
                stack.pop();
                continue;
            }
            match child {
                Some(child) => stack.push((child, 0)),
                None => {
                    stack.pop();
                }
            }
        }
    }

    /// Writes the text of a changed node of the original that stands before its
    /// child number `next`, or after the last.
    fn write_gap(&self, at: &Node, next: u32, out: &mut Vec<u8>) {
        let text = self.original.text.as_bytes();
        let origin = TermId(at.origin);
        let span = self.original.span(origin);
        let original = &self.original.nodes[origin.index()];
        let child = |n: u32| self.original.children[(original.first + n) as usize];
        let span_of = |n: u32| self.original.span(TermId(child(n).0));
        let end = match next < at.count {
            true => span_of(next).start,
            false => span.end,
        };
        let mut start = match next {
            0 => span.start,
            _ => span_of(next - 1).end,
        };
        if next == 0 && at.head != NONE {
            let head = self.original.head_span(origin);
            out.extend_from_slice(&text[start..head.start]);
            out.extend_from_slice(self.head_text(at.head).as_bytes());
            start = head.end;
        }
        out.extend_from_slice(&text[start..end]);
    }
}

#[cfg(test)]
mod tests;
