//! Expressions that branch, bind and repeat, as code: the rest of [`super::emit`].
//!
//! The stack grows by one with every expression. What a pattern binds stays on
//! it, below the value of the body, and is slid away in the end.

use super::definitions::{DefKind, Maker, hint};
use super::emit::{Emitter, Local};
use super::exhaustive;
use super::types::{LIST, TEXT, TUPLE, Type, WIDE};
use crate::spec::run::{Builtin, Constant, Op};
use crate::spec::source::Span;
use crate::spec::syntax::{BinaryOp, Clause, Expr, ExprKind, Name, Pattern, PatternKind};

impl Emitter<'_> {
    pub(super) fn conditional(
        &mut self,
        span: Span,
        condition: &Expr,
        yes: &Expr,
        no: &Expr,
    ) -> Type {
        self.expect(condition, &Type::bool());
        let otherwise = self.op(span, Op::JumpUnless(0));
        self.depth -= 1;
        let of = self.expr(yes);
        let end = self.op(span, Op::Jump(0));
        self.depth -= 1;
        self.land(otherwise);
        self.expect(no, &of);
        self.land(end);
        of
    }

    /// True for texts and lists.
    fn can_be_joined(&mut self, of: &Type) -> bool {
        matches!(self.types.head(of), Type::Named(id, _) if id == TEXT || id == LIST)
    }

    /// What does for texts and large numbers what an operator does for numbers.
    fn function_instead(&mut self, op: Op, of: &Type) -> Option<&'static str> {
        let compares = matches!(
            op,
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual
        );
        match self.types.head(of) {
            Type::Named(TEXT, _) if compares => Some("texts are compared by `compare(a, b)`"),
            Type::Named(WIDE, _) if compares => Some("a Wide is compared by `wide_compare(a, b)`"),
            Type::Named(WIDE, _) => {
                Some("a Wide is computed with by `wide_add`, `wide_subtract` and so on")
            }
            _ => None,
        }
    }

    pub(super) fn binary(&mut self, span: Span, op: BinaryOp, left: &Expr, right: &Expr) -> Type {
        if let BinaryOp::And | BinaryOp::Or = op {
            self.expect(left, &Type::bool());
            if op == BinaryOp::Or {
                self.op(span, Op::Not);
            }
            let short = self.op(span, Op::JumpUnless(0));
            self.depth -= 1;
            self.expect(right, &Type::bool());
            let end = self.op(span, Op::Jump(0));
            self.depth -= 1;
            self.land(short);
            self.constant(span, Constant::Bool(op == BinaryOp::Or));
            self.land(end);
            return Type::bool();
        }
        let of = self.expr(left);
        self.expect(right, &of);
        let (op, result) = match op {
            BinaryOp::Equal => (Op::Equal, Type::bool()),
            BinaryOp::NotEqual => (Op::NotEqual, Type::bool()),
            BinaryOp::Less => (Op::Less, Type::bool()),
            BinaryOp::LessEqual => (Op::LessEqual, Type::bool()),
            BinaryOp::Greater => (Op::Greater, Type::bool()),
            BinaryOp::GreaterEqual => (Op::GreaterEqual, Type::bool()),
            BinaryOp::Join => (Op::Join, of.clone()),
            BinaryOp::Add => (Op::Add, Type::int()),
            BinaryOp::Subtract => (Op::Subtract, Type::int()),
            BinaryOp::Multiply => (Op::Multiply, Type::int()),
            BinaryOp::Divide => (Op::Divide, Type::int()),
            _ => (Op::Remainder, Type::int()),
        };
        if op == Op::Join {
            if self.types.head(&of) != Type::Unknown && !self.can_be_joined(&of) {
                let shown = self.defs.shown(&self.types.whole(&of));
                let problem = format!("`++` joins texts or lists, not {shown}");
                self.problems.error(left.span, problem);
            }
        } else if op == Op::Add && self.can_be_joined(&of) {
            let problem = "`+` adds numbers; texts and lists are joined by `++`";
            self.problems.error(span, problem);
            return of;
        } else if !matches!(op, Op::Equal | Op::NotEqual) {
            // Comparisons are of numbers, too: other orders are not meant.
            match self.function_instead(op, &of) {
                Some(problem) => self.problems.error(span, problem),
                None => self.same(left.span, &Type::int(), &of),
            }
        }
        self.op(span, op);
        self.depth -= 1;
        result
    }

    /// As [`Emitter::bind`], for a pattern that has to match.
    fn bind_surely(&mut self, pattern: &Pattern, at: u32, of: &Type) -> Vec<usize> {
        let mut fails = Vec::new();
        let errors = self.problems.errors();
        self.bind(pattern, at, of, &mut fails);
        let sound = !self.problems.since(errors) && !self.problems.is_muted();
        let shapes = [exhaustive::shape(self.defs, pattern)];
        let of = self.types.whole(of);
        let any = [exhaustive::Shape::Any];
        if sound && let Some(missing) = exhaustive::useful(self.defs, &[shapes.to_vec()], &any, &of)
        {
            let problem = format!("this does not always match: `{missing}` is left over");
            self.problems.error(pattern.span, problem);
        }
        fails
    }

    pub(super) fn binding(&mut self, pattern: &Pattern, value: &Expr, body: &Expr) -> Type {
        let before = self.depth;
        let (at, of) = self.placed(value);
        let names = self.locals.len();
        let fails = self.bind_surely(pattern, at, &of);
        let result = self.expr(body);
        self.locals.truncate(names);
        for fail in fails {
            self.land(fail);
        }
        self.slide_to(pattern.span, before);
        result
    }

    /// Tests the value in local `at` against `pattern` and binds its names;
    /// `fails` are the jumps that are taken where it does not match.
    fn bind(&mut self, pattern: &Pattern, at: u32, of: &Type, fails: &mut Vec<usize>) {
        let span = pattern.span;
        let literal = match &pattern.kind {
            PatternKind::Any => return,
            PatternKind::Bind(name) => {
                if name == "this" || name == "$" {
                    self.problems.error(span, format!("`{name}` is taken"));
                }
                let (name, of) = (name.clone(), of.clone());
                self.locals.push(Local { name, at, of });
                return;
            }
            PatternKind::Int(number) => Some((Constant::Int(*number), Type::int())),
            PatternKind::Bool(value) => Some((Constant::Bool(*value), Type::bool())),
            PatternKind::Text(text) => Some((Constant::Text(text.clone()), Type::text())),
            _ => None,
        };
        if let Some((constant, literal)) = literal {
            self.same(span, of, &literal);
            self.op(span, Op::Local(at));
            self.depth += 1;
            self.constant(span, constant);
            self.op(span, Op::Equal);
            fails.push(self.op(span, Op::JumpUnless(0)));
            self.depth -= 2;
            return;
        }
        let (parts, types) = match &pattern.kind {
            PatternKind::Tuple(parts) => {
                let types = self.types.fresh_list(parts.len());
                self.same(span, of, &Type::Named(TUPLE, types.clone()));
                (parts, types)
            }
            PatternKind::Variant(name, parts) => {
                let Some((tag, types)) = self.variant(name, parts.len(), of) else {
                    return;
                };
                self.op(span, Op::Local(at));
                self.op(span, Op::HasTag(tag));
                fails.push(self.op(span, Op::JumpUnless(0)));
                (parts, types)
            }
            _ => return,
        };
        for (i, (part, of)) in parts.iter().zip(&types).enumerate() {
            if !matches!(part.kind, PatternKind::Any) {
                self.op(span, Op::Local(at));
                self.op(span, Op::Field(i as u32));
                self.depth += 1;
                let inner = self.depth - 1;
                self.bind(part, inner, of, fails);
            }
        }
    }

    /// The tag and the types of the fields of a variant in a pattern.
    fn variant(&mut self, name: &Name, count: usize, of: &Type) -> Option<(u32, Vec<Type>)> {
        let defs = self.defs;
        let Some(Maker::Variant { of: id, index }) = defs.makers.get(&name.text) else {
            let hint = hint(&name.text, defs.makers.keys().map(String::as_str));
            let problem = format!("variant `{}` is not declared{hint}", name.text);
            self.problems.unknown(name.span, problem);
            return None;
        };
        let def = &defs.types[*id as usize];
        let DefKind::Variant(variants) = &def.kind else {
            return None;
        };
        let params = self.types.fresh_list(def.params);
        self.same(name.span, of, &Type::Named(*id, params.clone()));
        let (tag, fields) = &variants[*index];
        if fields.len() != count {
            let problem = format!("`{}` has {} fields, not {count}", name.text, fields.len());
            self.problems.error(name.span, problem);
            return None;
        }
        let types = fields.iter().map(|field| field.with(&params)).collect();
        Some((*tag, types))
    }

    pub(super) fn matching(&mut self, span: Span, value: &Expr, arms: &[(Pattern, Expr)]) -> Type {
        let before = self.depth;
        let (at, of) = self.placed(value);
        let held = self.depth;
        let result = self.types.fresh();
        let table = self.switch(span, at, &of);
        let mut starts = Vec::new();
        let mut ends = Vec::new();
        let mut rows: Vec<Vec<exhaustive::Shape>> = Vec::new();
        // Of patterns that are wrong nobody can say what they cover.
        let mut sound = !self.problems.is_muted();
        for (pattern, body) in arms {
            let names = self.locals.len();
            let mut fails = Vec::new();
            starts.push(self.code.ops.len() as u32);
            let errors = self.problems.errors();
            self.bind(pattern, at, &of, &mut fails);
            sound &= !self.problems.since(errors);
            self.expect(body, &result);
            self.locals.truncate(names);
            self.slide_to(body.span, before);
            ends.push(self.op(body.span, Op::Jump(0)));
            for fail in fails {
                self.land(fail);
            }
            self.op(pattern.span, Op::Reset(held));
            self.depth = held;
            let row = vec![exhaustive::shape(self.defs, pattern)];
            let whole = self.types.whole(&of);
            if sound && exhaustive::useful(self.defs, &rows, &row, &whole).is_none() {
                let problem = "this arm is never reached: those above it match everything here";
                self.problems.error(pattern.span, problem);
            }
            rows.push(row);
        }
        let whole = self.types.whole(&of);
        let any = [exhaustive::Shape::Any];
        if sound && let Some(missing) = exhaustive::useful(self.defs, &rows, &any, &whole) {
            let problem = format!("this match does not cover `{missing}`");
            self.problems.error(span, problem);
        }
        for end in ends {
            self.land(end);
        }
        self.depth = before + 1;
        if let Some(table) = table {
            let patterns = arms.iter().map(|(pattern, _)| pattern);
            let arms: Vec<(&Pattern, u32)> = patterns.zip(starts).collect();
            self.fill_table(table, &arms);
        }
        result
    }

    /// Jumps to the first arm that a variant may match, instead of trying them
    /// one by one; the table is filled in when the arms are there.
    fn switch(&mut self, span: Span, at: u32, of: &Type) -> Option<u32> {
        let Type::Named(id, _) = self.types.head(of) else {
            return None;
        };
        let DefKind::Variant(variants) = &self.defs.types.get(id as usize)?.kind else {
            return None;
        };
        let first = variants.first()?.0;
        let table = self.code.tables.len() as u32;
        self.code.tables.push((first, vec![0; variants.len()]));
        self.op(span, Op::Local(at));
        self.op(span, Op::Switch(table));
        Some(table)
    }

    fn fill_table(&mut self, table: u32, arms: &[(&Pattern, u32)]) {
        let defs = self.defs;
        let (_, targets) = &mut self.code.tables[table as usize];
        for (index, target) in targets.iter_mut().enumerate() {
            let fits = |pattern: &Pattern| match &pattern.kind {
                PatternKind::Variant(name, _) => match defs.makers.get(&name.text) {
                    Some(Maker::Variant { index: other, .. }) => *other == index,
                    _ => true,
                },
                _ => true,
            };
            if let Some((_, start)) = arms.iter().find(|(pattern, _)| fits(pattern)) {
                *target = *start;
            }
        }
    }

    /// On the stack: the list to make, then per `for` the list to go through
    /// and the index.
    pub(super) fn each(&mut self, span: Span, body: &Expr, clauses: &[Clause]) -> Type {
        self.op(span, Op::List(0));
        let made = self.depth;
        self.depth += 1;
        let names = self.locals.len();
        let of = self.clauses(span, body, clauses, made);
        self.locals.truncate(names);
        self.depth = made + 1;
        Type::list(of)
    }

    /// Recursive over the clauses, of which there are few.
    fn clauses(&mut self, span: Span, body: &Expr, clauses: &[Clause], made: u32) -> Type {
        let Some((first, rest)) = clauses.split_first() else {
            let of = self.expr(body);
            self.op(span, Op::Push(made));
            self.depth -= 1;
            return of;
        };
        match first {
            Clause::If(condition) => {
                self.expect(condition, &Type::bool());
                let skip = self.op(span, Op::JumpUnless(0));
                self.depth -= 1;
                let of = self.clauses(span, body, rest, made);
                self.land(skip);
                of
            }
            Clause::For(pattern, list) => {
                let looping = self.next_of(span, None, pattern, list);
                let result = self.clauses(span, body, rest, made);
                self.again(span, looping);
                result
            }
        }
    }

    pub(super) fn fold(
        &mut self,
        span: Span,
        (name, start): (&Name, &Expr),
        (pattern, list): (&Pattern, &Expr),
        body: &Expr,
    ) -> Type {
        let of = self.expr(start);
        let at = self.depth - 1;
        let names = self.locals.len();
        let value = Local {
            name: name.text.clone(),
            at,
            of: of.clone(),
        };
        let looping = self.next_of(span, Some(value), pattern, list);
        self.expect(body, &of);
        self.locals.truncate(names);
        // The new value takes the place of the old one.
        self.op(span, Op::Store(at));
        self.again(span, looping);
        of
    }

    /// The head of a loop: the lists that it goes through, their index, and one item of
    /// each, bound to its pattern. A list of pairs that `zip` would make is not made: its two
    /// lists are gone through. `value` is known in the loop, but not to the lists.
    fn next_of(
        &mut self,
        span: Span,
        value: Option<Local>,
        pattern: &Pattern,
        list: &Expr,
    ) -> Loop {
        let mut lists = Vec::new();
        self.unzip(pattern, list, &mut lists);
        let local = self.depth;
        let mut items = Vec::new();
        for (pattern, list) in &lists {
            let item = self.types.fresh();
            self.expect(list, &Type::list(item.clone()));
            items.push((*pattern, item));
        }
        self.constant(span, Constant::Int(0));
        let start = self.code.ops.len() as u32;
        let (lists, end) = (lists.len() as u32, 0);
        let next = self.op(span, Op::Next { local, lists, end });
        let first = self.depth;
        self.depth += lists;
        self.locals.extend(value);
        for (at, (pattern, of)) in (first..).zip(&items) {
            // It always matches: whatever is wrong with it was said.
            for fail in self.bind_surely(pattern, at, of) {
                self.land(fail);
            }
        }
        Loop {
            local,
            first,
            start,
            next,
        }
    }

    /// Pairs of patterns and lists, of which a loop takes one item each at a time.
    fn unzip<'e>(
        &self,
        pattern: &'e Pattern,
        list: &'e Expr,
        lists: &mut Vec<(&'e Pattern, &'e Expr)>,
    ) {
        if let (PatternKind::Tuple(parts), ExprKind::Call(name, args)) = (&pattern.kind, &list.kind)
            && let ([left, right], [first, second]) = (&parts[..], &args[..])
            && let Some(&number) = self.defs.function_names.get(&name.text)
            && self.defs.functions[number].builtin == Some(Builtin::Zip)
        {
            self.unzip(left, first, lists);
            self.unzip(right, second, lists);
        } else {
            lists.push((pattern, list));
        }
    }

    /// The end of a loop.
    fn again(&mut self, span: Span, looping: Loop) {
        self.op(span, Op::Reset(looping.first));
        self.op(span, Op::Jump(looping.start));
        self.land(looping.next);
        self.op(span, Op::Reset(looping.local));
        self.depth = looping.local;
    }
}

/// A loop under way: where its lists and its items are on the stack, where its code begins,
/// and the instruction that leaves it.
struct Loop {
    local: u32,
    first: u32,
    start: u32,
    next: usize,
}
