use std::sync::Arc;

use lydite_core::Choices;

use super::captures;
use super::*;
use crate::{Classes, Mode, Options, Skeleton, Types};

fn skeleton(language: &str, text: &str, options: Options) -> Skeleton {
    let text: Arc<[u8]> = text.as_bytes().into();
    Skeleton::read(Dialect::of(language).unwrap(), &text, options).unwrap()
}

/// The holes with a choice: `a@7[a b]` is a use of `a` on line 7 that `a` or
/// `b` may fill.
fn holes(language: &str, text: &str, options: Options) -> Vec<String> {
    let skeleton = skeleton(language, text, options);
    assert_eq!(skeleton.render(skeleton.original()), text.as_bytes());
    let show = |(range, mut names): (std::ops::Range<usize>, Vec<&[u8]>)| {
        names.sort();
        let names: Vec<&str> = names
            .iter()
            .map(|name| std::str::from_utf8(name).unwrap())
            .collect();
        let line = 1 + text[..range.start].matches('\n').count();
        format!("{}@{line}[{}]", &text[range], names.join(" "))
    };
    skeleton.holes().into_iter().map(show).collect()
}

#[track_caller]
fn check(language: &str, text: &str, expected: &[&str]) {
    assert_eq!(holes(language, text, Options::default()), expected);
}

#[test]
fn every_query_compiles_and_every_capture_is_known() {
    for dialect in &DIALECTS {
        let query = dialect.query();
        for name in query.capture_names() {
            assert!(captures::is_known(name), "{}: @{name}", dialect.language);
        }
    }
}

#[test]
fn a_hole_takes_what_is_declared_before_it_in_scopes_around_it() {
    let text = "int g;\nint f(int p) {\n  int a = p;\n  { int b = a; b; }\n  int c;\n  return a;\n}\nint h;\n";
    check(
        "c",
        text,
        &["p@3[g p]", "a@4[a g p]", "b@4[a b g p]", "a@6[a c g p]"],
    );
}

#[test]
fn types_are_told_apart_by_specifiers_and_declarators() {
    let text = "void f(int a, unsigned b, int *p, int **q, int t[3], struct s *s, struct s *u) {
  unsigned int c; int d, *e, v[3], w[3]; const int k = 1; int long l; long m; register int r;
  a; b; p; q; t; s; c; d; e; v; w; k; l; m; r;
}\n";
    check(
        "c",
        text,
        &[
            "a@3[a d]", "b@3[b c]", "p@3[e p]", "s@3[s u]", "c@3[b c]", "d@3[a d]", "e@3[e p]",
            "v@3[v w]", "w@3[v w]", "l@3[l m]", "m@3[l m]",
        ],
    );
}

#[test]
fn what_is_hidden_fills_nothing_where_it_is_hidden() {
    let text = "int a, b;\nvoid f(void) {\n  a;\n  { char a; a; b; }\n  a;\n}\n";
    check("c", text, &["a@3[a b]", "a@5[a b]"]);
    // The hidden variable is a class of its own: 2 * 2 patterns less nothing.
    let skeleton = skeleton("c", text, Options::default());
    assert_eq!(skeleton.figures().exact.to_string(), "2");
    let text = "int a, b, c;\nvoid f(void) {\n  a;\n  { char a; b; }\n  a;\n}\n";
    check("c", text, &["a@3[a b c]", "b@4[b c]", "a@5[a b c]"]);
}

#[test]
fn constants_labels_fields_and_macros_are_left_alone() {
    let text = "#define M(x) x + a
#define N a
enum { e };
struct s { int a; };
int a, b, n = 3, arr[sizeof a], f(int a);
int g(struct s s) {
  static int k = sizeof a;
  int v[b], w = M(b) + N + s.a + e;
  switch (a) { case sizeof b: goto a; }
  a: return (struct s) { .a = b }.a + __builtin_offsetof (struct s, a);
}\n";
    check("c", text, &["a@9[a b k n w]", "b@10[a b k n w]"]);
}

#[test]
fn old_functions_and_implied_types_are_read() {
    let text = "x;\nf(a, b)\n  int b;\n{\n  register i;\n  i = a + b + x;\n}\n";
    // `a` has no declaration and is left alone.
    check("c", text, &["b@6[b x]", "x@6[b x]"]);
}

#[test]
fn gnu_extensions_do_not_get_in_the_way() {
    let text = "typedef int v4 __attribute__((vector_size (16)));
__complex__ double z; double d, e;
int f(int a, int b) {
  __label__ out;
  void *p = &&out;
  int c __attribute__((aligned (16))) = ({ int t = a; t; });
  __typeof__ (a) q = a;
  asm volatile (\"\" : \"=r\" (a) : \"r\" (b));
  d = __real__ z;
  int inner(int x) { return x + b; }
  goto *p;
out:
  return a ?: inner(b);
}\n";
    check(
        "c",
        text,
        &[
            "a@6[a b]", "t@6[a b t]", "a@7[a b]", "d@9[d e]", "x@10[a b x]", "b@10[a b x]",
            "a@13[a b]", "b@13[a b]",
        ],
    );
}

#[test]
fn what_looks_like_a_type_may_be_a_variable() {
    let text = "int f(int a, int b) {\n  a * b;\n  sizeof (a);\n  return (a) - b;\n}\n";
    check("c", text, &["a@3[a b]", "a@4[a b]", "b@4[a b]"]);
}

#[test]
fn declarations_under_a_condition_hold_there_only() {
    let text = "int a, c;\n#ifdef X\nint b;\n#endif\nint f(void) {\n#ifdef X\n  b;\n#endif\n  return a;\n}\n";
    check("c", text, &["a@9[a c]"]);
}

#[test]
fn a_function_with_an_error_is_left_alone_and_the_others_are_not() {
    let text = "int f(int a, int b) { return a; }\nint g(int a, int b) { @ return a; }\nint h(int a, int b) { return b; }\n";
    check("c", text, &["a@1[a b]", "b@3[a b]"]);
}

#[test]
fn what_is_defined_elsewhere_stands_for_nothing_else() {
    let text = "extern int a;\nextern int b;\nint c, b;\nint f(void) { return a + b; }\n";
    check("c", text, &["b@4[b c]"]);
}

#[test]
fn converted_types_fill_holes_if_asked_for() {
    let text =
        "void f(int a, char b, double d, float e, int *p) {\n  a + b;\n  d = e;\n  p = &a;\n}\n";
    let options = Options {
        types: Types::Convertible,
        ..Options::default()
    };
    assert_eq!(
        holes("c", text, options),
        ["a@2[a b]", "b@2[a b]", "d@3[d e]", "e@3[d e]"]
    );
    check("c", text, &[]);
}

#[test]
fn strict_classes_keep_different_declarations_apart() {
    let text = "int f(void) {\n  int a = 1, b = 0;\n  return a;\n}\n";
    let count = |classes| {
        let options = Options {
            classes,
            ..Options::default()
        };
        skeleton("c", text, options).figures().exact.to_string()
    };
    assert_eq!(count(Classes::Paper), "1");
    assert_eq!(count(Classes::Strict), "2");
}

/// The paper's count knows global variables at depth 0 and functions at depth 1 alone.
#[test]
fn variables_of_nested_namespaces_and_of_blocks_around_functions_are_counted() {
    for (language, text, counts) in [
        (
            "cpp",
            "namespace a { namespace b { int x, y; int f() { return x - y; } } }",
            ("2", "2"),
        ),
        (
            "cpp",
            "int f() { { int x = 1, y = 2; { auto l = [&]() { return x - y; }; return l(); } } }",
            ("2", "2"),
        ),
        (
            "scala",
            "object T { var x: Int = 1; var y: Int = 2; def f = { val z: Int = x; y } }",
            ("2", "2"),
        ),
    ] {
        let skeleton = skeleton(language, text, Options::default());
        let paper = skeleton.paper_count().expect("few holes").to_string();
        let found = (skeleton.figures().exact.to_string(), paper);
        assert_eq!((found.0.as_str(), found.1.as_str()), counts, "{text}");
    }
}

/// Each program returns one of two variables of its own: one pattern where they are
/// interchangeable, two where they are not.
#[test]
fn strict_classes_tell_apart_what_the_same_words_make_at_different_places() {
    let strict = Options {
        classes: Classes::Strict,
        ..Options::default()
    };
    for (language, text, patterns) in [
        ("c", "int f(void) { int a = 1, b = 1; return a; }", "1"),
        (
            "c",
            "int g(void); int f(void) { int a = g(), b = g(); return a; }",
            "2",
        ),
        ("c", "int f(int a, int b) { return a; }", "2"),
        (
            "cpp",
            "struct S { ~S(); }; S *f() { S *a; S *b; return a; }",
            "1",
        ),
        (
            "cpp",
            "struct S { ~S(); }; S f() { S a; S b; return a; }",
            "2",
        ),
        ("lua", "function f(a, b) return a end", "2"),
        (
            "javascript",
            "function f() { let a = 1, b = 1; return a; }",
            "1",
        ),
        (
            "javascript",
            "function f() { let a = g(), b = g(); return a; }",
            "2",
        ),
        ("javascript", "function f(a, b) { return a; }", "2"),
        (
            "rust",
            "fn f() -> u8 { let a: u8 = 1; let b: u8 = 1; a }",
            "1",
        ),
        (
            "rust",
            "fn f() -> u8 { let a: u8 = g(); let b: u8 = g(); a }",
            "2",
        ),
        ("rust", "fn f(a: u8, b: u8) -> u8 { a }", "2"),
        (
            "scala",
            "object T { def f = { val a: Int = 1; val b: Int = 1; a } }",
            "1",
        ),
        (
            "scala",
            "object T { def f = { val a: Int = g; val b: Int = g; a } }",
            "2",
        ),
        ("scala", "object T { def f(a: Int, b: Int) = a }", "2"),
    ] {
        let skeleton = skeleton(language, text, strict);
        let figures = skeleton.figures();
        let exact = figures.exact.to_string();
        assert_eq!((figures.holes, exact.as_str()), (1, patterns), "{text}");
    }
}

#[test]
fn in_awk_parameters_and_locals_are_exchanged_and_arrays_are_not() {
    let text = "function f(a, b,  i, t) {
  for (i in K) { t[i] = a; delete t[b] }
  return g + f(b)
}
BEGIN { x = f(1, y); if (x in K) print x }\n";
    check(
        "awk",
        text,
        &[
            "i@2[a b i t]", "i@2[a b i t]", "a@2[a b i t]", "b@2[a b i t]", "b@3[a b i t]",
        ],
    );
}

#[test]
fn in_jq_a_variable_is_seen_behind_its_binding_to_the_end_of_the_pipe() {
    let text = "def f($a; g): $a as $b | [$a, $b];
1 as $x | ((2 as $y | $x),
($x as [$p, {k: $q, $r}] | $x), reduce $x as $z (0; . + $z),
(label $out | $x, break $out))\n";
    check(
        "jq",
        text,
        &[
            "$a@1[$a $b]", "$b@1[$a $b]", "$x@2[$x $y]", "$x@3[$p $q $r $x]", "$z@3[$x $z]",
        ],
    );
}

#[test]
fn functions_are_filled_each_on_its_own_or_together() {
    let text = "int a, b;\nint f(void) { return a - b; }\nint g(void) { return a - b; }\n";
    let count = |mode| {
        let options = Options {
            mode,
            ..Options::default()
        };
        skeleton("c", text, options).figures().exact.to_string()
    };
    assert_eq!(count(Mode::Intra), "4");
    assert_eq!(count(Mode::Inter), "8");
}

#[test]
fn a_program_stands_for_its_own_pattern() {
    let text =
        "int a, b, c;\nint f(int p, int q) { c = q - b; { int d, e; e = c + p; } return b; }\n";
    for classes in [Classes::Paper, Classes::Strict] {
        for mode in [Mode::Intra, Mode::Inter] {
            let options = Options {
                classes,
                mode,
                ..Options::default()
            };
            let skeleton = skeleton("c", text, options);
            let index = skeleton.fillings().index_of(skeleton.original()).unwrap();
            assert_eq!(skeleton.nth(&index).unwrap(), text.as_bytes());
        }
    }
}

#[test]
fn other_languages_are_query_files() {
    check(
        "cpp",
        "int g;\nnamespace n { int f(int a, int &r, const int k) { int b = a; auto l = [&] { return a; }; return b + r; } }\n",
        &["a@2[a g]", "a@2[a b g]", "b@2[a b g]"],
    );
    // Functions of classes are filled, fields and variables of a template's own type
    // are not; lambdas are, and classes inside of functions.
    check(
        "cpp",
        "int g;\nclass C {\n int m;\n int f(int a) { int b = a; return b + m + late; }\n int late;\n};\ntemplate <typename T> T id(T x) { T y = x; return y; }\nint h(int p) {\n class L { int f(int q) { return q; } };\n auto c = [p](int q) { return q; };\n auto d = [&](int q) { return q + p; };\n return g;\n}\n",
        &[
            "a@4[a g]", "b@4[a b g]", "q@9[g q]", "q@10[g q]", "q@11[g p q]", "p@11[g p q]",
            "g@12[g p]",
        ],
    );
    // What a template is given are no variables, and nobody outside sees them; what has to
    // be known at compile time stays.
    check(
        "cpp",
        "int g;\ntemplate <int N, int *P> int f(int a) { int b = a; b += N; return b; }\nint h(int p) { return p; }\nconstexpr int k(int p, int q) { return p; }\n",
        &["a@2[a g]", "b@2[a b g]", "b@2[a b g]", "p@3[g p]"],
    );
    check(
        "cpp",
        "int f(int a, int b) {\n { struct b {}; a = 1; }\n return a;\n}\n",
        &["a@3[a b]"],
    );
    check(
        "lua",
        "local a, b = 1, 2\nlocal c <const> = 3\nfunction f(x)\n  local y = x + a\n  for i = 1, 2 do print(i, t.a) end\n  return y\nend\n",
        &["x@4[a b x]", "a@4[a b x]", "i@5[a b i x y]", "y@6[a b x y]"],
    );
    check(
        "javascript",
        "let a = 1, b = a;\nconst c = 2;\nfunction f(x, y = 1) {\n  for (let i = 0; i < x; i++) a.b = { a: y };\n  return c;\n}\n",
        &[
            "i@4[a b i x y]", "x@4[a b i x y]", "i@4[a b i x y]", "a@4[a b i x y]",
            "y@4[a b i x y]",
        ],
    );
    check(
        "solidity",
        "contract C {\n  uint s; uint t; uint constant K = 1;\n  function f(uint a, uint8 b) public returns (uint r) {\n    uint c = a;\n    s = c + K;\n    return g(c, b);\n  }\n}\n",
        &["a@4[a r]", "s@5[s t]", "c@5[a c r]", "c@6[a c r]"],
    );
    check(
        "rust",
        "fn f(a: i32, b: i32, s: String) -> i32 {\n    let mut c: i32 = a;\n    let d = b;\n    c += a;\n    let e: i32 = c;\n    println!(\"{}\", a);\n    c + d + e\n}\n",
        &["a@2[a b]", "b@3[a b]", "a@4[a b]", "e@7[a b e]"],
    );
    // What is bound without a type, names
    // behind a dot or between operands, and named arguments are no holes.
    check(
        "scala",
        "object T {\n  var m: Int = 0; var n: Int = 1\n  def f(a: Int, b: Int, s: String): Int = {\n    val c: Int = a max b\n    val d = c\n    m += g(b = c, s.length)\n    for (i <- 1 to a) m = i\n    a match { case b => m + b }\n  }\n}\nclass C extends D { var k: Int = 1; def h(p: Int) = p }\n",
        &[
            "a@4[a b]", "b@4[a b]", "c@5[a b c]", "m@6[m n]", "c@6[a b c]", "a@7[a b c]",
            "m@7[m n]", "a@8[a b c]", "m@8[m n]",
        ],
    );
}

#[test]
fn a_lambda_sees_what_it_takes_and_writes_to_no_copy() {
    check(
        "cpp",
        "int g;\nvoid f(int a, int b) {\n static int s;\n [a](int q) { return a + q; };\n [&b](int q) { b = q; };\n [=](int q) { return a + q; };\n [=, &b](int q) { b = a; };\n [](int q) { return q; };\n [a] { return [&] { int w = a; return w; }; };\n [x = a](int q) { return x; };\n}\n",
        &[
            "a@4[a g q s]", "q@4[g q s]", "b@5[b g q s]", "q@5[b g q s]", "a@6[a b g q s]",
            "q@6[g q s]", "b@7[b g q s]", "a@7[a b g q s]", "q@8[g q s]", "a@9[a g s]",
            "w@9[g s w]",
        ],
    );
}

#[test]
fn a_member_function_outside_of_its_class_sees_what_no_member_hides() {
    let text = |bases: &str| {
        format!(
            "int g, m;\nstruct B {{ int k; }};\nstruct S{bases} {{ int m; int f(int a); void h() {{ g = k; }} }};\nint S::f(int a) {{ int b = a; return b + m + g; }}\n"
        )
    };
    let known = ["a@4[a g]", "b@4[a b g]", "g@4[a b g]"];
    check("cpp", &text(""), &known);
    check("cpp", &text(" : B"), &known);
    // What comes from a header may have members of any name, at any remove.
    check("cpp", &text(" : Unknown"), &["b@4[a b]"]);
    let farther = text(" : B").replace("struct B", "struct B : Unknown");
    check("cpp", &farther, &["b@4[a b]"]);
    check(
        "cpp",
        "int g;\nint T::f(int a, int b) { return a + g; }\n",
        &["a@2[a b]"],
    );
}

#[test]
fn a_class_inside_of_a_function_sees_none_of_its_variables() {
    check(
        "cpp",
        "int g;\nvoid f(int a) {\n static int s;\n struct L { int m; int f(int q) { return q; } L(int u, int v) : m(u) {} };\n g = a;\n}\n",
        &["q@4[g q s]", "u@4[g s u v]", "g@5[a g s]", "a@5[a g s]"],
    );
}

#[test]
fn what_a_constant_is_made_from_stays() {
    check(
        "cpp",
        "int f(int a, int b) {\n const int n = a; const int k = b;\n auto l = [](int p, int q) { return p; };\n static_assert(l(1, 2) == 1);\n return T<n>::v + a;\n}\n",
        &["b@2[a b]", "a@5[a b]"],
    );
}

#[test]
fn what_is_not_a_program_is_refused_with_a_reason() {
    let read = |text: Vec<u8>| {
        let outline = Outline::read(Dialect::of("c").unwrap(), &text.into());
        outline.err().unwrap().to_string()
    };
    let english = "The quick brown fox, jumps over the lazy dog. It's not a program at all! ";
    assert!(read(english.repeat(20).into()).starts_with("not a program in c"));
    assert!(read(vec![0; 100]).contains("not text"));
    assert!(read(vec![b'x'; 9 << 20]).contains("bytes are more than"));
    let deep = format!("void f(void) {}", "{".repeat(1000) + &"}".repeat(1000));
    assert!(read(deep.into()).contains("nested deeper"));
    assert!(read("(".repeat(100_000).into()).contains("nested deeper"));
}

#[test]
fn hostile_text_is_read_or_refused() {
    let deep = "(".repeat(5_000);
    let wide = "int a;\n".repeat(500) + "int f(void) { return a; }";
    let many = format!(
        "int f(int a, int b) {{ return {}a; }}",
        "a + ".repeat(2_000)
    );
    let bytes: Vec<u8> = (0..=255u8)
        .filter(|&byte| byte != 0)
        .cycle()
        .take(20_000)
        .collect();
    for text in [
        deep.into_bytes(),
        wide.into_bytes(),
        many.into_bytes(),
        bytes,
    ] {
        for dialect in &DIALECTS {
            let text: Arc<[u8]> = text.clone().into();
            if let Ok(skeleton) = Skeleton::read(dialect, &text, Options::default()) {
                assert_eq!(skeleton.render(skeleton.original()), *text);
                skeleton.sample(&mut Choices::seeded(1, 1)).unwrap();
            }
        }
    }
}
