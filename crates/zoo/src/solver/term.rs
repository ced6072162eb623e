//! From expressions to gates: a flat list in which every gate comes after
//! its arguments. Built without recursion.

use std::collections::BTreeMap;

use super::syntax::{NodeId, Tree};

/// An index into a list of gates.
pub(super) type GateId = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    True,
    False,
    /// The n-th declared constant.
    Constant(usize),
    Not,
    And,
    Or,
    Xor,
    Implies,
    Equal,
    Distinct,
    Ite,
}

impl Op {
    /// The operator of this name.
    pub(super) fn named(name: &str) -> Option<Op> {
        let found = OPERATORS.iter().find(|(other, ..)| *other == name);
        found.map(|(_, op, ..)| *op)
    }
}

/// Name, operator, fewest and most arguments.
const OPERATORS: &[(&str, Op, usize, usize)] = &[
    ("not", Op::Not, 1, 1),
    ("and", Op::And, 1, usize::MAX),
    ("or", Op::Or, 1, usize::MAX),
    ("xor", Op::Xor, 2, usize::MAX),
    ("=>", Op::Implies, 2, usize::MAX),
    ("=", Op::Equal, 2, usize::MAX),
    ("distinct", Op::Distinct, 2, usize::MAX),
    ("ite", Op::Ite, 3, 3),
];

#[derive(Clone, Debug)]
pub(super) struct Gate {
    pub(super) op: Op,
    pub(super) args: Vec<GateId>,
}

/// The gates made so far, and what names mean.
#[derive(Clone, Debug, Default)]
pub(super) struct Circuit {
    pub(super) gates: Vec<Gate>,
    pub(super) names: BTreeMap<String, GateId>,
    /// What names were defined as, if it is not a constant.
    pub(super) defined: Vec<GateId>,
    /// True once a `let` has bound a declared name.
    pub(super) shadowed: bool,
    /// True once there was a quantifier.
    pub(super) quantified: bool,
    /// True once a `forall` was asserted by itself.
    pub(super) universal: bool,
    /// What `(selector constructor)` may be, by number of constant: anything.
    pub(super) open: Vec<usize>,
}

/// What is still to be done, last first.
enum Step {
    Visit(NodeId),
    Known(GateId),
    /// Takes its arguments from the values.
    Apply(Op, usize),
    /// Takes the values of these names and puts them in force.
    Bind(Vec<String>),
    /// Puts what the names meant before back in force.
    Unbind(Vec<(String, Option<GateId>)>),
}

impl Circuit {
    pub(super) fn push(&mut self, op: Op, args: Vec<GateId>) -> GateId {
        self.gates.push(Gate { op, args });
        self.gates.len() - 1
    }

    /// Adds gates that hold under this model of the constants alone.
    pub(super) fn pin(&mut self, model: u64) -> Vec<GateId> {
        let mut pins = Vec::new();
        for gate in 0..self.gates.len() {
            if let Op::Constant(index) = self.gates[gate].op {
                let is_true = index < 64 && model >> index & 1 == 1;
                pins.push(match is_true {
                    true => gate,
                    false => self.push(Op::Not, vec![gate]),
                });
            }
        }
        pins
    }

    /// Adds the gates of a term.
    pub(super) fn build(&mut self, tree: &Tree, term: NodeId) -> Result<GateId, String> {
        let mut steps = vec![Step::Visit(term)];
        let mut values: Vec<GateId> = Vec::new();
        while let Some(step) = steps.pop() {
            match step {
                Step::Visit(node) => match tree.atom(node) {
                    Some(name) => values.push(self.lookup(name)?),
                    None => self.visit(tree, node, &mut steps)?,
                },
                Step::Known(gate) => values.push(gate),
                Step::Apply(op, count) => {
                    let args = values.split_off(values.len() - count);
                    values.push(self.push(op, args));
                }
                Step::Bind(names) => {
                    let bound = values.split_off(values.len() - names.len());
                    let undo: Vec<(String, Option<GateId>)> = names
                        .into_iter()
                        .zip(bound)
                        .map(|(name, value)| (name.clone(), self.names.insert(name, value)))
                        .collect();
                    self.shadowed |= undo.iter().any(|(_, before)| before.is_some());
                    // The body is visited before this step's place is reached again.
                    let body = steps.pop();
                    steps.push(Step::Unbind(undo));
                    steps.extend(body);
                }
                Step::Unbind(undo) => {
                    for (name, before) in undo.into_iter().rev() {
                        match before {
                            Some(value) => self.names.insert(name, value),
                            None => self.names.remove(&name),
                        };
                    }
                }
            }
        }
        values.pop().ok_or_else(|| "empty term".to_string())
    }

    fn lookup(&mut self, name: &str) -> Result<GateId, String> {
        match name {
            "true" => Ok(self.push(Op::True, Vec::new())),
            "false" => Ok(self.push(Op::False, Vec::new())),
            _ => self
                .names
                .get(name)
                .copied()
                .ok_or_else(|| format!("unknown constant {name}")),
        }
    }

    fn visit(&mut self, tree: &Tree, node: NodeId, steps: &mut Vec<Step>) -> Result<(), String> {
        let list = tree.list(node).unwrap_or_default();
        let head = list.first().and_then(|&head| tree.atom(head));
        match (head, list) {
            (Some("forall" | "exists"), &[_, variables, body]) => {
                self.refuse_used(tree, variables)?;
                self.quantified = true;
                steps.push(Step::Visit(body));
                Ok(())
            }
            (Some("let"), &[_, bindings, body]) => {
                let bindings = tree.list(bindings).ok_or("let wants a list of bindings")?;
                let mut names = Vec::new();
                let mut values = Vec::new();
                for &binding in bindings {
                    let (name, value) = match tree.list(binding) {
                        Some(&[name, value]) => (tree.atom(name), value),
                        _ => (None, binding),
                    };
                    names.push(name.ok_or("bad let binding")?.to_string());
                    values.push(value);
                }
                steps.push(Step::Visit(body));
                steps.push(Step::Bind(names));
                steps.extend(values.into_iter().rev().map(Step::Visit));
                Ok(())
            }
            (Some("!"), &[_, term, ..]) => {
                steps.push(Step::Visit(term));
                Ok(())
            }
            (Some(head), &[_, arg])
                if tree
                    .atom(arg)
                    .is_some_and(|arg| self.names.contains_key(&applied(head, arg))) =>
            {
                let name = applied(head, tree.atom(arg).unwrap_or_default());
                steps.push(Step::Known(self.lookup(&name)?));
                Ok(())
            }
            (Some(name), _) => {
                let operator = OPERATORS.iter().find(|(known, ..)| *known == name);
                let &(_, op, fewest, most) =
                    operator.ok_or_else(|| format!("unsupported function {name}"))?;
                let count = list.len() - 1;
                if count < fewest || count > most {
                    return Err(format!("wrong number of arguments to {name}: {count}"));
                }
                steps.push(Step::Apply(op, count));
                steps.extend(list[1..].iter().rev().map(|&arg| Step::Visit(arg)));
                Ok(())
            }
            (None, _) => Err("expected a function name".to_string()),
        }
    }

    /// A quantifier is read only if its body does not speak of its variables: they have
    /// new names, and no name that is not known may be used.
    fn refuse_used(&self, tree: &Tree, variables: NodeId) -> Result<(), String> {
        for &variable in tree.list(variables).unwrap_or_default() {
            let name = match tree.list(variable) {
                Some(&[name, _]) => tree.atom(name),
                _ => None,
            };
            match name {
                Some(name) if !self.names.contains_key(name) => {}
                _ => return Err("unsupported variable".to_string()),
            }
        }
        Ok(())
    }
}

/// The name of what a selector is, applied to a constructor.
pub(super) fn applied(selector: &str, constructor: &str) -> String {
    format!("({selector} {constructor})")
}
