//! The effect of commands on the scope, and the terms they hold.

use super::scope::{Meaning, SortMeaning};
use super::{Checker, ConstructorInfo, Function, FunctionId, Role, SortDeclaration, TypeProblem};
use crate::sort::{Sort, SortDeclarationId, SortKind};
use crate::syntax::{
    Attribute, AttributeValue, CommandKind, Datatype, Definition, Sexpr, SortId, Symbol, TermId,
    Variable, index,
};

impl Checker<'_> {
    /// Types the commands in order.
    pub(super) fn commands(&mut self) {
        let script = self.script;
        for (at, command) in script.commands.iter().enumerate() {
            if self.full() {
                return;
            }
            self.command = at;
            // Each heeds its own kind of command and not the others.
            self.declaration(&command.kind, command.offset());
            self.question(&command.kind);
            self.setting(&command.kind, command.offset());
            for (name, term) in std::mem::take(&mut self.pending_names) {
                if let Some(sort) = self.typed.sort(term) {
                    self.declare_function(name, Role::Named(term), Vec::new(), sort, 0);
                }
            }
        }
    }

    /// What gives names a meaning.
    fn declaration(&mut self, command: &CommandKind, offset: Option<usize>) {
        match command {
            CommandKind::DeclareSort(symbol, arity) => self.declare_sort(*symbol, *arity, offset),
            CommandKind::DeclareSortParameter(symbol) => self.declare_sort_parameter(*symbol),
            CommandKind::Parametric(parameters, inner) => self.under(parameters, |checker| {
                checker.declaration(inner, offset);
                checker.question(inner);
            }),
            CommandKind::DefineSort(symbol, parameters, body) => {
                self.define_sort(*symbol, parameters, *body, offset);
            }
            CommandKind::DeclareFun(symbol, arguments, result) => {
                let parameters: Option<Vec<Sort>> = arguments
                    .iter()
                    .map(|&sort| self.resolve_sort(sort, offset))
                    .collect();
                let result = self.resolve_sort(*result, offset);
                self.declare_resolved(*symbol, parameters, result);
            }
            CommandKind::DeclareConst(symbol, sort) | CommandKind::DeclareVar(symbol, sort) => {
                let result = self.resolve_sort(*sort, offset);
                self.declare_resolved(*symbol, Some(Vec::new()), result);
            }
            CommandKind::DefineFun(definition) | CommandKind::DefineConst(definition) => {
                let head = self.signature(definition, offset);
                self.body(definition, &head);
                self.define(definition, head, 0);
            }
            CommandKind::DefineFunRec(definition) => {
                let head = self.signature(definition, offset);
                self.define(definition, head.clone(), 0);
                self.body(definition, &head);
            }
            CommandKind::DefineFunsRec(definitions) => {
                let definitions = definitions.iter();
                self.define_together(definitions.map(|definition| (&[][..], definition)), offset);
            }
            CommandKind::ParametricFunsRec(definitions) => {
                let definitions = definitions.iter();
                self.define_together(definitions.map(|(sorts, d)| (&sorts[..], d)), offset);
            }
            CommandKind::DeclareDatatypes(_, co, datatypes) => {
                self.declare_datatypes(datatypes, *co, offset);
            }
            _ => {}
        }
    }

    /// Functions that may speak of each other, with their sort parameters.
    fn define_together<'d>(
        &mut self,
        definitions: impl Iterator<Item = (&'d [Symbol], &'d Definition)> + Clone,
        offset: Option<usize>,
    ) {
        let mut heads = Vec::new();
        for (at, (sorts, definition)) in definitions.clone().enumerate() {
            self.under(sorts, |checker| {
                let head = checker.signature(definition, offset);
                checker.define(definition, head.clone(), at);
                heads.push(head);
            });
        }
        for ((sorts, definition), head) in definitions.zip(&heads) {
            self.under(sorts, |checker| checker.body(definition, head));
        }
    }

    /// What is done with these sort parameters in scope. A parameter is known
    /// by its position, so that the same ones come back the next time.
    fn under(&mut self, parameters: &[Symbol], run: impl FnOnce(&mut Self)) {
        let (mark, before) = (self.scope.sorts.mark(), self.sort_parameters);
        for &parameter in parameters {
            self.declare_sort_parameter(parameter);
        }
        run(self);
        self.scope.sorts.rewind(mark);
        self.sort_parameters = before;
    }

    /// What holds terms.
    fn question(&mut self, command: &CommandKind) {
        match command {
            CommandKind::Assert(term) | CommandKind::AssertSoft(term, _) => {
                self.term_of(*term, Sort::BOOL);
            }
            CommandKind::CheckSat(terms) | CommandKind::CheckSatAssuming(terms) => {
                for &term in terms {
                    self.term_of(term, Sort::BOOL);
                }
            }
            CommandKind::Minimize(term, _)
            | CommandKind::Maximize(term, _)
            | CommandKind::Simplify(term, _)
            | CommandKind::Eval(term, _) => {
                self.term(*term);
            }
            CommandKind::GetValue(terms, _) => {
                for &term in terms {
                    self.term(term);
                }
            }
            _ => {}
        }
    }

    /// What changes how the rest is read: logic, options, levels.
    fn setting(&mut self, command: &CommandKind, offset: Option<usize>) {
        match command {
            CommandKind::SetLogic(logic) => {
                self.numerals_are_real = self.is_real_only(self.script.name(*logic));
            }
            CommandKind::SetOption(attribute) => self.set_option(attribute),
            CommandKind::Push(levels) => {
                if let Some(levels) = self.levels(*levels, offset) {
                    self.scope.push(levels);
                }
            }
            CommandKind::Pop(levels) => {
                if let Some(levels) = self.levels(*levels, offset)
                    && !self.scope.pop(levels)
                {
                    let problem = "more levels are popped than were pushed".to_string();
                    self.report(offset, TypeProblem::Other(problem));
                }
            }
            CommandKind::Word(word) => match self.script.name(*word) {
                "reset" => {
                    self.scope.reset();
                    self.numerals_are_real = false;
                }
                "reset-assertions" => self.scope.reset_assertions(),
                _ => {}
            },
            _ => {}
        }
    }

    /// In a logic of reals without integers a numeral is a real. Files that
    /// speak of `Int` all the same mean it, whatever their logic says.
    fn is_real_only(&self, logic: &str) -> bool {
        let reals = ["LRA", "NRA", "RDL"];
        let integers = ["IRA", "LIA", "NIA", "IDL"];
        reals.iter().any(|part| logic.contains(part))
            && !integers.iter().any(|part| logic.contains(part))
            && self.script.symbols().find("Int").is_none()
    }

    fn set_option(&mut self, attribute: &Attribute) {
        let script = self.script;
        if script.name(attribute.keyword) != ":global-declarations" {
            return;
        }
        if let AttributeValue::Sexpr(value) = attribute.value
            && let Sexpr::Symbol(value) = script.sexpr(value)
        {
            self.scope.global_declarations = script.name(value) == "true";
        }
    }

    fn levels(&mut self, levels: Option<Symbol>, offset: Option<usize>) -> Option<u64> {
        let Some(levels) = levels else {
            return Some(1);
        };
        let parsed = self.script.name(levels).parse().ok();
        if parsed.is_none() {
            let problem = "a number of levels beyond 2^64".to_string();
            self.report(offset, TypeProblem::Other(problem));
        }
        parsed
    }

    fn declare_sort_parameter(&mut self, symbol: Symbol) {
        let at = self.sort_parameters;
        self.sort_parameters += 1;
        if let Ok(sort) = self.intern_sort(SortKind::Parameter(at)) {
            let meaning = SortMeaning::Parameter(sort);
            self.scope.sorts.declare(symbol, meaning);
        }
    }

    fn declare_sort(&mut self, symbol: Symbol, arity: Option<Symbol>, offset: Option<usize>) {
        let arity = match arity {
            None => Some(0),
            Some(text) => self.script.name(text).parse().ok(),
        };
        match arity {
            Some(arity) => {
                let id = self.new_sort(symbol, arity, None, false);
                self.scope.sorts.declare(symbol, SortMeaning::Declared(id));
            }
            None => {
                let problem = "a sort of more than 2^64 arguments".to_string();
                self.report(offset, TypeProblem::Other(problem));
            }
        }
    }

    fn new_sort(
        &mut self,
        symbol: Symbol,
        arity: usize,
        constructors: Option<Vec<ConstructorInfo>>,
        co: bool,
    ) -> SortDeclarationId {
        let id = SortDeclarationId(index(self.typed.sort_declarations.len()));
        self.typed.sort_declarations.push(SortDeclaration {
            symbol,
            arity,
            constructors,
            co,
            command: self.command,
        });
        id
    }

    fn define_sort(
        &mut self,
        symbol: Symbol,
        parameters: &[Symbol],
        body: SortId,
        offset: Option<usize>,
    ) {
        let mark = self.declare_parameters(parameters);
        let body = self.resolve_sort(body, offset);
        self.scope.sorts.rewind(mark);
        if let Some(body) = body {
            let meaning = SortMeaning::Defined(parameters.len(), body);
            self.scope.sorts.declare(symbol, meaning);
        }
    }

    fn declare_parameters(&mut self, parameters: &[Symbol]) -> usize {
        let mark = self.scope.sorts.mark();
        for (at, &parameter) in parameters.iter().enumerate() {
            if let Ok(sort) = self.intern_sort(SortKind::Parameter(index(at))) {
                let meaning = SortMeaning::Parameter(sort);
                self.scope.sorts.declare(parameter, meaning);
            }
        }
        mark
    }

    fn declare_resolved(
        &mut self,
        symbol: Symbol,
        parameters: Option<Vec<Sort>>,
        result: Option<Sort>,
    ) {
        match (parameters, result) {
            (Some(parameters), Some(result)) => {
                self.declare_function(symbol, Role::Declared, parameters, result, 0);
            }
            // The error is reported; the name must not be unknown on top of it.
            _ => self.scope.functions.declare(symbol, Meaning::Broken),
        }
    }

    pub(super) fn declare_function(
        &mut self,
        symbol: Symbol,
        role: Role,
        parameters: Vec<Sort>,
        result: Sort,
        mut sort_parameters: usize,
    ) -> FunctionId {
        let sorts = &self.typed.sorts;
        let open = sorts.is_open(result) || parameters.iter().any(|&sort| sorts.is_open(sort));
        let of_script = matches!(role, Role::Declared | Role::Defined { .. });
        if open && of_script {
            // It speaks of declared sort parameters.
            sort_parameters = self.sort_parameters as usize;
        }
        if self.function_named(symbol).is_some() {
            self.note_overload(symbol);
        }
        let id = FunctionId(index(self.typed.functions.len()));
        self.typed.functions.push(Function {
            symbol,
            role,
            parameters,
            result,
            sort_parameters,
            command: self.command,
        });
        self.scope.functions.declare(symbol, Meaning::Function(id));
        id
    }

    fn signature(&mut self, definition: &Definition, offset: Option<usize>) -> Head {
        Head {
            parameters: definition
                .parameters
                .iter()
                .map(|parameter| self.resolve_sort(parameter.sort, offset))
                .collect(),
            result: self.resolve_sort(definition.sort, offset),
        }
    }

    fn define(&mut self, definition: &Definition, head: Head, at: usize) {
        let parameters: Option<Vec<Sort>> = head.parameters.into_iter().collect();
        let (Some(parameters), Some(result)) = (parameters, head.result) else {
            self.scope
                .functions
                .declare(definition.symbol, Meaning::Broken);
            return;
        };
        let role = Role::Defined {
            command: index(self.command),
            at: index(at),
        };
        self.declare_function(definition.symbol, role, parameters, result, 0);
    }

    fn body(&mut self, definition: &Definition, head: &Head) {
        let mark = self.scope.functions.mark();
        self.scope.binders += 1;
        for (parameter, sort) in definition.parameters.iter().zip(&head.parameters) {
            let meaning = sort.map_or(Meaning::Broken, Meaning::Local);
            self.scope.functions.declare(parameter.symbol, meaning);
        }
        self.typed_body(definition.body, head.result);
        self.scope.functions.rewind(mark);
        self.scope.binders -= 1;
    }

    fn typed_body(&mut self, body: TermId, expected: Option<Sort>) {
        match expected {
            Some(expected) => {
                if let Some(found) = self.term(body)
                    && !self.expect_sort(body, expected, found)
                {
                    self.typed.ill_sorted.insert(body);
                }
            }
            None => {
                self.term(body);
            }
        }
    }

    fn declare_datatypes(&mut self, datatypes: &[Datatype], co: bool, offset: Option<usize>) {
        let mut ids = Vec::with_capacity(datatypes.len());
        for datatype in datatypes {
            let arity = datatype.parameters.len();
            let id = self.new_sort(datatype.symbol, arity, Some(Vec::new()), co);
            let meaning = SortMeaning::Declared(id);
            self.scope.sorts.declare(datatype.symbol, meaning);
            ids.push(id);
        }
        for (datatype, &id) in datatypes.iter().zip(&ids) {
            self.declare_constructors(datatype, id, offset);
        }
    }

    fn declare_constructors(
        &mut self,
        datatype: &Datatype,
        id: SortDeclarationId,
        offset: Option<usize>,
    ) {
        let mark = self.declare_parameters(&datatype.parameters);
        let arguments: Option<Box<[Sort]>> = (0..datatype.parameters.len())
            .map(|at| self.intern_sort(SortKind::Parameter(index(at))).ok())
            .collect();
        self.own_sorts = arguments.clone().filter(|sorts| !sorts.is_empty());
        let own = arguments.and_then(|args| self.intern_sort(SortKind::Named(id, args)).ok());
        let fields: Vec<Option<Vec<Sort>>> = datatype
            .constructors
            .iter()
            .map(|constructor| self.field_sorts(&constructor.selectors, offset))
            .collect();
        self.own_sorts = None;
        self.scope.sorts.rewind(mark);
        let Some(own) = own else { return };
        let sort_parameters = datatype.parameters.len();
        let mut infos = Vec::with_capacity(fields.len());
        for (at, (constructor, fields)) in datatype.constructors.iter().zip(fields).enumerate() {
            let Some(fields) = fields else {
                let broken = Meaning::Broken;
                self.scope.functions.declare(constructor.symbol, broken);
                continue;
            };
            let role = Role::Constructor {
                datatype: id,
                at: index(at),
            };
            let function = self.declare_function(
                constructor.symbol,
                role,
                fields.clone(),
                own,
                sort_parameters,
            );
            let selectors = constructor.selectors.iter().zip(fields).enumerate();
            let selectors = selectors
                .map(|(nth, (selector, field))| {
                    let role = Role::Selector {
                        datatype: id,
                        constructor: index(at),
                        at: index(nth),
                    };
                    self.declare_function(selector.symbol, role, vec![own], field, sort_parameters)
                })
                .collect();
            infos.push(ConstructorInfo {
                function,
                selectors,
            });
        }
        self.typed.sort_declarations[id.index()].constructors = Some(infos);
    }

    fn field_sorts(&mut self, selectors: &[Variable], offset: Option<usize>) -> Option<Vec<Sort>> {
        selectors
            .iter()
            .map(|selector| self.resolve_sort(selector.sort, offset))
            .collect()
    }
}

/// What a definition's signature was found to be.
#[derive(Clone)]
struct Head {
    parameters: Vec<Option<Sort>>,
    result: Option<Sort>,
}
