//! From findings to reports: the page, what upstream wants, what people
//! decided.

use crate::lydite::{Folder, zoo_targets};

/// Crashes `zoo-solver:assert-distinct`.
const DISTINCT: &str = "(declare-const a Bool)(declare-const b Bool)(declare-const c Bool)\n\
                        (assert (distinct a b c))\n(check-sat)\n";

#[test]
fn the_page_shows_a_hostile_program_as_text() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    let hostile = "; </pre><script>alert(1)</script> \u{1b}[2J \u{202e} &amp;\n";
    folder.write("seeds/a.smt2", format!("{hostile}{DISTINCT}"));
    // The same bug in a case that is far too large for a page.
    folder.write(
        "seeds/b.smt2",
        DISTINCT.to_string() + &hostile.repeat(60_000),
    );
    let args = [
        "hunt", "-t", "zoo-solver:assert-distinct", "--seeds", "seeds", "--target-files", &zoo,
        "-o", "out", "-q",
    ];
    folder.run(&args).expect(10);
    folder
        .run(&["reduce", "out", "-q", "--target-files", &zoo])
        .expect(0);
    folder.run(&["report", "out"]).expect(0);
    let page = std::fs::read_to_string(folder.path().join("out/report.html")).unwrap();
    assert!(page.len() < 60_000, "{} bytes", page.len());
    assert!(!page.contains("<script") && !page.contains('\u{1b}') && !page.contains('\u{202e}'));
    // What the reduction removed is there, as text.
    assert!(
        page.contains("&lt;&#x2f;pre&gt;&lt;script&gt;alert(1)"),
        "{page}"
    );
    assert!(
        page.contains("<span class=\"tk\">distinct</span>"),
        "{page}"
    );
    assert!(
        page.contains("zoo-solver --bug assert-distinct case.smt2"),
        "{page}"
    );
    assert!(page.contains("ASSERTION VIOLATION"), "{page}");
    assert!(
        page.contains("not looked for: <code>lydite bisect"),
        "{page}"
    );
}

/// Two bugs of the zoo in one campaign; returns the ids of the findings, the
/// crash first.
fn two_bugs(folder: &Folder, output: &str, more: &[&str]) -> Vec<String> {
    let zoo = zoo_targets();
    folder.write("seeds/a.smt2", DISTINCT);
    folder.write(
        "seeds/b.smt2",
        "(declare-const a Bool)\n(assert (=> a a a))\n(check-sat)\n",
    );
    let mut args = vec![
        "hunt", "-t", "zoo-solver:all", "--seeds", "seeds", "--target-files", &zoo, "-o", output,
        "-q",
    ];
    args.extend(more);
    folder.run(&args);
    let mut findings = folder.run(&["findings", output, "--json"]).json_lines();
    findings.sort_by_key(|finding| finding["case_index"].as_u64());
    let id = |finding: &serde_json::Value| finding["id"].as_str().unwrap().to_string();
    findings.iter().map(id).collect()
}

fn finding(folder: &Folder, campaign: &str, id: &str) -> serde_json::Value {
    let findings = folder.run(&["findings", campaign, "--all", "--json"]);
    let mut lines = findings.json_lines().into_iter();
    lines.find(|finding| finding["id"] == id).unwrap()
}

#[test]
fn marks_are_shown_everywhere_and_can_be_taken_back() {
    let folder = Folder::new();
    let ids = two_bugs(&folder, "out", &["--confirm", "2"]);
    assert_eq!(ids.len(), 2, "{ids:?}");
    assert_eq!(finding(&folder, "out", &ids[0])["replays"]["shown"], 2);
    let url = "https://example.org/issues/12";
    let mark = [
        "findings", "mark", &ids[0], "reported", "--upstream", url, "--in", "out",
    ];
    folder.run(&mark).expect(0);
    folder
        .run(&[
            "findings", "mark", &ids[1], "known=#7", "--note", "old", "--in", "out",
        ])
        .expect(0);
    // Nothing is news now.
    let shown = folder.run(&["findings", "out"]).expect(0).stdout;
    assert!(
        shown.contains("reported") && shown.contains("known=#7"),
        "{shown}"
    );
    assert_eq!(finding(&folder, "out", &ids[1])["known_issue"], "#7");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let readme = read(&format!("out/findings/{}/README.md", ids[0]));
    assert!(
        readme.contains(&format!("- reported, {url} (20")),
        "{readme}"
    );
    assert!(read("out/report.html").contains("known=#7, old"));
    // Taken back one by one.
    let undo = ["findings", "mark", &ids[1], "--undo", "--in", "out"];
    folder.run(&undo).expect(0);
    folder.run(&undo).expect(2).says(&["nothing to take back"]);
    folder.run(&["findings", "out"]).expect(10);
    assert_eq!(
        finding(&folder, "out", &ids[1])["mark"],
        serde_json::Value::Null
    );
    // What is said to be fixed and still there is news.
    for (version, code) in [("0.1.1", 0), ("0.1.0", 10)] {
        let status = format!("fixed-in={version}");
        folder
            .run(&["findings", "mark", &ids[1], &status, "--in", "out"])
            .expect(0);
        folder.run(&["findings", "out"]).expect(code);
    }
    let bad = [
        "findings", "mark", &ids[1], "duplicate-of=nobody", "--in", "out",
    ];
    folder.run(&bad).expect(2).says(&["not another finding"]);
}

#[test]
fn findings_are_merged_and_split_and_the_decisions_survive_a_merge_of_folders() {
    let folder = Folder::new();
    two_bugs(&folder, "first", &["--shard", "1/2"]);
    two_bugs(&folder, "second", &["--shard", "2/2"]);
    folder
        .run(&["merge", "first", "second", "-o", "both"])
        .expect(10);
    let ids = two_bugs(&folder, "both", &[]);
    folder
        .run(&["findings", "merge", &ids[0], &ids[1], "--in", "both"])
        .expect(0);
    let lead = finding(&folder, "both", &ids[0]);
    assert_eq!(lead["count"], 2);
    assert_eq!(lead["merged"][0], ids[1].as_str());
    assert_eq!(
        finding(&folder, "both", &ids[1])["merged_into"],
        ids[0].as_str()
    );
    let listed = folder.run(&["findings", "both", "--json"]).expect(10);
    assert_eq!(listed.json_lines().len(), 1);
    let report = folder.run(&["report", "both", "--json"]).expect(0).json();
    assert_eq!(report["findings"].as_array().unwrap().len(), 1);
    // What every process did over time is joined too; the one that found nothing left
    // to do is not among them.
    let pace = report["pace"].as_array().unwrap();
    let spans = pace
        .iter()
        .flat_map(|process| process["spans"].as_array().unwrap());
    let cases: u64 = spans.map(|span| span["cases"].as_u64().unwrap()).sum();
    assert_eq!((pace.len(), cases), (2, 2), "{pace:#?}");
    // Marked in one shard, merged in the whole: both decisions hold.
    folder
        .run(&["findings", "mark", &ids[0], "wontfix", "--in", "first"])
        .expect(0);
    for _ in 0..2 {
        folder
            .run(&["merge", "both", "first", "-o", "again"])
            .expect(0);
    }
    assert_eq!(
        finding(&folder, "again", &ids[0])["mark"]["status"],
        "wontfix"
    );
    assert_eq!(finding(&folder, "again", &ids[0])["count"], 2);
    folder
        .run(&["findings", "split", &ids[1], "--in", "again"])
        .expect(0);
    assert_eq!(finding(&folder, "again", &ids[0])["count"], 1);
    folder
        .run(&["findings", "split", &ids[1], "--undo", "--in", "again"])
        .expect(0);
    assert_eq!(finding(&folder, "again", &ids[0])["count"], 2);
    folder
        .run(&["findings", "merge", &ids[0], "--undo", "--in", "again"])
        .expect(0);
    assert_eq!(
        finding(&folder, "again", &ids[0])["merged"],
        serde_json::json!([])
    );
}

/// A target file that extends the zoo's solver.
fn extended(folder: &Folder, name: &str, more: &str) -> String {
    let zoo = std::fs::read_to_string(format!("{}/zoo-solver.toml", zoo_targets())).unwrap();
    let path = folder.write(&format!("targets/{name}.toml"), zoo + more);
    path.display().to_string()
}

#[test]
fn a_queue_follows_the_policy_and_a_report_its_form() {
    let folder = Folder::new();
    let policy = "\n[policy]\nper-week = 1\npriority = [\"invalid-model\", \"crash\"]\n\
                  require = [\"reduced\", \"versions\", \"replayed\"]\nfound-by = \"By a fuzzer.\"\n\
                  [policy.form]\ntitle = \"[fuzz] {what}\"\n\
                  [[policy.form.section]]\nheading = \"Command\"\nhas = [\"command\", \"found-by\"]\n\
                  [[policy.form.section]]\nheading = \"File\"\nhas = [\"input\"]\n";
    let targets = extended(&folder, "zoo-solver", policy);
    folder.write("seeds/a.smt2", DISTINCT);
    folder.write(
        "seeds/b.smt2",
        "(declare-const a Bool)(assert (and (or a a) a))\n(check-sat)\n",
    );
    let hunt = [
        "hunt", "-t", "zoo-solver:all", "--seeds", "seeds", "--target-files", &targets, "-o",
        "out", "-q",
    ];
    folder.run(&hunt).expect(10);
    let queue = || {
        let ran = folder.run(&["queue", "out", "--json", "--target-files", &targets]);
        ran.json_lines()
    };
    let entries = queue();
    let seen = |number: usize, key: &str| entries[number][key].as_str().unwrap().to_string();
    assert_eq!(
        seen(0, "kind") + " " + &seen(0, "action"),
        "invalid-model prepare"
    );
    assert_eq!(seen(1, "kind") + " " + &seen(1, "action"), "crash wait");
    let id = seen(0, "id");
    for command in ["reduce", "bisect"] {
        folder
            .run(&[
                command, &id, "--in", "out", "-q", "--target-files", &targets,
            ])
            .expect(0);
    }
    assert_eq!(queue()[0]["action"], "report", "{:#?}", queue());
    folder
        .run(&["findings", "mark", &id, "reported", "--in", "out"])
        .expect(0);
    let entries = queue();
    assert_eq!(entries[0]["action"], "wait", "{entries:#?}");
    assert_eq!(entries[1]["action"], "skip", "{entries:#?}");
    folder
        .run(&[
            "bug", &id, "--in", "out", "-o", "bug.md", "--target-files", &targets,
        ])
        .expect(0);
    let text = std::fs::read_to_string(folder.path().join("bug.md")).unwrap();
    assert!(
        text.starts_with("Title: [fuzz] gives a model that does not satisfy"),
        "{text}"
    );
    assert!(
        text.contains("### Command\n\n```\n$ zoo-solver --bug not-xor"),
        "{text}"
    );
    assert!(text.contains("By a fuzzer."), "{text}");
    assert!(
        text.contains("### File\n\n```smt2\n(assert (and (or"),
        "{text}"
    );
}

#[test]
fn a_hang_has_to_hold_with_other_seeds_of_the_solver() {
    let folder = Folder::new();
    let more = "\n[limit]\nseeds = [\"--seed={n}\"]\nresource-option = \"--resource={n}\"\n";
    let targets = extended(&folder, "zoo-solver", more);
    let question = "(declare-const a Bool)(push 1)(push 1)(assert a)(check-sat)";
    folder.write("seeds/a.smt2", question);
    let hunt = |variant: &str| {
        let args = [
            "hunt", "-t", variant, "--reference", "zoo-solver", "--seeds", "seeds", "--oracles",
            "hang", "--timeout", "2s", "--target-files", &targets, "-o", variant, "-q", "--json",
        ];
        folder.run(&args)
    };
    // Every seed hangs; its own limit ends it, as it would anywhere.
    hunt("zoo-solver:hang-push").expect(10);
    let findings = folder.run(&["findings", "zoo-solver:hang-push", "--json"]);
    let finding = &findings.json_lines()[0];
    let evidence = finding["evidence"].as_str().unwrap();
    assert!(
        evidence.contains("also with solver seeds 1, 2"),
        "{evidence}"
    );
    assert!(
        evidence.contains("hang-push gives up with --resource=1000000000"),
        "{evidence}"
    );
    assert!(
        evidence.contains("zoo-solver@0.1.0 answers with --resource=100000"),
        "{evidence}"
    );
    assert_eq!(finding["replays"], serde_json::json!({"shown": 3, "of": 3}));
    // Only the seed that everybody has hangs.
    let summary = hunt("zoo-solver:hang-seed").expect(0).json();
    assert_eq!(summary["unconfirmed"], 1, "{summary}");
}

#[test]
fn a_script_of_a_finding_needs_only_the_target_on_the_path() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    folder.write("seeds/a.smt2", DISTINCT);
    let solver = crate::lydite::zoo::program("zoo-solver");
    let place = |name: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(&path).unwrap();
        std::fs::copy(&solver, path.join("zoo-solver")).unwrap();
        path
    };
    let here = place("here");
    let path = format!("{}:{}", here.display(), std::env::var("PATH").unwrap());
    let args = [
        "hunt", "-t", "zoo-solver:assert-distinct", "--seeds", "seeds", "--target-files", &zoo,
        "-o", "out", "-q",
    ];
    let output = folder.command(&args).env("PATH", path).output().unwrap();
    assert_eq!(output.status.code(), Some(10));
    std::fs::remove_dir_all(here).unwrap();
    let there = place("there");
    let finding = folder
        .run(&["findings", "out", "--json"])
        .json_lines()
        .remove(0);
    let script = folder
        .path()
        .join("out")
        .join(finding["reproduce"].as_str().unwrap());
    let run = |path: String| {
        let mut command = std::process::Command::new(&script);
        let output = command.env_clear().env("PATH", path).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr)
    };
    let shown = run(format!("{}:/usr/bin:/bin", there.display()));
    assert!(shown.contains("ASSERTION VIOLATION"), "{shown}");
    let shown = run("/usr/bin:/bin".to_string());
    assert!(
        shown.contains("not here: set ZOO_SOLVER_0_1_0_ASSERT_DISTINCT"),
        "{shown}"
    );
}

#[test]
fn known_issues_are_filed_as_known_or_left_out_until_they_are_fixed() {
    let folder = Folder::new();
    folder.write("seeds/a.smt2", DISTINCT);
    folder.write(
        "seeds/b.smt2",
        "(declare-const a Bool)\n(assert (=> a a a))\n(check-sat)\n",
    );
    folder.write(
        "seeds/c.smt2",
        "(declare-const a Bool)(assert a)(check-sat)",
    );
    // (the entry, findings, of these known, runs)
    let issue = "\n[[known]]\nissue = \"#12\"\nurl = \"u\"\n";
    for (number, (more, findings, known, runs)) in [
        ("", 2, 0, 3),
        ("features = [\"distinct\"]\n", 1, 0, 2),
        ("features = [\"distinct\", \"a\"]\n", 1, 0, 2),
        ("features = [\"distinct\", \"xor\"]\n", 2, 0, 3),
        ("features = [\"distinct\"]\nfixed = \"0.1.0\"\n", 2, 0, 3),
        ("features = [\"distinct\"]\nfixed = \"0.1.1\"\n", 1, 0, 2),
        (
            "features = [\"distinct\"]\nversions = \"<0.1.0\"\n",
            2,
            0,
            3,
        ),
        ("features = [\"distinct\"]\nkind = \"crash\"\n", 2, 1, 3),
        ("features = [\"distinct\"]\nkind = \"hang\"\n", 2, 0, 3),
        ("signature = \'site=\"distinct\'\n", 2, 1, 3),
    ]
    .into_iter()
    .enumerate()
    {
        let entry = match more {
            "" => String::new(),
            more => format!("{issue}{more}"),
        };
        let targets = extended(&folder, &format!("zoo-{number}"), &entry);
        let output = format!("out-{number}");
        let args = [
            "hunt", "-t", "zoo-solver:all", "--seeds", "seeds", "--target-files", &targets, "-o",
            &output, "-q", "--json",
        ];
        let summary = folder.run(&args).json();
        assert_eq!(summary["cases"], 3, "{more}");
        assert_eq!(summary["runs"], runs, "{more}");
        let found = folder.run(&["findings", &output, "--json"]).json_lines();
        assert_eq!(found.len(), findings, "{more}: {found:#?}");
        let as_known = found.iter().filter(|f| f["known_issue"] == "#12");
        assert_eq!(as_known.count(), known, "{more}");
        let left_out = summary["remarks"].as_array().unwrap();
        let left_out = left_out.iter().filter(|remark| {
            let what = remark["what"].as_str().unwrap();
            what.starts_with("left out: a known issue")
        });
        assert_eq!(left_out.count(), 3 - runs, "{more}");
    }
    let targets = extended(&folder, "bad", &format!("{issue}kind = \"crash\"\n"));
    folder
        .run(&["targets", "list", "--target-files", &targets])
        .expect(2)
        .says(&["`signature` or `features` is needed"]);
}

#[test]
fn a_hang_of_z3_holds_over_its_seeds_and_has_a_cost_that_is_the_same_anywhere() {
    let folder = Folder::new();
    folder.write(
        "seeds/a.smt2",
        "(set-logic QF_SLIA)\n(declare-fun path () String)\n(declare-fun dir () String)\n\
         (declare-fun file () String)\n(assert (= path (str.++ dir \"/\" file)))\n\
         (assert (str.in_re path (re.* (re.range \"a\" \"z\"))))\n(check-sat)\n",
    );
    let args = [
        "hunt", "-t", "z3@4.8.5", "--reference", "cvc5@1.4.2", "--seeds", "seeds", "--oracles",
        "hang", "--timeout", "3s", "--install", "-o", "out", "-q",
    ];
    folder.run(&args).expect(10);
    let finding = folder
        .run(&["findings", "out", "--json"])
        .json_lines()
        .remove(0);
    let evidence = finding["evidence"].as_str().unwrap();
    assert!(
        evidence.contains("also with solver seeds 1, 2"),
        "{evidence}"
    );
    assert!(
        evidence.contains("z3@4.8.5 gives up with rlimit=1"),
        "{evidence}"
    );
    assert!(
        evidence.contains("cvc5@1.4.2 answers with --rlimit=100000"),
        "{evidence}"
    );
    let id = finding["id"].as_str().unwrap();
    let report = folder.run(&["bug", id, "--in", "out"]).expect(0).stdout;
    assert!(report.contains("gives up with rlimit=1"), "{report}");
    assert!(
        report.contains("str.in.re"),
        "as z3 4.8.5 reads it: {report}"
    );
}
