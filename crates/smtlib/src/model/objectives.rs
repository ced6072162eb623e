//! What a script asks solvers to make small or large, and scripts that say whether
//! something is better.

use super::aim::{Aim, MOST_DIGITS, Measure, Objective, joined};
use crate::eval::{Question, question, questions};
use crate::operators::Operators;
use crate::print;
use crate::scan::wider;
use crate::sort::SortKind;
use crate::syntax::{
    Attribute, AttributeValue, Command, CommandKind, Literal, Script, Term, TermId,
};
use crate::typing::{self, Role, Typed};
use crate::value::Rational;
use crate::value::number::parse_decimal;

/// The most objectives of a question, and the most soft assertions of a group.
pub(crate) const MOST_OBJECTIVES: usize = 6;
const MOST_SOFT: usize = 6;

/// How several objectives go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Priority {
    /// Each among the best for those before it.
    Lexicographic,
    /// Each by itself.
    Box,
    /// One point that nothing beats after the other.
    Pareto,
}

/// A question with objectives.
pub(crate) struct Optimization {
    pub(crate) priority: Priority,
    /// True if all terms are linear: only who promises more is judged by others.
    pub(crate) is_linear: bool,
    pub(crate) objectives: Vec<Objective>,
    /// How many questions have the same objectives: the points of a front.
    pub(crate) questions: usize,
    /// Logic, declarations and assertions, as text.
    before: String,
    assertions: Vec<String>,
    /// The constants with their sorts and new names, if there is nothing else that a
    /// second solution could have otherwise.
    constants: Option<Vec<[String; 3]>>,
    /// Assertions and objectives of another solution, under those names.
    other: Vec<String>,
    other_aims: Vec<Aim>,
}

/// True if the question has objectives. `check-sat-using` has none: its tactic knows
/// assertions only, and z3 refuses `get-objectives` behind it.
pub(crate) fn has_objectives(script: &Script, asked: &Question) -> bool {
    let question = &script.commands[asked.command].kind;
    let mut declared = asked.declarations.iter();
    !matches!(question, CommandKind::CheckSatUsing(_))
        && declared.any(|&at| is_objective(&script.commands[at].kind))
}

/// True if the question may be one for a further point of a front: then `unsat` says that
/// the front has ended, not that the script has no solution.
pub(crate) fn asks_for_front(script: &Script, asked: &Question) -> bool {
    let single = [Priority::Lexicographic, Priority::Box];
    let priority = priority_of(script, asked);
    has_objectives(script, asked) && !priority.is_ok_and(|priority| single.contains(&priority))
}

/// `minimize`, `maximize`, `assert-soft`
pub(crate) fn is_objective(kind: &CommandKind) -> bool {
    matches!(
        kind,
        CommandKind::AssertSoft(..) | CommandKind::Minimize(..) | CommandKind::Maximize(..)
    )
}

impl Optimization {
    /// The objectives of question `index`, if what z3 says of them can be judged.
    ///
    /// Not judged is what z3 does not promise: it warns of quantifiers, and of terms that are
    /// not linear takes polynomials alone, from 5.3.0 on. Nor are scopes and assumptions, for
    /// the sake of simplicity.
    pub(crate) fn of(
        script: &Script,
        index: usize,
        operators: &Operators,
    ) -> Result<Optimization, &'static str> {
        let asked = question(script, index).ok_or("no such question")?;
        let options = typing::Options {
            strict: false,
            operators,
        };
        let typed = typing::check(script, &options);
        let typed = typed.map_err(|_| "not well-sorted")?;
        let is_linear = is_judged(script, &asked)?;
        let objectives = objectives_of(script, &typed, &asked)?;
        let priority = priority_of(script, &asked)?;
        let questions = match priority {
            Priority::Lexicographic => 1,
            _ => points_of(script, &asked)?,
        };
        let mut before = String::new();
        for command in &script.commands[..asked.command] {
            if let Some(text) = print_if_kept(script, command) {
                before.push_str(&text);
                before.push('\n');
            }
        }
        let term_text = |&term: &TermId| print::term(script, term);
        let mut optimization = Optimization {
            priority,
            is_linear,
            objectives,
            questions,
            before,
            assertions: asked.assertions.iter().map(term_text).collect(),
            constants: None,
            other: Vec::new(),
            other_aims: Vec::new(),
        };
        optimization.find_other(script, &typed, &asked);
        Ok(optimization)
    }

    /// Notes what another solution would be, if it is a matter of constants.
    fn find_other(&mut self, script: &Script, typed: &Typed, asked: &Question) {
        let is_plain = |command: &&Command| {
            matches!(
                command.kind,
                CommandKind::DeclareConst(..)
                    | CommandKind::DeclareFun(..)
                    | CommandKind::SetLogic(_)
                    | CommandKind::SetOption(_)
                    | CommandKind::SetInfo(_)
                    | CommandKind::Assert(_)
                    | CommandKind::Word(_)
                    | CommandKind::CheckSat(_)
            ) || is_objective(&command.kind)
        };
        let before = &script.commands[..asked.command];
        let no_others = before.iter().all(|command| is_plain(&command));
        if !no_others || script.symbols().find(":named").is_some() {
            return;
        }
        let name = |id| print::quoted(script.name(typed.declaration(id).symbol));
        let mut constants = Vec::new();
        let mut texts: Vec<String> = script
            .symbols()
            .iter()
            .map(|(_, t)| t.to_string())
            .collect();
        for function in &typed.functions {
            let sort = typed.sorts.written(function.result, &name);
            let (true, Role::Declared, Some(sort)) =
                (function.parameters.is_empty(), function.role, sort)
            else {
                return;
            };
            let new = format!("{}!other", script.name(function.symbol));
            if script.symbols().find(&new).is_some() {
                return;
            }
            let old = print::symbol(script, function.symbol);
            constants.push([old, sort, print::quoted(&new)]);
            texts[function.symbol.index()] = new;
        }
        let mut renamed = script.clone();
        renamed.replace_symbols(&texts);
        let term_text = |&term: &TermId| print::term(&renamed, term);
        self.other = asked.assertions.iter().map(term_text).collect();
        let aims = objectives_of(&renamed, typed, asked);
        self.other_aims = aims.into_iter().flatten().map(|one| one.aim).collect();
        self.constants = Some(constants);
    }

    /// The script with one more assertion, and one question.
    pub(crate) fn with(&self, more: &[String]) -> String {
        let mut text = self.before.clone();
        for assertion in self.assertions.iter().chain(more) {
            text.push_str(&format!("(assert {assertion})\n"));
        }
        text.push_str("(check-sat)\n");
        text
    }

    /// The script with one of its objectives alone.
    pub(crate) fn alone(&self, at: usize) -> String {
        let mut text = self.with(&[]);
        let question = "(check-sat)\n";
        text.truncate(text.len() - question.len());
        text + &self.objectives[at].commands() + question + "(get-objectives)\n"
    }

    /// The script of the best: no other solution that is as good for the objectives
    /// before number `at` (`given`) is better for that one. Such a solution may not
    /// exist, as there is no smallest real above 0.
    pub(crate) fn best(&self, at: usize, given: &[(usize, Rational)]) -> Option<String> {
        let constants = self.constants.as_ref()?;
        let (Aim::Term(own, _), Aim::Term(other, _)) =
            (&self.objectives[at].aim, self.other_aims.get(at)?)
        else {
            return None;
        };
        let mut facts = self.other.clone();
        let mut more = Vec::new();
        for (number, value) in given {
            more.push(self.objectives[*number].equals(value)?);
            let other = Objective {
                aim: self.other_aims.get(*number)?.clone(),
                is_max: self.objectives[*number].is_max,
            };
            facts.push(other.equals(value)?);
        }
        let operator = match self.objectives[at].is_max {
            true => "<=",
            false => ">=",
        };
        let bound: Vec<String> = constants
            .iter()
            .map(|[_, sort, new]| format!("({new} {sort})"))
            .collect();
        if bound.is_empty() {
            return None;
        }
        more.push(format!(
            "(forall ({}) (=> {} ({operator} {other} {own})))",
            bound.join(" "),
            joined("and", "true", facts),
        ));
        let mut text = self.with(&more);
        // Quantifiers are no part of most logics.
        if let Some(start) = text.find("(set-logic ") {
            let end = text[start..].find(")\n").map_or(start, |end| start + end);
            text.replace_range(start..end, "(set-logic ALL");
        }
        Some(text)
    }
}

/// What is in the script beside assertions, objectives, questions and chatter.
fn print_if_kept(script: &Script, command: &Command) -> Option<String> {
    match &command.kind {
        CommandKind::SetLogic(name) => Some(format!("(set-logic {})", wider(script.name(*name)))),
        CommandKind::DeclareSort(..)
        | CommandKind::DefineSort(..)
        | CommandKind::DeclareFun(..)
        | CommandKind::DeclareConst(..)
        | CommandKind::DefineFun(_)
        | CommandKind::DefineConst(_)
        | CommandKind::DeclareDatatypes(..) => Some(print::command(script, command)),
        _ => None,
    }
}

/// An error for what is not judged, see [`Optimization::of`]; otherwise, whether all terms are linear.
fn is_judged(script: &Script, asked: &Question) -> Result<bool, &'static str> {
    for (at, command) in script.commands[..=asked.command].iter().enumerate() {
        let is_last = at == asked.command;
        match &command.kind {
            CommandKind::CheckSat(assumed) if assumed.is_empty() => {}
            CommandKind::CheckSat(_)
            | CommandKind::CheckSatAssuming(_)
            | CommandKind::CheckSatUsing(_) => return Err("assumptions or tactics"),
            CommandKind::SetOption(_) | CommandKind::SetInfo(_) | CommandKind::GetValue(..) => {}
            CommandKind::Word(word) if script.name(*word).starts_with("get-") => {}
            CommandKind::Assert(_) => {}
            kind if is_objective(kind) => {}
            _ if !is_last && print_if_kept(script, command).is_some() => {}
            _ => return Err("scopes or recursion"),
        }
    }
    let terms = script.commands[..asked.command]
        .iter()
        .flat_map(|c| c.kind.terms());
    let mut work: Vec<TermId> = terms.collect();
    let mut all_linear = true;
    while let Some(term) = work.pop() {
        script.push_subterms(term, &mut work);
        let is_product = matches!(script.call(term), Some(("*", _)));
        match script.term(term) {
            Term::Bind { .. } => return Err("quantifiers"),
            _ if is_linear(script, term) => {}
            _ if is_product => all_linear = false,
            _ => return Err("no polynomial"),
        }
    }
    Ok(all_linear)
}

/// Operators that no linear term has, whatever they are applied to.
const NOT_LINEAR: [&str; 13] = [
    "^", "exp", "sqrt", "sin", "cos", "tan", "csc", "sec", "cot", "arcsin", "arccos", "arctan",
    "int.pow2",
];

fn is_linear(script: &Script, term: TermId) -> bool {
    match script.call(term) {
        Some(("*", factors)) => {
            let open = factors.iter().filter(|&&factor| !is_number(script, factor));
            open.count() <= 1
        }
        Some(("/" | "div" | "mod" | "rem", [_, divisors @ ..])) => divisors
            .iter()
            .all(|&divisor| is_number(script, divisor) && !is_zero(script, divisor)),
        Some((name, _)) => !NOT_LINEAR.contains(&name),
        None => true,
    }
}

fn is_number(script: &Script, term: TermId) -> bool {
    match (script.term(term), script.call(term)) {
        (Term::Literal(Literal::Numeral | Literal::Decimal, _), _) => true,
        (_, Some(("-" | "to_real" | "/", arguments))) if !arguments.is_empty() => {
            arguments.iter().all(|&inner| {
                matches!(
                    script.term(inner),
                    Term::Literal(Literal::Numeral | Literal::Decimal, _)
                )
            })
        }
        _ => false,
    }
}

/// True unless it is seen not to be 0.
fn is_zero(script: &Script, term: TermId) -> bool {
    let has_digit = |digits: &str| digits.bytes().any(|digit| matches!(digit, b'1'..=b'9'));
    match (script.term(term), script.call(term)) {
        (Term::Literal(_, digits), _) => !has_digit(digits),
        (_, Some((_, [inner, ..]))) => is_zero(script, *inner),
        _ => true,
    }
}

/// The objectives in the order in which z3 prints them: a group of soft assertions
/// stands where its first is.
fn objectives_of(
    script: &Script,
    typed: &Typed,
    asked: &Question,
) -> Result<Vec<Objective>, &'static str> {
    let mut objectives: Vec<Objective> = Vec::new();
    let mut groups: Vec<(String, usize)> = Vec::new();
    for command in &script.commands[..asked.command] {
        let (term, is_max) = match &command.kind {
            CommandKind::AssertSoft(term, attributes) => {
                let (weight, id) = soft(script, attributes)?;
                let known = groups.iter().find(|(other, _)| *other == id);
                let at = known.map_or(objectives.len(), |(_, at)| *at);
                if known.is_none() {
                    groups.push((id, at));
                    objectives.push(Objective {
                        aim: Aim::Cost(Vec::new()),
                        is_max: false,
                    });
                }
                if let Aim::Cost(members) = &mut objectives[at].aim {
                    members.push((print::term(script, *term), weight));
                }
                continue;
            }
            CommandKind::Minimize(term, attributes) if attributes.is_empty() => (*term, false),
            CommandKind::Maximize(term, attributes) if attributes.is_empty() => (*term, true),
            CommandKind::Minimize(..) | CommandKind::Maximize(..) => return Err("attributes"),
            _ => continue,
        };
        let sort = typed.sort(term).ok_or("an objective of no sort")?;
        let measure = match typed.sorts.kind(sort) {
            SortKind::Int => Measure::Int,
            SortKind::Real => Measure::Real,
            SortKind::BitVec(width) => Measure::Bits(*width),
            _ => return Err("an objective that cannot be compared"),
        };
        objectives.push(Objective {
            aim: Aim::Term(print::term(script, term), measure),
            is_max,
        });
    }
    let too_many = |one: &Objective| matches!(&one.aim, Aim::Cost(soft) if soft.len() > MOST_SOFT);
    match objectives.len() {
        0 => Err("no objectives"),
        count if count > MOST_OBJECTIVES || objectives.iter().any(too_many) => Err("too many"),
        _ => Ok(objectives),
    }
}

/// The weight and the group of a soft assertion.
fn soft(script: &Script, attributes: &[Attribute]) -> Result<(Rational, String), &'static str> {
    let (mut weight, mut id) = (Rational::from(1), String::new());
    for attribute in attributes {
        let text = match attribute.value {
            AttributeValue::Sexpr(sexpr) => print::sexpr(script, sexpr),
            AttributeValue::Name(symbol) => script.name(symbol).to_string(),
            _ => return Err("a soft assertion of an unknown kind"),
        };
        match script.name(attribute.keyword) {
            ":weight" => {
                let short = text
                    .split_once('.')
                    .is_none_or(|(_, part)| part.len() <= MOST_DIGITS);
                let number = parse_decimal(&text)
                    .ok()
                    .filter(|number| short && !number.is_zero());
                weight = number.ok_or("a weight that is no positive number")?;
            }
            ":id" => id = text,
            _ => return Err("a soft assertion of an unknown kind"),
        }
    }
    Ok((weight, id))
}

/// What the option says; options of z3's engines change nothing.
fn priority_of(script: &Script, asked: &Question) -> Result<Priority, &'static str> {
    let mut priority = Priority::Lexicographic;
    for command in &script.commands[..asked.command] {
        let CommandKind::SetOption(attribute) = &command.kind else {
            continue;
        };
        if !matches!(
            script.name(attribute.keyword),
            ":opt.priority" | ":priority"
        ) {
            continue;
        }
        let AttributeValue::Sexpr(value) = attribute.value else {
            return Err("an unknown priority");
        };
        priority = match print::sexpr(script, value).as_str() {
            "lex" => Priority::Lexicographic,
            "box" => Priority::Box,
            "pareto" => Priority::Pareto,
            _ => return Err("an unknown priority"),
        };
    }
    Ok(priority)
}

/// How many questions ask for the same; an error if something comes between them.
fn points_of(script: &Script, asked: &Question) -> Result<usize, &'static str> {
    let first = question(script, 0).map_or(asked.command, |first| first.command);
    let changes = script.commands[first..]
        .iter()
        .any(|command| match &command.kind {
            CommandKind::CheckSat(_) | CommandKind::GetValue(..) => false,
            CommandKind::Word(word) => !script.name(*word).starts_with("get-"),
            _ => true,
        });
    match changes {
        true => Err("questions that differ"),
        false => Ok(questions(script)),
    }
}
