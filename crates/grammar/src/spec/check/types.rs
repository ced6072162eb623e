//! Types, and when two of them are the same.

use std::collections::BTreeSet;

use crate::spec::source::Problem;

/// A type as the checker sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// A declared type and its arguments; tuples are [`TUPLE`].
    Named(u32, Vec<Type>),
    /// A parameter of the function or type at hand.
    Param(u32),
    /// To be found out.
    Var(u32),
    /// Of an expression that is wrong already: the same as anything.
    Unknown,
}

/// Declared in the prelude in this order.
pub(crate) const INT: u32 = 1;
pub(crate) const BOOL: u32 = 2;
pub(crate) const TEXT: u32 = 3;
pub(crate) const LIST: u32 = 4;
pub(crate) const WIDE: u32 = 7;
/// Not declared anywhere.
pub(crate) const TUPLE: u32 = u32::MAX;

/// Types that grow beyond this are not meant.
pub(super) const MAX_SIZE: usize = 1000;

impl Type {
    pub(crate) fn int() -> Type {
        Type::Named(INT, Vec::new())
    }

    pub(crate) fn bool() -> Type {
        Type::Named(BOOL, Vec::new())
    }

    pub(crate) fn text() -> Type {
        Type::Named(TEXT, Vec::new())
    }

    pub(crate) fn list(item: Type) -> Type {
        Type::Named(LIST, vec![item])
    }

    /// With `args` in the place of parameters.
    pub(crate) fn with(&self, args: &[Type]) -> Type {
        match self {
            Type::Param(param) => args.get(*param as usize).cloned().unwrap_or(Type::Unknown),
            Type::Named(id, parts) => {
                Type::Named(*id, parts.iter().map(|part| part.with(args)).collect())
            }
            other => other.clone(),
        }
    }

    pub(crate) fn size(&self) -> usize {
        match self {
            Type::Named(_, parts) => 1 + parts.iter().map(Type::size).sum::<usize>(),
            _ => 1,
        }
    }
}

/// What was found out about the types of one function or rule.
#[derive(Debug, Default)]
pub(crate) struct Unifier {
    vars: Vec<Option<Type>>,
}

impl Unifier {
    pub(crate) fn fresh(&mut self) -> Type {
        self.vars.push(None);
        Type::Var(self.vars.len() as u32 - 1)
    }

    pub(crate) fn fresh_list(&mut self, count: usize) -> Vec<Type> {
        (0..count).map(|_| self.fresh()).collect()
    }

    /// The type as far as its head is known.
    pub(crate) fn head(&self, of: &Type) -> Type {
        let mut of = of;
        while let Type::Var(var) = of
            && let Some(known) = &self.vars[*var as usize]
        {
            of = known;
        }
        of.clone()
    }

    /// The type with everything that is known; `Unknown` if it is too large.
    pub(crate) fn whole(&self, of: &Type) -> Type {
        let mut budget = MAX_SIZE;
        self.expand(of, &mut budget)
    }

    fn expand(&self, of: &Type, budget: &mut usize) -> Type {
        if *budget == 0 {
            return Type::Unknown;
        }
        *budget -= 1;
        match self.head(of) {
            Type::Named(id, parts) => {
                let parts = parts.iter().map(|part| self.expand(part, budget));
                Type::Named(id, parts.collect())
            }
            other => other,
        }
    }

    /// True if they are the same, perhaps from now on.
    pub(crate) fn unify(&mut self, a: &Type, b: &Type) -> bool {
        let (a, b) = (self.head(a), self.head(b));
        match (&a, &b) {
            (Type::Unknown, _) | (_, Type::Unknown) => true,
            (Type::Var(x), Type::Var(y)) if x == y => true,
            (Type::Var(var), other) | (other, Type::Var(var)) => {
                let whole = self.whole(other);
                if whole == Type::Unknown || mentions(&whole, *var) {
                    return false;
                }
                self.vars[*var as usize] = Some(whole);
                true
            }
            (Type::Param(x), Type::Param(y)) => x == y,
            (Type::Named(x, xs), Type::Named(y, ys)) => {
                x == y && xs.len() == ys.len() && xs.iter().zip(ys).all(|(a, b)| self.unify(a, b))
            }
            _ => false,
        }
    }
}

fn mentions(of: &Type, var: u32) -> bool {
    match of {
        Type::Var(other) => *other == var,
        Type::Named(_, parts) => parts.iter().any(|part| mentions(part, var)),
        _ => false,
    }
}

/// Problems in the order in which they are found, and those that are told once.
#[derive(Debug, Default)]
pub(crate) struct Problems(pub Vec<Problem>, Told);

/// What was told, whether it is shown or not.
#[derive(Debug, Default)]
pub(crate) struct Told {
    errors: usize,
    unknown: BTreeSet<String>,
    /// While it is not 0, nothing is told: the text was looked at before.
    muted: usize,
}

impl Problems {
    pub(crate) fn error(&mut self, span: crate::spec::source::Span, message: impl Into<String>) {
        if self.1.muted > 0 {
            return;
        }
        self.1.errors += 1;
        self.0.push(Problem::error(span, message));
    }

    /// A name that is not known is told where it first stands: most often its
    /// declaration is what is wrong.
    pub(crate) fn unknown(&mut self, span: crate::spec::source::Span, message: String) {
        if self.1.muted > 0 {
            return;
        }
        match self.1.unknown.insert(message.clone()) {
            true => self.error(span, message),
            false => self.1.errors += 1,
        }
    }

    /// Until [`Problems::unmute`], nothing that is wrong is told.
    pub(crate) fn mute(&mut self) {
        self.1.muted += 1;
    }

    pub(crate) fn is_muted(&self) -> bool {
        self.1.muted > 0
    }

    pub(crate) fn unmute(&mut self) {
        self.1.muted -= 1;
    }

    pub(crate) fn warning(&mut self, span: crate::spec::source::Span, message: impl Into<String>) {
        self.0.push(Problem::warning(span, message));
    }

    pub(crate) fn has_errors(&self) -> bool {
        let error = crate::spec::source::Severity::Error;
        self.0.iter().any(|problem| problem.severity == error)
    }

    /// True if something was wrong since [`Problems::errors`] was `before`: what
    /// follows from it is not told as well.
    pub(crate) fn since(&self, before: usize) -> bool {
        self.errors() > before
    }

    pub(crate) fn errors(&self) -> usize {
        self.1.errors
    }
}
