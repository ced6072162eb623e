//! Assignment sequences (SOLTIX's AS contracts): every assignment is drawn,
//! computed at once, and followed by a check that emits an event if the
//! variable does not hold what was computed.
//!
//! For model checkers the checks are assertions, and the last one of a function may say the
//! opposite: then it fails, and the transaction that calls the function comes to nothing.
//!
//! Terms are computed when they are complete, since whether `++` takes effect
//! depends on what is around it; what has no value then is corrected and
//! computed again ([`super::repair`]).

use std::fmt::Write;

use dashu_int::IBig;
use lydite_core::{Case, Choices, Reject};

use super::repair::repaired;
use super::text::{case, literal, word_text};
use super::varied::{self, Called};
use crate::ast::{
    BinaryOp, Expression, ExpressionId, Literal, Member, Owner, Role, Signal, SignalId, Statement,
    StatementId, Struct, StructId, Type, UnaryOp, Words,
};
use crate::equivalent::{Stock, Variation};
use crate::generate::{CONTRACT, Place, Stage, Step, Terms, Vocabulary, any_word, number};
use crate::interpret::{Key, Machine, Order, Paused, Stop, Value, World};
use crate::sizes::ProgramSizes;
use crate::types::{Elementary, Mutability, NUMBERS, UINTS, VALUES, Visibility};
use crate::version::Feature;

/// How large contracts are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Functions that transactions call, each once.
    pub functions: u32,
    /// State variables.
    pub variables: u32,
    /// Assignments of a function.
    pub statements: u32,
    /// How many sizes of contracts there are; this is the largest.
    pub sizes: ProgramSizes,
    /// Checks are assertions, of which some fail.
    pub asserts: bool,
}

/// The variants of contracts that are drawn, if any are.
pub(super) type Varied = Option<Variation>;

/// Makes cases of assignment sequences.
#[derive(Clone, Debug)]
pub struct Assigned {
    vocabulary: Vocabulary,
    words: Words,
    sizes: Sizes,
    varied: Varied,
}

/// Steps that computing a whole contract may take.
const FUEL: u64 = 10_000_000;

/// How often one statement is corrected: each time one operation more has a
/// value.
const REPAIRS: usize = 200;

/// The most local variables and parameters of a function: more do not fit the
/// stack of the EVM together with a deep term.
const LOCALS: u64 = 3;
const PARAMETERS: u64 = 2;

/// Elements of an array, entries of a mapping, fields of a struct, at most.
const PARTS: u64 = 4;

/// The event that says which check failed.
const FAILED: SignalId = SignalId(0);

impl Assigned {
    pub(super) fn new(vocabulary: Vocabulary, sizes: Sizes, varied: Varied) -> Assigned {
        let words = Words::new(&vocabulary.dialect);
        Assigned {
            vocabulary,
            words,
            sizes,
            varied,
        }
    }

    /// Draws a case.
    pub fn case(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let size = self.sizes.sizes.draw(choices)?;
        let mut stage = Stage::new();
        let mut terms = Terms::new(&mut stage, choices, &self.vocabulary);
        if !self.sizes.asserts {
            declare_event(terms.stage);
        }
        for _ in 0..size.of(self.sizes.variables) {
            state_variable(&mut terms)?;
        }
        let (scope, arrays) = (terms.scope.clone(), terms.arrays.clone());
        let mut machine = Machine::new(
            &terms.stage.ast,
            &terms.stage.values,
            &self.vocabulary.dialect,
            CONTRACT,
            Order::LeftFirst,
            World::default(),
            FUEL,
        );
        machine
            .construct(Vec::new(), &IBig::ZERO)
            .map_err(unexpected)?;
        let deployed = machine.pause();
        let mut sequence = Sequence {
            machine: Some(deployed.clone()),
            checks: 0,
            asserts: self.sizes.asserts,
            unchecked: self.vocabulary.dialect.has(Feature::Unchecked),
            terms,
        };
        let mut calls = Vec::new();
        for _ in 0..size.of(self.sizes.functions) {
            calls.push(sequence.function(size.of(self.sizes.statements))?);
            sequence.terms.scope.clone_from(&scope);
            sequence.terms.arrays.clone_from(&arrays);
        }
        let called: Vec<Called> = calls.iter().map(|call| call.called.clone()).collect();
        let (text, calls) = sequence.ending(calls)?;
        let script = calls.join("\n");
        let script = format!("new C0()\n{script}\n");
        let program = stage.program(&self.vocabulary.dialect, &self.words);
        let mut case = case(program, script, text);
        if let Some(variation) = &self.varied {
            self.vary(
                &mut case,
                variation,
                &mut stage,
                (deployed, &called),
                choices,
            )?;
        }
        Ok(case)
    }

    /// Adds variants to a case: they show what the contract shows.
    fn vary(
        &self,
        case: &mut Case,
        variation: &Variation,
        stage: &mut Stage,
        (deployed, called): (Paused, &[Called]),
        choices: &mut Choices,
    ) -> Result<(), Reject> {
        let unread = Reject::NotApplicable("a contract whose text is not understood");
        let files = &case.programs[0].files;
        let text = |at: usize| String::from_utf8_lossy(&files[at].text).into_owned();
        let (source, script) = (text(0), text(1));
        let dialect = &self.vocabulary.dialect;
        let seen = varied::profile(stage, dialect, (&source, &script), deployed, called);
        let stock = seen.and_then(|profile| Stock::of(&source, profile).ok());
        for (program, step) in stock.ok_or(unread)?.variants(variation, choices)? {
            case.programs.push(program);
            case.steps.push(step);
        }
        Ok(())
    }
}

/// What cannot happen to terms that are repaired.
fn unexpected(stop: Stop) -> Reject {
    Reject::NotApplicable(match stop {
        Stop::Unknown(what) => what,
        Stop::TooLong => "too long",
        Stop::Fault(_) | Stop::Revert(_) => "a term without a value",
    })
}

fn declare_event(stage: &mut Stage) {
    let number = stage.variable(Role::Signal { indexed: false }, Elementary::UINT256);
    stage.ast.signals.push(Signal {
        is_error: false,
        contract: Some(CONTRACT),
        parameters: vec![number],
    });
    stage.ast[CONTRACT].members.push(Member::Signal(FAILED));
}

/// A state variable: a word, or an array, mapping or struct of words.
fn state_variable(terms: &mut Terms<'_>) -> Result<(), Reject> {
    let kind = terms.any_kind(VALUES)?;
    match terms.choices.weighted(&[6, 1, 1, 2])? {
        0 => {
            let value = any_word(kind, terms.choices)?;
            let value = terms.stage.word(kind, &value);
            let variable = terms.stage.state(Stage::kind(kind), Some(value));
            terms.sees(kind, variable, None);
        }
        1 => {
            let length = terms.choices.between(1, PARTS)? as u32;
            let array = terms.stage.ast.add_type(Type::Array {
                element: Stage::kind(kind),
                length: Some(length),
            });
            let variable = terms.stage.state(array, None);
            terms.arrays.push((variable, kind, length));
            for at in 0..length {
                terms.sees(kind, variable, Some(Step::At(at)));
            }
        }
        2 => {
            let key = terms.any_kind(VALUES)?;
            let mapping = terms.stage.ast.add_type(Type::Mapping {
                key: Stage::kind(key),
                value: Stage::kind(kind),
            });
            let variable = terms.stage.state(mapping, None);
            for _ in 0..terms.choices.between(1, PARTS)? {
                let at = any_word(key, terms.choices)?;
                terms.sees(kind, variable, Some(Step::Entry(Literal::word(key, &at))));
            }
        }
        _ => structure(terms)?,
    }
    Ok(())
}

fn structure(terms: &mut Terms<'_>) -> Result<(), Reject> {
    let id = StructId(terms.stage.ast.structs.len() as u32);
    let mut fields = Vec::new();
    for _ in 0..terms.choices.between(2, PARTS)? {
        let kind = terms.any_kind(VALUES)?;
        fields.push((kind, terms.stage.variable(Role::Field(id), kind)));
    }
    terms.stage.ast.structs.push(Struct {
        contract: Some(CONTRACT),
        fields: fields.iter().map(|(_, field)| *field).collect(),
    });
    terms.stage.ast[CONTRACT].members.push(Member::Struct(id));
    let kind = terms.stage.ast.add_type(Type::Struct(id));
    let variable = terms.stage.state(kind, None);
    for (kind, field) in fields {
        terms.sees(kind, variable, Some(Step::Field(field)));
    }
    Ok(())
}

/// A transaction that calls a function; if it comes to nothing, an assertion fails in it.
struct Call {
    text: String,
    called: Called,
}

/// A contract that is drawn and computed.
struct Sequence<'a> {
    terms: Terms<'a>,
    /// Between statements it is there.
    machine: Option<Paused>,
    /// Checks so far.
    checks: u64,
    /// Checks are assertions.
    asserts: bool,
    /// There is `unchecked`.
    unchecked: bool,
}

impl Sequence<'_> {
    fn paused(&mut self) -> Paused {
        self.machine.take().expect("it is put back after each use")
    }

    /// Draws a function and the transaction that calls it.
    fn function(&mut self, statements: u32) -> Result<Call, Reject> {
        let (mut parameters, mut arguments, mut written) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..self.terms.choices.below(PARAMETERS + 1)? {
            let kind = self.terms.any_kind(VALUES)?;
            let parameter = self.terms.stage.variable(Role::Parameter, kind);
            let value = any_word(kind, self.terms.choices)?;
            self.terms.sees(kind, parameter, None);
            written.push(word_text(kind, &value));
            arguments.push(Value::Word(value));
            parameters.push(parameter);
        }
        let stage = &mut *self.terms.stage;
        let visibility = Visibility::Public;
        let id = stage.function(parameters, Vec::new(), visibility, Mutability::NonPayable);
        stage.owner = Owner::Function(id);
        let before = self.paused();
        self.machine = Some(before.clone());
        let mut machine = self.resumed();
        machine.begin(id, arguments.clone());
        self.machine = Some(machine.pause());
        let mut body = Vec::new();
        for _ in 0..self.terms.choices.below(LOCALS + 1)? {
            body.push(self.local()?);
        }
        for _ in 0..statements {
            self.assignment(&mut body)?;
        }
        let fails = self.asserts && self.terms.choices.chance(1, 2)?;
        if fails {
            let at = self.terms.choices.index(self.terms.scope.len())?;
            let check = self.check(self.terms.scope[at], BinaryOp::Unequal)?;
            body.push(check);
            self.machine = Some(before);
        }
        self.terms.stage.ast[id].body = Some(body);
        let text = format!("C0.f{}({})", id.0, written.join(", "));
        let called = Called {
            function: id,
            arguments,
            fails,
        };
        Ok(Call { text, called })
    }

    fn resumed(&mut self) -> Machine<'_> {
        let paused = self.paused();
        paused.resume(&self.terms.stage.ast, &self.terms.stage.values)
    }

    fn local(&mut self) -> Result<StatementId, Reject> {
        self.terms.begin();
        let kind = self.terms.any_kind(VALUES)?;
        let value = self.terms.fitting(kind)?;
        let variable = self.terms.stage.variable(Role::Local, kind);
        let declared = |value: ExpressionId| Statement::Declare {
            variables: vec![Some(variable)],
            value: Some(value),
        };
        let statement = self.terms.stage.statement(declared(value));
        self.settle(value, statement, &|value| declared(value))?;
        self.terms.sees(kind, variable, None);
        Ok(statement)
    }

    /// Draws an assignment, corrects it, and adds it and its checks.
    fn assignment(&mut self, body: &mut Vec<StatementId>) -> Result<(), Reject> {
        self.terms.begin();
        let at = self.terms.choices.index(self.terms.scope.len())?;
        let target = self.terms.scope[at];
        // What is assigned must not be changed on the way as well.
        self.terms.read.insert(target.variable);
        let root = self.assigning(target)?;
        let statement = self.terms.stage.statement(Statement::Expression(root));
        let is_unchecked = self.unchecked && self.terms.choices.chance(1, 3)?;
        let outer = match is_unchecked {
            true => self
                .terms
                .stage
                .statement(Statement::Unchecked(vec![statement])),
            false => statement,
        };
        self.settle_within(root, statement, outer, &Statement::Expression)?;
        body.push(outer);
        let mut touched = vec![target];
        touched.append(&mut self.terms.changed);
        for place in touched {
            let check = self.check(place, BinaryOp::Equal)?;
            body.push(check);
        }
        Ok(())
    }

    /// `place = term`, `place op= term`, `place++`
    fn assigning(&mut self, target: Place) -> Result<ExpressionId, Reject> {
        let kind = self.terms.stage.word_in(target);
        let is_number = NUMBERS & kind.bit() != 0;
        let place = self.terms.stage.place(target)?;
        let picked = self.terms.choices.weighted(&[8, 3, 1, 1])?;
        let expression = match picked {
            1 if is_number => self.compound(place, kind)?,
            2 if is_number => {
                let ops = [UnaryOp::PostIncrement, UnaryOp::Decrement];
                let op = *self.terms.choices.pick(&ops)?;
                Expression::Unary { op, operand: place }
            }
            3 => Expression::Unary {
                op: UnaryOp::Delete,
                operand: place,
            },
            _ => {
                let value = self.terms.fitting(kind)?;
                let (op, target) = (None, place);
                Expression::Assign { op, target, value }
            }
        };
        Ok(self.terms.stage.add(expression))
    }

    fn compound(&mut self, target: ExpressionId, kind: Elementary) -> Result<Expression, Reject> {
        let ops: Vec<BinaryOp> = BinaryOp::ALL
            .into_iter()
            .filter(|op| op.has_assignment())
            .collect();
        let op = *self.terms.choices.pick(&ops)?;
        let value = match matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) {
            true => self.terms.amount(UINTS, self.terms.vocabulary.depth)?,
            false => self.terms.fitting(kind)?,
        };
        let value = self.terms.divisor(op, value, kind);
        let op = Some(op);
        Ok(Expression::Assign { op, target, value })
    }

    fn settle(
        &mut self,
        root: ExpressionId,
        statement: StatementId,
        made: &dyn Fn(ExpressionId) -> Statement,
    ) -> Result<(), Reject> {
        self.settle_within(root, statement, statement, made)
    }

    /// Runs a statement, and corrects it until all of it has a value. It is
    /// made of its `root`, and may stand in an `outer` one.
    fn settle_within(
        &mut self,
        mut root: ExpressionId,
        statement: StatementId,
        outer: StatementId,
        made: &dyn Fn(ExpressionId) -> Statement,
    ) -> Result<(), Reject> {
        for _ in 0..REPAIRS {
            let mut machine = self.resumed();
            let done = machine.perform(outer);
            let paused = machine.pause();
            let (stop, failed) = match done {
                Ok(()) => {
                    self.machine = Some(paused);
                    return Ok(());
                }
                Err(stopped) => stopped,
            };
            let failed = failed.ok_or_else(|| unexpected(stop))?;
            let added = self.terms.added.clone();
            let stage = &mut *self.terms.stage;
            let renewed = repaired(stage, &paused, &failed, root, &added);
            root = renewed.ok_or(Reject::NotApplicable("a term without a value"))?;
            stage.ast[statement] = made(root);
            self.machine = Some(paused);
        }
        Err(Reject::NotApplicable("a term without a value"))
    }

    /// `if (place != value) emit E0(number);`, or an assertion that the place compares with
    /// its value in this way.
    fn check(&mut self, place: Place, op: BinaryOp) -> Result<StatementId, Reject> {
        let left = self.terms.stage.place(place)?;
        let mut machine = self.resumed();
        let value = machine.value(left);
        self.machine = Some(machine.pause());
        let Value::Word(value) = value.map_err(unexpected)? else {
            return Err(Reject::NotApplicable("a place without a value"));
        };
        let stage = &mut *self.terms.stage;
        let right = stage.word(stage.word_in(place), &value);
        if self.asserts {
            let condition = stage.add(Expression::Binary { op, left, right });
            return Ok(stage.statement(Statement::Assert(condition)));
        }
        let check = self.checks;
        self.checks += 1;
        let op = BinaryOp::Unequal;
        let condition = stage.add(Expression::Binary { op, left, right });
        let number = stage.add(number(check));
        let emit = stage.statement(Statement::Emit(FAILED, vec![number]));
        Ok(stage.statement(Statement::If {
            condition,
            yes: vec![emit],
            no: None,
        }))
    }

    /// What the calls show, and getters of all state variables after them.
    fn ending(mut self, functions: Vec<Call>) -> Result<(String, Vec<String>), Reject> {
        let mut text = "1 new C0(): deployed\n".to_string();
        let mut calls = Vec::new();
        for Call { text: call, called } in functions {
            let outcome = match called.fails {
                true => "reverted Panic(1)",
                false => "done",
            };
            let _ = writeln!(text, "{} {call}: {outcome}", calls.len() + 2);
            calls.push(call);
        }
        let machine = self.paused();
        for place in self.terms.scope {
            let shown = getter(self.terms.stage, place, machine.state(place.variable));
            let (call, value) = shown.ok_or(Reject::NotApplicable("not known how it shows"))?;
            if !calls.contains(&call) {
                let _ = writeln!(text, "{} {call}: returned ({value})", calls.len() + 2);
                calls.push(call);
            }
        }
        Ok((text, calls))
    }
}

/// The call that reads a place of the state, and what it returns.
fn getter(stage: &Stage, place: Place, state: &Value) -> Option<(String, String)> {
    let (argument, value) = match (place.steps().next(), state) {
        (None, value) => (String::new(), value.clone()),
        (Some(Step::At(at)), Value::Parts(parts)) => {
            (at.to_string(), parts.get(at as usize)?.clone())
        }
        (Some(Step::Entry(literal)), Value::Map(map)) => {
            let (kind, key) = literal.as_word()?;
            let shown = word_text(kind, &key);
            let value = map.get(&Key::Word(key)).cloned();
            (shown, value.unwrap_or(Value::Word(IBig::ZERO)))
        }
        (Some(Step::Field(_)), Value::Parts(_)) => {
            let fields = literal(stage.types(), stage.ast[place.variable].kind, state)?;
            let fields = fields.strip_prefix('(')?.strip_suffix(')')?;
            return Some((format!("C0.v{}()", place.variable.0), fields.to_string()));
        }
        _ => return None,
    };
    let value = literal(stage.types(), place.kind, &value)?;
    Some((format!("C0.v{}({argument})", place.variable.0), value))
}
