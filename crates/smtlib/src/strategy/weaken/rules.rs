//! The rules: reading the table, and what can be done with each.
//!
//! See `rules.txt` for the format. A rule is a pair of patterns of which the
//! left one implies the right one, or is equivalent to it. Read from left to
//! right it weakens, from right to left it strengthens.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::pattern::{MAX_VARIABLES, Pattern, Reader, SortPattern, Variable};
use super::tactics::Tactic;
use crate::mutate::mutant::{Mutant, NodeId};
use crate::operators::{OperatorId, Operators, Order, Signs};
use crate::sort::{Sort, Values};
use crate::syntax::{Binder, Term};
use crate::table::{TableError, for_rows};

/// The rules that come with the crate.
pub(super) const BUILT_IN: &str = include_str!("rules.txt");

/// What a change of a term does to the truth of a formula, the place of the
/// term aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing.
    Keeps,
    /// True in more cases.
    Weakens,
    /// True in fewer cases.
    Strengthens,
}

/// A row of the table.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) name: String,
    pub(super) section: String,
    pub(super) left: Pattern,
    pub(super) right: Pattern,
    pub(super) variables: Vec<Variable>,
    /// True for `<=>`.
    pub(super) equivalence: bool,
    pub(super) order: Order,
    /// Both sides as written.
    pub(super) texts: [String; 2],
    /// Where the patterns are only what is proved, and code does the work.
    pub(super) tactic: Option<Tactic>,
    weight: u64,
    ways: [bool; 2],
}

/// A rule, read in one direction.
#[derive(Clone, Debug)]
pub(super) struct Move {
    pub(super) rule: usize,
    /// Right to left.
    pub(super) backward: bool,
    pub(super) effect: Effect,
    pub(super) weight: u64,
    /// The head of what is looked for; none if any term will do.
    pub(super) head: Option<usize>,
    /// The metavariables that are used more than once in what is made.
    pub(super) copied: u16,
}

/// The heads of all rules, numbered.
#[derive(Clone, Debug)]
pub(super) struct Heads {
    names: Vec<String>,
    /// For each operator the number of its name.
    of_operator: Vec<Option<u16>>,
}

/// All rules over one table of operators.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub(super) rules: Vec<Rule>,
    pub(super) moves: Vec<Move>,
    pub(super) heads: Heads,
    /// For each operator how it carries parity on, where that is proved.
    pub(super) signs: Vec<Signs>,
}

impl Heads {
    /// The number of the head of a term; none if no rule has it.
    pub(super) fn of(&self, mutant: &Mutant<'_>, node: NodeId) -> Option<usize> {
        if let Some(operator) = mutant.operator(node) {
            return self.of_operator[operator.index()].map(usize::from);
        }
        quantifier(mutant, node).map(quantifier_head)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }
}

/// Quantifiers are no operators: they have the first numbers.
fn quantifier_head(word: &str) -> usize {
    usize::from(word == "exists")
}

/// The word of a quantifier, whether it was read or made.
pub(super) fn quantifier(mutant: &Mutant<'_>, node: NodeId) -> Option<&'static str> {
    let head = match mutant.term(node) {
        Some(Term::Bind {
            binder: Binder::Forall | Binder::Exists,
            ..
        }) => mutant.head(node),
        None if mutant.children(node).len() == 1 => mutant.head(node),
        _ => return None,
    };
    match head {
        "forall" => Some("forall"),
        "exists" => Some("exists"),
        _ if head.starts_with("forall (") => Some("forall"),
        _ if head.starts_with("exists (") => Some("exists"),
        _ => None,
    }
}

impl Rules {
    /// The rules that come with the crate, over the operators that do.
    pub(super) fn built_in() -> &'static Rules {
        static RULES: OnceLock<Rules> = OnceLock::new();
        RULES.get_or_init(|| Rules::read(Operators::built_in(), "").expect("no rules, no error"))
    }

    /// The rules that come with the crate, and those of `more`.
    pub(super) fn read(operators: &Operators, more: &str) -> Result<Rules, TableError> {
        let mut table = Table::new(operators);
        table
            .read(BUILT_IN, true)
            .expect("the built-in rules are read by a test");
        table.read(more, false)?;
        Ok(table.finish())
    }

    /// Those that do not come with the crate.
    pub(super) fn of_user(&self) -> &[Rule] {
        &self.rules[Rules::built_in().rules.len()..]
    }

    /// Keeps the rules of which `wanted` is true.
    pub(super) fn retain(&mut self, wanted: impl Fn(&Rule) -> bool) {
        self.moves.retain(|one| wanted(&self.rules[one.rule]));
    }

    /// The parity with which argument `at` of `count` of an operator counts:
    /// 1 as the whole, -1 reversed, 0 neither.
    pub(super) fn sign(&self, operator: OperatorId, at: usize, count: usize) -> i8 {
        self.signs[operator.index()].of(at, count)
    }
}

/// The work in progress.
struct Table<'a> {
    operators: &'a Operators,
    declared: Vec<Variable>,
    heads: Vec<String>,
    rules: Vec<Rule>,
    names: BTreeSet<String>,
    section: String,
}

impl<'a> Table<'a> {
    fn new(operators: &'a Operators) -> Table<'a> {
        Table {
            operators,
            declared: Vec::new(),
            heads: vec!["forall".to_string(), "exists".to_string()],
            rules: Vec::new(),
            names: BTreeSet::new(),
            section: String::new(),
        }
    }

    fn read(&mut self, text: &str, built_in: bool) -> Result<(), TableError> {
        if !built_in {
            self.section = "user".to_string();
        }
        for_rows("rules", text, |row| self.line(row, built_in))
    }

    fn line(&mut self, line: &str, built_in: bool) -> Result<(), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["section", name] => {
                self.section = name.to_string();
                Ok(())
            }
            ["vars", ..] => self.variables(line),
            ["parity", ..] => Err(
                "parity is an attribute of operators (`:monotone`, setting `operators`)"
                    .to_string(),
            ),
            _ => self.rule(line, built_in),
        }
    }

    /// `vars a b : SORT` or `vars k : SORT literal`
    fn variables(&mut self, line: &str) -> Result<(), String> {
        let (names, sort) = line
            .split_once(':')
            .ok_or("expected `vars NAME … : SORT`")?;
        let (sort, literal) = match sort.trim().strip_suffix("literal") {
            Some(sort) => (sort, true),
            None => (sort, false),
        };
        let sort = SortPattern::read(sort.trim(), self.operators.sorts())?;
        for name in names.split_whitespace().skip(1) {
            self.declared.retain(|variable| variable.name != name);
            self.declared.push(Variable {
                name: name.to_string(),
                sort: sort.clone(),
                literal,
                many: false,
            });
        }
        Ok(())
    }

    /// `NAME: LEFT => RIGHT attributes`
    fn rule(&mut self, line: &str, built_in: bool) -> Result<(), String> {
        let (name, rest) = line
            .split_once(": ")
            .ok_or("expected `NAME: LEFT => RIGHT`")?;
        let (sides, attributes) = split_attributes(rest);
        let (left, right, equivalence) = split_sides(sides)?;
        let mut reader = Reader {
            operators: self.operators,
            declared: &self.declared,
            heads: &mut self.heads,
            variables: Vec::new(),
        };
        let mut rule = Rule {
            name: name.to_string(),
            section: self.section.clone(),
            left: Pattern::Number(0),
            right: Pattern::Number(0),
            variables: Vec::new(),
            equivalence,
            order: Order::Equality,
            texts: [left.to_string(), right.to_string()],
            tactic: None,
            weight: 4,
            ways: [true, true],
        };
        rule.attributes(&attributes, built_in)?;
        if rule.tactic.is_none() {
            rule.left = reader.read(left)?;
            rule.right = reader.read(right)?;
            rule.variables = reader.variables;
            rule.order = self.order(&rule);
            if !equivalence && rule.order == Order::Equality {
                return Err("`=>` is for Bool, RegLan, numbers and sets".to_string());
            }
        } else {
            rule.order = Order::Implication;
        }
        if !self.names.insert(rule.name.clone()) {
            return Err(format!("a second rule `{}`", rule.name));
        }
        self.rules.push(rule);
        Ok(())
    }

    /// What the sides are terms of, as far as that can be told from either.
    fn order(&self, rule: &Rule) -> Order {
        let left = self.order_of(&rule.left, &rule.variables);
        left.or_else(|| self.order_of(&rule.right, &rule.variables))
            .unwrap_or(Order::Equality)
    }

    fn order_of(&self, pattern: &Pattern, variables: &[Variable]) -> Option<Order> {
        match pattern {
            Pattern::Variable(at) | Pattern::Many(at) => Some(order_of_sort(&variables[*at].sort)),
            Pattern::Number(_) => None,
            Pattern::Text(_) => Some(Order::Equality),
            Pattern::Quantifier { .. } | Pattern::Fresh { .. } => Some(Order::Implication),
            Pattern::Bound(sort) => Some(order_of_sort(&SortPattern::Fixed(*sort))),
            Pattern::Apply {
                head, arguments, ..
            } => {
                use crate::operators::Pattern as Sorted;
                let first = *self.operators.named(&self.heads[*head]).first()?;
                let operator = self.operators.get(first);
                match &operator.result {
                    Sorted::Simple(sort) if operator.theory == "ints" && *sort == Sort::INT => {
                        Some(Order::Numbers)
                    }
                    Sorted::Simple(sort) => Some(order_of_sort(&SortPattern::Fixed(*sort))),
                    Sorted::Made(Values::Set, ..) => Some(Order::Sets),
                    // `ite` and its like: as their last argument.
                    Sorted::Any(_) if operator.parameters.last() == Some(&operator.result) => {
                        self.order_of(arguments.last()?, variables)
                    }
                    _ => Some(Order::Equality),
                }
            }
        }
    }

    fn finish(self) -> Rules {
        let mut heads = Heads {
            of_operator: Vec::new(),
            names: self.heads,
        };
        for (_, operator) in self.operators.iter() {
            let at = heads.names.iter().position(|name| *name == operator.name);
            heads
                .of_operator
                .push(at.map(|at| u16::try_from(at).expect("fewer heads than operators")));
        }
        let signs = self.operators.iter().map(|(_, one)| one.monotone.clone());
        let signs = signs.collect();
        let moves = (0..self.rules.len())
            .flat_map(|at| moves_of(at, &self.rules[at]))
            .collect();
        Rules {
            rules: self.rules,
            moves,
            heads,
            signs,
        }
    }
}

fn order_of_sort(sort: &SortPattern) -> Order {
    match sort {
        SortPattern::Fixed(Sort::BOOL) => Order::Implication,
        SortPattern::Fixed(Sort::REG_LAN) => Order::Languages,
        SortPattern::Fixed(Sort::INT | Sort::REAL) | SortPattern::Letter(0) => Order::Numbers,
        SortPattern::Made(Values::Set, _) => Order::Sets,
        _ => Order::Equality,
    }
}

impl Rule {
    fn attributes(&mut self, words: &[&str], built_in: bool) -> Result<(), String> {
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            match word {
                ":forward" => self.ways[1] = false,
                ":backward" => self.ways[0] = false,
                ":weight" => {
                    let weight = words.next().and_then(|weight| weight.parse().ok());
                    self.weight = weight
                        .filter(|weight| (1..=1000).contains(weight))
                        .ok_or("expected a weight from 1 to 1000")?;
                }
                ":tactic" if built_in => {
                    let name = words.next().copied().unwrap_or_default();
                    let tactic = Tactic::named(name).ok_or(format!("no tactic `{name}`"))?;
                    self.tactic = Some(tactic);
                }
                _ => return Err(format!("unknown attribute `{word}`")),
            }
        }
        Ok(())
    }
}

/// What can be done with a rule.
fn moves_of(at: usize, rule: &Rule) -> Vec<Move> {
    let mut moves = Vec::new();
    for backward in [false, true] {
        let (from, to) = match backward {
            false => (&rule.left, &rule.right),
            true => (&rule.right, &rule.left),
        };
        if !rule.ways[usize::from(backward)] || rule.tactic.is_none() && from.has_fresh() {
            continue;
        }
        let mut counts = [0; MAX_VARIABLES];
        to.uses(&mut counts);
        let copied = counts.iter().enumerate().filter(|(_, count)| **count > 1);
        moves.push(Move {
            rule: at,
            backward,
            effect: match (rule.equivalence, backward) {
                (true, _) => Effect::Keeps,
                (false, false) => Effect::Weakens,
                (false, true) => Effect::Strengthens,
            },
            weight: rule.weight,
            head: match (rule.tactic, from) {
                (Some(tactic), _) => tactic.quantifier().map(quantifier_head),
                (None, Pattern::Apply { head, .. }) => Some(*head),
                (None, Pattern::Quantifier { word, .. }) => Some(quantifier_head(word)),
                _ => None,
            },
            copied: copied.fold(0, |bits, (at, _)| bits | 1 << at),
        });
    }
    moves
}

/// The sides of a rule, and the words from the first attribute on.
fn split_attributes(text: &str) -> (&str, Vec<&str>) {
    let mut depth = 0i32;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b':' if depth == 0 && text[..at].ends_with(' ') => {
                return (&text[..at], text[at..].split_whitespace().collect());
            }
            _ => {}
        }
    }
    (text, Vec::new())
}

/// The sides of a rule, and whether they are equivalent.
fn split_sides(text: &str) -> Result<(&str, &str, bool), String> {
    let mut depth = 0i32;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b' ' if depth == 0 => {
                for (arrow, equivalence) in [(" <=> ", true), (" => ", false)] {
                    if let Some(right) = text[at..].strip_prefix(arrow) {
                        return Ok((text[..at].trim(), right.trim(), equivalence));
                    }
                }
            }
            _ => {}
        }
    }
    Err("expected `LEFT => RIGHT` or `LEFT <=> RIGHT`".to_string())
}
