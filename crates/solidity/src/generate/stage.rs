//! A program in the making whose qualifiers are all decided: the types,
//! visibilities and mutabilities that it uses stand ready under fixed numbers.

use dashu_int::IBig;
use lydite_core::{Program, Reject};

use super::places::{NamePlaces, Place, Step, number};
use crate::ast::{
    Ast, Contract, ContractId, ContractKind, Expression, ExpressionId, Function, FunctionId,
    FunctionName, Item, Literal, Member, Owner, Role, Statement, StatementId, Type, TypeId,
    Variable, VariableId, Words, lay_out,
};
use crate::qualify::Placeholder;
use crate::types::{Elementary, Location, Mutability, Visibility};
use crate::typing::Types;
use crate::version::Dialect;

/// A program of one contract that grows.
pub(crate) struct Stage {
    pub ast: Ast,
    /// By placeholder.
    pub values: Vec<u8>,
    /// What new expressions are a part of.
    pub owner: Owner,
}

const FIRST_VISIBILITY: u32 = Elementary::COUNT as u32;
const FIRST_MUTABILITY: u32 = FIRST_VISIBILITY + 4;
const FIRST_LOCATION: u32 = FIRST_MUTABILITY + 4;

/// The one contract.
pub(crate) const CONTRACT: ContractId = ContractId(0);

impl Stage {
    pub(crate) fn new() -> Stage {
        let mut values: Vec<u8> = (0..Elementary::COUNT).collect();
        values.extend(0..4);
        values.extend(0..4);
        values.extend(0..3);
        let kinds = Elementary::all().map(|kind| {
            let number = u32::from(kind.number());
            Type::Elementary(Placeholder(number))
        });
        let ast = Ast {
            files: vec![vec![Item::Contract(CONTRACT)]],
            contracts: vec![Contract {
                kind: ContractKind::Contract,
                bases: Vec::new(),
                using: Vec::new(),
                members: Vec::new(),
            }],
            types: kinds.collect(),
            ..Ast::default()
        };
        Stage {
            ast,
            values,
            owner: Owner::Initializer,
        }
    }

    pub(crate) fn types(&self) -> Types<'_> {
        Types {
            ast: &self.ast,
            values: &self.values,
        }
    }

    /// The type of an elementary one.
    pub(crate) fn kind(kind: Elementary) -> TypeId {
        TypeId(u32::from(kind.number()))
    }

    pub(crate) fn visibility(visibility: Visibility) -> Placeholder {
        Placeholder(FIRST_VISIBILITY + u32::from(visibility.number()))
    }

    pub(crate) fn mutability(mutability: Mutability) -> Placeholder {
        Placeholder(FIRST_MUTABILITY + u32::from(mutability.number()))
    }

    fn location(location: Location) -> Placeholder {
        Placeholder(FIRST_LOCATION + u32::from(location.number()))
    }

    /// A variable of any type that is no state variable; it has the location
    /// if its type needs one.
    pub(crate) fn located(&mut self, role: Role, kind: TypeId, location: Location) -> VariableId {
        let is_reference = self.types().is_reference(kind);
        self.ast.add_variable(Variable {
            role,
            kind,
            location: is_reference.then(|| Stage::location(location)),
            visibility: None,
            value: None,
        })
    }

    /// A variable that is no state variable and has no location.
    pub(crate) fn field(&mut self, role: Role, kind: TypeId) -> VariableId {
        self.ast.add_variable(Variable {
            role,
            kind,
            location: None,
            visibility: None,
            value: None,
        })
    }

    /// The same of an elementary type.
    pub(crate) fn variable(&mut self, role: Role, kind: Elementary) -> VariableId {
        self.field(role, Stage::kind(kind))
    }

    /// A public state variable.
    pub(crate) fn state(&mut self, kind: TypeId, value: Option<ExpressionId>) -> VariableId {
        let id = self.ast.add_variable(Variable {
            role: Role::State(CONTRACT),
            kind,
            location: None,
            visibility: Some(Stage::visibility(Visibility::Public)),
            value,
        });
        self.ast[CONTRACT].members.push(Member::Variable(id));
        id
    }

    /// A function without a body, of the next name.
    pub(crate) fn function(
        &mut self,
        parameters: Vec<VariableId>,
        results: Vec<VariableId>,
        visibility: Visibility,
        mutability: Mutability,
    ) -> FunctionId {
        let id = FunctionId(self.ast.functions.len() as u32);
        self.ast.functions.push(Function {
            name: FunctionName::Named(id.0),
            contract: Some(CONTRACT),
            parameters,
            results,
            visibility: Some(Stage::visibility(visibility)),
            mutability: Some(Stage::mutability(mutability)),
            modifiers: Vec::new(),
            is_virtual: false,
            is_override: false,
            body: Some(Vec::new()),
        });
        self.ast[CONTRACT].members.push(Member::Function(id));
        id
    }

    pub(crate) fn add(&mut self, expression: Expression) -> ExpressionId {
        self.ast.add_expression(self.owner, expression)
    }

    /// A value written out with its type.
    pub(crate) fn word(&mut self, kind: Elementary, value: &IBig) -> ExpressionId {
        self.add(Expression::Literal(Literal::word(kind, value)))
    }

    /// A place all of whose steps are known, read or written.
    pub(crate) fn place(&mut self, place: Place) -> Result<ExpressionId, Reject> {
        self.name(place, 0)
    }

    /// The elementary type of the word in a place of terms.
    pub(crate) fn word_in(&self, place: Place) -> Elementary {
        let word = self.types().word(place.kind);
        word.expect("places of terms hold words")
    }

    /// The term with `new` in the place of `old`: what is made of it is
    /// written anew. Terms are nested no deeper than they are drawn.
    pub(crate) fn renewed(
        &mut self,
        term: ExpressionId,
        old: ExpressionId,
        new: ExpressionId,
    ) -> ExpressionId {
        if term == old {
            return new;
        }
        let mut copy = self.ast[term].clone();
        let mut changed = false;
        for part in operands(&mut copy) {
            let renewed = self.renewed(*part, old, new);
            changed |= renewed != *part;
            *part = renewed;
        }
        match changed {
            true => {
                let owner = self.ast.owners[term.0 as usize];
                self.ast.add_expression(owner, copy)
            }
            false => term,
        }
    }

    pub(crate) fn statement(&mut self, statement: Statement) -> StatementId {
        self.ast.add_statement(self.owner, statement)
    }

    /// The program.
    pub(crate) fn program(&self, dialect: &Dialect, words: &Words) -> Program {
        let value = |placeholder: Placeholder| self.values[placeholder.0 as usize];
        lay_out(&self.ast, dialect).program(words, value)
    }
}

impl NamePlaces for Stage {
    fn ast(&self) -> &Ast {
        &self.ast
    }

    fn add(&mut self, expression: Expression) -> ExpressionId {
        Stage::add(self, expression)
    }

    fn index(&mut self, _: TypeId, step: Step, _: u32) -> Result<ExpressionId, Reject> {
        let index = match step {
            Step::At(at) => number(u64::from(at)),
            Step::Entry(key) => Expression::Literal(key),
            Step::Field(_) | Step::Element | Step::Risky | Step::Key => {
                return Err(Reject::NotApplicable("a place that is not certain"));
            }
        };
        Ok(Stage::add(self, index))
    }
}

/// The operands of the expressions that terms are made of.
fn operands(expression: &mut Expression) -> Vec<&mut ExpressionId> {
    match expression {
        Expression::Assign { target, value, .. } => vec![target, value],
        Expression::Binary { left, right, .. } => vec![left, right],
        Expression::Unary { operand, .. } | Expression::Cast { operand, .. } => vec![operand],
        Expression::Conditional { condition, yes, no } => vec![condition, yes, no],
        Expression::Call { arguments, .. } => arguments.iter_mut().collect(),
        Expression::Index { base, index } => vec![base, index],
        Expression::Member { base, .. } => vec![base],
        _ => Vec::new(),
    }
}
