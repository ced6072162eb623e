//! From tokens to expressions, by the strength of operators.

use super::Unread;
use super::lex::Token;
use super::parse::Parser;
use super::tree::{Kind, Tree};
use crate::ast::{BinaryOp, UnaryOp};

/// Operators between two operands, weakest first; those of one row are as
/// strong as each other.
const ROWS: [&[(&str, BinaryOp)]; 11] = [
    &[("||", BinaryOp::Or)],
    &[("&&", BinaryOp::And)],
    &[("==", BinaryOp::Equal), ("!=", BinaryOp::Unequal)],
    &[
        ("<", BinaryOp::Less),
        (">", BinaryOp::Greater),
        ("<=", BinaryOp::AtMost),
        (">=", BinaryOp::AtLeast),
    ],
    &[("|", BinaryOp::BitOr)],
    &[("^", BinaryOp::BitXor)],
    &[("&", BinaryOp::BitAnd)],
    &[("<<", BinaryOp::ShiftLeft), (">>", BinaryOp::ShiftRight)],
    &[("+", BinaryOp::Add), ("-", BinaryOp::Sub)],
    &[
        ("*", BinaryOp::Mul),
        ("/", BinaryOp::Div),
        ("%", BinaryOp::Mod),
    ],
    &[("**", BinaryOp::Power)],
];

const ASSIGNMENTS: [(&str, Option<BinaryOp>); 11] = [
    ("=", None),
    ("+=", Some(BinaryOp::Add)),
    ("-=", Some(BinaryOp::Sub)),
    ("*=", Some(BinaryOp::Mul)),
    ("/=", Some(BinaryOp::Div)),
    ("%=", Some(BinaryOp::Mod)),
    ("&=", Some(BinaryOp::BitAnd)),
    ("|=", Some(BinaryOp::BitOr)),
    ("^=", Some(BinaryOp::BitXor)),
    ("<<=", Some(BinaryOp::ShiftLeft)),
    (">>=", Some(BinaryOp::ShiftRight)),
];

const BEFORE: [(&str, UnaryOp); 5] = [
    ("!", UnaryOp::Not),
    ("~", UnaryOp::BitNot),
    ("-", UnaryOp::Negate),
    ("++", UnaryOp::Increment),
    ("--", UnaryOp::Decrement),
];

/// Multiples that a number is written with.
const UNITS: [&str; 10] = [
    "wei", "gwei", "ether", "seconds", "minutes", "hours", "days", "weeks", "years", "finney",
];

impl Parser {
    pub(super) fn expression(&mut self) -> Result<Tree, Unread> {
        self.nested(|parser| {
            let target = parser.conditional()?;
            let sign = parser.sign();
            let found = ASSIGNMENTS.iter().find(|(known, _)| Some(*known) == sign);
            let Some((sign, op)) = found else {
                return Ok(target);
            };
            parser.expect(sign)?;
            let value = parser.expression()?;
            Ok(Tree::Assign(*op, Box::new(target), Box::new(value)))
        })
    }

    fn conditional(&mut self) -> Result<Tree, Unread> {
        let condition = self.binary(0)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let yes = self.expression()?;
        self.expect(":")?;
        let no = self.expression()?;
        Ok(Tree::Conditional(
            Box::new(condition),
            Box::new(yes),
            Box::new(no),
        ))
    }

    fn binary(&mut self, row: usize) -> Result<Tree, Unread> {
        let Some(operators) = ROWS.get(row) else {
            return self.unary();
        };
        let mut left = self.binary(row + 1)?;
        loop {
            let sign = self.sign();
            let found = operators.iter().find(|(known, _)| Some(*known) == sign);
            let Some((sign, op)) = found else {
                return Ok(left);
            };
            self.expect(sign)?;
            // A power binds to the right.
            let right = match op {
                BinaryOp::Power => self.nested(|parser| parser.binary(row))?,
                _ => self.binary(row + 1)?,
            };
            left = Tree::Binary(*op, Box::new(left), Box::new(right));
        }
    }

    fn unary(&mut self) -> Result<Tree, Unread> {
        if self.eat_word("delete") {
            let operand = self.nested(Self::unary)?;
            return Ok(Tree::Unary(UnaryOp::Delete, Box::new(operand)));
        }
        let sign = self.sign();
        let found = BEFORE.iter().find(|(known, _)| Some(*known) == sign);
        let Some((sign, op)) = found else {
            return self.postfix();
        };
        self.expect(sign)?;
        let operand = self.nested(Self::unary)?;
        Ok(Tree::Unary(*op, Box::new(operand)))
    }

    fn postfix(&mut self) -> Result<Tree, Unread> {
        let mut tree = self.primary()?;
        loop {
            tree = if self.eat(".") {
                Tree::Member(Box::new(tree), self.name()?)
            } else if self.eat("(") {
                Tree::Call(Box::new(tree), self.arguments()?)
            } else if self.eat("[") {
                self.indexed(tree)?
            } else if self.eat("++") {
                Tree::Unary(UnaryOp::PostIncrement, Box::new(tree))
            } else if self.eat("--") {
                Tree::Unary(UnaryOp::PostDecrement, Box::new(tree))
            } else if self.is("{") && matches!(tree, Tree::Member(..) | Tree::New(_)) {
                return self.options(tree);
            } else {
                return Ok(tree);
            };
        }
    }

    /// `f{value: 1}(…)` is not read; a block after an expression is left alone.
    fn options(&mut self, tree: Tree) -> Result<Tree, Unread> {
        match tree {
            Tree::New(_) => Err(Unread("options of a call")),
            tree => Ok(tree),
        }
    }

    fn indexed(&mut self, base: Tree) -> Result<Tree, Unread> {
        let base = Box::new(base);
        if self.eat("]") {
            return Ok(Tree::Index(base, None));
        }
        let from = match self.is(":") {
            true => None,
            false => Some(Box::new(self.expression()?)),
        };
        if !self.eat(":") {
            self.expect("]")?;
            return Ok(Tree::Index(base, from));
        }
        let to = match self.is("]") {
            true => None,
            false => Some(Box::new(self.expression()?)),
        };
        self.expect("]")?;
        Ok(Tree::Slice(base, from, to))
    }

    fn primary(&mut self) -> Result<Tree, Unread> {
        match self.token()? {
            Token::Number(number) => match self.peek() {
                Some(Token::Word(word)) if UNITS.contains(&word.as_str()) => {
                    Err(Unread("a number with a unit"))
                }
                _ => Ok(Tree::Number(number)),
            },
            Token::Text(bytes) => Ok(Tree::Text(bytes)),
            Token::Word(word) => match word.as_str() {
                "true" => Ok(Tree::Bool(true)),
                "false" => Ok(Tree::Bool(false)),
                "new" => Ok(Tree::New(self.kind()?)),
                "type" => {
                    self.expect("(")?;
                    let kind = self.kind()?;
                    self.expect(")")?;
                    Ok(Tree::About(kind))
                }
                "payable" => Ok(Tree::Type(Kind::Path(vec!["payable".to_string()]))),
                _ => Ok(Tree::Name(word)),
            },
            Token::Sign("(") => {
                let mut parts = Vec::new();
                loop {
                    parts.push(match self.is(",") || self.is(")") {
                        true => None,
                        false => Some(self.expression()?),
                    });
                    if self.eat(")") {
                        return Ok(Tree::Tuple(parts));
                    }
                    self.expect(",")?;
                }
            }
            Token::Sign("[") => {
                let mut elements = vec![self.expression()?];
                while self.eat(",") {
                    elements.push(self.expression()?);
                }
                self.expect("]")?;
                Ok(Tree::Inline(elements))
            }
            Token::Sign(_) => Err(Unread("an expression of another kind")),
        }
    }
}
