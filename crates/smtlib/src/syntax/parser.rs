//! Commands, attributes and raw s-expressions.

use super::command::{Command, CommandKind, Constructor, Datatype, DatatypeForm, Definition};
use super::error::{ParseError, Problem};
use super::lexer::{Kind, Lexer, Token};
use super::script::{
    Attribute, AttributeValue, Literal, Script, SexprId, SexprNode, SortId, TermId, Variable,
};
use super::symbols::Symbol;
use super::term_parser::Stacks;
use super::{Range, index};

/// Reads commands and terms from one text into one script.
pub(crate) struct Parser<'a> {
    pub(super) lexer: Lexer<'a>,
    pub(super) script: Script,
    pub(super) stacks: Stacks,
    sexpr_stack: Vec<SexprId>,
}

pub(super) type Parsed<T> = Result<T, ParseError>;

impl<'a> Parser<'a> {
    pub(crate) fn new(source: &'a str, script: Script) -> Parser<'a> {
        Parser {
            lexer: Lexer::new(source),
            script,
            stacks: Stacks::default(),
            sexpr_stack: Vec::new(),
        }
    }

    pub(crate) fn into_script(self) -> Script {
        self.script
    }

    /// Reads commands to the end of the text.
    pub(crate) fn script(&mut self) -> Parsed<()> {
        loop {
            let token = self.lexer.next()?;
            match token.kind {
                Kind::End => return Ok(()),
                Kind::Open => {
                    let kind = self.command(token)?;
                    self.script.commands.push(Command {
                        kind,
                        offset: token.offset,
                    });
                }
                _ => return Err(self.expected("a command", token)),
            }
        }
    }

    /// Nothing but the end of the text may follow.
    pub(crate) fn end(&mut self) -> Parsed<()> {
        self.expect(Kind::End, "the end of the text").map(|_| ())
    }

    fn command(&mut self, open: Token) -> Parsed<CommandKind> {
        let word = self.lexer.next()?;
        match word.kind {
            Kind::Symbol => {}
            Kind::Quoted => return self.other_command(open, word),
            _ => return Err(self.expected("the name of a command", word)),
        }
        let Some(kind) = self.known_command(self.lexer.text(word))? else {
            return self.other_command(open, word);
        };
        self.expect(Kind::Close, "`)` at the end of the command")?;
        Ok(kind)
    }

    /// The rest of a command that has a form of its own, but for its end.
    fn known_command(&mut self, word: &str) -> Parsed<Option<CommandKind>> {
        Ok(Some(match word {
            "assert" => self.assertion()?,
            "declare-fun" => self.declare_fun()?,
            "declare-const" => CommandKind::DeclareConst(self.symbol()?, self.sort()?),
            "declare-var" => CommandKind::DeclareVar(self.symbol()?, self.sort()?),
            "define-fun" => self.parametric(CommandKind::DefineFun)?,
            "define-fun-rec" => self.parametric(CommandKind::DefineFunRec)?,
            "define-funs-rec" => self.define_funs_rec()?,
            "define-const" => CommandKind::DefineConst(Definition {
                symbol: self.symbol()?,
                parameters: Vec::new(),
                sort: self.sort()?,
                body: self.term()?,
            }),
            "declare-sort" => CommandKind::DeclareSort(self.symbol()?, self.optional_numeral()?),
            "declare-sort-parameter" => CommandKind::DeclareSortParameter(self.symbol()?),
            "define-sort" => {
                let symbol = self.symbol()?;
                let parameters = self.symbols()?;
                CommandKind::DefineSort(symbol, parameters, self.sort()?)
            }
            "declare-datatypes" => self.declare_datatypes(false)?,
            "declare-codatatypes" => self.declare_datatypes(true)?,
            "declare-datatype" => self.declare_datatype(false)?,
            "declare-codatatype" => self.declare_datatype(true)?,
            "check-sat" => CommandKind::CheckSat(self.terms()?),
            "check-sat-assuming" => CommandKind::CheckSatAssuming(
                self.enclosed_terms(["`(` before the assumptions", "`)` after the assumptions"])?,
            ),
            "check-sat-using" => CommandKind::CheckSatUsing(self.sexprs()?),
            "get-value" => {
                let terms = self.enclosed_terms(["`(` before the terms", "`)` after the terms"])?;
                CommandKind::GetValue(terms, self.sexprs()?)
            }
            "assert-soft" => CommandKind::AssertSoft(self.term()?, self.attributes()?),
            "minimize" => CommandKind::Minimize(self.term()?, self.attributes()?),
            "maximize" => CommandKind::Maximize(self.term()?, self.attributes()?),
            "simplify" => CommandKind::Simplify(self.term()?, self.attributes()?),
            "eval" => CommandKind::Eval(self.term()?, self.attributes()?),
            "set-logic" => CommandKind::SetLogic(self.symbol()?),
            "set-option" => CommandKind::SetOption(self.attribute("an option")?),
            "set-info" => CommandKind::SetInfo(self.attribute("an info")?),
            "get-info" => CommandKind::GetInfo(self.keyword("an info")?),
            "get-option" => CommandKind::GetOption(self.keyword("an option")?),
            "echo" => {
                let token = self.expect(Kind::String, "a string")?;
                CommandKind::Echo(self.intern(token))
            }
            "push" => CommandKind::Push(self.optional_numeral()?),
            "pop" => CommandKind::Pop(self.optional_numeral()?),
            _ => return Ok(None),
        }))
    }

    fn enclosed_terms(&mut self, [open, close]: [&'static str; 2]) -> Parsed<Vec<TermId>> {
        self.expect(Kind::Open, open)?;
        let terms = self.terms()?;
        self.expect(Kind::Close, close)?;
        Ok(terms)
    }

    fn other_command(&mut self, open: Token, word: Token) -> Parsed<CommandKind> {
        if self.peek()?.kind == Kind::Close {
            self.lexer.next()?;
            return Ok(CommandKind::Word(self.intern(word)));
        }
        self.lexer.position = open.start as usize;
        Ok(CommandKind::Unknown(self.sexpr()?))
    }

    /// `f` and its signature, which may stand in `(par (X …) (…))`, and the
    /// term it stands for.
    fn parametric(&mut self, make: fn(Definition) -> CommandKind) -> Parsed<CommandKind> {
        let symbol = self.symbol()?;
        let Some(parameters) = self.par()? else {
            return Ok(make(self.definition(symbol)?));
        };
        let definition = Definition {
            symbol,
            parameters: self.variables()?,
            sort: self.sort()?,
            body: self.end_par_and_term()?,
        };
        Ok(CommandKind::Parametric(
            parameters,
            Box::new(make(definition)),
        ))
    }

    fn end_par_and_term(&mut self) -> Parsed<TermId> {
        self.end_par()?;
        self.term()
    }

    /// A term, or `(par (X …) t)`.
    fn assertion(&mut self) -> Parsed<CommandKind> {
        let Some(parameters) = self.par_head()? else {
            return Ok(CommandKind::Assert(self.term()?));
        };
        let kind = CommandKind::Assert(self.term()?);
        self.expect(Kind::Close, "`)` after `par`")?;
        Ok(CommandKind::Parametric(parameters, Box::new(kind)))
    }

    /// `(par (X …)`, if that is what follows.
    fn par_head(&mut self) -> Parsed<Option<Vec<Symbol>>> {
        let position = self.lexer.position;
        let open = self.lexer.next()?;
        if open.kind != Kind::Open || !self.next_is_word("par")? {
            self.lexer.position = position;
            return Ok(None);
        }
        self.lexer.next()?;
        self.symbols().map(Some)
    }

    /// `(par (X …) (`, if that is what follows.
    fn par(&mut self) -> Parsed<Option<Vec<Symbol>>> {
        let parameters = self.par_head()?;
        if parameters.is_some() {
            self.expect(Kind::Open, "`(` before the signature")?;
        }
        Ok(parameters)
    }

    fn end_par(&mut self) -> Parsed<()> {
        self.expect(Kind::Close, "`)` after the signature")?;
        self.expect(Kind::Close, "`)` after `par`")?;
        Ok(())
    }

    fn next_is_word(&mut self, word: &str) -> Parsed<bool> {
        let token = self.peek()?;
        Ok(self.is_word(token, word))
    }

    fn declare_fun(&mut self) -> Parsed<CommandKind> {
        let symbol = self.symbol()?;
        let parameters = self.par()?;
        self.expect(Kind::Open, "`(` before the argument sorts")?;
        let mut arguments = Vec::new();
        while self.peek()?.kind != Kind::Close {
            arguments.push(self.sort()?);
        }
        self.lexer.next()?;
        let kind = CommandKind::DeclareFun(symbol, arguments, self.sort()?);
        match parameters {
            None => Ok(kind),
            Some(parameters) => {
                self.end_par()?;
                Ok(CommandKind::Parametric(parameters, Box::new(kind)))
            }
        }
    }

    fn definition(&mut self, symbol: Symbol) -> Parsed<Definition> {
        Ok(Definition {
            symbol,
            parameters: self.variables()?,
            sort: self.sort()?,
            body: self.term()?,
        })
    }

    fn define_funs_rec(&mut self) -> Parsed<CommandKind> {
        self.expect(Kind::Open, "`(` before the signatures")?;
        let mut heads = Vec::new();
        while self.opened("`(` before a signature")? {
            heads.push(self.signature()?);
            self.expect(Kind::Close, "`)` after the signature")?;
        }
        self.expect(Kind::Open, "`(` before the bodies")?;
        let mut definitions = Vec::new();
        for (sorts, symbol, parameters, sort) in heads {
            let body = self.term()?;
            let definition = Definition {
                symbol,
                parameters,
                sort,
                body,
            };
            definitions.push((sorts, definition));
        }
        self.expect(Kind::Close, "`)` after as many bodies as signatures")?;
        if definitions.iter().any(|(sorts, _)| !sorts.is_empty()) {
            return Ok(CommandKind::ParametricFunsRec(definitions));
        }
        let definitions = definitions.into_iter().map(|(_, definition)| definition);
        Ok(CommandKind::DefineFunsRec(definitions.collect()))
    }

    /// `f ((x S) …) S`, `f (par (X …) (((x S) …) S))`, or what TIP once wrote:
    /// `par (X …) (f ((x S) …) S)`.
    fn signature(&mut self) -> Parsed<(Vec<Symbol>, Symbol, Vec<Variable>, SortId)> {
        if self.next_is_word("par")? {
            self.lexer.next()?;
            // It is printed in the other form, with its name in front: symbols
            // are numbered in that order.
            let position = self.lexer.position;
            self.expect(Kind::Open, "`(` before the sort parameters")?;
            while matches!(self.peek()?.kind, Kind::Symbol | Kind::Quoted) {
                self.lexer.next()?;
            }
            self.expect(Kind::Close, "`)` after the sort parameters")?;
            self.expect(Kind::Open, "`(` before the signature")?;
            self.symbol()?;
            self.lexer.position = position;
            let sorts = self.symbols()?;
            self.expect(Kind::Open, "`(` before the signature")?;
            let (symbol, parameters, sort) = (self.symbol()?, self.variables()?, self.sort()?);
            self.expect(Kind::Close, "`)` after the signature")?;
            return Ok((sorts, symbol, parameters, sort));
        }
        let symbol = self.symbol()?;
        let sorts = self.par()?;
        let (parameters, sort) = (self.variables()?, self.sort()?);
        if sorts.is_some() {
            self.end_par()?;
        }
        Ok((sorts.unwrap_or_default(), symbol, parameters, sort))
    }

    fn declare_datatype(&mut self, co: bool) -> Parsed<CommandKind> {
        let symbol = self.symbol()?;
        let (parameters, constructors) = self.datatype_body()?;
        let datatype = Datatype {
            symbol,
            parameters,
            constructors,
        };
        Ok(CommandKind::DeclareDatatypes(
            DatatypeForm::Single,
            co,
            vec![datatype],
        ))
    }

    fn declare_datatypes(&mut self, co: bool) -> Parsed<CommandKind> {
        self.expect(Kind::Open, "`(` before the names of the datatypes")?;
        if self.peek()?.kind != Kind::Open {
            return self.old_datatypes(co);
        }
        let mut symbols = Vec::new();
        while self.opened("`(` before the name of a datatype")? {
            symbols.push(self.symbol()?);
            self.expect(Kind::Numeral, "the number of parameters")?;
            self.expect(Kind::Close, "`)` after the number of parameters")?;
        }
        self.expect(Kind::Open, "`(` before the datatypes")?;
        let mut datatypes = Vec::new();
        for symbol in symbols {
            let (parameters, constructors) = self.datatype_body()?;
            datatypes.push(Datatype {
                symbol,
                parameters,
                constructors,
            });
        }
        self.expect(Kind::Close, "`)` after as many datatypes as names")?;
        Ok(CommandKind::DeclareDatatypes(
            DatatypeForm::Standard,
            co,
            datatypes,
        ))
    }

    /// `(X …) ((T constructor …) …)`, its first parenthesis already read.
    fn old_datatypes(&mut self, co: bool) -> Parsed<CommandKind> {
        let parameters = self.symbols_until_close()?;
        self.expect(Kind::Open, "`(` before the datatypes")?;
        let mut datatypes = Vec::new();
        while self.opened("`(` before a datatype")? {
            datatypes.push(Datatype {
                symbol: self.symbol()?,
                parameters: parameters.clone(),
                constructors: self.constructors()?,
            });
        }
        Ok(CommandKind::DeclareDatatypes(
            DatatypeForm::Old,
            co,
            datatypes,
        ))
    }

    /// `(constructor …)` or `(par (X …) (constructor …))`.
    fn datatype_body(&mut self) -> Parsed<(Vec<Symbol>, Vec<Constructor>)> {
        self.expect(Kind::Open, "`(` before the constructors")?;
        let first = self.peek()?;
        if first.kind != Kind::Symbol || self.lexer.text(first) != "par" {
            return Ok((Vec::new(), self.constructors()?));
        }
        self.lexer.next()?;
        let parameters = self.symbols()?;
        self.expect(Kind::Open, "`(` before the constructors")?;
        let constructors = self.constructors()?;
        self.expect(Kind::Close, "`)` after the datatype")?;
        Ok((parameters, constructors))
    }

    /// Constructors up to a closing parenthesis; one without selectors may
    /// stand without parentheses of its own.
    fn constructors(&mut self) -> Parsed<Vec<Constructor>> {
        let mut constructors = Vec::new();
        loop {
            let token = self.lexer.next()?;
            match token.kind {
                Kind::Close => return Ok(constructors),
                Kind::Symbol | Kind::Quoted => constructors.push(Constructor {
                    symbol: self.intern(token),
                    selectors: Vec::new(),
                }),
                Kind::Open => {
                    let symbol = self.symbol()?;
                    let mut selectors = Vec::new();
                    while self.opened("`(` before a selector")? {
                        selectors.push(Variable {
                            symbol: self.symbol()?,
                            sort: self.sort()?,
                        });
                        self.expect(Kind::Close, "`)` after the selector")?;
                    }
                    constructors.push(Constructor { symbol, selectors });
                }
                _ => return Err(self.expected("a constructor", token)),
            }
        }
    }

    /// `((x S) …)`
    fn variables(&mut self) -> Parsed<Vec<Variable>> {
        let range = self.push_variables()?;
        let variables = self.script.variables[range.indices()].to_vec();
        // They live in the command, not in the arena of bound variables.
        self.script.variables.truncate(range.start as usize);
        Ok(variables)
    }

    /// `((x S) …)` into the arena.
    pub(super) fn push_variables(&mut self) -> Parsed<Range> {
        self.expect(Kind::Open, "`(` before the variables")?;
        let start = self.script.variables.len();
        while self.opened("`(` before a variable and its sort")? {
            let symbol = self.symbol()?;
            let sort = self.sort()?;
            self.script.variables.push(Variable { symbol, sort });
            self.expect(Kind::Close, "`)` after the variable's sort")?;
        }
        Ok(Range::next(start, self.script.variables.len() - start))
    }

    fn symbols(&mut self) -> Parsed<Vec<Symbol>> {
        self.expect(Kind::Open, "`(` before the symbols")?;
        self.symbols_until_close()
    }

    fn symbols_until_close(&mut self) -> Parsed<Vec<Symbol>> {
        let mut symbols = Vec::new();
        while self.peek()?.kind != Kind::Close {
            symbols.push(self.symbol()?);
        }
        self.lexer.next()?;
        Ok(symbols)
    }

    /// Terms up to a closing parenthesis, which is left.
    fn terms(&mut self) -> Parsed<Vec<TermId>> {
        let mut terms = Vec::new();
        while self.peek()?.kind != Kind::Close {
            terms.push(self.term()?);
        }
        Ok(terms)
    }

    /// S-expressions up to a closing parenthesis, which is left.
    fn sexprs(&mut self) -> Parsed<Vec<SexprId>> {
        let mut sexprs = Vec::new();
        while self.peek()?.kind != Kind::Close {
            sexprs.push(self.sexpr()?);
        }
        Ok(sexprs)
    }

    /// Attributes up to a closing parenthesis, which is left.
    fn attributes(&mut self) -> Parsed<Vec<Attribute>> {
        let mut attributes = Vec::new();
        while self.peek()?.kind != Kind::Close {
            attributes.push(self.attribute("an attribute")?);
        }
        Ok(attributes)
    }

    fn attribute(&mut self, expected: &'static str) -> Parsed<Attribute> {
        Ok(Attribute {
            keyword: self.keyword(expected)?,
            value: self.attribute_value()?,
        })
    }

    pub(super) fn attribute_value(&mut self) -> Parsed<AttributeValue> {
        match self.peek()?.kind {
            Kind::Close | Kind::Keyword | Kind::End => Ok(AttributeValue::Absent),
            _ => Ok(AttributeValue::Sexpr(self.sexpr()?)),
        }
    }

    fn keyword(&mut self, expected: &'static str) -> Parsed<Symbol> {
        let token = self.expect(Kind::Keyword, expected)?;
        Ok(self.intern(token))
    }

    fn optional_numeral(&mut self) -> Parsed<Option<Symbol>> {
        if self.peek()?.kind != Kind::Numeral {
            return Ok(None);
        }
        let token = self.lexer.next()?;
        Ok(Some(self.intern(token)))
    }

    /// One s-expression of any shape.
    pub(super) fn sexpr(&mut self) -> Parsed<SexprId> {
        let mut open: Vec<usize> = Vec::new();
        self.sexpr_stack.clear();
        loop {
            let token = self.lexer.next()?;
            let id = match token.kind {
                Kind::Open => {
                    open.push(self.sexpr_stack.len());
                    continue;
                }
                Kind::Close => {
                    let Some(base) = open.pop() else {
                        return Err(self.expected("a value", token));
                    };
                    let list = self.script.make_sexpr_list(&self.sexpr_stack[base..]);
                    self.sexpr_stack.truncate(base);
                    list
                }
                Kind::End => return Err(self.expected("`)`", token)),
                _ => {
                    let text = self.intern(token);
                    self.script
                        .push_sexpr(match (token.kind, literal(token.kind)) {
                            (_, Some(literal)) => SexprNode::Literal(literal, text),
                            (Kind::Keyword, _) => SexprNode::Keyword(text),
                            _ => SexprNode::Symbol(text),
                        })
                }
            };
            if open.is_empty() {
                return Ok(id);
            }
            self.sexpr_stack.push(id);
        }
    }

    pub(super) fn symbol(&mut self) -> Parsed<Symbol> {
        let token = self.lexer.next()?;
        match token.kind {
            Kind::Symbol | Kind::Quoted => Ok(self.intern(token)),
            _ => Err(self.expected("a symbol", token)),
        }
    }

    pub(super) fn intern(&mut self, token: Token) -> Symbol {
        self.script.symbols.intern(self.lexer.text(token))
    }

    pub(super) fn peek(&mut self) -> Parsed<Token> {
        let position = self.lexer.position;
        let token = self.lexer.next();
        self.lexer.position = position;
        token
    }

    /// True after an opening parenthesis, false after a closing one.
    pub(super) fn opened(&mut self, expected: &'static str) -> Parsed<bool> {
        let token = self.lexer.next()?;
        match token.kind {
            Kind::Open => Ok(true),
            Kind::Close => Ok(false),
            _ => Err(self.expected(expected, token)),
        }
    }

    pub(super) fn expect(&mut self, kind: Kind, expected: &'static str) -> Parsed<Token> {
        let token = self.lexer.next()?;
        if token.kind == kind {
            Ok(token)
        } else {
            Err(self.expected(expected, token))
        }
    }

    pub(super) fn expected(&self, expected: &'static str, token: Token) -> ParseError {
        let found = match token.kind {
            Kind::End => "the end of the text".to_string(),
            _ => {
                let text = &self.lexer.source[token.offset as usize..token.end as usize];
                let mut shown: String = text.chars().take(40).collect();
                if shown.len() < text.len() {
                    shown.push('…');
                }
                format!("`{}`", shown.escape_debug())
            }
        };
        ParseError::new(token.offset as usize, Problem::Expected { expected, found })
    }
}

pub(super) fn literal(kind: Kind) -> Option<Literal> {
    match kind {
        Kind::Numeral => Some(Literal::Numeral),
        Kind::Decimal => Some(Literal::Decimal),
        Kind::Hexadecimal => Some(Literal::Hexadecimal),
        Kind::Binary => Some(Literal::Binary),
        Kind::String => Some(Literal::String),
        _ => None,
    }
}

/// The next free place of a stack, as frames store it.
pub(super) fn base(len: usize) -> u32 {
    index(len)
}
