//! The engine of attribute grammars: what it makes is valid, fail patterns
//! lose nothing, and what cannot end is refused.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::{BTreeMap, BTreeSet};

use lydite_core::{Choices, Odometer, Reject};
use lydite_grammar::spec::{KnobValue, Limits, Programs, Spec, Statistics, Unmade, library};

fn spec(text: &str) -> Spec {
    Spec::read("test", text).unwrap_or_else(|error| panic!("{error}"))
}

fn programs(text: &str, limits: Limits) -> Programs {
    spec(text).programs(&BTreeMap::new(), limits).unwrap()
}

fn height(height: u32) -> Limits {
    Limits {
        height,
        verify: true,
        ..Limits::default()
    }
}

fn text(made: Result<Vec<u8>, Unmade>) -> String {
    String::from_utf8(made.unwrap()).unwrap()
}

/// Everything that the spec makes, over all tapes, and how many tapes.
fn reachable(programs: &Programs) -> (BTreeSet<String>, usize) {
    let mut odometer = Odometer::new(400);
    let (mut all, mut tapes) = (BTreeSet::new(), 0);
    while let Some((made, _)) = odometer.run(|choices| programs.make(choices)) {
        tapes += 1;
        assert!(tapes < 3_000_000, "too many tapes for a test");
        match made {
            Ok(text) => _ = all.insert(String::from_utf8(text).unwrap()),
            Err(Unmade::Impossible) => _ = all.insert("impossible".to_string()),
            Err(other) => panic!("{other}"),
        }
    }
    (all, tapes)
}

const ASSIGNMENTS: &str = r##"
use symbols;
class Program { prog("${s : Stmts}") { s.syms = no_symbols(); } }
@list(2) class Stmts {
  inh syms : Symbols;
  one("${s : Stmt}") { s.before = this.syms; }
  mult("${s : Stmt}${r : Stmts}") { s.before = this.syms; r.syms = s.after; }
}
class Stmt {
  inh before : Symbols;
  syn after : Symbols;
  assign("${i : Name}=${e : Expr};") {
    e.syms = this.before;
    this.after = define(this.before, i.str);
  }
}
@copy class Expr {
  inh syms : Symbols;
  num("1") {}
  used("${v : Use}") {}
}
class Use { inh syms : Symbols; USE }
class Name("[ab]");
"##;

const GUARD: &str =
    r##"grd known; var("${n : Name}") { this.known = is_defined(this.syms, n.str); }"##;
const GENERATOR: &str = "var(defined(this.syms)) : String {}";

/// What [`ASSIGNMENTS`] has to make, worked out by hand.
fn assignments() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for first in ["a", "b"] {
        all.insert(format!("{first}=1;"));
        for second in ["a", "b"] {
            for used in ["1", first] {
                all.insert(format!("{first}=1;{second}={used};"));
            }
        }
    }
    all
}

#[test]
fn the_papers_example_makes_every_valid_program_and_no_other() {
    for variant in [GUARD, GENERATOR] {
        for generalize in [true, false] {
            let limits = Limits {
                generalize,
                ..height(1)
            };
            let text = ASSIGNMENTS.replace("USE", variant);
            let (made, _) = reachable(&programs(&text, limits));
            assert_eq!(made, assignments(), "{variant} {generalize}");
        }
    }
}

/// Small specs with guards of many kinds.
const SMALL: [(&str, &str); 15] = [
    (
        "a guard over two children, of which one is a list",
        r##"
class Root { grd even; root("${a : Digits}-${b : Digit}") { this.even = (a.sum + b.n) % 2 == 0; } }
@list(2) class Digits {
  syn sum : Int;
  one("${d : Digit}") { this.sum = d.n; }
  more("${d : Digit}${r : Digits}") { this.sum = d.n + r.sum; }
}
class Digit { syn n : Int; zero("0") { this.n = 0; } one("1") { this.n = 1; } }
"##,
    ),
    (
        "guarded nodes that depend on each other from right to left",
        r##"
class Root { root("${a : Small}<${b : Big}") { a.below = b.n; b.most = 2; } }
class Small { inh below : Int; syn n : Int; grd less;
  n("${d : Digit}") { this.n = d.n; this.less = d.n < this.below; } }
class Big { inh most : Int; syn n : Int; grd fits;
  n("${d : Digit}") { this.n = d.n; this.fits = d.n <= this.most; } }
class Digit { syn n : Int; a("0") { this.n = 0; } b("1") { this.n = 1; } c("2") { this.n = 2; }
  d("3") { this.n = 3; } }
"##,
    ),
    (
        "a guarded node inside a guarded node inside a unit",
        r##"
class Root { root("${x : Unit}${y : Unit}") { x.forbidden = 1; y.forbidden = x.n; } }
@unit class Unit { inh forbidden : Int; syn n : Int;
  plain("[${o : Outer}]") { o.forbidden = this.forbidden; this.n = o.n; } }
class Outer { inh forbidden : Int; syn n : Int; grd other;
  one("${i : Inner}") { i.least = 0; this.n = i.n; this.other = i.n != this.forbidden; }
  two("+${i : Inner}") { i.least = this.forbidden; this.n = i.n + 1; this.other = true; } }
class Inner { inh least : Int; syn n : Int; grd enough;
  d("${d : Digit}") { this.n = d.n; this.enough = d.n >= this.least; } }
class Digit { syn n : Int; a("0") { this.n = 0; } b("1") { this.n = 1; } c("2") { this.n = 2; } }
"##,
    ),
    (
        "a generator with children",
        r##"
class Root { root("${a : Pick}") { a.from = [1, 2, 3]; a.deep = 1; } }
class Pick { inh from : List<Int>; inh deep : Int; syn sum : Int;
  end([n for n in this.from if n > this.deep], "#{$}") : Int { this.sum = $; }
  more([n for n in this.from if n > 1], "(#{$} ${l : Check})") : Int {
    l.from = [n for n in this.from if n != $];
    l.deep = this.deep + 1;
    l.parent = $;
    this.sum = $ + l.sum;
  } }
class Check { inh from : List<Int>; inh deep : Int; inh parent : Int; syn sum : Int; grd odd;
  in("${p : Pick}") { p.from = this.from; p.deep = this.deep; this.sum = p.sum;
    this.odd = (p.sum + this.parent) % 2 == 1; } }
"##,
    ),
    (
        "a list that can be empty, and must not repeat itself",
        r##"
class Root { root("${l : List}.") { l.seen = set(); } }
@list(3) class List { inh seen : Set<String>;
  nil("") {}
  cons("${i : Item}${r : List}") { i.seen = this.seen; r.seen = add(this.seen, i.name); } }
class Item { inh seen : Set<String>; syn name : String; grd fresh;
  item("${n : Name}") { this.name = n.str; this.fresh = not contains(this.seen, n.str); } }
class Name("a|b");
"##,
    ),
    (
        "a guard that no program of the first production can satisfy",
        r##"
class Root { a("a${x : Never}") { x.n = 1; } b("b${x : Never}") { x.n = 2; } c("c${x : Never}") { x.n = 3; } }
class Never { inh n : Int; grd ok; one("${d : Digit}") { this.ok = d.n == this.n; } }
class Digit { syn n : Int; two("2") { this.n = 2; } three("3") { this.n = 3; } four("4") { this.n = 4; } }
"##,
    ),
    (
        "no program at all",
        r##"
class Root { a("a${x : Never}${y : Digit}") { x.n = y.n; } }
class Never { inh n : Int; grd ok; one("${d : Digit}") { this.ok = d.n == this.n + 3; } }
class Digit { syn n : Int; two("2") { this.n = 2; } three("3") { this.n = 3; } four("4") { this.n = 4; } }
"##,
    ),
    (
        "recursion up to the height, with leaves that have to agree",
        r##"
class Root { grd same; root("${e : Expr}") { this.same = e.types == [1] or e.types == [2]; } }
class Expr { syn types : List<Int>;
  a("a") { this.types = [1]; } b("b") { this.types = [2]; }
  both("(${l : Expr}${r : Expr})") { this.types = distinct(l.types ++ r.types); } }
"##,
    ),
    (
        "attributes that pass an unguarded node both ways, to a guard on its other side",
        r##"
class Root { root("${m : Middle}${c : Check}") { m.down = m.up; c.n = m.through; } }
class Middle { inh down : Int; syn up : Int; syn through : Int;
  m("${d : Digit}${e : Digit}") { this.up = d.n; this.through = this.down * 2 + e.n; } }
class Check { inh n : Int; grd ok; c("${d : Digit}") { this.ok = d.n == this.n - 1; } }
class Digit { syn n : Int; a("0") { this.n = 0; } b("1") { this.n = 1; } }
"##,
    ),
    (
        "neighbours that no guard reads",
        r##"
class Root { root("${a : Digit}${x : Same}${b : Digit}${y : Digit}") { x.n = y.n + 1; } }
class Same { inh n : Int; grd ok; s("${d : Digit}") { this.ok = d.n == this.n; } }
class Digit { syn n : Int; a("0") { this.n = 0; } b("1") { this.n = 1; } }
"##,
    ),
    (
        "a generator that reads what a guarded node synthesizes",
        r##"
class Root { root("${a : Even}:${b : Below}${c : Below}") { b.n = a.n; c.n = b.m; } }
class Even { syn n : Int; grd even; e("${d : Digit}") { this.n = d.n; this.even = d.n % 2 == 0; } }
class Below { inh n : Int; syn m : Int;
  below(range(0, this.n), "#{$}") : Int { this.m = $; }
  none(only(this.n == 1), "-") : Int { this.m = 2; } }
class Digit { syn n : Int; a("0") { this.n = 0; } b("1") { this.n = 1; } c("2") { this.n = 2; }
  d("4") { this.n = 4; } }
"##,
    ),
    (
        "a list of units, of which a later one wants what an earlier one did not give",
        r##"
class Root { root("${l : Units}") { l.has = set(); } }
@list(2) class Units { inh has : Set<Int>;
  one("${u : Unit}") { u.has = this.has; }
  more("${u : Unit}${r : Units}") { u.has = this.has; r.has = u.gives; } }
@unit class Unit { inh has : Set<Int>; syn gives : Set<Int>;
  give("+${d : Digit}") { this.gives = add(this.has, d.n); }
  take("-${t : Take}") { t.has = this.has; this.gives = without(this.has, t.n); } }
class Take { inh has : Set<Int>; syn n : Int; grd there;
  t("${d : Digit}") { this.n = d.n; this.there = contains(this.has, d.n); } }
class Digit { syn n : Int; a("0") { this.n = 0; } b("1") { this.n = 1; } }
"##,
    ),
    (
        "a hidden child that a guard reads",
        r##"
class Root { root("${hidden k : Digit}${x : Use}${y : Use}") { x.k = k.n; y.k = 1 - x.n; } }
class Use { inh k : Int; syn n : Int; grd ok;
  u("${a : Digit}") { this.n = a.n; this.ok = a.n == this.k; } }
class Digit { syn n : Int; a("0") { this.n = 0; } b("1") { this.n = 1; } }
"##,
    ),
    (
        "several guards in one class, each over other children",
        r##"
class Root { grd p; grd q; root("${a : Digit}${b : Digit}${c : Last}") {
  c.n = b.n; this.p = a.n != b.n; this.q = c.m != a.n; } }
class Last { inh n : Int; syn m : Int; grd s;
  last("${x : Digit}") { this.m = x.n; this.s = x.n <= this.n; } }
class Digit { syn n : Int; a("0") { this.n = 0; } b("1") { this.n = 1; } }
"##,
    ),
    (
        "where only the height forbids what the guard wants",
        r##"
class Root { root("${e : Deep}${f : Deep}") { e.least = 2; f.least = e.n + 1; }
  single("${e : Deep}") { e.least = 1; } }
class Deep { inh least : Int; syn n : Int; grd enough;
  d("${t : Tree}") { this.n = t.n; this.enough = t.n >= this.least; } }
class Tree { syn n : Int;
  leaf("o") { this.n = 0; }
  one("(${t : Tree})") { this.n = t.n + 1; } }
"##,
    ),
];

#[test]
fn fail_patterns_lose_no_program_and_let_none_slip_through() {
    let mut pruned = Vec::new();
    for (what, text) in SMALL {
        let set = |generalize| {
            let limits = Limits {
                generalize,
                ..height(2)
            };
            reachable(&programs(text, limits))
        };
        let ((with, fewer), (without, more)) = (set(true), set(false));
        assert_eq!(with, without, "{what}");
        assert!(!with.is_empty() && fewer <= more, "{what}: {fewer} {more}");
        pruned.extend((fewer < more).then_some(what));
    }
    assert_eq!(pruned, ["neighbours that no guard reads"]);
}

/// The programs of [`SMALL`] that can be told right from wrong by looking.
#[test]
fn small_specs_make_exactly_what_they_say() {
    let made = |number: usize| reachable(&programs(SMALL[number].1, height(2))).0;
    let expected =
        |all: &[&str]| -> BTreeSet<String> { all.iter().map(|s| s.to_string()).collect() };
    assert_eq!(
        made(0),
        expected(&["0-0", "1-1", "00-0", "01-1", "10-1", "11-0"])
    );
    assert_eq!(made(1), expected(&["0<1", "0<2", "1<2"]));
    assert_eq!(made(4), expected(&[".", "a.", "b.", "ab.", "ba."]));
    assert_eq!(made(5), expected(&["b2", "c3"]));
    assert_eq!(made(6), expected(&["impossible"]));
    let uniform = made(7);
    assert_eq!(uniform.len(), 2 * (1 + 1 + 3));
    assert!(
        uniform
            .iter()
            .all(|p| !(p.contains('a') && p.contains('b')))
    );
}

#[test]
fn a_tape_remakes_its_program_byte_for_byte() {
    for name in ["assignments", "assignments-guarded"] {
        let spec = spec(library::find_spec(name).unwrap().text);
        let limits = height(spec.height());
        let programs = spec.programs(&BTreeMap::new(), limits).unwrap();
        for index in 0..50 {
            let mut choices = Choices::seeded(7, index);
            let first = text(programs.make(&mut choices).0);
            let mut replay = Choices::replay(choices.into_tape());
            assert_eq!(text(programs.make(&mut replay).0), first);
        }
    }
}

#[test]
fn variables_are_assigned_before_they_are_used() {
    for name in ["assignments", "assignments-guarded"] {
        let spec = spec(library::find_spec(name).unwrap().text);
        let programs = spec.programs(&BTreeMap::new(), height(4)).unwrap();
        let mut used = 0;
        for index in 0..200 {
            let program = text(programs.make(&mut Choices::seeded(1, index)).0);
            let mut known = BTreeSet::new();
            for line in program.lines() {
                let (name, value) = line.strip_suffix(';').unwrap().split_once(" := ").unwrap();
                for word in value.split(' ') {
                    if word.starts_with(|c: char| c.is_ascii_lowercase()) {
                        assert!(known.contains(word), "{program}");
                        used += 1;
                    }
                }
                known.insert(name.to_string());
            }
        }
        assert!(used > 100, "{used}");
    }
}

/// Six digits that are all fixed: each of three guards reads all of them.
const HARD: &str = r##"
class Root { root("${a : D}${b : D}${c : D}${d : D}${e : D}${f : D} ${x : Sum}") {
  x.all = [a.str, b.str, c.str, d.str, e.str, f.str]; } }
class D("[0-9]");
class Sum { inh all : List<String>; grd ok; sum("${a : First}${b : Second}${c : Third}") {
  a.all = this.all; b.all = this.all; c.all = this.all; this.ok = true; } }
class First { inh all : List<String>; grd ok;
  f("") { this.ok = at(this.all, 0) == "7" and at(this.all, 1) == "3"; } }
class Second { inh all : List<String>; grd ok;
  f("") { this.ok = at(this.all, 2) == "1" and at(this.all, 3) == "4"; } }
class Third { inh all : List<String>; grd ok;
  f("") { this.ok = at(this.all, 4) == "5" and at(this.all, 5) == "9"; } }
"##;

/// So many pairs of digits, each with a guard that reads the two alone.
fn pairs_of_digits(pairs: &[(char, char)]) -> String {
    let (mut template, mut rules, mut classes) = (String::new(), String::new(), String::new());
    for (at, (first, second)) in pairs.iter().enumerate() {
        template.push_str(&format!(
            "${{x{at} : D}}${{y{at} : D}}${{g{at} : Pair{at}}}"
        ));
        rules.push_str(&format!(
            "    g{at}.x = x{at}.str;\n    g{at}.y = y{at}.str;\n"
        ));
        classes.push_str(&format!(
            "class Pair{at} {{\n  inh x : String;\n  inh y : String;\n  grd ok;\n  f(\"\") {{\n    \
             this.ok = this.x == \"{first}\" and this.y == \"{second}\";\n  }}\n}}\n"
        ));
    }
    format!(
        "class Root {{\n  root(\"{template}\") {{\n{rules}  }}\n}}\nclass D(\"[0-9]\");\n{classes}"
    )
}

#[test]
fn guards_that_defeat_plain_backtracking_are_met_with_fail_patterns() {
    let gave_up = Err(Unmade::Limit(
        "too many alternatives: the guards are too hard",
    ));
    let digits = "7314590268";
    let pairs: Vec<(char, char)> = digits
        .chars()
        .zip(digits.chars().rev())
        .cycle()
        .take(20)
        .collect();
    let expected: String = pairs.iter().flat_map(|(x, y)| [*x, *y]).collect();
    for (count, alternatives) in [(3, 600), (20, 4000)] {
        let text_of_spec = pairs_of_digits(&pairs[..count]);
        assert!(text_of_spec.lines().count() > 10 * count);
        let run = |generalize| {
            let limits = Limits {
                generalize,
                alternatives,
                ..height(1)
            };
            programs(&text_of_spec, limits)
                .make(&mut Choices::seeded(0, 0))
                .0
        };
        assert_eq!(text(run(true)), expected[..2 * count]);
        assert!(matches!(run(false), Err(Unmade::Limit(_))));
    }
    // Where every guard reads everything, nothing can be generalised.
    let limits = Limits {
        alternatives: 500,
        ..height(1)
    };
    let (made, _) = programs(HARD, limits).make(&mut Choices::seeded(0, 0));
    assert_eq!(made, gave_up);
}

#[test]
fn what_does_not_end_is_refused_with_a_reason() {
    let fault = |text: &str| {
        let (made, _) = programs(text, height(3)).make(&mut Choices::seeded(0, 0));
        made.unwrap_err().to_string()
    };
    let cases = [
        (
            "fn f(n : Int) : Int = f(n + 1);\nclass A { grd g; a(\"\") { this.g = f(0) == 1; } }",
            "test:1:23: calls nest more than 10000 deep: does this end?\n",
        ),
        (
            "fn f(n : Int) : Int = if n == 0 then 0 else f(n - 1);\n\
             class A { grd g; a(\"\") { this.g = sum([f(5000) for i in range(0, 100000)]) == 1; } }",
            "more than 1000000 steps: does this end?",
        ),
        (
            "class A { grd g; a(\"\") { this.g = count(range(0, 1000000000)) == 1; } }",
            "test:1:41: more than 1000000 steps: does this end?",
        ),
        (
            "class A { grd g; a(\"\") { this.g = length(repeat(\"x\", 90000) ++ \"y\") == 1 / 0; } }",
            "division by zero",
        ),
        (
            "class A { a(\"#{9223372036854775807 + 1}\") {} }",
            "test:1:16: a number beyond 64 bits",
        ),
        (
            "class A { a(\"#{at([1, 2], 2)}\") {} }",
            "there is no item 2: the list has 2",
        ),
        (
            "class A { a(\"#{text(error(\"no such thing\")) ++ \"\"}\") {} }",
            "no such thing",
        ),
        (
            "type N = Z | S(N);\nfn up(n : N, times : Int) : N = if times == 0 then n else up(S(n), times - 1);\n\
             class A { a(\"#{up(Z, 5000)}\") {} }",
            "values nest too deep",
        ),
        // What is doubled again and again is little in memory, and endless to
        // whoever looks at all of it.
        (
            "type T = L | N(T, T);\nfn up(t : T, n : Int) : T = if n == 0 then t else up(N(t, t), n - 1);\n\
             class A { a(\"#{up(L, 60)}\") {} }",
            "values nest too deep, or have too many parts",
        ),
        (
            "type T = L | N(T, T);\nfn up(t : T, n : Int) : T = if n == 0 then t else up(N(t, t), n - 1);\n\
             class A { grd g; a(\"\") { this.g = any([up(L, 19) == up(L, 19) for i in range(0, 1000)]); } }",
            "more than 1000000 steps: does this end?",
        ),
        (
            "type T = L | N(T, T);\nfn up(t : T, n : Int) : T = if n == 0 then t else up(N(t, t), n - 1);\n\
             class A { grd g; a(\"\") { this.g = any([has(put(map(), up(L, 19), i), up(L, 19)) for i in range(0, 1000)]); } }",
            "more than 1000000 steps: does this end?",
        ),
        (
            "fn up(t : String, n : Int) : String = if n == 0 then t else up(t ++ t, n - 1);\n\
             class A { a(\"#{up(\"x\", 40)}\") {} }",
            "more than 1000000 steps: does this end?",
        ),
        (
            "fn up(t : String, n : Int) : String = if n == 0 then t else up(t ++ t, n - 1);\n\
             class A { a(\"#{sum([length(up(\"x\", 24)) for i in range(0, 1000)])}\") {} }",
            "more than 1000000 steps: does this end?",
        ),
        (
            "fn up(t : List<Int>, n : Int) : List<Int> = if n == 0 then t else up(t ++ t, n - 1);\n\
             class A { a(\"#{count(up([1], 40))}\") {} }",
            "more than 1000000 steps: does this end?",
        ),
        (
            "class A { grd g; a(\"\") { this.g = 1 == 2; } }",
            "no program satisfies the guards of the spec within the height limit",
        ),
        (
            "class A { a(\"${l : L}\") {} }\n@list class L { @weight(4000000000) m(\"x${r : L}\") {} o(\"\") {} }",
            "too many nodes: lower height, weights or lists",
        ),
        (
            "class A { a(\"${l : L}\") { l.n = 0; } }\n\
             @list(1000) class L { inh n : Int; @weight(4000000000) m(\"#{count(range(this.n, 800000))}${r : L}\") \
             { r.n = this.n + 1; } o(\"\") {} }",
            "more than 67108864 steps for one program",
        ),
    ];
    for (text, expected) in cases {
        let found = fault(text);
        assert!(found.contains(expected), "{text}\n{found}");
    }
}

#[test]
fn choices_that_run_out_are_a_reject() {
    let programs = programs(&ASSIGNMENTS.replace("USE", GUARD), height(1));
    let (made, _) = programs.make(&mut Choices::seeded(0, 0).with_limit(2));
    assert_eq!(made, Err(Unmade::Reject(Reject::OutOfChoices)));
}

#[test]
fn heights_lists_weights_and_features_are_obeyed() {
    let text = r##"
knob loud = false;
knob most = 3;
class Root { root("${l : List}") {} }
@list(most) class List { one("${e : E}") {} @weight(1000) more("${e : E},${r : List}") {} }
class E { leaf("x") {} @weight(1000) deep("(${e : E})") {} @feature(loud) shout("X") {} }
"##;
    let made = |knobs: &[(&str, KnobValue)], limit| {
        let knobs = knobs.iter().map(|(k, v)| (k.to_string(), *v)).collect();
        let programs = spec(text).programs(&knobs, height(limit)).unwrap();
        let made = (0..200).map(|i| programs.make(&mut Choices::seeded(0, i)).0.unwrap());
        let made: Vec<String> = made.map(|p| String::from_utf8(p).unwrap()).collect();
        made
    };
    let deepest = |programs: &[String]| programs.iter().map(|p| p.matches('(').count()).max();
    let plain = made(&[], 5);
    assert!(
        plain
            .iter()
            .all(|p| p.split(',').count() <= 3 && !p.contains('X'))
    );
    let longest = plain.iter().map(|p| p.split(',').count()).max();
    assert_eq!((longest, deepest(&plain)), (Some(3), Some(15)));
    let loud = made(&[("loud", KnobValue::Bool(true))], 0);
    assert!(loud.iter().any(|p| p.contains('X')));
    assert_eq!(deepest(&loud), Some(0));
}

#[test]
fn parentheses_stand_where_precedence_wants_them_and_lines_are_indented() {
    let text = r##"
class Root { root("{\+\n${e : E};\n\-}\n") {} }
class E {
  x("x") {}
  @precedence(1) sum("\(${l : E}\) + \(${r : T}\)") {}
  @precedence(2) product("\(${l : S}\) * \(${r : S}\)") {}
}
class T { @precedence(2) product("y * y") {} }
class S { @precedence(1) sum("z + z") {} }
"##;
    let (made, _) = reachable(&programs(text, height(1)));
    let expected = [
        "{\n  (z + z) * (z + z) + y * y;\n}\n",
        "{\n  (z + z) * (z + z);\n}\n",
        "{\n  x + y * y;\n}\n",
        "{\n  x;\n}\n",
    ];
    assert_eq!(made, expected.map(str::to_string).into_iter().collect());
}

#[test]
fn values_and_functions_do_what_the_reference_says() {
    let cases = [
        ("1 + 2 * 3 - 4 / 2 % 3", "5"),
        ("-7 / 2", "-3"),
        ("not (1 < 2 and 2 >= 3 or false)", "true"),
        ("if 1 == 2 then \"a\" else \"b\" ++ \"c\"", "bc"),
        (
            "[x * y for x in range(1, 4) for y in [10, 20] if x != 2]",
            "[10, 20, 30, 60]",
        ),
        (
            "fold n = 0 for (k, v) in entries(put(put(map(), 1, 10), 2, 20)) do n + k * v",
            "50",
        ),
        ("let (a, b) = (1, \"x\") in \"#{a}#{b}#{\"#{a}\"}\"", "1x1"),
        (
            "match Some(Some(3)) { Some(Some(n)) => n, Some(None) => 1, None => 2 }",
            "3",
        ),
        (
            "match (true, 2) { (false, _) => \"no\", (true, 2) => \"two\", (true, n) => text(n) }",
            "two",
        ),
        ("match \"b\" { \"a\" => 1, _ => 2 }", "2"),
        (
            "get_or(remove(put(put(map(), \"a\", 1), \"b\", 2), \"a\"), \"a\", 9)",
            "9",
        ),
        ("keys(merge(put(map(), 1, 1), put(map(), 2, 2)))", "[1, 2]"),
        (
            "items(difference(set_of([3, 1, 2, 1]), set_of([2])))",
            "[1, 3]",
        ),
        ("items(intersection(set_of([3, 1]), add(set(), 3)))", "[3]"),
        (
            "contains(union(set_of([1]), without(set_of([2]), 2)), 2)",
            "false",
        ),
        ("sort([3, 1, 2]) == reverse([3, 2, 1])", "true"),
        ("join(sort_texts([\"b\", \"a\"]), \"-\")", "a-b"),
        ("take(drop([1, 2, 3, 4], 1), 2)", "[2, 3]"),
        ("flatten([[1], [], [2, 3]])", "[1, 2, 3]"),
        ("zip([1, 2], [\"a\", \"b\"])", "[(1, a), (2, b)]"),
        ("distinct([1, 2, 1])", "[1, 2]"),
        (
            "number(\"12\") == Some(12) and number(\"x\") == None",
            "true",
        ),
        (
            "upper(\"ab\") ++ lower(\"AB\") ++ repeat(\"-\", 3)",
            "ABab---",
        ),
        (
            "slice(\"abcdef\", 2, 4) ++ slice(\"ab\", 1, 9) ++ slice(\"ab\", 3, 1)",
            "cdb",
        ),
        ("max(2, 3) + min(2, 3) + power(2, 10)", "1029"),
        (
            "any([false, true]) and not all([false, true]) and is_empty([]) == is_empty([1])",
            "false",
        ),
        ("Point(x: 1, y: 2) with { y: 5 }", "(1, 5)"),
        ("(Point(x: 1, y: 2) with { y: 5 }).y", "5"),
        ("[Red, Mix(Red, Blue)]", "[Red, Mix(Red, Blue)]"),
        (
            "or_else(None, 4) + (if is_some(Some(1)) then 1 else 0)",
            "5",
        ),
        ("fact(10)", "3628800"),
        (
            "lookup(leave(declare(enter(declare(no_scopes(), \"a\", 1)), \"a\", 2)), \"a\")",
            "Some(1)",
        ),
        ("map_keys([(1, 2), (3, 4)])", "[1, 3]"),
        ("\"\\u{41}\\t\\\\\\#{}\"", "A\t\\#{}"),
    ];
    for (expression, expected) in cases {
        let text = format!(
            "use scopes;\nrecord Point {{ x : Int, y : Int }}\ntype Color = Red | Blue | Mix(Color, Color);\n\
             fn fact(n : Int) : Int = if n == 0 then 1 else n * fact(n - 1);\n\
             fn map_keys<A, B>(all : List<(A, B)>) : List<A> = [a for (a, _) in all];\n\
             class A {{ a(\"#{{{expression}}}\") {{}} }}"
        );
        let made = programs(&text, height(0))
            .make(&mut Choices::seeded(0, 0))
            .0;
        assert_eq!(self::text(made), expected, "{expression}");
    }
}

#[test]
fn statistics_count_what_happened() {
    let programs = programs(&ASSIGNMENTS.replace("USE", GUARD), height(1));
    let mut all = Statistics::default();
    for index in 0..100 {
        all += programs.make(&mut Choices::seeded(0, index)).1;
    }
    assert!(all.patterns > 0 && all.alternatives > 0 && all.failures > 0);
    assert!(all.nodes_made > all.nodes && all.steps > 0 && all.pattern_work > 0);
}

/// A random spec over a few classes that only contain later ones, with numbers
/// that go down, up and sideways, and guards on some of them.
fn random_spec(choices: &mut Choices) -> Result<String, Reject> {
    const CLASSES: usize = 4;
    let mut text = String::new();
    for class in 0..CLASSES {
        let guarded = class > 0 && choices.chance(1, 2)?;
        let kind = match choices.below(5)? {
            0 if class > 0 => "@unit ",
            _ => "",
        };
        text.push_str(&format!("{kind}class C{class} {{\n"));
        if class > 0 {
            text.push_str("  inh n : Int;\n");
        }
        text.push_str("  syn s : Int;\n");
        text.push_str(if guarded { "  grd g;\n" } else { "" });
        for production in 0..choices.between(1, 3)? {
            let count = match CLASSES - 1 - class {
                0 => 0,
                _ => choices.below(3)?,
            };
            let letter = char::from(b'a' + (class as u8) * 3 + production as u8);
            let mut template = letter.to_string();
            let mut rules = String::new();
            let mut known = vec![if class > 0 { "this.n" } else { "1" }.to_string()];
            for child in 0..count {
                let of = class + 1 + choices.index(CLASSES - 1 - class)?;
                template.push_str(&format!("${{x{child} : C{of}}}"));
                let (from, plus) = (choices.index(known.len())?, choices.below(3)?);
                rules.push_str(&format!("x{child}.n = ({} + {plus}) % 3; ", known[from]));
                known.push(format!("x{child}.s"));
            }
            let (from, plus) = (choices.index(known.len())?, choices.below(3)?);
            rules.push_str(&format!("this.s = ({} + {plus}) % 3; ", known[from]));
            if guarded {
                let (a, b) = (choices.index(known.len())?, choices.index(known.len())?);
                let (a, b) = (&known[a], &known[b]);
                let value = choices.below(3)?;
                rules.push_str(&format!("this.g = ({a} + {b}) % 3 != {value};"));
            }
            text.push_str(&format!("  p{production}(\"{template}\") {{ {rules} }}\n"));
        }
        text.push_str("}\n");
    }
    Ok(text)
}

#[test]
fn fail_patterns_lose_nothing_in_random_specs() {
    const MOST: usize = 1500;
    let (mut compared, mut pruned) = (0, 0);
    for index in 0..600 {
        let text = random_spec(&mut Choices::seeded(3, index)).unwrap();
        let all = |generalize: bool| -> Option<(BTreeSet<String>, usize)> {
            // Classes that nothing leads to are refused: such a spec is skipped.
            let spec = Spec::read("random", &text).ok()?;
            let limits = Limits {
                generalize,
                ..height(0)
            };
            let programs = spec.programs(&BTreeMap::new(), limits).ok()?;
            let mut odometer = Odometer::new(200);
            let (mut all, mut tapes) = (BTreeSet::new(), 0);
            while let Some((made, _)) = odometer.run(|choices| programs.make(choices)) {
                tapes += 1;
                if tapes > MOST {
                    return None;
                }
                all.insert(match made {
                    Ok(text) => String::from_utf8(text).unwrap(),
                    Err(Unmade::Impossible) => "impossible".to_string(),
                    Err(other) => panic!("{other}\n{text}"),
                });
            }
            Some((all, tapes))
        };
        let (Some((with, fewer)), Some((without, more))) = (all(true), all(false)) else {
            continue;
        };
        assert_eq!(with, without, "spec {index}\n{text}");
        compared += 1;
        pruned += usize::from(fewer < more);
    }
    assert!(compared > 100 && pruned > 20, "{compared} {pruned}");
}

#[test]
fn any_tape_makes_a_valid_program_or_none() {
    let spec = spec(library::find_spec("assignments-guarded").unwrap().text);
    let programs = spec.programs(&BTreeMap::new(), height(4)).unwrap();
    for index in 0..60 {
        let mut choices = Choices::seeded(2, index);
        let _ = programs.make(&mut choices);
        // Cut, and with every third choice made smaller: what a reduction does.
        let mut tape = choices.into_tape();
        tape.0.truncate(tape.0.len() * 2 / 3);
        tape.0
            .iter_mut()
            .step_by(3)
            .for_each(|choice| choice.value /= 2);
        let Ok(program) = programs.make(&mut Choices::guided(tape)).0 else {
            continue;
        };
        let program = String::from_utf8(program).unwrap();
        let mut known = BTreeSet::new();
        for line in program.lines() {
            let (name, value) = line.split_once(" := ").unwrap();
            let words = value.trim_end_matches(';').split(' ');
            let mut used = words.filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
            assert!(used.all(|word| known.contains(word)), "{program}");
            known.insert(name);
        }
    }
}

#[test]
fn annotations_and_hidden_children_do_what_the_reference_says() {
    let one = |text: &str| self::text(programs(text, height(5)).make(&mut Choices::seeded(0, 1)).0);
    let deepest = "class A { a(\"${e : E}\") {} }\n\
                   @max_height(2) class E { x(\"x\") {} @weight(4000000000) d(\"(${e : E})\") {} }";
    assert_eq!(one(deepest), "((x))");
    let few = "class A { a(\"${l : L}\") {} }\n\
               @list(60) class L { @weight(4000000000) m(\"${n : N} ${r : L}\") {} o(\"\") {} }\n\
               @count(2) class N(\"[0-9]{9}\");";
    let drawn = one(few);
    let different: BTreeSet<&str> = drawn.split_whitespace().collect();
    assert_eq!((drawn.split_whitespace().count(), different.len()), (59, 2));
    let hidden = "class A { a(\"#{x.str}!${hidden x : B}\") {} } class B(\"b\");";
    assert_eq!(one(hidden), "b!");
    let copied = "class A { a(\"#{b.s}${b : B}\") { b.down = 3; } }\n\
                  @copy class B { inh down : Int; syn s : Int; b(\"${c : C}\") {} }\n\
                  class C { inh down : Int; syn s : Int; c(\"\") { this.s = this.down + 4; } }";
    assert_eq!(one(copied), "7");
    let patient = "class A { a(\"${b : B}\") {} }\n\
                   class B { grd g; b(\"${n : N}\") { this.g = n.str == \"7\"; } }\n\
                   class N(\"[0-9]\");";
    assert_eq!(one(patient), "7");
    let hasty = patient.replace("class B", "@max_alternatives(1) class B");
    let programs = programs(&hasty, height(5));
    let made = (0..40).map(|index| programs.make(&mut Choices::seeded(0, index)).0);
    let gave_up = made.filter(|made| *made == Err(Unmade::Impossible)).count();
    assert!((20..40).contains(&gave_up), "{gave_up}");
}

#[test]
fn annotations_follow_the_knobs_that_the_user_sets() {
    let text = "knob most = 3;\nknob drawn = 1;\n\
                class Program {\n  program(\"${l : List}\") {}\n}\n\
                @list(most)\nclass List {\n  one(\"${d : Digit}\") {}\n  @weight(1000000)\n  more(\"${d : Digit}${r : List}\") {}\n}\n\
                @count(drawn)\nclass Digit(\"[0-9]\");\n";
    let made = |most: i64, drawn: i64| {
        let knobs = [("most", most), ("drawn", drawn)]
            .map(|(name, value)| (name.to_string(), KnobValue::Int(value)));
        let spec = Spec::read("t.spec", text).unwrap();
        let programs = spec.programs(&knobs.into(), Limits::default()).unwrap();
        let (made, _) = programs.make(&mut Choices::seeded(0, 0));
        let text = made.unwrap();
        let digits: BTreeSet<u8> = text.iter().copied().collect();
        (text.len(), digits.len())
    };
    assert_eq!(made(3, 1), (3, 1));
    assert_eq!(made(200, 1), (200, 1));
    assert_eq!(made(200, 10), (200, 10));
    let beyond = [("most".to_string(), KnobValue::Int(-1))];
    let refused = Spec::read("t.spec", text)
        .unwrap()
        .programs(&beyond.into(), Limits::default());
    let said = refused.err().unwrap().to_string();
    assert!(said.contains("@list takes a number from 0 to"), "{said}");
}
