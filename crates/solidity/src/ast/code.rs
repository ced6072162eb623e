//! What stands in the bodies of functions: expressions and statements.

use dashu_int::ops::UnsignedAbs;
use dashu_int::{IBig, UBig};

use super::statements::letters;
use super::{
    BinaryOp, ContractId, EnumId, ExpressionId, FunctionId, Intrinsic, ModifierId, SignalId,
    StatementId, StructId, TypeId, UnaryOp, ValueTypeId, VariableId,
};
use crate::types::Elementary;

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

/// A literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Literal {
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number {
        /// Without its sign.
        value: u64,
        /// Below zero.
        negative: bool,
    },
    /// A number in hexadecimal digits, which can be fixed bytes too.
    Hex {
        /// Its value.
        value: u64,
        /// How many digits are written.
        digits: u8,
    },
    /// A string of so many letters.
    Text(u8),
    /// An address: one of a few with a right checksum.
    Address(u8),
    /// A value of any width, written with its type: `int16(-5)`.
    Word {
        /// The type, one of words.
        kind: Elementary,
        /// Without its sign, lowest digits first.
        digits: [u64; 4],
        /// Below zero.
        negative: bool,
    },
}

impl Literal {
    /// The literal of a value that lies in the range of its type.
    pub fn word(kind: Elementary, value: &IBig) -> Literal {
        let magnitude = value.unsigned_abs();
        let mut digits = [0; 4];
        for (at, digit) in digits.iter_mut().enumerate() {
            let low = (&magnitude >> (64 * at)) & UBig::from(u64::MAX);
            *digit = u64::try_from(low).expect("64 bits are left");
        }
        Literal::Word {
            kind,
            digits,
            negative: *value < IBig::ZERO,
        }
    }
}

/// The number of the digits of a [`Literal::Word`].
pub(crate) fn number_of_digits(digits: [u64; 4]) -> UBig {
    let highest_first = digits.iter().rev();
    highest_first.fold(UBig::ZERO, |number, digit| {
        (number << 64) + UBig::from(*digit)
    })
}

/// How a function is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    /// By its name.
    Name,
    /// `this.f`
    This,
    /// An expression of a contract type.
    On(ExpressionId),
    /// `super.f`
    Super,
    /// `L.f` of a library.
    Library,
    /// `x.f` of a library that is used for the first argument.
    Attached,
}

impl Via {
    /// True if the call leaves the contract.
    pub fn is_external(self) -> bool {
        matches!(self, Via::This | Via::On(_))
    }
}

/// What stands in braces between the name of a function and its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallOption {
    /// How much ether goes along.
    Value,
    /// How much gas.
    Gas,
    /// What the address of a new contract is made of.
    Salt,
}

impl CallOption {
    /// The word in a program.
    pub const fn word(self) -> &'static str {
        match self {
            CallOption::Value => "value",
            CallOption::Gas => "gas",
            CallOption::Salt => "salt",
        }
    }
}

/// How bare data is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// `a.call(data)`
    Call,
    /// `a.staticcall(data)`
    Static,
    /// `a.delegatecall(data)`
    Delegate,
}

impl MessageKind {
    /// All of them.
    pub const ALL: [MessageKind; 3] = [
        MessageKind::Call,
        MessageKind::Static,
        MessageKind::Delegate,
    ];

    /// The member of an address.
    pub const fn word(self) -> &'static str {
        match self {
            MessageKind::Call => "call",
            MessageKind::Static => "staticcall",
            MessageKind::Delegate => "delegatecall",
        }
    }
}

/// How a text is written, other than in quotes alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `hex"6162"`
    Hex,
    /// `unicode"…"`
    Unicode,
}

impl Notation {
    /// What a text of so many letters holds: a Unicode one has a letter of two
    /// bytes more.
    pub fn bytes(self, length: u8) -> Vec<u8> {
        let mut bytes = letters(length).as_bytes().to_vec();
        if self == Notation::Unicode {
            bytes.extend("\u{e9}".as_bytes());
        }
        bytes
    }
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

/// A line of inline assembly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Yul {
    /// `x := f(…)`
    Assign(VariableId, YulCall),
    /// `let yN := f(…)`
    Let(u32, YulCall),
    /// `if f(…) { line }`
    If(YulCall, Box<Yul>),
    /// `mstore(address, f(…))`
    Store(YulCall),
    /// `for { let yN := 0 } lt(yN, times) { yN := add(yN, 1) } { line }`
    For(u32, u64, Box<Yul>),
    /// `switch f(…) case 0 { line } default { line }`
    Switch(YulCall, Box<Yul>, Box<Yul>),
    /// `function gN(a) -> b { b := f(a, number) }`
    Function(u32, &'static str, u64),
    /// `let yN := gN(f(…))` of a function of the block.
    LetOwn(u32, u32, YulCall),
    /// No line: the block says that it is safe for memory.
    MemorySafe,
}

/// A call of an opcode on values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YulCall {
    /// The opcode.
    pub name: &'static str,
    /// Its operands.
    pub operands: Vec<YulOperand>,
}

/// A value in inline assembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum YulOperand {
    /// A local variable of the function.
    Variable(VariableId),
    /// A variable of the block.
    Local(u32),
    /// A number.
    Number(u64),
}
