//! Which site comes out of what a program says when it dies: the same for the same mistake, from
//! whatever depth and with whatever values, and another for another mistake.

#![allow(clippy::unwrap_used)]

mod reading;

use std::collections::BTreeMap;

use lydite_core::signature::normalise_site;
use lydite_core::{Exit, Outcome};
use lydite_target::{AnswerKind, Read, Reading, read_outcome};
use reading::{check, ended, frame, outcome};

/// Reports of real programs; what is in it is said at its beginning.
const REPORTS: &str = include_str!("reading/reports.txt");

/// One section of it.
struct Report<'a> {
    who: &'a str,
    bug: &'a str,
    exit: Exit,
    site: &'a str,
    text: &'a str,
}

fn reports() -> Vec<Report<'static>> {
    let sections = REPORTS.split("\n=== ").skip(1);
    sections
        .map(|section| {
            let (head, rest) = section.split_once('\n').unwrap();
            let (site, text) = rest.split_once('\n').unwrap();
            let head: Vec<&str> = head.split(" | ").collect();
            Report {
                who: head[0],
                bug: head[2],
                exit: match head[1].parse().unwrap() {
                    status @ 0.. => Exit::Status(status),
                    signal => Exit::Signal(-signal),
                },
                site: site.strip_prefix("site: ").unwrap(),
                text,
            }
        })
        .collect()
}

/// The site that a target of which nothing is known would have.
fn site(report: &Report<'_>) -> String {
    // What a sanitizer says is read of a run that failed; some of these programs went on.
    let exit = match report.exit {
        Exit::Status(0) => Exit::Status(1),
        exit => exit,
    };
    let reading = Reading::new(&Read::default()).unwrap();
    let ended = ended(exit, "", report.text);
    match read_outcome(&reading, &ended, &frame(AnswerKind::Output)) {
        Outcome::Crashed(site) => normalise_site(&site),
        other => format!("no crash: {other}"),
    }
}

#[test]
fn every_report_gives_the_site_that_it_should() {
    let wrong: Vec<String> = reports()
        .iter()
        .filter(|report| site(report) != report.site)
        .map(|report| {
            let Report { who, bug, .. } = report;
            format!("{who}, {bug}: {}, not {}", site(report), report.site)
        })
        .collect();
    assert!(
        reports().len() > 90 && wrong.is_empty(),
        "{}",
        wrong.join("\n")
    );
}

#[test]
fn one_mistake_has_one_site_and_two_mistakes_have_two() {
    let mut sites: BTreeMap<(&str, &str), String> = BTreeMap::new();
    let all = reports();
    for report in &all {
        let known = sites.entry((report.who, report.bug));
        let known = known.or_insert_with(|| site(report));
        assert_eq!(*known, site(report), "{}, {}", report.who, report.bug);
    }
    let mut bugs: BTreeMap<(&str, String), &str> = BTreeMap::new();
    for ((who, bug), site) in &sites {
        let other = bugs.insert((who, site.clone()), bug);
        assert!(other.is_none(), "{who}: {other:?} and {bug}: {site}");
    }
}

#[test]
fn reports_of_sanitizers_are_deaths_whatever_the_status_and_the_line_ends() {
    let asan = "=================================================================\n\
        ==9==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x4 bp 0x7 sp 0x7\n\
        WRITE of size 8 at 0x60 thread T0\n    #0 0x4 in __asan_memcpy (/opt/z3+0x4)\n    \
        #1 0x5 in bv::rewriter::mk(expr*) /src/ast/rewriter.cpp:120:9\n";
    let whole = format!(
        "{asan}SUMMARY: AddressSanitizer: heap-buffer-overflow /src/ast/rewriter.cpp:120:9 in bv::rewriter::mk(expr*)\n"
    );
    let dos = |text: &str| text.replace('\n', "\r\n");
    let died = "crashed: AddressSanitizer: heap-buffer-overflow rewriter.cpp:120 bv::rewriter::mk";
    let of = |status, stdout: &str, stderr: &str| {
        let ended = ended(Exit::Status(status), stdout, stderr);
        outcome("z3", &frame(AnswerKind::Verdicts), &ended).to_string()
    };
    assert_eq!(of(1, "", asan), died);
    assert_eq!(of(99, "sat\n", asan), died);
    assert_eq!(of(1, "", &dos(asan)), died);
    assert_eq!(of(1, "", &whole), died);
    assert_eq!(of(1, "", &dos(&whole)), died);
    for (stderr, site) in [
        (
            "==3==WARNING: MemorySanitizer: use-of-uninitialized-value\n    #0 0x1 in solve src/sat.cc:12:3\n",
            "MemorySanitizer: use-of-uninitialized-value sat.cc:12 solve",
        ),
        (
            "WARNING: ThreadSanitizer: data race (pid=3)\n  Write of size 8\n    #0 run src/pool.cc:7 (z3+0x1)\n",
            "ThreadSanitizer: data race pool.cc:7 run",
        ),
        (
            "==3==ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of 9 byte(s)\n    \
             #0 0x1 in malloc (/lib/a.so+0x1)\n    #1 0x2 in parse src/parser.cc:9:1\n",
            "LeakSanitizer: detected memory leaks parser.cc:9 parse",
        ),
        (
            "../src/math/poly.cc:77:14: runtime error: signed integer overflow: 2 * 9 cannot be represented\n",
            "poly.cc runtime error: signed integer overflow: 2 * 9 cannot be represented",
        ),
        (
            "AddressSanitizer:DEADLYSIGNAL\n==3==ERROR: AddressSanitizer: SEGV on unknown address 0x0 (pc 0x1)\n",
            "AddressSanitizer: SEGV",
        ),
    ] {
        for stderr in [stderr.to_string(), dos(stderr)] {
            assert_eq!(of(1, "", &stderr), format!("crashed: {site}"), "{stderr}");
        }
    }
    let cvc5 = "Fatal failure within void f() at src/x.cpp:1\r\nCheck failure\r\n\r\n a\r\n";
    let ended = ended(Exit::Status(1), "", cvc5);
    let seen = outcome("cvc5", &frame(AnswerKind::Verdicts), &ended);
    assert!(matches!(seen, Outcome::Crashed(_)), "{seen}");
    assert_eq!(
        of(3, "", "what\r\n"),
        "no-answer: exit status 3, printed `what`"
    );
    // As a shell says it.
    assert_eq!(of(139, "", ""), "crashed: SIGSEGV");
    assert_eq!(
        of(134, "", "z3: a.cpp:1: f: Assertion `x' failed.\n"),
        "crashed: a.cpp Assertion `x' failed"
    );
    check(
        AnswerKind::Accepted,
        &[
            (
                "tcc",
                7,
                "",
                "",
                "no-answer: exit status 7, printed nothing",
            ),
            ("tcc", 139, "", "", "crashed: SIGSEGV"),
            (
                "tcc",
                1,
                "",
                "case.c:1: error: no\r\n",
                "rejected: case.c:1: error: no",
            ),
        ],
    );
}

#[test]
fn builds_with_assertions_say_which_one_failed() {
    // What lua, sqlite and yices print, built with theirs; z3 exits with this status.
    check(
        AnswerKind::Output,
        &[
            (
                "lua",
                -6,
                "",
                "lua: src/lfunc.c:199: luaF_closeupval: Assertion `uplevel(uv) < L->top' failed.\n",
                "crashed: lfunc.c Assertion `uplevel(uv) < L->top' failed",
            ),
            (
                "sqlite",
                -6,
                "1\n",
                "sqlite3: sqlite3.c:90517: sqlite3VdbeExec: Assertion `pOp->p2>0' failed.\n",
                "crashed: Assertion `pOp->p2>0' failed",
            ),
        ],
    );
    check(
        AnswerKind::Verdicts,
        &[
            (
                "yices",
                22,
                "(error \"BUG detected\")\n",
                "\n*************************************************************\nFATAL ERROR: smt2_commands\n*************************************************************\nPlease report this bug to yices-bugs@csl.sri.com.\n",
                "crashed: FATAL ERROR: smt2_commands",
            ),
            (
                "yices",
                -6,
                "",
                "yices_smt2: solvers/funs/fun_solver.c:3486: build_maps_for_type: Assertion `solver->reconciled && is_finite_type(solver->types, sigma)' failed.\n",
                "crashed: fun_solver.c Assertion `solver->reconciled && is_finite_type(solver->types, sigma)' failed",
            ),
            (
                "z3",
                110,
                "",
                "ASSERTION VIOLATION\nFile: /build/core/src/smt/smt_context.cpp\nLine: 321\nis_well_sorted(m, n)\n",
                "crashed: smt_context.cpp is_well_sorted(m, n)",
            ),
        ],
    );
}
