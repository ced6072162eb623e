//! The types of variables, as texts: equal texts are equal types.

use std::ops::Range;

use lydite_syntax::NodeId;

use super::captures::{Definition, IGNORE, Role, UNIQUE};
use super::dialect::Types;
use super::reader::Reader;
use super::{c_types, type_text};

/// The type of a variable.
pub(super) struct Typed {
    pub text: String,
    pub declaration: String,
    pub undefined: bool,
    /// Its declaration says that it outlives the function that it is in.
    pub lasting: bool,
}

impl Typed {
    fn plain(text: String, declaration: String) -> Typed {
        Typed {
            text,
            declaration,
            undefined: false,
            lasting: false,
        }
    }
}

impl Reader<'_> {
    pub(super) fn type_of(
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
        } else if self.depends_on_place(definition, holder, declarator, &typed.text) {
            let at = self.tree.node(definition.name).range.start;
            typed.declaration = format!("{} at {at}", typed.declaration);
        }
        typed
    }

    /// True if the same declaration may make something else at another place: it
    /// names a variable or a function, or makes an object of a class.
    fn depends_on_place(
        &self,
        definition: &Definition,
        holder: NodeId,
        declarator: NodeId,
        type_text: &str,
    ) -> bool {
        let whole = match self.dialect.types {
            Types::Declarators => declarator,
            Types::Nodes | Types::None => holder,
        };
        let uses = &self.captures.uses;
        let from = uses.partition_point(|&node| node < whole);
        let named = uses[from..]
            .iter()
            .take_while(|&&node| node < self.tree.node(whole).end)
            .any(|&node| node != definition.name);
        let has_classes = self.dialect.language == "cpp";
        named || has_classes && !c_types::is_plain(type_text)
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
        let lasting = specifiers.iter().any(|word| c_types::outlives(word));
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
            lasting,
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
}
