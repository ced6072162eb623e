//! The composite types that a placeholder of a data type may stand for.
//!
//! A placeholder ranges over elementary types and, by numbers that follow theirs, over
//! types of the program: contracts, enums, user-defined value types, arrays, structs and
//! mappings. In a number nothing is open, so that two solutions are two programs.

use super::print::Printer;
use super::{ContractId, EnumId, StructId, ValueTypeId};
use crate::types::Elementary;

/// A type of a program that a placeholder may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Composite {
    /// Something without a location.
    Atom(Atom),
    /// A struct.
    Struct(StructId),
    /// An array.
    Array {
        /// Of what.
        element: Atom,
        /// `None` for a dynamic one.
        length: Option<u32>,
    },
    /// A mapping.
    Mapping {
        /// From what.
        key: Elementary,
        /// To what.
        value: Atom,
    },
}

/// A type without a location: what arrays and mappings are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    /// An elementary type.
    Elementary(Elementary),
    /// A contract or interface.
    Contract(ContractId),
    /// An enum.
    Enum(EnumId),
    /// A user-defined value type.
    Value(ValueTypeId),
    /// `fixed` or `ufixed`, which a compiler declares and copies, and no more.
    FixedPoint {
        /// `fixed`
        is_signed: bool,
        /// How many bits it has.
        bits: u32,
        /// How many of its decimal digits are behind the point.
        digits: u32,
    },
}

impl Printer<'_> {
    /// Tells the layout how composite types are named from here on.
    pub(super) fn name_composites(&mut self) {
        if self.ast.composites.is_empty() {
            return;
        }
        let printed = std::mem::take(&mut self.layout);
        let names = self.ast.composites.iter().map(|(&number, &composite)| {
            self.composite(composite);
            (number, std::mem::take(&mut self.layout).into_text())
        });
        let names = names.collect();
        self.layout = printed;
        self.layout.name_composites(names);
    }

    fn composite(&mut self, composite: Composite) {
        match composite {
            Composite::Atom(atom) => self.atom(atom),
            Composite::Struct(id) => self.struct_name(id),
            Composite::Array { element, length } => {
                self.atom(element);
                self.push("[");
                if let Some(length) = length {
                    self.layout.push_number(u64::from(length));
                }
                self.push("]");
            }
            Composite::Mapping { key, value } => {
                self.push("mapping(");
                self.push(&key.name());
                self.push(" => ");
                self.atom(value);
                self.push(")");
            }
        }
    }

    fn atom(&mut self, atom: Atom) {
        match atom {
            Atom::Elementary(kind) => self.push(&kind.name()),
            Atom::Contract(id) => self.contract_name(id),
            Atom::Enum(id) => self.enum_name(id),
            Atom::Value(id) => self.value_type_name(id),
            Atom::FixedPoint {
                is_signed,
                bits,
                digits,
            } => {
                let sign = if is_signed { "" } else { "u" };
                self.push(&format!("{sign}fixed{bits}x{digits}"));
            }
        }
    }
}
