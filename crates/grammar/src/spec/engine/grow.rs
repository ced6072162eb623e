//! Expanding nodes: which production, which value, and the nodes below.

use lydite_core::Choices;

use super::patterns::{STAR, Trimmed};
use super::tree::{LITERAL, NodeId};
use super::{Engine, Stop};
use crate::spec::literal::Turn;
use crate::spec::run::Value;

/// How many texts a program draws for a literal class, unless told otherwise.
pub(crate) const POOL: u64 = 50;

/// The texts that a program draws from for one literal class.
#[derive(Clone, Default)]
pub(super) struct Pool {
    /// `u32::MAX` for those that are not drawn yet.
    pub texts: Vec<u32>,
    /// What the order of alternatives depends on, once one was drawn.
    salt: Option<u64>,
}

/// What a node becomes.
#[derive(Clone, Debug)]
pub(super) enum Pick {
    Literal(u32),
    Plain(u32),
    Generated {
        production: u32,
        index: u32,
        value: Value,
    },
}

/// Nothing is left to pick.
pub(super) struct Nothing {
    /// Each production is excluded by the height limit.
    pub height_only: bool,
}

impl Engine<'_> {
    /// Expands the region's open nodes. If one has nothing left, it is given
    /// back, and whether that is due to height alone; it stays open.
    pub(super) fn expand_open(
        &mut self,
        choices: &mut Choices,
    ) -> Result<Option<(NodeId, bool)>, Stop> {
        while let Some(node) = self.frame().open.pop() {
            if !self.tree.node(node).live || self.tree.is_expanded(node) {
                continue;
            }
            let frame = self.frames.last().expect("a run has a frame");
            if node != frame.root && self.tree.class(node).guarded {
                continue;
            }
            let (root, all) = (frame.root, &frame.patterns);
            let trimmed = self.patterns.trim_to(&self.tree, root, node, all);
            match self.pick(node, &trimmed, choices)? {
                Ok(pick) => {
                    self.turn_into(node, pick);
                    if let Some(stuck) = self.grow(node, trimmed, choices)? {
                        return Ok(Some(stuck));
                    }
                }
                Err(Nothing { height_only }) => {
                    self.frame().open.push(node);
                    return Ok(Some((node, height_only)));
                }
            }
        }
        Ok(None)
    }

    /// Expands everything below `start`, which is expanded, down to guarded
    /// nodes; `patterns` are those at `start`. As [`Engine::expand_open`].
    pub(super) fn grow(
        &mut self,
        start: NodeId,
        patterns: Vec<Trimmed>,
        choices: &mut Choices,
    ) -> Result<Option<(NodeId, bool)>, Stop> {
        if self.tree.children(start).is_empty() {
            return Ok(None);
        }
        let mut todo = std::mem::take(&mut self.growing);
        todo.clear();
        let stuck = self.grow_all(start, patterns, &mut todo, choices);
        self.growing = todo;
        stuck
    }

    fn grow_all(
        &mut self,
        start: NodeId,
        patterns: Vec<Trimmed>,
        todo: &mut Vec<(NodeId, usize)>,
        choices: &mut Choices,
    ) -> Result<Option<(NodeId, bool)>, Stop> {
        // Patterns of expanded nodes, counted from 1; 0 is for none.
        let mut lists: Vec<Vec<Trimmed>> = Vec::new();
        let list_of = |lists: &mut Vec<Vec<Trimmed>>, list: Vec<Trimmed>| match list.is_empty() {
            true => 0,
            false => {
                lists.push(list);
                lists.len()
            }
        };
        let list = list_of(&mut lists, patterns);
        todo.extend(self.tree.children(start).iter().rev().map(|&c| (c, list)));
        while let Some((node, above)) = todo.pop() {
            if self.tree.class(node).guarded {
                self.frame().pending.push(node);
                continue;
            }
            let here = match above {
                0 => Vec::new(),
                above => {
                    let (parent, index) = {
                        let found = self.tree.node(node);
                        (found.parent, found.index)
                    };
                    self.patterns
                        .trim(&self.tree, parent, &lists[above - 1], index)
                }
            };
            match self.pick(node, &here, choices)? {
                Ok(pick) => self.turn_into(node, pick),
                Err(Nothing { height_only }) => {
                    self.leave_open(todo);
                    self.frame().open.push(node);
                    return Ok(Some((node, height_only)));
                }
            }
            self.check_size()?;
            let list = list_of(&mut lists, here);
            todo.extend(self.tree.children(node).iter().rev().map(|&c| (c, list)));
        }
        self.check_size()?;
        Ok(None)
    }

    /// Notes the nodes that were not come to.
    fn leave_open(&mut self, todo: &mut Vec<(NodeId, usize)>) {
        for (node, _) in todo.drain(..) {
            match self.tree.class(node).guarded {
                true => self.frame().pending.push(node),
                false => self.frame().open.push(node),
            }
        }
    }

    fn check_size(&self) -> Result<(), Stop> {
        match self.tree.live > self.limits.nodes {
            true => Err(Stop::Limit(
                "too many nodes: lower height, weights or lists",
            )),
            false => Ok(()),
        }
    }

    /// Chooses what `node` becomes, such that no pattern excludes it whatever
    /// comes below.
    pub(super) fn pick(
        &mut self,
        node: NodeId,
        patterns: &[Trimmed],
        choices: &mut Choices,
    ) -> Result<Result<Pick, Nothing>, Stop> {
        self.excluded.clear();
        for trimmed in patterns {
            if trimmed.rest == STAR {
                return Ok(Err(Nothing { height_only: false }));
            }
            self.excluded.extend(self.patterns.excludes(trimmed.rest));
        }
        let compiled = self.tree.compiled;
        let class_number = self.tree.node(node).class;
        let class = &compiled.classes[class_number as usize];
        let bounds = &self.tuning.bounds[class_number as usize];
        if class.literal.is_some() {
            return self.pick_literal(node, class_number, choices);
        }
        self.excluded.sort_unstable();
        self.excluded.dedup();
        let (height, cell) = {
            let found = self.tree.node(node);
            (found.height, found.cell)
        };
        self.weights.clear();
        let mut height_only = true;
        let mut lists = std::mem::take(&mut self.generated);
        lists.clear();
        for number in class.productions.clone() {
            let production = &compiled.productions[number];
            let mut weight = self.tuning.weight[number];
            let too_long = production.tail.is_some()
                && bounds.list_max.is_some_and(|most| cell + 1 >= most.max(1));
            if weight > 0 && (self.tuning.least[number] > height || too_long) {
                weight = 0;
            } else if weight > 0 {
                weight = self.weigh(node, number as u32, weight, &mut lists)?;
                height_only &= weight > 0;
            }
            self.weights.push(weight);
        }
        let picked = match self.weights.iter().all(|&weight| weight == 0) {
            true => Err(Nothing { height_only }),
            false => Ok(match self.wished(node, class.productions.start, &lists) {
                Some(pick) => pick,
                None => self.choose(class.productions.start, &lists, choices)?,
            }),
        };
        self.generated = lists;
        Ok(picked)
    }

    /// How likely a production is that fits by its height; 0 if nothing of it is
    /// left. The list of a generator is added to `lists`.
    fn weigh(
        &mut self,
        node: NodeId,
        number: u32,
        weight: u64,
        lists: &mut Vec<(u32, Value)>,
    ) -> Result<u64, Stop> {
        let production = &self.tree.compiled.productions[number as usize];
        let weight = match production.varying() {
            Some(varying) => self.evaluator.weigh(&self.tree, node, varying)?,
            None => weight,
        };
        if weight == 0 {
            return Ok(0);
        }
        let left = match &production.generator {
            None => self.excluded.binary_search(&(number, 0)).is_err(),
            Some(generator) => {
                let (entry, sources) = (generator.entry, &generator.sources);
                let list = self.evaluator.compute(&self.tree, node, entry, sources)?;
                let left = self.left(number, &list) > 0;
                lists.push((number, list));
                left
            }
        };
        Ok(if left { weight } else { 0 })
    }

    /// One of the productions from `first` on, by weight, and of a generator's
    /// list one value.
    fn choose(
        &self,
        first: usize,
        lists: &[(u32, Value)],
        choices: &mut Choices,
    ) -> Result<Pick, Stop> {
        let number = (first + choices.weighted(&self.weights)?) as u32;
        let Some((_, list)) = lists.iter().find(|(of, _)| *of == number) else {
            return Ok(Pick::Plain(number));
        };
        let chosen = choices.below(self.left(number, list))?;
        let index = self.skip_excluded(number, chosen);
        let value = match list {
            Value::List(list) => list.items[index as usize].clone(),
            _ => Value::Absent,
        };
        Ok(Pick::Generated {
            production: number,
            index,
            value,
        })
    }

    fn pick_literal(
        &mut self,
        node: NodeId,
        class: u32,
        choices: &mut Choices,
    ) -> Result<Result<Pick, Nothing>, Stop> {
        let compiled = self.tree.compiled;
        let described = &compiled.classes[class as usize];
        let Some(literal) = &described.literal else {
            return Ok(Err(Nothing { height_only: false }));
        };
        let count = self.tuning.bounds[class as usize].count;
        let most = count.map_or(described.pool, |count| u64::from(count).max(1));
        let all = described.texts;
        let pool = all.min(most);
        let pool_size = pool as usize;
        if self.pools[class as usize].texts.len() != pool_size {
            self.pools[class as usize].texts = vec![u32::MAX; pool_size];
        }
        let left = pool - self.take_excluded(pool_size);
        if left == 0 {
            return Ok(Err(Nothing { height_only: false }));
        }
        let whole = all <= most;
        if let Some(index) = self.wished_text(node, class)? {
            return Ok(Ok(Pick::Literal(index)));
        }
        let index = match whole && !described.weights.is_empty() {
            true => self.weighted_free(&described.weights, choices)?,
            false => nth_free(&self.taken, choices.below(left)?),
        };
        if self.pools[class as usize].texts[index as usize] == u32::MAX {
            let mut text = String::new();
            if whole {
                literal.nth(u64::from(index), &mut text);
            } else {
                let salt = match self.pools[class as usize].salt {
                    Some(salt) => salt,
                    None => choices.below(1 << 32)?,
                };
                self.pools[class as usize].salt = Some(salt);
                let turn = Turn::new(u64::from(index), pool, salt);
                literal.draw(turn, choices, &mut text)?;
            }
            let Some(text) = self.evaluator.machine.texts.intern(&text) else {
                return Err(Stop::Limit("too much text: more than 64 MB"));
            };
            self.pools[class as usize].texts[index as usize] = text;
        }
        Ok(Ok(Pick::Literal(index)))
    }

    /// One of the texts of a pool that are not excluded, by weight.
    fn weighted_free(&self, weights: &[u64], choices: &mut Choices) -> Result<u32, Stop> {
        let free = |(index, weight): (usize, &u64)| match self.taken[index / 64] >> (index % 64) & 1
        {
            0 => *weight,
            _ => 0,
        };
        let free: Vec<u64> = weights.iter().enumerate().map(free).collect();
        Ok(choices.weighted(&free)? as u32)
    }

    /// Notes which of the texts of a pool are excluded; gives how many. A
    /// guarded text has as many patterns as were tried: they are not sorted.
    fn take_excluded(&mut self, pool: usize) -> u64 {
        self.taken.clear();
        self.taken.resize(pool.div_ceil(64), 0);
        let mut taken = 0;
        for &(_, value) in &self.excluded {
            let (word, bit) = (value as usize / 64, 1 << (value % 64));
            taken += u64::from(self.taken[word] & bit == 0);
            self.taken[word] |= bit;
        }
        taken
    }

    /// How many values of a generator are not excluded.
    fn left(&self, production: u32, list: &Value) -> u64 {
        let Value::List(list) = list else {
            return 0;
        };
        let excluded = self.excluded.iter().filter(|(of, _)| *of == production);
        let excluded = excluded.filter(|(_, value)| (*value as usize) < list.items.len());
        (list.items.len() - excluded.count()) as u64
    }

    pub(super) fn is_excluded(&self, number: u32, value: u32) -> bool {
        self.excluded.binary_search(&(number, value)).is_ok()
    }

    /// Number `chosen` among the values that are not excluded.
    fn skip_excluded(&self, production: u32, chosen: u64) -> u32 {
        let mut index = chosen as u32;
        // Sorted: each excluded value up to the index moves it by one.
        for &(of, value) in &self.excluded {
            if of == production && value <= index {
                index += 1;
            }
        }
        index
    }

    /// Turns an unexpanded node into what was picked, with children that are
    /// not expanded yet.
    pub(super) fn turn_into(&mut self, node: NodeId, pick: Pick) {
        let compiled = self.tree.compiled;
        let (number, value) = match pick {
            Pick::Literal(index) => {
                let class = self.tree.node(node).class;
                let text = self.pools[class as usize].texts[index as usize];
                self.tree.set(node, 0, Value::Text(text));
                let node = self.tree.node_mut(node);
                node.production = LITERAL;
                node.value = index;
                return;
            }
            Pick::Plain(number) => (number, 0),
            Pick::Generated {
                production,
                index,
                value,
            } => {
                if let Some(generator) = &compiled.productions[production as usize].generator {
                    self.tree.set(node, generator.slot, value);
                }
                (production, index)
            }
        };
        self.tree.chosen[number as usize] += 1;
        let production = &compiled.productions[number as usize];
        let kids = self.tree.new_links(production.children.len());
        for (index, &class) in production.children.iter().enumerate() {
            let child = self.tree.new_node(class, node, index as u16);
            self.tree.links[kids as usize + index] = child;
            self.limit_child(node, number, child);
        }
        let made = self.tree.node_mut(node);
        made.production = number;
        made.value = value;
        made.kids = kids;
        self.pass_wishes_on(node);
    }

    /// Sets how high a child may be, and its place in a list.
    fn limit_child(&mut self, node: NodeId, number: u32, child: NodeId) {
        let production = &self.tree.compiled.productions[number as usize];
        let (height, cell) = {
            let found = self.tree.node(node);
            (found.height, found.cell)
        };
        let class = self.tree.node(child).class as usize;
        let most = self.tuning.bounds[class].max_height.unwrap_or(u32::MAX);
        let step = self.tuning.step[number as usize];
        let child = self.tree.node_mut(child);
        let is_tail = production.tail == Some(child.index);
        (child.height, child.cell) = match is_tail {
            true => (height, cell + 1),
            false => (height.saturating_sub(step), 0),
        };
        child.height = child.height.min(most);
    }
}

/// Number `chosen` among the bits that are 0; there are more of them.
fn nth_free(words: &[u64], chosen: u64) -> u32 {
    let mut left = chosen;
    for (at, word) in words.iter().enumerate() {
        let free = u64::from(word.count_zeros());
        if left < free {
            let dropped = (0..left).fold(!word, |open, _| open & (open - 1));
            return at as u32 * 64 + dropped.trailing_zeros();
        }
        left -= free;
    }
    0
}
