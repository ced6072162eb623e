//! Calls and their text: how a function is reached, what stands in braces, and
//! arguments by position or by name.

use super::print::Printer;
use super::statements::Task;
use super::{ContractId, Expression, ExpressionId, FunctionId, FunctionName, Member, VariableId};
use crate::version::Feature;

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

impl<'a> Printer<'a> {
    /// A call of any kind.
    pub(super) fn call(&mut self, id: ExpressionId) {
        match &self.ast[id] {
            Expression::With {
                call,
                options,
                named,
            } => self.call_with(*call, options, *named),
            Expression::CallValue {
                callee, arguments, ..
            } => self.later([Task::Expression(*callee), Task::Arguments(arguments)]),
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
                use Task::Text;
                let parameters = named.then_some(&self.ast[*signal].parameters[..]);
                let given = given(parameters, arguments);
                self.later([Text(", "), Task::Signal(*signal), given, Text(")")]);
                self.later([Text("require("), Task::Bare(*condition)]);
            }
            _ => self.call_with(id, &[], false),
        }
    }

    /// A call of a function or a getter, or a new contract.
    fn call_with(
        &mut self,
        id: ExpressionId,
        options: &'a [(CallOption, ExpressionId)],
        named: bool,
    ) {
        match &self.ast[id] {
            Expression::Call {
                function,
                via,
                arguments,
            } => {
                let parameters = named.then_some(&self.ast[*function].parameters[..]);
                self.later([given(parameters, arguments)]);
                self.options(options);
                self.reach(*function, *via, arguments);
            }
            Expression::Getter {
                variable,
                via,
                arguments,
            } => {
                self.later([Task::Name("v", variable.0), Task::Arguments(arguments)]);
                match *via {
                    Via::On(on) => self.later([Task::Expression(on), Task::Text(".")]),
                    _ => self.later([Task::Text("this.")]),
                }
            }
            Expression::New {
                contract,
                arguments,
            } => {
                let constructor = self.constructor_of(*contract).filter(|_| named);
                let parameters = constructor.map(|id| &self.ast[id].parameters[..]);
                self.push("new ");
                self.contract_name(*contract);
                self.later([given(parameters, arguments)]);
                self.options(options);
            }
            _ => {}
        }
    }

    fn constructor_of(&self, contract: ContractId) -> Option<FunctionId> {
        let mut members = self.ast[contract].members.iter();
        members.find_map(|member| {
            let Member::Function(id) = *member else {
                return None;
            };
            (self.ast[id].name == FunctionName::Constructor).then_some(id)
        })
    }

    /// What is called, up to its name.
    fn reach(&mut self, function: FunctionId, via: Via, arguments: &'a [ExpressionId]) {
        use Task::{Expression as Sub, Text};
        let name = Task::Function(function);
        match via {
            Via::Name => self.later([name]),
            Via::This => self.later([Text("this."), name]),
            Via::Super => self.later([Text("super."), name]),
            Via::On(on) => self.later([Sub(on), Text("."), name]),
            Via::Library => {
                if let Some(library) = self.ast[function].contract {
                    self.contract_name(library);
                }
                self.later([Text("."), name]);
            }
            Via::Attached => {
                // The first argument stands before the dot.
                if let Some(Task::Arguments(given)) = self.tasks.last_mut() {
                    *given = &arguments[1..];
                }
                self.later([Sub(arguments[0]), Text("."), name]);
            }
        }
    }

    /// `{value: 1, gas: 2}`, or `.value(1).gas(2)` in old compilers.
    fn options(&mut self, options: &'a [(CallOption, ExpressionId)]) {
        use Task::{Bare, Text};
        let braces = self.dialect.has(Feature::CallOptions);
        if braces && !options.is_empty() {
            self.tasks.push(Text("}"));
        }
        for (at, &(option, value)) in options.iter().enumerate().rev() {
            match braces {
                true => {
                    let before = if at == 0 { "{" } else { ", " };
                    self.later([Text(before), Text(option.word()), Text(": "), Bare(value)]);
                }
                false => {
                    let word = Text(option.word());
                    self.later([Text("."), word, Text("("), Bare(value), Text(")")]);
                }
            }
        }
    }

    /// `a.call{value: v}(data)`, or `a.call.value(v)(data)` in old compilers.
    fn message(
        &mut self,
        kind: MessageKind,
        to: ExpressionId,
        wei: Option<ExpressionId>,
        data: ExpressionId,
    ) {
        use Task::{Bare, Expression as Sub, Text};
        let (before, after) = match self.dialect.has(Feature::CallOptions) {
            true => ("{value: ", "}"),
            false => (".value(", ")"),
        };
        self.later([Text("("), Bare(data), Text(")")]);
        if let Some(wei) = wei {
            self.later([Text(before), Bare(wei), Text(after)]);
        }
        self.later([Sub(to), Text("."), Text(kind.word())]);
    }

    /// `({b: 2, a: 1})`: the last parameter first.
    pub(super) fn named_arguments(
        &mut self,
        parameters: &'a [VariableId],
        arguments: &'a [ExpressionId],
    ) {
        use Task::{Bare, Name, Text};
        self.tasks.push(Text("})"));
        for (at, (parameter, &argument)) in parameters.iter().zip(arguments).enumerate() {
            let after = if at == 0 { "" } else { ", " };
            self.later([
                Name("v", parameter.0),
                Text(": "),
                Bare(argument),
                Text(after),
            ]);
        }
        self.tasks.push(Text("({"));
    }
}

/// Arguments, with the names of the parameters if these are given.
fn given<'a>(parameters: Option<&'a [VariableId]>, arguments: &'a [ExpressionId]) -> Task<'a> {
    match parameters {
        Some(parameters) => Task::NamedArguments(parameters, arguments),
        None => Task::Arguments(arguments),
    }
}
