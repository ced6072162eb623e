//! What a spec file says, before names mean anything.
//!
//! ```text
//! file       = item*
//! item       = 'language' NAME ';' | 'height' NUMBER ';' | 'use' (NAME | TEXT) ';'
//!            | 'extends' (NAME | TEXT) ';' | 'extension' (NAME | TEXT) ';' | 'comment' TEXT ';'
//!            | 'knob' NAME '=' (NUMBER | 'true' | 'false') ';'
//!            | 'alias' NAME params? '=' type ';'
//!            | 'type' NAME params? '=' variant ('|' variant)* ';'
//!            | 'record' NAME params? '{' (NAME ':' type),* '}'
//!            | 'fn' NAME params? '(' (NAME ':' type),* ')' ':' type '=' expr ';'
//!            | annotation* 'class' NAME ('(' TEXT ')' ';' | '=' TEXT,+ ';' | '{' member* '}')
//! variant    = NAME ('(' type,+ ')')?
//! params     = '<' NAME,+ '>'
//! type       = NAME ('<' type,+ '>')? | '(' type ',' type,+ ')'
//! member     = ('inh' | 'syn') NAME ':' type ';' | 'grd' NAME ';' | 'without' NAME,+ ';'
//!            | annotation* NAME '(' (template | expr (',' template)?) ')' (':' type)? '{' rule* '}'
//! template   = TEXT+
//! rule       = NAME '.' NAME '=' expr ';' | 'loc' NAME '=' expr ';'
//!            | 'text' NAME '=' template ';'
//! annotation = '@' NAME ('(' expr,+ ')')?
//! ```
//!
//! Expressions are in [`expressions`], what stands inside texts in
//! [`templates`]. Every depth is bounded: nothing that reads the tree later
//! needs to fear for its stack.

mod classes;
pub(crate) mod expressions;
pub(crate) mod lexer;
mod parser;
pub(crate) mod templates;

pub(crate) use parser::{Parser, parse};

use super::source::Span;

/// How deep expressions, types and patterns may nest.
pub(crate) const MAX_DEPTH: usize = 100;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub text: String,
    pub span: Span,
}

/// One file.
#[derive(Debug, Default)]
pub(crate) struct File {
    pub language: Option<Name>,
    /// The ending of its programs' files, for a language that is not known.
    pub extension: Option<Name>,
    /// What begins a comment, for a language that is not known.
    pub comment: Option<Name>,
    pub height: Option<u32>,
    /// The spec that this one builds on.
    pub extends: Option<Reference>,
    pub uses: Vec<Reference>,
    pub knobs: Vec<KnobItem>,
    pub types: Vec<TypeItem>,
    pub functions: Vec<FunctionItem>,
    pub classes: Vec<ClassItem>,
    /// The comment with two `#` at the beginning of the file.
    pub doc: String,
}

/// Another spec or library.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub name: Name,
    /// It is a file of the user's, not one that comes with lydite.
    pub is_file: bool,
}

#[derive(Debug)]
pub(crate) struct KnobItem {
    pub doc: String,
    pub name: Name,
    pub value: KnobValue,
}

/// What a knob is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnobValue {
    /// A number.
    Int(i64),
    /// On or off.
    Bool(bool),
}

#[derive(Debug)]
pub(crate) struct TypeItem {
    pub doc: String,
    pub name: Name,
    pub params: Vec<Name>,
    pub kind: TypeKind,
}

#[derive(Debug)]
pub(crate) enum TypeKind {
    Alias(TypeText),
    Variant(Vec<(Name, Vec<TypeText>)>),
    Record(Vec<(Name, TypeText)>),
    /// Known to the machine.
    BuiltIn,
}

#[derive(Debug)]
pub(crate) struct TypeText {
    pub span: Span,
    /// A tuple has none.
    pub name: Option<String>,
    pub args: Vec<TypeText>,
}

#[derive(Debug)]
pub(crate) struct FunctionItem {
    pub doc: String,
    pub name: Name,
    pub params: Vec<Name>,
    pub args: Vec<(Name, TypeText)>,
    pub result: TypeText,
    /// `None`: known to the machine.
    pub body: Option<Expr>,
}

#[derive(Debug)]
pub(crate) struct Annotation {
    pub name: Name,
    pub args: Vec<Expr>,
}

#[derive(Debug)]
pub(crate) struct ClassItem {
    pub doc: String,
    pub annotations: Vec<Annotation>,
    pub name: Name,
    pub body: ClassBody,
}

#[derive(Debug)]
pub(crate) enum ClassBody {
    /// A regular expression.
    Literal(Name),
    /// One of these texts, as they stand.
    Texts(Vec<Name>),
    Members {
        attributes: Vec<AttributeItem>,
        productions: Vec<ProductionItem>,
        /// Productions of the spec that is extended which are taken out.
        without: Vec<Name>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AttributeKind {
    Inherited,
    Synthesized,
    Guard,
}

#[derive(Debug)]
pub(crate) struct AttributeItem {
    pub kind: AttributeKind,
    pub name: Name,
    /// A guard has none: it is a Bool.
    pub type_text: Option<TypeText>,
}

#[derive(Debug)]
pub(crate) struct ProductionItem {
    pub doc: String,
    pub annotations: Vec<Annotation>,
    pub name: Name,
    pub generator: Option<Expr>,
    pub template: Vec<Piece>,
    pub has_template: bool,
    pub value_type: Option<TypeText>,
    pub rules: Vec<RuleItem>,
    /// Further templates, by the name of the text that they are for.
    pub texts: Vec<(Name, Vec<Piece>)>,
}

#[derive(Debug)]
pub(crate) struct RuleItem {
    /// `None` for a local name.
    pub owner: Option<Name>,
    pub name: Name,
    pub body: Expr,
}

/// A part of a text.
#[derive(Debug)]
pub(crate) enum Piece {
    Text(String),
    Print(Expr),
    Child {
        name: Name,
        class: Name,
        /// It is there, but not printed.
        hidden: bool,
    },
    /// A child that the production's first template declares.
    Again(Name),
    Indent,
    Unindent,
    /// A parenthesis that is printed where it is needed.
    Open,
    Close,
}

#[derive(Debug)]
pub(crate) struct Expr {
    pub span: Span,
    pub kind: ExprKind,
}

#[derive(Debug)]
pub(crate) enum ExprKind {
    Int(i64),
    Bool(bool),
    /// Texts and printed expressions only.
    Text(Vec<Piece>),
    Name(String),
    Field(Box<Expr>, Name),
    Call(Name, Vec<Expr>),
    Record(Name, Vec<(Name, Expr)>),
    With(Box<Expr>, Vec<(Name, Expr)>),
    Tuple(Vec<Expr>),
    List(Vec<Expr>),
    /// `[body for pattern in list if condition …]`.
    Each(Box<Expr>, Vec<Clause>),
    /// `fold name = start for pattern in list do body`.
    Fold {
        name: Name,
        start: Box<Expr>,
        pattern: Pattern,
        list: Box<Expr>,
        body: Box<Expr>,
    },
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Let(Pattern, Box<Expr>, Box<Expr>),
    Match(Box<Expr>, Vec<(Pattern, Expr)>),
    Not(Box<Expr>),
    Minus(Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
}

#[derive(Debug)]
pub(crate) enum Clause {
    For(Pattern, Expr),
    If(Expr),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOp {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Join,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

#[derive(Debug)]
pub(crate) struct Pattern {
    pub span: Span,
    pub kind: PatternKind,
}

#[derive(Debug)]
pub(crate) enum PatternKind {
    Any,
    Bind(String),
    Int(i64),
    Bool(bool),
    Text(String),
    Tuple(Vec<Pattern>),
    Variant(Name, Vec<Pattern>),
}
