//! Real processors: installed from the registries of this machine into the
//! user's cache (a second run is quick), and run on inputs of every kind: a
//! right answer, a wrong one, a rejected input, an unsupported one, a
//! time-out, a memory-out, a crash.

#![allow(clippy::unwrap_used)]

mod c;
mod databases;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use lydite_core::oracle::{AnswerOracle, CrashOracle};
use lydite_core::{Case, Claim, Exit, Observation, Oracle, Program, Role, Table, TargetName};
use lydite_process::Scratch;
use lydite_target::install::{self, Cache};
use lydite_target::{AnswerKind, Catalogue, Family, Get, RunLimits, SourceKind, Target};

/// Installed and resolved; of several versions the newest.
fn ready(name: &str) -> Target {
    let catalogue = Catalogue::load(&[]).unwrap();
    let cache = Cache::open().unwrap();
    let name: TargetName = name.parse().unwrap();
    let installed = install::install(&catalogue, &name, &cache, &mut |line| eprintln!("{line}"));
    let mut targets = installed.unwrap_or_else(|error| panic!("{error:#}"));
    targets.pop().unwrap()
}

/// Plenty for what is to be answered.
const PLENTY: Duration = Duration::from_secs(60);

/// The same behind a compiler, which has to be done before.
const ONCE_COMPILED: Duration = Duration::from_secs(2);

/// For what has no end: the limit is all that is waited for.
const SOON: Duration = Duration::from_millis(400);

fn observe(target: &Target, source: &str, wall: Duration, memory_mb: u64) -> Observation {
    let scratch = Scratch::new().unwrap();
    let limits = RunLimits {
        wall,
        cpu: wall + Duration::from_secs(10),
        memory_bytes: Some(memory_mb << 20),
        ..RunLimits::default()
    };
    let program = Program::single("case", source.as_bytes().to_vec());
    target.observe(&program, 0, Role::Tested, &limits, &scratch)
}

fn seen(target: &Target, source: &str) -> String {
    observe(target, source, PLENTY, 2048).outcome.to_string()
}

fn assert_seen(target: &Target, source: &str, expected: &str) {
    let seen = seen(target, source);
    let shown: String = source.chars().take(200).collect();
    let name = &target.name;
    assert!(
        seen.starts_with(expected),
        "{name} on {shown}: {seen}, not {expected}"
    );
}

/// What the oracles say of an answer, if `claim` is known.
fn kinds(target: &Target, source: &str, claim: Claim) -> Vec<String> {
    let observation = observe(target, source, PLENTY, 2048);
    let program = Program::single("case", source.as_bytes().to_vec());
    let table = Table {
        timeout: Duration::from_secs(60),
        observations: vec![observation],
    };
    let case = Case::single(program, claim);
    let oracles: [&dyn Oracle; 2] = [&CrashOracle, &AnswerOracle];
    let symptoms = oracles
        .iter()
        .flat_map(|oracle| oracle.judge(&case, &table));
    symptoms.map(|symptom| symptom.kind.to_string()).collect()
}

const GOOD: &str = "(set-logic QF_BV)\n(declare-const a (_ BitVec 8))\n\
    (assert (= (bvmul a a) #x04))\n(check-sat)\n(push 1)\n(assert (= a #x03))\n(check-sat)\n\
    (pop 1)\n(check-sat)\n";

/// The product of two primes of 61 and 50 bits, to be split.
const HARD: &str = "(set-logic QF_BV)\n(declare-const a (_ BitVec 128))\n\
    (declare-const b (_ BitVec 128))\n\
    (assert (= (bvmul a b) ((_ zero_extend 16) #x000bfffffffffea80000000000b5)))\n\
    (assert (bvugt a (_ bv1 128)))\n(assert (bvugt b (_ bv1 128)))\n\
    (assert (bvult a (_ bv4611686018427387904 128)))\n\
    (assert (bvult b (_ bv4611686018427387904 128)))\n(check-sat)\n";

/// Products and quotients so wide that no solver has the memory.
fn wide() -> String {
    let mut text = String::from("(set-logic QF_BV)\n");
    for number in 0..8 {
        text.push_str(&format!("(declare-const a{number} (_ BitVec 5000))\n"));
    }
    text + "(assert (= (bvmul a0 (bvmul a1 (bvmul a2 a3))) (bvudiv a4 (bvurem a5 a6))))\n\
            (assert (distinct (bvmul a7 a1) (bvmul a2 a7) (bvurem a0 a7)))\n(check-sat)\n"
}

fn check_solver(name: &str) -> Target {
    let target = ready(name);
    assert_seen(&target, GOOD, "sat unsat sat");
    let claim = |text: &str| text.parse::<Claim>().unwrap();
    assert!(kinds(&target, GOOD, claim("sat unsat sat")).is_empty());
    let wrong = kinds(&target, GOOD, claim("sat sat sat"));
    assert_eq!(wrong, ["refutation-unsound"], "{name}");
    let wrong = kinds(&target, GOOD, claim("unsat unsat sat"));
    assert_eq!(wrong, ["solution-unsound"], "{name}");
    assert_seen(&target, &GOOD.replace("bvmul", "bvnope"), "rejected: ");
    assert_seen(&target, &GOOD.replace("#x04", "true"), "rejected: ");
    assert_seen(
        &target,
        "(set-logic QF_BV)\n(assert (= #x04 #x04)\n",
        "rejected: ",
    );
    assert_seen(&target, "", "no-answer: gave no verdict");
    let told = RunLimits {
        tell_timeout: true,
        resource: Some(100_000_000),
        ..RunLimits::default()
    };
    let program = Program::single("case", GOOD.as_bytes().to_vec());
    let scratch = Scratch::new().unwrap();
    let limited = target.observe(&program, 0, Role::Tested, &told, &scratch);
    assert_eq!(limited.outcome.to_string(), "sat unsat sat", "{name}");
    let hard = observe(&target, HARD, SOON, 2048);
    assert_eq!(hard.outcome.to_string(), "timed-out", "{name}");
    assert!(hard.wall >= SOON);
    let wide = observe(&target, &wide(), PLENTY, 150);
    assert_eq!(
        wide.outcome.to_string(),
        "out-of-memory",
        "{name}: {wide:?}"
    );
    target
}

#[test]
fn z3_of_today_and_of_old_is_classified() {
    for name in ["z3@4.5.1", "z3@4.8.7", "z3"] {
        check_solver(name);
    }
    // Upstream issue 7541.
    let segfault =
        "(declare-datatypes ((L 1)) ((par (T T2) ((nil) (cons (car T) (cdr (L T)))))))\n";
    assert_seen(&ready("z3@4.8.7"), segfault, "crashed: SIGSEGV");
    assert_seen(&ready("z3"), segfault, "rejected: ");
    assert_eq!(
        kinds(&ready("z3@4.8.7"), segfault, Claim::Silent),
        ["crash"]
    );
    // Upstream issue 4100.
    let refuted = "(set-option :unsat_core true)\n(assert (! (not (<= 0 0)) :named a))\n\
                   (check-sat-using (then sat bv))\n";
    let expected = "self-refuted: an invalid model was generated";
    assert_seen(&ready("z3@4.8.7:model-validate"), refuted, expected);
    assert_seen(&ready("z3:model-validate"), refuted, "undecided");
    // Upstream issue 5140: a wrong answer of 4.8.10, right in the next release.
    let wrong = "(declare-fun a () String)\n(assert (str.in_re a (re.diff re.allchar (re.++ \
                 (re.* re.allchar) (str.to_re (ite (str.in_re a re.allchar) a \"\"))))))\n(check-sat)\n";
    let claim = || "unsat".parse::<Claim>().unwrap();
    assert_eq!(
        kinds(&ready("z3@4.8.10"), wrong, claim()),
        ["solution-unsound"]
    );
    assert!(kinds(&ready("z3@4.8.11"), wrong, claim()).is_empty());
    assert_seen(
        &ready("z3"),
        "(frobnicate 3)\n(check-sat)\n",
        "unsupported: ",
    );
    assert_seen(&ready("z3"), "(set-logic NO_SUCH)\n(check-sat)\n", "sat");
}

#[test]
fn cvc5_of_every_source_is_classified() {
    for name in ["cvc5@1.0.3", "cvc5@1.1.2", "cvc5"] {
        let target = check_solver(name);
        let model = GOOD.replace("(push 1)", "(get-model)\n(push 1)");
        assert_seen(&target, &model, "sat unsat sat");
    }
    let fields = "(set-logic ALL)\n(define-sort F () (_ FiniteField 5))\n(declare-const a F)\n\
                  (assert (= (ff.mul a a) (as ff4 F)))\n(check-sat)\n";
    assert_seen(&ready("cvc5"), fields, "unsupported: ");
    let strings = "(set-logic QF_SLIA)\n(declare-const s String)\n(assert (= (str.len s) 3))\n\
                   (check-sat)\n(get-model)\n";
    assert_seen(&ready("cvc5:check"), strings, "sat");
}

#[test]
fn a_known_crash_of_cvc5_is_known_in_its_versions_only() {
    let crash = "(set-logic ALL)\n(set-option :check-proofs true)\n(declare-fun a () Int)\n\
                 (declare-fun b () Int)\n(assert (> b 0))\n(assert (not (= (/ (* a b) b) a)))\n\
                 (check-sat)\n";
    for (name, crashes) in [
        ("cvc5@1.2.0", false),
        ("cvc5@1.3.0", true),
        ("cvc5@1.3.2", false),
    ] {
        let target = ready(name);
        let observation = observe(&target, crash, PLENTY, 2048);
        let case = Case::single(Program::single("case", *b""), Claim::Silent);
        let table = Table {
            timeout: Duration::from_secs(60),
            observations: vec![observation],
        };
        let symptoms = CrashOracle.judge(&case, &table);
        assert_eq!(!symptoms.is_empty(), crashes, "{name}");
        for symptom in symptoms {
            let signature = lydite_core::Signature::of(&symptom, &[]).to_string();
            let family = target.family();
            let known = family.known_issue(&target.version, symptom.kind, &signature, &|_| true);
            assert_eq!(known.unwrap().issue, "cvc5-projects#767");
            let newer = lydite_target::Version::new("9.0");
            assert!(
                family
                    .known_issue(&newer, symptom.kind, &signature, &|_| true)
                    .is_none()
            );
        }
    }
}

#[test]
fn cvc4_yices_and_bitwuzla_are_classified() {
    let float = "(set-logic QF_FP)\n(declare-const a (_ FloatingPoint 8 24))\n\
                 (assert (fp.isNaN (fp.add RNE a a)))\n(check-sat)\n";
    let string =
        "(set-logic QF_S)\n(declare-const a String)\n(assert (= 3 (str.len a)))\n(check-sat)\n";
    let cvc4 = check_solver("cvc4");
    // Its build lacks the float library and aborts: not a bug.
    assert_seen(&cvc4, float, "unsupported: ");
    assert_seen(&cvc4, string, "sat");
    let yices = check_solver("yices");
    assert_seen(&yices, float, "unsupported: ");
    assert_seen(&yices, string, "unsupported: ");
    let bitwuzla = check_solver("bitwuzla");
    assert_seen(&bitwuzla, float, "sat");
    assert_seen(&bitwuzla, string, "unsupported: ");
}

#[test]
fn luas_are_classified() {
    let names = [
        "lua@5.1", "lua@5.2", "lua@5.3", "lua@5.4", "luajit", "luajit:interpreter",
    ];
    for name in names {
        let target = ready(name);
        assert_seen(&target, "print(6 * 7)\n", "exit 0, output \"42\\n\"");
        assert_seen(
            &target,
            "print({}, print) os.exit(4)\n",
            "exit 4, output \"table: ADDRESS\\tfunction: ",
        );
        assert_seen(&target, "print(1 +)\n", "rejected: case.lua:1: ");
        assert_seen(
            &target, "print(1)\nerror('near x')\n", "exit 1, output \"1\\n\"",
        );
        let deep = format!("print({}1{})\n", "(".repeat(60_000), ")".repeat(60_000));
        assert_seen(&target, &deep, "unsupported: ");
        let loops = observe(&target, "while true do end\n", SOON, 2048);
        assert_eq!(loops.outcome.to_string(), "timed-out", "{name}");
        let eats = "local s = 'x'\nwhile true do s = s .. s end\n";
        let eaten = observe(&target, eats, PLENTY, 100);
        assert_eq!(
            eaten.outcome.to_string(),
            "out-of-memory",
            "{name}: {eaten:?}"
        );
    }
}

#[test]
fn the_doctor_finds_every_family_well() {
    let families = [
        "z3@4.8.7", "cvc5", "cvc4", "bitwuzla", "yices", "gcc", "clang@14",
    ];
    let more = [
        "tcc", "lua@5.4", "luajit", "sqlite", "duckdb", "postgres", "mariadb",
    ];
    let names: Vec<TargetName> = families
        .iter()
        .chain(&more)
        .map(|name| ready(name).name)
        .collect();
    let catalogue = Catalogue::load(&[]).unwrap();
    let scratch = Scratch::new().unwrap();
    let cache = Cache::open().unwrap();
    let healths = install::doctor(&catalogue, &names, &cache, &scratch).unwrap();
    assert_eq!(healths.len(), names.len());
    for health in healths {
        assert!(health.is_good(), "{}: {:?}", health.target, health.problems);
        let version = health.reported_version.clone().unwrap_or_default();
        let version = version.trim_end_matches('.').replace("-beta", "~beta");
        let own = health.target.version.clone().unwrap();
        assert!(
            own.starts_with(&version) || version.starts_with(&own),
            "{health:?}"
        );
    }
}

#[test]
fn every_variant_of_every_family_runs() {
    let catalogue = Catalogue::load(&[]).unwrap();
    let families: Vec<&Arc<Family>> = catalogue.families().collect();
    let next = AtomicUsize::new(0);
    // Installing waits for others most of the time.
    let worker = || {
        while let Some(family) = families.get(next.fetch_add(1, Ordering::Relaxed)) {
            run_every_variant(family);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(worker);
        }
    });
}

fn run_every_variant(family: &Family) {
    // What runs lydite itself is tested where lydite is (cli/tests/it: solidity, wrong_code).
    if family.family == "c-meaning" {
        return;
    }
    // What cargo builds takes minutes.
    let is_built = |get: &Get| matches!(get.from, SourceKind::Crates | SourceKind::System);
    if family.get.iter().any(|get| get.from == SourceKind::Crates)
        && family.get.iter().all(is_built)
    {
        return;
    }
    let own = |variant: &&String| !variant.starts_with("evm");
    // Builds take from seconds to hours (targets_build.rs makes two).
    let ready_made = |variant: &&String| family.build_name(Some(variant)).is_none();
    let (catalogue, cache) = (Catalogue::load(&[]).unwrap(), Cache::open().unwrap());
    let newest = ready(&family.family).version;
    for variant in family.variant.keys().filter(own).filter(ready_made) {
        // The registries are asked once for each family; some variants are of older versions.
        let name = format!("{}@{newest}:{variant}", family.family);
        let found = catalogue.resolve(&name.parse().unwrap(), &cache);
        let target = match found.ok().and_then(|mut targets| targets.pop()) {
            Some(target) => target,
            None => ready(&format!("{}:{variant}", family.family)),
        };
        let expected = match target.kind() {
            AnswerKind::Accepted => "accepted".to_string(),
            AnswerKind::Verdicts => family.smoke.expect.clone(),
            AnswerKind::Output => format!("exit 0, output \"{}\\n\"", family.smoke.expect),
            AnswerKind::Program => "wrote ".to_string(),
            AnswerKind::Code => "code ".to_string(),
        };
        assert_seen(&target, &family.smoke.program, &expected);
    }
}

#[test]
fn a_target_that_is_told_its_limit_says_when_it_is_over() {
    // cvc4 is not among them: it counts CPU time, which on a busy machine is late.
    for name in ["z3", "cvc5", "cvc5@1.1.2", "yices"] {
        let target = ready(name);
        let program = Program::single("case", HARD.as_bytes().to_vec());
        let scratch = Scratch::new().unwrap();
        // Nine tenths of the limit are told. The rest is for a slow start, which takes more
        // on a busy machine: who was ended from outside is given more.
        let limits = [2, 8, 30].map(|seconds| RunLimits {
            wall: Duration::from_secs(seconds),
            tell_timeout: true,
            ..RunLimits::default()
        });
        let ended_itself = limits.iter().any(|told| {
            let seen = target.observe(&program, 0, Role::Tested, told, &scratch);
            let outcome = seen.outcome.to_string();
            assert!(
                outcome == "timed-out" || outcome == "undecided",
                "{name}: {seen:?}"
            );
            !matches!(seen.exit, Exit::Signal(_))
        });
        assert!(ended_itself, "{name}");
    }
}

#[test]
fn registries_are_asked_for_versions_and_all_families_are_listed() {
    let catalogue = Catalogue::load(&[]).unwrap();
    let cache = Cache::open().unwrap();
    let listing = install::list(&catalogue, &cache, true, false);
    assert_eq!(listing.len(), catalogue.families().count());
    for family in &listing {
        assert!(
            !family.available.is_empty(),
            "{}: {:?}",
            family.family,
            family.problems
        );
    }
    let z3 = listing
        .iter()
        .find(|listing| listing.family == "z3")
        .unwrap();
    for version in ["4.5.1", "4.8.7", "4.13.0"] {
        assert!(
            z3.available.iter().any(|v| v == version),
            "{version}: {z3:?}"
        );
    }
    assert!(
        !z3.available
            .iter()
            .any(|version| version.starts_with("4.4"))
    );
}

#[test]
fn what_a_script_runs_elsewhere_names_no_place_of_this_machine() {
    for (name, expected) in [
        ("z3@4.8.5:model-validate", "z3 model_validate=true {file}"),
        ("cvc5", "cvc5 --incremental {file}"),
        (
            "cvc5@1.1.2:exp",
            "cvc5 --incremental --fp-exp --arrays-exp --strings-exp {file}",
        ),
        ("bitwuzla", "bitwuzla {file}"),
        (
            "yices",
            "yices-smt2 --incremental --smt2-model-format {file}",
        ),
        (
            "tcc",
            "tcc -w -c -o {out}.o {file}; tcc -w -o {out} {out}.o -lm; {out}",
        ),
        ("duckdb", "duckdb -batch -bail -list -noheader"),
        (
            "sqlite",
            "sqlite3 -batch -nullvalue NULL -cmd PRAGMA foreign_keys = ON -cmd .bail on :memory:",
        ),
    ] {
        let reproduction = ready(name).reproduction(&RunLimits::default());
        let steps: Vec<String> = reproduction
            .elsewhere
            .iter()
            .map(|step| step.argv.join(" "))
            .collect();
        assert_eq!(steps.join("; "), expected, "{name}");
        assert!(
            reproduction
                .elsewhere_env
                .values()
                .all(|value| !value.contains("/targets/"))
        );
    }
}

#[test]
fn solvers_that_stay_say_what_fresh_processes_say() {
    let refused = "(assert y)\n(check-sat)\n";
    let option = "(set-option :produce-models true)\n(set-logic QF_LIA)\n\
        (declare-const a Int)\n(assert (> a 3))\n(check-sat)\n(get-model)\n";
    let exits = format!("{GOOD}(exit)\n");
    let scratch = Scratch::new().unwrap();
    let limits = RunLimits {
        wall: Duration::from_secs(60),
        busy: Some(Duration::from_secs(1)),
        ..RunLimits::default()
    };
    for name in ["z3", "cvc5", "cvc5@1.1.2"] {
        let target = ready(name);
        assert!(target.can_stay(), "{name}");
        // What was refused or cut off leaves nothing behind.
        let scripts = [GOOD, refused, GOOD, option, HARD, GOOD, &exits, GOOD];
        for (number, script) in scripts.iter().enumerate() {
            let program = Program::single("case", script.as_bytes().to_vec());
            let kept = target.observe_kept(&program, 3, Role::Tested, &limits, &scratch);
            let kept = kept.unwrap_or_else(|_| panic!("{name}, script {number}"));
            let fresh = target.observe(&program, 3, Role::Tested, &limits, &scratch);
            // In an error the numbers of lines go on.
            match kept.outcome.answer() {
                Some(_) => assert_eq!(kept.outcome, fresh.outcome, "{name}, script {number}"),
                None => assert_eq!(
                    kept.outcome.name(),
                    fresh.outcome.name(),
                    "{name}, {number}"
                ),
            }
            assert_eq!(kept.program, 3);
            assert!(kept.cpu > Duration::ZERO, "{name}, script {number}");
        }
    }
}
