//! Commands.

use std::fmt::{self, Write};

use super::writer::{Writer, write_symbol};
use crate::syntax::{
    Attribute, Command, CommandKind, Constructor, Datatype, DatatypeForm, Definition, SexprId,
    SortId, Symbol, TermId,
};

impl<W: Write> Writer<'_, W> {
    /// Writes a command, without a line end.
    pub(super) fn command(&mut self, command: &Command) -> fmt::Result {
        if let CommandKind::Unknown(sexpr) = &command.kind {
            return self.sexpr(*sexpr);
        }
        // Each writes its own kind of command and nothing for the others.
        self.declaration(&command.kind)?;
        self.question(&command.kind)?;
        self.setting(&command.kind)?;
        self.out.write_char(')')
    }

    /// What gives names a meaning.
    fn declaration(&mut self, command: &CommandKind) -> fmt::Result {
        match command {
            CommandKind::DeclareSort(symbol, arity) => {
                self.word_and_symbol("(declare-sort ", *symbol)?;
                self.spaced_numeral(*arity)?;
            }
            CommandKind::DeclareSortParameter(symbol) => {
                self.word_and_symbol("(declare-sort-parameter ", *symbol)?;
            }
            CommandKind::DefineSort(symbol, parameters, body) => {
                self.word_and_symbol("(define-sort ", *symbol)?;
                self.out.write_char(' ')?;
                self.symbols(parameters)?;
                self.out.write_char(' ')?;
                self.sort(*body)?;
            }
            CommandKind::DeclareFun(symbol, arguments, sort) => {
                self.word_and_symbol("(declare-fun ", *symbol)?;
                self.out.write_char(' ')?;
                self.declared_signature(arguments, *sort)?;
            }
            CommandKind::Parametric(parameters, inner) => self.parametric(parameters, inner)?,
            CommandKind::DeclareConst(symbol, sort) => {
                self.word_symbol_sort("(declare-const ", *symbol, *sort)?;
            }
            CommandKind::DeclareVar(symbol, sort) => {
                self.word_symbol_sort("(declare-var ", *symbol, *sort)?;
            }
            CommandKind::DefineConst(definition) => {
                self.word_symbol_sort("(define-const ", definition.symbol, definition.sort)?;
                self.body(definition.body)?;
            }
            CommandKind::DefineFun(definition) => self.definition("(define-fun ", definition)?,
            CommandKind::DefineFunRec(definition) => {
                self.definition("(define-fun-rec ", definition)?;
            }
            CommandKind::DefineFunsRec(definitions) => {
                self.define_funs_rec(definitions.iter().map(|definition| (&[][..], definition)))?;
            }
            CommandKind::ParametricFunsRec(definitions) => {
                let definitions = definitions.iter();
                self.define_funs_rec(definitions.map(|(sorts, d)| (&sorts[..], d)))?;
            }
            CommandKind::DeclareDatatypes(DatatypeForm::Old, co, datatypes)
                if self.names.standard_datatypes() =>
            {
                self.declare_old_datatypes(*co, datatypes)?;
            }
            CommandKind::DeclareDatatypes(form, co, datatypes) => {
                self.declare_datatypes(*form, *co, datatypes)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Datatypes of the old form in the form of the standard.
    fn declare_old_datatypes(&mut self, co: bool, datatypes: &[Datatype]) -> fmt::Result {
        let parameters = datatypes.first().map(|d| d.parameters.clone());
        let symbols = datatypes.iter().map(|d| d.symbol).collect();
        self.old_datatypes = parameters
            .filter(|parameters| !parameters.is_empty())
            .map(|parameters| (symbols, parameters));
        self.declare_datatypes(DatatypeForm::Standard, co, datatypes)?;
        self.old_datatypes = None;
        Ok(())
    }

    /// What holds terms.
    fn question(&mut self, command: &CommandKind) -> fmt::Result {
        match command {
            CommandKind::Assert(term) => self.with_attributes("(assert", *term, &[])?,
            CommandKind::AssertSoft(term, attributes) => {
                self.with_attributes("(assert-soft", *term, attributes)?;
            }
            CommandKind::Minimize(term, attributes) => {
                self.with_attributes("(minimize", *term, attributes)?;
            }
            CommandKind::Maximize(term, attributes) => {
                self.with_attributes("(maximize", *term, attributes)?;
            }
            CommandKind::Simplify(term, attributes) => {
                self.with_attributes("(simplify", *term, attributes)?;
            }
            CommandKind::Eval(term, attributes) => {
                self.with_attributes("(eval", *term, attributes)?;
            }
            CommandKind::CheckSat(assumptions) => {
                self.out.write_str("(check-sat")?;
                for &term in assumptions {
                    self.out.write_char(' ')?;
                    self.term(term)?;
                }
            }
            CommandKind::CheckSatAssuming(terms) => {
                self.out.write_str("(check-sat-assuming ")?;
                self.terms(terms)?;
            }
            CommandKind::CheckSatUsing(_) if self.names.leaves_tactics_out() => {
                self.out.write_str("(check-sat")?;
            }
            CommandKind::CheckSatUsing(tactic) => {
                self.out.write_str("(check-sat-using")?;
                self.spaced_sexprs(tactic)?;
            }
            CommandKind::GetValue(terms, rest) => {
                self.out.write_str("(get-value ")?;
                self.terms(terms)?;
                self.spaced_sexprs(rest)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// What is left: options, infos, levels.
    fn setting(&mut self, command: &CommandKind) -> fmt::Result {
        match command {
            CommandKind::SetLogic(logic) => {
                self.out.write_str("(set-logic ")?;
                write_symbol(self.names.of(self.script, *logic), self.out)?;
            }
            CommandKind::SetOption(attribute) => {
                self.out.write_str("(set-option ")?;
                self.attribute(attribute)?;
            }
            CommandKind::SetInfo(attribute) => {
                self.out.write_str("(set-info ")?;
                self.attribute(attribute)?;
            }
            CommandKind::GetInfo(keyword) => self.word_and_text("(get-info ", *keyword)?,
            CommandKind::GetOption(keyword) => self.word_and_text("(get-option ", *keyword)?,
            CommandKind::Echo(text) => {
                self.word_and_text("(echo \"", *text)?;
                self.out.write_char('"')?;
            }
            CommandKind::Push(levels) => {
                self.out.write_str("(push")?;
                self.spaced_numeral(*levels)?;
            }
            CommandKind::Pop(levels) => {
                self.out.write_str("(pop")?;
                self.spaced_numeral(*levels)?;
            }
            CommandKind::Word(word) => self.word_and_symbol("(", *word)?,
            _ => {}
        }
        Ok(())
    }

    fn word_and_symbol(&mut self, word: &str, symbol: Symbol) -> fmt::Result {
        self.out.write_str(word)?;
        self.symbol(symbol)
    }

    fn word_and_text(&mut self, word: &str, text: Symbol) -> fmt::Result {
        self.out.write_str(word)?;
        self.out.write_str(self.script.name(text))
    }

    fn word_symbol_sort(&mut self, word: &str, symbol: Symbol, sort: SortId) -> fmt::Result {
        self.word_and_symbol(word, symbol)?;
        self.out.write_char(' ')?;
        self.sort(sort)
    }

    fn spaced_numeral(&mut self, numeral: Option<Symbol>) -> fmt::Result {
        match numeral {
            None => Ok(()),
            Some(numeral) => self.word_and_text(" ", numeral),
        }
    }

    fn spaced_sexprs(&mut self, sexprs: &[SexprId]) -> fmt::Result {
        for &sexpr in sexprs {
            self.out.write_char(' ')?;
            self.sexpr(sexpr)?;
        }
        Ok(())
    }

    fn with_attributes(
        &mut self,
        word: &str,
        term: TermId,
        attributes: &[Attribute],
    ) -> fmt::Result {
        self.out.write_str(word)?;
        self.body(term)?;
        for attribute in attributes {
            self.out.write_char(' ')?;
            self.attribute(attribute)?;
        }
        Ok(())
    }

    /// A term at the end of a command: on a line of its own if it is long.
    fn body(&mut self, term: TermId) -> fmt::Result {
        let broken = self.layout.is_some_and(|layout| layout.breaks(term, 8));
        self.separate(broken, 2)?;
        self.term_at(term, if broken { 2 } else { 8 })
    }

    fn terms(&mut self, terms: &[TermId]) -> fmt::Result {
        self.out.write_char('(')?;
        for (i, &term) in terms.iter().enumerate() {
            if i > 0 {
                self.out.write_char(' ')?;
            }
            self.term(term)?;
        }
        self.out.write_char(')')
    }

    fn symbols(&mut self, symbols: &[Symbol]) -> fmt::Result {
        self.out.write_char('(')?;
        for (i, &symbol) in symbols.iter().enumerate() {
            self.word_and_symbol(if i > 0 { " " } else { "" }, symbol)?;
        }
        self.out.write_char(')')
    }

    /// `(par (X …) (rest))` after the name of what is declared or defined.
    fn parametric(&mut self, parameters: &[Symbol], inner: &CommandKind) -> fmt::Result {
        let (word, symbol) = match inner {
            CommandKind::Assert(term) => {
                self.out.write_str("(assert (par ")?;
                self.symbols(parameters)?;
                self.body(*term)?;
                return self.out.write_char(')');
            }
            CommandKind::DeclareFun(symbol, ..) => ("(declare-fun ", *symbol),
            CommandKind::DefineFun(definition) => ("(define-fun ", definition.symbol),
            CommandKind::DefineFunRec(definition) => ("(define-fun-rec ", definition.symbol),
            _ => return self.declaration(inner),
        };
        self.word_and_symbol(word, symbol)?;
        match inner {
            CommandKind::DeclareFun(_, arguments, sort) => {
                self.out.write_str(" (par ")?;
                self.symbols(parameters)?;
                self.out.write_str(" (")?;
                self.declared_signature(arguments, *sort)?;
                self.out.write_str("))")
            }
            CommandKind::DefineFun(definition) | CommandKind::DefineFunRec(definition) => {
                self.par(parameters, definition)?;
                self.body(definition.body)
            }
            _ => Ok(()),
        }
    }

    fn declared_signature(&mut self, arguments: &[SortId], sort: SortId) -> fmt::Result {
        self.out.write_char('(')?;
        for (i, &argument) in arguments.iter().enumerate() {
            if i > 0 {
                self.out.write_char(' ')?;
            }
            self.sort(argument)?;
        }
        self.out.write_str(") ")?;
        self.sort(sort)
    }

    fn signature(&mut self, definition: &Definition) -> fmt::Result {
        self.symbol(definition.symbol)?;
        self.out.write_char(' ')?;
        self.variables(&definition.parameters)?;
        self.out.write_char(' ')?;
        self.sort(definition.sort)
    }

    fn definition(&mut self, word: &str, definition: &Definition) -> fmt::Result {
        self.out.write_str(word)?;
        self.signature(definition)?;
        self.body(definition.body)
    }

    /// Definitions with their sort parameters, of which most have none.
    fn define_funs_rec<'d>(
        &mut self,
        definitions: impl Iterator<Item = (&'d [Symbol], &'d Definition)> + Clone,
    ) -> fmt::Result {
        self.out.write_str("(define-funs-rec (")?;
        for (i, (sorts, definition)) in definitions.clone().enumerate() {
            self.out.write_str(if i > 0 { " (" } else { "(" })?;
            match sorts.is_empty() {
                true => self.signature(definition)?,
                false => {
                    self.symbol(definition.symbol)?;
                    self.par(sorts, definition)?;
                }
            }
            self.out.write_char(')')?;
        }
        self.out.write_str(") ")?;
        let bodies: Vec<TermId> = definitions.map(|(_, definition)| definition.body).collect();
        self.terms(&bodies)
    }

    /// ` (par (X …) (((x S) …) S))`
    fn par(&mut self, sorts: &[Symbol], definition: &Definition) -> fmt::Result {
        self.out.write_str(" (par ")?;
        self.symbols(sorts)?;
        self.out.write_str(" (")?;
        self.variables(&definition.parameters)?;
        self.out.write_char(' ')?;
        self.sort(definition.sort)?;
        self.out.write_str("))")
    }

    fn declare_datatypes(
        &mut self,
        form: DatatypeForm,
        co: bool,
        datatypes: &[Datatype],
    ) -> fmt::Result {
        let co = if co { "co" } else { "" };
        match (form, datatypes) {
            (DatatypeForm::Single, [datatype]) => {
                write!(self.out, "(declare-{co}datatype ")?;
                self.symbol(datatype.symbol)?;
                self.out.write_char(' ')?;
                self.datatype_body(datatype)
            }
            (DatatypeForm::Old, _) => {
                write!(self.out, "(declare-{co}datatypes ")?;
                self.symbols(datatypes.first().map_or(&[], |d| &d.parameters))?;
                self.out.write_str(" (")?;
                for (i, datatype) in datatypes.iter().enumerate() {
                    self.word_and_symbol(if i > 0 { " (" } else { "(" }, datatype.symbol)?;
                    for constructor in &datatype.constructors {
                        self.out.write_char(' ')?;
                        self.constructor(constructor, true)?;
                    }
                    self.out.write_char(')')?;
                }
                self.out.write_char(')')
            }
            _ => {
                write!(self.out, "(declare-{co}datatypes (")?;
                for (i, datatype) in datatypes.iter().enumerate() {
                    self.word_and_symbol(if i > 0 { " (" } else { "(" }, datatype.symbol)?;
                    write!(self.out, " {})", datatype.parameters.len())?;
                }
                self.out.write_str(") (")?;
                for (i, datatype) in datatypes.iter().enumerate() {
                    if i > 0 {
                        self.out.write_char(' ')?;
                    }
                    self.datatype_body(datatype)?;
                }
                self.out.write_char(')')
            }
        }
    }

    fn datatype_body(&mut self, datatype: &Datatype) -> fmt::Result {
        if !datatype.parameters.is_empty() {
            self.out.write_str("(par ")?;
            self.symbols(&datatype.parameters)?;
            self.out.write_char(' ')?;
        }
        self.out.write_char('(')?;
        for (i, constructor) in datatype.constructors.iter().enumerate() {
            if i > 0 {
                self.out.write_char(' ')?;
            }
            self.constructor(constructor, false)?;
        }
        self.out.write_char(')')?;
        if !datatype.parameters.is_empty() {
            self.out.write_char(')')?;
        }
        Ok(())
    }

    fn constructor(&mut self, constructor: &Constructor, bare: bool) -> fmt::Result {
        if bare && constructor.selectors.is_empty() {
            return self.symbol(constructor.symbol);
        }
        self.word_and_symbol("(", constructor.symbol)?;
        for selector in &constructor.selectors {
            self.word_symbol_sort(" (", selector.symbol, selector.sort)?;
            self.out.write_char(')')?;
        }
        self.out.write_char(')')
    }
}
