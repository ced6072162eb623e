//! A text as a tree of nodes, kept flat.

use std::collections::HashMap;
use std::num::NonZeroU16;
use std::ops::{ControlFlow, Range};

use tree_sitter::{Language, ParseOptions, ParseState, Parser, Tree};

use crate::Grammar;

/// A larger text is refused.
pub const MAX_BYTES: usize = 8 << 20;

/// How often the parser may report progress before it is stopped: a constant
/// and one per so many bytes. What people write needs an eighth of that.
const MAX_PROGRESS: (usize, usize) = (1_000, 4);

/// Brackets that are nested deeper are not what people write, and take the
/// parser time that grows with the square of the depth.
const MAX_NESTING: usize = 10_000;

/// Why a text is not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// It is larger than [`MAX_BYTES`].
    #[error("{0} bytes are more than the {MAX_BYTES} that are read")]
    TooLarge(usize),
    /// Its brackets are nested too deeply.
    #[error("brackets are nested deeper than {MAX_NESTING}")]
    TooDeep,
    /// It has too many meanings, or too many errors to recover from.
    #[error("too ambiguous to be read as {0}")]
    TooHard(&'static str),
}

/// The number of a node: parents come before their children, in the order of
/// the text.
pub type NodeId = usize;

/// A piece of the text and what it is.
#[derive(Clone, Debug)]
pub struct Node {
    kind: u16,
    /// False for tokens that the grammar gives no name.
    pub named: bool,
    field: Option<NonZeroU16>,
    /// The range of the text that it spans.
    pub range: Range<usize>,
    /// The node around it.
    pub parent: Option<NodeId>,
    /// One past its last descendant.
    pub end: NodeId,
    /// True if the text here is not what the grammar says.
    pub is_error: bool,
    /// True if the grammar wants something here that is not in the text.
    pub is_missing: bool,
}

/// A text as a tree of nodes, in one list.
pub struct SyntaxTree {
    nodes: Vec<Node>,
    pub(crate) tree: Tree,
    language: Language,
    /// From tree-sitter's number of a node to ours; looked up, never listed.
    numbers: HashMap<usize, NodeId>,
}

impl SyntaxTree {
    /// Reads `text`; what is not in the language becomes nodes of errors.
    pub fn parse(grammar: &Grammar, text: &[u8]) -> Result<SyntaxTree, ParseError> {
        if text.len() > MAX_BYTES {
            return Err(ParseError::TooLarge(text.len()));
        }
        if nesting(text) > MAX_NESTING {
            return Err(ParseError::TooDeep);
        }
        let mut parser = Parser::new();
        parser
            .set_language(&grammar.language())
            .expect("grammars of this version of tree-sitter");
        let mut left = MAX_PROGRESS.0 + text.len() / MAX_PROGRESS.1;
        let mut progress = |_: &ParseState| match left {
            0 => ControlFlow::Break(()),
            _ => {
                left -= 1;
                ControlFlow::Continue(())
            }
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let mut read = |at: usize, _| &text[at.min(text.len())..];
        let tree = parser
            .parse_with_options(&mut read, None, Some(options))
            .ok_or(ParseError::TooHard(grammar.name))?;
        Ok(SyntaxTree::flatten(tree, grammar.language()))
    }

    fn flatten(tree: Tree, language: Language) -> SyntaxTree {
        let mut nodes: Vec<Node> = Vec::new();
        let mut numbers = HashMap::new();
        let mut open: Vec<NodeId> = Vec::new();
        let mut cursor = tree.walk();
        'walk: loop {
            let node = cursor.node();
            let number = nodes.len();
            numbers.insert(node.id(), number);
            nodes.push(Node {
                kind: node.kind_id(),
                named: node.is_named(),
                field: cursor.field_id(),
                range: node.byte_range(),
                parent: open.last().copied(),
                end: number + 1,
                is_error: node.is_error(),
                is_missing: node.is_missing(),
            });
            if cursor.goto_first_child() {
                open.push(number);
                continue;
            }
            while !cursor.goto_next_sibling() {
                let Some(done) = open.pop() else {
                    break 'walk;
                };
                nodes[done].end = nodes.len();
                cursor.goto_parent();
            }
        }
        drop(cursor);
        SyntaxTree {
            nodes,
            tree,
            language,
            numbers,
        }
    }

    /// All nodes, in the order of the text.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node of that number.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    /// The kind of a node in the grammar, or the token itself.
    pub fn kind(&self, id: NodeId) -> &str {
        self.language
            .node_kind_for_id(self.nodes[id].kind)
            .unwrap_or("ERROR")
    }

    /// What a node is to its parent.
    pub fn field(&self, id: NodeId) -> Option<&str> {
        self.nodes[id]
            .field
            .and_then(|field| self.language.field_name_for_id(field.get()))
    }

    /// The nodes directly below a node.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let end = self.nodes[id].end;
        let mut next = id + 1;
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = self.nodes[child].end;
                child
            })
        })
    }

    /// The nodes around a node, innermost first.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.nodes[id].parent, |&node| self.nodes[node].parent)
    }

    /// The first place where the text is not what the grammar says.
    pub fn first_error(&self) -> Option<&Node> {
        self.nodes
            .iter()
            .find(|node| node.is_error || node.is_missing)
    }

    /// How many bytes are in tokens that belong to nothing but an error.
    pub fn error_bytes(&self) -> usize {
        let lost = |(number, node): (usize, &Node)| {
            let leaf = node.end == number + 1;
            let loose = node
                .parent
                .is_some_and(|parent| self.nodes[parent].is_error);
            match leaf && (node.is_error || loose) {
                true => node.range.len(),
                false => 0,
            }
        };
        self.nodes.iter().enumerate().map(lost).sum()
    }

    pub(crate) fn number(&self, node: tree_sitter::Node<'_>) -> NodeId {
        self.numbers[&node.id()]
    }
}

/// How deep brackets are nested, those in strings included.
fn nesting(text: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    for byte in text {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}
