//! The relations between qualifiers, as tables of one version of solc.
//!
//! A relation is a set of pairs of values; both directions are kept as one
//! set of partners per value, so that propagation is a few operations on bits.

use crate::types::{
    ADDRESSES, ARRAYS, CONTRACTS, Domain, Elementary, FIXED_POINTS, Family, Location, MAPPINGS,
    Mutability, NUMBERS, Persistence, SEQUENCES, TYPES, Visibility, values,
};
use crate::version::{Dialect, Feature};

/// How two placeholders are related; `left` and `right` in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// Types: left converts to right implicitly (the paper's `<` of types).
    Converts,
    /// Types: one converts to the other, so that both have a common type.
    Common,
    /// Types: left converts to right explicitly.
    Casts,
    /// Locations: data in left can be assigned to a variable in right.
    Flows,
    /// Locations: one flows to the other.
    Joins,
    /// Flows, but for copies from calldata to memory.
    FlowsUncopied,
    /// One flows to the other so.
    JoinsUncopied,
    /// Location of a parameter, visibility of its function.
    Parameter,
    /// Location of a result, visibility of its function.
    Result,
    /// Mutability and visibility of a function.
    Payable,
    /// The same of one that looks at what was paid.
    Paid,
    /// A location that is read through, mutability of the function.
    Reads,
    /// A location that is written through, mutability of the function.
    Writes,
    /// Mutability of what is called, mutability of the caller.
    Calls,
    /// The same for a call through an address.
    CallsExternally,
    /// Visibility of a function, visibility of one that it overrides.
    OverridesVisibility,
    /// Mutability of a function, mutability of one that it overrides.
    OverridesMutability,
    /// Mutability of a function, mutability of a type of its values.
    Promises,
    /// Location of a parameter, visibility of its function, which is of a
    /// library.
    LibraryParameter,
    /// The same of a result.
    LibraryResult,
    /// Persistence of a state variable, mutability of what reads it.
    ReadsState,
    /// The same of a variable whose first value is a number that is written out.
    ReadsNumber,
    /// The same of what changes it.
    WritesState,
    /// Type of a variable, and the location of its data.
    Held,
}

impl Relation {
    /// All of them, in order.
    pub const ALL: [Relation; 24] = [
        Relation::Converts,
        Relation::Common,
        Relation::Casts,
        Relation::Flows,
        Relation::Joins,
        Relation::FlowsUncopied,
        Relation::JoinsUncopied,
        Relation::Parameter,
        Relation::Result,
        Relation::Payable,
        Relation::Paid,
        Relation::Reads,
        Relation::Writes,
        Relation::Calls,
        Relation::CallsExternally,
        Relation::OverridesVisibility,
        Relation::OverridesMutability,
        Relation::Promises,
        Relation::LibraryParameter,
        Relation::LibraryResult,
        Relation::ReadsState,
        Relation::ReadsNumber,
        Relation::WritesState,
        Relation::Held,
    ];

    /// What it says, for people.
    pub fn name(self) -> &'static str {
        match self {
            Relation::Converts => "a type converts to another",
            Relation::Common => "two types have a common one",
            Relation::Casts => "an explicit conversion",
            Relation::Flows => "a location flows to another",
            Relation::Joins => "two locations have a common one",
            Relation::FlowsUncopied => "a location flows to another without a copy",
            Relation::JoinsUncopied => "two locations have a common one without a copy",
            Relation::Parameter => "location of a parameter and visibility",
            Relation::Result => "location of a result and visibility",
            Relation::Payable => "payable and visibility",
            Relation::Paid => "use of what was paid and visibility",
            Relation::Reads => "mutability of what reads storage",
            Relation::Writes => "mutability of what writes storage",
            Relation::Calls => "mutability of a call",
            Relation::CallsExternally => "mutability of an external call",
            Relation::OverridesVisibility => "visibility of an override",
            Relation::OverridesMutability => "mutability of an override",
            Relation::Promises => "mutability of a function's value",
            Relation::LibraryParameter => "location of a library's parameter and visibility",
            Relation::LibraryResult => "location of a library's result and visibility",
            Relation::ReadsState => "persistence of what is read and mutability",
            Relation::ReadsNumber => "persistence of a number that is read and mutability",
            Relation::WritesState => "persistence of what is changed and mutability",
            Relation::Held => "type of a variable and location",
        }
    }

    /// The relation of two things that are both below a third, if this is an
    /// order.
    pub(super) fn common(self) -> Option<Relation> {
        match self {
            Relation::Converts | Relation::Common => Some(Relation::Common),
            Relation::Flows | Relation::Joins => Some(Relation::Joins),
            Relation::FlowsUncopied | Relation::JoinsUncopied => Some(Relation::JoinsUncopied),
            _ => None,
        }
    }

    /// True if order does not matter.
    pub(super) fn is_symmetric(self) -> bool {
        matches!(
            self,
            Relation::Common | Relation::Joins | Relation::JoinsUncopied
        )
    }
}

/// The tables of one dialect.
#[derive(Clone, Debug)]
pub struct Theory {
    /// By relation and value of left: what right may be.
    forward: Vec<Vec<Domain>>,
    /// By relation and value of right: what left may be.
    backward: Vec<Vec<Domain>>,
}

impl Theory {
    /// The relations as this dialect has them.
    pub fn new(dialect: &Dialect) -> Theory {
        let mut forward = Vec::new();
        let mut backward = Vec::new();
        for relation in Relation::ALL {
            let (left, right) = sizes(relation);
            let holds = |a: u8, b: u8| holds(dialect, relation, a, b);
            let partners = |a: u8| (0..right).filter(|&b| holds(a, b)).fold(0, bit);
            let sources = |b: u8| (0..left).filter(|&a| holds(a, b)).fold(0, bit);
            forward.push((0..left).map(partners).collect());
            backward.push((0..right).map(sources).collect());
        }
        Theory { forward, backward }
    }

    /// What right may be if left is `value`.
    pub fn partners(&self, relation: Relation, value: u8) -> Domain {
        self.forward[relation as usize][usize::from(value)]
    }

    /// What left may be if right is `value`.
    pub fn sources(&self, relation: Relation, value: u8) -> Domain {
        self.backward[relation as usize][usize::from(value)]
    }

    /// What right must not be if left is `value`, and the other way round.
    pub(super) fn strangers(&self, relation: Relation, value: u8, is_left: bool) -> Domain {
        let (left, right) = sizes(relation);
        let all = |size: u8| Domain::MAX >> (Domain::BITS - u32::from(size));
        let strange = match is_left {
            true => !self.partners(relation, value) & all(right),
            false => !self.sources(relation, value) & all(left),
        };
        match relation {
            Relation::Converts | Relation::Common => strange & !relatives(value),
            _ => strange,
        }
    }

    /// True if the relation holds between two values.
    pub fn holds(&self, relation: Relation, left: u8, right: u8) -> bool {
        self.partners(relation, left) >> right & 1 == 1
    }

    /// Everything that right may be while left is in `domain`.
    pub(super) fn image(&self, relation: Relation, domain: Domain) -> Domain {
        values(domain).fold(0, |image, value| image | self.partners(relation, value))
    }

    /// Everything that left may be while right is in `domain`.
    pub(super) fn preimage(&self, relation: Relation, domain: Domain) -> Domain {
        values(domain).fold(0, |image, value| image | self.sources(relation, value))
    }
}

/// Types that a compiler may convert to another, or from it, although no relation
/// has them together: contracts of one lineage, which some versions take for
/// addresses as well, fixed-point types and integers, and arrays, which are copied
/// element by element.
fn relatives(value: u8) -> Domain {
    let within = |domain: Domain| domain >> value & 1 == 1;
    if within(CONTRACTS) {
        CONTRACTS | ADDRESSES
    } else if within(ADDRESSES) {
        CONTRACTS
    } else if within(FIXED_POINTS) {
        FIXED_POINTS | NUMBERS
    } else if within(NUMBERS) {
        FIXED_POINTS
    } else if within(ARRAYS) {
        ARRAYS
    } else {
        0
    }
}

fn bit(domain: Domain, value: u8) -> Domain {
    domain | 1 << value
}

fn sizes(relation: Relation) -> (u8, u8) {
    let (types, locations, others) = (TYPES, 3, 4);
    match relation {
        Relation::Converts | Relation::Common | Relation::Casts => (types, types),
        Relation::Held => (types, locations),
        Relation::Flows | Relation::Joins => (locations, locations),
        Relation::FlowsUncopied | Relation::JoinsUncopied => (locations, locations),
        Relation::Parameter | Relation::Result => (locations, others),
        Relation::LibraryParameter | Relation::LibraryResult => (locations, others),
        Relation::Reads | Relation::Writes => (locations, others),
        _ => (others, others),
    }
}

fn holds(dialect: &Dialect, relation: Relation, left: u8, right: u8) -> bool {
    let kind = Elementary::from_number;
    let is_composite = |number| number >= Elementary::COUNT;
    match relation {
        Relation::Held => {
            MAPPINGS >> left & 1 == 0 || Location::ALL[usize::from(right)] == Location::Storage
        }
        // A composite type is itself alone, and nobody writes a conversion to it.
        Relation::Converts | Relation::Common if is_composite(left) || is_composite(right) => {
            left == right
        }
        Relation::Casts if is_composite(left) || is_composite(right) => false,
        Relation::Converts => converts(dialect, kind(left), kind(right)),
        // Where signs mix, a common type need not be one of a third's.
        Relation::Common => {
            let (left, right) = (kind(left), kind(right));
            left.family() == right.family()
                && (converts(dialect, left, right) || converts(dialect, right, left))
        }
        Relation::Casts => casts(dialect, kind(left), kind(right)),
        _ => holds_between(dialect, relation, left, right),
    }
}

/// Relations of qualifiers other than types.
fn holds_between(dialect: &Dialect, relation: Relation, left: u8, right: u8) -> bool {
    let location = |number: u8| Location::ALL[usize::from(number)];
    let visibility = |number: u8| Visibility::ALL[usize::from(number)];
    let mutability = |number: u8| Mutability::ALL[usize::from(number)];
    let persistence = |number: u8| Persistence::ALL[usize::from(number)];
    match relation {
        Relation::Flows => flows(location(left), location(right)),
        Relation::Joins => {
            flows(location(left), location(right)) || flows(location(right), location(left))
        }
        Relation::FlowsUncopied => flows_uncopied(location(left), location(right)),
        Relation::JoinsUncopied => {
            flows_uncopied(location(left), location(right))
                || flows_uncopied(location(right), location(left))
        }
        Relation::Parameter => parameter(dialect, location(left), visibility(right)),
        Relation::Result => result(dialect, location(left), visibility(right)),
        Relation::Payable => mutability(left) != Mutability::Payable || exported(visibility(right)),
        Relation::Paid => {
            mutability(left) == Mutability::Payable
                || mutability(left) != Mutability::Pure && !exported(visibility(right))
        }
        Relation::Reads => {
            location(left) != Location::Storage || mutability(right) != Mutability::Pure
        }
        Relation::Writes => location(left) != Location::Storage || changes(mutability(right)),
        Relation::Calls => calls(mutability(left), mutability(right)),
        // Even a pure function is found through `this`, which is state.
        Relation::CallsExternally => {
            mutability(right) != Mutability::Pure && calls(mutability(left), mutability(right))
        }
        Relation::OverridesVisibility => {
            left == right
                || visibility(left) == Visibility::Public
                    && visibility(right) == Visibility::External
        }
        Relation::OverridesMutability => {
            left == right
                || dialect.has(Feature::StricterOverrides)
                    && overrides(mutability(left), mutability(right))
        }
        Relation::Promises => promises(mutability(left), mutability(right)),
        Relation::LibraryParameter => {
            location(left) == Location::Storage
                || parameter(dialect, location(left), visibility(right))
        }
        Relation::LibraryResult => {
            location(left) == Location::Storage
                || result(dialect, location(left), visibility(right))
        }
        Relation::ReadsState => {
            persistence(left) == Persistence::Constant || mutability(right) != Mutability::Pure
        }
        Relation::ReadsNumber => reads_number(dialect, persistence(left), mutability(right)),
        Relation::WritesState => writes_state(persistence(left), mutability(right)),
        Relation::Converts | Relation::Common | Relation::Casts | Relation::Held => false,
    }
}

/// A number that is written out is known, also where it is immutable.
fn reads_number(dialect: &Dialect, what: Persistence, reader: Mutability) -> bool {
    let is_known = match what {
        Persistence::Constant => true,
        Persistence::Immutable => dialect.has(Feature::PureImmutables),
        Persistence::Stored | Persistence::Transient => false,
    };
    is_known || reader != Mutability::Pure
}

fn writes_state(what: Persistence, writer: Mutability) -> bool {
    changes(writer) && matches!(what, Persistence::Stored | Persistence::Transient)
}

/// True if code of the second mutability may call a function of the first.
fn calls(callee: Mutability, caller: Mutability) -> bool {
    match callee {
        Mutability::Pure => true,
        Mutability::View => caller != Mutability::Pure,
        Mutability::Payable | Mutability::NonPayable => changes(caller),
    }
}

/// True if the first mutability keeps what the second promises.
fn promises(own: Mutability, other: Mutability) -> bool {
    own == other
        || match other {
            Mutability::NonPayable => true,
            Mutability::View => own == Mutability::Pure,
            Mutability::Pure | Mutability::Payable => false,
        }
}

fn converts(dialect: &Dialect, from: Elementary, to: Elementary) -> bool {
    use Family::{Address, FixedBytes, Int, Uint};
    match (from.family(), to.family()) {
        (Address, Address) => from == to || from == Elementary::PAYABLE,
        (Uint, Uint) | (Int, Int) | (FixedBytes, FixedBytes) => from.size() <= to.size(),
        (Uint, Int) => dialect.has(Feature::SignWidening) && from.size() < to.size(),
        _ => from == to,
    }
}

fn casts(dialect: &Dialect, from: Elementary, to: Elementary) -> bool {
    use Family::{Address, Bytes, FixedBytes, Int, String, Uint};
    let free = dialect.has(Feature::FreeCasts);
    // `address payable` cannot be written there. It becomes an address and
    // nothing else; versions with free conversions differ on that.
    if to == Elementary::PAYABLE {
        return false;
    }
    if from == Elementary::PAYABLE {
        return to == Elementary::ADDRESS && !free;
    }
    match (from.family(), to.family()) {
        (Uint, Uint) | (Int, Int) | (FixedBytes, FixedBytes) => true,
        (Uint, Int) => free || from.size() == to.size() || converts(dialect, from, to),
        (Int, Uint) => free || from.size() == to.size(),
        (Uint, FixedBytes) | (FixedBytes, Uint) => from.size() == to.size(),
        (Int, FixedBytes) | (FixedBytes, Int) => free && from.size() == to.size(),
        (Uint, Address) => free || from.size() == 20,
        (Address, Uint) => free || to.size() == 20,
        (Int, Address) | (Address, Int) => free,
        (FixedBytes, Address) => from.size() == 20,
        (Address, FixedBytes) => to.size() == 20,
        (String, Bytes) | (Bytes, String) => true,
        _ => from == to,
    }
}

fn flows(from: Location, to: Location) -> bool {
    from == to || to == Location::Memory
}

fn flows_uncopied(from: Location, to: Location) -> bool {
    flows(from, to) && (from == to || from != Location::Calldata)
}

fn exported(visibility: Visibility) -> bool {
    matches!(visibility, Visibility::Public | Visibility::External)
}

fn changes(mutability: Mutability) -> bool {
    matches!(mutability, Mutability::Payable | Mutability::NonPayable)
}

fn parameter(dialect: &Dialect, location: Location, visibility: Visibility) -> bool {
    if dialect.has(Feature::CalldataAnywhere) {
        return location != Location::Storage || !exported(visibility);
    }
    match visibility {
        Visibility::External => location == Location::Calldata,
        Visibility::Public => location == Location::Memory,
        Visibility::Internal | Visibility::Private => location != Location::Calldata,
    }
}

fn result(dialect: &Dialect, location: Location, visibility: Visibility) -> bool {
    match location {
        Location::Memory => true,
        Location::Storage => !exported(visibility),
        Location::Calldata => dialect.has(Feature::CalldataAnywhere),
    }
}

/// `payable` overrides itself alone; otherwise a function may promise more.
fn overrides(own: Mutability, base: Mutability) -> bool {
    use Mutability::{NonPayable, Payable, Pure, View};
    match base {
        Payable => own == Payable,
        NonPayable => matches!(own, NonPayable | View | Pure),
        View => matches!(own, View | Pure),
        Pure => own == Pure,
    }
}

/// The types that can be written in a dialect, with `widths` sizes of
/// numbers and fixed bytes: powers of two first, then all.
pub(crate) fn writable(dialect: &Dialect, widths: u8) -> Domain {
    let small = |size: u8| size.is_power_of_two() && u32::from(widths) > size.trailing_zeros();
    let mut domain = SEQUENCES;
    for kind in Elementary::all() {
        let fits = match kind.family() {
            Family::Uint | Family::Int | Family::FixedBytes => {
                small(kind.size()) || kind.size() <= widths.saturating_sub(6) || widths >= 32
            }
            _ => kind != Elementary::PAYABLE || dialect.has(Feature::PayableAddress),
        };
        if fits {
            domain |= kind.bit();
        }
    }
    domain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn theory(version: &str) -> Theory {
        Theory::new(&version.parse().unwrap())
    }

    #[test]
    fn conversions_are_those_of_the_compiler() {
        let (uint8, uint16, int8, int16) = (
            Elementary::uint(8),
            Elementary::uint(16),
            Elementary::int(8),
            Elementary::int(16),
        );
        let (bytes20, uint160) = (Elementary::fixed_bytes(20), Elementary::uint(160));
        for (version, relation, from, to, expected) in [
            ("0.8.20", Relation::Converts, uint8, uint16, true),
            ("0.8.20", Relation::Converts, uint16, uint8, false),
            ("0.8.20", Relation::Converts, uint8, int16, false),
            ("0.7.6", Relation::Converts, uint8, int16, true),
            ("0.7.6", Relation::Converts, uint8, int8, false),
            ("0.8.20", Relation::Common, uint16, uint8, true),
            ("0.8.20", Relation::Casts, uint16, int16, true),
            ("0.8.20", Relation::Casts, uint16, int8, false),
            ("0.7.6", Relation::Casts, uint16, int8, true),
            ("0.8.20", Relation::Casts, bytes20, uint160, true),
            (
                "0.8.20",
                Relation::Casts,
                Elementary::ADDRESS,
                uint160,
                true,
            ),
            ("0.8.20", Relation::Casts, Elementary::ADDRESS, uint8, false),
            (
                "0.8.20",
                Relation::Casts,
                Elementary::PAYABLE,
                Elementary::ADDRESS,
                true,
            ),
            (
                "0.8.20",
                Relation::Casts,
                Elementary::PAYABLE,
                uint160,
                false,
            ),
            (
                "0.7.6",
                Relation::Casts,
                Elementary::PAYABLE,
                uint160,
                false,
            ),
            (
                "0.8.20",
                Relation::Converts,
                Elementary::PAYABLE,
                Elementary::ADDRESS,
                true,
            ),
            (
                "0.8.20",
                Relation::Converts,
                Elementary::ADDRESS,
                Elementary::PAYABLE,
                false,
            ),
        ] {
            let holds = theory(version).holds(relation, from.number(), to.number());
            assert_eq!(holds, expected, "{version} {relation:?} {from:?} {to:?}");
        }
    }

    #[test]
    fn both_directions_of_every_table_agree() {
        let theory = theory("0.6.12");
        for relation in Relation::ALL {
            let (left, right) = sizes(relation);
            for a in 0..left {
                for b in 0..right {
                    let forward = theory.partners(relation, a) >> b & 1;
                    assert_eq!(
                        forward,
                        theory.sources(relation, b) >> a & 1,
                        "{relation:?}"
                    );
                }
            }
        }
    }
}
