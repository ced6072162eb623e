//! Variants of assignment sequences with code that changes nothing.
//!
//! A contract that somebody wrote is run with probes first, to see what its variables
//! hold ([`crate::equivalent`]). Of an assignment sequence the interpreter knows that: its
//! statements are computed once more, and what is live before each becomes the profile.
//! Of functions that only terms call it says nothing, so no code goes there.

use std::collections::BTreeMap;

use dashu_int::IBig;

use crate::ast::{ExpressionId, FunctionId, Statement, StatementId, VariableId};
use crate::equivalent::{Outline, Point, Profile, Seen};
use crate::generate::{Place, Stage, Step};
use crate::interpret::{Machine, Paused, Value};
use crate::types::Location;
use crate::version::Dialect;

/// A function that a transaction calls, and whether it comes to nothing.
#[derive(Clone, Debug)]
pub(super) struct Called {
    pub(super) function: FunctionId,
    pub(super) arguments: Vec<Value>,
    pub(super) fails: bool,
}

/// What is live before each statement of a finished program; nothing if its text is not
/// what it should be. The machine stands where the contract was deployed.
pub(super) fn profile(
    stage: &mut Stage,
    dialect: &Dialect,
    (source, transactions): (&str, &str),
    mut deployed: Paused,
    calls: &[Called],
) -> Option<Profile> {
    let outline = Outline::of(source.as_bytes()).ok()?;
    let mut places: BTreeMap<&str, ExpressionId> = BTreeMap::new();
    for variable in outline.points.iter().flat_map(|point| &point.variables) {
        if let Some(place) = named(stage, &variable.name) {
            places.insert(&variable.name, place);
        }
    }
    let mut profile = Profile {
        solc: dialect.version().to_string(),
        transactions: transactions.to_string(),
        points: BTreeMap::new(),
    };
    let mut called = Vec::new();
    for call in calls {
        let head = format!("function f{}(", call.function.0);
        let is_own = |point: &&Point| source[point.function..].starts_with(&head);
        let mut points = outline.points.iter().filter(is_own);
        let before = deployed.clone();
        let mut machine = deployed.resume(&stage.ast, &stage.values);
        machine.begin(call.function, call.arguments.clone());
        for statement in stage.ast[call.function].body.as_ref()? {
            for is_reached in nested(stage, *statement) {
                let point = points.next()?;
                called.push(point.offset);
                if is_reached {
                    let seen = seen(&mut machine, point, &places)?;
                    profile.points.insert(point.offset, seen);
                }
            }
            if machine.perform(*statement).is_err() && !call.fails {
                return None;
            }
        }
        if points.next().is_some() {
            return None;
        }
        deployed = if call.fails { before } else { machine.pause() };
    }
    for point in &outline.points {
        if !called.contains(&point.offset) {
            profile.points.insert(point.offset, Seen::default());
        }
    }
    Some(profile)
}

/// A statement and those inside of it, in the order of the text, and whether each is
/// reached: checks of what holds never come to what they would say.
fn nested(stage: &Stage, statement: StatementId) -> Vec<bool> {
    match &stage.ast[statement] {
        Statement::Unchecked(inside) => {
            let inside = inside.iter().flat_map(|one| nested(stage, *one));
            std::iter::once(true).chain(inside).collect()
        }
        Statement::If { yes, .. } => std::iter::once(true)
            .chain(yes.iter().map(|_| false))
            .collect(),
        _ => vec![true],
    }
}

fn seen(
    machine: &mut Machine<'_>,
    point: &Point,
    places: &BTreeMap<&str, ExpressionId>,
) -> Option<Seen> {
    let (mut variables, mut values) = (Vec::new(), Vec::<IBig>::new());
    for variable in &point.variables {
        let Some(place) = places.get(variable.name.as_str()) else {
            continue;
        };
        let Ok(Value::Word(value)) = machine.value(*place) else {
            return None;
        };
        variables.push(variable.name.clone());
        values.push(value);
    }
    Some(Seen {
        variables,
        environments: Some([values].into()),
    })
}

/// The variable, member or element that a text names.
fn named(stage: &mut Stage, text: &str) -> Option<ExpressionId> {
    let number = |text: &str| text.strip_prefix('v')?.parse().ok().map(VariableId);
    let (root, step) = match (text.split_once('.'), text.split_once('[')) {
        (Some((root, field)), _) => (root, Some(Step::Field(number(field)?))),
        (_, Some((root, index))) => (root, Some(Step::At(index.strip_suffix(']')?.parse().ok()?))),
        _ => (text, None),
    };
    let root = number(root)?;
    let kind = stage.ast.variables.get(root.0 as usize)?.kind;
    let whole = Place::of(root, kind, Location::Memory);
    // Nobody asks for the type of what is only read.
    let place = step.map_or(whole, |step| whole.part(step, kind));
    stage.place(place).ok()
}
