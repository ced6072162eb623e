//! Places: variables and parts of them, which expressions read and write.

use lydite_core::Reject;

use super::stage::Stage;
use crate::ast::{Ast, Expression, ExpressionId, Literal, Type, TypeId, VariableId};
use crate::types::{Elementary, Location};
use crate::typing::Types;

/// The longest way from a variable to a part of it.
const STEPS: usize = 3;

/// A variable, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub variable: VariableId,
    steps: [Option<Step>; STEPS],
    /// The type of what is there.
    pub kind: TypeId,
    /// Where the data is. Words of the frame are in memory.
    pub location: Location,
}

/// From something to a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Field(VariableId),
    /// The element with this number, which is there.
    At(u32),
    /// What a mapping has under this key.
    Entry(Literal),
    /// An element of an array of a fixed length, by an index that is there.
    Element,
    /// An element of what may be empty.
    Risky,
    /// What a mapping has under some key.
    Key,
}

/// How far and into what places reach, and in which order they come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// At most `STEPS`.
    pub steps: usize,
    pub mappings: bool,
    /// Into `bytes` too, in a program on a stage.
    pub bytes: bool,
    /// The last part of something comes before the first.
    pub last_first: bool,
}

impl Place {
    /// A variable itself.
    pub(crate) fn of(variable: VariableId, kind: TypeId, location: Location) -> Place {
        Place {
            variable,
            steps: [None; STEPS],
            kind,
            location,
        }
    }

    /// A part of it, of that type; a way that is full already ends there.
    pub(crate) fn part(mut self, step: Step, kind: TypeId) -> Place {
        if let Some(free) = self.steps.iter_mut().find(|step| step.is_none()) {
            *free = Some(step);
        }
        self.kind = kind;
        self
    }

    pub(crate) fn steps(self) -> impl Iterator<Item = Step> {
        self.steps.into_iter().flatten()
    }

    /// True if it is a variable itself.
    pub(crate) fn is_variable(&self) -> bool {
        self.steps[0].is_none()
    }

    /// True if it starts at a state variable.
    pub(crate) fn is_state(&self, ast: &Ast) -> bool {
        ast[self.variable].contract().is_some()
    }

    /// True if it may not be there.
    pub(crate) fn is_risky(&self) -> bool {
        self.steps().any(|step| step == Step::Risky)
    }

    /// Calls `found` for the place and all parts of it within reach, wholes
    /// before parts.
    pub(crate) fn walk(self, types: Types<'_>, reach: Reach, found: &mut impl FnMut(Place)) {
        found(self);
        self.walk_parts(types, reach, found);
    }

    /// The same for the parts alone.
    pub(crate) fn walk_parts(self, types: Types<'_>, reach: Reach, found: &mut impl FnMut(Place)) {
        if self.steps().count() >= reach.steps {
            return;
        }
        let mut step = |step: Step, kind: TypeId| {
            self.part(step, kind).walk(types, reach, found);
        };
        match types.ast[self.kind] {
            Type::Array { element, length } => {
                let within = match length {
                    Some(_) => Step::Element,
                    None => Step::Risky,
                };
                step(within, element);
            }
            Type::Mapping { value, .. } if reach.mappings => step(Step::Key, value),
            Type::Struct(id) => {
                let fields = &types.ast[id].fields;
                let mut field = |id: &VariableId| step(Step::Field(*id), types.ast[*id].kind);
                match reach.last_first {
                    true => fields.iter().rev().for_each(&mut field),
                    false => fields.iter().for_each(&mut field),
                }
            }
            Type::Elementary(own) if reach.bytes && types.elementary(own) == Elementary::BYTES => {
                step(Step::Risky, Stage::kind(Elementary::fixed_bytes(1)));
            }
            Type::Mapping { .. }
            | Type::Elementary(_)
            | Type::Contract(_)
            | Type::Enum(_)
            | Type::Value(_)
            | Type::Function(_) => {}
        }
    }
}

/// Writes expressions that name places.
pub(crate) trait NamePlaces {
    fn ast(&self) -> &Ast;

    /// Adds an expression to the program.
    fn add(&mut self, expression: Expression) -> ExpressionId;

    /// The index or key of a step into something of a type; it is nested no
    /// deeper than that.
    fn index(&mut self, of: TypeId, step: Step, depth: u32) -> Result<ExpressionId, Reject>;

    /// The expression that names a place.
    fn name(&mut self, place: Place, depth: u32) -> Result<ExpressionId, Reject> {
        let mut base = self.add(Expression::Variable(place.variable));
        let mut kind = self.ast()[place.variable].kind;
        for step in place.steps() {
            base = match step {
                Step::Field(field) => {
                    kind = self.ast()[field].kind;
                    self.add(Expression::Member { base, field })
                }
                Step::At(_) | Step::Entry(_) | Step::Element | Step::Risky | Step::Key => {
                    let index = self.index(kind, step, depth)?;
                    kind = self.ast()[kind].element().unwrap_or(kind);
                    self.add(Expression::Index { base, index })
                }
            };
        }
        Ok(base)
    }
}

/// A number without a type.
pub(crate) fn number(value: u64) -> Expression {
    let negative = false;
    Expression::Literal(Literal::Number { value, negative })
}
