//! Yul: assembly blocks in contracts, and objects that stand alone; drawn,
//! printed, and run exactly.
//!
//! All values are words of 256 bits and operands are evaluated from the last
//! to the first, so that everything is defined. A block owns `MEMORY` bytes,
//! which it takes from free memory and fills before anything else;
//! addresses are within them, and no address becomes a value.

mod draw;
mod frames;
mod opcodes;
mod print;
mod recursion;
mod run;
mod steps;
mod strategy;

pub use strategy::{YUL, YUL_OBJECT};

use dashu_int::UBig;
use opcodes::Opcode;

/// Bytes of memory that a block owns: every byte that a word can begin at when
/// an index is cut to 8 bits, and the word.
const MEMORY: u64 = 256 + WORD;

/// Bytes of a word.
const WORD: u64 = 32;

/// Slots of storage and of transient storage that are used most.
const SLOTS: u64 = 8;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Term {
    Number(UBig),
    Local(u32),
    Opcode(Opcode, Vec<Term>),
    /// `mload(…)`
    Memory(Address),
    /// `keccak256(…)` of so many bytes.
    Hash(Address, u64),
    /// `sload(…)`
    Storage(Slot),
    /// `tload(…)`
    Transient(Slot),
    /// A function of the block, by its number.
    Call(usize, Vec<Term>),
}

/// A place in the block's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Address {
    At(u64),
    /// A value, cut to 8 bits.
    Of(Box<Term>),
    /// So many bytes behind what a pointer points to.
    From(u32, u64),
}

/// A place in storage.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Slot {
    At(u64),
    /// A value, cut to the slots that are used most.
    Of(Box<Term>),
    /// Any value.
    Word(Box<Term>),
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Line {
    /// `let a, b := …`; zero without a value.
    Let(Vec<u32>, Option<Term>),
    /// `a, b := …`
    Assign(Vec<u32>, Term),
    /// `let p := …` or `p := …` of a pointer, which is no value.
    Point {
        pointer: u32,
        is_new: bool,
        to: Address,
    },
    /// `pop(…)`, or a call without results.
    Drop(Term),
    /// `mstore(…)`
    Memory(Address, Term),
    /// `mstore8(…)`
    Byte(Address, Term),
    /// `sstore(…)`
    Storage(Slot, Term),
    /// `tstore(…)`
    Transient(Slot, Term),
    If(Term, Vec<Line>),
    Switch(Term, Vec<(u64, Vec<Line>)>, Option<Vec<Line>>),
    /// `for { let i := 0 } lt(i, times) { i := add(i, 1) } { … }`
    For(u32, u64, Vec<Line>),
    Block(Vec<Line>),
    Break,
    Continue,
    /// Ends a function.
    Leave,
    /// Ends the transaction.
    End(Ending),
}

/// How a transaction ends before its time, with so many bytes of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Ending {
    Return(Address, u64),
    Revert(Address, u64),
    Stop,
}

/// A function of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Routine {
    parameters: Vec<u32>,
    results: Vec<u32>,
    body: Vec<Line>,
}

/// A function of the contract, whose body is a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Entry {
    parameters: Vec<u32>,
    results: Vec<u32>,
    /// Each calls those before it; one that calls itself, or one behind it,
    /// counts down in its first parameter.
    routines: Vec<Routine>,
    body: Vec<Line>,
    /// It says that it is safe for memory.
    is_safe: bool,
}
