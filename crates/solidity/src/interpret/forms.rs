//! The static types of expressions, in one pass over the arena.

use super::data::Types;
use super::encode::SELECTOR;
use crate::ast::{
    BinaryOp, Environment, Expression, ExpressionId, Literal, Shape, Type, TypeFact, TypeId,
    VariableId,
};
use crate::types::{Elementary, Family};

/// The type of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// An elementary type.
    Elementary(Elementary),
    /// Any other type.
    Composite(Type),
    /// A number without a type of its own.
    Number,
    /// A text without a type of its own.
    Text,
    /// No value, or several.
    Several(Vec<Form>),
    /// The interpreter does not know the expression.
    Unknown,
}

const BOOL: Form = Form::Elementary(Elementary::BOOL);

/// Adds the types of expressions that have none yet, by their numbers.
pub(crate) fn extend_forms(types: Types<'_>, forms: &mut Vec<Form>) {
    for expression in &types.ast.expressions[forms.len()..] {
        let form = form(types, forms, expression);
        forms.push(form);
    }
}

impl Form {
    /// The type of that number.
    pub fn of(types: Types<'_>, kind: TypeId) -> Form {
        match types.ast[kind] {
            Type::Elementary(placeholder) => Form::Elementary(types.elementary(placeholder)),
            other => Form::Composite(other),
        }
    }

    /// True if values are words: of a value type, or functions.
    pub fn is_word(&self, types: Types<'_>) -> bool {
        matches!(self, Form::Composite(Type::Function(_))) || self.word(types).is_some()
    }

    /// The elementary type that values are represented in, if they are words.
    pub fn word(&self, types: Types<'_>) -> Option<Elementary> {
        match self {
            Form::Elementary(kind) => Some(*kind).filter(|kind| !kind.is_reference()),
            Form::Composite(Type::Enum(_)) => Some(Elementary::uint(8)),
            Form::Composite(Type::Value(id)) => Some(types.elementary(types.ast[*id].underlying)),
            Form::Composite(Type::Contract(_)) => Some(Elementary::ADDRESS),
            _ => None,
        }
    }
}

fn form(types: Types<'_>, forms: &[Form], expression: &Expression) -> Form {
    let ast = types.ast;
    let at = |id: &ExpressionId| forms[id.0 as usize].clone();
    let variable = |id: VariableId| Form::of(types, ast[id].kind);
    match expression {
        Expression::Literal(literal) => match literal {
            Literal::Bool(_) => BOOL,
            Literal::Number { .. } | Literal::Hex { .. } => Form::Number,
            Literal::Text(_) => Form::Text,
            Literal::Address(_) => Form::Elementary(Elementary::ADDRESS),
            Literal::Word { kind, .. } => Form::Elementary(*kind),
        },
        Expression::Variable(id) => variable(*id),
        Expression::Assign { target, .. } => at(target),
        Expression::Binary { op, left, right } => binary(*op, at(left), at(right)),
        Expression::Unary { operand, .. } => at(operand),
        Expression::Conditional { yes, no, .. } => common(at(yes), at(no)),
        Expression::Call { function, .. } | Expression::CallValue { function, .. } => {
            let results = ast[*function].results.iter();
            one_or_several(results.map(|id| variable(*id)).collect())
        }
        Expression::Getter { variable: id, .. } => {
            let kinds = types.getter_results(*id).kinds();
            one_or_several(kinds.iter().map(|kind| Form::of(types, *kind)).collect())
        }
        Expression::New { contract, .. } => Form::Composite(Type::Contract(*contract)),
        Expression::Encode(..) => Form::Elementary(Elementary::BYTES),
        Expression::Decode { kinds, .. } => {
            one_or_several(kinds.iter().map(|kind| Form::of(types, *kind)).collect())
        }
        Expression::Keccak(_) => Form::Elementary(Elementary::fixed_bytes(32)),
        Expression::NewArray { kind, .. } | Expression::Cast { kind, .. } => Form::of(types, *kind),
        Expression::Struct { id, .. } => Form::Composite(Type::Struct(*id)),
        Expression::Index { base, .. } => match at(base) {
            Form::Composite(Type::Array { element, .. }) => Form::of(types, element),
            Form::Composite(Type::Mapping { value, .. }) => Form::of(types, value),
            Form::Elementary(_) => Form::Elementary(Elementary::fixed_bytes(1)),
            _ => Form::Unknown,
        },
        Expression::Member { field, .. } => variable(*field),
        Expression::Length(_) => Form::Elementary(Elementary::UINT256),
        Expression::Push { .. } | Expression::Pop(_) => Form::Several(Vec::new()),
        Expression::Quoted(_) => Form::Text,
        Expression::Inline { kind, .. } => Form::of(types, *kind),
        Expression::Concat { strings, .. } => Form::Elementary(match strings {
            true => Elementary::STRING,
            false => Elementary::BYTES,
        }),
        Expression::Limit { kind, .. } => Form::of(types, *kind),
        Expression::Reference(function) | Expression::ReferenceOutside(function) => {
            Form::Composite(Type::Function(*function))
        }
        Expression::Selector(_) => Form::Elementary(Elementary::fixed_bytes(4)),
        Expression::EncodeCall { .. } => Form::Elementary(Elementary::BYTES),
        Expression::Intrinsic(intrinsic, _) => Form::Elementary(intrinsic.row().result),
        Expression::EnumMember(id, _) => Form::Composite(Type::Enum(*id)),
        Expression::Wrap(id, _) => Form::Composite(Type::Value(*id)),
        Expression::Unwrap(id, _) => Form::Elementary(types.elementary(ast[*id].underlying)),
        Expression::Environment(Environment::Sender | Environment::This) => {
            Form::Elementary(Elementary::ADDRESS)
        }
        Expression::Environment(
            Environment::Timestamp | Environment::Number | Environment::Gas,
        )
        | Expression::Erc7201(_) => Form::Elementary(Elementary::UINT256),
        Expression::Environment(Environment::Data) => Form::Elementary(Elementary::BYTES),
        Expression::With { call, .. } => at(call),
        Expression::Text(..) => Form::Text,
        Expression::Fact(TypeFact::Name, _) => Form::Elementary(Elementary::STRING),
        Expression::Fact(TypeFact::InterfaceId, _) => {
            Form::Elementary(Elementary::fixed_bytes(SELECTOR as u8))
        }
        Expression::Fact(TypeFact::CreationCode | TypeFact::RuntimeCode, _) => {
            Form::Elementary(Elementary::BYTES)
        }
        Expression::Slice { base, .. } => at(base),
        Expression::RequireError { .. } => Form::Several(Vec::new()),
        Expression::Operator { function, .. } | Expression::UnaryOperator { function, .. } => {
            let results = ast[*function].results.iter();
            one_or_several(results.map(|id| variable(*id)).collect())
        }
        Expression::Message { .. } => {
            Form::Several(vec![BOOL, Form::Elementary(Elementary::BYTES)])
        }
        Expression::Tuple(parts) => {
            let parts = parts
                .iter()
                .map(|part| part.as_ref().map_or(Form::Unknown, at));
            one_or_several(parts.collect())
        }
        Expression::Grow(array) => match at(array) {
            Form::Composite(Type::Array { element, .. }) => Form::of(types, element),
            _ => Form::Elementary(Elementary::fixed_bytes(1)),
        },
    }
}

fn one_or_several(mut forms: Vec<Form>) -> Form {
    match forms.len() {
        1 => forms.remove(0),
        _ => Form::Several(forms),
    }
}

fn binary(op: BinaryOp, left: Form, right: Form) -> Form {
    match op.shape() {
        Shape::Comparison | Shape::Logic => BOOL,
        Shape::Shift => left,
        Shape::Arithmetic => common(left, right),
    }
}

/// The type that both convert to.
pub(super) fn common(left: Form, right: Form) -> Form {
    match (left, right) {
        (left, right) if left == right => left,
        (Form::Number | Form::Text, other) | (other, Form::Number | Form::Text) => other,
        (Form::Elementary(left), Form::Elementary(right)) => common_elementary(left, right),
        _ => Form::Unknown,
    }
}

fn common_elementary(left: Elementary, right: Elementary) -> Form {
    let wider = match left.size() >= right.size() {
        true => left,
        false => right,
    };
    let common = match (left.family(), right.family()) {
        (a, b) if a == b && a != Family::Address => Some(wider),
        (Family::Address, Family::Address) => Some(Elementary::ADDRESS),
        (Family::Uint, Family::Int) if right.size() > left.size() => Some(right),
        (Family::Int, Family::Uint) if left.size() > right.size() => Some(left),
        _ => None,
    };
    common.map_or(Form::Unknown, Form::Elementary)
}
