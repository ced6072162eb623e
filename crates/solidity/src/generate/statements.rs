//! Statements: what fills the bodies of functions.

use lydite_core::Reject;

use super::calls::Callee;
use super::context::ANYWHERE;
use super::options::Part;
use super::places::Place;
use super::types::{Standing, Wanted};
use super::weights::Draw;
use super::{Generator, Intent};
use crate::ast::{
    BinaryOp, Expression, ExpressionId, FunctionName, Owner, Role, Shape, SignalId, Statement,
    StatementId, Type, TypeId, UnaryOp,
};
use crate::types::{Domain, Location, NUMBERS};
use crate::version::Feature;

impl Generator<'_> {
    /// Statements of a new scope; `depth` says how deep scopes may nest.
    pub(super) fn block(&mut self, depth: u32) -> Result<Vec<StatementId>, Reject> {
        let (scope, slots) = (self.frame.scope.len(), self.frame.slots);
        let outer = std::mem::take(&mut self.frame.pending);
        let mut statements = Vec::new();
        let many = self.choices.between(0, 3)? + u64::from(depth == 2);
        for _ in 0..many {
            if self.frame.statements == 0 {
                break;
            }
            self.frame.statements -= 1;
            let statement = self.any_statement(depth)?;
            statements.append(&mut self.frame.pending);
            statements.extend(statement);
        }
        self.frame.pending = outer;
        self.frame.scope.truncate(scope);
        self.frame.slots = slots;
        Ok(statements)
    }

    fn any_statement(&mut self, depth: u32) -> Result<Option<StatementId>, Reject> {
        let nested = u64::from(depth > 0);
        // A constructor that never ends never sets its immutable variables,
        // which some compilers notice late.
        let looping = nested * u64::from(!self.is_making());
        let writing = u64::from(self.frame.intent >= Intent::Write);
        let part = |part: Part| u64::from(self.options.features.has(part));
        let in_function = u64::from(matches!(self.frame.owner, Owner::Function(_)));
        let weights = [
            self.weight(Draw::Assignments).max(1),
            self.weight(Draw::Locals),
            self.weight(Draw::Steps),
            self.weight(Draw::Calls) * in_function,
            self.weight(Draw::Conditionals) * nested,
            self.weight(Draw::ForLoops) * looping,
            self.weight(Draw::WhileLoops) * looping,
            self.weight(Draw::Emits) * writing * part(Part::Events),
            self.weight(Draw::Checks),
            self.weight(Draw::Tuples),
            self.weight(Draw::UncheckedBlocks)
                * nested
                * part(Part::Unchecked)
                * u64::from(self.has(Feature::Unchecked)),
            self.weight(Draw::Growth) * writing * part(Part::Growth),
            self.weight(Draw::Attempts) * part(Part::Try) * nested * writing,
            self.weight(Draw::AssemblyBlocks) * part(Part::Assembly),
            self.weight(Draw::Comments) * part(Part::Comments),
            self.weight(Draw::Leaving) * u64::from(self.frame.in_loop),
            self.weight(Draw::EarlyReturns),
            self.weight(Draw::FunctionValues) * in_function * part(Part::FunctionTypes),
            self.weight(Draw::Blocks) * nested,
            self.weight(Draw::StoredCalls) * in_function * part(Part::StoredFunctions),
            self.weight(Draw::Messages) * in_function * u64::from(self.can_send()),
        ];
        match self.choices.weighted(&weights)? {
            0 => self.assignment_statement(),
            1 => self.local(),
            2 => self.step_statement(),
            3 => self.call_statement(),
            4 => self.conditional(depth),
            5 => self.for_loop(depth),
            6 => self.while_loop(depth),
            7 => self.emit(),
            8 => self.check(),
            9 => self.tuple(),
            10 => self.unchecked(depth),
            11 => self.growth(),
            12 => self.attempt(depth),
            13 => self.assembly(),
            14 => self.comment(),
            15 => self.leave_loop(),
            16 => self.early_return(),
            17 => self.function_value(),
            18 => self.plain_block(depth),
            19 => self.stored_function(),
            _ => self.message(),
        }
    }

    fn comment(&mut self) -> Result<Option<StatementId>, Reject> {
        let number = self.choices.below(4)? as u8;
        Ok(Some(self.statement(Statement::Comment(number))))
    }

    fn leave_loop(&mut self) -> Result<Option<StatementId>, Reject> {
        let leaving = [Statement::Break, Statement::Continue];
        let statement = self.choices.pick(&leaving)?.clone();
        Ok(Some(self.statement(statement)))
    }

    /// What can be assigned as a whole: what is in storage is copied, and not
    /// every compiler can copy what is nested.
    fn assignable(&self, kind: TypeId, location: Location, is_variable: bool) -> bool {
        if self.has_mapping(kind) {
            return false;
        }
        let copied = location == Location::Storage || !is_variable;
        !self.is_reference(kind) || !copied || self.is_copyable(kind)
    }

    /// Plain arrays and structs of plain fields.
    pub(super) fn is_copyable(&self, kind: TypeId) -> bool {
        let plain = |kind: TypeId| !self.is_reference(kind);
        match self.ast[kind] {
            Type::Elementary(_) => true,
            Type::Array { element, .. } => plain(element),
            Type::Struct(id) => {
                let fields = self.ast[id].fields.iter();
                fields
                    .map(|&field| self.ast[field].kind)
                    .all(|kind| match self.ast[kind] {
                        Type::Array { .. } if self.allows(Part::NestedFields) => true,
                        Type::Array { element, .. } => plain(element),
                        Type::Elementary(_) => true,
                        _ => plain(kind),
                    })
            }
            _ => false,
        }
    }

    pub(super) fn assignment_statement(&mut self) -> Result<Option<StatementId>, Reject> {
        let accesses = self.accesses(true, |kind, location, is_variable| {
            self.assignable(kind, location, is_variable)
        });
        if accesses.is_empty() {
            return self.local();
        }
        let access = *self.choices.pick(&accesses)?;
        let value = self.assign(access, self.options.depth)?;
        Ok(Some(self.statement(Statement::Expression(value))))
    }

    /// An assignment to what `access` leads to.
    pub(super) fn assign(&mut self, access: Place, depth: u32) -> Result<ExpressionId, Reject> {
        let wanted = self.wanted(access.kind);
        let op = self.compound(wanted)?;
        let within = match access.is_variable() && self.is_reference(access.kind) {
            true => self.flowing_to(access),
            false => ANYWHERE,
        };
        let value = match op {
            Some(op) if op.shape() == Shape::Shift => {
                let value = self.choices.below(9)?;
                self.number(value)
            }
            Some(_) => self.variable_value(wanted, depth)?,
            None => self.value(wanted, within, depth, true)?,
        };
        let target = self.follow(access, depth.min(1))?;
        Ok(self.expression(Expression::Assign { op, target, value }))
    }

    /// Where a value for a whole variable may come from.
    fn flowing_to(&self, access: Place) -> Domain {
        match access.location {
            Location::Memory => ANYWHERE,
            // State variables copy; pointers take what is in storage.
            Location::Storage if access.is_state(&self.ast) => ANYWHERE,
            other => other.bit(),
        }
    }

    /// Sometimes an operator before `=`.
    fn compound(&mut self, wanted: Wanted) -> Result<Option<BinaryOp>, Reject> {
        let Wanted::Elementary(kind) = wanted else {
            return Ok(None);
        };
        let mut ops = BinaryOp::ALL.to_vec();
        ops.retain(|op| op.has_assignment() && op.operands() & kind.bit() != 0);
        if ops.is_empty() || !self.percent(40)? {
            return Ok(None);
        }
        Ok(Some(*self.choices.pick(&ops)?))
    }

    /// A local variable with a first value.
    fn local(&mut self) -> Result<Option<StatementId>, Reject> {
        let kind = self.new_type(Standing::Frame, 2)?;
        if self.frame.slots + self.slots_of(kind) > self.options.slots {
            return self.call_statement();
        }
        let location = match self.choices.below(3)? {
            1 if self.frame.intent >= Intent::View && self.frame.contract.is_some() => {
                Location::Storage
            }
            _ => Location::Memory,
        };
        let stored = self.is_reference(kind) && location == Location::Storage;
        let location = match stored && self.is_in_library() {
            true => Location::Memory,
            false => location,
        };
        let wanted = self.wanted(kind);
        let within = match location {
            Location::Storage => location.bit(),
            _ => ANYWHERE,
        };
        let value = self.value(wanted, within, self.options.depth, true)?;
        let variable = self.frame_variable(Role::Local, kind, location);
        self.frame.slots += self.slots_of(kind);
        let statement = self.statement(Statement::Declare {
            variables: vec![Some(variable)],
            value: Some(value),
        });
        self.frame.scope.push(variable);
        Ok(Some(statement))
    }

    pub(super) fn is_in_library(&self) -> bool {
        self.frame
            .contract
            .is_none_or(|contract| self.ast[contract].kind == crate::ast::ContractKind::Library)
    }

    pub(super) fn is_in_receive(&self) -> bool {
        match self.frame.owner {
            Owner::Function(id) => self.ast[id].name == FunctionName::Receive,
            _ => false,
        }
    }

    /// `x++`, `delete x`
    fn step_statement(&mut self) -> Result<Option<StatementId>, Reject> {
        let rows = [
            (UnaryOp::PostIncrement, Draw::Increments),
            (UnaryOp::Increment, Draw::Increments),
            (UnaryOp::PostDecrement, Draw::Increments),
            (UnaryOp::Decrement, Draw::Increments),
            (UnaryOp::Delete, Draw::Deletes),
        ];
        let weights = rows.map(|(_, draw)| self.weight(draw));
        if weights.iter().all(|weight| *weight == 0) {
            return self.local();
        }
        let (op, _) = rows[self.choices.weighted(&weights)?];
        let delete = op == UnaryOp::Delete && self.allows(Part::Growth);
        let accesses = self.accesses(true, |kind, location, is_variable| match delete {
            true => {
                let pointer = self.is_reference(kind) && is_variable;
                let nominal = matches!(self.ast[kind], Type::Value(_));
                !self.has_mapping(kind) && !nominal && (!pointer || location == Location::Memory)
            }
            false => self.is_within(kind, NUMBERS),
        });
        if accesses.is_empty() || op == UnaryOp::Delete && !delete {
            return self.local();
        }
        let access = *self.choices.pick(&accesses)?;
        let operand = self.follow(access, 1)?;
        let value = self.expression(Expression::Unary { op, operand });
        Ok(Some(self.statement(Statement::Expression(value))))
    }

    fn call_statement(&mut self) -> Result<Option<StatementId>, Reject> {
        let callees = self.callees();
        if callees.is_empty() {
            return self.check();
        }
        let callee = *self.choices.pick(&callees)?;
        let value = self.call(callee, self.options.depth)?;
        Ok(Some(self.statement(Statement::Expression(value))))
    }

    /// A function in a variable, and a call of it.
    fn function_value(&mut self) -> Result<Option<StatementId>, Reject> {
        let mut callees = self.callees();
        callees.retain(Callee::is_named);
        if callees.is_empty() || self.is_in_library() || self.frame.slots + 1 > self.options.slots {
            return self.assignment_statement();
        }
        callees.retain(|callee| self.is_value(callee.function));
        if callees.is_empty() {
            return self.assignment_statement();
        }
        let function = self.choices.pick(&callees)?.function;
        self.referenced.push(function);
        let depth = self.options.depth.saturating_sub(1);
        let arguments = self.arguments(function, false, depth)?;
        let kind = self.ast.add_type(Type::Function(function));
        let variable = self.frame_variable(Role::Local, kind, Location::Memory);
        self.frame.slots += 1;
        let value = Some(self.expression(Expression::Reference(function)));
        let variables = vec![Some(variable)];
        let declaration = self.statement(Statement::Declare { variables, value });
        self.frame.pending.push(declaration);
        let callee = self.expression(Expression::Variable(variable));
        let call = self.expression(Expression::CallValue {
            callee,
            function,
            arguments,
        });
        Ok(Some(self.statement(Statement::Expression(call))))
    }

    /// The arguments of an event or error.
    fn signal_arguments(&mut self, id: SignalId) -> Result<Vec<ExpressionId>, Reject> {
        let parameters = self.ast[id].parameters.clone();
        let mut arguments = Vec::new();
        for parameter in parameters {
            let wanted = self.wanted(self.ast[parameter].kind);
            let depth = self.options.depth.saturating_sub(1);
            arguments.push(self.value(wanted, ANYWHERE, depth, true)?);
        }
        Ok(arguments)
    }

    fn signals(&self, errors: bool) -> Vec<SignalId> {
        let own = self.frame.contract.map(|contract| self.lineage(contract));
        let own = own.unwrap_or_default();
        let visible = (0..self.ast.signals.len() as u32)
            .map(SignalId)
            .filter(|&id| {
                let signal = &self.ast[id];
                signal.is_error == errors
                    && signal
                        .contract
                        .is_none_or(|contract| own.contains(&contract))
            });
        visible.collect()
    }

    fn emit(&mut self) -> Result<Option<StatementId>, Reject> {
        let events = self.signals(false);
        if events.is_empty() {
            return self.assignment_statement();
        }
        let event = *self.choices.pick(&events)?;
        let arguments = self.signal_arguments(event)?;
        Ok(Some(self.statement(Statement::Emit(event, arguments))))
    }

    /// `require`, `assert`, or a conditional `revert`.
    fn check(&mut self) -> Result<Option<StatementId>, Reject> {
        let condition = self.boolean(self.options.depth)?;
        match self.choices.below(3)? {
            0 if self.can_require_error() && self.often(Draw::RequireErrors)? => {
                self.required_error(condition)
            }
            0 => Ok(Some(self.statement(Statement::Require(condition)))),
            1 => Ok(Some(self.statement(Statement::Assert(condition)))),
            _ => {
                let errors = self.signals(true);
                let (signal, arguments) = match errors.is_empty() {
                    true => (None, Vec::new()),
                    false => {
                        let error = *self.choices.pick(&errors)?;
                        (Some(error), self.signal_arguments(error)?)
                    }
                };
                let revert = self.statement(Statement::Revert(signal, arguments));
                let (yes, no) = (vec![revert], None);
                Ok(Some(self.statement(Statement::If { condition, yes, no })))
            }
        }
    }

    fn can_require_error(&self) -> bool {
        self.allows(Part::RequireErrors)
            && self.has(Feature::RequireErrors)
            && !self.signals(true).is_empty()
    }

    /// `require(condition, R(…))`
    fn required_error(&mut self, condition: ExpressionId) -> Result<Option<StatementId>, Reject> {
        let signal = *self.choices.pick(&self.signals(true))?;
        let arguments = self.signal_arguments(signal)?;
        let named = arguments.len() > 1
            && self.allows(Part::CallOptions)
            && self.often(Draw::NamedErrors)?;
        let value = self.expression(Expression::RequireError {
            condition,
            signal,
            arguments,
            named,
        });
        Ok(Some(self.statement(Statement::Expression(value))))
    }

    fn early_return(&mut self) -> Result<Option<StatementId>, Reject> {
        if self.frame.in_loop || !matches!(self.frame.owner, Owner::Function(_)) {
            return self.assignment_statement();
        }
        let condition = self.boolean(1)?;
        let leave = self.return_statement()?;
        let (yes, no) = (vec![leave], None);
        Ok(Some(self.statement(Statement::If { condition, yes, no })))
    }

    /// `return` with all results of the function.
    pub(super) fn return_statement(&mut self) -> Result<StatementId, Reject> {
        let results = match self.frame.owner {
            Owner::Function(function) => self.ast[function].results.clone(),
            Owner::Modifier(_) | Owner::Initializer => Vec::new(),
        };
        let mut values = Vec::new();
        for result in results {
            let wanted = self.wanted(self.ast[result].kind);
            let within = self.sources_of(result);
            let depth = self.options.depth;
            values.push(self.value(wanted, within, depth, true)?);
        }
        Ok(self.statement(Statement::Return(values)))
    }
}
