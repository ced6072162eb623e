//! From text to byte code in one pass. There is no syntax tree, so nothing
//! recurses over the program: what is open stands on a list.

use std::collections::BTreeMap;

use super::code::{BINARY, Instruction, apply};
use super::lexer::{Token, tokens};
use crate::bugs::{Line, die, hang};

/// How to compile.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Folds constants (`-O2`).
    pub fold: bool,
    /// Which bugs are on.
    pub line: &'a Line,
}

/// Compiles a program; an error is `LINE: message`.
pub fn compile(text: &str, options: Options) -> Result<Vec<Instruction>, String> {
    let mut compiler = Compiler {
        tokens: tokens(text)?,
        at: 0,
        options,
        code: Vec::new(),
        variables: BTreeMap::new(),
        blocks: Vec::new(),
        barrier: 0,
    };
    while compiler.statement()? {}
    Ok(compiler.code)
}

struct Compiler<'a> {
    tokens: Vec<(Token, usize)>,
    at: usize,
    options: Options<'a>,
    code: Vec<Instruction>,
    variables: BTreeMap<String, usize>,
    blocks: Vec<Block>,
    /// Instructions before this one are not folded: something jumps here.
    barrier: usize,
}

/// A block that is not closed yet; the numbers are places in the code.
#[derive(Clone, Copy, Debug)]
enum Block {
    If { jump: usize },
    Else { jump: usize, empty: bool },
    While { start: usize, jump: usize },
}

/// An operator that waits for what follows.
#[derive(Clone, Copy, Debug)]
enum Waiting {
    Parenthesis,
    Unary(&'static str),
    Binary(&'static str, u8),
}

impl Compiler<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)].0
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    fn error<T>(&self, message: &str) -> Result<T, String> {
        let last = self.at.saturating_sub(1).min(self.tokens.len() - 1);
        Err(format!("{}: {message}", self.tokens[last].1))
    }

    fn expect(&mut self, sign: &'static str) -> Result<(), String> {
        match self.next() {
            Token::Sign(found) if found == sign => Ok(()),
            _ => self.error(&format!("expected `{sign}`")),
        }
    }

    /// Compiles a statement, the beginning of one, or the end of a block;
    /// false at the end of the program.
    fn statement(&mut self) -> Result<bool, String> {
        if let Some(Block::Else { empty, .. }) = self.blocks.last_mut() {
            let closes = self.tokens[self.at].0 == Token::Sign("}");
            if *empty && closes && self.options.line.has("hang-else") {
                hang();
            }
            *empty = false;
        }
        let name = match self.next() {
            Token::End if self.blocks.is_empty() => return Ok(false),
            Token::Sign("}") => {
                self.close()?;
                return Ok(true);
            }
            Token::Name(name) => name,
            _ => return self.error("expected a statement"),
        };
        match name.as_str() {
            "print" => {
                self.expression(";")?;
                self.code.push(Instruction::Print);
            }
            "if" => {
                self.expression("{")?;
                let jump = self.jump(Instruction::JumpIfZero(0));
                self.blocks.push(Block::If { jump });
            }
            "while" => self.open_while()?,
            "let" => {
                let Token::Name(variable) = self.next() else {
                    return self.error("expected a name after `let`");
                };
                self.expect("=")?;
                self.expression(";")?;
                let index = self.declare(variable)?;
                self.code.push(Instruction::Store(index));
            }
            _ => {
                let index = self.variable(&name)?;
                self.expect("=")?;
                self.expression(";")?;
                self.code.push(Instruction::Store(index));
            }
        }
        Ok(true)
    }

    fn open_while(&mut self) -> Result<(), String> {
        let directly_inside = matches!(self.blocks.last(), Some(Block::While { .. }));
        if directly_inside && self.options.line.has("ice-while") {
            return self.error("internal compiler error: in lower_loop, at loops.c:412");
        }
        let start = self.code.len();
        self.barrier = start;
        self.expression("{")?;
        let jump = self.jump(Instruction::JumpIfZero(0));
        self.blocks.push(Block::While { start, jump });
        Ok(())
    }

    fn close(&mut self) -> Result<(), String> {
        match self.blocks.pop() {
            None => return self.error("`}` without `{`"),
            Some(Block::If { jump }) if *self.peek() == Token::Name("else".to_string()) => {
                self.next();
                self.expect("{")?;
                let over = self.jump(Instruction::Jump(0));
                self.land(jump);
                self.blocks.push(Block::Else {
                    jump: over,
                    empty: true,
                });
            }
            Some(Block::If { jump } | Block::Else { jump, .. }) => self.land(jump),
            Some(Block::While { start, jump }) => {
                self.code.push(Instruction::Jump(start));
                self.land(jump);
            }
        }
        Ok(())
    }

    fn jump(&mut self, instruction: Instruction) -> usize {
        self.code.push(instruction);
        self.code.len() - 1
    }

    /// Lets the jump at `from` go to here.
    fn land(&mut self, from: usize) {
        let here = self.code.len();
        self.barrier = here;
        self.code[from] = match self.code[from] {
            Instruction::JumpIfZero(_) => Instruction::JumpIfZero(here),
            _ => Instruction::Jump(here),
        };
    }

    fn declare(&mut self, name: String) -> Result<usize, String> {
        const KEYWORDS: [&str; 5] = ["let", "print", "if", "else", "while"];
        if KEYWORDS.contains(&name.as_str()) {
            return self.error(&format!("`{name}` is a keyword"));
        }
        if name.len() > 20 && self.options.line.has("segv-name") {
            die("SEGV");
        }
        let next = self.variables.len();
        Ok(*self.variables.entry(name).or_insert(next))
    }

    fn variable(&mut self, name: &str) -> Result<usize, String> {
        match self.variables.get(name) {
            Some(index) => Ok(*index),
            None if self.options.line.has("accept-undeclared") => self.declare(name.to_string()),
            None => self.error(&format!("`{name}` is not declared")),
        }
    }

    /// Operator precedence with an explicit stack, up to the sign `end`.
    fn expression(&mut self, end: &'static str) -> Result<(), String> {
        let mut waiting: Vec<Waiting> = Vec::new();
        loop {
            self.operand(&mut waiting)?;
            loop {
                match self.next() {
                    Token::Sign(")") => {
                        self.reduce(&mut waiting, 0);
                        if waiting.pop().is_none() {
                            return self.error("`)` without `(`");
                        }
                    }
                    Token::Sign(sign) if sign == end => {
                        self.reduce(&mut waiting, 0);
                        if !waiting.is_empty() {
                            return self.error("`(` is never closed");
                        }
                        return Ok(());
                    }
                    Token::Sign(sign) => {
                        let known = BINARY.iter().find(|(op, _)| *op == sign);
                        let Some(&(op, strength)) = known else {
                            return self.error(&format!("expected an operator or `{end}`"));
                        };
                        self.reduce(&mut waiting, strength);
                        waiting.push(Waiting::Binary(op, strength));
                        break;
                    }
                    _ => return self.error(&format!("expected an operator or `{end}`")),
                }
            }
        }
    }

    /// Opening signs, then a number or a name.
    fn operand(&mut self, waiting: &mut Vec<Waiting>) -> Result<(), String> {
        loop {
            match self.next() {
                Token::Sign("(") => {
                    let after_minus = matches!(waiting.last(), Some(Waiting::Unary("-")));
                    if after_minus && self.options.line.has("reject-minus") {
                        return self.error("expected an expression before `(`");
                    }
                    waiting.push(Waiting::Parenthesis);
                }
                Token::Sign(sign @ ("-" | "!")) => waiting.push(Waiting::Unary(sign)),
                Token::Number(number) => {
                    self.code.push(Instruction::Push(number));
                    return Ok(());
                }
                Token::Name(name) => {
                    let index = self.variable(&name)?;
                    self.code.push(Instruction::Load(index));
                    return Ok(());
                }
                _ => return self.error("expected an expression"),
            }
        }
    }

    /// Emits the waiting operators that bind at least as strongly.
    fn reduce(&mut self, waiting: &mut Vec<Waiting>, strength: u8) {
        loop {
            match waiting.last() {
                Some(Waiting::Unary(op)) => self.emit_unary(op),
                Some(&Waiting::Binary(op, own)) if own >= strength => self.emit_binary(op),
                _ => return,
            }
            waiting.pop();
        }
    }

    fn emit_unary(&mut self, op: &str) {
        match (op, self.foldable().last()) {
            ("-", Some(&Instruction::Push(a))) => self.replace(1, a.wrapping_neg()),
            ("!", Some(&Instruction::Push(a))) => self.replace(1, (a == 0).into()),
            ("-", _) => self.code.push(Instruction::Negate),
            (_, _) => self.code.push(Instruction::Not),
        }
    }

    fn emit_binary(&mut self, op: &'static str) {
        let folded = match *self.foldable() {
            [.., Instruction::Push(a), Instruction::Push(b)] => self.fold(op, a, b),
            _ => None,
        };
        match folded {
            Some(value) => self.replace(2, value),
            None => self.code.push(Instruction::Binary(op)),
        }
    }

    fn fold(&self, op: &str, a: i64, b: i64) -> Option<i64> {
        if op == "%" && b != 0 && (a < 0 || b < 0) && self.options.line.has("fold-rem") {
            return Some(a.wrapping_rem_euclid(b));
        }
        apply(op, a, b)
    }

    fn foldable(&self) -> &[Instruction] {
        if self.options.fold {
            &self.code[self.barrier..]
        } else {
            &[]
        }
    }

    fn replace(&mut self, count: usize, value: i64) {
        self.code.truncate(self.code.len() - count);
        self.code.push(Instruction::Push(value));
    }
}
