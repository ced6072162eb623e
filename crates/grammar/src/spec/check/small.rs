//! Small functions are put where they are called: without the call, and without a copy of
//! arguments that have a place already. What they say is looked at once, where they stand.

use super::emit::{Emitter, Local};
use super::types::Type;
use crate::spec::run::{Code, Op};
use crate::spec::source::Span;
use crate::spec::syntax::{Expr, ExprKind, File};

/// How many instructions a function has at most, with all that it calls.
const MAX_SMALL: usize = 64;
/// Where there is more code than this, calls stay calls.
const MAX_CODE: usize = 1 << 20;

/// The instructions of each function.
fn bodies(code: &Code) -> impl Iterator<Item = &[Op]> {
    let starts = code.functions.iter().map(|start| *start as usize);
    let ends = starts.clone().skip(1).chain([code.ops.len()]);
    starts.zip(ends).map(|(start, end)| &code.ops[start..end])
}

/// Which functions each function calls. There is no other code yet.
pub(super) fn calls(code: &Code) -> Vec<Vec<u32>> {
    let function = |op: &Op| match op {
        Op::Call { function, .. } => Some(*function),
        _ => None,
    };
    let bodies = bodies(code);
    bodies
        .map(|body| body.iter().filter_map(function).collect())
        .collect()
}

/// The bodies of small functions: without a loop, and none that calls itself.
pub(super) fn find<'f>(
    files: &[&'f File],
    code: &Code,
    calls: &[Vec<u32>],
) -> Vec<Option<&'f Expr>> {
    let loops = |body: &[Op]| body.iter().any(|op| matches!(op, Op::Next { .. }));
    let lengths = bodies(code).map(|body| match loops(body) {
        true => MAX_SMALL + 1,
        false => body.len(),
    });
    let lengths: Vec<usize> = lengths.collect();
    // One that calls itself is never known: it would have to be known before.
    let mut known = vec![None; lengths.len()];
    loop {
        let mut changed = false;
        for function in 0..lengths.len() {
            let mut inner = calls[function].iter().map(|inner| known[*inner as usize]);
            let whole = inner.try_fold(lengths[function], |all, inner| Some(all + inner?));
            if known[function].is_none()
                && let Some(whole) = whole.filter(|&whole| whole <= MAX_SMALL)
            {
                known[function] = Some(whole);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let items = files.iter().flat_map(|file| &file.functions);
    let small = items.zip(known);
    small
        .map(|(item, known)| item.body.as_ref().filter(|_| known.is_some()))
        .collect()
}

impl<'a> Emitter<'a> {
    /// The body of a function, if that is to stand where it is called.
    pub(super) fn small_body(&self, number: usize) -> Option<&'a Expr> {
        let body = *self.defs.small.get(number)?;
        body.filter(|_| self.code.ops.len() < MAX_CODE)
    }

    /// A call as the function's own code.
    pub(super) fn in_place(
        &mut self,
        span: Span,
        number: usize,
        body: &Expr,
        args: &[Expr],
    ) -> Type {
        let def = &self.defs.functions[number];
        let params = self.types.fresh_list(def.params);
        let before = self.depth;
        let mut names = Vec::new();
        for (arg, (name, of)) in args.iter().zip(&def.args) {
            let of = of.with(&params);
            let (at, found) = self.placed(arg);
            self.same(arg.span, &of, &found);
            let name = name.clone();
            names.push(Local { name, at, of });
        }
        let result = def.result.with(&params);
        let names = std::mem::replace(&mut self.locals, names);
        let site = self.site.take();
        self.problems.mute();
        self.expect(body, &result);
        self.problems.unmute();
        self.site = site;
        self.locals = names;
        self.slide_to(span, before);
        result
    }

    /// Where the value of an expression is: that of a local name is there already, others
    /// come on top of the stack.
    pub(super) fn placed(&mut self, expr: &Expr) -> (u32, Type) {
        if let ExprKind::Name(name) = &expr.kind
            && let Some(local) = self.locals.iter().rev().find(|local| local.name == *name)
        {
            return (local.at, local.of.clone());
        }
        let of = self.expr(expr);
        (self.depth - 1, of)
    }

    /// Keeps the topmost value and drops what is below it, down to a depth.
    pub(super) fn slide_to(&mut self, span: Span, depth: u32) {
        let extra = self.depth - 1 - depth;
        if extra > 0 {
            self.op(span, Op::Slide(extra));
        }
        self.depth = depth + 1;
    }
}
