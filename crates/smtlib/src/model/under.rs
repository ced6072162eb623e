//! Whether a printed model satisfies a script, as a question to solvers.
//!
//! Our evaluation ends at quantifiers over domains that cannot be listed. There the
//! script is written once more with the model's definitions in place of the
//! declarations, so that nothing is left to find but whether it is true.
//!
//! Why the answers mean something: every solution of the new script is one of the
//! old, so `sat` says that the script is satisfiable, in the model's way. `unsat` says
//! that the model satisfies it in no way: what the model leaves out, and what the
//! standard leaves open (x/0), is free in the new script, as are the sizes of sorts
//! whose elements the model does not list. So neither answer rests on our reading
//! of what a silent part means. Both are a solver's word, and no more than that.
//!
//! What cannot be written for all solvers is not asked: definitions that need each
//! other, numbers that only their author can read, names with two meanings.

use std::collections::{BTreeMap, BTreeSet};

use super::check::{Reading, has_escapes};
use super::universes::universes;
use crate::eval::{Context, Question, question};
use crate::print;
use crate::syntax::{
    Binder, Command, CommandKind, Definition, Kind, Lexer, Script, Symbol, Term, TermId, parse,
    parse_commands,
};
use crate::typing;
use crate::value::text::Escapes;

/// A longer script is not made.
const MOST_BYTES: usize = 1 << 20;

/// What only its author can read.
const PRIVATE: [&str; 3] = ["root-obj", "real_algebraic_number", "as-array"];

/// True if something in the script is quantified.
pub(crate) fn has_quantifiers(script: &Script) -> bool {
    let is_quantified = |term: TermId| match script.term(term) {
        Term::Bind { binder, .. } => matches!(binder, Binder::Forall | Binder::Exists),
        _ => false,
    };
    script.terms().any(is_quantified)
}

/// Question `index` of the script under a model: one question, whose answer is
/// `sat` if the model satisfies all that is asserted.
pub(crate) fn script_under(
    script: &Script,
    index: usize,
    model: &str,
    reading: Reading,
) -> Option<String> {
    let asked = question(script, index)?;
    let is_private = PRIVATE.iter().any(|word| model.contains(word));
    let old = reading.escapes == Escapes::Old;
    if is_private || reading.rounds || old && (has_escapes(script) || model.contains('\\')) {
        return None;
    }
    if !Context::new(script, &asked).is_clear(script) {
        return None;
    }
    let mut joined = script.clone();
    let elements = Elements::of(script, model);
    let commands = parse_commands(&mut joined, &elements.rename(model)).ok()?;
    let mut under = Under::default();
    under.take_model(&joined, &own_names(&joined, &asked), &commands)?;
    under.take_script(&joined, &asked)?;
    under.drop_unused(&declared_names(&joined, &asked));
    under.add_elements(&elements);
    let text = under.write(&joined, &asked)?;
    // Whatever was misread does not have sorts.
    let written = parse(text.as_bytes()).ok()?;
    let is_typed = typing::check(&written, &typing::Options::default()).is_ok();
    is_typed.then_some(text)
}

/// The names that the script gives a meaning itself.
fn own_names(script: &Script, asked: &Question) -> BTreeSet<Symbol> {
    let mut names = BTreeSet::new();
    for &at in &asked.declarations {
        let kind = &script.commands[at].kind;
        names.extend(kind.definitions().iter().map(|one| one.symbol));
    }
    names
}

/// The names that the script declares or gives a meaning itself.
fn declared_names(script: &Script, asked: &Question) -> BTreeSet<Symbol> {
    let mut names = own_names(script, asked);
    for &at in &asked.declarations {
        match &script.commands[at].kind {
            CommandKind::DeclareFun(symbol, ..)
            | CommandKind::DeclareConst(symbol, _)
            | CommandKind::DeclareVar(symbol, _) => names.insert(*symbol),
            _ => false,
        };
    }
    names
}

/// The elements of uninterpreted sorts that a model speaks of, each with the name
/// that it gets; by sort.
#[derive(Default)]
struct Elements {
    /// What stands in the model, and the new name.
    renamed: Vec<(String, String)>,
    by_sort: BTreeMap<String, Vec<String>>,
    /// The sorts that have no others.
    listed: BTreeSet<String>,
}

impl Elements {
    fn of(script: &Script, model: &str) -> Elements {
        let mut elements = Elements::default();
        for (sort, names) in universes(model) {
            for name in &names {
                elements.add(script, name, &sort);
            }
            elements.listed.insert(sort);
        }
        // cvc5's `(as @T_0 T)`.
        for (start, _) in model.match_indices("(as ") {
            if let Some((name, sort)) = element(&model[start + "(as ".len()..]) {
                elements.add(script, name, &print::quoted(sort));
            }
        }
        elements
    }

    fn add(&mut self, script: &Script, name: &str, sort: &str) {
        let plain = name.trim_start_matches('@');
        let mut new = plain.to_string();
        // z3's names are its own; cvc5's lose their sign.
        while plain != name && script.symbols().find(&new).is_some() {
            new.push('_');
        }
        let known = self.by_sort.entry(sort.to_string()).or_default();
        if !known.contains(&new) {
            known.push(new.clone());
            if plain != name {
                let quoted = print::quoted(&new);
                let old = format!("(as {} {sort})", print::quoted(name));
                self.renamed.push((old, quoted));
            }
        }
    }

    fn rename(&self, model: &str) -> String {
        let mut text = model.to_string();
        for (old, new) in &self.renamed {
            text = text.replace(old, new);
        }
        text
    }
}

/// The name and the sort of `@T_0 T)`, without bars.
fn element(text: &str) -> Option<(&str, &str)> {
    let mut lexer = Lexer::new(text);
    let mut symbol = || {
        let token = lexer.next().ok()?;
        matches!(token.kind, Kind::Symbol | Kind::Quoted).then(|| lexer.text(token))
    };
    let (name, sort) = (symbol()?, symbol()?);
    let closed = lexer.next().is_ok_and(|token| token.kind == Kind::Close);
    (closed && name.starts_with('@')).then_some((name, sort))
}

/// A command that gives names a meaning, and what it needs before it.
struct Step {
    gives: Vec<Symbol>,
    needs: BTreeSet<Symbol>,
    text: String,
}

/// The parts of the new script.
#[derive(Default)]
struct Under {
    /// Logic, options, sorts.
    head: Vec<String>,
    /// Declarations that stay, and elements.
    declared: Vec<String>,
    /// In the order in which they are read.
    steps: Vec<Step>,
    /// What the model interprets.
    interpreted: BTreeSet<Symbol>,
    /// What is known of the elements.
    known: Vec<String>,
}

impl Under {
    fn take_model(
        &mut self,
        script: &Script,
        own: &BTreeSet<Symbol>,
        commands: &[Command],
    ) -> Option<()> {
        for command in commands {
            for definition in command.kind.definitions() {
                // The script's own definition counts.
                if own.contains(&definition.symbol) {
                    continue;
                }
                let plain = matches!(
                    command.kind,
                    CommandKind::DefineFun(_) | CommandKind::DefineConst(_)
                );
                if !plain || !self.interpreted.insert(definition.symbol) {
                    return None;
                }
                self.steps.push(step(script, command, &[definition]));
            }
        }
        Some(())
    }

    fn take_script(&mut self, script: &Script, asked: &Question) -> Option<()> {
        for &at in &asked.declarations {
            let command = &script.commands[at];
            match &command.kind {
                CommandKind::SetLogic(_)
                | CommandKind::DeclareSort(..)
                | CommandKind::DefineSort(..)
                | CommandKind::DeclareDatatypes(..) => {
                    self.head.push(print::command(script, command));
                }
                CommandKind::SetOption(attribute)
                    if !script.name(attribute.keyword).starts_with(":produce-") =>
                {
                    self.head.push(print::command(script, command));
                }
                CommandKind::DeclareFun(symbol, ..)
                | CommandKind::DeclareConst(symbol, _)
                | CommandKind::DeclareVar(symbol, _)
                    if !self.interpreted.contains(symbol) =>
                {
                    self.declared.push(print::command(script, command));
                }
                CommandKind::DefineFun(_)
                | CommandKind::DefineConst(_)
                | CommandKind::DefineFunRec(_)
                | CommandKind::DefineFunsRec(_) => {
                    let definitions = command.kind.definitions();
                    self.steps.push(step(script, command, &definitions));
                }
                CommandKind::DeclareSortParameter(_)
                | CommandKind::ParametricFunsRec(_)
                | CommandKind::Parametric(..)
                | CommandKind::Unknown(_) => return None,
                // They only print, or say nothing of what is satisfiable.
                _ => {}
            }
        }
        Some(())
    }

    /// Drops the model's own functions that nothing uses. z3 says what x/0 is in a function
    /// `div0`, which it does not let anybody define.
    fn drop_unused(&mut self, declared: &BTreeSet<Symbol>) {
        loop {
            let used: BTreeSet<Symbol> = self
                .steps
                .iter()
                .flat_map(|step| step.needs.iter().copied())
                .collect();
            let before = self.steps.len();
            let is_used = |symbol: &Symbol| declared.contains(symbol) || used.contains(symbol);
            self.steps.retain(|step| step.gives.iter().any(is_used));
            if self.steps.len() == before {
                return;
            }
        }
    }

    fn add_elements(&mut self, elements: &Elements) {
        for (sort, names) in &elements.by_sort {
            let names: Vec<String> = names.iter().map(|name| print::quoted(name)).collect();
            for name in &names {
                self.declared.push(format!("(declare-const {name} {sort})"));
            }
            if names.len() > 1 {
                let all = names.join(" ");
                self.known.push(format!("(assert (distinct {all}))"));
            }
            if elements.listed.contains(sort) {
                let one: Vec<String> = names.iter().map(|name| format!("(= x {name})")).collect();
                let one = match &one[..] {
                    [only] => only.clone(),
                    _ => format!("(or {})", one.join(" ")),
                };
                let all = format!("(assert (forall ((x {sort})) {one}))");
                self.known.push(all);
            }
        }
    }

    /// The script: what a definition needs stands before it.
    fn write(mut self, script: &Script, asked: &Question) -> Option<String> {
        let mut lines = self.head;
        lines.append(&mut self.declared);
        let mut open: BTreeSet<Symbol> = self
            .steps
            .iter()
            .flat_map(|step| step.gives.iter().copied())
            .collect();
        while !self.steps.is_empty() {
            let ready = |step: &Step| step.needs.is_disjoint(&open);
            let (now, later): (Vec<Step>, Vec<Step>) = self.steps.into_iter().partition(ready);
            if now.is_empty() {
                return None;
            }
            for step in now {
                step.gives.iter().for_each(|symbol| {
                    open.remove(symbol);
                });
                lines.push(step.text);
            }
            self.steps = later;
        }
        lines.append(&mut self.known);
        for &assertion in &asked.assertions {
            lines.push(format!("(assert {})", print::term(script, assertion)));
        }
        lines.push("(check-sat)\n".to_string());
        let bytes: usize = lines.iter().map(|line| line.len() + 1).sum();
        (bytes <= MOST_BYTES).then(|| lines.join("\n"))
    }
}

fn step(script: &Script, command: &Command, definitions: &[&Definition]) -> Step {
    let gives: Vec<Symbol> = definitions.iter().map(|one| one.symbol).collect();
    let mut needs = BTreeSet::new();
    let mut work: Vec<TermId> = definitions.iter().map(|one| one.body).collect();
    while let Some(term) = work.pop() {
        if let Term::Application { head, .. } = script.term(term) {
            needs.insert(script.identifier(head).symbol);
        }
        script.push_subterms(term, &mut work);
    }
    needs.retain(|symbol| !gives.contains(symbol));
    Step {
        gives,
        needs,
        text: print::command(script, command),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn under(script: &str, model: &str) -> String {
        let script = parse(script.as_bytes()).unwrap();
        let reading = Reading::of(&"z3".parse().unwrap());
        script_under(&script, 0, model, reading).unwrap_or_default()
    }

    #[test]
    fn a_models_definitions_stand_for_declarations_in_an_order_that_solvers_read() {
        let script = "(set-option :produce-models true)(set-logic UFLIA)(declare-fun f (Int) Int)\
            (declare-const c Int)(declare-const free Int)(define-fun g ((x Int)) Int (f (+ x c)))\
            (push 1)(assert (> c 100))(pop 1)\
            (assert (forall ((x Int)) (> (g x) free)))(check-sat)(get-model)";
        let model = "(define-fun div0 ((x!0 Int)) Int (mod0 x!0))\
            (define-fun mod0 ((x!0 Int)) Int 8)(define-fun f ((x!0 Int)) Int (k!1 (h!2 x!0)))\
            (define-fun k!1 ((x!0 Int)) Int 7)(define-fun h!2 ((x!0 Int)) Int (* 2 x!0))\
            (define-fun c () Int 3)";
        assert_eq!(
            under(script, model),
            "(set-logic UFLIA)\n(declare-const free Int)\n\
             (define-fun k!1 ((x!0 Int)) Int 7)\n(define-fun h!2 ((x!0 Int)) Int (* 2 x!0))\n\
             (define-fun c () Int 3)\n(define-fun f ((x!0 Int)) Int (k!1 (h!2 x!0)))\n\
             (define-fun g ((x Int)) Int (f (+ x c)))\n\
             (assert (forall ((x Int)) (> (g x) free)))\n(check-sat)\n"
        );
    }

    #[test]
    fn elements_of_sorts_are_declared_apart_and_complete_where_the_model_lists_them() {
        let script = "(set-logic UF)(declare-sort T 0)(declare-fun a () T)(declare-fun T_0 () T)\
            (assert (forall ((x T)) (= x a)))(check-sat)";
        let cvc5 = "\n; cardinality of T is 2\n; rep: (as @T_0 T)\n; rep: (as @T_1 T)\n\
            (define-fun a () T (as @T_0 T))(define-fun T_0 () T (as @T_1 T))\n";
        let z3 = "\n;; universe for T:\n;;   T!val!0 T!val!1 \n(declare-fun T!val!0 () T)\
            (declare-fun T!val!1 () T)(forall ((x T)) (or (= x T!val!0) (= x T!val!1)))\
            (define-fun a () T T!val!0)(define-fun T_0 () T T!val!1)\n";
        for (model, names) in [(cvc5, ["T_0_", "T_1"]), (z3, ["T!val!0", "T!val!1"])] {
            let [first, second] = names;
            assert_eq!(
                under(script, model),
                format!(
                    "(set-logic UF)\n(declare-sort T 0)\n(declare-const {first} T)\n\
                     (declare-const {second} T)\n(define-fun a () T {first})\n\
                     (define-fun T_0 () T {second})\n(assert (distinct {first} {second}))\n\
                     (assert (forall ((x T)) (or (= x {first}) (= x {second}))))\n\
                     (assert (forall ((x T)) (= x a)))\n(check-sat)\n"
                )
            );
        }
    }

    #[test]
    fn elements_whose_names_need_bars_keep_them() {
        let script = "(declare-sort |a b| 0)(declare-fun c () |a b|)\
            (assert (forall ((x |a b|)) (= x c)))(check-sat)";
        let model = "\n; cardinality of |a b| is 1\n; rep: (as |@_a b__0| |a b|)\n\
            (define-fun c () |a b| (as |@_a b__0| |a b|))\n";
        assert_eq!(
            under(script, model),
            "(declare-sort |a b| 0)\n(declare-const |_a b__0| |a b|)\n\
             (define-fun c () |a b| |_a b__0|)\n\
             (assert (forall ((x |a b|)) (= x |_a b__0|)))\n\
             (assert (forall ((x |a b|)) (= x c)))\n(check-sat)\n"
        );
    }

    #[test]
    fn what_cannot_be_written_for_all_is_not_asked() {
        let script = "(declare-fun f (Int) Int)(declare-const r Real)\
            (assert (forall ((x Int)) (> (f x) 0)))(check-sat)";
        for model in [
            "(define-fun f ((x Int)) Int (g x))(define-fun g ((x Int)) Int (f x))",
            "(define-fun-rec f ((x Int)) Int (f (- x 1)))",
            "(define-fun r () Real (root-obj (+ (^ x 2) (- 2)) 1))",
            "(define-fun f ((x Int)) Int missing)",
            "(define-fun f ((x Int)) Int 1)(define-fun f ((x Int)) Int 2)",
            "(define-fun f ((x Int",
        ] {
            assert_eq!(under(script, model), "", "{model}");
        }
        assert!(!under(script, "(define-fun f ((x Int)) Int 1)").is_empty());
        let twice = "(declare-fun f (Int) Int)(declare-fun f (Bool) Int)\
            (assert (forall ((x Int)) (> (f x) (f true))))(check-sat)";
        assert_eq!(under(twice, ""), "");
    }
}
