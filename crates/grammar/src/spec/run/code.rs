//! The instructions of the machine.

use std::collections::BTreeSet;

use super::builtin::Builtin;
use crate::spec::source::Span;

/// One instruction. Expressions leave one value on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Const(u32),
    Knob(u32),
    /// A value of the present call, counted from its first argument.
    Local(u32),
    /// An attribute of the node that the rule belongs to.
    Own(u32),
    /// An attribute of one of its children.
    Child(u16, u32),
    /// How high the node may be.
    Height,
    Call {
        function: u32,
        args: u32,
    },
    Return,
    Builtin(Builtin),
    /// Takes so many fields.
    Data {
        tag: u32,
        count: u32,
    },
    Field(u32),
    /// Takes a record and a value: the record with that field changed.
    With(u32),
    /// Takes so many items.
    List(u32),
    /// Takes a value and appends it to the list in that local.
    Push(u32),
    /// The next item of each of so many lists, the first one in that local (the
    /// index is in the local behind the last), or a jump where one has ended.
    Next {
        local: u32,
        lists: u32,
        end: u32,
    },
    /// Takes a value and puts it into that local.
    Store(u32),
    /// Keeps the topmost value and drops so many below it.
    Slide(u32),
    /// Drops everything of the present call from that local on.
    Reset(u32),
    Jump(u32),
    JumpUnless(u32),
    /// Takes a variant and jumps by its tag, as that table says.
    Switch(u32),
    /// Replaces a variant by whether it has that tag.
    HasTag(u32),
    Not,
    Minus,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// Lists or texts.
    Join,
    /// Replaces a value by the text that shows it.
    Print,
    /// Takes so many texts.
    Concat(u32),

    // What `fuse` puts in the place of the above: each does what several of them do.
    /// Two locals.
    Locals(u32, u32),
    /// A field of a local.
    LocalField {
        local: u32,
        field: u32,
    },
    /// Takes a truth and jumps if it is one.
    JumpIf(u32),
    ReturnConst(u32),
    ReturnLocal(u32),
    /// Takes a truth and goes on at one of two places.
    Branch {
        yes: u32,
        no: u32,
    },
    /// Jumps by the tag of a local.
    SwitchOn {
        local: u32,
        table: u32,
    },
    /// Jumps unless a local has a tag.
    UnlessTag {
        local: u16,
        tag: u32,
        to: u32,
    },
    /// Takes a value and jumps unless it is that constant.
    UnlessConst {
        constant: u32,
        to: u32,
    },
    /// Drops everything from that local on and jumps.
    Again {
        local: u32,
        to: u32,
    },
}

/// A constant, as it is shared by all runs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Constant {
    Int(i64),
    Bool(bool),
    Text(String),
    Tag(u32),
}

/// All code of a spec.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub ops: Vec<Op>,
    /// Where each instruction comes from.
    pub spans: Vec<Span>,
    /// Where functions begin.
    pub functions: Vec<u32>,
    /// Functions that are called somewhere, in place or not.
    pub called: BTreeSet<u32>,
    pub constants: Vec<Constant>,
    /// Where to jump by tag, and the first tag.
    pub tables: Vec<(u32, Vec<u32>)>,
    /// How variants are printed: names by type are not needed at run time
    /// beyond this list, which the checker numbers.
    pub tag_names: Vec<String>,
}
