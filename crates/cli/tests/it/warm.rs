//! Many programs in one process: the same result as one each, and what only a
//! used process shows is no finding.

use crate::lydite::script::{write_seeds, write_target_with};
use crate::lydite::{Folder, zoo_targets};
use serde_json::Value;

/// Answered alike, wrong in z3 4.8.7 (the remainder of a float), refused,
/// and what ends or confuses a process that has more to do.
const SEEDS: [&str; 9] = [
    "(set-logic QF_LIA)(declare-const x Int)(assert (> x 3))(check-sat)",
    "(set-logic QF_FP)(declare-fun x () (_ FloatingPoint 3 4))(declare-fun y () (_ FloatingPoint 3 4))
     (assert (fp.eq x (fp #b1 #b011 #b000)))(assert (fp.eq y (fp #b0 #b011 #b100)))
     (assert (not (fp.eq (fp.rem x y) (fp #b0 #b010 #b000))))(check-sat)",
    "(set-logic QF_LIA)(declare-const x Int)(assert (and (> x 3) (< x 3)))(check-sat)",
    "(set-logic QF_LIA)(declare-const x Real)(assert (nothing x))(check-sat)",
    "(set-logic QF_LIA)(declare-const x Int)(assert (= x 7))(check-sat)(exit)",
    "(set-logic QF_LIA)(declare-const x Bool)(assert x)(check-sat)",
    "(set-logic QF_LIA)(declare-const x Bool)(assert (not x))(check-sat",
    "(set-logic QF_LIA)(declare-const x Bool)(assert (not x))(check-sat)(check-sat)",
    "(set-logic QF_UF)(declare-const |x (reset)| Bool)(assert |x (reset)|)(check-sat)",
];

fn hunt(folder: &Folder, output: &str, warm: &str) -> (Value, Vec<Value>) {
    let summary = folder
        .run(&[
            "hunt", "-t", "z3@4.8.7", "-t", "cvc5@1.4.2", "--seeds", "seeds", "--oracles",
            "crash,model,differential", "--warm", warm, "-o", output, "-q", "--json",
        ])
        .expect(10)
        .json();
    let findings = folder.run(&["findings", output, "--json"]).json_lines();
    (summary, findings)
}

#[test]
fn a_warm_campaign_finds_what_a_cold_one_finds() {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", "-q", "z3@4.8.7", "cvc5@1.4.2"])
        .expect(0);
    for (number, text) in SEEDS.iter().enumerate() {
        folder.write(&format!("seeds/{number}.smt2"), text);
    }
    let (cold, cold_findings) = hunt(&folder, "cold", "0");
    for size in ["2", "50"] {
        let (warm, findings) = hunt(&folder, &format!("warm-{size}"), size);
        for part in ["cases", "runs", "outcomes", "remarks"] {
            assert_eq!(warm[part], cold[part], "{part}, {size} at a time");
        }
        let signatures = |findings: &[Value]| -> Vec<Value> {
            findings.iter().map(|f| f["signature"].clone()).collect()
        };
        assert_eq!(signatures(&findings), signatures(&cold_findings));
    }
}

/// Writes `targets/moody.toml`: a target that lies once it is warm, with `more` at the
/// end of its file.
fn write_moody(folder: &Folder, more: &str) {
    let script = "if grep -q '(reset)' \"$1\"; then answer=unsat; else answer=sat; fi
while read -r line || [ -n \"$line\" ]; do case \"$line\" in
  *check-sat*) echo $answer;;
  '(echo '*) echo \"$line\" | cut -d '\"' -f 2;;
esac; done < \"$1\"";
    let warm = "[warm]\nmark = '(echo \"{mark}\")'\nreset = \"(reset)\"\n";
    let more = format!("{warm}{more}");
    write_target_with(folder, "moody", script, &["{file}"], &more);
}

#[test]
fn what_only_a_used_process_says_is_no_finding() {
    let folder = Folder::new();
    write_moody(&folder, "");
    for number in 0..10 {
        let text = format!("(declare-const p{number} Bool)\n(assert p{number})\n(check-sat)\n");
        folder.write(&format!("seeds/{number}.smt2"), text);
    }
    let zoo = zoo_targets();
    let summary = folder
        .run(&[
            "hunt", "-t", "moody", "-t", "zoo-solver", "--seeds", "seeds", "--warm", "10", "-j",
            "1", "--target-files", &zoo, "--target-files", "targets/moody.toml", "-o", "out", "-q",
            "--json",
        ])
        .expect(0)
        .json();
    assert_eq!(summary["unconfirmed"], 10);
    assert_eq!(summary["findings"], 0);
    for (more, part) in [
        (["--oracles", "slow"], "not with oracle slow"),
        (["--warm", "5000"], "at most 1000"),
    ] {
        let mut args = vec![
            "hunt", "-t", "zoo-solver", "--seeds", "seeds", "--target-files", &zoo,
        ];
        args.extend(more);
        if more[0] != "--warm" {
            args.extend(["--warm", "10"]);
        }
        folder.run(&args).expect(2).says(&[part]);
    }
}

/// A driver of which each of some scripts brings something bad out: bytes that are no text, its
/// end, no end, more than is kept, half of an answer, the mark of another request.
const ILL_MANNERED: &str = r#"answer() {
  case "$(cat "$1")" in
    *garbage*) printf '\377\033[2J\n\n' && echo sat;;
    *dies*) echo sat && exit 3;;
    *hangs*) sleep 1000;;
    *floods*) yes;;
    *lies*) echo 'lydite-0123456789abcdef-end 0' && echo sat;;
    *) echo sat;;
  esac
}
case "$2" in
  --serve) while read -r mark folder; do
      answer "$folder/case.smt2"
      echo "$mark 0"
      grep -q halves "$folder/case.smt2" || echo "$mark 0" >&2
    done;;
  *) answer "$1";;
esac"#;

#[test]
fn a_driver_without_manners_costs_no_case_and_accuses_nobody() {
    let folder = Folder::new();
    let warm = "[warm]\nserve = [\"--serve\"]\n";
    write_target_with(&folder, "driver", ILL_MANNERED, &["{file}"], warm);
    write_seeds(
        &folder,
        &[
            "a", "garbage", "b", "dies", "c", "hangs", "d", "floods", "e", "halves", "f", "lies",
            "g",
        ],
    );
    let zoo = zoo_targets();
    let hunt = |output: &str, warm: &str| {
        folder
            .run(&[
                "hunt", "-t", "driver", "-t", "zoo-solver", "--seeds", "seeds", "--warm", warm,
                "-j", "1", "--timeout", "2s", "--oracles", "crash,differential", "--target-files",
                &zoo, "--target-files", "targets/driver.toml", "-o", output, "-q", "--json",
            ])
            .expect(0)
            .json()
    };
    let (cold, warm) = (hunt("cold", "0"), hunt("warm", "20"));
    assert_eq!(cold["cases"], 13);
    for part in ["cases", "runs", "outcomes", "findings", "unconfirmed"] {
        assert_eq!(warm[part], cold[part], "{part}");
    }
    assert_eq!(warm["own_failures"], serde_json::json!({}));
}

#[test]
fn a_target_left_out_of_a_case_is_left_out_of_the_batch() {
    let folder = Folder::new();
    let known = "[[known]]\nissue = \"#12\"\nurl = \"u\"\nfeatures = [\"xor\"]\n";
    write_moody(&folder, known);
    for number in 0..10 {
        let operator = ["and", "xor"][number % 2];
        let text = format!(
            "(set-info :status sat)(declare-const p Bool)(assert ({operator} p true))(check-sat)\n"
        );
        folder.write(&format!("seeds/{number}.smt2"), text);
    }
    let zoo = zoo_targets();
    let hunt = |output: &str, warm: &str| {
        folder
            .run(&[
                "hunt", "-t", "moody", "-t", "zoo-solver", "--seeds", "seeds", "--warm", warm,
                "-j", "1", "--target-files", &zoo, "--target-files", "targets/moody.toml", "-o",
                output, "-q", "--json",
            ])
            .expect(0)
            .json()
    };
    let (cold, warm) = (hunt("cold", "0"), hunt("warm", "10"));
    assert_eq!(cold["unconfirmed"], 0);
    assert_eq!(warm["unconfirmed"], 5);
    for part in ["runs", "outcomes", "remarks"] {
        assert_eq!(warm[part], cold[part], "{part}");
    }
}

#[test]
fn solvers_answer_in_scopes_as_they_answer_afresh() {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", "-q", "z3@5.4.0", "cvc5@1.4.2"])
        .expect(0);
    for grammar in ["ints", "bitvectors"] {
        let setting = format!("grammar={grammar}");
        let out = format!("seeds/{grammar}");
        folder
            .run(&[
                "generate", "enumerate", "--set", &setting, "-n", "20", "--from", "500", "-o", &out,
            ])
            .expect(0);
    }
    let summary = folder
        .run(&[
            "hunt", "-t", "z3@5.4.0", "-t", "cvc5@1.4.2", "--strategy", "incremental", "--seeds",
            "seeds", "--cases", "12", "--oracles", "crash,model,differential", "-o", "out", "-q",
            "--json",
        ])
        .expect(0)
        .json();
    assert_eq!(summary["own_failures"], serde_json::json!({}));
    let outcomes = summary["outcomes"].as_array().unwrap();
    assert!(
        outcomes.iter().all(|o| o["outcome"] == "answered"),
        "{outcomes:?}"
    );
    assert_eq!(summary["runs"], 48);
}
