//! Compilers of C.

use lydite_core::{Answer, Claim};

use super::{ONCE_COMPILED, PLENTY, assert_seen, kinds, observe, ready, seen};

const C: &str = "#include <stdio.h>\nint main(void) { printf(\"%d\\n\", 6 * 7); return 3; }\n";

fn check_c_compiler(name: &str) {
    let target = ready(name);
    assert_seen(&target, C, "exit 3, output \"42\\n\"");
    let output = |text: &str| {
        Claim::Answers(Answer::Output {
            status: 3,
            text: text.as_bytes().to_vec().into(),
        })
    };
    assert!(kinds(&target, C, output("42\n")).is_empty());
    assert_eq!(kinds(&target, C, output("43\n")), ["wrong-output"]);
    assert_seen(
        &target,
        "int main(void) { return x; }\n",
        "rejected: case.c:1",
    );
    assert_seen(&target, "int main(void) {\n", "rejected: case.c");
    let undefined = "int f(void);\nint main(void) { return f(); }\n";
    assert_seen(&target, undefined, "rejected: ");
    let dies = "int main(void) { *(volatile int *)0 = 1; return 0; }\n";
    assert_seen(&target, dies, "exit 139, output \"\"");
    let loops = "int main(void) { for (volatile int i = 0;;) i = 1; }\n";
    let looped = observe(&target, loops, ONCE_COMPILED, 2048);
    assert_eq!(looped.outcome.to_string(), "timed-out", "{name}");
    let eats = "#include <stdlib.h>\n#include <string.h>\n\
                char *volatile kept;\n\
                int main(void) { for (;;) kept = memset(malloc(1 << 20), 1, 1 << 20); }\n";
    let eaten = observe(&target, eats, PLENTY, 300);
    assert_eq!(
        eaten.outcome.to_string(),
        "out-of-memory",
        "{name}: {eaten:?}"
    );
}

/// So deep that a recursive parser runs out of stack.
fn deep_c() -> String {
    let deep = 60_000;
    format!(
        "int main(void) {{ int x = 1; return {}x{}; }}\n",
        "(".repeat(deep),
        ")".repeat(deep)
    )
}

#[test]
fn gcc_is_classified() {
    for name in ["gcc:O0", "gcc:O3", "gcc@11:O2"] {
        check_c_compiler(name);
        let crash = "crashed: Segmentation fault signal terminated program cc1";
        assert_seen(&ready(name), &deep_c(), crash);
    }
    assert_seen(&ready("gcc:compile"), C, "accepted");
    assert_seen(&ready("gcc:check"), "int x = ;\n", "rejected: case.c:1");
    let kinds = kinds(&ready("gcc:check"), "int x = ;\n", Claim::Accepted);
    assert_eq!(kinds, ["rejects-valid"]);
}

#[test]
fn clang_is_classified() {
    for name in ["clang@14:O0", "clang@19:O3"] {
        check_c_compiler(name);
        assert_seen(&ready(name), &deep_c(), "unsupported: ");
    }
    assert_seen(&ready("clang@14:compile"), C, "accepted");
}

#[test]
fn tcc_is_classified() {
    check_c_compiler("tcc");
    assert_seen(&ready("tcc"), &deep_c(), "crashed: SIGSEGV");
    assert_seen(&ready("tcc:compile"), C, "accepted");
}

#[test]
fn pcc_is_classified() {
    let program = "int puts(const char *);\nint main(void) { puts(\"42\"); return 3; }\n";
    let jump = "int jump(void) { goto *(int (*)(void)) 0xbabebec0; }\n";
    for name in ["pcc", "pcc:O"] {
        assert_seen(&ready(name), program, "exit 3, output \"42\\n\"");
        assert_seen(&ready(name), "int main(void) { return x; }\n", "rejected: ");
        assert_seen(&ready(name), jump, "crashed: label");
    }
    let object = ready("pcc:object");
    assert_seen(&object, "int f(void) { return 1; }\n", "accepted");
    let wrong: String = (0..40).map(|n| format!("int a{n} = b{n};\n")).collect();
    assert_seen(&object, &wrong, "unsupported: ");
    // What it cannot do is, and its address is not.
    let pointer = "int g(int *); void f(double d) { g(d); }\n";
    assert_eq!(
        seen(&object, pointer),
        "crashed: Cannot generate code op PCONV"
    );
    // The name is no part of the place.
    for name in ["y", "other"] {
        let program = format!("int {name}; int {name} {{}}\n");
        assert_eq!(seen(&object, &program), "crashed: redeclaration of");
    }
}

#[test]
fn chibicc_is_classified() {
    let (plain, object) = (ready("chibicc"), ready("chibicc:object"));
    let list = "#include <stdarg.h>\n#include <stdio.h>\n\
                static double sum(int n, ...) {\n\
                va_list list; double all = 0; va_start(list, n);\n\
                while (n--) { all += va_arg(list, double); all += va_arg(list, int); }\n\
                va_end(list); return all; }\n\
                int main(void) { printf(\"%g\\n\", sum(4, 1.5, 2, 3.0, 4, 5.0, 6, 7.0, 8)); return 3; }\n";
    assert_seen(&plain, list, "exit 3, output \"36.5\\n\"");
    assert_seen(&plain, "int main(void) { return x; }\n", "rejected: ");
    assert_seen(&object, "int f(void) { return 1; }\n", "accepted");
    let open = "struct u s[]; f() { f(s[0]); }\n";
    let empty = "struct e {}; void f(struct e e) { f(e); }\n";
    assert_seen(
        &object,
        open,
        "crashed: codegen.c Assertion `depth == 0' failed",
    );
    assert_seen(&object, empty, "crashed: internal error codegen.c");
    let wide = "struct { unsigned b : 32; } s; void f(int n) { s.b = n; }\n";
    assert_seen(&object, wide, "crashed: operand type mismatch for `and'");
}

#[test]
fn sdcc_is_classified() {
    let sized = "int f(void) { struct { unsigned a : 1; } b = { 1 }; return b.a == 1; }\n";
    for name in [
        "sdcc:mcs51", "sdcc:mcs51-large", "sdcc:z80", "sdcc:sm83", "sdcc:stm8", "sdcc:hc08",
        "sdcc:pdk14",
    ] {
        assert_seen(&ready(name), sized, "accepted");
        assert_seen(&ready(name), "int f(void) { return x; }\n", "rejected: ");
    }
    let bit = "struct { int b : 1; } s; int f(void) { return -1 ^ s.b; }\n";
    let site = "crashed: SDCCsymt.c (IS_CHAR (etype1)";
    assert_seen(&ready("sdcc:z80"), bit, site);
    assert_seen(&ready("sdcc:stm8"), bit, site);
}

#[test]
fn what_warnings_call_undefined_is_rejected_if_asked_for() {
    let unsequenced = "int main(int n, char **v) { n = n++ + 1; return n; }\n";
    let unset = "int main(void) { int a; return a; }\n";
    for name in ["gcc:strict", "clang@14:strict"] {
        assert_seen(&ready(name), C, "accepted");
        assert_seen(&ready(name), unsequenced, "rejected: ");
        assert_seen(&ready(name), unset, "rejected: ");
    }
    for name in [
        "gcc:object-O3", "gcc:object-m32", "clang@14:object-O0", "tcc:object",
    ] {
        assert_seen(&ready(name), "int f(void) { return 1; }\n", "accepted");
    }
}

#[test]
fn sanitizers_say_whether_behaviour_is_defined() {
    let overflow = "#include <limits.h>\nvolatile int x = INT_MAX;\n\
                    int main(int n, char **v) { return (x + n) & 1; }\n";
    let beyond = "int main(int n, char **v) { int a[3] = {0}; return a[n + 2]; }\n";
    let unset =
        "#include <stdlib.h>\nint main(void) { int *p = malloc(4); if (*p) return 1; return 0; }\n";
    for name in ["gcc:sanitize", "clang@14:sanitize"] {
        let target = ready(name);
        assert_seen(&target, C, "exit 3, output \"42\\n\"");
        let seen = seen(&target, overflow);
        assert!(seen.starts_with("rejected: case.c:3"), "{name}: {seen}");
        assert!(seen.contains("signed integer overflow"), "{name}: {seen}");
        assert_seen(&target, beyond, "rejected: ");
    }
    assert_seen(&ready("clang@14:memory-sanitize"), unset, "rejected: ");
    let alias = "int main(void) { float f = 1; *(volatile int *)&f = 0; return f == 1; }\n";
    let seen = seen(&ready("clang@22:type-sanitize"), alias);
    assert_eq!(seen, "rejected: TypeSanitizer: type-aliasing-violation");
    assert_seen(
        &ready("clang@14:memory-sanitize"),
        C,
        "exit 3, output \"42\\n\"",
    );
}
