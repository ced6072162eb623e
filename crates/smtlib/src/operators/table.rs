//! Reading the table, and applying one signature.

use super::pattern::{Bound, MAX_LETTERS, Number, Pattern, Product};
use super::signs::Signs;
use super::{Alias, Call, Condition, Grouping, Operator, OperatorId, Operators, Relation, Speaker};
use crate::sort::{Defined, DefinedNumber, Meaning, Sort, SortRow, SortTable, Sorts, Values};
use crate::table::{SortText, TableError, Words, for_rows, slot};

impl Operators {
    /// Adds what `text` says.
    pub(super) fn read(&mut self, text: &str) -> Result<(), TableError> {
        let mut theory = "user".to_string();
        for_rows("operators", text, |row| self.read_row(row, &mut theory))?;
        self.link_aliases();
        Ok(())
    }

    fn read_row(&mut self, row: &str, theory: &mut String) -> Result<(), String> {
        let words: Vec<&str> = row.split_whitespace().collect();
        match words[..] {
            ["theory", name] => {
                *theory = name.to_string();
                Ok(())
            }
            ["alias", name, "=", target, ref attributes @ ..] => {
                self.add_alias(name, target, attributes)
            }
            ["alias", ..] => Err("expected `alias NAME = name`".to_string()),
            ["sort", ..] if words.get(1) != Some(&":") => {
                let sort = Line::new(row, &self.sorts).sort_row(theory)?;
                self.sorts.add(sort)
            }
            _ => {
                let operator = Line::new(row, &self.sorts).operator(theory)?;
                let id = u16::try_from(self.operators.len())
                    .map_err(|_| "more than 65,535 operators".to_string())?;
                let group = self.groups.entry(operator.name.clone()).or_default();
                group.push(OperatorId(id));
                self.operators.push(operator);
                Ok(())
            }
        }
    }

    fn add_alias(&mut self, name: &str, target: &str, words: &[&str]) -> Result<(), String> {
        let mut alias = Alias {
            name: name.to_string(),
            target: target.to_string(),
            old: false,
            speaker: Speaker::All,
        };
        for word in words {
            match *word {
                ":old" => alias.old = true,
                word => {
                    let speaker = Speaker::named(word);
                    alias.speaker =
                        speaker.ok_or_else(|| format!("unknown attribute `{word}` of an alias"))?;
                }
            }
        }
        self.aliases.push(alias);
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

/// One row and what its letters stand for.
struct Line<'a> {
    words: Words<'a>,
    sorts: &'a SortTable,
    sort_letters: Vec<u8>,
    number_letters: Vec<u8>,
}

impl<'a> Line<'a> {
    fn new(row: &'a str, sorts: &'a SortTable) -> Line<'a> {
        Line {
            words: Words::new(row),
            sorts,
            sort_letters: Vec::new(),
            number_letters: Vec::new(),
        }
    }

    fn operator(mut self, theory: &str) -> Result<Operator, String> {
        let (name, indices) = self.head()?;
        self.words.expect(":")?;
        let signature = self.words.position();
        if self.words.peek() == "->" {
            return Err(format!("a constant has no arrow: `{name} : S`"));
        }
        let mut parameters = vec![self.sort()?];
        while !matches!(self.words.peek(), "->" | "" | "where")
            && !self.words.peek().starts_with(':')
        {
            parameters.push(self.sort()?);
        }
        let result = if self.words.skip("->") {
            self.sort()?
        } else if parameters.len() == 1 {
            parameters.remove(0)
        } else {
            return Err("expected `->` before the result".to_string());
        };
        let signature = self
            .words
            .since(signature)
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
        if !self.words.skip("(") {
            return Ok((self.words.next().to_string(), Vec::new()));
        }
        self.words.expect("_")?;
        let name = self.words.next().to_string();
        let mut indices = Vec::new();
        while !self.words.skip(")") {
            let word = self.words.next();
            match word.as_bytes() {
                [letter @ b'a'..=b'z'] => {
                    indices.push(slot(&mut self.number_letters, *letter, MAX_LETTERS)?);
                }
                _ => return Err(format!("`{word}` is not a small letter")),
            }
        }
        Ok((name, indices))
    }

    fn attributes(&mut self, operator: &mut Operator) -> Result<(), String> {
        loop {
            match self.words.next() {
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
                    let word = self.words.next();
                    operator.least = word
                        .parse()
                        .map_err(|_| format!("`{word}` is not a number"))?;
                }
                ":monotone" => {
                    let start = self.words.position();
                    while Signs::is_sign(self.words.peek()) {
                        self.words.next();
                    }
                    operator.monotone = Signs::read(self.words.since(start))?;
                }
                "where" => self.conditions(&mut operator.conditions)?,
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

    /// The conditions behind `where`.
    fn conditions(&mut self, conditions: &mut Vec<Condition>) -> Result<(), String> {
        loop {
            let word = self.words.next();
            conditions.push(self.condition(word.trim_end_matches(','))?);
            if !word.ends_with(',') {
                return Ok(());
            }
        }
    }

    fn sort(&mut self) -> Result<Pattern, String> {
        let text = self.words.sort()?;
        self.pattern(&text)
    }

    /// Recursion is bounded by the depth of what is written.
    fn pattern(&mut self, text: &SortText<'_>) -> Result<Pattern, String> {
        if let Some(letter) = text.letter() {
            return Ok(Pattern::Any(slot(
                &mut self.sort_letters, letter, MAX_LETTERS,
            )?));
        }
        let row = text.row(self.sorts)?;
        let mut parts = Vec::with_capacity(text.parts.len());
        for part in &text.parts {
            parts.push(self.pattern(part)?);
        }
        row.make(&text.numbers, &parts, &mut |values, numbers, parts| {
            if let Some(sort) = values.simple() {
                return Ok(Pattern::Simple(sort));
            }
            let numbers: Result<Vec<Number>, String> =
                numbers.iter().map(|word| self.number_of(word)).collect();
            Pattern::new(values.clone(), numbers?, parts)
        })
    }
}

impl Line<'_> {
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
                        let letter = slot(&mut self.number_letters, *letter, MAX_LETTERS)?;
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

impl Line<'_> {
    /// `sort (S A B..) attributes`, `sort (_ S m) where m>0`, `sort S = T`
    fn sort_row(mut self, theory: &str) -> Result<SortRow, String> {
        self.words.expect("sort")?;
        let head = self.words.sort()?;
        let letters = Letters::of(&head)?;
        let mut row = SortRow {
            name: head.name.to_string(),
            theory: theory.to_string(),
            least: vec![0; head.numbers.len()],
            parameters: head.parts.len(),
            repeats: head.parts.last().is_some_and(SortText::is_rest),
            speaker: Speaker::All,
            meaning: Meaning::Values(Values::Opaque(head.name.into())),
        };
        if self.words.skip("=") {
            let body = self.words.sort()?;
            let mut made = letters.defined(&body, self.sorts)?;
            row.meaning = Meaning::Defined(match made.len() {
                1 => made.remove(0),
                _ => return Err("a definition is one sort".to_string()),
            });
        }
        loop {
            match self.words.next() {
                "" => break,
                "where" => self.bounds(&head, &mut row.least)?,
                ":values" => {
                    let values = Values::named(self.words.next())?;
                    if !values.are_made_of(row.least.len(), row.parameters, row.repeats) {
                        return Err("such values are not made of these".to_string());
                    }
                    row.meaning = Meaning::Values(values);
                }
                word => {
                    let speaker = Speaker::named(word);
                    row.speaker =
                        speaker.ok_or_else(|| format!("unknown attribute `{word}` of a sort"))?;
                }
            }
        }
        Ok(row)
    }

    /// `where m>0, n>=2`: the numbers of a sort are bounded from below.
    fn bounds(&mut self, head: &SortText<'_>, least: &mut [u32]) -> Result<(), String> {
        loop {
            let word = self.words.next();
            let bound = word.trim_end_matches(',');
            let parsed = bound
                .split_once(">=")
                .map(|(letter, number)| (letter, number, 0))
                .or_else(|| Some((bound.split_once('>')?.0, bound.split_once('>')?.1, 1)));
            let known = parsed.and_then(|(letter, number, more)| {
                let at = head.numbers.iter().position(|known| *known == letter)?;
                Some((at, number.parse::<u32>().ok()?.checked_add(more)?))
            });
            match known {
                Some((at, number)) => least[at] = number,
                None => return Err(format!("`{word}` is not a least number, as in `m>0`")),
            }
            if !word.ends_with(',') {
                return Ok(());
            }
        }
    }
}

/// The letters of a sort's row, in order.
struct Letters<'a> {
    numbers: &'a [&'a str],
    sorts: Vec<&'a str>,
}

impl<'a> Letters<'a> {
    fn of(head: &'a SortText<'a>) -> Result<Letters<'a>, String> {
        let last = head.parts.len().saturating_sub(1);
        for (at, part) in head.parts.iter().enumerate() {
            if part.letter().is_none() && !(part.is_rest() && at == last) {
                return Err(format!("`{}` is not a capital letter", part.name));
            }
        }
        let small = |word: &&&str| !matches!(word.as_bytes(), [b'a'..=b'z']);
        if let Some(word) = head.numbers.iter().find(small) {
            return Err(format!("`{word}` is not a small letter"));
        }
        Ok(Letters {
            numbers: &head.numbers,
            sorts: head.parts.iter().map(|part| part.name).collect(),
        })
    }

    /// Recursion is bounded by the depth of what is written.
    fn defined(&self, text: &SortText<'_>, sorts: &SortTable) -> Result<Vec<Defined>, String> {
        if text.letter().is_some() || text.is_rest() {
            let at = self.sorts.iter().position(|letter| *letter == text.name);
            let at = at.ok_or_else(|| format!("`{}` stands for nothing", text.name))?;
            return Ok(vec![match text.is_rest() {
                true => Defined::Rest(at),
                false => Defined::Given(at),
            }]);
        }
        let row = text.row(sorts)?;
        let mut parts = Vec::new();
        for part in &text.parts {
            parts.extend(self.defined(part, sorts)?);
        }
        let made = row.make(&text.numbers, &parts, &mut |values, numbers, parts| {
            let number = |word: &&str| match self.numbers.iter().position(|n| n == word) {
                Some(at) => Ok(DefinedNumber::Given(at)),
                None if word.bytes().all(|byte| byte.is_ascii_digit()) => {
                    Ok(DefinedNumber::Fixed(word.to_string()))
                }
                None => Err(format!("`{word}` is not a number")),
            };
            let numbers: Result<Vec<DefinedNumber>, String> = numbers.iter().map(number).collect();
            Ok::<Defined, String>(Defined::Made(values.clone(), numbers?, parts))
        })?;
        Ok(vec![made])
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
