//! Every planted bug shows on its trigger and nowhere else; without bugs the
//! zoo is right.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};

use lydite_zoo::bugs::{BUGS, of_program};
use tempfile::TempDir;

const SOLVER: &str = env!("CARGO_BIN_EXE_zoo-solver");
const COMPILER: &str = env!("CARGO_BIN_EXE_zoo-compiler");
const INTERPRETER: &str = env!("CARGO_BIN_EXE_zoo-interpreter");
const RUN: &str = env!("CARGO_BIN_EXE_zoo-run");

/// A file that goes with its folder.
struct Input(TempDir);

impl Input {
    fn new(text: &str) -> Input {
        let folder = TempDir::with_prefix("lydite-zoo-").expect("folder");
        std::fs::write(folder.path().join("input"), text).expect("input");
        Input(folder)
    }
}

fn output(program: &str, args: &[&str], input: &Input) -> Output {
    let mut command = Command::new(program);
    command
        .args(args)
        .current_dir(input.0.path())
        .stdin(Stdio::null());
    command.output().expect("started")
}

/// Standard output, or the signal or the status and standard error.
fn show(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().replace('\n', " | ");
    match (output.status.signal(), output.status.code()) {
        (Some(signal), _) => format!("signal {signal}: {}", text(&output.stderr)),
        (_, Some(0)) => text(&output.stdout),
        (_, status) => {
            let printed = format!("{} {}", text(&output.stdout), text(&output.stderr));
            format!("status {}: {}", status.unwrap_or(-1), printed.trim())
        }
    }
}

/// With these bugs, each perhaps followed by a flag that it needs.
fn solve(script: &str, bugs: &[&str]) -> String {
    let words = bugs.iter().map(|bug| bug.split(' '));
    let mut args: Vec<&str> = words
        .flat_map(|words| ["--bug"].into_iter().chain(words))
        .collect();
    args.extend(["--slow-ms", "30", "input"]);
    show(&output(SOLVER, &args, &Input::new(script)))
}

const DECLARE: &str = "(declare-const a Bool) (declare-const b Bool) (declare-const c Bool) ";

#[test]
fn the_solver_is_right() {
    let cell = "(declare-datatypes ((Cell 0)) (((none) (some (val Bool)))))";
    let open = format!("{cell}(assert (val none))(check-sat)(get-model)(get-value (a (val none)))");
    for (script, answers) in [
        (
            open.as_str(),
            "sat | ( |   (define-fun a () Bool false) |   (define-fun b () Bool false) |   \
             (define-fun c () Bool false) | ) | ((a false) |  ((val none) true))",
        ),
        (
            "(assert (exists ((x Int)) (and a (not (forall ((y Real)) a))))) (check-sat)",
            "unsat",
        ),
        ("(check-sat)", "sat"),
        ("(assert false) (check-sat)", "unsat"),
        ("(assert (and a (not a))) (check-sat)", "unsat"),
        (
            "(assert (xor a b c)) (assert (= a b)) (assert (not c)) (check-sat)",
            "unsat",
        ),
        ("(assert (not (=> a b a))) (check-sat)", "unsat"),
        (
            "(assert (not (=> a b c))) (assert (not (and a b (not c)))) (check-sat)",
            "unsat",
        ),
        (
            "(assert (distinct a b)) (check-sat) (assert (distinct a b c)) (check-sat)",
            "sat | unsat",
        ),
        (
            "(assert (ite a b c)) (assert (not b)) (check-sat) (assert a) (check-sat)",
            "sat | unsat",
        ),
        (
            "(assert (let ((a b) (b (not b))) (= a b))) (check-sat)",
            "unsat",
        ),
        (
            "(assert (let ((x a)) (let ((x (not x)) (y x)) (= x y)))) (check-sat)",
            "unsat",
        ),
        (
            "(push 1) (assert a) (push) (assert (not a)) (check-sat) (pop) (check-sat) (pop) (check-sat)",
            "unsat | sat | sat",
        ),
        (
            "(define-fun d () Bool (not a)) (assert (and a d)) (check-sat)",
            "unsat",
        ),
        (
            "(assert (! a :named n)) (check-sat) (exit) (check-sat)",
            "sat",
        ),
        (
            "(assert (and a (not b))) (check-sat) (get-model)",
            "sat | ( |   (define-fun a () Bool true) |   (define-fun b () Bool false) |   (define-fun c () Bool false) | )",
        ),
    ] {
        assert_eq!(
            solve(&format!("{DECLARE}{script}"), &[]),
            answers,
            "{script}"
        );
    }
}

#[test]
fn the_solver_counts_every_assignment_of_sixteen_constants_and_no_more() {
    let script = |count: usize, last: &str| {
        let names: Vec<String> = (0..count).map(|index| format!("x{index}")).collect();
        let declared: String = names
            .iter()
            .map(|name| format!("(declare-const {name} Bool)"))
            .collect();
        format!(
            "{declared}(assert (and {})){last}(check-sat)",
            names.join(" ")
        )
    };
    assert_eq!(solve(&script(16, ""), &[]), "sat");
    assert_eq!(solve(&script(16, "(assert (not x15))"), &[]), "unsat");
    assert_eq!(solve(&script(17, ""), &[]), "unknown");
}

#[test]
fn the_solver_refuses_what_it_does_not_know_and_survives_hostile_text() {
    for (script, part) in [
        ("(declare-const i Int)", "unsupported sort Int"),
        ("(assert d)", "unknown constant d"),
        ("(assert (f a))", "unsupported function f"),
        ("(assert (not a b))", "wrong number of arguments"),
        ("(frobnicate)", "unsupported command frobnicate"),
        ("(assert a", "never closed"),
        (")", "extra"),
        ("(assert (forall ((x Bool)) x))", "unknown constant x"),
        ("(assert (forall ((a Bool)) a))", "unsupported variable"),
        (
            "(check-sat)(get-value ((and (or a b) c)))",
            "unsupported term",
        ),
        ("(pop)", "pop without push"),
        ("(push 99999999999999)", "too many pushes"),
        ("\"abc", "unterminated"),
    ] {
        let shown = solve(&format!("{DECLARE}\n{script}"), &[]).replace("sat | ", "");
        assert!(shown.starts_with("status 1: (error \"line 2: "), "{shown}");
        assert!(shown.contains(part), "{shown}");
    }
    let deep = 1_000_000;
    let nots = format!(
        "{DECLARE}(assert {}a{})(check-sat)",
        "(not ".repeat(deep),
        ")".repeat(deep)
    );
    assert_eq!(solve(&nots, &[]), "sat");
    assert!(solve(&"(".repeat(deep), &[]).contains("never closed"));
}

#[test]
fn each_bug_of_the_solver_shows_on_its_trigger_only() {
    let cases: &[(&str, &str, &str)] = &[
        ("not-xor", "(assert (not (xor a b))) (check-sat)", "unsat"),
        (
            "ite-ite",
            "(assert (ite (ite a b c) false false)) (check-sat)",
            "sat",
        ),
        (
            "assert-distinct",
            "(assert (distinct a b c)) (check-sat)",
            "signal 6: ASSERTION VIOLATION | File: ../src/rewriter/distinct.cpp | Line: 213 | arity == 2",
        ),
        (
            "segv-shadow",
            "(assert (let ((a b)) a)) (check-sat)",
            "signal 11: ",
        ),
        (
            "two-sites",
            "(assert (=> a b c)) (check-sat)",
            "signal 6: Fatal failure within Chain::flatten() at src/prop/chain.cpp:31 | Check failure |  |   d_links.size() == 2",
        ),
        (
            "two-sites",
            "(push) (assert (=> a b c)) (check-sat)",
            "signal 6: Fatal failure within Scope::restore() at src/context/scope.cpp:88 | Check failure |  |   d_level == level",
        ),
        (
            "bad-model",
            "(assert (and a (or b c))) (check-sat)",
            "status 1: (error \"an invalid model was generated\") | sat",
        ),
        (
            "short-core",
            "(assert (! a :named n1)) (assert (! (not a) :named n2)) (check-sat) (get-unsat-core)",
            "unsat | (n2)",
        ),
        (
            "only-true",
            "(assert a) (assert (and b c)) (check-sat)",
            "unsat",
        ),
        (
            "no-assumptions",
            "(assert a) (check-sat-assuming ((not a)))",
            "sat",
        ),
        (
            "last-compared",
            "(assert a) (assert (forall ((x Int)) (or a b))) (assert (distinct a b)) (check-sat)",
            "unsat",
        ),
        (
            "defined-ite",
            "(define-fun d () Bool (and a b)) (define-fun e () Bool (or b c)) \
             (assert (ite a (ite b d c) (ite c a e))) (check-sat)",
            "signal 6: ASSERTION VIOLATION | File: ../src/prop/expand.cpp | Line: 31 | is_open",
        ),
        (
            "short-assumptions",
            "(assert a) (check-sat-assuming ((not a) b)) (get-unsat-assumptions)",
            "unsat | (b)",
        ),
        (
            "greedy-soft",
            "(assert (or a b)) (assert-soft (not a) :weight 3) (assert-soft b :weight 0.5) \
             (assert-soft c) (check-sat) (get-objectives)",
            "sat | (objectives |  ( 4.500) | )",
        ),
        (
            "bad-proof --check-proofs",
            "(assert (not (=> a b a))) (check-sat)",
            "signal 6: Fatal failure within Proof::check() at src/proof/rules.cpp:57 | no rule",
        ),
        (
            "bad-proof",
            "(assert (not (=> a b a))) (check-sat)",
            "unsat",
        ),
        (
            "fat-core --minimal-cores",
            "(assert (! a :named n1)) (assert (! b :named n2)) (assert (not a)) (check-sat) \
             (get-unsat-core)",
            "unsat | (n1 n2)",
        ),
        (
            "quantified-model",
            "(assert (exists ((x Int)) a)) (check-sat) (get-model)",
            "sat | ( |   (define-fun a () Bool false) |   (define-fun b () Bool false) |   \
             (define-fun c () Bool false) | )",
        ),
        (
            "open-false",
            "(declare-datatype Cell ((none) (some (val Bool)))) (assert (val none)) (check-sat)",
            "unsat",
        ),
        (
            "left-out",
            "(assert a) (check-sat) (get-model) (get-value (a b))",
            "sat | ( |   (define-fun b () Bool false) |   (define-fun c () Bool false) | ) | \
             ((a false) |  (b false))",
        ),
        (
            "no-ite",
            "(assert (ite a b c)) (check-sat)",
            "status 1: unsupported",
        ),
        (
            "lose-answer",
            "(check-sat) (check-sat) (check-sat)",
            "sat | sat",
        ),
        (
            "reject-xor-true",
            "(assert (xor a true)) (check-sat)",
            "status 1: (error \"line 1: unexpected token in xor\")",
        ),
        ("slow-xor", "(assert (xor a b c)) (check-sat)", "sat"),
    ];
    let ended_by_somebody_else = ["hang-push", "hang-seed", "eat-and", "flaky-eq"];
    for bug in of_program("zoo-solver") {
        let own = cases
            .iter()
            .filter(|(name, ..)| name.split(' ').next() == Some(bug.name));
        assert!(
            own.count() > 0 || ended_by_somebody_else.contains(&bug.name),
            "{}",
            bug.name
        );
        let harmless =
            format!("{DECLARE}(push) (assert (=> a (xor b c))) (check-sat) (pop) (check-sat)");
        assert_eq!(solve(&harmless, &[bug.name]), "sat | sat", "{}", bug.name);
    }
    for (bug, script, shown) in cases {
        let script = format!("{DECLARE}{script}");
        assert_eq!(solve(&script, &[bug]), *shown, "{bug}");
        assert!(!solve(&script, &[]).contains("signal"), "{bug}");
    }
}

#[test]
fn the_flaky_bug_gives_both_answers() {
    let script = format!("{DECLARE}(assert (= (not a) (not b))) (check-sat)");
    let mut answers: Vec<String> = (0..64).map(|_| solve(&script, &["flaky-eq"])).collect();
    answers.sort();
    answers.dedup();
    assert_eq!(answers, ["sat", "unsat"]);
}

/// Compiles and runs, with what `-O` and bugs are given.
fn compile_and_run(program: &str, args: &[&str]) -> String {
    let input = Input::new(program);
    let args = [args, &["input", "-o", "out"]].concat();
    let compiled = output(COMPILER, &args, &input);
    if !compiled.status.success() {
        return format!("compiler: {}", show(&compiled));
    }
    show(&output(RUN, &["out"], &input))
}

fn interpret(program: &str, args: &[&str]) -> String {
    let args = [args, &["input"]].concat();
    show(&output(INTERPRETER, &args, &Input::new(program)))
}

#[test]
fn compiler_and_interpreter_agree_and_are_right() {
    for (program, printed) in [
        ("print 1 + 2 * 3 - 4;", "3"),
        (
            "print (1 + 2) * -3; print -(2 - 5); print !0 + !7;",
            "-9 | 3 | 1",
        ),
        (
            "print 7 / 2; print -7 / 2; print -7 % 3; print 7 % -3;",
            "3 | -3 | -1 | 1",
        ),
        ("print 9223372036854775807 + 1;", "-9223372036854775808"),
        (
            "print 1 < 2 && 2 <= 2 || 0; print 3 == 4; print 3 != 4; print 1 >= 2;",
            "1 | 0 | 1 | 0",
        ),
        (
            "let x = 3; while x > 0 { if x % 2 { print x; } else { print 0 - x; } x = x - 1; }",
            "3 | -2 | 1",
        ),
        (
            "let i = 0; let s = 0; while i < 10 { i = i + 1; let j = 0; while j < i { j = j + 1; s = s + j; } } print s;",
            "220",
        ),
        ("# comment\nif 0 { print 1; } else { } print 2;", "2"),
        ("if 1 { 0 } ", "error"),
        ("print 1 / 0;", "division by zero"),
        ("while 1 { }", "step limit reached"),
        ("print x;", "1: `x` is not declared"),
        ("let while = 1;", "1: `while` is a keyword"),
        ("print (1;", "1: `(` is never closed"),
        ("\n}", "2: `}` without `{`"),
        ("if 1 {", "error"),
        ("print 99999999999999999999;", "too large"),
        ("print \u{1f980};", "unexpected character `\\u{1f980}`"),
    ] {
        let mut shown = ["-O0", "-O2"]
            .map(|level| compile_and_run(program, &[level]))
            .to_vec();
        shown.push(interpret(program, &[]));
        for shown in shown {
            match shown.contains("status") {
                true if printed == "error" => {}
                true => assert!(shown.contains(printed), "{program}: {shown}"),
                false => assert_eq!(shown, printed, "{program}"),
            }
        }
    }
}

#[test]
fn deep_and_long_programs_do_not_overflow_the_stack() {
    let many = 200_000;
    let parentheses = format!("print {}1{};", "-(".repeat(many), ")".repeat(many));
    let sum = format!("print 0{};", " + 1".repeat(many));
    let blocks = format!("{}print 1;{}", "if 1 { ".repeat(many), "}".repeat(many));
    for (program, printed) in [(parentheses, "1"), (sum, "200000"), (blocks, "1")] {
        assert_eq!(interpret(&program, &[]), printed);
        assert_eq!(compile_and_run(&program, &["-O2"]), printed);
    }
}

#[test]
fn each_bug_of_compiler_and_interpreter_shows_on_its_trigger_only() {
    type Step = fn(&str, &[&str]) -> String;
    let (compiler, interpreter): (Step, Step) = (compile_and_run, interpret);
    let cases: &[(Step, &str, &str, &str, &str)] = &[
        (
            compiler,
            "ice-while",
            "let i = 1; while i { while 0 { } i = 0; } print i;",
            "0",
            "compiler: status 4: input:1: internal compiler error: in lower_loop, at loops.c:412",
        ),
        (
            compiler,
            "segv-name",
            "let aVeryLongNameForOneVariable = 1;",
            "",
            "compiler: signal 11: ",
        ),
        (compiler, "fold-rem", "print -7 % 3;", "-1", "2"),
        (
            compiler,
            "reject-minus",
            "print -(1);",
            "-1",
            "compiler: status 1: input:1: expected an expression before `(`",
        ),
        (
            compiler,
            "accept-undeclared",
            "print x;",
            "compiler: status 1: input:1: `x` is not declared",
            "0",
        ),
        (interpreter, "less-equal", "print 2 <= 2;", "1", "0"),
        (
            interpreter,
            "print-negative",
            "print 1; print -1;",
            "1 | -1",
            "signal 6: print.c:57: print_number: Assertion `digits > 0' failed.",
        ),
    ];
    for bug in BUGS
        .iter()
        .filter(|bug| bug.program != "zoo-solver" && bug.kind != "hang")
    {
        assert!(cases.iter().any(|case| case.1 == bug.name), "{}", bug.name);
    }
    for (step, bug, program, right, wrong) in cases {
        assert_eq!(step(program, &["-O2"]), *right, "{bug}");
        assert_eq!(step(program, &["-O2", "--bug", bug]), *wrong, "{bug}");
        assert_eq!(
            step("print 1 + 6 % 4;", &["-O2", "--bug", bug]),
            "3",
            "{bug}"
        );
    }
    assert_eq!(
        compile_and_run("print -7 % 3;", &["--bug", "fold-rem"]),
        "-1"
    );
}
