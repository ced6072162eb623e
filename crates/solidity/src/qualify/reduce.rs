//! Algorithm 2: from the constraints of all expressions to those between
//! declarations.
//!
//! Equal placeholders are merged first (the paper's `=`); then placeholders
//! of expressions go, one by one, and leave behind what they implied between
//! their neighbours.
//!
//! The paper composes relations along paths (figure 8) and keeps the most
//! restrictive one per pair (figure 9), with a relation "more or less
//! restricted" for two things below a third. Kept alone, that forgets: a
//! pair may need both an order and a common type with a third. Here one
//! placeholder is eliminated at a time and every pair of its neighbours gets
//! what follows from it. Elimination is exact where codomains are intervals
//! of chains, which all of ours are but for `uint8 < int16` of old compilers;
//! there a common type has to be one of the two types, as the compiler has it
//! and the paper does not, and the reduced set is the right one.

use super::constraint::{Constraint, ConstraintSet, Kind, Level, Placeholder};
use super::theory::{Relation, Theory};
use crate::types::Domain;

/// The constraints between declarations that are left.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// By placeholder of the set: the variable that stands for it, if it is
    /// one of a declaration.
    pub(super) variable_of: Vec<Option<u32>>,
    pub(super) kinds: Vec<Kind>,
    pub(super) domains: Vec<Domain>,
    /// Between variables, sorted, once each.
    pub(super) constraints: Vec<Constraint>,
}

impl Reduced {
    /// How many variables are left.
    pub fn variables(&self) -> usize {
        self.domains.len()
    }

    /// The relations between variables (a [`Placeholder`] here is the number
    /// of a variable).
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// The variable that stands for a placeholder of a declaration.
    pub fn variable(&self, placeholder: Placeholder) -> Option<u32> {
        self.variable_of[placeholder.0 as usize]
    }

    /// What a variable stands for.
    pub fn kind(&self, variable: u32) -> Kind {
        self.kinds[variable as usize]
    }

    /// The codomain of a variable.
    pub fn domain(&self, variable: u32) -> Domain {
        self.domains[variable as usize]
    }

    /// Keeps of a variable's codomain only what is in `domain`.
    pub fn restrict(&mut self, variable: u32, domain: Domain) {
        self.domains[variable as usize] &= domain;
    }
}

/// Reduces `set` to the placeholders of its declarations.
pub fn reduce(set: &ConstraintSet, theory: &Theory) -> Reduced {
    let mut elimination = Elimination::new(set);
    // Later expressions stand closer to the leaves of the program: from there
    // on, each placeholder has few neighbours when its turn comes.
    for number in (0..set.len()).rev() {
        if elimination.is_open(number) {
            elimination.eliminate(number, theory);
        }
    }
    elimination.finish()
}

struct Elimination<'a> {
    set: &'a ConstraintSet,
    /// By placeholder: the one that stands for all that are equal to it.
    root: Vec<u32>,
    /// By root: a declaration is among them.
    kept: Vec<bool>,
    domains: Vec<Domain>,
    /// By root: its relations; the flag says that it is on the left.
    edges: Vec<Vec<(Relation, bool, u32)>>,
}

impl<'a> Elimination<'a> {
    fn new(set: &'a ConstraintSet) -> Elimination<'a> {
        let len = set.len();
        let mut root: Vec<u32> = (0..len as u32).collect();
        for (left, right) in &set.equal {
            let (a, b) = (find(&mut root, left.0), find(&mut root, right.0));
            let (low, high) = (a.min(b), a.max(b));
            root[high as usize] = low;
        }
        let mut kept = vec![false; len];
        let mut domains = vec![Domain::MAX; len];
        for number in 0..len {
            let own = find(&mut root, number as u32) as usize;
            root[number] = own as u32;
            kept[own] |= set.levels[number] == Level::Declaration;
            domains[own] &= set.domains[number];
        }
        let mut elimination = Elimination {
            set,
            root,
            kept,
            domains,
            edges: vec![Vec::new(); len],
        };
        for constraint in &set.constraints {
            let left = elimination.root[constraint.left.0 as usize];
            let right = elimination.root[constraint.right.0 as usize];
            elimination.link(constraint.relation, left, right);
        }
        elimination
    }

    fn is_open(&self, number: usize) -> bool {
        self.root[number] == number as u32 && !self.kept[number]
    }

    fn link(&mut self, relation: Relation, left: u32, right: u32) {
        if left == right {
            // Orders are reflexive; a table that is not restricts one value.
            if relation.common().is_none() {
                self.edges[left as usize].push((relation, true, right));
            }
            return;
        }
        let (left, right) = match relation.is_symmetric() && right < left {
            true => (right, left),
            false => (left, right),
        };
        let edge = (relation, true, right);
        if !self.edges[left as usize].contains(&edge) {
            self.edges[left as usize].push(edge);
            self.edges[right as usize].push((relation, false, left));
        }
    }

    /// Takes an expression's placeholder away.
    fn eliminate(&mut self, number: usize, theory: &Theory) {
        let edges = std::mem::take(&mut self.edges[number]);
        let domain = self.domains[number];
        for &(relation, is_left, other) in &edges {
            let reach = match is_left {
                true => theory.image(relation, domain),
                false => theory.preimage(relation, domain),
            };
            self.domains[other as usize] &= reach;
            self.edges[other as usize].retain(|&(_, _, end)| end != number as u32);
        }
        for (at, &one) in edges.iter().enumerate() {
            for &other in &edges[at + 1..] {
                self.imply(one, other);
            }
        }
    }

    /// What follows between two neighbours of the same expression.
    fn imply(&mut self, one: (Relation, bool, u32), other: (Relation, bool, u32)) {
        let (Some(common), Some(same)) = (one.0.common(), other.0.common()) else {
            debug_assert!(false, "an expression in a relation that is no order");
            return;
        };
        debug_assert_eq!(common, same, "an expression in two orders");
        let ordered = !one.0.is_symmetric() && !other.0.is_symmetric();
        match (ordered, one.1, other.1) {
            (true, true, false) => self.link(one.0, other.2, one.2),
            (true, false, true) => self.link(one.0, one.2, other.2),
            _ => self.link(common, one.2, other.2),
        }
    }

    fn finish(self) -> Reduced {
        let mut variable = vec![None; self.root.len()];
        let (mut kinds, mut domains) = (Vec::new(), Vec::new());
        for (number, slot) in variable.iter_mut().enumerate() {
            if self.kept[number] && self.root[number] == number as u32 {
                *slot = Some(kinds.len() as u32);
                kinds.push(self.set.kinds[number]);
                domains.push(self.domains[number]);
            }
        }
        let mut constraints = Vec::new();
        for (left, edges) in self.edges.iter().enumerate() {
            let Some(left) = variable[left] else { continue };
            for &(relation, is_left, right) in edges {
                if let Some(right) = variable[right as usize].filter(|_| is_left) {
                    constraints.push(Constraint {
                        relation,
                        left: Placeholder(left),
                        right: Placeholder(right),
                    });
                }
            }
        }
        constraints.sort_unstable();
        constraints.dedup();
        let declared = |number: usize| {
            let is_declared = self.set.levels[number] == Level::Declaration;
            variable[self.root[number] as usize].filter(|_| is_declared)
        };
        Reduced {
            variable_of: (0..self.root.len()).map(declared).collect(),
            kinds,
            domains,
            constraints,
        }
    }
}

fn find(root: &mut [u32], mut number: u32) -> u32 {
    while root[number as usize] != number {
        let above = root[root[number as usize] as usize];
        root[number as usize] = above;
        number = above;
    }
    number
}
