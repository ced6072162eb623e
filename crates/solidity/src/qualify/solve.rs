//! All solutions of a reduced set: counted, numbered, drawn and walked.
//!
//! Arc consistency first; then the set falls into components that share no
//! constraint, and the solutions are their product. A component becomes a
//! decision diagram: its variables in a fixed order, one node per distinct
//! *rest* (the codomains that are left to the variables which have been
//! touched), so that two beginnings that leave the same rest share what
//! follows. Orders leave few rests: only the tightest bound matters.

use std::collections::BTreeMap;

use lydite_core::BigUint;

use super::constraint::Placeholder;
use super::reduce::Reduced;
use super::theory::{Relation, Theory};
use crate::types::{Domain, values};

/// A component has more distinct rests than the limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// Its variables, the one with the most relations first.
    pub variables: Vec<u32>,
}

/// Everything that satisfies a reduced set.
#[derive(Clone, Debug)]
pub struct Solutions {
    variable_of: Vec<Option<u32>>,
    /// The value of every variable that has no choice; the others are filled
    /// in by the diagrams.
    fixed: Vec<u8>,
    diagrams: Vec<Diagram>,
    count: BigUint,
}

/// The solutions of one component, as a decision diagram.
#[derive(Clone, Debug)]
struct Diagram {
    /// The variables, in the order in which they are decided.
    order: Vec<u32>,
    /// Level by level; a node of the last level leads to [`END`].
    nodes: Vec<Node>,
    count: BigUint,
}

#[derive(Clone, Debug)]
struct Node {
    /// Values with what follows, ascending by value.
    edges: Vec<(u8, u32)>,
    count: BigUint,
}

const END: u32 = u32::MAX;

impl Solutions {
    /// Solves `reduced`; a component may have `limit` nodes.
    pub fn new(reduced: &Reduced, theory: &Theory, limit: usize) -> Result<Solutions, TooLarge> {
        Solutions::of(reduced, links(reduced, None), theory, limit)
    }

    /// What satisfies every constraint but number `broken`, and not that one.
    pub fn breaking(
        reduced: &Reduced,
        theory: &Theory,
        broken: usize,
        limit: usize,
    ) -> Result<Solutions, TooLarge> {
        Solutions::of(reduced, links(reduced, Some(broken)), theory, limit)
    }

    fn of(
        reduced: &Reduced,
        links: Vec<Vec<Link>>,
        theory: &Theory,
        limit: usize,
    ) -> Result<Solutions, TooLarge> {
        let mut domains = reduced.domains.clone();
        let mut solutions = Solutions {
            variable_of: reduced.variable_of.clone(),
            fixed: vec![0; domains.len()],
            diagrams: Vec::new(),
            count: BigUint::ONE,
        };
        if !propagate(&mut domains, &links, theory) {
            solutions.count = BigUint::ZERO;
            return Ok(solutions);
        }
        for (variable, domain) in domains.iter().enumerate() {
            solutions.fixed[variable] = domain.trailing_zeros() as u8;
        }
        for component in components(&domains, &links) {
            let diagram = Diagram::new(component, &domains, &links, theory, limit)?;
            solutions.count *= &diagram.count;
            solutions.diagrams.push(diagram);
        }
        Ok(solutions)
    }

    /// How many there are.
    pub fn count(&self) -> &BigUint {
        &self.count
    }

    /// How many independent parts they are the product of.
    pub fn components(&self) -> usize {
        self.diagrams.len()
    }

    /// How many nodes the diagrams have together.
    pub fn nodes(&self) -> usize {
        self.diagrams
            .iter()
            .map(|diagram| diagram.nodes.len())
            .sum()
    }

    /// The values of the variables in solution number `index`, or `None`
    /// from [`Solutions::count`] on.
    pub fn nth(&self, index: &BigUint) -> Option<Vec<u8>> {
        if *index >= self.count {
            return None;
        }
        let mut values = self.fixed.clone();
        let mut rest = index.clone();
        for diagram in &self.diagrams {
            let own = &rest % &diagram.count;
            rest /= &diagram.count;
            diagram.fill(own, &mut values);
        }
        Some(values)
    }

    /// The value of a placeholder of a declaration in a solution.
    pub fn value(&self, solution: &[u8], placeholder: Placeholder) -> u8 {
        let variable = self.variable_of[placeholder.0 as usize];
        variable.map_or(0, |variable| solution[variable as usize])
    }
}

impl Diagram {
    fn new(
        order: Vec<u32>,
        domains: &[Domain],
        links: &[Vec<Link>],
        theory: &Theory,
        limit: usize,
    ) -> Result<Diagram, TooLarge> {
        let plan = Plan::new(&order, links);
        let mut nodes: Vec<Node> = Vec::new();
        let mut level: Vec<Vec<Domain>> = vec![Vec::new()];
        for (depth, &variable) in order.iter().enumerate() {
            let mut next: BTreeMap<Vec<Domain>, u32> = BTreeMap::new();
            let first = (nodes.len() + level.len()) as u32;
            for rest in &level {
                let mut edges = Vec::new();
                for value in values(plan.domain(depth, variable, rest, domains)) {
                    let Some(after) = plan.step(depth, value, rest, domains, theory) else {
                        continue;
                    };
                    let child = match depth + 1 == order.len() {
                        true => END,
                        false => {
                            let fresh = first + next.len() as u32;
                            *next.entry(after).or_insert(fresh)
                        }
                    };
                    edges.push((value, child));
                }
                let count = BigUint::ZERO;
                nodes.push(Node { edges, count });
                if nodes.len() + next.len() > limit {
                    return Err(TooLarge { variables: order });
                }
            }
            let mut by_number: Vec<(u32, Vec<Domain>)> = next
                .into_iter()
                .map(|(rest, number)| (number, rest))
                .collect();
            by_number.sort_unstable_by_key(|(number, _)| *number);
            level = by_number.into_iter().map(|(_, rest)| rest).collect();
        }
        count(&mut nodes);
        let count = nodes[0].count.clone();
        Ok(Diagram {
            order,
            nodes,
            count,
        })
    }

    /// Writes solution number `rest` into `values`.
    fn fill(&self, mut rest: BigUint, values: &mut [u8]) {
        let mut at = 0;
        for &variable in &self.order {
            for &(value, child) in &self.nodes[at as usize].edges {
                let below = match child {
                    END => &BigUint::ONE,
                    child => &self.nodes[child as usize].count,
                };
                if rest < *below {
                    values[variable as usize] = value;
                    at = child;
                    break;
                }
                rest -= below;
            }
        }
    }
}

/// Counts from the last level up, and cuts what leads nowhere.
fn count(nodes: &mut [Node]) {
    for number in (0..nodes.len()).rev() {
        let (before, after) = nodes.split_at_mut(number + 1);
        let node = &mut before[number];
        let below = |child: u32| match child {
            END => BigUint::ONE,
            child => after[child as usize - number - 1].count.clone(),
        };
        node.edges
            .retain(|&(_, child)| below(child) != BigUint::ZERO);
        node.count = node.edges.iter().map(|&(_, child)| below(child)).sum();
    }
}

/// One relation as seen from one of its ends.
#[derive(Clone, Copy, Debug)]
struct Link {
    relation: Relation,
    /// The owner is on the left.
    is_left: bool,
    /// It must not hold.
    is_broken: bool,
    other: u32,
}

impl Link {
    /// What the other end may be if this one is `value`.
    fn partners(&self, value: u8, theory: &Theory) -> Domain {
        match (self.is_broken, self.is_left) {
            (true, is_left) => theory.strangers(self.relation, value, is_left),
            (false, true) => theory.partners(self.relation, value),
            (false, false) => theory.sources(self.relation, value),
        }
    }
}

fn links(reduced: &Reduced, broken: Option<usize>) -> Vec<Vec<Link>> {
    let mut links = vec![Vec::new(); reduced.domains.len()];
    for (number, constraint) in reduced.constraints.iter().enumerate() {
        let (left, right) = (constraint.left.0, constraint.right.0);
        let link = Link {
            relation: constraint.relation,
            is_left: true,
            is_broken: broken == Some(number),
            other: right,
        };
        links[left as usize].push(link);
        if left != right {
            let (is_left, other) = (false, left);
            links[right as usize].push(Link {
                is_left,
                other,
                ..link
            });
        }
    }
    links
}

/// Arc consistency; false if a codomain becomes empty.
fn propagate(domains: &mut [Domain], links: &[Vec<Link>], theory: &Theory) -> bool {
    for (variable, links) in links.iter().enumerate() {
        for link in links.iter().filter(|link| link.other as usize == variable) {
            let holds = |&value: &u8| link.partners(value, theory) >> value & 1 == 1;
            let left = values(domains[variable]).filter(holds);
            domains[variable] = left.fold(0, |set, value| set | 1 << value);
        }
    }
    let mut queue: Vec<u32> = (0..domains.len() as u32).collect();
    let mut queued = vec![true; domains.len()];
    while let Some(variable) = queue.pop() {
        queued[variable as usize] = false;
        let own = domains[variable as usize];
        for link in &links[variable as usize] {
            let partners = values(own).map(|value| link.partners(value, theory));
            let reach = partners.fold(0, |reach, partners| reach | partners);
            let other = &mut domains[link.other as usize];
            if *other & !reach != 0 {
                *other &= reach;
                if !queued[link.other as usize] {
                    queued[link.other as usize] = true;
                    queue.push(link.other);
                }
            }
        }
    }
    domains.iter().all(|domain| *domain != 0)
}

/// The variables that have a choice, by component, each in the order in which
/// it is decided: next comes the one with the most neighbours before it.
fn components(domains: &[Domain], links: &[Vec<Link>]) -> Vec<Vec<u32>> {
    let open = |variable: u32| domains[variable as usize].count_ones() > 1;
    let degree = |variable: u32| {
        let others = links[variable as usize].iter();
        others.filter(|link| open(link.other)).count()
    };
    let mut seen = vec![false; domains.len()];
    let mut components = Vec::new();
    for start in (0..domains.len() as u32).filter(|&variable| open(variable)) {
        if seen[start as usize] {
            continue;
        }
        let mut members = vec![start];
        seen[start as usize] = true;
        let mut at = 0;
        while at < members.len() {
            for link in &links[members[at] as usize] {
                if open(link.other) && !seen[link.other as usize] {
                    seen[link.other as usize] = true;
                    members.push(link.other);
                }
            }
            at += 1;
        }
        members.sort_by_key(|&variable| (std::cmp::Reverse(degree(variable)), variable));
        components.push(decision_order(&members, links, domains.len()));
    }
    components
}

fn decision_order(members: &[u32], links: &[Vec<Link>], variables: usize) -> Vec<u32> {
    let mut near = vec![0u32; variables];
    let mut rest = members.to_vec();
    let mut order = Vec::with_capacity(members.len());
    while !rest.is_empty() {
        let best = (0..rest.len())
            .rev()
            .max_by_key(|&at| near[rest[at] as usize])
            .expect("the rest is not empty");
        let variable = rest.remove(best);
        for link in &links[variable as usize] {
            near[link.other as usize] += 1;
        }
        order.push(variable);
    }
    order
}

/// Which variables of a component have been touched at each depth, and where
/// their codomains stand in a rest.
struct Plan {
    /// By depth: the undecided variables with a decided neighbour.
    frontier: Vec<Vec<u32>>,
    /// By depth: relations of the decided variable to undecided ones.
    forward: Vec<Vec<Link>>,
    /// By depth: for each variable of the next frontier, its place in this
    /// one, if it is there.
    carried: Vec<Vec<Option<usize>>>,
}

impl Plan {
    fn new(order: &[u32], links: &[Vec<Link>]) -> Plan {
        let position = |variable: u32| order.iter().position(|&other| other == variable);
        let mut frontier = vec![Vec::new()];
        let mut forward = Vec::new();
        let mut carried = Vec::new();
        for (depth, &variable) in order.iter().enumerate() {
            let onward: Vec<Link> = links[variable as usize]
                .iter()
                .filter(|link| position(link.other).is_some_and(|at| at > depth))
                .copied()
                .collect();
            let now = &frontier[depth];
            let mut next: Vec<u32> = now.iter().copied().filter(|&v| v != variable).collect();
            next.extend(onward.iter().map(|link| link.other));
            next.sort_unstable();
            next.dedup();
            let place = |&v: &u32| now.iter().position(|&other| other == v);
            carried.push(next.iter().map(place).collect());
            forward.push(onward);
            frontier.push(next);
        }
        Plan {
            frontier,
            forward,
            carried,
        }
    }

    /// What is left to the variable that is decided at `depth`.
    fn domain(&self, depth: usize, variable: u32, rest: &[Domain], all: &[Domain]) -> Domain {
        let place = self.frontier[depth].iter().position(|&v| v == variable);
        place.map_or(all[variable as usize], |place| rest[place])
    }

    /// The rest after the decision, or `None` if somebody has no value left.
    fn step(
        &self,
        depth: usize,
        value: u8,
        rest: &[Domain],
        all: &[Domain],
        theory: &Theory,
    ) -> Option<Vec<Domain>> {
        let next = &self.frontier[depth + 1];
        let mut after = Vec::with_capacity(next.len());
        for (variable, carried) in next.iter().zip(&self.carried[depth]) {
            after.push(carried.map_or(all[*variable as usize], |place| rest[place]));
        }
        for link in &self.forward[depth] {
            let place = next.binary_search(&link.other).ok()?;
            after[place] &= link.partners(value, theory);
            if after[place] == 0 {
                return None;
            }
        }
        Some(after)
    }
}
