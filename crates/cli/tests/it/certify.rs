//! Certificates end to end: the same however the campaign was run, and no
//! change of certificate, plan, grammar or store goes unnoticed.

use std::fs;
use std::process::Stdio;

use crate::lydite::{Folder, zoo_targets};

const CASES: &str = "300";

fn hunt<'a>(zoo: &'a str, output: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec![
        "hunt", "-t", "zoo-solver:all", "-t", "zoo-solver", "--strategy", "enumerate", "--set",
        "grammar=sums.grammar", "--target-files", zoo, "-o", output, "-q", "--cases", CASES,
    ];
    args.extend(more);
    args
}

const GRAMMAR: &str = "grammar Core; options { language = smtlib; variables = 2; }
start: '(set-logic QF_UF)\\n' [variables: '(declare-const b$ Bool)\\n'] '(assert' term ')\\n(check-sat)\\n';
term: [variables | 'b$'] | '(not' term ')' | '(xor' term term ')' | '(distinct' term term ')';
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("sums.grammar", GRAMMAR);
    folder
}

fn certificate(folder: &Folder, campaign: &str) -> String {
    fs::read_to_string(folder.path().join(campaign).join("certificate.json")).unwrap()
}

#[test]
fn a_certificate_is_the_same_however_the_campaign_was_run() {
    let (folder, zoo) = (folder(), zoo_targets());
    folder.run(&hunt(&zoo, "whole", &["-j", "1"])).expect(10);
    let whole = certificate(&folder, "whole");
    let statement: serde_json::Value = serde_json::from_str(&whole).unwrap();
    let statement = &statement["statement"];
    assert_eq!(statement["range"]["cases"], 300);
    let counts = statement["counts"].as_object().unwrap();
    let sum: u64 = counts.values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(sum, 300, "{counts:?}");
    assert!(counts["agreed"].as_u64() > Some(0) && counts["with-findings"].as_u64() > Some(0));
    // Killed when it had just begun, brought to 40 cases, then to its end.
    let args = hunt(&zoo, "killed", &["-j", "2"]);
    let mut child = folder.command(&args).stderr(Stdio::null()).spawn().unwrap();
    let store = folder.path().join("killed/campaign.sqlite");
    while !store.is_file() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let mut fewer = hunt(&zoo, "killed", &[]);
    *fewer.last_mut().unwrap() = "40";
    folder.run(&fewer).expect(10);
    let part = certificate(&folder, "killed");
    assert!(part.contains("Each of the 40 cases"), "{part}");
    folder.run(&hunt(&zoo, "killed", &["-j", "2"])).expect(10);
    assert_eq!(certificate(&folder, "killed"), whole);
    for (output, shard) in [("a", "1/3"), ("b", "2/3"), ("c", "3/3")] {
        let args = hunt(&zoo, output, &["--shard", shard]);
        let _ = folder.run(&args);
        folder
            .run(&["certify", output])
            .expect(2)
            .says(&["200 of 300 cases are not done"]);
    }
    folder.run(&["merge", "c", "a", "-o", "m"]).expect(10);
    assert!(!folder.path().join("m/certificate.json").exists());
    folder.run(&["merge", "b", "-o", "m"]).expect(10);
    assert_eq!(certificate(&folder, "m"), whole);
    // What was certified of the first 40 cases still holds.
    folder.write("killed/of-40.json", part);
    for path in [
        "whole", "killed", "killed/of-40.json", "m", "m/certificate.json",
    ] {
        let ran = folder.run(&["certify", "--verify", path]).expect(0);
        assert!(
            ran.stdout.contains("the certificate holds"),
            "{}",
            ran.stdout
        );
    }
}

#[test]
fn a_tampered_certificate_plan_grammar_or_store_is_refused() {
    let (folder, zoo) = (folder(), zoo_targets());
    folder.run(&hunt(&zoo, "out", &[])).expect(10);
    let path = |name: &str| folder.path().join("out").join(name);
    let refused = |part: &str| {
        let ran = folder.run(&["certify", "--verify", "out"]).expect(10);
        ran.says(&[part]);
    };
    let honest = certificate(&folder, "out");
    let said = honest
        .lines()
        .find(|line| line.contains("\"agreed\""))
        .unwrap();
    fs::write(
        path("certificate.json"),
        honest.replace(said, "\"agreed\": 300,"),
    )
    .unwrap();
    refused("counts.agreed: the certificate says 300");
    refused("its content gives");
    // The same, away from its campaign.
    fs::copy(path("certificate.json"), folder.path().join("alone.json")).unwrap();
    folder
        .run(&["certify", "--verify", "alone.json"])
        .expect(10)
        .says(&["its content gives", "not to the 300"]);
    fs::write(path("certificate.json"), &honest).unwrap();
    folder.run(&["certify", "--verify", "out"]).expect(0);
    let hash = fs::read_dir(path("settings"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    fs::write(hash.path(), GRAMMAR.replace("'(xor'", "'(and'")).unwrap();
    refused("was changed");
    fs::write(hash.path(), GRAMMAR).unwrap();
    let plan = fs::read_to_string(path("plan.json")).unwrap();
    fs::write(
        path("plan.json"),
        plan.replacen("\"timeout\": \"8s\"", "\"timeout\": \"9s\"", 1),
    )
    .unwrap();
    refused("plan.json: its");
    fs::write(path("plan.json"), &plan).unwrap();
    let change = |sql: &str| {
        let ran = folder.database("out").execute(sql, []).unwrap();
        assert!(ran > 0, "{sql}");
    };
    change("UPDATE cases SET bytes = bytes + 1 WHERE idx = 17");
    refused("results: the certificate says");
    change("UPDATE cases SET bytes = bytes - 1 WHERE idx = 17");
    folder.run(&["certify", "--verify", "out"]).expect(0);
    change("DELETE FROM symptoms WHERE idx IN (SELECT MIN(idx) FROM symptoms)");
    refused("counts.with-findings");
    change("DELETE FROM cases WHERE idx = 299");
    refused("299 cases are there, 300 were counted");
}

#[test]
fn a_campaign_that_draws_its_cases_has_no_certificate() {
    let (folder, zoo) = (folder(), zoo_targets());
    folder.write("plan.toml", format!("targets = [\"zoo-solver\"]\nmode = \"sample\"\ncases = 5\ntarget-files = [\"{zoo}\"]\n[[strategy]]\nname = \"enumerate\"\n"));
    folder
        .run(&["hunt", "plan.toml", "-o", "out", "-q"])
        .expect(0);
    folder
        .run(&["certify", "out"])
        .expect(2)
        .says(&["its cases are drawn"]);
    folder
        .run(&["certify", "--verify", "out"])
        .expect(2)
        .says(&["certificate.json", "cannot be read"]);
}
