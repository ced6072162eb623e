//! The text of statements and expressions, with a stack of tasks in place of
//! recursion: programs may be nested as deep as they like.

use super::print::Printer;
use super::{
    CatchKind, Encoding, Environment, Expression, ExpressionId, FunctionId, Literal, Notation,
    SignalId, Statement, StatementId, TypeId, VariableId,
};
use crate::version::Feature;

/// Something that is still to be printed.
pub(super) enum Task<'a> {
    Text(&'static str),
    /// An expression, in parentheses where it could be misread.
    Expression(ExpressionId),
    /// An expression that nothing stands beside.
    Bare(ExpressionId),
    /// Arguments in parentheses.
    Arguments(&'a [ExpressionId]),
    /// Statements in braces, at a depth.
    Block(&'a [StatementId], usize),
    Statement(StatementId, usize),
    /// A statement without indentation and line end.
    Inline(StatementId),
    Indent(usize),
    Kind(TypeId),
    Declaration(VariableId),
    Signal(SignalId),
    /// The name of a function.
    Function(FunctionId),
    /// Arguments with the names of the parameters, the last first.
    NamedArguments(&'a [VariableId], &'a [ExpressionId]),
    /// A letter and a number.
    Name(&'static str, u32),
}

/// Addresses with a right checksum.
const ADDRESSES: [&str; 4] = [
    "0x0000000000000000000000000000000000000000",
    "0x0000000000000000000000000000000000000001",
    "0xdCad3a6d3569DF655070DEd06cb7A1b2Ccd1D3AF",
    "0x5B38Da6a701c568545dCfcB03FcB875f56beddC4",
];

/// The text of a literal of so many letters.
pub(crate) fn letters(length: u8) -> &'static str {
    const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz012345";
    &LETTERS[..usize::from(length).min(LETTERS.len())]
}

/// The address of a literal.
pub(crate) fn address(number: u8) -> &'static str {
    ADDRESSES[usize::from(number) % ADDRESSES.len()]
}

/// What `require` says.
pub(crate) const REQUIRE_TEXT: &str = "no";

const COMMENTS: [&str; 4] = [
    "// a line", "/* a block */", "/* several\n lines */", "// }{ \"'",
];

impl<'a> Printer<'a> {
    /// Prints a task and all that follows from it.
    pub(super) fn run(&mut self, task: Task<'a>) {
        self.tasks.push(task);
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Text(text) => self.push(text),
                Task::Expression(id) => self.expression(id, true),
                Task::Bare(id) => self.expression(id, false),
                Task::Arguments(arguments) => self.arguments(arguments),
                Task::Block(statements, depth) => self.block(statements, depth),
                Task::Statement(id, depth) => {
                    self.indent(depth);
                    self.later([Task::Text("\n")]);
                    self.statement(id, depth);
                }
                Task::Inline(id) => self.statement(id, 0),
                Task::Indent(depth) => self.indent(depth),
                Task::Kind(id) => self.kind(id),
                Task::Declaration(id) => self.declaration(id),
                Task::Signal(id) => self.signal_name(id),
                Task::Function(id) => self.function_name(id),
                Task::NamedArguments(parameters, arguments) => {
                    self.named_arguments(parameters, arguments);
                }
                Task::Name(letter, number) => self.name(letter, number),
            }
        }
    }

    /// Tasks that come next, in this order.
    pub(super) fn later<const N: usize>(&mut self, tasks: [Task<'a>; N]) {
        self.tasks.extend(tasks.into_iter().rev());
    }

    pub(super) fn indent(&mut self, depth: usize) {
        for _ in 0..depth {
            self.push("    ");
        }
    }

    fn arguments(&mut self, arguments: &'a [ExpressionId]) {
        self.tasks.push(Task::Text(")"));
        for (at, &argument) in arguments.iter().enumerate().rev() {
            self.tasks.push(Task::Bare(argument));
            if at > 0 {
                self.tasks.push(Task::Text(", "));
            }
        }
        self.tasks.push(Task::Text("("));
    }

    fn block(&mut self, statements: &'a [StatementId], depth: usize) {
        self.push("{\n");
        self.later([Task::Indent(depth), Task::Text("}")]);
        for &statement in statements.iter().rev() {
            self.tasks.push(Task::Statement(statement, depth + 1));
        }
    }

    fn statement(&mut self, id: StatementId, depth: usize) {
        use Task::{Arguments, Bare, Block, Inline, Text};
        match &self.ast[id] {
            Statement::Expression(value) => self.later([Bare(*value), Text(";")]),
            Statement::Declare { variables, value } => self.declare(variables, *value),
            Statement::If { condition, yes, no } => {
                if let Some(no) = no {
                    self.later([Text(" else "), Block(no, depth)]);
                }
                self.later([
                    Text("if ("),
                    Bare(*condition),
                    Text(") "),
                    Block(yes, depth),
                ]);
            }
            Statement::For {
                start,
                condition,
                step,
                body,
            } => {
                self.later([Text(") "), Block(body, depth)]);
                self.tasks.extend(step.map(Bare));
                self.tasks.push(Text("; "));
                self.tasks.extend(condition.map(Bare));
                match start {
                    Some(start) => self.later([Text("for ("), Inline(*start), Text(" ")]),
                    None => self.later([Text("for (; ")]),
                }
            }
            Statement::While { condition, body } => {
                self.later([
                    Text("while ("),
                    Bare(*condition),
                    Text(") "),
                    Block(body, depth),
                ]);
            }
            Statement::DoWhile { body, condition } => self.later([
                Text("do "),
                Block(body, depth),
                Text(" while ("),
                Bare(*condition),
                Text(");"),
            ]),
            Statement::Block(body) => self.later([Block(body, depth)]),
            Statement::Unchecked(body) => self.later([Text("unchecked "), Block(body, depth)]),
            Statement::Return(values) => match values[..] {
                [] => self.push("return;"),
                [value] => self.later([Text("return "), Bare(value), Text(";")]),
                _ => self.later([Text("return "), Arguments(values), Text(";")]),
            },
            Statement::Emit(signal, arguments) => {
                let emit = self.dialect.has(Feature::Emit);
                self.push(if emit { "emit " } else { "" });
                self.signal_name(*signal);
                self.later([Arguments(arguments), Text(";")]);
            }
            Statement::Revert(signal, arguments) => {
                self.push("revert");
                if let Some(signal) = signal {
                    self.push(" ");
                    self.signal_name(*signal);
                }
                self.later([Arguments(arguments), Text(";")]);
            }
            Statement::Require(condition) => {
                match self.dialect.has(Feature::RequireText) {
                    true => self.later([Text(", \""), Text(REQUIRE_TEXT), Text("\");")]),
                    false => self.later([Text(");")]),
                }
                self.later([Text("require("), Bare(*condition)]);
            }
            Statement::Assert(condition) => {
                self.later([Text("assert("), Bare(*condition), Text(");")]);
            }
            Statement::Break => self.push("break;"),
            Statement::Continue => self.push("continue;"),
            Statement::Underscore => self.push("_;"),
            Statement::Try {
                call,
                results,
                body,
                catches,
            } => {
                for (kind, body) in catches.iter().rev() {
                    let head = match kind {
                        CatchKind::All => " catch ",
                        CatchKind::Error => " catch Error(string memory) ",
                        CatchKind::Bytes => " catch (bytes memory) ",
                        CatchKind::Panic => " catch Panic(uint256) ",
                    };
                    self.later([Text(head), Block(body, depth)]);
                }
                self.tasks.push(Block(body, depth));
                self.tasks.push(Text(" "));
                if !results.is_empty() {
                    self.tasks.push(Text(")"));
                    for (at, &result) in results.iter().enumerate().rev() {
                        self.tasks.push(Task::Declaration(result));
                        self.tasks
                            .push(Text(if at == 0 { " returns (" } else { ", " }));
                    }
                }
                self.later([Text("try "), Bare(*call)]);
            }
            Statement::Assembly(lines) => self.assembly(lines, depth),
            Statement::Comment(number) => {
                self.push(COMMENTS[usize::from(*number) % COMMENTS.len()]);
            }
        }
    }

    fn declare(&mut self, variables: &[Option<VariableId>], value: Option<ExpressionId>) {
        match variables {
            [Some(variable)] => self.declaration(*variable),
            _ => {
                self.push("(");
                for (at, variable) in variables.iter().enumerate() {
                    self.push(if at == 0 { "" } else { ", " });
                    if let Some(variable) = variable {
                        self.declaration(*variable);
                    }
                }
                self.push(")");
            }
        }
        match value {
            Some(value) => self.later([Task::Text(" = "), Task::Bare(value), Task::Text(";")]),
            None => self.push(";"),
        }
    }

    fn expression(&mut self, id: ExpressionId, beside: bool) {
        use Task::{Arguments, Bare, Expression as Sub, Text};
        let closing = beside && needs_parentheses(&self.ast[id]);
        if closing {
            self.push("(");
            self.tasks.push(Text(")"));
        }
        match &self.ast[id] {
            Expression::Literal(literal) => self.literal(*literal),
            Expression::Variable(variable) => self.name("v", variable.0),
            Expression::Assign { op, target, value } => {
                let sign = op.map_or("", |op| op.sign());
                self.later([Sub(*target), Text(" "), Text(sign), Text("= "), Sub(*value)]);
            }
            Expression::Binary { op, left, right } => {
                self.later([
                    Sub(*left),
                    Text(" "),
                    Text(op.sign()),
                    Text(" "),
                    Sub(*right),
                ]);
            }
            Expression::Unary { op, operand } => {
                let (before, after) = op.sign();
                self.later([Text(before), Sub(*operand), Text(after)]);
            }
            Expression::Conditional { condition, yes, no } => {
                self.later([
                    Sub(*condition),
                    Text(" ? "),
                    Sub(*yes),
                    Text(" : "),
                    Sub(*no),
                ]);
            }
            Expression::Call { .. } | Expression::Getter { .. } | Expression::New { .. } => {
                self.call(id, &[], false);
            }
            Expression::With {
                call,
                options,
                named,
            } => self.call(*call, options, *named),
            Expression::NewArray { kind, length } => {
                self.later([
                    Text("new "),
                    Task::Kind(*kind),
                    Text("("),
                    Bare(*length),
                    Text(")"),
                ]);
            }
            Expression::Struct { id, arguments } => {
                self.struct_name(*id);
                self.later([Arguments(arguments)]);
            }
            Expression::Index { base, index } => {
                self.later([Sub(*base), Text("["), Bare(*index), Text("]")]);
            }
            Expression::Member { base, field } => {
                self.later([Sub(*base), Text("."), Task::Name("v", field.0)]);
            }
            other => self.further(other),
        }
    }

    /// Expressions beyond figure 4.
    fn further(&mut self, expression: &'a Expression) {
        use Task::{Arguments, Bare, Expression as Sub, Text};
        match expression {
            Expression::Cast { kind, operand } => {
                self.later([Task::Kind(*kind), Text("("), Bare(*operand), Text(")")]);
            }
            Expression::Length(base) => self.later([Sub(*base), Text(".length")]),
            Expression::Push { array, value } => {
                self.later([Sub(*array), Text(".push("), Bare(*value), Text(")")]);
            }
            Expression::Pop(array) => self.later([Sub(*array), Text(".pop()")]),
            Expression::Grow(array) => self.later([Sub(*array), Text(".push()")]),
            Expression::Intrinsic(intrinsic, operands) => {
                self.intrinsic(intrinsic.row().text, operands);
            }
            Expression::Limit { kind, largest } => {
                let limit = if *largest { ").max" } else { ").min" };
                self.later([Text("type("), Task::Kind(*kind), Text(limit)]);
            }
            Expression::EnumMember(id, member) => {
                self.enum_name(*id);
                self.push(".");
                self.name("n", u32::from(*member));
            }
            Expression::Wrap(id, operand) => {
                self.value_type_name(*id);
                self.later([Text(".wrap("), Bare(*operand), Text(")")]);
            }
            Expression::Unwrap(id, operand) => {
                self.value_type_name(*id);
                self.later([Text(".unwrap("), Bare(*operand), Text(")")]);
            }
            Expression::Environment(value) => self.environment(*value),
            Expression::Reference(function) => self.function_name(*function),
            Expression::ReferenceOutside(function) => {
                self.push("this.");
                self.function_name(*function);
            }
            Expression::CallValue {
                callee, arguments, ..
            } => self.later([Sub(*callee), Arguments(arguments)]),
            Expression::Encode(encoding, arguments) => {
                self.push(match encoding {
                    Encoding::Plain => "abi.encode",
                    Encoding::Packed => "abi.encodePacked",
                    Encoding::WithSelector => "abi.encodeWithSelector",
                    Encoding::WithSignature => "abi.encodeWithSignature",
                });
                self.later([Arguments(arguments)]);
            }
            Expression::EncodeCall {
                function,
                arguments,
            } => {
                self.push("abi.encodeCall(");
                self.function_of_contract(*function);
                self.later([Text(", "), Arguments(arguments), Text(")")]);
            }
            Expression::Selector(function) => {
                self.function_of_contract(*function);
                self.push(".selector");
            }
            Expression::Decode { data, kinds } => {
                self.tasks.push(Text("))"));
                for (at, &kind) in kinds.iter().enumerate().rev() {
                    self.tasks.push(Task::Kind(kind));
                    self.tasks.push(Text(if at == 0 { "" } else { ", " }));
                }
                self.later([Text("abi.decode("), Bare(*data), Text(", (")]);
            }
            Expression::Keccak(data) => {
                self.later([Text("keccak256("), Bare(*data), Text(")")]);
            }
            Expression::Concat { strings, parts } => {
                self.push(if *strings {
                    "string.concat"
                } else {
                    "bytes.concat"
                });
                self.later([Arguments(parts)]);
            }
            Expression::Tuple(parts) => {
                self.tasks.push(Text(")"));
                for (at, part) in parts.iter().enumerate().rev() {
                    self.tasks.extend(part.map(Bare));
                    self.tasks.push(Text(if at == 0 { "(" } else { ", " }));
                }
            }
            other => self.written_otherwise(other),
        }
    }

    /// Literals, facts, slices and arrays that are written in their own way.
    fn written_otherwise(&mut self, expression: &'a Expression) {
        use Task::{Arguments, Bare, Expression as Sub, Text};
        match expression {
            Expression::Text(notation, length) => self.notation(*notation, *length),
            Expression::Quoted(bytes) => self.quoted(bytes),
            Expression::Fact(fact, contract) => {
                self.push("type(");
                self.contract_name(*contract);
                self.push(").");
                self.push(fact.word());
            }
            Expression::Slice { base, from, to } => {
                self.tasks.push(Text("]"));
                self.tasks.extend(to.map(Bare));
                self.tasks.push(Text(":"));
                self.tasks.extend(from.map(Bare));
                self.later([Sub(*base), Text("[")]);
            }
            Expression::Inline { elements, .. } => {
                self.tasks.push(Text("]"));
                for (at, &element) in elements.iter().enumerate().rev() {
                    self.tasks.push(Bare(element));
                    self.tasks.push(Text(if at == 0 { "[" } else { ", " }));
                }
            }
            Expression::RequireError {
                condition,
                signal,
                arguments,
            } => {
                self.later([
                    Text(", "),
                    Task::Signal(*signal),
                    Arguments(arguments),
                    Text(")"),
                ]);
                self.later([Text("require("), Bare(*condition)]);
            }
            Expression::Operator {
                op, left, right, ..
            } => {
                self.later([
                    Sub(*left),
                    Text(" "),
                    Text(op.sign()),
                    Text(" "),
                    Sub(*right),
                ]);
            }
            Expression::UnaryOperator { op, operand, .. } => {
                let (before, after) = op.sign();
                self.later([Text(before), Sub(*operand), Text(after)]);
            }
            Expression::Message {
                kind,
                to,
                wei,
                data,
            } => self.message(*kind, *to, *wei, *data),
            Expression::Erc7201(length) => {
                self.push("erc7201(\"");
                self.push(letters(*length));
                self.push("\")");
            }
            _ => {}
        }
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
