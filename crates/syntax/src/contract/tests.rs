use super::*;

fn program(text: &str) -> Program {
    Program::single("case", text.as_bytes())
}

fn c() -> SyntaxLanguage {
    SyntaxLanguage::of("c").unwrap()
}

#[test]
fn a_program_is_checked_by_its_syntax() {
    for (language, good, bad) in [
        (
            "c",
            "main () { return __builtin_va_arg (x, int); }",
            "int main( { }",
        ),
        (
            "cpp",
            "template <class T> T f(T &&x) { return x; }",
            "class {{",
        ),
        (
            "solidity", "contract C { uint x; }", "contract C { uint ; ; }} x",
        ),
        ("lua", "local x <const> = 1", "local = 1"),
        ("javascript", "let x = () => 1;", "let = = 1;"),
        ("rust", "fn main() { let x: i32 = 1; }", "fn main( { }"),
        ("scala", "object T { val x: Int = 1 }", "object { val = }"),
        ("awk", "BEGIN { x[1] = y z; print x }", "BEGIN { x = = }"),
        ("jq", ". as [$a] | 0.5e3, @csv \"\\($a)\"", ". as | ]"),
    ] {
        let language = SyntaxLanguage::of(language).unwrap();
        assert_eq!(language.check(&program(good)), Ok(()), "{good}");
        let said = language.check(&program(bad)).unwrap_err();
        assert_eq!(said, format!("line 1 is not {}", language.name()));
    }
}

#[test]
fn a_fingerprint_forgets_names_layout_and_comments() {
    let one = "int f(int a, int b) { return a - b; } // minus";
    let other = "int g(int x, int y)\n{\n  return x - y;\n}\n";
    let third = "int f(int a, int b) { return b - a; }";
    assert_eq!(
        c().fingerprint(&program(one)),
        c().fingerprint(&program(other))
    );
    assert_ne!(
        c().fingerprint(&program(one)),
        c().fingerprint(&program(third))
    );
}

#[test]
fn edits_are_smaller_and_well_formed_and_reach_a_small_program() {
    let text = "int g;\nstatic int f(int a, int b) { if (a) { while (b) g += a; } return a + b * 2; }\nint main(void) { int x = 1, y = 2; f(x, y); return crash(x); }\n";
    let mut small = program(text);
    // What is wanted: a call of `crash` in a function.
    let wanted = |program: &Program| {
        let text = String::from_utf8_lossy(&program.source().text).into_owned();
        text.contains("crash(") && text.contains("main")
    };
    loop {
        let next = c().edits(&small).map(|edit| edit.program).find(|next| {
            assert!(next.bytes() < small.bytes());
            assert_eq!(c().check(next), Ok(()));
            wanted(next)
        });
        match next {
            Some(next) => small = next,
            None => break,
        }
    }
    assert!(small.bytes() <= 32, "{small:?}");
}

#[test]
fn features_are_few_and_sorted() {
    let text = "struct s { int a : 3; }; double d; int f(void) { goto x; x: return 0; }";
    assert_eq!(
        c().features(&program(text)),
        ["bit-field", "floating", "goto", "struct"]
    );
}

#[test]
fn constructs_are_the_kinds_of_nodes_that_hold_others() {
    let of = |text: &str| SyntaxLanguage::of("c").unwrap().constructs(&program(text));
    let small = of("int f(int a) { return a; }");
    let large = of("int f(int a) { while (a) a--; return a; }");
    assert!(small.contains("return_statement") && !small.contains("while_statement"));
    assert!(small.is_subset(&large) && large.contains("while_statement"));
    assert!(of("\u{0}((((").len() < 4);
}
