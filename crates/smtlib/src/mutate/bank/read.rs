//! Reading a bank, which may be anybody's.

use std::collections::BTreeMap;

use super::{Bank, BankNode, BankTerm, HEADER, Part, adopt};
use crate::mutate::repertoire::Repertoire;
use crate::operators::Operators;
use crate::sort::Sort;
use crate::syntax::{CommandKind, Definition, Script, Term, TermId, index, parse_str};
use crate::typing::{self, Resolved, Typed};

/// Why a text is not a bank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BankError {
    /// Counted from 1.
    pub(crate) line: usize,
    /// What is wrong there.
    pub(crate) what: String,
}

/// Terms of more nodes than this are refused.
const MAX_NODES: usize = 1_000;
/// Longer lines are refused.
const MAX_LINE: usize = 64 << 10;

impl Bank {
    /// Reads a bank. Terms with operators that are not to be used are passed
    /// over.
    pub(crate) fn read(
        text: &str,
        operators: &Operators,
        repertoire: &Repertoire,
    ) -> Result<Bank, BankError> {
        let mut bank = Bank::default();
        let mut numbers = BTreeMap::new();
        let mut lines = text.lines();
        if lines.next().map(str::trim_end) != Some(HEADER) {
            return Err(BankError {
                line: 1,
                what: format!("expected `{HEADER}` (lydite bank makes such a file)"),
            });
        }
        for (at, line) in lines.enumerate() {
            if !line.trim().is_empty() {
                let read = bank.read_line(line, operators, repertoire, &mut numbers);
                read.map_err(|what| BankError { line: at + 2, what })?;
            }
        }
        bank.names.sort_unstable();
        bank.names.dedup();
        Ok(bank)
    }

    fn read_line(
        &mut self,
        line: &str,
        operators: &Operators,
        repertoire: &Repertoire,
        numbers: &mut BTreeMap<Sort, u32>,
    ) -> Result<(), String> {
        if line.len() > MAX_LINE {
            return Err(format!("more than {MAX_LINE} bytes"));
        }
        let wrapped = format!("(define-fun term {line}\n)");
        let script = parse_str(&wrapped).map_err(|error| error.problem.to_string())?;
        let [command] = script.commands.as_slice() else {
            return Err("expected holes, a sort and one term".to_string());
        };
        let CommandKind::DefineFun(definition) = &command.kind else {
            return Err("expected holes, a sort and one term".to_string());
        };
        let options = typing::Options {
            strict: false,
            operators,
        };
        let typed = typing::check(&script, &options).map_err(|errors| {
            let first = errors.first().map(|error| error.problem.to_string());
            first.unwrap_or_else(|| "not well-sorted".to_string())
        })?;
        let mut line = Line {
            script: &script,
            typed: &typed,
            definition,
            operators,
            repertoire,
            usable: true,
            nodes: Vec::new(),
            names: Vec::new(),
        };
        line.flatten()?;
        let Line {
            usable,
            nodes,
            names,
            ..
        } = line;
        self.add(
            nodes,
            names,
            definition.parameters.len(),
            usable,
            &typed,
            numbers,
        )
    }

    /// Adds a term whose nodes still have the sorts of their line.
    fn add(
        &mut self,
        nodes: Vec<(Part, Sort)>,
        names: Vec<String>,
        holes: usize,
        usable: bool,
        typed: &Typed,
        numbers: &mut BTreeMap<Sort, u32>,
    ) -> Result<(), String> {
        let mut adopted = Vec::with_capacity(nodes.len());
        for (part, sort) in nodes {
            let sort =
                adopt(&mut self.sorts, &typed.sorts, sort).ok_or("a sort that is not built in")?;
            let used = &mut self.used;
            let by_sort = &mut self.by_sort;
            let number = *numbers.entry(sort).or_insert_with(|| {
                used.push(sort);
                by_sort.push(Vec::new());
                index(used.len() - 1)
            });
            adopted.push(BankNode { part, sort: number });
        }
        let Some(root) = adopted.last() else {
            return Err("no term".to_string());
        };
        if usable {
            self.by_sort[root.sort as usize].push(index(self.terms.len()));
            self.terms.push(BankTerm {
                first: index(self.nodes.len()),
                count: index(adopted.len()),
                holes: index(holes),
            });
            self.nodes.extend(adopted);
            self.names.extend(names);
        }
        Ok(())
    }
}

struct Line<'a> {
    script: &'a Script,
    typed: &'a Typed,
    definition: &'a Definition,
    operators: &'a Operators,
    repertoire: &'a Repertoire,
    usable: bool,
    nodes: Vec<(Part, Sort)>,
    names: Vec<String>,
}

impl Line<'_> {
    /// Lists the nodes, arguments first: that is the order of the arena.
    fn flatten(&mut self) -> Result<(), String> {
        if self.script.term_count() > MAX_NODES {
            return Err(format!("a term of more than {MAX_NODES} nodes"));
        }
        // The arena of a line that was just read holds its one term only.
        for term in self.script.terms() {
            let part = self.part(term)?;
            let sort = self.typed.sort(term).ok_or("a term without a sort")?;
            self.nodes.push((part, sort));
        }
        Ok(())
    }

    fn part(&mut self, term: TermId) -> Result<Part, String> {
        let (head, arguments) = match self.script.term(term) {
            Term::Application { head, arguments } => (head, arguments),
            Term::Literal(..) => return Ok(leaf(crate::print::term(self.script, term))),
            _ => return Err("only operators, literals and holes may stand here".to_string()),
        };
        match self.typed.resolved(term) {
            Resolved::Local => {
                let symbol = self.script.identifier(head).symbol;
                let mut parameters = self.definition.parameters.iter();
                let at = parameters.position(|parameter| parameter.symbol == symbol);
                let at = at.ok_or("a variable that is no hole")?;
                Ok(Part::Hole(index(at)))
            }
            Resolved::Literal => Ok(leaf(crate::print::term(self.script, term))),
            Resolved::Operator(id) => {
                let sorts = &self.typed.sorts;
                let literals_hold = arguments.iter().all(|&argument| {
                    let sort = self.typed.sort(argument).unwrap_or(Sort::UNKNOWN);
                    let literal = matches!(self.script.term(argument), Term::Literal(..));
                    self.repertoire.takes(id, sort, literal, sorts)
                });
                self.usable &= self.repertoire.has(id) && literals_hold;
                self.names.push(self.operators.get(id).name.clone());
                Ok(Part::Applied {
                    head: crate::print::identifier(self.script, head).into(),
                    operator: Some(id),
                    arguments: index(arguments.len()),
                })
            }
            _ => Err(format!(
                "`{}` is no operator",
                crate::print::identifier(self.script, head)
            )),
        }
    }
}

fn leaf(text: String) -> Part {
    Part::Applied {
        head: text.into(),
        operator: None,
        arguments: 0,
    }
}
