//! From findings to reports: the page, what upstream wants, what people
//! decided.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod lydite;

use lydite::{Folder, zoo_targets};

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
    let ids = two_bugs(&folder, "out", &[]);
    assert_eq!(ids.len(), 2, "{ids:?}");
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
