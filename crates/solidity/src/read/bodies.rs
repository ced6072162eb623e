//! Statements, with the variables that they see.

use std::collections::BTreeMap;

use super::Unread;
use super::declare::{NAMELESS, Named, Reader};
use super::tree::{Declared, Routine, Step, Tree};
use crate::ast::{
    CatchKind, Expression, Invocation, Literal, Owner, Role, SignalId, Statement, StatementId,
    UnaryOp, VariableId,
};

impl Reader {
    /// The body of a function or modifier that is declared.
    pub(super) fn routine_body(&mut self, routine: &Routine) -> Result<(), Unread> {
        let own = self.own(&routine.name);
        // Those of the same name are read in their order: the first without a body.
        let named = own.iter().copied().find(|named| match named {
            Named::Function(id) => {
                let function = &self.stage.ast[*id];
                let names = routine.parameters.len() == function.parameters.len();
                names && function.body.is_none() && !self.is_read(*named)
            }
            Named::Modifier(_) => routine.sort == "modifier",
            _ => false,
        });
        match named.ok_or(NAMELESS)? {
            Named::Function(id) => {
                self.stage.owner = Owner::Function(id);
                let function = &self.stage.ast[id];
                let (parameters, results) = (function.parameters.clone(), function.results.clone());
                let mut scope = BTreeMap::new();
                enter(&mut scope, &routine.parameters, &parameters);
                enter(&mut scope, &routine.results, &results);
                self.scopes = vec![scope];
                let modifiers = self.invoked(routine)?;
                self.stage.ast[id].modifiers = modifiers;
                self.seen.insert(id);
                if let Some(body) = &routine.body {
                    let body = self.block(body)?;
                    self.stage.ast[id].body = Some(body);
                }
            }
            Named::Modifier(id) => {
                self.stage.owner = Owner::Modifier(id);
                let parameters = self.stage.ast[id].parameters.clone();
                let mut scope = BTreeMap::new();
                enter(&mut scope, &routine.parameters, &parameters);
                self.scopes = vec![scope];
                let body = routine.body.as_deref().unwrap_or_default();
                self.stage.ast[id].body = self.block(body)?;
            }
            _ => return Err(NAMELESS),
        }
        self.scopes.clear();
        Ok(())
    }

    fn is_read(&self, named: Named) -> bool {
        matches!(named, Named::Function(id) if self.seen.contains(&id))
    }

    #[allow(clippy::type_complexity)]
    fn invoked(
        &mut self,
        routine: &Routine,
    ) -> Result<Vec<(Invocation, Vec<crate::ast::ExpressionId>)>, Unread> {
        let mut invoked = Vec::new();
        for (path, arguments) in &routine.invoked {
            let invocation = match self.look_up(path)?.first() {
                Some(Named::Modifier(id)) => Invocation::Modifier(*id),
                Some(Named::Contract(id)) => Invocation::Base(*id),
                _ => return Err(NAMELESS),
            };
            invoked.push((invocation, self.expressions(arguments)?));
        }
        Ok(invoked)
    }

    /// Statements with a scope of their own.
    fn block(&mut self, steps: &[Step]) -> Result<Vec<StatementId>, Unread> {
        self.scopes.push(BTreeMap::new());
        let body = steps.iter().map(|step| self.step(step)).collect();
        self.scopes.pop();
        body
    }

    fn local(&mut self, declared: &Declared) -> Result<VariableId, Unread> {
        self.variable(Role::Local, declared)
    }

    fn bind(&mut self, name: &str, id: VariableId) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_string(), id);
        }
    }

    fn step(&mut self, step: &Step) -> Result<StatementId, Unread> {
        let made = match step {
            Step::Expression(tree) => return self.plain(tree),
            Step::Declare(declared, value) => self.declaration(declared, value.as_ref())?,
            Step::If(condition, yes, no) => Statement::If {
                condition: self.expression(condition)?,
                yes: self.block(yes)?,
                no: no.as_ref().map(|no| self.block(no)).transpose()?,
            },
            Step::For(..) => return self.for_loop(step),
            Step::While(condition, body) => Statement::While {
                condition: self.expression(condition)?,
                body: self.block(body)?,
            },
            Step::DoWhile(body, condition) => Statement::DoWhile {
                body: self.block(body)?,
                condition: self.expression(condition)?,
            },
            Step::Block(body) => Statement::Block(self.block(body)?),
            Step::Unchecked(body) => Statement::Unchecked(self.block(body)?),
            Step::Return(value) => Statement::Return(match value {
                None => Vec::new(),
                Some(Tree::Tuple(parts)) if parts.len() != 1 => {
                    let parts = parts.iter().map(|part| part.as_ref().ok_or(NAMELESS));
                    let parts: Result<Vec<&Tree>, Unread> = parts.collect();
                    let parts = parts?.into_iter().map(|part| self.expression(part));
                    parts.collect::<Result<_, Unread>>()?
                }
                Some(value) => vec![self.expression(value)?],
            }),
            Step::Emit(tree) => {
                let (signal, arguments) = self.signalled(tree)?;
                Statement::Emit(signal, arguments)
            }
            Step::Revert(tree) => {
                let (signal, arguments) = self.signalled(tree)?;
                Statement::Revert(Some(signal), arguments)
            }
            Step::Break => Statement::Break,
            Step::Continue => Statement::Continue,
            Step::Underscore => Statement::Underscore,
            Step::Try(call, results, body, catches) => {
                return self.attempt(call, results, body, catches);
            }
        };
        Ok(self.stage.statement(made))
    }

    fn for_loop(&mut self, step: &Step) -> Result<StatementId, Unread> {
        let Step::For(start, condition, step, body) = step else {
            return Err(NAMELESS);
        };
        self.scopes.push(BTreeMap::new());
        let start = start.as_ref().map(|start| self.step(start)).transpose()?;
        let condition = condition.as_ref();
        let condition = condition.map(|it| self.expression(it)).transpose()?;
        let step = step.as_ref().map(|it| self.expression(it)).transpose()?;
        let body = self.block(body)?;
        self.scopes.pop();
        Ok(self.stage.statement(Statement::For {
            start,
            condition,
            step,
            body,
        }))
    }

    fn declaration(
        &mut self,
        declared: &[Option<Declared>],
        value: Option<&Tree>,
    ) -> Result<Statement, Unread> {
        let value = value.map(|value| self.expression(value)).transpose()?;
        let mut variables = Vec::new();
        for one in declared {
            variables.push(match one {
                None => None,
                Some(one) => {
                    let id = self.local(one)?;
                    self.bind(&one.name, id);
                    Some(id)
                }
            });
        }
        Ok(Statement::Declare { variables, value })
    }

    fn attempt(
        &mut self,
        call: &Tree,
        results: &[Declared],
        body: &[Step],
        catches: &[(CatchKind, Vec<Step>)],
    ) -> Result<StatementId, Unread> {
        let call = self.expression(call)?;
        self.scopes.push(BTreeMap::new());
        let mut variables = Vec::new();
        for one in results {
            let id = self.local(one)?;
            self.bind(&one.name, id);
            variables.push(id);
        }
        let body = self.block(body)?;
        self.scopes.pop();
        let mut caught = Vec::new();
        for (kind, body) in catches {
            caught.push((*kind, self.block(body)?));
        }
        Ok(self.stage.statement(Statement::Try {
            call,
            results: variables,
            body,
            catches: caught,
        }))
    }

    /// An event or error with its arguments.
    fn signalled(
        &mut self,
        tree: &Tree,
    ) -> Result<(SignalId, Vec<crate::ast::ExpressionId>), Unread> {
        let Tree::Call(callee, arguments) = tree else {
            return Err(NAMELESS);
        };
        let path = super::resolve::path_of(callee).ok_or(NAMELESS)?;
        let found = self.look_up(&path)?;
        let signals: Vec<SignalId> = found
            .iter()
            .filter_map(|named| match named {
                Named::Signal(id) => Some(*id),
                _ => None,
            })
            .filter(|id| self.stage.ast[*id].parameters.len() == arguments.len())
            .collect();
        let [signal] = signals[..] else {
            return Err(Unread("an event among several of its name"));
        };
        Ok((signal, self.expressions(arguments)?))
    }

    /// An expression as a statement; some calls are statements of their own.
    fn plain(&mut self, tree: &Tree) -> Result<StatementId, Unread> {
        let made = match called(tree) {
            Some(("require", [condition])) => {
                let condition = self.expression(condition)?;
                let op = UnaryOp::Not;
                let operand = condition;
                let condition = self.stage.add(Expression::Unary { op, operand });
                let revert = self.stage.statement(Statement::Revert(None, Vec::new()));
                Statement::If {
                    condition,
                    yes: vec![revert],
                    no: None,
                }
            }
            Some(("require", [condition, Tree::Text(_)])) => {
                Statement::Require(self.expression(condition)?)
            }
            Some(("require", _)) => return Err(Unread("an error of require")),
            Some(("assert", [condition])) => Statement::Assert(self.expression(condition)?),
            Some(("revert", [])) => Statement::Revert(None, Vec::new()),
            Some(("revert", [Tree::Text(_)])) => {
                let never = Expression::Literal(Literal::Bool(false));
                Statement::Require(self.stage.add(never))
            }
            Some(("revert", _)) => return Err(Unread("a text of revert")),
            _ => Statement::Expression(self.expression(tree)?),
        };
        Ok(self.stage.statement(made))
    }
}

/// The name and arguments of a plain call.
fn called(tree: &Tree) -> Option<(&str, &[Tree])> {
    match tree {
        Tree::Call(callee, arguments) => match &**callee {
            Tree::Name(name) => Some((name, arguments)),
            _ => None,
        },
        _ => None,
    }
}

fn enter(scope: &mut BTreeMap<String, VariableId>, declared: &[Declared], ids: &[VariableId]) {
    for (declared, id) in declared.iter().zip(ids) {
        if !declared.name.is_empty() {
            scope.insert(declared.name.clone(), *id);
        }
    }
}
