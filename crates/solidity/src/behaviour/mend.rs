//! Programs that go through: whatever ends a transaction before its time is
//! mended in the program, until most of it runs.
//!
//! SOLTIX repairs operands while it draws them. Here the program is drawn
//! first; then the transactions are run, and where one ends too early, the
//! operation or statement that ended it is changed into one that does not.
//! Some failures are left as they are, since they are behaviour too.

use std::collections::BTreeSet;

use crate::ast::{
    Ast, BinaryOp, Expression, ExpressionId, Literal, Owner, Role, Shape, Statement, StatementId,
    Type, UnaryOp, Variable, VariableId,
};
use crate::interpret::{Failed, Fault, Stop, Stopped};
use crate::qualify::Placeholder;
use crate::types::{Elementary, Location};
use crate::typing::Types;

/// Rounds of a loop that does not end by itself.
const ROUNDS: u64 = 3;

/// A program that is being mended.
pub(super) struct Mender<'a> {
    pub ast: &'a mut Ast,
    pub values: &'a mut Vec<u8>,
    /// Loops that have a counter.
    counted: BTreeSet<StatementId>,
    /// Conditions that were turned round.
    turned: BTreeSet<StatementId>,
}

impl<'a> Mender<'a> {
    pub(super) fn new(ast: &'a mut Ast, values: &'a mut Vec<u8>) -> Mender<'a> {
        Mender {
            ast,
            values,
            counted: BTreeSet::new(),
            turned: BTreeSet::new(),
        }
    }

    /// Changes what ended a transaction; false if that is not possible.
    pub(super) fn mend(&mut self, stop: &Stop, stopped: &Stopped) -> bool {
        let operation = match (stop, &stopped.failed) {
            (Stop::Fault(_), Some(failed)) => self.operation(failed),
            (Stop::TooLong, _) => self.bound(&stopped.loops),
            _ => false,
        };
        if operation {
            return true;
        }
        match stopped.statement {
            Some(statement) => self.condition(stop, statement) || self.dropped(statement),
            None => stopped
                .failed
                .as_ref()
                .is_some_and(|failed| self.first_value(failed.at)),
        }
    }

    /// The state variable whose first value fails goes without one.
    fn first_value(&mut self, at: ExpressionId) -> bool {
        if self.ast.owners[at.0 as usize] != Owner::Initializer {
            return false;
        }
        // Parts come before wholes.
        let of = |id: &VariableId| self.ast[*id].value.filter(|value| *value >= at);
        let variables = (0..self.ast.variables.len() as u32).map(VariableId);
        let variables = variables.filter(|id| !self.ast[*id].is_constant());
        let nearest = variables
            .filter_map(|id| Some((of(&id)?, id)))
            .min_by_key(|(value, _)| *value);
        match nearest {
            Some((_, id)) if self.ast[id].role != Role::Local => {
                self.ast[id].value = None;
                true
            }
            _ => false,
        }
    }

    /// The operation itself becomes one that has a value for all operands.
    fn operation(&mut self, failed: &Failed) -> bool {
        let changed = match (&self.ast[failed.at], failed.fault) {
            (Expression::Binary { op, left, right }, _) => {
                total(*op).map(|op| Expression::Binary {
                    op,
                    left: *left,
                    right: *right,
                })
            }
            (
                Expression::Assign {
                    op: Some(op),
                    target,
                    value,
                },
                _,
            ) => total(*op).map(|op| Expression::Assign {
                op: Some(op),
                target: *target,
                value: *value,
            }),
            (Expression::Unary { op, operand }, Fault::Overflow) => {
                let op = match op {
                    UnaryOp::Negate => Some(UnaryOp::BitNot),
                    UnaryOp::Increment => Some(UnaryOp::Decrement),
                    UnaryOp::Decrement => Some(UnaryOp::Increment),
                    UnaryOp::PostIncrement => Some(UnaryOp::PostDecrement),
                    UnaryOp::PostDecrement => Some(UnaryOp::PostIncrement),
                    UnaryOp::Not | UnaryOp::BitNot | UnaryOp::Delete => None,
                };
                op.map(|op| Expression::Unary {
                    op,
                    operand: *operand,
                })
            }
            (Expression::Index { index, .. }, Fault::Index) => {
                return self.first_index(*index);
            }
            _ => None,
        };
        let Some(changed) = changed else {
            return false;
        };
        self.ast[failed.at] = changed;
        true
    }

    /// An index becomes 0, unless it is that already.
    fn first_index(&mut self, index: ExpressionId) -> bool {
        let zero = Expression::Literal(Literal::Number {
            value: 0,
            negative: false,
        });
        if self.ast[index] == zero {
            return false;
        }
        self.ast[index] = zero;
        true
    }

    /// A condition that does not hold is turned round, once.
    fn condition(&mut self, stop: &Stop, id: StatementId) -> bool {
        let condition = match self.ast[id] {
            Statement::Require(condition) | Statement::Assert(condition) => condition,
            Statement::Expression(value) => match self.ast[value] {
                Expression::RequireError { condition, .. } => condition,
                _ => return false,
            },
            _ => return false,
        };
        let is_own = matches!(stop, Stop::Revert(_) | Stop::Fault(Fault::Assertion));
        if !is_own || !self.turned.insert(id) {
            return false;
        }
        // In place: parts come before wholes.
        let opposite = match &self.ast[condition] {
            Expression::Binary { op, left, right } => opposite(*op).map(|op| Expression::Binary {
                op,
                left: *left,
                right: *right,
            }),
            Expression::Literal(Literal::Bool(truth)) => {
                Some(Expression::Literal(Literal::Bool(!truth)))
            }
            _ => None,
        };
        let Some(opposite) = opposite else {
            return false;
        };
        self.ast[condition] = opposite;
        true
    }

    /// A loop that runs for too long counts its rounds.
    fn bound(&mut self, loops: &[StatementId]) -> bool {
        let open = loops.iter().copied().find(|id| !self.counted.contains(id));
        let Some(id) = open else {
            return false;
        };
        let owner = self.ast.statement_owners[id.0 as usize];
        let counter = self.counter();
        let zero = self.number(owner, 0);
        let declared = self.ast.add_statement(
            owner,
            Statement::Declare {
                variables: vec![Some(counter)],
                value: Some(zero),
            },
        );
        let operand = self
            .ast
            .add_expression(owner, Expression::Variable(counter));
        let op = UnaryOp::Increment;
        let counted = Expression::Unary { op, operand };
        let left = self.ast.add_expression(owner, counted);
        let right = self.number(owner, ROUNDS);
        let op = BinaryOp::Greater;
        let condition = Expression::Binary { op, left, right };
        let condition = self.ast.add_expression(owner, condition);
        let ends = self.ast.add_statement(owner, Statement::Break);
        let yes = vec![ends];
        let no = None;
        let check = Statement::If { condition, yes, no };
        let check = self.ast.add_statement(owner, check);
        let mut inner = self.ast[id].clone();
        if let Statement::For { body, .. }
        | Statement::While { body, .. }
        | Statement::DoWhile { body, .. } = &mut inner
        {
            body.insert(0, check);
        }
        let inner = self.ast.add_statement(owner, inner);
        self.counted.extend([id, inner]);
        self.ast[id] = Statement::Block(vec![declared, inner]);
        true
    }

    fn number(&mut self, owner: Owner, value: u64) -> ExpressionId {
        let negative = false;
        let literal = Literal::Number { value, negative };
        self.ast.add_expression(owner, Expression::Literal(literal))
    }

    fn counter(&mut self) -> VariableId {
        let placeholder = Placeholder(self.values.len() as u32);
        self.values.push(Elementary::uint(8).number());
        let kind = self.ast.add_type(Type::Elementary(placeholder));
        self.ast.add_variable(Variable {
            role: Role::Local,
            kind,
            location: None,
            visibility: None,
            value: None,
        })
    }

    /// The statement goes, or what it assigns first.
    fn dropped(&mut self, id: StatementId) -> bool {
        match &self.ast[id] {
            Statement::Declare { variables, value } => {
                let [Some(variable)] = variables[..] else {
                    return false;
                };
                if value.is_none() || self.is_pointer(variable) {
                    return false;
                }
                self.ast[id] = Statement::Declare {
                    variables: vec![Some(variable)],
                    value: None,
                };
                return true;
            }
            Statement::Expression(value) if self.is_needed(*value) => return false,
            Statement::Underscore => return false,
            Statement::Block(body) if body.is_empty() => return false,
            Statement::Expression(_) | Statement::Emit(..) | Statement::Require(_) => {}
            // What else there is may be where a result is set.
            _ => {
                let owner = self.ast.statement_owners[id.0 as usize];
                if let Owner::Function(function) = owner {
                    let mut results = self.ast[function].results.iter();
                    if results.any(|result| self.is_pointer(*result)) {
                        return false;
                    }
                }
            }
        }
        self.ast[id] = Statement::Block(Vec::new());
        true
    }

    /// True if the variable has to point somewhere from the start.
    fn is_pointer(&self, variable: VariableId) -> bool {
        let types = Types {
            ast: self.ast,
            values: self.values,
        };
        let location = types.location(variable);
        matches!(location, Some(Location::Storage | Location::Calldata))
    }

    /// True for an assignment that the compiler asks for: of what is immutable,
    /// and of what has to point somewhere.
    fn is_needed(&self, value: ExpressionId) -> bool {
        let Expression::Assign { target, .. } = self.ast[value] else {
            return false;
        };
        let targets = match &self.ast[target] {
            Expression::Tuple(parts) => parts.iter().flatten().copied().collect(),
            _ => vec![target],
        };
        targets.iter().any(|target| match self.ast[*target] {
            Expression::Variable(id) => {
                matches!(self.ast[id].role, Role::Immutable(_)) || self.is_pointer(id)
            }
            _ => false,
        })
    }
}

/// An operator on the same types that never fails.
fn total(op: BinaryOp) -> Option<BinaryOp> {
    match (op, op.shape()) {
        (BinaryOp::Power, _) => Some(BinaryOp::ShiftRight),
        (BinaryOp::Add | BinaryOp::Sub, _) => Some(BinaryOp::BitXor),
        (BinaryOp::Mul, _) => Some(BinaryOp::BitAnd),
        (BinaryOp::Div | BinaryOp::Mod, _) => Some(BinaryOp::BitOr),
        (_, Shape::Arithmetic | Shape::Shift | Shape::Comparison | Shape::Logic) => None,
    }
}

fn opposite(op: BinaryOp) -> Option<BinaryOp> {
    match op {
        BinaryOp::Less => Some(BinaryOp::AtLeast),
        BinaryOp::AtLeast => Some(BinaryOp::Less),
        BinaryOp::Greater => Some(BinaryOp::AtMost),
        BinaryOp::AtMost => Some(BinaryOp::Greater),
        BinaryOp::Equal => Some(BinaryOp::Unequal),
        BinaryOp::Unequal => Some(BinaryOp::Equal),
        _ => None,
    }
}
