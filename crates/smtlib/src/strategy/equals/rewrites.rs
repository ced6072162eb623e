//! Ways to say a whole script otherwise, and why it then says the same.

use lydite_core::{Choices, Program, Reject};

use crate::edits::Edits;
use crate::mutate::closed::{closed_terms, replaced};
use crate::operators::Operators;
use crate::print;
use crate::sort::SortKind;
use crate::syntax::{self, Binding, Command, CommandKind, Script, Term, TermId, parse_commands};
use crate::typing::{self, Typed};

/// A way to say a script otherwise.
pub(super) struct Rewrite {
    /// What a step is called.
    pub(super) name: &'static str,
    /// Why every question has the answer that it had.
    #[cfg_attr(not(test), expect(dead_code, reason = "for readers, and a test"))]
    pub(super) why: &'static str,
    /// Changes the script; false if there is nothing to change.
    change: fn(&mut Script, &Known<'_>, &mut Choices) -> Result<bool, Reject>,
}

/// What is known of a script that is rewritten.
struct Known<'a> {
    typed: &'a Typed,
    operators: &'a Operators,
}

/// All of them.
pub(super) const REWRITES: &[Rewrite] = &[
    Rewrite {
        name: "rename",
        why: "names that the script gives itself mean the same whatever they are, as long as all are changed alike to new ones",
        change: rename,
    },
    Rewrite {
        name: "reorder",
        why: "neighbouring assertions are a conjunction, which commutes",
        change: reorder,
    },
    Rewrite {
        name: "split",
        why: "a conjunction is asserted if its parts are",
        change: split,
    },
    Rewrite {
        name: "join",
        why: "the same, the other way round",
        change: join,
    },
    Rewrite {
        name: "twice",
        why: "a conjunction is idempotent",
        change: twice,
    },
    Rewrite {
        name: "scope",
        why: "a scope that is opened before the first assertion and closed behind the last question holds all that is asked about",
        change: scope,
    },
    Rewrite {
        name: "visit",
        why: "what is asserted in a scope is gone when it is closed, and nothing is asked inside",
        change: visit,
    },
    Rewrite {
        name: "assume",
        why: "a new name p is equal to t and assumed: t then holds, and p is in no other term",
        change: assume,
    },
    Rewrite {
        name: "let",
        why: "a variable of a let stands for its term, which has no variables of its own",
        change: introduce_let,
    },
    Rewrite {
        name: "define",
        why: "a defined name stands for its body, which has no variables",
        change: define,
    },
    Rewrite {
        name: "expand",
        why: "the same as let and define, the other way round; all names are different, so nothing is captured",
        change: expand,
    },
    Rewrite {
        name: "name-constant",
        why: "a new constant that is asserted to be equal to t stands for t in every model, and every model has a value for it",
        change: name_constant,
    },
];

/// Terms in larger scripts are not looked at.
const MAX_TERMS: usize = 20_000;

impl Rewrite {
    /// The script said otherwise; none if there is nothing to change.
    pub(super) fn apply(
        &self,
        text: &str,
        operators: &Operators,
        choices: &mut Choices,
    ) -> Result<Option<String>, Reject> {
        let options = typing::Options {
            strict: false,
            operators,
        };
        let Ok(mut script) = syntax::parse_str(text) else {
            return Ok(None);
        };
        let Ok(typed) = typing::check(&script, &options) else {
            return Ok(None);
        };
        let known = Known {
            typed: &typed,
            operators,
        };
        if script.term_count() > MAX_TERMS || !(self.change)(&mut script, &known, choices)? {
            return Ok(None);
        }
        let text = print::script(&script);
        let again = syntax::parse_str(&text);
        let fine = again.is_ok_and(|again| {
            typing::check(&again, &options).is_ok_and(|typed| typed.overloaded.is_none())
        });
        Ok(fine.then_some(text))
    }
}

/// A name that no symbol of the script begins with.
fn fresh(script: &Script, stem: &str) -> String {
    let mut stem = stem.to_string();
    while script
        .symbols()
        .iter()
        .any(|(_, name)| name.starts_with(&stem))
    {
        stem.push('_');
    }
    stem
}

fn rename(script: &mut Script, _: &Known<'_>, choices: &mut Choices) -> Result<bool, Reject> {
    let own = script.own_symbols();
    if !own.contains(&true) {
        return Ok(false);
    }
    let stem = fresh(script, choices.pick(&["v", "a very long name ", "X!"])?);
    let backwards = choices.chance(1, 2)?;
    let count = own.len();
    let texts: Vec<String> = script
        .symbols()
        .iter()
        .enumerate()
        .map(|(at, (_, text))| match own[at] {
            // Solvers sort by names now and then.
            true if backwards => format!("{stem}{}", count - at),
            true => format!("{stem}{at}"),
            false => text.to_string(),
        })
        .collect();
    script.replace_symbols(&texts);
    Ok(true)
}

/// Stretches of two or more assertions side by side.
fn stretches(script: &Script) -> Vec<std::ops::Range<usize>> {
    let is_assert = |command: &Command| matches!(command.kind, CommandKind::Assert(_));
    let mut found = Vec::new();
    let mut start = None;
    for (at, command) in script.commands.iter().enumerate() {
        match (is_assert(command), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    found.retain(|stretch: &std::ops::Range<usize>| stretch.len() > 1);
    found
}

/// Names that terms give are known only behind them.
fn gives_names(script: &Script) -> bool {
    script.symbols().find(":named").is_some()
}

fn reorder(script: &mut Script, _: &Known<'_>, choices: &mut Choices) -> Result<bool, Reject> {
    let stretches = stretches(script);
    if stretches.is_empty() || gives_names(script) {
        return Ok(false);
    }
    let stretch = choices.pick(&stretches)?.clone();
    choices.shuffle(&mut script.commands[stretch])?;
    Ok(true)
}

/// The assertions, with the commands that hold them.
fn asserts(script: &Script) -> Vec<(usize, TermId)> {
    let commands = script.commands.iter().enumerate();
    commands
        .filter_map(|(at, command)| match command.kind {
            CommandKind::Assert(term) => Some((at, term)),
            _ => None,
        })
        .collect()
}

fn split(script: &mut Script, _: &Known<'_>, choices: &mut Choices) -> Result<bool, Reject> {
    let both = |&(at, term): &(usize, TermId)| match script.call(term) {
        Some(("and", parts)) if parts.len() > 1 => Some((at, parts.to_vec())),
        _ => None,
    };
    let found: Vec<(usize, Vec<TermId>)> = asserts(script).iter().filter_map(both).collect();
    if found.is_empty() || gives_names(script) {
        return Ok(false);
    }
    let (at, parts) = choices.pick(&found)?.clone();
    let new = parts
        .into_iter()
        .map(|part| CommandKind::Assert(part).into());
    script.commands.splice(at..=at, new);
    Ok(true)
}

fn join(script: &mut Script, _: &Known<'_>, choices: &mut Choices) -> Result<bool, Reject> {
    let stretches = stretches(script);
    if stretches.is_empty() || gives_names(script) {
        return Ok(false);
    }
    let stretch = choices.pick(&stretches)?.clone();
    let terms: Vec<TermId> = script.commands[stretch.clone()]
        .iter()
        .flat_map(|command| command.kind.terms())
        .collect();
    let all = script.make_call("and", &terms);
    script
        .commands
        .splice(stretch, [CommandKind::Assert(all).into()]);
    Ok(true)
}

fn twice(script: &mut Script, _: &Known<'_>, choices: &mut Choices) -> Result<bool, Reject> {
    let found = asserts(script);
    if found.is_empty() || gives_names(script) {
        return Ok(false);
    }
    let (at, _) = *choices.pick(&found)?;
    let again = script.commands[at].clone();
    script.commands.insert(at + 1, again);
    Ok(true)
}

fn question_places(script: &Script) -> Vec<usize> {
    let asks = |kind: &CommandKind| {
        matches!(
            kind,
            CommandKind::CheckSat(_) | CommandKind::CheckSatAssuming(_)
        )
    };
    let commands = script.commands.iter().enumerate();
    commands
        .filter(|(_, command)| asks(&command.kind))
        .map(|(at, _)| at)
        .collect()
}

/// True if the script has scopes, or starts anew, by itself.
fn has_scopes(script: &Script) -> bool {
    let scoped = |command: &Command| {
        matches!(
            command.kind,
            CommandKind::Push(_) | CommandKind::Pop(_) | CommandKind::Word(_)
        )
    };
    script.commands.iter().any(scoped)
}

fn scope(script: &mut Script, _: &Known<'_>, choices: &mut Choices) -> Result<bool, Reject> {
    let questions = question_places(script);
    let (Some((first, _)), Some(&last)) = (asserts(script).first().copied(), questions.last())
    else {
        return Ok(false);
    };
    if has_scopes(script) || last < first {
        return Ok(false);
    }
    let levels = choices.between(1, 3)?;
    let Ok(ends) = parse_commands(script, &format!("(push {levels})(pop {levels})")) else {
        return Ok(false);
    };
    for (at, end) in [first, last + 2].into_iter().zip(ends) {
        script.commands.insert(at, end);
    }
    Ok(true)
}

fn visit(script: &mut Script, _: &Known<'_>, choices: &mut Choices) -> Result<bool, Reject> {
    let found = asserts(script);
    if found.is_empty() || gives_names(script) {
        return Ok(false);
    }
    let (at, term) = *choices.pick(&found)?;
    let inner = match choices.chance(1, 2)? {
        true => term,
        false => script.make_call("not", &[term]),
    };
    let Ok(mut ends) = parse_commands(script, "(push 1)(pop 1)") else {
        return Ok(false);
    };
    ends.insert(1, CommandKind::Assert(inner).into());
    script.commands.splice(at..at, ends);
    Ok(true)
}

fn assume(script: &mut Script, _: &Known<'_>, choices: &mut Choices) -> Result<bool, Reject> {
    let questions = question_places(script);
    let [only] = questions[..] else {
        return Ok(false);
    };
    let found = asserts(script);
    let plain =
        matches!(&script.commands[only].kind, CommandKind::CheckSat(terms) if terms.is_empty());
    if found.is_empty() || has_scopes(script) || !plain {
        return Ok(false);
    }
    let (at, term) = *choices.pick(&found)?;
    if at > only {
        return Ok(false);
    }
    let name = print::quoted(&fresh(script, "p"));
    let Ok(declared) = parse_commands(script, &format!("(declare-const {name} Bool)")) else {
        return Ok(false);
    };
    let (p, again) = (script.make_call(&name, &[]), script.make_call(&name, &[]));
    let equal = script.make_call("=", &[p, term]);
    script.commands[only].kind = CommandKind::CheckSatAssuming(vec![again]);
    script.commands[at].kind = CommandKind::Assert(equal);
    script.commands.splice(at..at, declared);
    Ok(true)
}

/// An assertion, and a term of it that may be given a name: not a constant, and of a
/// sort that can be written.
fn nameable(
    script: &Script,
    typed: &Typed,
    choices: &mut Choices,
) -> Result<Option<(usize, TermId, TermId, String)>, Reject> {
    let mut found = Vec::new();
    for (at, root) in asserts(script) {
        for term in closed_terms(script, typed, root) {
            let mut parts = Vec::new();
            script.push_subterms(term, &mut parts);
            let sort = typed.sort(term).filter(|&sort| {
                let special = matches!(
                    typed.sorts.kind(sort),
                    SortKind::Function(_) | SortKind::RegLan | SortKind::Opaque(..)
                );
                !typed.sorts.is_open(sort) && !special
            });
            if let (Some(sort), false) = (sort, parts.is_empty()) {
                found.push((at, root, term, sort));
            }
        }
    }
    if found.is_empty() {
        return Ok(None);
    }
    let (at, root, term, sort) = *choices.pick(&found)?;
    let written = typed.sorts.written(sort, &|id| {
        print::quoted(script.name(typed.declaration(id).symbol))
    });
    Ok(written.map(|sort| (at, root, term, sort)))
}

fn introduce_let(
    script: &mut Script,
    known: &Known<'_>,
    choices: &mut Choices,
) -> Result<bool, Reject> {
    let Some((at, root, term, _)) = nameable(script, known.typed, choices)? else {
        return Ok(false);
    };
    let name = fresh(script, "l");
    let variable = script.make_call(&name, &[]);
    let body = replaced(script, root, term, variable);
    let symbol = script.intern(&name);
    let made = script.make_let(&[Binding { symbol, term }], body);
    script.commands[at].kind = CommandKind::Assert(made);
    Ok(true)
}

fn define(script: &mut Script, known: &Known<'_>, choices: &mut Choices) -> Result<bool, Reject> {
    let Some((at, root, term, sort)) = nameable(script, known.typed, choices)? else {
        return Ok(false);
    };
    let name = print::quoted(&fresh(script, "d"));
    let body = print::term(script, term);
    let Ok(defined) = parse_commands(script, &format!("(define-fun {name} () {sort} {body})"))
    else {
        return Ok(false);
    };
    let call = script.make_call(&name, &[]);
    let made = replaced(script, root, term, call);
    script.commands[at].kind = CommandKind::Assert(made);
    script.commands.splice(at..at, defined);
    Ok(true)
}

fn name_constant(
    script: &mut Script,
    known: &Known<'_>,
    choices: &mut Choices,
) -> Result<bool, Reject> {
    let Some((at, root, term, sort)) = nameable(script, known.typed, choices)? else {
        return Ok(false);
    };
    let name = print::quoted(&fresh(script, "c"));
    let value = print::term(script, term);
    let text = format!("(declare-const {name} {sort})(assert (= {name} {value}))");
    let Ok(declared) = parse_commands(script, &text) else {
        return Ok(false);
    };
    let call = script.make_call(&name, &[]);
    let made = replaced(script, root, term, call);
    script.commands[at].kind = CommandKind::Assert(made);
    script.commands.splice(at..at, declared);
    Ok(true)
}

/// Puts the term of a `let` or the body of a definition where its name stands.
fn expand(script: &mut Script, known: &Known<'_>, choices: &mut Choices) -> Result<bool, Reject> {
    if !has_unique_names(script) {
        return Ok(false);
    }
    let program = Program::single("case.smt2", print::script(script).into_bytes());
    let expands = |edit: &lydite_core::Edit| edit.what.starts_with("inline a ");
    let found: Vec<Program> = Edits::new(&program, known.operators)
        .filter(expands)
        .map(|edit| edit.program)
        .take(MOST_EXPANSIONS)
        .collect();
    if found.is_empty() {
        return Ok(false);
    }
    match syntax::parse(&choices.pick(&found)?.source().text) {
        Ok(expanded) => *script = expanded,
        Err(_) => return Ok(false),
    }
    Ok(true)
}

/// The most places at which an expansion is looked for.
const MOST_EXPANSIONS: usize = 32;

/// True if no name is bound twice, or bound and declared.
fn has_unique_names(script: &Script) -> bool {
    let mut names: Vec<syntax::Symbol> = Vec::new();
    let mut work = Vec::new();
    for command in &script.commands {
        names.extend(syntax::declared_symbols(command).unwrap_or_default());
        for definition in command.kind.definitions() {
            names.extend(definition.parameters.iter().map(|one| one.symbol));
        }
        work.extend(command.kind.terms());
    }
    while let Some(term) = work.pop() {
        script.push_subterms(term, &mut work);
        match script.term(term) {
            Term::Let { bindings, .. } => names.extend(bindings.iter().map(|one| one.symbol)),
            Term::Bind { variables, .. } => names.extend(variables.iter().map(|one| one.symbol)),
            // Which of its names are variables only sorts tell.
            Term::Match { .. } => return false,
            _ => {}
        }
    }
    let count = names.len();
    names.sort();
    names.dedup();
    names.len() == count
}
