//! Profiles of statements, and programs without those that no run reaches.

use std::fs;

use crate::lydite::Folder;

const SEEDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../seeds/c-profiled");

/// A program of each language, who runs it, and how many statements can go.
const PROGRAMS: [(&str, &str, &str, u64); 5] = [
    (
        "a.cpp",
        "g++:O0",
        "#include <cstdio>\n#include <stdexcept>\n\
         struct Box { int n; int get() const { if (n < 0) { throw std::runtime_error(\"neg\"); } return n; } };\n\
         template <class T> T top(T a, T b) { if (a == b) return a; if (a < b) { return b; } return a; }\n\
         int main() { int sum = 0;\n\
         for (int i : {1, 2}) { try { sum += Box{i}.get(); if (sum > 9) { sum = 0; continue; } } catch (...) { sum -= 1; } }\n\
         auto twice = [](int a) { if (a > 50) return 1; return a * 2; };\n\
         std::printf(\"%d %d\\n\", twice(sum), top(3, 4)); }\n",
        // The throw and its block, `return a`, a block of two, what is caught.
        7,
    ),
    (
        "a.lua",
        "lua@5.4.4",
        "local function f(n) if n > 9 then print(n) return -1 elseif n < 0 then n = 0 goto done end\n\
         n = n * 2 ::done:: return n end\n\
         for i = 1, 5 do print(f(i)) if i > 7 then break end end\n",
        5,
    ),
    (
        "a.js",
        "node",
        "\"use strict\";\nfunction f(n) { if (n > 9) { return -1; } else if (n < 0) while (n < 0) n++;\n\
         if (n > 8) { var kept = 1; } switch (n) { case 1: n += 2; break; case 77: n = 0; break; default: n--; } return n; }\n\
         outer: for (let i = 1; i < 4; i++) { for (;;) { console.log(f(i)); if (i > 7) continue outer; break; } }\n",
        // A block and its return, a loop and its body, two of case 77, `continue`.
        7,
    ),
    (
        "a.rs",
        "rustc",
        "fn f(mut n: i32) -> i32 {\n    if n > 9 { println!(\"large\"); return -1; }\n    n * 2\n}\n\
         fn main() { let x = 5; let mut sum: i32 = 0; for i in 1..4 { sum += f(i); if sum > 99 { sum += x; sum = 0; } }\n\
         println!(\"{}\", sum); }\n",
        1,
    ),
    (
        "a.awk",
        "mawk",
        "function f(n,  i) {\n  if (n > 9) { print \"large\"; return -1 } else if (n < 0) n = 0 ; else\n    n *= 2\n  \
         for (i in T) { if (i == n) delete T[i]; n += T[i] }\n  do n-- ; while (n > 50)\n  while (n > 20) n--\n  return n\n}\n\
         BEGIN { OFS = \":\"; T[3] = 4; for (k = 1; k < 5; k++) print f(k), k; if (k > 7) exit 3; printf \"%d\\n\", k }\n\
         /never/ { print $1 > \"x\"; next }\nEND { print NR }\n",
        // A block of two, `n = 0 ;`, `delete`, `n--` of the second loop, `exit`, what no line matches.
        9,
    ),
];

#[test]
fn every_language_with_probes_is_profiled_and_its_variants_do_the_same() {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", "-q", "lua@5.4.4", "node"])
        .expect(0);
    for (name, target, text, removable) in PROGRAMS {
        folder.write(name, text);
        let row = folder
            .run(&[
                "profile", name, "-t", target, "--variants", "3", "-q", "--json",
            ])
            .expect(0)
            .json();
        let figures = ["removable", "equal", "refused", "different"].map(|key| row[key].as_u64());
        let wanted = [removable, 3, 0, 0].map(Some);
        assert_eq!(figures, wanted, "{row:#}");
    }
}

#[test]
fn profiled_seeds_are_what_profile_writes() {
    let folder = Folder::new();
    let names = ["late-goto.c", "state-machine.c", "while-break.c"];
    let files = names.map(|name| format!("{SEEDS}/{name}"));
    let mut args = vec!["profile", "-q", "-t", "gcc:O0", "-o", "out"];
    args.extend(files.iter().map(String::as_str));
    folder.run(&args).expect(0);
    // Who ran it is another matter.
    let without_names = |text: String| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with("//# by "));
        lines.map(str::to_string).collect()
    };
    for name in names {
        let shipped = fs::read_to_string(format!("{SEEDS}/{name}")).unwrap();
        let made = fs::read_to_string(folder.path().join("out").join(name)).unwrap();
        assert_eq!(without_names(made), without_names(shipped), "{name}");
    }
    let summary = folder
        .run(&[
            "hunt", "--strategy", "delete", "--seeds", "out", "-t", "gcc:O0", "--cases", "3",
            "--oracles", "crash,differential", "-j", "1", "-o", "hunt", "-q", "--json",
        ])
        .expect(0)
        .json();
    assert_eq!(
        (&summary["cases"], &summary["findings"]),
        (&3.into(), &0.into())
    );
}

#[test]
fn a_program_that_prints_too_much_does_not_end_the_profile_of_others() {
    let folder = Folder::new();
    let quiet = "int main(int n, char **a) { if (n > 7) return 1; return 0; }\n";
    folder.write("a.c", quiet);
    folder.write(
        "b.c",
        "#include <stdio.h>\nint main(void) { for (int i = 0; i < 900000; i++) puts(\"a line of thirty bytes or so..\"); return 0; }\n",
    );
    folder.write("c.c", quiet);
    folder
        .run(&["profile", "a.c", "b.c", "c.c", "-t", "gcc:O0"])
        .expect(0)
        .says(&["b.c: target gcc@", "more than are kept"]);
    for (name, written) in [("a", true), ("b", false), ("c", true)] {
        let path = folder.path().join(format!("{name}.profile.c"));
        assert_eq!(path.exists(), written, "{name}");
    }
}

#[test]
fn what_cannot_be_profiled_is_said() {
    let folder = Folder::new();
    for (text, said) in [
        (
            "#include <stdio.h>\nint main(void) { FILE *f = fopen(__FILE__, \"r\"); int n = 0; \
             while (f && fgetc(f) != EOF) n++; printf(\"%d\\n\", n); return 0; }\n",
            "what it does depends on its code (gcc@",
        ),
        ("int main(void) { return __COUNTER__; }\n", "__COUNTER__"),
        ("int main(void) { return x; }\n", "rejected: "),
        ("int main(void) { for (;;) { } }\n", "timed-out"),
    ] {
        folder.write("a.c", text);
        folder
            .run(&["profile", "a.c", "-t", "gcc:O0", "--timeout", "5s"])
            .expect(2)
            .says(&[said]);
    }
    folder.write("a.c", "int main(void) { return 0; }\n");
    folder
        .run(&["generate", "delete", "--seeds", "a.c", "-n", "1"])
        .expect(2)
        .says(&["no profile (lydite profile FILE writes one)"]);
    for (name, text, said) in [
        (
            "a.jq",
            "1 as $x | $x\n",
            "there are no probes of jq: a program of jq is one expression",
        ),
        ("a.smt2", "(check-sat)\n", "there are no probes of smtlib"),
    ] {
        folder.write(name, text);
        folder.run(&["profile", name]).expect(2).says(&[said]);
    }
    folder
        .run(&["generate", "delete", "--seeds", "a.jq", "-n", "1"])
        .expect(2)
        .says(&["without statements"]);
    folder
        .run(&["generate", "retype", "--seeds", "a.jq", "-n", "1"])
        .expect(2)
        .says(&["declarations of jq have neither types nor qualifiers"]);
    folder.write("a.sol", "contract A { }\n");
    folder
        .run(&["profile", "a.c", "a.sol"])
        .expect(2)
        .says(&["one kind at a time"]);
}
