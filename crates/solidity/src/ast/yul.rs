//! Inline assembly and its text.

use super::VariableId;
use super::print::Printer;

/// A line of inline assembly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Yul {
    /// `x := f(…)`
    Assign(VariableId, YulCall),
    /// `let yN := f(…)`
    Let(u32, YulCall),
    /// `if f(…) { line }`
    If(YulCall, Box<Yul>),
    /// `mstore(address, f(…))`
    Store(YulCall),
    /// `for { let yN := 0 } lt(yN, times) { yN := add(yN, 1) } { line }`
    For(u32, u64, Box<Yul>),
    /// `switch f(…) case 0 { line } default { line }`
    Switch(YulCall, Box<Yul>, Box<Yul>),
    /// `function gN(a) -> b { b := f(a, number) }`
    Function(u32, &'static str, u64),
    /// `let yN := gN(f(…))` of a function of the block.
    LetOwn(u32, u32, YulCall),
    /// No line: the block says that it is safe for memory.
    MemorySafe,
}

/// A call of an opcode on values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YulCall {
    /// The opcode.
    pub name: &'static str,
    /// Its operands.
    pub operands: Vec<YulOperand>,
}

/// A value in inline assembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum YulOperand {
    /// A local variable of the function.
    Variable(VariableId),
    /// A variable of the block.
    Local(u32),
    /// A number.
    Number(u64),
}

/// Something that is still to be printed.
enum Piece<'a> {
    Line(&'a Yul),
    Text(&'static str),
}

impl Printer<'_> {
    pub(super) fn assembly(&mut self, lines: &[Yul], depth: usize) {
        self.push(match lines.contains(&Yul::MemorySafe) {
            true => "assembly (\"memory-safe\") {\n",
            false => "assembly {\n",
        });
        for line in lines.iter().filter(|line| **line != Yul::MemorySafe) {
            self.indent(depth + 1);
            self.yul(line);
            self.push("\n");
        }
        self.indent(depth);
        self.push("}");
    }

    /// A line and all lines in it.
    fn yul(&mut self, line: &Yul) {
        use Piece::{Line, Text};
        let mut pieces = vec![Line(line)];
        while let Some(piece) = pieces.pop() {
            let line = match piece {
                Text(text) => {
                    self.push(text);
                    continue;
                }
                Line(line) => line,
            };
            match line {
                Yul::Assign(variable, call) => {
                    self.name("v", variable.0);
                    self.push(" := ");
                    self.yul_call(call);
                }
                Yul::Let(number, call) => {
                    self.let_local(*number);
                    self.yul_call(call);
                }
                Yul::LetOwn(number, function, call) => {
                    self.let_local(*number);
                    self.name("g", *function);
                    self.push("(");
                    self.yul_call(call);
                    self.push(")");
                }
                Yul::Store(call) => {
                    self.push("mstore(0, ");
                    self.yul_call(call);
                    self.push(")");
                }
                Yul::If(condition, inner) => {
                    self.push("if ");
                    self.yul_call(condition);
                    self.push(" { ");
                    pieces.extend([Text(" }"), Line(inner)]);
                }
                Yul::For(number, times, inner) => {
                    self.loop_head(*number, *times);
                    pieces.extend([Text(" }"), Line(inner)]);
                }
                Yul::Switch(value, zero, other) => {
                    self.push("switch ");
                    self.yul_call(value);
                    self.push(" case 0 { ");
                    let middle = Text(" } default { ");
                    pieces.extend([Text(" }"), Line(other), middle, Line(zero)]);
                }
                Yul::Function(number, opcode, value) => {
                    self.yul_function(*number, opcode, *value);
                }
                Yul::MemorySafe => {}
            }
        }
    }

    fn yul_function(&mut self, number: u32, opcode: &str, value: u64) {
        self.push("function ");
        self.name("g", number);
        self.push("(a) -> b { b := ");
        self.push(opcode);
        self.push("(a, ");
        self.layout.push_number(value);
        self.push(") }");
    }

    /// `let yN := `
    fn let_local(&mut self, number: u32) {
        self.push("let ");
        self.name("y", number);
        self.push(" := ");
    }

    fn loop_head(&mut self, number: u32, times: u64) {
        self.push("for { ");
        self.let_local(number);
        self.push("0 } lt(");
        self.name("y", number);
        self.push(", ");
        self.layout.push_number(times);
        self.push(") { ");
        self.name("y", number);
        self.push(" := add(");
        self.name("y", number);
        self.push(", 1) } { ");
    }

    fn yul_call(&mut self, call: &YulCall) {
        self.push(call.name);
        self.push("(");
        for (at, operand) in call.operands.iter().enumerate() {
            self.push(if at == 0 { "" } else { ", " });
            match operand {
                YulOperand::Variable(variable) => self.name("v", variable.0),
                YulOperand::Local(number) => self.name("y", *number),
                YulOperand::Number(number) => self.layout.push_number(*number),
            }
        }
        self.push(")");
    }
}
