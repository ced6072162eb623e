//! The byte code, its text form, and the machine that runs it.

use std::io::{self, Write};

use crate::bugs::{Line, fail_assertion};

/// One instruction of the stack machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// Pushes a number.
    Push(i64),
    /// Pushes a variable.
    Load(usize),
    /// Pops into a variable.
    Store(usize),
    /// Pops and prints.
    Print,
    /// Pops; goes there if it was zero.
    JumpIfZero(usize),
    /// Goes there.
    Jump(usize),
    /// Replaces the top by 0 or 1.
    Not,
    /// Negates the top.
    Negate,
    /// Pops two, pushes one: `+ - * / % < <= > >= == != && ||`.
    Binary(&'static str),
}

/// The operators of [`Instruction::Binary`], with how strongly they bind.
pub(super) const BINARY: [(&str, u8); 13] = [
    ("||", 1),
    ("&&", 2),
    ("==", 3),
    ("!=", 3),
    ("<", 4),
    ("<=", 4),
    (">", 4),
    (">=", 4),
    ("+", 5),
    ("-", 5),
    ("*", 6),
    ("/", 6),
    ("%", 6),
];

/// Programs that run longer are ended.
const MOST_STEPS: u64 = 1_000_000;

/// What an operator means; `None` is a division by zero.
pub(super) fn apply(op: &str, a: i64, b: i64) -> Option<i64> {
    Some(match op {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" if b != 0 => a.wrapping_div(b),
        "%" if b != 0 => a.wrapping_rem(b),
        "<" => (a < b).into(),
        "<=" => (a <= b).into(),
        ">" => (a > b).into(),
        ">=" => (a >= b).into(),
        "==" => (a == b).into(),
        "!=" => (a != b).into(),
        "&&" => (a != 0 && b != 0).into(),
        "||" => (a != 0 || b != 0).into(),
        _ => return None,
    })
}

/// Writes code as text, one instruction a line.
pub fn write_code(code: &[Instruction]) -> String {
    let lines = code.iter().map(|instruction| match instruction {
        Instruction::Push(number) => format!("push {number}\n"),
        Instruction::Load(variable) => format!("load {variable}\n"),
        Instruction::Store(variable) => format!("store {variable}\n"),
        Instruction::Print => "print\n".to_string(),
        Instruction::JumpIfZero(to) => format!("jumpz {to}\n"),
        Instruction::Jump(to) => format!("jump {to}\n"),
        Instruction::Not => "not\n".to_string(),
        Instruction::Negate => "neg\n".to_string(),
        Instruction::Binary(op) => format!("op {op}\n"),
    });
    lines.collect()
}

/// Reads what [`write_code`] writes.
pub fn read_code(text: &str) -> Result<Vec<Instruction>, String> {
    let read = |(index, line): (usize, &str)| {
        let bad = || format!("{}: bad instruction", index + 1);
        let (word, argument) = line.split_once(' ').unwrap_or((line, ""));
        let place = || argument.parse().map_err(|_| bad());
        Ok(match word {
            "push" => Instruction::Push(argument.parse().map_err(|_| bad())?),
            "load" => Instruction::Load(place()?),
            "store" => Instruction::Store(place()?),
            "print" => Instruction::Print,
            "jumpz" => Instruction::JumpIfZero(place()?),
            "jump" => Instruction::Jump(place()?),
            "not" => Instruction::Not,
            "neg" => Instruction::Negate,
            "op" => {
                let known = BINARY.iter().find(|(op, _)| *op == argument);
                Instruction::Binary(known.ok_or_else(bad)?.0)
            }
            _ => return Err(bad()),
        })
    };
    text.lines().enumerate().map(read).collect()
}

/// Runs code.
#[derive(Debug)]
pub struct Machine<'a> {
    line: &'a Line,
    stack: Vec<i64>,
    variables: Vec<i64>,
}

/// How a program fails by itself.
type Failure = &'static str;

impl Machine<'_> {
    /// A machine with the bugs that are switched on.
    pub fn new(line: &Line) -> Machine<'_> {
        Machine {
            line,
            stack: Vec::new(),
            variables: Vec::new(),
        }
    }

    /// Runs to the end; the inner error is the program's own.
    pub fn run(
        &mut self,
        code: &[Instruction],
        out: &mut dyn Write,
    ) -> io::Result<Result<(), Failure>> {
        let mut at = 0;
        for _ in 0..MOST_STEPS {
            let Some(&instruction) = code.get(at) else {
                return Ok(Ok(()));
            };
            at += 1;
            let done = match instruction {
                Instruction::Jump(to) => {
                    at = to;
                    Ok(())
                }
                Instruction::JumpIfZero(to) => self.pop().map(|value| {
                    if value == 0 {
                        at = to;
                    }
                }),
                Instruction::Print => match self.pop() {
                    Ok(value) => {
                        self.print(value, out)?;
                        Ok(())
                    }
                    Err(failure) => Err(failure),
                },
                _ => self.compute(instruction, code.len()),
            };
            if done.is_err() {
                return Ok(done);
            }
        }
        Ok(Err("step limit reached"))
    }

    fn pop(&mut self) -> Result<i64, Failure> {
        self.stack.pop().ok_or("broken byte code")
    }

    /// Everything that neither jumps nor prints. A variable's number is below
    /// the length of the code that stores it.
    fn compute(&mut self, instruction: Instruction, most: usize) -> Result<(), Failure> {
        let value = match instruction {
            Instruction::Push(number) => number,
            Instruction::Load(index) => self.variables.get(index).copied().unwrap_or(0),
            Instruction::Not => (self.pop()? == 0).into(),
            Instruction::Negate => self.pop()?.wrapping_neg(),
            Instruction::Binary(op) => {
                let (b, a) = (self.pop()?, self.pop()?);
                let wrong = self.line.has("less-equal") && op == "<=";
                apply(if wrong { "<" } else { op }, a, b).ok_or("division by zero")?
            }
            Instruction::Store(index) if index < most => {
                let value = self.pop()?;
                self.variables
                    .resize(self.variables.len().max(index + 1), 0);
                self.variables[index] = value;
                return Ok(());
            }
            _ => return Err("broken byte code"),
        };
        self.stack.push(value);
        Ok(())
    }

    fn print(&self, value: i64, out: &mut dyn Write) -> io::Result<()> {
        if value < 0 && self.line.has("print-negative") {
            out.flush()?;
            fail_assertion("print.c:57: print_number: Assertion `digits > 0' failed.");
        }
        writeln!(out, "{value}")
    }
}
