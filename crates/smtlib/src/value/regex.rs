//! Regular expressions of the theory of strings and exact membership.
//!
//! Membership is decided by a table: for a node and a start position, the set
//! of end positions, filled on demand with an explicit stack. Complement,
//! intersection and difference are then plain set operations, so nothing
//! blows up: the cost is polynomial in the length of the string and the size
//! of the expression, and a budget bounds it.
//!
//! Invariant: children stand before their parents in [`Regex::nodes`], and
//! the root is the last node.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use super::CannotSay;
use super::text::append;

/// Words of end-position sets that one membership test may fill.
const TABLE_WORDS: usize = 1 << 22;
/// Words of such sets that one membership test may touch.
const TABLE_STEPS: usize = 1 << 22;
/// The most nodes of one expression.
pub const MAX_NODES: usize = 1 << 18;

/// One node; numbers are indices of earlier nodes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// `re.none`
    Nothing,
    /// `re.all`
    All,
    /// One code point in a range, both ends included.
    Range(u32, u32),
    /// `(str.to_re s)`
    Literal(Arc<[u32]>),
    /// `(re.++ a b)`
    Concat(u32, u32),
    /// `(re.union a b)`
    Union(u32, u32),
    /// `(re.inter a b)`
    Inter(u32, u32),
    /// `(re.diff a b)`
    Diff(u32, u32),
    /// `(re.comp a)`
    Complement(u32),
    /// `((_ re.loop low high) a)`; without a high one, low is 0: a star.
    Loop(u32, u64, Option<u64>),
}

/// A regular expression: its nodes, the last one the root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Regex {
    nodes: Vec<Node>,
}

impl Regex {
    fn leaf(node: Node) -> Regex {
        Regex { nodes: vec![node] }
    }

    /// `re.none`
    pub fn nothing() -> Regex {
        Regex::leaf(Node::Nothing)
    }

    /// `re.all`
    pub fn all() -> Regex {
        Regex::leaf(Node::All)
    }

    /// `re.allchar`
    pub fn all_char() -> Regex {
        Regex::leaf(Node::Range(0, u32::MAX))
    }

    /// `(str.to_re s)`
    pub fn literal(text: Arc<[u32]>) -> Regex {
        Regex::leaf(Node::Literal(text))
    }

    /// `(re.range a b)`: empty unless both have length 1 and a <= b.
    pub fn range(low: &[u32], high: &[u32]) -> Regex {
        match (low, high) {
            ([low], [high]) if low <= high => Regex::leaf(Node::Range(*low, *high)),
            _ => Regex::nothing(),
        }
    }

    /// The nodes of several expressions, equal ones only once (shared terms
    /// would make an expression grow exponentially), and their roots.
    fn join(parts: &[&Regex]) -> Result<(Vec<Node>, Vec<u32>), CannotSay> {
        let Some((first, rest)) = parts.split_first() else {
            return Ok((Vec::new(), Vec::new()));
        };
        let mut nodes = first.nodes.clone();
        let mut roots = vec![nodes.len() as u32 - 1];
        let numbered = nodes.iter().cloned().zip(0u32..);
        let mut numbers: HashMap<Node, u32> = match rest.is_empty() {
            true => HashMap::new(),
            false => numbered.collect(),
        };
        for part in rest {
            let mut moved: Vec<u32> = Vec::with_capacity(part.nodes.len());
            for node in &part.nodes {
                let node = node.moved(&moved);
                let next = nodes.len() as u32;
                let number = *numbers.entry(node).or_insert_with_key(|node| {
                    nodes.push(node.clone());
                    next
                });
                moved.push(number);
            }
            roots.extend(moved.last());
            if nodes.len() + parts.len() > MAX_NODES {
                return Err(CannotSay::TooLarge("a regular expression"));
            }
        }
        Ok((nodes, roots))
    }

    /// Folds a binary node over one or more expressions from the left.
    fn fold(parts: &[&Regex], make: fn(u32, u32) -> Node) -> Result<Regex, CannotSay> {
        let (mut nodes, roots) = Regex::join(parts)?;
        let Some((&first, rest)) = roots.split_first() else {
            return Err(CannotSay::IllTyped("re.++ of nothing".to_string()));
        };
        let mut last = first;
        for &root in rest {
            nodes.push(make(last, root));
            last = nodes.len() as u32 - 1;
        }
        Ok(Regex { nodes })
    }

    /// `(re.++ …)`
    pub fn concat(parts: &[&Regex]) -> Result<Regex, CannotSay> {
        Regex::fold(parts, Node::Concat)
    }

    /// `(re.union …)`
    pub fn union(parts: &[&Regex]) -> Result<Regex, CannotSay> {
        Regex::fold(parts, Node::Union)
    }

    /// `(re.inter …)`
    pub fn inter(parts: &[&Regex]) -> Result<Regex, CannotSay> {
        Regex::fold(parts, Node::Inter)
    }

    /// `(re.diff …)`
    pub fn diff(parts: &[&Regex]) -> Result<Regex, CannotSay> {
        Regex::fold(parts, Node::Diff)
    }

    /// `(re.comp a)`
    pub fn complement(&self) -> Result<Regex, CannotSay> {
        let (mut nodes, roots) = Regex::join(&[self])?;
        nodes.push(Node::Complement(roots[0]));
        Ok(Regex { nodes })
    }

    /// `((_ re.loop low high) a)`; nothing if low > high.
    pub fn repeat(&self, low: u64, high: Option<u64>) -> Result<Regex, CannotSay> {
        if high.is_some_and(|high| high < low) {
            return Ok(Regex::nothing());
        }
        let (mut nodes, roots) = Regex::join(&[self])?;
        let body = roots[0];
        match (low, high) {
            // r^low r*: a star is the one loop that needs no counting.
            (1.., None) => {
                nodes.push(Node::Loop(body, low, Some(low)));
                nodes.push(Node::Loop(body, 0, None));
                let last = nodes.len() as u32 - 1;
                nodes.push(Node::Concat(last - 1, last));
            }
            _ => nodes.push(Node::Loop(body, low, high)),
        }
        Ok(Regex { nodes })
    }

    /// The nodes, children first, the root last.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// `(str.in_re text self)`
    pub fn matches(&self, text: &[u32]) -> Result<bool, CannotSay> {
        Ok(self.ends(&mut Matcher::new(text), 0)?.contains(text.len()))
    }

    fn ends(&self, matcher: &mut Matcher<'_>, start: usize) -> Result<Ends, CannotSay> {
        matcher.ends(self, self.nodes.len() as u32 - 1, start)
    }

    /// The leftmost match at or after `from`, the shortest of those of at
    /// least `least` code points.
    fn shortest_leftmost(
        &self,
        matcher: &mut Matcher<'_>,
        from: usize,
        least: usize,
    ) -> Result<Option<(usize, usize)>, CannotSay> {
        for start in from..=matcher.text.len() {
            let ends = self.ends(matcher, start)?;
            if let Some(end) = ends.first_from(start + least) {
                return Ok(Some((start, end)));
            }
        }
        Ok(None)
    }

    /// `(str.replace_re text self by)`
    pub fn replace(&self, text: &[u32], by: &[u32]) -> Result<Vec<u32>, CannotSay> {
        match self.shortest_leftmost(&mut Matcher::new(text), 0, 0)? {
            Some((start, end)) => super::text::concat(&[&text[..start], by, &text[end..]]),
            None => Ok(text.to_vec()),
        }
    }

    /// `(str.replace_re_all text self by)`: non-empty matches only.
    pub fn replace_all(&self, text: &[u32], by: &[u32]) -> Result<Vec<u32>, CannotSay> {
        let mut matcher = Matcher::new(text);
        let mut result: Vec<u32> = Vec::new();
        let mut done = 0;
        while let Some((start, end)) = self.shortest_leftmost(&mut matcher, done, 1)? {
            append(&mut result, &text[done..start])?;
            append(&mut result, by)?;
            done = end;
        }
        append(&mut result, &text[done..])?;
        Ok(result)
    }

    /// `(str.indexof_re text self from)` for a position inside.
    pub fn index_of(&self, text: &[u32], from: usize) -> Result<Option<usize>, CannotSay> {
        let found = self.shortest_leftmost(&mut Matcher::new(text), from, 0)?;
        Ok(found.map(|(start, _)| start))
    }
}

impl Node {
    /// The node with its children renumbered.
    fn moved(&self, to: &[u32]) -> Node {
        let at = |child: u32| to[child as usize];
        match self.clone() {
            Node::Concat(a, b) => Node::Concat(at(a), at(b)),
            Node::Union(a, b) => Node::Union(at(a), at(b)),
            Node::Inter(a, b) => Node::Inter(at(a), at(b)),
            Node::Diff(a, b) => Node::Diff(at(a), at(b)),
            Node::Complement(a) => Node::Complement(at(a)),
            Node::Loop(a, low, high) => Node::Loop(at(a), low, high),
            leaf => leaf,
        }
    }
}

/// A set of end positions.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Ends(Arc<[u64]>);

impl Ends {
    fn from(words: Vec<u64>) -> Ends {
        Ends(words.into())
    }

    fn contains(&self, position: usize) -> bool {
        self.0[position / 64] >> (position % 64) & 1 == 1
    }

    fn positions(&self) -> impl Iterator<Item = usize> {
        self.0
            .iter()
            .enumerate()
            .filter(|(_, word)| **word != 0)
            .flat_map(|(i, &word)| {
                let next = |word: &u64| (word & (word - 1) != 0).then_some(word & (word - 1));
                std::iter::successors(Some(word), next)
                    .map(move |word| i * 64 + word.trailing_zeros() as usize)
            })
    }

    fn first_from(&self, start: usize) -> Option<usize> {
        self.positions().find(|position| *position >= start)
    }
}

/// The table for one string. Keys are looked up, never iterated over.
struct Matcher<'a> {
    text: &'a [u32],
    table: HashMap<(u32, usize), Ends>,
    words: usize,
    steps: usize,
}

impl<'a> Matcher<'a> {
    fn new(text: &'a [u32]) -> Matcher<'a> {
        Matcher {
            text,
            table: HashMap::new(),
            words: 0,
            steps: 0,
        }
    }

    fn empty(&self) -> Vec<u64> {
        vec![0; self.text.len() / 64 + 1]
    }

    fn only(&self, position: usize) -> Vec<u64> {
        let mut words = self.empty();
        words[position / 64] |= 1 << (position % 64);
        words
    }

    /// All positions from `start` to the end of the text.
    fn all_from(&self, start: usize) -> Vec<u64> {
        let mut words = vec![u64::MAX; self.text.len() / 64 + 1];
        words[..start / 64].fill(0);
        words[start / 64] &= u64::MAX << (start % 64);
        let last = self.text.len();
        words[last / 64] &= u64::MAX >> (63 - last % 64);
        words
    }

    /// The end positions of matches of a node from `start` on.
    fn ends(&mut self, regex: &Regex, root: u32, start: usize) -> Result<Ends, CannotSay> {
        let mut stack = vec![(root, start)];
        while let Some(&(node, start)) = stack.last() {
            if self.table.contains_key(&(node, start)) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            match self.compute(regex, node, start, &mut stack) {
                Some(words) => {
                    self.words += words.len();
                    self.table.insert((node, start), Ends::from(words));
                    stack.pop();
                }
                None => debug_assert!(stack.len() > before, "something is missing"),
            }
            self.steps += 1 + self.text.len() / 64;
            if self.words > TABLE_WORDS || self.steps > TABLE_STEPS {
                return Err(CannotSay::TooLarge("a regular expression's table"));
            }
        }
        Ok(self.table[&(root, start)].clone())
    }

    /// The set of a node if all it needs is in the table; otherwise what it
    /// needs first is put on the stack.
    fn compute(
        &mut self,
        regex: &Regex,
        node: u32,
        start: usize,
        stack: &mut Vec<(u32, usize)>,
    ) -> Option<Vec<u64>> {
        if let Some(leaf) = self.leaf(regex, node, start) {
            return Some(leaf);
        }
        match &regex.nodes[node as usize] {
            Node::Union(a, b) => self.combine(regex, (*a, *b), start, stack, |a, b| a | b),
            Node::Inter(a, b) => self.combine(regex, (*a, *b), start, stack, |a, b| a & b),
            Node::Diff(a, b) => self.combine(regex, (*a, *b), start, stack, |a, b| a & !b),
            Node::Complement(a) => {
                let inside = self.known(regex, *a, start, stack)?;
                let all = self.all_from(start);
                Some(
                    all.iter()
                        .zip(inside.0.iter())
                        .map(|(all, a)| all & !a)
                        .collect(),
                )
            }
            Node::Concat(a, b) => {
                let middle = self.known(regex, *a, start, stack)?;
                self.step(regex, *b, &middle.0, stack)
            }
            Node::Loop(a, _, None) => self.star(regex, node, *a, start, stack),
            Node::Loop(a, low, Some(high)) => {
                let from = (*a, start);
                self.repeat(regex, from, (*low, *high), stack)
            }
            Node::Nothing | Node::All | Node::Range(..) | Node::Literal(_) => None,
        }
    }

    /// The set of a node without children.
    fn leaf(&self, regex: &Regex, node: u32, start: usize) -> Option<Vec<u64>> {
        match &regex.nodes[node as usize] {
            Node::Nothing => Some(self.empty()),
            Node::All => Some(self.all_from(start)),
            Node::Range(low, high) => Some(match self.text.get(start) {
                Some(code) if (low..=high).contains(&code) => self.only(start + 1),
                _ => self.empty(),
            }),
            Node::Literal(literal) => Some(match self.text[start..].starts_with(literal) {
                true => self.only(start + literal.len()),
                false => self.empty(),
            }),
            _ => None,
        }
    }

    /// The set of a child if it is known; otherwise it goes on the stack.
    fn known(
        &self,
        regex: &Regex,
        node: u32,
        start: usize,
        stack: &mut Vec<(u32, usize)>,
    ) -> Option<Ends> {
        if let Some(ends) = self.table.get(&(node, start)) {
            return Some(ends.clone());
        }
        let leaf = self.leaf(regex, node, start).map(Ends::from);
        if leaf.is_none() {
            stack.push((node, start));
        }
        leaf
    }

    /// A star: its body once, then itself from further on.
    fn star(
        &mut self,
        regex: &Regex,
        node: u32,
        body: u32,
        start: usize,
        stack: &mut Vec<(u32, usize)>,
    ) -> Option<Vec<u64>> {
        let mut once = self.known(regex, body, start, stack)?.0.to_vec();
        once[start / 64] &= !(1 << (start % 64));
        let mut union = self.step(regex, node, &once, stack)?;
        union[start / 64] |= 1 << (start % 64);
        Some(union)
    }

    fn combine(
        &self,
        regex: &Regex,
        (a, b): (u32, u32),
        start: usize,
        stack: &mut Vec<(u32, usize)>,
        f: fn(u64, u64) -> u64,
    ) -> Option<Vec<u64>> {
        let a = self.known(regex, a, start, stack);
        let b = self.known(regex, b, start, stack);
        let (a, b) = (a?, b?);
        Some(a.0.iter().zip(b.0.iter()).map(|(a, b)| f(*a, *b)).collect())
    }

    /// The union of the ends of `node` from each of the starts.
    fn step(
        &mut self,
        regex: &Regex,
        node: u32,
        starts: &[u64],
        stack: &mut Vec<(u32, usize)>,
    ) -> Option<Vec<u64>> {
        let mut union = self.empty();
        let mut complete = true;
        for start in Ends(starts.into()).positions() {
            match self.known(regex, node, start, stack) {
                Some(ends) => {
                    self.steps += 1 + union.len();
                    for (word, more) in union.iter_mut().zip(ends.0.iter()) {
                        *word |= more;
                    }
                }
                None => complete = false,
            }
        }
        complete.then_some(union)
    }

    /// Layers of repetitions. A layer repeats or becomes empty after at most
    /// as many steps as the text is long, whatever the bounds are: if the
    /// body matches the empty string layers only grow, else they move on.
    fn repeat(
        &mut self,
        regex: &Regex,
        (body, start): (u32, usize),
        (low, high): (u64, u64),
        stack: &mut Vec<(u32, usize)>,
    ) -> Option<Vec<u64>> {
        let mut layer = self.only(start);
        let mut union = self.empty();
        let mut count = 0u64;
        loop {
            if count >= low {
                for (word, more) in union.iter_mut().zip(&layer) {
                    *word |= more;
                }
            }
            if count == high {
                return Some(union);
            }
            let Some(next) = self.step(regex, body, &layer, stack) else {
                // All positions at once, or every layer would start afresh.
                let rest = start..=self.text.len();
                stack.extend(
                    rest.map(|at| (body, at))
                        .filter(|key| !self.table.contains_key(key)),
                );
                return None;
            };
            if next.iter().all(|word| *word == 0) {
                return Some(union);
            }
            if next == layer {
                // Fixed from here on, so it is also the layer of every count
                // up to the bounds.
                for (word, more) in union.iter_mut().zip(&layer) {
                    *word |= more;
                }
                return Some(union);
            }
            layer = next;
            count += 1;
        }
    }
}
