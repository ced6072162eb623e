//! Strategy `history`: the Boolean structure of one script with atoms of others (after
//! HistFuzz, ICSE 2023, and Once4All, 2025).
//!
//! What made a solver fail once is in the structure of a script or in its atoms; put
//! together anew they meet other code. One seed gives its connectives, quantifiers and
//! scopes' assertions; some of its atoms are replaced by atoms of other seeds, which
//! bring their declarations along under names of their own. A constant of theirs may
//! become one of the script's, if the sorts are the same: then atoms of several scripts
//! speak of the same things. One guest in three is not a seed but some atoms of a bank,
//! one that ships or the user's. Nothing is claimed.

mod atoms;

use std::sync::Arc;

use lydite_core::{
    Case, Choices, Claim, Language, OpenError, Program, Reject, Seed, SeedNeed, Setting, Settings,
    Space, Strategy,
};

use super::witness::Subject;
use crate::logic::Logic;
use crate::mutate::closed::{closed_terms, replaced};
use crate::mutate::originals::{MAX_SEED_SETTING, OPERATORS_SETTING, Originals};
use crate::mutate::view::View;
use crate::operators::Operators;
use crate::print;
use crate::sort::Sort;
use crate::syntax::{self, CommandKind, Script, Term, TermId, parse_commands, parse_term};
use crate::typing::{self, Role, Typed};
use atoms::Atoms;

/// See the module's documentation.
pub struct HistoryStrategy;

/// Larger atoms are not taken.
const MAX_ATOM: usize = 600;

/// What has a truth value made of truth values.
const CONNECTIVES: [&str; 8] = ["not", "and", "or", "xor", "=>", "ite", "=", "distinct"];

impl Strategy for HistoryStrategy {
    fn name(&self) -> &'static str {
        "history"
    }

    fn about(&self) -> &'static str {
        "the Boolean structure of one seed with atoms of other seeds; solvers are compared with each other"
    }

    fn language(&self) -> Option<&'static str> {
        Some("smtlib")
    }

    fn seeds(&self) -> SeedNeed {
        SeedNeed::AtLeast(2)
    }

    fn settings(&self) -> &'static [Setting] {
        const {
            &[
                Setting::value("scripts", "3", "how many other seeds give atoms, at most"),
                Setting::value(
                    "share",
                    "true",
                    "whether constants of other seeds may become constants of the script",
                ),
                Setting::file(
                    "bank",
                    "",
                    "a file with atoms (made by lydite bank) to use in place of those that ship",
                ),
                Setting::value(
                    "from-bank",
                    "true",
                    "whether one in three of those other seeds is some atoms of a bank instead",
                ),
                OPERATORS_SETTING,
                MAX_SEED_SETTING,
            ]
        }
    }

    fn open(
        &self,
        _language: Arc<dyn Language>,
        seeds: Arc<[Seed]>,
        settings: &Settings,
    ) -> Result<Box<dyn Space>, OpenError> {
        Ok(Box::new(HistorySpace {
            originals: Originals::open(seeds, settings, View::ANSWERS)?,
            scripts: settings
                .read("scripts", "a number from 1 to 16", 3u64)?
                .clamp(1, 16),
            share: settings.read("share", "true or false", true)?,
            atoms: match settings.read("from-bank", "true or false", true)? {
                true => Some(Atoms::open(settings.file("bank"))?).filter(|atoms| !atoms.is_empty()),
                false => None,
            },
        }))
    }
}

struct HistorySpace {
    originals: Originals,
    scripts: u64,
    share: bool,
    atoms: Option<Atoms>,
}

impl Space for HistorySpace {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let operators = self.originals.operators();
        let at = self.originals.draw(choices)?;
        let mut host = self.subject(at)?;
        let mut seeds = vec![self.originals.seed(at).clone()];
        let mut steps = Vec::new();
        for number in 1..=choices.between(1, self.scripts)? {
            if let Some(atoms) = &self.atoms
                && choices.chance(1, 3)?
            {
                let guest = atoms.guest(&host, number, self.share, choices)?;
                let count = graft(&mut host, &guest, choices)?;
                host = reread(&host.script, operators)?;
                steps.push(format!("{count} atoms of a bank"));
                continue;
            }
            let other = self.originals.draw(choices)?;
            if other == at {
                continue;
            }
            let guest = Guest::read(self.subject(other)?, &host, number, self.share, choices)?;
            let count = graft(&mut host, &guest, choices)?;
            host = reread(&host.script, operators)?;
            let seed = self.originals.seed(other);
            steps.push(format!("{count} atoms of {}", seed.name));
            seeds.push(seed.clone());
        }
        if steps.is_empty() {
            return Err(Reject::NotApplicable("the same seed twice"));
        }
        let text = print::script(&host.script);
        Ok(Case {
            steps,
            seeds,
            ..Case::single(
                Program::single("case.smt2", text.into_bytes()),
                Claim::Silent,
            )
        })
    }
}

impl HistorySpace {
    fn subject(&self, at: usize) -> Result<Subject, Reject> {
        let original = self.originals.original(at)?;
        Subject::read(original.text.as_bytes(), self.originals.operators())
    }
}

/// What another seed brings along.
struct Guest {
    /// Its declarations, under names that the script does not have.
    declarations: String,
    atoms: Vec<String>,
    logic: Option<String>,
}

impl Guest {
    fn read(
        mut subject: Subject,
        host: &Subject,
        number: u64,
        share: bool,
        choices: &mut Choices,
    ) -> Result<Guest, Reject> {
        let mut atoms: Vec<TermId> = Vec::new();
        for (_, root) in subject.asserts() {
            let closed = closed_terms(&subject.script, &subject.typed, root);
            atoms.extend(closed.into_iter().filter(|&term| is_atom(&subject, term)));
        }
        if atoms.is_empty() {
            return Err(Reject::NotApplicable(
                "a seed has no atom without variables",
            ));
        }
        let shared = match share {
            true => shared_names(&subject, host, choices)?,
            false => Vec::new(),
        };
        let logic = declared_logic(&subject.script);
        rename(&mut subject.script, host, number, &shared);
        let script = &subject.script;
        let mut declarations = String::new();
        for command in &script.commands {
            let own = |symbol| shared.iter().all(|(name, _)| *name != symbol);
            let wanted = match &command.kind {
                CommandKind::DeclareFun(symbol, ..)
                | CommandKind::DeclareConst(symbol, _)
                | CommandKind::DeclareVar(symbol, _) => own(*symbol),
                kind => {
                    matches!(
                        kind,
                        CommandKind::DeclareSort(..)
                            | CommandKind::DefineSort(..)
                            | CommandKind::DeclareDatatypes(..)
                    ) || !kind.definitions().is_empty()
                }
            };
            if wanted {
                declarations.push_str(&print::command(script, command));
                declarations.push('\n');
            }
        }
        let texts = atoms.iter().map(|&atom| print::term(script, atom));
        Ok(Guest {
            declarations,
            atoms: texts.filter(|text| text.len() <= MAX_ATOM).collect(),
            logic,
        })
    }
}

fn is_atom(subject: &Subject, term: TermId) -> bool {
    let connects = match subject.script.call(term) {
        Some((name, [])) => matches!(name, "true" | "false"),
        Some((name, arguments)) => {
            CONNECTIVES.contains(&name) && has_truth(&subject.typed, arguments[0])
        }
        None => false,
    };
    has_truth(&subject.typed, term) && !connects
}

fn has_truth(typed: &Typed, term: TermId) -> bool {
    typed.sort(term) == Some(Sort::BOOL)
}

/// The constants of a script whose sorts mean the same in any script.
fn constants(subject: &Subject) -> Vec<(syntax::Symbol, String)> {
    let functions = subject.typed.functions.iter();
    let plain = functions.filter(|one| one.role == Role::Declared && one.parameters.is_empty());
    let named = plain.filter_map(|one| {
        // A sort of the script's own is not that of another script.
        let text = subject
            .typed
            .sorts
            .written(one.result, &|_| "|".to_string())?;
        (!text.contains('|')).then_some((one.symbol, text))
    });
    named.collect()
}

/// Constants of another seed that become constants of the script, and which.
fn shared_names(
    guest: &Subject,
    host: &Subject,
    choices: &mut Choices,
) -> Result<Vec<(syntax::Symbol, String)>, Reject> {
    let own = constants(host);
    let mut shared = Vec::new();
    for (symbol, sort) in constants(guest) {
        let same: Vec<&(syntax::Symbol, String)> =
            own.iter().filter(|(_, other)| *other == sort).collect();
        if !same.is_empty() && choices.chance(1, 2)? {
            let (target, _) = choices.pick(&same)?;
            shared.push((symbol, host.script.name(*target).to_string()));
        }
    }
    Ok(shared)
}

/// What no name of the script begins with.
fn fresh_stem(host: &Subject, number: u64) -> String {
    let mut stem = format!("h{number}!");
    while host
        .script
        .symbols()
        .iter()
        .any(|(_, name)| name.starts_with(&stem))
    {
        stem.push('!');
    }
    stem
}

/// Gives all names of a script new ones, or those of the script that it is put into.
fn rename(script: &mut Script, host: &Subject, number: u64, shared: &[(syntax::Symbol, String)]) {
    let stem = fresh_stem(host, number);
    let own = script.own_symbols();
    let texts: Vec<String> = script
        .symbols()
        .iter()
        .map(
            |(symbol, text)| match shared.iter().find(|(name, _)| *name == symbol) {
                Some((_, name)) => name.clone(),
                None if own[symbol.index()] => format!("{stem}{text}"),
                None => text.to_string(),
            },
        )
        .collect();
    script.replace_symbols(&texts);
}

fn declared_logic(script: &Script) -> Option<String> {
    script
        .commands
        .iter()
        .find_map(|command| match command.kind {
            CommandKind::SetLogic(name) => Some(script.name(name).to_string()),
            _ => None,
        })
}

/// Puts atoms of the guest in the place of some of the host's; how many.
fn graft(host: &mut Subject, guest: &Guest, choices: &mut Choices) -> Result<usize, Reject> {
    let mut places: Vec<(usize, TermId)> = Vec::new();
    for (at, root) in host.asserts() {
        let found = skeleton_atoms(&host.script, &host.typed, root);
        places.extend(found.into_iter().map(|atom| (at, atom)));
    }
    if places.is_empty() || guest.atoms.is_empty() {
        return Err(Reject::NotApplicable("a seed has no atom to replace"));
    }
    let mut count = 0;
    let certain = choices.index(places.len())?;
    for (number, (at, atom)) in places.into_iter().enumerate() {
        if number != certain && !choices.chance(1, 2)? {
            continue;
        }
        let text = choices.pick(&guest.atoms)?;
        let new = parse_term(&mut host.script, text)
            .map_err(|_| Reject::NotApplicable("an atom that cannot be written"))?;
        let CommandKind::Assert(root) = host.script.commands[at].kind else {
            continue;
        };
        let made = replaced(&mut host.script, root, atom, new);
        host.script.commands[at].kind = CommandKind::Assert(made);
        count += 1;
    }
    let declared = parse_commands(&mut host.script, &guest.declarations)
        .map_err(|_| Reject::NotApplicable("a declaration that cannot be written"))?;
    // Behind the declarations that the script begins with, before its first scope.
    let first = host.script.commands.iter().position(|command| {
        matches!(
            command.kind,
            CommandKind::Assert(_) | CommandKind::Push(_) | CommandKind::CheckSat(_)
        )
    });
    let first = first.unwrap_or(0);
    host.script.commands.splice(first..first, declared);
    join_logics(&mut host.script, guest.logic.as_deref());
    Ok(count)
}

/// The atoms below connectives, quantifiers and `let`.
fn skeleton_atoms(script: &Script, typed: &Typed, root: TermId) -> Vec<TermId> {
    let (mut found, mut work) = (Vec::new(), vec![root]);
    while let Some(term) = work.pop() {
        match script.term(term) {
            Term::Let { body, .. } | Term::Bind { body, .. } => work.push(body),
            Term::Annotated { .. } | Term::Match { .. } => {}
            _ => match script.call(term) {
                Some((name, arguments))
                    if CONNECTIVES.contains(&name)
                        && arguments.first().is_some_and(|&one| has_truth(typed, one)) =>
                {
                    let truths = arguments.iter().filter(|&&one| has_truth(typed, one));
                    work.extend(truths);
                }
                _ if has_truth(typed, term) => found.push(term),
                _ => {}
            },
        }
    }
    found
}

fn join_logics(script: &mut Script, other: Option<&str>) {
    for at in 0..script.commands.len() {
        if let CommandKind::SetLogic(name) = script.commands[at].kind {
            let both = Logic::parse(script.name(name)).zip(other.and_then(Logic::parse));
            let joined = both.map_or("ALL".to_string(), |(one, other)| one.join(other).name());
            let name = script.intern(&joined);
            script.commands[at].kind = CommandKind::SetLogic(name);
        }
    }
}

fn reread(script: &Script, operators: &Operators) -> Result<Subject, Reject> {
    let text = print::script(script);
    let fine = syntax::parse_str(&text).is_ok_and(|script| {
        let options = typing::Options {
            strict: false,
            operators,
        };
        typing::check(&script, &options).is_ok()
    });
    match fine {
        true => Subject::read(text.as_bytes(), operators),
        false => Err(Reject::NotApplicable("an atom means something else here")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SmtLib;

    #[test]
    fn atoms_of_others_stand_in_the_structure_of_one() {
        let seeds = [
            "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)\
             (assert (or (> x y) (and (= x 1) (not (< y 2)))))(check-sat)",
            "(set-logic QF_S)(declare-const x String)(declare-const n Int)\
             (assert (= (str.len x) n))(assert (str.contains x \"a\"))(check-sat)",
            "(set-logic UFDT)(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))\
             (declare-const x L)(declare-fun f (L) Bool)(assert (f (tl x)))\
             (push 1)(assert (exists ((z L)) (and (f z) (= x nil))))(check-sat)(pop 1)",
        ];
        let seed = |text: &&str| Seed {
            name: "seed.smt2".to_string(),
            text: text.as_bytes().into(),
            claim: None,
        };
        let seeds: Vec<Seed> = seeds.iter().map(seed).collect();
        let space = HistoryStrategy
            .open(Arc::new(SmtLib), seeds.into(), &Settings::default())
            .unwrap();
        let (mut made, mut mixed, mut banked) = (0, 0, 0);
        for index in 0..150 {
            let mut choices = Choices::seeded(8, index);
            let Ok(case) = space.sample(&mut choices) else {
                continue;
            };
            made += 1;
            let text = String::from_utf8_lossy(&case.programs[0].source().text).into_owned();
            assert_eq!(SmtLib.check(&case.programs[0]), Ok(()), "{text}");
            mixed += u32::from(text.contains("h1!"));
            banked += u32::from(case.steps.iter().any(|step| step.contains("of a bank")));
            let again = space.sample(&mut Choices::replay(choices.into_tape()));
            assert_eq!(again, Ok(case));
        }
        assert!(
            made > 80 && mixed > 60 && banked > 20,
            "{made} {mixed} {banked}"
        );
    }
}
