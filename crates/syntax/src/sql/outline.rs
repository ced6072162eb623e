//! What can be told of a script of SQL without knowing a database's grammar:
//! statements, brackets, clauses, lists, operands. Nothing recurses.

use std::ops::Range;

use super::token::{Kind, Token, tokens};

/// Words that begin a clause.
const CLAUSES: [&str; 23] = [
    "SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "VALUES", "SET",
    "PARTITION", "WINDOW", "RETURNING", "WHEN", "THEN", "ELSE", "JOIN", "INNER", "LEFT", "RIGHT",
    "FULL", "CROSS", "NATURAL",
];

/// Words between two queries.
const SET_OPERATORS: [&str; 3] = ["UNION", "EXCEPT", "INTERSECT"];

/// Words that may follow the first one of a clause.
const CLAUSE_GOES_ON: [&str; 5] = ["BY", "ALL", "DISTINCT", "OUTER", "JOIN"];

/// Words and marks between two operands.
const OPERATORS: [&str; 19] = [
    "AND", "OR", "IS", "IN", "LIKE", "BETWEEN", "||", "=", "<>", "!=", "<", "<=", ">", ">=", "+",
    "-", "*", "/", "%",
];

/// A range of tokens.
pub(super) type Span = Range<usize>;

/// A script, as its edits see it.
pub(super) struct Outline<'a> {
    pub(super) text: &'a [u8],
    pub(super) tokens: Vec<Token>,
    /// For the token that opens a bracket or a CASE, the one that closes it, and
    /// the other way round; for all others themselves.
    partner: Vec<usize>,
    /// The statements, without what ends them.
    pub(super) statements: Vec<Span>,
}

/// A part of a statement or bracket that a keyword begins.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub(super) span: Span,
    /// What comes after its keywords.
    pub(super) body: Span,
}

impl<'a> Outline<'a> {
    pub(super) fn of(text: &'a [u8]) -> Outline<'a> {
        let tokens = tokens(text);
        let mut outline = Outline {
            text,
            partner: (0..tokens.len()).collect(),
            tokens,
            statements: Vec::new(),
        };
        outline.pair();
        outline
    }

    fn pair(&mut self) {
        let mut open: Vec<usize> = Vec::new();
        let mut start = 0;
        for at in 0..self.tokens.len() {
            if self.is(at, "(") || self.is(at, "CASE") {
                open.push(at);
            } else if self.is(at, ")") {
                // A CASE without its END ends with the bracket that it is in.
                while open.last().is_some_and(|&last| !self.is(last, "(")) {
                    open.pop();
                }
                self.join(open.pop(), at);
            } else if self.is(at, "END") && open.last().is_some_and(|&last| self.is(last, "CASE")) {
                self.join(open.pop(), at);
            } else if self.is(at, ";") && open.is_empty() {
                self.statements.push(start..at);
                start = at + 1;
            }
        }
        if start < self.tokens.len() {
            self.statements.push(start..self.tokens.len());
        }
    }

    fn join(&mut self, open: Option<usize>, close: usize) {
        if let Some(open) = open {
            self.partner[open] = close;
            self.partner[close] = open;
        }
    }

    /// True if the token is this word, in whatever case, or this mark.
    pub(super) fn is(&self, at: usize, word: &str) -> bool {
        let token = self.tokens.get(at);
        token.is_some_and(|token| {
            token.kind != Kind::Text
                && self.text[token.range.clone()].eq_ignore_ascii_case(word.as_bytes())
        })
    }

    pub(super) fn is_one_of(&self, at: usize, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(at, word))
    }

    /// The bytes of a token.
    pub(super) fn bytes(&self, at: usize) -> &'a [u8] {
        &self.text[self.tokens[at].range.clone()]
    }

    /// Where tokens are in the text; at their place if there are none.
    pub(super) fn range(&self, span: &Span) -> Range<usize> {
        match span.is_empty() {
            true => 0..0,
            false => self.tokens[span.start].range.start..self.tokens[span.end - 1].range.end,
        }
    }

    /// Statements with what ends them.
    pub(super) fn with_end(&self, span: &Span) -> Span {
        span.start..(span.end + 1).min(self.tokens.len())
    }

    /// All brackets and CASEs, with what opens and closes them.
    pub(super) fn groups(&self) -> impl Iterator<Item = Span> + '_ {
        let pairs = self.partner.iter().enumerate();
        pairs
            .filter(|(open, close)| open < close)
            .map(|(open, close)| open..close + 1)
    }

    /// The bracket that begins at a token, if one does.
    pub(super) fn group_at(&self, at: usize) -> Option<Span> {
        let close = *self.partner.get(at)?;
        (close > at).then_some(at..close + 1)
    }

    /// Tokens of a span that are in no bracket inside it; brackets are one.
    pub(super) fn units(&self, span: &Span) -> Vec<Span> {
        let mut units = Vec::new();
        let mut at = span.start;
        while at < span.end {
            let end = self.partner[at].max(at).min(span.end - 1) + 1;
            units.push(at..end);
            at = end;
        }
        units
    }

    fn begins_clause(&self, at: usize) -> bool {
        let joins =
            |at: usize| self.is_one_of(at, &["JOIN", "OUTER", "INNER", "LEFT", "RIGHT", "FULL"]);
        // LEFT and RIGHT are functions, too; SET may name a type.
        let is_call = self.is_one_of(at, &["LEFT", "RIGHT"]) && !joins(at + 1);
        let goes_on = self.is_one_of(at, &["JOIN", "INNER", "LEFT", "RIGHT", "FULL"])
            && at.checked_sub(1).is_some_and(|before| {
                joins(before) || self.is_one_of(before, &["CROSS", "NATURAL"])
            });
        self.is_one_of(at, &CLAUSES) && !is_call && !goes_on
    }

    /// True if two queries are joined here.
    pub(super) fn is_set_operator(&self, at: usize) -> bool {
        self.is_one_of(at, &SET_OPERATORS)
    }

    /// The clauses of a span; what comes before the first keyword is one.
    pub(super) fn clauses(&self, span: &Span) -> Vec<Clause> {
        let units = self.units(span);
        let begins = |unit: &&Span| {
            unit.len() == 1 && (self.begins_clause(unit.start) || self.is_set_operator(unit.start))
        };
        let mut starts: Vec<usize> = units.iter().filter(begins).map(|unit| unit.start).collect();
        if starts.first() != Some(&span.start) && !span.is_empty() {
            starts.insert(0, span.start);
        }
        let ends = starts.iter().skip(1).copied().chain([span.end]);
        let clause = |(&start, end): (&usize, usize)| {
            let mut body = start;
            if self.begins_clause(start) || self.is_set_operator(start) {
                body += 1;
                while body < end && self.is_one_of(body, &CLAUSE_GOES_ON) {
                    body += 1;
                }
            }
            Clause {
                span: start..end,
                body: body..end,
            }
        };
        starts.iter().zip(ends).map(clause).collect()
    }

    /// What commas separate.
    pub(super) fn elements(&self, span: &Span) -> Vec<Span> {
        self.split(span, |at| self.is(at, ","))
    }

    /// What operators separate.
    pub(super) fn operands(&self, span: &Span) -> Vec<Span> {
        self.split(span, |at| self.is_one_of(at, &OPERATORS))
    }

    fn split(&self, span: &Span, separates: impl Fn(usize) -> bool) -> Vec<Span> {
        let mut parts = Vec::new();
        let mut start = span.start;
        for unit in self.units(span) {
            if unit.len() == 1 && separates(unit.start) {
                parts.push(start..unit.start);
                start = unit.end;
            }
        }
        parts.push(start..span.end);
        parts
    }

    /// A bracket with the function that it is the arguments of, and the window
    /// that belongs to it.
    pub(super) fn call(&self, group: &Span) -> Span {
        let mut whole = group.clone();
        if let Some(before) = group.start.checked_sub(1)
            && self.is(group.start, "(")
            && self.tokens[before].kind == Kind::Word
            && !self.is_reserved(before)
        {
            whole.start = before;
        }
        if self.is(whole.end, "OVER")
            && let Some(window) = self.group_at(whole.end + 1)
        {
            whole.end = window.end;
        }
        whole
    }

    /// True for words before a bracket that call nothing.
    fn is_reserved(&self, at: usize) -> bool {
        const RESERVED: [&str; 12] = [
            "AS", "ON", "NOT", "EXISTS", "KEY", "TABLE", "OVER", "WHEN", "THEN", "ELSE", "ALL",
            "DISTINCT",
        ];
        self.is_one_of(at, &RESERVED)
            || self.is_one_of(at, &CLAUSES) && !self.is_one_of(at, &["LEFT", "RIGHT"])
            || self.is_one_of(at, &OPERATORS)
            || self.is_set_operator(at)
            || self.is(at, "BY")
    }
}
