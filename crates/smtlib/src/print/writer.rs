//! One writer for both layouts: a term is walked with a stack of cursors, and
//! a separator is a space, or a line end where a pretty term is broken.

use std::fmt::{self, Write};

use super::dialect::{Dialect, NO_OLD_FORM, Names};
use super::pretty::Layout;
use crate::operators::Operators;
use crate::syntax::{
    Attribute, AttributeValue, Binder, Binding, Identifier, IdentifierId, Index, Literal,
    MatchCase, Script, Sexpr, SexprId, SortId, Symbol, Term, TermId, Variable, is_field_literal,
    is_simple_symbol,
};

/// Words that are no symbols unless they stand in bars.
const RESERVED: &[&str] = &[
    "!", "_", "as", "BINARY", "DECIMAL", "HEXADECIMAL", "NUMERAL", "STRING", "exists", "forall",
    "let", "match", "par", "lambda",
];

pub(super) fn write_symbol<W: Write>(name: &str, out: &mut W) -> fmt::Result {
    let bare = is_simple_symbol(name) && !RESERVED.contains(&name) || is_field_literal(name);
    if bare {
        out.write_str(name)
    } else {
        out.write_char('|')?;
        out.write_str(name)?;
        out.write_char('|')
    }
}

impl Binder {
    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Binder::Forall => "forall",
            Binder::Exists => "exists",
            Binder::Lambda => "lambda",
            Binder::Choice => "choice",
            Binder::Comprehension => "set.comprehension",
        }
    }
}

/// A term that has been begun, and which of its parts comes next.
#[derive(Clone, Copy)]
struct Cursor {
    term: TermId,
    next: u32,
    /// Within a pattern.
    sub: u32,
    indent: u32,
    broken: bool,
}

pub(super) struct Writer<'a, W> {
    pub(super) script: &'a Script,
    pub(super) out: &'a mut W,
    pub(super) layout: Option<&'a Layout>,
    pub(super) names: Names<'a>,
    /// Datatypes of the old form that are written in the standard one, and
    /// the parameters they leave out where they speak of each other.
    pub(super) old_datatypes: Option<(Vec<Symbol>, Vec<Symbol>)>,
    cursors: Vec<Cursor>,
}

impl<'a, W: Write> Writer<'a, W> {
    pub(super) fn new(script: &'a Script, dialect: Dialect, out: &'a mut W) -> Writer<'a, W> {
        Writer::with(script, dialect, Operators::built_in(), out)
    }

    /// With the spellings of another table than the built-in one.
    pub(super) fn with(
        script: &'a Script,
        dialect: Dialect,
        operators: &'a Operators,
        out: &'a mut W,
    ) -> Writer<'a, W> {
        Writer {
            script,
            out,
            layout: None,
            names: Names::new(script, dialect, operators),
            old_datatypes: None,
            cursors: Vec::new(),
        }
    }

    /// Writes a term.
    pub(super) fn term(&mut self, term: TermId) -> fmt::Result {
        self.term_at(term, 0)
    }

    /// Writes a term that begins at column `indent`.
    pub(super) fn term_at(&mut self, term: TermId, indent: u32) -> fmt::Result {
        self.enter(term, indent)?;
        while let Some(mut cursor) = self.cursors.pop() {
            if let Some((child, indent)) = self.advance(&mut cursor)? {
                self.cursors.push(cursor);
                self.enter(child, indent)?;
            }
        }
        Ok(())
    }

    /// Writes a leaf, or the head of a term whose rest is left to a cursor.
    fn enter(&mut self, term: TermId, indent: u32) -> fmt::Result {
        match self.script.term(term) {
            Term::Literal(literal, text) => return self.literal(literal, text),
            Term::Application { head, arguments } => {
                if arguments.is_empty() {
                    return self.identifier(head);
                }
                self.out.write_char('(')?;
                self.identifier(head)?;
            }
            Term::Apply { .. } => self.out.write_char('(')?,
            Term::Let { .. } => self.out.write_str("(let (")?,
            Term::Bind {
                binder, variables, ..
            } => {
                self.out.write_char('(')?;
                self.out.write_str(binder.name())?;
                self.out.write_char(' ')?;
                self.variables(variables)?;
            }
            Term::Match { .. } => self.out.write_str("(match ")?,
            Term::Annotated { .. } => self.out.write_str("(! ")?,
        }
        let broken = self
            .layout
            .is_some_and(|layout| layout.breaks(term, indent));
        self.cursors.push(Cursor {
            term,
            next: 0,
            sub: 0,
            indent,
            broken,
        });
        Ok(())
    }

    /// Writes up to the next part of the term and names it with its column,
    /// or writes the end of the term.
    fn advance(&mut self, cursor: &mut Cursor) -> Result<Option<(TermId, u32)>, fmt::Error> {
        let at = cursor.next as usize;
        cursor.next += 1;
        let inner = cursor.indent + 2;
        match self.script.term(cursor.term) {
            Term::Literal(..) => Ok(None),
            Term::Application { arguments, .. } => match arguments.get(at) {
                Some(&argument) => {
                    self.separate(cursor.broken, inner)?;
                    Ok(Some((argument, inner)))
                }
                None => self.close(),
            },
            Term::Apply {
                function,
                arguments,
            } => match at.checked_sub(1).map(|at| arguments.get(at)) {
                None => Ok(Some((function, cursor.indent + 1))),
                Some(Some(&argument)) => {
                    self.separate(cursor.broken, inner)?;
                    Ok(Some((argument, inner)))
                }
                Some(None) => self.close(),
            },
            Term::Let { bindings, body } => self.advance_let(cursor, at, bindings, body),
            Term::Bind { binder, body, .. } => {
                let pair = match binder {
                    Binder::Comprehension => self.script.comprehension(body),
                    _ => None,
                };
                let body = [body];
                let bodies = pair.as_ref().map_or(&body[..], |pair| &pair[..]);
                match bodies.get(at) {
                    Some(&body) => {
                        self.separate(cursor.broken, inner)?;
                        Ok(Some((body, inner)))
                    }
                    None => self.close(),
                }
            }
            Term::Match { scrutinee, cases } => self.advance_match(cursor, at, scrutinee, cases),
            Term::Annotated { term, attributes } => match at {
                0 => Ok(Some((term, cursor.indent + 3))),
                _ => self.advance_attributes(cursor, attributes),
            },
        }
    }

    fn advance_let(
        &mut self,
        cursor: &Cursor,
        at: usize,
        bindings: &[Binding],
        body: TermId,
    ) -> Result<Option<(TermId, u32)>, fmt::Error> {
        if at > 0 && at <= bindings.len() {
            self.out.write_char(')')?;
        }
        if let Some(binding) = bindings.get(at) {
            if at > 0 {
                self.separate(cursor.broken, cursor.indent + 6)?;
            }
            self.out.write_char('(')?;
            self.symbol(binding.symbol)?;
            self.out.write_char(' ')?;
            return Ok(Some((binding.term, cursor.indent + 8)));
        }
        if at > bindings.len() {
            return self.close();
        }
        self.out.write_char(')')?;
        // Chains of lets are long: they stay in one column.
        self.separate(cursor.broken, cursor.indent)?;
        Ok(Some((body, cursor.indent)))
    }

    fn advance_match(
        &mut self,
        cursor: &Cursor,
        at: usize,
        scrutinee: TermId,
        cases: &[MatchCase],
    ) -> Result<Option<(TermId, u32)>, fmt::Error> {
        let inner = cursor.indent + 2;
        let Some(at) = at.checked_sub(1) else {
            return Ok(Some((scrutinee, cursor.indent + 7)));
        };
        if at > 0 {
            self.out.write_char(')')?;
        }
        let Some(case) = cases.get(at) else {
            self.out.write_str(if at == 0 { " ())" } else { "))" })?;
            return Ok(None);
        };
        self.separate(cursor.broken, inner)?;
        self.out.write_str(if at == 0 { "((" } else { "(" })?;
        self.pattern(case.head, self.script.case_variables(case))?;
        self.out.write_char(' ')?;
        Ok(Some((case.body, inner + 2)))
    }

    fn advance_attributes(
        &mut self,
        cursor: &mut Cursor,
        attributes: &[Attribute],
    ) -> Result<Option<(TermId, u32)>, fmt::Error> {
        let inner = cursor.indent + 2;
        let mut at = cursor.next as usize - 2;
        while let Some(attribute) = attributes.get(at) {
            let AttributeValue::Pattern(range) = attribute.value else {
                self.separate(cursor.broken, inner)?;
                self.attribute(attribute)?;
                at += 1;
                continue;
            };
            if cursor.sub == 0 {
                self.separate(cursor.broken, inner)?;
                self.out.write_str(self.script.name(attribute.keyword))?;
                self.out.write_str(" (")?;
            }
            if let Some(&term) = self.script.pattern(range).get(cursor.sub as usize) {
                if cursor.sub > 0 {
                    self.out.write_char(' ')?;
                }
                cursor.sub += 1;
                // Come back to this attribute.
                cursor.next = at as u32 + 1;
                return Ok(Some((term, inner + 10)));
            }
            self.out.write_char(')')?;
            cursor.sub = 0;
            at += 1;
        }
        self.close()
    }

    fn close(&mut self) -> Result<Option<(TermId, u32)>, fmt::Error> {
        self.out.write_char(')')?;
        Ok(None)
    }

    pub(super) fn separate(&mut self, broken: bool, indent: u32) -> fmt::Result {
        if !broken {
            return self.out.write_char(' ');
        }
        self.out.write_char('\n')?;
        let spaces = self.layout.map_or("", |layout| layout.spaces(indent));
        self.out.write_str(spaces)
    }

    fn literal(&mut self, literal: Literal, text: &str) -> fmt::Result {
        if literal != Literal::String {
            return self.out.write_str(text);
        }
        if self.names.cannot_write(text) {
            return self.out.write_str(NO_OLD_FORM);
        }
        self.out.write_char('"')?;
        self.names.write_string(text, self.out)?;
        self.out.write_char('"')
    }

    fn pattern(&mut self, head: IdentifierId, variables: &[Symbol]) -> fmt::Result {
        if variables.is_empty() {
            let identifier = self.script.identifier(head);
            return match identifier.sort {
                None => self.raw_symbol(identifier.symbol),
                Some(_) => self.identifier(head),
            };
        }
        self.out.write_char('(')?;
        self.identifier(head)?;
        for &variable in variables {
            self.out.write_char(' ')?;
            self.raw_symbol(variable)?;
        }
        self.out.write_char(')')
    }

    /// `((x S) …)`
    pub(super) fn variables(&mut self, variables: &[Variable]) -> fmt::Result {
        self.out.write_char('(')?;
        for (i, variable) in variables.iter().enumerate() {
            self.out.write_str(if i > 0 { " (" } else { "(" })?;
            self.symbol(variable.symbol)?;
            self.out.write_char(' ')?;
            self.sort(variable.sort)?;
            self.out.write_char(')')?;
        }
        self.out.write_char(')')
    }

    pub(super) fn attribute(&mut self, attribute: &Attribute) -> fmt::Result {
        self.out.write_str(self.script.name(attribute.keyword))?;
        match attribute.value {
            AttributeValue::Absent => Ok(()),
            AttributeValue::Name(name) => {
                self.out.write_char(' ')?;
                self.symbol(name)
            }
            AttributeValue::Sexpr(sexpr) => {
                self.out.write_char(' ')?;
                self.sexpr(sexpr)
            }
            // Only annotated terms have patterns; they are walked above.
            AttributeValue::Pattern(_) => Ok(()),
        }
    }

    pub(super) fn symbol(&mut self, symbol: Symbol) -> fmt::Result {
        write_symbol(self.script.name(symbol), self.out)
    }

    pub(super) fn identifier(&mut self, id: IdentifierId) -> fmt::Result {
        let script = self.script;
        let identifier = script.identifier(id);
        let Some(sort) = identifier.sort else {
            return self.unqualified(identifier);
        };
        self.out.write_str("(as ")?;
        self.unqualified(identifier)?;
        self.out.write_char(' ')?;
        self.sort(sort)?;
        self.out.write_char(')')
    }

    fn unqualified(&mut self, identifier: &Identifier) -> fmt::Result {
        if let Some(constructor) = self.names.tested_by(identifier.symbol) {
            self.out.write_str("(_ is ")?;
            self.symbol(constructor)?;
            return self.out.write_char(')');
        }
        let name = self.names.of(self.script, identifier.symbol);
        if identifier.indices.is_empty() {
            return write_symbol(name, self.out);
        }
        self.out.write_str("(_ ")?;
        write_symbol(name, self.out)?;
        for &index in &identifier.indices {
            self.out.write_char(' ')?;
            match index {
                Index::Numeral(text) | Index::Hexadecimal(text) => {
                    self.out.write_str(self.script.name(text))?;
                }
                Index::Symbol(symbol) => self.symbol(symbol)?,
                Index::Sexpr(sexpr) => self.sexpr(sexpr)?,
            }
        }
        self.out.write_char(')')
    }

    pub(super) fn sort(&mut self, sort: SortId) -> fmt::Result {
        let script = self.script;
        // What is left to write, last first; `None` is a closing parenthesis.
        let mut work = vec![Some(sort)];
        let mut space = false;
        while let Some(item) = work.pop() {
            let Some(sort) = item else {
                self.out.write_char(')')?;
                continue;
            };
            if space {
                self.out.write_char(' ')?;
            }
            space = true;
            let sort = script.sort(sort);
            if sort.arguments.is_empty() {
                self.plain_sort(sort.head)?;
                continue;
            }
            self.out.write_char('(')?;
            self.identifier(sort.head)?;
            work.push(None);
            work.extend(sort.arguments.iter().rev().map(|&sort| Some(sort)));
        }
        Ok(())
    }

    fn plain_sort(&mut self, head: IdentifierId) -> fmt::Result {
        let symbol = self.script.identifier(head).symbol;
        let Some((datatypes, parameters)) = self.old_datatypes.take() else {
            return self.identifier(head);
        };
        if datatypes.contains(&symbol) {
            self.out.write_char('(')?;
            self.symbol(symbol)?;
            for &parameter in &parameters {
                self.out.write_char(' ')?;
                self.symbol(parameter)?;
            }
            self.out.write_char(')')?;
        } else {
            self.identifier(head)?;
        }
        self.old_datatypes = Some((datatypes, parameters));
        Ok(())
    }

    pub(super) fn sexpr(&mut self, sexpr: SexprId) -> fmt::Result {
        let script = self.script;
        let mut work = vec![Some(sexpr)];
        let mut space = false;
        while let Some(item) = work.pop() {
            let Some(sexpr) = item else {
                self.out.write_char(')')?;
                space = true;
                continue;
            };
            if space {
                self.out.write_char(' ')?;
            }
            space = true;
            match script.sexpr(sexpr) {
                Sexpr::Symbol(symbol) => self.raw_symbol(symbol)?,
                Sexpr::Keyword(symbol) => self.out.write_str(script.name(symbol))?,
                Sexpr::Literal(Literal::String, text) => {
                    self.out.write_char('"')?;
                    self.out.write_str(script.name(text))?;
                    self.out.write_char('"')?;
                }
                Sexpr::Literal(_, text) => self.out.write_str(script.name(text))?,
                Sexpr::List(items) => {
                    self.out.write_char('(')?;
                    space = false;
                    work.push(None);
                    work.extend(items.iter().rev().map(|&item| Some(item)));
                }
            }
        }
        Ok(())
    }

    /// In a raw s-expression and in a pattern a reserved word is itself.
    fn raw_symbol(&mut self, symbol: Symbol) -> fmt::Result {
        let name = self.script.name(symbol);
        if RESERVED.contains(&name) {
            self.out.write_str(name)
        } else {
            write_symbol(name, self.out)
        }
    }
}
