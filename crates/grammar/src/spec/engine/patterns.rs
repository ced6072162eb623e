//! Fail patterns (sections IV-A1 and IV-B4): trees of productions that cannot
//! be completed, with wildcards where nothing matters.
//!
//! All patterns of a run are in one array and go with the frame that learned
//! them. A pattern is sound: every tree that it matches, in the context of the
//! frame that holds it, violates a guard.

use super::attributes::{resolve, rule_of};
use super::tree::{LITERAL, NONE, NodeId, Tree};

/// A pattern's number, or [`STAR`].
pub(super) type PatternId = u32;

/// Matches everything.
pub(super) const STAR: PatternId = u32::MAX;

/// A pattern of at most so many nodes is a general one.
const GENERAL: u32 = 8;

#[derive(Clone, Copy, Debug)]
struct PatternNode {
    production: u32,
    value: u32,
    /// Where its children are in [`Patterns::kids`].
    first: u32,
    count: u32,
    /// Where the kids ended before it: for taking patterns back.
    kids_before: u32,
}

/// See the module's documentation.
#[derive(Default)]
pub(super) struct Patterns {
    nodes: Vec<PatternNode>,
    kids: Vec<PatternId>,
    stack: Vec<(PatternId, NodeId)>,
    /// How many were learned.
    pub learned: u64,
    /// How many nodes were compared: where the time goes.
    pub work: u64,
}

/// A pattern of a frame and what is left of it further down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trimmed {
    pub whole: PatternId,
    pub rest: PatternId,
}

impl Patterns {
    /// How many there are: what [`Patterns::forget`] goes back to.
    pub(super) fn level(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn forget(&mut self, level: usize) {
        if let Some(first) = self.nodes.get(level) {
            self.kids.truncate(first.kids_before as usize);
            self.nodes.truncate(level);
        }
    }

    /// Forgets those of `learned`, all that there are, that name many nodes: they
    /// exclude little for what it takes to compare with them.
    pub(super) fn keep_general(&mut self, learned: &mut Vec<PatternId>) {
        let (nodes, kids) = (
            std::mem::take(&mut self.nodes),
            std::mem::take(&mut self.kids),
        );
        let ends: Vec<PatternId> = learned.iter().skip(1).copied().collect();
        let ends = ends.into_iter().chain([nodes.len() as u32]);
        let mut kept = Vec::new();
        for (start, end) in learned.iter().copied().zip(ends) {
            // The nodes of a pattern are next to each other.
            if start == STAR || end.saturating_sub(start) > GENERAL {
                continue;
            }
            let moved = start - self.nodes.len() as u32;
            kept.push(self.nodes.len() as u32);
            for node in &nodes[start as usize..end as usize] {
                let first = self.kids.len() as u32;
                let inner = &kids[node.first as usize..(node.first + node.count) as usize];
                let inner = inner.iter().map(|&kid| match kid {
                    STAR => STAR,
                    kid => kid - moved,
                });
                self.kids.extend(inner);
                self.nodes.push(PatternNode {
                    first,
                    kids_before: first,
                    ..*node
                });
            }
        }
        *learned = kept;
    }

    fn kids(&self, pattern: PatternId) -> &[PatternId] {
        let node = &self.nodes[pattern as usize];
        &self.kids[node.first as usize..(node.first + node.count) as usize]
    }

    /// The production and value that a pattern excludes, whatever the
    /// children.
    pub(super) fn excludes(&self, pattern: PatternId) -> Option<(u32, u32)> {
        let node = self.nodes[pattern as usize];
        let all_stars = self.kids(pattern).iter().all(|&kid| kid == STAR);
        all_stars.then_some((node.production, node.value))
    }

    /// True if the tree at `node` is one of those that `pattern` stands for.
    pub(super) fn matches(&mut self, tree: &Tree, pattern: PatternId, node: NodeId) -> bool {
        if pattern == STAR {
            return true;
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        stack.push((pattern, node));
        let mut all = true;
        while let Some((pattern, node)) = stack.pop() {
            self.work += 1;
            let wanted = self.nodes[pattern as usize];
            let found = tree.node(node);
            if wanted.production != found.production || wanted.value != found.value {
                all = false;
                break;
            }
            let kids = self.kids(pattern).iter().zip(tree.children(node));
            stack.extend(
                kids.filter(|(kid, _)| **kid != STAR)
                    .map(|(kid, child)| (*kid, *child)),
            );
        }
        self.stack = stack;
        all
    }

    /// True if `pattern` stands for a tree of that production over `kids`.
    pub(super) fn matches_kept(
        &mut self,
        tree: &Tree,
        pattern: PatternId,
        production: u32,
        kids: &[NodeId],
    ) -> bool {
        if pattern == STAR {
            return true;
        }
        let wanted = self.nodes[pattern as usize];
        wanted.production == production
            && kids.iter().enumerate().all(|(at, &kid)| {
                let inner = self.kids[wanted.first as usize + at];
                self.matches(tree, inner, kid)
            })
    }

    /// FILTERANDTRIM for one step: what the patterns at `node` say of its
    /// child number `index`.
    pub(super) fn trim(
        &mut self,
        tree: &Tree,
        node: NodeId,
        patterns: &[Trimmed],
        index: u16,
    ) -> Vec<Trimmed> {
        let mut kept = Vec::with_capacity(patterns.len());
        for &Trimmed { whole, rest } in patterns {
            if rest == STAR {
                continue;
            }
            self.work += 1;
            let wanted = self.nodes[rest as usize];
            let found = tree.node(node);
            if wanted.production != found.production || wanted.value != found.value {
                continue;
            }
            let others = (0..wanted.count).filter(|other| *other != u32::from(index));
            let context = others.into_iter().all(|other| {
                let kid = self.kids[(wanted.first + other) as usize];
                kid == STAR || self.matches(tree, kid, tree.child(node, other as u16))
            });
            if context {
                let rest = self.kids[(wanted.first + u32::from(index)) as usize];
                kept.push(Trimmed { whole, rest });
            }
        }
        kept
    }

    /// FILTERANDTRIM from `root` down to `node`.
    pub(super) fn trim_to(
        &mut self,
        tree: &Tree,
        root: NodeId,
        node: NodeId,
        patterns: &[PatternId],
    ) -> Vec<Trimmed> {
        let mut kept: Vec<Trimmed> = patterns
            .iter()
            .map(|&p| Trimmed { whole: p, rest: p })
            .collect();
        if kept.is_empty() {
            return kept;
        }
        for step in path(tree, root, node) {
            let parent = tree.node(step).parent;
            kept = self.trim(tree, parent, &kept, tree.node(step).index);
            if kept.is_empty() {
                break;
            }
        }
        kept
    }

    /// Marks the nodes that a pattern names, except in the subtree of
    /// `except`.
    pub(super) fn mark(
        &self,
        tree: &mut Tree,
        marks: &mut Marks,
        pattern: PatternId,
        root: NodeId,
        except: NodeId,
    ) {
        let mut stack = vec![(pattern, root)];
        while let Some((pattern, node)) = stack.pop() {
            if node == except || pattern == STAR {
                continue;
            }
            marks.mark(tree, node, root);
            let kids = self.kids(pattern).iter().zip(tree.children(node));
            stack.extend(kids.map(|(kid, child)| (*kid, *child)));
        }
    }

    /// The pattern of the marked nodes below `root`, which is marked.
    pub(super) fn learn(&mut self, tree: &Tree, marks: &Marks, root: NodeId) -> PatternId {
        self.learned += 1;
        let pattern = self.push(tree, root);
        let mut todo = vec![(root, pattern)];
        while let Some((node, pattern)) = todo.pop() {
            let first = self.nodes[pattern as usize].first as usize;
            for at in 0..tree.children(node).len() {
                let child = tree.children(node)[at];
                if marks.is_marked(tree, child) {
                    let inner = self.push(tree, child);
                    self.kids[first + at] = inner;
                    todo.push((child, inner));
                }
            }
        }
        pattern
    }

    fn push(&mut self, tree: &Tree, node: NodeId) -> PatternId {
        let found = tree.node(node);
        let count = tree.children(node).len();
        let first = self.kids.len() as u32;
        self.kids.resize(self.kids.len() + count, STAR);
        self.nodes.push(PatternNode {
            production: found.production,
            value: found.value,
            first,
            count: count as u32,
            kids_before: first,
        });
        self.nodes.len() as u32 - 1
    }
}

/// The nodes below `root` on the way to `node`, `node` included.
pub(super) fn path(tree: &Tree, root: NodeId, node: NodeId) -> Vec<NodeId> {
    let mut path = Vec::new();
    let mut at = node;
    while at != root && at != NONE {
        path.push(at);
        at = tree.node(at).parent;
    }
    path.reverse();
    path
}

/// Marks of nodes and attributes, all taken back at once.
#[derive(Default)]
pub(super) struct Marks {
    epoch: u32,
    slots: Vec<u32>,
    todo: Vec<(NodeId, u32)>,
}

impl Marks {
    pub(super) fn start(&mut self, tree: &mut Tree) {
        self.epoch = match self.epoch.checked_add(1) {
            Some(epoch) => epoch,
            None => {
                // Once in four billion times: old marks would look new.
                tree.nodes.iter_mut().for_each(|node| node.mark = 0);
                self.slots.fill(0);
                1
            }
        };
        self.slots.resize(tree.values.len(), 0);
    }

    pub(super) fn is_marked(&self, tree: &Tree, node: NodeId) -> bool {
        tree.node(node).mark == self.epoch
    }

    /// Marks a node and those above it, up to `root`: a pattern is a tree.
    pub(super) fn mark(&self, tree: &mut Tree, node: NodeId, root: NodeId) {
        let mut at = node;
        while at != NONE && tree.node(at).mark != self.epoch {
            tree.node_mut(at).mark = self.epoch;
            if at == root {
                break;
            }
            at = tree.node(at).parent;
        }
    }

    /// Marks every node below `root` that an attribute depends on, directly or
    /// not: those whose production or value decide what it is.
    pub(super) fn mark_sources(&mut self, tree: &mut Tree, root: NodeId, of: (NodeId, u32)) {
        let mut todo = std::mem::take(&mut self.todo);
        todo.push(of);
        while let Some((node, slot)) = todo.pop() {
            let seen = &mut self.slots[(tree.node(node).slots + slot) as usize];
            if *seen == self.epoch {
                continue;
            }
            *seen = self.epoch;
            if node == root && slot < tree.class(node).inherited {
                continue;
            }
            match rule_of(tree, node, slot) {
                Some((rule, owner)) => {
                    self.mark(tree, owner, root);
                    todo.extend(rule.sources.iter().map(|&s| resolve(tree, owner, s)));
                }
                None => {
                    self.mark(tree, node, root);
                    let production = tree.node(node).production;
                    if production == LITERAL {
                        continue;
                    }
                    // What a generator chose among depends on what it read.
                    let generator = &tree.compiled.productions[production as usize].generator;
                    for &source in generator.iter().flat_map(|g| &g.sources) {
                        todo.push(resolve(tree, node, source));
                    }
                }
            }
        }
        self.todo = todo;
    }

    /// Marks everything below `root` but the subtree of `except`: the most
    /// special pattern, for plain backtracking.
    pub(super) fn mark_all(&self, tree: &mut Tree, root: NodeId, except: NodeId) {
        let mut todo = vec![root];
        while let Some(node) = todo.pop() {
            if node != except && tree.is_expanded(node) {
                self.mark(tree, node, root);
                todo.extend_from_slice(tree.children(node));
            }
        }
    }
}
