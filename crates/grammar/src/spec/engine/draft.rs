//! A finished tree to be made again with something smaller grafted in: for reduction.
//!
//! A [`Draft`] says of each node what it became. A tree that is made by a draft and a
//! [`Graft`] follows it wherever the rules of the spec allow it, and takes the simplest
//! there is wherever they do not: attributes are computed anew, so whatever the spec
//! says of its programs holds of the smaller one, too, and all its texts are of one
//! tree. What a generator gave is looked for by its content, since lists change with
//! what is gone.

use lydite_core::Choices;

use super::grow::Pick;
use super::tree::{LITERAL, NONE, NodeId};
use super::{Engine, Stop};
use crate::spec::compiled::Tuning;
use crate::spec::run::{Machine, Value};

/// Of the node that a graft changes into another production.
const CHANGED: u32 = u32::MAX - 1;
/// So many characters of what a generator gave tell its values apart.
const MOST_SAID: usize = 300;
/// Cuts into so many parts that lie deeper are tried for one node.
const MOST_PARTS: usize = 12;

/// What a tree consists of; the first node is the root, and parents come before children.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    nodes: Vec<Drafted>,
}

/// What a node became.
#[derive(Clone, Debug)]
pub(crate) struct Drafted {
    class: u32,
    production: u32,
    chosen: Chosen,
    kids: Vec<u32>,
    /// How many nodes its subtree has.
    size: u32,
}

/// What a node has besides its production.
#[derive(Clone, Debug)]
enum Chosen {
    Nothing,
    /// The text of a literal, with its number in the pool.
    Text(u32, String),
    /// Which value of a generator, and what it was.
    Value(u32, String),
}

/// Something smaller in the place of a node.
#[derive(Clone, Debug)]
pub(crate) struct Graft {
    at: u32,
    by: By,
    /// How many nodes fewer the tree has, if the draft can be followed.
    saved: u32,
}

#[derive(Clone, Debug)]
enum By {
    /// The simplest that there is.
    Simplest,
    /// One of its parts, of the same class.
    Part(u32),
    /// Another production, with those of its parts that fit, or another value.
    Changed(Drafted),
}

/// A draft with a graft.
#[derive(Clone, Copy)]
pub(crate) struct Wish<'a> {
    pub draft: &'a Draft,
    pub graft: &'a Graft,
}

impl Graft {
    /// The tree as it is.
    pub(crate) const NONE: Graft = Graft {
        at: NONE,
        by: By::Simplest,
        saved: 0,
    };
}

impl<'a> Wish<'a> {
    /// What stands for a drafted node.
    fn in_place_of(&self, drafted: u32) -> u32 {
        match &self.graft.by {
            _ if drafted != self.graft.at => drafted,
            By::Simplest => NONE,
            By::Part(part) => *part,
            By::Changed(_) => CHANGED,
        }
    }

    pub(super) fn root(&self) -> u32 {
        self.in_place_of(0)
    }

    fn get(&self, wish: u32) -> Option<&'a Drafted> {
        match (wish, &self.graft.by) {
            (NONE, _) => None,
            (CHANGED, By::Changed(drafted)) => Some(drafted),
            _ => self.draft.nodes.get(wish as usize),
        }
    }
}

impl Draft {
    /// A number that is lower for the simpler of two drafts that are written with as many bytes.
    pub(crate) fn weight(&self) -> u64 {
        let weights = self.nodes.iter().map(|node| {
            let index = match &node.chosen {
                Chosen::Nothing => 0,
                Chosen::Text(index, _) | Chosen::Value(index, _) => u64::from(*index),
            };
            1000 + index
        });
        weights.sum()
    }

    /// All that can be tried; what saves most comes first.
    pub(crate) fn grafts(&self, compiled: &super::Compiled, tuning: &Tuning) -> Vec<Graft> {
        let mut grafts = Vec::new();
        for at in 0..self.nodes.len() as u32 {
            self.grafts_at(at, compiled, tuning, &mut grafts);
        }
        grafts.sort_by_key(|graft| std::cmp::Reverse(graft.saved));
        grafts
    }

    fn grafts_at(
        &self,
        at: u32,
        compiled: &super::Compiled,
        tuning: &Tuning,
        grafts: &mut Vec<Graft>,
    ) {
        let node = &self.nodes[at as usize];
        let mut graft = |by: By, size: u32| {
            if size <= node.size {
                let saved = node.size - size;
                grafts.push(Graft { at, by, saved });
            }
        };
        for part in self.parts(at) {
            graft(By::Part(part), self.nodes[part as usize].size);
        }
        if node.size > 1 {
            graft(By::Simplest, 1);
        }
        if let Chosen::Value(index, _) = node.chosen
            && index > 0
        {
            let chosen = Chosen::Value(0, String::new());
            let first = Drafted {
                chosen,
                ..node.clone()
            };
            graft(By::Changed(first), node.size);
        }
        if node.production == LITERAL {
            return;
        }
        for number in compiled.classes[node.class as usize].productions.clone() {
            let is_other = number as u32 != node.production && tuning.weight[number] > 0;
            // Of two that are as large the first one of the file is simpler.
            if let Some(other) = is_other.then(|| self.turned(node, number as u32, compiled)) {
                let simpler = other.size < node.size
                    || other.size == node.size && other.production < node.production;
                let size = other.size;
                simpler.then(|| graft(By::Changed(other), size));
            }
        }
    }

    /// The nearest parts of the same class, and those that a list goes on with, halves and
    /// quarters further on.
    fn parts(&self, at: u32) -> Vec<u32> {
        let class = self.nodes[at as usize].class;
        let mut found = Vec::new();
        let mut todo: Vec<u32> = self.nodes[at as usize].kids.iter().rev().copied().collect();
        while let Some(next) = todo.pop() {
            let node = &self.nodes[next as usize];
            if node.class == class {
                found.push(next);
                if found.len() == MOST_PARTS {
                    break;
                }
            } else {
                todo.extend(node.kids.iter().rev());
            }
        }
        let mut rest = Vec::new();
        let mut next = self.tail(at);
        while let Some(cell) = next {
            rest.push(cell);
            next = self.tail(cell);
        }
        let mut step = rest.len() / 2;
        while step > 1 {
            found.push(rest[step - 1]);
            step /= 2;
        }
        found
    }

    /// The child of the same class that comes last: what a list goes on with.
    fn tail(&self, at: u32) -> Option<u32> {
        let node = &self.nodes[at as usize];
        let last = *node.kids.last()?;
        (self.nodes[last as usize].class == node.class).then_some(last)
    }

    /// The node with another production: children, or children of these, of the classes that it
    /// has stay.
    fn turned(&self, node: &Drafted, production: u32, compiled: &super::Compiled) -> Drafted {
        let below = |kids: &[u32]| -> Vec<u32> {
            let kids = kids.iter().flat_map(|&kid| &self.nodes[kid as usize].kids);
            kids.copied().collect()
        };
        let mut free: Vec<u32> = node.kids.clone();
        free.extend(below(&node.kids));
        let mut size = 1;
        let classes = &compiled.productions[production as usize].children;
        let kids = classes.iter().map(|class| {
            let fits = |&&kid: &&u32| self.nodes[kid as usize].class == *class;
            let Some(at) = free.iter().position(|kid| fits(&kid)) else {
                size += 1;
                return NONE;
            };
            let kid = free.remove(at);
            size += self.nodes[kid as usize].size;
            kid
        });
        let kids: Vec<u32> = kids.collect();
        Drafted {
            class: node.class,
            production,
            chosen: Chosen::Nothing,
            kids,
            size,
        }
    }
}

impl Engine<'_> {
    /// What the tree below `root`, which is finished, became.
    pub(super) fn draft(&self, root: NodeId) -> Draft {
        let mut nodes: Vec<Drafted> = Vec::new();
        // Nodes, and whose child each is.
        let mut todo: Vec<(NodeId, Option<(u32, usize)>)> = vec![(root, None)];
        while let Some((node, parent)) = todo.pop() {
            let number = nodes.len() as u32;
            if let Some((parent, index)) = parent {
                nodes[parent as usize].kids[index] = number;
            }
            let kids = self.tree.children(node);
            let with_places = kids.iter().enumerate().rev();
            todo.extend(with_places.map(|(index, &kid)| (kid, Some((number, index)))));
            let found = self.tree.node(node);
            nodes.push(Drafted {
                class: found.class,
                production: found.production,
                chosen: self.chosen(node),
                kids: vec![NONE; kids.len()],
                size: 1,
            });
        }
        for at in (0..nodes.len()).rev() {
            let sizes = nodes[at].kids.iter().map(|&kid| nodes[kid as usize].size);
            nodes[at].size = 1 + sizes.sum::<u32>();
        }
        Draft { nodes }
    }

    fn chosen(&self, node: NodeId) -> Chosen {
        let found = self.tree.node(node);
        let machine = &self.evaluator.machine;
        if found.production == LITERAL {
            return match self.tree.value(node, 0) {
                Value::Text(text) => Chosen::Text(found.value, machine.texts.get(*text).into()),
                _ => Chosen::Nothing,
            };
        }
        match &self.tree.compiled.productions[found.production as usize].generator {
            Some(generator) => {
                let value = self.tree.value(node, generator.slot);
                Chosen::Value(found.value, said(value, machine))
            }
            None => Chosen::Nothing,
        }
    }

    /// Children get what is wished of them.
    pub(super) fn pass_wishes_on(&mut self, node: NodeId) {
        let Some(wish) = self.wish else { return };
        let found = *self.tree.node(node);
        let Some(drafted) = wish.get(found.wish) else {
            return;
        };
        if drafted.production != found.production {
            return;
        }
        for index in 0..drafted.kids.len() {
            let child = self.tree.child(node, index as u16);
            let kid = match drafted.kids[index] {
                NONE => NONE,
                kid => wish.in_place_of(kid),
            };
            self.tree.node_mut(child).wish = kid;
        }
    }

    /// What the node is wished to be, among productions from `first` on that have a weight and the
    /// lists of generators.
    pub(super) fn wished(
        &self,
        node: NodeId,
        first: usize,
        lists: &[(u32, Value)],
    ) -> Option<Pick> {
        let drafted = self.wish?.get(self.tree.node(node).wish)?;
        let number = drafted.production;
        let weight = self.weights.get((number as usize).checked_sub(first)?)?;
        if *weight == 0 || drafted.class != self.tree.node(node).class {
            return None;
        }
        let Some((_, list)) = lists.iter().find(|(of, _)| *of == number) else {
            return Some(Pick::Plain(number));
        };
        let Chosen::Value(index, wanted) = &drafted.chosen else {
            return None;
        };
        let Value::List(list) = list else { return None };
        let machine = &self.evaluator.machine;
        let free = (0..list.items.len() as u32).filter(|&at| !self.is_excluded(number, at));
        let nearest = free.max_by_key(|&at| {
            let said = said(&list.items[at as usize], machine);
            let same = said.bytes().zip(wanted.bytes()).take_while(|(a, b)| a == b);
            let exact = said == *wanted;
            (exact, same.count(), std::cmp::Reverse(at.abs_diff(*index)))
        })?;
        Some(Pick::Generated {
            production: number,
            index: nearest,
            value: list.items[nearest as usize].clone(),
        })
    }

    /// The place in a class's pool of the text that is wished, which is put there if there is room.
    pub(super) fn wished_text(&mut self, node: NodeId, class: u32) -> Result<Option<u32>, Stop> {
        let wish = self
            .wish
            .and_then(|wish| wish.get(self.tree.node(node).wish));
        let Some(Chosen::Text(index, wanted)) = wish.map(|drafted| &drafted.chosen) else {
            return Ok(None);
        };
        let Some(text) = self.evaluator.machine.texts.intern(wanted) else {
            return Err(Stop::Limit("too much text: more than 64 MB"));
        };
        let is_taken = |at: usize| self.taken[at / 64] >> (at % 64) & 1 == 1;
        let pool = &mut self.pools[class as usize].texts;
        let fits = |at: usize, pool: &[u32]| {
            pool.get(at)
                .is_some_and(|&there| !is_taken(at) && (there == text || there == u32::MAX))
        };
        let drawn_there = fits(*index as usize, pool).then_some(*index as usize);
        let place = drawn_there.or_else(|| (0..pool.len()).find(|&at| fits(at, pool)));
        if let Some(place) = place {
            pool[place] = text;
        }
        Ok(place.map(|place| place as u32))
    }
}

/// What a value is, in words that are the same in another run.
fn said(value: &Value, machine: &Machine<'_>) -> String {
    let mut text = String::new();
    let mut todo = vec![value];
    while let Some(value) = todo.pop() {
        if text.len() >= MOST_SAID {
            break;
        }
        match value {
            Value::Int(number) => text.push_str(&number.to_string()),
            Value::Wide(number) => text.push_str(&number.to_string()),
            Value::Bool(truth) => text.push_str(&truth.to_string()),
            Value::Text(number) => text.push_str(machine.texts.get(*number)),
            Value::Tag(tag) => text.push_str(&tag.to_string()),
            Value::Data(data) => {
                text.push_str(&data.tag.to_string());
                todo.extend(data.fields.iter().rev());
            }
            Value::List(list) => todo.extend(list.items.iter().rev()),
            Value::Absent | Value::Map(_) | Value::Set(_) => {}
        }
        text.push(',');
    }
    text
}

/// Choices where nothing is wished.
pub(crate) fn simplest() -> Choices {
    Choices::guided(lydite_core::Tape::default())
}
