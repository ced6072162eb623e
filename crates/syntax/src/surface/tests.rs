use super::*;
use crate::{Grammar, SyntaxTree};

fn surface(text: &str) -> String {
    String::from_utf8(Surface::of_c(text.as_bytes()).text).unwrap()
}

#[test]
fn what_the_grammar_does_not_know_is_replaced_in_place() {
    for (text, expected) in [
        (
            "int x __attribute__((aligned (8))) = 1;",
            "int x                              = 1;",
        ),
        ("__typeof__ (a + b) c;", "__________________ c;"),
        ("void *p = &&here;", "void *p = 0     ;"),
        ("x = a && b;", "int x = a && b;"),
        ("__xdata char *p;", "        char *p;"),
        ("__sfr __at (0x80) port;", "char              port;"),
        (
            "void f(void) { __asm nop __endasm; }",
            "void f(void) {                   ; }",
        ),
        ("int x = a-- && b;", "int x = a-- && b;"),
        ("int x = &&a - &&b;", "int x = 0   - 0  ;"),
        ("__alignof__ (x)", "sizeof      (x)"),
        ("f(va_arg (ap, int));", "f(________________);"),
        (
            "f(_Generic(a, char: b, default: c));",
            "f(________________________________);",
        ),
        (
            "f((va_arg(ap, int) && b), c);",
            "f((_______________ && b), c);",
        ),
        ("case 1 ... 5: x();", "case 1      : x();"),
        (
            "asm volatile (\"nop\" : \"=r\" (x));",
            "                               ;",
        ),
        ("__complex__ double z;", "            double z;"),
    ] {
        assert_eq!(surface(text), expected);
    }
}

#[test]
fn macros_that_a_library_of_cpp_has_do_not_get_in_the_way() {
    for (text, expected) in [
        ("PUSH\nPOP\nnamespace n {", "    \n   \nnamespace n {"),
        (
            "template <class T> NO_INLINE T f(T x);",
            "template <class T>           T f(T x);",
        ),
        (
            "void f() { USE(x)\n const T y = 1; MARK }",
            "void f() {       \n const T y = 1;      }",
        ),
        (
            "TEST_CASE(\"a b\") { SECTION(\"c\") { x; } }",
            "TEST_CASE(     ) {              { x; } }",
        ),
        (
            "CLEAN\nMARK\nTEST(a, b) { CALL(f(); g()); CALL([] { h(); }, int); }",
            "     \n    \nTEST(a, b) {               ; CALL([] { h(); }, ___); }",
        ),
        ("LIB_CONSTEXPR14 int f();", "constexpr       int f();"),
        // These are read as they are.
        ("TEST(A, B) { FOR(int i, v) { i; } }", ""),
        (
            "enum e { A }; TYPE x; TYPE const y; CHECK(a == b); X::X() {}",
            "",
        ),
    ] {
        let found = String::from_utf8(Surface::of_cpp(text.as_bytes()).text).unwrap();
        let expected = if expected.is_empty() { text } else { expected };
        assert_eq!(found, expected);
    }
}

#[test]
fn int_is_put_in_where_it_is_implied() {
    for (text, expected) in [
        ("main () { }", "int main () { }"),
        (
            "static f (a, b) char b; { }",
            "static int f (a, b) char b; { }",
        ),
        ("*f () { }", "int *f () { }"),
        ("x; a[3]; foo ();", "int x; int a[3]; foo ();"),
        (
            "int f(void) { register i, j; static const k = 1; }",
            "int f(void) { register int i, j; static const int k = 1; }",
        ),
        (
            "int const x = 1; T const y; static T z;",
            "int const x = 1; T const y; static T z;",
        ),
        (
            "void f(void) { char *const p = 0; { } static q; }",
            "void f(void) { char *const p = 0; { } static int q; }",
        ),
        ("int x = 1; T f () { }", "int x = 1; T f () { }"),
    ] {
        assert_eq!(surface(text), expected);
    }
}

#[test]
fn directives_are_blanked_out_and_one_branch_is_read() {
    let text = "#define A 1\n#if 0\nbad {\n#else\nint good;\n#endif\n#ifdef X\nint one;\n#else\nint two;\n#endif\nint z;\n";
    let surface = Surface::of_c(text.as_bytes());
    let words: Vec<String> = String::from_utf8(surface.text)
        .unwrap()
        .split_whitespace()
        .map(str::to_string)
        .collect();
    assert_eq!(words.join(" "), "int good; int one; int z;");
    assert!(surface.macros.contains(&b"A"[..]));
    assert_eq!(surface.conditional.len(), 2);
}

#[test]
fn a_guard_around_the_whole_file_is_not_a_condition() {
    let text = b"/* c */\n#ifndef H\n#define H\nint x;\n#endif\n";
    assert!(Surface::of_c(text).conditional.is_empty());
}

#[test]
fn uses_of_macros_are_hidden() {
    let text = "#define F(x) x\nint f(int a) { F(a) return F(a) + a; }\n";
    let surface = Surface::of_c(text.as_bytes());
    assert!(
        String::from_utf8(surface.text.clone())
            .unwrap()
            .contains("{ ;    return ____ + a; }")
    );
    let hidden: Vec<&str> = surface
        .hidden
        .iter()
        .map(|range| &text[range.clone()])
        .collect();
    assert_eq!(hidden, ["F(a)", "F(a)"]);
}

#[test]
fn places_are_those_of_the_original() {
    let text = b"main () { return x; }\ny;\nf () { z; }";
    let surface = Surface::of_c(text);
    for word in [&b"main"[..], b"return", b"x", b"y", b"f", b"z"] {
        let find = |text: &[u8]| {
            let alone = |byte: Option<&u8>| byte.is_none_or(|byte| !byte.is_ascii_alphabetic());
            (0..text.len()).find(|&at| {
                text[at..].starts_with(word)
                    && alone(text.get(at + word.len()))
                    && (at == 0 || alone(text.get(at - 1)))
            })
        };
        assert_eq!(
            surface.origin(find(&surface.text).unwrap()),
            find(text).unwrap()
        );
    }
    assert_eq!(surface.origin(surface.text.len()), text.len());
}

#[test]
fn hostile_text_is_read_to_its_end() {
    let deep = [vec![b'('; 200_000], vec![b'{'; 200_000]].concat();
    for text in [
        &deep[..],
        b"\"",
        b"/*",
        b"#define",
        b"#if\n#else",
        b"'\\",
        b"#\\",
        b"\xff\xfe\x00",
        b"typeof(",
        b"case ...",
    ] {
        let surface = Surface::of_c(text);
        match SyntaxTree::parse(&Grammar::of("c").unwrap(), &surface.text) {
            Ok(tree) => assert!(!tree.nodes().is_empty()),
            Err(error) => assert!(error.to_string().contains("nested deeper")),
        }
    }
}

#[test]
fn fractions_and_formats_of_jq_are_replaced_in_place() {
    for (text, expected) in [
        ("1.5e-3 + .5 * $a1.b", "000000 + 00 * $a1.b"),
        (". | .[0.5:] | @csv, .a", ". | .[000:] | _csv, .a"),
        (
            r#"@json "a\(0.5 | @uri "\(.)") 0.5" # 0.5"#,
            r#"      "a\(000 |      "\(.)") 0.5" # 0.5"#,
        ),
        (r#""\"0.5" | 0.5"#, r#""\"0.5" | 000"#),
        (")) 0.5 (\"\\(", ")) 000 (\"\\("),
        ("0.e, 1e, 2.", "00e, 0e, 00"),
    ] {
        let surface = Surface::of_jq(text.as_bytes());
        assert_eq!(String::from_utf8_lossy(&surface.text), expected);
    }
}
