use super::*;

const HEAD: &str = "extern int printf(const char *, ...);\nextern int abs(int);\n\
    static int n; static int a[9], b[9]; struct S { int x; int y; } s;\n\
    static int up(int k) { n = n * 3 + k; return n; }\n\
    static int peek(int k) { return n + k; }\n\
    static int pure(int k) { int t = k; while (t > 9) t -= 9; return t ? pure(t - 1) + pure(0) : k; }\n\
    static int deep(int k) { return k ? deep(k - 1) : up(k); }\n\
    static int counts(void) { static int calls; return ++calls; }\n\
    static int sets(int *p) { *p = 4; return 1; }\n";

fn order(body: &str) -> Meaning {
    let text = format!(
        "{HEAD}int main(void) {{ int i = 0, j = 1, k = 2; int *p = a, *q = &k; {body} return 0; }}\n"
    );
    find_open_meaning(text.as_bytes()).unwrap()
}

#[test]
fn programs_whose_operands_do_not_disturb_each_other_have_one_meaning() {
    for body in [
        "i = pure(1) - pure(2);",
        "i = i + 1; a[i] = a[j] + a[k]; i += j++;",
        "i = up(1); n = up(2); j = up(1) && up(2); j = up(1) || peek(2); j = (up(1), up(2));",
        "k = up(1) ? up(2) : up(3); if (up(1)) up(2); for (i = up(0); i < up(3); i++) up(2);",
        "printf(\"%d %d\\n\", pure(1), pure(2)); printf(\"%d\\n\", up(1));",
        "i = peek(1) + peek(2) + n; i = peek(i) - abs(j) * abs(k);",
        "i = j++ + k; a[j++] = k; a[pure(3)] = pure(4); i = -up(1);",
        "i = up(1) + j; i = up(1) + pure(j); j = sizeof(i++) + i;",
        "int c = up(1), d = up(2), e[2] = {1, 2}; i = c + d + e[0];",
        "s.x = s.y + 1; s.x += 2; p[1] = p[2] + 3; *p = i++; p = p + i;",
        "i = ({ int t = up(1); t + 1; }); i = a[0]++;",
        "i = (up)(1);",
    ] {
        assert_eq!(order(body), Meaning::Fixed, "{body}");
    }
}

#[test]
fn operands_that_disturb_each_other_are_found() {
    for (body, found) in [
        ("i = up(1) - up(2);", "up(1) - up(2)"),
        ("i = n + up(2);", "n + up(2)"),
        ("i = deep(2) + peek(1);", "deep(2) + peek(1)"),
        ("i = counts() - counts();", "counts() - counts()"),
        (
            "printf(\"%d %d\", up(1), up(2));",
            "(\"%d %d\", up(1), up(2))",
        ),
        (
            "i = printf(\"a\") + printf(\"b\");",
            "printf(\"a\") + printf(\"b\")",
        ),
        ("a[up(0)] = up(5);", "a[up(0)] = up(5)"),
        ("n += up(1);", "n += up(1)"),
        ("i = i++ + i;", "i++ + i"),
        ("i = i++;", "i = i++"),
        ("i = ++i + 1;", "i = ++i + 1"),
        ("a[i] = i++;", "a[i] = i++"),
        ("i = k + sets(&k);", "k + sets(&k)"),
        ("i = *q + (k = 3);", "*q + (k = 3)"),
        ("i = (*p)++ + *q;", "(*p)++ + *q"),
        ("*p = a[2]++;", "*p = a[2]++"),
        ("int e[2] = {up(1), up(2)};", "{up(1), up(2)}"),
        ("i = a[0]++ + a[0];", "a[0]++ + a[0]"),
        ("volatile int v = 1; i = v + v;", "v + v"),
        ("int (*f)(int) = up; i = f(1) + f(2);", "f(1) + f(2)"),
        ("i = (j = 2) + (j = 3);", "(j = 2) + (j = 3)"),
        ("i = s.x++ * s.x;", "s.x++ * s.x"),
        (
            "i = (k ? up(1) : 2) - (up(2), 3);",
            "(k ? up(1) : 2) - (up(2), 3)",
        ),
    ] {
        assert_eq!(order(body), Meaning::Open(found.to_string()), "{body}");
    }
}

#[test]
fn what_is_not_understood_is_said_to_be_unclear_and_large_texts_take_no_stack() {
    assert!(matches!(order("i = = 3;"), Meaning::Unclear(_)));
    let sum = "i + ".repeat(20_000);
    assert_eq!(order(&format!("i = {sum} 1;")), Meaning::Fixed);
    let nested = format!("{}i{}", "(".repeat(5_000), ")".repeat(5_000));
    assert_eq!(order(&format!("i = {nested};")), Meaning::Fixed);
}

#[test]
fn places_that_may_be_one_or_gone_are_found() {
    for (body, found) in [
        (
            "const char *t = \"abc\", *u = \"abc\"; i = t == u;",
            "\"abc\"",
        ),
        (
            "const char *t = \"xabc\"; i = t + 1 == \"abc\";",
            "\"xabc\"",
        ),
        (
            "for (i = 0; i < 3; i++) { int r = i; if (i) j = *q; q = &r; }",
            "r",
        ),
        (
            "while (i < 3) { struct S r = {i, 2}; if (i++) j = *q; q = &r.x; }",
            "r",
        ),
        (
            "do { int r[2] = {i, 2}; if (i) j = *q; q = &r[1]; } while (i++ < 3);",
            "r",
        ),
    ] {
        assert_eq!(order(body), Meaning::Open(found.to_string()), "{body}");
    }
    for body in [
        "printf(\"%d\\n\", 1); printf(\"%d\\n\", 2); char t[] = \"abc\"; char u[] = \"abc\"; i = t[0] == u[0];",
        "for (i = 0; i < 3; i++) { int r = i; sets(&r); j += r; a[i] = r; }",
        "int r = 2; for (i = 0; i < 3; i++) { q = &r; }",
    ] {
        assert_eq!(order(body), Meaning::Fixed, "{body}");
    }
    let promise = "int f(int *restrict p, int *restrict q) { *p = 1; *q = 2; return *p; }";
    assert_eq!(
        find_open_meaning(promise.as_bytes()).unwrap(),
        Meaning::Open("restrict".to_string())
    );
}

#[test]
fn promises_that_nobody_checks_are_found() {
    let of = |text: &str| find_open_meaning(format!("{HEAD}{text}\n").as_bytes()).unwrap();
    for (text, found) in [
        (
            "int sum(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int t = __builtin_va_arg(l, int); return t; }",
            "__builtin_va_arg",
        ),
        ("int f(); int main(void) { return f(1.5); }", "f(1.5)"),
        (
            "int f(a) int a; { return a; } int main(void) { return f(2L); }",
            "f(2L)",
        ),
        (
            "int f(int); int (*p)() = f; int main(void) { return (*p)(2L); }",
            "(*p)(2L)",
        ),
        (
            "struct F { int (*call)(); } o; int main(void) { return o.call(n, 1); }",
            "o.call(n, 1)",
        ),
        (
            "typedef int (*any)(); int main(void) { any t[2]; return t[n](3); }",
            "t[n](3)",
        ),
        (
            "extern int _setjmp(int *); int main(void) { return _setjmp(a); }",
            "_setjmp(a)",
        ),
        (
            "int main(void) { int *q = &n, i = 0; again: { int r = i; if (i) n = *q; q = &r; } if (i++ < 3) goto again; return 0; }",
            "r",
        ),
        ("int main(void) { printf(\"%p\", a); return 0; }", "\"%p\""),
        (
            "int main(void) { return __builtin_constant_p(n + 1) ? 1 : 2; }",
            "__builtin_constant_p",
        ),
        (
            "extern long time(long *); int main(void) { return time(0) % 7; }",
            "time(0)",
        ),
        (
            "int main(void) { return (unsigned long)&n % 64; }",
            "(unsigned long)&n",
        ),
        (
            "typedef unsigned long uintptr_t; int main(void) { int *p = a; return (uintptr_t)(p + 1) > 9; }",
            "(uintptr_t)(p + 1)",
        ),
    ] {
        assert_eq!(of(text), Meaning::Open(found.to_string()), "{text}");
    }
    for text in [
        "int f(); int g() { return 2; } int main() { return f() + (int)g(); }",
        "int apply(int (*p)(int), int k) { return p(k); } int main(void) { return apply(pure, 3); }",
        "int main(void) { int *p = a; goto on; { int r = 1; p = &r; n = *p; } on: return (int)(p - a) + (int)*p; }",
        "int main(void) { char *t = (char *)a; int *u = (int *)t; return (long)*u; }",
    ] {
        assert_eq!(of(text), Meaning::Fixed, "{text}");
    }
}

#[test]
fn assembly_and_the_places_of_labels_are_the_compilers_choice() {
    for body in [
        "asm(\"nop\");",
        "__asm__ volatile (\"rdtsc\" : \"=a\"(i) : : \"edx\");",
        "__asm__(\"\" : \"=r\"(i));",
        "void *l = &&one; one: i++;",
        "one: i = (&&one < &&two); two: j++;",
        "static const int table[] = { &&two - &&one }; one: i = table[0]; two: j++;",
        "i = fesetround(0x800);",
    ] {
        assert!(matches!(order(body), Meaning::Open(_)), "{body}");
    }
    for body in [
        "asm volatile (\"\" : : : \"memory\");",
        "__asm__ (\"\" : \"+r\"(i));",
        "static void *table[] = { &&one, &&two }; goto *table[j]; one: i++; two: j++;",
        "goto *(j ? &&one : &&two); one: i++; two: j++;",
        "i = j && k; i = (j) && (k); i = a[1] && b[2] && *p; if (i && !j) k++; i = pure(1) && j;",
    ] {
        assert_eq!(order(body), Meaning::Fixed, "{body}");
    }
}

#[test]
fn words_to_one_compiler_are_found_before_the_preprocessor_takes_them() {
    for (text, found) in [
        (
            "#define A 1\n#pragma push_macro(\"A\")\n",
            "#pragma push_macro(\"A\")",
        ),
        ("  # pragma pack(1)\n", "# pragma pack(1)"),
        (
            "int f(void) { _Pragma(\"pack(1)\") return 1; }\n",
            "int f(void) { _Pragma(\"pack(1)\") return 1; }",
        ),
        (
            "#if \\\n defined(__TINYC__)\n#endif\n",
            "#if   defined(__TINYC__)",
        ),
        (
            "#ifdef A\n#elif __INT_MAX__ > 4\n#endif\n",
            "#elif __INT_MAX__ > 4",
        ),
    ] {
        assert_eq!(
            super::find_open_directive(text.as_bytes()).as_deref(),
            Some(found)
        );
    }
    for text in [
        "#pragma once\n#ifndef A_H\n#define A_H\n#if __STDC_VERSION__ > 1\n#endif\n#endif\n",
        "const char *a = \"_Pragma\"; int __b__, pragma;\n",
        "",
    ] {
        assert_eq!(super::find_open_directive(text.as_bytes()), None, "{text}");
    }
}
