//! What a query captured, by node.

use lydite_syntax::{NodeId, Query, SyntaxTree};

/// What a node is; one bit each.
pub(crate) type Flags = u32;

pub(super) const SCOPE: Flags = 1;
pub(crate) const FUNCTION: Flags = 1 << 1;
pub(super) const DECLARATION: Flags = 1 << 2;
pub(super) const PARAMETERS: Flags = 1 << 3;
pub(super) const FIXED: Flags = 1 << 4;
pub(super) const EXACT: Flags = 1 << 5;
/// Not part of a type: an initializer, the body of a structure.
pub(super) const IGNORE: Flags = 1 << 6;
pub(super) const UNIQUE: Flags = 1 << 7;
/// A statement that a run reaches or does not.
pub(crate) const STATEMENT: Flags = 1 << 8;
/// A statement that is no member of a list: the body of a loop.
pub(crate) const BODY: Flags = 1 << 9;
/// A statement that is never taken out.
pub(crate) const KEPT: Flags = 1 << 10;
/// Jumps may lead here from anywhere.
pub(crate) const LABEL: Flags = 1 << 11;
/// A switch around this jumps here.
pub(crate) const CASE: Flags = 1 << 12;
pub(crate) const SWITCH: Flags = 1 << 13;
/// Nothing inside is taken out by itself.
pub(crate) const WHOLE: Flags = 1 << 14;
/// Declares something that is also seen outside of the statement it is in.
pub(crate) const OUTLIVES: Flags = 1 << 15;
/// A program that has this loses no statement.
pub(crate) const PROGRAM_KEPT: Flags = 1 << 16;
/// A type of a declaration that could be another.
pub(crate) const TYPE_HOLE: Flags = 1 << 17;
/// A word of a declaration that could be another.
pub(crate) const QUALIFIER_HOLE: Flags = 1 << 18;
/// The body of a class.
pub(super) const MEMBERS: Flags = 1 << 19;
/// A scope that may have further parts elsewhere.
pub(super) const NAMESPACE: Flags = 1 << 20;
/// The name of a class that has a body here, or of a namespace.
pub(super) const CLASS: Flags = 1 << 21;
/// A class that the class around is made from.
pub(super) const BASE: Flags = 1 << 22;
/// The name of a function that is defined outside of its class or namespace.
pub(super) const OUTSIDE: Flags = 1 << 23;
/// A function without a name, which sees the local variables that it takes.
pub(super) const CLOSURE: Flags = 1 << 24;
/// The list of what it takes.
pub(super) const CAPTURED: Flags = 1 << 25;
/// A variable in that list.
pub(super) const TAKEN: Flags = 1 << 26;

const FLAGS: &[(&str, Flags)] = &[
    ("scope", SCOPE),
    ("function", FUNCTION | SCOPE),
    ("declaration", DECLARATION),
    ("parameters", PARAMETERS),
    ("fixed", FIXED),
    ("exact", EXACT),
    ("ignore", IGNORE),
    ("initializer", IGNORE),
    ("unique", UNIQUE),
    ("statement", STATEMENT),
    ("body", STATEMENT | BODY),
    ("kept", KEPT),
    ("label", LABEL),
    ("case", CASE),
    ("switch", SWITCH),
    ("whole", WHOLE),
    ("outlives", OUTLIVES),
    ("program-kept", PROGRAM_KEPT),
    ("type-hole", TYPE_HOLE),
    ("qualifier-hole", QUALIFIER_HOLE),
    ("members", MEMBERS | SCOPE),
    ("namespace", NAMESPACE | SCOPE),
    ("class", CLASS),
    ("base", BASE),
    ("outside", OUTSIDE),
    ("closure", CLOSURE | FUNCTION | SCOPE),
    ("captured", CAPTURED),
    ("taken", TAKEN),
];

/// What a name is declared to be; of two answers the earlier one holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// A variable that cannot be assigned.
    Constant,
    Function,
    Type,
    Other,
    /// A variable that can be seen in the whole scope.
    Hoisted,
    Variable,
}

const ROLES: &[(&str, Role)] = &[
    ("definition", Role::Variable),
    ("definition.constant", Role::Constant),
    ("definition.hoisted", Role::Hoisted),
    ("definition.function", Role::Function),
    ("definition.type", Role::Type),
    ("definition.other", Role::Other),
];

/// A captured name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Definition {
    pub name: NodeId,
    pub role: Role,
    /// What was captured as its type.
    pub type_node: Option<NodeId>,
}

/// See the module's documentation.
pub(crate) struct Captures {
    flags: Vec<Flags>,
    /// In the order of the text; each name once.
    pub definitions: Vec<Definition>,
    pub uses: Vec<NodeId>,
}

/// True if something is made of a capture; those that begin with an
/// underscore are the query's own.
#[cfg(test)]
pub(super) fn is_known(name: &str) -> bool {
    let in_tables = FLAGS.iter().any(|(known, _)| *known == name)
        || ROLES.iter().any(|(known, _)| *known == name);
    in_tables || name.starts_with('_') || matches!(name, "use" | "type")
}

impl Captures {
    pub(crate) fn find(query: &Query, tree: &SyntaxTree, text: &[u8]) -> Captures {
        let mut flags = vec![0; tree.nodes().len()];
        let mut definitions: Vec<Definition> = Vec::new();
        let mut uses = Vec::new();
        for captures in query.matches(tree, text) {
            let type_node = captures
                .iter()
                .find(|capture| capture.name == "type")
                .map(|capture| capture.node);
            for capture in &captures {
                if capture.name == "use" {
                    uses.push(capture.node);
                } else if let Some((_, flag)) = FLAGS.iter().find(|(name, _)| *name == capture.name)
                {
                    flags[capture.node] |= flag;
                } else if let Some(&(_, role)) =
                    ROLES.iter().find(|(name, _)| *name == capture.name)
                {
                    definitions.push(Definition {
                        name: capture.node,
                        role,
                        type_node,
                    });
                }
            }
        }
        // The most telling pattern wins: one with a type, then by role.
        definitions.sort_by_key(|one| (one.name, one.type_node.is_none(), one.role));
        definitions.dedup_by_key(|one| one.name);
        uses.sort_unstable();
        uses.dedup();
        Captures {
            flags,
            definitions,
            uses,
        }
    }

    pub(crate) fn is(&self, node: NodeId, flag: Flags) -> bool {
        self.flags[node] & flag == flag
    }

    /// The flags of each node and of all nodes around it.
    pub(crate) fn inherited(&self, tree: &SyntaxTree) -> Vec<Flags> {
        let mut all = self.flags.clone();
        for node in 0..all.len() {
            if let Some(parent) = tree.node(node).parent {
                all[node] |= all[parent];
            }
        }
        all
    }
}
