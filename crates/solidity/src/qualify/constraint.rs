//! The constraint set of definition 3.1: placeholders with codomains, and
//! relations between them.

use super::theory::Relation;
use crate::types::Domain;

/// A qualifier that is left open, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placeholder(pub u32);

/// What a placeholder stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// An elementary data type.
    Type,
    /// A data location.
    Location,
    /// A visibility.
    Visibility,
    /// A state mutability.
    Mutability,
    /// Whether a state variable is constant, immutable or transient.
    Persistence,
}

impl Kind {
    /// All of them: those of the paper's table 3 in its order, then ours.
    pub const ALL: [Kind; 5] = [
        Kind::Type,
        Kind::Location,
        Kind::Visibility,
        Kind::Mutability,
        Kind::Persistence,
    ];
}

/// Where a placeholder comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// It is printed, and has to be chosen.
    Declaration,
    /// It only ties others together.
    Expression,
}

/// One relation of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Constraint {
    /// How they are related.
    pub relation: Relation,
    /// The first of the two.
    pub left: Placeholder,
    /// The second of the two.
    pub right: Placeholder,
}

/// Placeholders and what they have to satisfy together.
#[derive(Clone, Debug, Default)]
pub struct ConstraintSet {
    pub(super) kinds: Vec<Kind>,
    pub(super) levels: Vec<Level>,
    pub(super) domains: Vec<Domain>,
    pub(super) constraints: Vec<Constraint>,
    /// Pairs that are the same.
    pub(super) equal: Vec<(Placeholder, Placeholder)>,
}

impl ConstraintSet {
    /// A new placeholder with its first codomain.
    pub fn add(&mut self, kind: Kind, level: Level, domain: Domain) -> Placeholder {
        let number = self.kinds.len() as u32;
        self.kinds.push(kind);
        self.levels.push(level);
        self.domains.push(domain);
        Placeholder(number)
    }

    /// Keeps of the codomain only what is in `domain`.
    pub fn restrict(&mut self, placeholder: Placeholder, domain: Domain) {
        self.domains[placeholder.0 as usize] &= domain;
    }

    /// Gives a placeholder another codomain.
    pub(crate) fn set_domain(&mut self, placeholder: Placeholder, domain: Domain) {
        self.domains[placeholder.0 as usize] = domain;
    }

    /// `left` and `right` are related.
    pub fn relate(&mut self, relation: Relation, left: Placeholder, right: Placeholder) {
        self.constraints.push(Constraint {
            relation,
            left,
            right,
        });
    }

    /// `left` and `right` are the same.
    pub fn equate(&mut self, left: Placeholder, right: Placeholder) {
        self.equal.push((left, right));
    }

    /// How many placeholders there are.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The codomain of a placeholder.
    pub fn domain(&self, placeholder: Placeholder) -> Domain {
        self.domains[placeholder.0 as usize]
    }

    /// What a placeholder stands for.
    pub fn kind(&self, placeholder: Placeholder) -> Kind {
        self.kinds[placeholder.0 as usize]
    }

    /// Where a placeholder comes from.
    pub fn level(&self, placeholder: Placeholder) -> Level {
        self.levels[placeholder.0 as usize]
    }

    /// The relations that were pushed.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// The pairs that were equated.
    pub fn equalities(&self) -> &[(Placeholder, Placeholder)] {
        &self.equal
    }
}
