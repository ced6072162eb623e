//! Applications: which function or operator a head names, and what it gives.

use super::scope::Meaning;
use super::sorts::{nearest_name, shown};
use super::{Checker, FunctionId, Resolved, Role, TypeProblem};
use crate::operators::{Call, OperatorId};
use crate::print;
use crate::sort::{Sort, SortKind};
use crate::syntax::{Identifier, Index, Sexpr, Symbol, Term, TermId, is_field_literal};

/// Older meanings of a name than this many are not looked at: hostile scripts
/// stay linear.
const MAX_MEANINGS: usize = 64;

impl Checker<'_> {
    /// The sort of an application whose arguments are done.
    pub(super) fn application(&mut self, term: TermId) -> Option<Sort> {
        let script = self.script;
        let Term::Application { head, arguments } = script.term(term) else {
            return None;
        };
        let identifier = script.identifier(head);
        let qualified = match identifier.sort {
            None => None,
            Some(sort) => Some(self.resolve_sort(sort, script.offset(term))?),
        };
        let mut sorts = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            sorts.push(self.typed.sort(argument)?);
        }
        if identifier.indices.is_empty() {
            match self.scope.functions.get(identifier.symbol) {
                // A variable `cos` does not hide the function where it is applied.
                Some(Meaning::Local(sort)) if arguments.is_empty() || self.is_applicable(sort) => {
                    self.resolve(term, Resolved::Local);
                    return self.apply_value(term, sort, arguments);
                }
                Some(Meaning::Broken) => return None,
                _ => {}
            }
        }
        let found = self
            .by_function(identifier, &sorts, qualified)
            .or_else(|| self.by_operator(identifier, &sorts, qualified))
            .or_else(|| self.by_form(identifier, &sorts, qualified))
            .or_else(|| {
                let name = script.name(identifier.symbol);
                self.by_container(name, &identifier.indices, &sorts, qualified)
            })
            .or_else(|| self.by_instance(identifier, &sorts));
        match found {
            Some((resolved, sort)) => {
                if matches!(resolved, Resolved::Operator(_))
                    && identifier.indices.is_empty()
                    && self.function_named(identifier.symbol).is_some()
                {
                    self.note_overload(identifier.symbol);
                }
                self.resolve(term, resolved);
                Some(sort)
            }
            None => {
                let problem = self.no_such_application(identifier, head, &sorts);
                self.report_term(term, problem);
                None
            }
        }
    }

    /// Remembers the first name that means two functions at once.
    pub(super) fn note_overload(&mut self, symbol: Symbol) {
        let at = self.command;
        self.typed.overloaded.get_or_insert((symbol, at));
    }

    fn is_applicable(&self, sort: Sort) -> bool {
        matches!(
            self.typed.sorts.kind(sort),
            SortKind::Function(_) | SortKind::Array(..)
        )
    }

    /// A function of the script, the one declared last first.
    pub(super) fn by_function(
        &mut self,
        identifier: &Identifier,
        arguments: &[Sort],
        qualified: Option<Sort>,
    ) -> Option<(Resolved, Sort)> {
        if !identifier.indices.is_empty() {
            return None;
        }
        let newest = self.function_named(identifier.symbol)?;
        let whole =
            |checker: &Self, id| checker.typed.function(id).parameters.len() <= arguments.len();
        if whole(self, newest)
            && let Some(sort) = self.call(newest, arguments, qualified)
        {
            return Some((Resolved::Function(newest), sort));
        }
        // An overload that takes just these arguments goes before one that
        // would wait for more.
        let mut ids: Vec<FunctionId> = self.functions_named(identifier.symbol).collect();
        ids.sort_by_key(|&id| !whole(self, id));
        ids.into_iter().find_map(|id| {
            let sort = self.call(id, arguments, qualified)?;
            Some((Resolved::Function(id), sort))
        })
    }

    fn functions_named(&self, symbol: Symbol) -> impl Iterator<Item = FunctionId> + '_ {
        self.scope
            .functions
            .meanings(symbol)
            .take(MAX_MEANINGS)
            .filter_map(|meaning| match meaning {
                Meaning::Function(id) => Some(id),
                Meaning::Local(_) | Meaning::Broken => None,
            })
    }

    pub(super) fn function_named(&self, symbol: Symbol) -> Option<FunctionId> {
        self.functions_named(symbol).next()
    }

    fn call(
        &mut self,
        id: FunctionId,
        arguments: &[Sort],
        qualified: Option<Sort>,
    ) -> Option<Sort> {
        let coerce = !self.options.strict;
        let function = &self.typed.functions[id.index()];
        if function.sort_parameters > 0 {
            return self.call_parametric(id, arguments, qualified);
        }
        let taken = function.parameters.len().min(arguments.len());
        let sorts = &self.typed.sorts;
        let fits = function
            .parameters
            .iter()
            .zip(arguments)
            .all(|(&formal, &actual)| {
                formal == actual || coerce && sorts.assignable(formal, actual)
            });
        if !fits {
            return None;
        }
        let result = function.result;
        if taken < function.parameters.len() {
            // A function as a value, or applied to some of its arguments.
            let mut parts = function.parameters[taken..].to_vec();
            parts.push(result);
            return match coerce {
                true => self.intern_sort(SortKind::Function(parts.into())).ok(),
                false => None,
            };
        }
        let rest = &arguments[taken..];
        let result = match rest {
            [] => result,
            _ => self.call_result(result, rest)?,
        };
        qualified
            .is_none_or(|sort| sort == result)
            .then_some(result)
    }

    /// More arguments than the function has: its result is a function.
    pub(super) fn call_result(&mut self, mut result: Sort, mut rest: &[Sort]) -> Option<Sort> {
        while !rest.is_empty() {
            let SortKind::Function(parts) = self.typed.sorts.kind(result).clone() else {
                return None;
            };
            let taken = (parts.len() - 1).min(rest.len());
            if !parts[..taken].iter().zip(rest).all(|(a, b)| a == b) {
                return None;
            }
            result = match parts.len() - 1 - taken {
                0 => parts[taken],
                _ => self
                    .intern_sort(SortKind::Function(parts[taken..].into()))
                    .ok()?,
            };
            rest = &rest[taken..];
        }
        Some(result)
    }

    fn call_parametric(
        &mut self,
        id: FunctionId,
        arguments: &[Sort],
        qualified: Option<Sort>,
    ) -> Option<Sort> {
        let coerce = !self.options.strict;
        let function = &self.typed.functions[id.index()];
        if function.parameters.len() != arguments.len() {
            return None;
        }
        let mut chosen = vec![None; function.sort_parameters];
        let sorts = &self.typed.sorts;
        if let Some(sort) = qualified {
            // z3 also writes the sort of the whole function's result here.
            if !sorts.fit(function.result, sort, &mut chosen, false) {
                return None;
            }
        }
        for (&formal, &actual) in function.parameters.iter().zip(arguments) {
            if !sorts.fit(formal, actual, &mut chosen, coerce) {
                return None;
            }
        }
        let result = function.result;
        let needed = sorts.parameters(result);
        let mut arguments = Vec::with_capacity(chosen.len());
        for (at, chosen) in (0u32..).zip(chosen) {
            match chosen {
                Some(sort) => arguments.push(sort),
                // A constructor like `nil`: its place decides, if anything.
                None if needed.contains(&at) && coerce && function.parameters.is_empty() => {
                    arguments.push(Sort::UNKNOWN);
                }
                None if needed.contains(&at) => return None,
                // Nothing asks for it.
                None => arguments.push(Sort::BOOL),
            }
        }
        self.typed.sorts.substitute(result, &arguments)
    }

    pub(super) fn by_operator(
        &mut self,
        identifier: &Identifier,
        arguments: &[Sort],
        qualified: Option<Sort>,
    ) -> Option<(Resolved, Sort)> {
        let group: &[OperatorId] = self.groups[identifier.symbol.index()];
        if group.is_empty() {
            return None;
        }
        let mut numbers = Vec::with_capacity(identifier.indices.len());
        for &index in &identifier.indices {
            numbers.push(self.number(index)?);
        }
        let call = Call {
            indices: &numbers,
            arguments,
            qualified,
            coerce: !self.options.strict,
            strict: self.options.strict,
        };
        let operators = self.options.operators;
        let (id, sort) = operators.resolve(group, &call, &mut self.typed.sorts)?;
        Some((Resolved::Operator(id), sort))
    }

    pub(super) fn number(&self, index: Index) -> Option<u64> {
        match index {
            Index::Numeral(text) => {
                let text = self.script.name(text);
                Some(text.parse().unwrap_or(u64::MAX))
            }
            Index::Hexadecimal(text) => {
                let digits = self.script.name(text).strip_prefix("#x")?;
                Some(u64::from_str_radix(digits, 16).unwrap_or(u64::MAX))
            }
            Index::Symbol(_) | Index::Sexpr(_) => None,
        }
    }

    /// Forms that no table of signatures can say.
    fn by_form(
        &mut self,
        identifier: &Identifier,
        arguments: &[Sort],
        qualified: Option<Sort>,
    ) -> Option<(Resolved, Sort)> {
        let script = self.script;
        let name = script.name(identifier.symbol);
        match (name, &identifier.indices[..], arguments) {
            ("is", [index], [sort]) => self.tester(self.index_symbol(*index)?, *sort),
            ("update", [index], &[sort, value]) => {
                self.updater(self.index_symbol(*index)?, sort, value)
            }
            ("as-array", [index], []) => {
                let function = self.function_named(self.index_symbol(*index)?)?;
                let sort = self.function_sort(function)?;
                Some((Resolved::AsArray(function), sort))
            }
            // Not in the table: what it takes is no term but a polynomial.
            ("root-obj", [], &[Sort::REAL | Sort::INT, Sort::INT]) if !self.options.strict => {
                Some((Resolved::Literal, Sort::REAL))
            }
            ("fmf.card", [_, Index::Numeral(_)], []) => Some((Resolved::Literal, Sort::BOOL)),
            ("@", [], [function, rest @ ..]) if !self.options.strict => {
                let sort = self.call_result(*function, rest)?;
                Some((Resolved::Apply, sort))
            }
            (_, [Index::Numeral(width)], []) => {
                let digits = name.strip_prefix("bv")?;
                let width: u32 = script.name(*width).parse().ok()?;
                (is_digits(digits) && width > 0)
                    .then(|| (Resolved::Literal, self.typed.sorts.bit_vec(width)))
            }
            (_, [], _) => self.by_name(name, arguments, qualified),
            _ => None,
        }
    }

    fn by_name(
        &mut self,
        name: &str,
        arguments: &[Sort],
        qualified: Option<Sort>,
    ) -> Option<(Resolved, Sort)> {
        if self.options.strict {
            return None;
        }
        if let (Some(constructor), [sort]) = (name.strip_prefix("is-"), arguments) {
            return self.tester(self.script.symbols().find(constructor)?, *sort);
        }
        if let (Some(digits), Some(field)) = (name.strip_prefix("ff"), qualified)
            && is_digits(digits.strip_prefix('-').unwrap_or(digits))
            && matches!(self.typed.sorts.kind(field), SortKind::Field(_))
        {
            return Some((Resolved::Literal, field));
        }
        if is_field_literal(name) && arguments.is_empty() {
            let field = self.typed.sorts.field(name.split_once('m')?.1);
            return Some((Resolved::Literal, field));
        }
        // z3 reads `-5` as a number.
        let digits = name.strip_prefix('-')?;
        let whole = is_digits(digits);
        let real = digits
            .split_once('.')
            .is_some_and(|(a, b)| is_digits(a) && is_digits(b));
        let sort = match whole && !self.numerals_are_real {
            true => Sort::INT,
            false => Sort::REAL,
        };
        ((whole || real) && arguments.is_empty()).then_some((Resolved::Literal, sort))
    }

    /// The symbol of an index: itself, or the head of `(cons (Int) List)`.
    pub(super) fn index_symbol(&self, index: Index) -> Option<Symbol> {
        match index {
            Index::Symbol(symbol) => Some(symbol),
            Index::Sexpr(sexpr) => match self.script.sexpr(sexpr) {
                Sexpr::List(items) => match self.script.sexpr(*items.first()?) {
                    Sexpr::Symbol(symbol) => Some(symbol),
                    _ => None,
                },
                _ => None,
            },
            Index::Numeral(_) | Index::Hexadecimal(_) => None,
        }
    }

    fn tester(&mut self, constructor: Symbol, sort: Sort) -> Option<(Resolved, Sort)> {
        let SortKind::Named(datatype, _) = self.typed.sorts.kind(sort) else {
            return None;
        };
        let constructors = self.typed.declaration(*datatype).constructors.as_ref()?;
        let found = constructors
            .iter()
            .find(|info| self.typed.function(info.function).symbol == constructor)?;
        Some((Resolved::Tester(found.function), Sort::BOOL))
    }

    fn updater(&mut self, selector: Symbol, sort: Sort, value: Sort) -> Option<(Resolved, Sort)> {
        let ids: Vec<FunctionId> = self.functions_named(selector).collect();
        ids.into_iter().find_map(|id| {
            let is_selector = matches!(self.typed.function(id).role, Role::Selector { .. });
            let field = is_selector.then(|| self.call(id, &[sort], None))??;
            self.typed
                .sorts
                .assignable(field, value)
                .then_some((Resolved::Updater(id), sort))
        })
    }

    fn function_sort(&mut self, id: FunctionId) -> Option<Sort> {
        let function = self.typed.function(id);
        let kind = match function.parameters[..] {
            [] => return None,
            [from] => SortKind::Array([from, function.result]),
            _ => {
                let mut parts = function.parameters.clone();
                parts.push(function.result);
                SortKind::Function(parts.into())
            }
        };
        self.intern_sort(kind).ok()
    }

    fn no_such_application(
        &self,
        identifier: &Identifier,
        head: crate::syntax::IdentifierId,
        arguments: &[Sort],
    ) -> TypeProblem {
        let script = self.script;
        let name = script.name(identifier.symbol);
        let operators = self.options.operators;
        let own = self.functions_named(identifier.symbol).map(|id| {
            let function = self.typed.function(id);
            let mut parts: Vec<String> =
                function.parameters.iter().map(|&s| self.show(s)).collect();
            if !parts.is_empty() {
                parts.push("->".to_string());
            }
            parts.push(self.show(function.result));
            parts.join(" ")
        });
        let group = self.groups[identifier.symbol.index()].iter();
        let table = group.map(|&id| operators.get(id).signature.clone());
        let signatures: Vec<String> = own.chain(table).take(6).collect();
        if signatures.is_empty() {
            let declared = self
                .scope
                .functions
                .symbols()
                .map(|symbol| script.name(symbol));
            let known = declared.take(2000).chain(operators.names());
            return TypeProblem::Unknown {
                what: "function or constant",
                name: shown(name),
                nearest: nearest_name(name, known),
            };
        }
        TypeProblem::Arguments {
            name: shown(&print::identifier(script, head)),
            found: arguments.iter().take(8).map(|&s| self.show(s)).collect(),
            expected: signatures.join(", or "),
        }
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
