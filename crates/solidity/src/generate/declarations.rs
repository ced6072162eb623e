//! The context: files, contracts and their members, then the bodies of
//! functions.
//!
//! Things are made in an order in which each needs only what was made before
//! it, so that the earlier ones can stand in a file of their own that imports
//! nothing.

use lydite_core::Reject;

use super::options::Part;
use super::persistence::{CHANGING, GIVEN};
use super::types::Standing;
use super::weights::Draw;
use super::{Frame, Generator, Intent};
use crate::ast::{
    Contract, ContractId, ContractKind, Enum, EnumId, Expression, ExpressionId, Imports,
    Invocation, Item, Member, Modifier, ModifierId, Owner, Role, Signal, SignalId, Statement,
    Struct, StructId, TypeId, UnaryOp, ValueType, ValueTypeId, Variable, VariableId,
};
use crate::qualify::Kind;
use crate::types::{BOOLS, Domain, Elementary, FIXED, Location, NUMBERS, Persistence};
use crate::version::Feature;

/// Types whose literals are of the type that they are assigned to.
const LITERAL: Domain = BOOLS | NUMBERS;
/// Value types that have literals in every version.
pub(super) const SIMPLE: Domain = LITERAL | FIXED | Elementary::ADDRESS.bit();

impl Generator<'_> {
    /// Everything.
    pub(super) fn program(&mut self) -> Result<(), Reject> {
        let mut items = Vec::new();
        self.file_types(&mut items)?;
        self.operators(&mut items)?;
        if self.allows(Part::FileFunctions)
            && self.has(Feature::FileFunctions)
            && self.often(Draw::FileFunctions)?
        {
            let function = self.signature(None)?;
            items.push(Item::Function(function));
            self.body(function)?;
        }
        if self.allows(Part::Libraries) && self.often(Draw::Libraries)? {
            items.push(Item::Contract(self.library()?));
        }
        if self.allows(Part::Inheritance) && self.often(Draw::Interfaces)? {
            items.push(Item::Contract(self.interface()?));
        }
        for _ in 0..self.options.contracts {
            items.push(Item::Contract(self.contract()?));
        }
        self.ast.smt_checker = self.allows(Part::Smt);
        self.ast.imports = self.imports()?;
        self.divide(items)?;
        self.overload()?;
        self.shadow()?;
        self.settle_persistences();
        self.parentheses()?;
        self.lay_storage()?;
        self.open_types()
    }

    /// Parentheses where none are needed.
    fn parentheses(&mut self) -> Result<(), Reject> {
        for number in 0..self.ast.expressions.len() {
            let id = ExpressionId(number as u32);
            let fits = match self.ast[id] {
                // It has no value.
                Expression::Unary { op, .. } => op != UnaryOp::Delete,
                Expression::Variable(_)
                | Expression::Literal(_)
                | Expression::Index { .. }
                | Expression::Member { .. }
                | Expression::Binary { .. }
                | Expression::Conditional { .. } => true,
                _ => false,
            };
            if fits && self.often(Draw::Parentheses)? {
                self.ast.parenthesized.insert(id);
            }
        }
        Ok(())
    }

    fn imports(&mut self) -> Result<Imports, Reject> {
        let renamed = 2 * u64::from(self.allows(Part::Modules));
        let modules = renamed * u64::from(self.can_name_bases());
        let weights = [5, 4, renamed, modules];
        let all = [
            Imports::All,
            Imports::Named,
            Imports::Renamed,
            Imports::Module,
        ];
        Ok(all[self.choices.weighted(&weights)?])
    }

    /// True unless a constructor names a base and this version wants one word
    /// there.
    fn can_name_bases(&self) -> bool {
        let mut invoked = self.ast.functions.iter().flat_map(|own| &own.modifiers);
        self.has(Feature::BasePaths)
            || !invoked.any(|(invocation, _)| matches!(invocation, Invocation::Base(_)))
    }

    /// Puts the items into files, the earliest into the last one.
    fn divide(&mut self, items: Vec<Item>) -> Result<(), Reject> {
        // What is global to a type stands in the file of the type.
        let bound = items.iter().any(|item| matches!(item, Item::Operator(..)));
        let several =
            self.allows(Part::Files) && items.len() > 1 && self.options.files > 1 && !bound;
        if !several || !self.often(Draw::Files)? {
            self.ast.files = vec![items];
            return Ok(());
        }
        let many = self.choices.between(2, u64::from(self.options.files))? as usize;
        let each = items.len().div_ceil(many);
        let mut files: Vec<Vec<Item>> = items.chunks(each).map(<[Item]>::to_vec).collect();
        files.reverse();
        self.ast.files = files;
        Ok(())
    }

    fn file_types(&mut self, items: &mut Vec<Item>) -> Result<(), Reject> {
        let inside = self.has(Feature::FileStructs);
        if inside && self.allows(Part::Enums) && self.often(Draw::FileEnums)? {
            items.push(Item::Enum(self.enumeration(None)?));
        }
        if self.allows(Part::ValueTypes)
            && self.has(Feature::ValueTypes)
            && self.often(Draw::ValueTypes)?
        {
            let kind = self.pick_elementary(self.values_only() & !Elementary::PAYABLE.bit())?;
            let domain = self.values_only() & !Elementary::PAYABLE.bit();
            let underlying = self.declare(Kind::Type, domain, kind.number());
            self.ast.value_types.push(ValueType { underlying });
            let id = ValueTypeId(self.ast.value_types.len() as u32 - 1);
            items.push(Item::ValueType(id));
        }
        if inside && self.allows(Part::Structs) && self.often(Draw::FileStructs)? {
            items.push(Item::Struct(self.structure(None)?));
        }
        if self.allows(Part::Errors) && self.has(Feature::Errors) && self.often(Draw::FileErrors)? {
            items.push(Item::Signal(self.signal(None, true)?));
        }
        if self.allows(Part::Events)
            && self.has(Feature::FileEvents)
            && self.often(Draw::FileEvents)?
        {
            items.push(Item::Signal(self.signal(None, false)?));
        }
        Ok(())
    }

    fn enumeration(&mut self, contract: Option<ContractId>) -> Result<EnumId, Reject> {
        let members = self.choices.between(1, 4)? as u8;
        self.ast.enums.push(Enum { contract, members });
        Ok(EnumId(self.ast.enums.len() as u32 - 1))
    }

    fn structure(&mut self, contract: Option<ContractId>) -> Result<StructId, Reject> {
        let depth = 1 + u32::from(self.allows(Part::NestedFields));
        let mut kinds = Vec::new();
        for _ in 0..self.choices.between(1, 3)? {
            kinds.push(self.new_type(Standing::Inner, depth)?);
        }
        let id = StructId(self.ast.structs.len() as u32);
        let fields = kinds.into_iter();
        let mut fields: Vec<VariableId> = fields
            .map(|kind| self.field(Role::Field(id), kind))
            .collect();
        fields.extend(self.own_field(id)?);
        self.ast.structs.push(Struct { contract, fields });
        Ok(id)
    }

    /// A variable without qualifiers besides its type.
    pub(super) fn field(&mut self, role: Role, kind: TypeId) -> VariableId {
        self.ast.add_variable(Variable {
            role,
            kind,
            location: None,
            visibility: None,
            value: None,
        })
    }

    fn signal(&mut self, contract: Option<ContractId>, is_error: bool) -> Result<SignalId, Reject> {
        let mut parameters = Vec::new();
        for _ in 0..self.choices.between(0, 3)? {
            let kind = self.new_type(Standing::Inner, 1)?;
            let plain = self.has(Feature::IndexedReferences) || !self.is_reference(kind);
            let indexed = !is_error && plain && self.often(Draw::Indexed)?;
            parameters.push(self.field(Role::Signal { indexed }, kind));
        }
        self.ast.signals.push(Signal {
            is_error,
            contract,
            parameters,
        });
        let id = SignalId(self.ast.signals.len() as u32 - 1);
        if !is_error && self.allows(Part::Anonymous) && self.often(Draw::Anonymous)? {
            self.ast.anonymous.push(id);
        }
        Ok(id)
    }

    fn new_contract(&mut self, kind: ContractKind) -> ContractId {
        self.ast.contracts.push(Contract {
            kind,
            bases: Vec::new(),
            using: Vec::new(),
            members: Vec::new(),
        });
        ContractId(self.ast.contracts.len() as u32 - 1)
    }

    fn library(&mut self) -> Result<ContractId, Reject> {
        let id = self.new_contract(ContractKind::Library);
        self.frame.contract = Some(id);
        for _ in 0..self.choices.between(1, 2)? {
            let function = self.signature(Some(id))?;
            self.ast[id].members.push(Member::Function(function));
            self.body(function)?;
        }
        self.frame.contract = None;
        Ok(id)
    }

    fn interface(&mut self) -> Result<ContractId, Reject> {
        let id = self.new_contract(ContractKind::Interface);
        self.frame.contract = Some(id);
        for _ in 0..self.choices.between(1, 2)? {
            let function = self.signature(Some(id))?;
            self.ast[function].is_virtual = false;
            self.ast[id].members.push(Member::Function(function));
        }
        self.frame.contract = None;
        Ok(id)
    }

    fn contract(&mut self) -> Result<ContractId, Reject> {
        let inherits = self.inherits();
        let kind = match inherits && self.often(Draw::Abstracts)? {
            true => ContractKind::Abstract,
            false => ContractKind::Contract,
        };
        let id = self.new_contract(kind);
        self.frame = Frame::initializer();
        self.frame.contract = Some(id);
        if inherits && self.often(Draw::Bases)? {
            self.inherit(id)?;
        }
        for number in 0..self.ast.contracts.len() as u32 {
            let library = ContractId(number);
            if self.ast[library].kind == ContractKind::Library && self.often(Draw::Using)? {
                self.ast[id].using.push(library);
            }
        }
        self.members(id)?;
        let functions = self.functions(id)?;
        for function in functions {
            self.body(function)?;
        }
        self.frame = Frame::initializer();
        Ok(id)
    }

    /// Everything but functions.
    fn members(&mut self, id: ContractId) -> Result<(), Reject> {
        if self.allows(Part::Enums) && self.often(Draw::Enums)? {
            let member = Member::Enum(self.enumeration(Some(id))?);
            self.ast[id].members.push(member);
        }
        if self.allows(Part::Structs) && self.often(Draw::Structs)? {
            let member = Member::Struct(self.structure(Some(id))?);
            self.ast[id].members.push(member);
        }
        if self.allows(Part::Events) && self.often(Draw::Events)? {
            let member = Member::Signal(self.signal(Some(id), false)?);
            self.ast[id].members.push(member);
        }
        if self.allows(Part::Errors) && self.has(Feature::Errors) && self.often(Draw::Errors)? {
            let member = Member::Signal(self.signal(Some(id), true)?);
            self.ast[id].members.push(member);
        }
        for _ in 0..self.options.variables {
            self.member_variable(id)?;
        }
        if self.allows(Part::Modifiers) && self.often(Draw::Modifiers)? {
            let member = Member::Modifier(self.modifier(id)?);
            self.ast[id].members.push(member);
        }
        Ok(())
    }

    fn member_variable(&mut self, contract: ContractId) -> Result<(), Reject> {
        let special = self.allows(Part::Constants) && self.often(Draw::Constants)?;
        if special {
            let rows = [
                (
                    Role::Constant(contract),
                    self.weight(Draw::ConstantVariables),
                ),
                (
                    Role::Immutable(contract),
                    self.weight(Draw::ImmutableVariables) * u64::from(self.has(Feature::Immutable)),
                ),
                (
                    Role::Transient(contract),
                    self.weight(Draw::TransientVariables) * u64::from(self.has(Feature::Transient)),
                ),
            ];
            let mut weights = rows.map(|(_, weight)| weight);
            if weights.iter().all(|weight| *weight == 0) {
                weights[0] = 1;
            }
            let (role, _) = rows[self.choices.weighted(&weights)?];
            let kind = self.pick_elementary(LITERAL)?;
            let open = self.leaf(kind);
            let variable = self.add_state_variable(contract, open);
            self.ast[variable].role = role;
            match role {
                Role::Transient(_) => {
                    self.open_persistence(variable, Persistence::Transient, CHANGING)
                }
                _ => self.first_value(variable, kind)?,
            }
            return Ok(());
        }
        let kind = self.new_type(Standing::State, 2)?;
        let variable = self.add_state_variable(contract, kind);
        if let Some(own) = self.elementary_of(kind)
            && self.often(Draw::FirstValues)?
        {
            let kind = self.witness_type(own);
            self.first_value(variable, kind)?;
        }
        Ok(())
    }

    fn first_value(&mut self, variable: VariableId, kind: Elementary) -> Result<(), Reject> {
        let owner = std::mem::replace(&mut self.frame.owner, Owner::Initializer);
        let value = self.literal(kind, Location::Memory.bit(), true);
        self.frame.owner = owner;
        self.ast[variable].value = value?;
        // Not every type has literals.
        if self.ast[variable].value.is_none() {
            return Ok(());
        }
        let persistence = match self.ast[variable].role {
            Role::Constant(_) => Persistence::Constant,
            Role::Immutable(_) => Persistence::Immutable,
            _ => Persistence::Stored,
        };
        self.open_persistence(variable, persistence, GIVEN);
        Ok(())
    }

    pub(super) fn intent(&mut self) -> Result<Intent, Reject> {
        let intents = [Intent::Write, Intent::View, Intent::Pure];
        let weights = [
            self.weight(Draw::Writers).max(1),
            self.weight(Draw::Viewers),
            self.weight(Draw::Pures),
        ];
        Ok(intents[self.choices.weighted(&weights)?])
    }

    fn modifier(&mut self, contract: ContractId) -> Result<ModifierId, Reject> {
        let id = ModifierId(self.ast.modifiers.len() as u32);
        let mut parameters = Vec::new();
        for _ in 0..self.choices.between(0, 2)? {
            let kind = self.pick_elementary(SIMPLE)?;
            let kind = self.leaf(kind);
            parameters.push(self.frame_variable(Role::Parameter, kind, Location::Memory));
        }
        let intent = self.intent()?;
        self.ast.modifiers.push(Modifier {
            contract,
            parameters: parameters.clone(),
            body: Vec::new(),
        });
        self.modifier_intents.push(intent);
        self.frame = Frame {
            owner: Owner::Modifier(id),
            contract: Some(contract),
            intent,
            slots: parameters.len() as u32 + self.options.slots.saturating_sub(4),
            scope: parameters,
            statements: self.options.statements / 2,
            ..Frame::initializer()
        };
        let mut body = self.block(1)?;
        let underscore = self.statement(Statement::Underscore);
        let at = self.choices.index(body.len() + 1)?;
        body.insert(body.len() - at, underscore);
        self.ast[id].body = body;
        self.frame = Frame::initializer();
        self.frame.contract = Some(contract);
        Ok(id)
    }
}
