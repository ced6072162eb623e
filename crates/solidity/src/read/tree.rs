//! What a program looks like before its names are resolved.

use crate::ast::{BinaryOp, CatchKind, UnaryOp};

/// A type as it is written.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// An elementary type or a name, with its prefixes.
    Path(Vec<String>),
    /// An array, with its length.
    Array(Box<Kind>, Option<Box<Tree>>),
    /// A mapping.
    Mapping(Box<Kind>, Box<Kind>),
}

/// An expression.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    Number(String),
    Text(Vec<u8>),
    Bool(bool),
    Name(String),
    /// An elementary type, or an array of something, where a value could stand.
    Type(Kind),
    /// `type(T)`
    About(Kind),
    Member(Box<Tree>, String),
    Index(Box<Tree>, Option<Box<Tree>>),
    Slice(Box<Tree>, Option<Box<Tree>>, Option<Box<Tree>>),
    Call(Box<Tree>, Vec<Tree>),
    New(Kind),
    Unary(UnaryOp, Box<Tree>),
    Binary(BinaryOp, Box<Tree>, Box<Tree>),
    Assign(Option<BinaryOp>, Box<Tree>, Box<Tree>),
    Conditional(Box<Tree>, Box<Tree>, Box<Tree>),
    Tuple(Vec<Option<Tree>>),
    Inline(Vec<Tree>),
}

/// A variable that is declared somewhere.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub kind: Kind,
    /// Locations, visibilities and the like.
    pub words: Vec<String>,
    pub name: String,
    pub value: Option<Tree>,
}

/// A statement.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Expression(Tree),
    Declare(Vec<Option<Declared>>, Option<Tree>),
    If(Tree, Vec<Step>, Option<Vec<Step>>),
    For(Option<Box<Step>>, Option<Tree>, Option<Tree>, Vec<Step>),
    While(Tree, Vec<Step>),
    DoWhile(Vec<Step>, Tree),
    Block(Vec<Step>),
    Unchecked(Vec<Step>),
    Return(Option<Tree>),
    Emit(Tree),
    Revert(Tree),
    Break,
    Continue,
    Underscore,
    Try(Tree, Vec<Declared>, Vec<Step>, Vec<(CatchKind, Vec<Step>)>),
}

/// A function, constructor or modifier.
#[derive(Clone, Debug)]
pub(super) struct Routine {
    /// `function`, `constructor`, `modifier`, `receive` or `fallback`.
    pub sort: String,
    pub name: String,
    pub parameters: Vec<Declared>,
    pub results: Vec<Declared>,
    /// Visibility, mutability, `virtual`, `override`.
    pub words: Vec<String>,
    /// Modifiers and bases.
    pub invoked: Vec<(Vec<String>, Vec<Tree>)>,
    pub body: Option<Vec<Step>>,
}

/// What stands in a contract or a file.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Contract(Unit),
    Variable(Declared),
    Struct(String, Vec<Declared>),
    Enum(String, Vec<String>),
    /// An event or an error.
    Signal {
        is_error: bool,
        name: String,
        parameters: Vec<Declared>,
        anonymous: bool,
    },
    ValueType(String, Kind),
    Routine(Routine),
    /// `using L for …`
    Using(Vec<String>),
}

/// A contract, interface or library.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    /// `contract`, `abstract`, `interface`, `library`.
    pub sort: String,
    pub name: String,
    pub bases: Vec<Vec<String>>,
    pub parts: Vec<Part>,
}
