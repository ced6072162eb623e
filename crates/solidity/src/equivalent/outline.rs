//! The statements of a contract, and what is live where they begin.

use std::collections::{BTreeMap, BTreeSet};

use lydite_syntax::{Grammar, NodeId, ParseError, SyntaxTree};

use super::parts::{Part, Structs};
use crate::types::{Elementary, Family};

/// No more points of a text are looked at.
const POINTS: usize = 4000;

/// So many parts of variables are looked at, the latest first.
const PARTS: usize = 6;

/// So many variables of a point are looked at, the latest first.
const VARIABLES: usize = 12;

/// What can be said of a text without compiling it.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// Places before statements, in the order of the text.
    pub points: Vec<Point>,
    /// Contracts, interfaces and libraries.
    pub contracts: Vec<Contract>,
    /// Loops whose body is a block.
    pub loops: Vec<Loop>,
    /// Where variables are read in statements.
    pub uses: Vec<Use>,
}

/// A place before a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// Where the statement begins.
    pub offset: usize,
    /// Where it ends.
    pub end: usize,
    /// Where the function around it begins: a number for it.
    pub function: usize,
    /// Where the function ends.
    pub function_end: usize,
    /// Live variables of elementary value types and parts of variables, the
    /// innermost last.
    pub variables: Vec<Variable>,
    /// The statement may as well stand in a block of its own.
    pub guardable: bool,
    /// It is in no contract.
    pub is_free: bool,
}

/// A variable that is read in the middle of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// Where its name begins.
    pub offset: usize,
    /// Where its name ends.
    pub end: usize,
    /// The number of the point before the statement.
    pub point: usize,
    /// The number of the variable among those of the point.
    pub variable: usize,
}

/// Where the value of a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// On the machine's stack, where assembly knows it by its name.
    Stack,
    /// In storage.
    Storage,
    /// In memory, behind a variable on the stack.
    Memory,
}

/// A variable that is live at a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name, or of a part of a variable the way to it, without spaces.
    pub name: String,
    /// Its type.
    pub kind: Elementary,
    /// Where it is.
    pub held: Held,
    /// It may be assigned to here.
    pub writable: bool,
}

/// A contract, an interface or a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub offset: usize,
    /// The names of what it inherits from.
    bases: Vec<String>,
    variables: Vec<StateVariable>,
}

/// A loop whose body is a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Where it begins.
    pub offset: usize,
    /// Behind the brace that opens its body.
    pub body: usize,
    /// Where it ends.
    pub end: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct StateVariable {
    name: String,
    /// Nothing if it is not of an elementary value type, or not in storage.
    kind: Option<Elementary>,
    /// Its parts that are of such a type.
    parts: Vec<Part>,
    private: bool,
}

/// Why a text has no outline.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutlineError {
    /// It cannot be read at all.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// A part of it is not what we take for Solidity.
    #[error("line {0} is not Solidity")]
    Syntax(usize),
}

/// A variable in some scope.
struct Scoped {
    name: String,
    kind: Option<Elementary>,
    parts: Vec<Part>,
    held: Held,
    writable: bool,
    /// One past the last node that sees it.
    until: NodeId,
}

/// What is known of a function.
struct Function {
    node: NodeId,
    is_constructor: bool,
}

/// Reads a text.
pub(super) fn parse(text: &[u8]) -> Result<SyntaxTree, OutlineError> {
    let grammar = Grammar::of("solidity").expect("a grammar that is built in");
    let tree = SyntaxTree::parse(&grammar, text)?;
    match tree.first_error() {
        None => Ok(tree),
        Some(error) => {
            let before = &text[..error.range.start.min(text.len())];
            let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
            Err(OutlineError::Syntax(line))
        }
    }
}

impl Outline {
    /// The outline of a text.
    pub fn of(text: &[u8]) -> Result<Outline, OutlineError> {
        let tree = parse(text)?;
        let mut reader = Reader {
            tree: &tree,
            text,
            contracts: Vec::new(),
            structs: Structs::default(),
        };
        reader.structs = reader.read_structs();
        Ok(reader.read())
    }
}

pub(super) struct Reader<'a> {
    pub(super) tree: &'a SyntaxTree,
    text: &'a [u8],
    contracts: Vec<Contract>,
    pub(super) structs: Structs,
}

/// The statement that is being read.
struct Around {
    /// The number of its point.
    point: usize,
    /// How many variables were in scope where it began.
    scope: usize,
    /// One past its last node.
    end: NodeId,
}

impl Reader<'_> {
    pub(super) fn words(&self, id: NodeId) -> String {
        let text = String::from_utf8_lossy(&self.text[self.tree.node(id).range.clone()]);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    pub(super) fn child_of(&self, id: NodeId, field: &str) -> Option<NodeId> {
        let mut children = self.tree.children(id);
        children.find(|child| self.tree.field(*child) == Some(field))
    }

    pub(super) fn kinds<'b>(
        &'b self,
        id: NodeId,
        kind: &'b str,
    ) -> impl Iterator<Item = NodeId> + 'b {
        let children = self.tree.children(id);
        children.filter(move |child| self.tree.kind(*child) == kind)
    }

    fn read(mut self) -> Outline {
        let tree = self.tree;
        let is_contract = |id: &NodeId| CONTRACTS.contains(&tree.kind(*id));
        let nodes: Vec<NodeId> = (0..tree.nodes().len()).filter(is_contract).collect();
        let contracts: Vec<Contract> = nodes.iter().map(|id| self.contract(*id)).collect();
        self.contracts = contracts;
        let mut outline = Outline::default();
        let mut scope: Vec<Scoped> = Vec::new();
        let mut function: Option<Function> = None;
        let mut around: Vec<Around> = Vec::new();
        for id in 0..tree.nodes().len() {
            if function
                .as_ref()
                .is_some_and(|one| tree.node(one.node).end <= id)
            {
                function = None;
                scope.clear();
            }
            let kind = tree.kind(id);
            if let Some(begun) = self.begun(id) {
                scope = self.state_of(id);
                function = Some(begun);
            }
            let Some(function) = &function else {
                continue;
            };
            match kind {
                "parameter" | "variable_declaration" => scope.extend(self.declared(id, function)),
                "for_statement" | "while_statement" | "do_while_statement" => {
                    outline.loops.extend(self.loop_of(id));
                }
                "statement" if outline.points.len() < POINTS => {
                    scope.retain(|variable| variable.until > id);
                    if let Some(point) = self.point(id, function, &scope) {
                        around.push(Around {
                            point: outline.points.len(),
                            scope: scope.len(),
                            end: tree.node(id).end,
                        });
                        outline.points.push(point);
                    }
                }
                "identifier" => {
                    while around.last().is_some_and(|one| one.end <= id) {
                        around.pop();
                    }
                    // What was declared meanwhile may hide what the point knows.
                    let plain = around.last().filter(|one| one.scope == scope.len());
                    let found = plain.and_then(|one| self.use_of(id, one, &outline.points));
                    outline.uses.extend(found);
                }
                _ => {}
            }
        }
        outline.contracts = self.contracts;
        outline
    }

    /// The function that a node begins.
    fn begun(&self, id: NodeId) -> Option<Function> {
        let kind = self.tree.kind(id);
        let is_function = FUNCTIONS.contains(&kind) && self.child_of(id, "body").is_some();
        is_function.then(|| Function {
            node: id,
            is_constructor: kind == "constructor_definition" || self.is_old_constructor(id),
        })
    }

    fn contract(&self, id: NodeId) -> Contract {
        let name = self.child_of(id, "name").map(|name| self.words(name));
        let bases = self.kinds(id, "inheritance_specifier");
        let bases = bases.filter_map(|base| self.child_of(base, "ancestor"));
        let body = self.child_of(id, "body");
        let variables = body.into_iter().flat_map(|body| {
            let found = self.kinds(body, "state_variable_declaration");
            found.collect::<Vec<_>>()
        });
        Contract {
            name: name.unwrap_or_default(),
            offset: self.tree.node(id).range.start,
            bases: bases.map(|base| self.words(base)).collect(),
            variables: variables.filter_map(|id| self.state_variable(id)).collect(),
        }
    }

    fn state_variable(&self, id: NodeId) -> Option<StateVariable> {
        let name = self.words(self.child_of(id, "name")?);
        let children: Vec<String> = self.tree.children(id).map(|id| self.words(id)).collect();
        let has = |word: &str| children.iter().any(|child| child == word);
        let stored = !has("constant") && !has("immutable") && !has("transient");
        let of = self.child_of(id, "type")?;
        let parts = if stored { self.parts(of) } else { Vec::new() };
        Some(StateVariable {
            name,
            kind: self.elementary(of).filter(|_| stored),
            parts,
            private: has("private"),
        })
    }

    /// Before `constructor` was a word, a constructor had the contract's name.
    fn is_old_constructor(&self, id: NodeId) -> bool {
        let name = self.child_of(id, "name").map(|name| self.words(name));
        let own = self.contract_around(id).map(|contract| &contract.name);
        name.is_some() && name.as_ref() == own
    }

    fn contract_around(&self, id: NodeId) -> Option<&Contract> {
        let mut around = self.tree.ancestors(id);
        let contract = around.find(|id| CONTRACTS.contains(&self.tree.kind(*id)))?;
        let offset = self.tree.node(contract).range.start;
        self.contracts.iter().find(|one| one.offset == offset)
    }

    /// The state variables that a function may read.
    fn state_of(&self, function: NodeId) -> Vec<Scoped> {
        let mutabilities: Vec<String> = self
            .kinds(function, "state_mutability")
            .map(|id| self.words(id))
            .collect();
        let is = |words: &[&str]| mutabilities.iter().any(|one| words.contains(&one.as_str()));
        // A modifier may be used where nothing may be read.
        if is(&["pure"]) || self.tree.kind(function) == "modifier_definition" {
            return Vec::new();
        }
        let writable = !is(&["view", "constant"]);
        let Some(own) = self.contract_around(function) else {
            return Vec::new();
        };
        let mut seen = BTreeSet::new();
        let mut names = BTreeSet::new();
        let mut queue = vec![own];
        let mut state = Vec::new();
        while let Some(contract) = queue.pop() {
            if !seen.insert(&contract.name) {
                continue;
            }
            for variable in &contract.variables {
                let visible = !variable.private || contract.name == own.name;
                if visible && names.insert(&variable.name) {
                    state.push(Scoped {
                        name: variable.name.clone(),
                        kind: variable.kind,
                        parts: variable.parts.clone(),
                        held: Held::Storage,
                        writable,
                        until: NodeId::MAX,
                    });
                }
            }
            let bases = contract.bases.iter();
            queue.extend(bases.filter_map(|base| self.contracts.iter().find(|c| c.name == *base)));
        }
        state.reverse();
        state
    }

    /// A parameter or a local variable.
    fn declared(&self, id: NodeId, function: &Function) -> Option<Scoped> {
        let name = self.words(self.child_of(id, "name")?);
        let of = self.child_of(id, "type")?;
        // Parts of storage and of calldata may be parts of something else, too.
        let location = self.child_of(id, "location").map(|id| self.words(id));
        let parts = match location.as_deref() {
            Some("memory") => self.parts(of),
            _ => Vec::new(),
        };
        let node = |id: NodeId| self.tree.node(id);
        let parent = node(id).parent?;
        let until = match self.tree.kind(parent) {
            // The names of a function type are nobody's.
            "type_name" => return None,
            "try_statement" => node(self.child_of(parent, "body")?).end,
            "catch_clause" => node(parent).end,
            _ if self.tree.kind(id) == "parameter" => node(function.node).end,
            _ => {
                let mut around = self.tree.ancestors(id);
                let scope = around.find(|id| SCOPES.contains(&self.tree.kind(*id)))?;
                node(scope).end
            }
        };
        Some(Scoped {
            name,
            kind: self.elementary(of),
            parts,
            held: Held::Stack,
            writable: true,
            until,
        })
    }

    fn elementary(&self, id: NodeId) -> Option<Elementary> {
        elementary(&self.words(id))
    }

    fn loop_of(&self, id: NodeId) -> Option<Loop> {
        let body = self.child_of(id, "body")?;
        let block = self.kinds(body, "block_statement").next()?;
        let (node, block) = (self.tree.node(id), &self.tree.node(block).range);
        (self.text.get(block.start) == Some(&b'{')).then(|| Loop {
            offset: node.range.start,
            body: block.start + 1,
            end: node.range.end,
        })
    }

    fn point(&self, id: NodeId, function: &Function, scope: &[Scoped]) -> Option<Point> {
        let node = self.tree.node(id);
        let around = self.tree.kind(node.parent?);
        if !["function_body", "block_statement"].contains(&around) {
            return None;
        }
        let variables = live(scope);
        let function_range = &self.tree.node(function.node).range;
        Some(Point {
            offset: node.range.start,
            end: node.range.end,
            function: function_range.start,
            function_end: function_range.end,
            variables,
            guardable: !function.is_constructor && self.is_guardable(id),
            is_free: self.contract_around(function.node).is_none(),
        })
    }

    /// The variable that an identifier in a statement reads, and nothing more.
    fn use_of(&self, id: NodeId, around: &Around, points: &[Point]) -> Option<Use> {
        let tree = self.tree;
        let expression = tree.node(id).parent?;
        let operand = tree.node(expression).parent?;
        let is_read = tree.kind(expression) == "expression"
            && match tree.kind(operand) {
                "unary_expression" => !self.words(operand).starts_with("delete"),
                "assignment_expression" | "augmented_assignment_expression" => {
                    tree.field(expression) == Some("right")
                }
                "array_access" => tree.field(expression) == Some("index"),
                kind => READERS.contains(&kind),
            };
        if !is_read {
            return None;
        }
        let name = self.words(id);
        let point = &points[around.point];
        let variable = point.variables.iter().position(|one| one.name == name)?;
        let range = &tree.node(id).range;
        Some(Use {
            offset: range.start,
            end: range.end,
            point: around.point,
            variable,
        })
    }

    fn is_guardable(&self, statement: NodeId) -> bool {
        let inner = self.tree.children(statement).next();
        let kind = inner.map_or("", |inner| self.tree.kind(inner));
        GUARDABLE.contains(&kind) && self.words(statement) != "_;"
    }
}

/// What is live of all that is in scope: parts first, then variables.
fn live(scope: &[Scoped]) -> Vec<Variable> {
    let mut seen: BTreeMap<&str, (usize, &Scoped)> = BTreeMap::new();
    for (at, variable) in scope.iter().enumerate() {
        seen.insert(&variable.name, (at, variable));
    }
    let mut seen: Vec<(usize, &Scoped)> = seen.into_values().collect();
    seen.sort_by_key(|(at, _)| *at);
    let seen = || seen.iter().map(|(_, variable)| *variable);
    // Two variables may have their parts in one place of memory.
    let last = seen().rfind(|one| one.held == Held::Stack && !one.parts.is_empty());
    let mut variables = Vec::new();
    for variable in seen() {
        let is_last = last.is_some_and(|last| std::ptr::eq(last, variable));
        let held = match variable.held {
            Held::Stack if is_last => Held::Memory,
            Held::Stack => continue,
            held => held,
        };
        variables.extend(variable.parts.iter().map(|part| Variable {
            name: format!("{}{}", variable.name, part.suffix),
            kind: part.kind,
            held,
            writable: part.writable && variable.writable && part.kind != Elementary::PAYABLE,
        }));
    }
    variables.drain(..variables.len().saturating_sub(PARTS));
    variables.extend(seen().filter_map(|variable| {
        let plain = !YUL_WORDS.contains(&variable.name.as_str());
        Some(Variable {
            name: variable.name.clone(),
            kind: variable.kind.filter(|_| plain)?,
            held: variable.held,
            writable: variable.writable && variable.kind != Some(Elementary::PAYABLE),
        })
    }));
    variables.drain(..variables.len().saturating_sub(VARIABLES));
    variables
}

/// The elementary value type of that name.
pub(super) fn elementary(name: &str) -> Option<Elementary> {
    let name = match name {
        "uint" => "uint256",
        "int" => "int256",
        "byte" => "bytes1",
        name => name,
    };
    let is_value = |kind: &Elementary| !matches!(kind.family(), Family::String | Family::Bytes);
    Elementary::all()
        .filter(is_value)
        .find(|kind| kind.name() == name)
}

const CONTRACTS: [&str; 3] = [
    "contract_declaration", "interface_declaration", "library_declaration",
];

const FUNCTIONS: [&str; 4] = [
    "function_definition", "constructor_definition", "modifier_definition",
    "fallback_receive_definition",
];

const SCOPES: [&str; 3] = ["for_statement", "block_statement", "function_body"];

/// Statements that may stand in a block of their own.
const GUARDABLE: [&str; 9] = [
    "expression_statement", "emit_statement", "if_statement", "for_statement", "while_statement",
    "do_while_statement", "block_statement", "assembly_statement", "revert_statement",
];

/// What reads the expressions in it.
const READERS: [&str; 9] = [
    "binary_expression",
    "ternary_expression",
    "call_argument",
    "return_statement",
    "variable_declaration_statement",
    "if_statement",
    "while_statement",
    "do_while_statement",
    "parenthesized_expression",
];

/// Names that mean something else in inline assembly.
const YUL_WORDS: [&str; 86] = [
    "add", "addmod", "address", "and", "balance", "basefee", "blobbasefee", "blobhash",
    "blockhash", "byte", "call", "callcode", "calldatacopy", "calldataload", "calldatasize",
    "caller", "callvalue", "chainid", "clz", "codecopy", "codesize", "coinbase", "create",
    "create2", "delegatecall", "difficulty", "div", "eq", "exp", "extcodecopy", "extcodehash",
    "extcodesize", "gas", "gaslimit", "gasprice", "gt", "invalid", "iszero", "jump", "jumpi",
    "keccak256", "log0", "log1", "log2", "log3", "log4", "lt", "mcopy", "mload", "mod", "msize",
    "mstore", "mstore8", "mul", "mulmod", "not", "number", "or", "origin", "pc", "pop",
    "prevrandao", "return", "returndatacopy", "returndatasize", "revert", "sar", "sdiv",
    "selfbalance", "selfdestruct", "sgt", "sha3", "shl", "shr", "signextend", "sload", "slt",
    "smod", "sstore", "staticcall", "stop", "sub", "suicide", "timestamp", "tload", "xor",
];
