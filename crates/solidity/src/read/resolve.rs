//! Expressions: names, numbers, operators and members.

use dashu_int::IBig;

use super::Unread;
use super::declare::{NAMELESS, Named, Reader, elementary};
use super::lex::unhexed;
use super::tree::{Kind, Tree};
use crate::ast::{
    BinaryOp, Environment, Expression, ExpressionId, FunctionId, Intrinsic, Literal, Shape, Type,
    UnaryOp, VariableId,
};
use crate::generate::Stage;
use crate::interpret::holds;
use crate::types::{Elementary, Family};
use crate::typing::Form;

/// Digits of an address that is written out.
const ADDRESS_DIGITS: usize = 40;

/// The largest shift and power of numbers that is computed.
const LARGEST_EXPONENT: u32 = 512;

impl Reader {
    pub(super) fn expressions(&mut self, trees: &[Tree]) -> Result<Vec<ExpressionId>, Unread> {
        trees.iter().map(|tree| self.expression(tree)).collect()
    }

    pub(super) fn expression(&mut self, tree: &Tree) -> Result<ExpressionId, Unread> {
        if let Some(address) = address(tree) {
            return Ok(self.stage.word(Elementary::ADDRESS, &address));
        }
        if let Some(literal) = hexadecimal(tree) {
            return Ok(self.stage.add(Expression::Literal(literal)));
        }
        if let Some(number) = constant(tree) {
            return self.number(&number);
        }
        match tree {
            Tree::Bool(truth) => Ok(self.stage.add(Expression::Literal(Literal::Bool(*truth)))),
            Tree::Text(bytes) => Ok(self.stage.add(Expression::Quoted(bytes.clone()))),
            Tree::Name(name) => self.named(name),
            Tree::Member(base, name) => self.member(base, name),
            Tree::Index(base, Some(index)) => {
                let (base, index) = (self.expression(base)?, self.expression(index)?);
                Ok(self.stage.add(Expression::Index { base, index }))
            }
            Tree::Slice(base, from, to) => {
                let base = self.expression(base)?;
                let from = from.as_ref().map(|it| self.expression(it)).transpose()?;
                let to = to.as_ref().map(|it| self.expression(it)).transpose()?;
                Ok(self.stage.add(Expression::Slice { base, from, to }))
            }
            Tree::Call(callee, arguments) => self.call(callee, arguments),
            Tree::Unary(op, operand) => self.unary(*op, operand),
            Tree::Binary(op, left, right) => self.binary(*op, left, right),
            Tree::Assign(op, target, value) => {
                let target = self.expression(target)?;
                let value = self.expression(value)?;
                let op = *op;
                Ok(self.stage.add(Expression::Assign { op, target, value }))
            }
            Tree::Conditional(condition, yes, no) => self.conditional(condition, yes, no),
            Tree::Tuple(parts) => match &parts[..] {
                [Some(only)] => self.expression(only),
                parts => {
                    let parts = parts
                        .iter()
                        .map(|part| part.as_ref().map(|part| self.expression(part)).transpose());
                    let parts = parts.collect::<Result<_, Unread>>()?;
                    Ok(self.stage.add(Expression::Tuple(parts)))
                }
            },
            Tree::Inline(elements) => self.inline(elements),
            Tree::Number(_)
            | Tree::Type(_)
            | Tree::About(_)
            | Tree::New(_)
            | Tree::Index(_, None) => Err(Unread("an expression of another kind")),
        }
    }

    fn number(&mut self, number: &IBig) -> Result<ExpressionId, Unread> {
        let negative = *number < IBig::ZERO;
        let magnitude = if negative { -number } else { number.clone() };
        match u64::try_from(&magnitude) {
            Ok(value) => {
                let literal = Literal::Number { value, negative };
                Ok(self.stage.add(Expression::Literal(literal)))
            }
            Err(_) => self.typed(number),
        }
    }

    /// A number with the smallest type that holds it.
    fn typed(&mut self, number: &IBig) -> Result<ExpressionId, Unread> {
        let kind = smallest(std::slice::from_ref(number))?;
        Ok(self.stage.word(kind, number))
    }

    fn named(&mut self, name: &str) -> Result<ExpressionId, Unread> {
        let local = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        if let Some(local) = local {
            return Ok(self.stage.add(Expression::Variable(*local)));
        }
        if name == "now" {
            return self.intrinsic("now", Vec::new());
        }
        match self.look_up(&[name.to_string()])?.first() {
            Some(Named::Variable(id)) => Ok(self.stage.add(Expression::Variable(*id))),
            Some(Named::Function(id)) => Ok(self.stage.add(Expression::Reference(*id))),
            _ => Err(Unread("a name of another kind")),
        }
    }

    pub(super) fn is_local(&self, name: &str) -> bool {
        self.scopes.iter().any(|scope| scope.contains_key(name))
    }

    pub(super) fn intrinsic(
        &mut self,
        text: &str,
        operands: Vec<ExpressionId>,
    ) -> Result<ExpressionId, Unread> {
        let row = Intrinsic::all().filter(|row| row.row().text == text).last();
        let row = row.ok_or(Unread("what depends on the chain"))?;
        Ok(self.stage.add(Expression::Intrinsic(row, operands)))
    }

    fn unary(&mut self, op: UnaryOp, operand: &Tree) -> Result<ExpressionId, Unread> {
        let operand = self.expression(operand)?;
        Ok(self.stage.add(Expression::Unary { op, operand }))
    }

    /// A number beside something typed gets a type of its own where it does not
    /// fit; as the base of a shift or power it is a word.
    fn binary(&mut self, op: BinaryOp, left: &Tree, right: &Tree) -> Result<ExpressionId, Unread> {
        let numbers = (constant(left), constant(right));
        let (left, right) = match (numbers, op.shape()) {
            ((Some(left), None), Shape::Shift) => {
                let kind = match left < IBig::ZERO {
                    true => Elementary::int(256),
                    false => Elementary::UINT256,
                };
                (self.stage.word(kind, &left), self.expression(right)?)
            }
            ((Some(left), None), _) => {
                let right = self.expression(right)?;
                (self.beside(&left, right)?, right)
            }
            ((None, Some(right)), Shape::Arithmetic | Shape::Comparison) => {
                let left = self.expression(left)?;
                (left, self.beside(&right, left)?)
            }
            _ => (self.expression(left)?, self.expression(right)?),
        };
        Ok(self.stage.add(Expression::Binary { op, left, right }))
    }

    fn beside(&mut self, number: &IBig, other: ExpressionId) -> Result<ExpressionId, Unread> {
        match self.form(other) {
            Form::Elementary(kind) if !holds(kind, number) => self.typed(number),
            _ => self.number(number),
        }
    }

    fn conditional(
        &mut self,
        condition: &Tree,
        yes: &Tree,
        no: &Tree,
    ) -> Result<ExpressionId, Unread> {
        let condition = self.expression(condition)?;
        let (yes, no) = match (constant(yes), constant(no)) {
            (Some(yes), Some(no)) => {
                let kind = smallest(&[yes.clone(), no.clone()])?;
                (self.stage.word(kind, &yes), self.stage.word(kind, &no))
            }
            _ => (self.expression(yes)?, self.expression(no)?),
        };
        Ok(self
            .stage
            .add(Expression::Conditional { condition, yes, no }))
    }

    /// `[a, b]`: numbers alone have the smallest type that holds all of them.
    fn inline(&mut self, elements: &[Tree]) -> Result<ExpressionId, Unread> {
        let numbers: Option<Vec<IBig>> = elements.iter().map(constant).collect();
        let (element, elements) = match numbers {
            Some(numbers) => {
                let kind = smallest(&numbers)?;
                let words = numbers.iter().map(|number| self.stage.word(kind, number));
                (Stage::kind(kind), words.collect::<Vec<_>>())
            }
            None => {
                let elements = self.expressions(elements)?;
                let Form::Elementary(kind) = self.form(elements[0]) else {
                    return Err(Unread("an array written down of another type"));
                };
                for element in &elements {
                    if self.form(*element) != Form::Elementary(kind) {
                        return Err(Unread("an array written down of several types"));
                    }
                }
                (Stage::kind(kind), elements)
            }
        };
        let length = Some(elements.len() as u32);
        let kind = self.stage.ast.add_type(Type::Array { element, length });
        Ok(self.stage.add(Expression::Inline { kind, elements }))
    }

    fn member(&mut self, base: &Tree, name: &str) -> Result<ExpressionId, Unread> {
        if let Tree::About(kind) = base {
            let kind = self.kind(kind)?;
            let largest = match name {
                "max" => true,
                "min" => false,
                _ => return Err(Unread("a fact about a type")),
            };
            return Ok(self.stage.add(Expression::Limit { kind, largest }));
        }
        if let Some(path) = path_of(base)
            && !self.is_local(&path[0])
        {
            if let Some(found) = self.environment(&path, name)? {
                return Ok(found);
            }
            match self.look_up(&path).unwrap_or_default().first() {
                Some(Named::Enum(id)) => {
                    let mut members = self.members[id].iter();
                    let at = members.position(|own| own == name).ok_or(NAMELESS)?;
                    return Ok(self.stage.add(Expression::EnumMember(*id, at as u8)));
                }
                Some(Named::Contract(_)) => {
                    let mut path = path;
                    path.push(name.to_string());
                    return match self.look_up(&path)?.first() {
                        Some(Named::Variable(id)) => Ok(self.stage.add(Expression::Variable(*id))),
                        _ => Err(Unread("a member of a contract")),
                    };
                }
                _ => {}
            }
        }
        let base = self.expression(base)?;
        match (self.form(base), name) {
            (Form::Composite(Type::Struct(id)), name) => {
                let field = self.field(id, name)?;
                Ok(self.stage.add(Expression::Member { base, field }))
            }
            (
                Form::Composite(Type::Array { .. }) | Form::Elementary(Elementary::BYTES),
                "length",
            ) => Ok(self.stage.add(Expression::Length(base))),
            (Form::Elementary(kind), "length") if kind.family() == Family::FixedBytes => {
                self.number(&IBig::from(kind.size()))
            }
            _ => Err(Unread("a member of another kind")),
        }
    }

    fn environment(&mut self, path: &[String], name: &str) -> Result<Option<ExpressionId>, Unread> {
        let [base] = path else {
            return Ok(None);
        };
        let what = match (base.as_str(), name) {
            ("msg", "sender") => Environment::Sender,
            ("msg", "data") => Environment::Data,
            ("block", "timestamp") => Environment::Timestamp,
            ("block", "number") => Environment::Number,
            ("tx" | "block" | "msg", _) => {
                let text = format!("{base}.{name}");
                return self.intrinsic(&text, Vec::new()).map(Some);
            }
            _ => return Ok(None),
        };
        Ok(Some(self.stage.add(Expression::Environment(what))))
    }

    /// The getter or function of a contract that can be called from outside.
    pub(super) fn outside(&self, named: &Named) -> Option<Result<FunctionId, VariableId>> {
        match named {
            Named::Function(id) => Some(Ok(*id)),
            Named::Variable(id) => Some(Err(*id)),
            _ => None,
        }
    }
}

/// The smallest type that holds all numbers.
fn smallest(numbers: &[IBig]) -> Result<Elementary, Unread> {
    let signed = numbers.iter().any(|number| *number < IBig::ZERO);
    let family = match signed {
        true => Family::Int,
        false => Family::Uint,
    };
    let mut kinds = Elementary::all().filter(|kind| kind.family() == family);
    let fitting = kinds.find(|kind| numbers.iter().all(|number| holds(*kind, number)));
    fitting.ok_or(Unread("a number that no type holds"))
}

/// Names with dots between them.
pub(super) fn path_of(tree: &Tree) -> Option<Vec<String>> {
    match tree {
        Tree::Name(name) => Some(vec![name.clone()]),
        Tree::Member(base, name) => {
            let mut path = path_of(base)?;
            path.push(name.clone());
            Some(path)
        }
        _ => None,
    }
}

/// A type where a value could stand.
pub(super) fn kind_of(tree: &Tree) -> Option<Kind> {
    match tree {
        Tree::Type(kind) => Some(kind.clone()),
        Tree::Index(base, length) => Some(Kind::Array(Box::new(kind_of(base)?), length.clone())),
        tree => path_of(tree).map(Kind::Path),
    }
}

/// True for the name of an elementary type.
pub(super) fn is_elementary(tree: &Tree) -> bool {
    match tree {
        Tree::Name(name) => elementary(name).is_some(),
        Tree::Type(_) => true,
        _ => false,
    }
}

fn address(tree: &Tree) -> Option<IBig> {
    let Tree::Number(text) = tree else {
        return None;
    };
    let digits = text.strip_prefix("0x")?;
    if digits.len() != ADDRESS_DIGITS {
        return None;
    }
    unhexed(digits.as_bytes()).ok()?;
    IBig::from_str_radix(digits, 16).ok()
}

/// A number in hexadecimal digits, as far as it is small.
fn hexadecimal(tree: &Tree) -> Option<Literal> {
    let Tree::Number(text) = tree else {
        return None;
    };
    let digits = text.strip_prefix("0x")?;
    Some(Literal::Hex {
        value: u64::from_str_radix(digits, 16).ok()?,
        digits: u8::try_from(digits.len()).ok()?,
    })
}

fn number(text: &str) -> Option<IBig> {
    if let Some(digits) = text.strip_prefix("0x") {
        return IBig::from_str_radix(digits, 16).ok();
    }
    let (digits, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let power: usize = power.parse().ok().filter(|power| *power < 80)?;
    let number = IBig::from_str_radix(digits, 10).ok()?;
    Some(number * IBig::from(10).pow(power))
}

/// The value of an expression of numbers alone, if it is whole.
pub(super) fn constant(tree: &Tree) -> Option<IBig> {
    match tree {
        Tree::Number(_) if address(tree).is_some() => None,
        Tree::Number(text) => number(text),
        Tree::Tuple(parts) => match &parts[..] {
            [Some(only)] => constant(only),
            _ => None,
        },
        Tree::Unary(UnaryOp::Negate, operand) => Some(-constant(operand)?),
        Tree::Unary(UnaryOp::BitNot, operand) => Some(-constant(operand)? - IBig::from(1)),
        Tree::Binary(op, left, right) => {
            let (left, right) = (constant(left)?, constant(right)?);
            let exponent = || {
                u32::try_from(&right)
                    .ok()
                    .filter(|it| *it <= LARGEST_EXPONENT)
            };
            Some(match op {
                BinaryOp::Add => left + right,
                BinaryOp::Sub => left - right,
                BinaryOp::Mul => left * right,
                BinaryOp::Div if right != IBig::ZERO && &left % &right == IBig::ZERO => {
                    left / right
                }
                BinaryOp::Mod if right != IBig::ZERO => left % right,
                BinaryOp::BitAnd => left & right,
                BinaryOp::BitOr => left | right,
                BinaryOp::BitXor => left ^ right,
                BinaryOp::ShiftLeft => left << exponent()? as usize,
                BinaryOp::ShiftRight => left >> exponent()? as usize,
                BinaryOp::Power => left.pow(exponent()? as usize),
                _ => return None,
            })
        }
        _ => None,
    }
}
