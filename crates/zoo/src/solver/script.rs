//! Running a script, command by command.

use std::io::{self, Write};

use super::bugs::{self, Question};
use super::decide::{Decision, decide};
use super::soft::{self, Group};
use super::syntax::{NodeId, Tree};
use super::term::{Circuit, GateId, Op, applied};
use crate::bugs::Line;

/// More pushes than this are refused.
const MOST_PUSHES: usize = 100;

/// The state of a solver in the middle of a script.
#[derive(Default)]
struct State {
    now: Level,
    before: Vec<Level>,
    questions: usize,
    model: Option<u64>,
    /// What the soft assertions cost.
    costs: Option<Vec<u64>>,
    /// The names of a refutation.
    core: Option<Vec<String>>,
    /// What was assumed last.
    assumed: Vec<String>,
    errors: usize,
}

/// What a push saves.
#[derive(Clone, Default)]
struct Level {
    circuit: Circuit,
    constants: Vec<String>,
    assertions: Vec<GateId>,
    /// The names of those that have one, in order.
    names: Vec<(String, GateId)>,
    soft: Vec<Group>,
}

/// Runs a script and prints the answers; returns the exit status.
pub fn run(line: &Line, text: &str, out: &mut dyn Write) -> io::Result<u8> {
    let mut state = State::default();
    let tree = match Tree::read(text) {
        Ok(tree) => tree,
        Err(error) => {
            writeln!(out, "(error \"{error}\")")?;
            return Ok(1);
        }
    };
    for &(command, began) in &tree.top {
        match state.command(line, &tree, command, out) {
            Ok(true) => {}
            Ok(false) => break,
            Err(Failure::Script(error)) => {
                state.errors += 1;
                writeln!(out, "(error \"line {began}: {error}\")")?;
            }
            Err(Failure::Output(error)) => return Err(error),
        }
    }
    Ok(u8::from(state.errors > 0))
}

enum Failure {
    Script(String),
    Output(io::Error),
}

impl From<String> for Failure {
    fn from(error: String) -> Failure {
        Failure::Script(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

impl Level {
    /// All named assertions are a core; with `--minimal-cores` it has only those that
    /// are needed.
    fn core(&self, line: &Line) -> Vec<String> {
        let mut kept: Vec<usize> = (0..self.names.len()).collect();
        if line.flags.iter().any(|flag| flag == "--minimal-cores") && !line.has("fat-core") {
            for at in 0..self.names.len() {
                let without: Vec<usize> = kept.iter().copied().filter(|&one| one != at).collect();
                if self.is_core(&without) {
                    kept = without;
                }
            }
        }
        kept.iter().map(|&at| self.names[at].0.clone()).collect()
    }

    fn is_core(&self, kept: &[usize]) -> bool {
        let gates = || self.names.iter().map(|(_, gate)| *gate);
        let nameless = self
            .assertions
            .iter()
            .filter(|one| !gates().any(|gate| gate == **one));
        let mut all: Vec<GateId> = nameless.copied().collect();
        all.extend(kept.iter().map(|&at| self.names[at].1));
        decide(&self.circuit, &all) == Decision::Unsat
    }

    /// The model that violates the least, and what that costs, if there are soft
    /// assertions.
    fn optimize(&self, line: &Line, model: u64) -> (Option<Vec<u64>>, u64) {
        let Level {
            circuit,
            assertions,
            soft,
            ..
        } = self;
        if soft.is_empty() {
            return (None, model);
        }
        let is_greedy = line.has("greedy-soft") && soft::count(soft) > 2;
        let best = match is_greedy {
            true => None,
            false => soft::cheapest(circuit, assertions, soft),
        };
        match best {
            Some((costs, model)) => (Some(costs), model),
            None => (Some(soft::costs_under(circuit, soft, model)), model),
        }
    }
}

impl State {
    /// Does one command; false if it was the last.
    fn command(
        &mut self,
        line: &Line,
        tree: &Tree,
        command: NodeId,
        out: &mut dyn Write,
    ) -> Result<bool, Failure> {
        let list = tree.list(command).unwrap_or_default();
        let words: Vec<&str> = list.iter().map(|&id| tree.atom(id).unwrap_or("")).collect();
        match (words.first().copied().unwrap_or(""), list) {
            ("set-option", &[_, _, _]) if words[1] == ":opt.priority" && words[2] != "lex" => {
                return Err(format!("unsupported priority {}", words[2]).into());
            }
            ("set-logic" | "set-info" | "set-option", _) => {}
            ("declare-const", &[_, _, sort]) => self.declare(words[1], tree, sort)?,
            ("declare-fun", &[_, _, params, sort]) if tree.list(params) == Some(&[]) => {
                self.declare(words[1], tree, sort)?;
            }
            ("declare-datatype", &[_, _, constructors]) => self.open(tree, constructors)?,
            ("declare-datatypes", &[_, _, datatypes]) => {
                for &constructors in tree.list(datatypes).unwrap_or_default() {
                    self.open(tree, constructors)?;
                }
            }
            ("define-fun", &[_, _, params, _, body]) if tree.list(params) == Some(&[]) => {
                let value = self.now.circuit.build(tree, body)?;
                self.name(words[1], value)?;
                if !matches!(self.now.circuit.gates[value].op, Op::Constant(_)) {
                    self.now.circuit.defined.push(value);
                }
            }
            ("assert", &[_, term]) => {
                let (name, term) = named(tree, term);
                let gate = self.now.circuit.build(tree, term)?;
                let head = tree.list(term).and_then(|list| tree.atom(*list.first()?));
                self.now.circuit.universal |= head == Some("forall");
                self.now.assertions.push(gate);
                self.now.names.extend(name.map(|name| (name, gate)));
            }
            ("assert-soft", &[_, term, ref attributes @ ..]) => {
                let gate = self.now.circuit.build(tree, term)?;
                soft::add(&mut self.now.soft, tree, attributes, gate)?;
            }
            ("check-sat", &[_]) => self.check(line, out)?,
            ("check-sat-assuming", &[_, assumed]) => {
                self.check_assuming(line, tree, tree.list(assumed).unwrap_or_default(), out)?;
            }
            ("push", _) => self.push(count(&words)?)?,
            ("pop", _) => self.pop(count(&words)?)?,
            ("reset", &[_]) => {
                self.now = Level::default();
                self.before.clear();
            }
            ("echo", &[_, _]) => writeln!(out, "{}", words[1].trim_matches('"'))?,
            ("exit", _) => return Ok(false),
            ("", _) => return Err("expected a command".to_string().into()),
            (other, list) => self.tell(line, tree, (other, list), out)?,
        }
        Ok(true)
    }

    /// Does a command that asks what is behind the last answer.
    fn tell(
        &self,
        line: &Line,
        tree: &Tree,
        (word, list): (&str, &[NodeId]),
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        match (word, list) {
            ("get-objectives", &[_]) => self.print_objectives(out)?,
            ("get-model", &[_]) => self.print_model(line, out)?,
            ("get-value", &[_, terms]) => {
                self.print_values(line, tree, tree.list(terms).unwrap_or_default(), out)?;
            }
            ("get-unsat-core", &[_]) => self.print_core(line, out)?,
            ("get-unsat-assumptions", &[_]) => self.print_assumptions(line, out)?,
            (other, _) => return Err(format!("unsupported command {other}").into()),
        }
        Ok(())
    }

    /// Asks with some terms asserted for this one question.
    fn check_assuming(
        &mut self,
        line: &Line,
        tree: &Tree,
        assumed: &[NodeId],
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let before = self.now.clone();
        self.assumed = assumed.iter().map(|&term| literal(tree, term)).collect();
        if !line.has("no-assumptions") {
            for &term in assumed {
                let gate = self.now.circuit.build(tree, term)?;
                self.now.assertions.push(gate);
            }
        }
        let checked = self.check(line, out);
        self.now = before;
        Ok(checked?)
    }

    fn declare(&mut self, name: &str, tree: &Tree, sort: NodeId) -> Result<(), String> {
        match tree.atom(sort) {
            Some("Bool") => {}
            other => return Err(format!("unsupported sort {}", other.unwrap_or("(...)"))),
        }
        let index = self.now.constants.len();
        let gate = self.now.circuit.push(Op::Constant(index), Vec::new());
        self.name(name, gate)?;
        self.now.constants.push(name.to_string());
        Ok(())
    }

    /// Of a datatype only this is known: a selector of another constructor gives a
    /// constant some value.
    fn open(&mut self, tree: &Tree, constructors: NodeId) -> Result<(), String> {
        let constructors = tree.list(constructors).unwrap_or_default().iter();
        let parts = constructors.filter_map(|&one| tree.list(one)?.split_first());
        let parts: Vec<(&NodeId, &[NodeId])> = parts.collect();
        for (at, (constant, _)) in parts.iter().enumerate().filter(|(_, one)| one.1.is_empty()) {
            let others = parts.iter().enumerate().filter(|(other, _)| *other != at);
            for &selector in others.flat_map(|(_, (_, selectors))| *selectors) {
                if let Some(&[selector, sort]) = tree.list(selector) {
                    let [selector, constant] =
                        [selector, **constant].map(|id| tree.atom(id).unwrap_or_default());
                    self.now.circuit.open.push(self.now.constants.len());
                    self.declare(&applied(selector, constant), tree, sort)?;
                }
            }
        }
        Ok(())
    }

    fn name(&mut self, name: &str, value: GateId) -> Result<(), String> {
        let names = &mut self.now.circuit.names;
        if name.is_empty() || names.contains_key(name) {
            return Err(format!("cannot declare `{name}`"));
        }
        names.insert(name.to_string(), value);
        Ok(())
    }

    fn push(&mut self, count: usize) -> Result<(), String> {
        if count > MOST_PUSHES - self.before.len().min(MOST_PUSHES) {
            return Err("too many pushes".to_string());
        }
        for _ in 0..count {
            self.before.push(self.now.clone());
        }
        Ok(())
    }

    fn pop(&mut self, count: usize) -> Result<(), String> {
        if count > self.before.len() {
            return Err("pop without push".to_string());
        }
        for _ in 0..count {
            self.now = self.before.pop().unwrap_or_default();
        }
        Ok(())
    }

    fn check(&mut self, line: &Line, out: &mut dyn Write) -> io::Result<()> {
        self.questions += 1;
        let question = Question {
            circuit: &self.now.circuit,
            assertions: &self.now.assertions,
            pushes: self.before.len(),
            number: self.questions,
        };
        self.model = None;
        self.costs = None;
        self.core = None;
        // What was answered before a crash is to be seen.
        out.flush()?;
        if let Err(message) = bugs::before(line, &question) {
            self.errors += 1;
            return writeln!(out, "{message}");
        }
        let decision = decide(&self.now.circuit, &self.now.assertions);
        let answer = match bugs::twist(line, &question, decision) {
            Decision::Unsat => {
                self.core = Some(self.now.core(line));
                "unsat"
            }
            Decision::Unknown => "unknown",
            Decision::Sat(model) => {
                let (costs, model) = self.now.optimize(line, model);
                (self.costs, self.model) = (costs, Some(model));
                if bugs::refutes_itself(line, &question) {
                    self.errors += 1;
                    writeln!(out, "(error \"an invalid model was generated\")")?;
                }
                "sat"
            }
        };
        if bugs::loses_answer(line, &question) {
            return Ok(());
        }
        writeln!(out, "{answer}")
    }

    /// Prints the core of the last refutation.
    fn print_core(&self, line: &Line, out: &mut dyn Write) -> Result<(), Failure> {
        let missing = || "unsat core is not available".to_string();
        let core = self.core.as_deref().ok_or_else(missing)?;
        let kept = match core {
            [_, rest @ ..] if line.has("short-core") && !rest.is_empty() => rest,
            all => all,
        };
        writeln!(out, "({})", kept.join(" "))?;
        Ok(())
    }

    /// All assumptions are to blame, if not only they.
    fn print_assumptions(&self, line: &Line, out: &mut dyn Write) -> Result<(), Failure> {
        let missing = || "unsat assumptions are not available".to_string();
        self.core.as_ref().ok_or_else(missing)?;
        let kept = match &self.assumed[..] {
            [_, rest @ ..] if line.has("short-assumptions") => rest,
            all => all,
        };
        writeln!(out, "({})", kept.join(" "))?;
        Ok(())
    }

    fn print_objectives(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let missing = || "objectives are not available".to_string();
        let costs = self.costs.as_deref().ok_or_else(missing)?;
        writeln!(out, "{}", soft::shown(&self.now.soft, costs))?;
        Ok(())
    }

    fn print_model(&self, line: &Line, out: &mut dyn Write) -> Result<(), Failure> {
        let model = self.model.ok_or("model is not available".to_string())?;
        let circuit = &self.now.circuit;
        writeln!(out, "(")?;
        for (index, name) in self.now.constants.iter().enumerate() {
            if circuit.open.contains(&index) || bugs::leaves_out(line, index) {
                continue;
            }
            let turned = bugs::turns(line, circuit, index);
            let value = (index < 64 && model >> index & 1 == 1) != turned;
            writeln!(out, "  (define-fun {name} () Bool {value})")?;
        }
        writeln!(out, ")")?;
        Ok(())
    }

    /// Prints what terms are under the last model.
    fn print_values(
        &self,
        line: &Line,
        tree: &Tree,
        terms: &[NodeId],
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let model = self.model.ok_or("model is not available".to_string())?;
        let mut circuit = self.now.circuit.clone();
        let pins = circuit.pin(bugs::model_of_values(line, model));
        let mut pairs = Vec::new();
        for &term in terms {
            let gate = circuit.build(tree, term)?;
            let is_true = decide(&circuit, &[&pins[..], &[gate]].concat()) != Decision::Unsat;
            pairs.push(format!("({} {is_true})", shown(tree, term)?));
        }
        writeln!(out, "({})", pairs.join("\n "))?;
        Ok(())
    }
}

/// The name of an assertion, if it has one, and what it asserts.
fn named(tree: &Tree, term: NodeId) -> (Option<String>, NodeId) {
    let list = tree.list(term).unwrap_or_default();
    let words: Vec<&str> = list.iter().map(|&id| tree.atom(id).unwrap_or("")).collect();
    match (list, words.as_slice()) {
        (&[_, inner, ..], ["!", _, ":named", name]) => (Some(name.to_string()), inner),
        _ => (None, term),
    }
}

/// A name, or a list of names.
fn shown(tree: &Tree, term: NodeId) -> Result<String, String> {
    let words = match (tree.atom(term), tree.list(term)) {
        (Some(name), _) => return Ok(name.to_string()),
        (None, list) => list.unwrap_or_default().iter().map(|&id| tree.atom(id)),
    };
    let words: Option<Vec<&str>> = words.collect();
    let words = words.ok_or("unsupported term in get-value")?;
    Ok(format!("({})", words.join(" ")))
}

/// A name, or a name denied, as it was written.
fn literal(tree: &Tree, term: NodeId) -> String {
    match (tree.atom(term), tree.list(term)) {
        (Some(name), _) => name.to_string(),
        (None, Some(&[_, inner])) => format!("(not {})", tree.atom(inner).unwrap_or("")),
        _ => String::new(),
    }
}

fn count(words: &[&str]) -> Result<usize, String> {
    match words {
        [_] => Ok(1),
        [_, number] => number.parse().map_err(|_| format!("bad number {number}")),
        _ => Err("expected one number".to_string()),
    }
}
