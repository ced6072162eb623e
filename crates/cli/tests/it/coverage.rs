//! `lydite coverage` on a real interpreter that was built to count.

use serde_json::Value;

use crate::lydite::Folder;

/// A seed.
const LOOP: &str = "local s = 0 for i = 1, 3 do s = s + i end print(s)\n";

fn reached(arm: &Value, point: usize) -> u64 {
    arm["points"][point]["shares"]["lines"]["reached"]
        .as_u64()
        .unwrap()
}

#[test]
fn seeds_and_strategies_are_measured_on_their_own_and_reach_more_with_more_cases() {
    let folder = Folder::new();
    folder.write("seeds/loop.lua", LOOP);
    folder
        .run(&["targets", "install", "-q", "lua@5.4.4:coverage"])
        .expect(0);
    let measured = folder
        .run(&[
            "coverage", "-t", "lua@5.4.4:coverage", "--strategy", "splice", "--strategy", "spec",
            "--set", "spec=lua", "--seeds", "seeds", "-n", "10", "-o", "out", "-q", "--json",
        ])
        .expect(0)
        .json();
    let arms = measured["study"]["arms"].as_array().unwrap();
    let names: Vec<&str> = arms
        .iter()
        .map(|arm| arm["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["seeds", "splice", "spec spec=lua"]);
    // There is one seed.
    assert_eq!(arms[0]["points"].as_array().unwrap().len(), 1);
    let cases: Vec<u64> = arms[2]["points"]
        .as_array()
        .unwrap()
        .iter()
        .map(|point| point["cases"].as_u64().unwrap())
        .collect();
    assert_eq!(cases, [1, 2, 5, 10]);
    assert!(reached(&arms[0], 0) > 500, "{}", arms[0]["points"]);
    for point in 1..cases.len() {
        assert!(reached(&arms[2], point) >= reached(&arms[2], point - 1));
    }
    let together = &measured["study"]["together"]["lines"];
    let (all, lines) = (
        together["all"].as_u64().unwrap(),
        together["reached"].as_u64().unwrap(),
    );
    assert!(lines < all && all > 5_000, "{lines} of {all}");
    assert!(reached(&arms[2], 3) <= lines);
    assert!(!arms[2]["alone"].as_object().unwrap().is_empty());
    for file in [
        "coverage.html", "coverage.csv", "folders.csv", "alone.csv", "coverage.json",
    ] {
        assert!(folder.path().join("out").join(file).is_file(), "{file}");
    }
}

/// By CPU time arms are looked at after the same seconds, so one plot can show all of them.
#[test]
fn a_plan_is_measured_at_equal_cpu_time_over_it_and_by_folder() {
    let folder = Folder::new();
    folder.write("seeds/loop.lua", LOOP);
    folder.write("seeds/call.lua", "print(#string.rep('x', 9))\n");
    let plan = r#"
targets = ["lua@5.4.4:coverage"]
[[strategy]]
name = "splice"
seeds = ["seeds"]
[[strategy]]
name = "spec"
set = { spec = "lua", height = "3" }
"#;
    folder.write("plan.toml", plan);
    folder
        .run(&["targets", "install", "-q", "lua@5.4.4:coverage"])
        .expect(0);
    let measured = folder
        .run(&[
            "coverage", "plan.toml", "--cpu", "320ms", "-o", "out", "-q", "--json",
        ])
        .expect(0)
        .json();
    let study = &measured["study"];
    assert_eq!(study["over"], "CPU seconds");
    let arms = study["arms"].as_array().unwrap();
    // Each seed once, however much time there is.
    let seeds = arms[0]["points"].as_array().unwrap();
    assert_eq!(seeds.last().unwrap()["cases"], 2);
    for arm in &arms[1..] {
        let points = arm["points"].as_array().unwrap();
        for point in points {
            assert!(point["cpu"].as_f64() >= point["at"].as_f64(), "{point}");
        }
        assert_eq!(points.last().unwrap()["at"], 0.32);
        let folders = arm["folders"].as_array().unwrap();
        assert_eq!(folders.len(), points.len());
        assert!(folders.iter().all(|folders| folders["src"].is_object()));
    }
    let page = std::fs::read_to_string(folder.path().join("out/coverage.html")).unwrap();
    assert!(page.contains("Over CPU seconds") && page.contains("lines in src reached"));
    let table = std::fs::read_to_string(folder.path().join("out/folders.csv")).unwrap();
    assert!(
        table.starts_with("arm,cases,cpu_seconds,folder,lines"),
        "{table}"
    );
}

#[test]
fn a_target_that_does_not_count_is_refused_with_what_to_do() {
    let folder = Folder::new();
    folder.write("seeds/loop.lua", LOOP);
    folder
        .run(&["targets", "install", "-q", "lua@5.4.4"])
        .expect(0);
    folder
        .run(&[
            "coverage", "-t", "lua@5.4.4", "--strategy", "splice", "--seeds", "seeds",
        ])
        .expect(2)
        .says(&["no coverage build", "--coverage"]);
}
