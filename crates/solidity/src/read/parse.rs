//! From tokens to declarations and statements.

use super::Unread;
use super::lex::Token;
use super::tree::{Declared, Kind, Part, Routine, Step, Tree, Unit};
use crate::ast::CatchKind;

/// Tokens, and how far they are read.
pub(super) struct Parser {
    tokens: Vec<Token>,
    at: usize,
    /// Blocks and brackets that are open.
    depth: usize,
}

/// The deepest nesting that is read.
const DEPTH: usize = 60;

const LOCATIONS: [&str; 3] = ["memory", "storage", "calldata"];

const VARIABLE_WORDS: [&str; 9] = [
    "public", "private", "internal", "constant", "immutable", "transient", "override", "indexed",
    "payable",
];

const FUNCTION_WORDS: [&str; 9] = [
    "public", "private", "internal", "external", "pure", "view", "payable", "virtual", "override",
];

impl Parser {
    pub(super) fn new(tokens: Vec<Token>) -> Parser {
        let (at, depth) = (0, 0);
        Parser { tokens, at, depth }
    }

    /// All that stands in the file.
    pub(super) fn file(&mut self) -> Result<Vec<Part>, Unread> {
        let mut parts = Vec::new();
        while self.at < self.tokens.len() {
            if self.eat_word("pragma") {
                while !self.eat(";") {
                    self.next()?;
                }
                continue;
            }
            if self.is_word("import") {
                return Err(Unread("several files"));
            }
            parts.push(self.part()?);
        }
        Ok(parts)
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn next(&mut self) -> Result<Token, Unread> {
        let token = self.peek().cloned().ok_or(Unread("an end too early"))?;
        self.at += 1;
        Ok(token)
    }

    /// One level deeper, which is not without end.
    pub(super) fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Unread>,
    ) -> Result<T, Unread> {
        if self.depth >= DEPTH {
            return Err(Unread("a program that is nested too deep"));
        }
        self.depth += 1;
        let done = read(self);
        self.depth -= 1;
        done
    }

    pub(super) fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(known)) if *known == sign)
    }

    pub(super) fn eat(&mut self, sign: &str) -> bool {
        let is = self.is(sign);
        self.at += usize::from(is);
        is
    }

    pub(super) fn expect(&mut self, sign: &str) -> Result<(), Unread> {
        match self.eat(sign) {
            true => Ok(()),
            false => Err(Unread("something else than was expected")),
        }
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Word(known)) if known == word)
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        self.at += usize::from(is);
        is
    }

    pub(super) fn sign(&mut self) -> Option<&'static str> {
        match self.peek() {
            Some(Token::Sign(sign)) => Some(sign),
            _ => None,
        }
    }

    pub(super) fn token(&mut self) -> Result<Token, Unread> {
        self.next()
    }

    pub(super) fn name(&mut self) -> Result<String, Unread> {
        match self.next()? {
            Token::Word(word) => Ok(word),
            _ => Err(Unread("something else than a name")),
        }
    }

    /// Names with dots between them.
    fn path(&mut self) -> Result<Vec<String>, Unread> {
        let mut path = vec![self.name()?];
        while self.eat(".") {
            path.push(self.name()?);
        }
        Ok(path)
    }

    fn separated<T>(
        &mut self,
        end: &str,
        mut read: impl FnMut(&mut Self) -> Result<T, Unread>,
    ) -> Result<Vec<T>, Unread> {
        let mut all = Vec::new();
        if self.eat(end) {
            return Ok(all);
        }
        loop {
            all.push(read(self)?);
            if self.eat(end) {
                return Ok(all);
            }
            self.expect(",")?;
        }
    }

    fn part(&mut self) -> Result<Part, Unread> {
        let Some(Token::Word(word)) = self.peek().cloned() else {
            return Err(Unread("a part of another kind"));
        };
        match word.as_str() {
            "contract" | "abstract" | "interface" | "library" => self.unit(),
            "struct" => {
                self.at += 1;
                let name = self.name()?;
                self.expect("{")?;
                let mut fields = Vec::new();
                while !self.eat("}") {
                    fields.push(self.declared()?);
                    self.expect(";")?;
                }
                Ok(Part::Struct(name, fields))
            }
            "enum" => {
                self.at += 1;
                let name = self.name()?;
                self.expect("{")?;
                Ok(Part::Enum(name, self.separated("}", Self::name)?))
            }
            "event" => self.signal(false),
            "error" if self.follows_call() => self.signal(true),
            "type" => {
                self.at += 1;
                let name = self.name()?;
                match self.eat_word("is") {
                    true => {
                        let kind = self.kind()?;
                        self.expect(";")?;
                        Ok(Part::ValueType(name, kind))
                    }
                    false => Err(Unread("a type of another kind")),
                }
            }
            "using" => {
                self.at += 1;
                if self.is("{") {
                    return Err(Unread("functions attached one by one"));
                }
                let library = self.path()?;
                while !self.eat(";") {
                    self.next()?;
                }
                Ok(Part::Using(library))
            }
            "function" | "constructor" | "modifier" | "receive" | "fallback" => self.routine(),
            _ => {
                let mut declared = self.declared()?;
                if self.eat("=") {
                    declared.value = Some(self.expression()?);
                }
                self.expect(";")?;
                Ok(Part::Variable(declared))
            }
        }
    }

    /// `error E(`
    fn follows_call(&self) -> bool {
        let next = self.tokens.get(self.at + 1);
        let after = self.tokens.get(self.at + 2);
        matches!(next, Some(Token::Word(_))) && after == Some(&Token::Sign("("))
    }

    fn unit(&mut self) -> Result<Part, Unread> {
        let sort = self.name()?;
        if sort == "abstract" {
            self.name()?;
        }
        let name = self.name()?;
        let mut bases = Vec::new();
        if self.eat_word("is") {
            loop {
                bases.push(self.path()?);
                if self.is("(") {
                    return Err(Unread("arguments of a base"));
                }
                if !self.eat(",") {
                    break;
                }
            }
        }
        self.expect("{")?;
        let mut parts = Vec::new();
        while !self.eat("}") {
            parts.push(self.part()?);
        }
        Ok(Part::Contract(Unit {
            sort,
            name,
            bases,
            parts,
        }))
    }

    fn signal(&mut self, is_error: bool) -> Result<Part, Unread> {
        self.at += 1;
        let name = self.name()?;
        self.expect("(")?;
        let parameters = self.separated(")", Self::declared)?;
        let anonymous = self.eat_word("anonymous");
        self.expect(";")?;
        Ok(Part::Signal {
            is_error,
            name,
            parameters,
            anonymous,
        })
    }

    fn routine(&mut self) -> Result<Part, Unread> {
        let sort = self.name()?;
        let name = match sort.as_str() {
            "function" | "modifier" if !self.is("(") => self.name()?,
            "function" => return Err(Unread("a type of functions")),
            _ => String::new(),
        };
        let mut parameters = Vec::new();
        if self.eat("(") {
            parameters = self.separated(")", Self::declared)?;
        }
        let (mut words, mut invoked, mut results) = (Vec::new(), Vec::new(), Vec::new());
        let body = loop {
            if self.eat(";") {
                break None;
            }
            if self.is("{") {
                break Some(self.block()?);
            }
            if self.eat_word("returns") {
                self.expect("(")?;
                results = self.separated(")", Self::declared)?;
                continue;
            }
            let path = self.path()?;
            if FUNCTION_WORDS.contains(&path[0].as_str()) {
                if path[0] == "override" && self.eat("(") {
                    self.separated(")", Self::path)?;
                }
                words.extend(path);
                continue;
            }
            let arguments = match self.eat("(") {
                true => self.separated(")", Self::expression)?,
                false => Vec::new(),
            };
            invoked.push((path, arguments));
        };
        Ok(Part::Routine(Routine {
            sort,
            name,
            parameters,
            results,
            words,
            invoked,
            body,
        }))
    }

    /// A type, words and a name, which may be missing.
    fn declared(&mut self) -> Result<Declared, Unread> {
        let kind = self.kind()?;
        let mut words = Vec::new();
        let mut name = String::new();
        while let Some(Token::Word(word)) = self.peek().cloned() {
            let is_word =
                LOCATIONS.contains(&word.as_str()) || VARIABLE_WORDS.contains(&word.as_str());
            match is_word {
                true => words.push(word),
                false if name.is_empty() => name = word,
                false => return Err(Unread("a declaration of another kind")),
            }
            self.at += 1;
            if words.last().is_some_and(|word| word == "override") && self.eat("(") {
                self.separated(")", Self::path)?;
            }
        }
        Ok(Declared {
            kind,
            words,
            name,
            value: None,
        })
    }

    pub(super) fn kind(&mut self) -> Result<Kind, Unread> {
        let mut kind = match self.peek() {
            Some(Token::Word(word)) if word == "mapping" => {
                self.at += 1;
                self.expect("(")?;
                let key = self.nested(Self::kind)?;
                if !self.is("=>") {
                    self.name()?;
                }
                self.expect("=>")?;
                let value = self.nested(Self::kind)?;
                if !self.is(")") {
                    self.name()?;
                }
                self.expect(")")?;
                Kind::Mapping(Box::new(key), Box::new(value))
            }
            Some(Token::Word(word)) if word == "function" => {
                return Err(Unread("a type of functions"));
            }
            _ => Kind::Path(self.path()?),
        };
        while self.eat("[") {
            let length = match self.is("]") {
                true => None,
                false => Some(Box::new(self.expression()?)),
            };
            self.expect("]")?;
            kind = Kind::Array(Box::new(kind), length);
        }
        Ok(kind)
    }

    fn block(&mut self) -> Result<Vec<Step>, Unread> {
        self.expect("{")?;
        let mut steps = Vec::new();
        while !self.eat("}") {
            steps.push(self.nested(Self::step)?);
        }
        Ok(steps)
    }

    /// A block, or one statement in place of it.
    fn body(&mut self) -> Result<Vec<Step>, Unread> {
        match self.is("{") {
            true => self.block(),
            false => Ok(vec![self.nested(Self::step)?]),
        }
    }

    fn in_brackets(&mut self) -> Result<Tree, Unread> {
        self.expect("(")?;
        let tree = self.expression()?;
        self.expect(")")?;
        Ok(tree)
    }

    fn step(&mut self) -> Result<Step, Unread> {
        if self.is("{") {
            return Ok(Step::Block(self.block()?));
        }
        let word = match self.peek() {
            Some(Token::Word(word)) => word.clone(),
            _ => String::new(),
        };
        let at = self.at;
        self.at += 1;
        match word.as_str() {
            "if" => {
                let condition = self.in_brackets()?;
                let yes = self.body()?;
                let no = match self.eat_word("else") {
                    true => Some(self.body()?),
                    false => None,
                };
                Ok(Step::If(condition, yes, no))
            }
            "for" => self.for_loop(),
            "while" => Ok(Step::While(self.in_brackets()?, self.body()?)),
            "do" => {
                let body = self.body()?;
                if !self.eat_word("while") {
                    return Err(Unread("a loop without its condition"));
                }
                let condition = self.in_brackets()?;
                self.expect(";")?;
                Ok(Step::DoWhile(body, condition))
            }
            "unchecked" => Ok(Step::Unchecked(self.block()?)),
            "return" => {
                let value = match self.is(";") {
                    true => None,
                    false => Some(self.expression()?),
                };
                self.expect(";")?;
                Ok(Step::Return(value))
            }
            "emit" => self.ended(Step::Emit),
            "revert" if matches!(self.peek(), Some(Token::Word(_))) => self.ended(Step::Revert),
            "break" => self.ended_plain(Step::Break),
            "continue" => self.ended_plain(Step::Continue),
            "_" if self.is(";") => self.ended_plain(Step::Underscore),
            "try" => self.attempt(),
            "assembly" => Err(Unread("inline assembly")),
            _ => {
                self.at = at;
                self.simple()
            }
        }
    }

    fn ended(&mut self, made: impl Fn(Tree) -> Step) -> Result<Step, Unread> {
        let tree = self.expression()?;
        self.ended_plain(made(tree))
    }

    fn ended_plain(&mut self, step: Step) -> Result<Step, Unread> {
        self.expect(";")?;
        Ok(step)
    }

    fn for_loop(&mut self) -> Result<Step, Unread> {
        self.expect("(")?;
        let start = match self.eat(";") {
            true => None,
            false => Some(Box::new(self.simple()?)),
        };
        let condition = match self.is(";") {
            true => None,
            false => Some(self.expression()?),
        };
        self.expect(";")?;
        let step = match self.is(")") {
            true => None,
            false => Some(self.expression()?),
        };
        self.expect(")")?;
        Ok(Step::For(start, condition, step, self.body()?))
    }

    fn attempt(&mut self) -> Result<Step, Unread> {
        let call = self.expression()?;
        let mut results = Vec::new();
        if self.eat_word("returns") {
            self.expect("(")?;
            results = self.separated(")", Self::declared)?;
        }
        let body = self.block()?;
        let mut catches = Vec::new();
        while self.eat_word("catch") {
            let kind = match self.peek() {
                Some(Token::Word(word)) if word == "Error" => CatchKind::Error,
                Some(Token::Word(word)) if word == "Panic" => CatchKind::Panic,
                Some(Token::Sign("(")) => CatchKind::Bytes,
                _ => CatchKind::All,
            };
            self.at += usize::from(matches!(kind, CatchKind::Error | CatchKind::Panic));
            if self.eat("(") {
                let caught = self.separated(")", Self::declared)?;
                if caught.iter().any(|declared| !declared.name.is_empty()) {
                    return Err(Unread("what is caught by name"));
                }
            }
            catches.push((kind, self.block()?));
        }
        Ok(Step::Try(call, results, body, catches))
    }

    /// A declaration or an expression.
    fn simple(&mut self) -> Result<Step, Unread> {
        let at = self.at;
        if let Ok(declared) = self.declaration() {
            return Ok(declared);
        }
        self.at = at;
        self.ended(Step::Expression)
    }

    fn declaration(&mut self) -> Result<Step, Unread> {
        const NONE: Unread = Unread("no declaration");
        let variables = match self.eat("(") {
            false => vec![Some(self.declared()?)],
            true => {
                let mut variables = Vec::new();
                loop {
                    variables.push(match self.is(",") || self.is(")") {
                        true => None,
                        false => Some(self.declared()?),
                    });
                    if self.eat(")") {
                        break;
                    }
                    self.expect(",")?;
                }
                variables
            }
        };
        let mut named = variables.iter().flatten();
        if named.clone().count() == 0 || named.any(|declared| declared.name.is_empty()) {
            return Err(NONE);
        }
        let value = match self.eat("=") {
            true => Some(self.expression()?),
            false => None,
        };
        self.expect(";")?;
        Ok(Step::Declare(variables, value))
    }

    pub(super) fn arguments(&mut self) -> Result<Vec<Tree>, Unread> {
        if self.is("{") {
            return Err(Unread("arguments by their names"));
        }
        self.separated(")", Self::expression)
    }
}
