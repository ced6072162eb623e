//! Data on its way: arrays, structs and texts that are copied between storage,
//! memory and calldata, grown, cut, deleted, encoded and decoded, and read
//! back after each step.
//!
//! That is where many published bugs of code generators were: what is not
//! cleaned when data shrinks shows when it grows again, what is packed is
//! encoded wrongly from where it is, and so on. There is hardly an operator in
//! these programs; [`super::Assigned`] has those.

use lydite_core::{Case, Choices, Reject};

use super::moves::{PARAMETERS, parameter_location, returned, statement, told};
use super::rehearsal::{Call, Called, Rehearsal};
use super::scene::Scene;
use super::text::case;
use crate::ast::{Expression, FunctionId, FunctionName, Owner, Role, Statement, Words};
use crate::generate::{CONTRACT, Place, Stage};
use crate::qualify::writable;
use crate::sizes::ProgramSizes;
use crate::types::{Domain, Elementary, Location, Mutability, VALUES, Visibility};
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
    /// Of a hundred contracts so many have an array across the end of storage.
    pub across_end: u64,
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

/// Lengths of arrays in arguments, shorter ones first: so many small elements
/// need several slots.
const LENGTHS: &[u64] = &[0, 1, 2, 5, 9, 20];

/// How often `push()` is repeated at most.
const GROWN: u64 = 4;

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
            roots: Vec::new(),
            is_constructor: false,
        };
        self.declare_state(&mut scene, size.of(self.sizes.variables))?;
        let state = scene.roots.clone();
        let readers = readers(&mut scene, &state);
        if scene.choices.chance(1, 2)? {
            function(&mut scene, true, size.of(self.sizes.statements))?;
        }
        let mut movers = Vec::new();
        for number in 0..size.of(self.sizes.functions) {
            // Rarely one is left out, so that a reduction can leave out more.
            if number == 0 || scene.choices.chance(15, 16)? {
                scene.roots.clone_from(&state);
                movers.push(function(&mut scene, false, size.of(self.sizes.statements))?);
            }
        }
        let Scene { stage, choices, .. } = scene;
        let rehearsal = Rehearsal {
            types: stage.types(),
            dialect: &self.dialect,
            contract: CONTRACT,
        };
        let calls = self.draw_calls(&rehearsal, &movers, &readers, choices)?;
        let (script, text) = rehearsal.behaviour(&calls)?;
        let program = stage.program(&self.dialect, &self.words);
        Ok(case(program, script, text))
    }

    /// Structs and state variables.
    fn declare_state(&self, scene: &mut Scene<'_>, variables: u32) -> Result<(), Reject> {
        for _ in 0..scene.choices.below(3)? {
            scene.structure()?;
        }
        // It is the first, so that nothing else is at the beginning.
        let share = self.sizes.across_end;
        if share > 0
            && self.dialect.has(Feature::SlotAssignments)
            && scene.choices.chance(share, 100)?
        {
            let place = scene.across_the_end()?;
            scene.roots.push(place);
        }
        for number in 0..variables {
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
            let place = Place::of(variable, kind, Location::Storage);
            scene.roots.push(place);
        }
        Ok(())
    }

    /// The constructor, functions that move data and such that read it, and at
    /// the end all that read it.
    fn draw_calls(
        &self,
        rehearsal: &Rehearsal<'_>,
        movers: &[FunctionId],
        readers: &[FunctionId],
        choices: &mut Choices,
    ) -> Result<Vec<Call>, Reject> {
        let mut calls = vec![rehearsal.drawn(Called::Constructor, LENGTHS, choices)?];
        for _ in 0..self.sizes.transactions {
            for among in [movers, readers] {
                if choices.chance(15, 16)? {
                    let function = Called::Function(*choices.pick(among)?);
                    calls.push(rehearsal.drawn(function, LENGTHS, choices)?);
                }
            }
        }
        for reader in readers {
            if choices.chance(15, 16)? {
                calls.push(rehearsal.drawn(Called::Function(*reader), LENGTHS, choices)?);
            }
        }
        Ok(calls)
    }
}

/// For each state variable a function that returns all of it.
fn readers(scene: &mut Scene<'_>, state: &[Place]) -> Vec<FunctionId> {
    let stage = &mut scene.stage;
    let read = state.iter().map(|place| {
        let result = stage.located(Role::Result, place.kind, Location::Memory);
        let (visibility, mutability) = (Visibility::Public, Mutability::View);
        let id = stage.function(Vec::new(), vec![result], visibility, mutability);
        stage.owner = Owner::Function(id);
        let value = stage.add(Expression::Variable(place.variable));
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
    let parameters = parameters(scene, is_constructor, is_external)?;
    let declared = parameters.iter().map(|place| place.variable).collect();
    let mutability = Mutability::NonPayable;
    let id = scene
        .stage
        .function(declared, Vec::new(), visibility, mutability);
    if is_constructor {
        scene.stage.ast[id].name = FunctionName::Constructor;
    }
    scene.stage.owner = Owner::Function(id);
    scene.is_constructor = is_constructor;
    scene.roots.extend(parameters);
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

fn parameters(
    scene: &mut Scene<'_>,
    is_constructor: bool,
    is_external: bool,
) -> Result<Vec<Place>, Reject> {
    let mut parameters = Vec::new();
    for _ in 0..scene.choices.below(PARAMETERS + 1)? {
        let kind = scene.any_type()?;
        let location = match is_constructor || !scene.is_reference(kind) {
            true => Location::Memory,
            false => parameter_location(scene, is_external)?,
        };
        let nested = scene.dialect.has(Feature::CalldataStructs);
        if location == Location::Calldata && !nested && !scene.is_flat(kind) {
            continue;
        }
        let variable = scene.stage.located(Role::Parameter, kind, location);
        // Once the parameters of such functions were read where they came in.
        let fixed = is_external && !scene.dialect.has(Feature::ExternalAssignable);
        let location = match fixed {
            true => Location::Calldata,
            false => location,
        };
        parameters.push(Place::of(variable, kind, location));
    }
    Ok(parameters)
}
