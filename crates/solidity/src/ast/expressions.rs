//! The text of expressions.

use super::layout::Hole;
use super::print::Printer;
use super::statements::{Task, letters};
use super::{
    BinaryOp, ContractId, Encoding, EnumId, Environment, Expression, ExpressionId, FunctionId,
    Literal, Notation, StructId, Type, TypeFact, TypeId, UnaryOp, ValueTypeId, VariableId,
};

impl<'a> Printer<'a> {
    pub(super) fn expression(&mut self, id: ExpressionId, beside: bool) {
        if beside && needs_parentheses(&self.ast[id]) {
            self.push("(");
            self.tasks.push(Task::Text(")"));
        }
        match &self.ast[id] {
            Expression::Literal(literal) => self.literal(*literal),
            Expression::Text(notation, length) => self.notation(*notation, *length),
            Expression::Quoted(bytes) => self.quoted(bytes),
            Expression::EnumMember(id, member) => self.enum_member(*id, *member),
            Expression::Variable(variable) => self.variable(*variable),
            Expression::Assign { op, target, value } => self.assign(*op, *target, *value),
            Expression::Binary { op, left, right }
            | Expression::Operator {
                op, left, right, ..
            } => self.binary(*op, *left, *right),
            Expression::Unary { op, operand } | Expression::UnaryOperator { op, operand, .. } => {
                self.unary(*op, *operand)
            }
            Expression::Conditional { condition, yes, no } => self.choice(*condition, *yes, *no),
            Expression::Call { .. }
            | Expression::Getter { .. }
            | Expression::New { .. }
            | Expression::With { .. }
            | Expression::CallValue { .. }
            | Expression::Message { .. }
            | Expression::RequireError { .. } => self.call(id),
            Expression::Reference(function) => self.function_name(*function),
            Expression::ReferenceOutside(function) => self.function_of_this(*function),
            Expression::Selector(function) => self.selector(*function),
            Expression::Struct { id, arguments } => self.struct_value(*id, arguments),
            Expression::NewArray { kind, length } => self.applied("new ", *kind, *length),
            Expression::Inline { elements, .. } => self.inline(elements),
            Expression::Index { base, index } => self.followed(*base, "[", Some(*index), "]"),
            Expression::Slice { base, from, to } => self.slice(*base, *from, *to),
            Expression::Member { base, field } => self.member(*base, *field),
            Expression::Length(base) => self.followed(*base, ".length", None, ""),
            Expression::Push { array, value } => self.followed(*array, ".push(", Some(*value), ")"),
            Expression::Pop(array) => self.followed(*array, ".pop()", None, ""),
            Expression::Grow(array) => self.followed(*array, ".push()", None, ""),
            Expression::Cast { kind, operand } => self.cast(*kind, *operand),
            Expression::Wrap(id, operand) => self.wrapped(*id, ".wrap(", *operand),
            Expression::Unwrap(id, operand) => self.wrapped(*id, ".unwrap(", *operand),
            Expression::Limit { kind, largest } => self.limit(*kind, *largest),
            Expression::Fact(fact, contract) => self.fact(*fact, *contract),
            Expression::Environment(value) => self.environment(*value),
            Expression::Intrinsic(intrinsic, of) => self.intrinsic(intrinsic.row().text, of),
            Expression::Erc7201(length) => self.erc7201(*length),
            Expression::Encode(encoding, arguments) => self.encode(*encoding, arguments),
            Expression::EncodeCall {
                function,
                arguments,
            } => self.encode_call(*function, arguments),
            Expression::Decode { data, kinds } => self.decode(*data, kinds),
            Expression::Keccak(data) => self.keccak(*data),
            Expression::Concat { strings, parts } => self.concat(*strings, parts),
            Expression::Tuple(parts) => self.tuple(parts),
        }
    }

    fn variable(&mut self, id: VariableId) {
        self.name("v", id.0);
        if self.ast.at_end.contains_key(&id) {
            self.push("()");
        }
    }

    fn enum_member(&mut self, id: EnumId, member: u8) {
        self.enum_name(id);
        self.push(".");
        self.name("n", u32::from(member));
    }

    fn assign(&mut self, op: Option<BinaryOp>, target: ExpressionId, value: ExpressionId) {
        use Task::{Expression as Sub, Text};
        let sign = op.map_or("", |op| op.sign());
        self.later([Sub(target), Text(" "), Text(sign), Text("= "), Sub(value)]);
    }

    fn choice(&mut self, condition: ExpressionId, yes: ExpressionId, no: ExpressionId) {
        let [condition, yes, no] = [condition, yes, no].map(Task::Expression);
        self.later([condition, Task::Text(" ? "), yes, Task::Text(" : "), no]);
    }

    fn function_of_this(&mut self, function: FunctionId) {
        self.push("this.");
        self.function_name(function);
    }

    fn selector(&mut self, function: FunctionId) {
        self.function_of_contract(function);
        self.push(".selector");
    }

    fn struct_value(&mut self, id: StructId, arguments: &'a [ExpressionId]) {
        self.struct_name(id);
        self.later([Task::Arguments(arguments)]);
    }

    /// A type that is applied to a value: `new T[](n)` and `T(x)`.
    fn applied(&mut self, before: &'static str, kind: TypeId, operand: ExpressionId) {
        self.push(before);
        let operand = Task::Bare(operand);
        self.later([Task::Kind(kind), Task::Text("("), operand, Task::Text(")")]);
    }

    fn cast(&mut self, kind: TypeId, operand: ExpressionId) {
        let Type::Elementary(placeholder) = self.ast[kind] else {
            return self.applied("", kind, operand);
        };
        self.layout.push_hole(Hole::Conversion(placeholder));
        self.later([Task::Text("("), Task::Bare(operand), Task::Text(")")]);
    }

    /// An expression and what follows it: a text, and perhaps an operand and
    /// what ends it.
    fn followed(
        &mut self,
        base: ExpressionId,
        text: &'static str,
        operand: Option<ExpressionId>,
        end: &'static str,
    ) {
        self.tasks.push(Task::Text(end));
        self.tasks.extend(operand.map(Task::Bare));
        self.later([Task::Expression(base), Task::Text(text)]);
    }

    fn member(&mut self, base: ExpressionId, field: VariableId) {
        let base = Task::Expression(base);
        self.later([base, Task::Text("."), Task::Name("v", field.0)]);
    }

    /// To or from a user-defined value type.
    fn wrapped(&mut self, id: ValueTypeId, verb: &'static str, operand: ExpressionId) {
        self.value_type_name(id);
        self.later([Task::Text(verb), Task::Bare(operand), Task::Text(")")]);
    }

    fn limit(&mut self, kind: TypeId, largest: bool) {
        let limit = if largest { ").max" } else { ").min" };
        self.later([Task::Text("type("), Task::Kind(kind), Task::Text(limit)]);
    }

    fn fact(&mut self, fact: TypeFact, contract: ContractId) {
        self.push("type(");
        self.contract_name(contract);
        self.push(").");
        self.push(fact.word());
    }

    fn erc7201(&mut self, length: u8) {
        self.push("erc7201(\"");
        self.push(letters(length));
        self.push("\")");
    }

    fn encode_call(&mut self, function: FunctionId, arguments: &'a [ExpressionId]) {
        self.push("abi.encodeCall(");
        self.function_of_contract(function);
        let arguments = Task::Arguments(arguments);
        self.later([Task::Text(", "), arguments, Task::Text(")")]);
    }

    fn keccak(&mut self, data: ExpressionId) {
        let data = Task::Bare(data);
        self.later([Task::Text("keccak256("), data, Task::Text(")")]);
    }

    fn concat(&mut self, strings: bool, parts: &'a [ExpressionId]) {
        self.push(if strings { "string" } else { "bytes" });
        self.later([Task::Text(".concat"), Task::Arguments(parts)]);
    }

    fn binary(&mut self, op: BinaryOp, left: ExpressionId, right: ExpressionId) {
        let (left, right) = (Task::Expression(left), Task::Expression(right));
        let sign = Task::Text(op.sign());
        self.later([left, Task::Text(" "), sign, Task::Text(" "), right]);
    }

    fn unary(&mut self, op: UnaryOp, operand: ExpressionId) {
        let (before, after) = op.sign();
        let operand = Task::Expression(operand);
        self.later([Task::Text(before), operand, Task::Text(after)]);
    }

    fn encode(&mut self, encoding: Encoding, arguments: &'a [ExpressionId]) {
        self.push(match encoding {
            Encoding::Plain => "abi.encode",
            Encoding::Packed => "abi.encodePacked",
            Encoding::WithSelector => "abi.encodeWithSelector",
            Encoding::WithSignature => "abi.encodeWithSignature",
        });
        self.later([Task::Arguments(arguments)]);
    }

    fn decode(&mut self, data: ExpressionId, kinds: &[TypeId]) {
        self.tasks.push(Task::Text("))"));
        for (at, &kind) in kinds.iter().enumerate().rev() {
            self.tasks.push(Task::Kind(kind));
            self.tasks.push(Task::Text(if at == 0 { "" } else { ", " }));
        }
        let data = Task::Bare(data);
        self.later([Task::Text("abi.decode("), data, Task::Text(", (")]);
    }

    fn tuple(&mut self, parts: &[Option<ExpressionId>]) {
        self.tasks.push(Task::Text(")"));
        for (at, part) in parts.iter().enumerate().rev() {
            self.tasks.extend(part.map(Task::Bare));
            self.tasks
                .push(Task::Text(if at == 0 { "(" } else { ", " }));
        }
    }

    fn inline(&mut self, elements: &[ExpressionId]) {
        self.tasks.push(Task::Text("]"));
        for (at, &element) in elements.iter().enumerate().rev() {
            self.tasks.push(Task::Bare(element));
            self.tasks
                .push(Task::Text(if at == 0 { "[" } else { ", " }));
        }
    }

    fn slice(&mut self, base: ExpressionId, from: Option<ExpressionId>, to: Option<ExpressionId>) {
        self.tasks.push(Task::Text("]"));
        self.tasks.extend(to.map(Task::Bare));
        self.tasks.push(Task::Text(":"));
        self.tasks.extend(from.map(Task::Bare));
        self.later([Task::Expression(base), Task::Text("[")]);
    }

    /// A text in another notation.
    fn notation(&mut self, notation: Notation, length: u8) {
        let letters = letters(length);
        match notation {
            Notation::Hex => {
                self.push("hex\"");
                for letter in letters.bytes() {
                    self.push(&format!("{letter:02x}"));
                }
            }
            Notation::Unicode => {
                self.push("unicode\"");
                self.push(letters);
                // Two bytes, of which the length knows.
                self.push("\u{e9}");
            }
        }
        self.push("\"");
    }

    fn environment(&mut self, value: Environment) {
        self.push(match value {
            Environment::Sender => "msg.sender",
            Environment::Timestamp => "block.timestamp",
            Environment::Number => "block.number",
            Environment::Data => "msg.data",
            Environment::This => "address(this)",
            Environment::Gas => "gasleft()",
        });
    }

    /// The text of an intrinsic with its operands in their places.
    fn intrinsic(&mut self, text: &'static str, operands: &[ExpressionId]) {
        let mut pieces = text.split('$');
        self.push(pieces.next().unwrap_or_default());
        // What stands before a dot binds tightly; a parenthesis is enough.
        let before_dot = text.starts_with('$');
        let pieces: Vec<&'static str> = pieces.collect();
        for (at, piece) in pieces.into_iter().enumerate().rev() {
            let Some(&operand) = operands.get(at) else {
                continue;
            };
            self.tasks.push(Task::Text(piece));
            self.tasks.push(match before_dot && at == 0 {
                true => Task::Expression(operand),
                false => Task::Bare(operand),
            });
        }
    }

    /// `C.f`
    fn function_of_contract(&mut self, id: FunctionId) {
        if let Some(contract) = self.ast[id].contract {
            match self.is_own(contract) {
                true => self.push("this"),
                false => self.contract_name(contract),
            }
            self.push(".");
        }
        self.function_name(id);
    }
}

/// True if an operator beside it could take it apart.
fn needs_parentheses(expression: &Expression) -> bool {
    matches!(
        expression,
        Expression::Assign { .. }
            | Expression::Binary { .. }
            | Expression::Unary { .. }
            | Expression::Conditional { .. }
            | Expression::New { .. }
            | Expression::With { .. }
            | Expression::Operator { .. }
            | Expression::UnaryOperator { .. }
            | Expression::Literal(Literal::Number { negative: true, .. })
    )
}
