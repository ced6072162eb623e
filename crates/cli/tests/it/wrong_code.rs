//! Wrong code on real compilers: gates keep undefined behaviour out of hunts
//! and reductions. The compiler at fault is gcc with a macro too many.

use crate::lydite::Folder;
use crate::lydite::target_file::TargetFile;
use serde_json::Value;

/// Adds one where a program says SLIP.
fn bad_compiler() -> TargetFile {
    TargetFile::new("badcc")
        .language("c", "case.c")
        .commands(&["gcc"])
        .step(&["{bin}", "-w", "-DBAD", "-o", "{out}", "{file}"])
        .step_with(&["{out}"], "program = true")
        .read("kind = \"output\"\nrejected = ['error: .*']")
        .version(&["{bin}", "-dumpfullversion"], "^([0-9.]+)")
}

const SLIP: &str = "int printf(const char *, ...);\n\
                    #ifdef BAD\n#define SLIP 1\n#else\n#define SLIP 0\n#endif\n";

const GATES: [&str; 4] = ["--reference", "gcc:strict", "--reference", "gcc:sanitize"];

fn folder() -> Folder {
    let folder = Folder::new();
    bad_compiler().write(&folder, "lydite-targets/badcc.toml");
    folder
}

/// Who ran, and what was wrong.
fn checked(folder: &Folder, text: &str) -> (Vec<String>, usize) {
    folder.write("case.c", text);
    let args = [
        "check", "case.c", "-t", "badcc", "--oracles", "wrong-code", "--json",
    ];
    let json = folder.run(&[&args[..], &GATES].concat()).json();
    let name = |one: &Value| {
        let target = one["target"].as_str().unwrap();
        target.split('@').next().unwrap().to_string()
    };
    let observations = json["observations"].as_array().unwrap();
    let symptoms = json["symptoms"].as_array().unwrap();
    (observations.iter().map(name).collect(), symptoms.len())
}

#[test]
fn what_a_gate_refuses_is_run_by_nobody_after_it() {
    let folder = folder();
    let program = |body: &str| format!("{SLIP}int main(int n, char **v) {{ {body} return 0; }}\n");
    for (body, ran, wrong) in [
        ("printf(\"%d\", n + SLIP);", vec!["badcc", "gcc", "gcc"], 1),
        // Refused by a warning.
        ("int i; printf(\"%d\", i + SLIP);", vec!["gcc"], 0),
        ("printf(\"%d\", n++ + n++ + SLIP);", vec!["gcc"], 0),
        // Refused by the program's own run.
        (
            "printf(\"%d\", (2147483647 - 1 + n + n > 0) + SLIP);",
            vec!["gcc", "gcc"],
            0,
        ),
        (
            "int a[2] = {1, 2}; printf(\"%d\", a[n + 1] + SLIP);",
            vec!["gcc", "gcc"],
            0,
        ),
    ] {
        let seen = checked(&folder, &program(body));
        assert_eq!(
            seen,
            (ran.iter().map(ToString::to_string).collect(), wrong),
            "{body}"
        );
    }
}

#[test]
fn reduced_wrong_code_stays_free_of_undefined_behaviour() {
    let folder = folder();
    // Without the values or the condition it would be shorter, and undefined.
    let text = format!(
        "{SLIP}static int at(int *list, int place) {{ return place < 3 ? list[place] : 0; }}\n\
         int main(void) {{\n  int list[3] = {{ 5, 6, 7 }}, place = 2, sum = 0;\n\
         for (place = 0; place < 4; place++) sum += at(list, place) + SLIP;\n\
         printf(\"%d %d\\n\", sum, place);\n  return 0;\n}}\n"
    );
    assert_eq!(checked(&folder, &text).1, 1);
    let args = [
        "reduce", "case.c", "-o", "small.c", "-t", "badcc", "--oracles", "wrong-code", "-q",
    ];
    folder.run(&[&args[..], &GATES].concat()).expect(0);
    let small = std::fs::read_to_string(folder.path().join("small.c")).unwrap();
    assert!(small.len() < text.len() / 2, "{small}");
    assert_eq!(checked(&folder, &small).1, 1, "{small}");
    // What differs is the output; another exit status would be another bug.
    assert!(small.contains("printf"), "{small}");
}

#[test]
fn programs_that_compilers_may_differ_on_by_right_are_refused() {
    let folder = folder();
    let head = "static int n;\nstatic int up(int k) { return n = n * 2 + k; }\n\
                static int *kept;\nstatic int keep(int k) { int here = k; kept = &here; return k; }\n\
                static int a[4], b[4];\n";
    for (body, gate) in [
        ("printf(\"%d\", up(1) - up(2) + SLIP);", "c-meaning"),
        (
            "a[up(0) & 3] = up(3); printf(\"%d\", a[0] + SLIP);",
            "c-meaning",
        ),
        (
            "char *s = \"ab\", *t = \"ab\"; printf(\"%d\", (s == t) + SLIP);",
            "c-meaning",
        ),
        (
            "const int c = 3; *(int *)&c = 4; printf(\"%d\", c + SLIP);",
            "gcc:strict",
        ),
        (
            "double d = 9; while (d < 1e12) d *= 9; printf(\"%d\", (int)d + SLIP);",
            "gcc:sanitize",
        ),
        (
            "float f = -3; printf(\"%d\", (unsigned char)(f * 100) + SLIP);",
            "gcc:sanitize",
        ),
        (
            "keep(3); keep(4); printf(\"%d\", *kept + SLIP);",
            "gcc:strict",
        ),
        (
            "int *p = a, *q = b; printf(\"%d\", (p < q) + SLIP);",
            "gcc:sanitize",
        ),
        (
            "int *p = a, *q = b; printf(\"%d\", (int)(p - q) + SLIP);",
            "gcc:sanitize",
        ),
        // Nothing is open here.
        (
            "int s = up(1); s -= up(2); printf(\"%d\", s + (a + 1 < a + 2) + SLIP);",
            "",
        ),
    ] {
        folder.write(
            "case.c",
            format!("{SLIP}{head}int main(void) {{ {body} return 0; }}\n"),
        );
        let args = [
            "check", "case.c", "-t", "badcc", "--oracles", "wrong-code", "--json", "--reference",
            "c-meaning:check",
        ];
        let json = folder.run(&[&args[..], &GATES].concat()).json();
        let observations = json["observations"].as_array().unwrap();
        let refused = |one: &&Value| one["outcome"] == "rejected";
        let refused = observations
            .iter()
            .find(refused)
            .map_or("", |one| one["target"].as_str().unwrap());
        let name = refused
            .replace("@", " ")
            .replace(|c: char| c.is_ascii_digit() || c == '.', "");
        let name = name
            .replace(" :", ":")
            .replace("c-meaning:check", "c-meaning");
        assert_eq!(name, gate, "{body}");
        let symptoms = json["symptoms"].as_array().unwrap().len();
        assert_eq!(symptoms, usize::from(gate.is_empty()), "{body}");
    }
}
