//! Fail patterns: with and without them a spec makes the same programs, and
//! with them it makes those that plain backtracking does not find.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod making;

use std::collections::{BTreeMap, BTreeSet};

use lydite_core::{Choices, Odometer, Reject};
use lydite_grammar::spec::{Limits, Spec, Statistics, Unmade};
use making::{ASSIGNMENTS, GENERATOR, GUARD, height, programs, reachable, text};

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

/// Where most beginnings lead nowhere, and the guard reads all of them.
const UNLUCKY: &str = r##"
class Root { root("${a : Side}${x : Check}") { x.all = a.all; } }
class Side { syn all : List<String>;
  @weight(3) wrong("${a : D}${b : D}${c : D}${d : D}${e : D}${f : D}") {
    this.all = [a.str, b.str, c.str, d.str, e.str, f.str]; }
  right("!") { this.all = []; } }
class D("[0-9]");
class Check { inh all : List<String>; grd none; check("") { this.none = is_empty(this.all); } }
"##;

#[test]
fn an_unlucky_beginning_is_given_up_for_another() {
    let limits = Limits {
        alternatives: 50_000,
        ..height(1)
    };
    let programs = programs(UNLUCKY, limits);
    let mut all = Statistics::default();
    for index in 0..20 {
        let (made, statistics) = programs.make(&mut Choices::seeded(0, index));
        assert_eq!(text(made), "!");
        all += statistics;
    }
    assert!(all.restarts > 20, "{all:?}");
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
