//! What each family's rules make of what it really prints: the texts are
//! those of real runs, shortened. Here solvers, and what holds for all.

#![allow(clippy::unwrap_used)]

mod reading;

use lydite_core::version::Version;
use lydite_core::{Capture, Exit, Outcome};
use lydite_process::Cut;
use lydite_target::{AllowedOption, AnswerKind, Catalogue, Frame};
use reading::{check, ended, frame, outcome};

#[test]
fn solvers_answer_once_or_often() {
    check(
        AnswerKind::Verdicts,
        &[
            ("z3", 0, "sat\n", "", "sat"),
            ("z3", 0, "sat\nunsat\nunknown\n", "", "sat unsat unknown"),
            ("z3", 0, "unknown\nunknown\n", "", "undecided"),
            ("cvc5", 0, "unknown (INCOMPLETE)\n", "", "undecided"),
            ("cvc5", 0, "sat\nunknown (TIMEOUT)\n", "", "sat unknown"),
            ("yices", 0, "unsat\n", "", "unsat"),
            ("bitwuzla", 0, "sat\r\n", "", "sat"),
            (
                "cvc4",
                0,
                "sat\n(\n(define-fun x () Int 3)\n)\nunsat\n",
                "",
                "sat unsat",
            ),
            // A word in a model or a message is no verdict.
            (
                "z3",
                0,
                "((s \"sat\"))\n; sat\nsatisfiable\n",
                "",
                "no-answer: gave no verdict, printed `((s \"sat\"))`",
            ),
            (
                "z3",
                0,
                "",
                "",
                "no-answer: gave no verdict, printed nothing",
            ),
            (
                "bitwuzla",
                1,
                "",
                "Traceback (most recent call last):\n  File \"d.py\", line 1\nModuleNotFoundError: No module named 'bitwuzla'\n",
                "no-answer: exit status 1, printed `ModuleNotFoundError: No module named 'bitwuzla'`",
            ),
        ],
    );
}

#[test]
fn options_are_of_the_versions_that_have_them_and_new_ones_come_more_often() {
    let catalogue = Catalogue::load(&[]).unwrap();
    for (family, before, newest, all, new) in [
        ("z3", "4.16.0", "5.4.0", 230, 50),
        ("cvc5", "1.2.1", "1.4.2", 120, 4),
    ] {
        let family = catalogue.family(&family.parse().unwrap()).unwrap();
        let of = |version: &str| {
            let version = Version::new(version);
            let has = |option: &&AllowedOption| option.versions.contains(&version);
            family.option.iter().filter(has).collect::<Vec<_>>()
        };
        let (old, now) = (of(before), of(newest));
        assert!(now.len() > all, "{} of {newest}", now.len());
        // Self-checks and a few others are only for releases on which they were tried.
        assert!(old.len() * 4 > now.len() * 2, "{} of {before}", old.len());
        let added: Vec<_> = now.iter().filter(|one| !old.contains(one)).collect();
        assert!(added.len() > new, "{} since {before}", added.len());
        for option in added {
            // Of one theory there are many, which count half; the usual weight is 4.
            let is_of_one_theory = option.args[0].starts_with("smt.ff.");
            let least = if is_of_one_theory { 6 } else { 8 };
            assert!(option.weight >= least, "{}", option.args.join(" "));
        }
    }
}

#[test]
fn a_request_for_what_is_not_there_does_no_harm() {
    check(
        AnswerKind::Verdicts,
        &[
            (
                "z3",
                1,
                "unsat\n(error \"line 5 column 10: model is not available\")\nunsat\n",
                "",
                "unsat unsat",
            ),
            (
                "cvc5",
                0,
                "unsat\n(error \"cannot get value unless after a SAT or UNKNOWN response.\")\nsat\n",
                "",
                "unsat sat",
            ),
            (
                "cvc5",
                1,
                "sat\n(error \"Cannot get unsat core unless explicitly enabled (try --produce-unsat-cores)\")\n",
                "",
                "sat",
            ),
            (
                "cvc4",
                0,
                "unsat\n(error \"Cannot get model unless immediately preceded by SAT/NOT_ENTAILED or UNKNOWN response.\")\n",
                "",
                "unsat",
            ),
            (
                "yices",
                0,
                "unsat\n(error \"the context is unsatisfiable\")\n",
                "",
                "unsat",
            ),
            (
                "bitwuzla",
                1,
                "unsat\n(error \"case.smt2:5:11: model generation is not enabled\")\n",
                "",
                "unsat",
            ),
            // Unknown logics and options are ignored by their solver.
            (
                "z3",
                0,
                "unsupported\nsat\n",
                "; ignoring unsupported logic FOO line: 1 position: 1\n",
                "sat",
            ),
            (
                "cvc5",
                0,
                "unsupported\nsat\n",
                "case.smt2:1.2: No set-logic command was given before this point.\n",
                "sat",
            ),
        ],
    );
}

#[test]
fn a_failure_of_its_own_stays_a_crash_whatever_words_are_in_it() {
    check(
        AnswerKind::Verdicts,
        &[
            (
                "cvc5",
                -6,
                "",
                "Fatal failure within void cvc5::internal::theory::f() at /src/theory/uf/uf.cpp:123\nCheck failure\n\n Unhandled(x): the sort is not supported here\n",
                "crashed: uf.cpp Check failure Unhandled(x): the sort is not supported here",
            ),
            (
                "cvc5",
                -6,
                "",
                "Fatal failure within a() at b.cpp:1\nUnreachable code reached an unsupported kind: does not support it\n",
                "crashed: b.cpp Unreachable code reached an unsupported kind: does not support it",
            ),
            (
                "cvc5",
                1,
                "(error \"Internal error: an unsupported term\")\n",
                "",
                "crashed: Internal error: an unsupported term",
            ),
            // Words of the model are no words of the solver.
            (
                "cvc5",
                0,
                "sat\n(\n(define-fun s () String \"not supported\")\n(define-fun |unsupported here| () Int 0)\n)\n",
                "",
                "sat",
            ),
            (
                "bitwuzla",
                1,
                "(error \"assertion failed: unsupported kind\")\n",
                "",
                "crashed: assertion failed: unsupported kind",
            ),
            // What a solver lacks and dies of is no crash.
            (
                "z3",
                -6,
                "",
                "ASSERTION VIOLATION\nFile: ../src/sat/smt/euf_solver.cpp\nLine: 77\nNOT IMPLEMENTED YET!\nZ3 5.4.0.0\nPlease file an issue with this message and more detail about how you encountered it at https://github.com/Z3Prover/z3/issues/new\n",
                "unsupported: euf_solver.cpp NOT IMPLEMENTED YET!",
            ),
            (
                "z3",
                -6,
                "",
                "ASSERTION VIOLATION\nFile: ../src/sat/smt/euf_solver.cpp\nLine: 77\nm_sort != nullptr\n",
                "crashed: euf_solver.cpp m_sort != nullptr",
            ),
        ],
    );
}

#[test]
fn what_a_solver_refuses_or_lacks_is_told_apart() {
    check(
        AnswerKind::Verdicts,
        &[
            (
                "z3",
                1,
                "(error \"line 1 column 68: unknown function/constant nope\")\nsat\n",
                "",
                "rejected: (error \"line 1 column 68: unknown function/constant nope\")",
            ),
            // A step that is right, but that its check of proofs does not know.
            (
                "z3",
                0,
                "(proofs -quant 1)\ndid not verify: l_true \n(= a!0 0)\nvc:\n\n(= a!0 0)\n\
                hint: (quant (exists (vars (a Int)) (= (:var 0) 0)) (not (= a!0 0)))\nunknown\n",
                "",
                "unsupported: did not verify: l_true",
            ),
            (
                "z3",
                0,
                "(proofs -quant 1)\ndid not verify: l_true \n(= a!0 0)\nvc:\n\n(= a!0 0)\n\
                hint: (quant (forall (vars (a Int)) (= (:var 0) 0)) (not (= 1 0)))\nunknown\n",
                "",
                "crashed: did not verify: l_true",
            ),
            (
                "z3",
                0,
                "unsupported\nsat\n",
                "; frobnicate line: 1 position: 29\n",
                "unsupported: ; frobnicate line: 1 position: 29",
            ),
            (
                "z3",
                1,
                "(error \"line 6 column 43: unknown function/constant str.in_re\")\nsat\n",
                "",
                "unsupported: (error \"line 6 column 43: unknown function/constant str.in_re\")",
            ),
            (
                "cvc4",
                1,
                "(error \"Parse Error: case.smt2:5.24: Symbol 'seq.unit' not declared as a variable\")\n",
                "",
                "unsupported: (error \"Parse Error: case.smt2:5.24: Symbol 'seq.unit' not declared as a variable\")",
            ),
            (
                "cvc5",
                1,
                "(error \"Subexpressions must have the same type:\nEquation: (= a true)\n\")\n",
                "",
                "rejected: (error \"Subexpressions must have the same type:",
            ),
            (
                "cvc5",
                1,
                "(error \"cvc5 can't solve field problems since it was not configured with --cocoa\")\n",
                "",
                "unsupported: (error \"cvc5 can't solve field problems since it was not configured with --cocoa\")",
            ),
            (
                "cvc4",
                -6,
                "",
                "Fatal failure within CVC4::Node CVC4::theory::fp::FpConverter::convert(CVC4::TNode) at ./src/theory/fp/fp_converter.cpp:1700\nUnimplemented code encounteredConversion is dependent on SymFPU\n",
                "unsupported: Unimplemented code encounteredConversion is dependent on SymFPU",
            ),
            (
                "yices",
                0,
                "(error \"unknown logic: QF_FP\")\n(error \"at line 1, column 38: undefined identifier: FloatingPoint\")\n",
                "",
                "unsupported: (error \"unknown logic: QF_FP\")",
            ),
            (
                "yices",
                0,
                "(error \"the mcsat solver does not support unsat cores\")\n",
                "",
                "unsupported: (error \"the mcsat solver does not support unsat cores\")",
            ),
            (
                "yices",
                0,
                "(error \"at line 1, column 62: undefined term: nope\")\n",
                "",
                "rejected: (error \"at line 1, column 62: undefined term: nope\")",
            ),
            (
                "bitwuzla",
                1,
                "(error \"case.smt2:1:12: unsupported logic 'QF_NIA'\")\n",
                "",
                "unsupported: (error \"case.smt2:1:12: unsupported logic 'QF_NIA'\")",
            ),
            (
                "bitwuzla",
                1,
                "(error \"case.smt2:3:13: undefined symbol 'bvfoo'\")\n",
                "",
                "rejected: (error \"case.smt2:3:13: undefined symbol 'bvfoo'\")",
            ),
        ],
    );
}

#[test]
fn a_solver_that_dies_leaves_its_site_and_its_verdicts_do_not_count() {
    check(
        AnswerKind::Verdicts,
        &[
            ("z3", -11, "sat\n", "", "crashed: SIGSEGV"),
            (
                "z3",
                114,
                "sat\nASSERTION VIOLATION\nFile: ../src/nlsat/nlsat_explain.cpp\nLine: 1450\nUNEXPECTED CODE WAS REACHED.\nZ3 4.8.11.0\nPlease file an issue\n",
                "",
                "crashed: nlsat_explain.cpp UNEXPECTED CODE WAS REACHED.",
            ),
            (
                "z3",
                -6,
                "",
                "Failed to verify: found\nASSERTION VIOLATION\nFile: /tmp/build/z3_solver-4.15.3.0/core/src/ast/ast.cpp\nLine: 388\nUNEXPECTED CODE WAS REACHED.\n4.15.3.0\n",
                "crashed: ast.cpp UNEXPECTED CODE WAS REACHED.",
            ),
            (
                "cvc5",
                -6,
                "",
                "Fatal failure within cvc5::internal::Node cvc5::internal::ProofChecker::check(cvc5::ProofRule) at /project/src/proof/proof_checker.cpp:106\nUnreachable code reached ProofChecker::check: failed, \n",
                "crashed: proof_checker.cpp Unreachable code reached ProofChecker::check: failed,",
            ),
            (
                "cvc4",
                -6,
                "",
                "Fatal failure within void CVC4::smt::SmtEnginePrivate::processAssertions() at /a/b/src/smt/smt_engine.cpp:3350\nCheck failure\n\n Rewriter::rewrite(d_assertions[i]) == d_assertions[i]\n\n",
                "crashed: smt_engine.cpp Check failure Rewriter::rewrite(d_assertions[i]) == d_assertions[i]",
            ),
            // Words of a failure are not what it says of features.
            (
                "cvc4",
                -6,
                "",
                "Fatal failure within void CVC4::theory::arith::Row::pivot() at ./src/theory/arith/tableau.cpp:91\nUnreachable code reached a basic variable that is not supported by its row\n",
                "crashed: tableau.cpp Unreachable code reached a basic variable that is not supported by its row",
            ),
            (
                "cvc4",
                -6,
                "",
                "Fatal failure within CVC4::Type CVC4::typeOf() at ./src/expr/type.cpp:7\nInternal error detected kind is not implemented here\n",
                "crashed: type.cpp Internal error detected kind is not implemented here",
            ),
            (
                "yices",
                -6,
                "",
                "terminate called after throwing an instance of 'std::out_of_range'\n  what():  map::at\n",
                "crashed: std::out_of_range map::at",
            ),
            ("bitwuzla", -8, "", "", "crashed: SIGFPE"),
        ],
    );
}

#[test]
fn a_solver_that_refutes_itself_is_not_believed() {
    check(
        AnswerKind::Verdicts,
        &[
            (
                "z3",
                1,
                "sat\n(error \"line 4 column 30: an invalid model was generated\")\n",
                "",
                "self-refuted: an invalid model was generated",
            ),
            (
                "cvc4",
                -6,
                "",
                "Fatal failure within void CVC4::SmtEngine::checkModel(bool) at ./src/smt/smt_engine.cpp:2795\nInternal error detectedSmtEngine::checkModel(): ERRORS SATISFYING ASSERTIONS WITH MODEL:\nassertion:     (not (fmf.card b 1))\n",
                "self-refuted: Internal error detectedSmtEngine::checkModel(): ERRORS SATISFYING ASSERTIONS WITH MODEL:",
            ),
        ],
    );
}

#[test]
fn a_solver_that_runs_out_says_so_in_its_own_way() {
    check(
        AnswerKind::Verdicts,
        &[
            (
                "z3", 101, "", "(error \"out of memory\")\n", "out-of-memory",
            ),
            ("z3", 0, "timeout\n", "", "timed-out"),
            ("z3", 0, "sat\ntimeout\n", "", "timed-out"),
            (
                "cvc5",
                -6,
                "",
                "terminate called after throwing an instance of 'St9bad_alloc'\n  what():  std::bad_alloc\n",
                "out-of-memory",
            ),
            (
                "cvc5",
                1,
                "sat\n",
                "cvc5 interrupted by timeout.\n",
                "timed-out",
            ),
            ("cvc4", 1, "", "CVC4 interrupted by timeout.\n", "timed-out"),
            ("yices", 16, "", "Out of memory\n", "out-of-memory"),
            // The dynamic linker speaks for any target.
            (
                "cvc5",
                127,
                "",
                "cannot allocate memory for thread-local data: ABORT\n",
                "out-of-memory",
            ),
            (
                "bitwuzla",
                127,
                "",
                "python3: error while loading shared libraries: libm.so.6: failed to map segment from shared object\n",
                "out-of-memory",
            ),
        ],
    );
}

#[test]
fn what_we_did_to_the_process_comes_first() {
    for family in ["z3", "gcc", "lua", "duckdb"] {
        for (cut, expected) in [
            (Cut::WallTime, "timed-out"),
            (Cut::CpuTime, "timed-out"),
            (Cut::Memory, "out-of-memory"),
            (
                Cut::FileSize,
                "unusable: wrote a file larger than the limit",
            ),
        ] {
            for kind in [
                AnswerKind::Verdicts,
                AnswerKind::Output,
                AnswerKind::Accepted,
            ] {
                let mut ended = ended(Exit::Signal(9), "sat\n", "ASSERTION VIOLATION\n");
                ended.cut = Some(cut);
                assert_eq!(outcome(family, &frame(kind), &ended).to_string(), expected);
            }
        }
        let never = ended(Exit::NotStarted, "", "");
        let seen = outcome(family, &frame(AnswerKind::Output), &never);
        assert_eq!(seen.to_string(), "unusable: did not start");
    }
}

#[test]
fn a_death_with_all_memory_in_use_is_a_death_of_that() {
    for signal in [6, 7, 11] {
        let mut dead = ended(Exit::Signal(signal), "", "");
        dead.peak_kb = 1000 * 1024;
        let seen = outcome("z3", &frame(AnswerKind::Verdicts), &dead);
        assert_eq!(seen, Outcome::OutOfMemory, "{signal}");
        dead.peak_kb = 100 * 1024;
        let seen = outcome("z3", &frame(AnswerKind::Verdicts), &dead);
        assert!(matches!(seen, Outcome::Crashed(_)), "{signal}");
    }
}

#[test]
fn a_signal_that_others_send_accuses_nobody() {
    let kinds = [
        AnswerKind::Verdicts,
        AnswerKind::Output,
        AnswerKind::Accepted,
    ];
    for kind in kinds {
        for (signal, name) in [
            (2, "SIGINT"),
            (9, "SIGKILL"),
            (13, "SIGPIPE"),
            (15, "SIGTERM"),
            (24, "SIGXCPU"),
        ] {
            let seen = outcome(
                "z3",
                &frame(kind),
                &ended(Exit::Signal(signal), "sat\n", ""),
            );
            let expected = format!("no-answer: ended by {name}, which others send");
            assert_eq!(seen.to_string(), expected);
        }
        for signal in [4, 5, 6, 7, 8, 11] {
            let seen = outcome(
                "z3",
                &frame(kind),
                &ended(Exit::Signal(signal), "sat\n", ""),
            );
            assert!(matches!(seen, Outcome::Crashed(_)), "{signal}: {seen}");
        }
    }
    // A program that was made may send itself most of them.
    let program = Frame {
        program: true,
        ..frame(AnswerKind::Output)
    };
    let seen = |signal| outcome("gcc", &program, &ended(Exit::Signal(signal), "", "")).to_string();
    assert_eq!(seen(9), "no-answer: ended by SIGKILL, which others send");
    assert_eq!(seen(13), "exit 141, output \"\"");
}

#[test]
fn an_output_that_was_not_kept_whole_is_no_answer() {
    let mut flood = ended(Exit::Status(0), "sat\n", "");
    flood.stdout.tail = b"sat\n".to_vec();
    flood.stdout.dropped = 2_000_000_000;
    let expected = "unusable: printed 2000000008 bytes, more than are kept";
    for kind in [AnswerKind::Verdicts, AnswerKind::Output] {
        assert_eq!(outcome("z3", &frame(kind), &flood).to_string(), expected);
    }
    let mut noisy = ended(Exit::Status(0), "sat\n", "");
    noisy.stderr.dropped = 1;
    let seen = outcome("z3", &frame(AnswerKind::Verdicts), &noisy);
    assert_eq!(seen.to_string(), "sat");
}

#[test]
fn bytes_that_are_no_text_are_read_all_the_same() {
    let mut raw = ended(Exit::Status(0), "", "");
    raw.stdout = Capture::whole(b"\xff\xfe\x1b[31m\nsat\n\0\n".to_vec());
    let seen = outcome("z3", &frame(AnswerKind::Verdicts), &raw);
    assert_eq!(seen.to_string(), "sat");
    let program = Frame {
        program: true,
        ..frame(AnswerKind::Output)
    };
    let seen = outcome("gcc", &program, &raw).to_string();
    assert!(seen.contains("\\xff\\xfe\\x1b"), "{seen}");
}
