//! Data types that stay open up to composite types: what the paper's figure 5 has for
//! the codomain of a data type.
//!
//! A program is drawn with elementary types under the witness. When it is finished, its
//! placeholders that nothing was asked of are opened further: a value may be of a
//! contract, an enum or a user-defined value type as well, and what has a location may be
//! an array, a struct or a mapping. Rules leave these out wherever an operator, a
//! literal or a conversion wants an elementary type.

use lydite_core::Reject;

use super::Generator;
use super::options::Part;
use crate::ast::{
    Atom, Composite, ContractId, ContractKind, EnumId, Item, Member, Role, StorageBase, StructId,
    Type, TypeId, VariableId,
};
use crate::qualify::Placeholder;
use crate::types::{
    ARRAYS, COMPOSITE_REFERENCES, COMPOSITE_VALUES, CONTRACTS, Domain, ENUMS, Elementary,
    FIXED_POINTS, MAPPINGS, REFERENCES, SEQUENCES, STRUCTS, USER_VALUES, VALUES, values,
};
use crate::version::Feature;

/// Elements of an array of a fixed length, at most.
const LENGTH: u64 = 5;
/// Digits of a fixed-point type, at most.
const DIGITS: u64 = 80;

impl Generator<'_> {
    /// Opens placeholders of data types up to composite types.
    pub(super) fn open_types(&mut self) -> Result<(), Reject> {
        if !self.allows(Part::OpenTypes) || self.options.is_known {
            return Ok(());
        }
        self.list_composites()?;
        let listed = self.ast.composites.keys();
        let listed = listed.fold(0, |set: Domain, number| set | 1 << number);
        for number in 0..self.ast.variables.len() {
            self.open_variable(VariableId(number as u32), listed);
        }
        Ok(())
    }

    /// The composite types that all files can name: those of the last file, which all
    /// others import, and arrays and mappings of them and of elementary types.
    fn list_composites(&mut self) -> Result<(), Reject> {
        let mut atoms = Vec::new();
        for item in self.ast.files.last().cloned().unwrap_or_default() {
            match item {
                Item::Enum(id) => self.list_enum(id, &mut atoms),
                Item::Struct(id) => self.list_struct(id),
                Item::ValueType(id) => self.list_atom(USER_VALUES, Atom::Value(id), &mut atoms),
                Item::Contract(id) => self.list_members(id, &mut atoms),
                Item::Function(_) | Item::Signal(_) | Item::Operator(..) => {}
            }
        }
        if self.allows(Part::FixedPoints) {
            for _ in 0..FIXED_POINTS.count_ones() {
                let atom = Atom::FixedPoint {
                    is_signed: self.choices.below(2)? == 0,
                    bits: 8 * self.choices.between(1, 32)? as u32,
                    digits: self.choices.between(0, DIGITS)? as u32,
                };
                self.list(FIXED_POINTS, Composite::Atom(atom));
            }
        }
        if self.allows(Part::Arrays) {
            for _ in 0..ARRAYS.count_ones() {
                let element = self.atom(&atoms)?;
                let length = match self.choices.below(2)? {
                    0 => None,
                    _ => Some(self.choices.between(1, LENGTH)? as u32),
                };
                self.list(ARRAYS, Composite::Array { element, length });
            }
        }
        // Before it has a location it is no parameter, and stands by itself alone.
        if self.allows(Part::Mappings) && self.has(Feature::Locations) {
            for _ in 0..MAPPINGS.count_ones() {
                let key = self.pick_elementary(VALUES & !Elementary::PAYABLE.bit())?;
                let value = self.atom(&atoms)?;
                self.list(MAPPINGS, Composite::Mapping { key, value });
            }
        }
        Ok(())
    }

    fn list_members(&mut self, id: ContractId, atoms: &mut Vec<Atom>) {
        if self.ast[id].kind != ContractKind::Library {
            self.list_atom(CONTRACTS, Atom::Contract(id), atoms);
        }
        for member in self.ast[id].members.clone() {
            match member {
                Member::Enum(id) => self.list_enum(id, atoms),
                Member::Struct(id) => self.list_struct(id),
                _ => {}
            }
        }
    }

    fn list_enum(&mut self, id: EnumId, atoms: &mut Vec<Atom>) {
        self.list_atom(ENUMS, Atom::Enum(id), atoms);
    }

    fn list_atom(&mut self, among: Domain, atom: Atom, atoms: &mut Vec<Atom>) {
        self.list(among, Composite::Atom(atom));
        atoms.push(atom);
    }

    /// A struct of values: it can stand wherever a text can.
    fn list_struct(&mut self, id: StructId) {
        let is_value = |kind: TypeId| match self.ast[kind] {
            Type::Elementary(own) => self.declared.domain(own) & !VALUES == 0,
            Type::Contract(_) | Type::Enum(_) | Type::Value(_) => true,
            Type::Array { .. } | Type::Mapping { .. } | Type::Struct(_) | Type::Function(_) => {
                false
            }
        };
        let mut fields = self.ast[id].fields.iter();
        if self.has(Feature::NestedCoding) && fields.all(|&field| is_value(self.ast[field].kind)) {
            self.list(STRUCTS, Composite::Struct(id));
        }
    }

    /// Gives a type the next free number of a set, if there is one.
    fn list(&mut self, among: Domain, composite: Composite) {
        let known = &mut self.ast.composites;
        if known.values().any(|other| *other == composite) {
            return;
        }
        if let Some(number) = values(among).find(|number| !known.contains_key(number)) {
            known.insert(number, composite);
        }
    }

    fn atom(&mut self, atoms: &[Atom]) -> Result<Atom, Reject> {
        if !atoms.is_empty() && self.choices.below(2)? == 0 {
            return Ok(*self.choices.pick(atoms)?);
        }
        Ok(Atom::Elementary(self.pick_elementary(VALUES)?))
    }

    fn open_variable(&mut self, id: VariableId, listed: Domain) {
        let variable = &self.ast[id];
        let (kind, role) = (variable.kind, variable.role);
        if let Type::Elementary(own) = self.ast[kind] {
            self.open_further(own, VALUES, COMPOSITE_VALUES & listed);
            let located = matches!(role, Role::Parameter | Role::Result | Role::Local);
            let stored = matches!(role, Role::State(_)) && !self.is_given(id);
            if located || stored && !self.is_short_of_storage() {
                self.open_further(own, SEQUENCES, COMPOSITE_REFERENCES & listed);
            }
            return;
        }
        let mut inner = kind;
        while let Some(element) = self.ast[inner].element() {
            inner = element;
        }
        if let Type::Elementary(own) = self.ast[inner] {
            self.open_further(own, VALUES, COMPOSITE_VALUES & listed);
        }
    }

    /// True if storage begins so near its end that nothing may take more of it than
    /// under the witness.
    fn is_short_of_storage(&self) -> bool {
        let mut bases = self.ast.layouts.values();
        bases.any(|base| matches!(base, StorageBase::BeforeEnd(_)))
    }

    /// True if a state variable may be more than stored.
    fn is_given(&self, id: VariableId) -> bool {
        self.ast.persistences.contains_key(&id)
    }

    /// Opens a placeholder that may be all of `usual`, up to `more`.
    fn open_further(&mut self, own: Placeholder, usual: Domain, more: Domain) {
        let domain = self.declared.domain(own);
        let needed = usual & self.types & !Elementary::PAYABLE.bit();
        let is_open = domain & (VALUES | REFERENCES) & !usual == 0 && needed & !domain == 0;
        if is_open {
            self.declared.set_domain(own, domain | more);
        }
    }
}
