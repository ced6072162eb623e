//! Random well-sorted scripts over the operator table, for properties.

use lydite_core::{Choices, Reject};
use lydite_smtlib::operators::{Call, Grouping, Operator, Operators, Speaker};
use lydite_smtlib::sort::{Sort, SortKind, Sorts};

/// Sorts that variables have, and how they are written.
const SORTS: &[&str] = &[
    "Bool", "Int", "Real", "String", "RegLan", "(_ BitVec 1)", "(_ BitVec 8)", "(_ BitVec 11)",
    "(_ FloatingPoint 5 11)", "RoundingMode", "(Array Int Real)", "(Seq Int)", "(Set Int)",
    "(Bag Int)",
];

struct Generator<'a> {
    sorts: Sorts,
    known: Vec<Sort>,
    choices: &'a mut Choices,
    names: usize,
    /// Variables in scope.
    scope: Vec<(String, Sort)>,
}

/// A script of a few declarations and assertions.
pub(crate) fn script(choices: &mut Choices) -> Result<String, Reject> {
    let mut sorts = Sorts::default();
    let known = SORTS
        .iter()
        .map(|text| sort_named(&mut sorts, text))
        .collect();
    let mut generator = Generator {
        sorts,
        known,
        choices,
        names: 0,
        scope: Vec::new(),
    };
    let mut text = String::new();
    for (sort, &meant) in SORTS.iter().zip(&generator.known.clone()) {
        let name = generator.fresh()?;
        text += &format!("(declare-const {name} {sort})\n");
        generator.scope.push((name, meant));
    }
    for _ in 0..generator.choices.between(1, 6)? {
        let depth = generator.choices.between(1, 5)?;
        let term = generator.term(Sort::BOOL, depth)?;
        text += &match generator.choices.below(4)? {
            0 => format!("(push 1)(assert {term})(check-sat)(pop 1)\n"),
            1 => {
                let name = generator.fresh()?;
                format!("(assert (! {term} :named {name}))\n")
            }
            2 => format!("(check-sat-assuming ({term}))\n"),
            _ => format!("(assert {term}) ; said\n"),
        };
    }
    Ok(text)
}

fn sort_named(sorts: &mut Sorts, text: &str) -> Sort {
    let kind = match text {
        "Bool" => SortKind::Bool,
        "Int" => SortKind::Int,
        "Real" => SortKind::Real,
        "String" => SortKind::String,
        "RegLan" => SortKind::RegLan,
        "RoundingMode" => SortKind::RoundingMode,
        "(_ BitVec 1)" => SortKind::BitVec(1),
        "(_ BitVec 8)" => SortKind::BitVec(8),
        "(_ BitVec 11)" => SortKind::BitVec(11),
        "(_ FloatingPoint 5 11)" => SortKind::Float([5, 11]),
        "(Array Int Real)" => SortKind::Array([Sort::INT, Sort::REAL]),
        "(Seq Int)" => SortKind::Seq(Sort::INT),
        "(Set Int)" => SortKind::Set(Sort::INT),
        _ => SortKind::Bag(Sort::INT),
    };
    sorts.intern(kind).expect("a shallow sort")
}

impl Generator<'_> {
    fn fresh(&mut self) -> Result<String, Reject> {
        self.names += 1;
        let odd = ["x", "|a b|", "let-it", "x!", "|forall|", "?y", "|x;(|"];
        let stem = self.choices.pick(&odd)?;
        let number = self.names;
        Ok(match stem.strip_suffix('|') {
            Some(open) => format!("{open}{number}|"),
            None => format!("{stem}{number}"),
        })
    }

    fn term(&mut self, sort: Sort, depth: u64) -> Result<String, Reject> {
        if depth == 0 {
            return self.leaf(sort);
        }
        match self.choices.below(10)? {
            0 => self.leaf(sort),
            1 => {
                let bound = *self.choices.pick(&self.known.clone())?;
                let value = self.term(bound, depth - 1)?;
                let name = self.fresh()?;
                self.scope.push((name.clone(), bound));
                let body = self.term(sort, depth - 1)?;
                self.scope.pop();
                Ok(format!("(let (({name} {value})) {body})"))
            }
            2 if sort == Sort::BOOL => {
                let at = self.choices.index(SORTS.len())?;
                let name = self.fresh()?;
                self.scope.push((name.clone(), self.known[at]));
                let body = self.term(sort, depth - 1)?;
                self.scope.pop();
                let binder = self.choices.pick(&["forall", "exists"])?;
                Ok(format!(
                    "({binder} (({name} {})) (! {body} :pattern ({name}) :weight 1))",
                    SORTS[at]
                ))
            }
            _ => self.application(sort, depth),
        }
    }

    fn leaf(&mut self, sort: Sort) -> Result<String, Reject> {
        let fitting: Vec<&String> = self
            .scope
            .iter()
            .filter(|(_, known)| *known == sort)
            .map(|(name, _)| name)
            .collect();
        if !fitting.is_empty() && self.choices.chance(2, 3)? {
            return Ok(self.choices.pick(&fitting)?.to_string());
        }
        let literals: &[&str] = match self.sorts.kind(sort) {
            SortKind::Bool => &["true", "false"],
            SortKind::Int => &["0", "42", "99999999999999999999"],
            SortKind::Real => &["0.0", "3.14"],
            SortKind::String => &["\"\"", "\"a\"\"b\"", "\"\\u{1F600}\""],
            SortKind::BitVec(1) => &["#b1", "(_ bv0 1)"],
            SortKind::BitVec(8) => &["#xff", "#b00001111", "(_ bv77 8)"],
            _ => &[],
        };
        match (literals.is_empty(), fitting.first()) {
            (false, _) => Ok(self.choices.pick(literals)?.to_string()),
            (true, Some(name)) => Ok(name.to_string()),
            (true, None) => Err(Reject::NotApplicable("no leaf of this sort")),
        }
    }

    /// Tries random operators and arguments until the table says that the
    /// result is of the sort wanted.
    fn application(&mut self, sort: Sort, depth: u64) -> Result<String, Reject> {
        let table = Operators::built_in();
        let giving = table.giving(sort, &self.sorts);
        for _ in 0..20 {
            let operator = table.get(*self.choices.pick(&giving)?);
            if operator.speaker != Speaker::All || operator.parameters.is_empty() {
                continue;
            }
            if let Some(text) = self.try_operator(operator, sort, depth)? {
                return Ok(text);
            }
        }
        self.leaf(sort)
    }

    fn try_operator(
        &mut self,
        operator: &Operator,
        sort: Sort,
        depth: u64,
    ) -> Result<Option<String>, Reject> {
        let most = match operator.grouping {
            Grouping::Fixed => operator.parameters.len(),
            _ => operator.parameters.len() + 2,
        } as u64;
        let count = self.choices.between(operator.least as u64, most)?;
        let numbers: Vec<u64> = match operator.indices.len() {
            0 => Vec::new(),
            len => (0..len)
                .map(|_| self.choices.below(12))
                .collect::<Result<_, _>>()?,
        };
        for _ in 0..30 {
            let arguments: Vec<Sort> = (0..count)
                .map(|_| self.choices.pick(&self.known).copied())
                .collect::<Result<_, _>>()?;
            let call = Call {
                indices: &numbers,
                arguments: &arguments,
                qualified: None,
                coerce: false,
                strict: false,
            };
            if operator.apply(&call, &mut self.sorts) != Some(sort) {
                continue;
            }
            let mut text = match numbers.is_empty() {
                true => format!("({}", operator.name),
                false => {
                    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
                    format!("((_ {} {})", operator.name, numbers.join(" "))
                }
            };
            for argument in arguments {
                text += " ";
                text += &self.term(argument, depth - 1)?;
            }
            return Ok(Some(text + ")"));
        }
        Ok(None)
    }
}
