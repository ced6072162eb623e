//! From the finished tree to the program's text.

use super::attributes::{Demand, demand, resolve};
use super::tree::{LITERAL, NONE, NodeId};
use super::{Engine, Stop};
use crate::spec::compiled::Segment;
use crate::spec::run::Value;

/// One level of indentation.
const INDENT: &str = "  ";
/// Deeper levels are not indented any further.
const MAX_INDENT: usize = 100;

struct Writer {
    text: Vec<u8>,
    indent: usize,
    /// The next character begins a line.
    fresh: bool,
}

impl Writer {
    fn push(&mut self, text: &str) {
        // Most texts have no line break, and do not begin a line.
        if !self.fresh && !text.as_bytes().contains(&b'\n') {
            self.text.extend_from_slice(text.as_bytes());
            return;
        }
        for line in text.split_inclusive('\n') {
            if self.fresh && line != "\n" {
                for _ in 0..self.indent.min(MAX_INDENT) {
                    self.text.extend_from_slice(INDENT.as_bytes());
                }
            }
            self.text.extend_from_slice(line.as_bytes());
            self.fresh = line.ends_with('\n');
        }
    }
}

impl Engine<'_> {
    /// The tree's text: the first one, or one of the further ones.
    pub(super) fn serialize(
        &mut self,
        root: NodeId,
        further: Option<u32>,
    ) -> Result<Vec<u8>, Stop> {
        let mut writer = Writer {
            text: Vec::new(),
            indent: 0,
            fresh: true,
        };
        let compiled = self.tree.compiled;
        // Nodes, and which segment comes next.
        let mut todo: Vec<(NodeId, usize)> = vec![(root, 0)];
        while let Some((node, at)) = todo.pop() {
            if writer.text.len() > self.limits.bytes {
                return Err(Stop::Limit("too large a program"));
            }
            let number = self.tree.node(node).production;
            if number == LITERAL {
                if let Value::Text(text) = self.tree.value(node, 0) {
                    writer.push(self.evaluator.machine.texts.get(*text));
                }
                continue;
            }
            let template = compiled.productions[number as usize].template_of(further);
            let segments = template.iter().enumerate().skip(at);
            for (at, segment) in segments {
                match segment {
                    Segment::Text(text) => writer.push(text),
                    Segment::Indent => writer.indent += 1,
                    Segment::Unindent => writer.indent = writer.indent.saturating_sub(1),
                    Segment::Open(child) if self.wants_parentheses(node, *child) => {
                        writer.push("(");
                    }
                    Segment::Close(child) if self.wants_parentheses(node, *child) => {
                        writer.push(")");
                    }
                    Segment::Open(_) | Segment::Close(_) => {}
                    Segment::Print { entry, sources } => {
                        for &source in sources {
                            self.ensure(resolve(&self.tree, node, source))?;
                        }
                        let text = self.evaluator.compute(&self.tree, node, *entry, sources)?;
                        if let Value::Text(text) = text {
                            writer.push(self.evaluator.machine.texts.get(text));
                        }
                    }
                    Segment::Child(index) => {
                        todo.push((node, at + 1));
                        todo.push((self.tree.child(node, *index), 0));
                        break;
                    }
                }
            }
        }
        Ok(writer.text)
    }

    /// What the program prints, if the spec says so.
    pub(super) fn output(&mut self, root: NodeId) -> Result<Option<Vec<u8>>, Stop> {
        let Some(slot) = self.tree.compiled.output else {
            return Ok(None);
        };
        self.ensure((root, slot))?;
        let Value::Text(text) = self.tree.value(root, slot) else {
            return Ok(None);
        };
        let text = self.evaluator.machine.texts.get(*text).as_bytes();
        match text.len() > self.limits.bytes {
            true => Err(Stop::Limit("too large an output")),
            false => Ok(Some(text.to_vec())),
        }
    }

    fn ensure(&mut self, goal: (NodeId, u32)) -> Result<(), Stop> {
        let (tree, evaluator) = (&mut self.tree, &mut self.evaluator);
        match demand(tree, evaluator, &mut self.goals, NONE, goal)? {
            Demand::Ready => Ok(()),
            Demand::Blocked(_) => Err(Stop::Limit("an attribute that cannot be computed")),
        }
    }

    /// True unless the child binds tighter, or is no operator at all.
    fn wants_parentheses(&self, node: NodeId, index: u16) -> bool {
        let precedence = |node: NodeId| match self.tree.node(node).production {
            LITERAL | NONE => None,
            number => self.tuning.precedence[number as usize],
        };
        match (precedence(node), precedence(self.tree.child(node, index))) {
            (Some(own), Some(inner)) => inner <= own,
            _ => false,
        }
    }
}
