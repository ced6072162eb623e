//! Expressions are typed and turned into code in one pass: what a name means
//! is looked up once.
//!
//! Inside a rule, names are the production's: `this` and its children carry
//! attributes, local names and `$` are values of the node. The attributes that
//! a rule reads are its sources, of which the engine makes sure that they are
//! there before the code runs.

use super::definitions::{DefKind, Definitions, Maker, hint};
use super::types::{MAX_SIZE, Problems, TUPLE, Type, Unifier};
use crate::spec::run::{Code, Constant, Op};
use crate::spec::source::Span;
use crate::spec::syntax::{AttributeKind, Expr, ExprKind, Name, Piece};

/// An attribute, seen from a rule: one that it reads, or the one that it sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// Of the rule's own node.
    Own(u32),
    /// Of one of its children.
    Child(u16, u32),
}

/// A class as far as expressions see it.
#[derive(Debug)]
pub(crate) struct ClassDef {
    pub name: String,
    pub span: Span,
    /// Inherited, then synthesized, then guards; the index is the slot.
    pub attributes: Vec<AttributeDef>,
}

#[derive(Debug)]
pub(crate) struct AttributeDef {
    pub name: String,
    pub span: Span,
    pub kind: AttributeKind,
    pub of: Type,
}

/// What an expression may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Own inherited attributes, synthesized ones of children, locals, `$`.
    Rule,
    /// Own inherited attributes.
    Generator,
    /// Own inherited attributes, and how high the node may be.
    Weight,
    /// Everything that a rule may, and the node's own synthesized ones.
    Template,
}

impl Reach {
    /// What to say of a value that is not there yet when a production is
    /// chosen.
    fn beforehand(self) -> Option<&'static str> {
        match self {
            Reach::Generator => Some("a generator reads inherited attributes only"),
            Reach::Weight => Some("a weight reads inherited attributes, knobs and `height` only"),
            Reach::Rule | Reach::Template => None,
        }
    }
}

/// The production that an expression belongs to.
#[derive(Debug)]
pub(crate) struct Site<'a> {
    pub classes: &'a [ClassDef],
    pub this: usize,
    pub children: &'a [(String, usize)],
    /// Local names with their slots.
    pub locals: Vec<(String, u32, Type)>,
    /// The slot and type of `$`.
    pub value: Option<(u32, Type)>,
    pub reach: Reach,
}

/// Code that was made.
#[derive(Debug)]
pub(crate) struct Emitted {
    pub entry: u32,
    pub of: Type,
    pub sources: Vec<Place>,
}

pub(super) struct Local {
    pub name: String,
    pub at: u32,
    pub of: Type,
}

pub(crate) struct Emitter<'a> {
    pub(super) defs: &'a Definitions,
    site: Option<&'a Site<'a>>,
    pub(super) code: &'a mut Code,
    pub(super) problems: &'a mut Problems,
    pub(super) types: Unifier,
    pub(super) locals: Vec<Local>,
    /// How many values of this call are on the stack.
    pub(super) depth: u32,
    sources: Vec<Place>,
}

/// Emits a function's body; the caller has set its entry to the next code.
pub(crate) fn function(
    defs: &Definitions,
    number: usize,
    body: &Expr,
    code: &mut Code,
    problems: &mut Problems,
) {
    let def = &defs.functions[number];
    let mut emitter = Emitter::new(defs, None, code, problems);
    for (name, of) in &def.args {
        emitter.locals.push(Local {
            name: name.clone(),
            at: emitter.depth,
            of: of.clone(),
        });
        emitter.depth += 1;
    }
    emitter.expect(body, &def.result);
    emitter.op(body.span, Op::Return);
}

/// Emits an expression of its own; `wanted` is its type if that is known.
pub(crate) fn expression(
    defs: &Definitions,
    site: Option<&Site>,
    expr: &Expr,
    wanted: Option<&Type>,
    code: &mut Code,
    problems: &mut Problems,
) -> Emitted {
    let entry = code.ops.len() as u32;
    let mut emitter = Emitter::new(defs, site, code, problems);
    let of = match wanted {
        Some(wanted) => {
            emitter.expect(expr, wanted);
            wanted.clone()
        }
        None => emitter.expr(expr),
    };
    emitter.op(expr.span, Op::Return);
    let of = emitter.types.whole(&of);
    let mut sources = std::mem::take(&mut emitter.sources);
    sources.sort();
    sources.dedup();
    Emitted { entry, of, sources }
}

/// In a weight: how high the node may be.
const HEIGHT: &str = "height";

/// How many constants are shared by all that use them.
const SHARED_CONSTANTS: usize = 1000;

impl<'a> Emitter<'a> {
    fn new(
        defs: &'a Definitions,
        site: Option<&'a Site<'a>>,
        code: &'a mut Code,
        problems: &'a mut Problems,
    ) -> Emitter<'a> {
        Emitter {
            defs,
            site,
            code,
            problems,
            types: Unifier::default(),
            locals: Vec::new(),
            depth: 0,
            sources: Vec::new(),
        }
    }

    pub(super) fn op(&mut self, span: Span, op: Op) -> usize {
        self.code.ops.push(op);
        self.code.spans.push(span);
        self.code.ops.len() - 1
    }

    /// Lets the jump at `at` lead to the next instruction.
    pub(super) fn land(&mut self, at: usize) {
        let here = self.code.ops.len() as u32;
        match &mut self.code.ops[at] {
            Op::Jump(to) | Op::JumpUnless(to) | Op::Next { end: to, .. } => *to = here,
            _ => {}
        }
    }

    /// Later constants are not looked for among those there are, so that a huge
    /// spec does not take for ever.
    pub(super) fn constant(&mut self, span: Span, constant: Constant) {
        let mut first = self.code.constants.iter().take(SHARED_CONSTANTS);
        let known = first.position(|known| *known == constant);
        let number = known.unwrap_or_else(|| {
            self.code.constants.push(constant);
            self.code.constants.len() - 1
        });
        self.op(span, Op::Const(number as u32));
        self.depth += 1;
    }

    /// Says that types differ, if they do.
    pub(super) fn same(&mut self, span: Span, wanted: &Type, found: &Type) {
        if !self.types.unify(wanted, found) {
            let wanted = self.defs.shown(&self.types.whole(wanted));
            let found = self.defs.shown(&self.types.whole(found));
            self.problems
                .error(span, format!("expected {wanted}, found {found}"));
        }
    }

    pub(super) fn expect(&mut self, expr: &Expr, wanted: &Type) {
        let found = self.expr(expr);
        self.same(expr.span, wanted, &found);
    }

    /// Emits code that leaves one more value on the stack.
    pub(super) fn expr(&mut self, expr: &Expr) -> Type {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(number) => {
                self.constant(span, Constant::Int(*number));
                Type::int()
            }
            ExprKind::Bool(value) => {
                self.constant(span, Constant::Bool(*value));
                Type::bool()
            }
            ExprKind::Text(pieces) => self.text(span, pieces),
            ExprKind::Name(name) => self.name(span, name),
            ExprKind::Field(base, field) => self.field(span, base, field),
            ExprKind::Call(name, args) => self.call(span, name, args),
            ExprKind::Record(name, fields) => self.record(span, name, fields),
            ExprKind::With(base, fields) => self.with(span, base, fields),
            ExprKind::Tuple(parts) => {
                let types = parts.iter().map(|part| self.expr(part)).collect();
                self.data(span, 0, parts.len());
                let of = Type::Named(TUPLE, types);
                if of.size() > MAX_SIZE {
                    self.problems.error(span, "a type of too many parts");
                    return Type::Unknown;
                }
                of
            }
            ExprKind::List(items) => {
                let of = self.types.fresh();
                for item in items {
                    self.expect(item, &of);
                }
                self.op(span, Op::List(items.len() as u32));
                self.depth = self.depth + 1 - items.len() as u32;
                Type::list(of)
            }
            ExprKind::Each(body, clauses) => self.each(span, body, clauses),
            ExprKind::Fold {
                name,
                start,
                pattern,
                list,
                body,
            } => self.fold(span, (name, start), (pattern, list), body),
            ExprKind::If(condition, yes, no) => self.conditional(span, condition, yes, no),
            ExprKind::Let(pattern, value, body) => self.binding(pattern, value, body),
            ExprKind::Match(value, arms) => self.matching(span, value, arms),
            ExprKind::Not(inner) => {
                self.expect(inner, &Type::bool());
                self.op(span, Op::Not);
                Type::bool()
            }
            ExprKind::Minus(inner) => {
                self.expect(inner, &Type::int());
                self.op(span, Op::Minus);
                Type::int()
            }
            ExprKind::Binary(op, left, right) => self.binary(span, *op, left, right),
        }
    }

    fn text(&mut self, span: Span, pieces: &[Piece]) -> Type {
        for piece in pieces {
            match piece {
                Piece::Text(text) => self.constant(span, Constant::Text(text.clone())),
                Piece::Print(expr) => {
                    self.expr(expr);
                    self.op(span, Op::Print);
                }
                _ => {}
            }
        }
        match pieces {
            [] => self.constant(span, Constant::Text(String::new())),
            [_] => {}
            _ => {
                self.op(span, Op::Concat(pieces.len() as u32));
                self.depth = self.depth + 1 - pieces.len() as u32;
            }
        }
        Type::text()
    }

    fn data(&mut self, span: Span, tag: u32, count: usize) {
        let count = count as u32;
        self.op(span, Op::Data { tag, count });
        self.depth = self.depth + 1 - count;
    }

    /// A value of any type, where something was wrong.
    fn unknown(&mut self, span: Span, problem: impl Into<String>) -> Type {
        self.problems.error(span, problem);
        self.constant(span, Constant::Bool(false));
        Type::Unknown
    }

    /// A name that means nothing.
    fn undeclared(&mut self, span: Span, problem: String) -> Type {
        self.problems.unknown(span, problem);
        self.constant(span, Constant::Bool(false));
        Type::Unknown
    }

    fn name(&mut self, span: Span, name: &str) -> Type {
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
                crate::spec::syntax::KnobValue::Int(_) => Type::int(),
                crate::spec::syntax::KnobValue::Bool(_) => Type::bool(),
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

    fn field(&mut self, span: Span, base: &Expr, field: &Name) -> Type {
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

    fn call(&mut self, span: Span, name: &Name, args: &[Expr]) -> Type {
        if name.text.starts_with(|c: char| c.is_ascii_uppercase()) {
            return self.make(span, name, args);
        }
        let Some(&number) = self.defs.function_names.get(&name.text) else {
            let hint = self.defs.hint_of_function(&name.text);
            let problem = format!("function `{}` is not declared{hint}", name.text);
            return self.undeclared(name.span, problem);
        };
        let defs = self.defs;
        let def = &defs.functions[number];
        if def.args.len() != args.len() {
            let problem = format!(
                "function `{}` takes {} arguments, not {}",
                name.text,
                def.args.len(),
                args.len()
            );
            return self.unknown(span, problem);
        }
        let params = self.types.fresh_list(def.params);
        for (arg, (_, of)) in args.iter().zip(&def.args) {
            self.expect(arg, &of.with(&params));
        }
        let op = match def.builtin {
            Some(builtin) => Op::Builtin(builtin),
            None => Op::Call {
                function: number as u32,
                args: args.len() as u32,
            },
        };
        self.op(span, op);
        self.depth = self.depth + 1 - args.len() as u32;
        def.result.with(&params)
    }

    /// A variant.
    fn make(&mut self, span: Span, name: &Name, args: &[Expr]) -> Type {
        let defs = self.defs;
        let (of, index) = match defs.makers.get(&name.text) {
            Some(Maker::Variant { of, index }) => (*of, *index),
            Some(Maker::Record { .. }) => {
                let problem = format!("record {0}: name its fields: `{0}(field: …)`", name.text);
                return self.unknown(span, problem);
            }
            None => {
                let hint = hint(&name.text, defs.makers.keys().map(String::as_str));
                let problem = format!("`{}` is not declared{hint}", name.text);
                return self.undeclared(name.span, problem);
            }
        };
        let DefKind::Variant(variants) = &defs.types[of as usize].kind else {
            return self.unknown(span, "not a variant");
        };
        let (tag, fields) = &variants[index];
        if fields.len() != args.len() {
            let problem = format!(
                "`{}` takes {} arguments, not {}",
                name.text,
                fields.len(),
                args.len()
            );
            return self.unknown(span, problem);
        }
        let params = self.types.fresh_list(defs.types[of as usize].params);
        for (arg, field) in args.iter().zip(fields) {
            self.expect(arg, &field.with(&params));
        }
        match args.is_empty() {
            true => self.constant(span, Constant::Tag(*tag)),
            false => self.data(span, *tag, args.len()),
        }
        Type::Named(of, params)
    }

    fn record(&mut self, span: Span, name: &Name, given: &[(Name, Expr)]) -> Type {
        let defs = self.defs;
        let Some(Maker::Record { of }) = defs.makers.get(&name.text) else {
            let hint = hint(&name.text, defs.makers.keys().map(String::as_str));
            let problem = format!("record `{}` is not declared{hint}", name.text);
            return self.undeclared(name.span, problem);
        };
        let def = &defs.types[*of as usize];
        let DefKind::Record(fields) = &def.kind else {
            return self.unknown(span, "not a record");
        };
        for (i, (field, _)) in given.iter().enumerate() {
            if !fields.iter().any(|(name, _)| *name == field.text) {
                let hint = hint(&field.text, fields.iter().map(|(name, _)| name.as_str()));
                let problem = format!("record {} has no field `{}`{hint}", def.name, field.text);
                self.problems.error(field.span, problem);
            }
            if given[..i].iter().any(|(other, _)| other.text == field.text) {
                let problem = format!("field `{}` stands here twice", field.text);
                self.problems.error(field.span, problem);
            }
        }
        let params = self.types.fresh_list(def.params);
        for (field, of) in fields {
            match given.iter().find(|(name, _)| name.text == *field) {
                Some((_, expr)) => self.expect(expr, &of.with(&params)),
                None => {
                    let problem = format!("field `{field}` of record {} is missing", def.name);
                    self.unknown(span, problem);
                }
            }
        }
        self.data(span, 0, fields.len());
        Type::Named(*of, params)
    }

    fn with(&mut self, span: Span, base: &Expr, changes: &[(Name, Expr)]) -> Type {
        let of = self.expr(base);
        let defs = self.defs;
        let (fields, args, name) = match self.types.head(&of) {
            Type::Named(id, args) if id != TUPLE => match &defs.types[id as usize].kind {
                DefKind::Record(fields) => (fields, args, &defs.types[id as usize].name),
                _ => {
                    self.problems.error(base.span, "only records have fields");
                    return Type::Unknown;
                }
            },
            _ => {
                self.problems.error(base.span, "only records have fields");
                return Type::Unknown;
            }
        };
        for (field, expr) in changes {
            let Some(index) = fields.iter().position(|(known, _)| *known == field.text) else {
                let hint = hint(&field.text, fields.iter().map(|(name, _)| name.as_str()));
                let problem = format!("record {name} has no field `{}`{hint}", field.text);
                self.problems.error(field.span, problem);
                continue;
            };
            self.expect(expr, &fields[index].1.with(&args));
            self.op(span, Op::With(index as u32));
            self.depth -= 1;
        }
        of
    }
}
