//! The text of statements and expressions, with a stack of tasks in place of
//! recursion: programs may be nested as deep as they like.

use super::print::Printer;
use super::{
    CatchKind, ExpressionId, FunctionId, SignalId, Statement, StatementId, TypeId, VariableId,
};
use crate::version::Feature;

/// Something that is still to be printed.
pub(super) enum Task<'a> {
    Text(&'static str),
    /// An expression, in parentheses where it could be misread.
    Expression(ExpressionId),
    /// An expression that nothing stands beside.
    Bare(ExpressionId),
    /// The same, within parentheses that stand already.
    Inner(ExpressionId),
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
                Task::Expression(id) | Task::Bare(id) if self.ast.parenthesized.contains(&id) => {
                    self.push("(");
                    self.later([Task::Inner(id), Task::Text(")")]);
                }
                Task::Expression(id) => self.expression(id, true),
                Task::Bare(id) | Task::Inner(id) => self.expression(id, false),
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
        use Task::{Bare, Block, Text};
        match &self.ast[id] {
            Statement::Expression(value) => self.later([Bare(*value), Text(";")]),
            Statement::Declare { variables, value } => self.declare(variables, *value),
            Statement::If { condition, yes, no } => {
                if let Some(no) = no {
                    self.later([Text(" else "), Block(no, depth)]);
                }
                self.guarded("if (", *condition, yes, depth);
            }
            Statement::For {
                start,
                condition,
                step,
                body,
            } => {
                self.later([Text(") "), Block(body, depth)]);
                self.for_head(*start, *condition, *step);
            }
            Statement::While { condition, body } => {
                self.guarded("while (", *condition, body, depth);
            }
            Statement::DoWhile { body, condition } => {
                self.later([Text(" while ("), Bare(*condition), Text(");")]);
                self.later([Text("do "), Block(body, depth)]);
            }
            Statement::Block(body) => self.later([Block(body, depth)]),
            Statement::Unchecked(body) => self.later([Text("unchecked "), Block(body, depth)]),
            Statement::Return(values) => self.results(values),
            Statement::Emit(signal, arguments) => {
                let emit = self.dialect.has(Feature::Emit);
                self.signalled(if emit { "emit " } else { "" }, Some(*signal), arguments);
            }
            Statement::Revert(signal, arguments) => {
                let word = signal.map_or("revert", |_| "revert ");
                self.signalled(word, *signal, arguments);
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
            Statement::Try { .. } => self.attempt(id, depth),
            Statement::Assembly(lines) => self.assembly(lines, depth),
            Statement::Comment(number) => {
                self.push(COMMENTS[usize::from(*number) % COMMENTS.len()]);
            }
        }
    }

    /// A block that runs if a condition holds, or while it does.
    fn guarded(
        &mut self,
        head: &'static str,
        condition: ExpressionId,
        body: &'a [StatementId],
        depth: usize,
    ) {
        let (condition, body) = (Task::Bare(condition), Task::Block(body, depth));
        self.later([Task::Text(head), condition, Task::Text(") "), body]);
    }

    /// The head of a `for` loop, up to its last part.
    fn for_head(
        &mut self,
        start: Option<StatementId>,
        condition: Option<ExpressionId>,
        step: Option<ExpressionId>,
    ) {
        use Task::{Bare, Inline, Text};
        self.tasks.extend(step.map(Bare));
        self.tasks.push(Text("; "));
        self.tasks.extend(condition.map(Bare));
        match start {
            Some(start) => self.later([Text("for ("), Inline(start), Text(" ")]),
            None => self.later([Text("for (; ")]),
        }
    }

    fn results(&mut self, values: &'a [ExpressionId]) {
        use Task::{Arguments, Bare, Text};
        match values[..] {
            [] => self.push("return;"),
            [value] => self.later([Text("return "), Bare(value), Text(";")]),
            _ => self.later([Text("return "), Arguments(values), Text(";")]),
        }
    }

    /// An event or an error with its arguments.
    fn signalled(
        &mut self,
        word: &'static str,
        signal: Option<SignalId>,
        arguments: &'a [ExpressionId],
    ) {
        self.push(word);
        if let Some(signal) = signal {
            self.signal_name(signal);
        }
        self.later([Task::Arguments(arguments), Task::Text(";")]);
    }

    fn attempt(&mut self, id: StatementId, depth: usize) {
        use Task::{Bare, Block, Declaration, Text};
        let Statement::Try {
            call,
            results,
            body,
            catches,
        } = &self.ast[id]
        else {
            return;
        };
        for (kind, body) in catches.iter().rev() {
            let head = match kind {
                CatchKind::All => " catch ",
                CatchKind::Error => " catch Error(string memory) ",
                CatchKind::Bytes => " catch (bytes memory) ",
                CatchKind::Panic => " catch Panic(uint256) ",
            };
            self.later([Text(head), Block(body, depth)]);
        }
        self.later([Text(" "), Block(body, depth)]);
        if !results.is_empty() {
            self.tasks.push(Text(")"));
        }
        for (at, &result) in results.iter().enumerate().rev() {
            let before = if at == 0 { " returns (" } else { ", " };
            self.later([Text(before), Declaration(result)]);
        }
        self.later([Text("try "), Bare(*call)]);
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
}
