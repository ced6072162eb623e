//! Declarations: every name gets its number before any body is read.

use std::collections::{BTreeMap, BTreeSet};

use super::tree::{Declared, Kind, Part, Routine, Tree, Unit};
use super::{Reading, Unread};
use crate::ast::{
    Contract, ContractId, ContractKind, Enum, EnumId, Function, FunctionId, FunctionName, Item,
    Member, Modifier, ModifierId, Owner, Role, Signal, SignalId, Struct, StructId, Type, TypeId,
    ValueType, ValueTypeId, VariableId,
};
use crate::generate::Stage;
use crate::interpret::abi_name;
use crate::types::{Elementary, Location, Mutability, Visibility};
use crate::typing::{Form, TypedForm, extend_forms};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Contract(ContractId),
    Struct(StructId),
    Enum(EnumId),
    ValueType(ValueTypeId),
    Signal(SignalId),
    Modifier(ModifierId),
    Function(FunctionId),
    Variable(VariableId),
}

/// A program that is being read.
pub(super) struct Reader {
    pub stage: Stage,
    typed: Vec<TypedForm>,
    /// What stands in a contract, or in none, by name.
    names: BTreeMap<(Option<ContractId>, String), Vec<Named>>,
    /// Names of functions with their types, and their numbers.
    numbers: BTreeMap<(String, String), u32>,
    pub members: BTreeMap<EnumId, Vec<String>>,
    /// Local variables, outermost block first.
    pub scopes: Vec<BTreeMap<String, VariableId>>,
    pub contract: Option<ContractId>,
    /// Functions whose bodies were read.
    pub seen: BTreeSet<FunctionId>,
}

pub(super) const NAMELESS: Unread = Unread("a name without a declaration");

/// The longest array of fixed length.
const LENGTH: u32 = 10_000;

impl Reader {
    pub(super) fn new() -> Reader {
        let mut stage = Stage::new();
        stage.ast.contracts.clear();
        stage.ast.files = vec![Vec::new()];
        Reader {
            stage,
            typed: Vec::new(),
            names: BTreeMap::new(),
            numbers: BTreeMap::new(),
            members: BTreeMap::new(),
            scopes: Vec::new(),
            contract: None,
            seen: BTreeSet::new(),
        }
    }

    /// The type of an expression.
    pub(super) fn form(&mut self, id: crate::ast::ExpressionId) -> Form {
        extend_forms(self.stage.types(), &mut self.typed);
        self.typed[id.0 as usize].form.clone()
    }

    pub(super) fn program(mut self, parts: &[Part]) -> Result<Reading, Unread> {
        for part in parts {
            if let Part::Contract(unit) = part {
                self.begin(unit)?;
            }
        }
        self.each(parts, Self::type_names)?;
        self.each(parts, Self::types)?;
        self.each(parts, Self::signatures)?;
        self.each(parts, Self::bodies)?;
        self.finish()
    }

    /// Does something for the file, and for each contract in it.
    fn each<'p>(
        &mut self,
        parts: &'p [Part],
        mut run: impl FnMut(&mut Self, &'p [Part]) -> Result<(), Unread>,
    ) -> Result<(), Unread> {
        let mut number = 0;
        self.contract = None;
        run(self, parts)?;
        for part in parts {
            if let Part::Contract(unit) = part {
                self.contract = Some(ContractId(number));
                number += 1;
                run(self, &unit.parts)?;
            }
        }
        self.contract = None;
        Ok(())
    }

    fn finish(self) -> Result<Reading, Unread> {
        let mut reading = Reading {
            ast: self.stage.ast,
            values: self.stage.values,
            contracts: BTreeMap::new(),
            functions: BTreeMap::new(),
            variables: BTreeMap::new(),
            signals: BTreeMap::new(),
        };
        for ((_, name), named) in self.names {
            for named in named {
                let name = name.clone();
                match named {
                    Named::Contract(id) => drop(reading.contracts.insert(id, name)),
                    Named::Function(id) => drop(reading.functions.insert(id, name)),
                    Named::Variable(id) => drop(reading.variables.insert(id, name)),
                    Named::Signal(id) => drop(reading.signals.insert(id, name)),
                    _ => {}
                }
            }
        }
        Ok(reading)
    }

    fn enter(&mut self, name: &str, named: Named) {
        let key = (self.contract, name.to_string());
        self.names.entry(key).or_default().push(named);
    }

    /// Puts something into the contract that is read, or into the file.
    fn place(&mut self, member: Option<Member>, item: Option<Item>) -> Result<(), Unread> {
        match (self.contract, member, item) {
            (Some(contract), Some(member), _) => self.stage.ast[contract].members.push(member),
            (None, _, Some(item)) => self.stage.ast.files[0].push(item),
            _ => return Err(Unread("something in a place where it cannot stand")),
        }
        Ok(())
    }

    fn begin(&mut self, unit: &Unit) -> Result<(), Unread> {
        let id = ContractId(self.stage.ast.contracts.len() as u32);
        let kind = match unit.sort.as_str() {
            "abstract" => ContractKind::Abstract,
            "interface" => ContractKind::Interface,
            "library" => ContractKind::Library,
            _ => ContractKind::Contract,
        };
        let mut bases = Vec::new();
        for base in &unit.bases {
            match self.look_up(base)?.first() {
                Some(Named::Contract(base)) => bases.push(*base),
                _ => return Err(Unread("a base that comes later")),
            }
        }
        self.stage.ast.contracts.push(Contract {
            kind,
            bases,
            using: Vec::new(),
            members: Vec::new(),
        });
        self.place(None, Some(Item::Contract(id)))?;
        self.enter(&unit.name, Named::Contract(id));
        Ok(())
    }

    /// What a name with its prefixes stands for, nearest first.
    pub(super) fn look_up(&self, path: &[String]) -> Result<Vec<Named>, Unread> {
        let (name, prefix) = path.split_last().ok_or(NAMELESS)?;
        let line = match prefix {
            [] => self.contract.map(|at| self.stage.ast.lineage(at)),
            prefix => match self.look_up(prefix)?.first() {
                Some(Named::Contract(id)) => Some(self.stage.ast.lineage(*id)),
                _ => return Err(NAMELESS),
            },
        };
        let inner = line.into_iter().flatten().map(Some);
        let outer = prefix.is_empty().then_some(None);
        let mut found = Vec::new();
        for scope in inner.chain(outer) {
            if let Some(named) = self.names.get(&(scope, name.clone())) {
                found.extend(named);
            }
        }
        match found.is_empty() {
            true => Err(NAMELESS),
            false => Ok(found),
        }
    }

    fn type_names(&mut self, parts: &[Part]) -> Result<(), Unread> {
        let contract = self.contract;
        for part in parts {
            match part {
                Part::Struct(name, _) => {
                    let id = StructId(self.stage.ast.structs.len() as u32);
                    let fields = Vec::new();
                    self.stage.ast.structs.push(Struct { contract, fields });
                    self.place(Some(Member::Struct(id)), Some(Item::Struct(id)))?;
                    self.enter(name, Named::Struct(id));
                }
                Part::Enum(name, members) => {
                    let id = EnumId(self.stage.ast.enums.len() as u32);
                    let count = u8::try_from(members.len()).map_err(|_| Unread("a large enum"))?;
                    let members_of = Enum {
                        contract,
                        members: count,
                    };
                    self.stage.ast.enums.push(members_of);
                    self.members.insert(id, members.clone());
                    self.place(Some(Member::Enum(id)), Some(Item::Enum(id)))?;
                    self.enter(name, Named::Enum(id));
                }
                Part::ValueType(name, Kind::Path(path)) => {
                    let id = ValueTypeId(self.stage.ast.value_types.len() as u32);
                    let kind = elementary(&path[0]).ok_or(NAMELESS)?;
                    let Type::Elementary(underlying) = self.stage.ast[Stage::kind(kind)] else {
                        return Err(NAMELESS);
                    };
                    self.stage.ast.value_types.push(ValueType { underlying });
                    self.place(None, Some(Item::ValueType(id)))?;
                    self.enter(name, Named::ValueType(id));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Fields of structs, events and errors.
    fn types(&mut self, parts: &[Part]) -> Result<(), Unread> {
        for part in parts {
            match part {
                Part::Struct(name, fields) => {
                    let path = [name.clone()];
                    let Some(Named::Struct(id)) = self.look_up(&path)?.first().copied() else {
                        return Err(NAMELESS);
                    };
                    for field in fields {
                        let variable = self.variable(Role::Field(id), field)?;
                        self.enter_field(id, &field.name, variable);
                    }
                }
                Part::Signal {
                    is_error,
                    name,
                    parameters,
                    anonymous,
                } => self.signal(*is_error, name, parameters, *anonymous)?,
                Part::Using(library) => {
                    let found = self.look_up(library)?.first().copied();
                    let (Some(Named::Contract(library)), Some(contract)) = (found, self.contract)
                    else {
                        return Err(Unread("functions attached in a file"));
                    };
                    self.stage.ast[contract].using.push(library);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn enter_field(&mut self, id: StructId, name: &str, variable: VariableId) {
        self.stage.ast[id].fields.push(variable);
        // No name of a program has a space in it.
        let key = (None, format!("{} {name}", id.0));
        self.names
            .entry(key)
            .or_default()
            .push(Named::Variable(variable));
    }

    /// The field of a struct of that name.
    pub(super) fn field(&self, id: StructId, name: &str) -> Result<VariableId, Unread> {
        let found = self.names.get(&(None, format!("{} {name}", id.0)));
        match found.and_then(|named| named.first()) {
            Some(Named::Variable(variable)) => Ok(*variable),
            _ => Err(NAMELESS),
        }
    }

    fn signal(
        &mut self,
        is_error: bool,
        name: &str,
        parameters: &[Declared],
        anonymous: bool,
    ) -> Result<(), Unread> {
        let mut variables = Vec::new();
        for parameter in parameters {
            let indexed = parameter.words.iter().any(|word| word == "indexed");
            variables.push(self.variable(Role::Signal { indexed }, parameter)?);
        }
        let id = SignalId(self.stage.ast.signals.len() as u32);
        self.stage.ast.signals.push(Signal {
            is_error,
            contract: self.contract,
            parameters: variables,
        });
        if anonymous {
            self.stage.ast.anonymous.push(id);
        }
        self.place(Some(Member::Signal(id)), Some(Item::Signal(id)))?;
        self.enter(name, Named::Signal(id));
        Ok(())
    }

    fn signatures(&mut self, parts: &[Part]) -> Result<(), Unread> {
        for part in parts {
            match part {
                Part::Variable(declared) => {
                    let contract = self.contract.ok_or(Unread("a constant of a file"))?;
                    let has = |word: &str| declared.words.iter().any(|own| own == word);
                    if has("override") {
                        return Err(Unread("a variable that overrides a function"));
                    }
                    let role = match (has("constant"), has("immutable"), has("transient")) {
                        (true, ..) => Role::Constant(contract),
                        (_, true, _) => Role::Immutable(contract),
                        (.., true) => Role::Transient(contract),
                        _ => Role::State(contract),
                    };
                    let id = self.variable(role, declared)?;
                    self.stage.ast[id].visibility = visibility(&declared.words);
                    self.place(Some(Member::Variable(id)), None)?;
                    self.enter(&declared.name, Named::Variable(id));
                }
                Part::Routine(routine) if routine.sort == "modifier" => self.modifier(routine)?,
                Part::Routine(routine) => self.function(routine)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn modifier(&mut self, routine: &Routine) -> Result<(), Unread> {
        let contract = self.contract.ok_or(NAMELESS)?;
        if routine.body.is_none() || !routine.words.is_empty() {
            return Err(Unread("a virtual modifier"));
        }
        let parameters = self.variables(Role::Parameter, &routine.parameters)?;
        let id = ModifierId(self.stage.ast.modifiers.len() as u32);
        self.stage.ast.modifiers.push(Modifier {
            contract,
            parameters,
            body: Vec::new(),
        });
        self.place(Some(Member::Modifier(id)), None)?;
        self.enter(&routine.name, Named::Modifier(id));
        Ok(())
    }

    fn function(&mut self, routine: &Routine) -> Result<(), Unread> {
        let id = FunctionId(self.stage.ast.functions.len() as u32);
        let parameters = self.variables(Role::Parameter, &routine.parameters)?;
        let results = self.variables(Role::Result, &routine.results)?;
        let has = |word: &str| routine.words.iter().any(|own| own == word);
        let name = match routine.sort.as_str() {
            "constructor" => FunctionName::Constructor,
            "function" => {
                FunctionName::Named(self.function_number(routine, &parameters, has("private")))
            }
            _ => return Err(Unread("receive or fallback")),
        };
        self.stage.ast.functions.push(Function {
            name,
            contract: self.contract,
            parameters,
            results,
            visibility: visibility(&routine.words),
            mutability: mutability(&routine.words),
            modifiers: Vec::new(),
            is_virtual: has("virtual"),
            is_override: has("override"),
            body: None,
        });
        self.place(Some(Member::Function(id)), Some(Item::Function(id)))?;
        self.enter(&routine.name, Named::Function(id));
        Ok(())
    }

    /// Functions of one name and the same parameters share a number.
    fn function_number(
        &mut self,
        routine: &Routine,
        parameters: &[VariableId],
        is_private: bool,
    ) -> u32 {
        let types = self.stage.types();
        let names = parameters.iter().map(|id| {
            let kind = types.ast[*id].kind;
            abi_name(types, kind).unwrap_or_else(|| format!("{:?}", types.ast[kind]))
        });
        let mut types: String = names.collect::<Vec<_>>().join(",");
        if is_private {
            types += &format!(" of {:?}", self.contract);
        }
        let next = self.numbers.len() as u32;
        *self
            .numbers
            .entry((routine.name.clone(), types))
            .or_insert(next)
    }

    fn variables(&mut self, role: Role, all: &[Declared]) -> Result<Vec<VariableId>, Unread> {
        all.iter().map(|one| self.variable(role, one)).collect()
    }

    /// A variable, not yet in any scope.
    pub(super) fn variable(
        &mut self,
        role: Role,
        declared: &Declared,
    ) -> Result<VariableId, Unread> {
        let mut kind = self.kind(&declared.kind)?;
        let has = |word: &str| declared.words.iter().any(|own| own == word);
        if kind == Stage::kind(Elementary::ADDRESS) && has("payable") {
            kind = Stage::kind(Elementary::PAYABLE);
        }
        let location = match (has("storage"), has("calldata")) {
            (true, _) => Location::Storage,
            (_, true) => Location::Calldata,
            _ => Location::Memory,
        };
        Ok(match role {
            Role::Parameter | Role::Result | Role::Local => {
                self.stage.located(role, kind, location)
            }
            _ => self.stage.field(role, kind),
        })
    }

    pub(super) fn kind(&mut self, kind: &Kind) -> Result<TypeId, Unread> {
        let made = match kind {
            Kind::Path(path) => {
                if let ([name], Some(kind)) = (&path[..], elementary(&path[0])) {
                    let _ = name;
                    return Ok(Stage::kind(kind));
                }
                match self.look_up(path)?.first() {
                    Some(Named::Contract(id)) => Type::Contract(*id),
                    Some(Named::Struct(id)) => Type::Struct(*id),
                    Some(Named::Enum(id)) => Type::Enum(*id),
                    Some(Named::ValueType(id)) => Type::Value(*id),
                    _ => return Err(NAMELESS),
                }
            }
            Kind::Array(element, length) => {
                let element = self.kind(element)?;
                let length = match length {
                    None => None,
                    Some(length) => {
                        let length = self.constant(length);
                        let length = length.and_then(|length| u32::try_from(&length).ok());
                        let length = length.filter(|length| *length <= LENGTH);
                        Some(length.ok_or(Unread("the length of an array"))?)
                    }
                };
                Type::Array { element, length }
            }
            Kind::Mapping(key, value) => {
                let (key, value) = (self.kind(key)?, self.kind(value)?);
                Type::Mapping { key, value }
            }
        };
        // The same type has the same number, so that forms can be compared.
        let known = self.stage.ast.types.iter().position(|known| *known == made);
        Ok(match known {
            Some(at) => TypeId(at as u32),
            None => self.stage.ast.add_type(made),
        })
    }

    fn bodies(&mut self, parts: &[Part]) -> Result<(), Unread> {
        for part in parts {
            match part {
                Part::Variable(declared) => {
                    let Some(value) = &declared.value else {
                        continue;
                    };
                    let path = [declared.name.clone()];
                    let Some(Named::Variable(id)) = self.look_up(&path)?.first().copied() else {
                        return Err(NAMELESS);
                    };
                    self.stage.owner = Owner::Initializer;
                    let value = self.expression(value)?;
                    self.stage.ast[id].value = Some(value);
                }
                Part::Routine(routine) => self.routine_body(routine)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The number that an expression of numbers alone stands for.
    pub(super) fn constant(&self, tree: &Tree) -> Option<dashu_int::IBig> {
        super::resolve::constant(tree)
    }

    /// The own declaration of a routine, by the order of its parts.
    pub(super) fn own(&self, name: &str) -> Vec<Named> {
        let key = (self.contract, name.to_string());
        self.names.get(&key).cloned().unwrap_or_default()
    }

    /// What a name stands for in a contract itself.
    pub(super) fn own_of(&self, contract: ContractId, name: &str) -> Vec<Named> {
        let key = (Some(contract), name.to_string());
        self.names.get(&key).cloned().unwrap_or_default()
    }
}

fn visibility(words: &[String]) -> Option<crate::qualify::Placeholder> {
    let found = Visibility::ALL
        .iter()
        .find(|known| words.iter().any(|word| word == known.word()));
    found.map(|visibility| Stage::visibility(*visibility))
}

fn mutability(words: &[String]) -> Option<crate::qualify::Placeholder> {
    let known = [Mutability::Pure, Mutability::View, Mutability::Payable];
    let found = known
        .iter()
        .find(|known| words.iter().any(|word| word == known.word()));
    found.map(|mutability| Stage::mutability(*mutability))
}

/// The elementary type of that name.
pub(super) fn elementary(name: &str) -> Option<Elementary> {
    match name {
        "uint" => Some(Elementary::UINT256),
        "int" => Some(Elementary::int(256)),
        "byte" => Some(Elementary::fixed_bytes(1)),
        "payable" => Some(Elementary::PAYABLE),
        name => Elementary::all().find(|kind| kind.name() == name),
    }
}
