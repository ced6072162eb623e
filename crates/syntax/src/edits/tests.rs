use lydite_core::{Language, Program};

use crate::SyntaxLanguage;

/// What the edits that do this make of a text.
fn edited(language: &str, text: &str, what: &str) -> Vec<String> {
    let language = SyntaxLanguage::of(language).unwrap();
    let program = Program::single("case", text.as_bytes());
    let edits = language.edits(&program);
    let made = edits.filter(|edit| edit.what == what);
    made.map(|edit| String::from_utf8_lossy(&edit.program.source().text).into_owned())
        .collect()
}

#[test]
fn an_edit_follows_a_name_through_the_program() {
    for (text, what, expected) in [
        (
            "int f(int x,int y){return x;}int g(){return f(1,2);}",
            "remove parameter 1 of f",
            "int f(int x){return x;}int g(){return f(1);}",
        ),
        (
            "int f(int x,int y){return x;}int g(){return f(1,2);}",
            "remove parameter 0 of f",
            "int f(int y){return 0;}int g(){return f(2);}",
        ),
        (
            "int f(int);int f(int x){return 1;}int g(){return f(3);}",
            "remove parameter 0 of f",
            "int f();int f(){return 1;}int g(){return f();}",
        ),
        (
            "int g(){int x=5;return x+x;}", "put a value in place of x", "int g(){return 5+5;}",
        ),
        (
            "int g(){int x,y;x=y=2;x++;return y+*&x;}",
            "put a value in place of x",
            "int g(){int y;y=2;0;return y+0;}",
        ),
        (
            "int f(int a){return a;}int g(){return f(4)+2;}",
            "put a value in place of f",
            "int g(){return 0+2;}",
        ),
        (
            "typedef unsigned long u;u x;", "put a value in place of u", "unsigned long x;",
        ),
        (
            "typedef unsigned long u;u x;", "put a value in place of u", "int x;",
        ),
        (
            "struct s{int m;};int a;struct s v;",
            "move the definition of s",
            "int a;struct s{int m;} v;",
        ),
        (
            "int x;f(){x=1;g();x++;}", "remove all that uses x", "f(){g();}",
        ),
        (
            "int a[2],b;f(int*p){a[b]=*p+b;}",
            "put a in place of what is in it",
            "int a,b;f(int*p){a=*p+b;}",
        ),
        (
            "int a[2],b;f(int*p){a[b]=*p+b;}",
            "put p in place of what is in it",
            "int a[2],b;f(int p){a[b]=p+b;}",
        ),
        (
            "int count;int f(){return count;}",
            "call count a",
            "int a;int f(){return a;}",
        ),
        (
            "int puts(char*);int main(){int one,two;puts(one);return two;}",
            "shorten names",
            "int puts(char*);int main(){int a,b;puts(a);return b;}",
        ),
    ] {
        let made = edited("c", text, what);
        assert!(made.iter().any(|text| text == expected), "{what}: {made:?}");
    }
}

#[test]
fn pieces_become_what_is_in_them_or_the_simplest_of_their_kind() {
    for (text, what, expected) in [
        (
            "f(){if(x){a();b();}}",
            "put compound_statement in place of if_statement",
            "f(){a();b();}",
        ),
        (
            "f(){g(a*b);}",
            "put binary_expression in place of call_expression",
            "f(){a*b;}",
        ),
        (
            "f(){g(a*b);}",
            "put 0 in place of binary_expression",
            "f(){g(0);}",
        ),
        (
            "f(){g();}",
            "put {} in place of compound_statement",
            "f(){}",
        ),
        (
            "int x=1234;",
            "put 12 in place of number_literal",
            "int x=12;",
        ),
        (
            "char*x=\"abc\";",
            "put \"\" in place of string_literal",
            "char*x=\"\";",
        ),
        (
            "unsigned long x;",
            "put int in place of sized_type_specifier",
            "int x;",
        ),
        ("int a;int*b,c;", "join declarations", "int a,*b,c;"),
        ("int a,b,c,d;", "remove 2 of declaration", "int a,d;"),
        (
            "f(){printf(\"%d %s\\n\",a,b);}",
            "print without argument 0",
            "f(){printf(\"%s\\n\",b);}",
        ),
        (
            "/* a */\nint  a ;\n\n\tint b; // b\n",
            "remove comments and white space",
            "int a;\nint b;",
        ),
        (
            "int a = b + 0xe + - 1 ;",
            "remove comments and white space",
            "int a=b+0xe + -1;",
        ),
        ("#define X \\\n 1\nint a;", "remove a directive", "int a;"),
    ] {
        let made = edited("c", text, what);
        assert!(made.iter().any(|text| text == expected), "{what}: {made:?}");
    }
}

#[test]
fn an_edit_of_c_leaves_no_name_without_its_declaration() {
    let c = SyntaxLanguage::of("c").unwrap();
    let text = "struct s{int m;};int x;int f(struct s*p){int y=x;return y+p->m+undeclared;}";
    let program = Program::single("case", text.as_bytes());
    let mut count = 0;
    for edit in c.edits(&program) {
        let text = String::from_utf8_lossy(&edit.program.source().text).into_owned();
        // A type may go: `x;` declares x too.
        assert!(!text.contains("=x") || text.contains("x;"), "{text}");
        assert!(
            !text.contains("y+") || text.contains("{int y") || text.contains("{y"),
            "{text}"
        );
        assert!(!text.contains("p->") || text.contains("p)"), "{text}");
        count += 1;
    }
    assert!(count > 20);
}

#[test]
fn an_edit_of_c_leaves_no_label_and_no_jump_outside_of_what_it_belongs_to() {
    let text = "int f(int x) { switch (x) { case 1: x = 2; break; default: x = 3; } \
                while (x) { if (x == 5) continue; x = 4; } return x; }";
    let program = Program::single("case.c", text.as_bytes());
    let language = SyntaxLanguage::of("c").unwrap();
    let mut met = 0;
    for edit in language.edits(&program) {
        let made = String::from_utf8_lossy(&edit.program.source().text).into_owned();
        let labels = made.contains("case ") || made.contains("default:");
        assert!(!labels || made.contains("switch"), "{made}");
        assert!(
            !made.contains("continue") || made.contains("while"),
            "{made}"
        );
        met += 1;
    }
    assert!(met > 20, "{met}");
}

#[test]
fn names_are_shortened_in_every_language() {
    for (language, text, expected) in [
        (
            "lua",
            "local count = 1\nprint(count)",
            "local a = 1\nprint(a)",
        ),
        ("javascript", "let count = 1; f(count);", "let a = 1; f(a);"),
        (
            "solidity",
            "contract C { uint total; function f() public { total = 1; } }",
            "contract C { uint a; function f() public { a = 1; } }",
        ),
        (
            "rust",
            "fn main() { let count = 1; f(count); }",
            "fn main() { let a = 1; f(a); }",
        ),
        (
            "scala",
            "object T { val count = 1; f(count) }",
            "object T { val a = 1; f(a) }",
        ),
    ] {
        let name = if language == "solidity" {
            "total"
        } else {
            "count"
        };
        let made = edited(language, text, &format!("call {name} a"));
        assert_eq!(made, [expected]);
    }
}
