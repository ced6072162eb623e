//! Whether the order of evaluation matters.
//!
//! C says of most operators not which operand is evaluated first, and calls the
//! result undefined if both change the same thing. What is looked for are two
//! operands of which one writes what the other reads or writes, by itself or
//! in the functions that it calls. What a pointer shows may be any variable that
//! is global, static, an array, or has its address taken; functions without a
//! body do everything, but for those of the library that are known to be harmless.

use std::collections::{BTreeMap, BTreeSet};

use super::Meaning;
use super::effects::{Effects, Name, Place};
use crate::{NodeId, SyntaxTree};

/// Functions of the library whose calls may come in any order.
const HARMLESS: &[&str] = &[
    "abs", "labs", "llabs", "isalnum", "isalpha", "isdigit", "islower", "isspace", "isupper",
    "isxdigit", "ispunct", "toupper", "tolower", "fabs", "fabsf", "floor", "ceil", "sqrt", "pow",
    "sin", "cos", "__builtin_expect", "__builtin_constant_p", "__builtin_abs", "__builtin_labs",
    "__builtin_fabs", "__builtin_popcount", "__builtin_clz", "__builtin_ctz", "__builtin_ffs",
    "__builtin_parity", "__builtin_bswap16", "__builtin_bswap32", "__builtin_bswap64",
];

/// Those that only read what they are given.
const READING: &[&str] = &[
    "strlen", "strcmp", "strncmp", "memcmp", "strchr", "strrchr", "strstr", "strspn", "strcspn",
    "memchr", "atoi", "atol", "__builtin_strlen", "__builtin_strcmp", "__builtin_memcmp",
    "__builtin_strchr",
];

/// A program with more functions and shared names than this is not looked at,
/// nor an expression with more names: sets of them are compared.
const MAX_NAMES: usize = 2_000;

/// Looks for an expression whose value may depend on the order of evaluation.
pub(super) fn find_unordered(tree: &SyntaxTree, text: &[u8]) -> Meaning {
    let mut reading = Reading::new(tree, text);
    if reading.functions.len() + reading.shared.len() > MAX_NAMES {
        let names = "more functions and variables than are looked at";
        return Meaning::Unclear(names.to_string());
    }
    if let Err(found) = reading.evaluate() {
        return found;
    }
    reading.close_over_calls();
    reading.evaluate().err().unwrap_or(Meaning::Fixed)
}

/// A program and what is known of it.
struct Reading<'a> {
    tree: &'a SyntaxTree,
    text: &'a [u8],
    names: BTreeMap<&'a [u8], Name>,
    /// Variables that pointers may show, or that outlive a call.
    shared: BTreeSet<Name>,
    /// Variables that are arrays wherever they are declared.
    arrays: BTreeSet<Name>,
    /// Variables whose reading is a side effect.
    volatiles: BTreeSet<Name>,
    /// What is declared inside of each function, by the function's node.
    locals: BTreeMap<NodeId, BTreeSet<Name>>,
    /// The nodes of functions with a body, by name.
    functions: BTreeMap<Name, NodeId>,
    /// What calls of functions do; empty until that is computed.
    summaries: BTreeMap<Name, Effects>,
    /// What functions do by themselves.
    bodies: BTreeMap<Name, Effects>,
}

/// A node as its parent sees it.
#[derive(Clone, Debug, Default)]
struct Seen {
    effects: Effects,
    /// What it stands for; that it is read is not among the effects yet.
    place: Option<Place>,
}

impl<'a> Reading<'a> {
    fn new(tree: &'a SyntaxTree, text: &'a [u8]) -> Reading<'a> {
        let mut reading = Reading {
            tree,
            text,
            names: BTreeMap::new(),
            shared: BTreeSet::new(),
            arrays: BTreeSet::new(),
            volatiles: BTreeSet::new(),
            locals: BTreeMap::new(),
            functions: BTreeMap::new(),
            summaries: BTreeMap::new(),
            bodies: BTreeMap::new(),
        };
        let mut pointers = BTreeSet::new();
        let mut function: Option<(NodeId, usize)> = None;
        for id in 0..tree.nodes().len() {
            function = function.filter(|(_, end)| id < *end);
            match tree.kind(id) {
                "function_definition" if function.is_none() => {
                    function = Some((id, tree.node(id).end));
                    reading.locals.entry(id).or_default();
                }
                "identifier" => reading.see_name(id, function.map(|(id, _)| id), &mut pointers),
                _ => {}
            }
        }
        reading.arrays.retain(|name| !pointers.contains(name));
        let shared_arrays: Vec<Name> = reading.arrays.iter().copied().collect();
        reading.shared.extend(shared_arrays);
        reading
    }

    fn name(&mut self, id: NodeId) -> Name {
        let next = self.names.len() as Name;
        let text = &self.text[self.tree.node(id).range.clone()];
        *self.names.entry(text).or_insert(next)
    }

    /// Notes what an identifier's place in the text says of the name.
    fn see_name(&mut self, id: NodeId, function: Option<NodeId>, pointers: &mut BTreeSet<Name>) {
        let name = self.name(id);
        let Some(parent) = self.tree.node(id).parent else {
            return;
        };
        if self.is_address(id) {
            self.shared.insert(name);
        }
        if self.tree.field(id) != Some("declarator")
            && self.tree.kind(parent) != "parenthesized_declarator"
        {
            return;
        }
        let mut is_parameter = false;
        let mut is_array = false;
        for up in self.tree.ancestors(id) {
            match self.tree.kind(up) {
                "array_declarator" if self.tree.field(up) == Some("declarator") || up == parent => {
                    is_array |= up == parent;
                }
                "function_declarator" if up == parent => {
                    if let Some(node) = function.filter(|&f| self.heads(f, up)) {
                        self.functions.insert(name, node);
                    }
                    return;
                }
                "parameter_declaration" => is_parameter = true,
                "declaration" | "field_declaration" | "function_definition" => {
                    self.see_declaration(up, name, function);
                    break;
                }
                _ => {}
            }
        }
        match is_array && !is_parameter {
            true => self.arrays.insert(name),
            false => pointers.insert(name),
        };
    }

    /// True if a declarator is that of the function itself.
    fn heads(&self, function: NodeId, declarator: NodeId) -> bool {
        self.tree
            .ancestors(declarator)
            .take_while(|&up| up != function)
            .all(|up| {
                matches!(
                    self.tree.kind(up),
                    "pointer_declarator" | "parenthesized_declarator"
                )
            })
    }

    fn see_declaration(&mut self, declaration: NodeId, name: Name, function: Option<NodeId>) {
        let words = |kind: &str, word: &[u8]| {
            self.tree
                .children(declaration)
                .any(|child| self.tree.kind(child) == kind && self.text_of(child) == word)
        };
        let is_static = words("storage_class_specifier", b"static")
            || words("storage_class_specifier", b"extern");
        let is_volatile = words("type_qualifier", b"volatile");
        match function {
            Some(function) if !is_static => {
                self.locals.entry(function).or_default().insert(name);
            }
            _ => {
                self.shared.insert(name);
            }
        }
        if is_volatile {
            self.volatiles.insert(name);
        }
    }

    fn text_of(&self, id: NodeId) -> &'a [u8] {
        &self.text[self.tree.node(id).range.clone()]
    }

    /// True if the address of what the identifier names is taken: `&x`,
    /// `&x.member`, `&x[i]`.
    fn is_address(&self, id: NodeId) -> bool {
        for up in self.tree.ancestors(id) {
            match self.tree.kind(up) {
                "pointer_expression" => return self.operator(up) == "&",
                "parenthesized_expression" | "field_expression" | "subscript_expression" => {}
                _ => return false,
            }
        }
        false
    }

    fn operator(&self, id: NodeId) -> &str {
        let mut children = self.tree.children(id);
        let found = children.find(|&child| self.tree.field(child) == Some("operator"));
        found.map_or("", |child| self.tree.kind(child))
    }

    /// Computes what every node does; the error is what was found.
    fn evaluate(&mut self) -> Result<(), Meaning> {
        let count = self.tree.nodes().len();
        let mut seen: Vec<Option<Seen>> = vec![None; count];
        for id in (0..count).rev() {
            let children: Vec<NodeId> = self.tree.children(id).collect();
            let below: Vec<(NodeId, Seen)> = children
                .into_iter()
                .filter_map(|child| Some((child, seen[child].take()?)))
                .collect();
            let found = self.see(id, below)?;
            if found.effects.size() > MAX_NAMES {
                let names = "an expression with more names than are looked at";
                return Err(Meaning::Unclear(names.to_string()));
            }
            seen[id] = Some(found);
        }
        Ok(())
    }

    fn see(&mut self, id: NodeId, below: Vec<(NodeId, Seen)>) -> Result<Seen, Meaning> {
        let kind = self.tree.kind(id).to_string();
        match kind.as_str() {
            "identifier" => {
                let name = self.name(id);
                let is_known = !self.functions.contains_key(&name);
                Ok(Seen {
                    effects: Effects::default(),
                    place: is_known.then_some(Place::Variable(name)),
                })
            }
            // Not evaluated, or no expression.
            "sizeof_expression"
            | "alignof_expression"
            | "offsetof_expression"
            | "type_descriptor"
            | "parameter_list"
            | "enum_specifier"
            | "attribute_specifier" => Ok(Seen::default()),
            "parenthesized_expression"
            | "field_expression"
            | "pointer_expression"
            | "subscript_expression" => self.see_place(id, &kind, below),
            "assignment_expression" => self.see_assignment(id, below),
            "update_expression" => {
                let (mut effects, places) = self.operands(id, below, false)?;
                for place in places {
                    self.read(place, &mut effects);
                    effects.write(place);
                }
                Ok(Seen {
                    effects,
                    place: None,
                })
            }
            "call_expression" => self.see_call(id, below),
            "function_definition" => {
                let effects = self.together(id, below, false)?;
                self.end_function(id, effects);
                Ok(Seen::default())
            }
            _ => {
                let ordered = !matches!(
                    kind.as_str(),
                    "binary_expression" | "argument_list" | "initializer_list"
                ) || matches!(self.operator(id), "&&" | "||");
                let effects = self.together(id, below, !ordered)?;
                Ok(Seen {
                    effects,
                    place: None,
                })
            }
        }
    }

    /// The effects of all children, whose values are read. If they have no
    /// order, none may disturb another.
    fn together(
        &self,
        id: NodeId,
        below: Vec<(NodeId, Seen)>,
        unordered: bool,
    ) -> Result<Effects, Meaning> {
        let mut all = Effects::default();
        for (child, seen) in below {
            // Names that are declared are no values.
            let is_declared = self.tree.field(child) == Some("declarator");
            let mut effects = seen.effects;
            if let Some(place) = seen.place.filter(|_| !is_declared) {
                self.read(place, &mut effects);
            }
            if unordered && all.conflicts(&effects, &self.shared) {
                return Err(Meaning::Open(super::shown(self.tree, self.text, id)));
            }
            all.add(&effects);
        }
        Ok(all)
    }

    /// The same, but the places that children stand for are not read.
    fn operands(
        &self,
        id: NodeId,
        below: Vec<(NodeId, Seen)>,
        unordered: bool,
    ) -> Result<(Effects, Vec<Place>), Meaning> {
        let places = below.iter().filter_map(|(_, seen)| seen.place).collect();
        let plain = |(child, seen): (NodeId, Seen)| {
            (
                child,
                Seen {
                    place: None,
                    ..seen
                },
            )
        };
        let below = below.into_iter().map(plain).collect();
        Ok((self.together(id, below, unordered)?, places))
    }

    fn read(&self, place: Place, effects: &mut Effects) {
        effects.read(place);
        if let Place::Variable(name) = place
            && self.volatiles.contains(&name)
        {
            effects.write(place);
        }
    }

    /// An expression that may be written to.
    fn see_place(
        &self,
        id: NodeId,
        kind: &str,
        below: Vec<(NodeId, Seen)>,
    ) -> Result<Seen, Meaning> {
        // Tokens are children too.
        let first = below
            .iter()
            .position(|(child, _)| self.tree.node(*child).named);
        let base = first.and_then(|first| below[first].1.place);
        let operator = self.operator(id).to_string();
        let is_array =
            |place| matches!(place, Some(Place::Variable(name)) if self.arrays.contains(&name));
        let keeps_place = match kind {
            "parenthesized_expression" => true,
            "field_expression" => operator == ".",
            "subscript_expression" => is_array(base),
            _ => false,
        };
        if keeps_place {
            let mut below = below;
            if let Some(first) = first {
                below[first].1.place = None;
            }
            let effects = self.together(id, below, kind == "subscript_expression")?;
            return Ok(Seen {
                effects,
                place: base,
            });
        }
        if kind == "pointer_expression" && operator == "&" {
            let (effects, _) = self.operands(id, below, false)?;
            return Ok(Seen {
                effects,
                place: None,
            });
        }
        let effects = self.together(id, below, kind == "subscript_expression")?;
        Ok(Seen {
            effects,
            place: Some(Place::Memory),
        })
    }

    fn see_assignment(&self, id: NodeId, below: Vec<(NodeId, Seen)>) -> Result<Seen, Meaning> {
        let place = below.iter().find_map(|(child, seen)| {
            (self.tree.field(*child) == Some("left")).then_some(seen.place)?
        });
        let reads = self.operator(id) != "=";
        let operands = below.into_iter().map(|(child, mut seen)| {
            if self.tree.field(child) == Some("left") && !reads {
                seen.place = None;
            }
            (child, seen)
        });
        let mut effects = self.together(id, operands.collect(), true)?;
        if let Some(place) = place {
            if effects.writes_to(place, &self.shared) && !self.is_only_volatile_read(place) {
                return Err(Meaning::Open(super::shown(self.tree, self.text, id)));
            }
            effects.write(place);
        }
        Ok(Seen {
            effects,
            place: None,
        })
    }

    /// Reading a volatile variable to assign to it is in order.
    fn is_only_volatile_read(&self, place: Place) -> bool {
        matches!(place, Place::Variable(name) if self.volatiles.contains(&name))
    }

    fn see_call(&mut self, id: NodeId, below: Vec<(NodeId, Seen)>) -> Result<Seen, Meaning> {
        let callee = self
            .tree
            .children(id)
            .find(|&child| self.tree.field(child) == Some("function"));
        let callee = callee.filter(|&child| self.tree.kind(child) == "identifier");
        let is_callee = |child: &NodeId| Some(*child) == callee;
        let below = below.into_iter().map(|(child, mut seen)| {
            if is_callee(&child) {
                seen.place = None;
            }
            (child, seen)
        });
        let mut effects = self.together(id, below.collect(), true)?;
        effects.add(&self.effects_of_call(callee));
        Ok(Seen {
            effects,
            place: None,
        })
    }

    fn effects_of_call(&mut self, callee: Option<NodeId>) -> Effects {
        let Some(callee) = callee else {
            return Effects::of_unknown();
        };
        let name = self.name(callee);
        let text = self.text_of(callee);
        let is_local = self.locals.values().any(|names| names.contains(&name));
        if is_local {
            return Effects::of_unknown();
        }
        if self.functions.contains_key(&name) {
            let mut effects = match self.summaries.get(&name) {
                Some(summary) => summary.clone(),
                None => Effects::default(),
            };
            effects.calls.insert(name);
            return effects;
        }
        let is_one_of = |list: &[&str]| list.iter().any(|one| one.as_bytes() == text);
        match (is_one_of(HARMLESS), is_one_of(READING)) {
            (true, _) => Effects::default(),
            (_, true) => Effects::of_reading(),
            _ => Effects::of_unknown(),
        }
    }

    /// Keeps what a function does to what outlives it.
    fn end_function(&mut self, id: NodeId, effects: Effects) {
        let named = self.functions.iter().find(|(_, node)| **node == id);
        let Some(name) = named.map(|(name, _)| *name) else {
            return;
        };
        let mut effects = effects.inside_call();
        let locals = self.locals.get(&id).cloned().unwrap_or_default();
        let lasts = |name: &Name| !locals.contains(name) || self.shared.contains(name);
        effects.reads.retain(lasts);
        effects.writes.retain(lasts);
        self.bodies.insert(name, effects);
    }

    /// What calls do, those that they lead to included.
    fn close_over_calls(&mut self) {
        let mut summaries = self.bodies.clone();
        loop {
            let mut changed = false;
            for name in self.bodies.keys() {
                let mut whole = summaries[name].clone();
                for callee in &self.bodies[name].calls {
                    if let Some(summary) = summaries.get(callee) {
                        whole.add(summary);
                    }
                }
                changed |= whole != summaries[name];
                summaries.insert(*name, whole);
            }
            if !changed {
                break;
            }
        }
        self.summaries = summaries;
    }
}
