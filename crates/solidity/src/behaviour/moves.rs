//! The statements that move data: assigned, pushed, deleted, told, encoded.

use lydite_core::Reject;

use super::scene::Scene;
use crate::ast::{
    Encoding, Expression, ExpressionId, FunctionId, Literal, Member, Owner, Role, Signal, SignalId,
    Statement, StatementId, Type, TypeId, UnaryOp, VariableId, Via,
};
use crate::generate::{CONTRACT, Place, Stage};
use crate::types::{Elementary, Location, Mutability, Visibility};
use crate::version::Feature;

/// Parameters and local variables of a function, things that are encoded
/// together, and results, at most: the stack of the EVM is small.
pub(super) const PARAMETERS: u64 = 2;
const LOCALS: usize = 2;
const ENCODED: u64 = 3;
const RESULTS: u64 = 2;

/// The longest text that is written out.
const TEXT: u64 = 40;

/// The longest array that is made anew.
const NEW: u64 = 5;

/// A statement, if there is something for it.
pub(super) fn statement(scene: &mut Scene<'_>) -> Result<Option<StatementId>, Reject> {
    let grows = u64::from(scene.dialect.has(Feature::PushMember));
    let calls = u64::from(!scene.is_constructor);
    let locals = scene.roots.iter().filter(|place| is_local(scene, place));
    let room = u64::from(locals.count() < LOCALS);
    let weights = [12, 4, 6 * grows, 3 * calls, 5, 3 * room, room, 3, 2 * calls];
    let expression = match scene.choices.weighted(&weights)? {
        0 => assignment(scene)?,
        1 => push(scene)?,
        2 => on_growing(scene, Expression::Grow)?,
        3 => on_growing(scene, Expression::Pop)?,
        4 => delete(scene)?,
        5 => return local(scene),
        6 => return pointer(scene),
        7 => return emit(scene),
        _ => sent(scene)?,
    };
    Ok(expression.map(|expression| scene.stage.statement(Statement::Expression(expression))))
}

fn is_local(scene: &Scene<'_>, place: &Place) -> bool {
    scene.stage.ast[place.variable].role == Role::Local
}

/// One of the places that will do.
fn pick(
    scene: &mut Scene<'_>,
    will_do: impl Fn(&Scene<'_>, &Place) -> bool,
) -> Result<Option<Place>, Reject> {
    let mut places = scene.places();
    places.retain(|place| will_do(scene, place) && !(scene.is_constructor && place.is_risky()));
    // Parts are many, and what is not there ends the transaction.
    let (any_whole, any_safe) = (
        places.iter().any(Place::is_variable),
        places.iter().any(|place| !place.is_risky()),
    );
    if any_whole && scene.choices.chance(2, 3)? {
        places.retain(Place::is_variable);
    } else if any_safe && scene.choices.chance(3, 4)? {
        places.retain(|place| !place.is_risky());
    }
    match places.is_empty() {
        true => Ok(None),
        false => {
            let at = scene.choices.index(places.len())?;
            Ok(Some(places.swap_remove(at)))
        }
    }
}

/// Something that fits a type in storage or memory: copied, or made anew.
fn value(
    scene: &mut Scene<'_>,
    kind: TypeId,
    to_storage: bool,
) -> Result<Option<ExpressionId>, Reject> {
    if !scene.choices.chance(1, 5)? {
        let source = pick(scene, |scene, place| scene.flows(place, kind, to_storage))?;
        if let Some(source) = source {
            return Ok(Some(scene.named(source)?));
        }
    }
    if let Some(word) = scene.stage.types().word(kind) {
        return Ok(Some(scene.any_literal(word)?));
    }
    let expression = match scene.stage.ast[kind] {
        Type::Array { length: None, .. } => {
            let length = scene.choices.below(NEW + 1)?;
            let length = scene.number(length);
            Expression::NewArray { kind, length }
        }
        Type::Elementary(_) if scene.is_bytes(kind) && scene.choices.chance(1, 2)? => {
            Expression::Encode(Encoding::Packed, packed(scene)?)
        }
        Type::Elementary(_) => Expression::Literal(Literal::Text(scene.choices.below(TEXT)? as u8)),
        _ => return Ok(None),
    };
    Ok(Some(scene.stage.add(expression)))
}

/// Words and texts to be encoded tightly.
fn packed(scene: &mut Scene<'_>) -> Result<Vec<ExpressionId>, Reject> {
    let mut parts = Vec::new();
    for _ in 0..scene.choices.between(1, ENCODED)? {
        let place = pick(scene, |scene, place| {
            let is_array = matches!(scene.stage.ast[place.kind], Type::Array { .. });
            scene.is_flat(place.kind) && !is_array
        })?;
        parts.push(match place {
            Some(place) => scene.named(place)?,
            None => {
                let kind = scene.any_word_kind()?;
                scene.any_literal(kind)?
            }
        });
    }
    Ok(parts)
}

/// Something that can be assigned or deleted.
fn changed(scene: &mut Scene<'_>) -> Result<Option<Place>, Reject> {
    // What is in memory is gone when the function ends.
    let in_storage = scene.choices.chance(3, 4)?;
    pick(scene, |scene, place| match place.location {
        Location::Calldata => false,
        // A pointer is assigned what it points to.
        Location::Storage => scene.is_state(place) || !place.is_variable(),
        Location::Memory => !in_storage,
    })
}

/// `place = value`
fn assignment(scene: &mut Scene<'_>) -> Result<Option<ExpressionId>, Reject> {
    let Some(target) = changed(scene)? else {
        return Ok(None);
    };
    let Some(value) = value(scene, target.kind, target.location == Location::Storage)? else {
        return Ok(None);
    };
    let (op, target) = (None, scene.named(target)?);
    Ok(Some(scene.stage.add(Expression::Assign {
        op,
        target,
        value,
    })))
}

fn growing(scene: &mut Scene<'_>) -> Result<Option<Place>, Reject> {
    pick(scene, |scene, place| {
        place.location == Location::Storage && scene.is_growing(place.kind)
    })
}

/// `place.push(value)`
fn push(scene: &mut Scene<'_>) -> Result<Option<ExpressionId>, Reject> {
    let Some(array) = growing(scene)? else {
        return Ok(None);
    };
    let element = scene.element(array.kind);
    let Some(value) = value(scene, element, true)? else {
        return Ok(None);
    };
    let array = scene.named(array)?;
    Ok(Some(scene.stage.add(Expression::Push { array, value })))
}

/// `place.push()`, `place.pop()`
fn on_growing(
    scene: &mut Scene<'_>,
    made: impl Fn(ExpressionId) -> Expression,
) -> Result<Option<ExpressionId>, Reject> {
    let Some(array) = growing(scene)? else {
        return Ok(None);
    };
    let array = scene.named(array)?;
    Ok(Some(scene.stage.add(made(array))))
}

/// The whole or, as often, a part: what is beside a part has to stay.
fn delete(scene: &mut Scene<'_>) -> Result<Option<ExpressionId>, Reject> {
    let part = match scene.choices.chance(1, 2)? {
        true => deleted_part(scene)?,
        false => None,
    };
    let whole = match part {
        None => changed(scene)?,
        part => part,
    };
    let Some(place) = whole else {
        return Ok(None);
    };
    let (op, operand) = (UnaryOp::Delete, scene.named(place)?);
    Ok(Some(scene.stage.add(Expression::Unary { op, operand })))
}

fn deleted_part(scene: &mut Scene<'_>) -> Result<Option<Place>, Reject> {
    let mut places = scene.places();
    let is_constructor = scene.is_constructor;
    places.retain(|place| {
        let is_fixed = place.location == Location::Calldata || is_constructor && place.is_risky();
        !place.is_variable() && !is_fixed
    });
    match places.is_empty() {
        true => Ok(None),
        false => {
            let at = scene.choices.index(places.len())?;
            Ok(Some(places.swap_remove(at)))
        }
    }
}

/// A local variable in memory.
fn local(scene: &mut Scene<'_>) -> Result<Option<StatementId>, Reject> {
    let kind = scene.any_type()?;
    if !scene.is_reference(kind) {
        return Ok(None);
    }
    let value = match scene.choices.chance(3, 4)? {
        true => value(scene, kind, false)?,
        false => None,
    };
    Ok(Some(declared(scene, kind, Location::Memory, value)))
}

/// A local variable that points to a state variable.
fn pointer(scene: &mut Scene<'_>) -> Result<Option<StatementId>, Reject> {
    let place = pick(scene, |scene, place| {
        scene.is_state(place) && place.is_variable() && scene.is_reference(place.kind)
    })?;
    let Some(place) = place else {
        return Ok(None);
    };
    let value = scene.named(place)?;
    Ok(Some(declared(
        scene,
        place.kind,
        Location::Storage,
        Some(value),
    )))
}

fn declared(
    scene: &mut Scene<'_>,
    kind: TypeId,
    location: Location,
    value: Option<ExpressionId>,
) -> StatementId {
    let variable = scene.stage.located(Role::Local, kind, location);
    scene.roots.push(Place::of(variable, kind, location));
    scene.stage.statement(Statement::Declare {
        variables: vec![Some(variable)],
        value,
    })
}

/// Things that are encoded where they are.
fn coded(scene: &mut Scene<'_>, most: u64) -> Result<Vec<Place>, Reject> {
    let mut places = Vec::new();
    for _ in 0..scene.choices.between(1, most)? {
        places.extend(pick(scene, |scene, place| scene.is_coded(place))?);
    }
    Ok(places)
}

fn event(scene: &mut Scene<'_>, places: &[Place]) -> SignalId {
    let role = Role::Signal { indexed: false };
    let parameters = places
        .iter()
        .map(|place| scene.stage.field(role, place.kind))
        .collect();
    let id = SignalId(scene.stage.ast.signals.len() as u32);
    scene.stage.ast.signals.push(Signal {
        is_error: false,
        contract: Some(CONTRACT),
        parameters,
    });
    scene.stage.ast[CONTRACT].members.push(Member::Signal(id));
    id
}

fn names(scene: &mut Scene<'_>, places: &[Place]) -> Result<Vec<ExpressionId>, Reject> {
    places.iter().map(|place| scene.named(*place)).collect()
}

fn emit(scene: &mut Scene<'_>) -> Result<Option<StatementId>, Reject> {
    let places = coded(scene, ENCODED)?;
    let event = event(scene, &places);
    let arguments = names(scene, &places)?;
    Ok(Some(
        scene.stage.statement(Statement::Emit(event, arguments)),
    ))
}

/// What a function has in memory is gone when it ends, and told before.
pub(super) fn told(scene: &mut Scene<'_>) -> Result<Option<StatementId>, Reject> {
    let mut places = scene.places();
    places.retain(|place| {
        place.location == Location::Memory && place.is_variable() && scene.is_coded(place)
    });
    places.truncate(ENCODED as usize);
    if places.is_empty() {
        return Ok(None);
    }
    let event = event(scene, &places);
    let arguments = names(scene, &places)?;
    let told = scene.stage.statement(Statement::Emit(event, arguments));
    Ok(Some(told))
}

/// `this.f(…)`, where `f` tells what it gets.
fn sent(scene: &mut Scene<'_>) -> Result<Option<ExpressionId>, Reject> {
    let places = coded(scene, PARAMETERS)?;
    let arguments = names(scene, &places)?;
    let event = event(scene, &places);
    let owner = scene.stage.owner;
    let nested = scene.dialect.has(Feature::NestedCalldataCoding);
    let can_stay = places
        .iter()
        .all(|place| nested || scene.is_plain(place.kind));
    let is_external = can_stay && scene.choices.chance(1, 2)?;
    let visibility = match is_external {
        true => Visibility::External,
        false => Visibility::Public,
    };
    let mut parameters: Vec<VariableId> = Vec::new();
    for place in &places {
        let location = parameter_location(scene, is_external)?;
        parameters.push(scene.stage.located(Role::Parameter, place.kind, location));
    }
    let stage = &mut scene.stage;
    let function = stage.function(
        parameters.clone(),
        Vec::new(),
        visibility,
        Mutability::NonPayable,
    );
    stage.owner = Owner::Function(function);
    let given = parameters
        .iter()
        .map(|id| stage.add(Expression::Variable(*id)))
        .collect();
    let told = stage.statement(Statement::Emit(event, given));
    stage.ast[function].body = Some(vec![told]);
    stage.owner = owner;
    let via = Via::This;
    Ok(Some(stage.add(Expression::Call {
        function,
        via,
        arguments,
    })))
}

/// What the function returns: things, or how they are encoded.
pub(super) fn returned(
    scene: &mut Scene<'_>,
    function: FunctionId,
) -> Result<Option<StatementId>, Reject> {
    let memory = Location::Memory;
    if scene.choices.chance(1, 2)? {
        let places = coded(scene, ENCODED)?;
        let parts = names(scene, &places)?;
        let value = scene.stage.add(Expression::Encode(Encoding::Plain, parts));
        let result = scene
            .stage
            .located(Role::Result, Stage::kind(Elementary::BYTES), memory);
        scene.stage.ast[function].results = vec![result];
        return Ok(Some(scene.stage.statement(Statement::Return(vec![value]))));
    }
    let mut values = Vec::new();
    for _ in 0..scene.choices.between(1, RESULTS)? {
        let place = pick(scene, |scene, place| scene.flows(place, place.kind, false))?;
        if let Some(place) = place {
            values.push(scene.named(place)?);
            let result = scene.stage.located(Role::Result, place.kind, memory);
            scene.stage.ast[function].results.push(result);
        }
    }
    match values.is_empty() {
        true => Ok(None),
        false => Ok(Some(scene.stage.statement(Statement::Return(values)))),
    }
}

/// Where a parameter has its data: before 0.6.9 who may call decides.
pub(super) fn parameter_location(
    scene: &mut Scene<'_>,
    is_external: bool,
) -> Result<Location, Reject> {
    let in_calldata = match scene.dialect.has(Feature::CalldataAnywhere) {
        true => scene.choices.chance(1, 2)?,
        false => is_external,
    };
    Ok(match in_calldata {
        true => Location::Calldata,
        false => Location::Memory,
    })
}
