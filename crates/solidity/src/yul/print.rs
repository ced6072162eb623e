//! The text of contracts of blocks, and of objects that stand alone.

use std::fmt::Write;

use super::{Address, Ending, Entry, Line, MEMORY, SLOTS, Slot, Term, WORD};

/// Where Solidity keeps the beginning of free memory.
const FREE_POINTER: u64 = 64;

/// Numbers from here on are written in digits of base 16.
const LARGE: u64 = 100_000;

/// The text of a contract; its last function reads a slot of storage.
pub(super) fn print_contract(entries: &[Entry]) -> String {
    let mut printer = Printer {
        text: String::new(),
        depth: 2,
    };
    printer.push("// SPDX-License-Identifier: MIT\npragma solidity >=0.6.0;\ncontract C0 {\n");
    for (number, entry) in entries.iter().enumerate() {
        printer.entry(number, entry);
    }
    let _ = write!(
        printer.text,
        "    function f{}(uint256 slot) public view returns (uint256 value) {{\n        \
         assembly {{ value := sload(slot) }}\n    }}\n}}\n",
        entries.len()
    );
    printer.text
}

/// The text of an object. The first word of the data says which function is
/// called with the words behind it; any other number reads a slot of storage.
pub(super) fn print_object(entries: &[Entry]) -> String {
    let mut printer = Printer {
        text: OBJECT_HEAD.to_string(),
        depth: 3,
    };
    printer.indent();
    let _ = writeln!(
        printer.text,
        "mstore({FREE_POINTER}, memoryguard({FREE_MEMORY}))"
    );
    printer.indent();
    printer.push("switch calldataload(0)\n");
    for (number, entry) in entries.iter().enumerate() {
        printer.dispatch(number, entry);
    }
    printer.push(OBJECT_READS);
    for (number, entry) in entries.iter().enumerate() {
        printer.function(number, entry);
    }
    printer.push("        }\n    }\n}\n");
    printer.text
}

/// Where free memory begins.
const FREE_MEMORY: u64 = 128;

const OBJECT_HEAD: &str = r#"object "C0" {
    code {
        datacopy(0, dataoffset("runtime"), datasize("runtime"))
        return(0, datasize("runtime"))
    }
    object "runtime" {
        code {
"#;

const OBJECT_READS: &str = "            default {
                mstore(0, sload(calldataload(32)))
                return(0, 32)
            }
";

struct Printer {
    text: String,
    depth: usize,
}

impl Printer {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn indent(&mut self) {
        for _ in 0..self.depth {
            self.push("    ");
        }
    }

    /// A function of a contract.
    fn entry(&mut self, number: usize, entry: &Entry) {
        let declared = |names: &[u32]| {
            let names = names.iter().map(|name| format!("uint256 v{name}"));
            names.collect::<Vec<String>>().join(", ")
        };
        let _ = writeln!(
            self.text,
            "    function f{number}({}) public returns ({}) {{",
            declared(&entry.parameters),
            declared(&entry.results)
        );
        self.indent();
        self.push(match entry.is_safe {
            true => "assembly (\"memory-safe\") {\n",
            false => "assembly {\n",
        });
        self.body(entry);
        self.push("    }\n");
    }

    /// A function of an object.
    fn function(&mut self, number: usize, entry: &Entry) {
        self.indent();
        let _ = write!(self.text, "function f{number}(");
        self.names(&entry.parameters);
        self.push(") -> ");
        self.names(&entry.results);
        self.push(" {\n");
        self.body(entry);
    }

    /// Calls a function with words of the data, and returns what it returns.
    fn dispatch(&mut self, number: usize, entry: &Entry) {
        self.indent();
        let _ = writeln!(self.text, "case {number} {{");
        self.depth += 1;
        self.indent();
        self.push("let ");
        self.names(&entry.results);
        let words = 1..=entry.parameters.len() as u64;
        let words = words.map(|word| format!("calldataload({})", WORD * word));
        let arguments = words.collect::<Vec<String>>().join(", ");
        let _ = writeln!(self.text, " := f{number}({arguments})");
        for (at, name) in (0u64..).zip(&entry.results) {
            self.indent();
            let _ = writeln!(self.text, "mstore({}, v{name})", WORD * at);
        }
        self.indent();
        let size = WORD * entry.results.len() as u64;
        let _ = writeln!(self.text, "return(0, {size})");
        self.depth -= 1;
        self.indent();
        self.push("}\n");
    }

    /// What is between the braces, and the last of them.
    fn body(&mut self, entry: &Entry) {
        self.depth += 1;
        for (number, routine) in entry.routines.iter().enumerate() {
            self.indent();
            let _ = write!(self.text, "function g{number}(m");
            for name in &routine.parameters {
                let _ = write!(self.text, ", v{name}");
            }
            self.push(")");
            if !routine.results.is_empty() {
                self.push(" -> ");
                self.names(&routine.results);
            }
            self.push(" ");
            self.block(&routine.body);
            self.push("\n");
        }
        self.indent();
        let _ = writeln!(self.text, "let m := mload({FREE_POINTER})");
        self.indent();
        let _ = writeln!(self.text, "mstore({FREE_POINTER}, add(m, {MEMORY}))");
        for line in &entry.body {
            self.line(line);
        }
        self.depth -= 1;
        self.indent();
        self.push("}\n");
    }

    fn names(&mut self, names: &[u32]) {
        let names = names.iter().map(|name| format!("v{name}"));
        let names = names.collect::<Vec<String>>().join(", ");
        self.push(&names);
    }

    fn block(&mut self, lines: &[Line]) {
        self.push("{\n");
        self.depth += 1;
        for line in lines {
            self.line(line);
        }
        self.depth -= 1;
        self.indent();
        self.push("}");
    }

    fn line(&mut self, line: &Line) {
        self.indent();
        match line {
            Line::Let(names, value) => {
                self.push("let ");
                self.names(names);
                if let Some(value) = value {
                    self.push(" := ");
                    self.term(value);
                }
            }
            Line::Assign(names, value) => {
                self.names(names);
                self.push(" := ");
                self.term(value);
            }
            Line::Point {
                pointer,
                is_new,
                to,
            } => {
                let word = if *is_new { "let " } else { "" };
                let _ = write!(self.text, "{word}v{pointer} := ");
                self.address(to);
            }
            Line::Drop(call @ Term::Call(..)) => self.term(call),
            Line::Drop(value) => {
                self.push("pop(");
                self.term(value);
                self.push(")");
            }
            Line::Memory(address, value) => self.store_memory("mstore", address, value),
            Line::Byte(address, value) => self.store_memory("mstore8", address, value),
            Line::Storage(slot, value) => self.store_slot("sstore", slot, value),
            Line::Transient(slot, value) => self.store_slot("tstore", slot, value),
            Line::If(condition, body) => {
                self.push("if ");
                self.term(condition);
                self.push(" ");
                self.block(body);
            }
            Line::Switch(value, cases, default) => self.switch(value, cases, default.as_deref()),
            Line::For(counter, times, body) => {
                let _ = write!(
                    self.text,
                    "for {{ let v{counter} := 0 }} lt(v{counter}, {times}) \
                     {{ v{counter} := add(v{counter}, 1) }} "
                );
                self.block(body);
            }
            Line::Block(body) => self.block(body),
            Line::Break => self.push("break"),
            Line::Continue => self.push("continue"),
            Line::Leave => self.push("leave"),
            Line::End(Ending::Return(from, length)) => self.ended("return", from, *length),
            Line::End(Ending::Revert(from, length)) => self.ended("revert", from, *length),
            Line::End(Ending::Stop) => self.push("stop()"),
        }
        self.push("\n");
    }

    fn switch(&mut self, value: &Term, cases: &[(u64, Vec<Line>)], default: Option<&[Line]>) {
        self.push("switch ");
        self.term(value);
        for (case, body) in cases {
            self.push("\n");
            self.indent();
            let _ = write!(self.text, "case {case} ");
            self.block(body);
        }
        if let Some(body) = default {
            self.push("\n");
            self.indent();
            self.push("default ");
            self.block(body);
        }
    }

    fn ended(&mut self, name: &str, from: &Address, length: u64) {
        let _ = write!(self.text, "{name}(");
        self.address(from);
        let _ = write!(self.text, ", {length})");
    }

    fn store_memory(&mut self, name: &str, address: &Address, value: &Term) {
        let _ = write!(self.text, "{name}(");
        self.address(address);
        self.push(", ");
        self.term(value);
        self.push(")");
    }

    fn store_slot(&mut self, name: &str, slot: &Slot, value: &Term) {
        let _ = write!(self.text, "{name}(");
        self.slot(slot);
        self.push(", ");
        self.term(value);
        self.push(")");
    }

    fn address(&mut self, address: &Address) {
        match address {
            Address::At(at) => {
                let _ = write!(self.text, "add(m, {at})");
            }
            Address::Of(index) => {
                self.push("add(m, and(");
                self.term(index);
                let _ = write!(self.text, ", {}))", MEMORY - WORD - 1);
            }
            Address::From(pointer, 0) => {
                let _ = write!(self.text, "v{pointer}");
            }
            Address::From(pointer, offset) => {
                let _ = write!(self.text, "add(v{pointer}, {offset})");
            }
        }
    }

    fn slot(&mut self, slot: &Slot) {
        match slot {
            Slot::At(at) => {
                let _ = write!(self.text, "{at}");
            }
            Slot::Of(index) => {
                self.push("and(");
                self.term(index);
                let _ = write!(self.text, ", {})", SLOTS - 1);
            }
            Slot::Word(index) => self.term(index),
        }
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Number(value) => {
                let _ = match *value < dashu_int::UBig::from(LARGE) {
                    true => write!(self.text, "{value}"),
                    false => write!(self.text, "0x{}", value.in_radix(16)),
                };
            }
            Term::Local(name) => {
                let _ = write!(self.text, "v{name}");
            }
            Term::Opcode(opcode, operands) => {
                self.push(opcode.row().0);
                self.push("(");
                self.list(operands);
            }
            Term::Memory(address) => {
                self.push("mload(");
                self.address(address);
                self.push(")");
            }
            Term::Hash(address, length) => {
                self.push("keccak256(");
                self.address(address);
                let _ = write!(self.text, ", {length})");
            }
            Term::Storage(slot) => {
                self.push("sload(");
                self.slot(slot);
                self.push(")");
            }
            Term::Transient(slot) => {
                self.push("tload(");
                self.slot(slot);
                self.push(")");
            }
            Term::Call(routine, arguments) => {
                let _ = write!(self.text, "g{routine}(m");
                if !arguments.is_empty() {
                    self.push(", ");
                }
                self.list(arguments);
            }
        }
    }

    /// Operands and the closing parenthesis.
    fn list(&mut self, terms: &[Term]) {
        for (at, term) in terms.iter().enumerate() {
            self.push(if at == 0 { "" } else { ", " });
            self.term(term);
        }
        self.push(")");
    }
}
