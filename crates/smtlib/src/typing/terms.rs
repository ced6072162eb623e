//! The walk over a term: scopes on the way down, sorts on the way up.

use super::scope::Meaning;
use super::{Checker, Resolved, Role, TypeProblem};
use crate::sort::{Sort, SortKind};
use crate::syntax::{AttributeValue, Binder, Literal, MatchCase, Term, TermId};

/// What is left to do, last first.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    Visit(TermId),
    /// All subterms are done.
    Finish(TermId),
    /// The bindings of a `let` are done, its body is not.
    BindLet(TermId),
    EnterCase(TermId, u32),
    /// The end of a scope that began at this mark.
    Leave(usize),
}

impl Checker<'_> {
    /// Types a term; none if that failed, which has then been reported.
    pub(super) fn term(&mut self, root: TermId) -> Option<Sort> {
        self.steps.push(Step::Visit(root));
        while let Some(step) = self.steps.pop() {
            match step {
                Step::Visit(term) => self.visit(term),
                Step::Finish(term) => {
                    let sort = self.finish(term);
                    self.typed.term_sorts[term.index()] = sort;
                }
                Step::BindLet(term) => self.bind_let(term),
                Step::EnterCase(term, at) => self.enter_case(term, at as usize),
                Step::Leave(mark) => {
                    self.scope.functions.rewind(mark);
                    self.scope.binders -= 1;
                }
            }
        }
        self.typed.sort(root)
    }

    /// Types a term that must be of sort `expected`.
    pub(super) fn term_of(&mut self, term: TermId, expected: Sort) {
        if let Some(found) = self.term(term) {
            self.expect_sort(term, expected, found);
        }
    }

    pub(super) fn expect_sort(&mut self, term: TermId, expected: Sort, found: Sort) -> bool {
        let fits = match self.options.strict {
            true => expected == found,
            false => self.typed.sorts.assignable(expected, found),
        };
        if !fits {
            let problem = TypeProblem::Mismatch {
                expected: self.show(expected),
                found: self.show(found),
            };
            self.report(self.script.offset(term), problem);
        }
        fits
    }

    /// The same for a part of a term, which is ill-sorted if its part is of another sort.
    fn expect_part(&mut self, whole: TermId, part: TermId, expected: Sort, found: Sort) -> bool {
        let fits = self.expect_sort(part, expected, found);
        if !fits {
            self.typed.ill_sorted.insert(whole);
        }
        fits
    }

    pub(super) fn show(&self, sort: Sort) -> String {
        self.typed.show(self.script, sort)
    }

    fn visit(&mut self, term: TermId) {
        let script = self.script;
        match script.term(term) {
            Term::Literal(literal, text) => {
                self.typed.term_sorts[term.index()] = Some(self.literal_sort(literal, text));
                return;
            }
            Term::Application { arguments: [], .. } => {
                self.typed.term_sorts[term.index()] = self.application(term);
                return;
            }
            _ => self.steps.push(Step::Finish(term)),
        }
        match script.term(term) {
            Term::Literal(..) => {}
            Term::Application { head, arguments } => match (self.root_object, arguments) {
                (Some((root_object, variable)), &[polynomial, nth])
                    if script.identifier(head).symbol == root_object =>
                {
                    self.steps.push(Step::Visit(nth));
                    self.open_scope(&[polynomial]);
                    let meaning = Meaning::Local(Sort::REAL);
                    self.scope.functions.declare(variable, meaning);
                }
                _ => self.visit_all(arguments),
            },
            Term::Apply {
                function,
                arguments,
            } => {
                self.visit_all(arguments);
                self.steps.push(Step::Visit(function));
            }
            Term::Let { bindings, .. } => {
                self.steps.push(Step::BindLet(term));
                let terms = bindings.iter().rev();
                self.steps
                    .extend(terms.map(|binding| Step::Visit(binding.term)));
            }
            Term::Bind { binder, body, .. } => self.enter_binder(term, binder, body),
            Term::Match { scrutinee, cases } => {
                let cases = (0..cases.len() as u32).rev();
                self.steps.extend(cases.map(|at| Step::EnterCase(term, at)));
                self.steps.push(Step::Visit(scrutinee));
            }
            Term::Annotated { term, attributes } => {
                for attribute in attributes.iter().rev() {
                    if let AttributeValue::Pattern(range) = attribute.value {
                        self.visit_all(script.pattern(range));
                    }
                }
                self.steps.push(Step::Visit(term));
            }
        }
    }

    fn visit_all(&mut self, terms: &[TermId]) {
        self.steps
            .extend(terms.iter().rev().map(|&term| Step::Visit(term)));
    }

    fn literal_sort(&mut self, literal: Literal, text: &str) -> Sort {
        let digits = u32::try_from(text.len() - text.len().min(2)).unwrap_or(u32::MAX);
        match literal {
            Literal::Numeral if self.numerals_are_real => Sort::REAL,
            Literal::Numeral => Sort::INT,
            Literal::Decimal => Sort::REAL,
            Literal::String => Sort::STRING,
            Literal::Binary => self.typed.sorts.bit_vec(digits),
            // A text below 4 GiB has fewer than 2^32 digits, not bits.
            Literal::Hexadecimal => self.typed.sorts.bit_vec(digits.saturating_mul(4)),
        }
    }

    fn bind_let(&mut self, term: TermId) {
        let script = self.script;
        let Term::Let { bindings, body } = script.term(term) else {
            return;
        };
        self.open_scope(&[body]);
        for binding in bindings {
            let meaning = self
                .typed
                .sort(binding.term)
                .map_or(Meaning::Broken, Meaning::Local);
            self.scope.functions.declare(binding.symbol, meaning);
        }
    }

    /// Begins a scope that ends after `bodies`; the caller declares into it.
    fn open_scope(&mut self, bodies: &[TermId]) {
        self.scope.binders += 1;
        self.steps.push(Step::Leave(self.scope.functions.mark()));
        self.visit_all(bodies);
    }

    fn enter_binder(&mut self, term: TermId, binder: Binder, body: TermId) {
        let script = self.script;
        let Some(range) = script.bound_range(term) else {
            return;
        };
        match script.comprehension(body) {
            Some(pair) if binder == Binder::Comprehension => self.open_scope(&pair),
            _ => self.open_scope(&[body]),
        }
        for at in range {
            let variable = script.variables[at];
            let sort = self.resolve_sort(variable.sort, script.offset(term));
            self.typed.variable_sorts[at] = sort;
            let meaning = sort.map_or(Meaning::Broken, Meaning::Local);
            self.scope.functions.declare(variable.symbol, meaning);
        }
    }

    fn enter_case(&mut self, term: TermId, at: usize) {
        let script = self.script;
        let Term::Match { scrutinee, cases } = script.term(term) else {
            return;
        };
        let case = cases[at];
        self.open_scope(&[case.body]);
        let sort = self.typed.sort(scrutinee);
        let fields = sort.and_then(|sort| self.case_fields(term, &case, sort));
        let variables = script.case_variables(&case);
        match fields {
            Some(fields) if fields.len() == variables.len() => {
                for (&variable, field) in variables.iter().zip(fields) {
                    self.scope
                        .functions
                        .declare(variable, Meaning::Local(field));
                }
                return;
            }
            Some(fields) => {
                let name = script.name(script.identifier(case.head).symbol);
                let problem = TypeProblem::Other(format!(
                    "pattern `{}` has {} variables, the constructor {} selectors",
                    super::sorts::shown(name),
                    variables.len(),
                    fields.len()
                ));
                self.report_term(term, problem);
            }
            None if variables.is_empty() => {
                let symbol = script.identifier(case.head).symbol;
                let meaning = sort.map_or(Meaning::Broken, Meaning::Local);
                self.scope.functions.declare(symbol, meaning);
                return;
            }
            None => {}
        }
        for &variable in variables {
            self.scope.functions.declare(variable, Meaning::Broken);
        }
    }

    /// The sorts of the fields if the head of a case is a constructor of
    /// `sort`. A head with variables that is none is reported.
    fn case_fields(&mut self, term: TermId, case: &MatchCase, sort: Sort) -> Option<Vec<Sort>> {
        let script = self.script;
        let symbol = script.identifier(case.head).symbol;
        let SortKind::Named(datatype, arguments) = self.typed.sorts.kind(sort).clone() else {
            let problem = TypeProblem::Mismatch {
                expected: "a datatype".to_string(),
                found: self.show(sort),
            };
            self.report_term(term, problem);
            return None;
        };
        let constructors = self.typed.declaration(datatype).constructors.as_deref();
        let found = constructors
            .unwrap_or_default()
            .iter()
            .find(|constructor| self.typed.function(constructor.function).symbol == symbol);
        let Some(constructor) = found else {
            if !script.case_variables(case).is_empty() {
                let name = super::sorts::shown(script.name(symbol));
                self.report_term(
                    term,
                    TypeProblem::Unknown {
                        what: "constructor",
                        name,
                        nearest: None,
                    },
                );
            }
            return None;
        };
        let formals = self.typed.function(constructor.function).parameters.clone();
        formals
            .into_iter()
            .map(|formal| self.typed.sorts.substitute(formal, &arguments))
            .collect()
    }

    fn finish(&mut self, term: TermId) -> Option<Sort> {
        let script = self.script;
        match script.term(term) {
            Term::Literal(..) => self.typed.sort(term),
            Term::Application { .. } => self.application(term),
            Term::Apply {
                function,
                arguments,
            } => {
                let sort = self.typed.sort(function)?;
                self.apply_value(term, sort, arguments)
            }
            Term::Let { body, .. } => self.typed.sort(body),
            Term::Bind { binder, body, .. } => self.finish_binder(term, binder, body),
            Term::Match { cases, .. } => self.finish_match(term, cases),
            Term::Annotated {
                term: inner,
                attributes,
            } => {
                let sort = self.typed.sort(inner)?;
                for attribute in attributes {
                    if let AttributeValue::Name(name) = attribute.value {
                        self.name_term(name, inner, sort);
                    }
                }
                Some(sort)
            }
        }
    }

    /// A name given under a binder is declared after the command, when the
    /// binder's own names are gone.
    fn name_term(&mut self, name: crate::syntax::Symbol, term: TermId, sort: Sort) {
        if self.scope.binders > 0 {
            self.pending_names.push((name, term));
        } else {
            self.declare_function(name, Role::Named(term), Vec::new(), sort, 0);
        }
    }

    fn finish_binder(&mut self, term: TermId, binder: Binder, body: TermId) -> Option<Sort> {
        let variables = self.typed.bound_sorts(self.script, term)?;
        let found = self.typed.sort(body);
        match binder {
            Binder::Lambda => {
                let mut parts = variables;
                parts.push(found?);
                self.intern_sort(SortKind::Function(parts.into())).ok()
            }
            Binder::Forall | Binder::Exists => self
                .expect_part(term, body, Sort::BOOL, found?)
                .then_some(Sort::BOOL),
            Binder::Choice => {
                self.expect_part(term, body, Sort::BOOL, found?);
                variables.first().copied()
            }
            Binder::Comprehension => self.finish_comprehension(term, body, &variables),
        }
    }

    /// The set of the elements, which are the variable where none is written.
    fn finish_comprehension(
        &mut self,
        term: TermId,
        body: TermId,
        variables: &[Sort],
    ) -> Option<Sort> {
        let (predicate, element) = match self.script.comprehension(body) {
            Some([predicate, element]) => (predicate, self.typed.sort(element)?),
            None => (body, *variables.first()?),
        };
        let found = self.typed.sort(predicate)?;
        self.expect_part(term, predicate, Sort::BOOL, found);
        self.intern_sort(SortKind::Set(element)).ok()
    }

    fn finish_match(&mut self, term: TermId, cases: &[MatchCase]) -> Option<Sort> {
        let mut result: Option<Sort> = None;
        for case in cases {
            let sort = self.typed.sort(case.body)?;
            match result {
                None => result = Some(sort),
                Some(Sort::INT) if sort == Sort::REAL && !self.options.strict => {
                    result = Some(sort);
                }
                Some(expected) => {
                    self.expect_part(term, case.body, expected, sort);
                }
            }
        }
        result
    }

    /// A term of a function or array sort, applied.
    pub(super) fn apply_value(
        &mut self,
        term: TermId,
        mut sort: Sort,
        arguments: &[TermId],
    ) -> Option<Sort> {
        let mut rest = arguments;
        while !rest.is_empty() {
            let parts = match self.typed.sorts.kind(sort) {
                SortKind::Function(parts) => parts.to_vec(),
                SortKind::Array([from, to]) => vec![*from, *to],
                _ => {
                    let problem = TypeProblem::Mismatch {
                        expected: "a function".to_string(),
                        found: self.show(sort),
                    };
                    self.report_term(term, problem);
                    return None;
                }
            };
            let (formals, result) = parts.split_at(parts.len() - 1);
            let taken = formals.len().min(rest.len());
            for (&argument, &formal) in rest.iter().zip(formals) {
                let found = self.typed.sort(argument)?;
                self.expect_part(term, argument, formal, found);
            }
            sort = match formals.len() - taken {
                0 => result[0],
                _ => self
                    .intern_sort(SortKind::Function(parts[taken..].into()))
                    .ok()?,
            };
            rest = &rest[taken..];
        }
        Some(sort)
    }

    pub(super) fn resolve(&mut self, term: TermId, resolved: Resolved) {
        self.typed.resolved[term.index()] = resolved;
    }
}
