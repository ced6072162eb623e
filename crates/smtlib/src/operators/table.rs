//! Reading the table, and applying one signature.

use super::pattern::{Bound, MAX_LETTERS, Number, Pattern, Product};
use super::signs::Signs;
use super::{Alias, Call, Condition, Grouping, Operator, OperatorId, Operators, Relation, Speaker};
use crate::sort::{Sort, Sorts};

/// Why a text is not a table of operators.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("operators, line {line}: {problem}")]
pub struct TableError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: String,
}

impl Operators {
    /// Adds what `text` says.
    pub(super) fn read(&mut self, text: &str) -> Result<(), TableError> {
        let mut theory = "user".to_string();
        for (at, line) in text.lines().enumerate() {
            let line = line.split(';').next().unwrap_or_default().trim();
            self.read_line(line, &mut theory)
                .map_err(|problem| TableError {
                    line: at + 1,
                    problem,
                })?;
        }
        self.link_aliases();
        Ok(())
    }

    fn read_line(&mut self, line: &str, theory: &mut String) -> Result<(), String> {
        let words = tokens(line);
        match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [] => Ok(()),
            ["theory", name] => {
                *theory = name.to_string();
                Ok(())
            }
            ["alias", name, "=", target] => self.add_alias(name, target, false),
            ["alias", name, "=", target, ":old"] => self.add_alias(name, target, true),
            ["alias", ..] => Err("expected `alias NAME = name`".to_string()),
            _ => {
                let operator = Line::new(&words).operator(theory)?;
                let id = u16::try_from(self.operators.len())
                    .map_err(|_| "more than 65,535 operators".to_string())?;
                let group = self.groups.entry(operator.name.clone()).or_default();
                group.push(OperatorId(id));
                self.operators.push(operator);
                Ok(())
            }
        }
    }

    fn add_alias(&mut self, name: &str, target: &str, old: bool) -> Result<(), String> {
        self.aliases.push(Alias {
            name: name.to_string(),
            target: target.to_string(),
            old,
        });
        Ok(())
    }

    /// Targets may stand below their aliases, so this comes last.
    fn link_aliases(&mut self) {
        for alias in &self.aliases {
            let targets = self.groups.get(&alias.target).cloned().unwrap_or_default();
            let group = self.groups.entry(alias.name.clone()).or_default();
            for id in targets {
                if !group.contains(&id) {
                    group.push(id);
                }
            }
        }
    }
}

/// Blanks separate words, parentheses are words.
fn tokens(line: &str) -> Vec<String> {
    line.replace('(', " ( ")
        .replace(')', " ) ")
        .split_whitespace()
        .map(str::to_string)
        .collect()
}

/// The words of one line and the next of them.
struct Line<'a> {
    words: &'a [String],
    at: usize,
    sort_letters: Vec<u8>,
    number_letters: Vec<u8>,
}

impl<'a> Line<'a> {
    fn new(words: &'a [String]) -> Line<'a> {
        Line {
            words,
            at: 0,
            sort_letters: Vec::new(),
            number_letters: Vec::new(),
        }
    }

    fn peek(&self) -> &'a str {
        self.words.get(self.at).map_or("", String::as_str)
    }

    fn next(&mut self) -> &'a str {
        self.at += 1;
        self.words.get(self.at - 1).map_or("", String::as_str)
    }

    fn expect(&mut self, word: &str) -> Result<(), String> {
        match self.next() {
            found if found == word => Ok(()),
            found => Err(format!("expected `{word}`, found `{found}`")),
        }
    }

    fn operator(mut self, theory: &str) -> Result<Operator, String> {
        let (name, indices) = self.head()?;
        self.expect(":")?;
        let signature = self.at;
        let mut parameters = vec![self.sort(0)?];
        while !matches!(self.peek(), "->" | "" | "where") && !self.peek().starts_with(':') {
            parameters.push(self.sort(0)?);
        }
        let result = if self.peek() == "->" {
            self.next();
            self.sort(0)?
        } else if parameters.len() == 1 {
            parameters.remove(0)
        } else {
            return Err("expected `->` before the result".to_string());
        };
        let signature = self.words[signature..self.at]
            .join(" ")
            .replace("( ", "(")
            .replace(" )", ")");
        let mut operator = Operator {
            name,
            signature,
            theory: theory.to_string(),
            indices,
            least: parameters.len(),
            parameters,
            result,
            grouping: Grouping::Fixed,
            speaker: Speaker::All,
            conditions: Vec::new(),
            relative: false,
            monotone: Signs::default(),
        };
        self.attributes(&mut operator)?;
        operator.check_signs()?;
        let binary = operator.parameters.len() == 2;
        match operator.grouping {
            Grouping::Fixed | Grouping::Variadic => {}
            _ if binary => {}
            _ => return Err("only a binary operator can be grouped".to_string()),
        }
        Ok(operator)
    }

    fn head(&mut self) -> Result<(String, Vec<u8>), String> {
        if self.peek() != "(" {
            return Ok((self.next().to_string(), Vec::new()));
        }
        self.next();
        self.expect("_")?;
        let name = self.next().to_string();
        let mut indices = Vec::new();
        while self.peek() != ")" {
            let word = self.next();
            match word.as_bytes() {
                [letter @ b'a'..=b'z'] => indices.push(slot(&mut self.number_letters, *letter)?),
                _ => return Err(format!("`{word}` is not a small letter")),
            }
        }
        self.next();
        Ok((name, indices))
    }

    fn attributes(&mut self, operator: &mut Operator) -> Result<(), String> {
        loop {
            match self.next() {
                "" => return Ok(()),
                ":left-assoc" => operator.grouping = Grouping::Left,
                ":right-assoc" => operator.grouping = Grouping::Right,
                ":chainable" => operator.grouping = Grouping::Chainable,
                ":pairwise" => operator.grouping = Grouping::Pairwise,
                ":variadic" => operator.grouping = Grouping::Variadic,
                ":relative" => operator.relative = true,
                ":z3" => operator.speaker = Speaker::Z3,
                ":cvc5" => operator.speaker = Speaker::Cvc5,
                ":bitwuzla" => operator.speaker = Speaker::Bitwuzla,
                ":min" => {
                    let word = self.next();
                    operator.least = word
                        .parse()
                        .map_err(|_| format!("`{word}` is not a number"))?;
                }
                ":monotone" => {
                    let start = self.at;
                    while Signs::is_sign(self.peek()) {
                        self.next();
                    }
                    operator.monotone = Signs::read(&self.words[start..self.at])?;
                }
                "where" => loop {
                    let word = self.next();
                    let condition = self.condition(word.trim_end_matches(','))?;
                    operator.conditions.push(condition);
                    if !word.ends_with(',') {
                        break;
                    }
                },
                word => {
                    let known = [
                        ":left-assoc", ":right-assoc", ":chainable", ":pairwise", ":variadic",
                        ":z3", ":cvc5", ":bitwuzla", ":min", ":monotone", ":relative", "where",
                    ];
                    let hint = lydite_core::nearest::nearest(word, known)
                        .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                    return Err(format!("unknown attribute `{word}`{hint}"));
                }
            }
        }
    }

    fn sort(&mut self, depth: usize) -> Result<Pattern, String> {
        if depth > 10 {
            return Err("sort nested too deep".to_string());
        }
        let word = self.next();
        if word != "(" {
            return self.plain_sort(word);
        }
        let pattern = match self.next() {
            "_" => match self.next() {
                "BitVec" => Pattern::BitVec(self.number()?),
                "FloatingPoint" => {
                    let eb = self.number()?;
                    Pattern::Float(eb, self.number()?)
                }
                other => return Err(format!("unknown indexed sort `{other}`")),
            },
            "Array" => {
                let from = self.sort(depth + 1)?;
                Pattern::Array(Box::new((from, self.sort(depth + 1)?)))
            }
            "Seq" => Pattern::Seq(Box::new(self.sort(depth + 1)?)),
            "Set" => Pattern::Set(Box::new(self.sort(depth + 1)?)),
            "Bag" => Pattern::Bag(Box::new(self.sort(depth + 1)?)),
            "List" => Pattern::List(Box::new(self.sort(depth + 1)?)),
            "Nullable" => Pattern::Nullable(Box::new(self.sort(depth + 1)?)),
            "->" => {
                let mut parts = Vec::new();
                while !matches!(self.peek(), ")" | "") {
                    parts.push(self.sort(depth + 1)?);
                }
                Pattern::Function(parts)
            }
            other => return Err(format!("unknown sort `{other}`")),
        };
        self.expect(")")?;
        Ok(pattern)
    }
}

/// The number of a letter, in the order of first use.
fn slot(letters: &mut Vec<u8>, letter: u8) -> Result<u8, String> {
    let at = letters.iter().position(|&known| known == letter);
    let at = at.unwrap_or_else(|| {
        letters.push(letter);
        letters.len() - 1
    });
    match u8::try_from(at) {
        Ok(slot) if at < MAX_LETTERS => Ok(slot),
        _ => Err(format!("more than {MAX_LETTERS} different letters")),
    }
}

impl Line<'_> {
    fn plain_sort(&mut self, word: &str) -> Result<Pattern, String> {
        if let [letter @ b'A'..=b'Z'] = word.as_bytes() {
            return Ok(Pattern::Any(slot(&mut self.sort_letters, *letter)?));
        }
        Ok(Pattern::Simple(match word {
            "Bool" => Sort::BOOL,
            "Int" => Sort::INT,
            "Real" => Sort::REAL,
            "String" => Sort::STRING,
            "RegLan" => Sort::REG_LAN,
            "RoundingMode" => Sort::ROUNDING_MODE,
            _ => return Err(format!("unknown sort `{word}`")),
        }))
    }

    fn number(&mut self) -> Result<Number, String> {
        let word = self.next();
        self.number_of(word)
    }

    /// `i-j+1`, `2*m`.
    fn number_of(&mut self, word: &str) -> Result<Number, String> {
        let mut terms = Vec::new();
        let spaced = word.replace('-', "+-");
        for term in spaced.split('+').filter(|term| !term.is_empty()) {
            let (sign, term) = match term.strip_prefix('-') {
                Some(rest) => (-1, rest),
                None => (1, term),
            };
            let mut product = Product {
                coefficient: sign,
                letters: Vec::new(),
            };
            for factor in term.split('*') {
                match (factor.as_bytes(), factor.parse::<i16>()) {
                    ([letter @ b'a'..=b'z'], _) => {
                        let letter = slot(&mut self.number_letters, *letter)?;
                        product.letters.push(letter);
                    }
                    (_, Ok(value)) if product.coefficient.abs() < 1 << 30 => {
                        product.coefficient *= i64::from(value);
                    }
                    _ => return Err(format!("`{word}` is not a number")),
                }
            }
            terms.push(product);
        }
        match terms.is_empty() {
            true => Err(format!("`{word}` is not a number")),
            false => Ok(Number { terms }),
        }
    }

    fn condition(&mut self, word: &str) -> Result<Condition, String> {
        for (sign, relation) in [
            (">=", Relation::GreaterOrEqual),
            ("<=", Relation::LessOrEqual),
            (">", Relation::Greater),
            ("<", Relation::Less),
        ] {
            if let Some((left, right)) = word.split_once(sign) {
                return Ok(Condition {
                    left: self.number_of(left)?,
                    relation,
                    right: self.number_of(right)?,
                });
            }
        }
        Err(format!("`{word}` is not a comparison"))
    }
}

impl Condition {
    /// True if its numbers are known and compare so.
    pub(crate) fn holds(&self, bound: &Bound) -> bool {
        let (Some(left), Some(right)) = (self.left.value(bound), self.right.value(bound)) else {
            return false;
        };
        match self.relation {
            Relation::Less => left < right,
            Relation::LessOrEqual => left <= right,
            Relation::Greater => left > right,
            Relation::GreaterOrEqual => left >= right,
        }
    }
}

impl Operator {
    /// The result on `call`, if this signature takes it.
    pub fn apply(&self, call: &Call<'_>, sorts: &mut Sorts) -> Option<Sort> {
        let count = call.arguments.len();
        let least = match call.strict {
            true => self.parameters.len(),
            false => self.least,
        };
        if self.indices.len() != call.indices.len() || count < least {
            return None;
        }
        if count > self.parameters.len() && self.grouping == Grouping::Fixed {
            return None;
        }
        let mut start = Bound::default();
        for (&letter, &index) in self.indices.iter().zip(call.indices) {
            start.numbers[usize::from(letter)] = Some(index);
        }
        if count < self.parameters.len() {
            return self.single(call, start, sorts);
        }
        match self.grouping {
            Grouping::Left if count > 2 => {
                let mut result = call.arguments[0];
                for &argument in &call.arguments[1..] {
                    result = self.once(&[result, argument], None, call.coerce, start, sorts)?;
                }
                (call.qualified.is_none_or(|sort| sort == result)).then_some(result)
            }
            Grouping::Right if count > 2 => {
                let mut result = call.arguments[count - 1];
                for &argument in call.arguments[..count - 1].iter().rev() {
                    result = self.once(&[argument, result], None, call.coerce, start, sorts)?;
                }
                (call.qualified.is_none_or(|sort| sort == result)).then_some(result)
            }
            _ => self.once(call.arguments, call.qualified, call.coerce, start, sorts),
        }
    }

    /// `(and p)`: one argument where two are usual; it is its own result for
    /// operators that give what they take.
    fn single(&self, call: &Call<'_>, mut bound: Bound, sorts: &mut Sorts) -> Option<Sort> {
        let [argument] = call.arguments else {
            return None;
        };
        let pattern = self.parameters.last()?;
        if !pattern.fit(*argument, &mut bound, call.coerce, sorts) {
            return None;
        }
        match self.grouping {
            Grouping::Chainable | Grouping::Pairwise => Some(Sort::BOOL),
            Grouping::Left | Grouping::Right => Some(*argument),
            Grouping::Fixed | Grouping::Variadic => None,
        }
    }

    fn once(
        &self,
        arguments: &[Sort],
        qualified: Option<Sort>,
        coerce: bool,
        mut bound: Bound,
        sorts: &mut Sorts,
    ) -> Option<Sort> {
        if let Some(sort) = qualified
            && !self.result.fit(sort, &mut bound, false, sorts)
        {
            return None;
        }
        let last = self.parameters.len().saturating_sub(1);
        for (at, &argument) in arguments.iter().enumerate() {
            let pattern = &self.parameters[at.min(last)];
            if !pattern.fit(argument, &mut bound, coerce, sorts) {
                return None;
            }
        }
        if !self
            .conditions
            .iter()
            .all(|condition| condition.holds(&bound))
        {
            return None;
        }
        if coerce && self.parameters.is_empty() && !matches!(self.result, Pattern::Any(_)) {
            // `seq.empty` without its sort: its place decides, if anything.
            for slot in &mut bound.sorts {
                slot.get_or_insert(Sort::UNKNOWN);
            }
        }
        self.result.instance(&bound, sorts)
    }
}
