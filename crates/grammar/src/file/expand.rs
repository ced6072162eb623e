//! Parameters filled in, names resolved, and the spaces between items put in
//! place once and for all.

use std::collections::BTreeMap;

use lydite_core::nearest::nearest;

use super::error::{GrammarError, Position};
use super::parser::{Alternative, File, Item, Mark, Name, RuleText};
use crate::grammar::{Grammar, Production, Rule, RuleId};

/// The most items that a grammar may have, all turns of all brackets counted.
const MAX_ITEMS: usize = 1_000_000;

/// The largest value of a parameter.
const MAX_TURNS: u32 = 10_000;

/// Where rules and productions stand in the file.
pub(super) struct Positions {
    pub rules: Vec<Position>,
    pub productions: Vec<Position>,
}

/// An item of one turn.
enum Flat {
    Text(String),
    Symbol(RuleId),
}

struct Expansion<'a> {
    parameters: BTreeMap<&'a str, u32>,
    rules: BTreeMap<&'a str, RuleId>,
    items: usize,
}

pub(super) fn expand(
    file: &File,
    set: &BTreeMap<String, u32>,
) -> Result<(Grammar, Positions), GrammarError> {
    let defaults = file.parameters.iter();
    let mut expansion = Expansion {
        parameters: defaults
            .map(|(name, default)| (name.as_str(), *set.get(name).unwrap_or(default)))
            .collect(),
        rules: BTreeMap::new(),
        items: 0,
    };
    for (number, rule) in file.rules.iter().enumerate() {
        if expansion
            .rules
            .insert(&rule.name, number as RuleId)
            .is_some()
        {
            let problem = format!("rule `{}` is defined twice", rule.name);
            return Err(GrammarError::new(rule.at, problem));
        }
    }
    let Some(&start) = expansion.rules.get("start") else {
        let problem = "there is no rule `start`, which every program begins with";
        return Err(GrammarError::new(Position::START, problem));
    };
    let mut grammar = Grammar {
        name: file.name.clone(),
        language: file.language.clone(),
        start,
        rules: Vec::new(),
        productions: Vec::new(),
    };
    let mut positions = Positions {
        rules: file.rules.iter().map(|rule| rule.at).collect(),
        productions: Vec::new(),
    };
    for rule in &file.rules {
        expansion.rule(rule, &mut grammar, &mut positions)?;
    }
    Ok((grammar, positions))
}

impl Expansion<'_> {
    fn rule(
        &mut self,
        rule: &RuleText,
        grammar: &mut Grammar,
        positions: &mut Positions,
    ) -> Result<(), GrammarError> {
        let id = grammar.rules.len() as RuleId;
        let first = grammar.productions.len();
        for alternative in &rule.alternatives {
            let turns: Vec<Option<u32>> = match &alternative.each {
                None => vec![None],
                Some(parameter) => (1..=self.parameter(parameter)?).map(Some).collect(),
            };
            for turn in turns {
                let production = self.production(id, rule, alternative, turn)?;
                grammar.productions.push(production);
                positions.productions.push(alternative.at);
            }
        }
        refuse_repeated(
            rule,
            &grammar.productions[first..],
            &positions.productions[first..],
        )?;
        grammar.rules.push(Rule {
            name: rule.name.clone(),
            productions: first as u32..grammar.productions.len() as u32,
        });
        Ok(())
    }

    fn production(
        &mut self,
        id: RuleId,
        rule: &RuleText,
        alternative: &Alternative,
        turn: Option<u32>,
    ) -> Result<Production, GrammarError> {
        let token = is_token(&rule.name);
        let mut flat = Vec::new();
        self.flatten(&alternative.items, turn, token, &mut flat)?;
        self.limit(alternative.at, alternative.items.len() + 1)?;
        let mut texts = vec![String::new()];
        let mut symbols = Vec::new();
        let mut before: Option<&Flat> = None;
        for item in &flat {
            let text = texts.last_mut().expect("never empty");
            if !token && before.is_some_and(|before| apart(before, item)) {
                text.push(' ');
            }
            match item {
                Flat::Text(literal) => text.push_str(literal),
                Flat::Symbol(symbol) => {
                    symbols.push(*symbol);
                    texts.push(String::new());
                }
            }
            before = Some(item);
        }
        let commutative = alternative.marks.contains(&Mark::Commutative);
        let interchangeable = alternative.marks.contains(&Mark::Interchangeable);
        let repeats = |symbol: &RuleId| symbols.iter().filter(|other| *other == symbol).count() > 1;
        if commutative && !symbols.iter().any(repeats) {
            let problem = "`# commutative` needs two items that name the same rule";
            return Err(GrammarError::new(alternative.at, problem));
        }
        if interchangeable && !symbols.is_empty() {
            let problem = "`# interchangeable` is for alternatives of literals only";
            return Err(GrammarError::new(alternative.at, problem));
        }
        Ok(Production {
            rule: id,
            texts: texts.into_iter().map(String::into_boxed_str).collect(),
            symbols,
            commutative,
            interchangeable,
        })
    }

    /// Brackets do not nest, so this calls itself once at most.
    fn flatten(
        &mut self,
        items: &[Item],
        turn: Option<u32>,
        token: bool,
        flat: &mut Vec<Flat>,
    ) -> Result<(), GrammarError> {
        for item in items {
            match item {
                Item::Literal(literal) => flat.push(Flat::Text(literal.in_turn(turn))),
                Item::Rule(name) => flat.push(Flat::Symbol(self.symbol(name, token)?)),
                Item::Repeat {
                    parameter,
                    between,
                    items,
                } => {
                    for turn in 1..=self.parameter(parameter)? {
                        if let (Some(between), true) = (between, turn > 1) {
                            flat.push(Flat::Text(between.text.clone()));
                        }
                        self.flatten(items, Some(turn), token, flat)?;
                        self.limit(parameter.at, items.len() + 1)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn limit(&mut self, at: Position, more: usize) -> Result<(), GrammarError> {
        self.items += more;
        match self.items > MAX_ITEMS {
            true => Err(GrammarError::new(
                at,
                format!("more than {MAX_ITEMS} items with these parameters"),
            )),
            false => Ok(()),
        }
    }

    fn parameter(&self, name: &Name) -> Result<u32, GrammarError> {
        let problem = match self.parameters.get(name.text.as_str()) {
            Some(&value) if value <= MAX_TURNS => return Ok(value),
            Some(value) => format!("{} = {value} is above {MAX_TURNS}", name.text),
            None => {
                let near = match nearest(&name.text, self.parameters.keys().copied()) {
                    Some(near) => format!("; did you mean `{near}`?"),
                    None => format!(" (say `options {{ {} = 2; }}`)", name.text),
                };
                format!("parameter `{}` has no default{near}", name.text)
            }
        };
        Err(GrammarError::new(name.at, problem))
    }

    fn symbol(&self, name: &Name, token: bool) -> Result<RuleId, GrammarError> {
        let Some(&symbol) = self.rules.get(name.text.as_str()) else {
            let near = nearest(&name.text, self.rules.keys().copied());
            let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            let problem = format!("rule `{}` is not defined{near}", name.text);
            return Err(GrammarError::new(name.at, problem));
        };
        if token && !is_token(&name.text) {
            let problem = format!(
                "a token (a rule with a capital letter) is made of tokens, and `{}` is none",
                name.text
            );
            return Err(GrammarError::new(name.at, problem));
        }
        Ok(symbol)
    }
}

/// As in ANTLR, a rule with a capital letter is a token: its items are joined
/// without spaces.
fn is_token(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}

/// True if a space goes between two neighbours.
fn apart(before: &Flat, after: &Flat) -> bool {
    let open = match before {
        Flat::Text(text) => {
            text.is_empty() || text.ends_with(|c: char| c == '(' || c.is_whitespace())
        }
        Flat::Symbol(_) => false,
    };
    let close = match after {
        Flat::Text(text) => {
            text.is_empty()
                || text.starts_with(|c: char| matches!(c, ')' | ',' | ';') || c.is_whitespace())
        }
        Flat::Symbol(_) => false,
    };
    !open && !close
}

/// The same alternative twice would make every text that uses it twice.
fn refuse_repeated(
    rule: &RuleText,
    productions: &[Production],
    positions: &[Position],
) -> Result<(), GrammarError> {
    let mut seen = BTreeMap::new();
    for (production, at) in productions.iter().zip(positions) {
        let key = (&production.texts, &production.symbols);
        if let Some(first) = seen.insert(key, at) {
            let problem = format!(
                "rule `{}` has this alternative at {first} already: every text would come twice",
                rule.name
            );
            return Err(GrammarError::new(*at, problem));
        }
    }
    Ok(())
}
