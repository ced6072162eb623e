//! Which names are the script's own.

use super::command::{Command, CommandKind, Definition};
use super::script::{AttributeValue, Index, Node, Script, SexprNode};
use super::symbols::{Symbol, Symbols};

/// The functions and sorts that a command declares or defines; none if it is
/// not a command of that kind.
pub fn declared_symbols(command: &Command) -> Option<Vec<Symbol>> {
    symbols_of(&command.kind)
}

fn symbols_of(kind: &CommandKind) -> Option<Vec<Symbol>> {
    match kind {
        CommandKind::Parametric(_, inner) => symbols_of(inner),
        CommandKind::DeclareSort(symbol, _)
        | CommandKind::DeclareSortParameter(symbol)
        | CommandKind::DefineSort(symbol, ..)
        | CommandKind::DeclareFun(symbol, ..)
        | CommandKind::DeclareConst(symbol, _)
        | CommandKind::DeclareVar(symbol, _) => Some(vec![*symbol]),
        CommandKind::DefineFun(definition)
        | CommandKind::DefineConst(definition)
        | CommandKind::DefineFunRec(definition) => Some(vec![definition.symbol]),
        CommandKind::DefineFunsRec(definitions) => {
            Some(definitions.iter().map(|d| d.symbol).collect())
        }
        CommandKind::ParametricFunsRec(definitions) => {
            Some(definitions.iter().map(|(_, d)| d.symbol).collect())
        }
        CommandKind::DeclareDatatypes(_, _, datatypes) => {
            let mut symbols = Vec::new();
            for datatype in datatypes {
                symbols.push(datatype.symbol);
                for constructor in &datatype.constructors {
                    symbols.push(constructor.symbol);
                    symbols.extend(constructor.selectors.iter().map(|s| s.symbol));
                }
            }
            Some(symbols)
        }
        _ => None,
    }
}

impl Script {
    /// For every symbol, whether the script gives it its meaning: it declares,
    /// defines or binds it somewhere. A text that is also that of a literal
    /// (they share the table) counts as the literal's: it must not be renamed.
    pub fn own_symbols(&self) -> Vec<bool> {
        let mut own = self.introduced_symbols();
        self.unmark_literals(&mut own);
        own
    }

    /// For every symbol, whether the script declares, defines or binds a name
    /// of that text. A literal may have the same text.
    pub(crate) fn introduced_symbols(&self) -> Vec<bool> {
        let mut own = vec![false; self.symbols.len()];
        let mut mark = |symbol: Symbol| own[symbol.index()] = true;
        for command in &self.commands {
            declared_symbols(command)
                .unwrap_or_default()
                .into_iter()
                .for_each(&mut mark);
            parameters(&command.kind).into_iter().for_each(&mut mark);
        }
        self.variables.iter().for_each(|v| mark(v.symbol));
        self.bindings.iter().for_each(|b| mark(b.symbol));
        self.pattern_variables.iter().copied().for_each(&mut mark);
        for case in &self.cases {
            mark(self.identifier(case.head).symbol);
        }
        for attribute in &self.attributes {
            if let AttributeValue::Name(name) = attribute.value {
                mark(name);
            }
        }
        if let Some(wildcard) = self.symbols.find("_") {
            own[wildcard.index()] = false;
        }
        own
    }

    fn unmark_literals(&self, own: &mut [bool]) {
        for node in &self.nodes {
            if let Node::Literal(_, text) = node {
                own[text.index()] = false;
            }
        }
        for index in self
            .identifiers
            .iter()
            .flat_map(|identifier| &identifier.indices)
        {
            if let Index::Numeral(text) | Index::Hexadecimal(text) = index {
                own[text.index()] = false;
            }
        }
        for node in &self.sexprs {
            if let SexprNode::Literal(_, text) = node {
                own[text.index()] = false;
            }
        }
    }

    /// The same script with other texts for its symbols, one per symbol.
    /// Returns the old ones.
    pub(crate) fn replace_symbols(&mut self, texts: &[String]) -> Symbols {
        let mut symbols = Symbols::default();
        for text in texts {
            symbols.append(text);
        }
        std::mem::replace(&mut self.symbols, symbols)
    }
}

fn parameters(kind: &CommandKind) -> Vec<Symbol> {
    let of = |definition: &Definition| -> Vec<Symbol> {
        definition.parameters.iter().map(|p| p.symbol).collect()
    };
    match kind {
        CommandKind::Parametric(sorts, inner) => [sorts.clone(), parameters(inner)].concat(),
        CommandKind::DefineSort(_, parameters, _) => parameters.clone(),
        CommandKind::DefineFun(definition)
        | CommandKind::DefineConst(definition)
        | CommandKind::DefineFunRec(definition) => of(definition),
        CommandKind::DefineFunsRec(definitions) => definitions.iter().flat_map(of).collect(),
        CommandKind::ParametricFunsRec(definitions) => definitions
            .iter()
            .flat_map(|(sorts, definition)| [sorts.clone(), of(definition)].concat())
            .collect(),
        CommandKind::DeclareDatatypes(_, _, datatypes) => datatypes
            .iter()
            .flat_map(|datatype| datatype.parameters.clone())
            .collect(),
        _ => Vec::new(),
    }
}
