//! Where the storage of contracts begins, and structs that only storage can
//! hold.

use lydite_core::Reject;

use super::Generator;
use super::options::Part;
use super::weights::Draw;
use crate::ast::{
    ContractId, ContractKind, Expression, ExpressionId, Member, Role, StorageBase, StructId, Type,
    TypeId, VariableId,
};
use crate::types::{Elementary, VALUES};
use crate::version::Feature;

/// The longest name of a place in storage.
const LETTERS: u64 = 20;

/// Contracts with more slots begin at the start.
const SLOTS: u64 = 1 << 30;

impl Generator<'_> {
    /// `layout at` of contracts that nobody inherits from.
    pub(super) fn lay_storage(&mut self) -> Result<(), Reject> {
        if !self.allows(Part::StorageLayout) || !self.has(Feature::StorageLayout) {
            return Ok(());
        }
        for number in 0..self.ast.contracts.len() as u32 {
            let id = ContractId(number);
            let mut others = self.ast.contracts.iter();
            let is_base = others.any(|other| other.bases.contains(&id));
            let is_whole = self.ast[id].kind == ContractKind::Contract;
            if is_whole && !is_base && self.often(Draw::StorageLayouts)? {
                let base = self.storage_base(id)?;
                self.ast.layouts.extend(base.map(|base| (id, base)));
            }
        }
        Ok(())
    }

    fn storage_base(&mut self, id: ContractId) -> Result<Option<StorageBase>, Reject> {
        let weights = [
            self.weight(Draw::LayoutSlots).max(1),
            self.weight(Draw::LayoutEnds),
            self.weight(Draw::LayoutNames) * u64::from(self.has(Feature::Erc7201)),
        ];
        Ok(Some(match self.choices.weighted(&weights)? {
            0 => StorageBase::Slot {
                power: self.choices.below(255)? as u8,
                plus: self.choices.below(1000)? as u32,
            },
            1 => {
                let slots = self.slots_in_storage(id);
                if slots > SLOTS {
                    return Ok(None);
                }
                let free = self.choices.between(1, 3)?;
                StorageBase::BeforeEnd((slots + free) as u32)
            }
            _ => StorageBase::Erc7201(self.choices.between(1, LETTERS)? as u8),
        }))
    }

    /// How many slots the state variables of a contract take, at most.
    fn slots_in_storage(&self, id: ContractId) -> u64 {
        let lineage = self.lineage(id);
        let members = lineage.iter().flat_map(|base| &self.ast[*base].members);
        let variables = members.filter_map(|member| match *member {
            Member::Variable(id) => Some(self.ast[id].kind),
            _ => None,
        });
        variables.fold(0, |sum: u64, kind| {
            sum.saturating_add(self.stored_slots(kind))
        })
    }

    /// A struct counts as one slot more than its fields, as the compiler has
    /// it; it holds itself only by way of what takes one slot.
    fn stored_slots(&self, kind: TypeId) -> u64 {
        match self.ast[kind] {
            Type::Array {
                element,
                length: Some(length),
            } => u64::from(length).saturating_mul(self.stored_slots(element)),
            Type::Struct(id) => {
                let fields = self.ast[id].fields.iter();
                let kinds = fields.map(|field| self.stored_slots(self.ast[*field].kind));
                kinds.fold(1, u64::saturating_add)
            }
            _ => 1,
        }
    }

    /// `erc7201("…")`
    pub(super) fn place_of_name(
        &mut self,
        kind: Elementary,
    ) -> Result<Option<ExpressionId>, Reject> {
        let usable = self.allows(Part::StorageLayout) && self.has(Feature::Erc7201);
        if !usable || kind != Elementary::UINT256 || self.frame.no_constants {
            return Ok(None);
        }
        let length = self.choices.between(1, LETTERS)? as u8;
        Ok(Some(self.expression(Expression::Erc7201(length))))
    }

    /// Sometimes a field more, of arrays or mappings of the struct itself.
    pub(super) fn own_field(&mut self, id: StructId) -> Result<Option<VariableId>, Reject> {
        if !self.allows(Part::RecursiveStructs) || !self.often(Draw::RecursiveStructs)? {
            return Ok(None);
        }
        let own = self.ast.add_type(Type::Struct(id));
        let kind = match self.percent(70)? {
            true => Type::Array {
                element: own,
                length: None,
            },
            false => {
                let key = self.pick_elementary(VALUES & !Elementary::PAYABLE.bit())?;
                let key = self.leaf_within(key, VALUES & !Elementary::PAYABLE.bit());
                Type::Mapping { key, value: own }
            }
        };
        let kind = self.ast.add_type(kind);
        Ok(Some(self.field(Role::Field(id), kind)))
    }
}
