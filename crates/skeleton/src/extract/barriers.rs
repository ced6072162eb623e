//! What scopes hide of the variables around them.
//!
//! A name inside of a class, a namespace, or a function that is defined outside of its class
//! may mean a member that is declared elsewhere; functions of a class inside of a function see
//! none of its local variables, and functions without a name see those that they list. What a
//! name cannot be trusted to mean is not seen.

use std::collections::{BTreeMap, BTreeSet};

use lydite_syntax::{NodeId, SyntaxTree};

use super::captures::{
    BASE, CAPTURED, CLASS, CLOSURE, Captures, FUNCTION, MEMBERS, NAMESPACE, OUTSIDE, TAKEN,
};
use super::names::Scope;
use super::outline::Variable;

/// How a function without a name takes a local variable from around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Reference,
    Copy,
}

/// What a scope hides.
#[derive(Clone, Debug)]
enum Barrier {
    /// Variables whose names its members may have; if it is a class, local ones too.
    Members { of_class: bool },
    /// All variables: not all of its members are in the text.
    Everything,
    /// Local variables that it does not take.
    Closure(Taken),
}

/// The local variables that a function without a name takes.
#[derive(Clone, Debug, Default)]
struct Taken {
    listed: BTreeMap<Vec<u8>, Way>,
    /// Those that are not listed.
    others: Option<Way>,
}

/// The scopes that hide something.
#[derive(Clone, Debug, Default)]
pub(super) struct Barriers {
    by_scope: BTreeMap<usize, Barrier>,
    /// Names that members of classes have, or variables of several namespaces.
    shared: BTreeSet<Vec<u8>>,
}

impl Barriers {
    /// Those of a program: the node of each scope, and all names with the scopes that declare
    /// them.
    pub(super) fn find<'n>(
        program: &Program<'_>,
        nodes: &[NodeId],
        declared: impl Iterator<Item = (usize, &'n [u8])>,
    ) -> Barriers {
        let whole = program.whole_classes();
        let by_scope: BTreeMap<usize, Barrier> = nodes
            .iter()
            .enumerate()
            .filter_map(|(scope, &node)| Some((scope, program.barrier(node, &whole)?)))
            .collect();
        let mut barriers = Barriers {
            by_scope,
            shared: BTreeSet::new(),
        };
        if barriers.by_scope.is_empty() {
            return barriers;
        }
        let mut outside: BTreeSet<&[u8]> = BTreeSet::new();
        for (scope, name) in declared {
            let node = nodes[scope];
            let of_class = program.captures.is(node, MEMBERS);
            let of_namespace = program.captures.is(node, NAMESPACE) || scope == 0;
            if of_class || of_namespace && !outside.insert(name) {
                barriers.shared.insert(name.to_vec());
            }
        }
        barriers
    }

    /// The scopes in which a place has a copy of a variable; `None` if it does not see it.
    pub(super) fn copies(
        &self,
        scopes: &[Scope],
        place: usize,
        variable: &Variable,
    ) -> Option<Vec<usize>> {
        let mut copies = Vec::new();
        let mut around = (!self.by_scope.is_empty()).then_some(place);
        while let Some(scope) = around.filter(|&scope| scope != variable.scope) {
            match self.by_scope.get(&scope) {
                Some(Barrier::Everything) => return None,
                Some(Barrier::Members { of_class })
                    if *of_class && variable.local || self.shared.contains(&*variable.name) =>
                {
                    return None;
                }
                Some(Barrier::Closure(taken)) if variable.local => {
                    let listed = taken.listed.get(&*variable.name).copied();
                    if listed.or(taken.others)? == Way::Copy {
                        copies.push(scope);
                    }
                }
                _ => {}
            }
            around = scopes[scope].parent;
        }
        Some(copies)
    }
}

/// What barriers are found in.
pub(super) struct Program<'a> {
    pub tree: &'a SyntaxTree,
    pub captures: &'a Captures,
    pub text: &'a [u8],
}

impl<'a> Program<'a> {
    fn barrier(&self, node: NodeId, whole: &BTreeSet<&[u8]>) -> Option<Barrier> {
        let members = |named: &[&[u8]], of_class| match named.iter().all(|one| whole.contains(one))
        {
            true => Barrier::Members { of_class },
            false => Barrier::Everything,
        };
        if self.captures.is(node, CLOSURE) {
            return Some(Barrier::Closure(self.taken(node)));
        }
        if self.captures.is(node, MEMBERS) {
            let class = self.tree.node(node).parent.unwrap_or(node);
            return Some(members(&self.bases(class), true));
        }
        if self.captures.is(node, NAMESPACE) {
            return Some(Barrier::Members { of_class: false });
        }
        if self.captures.is(node, FUNCTION) {
            let head = self
                .tree
                .children(node)
                .find(|&child| self.tree.field(child) == Some("declarator"))?;
            let name =
                (head..self.tree.node(head).end).find(|&one| self.captures.is(one, OUTSIDE))?;
            return Some(members(&self.qualifiers(name), false));
        }
        None
    }

    /// The names of classes whose members are all in the text, and of namespaces.
    fn whole_classes(&self) -> BTreeSet<&'a [u8]> {
        let mut bases: BTreeMap<&[u8], Vec<&[u8]>> = BTreeMap::new();
        for node in 0..self.tree.nodes().len() {
            if self.captures.is(node, CLASS) {
                let class = self.tree.node(node).parent.unwrap_or(node);
                bases
                    .entry(self.name(node))
                    .or_default()
                    .extend(self.bases(class));
            }
        }
        let mut users: BTreeMap<&[u8], Vec<&[u8]>> = BTreeMap::new();
        for (&class, named) in &bases {
            for &base in named {
                users.entry(base).or_default().push(class);
            }
        }
        let unknown = |name: &&[u8]| !bases.contains_key(name);
        let mut lost: Vec<&[u8]> = users.keys().copied().filter(unknown).collect();
        while let Some(base) = lost.pop() {
            for class in users.remove(base).unwrap_or_default() {
                if bases.remove(class).is_some() {
                    lost.push(class);
                }
            }
        }
        bases.into_keys().collect()
    }

    fn name(&self, node: NodeId) -> &'a [u8] {
        &self.text[self.tree.node(node).range.clone()]
    }

    /// The names of the classes that a class is made from.
    fn bases(&self, class: NodeId) -> Vec<&'a [u8]> {
        let clauses = self.tree.children(class);
        let named = clauses.flat_map(|clause| self.tree.children(clause));
        named
            .filter(|&child| self.captures.is(child, BASE))
            .map(|child| self.last_name(child))
            .collect()
    }

    /// The name of a class: the last one of those between `::`, without arguments.
    fn last_name(&self, mut node: NodeId) -> &'a [u8] {
        while let Some(inner) = self
            .tree
            .children(node)
            .find(|&child| self.tree.field(child) == Some("name"))
        {
            node = inner;
        }
        self.name(node)
    }

    /// The names before the last `::`, without arguments.
    fn qualifiers(&self, mut node: NodeId) -> Vec<&'a [u8]> {
        let mut names = Vec::new();
        loop {
            let field = |field: &str| {
                self.tree
                    .children(node)
                    .find(|&child| self.tree.field(child) == Some(field))
            };
            if let Some(scope) = field("scope") {
                names.push(self.last_name(scope));
            }
            match field("name") {
                Some(name) if self.tree.kind(name) == self.tree.kind(node) => node = name,
                _ => return names,
            }
        }
    }

    /// What the list of a function without a name says.
    fn taken(&self, closure: NodeId) -> Taken {
        let mut taken = Taken::default();
        let lists = self
            .tree
            .children(closure)
            .filter(|&child| self.captures.is(child, CAPTURED));
        for list in lists {
            let mut way = Way::Copy;
            for child in self.tree.children(list) {
                let by_default = self.tree.node(child).named;
                match self.name(child) {
                    name if self.captures.is(child, TAKEN) => {
                        taken.listed.insert(name.to_vec(), way);
                    }
                    b"&" if by_default => taken.others = Some(Way::Reference),
                    b"=" if by_default => taken.others = Some(Way::Copy),
                    b"&" => way = Way::Reference,
                    b"," => way = Way::Copy,
                    _ => {}
                }
            }
        }
        taken
    }
}
