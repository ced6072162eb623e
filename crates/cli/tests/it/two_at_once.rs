//! Two of everything at once in one folder: one works, the other says who holds it.

use std::fs;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use crate::lydite::script::{write_seeds, write_target};
use crate::lydite::{Folder, Ran};
use crate::serve::Pages;

/// Where targets wait as long as one file is there, and say so by another.
struct Place {
    folder: Folder,
    id: String,
}

impl Place {
    /// A campaign `out` with a finding and one case that was not run, and a folder
    /// `evolved` with one version measured.
    fn new() -> Place {
        let folder = Folder::new();
        let at = |name: &str| folder.path().join(name).display().to_string();
        let script = format!(
            "if [ -e {hold} ] && grep -q -e assert -e BOOM \"$1\"; then\n  touch {held}\n  \
             while [ -e {hold} ]; do sleep 0.05; done\nfi\n\
             grep -q BOOM \"$1\" && kill -SEGV $$\necho sat",
            hold = at("hold"),
            held = at("held"),
        );
        write_target(&folder, "faulty", &script);
        write_seeds(&folder, &["BOOM", "plain", "later"]);
        folder
            .run(&[&HUNT[..], &["--cases", "2"]].concat())
            .expect(10);
        let listed = folder.run(&["findings", "out", "--json"]).json_lines();
        let id = listed[0]["id"].as_str().unwrap().to_string();
        folder.run(&["merge", "out", "-o", "copy", "-q"]).expect(10);
        Place { folder, id }
    }

    /// Does `first`, and while a target of it waits, each of `seconds`. Then the first
    /// comes to its end.
    fn hold(&self, first: &[&str], code: i32, seconds: &[&[&str]]) {
        fs::write(self.folder.path().join("hold"), "").unwrap();
        let mut command = self.folder.command(first);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        self.wait_until_held(&mut child);
        self.refuses(&child, seconds);
        self.let_go();
        Ran::new(first, child.wait_with_output().unwrap()).expect(code);
    }

    fn wait_until_held(&self, first: &mut Child) {
        while !self.folder.path().join("held").exists() {
            let ended = first.try_wait().unwrap();
            assert!(ended.is_none(), "it ended before a target waited");
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn let_go(&self) {
        for name in ["hold", "held"] {
            fs::remove_file(self.folder.path().join(name)).unwrap();
        }
    }

    /// Each of the commands says that this process holds the folder.
    fn refuses(&self, first: &Child, seconds: &[&[&str]]) {
        let process = format!("process {}", first.id());
        for second in seconds {
            let ran = self.folder.run(second).expect(2);
            ran.says(&["another lydite is at work in this folder", &process]);
        }
    }
}

const HUNT: [&str; 12] = [
    "hunt", "-t", "faulty", "--seeds", "seeds", "--target-files", "targets", "-o", "out", "-q",
    "--confirm", "1",
];

const REDUCE: [&str; 7] = [
    "reduce", "out", "--target-files", "targets", "-q", "-j", "1",
];
const BISECT: [&str; 5] = ["bisect", "out", "--target-files", "targets", "-q"];
const DEDUP: [&str; 5] = ["dedup", "out", "--target-files", "targets", "-q"];
const MERGE: [&str; 5] = ["merge", "copy", "-o", "out", "-q"];

#[test]
fn whoever_comes_second_is_told_who_is_at_work() {
    let place = Place::new();
    place.hold(
        &HUNT,
        10,
        &[
            &HUNT,
            &REDUCE,
            &BISECT,
            &DEDUP,
            &MERGE,
            &["report", "out"],
            &["certify", "out"],
        ],
    );
    place.hold(&REDUCE, 0, &[&HUNT, &BISECT, &REDUCE]);
    place.hold(&BISECT, 0, &[&REDUCE, &MERGE, &BISECT]);
    let evolve = [
        "evolve", "--target-files", "targets", "-o", "evolved", "-q", "--targets", "faulty@*",
        "--seeds", "seeds", "-j", "1",
    ];
    place.hold(&evolve, 10, &[&evolve]);
}

#[test]
fn the_pages_and_the_command_line_do_not_work_on_one_campaign_at_once() {
    let place = Place::new();
    let mut pages = Pages::start(
        &place.folder,
        &["out", "--work", "--target-files", "targets"],
    );
    let work = format!("/api/campaigns/out/findings/{}/work", place.id);
    let ours = format!("Origin: http://{}\r\n", pages.authority);
    let ended = |pages: &Pages| loop {
        let (_, text) = pages.ask(&format!("GET {work}"), "", "");
        if !text.contains("\"running\"") {
            return text;
        }
        thread::sleep(Duration::from_millis(5));
    };
    fs::write(place.folder.path().join("hold"), "").unwrap();
    let (status, text) = pages.ask(&format!("POST {work}/reduce"), &ours, "for=1m");
    assert_eq!(status, 200, "{text}");
    place.wait_until_held(&mut pages.child);
    place.refuses(&pages.child, &[&HUNT, &BISECT, &MERGE]);
    place.let_go();
    assert!(ended(&pages).contains("\"done\""));
    fs::write(place.folder.path().join("hold"), "").unwrap();
    let mut hunt = place.folder.command(&HUNT);
    let mut hunt = hunt
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    place.wait_until_held(&mut hunt);
    pages.ask(&format!("POST {work}/bisect"), &ours, "");
    let text = ended(&pages);
    assert!(
        text.contains("another lydite is at work") && text.contains(&hunt.id().to_string()),
        "{text}"
    );
    place.let_go();
    Ran::new(&HUNT, hunt.wait_with_output().unwrap()).expect(10);
}
