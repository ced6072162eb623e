//! Answers that can be seen from the script itself.
//!
//! `sat`: the script carries a witness (`(set-info :witness "…")`, definitions of
//! what it declares), and our evaluator finds every assertion true under it.
//! `unsat`: some assertions pin constants to values (`(= x 5)`), the others have
//! sorts of few values or none that matters, and whatever these are, some
//! assertion is false.
//!
//! Why that is enough: evaluation is exact, and with [`Completion::None`] it says
//! true or false only where that does not depend on what nobody said. So a witness
//! is a model, however what the standard leaves open is read; and where an
//! assertion is false for every value of every constant that was not pinned, no
//! model is left.

use lydite_core::{Answer, Case, Claim, Verdict};

use crate::eval::{
    Budget, Completion, Context, Question, evaluate, evaluate_all, question, questions,
};
use crate::operators::Operators;
use crate::syntax::{
    self, AttributeValue, Command, CommandKind, Script, Sexpr, Symbol, Term, TermId, parse_commands,
};
use crate::typing;
use crate::value::Value;

/// The keyword under which a script carries its witness.
pub(super) const WITNESS: &str = ":witness";

/// What one question may cost.
const BUDGET: Budget = Budget { steps: 400_000 };

/// The most assignments that are tried.
pub(super) const MOST_ASSIGNMENTS: usize = 1024;

/// True if every answer that is claimed can be seen from the programs.
pub(crate) fn upholds(case: &Case, operators: &Operators) -> bool {
    let Claim::Answers(Answer::Verdicts(verdicts)) = &case.claim else {
        return false;
    };
    case.programs.iter().all(|program| {
        syntax::parse(&program.source().text)
            .is_ok_and(|script| confirms(&script, verdicts, operators))
    })
}

/// True if the answers of a script can be seen from it; at least one is known.
pub(super) fn confirms(script: &Script, verdicts: &[Verdict], operators: &Operators) -> bool {
    let options = typing::Options {
        strict: false,
        operators,
    };
    let is_clear = typing::check(script, &options).is_ok_and(|typed| typed.overloaded.is_none());
    let known = verdicts.iter().any(|verdict| *verdict != Verdict::Unknown);
    known
        && is_clear
        && verdicts.len() == questions(script)
        && !script.commands.iter().any(is_beyond_us)
        && verdicts
            .iter()
            .enumerate()
            .all(|(at, verdict)| match verdict {
                Verdict::Sat => is_witnessed(script, at),
                Verdict::Unsat => is_refuted(script, at),
                Verdict::Unknown => true,
            })
}

/// True for what may say something that is not evaluated.
fn is_beyond_us(command: &Command) -> bool {
    matches!(
        command.kind,
        CommandKind::Parametric(..) | CommandKind::ParametricFunsRec(_) | CommandKind::Unknown(_)
    )
}

fn is_recursive(command: &Command) -> bool {
    matches!(
        command.kind,
        CommandKind::DefineFunRec(_) | CommandKind::DefineFunsRec(_)
    )
}

/// The witness that a script carries, as commands.
fn carried(script: &Script) -> Option<String> {
    script.commands.iter().find_map(|command| {
        let CommandKind::SetInfo(attribute) = &command.kind else {
            return None;
        };
        let AttributeValue::Sexpr(sexpr) = attribute.value else {
            return None;
        };
        match script.sexpr(sexpr) {
            Sexpr::Literal(_, text) if script.name(attribute.keyword) == WITNESS => {
                Some(script.name(text).replace("\"\"", "\""))
            }
            _ => None,
        }
    })
}

fn is_witnessed(script: &Script, at: usize) -> bool {
    let (Some(witness), Some(asked)) = (carried(script), question(script, at)) else {
        return false;
    };
    // A recursive definition says something of its own, which may have no model.
    if asked
        .declarations
        .iter()
        .any(|&at| is_recursive(&script.commands[at]))
    {
        return false;
    }
    let mut script = script.clone();
    let Ok(commands) = parse_commands(&mut script, &witness) else {
        return false;
    };
    let context = interpreted(&script, &asked, &commands);
    let values = evaluate_all(
        &script,
        &context,
        &asked.assertions,
        Completion::None,
        BUDGET,
    );
    context.is_clear(&script) && values.iter().all(|value| *value == Ok(Value::Bool(true)))
}

/// What names mean at a question under a witness.
pub(super) fn interpreted(script: &Script, asked: &Question, witness: &[Command]) -> Context {
    let mut context = Context::new(script, asked);
    context.interpret(script, witness);
    context
}

/// True if no model is left: see the module's documentation.
fn is_refuted(script: &Script, at: usize) -> bool {
    let Some(asked) = question(script, at) else {
        return false;
    };
    let mut context = Context::new(script, &asked);
    let taken = ["and", "not", "="]
        .iter()
        .any(|name| context.declares(script, name));
    if taken || !context.is_clear(script) {
        return false;
    }
    pin(script, &mut context, &asked.assertions);
    if some_is_false(script, &context, &asked.assertions) {
        return true;
    }
    let finite = finite_constants(script, &context);
    let Some(count) = assignments(&finite) else {
        return false;
    };
    (0..count).all(|number| {
        let context = assigned(&context, &finite, number);
        some_is_false(script, &context, &asked.assertions)
    })
}

/// True if some assertion is false, whatever is not known.
pub(super) fn some_is_false(script: &Script, context: &Context, assertions: &[TermId]) -> bool {
    let values = evaluate_all(script, context, assertions, Completion::None, BUDGET);
    values.contains(&Ok(Value::Bool(false)))
}

/// Constants and all values that they may have.
pub(super) type Finite = Vec<(Symbol, std::sync::Arc<[Value]>)>;

/// The constants without a value whose sorts have few values.
pub(super) fn finite_constants(script: &Script, context: &Context) -> Finite {
    let mut finite: Finite = context
        .uninterpreted()
        .filter_map(|symbol| Some((symbol, context.all_values(script, symbol)?)))
        .filter(|(_, values)| !values.is_empty())
        .collect();
    finite.sort_by_key(|(_, values)| values.len());
    let mut product = 1usize;
    finite.retain(|(_, values)| {
        let more = product.saturating_mul(values.len());
        let fits = more <= MOST_ASSIGNMENTS;
        product = if fits { more } else { product };
        fits
    });
    finite
}

/// How many assignments there are; none if there is nothing to assign.
pub(super) fn assignments(finite: &Finite) -> Option<usize> {
    (!finite.is_empty()).then(|| finite.iter().map(|(_, values)| values.len()).product())
}

/// The context with assignment `number` of the finite constants.
pub(super) fn assigned(context: &Context, finite: &Finite, number: usize) -> Context {
    let mut context = context.clone();
    let mut rest = number;
    for (symbol, values) in finite {
        context.assign(*symbol, values[rest % values.len()].clone());
        rest /= values.len();
    }
    context
}

/// Gives constants the values that assertions pin them to: `(= c v)` where v has a
/// value already, `c`, `(not c)`, and the same under `and`. Until nothing is new.
fn pin(script: &Script, context: &mut Context, assertions: &[TermId]) {
    let mut facts: Vec<TermId> = Vec::new();
    let mut work: Vec<TermId> = assertions.to_vec();
    while let Some(term) = work.pop() {
        match script.call(term) {
            Some(("and", arguments)) => work.extend_from_slice(arguments),
            _ => facts.push(term),
        }
    }
    let mut news = true;
    while news {
        news = false;
        facts.retain(|&fact| {
            let pinned = pinned_by(script, context, fact);
            if let Some((symbol, value)) = &pinned {
                context.assign(*symbol, value.clone());
                news = true;
            }
            pinned.is_none()
        });
    }
}

fn pinned_by(script: &Script, context: &Context, fact: TermId) -> Option<(Symbol, Value)> {
    let constant = |term: TermId| match script.term(term) {
        Term::Application {
            head,
            arguments: [],
        } => {
            let identifier = script.identifier(head);
            let plain = identifier.indices.is_empty() && identifier.sort.is_none();
            (plain && context.is_open_constant(identifier.symbol)).then_some(identifier.symbol)
        }
        _ => None,
    };
    if let Some(symbol) = constant(fact) {
        return Some((symbol, Value::Bool(true)));
    }
    match script.call(fact)? {
        ("not", &[inner]) => Some((constant(inner)?, Value::Bool(false))),
        ("=", &[left, right]) => {
            let (symbol, other) = match (constant(left), constant(right)) {
                (Some(symbol), _) => (symbol, right),
                (None, Some(symbol)) => (symbol, left),
                (None, None) => return None,
            };
            let value = evaluate(script, context, other, Completion::None, BUDGET).ok()?;
            value.decidable().then_some((symbol, value))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse;

    fn confirmed(text: &str, verdict: Verdict) -> bool {
        let script = parse(text.as_bytes()).unwrap();
        confirms(&script, &[verdict], Operators::built_in())
    }

    #[test]
    fn a_witness_that_makes_all_true_confirms_sat_and_nothing_else_does() {
        let script = |witness: &str| {
            format!(
                "(set-info :witness \"{witness}\")(declare-const x Int)(declare-fun f (Int) String)\
                 (assert (> x 3))(assert (= (f x) \"a\"))(check-sat)"
            )
        };
        let f = "(define-fun f ((y Int)) String (ite (= y 5) \"\"a\"\" \"\"b\"\"))";
        for (witness, expected) in [
            (format!("(define-fun x () Int 5){f}"), true),
            (format!("(define-fun x () Int 4){f}"), false),
            (format!("(define-fun x () Int 2){f}"), false),
            ("(define-fun x () Int 5)".to_string(), false),
            ("(define-fun x () Int".to_string(), false),
        ] {
            assert_eq!(
                confirmed(&script(&witness), Verdict::Sat),
                expected,
                "{witness}"
            );
        }
        assert!(!confirmed(
            "(declare-const x Int)(assert (> x 3))(check-sat)",
            Verdict::Sat
        ));
    }

    #[test]
    fn what_is_left_open_confirms_nothing() {
        let text = "(set-info :witness \"(define-fun x () Int 0)\")(declare-const x Int)\
                    (assert (= (div 1 x) (div 1 x)))(assert (= (div 1 x) 0))(check-sat)";
        assert!(!confirmed(text, Verdict::Sat));
    }

    #[test]
    fn a_recursive_definition_may_have_no_model_so_nothing_is_witnessed_beside_it() {
        let text = "(set-info :witness \"(define-fun x () Int 0)\")(declare-const x Int)\
                    (define-fun-rec f ((y Int)) Int (+ (f y) 1))(assert (= x 0))(check-sat)";
        assert!(!confirmed(text, Verdict::Sat));
    }

    #[test]
    fn pins_and_few_values_confirm_unsat() {
        for (text, expected) in [
            (
                "(declare-const x Int)(assert (= x 5))(assert (< x 5))",
                true,
            ),
            (
                "(declare-const x Int)(assert (= x 5))(assert (<= x 5))",
                false,
            ),
            (
                "(declare-const x Int)(declare-const y Int)(assert (= (+ x 1) y))(assert (= 2 x))(assert (= y 4))",
                true,
            ),
            (
                "(declare-const x Int)(declare-const y Int)(assert (= x y))(assert (< x y))",
                false,
            ),
            (
                "(declare-const p Bool)(declare-const q Bool)(assert (xor p q))(assert (= p q))",
                true,
            ),
            (
                "(declare-const p Bool)(declare-const q Bool)(assert (xor p q))(assert (or p q))",
                false,
            ),
            (
                "(declare-const b (_ BitVec 2))(assert (not (= (bvmul b #b01) b)))",
                true,
            ),
            (
                "(declare-const b (_ BitVec 2))(declare-const x Int)(assert (= x (div x 0)))(assert (bvult b #b00))",
                true,
            ),
            (
                "(declare-const x Real)(assert (= x 0.0))(assert (= (/ 1.0 x) 1.0))",
                false,
            ),
            (
                "(declare-const p Bool)(push 1)(assert (not p))(pop 1)(assert p)",
                false,
            ),
        ] {
            let text = format!("{text}(check-sat)");
            assert_eq!(confirmed(&text, Verdict::Unsat), expected, "{text}");
            assert!(!confirmed(&text, Verdict::Unknown), "{text}");
        }
    }
}
