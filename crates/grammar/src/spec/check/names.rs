//! What names mean, as code: locals, knobs, attributes and fields. The rest of
//! [`super::emit`].

use super::definitions::{DefKind, hint};
use super::emit::{Emitter, Place, Reach, Site};
use super::types::{TUPLE, Type};
use crate::spec::run::Op;
use crate::spec::source::Span;
use crate::spec::syntax::{AttributeKind, Expr, ExprKind, KnobValue, Name};

/// In a weight: how high the node may be.
const HEIGHT: &str = "height";

impl Emitter<'_> {
    pub(super) fn name(&mut self, span: Span, name: &str) -> Type {
        if let Some(local) = self.locals.iter().rev().find(|local| local.name == name) {
            let (at, of) = (local.at, local.of.clone());
            self.op(span, Op::Local(at));
            self.depth += 1;
            return of;
        }
        if name.starts_with(|c: char| c.is_ascii_uppercase()) {
            let name = Name {
                text: name.to_string(),
                span,
            };
            return self.call(span, &name, &[]);
        }
        if let Some(of) = self.site_name(span, name) {
            return of;
        }
        if let Some(knob) = self.defs.knob(name) {
            self.op(span, Op::Knob(knob));
            self.depth += 1;
            return match self.defs.knobs[knob as usize].1 {
                KnobValue::Int(_) => Type::int(),
                KnobValue::Bool(_) => Type::bool(),
            };
        }
        let weighs = self.site.is_some_and(|site| site.reach == Reach::Weight);
        if name == HEIGHT && weighs {
            self.op(span, Op::Height);
            self.depth += 1;
            return Type::int();
        }
        let problem = match self.defs.function_names.contains_key(name) {
            true => format!("`{name}` is a function: call it with `{name}(…)`"),
            false => format!("`{name}` is not known here{}", self.hint_of_names(name)),
        };
        self.unknown(span, problem)
    }

    fn hint_of_names(&self, name: &str) -> String {
        let locals = self.locals.iter().map(|local| local.name.as_str());
        let knobs = self.defs.knobs.iter().map(|(name, _)| name.as_str());
        let site = self.site.iter();
        let site = site.flat_map(|site| site.locals.iter().map(|(name, ..)| name.as_str()));
        hint(name, locals.chain(knobs).chain(site))
    }

    /// `$`, a local name of the production, or a child.
    fn site_name(&mut self, span: Span, name: &str) -> Option<Type> {
        let site = self.site?;
        let slot = match name {
            "$" => match &site.value {
                Some((slot, of)) => Some((*slot, of.clone())),
                None => {
                    let problem = "`$` is the value that a generator chose: there is none here";
                    return Some(self.unknown(span, problem));
                }
            },
            _ => {
                let found = site.locals.iter().find(|(known, ..)| known == name);
                found.map(|(_, slot, of)| (*slot, of.clone()))
            }
        };
        if let Some((slot, of)) = slot {
            if let Some(problem) = site.reach.beforehand() {
                return Some(self.unknown(span, problem));
            }
            self.read(span, Place::Own(slot));
            return Some(of);
        }
        let is_node = name == "this" || site.children.iter().any(|(child, _)| child == name);
        is_node.then(|| {
            let problem = format!("`{name}` is a node: name one of its attributes");
            self.unknown(span, problem)
        })
    }

    fn read(&mut self, span: Span, source: Place) {
        let op = match source {
            Place::Own(slot) => Op::Own(slot),
            Place::Child(child, slot) => Op::Child(child, slot),
        };
        self.op(span, op);
        self.depth += 1;
        self.sources.push(source);
    }

    pub(super) fn field(&mut self, span: Span, base: &Expr, field: &Name) -> Type {
        if let (ExprKind::Name(owner), Some(site)) = (&base.kind, self.site) {
            let hidden = self.locals.iter().any(|local| local.name == *owner);
            let child = site.children.iter().position(|(child, _)| child == owner);
            if !hidden && (owner == "this" || child.is_some()) {
                return self.attribute(span, site, child, field);
            }
        }
        let of = self.expr(base);
        let Type::Named(id, args) = self.types.head(&of) else {
            if self.types.head(&of) == Type::Unknown {
                return Type::Unknown;
            }
            self.problems.error(
                base.span,
                format!(
                    "the type of this is not known here, so `.{}` is not",
                    field.text
                ),
            );
            return Type::Unknown;
        };
        let fields = match id {
            TUPLE => None,
            _ => match &self.defs.types[id as usize].kind {
                DefKind::Record(fields) => Some(fields),
                _ => None,
            },
        };
        let Some(fields) = fields else {
            let shown = self.defs.shown(&Type::Named(id, args));
            self.problems
                .error(field.span, format!("a {shown} has no fields"));
            return Type::Unknown;
        };
        let Some(index) = fields.iter().position(|(name, _)| *name == field.text) else {
            let names = fields.iter().map(|(name, _)| name.as_str());
            let hint = hint(&field.text, names);
            let record = &self.defs.types[id as usize].name;
            let problem = format!("record {record} has no field `{}`{hint}", field.text);
            self.problems.error(field.span, problem);
            return Type::Unknown;
        };
        self.op(span, Op::Field(index as u32));
        fields[index].1.with(&args)
    }

    fn attribute(&mut self, span: Span, site: &Site, child: Option<usize>, name: &Name) -> Type {
        let class = match child {
            Some(child) => &site.classes[site.children[child].1],
            None => &site.classes[site.this],
        };
        let attributes = &class.attributes;
        let Some(slot) = attributes.iter().position(|a| a.name == name.text) else {
            let hint = hint(&name.text, attributes.iter().map(|a| a.name.as_str()));
            let problem = format!(
                "class {} has no attribute `{}`{hint}",
                class.name, name.text
            );
            return self.undeclared(name.span, problem);
        };
        let kind = attributes[slot].kind;
        let legal = match (child, site.reach) {
            (None, Reach::Template) => true,
            (None, _) => kind == AttributeKind::Inherited,
            (Some(_), Reach::Generator | Reach::Weight) => false,
            (Some(_), _) => kind == AttributeKind::Synthesized,
        };
        if !legal {
            let rule =
                "a rule reads inherited attributes of `this` and synthesized ones of children";
            let problem = site.reach.beforehand().unwrap_or(rule);
            return self.unknown(span, problem);
        }
        let source = match child {
            Some(child) => Place::Child(child as u16, slot as u32),
            None => Place::Own(slot as u32),
        };
        self.read(span, source);
        attributes[slot].of.clone()
    }
}
