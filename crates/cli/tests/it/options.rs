//! Campaigns that vary options: what an option breaks is found, and filed
//! under the fewest options that break it.

use crate::lydite::formulas::write_formulas;
use crate::lydite::target_file::TargetFile;
use crate::lydite::{Folder, essence, zoo_targets};

/// The zoo's solver with a bug that is always there; others come with
/// options, and some options do nothing.
const OPTIONS: &str = r#"option = [
    { args = ["--bug", "assert-distinct"] },
    { args = ["--bug", "not-xor"] },
    { args = ["-quiet"] },
    { args = ["-level=1"] },
    { args = ["-level=2"] },
    { args = ["--no-such-option"], versions = ">=99" },
]"#;

const ASSERTION: &str = r"'ASSERTION VIOLATION\s*File: (?P<site>\S+)'";

fn broken_options() -> String {
    let fatal = r"'Fatal failure within (?P<site>.*):\d+'";
    TargetFile::new("zoo-options")
        .keys(OPTIONS)
        .commands(&["zoo-solver"])
        .step(&["{bin}", "--bug", "two-sites", "{options}", "{file}"])
        .read(&format!("crash = [{ASSERTION}, {fatal}]"))
        .version(&["{bin}", "--version"], r"zoo-solver (\S+)")
        .text()
}

fn with_options(targets: &str) -> (Folder, String) {
    let folder = Folder::new();
    let file = folder.write("zoo-options.toml", targets);
    (folder, file.display().to_string())
}

#[test]
fn what_a_variant_shows_with_more_options_does_not_take_them_from_a_finding() {
    let file = broken_options() + "\n[variant.other]\noptions = [\"-other\"]\n";
    let (folder, file) = with_options(&file);
    let zoo = zoo_targets();
    for number in 0..12 {
        let script = format!(
            "(declare-const a{number} Bool)(declare-const b Bool)(declare-const c Bool)\
             (assert (distinct a{number} b c))(check-sat)"
        );
        folder.write(&format!("seeds/{number}.smt2"), script);
    }
    let words = [
        "-t", "zoo-options:other", "--strategy", "files", "--schedule", "fixed", "-o", "out",
    ];
    folder
        .run(&hunt(&zoo, &file, "zoo-options", &words))
        .expect(10);
    let findings = folder.run(&["findings", "out", "--json"]).json_lines();
    let crash = |one: &&serde_json::Value| one["kind"] == "crash";
    let crashes: Vec<&serde_json::Value> = findings.iter().filter(crash).collect();
    assert_eq!(crashes.len(), 1, "{findings:#?}");
    assert_eq!(
        crashes[0]["options"],
        serde_json::json!(["--bug", "assert-distinct"])
    );
}

fn hunt<'a>(zoo: &'a str, file: &'a str, target: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec![
        "hunt", "-t", target, "-t", "zoo-solver", "--seeds", "seeds", "--target-files", zoo,
        "--target-files", file, "--options", "3", "-q",
    ];
    args.extend(more);
    args
}

#[test]
fn a_finding_carries_the_fewest_options_that_show_it() {
    let (folder, file) = with_options(&broken_options());
    let zoo = zoo_targets();
    write_formulas(&folder, 150);
    for number in 0..30 {
        let script = format!(
            "(declare-const a{number} Bool)(declare-const b Bool)\
             (assert (not (xor a{number} b)))(check-sat)"
        );
        folder.write(&format!("seeds/x{number}.smt2"), script);
    }
    folder
        .run(&hunt(&zoo, &file, "zoo-options", &["-o", "out", "-j", "1"]))
        .expect(10);
    let findings = folder.run(&["findings", "out", "--json"]).json_lines();
    let mut seen = Vec::new();
    for finding in &findings {
        let options: Vec<&str> = finding["options"]
            .as_array()
            .unwrap()
            .iter()
            .map(|word| word.as_str().unwrap())
            .collect();
        seen.push(format!(
            "{} {}",
            finding["kind"].as_str().unwrap(),
            options.join(" ")
        ));
        let place = format!("out/findings/{}", finding["id"].as_str().unwrap());
        let replay = folder.run(&[
            "replay", &place, "--target-files", &zoo, "--target-files", &file, "--json",
        ]);
        let replay = replay.expect(10).json();
        assert_eq!(replay["shown"], 1, "{finding:#}");
        assert_eq!(replay["remade"], true, "{finding:#}");
        let script = std::fs::read_to_string(folder.path().join(&place).join("reproduce.sh"));
        let script = script.unwrap();
        assert_eq!(
            script.contains("--bug two-sites --bug"),
            !options.is_empty(),
            "{script}"
        );
        assert!(
            !script.contains("-quiet") && !script.contains("-level"),
            "{script}"
        );
    }
    seen.sort();
    seen.dedup();
    assert_eq!(
        seen,
        [
            "crash ", "crash --bug assert-distinct", "disagreement --bug not-xor",
        ]
    );
}

#[test]
fn the_choice_of_options_depends_on_the_plan_and_the_number_alone() {
    let (folder, file) = with_options(&broken_options());
    let zoo = zoo_targets();
    write_formulas(&folder, 150);
    let target = "zoo-options";
    for (output, jobs) in [("one", "1"), ("three", "3")] {
        folder
            .run(&hunt(&zoo, &file, target, &["-o", output, "-j", jobs]))
            .expect(10);
    }
    assert_eq!(essence(&folder, "one"), essence(&folder, "three"));
    // Another number of options is another campaign.
    folder
        .run(&hunt(&zoo, &file, target, &["-o", "one", "--seed", "9"]))
        .expect(2);
}

#[test]
fn an_option_that_a_target_does_not_take_stops_the_hunt_before_it_begins() {
    let zoo = zoo_targets();
    for (option, code, parts) in [
        (
            r#"{ args = ["--bug", "no-such"] }"#,
            4,
            vec!["zoo-options", "`--bug no-such`", "no bug no-such"],
        ),
        (r#"{ args = [] }"#, 2, vec!["[[option]]", "`args` is empty"]),
        (
            r#"{ args = ["a b"] }"#,
            2,
            vec!["[[option]]", "expected words"],
        ),
        (r#"{ arg = ["a"] }"#, 2, vec!["did you mean `args`"]),
        (r#"{ args = ["-a"], versions = ">>1" }"#, 2, vec![">>1"]),
    ] {
        let text = "family = \"zoo-options\"\nextends = \"zoo-solver\"\n";
        let (folder, file) = with_options(&format!("{text}option = [{option}]\n"));
        write_formulas(&folder, 1);
        let args = hunt(&zoo, &file, "zoo-options", &["-o", "out"]);
        folder.run(&args).expect(code).says(&parts);
        assert!(!folder.path().join("out").exists());
    }
    let (folder, file) = with_options("family = \"zoo-options\"\nextends = \"zoo-solver\"\n");
    write_formulas(&folder, 1);
    folder
        .run(&hunt(&zoo, &file, "zoo-options", &["-o", "out"]))
        .expect(2)
        .says(&["no target has any"]);
}

/// Dies of a `distinct` with -wide; of a long script only with -deep as well.
fn deep(script: &str) -> TargetFile {
    TargetFile::new("zoo-broken")
        .keys("option = [{ args = [\"-deep\"] }, { args = [\"-wide\"] }, { args = [\"-idle\"] }]")
        .commands(&["zoo-solver"])
        .step(&["sh", script, "{bin}", "{options}"])
        .read(&format!("crash = [{ASSERTION}]"))
        .version(&["{bin}", "--version"], r"zoo-solver (\S+)")
}

const DEEP_SCRIPT: &str = r#"
has() { case " $options " in *" $1 "*) true;; *) false;; esac; }
bin=$1; shift; options=$*
if has -wide && grep -q distinct case.smt2; then
    if has -deep || [ "$(wc -c <case.smt2)" -lt 300 ]; then
        echo "ASSERTION VIOLATION File: deep.cpp"
        exit 1
    fi
fi
exec "$bin" case.smt2
"#;

#[test]
fn a_reduced_case_that_needs_fewer_options_is_filed_with_fewer() {
    let folder = Folder::new();
    let script = folder.write("deep.sh", DEEP_SCRIPT).display().to_string();
    let file = deep(&script).write(&folder, "zoo-broken.toml");
    let file = file.display().to_string();
    let noise = "(assert (or a b (not c) (and a b c)))\n".repeat(20);
    for number in 0..40 {
        let script = format!(
            "(declare-const a Bool)(declare-const b Bool)(declare-const c Bool)\n{noise}\
             (assert (or c (distinct a b) c)) ; {number}\n(check-sat)"
        );
        folder.write(&format!("seeds/{number}.smt2"), script);
    }
    let args = [
        "hunt", "-t", "zoo-broken", "--seeds", "seeds", "--target-files", &file, "--options", "3",
        "-o", "out", "-q",
    ];
    folder.run(&args).expect(10);
    let finding = || folder.run(&["findings", "out", "--json"]).json();
    assert_eq!(finding()["options"].as_array().unwrap().len(), 2);
    folder
        .run(&["reduce", "out", "--target-files", &file, "-q"])
        .expect(0);
    let finding = finding();
    assert_eq!(finding["options"], serde_json::json!(["-wide"]));
    let id = finding["id"].as_str().unwrap();
    let place = folder.path().join("out/findings").join(id);
    let script = std::fs::read_to_string(place.join("reproduce.sh")).unwrap();
    assert!(
        script.contains("-wide") && !script.contains("-deep"),
        "{script}"
    );
    let bug = folder.run(&["bug", id, "--in", "out", "--target-files", &file]);
    assert!(
        bug.stdout.contains("-wide") && !bug.stdout.contains("-deep"),
        "{}{}",
        bug.stdout,
        bug.stderr
    );
    let replay = folder.run(&[
        "replay", id, "--in", "out", "--target-files", &file, "--json",
    ]);
    assert_eq!(replay.expect(10).json()["shown"], 1);
}
