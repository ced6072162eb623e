//! What has to be proved of a rule, as scripts for a solver, and a check by
//! our own evaluator where solvers cannot (regular expressions have no
//! variables) or where there is none (the rules of a user's file).

use std::fmt::Write;

use lydite_core::{Choices, Obligation, Reject};

use super::make::{Shortened, shortened};
use super::pattern::{LETTERS, Pattern, SortPattern, Variable};
use super::rules::{Rule, Rules};
use crate::eval::{Budget, Completion, Context, evaluate, question};
use crate::operators::{Operators, Order, TableError};
use crate::strategy::to_refute;
use crate::syntax::{parse, parse_term};
use crate::value::Value;

/// What a solver has to refute of some rules: scripts that are unsat if and
/// only if a rule is right for some sorts. Rules with metavariables for
/// regular expressions have none: no solver has variables of that sort.
pub(super) fn obligations(rules: &[Rule], operators: &Operators) -> Vec<Obligation> {
    let mut all = Vec::new();
    for rule in rules.iter().filter(|rule| !has_regexes(rule)) {
        for instance in instances(rule) {
            let script = match rule.tactic {
                Some(_) => tactic_script(rule),
                None => instance.script(rule, operators),
            };
            all.push(Obligation {
                about: rule.name.clone(),
                case: to_refute(format!("(set-logic ALL)\n{script}")),
            });
        }
    }
    all
}

fn has_regexes(rule: &Rule) -> bool {
    let regex = SortPattern::Fixed(crate::sort::Sort::REG_LAN);
    rule.variables.iter().any(|variable| variable.sort == regex)
}

/// What a tactic does, about an uninterpreted sort, function and predicate,
/// or a datatype with two constructors.
fn tactic_script(rule: &Rule) -> String {
    let [left, right] = &rule.texts;
    let (sort, declared) = match rule.section.as_str() {
        "datatypes" => (
            "D",
            "(declare-datatypes ((D 0)) (((C (s Int)) (D1 (s1 Int)))))\n",
        ),
        _ => ("U", "(declare-sort U 0)\n"),
    };
    let right = right.replace("(_ is D)", "(_ is D1)");
    let relation = if rule.equivalence { "=" } else { "=>" };
    format!(
        "{declared}(declare-const x {sort})\n(declare-const y {sort})\n(declare-const c {sort})\n\
         (declare-fun f ({sort}) {sort})\n(declare-fun P ({sort}) Bool)\n\
         (assert (not ({relation} {left} {right})))\n(check-sat)\n"
    )
}

/// One choice of sorts for the letters, and of lengths for `p..`.
struct Instance {
    letters: [&'static str; LETTERS.len()],
    many: usize,
}

/// The sorts that stand for all that a letter can be.
fn instances(rule: &Rule) -> Vec<Instance> {
    let uses = |letter: usize| {
        rule.variables.iter().any(|variable| match &variable.sort {
            SortPattern::Letter(at) => *at == letter,
            SortPattern::Made(_, letters) => letters.contains(&letter),
            SortPattern::Fixed(_) => false,
        })
    };
    let collection =
        |variable: &Variable| matches!(&variable.sort, SortPattern::Made(_, one) if one.len() == 1);
    let element = match rule.variables.iter().any(collection) {
        true => "Int",
        false => "E0",
    };
    let numbers: &[&str] = if uses(0) { &["Int", "Real"] } else { &["Int"] };
    let widths: &[&str] = match uses(1) {
        true => &["(_ BitVec 1)", "(_ BitVec 5)"],
        false => &["(_ BitVec 1)"],
    };
    let has_many = rule.variables.iter().any(|variable| variable.many);
    let mut all = Vec::new();
    for number in numbers {
        for width in widths {
            for many in if has_many { 0..3 } else { 0..1 } {
                let letters = [number, width, "(_ FloatingPoint 3 4)", "A0", "I0", element];
                all.push(Instance { letters, many });
            }
        }
    }
    all
}

impl Instance {
    fn sort(&self, sort: &SortPattern) -> String {
        match sort {
            SortPattern::Fixed(sort) => {
                crate::sort::Sorts::default().show(*sort, &|_| String::new())
            }
            SortPattern::Letter(at) => self.letters[*at].to_string(),
            SortPattern::Made(values, letters) => {
                let parts: Vec<&str> = letters.iter().map(|&at| self.letters[at]).collect();
                format!("({} {})", values.name(), parts.join(" "))
            }
        }
    }

    fn script(&self, rule: &Rule, operators: &Operators) -> String {
        let mut text = String::from(
            "(declare-sort A0 0)\n(declare-sort I0 0)\n(declare-sort E0 0)\n(declare-sort U 0)\n",
        );
        if rule.order == Order::Languages {
            text.push_str("(declare-const s0 String)\n");
        }
        let inside = under_quantifier(rule);
        for (at, variable) in rule.variables.iter().enumerate() {
            let sort = self.sort(&variable.sort);
            let name = &variable.name;
            let declared = match (variable.many, inside[at]) {
                (true, _) => (0..self.many).map(|i| format!("{name}{i}")).collect(),
                (false, _) => vec![name.clone()],
            };
            for name in declared {
                let parameters = if inside[at] { "U" } else { "" };
                let _ = writeln!(text, "(declare-fun {name} ({parameters}) {sort})");
                if variable.literal {
                    let _ = writeln!(text, "(assert (> {name} {}))", self.number(0));
                }
            }
        }
        let name = |at: usize, i: Option<usize>| {
            let name = &rule.variables[at].name;
            match (i, inside[at]) {
                (Some(i), _) => format!("{name}{i}"),
                (None, true) => format!("({name} u)"),
                (None, false) => name.clone(),
            }
        };
        let claim = self.claim(rule, operators, "U", &name);
        let _ = write!(text, "(assert (not {claim}))\n(check-sat)\n");
        text
    }

    /// A term that is true if and only if the rule is right.
    fn claim(
        &self,
        rule: &Rule,
        operators: &Operators,
        domain: &str,
        name: &dyn Fn(usize, Option<usize>) -> String,
    ) -> String {
        let writer = Writer {
            instance: self,
            operators,
            domain,
            name,
        };
        let [left, right] = [&rule.left, &rule.right].map(|side| writer.term(side));
        match (rule.order, rule.equivalence) {
            (Order::Languages, true) => format!("(= (str.in_re s0 {left}) (str.in_re s0 {right}))"),
            (Order::Languages, false) => {
                format!("(=> (str.in_re s0 {left}) (str.in_re s0 {right}))")
            }
            (_, true) | (Order::Equality, _) => format!("(= {left} {right})"),
            (Order::Implication, _) => format!("(=> {left} {right})"),
            (Order::Numbers, _) => format!("(<= {left} {right})"),
            (Order::Sets, _) => format!("(set.subset {left} {right})"),
        }
    }

    fn number(&self, value: i64) -> String {
        let sort = self.letters[0];
        match sort {
            "Real" => format!("{value}.0"),
            _ => value.to_string(),
        }
    }
}

/// For each metavariable whether it stands inside a quantifier of the rule,
/// and so may speak of its variable.
fn under_quantifier(rule: &Rule) -> Vec<bool> {
    fn look(pattern: &Pattern, inside: bool, found: &mut [bool]) {
        match pattern {
            Pattern::Variable(at) | Pattern::Many(at) => found[*at] |= inside,
            Pattern::Apply { arguments, .. } => {
                arguments.iter().for_each(|a| look(a, inside, found));
            }
            Pattern::Quantifier { body, .. } => look(body, true, found),
            Pattern::Fresh { body, .. } => look(body, inside, found),
            Pattern::Number(_) | Pattern::Text(_) | Pattern::Bound(_) => {}
        }
    }
    let mut found = vec![false; rule.variables.len()];
    look(&rule.left, false, &mut found);
    look(&rule.right, false, &mut found);
    found
}

/// Writes patterns with names for their metavariables.
struct Writer<'a> {
    instance: &'a Instance,
    operators: &'a Operators,
    /// The sort of what `..` stands for.
    domain: &'a str,
    name: &'a dyn Fn(usize, Option<usize>) -> String,
}

impl Writer<'_> {
    fn term(&self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Variable(at) => (self.name)(*at, None),
            Pattern::Many(_) => String::new(),
            Pattern::Number(value) => self.instance.number(*value),
            Pattern::Text(text) => text.clone(),
            Pattern::Apply {
                text, arguments, ..
            } => self.application(text, arguments),
            Pattern::Quantifier { word, body } => {
                format!("({word} ((u {})) {})", self.domain, self.term(body))
            }
            Pattern::Fresh { word, sort, body } => {
                format!("({word} ((b0 {sort})) {})", self.term(body))
            }
            Pattern::Bound(_) => "b0".to_string(),
        }
    }

    fn application(&self, text: &str, arguments: &[Pattern]) -> String {
        let bits = self.instance.letters[1];
        let mut written: Vec<String> = Vec::new();
        for argument in arguments {
            match argument {
                Pattern::Many(at) => {
                    written.extend((0..self.instance.many).map(|i| (self.name)(*at, Some(i))));
                }
                // A number among bit-vectors is a bit-vector.
                Pattern::Number(value) if self.is_bits(text, arguments) => {
                    let width = bits
                        .trim_matches(['(', ')', '_', ' '])
                        .replace("BitVec ", "");
                    written.push(format!("(_ bv{value} {width})"));
                }
                argument => written.push(self.term(argument)),
            }
        }
        match shortened(self.operators, text, written.len()) {
            Shortened::Itself => written.remove(0),
            Shortened::Constant(text) => text.to_string(),
            Shortened::Enough | Shortened::Nothing if written.is_empty() => text.to_string(),
            Shortened::Enough | Shortened::Nothing => format!("({text} {})", written.join(" ")),
        }
    }

    /// True if an application with a number in it is one of bit-vectors.
    fn is_bits(&self, text: &str, arguments: &[Pattern]) -> bool {
        text.starts_with("bv")
            || arguments.iter().any(|argument| match argument {
                Pattern::Apply { text, .. } => text.starts_with("bv"),
                _ => false,
            })
            || matches!(text, "=" | "distinct")
                && arguments.iter().any(|argument| match argument {
                    Pattern::Variable(at) => {
                        ["v", "w", "o"].contains(&(self.name)(*at, None).as_str())
                    }
                    _ => false,
                })
    }
}

/// How many samples a rule is checked on.
pub(super) const SAMPLES: u64 = 1500;

/// Checks a rule on sampled values: the number of those that could be
/// decided, or one that refutes it.
pub(super) fn check(rule: &Rule, operators: &Operators, samples: u64) -> Result<u64, String> {
    let mut decided = 0;
    for sample in 0..samples {
        let mut choices = Choices::seeded(7, sample);
        let Ok(claim) = sampled_claim(rule, operators, &mut choices) else {
            continue;
        };
        let mut all = true;
        // What the standard leaves open may be anything: two of the things.
        for completion in [Completion::Zero, Completion::Ones] {
            match value_of(&claim, completion) {
                Some(true) => {}
                Some(false) => return Err(claim),
                None => all = false,
            }
        }
        decided += u64::from(all);
    }
    Ok(decided)
}

/// Refuses the rules of a user's file that are wrong, or cannot be checked.
pub(super) fn check_user_rules(
    rules: &Rules,
    operators: &Operators,
    text: &str,
) -> Result<(), TableError> {
    for rule in rules.of_user() {
        let problem = match check(rule, operators, SAMPLES) {
            Ok(0) => "no value is known for which the evaluator can check the rule".to_string(),
            Ok(_) => continue,
            Err(claim) => format!("rule `{}` is wrong: {claim} is false", rule.name),
        };
        let begins = |line: &str| line.trim_start().starts_with(&format!("{}: ", rule.name));
        let line = text.lines().position(begins).unwrap_or(0) + 1;
        return Err(TableError {
            table: "rules",
            line,
            problem,
        });
    }
    Ok(())
}

/// What a claim without variables is.
pub(super) fn value_of(claim: &str, completion: Completion) -> Option<bool> {
    let mut script = parse(b"(check-sat)").ok()?;
    let asked = question(&script, 0)?;
    let term = parse_term(&mut script, claim).ok()?;
    let context = Context::new(&script, &asked);
    let budget = Budget { steps: 200_000 };
    match evaluate(&script, &context, term, completion, budget) {
        Ok(Value::Bool(value)) => Some(value),
        _ => None,
    }
}

/// The claim of a rule about sampled values.
fn sampled_claim(
    rule: &Rule,
    operators: &Operators,
    choices: &mut Choices,
) -> Result<String, Reject> {
    let any = ["Int", "Bool", "String", "(_ BitVec 2)"];
    let letters = [
        *choices.pick(&["Int", "Real"])?,
        *choices.pick(&["(_ BitVec 1)", "(_ BitVec 3)", "(_ BitVec 5)"])?,
        "(_ FloatingPoint 3 4)",
        *choices.pick(&any)?,
        *choices.pick(&["Int", "Bool"])?,
        "Int",
    ];
    let instance = Instance {
        letters,
        many: choices.index(4)?,
    };
    let inside = under_quantifier(rule);
    let mut values: Vec<Vec<String>> = Vec::new();
    for (at, variable) in rule.variables.iter().enumerate() {
        let count = if variable.many { instance.many } else { 1 };
        let mut of_one = Vec::new();
        for _ in 0..count {
            of_one.push(match (inside[at], variable.literal) {
                (true, _) => choices
                    .pick(&["true", "false", "u", "(not u)"])?
                    .to_string(),
                (_, true) => instance.number(choices.between(1, 5)? as i64),
                _ => sample_value(choices, &instance.sort(&variable.sort))?,
            });
        }
        values.push(of_one);
    }
    let name = |at: usize, i: Option<usize>| values[at][i.unwrap_or(0)].clone();
    let claim = instance.claim(rule, operators, "Bool", &name);
    Ok(match rule.order {
        Order::Languages => claim.replace("s0", &sample_value(choices, "String")?),
        _ => claim,
    })
}

/// Some values of the sorts of sequences and sets.
const SEQUENCES: &[&str] = &[
    "(as seq.empty (Seq Int))",
    "(seq.unit 1)",
    "(seq.unit 2)",
    "(seq.++ (seq.unit 1) (seq.unit 2))",
    "(seq.++ (seq.unit 1) (seq.unit 1))",
];
const SETS: &[&str] = &[
    "(as set.empty (Set Int))",
    "(set.singleton 1)",
    "(set.singleton 2)",
    "(set.union (set.singleton 1) (set.singleton 2))",
];

/// A literal of a sort.
pub(super) fn sample_value(choices: &mut Choices, sort: &str) -> Result<String, Reject> {
    Ok(match sort {
        "Bool" => choices.pick(&["true", "false"])?.to_string(),
        "Int" => integer(choices)?,
        "Real" => {
            let value = integer(choices)?;
            let real = choices.pick(&["(to_real {})", "(/ (to_real {}) 2.0)"])?;
            real.replace("{}", &value)
        }
        "String" => string(choices)?,
        "RegLan" => regex(choices, 3)?,
        "RoundingMode" => choices
            .pick(&["RNE", "RNA", "RTP", "RTN", "RTZ"])?
            .to_string(),
        sort if sort.starts_with("(_ BitVec ") => {
            let [width] = numbers_of(sort)[..] else {
                return Err(Reject::NotApplicable("no such width"));
            };
            format!("(_ bv{} {width})", choices.below(1 << width)?)
        }
        sort if sort.starts_with("(_ FloatingPoint ") => {
            let [e, s] = numbers_of(sort)[..] else {
                return Err(Reject::NotApplicable("no such format"));
            };
            let bits = choices.below(1 << (e + s))?;
            format!("((_ to_fp {e} {s}) (_ bv{bits} {}))", e + s)
        }
        "(Seq Int)" => choices.pick(SEQUENCES)?.to_string(),
        "(Set Int)" => choices.pick(SETS)?.to_string(),
        array => {
            let index = match array.contains("Array Bool") {
                true => choices.pick(&["true", "false"])?.to_string(),
                false => choices.below(3)?.to_string(),
            };
            format!(
                "(store ((as const {array}) {}) {index} {})",
                choices.below(2)?,
                choices.below(3)?
            )
        }
    })
}

fn integer(choices: &mut Choices) -> Result<String, Reject> {
    let value = choices.below(13)? as i64 - 5;
    Ok(match value < 0 {
        true => format!("(- {})", -value),
        false => value.to_string(),
    })
}

fn string(choices: &mut Choices) -> Result<String, Reject> {
    let length = choices.index(4)?;
    let letters: Result<String, Reject> = (0..length)
        .map(|_| Ok(*choices.pick(&["a", "b", "0"])?))
        .collect();
    Ok(format!("\"{}\"", letters?))
}

/// The numbers of an indexed sort, as far as they are small.
fn numbers_of(sort: &str) -> Vec<u32> {
    let words = sort.trim_end_matches(')').split(' ');
    let numbers = words.filter_map(|word| word.parse().ok());
    numbers.filter(|&number| number < 30).collect()
}

fn regex(choices: &mut Choices, depth: u32) -> Result<String, Reject> {
    let leaves = [
        "(str.to_re \"a\")", "(str.to_re \"b\")", "(str.to_re \"\")", "(str.to_re \"ab\")",
        "re.none", "re.all", "re.allchar", "(re.range \"a\" \"b\")",
    ];
    let operators = [
        "re.*", "re.+", "re.opt", "re.comp", "re.++", "re.union", "re.inter", "re.diff",
    ];
    if depth == 0 || choices.chance(1, 3)? {
        return Ok(choices.pick(&leaves)?.to_string());
    }
    let at = choices.index(operators.len())?;
    let first = regex(choices, depth - 1)?;
    Ok(match at < 4 {
        true => format!("({} {first})", operators[at]),
        false => format!("({} {first} {})", operators[at], regex(choices, depth - 1)?),
    })
}
