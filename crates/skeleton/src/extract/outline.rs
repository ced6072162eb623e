//! Scopes, variables and their uses: what a skeleton is made from.

use std::ops::Range;
use std::sync::Arc;

use lydite_syntax::{ParseError, Surface, SyntaxTree};

use super::barriers::Barriers;
use super::captures::Captures;
use super::dialect::Dialect;
pub use super::names::Scope;
use super::names::{Meaning, Names};
use super::reader::Reader;

/// How much of a large text is read first, to see whether it is the language.
const PROBED_BYTES: usize = 32 << 10;

/// Why a program has no skeleton.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It cannot be read at all.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// It is something else.
    #[error("not a program in {0}: {1}")]
    NotOfLanguage(&'static str, String),
    /// It is too large.
    #[error("{0}")]
    TooLarge(String),
}

/// A declared variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: Arc<[u8]>,
    /// The scope that it is declared in.
    pub scope: usize,
    /// The offset from which it can be seen.
    pub from: usize,
    /// Its type: equal texts are equal types.
    pub type_text: String,
    /// The family of types among which the language converts implicitly.
    pub family: Option<&'static str>,
    /// Its declaration without its name. Variables that have it in common are interchangeable in
    /// the strict sense.
    pub declaration: String,
    /// The part of the text outside of which it may not exist.
    pub(super) conditional: Option<Range<usize>>,
    /// Declared here and defined elsewhere, as far as the text says.
    pub(super) undefined: bool,
    /// It lives as long as a call of the function around it.
    pub(super) local: bool,
}

/// A use of a variable that can be a hole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The range of the text that the name takes.
    pub range: Range<usize>,
    /// The variable that it names.
    pub variable: usize,
    /// The scope it is in.
    pub scope: usize,
    /// The outermost function it is in.
    pub function: usize,
    /// True if only a variable of exactly this type may stand here.
    pub exact: bool,
}

/// The scopes, variables and uses of a program, as far as its skeleton needs them.
#[derive(Clone, Debug)]
pub struct Outline {
    /// The program.
    pub text: Arc<[u8]>,
    /// The scopes; each comes before those in it.
    pub scopes: Vec<Scope>,
    /// All of them, in the order of the text.
    pub variables: Vec<Variable>,
    /// All of them, in the order of the text.
    pub uses: Vec<Use>,
    /// How many functions could not be read, and are left alone.
    pub unread: usize,
    pub(super) names: Names,
    pub(super) barriers: Barriers,
}

impl Outline {
    /// Reads a program. The error says why it has no skeleton.
    pub fn read(dialect: &Dialect, text: &Arc<[u8]>) -> Result<Outline, Refusal> {
        let (surface, tree) = parse(dialect, text)?;
        Outline::of(dialect, text, &surface, &tree)
    }

    /// The outline of a program that was parsed.
    pub(crate) fn of(
        dialect: &Dialect,
        text: &Arc<[u8]>,
        surface: &Surface,
        tree: &SyntaxTree,
    ) -> Result<Outline, Refusal> {
        let captures = Captures::find(dialect.query(), tree, &surface.text);
        let reader = Reader::new(dialect, text, surface, tree, &captures)?;
        reader.read()
    }

    /// True if `variable` may stand where the use is, as far as names go: it
    /// is declared before, in a scope around it, no other declaration
    /// hides it, and no scope between them hides it either.
    pub fn sees(&self, place: &Use, variable: usize) -> bool {
        let seen = &self.variables[variable];
        let here = &self.scopes[seen.scope].range;
        here.start <= place.range.start
            && place.range.start < here.end
            && seen.from <= place.range.start
            && seen.exists_at(place.range.start)
            && self
                .names
                .resolve(&self.scopes, place.scope, &seen.name, place.range.start)
                == Some(Meaning::Variable(variable))
            && self.copies(place, variable).is_some()
    }

    /// True if `variable` may fill the hole, as far as names go. A copy is constant, and not
    /// everything can be copied: none may be where the program has none.
    pub(crate) fn fits(&self, place: &Use, variable: usize) -> bool {
        let (own, other) = (
            self.copies(place, place.variable),
            self.copies(place, variable),
        );
        let copied = match (own, other) {
            (Some(own), Some(other)) if place.exact => own == other,
            (Some(own), Some(other)) => other.iter().all(|scope| own.contains(scope)),
            _ => false,
        };
        copied && self.sees(place, variable)
    }

    /// The scopes between the two in which the place has a copy of the variable.
    fn copies(&self, place: &Use, variable: usize) -> Option<Vec<usize>> {
        self.barriers
            .copies(&self.scopes, place.scope, &self.variables[variable])
    }

    /// How many functions there are.
    pub fn functions(&self) -> usize {
        self.scopes.iter().filter(|scope| scope.function).count()
    }
}

/// Parses a program: what the grammar reads of it, and the tree of that.
pub(crate) fn parse(dialect: &Dialect, text: &[u8]) -> Result<(Surface, SyntaxTree), Refusal> {
    if text.len() > lydite_syntax::MAX_BYTES {
        return Err(ParseError::TooLarge(text.len()).into());
    }
    let odd = |byte: &&u8| byte.is_ascii_control() && !byte.is_ascii_whitespace() && **byte != 0x0b;
    if text.contains(&0) || text.iter().filter(odd).count() * 100 > text.len() {
        let what = "it is not text".to_string();
        return Err(Refusal::NotOfLanguage(dialect.language, what));
    }
    // A large text in another language takes the parser very long.
    if text.len() > 2 * PROBED_BYTES {
        let end = text[..PROBED_BYTES].iter().rposition(|&byte| byte == b'\n');
        let probe = (dialect.surface)(&text[..end.unwrap_or(PROBED_BYTES)]);
        let tree = SyntaxTree::parse(&dialect.grammar(), &probe.text)?;
        if tree.error_bytes() * 3 > probe.text.len() {
            let what = "its beginning cannot be read".to_string();
            return Err(Refusal::NotOfLanguage(dialect.language, what));
        }
    }
    let surface = (dialect.surface)(text);
    let tree = SyntaxTree::parse(&dialect.grammar(), &surface.text)?;
    Ok((surface, tree))
}

impl Variable {
    pub(super) fn exists_at(&self, at: usize) -> bool {
        self.conditional
            .as_ref()
            .is_none_or(|range| range.contains(&at))
    }
}
