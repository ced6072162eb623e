//! Data on its way: arrays, structs and texts that are copied between storage,
//! memory and calldata, grown, cut, deleted, encoded and decoded, and read
//! back after each step.
//!
//! That is where many published bugs of code generators were: what is not
//! cleaned when data shrinks shows when it grows again, what is packed is
//! encoded wrongly from where it is, and so on. There is hardly an operator in
//! these programs; [`super::Assigned`] has those.

use lydite_core::{Case, Choices, Reject};

use super::rehearsal::{Called, Rehearsal};
use super::spots::{Home, Scene, Spot, Thing};
use super::stage::{CONTRACT, Stage};
use super::text::case;
use crate::ast::{
    Encoding, Expression, ExpressionId, FunctionId, FunctionName, Literal, Member, Owner, Role,
    Signal, SignalId, Statement, StatementId, Type, TypeId, UnaryOp, VariableId, Via, Words,
};
use crate::qualify::writable;
use crate::sizes::ProgramSizes;
use crate::types::{Domain, Elementary, Mutability, VALUES, Visibility};
use crate::version::{Dialect, Feature};

/// How large contracts are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopiesSizes {
    /// State variables.
    pub variables: u32,
    /// Functions that move data, besides those that read it.
    pub functions: u32,
    /// Statements of a function.
    pub statements: u32,
    /// Calls of such functions.
    pub transactions: u32,
    /// How many sizes of contracts there are; this is the largest.
    pub sizes: ProgramSizes,
}

/// Makes cases of data on its way.
#[derive(Clone, Debug)]
pub struct Copies {
    dialect: Dialect,
    words: Words,
    kinds: Domain,
    sizes: CopiesSizes,
}

/// Parameters and local variables of a function, things that are encoded
/// together, and results, at most: the stack of the EVM is small.
const PARAMETERS: u64 = 2;
const LOCALS: usize = 2;
const ENCODED: u64 = 3;
const RESULTS: u64 = 2;

/// Lengths of arrays in arguments, shorter ones first: so many small elements
/// need several slots.
const LENGTHS: &[u64] = &[0, 1, 2, 5, 9, 20];

/// How often `push()` is repeated at most.
const GROWN: u64 = 4;

/// The longest text that is written out.
const TEXT: u64 = 40;

/// The longest array that is made anew.
const NEW: u64 = 5;

impl Copies {
    pub(super) fn new(dialect: Dialect, widths: u8, sizes: CopiesSizes) -> Copies {
        Copies {
            words: Words::new(&dialect),
            kinds: writable(&dialect, widths) & VALUES & !Elementary::PAYABLE.bit(),
            dialect,
            sizes,
        }
    }

    /// Draws a case.
    pub fn case(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let size = self.sizes.sizes.draw(choices)?;
        let mut scene = Scene {
            stage: Stage::new(),
            choices,
            dialect: &self.dialect,
            kinds: self.kinds,
            things: Vec::new(),
            is_constructor: false,
        };
        for _ in 0..scene.choices.below(3)? {
            scene.structure()?;
        }
        for number in 0..size.of(self.sizes.variables) {
            if number > 0 && !scene.choices.chance(15, 16)? {
                continue;
            }
            let kind = scene.any_type()?;
            let variable = scene.stage.state(kind, None);
            scene.stage.ast[variable].visibility = Some(Stage::visibility(Visibility::Internal));
            let can_pass = self.dialect.has(Feature::Transient) && !scene.is_reference(kind);
            if can_pass && scene.choices.chance(1, 2)? {
                scene.stage.ast[variable].role = Role::Transient(CONTRACT);
            }
            let home = Home::State;
            scene.things.push(Thing {
                variable,
                kind,
                home,
            });
        }
        let state = scene.things.clone();
        let readers = readers(&mut scene, &state);
        if scene.choices.chance(1, 2)? {
            function(&mut scene, true, size.of(self.sizes.statements))?;
        }
        let mut movers = Vec::new();
        for number in 0..size.of(self.sizes.functions) {
            // Rarely one is left out, so that a reduction can leave out more.
            if number == 0 || scene.choices.chance(15, 16)? {
                scene.things.clone_from(&state);
                movers.push(function(&mut scene, false, size.of(self.sizes.statements))?);
            }
        }
        let Scene { stage, choices, .. } = scene;
        let rehearsal = Rehearsal {
            types: stage.types(),
            dialect: &self.dialect,
            contract: CONTRACT,
        };
        let mut calls = vec![rehearsal.drawn(Called::Constructor, LENGTHS, choices)?];
        for _ in 0..self.sizes.transactions {
            for among in [&movers, &readers] {
                if choices.chance(15, 16)? {
                    let function = Called::Function(*choices.pick(among)?);
                    calls.push(rehearsal.drawn(function, LENGTHS, choices)?);
                }
            }
        }
        for reader in readers {
            if choices.chance(15, 16)? {
                calls.push(rehearsal.drawn(Called::Function(reader), LENGTHS, choices)?);
            }
        }
        let (script, text) = rehearsal.behaviour(&calls)?;
        Ok(case(
            stage.program(&self.dialect, &self.words),
            script,
            text,
        ))
    }
}

/// For each state variable a function that returns all of it.
fn readers(scene: &mut Scene<'_>, state: &[Thing]) -> Vec<FunctionId> {
    let stage = &mut scene.stage;
    let read = state.iter().map(|thing| {
        let result = stage.located(Role::Result, thing.kind, Home::Memory.location());
        let (visibility, mutability) = (Visibility::Public, Mutability::View);
        let id = stage.function(Vec::new(), vec![result], visibility, mutability);
        stage.owner = Owner::Function(id);
        let value = stage.add(Expression::Variable(thing.variable));
        let statement = stage.statement(Statement::Return(vec![value]));
        stage.ast[id].body = Some(vec![statement]);
        id
    });
    read.collect()
}

/// A function that moves data, or the constructor.
fn function(
    scene: &mut Scene<'_>,
    is_constructor: bool,
    statements: u32,
) -> Result<FunctionId, Reject> {
    let is_external = !is_constructor && scene.choices.chance(1, 2)?;
    let visibility = match is_external {
        true => Visibility::External,
        false => Visibility::Public,
    };
    let mut parameters = Vec::new();
    for _ in 0..scene.choices.below(PARAMETERS + 1)? {
        let kind = scene.any_type()?;
        let home = match is_constructor || !scene.is_reference(kind) {
            true => Home::Memory,
            false => parameter_home(scene, is_external)?,
        };
        let nested = scene.dialect.has(Feature::CalldataStructs);
        if home == Home::Calldata && !nested && !scene.is_flat(kind) {
            continue;
        }
        let variable = scene.stage.located(Role::Parameter, kind, home.location());
        // Once the parameters of such functions were read where they came in.
        let fixed = is_external && !scene.dialect.has(Feature::ExternalAssignable);
        let home = if fixed { Home::Calldata } else { home };
        parameters.push(Thing {
            variable,
            kind,
            home,
        });
    }
    let declared = parameters.iter().map(|thing| thing.variable).collect();
    let mutability = Mutability::NonPayable;
    let id = scene
        .stage
        .function(declared, Vec::new(), visibility, mutability);
    if is_constructor {
        scene.stage.ast[id].name = FunctionName::Constructor;
    }
    scene.stage.owner = Owner::Function(id);
    scene.is_constructor = is_constructor;
    scene.things.extend(parameters);
    let mut body = Vec::new();
    for _ in 0..scene.choices.between(1, u64::from(statements))? {
        let statement = statement(scene)?;
        // What was not cleaned may be some elements further on.
        let times = match statement.map(|id| &scene.stage.ast[id]) {
            Some(Statement::Expression(value))
                if matches!(scene.stage.ast[*value], Expression::Grow(_)) =>
            {
                scene.choices.between(1, GROWN)?
            }
            _ => 1,
        };
        body.extend((0..times).flat_map(|_| statement));
    }
    if !is_constructor && scene.choices.chance(1, 2)? {
        body.extend(told(scene)?);
    }
    if !is_constructor && scene.choices.chance(1, 2)? {
        body.extend(returned(scene, id)?);
    }
    scene.stage.ast[id].body = Some(body);
    Ok(id)
}

/// Where a parameter has its data: before 0.6.9 who may call decides.
fn parameter_home(scene: &mut Scene<'_>, is_external: bool) -> Result<Home, Reject> {
    let in_calldata = match scene.dialect.has(Feature::CalldataAnywhere) {
        true => scene.choices.chance(1, 2)?,
        false => is_external,
    };
    Ok(match in_calldata {
        true => Home::Calldata,
        false => Home::Memory,
    })
}

/// A statement, if there is something for it.
fn statement(scene: &mut Scene<'_>) -> Result<Option<StatementId>, Reject> {
    let grows = u64::from(scene.dialect.has(Feature::PushMember));
    let calls = u64::from(!scene.is_constructor);
    let locals = scene.things.iter().filter(|thing| is_local(scene, thing));
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

fn is_local(scene: &Scene<'_>, thing: &Thing) -> bool {
    scene.stage.ast[thing.variable].role == Role::Local
}

/// One of the spots that will do.
fn pick(
    scene: &mut Scene<'_>,
    will_do: impl Fn(&Scene<'_>, &Spot) -> bool,
) -> Result<Option<Spot>, Reject> {
    let mut spots = scene.spots();
    spots.retain(|spot| will_do(scene, spot) && !(scene.is_constructor && spot.is_risky()));
    // Parts are many, and what is not there ends the transaction.
    let (any_whole, any_safe) = (
        spots.iter().any(Spot::is_whole),
        spots.iter().any(|spot| !spot.is_risky()),
    );
    if any_whole && scene.choices.chance(2, 3)? {
        spots.retain(Spot::is_whole);
    } else if any_safe && scene.choices.chance(3, 4)? {
        spots.retain(|spot| !spot.is_risky());
    }
    match spots.is_empty() {
        true => Ok(None),
        false => {
            let at = scene.choices.index(spots.len())?;
            Ok(Some(spots.swap_remove(at)))
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
        let source = pick(scene, |scene, spot| scene.flows(spot, kind, to_storage))?;
        if let Some(source) = source {
            return Ok(Some(scene.named(&source)?));
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
        let spot = pick(scene, |scene, spot| {
            let is_array = matches!(scene.stage.ast[spot.kind], Type::Array { .. });
            scene.is_flat(spot.kind) && !is_array
        })?;
        parts.push(match spot {
            Some(spot) => scene.named(&spot)?,
            None => {
                let kind = scene.any_word_kind()?;
                scene.any_literal(kind)?
            }
        });
    }
    Ok(parts)
}

/// Something that can be assigned or deleted.
fn changed(scene: &mut Scene<'_>) -> Result<Option<Spot>, Reject> {
    // What is in memory is gone when the function ends.
    let in_storage = scene.choices.chance(3, 4)?;
    pick(scene, |_, spot| match spot.home {
        Home::Calldata => false,
        Home::Pointer => !spot.is_whole(),
        Home::State => true,
        Home::Memory => !in_storage,
    })
}

/// `spot = value`
fn assignment(scene: &mut Scene<'_>) -> Result<Option<ExpressionId>, Reject> {
    let Some(target) = changed(scene)? else {
        return Ok(None);
    };
    let Some(value) = value(scene, target.kind, target.home.is_storage())? else {
        return Ok(None);
    };
    let (op, target) = (None, scene.named(&target)?);
    Ok(Some(scene.stage.add(Expression::Assign {
        op,
        target,
        value,
    })))
}

fn growing(scene: &mut Scene<'_>) -> Result<Option<Spot>, Reject> {
    pick(scene, |scene, spot| {
        spot.home.is_storage() && scene.is_growing(spot.kind)
    })
}

/// `spot.push(value)`
fn push(scene: &mut Scene<'_>) -> Result<Option<ExpressionId>, Reject> {
    let Some(array) = growing(scene)? else {
        return Ok(None);
    };
    let element = scene.element(array.kind);
    let Some(value) = value(scene, element, true)? else {
        return Ok(None);
    };
    let array = scene.named(&array)?;
    Ok(Some(scene.stage.add(Expression::Push { array, value })))
}

/// `spot.push()`, `spot.pop()`
fn on_growing(
    scene: &mut Scene<'_>,
    made: impl Fn(ExpressionId) -> Expression,
) -> Result<Option<ExpressionId>, Reject> {
    let Some(array) = growing(scene)? else {
        return Ok(None);
    };
    let array = scene.named(&array)?;
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
    let Some(spot) = whole else {
        return Ok(None);
    };
    let (op, operand) = (UnaryOp::Delete, scene.named(&spot)?);
    Ok(Some(scene.stage.add(Expression::Unary { op, operand })))
}

fn deleted_part(scene: &mut Scene<'_>) -> Result<Option<Spot>, Reject> {
    let mut spots = scene.spots();
    let is_constructor = scene.is_constructor;
    spots.retain(|spot| {
        let is_fixed = spot.home == Home::Calldata || is_constructor && spot.is_risky();
        !spot.is_whole() && !is_fixed
    });
    match spots.is_empty() {
        true => Ok(None),
        false => {
            let at = scene.choices.index(spots.len())?;
            Ok(Some(spots.swap_remove(at)))
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
    Ok(Some(declared(scene, kind, Home::Memory, value)))
}

/// A local variable that points to a state variable.
fn pointer(scene: &mut Scene<'_>) -> Result<Option<StatementId>, Reject> {
    let spot = pick(scene, |scene, spot| {
        spot.home == Home::State && spot.is_whole() && scene.is_reference(spot.kind)
    })?;
    let Some(spot) = spot else {
        return Ok(None);
    };
    let value = scene.named(&spot)?;
    Ok(Some(declared(scene, spot.kind, Home::Pointer, Some(value))))
}

fn declared(
    scene: &mut Scene<'_>,
    kind: TypeId,
    home: Home,
    value: Option<ExpressionId>,
) -> StatementId {
    let variable = scene.stage.located(Role::Local, kind, home.location());
    scene.things.push(Thing {
        variable,
        kind,
        home,
    });
    scene.stage.statement(Statement::Declare {
        variables: vec![Some(variable)],
        value,
    })
}

/// Things that are encoded where they are.
fn coded(scene: &mut Scene<'_>, most: u64) -> Result<Vec<Spot>, Reject> {
    let mut spots = Vec::new();
    for _ in 0..scene.choices.between(1, most)? {
        spots.extend(pick(scene, |scene, spot| scene.is_coded(spot))?);
    }
    Ok(spots)
}

fn event(scene: &mut Scene<'_>, spots: &[Spot]) -> SignalId {
    let role = Role::Signal { indexed: false };
    let parameters = spots
        .iter()
        .map(|spot| scene.stage.field(role, spot.kind))
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

fn names(scene: &mut Scene<'_>, spots: &[Spot]) -> Result<Vec<ExpressionId>, Reject> {
    spots.iter().map(|spot| scene.named(spot)).collect()
}

fn emit(scene: &mut Scene<'_>) -> Result<Option<StatementId>, Reject> {
    let spots = coded(scene, ENCODED)?;
    let event = event(scene, &spots);
    let arguments = names(scene, &spots)?;
    Ok(Some(
        scene.stage.statement(Statement::Emit(event, arguments)),
    ))
}

/// What a function has in memory is gone when it ends, and told before.
fn told(scene: &mut Scene<'_>) -> Result<Option<StatementId>, Reject> {
    let mut spots = scene.spots();
    spots.retain(|spot| spot.home == Home::Memory && spot.is_whole() && scene.is_coded(spot));
    spots.truncate(ENCODED as usize);
    if spots.is_empty() {
        return Ok(None);
    }
    let event = event(scene, &spots);
    let arguments = names(scene, &spots)?;
    let told = scene.stage.statement(Statement::Emit(event, arguments));
    Ok(Some(told))
}

/// `this.f(…)`, where `f` tells what it gets.
fn sent(scene: &mut Scene<'_>) -> Result<Option<ExpressionId>, Reject> {
    let spots = coded(scene, PARAMETERS)?;
    let arguments = names(scene, &spots)?;
    let event = event(scene, &spots);
    let owner = scene.stage.owner;
    let nested = scene.dialect.has(Feature::NestedCalldataCoding);
    let can_stay = spots.iter().all(|spot| nested || scene.is_plain(spot.kind));
    let is_external = can_stay && scene.choices.chance(1, 2)?;
    let visibility = match is_external {
        true => Visibility::External,
        false => Visibility::Public,
    };
    let mut parameters: Vec<VariableId> = Vec::new();
    for spot in &spots {
        let location = parameter_home(scene, is_external)?.location();
        parameters.push(scene.stage.located(Role::Parameter, spot.kind, location));
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
fn returned(scene: &mut Scene<'_>, function: FunctionId) -> Result<Option<StatementId>, Reject> {
    let memory = Home::Memory.location();
    if scene.choices.chance(1, 2)? {
        let spots = coded(scene, ENCODED)?;
        let parts = names(scene, &spots)?;
        let value = scene.stage.add(Expression::Encode(Encoding::Plain, parts));
        let result = scene
            .stage
            .located(Role::Result, Stage::kind(Elementary::BYTES), memory);
        scene.stage.ast[function].results = vec![result];
        return Ok(Some(scene.stage.statement(Statement::Return(vec![value]))));
    }
    let mut values = Vec::new();
    for _ in 0..scene.choices.between(1, RESULTS)? {
        let spot = pick(scene, |scene, spot| scene.flows(spot, spot.kind, false))?;
        if let Some(spot) = spot {
            values.push(scene.named(&spot)?);
            let result = scene.stage.located(Role::Result, spot.kind, memory);
            scene.stage.ast[function].results.push(result);
        }
    }
    match values.is_empty() {
        true => Ok(None),
        false => Ok(Some(scene.stage.statement(Statement::Return(values)))),
    }
}
