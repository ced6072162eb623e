//! Processors that refuse valid programs: what `lydite reduce` leaves is smaller,
//! still refused for the same reason, and still taken by the others. Those at
//! fault are real ones that know less: gcc of 1990, sqlite with little patience
//! for expressions, Lua before it had integers.

use std::fs;

use crate::lydite::Folder;
use crate::lydite::target_file::TargetFile;
use serde_json::Value;

/// gcc with the words of 1990: `long long` is an error.
fn old_c() -> TargetFile {
    TargetFile::new("oldc")
        .language("c", "case.c")
        .commands(&["gcc"])
        .step(&["{bin}", "-std=c90", "-Werror=long-long", "-c", "{file}"])
        .read("kind = \"output\"\nrejected = ['error: .*']")
        .version(&["{bin}", "--version"], r"([0-9]+\.[0-9.]+)")
}

/// sqlite that takes no expression of more than three levels.
fn flat_sql() -> TargetFile {
    let limit = ".limit expr_depth 3";
    TargetFile::sqlite("flatsql", limit)
        .tables("[[read.normalise]]\npattern = '^ *expr_depth 3\\n'\nreplace = \"\"")
}

/// Lua of today: integers, shifts, jumps.
const NEW_LUA: &str = r##"language lua;
height 5;

class Program {
  program("local x = 7\n${l : Lines}") {}
}

@list(30)
class Lines {
  one("${s : Line}") {}
  @weight(9)
  more("${s : Line}${r : Lines}") {}
}

class Line {
  set("x = ${e : Expr}\n") {}
  print("print(${e : Expr})\n") {}
  block("do\+\n${l : Lines}\-end\n") {}
}

class Expr {
  number("${n : Number}") {}
  name("x") {}
  sum("(${a : Expr} + ${b : Expr})") {}
  whole("(${a : Expr} // ${n : Number})") {}
}

class Number("[1-9][0-9]{0,2}");
"##;

/// Hunts with a spec, reduces what is found, and looks at what is left.
fn check(folder: &Folder, spec: &[&str], target: &str, reference: &str, site: &str) {
    let targets = [
        "-t", target, "--reference", reference, "--oracles", "answer",
    ];
    let hunt = [
        "hunt", "--strategy", "spec", "--cases", "6", "--seed", "3", "-o", "out", "-q", "--json",
    ];
    folder.run(&[&hunt[..], &targets, spec].concat()).expect(10);
    folder
        .run(&["reduce", "out", "-q", "--for", "2m"])
        .expect(0);
    let findings = folder.run(&["findings", "out", "--json"]).json_lines();
    assert!(!findings.is_empty());
    for finding in &findings {
        assert_eq!(finding["kind"], "rejects-valid", "{finding}");
        let found = finding["bytes"].as_u64().unwrap();
        let reduced = finding["reduced_bytes"].as_u64().unwrap();
        assert!(4 * reduced < found, "{target}: {reduced} of {found} bytes");
        let file = program_of(folder, finding["id"].as_str().unwrap());
        assert_eq!(fs::metadata(&file).unwrap().len(), reduced);
        let again = folder
            .run(
                &[
                    &["check", &file, "--claim", "accepted", "--json"],
                    &targets[..],
                ]
                .concat(),
            )
            .json();
        let accused = &again["symptoms"][0]["target"];
        let seen = again["observations"].as_array().unwrap();
        let others = seen.iter().filter(|o| o["target"] != *accused);
        let taken: Vec<&Value> = others.map(|o| &o["outcome"]).collect();
        assert_eq!(taken, ["answered"], "{again}");
        assert_eq!(again["symptoms"][0]["kind"], "rejects-valid", "{again}");
        let evidence = again["symptoms"][0]["evidence"].as_str().unwrap();
        assert!(evidence.contains(site), "{evidence}");
    }
}

/// What is left of the finding's program.
fn program_of(folder: &Folder, finding: &str) -> String {
    let found = folder.path().join("out/findings").join(finding);
    let mut files = fs::read_dir(&found).unwrap().map(|entry| entry.unwrap());
    let file = files.find(|file| file.file_name().to_string_lossy().starts_with("case."));
    file.unwrap().path().to_str().unwrap().to_string()
}

#[test]
fn c_that_an_old_compiler_refuses_stays_valid_and_gets_small() {
    let folder = Folder::new();
    old_c().write(&folder, "lydite-targets/oldc.toml");
    let spec = ["--set", "spec=c", "--set", "height=3"];
    check(&folder, &spec, "oldc", "gcc:check", "long long");
}

#[test]
fn sql_that_a_database_refuses_stays_valid_and_gets_small() {
    let folder = Folder::new();
    flat_sql().write(&folder, "lydite-targets/flatsql.toml");
    folder
        .run(&["targets", "install", "-q", "sqlite", "flatsql"])
        .expect(0);
    let spec = [
        "--set", "spec=sql", "--set", "height=3", "--set", "texts=none",
    ];
    check(
        &folder, &spec, "flatsql", "sqlite", "Expression tree is too large",
    );
}

#[test]
fn lua_that_an_old_lua_refuses_stays_valid_and_gets_small() {
    let folder = Folder::new();
    folder.write("new.spec", NEW_LUA);
    folder
        .run(&["targets", "install", "-q", "lua@5.1.5", "lua@5.4.4"])
        .expect(0);
    check(
        &folder,
        &["--set", "spec=new.spec"],
        "lua@5.1.5",
        "lua@5.4.4",
        "near '/'",
    );
}
