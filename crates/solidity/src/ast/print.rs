//! From a program to its text: pragmas, contracts and their members.
//!
//! Names are made of numbers (`C0`, `f3`, `v12`); what is nested in
//! expressions and statements is laid out by [`super::statements`].

use super::layout::{Hole, Layout};
use super::statements::{Task, letters};
use super::{
    Ast, ContractId, ContractKind, EnumId, Function, FunctionId, FunctionName, Imports, Invocation,
    Item, Member, ModifierId, Role, SignalId, StorageBase, StructId, Type, TypeId, ValueTypeId,
    VariableId,
};
use crate::version::{Dialect, Feature};

/// Slots at the beginning of storage that belong to what lies across its end.
const BEHIND_END: u32 = 16;

/// The text of a program in a dialect, with gaps for its qualifiers.
pub fn lay_out(ast: &Ast, dialect: &Dialect) -> Layout {
    let mut printer = Printer {
        ast,
        dialect,
        layout: Layout::default(),
        contract: None,
        foreign: Vec::new(),
        tasks: Vec::new(),
    };
    for number in 0..ast.files.len() {
        printer.file(number);
    }
    printer.layout
}

pub(super) struct Printer<'a> {
    pub(super) ast: &'a Ast,
    pub(super) dialect: &'a Dialect,
    pub(super) layout: Layout,
    /// The contract that is being printed: its own names need no prefix.
    contract: Option<ContractId>,
    /// What stands in other files and has another name here, with its file.
    foreign: Vec<(Item, usize)>,
    pub(super) tasks: Vec<Task<'a>>,
}

impl<'a> Printer<'a> {
    pub(super) fn push(&mut self, text: &str) {
        self.layout.push(text);
    }

    /// A name: a letter and a number. Several functions may share one, and a
    /// variable may have that of another.
    pub(super) fn name(&mut self, letter: &str, number: u32) {
        let number = match letter {
            "f" => self.ast.shown_name(number),
            "v" => match self.ast.shadows.get(&VariableId(number)) {
                Some(hidden) => hidden.0,
                None => number,
            },
            _ => number,
        };
        self.layout.push(letter);
        self.layout.push_number(u64::from(number));
    }

    fn file(&mut self, number: usize) {
        if self.dialect.has(Feature::Spdx) {
            self.push("// SPDX-License-Identifier: MIT\n");
        }
        self.push("pragma solidity >=0.4.0;\n");
        if self.dialect.has(Feature::EncoderV2) {
            self.push(match self.dialect.has(Feature::AbicoderPragma) {
                true => "pragma abicoder v2;\n",
                false => "pragma experimental ABIEncoderV2;\n",
            });
        }
        if self.ast.smt_checker && self.dialect.has(Feature::SmtPragma) {
            self.push("pragma experimental SMTChecker;\n");
        }
        self.imports(number);
        self.name_composites();
        for &item in &self.ast.files[number] {
            match item {
                Item::Contract(id) => self.contract(id),
                Item::Struct(id) => self.structure(id, ""),
                Item::Enum(id) => self.enumeration(id, ""),
                Item::ValueType(id) => {
                    self.push("type ");
                    self.value_type_name(id);
                    self.push(" is ");
                    let underlying = self.ast[id].underlying;
                    self.layout.push_hole(Hole::Type(underlying));
                    self.push(";\n");
                }
                Item::Function(id) => self.function(id, ""),
                Item::Signal(id) => self.signal(id, ""),
                Item::Operator(kind, function, op) => {
                    self.push("using {");
                    self.function_name(function);
                    self.push(" as ");
                    self.push(op.sign());
                    self.push("} for ");
                    self.value_type_name(kind);
                    self.push(" global;\n");
                }
            }
        }
        self.layout.end_file();
    }

    /// Later files stand on none, so that imports have no circle.
    fn imports(&mut self, number: usize) {
        self.foreign.clear();
        let imports = self.ast.imports;
        for other in number + 1..self.ast.files.len() {
            self.push("import ");
            if matches!(imports, Imports::Named | Imports::Renamed) {
                self.imported(other);
            }
            self.push("\"./file");
            self.layout.push_number(other as u64);
            self.push(".sol\"");
            if imports == Imports::Module {
                self.push(" as ");
                self.name("M", other as u32);
            }
            self.push(";\n");
        }
        if matches!(imports, Imports::Renamed | Imports::Module) {
            for other in number + 1..self.ast.files.len() {
                let items = self.ast.files[other].iter();
                self.foreign.extend(items.map(|&item| (item, other)));
            }
        }
    }

    /// The file that something comes from, if it has another name here.
    fn origin(&self, item: Item) -> Option<usize> {
        let mut foreign = self.foreign.iter();
        foreign.find_map(|(other, file)| (*other == item).then_some(*file))
    }

    /// The name of something at the top of a file, as this file knows it.
    fn top_name(&mut self, item: Item, letter: &str, number: u32) {
        match (self.origin(item), self.ast.imports) {
            (Some(file), Imports::Module) => {
                self.name("M", file as u32);
                self.push(".");
                self.name(letter, number);
            }
            (Some(file), _) => {
                self.name(letter, number);
                self.name("_", file as u32);
            }
            (None, _) => self.name(letter, number),
        }
    }

    /// The names of everything in a file, in braces.
    fn imported(&mut self, file: usize) {
        let names = self.ast.files[file].iter();
        let names = names.filter(|item| !matches!(item, Item::Operator(..)));
        for (at, &item) in names.enumerate() {
            self.push(if at == 0 { "{" } else { ", " });
            self.item_name(item);
            if self.ast.imports == Imports::Renamed {
                self.push(" as ");
                self.item_name(item);
                self.name("_", file as u32);
            }
        }
        self.push("} from ");
    }

    /// The name of something where it is declared; nothing is foreign yet.
    fn item_name(&mut self, item: Item) {
        match item {
            Item::Contract(id) => self.contract_name(id),
            Item::Struct(id) => self.struct_name(id),
            Item::Enum(id) => self.enum_name(id),
            Item::ValueType(id) => self.value_type_name(id),
            Item::Function(id) => self.function_name(id),
            Item::Signal(id) => self.signal_name(id),
            Item::Operator(..) => {}
        }
    }

    fn contract(&mut self, id: ContractId) {
        let contract = &self.ast[id];
        self.push(match contract.kind {
            ContractKind::Contract => "contract ",
            ContractKind::Abstract if !self.dialect.has(Feature::Virtual) => "contract ",
            ContractKind::Abstract => "abstract contract ",
            ContractKind::Interface => "interface ",
            ContractKind::Library => "library ",
        });
        self.contract_name(id);
        for (at, &base) in contract.bases.iter().enumerate() {
            self.push(if at == 0 { " is " } else { ", " });
            self.contract_name(base);
        }
        if let Some(base) = self.ast.layouts.get(&id) {
            self.storage_base(*base);
        }
        self.push(" {\n");
        self.contract = Some(id);
        self.name_composites();
        for &library in &contract.using {
            self.push("    using ");
            self.contract_name(library);
            self.push(" for *;\n");
        }
        for &member in &contract.members {
            match member {
                Member::Variable(id) => self.state_variable(id),
                Member::Struct(id) => self.structure(id, "    "),
                Member::Enum(id) => self.enumeration(id, "    "),
                Member::Signal(id) => self.signal(id, "    "),
                Member::Modifier(id) => self.modifier(id),
                Member::Function(id) => self.function(id, "    "),
            }
        }
        self.contract = None;
        self.name_composites();
        self.push("}\n");
    }

    /// `layout at …`
    fn storage_base(&mut self, base: StorageBase) {
        self.push(" layout at ");
        let text = match base {
            StorageBase::Slot { power, plus } => format!("2**{power} + {plus}"),
            StorageBase::BeforeEnd(slots) => format!("2**256 - {slots}"),
            StorageBase::Erc7201(length) => format!("erc7201(\"{}\")", letters(length)),
        };
        self.push(&text);
    }

    fn state_variable(&mut self, id: VariableId) {
        let variable = &self.ast[id];
        if let Some(&before) = self.ast.at_end.get(&id) {
            self.across_the_end(id, before);
            return;
        }
        self.push("    ");
        self.kind(variable.kind);
        if let Some(visibility) = variable.visibility {
            self.layout.push_hole(Hole::Visibility(visibility));
        }
        let is_open = self.ast.persistences.get(&id);
        if let Some(persistence) = is_open {
            self.layout.push_hole(Hole::Persistence(*persistence));
        }
        self.push(match variable.role {
            _ if is_open.is_some() => " ",
            Role::Constant(_) => " constant ",
            Role::Immutable(_) => " immutable ",
            Role::Transient(_) => " transient ",
            _ => " ",
        });
        self.name("v", id.0);
        if let Some(value) = variable.value {
            self.push(" = ");
            self.run(Task::Bare(value));
        }
        self.push(";\n");
    }

    /// A function that finds the variable. What is behind the end of storage is its beginning,
    /// where nothing else is.
    fn across_the_end(&mut self, id: VariableId, before: u32) {
        self.push(&format!(
            "    uint256[{BEHIND_END}] private behind;\n    function "
        ));
        self.name("v", id.0);
        self.push("() internal pure returns (");
        self.kind(self.ast[id].kind);
        self.push(&format!(
            " storage found) {{ assembly {{ found.slot := sub(0, {before}) }} }}\n"
        ));
    }

    fn structure(&mut self, id: StructId, indent: &str) {
        self.push(indent);
        self.push("struct ");
        self.name("S", id.0);
        self.push(" {");
        for &field in &self.ast[id].fields {
            self.push(" ");
            self.declaration(field);
            self.push(";");
        }
        self.push(" }\n");
    }

    fn enumeration(&mut self, id: EnumId, indent: &str) {
        self.push(indent);
        self.push("enum ");
        self.name("N", id.0);
        self.push(" {");
        for member in 0..self.ast[id].members {
            self.push(if member == 0 { " " } else { ", " });
            self.name("n", u32::from(member));
        }
        self.push(" }\n");
    }

    fn signal(&mut self, id: SignalId, indent: &str) {
        let signal = &self.ast[id];
        self.push(indent);
        self.push(if signal.is_error { "error " } else { "event " });
        self.signal_name(id);
        self.parameters(&signal.parameters);
        if self.ast.anonymous.contains(&id) {
            self.push(" anonymous");
        }
        self.push(";\n");
    }

    pub(super) fn signal_name(&mut self, id: SignalId) {
        let letter = if self.ast[id].is_error { "R" } else { "E" };
        self.top_name(Item::Signal(id), letter, id.0);
    }

    fn modifier(&mut self, id: ModifierId) {
        let modifier = &self.ast[id];
        self.push("    modifier ");
        self.name("m", id.0);
        self.parameters(&modifier.parameters);
        self.push(" ");
        self.run(Task::Block(&modifier.body, 1));
        self.push("\n");
    }

    fn function(&mut self, id: FunctionId, indent: &str) {
        let function = &self.ast[id];
        if self.ast.documented.contains(&id) {
            self.documentation(function, indent);
        }
        self.push(indent);
        self.function_head(function);
        self.parameters(&function.parameters);
        self.function_qualifiers(function);
        for (invocation, arguments) in &function.modifiers {
            self.push(" ");
            match *invocation {
                Invocation::Modifier(modifier) => self.name("m", modifier.0),
                Invocation::Base(base) => self.contract_name(base),
            }
            self.run(Task::Arguments(arguments));
        }
        if !function.results.is_empty() {
            self.push(" returns ");
            self.parameters(&function.results);
        }
        match &function.body {
            Some(body) => {
                self.push(" ");
                self.run(Task::Block(body, indent.len() / 4));
                self.push("\n");
            }
            None => self.push(";\n"),
        }
    }

    /// A comment in the form that the compiler reads.
    fn documentation(&mut self, function: &Function, indent: &str) {
        self.push(indent);
        self.push("/// @notice does something\n");
        self.push(indent);
        self.push("/// @dev in some way\n");
        for &parameter in &function.parameters {
            self.push(indent);
            self.push("/// @param ");
            self.name("v", parameter.0);
            self.push(" is given\n");
        }
    }

    /// The keyword and the name.
    fn function_head(&mut self, function: &Function) {
        match function.name {
            FunctionName::Named(number) => {
                self.push("function ");
                self.name("f", number);
            }
            FunctionName::Constructor if self.dialect.has(Feature::Constructor) => {
                self.push("constructor");
            }
            FunctionName::Constructor => {
                self.push("function ");
                self.contract_name(function.contract.expect("a constructor has a contract"));
            }
            FunctionName::Receive => self.push("receive"),
            FunctionName::Fallback if self.dialect.has(Feature::Receive) => self.push("fallback"),
            FunctionName::Fallback => self.push("function "),
            FunctionName::Signature => {}
        }
    }

    fn function_qualifiers(&mut self, function: &Function) {
        let is_constructor = function.name == FunctionName::Constructor;
        let visible = !self.dialect.has(Feature::Constructor)
            || self.dialect.has(Feature::ConstructorVisibility);
        match function.visibility {
            Some(visibility) => self.layout.push_hole(Hole::Visibility(visibility)),
            None if is_constructor && visible => self.push(" public"),
            None => {}
        }
        if let Some(mutability) = function.mutability {
            self.layout.push_hole(Hole::Mutability(mutability));
        }
        if self.dialect.has(Feature::Virtual) {
            self.push(if function.is_virtual { " virtual" } else { "" });
            if function.is_override {
                self.push(" override");
                self.overridden(function);
            }
        }
    }

    /// Where a function overrides more than one: the contracts of all.
    fn overridden(&mut self, function: &Function) {
        let Some(contract) = function.contract else {
            return;
        };
        let contracts = self
            .ast
            .base_definitions(&self.ast[contract].bases, function.name);
        if contracts.len() < 2 {
            return;
        }
        for (at, (contract, _)) in contracts.into_iter().enumerate() {
            self.push(if at == 0 { "(" } else { ", " });
            self.contract_name(contract);
        }
        self.push(")");
    }

    pub(super) fn parameters(&mut self, variables: &[VariableId]) {
        self.push("(");
        for (at, &variable) in variables.iter().enumerate() {
            self.push(if at == 0 { "" } else { ", " });
            self.declaration(variable);
        }
        self.push(")");
    }

    /// Type, location and name.
    pub(super) fn declaration(&mut self, id: VariableId) {
        let variable = &self.ast[id];
        self.kind(variable.kind);
        if let Some(location) = variable.location {
            // Old compilers want no location where only storage is possible.
            let is_mapping = matches!(self.ast[variable.kind], Type::Mapping { .. });
            if !is_mapping || self.dialect.has(Feature::Locations) {
                self.layout.push_hole(Hole::Location(location));
            }
        }
        if variable.role == (Role::Signal { indexed: true }) {
            self.push(" indexed");
        }
        self.push(" ");
        self.name("v", id.0);
    }

    /// A type: what is nested in it goes to a stack, innermost first.
    pub(super) fn kind(&mut self, id: TypeId) {
        let mut suffixes = Vec::new();
        let mut next = Some(id);
        while let Some(id) = next.take() {
            match self.ast[id] {
                Type::Elementary(placeholder) => self.layout.push_hole(Hole::Type(placeholder)),
                Type::Array { element, length } => {
                    suffixes.push(Suffix::Brackets(length));
                    next = Some(element);
                    continue;
                }
                Type::Mapping { key, value } => {
                    self.push("mapping(");
                    if let Type::Elementary(placeholder) = self.ast[key] {
                        self.layout.push_hole(Hole::Type(placeholder));
                    }
                    self.push(" => ");
                    suffixes.push(Suffix::Close);
                    next = Some(value);
                    continue;
                }
                Type::Struct(id) => self.struct_name(id),
                Type::Contract(id) => self.contract_name(id),
                Type::Enum(id) => self.enum_name(id),
                Type::Value(id) => self.value_type_name(id),
                Type::Function(id) => self.function_type(id),
            }
            while let Some(suffix) = suffixes.pop() {
                self.suffix(suffix);
            }
        }
    }

    fn suffix(&mut self, suffix: Suffix) {
        match suffix {
            Suffix::Brackets(None) => self.push("[]"),
            Suffix::Brackets(Some(length)) => {
                self.push("[");
                self.layout.push_number(u64::from(length));
                self.push("]");
            }
            Suffix::Close => self.push(")"),
        }
    }

    /// The type of a function's values, when it is called internally.
    fn function_type(&mut self, id: FunctionId) {
        let function = &self.ast[id];
        self.push("function (");
        self.unnamed(&function.parameters);
        self.push(match self.ast.is_external_type(id) {
            true => ") external",
            false => ") internal",
        });
        if let Some(mutability) = function.mutability {
            self.layout.push_hole(Hole::Mutability(mutability));
        }
        if !function.results.is_empty() {
            self.push(" returns (");
            self.unnamed(&function.results);
            self.push(")");
        }
    }

    /// Types and locations of variables, without names. Types of functions
    /// have no parameters of function types, so this ends.
    fn unnamed(&mut self, variables: &[VariableId]) {
        for (at, &id) in variables.iter().enumerate() {
            self.push(if at == 0 { "" } else { ", " });
            let variable = &self.ast[id];
            self.kind(variable.kind);
            if let Some(location) = variable.location {
                self.layout.push_hole(Hole::Location(location));
            }
        }
    }

    pub(super) fn contract_name(&mut self, id: ContractId) {
        let letter = self.ast[id].kind.letter();
        self.top_name(Item::Contract(id), letter, id.0);
    }

    /// True if the contract that is being printed is this one or inherits it.
    pub(super) fn is_own(&self, other: ContractId) -> bool {
        let own = self.contract;
        own.is_some_and(|own| self.ast.lineage(own).contains(&other))
    }

    /// The contract's name and a dot, if the thing stands in another one.
    fn prefix(&mut self, contract: Option<ContractId>) {
        if let Some(contract) = contract.filter(|_| contract != self.contract) {
            self.contract_name(contract);
            self.push(".");
        }
    }

    pub(super) fn struct_name(&mut self, id: StructId) {
        self.prefix(self.ast[id].contract);
        self.top_name(Item::Struct(id), "S", id.0);
    }

    pub(super) fn enum_name(&mut self, id: EnumId) {
        self.prefix(self.ast[id].contract);
        self.top_name(Item::Enum(id), "N", id.0);
    }

    pub(super) fn value_type_name(&mut self, id: ValueTypeId) {
        self.top_name(Item::ValueType(id), "U", id.0);
    }

    pub(super) fn function_name(&mut self, id: FunctionId) {
        if let FunctionName::Named(number) = self.ast[id].name {
            self.top_name(Item::Function(id), "f", number);
        }
    }
}

/// What follows the innermost part of a type.
enum Suffix {
    Brackets(Option<u32>),
    Close,
}
