//! Sorts and identifiers.

use super::lexer::{Kind, Token};
use super::parser::{Parsed, Parser};
use super::script::{Identifier, IdentifierId, Index, SortId};

impl Parser<'_> {
    /// One sort.
    pub(super) fn sort(&mut self) -> Parsed<SortId> {
        let mut open: Vec<(IdentifierId, usize)> = Vec::new();
        let mut done: Vec<SortId> = Vec::new();
        loop {
            let token = self.lexer.next()?;
            let sort = match token.kind {
                Kind::Symbol | Kind::Quoted => {
                    let symbol = self.intern(token);
                    let head = self.script.plain_identifier(symbol);
                    self.script.intern_sort(head, &[])
                }
                Kind::Open => match self.open_sort()? {
                    (head, true) => self.script.intern_sort(head, &[]),
                    (head, false) => {
                        open.push((head, done.len()));
                        continue;
                    }
                },
                // `(S)` for `S` occurs in the wild, and z3 takes it.
                Kind::Close => match open.pop() {
                    Some((head, base)) => {
                        let sort = self.script.intern_sort(head, &done[base..]);
                        done.truncate(base);
                        sort
                    }
                    None => return Err(self.expected("a sort", token)),
                },
                _ => return Err(self.expected("a sort", token)),
            };
            if open.is_empty() {
                return Ok(sort);
            }
            done.push(sort);
        }
    }

    /// After `(`: the head of a sort, and whether that was all of it.
    fn open_sort(&mut self) -> Parsed<(IdentifierId, bool)> {
        let token = self.lexer.next()?;
        match token.kind {
            Kind::Symbol if self.lexer.text(token) == "_" => Ok((self.indexed_identifier()?, true)),
            Kind::Symbol | Kind::Quoted => {
                let symbol = self.intern(token);
                Ok((self.script.plain_identifier(symbol), false))
            }
            Kind::Open => {
                let underscore = self.lexer.next()?;
                if underscore.kind != Kind::Symbol || self.lexer.text(underscore) != "_" {
                    return Err(self.expected("`_` of an indexed sort", underscore));
                }
                Ok((self.indexed_identifier()?, false))
            }
            _ => Err(self.expected("the name of a sort", token)),
        }
    }

    /// `name index … )`, after `(_`.
    pub(super) fn indexed_identifier(&mut self) -> Parsed<IdentifierId> {
        let symbol = self.symbol()?;
        let mut indices = Vec::new();
        loop {
            let token = self.peek()?;
            let index = match token.kind {
                Kind::Close => break,
                Kind::Numeral => Index::Numeral(self.intern(token)),
                Kind::Symbol | Kind::Quoted => Index::Symbol(self.intern(token)),
                Kind::Hexadecimal => Index::Hexadecimal(self.intern(token)),
                Kind::End => return Err(self.expected("an index", token)),
                _ => {
                    indices.push(Index::Sexpr(self.sexpr()?));
                    continue;
                }
            };
            self.lexer.next()?;
            indices.push(index);
        }
        let close = self.lexer.next()?;
        if indices.is_empty() {
            return Err(self.expected("an index", close));
        }
        Ok(self.script.intern_identifier(Identifier {
            symbol,
            indices: indices.into(),
            sort: None,
        }))
    }

    /// `identifier sort )`, after `(as`.
    pub(super) fn qualified_identifier(&mut self) -> Parsed<IdentifierId> {
        let token = self.lexer.next()?;
        let plain = match token.kind {
            Kind::Symbol | Kind::Quoted => {
                let symbol = self.intern(token);
                self.script.plain_identifier(symbol)
            }
            Kind::Open => {
                let underscore = self.lexer.next()?;
                if !self.is_word(underscore, "_") {
                    return Err(self.expected("`_` of an indexed identifier", underscore));
                }
                self.indexed_identifier()?
            }
            _ => return Err(self.expected("an identifier", token)),
        };
        let sort = self.sort()?;
        self.expect(Kind::Close, "`)` after the sort")?;
        let identifier = self.script.identifier(plain).clone();
        Ok(self.script.intern_identifier(Identifier {
            sort: Some(sort),
            ..identifier
        }))
    }

    /// True if the token is this word, not quoted.
    pub(super) fn is_word(&self, token: Token, word: &str) -> bool {
        token.kind == Kind::Symbol && self.lexer.text(token) == word
    }
}
