//! Scopes, variables and their uses: what a skeleton is made from.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use lydite_syntax::{NodeId, ParseError, Surface, SyntaxTree};

use super::captures::{
    Captures, DECLARATION, Definition, EXACT, FIXED, FUNCTION, IGNORE, PARAMETERS, Role, SCOPE,
    UNIQUE,
};
use super::dialect::{Dialect, Sight, Types};
pub use super::names::Scope;
use super::names::{Meaning, Names};
use super::{c_types, type_text};

/// Scopes that are nested deeper than this are not what people write.
const MAX_DEPTH: usize = 256;

/// How much of a large text is read first, to see whether it is the language.
const PROBED_BYTES: usize = 32 << 10;

/// More holes than this are not counted.
const MAX_USES: usize = 50_000;

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
    /// Where it is declared.
    pub scope: usize,
    /// The offset from which it can be seen.
    pub from: usize,
    /// Its type: equal texts are equal types.
    pub type_text: String,
    /// The family of types that it is converted to and from without a word.
    pub family: Option<&'static str>,
    /// Its declaration without its name: interchangeable in the strict sense
    /// are variables that have it in common.
    pub declaration: String,
    /// The part of the text outside of which it may not exist.
    conditional: Option<Range<usize>>,
    /// Declared here and defined elsewhere, as far as the text says.
    undefined: bool,
}

/// A use of a variable that can be a hole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// Where the name stands.
    pub range: Range<usize>,
    /// What it means.
    pub variable: usize,
    /// The scope it is in.
    pub scope: usize,
    /// The outermost function it is in.
    pub function: usize,
    /// No other type would do.
    pub exact: bool,
}

/// See the module's documentation.
#[derive(Clone, Debug)]
pub struct Outline {
    /// The program.
    pub text: Arc<[u8]>,
    /// Outermost first; a scope comes before those in it.
    pub scopes: Vec<Scope>,
    /// In the order of the text.
    pub variables: Vec<Variable>,
    /// In the order of the text.
    pub uses: Vec<Use>,
    /// How many functions could not be read, and are left alone.
    pub unread: usize,
    names: Names,
}

impl Outline {
    /// Reads a program. The error says why it has no skeleton.
    pub fn read(dialect: &Dialect, text: &Arc<[u8]>) -> Result<Outline, Refusal> {
        if text.len() > lydite_syntax::MAX_BYTES {
            return Err(ParseError::TooLarge(text.len()).into());
        }
        let odd =
            |byte: &&u8| byte.is_ascii_control() && !byte.is_ascii_whitespace() && **byte != 0x0b;
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
        let captures = Captures::find(dialect.query(), &tree, &surface.text);
        let reader = Reader::new(dialect, text, &surface, &tree, &captures)?;
        reader.read()
    }

    /// True if `variable` may stand where the use is, as far as names go: it
    /// is declared before, in a scope around it, and no other declaration
    /// hides it.
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
    }

    /// How many functions there are.
    pub fn functions(&self) -> usize {
        self.scopes.iter().filter(|scope| scope.function).count()
    }
}

impl Variable {
    fn exists_at(&self, at: usize) -> bool {
        self.conditional
            .as_ref()
            .is_none_or(|range| range.contains(&at))
    }
}

/// The work of reading one program.
struct Reader<'a> {
    dialect: &'a Dialect,
    text: &'a Arc<[u8]>,
    surface: &'a Surface,
    tree: &'a SyntaxTree,
    captures: &'a Captures,
    scopes: Vec<Scope>,
    /// The scope that each node is in; for a scope's own node, itself.
    scope_of: Vec<usize>,
    names: Names,
    variables: Vec<Variable>,
    /// Names of types that are declared more than once.
    ambiguous: BTreeSet<Vec<u8>>,
}

impl<'a> Reader<'a> {
    fn new(
        dialect: &'a Dialect,
        text: &'a Arc<[u8]>,
        surface: &'a Surface,
        tree: &'a SyntaxTree,
        captures: &'a Captures,
    ) -> Result<Reader<'a>, Refusal> {
        let mut scopes: Vec<Scope> = Vec::new();
        let mut scope_of = Vec::with_capacity(tree.nodes().len());
        for (number, node) in tree.nodes().iter().enumerate() {
            let around = node.parent.map(|parent: NodeId| scope_of[parent]);
            // The root is a scope whatever the grammar calls it.
            if around.is_none() || captures.is(number, SCOPE) {
                let depth = around.map_or(0, |around: usize| scopes[around].depth + 1);
                if depth > MAX_DEPTH {
                    let what = format!("scopes are nested deeper than {MAX_DEPTH}");
                    return Err(Refusal::TooLarge(what));
                }
                let range = match around {
                    None => 0..text.len(),
                    Some(_) => surface.origin_range(&node.range),
                };
                scopes.push(Scope {
                    range,
                    parent: around,
                    function: captures.is(number, FUNCTION),
                    depth,
                });
                scope_of.push(scopes.len() - 1);
            } else {
                scope_of.push(around.unwrap_or(0));
            }
        }
        let mut met = BTreeMap::new();
        for one in captures
            .definitions
            .iter()
            .filter(|one| one.role == Role::Type)
        {
            let name = surface.text[tree.node(one.name).range.clone()].to_vec();
            *met.entry(name).or_insert(0) += 1;
        }
        let ambiguous = met.into_iter().filter(|(_, times)| *times > 1);
        Ok(Reader {
            dialect,
            text,
            surface,
            tree,
            captures,
            scopes,
            scope_of,
            names: Names::default(),
            variables: Vec::new(),
            ambiguous: ambiguous.map(|(name, _)| name).collect(),
        })
    }

    fn read(mut self) -> Result<Outline, Refusal> {
        let mut fixed = self.broken_functions()?;
        let unread = fixed.len();
        for definition in &self.captures.definitions {
            if let Some(misread) = self.define(definition) {
                fixed.push(misread);
            }
        }
        for variable in &mut self.variables {
            if variable.undefined {
                variable.type_text.push_str(" extern");
                variable.family = None;
            }
        }
        let uses = self.uses(&fixed);
        if uses.len() > MAX_USES {
            let what = format!("{} uses of variables are more than {MAX_USES}", uses.len());
            return Err(Refusal::TooLarge(what));
        }
        Ok(Outline {
            text: self.text.clone(),
            scopes: self.scopes,
            variables: self.variables,
            uses,
            unread,
            names: self.names,
        })
    }

    /// The functions with errors in them, which are left alone; names in
    /// errors outside of functions mean anything.
    fn broken_functions(&mut self) -> Result<Vec<Range<usize>>, Refusal> {
        let mut broken: Vec<Range<usize>> = Vec::new();
        let (mut lost, mut first) = (0, None);
        for (number, node) in self.tree.nodes().iter().enumerate() {
            if !node.is_error && !node.is_missing {
                continue;
            }
            first.get_or_insert(node.range.start);
            let function = self
                .tree
                .ancestors(number)
                .filter(|&around| self.captures.is(around, FUNCTION))
                .last();
            let range = match function {
                Some(function) => self.tree.node(function).range.clone(),
                None => {
                    lost += self.taint(number);
                    continue;
                }
            };
            if broken.last() != Some(&range) {
                lost += range.len();
                broken.push(range);
            }
        }
        // Half of it cannot be read: it is something else.
        if lost * 2 > self.surface.text.len() {
            let at = self.surface.origin(first.unwrap_or(0));
            let line = 1 + self.text[..at]
                .iter()
                .filter(|&&byte| byte == b'\n')
                .count();
            let what = format!("most of it cannot be read, from line {line} on");
            return Err(Refusal::NotOfLanguage(self.dialect.language, what));
        }
        Ok(broken)
    }

    /// Names in an error may be declared there as anything. Returns how much
    /// text is lost.
    fn taint(&mut self, error: NodeId) -> usize {
        let mut lost = 0;
        let mut number = error;
        while number < self.tree.node(error).end {
            let node = self.tree.node(number);
            if self.captures.is(number, FUNCTION) {
                number = node.end;
                continue;
            }
            if node.end == number + 1 {
                lost += node.range.len();
                let name = &self.surface.text[node.range.clone()];
                if name
                    .first()
                    .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
                {
                    self.names
                        .declare(self.scope_of[error], name, 0, Meaning::Other);
                }
            }
            number += 1;
        }
        lost
    }

    /// Declares a name; returns a part of the text that was misread as a
    /// declaration.
    fn define(&mut self, definition: &Definition) -> Option<Range<usize>> {
        let node = self.tree.node(definition.name);
        let name = self.surface.text[node.range.clone()].to_vec();
        let mut scope = self.scope_of[definition.name];
        let at = self.surface.origin(node.range.end);
        // A name of underscores stands for something that was replaced.
        let hidden = self.surface.macros.contains(&name) || name.iter().all(|byte| *byte == b'_');
        match definition.role {
            Role::Variable | Role::Constant | Role::Hoisted if !hidden => {}
            Role::Type => return None,
            role => {
                if role == Role::Function && self.heads_function(definition.name) {
                    scope = self.scopes[scope].parent.unwrap_or(scope);
                }
                self.names.declare(scope, &name, at, Meaning::Other);
                return None;
            }
        }
        let holder = self.holder(definition.name);
        let (holder, declarator) = holder.unwrap_or((definition.name, definition.name));
        let place = self.tree.node(holder).range.clone();
        if self.is_misread(holder, scope) {
            return Some(place);
        }
        // The parameters of a prototype nobody sees.
        let parameter = self.parameter(holder)?;
        let from = match (definition.role, self.dialect.sight) {
            (Role::Hoisted, _) => self.scopes[scope].range.start,
            (_, Sight::AfterDeclarator) => {
                self.surface.origin(self.tree.node(declarator).range.end)
            }
            (_, Sight::AfterDeclaration) => self.surface.origin(place.end),
        };
        let typed = self.type_of(definition, holder, declarator, parameter);
        self.add_variable(scope, name, from, typed);
        None
    }

    fn add_variable(&mut self, scope: usize, name: Vec<u8>, from: usize, typed: Typed) {
        // A variable may be declared again where it already is.
        if let Some(known) = self.names.in_scope(scope, &name) {
            let known = &mut self.variables[known];
            known.undefined &= typed.undefined;
            if known.type_text != typed.text {
                known.type_text = format!("{} @{from}", known.type_text);
                known.family = None;
            }
            return;
        }
        let conditional = self
            .surface
            .conditional
            .iter()
            .filter(|range| range.contains(&from));
        let conditional = conditional.min_by_key(|range| range.len()).cloned();
        let family = (self.dialect.family)(&typed.text);
        self.names
            .declare(scope, &name, from, Meaning::Variable(self.variables.len()));
        self.variables.push(Variable {
            name: name.into(),
            scope,
            from,
            type_text: typed.text,
            family,
            declaration: typed.declaration,
            conditional,
            undefined: typed.undefined,
        });
    }

    /// The declaration around a name, and its child that the name is in.
    fn holder(&self, name: NodeId) -> Option<(NodeId, NodeId)> {
        let mut below = name;
        for around in self.tree.ancestors(name) {
            if self.captures.is(around, DECLARATION) {
                return Some((around, below));
            }
            if self.captures.is(around, SCOPE) {
                return None;
            }
            below = around;
        }
        None
    }

    /// True if the name is that of the function whose scope it is in.
    fn heads_function(&self, name: NodeId) -> bool {
        let mut below = name;
        for around in self.tree.ancestors(name) {
            if self.captures.is(around, FUNCTION) {
                return matches!(self.tree.field(below), Some("declarator" | "name"));
            }
            if self.captures.is(around, SCOPE) || self.captures.is(around, DECLARATION) {
                return false;
            }
            below = around;
        }
        false
    }

    /// `a * b;` reads as a declaration; if `a` is a variable it is none.
    fn is_misread(&self, holder: NodeId, scope: usize) -> bool {
        self.dialect.types == Types::Declarators
            && self.tree.children(holder).any(|child| {
                let range = self.tree.node(child).range.clone();
                let at = self.surface.origin(range.start);
                self.tree.field(child) == Some("type")
                    && self.tree.kind(child) == "type_identifier"
                    && self
                        .names
                        .resolve(&self.scopes, scope, &self.surface.text[range], at)
                        .is_some()
            })
    }

    /// Whether a declaration is of a parameter; `None` for those of
    /// prototypes and of parameters of parameters.
    fn parameter(&self, holder: NodeId) -> Option<bool> {
        let mut lists = 0;
        for around in self.tree.ancestors(holder) {
            lists += usize::from(self.captures.is(around, PARAMETERS));
            if self.captures.is(around, SCOPE) {
                let function = self.captures.is(around, FUNCTION);
                return match lists {
                    // Between the head and the body of an old function.
                    0 => Some(function && self.dialect.types == Types::Declarators),
                    1 if function => Some(true),
                    _ => None,
                };
            }
        }
        (lists == 0).then_some(false)
    }

    fn type_of(
        &self,
        definition: &Definition,
        holder: NodeId,
        declarator: NodeId,
        parameter: bool,
    ) -> Typed {
        let unique = |range: &Range<usize>| {
            let inside = |node: NodeId| {
                self.captures.is(node, UNIQUE) && self.tree.node(node).range.end <= range.end
            };
            (holder..self.tree.node(holder).end).any(inside)
        };
        let mut typed = match self.dialect.types {
            Types::Declarators => {
                self.declared_type(holder, declarator, definition.name, parameter)
            }
            Types::Nodes => {
                let mut text = match definition.type_node {
                    Some(node) => self.declaration_text(node, definition.name),
                    None => String::new(),
                };
                if definition.role == Role::Hoisted {
                    text.push_str(" member");
                }
                Typed::plain(text, self.declaration_text(holder, definition.name))
            }
            Types::None => Typed::plain(
                String::new(),
                self.declaration_text(holder, definition.name),
            ),
        };
        let head = self.tree.node(holder).range.start..self.tree.node(declarator).range.start;
        let odd = unique(&head) || self.captures.is(holder, UNIQUE) && holder != definition.name;
        let at = self.tree.node(holder).range.start;
        if odd || typed.text.contains("typeof") || typed.text.contains("__auto_type") {
            typed.text = format!("{} #{at}", typed.text);
        }
        if definition.role == Role::Constant {
            typed.text.push_str(" constant");
        }
        let ambiguous = |word: &str| self.ambiguous.contains(word.as_bytes());
        if typed.text.split(' ').any(ambiguous) {
            typed.text = format!("{} in {}", typed.text, self.scope_of[holder]);
        }
        if parameter {
            // Whoever calls tells parameters apart by their place.
            typed.declaration = format!("{} parameter {at}", typed.declaration);
        }
        typed
    }

    /// The type that specifiers and a declarator make: `unsigned * [ 3 ]`.
    fn declared_type(
        &self,
        holder: NodeId,
        declarator: NodeId,
        name: NodeId,
        parameter: bool,
    ) -> Typed {
        let whole = self.tree.node(holder).range.clone();
        let declarators = self
            .tree
            .children(holder)
            .filter(|&child| self.tree.field(child) == Some("declarator"));
        let first = declarators
            .map(|child| self.tree.node(child).range.start)
            .next();
        let head = whole.start..first.unwrap_or(whole.end);
        // What follows the declarator up to the next one belongs to it.
        let next = self
            .tree
            .children(holder)
            .find(|&child| child > declarator && matches!(self.tree.kind(child), "," | ";"));
        let end = next.map_or(whole.end, |next| self.tree.node(next).range.start);
        let own = self.tree.node(declarator).range.start..end;
        let name_range = self.tree.node(name).range.clone();
        let mut ignored = self.ignored(holder);
        let specifiers = self.head_words(&type_text::without(head.clone(), &ignored));
        let declaration = self.words(&type_text::without(
            own.clone(),
            std::slice::from_ref(&name_range),
        ));
        ignored.push(name_range);
        ignored.sort_by_key(|range| range.start);
        let mut shape = self.words(&type_text::without(own, &ignored));
        shape.retain(|word| word != "=");
        let undefined = specifiers.iter().any(|word| word == "extern");
        let (specifiers, shape) = (c_types::specifiers(&specifiers), shape.join(" "));
        let decays = parameter && c_types::may_decay(&specifiers, &shape);
        let text = [&*specifiers, &*shape, if decays { "parameter" } else { "" }];
        let text: Vec<&str> = text.into_iter().filter(|part| !part.is_empty()).collect();
        Typed {
            text: text.join(" "),
            declaration: format!(
                "{} {}",
                self.head_words(&[head]).join(" "),
                declaration.join(" ")
            ),
            undefined,
        }
    }

    fn declaration_text(&self, holder: NodeId, name: NodeId) -> String {
        let whole = self.tree.node(holder).range.clone();
        let name = self.tree.node(name).range.clone();
        self.words(&type_text::without(whole, &[name])).join(" ")
    }

    /// What is no part of the type, below a declaration.
    fn ignored(&self, holder: NodeId) -> Vec<Range<usize>> {
        let all = holder..self.tree.node(holder).end;
        all.filter(|&node| self.captures.is(node, IGNORE))
            .map(|node| self.tree.node(node).range.clone())
            .collect()
    }

    /// The words of the original text at these places of the surface.
    fn words(&self, parts: &[Range<usize>]) -> Vec<String> {
        let parts: Vec<Range<usize>> = parts
            .iter()
            .map(|part| self.surface.origin_range(part))
            .collect();
        type_text::words(self.text, &parts)
    }

    /// The same for parts of which the first begins a declaration.
    fn head_words(&self, parts: &[Range<usize>]) -> Vec<String> {
        let mut words = Vec::new();
        if let Some(first) = parts.first() {
            let start = self.surface.declaration_start(self.text, first.start);
            let masked = start..self.surface.origin(first.start);
            words = type_text::words(self.text, std::slice::from_ref(&masked));
        }
        words.extend(self.words(parts));
        words
    }

    /// The uses that can be holes.
    fn uses(&self, fixed: &[Range<usize>]) -> Vec<Use> {
        let inherited = self.captures.inherited(self.tree);
        let names: BTreeSet<NodeId> = self
            .captures
            .definitions
            .iter()
            .map(|one| one.name)
            .collect();
        let fixed = merged(fixed);
        let mut uses = Vec::new();
        for &node in &self.captures.uses {
            if inherited[node] & FIXED != 0 || names.contains(&node) {
                continue;
            }
            let inner = &self.tree.node(node).range;
            let range = self.surface.origin_range(inner);
            let before = fixed.partition_point(|other| other.start <= inner.start);
            if before > 0 && inner.start < fixed[before - 1].end {
                continue;
            }
            let name = &self.surface.text[inner.clone()];
            if self.text[range.clone()] != *name || self.surface.macros.contains(name) {
                continue;
            }
            let scope = self.scope_of[node];
            let Some(function) = self.outermost_function(scope) else {
                continue;
            };
            let meaning = self.names.resolve(&self.scopes, scope, name, range.start);
            let Some(Meaning::Variable(variable)) = meaning else {
                continue;
            };
            if !self.variables[variable].exists_at(range.start) {
                continue;
            }
            uses.push(Use {
                range,
                variable,
                scope,
                function,
                exact: inherited[node] & EXACT != 0,
            });
        }
        uses
    }

    fn outermost_function(&self, scope: usize) -> Option<usize> {
        let mut found = None;
        let mut around = Some(scope);
        while let Some(scope) = around {
            if self.scopes[scope].function {
                found = Some(scope);
            }
            around = self.scopes[scope].parent;
        }
        found
    }
}

/// The same places as ranges that do not touch each other, in order.
fn merged(ranges: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut sorted = ranges.to_vec();
    sorted.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in sorted {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// The type of a variable.
struct Typed {
    text: String,
    declaration: String,
    undefined: bool,
}

impl Typed {
    fn plain(text: String, declaration: String) -> Typed {
        Typed {
            text,
            declaration,
            undefined: false,
        }
    }
}
