//! The work of reading one program: names and scopes from captured nodes.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use lydite_syntax::{NodeId, Surface, SyntaxTree};

use super::barriers::{Barriers, Program};
use super::captures::{
    CAPTURED, Captures, DECLARATION, Definition, EXACT, FIXED, FUNCTION, Flags, IGNORE, PARAMETERS,
    Role, SCOPE,
};
use super::dialect::{Dialect, Sight, Types};
use super::names::{Meaning, Names, Scope};
use super::outline::{Outline, Refusal, Use, Variable};
use super::type_text;
use super::typing::Typed;

/// Scopes that are nested deeper than this are not what people write.
const MAX_DEPTH: usize = 256;

/// More holes than this are not counted.
const MAX_USES: usize = 50_000;

/// The work of reading one program.
pub(super) struct Reader<'a> {
    pub(super) dialect: &'a Dialect,
    pub(super) text: &'a Arc<[u8]>,
    pub(super) surface: &'a Surface,
    pub(super) tree: &'a SyntaxTree,
    pub(super) captures: &'a Captures,
    scopes: Vec<Scope>,
    /// The node of each.
    scope_nodes: Vec<NodeId>,
    barriers: Barriers,
    /// The scope that each node is in; for a scope's own node, itself.
    pub(super) scope_of: Vec<usize>,
    names: Names,
    variables: Vec<Variable>,
    /// Names of types that are declared more than once.
    pub(super) ambiguous: BTreeSet<Vec<u8>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        dialect: &'a Dialect,
        text: &'a Arc<[u8]>,
        surface: &'a Surface,
        tree: &'a SyntaxTree,
        captures: &'a Captures,
    ) -> Result<Reader<'a>, Refusal> {
        let mut scopes: Vec<Scope> = Vec::new();
        let mut scope_nodes = Vec::new();
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
                scope_nodes.push(number);
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
            scope_nodes,
            barriers: Barriers::default(),
            scope_of,
            names: Names::default(),
            variables: Vec::new(),
            ambiguous: ambiguous.map(|(name, _)| name).collect(),
        })
    }

    pub(super) fn read(mut self) -> Result<Outline, Refusal> {
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
        let program = Program {
            tree: self.tree,
            captures: self.captures,
            text: &self.surface.text,
        };
        self.barriers = Barriers::find(&program, &self.scope_nodes, self.names.all());
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
            barriers: self.barriers,
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

    /// Loose names in an error may be declared there as anything. Returns how
    /// much text is lost.
    fn taint(&mut self, error: NodeId) -> usize {
        let tree = self.tree;
        let leaf = |node: &NodeId| tree.node(*node).end == node + 1;
        let loose: Vec<NodeId> = match leaf(&error) {
            true => vec![error],
            false => tree.children(error).filter(leaf).collect(),
        };
        let mut names = BTreeSet::new();
        let mut lost = 0;
        for node in loose {
            let text = &self.surface.text[tree.node(node).range.clone()];
            lost += text.len();
            let first = text.first().copied().unwrap_or(b' ');
            if first.is_ascii_alphabetic() || first == b'_' {
                names.insert(text);
            }
        }
        let scope = self.scope_of[error];
        for name in names {
            self.names.declare(scope, name, 0, Meaning::Other);
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
            Role::Type => {
                // In C++ the name of a class hides a variable of a scope around.
                let hides = self.dialect.language == "cpp";
                if hides && self.names.in_scope(scope, &name).is_none() {
                    self.names.declare(scope, &name, at, Meaning::Type);
                }
                return None;
            }
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
            local: !typed.lasting && self.outermost_function(scope).is_some(),
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
                        .is_some_and(|meaning| meaning != Meaning::Type)
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

    /// The uses that can be holes.
    fn uses(&self, fixed: &[Range<usize>]) -> Vec<Use> {
        let inherited = self.captures.inherited(self.tree);
        let names: BTreeSet<NodeId> = self
            .captures
            .definitions
            .iter()
            .map(|one| one.name)
            .collect();
        let fixed = merged(&[fixed, &self.wanted_constants(&inherited)].concat());
        let mut uses = Vec::new();
        for &node in &self.captures.uses {
            if inherited[node] & (FIXED | CAPTURED) != 0 || names.contains(&node) {
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
            let seen = &self.variables[variable];
            let hidden = self.barriers.copies(&self.scopes, scope, seen).is_none();
            if !seen.exists_at(range.start) || hidden {
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

    /// What constants are made from whose names stand where the value has to be known. In C++
    /// a function without a name is one, if it can be.
    fn wanted_constants(&self, inherited: &[Flags]) -> Vec<Range<usize>> {
        if self.dialect.language != "cpp" {
            return Vec::new();
        }
        let text = |node: NodeId| &self.surface.text[self.tree.node(node).range.clone()];
        let leaves = (0..inherited.len()).filter(|&node| self.tree.node(node).end == node + 1);
        let mut wanted: BTreeSet<&[u8]> = leaves
            .filter(|&node| inherited[node] & FIXED != 0)
            .map(text)
            .collect();
        // What the grammar was not shown, `static_assert` for one.
        let unseen = type_text::words(self.text, &self.surface.hidden);
        wanted.extend(unseen.iter().map(String::as_bytes));
        let mut constants = Vec::new();
        for definition in &self.captures.definitions {
            let Some((holder, declarator)) = self.holder(definition.name) else {
                continue;
            };
            let start = self.tree.node(declarator).range.start;
            let head = self.tree.node(holder).range.start..start;
            let constant = type_text::words(&self.surface.text, &[head])
                .iter()
                .any(|word| matches!(word.as_str(), "const" | "constexpr" | "auto"));
            if constant && wanted.contains(text(definition.name)) {
                let inside = declarator..self.tree.node(declarator).end;
                let values = inside.filter(|&node| self.captures.is(node, IGNORE));
                constants.extend(values.map(|node| self.tree.node(node).range.clone()));
            }
        }
        constants
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
