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
    pub(super) fn beforehand(self) -> Option<&'static str> {
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

impl<'a> Site<'a> {
    /// A production as its generator sees it, which comes before everything else.
    pub(super) fn new(
        classes: &'a [ClassDef],
        this: usize,
        children: &'a [(String, usize)],
    ) -> Site<'a> {
        Site {
            classes,
            this,
            children,
            locals: Vec::new(),
            value: None,
            reach: Reach::Generator,
        }
    }
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
    pub(super) defs: &'a Definitions<'a>,
    pub(super) site: Option<&'a Site<'a>>,
    pub(super) code: &'a mut Code,
    pub(super) problems: &'a mut Problems,
    pub(super) types: Unifier,
    pub(super) locals: Vec<Local>,
    /// How many values of this call are on the stack.
    pub(super) depth: u32,
    pub(super) sources: Vec<Place>,
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

/// How many constants are shared by all that use them.
const SHARED_CONSTANTS: usize = 1000;

impl<'a> Emitter<'a> {
    fn new(
        defs: &'a Definitions<'a>,
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
    pub(super) fn unknown(&mut self, span: Span, problem: impl Into<String>) -> Type {
        self.problems.error(span, problem);
        self.constant(span, Constant::Bool(false));
        Type::Unknown
    }

    /// A name that means nothing.
    pub(super) fn undeclared(&mut self, span: Span, problem: String) -> Type {
        self.problems.unknown(span, problem);
        self.constant(span, Constant::Bool(false));
        Type::Unknown
    }

    pub(super) fn call(&mut self, span: Span, name: &Name, args: &[Expr]) -> Type {
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
        self.code.called.insert(number as u32);
        if let Some(body) = self.small_body(number) {
            return self.in_place(span, number, body, args);
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
