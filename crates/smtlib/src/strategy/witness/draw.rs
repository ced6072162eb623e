//! Values for what a script declares.
//!
//! Values are text, as terms of their sort: our evaluator reads them as it reads
//! the models of solvers. Those that the script has itself come as often as corner
//! cases: what a comparison is about decides it.

use std::collections::BTreeMap;

use lydite_core::{Choices, Reject};

use crate::print;
use crate::sort::{Sort, SortKind};
use crate::syntax::{Script, Symbol, Term, TermId};
use crate::typing::{Role, Typed};
use crate::value::Value;

/// What a name of the script stands for.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) symbol: Symbol,
    /// `(define-fun NAME (…) SORT BODY)` without its body and the parenthesis.
    head: String,
    body: String,
    /// The sort, if it is a constant.
    pub(super) sort: Option<Sort>,
    /// True if every solver reads the value in a script.
    pub(super) writable: bool,
}

/// A model that was made up.
#[derive(Clone, Debug, Default)]
pub(super) struct Witness {
    pub(super) entries: Vec<Entry>,
    /// The elements of uninterpreted sorts, declared.
    elements: BTreeMap<String, String>,
}

impl Witness {
    /// As commands that define everything.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for (name, sort) in &self.elements {
            text.push_str(&format!("(declare-fun {name} () {sort})"));
        }
        for entry in &self.entries {
            text.push_str(&format!("{}{})", entry.head, entry.body));
        }
        text
    }
}

impl Witness {
    /// Adds a constant and its value, if that can be written.
    pub(super) fn add(&mut self, script: &Script, typed: &Typed, symbol: Symbol, value: &Value) {
        let function = typed.functions.iter().find(|one| one.symbol == symbol);
        let Some(sort) = function.map(|function| function.result) else {
            return;
        };
        let name = |id| print::quoted(script.name(typed.declaration(id).symbol));
        let texts = typed
            .sorts
            .written(sort, &name)
            .zip(written(typed, sort, value));
        if let Some((sort_text, body)) = texts {
            self.entries.push(Entry {
                symbol,
                head: format!(
                    "(define-fun {} () {sort_text} ",
                    print::symbol(script, symbol)
                ),
                body,
                sort: Some(sort),
                writable: true,
            });
        }
    }
}

impl Entry {
    /// The value of a constant as solvers read it.
    pub(super) fn value(&self) -> Option<&str> {
        (self.sort.is_some() && self.writable).then_some(self.body.as_str())
    }

    /// The command that defines it, if solvers read it.
    pub(super) fn definition(&self) -> Option<String> {
        self.writable
            .then(|| format!("{}{})", self.head, self.body))
    }

    /// Gives a constant another value, if that can be written.
    pub(super) fn set(&mut self, typed: &Typed, value: &Value) -> bool {
        let text = self.sort.and_then(|sort| written(typed, sort, value));
        if let Some(text) = text {
            self.body = text;
            self.writable = true;
            return true;
        }
        false
    }
}

/// A value as text.
struct Drawn {
    text: String,
    writable: bool,
}

impl Drawn {
    fn plain(text: impl Into<String>) -> Drawn {
        Drawn {
            text: text.into(),
            writable: true,
        }
    }
}

/// How deep values are nested, and how many parts they have.
const DEPTH: u32 = 3;
const MOST_PARTS: u64 = 3;

/// Widths up to this have bits that are drawn one by one.
const MAX_WIDTH: u32 = 64;

const INTS: [&str; 10] = ["0", "1", "2", "3", "5", "7", "10", "64", "255", "65536"];
const REALS: [&str; 8] = [
    "0.0", "1.0", "2.0", "0.5", "3.0", "(/ 1.0 3.0)", "10.0", "100.0",
];
const STRINGS: [&str; 9] = [
    "\"\"", "\"a\"", "\"b\"", "\"0\"", "\"ab\"", "\"ba\"", "\"10\"", "\"aa\"", "\"abc\"",
];
const ROUNDING_MODES: [&str; 5] = ["RNE", "RNA", "RTP", "RTN", "RTZ"];

/// Draws values.
pub(super) struct Drawing<'a> {
    script: &'a Script,
    typed: &'a Typed,
    /// The literals of the script by sort.
    literals: BTreeMap<Sort, Vec<String>>,
}

impl<'a> Drawing<'a> {
    pub(super) fn new(script: &'a Script, typed: &'a Typed) -> Drawing<'a> {
        let mut literals: BTreeMap<Sort, Vec<String>> = BTreeMap::new();
        for term in script.terms() {
            if let (Term::Literal(..), Some(sort)) = (script.term(term), typed.sort(term)) {
                let known = literals.entry(sort).or_default();
                let text = literal(script, term, sort);
                if !known.contains(&text) {
                    known.push(text);
                }
            }
        }
        Drawing {
            script,
            typed,
            literals,
        }
    }

    /// A model of everything that is declared and has values which can be drawn.
    pub(super) fn witness(&self, choices: &mut Choices) -> Result<Witness, Reject> {
        let mut witness = Witness::default();
        for function in &self.typed.functions {
            let known = |entry: &Entry| entry.symbol == function.symbol;
            let declared = function.role == Role::Declared && function.sort_parameters == 0;
            if !declared || witness.entries.iter().any(known) {
                continue;
            }
            let drawn = match function.parameters.is_empty() {
                true => self.value(choices, function.result, DEPTH, &mut witness)?,
                false => self.body(choices, &function.parameters, function.result, &mut witness)?,
            };
            let parameters: Option<Vec<String>> = (function.parameters.iter().enumerate())
                .map(|(at, &sort)| Some(format!("(a!{at} {})", self.sort_text(sort)?)))
                .collect();
            let (Some(Drawn { text, writable }), Some(parameters), Some(sort)) =
                (drawn, parameters, self.sort_text(function.result))
            else {
                continue;
            };
            let name = print::symbol(self.script, function.symbol);
            witness.entries.push(Entry {
                symbol: function.symbol,
                head: format!("(define-fun {name} ({}) {sort} ", parameters.join(" ")),
                body: text,
                sort: function.parameters.is_empty().then_some(function.result),
                writable,
            });
        }
        Ok(witness)
    }

    fn sort_text(&self, sort: Sort) -> Option<String> {
        self.typed.sorts.written(sort, &|id| {
            print::quoted(self.script.name(self.typed.declaration(id).symbol))
        })
    }

    /// The body of a function: a value, and others at a few points.
    fn body(
        &self,
        choices: &mut Choices,
        parameters: &[Sort],
        result: Sort,
        witness: &mut Witness,
    ) -> Result<Option<Drawn>, Reject> {
        let Some(mut body) = self.value(choices, result, 1, witness)? else {
            return Ok(None);
        };
        for _ in 0..choices.below(MOST_PARTS)? {
            let mut conditions = Vec::new();
            for (at, &sort) in parameters.iter().enumerate() {
                if let Some(value) = self.value(choices, sort, 1, witness)? {
                    body.writable &= value.writable;
                    conditions.push(format!("(= a!{at} {})", value.text));
                }
            }
            let condition = match &conditions[..] {
                [] => continue,
                [one] => one.clone(),
                more => format!("(and {})", more.join(" ")),
            };
            if let Some(value) = self.value(choices, result, 1, witness)? {
                body.writable &= value.writable;
                body.text = format!("(ite {condition} {} {})", value.text, body.text);
            }
        }
        Ok(Some(body))
    }

    /// A value of the sort; none if it has none that can be drawn. Recursion is
    /// bounded by `depth`.
    fn value(
        &self,
        choices: &mut Choices,
        sort: Sort,
        depth: u32,
        witness: &mut Witness,
    ) -> Result<Option<Drawn>, Reject> {
        if let Some(literals) = self.literals.get(&sort)
            && choices.chance(1, 2)?
        {
            return self.near(choices, sort, literals).map(Some);
        }
        let text = match self.typed.sorts.kind(sort) {
            SortKind::Bool => choices.pick(&["false", "true"])?.to_string(),
            SortKind::Int => signed(choices, &INTS)?,
            SortKind::Real => signed(choices, &REALS)?,
            SortKind::String => choices.pick(&STRINGS)?.to_string(),
            SortKind::RoundingMode => choices.pick(&ROUNDING_MODES)?.to_string(),
            SortKind::BitVec(width) => bits(choices, *width)?,
            SortKind::Float([eb, sb]) => float(choices, *eb, *sb)?,
            SortKind::Field(_) => {
                let number = choices.pick(&["0", "1", "2", "-1"])?;
                match self.sort_text(sort) {
                    Some(sort) => format!("(as ff{number} {sort})"),
                    None => return Ok(None),
                }
            }
            SortKind::Named(..) => return self.named(choices, sort, depth, witness),
            _ if depth > 0 => return self.container(choices, sort, depth - 1, witness),
            _ => return Ok(None),
        };
        Ok(Some(Drawn::plain(text)))
    }

    /// A literal of the script, or the number beside it.
    fn near(
        &self,
        choices: &mut Choices,
        sort: Sort,
        literals: &[String],
    ) -> Result<Drawn, Reject> {
        let literal = choices.pick(literals)?;
        let apart = match self.typed.sorts.kind(sort) {
            SortKind::Int => ["+ 1", "- 1"],
            SortKind::Real => ["+ 1.0", "- 1.0"],
            _ => return Ok(Drawn::plain(literal.as_str())),
        };
        Ok(Drawn::plain(match choices.below(6)? {
            at @ (0 | 1) => {
                let (sign, one) = apart[at as usize].split_once(' ').unwrap_or(("+", "1"));
                format!("({sign} {literal} {one})")
            }
            2 => format!("(- {literal})"),
            _ => literal.clone(),
        }))
    }

    /// An element of an uninterpreted sort, or a constructor and its fields.
    fn named(
        &self,
        choices: &mut Choices,
        sort: Sort,
        depth: u32,
        witness: &mut Witness,
    ) -> Result<Option<Drawn>, Reject> {
        let SortKind::Named(id, parts) = self.typed.sorts.kind(sort) else {
            return Ok(None);
        };
        let declaration = self.typed.declaration(*id);
        let Some(constructors) = &declaration.constructors else {
            let Some(sort) = self.sort_text(sort) else {
                return Ok(None);
            };
            let plain = sort.replace(['|', '(', ')', ' '], "");
            let name = print::quoted(&format!("{plain}!val!{}", choices.below(3)?));
            witness.elements.insert(name.clone(), sort);
            return Ok(Some(Drawn {
                text: name,
                writable: false,
            }));
        };
        // Those of parameters have fields whose sorts depend on the place.
        if !parts.is_empty() || declaration.co || constructors.is_empty() {
            return Ok(None);
        }
        let start = choices.index(constructors.len())?;
        for at in (start..constructors.len()).chain(0..start) {
            let function = self.typed.function(constructors[at].function);
            if depth == 0 && !function.parameters.is_empty() {
                continue;
            }
            let mut text = print::symbol(self.script, function.symbol);
            let mut writable = true;
            let mut whole = true;
            for &field in &function.parameters {
                match self.value(choices, field, depth - 1, witness)? {
                    Some(value) => {
                        text.push_str(&format!(" {}", value.text));
                        writable &= value.writable;
                    }
                    None => whole = false,
                }
            }
            if whole {
                if !function.parameters.is_empty() {
                    text = format!("({text})");
                }
                return Ok(Some(Drawn { text, writable }));
            }
        }
        Ok(None)
    }

    fn container(
        &self,
        choices: &mut Choices,
        sort: Sort,
        depth: u32,
        witness: &mut Witness,
    ) -> Result<Option<Drawn>, Reject> {
        let Some(written) = self.sort_text(sort) else {
            return Ok(None);
        };
        let kind = self.typed.sorts.kind(sort);
        let part = match kind {
            SortKind::Seq(part) | SortKind::Set(part) | SortKind::Bag(part) => *part,
            SortKind::Array(parts) => return self.array(choices, *parts, &written, depth, witness),
            SortKind::Tuple(parts) => {
                let mut drawn = Drawn::plain("(tuple");
                for &part in parts {
                    let Some(value) = self.value(choices, part, depth, witness)? else {
                        return Ok(None);
                    };
                    drawn.text.push_str(&format!(" {}", value.text));
                    drawn.writable &= value.writable;
                }
                drawn.text.push(')');
                return Ok((!parts.is_empty()).then_some(drawn));
            }
            _ => return Ok(None),
        };
        let (empty, one, join) = match kind {
            SortKind::Seq(_) => ("seq.empty", "seq.unit", "seq.++"),
            SortKind::Set(_) => ("set.empty", "set.singleton", "set.union"),
            _ => ("bag.empty", "bag", "bag.union_disjoint"),
        };
        let mut drawn: Option<Drawn> = None;
        for _ in 0..choices.below(MOST_PARTS)? {
            let Some(value) = self.value(choices, part, depth, witness)? else {
                break;
            };
            let often = match kind {
                SortKind::Bag(_) => format!(" {}", choices.between(1, 3)?),
                _ => String::new(),
            };
            let item = format!("({one} {}{often})", value.text);
            drawn = Some(match drawn {
                None => Drawn {
                    text: item,
                    writable: value.writable,
                },
                Some(before) => Drawn {
                    text: format!("({join} {} {item})", before.text),
                    writable: before.writable && value.writable,
                },
            });
        }
        Ok(Some(drawn.unwrap_or_else(|| {
            Drawn::plain(format!("(as {empty} {written})"))
        })))
    }

    /// Not for solvers: cvc5 takes constant arrays only where it is asked to.
    fn array(
        &self,
        choices: &mut Choices,
        [index, element]: [Sort; 2],
        written: &str,
        depth: u32,
        witness: &mut Witness,
    ) -> Result<Option<Drawn>, Reject> {
        let Some(all) = self.value(choices, element, depth, witness)? else {
            return Ok(None);
        };
        let mut text = format!("((as const {written}) {})", all.text);
        for _ in 0..choices.below(MOST_PARTS)? {
            let at = self.value(choices, index, depth, witness)?;
            let value = self.value(choices, element, depth, witness)?;
            if let (Some(at), Some(value)) = (at, value) {
                text = format!("(store {text} {} {})", at.text, value.text);
            }
        }
        Ok(Some(Drawn {
            text,
            writable: false,
        }))
    }
}

/// A literal as a term of its sort: a numeral may stand for a real.
fn literal(script: &Script, term: TermId, sort: Sort) -> String {
    let text = print::term(script, term);
    match sort == Sort::REAL && text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => format!("{text}.0"),
        false => text,
    }
}

fn signed(choices: &mut Choices, all: &[&str]) -> Result<String, Reject> {
    let text = *choices.pick(all)?;
    Ok(match choices.chance(1, 3)? {
        true if !text.starts_with("0") => format!("(- {text})"),
        _ => text.to_string(),
    })
}

/// Zero, one, all ones, the least and the greatest signed number, any.
fn bits(choices: &mut Choices, width: u32) -> Result<String, Reject> {
    if width > MAX_WIDTH {
        return Ok(format!("(_ bv{} {width})", choices.below(4)?));
    }
    let all = u64::MAX >> (64 - width);
    let value = match choices.below(6)? {
        0 => 0,
        1 => 1 & all,
        2 => all,
        3 => all ^ (all >> 1),
        4 => all >> 1,
        _ => choices.between(0, all)?,
    };
    Ok(format!("#b{value:0digits$b}", digits = width as usize))
}

/// The special values, one, the least, the greatest, any.
fn float(choices: &mut Choices, eb: u32, sb: u32) -> Result<String, Reject> {
    let special = ["+zero", "-zero", "+oo", "-oo", "NaN"];
    let small = eb < MAX_WIDTH && sb <= MAX_WIDTH;
    let kind = choices.index(special.len() + if small { 5 } else { 0 })?;
    if let Some(name) = special.get(kind) {
        return Ok(format!("(_ {name} {eb} {sb})"));
    }
    let (exponents, fractions) = (u64::MAX >> (64 - eb), u64::MAX >> (65 - sb));
    let (exponent, fraction) = match kind - special.len() {
        0 => (exponents >> 1, 0),
        1 => (0, 1),
        2 => (exponents - 1, fractions),
        _ => (
            choices.between(0, exponents - 1)?,
            choices.between(0, fractions)?,
        ),
    };
    Ok(format!(
        "(fp #b{} #b{exponent:0eb$b} #b{fraction:0sb$b})",
        choices.below(2)?,
        eb = eb as usize,
        sb = sb as usize - 1
    ))
}

/// A value as a term of its sort that every solver reads; none for sorts whose
/// values need more than themselves.
pub(super) fn written(typed: &Typed, sort: Sort, value: &Value) -> Option<String> {
    match (typed.sorts.kind(sort), value) {
        (SortKind::Real, Value::Int(int)) => {
            let real = crate::value::Rational::from(int.clone());
            Some(Value::Real(real).to_string())
        }
        (SortKind::Bool, Value::Bool(_))
        | (SortKind::Int, Value::Int(_))
        | (SortKind::Real, Value::Real(_))
        | (SortKind::String, Value::String(_))
        | (SortKind::RoundingMode, Value::RoundingMode(_))
        | (SortKind::BitVec(_), Value::BitVec(_))
        | (SortKind::Float(_), Value::Float(_)) => Some(value.to_string()),
        (SortKind::Named(_, parts), Value::Datatype(datatype))
            if parts.is_empty() && datatype.fields.is_empty() =>
        {
            Some(value.to_string())
        }
        _ => None,
    }
}
