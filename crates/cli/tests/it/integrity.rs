//! What was found stays found and true: cases that ran twice, binaries that
//! change, folders that go away, stores and batches of results that are hostile, two at work
//! in one folder.

use std::fs;
use std::process::Stdio;

use crate::lydite::script::{write_seeds, write_target, write_target_with};
use crate::lydite::{Folder, Ran};

fn hunt<'a>(targets: &[&'a str], output: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["hunt"];
    for target in targets {
        args.extend(["-t", target]);
    }
    args.extend([
        "--seeds", "seeds", "--target-files", "targets", "-o", output, "-j", "1", "-q",
    ]);
    args.extend(more);
    args
}

fn ids(folder: &Folder, campaign: &str) -> Vec<String> {
    let ran = folder.run(&["findings", campaign, "--json"]);
    let findings = ran.json_lines();
    let id = |finding: &serde_json::Value| finding["id"].as_str().unwrap().to_string();
    findings.iter().map(id).collect()
}

#[test]
fn a_flaky_case_that_ran_twice_can_be_merged_in_any_order() {
    let folder = Folder::new();
    // It crashes while the machine is busy; what the smoke test asks has no
    // assertion.
    let busy = folder.path().join("busy");
    let script = format!(
        "[ -e {} ] && grep -q assert \"$1\" && kill -SEGV $$\necho sat",
        busy.display()
    );
    write_target(&folder, "flaky", &script);
    write_seeds(&folder, &["a", "a-larger-one-of-the-same-bug"]);
    folder
        .run(&hunt(&["flaky"], "calm", &["--cases", "1"]))
        .expect(0);
    fs::write(&busy, "").unwrap();
    folder.run(&hunt(&["flaky"], "busy-out", &[])).expect(10);
    fs::remove_file(&busy).unwrap();
    for (into, from) in [("calm", "busy-out"), ("busy-out", "calm")] {
        let copy = format!("{into}-merged");
        let merge = ["merge", into, from, "-o", &copy, "-q"];
        folder.run(&merge).expect(10);
        folder.run(&merge).expect(10);
        folder.run(&["report", &copy, "-q"]).expect(0);
        let found = ids(&folder, &copy);
        assert_eq!(found.len(), 1, "{found:?}");
        let place = format!("{copy}/findings/{}/case.smt2", found[0]);
        assert!(folder.path().join(place).is_file());
        folder.run(&["hunt", "-o", &copy, "-q"]).expect(10);
    }
}

#[test]
fn kept_answers_are_not_those_of_another_target_file() {
    let folder = Folder::new();
    let script = "[ \"$1\" = -w ] && echo unsat && exit\necho sat";
    write_target(&folder, "base", script);
    write_target(&folder, "cand", "echo sat");
    write_seeds(&folder, &["a", "b"]);
    let run = |output: &str| {
        let args = [
            "hunt", "--baseline", "base", "--candidate", "cand", "--seeds", "seeds",
            "--target-files", "targets", "-o", output, "-q", "--json", "--budget", "2m",
        ];
        let mut command = folder.command(&args);
        command.env("LYDITE_CACHE", folder.path().join("cache"));
        Ran::new(&args, command.output().unwrap())
    };
    assert_eq!(run("first").expect(0).json()["gate"]["reused"], 0);
    assert_eq!(run("second").expect(0).json()["gate"]["reused"], 2);
    // Another word on the command line is another answer. The smoke test gets it
    // too, so it expects that answer.
    write_target_with(&folder, "base", script, &["-w", "{file}"], "");
    let path = folder.path().join("targets/base.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(
        &path,
        text.replace("expect = \"sat\"", "expect = \"unsat\""),
    )
    .unwrap();
    let third = run("third").expect(10).json();
    assert_eq!(third["gate"]["reused"], 0);
    // And so is another rule by which the output is read.
    let text = fs::read_to_string(&path).unwrap();
    let text = text
        .replace("\"-w\", ", "")
        .replace("expect = \"unsat\"", "expect = \"sat\"");
    let ruled = text.replace(
        "kind = \"verdicts\"",
        "kind = \"verdicts\"\ncrash = ['boom']",
    );
    fs::write(&path, ruled).unwrap();
    assert_eq!(run("fourth").expect(0).json()["gate"]["reused"], 0);
}

#[test]
fn a_campaign_goes_on_only_with_what_it_began_with() {
    let folder = Folder::new();
    let program = write_target(&folder, "solver", "echo sat");
    write_seeds(&folder, &["a", "b", "c"]);
    let first = hunt(&["solver"], "out", &["--cases", "1"]);
    folder.run(&first).expect(0);
    let plan = fs::read(folder.path().join("out/plan.json")).unwrap();
    let text = fs::read_to_string(&program).unwrap();
    fs::write(&program, text.clone() + "# another build\n").unwrap();
    folder
        .run(&hunt(&["solver"], "out", &[]))
        .expect(2)
        .says(&["solver@1.0 is another binary", "-o"]);
    folder.run(&["hunt", "-o", "out", "-q"]).expect(2);
    assert_eq!(fs::read(folder.path().join("out/plan.json")).unwrap(), plan);
    fs::write(&program, &text).unwrap();
    let path = folder.path().join("targets/solver.toml");
    let target = fs::read_to_string(&path).unwrap();
    let other = target.replace(
        "kind = \"verdicts\"",
        "kind = \"verdicts\"\ncrash = ['boom']",
    );
    fs::write(&path, other).unwrap();
    folder
        .run(&hunt(&["solver"], "out", &[]))
        .expect(2)
        .says(&["solver@1.0 has another target file"]);
    // What people learn of a target may be added while a campaign runs.
    fs::write(&path, target + "[policy]\nguide = \"be kind\"\n").unwrap();
    folder.run(&hunt(&["solver"], "out", &[])).expect(0);
    // A session that was done with something else is no part of a campaign.
    let db = folder.database("out");
    let forged =
        "UPDATE sessions SET provenance = replace(provenance, '\"lydite\":\"', '\"lydite\":\"9')";
    assert!(db.execute(forged, []).unwrap() > 0);
    drop(db);
    folder
        .run(&hunt(&["solver"], "out", &[]))
        .expect(2)
        .says(&["run with other binaries"]);
}

#[test]
fn a_replay_that_cannot_start_ends_the_hunt_and_its_case_is_not_done() {
    let folder = Folder::new();
    let gone = folder.path().join("bin/gone");
    let script = format!(
        "grep -q LAST \"$1\" && rm -f {} && kill -SEGV $$\necho sat",
        gone.display()
    );
    let program = write_target(&folder, "gone", &script);
    let text = fs::read_to_string(&program).unwrap();
    write_seeds(&folder, &["first", "LAST"]);
    let args = hunt(&["gone"], "out", &[]);
    folder.run(&args).expect(4).says(&["gone@1.0"]);
    // It is back; the case is run again and again ends the same way.
    let restore = || {
        folder.write_program("bin/gone", &text);
    };
    restore();
    let report = folder.run(&["report", "out", "--json"]).expect(0).json();
    assert_eq!(report["totals"]["cases"], 1, "{report}");
    assert_eq!(report["totals"]["unconfirmed"], 0);
    folder.run(&args).expect(4);
}

/// A campaign with one finding.
fn write_campaign(folder: &Folder) -> String {
    write_target(
        folder,
        "faulty",
        "grep -q BOOM \"$1\" && kill -SEGV $$\necho sat",
    );
    write_seeds(folder, &["plain", "BOOM"]);
    folder.run(&hunt(&["faulty"], "out", &[])).expect(10);
    ids(folder, "out").pop().expect("a finding")
}

#[test]
fn a_hostile_store_writes_nothing_outside_of_the_folder() {
    let folder = Folder::new();
    write_campaign(&folder);
    let db = folder.database("out");
    let sql = "UPDATE trigger_files SET path = '../../../PWNED' WHERE path = 'case.smt2'";
    assert_eq!(db.execute(sql, []).unwrap(), 1);
    drop(db);
    folder
        .run(&["merge", "out", "-o", "merged", "-q"])
        .expect(2)
        .says(&["PWNED", "does not stay below"]);
    let _ = fs::remove_dir_all(folder.path().join("out/findings"));
    folder.run(&["report", "out", "-q"]).expect(2);
    folder.run(&hunt(&["faulty"], "out", &[])).expect(2);
    for place in ["PWNED", "../PWNED", "../../PWNED"] {
        assert!(!folder.path().join(place).exists(), "{place}");
    }
    assert!(!folder.path().join("merged/PWNED").exists());
}

#[test]
fn findings_and_reports_can_be_deleted() {
    let folder = Folder::new();
    let id = write_campaign(&folder);
    let whole = fs::read(
        folder
            .path()
            .join(format!("out/findings/{id}/finding.json")),
    )
    .unwrap();
    let delete = || {
        fs::remove_dir_all(folder.path().join("out/findings")).unwrap();
        let _ = fs::remove_file(folder.path().join("out/report.html"));
    };
    delete();
    let place = format!("out/findings/{id}");
    folder
        .run(&["replay", &place, "--target-files", "targets"])
        .expect(10);
    folder
        .run(&["bug", &id, "--in", "out", "--target-files", "targets"])
        .expect(0);
    folder
        .run(&["findings", "mark", &id, "reported", "--in", "out"])
        .expect(0);
    folder
        .run(&["findings", "mark", &id, "--undo", "--in", "out"])
        .expect(0);
    delete();
    folder.run(&["report", "out", "-q"]).expect(0);
    let again = fs::read(
        folder
            .path()
            .join(format!("out/findings/{id}/finding.json")),
    )
    .unwrap();
    assert_eq!(again, whole);
    delete();
    folder
        .run(&["reduce", &place, "--target-files", "targets", "-q"])
        .expect(0);
    assert!(
        folder
            .path()
            .join(format!("{place}/original/case.smt2"))
            .is_file()
    );
}

#[test]
fn two_at_work_in_one_folder_are_one_too_many_and_the_second_is_told_who_is_first() {
    let folder = Folder::new();
    let id = write_campaign(&folder);
    let lock = fs::OpenOptions::new();
    let lock = { lock }
        .read(true)
        .write(true)
        .open(folder.path().join("out/lock"))
        .unwrap();
    lock.try_lock().unwrap();
    let named = format!("{} {} hunt\n", std::process::id(), machine());
    std::io::Write::write_all(&mut &lock, named.as_bytes()).unwrap();
    let place = format!("out/findings/{id}");
    let held = format!("process {}", std::process::id());
    let commands: [&[&str]; 6] = [
        &hunt(&["faulty"], "out", &[]),
        &["reduce", &place, "--target-files", "targets"],
        &["bisect", "out", "--target-files", "targets"],
        &["dedup", "out", "--target-files", "targets"],
        &["merge", "out", "-o", "out"],
        &["report", "out"],
    ];
    for args in commands {
        folder.run(args).expect(2).says(&[
            "another lydite is at work in this folder",
            "lydite hunt",
            &held,
        ]);
    }
    // What only reads or decides does not wait.
    folder
        .run(&["replay", &place, "--target-files", "targets"])
        .expect(10);
    folder.run(&["findings", "out"]).expect(10);
    folder
        .run(&["findings", "mark", &place, "reported"])
        .expect(0)
        .says(&["wait for it"]);
    drop(lock);
    folder.run(&["report", "out", "-q"]).expect(0);
}

fn machine() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name.trim().to_string()
}

#[test]
fn results_that_cannot_be_printed_are_an_error() {
    let folder = Folder::new();
    write_campaign(&folder);
    let full = || {
        fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap()
    };
    for args in [
        &["findings", "out", "--json"][..],
        &["findings", "out"],
        &["report", "out", "--json"],
        &["list", "strategies"],
    ] {
        let output = folder
            .command(args)
            .stdout(full())
            .stderr(Stdio::piped())
            .output();
        Ran::new(args, output.unwrap())
            .expect(5)
            .says(&["standard output"]);
    }
}

#[test]
fn what_targets_print_reaches_no_terminal_as_it_is() {
    let folder = Folder::new();
    // A family that begins with a digit, and an answer that would steer.
    let script = "echo '\\033]0;OWNED\\007\\c (error'; printf '\\033[2J'; echo; kill -SEGV $$";
    let script = format!("grep -q BOOM \"$1\" || {{ echo sat; exit; }}\n{script}");
    write_target(&folder, "2c", &script);
    write_seeds(&folder, &["BOOM"]);
    folder.run(&hunt(&["2c"], "out", &[])).expect(10);
    let id = ids(&folder, "out").pop().unwrap();
    let place = folder
        .path()
        .join(format!("out/findings/{id}/reproduce.sh"));
    let text = fs::read_to_string(&place).unwrap();
    assert!(!text.contains("echo "), "{text}");
    let heading = text
        .lines()
        .find(|line| line.contains("when found"))
        .unwrap();
    assert!(heading.starts_with("printf '%s\\n' "), "{heading}");
    let output = std::process::Command::new("/bin/sh")
        .arg(&place)
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("-- exit status"), "{shown}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!errors.contains("not found"), "{errors}");
    for args in [
        &["findings", "out"][..],
        &["replay", &id, "--in", "out", "--target-files", "targets"],
    ] {
        let ran = folder.run(args);
        assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'));
    }
}

#[test]
fn a_damaged_store_is_named_and_left_as_it_is() {
    let folder = Folder::new();
    write_campaign(&folder);
    let path = folder.path().join("out/campaign.sqlite");
    let whole = fs::read(&path).unwrap();
    let calm = folder.run(&["findings", "out", "--json"]).expect(10).stdout;
    let every = whole.len() / 60;
    let mut refused = 0;
    for at in (0..whole.len()).step_by(every.max(1)) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x10;
        fs::write(&path, &damaged).unwrap();
        let ran = folder.run(&["findings", "out", "--json"]);
        // It says the same as ever, or that it cannot.
        match ran.code {
            10 => assert_eq!(ran.stdout, calm, "byte {at}"),
            2 => {
                refused += 1;
                let named = ["damaged", "campaign.sqlite"];
                let named = named.iter().any(|word| ran.stderr.contains(word));
                assert!(named, "{}", ran.stderr);
            }
            code => panic!("byte {at}: {code} {}", ran.stderr),
        }
        assert_eq!(fs::read(&path).unwrap(), damaged, "byte {at}");
    }
    assert!(refused > 0);
    fs::write(&path, &whole).unwrap();
    folder.run(&hunt(&["faulty"], "out", &[])).expect(10);
    // A store of a newer lydite.
    let db = folder.database("out");
    db.execute("UPDATE meta SET value = '99' WHERE key = 'format'", [])
        .unwrap();
    drop(db);
    for args in [
        &hunt(&["faulty"], "out", &[])[..],
        &["findings", "out"],
        &["report", "out"],
    ] {
        folder.run(args).expect(2).says(&["newer lydite", "99"]);
    }
}

#[test]
fn a_damaged_log_of_a_killed_hunt_is_named_and_costs_nothing_but_time() {
    let folder = Folder::new();
    write_campaign(&folder);
    let args = hunt(&["faulty"], "out", &[]);
    folder.run(&args).expect(10);
    let calm = crate::kills::tree(&folder.path().join("out"));
    let run = |failpoint: &str| {
        let mut command = folder.command(&args);
        command.env("LYDITE_FAILPOINT", failpoint);
        command.output().unwrap()
    };
    // Killed behind a transaction that left enough in the log.
    let [store, log] =
        ["campaign.sqlite", "campaign.sqlite-wal"].map(|name| folder.path().join("out").join(name));
    let killed = |number: u32| {
        fs::remove_dir_all(folder.path().join("out")).unwrap();
        let ended = run(&format!("kill {number} committed"));
        assert!(ended.status.code().is_none(), "it ended by itself");
        fs::metadata(&log).map_or(0, |data| data.len()) > 4 * 4096
    };
    assert!((1..20).any(killed));
    let (file, whole) = (fs::read(&store).unwrap(), fs::read(&log).unwrap());
    // That of another campaign.
    folder.run(&hunt(&["faulty"], "other", &["--cases", "1"]));
    let other = folder.database("other");
    other.execute("UPDATE sessions SET wall = 1", []).unwrap();
    let foreign = fs::read(folder.path().join("other/campaign.sqlite-wal")).unwrap();
    drop(other);
    let mut flipped = whole.clone();
    flipped[2 * 4096] ^= 4;
    for damaged in [&flipped, &whole[..20].to_vec(), &foreign] {
        fs::write(&log, damaged).unwrap();
        for args in [&args[..], &["findings", "out"], &["report", "out"]] {
            folder
                .run(args)
                .expect(2)
                .says(&["damaged", "campaign.sqlite"]);
        }
        assert_eq!(fs::read(&store).unwrap(), file);
        assert_eq!(&fs::read(&log).unwrap(), damaged);
    }
    // As the message says.
    fs::remove_file(&log).unwrap();
    folder.run(&args).expect(10);
    crate::kills::same(&crate::kills::tree(&folder.path().join("out")), &calm, 0);
    // Cut off where somebody copied it too early, and whole.
    for end in [whole.len() - 2000, whole.len()] {
        fs::write(&store, &file).unwrap();
        fs::write(&log, &whole[..end]).unwrap();
        folder.run(&args).expect(10);
        crate::kills::same(&crate::kills::tree(&folder.path().join("out")), &calm, 0);
    }
}

#[test]
fn decisions_keep_their_order_when_the_clock_goes_back() {
    let folder = Folder::new();
    let id = write_campaign(&folder);
    folder
        .run(&["findings", "mark", &id, "reported", "--in", "out"])
        .expect(0);
    let db = folder.database("out");
    // As if the clock had been a year ahead.
    db.execute("UPDATE decisions SET at_ms = at_ms + 31536000000", [])
        .unwrap();
    db.execute(
        "UPDATE sessions SET started_ms = started_ms + 31536000000",
        [],
    )
    .unwrap();
    drop(db);
    folder
        .run(&["findings", "mark", &id, "wontfix", "--in", "out"])
        .expect(0);
    let findings = folder
        .run(&["findings", "out", "--json"])
        .expect(0)
        .json_lines();
    assert_eq!(findings[0]["mark"]["status"], "wontfix");
    folder.run(&hunt(&["faulty"], "out", &[])).expect(0);
    folder.run(&["report", "out", "-q"]).expect(0);
}

#[test]
fn an_interrupt_while_findings_are_reduced_is_an_interrupt() {
    let folder = Folder::new();
    // The first candidate that is smaller than the seed sends the signal.
    let mark = folder.path().join("mark");
    let script = format!(
        "grep -q BOOM \"$1\" || {{ echo sat; exit; }}\n\
         [ $(wc -c < \"$1\") -lt 80 ] && [ ! -e {0} ] && touch {0} && kill -INT $PPID\n\
         kill -SEGV $$",
        mark.display()
    );
    write_target(&folder, "faulty", &script);
    write_seeds(&folder, &["BOOM"]);
    let args = hunt(&["faulty"], "out", &["--reduce", "1m"]);
    folder.run(&args).expect(130);
    assert!(mark.exists());
    assert!(folder.path().join("out/report.html").is_file());
    folder.run(&args).expect(10);
}
