//! Programs with open qualifiers: figure 4 of the paper and beyond.
//!
//! Everything lives in arenas and is named by its number; a part is made
//! after its own parts, so whoever walks an arena in order sees operands
//! before operators, without recursion. Qualifiers are placeholders
//! throughout: a program is an [`Ast`] and a value for each placeholder.

mod calls;
mod code;
mod composites;
mod expressions;
mod getters;
mod inheritance;
mod layout;
mod literals;
mod operators;
mod print;
mod statements;
mod yul;

pub use calls::{CallOption, MessageKind, Via};
pub use code::{CatchKind, Encoding, Environment, Expression, Owner, Statement, TypeFact};
pub use composites::{Atom, Composite};
pub use getters::{GetterKey, GetterResults};
pub use layout::{Hole, Layout, Words};
pub(crate) use literals::number_of_digits;
pub use literals::{Literal, Notation};
pub use operators::{BinaryOp, Shape, UnaryOp};
pub use print::lay_out;
pub(crate) use statements::{REQUIRE_TEXT, address, letters};
pub use yul::{Yul, YulCall, YulOperand};

pub use crate::intrinsics::{ChainFact, Intrinsic, Meaning, Needs};

use std::collections::{BTreeMap, BTreeSet};

use crate::qualify::Placeholder;
use crate::version::Feature;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $arena:ident, $item:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl std::ops::Index<$name> for Ast {
            type Output = $item;

            fn index(&self, id: $name) -> &$item {
                &self.$arena[id.0 as usize]
            }
        }

        impl std::ops::IndexMut<$name> for Ast {
            fn index_mut(&mut self, id: $name) -> &mut $item {
                &mut self.$arena[id.0 as usize]
            }
        }
    };
}

id!(/** A contract, interface or library. */ ContractId, contracts, Contract);
id!(/** A struct. */ StructId, structs, Struct);
id!(/** An enum. */ EnumId, enums, Enum);
id!(/** A user-defined value type. */ ValueTypeId, value_types, ValueType);
id!(/** A function, constructor or the like. */ FunctionId, functions, Function);
id!(/** A modifier. */ ModifierId, modifiers, Modifier);
id!(/** An event or an error. */ SignalId, signals, Signal);
id!(/** A variable of any sort. */ VariableId, variables, Variable);
id!(/** A type. */ TypeId, types, Type);
id!(/** An expression. */ ExpressionId, expressions, Expression);
id!(/** A statement. */ StatementId, statements, Statement);

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Ast {
    /// The source files; the first imports all others.
    pub files: Vec<Vec<Item>>,
    /// All contracts.
    pub contracts: Vec<Contract>,
    /// All structs.
    pub structs: Vec<Struct>,
    /// All enums.
    pub enums: Vec<Enum>,
    /// All user-defined value types.
    pub value_types: Vec<ValueType>,
    /// All functions.
    pub functions: Vec<Function>,
    /// All modifiers.
    pub modifiers: Vec<Modifier>,
    /// All events and errors.
    pub signals: Vec<Signal>,
    /// All variables: of contracts, structs, functions, events.
    pub variables: Vec<Variable>,
    /// All types.
    pub types: Vec<Type>,
    /// All expressions; operands before operators.
    pub expressions: Vec<Expression>,
    /// By expression: what it is a part of.
    pub owners: Vec<Owner>,
    /// All statements; parts before wholes.
    pub statements: Vec<Statement>,
    /// By statement: what it is a part of.
    pub statement_owners: Vec<Owner>,
    /// `pragma experimental SMTChecker`, where the version has it.
    pub smt_checker: bool,
    /// How files import each other.
    pub imports: Imports,
    /// Events without a topic for their name.
    pub anonymous: Vec<SignalId>,
    /// Functions with a comment for the user's documentation.
    pub documented: Vec<FunctionId>,
    /// By the number of a function's name: the number that is written in its
    /// place, of a function with as many parameters as no other of that name.
    pub overloads: BTreeMap<u32, u32>,
    /// By variable: the one whose name it has, and hides.
    pub shadows: BTreeMap<VariableId, VariableId>,
    /// State variables that may be constant, immutable or transient, or none of
    /// these. Their role is what they are under the witness.
    pub persistences: BTreeMap<VariableId, Placeholder>,
    /// Expressions in parentheses that need none.
    pub parenthesized: BTreeSet<ExpressionId>,
    /// Where the storage of contracts begins, other than at zero.
    pub layouts: BTreeMap<ContractId, StorageBase>,
    /// State variables that are found by a function of their name, and begin so many slots before
    /// the end of storage.
    pub at_end: BTreeMap<VariableId, u32>,
    /// By the number that placeholders of data types know it by.
    pub composites: BTreeMap<u8, Composite>,
}

/// Where the storage of a contract begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageBase {
    /// At a slot that many bits long, plus a number.
    Slot {
        /// The power of two.
        power: u8,
        /// What is added.
        plus: u32,
    },
    /// So many slots before the end of storage.
    BeforeEnd(u32),
    /// `erc7201("…")` of so many letters.
    Erc7201(u8),
}

/// The sign of an operator that is defined for a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperatorSign {
    /// Between two operands.
    Binary(BinaryOp),
    /// Before one.
    Unary(UnaryOp),
}

impl OperatorSign {
    /// As it is written.
    pub fn sign(self) -> &'static str {
        match self {
            OperatorSign::Binary(op) => op.sign(),
            OperatorSign::Unary(op) => op.sign().0,
        }
    }
}

/// How the names of another file are brought in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Imports {
    /// `import "f";`
    #[default]
    All,
    /// `import {A, B} from "f";`
    Named,
    /// `import {A as A_1} from "f";`
    Renamed,
    /// `import "f" as M;`
    Module,
}

/// Something at the top of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A contract, interface or library.
    Contract(ContractId),
    /// A struct outside of contracts.
    Struct(StructId),
    /// An enum outside of contracts.
    Enum(EnumId),
    /// A user-defined value type.
    ValueType(ValueTypeId),
    /// A function outside of contracts.
    Function(FunctionId),
    /// An error or event outside of contracts.
    Signal(SignalId),
    /// `using {f as +} for T global;`
    Operator(ValueTypeId, FunctionId, OperatorSign),
}

/// What a contract is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContractKind {
    /// `contract`
    Contract,
    /// `abstract contract`
    Abstract,
    /// `interface`
    Interface,
    /// `library`
    Library,
}

impl ContractKind {
    /// What names begin with.
    pub const fn letter(self) -> &'static str {
        match self {
            ContractKind::Contract | ContractKind::Abstract => "C",
            ContractKind::Interface => "I",
            ContractKind::Library => "L",
        }
    }
}

/// A contract, interface or library.
#[derive(Clone, Debug)]
pub struct Contract {
    /// What it is.
    pub kind: ContractKind,
    /// What it inherits from, most basic first.
    pub bases: Vec<ContractId>,
    /// `using L for *` at its top.
    pub using: Vec<ContractId>,
    /// What stands in it, in order.
    pub members: Vec<Member>,
}

/// A member of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    /// A state variable.
    Variable(VariableId),
    /// A struct.
    Struct(StructId),
    /// An enum.
    Enum(EnumId),
    /// An event or an error.
    Signal(SignalId),
    /// A modifier.
    Modifier(ModifierId),
    /// A function or constructor.
    Function(FunctionId),
}

/// A struct.
#[derive(Clone, Debug)]
pub struct Struct {
    /// The contract it stands in, if any.
    pub contract: Option<ContractId>,
    /// Its fields.
    pub fields: Vec<VariableId>,
}

/// An enum.
#[derive(Clone, Debug)]
pub struct Enum {
    /// The contract it stands in, if any.
    pub contract: Option<ContractId>,
    /// How many members it has.
    pub members: u8,
}

/// A user-defined value type.
#[derive(Clone, Debug)]
pub struct ValueType {
    /// The elementary type below it.
    pub underlying: Placeholder,
}

/// How a function is called by others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionName {
    /// `f` and a number; functions that override each other share it.
    Named(u32),
    /// `constructor`
    Constructor,
    /// `receive`
    Receive,
    /// `fallback`
    Fallback,
    /// None: it is no function, but what a type of functions looks like.
    Signature,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: FunctionName,
    /// The contract it stands in, if any.
    pub contract: Option<ContractId>,
    /// Its parameters.
    pub parameters: Vec<VariableId>,
    /// What it returns.
    pub results: Vec<VariableId>,
    /// Where one is written.
    pub visibility: Option<Placeholder>,
    /// Where one is written.
    pub mutability: Option<Placeholder>,
    /// Modifiers and base constructors with their arguments.
    pub modifiers: Vec<(Invocation, Vec<ExpressionId>)>,
    /// `virtual`
    pub is_virtual: bool,
    /// `override`
    pub is_override: bool,
    /// `None` for a declaration only.
    pub body: Option<Vec<StatementId>>,
}

/// What stands after a function's qualifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invocation {
    /// A modifier.
    Modifier(ModifierId),
    /// The constructor of a base.
    Base(ContractId),
}

/// A modifier.
#[derive(Clone, Debug)]
pub struct Modifier {
    /// The contract it stands in.
    pub contract: ContractId,
    /// Its parameters.
    pub parameters: Vec<VariableId>,
    /// Its body, with `_` in it.
    pub body: Vec<StatementId>,
}

/// An event or an error.
#[derive(Clone, Debug)]
pub struct Signal {
    /// An error, not an event.
    pub is_error: bool,
    /// The contract it stands in, if any.
    pub contract: Option<ContractId>,
    /// Its parameters.
    pub parameters: Vec<VariableId>,
}

/// What sort of variable one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A state variable.
    State(ContractId),
    /// A `constant` state variable.
    Constant(ContractId),
    /// An `immutable` state variable.
    Immutable(ContractId),
    /// A `transient` state variable.
    Transient(ContractId),
    /// A parameter of a function or modifier.
    Parameter,
    /// A result of a function.
    Result,
    /// A local variable.
    Local,
    /// A field of a struct.
    Field(StructId),
    /// A parameter of an event or error.
    Signal {
        /// `indexed`
        indexed: bool,
    },
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// What sort it is.
    pub role: Role,
    /// Its type.
    pub kind: TypeId,
    /// Its data location, where one is written.
    pub location: Option<Placeholder>,
    /// Its visibility, where one is written.
    pub visibility: Option<Placeholder>,
    /// The first value of a state variable.
    pub value: Option<ExpressionId>,
}

impl Variable {
    /// The contract that it is a state variable of.
    pub fn contract(&self) -> Option<ContractId> {
        match self.role {
            Role::State(contract)
            | Role::Constant(contract)
            | Role::Immutable(contract)
            | Role::Transient(contract) => Some(contract),
            _ => None,
        }
    }

    /// True for a `constant`.
    pub fn is_constant(&self) -> bool {
        matches!(self.role, Role::Constant(_))
    }

    /// True if it can be assigned in a function.
    pub fn is_assignable(&self) -> bool {
        !matches!(self.role, Role::Constant(_) | Role::Immutable(_))
    }
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// An elementary type that is open.
    Elementary(Placeholder),
    /// An array.
    Array {
        /// Of what.
        element: TypeId,
        /// `None` for a dynamic one.
        length: Option<u32>,
    },
    /// A mapping.
    Mapping {
        /// From an elementary type.
        key: TypeId,
        /// To any type.
        value: TypeId,
    },
    /// A struct.
    Struct(StructId),
    /// A contract or interface.
    Contract(ContractId),
    /// An enum.
    Enum(EnumId),
    /// A user-defined value type.
    Value(ValueTypeId),
    /// The type of functions of this signature; external if its visibility is.
    Function(FunctionId),
}

impl Type {
    /// True if values live in a data location, whatever the gaps hold.
    pub fn is_reference(self) -> bool {
        match self {
            Type::Array { .. } | Type::Mapping { .. } | Type::Struct(_) => true,
            Type::Elementary(_)
            | Type::Contract(_)
            | Type::Enum(_)
            | Type::Value(_)
            | Type::Function(_) => false,
        }
    }

    /// The type of what an index leads to.
    pub fn element(self) -> Option<TypeId> {
        match self {
            Type::Array { element, .. } => Some(element),
            Type::Mapping { value, .. } => Some(value),
            Type::Elementary(_)
            | Type::Struct(_)
            | Type::Contract(_)
            | Type::Enum(_)
            | Type::Value(_)
            | Type::Function(_) => None,
        }
    }
}

impl Ast {
    /// Adds a type.
    pub fn add_type(&mut self, kind: Type) -> TypeId {
        self.types.push(kind);
        TypeId(self.types.len() as u32 - 1)
    }

    /// Adds a variable.
    pub fn add_variable(&mut self, variable: Variable) -> VariableId {
        self.variables.push(variable);
        VariableId(self.variables.len() as u32 - 1)
    }

    /// Adds an expression, after its parts.
    pub fn add_expression(&mut self, owner: Owner, expression: Expression) -> ExpressionId {
        self.expressions.push(expression);
        self.owners.push(owner);
        ExpressionId(self.expressions.len() as u32 - 1)
    }

    /// Adds a statement, after its parts.
    pub fn add_statement(&mut self, owner: Owner, statement: Statement) -> StatementId {
        self.statements.push(statement);
        self.statement_owners.push(owner);
        StatementId(self.statements.len() as u32 - 1)
    }

    /// True if a struct holds arrays or mappings of itself.
    pub fn is_recursive(&self, id: StructId) -> bool {
        let mut fields = self[id].fields.iter();
        fields.any(|field| match self[self[*field].kind] {
            Type::Array { element: own, .. } | Type::Mapping { value: own, .. } => {
                self[own] == Type::Struct(id)
            }
            _ => false,
        })
    }

    /// The number that is written for that of a function's name.
    pub fn shown_name(&self, name: u32) -> u32 {
        self.overloads.get(&name).copied().unwrap_or(name)
    }

    /// The name of a contract where it is declared.
    pub fn contract_name(&self, id: ContractId) -> String {
        format!("{}{}", self[id].kind.letter(), id.0)
    }

    /// The call itself, if an expression writes it with more words.
    pub fn call_of(&self, id: ExpressionId) -> ExpressionId {
        match self[id] {
            Expression::With { call, .. } => call,
            _ => id,
        }
    }

    /// True if values of this type live in a data location.
    pub fn is_reference(&self, kind: TypeId, is_sequence: impl Fn(Placeholder) -> bool) -> bool {
        match self[kind] {
            Type::Elementary(placeholder) => is_sequence(placeholder),
            other => other.is_reference(),
        }
    }

    /// What a version has to have so that it can copy a value of this type
    /// from calldata to memory, if not every version can.
    pub fn copied_by(
        &self,
        kind: Type,
        is_sequence: impl Fn(Placeholder) -> bool,
    ) -> Option<Feature> {
        match kind {
            Type::Array { element, .. } => self
                .is_dynamic(element, is_sequence)
                .then_some(Feature::NestedArrayCopies),
            Type::Struct(id) => {
                let mut fields = self[id].fields.iter();
                fields
                    .any(|&field| self.is_dynamic(self[field].kind, &is_sequence))
                    .then_some(Feature::DynamicStructCopies)
            }
            _ => None,
        }
    }

    /// True if values have no fixed size where they are encoded: texts,
    /// dynamic arrays, and whatever has one in it.
    pub fn is_dynamic(&self, kind: TypeId, is_sequence: impl Fn(Placeholder) -> bool) -> bool {
        let mut open = vec![kind];
        while let Some(kind) = open.pop() {
            match self[kind] {
                Type::Elementary(placeholder) if is_sequence(placeholder) => return true,
                Type::Array { length: None, .. } => return true,
                Type::Array { element, .. } => open.push(element),
                Type::Struct(id) => open.extend(self[id].fields.iter().map(|&own| self[own].kind)),
                _ => {}
            }
        }
        false
    }
}
