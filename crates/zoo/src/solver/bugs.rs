//! The solver's planted bugs: what sets each off, and what it does.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use super::decide::{Decision, decide, reached};
use super::term::{Circuit, Gate, GateId, Op};
use crate::bugs::{Line, Plant, burn, die, eat_memory, fail_assertion, hang};

/// One question to the solver.
pub(super) struct Question<'a> {
    pub(super) circuit: &'a Circuit,
    pub(super) assertions: &'a [GateId],
    pub(super) pushes: usize,
    /// Counted from 1.
    pub(super) number: usize,
}

impl Question<'_> {
    fn any(&self, test: impl Fn(&Gate) -> bool) -> bool {
        let gates = reached(self.circuit, self.assertions);
        gates.into_iter().any(|id| test(&self.circuit.gates[id]))
    }

    /// True if somewhere the `place`-th argument (any, if none is given) of
    /// an `outer` is an `inner`.
    fn nested(&self, outer: Op, inner: &[Op], place: Option<usize>) -> bool {
        self.any(|gate| {
            let args = gate.args.iter().enumerate();
            gate.op == outer
                && args
                    .filter(|(index, _)| place.is_none_or(|place| place == *index))
                    .any(|(_, &arg)| inner.contains(&self.circuit.gates[arg].op))
        })
    }

    fn wide(&self, op: Op, count: usize) -> bool {
        self.any(|gate| gate.op == op && gate.args.len() >= count)
    }
}

/// True if the shape of a plant is there.
fn grows(question: &Question, plant: &Plant) -> bool {
    match (Op::named(&plant.outer), Op::named(&plant.inner)) {
        (Some(outer), Some(inner)) => question.nested(outer, &[inner], None),
        _ => false,
    }
}

fn planted(line: &Line, question: &Question, effect: &str) -> bool {
    let mut plants = line.plants.iter();
    plants.any(|plant| plant.effect == effect && grows(question, plant))
}

/// Bugs that strike before the answer; the error is printed instead of it.
pub(super) fn before(line: &Line, question: &Question) -> Result<(), &'static str> {
    for plant in &line.plants {
        if let Some(sites) = plant.effect.strip_prefix("crash:")
            && grows(question, plant)
        {
            let (odd, even) = sites.split_once(':').unwrap_or((sites, sites));
            let is_even = question.assertions.len().is_multiple_of(2);
            let site = if is_even { even } else { odd };
            fail_assertion(&format!("ASSERTION VIOLATION\nFile: {site}\nLine: 7"));
        }
    }
    if planted(line, question, "segv") {
        die("SEGV");
    }
    if line.has("assert-distinct") && question.wide(Op::Distinct, 3) {
        fail_assertion(
            "ASSERTION VIOLATION\nFile: ../src/rewriter/distinct.cpp\nLine: 213\n\
             arity == 2",
        );
    }
    if line.has("two-sites") && question.wide(Op::Implies, 3) {
        fail_assertion(if question.pushes > 0 {
            "Fatal failure within Scope::restore() at src/context/scope.cpp:88\n\
             Check failure\n\n  d_level == level"
        } else {
            "Fatal failure within Chain::flatten() at src/prop/chain.cpp:31\n\
             Check failure\n\n  d_links.size() == 2"
        });
    }
    if line.has("defined-ite") && chooses_defined(question) {
        fail_assertion("ASSERTION VIOLATION\nFile: ../src/prop/expand.cpp\nLine: 31\nis_open");
    }
    if line.has("bad-proof") && has_flag(line, "--check-proofs") && refutes_implication(question) {
        fail_assertion("Fatal failure within Proof::check() at src/proof/rules.cpp:57\nno rule");
    }
    if line.has("segv-shadow") && question.circuit.shadowed {
        die("SEGV");
    }
    if hangs(line, question) && !has_flag(line, "--resource=") {
        hang();
    }
    if line.has("slow-xor") && question.wide(Op::Xor, 3) {
        burn(Duration::from_millis(line.slow_ms));
    }
    if line.has("eat-and") && question.wide(Op::And, 8) {
        eat_memory();
    }
    if line.has("no-ite") && question.any(|gate| gate.op == Op::Ite) {
        return Err("unsupported");
    }
    if line.has("reject-xor-true") && question.nested(Op::Xor, &[Op::True, Op::False], None) {
        return Err("(error \"line 1: unexpected token in xor\")");
    }
    Ok(())
}

/// True if an ite chooses between two that each speak of a defined name.
fn chooses_defined(question: &Question) -> bool {
    let gates = &question.circuit.gates;
    let is_defined = |arg: &GateId| question.circuit.defined.contains(arg);
    let of_defined = |&arg: &GateId| {
        let inner = &gates[arg];
        inner.op == Op::Ite && inner.args.iter().any(is_defined)
    };
    question.any(|gate| gate.op == Op::Ite && gate.args[1..].iter().all(of_defined))
}

fn refutes_implication(question: &Question) -> bool {
    question.any(|gate| gate.op == Op::Implies)
        && decide(question.circuit, question.assertions) == Decision::Unsat
}

/// Whether it never ends, unless it is limited.
fn hangs(line: &Line, question: &Question) -> bool {
    let seeded = has_flag(line, "--seed=");
    question.pushes >= 2 && (line.has("hang-push") || line.has("hang-seed") && !seeded)
}

fn has_flag(line: &Line, start: &str) -> bool {
    line.flags.iter().any(|flag| flag.starts_with(start))
}

/// Bugs that change the answer.
pub(super) fn twist(line: &Line, question: &Question, decision: Decision) -> Decision {
    match decision {
        Decision::Sat(_) if planted(line, question, "unsat") => Decision::Unsat,
        Decision::Unsat if planted(line, question, "sat") => Decision::Sat(0),
        Decision::Sat(_) if line.has("not-xor") && question.nested(Op::Not, &[Op::Xor], None) => {
            Decision::Unsat
        }
        Decision::Unsat if line.has("ite-ite") && question.nested(Op::Ite, &[Op::Ite], Some(0)) => {
            Decision::Sat(0)
        }
        Decision::Sat(_) if line.has("only-true") && wants_truth(question) => Decision::Unsat,
        Decision::Sat(_) if line.has("open-false") && wants_open(question) => Decision::Unsat,
        Decision::Sat(_) if line.has("last-compared") && ends_compared(question) => Decision::Unsat,
        // A limit of its own ends it instead.
        _ if hangs(line, question) => Decision::Unknown,
        _ if line.has("flaky-eq") && negated_equality(question) => flip(decision),
        _ => decision,
    }
}

/// True if the first three constants are true in every model.
fn wants_truth(question: &Question) -> bool {
    are_true(question, 0..3)
}

/// True if what a selector of another constructor gives is true in every model.
fn wants_open(question: &Question) -> bool {
    let mut open = question.circuit.open.iter();
    open.any(|&index| are_true(question, [index]))
}

/// True if these constants are declared, and true in every model.
fn are_true(question: &Question, constants: impl IntoIterator<Item = usize>) -> bool {
    let mut circuit = question.circuit.clone();
    let constant = |wanted: usize| {
        let mut gates = question.circuit.gates.iter();
        gates.position(|gate| gate.op == Op::Constant(wanted))
    };
    let constants = constants.into_iter().map(constant);
    let Some(constants) = constants.collect::<Option<Vec<GateId>>>() else {
        return false;
    };
    let all = circuit.push(Op::And, constants);
    let other = circuit.push(Op::Not, vec![all]);
    let assertions = [question.assertions, &[other]].concat();
    decide(&circuit, &assertions) == Decision::Unsat
}

fn ends_compared(question: &Question) -> bool {
    let last = question
        .assertions
        .last()
        .filter(|_| question.assertions.len() > 2);
    let is_compared = |&last: &GateId| {
        let op = question.circuit.gates[last].op;
        matches!(op, Op::Equal | Op::Distinct)
    };
    question.circuit.universal && last.is_some_and(is_compared)
}

fn negated_equality(question: &Question) -> bool {
    let is_not = |&id: &GateId| question.circuit.gates[id].op == Op::Not;
    question.any(|gate| gate.op == Op::Equal && gate.args.iter().all(is_not))
}

fn flip(decision: Decision) -> Decision {
    match decision {
        _ if coin() => decision,
        Decision::Sat(_) => Decision::Unsat,
        Decision::Unsat => Decision::Sat(0),
        Decision::Unknown => Decision::Unknown,
    }
}

/// Heads or tails, whatever the process before got: ids of processes that are
/// started in turn follow a pattern, and so may the times.
fn coin() -> bool {
    RandomState::new().hash_one(()).is_multiple_of(2)
}

/// True if the model is said to be wrong.
pub(super) fn refutes_itself(line: &Line, question: &Question) -> bool {
    line.has("bad-model") && question.nested(Op::And, &[Op::Or], None)
        || planted(line, question, "invalid")
}

/// True if the answer is not printed.
pub(super) fn loses_answer(line: &Line, question: &Question) -> bool {
    line.has("lose-answer") && question.number >= 3
}

/// True if the constant is not in the model.
pub(super) fn leaves_out(line: &Line, index: usize) -> bool {
    line.has("left-out") && index == 0
}

/// True if the model has the constant the other way round.
pub(super) fn turns(line: &Line, circuit: &Circuit, index: usize) -> bool {
    line.has("quantified-model") && circuit.quantified && index == 0
}

/// The model that values are told of.
pub(super) fn model_of_values(line: &Line, model: u64) -> u64 {
    model ^ u64::from(line.has("left-out"))
}
