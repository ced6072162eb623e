//! SMT-LIB as the lab sees it.

use std::collections::BTreeSet;
use std::fmt::{self, Write};
use std::sync::Arc;

use lydite_core::{Answer, Case, Claim, Edit, Language, Program, Seed};

use crate::edits::Edits;
use crate::model::{ask_for_cores, ask_for_models, asks_for_cores};
use crate::operators::Operators;
use crate::print::{self, Dialect};
use crate::scan;
use crate::strategy::{equals, partition, weaken, witness};
use crate::syntax::{self, Binder, CommandKind, Script, Term};
use crate::typing::{self, Resolved};

/// The language `smtlib`.
#[derive(Clone, Copy, Debug, Default)]
pub struct SmtLib;

impl Language for SmtLib {
    fn name(&self) -> &'static str {
        "smtlib"
    }

    fn about(&self) -> &'static str {
        "SMT-LIB 2.6/2.7 scripts and the dialects of z3 and cvc5"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["smt2", "smt", "sy"]
    }

    fn line_comment(&self) -> &'static str {
        ";"
    }

    fn check(&self, program: &Program) -> Result<(), String> {
        check(program, Operators::built_in())
    }

    fn extended(&self, file: &str) -> Result<Option<Arc<dyn Language>>, String> {
        let operators = Operators::built_in().extended(file);
        let operators = operators.map_err(|error| error.to_string())?;
        Ok(Some(Arc::new(ExtendedSmtLib { operators })))
    }

    /// What an answer is takes a solver to see, unless the script shows it; that
    /// a program is well-formed does not.
    fn upholds(&self, case: &Case) -> bool {
        upholds(case, Operators::built_in())
    }

    fn stated_claim(&self, seed: &Seed) -> Option<Claim> {
        let verdicts = scan::stated_verdicts(&seed.text)?;
        Some(Claim::Answers(Answer::Verdicts(verdicts)))
    }

    fn without_hints(&self, program: &Program) -> Program {
        let mut program = program.clone();
        if let Some(text) = scan::without_stated_verdicts(&program.source().text) {
            program.files[0].text = text.into();
        }
        program
    }

    /// One `(set-info :status …)` before every question.
    fn stating(&self, program: &Program, answer: &Answer) -> Option<Program> {
        let Answer::Verdicts(verdicts) = answer else {
            return None;
        };
        let mut program = self.without_hints(program);
        let text = scan::with_stated_verdicts(&program.source().text, verdicts)?;
        program.files[0].text = text.into();
        Some(program)
    }

    /// `standard`, `old`, `plain` and `z3`: see [`Dialect`].
    fn in_dialect(&self, program: &Program, dialect: &str) -> Program {
        in_dialect(program, dialect, Operators::built_in())
    }

    fn asking_for_witness(&self, program: &Program) -> Program {
        let mut program = program.clone();
        if let Ok(text) = ask_for_models(&program.source().text, None) {
            program.files[0].text = text.into_bytes().into();
        }
        program
    }

    /// One program in four, by its text: a solver that keeps track of cores
    /// takes other ways, and the usual ones are to be tested too.
    fn asking_for_core(&self, program: &Program) -> Program {
        let mut program = program.clone();
        let text = &program.source().text;
        let mut hash = Fnv::default();
        hash.bytes(text);
        if ((hash.0 >> 64).is_multiple_of(4) || asks_for_cores(text))
            && let Ok(Some(text)) = ask_for_cores(text)
        {
            program.files[0].text = text.into_bytes().into();
        }
        program
    }

    fn features(&self, program: &Program) -> Vec<String> {
        scan::features(&program.source().text)
    }

    fn needs(&self, program: &Program) -> Vec<String> {
        scan::needs(&program.source().text)
    }

    fn constructs(&self, program: &Program) -> BTreeSet<String> {
        constructs(program, Operators::built_in()).unwrap_or_default()
    }

    /// A symbol of the script, or one of its features.
    fn uses(&self, program: &Program, feature: &str) -> bool {
        scan::has_symbol(&program.source().text, feature)
            || self.features(program).iter().any(|own| own == feature)
    }

    fn fingerprint(&self, program: &Program) -> String {
        let mut hash = Fnv::default();
        match syntax::parse(&program.source().text) {
            Ok(script) => write_canonical(script, &mut hash),
            Err(_) => hash.words(&program.source().text),
        }
        for file in &program.files[1..] {
            hash.bytes(&[0]);
            hash.words(&file.text);
        }
        format!("{:032x}", hash.0)
    }

    fn edits<'a>(&'a self, program: &'a Program) -> Box<dyn Iterator<Item = Edit> + 'a> {
        Box::new(Edits::new(program, Operators::built_in()))
    }

    fn successors<'a>(
        &'a self,
        program: &'a Program,
        step: &'a str,
    ) -> Box<dyn Iterator<Item = Program> + 'a> {
        successors(program, step, Operators::built_in())
    }

    fn edits_of_parts<'a>(
        &'a self,
        programs: &'a [Program],
    ) -> Box<dyn Iterator<Item = (String, Vec<Program>)> + 'a> {
        partition::edits(programs, Operators::built_in())
    }
}

/// `smtlib` with the sorts, operators and spellings that a user's file adds.
struct ExtendedSmtLib {
    operators: Operators,
}

impl Language for ExtendedSmtLib {
    fn name(&self) -> &'static str {
        SmtLib.name()
    }

    fn about(&self) -> &'static str {
        SmtLib.about()
    }

    fn extensions(&self) -> &'static [&'static str] {
        SmtLib.extensions()
    }

    fn line_comment(&self) -> &'static str {
        SmtLib.line_comment()
    }

    fn check(&self, program: &Program) -> Result<(), String> {
        check(program, &self.operators)
    }

    fn extended(&self, file: &str) -> Result<Option<Arc<dyn Language>>, String> {
        let operators = self.operators.extended(file);
        let operators = operators.map_err(|error| error.to_string())?;
        Ok(Some(Arc::new(ExtendedSmtLib { operators })))
    }

    fn in_dialect(&self, program: &Program, dialect: &str) -> Program {
        in_dialect(program, dialect, &self.operators)
    }

    fn upholds(&self, case: &Case) -> bool {
        upholds(case, &self.operators)
    }

    fn stated_claim(&self, seed: &Seed) -> Option<Claim> {
        SmtLib.stated_claim(seed)
    }

    fn without_hints(&self, program: &Program) -> Program {
        SmtLib.without_hints(program)
    }

    fn stating(&self, program: &Program, answer: &Answer) -> Option<Program> {
        SmtLib.stating(program, answer)
    }

    fn asking_for_witness(&self, program: &Program) -> Program {
        SmtLib.asking_for_witness(program)
    }

    fn asking_for_core(&self, program: &Program) -> Program {
        SmtLib.asking_for_core(program)
    }

    fn features(&self, program: &Program) -> Vec<String> {
        SmtLib.features(program)
    }

    fn needs(&self, program: &Program) -> Vec<String> {
        SmtLib.needs(program)
    }

    fn constructs(&self, program: &Program) -> BTreeSet<String> {
        constructs(program, &self.operators).unwrap_or_default()
    }

    fn uses(&self, program: &Program, feature: &str) -> bool {
        SmtLib.uses(program, feature)
    }

    fn fingerprint(&self, program: &Program) -> String {
        SmtLib.fingerprint(program)
    }

    fn edits<'a>(&'a self, program: &'a Program) -> Box<dyn Iterator<Item = Edit> + 'a> {
        Box::new(Edits::new(program, &self.operators))
    }

    fn successors<'a>(
        &'a self,
        program: &'a Program,
        step: &'a str,
    ) -> Box<dyn Iterator<Item = Program> + 'a> {
        successors(program, step, &self.operators)
    }

    fn edits_of_parts<'a>(
        &'a self,
        programs: &'a [Program],
    ) -> Box<dyn Iterator<Item = (String, Vec<Program>)> + 'a> {
        partition::edits(programs, &self.operators)
    }
}

fn successors<'a>(
    program: &'a Program,
    step: &'a str,
    operators: &'a Operators,
) -> Box<dyn Iterator<Item = Program> + 'a> {
    let part = partition::successor(program, step, operators);
    match (part, equals::is_step(step)) {
        (Some(part), _) => Box::new(std::iter::once(part)),
        (None, true) => equals::successors(program, step, operators),
        (None, false) => weaken::successors(program, step, operators),
    }
}

fn upholds(case: &Case, operators: &Operators) -> bool {
    match case.claim {
        Claim::Silent => true,
        Claim::Accepted => case.programs.iter().all(|p| check(p, operators).is_ok()),
        Claim::Answers(_) => witness::upholds(case, operators),
        _ => false,
    }
}

fn check(program: &Program, operators: &Operators) -> Result<(), String> {
    let text = syntax::decode(&program.source().text).map_err(|error| error.problem.to_string())?;
    let script = syntax::parse_str(&text).map_err(|error| error.to_string())?;
    let options = typing::Options {
        strict: false,
        operators,
    };
    match typing::check(&script, &options) {
        Ok(typed) => match typed.overloaded {
            None => Ok(()),
            Some((symbol, command)) => Err(format!(
                "command {}: `{}` means two functions at once",
                command + 1,
                script.name(symbol)
            )),
        },
        Err(errors) => Err(errors
            .first()
            .map_or_else(String::new, |error| error.located(&text))),
    }
}

fn in_dialect(program: &Program, dialect: &str, operators: &Operators) -> Program {
    let mut program = program.clone();
    let dialect = match dialect {
        "standard" => Dialect::Standard,
        "old" => Dialect::Old,
        "plain" => Dialect::Plain,
        "z3" => Dialect::Z3,
        _ => return program,
    };
    if let Ok(script) = syntax::parse(&program.source().text) {
        let text = print::script_in(&script, dialect, operators);
        // As it stands, unless some name really is another.
        if text != print::script(&script) {
            program.files[0].text = text.into_bytes().into();
        }
    }
    program
}

/// The operators, binders and commands of a script; none if it cannot be read.
fn constructs(program: &Program, operators: &Operators) -> Option<BTreeSet<String>> {
    let script = syntax::parse(&program.source().text).ok()?;
    let options = typing::Options {
        strict: false,
        operators,
    };
    let typed = typing::check(&script, &options).ok()?;
    let mut found = BTreeSet::new();
    for command in &script.commands {
        let name = match &command.kind {
            CommandKind::Push(_) => "push",
            CommandKind::CheckSatAssuming(_) => "check-sat-assuming",
            CommandKind::DefineFunRec(_) | CommandKind::DefineFunsRec(_) => "define-fun-rec",
            CommandKind::DeclareDatatypes(..) => "declare-datatypes",
            CommandKind::AssertSoft(..) => "assert-soft",
            CommandKind::Minimize(..) | CommandKind::Maximize(..) => "minimize",
            _ => "",
        };
        if !name.is_empty() {
            found.insert(name.to_string());
        }
        let mut work = command.kind.terms();
        while let Some(term) = work.pop() {
            script.push_subterms(term, &mut work);
            let name = match script.term(term) {
                Term::Application { head, .. } => match typed.resolved(term) {
                    // Values are everywhere, above all in what is reduced.
                    Resolved::Operator(_) => match script.name(script.identifier(head).symbol) {
                        "true" | "false" => continue,
                        name => name,
                    },
                    Resolved::Tester(_) => "is",
                    Resolved::Updater(_) => "update",
                    Resolved::Function(id) if !typed.function(id).parameters.is_empty() => {
                        "function"
                    }
                    _ => continue,
                },
                Term::Bind { binder, .. } => match binder {
                    Binder::Forall => "forall",
                    Binder::Exists => "exists",
                    Binder::Lambda => "lambda",
                    Binder::Choice => "choice",
                    Binder::Comprehension => "set.comprehension",
                },
                Term::Match { .. } => "match",
                Term::Let { .. } => "let",
                _ => continue,
            };
            found.insert(name.to_string());
        }
    }
    Some(found)
}

/// The script without infos, its own symbols numbered in order of first use.
fn write_canonical(mut script: Script, out: &mut Fnv) {
    let own = script.own_symbols();
    let mut next = 0usize;
    let texts: Vec<String> = script
        .symbols()
        .iter()
        .map(|(symbol, text)| match own[symbol.index()] {
            true => {
                next += 1;
                // No symbol of a text has this character: bars end with it.
                format!("|{next}")
            }
            false => text.to_string(),
        })
        .collect();
    script.replace_symbols(&texts);
    script
        .commands
        .retain(|command| !matches!(command.kind, CommandKind::SetInfo(_) | CommandKind::Echo(_)));
    print::write_script(&script, Dialect::AsWritten, out).expect("hashing cannot fail");
}

/// Fowler–Noll–Vo 1a with 128 bits: enough to tell programs apart, and the
/// same on every machine.
struct Fnv(u128);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Fnv {
    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
        }
    }

    /// The bytes with white space folded.
    fn words(&mut self, text: &[u8]) {
        for word in text.split(u8::is_ascii_whitespace) {
            if !word.is_empty() {
                self.bytes(word);
                self.bytes(b" ");
            }
        }
    }
}

impl Write for Fnv {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.bytes(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLOURS: &str = "theory colours\nsort (Shade A)\ngrey : (Shade A)\n\
        mix : (Shade A) (Shade A) -> (Shade A)\ndark : (Shade A) -> Bool\n";

    fn colours() -> Arc<dyn Language> {
        let language = SmtLib.extended(COLOURS).expect("a theory");
        language.expect("a language")
    }

    fn program(text: &str) -> Program {
        Program::single("case.smt2", text.as_bytes())
    }

    #[test]
    fn scripts_of_a_users_theory_are_made_smaller() {
        let whole = program(
            "(declare-const a (Shade Int))\n(assert (dark (mix a a)))\n(assert (dark a))\n(check-sat)\n",
        );
        assert_eq!(SmtLib.edits(&whole).count(), 0);
        let language = colours();
        let found: Vec<Edit> = language.edits(&whole).collect();
        let smaller = |edit: &Edit| edit.program.bytes() < whole.bytes();
        assert!(found.iter().filter(|edit| smaller(edit)).count() > 3);
        for edit in &found {
            assert_eq!(language.check(&edit.program), Ok(()), "{}", edit.what);
        }
        let hoisted =
            "(declare-const a (Shade Int))\n(assert (dark a))\n(assert (dark a))\n(check-sat)\n";
        assert!(found.iter().any(|edit| edit.program == program(hoisted)));
        assert!(language.constructs(&whole).contains("mix"));
    }

    #[test]
    fn steps_are_made_again_in_scripts_of_a_users_theory() {
        let whole = program("(declare-const a (Shade Int))\n(assert (dark a))\n(check-sat)\n");
        let language = colours();
        for step in ["rename", "rewrite by not-not", "restrict to (dark a)"] {
            assert_eq!(SmtLib.successors(&whole, step).count(), 0, "{step}");
            assert!(language.successors(&whole, step).count() > 0, "{step}");
        }
        let part = program(
            "(declare-const a (Shade Int))\n(assert (dark a))\n(assert (not (dark a)))\n(check-sat)\n",
        );
        let programs = [whole, part];
        assert_eq!(SmtLib.edits_of_parts(&programs).count(), 0);
        assert!(language.edits_of_parts(&programs).count() > 0);
    }
}
