//! Campaigns that learn: whatever happens to them, each case is remade from the
//! plan, its stored schedule and its number.

use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;

use crate::lydite::formulas::write_formulas;
use crate::lydite::nats::Nats;
use crate::lydite::{Folder, essence, zoo_targets};

/// A plan whose cases are drawn: `cases` of 60 formulas.
fn write_plan(folder: &Folder, cases: u64, more: &str) {
    let zoo = zoo_targets();
    write_formulas(folder, 60);
    let plan = format!(
        "targets = [\"zoo-solver:all\", \"zoo-solver\"]\ntarget-files = [\"{zoo}\"]\n\
         mode = \"sample\"\ncases = {cases}\nconfirm = 1\n{more}\n\
         [[strategy]]\nname = \"files\"\nseeds = [\"seeds\"]\n"
    );
    folder.write("plan.toml", plan);
}

/// Replays every finding of a campaign, whose programs have to come out again;
/// returns in how many of them a schedule drew the case.
fn replay_all(folder: &Folder, campaign: &str) -> usize {
    let zoo = zoo_targets();
    let listed = folder.run(&["findings", campaign, "--json"]).expect(10);
    let findings = listed.json_lines();
    assert!(!findings.is_empty());
    let mut scheduled = 0;
    for finding in findings {
        let id = finding["id"].as_str().unwrap();
        let place = format!("{campaign}/findings/{id}");
        let args = [
            "replay", &place, "--times", "1", "--target-files", &zoo, "--json",
        ];
        let replay = folder.run(&args).expect(10).json();
        assert_eq!(replay["remade"], true, "{id}");
        let file = std::fs::read_to_string(folder.path().join(&place).join("finding.json"));
        let file: serde_json::Value = serde_json::from_str(&file.unwrap()).unwrap();
        let recipe = &file["recipe"];
        let first_round = recipe["index"].as_u64().unwrap() < 8;
        assert_eq!(recipe["schedule"].is_null(), first_round, "{recipe}");
        scheduled += usize::from(!first_round);
    }
    scheduled
}

#[test]
fn a_campaign_that_learns_has_rounds_and_remakes_its_cases() {
    let folder = Folder::new();
    write_plan(&folder, 150, "");
    let args = ["hunt", "plan.toml", "-o", "out", "-q", "--json", "-j", "2"];
    let summary = folder.run(&args).expect(10).json();
    assert_eq!(summary["cases"], 150);
    assert!(replay_all(&folder, "out") > 0);
    let report = folder.run(&["report", "out", "--json"]).expect(0).json();
    let rounds = report["rounds"].as_array().unwrap();
    let cases: Vec<u64> = rounds
        .iter()
        .map(|r| r["cases"].as_u64().unwrap())
        .collect();
    assert_eq!(cases, [8, 32, 64, 96, 128]);
    let words = rounds[4]["strategies"][0].as_str().unwrap();
    assert!(
        words.contains("limits") && words.contains("seed "),
        "{words}"
    );
    let text = std::fs::read_to_string(folder.path().join("out/report.md")).unwrap();
    assert!(text.contains("## Rounds"), "{text}");
}

#[test]
fn a_fixed_schedule_gives_the_same_cases_every_time() {
    let folder = Folder::new();
    write_plan(&folder, 100, "schedule = \"fixed\"");
    for (output, threads) in [("a", "1"), ("b", "3")] {
        let args = ["hunt", "plan.toml", "-o", output, "-q", "-j", threads];
        folder.run(&args).expect(10);
    }
    assert_eq!(essence(&folder, "a"), essence(&folder, "b"));
    let report = folder.run(&["report", "a", "--json"]).expect(0).json();
    assert_eq!(report["rounds"], serde_json::json!([]));
    // It is another campaign than one that learns.
    let args = ["hunt", "plan.toml", "-o", "a", "-q", "--schedule", "learn"];
    folder
        .run(&args)
        .expect(2)
        .says(&["it differs in: schedule"]);
}

#[test]
fn a_campaign_that_is_killed_goes_on_with_its_schedules() {
    let folder = Folder::new();
    write_plan(&folder, 80, "");
    let args = ["hunt", "plan.toml", "-o", "out", "-q", "--json", "-j", "1"];
    let mut kills = 0;
    // Among them before and after the schedules are written.
    for number in [2, 4, 5, 7] {
        let _ = std::fs::remove_dir_all(folder.path().join("out"));
        let mut command = folder.command(&args);
        command.env("LYDITE_FAILPOINT", format!("kill {number} committed"));
        let ended = command.output().expect("lydite starts").status;
        if ended.signal().is_none() {
            break;
        }
        kills += 1;
        let before = schedules(&folder);
        let summary = folder.run(&args).expect(10).json();
        assert_eq!(summary["cases"], 80, "after kill {number}");
        let after = schedules(&folder);
        assert!(before.iter().all(|one| after.contains(one)), "{number}");
        assert_eq!(after.len(), 3);
    }
    assert!(kills >= 2, "{kills}");
    replay_all(&folder, "out");
}

/// What the report says of each round.
fn schedules(folder: &Folder) -> Vec<serde_json::Value> {
    let ran = folder.run(&["report", "out", "--json"]);
    match ran.code {
        0 => ran.json()["rounds"].as_array().cloned().unwrap_or_default(),
        _ => Vec::new(),
    }
}

#[test]
fn shards_learn_by_themselves_and_merge() {
    let folder = Folder::new();
    write_plan(&folder, 160, "");
    for (shard, output) in [("1/2", "one"), ("2/2", "two"), ("1/2", "again")] {
        let args = ["hunt", "plan.toml", "--shard", shard, "-o", output, "-q"];
        folder.run(&args).expect(10);
    }
    folder.run(&["merge", "one", "two", "-o", "all"]).expect(10);
    folder
        .run(&["merge", "all", "two", "-o", "all2"])
        .expect(10);
    let report = folder.run(&["report", "all", "--json"]).expect(0).json();
    assert_eq!(report["totals"]["cases"], 160);
    let rounds = report["rounds"].as_array().unwrap();
    let names: Vec<(String, u64)> = rounds
        .iter()
        .map(|line| {
            let shard = line["shard"].as_str().unwrap().to_string();
            (shard, line["round"].as_u64().unwrap())
        })
        .collect();
    let expected = ["1/2", "2/2"].map(|shard| [1, 2, 3].map(|round| (shard.to_string(), round)));
    assert_eq!(names, expected.concat());
    assert_eq!(essence(&folder, "all"), essence(&folder, "all2"));
    for finding in folder.run(&["findings", "all", "--json"]).json_lines() {
        let place = format!("all/findings/{}", finding["id"].as_str().unwrap());
        let args = ["replay", &place, "--target-files", &zoo_targets(), "--json"];
        assert_eq!(folder.run(&args).expect(10).json()["remade"], true);
    }
    // The same shard that ran twice drew two cases of one number.
    let merged = folder.run(&["merge", "one", "again", "-o", "twice"]);
    merged.expect(2).says(&["two schedules"]);
}

#[test]
fn workers_are_given_the_schedules() {
    let folder = Folder::new();
    write_plan(&folder, 120, "");
    let nats = Nats::start(&folder, "");
    let mut worker = folder.command(&["worker", &nats.url, "-j", "2", "--idle", "20s"]);
    let worker = worker.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let args = [
        "hunt", "plan.toml", "--cluster", &nats.url, "-o", "out", "-q", "--json",
    ];
    let summary = folder.run(&args);
    let mut worker = worker.unwrap();
    let _ = worker.kill();
    let _ = worker.wait();
    assert_eq!(summary.expect(10).json()["cases"], 120);
    assert!(replay_all(&folder, "out") > 0);
}

/// Where schedules are kept, read by hand.
fn schedule_texts(folder: &Folder, campaign: &str) -> Vec<serde_json::Value> {
    let path = folder.path().join(campaign).join("campaign.sqlite");
    let store = rusqlite::Connection::open(path).unwrap();
    let mut query = store
        .prepare("SELECT record FROM schedules ORDER BY round")
        .unwrap();
    let rows = query.query_map([], |row| row.get::<_, String>(0)).unwrap();
    rows.map(|row| serde_json::from_str(&row.unwrap()).unwrap())
        .collect()
}

#[test]
fn what_seeds_take_is_measured_once_and_told_to_every_schedule() {
    let folder = Folder::new();
    write_plan(&folder, 40, "");
    let cache = folder.path().join("cache");
    let kept = || {
        let answers = rusqlite::Connection::open(cache.join("answers.sqlite")).unwrap();
        let count = "SELECT COUNT(*) FROM answers";
        answers
            .query_row(count, [], |row| row.get::<_, i64>(0))
            .unwrap()
    };
    let mut counts = Vec::new();
    for (output, seed) in [("one", "1"), ("two", "2")] {
        let args = ["hunt", "plan.toml", "-o", output, "-q", "--seed", seed];
        let ended = folder.command(&args).env("LYDITE_CACHE", &cache).output();
        assert_eq!(ended.unwrap().status.code(), Some(10));
        counts.push(kept());
        let schedules = schedule_texts(&folder, output);
        let arms = &schedules[0]["strategies"][0]["decisions"]["seed"]["arms"];
        let arms = arms.as_object().unwrap();
        // Before a seed was tried, it is known what it takes.
        let known = |arm: &&serde_json::Value| arm["unchanged"].is_u64();
        assert_eq!(arms.values().filter(known).count(), 60, "{output}");
        assert!(arms.values().any(|arm| arm["tally"]["cases"] == 0));
    }
    // Two targets; the second hunt ran none of the seeds again.
    assert_eq!(counts, [120, 120]);
}

/// A wrong core is seen by a program that follows, which is no part of the case's size.
#[test]
fn the_smallest_case_of_a_finding_is_confirmed_where_programs_follow_too() {
    let folder = Folder::new();
    for number in 0..60 {
        let noise = "(assert (or q (not q)))".repeat(60 - number);
        let script = format!(
            "(set-option :produce-unsat-cores true)(set-logic QF_UF)(declare-const p Bool)\
             (declare-const q Bool)(assert (! p :named a))(assert (! (not p) :named b)){noise}\
             (check-sat)(get-unsat-core)"
        );
        folder.write(&format!("seeds/{number:02}.smt2"), script);
    }
    let zoo = zoo_targets();
    let args = [
        "hunt", "-t", "zoo-solver:short-core", "-t", "zoo-twin", "--strategy", "files", "--seeds",
        "seeds", "--oracles", "core", "--target-files", &zoo, "--reduce", "0s", "-o", "out", "-q",
        "-j1",
    ];
    folder.run(&args).expect(10);
    let listed = folder.run(&["findings", "out", "--json"]).json_lines();
    assert!(!listed.is_empty());
    for finding in &listed {
        assert_eq!(finding["replays"]["of"], 3, "{finding}");
    }
}
