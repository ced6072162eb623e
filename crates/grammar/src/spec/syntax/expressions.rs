//! Expressions and patterns.
//!
//! ```text
//! expr    = 'if' expr 'then' expr 'else' expr
//!         | 'let' pattern '=' expr 'in' expr
//!         | 'match' expr '{' (pattern '=>' expr),+ '}'
//!         | 'fold' NAME '=' expr 'for' pattern 'in' expr 'do' expr
//!         | binary
//! binary  = or, and, comparison, ++, + -, * / % (the later the tighter)
//! unary   = ('not' | '-') unary | postfix
//! postfix = primary ('.' NAME | 'with' '{' (NAME ':' expr),+ '}')*
//! primary = NUMBER | TEXT+ | 'true' | 'false' | NAME | NAME '(' expr,* ')'
//!         | NAME '(' (NAME ':' expr),+ ')' | '(' expr,+ ')'
//!         | '[' expr,* ']' | '[' expr (('for' pattern 'in' expr) | ('if' expr))+ ']'
//! pattern = '_' | NAME | NUMBER | '-' NUMBER | TEXT | 'true' | 'false'
//!         | NAME '(' pattern,+ ')' | '(' pattern ',' pattern,+ ')'
//! ```

use super::lexer::TokenKind;
use super::templates;
use super::{BinaryOp, Clause, Expr, ExprKind, MAX_DEPTH, Name, Parser, Pattern, PatternKind};
use crate::spec::source::{Problem, Span};

/// Binary operators by how tightly they bind.
const LEVELS: [&[(&str, BinaryOp)]; 6] = [
    &[("or", BinaryOp::Or)],
    &[("and", BinaryOp::And)],
    &[
        ("==", BinaryOp::Equal),
        ("!=", BinaryOp::NotEqual),
        ("<=", BinaryOp::LessEqual),
        (">=", BinaryOp::GreaterEqual),
        ("<", BinaryOp::Less),
        (">", BinaryOp::Greater),
    ],
    &[("++", BinaryOp::Join)],
    &[("+", BinaryOp::Add), ("-", BinaryOp::Subtract)],
    &[
        ("*", BinaryOp::Multiply),
        ("/", BinaryOp::Divide),
        ("%", BinaryOp::Remainder),
    ],
];

/// Words that are no names.
pub(super) const KEYWORDS: [&str; 16] = [
    "if", "then", "else", "let", "in", "match", "fold", "for", "do", "and", "or", "not", "true",
    "false", "with", "loc",
];

impl Parser<'_> {
    pub(crate) fn expr(&mut self) -> Result<Expr, Problem> {
        self.deeper(|parser| {
            let start = parser.peek().span;
            let kind = match parser.peek_word() {
                Some("if") => parser.conditional()?,
                Some("let") => parser.binding()?,
                Some("match") => parser.matching()?,
                Some("fold") => parser.folding()?,
                _ => return parser.binary(0),
            };
            Ok(parser.made(start, kind))
        })
    }

    /// An expression from `start` to the last token read.
    fn made(&self, start: Span, kind: ExprKind) -> Expr {
        let span = start.to(self.last());
        Expr { span, kind }
    }

    fn conditional(&mut self) -> Result<ExprKind, Problem> {
        self.advance();
        let condition = self.expr()?;
        self.word("then")?;
        let yes = self.expr()?;
        self.word("else")?;
        let no = self.expr()?;
        Ok(ExprKind::If(condition.into(), yes.into(), no.into()))
    }

    fn binding(&mut self) -> Result<ExprKind, Problem> {
        self.advance();
        let pattern = self.pattern()?;
        self.mark("=")?;
        let value = self.expr()?;
        self.word("in")?;
        Ok(ExprKind::Let(pattern, value.into(), self.expr()?.into()))
    }

    fn matching(&mut self) -> Result<ExprKind, Problem> {
        self.advance();
        let value = self.expr()?;
        self.mark("{")?;
        let arms = self.list("}", |parser| {
            let pattern = parser.pattern()?;
            parser.mark("=>")?;
            Ok((pattern, parser.expr()?))
        })?;
        Ok(ExprKind::Match(value.into(), arms))
    }

    fn folding(&mut self) -> Result<ExprKind, Problem> {
        self.advance();
        let name = self.small_word("a name")?;
        self.mark("=")?;
        let start = self.expr()?.into();
        self.word("for")?;
        let pattern = self.pattern()?;
        self.word("in")?;
        let list = self.expr()?.into();
        self.word("do")?;
        let body = self.expr()?.into();
        Ok(ExprKind::Fold {
            name,
            start,
            pattern,
            list,
            body,
        })
    }

    fn operator(&self, level: usize) -> Option<BinaryOp> {
        let token = self.peek();
        let words = match token.kind {
            TokenKind::Mark(_) | TokenKind::Name => self.words(token.span),
            _ => return None,
        };
        let found = LEVELS[level].iter().find(|(mark, _)| *mark == words);
        found.map(|(_, op)| *op)
    }

    fn binary(&mut self, level: usize) -> Result<Expr, Problem> {
        if level == LEVELS.len() {
            return self.unary();
        }
        let start = self.peek().span;
        let mut left = self.binary(level + 1)?;
        let mut count = 0;
        while let Some(op) = self.operator(level) {
            count += 1;
            let comparison = level == 2;
            if comparison && count > 1 {
                let problem = "comparisons do not chain: write `a < b and b < c`";
                return Err(Problem::error(self.peek().span, problem));
            }
            if count > MAX_DEPTH {
                let problem = format!("more than {MAX_DEPTH} operators in a row");
                return Err(Problem::error(self.peek().span, problem));
            }
            self.advance();
            let right = self.binary(level + 1)?;
            left = self.made(start, ExprKind::Binary(op, left.into(), right.into()));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, Problem> {
        let start = self.peek().span;
        let not = self.peek_word() == Some("not");
        if !not && !self.at("-") {
            return self.postfix();
        }
        self.advance();
        let inner = self.deeper(Parser::unary)?;
        let kind = match (not, inner.kind) {
            (true, kind) => ExprKind::Not(Box::new(Expr { kind, ..inner })),
            (false, ExprKind::Int(number)) => ExprKind::Int(-number),
            (false, kind) => ExprKind::Minus(Box::new(Expr { kind, ..inner })),
        };
        Ok(self.made(start, kind))
    }

    fn postfix(&mut self) -> Result<Expr, Problem> {
        let start = self.peek().span;
        let mut base = self.primary()?;
        for _ in 0..MAX_DEPTH {
            let kind = if self.take(".") {
                ExprKind::Field(base.into(), self.name("a field or an attribute")?)
            } else if self.peek_word() == Some("with") {
                self.advance();
                self.mark("{")?;
                ExprKind::With(base.into(), self.list("}", Parser::named)?)
            } else {
                return Ok(base);
            };
            base = self.made(start, kind);
        }
        let problem = format!("more than {MAX_DEPTH} fields in a row");
        Err(Problem::error(self.peek().span, problem))
    }

    fn named(&mut self) -> Result<(Name, Expr), Problem> {
        let name = self.name("a field")?;
        self.mark(":")?;
        Ok((name, self.expr()?))
    }

    fn primary(&mut self) -> Result<Expr, Problem> {
        let token = self.peek();
        let kind = match token.kind {
            TokenKind::Number(number) => {
                self.advance();
                ExprKind::Int(number)
            }
            TokenKind::Text => ExprKind::Text(templates::text(self)?),
            TokenKind::Mark("(") => {
                self.advance();
                let mut all = self.list(")", Parser::expr)?;
                match all.len() {
                    0 => return Err(Problem::error(token.span, "expected an expression")),
                    1 => return Ok(all.remove(0)),
                    _ => ExprKind::Tuple(all),
                }
            }
            TokenKind::Mark("[") => self.bracketed()?,
            TokenKind::Name => self.named_primary()?,
            _ => return Err(self.expected("an expression")),
        };
        Ok(self.made(token.span, kind))
    }

    fn named_primary(&mut self) -> Result<ExprKind, Problem> {
        let token = self.advance();
        let text = self.words(token.span).to_string();
        match text.as_str() {
            "true" => return Ok(ExprKind::Bool(true)),
            "false" => return Ok(ExprKind::Bool(false)),
            word if KEYWORDS.contains(&word) => {
                let problem = format!("expected an expression, found `{word}`");
                return Err(Problem::error(token.span, problem));
            }
            _ => {}
        }
        let span = token.span;
        let name = Name { text, span };
        if !self.take("(") {
            return Ok(ExprKind::Name(name.text));
        }
        let is_named =
            self.peek().kind == TokenKind::Name && self.peek_second().kind == TokenKind::Mark(":");
        Ok(match is_named {
            true => ExprKind::Record(name, self.list(")", Parser::named)?),
            false => ExprKind::Call(name, self.list(")", Parser::expr)?),
        })
    }

    fn bracketed(&mut self) -> Result<ExprKind, Problem> {
        self.advance();
        if self.take("]") {
            return Ok(ExprKind::List(Vec::new()));
        }
        let first = self.expr()?;
        if self.peek_word() != Some("for") {
            let mut all = vec![first];
            if !self.at("]") {
                self.mark(",")?;
            }
            all.extend(self.list("]", Parser::expr)?);
            return Ok(ExprKind::List(all));
        }
        let mut clauses = Vec::new();
        while !self.take("]") {
            if clauses.len() == MAX_DEPTH {
                let problem = format!("more than {MAX_DEPTH} clauses");
                return Err(Problem::error(self.peek().span, problem));
            }
            clauses.push(match self.peek_word() {
                Some("for") => {
                    self.advance();
                    let pattern = self.pattern()?;
                    self.word("in")?;
                    Clause::For(pattern, self.expr()?)
                }
                Some("if") => {
                    self.advance();
                    Clause::If(self.expr()?)
                }
                _ => return Err(self.expected("`for`, `if` or `]`")),
            });
        }
        Ok(ExprKind::Each(first.into(), clauses))
    }

    pub(super) fn pattern(&mut self) -> Result<Pattern, Problem> {
        self.deeper(|parser| {
            let start = parser.peek().span;
            let kind = parser.pattern_kind()?;
            let span = start.to(parser.last());
            Ok(Pattern { span, kind })
        })
    }

    fn pattern_kind(&mut self) -> Result<PatternKind, Problem> {
        let token = self.peek();
        match token.kind {
            TokenKind::Number(number) => {
                self.advance();
                Ok(PatternKind::Int(number))
            }
            TokenKind::Mark("-") => {
                self.advance();
                match self.advance().kind {
                    TokenKind::Number(number) => Ok(PatternKind::Int(-number)),
                    _ => Err(Problem::error(token.span, "expected a number after `-`")),
                }
            }
            TokenKind::Text => Ok(PatternKind::Text(templates::plain(self)?)),
            TokenKind::Mark("(") => {
                self.advance();
                let mut all = self.list(")", Parser::pattern)?;
                match all.len() {
                    0 => Err(Problem::error(token.span, "expected a pattern")),
                    1 => Ok(all.remove(0).kind),
                    _ => Ok(PatternKind::Tuple(all)),
                }
            }
            TokenKind::Name => {
                let name = self.local_pattern()?;
                Ok(match name.text.as_str() {
                    "_" => PatternKind::Any,
                    "true" => PatternKind::Bool(true),
                    "false" => PatternKind::Bool(false),
                    text if text.starts_with(|c: char| c.is_ascii_uppercase()) => {
                        let fields = match self.take("(") {
                            true => self.list(")", Parser::pattern)?,
                            false => Vec::new(),
                        };
                        PatternKind::Variant(name, fields)
                    }
                    text => PatternKind::Bind(text.to_string()),
                })
            }
            _ => Err(self.expected("a pattern")),
        }
    }

    fn local_pattern(&mut self) -> Result<Name, Problem> {
        match self.peek_word() {
            Some("true" | "false") => self.name("a pattern"),
            _ => self.own_word("a name"),
        }
    }
}
