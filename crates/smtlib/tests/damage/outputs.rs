//! What solvers might have said to a script: verdicts, models in their many
//! forms, cores, errors, all of it perhaps damaged.

use std::time::Duration;

use lydite_core::{
    Answer, Capture, Choices, Exit, Observation, Outcome, Reject, Role, Table, Verdict,
};
use lydite_smtlib::model::{Reply, replies};
use lydite_smtlib::print;
use lydite_smtlib::syntax::{CommandKind, Script};

/// Values by what their sort begins with. `@` is the sort, `@1` and `@2` its
/// numerals.
const VALUES: &[(&str, &[&str])] = &[
    (
        "Bool",
        &["true", "false", "(= 1 1)", "(forall ((x Bool)) x)"],
    ),
    (
        "Int",
        &[
            "0", "1", "(- 1)", "99999999999999999999", "(- 7.0)", "(div 1 0)", "(^ 2 1000000000)",
        ],
    ),
    (
        "Real",
        &[
            "0.0",
            "(/ 1 3)",
            "(- (/ 1.0 3.0))",
            "1.414214",
            "(/ 1 0)",
            "(root-obj (+ (^ x 2) (- 2)) 1)",
            "(root-obj (+ (* 3 (^ x 5)) (- x) 1) 9)",
            "(_ real_algebraic_number <1*x^2 + (-2), (1, 2)>)",
        ],
    ),
    (
        "(_ BitVec",
        &[
            "(_ bv0 @1)", "(_ bv5 @1)", "(bvnot (_ bv0 @1))", "#b101", "#xff",
        ],
    ),
    (
        "(_ FloatingPoint",
        &[
            "(_ NaN @1 @2)",
            "(_ +oo @1 @2)",
            "(_ -zero @1 @2)",
            "((_ to_fp @1 @2) RNE 0.1)",
            "(fp #b0 #b10000 #b0000000001)",
            "((_ to_fp @1 @2) RTZ (/ 1 3))",
        ],
    ),
    (
        "Float",
        &[
            "(_ NaN 8 24)",
            "(fp #b1 #b00000000000 #x0000000000001)",
            "((_ to_fp 11 53) RNE 0.5)",
        ],
    ),
    ("RoundingMode", &["RNE", "roundTowardZero"]),
    (
        "String",
        &[
            "\"\"",
            "\"a\"\"b\"",
            "\"\\u{1F600}\\x41\"",
            "(str.++ \"a\" \"b\")",
            "(_ Char 65)",
            "(str.replace_re_all \"aaaa\" (re.* (str.to_re \"a\")) \"bb\")",
        ],
    ),
    (
        "(Array",
        &[
            "((as const @) 0)",
            "(_ as-array k!0)",
            "(lambda ((x!1 Int)) x!1)",
            "(store ((as const @) #b0) #b1 #b0)",
            "(store (store (as a @) 1 2) 3 4)",
            "((as const @) ((as const (Array Int Int)) 1))",
        ],
    ),
    (
        "(Seq",
        &["(as seq.empty @)", "(seq.++ (seq.unit 1) (seq.unit 2))"],
    ),
    (
        "(Set",
        &[
            "(as set.empty @)",
            "(set.union (set.singleton 1) (set.singleton 2))",
        ],
    ),
    (
        "",
        &[
            "(as @T_0 @)", "|@!val!0|", "@uc_U_1", "(let ((a!1 0)) a!1)", "nil", "(cons 1 nil)",
        ],
    ),
];

/// What one solver prints for a script.
pub(super) fn output(script: Option<&Script>, choices: &mut Choices) -> Result<String, Reject> {
    let mut text = String::new();
    for _ in 0..choices.between(1, 3)? {
        text += match choices.below(6)? {
            0 => "unsat\n(a b |c d|)\n",
            1 => "unsat\n(error \"line 3: model is not available\")\n",
            2 => "unknown\n",
            _ => "sat\n",
        };
        if text.ends_with("sat\n") && !text.ends_with("unsat\n") {
            text += &model(script, choices)?;
        }
    }
    let mut bytes = text.into_bytes();
    if choices.chance(2, 3)? {
        let words = super::words(&bytes);
        super::damage(&mut bytes, &words, choices)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A value for everything that is declared, and functions nobody asked for.
fn model(script: Option<&Script>, choices: &mut Choices) -> Result<String, Reject> {
    let mut text = match choices.below(3)? {
        0 => "(model\n".to_string(),
        1 => "(\n;; universe for U:\n;; U!val!0 U!val!1\n(declare-fun U!val!0 () U)\n".to_string(),
        _ => "(\n; cardinality of U is 2\n; rep: (as @U_0 U)\n; rep: @uc_U_1\n".to_string(),
    };
    let commands = script.map_or(&[][..], |script| &script.commands);
    for command in commands {
        let Some(script) = script else { break };
        let (symbol, arguments, sort) = match &command.kind {
            CommandKind::DeclareConst(symbol, sort) => (*symbol, &[][..], *sort),
            CommandKind::DeclareFun(symbol, arguments, sort) => (*symbol, &arguments[..], *sort),
            _ => continue,
        };
        let name = print::symbol(script, symbol);
        let sort = print::sort(script, sort);
        let numbered = arguments.iter().enumerate();
        let parameters: Vec<String> = numbered
            .map(|(at, argument)| format!("(x!{at} {})", print::sort(script, *argument)))
            .collect();
        let mut body = value(&sort, choices)?;
        if !parameters.is_empty() && choices.chance(1, 2)? {
            let first = value(&print::sort(script, arguments[0]), choices)?;
            body = format!("(ite (= x!0 {first}) {body} {})", value(&sort, choices)?);
        }
        text += &format!(
            "(define-fun {name} ({}) {sort} {body})\n",
            parameters.join(" ")
        );
    }
    text += "(define-fun k!0 ((x!0 Int)) Int (ite (= x!0 1) 5 (k!0 x!0)))\n";
    text += "(define-fun div0 ((x!0 Int)) Int 7)\n(define-fun /0 ((x!0 Real)) Real 0.5)\n)\n";
    Ok(text)
}

fn value(sort: &str, choices: &mut Choices) -> Result<String, Reject> {
    let fitting = VALUES.iter().find(|(head, _)| sort.starts_with(head));
    let (_, forms) = fitting.expect("the last row fits every sort");
    let digits = |c: char| !c.is_ascii_digit();
    let mut numerals = sort.split(digits).filter(|word| !word.is_empty());
    let (first, second) = (numerals.next(), numerals.next());
    let form = choices.pick(forms)?;
    Ok(form
        .replace("@1", first.unwrap_or("8"))
        .replace("@2", second.unwrap_or("24"))
        .replace('@', sort))
}

/// Adds what four solvers say of a program; every reading rule of
/// [`lydite_smtlib::model::Reading`] takes part.
pub(super) fn observe(
    table: &mut Table,
    script: Option<&Script>,
    program: usize,
    choices: &mut Choices,
) -> Result<(), Reject> {
    for target in ["z3", "cvc5@1.4.2", "yices@2.6.5", "cvc4@1.8"] {
        let stdout = output(script, choices)?;
        let verdicts: Vec<Verdict> = replies(&stdout)
            .into_iter()
            .filter_map(|reply| match reply {
                Reply::Verdict(verdict) => Some(verdict),
                _ => None,
            })
            .collect();
        table.observations.push(Observation {
            program,
            target: target.parse().expect("a target's name"),
            role: Role::Tested,
            outcome: Outcome::Answered(Answer::Verdicts(verdicts)),
            exit: Exit::Status(0),
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            peak_kb: 0,
            stdout: Capture::whole(stdout),
            stderr: Capture::default(),
            promises: Vec::new(),
        });
    }
    Ok(())
}
