//! From identifiers to meanings.

use std::sync::Arc;

use super::context::Context;
use super::higher::Higher;
use super::operators::{Operator, operator};
use super::shape::{Shape, Shapes};
use crate::sort::Values;
use crate::syntax::{Identifier, IdentifierId, Index, Script, Sexpr, Symbol};
use crate::value::{
    BitVec, CannotSay, Element, Int, Natural, Rational, RoundingMode, Value, number, text,
};

/// What an identifier means where no variable of that name is in scope.
#[derive(Clone)]
pub(super) enum Kind {
    And,
    Or,
    Implies,
    Ite,
    /// A strict function of a theory.
    Operator(Operator, Arc<[Natural]>),
    /// A constant of a theory, or that there is none.
    Constant(Result<Value, CannotSay>),
    /// `((as const S) v)`, with the resolved sort.
    ConstantArray(Arc<Shape>),
    /// `(_ as-array f)`
    AsArray(Symbol),
    /// `(_ map f)`
    Map(Symbol),
    /// `seq.map` and its like.
    Higher(Higher),
    /// `(_ is C)`, `is-C`
    Tester(Symbol),
    /// `(_ update-field s)`
    Update(Symbol),
    /// `(root-obj p n)`
    RootObject,
    /// Declared or defined by the script or the model.
    Global(Symbol),
}

/// Finds meanings.
pub(super) struct Resolver<'a> {
    pub(super) script: &'a Script,
    pub(super) context: &'a Context,
}

impl Resolver<'_> {
    /// The meaning of an identifier.
    pub(super) fn resolve(&self, id: IdentifierId) -> Kind {
        let identifier = self.script.identifier(id);
        let name = self.script.name(identifier.symbol);
        if identifier.indices.is_empty() && self.context.globals.contains_key(&identifier.symbol) {
            return Kind::Global(identifier.symbol);
        }
        match self.special(identifier, name) {
            Some(kind) => kind,
            None => self.theory(identifier, name),
        }
    }

    fn special(&self, identifier: &Identifier, name: &str) -> Option<Kind> {
        let index = identifier.indices.first();
        let symbol = index.and_then(|index| self.symbol(index));
        Some(match (name, symbol) {
            ("and", None) => Kind::And,
            ("or", None) => Kind::Or,
            ("=>" | "implies", None) => Kind::Implies,
            ("ite" | "if", None) => Kind::Ite,
            ("root-obj", None) => Kind::RootObject,
            ("as-array", Some(function)) => Kind::AsArray(function),
            ("map", Some(function)) => Kind::Map(function),
            ("is", Some(constructor)) => Kind::Tester(constructor),
            ("update-field" | "update", Some(selector)) => Kind::Update(selector),
            (_, None) if Higher::named(name).is_some() => Kind::Higher(Higher::named(name)?),
            _ => {
                let constructor = name.strip_prefix("is-")?;
                let constructor = self.script.symbols().find(constructor)?;
                self.context
                    .constructors
                    .contains_key(&constructor)
                    .then_some(())?;
                Kind::Tester(constructor)
            }
        })
    }

    /// The name in an index: also of z3's `(_ is (C (S) T))` and `(_ map (f (S) T))`.
    fn symbol(&self, index: &Index) -> Option<Symbol> {
        let mut sexpr = match index {
            Index::Symbol(symbol) => return Some(*symbol),
            Index::Sexpr(sexpr) => *sexpr,
            _ => return None,
        };
        loop {
            match self.script.sexpr(sexpr) {
                Sexpr::Symbol(symbol) => return Some(symbol),
                Sexpr::List([first, ..]) => sexpr = *first,
                _ => return None,
            }
        }
    }

    fn theory(&self, identifier: &Identifier, name: &str) -> Kind {
        let shapes = Shapes {
            script: self.script,
            context: self.context,
        };
        let shape = identifier.sort.map(|sort| shapes.shape(sort));
        match (name, shape) {
            ("const", Some(Ok(shape))) => return Kind::ConstantArray(Arc::new(shape)),
            (_, Some(Err(why))) => return Kind::Constant(Err(why)),
            (name, shape) => {
                let shape = shape.and_then(Result::ok);
                if let Some(value) = self.constant(identifier, name, shape.as_ref(), &shapes) {
                    return Kind::Constant(value);
                }
            }
        }
        let indices: Result<Vec<Natural>, CannotSay> = identifier
            .indices
            .iter()
            .map(|index| self.numeral(index))
            .collect();
        match (operator(name), indices) {
            (Some(operator), Ok(indices)) => Kind::Operator(operator, indices.into()),
            (Some(_), Err(why)) => Kind::Constant(Err(why)),
            (None, _) => Kind::Constant(self.element(identifier, name)),
        }
    }

    fn numeral(&self, index: &Index) -> Result<Natural, CannotSay> {
        match index {
            Index::Numeral(text) => number::parse_numeral(self.script.name(*text)),
            _ => Err(CannotSay::Unsupported("such an index".to_string())),
        }
    }

    /// The constants of the theories.
    fn constant(
        &self,
        identifier: &Identifier,
        name: &str,
        shape: Option<&Shape>,
        shapes: &Shapes<'_>,
    ) -> Option<Result<Value, CannotSay>> {
        if let Some(digits) = name.strip_prefix("bv")
            && let [width] = &identifier.indices[..]
            && digits.bytes().all(|b| b.is_ascii_digit())
            && !digits.is_empty()
        {
            return Some(self.bit_vector(digits, width));
        }
        if let Some(mode) = RoundingMode::from_name(name) {
            return Some(Ok(Value::RoundingMode(mode)));
        }
        Some(match (name, shape) {
            ("true", _) => Ok(Value::Bool(true)),
            ("false", _) => Ok(Value::Bool(false)),
            ("seq.empty", Some(shape)) if shape.has(&Values::String) => Value::string([]),
            ("seq.empty", Some(_)) => Value::seq([]),
            ("set.empty" | "emptyset", Some(shape)) if shape.has(&Values::Set) => Value::set([]),
            ("set.empty" | "emptyset", Some(_)) => Err(CannotSay::IllTyped(name.to_string())),
            ("bag.empty", Some(shape)) => shapes.first(shape, super::Completion::Zero),
            (name, Some(shape)) if is_field_element(name) => match name[2..].parse() {
                Ok(number) => shapes.field_element(shape, &number),
                Err(_) => Err(CannotSay::TooLarge("a field's element")),
            },
            // cvc5's manual: not interpreted as the set of all elements.
            ("set.universe" | "univset", _) => Err(CannotSay::Underspecified("set.universe")),
            ("re.all" | "re.full" | "re.none" | "re.empty", Some(_)) => {
                let operator = operator(name)?;
                return Some(operator(&super::operators::Call {
                    name,
                    indices: &[],
                    args: &[],
                }));
            }
            ("char" | "Char", _) => match identifier.indices.first() {
                Some(Index::Hexadecimal(hex)) => self.character(*hex),
                _ => return None,
            },
            _ => return None,
        })
    }

    fn bit_vector(&self, digits: &str, width: &Index) -> Result<Value, CannotSay> {
        let width = self.numeral(width)?;
        let width = u32::try_from(&width).map_err(|_| CannotSay::TooLarge("a bit-vector"))?;
        BitVec::new(width, number::parse_numeral(digits)?).map(Value::BitVec)
    }

    fn character(&self, hex: Symbol) -> Result<Value, CannotSay> {
        let digits = self.script.name(hex).trim_start_matches("#x");
        match u32::from_str_radix(digits, 16) {
            Ok(code) if code < text::CODE_POINTS => Value::string([code]),
            _ => Err(CannotSay::IllTyped("char".to_string())),
        }
    }

    /// How solvers name elements of uninterpreted sorts that they do not
    /// declare: `(as @T_0 T)`, `@uc_T_0`, `T!val!0`.
    fn element(&self, identifier: &Identifier, name: &str) -> Result<Value, CannotSay> {
        let looks = name.starts_with('@') || name.contains("!val!");
        match looks && identifier.indices.is_empty() {
            true => Ok(Value::Element(Arc::new(Element { name: name.into() }))),
            false => Err(CannotSay::Unsupported(name.to_string())),
        }
    }
}

/// `ff5`, `ff-1`
fn is_field_element(name: &str) -> bool {
    let digits = name.strip_prefix("ff");
    let digits = digits.map(|digits| digits.strip_prefix('-').unwrap_or(digits));
    digits.is_some_and(|digits| {
        !digits.is_empty() && digits.len() < 1000 && digits.bytes().all(|b| b.is_ascii_digit())
    })
}

/// The value of a literal.
pub(super) fn literal(
    literal: crate::syntax::Literal,
    written: &str,
    escapes: text::Escapes,
) -> Result<Value, CannotSay> {
    use crate::syntax::Literal;
    let bits = |digits: &str, radix: u32| {
        let width = digits.len() as u64 * u64::from(radix.ilog2());
        let width = u32::try_from(width).unwrap_or(u32::MAX);
        // The width is checked before the digits are read.
        BitVec::new(width, Natural::ZERO)?;
        let natural = Natural::from_str_radix(digits, radix)
            .map_err(|_| CannotSay::IllTyped("a literal".to_string()))?;
        BitVec::new(width, natural).map(Value::BitVec)
    };
    match literal {
        Literal::Numeral => Ok(Value::Int(Int::from(number::parse_numeral(written)?))),
        Literal::Decimal => {
            let real: Rational = number::parse_decimal(written)?;
            Ok(Value::Real(real))
        }
        Literal::Hexadecimal => bits(written.get(2..).unwrap_or(""), 16),
        Literal::Binary => bits(written.get(2..).unwrap_or(""), 2),
        Literal::String => {
            let inside = written.replace("\"\"", "\"");
            Value::string(text::unescape(&inside, escapes))
        }
    }
}
