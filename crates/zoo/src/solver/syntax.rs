//! S-expressions in one flat list of nodes, read without recursion.

/// An index into [`Tree::nodes`].
pub(super) type NodeId = usize;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Node {
    Atom(String),
    List(Vec<NodeId>),
}

/// All expressions of a script.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The expressions at the top, each with the line that it begins on.
    pub(super) top: Vec<(NodeId, usize)>,
}

impl Tree {
    /// Reads the whole text; the error names a line.
    pub(super) fn read(text: &str) -> Result<Tree, String> {
        let mut tree = Tree::default();
        let mut open: Vec<(Vec<NodeId>, usize)> = Vec::new();
        let mut rest = text;
        let mut line = 1;
        while let Some(first) = rest.chars().next() {
            let len = token_len(rest, first).ok_or(format!("line {line}: unterminated token"))?;
            let (token, after) = rest.split_at(len);
            let node = match first {
                ';' => None,
                '(' => {
                    open.push((Vec::new(), line));
                    None
                }
                ')' => {
                    let (list, began) = open.pop().ok_or(format!("line {line}: extra `)`"))?;
                    Some((Node::List(list), began))
                }
                _ if first.is_whitespace() => None,
                _ => Some((Node::Atom(token.to_string()), line)),
            };
            if let Some((node, began)) = node {
                let id = tree.nodes.len();
                tree.nodes.push(node);
                match open.last_mut() {
                    Some((list, _)) => list.push(id),
                    None => tree.top.push((id, began)),
                }
            }
            line += token.matches('\n').count();
            rest = after;
        }
        match open.last() {
            Some((_, began)) => Err(format!("line {began}: `(` is never closed")),
            None => Ok(tree),
        }
    }

    pub(super) fn atom(&self, id: NodeId) -> Option<&str> {
        match &self.nodes[id] {
            Node::Atom(text) => Some(text),
            Node::List(_) => None,
        }
    }

    pub(super) fn list(&self, id: NodeId) -> Option<&[NodeId]> {
        match &self.nodes[id] {
            Node::Atom(_) => None,
            Node::List(list) => Some(list),
        }
    }
}

/// The length of the first token; `None` if it has no end.
fn token_len(rest: &str, first: char) -> Option<usize> {
    let until = |end: char| Some(rest[1..].find(end)? + 2);
    match first {
        '(' | ')' => Some(1),
        ';' => Some(rest.find('\n').unwrap_or(rest.len())),
        '"' => until('"'),
        '|' => until('|'),
        _ if first.is_whitespace() => Some(first.len_utf8()),
        _ => {
            let ends = |c: char| c.is_whitespace() || "();\"|".contains(c);
            Some(rest.find(ends).unwrap_or(rest.len()))
        }
    }
}
