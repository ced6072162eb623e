//! Expressions by the thousand: contracts whose every function returns one
//! term over its parameters, called with many values each.
//!
//! Nothing is repaired here: what overflows, divides by zero or reaches beyond
//! the end has to fail as the interpreter says.

use std::fmt::Write;

use dashu_int::IBig;
use lydite_core::{Case, Choices, Reject};

use super::text::{case, failure, tuple, word_text};
use crate::ast::{FunctionId, Owner, Role, Statement, Words};
use crate::generate::{CONTRACT, Stage, Terms, Vocabulary, any_word};
use crate::interpret::{Machine, Order, Stop, Value, World};
use crate::sizes::ProgramSizes;
use crate::types::{Mutability, VALUES, Visibility};
use crate::version::Feature;

/// Makes cases of packed expressions.
#[derive(Clone, Debug)]
pub struct Expressions {
    vocabulary: Vocabulary,
    words: Words,
    functions: u32,
    calls: u32,
    sizes: ProgramSizes,
}

/// Parameters of a function, at most.
const PARAMETERS: u64 = 4;

/// Steps of one call.
const FUEL: u64 = 20_000;

/// A call: the text of its transaction, and its arguments.
struct Call {
    function: FunctionId,
    text: String,
    arguments: Vec<Value>,
}

impl Expressions {
    /// So many functions of a contract at most, and calls of each.
    pub(super) fn new(
        vocabulary: Vocabulary,
        functions: u32,
        calls: u32,
        sizes: ProgramSizes,
    ) -> Expressions {
        let words = Words::new(&vocabulary.dialect);
        Expressions {
            vocabulary,
            words,
            functions,
            calls,
            sizes,
        }
    }

    /// Draws a case.
    pub fn case(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let size = self.sizes.draw(choices)?;
        let mut stage = Stage::new();
        let mut terms = Terms::new(&mut stage, choices, &self.vocabulary);
        terms.effects = false;
        let mut calls = Vec::new();
        for _ in 0..size.of(self.functions) {
            self.function(&mut terms, &mut calls)?;
        }
        let (mut text, mut script) = self.text(&stage, calls)?;
        text.insert_str(0, "1 new C0(): deployed\n");
        script.insert_str(0, "hide state\nnew C0()\n");
        let program = stage.program(&self.vocabulary.dialect, &self.words);
        Ok(case(program, script, text))
    }

    fn function(&self, terms: &mut Terms<'_>, calls: &mut Vec<Call>) -> Result<(), Reject> {
        terms.begin();
        terms.scope.clear();
        let (mut kinds, mut parameters) = (Vec::new(), Vec::new());
        for _ in 0..terms.choices.between(1, PARAMETERS)? {
            let kind = terms.any_kind(VALUES)?;
            let parameter = terms.stage.variable(Role::Parameter, kind);
            terms.sees(kind, parameter, None);
            kinds.push(kind);
            parameters.push(parameter);
        }
        let kind = terms.any_kind(VALUES)?;
        let result = terms.stage.variable(Role::Result, kind);
        let (visibility, mutability) = (Visibility::Public, Mutability::View);
        let stage = &mut *terms.stage;
        let function = stage.function(parameters, vec![result], visibility, mutability);
        stage.owner = Owner::Function(function);
        let value = terms.fitting(kind)?;
        let unchecked = self.vocabulary.dialect.has(Feature::Unchecked);
        let is_unchecked = unchecked && terms.choices.chance(1, 3)?;
        let mut body = terms.stage.statement(Statement::Return(vec![value]));
        if is_unchecked {
            body = terms.stage.statement(Statement::Unchecked(vec![body]));
        }
        terms.stage.ast[function].body = Some(vec![body]);
        for _ in 0..self.calls {
            let mut call = Call {
                function,
                text: format!("C0.f{}(", function.0),
                arguments: Vec::new(),
            };
            for (at, kind) in kinds.iter().enumerate() {
                let value = any_word(*kind, terms.choices)?;
                call.text += if at == 0 { "" } else { ", " };
                call.text += &word_text(*kind, &value);
                call.arguments.push(Value::Word(value));
            }
            call.text.push(')');
            calls.push(call);
        }
        Ok(())
    }

    /// What the calls show, and the script of those that show the same in
    /// whatever order operands are evaluated: which of two faults comes first
    /// is nobody's bug.
    fn text(&self, stage: &Stage, calls: Vec<Call>) -> Result<(String, String), Reject> {
        let machine = |order: Order| {
            let (ast, values) = (&stage.ast, &stage.values);
            let dialect = &self.vocabulary.dialect;
            let world = World::default();
            Machine::new(ast, values, dialect, CONTRACT, order, world, FUEL)
        };
        let mut machines = [machine(Order::RightFirst), machine(Order::LeftFirst)];
        for machine in &mut machines {
            let built = machine.construct(Vec::new(), &IBig::ZERO);
            built.map_err(|_| Reject::NotApplicable("cannot be deployed"))?;
        }
        let panics = self.vocabulary.dialect.has(Feature::Unchecked);
        let (mut text, mut script) = (String::new(), String::new());
        let mut number = 2;
        for call in calls {
            let [right, left] = machines.each_mut().map(|machine| {
                machine.fuel(FUEL);
                let done = machine.transact(call.function, call.arguments.clone(), &IBig::ZERO);
                shown(stage, call.function, done.map(|(values, _)| values), panics)
            });
            if let Some(said) = right
                && left.as_ref() == Some(&said)
            {
                let _ = writeln!(text, "{number} {}: {said}", call.text);
                let _ = writeln!(script, "{}", call.text);
                number += 1;
            }
        }
        Ok((text, script))
    }
}

/// What a call shows; nothing if that is not known.
fn shown(
    stage: &Stage,
    function: FunctionId,
    done: Result<Vec<Value>, Stop>,
    panics: bool,
) -> Option<String> {
    let types = stage.types();
    match done {
        Ok(values) => {
            let results = stage.ast[function].results.iter();
            let kinds = results.map(|id| stage.ast[*id].kind);
            Some(format!("returned {}", tuple(types, kinds, &values)?))
        }
        Err(stop) => failure(types, &stop, panics),
    }
}
