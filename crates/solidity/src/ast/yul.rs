//! The text of inline assembly.

use super::print::Printer;
use super::{Yul, YulCall, YulOperand};

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
                    self.push("function ");
                    self.name("g", *number);
                    self.push("(a) -> b { b := ");
                    self.push(opcode);
                    self.push("(a, ");
                    self.layout.push_number(*value);
                    self.push(") }");
                }
                Yul::MemorySafe => {}
            }
        }
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
