//! A seed that was read once and laid out for change.

use std::ops::Range;

use super::locals::{Locals, NONE, locals, make_unique};
use super::{Node, NodeId, Root};
use crate::mutate::view::{Unusable, View};
use crate::operators::{OperatorId, Operators};
use crate::print;
use crate::sort::{Sort, SortKind};
use crate::syntax::{
    self, AttributeValue, CommandKind, Kind, Lexer, Literal, Script, Sexpr, Term, TermId, index,
};
use crate::typing::{self, FunctionId, Resolved, Typed};

/// A stretch of text.
type Span = Range<usize>;

/// A seed as strategies see it: only what their view of it leaves is there,
/// local variables have names of their own, and every term knows its place in
/// the text, its sort and its scope.
pub(crate) struct Original {
    /// The seed as it is printed when nothing is changed.
    pub(crate) text: String,
    pub(crate) script: Script,
    pub(crate) typed: Typed,
    pub(crate) locals: Locals,
    /// Where each command stands.
    pub(crate) commands: Vec<Span>,
    /// What commands hold, in the order of the text.
    pub(super) roots: Vec<Root>,
    pub(super) nodes: Vec<Node>,
    pub(super) children: Vec<NodeId>,
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// For each compound term where its operator ends.
    head_ends: Vec<u32>,
    /// For each term how many terms it consists of.
    sizes: Vec<u32>,
    /// For each term the innermost scope that it cannot do without.
    needs: Vec<u32>,
    /// For each term the commands whose terms may hold it.
    live: Vec<(u32, u32)>,
    /// For each term whether it can be replaced or copied.
    fixed: Vec<bool>,
    /// For each term whether it stands in a pattern.
    patterned: Vec<bool>,
    /// For each term the command that holds it.
    command_of: Vec<u32>,
    /// For each function of the script the commands that may use it.
    function_lives: Vec<(u32, u32)>,
    /// For each command the one at which what it declares is gone.
    declaration_ends: Vec<u32>,
}

impl Original {
    /// Reads a seed.
    pub(crate) fn read(
        text: &[u8],
        operators: &Operators,
        view: View,
    ) -> Result<Original, Unusable> {
        let mut script = syntax::parse(text).map_err(|_| "the seed cannot be read")?;
        view.apply(&mut script)?;
        let options = typing::Options {
            strict: false,
            operators,
        };
        let ill_sorted = |_| "the seed is not well-sorted";
        let typed = typing::check(&script, &options).map_err(ill_sorted)?;
        if typed.overloaded.is_some() {
            return Err("the seed has a name that means two functions at once");
        }
        let found = locals(&script, &typed);
        make_unique(&mut script, &found);
        write_reals_out(&mut script, &typed);
        // Read again what is printed: every term then has its place.
        let text = print::script(&script);
        let script = syntax::parse_str(&text).map_err(|_| "the seed cannot be printed")?;
        let typed = typing::check(&script, &options).map_err(ill_sorted)?;
        let locals = locals(&script, &typed);
        let unbound = |term: TermId| {
            typed.resolved(term) == Resolved::Local && locals.variable_of[term.index()] == NONE
        };
        if script.terms().any(unbound) {
            return Err("the seed has a variable that nothing visible binds");
        }
        if script
            .terms()
            .any(|term| script.comprehension(term).is_some())
        {
            return Err("the seed has a set comprehension of two terms");
        }
        Ok(Original::lay_out(text, script, typed, locals))
    }

    fn lay_out(text: String, script: Script, typed: Typed, locals: Locals) -> Original {
        let count = script.term_count();
        let mut original = Original {
            commands: command_spans(&text, &script),
            roots: Vec::new(),
            nodes: Vec::with_capacity(count),
            children: Vec::with_capacity(count),
            starts: Vec::with_capacity(count),
            ends: Vec::with_capacity(count),
            head_ends: Vec::with_capacity(count),
            sizes: Vec::with_capacity(count),
            needs: vec![NONE; count],
            live: Vec::with_capacity(count),
            fixed: vec![false; count],
            patterned: vec![false; count],
            function_lives: Vec::new(),
            declaration_ends: declaration_ends(&script),
            command_of: vec![NONE; count],
            text,
            script,
            typed,
            locals,
        };
        original.build_nodes();
        original.find_roots();
        original.find_needs();
        original.find_lives();
        original.find_fixed();
        original
    }

    /// Refuses a seed that means something else in another script: nothing can
    /// be claimed of what is made from it.
    pub(crate) fn stands_alone(&self, operators: &Operators) -> Result<(), Unusable> {
        let relative = |term: TermId| match self.typed.resolved(term) {
            Resolved::Operator(id) => operators.get(id).relative,
            _ => false,
        };
        match self.script.terms().any(relative) {
            true => Err("the seed has terms that depend on all others (set.universe)"),
            false => Ok(()),
        }
    }

    /// Where a term stands in [`Original::text`].
    pub(crate) fn span(&self, term: TermId) -> Span {
        self.starts[term.index()] as usize..self.ends[term.index()] as usize
    }

    /// A term as text.
    pub(crate) fn term_text(&self, term: TermId) -> &str {
        &self.text[self.span(term)]
    }

    /// A command as text.
    pub(crate) fn command_text(&self, command: usize) -> &str {
        &self.text[self.commands[command].clone()]
    }

    /// Where the operator, binder or keyword of a compound term stands.
    pub(crate) fn head_span(&self, term: TermId) -> Span {
        let span = self.span(term);
        if self.nodes[term.index()].count == 0 {
            return span;
        }
        span.start + 1..self.head_ends[term.index()] as usize
    }

    /// A sort as text; none if it is too long to be written.
    pub(crate) fn written_sort(&self, sort: Sort) -> Option<String> {
        self.typed.sorts.written(sort, &|id| {
            print::quoted(self.script.name(self.typed.declaration(id).symbol))
        })
    }

    /// How many terms a term consists of.
    pub(crate) fn size(&self, term: TermId) -> usize {
        self.sizes[term.index()] as usize
    }

    /// The sort of a term.
    pub(crate) fn sort(&self, term: TermId) -> Sort {
        self.nodes[term.index()].sort
    }

    /// The operator of a term, where it is one of the table's.
    pub(crate) fn operator(&self, term: TermId) -> Option<OperatorId> {
        self.nodes[term.index()].operator
    }

    /// The command that holds a term.
    pub(crate) fn command(&self, term: TermId) -> usize {
        self.command_of[term.index()] as usize
    }

    /// True if a term can neither be replaced nor copied: it gives a name, or
    /// stands in a pattern.
    pub(crate) fn is_fixed(&self, term: TermId) -> bool {
        self.fixed[term.index()]
    }

    /// True if a term stands in a `:pattern`.
    pub(crate) fn is_in_pattern(&self, term: TermId) -> bool {
        self.patterned[term.index()]
    }

    /// The commands whose terms may use a function of the script.
    pub(crate) fn function_live(&self, function: FunctionId) -> Range<usize> {
        let (from, to) = self.function_lives[function.index()];
        from as usize..to as usize
    }

    /// The innermost scope that a term cannot do without, or [`NONE`].
    pub(crate) fn need(&self, term: TermId) -> u32 {
        self.needs[term.index()]
    }

    /// True if a copy of `term` means something in a term of `command` that
    /// stands in `scope`: definition 5.3.2 of the thesis, and the same for
    /// declarations.
    pub(crate) fn fits(&self, term: TermId, command: usize, scope: u32) -> bool {
        let (from, to) = self.live[term.index()];
        let command = index(command);
        from <= command && command < to && self.locals.visible(self.needs[term.index()], scope)
    }

    /// The commands whose terms may hold a copy of `term`, as far as
    /// declarations go.
    pub(crate) fn live(&self, term: TermId) -> Range<usize> {
        let (from, to) = self.live[term.index()];
        from as usize..to as usize
    }

    fn build_nodes(&mut self) {
        let ends = ends(&self.text);
        let mut subterms = Vec::new();
        for term in self.script.terms() {
            subterms.clear();
            self.script.push_subterms(term, &mut subterms);
            let first = index(self.children.len());
            self.children.extend(subterms.iter().map(|t| NodeId(t.0)));
            let mut size = 1u32;
            for subterm in &subterms {
                self.nodes[subterm.index()].parent = term.0;
                size = size.saturating_add(self.sizes[subterm.index()]);
            }
            self.sizes.push(size);
            let start = self.script.offset(term).unwrap_or(0);
            self.starts.push(index(start));
            self.ends.push(ends[start]);
            // What follows the parenthesis is a token or a list.
            self.head_ends
                .push(ends.get(start + 1).copied().unwrap_or(0));
            self.nodes.push(Node {
                parent: NONE,
                first,
                count: index(subterms.len()),
                origin: term.0,
                head: NONE,
                sort: self.typed.sort(term).unwrap_or(Sort::UNKNOWN),
                scope: self.locals.scope_of[term.index()],
                operator: match self.typed.resolved(term) {
                    Resolved::Operator(operator) => Some(operator),
                    _ => None,
                },
                changed: false,
                quoted: false,
            });
        }
    }

    fn find_roots(&mut self) {
        for (at, command) in self.script.commands.iter().enumerate() {
            for root in command.kind.terms() {
                self.roots.push(Root {
                    command: at,
                    node: NodeId(root.0),
                });
                let mut work = vec![root];
                while let Some(term) = work.pop() {
                    self.command_of[term.index()] = index(at);
                    self.script.push_subterms(term, &mut work);
                }
            }
        }
    }

    /// Every term between a variable and what binds it needs that scope; the
    /// innermost such scope is kept.
    fn find_needs(&mut self) {
        for term in self.script.terms() {
            let variable = self.locals.variable_of[term.index()];
            let Some(variable) = self.locals.variables.get(variable as usize) else {
                continue;
            };
            let scope = variable.scope;
            let opener = self.locals.scopes[scope as usize].opener;
            let mut at = term.0;
            while at != NONE && Some(TermId(at)) != opener {
                let need = &mut self.needs[at as usize];
                if *need == scope {
                    break;
                }
                if *need == NONE || *need < scope {
                    *need = scope;
                }
                at = self.nodes[at as usize].parent;
            }
        }
    }

    fn find_lives(&mut self) {
        let ends = &self.declaration_ends;
        let functions: Vec<(u32, u32)> = self
            .typed
            .functions
            .iter()
            .map(|function| {
                let recursive = matches!(
                    self.script.commands[function.command].kind,
                    CommandKind::DefineFunRec(_)
                        | CommandKind::DefineFunsRec(_)
                        | CommandKind::ParametricFunsRec(_)
                );
                let from = index(function.command) + u32::from(!recursive);
                (from, ends[function.command])
            })
            .collect();
        let all = (0, index(self.script.commands.len()));
        for term in self.script.terms() {
            let mut live = match self.typed.resolved(term) {
                Resolved::Function(id)
                | Resolved::Tester(id)
                | Resolved::Updater(id)
                | Resolved::AsArray(id) => functions[id.index()],
                // These name functions by text: they stay where they are.
                Resolved::Map | Resolved::Lift => {
                    let own = self.command_of[term.index()];
                    (own, own.saturating_add(1))
                }
                _ => all,
            };
            for sort in self.written_sorts(term) {
                live = meet(live, self.sort_life(sort));
            }
            for child in &self.children[self.nodes[term.index()].children()] {
                live = meet(live, self.live[child.index()]);
            }
            self.live.push(live);
        }
        self.function_lives = functions;
    }

    /// The sorts that the text of a term writes itself.
    fn written_sorts(&self, term: TermId) -> Vec<Sort> {
        match self.script.term(term) {
            Term::Bind { .. } => self
                .typed
                .bound_sorts(&self.script, term)
                .unwrap_or_default(),
            Term::Application { head, .. } => {
                let sort = self.script.identifier(head).sort;
                sort.and_then(|sort| self.typed.sort_of_id(sort))
                    .into_iter()
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// The commands whose terms may speak of a sort, which is one of
    /// [`Original::typed`]'s.
    pub(crate) fn sort_live(&self, sort: Sort) -> Range<usize> {
        let (from, to) = self.sort_life(sort);
        from as usize..to as usize
    }

    fn sort_life(&self, sort: Sort) -> (u32, u32) {
        let mut live = (0, index(self.script.commands.len()));
        let mut work = vec![sort];
        while let Some(sort) = work.pop() {
            let kind = self.typed.sorts.kind(sort);
            if let SortKind::Named(id, _) = kind {
                let command = self.typed.declaration(*id).command;
                live = meet(live, (index(command) + 1, self.declaration_ends[command]));
            }
            work.extend_from_slice(kind.parts());
        }
        live
    }

    fn find_fixed(&mut self) {
        for term in self.script.terms() {
            let Term::Annotated { attributes, .. } = self.script.term(term) else {
                continue;
            };
            for attribute in attributes {
                match attribute.value {
                    AttributeValue::Name(_) => {
                        let mut at = term.0;
                        while at != NONE && !self.fixed[at as usize] {
                            self.fixed[at as usize] = true;
                            at = self.nodes[at as usize].parent;
                        }
                    }
                    AttributeValue::Pattern(range) => {
                        let mut work = self.script.pattern(range).to_vec();
                        while let Some(term) = work.pop() {
                            self.fixed[term.index()] = true;
                            self.patterned[term.index()] = true;
                            self.script.push_subterms(term, &mut work);
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}

fn meet(a: (u32, u32), b: (u32, u32)) -> (u32, u32) {
    (a.0.max(b.0), a.1.min(b.1))
}

/// Writes numerals that a logic of reals makes reals as decimals, so that they
/// stay what they are in every logic.
fn write_reals_out(script: &mut Script, typed: &Typed) {
    for term in script.terms() {
        if let Term::Literal(Literal::Numeral, digits) = script.term(term)
            && typed.sort(term) == Some(Sort::REAL)
        {
            let decimal = format!("{digits}.0");
            let decimal = script.intern(&decimal);
            script.nodes[term.index()] = syntax::Node::Literal(Literal::Decimal, decimal);
        }
    }
}

/// For each command the one at which what it declares is gone.
fn declaration_ends(script: &Script) -> Vec<u32> {
    let count = script.commands.len();
    let mut ends = vec![index(count); count];
    let mut global = false;
    // The commands of each open level, several pushes at once as one.
    let mut levels: Vec<(u64, Vec<usize>)> = vec![(0, Vec::new())];
    for (at, command) in script.commands.iter().enumerate() {
        let number = |text: &Option<syntax::Symbol>| {
            text.map_or(1, |text| script.name(text).parse().unwrap_or(u64::MAX))
        };
        let mut close = |closed: Vec<usize>| closed.iter().for_each(|&c| ends[c] = index(at));
        match &command.kind {
            CommandKind::Push(levels_text) => levels.push((number(levels_text), Vec::new())),
            CommandKind::Pop(levels_text) => {
                let mut left = number(levels_text);
                while left > 0 && levels.len() > 1 {
                    let (open, commands) = levels.last_mut().expect("there is one level");
                    let commands = std::mem::take(commands);
                    let taken = left.min(*open);
                    left -= taken;
                    *open -= taken;
                    let empty = *open == 0;
                    if !global && taken > 0 {
                        close(commands);
                    }
                    if empty {
                        levels.pop();
                    }
                }
            }
            CommandKind::Word(word)
                if matches!(script.name(*word), "reset" | "reset-assertions") =>
            {
                if !global || script.name(*word) == "reset" {
                    levels.drain(..).for_each(|(_, commands)| close(commands));
                    levels.push((0, Vec::new()));
                }
            }
            CommandKind::SetOption(attribute) => {
                if let AttributeValue::Sexpr(value) = attribute.value
                    && let Sexpr::Symbol(value) = script.sexpr(value)
                {
                    global = script.name(value) == "true";
                }
            }
            _ => levels.last_mut().expect("there is one level").1.push(at),
        }
    }
    ends
}

/// For each byte at which a token or a list begins, where that ends.
fn ends(text: &str) -> Vec<u32> {
    let mut ends = vec![0; text.len() + 1];
    let mut open = Vec::new();
    let mut lexer = Lexer {
        source: text,
        position: 0,
    };
    while let Ok(token) = lexer.next() {
        let after = index(lexer.position);
        match token.kind {
            Kind::End => break,
            Kind::Open => open.push(token.offset as usize),
            Kind::Close => {
                if let Some(start) = open.pop() {
                    ends[start] = after;
                }
            }
            _ => ends[token.offset as usize] = after,
        }
    }
    ends
}

/// Where the commands stand: from each to the line end before the next.
fn command_spans(text: &str, script: &Script) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::with_capacity(script.commands.len());
    for command in script.commands.iter().rev() {
        let start = command.offset().unwrap_or(0);
        let end = spans.last().map_or(text.len(), |next| next.start);
        spans.push(start..end);
    }
    spans.reverse();
    for span in &mut spans {
        span.end = span.start + text[span.clone()].trim_end().len();
    }
    spans
}
