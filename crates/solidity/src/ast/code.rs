//! What stands in the bodies of functions: expressions and statements.

use super::{
    BinaryOp, CallOption, ContractId, EnumId, ExpressionId, FunctionId, Intrinsic, Literal,
    MessageKind, ModifierId, Notation, SignalId, StatementId, StructId, TypeId, UnaryOp,
    ValueTypeId, VariableId, Via, Yul,
};

/// What an expression or statement is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The body of a function.
    Function(FunctionId),
    /// The body of a modifier.
    Modifier(ModifierId),
    /// The first value of a state variable.
    Initializer,
}

/// What `type(C)` knows of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeFact {
    /// Its name.
    Name,
    /// The code that makes one.
    CreationCode,
    /// The code that one has.
    RuntimeCode,
    /// What is common to all selectors of an interface.
    InterfaceId,
}

impl TypeFact {
    /// The member of `type(C)`.
    pub const fn word(self) -> &'static str {
        match self {
            TypeFact::Name => "name",
            TypeFact::CreationCode => "creationCode",
            TypeFact::RuntimeCode => "runtimeCode",
            TypeFact::InterfaceId => "interfaceId",
        }
    }
}

/// A value of the environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Environment {
    /// `msg.sender`
    Sender,
    /// `block.timestamp`
    Timestamp,
    /// `block.number`
    Number,
    /// `msg.data`
    Data,
    /// `address(this)`
    This,
    /// `gasleft()`
    Gas,
}

/// How arguments are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// `abi.encode`
    Plain,
    /// `abi.encodePacked`
    Packed,
    /// `abi.encodeWithSelector`: a `bytes4` comes first.
    WithSelector,
    /// `abi.encodeWithSignature`: a `string` comes first.
    WithSignature,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A literal.
    Literal(Literal),
    /// A variable.
    Variable(VariableId),
    /// An assignment, compound if it has an operator.
    Assign {
        /// The operator before `=`.
        op: Option<BinaryOp>,
        /// What is assigned.
        target: ExpressionId,
        /// Its new value.
        value: ExpressionId,
    },
    /// A binary operation.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The left operand.
        left: ExpressionId,
        /// The right operand.
        right: ExpressionId,
    },
    /// A unary operation.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// Its operand.
        operand: ExpressionId,
    },
    /// `condition ? yes : no`
    Conditional {
        /// The condition.
        condition: ExpressionId,
        /// The value if it holds.
        yes: ExpressionId,
        /// The value if not.
        no: ExpressionId,
    },
    /// A call of a function.
    Call {
        /// Which one.
        function: FunctionId,
        /// How it is reached.
        via: Via,
        /// Its arguments, all of them.
        arguments: Vec<ExpressionId>,
    },
    /// A call of the getter of a public state variable.
    Getter {
        /// Which one.
        variable: VariableId,
        /// How it is reached.
        via: Via,
        /// Keys and indices.
        arguments: Vec<ExpressionId>,
    },
    /// `new C(…)`
    New {
        /// The contract.
        contract: ContractId,
        /// Arguments of its constructor.
        arguments: Vec<ExpressionId>,
    },
    /// `new T[](n)`
    NewArray {
        /// The type of the array.
        kind: TypeId,
        /// Its length.
        length: ExpressionId,
    },
    /// `S(…)`
    Struct {
        /// The struct.
        id: StructId,
        /// Its fields.
        arguments: Vec<ExpressionId>,
    },
    /// `base[index]`
    Index {
        /// An array, mapping or bytes.
        base: ExpressionId,
        /// The index or key.
        index: ExpressionId,
    },
    /// `base.field`
    Member {
        /// A struct.
        base: ExpressionId,
        /// One of its fields.
        field: VariableId,
    },
    /// `T(operand)` of an elementary type.
    Cast {
        /// The type.
        kind: TypeId,
        /// What is converted.
        operand: ExpressionId,
    },
    /// `base.length`
    Length(ExpressionId),
    /// `array.push(value)`
    Push {
        /// The array.
        array: ExpressionId,
        /// What is pushed.
        value: ExpressionId,
    },
    /// `array.pop()`
    Pop(ExpressionId),
    /// `array.push()`
    Grow(ExpressionId),
    /// A member of an enum.
    EnumMember(EnumId, u8),
    /// `T.wrap(operand)`
    Wrap(ValueTypeId, ExpressionId),
    /// `T.unwrap(operand)`
    Unwrap(ValueTypeId, ExpressionId),
    /// A value of the environment.
    Environment(Environment),
    /// Something that the language offers without a declaration.
    Intrinsic(Intrinsic, Vec<ExpressionId>),
    /// `type(T).max`, `type(T).min`
    Limit {
        /// An integer type.
        kind: TypeId,
        /// `max`
        largest: bool,
    },
    /// A function as a value.
    Reference(FunctionId),
    /// `this.f` as a value.
    ReferenceOutside(FunctionId),
    /// A call of a value of a function type.
    CallValue {
        /// The variable that holds it.
        callee: ExpressionId,
        /// A function of the same signature.
        function: FunctionId,
        /// Its arguments.
        arguments: Vec<ExpressionId>,
    },
    /// `abi.encode(…)` and the like.
    Encode(Encoding, Vec<ExpressionId>),
    /// `abi.encodeCall(C.f, (…))` of a function of another contract.
    EncodeCall {
        /// Which one.
        function: FunctionId,
        /// Its arguments.
        arguments: Vec<ExpressionId>,
    },
    /// `C.f.selector` of a function of another contract.
    Selector(FunctionId),
    /// `abi.decode(data, (types))`
    Decode {
        /// Bytes.
        data: ExpressionId,
        /// What they hold.
        kinds: Vec<TypeId>,
    },
    /// `keccak256(bytes)`
    Keccak(ExpressionId),
    /// `bytes.concat(…)` or `string.concat(…)`
    Concat {
        /// Of strings.
        strings: bool,
        /// What is joined.
        parts: Vec<ExpressionId>,
    },
    /// Values side by side; a gap is left out.
    Tuple(Vec<Option<ExpressionId>>),
    /// A call, or a new contract, written with more words.
    With {
        /// The call.
        call: ExpressionId,
        /// What stands in braces.
        options: Vec<(CallOption, ExpressionId)>,
        /// The arguments have their names, and stand in another order.
        named: bool,
    },
    /// A text of so many letters in another notation.
    Text(Notation, u8),
    /// A text of these bytes.
    Quoted(Vec<u8>),
    /// `type(C).name` and the like.
    Fact(TypeFact, ContractId),
    /// `base[from:to]`, which is in calldata.
    Slice {
        /// An array or bytes.
        base: ExpressionId,
        /// Where it begins.
        from: Option<ExpressionId>,
        /// Where it ends.
        to: Option<ExpressionId>,
    },
    /// `[a, b]`, all of one type.
    Inline {
        /// The type of the array, not written.
        kind: TypeId,
        /// Its elements, each with its type.
        elements: Vec<ExpressionId>,
    },
    /// `require(condition, R(…))`
    RequireError {
        /// The condition.
        condition: ExpressionId,
        /// The error.
        signal: SignalId,
        /// Its arguments.
        arguments: Vec<ExpressionId>,
        /// The arguments have their names, and stand in another order.
        named: bool,
    },
    /// An operator that a function was defined for.
    Operator {
        /// Its sign.
        op: BinaryOp,
        /// The function.
        function: FunctionId,
        /// The left operand.
        left: ExpressionId,
        /// The right operand.
        right: ExpressionId,
    },
    /// The same of one operand.
    UnaryOperator {
        /// Its sign.
        op: UnaryOp,
        /// The function.
        function: FunctionId,
        /// The operand.
        operand: ExpressionId,
    },
    /// `a.call{value: v}(data)` and the like: whether it went through, and the
    /// data that came back.
    Message {
        /// How it is sent.
        kind: MessageKind,
        /// An address.
        to: ExpressionId,
        /// The wei that go along; of a `call` alone.
        wei: Option<ExpressionId>,
        /// Bytes.
        data: ExpressionId,
    },
    /// `erc7201("…")` of so many letters: where the standard has data begin.
    Erc7201(u8),
}

/// A `catch` clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CatchKind {
    /// `catch`
    All,
    /// `catch Error(string memory)`
    Error,
    /// `catch (bytes memory)`
    Bytes,
    /// `catch Panic(uint256)`
    Panic,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// An expression and a semicolon.
    Expression(ExpressionId),
    /// Local variables, with a first value.
    Declare {
        /// More than one take apart a tuple; a gap is left out.
        variables: Vec<Option<VariableId>>,
        /// Their first value.
        value: Option<ExpressionId>,
    },
    /// `if`
    If {
        /// The condition.
        condition: ExpressionId,
        /// What is done if it holds.
        yes: Vec<StatementId>,
        /// What is done if not.
        no: Option<Vec<StatementId>>,
    },
    /// `for`
    For {
        /// The first part: a declaration or an expression.
        start: Option<StatementId>,
        /// The condition.
        condition: Option<ExpressionId>,
        /// What follows each round.
        step: Option<ExpressionId>,
        /// What is repeated.
        body: Vec<StatementId>,
    },
    /// `while`
    While {
        /// The condition.
        condition: ExpressionId,
        /// What is repeated.
        body: Vec<StatementId>,
    },
    /// `do … while`
    DoWhile {
        /// What is repeated.
        body: Vec<StatementId>,
        /// The condition.
        condition: ExpressionId,
    },
    /// A block.
    Block(Vec<StatementId>),
    /// `unchecked { … }`
    Unchecked(Vec<StatementId>),
    /// `return`
    Return(Vec<ExpressionId>),
    /// `emit`
    Emit(SignalId, Vec<ExpressionId>),
    /// `revert R(…)`, or `revert()`
    Revert(Option<SignalId>, Vec<ExpressionId>),
    /// `require(…)`
    Require(ExpressionId),
    /// `assert(…)`
    Assert(ExpressionId),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `_` of a modifier.
    Underscore,
    /// `try … catch …`
    Try {
        /// An external call.
        call: ExpressionId,
        /// Names for its results.
        results: Vec<VariableId>,
        /// What is done if it succeeds.
        body: Vec<StatementId>,
        /// What is done if not.
        catches: Vec<(CatchKind, Vec<StatementId>)>,
    },
    /// Inline assembly on local variables of value types.
    Assembly(Vec<Yul>),
    /// A comment: one of a few.
    Comment(u8),
}
