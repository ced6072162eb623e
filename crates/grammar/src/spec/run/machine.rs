//! Flat code and the stack machine that runs it.
//!
//! Every loop and call costs fuel, so does every element that a function of
//! the prelude touches: a function that does not end is a [`Fault`], not a
//! hang.

use std::rc::Rc;

use super::builtin::{self, Builtin};
use super::map::Map;
use super::texts::{Composer, MAX_BYTES, Texts};
use super::value::{Extent, Value};
use crate::spec::source::Span;

/// One instruction. Expressions leave one value on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Const(u32),
    Knob(u32),
    /// A value of the present call, counted from its first argument.
    Local(u32),
    /// An attribute of the node that the rule belongs to.
    Own(u32),
    /// An attribute of one of its children.
    Child(u16, u32),
    /// How high the node may be.
    Height,
    Call {
        function: u32,
        args: u32,
    },
    Return,
    Builtin(Builtin),
    /// Takes so many fields.
    Data {
        tag: u32,
        count: u32,
    },
    Field(u32),
    /// Takes a record and a value: the record with that field changed.
    With(u32),
    /// Takes so many items.
    List(u32),
    /// Takes a value and appends it to the list in that local.
    Push(u32),
    /// The next item of the list in that local (its index is in the one
    /// after it), or a jump.
    Next {
        local: u32,
        end: u32,
    },
    /// Takes a value and puts it into that local.
    Store(u32),
    /// Keeps the topmost value and drops so many below it.
    Slide(u32),
    /// Drops everything of the present call from that local on.
    Reset(u32),
    Jump(u32),
    JumpUnless(u32),
    /// Takes a variant and jumps by its tag, as that table says.
    Switch(u32),
    /// Replaces a variant by whether it has that tag.
    HasTag(u32),
    Not,
    Minus,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// Lists or texts.
    Join,
    /// Replaces a value by the text that shows it.
    Print,
    /// Takes so many texts.
    Concat(u32),
}

/// A constant, as it is shared by all runs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Constant {
    Int(i64),
    Bool(bool),
    Text(String),
    Tag(u32),
}

/// All code of a spec.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub ops: Vec<Op>,
    /// Where each instruction comes from.
    pub spans: Vec<Span>,
    /// Where functions begin.
    pub functions: Vec<u32>,
    pub constants: Vec<Constant>,
    /// Where to jump by tag, and the first tag.
    pub tables: Vec<(u32, Vec<u32>)>,
    /// How variants are printed: names by type are not needed at run time
    /// beyond this list, which the checker numbers.
    pub tag_names: Vec<String>,
}

/// Where rules find attributes.
pub(crate) trait Sources {
    fn own(&self, slot: u32) -> Value;
    fn child(&self, child: u16, slot: u32) -> Value;
    /// How high the node may be.
    fn height(&self) -> i64;
}

/// For code without attributes.
pub(crate) struct NoSources;

impl Sources for NoSources {
    fn own(&self, _slot: u32) -> Value {
        Value::Absent
    }

    fn child(&self, _child: u16, _slot: u32) -> Value {
        Value::Absent
    }

    fn height(&self) -> i64 {
        0
    }
}

/// What went wrong in a function, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub span: Span,
    pub kind: FaultKind,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FaultKind {
    #[error("more than {MAX_FUEL} steps: does this end?")]
    Fuel,
    #[error("more than {MAX_STEPS} steps for one program")]
    Steps,
    #[error("calls nest more than {MAX_CALLS} deep: does this end?")]
    Calls,
    #[error("a number beyond 64 bits")]
    Overflow,
    #[error("division by zero")]
    Zero,
    #[error("there is no item {0}: the list has {1}")]
    Index(i64, usize),
    #[error("values nest too deep, or have too many parts")]
    Large,
    #[error("too much text")]
    Text,
    #[error("{0}")]
    Error(String),
    /// The checker lets nothing of the kind pass.
    #[error("a value of another type (a bug of lydite)")]
    Type,
}

/// What one rule may use.
pub(crate) const MAX_FUEL: u64 = 1_000_000;
/// What all rules of a program may use: also a bound on what they can hold.
const MAX_STEPS: u64 = 1 << 26;
const MAX_CALLS: usize = 10_000;
/// So much of large values and texts is looked at for one step.
const PARTS_PER_STEP: u32 = 8;
const BYTES_PER_STEP: u64 = 64;

/// The machine of one run.
pub(crate) struct Machine<'a> {
    code: &'a Code,
    pub(crate) texts: Texts,
    constants: Vec<Value>,
    knobs: Vec<Value>,
    pub(super) stack: Vec<Value>,
    calls: Vec<Call>,
    fuel: u64,
    at: usize,
    /// Steps of all rules so far.
    pub(crate) steps: u64,
}

struct Call {
    back: usize,
    base: usize,
}

impl<'a> Machine<'a> {
    /// `knobs` in the order of the spec.
    pub(crate) fn new(code: &'a Code, knobs: Vec<Value>) -> Machine<'a> {
        let mut texts = Texts::new();
        let constants = code.constants.iter().map(|constant| match constant {
            Constant::Int(number) => Value::Int(*number),
            Constant::Bool(value) => Value::Bool(*value),
            Constant::Tag(tag) => Value::Tag(*tag),
            Constant::Text(text) => Value::Text(texts.intern(text).unwrap_or(0)),
        });
        let constants = constants.collect();
        Machine {
            code,
            texts,
            constants,
            knobs,
            stack: Vec::new(),
            calls: Vec::new(),
            fuel: 0,
            at: 0,
            steps: 0,
        }
    }

    pub(crate) fn constant(&self, constant: u32) -> Value {
        self.constants[constant as usize].clone()
    }

    /// The value of the code that begins at `entry`.
    pub(crate) fn run(&mut self, entry: u32, sources: &impl Sources) -> Result<Value, Fault> {
        self.fuel = MAX_FUEL;
        self.stack.clear();
        self.calls.clear();
        self.at = entry as usize;
        if self.steps > MAX_STEPS {
            self.at += 1;
            return Err(self.fault(FaultKind::Steps));
        }
        let result = self.go(sources);
        self.steps += MAX_FUEL - self.fuel + 1;
        result
    }

    pub(super) fn fault(&self, kind: FaultKind) -> Fault {
        let span = self.code.spans[self.at.saturating_sub(1)];
        Fault { span, kind }
    }

    pub(super) fn spend(&mut self, fuel: u64) -> Result<(), Fault> {
        match self.fuel.checked_sub(fuel) {
            Some(rest) => {
                self.fuel = rest;
                Ok(())
            }
            None => {
                self.fuel = 0;
                Err(self.fault(FaultKind::Fuel))
            }
        }
    }

    /// For comparing values: all parts of `value` may be looked at.
    pub(super) fn spend_on(&mut self, value: Extent) -> Result<(), Fault> {
        self.spend(u64::from(value.parts() / PARTS_PER_STEP))
    }

    pub(super) fn list(&self, items: Vec<Value>) -> Result<Value, Fault> {
        Value::list(items).ok_or_else(|| self.fault(FaultKind::Large))
    }

    pub(super) fn data(&self, tag: u32, fields: Vec<Value>) -> Result<Value, Fault> {
        Value::data(tag, fields.into()).ok_or_else(|| self.fault(FaultKind::Large))
    }

    pub(super) fn compose(&mut self, write: impl FnOnce(&mut Composer)) -> Result<Value, Fault> {
        let Some(text) = self.texts.compose(write) else {
            return Err(self.fault(FaultKind::Text));
        };
        self.spend_on_text(text)?;
        Ok(Value::Text(text))
    }

    /// For going through a text.
    pub(super) fn spend_on_text(&mut self, text: u32) -> Result<(), Fault> {
        self.spend(self.texts.get(text).len() as u64 / BYTES_PER_STEP)
    }

    fn go(&mut self, sources: &impl Sources) -> Result<Value, Fault> {
        let code = self.code;
        let mut base = 0usize;
        loop {
            let op = code.ops[self.at];
            self.at += 1;
            match op {
                Op::Const(constant) => {
                    let value = self.constants[constant as usize].clone();
                    self.stack.push(value);
                }
                Op::Knob(knob) => {
                    let value = self.knobs[knob as usize].clone();
                    self.stack.push(value);
                }
                Op::Local(local) => {
                    let value = self.stack[base + local as usize].clone();
                    self.stack.push(value);
                }
                Op::Own(slot) => self.stack.push(sources.own(slot)),
                Op::Child(child, slot) => self.stack.push(sources.child(child, slot)),
                Op::Height => self.stack.push(Value::Int(sources.height())),
                Op::Call { function, args } => {
                    self.spend(1)?;
                    if self.calls.len() == MAX_CALLS {
                        return Err(self.fault(FaultKind::Calls));
                    }
                    let back = self.at;
                    self.calls.push(Call { back, base });
                    base = self.stack.len() - args as usize;
                    self.at = code.functions[function as usize] as usize;
                }
                Op::Return => {
                    let result = self.pop()?;
                    let Some(call) = self.calls.pop() else {
                        return Ok(result);
                    };
                    self.stack.truncate(base);
                    self.stack.push(result);
                    base = call.base;
                    self.at = call.back;
                }
                op => self.step(op, base)?,
            }
        }
    }

    fn pop(&mut self) -> Result<Value, Fault> {
        self.stack.pop().ok_or_else(|| self.fault(FaultKind::Type))
    }

    fn pop_bool(&mut self) -> Result<bool, Fault> {
        match self.pop()? {
            Value::Bool(value) => Ok(value),
            _ => Err(self.fault(FaultKind::Type)),
        }
    }

    /// Everything but calls and attributes.
    fn step(&mut self, op: Op, base: usize) -> Result<(), Fault> {
        match op {
            Op::Builtin(builtin) => builtin::apply(self, builtin)?,
            Op::Data { tag, count } => {
                let fields = self.stack.split_off(self.stack.len() - count as usize);
                let data = self.data(tag, fields)?;
                self.stack.push(data);
            }
            Op::Field(field) => {
                let Value::Data(data) = self.pop()? else {
                    return Err(self.fault(FaultKind::Type));
                };
                self.stack.push(data.fields[field as usize].clone());
            }
            Op::With(field) => {
                let value = self.pop()?;
                let Value::Data(data) = self.pop()? else {
                    return Err(self.fault(FaultKind::Type));
                };
                let mut fields = data.fields.to_vec();
                fields[field as usize] = value;
                let changed = self.data(data.tag, fields)?;
                self.stack.push(changed);
            }
            Op::List(count) => {
                let items = self.stack.split_off(self.stack.len() - count as usize);
                let list = self.list(items)?;
                self.stack.push(list);
            }
            Op::Push(local) => self.push_item(base + local as usize)?,
            Op::Next { local, end } => self.next_item(base + local as usize, end)?,
            Op::HasTag(tag) => {
                let value = self.pop()?;
                self.stack.push(Value::Bool(value.tag() == tag));
            }
            Op::Not => {
                let value = self.pop_bool()?;
                self.stack.push(Value::Bool(!value));
            }
            Op::Print => {
                let value = self.pop()?;
                let text = self.print(&value)?;
                self.stack.push(text);
            }
            Op::Concat(count) => {
                let texts = self.stack.split_off(self.stack.len() - count as usize);
                let text = self.compose(|out| {
                    for text in &texts {
                        if let Value::Text(text) = text {
                            out.push_known(*text);
                        }
                    }
                })?;
                self.stack.push(text);
            }
            op => self.operate(op, base)?,
        }
        Ok(())
    }

    /// What moves values, or where the code goes on.
    fn control(&mut self, op: Op, base: usize) -> Result<bool, Fault> {
        match op {
            Op::Store(local) => {
                let value = self.pop()?;
                self.stack[base + local as usize] = value;
            }
            Op::Slide(count) => {
                let top = self.pop()?;
                self.stack.truncate(self.stack.len() - count as usize);
                self.stack.push(top);
            }
            Op::Reset(local) => self.stack.truncate(base + local as usize),
            Op::Jump(to) => self.at = to as usize,
            Op::JumpUnless(to) => {
                if !self.pop_bool()? {
                    self.at = to as usize;
                }
            }
            Op::Switch(table) => {
                let tag = self.pop()?.tag();
                let (first, targets) = &self.code.tables[table as usize];
                match targets.get(tag.wrapping_sub(*first) as usize) {
                    Some(&to) => self.at = to as usize,
                    None => return Err(self.fault(FaultKind::Type)),
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn push_item(&mut self, local: usize) -> Result<(), Fault> {
        let value = self.pop()?;
        let Value::List(list) = &mut self.stack[local] else {
            return Err(self.fault(FaultKind::Type));
        };
        // The list was made by this loop: nobody else has it.
        match Rc::make_mut(list).push(value) {
            true => Ok(()),
            false => Err(self.fault(FaultKind::Large)),
        }
    }

    fn next_item(&mut self, local: usize, end: u32) -> Result<(), Fault> {
        self.spend(1)?;
        let (Value::List(list), Value::Int(index)) = (&self.stack[local], &self.stack[local + 1])
        else {
            return Err(self.fault(FaultKind::Type));
        };
        let index = *index;
        match list.items.get(index as usize) {
            Some(item) => {
                let item = item.clone();
                self.stack[local + 1] = Value::Int(index + 1);
                self.stack.push(item);
            }
            None => self.at = end as usize,
        }
        Ok(())
    }

    /// Control, and operators with operands.
    fn operate(&mut self, op: Op, base: usize) -> Result<(), Fault> {
        if self.control(op, base)? {
            return Ok(());
        }
        let right = self.pop()?;
        if op == Op::Minus {
            let Value::Int(number) = right else {
                return Err(self.fault(FaultKind::Type));
            };
            let negative = number.checked_neg();
            let negative = negative.ok_or_else(|| self.fault(FaultKind::Overflow))?;
            self.stack.push(Value::Int(negative));
            return Ok(());
        }
        let left = self.pop()?;
        self.spend_on(right.extent())?;
        let result = match op {
            Op::Equal => Value::Bool(left == right),
            Op::NotEqual => Value::Bool(left != right),
            Op::Less => Value::Bool(left < right),
            Op::LessEqual => Value::Bool(left <= right),
            Op::Greater => Value::Bool(left > right),
            Op::GreaterEqual => Value::Bool(left >= right),
            Op::Join => self.join(&left, &right)?,
            _ => {
                let (Value::Int(a), Value::Int(b)) = (left, right) else {
                    return Err(self.fault(FaultKind::Type));
                };
                if b == 0 && matches!(op, Op::Divide | Op::Remainder) {
                    return Err(self.fault(FaultKind::Zero));
                }
                let result = match op {
                    Op::Add => a.checked_add(b),
                    Op::Subtract => a.checked_sub(b),
                    Op::Multiply => a.checked_mul(b),
                    Op::Divide => a.checked_div(b),
                    _ => a.checked_rem(b),
                };
                Value::Int(result.ok_or_else(|| self.fault(FaultKind::Overflow))?)
            }
        };
        self.stack.push(result);
        Ok(())
    }

    fn join(&mut self, left: &Value, right: &Value) -> Result<Value, Fault> {
        match (left, right) {
            (Value::List(a), Value::List(b)) => {
                self.spend((a.items.len() + b.items.len()) as u64)?;
                self.list(a.items.iter().chain(&b.items).cloned().collect())
            }
            (Value::Text(a), Value::Text(b)) => self.compose(|out| {
                out.push_known(*a);
                out.push_known(*b);
            }),
            _ => Err(self.fault(FaultKind::Type)),
        }
    }

    /// The text that shows `value`: texts and numbers as they are, variants
    /// by their names, the rest as it would be written.
    pub(crate) fn print(&mut self, value: &Value) -> Result<Value, Fault> {
        if let Value::Text(_) = value {
            return Ok(value.clone());
        }
        let mut out = String::new();
        self.show(value, &mut out);
        if out.len() > MAX_BYTES {
            return Err(self.fault(FaultKind::Text));
        }
        self.spend(out.len() as u64 / 8)?;
        self.compose(|composer| composer.push(&out))
    }

    /// Recursive over the depth of values, which is bounded. Stops where it is
    /// too much.
    fn show(&self, value: &Value, out: &mut String) {
        let list =
            |open: &str, items: &mut dyn Iterator<Item = &Value>, close: &str, out: &mut String| {
                out.push_str(open);
                for (i, item) in items.enumerate() {
                    if out.len() > MAX_BYTES {
                        return;
                    }
                    if i > 0 {
                        out.push_str(", ");
                    }
                    self.show(item, out);
                }
                out.push_str(close);
            };
        match value {
            Value::Absent => {}
            Value::Int(number) => out.push_str(&number.to_string()),
            Value::Bool(true) => out.push_str("true"),
            Value::Bool(false) => out.push_str("false"),
            Value::Text(text) => out.push_str(self.texts.get(*text)),
            Value::Tag(tag) => out.push_str(self.tag_name(*tag)),
            Value::Data(data) => {
                out.push_str(self.tag_name(data.tag));
                list("(", &mut data.fields.iter(), ")", out);
            }
            Value::List(items) => list("[", &mut items.items.iter(), "]", out),
            Value::Set(map) => list("{", &mut map.iter().map(|(key, _)| key), "}", out),
            Value::Map(map) => self.show_map(map, out),
        }
    }

    fn show_map(&self, map: &Map, out: &mut String) {
        out.push('{');
        for (i, (key, value)) in map.iter().enumerate() {
            if out.len() > MAX_BYTES {
                return;
            }
            out.push_str(if i > 0 { ", " } else { "" });
            self.show(key, out);
            out.push_str(": ");
            self.show(value, out);
        }
        out.push('}');
    }

    fn tag_name(&self, tag: u32) -> &str {
        self.code
            .tag_names
            .get(tag as usize)
            .map_or("", String::as_str)
    }
}
