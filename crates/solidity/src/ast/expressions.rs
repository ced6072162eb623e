//! The text of expressions.

use super::print::Printer;
use super::statements::{Task, letters};
use super::{
    BinaryOp, Encoding, Environment, Expression, ExpressionId, FunctionId, Literal, Notation,
    TypeId, UnaryOp,
};

impl<'a> Printer<'a> {
    pub(super) fn expression(&mut self, id: ExpressionId, beside: bool) {
        use Task::{Arguments, Bare, Expression as Sub, Kind, Text};
        let closing = beside && needs_parentheses(&self.ast[id]);
        if closing {
            self.push("(");
            self.tasks.push(Text(")"));
        }
        match &self.ast[id] {
            Expression::Literal(literal) => self.literal(*literal),
            Expression::Text(notation, length) => self.notation(*notation, *length),
            Expression::Quoted(bytes) => self.quoted(bytes),
            Expression::EnumMember(id, member) => {
                self.enum_name(*id);
                self.push(".");
                self.name("n", u32::from(*member));
            }
            Expression::Variable(variable) => self.name("v", variable.0),
            Expression::Assign { op, target, value } => {
                let sign = op.map_or("", |op| op.sign());
                self.later([Sub(*target), Text(" "), Text(sign), Text("= "), Sub(*value)]);
            }
            Expression::Binary { op, left, right }
            | Expression::Operator {
                op, left, right, ..
            } => self.binary(*op, *left, *right),
            Expression::Unary { op, operand } | Expression::UnaryOperator { op, operand, .. } => {
                self.unary(*op, *operand)
            }
            Expression::Conditional { condition, yes, no } => {
                let parts = [*condition, *yes, *no].map(Sub);
                let [condition, yes, no] = parts;
                self.later([condition, Text(" ? "), yes, Text(" : "), no]);
            }
            Expression::Call { .. } | Expression::Getter { .. } | Expression::New { .. } => {
                self.call(id, &[], false);
            }
            Expression::With {
                call,
                options,
                named,
            } => self.call(*call, options, *named),
            Expression::CallValue {
                callee, arguments, ..
            } => self.later([Sub(*callee), Arguments(arguments)]),
            Expression::Message {
                kind,
                to,
                wei,
                data,
            } => self.message(*kind, *to, *wei, *data),
            Expression::RequireError {
                condition,
                signal,
                arguments,
                named,
            } => {
                let given = match named {
                    true => Task::NamedArguments(&self.ast[*signal].parameters, arguments),
                    false => Arguments(arguments),
                };
                self.later([Text(", "), Task::Signal(*signal), given, Text(")")]);
                self.later([Text("require("), Bare(*condition)]);
            }
            Expression::Reference(function) => self.function_name(*function),
            Expression::ReferenceOutside(function) => {
                self.push("this.");
                self.function_name(*function);
            }
            Expression::Selector(function) => {
                self.function_of_contract(*function);
                self.push(".selector");
            }
            Expression::Struct { id, arguments } => {
                self.struct_name(*id);
                self.later([Arguments(arguments)]);
            }
            Expression::NewArray { kind, length } => {
                self.push("new ");
                self.later([Kind(*kind), Text("("), Bare(*length), Text(")")]);
            }
            Expression::Inline { elements, .. } => self.inline(elements),
            Expression::Index { base, index } => {
                self.later([Sub(*base), Text("["), Bare(*index), Text("]")]);
            }
            Expression::Slice { base, from, to } => self.slice(*base, *from, *to),
            Expression::Member { base, field } => {
                self.later([Sub(*base), Text("."), Task::Name("v", field.0)]);
            }
            Expression::Length(base) => self.later([Sub(*base), Text(".length")]),
            Expression::Push { array, value } => {
                self.later([Sub(*array), Text(".push("), Bare(*value), Text(")")]);
            }
            Expression::Pop(array) => self.later([Sub(*array), Text(".pop()")]),
            Expression::Grow(array) => self.later([Sub(*array), Text(".push()")]),
            Expression::Cast { kind, operand } => {
                self.later([Kind(*kind), Text("("), Bare(*operand), Text(")")]);
            }
            Expression::Wrap(id, operand) => {
                self.value_type_name(*id);
                self.later([Text(".wrap("), Bare(*operand), Text(")")]);
            }
            Expression::Unwrap(id, operand) => {
                self.value_type_name(*id);
                self.later([Text(".unwrap("), Bare(*operand), Text(")")]);
            }
            Expression::Limit { kind, largest } => {
                let limit = if *largest { ").max" } else { ").min" };
                self.later([Text("type("), Kind(*kind), Text(limit)]);
            }
            Expression::Fact(fact, contract) => {
                self.push("type(");
                self.contract_name(*contract);
                self.push(").");
                self.push(fact.word());
            }
            Expression::Environment(value) => self.environment(*value),
            Expression::Intrinsic(intrinsic, operands) => {
                self.intrinsic(intrinsic.row().text, operands);
            }
            Expression::Erc7201(length) => {
                self.push("erc7201(\"");
                self.push(letters(*length));
                self.push("\")");
            }
            Expression::Encode(encoding, arguments) => self.encode(*encoding, arguments),
            Expression::EncodeCall {
                function,
                arguments,
            } => {
                self.push("abi.encodeCall(");
                self.function_of_contract(*function);
                self.later([Text(", "), Arguments(arguments), Text(")")]);
            }
            Expression::Decode { data, kinds } => self.decode(*data, kinds),
            Expression::Keccak(data) => {
                self.later([Text("keccak256("), Bare(*data), Text(")")]);
            }
            Expression::Concat { strings, parts } => {
                self.push(if *strings { "string" } else { "bytes" });
                self.later([Text(".concat"), Arguments(parts)]);
            }
            Expression::Tuple(parts) => self.tuple(parts),
        }
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
