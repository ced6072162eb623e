//! The typing of each kind of expression, before anything is known of gaps.

use crate::ast::{
    Ast, BinaryOp, ContractId, ContractKind, Environment, Expression, ExpressionId, FunctionId,
    Literal, Shape, Type, TypeFact, TypeId, UnaryOp, ValueTypeId, VariableId, Via,
};
use crate::qualify::Placeholder;
use crate::types::{Domain, Elementary, Location, OUTSIDE, SEQUENCES, holding, holding_text};

/// Bytes of a selector.
const SELECTOR: u8 = 4;

/// The type of an expression and where its data is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Typing {
    pub kind: KindOf,
    /// Where its data is, if it is of a reference type.
    pub data: DataOf,
    /// It stands for a place in storage, or inside of something, and not for a
    /// pointer: assigning to it copies.
    pub is_place: bool,
}

/// Where the type of an expression comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum KindOf {
    /// It is written at a declaration or in the expression.
    Declared(TypeId),
    /// An elementary type, always the same.
    Elementary(Elementary),
    /// Any other type.
    Composite(Type),
    /// An address, payable where the version has it so.
    Address,
    /// A number without a type of its own: any of these.
    Number(Domain),
    /// A text without a type of its own: any of these.
    Text(Domain),
    /// The type below a user-defined value type.
    Underlying(ValueTypeId),
    /// That of another expression.
    Same(ExpressionId),
    /// The common type of two.
    Common(ExpressionId, ExpressionId),
    /// That of an element, a value of a mapping, or a byte.
    Element(ExpressionId),
    /// No value, or several; a gap is left out.
    Several(Vec<Option<Typing>>),
}

/// Where the data of an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DataOf {
    /// No location: it is of a value type.
    Nowhere,
    /// Always there.
    At(Location),
    /// Where that variable has its own.
    Variable(VariableId),
    /// Where another expression has its own.
    Same(ExpressionId),
    /// Where those of two meet.
    Common(ExpressionId, ExpressionId),
}

const NOTHING: KindOf = KindOf::Several(Vec::new());

/// The typing of an expression. `within` is true if the value of a placeholder
/// is certain to be one of a set.
pub(crate) fn typing(
    ast: &Ast,
    within: &impl Fn(Placeholder, Domain) -> bool,
    id: ExpressionId,
) -> Typing {
    match &ast[id] {
        Expression::Literal(literal) => of_literal(*literal),
        Expression::Text(notation, length) => text(notation.bytes(*length).len()),
        Expression::Quoted(bytes) => text(bytes.len()),
        Expression::Variable(variable) => of_variable(ast, *variable),
        Expression::Assign { target, .. } => of_assignment(ast, *target),
        Expression::Binary { op, left, right } => of_binary(*op, *left, *right),
        Expression::Unary { op, operand } => of_unary(*op, *operand),
        Expression::Conditional { yes, no, .. } => meet(*yes, *no),
        Expression::Call { function, via, .. } => of_call(ast, within, *function, *via),
        Expression::CallValue { function, .. } => {
            let is_external = ast.is_external_type(*function);
            results(ast, *function, |_| is_external)
        }
        Expression::Operator { function, .. } | Expression::UnaryOperator { function, .. } => {
            results(ast, *function, |_| false)
        }
        Expression::Getter { variable, .. } => several(ast.getter_results(*variable).kinds()),
        Expression::With { call, .. } => typing(ast, within, *call),
        Expression::Message { .. } => of_message(),
        Expression::New { contract, .. } => word(KindOf::Composite(Type::Contract(*contract))),
        Expression::NewArray { kind, .. } | Expression::Inline { kind, .. } => in_memory(*kind),
        Expression::Struct { id, .. } => new_data(KindOf::Composite(Type::Struct(*id))),
        Expression::Index { base, .. } => part(KindOf::Element(*base), *base),
        Expression::Member { base, field } => part(KindOf::Declared(ast[*field].kind), *base),
        Expression::Grow(array) => part(KindOf::Element(*array), *array),
        Expression::Slice { base, .. } => same(*base),
        Expression::Cast { kind, operand } => Typing {
            data: DataOf::Same(*operand),
            ..word(KindOf::Declared(*kind))
        },
        Expression::Limit { kind, .. } => word(KindOf::Declared(*kind)),
        Expression::Wrap(id, _) => word(KindOf::Composite(Type::Value(*id))),
        Expression::Unwrap(id, _) => word(KindOf::Underlying(*id)),
        Expression::EnumMember(id, _) => word(KindOf::Composite(Type::Enum(*id))),
        Expression::Reference(function) | Expression::ReferenceOutside(function) => {
            word(KindOf::Composite(Type::Function(*function)))
        }
        Expression::Environment(value) => of_environment(*value),
        Expression::Intrinsic(intrinsic, _) => elementary(intrinsic.row().result),
        Expression::Fact(fact, _) => of_fact(*fact),
        Expression::Length(_) | Expression::Erc7201(_) => elementary(Elementary::UINT256),
        Expression::Selector(_) => elementary(Elementary::fixed_bytes(SELECTOR)),
        Expression::Keccak(_) => elementary(Elementary::fixed_bytes(32)),
        Expression::Encode(..) | Expression::EncodeCall { .. } => elementary(Elementary::BYTES),
        Expression::Concat { strings: true, .. } => elementary(Elementary::STRING),
        Expression::Concat { strings: false, .. } => elementary(Elementary::BYTES),
        Expression::Decode { kinds, .. } => several(kinds.clone()),
        Expression::Tuple(parts) => of_tuple(parts),
        Expression::Push { .. } | Expression::Pop(_) | Expression::RequireError { .. } => {
            word(NOTHING)
        }
    }
}

fn of_assignment(ast: &Ast, target: ExpressionId) -> Typing {
    match ast[target] {
        Expression::Tuple(_) => word(NOTHING),
        _ => same(target),
    }
}

fn of_binary(op: BinaryOp, left: ExpressionId, right: ExpressionId) -> Typing {
    match op.shape() {
        Shape::Arithmetic => meet(left, right),
        Shape::Shift => same(left),
        Shape::Comparison | Shape::Logic => elementary(Elementary::BOOL),
    }
}

fn of_unary(op: UnaryOp, operand: ExpressionId) -> Typing {
    match op {
        UnaryOp::Delete => word(NOTHING),
        UnaryOp::Not
        | UnaryOp::BitNot
        | UnaryOp::Negate
        | UnaryOp::Increment
        | UnaryOp::Decrement
        | UnaryOp::PostIncrement
        | UnaryOp::PostDecrement => same(operand),
    }
}

/// What a call of a function gives: whatever comes from another contract, or
/// from a library whose code is borrowed, is a copy.
fn of_call(
    ast: &Ast,
    within: &impl Fn(Placeholder, Domain) -> bool,
    function: FunctionId,
    via: Via,
) -> Typing {
    results(ast, function, |result| {
        let borrows = delegates(ast, within, function, via);
        via.is_external() || borrows && !is_stored(ast, within, result)
    })
}

/// Whether it succeeded, and the data that came back.
fn of_message() -> Typing {
    one_or_several([Elementary::BOOL, Elementary::BYTES].map(elementary).into())
}

fn of_fact(fact: TypeFact) -> Typing {
    elementary(match fact {
        TypeFact::Name => Elementary::STRING,
        TypeFact::InterfaceId => Elementary::fixed_bytes(SELECTOR),
        TypeFact::CreationCode | TypeFact::RuntimeCode => Elementary::BYTES,
    })
}

fn of_tuple(parts: &[Option<ExpressionId>]) -> Typing {
    match parts {
        [Some(part)] => same(*part),
        _ => {
            let parts = parts.iter().map(|part| part.map(same));
            word(KindOf::Several(parts.collect()))
        }
    }
}

/// True if the call borrows the code of a library.
pub(crate) fn delegates(
    ast: &Ast,
    within: &impl Fn(Placeholder, Domain) -> bool,
    function: FunctionId,
    via: Via,
) -> bool {
    let function = &ast[function];
    let is_library = |contract: ContractId| ast[contract].kind == ContractKind::Library;
    matches!(via, Via::Library | Via::Attached)
        && function.contract.is_some_and(is_library)
        && function.visibility.is_some_and(|own| within(own, OUTSIDE))
}

fn is_stored(
    ast: &Ast,
    within: &impl Fn(Placeholder, Domain) -> bool,
    variable: VariableId,
) -> bool {
    let location = ast[variable].location;
    location.is_some_and(|own| within(own, Location::Storage.bit()))
}

/// T-Lit: a literal may be of any type that holds it.
fn of_literal(literal: Literal) -> Typing {
    match literal {
        Literal::Bool(_) => elementary(Elementary::BOOL),
        Literal::Number { value, negative } => word(KindOf::Number(holding(value, negative))),
        Literal::Hex { value, digits } => {
            let bytes = match digits % 2 {
                0 if digits > 0 => Elementary::fixed_bytes(digits / 2).bit(),
                _ => 0,
            };
            word(KindOf::Number(holding(value, false) | bytes))
        }
        Literal::Text(length) => text(usize::from(length)),
        Literal::Address(_) => word(KindOf::Address),
        Literal::Word { kind, .. } => elementary(kind),
    }
}

/// S-Ident: a use is where the variable is.
fn of_variable(ast: &Ast, id: VariableId) -> Typing {
    let variable = &ast[id];
    let kind = KindOf::Declared(variable.kind);
    match variable.contract() {
        Some(_) => Typing {
            kind,
            data: DataOf::At(Location::Storage),
            is_place: true,
        },
        None => Typing {
            kind,
            data: DataOf::Variable(id),
            is_place: false,
        },
    }
}

fn of_environment(value: Environment) -> Typing {
    match value {
        Environment::Sender => word(KindOf::Address),
        Environment::This => elementary(Elementary::ADDRESS),
        Environment::Data => Typing {
            data: DataOf::At(Location::Calldata),
            ..word(KindOf::Elementary(Elementary::BYTES))
        },
        Environment::Timestamp | Environment::Number | Environment::Gas => {
            elementary(Elementary::UINT256)
        }
    }
}

/// What a function returns; `copies` says of a result that the call copies it.
fn results(ast: &Ast, function: FunctionId, copies: impl Fn(VariableId) -> bool) -> Typing {
    let results = ast[function].results.iter().map(|&result| Typing {
        kind: KindOf::Declared(ast[result].kind),
        data: match copies(result) {
            true => DataOf::At(Location::Memory),
            false => DataOf::Variable(result),
        },
        is_place: false,
    });
    one_or_several(results.collect())
}

/// New values of these types.
fn several(kinds: Vec<TypeId>) -> Typing {
    one_or_several(kinds.into_iter().map(in_memory).collect())
}

fn one_or_several(mut typings: Vec<Typing>) -> Typing {
    match typings.len() {
        1 => typings.remove(0),
        _ => word(KindOf::Several(typings.into_iter().map(Some).collect())),
    }
}

/// Without a location.
fn word(kind: KindOf) -> Typing {
    Typing {
        kind,
        data: DataOf::Nowhere,
        is_place: false,
    }
}

/// An elementary type; what is new and larger than a word is in memory.
fn elementary(kind: Elementary) -> Typing {
    let data = match kind.is_reference() {
        true => DataOf::At(Location::Memory),
        false => DataOf::Nowhere,
    };
    Typing {
        data,
        ..word(KindOf::Elementary(kind))
    }
}

fn text(bytes: usize) -> Typing {
    new_data(KindOf::Text(SEQUENCES | holding_text(bytes)))
}

fn in_memory(kind: TypeId) -> Typing {
    new_data(KindOf::Declared(kind))
}

/// What is new is in memory.
fn new_data(kind: KindOf) -> Typing {
    Typing {
        data: DataOf::At(Location::Memory),
        ..word(kind)
    }
}

fn same(id: ExpressionId) -> Typing {
    Typing {
        data: DataOf::Same(id),
        ..word(KindOf::Same(id))
    }
}

fn meet(one: ExpressionId, other: ExpressionId) -> Typing {
    Typing {
        data: DataOf::Common(one, other),
        ..word(KindOf::Common(one, other))
    }
}

/// A part of something larger.
fn part(kind: KindOf, base: ExpressionId) -> Typing {
    Typing {
        kind,
        data: DataOf::Same(base),
        is_place: true,
    }
}
