//! Functions as values that are kept: in state variables, arrays, structs and
//! parameters.

use lydite_core::Reject;

use super::context::ANYWHERE;
use super::functions::{MUTABILITIES, UNPAID};
use super::options::Part;
use super::types::Wanted;
use super::weights::Draw;
use super::{Generator, Intent};
use crate::ast::{
    ContractId, Expression, ExpressionId, Function, FunctionId, FunctionName, Member, Role,
    Statement, StatementId, Struct, StructId, Type, TypeId, Variable, VariableId,
};
use crate::qualify::Kind;
use crate::types::{Location, Mutability, Visibility};
use crate::version::Feature;

impl Generator<'_> {
    /// Sometimes a state variable for functions like one of these, and a
    /// parameter for them.
    pub(super) fn pointers(
        &mut self,
        contract: ContractId,
        functions: &[FunctionId],
    ) -> Result<(), Reject> {
        if !self.allows(Part::StoredFunctions) || !self.often(Draw::StoredFunctions)? {
            return Ok(());
        }
        let plain = functions.iter().copied().filter(|&id| self.is_plain(id));
        let plain: Vec<FunctionId> = plain.collect();
        if plain.is_empty() {
            return Ok(());
        }
        let function = *self.choices.pick(&plain)?;
        // Old parsers take it for a function, and the visibility behind its type for a second one.
        if self.ast[function].results.is_empty() && !self.has(Feature::FunctionVariables) {
            return Ok(());
        }
        let external = match self.visibility_of(function) {
            Some(Visibility::External) => true,
            Some(Visibility::Public) => self.percent(50)?,
            _ => false,
        };
        let kind = self.function_type(function, external);
        let stored = match self.choices.below(4)? {
            0 => {
                let length = match self.percent(50)? {
                    true => Some(2),
                    false => None,
                };
                let element = kind;
                self.ast.add_type(Type::Array { element, length })
            }
            1 => self.struct_of(contract, kind),
            _ => kind,
        };
        self.add_state_variable(contract, stored);
        self.take_function(functions, kind)
    }

    /// The type of functions like this one, which may promise less.
    fn function_type(&mut self, like: FunctionId, external: bool) -> TypeId {
        let copied = self.ast[like].clone();
        let mut copy = |variables: &[VariableId], role: Role| {
            let mut copies = Vec::new();
            for &id in variables {
                let kind = self.like(self.ast[id].kind);
                copies.push(self.frame_variable(role, kind, Location::Memory));
            }
            copies
        };
        let parameters = copy(&copied.parameters, Role::Parameter);
        let results = copy(&copied.results, Role::Result);
        let outside = Visibility::External;
        let visibility =
            external.then(|| self.declare(Kind::Visibility, outside.bit(), outside.number()));
        let domain = if external { MUTABILITIES } else { UNPAID };
        let mutability = self.declare(Kind::Mutability, domain, Mutability::NonPayable.number());
        let signature = Function {
            name: FunctionName::Signature,
            contract: None,
            parameters,
            results,
            visibility,
            mutability: Some(mutability),
            modifiers: Vec::new(),
            is_virtual: false,
            is_override: false,
            body: None,
        };
        let id = self.add_function(signature, Intent::Write);
        self.ast.add_type(Type::Function(id))
    }

    fn struct_of(&mut self, contract: ContractId, kind: TypeId) -> TypeId {
        let id = StructId(self.ast.structs.len() as u32);
        let field = self.ast.add_variable(Variable {
            role: Role::Field(id),
            kind,
            location: None,
            visibility: None,
            value: None,
        });
        self.ast.structs.push(Struct {
            contract: Some(contract),
            fields: vec![field],
        });
        self.ast[contract].members.push(Member::Struct(id));
        self.ast.add_type(Type::Struct(id))
    }

    /// Gives one of the functions a parameter of a function type.
    fn take_function(&mut self, functions: &[FunctionId], kind: TypeId) -> Result<(), Reject> {
        let inner = functions.iter().copied().filter(|&id| {
            let hidden = self.visibility_of(id) == Some(Visibility::Internal);
            let recurs = self.ast[id]
                .parameters
                .iter()
                .any(|own| self.is_counter(*own));
            hidden && !recurs && !self.ast[id].is_virtual && !self.ast[id].is_override
        });
        let inner: Vec<FunctionId> = inner.collect();
        if inner.is_empty() || !self.percent(60)? {
            return Ok(());
        }
        let id = *self.choices.pick(&inner)?;
        let slots: u32 = self.ast[id]
            .parameters
            .iter()
            .map(|&own| self.slots_of(self.ast[own].kind))
            .sum();
        if slots + self.slots_of(kind) <= self.options.slots {
            let parameter = self.frame_variable(Role::Parameter, kind, Location::Memory);
            self.ast[id].parameters.push(parameter);
        }
        Ok(())
    }

    fn visibility_of(&self, id: FunctionId) -> Option<Visibility> {
        let visibility = self.ast[id].visibility?;
        Some(Visibility::ALL[usize::from(self.witness(visibility))])
    }

    /// Only value types, which have no location that could differ.
    fn is_plain(&self, id: FunctionId) -> bool {
        let function = &self.ast[id];
        let mut own = function.parameters.iter().chain(&function.results);
        matches!(function.name, FunctionName::Named(_))
            && own.all(|&variable| {
                let kind = self.ast[variable].kind;
                self.elementary_of(kind).is_some() && !self.is_reference(kind)
            })
    }

    /// True if a function is one of that type, under the witness.
    fn is_one_of(&self, id: FunctionId, kind: FunctionId) -> bool {
        let (own, other) = (&self.ast[id], &self.ast[kind]);
        let kinds = |variables: &[VariableId]| -> Vec<TypeId> {
            variables.iter().map(|&id| self.ast[id].kind).collect()
        };
        let same = |own: Vec<TypeId>, other: Vec<TypeId>| {
            own.len() == other.len() && own.iter().zip(&other).all(|(&a, &b)| self.same_type(a, b))
        };
        self.is_plain(id)
            && same(kinds(&own.parameters), kinds(&other.parameters))
            && same(kinds(&own.results), kinds(&other.results))
    }

    /// A function of that type as a value, if there is one here.
    pub(super) fn function_for(
        &mut self,
        kind: FunctionId,
    ) -> Result<Option<ExpressionId>, Reject> {
        let external = self.ast.is_external_type(kind);
        let fitting = self.callees().into_iter().filter(|callee| {
            let reached = match external {
                true => callee.is_own_outside(),
                false => callee.is_named() && self.is_value(callee.function),
            };
            reached && self.is_one_of(callee.function, kind)
        });
        let fitting: Vec<FunctionId> = fitting.map(|callee| callee.function).collect();
        if fitting.is_empty() {
            return Ok(None);
        }
        let function = *self.choices.pick(&fitting)?;
        self.referenced.push(function);
        Ok(Some(self.expression(match external {
            true => Expression::ReferenceOutside(function),
            false => Expression::Reference(function),
        })))
    }

    /// A function is kept, or one that was kept is called.
    pub(super) fn stored_function(&mut self) -> Result<Option<StatementId>, Reject> {
        let assigns = self.frame.intent >= Intent::Write && self.percent(50)?;
        let accesses = self.accesses(assigns, |kind, _, _| {
            matches!(self.ast[kind], Type::Function(_))
        });
        if accesses.is_empty() || self.is_making() {
            return self.assignment_statement();
        }
        let access = *self.choices.pick(&accesses)?;
        let Type::Function(kind) = self.ast[access.kind] else {
            return Ok(None);
        };
        let value = match assigns {
            true => {
                let wanted = Wanted::Type(access.kind);
                let value = self.value(wanted, ANYWHERE, 0, true)?;
                let target = self.follow(access, 0)?;
                let op = None;
                Expression::Assign { op, target, value }
            }
            false => {
                let depth = self.options.depth.saturating_sub(1);
                let arguments = self.arguments(kind, true, depth)?;
                let callee = self.follow(access, 0)?;
                Expression::CallValue {
                    callee,
                    function: kind,
                    arguments,
                }
            }
        };
        let value = self.expression(value);
        Ok(Some(self.statement(Statement::Expression(value))))
    }
}
