//! A context-free grammar as the enumeration sees it: rules, productions, and
//! the text between a production's symbols.

use std::ops::Range;

/// A rule's number.
pub(crate) type RuleId = u32;

/// A production's number. Those of one rule are neighbours, in file order.
pub(crate) type ProductionId = u32;

/// A grammar all of whose rules are defined, reachable and end somewhere.
#[derive(Clone, Debug)]
pub struct Grammar {
    pub(crate) name: String,
    pub(crate) language: Option<String>,
    pub(crate) start: RuleId,
    pub(crate) rules: Vec<Rule>,
    pub(crate) productions: Vec<Production>,
}

#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub name: String,
    pub productions: Range<ProductionId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Production {
    pub rule: RuleId,
    /// One more than there are symbols: before, between and after them.
    pub texts: Vec<Box<str>>,
    pub symbols: Vec<RuleId>,
    /// Symbols that name the same rule may be exchanged.
    pub commutative: bool,
    /// May be exchanged with the rule's other productions so marked.
    pub interchangeable: bool,
}

impl Grammar {
    /// The name that its file gives.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The language of its programs, if its file says so.
    pub fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    /// The number of productions, which programs are numbered by.
    pub fn productions(&self) -> usize {
        self.productions.len()
    }

    /// The largest size of a derivation if there are finitely many, at most
    /// `limit`; `None` if some rule leads back to itself.
    pub fn largest_size(&self, limit: u32) -> Option<u32> {
        let edges = self.rules.iter().map(|rule| {
            let productions = &self.productions[as_range(&rule.productions)];
            let symbols = productions.iter().flat_map(|p| &p.symbols);
            symbols.copied().collect()
        });
        let order = dependencies_first(&edges.collect::<Vec<_>>()).ok()?;
        let mut largest = vec![0u32; self.rules.len()];
        for rule in order {
            let productions = as_range(&self.rules[rule as usize].productions);
            let sizes = self.productions[productions].iter().map(|production| {
                let symbols = production.symbols.iter();
                let sizes = symbols.map(|&symbol| largest[symbol as usize]);
                sizes.fold(1u32, u32::saturating_add).min(limit)
            });
            largest[rule as usize] = sizes.max().unwrap_or(0);
        }
        Some(largest[self.start as usize])
    }

    /// The productions that may be exchanged for one another, per rule.
    pub(crate) fn interchangeable(&self) -> Vec<Vec<ProductionId>> {
        let marked = |rule: &Rule| -> Vec<ProductionId> {
            let marked = |&p: &ProductionId| self.productions[p as usize].interchangeable;
            rule.productions.clone().filter(marked).collect()
        };
        let classes = self.rules.iter().map(marked);
        classes.filter(|class| class.len() > 1).collect()
    }
}

pub(crate) fn as_range(productions: &Range<ProductionId>) -> Range<usize> {
    productions.start as usize..productions.end as usize
}

/// All nodes, each after those that its edges lead to; or a node on a cycle.
/// Not recursive: what is left after nodes without outgoing edges are taken
/// away, again and again, leads to a cycle, and following it finds one.
pub(crate) fn dependencies_first(edges: &[Vec<u32>]) -> Result<Vec<u32>, u32> {
    let mut outgoing: Vec<usize> = edges.iter().map(Vec::len).collect();
    let mut incoming: Vec<Vec<u32>> = vec![Vec::new(); edges.len()];
    for (from, targets) in edges.iter().enumerate() {
        for &to in targets {
            incoming[to as usize].push(from as u32);
        }
    }
    let mut order: Vec<u32> = (0..edges.len() as u32)
        .filter(|&node| edges[node as usize].is_empty())
        .collect();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        next += 1;
        for &from in &incoming[node as usize] {
            outgoing[from as usize] -= 1;
            if outgoing[from as usize] == 0 {
                order.push(from);
            }
        }
    }
    let left = |node: u32| outgoing[node as usize] > 0;
    let Some(mut node) = (0..edges.len() as u32).find(|&node| left(node)) else {
        return Ok(order);
    };
    let mut seen = vec![false; edges.len()];
    while !seen[node as usize] {
        seen[node as usize] = true;
        let next = edges[node as usize].iter().find(|&&next| left(next));
        node = *next.expect("what is left leads to what is left");
    }
    Err(node)
}
